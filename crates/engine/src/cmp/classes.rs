//! Which actors may stand beside which elements, as far as the views show it.
//!
//! A *class* is what some elements of a view are together, with the shared part. Its members
//! are the views that have it; its companies are what actors beside those elements may be: so
//! much of it as a group of steps looks at.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use super::space::SlotSet;
use super::store::Numbered;

/// Steps of a group, one bit each.
pub(super) type StepSet = u64;

/// The number of a class.
pub(super) type ClassId = u32;

/// All classes.
pub(super) struct Classes {
    words: usize,
    n_kinds: usize,
    /// The classes of each context, by what the elements are.
    by_context: Vec<Numbered>,
    /// The class of each of those.
    numbers: Vec<Vec<ClassId>>,
    classes: Vec<Class>,
}

struct Class {
    members: Vec<u32>,
    companies: Vec<Option<Box<Companies>>>,
}

/// What actors may be, found by what is known of them.
struct Companies {
    all: Numbered,
    /// The steps that each of them may take.
    steps: Vec<StepSet>,
    /// Those that may take any.
    active: Vec<u32>,
    /// For each way in which something is known, the companies by that.
    by_known: Vec<Index>,
}

impl Companies {
    fn new(words: usize) -> Companies {
        Companies {
            all: Numbered::new(words),
            steps: Vec::new(),
            active: Vec::new(),
            by_known: Vec::new(),
        }
    }
}

/// Companies by some of their bits.
struct Index {
    /// The way in which those bits are known.
    way: usize,
    /// How many of the companies that may step are in it.
    n_indexed: usize,
    /// Their numbers, by the hash of those bits.
    numbers: FxHashMap<u64, Vec<u32>>,
}

/// Which companies are meant: those of a constraint of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind(pub usize);

impl Classes {
    /// No class yet.
    pub(super) fn new(contexts: &[SlotSet], n_kinds: usize, words: usize) -> Classes {
        Classes {
            words,
            n_kinds,
            by_context: contexts.iter().map(|_| Numbered::new(words)).collect(),
            numbers: vec![Vec::new(); contexts.len()],
            classes: Vec::new(),
        }
    }

    /// The class of elements in a context that are so.
    pub(super) fn class(&mut self, context: usize, elements: &[u64]) -> ClassId {
        let (number, is_new) = self.by_context[context].insert(elements);
        if is_new {
            self.numbers[context].push(self.classes.len() as ClassId);
            let companies = std::iter::repeat_with(|| None).take(self.n_kinds).collect();
            self.classes.push(Class { members: Vec::new(), companies });
        }
        self.numbers[context][number as usize]
    }

    /// Adds a view to a class.
    pub(super) fn add_member(&mut self, class: ClassId, view: u32) {
        self.classes[class as usize].members.push(view);
    }

    /// Views of a class, by their place in the order in which they came.
    pub(super) fn member(&self, class: ClassId, idx: usize) -> Option<u32> {
        self.classes[class as usize].members.get(idx).copied()
    }

    /// Adds what actors may be, with the steps that they may take so; those are asked for if it
    /// is new. Gives them in this case.
    pub(super) fn add_company<E>(
        &mut self,
        (class, kind): (ClassId, Kind),
        company: &[u64],
        steps: impl FnOnce() -> Result<StepSet, E>,
    ) -> Result<Option<StepSet>, E> {
        let words = self.words;
        let companies = &mut self.classes[class as usize].companies[kind.0];
        let companies = companies.get_or_insert_with(|| Box::new(Companies::new(words)));
        if !companies.all.insert(company).1 {
            return Ok(None);
        }
        let steps = steps()?;
        if steps != 0 {
            companies.active.push(companies.steps.len() as u32);
        }
        companies.steps.push(steps);
        Ok(Some(steps))
    }

    /// Adds to `out` whatever actors may be that agrees with `joint` in the bits `known`, whose
    /// number is `way`.
    pub(super) fn agreeing(
        &mut self,
        (class, kind): (ClassId, Kind),
        (way, known): (usize, &[u64]),
        (joint, allowed): (&[u64], StepSet),
        (out, steps_out): (&mut Vec<u64>, &mut Vec<StepSet>),
    ) {
        let Some(companies) = &mut self.classes[class as usize].companies[kind.0] else { return };
        let Companies { all, steps, active, by_known } = companies.as_mut();
        let mut take = |number: u32, company: &[u64]| {
            let steps = allowed & steps[number as usize];
            if steps != 0 {
                out.extend_from_slice(company);
                steps_out.push(steps);
            }
        };
        if known.iter().all(|word| *word == 0) {
            active.iter().for_each(|number| take(*number, all.get(*number)));
            return;
        }
        let at = by_known.iter().position(|index| index.way == way).unwrap_or_else(|| {
            by_known.push(Index { way, n_indexed: 0, numbers: FxHashMap::default() });
            by_known.len() - 1
        });
        let index = &mut by_known[at];
        for number in &active[index.n_indexed..] {
            let hash = hash_of(all.get(*number), known);
            index.numbers.entry(hash).or_default().push(*number);
        }
        index.n_indexed = active.len();
        let Some(numbers) = index.numbers.get(&hash_of(joint, known)) else { return };
        for number in numbers {
            let company = all.get(*number);
            let mut bits = company.iter().zip(joint).zip(known);
            if bits.all(|((one, other), known)| (one ^ other) & known == 0) {
                take(*number, company);
            }
        }
    }

    /// Number of classes.
    pub(super) fn len(&self) -> usize {
        self.classes.len()
    }
}

fn hash_of(bits: &[u64], mask: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    bits.iter().zip(mask).for_each(|(word, mask)| hasher.write_u64(word & mask));
    hasher.finish()
}
