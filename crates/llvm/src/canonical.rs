//! Heap canonicalisation: shared objects get numbers that do not depend on the order in which
//! they were allocated.
//!
//! Threads are objects as well, which a `pthread_t` names. They are numbered first, those
//! that the first thread has handles of in the order of the handles, the others by what they
//! are apart from names; then all else in the order in which it is reached, from global
//! variables and then from the threads. So threads that nothing tells apart are
//! interchangeable, whether there is a heap or not, and also those that the first thread does
//! nothing with but join them (`canonical/joins.rs`). Unreachable objects are collected,
//! except memory that was never freed where that is an error.
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

mod joins;
mod names;

pub use names::{SharedNames, ThreadNames};

use std::sync::Arc;

use model::Renaming;

use crate::code::Code;
use crate::memory::{Object, SharedStore, ThreadIdentity, ThreadStore};
use joins::JoinOrder;

/// Is there anything to rename or to collect? The first thread's object keeps its number.
pub fn may_rename(code: &Code, shared: &SharedStore) -> bool {
    let first = ThreadIdentity::first(code);
    shared.objects().iter().any(|(number, _)| number > first.number())
}

/// New numbers of shared objects.
pub struct Numbering {
    search: Search,
    joins: JoinOrder,
}

/// Objects as they are come to.
struct Search {
    /// New numbers by old ones.
    numbers: Vec<Option<u32>>,
    /// Old numbers in the order of new ones.
    order: Vec<u32>,
    /// How many were looked into.
    n_walked: usize,
}

impl Numbering {
    /// Numbers everything that is reached.
    pub fn of(
        code: &Code,
        shared: &SharedNames,
        threads: &[Arc<ThreadNames>],
        renaming: Renaming,
    ) -> Numbering {
        let mut threads: Vec<&ThreadNames> = threads.iter().map(|names| &**names).collect();
        let joins = match renaming {
            Renaming::Exact => JoinOrder::default(),
            Renaming::UpToJoins => JoinOrder::of(code, shared, &threads),
        };
        put_in_order(&mut threads, shared);
        Numbering { search: reach(code, shared, &threads, &joins), joins }
    }

    /// The same, with the threads in the order in which they are given.
    pub fn in_order_of(
        code: &Code,
        shared: &SharedNames,
        threads: &[Arc<ThreadNames>],
    ) -> Numbering {
        let threads: Vec<&ThreadNames> = threads.iter().map(|names| &**names).collect();
        let joins = JoinOrder::default();
        Numbering { search: reach(code, shared, &threads, &joins), joins }
    }

    /// Does everything keep its number, and is everything reached?
    pub fn changes_nothing(&self) -> bool {
        let mut numbers = (0u32..).zip(&self.search.numbers);
        self.joins.changes_nothing() && numbers.all(|(old, new)| *new == Some(old))
    }

    /// The new numbers as the first thread has them, which may join others in another order.
    fn of_joiner(&self) -> Vec<Option<u32>> {
        let numbers = &self.search.numbers;
        let named = (0..numbers.len() as u32).map(|number| self.joins.named(number));
        named.map(|number| numbers[number as usize]).collect()
    }
}

/// Renumbers the shared objects and collects what cannot be reached.
pub fn canonicalize(
    code: &Code,
    mut numbering: Numbering,
    names: &SharedNames,
    (shared, threads): (&mut SharedStore, &mut [ThreadStore]),
    tracks_leaks: bool,
) {
    if tracks_leaks {
        keep_lost(shared, names, &mut numbering.search);
    }
    shared.renumber(&numbering.search.numbers);
    let of_joiner = numbering.of_joiner();
    for thread in threads {
        let is_joiner = thread.identity() == ThreadIdentity::first(code);
        thread.renumber_shared(if is_joiner { &of_joiner } else { &numbering.search.numbers });
    }
}

/// Keeps memory that was not freed though nobody reaches it, in an order of its own,
/// with what it reaches: whoever ends the program has lost it.
fn keep_lost(shared: &SharedStore, names: &SharedNames, search: &mut Search) {
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
        search.walk(names);
    }
}

/// Everything that is reached, with new numbers.
///
/// Threads come first, so that their names do not change with what others do to memory:
/// those that the first thread has handles of, those that variables hold handles of, and
/// then all that run, in the order of `threads`.
fn reach(code: &Code, shared: &SharedNames, threads: &[&ThreadNames], joins: &JoinOrder) -> Search {
    let mut search = Search::new(shared.held.len());
    // Variables keep their numbers, and so does the first thread's object.
    let first = ThreadIdentity::first(code);
    (0..=first.number()).for_each(|number| search.meet(number));
    for creator in threads.iter().filter(|thread| thread.me == first) {
        let held = creator.held.iter().map(|&number| joins.named(number));
        held.filter(|&number| shared.is_thread(number)).for_each(|number| search.meet(number));
    }
    shared.handles.iter().for_each(|&number| search.meet(number));
    threads.iter().for_each(|thread| search.meet(thread.me.number()));
    shared.hooks.iter().for_each(|&number| search.meet(number));
    search.walk(shared);
    for thread in threads {
        thread.held.iter().for_each(|&number| search.meet(number));
        search.walk(shared);
    }
    search
}

/// Memory that was not freed and that variables, threads' results and the like do not
/// lead to; where it was allocated. For when no thread is left.
pub fn lost(code: &Code, shared: &SharedStore) -> Option<u32> {
    let names = SharedNames::of(code, shared);
    let search = reach(code, &names, &[], &JoinOrder::default());
    let objects = shared.objects().iter();
    let lost = objects.filter(|(number, object)| {
        search.numbers[*number as usize].is_none() && object.is_unfreed()
    });
    lost.map(|(_, object)| object.site()).min()
}

/// Puts threads in an order that does not depend on names: by what they are apart from names,
/// and where they are alike, by where variables lead to them.
fn put_in_order(threads: &mut [&ThreadNames], shared: &SharedNames) {
    threads.sort_by_cached_key(|thread| {
        let number = thread.me.number();
        let state = shared.thread(number).map(|state| state.form.as_slice());
        let rank = shared.rank.get(number as usize).copied().flatten();
        (thread.form.as_slice(), state, rank.is_none(), rank)
    });
}

impl Search {
    fn new(n_numbers: usize) -> Search {
        Search { numbers: vec![None; n_numbers], order: Vec::new(), n_walked: 0 }
    }

    fn meet(&mut self, number: u32) {
        let next = self.order.len() as u32;
        if let Some(slot @ None) = self.numbers.get_mut(number as usize) {
            *slot = Some(next);
            self.order.push(number);
        }
    }

    /// Meets all that the objects met so far hold.
    fn walk(&mut self, shared: &SharedNames) {
        while self.n_walked < self.order.len() {
            if let Some(Some(held)) = shared.held.get(self.order[self.n_walked] as usize) {
                held.iter().for_each(|&number| self.meet(number));
            }
            self.n_walked += 1;
        }
    }
}
