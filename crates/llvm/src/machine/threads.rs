//! Threads as objects of the shared store: what a `pthread_t` names.
//!
//! A thread that waits for a condition variable, a barrier or the like is found by
//! what its object says it waits for, so waking it up needs no list of waiters.

use super::encode::encode_thread;
use super::object::{Kind, Object};
use super::state::{Ending, Frame, Thread};
use super::stop::{Result, Rule, Stop};
use super::touched::Touch;
use super::{Machine, variable_object};
use crate::value::{Origin, Value};

/// A field of a thread object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadField {
    /// 0 while it runs, 1 when it has ended.
    HasEnded,
    /// Will nobody join it?
    IsDetached,
    /// Did somebody join it?
    IsJoined,
    /// What it returned.
    Result,
    /// The address of what it waits for; null when it waits for nothing, or no more.
    WaitsFor,
}

const THREAD_BYTES: usize = 24;

/// A byte of the first thread's object that stands for all threads.
const EVERYBODY: u32 = 7;

impl ThreadField {
    /// Where it lies: the first byte, and how many.
    pub fn place(self) -> (u32, u32) {
        match self {
            ThreadField::HasEnded => (0, 1),
            ThreadField::IsDetached => (1, 1),
            ThreadField::IsJoined => (2, 1),
            ThreadField::Result => (8, 8),
            ThreadField::WaitsFor => (16, 8),
        }
    }
}

impl Machine<'_> {
    /// The number of the first thread's object.
    pub fn main_thread(&self) -> u32 {
        self.code.globals.len() as u32
    }

    /// Notes that the step is one that all threads notice: the program ends. Thread
    /// objects are in every future.
    pub fn touch_everybody(&mut self) {
        let (object, at) = (self.main_thread(), EVERYBODY);
        self.touched.add(Touch { object, at, len: 1, is_write: true, is_atomic: true });
    }

    /// An object for a thread that has just been made.
    pub fn new_thread_object() -> Object {
        Object::zeroed(Kind::Thread, THREAD_BYTES, 4, 0)
    }

    /// Reads a field of a thread object.
    pub fn thread_field(&mut self, thread: u32, field: ThreadField) -> Value {
        let (at, len) = field.place();
        self.touched.add(Touch { object: thread, at, len, is_write: false, is_atomic: true });
        let object = self.shared.object(thread);
        object.and_then(|object| object.read(at, len, len * 8).ok()).unwrap_or(Value::ZERO)
    }

    /// Writes a field of a thread object.
    pub fn set_thread_field(&mut self, thread: u32, field: ThreadField, value: Value) {
        let (at, len) = field.place();
        self.touched.add(Touch { object: thread, at, len, is_write: true, is_atomic: true });
        let value = self.publish(value);
        if let Some(object) = self.shared.objects[thread as usize].as_mut() {
            object.write(at, len, value);
        }
    }

    /// The number of the thread that a `pthread_t` names.
    ///
    /// # Errors
    /// It names none.
    pub fn thread_named(&mut self, name: Value) -> Result<u32> {
        let wrong =
            || Stop::error(Rule::ThreadMisuse, "a `pthread_t` is used that names no thread");
        if !name.is_defined() {
            let message = "a `pthread_t` is used that was never set";
            return Err(Stop::error(Rule::UninitialisedMemory, message));
        }
        match name.base.origin() {
            Origin::Shared(number) if name.bits == 0 => match self.shared.object(number) {
                Some(object) if object.kind == Kind::Thread => Ok(number),
                _ => Err(wrong()),
            },
            _ => Err(wrong()),
        }
    }

    /// The numbers of all threads whose objects exist.
    pub fn all_threads(&self) -> Vec<u32> {
        let numbered = self.shared.objects.iter().enumerate();
        let threads = numbered.filter(|(_, object)| {
            object.as_ref().is_some_and(|object| object.kind == Kind::Thread)
        });
        threads.map(|(number, _)| number as u32).collect()
    }

    /// The threads that wait for what lies at `address`.
    pub fn waiting_for(&mut self, address: Value) -> Vec<u32> {
        let threads = self.all_threads();
        threads
            .into_iter()
            .filter(|&thread| self.thread_field(thread, ThreadField::WaitsFor) == address)
            .collect()
    }

    /// Starts a thread; gives its `pthread_t`.
    ///
    /// # Errors
    /// `function` is not one that can be started.
    pub fn spawn(&mut self, function: Value, argument: Value) -> Result<Value> {
        let argument = self.publish(argument);
        let number = match function.base.origin() {
            Origin::Function(number) if function.bits == 0 => number,
            _ => {
                return Err(Stop::error(
                    Rule::MemorySafety,
                    "a thread is started at what is no function",
                ));
            }
        };
        let me = self.shared.add(Self::new_thread_object());
        let thread = new_thread(self.code, me, number, &[argument]).ok_or_else(|| {
            Stop::refused("a thread is started at a function that is not defined")
        })?;
        self.spawned.push(thread);
        Ok(Value::address(Origin::Shared(me), 0))
    }

    /// Ends the running thread, once its function has returned. False if there is
    /// more to run first.
    ///
    /// # Errors
    /// Ending breaks a rule.
    pub(super) fn end(&mut self) -> Result<bool> {
        match self.thread.ending {
            Some(Ending::Program) => {
                if let Some(function) = self.shared.at_exit.pop() {
                    self.goes_back = true;
                    self.enter(function, &[])?;
                    return Ok(false);
                }
                if self.options.tracks_leaks {
                    self.no_leak()?;
                }
                self.shared.is_over = true;
                Ok(true)
            }
            Some(Ending::Thread(result)) => {
                if self.run_destructor()? {
                    return Ok(false);
                }
                let (me, n_touched) = (self.thread.me, self.touched.as_slice().len());
                for variable in self.thread.thread_locals.clone() {
                    self.end_object(variable.base);
                }
                self.set_thread_field(me, ThreadField::Result, result);
                self.set_thread_field(me, ThreadField::HasEnded, Value::number(1));
                self.follow_order(n_touched, 0)?;
                Ok(true)
            }
            None => Ok(true),
        }
    }

    /// Is all memory freed, or can it still be reached by somebody?
    fn no_leak(&mut self) -> Result<()> {
        let mut others = self.all_threads();
        others.retain(|&thread| thread != self.thread.me);
        let is_alone = others
            .iter()
            .all(|&thread| self.thread_field(thread, ThreadField::HasEnded) != Value::ZERO);
        let lost = match is_alone {
            true => crate::canonical::lost(self.code, &self.shared),
            false => None,
        };
        let own = match self.exits {
            true => None,
            false => encode_thread(self.code, &mut self.thread, &mut Vec::new()),
        };
        let Some(site) = self.shared.leak.or(lost).or(own) else { return Ok(()) };
        let line = self.code.places.get(site as usize).map_or(0, |place| place.line);
        let message = format!("memory allocated at line {line} was not freed and is out of reach");
        Err(Stop::error(Rule::MemoryLeak, message))
    }

    /// Calls the destructor of a key that still has a value, if there is one.
    fn run_destructor(&mut self) -> Result<bool> {
        for key in 0..self.thread.specifics.len() {
            let value = self.thread.specifics[key];
            let destructor = self.shared.keys.get(key).copied().flatten();
            let Some(destructor) = destructor.filter(|&destructor| destructor != Value::ZERO)
            else {
                continue;
            };
            if value != Value::ZERO {
                self.thread.specifics[key] = Value::ZERO;
                self.goes_back = true;
                self.enter(destructor, &[value])?;
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A thread just before the first operation of a function; `None` if the function
/// is not defined.
pub fn new_thread(
    code: &crate::code::Code,
    me: u32,
    function: u32,
    arguments: &[Value],
) -> Option<Thread> {
    let body = code.functions.get(function as usize)?.body.as_ref()?;
    let mut frame = Frame { function, ..Frame::default() };
    frame.registers.resize(body.n_registers as usize, Value::ZERO);
    for (idx, &reg) in body.parameters.iter().enumerate() {
        let missing = || Value::undefined(u32::from(body.widths[reg as usize]));
        frame.registers[reg as usize] = arguments.get(idx).copied().unwrap_or_else(missing);
    }
    let mut thread = Thread { me, frames: vec![frame], ..Thread::default() };
    for (idx, variable) in code.thread_locals.iter().enumerate() {
        let number = thread.add(variable_object(variable, idx as u32));
        thread.thread_locals.push(Value::address(Origin::Private(number), 0));
    }
    Some(thread)
}
