//! The thread-modular engine against explicit search, its proofs against corruption, and the
//! programs of Flanagan and Qadeer's paper.
//!
//! `THREADPROOF_SEEDS` is the number of random systems, `THREADPROOF_FIRST_SEED` the first.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use engine::{Engine, Method};
use model::{
    Certificate, Context, ControlId, Limits, Outcome, Problem, Proof, ThreadCount, ThreadProgram,
    ThreadViews, Verdict,
};
use testkit::environment::number_from_environment;
use testkit::growth::readers_or_a_writer;
use testkit::random::objects::{self, Question};
use testkit::random::program::{RandomProgram, plain, rich};
use testkit::reference::ReferenceAnswer;
use testkit::reference::composition::populations;
use testkit::reference::explicit::{Caps, with_few_threads, with_threads};
use testkit::rng::Rng;
use testkit::simple::{Asked, Mutex, simple, simple_with_a_lock};

const DEFAULT_SEEDS: u64 = 400;
const CAPS: Caps = Caps { states: 2_000, counts: 6, initial: 3 };
const TIME_PER_RUN: Duration = Duration::from_secs(20);

fn limits() -> Limits {
    Limits { deadline: Some(Instant::now() + TIME_PER_RUN), ..Limits::none() }
}

fn run(program: &dyn ThreadProgram, threads: ThreadCount, refines: bool) -> Outcome {
    let method = Method { refines, ..Method::from(Engine::ThreadModular) };
    engine::check(Problem::Threads(program), threads, method, Context::silent(&limits()))
}

fn recheck(
    program: &dyn ThreadProgram,
    threads: ThreadCount,
    verdict: &Verdict,
) -> Result<(), String> {
    certify::check(Problem::Threads(program), threads, verdict, &limits())
        .map(|_| ())
        .map_err(|rejection| rejection.to_string())
}

fn views_of(verdict: &Verdict) -> Option<(&Certificate, &ThreadViews)> {
    match verdict {
        Verdict::Holds(certificate) => match &certificate.proof {
            Proof::ThreadModular(views) => Some((certificate, views)),
            _ => None,
        },
        _ => None,
    }
}

fn random(seed: u64) -> RandomProgram {
    let mut rng = Rng::new(seed);
    if seed.is_multiple_of(3) { plain(&mut rng) } else { rich(&mut rng) }
}

#[test]
fn what_is_proved_no_explicit_search_refutes() {
    let first = number_from_environment("THREADPROOF_FIRST_SEED", 0);
    let n_seeds = number_from_environment("THREADPROOF_SEEDS", DEFAULT_SEEDS);
    let mut tally: BTreeMap<String, u64> = BTreeMap::new();
    for seed in first..first + n_seeds {
        let program = random(seed);
        let mut asked = vec![ThreadCount::Any];
        let fixed = (1..=3).filter(|&n| !populations(&program, n).is_empty());
        asked.extend(fixed.map(ThreadCount::Exactly));
        for threads in asked {
            let told = judge(&program, threads, seed).unwrap_or_else(|failure| {
                panic!("seed {seed}, {threads:?}: {failure}\n{program:?}")
            });
            *tally.entry(told).or_default() += 1;
        }
    }
    println!("{tally:#?}");
    let n_of = |start: &str| -> u64 {
        tally.iter().filter(|(told, _)| told.starts_with(start)).map(|(_, n)| n).sum()
    };
    if n_seeds >= DEFAULT_SEEDS {
        for kind in ["proved at level 1", "proved with 1", "proved at level 2", "refuted", "open"] {
            assert!(n_of(kind) > 0, "no system was {kind}: {tally:?}");
        }
    }
}

/// What became of a system, in words.
fn judge(program: &dyn ThreadProgram, threads: ThreadCount, seed: u64) -> Result<String, String> {
    let outcome = run(program, threads, true);
    recheck(program, threads, &outcome.verdict)?;
    let truth = match threads {
        ThreadCount::Exactly(n) => with_threads(program, n, CAPS),
        _ => with_few_threads(program, CAPS),
    };
    match (&outcome.verdict, truth) {
        (Verdict::Holds(_), ReferenceAnswer::Reachable { depth }) => {
            return Err(format!("proved, but an error is {depth} steps away"));
        }
        (Verdict::Violated(_), ReferenceAnswer::Unreachable) => {
            return Err("refuted, but there is no error".to_owned());
        }
        _ => {}
    }
    if seed.is_multiple_of(8) {
        let coarse = run(program, threads, false).verdict;
        let is_first = views_of(&outcome.verdict)
            .is_some_and(|(_, views)| views.level == 1 && views.exposed.is_empty());
        if matches!(coarse, Verdict::Holds(_)) != is_first || matches!(coarse, Verdict::Violated(_))
        {
            return Err("without refinement it says something else".to_owned());
        }
    }
    if let Some((certificate, views)) = views_of(&outcome.verdict) {
        forgeries_are_rejected(program, threads, certificate, views)?;
        return Ok(match (views.exposed.len(), views.level) {
            (0, level) => format!("proved at level {level}"),
            (n, _) => format!("proved with {n} exposed"),
        });
    }
    Ok(match outcome.verdict {
        Verdict::Violated(_) => "refuted".to_owned(),
        _ => "open".to_owned(),
    })
}

/// The views are the least that are closed, so a proof that lacks one of them is none.
fn forgeries_are_rejected(
    program: &dyn ThreadProgram,
    threads: ThreadCount,
    certificate: &Certificate,
    views: &ThreadViews,
) -> Result<(), String> {
    let is_accepted = |forged: ThreadViews| {
        let proof = Proof::ThreadModular(forged);
        let verdict = Verdict::Holds(Certificate { proof, ..certificate.clone() });
        recheck(program, threads, &verdict).is_ok()
    };
    for (store, listed) in views.stores.iter().enumerate() {
        for (idx, view) in listed.views.iter().enumerate() {
            let mut forged = views.clone();
            forged.stores[store].views.remove(idx);
            let is_part_of = |other: &Vec<_>| {
                let mut left = other.clone();
                view.iter().all(|member| {
                    let at = left.iter().position(|other| other == member);
                    at.map(|at| left.remove(at)).is_some()
                })
            };
            let is_implied = forged.stores[store].views.iter().any(is_part_of);
            if !is_implied && is_accepted(forged) {
                return Err(format!("accepted without the view {view:?} of store {store}"));
            }
        }
        let mut forged = views.clone();
        forged.stores.remove(store);
        if is_accepted(forged) {
            return Err(format!("accepted without store {store}"));
        }
    }
    if !views.exposed.is_empty() {
        let mut forged = views.clone();
        forged.exposed.pop();
        if is_accepted(forged) {
            return Err("accepted without an exposed class".to_owned());
        }
    }
    let can_have_more = views.stores.iter().flat_map(|store| &store.views);
    if can_have_more.clone().any(|view| view.len() as u32 == views.level) {
        let lower = ThreadViews { level: views.level - 1, ..views.clone() };
        if is_accepted(lower) {
            return Err("accepted as views of fewer threads".to_owned());
        }
    }
    Ok(())
}

#[test]
fn races_that_are_excluded_no_explicit_search_finds() {
    let first = number_from_environment("THREADPROOF_FIRST_SEED", 0);
    let n_seeds = number_from_environment("THREADPROOF_SEEDS", DEFAULT_SEEDS) / 4;
    let mut tally: BTreeMap<String, u64> = BTreeMap::new();
    for seed in first..first + n_seeds {
        let program = objects::random(&mut Rng::new(seed), Question::Races);
        let n_threads = ThreadCount::Exactly(program.n_threads());
        let crowd = program.clone().with_any_number();
        for (program, threads) in [(program, n_threads), (crowd, ThreadCount::Any)] {
            let told = judge(&program, threads, seed)
                .unwrap_or_else(|why| panic!("seed {seed}, {threads:?}: {why}\n{program:#?}"));
            *tally.entry(told).or_default() += 1;
        }
    }
    println!("{tally:#?}");
    let n_of = |told: &str| tally.get(told).copied().unwrap_or(0);
    if n_seeds >= DEFAULT_SEEDS / 4 {
        assert!(n_of("proved at level 1") > 0 && n_of("refuted") > 0, "{tally:?}");
    }
}

/// What the engine says of `Simple`, re-checked, and its figures.
fn ask_simple(n: Option<u32>, mutex: Mutex, asked: Asked, refines: bool) -> (Verdict, u64) {
    let model = simple(n, mutex, asked).load().expect("it loads");
    let Problem::Threads(program) = model.problem() else { panic!("it has threads") };
    let outcome = run(program, ThreadCount::Any, refines);
    recheck(program, ThreadCount::Any, &outcome.verdict)
        .unwrap_or_else(|why| panic!("{n:?} {mutex:?} {asked:?}: {why}"));
    let views = outcome.statistics.iter().find(|(name, _)| name == "views");
    (outcome.verdict, views.map_or(0, |(_, n)| *n))
}

#[test]
fn simple_with_an_owner_is_proved_one_thread_at_a_time_and_costs_little_for_each() {
    for n in 1..=64 {
        let asked = if n <= 8 { &Asked::ALL[..] } else { &[Asked::Invariant][..] };
        for &asked in asked {
            let (verdict, n_views) = ask_simple(Some(n), Mutex::Owner, asked, false);
            assert!(matches!(verdict, Verdict::Holds(_)), "{n} {asked:?}: {verdict:?}");
            // Linear in n for each thread, as in the paper: its shared stores are, too.
            let n_each = n_views / u64::from(n);
            assert!(n_each <= 4 * u64::from(n) + 8, "{n} threads: {n_each} views each");
        }
    }
}

#[test]
fn simple_with_a_lock_costs_the_same_for_each_of_up_to_sixty_four_threads() {
    for n in 1..=64 {
        let model = simple_with_a_lock(n).load().expect("it loads");
        let Problem::Threads(program) = model.problem() else { panic!("it has threads") };
        let outcome = run(program, ThreadCount::Any, true);
        recheck(program, ThreadCount::Any, &outcome.verdict).expect("it stands up");
        let (_, views) = views_of(&outcome.verdict).unwrap_or_else(|| panic!("{n}: {outcome:?}"));
        assert_eq!((views.level, views.exposed.len()), (1, usize::from(n > 1)), "{n} threads");
        let how = &outcome.notes[0];
        assert!(n == 1 || how.ends_with("(none, one, more) took `m`"), "{n} threads: {how}");
        let n_views = outcome.statistics.iter().find(|(name, _)| name == "views");
        let n_views = n_views.map_or(0, |(_, n_views)| *n_views);
        assert!(n_views <= 7 * u64::from(n) + 3, "{n} threads: {n_views} views");
    }
}

#[test]
fn simple_with_a_boolean_mutex_needs_a_fact_about_others() {
    for n in [None, Some(2), Some(3), Some(64)] {
        for asked in Asked::ALL {
            let (coarse, _) = ask_simple(n, Mutex::Boolean, asked, false);
            assert!(matches!(coarse, Verdict::Unknown(_)), "{n:?} {asked:?}: {coarse:?}");
            let (fine, n_views) = ask_simple(n, Mutex::Boolean, asked, true);
            let (_, views) = views_of(&fine).unwrap_or_else(|| panic!("{n:?} {asked:?}: {fine:?}"));
            assert_eq!((views.level, views.exposed.len()), (1, 1), "{n:?} {asked:?}");
            assert_eq!(views.exposed[0].len(), 4, "the stores of the owner");
            assert!(n_views < 60, "{n:?}: {n_views} views");
        }
    }
}

#[test]
fn simple_without_its_mutex_is_refuted_with_a_run() {
    for n in [None, Some(2), Some(3)] {
        for asked in [Asked::NoRace, Asked::Assertion] {
            let (verdict, _) = ask_simple(n, Mutex::Forgotten, asked, true);
            assert!(matches!(verdict, Verdict::Violated(_)), "{n:?} {asked:?}: {verdict:?}");
        }
    }
}

#[test]
fn readers_that_are_counted_in_the_shared_store_need_views_of_one_thread_more() {
    // So many threads in a view, and classes; four in a view are not tried.
    let proved = [Some((1, 2)), Some((3, 0)), None];
    for (n_readers, expected) in (1..).zip(proved) {
        let model = readers_or_a_writer(n_readers).load().expect("it loads");
        let Problem::Threads(program) = model.problem() else { panic!("it has threads") };
        let verdict = run(program, ThreadCount::Any, true).verdict;
        recheck(program, ThreadCount::Any, &verdict).expect("it stands up");
        let told = views_of(&verdict).map(|(_, views)| (views.level, views.exposed.len()));
        assert_eq!(told, expected, "{n_readers} readers");
    }
}

#[test]
fn a_thread_is_not_its_own_environment() {
    // Alone it never sees its lock taken by somebody else.
    let (verdict, _) = ask_simple(Some(1), Mutex::Boolean, Asked::NoRace, false);
    assert!(matches!(verdict, Verdict::Holds(_)), "{verdict:?}");
}

#[test]
fn a_proof_with_other_stores_or_for_other_numbers_is_rejected() {
    let model = simple(Some(2), Mutex::Owner, Asked::Assertion).load().expect("it loads");
    let Problem::Threads(program) = model.problem() else { panic!("it has threads") };
    let outcome = run(program, ThreadCount::Any, true);
    let (certificate, views) = views_of(&outcome.verdict).expect("proved");
    let mut forged = views.clone();
    let n_shared = views.stores.len() as u32;
    for store in &mut forged.stores {
        store.shared = ControlId((store.shared.0 + 1) % n_shared);
    }
    let scope = ThreadCount::Exactly(3);
    let forgeries = [
        Certificate { proof: Proof::ThreadModular(forged), ..certificate.clone() },
        Certificate { scope, ..certificate.clone() },
    ];
    for forged in forgeries {
        assert!(recheck(program, ThreadCount::Any, &Verdict::Holds(forged)).is_err());
    }
    let stricter = simple(Some(2), Mutex::Owner, Asked::Assertion).with_property("3|1");
    let model = stricter.load().expect("it loads");
    let Problem::Threads(program) = model.problem() else { panic!("it has threads") };
    assert!(recheck(program, ThreadCount::Any, &outcome.verdict).is_err(), "an owner is reached");
}

#[test]
fn a_run_of_few_threads_is_none_of_many() {
    let model = simple(None, Mutex::Forgotten, Asked::Assertion).load().expect("it loads");
    let Problem::Threads(program) = model.problem() else { panic!("it has threads") };
    let asked = ThreadCount::Exactly(20);
    let outcome = run(program, asked, true);
    assert!(matches!(outcome.verdict, Verdict::Unknown(_)), "{outcome:?}");
}
