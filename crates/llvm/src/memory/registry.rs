//! What a program registers with the library: keys of thread-specific values, functions
//! to run at its end, and the end itself.
//!
//! None of this lies in objects, so a byte of the first thread's object stands for each
//! in footprints: the order of changes to it counts.

use model::Access;

use super::Memory;
use super::access::{AccessMode, Location};
use super::footprint::ADDRESSES;
use super::identity::ThreadIdentity;
use super::object::{Kind, Object};
use crate::value::{Origin, Value};

/// What a byte of the first thread's object stands for.
#[derive(Clone, Copy)]
enum StandIn {
    Keys = 5,
    AtExit = 6,
    /// All threads: thread objects are in every future.
    Everybody = 7,
}

/// A `pthread_key_t` by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// It is in use.
    Known,
    /// It was deleted.
    Deleted,
    /// There was none.
    Unknown,
}

impl Memory<'_> {
    fn access_stand_in(&mut self, what: StandIn, is_write: bool) {
        let origin = Origin::Shared(ThreadIdentity::first(self.code).number());
        let location = Location { origin, at: what as u32, len: 1 };
        let mode = if is_write { AccessMode::ATOMIC_WRITE } else { AccessMode::ATOMIC_READ };
        self.record(location, mode);
    }

    /// Notes that an object is born, or that one has died whose address may come again.
    /// That orders nothing else.
    pub(super) fn access_addresses(&mut self, is_write: bool) {
        let object = ThreadIdentity::first(self.code).number();
        self.footprint.add(Access { object, at: ADDRESSES, len: 1, is_write, is_atomic: true });
    }

    /// Notes that the operation depends on the table of keys, or changes it.
    pub fn access_keys(&mut self, is_write: bool) {
        self.access_stand_in(StandIn::Keys, is_write);
    }

    /// How many keys were created.
    pub fn n_keys(&self) -> usize {
        self.shared.keys.len()
    }

    /// Creates a key; gives its number. Numbers of deleted keys are not used again: other
    /// threads may still have values for them.
    pub fn create_key(&mut self, destructor: Value) -> usize {
        self.shared.keys.push(Some(destructor));
        self.shared.keys.len() - 1
    }

    /// Deletes a key.
    pub fn delete_key(&mut self, key: usize) {
        self.shared.keys[key] = None;
    }

    /// Looks a key up.
    pub fn key(&self, key: usize) -> Key {
        match self.shared.keys.get(key) {
            Some(Some(_)) => Key::Known,
            Some(None) => Key::Deleted,
            None => Key::Unknown,
        }
    }

    /// The running thread's value for a key.
    pub fn specific(&self, key: usize) -> Value {
        self.thread.specifics.get(key).copied().unwrap_or(Value::ZERO)
    }

    /// Sets the running thread's value for a key.
    pub fn set_specific(&mut self, key: usize, value: Value) {
        let specifics = &mut self.thread.specifics;
        if specifics.len() <= key {
            specifics.resize(key + 1, Value::ZERO);
        }
        specifics[key] = value;
        // Equal threads have equal tables.
        let used = specifics.iter().rposition(|&value| value != Value::ZERO);
        specifics.truncate(used.map_or(0, |last| last + 1));
    }

    /// The destructor of a key, if it has one.
    fn destructor(&self, key: usize) -> Option<Value> {
        let destructor = self.shared.keys.get(key).copied().flatten();
        destructor.filter(|&destructor| destructor != Value::ZERO)
    }

    /// The keys with a destructor for which the running thread still has a value and any of
    /// which may be next. None comes twice before all others had their turn.
    pub fn destructible(&mut self) -> Vec<usize> {
        if self.thread.specifics.is_empty() {
            return Vec::new();
        }
        self.access_keys(false);
        let is_left = |key: &usize| {
            self.thread.specifics[*key] != Value::ZERO && self.destructor(*key).is_some()
        };
        let left: Vec<usize> = (0..self.thread.specifics.len()).filter(is_left).collect();
        let was_called =
            |key: &usize| self.thread.destroyed.iter().any(|called| called.bits == *key as u64);
        let due: Vec<usize> = left.iter().copied().filter(|key| !was_called(key)).collect();
        if due.is_empty() {
            self.thread.destroyed.clear();
            return left;
        }
        due
    }

    /// Takes the running thread's value for a key with a destructor; gives both.
    pub fn take_destructible(&mut self, key: usize) -> Option<(Value, Value)> {
        let destructor = self.destructor(key)?;
        let value = self.specific(key);
        self.set_specific(key, Value::ZERO);
        self.thread.destroyed.push(Value::number(key as u64));
        self.thread.destroyed.sort_unstable_by_key(|key| key.bits);
        Some((destructor, value))
    }

    /// Forgets what only the running thread itself could ask for: it has ended.
    pub fn forget_own(&mut self) {
        self.thread.specifics.clear();
        self.thread.destroyed.clear();
        self.thread.cleanups.clear();
        self.thread.read_locks.clear();
    }

    /// Keeps the buffer of a handler that runs where the thread exits.
    pub fn push_cleanup(&mut self, buffer: Value) {
        self.thread.cleanups.push(buffer);
    }

    /// Takes the buffer that was kept last.
    pub fn pop_cleanup(&mut self) -> Option<Value> {
        self.thread.cleanups.pop()
    }

    /// Notes that the running thread reads under a lock.
    pub fn begin_reading(&mut self, lock: Value) {
        self.thread.read_locks.push(lock);
    }

    /// Notes that it reads under a lock once less; false if it did not.
    pub fn end_reading(&mut self, lock: Value) -> bool {
        let locks = &mut self.thread.read_locks;
        let at = locks.iter().rposition(|&known| known == lock);
        at.map(|at| locks.remove(at)).is_some()
    }

    /// Forgets the values that the running thread has for keys that were deleted.
    pub fn forget_deleted(&mut self) {
        for key in 0..self.thread.specifics.len() {
            if self.key(key) == Key::Deleted {
                self.thread.specifics[key] = Value::ZERO;
            }
        }
    }

    /// Registers a function that runs at the program's end.
    pub fn add_at_exit(&mut self, function: Value) {
        let function = self.publish(function);
        self.access_stand_in(StandIn::AtExit, true);
        self.shared.at_exit.push(function);
    }

    /// Registers a function that runs where the program ends by `quick_exit`.
    pub fn add_at_quick_exit(&mut self, function: Value) {
        let function = self.publish(function);
        self.access_stand_in(StandIn::AtExit, true);
        self.shared.at_quick_exit.push(function);
    }

    /// Puts what runs at `quick_exit` in place of what runs at the program's end; false if
    /// that is nothing.
    pub fn exit_quickly(&mut self) -> bool {
        self.access_stand_in(StandIn::AtExit, true);
        self.shared.at_exit = std::mem::take(&mut self.shared.at_quick_exit);
        self.has_at_exit()
    }

    /// Is a function registered that runs at the program's end?
    pub fn has_at_exit(&self) -> bool {
        !self.shared.at_exit.is_empty()
    }

    /// Takes the function that was registered last. That there is none depends on other
    /// threads, too.
    pub fn take_at_exit(&mut self) -> Option<Value> {
        self.access_stand_in(StandIn::AtExit, self.has_at_exit());
        self.shared.at_exit.pop()
    }

    /// Forgets all functions that were registered.
    pub fn forget_at_exit(&mut self) {
        if self.has_at_exit() {
            self.access_stand_in(StandIn::AtExit, true);
        }
        self.shared.at_exit.clear();
    }

    /// Ends the program.
    pub fn end_program(&mut self) {
        self.shared.is_over = true;
    }

    /// Notes that all threads notice the step: the program ends with it.
    pub fn access_everybody(&mut self) {
        self.access_stand_in(StandIn::Everybody, true);
    }

    /// Notes where memory was allocated that is lost.
    pub fn note_leak(&mut self, site: u32) {
        self.shared.note_leak(site);
    }

    /// Where memory was allocated that was found to be lost.
    pub fn noted_leak(&self) -> Option<u32> {
        self.shared.leak
    }

    /// The address of the running thread's `errno`. It lies behind the thread's copies of
    /// variables, and is made when it is asked for first.
    pub fn errno(&mut self) -> Value {
        let idx = self.code.thread_locals.len();
        if let Some(&address) = self.thread.thread_locals.get(idx) {
            return address;
        }
        let errno = self.thread.add_thread_local(Object::zeroed(Kind::Variable, 4, 2, idx as u32));
        if let Origin::Private(number) = errno.base.origin() {
            self.note_birth(self.me(), number, 4);
        }
        errno
    }
}
