//! Follows the run of another variant of a program: is it, with more steps between, a run of
//! this one that ends in the same error?
//!
//! A variant with fewer details has runs that the program need not have, and leaves out what
//! the program does in between: the other rounds of a loop whose counter it forgot, the other
//! threads that are created there. So a thread of the run that is followed takes its steps in
//! the same order, told by their labels, and whatever steps it needs to come to the next of
//! them; threads that the run does not know stay where they begin.
//!
//! **Answers.** `Some` has a run of the program, to be replayed. `None` says nothing.
//! **Ends** after so many steps in all. Where a step has several ways, each is tried in turn,
//! depth first.

use model::{
    BroadcastId, Limits, Outcome, PassiveMove, Steps, Store, ThreadProgram, ThreadStep,
    ThreadTrace, Trace, Variant, Verdict, Violation,
};

use crate::kernel::race::{self, Touched};

/// Name of the engine in outcomes.
const ENGINE: &str = "follow";

/// Steps that are taken in all.
const MAX_STEPS: usize = 400_000;

/// Choices that are kept to come back to.
const MAX_CHOICES: usize = 64;

/// Steps between two looks at the limits.
const STEPS_BETWEEN_LOOKS: usize = 256;

/// Follows `guide` in `program`.
pub fn follow(
    program: &dyn ThreadProgram,
    guide: &ThreadTrace,
    limits: &Limits,
) -> Option<Outcome> {
    let mut walk = Walk { program, guide, n_taken: 0, choices: Vec::new() };
    let trace = walk.run(limits)?;
    Some(Outcome {
        verdict: Verdict::Violated(Trace::Threads(trace)),
        engine: ENGINE.to_owned(),
        statistics: vec![("steps".to_owned(), walk.n_taken as u64)],
        notes: Vec::new(),
    })
}

/// Where a run has come to.
#[derive(Clone)]
struct State {
    shared: Store,
    threads: Vec<Option<Store>>,
    /// For each thread of the guide, which one it is here.
    actors: Vec<u32>,
    /// How many steps of the guide were taken.
    n_followed: usize,
    /// How many steps the run has.
    n_steps: usize,
}

/// A state with several ways on, and those that are left.
struct Choice {
    state: State,
    left: Vec<Way>,
}

/// One way on: a step of a thread.
#[derive(Clone)]
struct Way {
    step: ThreadStep,
    /// Is it the step of the guide?
    is_guided: bool,
    violation: Option<Violation>,
}

struct Walk<'a> {
    program: &'a dyn ThreadProgram,
    guide: &'a ThreadTrace,
    n_taken: usize,
    choices: Vec<Choice>,
}

impl Walk<'_> {
    fn run(&mut self, limits: &Limits) -> Option<ThreadTrace> {
        if !self.guide.bystanders.is_empty() {
            return None;
        }
        let mut state = self.start()?;
        let first = state.shared.clone();
        let threads: Vec<Store> = state.threads.iter().flatten().cloned().collect();
        let mut steps: Vec<ThreadStep> = Vec::new();
        loop {
            if self.n_taken.is_multiple_of(STEPS_BETWEEN_LOOKS) && limits.check().is_err() {
                return None;
            }
            let is_over = state.n_followed == self.guide.steps.len();
            if is_over && self.guide.violation == Violation::Race && self.has_race(&state) {
                return Some(self.trace(first, threads, steps, Violation::Race));
            }
            let mut ways = if is_over { Vec::new() } else { self.ways(&state) };
            let way = match ways.is_empty() || self.n_taken >= MAX_STEPS {
                false => {
                    let way = ways.remove(0);
                    if !ways.is_empty() && self.choices.len() < MAX_CHOICES {
                        self.choices.push(Choice { state: state.clone(), left: ways });
                    }
                    way
                }
                true => {
                    let (back, way) = self.go_back()?;
                    state = back;
                    steps.truncate(state.n_steps);
                    way
                }
            };
            self.n_taken += 1;
            steps.push(way.step.clone());
            if let Some(violation) = self.take(&mut state, &way) {
                return Some(self.trace(first, threads, steps, violation));
            }
        }
    }

    fn trace(
        &self,
        shared: Store,
        threads: Vec<Store>,
        steps: Vec<ThreadStep>,
        violation: Violation,
    ) -> ThreadTrace {
        ThreadTrace {
            variant: Variant::AS_WRITTEN,
            shared,
            templates: self.guide.templates.clone(),
            threads,
            bystanders: Vec::new(),
            steps,
            violation,
        }
    }

    /// Do two of the threads that the guide knows race?
    fn has_race(&self, state: &State) -> bool {
        let known = state.actors.iter().filter_map(|&idx| state.threads[idx as usize].as_ref());
        let shared = state.shared.bytes();
        let touched =
            known.map(|local| (local.bytes(), Touched::by(self.program, shared, local.bytes())));
        let touched: Vec<(&[u8], Touched)> = touched.collect();
        touched.iter().enumerate().any(|(idx, (one, touches))| {
            touched[idx + 1..].iter().any(|(other, others)| {
                race::is_race(self.program, shared, [(*one, touches), (*other, others)])
            })
        })
    }

    /// The next way that was not tried.
    fn go_back(&mut self) -> Option<(State, Way)> {
        if self.n_taken >= MAX_STEPS {
            return None;
        }
        let last = self.choices.last_mut()?;
        let way = last.left.remove(0);
        let state = match last.left.is_empty() {
            true => self.choices.pop().map(|choice| choice.state),
            false => Some(last.state.clone()),
        };
        state.map(|state| (state, way))
    }

    /// The start that has the threads of the guide.
    fn start(&self) -> Option<State> {
        let shared = self.program.initial_shared().into_iter().next()?;
        let mut threads = Vec::new();
        for &template in &self.guide.templates {
            let template = self.program.templates().get(template)?;
            threads.push(Some(template.initial.first()?.clone()));
        }
        let actors = (0..threads.len() as u32).collect();
        Some(State { shared, threads, actors, n_followed: 0, n_steps: 0 })
    }

    /// What the next thread of the guide can do: the guide's step if it can, else whatever
    /// brings it closer.
    fn ways(&self, state: &State) -> Vec<Way> {
        let wanted = &self.guide.steps[state.n_followed];
        let is_last = state.n_followed + 1 == self.guide.steps.len();
        let Some(actor) = wanted.thread.and_then(|idx| state.actors.get(idx as usize)) else {
            return Vec::new();
        };
        let Some(local) = state.threads.get(*actor as usize).and_then(Option::as_ref) else {
            return Vec::new();
        };
        let mut steps = Steps::new();
        self.program.steps(state.shared.bytes(), local.bytes(), &mut steps);
        let narrator = self.program.narrator();
        let mut ways = Vec::new();
        for step in steps.iter() {
            let Some(passive) = self.passive(state, *actor, step.broadcast()) else { continue };
            let label = narrator.label(step.label());
            let is_labelled = label.text == wanted.label && label.span == wanted.span;
            let violation = step.violation().map(|error| Violation::Step(error.owned()));
            let is_wanted_error = match (&violation, &self.guide.violation) {
                (Some(Violation::Step(found)), Violation::Step(wanted)) => {
                    is_last && found.rule == wanted.rule
                }
                _ => false,
            };
            if violation.is_some() && !is_wanted_error {
                continue;
            }
            let wants_error = is_last && matches!(self.guide.violation, Violation::Step(_));
            let is_guided = is_labelled
                && step.spawned().count() == wanted.spawned.len()
                && (violation.is_some() || !wants_error);
            let step = ThreadStep {
                thread: Some(*actor),
                label: label.text,
                span: label.span,
                shared: Store::new(step.shared()),
                local: step.local().map(Store::new),
                spawned: step.spawned().map(Store::new).collect(),
                passive,
            };
            ways.push(Way { step, is_guided, violation });
        }
        ways.sort_by_key(|way| (way.violation.is_none(), !way.is_guided));
        ways
    }

    /// What a broadcast does to the other threads; `None` if somebody may choose.
    fn passive(
        &self,
        state: &State,
        actor: u32,
        broadcast: Option<BroadcastId>,
    ) -> Option<Vec<PassiveMove>> {
        let Some(broadcast) = broadcast else { return Some(Vec::new()) };
        let mut moves = Vec::new();
        for (thread, local) in (0u32..).zip(&state.threads) {
            let Some(local) = local.as_ref().filter(|_| thread != actor) else { continue };
            let mut becomes = Vec::new();
            self.program.passive(broadcast, local.bytes(), &mut becomes);
            match &becomes[..] {
                [] => {}
                [local] => moves.push(PassiveMove { thread, local: local.clone() }),
                _ => return None,
            }
        }
        Some(moves)
    }

    /// Takes a step; gives the error if it is one.
    fn take(&self, state: &mut State, way: &Way) -> Option<Violation> {
        let Way { step, is_guided, violation } = way;
        state.shared = step.shared.clone();
        if let Some(thread) = step.thread {
            state.threads[thread as usize] = step.local.clone();
        }
        for moved in &step.passive {
            state.threads[moved.thread as usize] = Some(moved.local.clone());
        }
        let n_threads = state.threads.len() as u32;
        state.threads.extend(step.spawned.iter().cloned().map(Some));
        if *is_guided {
            state.actors.extend((0..step.spawned.len() as u32).map(|idx| n_threads + idx));
            state.n_followed += 1;
        }
        state.n_steps += 1;
        violation.clone()
    }
}
