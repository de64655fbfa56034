//! Calls: of functions of the program, of the library, and of those that nobody defines;
//! and the way back.

use super::Machine;
use super::arguments::{cut, fitted};
use super::run::Flow;
use super::stop::{Result, Rule, Stop};
use crate::code::{Call, Op, Src};
use crate::library::{self, Effect};
use crate::memory::{Ending, Frame, Object, ThreadIdentity};
use crate::value::Value;

impl<'p> Machine<'p> {
    pub(super) fn call(&mut self, call: &'p Call) -> Result<Flow> {
        let callee = self.value(call.callee);
        let Some(number) = callee.as_function() else { return Err(self.calls_no_function(callee)) };
        let function = &self.code.functions[number as usize];
        if let Some(body) = &function.body {
            let values = call.arguments.iter().map(|&src| self.value(src)).collect();
            let values = fitted(call, body, values)?;
            let rest = body.rest.map(|_| self.rest(call, body, &values)).transpose()?;
            self.enter(callee, &values)?;
            if let (Some(reg), Some(object)) = (body.rest, rest) {
                let address = self.memory.allocate_in_frame(object)?;
                self.set(reg, address);
            }
            return Ok(Flow::Jumped);
        }
        let Some(builtin) = function.builtin else {
            if super::unwind::raises(&function.name) {
                let why = format!(
                    "the function `{}` raises an exception, and is not defined",
                    function.name
                );
                return Err(Stop::refused(why));
            }
            return self.call_extern(call, number);
        };
        match library::run(self, builtin, u32::from(call.result_width))? {
            Effect::Done(value) => {
                self.frame().phase = 0;
                if call.n_results > 0 {
                    self.set(call.to, value);
                }
                Ok(Flow::Next)
            }
            Effect::Both(first, second) => {
                self.frame().phase = 0;
                self.set(call.to, first);
                if call.n_results > 1 {
                    self.set(call.to + 1, second);
                }
                Ok(Flow::Next)
            }
            Effect::Again => Ok(Flow::Pause),
            Effect::Entered => Ok(Flow::Jumped),
        }
    }

    /// Calls a function that nobody defines, if its results may be anything.
    fn call_extern(&mut self, call: &Call, number: u32) -> Result<Flow> {
        let name = &self.code.functions[number as usize].name;
        if !self.options.externs_return_anything {
            let why = format!(
                "the function `{name}` is not defined and not known: a C file given with --model \
                 can define it, and --extern any lets it return anything"
            );
            return Err(Stop::refused(why));
        }
        self.guessed.push(number);
        for to in call.to..call.to + call.n_results {
            let width = self.body(self.memory.frame().function).widths[to as usize];
            let value = self.new_symbol(u32::from(width));
            self.set(to, value);
        }
        Ok(Flow::Next)
    }

    /// Starts a function in a new frame.
    ///
    /// # Errors
    /// `callee` is no function, or too many run already.
    pub fn enter(&mut self, callee: Value, arguments: &[Value]) -> Result<()> {
        let Some(number) = callee.as_function() else { return Err(self.calls_no_function(callee)) };
        let number = self.code.stand_in(number);
        let n = self.memory.frames().len();
        if n >= self.options.max_frames {
            return Err(Stop::refused(format!("{n} calls are nested")));
        }
        let Some(body) = self.code.functions[number as usize].body.as_ref() else {
            let name = &self.code.functions[number as usize].name;
            return Err(Stop::refused(format!("`{name}` is called by a library function")));
        };
        if arguments.len() < body.parameters.len() {
            let name = &self.code.functions[number as usize].name;
            let message = format!("`{name}` is called with too few arguments");
            return Err(Stop::error(Rule::InvalidCall, message));
        }
        let mut registers = vec![Value::ZERO; body.n_registers as usize];
        for (&reg, &argument) in body.parameters.iter().zip(arguments) {
            registers[reg as usize] = argument;
        }
        if body.is_atomic {
            self.memory.enter_section();
        }
        self.memory.push_frame(Frame::new(number, registers));
        Ok(())
    }

    /// Why a value cannot be called.
    fn calls_no_function(&self, callee: Value) -> Stop {
        if self.options.over_approximates && !callee.is_defined() {
            let why = "a function is called through a pointer of which nothing is known";
            return Stop::refused(why);
        }
        let is_input = self.memory.object(callee.base.origin()).is_some_and(Object::is_input);
        if is_input {
            return Stop::refused("a function is called through a pointer that is an input");
        }
        let message = "a function is called through a pointer that names none";
        Stop::error(Rule::MemorySafety, message)
    }

    /// Ends the running function.
    pub(super) fn leave(&mut self, values: &[Src]) -> Result<Flow> {
        let values: Vec<Value> = values.iter().map(|&src| self.value(src)).collect();
        let frame = self.memory.pop_frame().expect("a function runs");
        if self.body(frame.function).is_atomic {
            self.memory.leave_section();
        }
        let Some(caller) = self.memory.frames().last() else {
            if self.memory.ending().is_none() {
                let result = values.first().copied().unwrap_or(Value::ZERO);
                let is_main = self.memory.me() == ThreadIdentity::first(self.code);
                let ending = if is_main { Ending::Program } else { Ending::Thread(result) };
                self.memory.set_ending(ending);
            }
            return Ok(Flow::Jumped);
        };
        let Op::Call(call) = &self.body(caller.function).ops[caller.pc as usize].op else {
            unreachable!("a frame below another one is at a call");
        };
        let called = self.value(call.callee).as_function();
        let by_library =
            called.is_some_and(|number| self.code.functions[number as usize].body.is_none());
        if by_library {
            // The library function goes on with its next phase.
            return Ok(Flow::Jumped);
        }
        let widths = &self.body(caller.function).widths;
        for to in call.to..call.to + call.n_results {
            let width = u32::from(widths[to as usize]);
            let value = values.get((to - call.to) as usize).copied();
            let value = match value {
                Some(value) => cut(value, width)?,
                None if self.options.refuses_unset => {
                    return Err(Stop::refused("a function has no result, and one may be used"));
                }
                None => Value::undefined(width),
            };
            let value = self.set_somehow(value, width);
            self.set(to, value);
        }
        Ok(Flow::Next)
    }
}
