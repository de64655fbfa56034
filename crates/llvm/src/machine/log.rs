//! What a step does, one thing after the other: for reports that follow a run in the
//! source. Nothing is written down unless somebody asks.

use super::Machine;
use super::run::Flow;
use super::stop::Result;
use crate::code::{Instr, Op};
use crate::value::Origin;

/// Functions whose results are inputs.
const INPUTS: &str = "__VERIFIER_nondet_";

/// What was written down.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// In the order in which it happened.
    pub entries: Vec<Logged>,
    /// The number of the last symbolic input. It stands where other objects have their
    /// site.
    pub last_symbol: u32,
    /// Inputs of which only something that was computed from them is left, by their numbers.
    pub forgotten: Vec<u32>,
}

/// Something that a step does, and the operation's place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Logged {
    /// What.
    pub act: Act,
    /// Where.
    pub place: u32,
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// It calls this function.
    Call(u32),
    /// This function returns.
    Return(u32),
    /// It touches what other threads can see.
    Access,
    /// It starts a thread that runs this function.
    Start(u32),
    /// This function gives an input of so many bits: a number, or one that was not
    /// looked at yet.
    Input {
        /// The function.
        function: u32,
        /// Bits of its result.
        width: u32,
        /// The result.
        value: InputValue,
    },
}

/// The value of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputValue {
    /// A number.
    Number(u64),
    /// Not known yet: the number that the input has in the log.
    Symbol(u32),
}

impl<'p> Machine<'p> {
    /// Executes an operation, and writes down what it does if somebody asks.
    pub(super) fn dispatch_logged(&mut self, instr: &'p Instr) -> Result<Flow> {
        if self.log.is_none() {
            return self.dispatch(instr);
        }
        let functions = |machine: &Self| -> Vec<u32> {
            machine.memory.frames().iter().map(|frame| frame.function).collect()
        };
        let (before, n_touched) = (functions(self), self.memory.footprint().len());
        let n_spawned = self.spawned.len();
        let input = self.input_function(instr);
        let flow = self.dispatch(instr);
        let after = functions(self);
        let mut acts = Vec::new();
        if self.memory.footprint().len() > n_touched || flow.is_err() {
            acts.push(Act::Access);
        }
        let started = self.spawned.iter().skip(n_spawned);
        let functions = started.filter_map(|thread| thread.frames().first());
        acts.extend(functions.map(|frame| Act::Start(frame.function)));
        if let (Some(function), Ok(Flow::Next)) = (input, &flow) {
            acts.extend(self.input_act(function, instr));
        }
        let left = before.iter().skip(after.len()).rev();
        acts.extend(left.map(|&function| Act::Return(function)));
        acts.extend(after.iter().skip(before.len()).map(|&function| Act::Call(function)));
        if let Some(log) = &mut self.log {
            log.entries.extend(acts.into_iter().map(|act| Logged { act, place: instr.place }));
        }
        flow
    }

    /// The function that an operation calls, if it gives an input.
    fn input_function(&self, instr: &Instr) -> Option<u32> {
        let Op::Call(call) = &instr.op else { return None };
        let Origin::Function(number) = self.value(call.callee).base.origin() else { return None };
        let function = &self.code.functions[number as usize];
        let gives_anything = function.builtin.is_none() || function.name.starts_with(INPUTS);
        (function.body.is_none() && gives_anything).then_some(number)
    }

    fn input_act(&self, function: u32, instr: &Instr) -> Option<Act> {
        let Op::Call(call) = &instr.op else { return None };
        let value = *self.memory.frames().last()?.registers.get(call.to as usize)?;
        let value = match value.base.origin() {
            Origin::Number => InputValue::Number(value.bits),
            origin => InputValue::Symbol(self.memory.object(origin)?.input_number()?),
        };
        Some(Act::Input { function, width: u32::from(call.result_width), value })
    }

    /// A number for a new input by which the log knows it; zero without a log, so that
    /// inputs do not differ by it.
    pub(super) fn new_input_number(&mut self) -> u32 {
        self.log.as_mut().map_or(0, |log| {
            log.last_symbol += 1;
            log.last_symbol
        })
    }
}
