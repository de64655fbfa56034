//! The library functions that the machine knows by name.
//!
//! Each is a function of the machine and its arguments. One that waits gives
//! [`crate::machine::Stop::Blocked`]; one that takes several steps sets the frame's
//! phase and gives [`Effect::Again`], and is called again with the same arguments in
//! the next step.

use crate::machine::{Machine, Result};
use crate::value::Value;

/// Names a library function: an index into the table of all known ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin(pub u16);

/// What a library function is called with.
#[derive(Clone, Copy, Debug)]
pub struct Arguments<'a> {
    /// The values.
    pub values: &'a [Value],
    /// The width of each.
    pub widths: &'a [u8],
    /// Width of the result; 0 when it is not wanted.
    pub result_width: u32,
}

/// What a library function does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It is done, with this result.
    Done(Value),
    /// It is done, with a struct of two as its result.
    Both(Value, Value),
    /// Its next phase is another step.
    Again,
    /// It has changed the frames: called a function, or ended some.
    Entered,
}

/// Can others see what a library function does?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Yes, or it may wait.
    Always,
    /// No.
    Never,
    /// If one of its pointers is to shared memory.
    Pointers,
}

/// An entry of the table.
pub struct Entry {
    /// The name.
    pub name: &'static str,
    /// Who sees it.
    pub visibility: Visibility,
    /// What it does.
    pub run: fn(&mut Machine<'_>, Arguments<'_>) -> Result<Effect>,
}

/// The library function with this name.
pub fn find(name: &str) -> Option<Builtin> {
    let idx = TABLE.iter().position(|entry| entry.name == name)?;
    Some(Builtin(idx as u16))
}

/// Who sees what a function does.
pub fn visibility(builtin: Builtin) -> Visibility {
    TABLE[builtin.0 as usize].visibility
}

/// Runs a function.
///
/// # Errors
/// It waits, breaks a rule, or is refused.
pub fn run(
    machine: &mut Machine<'_>,
    builtin: Builtin,
    arguments: Arguments<'_>,
) -> Result<Effect> {
    (TABLE[builtin.0 as usize].run)(machine, arguments)
}

/// All known functions.
static TABLE: &[Entry] = &[];
