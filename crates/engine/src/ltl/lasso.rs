//! Makes the counterexample of what a search found: short, and as steps of the
//! system alone.
//!
//! A depth-first search finds long ways round. So the cycle is replaced by a
//! shortest one through one of its accepting pairs, and the stem by a shortest
//! one to that cycle. Both are breadth-first searches with a ceiling on states
//! that is counted, not timed, so the outcome is the same in every run; where the
//! ceiling or a limit is reached, the long way stays.

use model::{
    Choice, Ending, Fault, FaultPlace, Limits, StateStart, StateStep, StateTrace, Store, Variant,
};

use crate::ltl::nested::{CycleFinding, NestedReport};
use crate::ltl::product::{Edges, Product, ProductHalt};
use crate::ltl::store::StateStore;

/// Pairs that a shortest path may cost beyond twice those that the search met:
/// below this, nobody notices.
const FREE_PAIRS: u64 = 100_000;

/// Expansions between two looks at the limits.
const EXPANSIONS_BETWEEN_LOOKS: u64 = 1 << 10;

type ProductState = Box<[u64]>;

/// A step to a pair; without a choice when the run has ended.
type LassoStep = (Option<Choice>, ProductState);

/// The counterexample of what a search found; `None` when it found nothing.
pub(super) fn trace(
    product: &mut Product<'_>,
    report: NestedReport,
    limits: &Limits,
) -> Result<Option<StateTrace>, ProductHalt> {
    let ceiling = report.n_states.saturating_mul(2).saturating_add(FREE_PAIRS);
    let mut tracer = Tracer { edges: product.edges(), product, limits, ceiling };
    match report.finding {
        CycleFinding::Nothing => Ok(None),
        CycleFinding::Fault { path, place, fault } => tracer.fault(&path, place, fault).map(Some),
        CycleFinding::Cycle { stem, cycle, choices } => {
            let cycle = match choices {
                Some(choices) => choices.into_iter().zip(cycle).collect(),
                None => tracer.short_cycle(&stem, cycle)?,
            };
            let stem = tracer.short_stem(stem, &cycle)?;
            let start = stem.last().expect("a stem has a first pair").1.clone();
            Ok(Some(tracer.lasso(stem, rotated(cycle, &start))))
        }
    }
}

/// `cycle`, starting from the pair `start`, which is on it.
fn rotated(mut cycle: Vec<LassoStep>, start: &[u64]) -> Vec<LassoStep> {
    let end = cycle.iter().position(|(_, pair)| **pair == *start);
    cycle.rotate_left(end.map_or(0, |end| end + 1));
    cycle
}

struct Tracer<'t, 'a> {
    product: &'t mut Product<'a>,
    edges: Edges,
    limits: &'t Limits,
    ceiling: u64,
}

impl Tracer<'_, '_> {
    fn fault(
        &mut self,
        path: &[ProductState],
        place: FaultPlace,
        fault: Fault,
    ) -> Result<StateTrace, ProductHalt> {
        let ending = Ending::Fault { place, fault };
        let Some(last) = path.last() else {
            return Ok(StateTrace {
                variant: Variant::AS_WRITTEN,
                start: None,
                steps: Vec::new(),
                ending,
            });
        };
        let steps = self.short_stem(path.to_vec(), &[(None, last.clone())])?;
        let (start, steps) = self.run(steps);
        Ok(StateTrace { variant: Variant::AS_WRITTEN, start: Some(start), steps, ending })
    }

    /// A shortest cycle through the first accepting pair of `cycle`.
    fn short_cycle(
        &mut self,
        stem: &[ProductState],
        cycle: Vec<ProductState>,
    ) -> Result<Vec<LassoStep>, ProductHalt> {
        let anchor = cycle.iter().find(|pair| self.product.accepts(pair)).cloned();
        let anchor = anchor.expect("the cycle has an accepting pair");
        let from = [(None, anchor.clone())];
        match self.shortest(&from, |pair| *pair == *anchor) {
            Some(found) => Ok(found),
            None => {
                let start = stem.last().expect("a stem has a first pair");
                self.with_choices(start, cycle)
            }
        }
    }

    /// A shortest path from an initial pair to one of `goals`; its first step says
    /// how the initial state comes about.
    fn short_stem(
        &mut self,
        stem: Vec<ProductState>,
        goals: &[LassoStep],
    ) -> Result<Vec<LassoStep>, ProductHalt> {
        let mut wanted = StateStore::new(self.product.layout.words, &Limits::none());
        for (_, pair) in goals {
            wanted.insert(pair)?;
        }
        self.product.initial(&mut self.edges)?;
        let initial: Vec<LassoStep> =
            self.edges.iter().map(|(choice, pair)| (choice, pair.into())).collect();
        if let Some(first) = initial.iter().find(|(_, pair)| wanted.find(pair).is_some()) {
            return Ok(vec![first.clone()]);
        }
        if let Some(mut found) = self.shortest(&initial, |pair| wanted.find(pair).is_some()) {
            let start = self.start_of(&initial, &mut found)?;
            found.insert(0, start);
            return Ok(found);
        }
        let mut pairs = stem.into_iter();
        let first = pairs.next().expect("a stem has a first pair");
        let choice = initial.iter().find(|(_, pair)| *pair == first).and_then(|step| step.0);
        let mut steps = self.with_choices(&first, pairs.collect())?;
        steps.insert(0, (choice, first));
        Ok(steps)
    }

    /// The initial pair from which the first of `steps` leads on.
    fn start_of(
        &mut self,
        initial: &[LassoStep],
        steps: &mut [LassoStep],
    ) -> Result<LassoStep, ProductHalt> {
        for step in initial {
            self.product.expand(&step.1, &mut self.edges)?;
            let (choice, target) = &steps[0];
            if self.edges.iter().any(|edge| edge == (*choice, &**target)) {
                return Ok(step.clone());
            }
        }
        Ok(initial[0].clone())
    }

    /// Breadth first from `from` along at least one edge to a pair with `is_goal`.
    /// `None` when the ceiling or a limit is reached, or an error is in the way.
    fn shortest(
        &mut self,
        from: &[LassoStep],
        is_goal: impl Fn(&[u64]) -> bool,
    ) -> Option<Vec<LassoStep>> {
        self.search(from, is_goal).ok().flatten()
    }

    fn search(
        &mut self,
        from: &[LassoStep],
        is_goal: impl Fn(&[u64]) -> bool,
    ) -> Result<Option<Vec<LassoStep>>, ProductHalt> {
        let mut store = StateStore::new(self.product.layout.words, self.limits);
        let mut parents: Vec<(u32, Option<Choice>)> = Vec::new();
        for (choice, pair) in from {
            if store.insert(pair)?.1 {
                parents.push((u32::MAX, *choice));
            }
        }
        let mut next = 0;
        while (next as usize) < store.len() && (store.len() as u64) < self.ceiling {
            if u64::from(next).is_multiple_of(EXPANSIONS_BETWEEN_LOOKS) {
                self.limits.check()?;
            }
            self.product.expand(store.get(next), &mut self.edges)?;
            for (choice, pair) in self.edges.iter() {
                if is_goal(pair) {
                    let mut steps = path_to(&store, &parents, next);
                    steps.push((choice, pair.into()));
                    return Ok(Some(steps));
                }
                if store.insert(pair)?.1 {
                    parents.push((next, choice));
                }
            }
            next += 1;
        }
        Ok(None)
    }

    /// The steps from `start` through `pairs`.
    fn with_choices(
        &mut self,
        start: &[u64],
        pairs: Vec<ProductState>,
    ) -> Result<Vec<LassoStep>, ProductHalt> {
        let mut steps: Vec<LassoStep> = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let from = steps.last().map_or(start, |step| &step.1);
            self.product.expand(from, &mut self.edges)?;
            let edge = self.edges.iter().find(|(_, target)| **target == *pair);
            steps.push((edge.and_then(|(choice, _)| choice), pair));
        }
        Ok(steps)
    }

    /// The run of the system alone.
    fn lasso(&self, stem: Vec<LassoStep>, cycle: Vec<LassoStep>) -> StateTrace {
        let mut loop_start = stem.len() - 1;
        let (start, mut steps) = self.run(stem.into_iter().chain(cycle).collect());
        if steps.len() <= loop_start {
            // The run ends before the cycle, which only repeats its last state.
            loop_start = steps.len();
        }
        let period = period(&steps[loop_start..]);
        steps.truncate(loop_start + period);
        while has_loop_step_before(&start, &steps, loop_start) {
            steps.pop();
            loop_start -= 1;
        }
        StateTrace {
            variant: Variant::AS_WRITTEN,
            start: Some(start),
            steps,
            ending: Ending::Lasso { loop_start },
        }
    }

    /// `steps`, of which the first is the start, up to where the run ends.
    fn run(&self, steps: Vec<LassoStep>) -> (StateStart, Vec<StateStep>) {
        let mut state = Vec::new();
        let mut unpacked = steps.into_iter().map_while(|(choice, pair)| {
            self.product.layout.unpack(&pair, &mut state);
            Some(StateStep { choice: choice?, state: Store::of_words(&state) })
        });
        let first = unpacked.next().expect("an initial state has a choice");
        (StateStart { choice: first.choice, state: first.state }, unpacked.collect())
    }
}

/// The path that the search took to number `last`, without where it began.
fn path_to(store: &StateStore, parents: &[(u32, Option<Choice>)], last: u32) -> Vec<LassoStep> {
    let mut steps = Vec::new();
    let mut number = last;
    while parents[number as usize].0 != u32::MAX {
        let (parent, choice) = parents[number as usize];
        steps.push((choice, store.get(number).into()));
        number = parent;
    }
    steps.reverse();
    steps
}

/// Is the step before the loop the last one of the loop, from the same state? Then
/// the loop can begin a step earlier.
fn has_loop_step_before(start: &StateStart, steps: &[StateStep], loop_start: usize) -> bool {
    let state_before = |idx: usize| match idx {
        0 => &start.state,
        _ => &steps[idx - 1].state,
    };
    let last = steps.len().saturating_sub(1);
    loop_start > 0
        && steps.len() > loop_start
        && steps[loop_start - 1] == steps[last]
        && state_before(loop_start - 1) == state_before(last)
}

/// The length of the shortest sequence whose repetition is `steps`.
fn period(steps: &[StateStep]) -> usize {
    let n = steps.len();
    let repeats = |&len: &usize| n.is_multiple_of(len) && steps[len..] == steps[..n - len];
    (1..=n).find(repeats).unwrap_or(n)
}
