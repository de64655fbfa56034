//! Threads as objects of the shared store: what a `pthread_t` names.
//!
//! A thread that waits for a condition variable, a barrier or the like is found by
//! what its object says it waits for, so waking it up needs no list of waiters.

use super::Memory;
use super::access::{AccessMode, Location};
use super::history::Deed;
use super::identity::ThreadIdentity;
use super::object::{Kind, Object};
use super::stores::{Frame, SharedStore, ThreadStore};
use crate::code::Code;
use crate::machine::{Result, Rule, Stop};
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
    /// Could it be cancelled? Only the thread itself sees it.
    CancelState,
    /// When could it be cancelled? Only the thread itself sees it.
    CancelType,
    /// What it returned.
    Result,
    /// The address of what it waits for; null when it waits for nothing, or no more.
    WaitsFor,
    /// The address of the mutex that it gave up to wait for a condition variable.
    WaitsWith,
}

const THREAD_BYTES: usize = 32;

impl ThreadField {
    /// Where it lies: the first byte, and how many.
    fn position(self) -> (u32, u32) {
        match self {
            ThreadField::HasEnded => (0, 1),
            ThreadField::IsDetached => (1, 1),
            ThreadField::IsJoined => (2, 1),
            ThreadField::CancelState => (3, 1),
            ThreadField::CancelType => (4, 1),
            ThreadField::Result => (8, 8),
            ThreadField::WaitsFor => (16, 8),
            ThreadField::WaitsWith => (24, 8),
        }
    }
}

impl SharedStore {
    /// The threads whose objects exist, in the order of their numbers.
    pub fn threads(&self) -> impl Iterator<Item = ThreadIdentity> + '_ {
        let threads = self.objects.iter().filter(|(_, object)| object.kind == Kind::Thread);
        threads.map(|(number, _)| ThreadIdentity::of_object(number))
    }

    /// Has a thread ended?
    pub fn has_ended(&self, thread: ThreadIdentity) -> bool {
        self.field(thread, ThreadField::HasEnded) != Value::ZERO
    }

    /// Has a thread ended that nobody may name any more?
    pub(super) fn is_gone(&self, thread: ThreadIdentity) -> bool {
        let is = |field| self.field(thread, field) != Value::ZERO;
        is(ThreadField::HasEnded) && (is(ThreadField::IsJoined) || is(ThreadField::IsDetached))
    }

    /// Can a thread be joined, once it has ended?
    pub fn is_joinable(&self, thread: ThreadIdentity) -> bool {
        let is_free = |field| self.field(thread, field) == Value::ZERO;
        is_free(ThreadField::IsDetached) && is_free(ThreadField::IsJoined)
    }

    /// Was a thread joined?
    pub fn was_joined(&self, thread: ThreadIdentity) -> bool {
        self.field(thread, ThreadField::IsJoined) != Value::ZERO
    }

    /// A store of nothing but threads, with the numbers from `first` up to `n_numbers`: all
    /// but `running` have ended with `result`. What else there is has no bytes.
    pub fn of_ended_threads(
        first: ThreadIdentity,
        n_numbers: u32,
        (running, result): (Option<ThreadIdentity>, Value),
    ) -> SharedStore {
        let mut shared = SharedStore::default();
        for _ in 0..first.number() {
            shared.objects.add(Object::zeroed(Kind::Variable, 0, 0, 0));
        }
        for number in first.number()..n_numbers {
            let thread = shared.new_thread_object();
            let has_ended = thread != first && running != Some(thread);
            let (end, len) = ThreadField::HasEnded.position();
            let (at, result_len) = ThreadField::Result.position();
            if let Some(object) = shared.objects.get_mut(number).filter(|_| has_ended) {
                object.write(end, len, Value::number(1));
                object.write(at, result_len, result);
            }
        }
        shared
    }

    fn field(&self, thread: ThreadIdentity, field: ThreadField) -> Value {
        let (at, len) = field.position();
        let object = self.objects.get(thread.number());
        object.and_then(|object| object.read(at, len, len * 8).ok()).unwrap_or(Value::ZERO)
    }

    /// Adds the object of a thread that has just been made.
    pub(super) fn new_thread_object(&mut self) -> ThreadIdentity {
        let object = Object::zeroed(Kind::Thread, THREAD_BYTES, 4, 0);
        ThreadIdentity::of_object(self.objects.add(object))
    }
}

impl ThreadStore {
    /// Gives a thread that is about to start its argument.
    pub fn set_argument(&mut self, code: &Code, argument: Value) {
        let Some(frame) = self.frames.last_mut() else { return };
        let body = code.functions.get(frame.function as usize).and_then(|it| it.body.as_ref());
        if let Some(&reg) = body.and_then(|body| body.parameters.first()) {
            frame.registers[reg as usize] = argument;
        }
    }

    /// A thread just before the first operation of a function; `None` if the function
    /// is not defined.
    pub fn new(
        code: &Code,
        identity: ThreadIdentity,
        function: u32,
        arguments: &[Value],
    ) -> Option<ThreadStore> {
        let body = code.functions.get(function as usize)?.body.as_ref()?;
        let mut registers = vec![Value::ZERO; body.n_registers as usize];
        for (idx, &reg) in body.parameters.iter().enumerate() {
            let missing = || Value::undefined(u32::from(body.widths[reg as usize]));
            registers[reg as usize] = arguments.get(idx).copied().unwrap_or_else(missing);
        }
        let frames = vec![Frame::new(function, registers)];
        let mut thread = ThreadStore { identity, frames, ..ThreadStore::default() };
        for (idx, variable) in (0u32..).zip(&code.thread_locals) {
            thread.add_thread_local(Object::of_variable(variable, idx));
        }
        Some(thread)
    }

    pub(super) fn add_thread_local(&mut self, object: Object) -> Value {
        let address = Value::address(Origin::Private(self.objects.add(object)), 0);
        self.thread_locals.push(address);
        address
    }
}

impl Memory<'_> {
    /// The threads whose objects exist.
    pub fn all_threads(&self) -> Vec<ThreadIdentity> {
        self.shared.threads().collect()
    }

    /// Reads a field of a thread object; of threads without names all are zero.
    pub fn thread_field(&mut self, thread: ThreadIdentity, field: ThreadField) -> Value {
        if self.has_anonymous_threads() {
            return Value::ZERO;
        }
        self.access_field(thread, field, false);
        self.shared.field(thread, field)
    }

    /// Writes a field of a thread object.
    pub fn set_thread_field(&mut self, thread: ThreadIdentity, field: ThreadField, value: Value) {
        if self.has_anonymous_threads() {
            return;
        }
        self.access_field(thread, field, true);
        self.note_thread_field(field);
        let value = self.publish(value);
        let (at, len) = field.position();
        if let Some(object) = self.shared.objects.get_mut(thread.number()) {
            object.write(at, len, value);
        }
    }

    /// Writes a field of the running thread's object that no other thread sees; gives what
    /// it was.
    pub fn replace_own_field(&mut self, field: ThreadField, value: Value) -> Value {
        let me = self.me();
        let old = self.shared.field(me, field);
        let (at, len) = field.position();
        if let Some(object) = self.shared.objects.get_mut(me.number()) {
            object.write(at, len, value);
        }
        old
    }

    fn access_field(&mut self, thread: ThreadIdentity, field: ThreadField, is_write: bool) {
        let (at, len) = field.position();
        let location = Location { origin: Origin::Shared(thread.number()), at, len };
        let mode = if is_write { AccessMode::ATOMIC_WRITE } else { AccessMode::ATOMIC_READ };
        self.record(location, mode);
    }

    /// The thread that a `pthread_t` names.
    ///
    /// # Errors
    /// It names none.
    pub fn thread_named(&self, handle: Value) -> Result<ThreadIdentity> {
        if !handle.is_defined() {
            let message = "a `pthread_t` is used that was never set";
            return Err(Stop::error(Rule::UninitialisedMemory, message));
        }
        match handle.base.origin() {
            Origin::Shared(number)
                if handle.bits == 0
                    && self.shared.object(number).is_some_and(|it| it.kind == Kind::Thread) =>
            {
                Ok(ThreadIdentity::of_object(number))
            }
            _ => Err(Stop::error(Rule::ThreadMisuse, "a `pthread_t` is used that names no thread")),
        }
    }

    /// The threads that wait for what lies at `address`.
    pub fn waiting_for(&mut self, address: Value) -> Vec<ThreadIdentity> {
        let mut threads = self.all_threads();
        threads.retain(|&thread| self.thread_field(thread, ThreadField::WaitsFor) == address);
        threads
    }

    /// A name for a thread that the running one starts.
    pub fn new_thread(&mut self) -> ThreadIdentity {
        if self.has_anonymous_threads() {
            return ThreadIdentity::ANYBODY;
        }
        let thread = self.shared.new_thread_object();
        self.note_new_thread(thread.number());
        self.note(Deed::Start(thread));
        thread
    }

    /// Keeps the `pthread_t` of a thread that was started until it is written.
    pub fn keep_untold(&mut self, handle: Value) {
        self.thread.untold = Some(handle);
    }

    /// Takes the `pthread_t` that was kept.
    pub fn take_untold(&mut self) -> Option<Value> {
        self.thread.untold.take()
    }

    /// Notes that a thread which was started just now also knows what happened since.
    pub fn tell_started(&mut self, thread: ThreadIdentity) {
        self.note(Deed::Start(thread));
    }

    /// Makes the running thread one that no other thread knows.
    pub fn become_stranger(&mut self) {
        self.thread.identity = self.shared.new_thread_object();
    }
}
