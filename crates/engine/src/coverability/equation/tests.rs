//! Examples whose answers are known, and random systems on which every proof is
//! checked by weighing and by running all short executions.

use std::collections::BTreeSet;

use model::{
    Bounds, ControlId, CounterId, CounterSystem, CounterTransition, InitialZone, Limits,
    LinearLemma, Move, Refutation, Target, Trap, Zone,
};

use super::{StateEquation, prove};

/// A transition from text: `from to | guard | moves | delta`, for instance
/// `"0 1 | 2>=1 | 3>4,5 | 0-1 1+1"`.
fn rule(text: &str) -> CounterTransition {
    let parts: Vec<&str> = text.split('|').map(str::trim).collect();
    let number = |text: &str| text.parse::<u32>().expect("a number");
    let (from, to) = parts[0].split_once(' ').expect("two control states");
    let guard = parts[1].split_whitespace().map(|entry| {
        let (counter, min) = entry.split_once(">=").expect("a lower bound");
        (CounterId(number(counter)), Bounds::at_least(number(min)))
    });
    let moves = parts[2].split_whitespace().map(|entry| {
        let (from, to) = entry.split_once('>').expect("a move");
        let to = to.split(',').filter(|to| !to.is_empty()).map(|to| CounterId(number(to)));
        Move { from: CounterId(number(from)), to: to.collect() }
    });
    let delta = parts[3].split_whitespace().map(|entry| {
        let sign = entry.find(['+', '-']).expect("a change");
        let change = entry[sign..].parse().expect("a signed number");
        (CounterId(number(&entry[..sign])), change)
    });
    CounterTransition {
        name: text.to_string(),
        span: None,
        from: ControlId(number(from)),
        to: ControlId(number(to)),
        guard: guard.collect(),
        moves: moves.collect(),
        delta: delta.collect(),
    }
}

fn zone(control: u32, mins: &[(u32, u32)]) -> Zone {
    let bounds = mins.iter().map(|&(counter, min)| (CounterId(counter), Bounds::at_least(min)));
    Zone { control: ControlId(control), bounds: bounds.collect() }
}

/// A system with one initial zone; a bound of `None` is any number.
fn system(
    (n_controls, n_counters): (usize, usize),
    initial: &[(u32, Option<u32>)],
    rules: &[&str],
    targets: &[Zone],
) -> CounterSystem {
    let bounds = initial.iter().map(|&(counter, count)| {
        (CounterId(counter), count.map_or(Bounds::at_least(0), Bounds::exactly))
    });
    let target = |zone: &Zone| Target { name: String::new(), span: None, zone: zone.clone() };
    CounterSystem {
        control_names: vec![String::new(); n_controls],
        counter_names: (0..n_counters).map(|idx| format!("c{idx}")).collect(),
        transitions: rules.iter().map(|text| rule(text)).collect(),
        initial: vec![InitialZone { control: ControlId(0), bounds: bounds.collect() }],
        targets: targets.iter().map(target).collect(),
        hints: Vec::new(),
    }
}

/// Proves what it can; every proof must pass the naive check. Says which targets
/// were refuted, and with how many traps.
fn check(system: &CounterSystem) -> Vec<Option<usize>> {
    let proofs = prove(system, &Limits::none()).expect("there is no limit");
    assert_eq!(proofs.len(), system.targets.len());
    for (target, proof) in system.targets.iter().zip(&proofs) {
        if let Some(refutation) = proof {
            assert_refutes(system, refutation, &target.zone);
        }
    }
    proofs.iter().map(|proof| proof.as_ref().map(|refutation| refutation.traps.len())).collect()
}

fn control_weight(lemma: &LinearLemma, control: ControlId) -> i128 {
    lemma.controls.iter().filter(|entry| entry.0 == control).map(|entry| i128::from(entry.1)).sum()
}

fn counter_weight(lemma: &LinearLemma, counter: CounterId) -> i128 {
    lemma.counters.iter().filter(|entry| entry.0 == counter).map(|entry| i128::from(entry.1)).sum()
}

fn assert_inductive(system: &CounterSystem, lemma: &LinearLemma) {
    for t in &system.transitions {
        let gain = control_weight(lemma, t.to) - control_weight(lemma, t.from);
        let delta = t.delta.iter().map(|&(c, d)| counter_weight(lemma, c) * i128::from(d));
        assert!(gain + delta.sum::<i128>() <= 0, "{} increases {lemma:?}", t.name);
        for m in &t.moves {
            let weight = counter_weight(lemma, m.from);
            assert!(m.to.iter().all(|&to| counter_weight(lemma, to) <= weight));
            assert!(weight >= 0);
        }
    }
    for initial in &system.initial {
        let mut most = control_weight(lemma, initial.control);
        for &(counter, bounds) in &initial.bounds {
            let weight = counter_weight(lemma, counter);
            assert!(weight >= 0);
            match bounds.max {
                Some(max) => most += weight * i128::from(max),
                None => assert_eq!(weight, 0),
            }
        }
        assert!(most <= i128::from(lemma.bound));
    }
}

fn assert_trap(system: &CounterSystem, trap: &Trap) {
    let in_trap = |counter: &CounterId| trap.counters.contains(counter);
    for t in &system.transitions {
        let takes = trap.controls.contains(&t.from) && !trap.controls.contains(&t.to)
            || t.delta.iter().any(|(c, d)| *d < 0 && in_trap(c))
            || t.moves.iter().any(|m| {
                in_trap(&m.from) && (m.to.is_empty() || m.to.iter().any(|to| !in_trap(to)))
            });
        let change = |c: &CounterId| t.delta.iter().find(|e| e.0 == *c).map_or(0, |e| e.1);
        let moved = |c: &CounterId| t.moves.iter().any(|m| m.from == *c);
        let leaves = trap.controls.contains(&t.to)
            || t.delta.iter().any(|(c, d)| *d > 0 && in_trap(c))
            || t.guard.iter().any(|(c, bounds)| {
                in_trap(c) && !moved(c) && i64::from(bounds.min) + change(c) > 0
            });
        assert!(!takes || leaves, "{} empties {trap:?}", t.name);
    }
    for initial in &system.initial {
        let control = trap.controls.contains(&initial.control);
        assert!(control || initial.bounds.iter().any(|(c, b)| b.min > 0 && in_trap(c)));
    }
}

fn assert_refutes(system: &CounterSystem, refutation: &Refutation, zone: &Zone) {
    assert_inductive(system, &refutation.lemma);
    let mut weighed = control_weight(&refutation.lemma, zone.control);
    let mut bound = i128::from(refutation.lemma.bound);
    let mut rest: Vec<i128> = (0..system.counter_names.len())
        .map(|idx| counter_weight(&refutation.lemma, CounterId(idx as u32)))
        .collect();
    for (trap, multiplier) in &refutation.traps {
        assert_trap(system, trap);
        let multiplier = i128::from(*multiplier);
        assert!(multiplier > 0);
        bound -= multiplier;
        trap.counters.iter().for_each(|counter| rest[counter.idx()] -= multiplier);
        weighed -= multiplier * i128::from(trap.controls.contains(&zone.control));
    }
    assert!(rest.iter().all(|&weight| weight >= 0));
    for (counter, bounds) in &zone.bounds {
        weighed += rest[counter.idx()] * i128::from(bounds.min);
    }
    assert!(weighed > bound, "{refutation:?} does not exclude {zone:?}");
}

#[test]
fn a_lock_excludes_two_busy_threads() {
    // 0 idle (any number), 1 lock, 2 busy.
    let rules = ["0 0 || |0-1 1-1 2+1", "0 0 || |0+1 1+1 2-1"];
    let targets = [zone(0, &[(2, 2)]), zone(0, &[(1, 1), (2, 1)]), zone(0, &[(2, 1)])];
    let net = system((1, 3), &[(0, None), (1, Some(1))], &rules, &targets);
    assert_eq!(check(&net), vec![Some(0), Some(0), None]);
    let lemma = prove(&net, &Limits::none()).expect("no limit").remove(0).expect("proven").lemma;
    assert_eq!(lemma.counters, vec![(CounterId(1), 1), (CounterId(2), 1)]);
    assert_eq!((lemma.controls, lemma.bound), (vec![], 1));
}

#[test]
fn control_states_can_be_the_lock() {
    // Control 1 while a thread is in local 1: two of them cannot be.
    let rules = ["0 1 || |0-1 1+1", "1 0 || |0+1 1-1"];
    let targets = [zone(1, &[(1, 2)]), zone(0, &[(1, 1)]), zone(1, &[(1, 1)])];
    let threads = system((2, 2), &[(0, None)], &rules, &targets);
    assert_eq!(check(&threads), vec![Some(0), Some(0), None]);
}

/// Two processes raise a flag and look whether the other one's is down. Counters
/// of process i = 0, 1: idle 4i, flag down 4i+1, waiting 4i+2, critical 4i+3.
fn flags(targets: &[Zone]) -> CounterSystem {
    let rules = [
        "0 0 || |0-1 1-1 2+1",
        "0 0 |5>=1||2-1 3+1",
        "0 0 || |0+1 1+1 3-1",
        "0 0 || |4-1 5-1 6+1",
        "0 0 |1>=1||6-1 7+1",
        "0 0 || |4+1 5+1 7-1",
    ];
    let initial = [(0, Some(1)), (1, Some(1)), (4, Some(1)), (5, Some(1))];
    system((1, 8), &initial, &rules, targets)
}

#[test]
fn raised_flags_exclude_each_other_by_a_trap() {
    let targets = [zone(0, &[(3, 2)]), zone(0, &[(2, 1), (6, 1)]), zone(0, &[(3, 1), (7, 1)])];
    assert_eq!(check(&flags(&targets)), vec![Some(0), None, Some(1)]);
}

#[test]
fn a_transfer_within_a_trap_keeps_it_and_a_reset_does_not() {
    let targets = [zone(0, &[(3, 1), (7, 1)])];
    let mut net = flags(&targets);
    net.transitions.push(rule("0 0 || 2>1 |"));
    assert_eq!(check(&net), vec![Some(1)]);
    net.transitions.push(rule("0 0 || 2> |"));
    assert_eq!(check(&net), vec![None]);
}

#[test]
fn a_token_that_chooses_where_to_go_is_still_one_token() {
    let rules = ["0 0 || 0>1,2 |", "0 0 || 1>0 |", "0 0 |2>=1||2-1 1+1", "0 0 |0>=1||3+1"];
    let targets = [zone(0, &[(1, 2)]), zone(0, &[(0, 1), (1, 1)]), zone(0, &[(3, 5)])];
    let net = system((1, 4), &[(0, Some(1))], &rules, &targets);
    assert_eq!(check(&net), vec![Some(0), Some(0), None]);
}

#[test]
fn claimed_invariants_are_used_only_when_they_hold() {
    let mut net = flags(&[zone(0, &[(3, 2)])]);
    let hint = |counters: &[u32]| counters.iter().map(|&idx| (CounterId(idx), 1)).collect();
    net.hints = vec![hint(&[1, 2, 3]), hint(&[2, 3]), vec![(CounterId(2), -1), (CounterId(9), 1)]];
    let equation = StateEquation::new(&net);
    equation.lemmas.iter().for_each(|lemma| assert_inductive(&net, lemma));
    assert_eq!(equation.lemmas.len(), 1);
    assert_eq!(check(&net), vec![Some(0)]);
}

#[test]
fn resets_only_lose_tokens() {
    let rules = ["0 0 || 0> |", "0 0 || |0-1 1+1", "0 0 || 1>0 |"];
    let targets = [zone(0, &[(0, 2), (1, 2)]), zone(0, &[(0, 1), (1, 2)])];
    assert_eq!(check(&system((1, 2), &[(0, Some(3))], &rules, &targets)), vec![Some(0), None]);
}

#[test]
fn one_refutation_serves_many_targets() {
    let rules = ["0 0 || |0-1 1+1", "0 0 || |0+1 1-1"];
    let targets: Vec<Zone> = (3..200).map(|n| zone(0, &[(0, n), (1, n)])).collect();
    let net = system((1, 2), &[(0, Some(2))], &rules, &targets);
    let proofs = prove(&net, &Limits::none()).expect("there is no limit");
    assert!(proofs.iter().all(|proof| proof.is_some() && proof == &proofs[0]));
}

#[test]
fn exclusion_returns_inductive_lemmas_alone() {
    let net = flags(&[]);
    let mut equation = StateEquation::new(&net);
    let mut exclude = |zone: &Zone| equation.exclude(zone, &Limits::none()).expect("no limit");
    for _ in 0..3 {
        let lemma = exclude(&zone(0, &[(2, 1), (3, 1)])).expect("a place invariant");
        assert_inductive(&net, &lemma);
        assert_eq!(exclude(&zone(0, &[(3, 1), (7, 1)])), None);
    }
}

#[test]
fn odd_systems_are_answered() {
    let mut nothing = system((1, 0), &[], &[], &[zone(0, &[])]);
    assert_eq!(check(&nothing), vec![None]);
    nothing.initial.clear();
    assert_eq!(check(&nothing), vec![Some(0)]);
    let large = u32::MAX - 1;
    let rules = ["0 0 || |0-4611686018427387904 1+4611686018427387904"];
    let targets = [zone(0, &[(1, large), (0, large)]), zone(7, &[(9, 1)])];
    check(&system((1, 2), &[(0, Some(large))], &rules, &targets[..1]));
    let mut stranger = system((1, 2), &[(0, Some(large))], &rules, &[]);
    stranger.targets.clear();
    let mut equation = StateEquation::new(&stranger);
    assert!(equation.refute(&targets[1], &Limits::none()).is_ok());
}

/// SplitMix64, so that failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }
}

fn random_rule(random: &mut Random, n_controls: u64, n_counters: u64) -> CounterTransition {
    let mut transition = rule("0 0 || |");
    transition.from = ControlId(random.below(n_controls) as u32);
    transition.to = ControlId(random.below(n_controls) as u32);
    for idx in 0..n_counters as u32 {
        match random.below(9) {
            0 | 1 => transition.delta.push((CounterId(idx), -1)),
            2 | 3 => transition.delta.push((CounterId(idx), 1)),
            4 => transition.guard.push((CounterId(idx), Bounds::at_least(1))),
            5 if random.below(3) == 0 => {
                let to = (0..n_counters as u32).filter(|_| random.below(n_counters) == 0);
                transition
                    .moves
                    .push(Move { from: CounterId(idx), to: to.map(CounterId).collect() });
            }
            _ => {}
        }
    }
    transition
}

fn random_system(random: &mut Random) -> CounterSystem {
    let n_controls = 1 + random.below(3);
    let n_counters = 2 + random.below(4);
    let mut system = system((n_controls as usize, n_counters as usize), &[], &[], &[]);
    system.initial[0].bounds = (0..n_counters as u32)
        .map(|idx| (CounterId(idx), Bounds::exactly(random.below(3) as u32 / 2)))
        .collect();
    let n_rules = 2 + random.below(5);
    system.transitions =
        (0..n_rules).map(|_| random_rule(random, n_controls, n_counters)).collect();
    for _ in 0..4 {
        let control = random.below(n_controls) as u32;
        let mins =
            (0..n_counters as u32).map(|idx| (idx, random.below(5).saturating_sub(2) as u32));
        let zone = zone(control, &mins.collect::<Vec<_>>());
        system.targets.push(Target { name: String::new(), span: None, zone });
    }
    system
}

type State = (u32, Vec<i64>);

fn successors(system: &CounterSystem, (control, counts): &State) -> Vec<State> {
    let mut found = Vec::new();
    for t in system.transitions.iter().filter(|t| t.from.0 == *control) {
        let count = |counter: &CounterId| counts[counter.idx()];
        if t.guard.iter().any(|(c, bounds)| count(c) < i64::from(bounds.min)) {
            continue;
        }
        let mut base = counts.clone();
        t.moves.iter().for_each(|m| base[m.from.idx()] = 0);
        let mut divided = vec![base];
        for m in t.moves.iter().filter(|m| !m.to.is_empty()) {
            for _ in 0..count(&m.from) {
                let step = |counts: Vec<i64>| {
                    m.to.iter().map(move |to| {
                        let mut counts = counts.clone();
                        counts[to.idx()] += 1;
                        counts
                    })
                };
                divided = divided.into_iter().flat_map(step).collect();
            }
        }
        for mut counts in divided {
            t.delta.iter().for_each(|&(c, d)| counts[c.idx()] += d);
            if counts.iter().all(|&count| count >= 0) {
                found.push((t.to.0, counts));
            }
        }
    }
    found
}

/// Everything reachable with few tokens, as far as a small budget goes.
fn reachable(system: &CounterSystem) -> BTreeSet<State> {
    let initial = &system.initial[0];
    let counts = initial.bounds.iter().map(|(_, bounds)| i64::from(bounds.min)).collect();
    let mut open = vec![(initial.control.0, counts)];
    let mut seen: BTreeSet<State> = open.iter().cloned().collect();
    while let Some(state) = open.pop() {
        for next in successors(system, &state) {
            let small = next.1.iter().sum::<i64>() <= 6;
            if small && seen.len() < 3_000 && seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    seen
}

#[test]
fn no_refuted_target_is_reachable_in_random_systems() {
    let mut random = Random(7);
    let (mut n_linear, mut n_trapped, mut n_reached) = (0, 0, 0);
    for _ in 0..3_000 {
        let system = random_system(&mut random);
        let refuted = check(&system);
        let seen = reachable(&system);
        for (target, refuted) in system.targets.iter().zip(refuted) {
            let covered = seen.iter().any(|(control, counts)| {
                let bounds = &target.zone.bounds;
                *control == target.zone.control.0
                    && bounds.iter().all(|(c, b)| counts[c.idx()] >= i64::from(b.min))
            });
            assert!(!(covered && refuted.is_some()), "{system:?} reaches {target:?}");
            n_linear += usize::from(refuted == Some(0));
            n_trapped += usize::from(refuted.is_some_and(|n| n > 0));
            n_reached += usize::from(covered);
        }
    }
    assert!(n_linear > 1_000 && n_trapped > 10 && n_reached > 1_000);
}
