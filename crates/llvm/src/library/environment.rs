//! What a program asks its system: numbers, the environment, `errno`.

use super::{Arguments, Effect, Entry, never, pointers};
use crate::machine::{Machine, Result, Stop};
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

fn zero(_: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    arguments.done(0)
}

fn one(_: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    arguments.done(1)
}

fn two(_: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    arguments.done(2)
}

fn system_number(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    match arguments.number(machine, 0, "the question to `sysconf`")? {
        PAGE_SIZE => arguments.done(4096),
        question if PROCESSORS.contains(&question) => arguments.done(2),
        question => Err(Stop::refused(format!("`sysconf({question})` is not known"))),
    }
}

fn errno_location(machine: &mut Machine<'_>, _: Arguments<'_>) -> Result<Effect> {
    Ok(Effect::Done(machine.memory.errno()))
}

/// Sets the thread's `errno`, in programs that can look at it.
pub(super) fn set_errno(machine: &mut Machine<'_>, number: Value) -> Result<()> {
    let can_look = |function: &crate::code::FunctionCode| function.name == "__errno_location";
    if !machine.code.functions.iter().any(can_look) {
        return Ok(());
    }
    let address = machine.memory.errno();
    let location = machine.memory.locate(address, 4, AccessMode::PLAIN_WRITE)?;
    machine.memory.write_at(location, number);
    Ok(())
}
