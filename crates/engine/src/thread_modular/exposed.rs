//! What is said of all threads, whether a view shows them or not: how many of them are in
//! each exposed class of local stores, as none, one, or more.
//!
//! A step changes a count by what it does to the threads that are seen: those that are not
//! seen stay where they are, unless a broadcast moves them. Of more than one, it is not known
//! how many: when one leaves, one or more are left.
//!
//! Whoever holds a lock is in a class from the start, where the program says who does: that
//! there is one of them at most is what most proofs need.

use crate::kernel::step_table::{LocalId, StepTable};

/// More classes than anybody exposes.
pub const MAX_CLASSES: usize = 16;

/// Stands for two threads and more.
pub const MANY: u32 = 2;

/// For each class how many threads are in it, packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Counts(u32);

impl Counts {
    /// The count of one class.
    pub fn of(self, class: usize) -> u32 {
        self.0 >> (2 * class) & 3
    }

    /// The same with the count of one class changed.
    #[must_use]
    pub fn with(self, class: usize, count: u32) -> Counts {
        Counts(self.0 & !(3 << (2 * class)) | count.min(MANY) << (2 * class))
    }
}

/// A set of local stores.
#[derive(Clone, Debug, Default)]
pub struct Class {
    /// Its members, sorted.
    pub members: Vec<LocalId>,
    /// What a thread there has done, as in "one of them `took m`", if that says it all.
    pub deed: Option<String>,
}

/// The classes.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    /// Each of them.
    pub all: Vec<Class>,
    /// By local store, in which classes it is.
    of_local: Vec<u32>,
    /// The classes of those who hold a lock, by its name; they come after all others.
    locks: Vec<(u64, usize)>,
    /// Local stores of which it is known what they hold.
    n_learnt: usize,
}

impl Classes {
    /// These classes.
    pub fn new(mut all: Vec<Class>) -> Classes {
        all.truncate(MAX_CLASSES);
        let mut of_local = Vec::new();
        for (class, Class { members, .. }) in all.iter_mut().enumerate() {
            members.sort_unstable();
            members.dedup();
            for local in members.iter() {
                if of_local.len() <= local.idx() {
                    of_local.resize(local.idx() + 1, 0);
                }
                of_local[local.idx()] |= 1 << class;
            }
        }
        Classes { all, of_local, locks: Vec::new(), n_learnt: 0 }
    }

    /// The same classes for another closure, which counts who holds a lock from its start.
    #[must_use]
    pub fn counted_from_the_start(&self) -> Classes {
        let mut classes = Classes::new(self.chosen().to_vec());
        for lock in self.locks() {
            classes.class_of(lock);
        }
        classes
    }

    /// The classes that are not about locks.
    pub fn chosen(&self) -> &[Class] {
        &self.all[..self.all.len() - self.locks.len()]
    }

    /// The locks that classes are about, with their names.
    pub fn locks(&self) -> impl Iterator<Item = u64> + '_ {
        self.locks.iter().map(|&(lock, _)| lock)
    }

    /// Puts local stores that were met since the last time into the classes of the locks
    /// that they hold. A class that is new had no member before.
    pub fn learn(&mut self, table: &StepTable<'_>) {
        let mut held = Vec::new();
        for idx in self.n_learnt..table.all_local().len() {
            held.clear();
            table.program().locks_held(table.all_local()[idx].bytes(), &mut held);
            for &lock in &held {
                if let Some(class) = self.class_of(lock) {
                    self.put(LocalId(idx as u32), class);
                }
            }
        }
        self.n_learnt = table.all_local().len();
    }

    /// The class of those who hold a lock; `None` if there are too many classes.
    fn class_of(&mut self, lock: u64) -> Option<usize> {
        if let Some(&(_, class)) = self.locks.iter().find(|(known, _)| *known == lock) {
            return Some(class);
        }
        let class = self.all.len();
        if class == MAX_CLASSES {
            return None;
        }
        self.all.push(Class::default());
        self.locks.push((lock, class));
        Some(class)
    }

    fn put(&mut self, local: LocalId, class: usize) {
        if self.of_local.len() <= local.idx() {
            self.of_local.resize(local.idx() + 1, 0);
        }
        if self.of_local[local.idx()] >> class & 1 == 0 {
            self.of_local[local.idx()] |= 1 << class;
            self.all[class].members.push(local);
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// The classes of a local store, as bits.
    pub fn of(&self, local: LocalId) -> u32 {
        self.of_local.get(local.idx()).copied().unwrap_or(0)
    }

    /// How many of these threads are in a class.
    fn n_in(&self, class: usize, locals: &[LocalId]) -> u32 {
        locals.iter().filter(|&&local| self.of(local) >> class & 1 == 1).count() as u32
    }

    /// May these threads be together with such counts?
    pub fn admit(&self, counts: Counts, locals: &[LocalId]) -> bool {
        (0..self.len()).all(|class| {
            let count = counts.of(class);
            count == MANY || self.n_in(class, locals) <= count
        })
    }

    /// The counts that may hold after a step, given the threads that are seen before it and
    /// after it.
    pub fn after(&self, counts: Counts, seen: Seen<'_>) -> Vec<Counts> {
        let mut all = vec![Counts::default()];
        for class in 0..self.len() {
            let n_before = self.n_in(class, seen.before);
            let n_after = self.n_in(class, seen.after);
            let (fewest, is_exact) = match counts.of(class) {
                _ if seen.moves_others => (0, false),
                MANY => (MANY.saturating_sub(n_before), false),
                count => (count.saturating_sub(n_before), true),
            };
            let least = (fewest + n_after).min(MANY);
            let most = if is_exact { least } else { MANY };
            all = all
                .iter()
                .flat_map(|counts| (least..=most).map(move |count| counts.with(class, count)))
                .collect();
        }
        all
    }

    /// All counts with at least so many and at most so many threads in each class.
    pub fn between(&self, bounds: impl Fn(usize) -> (u64, u64)) -> Vec<Counts> {
        let mut all = vec![Counts::default()];
        let cut = |n: u64| n.min(u64::from(MANY)) as u32;
        for class in 0..self.len() {
            let (least, most) = bounds(class);
            all = all
                .iter()
                .flat_map(|counts| {
                    (cut(least)..=cut(most)).map(move |count| counts.with(class, count))
                })
                .collect();
        }
        all
    }
}

/// The threads that are seen before and after a step.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// Before it.
    pub before: &'a [LocalId],
    /// After it.
    pub after: &'a [LocalId],
    /// May the step move threads that are not seen?
    pub moves_others: bool,
}

#[cfg(test)]
mod tests {
    use super::{Class, Classes, Counts, MANY, Seen};
    use crate::kernel::step_table::LocalId;

    const IN: LocalId = LocalId(3);
    const OUT: LocalId = LocalId(4);

    fn classes(members: &[&[LocalId]]) -> Classes {
        let class = |members: &&[LocalId]| Class { members: members.to_vec(), deed: None };
        Classes::new(members.iter().map(class).collect())
    }

    fn after(count: u32, before: &[LocalId], after: &[LocalId], moves_others: bool) -> Vec<u32> {
        let classes = classes(&[&[LocalId(1)], &[IN, IN]]);
        let counts = Counts::default().with(0, 1).with(1, count);
        let all = classes.after(counts, Seen { before, after, moves_others });
        assert!(moves_others || all.iter().all(|counts| counts.of(0) == 1), "nobody moved there");
        all.iter().map(|counts| counts.of(1)).collect()
    }

    #[test]
    fn the_last_one_that_leaves_leaves_nobody_and_one_of_many_leaves_some() {
        assert_eq!(after(1, &[IN], &[OUT], false), [0]);
        assert_eq!(after(MANY, &[IN], &[OUT], false), [1, MANY]);
        // Two others that are seen stay.
        assert_eq!(after(MANY, &[IN, IN, IN], &[IN, IN, OUT], false), [MANY]);
        assert_eq!(after(0, &[OUT], &[IN], false), [1]);
        assert_eq!(after(1, &[OUT], &[IN, OUT], false), [MANY]);
        assert_eq!(after(1, &[], &[], false), [1]);
    }

    #[test]
    fn a_broadcast_may_bring_anybody_who_is_not_seen() {
        let mut all = after(0, &[OUT], &[IN], true);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all, [1, MANY]);
    }

    #[test]
    fn more_threads_than_are_counted_are_not_admitted() {
        let classes = classes(&[&[IN]]);
        let counts = |n| Counts::default().with(0, n);
        assert!(classes.admit(counts(1), &[IN, OUT]) && !classes.admit(counts(1), &[IN, IN]));
        assert!(classes.admit(counts(MANY), &[IN, IN, IN]) && !classes.admit(counts(0), &[IN]));
    }
}
