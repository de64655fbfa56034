//! Names of shared objects that do not depend on how they came about.
//!
//! Objects are numbered in the order in which they are reached: from variables, then
//! from threads in their order. What nobody reaches is collected. Sound for a fixed
//! set of threads only, since all that hold addresses must be known.

use crate::code::Code;
use crate::machine::{Kind, Object, Shared, Thread, encode_thread, rename_events};
use crate::value::{Base, Origin};

/// Is there anything to rename or to collect?
pub fn may_rename(code: &Code, shared: &Shared) -> bool {
    let dynamic = shared.objects.iter().skip(code.globals.len());
    dynamic.flatten().any(|object| object.kind != Kind::Thread)
}

/// Renumbers the shared objects and collects what cannot be reached. False if
/// nothing changes.
pub fn canonicalize(
    code: &Code,
    tracks_leaks: bool,
    shared: &mut Shared,
    threads: &mut [Thread],
) -> bool {
    let mut search = reach(code, shared, threads);
    if tracks_leaks {
        keep_lost(shared, &mut search);
    }
    let numbers = search.numbers;
    if (0u32..).zip(&numbers).all(|(old, new)| *new == Some(old)) {
        return false;
    }
    let rename = |base: &mut Base| {
        if let Origin::Shared(number) = base.origin()
            && let Some(Some(new)) = numbers.get(number as usize)
        {
            *base = Base::new(Origin::Shared(*new));
        }
    };
    let n_reached = numbers.iter().flatten().count();
    let old = std::mem::take(&mut shared.objects);
    shared.objects.resize_with(n_reached, || None);
    for (object, number) in old.into_iter().zip(&numbers) {
        if let Some(number) = number {
            shared.objects[*number as usize] = object;
        }
    }
    shared.objects.iter_mut().flatten().flat_map(Object::bases_mut).for_each(rename);
    rename_events(&mut shared.events, &numbers);
    shared.keys.iter_mut().flatten().for_each(|value| rename(&mut value.base));
    shared.at_exit.iter_mut().for_each(|value| rename(&mut value.base));
    for thread in threads {
        thread.bases_mut().for_each(rename);
        if let Some(Some(me)) = numbers.get(thread.me as usize) {
            thread.me = *me;
        }
    }
    true
}

/// Keeps memory that was not freed though nobody reaches it, in an order of its own,
/// with what it reaches: whoever ends the program has lost it.
fn keep_lost(shared: &Shared, search: &mut Search) {
    let mut at = search.order.len();
    let mut lost: Vec<(u32, &Object)> = Vec::new();
    for (number, object) in (0u32..).zip(&shared.objects) {
        let is_met = search.numbers[number as usize].is_some();
        let is_lost = |object: &&Object| !is_met && object.is_live && object.kind == Kind::Heap;
        lost.extend(object.as_ref().filter(is_lost).map(|object| (number, object)));
    }
    lost.sort_by(|(_, left), (_, right)| (left.site, &left.bytes).cmp(&(right.site, &right.bytes)));
    for (number, _) in lost {
        search.meet(number);
        search.walk(shared, &mut at);
    }
}

/// Everything that is reached, with new numbers.
fn reach(code: &Code, shared: &Shared, threads: &[Thread]) -> Search {
    let mut search = Search { numbers: vec![None; shared.objects.len()], order: Vec::new() };
    // Variables keep their numbers, and so does the first thread's object.
    (0..=code.globals.len() as u32).for_each(|number| search.meet(number));
    for value in shared.keys.iter().flatten().chain(&shared.at_exit) {
        search.follow(value.base);
    }
    let mut at = 0;
    search.walk(shared, &mut at);
    for thread in in_order(code, threads, &search.numbers) {
        search.meet(thread.me);
        thread.roots().for_each(|base| search.follow(base));
        for object in thread.objects.iter().flatten() {
            object.bases().for_each(|base| search.follow(base));
        }
        search.walk(shared, &mut at);
    }
    search
}

/// Memory that was not freed and that variables, threads' results and the like do not
/// lead to; where it was allocated. For when no thread is left.
pub fn lost(code: &Code, shared: &Shared) -> Option<u32> {
    let search = reach(code, shared, &[]);
    let numbered = shared.objects.iter().zip(&search.numbers);
    let lost = numbered.filter(|(_, number)| number.is_none()).filter_map(|(object, _)| {
        object.as_ref().filter(|object| object.is_live && object.kind == Kind::Heap)
    });
    lost.map(|object| object.site).min()
}

/// The threads in an order that does not depend on names: first those that variables
/// lead to, then the others by what they are apart from names.
fn in_order<'t>(code: &Code, threads: &'t [Thread], numbers: &[Option<u32>]) -> Vec<&'t Thread> {
    let number = |thread: &Thread| numbers.get(thread.me as usize).copied().flatten();
    let (mut known, mut others): (Vec<&Thread>, Vec<&Thread>) =
        threads.iter().partition(|thread| number(thread).is_some());
    known.sort_by_key(|thread| number(thread));
    if others.len() > 1 {
        others.sort_by_cached_key(|thread| nameless(code, thread));
    }
    known.extend(others);
    known
}

/// A thread's store without the names of shared objects.
fn nameless(code: &Code, thread: &Thread) -> Vec<u8> {
    let mut thread = thread.clone();
    thread.me = 0;
    let first = code.globals.len() as u32;
    for base in thread.bases_mut() {
        if let Origin::Shared(number) = base.origin()
            && number >= first
        {
            *base = Base::new(Origin::Shared(first));
        }
    }
    let mut bytes = Vec::new();
    encode_thread(code, &mut thread, &mut bytes);
    bytes
}

struct Search {
    numbers: Vec<Option<u32>>,
    order: Vec<u32>,
}

impl Search {
    fn meet(&mut self, number: u32) {
        let next = self.order.len() as u32;
        if let Some(slot @ None) = self.numbers.get_mut(number as usize) {
            *slot = Some(next);
            self.order.push(number);
        }
    }

    fn follow(&mut self, base: Base) {
        if let Origin::Shared(number) = base.origin() {
            self.meet(number);
        }
    }

    /// Meets all that the objects met so far hold.
    fn walk(&mut self, shared: &Shared, at: &mut usize) {
        while *at < self.order.len() {
            if let Some(object) = shared.object(self.order[*at]) {
                object.bases().for_each(|base| self.follow(base));
            }
            *at += 1;
        }
    }
}
