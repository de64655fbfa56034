//! What the user's abstraction makes of a state.
//!
//! The abstraction is a function `void f(void)` of the program: it is called on a copy of
//! the shared store, and the variables that it writes, with what it wrote, are the
//! abstract state. Where each thread stands in its code belongs to it as well.

use model::MatchingAbstraction;

use super::{CProgram, NoProgram};
use crate::machine::Machine;
use crate::memory::ThreadStore;

/// A function that abstracts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Abstraction {
    pub(super) name: String,
    /// A thread that is about to run it.
    caller: Vec<u8>,
}

impl CProgram {
    /// The same program, whose states are matched on what this function writes.
    ///
    /// # Errors
    /// There is no such function, or it cannot be asked of the first state.
    pub fn with_abstraction(mut self, name: &str) -> Result<CProgram, NoProgram> {
        let (_, caller) = self
            .caller_of(name)
            .map_err(|why| NoProgram(format!("`{name}` cannot be an abstraction: {why}")))?;
        self.prepare_observers();
        self.abstraction = Some(Abstraction { name: name.to_owned(), caller });
        let first = self.written_by_abstraction(self.initial.bytes(), &mut Vec::new());
        first.map_err(NoProgram)?;
        Ok(self)
    }

    fn written_by_abstraction(&self, shared: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        let Some(Abstraction { name, caller }) = &self.abstraction else { return Ok(()) };
        let blind = |why: String| format!("`{name}` cannot be evaluated: {why}");
        self.with_observing_machine(|machine| {
            machine.tape.reset();
            if let Err(stop) = machine.observe(shared, caller) {
                return Err(blind(self.told(machine, stop)));
            }
            if machine.tape.has_chosen() {
                let why = "it depends on an input that the program has not used yet";
                return Err(blind(why.into()));
            }
            push_written(machine, out);
            out.push(u8::from(machine.memory.shared().is_over()));
            Ok(())
        })
    }
}

impl MatchingAbstraction for CProgram {
    fn name(&self) -> &str {
        self.abstraction.as_ref().map_or("none", |abstraction| &abstraction.name)
    }

    fn abstract_state(
        &self,
        shared: &[u8],
        locals: &[&[u8]],
        out: &mut Vec<u8>,
    ) -> Result<(), String> {
        self.written_by_abstraction(shared, out)?;
        let mut thread = ThreadStore::default();
        let mut places: Vec<Vec<u8>> = Vec::new();
        for local in locals {
            thread.decode(&self.code, local);
            let mut place = Vec::new();
            for frame in thread.frames() {
                place.extend(frame.function.to_le_bytes());
                place.extend(frame.pc.to_le_bytes());
                place.push(frame.phase);
            }
            places.push(place);
        }
        places.sort_unstable();
        for place in places {
            out.extend((place.len() as u32).to_le_bytes());
            out.extend(place);
        }
        Ok(())
    }
}

/// Pushes the bytes that a function wrote, with their places, each once.
fn push_written(machine: &Machine<'_>, out: &mut Vec<u8>) {
    let shared = machine.memory.shared();
    let mut bytes: Vec<(u32, u32)> = Vec::new();
    for access in machine.written() {
        bytes.extend((access.at..access.at + access.len).map(|at| (access.object, at)));
    }
    bytes.sort_unstable();
    bytes.dedup();
    for (number, at) in bytes {
        out.extend(number.to_le_bytes());
        out.extend(at.to_le_bytes());
        out.push(shared.object(number).map_or(0, |it| it.bytes()[at as usize]));
    }
    // Addresses and unset bytes: what the object notes about those.
    let mut objects: Vec<u32> = machine.written().map(|access| access.object).collect();
    objects.sort_unstable();
    objects.dedup();
    for object in objects.into_iter().filter_map(|number| shared.object(number)) {
        for mark in object.marks() {
            out.extend(format!("{mark:?}").bytes());
        }
    }
}
