//! Which steps of an element matter to others that see the same shared part.
//!
//! A step beside a view need be taken only where it changes something that is not its actor's
//! own. Where it looks at nothing that belongs to the view, what it changes is the same whatever
//! the view is, so it is tried once for each actor, alone.
//!
//! What it writes to the view must not depend on what stands there: so it is tried with several
//! *samples* of what belongs to the element of a view. For each value of the element that differs
//! between views they have two that differ, one of which differs from whatever is written.
//!
//! **Sound for** steps that look at no node and change none that their actor does not reach, but
//! for fresh ones; as only what elements reach is in views, no others can be shown by them.

use model::parameterized::ParameterizedSystem;
use model::{Limits, Stepper, StopReason, Successors};

use super::compose::Seen;
use super::layout::{FIELD, Layout, OWN, SHARED};

/// Steps of one rule, as far as they can be tried alone.
struct Rule<'a> {
    stepper: Box<dyn Stepper + Send + 'a>,
    /// Does it look at nothing that belongs to the element of the view?
    is_alone: bool,
    /// The same for its guard.
    is_guarded_alone: bool,
    /// The values that may name elements and that it looks at: shared ones, of its actor, of nodes.
    elements: [Vec<usize>; 3],
    /// The values of its actor that it does not look at.
    unread: Vec<usize>,
}

/// Tries steps of elements alone.
pub(super) struct Effects<'a> {
    layout: &'a Layout,
    rules: Vec<Rule<'a>>,
    /// What belongs to elements of some views.
    samples: Vec<Vec<u64>>,
    /// For each value of an element, what it is in the first view, and whether there is a sample
    /// that has another.
    known: Vec<(u64, bool)>,
    values: Vec<u64>,
    state: Vec<u64>,
    bits_of_actor: Vec<u64>,
    out: Successors,
}

impl<'a> Effects<'a> {
    pub(super) fn new(
        system: &'a dyn ParameterizedSystem,
        layout: &'a Layout,
        limits: &Limits,
    ) -> Effects<'a> {
        let rules = (0..system.n_beside()).map(|idx| {
            let beside = system.beside(idx);
            let reads = |at: &usize| layout.touches(*at, beside.reads);
            let mut view = layout.slot(0)..layout.slot(1);
            let of_elements = |starts: Vec<usize>, kind: usize| -> Vec<usize> {
                let is_read = |at: &usize| starts.iter().any(|start| reads(&(start + at)));
                layout.elements[kind].iter().copied().filter(is_read).collect()
            };
            let nodes = (0..layout.n_nodes).map(|node| layout.node(node)).collect();
            let actor = layout.slot(1)..layout.slot(1) + layout.n_own;
            let unread = actor.clone().filter(|at| !reads(at)).map(|at| at - actor.start);
            Rule {
                unread: unread.collect(),
                stepper: beside.system.stepper(limits),
                is_alone: !view.any(|at| reads(&at)),
                is_guarded_alone: beside.guarded_by_actors,
                elements: [
                    of_elements(vec![0], SHARED),
                    of_elements(vec![layout.slot(1)], OWN),
                    of_elements(nodes, FIELD),
                ],
            }
        });
        Effects {
            layout,
            rules: rules.collect(),
            samples: Vec::new(),
            known: Vec::new(),
            values: vec![0; layout.places.len()],
            state: vec![0; layout.state_words],
            bits_of_actor: if layout.n_slots > 1 { layout.bits_of_slot(1) } else { Vec::new() },
            out: Successors::new(layout.state_words),
        }
    }

    pub(super) fn n_samples(&self) -> usize {
        self.samples.len()
    }

    /// Takes a view as a sample if it shows a value that is missing.
    pub(super) fn learn(&mut self, view: &[u64]) {
        let own = &view[self.layout.slot(0)..self.layout.slot(1)];
        if self.samples.is_empty() {
            self.known = own.iter().map(|value| (*value, false)).collect();
            self.samples.push(own.to_vec());
            return;
        }
        let mut is_new = false;
        for ((first, has_other), value) in self.known.iter_mut().zip(own) {
            is_new |= !*has_other && first != value;
            *has_other |= first != value;
        }
        if is_new {
            self.samples.push(own.to_vec());
        }
    }

    /// Adds the steps of an actor that may matter to a view beside which it is, to `out`.
    pub(super) fn that_matter(
        &mut self,
        actor: &Seen,
        out: &mut Vec<u32>,
    ) -> Result<(), StopReason> {
        for rule in 0..self.rules.len() {
            if self.matters(rule, actor)? {
                out.push(rule as u32);
            }
        }
        Ok(())
    }

    /// Undefines what a rule does not look at of its actor's own, given as a view.
    pub(super) fn reduce(&self, rule: u32, actor: &mut [u64]) {
        let start = self.layout.slot(0);
        self.rules[rule as usize].unread.iter().for_each(|at| actor[start + at] = 0);
    }

    fn matters(&mut self, rule: usize, actor: &Seen) -> Result<bool, StopReason> {
        let Rule { is_alone, is_guarded_alone, .. } = self.rules[rule];
        if !is_alone && !is_guarded_alone || self.looks_at_the_rest(rule, actor) {
            return Ok(true);
        }
        for sample in 0..self.samples.len() {
            self.put_alone(actor, sample);
            self.out.clear();
            self.rules[rule].stepper.expand(&self.state, &mut self.out)?;
            let is_odd = !self.out.faults.is_empty() || !self.out.take_omissions().is_empty();
            if self.out.n_enabled == 0 && !is_odd {
                return Ok(false);
            }
            if is_odd || !is_alone || self.changes_more() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Does it look at a value that may name the element of the view or not?
    fn looks_at_the_rest(&self, rule: usize, actor: &Seen) -> bool {
        let layout = self.layout;
        let [shared, own, field] = &self.rules[rule].elements;
        let is_rest = |at: usize| actor.values[at] == layout.rest(at);
        let mut nodes = (0..actor.reached.seen).map(|node| layout.node(node));
        shared.iter().any(|at| is_rest(*at))
            || own.iter().any(|at| is_rest(layout.slot(0) + at))
            || nodes.any(|start| field.iter().any(|at| is_rest(start + at)))
    }

    /// The state of an actor beside a sample.
    fn put_alone(&mut self, actor: &Seen, sample: usize) {
        let layout = self.layout;
        let [first, second] = [layout.slot(0), layout.slot(1)];
        self.values.copy_from_slice(&actor.values);
        self.values[second..second + layout.n_own].copy_from_slice(&actor.values[first..second]);
        self.move_names((0, SHARED));
        self.move_names((second, OWN));
        for node in 0..actor.reached.seen {
            self.move_names((layout.node(node), FIELD));
        }
        self.values[first..second].copy_from_slice(&self.samples[sample]);
        layout.write(&self.values, &mut self.state);
    }

    fn move_names(&mut self, (start, kind): (usize, usize)) {
        for at in self.layout.elements[kind].iter().map(|element| start + element) {
            if self.values[at] == self.layout.places[at].first {
                self.values[at] += 1;
            }
        }
    }

    /// Does a step change more than what is its actor's own?
    fn changes_more(&self) -> bool {
        (0..self.out.len()).any(|idx| {
            let mut words = self.out.state(idx).iter().zip(&self.state).zip(&self.bits_of_actor);
            words.any(|((after, before), own)| (after ^ before) & !own != 0)
        })
    }
}
