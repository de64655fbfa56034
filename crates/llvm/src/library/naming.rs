//! Names of places in memory, for messages: the variable with its members and
//! indices as far as its type is known.

use super::LibraryCall;
use crate::code::Shape;
use crate::describe;
use crate::memory::{Owner, ThreadIdentity};
use crate::value::{Origin, Value, mask};

/// What lies at an address: `` `forks[2]` ``, `` `queue.lock` ``, or the object and an
/// offset.
pub(super) fn name_at(call: &LibraryCall<'_, '_>, pointer: Value) -> String {
    let origin = pointer.base.origin();
    let at = pointer.bits & mask(call.pointer_bytes() * 8);
    let variable = match origin {
        Origin::Shared(number) => call.code().globals.get(number as usize),
        Origin::Constant(number) => call.code().constants.get(number as usize),
        _ => None,
    };
    if let Some(variable) = variable {
        return format!("`{}{}`", variable.name, path(&variable.shape, at));
    }
    let name = call.name_of(origin);
    if at == 0 { format!("in {name}") } else { format!("at offset {at} of {name}") }
}

/// The members and indices that lead to what is at `at`.
fn path(shape: &Shape, at: u64) -> String {
    match describe::path_to(shape, at) {
        (path, 0) => path,
        (path, rest) => format!("{path} + {rest} bytes"),
    }
}

/// The owner of a lock, as the thread that runs sees it.
pub(super) fn owner(call: &LibraryCall<'_, '_>, owner: Owner) -> &'static str {
    let first = ThreadIdentity::first(call.code());
    match owner {
        Owner::Me => "which it holds itself",
        Owner::Another(Some(thread)) if thread == first => "held by the first thread",
        Owner::Another(_) | Owner::Nobody => "held by another thread",
    }
}
