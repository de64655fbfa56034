//! What kinds of steps look at, of actors and of views beside them.
//!
//! **Promised** by the front end, where there is memory:
//!
//! 1. A step of [`StepsBeside`] looks at the bits in `reads` alone, of any slot: of what else
//!    belongs to an actor, or is a code of the element in the view, its other effects are
//!    independent, and it may be left undefined.
//! 2. A step looks at no node but those that a value it looks at names, and fresh ones that it
//!    takes. What it does to all nodes in a loop, it does to each by itself.
//!
//! So of an actor only a *company* matters: its view without the values that the step does not
//! look at, and without the nodes that only these reach. Such a node no element in the view
//! reaches either, or else it is in its view: so the element sees the same step. Whether the step
//! loses such a node, or leaves a doubt about one, the actor's own steps show, from all of its
//! view.

use std::collections::BTreeMap;

use model::parameterized::{ParameterizedSystem, StepsBeside};
use rustc_hash::FxHashSet;

use super::super::company::looks_at;
use super::composition::seen_from_second;
use super::layout::Layout;
use super::sight::{Reached, View};
use super::values::Value;
use crate::rejection::Rejection;

/// Kinds of steps that look at the same.
pub(crate) struct Look {
    /// The kinds, by their numbers.
    pub kinds: Vec<usize>,
    /// The codes of the element in a view that they do not look at: cells of slot 0.
    pub unread: Vec<usize>,
    /// What they do not look at of an actor, by the cells of slot 0 that mean the same.
    unread_of_actor: Vec<usize>,
    /// Values that may name elements and that they look at: of nobody, of nodes, or of an actor,
    /// by the cells of slot 0.
    names: Vec<usize>,
}

impl Look {
    /// The kinds of steps of a system, by what they look at.
    pub(crate) fn all(
        system: &dyn ParameterizedSystem,
        layout: &Layout,
    ) -> Result<Vec<Look>, Rejection> {
        let mut looks: BTreeMap<[Vec<usize>; 3], Vec<usize>> = BTreeMap::new();
        for kind in 0..system.n_beside() {
            let beside = system.beside(kind);
            if beside.n_actors != 1 || layout.n_slots < 2 {
                return Err(Rejection::malformed("with memory, one actor steps beside a view"));
            }
            if beside.reads.len() < layout.state_words {
                return Err(Rejection::malformed("it is not known what steps look at"));
            }
            looks.entry(cells_of_look(layout, &beside)).or_default().push(kind);
        }
        let looks = looks.into_iter().map(|([unread, unread_of_actor, names], kinds)| Look {
            kinds,
            unread,
            unread_of_actor,
            names,
        });
        Ok(looks.collect())
    }

    /// What is left of the elements that see these views, as actors.
    pub(crate) fn companies(&self, layout: &Layout, views: &[&View]) -> Vec<View> {
        let mut known = FxHashSet::default();
        let companies = views.iter().filter_map(|view| {
            let mut values = view.values.clone();
            self.unread_of_actor.iter().for_each(|idx| values[*idx] = Value::Code(0));
            let reduced = Reached::new(layout, &values, 1).view_of_first(layout, &values);
            known.insert(layout.packed(&reduced.values)).then_some(reduced)
        });
        companies.collect()
    }

    /// Is there an element that an actor cannot tell from others, and that is looked at? It may
    /// be the one in the view or not.
    pub(crate) fn is_unsure(&self, company: &View) -> bool {
        self.names.iter().any(|idx| company.values[*idx] == Value::Rest)
    }
}

/// The state of an actor in slot 1, beside a view of which nothing is known.
pub(crate) fn alone(layout: &Layout, company: &View) -> Box<[u64]> {
    let same: Vec<u32> = (0..layout.n_nodes as u32).collect();
    let mut values: Vec<Value> =
        company.values.iter().map(|value| seen_from_second(*value, &same)).collect();
    for (first, second) in layout.owned[0].iter().zip(&layout.owned[1]) {
        values[*second] = std::mem::replace(&mut values[*first], Value::Code(0));
    }
    layout.packed(&values)
}

fn cells_of_look(layout: &Layout, beside: &StepsBeside<'_>) -> [Vec<usize>; 3] {
    let is_read = |idx: &usize| looks_at(&layout.cells[*idx], beside.reads);
    let is_code = |idx: &usize| {
        let cell = &layout.cells[*idx];
        cell.first_code.is_none() && cell.first_node_code.is_none()
    };
    let of_view = layout.owned[0].iter().filter(|idx| is_code(idx) && !is_read(idx));
    let places = || layout.owned[0].iter().zip(&layout.owned[1]);
    let of_actor = places().filter(|(_, second)| !is_read(second)).map(|(first, _)| first);
    let read_of_actor = places().filter(|(_, second)| is_read(second)).map(|(first, _)| first);
    let of_nobody = layout.shared.iter().chain(layout.nodes.iter().flatten());
    let names = of_nobody.filter(|idx| is_read(idx)).chain(read_of_actor);
    let names = names.filter(|idx| layout.cells[**idx].first_code.is_some());
    [of_view.copied().collect(), of_actor.copied().collect(), names.copied().collect()]
}
