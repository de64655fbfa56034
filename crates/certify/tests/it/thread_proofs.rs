//! Certificates about thread programs: vocabulary, scope, broadcasts, step errors.

use certify::{Assurance, Rejection, check, check_certificate};
use model::{
    Bounds, Certificate, Configuration, ControlId, Count, CounterId, Limits, LinearLemma,
    Multiplicity, Problem, Proof, Refutation, Scope, StepError, Support, TargetShape, ThreadCount,
    Variant, Verdict, Vocabulary, Zone,
};

use crate::table::{Row, Table, step, store, template};

const FREE: u8 = 10;
const HELD: u8 = 11;
const IDLE: u8 = 20;
const BUSY: u8 = 21;

/// Any number of threads take turns; never two are busy.
fn mutex() -> Table {
    Table {
        shared: vec![store(FREE)],
        templates: vec![template(&[IDLE], Multiplicity::Any)],
        rows: vec![step(FREE, IDLE, HELD, BUSY), step(HELD, BUSY, FREE, IDLE)],
        shapes: vec![TargetShape { name: "two busy".to_owned(), slots: vec![1, 1] }],
        fits: vec![(vec![FREE, HELD], vec![vec![BUSY], vec![BUSY]])],
        ..Table::default()
    }
}

fn vocabulary() -> Vocabulary {
    Vocabulary::Threads {
        shared: vec![store(FREE), store(HELD)],
        local: vec![store(IDLE), store(BUSY)],
    }
}

fn cover() -> Proof {
    let one = Count::finite(1).expect("small");
    let any_idle = (CounterId(0), Count::OMEGA);
    let configurations = vec![
        Configuration { control: ControlId(0), counts: vec![any_idle] },
        Configuration { control: ControlId(1), counts: vec![any_idle, (CounterId(1), one)] },
    ];
    Proof::Cover { configurations }
}

fn support() -> Support {
    let both = vec![CounterId(0), CounterId(1)];
    Support { controls: vec![(ControlId(0), both.clone()), (ControlId(1), both)] }
}

fn basis() -> Proof {
    let zone = |control, n| {
        let bounds = vec![(CounterId(1), Bounds::at_least(n))];
        Zone { control: ControlId(control), bounds }
    };
    let (equal, lemmas) = (Vec::new(), Vec::new());
    Proof::Basis { support: support(), equal, lemmas, basis: vec![zone(0, 1), zone(1, 2)] }
}

fn equation() -> Proof {
    // Busy threads are at most those that hold the lock.
    let controls = vec![(ControlId(1), -1)];
    let lemma = LinearLemma { controls, counters: vec![(CounterId(1), 1)], bound: 0 };
    let refutations = vec![Refutation { lemma, traps: Vec::new() }];
    Proof::Equation { support: support(), refutations }
}

fn certificate(proof: Proof) -> Certificate {
    Certificate { variant: Variant::AS_WRITTEN, scope: Scope::Any, vocabulary: vocabulary(), proof }
}

fn verify(table: &Table, certificate: &Certificate) -> Result<(), Rejection> {
    check_certificate(Problem::Threads(table), ThreadCount::Any, certificate, &Limits::none())
        .map(|_| ())
}

#[test]
fn each_kind_of_proof_is_accepted_for_a_thread_program() {
    for proof in [cover(), basis(), equation()] {
        assert_eq!(verify(&mutex(), &certificate(proof.clone())), Ok(()), "{proof:?}");
    }
}

#[test]
fn no_proof_about_targets_says_that_there_is_no_race() {
    let table = Table { forbids_races: true, ..mutex() };
    for proof in [cover(), basis(), equation()] {
        let rejected = verify(&table, &certificate(proof.clone()));
        assert!(matches!(rejected, Err(Rejection::TargetNotExcluded { .. })), "{proof:?}");
    }
}

#[test]
fn a_corrupt_vocabulary_is_rejected() {
    let (shared, local) = (vec![store(FREE), store(HELD)], vec![store(IDLE), store(BUSY)]);
    let words = |shared: &[model::Store], local: &[model::Store]| Vocabulary::Threads {
        shared: shared.to_vec(),
        local: local.to_vec(),
    };
    for proof in [cover(), basis(), equation()] {
        for vocabulary in [
            Vocabulary::CounterSystem,
            words(&[store(FREE), store(FREE)], &local),
            words(&shared, &[store(IDLE), store(IDLE)]),
            words(&[store(HELD), store(FREE)], &local),
            words(&shared, &[store(BUSY), store(IDLE)]),
            words(&[store(FREE), store(99)], &local),
            words(&shared, &[store(IDLE), store(99)]),
            words(&shared[..1], &local),
            words(&shared, &local[..1]),
            words(&[], &[]),
        ] {
            let corrupt = Certificate { vocabulary, ..certificate(proof.clone()) };
            assert!(verify(&mutex(), &corrupt).is_err(), "{corrupt:?}");
        }
    }
}

#[test]
fn a_proof_for_one_number_of_threads_is_none_for_every_number() {
    let table = mutex();
    let problem = Problem::Threads(&table);
    let ask = |threads, scope| {
        let certificate = Certificate { scope, ..certificate(cover()) };
        check_certificate(problem, threads, &certificate, &Limits::none())
    };
    assert_eq!(ask(Scope::Exactly(3), Scope::Exactly(3)), Ok(Assurance::Proved));
    assert_eq!(ask(Scope::Exactly(3), Scope::Any), Ok(Assurance::Proved));
    assert!(matches!(ask(Scope::Any, Scope::Exactly(3)), Err(Rejection::ScopeMismatch { .. })));
    assert!(ask(Scope::Exactly(2), Scope::Exactly(3)).is_err());
}

#[test]
fn a_number_of_threads_that_no_run_has_is_rejected() {
    let mut table = mutex();
    table.templates = vec![template(&[IDLE], Multiplicity::Exactly(2))];
    for n_threads in [1, 3] {
        let scope = Scope::Exactly(n_threads);
        let certificate = Certificate { scope, ..certificate(cover()) };
        let problem = Problem::Threads(&table);
        assert!(check_certificate(problem, scope, &certificate, &Limits::none()).is_err());
    }
}

#[test]
fn a_fixed_number_of_threads_is_proven_with_finite_counts() {
    let mut table = mutex();
    table.templates.push(template(&[IDLE, 22], Multiplicity::Exactly(1)));
    let count = |n| Count::finite(n).expect("small");
    let start = |counts: &[(u32, u32)]| Configuration {
        control: ControlId(0),
        counts: counts.iter().map(|&(id, n)| (CounterId(id), count(n))).collect(),
    };
    let held = |counts: &[(u32, u32)]| Configuration { control: ControlId(1), ..start(counts) };
    let proof = |last: &[Configuration]| {
        let mut configurations = vec![start(&[(0, 2)]), held(&[(0, 1), (1, 1)])];
        configurations.extend_from_slice(last);
        Certificate {
            variant: Variant::AS_WRITTEN,
            scope: Scope::Exactly(2),
            vocabulary: Vocabulary::Threads {
                shared: vec![store(FREE), store(HELD)],
                local: vec![store(IDLE), store(BUSY), store(22)],
            },
            proof: Proof::Cover { configurations },
        }
    };
    let verify = |certificate: &Certificate| {
        let problem = Problem::Threads(&table);
        check_certificate(problem, ThreadCount::Exactly(2), certificate, &Limits::none())
    };
    let rest = [start(&[(0, 1), (2, 1)]), held(&[(1, 1), (2, 1)])];
    assert_eq!(verify(&proof(&rest)), Ok(Assurance::Proved));
    assert!(verify(&proof(&rest[..1])).is_err());
    assert!(verify(&proof(&rest[1..])).is_err());
    let as_any = Certificate { scope: Scope::Any, ..proof(&rest) };
    assert!(verify(&as_any).is_err());
}

#[test]
fn a_step_that_is_an_error_must_be_excluded() {
    let mut table = mutex();
    table.shapes.clear();
    table.fits.clear();
    // Unreachable: a busy thread while the lock is free.
    let mut fails = step(FREE, BUSY, 99, 99);
    fails.violation = Some(StepError::assertion("assertion"));
    table.rows.push(fails.clone());
    for proof in [cover(), basis(), equation()] {
        assert_eq!(verify(&table, &certificate(proof.clone())), Ok(()), "{proof:?}");
    }
    table.rows.push(Row { shared: HELD, ..fails });
    for proof in [cover(), basis(), equation()] {
        let answer = verify(&table, &certificate(proof));
        assert!(matches!(answer, Err(Rejection::TargetNotExcluded { .. })), "{answer:?}");
    }
}

/// A thread may send all others home; the sender itself goes to work.
fn broadcast() -> Table {
    let mut send = step(FREE, IDLE, FREE, BUSY);
    send.broadcast = Some(7);
    Table {
        passive: vec![(7, BUSY, IDLE)],
        rows: vec![send],
        fits: vec![(vec![FREE], vec![vec![BUSY], vec![BUSY]])],
        ..mutex()
    }
}

#[test]
fn a_broadcast_moves_all_threads_but_the_one_that_sends_it() {
    let one = Count::finite(1).expect("small");
    let counts = vec![(CounterId(0), Count::OMEGA), (CounterId(1), one)];
    let configurations = vec![Configuration { control: ControlId(0), counts }];
    let cover = Proof::Cover { configurations };
    let controls = vec![(ControlId(0), vec![CounterId(0), CounterId(1)])];
    let bounds = vec![(CounterId(1), Bounds::at_least(2))];
    let basis = Proof::Basis {
        support: Support { controls },
        equal: Vec::new(),
        lemmas: Vec::new(),
        basis: vec![Zone { control: ControlId(0), bounds }],
    };
    for proof in [&cover, &basis] {
        assert_eq!(verify(&broadcast(), &certificate(proof.clone())), Ok(()));
        // Without the effect on others, two can be busy.
        let silent = Table { passive: Vec::new(), ..broadcast() };
        assert!(verify(&silent, &certificate(proof.clone())).is_err());
        // A sender that is busy itself is not sent home by its own broadcast.
        let mut again = broadcast();
        again.rows.push(Row { local: Some(BUSY), ..again.rows[0].clone() });
        assert_eq!(verify(&again, &certificate(proof.clone())), Ok(()));
        // Nor may others stay of their own choice.
        again.passive.push((7, BUSY, BUSY));
        assert!(verify(&again, &certificate(proof.clone())).is_err());
    }
}

/// Everything that `table` can do with idle threads alone is claimed to be idle.
fn verify_idle(table: &Table) -> Result<(), Rejection> {
    let counts = vec![(CounterId(0), Count::OMEGA)];
    let configurations = vec![Configuration { control: ControlId(0), counts }];
    verify(table, &certificate(Proof::Cover { configurations }))
}

#[test]
fn what_a_step_spawns_and_where_others_may_choose_to_go_is_not_forgotten() {
    let stays = step(FREE, IDLE, FREE, IDLE);
    let table = |row: Row| Table { rows: vec![row], ..mutex() };
    assert_eq!(verify_idle(&table(stays.clone())), Ok(()));
    assert_eq!(verify_idle(&table(Row { spawned: vec![IDLE], ..stays.clone() })), Ok(()));
    assert_eq!(verify_idle(&table(Row { to_local: None, ..stays.clone() })), Ok(()));
    assert!(verify_idle(&table(Row { spawned: vec![BUSY], ..stays.clone() })).is_err());
    let mut choice = table(Row { broadcast: Some(7), ..stays });
    choice.passive = vec![(7, IDLE, IDLE)];
    assert_eq!(verify_idle(&choice), Ok(()));
    choice.passive.push((7, IDLE, BUSY));
    assert!(verify_idle(&choice).is_err());
}

#[test]
fn expired_limits_stop_the_check() {
    let limits = Limits { deadline: Some(std::time::Instant::now()), ..Limits::none() };
    let table = mutex();
    let answer = check_certificate(
        Problem::Threads(&table),
        ThreadCount::Any,
        &certificate(cover()),
        &limits,
    );
    assert_eq!(answer, Err(Rejection::Stopped(model::StopReason::TimeLimit)));
}

#[test]
fn a_thread_whose_steps_are_not_all_known_must_be_excluded() {
    let table = Table { unsure: vec![BUSY], ..mutex() };
    for proof in [cover(), basis(), equation()] {
        let rejected = verify(&table, &certificate(proof.clone()));
        assert!(matches!(rejected, Err(Rejection::TargetNotExcluded { .. })), "{proof:?}");
    }
}

#[test]
fn a_store_where_more_may_happen_without_a_thread_must_be_excluded() {
    let table = Table { unsure_environment: vec![HELD], ..mutex() };
    for proof in [cover(), basis(), equation()] {
        let rejected = verify(&table, &certificate(proof.clone()));
        assert!(matches!(rejected, Err(Rejection::TargetNotExcluded { .. })), "{proof:?}");
    }
}

#[test]
fn a_claim_about_another_variant_of_the_program_is_rejected() {
    let table = mutex();
    let judge = |variant| {
        let verdict = Verdict::Holds(Certificate { variant, ..certificate(cover()) });
        check(Problem::Threads(&table), ThreadCount::Any, &verdict, &Limits::none())
    };
    assert_eq!(judge(Variant::AS_WRITTEN), Ok(Assurance::Proved));
    let rejected = judge(Variant::named("another"));
    assert!(matches!(rejected, Err(Rejection::VariantMismatch { .. })), "{rejected:?}");
}
