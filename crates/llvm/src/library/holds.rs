//! How often a lock is held, as its bytes say: for reports, which find out by it in
//! which step of a run a lock was taken.

use model::Lock;

use crate::code::Code;
use crate::memory::SharedStore;
use crate::value::Value;

/// Bytes of a spinlock; all other locks are longer.
const SPINLOCK_BYTES: u32 = 4;
/// What a spinlock says that is taken.
const TAKEN: Value = Value::number(1);

/// How often a lock is held. Mutexes and read-write locks have their owner first and a
/// count behind it: how often the owner took it, or how many read.
pub fn n_holds(code: &Code, shared: &SharedStore, lock: Lock) -> u32 {
    let Some(object) = shared.object(lock.object).filter(|object| object.is_live()) else {
        return 0;
    };
    let field = |at: u32, len: u32| {
        let is_inside = at + len <= object.size();
        let value = is_inside.then(|| object.read(at, len, len * 8).ok()).flatten();
        value.filter(|value| value.is_defined())
    };
    if lock.len == SPINLOCK_BYTES {
        return u32::from(field(lock.at, SPINLOCK_BYTES) == Some(TAKEN));
    }
    let has_owner = field(lock.at, code.pointer_bytes).is_some_and(|owner| owner != Value::ZERO);
    let count = field(lock.at + code.pointer_bytes, 4).and_then(|count| count.as_number());
    u32::from(has_owner).max(count.map_or(0, |count| count as u32))
}
