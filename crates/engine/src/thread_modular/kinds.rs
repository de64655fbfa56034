//! Which threads are told apart because there are only so many of them.
//!
//! A thread of a template with exactly one thread is never its own environment. A *kind* is
//! a set of templates with at most as many threads as a view has room for: then a view, or a
//! view and the thread that steps beside it, may have too many of them to exist. More
//! threads than that would never be too many, so all other threads are of no kind, like
//! those that were created.

use model::{Multiplicity, StopReason, Store, ThreadCount, ThreadProgram};

/// Stands for the threads that are of no kind.
pub const NO_KIND: u32 = u32::MAX;

/// A set of templates, with the number of their threads.
#[derive(Clone, Debug)]
pub struct Group {
    /// The kind of its threads.
    pub kind: u32,
    /// How many there are; `None`: any number.
    pub n_threads: Option<u32>,
    /// Where each of them may start.
    pub initial: Vec<Store>,
}

/// The kinds of a program's threads.
#[derive(Clone, Debug)]
pub struct Kinds {
    /// All threads that a run starts with.
    pub groups: Vec<Group>,
}

impl Kinds {
    /// Those that matter in views of `level` threads.
    ///
    /// # Errors
    /// No run starts with so many threads.
    pub fn new(
        program: &dyn ThreadProgram,
        threads: ThreadCount,
        level: u32,
    ) -> Result<Kinds, StopReason> {
        let mut groups = Vec::new();
        let mut free: Option<Group> = None;
        let mut n_fixed = 0u64;
        for (idx, template) in (0u32..).zip(program.templates()) {
            match template.multiplicity {
                Multiplicity::Exactly(n) => {
                    n_fixed += u64::from(n);
                    let initial = template.initial.clone();
                    groups.push(Group { kind: idx, n_threads: Some(n), initial });
                }
                Multiplicity::Any => {
                    let no_thread = Group { kind: idx, n_threads: None, initial: Vec::new() };
                    let free = free.get_or_insert(no_thread);
                    free.initial.extend(template.initial.iter().cloned());
                }
            }
        }
        if let ThreadCount::Exactly(n) = threads {
            let left = u64::from(n).checked_sub(n_fixed).and_then(|left| left.try_into().ok());
            match (&mut free, left) {
                (Some(free), Some(left)) => free.n_threads = Some(left),
                (None, Some(0)) => {}
                _ => {
                    let construct = format!("a run that starts with {n} threads");
                    return Err(StopReason::Unsupported { construct, span: None });
                }
            }
        }
        groups.extend(free);
        for group in &mut groups {
            group.initial.sort();
            group.initial.dedup();
            if group.n_threads.is_none_or(|n| n > level) {
                group.kind = NO_KIND;
            }
        }
        Ok(Kinds { groups })
    }

    /// Is there no kind of which there are few threads?
    pub fn are_all_one(&self) -> bool {
        self.groups.iter().all(|group| group.kind == NO_KIND)
    }

    /// How many threads of a kind there are, at most.
    pub fn cap(&self, kind: u32) -> u32 {
        let group = self.groups.iter().find(|group| group.kind == kind && kind != NO_KIND);
        group.and_then(|group| group.n_threads).unwrap_or(u32::MAX)
    }
}
