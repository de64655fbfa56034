//! Which shared objects a store names, in an order that no name decides.

use crate::code::Code;
use crate::memory::{Kind, Object, SharedStore, ThreadIdentity, ThreadStore};
use crate::value::{Base, Origin};

/// Which shared objects a shared store names.
pub struct SharedNames {
    /// Outside of objects, in order.
    pub(super) hooks: Vec<u32>,
    /// In each object; `None` for numbers that are free.
    pub(super) held: Vec<Option<Vec<u32>>>,
    /// What it says of threads, by their numbers; `None` for what is no thread.
    pub(super) threads: Vec<Option<ThreadState>>,
    /// The threads whose `pthread_t` lies in what variables lead to, in that order.
    pub(super) handles: Vec<u32>,
    /// When each object is come to from variables, if ever.
    pub(super) rank: Vec<Option<u32>>,
    /// Does it name the first thread?
    pub(super) names_first_thread: bool,
}

/// What a shared store says of a thread.
pub(super) struct ThreadState {
    /// What its object is apart from names.
    pub(super) form: Vec<u8>,
    /// Can it be joined, now or later?
    pub(super) is_joinable: bool,
    /// Does its `pthread_t` lie anywhere in the store?
    pub(super) has_handle: bool,
}

/// Which shared objects a thread names.
pub struct ThreadNames {
    /// Its own.
    pub(super) me: ThreadIdentity,
    /// In its frames and objects, in order.
    pub(super) held: Vec<u32>,
    /// What it is apart from names.
    pub(super) form: Vec<u8>,
    /// The threads that it joins one after the other before it does anything else.
    pub(super) joins: Vec<u32>,
}

impl SharedNames {
    /// The names that a store holds.
    pub fn of(code: &Code, shared: &SharedStore) -> SharedNames {
        let first = ThreadIdentity::first(code);
        let numbers = 0..shared.objects().n_numbers() as u32;
        let held = |object: &Object| object.bases().filter_map(name).collect::<Vec<u32>>();
        let mut names = SharedNames {
            hooks: shared.hooks().filter_map(name).collect(),
            held: numbers.clone().map(|number| shared.object(number).map(held)).collect(),
            threads: numbers.map(|number| thread_state(shared, number, first)).collect(),
            handles: Vec::new(),
            rank: Vec::new(),
            names_first_thread: false,
        };
        let mut named = names.hooks.iter().chain(names.held.iter().flatten().flatten());
        names.names_first_thread = named.any(|&number| number == first.number());
        names.rank_from_variables(code, shared);
        names
    }

    /// Is it a thread's object?
    pub(super) fn is_thread(&self, number: u32) -> bool {
        self.thread(number).is_some()
    }

    pub(super) fn thread(&self, number: u32) -> Option<&ThreadState> {
        self.threads.get(number as usize)?.as_ref()
    }

    /// Goes through what variables lead to.
    fn rank_from_variables(&mut self, code: &Code, shared: &SharedStore) {
        let mut search = super::Search::new(self.held.len());
        (0..code.globals.len() as u32).for_each(|number| search.meet(number));
        self.hooks.iter().for_each(|&number| search.meet(number));
        search.walk(self);
        for object in search.order.iter().filter_map(|&number| shared.object(number)) {
            self.handles.extend(object.handles().filter_map(name));
        }
        for number in shared.objects().iter().flat_map(|(_, object)| object.handles()) {
            if let Some(number) = name(number)
                && let Some(Some(thread)) = self.threads.get_mut(number as usize)
            {
                thread.has_handle = true;
            }
        }
        let threads = &self.threads;
        self.handles.retain(|&number| matches!(threads.get(number as usize), Some(Some(_))));
        self.rank = search.numbers;
    }
}

fn thread_state(shared: &SharedStore, number: u32, first: ThreadIdentity) -> Option<ThreadState> {
    let object = shared.object(number).filter(|object| object.kind() == Kind::Thread)?;
    let is_joinable = shared.is_joinable(ThreadIdentity::of_object(number));
    Some(ThreadState { form: object.form(first.number()), is_joinable, has_handle: false })
}

impl ThreadNames {
    /// The names that a thread holds; `joins` are the threads that it joins before it does
    /// anything else.
    pub fn of(code: &Code, thread: &ThreadStore, joins: Vec<u32>) -> ThreadNames {
        ThreadNames {
            me: thread.identity(),
            held: thread.bases().filter_map(name).collect(),
            form: form(code, thread),
            joins,
        }
    }
}

fn name(base: Base) -> Option<u32> {
    match base.origin() {
        Origin::Shared(number) => Some(number),
        _ => None,
    }
}

/// A thread's store without the names of shared objects. What lies in its outer functions
/// comes first, so that threads that differ in that keep their order when they go on.
fn form(code: &Code, thread: &ThreadStore) -> Vec<u8> {
    let mut thread = thread.clone();
    thread.make_nameless(code.globals.len() as u32);
    let mut store = Vec::new();
    thread.encode(code, &mut store);
    let mut bytes = Vec::new();
    for frame in thread.frames() {
        bytes.extend(frame.function.to_be_bytes());
        for value in &frame.registers {
            bytes.extend(value.base.to_bits().to_be_bytes());
            bytes.extend(value.bits.to_be_bytes());
        }
    }
    bytes.extend(store);
    bytes
}
