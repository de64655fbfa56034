//! Why threads do not go on: what deadlocks are made of.

use crate::access::Lock;

/// What blocked threads wait for. Threads have identities in the shared store here: that
/// is how it says who owns a lock, or whose end is awaited.
pub trait Blocking: Sync {
    /// What a thread in `local` waits for in `shared`; `None` if it is not blocked but
    /// has ended, or may rest for another reason.
    fn blocked(&self, shared: &[u8], local: &[u8]) -> Option<String>;

    /// An edge of the waits-for graph: a blocked thread's own identity, and that of the
    /// only thread whose steps can unblock it. A cycle is a deadlock, whatever the
    /// threads outside it do.
    fn waits_for(&self, shared: &[u8], local: &[u8]) -> Option<(u32, u32)> {
        let _ = (shared, local);
        None
    }

    /// A thread's own identity, as in [`Blocking::waits_for`]; `None` where threads have
    /// none.
    fn identity(&self, local: &[u8]) -> Option<u32> {
        let _ = local;
        None
    }

    /// The lock that a blocked thread waits for; `None` if it waits for something else.
    fn wanted_lock(&self, shared: &[u8], local: &[u8]) -> Option<Lock> {
        let _ = (shared, local);
        None
    }

    /// How often a lock is held: by how many readers, or how often by its owner.
    fn n_holds(&self, shared: &[u8], lock: Lock) -> u32 {
        let _ = (shared, lock);
        0
    }
}
