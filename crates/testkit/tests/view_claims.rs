//! Forged proofs by views are rejected: the proof of a flow that lacks something, claimed of
//! the whole flow, and the views of few threads, claimed of any number. A search that is
//! right never makes such claims, so only these show what the re-check asks for.
//!
//! `THREADPROOF_SEEDS` is the number of flows, `THREADPROOF_FIRST_SEED` the first of them.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

use std::collections::BTreeSet;

use engine::Engine;
use model::{
    BitExpr, BooleanFlow, Certificate, Context, FlowEdge, LabelId, Limits, MemoryLimit,
    Multiplicity, Problem, StepError, Steps, Store, ThreadCount, ThreadProgram, Verdict,
};
use testkit::environment::number_from_environment;
use testkit::random::flow;
use testkit::reference::composition::populations;
use testkit::reference::explicit::{Caps, with_few_threads, with_threads};
use testkit::reference::flow_program::FlowProgram;
use testkit::reference::{ReferenceAnswer, backward, rules};
use testkit::rng::Rng;
use testkit::views::{certificate, n_location_bits};

const DEFAULT_SEEDS: u64 = 150;
const CAPS: Caps = Caps { states: 2_000, counts: 4, initial: 3 };
const MAX_ELEMENTS: usize = 1_000;
/// States of few threads; flows with more are left out.
const MAX_STATES: usize = 3_000;

fn seeds() -> std::ops::Range<u64> {
    let first = number_from_environment("THREADPROOF_FIRST_SEED", 0);
    first..first + number_from_environment("THREADPROOF_SEEDS", DEFAULT_SEEDS)
}

/// Little memory: diagrams ask for what there is when they are made.
fn limits() -> Limits {
    let memory = MemoryLimit { bytes: 1 << 26, gauge: || 0 };
    Limits { memory: Some(memory), ..Limits::none() }
}

#[test]
fn the_proof_of_a_flow_that_lacks_something_is_none_of_the_whole() {
    let mut n_forged = 0;
    for seed in seeds() {
        let whole = flow::random(&mut Rng::new(seed));
        for asked in [ThreadCount::Any, ThreadCount::Exactly(2), ThreadCount::Exactly(1)] {
            if is_wrong(&whole, asked) {
                n_forged += reject_all(&whole, asked, seed);
            }
        }
    }
    println!("{n_forged} forged proofs");
    assert!(n_forged * 2 > seeds().count(), "{n_forged}");
}

/// Claims the proofs of all flows that lack one thing; gives how many there are.
fn reject_all(whole: &BooleanFlow, asked: ThreadCount, seed: u64) -> usize {
    let program = FlowProgram::new(whole.clone());
    let mut n_forged = 0;
    for (what, less) in lessened(whole) {
        let less = FlowProgram::new(less);
        let problem = Problem::Threads(&less);
        let outcome = engine::check(problem, asked, Engine::Symbolic, Context::silent(&limits()));
        if let Verdict::Holds(certificate) = outcome.verdict {
            n_forged += 1;
            assert!(is_believed(&less, asked, certificate.clone()), "seed {seed}, {asked:?}");
            let is_believed = is_believed(&program, asked, certificate);
            assert!(!is_believed, "seed {seed}, {asked:?}, without {what}:\n{whole:#?}");
        }
    }
    n_forged
}

/// The flow without one thing, in all ways, and what it is.
fn lessened(whole: &BooleanFlow) -> Vec<(String, BooleanFlow)> {
    let mut all: Vec<(String, BooleanFlow)> = Vec::new();
    let mut add = |what: String, edit: &dyn Fn(&mut BooleanFlow)| {
        let mut less = whole.clone();
        edit(&mut less);
        if less != *whole {
            all.push((what, less));
        }
    };
    for idx in 0..whole.edges.len() {
        add(format!("edge {idx}"), &|less| drop(less.edges.remove(idx)));
        for (what, edit) in EDITS {
            add(format!("{what} {idx}"), &|less| edit(&mut less.edges[idx]));
        }
    }
    for idx in 0..whole.shared.len() {
        for value in [false, true] {
            let what = format!("other starts of variable {idx}");
            add(what, &|less| less.shared[idx].initial = Some(value));
        }
    }
    for (kind, thread) in whole.threads.iter().enumerate() {
        for idx in 0..thread.locals.len() {
            let what = format!("other starts of local {idx} of kind {kind}");
            add(what, &|less| less.threads[kind].locals[idx] = Some(false));
        }
        add(format!("all but one of kind {kind}"), &|less| {
            less.threads[kind].multiplicity = Multiplicity::Exactly(1);
        });
    }
    all
}

type Edit = fn(&mut FlowEdge);

const EDITS: [(&str, Edit); 6] = [
    ("the error of edge", |edge| edge.violation = None),
    ("what may happen beyond edge", |edge| edge.incomplete = None),
    ("the thread created by edge", |edge| edge.spawn = None),
    ("what is done to others by edge", |edge| edge.passive.clear()),
    ("some values before edge", |edge| {
        edge.guard = edge.guard.clone().and(BitExpr::Before(model::Bit::Shared(0)));
    }),
    ("some values after edge", |edge| {
        let value = BitExpr::After(model::Bit::Shared(0)).negated();
        edge.constraint = edge.constraint.clone().and(value);
    }),
];

/// Is an error reachable, or something that the flow does not know? False if that is not
/// known.
fn is_wrong(flow: &BooleanFlow, asked: ThreadCount) -> bool {
    let mut flow = flow.clone();
    for edge in flow.edges.iter_mut().filter(|edge| edge.incomplete.is_some()) {
        edge.incomplete = None;
        edge.violation = Some(StepError::assertion("unknown"));
    }
    let program = FlowProgram::new(flow);
    let is_reachable = |answer| matches!(answer, ReferenceAnswer::Reachable { .. });
    match asked {
        ThreadCount::Exactly(n) => {
            !populations(&program, n).is_empty() && is_reachable(with_threads(&program, n, CAPS))
        }
        _ => {
            is_reachable(with_few_threads(&program, CAPS))
                || is_reachable(backward::search(&rules::of_threads(&program), MAX_ELEMENTS))
        }
    }
}

fn is_believed(program: &FlowProgram, asked: ThreadCount, certificate: Certificate) -> bool {
    let verdict = Verdict::Holds(certificate);
    certify::check(Problem::Threads(program), asked, &verdict, &limits()).is_ok()
}

#[test]
fn the_views_of_few_threads_are_no_proof_for_more() {
    let mut n_forged = 0;
    for seed in seeds() {
        let flow = without_errors(flow::random(&mut Rng::new(seed)));
        for size in 1..=2 {
            let Some(few) = Few::of(&FlowProgram::new(flow.clone()), size) else { continue };
            let flow = few.with_errors_beyond(&flow);
            if !is_wrong(&flow, ThreadCount::Any) {
                continue;
            }
            let seen = assignments(&flow, size, &few.states);
            let program = FlowProgram::new(flow);
            for is_whole in [false, true] {
                n_forged += 1;
                let certificate =
                    certificate(program.boolean_flow(), (size, is_whole), ThreadCount::Any, &seen);
                let is_believed = is_believed(&program, ThreadCount::Any, certificate);
                assert!(!is_believed, "seed {seed}, {size}: {:#?}", program.boolean_flow());
            }
        }
    }
    println!("{n_forged} forged proofs");
    assert!(n_forged * 20 > seeds().count(), "{n_forged}");
}

/// The flow with any number of threads of each kind, none of which can fail.
fn without_errors(mut flow: BooleanFlow) -> BooleanFlow {
    for kind in &mut flow.threads {
        kind.multiplicity = Multiplicity::Any;
    }
    for edge in &mut flow.edges {
        (edge.violation, edge.incomplete) = (None, None);
    }
    flow
}

/// The shared store, and the threads.
type State = (Store, Vec<Store>);

/// What few threads do.
struct Few {
    states: BTreeSet<State>,
    /// The edges that they take.
    taken: BTreeSet<LabelId>,
}

impl Few {
    /// All states of up to so many threads; threads that would be more are not created.
    /// `None` if there are many.
    fn of(program: &FlowProgram, size: u32) -> Option<Few> {
        let starts = (0..=size).flat_map(|n| populations(program, n));
        let shared = program.initial_shared();
        let mut open: Vec<State> = starts
            .flat_map(|locals| shared.iter().map(move |shared| (shared.clone(), locals.clone())))
            .collect();
        let mut few = Few { states: open.iter().cloned().collect(), taken: BTreeSet::new() };
        while let Some(state) = open.pop() {
            if few.states.len() > MAX_STATES {
                return None;
            }
            for next in successors(program, &state, size as usize, &mut few.taken) {
                if few.states.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        Some(few)
    }

    /// The flow in which all edges are errors that few threads never take.
    fn with_errors_beyond(&self, flow: &BooleanFlow) -> BooleanFlow {
        let mut flow = flow.clone();
        for edge in flow.edges.iter_mut().filter(|edge| !self.taken.contains(&edge.label)) {
            edge.violation = Some(StepError::assertion("more than few threads"));
        }
        flow
    }
}

/// The next states; notes which edges lead there.
fn successors(
    program: &FlowProgram,
    (shared, locals): &State,
    size: usize,
    taken: &mut BTreeSet<LabelId>,
) -> Vec<State> {
    let mut next = Vec::new();
    for mover in 0..locals.len() {
        let mut steps = Steps::new();
        program.steps(shared.bytes(), locals[mover].bytes(), &mut steps);
        for step in steps.iter() {
            taken.insert(step.label());
            let mut ways: Vec<Vec<Store>> = vec![Vec::new()];
            for (idx, local) in locals.iter().enumerate() {
                let mut becomes: Vec<Store> = Vec::new();
                match (idx == mover, step.broadcast()) {
                    (true, _) => becomes.extend(step.local().map(Store::new)),
                    (false, Some(broadcast)) => {
                        program.passive(broadcast, local.bytes(), &mut becomes);
                        if becomes.is_empty() {
                            becomes.push(local.clone());
                        }
                    }
                    (false, None) => becomes.push(local.clone()),
                }
                if !becomes.is_empty() {
                    let extended = |way: &Vec<Store>| {
                        let way = way.clone();
                        becomes
                            .iter()
                            .map(move |local| [&way[..], std::slice::from_ref(local)].concat())
                    };
                    ways = ways.iter().flat_map(extended).collect();
                }
            }
            for mut way in ways {
                way.extend(step.spawned().map(Store::new));
                way.truncate(size);
                next.push((Store::new(step.shared()), way));
            }
        }
    }
    next
}

/// Views of states as values of variables: each order of the threads, at each place.
fn assignments(flow: &BooleanFlow, size: u32, states: &BTreeSet<State>) -> BTreeSet<Vec<bool>> {
    let mut all = BTreeSet::new();
    for (shared, locals) in states {
        let mut places: Vec<Option<&Store>> = locals.iter().map(Some).collect();
        places.resize(size as usize, None);
        all.insert(assignment(flow, shared, &places));
        places.reverse();
        all.insert(assignment(flow, shared, &places));
        // Some of the threads, the others not shown.
        for hidden in 0..places.len() {
            let mut fewer = places.clone();
            fewer[hidden] = None;
            all.insert(assignment(flow, shared, &fewer));
        }
    }
    all
}

fn assignment(flow: &BooleanFlow, shared: &Store, places: &[Option<&Store>]) -> Vec<bool> {
    let n_shared = flow.shared.len();
    let mut values: Vec<bool> =
        (0..=n_shared).map(|idx| flow.shared_value(shared.bytes(), idx)).collect();
    for local in places {
        let location = local.and_then(|local| flow.location(local.bytes()));
        let location = location.map_or(flow.locations.len(), |location| location.0 as usize);
        values.extend((0..n_location_bits(flow)).map(|bit| location >> bit & 1 == 1));
        let value = |idx| local.is_some_and(|local| flow.local_value(local.bytes(), idx));
        values.extend((0..flow.locals.len()).map(value));
    }
    values
}
