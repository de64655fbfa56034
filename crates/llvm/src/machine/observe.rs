//! Observes a state with a function of the program itself, as if all threads stood
//! still: invariants, propositions, abstractions.
//!
//! The function runs on a copy of the shared store, in one go, in a thread of its own
//! that nobody else knows. It may read everything and keep local variables; what it
//! may not do is refused, because a question must not depend on how it is asked.

use model::Access;

use super::stop::{Result, Stop};
use super::{Machine, Ran};
use crate::ir::IntPredicate;
use crate::memory::{Ending, Kind, Location};
use crate::value::{Origin, Value};

impl Machine<'_> {
    /// Runs the function that the encoded thread `caller` is about to run, in the
    /// encoded store `shared`; gives what it returns. Choices come from the tape:
    /// inputs that nobody has looked at yet may be split.
    ///
    /// # Errors
    /// It does not come to its end, or it allocates memory.
    pub fn observe(&mut self, shared: &[u8], caller: &[u8]) -> Result<Value> {
        self.load(shared, caller);
        self.memory.become_stranger();
        // Nobody goes between, whatever the granularity is.
        self.memory.enter_section();
        match self.run()? {
            Ran::Ended => {}
            Ran::Running => return Err(Stop::Blocked("it waits".into())),
        }
        let mut objects = self.memory.thread().objects().iter();
        let owns_heap = objects.any(|(_, object)| object.kind() == Kind::Heap);
        if owns_heap {
            return Err(Stop::refused("it allocates memory"));
        }
        match self.memory.ending() {
            Some(Ending::Thread(value)) => Ok(value),
            _ => Err(Stop::refused("it ends the program")),
        }
    }

    /// Takes up a shared store, to observe it without a function.
    pub fn load_shared(&mut self, shared: &[u8]) {
        self.memory.load_shared(shared);
        self.is_cut = false;
    }

    /// What the observing function wrote of the shared store. Splitting an input is
    /// not writing: it is the same question, asked of fewer inputs.
    pub fn written(&self) -> impl Iterator<Item = Access> + '_ {
        let shared = self.memory.shared();
        let is_input =
            |number| shared.object(number).is_some_and(|object| object.kind() == Kind::Symbol);
        let me = self.memory.me().number();
        let accesses = self.memory.footprint().accesses().iter().copied();
        accesses.filter(move |access| {
            access.is_write && access.object != me && !is_input(access.object)
        })
    }

    /// The value of `len` bytes at `at` in a variable.
    ///
    /// # Errors
    /// They are a part of an address.
    pub fn peek(&self, origin: Origin, at: u32, len: u32) -> Result<Value> {
        self.memory.read_at(Location { origin, at, len }, len * 8)
    }

    /// Does a value of `width` bits compare so with a number? An input is split.
    ///
    /// # Errors
    /// It was never set, or it cannot be compared.
    pub fn compares(
        &mut self,
        value: Value,
        predicate: IntPredicate,
        number: u64,
        width: u32,
    ) -> Result<bool> {
        let truth = self.compare(predicate, width, (value, Value::number(number)))?;
        truth
            .as_number()
            .map(|truth| truth != 0)
            .ok_or_else(|| Stop::refused("it depends on a value that was never set"))
    }
}
