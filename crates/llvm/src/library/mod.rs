//! The library functions that the call knows by name.
//!
//! Each is a function of the call and its arguments. One that waits gives
//! [`crate::machine::Stop::Blocked`]; one that takes several steps sets the frame's
//! phase and gives [`Effect::Again`], and is called again with the same arguments in
//! the next step.
//!
//! A function whose meaning is not given here is left out: the call then refuses
//! it by name.

mod call;
mod holds;
mod item;
mod naming;

mod mutex;

mod atomics;
mod attributes;
mod barrier;
mod bits;
mod c11;
mod clock;
mod condition;
mod control;
mod environment;
mod floats;
mod format;
mod heap;
mod input;
mod keys;
mod memory;
mod numbers;
mod rwlock;
mod scan;
mod semaphore;
mod stdio;
mod strings;
mod system;
mod thread;
mod verifier;
mod wide;

#[cfg(test)]
mod tests;

pub use call::LibraryCall;
pub use holds::n_holds;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::machine::{Machine, Result, Stop};
use crate::value::Value;

/// Names a library function: an index into the table of all known ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin(pub u16);

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
    /// Can a thread learn from it what others did, without being ordered after them?
    pub orders_weakly: bool,
    /// What it does.
    pub run: Run,
}

/// What a library function does.
pub type Run = fn(&mut LibraryCall<'_, '_>) -> Result<Effect>;

/// All known functions.
struct Table {
    entries: Vec<&'static Entry>,
    numbers: FxHashMap<&'static str, Builtin>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let topics = [
        atomics::SIZED,
        atomics::TABLE,
        attributes::TABLE,
        barrier::TABLE,
        bits::TABLE,
        c11::TABLE,
        clock::TABLE,
        condition::TABLE,
        control::TABLE,
        environment::TABLE,
        floats::TABLE,
        heap::TABLE,
        input::TABLE,
        keys::TABLE,
        memory::TABLE,
        mutex::TABLE,
        numbers::TABLE,
        system::TABLE,
        rwlock::TABLE,
        scan::TABLE,
        semaphore::TABLE,
        stdio::TABLE,
        strings::TABLE,
        thread::TABLE,
        verifier::TABLE,
        wide::TABLE,
    ];
    let entries: Vec<&Entry> = topics.into_iter().flatten().collect();
    let numbered = entries.iter().enumerate();
    let numbers = numbered.map(|(idx, entry)| (entry.name, Builtin(idx as u16))).collect();
    Table { entries, numbers }
});

/// The library function with this name. Intrinsics are found with and without the
/// types at the end of their names.
pub fn find(name: &str) -> Option<Builtin> {
    if let Some(&builtin) = TABLE.numbers.get(name) {
        return Some(builtin);
    }
    let mut stem = name.starts_with("llvm.").then_some(name)?;
    while let Some((shorter, last)) = stem.rsplit_once('.') {
        if !is_type_suffix(last) {
            return None;
        }
        stem = shorter;
        if let Some(&builtin) = TABLE.numbers.get(stem) {
            return Some(builtin);
        }
    }
    None
}

/// Is it what the name of an intrinsic says about a type: `i32`, `p0`, `p0i8`?
fn is_type_suffix(text: &str) -> bool {
    let is_scalar = text.starts_with(['i', 'p', 'f']);
    is_scalar && text.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
}

/// Is it a variable of the library? Those that are known are null at first.
pub fn is_variable(name: &str) -> bool {
    matches!(name, "stdin" | "stdout" | "stderr" | "environ" | "optarg")
}

/// Who sees what a function does.
pub fn visibility(builtin: Builtin) -> Visibility {
    TABLE.entries[builtin.0 as usize].visibility
}

/// Does a function make objects that last until they are freed?
pub fn allocates(builtin: Builtin) -> bool {
    matches!(
        TABLE.entries[builtin.0 as usize].name,
        "malloc"
            | "calloc"
            | "realloc"
            | "reallocarray"
            | "aligned_alloc"
            | "memalign"
            | "valloc"
            | "posix_memalign"
            | "strdup"
            | "strndup"
            | "asprintf"
            | "vasprintf"
            | "fopen"
            | "fdopen"
            | "tmpfile"
            | "getline"
            | "getdelim"
            | "mmap"
            | "mmap64"
    )
}

/// May a function end the life of such objects?
pub fn frees(builtin: Builtin) -> bool {
    matches!(
        TABLE.entries[builtin.0 as usize].name,
        "free"
            | "cfree"
            | "realloc"
            | "reallocarray"
            | "munmap"
            | "fclose"
            | "getline"
            | "getdelim"
    )
}

/// Does a function compare two values that may be addresses?
pub fn compares_addresses(builtin: Builtin) -> bool {
    TABLE.entries[builtin.0 as usize].name.starts_with("__atomic_compare_exchange")
}

/// Does a function compare two names of threads?
pub fn compares_threads(builtin: Builtin) -> bool {
    matches!(TABLE.entries[builtin.0 as usize].name, "pthread_equal" | "thrd_equal")
}

/// Can a thread learn from a function what others did, without being ordered after them?
/// So with locks that are tried in vain.
pub fn orders_weakly(builtin: Builtin) -> bool {
    TABLE.entries[builtin.0 as usize].orders_weakly
}

/// How many orders a function takes as its last arguments: none but those of atomics are.
pub fn n_orders(builtin: Builtin) -> usize {
    let name = TABLE.entries[builtin.0 as usize].name;
    let is_atomic = |entry: &Entry| entry.name == name;
    match atomics::SIZED.iter().chain(atomics::TABLE).any(is_atomic) {
        false => 0,
        true => 1 + usize::from(name.starts_with("__atomic_compare_exchange")),
    }
}

/// Is it sequential consistency that an argument asks for, as C numbers orders?
pub fn is_seq_cst(order: u64) -> bool {
    atomics::order_numbered(order).is_seq_cst
}

/// May a function have a result that was never set: does it count bits, or compute with floats
/// or wide numbers?
pub fn may_leave_unset(builtin: Builtin) -> bool {
    let name = TABLE.entries[builtin.0 as usize].name;
    let topics = [bits::TABLE, floats::TABLE, wide::TABLE];
    topics.into_iter().flatten().any(|entry| entry.name == name)
}

/// Does a function wait at a barrier?
pub fn waits_at_barrier(builtin: Builtin) -> bool {
    TABLE.entries[builtin.0 as usize].name == "pthread_barrier_wait"
}

/// Does a function create threads?
pub fn creates_threads(builtin: Builtin) -> bool {
    matches!(TABLE.entries[builtin.0 as usize].name, "pthread_create" | "thrd_create")
}

/// Runs a function for the call that the machine is at; its result has so many bits.
///
/// # Errors
/// It waits, breaks a rule, or is refused.
pub fn run(machine: &mut Machine<'_>, builtin: Builtin, result_width: u32) -> Result<Effect> {
    let entry = TABLE.entries[builtin.0 as usize];
    let effect = (entry.run)(&mut LibraryCall::new(machine, result_width));
    // Who goes on to wait has learned nothing.
    let is_ordered = !machine.memory.orders_nothing() || effect == Ok(Effect::Again);
    debug_assert!(entry.orders_weakly || is_ordered, "{} orders weakly", entry.name);
    effect
}

/// An entry that others see.
const fn always(name: &'static str, run: Run) -> Entry {
    Entry { name, visibility: Visibility::Always, orders_weakly: false, run }
}

/// An entry that nobody sees.
const fn never(name: &'static str, run: Run) -> Entry {
    Entry { name, visibility: Visibility::Never, orders_weakly: false, run }
}

/// An entry that others see if it is about what they share.
const fn pointers(name: &'static str, run: Run) -> Entry {
    Entry { name, visibility: Visibility::Pointers, orders_weakly: false, run }
}

/// An entry that others see, and that can fail because of what they did.
const fn tries(name: &'static str, run: Run) -> Entry {
    Entry { name, visibility: Visibility::Always, orders_weakly: true, run }
}

/// The same of one that others see if it is about what they share.
const fn pointers_in_vain(name: &'static str, run: Run) -> Entry {
    Entry { name, visibility: Visibility::Pointers, orders_weakly: true, run }
}

fn too_few() -> Stop {
    Stop::refused("a library function is called with too few arguments")
}

/// Does nothing and says that all is well.
fn succeed(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    call.done(0)
}
