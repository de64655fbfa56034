//! What steps beside a view look at, of the view and of their actor.
//!
//! **Relies on** what front ends promise of steps beside views with memory:
//!
//! 1. They look at the bits in [`StepsBeside::reads`] alone, of any slot. What else belongs to the
//!    actor may be left undefined, and codes of the view may be other ones: it makes no difference
//!    to what is computed, but that these stay what they are unless they are written.
//! 2. They look at no node and change none but those that a value they look at names, and fresh
//!    ones. Where they go through all nodes, they look at all values that name nodes.
//! 3. Whether a step that is `guarded_by_actors` may be taken depends on nothing that belongs to
//!    the element in the view, nor on nodes that only this one reaches.
//!
//! So all actors are the same that agree in what is looked at, and in the nodes that this
//! reaches. Of each other node of an actor the step leaves what it is. If the element in the view
//! reaches it, its view shows it. Whether the actor loses it, or keeps it while its step takes it
//! for unreached, the actor's own steps show, from all of its view.

use std::collections::BTreeMap;

use model::parameterized::{ParameterizedSystem, StepsBeside};
use rustc_hash::FxHashSet;

use super::super::company::looks_at;
use super::composition::{MAX_OPEN, seen_from_second};
use super::layout::Layout;
use super::sight::{Reached, View};
use super::values::Value;
use crate::rejection::Rejection;

/// What steps look at, and what they do not.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Look {
    /// The codes of the element in a view that they do not look at: cells of slot 0.
    pub unread: Vec<usize>,
    /// Do they look at nothing that belongs to the element in a view?
    pub is_at_actor: bool,
    /// What they do not look at of an actor, by the cells of slot 0 that mean the same.
    unread_of_actor: Vec<usize>,
    /// Values that may name elements and that they look at: of nobody, of nodes, or of an actor,
    /// by the cells of slot 0.
    names: Vec<usize>,
}

/// What there is to look at, and the kinds of steps that do, by their numbers.
pub(crate) type Looks = BTreeMap<Look, Vec<usize>>;

/// The kinds of steps of a system, by what they look at.
pub(crate) fn looks(system: &dyn ParameterizedSystem, layout: &Layout) -> Result<Looks, Rejection> {
    let mut looks = Looks::new();
    for kind in 0..system.n_beside() {
        let beside = system.beside(kind);
        if beside.n_actors != 1 || layout.n_slots < 2 {
            return Err(Rejection::malformed("with memory, one actor steps beside a view"));
        }
        if beside.reads.len() < layout.state_words {
            return Err(Rejection::malformed("it is not known what steps look at"));
        }
        looks.entry(Look::new(layout, &beside)).or_default().push(kind);
    }
    Ok(looks)
}

impl Look {
    fn new(layout: &Layout, beside: &StepsBeside<'_>) -> Look {
        let is_read = |idx: &usize| looks_at(&layout.cells[*idx], beside.reads);
        let is_code = |idx: &usize| {
            let cell = &layout.cells[*idx];
            cell.first_code.is_none() && cell.first_node_code.is_none()
        };
        let of_view = layout.owned[0].iter().copied();
        let is_at_actor = !of_view.clone().any(|idx| is_read(&idx));
        let places = layout.owned[0].iter().copied().zip(&layout.owned[1]);
        let (of_actor, unread_of_actor): (Vec<_>, Vec<_>) =
            places.partition(|(_, second)| is_read(second));
        let of_nobody = layout.shared.iter().chain(layout.nodes.iter().flatten()).copied();
        let names = of_nobody.filter(is_read).chain(of_actor.iter().map(|(first, _)| *first));
        Look {
            unread: of_view.filter(|idx| is_code(idx) && !is_read(idx)).collect(),
            is_at_actor,
            unread_of_actor: unread_of_actor.iter().map(|(first, _)| *first).collect(),
            names: names.filter(|idx| layout.cells[*idx].first_code.is_some()).collect(),
        }
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

    /// The states of an actor in slot 1 beside a view of which nothing is known, one for each way
    /// in which the element in the view is one that the actor names and the steps look at. `None`
    /// if there are too many.
    pub(crate) fn alone(&self, layout: &Layout, actor: &View) -> Option<Vec<Box<[u64]>>> {
        let same: Vec<u32> = (0..layout.n_nodes as u32).collect();
        let seen = |value: &Value| seen_from_second(*value, &same);
        let mut values: Vec<Value> = actor.values.iter().map(seen).collect();
        let is_open = |idx: &&usize| actor.values[**idx] == Value::Rest;
        let mut open: Vec<usize> = self.names.iter().filter(is_open).copied().collect();
        for (first, second) in layout.owned[0].iter().zip(&layout.owned[1]) {
            values[*second] = std::mem::replace(&mut values[*first], Value::Code(0));
            open.iter_mut().filter(|idx| *idx == first).for_each(|idx| *idx = *second);
        }
        let states = (0..1_u32 << open.len().min(MAX_OPEN)).map(|choice| {
            for (place, idx) in open.iter().enumerate() {
                let is_in_view = choice >> place & 1 == 1;
                values[*idx] = if is_in_view { Value::Element(0) } else { Value::Rest };
            }
            layout.packed(&values)
        });
        (open.len() <= MAX_OPEN).then(|| states.collect())
    }
}
