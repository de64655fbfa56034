//! Who a thread is, and who holds a lock.
//!
//! A thread is named by its object in the shared store, whose address is its `pthread_t`.
//! Nothing outside this module knows that: locks ask for an [`Owner`] as the running
//! thread sees it.
//!
//! **Any number of threads.** No name of a thread may lie in a store then. All threads but the
//! first have one and the same identity, and *me*, *another* and *nobody* are all there is.
//! Who holds a lock knows it in its own store; the lock only knows that it is held. A
//! `pthread_t` is a handle of the place where its thread was created, which is stored,
//! overwritten, detached and joined, and refused where it is compared.

use super::Memory;
use crate::code::Code;
use crate::machine::{Identities, Result, Stop};
use crate::value::{Origin, Value};

/// Where an owner field points within the thread's object, so that it is not taken for a
/// `pthread_t`: no program computes that.
pub(crate) const OWNER: u64 = 0x4f57_4e45;

/// A thread's name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadIdentity(u32);

/// Who holds a lock, as the running thread sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// It is free.
    Nobody,
    /// The running thread.
    Me,
    /// Another thread; which one, where that is known.
    Another(Option<ThreadIdentity>),
}

impl ThreadIdentity {
    /// No thread: in happens-before, one that has ended and that nobody asks for.
    pub(super) const NOBODY: ThreadIdentity = ThreadIdentity(u32::MAX);

    /// Any thread but the first, where threads have no names.
    pub(super) const ANYBODY: ThreadIdentity = ThreadIdentity(u32::MAX - 1);

    /// The thread that the program starts with.
    pub fn first(code: &Code) -> ThreadIdentity {
        ThreadIdentity(code.globals.len() as u32)
    }

    /// As a number: that of its object.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Its `pthread_t`, where threads have names.
    fn pthread_t(self) -> Value {
        Value::address(Origin::Shared(self.0), 0)
    }

    /// The thread whose object has this number.
    pub fn of_object(number: u32) -> ThreadIdentity {
        ThreadIdentity(number)
    }

    /// Takes the new number of its object, if it has one.
    pub(super) fn renumber(&mut self, numbers: &[Option<u32>]) {
        if let Some(Some(new)) = numbers.get(self.0 as usize) {
            self.0 = *new;
        }
    }
}

impl Memory<'_> {
    /// Who runs.
    pub fn me(&self) -> ThreadIdentity {
        self.thread.identity
    }

    /// Have threads no names?
    pub fn has_anonymous_threads(&self) -> bool {
        self.options.identities != Identities::Named
    }

    /// The `pthread_t` of a thread that is created at a place.
    pub fn pthread_t_of(&self, thread: ThreadIdentity, place: u32) -> Value {
        match self.has_anonymous_threads() {
            true => Value::address(Origin::PthreadT(place), 0),
            false => thread.pthread_t(),
        }
    }

    /// The running thread's own `pthread_t`.
    ///
    /// # Errors
    /// Threads have no names.
    pub fn own_pthread_t(&self) -> Result<Value> {
        match self.has_anonymous_threads() {
            true => Err(Stop::refused(
                "a thread asks who it is, and any number of threads have no names",
            )),
            false => Ok(self.me().pthread_t()),
        }
    }

    /// Whom the owner field of the lock at `lock` names.
    pub fn owner_named(&self, field: Value, lock: Value) -> Owner {
        if field == Value::ZERO {
            Owner::Nobody
        } else if self.has_anonymous_threads() {
            if self.thread.held.contains(&lock) { Owner::Me } else { Owner::Another(None) }
        } else if field == self.owned_by_me() {
            Owner::Me
        } else {
            Owner::Another(match field.base.origin() {
                Origin::Shared(number) => Some(ThreadIdentity(number)),
                _ => None,
            })
        }
    }

    /// What the owner field of a lock holds while the running thread has it.
    pub fn owned_by_me(&self) -> Value {
        match self.has_anonymous_threads() {
            true => Value::number(OWNER),
            false => Value { bits: OWNER, ..self.me().pthread_t() },
        }
    }

    /// Notes that the running thread has the lock at `lock`.
    pub fn note_held(&mut self, lock: Value) {
        if self.has_anonymous_threads() {
            self.thread.held.push(lock);
        }
    }

    /// Notes that the running thread has the lock at `lock` no more.
    pub fn note_given_up(&mut self, lock: Value) {
        self.thread.held.retain(|held| *held != lock);
    }
}
