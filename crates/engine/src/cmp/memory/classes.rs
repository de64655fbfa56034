//! Views and possible actors beside them, by what they share.
//!
//! A *company* is what an actor is as far as its step looks at it: a view in which its other
//! values are undefined. Many views make the same company.

use super::super::store::Numbered;
use super::compose::Trouble;
use super::layout::Layout;
use super::shape::Reached;

/// All classes, each of one shared part.
pub(super) struct Classes {
    shared: Numbered,
    classes: Vec<Class>,
    /// All companies, as states.
    companies: Numbered,
    reached: Vec<Reached>,
    /// The rules by which each may act.
    rules: Vec<Vec<u32>>,
}

/// What there is with one shared part.
#[derive(Debug, Default)]
pub(super) struct Class {
    /// Views.
    pub members: Vec<u32>,
    /// Companies with steps that may matter to others.
    pub companies: Vec<u32>,
    /// Nodes of any view, and those that only its element sees, at the most.
    most: (usize, usize),
}

impl Classes {
    pub(super) fn new(words: usize) -> Classes {
        Classes {
            shared: Numbered::new(words),
            classes: Vec::new(),
            companies: Numbered::new(words),
            reached: Vec::new(),
            rules: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.classes.len()
    }

    pub(super) fn n_companies(&self) -> usize {
        self.companies.len()
    }

    /// The class of views with this shared part.
    pub(super) fn number(&mut self, shared: &[u64]) -> usize {
        let (number, is_new) = self.shared.insert(shared);
        if is_new {
            self.classes.push(Class::default());
        }
        number as usize
    }

    pub(super) fn class(&self, number: usize) -> &Class {
        &self.classes[number]
    }

    /// Adds a view to a class.
    pub(super) fn add_member(
        &mut self,
        class: usize,
        (view, reached): (u32, Reached),
        layout: &Layout,
    ) -> Result<(), Trouble> {
        let class = &mut self.classes[class];
        class.members.push(view);
        class.most.0 = class.most.0.max(reached.seen);
        class.most.1 = class.most.1.max(reached.seen - reached.shared);
        // Whoever checks the proof composes all views, also those that nothing follows from.
        match class.most.0 + class.most.1 + layout.n_spare > layout.n_nodes {
            true => Err(Trouble::Nodes),
            false => Ok(()),
        }
    }

    /// Adds a company that may act by a rule. Gives its number unless that was known.
    pub(super) fn add_company(
        &mut self,
        class: usize,
        (state, reached): (&[u64], Reached),
        rule: u32,
    ) -> Option<u32> {
        let (number, is_new) = self.companies.insert(state);
        if is_new {
            self.classes[class].companies.push(number);
            self.reached.push(reached);
            self.rules.push(Vec::new());
        }
        let rules = &mut self.rules[number as usize];
        let is_known = rules.contains(&rule);
        if !is_known {
            rules.push(rule);
        }
        (!is_known).then_some(number)
    }

    /// A company, as a state.
    pub(super) fn company(&self, number: u32) -> (&[u64], Reached) {
        (self.companies.get(number), self.reached[number as usize])
    }

    /// The rules by which a company may act.
    pub(super) fn rules(&self, company: u32) -> &[u32] {
        &self.rules[company as usize]
    }
}
