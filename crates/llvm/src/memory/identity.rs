//! Who a thread is, and who holds a lock.
//!
//! A thread is named by its object in the shared store, whose address is its `pthread_t`.
//! Nothing outside this module knows that: locks ask for an [`Owner`] as the running
//! thread sees it, so that for any number of threads, where no thread's name may lie in
//! the shared store, *me*, *another* and *nobody* can be all there is.

use super::Memory;
use crate::code::Code;
use crate::value::{Origin, Value};

/// Where an owner field points within the thread's object, so that it is not taken for a
/// `pthread_t`: no program computes that.
pub(super) const OWNER: u64 = 0x4f57_4e45;

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

    /// The thread that the program starts with.
    pub fn first(code: &Code) -> ThreadIdentity {
        ThreadIdentity(code.globals.len() as u32)
    }

    /// As a number: that of its object.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Its `pthread_t`.
    pub fn pthread_t(self) -> Value {
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

    /// Whom the owner field of a lock names.
    pub fn owner_named(&self, field: Value) -> Owner {
        if field == Value::ZERO {
            Owner::Nobody
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
        Value { bits: OWNER, ..self.me().pthread_t() }
    }
}
