//! Classes of threads that are counted: nobody, one thread, or several.
//!
//! The counts are part of the world that all threads see, so a thread may rely on them: what
//! only the one member of a class does, nobody else does while a member stays.

use model::{ExposedClass, PushdownProgram, Store};

/// Classes that are counted at most: their counts are one number.
pub(super) const MAX_CLASSES: usize = 16;

/// For each class two bits: 0, 1, or 2 for several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Counts(u32);

/// The classes that a thread belongs to, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Members(pub u32);

/// The classes that are exposed, and how to tell who belongs to them.
pub(super) struct Classes<'p> {
    pub program: &'p dyn PushdownProgram,
    pub exposed: Vec<ExposedClass>,
}

impl Counts {
    pub fn get(self, class: usize) -> u8 {
        (self.0 >> (2 * class) & 3) as u8
    }

    pub fn with(self, class: usize, count: u8) -> Counts {
        Counts(self.0 & !(3 << (2 * class)) | u32::from(count.min(2)) << (2 * class))
    }
}

impl Members {
    pub fn has(self, class: usize) -> bool {
        self.0 >> class & 1 == 1
    }

    fn with(self, class: usize, is_member: bool) -> Members {
        Members(self.0 & !(1 << class) | u32::from(is_member) << class)
    }
}

impl Classes<'_> {
    /// What a thread belongs to that has taken `took` and has this top.
    pub fn members(&self, took: Members, top: &Store) -> Members {
        let mut members = Members::default();
        for (class, exposed) in self.exposed.iter().enumerate() {
            let is_member = match *exposed {
                ExposedClass::Took { .. } => took.has(class),
                ExposedClass::Started { root } => self.program.root(top.bytes()) == root,
                ExposedClass::At { location } => self.program.location(top.bytes()) == location,
            };
            members = members.with(class, is_member);
        }
        members
    }

    /// What a thread has taken after its own step.
    pub fn took(&self, mut took: Members, before: &Store, after: &Store) -> Members {
        for (class, exposed) in self.exposed.iter().enumerate() {
            let ExposedClass::Took { variable } = *exposed else { continue };
            let value = |store: &Store| self.program.variable(store.bytes(), variable);
            if value(before) != value(after) {
                took = took.with(class, value(after));
            }
        }
        took
    }

    /// The counts after a thread with `before` became threads with `after`, in all ways:
    /// where one of several leaves, one or several stay.
    pub fn moved(&self, counts: Counts, before: Option<Members>, after: &[Members]) -> Vec<Counts> {
        let mut all = vec![counts];
        for class in 0..self.exposed.len() {
            let leaves = before.is_some_and(|members| members.has(class));
            let comes = after.iter().filter(|members| members.has(class)).count();
            let then = counts_after(counts.get(class), leaves, comes);
            all = all
                .into_iter()
                .flat_map(|counts| then.iter().map(move |&count| counts.with(class, count)))
                .collect();
        }
        all
    }

    /// Can two threads be members like this at the same time?
    pub fn may_meet(&self, counts: Counts, one: Members, other: Members) -> bool {
        (0..self.exposed.len())
            .all(|class| u8::from(one.has(class)) + u8::from(other.has(class)) <= counts.get(class))
    }
}

/// How many there may be in a class after one of them left it, or nobody did, and some came.
fn counts_after(now: u8, leaves: bool, comes: usize) -> Vec<u8> {
    match (leaves, comes) {
        (true, 0) if now == 2 => vec![1, 2],
        (true, 0) => vec![now.saturating_sub(1)],
        (true, n) => vec![now.saturating_add(n as u8 - 1)],
        (false, n) => vec![now.saturating_add(n as u8)],
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, Members, counts_after};

    #[test]
    fn counts_end_at_several() {
        let counts = Counts::default().with(3, 1).with(0, 7);
        assert_eq!([0, 1, 3].map(|class| counts.get(class)), [2, 0, 1]);
        assert!(Members(0b10).has(1) && !Members(0b10).has(0));
    }

    #[test]
    fn of_several_that_one_leaves_one_or_several_stay() {
        assert_eq!(counts_after(2, true, 0), [1, 2]);
        assert_eq!(counts_after(1, true, 0), [0]);
        assert_eq!(counts_after(1, true, 1), [1]);
        assert_eq!(counts_after(0, false, 1), [1]);
    }
}
