//! What a program asks its system: numbers, the environment, `errno`.

use super::{Effect, Entry, LibraryCall, never, pointers};
use crate::machine::{Result, Stop};
use crate::memory::AccessMode;
use crate::value::Value;

pub(super) static TABLE: &[Entry] = &[
    never("getpid", one),
    pointers("sysconf", system_number),
    never("get_nprocs", two),
    never("pthread_getconcurrency", zero),
    pointers("getenv", zero),
    never("__errno_location", errno_location),
];

/// Numbers of questions to `sysconf`.
const PAGE_SIZE: u64 = 30;
const PROCESSORS: [u64; 2] = [83, 84];

fn zero(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    call.done(0)
}

fn one(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    call.done(1)
}

fn two(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    call.done(2)
}

fn system_number(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    match call.number_argument(0, "the question to `sysconf`")? {
        PAGE_SIZE => call.done(4096),
        question if PROCESSORS.contains(&question) => call.done(2),
        question => Err(Stop::refused(format!("`sysconf({question})` is not known"))),
    }
}

fn errno_location(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Ok(Effect::Done(call.errno()))
}

/// Sets the thread's `errno`, in programs that can look at it.
pub(super) fn set_errno(call: &mut LibraryCall<'_, '_>, number: Value) -> Result<()> {
    let can_look = |function: &crate::code::FunctionCode| function.name == "__errno_location";
    if !call.code().functions.iter().any(can_look) {
        return Ok(());
    }
    let address = call.errno();
    let location = call.locate(address, 4, AccessMode::PLAIN_WRITE)?;
    call.write_at(location, number);
    Ok(())
}
