//! Produces the kinds of threads that a proof tells apart, from the program's templates: see
//! `model::ViewMember`.

use std::collections::BTreeMap;

use model::{Multiplicity, Store, ThreadCount, ThreadProgram};

use crate::rejection::Rejection;

/// Threads at the start that are alike: those of a template with a fixed number, or those of
/// all others.
pub(super) struct Crowd {
    /// Their kind.
    pub kind: Option<u32>,
    /// How many they are; `None`: any number.
    pub n_threads: Option<u32>,
    /// Where each of them may start.
    pub initial: Vec<Store>,
}

/// The threads at the start, and how many there are of each kind.
pub(super) struct Kinds {
    pub crowds: Vec<Crowd>,
    sizes: BTreeMap<u32, u32>,
}

impl Kinds {
    pub(super) fn new(
        program: &dyn ThreadProgram,
        scope: ThreadCount,
        level: u32,
    ) -> Result<Kinds, Rejection> {
        let templates = program.templates();
        let fixed = templates.iter().filter_map(|template| match template.multiplicity {
            Multiplicity::Exactly(n) => Some(u64::from(n)),
            Multiplicity::Any => None,
        });
        let n_fixed: u64 = fixed.sum();
        let is_free = |multiplicity| multiplicity == Multiplicity::Any;
        let first_free = templates.iter().position(|t| is_free(t.multiplicity));
        let n_free = match scope {
            ThreadCount::Any => None,
            ThreadCount::Exactly(n) => {
                let left = u64::from(n).checked_sub(n_fixed).and_then(|n| u32::try_from(n).ok());
                let left = left.filter(|&left| left == 0 || first_free.is_some());
                let no_run = || Rejection::malformed("no run starts with so many threads");
                Some(left.ok_or_else(no_run)?)
            }
            ThreadCount::AsGiven => {
                return Err(Rejection::malformed("the proof does not say for how many threads"));
            }
        };
        let mut crowds = Vec::new();
        for (idx, template) in templates.iter().enumerate() {
            if let Multiplicity::Exactly(n) = template.multiplicity {
                crowds.push((idx, Some(n), template.initial.clone()));
            }
        }
        if let Some(first) = first_free {
            let free = templates.iter().filter(|t| is_free(t.multiplicity));
            let initial = free.flat_map(|template| template.initial.iter().cloned());
            crowds.push((first, n_free, initial.collect()));
        }
        let mut sizes = BTreeMap::new();
        let crowds = crowds.into_iter().map(|(first, n_threads, initial)| {
            let bounded = n_threads.filter(|&n| n <= level);
            let kind = bounded.map(|_| first as u32);
            sizes.extend(kind.zip(bounded));
            Crowd { kind, n_threads, initial }
        });
        let crowds = crowds.collect();
        Ok(Kinds { crowds, sizes })
    }

    /// How many threads of a kind there are; `None`: there is no such kind.
    pub(super) fn size(&self, kind: u32) -> Option<u32> {
        self.sizes.get(&kind).copied()
    }
}
