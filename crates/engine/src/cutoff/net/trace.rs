//! Retells a run of threads as a run of the net.

use std::collections::BTreeMap;

use model::{
    Configuration, ControlId, Count, CounterId, CounterStep, CounterTrace, LabelId, Narrator,
    ThreadStep, ThreadTrace, TransitionId, Violation,
};

use super::chain::{OUTSIDE, local_of};
use super::{Edge, NetThreads, Part, number};

/// The net's run behind `trace`: its first configuration is where the first control
/// state is reached, and each completed chain of a transition is a firing.
pub(super) fn counter_trace(net: &NetThreads<'_>, trace: &ThreadTrace) -> Option<CounterTrace> {
    let Violation::Target(target) = trace.violation else { return None };
    let locals = trace.threads.iter().map(|thread| number(thread.bytes()));
    let mut run = TokenRun {
        net,
        shared: number(trace.shared.bytes())?,
        locals: locals.collect::<Option<_>>()?,
        choices: BTreeMap::new(),
    };
    let mut initial = None;
    let mut steps = Vec::new();
    for step in &trace.steps {
        initial = initial.or_else(|| run.configuration());
        if let Some(transition) = run.step(step)? {
            steps.push(CounterStep {
                transition,
                choices: run.take_choices(),
                after: run.configuration()?,
            });
        }
    }
    let is_error = net.errors.get(target) == Some(&run.shared);
    is_error.then_some(())?;
    Some(CounterTrace { initial: initial?, steps, target })
}

/// The threads of a run while it is retold.
struct TokenRun<'a> {
    net: &'a NetThreads<'a>,
    shared: u32,
    locals: Vec<u32>,
    /// How the tokens of moved places divided in the firing that is under way.
    choices: BTreeMap<(CounterId, CounterId), u32>,
}

impl TokenRun<'_> {
    /// The configuration of the net, if no chain is under way.
    fn configuration(&self) -> Option<Configuration> {
        if !self.net.is_control(self.shared) {
            return None;
        }
        let mut counts: BTreeMap<CounterId, u32> = BTreeMap::new();
        for place in self.locals.iter().filter_map(|&local| place_of(local)) {
            *counts.entry(place).or_default() += 1;
        }
        let counts = counts.into_iter().map(|(place, n)| Some((place, Count::finite(n)?)));
        Some(Configuration {
            control: ControlId(self.shared),
            counts: counts.collect::<Option<_>>()?,
        })
    }

    /// Makes a step; gives the transition whose firing it completes. `None` if it is
    /// no step of the net's threads.
    fn step(&mut self, step: &ThreadStep) -> Option<Option<TransitionId>> {
        let edge = *self.edge(step)?;
        let mut after = self.locals.clone();
        for moved in &step.passive {
            *after.get_mut(moved.thread as usize)? = number(moved.local.bytes())?;
        }
        if let (Some(thread), Some(local)) = (step.thread, edge.to_local) {
            after[thread as usize] = local;
        }
        if let Some(transition) = edge.broadcast {
            self.choose(transition, step.thread, &after);
        }
        self.locals = after;
        self.shared = edge.to_shared;
        match edge.part {
            Part::Firing(transition) if self.net.is_control(self.shared) => Some(Some(transition)),
            _ => Some(None),
        }
    }

    /// The step of the net's threads that `step` is.
    fn edge(&self, step: &ThreadStep) -> Option<&Edge> {
        let local = match step.thread {
            None => None,
            Some(thread) => Some(*self.locals.get(thread as usize)?),
        };
        let to_shared = number(step.shared.bytes())?;
        let to_local = step.local.as_ref().and_then(|local| number(local.bytes()));
        let fits = |(label, edge): &(u32, &Edge)| {
            (edge.to_shared, edge.to_local) == (to_shared, to_local)
                && (edge.broadcast.is_some() || step.passive.is_empty())
                && self.net.label(LabelId(*label)).text == step.label
        };
        self.net.edges_from(self.shared, local).find(fits).map(|(_, edge)| edge)
    }

    /// Notes where the tokens of moved places went that had a choice.
    fn choose(&mut self, transition: TransitionId, active: Option<u32>, after: &[u32]) {
        let moves = &self.net.system.transitions[transition.idx()].moves;
        for (thread, (&from, &to)) in self.locals.iter().zip(after).enumerate() {
            let is_passive = active != Some(thread as u32);
            let with_choice =
                moves.iter().find(|m| local_of(m.from) == from && m.to.len() > 1 && is_passive);
            if let (Some(emptied), Some(to)) = (with_choice, place_of(to)) {
                *self.choices.entry((emptied.from, to)).or_default() += 1;
            }
        }
    }

    fn take_choices(&mut self) -> Vec<(CounterId, CounterId, u32)> {
        let choices = std::mem::take(&mut self.choices);
        choices.into_iter().map(|((from, to), n)| (from, to, n)).collect()
    }
}

fn place_of(local: u32) -> Option<CounterId> {
    (local != OUTSIDE).then(|| CounterId(local - 1))
}
