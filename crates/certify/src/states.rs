//! Decides whether a run of a `TransitionSystem` is one, and whether a claim that
//! every state was explored stands up to exploring them again.
//!
//! The system given here is the front end's interpreter; the search may have used
//! machine code. Runs are replayed choice by choice. A claim about all states is
//! re-run by the plainest breadth-first search there is, without symmetry, as long
//! as that meets no more than [`MAX_STATES_AGAIN`] states.

use std::collections::{BTreeSet, VecDeque};

use model::{
    Choice, Deadlock, Ending, Fairness, Fault, FaultPlace, Judgement, Limits, Proof, PropertyKind,
    StateProblem, StateTrace, Stepper, Store, Successors, TransitionSystem,
};

use crate::Assurance;
use crate::lasso::{self, Lasso};
use crate::rejection::Rejection;

/// A search again takes the interpreter well under a second for so many states.
const MAX_STATES_AGAIN: usize = 2_000;

/// Errors that consist in the absence of something are believed only when the
/// whole search was done again, so that may take longer.
const MAX_STATES_OF_ABSENCE: usize = 1_000_000;

/// Is `trace` a run of the system that ends as it says?
pub(crate) fn replay(
    problem: &StateProblem<'_>,
    trace: &StateTrace,
    limits: &Limits,
) -> Result<(), Rejection> {
    let mut run = Interpreter::new(problem, limits);
    let states = run.follow(trace)?;
    match (&trace.ending, states.last()) {
        (Ending::Lasso { loop_start }, Some(_)) => {
            let lasso = Lasso { trace, states: &states, loop_start: *loop_start };
            lasso::check(problem, &lasso, limits)
        }
        (Ending::Fault { place: place @ FaultPlace::Start(_), fault }, None) => {
            run.start_fails(*place, fault)
        }
        (Ending::Uncovered(property), None) => {
            run.expect_kind(*property, PropertyKind::is_cover)?;
            run.never(*property, None)
        }
        (Ending::Invariant(property), Some(last)) => run.violates(last, *property),
        (Ending::Fault { place, fault }, Some(last)) => run.fails(last, *place, fault),
        (Ending::Deadlock(kind), Some(last)) if *kind == problem.deadlock => {
            run.is_stuck(last, *kind)
        }
        (Ending::Deadlock(_), _) => Err(no_violation("no such deadlock was asked about")),
        (Ending::Stranded(property), Some(last)) => {
            run.expect_kind(*property, |kind| kind == PropertyKind::AlwaysReachable)?;
            run.never(*property, Some(last.clone()))
        }
        _ => Err(Rejection::malformed("the trace starts and ends in ways that do not fit")),
    }
}

/// Does looking at all states again show what the search claims?
pub(crate) fn look_again(
    problem: &StateProblem<'_>,
    proof: &Proof,
    limits: &Limits,
) -> Result<Assurance, Rejection> {
    let Proof::Exhausted { n_states, symmetry, formula } = proof else {
        return Err(Rejection::malformed("the proof is of another kind of system"));
    };
    if formula.as_deref() != problem.formula.map(|formula| formula.text.as_str()) {
        return Err(Rejection::malformed("the proof is about another formula"));
    }
    if formula.is_some() || *n_states > MAX_STATES_AGAIN as u64 {
        return Ok(Assurance::NotRepeated);
    }
    let mut run = Interpreter::new(problem, limits);
    let Some(seen) = run.explore(None, MAX_STATES_AGAIN, Interpreter::expect_no_error)? else {
        return Ok(Assurance::NotRepeated);
    };
    run.expect_all_covered()?;
    run.expect_goals_within_reach(&seen)?;
    if !symmetry && seen.len() as u64 != *n_states {
        let why = format!("the search met {n_states} states, the interpreter {}", seen.len());
        return Err(Rejection::malformed(why));
    }
    Ok(Assurance::Repeated)
}

/// Is there no error in any state of a small system? Deadlocks are not asked about.
pub(crate) fn explore_all(system: &dyn TransitionSystem, limits: &Limits) -> Result<(), Rejection> {
    let (deadlock, fairness) = (Deadlock::Off, Fairness::default());
    let problem = StateProblem { system, deadlock, formula: None, fairness };
    let mut run = Interpreter::new(&problem, limits);
    match run.explore(None, MAX_STATES_OF_ABSENCE, Interpreter::expect_no_error)? {
        Some(_) => Ok(()),
        None => Err(Rejection::TooLarge { what: "states of a small instance" }),
    }
}

/// The system at work.
struct Interpreter<'a> {
    problem: &'a StateProblem<'a>,
    limits: &'a Limits,
    stepper: Box<dyn Stepper + Send + 'a>,
    successors: Successors,
    judgement: Judgement,
    /// Covers and goals that were reached so far.
    reached: BTreeSet<u32>,
}

type PackedState = Vec<u64>;

impl<'a> Interpreter<'a> {
    fn new(problem: &'a StateProblem<'a>, limits: &'a Limits) -> Interpreter<'a> {
        let system = problem.system;
        Interpreter {
            problem,
            limits,
            stepper: system.stepper(limits),
            successors: Successors::new(system.state_words()),
            judgement: Judgement::default(),
            reached: BTreeSet::new(),
        }
    }

    /// Takes the steps of `trace`; gives its states, the first one and the one after
    /// each step. There is none where the trace has no start.
    fn follow(&mut self, trace: &StateTrace) -> Result<Vec<PackedState>, Rejection> {
        let Some(start) = &trace.start else {
            return match trace.steps.is_empty() {
                true => Ok(Vec::new()),
                false => Err(Rejection::malformed("no first state")),
            };
        };
        let mut states = vec![self.words(&start.state)?];
        self.start()?;
        if !self.offers(start.choice, &states[0]) {
            let why = "no start of the model gives this state".to_owned();
            return Err(Rejection::NotInitial { why });
        }
        for (idx, step) in trace.steps.iter().enumerate() {
            self.limits.check().map_err(Rejection::Stopped)?;
            let next = self.words(&step.state)?;
            self.expand(&states[idx])?;
            if !self.offers(step.choice, &next) {
                return Err(self.wrong_step(idx, step.choice));
            }
            states.push(next);
        }
        Ok(states)
    }

    fn wrong_step(&self, step: usize, choice: Choice) -> Rejection {
        let name = self.problem.system.choice_label(choice, false).with_parameters();
        let is_enabled = (0..self.successors.len()).any(|i| self.successors.choice(i) == choice);
        if is_enabled {
            let why = format!("`{name}` leads to another state");
            Rejection::WrongSuccessor { step, why }
        } else {
            Rejection::StepNotEnabled { step, why: format!("`{name}` cannot be taken") }
        }
    }

    fn offers(&self, choice: Choice, state: &[u64]) -> bool {
        let mut all = 0..self.successors.len();
        all.any(|i| self.successors.choice(i) == choice && self.successors.state(i) == state)
    }

    fn words(&self, store: &Store) -> Result<PackedState, Rejection> {
        let words = store.to_words().filter(|w| w.len() == self.problem.system.state_words());
        words.ok_or_else(|| Rejection::malformed("a state of the trace has another size"))
    }

    fn start(&mut self) -> Result<(), Rejection> {
        self.successors.clear();
        self.stepper.initial(&mut self.successors).map_err(Rejection::Stopped)?;
        self.reached.extend(&self.successors.covered);
        Ok(())
    }

    fn expand(&mut self, state: &[u64]) -> Result<(), Rejection> {
        self.successors.clear();
        self.stepper.expand(state, &mut self.successors).map_err(Rejection::Stopped)?;
        self.reached.extend(&self.successors.covered);
        Ok(())
    }

    fn judge(&mut self, state: &[u64]) -> Result<(), Rejection> {
        self.judgement.clear();
        self.stepper.judge(state, &mut self.judgement).map_err(Rejection::Stopped)?;
        self.reached.extend(&self.judgement.reached);
        Ok(())
    }

    fn violates(&mut self, state: &[u64], property: u32) -> Result<(), Rejection> {
        self.judge(state)?;
        let is_violated = self.judgement.violated.contains(&property);
        is_violated.then_some(()).ok_or_else(|| no_violation("the invariant is true there"))
    }

    fn start_fails(&mut self, place: FaultPlace, fault: &Fault) -> Result<(), Rejection> {
        self.start()?;
        self.has_fault(place, fault)
    }

    fn fails(&mut self, last: &[u64], place: FaultPlace, fault: &Fault) -> Result<(), Rejection> {
        match place {
            FaultPlace::Step(_) => {
                self.expand(last)?;
                self.has_fault(place, fault)
            }
            FaultPlace::Property(property) => {
                self.judge(last)?;
                let mut faults = self.judgement.faults.iter();
                let found = faults.any(|(idx, known)| *idx == property && known == fault);
                found.then_some(()).ok_or_else(|| no_violation("the property has a value there"))
            }
            FaultPlace::Proposition => match self.stepper.valuation(last) {
                Err(model::Stuck::Fault(known)) if known == *fault => Ok(()),
                Err(model::Stuck::Stopped(reason)) => Err(Rejection::Stopped(reason)),
                _ => Err(no_violation("the proposition has a value there")),
            },
            FaultPlace::Start(_) => Err(no_violation("a start comes after the first state")),
        }
    }

    fn has_fault(&self, place: FaultPlace, fault: &Fault) -> Result<(), Rejection> {
        let mut faults = self.successors.faults.iter();
        let found = faults.any(|known| known.0 == place && known.1 == *fault);
        found.then_some(()).ok_or_else(|| no_violation("the interpreter meets no such fault"))
    }

    fn is_stuck(&mut self, last: &[u64], kind: Deadlock) -> Result<(), Rejection> {
        self.expand(last)?;
        let is_stuck = self.successors.faults.is_empty()
            && match kind {
                Deadlock::Off => false,
                Deadlock::Stuck => self.successors.n_enabled == 0,
                // A successor that an assumption leaves out is one as well.
                Deadlock::Stuttering => {
                    self.successors.n_enabled <= self.successors.len() as u64
                        && (0..self.successors.len()).all(|i| self.successors.state(i) == last)
                }
            };
        is_stuck.then_some(()).ok_or_else(|| no_violation("the run can go on"))
    }

    /// Is there a property of this number, and is it of such a kind?
    fn expect_kind(&self, property: u32, fits: fn(PropertyKind) -> bool) -> Result<(), Rejection> {
        let known = self.problem.system.properties().get(property as usize);
        match known.is_some_and(|known| fits(known.kind)) {
            true => Ok(()),
            false => Err(Rejection::malformed("the trace names no property of its kind")),
        }
    }

    /// Nothing that can be reached from `from` (from the start) has `property`.
    fn never(&mut self, property: u32, from: Option<PackedState>) -> Result<(), Rejection> {
        let lacks = |run: &mut Interpreter<'_>, state: &PackedState| {
            if !run.successors.faults.is_empty() {
                return Err(no_violation("a step fails, so that states may be missing"));
            }
            run.judge(state)?;
            if run.judgement.faults.iter().any(|(idx, _)| *idx == property) {
                return Err(no_violation("the property has no value in a state"));
            }
            match run.reached.contains(&property) {
                true => Err(no_violation("something has the property")),
                false => Ok(()),
            }
        };
        self.reached.clear();
        let seen = self.explore(from, MAX_STATES_OF_ABSENCE, lacks)?;
        seen.map(|_| ()).ok_or(Rejection::TooLarge { what: "states to look at again" })
    }

    /// Did the system show all of its states?
    fn nothing_left_out(&mut self) -> Result<(), Rejection> {
        match self.successors.take_omissions().iter().next() {
            None => Ok(()),
            Some(omission) => Err(Rejection::LeftOut { what: omission.words() }),
        }
    }

    /// All states that can be reached, each looked at after its successors are
    /// known; `None` when there are more than `max_states`.
    fn explore(
        &mut self,
        from: Option<PackedState>,
        max_states: usize,
        mut look: impl FnMut(&mut Interpreter<'a>, &PackedState) -> Result<(), Rejection>,
    ) -> Result<Option<BTreeSet<PackedState>>, Rejection> {
        let mut seen: BTreeSet<PackedState> = BTreeSet::new();
        let mut queue: VecDeque<PackedState> = VecDeque::new();
        match from {
            Some(state) => {
                seen.insert(state.clone());
                queue.push_back(state);
            }
            None => {
                self.start()?;
                self.no_fault()?;
                self.collect(&mut seen, &mut queue);
            }
        }
        while let Some(state) = queue.pop_front() {
            self.limits.check().map_err(Rejection::Stopped)?;
            if seen.len() > max_states {
                return Ok(None);
            }
            self.expand(&state)?;
            self.collect(&mut seen, &mut queue);
            look(self, &state)?;
        }
        self.nothing_left_out()?;
        Ok(Some(seen))
    }

    fn collect(&self, seen: &mut BTreeSet<PackedState>, queue: &mut VecDeque<PackedState>) {
        for idx in 0..self.successors.len() {
            let state = self.successors.state(idx).to_vec();
            if seen.insert(state.clone()) {
                queue.push_back(state);
            }
        }
    }

    fn no_fault(&self) -> Result<(), Rejection> {
        match self.successors.faults.first() {
            None => Ok(()),
            Some((_, fault)) => Err(Rejection::TargetNotExcluded { target: fault.message.clone() }),
        }
    }

    /// `state`, whose successors were just computed, shows no error.
    fn expect_no_error(run: &mut Interpreter<'_>, state: &PackedState) -> Result<(), Rejection> {
        run.no_fault()?;
        let kind = run.problem.deadlock;
        if kind != Deadlock::Off && run.is_stuck(state, kind).is_ok() {
            return Err(Rejection::TargetNotExcluded { target: "deadlock".to_owned() });
        }
        run.judge(state)?;
        let properties = run.problem.system.properties();
        if let Some(idx) = run.judgement.violated.first() {
            let target = properties[*idx as usize].name.clone();
            return Err(Rejection::TargetNotExcluded { target });
        }
        match run.judgement.faults.first() {
            None => Ok(()),
            Some((_, fault)) => Err(Rejection::TargetNotExcluded { target: fault.message.clone() }),
        }
    }

    /// Was each cover reached while all states were looked at?
    fn expect_all_covered(&self) -> Result<(), Rejection> {
        let covers = self.numbers_of(PropertyKind::is_cover);
        let missing = covers.into_iter().find(|property| !self.reached.contains(property));
        missing.map_or(Ok(()), |property| Err(self.not_excluded(property)))
    }

    /// Can each goal be reached from each of `seen`, which are all states there are?
    fn expect_goals_within_reach(&mut self, seen: &BTreeSet<PackedState>) -> Result<(), Rejection> {
        let goals = self.numbers_of(|kind| kind == PropertyKind::AlwaysReachable);
        if goals.is_empty() {
            return Ok(());
        }
        let predecessors = self.predecessors(seen)?;
        for property in goals {
            let reached = self.where_reached(property, seen)?;
            if backwards(&reached, &predecessors).len() < seen.len() {
                return Err(self.not_excluded(property));
            }
        }
        Ok(())
    }

    fn numbers_of(&self, fits: fn(PropertyKind) -> bool) -> Vec<u32> {
        let properties = (0..).zip(self.problem.system.properties());
        properties.filter(|(_, property)| fits(property.kind)).map(|(idx, _)| idx).collect()
    }

    /// Positions within `seen` of the states where a cover or a goal is true.
    fn where_reached(
        &mut self,
        property: u32,
        seen: &BTreeSet<PackedState>,
    ) -> Result<BTreeSet<usize>, Rejection> {
        let mut reached = BTreeSet::new();
        for (idx, state) in seen.iter().enumerate() {
            self.judge(state)?;
            if self.judgement.reached.contains(&property) {
                reached.insert(idx);
            }
        }
        Ok(reached)
    }

    /// For each of `seen`, by position, the states that have a step to it.
    fn predecessors(&mut self, seen: &BTreeSet<PackedState>) -> Result<Vec<Vec<usize>>, Rejection> {
        let states: Vec<&PackedState> = seen.iter().collect();
        let mut predecessors = vec![Vec::new(); states.len()];
        for (idx, state) in states.iter().enumerate() {
            self.limits.check().map_err(Rejection::Stopped)?;
            self.expand(state)?;
            for successor in 0..self.successors.len() {
                let after = self.successors.state(successor);
                let position = states.binary_search_by(|known| known.as_slice().cmp(after));
                predecessors[position.expect("all states were seen")].push(idx);
            }
        }
        Ok(predecessors)
    }

    fn not_excluded(&self, property: u32) -> Rejection {
        let target = self.problem.system.properties()[property as usize].name.clone();
        Rejection::TargetNotExcluded { target }
    }
}

/// The states from which one of `goals` can be reached, by edges taken backwards.
fn backwards(goals: &BTreeSet<usize>, predecessors: &[Vec<usize>]) -> BTreeSet<usize> {
    let mut reached = goals.clone();
    let mut open: Vec<usize> = goals.iter().copied().collect();
    while let Some(idx) = open.pop() {
        let fresh = predecessors[idx].iter().copied().filter(|&before| reached.insert(before));
        open.extend(fresh);
    }
    reached
}

fn no_violation(why: &str) -> Rejection {
    Rejection::NoViolation { why: why.to_owned() }
}
