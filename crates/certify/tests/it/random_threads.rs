//! Random thread programs with random proofs: what `certify` accepts, the naive
//! search with few threads must not refute.

use std::collections::BTreeSet;

use certify::check_certificate;
use model::{
    Bounds, Certificate, Configuration, ControlId, Count, CounterId, Limits, LinearLemma,
    Multiplicity, Problem, Proof, Refutation, StepError, Support, TargetShape, ThreadCount,
    Vocabulary, Zone,
};

use crate::random_nets::Random;
use crate::table::{Crowd, Row, Table, explore, store, tally, template};

const N_SHARED: u8 = 2;
const N_LOCAL: u8 = 3;

fn shared(random: &mut Random) -> u8 {
    random.below(u64::from(N_SHARED)) as u8
}

fn local(random: &mut Random) -> u8 {
    random.below(u64::from(N_LOCAL)) as u8
}

fn random_row(random: &mut Random) -> Row {
    let is_environment = random.chance(8);
    let mut row = Row {
        shared: shared(random),
        local: Some(local(random)),
        to_shared: shared(random),
        to_local: Some(local(random)),
        spawned: if random.chance(6) { vec![local(random)] } else { Vec::new() },
        broadcast: random.chance(2).then_some(0),
        violation: random.chance(10).then(|| StepError::assertion("error")),
    };
    if is_environment {
        (row.local, row.to_local) = (None, None);
    } else if random.chance(6) {
        row.to_local = None;
    }
    row
}

fn random_table(random: &mut Random) -> Table {
    let mut templates = Vec::new();
    if random.chance(2) {
        let stores = [local(random), local(random)];
        templates.push(template(&stores, Multiplicity::Exactly(1 + random.below(2))));
    }
    if templates.is_empty() || random.chance(2) {
        templates.push(template(&[local(random)], Multiplicity::Any));
    }
    let slots: Vec<u32> = (0..random.below(3)).map(|_| 1 + random.below(2)).collect();
    let fits = slots.iter().map(|_| vec![local(random), local(random)]).collect();
    Table {
        shared: vec![store(shared(random))],
        templates,
        rows: (0..2 + random.below(4)).map(|_| random_row(random)).collect(),
        passive: (0..random.below(4)).map(|_| (0, local(random), local(random))).collect(),
        shapes: vec![TargetShape { name: "target".to_owned(), slots }],
        fits: vec![(vec![shared(random)], fits)],
        unsure: Vec::new(),
        unsure_environment: Vec::new(),
        forbids_races: false,
    }
}

fn random_cover(random: &mut Random, reached: &BTreeSet<Crowd>) -> Proof {
    let many = 2 + random.below(2);
    let abstracted: BTreeSet<Configuration> = reached
        .iter()
        .map(|crowd| {
            let counts = tally(crowd).into_iter().map(|(byte, n)| {
                let count = if n >= many { None } else { Count::finite(n) };
                (CounterId(u32::from(byte)), count.unwrap_or(Count::OMEGA))
            });
            Configuration { control: ControlId(u32::from(crowd.0)), counts: counts.collect() }
        })
        .collect();
    let mut configurations: Vec<_> = abstracted.into_iter().collect();
    if random.chance(2) {
        let idx = random.below(configurations.len() as u64) as usize;
        if random.chance(2) {
            configurations.remove(idx);
        } else {
            configurations[idx].counts.pop();
        }
    }
    Proof::Cover { configurations }
}

fn all_support() -> Support {
    let all: Vec<_> = (0..u32::from(N_LOCAL)).map(CounterId).collect();
    Support { controls: (0..u32::from(N_SHARED)).map(|s| (ControlId(s), all.clone())).collect() }
}

/// Zones around small crowds from which an error is reachable.
fn random_basis(random: &mut Random, table: &Table) -> Proof {
    let mut basis: Vec<Zone> = Vec::new();
    for code in 0..64u32 * u32::from(N_SHARED) {
        let (control, counts) = (code / 64, [code % 4, code / 4 % 4, code / 16 % 4]);
        let mut crowd = table.clone();
        crowd.shared = vec![store(control as u8)];
        crowd.templates = (0..)
            .zip(counts)
            .map(|(byte, n)| template(&[byte], Multiplicity::Exactly(n)))
            .collect();
        if explore(&crowd, 0, 5).1 && !random.chance(60) {
            let bounds = (0..).zip(counts).filter(|entry| entry.1 > 0);
            let bounds = bounds.map(|(id, n)| (CounterId(id), Bounds::at_least(n))).collect();
            basis.push(Zone { control: ControlId(control), bounds });
        }
    }
    Proof::Basis { support: all_support(), equal: Vec::new(), lemmas: Vec::new(), basis }
}

fn random_equation(random: &mut Random, reached: &BTreeSet<Crowd>) -> Proof {
    let weights: Vec<i64> = (0..N_LOCAL).map(|_| i64::from(random.below(4)) - 1).collect();
    let control = i64::from(random.below(5)) - 2;
    let weigh = |crowd: &Crowd| {
        let sum: i64 = crowd.1.iter().map(|byte| weights[usize::from(*byte)]).sum();
        if crowd.0 == 0 { sum + control } else { sum }
    };
    let bound = reached.iter().map(weigh).max().unwrap_or(0);
    let counters = (0..).map(CounterId).zip(weights.iter().copied()).collect();
    let lemma = LinearLemma { controls: vec![(ControlId(0), control)], counters, bound };
    let refutations = vec![Refutation { lemma, traps: Vec::new() }];
    Proof::Equation { support: all_support(), refutations }
}

fn verify(table: &Table, proof: Proof) -> bool {
    let certificate = Certificate {
        variant: model::Variant::AS_WRITTEN,
        scope: ThreadCount::Any,
        vocabulary: Vocabulary::Threads {
            shared: (0..N_SHARED).map(store).collect(),
            local: (0..N_LOCAL).map(store).collect(),
        },
        proof,
    };
    let problem = Problem::Threads(table);
    check_certificate(problem, ThreadCount::Any, &certificate, &Limits::none()).is_ok()
}

#[test]
fn no_accepted_proof_is_refuted_by_a_search_with_few_threads() {
    let mut random = Random(3);
    let mut n_accepted = [0; 3];
    for round in 0..3000 {
        let table = random_table(&mut random);
        let (reached, is_refuted) = explore(&table, 4, 6);
        let mut proofs = vec![(0, random_cover(&mut random, &reached))];
        proofs.push((0, random_cover(&mut random, &reached)));
        for _ in 0..10 {
            proofs.push((2, random_equation(&mut random, &reached)));
        }
        if round % 4 == 0 {
            proofs.push((1, random_basis(&mut random, &table)));
        }
        for (kind, proof) in proofs {
            if verify(&table, proof.clone()) {
                assert!(!is_refuted, "accepted a false proof: {table:#?} {proof:#?}");
                n_accepted[kind] += 1;
            }
        }
    }
    assert!(n_accepted.iter().all(|n| *n > 50), "too few were accepted: {n_accepted:?}");
}
