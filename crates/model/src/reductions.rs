//! What searches may use to look at fewer states of a thread program.
//!
//! A program implements what it knows. What it says here must be true: [`Independence`] and
//! [`HeapSymmetry`] carry proofs. [`MatchingAbstraction`] does not: it is the user's, and
//! nothing is proven once it has left out a state.

use crate::store::Store;

/// What partial-order reduction needs: which steps of different threads are independent
/// for good, and which steps are visible to the property. Only for programs without
/// environment steps and without broadcasts, which depend on everything.
pub trait Independence: Sync {
    /// Pushes the objects that a thread in `local` may touch from here on, as long as
    /// no other thread hands it more, to `out`, ascending. All steps that go back in a
    /// thread's code must be marked, see [`crate::Steps::mark_going_back`].
    fn future_objects(&self, shared: &[u8], local: &[u8], out: &mut Vec<u32>);

    /// Pushes the objects that targets and propositions depend on in `shared` to `out`,
    /// ascending: steps that write none of them are invisible.
    fn visible_objects(&self, shared: &[u8], out: &mut Vec<u32>);
}

/// Names of shared objects that do not matter, such as addresses of heap objects. Only
/// for a fixed set of threads: engines for any number of threads never use it.
pub trait HeapSymmetry: Sync {
    /// Does the shared store have something that [`HeapSymmetry::canonicalize`] might
    /// rename or collect?
    fn may_rename(&self, shared: &[u8]) -> bool;

    /// Renames objects so that equivalent states become equal; gives the new stores, the
    /// threads in the same order, or `None` if nothing changes.
    fn canonicalize(
        &self,
        shared: &[u8],
        locals: &[&[u8]],
        renaming: Renaming,
    ) -> Option<(Store, Vec<Store>)>;

    /// Renames objects by the order of `locals`, which no name decides: states with equal
    /// results are equal up to names, each thread being the one at the same place.
    fn rename_in_order(&self, shared: &[u8], locals: &[&[u8]]) -> (Store, Vec<Store>);
}

/// Which states [`HeapSymmetry::canonicalize`] may take for equivalent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renaming {
    /// Those that differ in names alone.
    Exact,
    /// Also those in which a thread joins others in different orders: they have the same runs
    /// but for joins, which come earlier or later. Errors, targets that look at nothing local,
    /// deadlocks and data races are the same; a state with a deadlock may need joins before it
    /// is one.
    UpToJoins,
}

/// An abstraction function of the user's for state matching: of the concrete states that
/// it maps to the same abstract one, only the first is expanded.
pub trait MatchingAbstraction: Sync {
    /// Its name.
    fn name(&self) -> &str;

    /// Pushes the abstract state to `out`; the order of the threads does not matter.
    ///
    /// # Errors
    /// Why it is not defined there, as a sentence without a full stop.
    fn abstract_state(
        &self,
        shared: &[u8],
        locals: &[&[u8]],
        out: &mut Vec<u8>,
    ) -> Result<(), String>;
}
