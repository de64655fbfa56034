//! Which actors may stand beside which elements, as far as the views show it.
//!
//! A *class* is what some elements of a view are together, with the shared part. Its members
//! are the views that have it; its companies are what actors beside those elements may be: so
//! much of it as a group of steps looks at.

use super::space::SlotSet;
use super::store::Numbered;

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
    companies: Vec<Option<Box<Numbered>>>,
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

    /// Adds what actors may be. Is it new?
    pub(super) fn add_company(&mut self, class: ClassId, kind: Kind, company: &[u64]) -> bool {
        let words = self.words;
        let companies = &mut self.classes[class as usize].companies[kind.0];
        companies.get_or_insert_with(|| Box::new(Numbered::new(words))).insert(company).1
    }

    /// What actors may be.
    pub(super) fn companies(&self, class: ClassId, kind: Kind) -> Option<&Numbered> {
        self.classes[class as usize].companies[kind.0].as_deref()
    }

    /// Number of classes.
    pub(super) fn len(&self) -> usize {
        self.classes.len()
    }
}
