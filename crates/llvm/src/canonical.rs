//! Heap canonicalisation: shared objects get numbers that do not depend on the order in which
//! they were allocated.
//!
//! Objects are numbered in the order in which they are reached: from global variables, then
//! from the threads in their order. Unreachable objects are collected, except
//! memory that was never freed where that is an error.
//!
//! Most states are canonical already. To see that, it is enough to know which numbers each
//! store holds, in order. Those are cached per store ([`SharedNames`], [`ThreadNames`]), so
//! that only states with something to rename are decoded.
//!
//! **Sound for** a fixed set of threads, since every holder of an address must be known. A
//! program cannot observe object numbers: a pointer is an object and an offset.
//! **Source** Iosif, "Exploiting Heap Symmetries in Explicit-State Model Checking of
//! Software", ASE 2001; collection: Iosif and Sisto, "Using Garbage Collection in Model
//! Checking", SPIN 2000. We differ: (1) whole states are renamed, not updated incrementally
//! as in Musuvathi and Dill, SPIN 2005; the cache of numbers takes that place; (2) symmetry
//! between threads is left to `kernel::symmetry`.

use std::sync::Arc;

use crate::code::Code;
use crate::memory::{Kind, Object, SharedStore, ThreadIdentity, ThreadStore};
use crate::value::{Base, Origin};

/// Is there anything to rename or to collect?
pub fn may_rename(code: &Code, shared: &SharedStore) -> bool {
    let is_dynamic = |number: u32| number as usize >= code.globals.len();
    let mut objects = shared.objects().iter();
    objects.any(|(number, object)| is_dynamic(number) && object.kind() != Kind::Thread)
}

/// Which shared objects a shared store names.
pub struct SharedNames {
    /// Outside of objects, in order.
    first: Vec<u32>,
    /// In each object; `None` for numbers that are free.
    held: Vec<Option<Vec<u32>>>,
}

/// Which shared objects a thread names.
pub struct ThreadNames {
    /// Its own.
    me: ThreadIdentity,
    /// In its frames and objects, in order.
    held: Vec<u32>,
    /// What it is apart from names.
    form: Vec<u8>,
}

impl SharedNames {
    /// The names that a store holds.
    pub fn of(shared: &SharedStore) -> SharedNames {
        let held = |object: &Object| object.bases().filter_map(name).collect();
        let numbers = 0..shared.objects().n_numbers() as u32;
        SharedNames {
            first: shared.hooks().filter_map(name).collect(),
            held: numbers.map(|number| shared.object(number).map(held)).collect(),
        }
    }
}

impl ThreadNames {
    /// The names that a thread holds.
    pub fn of(code: &Code, thread: &ThreadStore) -> ThreadNames {
        ThreadNames {
            me: thread.identity(),
            held: thread.bases().filter_map(name).collect(),
            form: nameless(code, thread),
        }
    }
}

fn name(base: Base) -> Option<u32> {
    match base.origin() {
        Origin::Shared(number) => Some(number),
        _ => None,
    }
}

/// New numbers of shared objects.
pub struct Numbering {
    numbers: Vec<Option<u32>>,
    order: Vec<u32>,
}

impl Numbering {
    /// Numbers everything that is reached.
    pub fn of(code: &Code, shared: &SharedNames, threads: &[Arc<ThreadNames>]) -> Numbering {
        let threads: Vec<&ThreadNames> = threads.iter().map(|names| &**names).collect();
        reach(code, shared, |numbers| in_order(&threads, numbers))
    }

    /// The same, with the threads in the order in which they are given.
    pub fn in_order_of(
        code: &Code,
        shared: &SharedNames,
        threads: &[Arc<ThreadNames>],
    ) -> Numbering {
        reach(code, shared, |_| threads.iter().map(|names| &**names).collect())
    }

    /// Does everything keep its number, and is everything reached?
    pub fn changes_nothing(&self) -> bool {
        (0u32..).zip(&self.numbers).all(|(old, new)| *new == Some(old))
    }
}

/// Renumbers the shared objects and collects what cannot be reached.
pub fn canonicalize(
    tracks_leaks: bool,
    mut numbering: Numbering,
    names: &SharedNames,
    shared: &mut SharedStore,
    threads: &mut [ThreadStore],
) {
    if tracks_leaks {
        keep_lost(shared, names, &mut numbering);
    }
    shared.renumber(&numbering.numbers);
    threads.iter_mut().for_each(|thread| thread.renumber_shared(&numbering.numbers));
}

/// Keeps memory that was not freed though nobody reaches it, in an order of its own,
/// with what it reaches: whoever ends the program has lost it.
fn keep_lost(shared: &SharedStore, names: &SharedNames, search: &mut Numbering) {
    let mut at = search.order.len();
    let mut lost: Vec<(u32, &Object)> = Vec::new();
    for (number, object) in shared.objects().iter() {
        let is_met = search.numbers[number as usize].is_some();
        if !is_met && object.is_unfreed() {
            lost.push((number, object));
        }
    }
    lost.sort_by_key(|(_, object)| (object.site(), object.bytes()));
    for (number, _) in lost {
        search.meet(number);
        search.walk(names, &mut at);
    }
}

/// Everything that is reached, with new numbers. `order` gives the threads, when it is known
/// what variables lead to.
fn reach<'t>(
    code: &Code,
    shared: &SharedNames,
    order: impl FnOnce(&[Option<u32>]) -> Vec<&'t ThreadNames>,
) -> Numbering {
    let mut search = Numbering { numbers: vec![None; shared.held.len()], order: Vec::new() };
    // Variables keep their numbers, and so does the first thread's object.
    (0..=code.globals.len() as u32).for_each(|number| search.meet(number));
    shared.first.iter().for_each(|&number| search.meet(number));
    let mut at = 0;
    search.walk(shared, &mut at);
    for thread in order(&search.numbers) {
        search.meet(thread.me.number());
        thread.held.iter().for_each(|&number| search.meet(number));
        search.walk(shared, &mut at);
    }
    search
}

/// Memory that was not freed and that variables, threads' results and the like do not
/// lead to; where it was allocated. For when no thread is left.
pub fn lost(code: &Code, shared: &SharedStore) -> Option<u32> {
    let search = reach(code, &SharedNames::of(shared), |_| Vec::new());
    let objects = shared.objects().iter();
    let lost = objects.filter(|(number, object)| {
        search.numbers[*number as usize].is_none() && object.is_unfreed()
    });
    lost.map(|(_, object)| object.site()).min()
}

/// The threads in an order that does not depend on names: first those that variables
/// lead to, then the others by what they are apart from names.
fn in_order<'t>(threads: &[&'t ThreadNames], numbers: &[Option<u32>]) -> Vec<&'t ThreadNames> {
    let number = |thread: &ThreadNames| numbers.get(thread.me.number() as usize).copied().flatten();
    let (mut known, mut others): (Vec<&ThreadNames>, Vec<&ThreadNames>) =
        threads.iter().partition(|thread| number(thread).is_some());
    known.sort_by_key(|thread| number(thread));
    others.sort_by(|left, right| left.form.cmp(&right.form));
    known.extend(others);
    known
}

/// A thread's store without the names of shared objects.
fn nameless(code: &Code, thread: &ThreadStore) -> Vec<u8> {
    let mut thread = thread.clone();
    thread.make_nameless(code.globals.len() as u32);
    let mut bytes = Vec::new();
    thread.encode(code, &mut bytes);
    bytes
}

impl Numbering {
    fn meet(&mut self, number: u32) {
        let next = self.order.len() as u32;
        if let Some(slot @ None) = self.numbers.get_mut(number as usize) {
            *slot = Some(next);
            self.order.push(number);
        }
    }

    /// Meets all that the objects met so far hold.
    fn walk(&mut self, shared: &SharedNames, at: &mut usize) {
        while *at < self.order.len() {
            if let Some(Some(held)) = shared.held.get(self.order[*at] as usize) {
                held.iter().for_each(|&number| self.meet(number));
            }
            *at += 1;
        }
    }
}
