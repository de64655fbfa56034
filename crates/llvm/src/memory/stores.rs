//! The two stores of a step: what threads share, and what one thread has to itself.

use super::addresses::Facts;
use super::happens_before::Event;
use super::identity::ThreadIdentity;
use super::object::Object;
use super::objects::Objects;
use super::store_buffer::BufferedStore;
use crate::code::Code;
use crate::value::{Base, Origin, Value};

/// What all threads see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedStore {
    /// Variables come first, then the first thread's object.
    pub(super) objects: Objects,
    pub(super) is_over: bool,
    /// Destructors of `pthread_key_t`s by number; `None` for deleted ones.
    pub(super) keys: Vec<Option<Value>>,
    /// Functions registered with `atexit`.
    pub(super) at_exit: Vec<Value>,
    /// Functions registered with `at_quick_exit`.
    pub(super) at_quick_exit: Vec<Value>,
    /// Where memory was allocated that nobody can reach and nobody has freed.
    pub(super) leak: Option<u32>,
    /// Accesses that somebody may still race with, where happens-before is kept.
    pub(super) events: Vec<Event>,
    /// What is known of where shared objects lie.
    pub(super) addresses: Facts,
}

/// What one thread has to itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadStore {
    pub(super) identity: ThreadIdentity,
    /// Its frames, the running one last.
    pub(super) frames: Vec<Frame>,
    /// Objects that no other thread can reach.
    pub(super) objects: Objects,
    /// Addresses of its own copies of thread-local variables.
    pub(super) thread_locals: Vec<Value>,
    /// Values of `pthread_key_t`s by number.
    pub(super) specifics: Vec<Value>,
    /// The keys whose values it has destroyed in this round, at its end.
    pub(super) destroyed: Vec<Value>,
    /// The buffers of `pthread_cleanup_push`, the last one last.
    pub(super) cleanups: Vec<Value>,
    /// The read-write locks that it reads under, once for each time.
    pub(super) read_locks: Vec<Value>,
    /// The locks that it holds, where they do not say who does.
    pub(super) held: Vec<Value>,
    /// The loops that create and join threads like it at once, a number in `Code::fork_joins`.
    pub(super) created_at: Option<u32>,
    /// The `pthread_t` of a thread that it has started and not told anybody of yet.
    pub(super) untold: Option<Value>,
    /// What the thread comes to, once its function has ended.
    pub(super) ending: Option<Ending>,
    /// Its store buffer, the oldest store first.
    pub(super) buffered: Vec<BufferedStore>,
    /// What is known of where its objects lie, and objects that it knows others by.
    pub(super) addresses: Facts,
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
    pub(super) allocas: Vec<Base>,
}

impl Frame {
    /// A function that is about to run.
    pub fn new(function: u32, registers: Vec<Value>) -> Frame {
        Frame { function, registers, ..Frame::default() }
    }

    /// Does memory end with it that other threads may know?
    pub fn has_shared_variables(&self) -> bool {
        self.allocas.iter().any(|base| matches!(base.origin(), Origin::Shared(_)))
    }
}

impl SharedStore {
    /// The store of a program that has not started: its variables, the first thread's
    /// object, and what is to run at its end, the last first.
    pub fn initial(code: &Code) -> SharedStore {
        let mut shared = SharedStore::default();
        for (idx, variable) in (0u32..).zip(&code.globals) {
            shared.objects.add(Object::of_variable(variable, idx));
        }
        shared.new_thread_object();
        let last = code.destructors.iter().rev();
        shared.at_exit = last.map(|&it| Value::address(Origin::Function(it), 0)).collect();
        shared
    }

    /// The objects.
    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// The object with this number.
    pub fn object(&self, number: u32) -> Option<&Object> {
        self.objects.get(number)
    }

    /// Has the program ended?
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Functions that the library calls some time: destructors of keys, `atexit`.
    pub fn hooks(&self) -> impl Iterator<Item = Base> + '_ {
        let at_exits = self.at_exit.iter().chain(&self.at_quick_exit);
        self.keys.iter().flatten().chain(at_exits).map(|value| value.base)
    }

    /// Adds an object that everybody knows, and gives its address.
    pub fn add(&mut self, object: Object) -> Value {
        Value::address(Origin::Shared(self.objects.add(object)), 0)
    }

    /// Notes where memory was allocated that is lost, unless that is known of other memory.
    pub(super) fn note_leak(&mut self, site: u32) {
        self.leak.get_or_insert(site);
    }

    /// Gives shared objects new numbers, by their old ones; those without are dropped.
    pub fn renumber(&mut self, numbers: &[Option<u32>]) {
        self.objects.renumber(numbers);
        let rename = |base: &mut Base| *base = renumbered(*base, numbers);
        self.objects.iter_mut().flat_map(Object::bases_mut).for_each(rename);
        self.keys.iter_mut().flatten().for_each(|value| rename(&mut value.base));
        let at_exits = self.at_exit.iter_mut().chain(&mut self.at_quick_exit);
        at_exits.for_each(|value| rename(&mut value.base));
        super::happens_before::renumber(&mut self.events, numbers);
        self.addresses.rename(|base| weakly_renumbered(base, numbers));
    }

    /// Forgets the numbers by which a log of a run tells inputs apart.
    pub fn forget_input_numbers(&mut self) {
        self.objects.iter_mut().for_each(Object::forget_input_number);
    }
}

/// What is relative to a shared object that has got a new number.
fn renumbered(base: Base, numbers: &[Option<u32>]) -> Base {
    match base.origin() {
        Origin::Shared(number) => match numbers.get(number as usize) {
            Some(Some(new)) => Base::new(Origin::Shared(*new)),
            _ => base,
        },
        _ => base,
    }
}

/// The same for who drops what it says of objects that are gone.
fn weakly_renumbered(base: Base, numbers: &[Option<u32>]) -> Option<Base> {
    let is_gone = matches!(base.origin(), Origin::Shared(number)
        if numbers.get(number as usize).copied().flatten().is_none());
    (!is_gone).then(|| renumbered(base, numbers))
}

impl ThreadStore {
    /// Who it is.
    pub fn identity(&self) -> ThreadIdentity {
        self.identity
    }

    /// Its frames, the running one last.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Objects that no other thread can reach.
    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// What it comes to, once its function has ended.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The locks in shared memory that it holds, where they do not say who does: object and
    /// offset in one number.
    pub fn shared_locks_held(&self) -> impl Iterator<Item = u64> + '_ {
        self.held.iter().filter_map(|lock| match lock.base.origin() {
            Origin::Shared(number) => Some(u64::from(number) << 32 | lock.bits & 0xffff_ffff),
            _ => None,
        })
    }

    /// The loops that create and join threads like it at once, a number in `Code::fork_joins`.
    pub fn created_at(&self) -> Option<u32> {
        self.created_at
    }

    /// Says which loops create and join threads like it.
    pub fn set_created_at(&mut self, loops: u32) {
        self.created_at = Some(loops);
    }

    /// The same thread once it has ended.
    pub fn ended(&self) -> ThreadStore {
        ThreadStore { identity: self.identity, ..ThreadStore::default() }
    }

    /// The same thread with its operation come so far.
    pub fn with_phase(&self, phase: u8) -> ThreadStore {
        let mut thread = self.clone();
        if let Some(frame) = thread.frames.last_mut() {
            frame.phase = phase;
        }
        thread
    }

    /// How many stores memory has not got yet.
    pub fn n_buffered(&self) -> usize {
        self.buffered.len()
    }

    /// Gives the shared objects that it names new numbers, by their old ones.
    pub fn renumber_shared(&mut self, numbers: &[Option<u32>]) {
        self.bases_mut().for_each(|base| *base = renumbered(*base, numbers));
        self.identity.renumber(numbers);
        self.addresses.rename(|base| weakly_renumbered(base, numbers));
    }

    /// Takes away which thread it is, and which dynamic shared objects it names: all are
    /// the one with the number `first` then.
    pub fn make_nameless(&mut self, first: u32) {
        self.identity = ThreadIdentity::default();
        let nameless = |base: Base| match base.origin() {
            Origin::Shared(number) if number >= first => Base::new(Origin::Shared(first)),
            _ => base,
        };
        self.bases_mut().for_each(|base| *base = nameless(*base));
        self.addresses.rename(|base| Some(nameless(base)));
    }

    /// Forgets the numbers by which a log of a run tells inputs apart.
    pub fn forget_input_numbers(&mut self) {
        self.objects.iter_mut().for_each(Object::forget_input_number);
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
            .chain(self.cleanups.iter().chain(&self.read_locks).map(|value| value.base))
            .chain(self.held.iter().map(|value| value.base))
            .chain(self.untold.map(|value| value.base))
            .chain(ending)
            .chain(self.buffered.iter().flat_map(BufferedStore::bases))
    }

    /// All bases that the thread holds: in frames and tables first, then in its objects.
    pub fn bases(&self) -> impl Iterator<Item = Base> + '_ {
        self.roots().chain(self.objects.iter().flat_map(|(_, object)| object.bases()))
    }

    /// All bases that the thread holds, in the same order.
    pub(super) fn bases_mut(&mut self) -> impl Iterator<Item = &mut Base> {
        let ThreadStore { frames, thread_locals, specifics, ending, buffered, objects, .. } = self;
        let locks = self.read_locks.iter_mut().chain(&mut self.held);
        let registered = self.cleanups.iter_mut().chain(locks);
        let untold = self.untold.as_mut();
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
            .chain(registered.map(|value| &mut value.base))
            .chain(untold.map(|value| &mut value.base))
            .chain(ending)
            .chain(buffered.iter_mut().flat_map(BufferedStore::bases_mut))
            .chain(objects.iter_mut().flat_map(Object::bases_mut))
    }
}
