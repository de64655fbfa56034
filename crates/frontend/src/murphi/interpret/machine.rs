//! What an execution works on: the state, the memory of calls, and the bounds.

use std::collections::BTreeSet;

use model::{Fault, Limits};

use super::super::faults::Scope;
use super::super::layout::Layouts;
use super::super::typed::{CoverId, Function, Local, LocalId, LocalKind, Program, TypeId};
use super::codes::Codes;
use super::{Exit, bits};

/// Loop turns, calls and rule instances between two looks at the limits.
const TICKS_BETWEEN_CHECKS: u32 = 4096;

/// Nested evaluations that surely fit the stack of any thread. A nested evaluation
/// takes below 2 KiB of stack without optimisation, threads have 2 MiB by default.
pub(super) const DEPTH_ANYWHERE: u32 = 400;

/// Memory of calls, in words, beyond which the limits are asked before it grows.
const MODEST_MEMORY: usize = 1 << 17;

/// One execution at a time, over and over.
pub(super) struct Machine<'a> {
    /// The model.
    pub(super) program: &'a Program,
    /// Where everything lies.
    pub(super) layouts: &'a Layouts,
    /// The codes of values.
    pub(super) codes: Codes,
    /// How often `while` may turn.
    pub(super) max_loop_turns: u64,
    /// How deeply evaluations may nest on this stack.
    pub(super) max_depth: u32,
    /// The state that is read and written.
    pub(super) state: Vec<u64>,
    /// The variables of all calls, one after the other.
    pub(super) memory: Vec<u64>,
    /// What the names of all calls stand for, one call after the other.
    pub(super) bindings: Vec<Binding>,
    /// The call at hand.
    pub(super) frame: Frame<'a>,
    /// The `cover` statements that were reached.
    pub(super) covered: BTreeSet<CoverId>,
    limits: Limits,
    ticks: u32,
    depth: u32,
}

/// What a local name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Binding {
    /// Nothing yet.
    Unbound,
    /// A value.
    Value(i64),
    /// A place.
    Place(Location),
}

/// Where a place lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Location {
    /// In the state, or else in the memory of calls?
    pub(super) in_state: bool,
    /// First bit.
    pub(super) bit: usize,
}

/// A call, or the rule or predicate that is evaluated.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    /// The function; `None` in rules and predicates.
    pub(super) function: Option<&'a Function>,
    /// The names.
    pub(super) locals: &'a [Local],
    /// Where in `bindings` they are.
    pub(super) first_binding: usize,
    /// Where in `memory` its variables end, in bits.
    memory_end: usize,
    /// How many calls this one is within.
    pub(super) n_calls: u32,
}

/// A moment of an execution.
#[derive(Clone, Copy)]
pub(super) struct Checkpoint<'a> {
    frame: Frame<'a>,
    n_bindings: usize,
    depth: u32,
}

impl<'a> Machine<'a> {
    pub(super) fn new(program: &'a Program, layouts: &'a Layouts, limits: &Limits) -> Self {
        let n_words = (layouts.state_bits as usize).div_ceil(64);
        Machine {
            program,
            layouts,
            codes: Codes::new(&program.types),
            max_loop_turns: 0,
            max_depth: DEPTH_ANYWHERE,
            state: vec![0; n_words],
            memory: Vec::new(),
            bindings: Vec::new(),
            frame: Frame::outermost(),
            covered: BTreeSet::new(),
            limits: limits.clone(),
            ticks: 0,
            depth: 0,
        }
    }

    /// Starts anew with the names of a rule or predicate, none of them bound, its
    /// variables undefined.
    pub(super) fn enter_outermost(&mut self, locals: &'a [Local]) -> Result<(), Exit> {
        self.bindings.clear();
        self.depth = 0;
        self.frame = Frame::outermost();
        self.enter_frame(None, locals, 0)?;
        Ok(())
    }

    /// Makes a frame for `locals`, whose parameters are already the bindings from
    /// `first_binding` on. Returns the frame to go back to.
    pub(super) fn enter_frame(
        &mut self,
        function: Option<&'a Function>,
        locals: &'a [Local],
        first_binding: usize,
    ) -> Result<Frame<'a>, Exit> {
        let mut end = self.frame.memory_end;
        let n_parameters = self.bindings.len() - first_binding;
        for local in &locals[n_parameters.min(locals.len())..] {
            let binding = if local.kind == LocalKind::Variable {
                let start = end;
                end += self.layouts.bits(local.ty) as usize;
                Binding::Place(Location { in_state: false, bit: start })
            } else {
                Binding::Unbound
            };
            self.bindings.push(binding);
        }
        self.zero_memory(self.frame.memory_end, end)?;
        let n_calls = self.frame.n_calls + u32::from(function.is_some());
        let new = Frame { function, locals, first_binding, memory_end: end, n_calls };
        Ok(std::mem::replace(&mut self.frame, new))
    }

    /// Goes back to the frame of the caller.
    pub(super) fn leave_frame(&mut self, caller: Frame<'a>) {
        self.bindings.truncate(self.frame.first_binding);
        self.frame = caller;
    }

    /// Where the execution stands, to come back to after an exit.
    pub(super) fn checkpoint(&self) -> Checkpoint<'a> {
        Checkpoint { frame: self.frame, n_bindings: self.bindings.len(), depth: self.depth }
    }

    /// Goes back to where the execution stood.
    pub(super) fn rewind(&mut self, checkpoint: Checkpoint<'a>) {
        self.bindings.truncate(checkpoint.n_bindings);
        self.frame = checkpoint.frame;
        self.depth = checkpoint.depth;
    }

    /// Makes the variables of the rule at hand undefined again.
    pub(super) fn undefine_variables(&mut self) -> Result<(), Exit> {
        self.zero_memory(0, self.frame.memory_end)
    }

    fn zero_memory(&mut self, start: usize, end: usize) -> Result<(), Exit> {
        let n_words = end.div_ceil(64) + 1;
        if n_words > self.memory.len() {
            if n_words > MODEST_MEMORY {
                self.limits.check().map_err(Exit::Stopped)?;
            }
            self.memory.resize(n_words.next_power_of_two(), 0);
        }
        let n_bits = u32::try_from(end - start).map_err(|_| super::super::faults::recursion())?;
        bits::clear(&mut self.memory, start, n_bits);
        Ok(())
    }

    /// What a local name stands for.
    pub(super) fn binding(&self, id: LocalId) -> Binding {
        self.bindings[self.frame.first_binding + id.0 as usize]
    }

    /// Binds a local name.
    pub(super) fn bind(&mut self, id: LocalId, binding: Binding) {
        self.bindings[self.frame.first_binding + id.0 as usize] = binding;
    }

    /// One more turn, call or instance.
    pub(super) fn tick(&mut self) -> Result<(), Exit> {
        self.ticks += 1;
        if self.ticks >= TICKS_BETWEEN_CHECKS {
            self.ticks = 0;
            self.limits.check().map_err(Exit::Stopped)?;
        }
        Ok(())
    }

    /// Goes one level down in the model's text. Levels are left with `ascend`, but
    /// not after an exit.
    pub(super) fn descend(&mut self) -> Result<(), Exit> {
        self.depth += 1;
        if self.depth > self.max_depth { Err(Exit::NeedsStack) } else { Ok(()) }
    }

    /// Comes back up.
    pub(super) fn ascend(&mut self) {
        self.depth -= 1;
    }

    /// The names that faults may use.
    pub(super) fn scope(&self) -> Scope<'a> {
        Scope { program: self.program, locals: self.frame.locals }
    }

    /// The words that a location lies in.
    pub(super) fn words(&self, location: Location) -> &[u64] {
        if location.in_state { &self.state } else { &self.memory }
    }

    /// The words that a location lies in, to be written.
    pub(super) fn words_mut(&mut self, location: Location) -> &mut [u64] {
        if location.in_state { &mut self.state } else { &mut self.memory }
    }

    /// The code of the simple value at a location.
    pub(super) fn code(&self, location: Location, ty: TypeId) -> u64 {
        bits::read(self.words(location), location.bit, self.layouts.bits(ty))
    }

    /// Writes the code of a simple value.
    pub(super) fn set_code(&mut self, location: Location, ty: TypeId, code: u64) {
        let n_bits = self.layouts.bits(ty);
        bits::write(self.words_mut(location), location.bit, n_bits, code);
    }

    /// Copies a whole value. The two places are equal or do not overlap.
    pub(super) fn copy(&mut self, to: Location, from: Location, n_bits: u32) {
        for (offset, width) in bits::chunks(n_bits) {
            let chunk = bits::read(self.words(from), from.bit + offset, width);
            bits::write(self.words_mut(to), to.bit + offset, width, chunk);
        }
    }

    /// Do two places of this many bits have the same contents?
    pub(super) fn same(&self, left: Location, right: Location, n_bits: u32) -> bool {
        bits::chunks(n_bits).all(|(offset, width)| {
            bits::read(self.words(left), left.bit + offset, width)
                == bits::read(self.words(right), right.bit + offset, width)
        })
    }
}

impl Frame<'_> {
    fn outermost() -> Self {
        Frame { function: None, locals: &[], first_binding: 0, memory_end: 0, n_calls: 0 }
    }
}

impl Location {
    /// The place `n_bits` further on.
    pub(super) fn plus(self, n_bits: usize) -> Location {
        Location { bit: self.bit + n_bits, ..self }
    }
}

/// Ends an evaluation with a fault.
pub(super) fn fail<T>(fault: Fault) -> Result<T, Exit> {
    Err(fault.into())
}
