//! Starts and ends of threads, and of the program.

use super::Machine;
use super::stop::{Result, Rule, Stop};
use crate::code::Op;
use crate::memory::{Ending, Memory, ThreadField, ThreadIdentity, ThreadStore};
use crate::value::Value;

impl Machine<'_> {
    /// Starts a thread.
    ///
    /// # Errors
    /// `function` is not one that can be started.
    pub fn spawn(&mut self, function: Value, argument: Value) -> Result<ThreadIdentity> {
        if self.options.over_approximates && !function.is_defined() {
            let why = "a thread is started at a function of which nothing is known";
            return Err(Stop::refused(why));
        }
        let number = function.as_function().ok_or_else(|| {
            Stop::error(Rule::MemorySafety, "a thread is started at what is no function")
        })?;
        let identity = self.memory.new_thread();
        let number = self.code.stand_in(number);
        let thread = ThreadStore::new(self.code, identity, number, &[]);
        let mut thread = thread.ok_or_else(|| {
            Stop::refused("a thread is started at a function that is not defined")
        })?;
        let n_wanted = self.code.functions[number as usize].body.as_ref();
        if self.options.refuses_unset && n_wanted.is_some_and(|body| body.parameters.len() > 1) {
            return Err(Stop::refused("a thread is started at a function of several arguments"));
        }
        let others = self.other_arguments(argument);
        let argument = match self.memory.hand_over(argument, &others, &mut thread) {
            Some(argument) => argument,
            None => self.memory.publish_as(argument, self.code.pointer_bytes * 8),
        };
        thread.set_argument(self.code, argument);
        self.memory.forget_arguments(&mut thread);
        if self.memory.has_anonymous_threads() {
            let (function, pc) = (self.memory.frame().function, self.memory.frame().pc);
            let mut loops = self.code.fork_joins.iter();
            let own = loops.position(|it| (it.function, it.creation) == (function, pc));
            own.into_iter().for_each(|number| thread.set_created_at(number as u32));
        }
        self.memory.note_thread_locals(&thread);
        self.spawned.push(thread);
        Ok(identity)
    }

    /// What the call at hand is given besides one argument.
    fn other_arguments(&self, argument: Value) -> Vec<Value> {
        let Op::Call(call) = &self.instr().op else { return Vec::new() };
        let mut arguments: Vec<Value> = call.arguments.iter().map(|&src| self.value(src)).collect();
        // Another one may lead to the same block, as that for the handle often does.
        if let Some(at) = arguments.iter().rposition(|other| *other == argument) {
            arguments.remove(at);
        }
        arguments
    }

    /// Ends the running thread, once its function has returned. False if there is
    /// more to run first.
    ///
    /// # Errors
    /// Ending breaks a rule.
    pub(super) fn end(&mut self) -> Result<bool> {
        match self.memory.ending() {
            Some(Ending::Program) => {
                if let Some(function) = self.memory.take_at_exit() {
                    self.goes_back = true;
                    self.enter(function, &[])?;
                    return Ok(false);
                }
                if self.options.tracks_leaks {
                    self.no_leak()?;
                }
                self.memory.end_program();
                Ok(true)
            }
            Some(Ending::Thread(result)) => {
                if self.run_destructor()? {
                    return Ok(false);
                }
                self.memory.forget_own();
                if self.memory.has_at_exit() && self.memory.has_anonymous_threads() {
                    let why = "functions run at the exit of the program, which the last of any \
                               number of threads may be";
                    return Err(Stop::refused(why));
                }
                if self.memory.has_at_exit() && self.is_last() {
                    // As if it had called `exit`.
                    self.memory.set_ending(Ending::Program);
                    return self.end();
                }
                self.memory.begin_operation();
                self.memory.end_thread_locals();
                let me = self.memory.me();
                self.memory.set_thread_field(me, ThreadField::Result, result);
                self.memory.set_thread_field(me, ThreadField::HasEnded, Value::number(1));
                self.memory.end_operation(0)?;
                if self.options.tracks_leaks && self.is_last() {
                    self.no_leak()?;
                }
                Ok(true)
            }
            None => Ok(true),
        }
    }

    /// Ends the program without what `atexit` keeps.
    ///
    /// # Errors
    /// Ending breaks a rule.
    pub fn exit_at_once(&mut self) -> Result<()> {
        self.memory.forget_at_exit();
        self.memory.set_ending(Ending::Program);
        self.exits = true;
        self.memory.abandon_frames();
        self.end().map(drop)
    }

    /// Have all other threads ended?
    fn is_last(&mut self) -> bool {
        let me = self.memory.me();
        let mut others = self.memory.all_threads();
        others.retain(|&thread| thread != me);
        let has_ended = |memory: &mut Memory<'_>, thread| {
            memory.thread_field(thread, ThreadField::HasEnded) != Value::ZERO
        };
        others.into_iter().all(|thread| has_ended(&mut self.memory, thread))
    }

    /// Ends all functions that run, with their local variables.
    pub fn end_frames(&mut self) {
        while self.memory.pop_frame().is_some() {}
    }

    /// Is all memory freed, or can it still be reached by somebody?
    fn no_leak(&mut self) -> Result<()> {
        self.memory.forget_deleted();
        let lost = match self.is_last() {
            true => crate::canonical::lost(self.code, self.memory.shared()),
            false => None,
        };
        let own = match self.exits {
            true => None,
            false => self.memory.encode_thread(&mut Vec::new()),
        };
        let Some(site) = self.memory.noted_leak().or(lost).or(own) else { return Ok(()) };
        let line = self.code.places.get(site as usize).map_or(0, |place| place.line);
        let message = format!("memory allocated at line {line} was not freed and is out of reach");
        Err(Stop::error(Rule::MemoryLeak, message))
    }

    /// Calls the destructor of a key that still has a value, if there is one. POSIX leaves it
    /// open in which order that is done.
    fn run_destructor(&mut self) -> Result<bool> {
        let due = self.memory.destructible();
        let Some(&key) = due.get(self.choose(due.len() as u32) as usize) else { return Ok(false) };
        let taken = self.memory.take_destructible(key);
        let Some((destructor, value)) = taken else { return Ok(false) };
        self.goes_back = true;
        self.enter(destructor, &[value])?;
        Ok(true)
    }
}
