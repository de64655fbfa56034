//! Builders for small counter systems, and the system most proofs here are about.

use certify::{Rejection, check_certificate};
use model::{
    Bounds, Certificate, Configuration, ControlId, Count, CounterId, CounterSystem,
    CounterTransition, InitialZone, Limits, LinearLemma, Move, Problem, Proof, Support, Target,
    ThreadCount, Variant, Vocabulary, Zone,
};

pub const IDLE: u32 = 0;
pub const BUSY: u32 = 1;
pub const LOCK: u32 = 2;

pub fn c(id: u32) -> CounterId {
    CounterId(id)
}

pub fn at_least(list: &[(u32, u32)]) -> Vec<(CounterId, Bounds)> {
    list.iter().map(|&(id, n)| (c(id), Bounds::at_least(n))).collect()
}

pub fn transition(guard: &[(u32, u32)], delta: &[(u32, i64)]) -> CounterTransition {
    CounterTransition {
        name: "t".to_owned(),
        span: None,
        from: ControlId(0),
        to: ControlId(0),
        guard: at_least(guard),
        moves: Vec::new(),
        delta: delta.iter().map(|&(id, n)| (c(id), n)).collect(),
    }
}

pub fn transfer(from: u32, to: &[u32]) -> Move {
    Move { from: c(from), to: to.iter().copied().map(c).collect() }
}

pub fn zone(list: &[(u32, u32)]) -> Zone {
    Zone { control: ControlId(0), bounds: at_least(list) }
}

pub fn target(list: &[(u32, u32)]) -> Target {
    Target { name: "target".to_owned(), span: None, zone: zone(list) }
}

pub fn net(
    n_counters: u32,
    transitions: Vec<CounterTransition>,
    initial: &[(u32, Bounds)],
    targets: Vec<Target>,
) -> CounterSystem {
    let bounds = initial.iter().map(|&(id, bounds)| (c(id), bounds)).collect();
    CounterSystem {
        control_names: vec![String::new()],
        counter_names: (0..n_counters).map(|id| format!("x{id}")).collect(),
        transitions,
        initial: vec![InitialZone { control: ControlId(0), bounds }],
        targets,
        hints: Vec::new(),
    }
}

/// Any number of idle threads; one lock; never two are busy.
pub fn mutex() -> CounterSystem {
    let enter = transition(&[(IDLE, 1), (LOCK, 1)], &[(IDLE, -1), (BUSY, 1), (LOCK, -1)]);
    let leave = transition(&[(BUSY, 1)], &[(IDLE, 1), (BUSY, -1), (LOCK, 1)]);
    let initial = [(IDLE, Bounds::at_least(1)), (LOCK, Bounds::exactly(1))];
    net(3, vec![enter, leave], &initial, vec![target(&[(BUSY, 2)])])
}

pub fn configuration(counts: &[(u32, Option<u32>)]) -> Configuration {
    let count = |n: Option<u32>| n.map_or(Count::OMEGA, |n| Count::finite(n).expect("small"));
    let counts = counts.iter().map(|&(id, n)| (c(id), count(n))).collect();
    Configuration { control: ControlId(0), counts }
}

pub fn support(counters: &[u32]) -> Support {
    Support { controls: vec![(ControlId(0), counters.iter().copied().map(c).collect())] }
}

pub fn lemma(weights: &[(u32, i64)], bound: i64) -> LinearLemma {
    let counters = weights.iter().map(|&(id, weight)| (c(id), weight)).collect();
    LinearLemma { controls: Vec::new(), counters, bound }
}

pub fn certificate(proof: Proof) -> Certificate {
    Certificate {
        variant: Variant::AS_WRITTEN,
        scope: ThreadCount::Any,
        vocabulary: Vocabulary::CounterSystem,
        proof,
    }
}

pub fn verify(system: &CounterSystem, proof: &Proof) -> Result<(), Rejection> {
    let certificate = certificate(proof.clone());
    let problem = Problem::Counters(system);
    check_certificate(problem, ThreadCount::Any, &certificate, &Limits::none()).map(|_| ())
}

#[track_caller]
pub fn rejects(system: &CounterSystem, what: &str, proof: &Proof) {
    assert!(verify(system, proof).is_err(), "{what} was accepted: {proof:?}");
}
