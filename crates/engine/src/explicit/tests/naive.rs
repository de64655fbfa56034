//! The answers that a search must give, computed in the simplest way.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    Deadlock, Ending, FaultPlace, Judgement, Limits, PropertyKind, StateProblem, StateTrace,
    Stepper, Successors,
};

/// All reachable states with their depths.
pub fn reachable(problem: &StateProblem<'_>) -> BTreeMap<Vec<u64>, u32> {
    let system = problem.system;
    let mut stepper = system.stepper(&Limits::none());
    let mut depths = BTreeMap::new();
    let mut level = BTreeSet::new();
    let mut out = Successors::new(system.state_words());
    stepper.initial(&mut out).expect("no limit");
    level.extend((0..out.len()).map(|idx| out.state(idx).to_vec()));
    for depth in 0.. {
        if level.is_empty() {
            return depths;
        }
        depths.extend(level.iter().map(|state| (state.clone(), depth)));
        let mut next = BTreeSet::new();
        for state in &level {
            next.extend(successors(&mut *stepper, state));
        }
        next.retain(|state| !depths.contains_key(state));
        level = next;
    }
    depths
}

fn successors(stepper: &mut dyn Stepper, state: &[u64]) -> Vec<Vec<u64>> {
    let mut out = Successors::new(state.len());
    stepper.expand(state, &mut out).expect("no limit");
    (0..out.len()).map(|idx| out.state(idx).to_vec()).collect()
}

/// Does the state show the error?
pub fn shows(problem: &StateProblem<'_>, state: &[u64], ending: &Ending) -> bool {
    let mut stepper = problem.system.stepper(&Limits::none());
    let mut judgement = Judgement::default();
    stepper.judge(state, &mut judgement).expect("no limit");
    let mut out = Successors::new(state.len());
    stepper.expand(state, &mut out).expect("no limit");
    match ending {
        Ending::Invariant(property) => judgement.violated.contains(property),
        Ending::Fault { place: FaultPlace::Property(property), .. } => {
            judgement.faults.iter().any(|(number, _)| number == property)
        }
        Ending::Fault { place, .. } => out.faults.iter().any(|(there, _)| there == place),
        Ending::Deadlock(Deadlock::Stuck) => out.is_empty() && out.faults.is_empty(),
        Ending::Deadlock(_) => {
            out.faults.is_empty() && (0..out.len()).all(|idx| out.state(idx) == state)
        }
        Ending::Stranded(goal) => !can_reach(problem, state, *goal),
        _ => false,
    }
}

/// Can a state where `goal` is true be reached from `state`?
fn can_reach(problem: &StateProblem<'_>, state: &[u64], goal: u32) -> bool {
    let mut stepper = problem.system.stepper(&Limits::none());
    let mut seen = BTreeSet::from([state.to_vec()]);
    let mut stack = vec![state.to_vec()];
    while let Some(state) = stack.pop() {
        let mut judgement = Judgement::default();
        stepper.judge(&state, &mut judgement).expect("no limit");
        if judgement.reached.contains(&goal) {
            return true;
        }
        for next in successors(&mut *stepper, &state) {
            if seen.insert(next.clone()) {
                stack.push(next);
            }
        }
    }
    false
}

/// The depth of the shallowest error, where there is one.
pub fn shallowest_error(problem: &StateProblem<'_>) -> Option<u32> {
    let properties = problem.system.properties();
    let mut endings: Vec<Ending> = Vec::new();
    for (number, property) in properties.iter().enumerate() {
        if property.kind == PropertyKind::Invariant {
            endings.push(Ending::Invariant(number as u32));
        }
    }
    if problem.deadlock != Deadlock::Off {
        endings.push(Ending::Deadlock(problem.deadlock));
    }
    let fault = super::systems::fault();
    endings.push(Ending::Fault { place: FaultPlace::Step(model::Choice(3)), fault });
    let wrong = |state: &Vec<u64>| endings.iter().any(|ending| shows(problem, state, ending));
    let depths = reachable(problem);
    depths.iter().filter(|(state, _)| wrong(state)).map(|(_, &depth)| depth).min()
}

/// Is the trace a run of the system that ends in what it says?
pub fn assert_replays(problem: &StateProblem<'_>, trace: &StateTrace) {
    let system = problem.system;
    let mut stepper = system.stepper(&Limits::none());
    let start = trace.start.as_ref().expect("the run starts somewhere");
    let mut state = start.state.to_words().expect("whole words");
    let mut out = Successors::new(system.state_words());
    stepper.initial(&mut out).expect("no limit");
    let fits = |out: &Successors, choice, state: &[u64]| {
        (0..out.len()).any(|idx| out.choice(idx) == choice && out.state(idx) == state)
    };
    assert!(fits(&out, start.choice, &state), "the start is an initial state");
    for step in &trace.steps {
        out.clear();
        stepper.expand(&state, &mut out).expect("no limit");
        state = step.state.to_words().expect("whole words");
        assert!(fits(&out, step.choice, &state), "each step is one of the system");
    }
    assert!(shows(problem, &state, &trace.ending), "{:?}", trace.ending);
}
