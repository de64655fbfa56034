//! The two stores as the machine works on them: what threads share, and what one
//! thread has to itself.

use super::before::Event;
use super::object::Object;
use crate::value::{Base, Value};

/// What all threads see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// Objects by number; variables come first. `None` where a number is free.
    pub objects: Vec<Option<Object>>,
    /// Has the program ended?
    pub is_over: bool,
    /// Destructors of `pthread_key_t`s by number; `None` for deleted ones.
    pub keys: Vec<Option<Value>>,
    /// Functions registered with `atexit`.
    pub at_exit: Vec<Value>,
    /// Where memory was allocated that nobody can reach and nobody has freed.
    pub leak: Option<u32>,
    /// Accesses that somebody may still race with, if that is followed.
    pub events: Vec<Event>,
}

/// What one thread has to itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// Number of its thread object in the shared store.
    pub me: u32,
    /// Its frames, the running one last.
    pub frames: Vec<Frame>,
    /// Objects that no other thread can reach, by number.
    pub objects: Vec<Option<Object>>,
    /// Addresses of its own copies of thread-local variables.
    pub thread_locals: Vec<Value>,
    /// Values of `pthread_key_t`s by number.
    pub specifics: Vec<Value>,
    /// What the thread returns, once its function has ended.
    pub ending: Option<Ending>,
    /// Stores that memory has not got yet, the oldest first.
    pub delayed: Vec<Delayed>,
}

/// A store that memory has not got yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delayed {
    /// Where it goes.
    pub place: Value,
    /// How many bytes.
    pub len: u32,
    /// What.
    pub value: Value,
    /// The function and the operation that made it.
    pub by: (u32, u32),
}

/// A thread whose function has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The thread ends with this result.
    Thread(Value),
    /// The program ends.
    Program,
}

/// A function that runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Its number.
    pub function: u32,
    /// The operation that comes next, or that called the frame above.
    pub pc: u32,
    /// How far that operation has come, if it takes several steps; 0 before it starts.
    pub phase: u8,
    /// Its registers.
    pub registers: Vec<Value>,
    /// Objects that end with it.
    pub allocas: Vec<Base>,
}

impl Shared {
    /// The object with this number.
    pub fn object(&self, number: u32) -> Option<&Object> {
        self.objects.get(number as usize)?.as_ref()
    }

    /// Puts an object at the lowest free number, and tells it.
    pub fn add(&mut self, object: Object) -> u32 {
        add(&mut self.objects, object)
    }
}

impl Thread {
    /// The private object with this number.
    pub fn object(&self, number: u32) -> Option<&Object> {
        self.objects.get(number as usize)?.as_ref()
    }

    /// Puts an object at the lowest free number, and tells it.
    pub fn add(&mut self, object: Object) -> u32 {
        add(&mut self.objects, object)
    }

    /// All bases that the thread holds: in frames and tables first, then in its objects.
    pub fn bases_mut(&mut self) -> impl Iterator<Item = &mut Base> {
        let Thread { frames, thread_locals, specifics, ending, delayed, objects, .. } = self;
        let registers = frames.iter_mut().flat_map(|frame| {
            frame.registers.iter_mut().map(|value| &mut value.base).chain(&mut frame.allocas)
        });
        let ending = match ending {
            Some(Ending::Thread(value)) => Some(&mut value.base),
            _ => None,
        };
        registers
            .chain(thread_locals.iter_mut().map(|value| &mut value.base))
            .chain(specifics.iter_mut().map(|value| &mut value.base))
            .chain(ending)
            .chain(
                delayed.iter_mut().flat_map(|store| [&mut store.place.base, &mut store.value.base]),
            )
            .chain(objects.iter_mut().flatten().flat_map(Object::bases_mut))
    }

    /// The bases in frames and tables, in order.
    pub fn roots(&self) -> impl Iterator<Item = Base> + '_ {
        let registers = self.frames.iter().flat_map(|frame| {
            let registers = frame.registers.iter().map(|value| value.base);
            registers.chain(frame.allocas.iter().copied())
        });
        let ending = match self.ending {
            Some(Ending::Thread(value)) => Some(value.base),
            _ => None,
        };
        registers
            .chain(self.thread_locals.iter().map(|value| value.base))
            .chain(self.specifics.iter().map(|value| value.base))
            .chain(ending)
            .chain(self.delayed.iter().flat_map(|store| [store.place.base, store.value.base]))
    }
}

fn add(objects: &mut Vec<Option<Object>>, object: Object) -> u32 {
    let free = objects.iter().position(Option::is_none);
    let idx = free.unwrap_or_else(|| {
        objects.push(None);
        objects.len() - 1
    });
    objects[idx] = Some(object);
    idx as u32
}
