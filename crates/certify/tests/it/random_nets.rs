//! Random counter systems with random proofs: what `certify` accepts, the naive
//! search must not refute. And proofs that are valid by construction must pass.

use std::collections::BTreeSet;

use model::{
    Bounds, Configuration, ControlId, Count, CounterId, CounterSystem, CounterTransition,
    InitialZone, LinearLemma, Move, Proof, Refutation, Support, Target, Trap, Zone,
};

use crate::explore::{MOST, State, all_states, is_target, reachable, successors};
use crate::nets::verify;

/// SplitMix64, small enough to need no dependency.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n) as u32
    }

    pub fn chance(&mut self, one_in: u64) -> bool {
        self.below(one_in) == 0
    }
}

const N_COUNTERS: u32 = 3;

fn subset(random: &mut Random, one_in: u64) -> Vec<CounterId> {
    (0..N_COUNTERS).filter(|_| random.chance(one_in)).map(CounterId).collect()
}

fn random_bounds(random: &mut Random) -> Bounds {
    let min = random.below(3);
    let max = random.chance(4).then(|| min + random.below(2));
    Bounds { min, max }
}

fn random_transition(random: &mut Random, n_controls: u64, is_plain: bool) -> CounterTransition {
    let mut guard = Vec::new();
    for counter in subset(random, 2) {
        let bounds = random_bounds(random);
        guard.push((counter, if is_plain { Bounds::at_least(bounds.min) } else { bounds }));
    }
    let moved = if is_plain || !random.chance(2) { Vec::new() } else { subset(random, 2) };
    let moves = moved.into_iter().map(|from| Move { from, to: subset(random, 2) }).collect();
    let changed = subset(random, 2).into_iter();
    let delta = changed.map(|counter| (counter, i64::from(random.below(4)) - 2));
    let delta = delta.filter(|entry| entry.1 != 0).collect();
    CounterTransition {
        name: "t".to_owned(),
        span: None,
        from: ControlId(random.below(n_controls)),
        to: ControlId(random.below(n_controls)),
        guard,
        moves,
        delta,
    }
}

fn random_system(random: &mut Random, is_plain: bool) -> CounterSystem {
    let n_controls = 1 + u64::from(random.below(2));
    let n_transitions = 1 + random.below(4);
    let transitions =
        (0..n_transitions).map(|_| random_transition(random, n_controls, is_plain)).collect();
    let initial = subset(random, 2).into_iter().map(|counter| {
        let min = random.below(2);
        let max = (!random.chance(4)).then(|| min + random.below(2));
        (counter, Bounds { min, max })
    });
    let initial = InitialZone { control: ControlId(0), bounds: initial.collect() };
    let mut bounds: Vec<_> =
        subset(random, 2).into_iter().map(|counter| (counter, random_bounds(random))).collect();
    if is_plain {
        bounds.iter_mut().for_each(|entry| entry.1.max = None);
    }
    let zone = Zone { control: ControlId(random.below(n_controls)), bounds };
    CounterSystem {
        control_names: (0..n_controls).map(|id| format!("s{id}")).collect(),
        counter_names: (0..N_COUNTERS).map(|id| format!("x{id}")).collect(),
        transitions,
        initial: vec![initial],
        targets: vec![Target { name: "target".to_owned(), span: None, zone }],
        hints: Vec::new(),
    }
}

/// What is reachable, with counts of `many` and more taken as `*`, then spoiled.
fn random_cover(random: &mut Random, reached: &BTreeSet<State>) -> Proof {
    let many = 2 + random.below(3);
    let abstracted: BTreeSet<Configuration> = reached
        .iter()
        .map(|(control, counts)| {
            let counts = (0..).zip(counts).filter(|entry| *entry.1 > 0).map(|(id, &n)| {
                let count = if n >= many { None } else { Count::finite(n) };
                (CounterId(id), count.unwrap_or(Count::OMEGA))
            });
            Configuration { control: *control, counts: counts.collect() }
        })
        .collect();
    let mut configurations: Vec<_> = abstracted.into_iter().collect();
    if random.chance(2) {
        let idx = random.below(configurations.len().max(1) as u64) as usize;
        if idx < configurations.len() {
            match random.below(3) {
                0 => _ = configurations.remove(idx),
                1 => _ = configurations[idx].counts.pop(),
                _ => configurations[idx].counts.iter_mut().for_each(|entry| {
                    entry.1 = Count::finite(1).expect("small");
                }),
            }
        }
    }
    Proof::Cover { configurations }
}

fn random_support(
    random: &mut Random,
    system: &CounterSystem,
    reached: &BTreeSet<State>,
) -> Support {
    let n_controls = system.control_names.len() as u32;
    if random.chance(2) {
        let all: Vec<_> = (0..N_COUNTERS).map(CounterId).collect();
        return Support {
            controls: (0..n_controls).map(|s| (ControlId(s), all.clone())).collect(),
        };
    }
    let mut controls = Vec::new();
    for control in (0..n_controls).map(ControlId) {
        let here = || reached.iter().filter(|state| state.0 == control);
        let used = |id: &u32| here().any(|state| state.1[*id as usize] > 0);
        if here().next().is_some() {
            controls.push((control, (0..N_COUNTERS).filter(used).map(CounterId).collect()));
        }
    }
    Support { controls }
}

/// Random weights, with the least bound that is true of all of `reached`.
fn random_lemma(random: &mut Random, reached: &BTreeSet<State>, least: i64) -> LinearLemma {
    let counters: Vec<_> = subset(random, 2)
        .into_iter()
        .map(|counter| (counter, i64::from(random.below(4)) + least))
        .collect();
    let controls = vec![(ControlId(0), i64::from(random.below(3)) - 1)];
    let weigh = |(control, counts): &State| {
        let control = if control.0 == 0 { controls[0].1 } else { 0 };
        let sum = counters.iter().map(|&(c, w)| w * i64::from(counts[c.idx()]));
        control + sum.sum::<i64>()
    };
    let bound = reached.iter().map(weigh).max().unwrap_or(0);
    let bound = if random.chance(4) { bound - 1 } else { bound };
    LinearLemma { controls, counters, bound }
}

/// Zones of states from which a target is reachable: minimal ones within the box.
fn random_basis(random: &mut Random, system: &CounterSystem, reached: &BTreeSet<State>) -> Proof {
    let all = all_states(system.control_names.len() as u32, N_COUNTERS as usize);
    let mut bad: BTreeSet<State> =
        all.iter().filter(|state| is_target(system, state)).cloned().collect();
    loop {
        let leads = |state: &&State| {
            !bad.contains(*state) && successors(system, state).iter().any(|s| bad.contains(s))
        };
        let more: Vec<State> = all.iter().filter(leads).cloned().collect();
        if more.is_empty() {
            break;
        }
        bad.extend(more);
    }
    let is_exact = random.chance(3);
    let is_minimal = |state: &&State| {
        is_exact || !bad.iter().any(|low| low != *state && low.0 == state.0 && below(low, state))
    };
    let to_zone = |(control, counts): &State| {
        let bounds = (0..).zip(counts).map(|(id, &n)| {
            let max = (is_exact && n < MOST).then_some(n);
            (CounterId(id), Bounds { min: n, max })
        });
        Zone { control: *control, bounds: bounds.collect() }
    };
    let mut basis: Vec<Zone> = bad.iter().filter(is_minimal).map(to_zone).collect();
    if random.chance(3) && !basis.is_empty() {
        basis.remove(random.below(basis.len() as u64) as usize);
    }
    let lemmas = (0..random.below(3)).map(|_| random_lemma(random, reached, 0)).collect();
    let equal = if random.chance(3) { random_pair(random) } else { Vec::new() };
    Proof::Basis { support: random_support(random, system, reached), equal, lemmas, basis }
}

fn random_pair(random: &mut Random) -> Vec<(CounterId, CounterId)> {
    vec![(CounterId(random.below(3)), CounterId(random.below(3)))]
}

fn below(low: &State, high: &State) -> bool {
    low.1.iter().zip(&high.1).all(|(low, high)| low <= high)
}

fn random_equation(
    random: &mut Random,
    system: &CounterSystem,
    reached: &BTreeSet<State>,
) -> Proof {
    let mut refutations = Vec::new();
    for _ in 0..1 + random.below(2) {
        let lemma = random_lemma(random, reached, -2);
        let controls = if random.chance(4) { vec![ControlId(0)] } else { Vec::new() };
        let trap = Trap { controls, counters: subset(random, 2) };
        let traps = if random.chance(2) { vec![(trap, 1)] } else { Vec::new() };
        refutations.push(Refutation { lemma, traps });
    }
    Proof::Equation { support: random_support(random, system, reached), refutations }
}

#[test]
fn no_accepted_proof_is_refuted_by_a_search_with_small_counts() {
    let mut random = Random(1);
    let mut n_accepted = [0; 3];
    for round in 0..4000 {
        let is_plain = random.chance(4);
        let system = random_system(&mut random, is_plain);
        let reached = reachable(&system);
        let is_refuted = reached.iter().any(|state| is_target(&system, state));
        let mut proofs = Vec::new();
        // Finding all that leads to a target is what takes time here.
        if round % 4 == 0 {
            proofs.push((1, random_basis(&mut random, &system, &reached)));
        }
        for _ in 0..3 {
            proofs.push((0, random_cover(&mut random, &reached)));
        }
        for _ in 0..20 {
            proofs.push((2, random_equation(&mut random, &system, &reached)));
        }
        for (kind, proof) in proofs {
            if verify(&system, &proof).is_ok() {
                assert!(!is_refuted, "accepted a false proof: {system:#?} {proof:#?}");
                n_accepted[kind] += 1;
            }
        }
    }
    // Otherwise this test would show nothing.
    assert!(n_accepted.iter().all(|n| *n > 100), "too few were accepted: {n_accepted:?}");
}

/// The minimal basis of a plain net, by the textbook.
fn saturate(system: &CounterSystem) -> Vec<Zone> {
    let mut basis: Vec<State> = Vec::new();
    let target = &system.targets[0].zone;
    let least = (0..N_COUNTERS).map(|id| target.bounds_of(CounterId(id)).min).collect();
    let mut open = vec![(target.control, least)];
    while let Some(state) = open.pop() {
        if basis.iter().any(|low| low.0 == state.0 && below(low, &state)) {
            continue;
        }
        basis.retain(|high| high.0 != state.0 || !below(&state, high));
        for transition in system.transitions.iter().filter(|t| t.to == state.0) {
            let mut before = Vec::new();
            for (id, &n) in (0..).map(CounterId).zip(&state.1) {
                let delta = transition.delta.iter().find(|entry| entry.0 == id);
                let needed = i64::from(n) - delta.map_or(0, |entry| entry.1);
                let delta_needs = -delta.map_or(0, |entry| entry.1);
                let guard = transition.guard.iter().find(|entry| entry.0 == id);
                let guard = guard.map_or(0, |entry| i64::from(entry.1.min));
                before.push(needed.max(delta_needs).max(guard).max(0) as u32);
            }
            open.push((transition.from, before));
        }
        basis.push(state);
    }
    let to_zone = |(control, counts): State| {
        let bounds = (0..).zip(counts).filter(|entry| entry.1 > 0);
        let bounds = bounds.map(|(id, n)| (CounterId(id), Bounds::at_least(n))).collect();
        Zone { control, bounds }
    };
    basis.into_iter().map(to_zone).collect()
}

#[test]
fn the_textbook_basis_of_a_plain_net_is_accepted_exactly_if_it_misses_the_initial_zone() {
    let mut random = Random(2);
    let mut n_accepted = 0;
    for _ in 0..3000 {
        let system = random_system(&mut random, true);
        let basis = saturate(&system);
        let initial = &system.initial[0];
        let starts = |id: CounterId| {
            let listed = initial.bounds.iter().find(|entry| entry.0 == id);
            listed.map_or(Some(0), |entry| entry.1.max)
        };
        let is_met = basis.iter().any(|zone| {
            let within = |&(id, b): &(CounterId, Bounds)| starts(id).is_none_or(|max| b.min <= max);
            zone.control == initial.control && zone.bounds.iter().all(within)
        });
        let counters: Vec<_> = (0..N_COUNTERS).map(CounterId).collect();
        let controls = (0..system.control_names.len() as u32).map(ControlId);
        let support = Support { controls: controls.map(|s| (s, counters.clone())).collect() };
        let proof = Proof::Basis { support, equal: Vec::new(), lemmas: Vec::new(), basis };
        let answer = verify(&system, &proof);
        assert_eq!(answer.is_ok(), !is_met, "{answer:?} {system:#?} {proof:#?}");
        n_accepted += usize::from(answer.is_ok());
    }
    assert!(n_accepted > 500, "too few were accepted: {n_accepted}");
}
