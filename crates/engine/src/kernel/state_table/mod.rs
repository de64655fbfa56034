//! Decides whether a packed state was seen before, for one or many threads.
//!
//! [`ExactTable`] keeps all states, in the bytes that their bits need plus a slot
//! of four bytes; [`SignatureTable`] keeps 64 bits of hash of each; [`BitTable`]
//! sets a few bits for each. [`Arena`] is where exact states, and the frontiers of
//! the other two, lie.
//!
//! This is the only place of the engines with unsafe code: states of a length
//! known at run time lie in raw memory that threads share by number.

mod arena;
mod bitstate;
mod exact;
mod hash;
mod signatures;
mod zeroed;

use model::{Limits, StopReason};

pub use arena::{Arena, NotStored, StateId, Writer};
pub use bitstate::BitTable;
pub use exact::{ExactTable, Inserted};
pub use hash::{hash, seeded_hash};
pub use signatures::{SignatureTable, signature};

/// May `more` bytes be allocated?
///
/// # Errors
/// The memory limit says no.
pub fn room_for(more: u64, limits: &Limits) -> Result<(), StopReason> {
    match limits.memory {
        Some(limit) if (limit.gauge)().saturating_add(more) > limit.bytes => {
            Err(StopReason::MemoryLimit)
        }
        _ => Ok(()),
    }
}
