//! Programs too large to be listed are searched in what a few steps reach, and prove nothing
//! that they do not have.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use model::{
    Context, Limits, MemoryLimit, Outcome, Problem, StopReason, ThreadCount, Trace, Verdict,
};

use crate::Engine;
use crate::coverability::{Turns, check, check_in_turns};
use crate::kernel::step_table::scripted::{Line, Scripted};

const FORWARD_ENGINES: [Engine; 4] =
    [Engine::Auto, Engine::Forward, Engine::Cover, Engine::CoverBfs];

/// Far more than any memory holds.
const N_STORES: u32 = 1 << 30;

/// Threads count a shared number and remember its lowest bits.
fn count(shared: u32) -> Vec<Line> {
    let next = (shared + 1) % N_STORES;
    vec![Line { shared: next, local: Some(next % 4), ..Line::default() }]
}

/// Whoever finds 20 fails.
fn failing_at_twenty() -> Scripted {
    Scripted::new(|shared, local| match local {
        Some(3) if shared == 20 => vec![Line { is_error: true, ..Line::default() }],
        Some(_) => count(shared),
        None => Vec::new(),
    })
}

fn check_any(program: &Scripted, engine: Engine, limits: &Limits) -> Outcome {
    check(Problem::Threads(program), ThreadCount::Any, engine, Context::silent(limits))
}

#[test]
fn a_near_error_among_a_billion_stores_is_found_in_counted_work() {
    for engine in FORWARD_ENGINES {
        let program = failing_at_twenty();
        let outcome = check_any(&program, engine, &Limits::none());
        let Verdict::Violated(Trace::Threads(trace)) = &outcome.verdict else {
            panic!("{}: {:?}", engine.name(), outcome.verdict);
        };
        assert_eq!((trace.steps.len(), trace.threads.len()), (21, 2), "{}", engine.name());
        // One turn of listing, and one of searching.
        assert!(program.n_asked() < 150_000, "{}: {}", engine.name(), program.n_asked());
    }
}

#[test]
fn a_broadcast_moves_threads_that_turn_up_late() {
    // Threads get to 7 one after the other, and the broadcast of the third moves the two
    // others to 8 or 9; with one in each, both are there for the error.
    let program = Scripted::new(|shared, local| match (shared, local) {
        (0..2, Some(0)) => vec![Line { shared: shared + 1, local: Some(7), ..Line::default() }],
        (2, Some(0)) => {
            vec![Line { shared: 3, local: Some(1), is_broadcast: true, ..Line::default() }]
        }
        (3, Some(8)) => vec![Line { shared: 4, local: Some(2), ..Line::default() }],
        (4, Some(9)) => vec![Line { is_error: true, ..Line::default() }],
        (4.., Some(2)) => count(shared),
        _ => Vec::new(),
    });
    for engine in FORWARD_ENGINES {
        let outcome = check_any(&program, engine, &Limits::none());
        let Verdict::Violated(Trace::Threads(trace)) = &outcome.verdict else {
            panic!("{}: {:?}", engine.name(), outcome.verdict);
        };
        assert_eq!((trace.steps.len(), trace.threads.len()), (5, 3), "{}", engine.name());
    }
}

#[test]
fn a_broadcast_is_not_repeated_as_if_it_moved_nobody() {
    // Before anybody comes to 7, a broadcast; so there is never more than one of them,
    // though at the first broadcast nobody could be moved. Who takes two of them for
    // possible finds an error that is none, and then not the one that is further away.
    let program = Scripted::new(|shared, local| match (shared, local) {
        (0, Some(0)) => vec![
            Line { shared: 1, local: Some(0), is_broadcast: true, ..Line::default() },
            Line { shared: 100, local: Some(0), ..Line::default() },
        ],
        (1, Some(0)) => vec![Line { shared: 0, local: Some(7), ..Line::default() }],
        (0, Some(7)) => vec![Line { shared: 2, local: Some(1), ..Line::default() }],
        (2, Some(7)) => vec![Line { is_error: true, ..Line::default() }],
        (106, Some(3)) => vec![Line { is_error: true, ..Line::default() }],
        (100.., Some(0)) => {
            vec![Line { shared: shared + 1, local: Some(3), ..Line::default() }]
        }
        _ => Vec::new(),
    });
    let deadline = Some(Instant::now() + Duration::from_secs(20));
    let outcome = check_any(&program, Engine::Forward, &Limits { deadline, ..Limits::none() });
    let Verdict::Violated(Trace::Threads(trace)) = &outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    assert_eq!(trace.steps.len(), 8);
}

/// One thread, with a search that is far ahead of the listing.
fn check_one_thread(program: &Scripted, engine: Engine) -> Verdict {
    let turns = Turns { first: 2, growth: 1, work_per_state: 100 };
    let limits = Limits::none();
    let context = Context::silent(&limits);
    let one = ThreadCount::Exactly(1);
    check_in_turns(Problem::Threads(program), one, engine, turns, context).verdict
}

#[test]
fn a_search_that_ends_is_a_proof_though_not_all_is_listed() {
    // Only a second thread could find what a first one left behind.
    let program = || {
        Scripted::new(|shared, local| match (shared, local) {
            (0, Some(0)) => vec![Line { shared: 1, local: Some(1), ..Line::default() }],
            (1.., Some(0)) => count(shared),
            _ => Vec::new(),
        })
    };
    for engine in FORWARD_ENGINES {
        assert!(matches!(check_one_thread(&program(), engine), Verdict::Holds(_)));
    }
}

#[test]
fn a_search_that_ends_proves_nothing_where_steps_are_not_known() {
    // Not all is known of 13, and listing never ends.
    let program = Scripted::new(|shared, local| match (shared, local) {
        (0, Some(0)) => vec![Line { shared: 1, local: Some(13), ..Line::default() }],
        (1..1_000, Some(0)) => count(shared),
        _ => Vec::new(),
    });
    for engine in FORWARD_ENGINES {
        let verdict = check_one_thread(&program, engine);
        assert!(matches!(verdict, Verdict::Unknown(StopReason::Incomplete { .. })), "{verdict:?}");
    }
}

#[test]
fn the_time_limit_ends_it_and_the_notes_say_how_far_it_came() {
    let program = Scripted::new(|shared, local| match local {
        Some(_) => count(shared),
        None => Vec::new(),
    });
    for engine in [Engine::Forward, Engine::Backward] {
        let deadline = Some(Instant::now() + Duration::from_millis(300));
        let limits = Limits { deadline, ..Limits::none() };
        let outcome = check_in_turns(
            Problem::Threads(&program),
            ThreadCount::Any,
            engine,
            Turns { first: 10, ..Turns::default() },
            Context::silent(&limits),
        );
        assert_eq!(outcome.verdict, Verdict::Unknown(StopReason::TimeLimit));
        assert!(outcome.notes[0].ends_with("thread states were listed, and there are more"));
    }
}

#[test]
fn memory_that_runs_out_ends_the_search_before_the_listing() {
    static N_LOOKS: AtomicU64 = AtomicU64::new(0);
    // Full at the third look only: what the search gave back is enough.
    let gauge = || u64::from(N_LOOKS.fetch_add(1, Ordering::Relaxed) == 2);
    let limits = Limits { memory: Some(MemoryLimit { bytes: 0, gauge }), ..Limits::none() };
    let program = Scripted::new(|shared, local| match local {
        Some(_) if shared < 2_000 => count(shared),
        _ => Vec::new(),
    });
    let turns = Turns { first: 1_500, growth: 1, work_per_state: 1 };
    let context = Context::silent(&limits);
    let outcome =
        check_in_turns(Problem::Threads(&program), ThreadCount::Any, Engine::Auto, turns, context);
    assert!(matches!(outcome.verdict, Verdict::Holds(_)), "{:?}", outcome.verdict);
    assert!(N_LOOKS.load(Ordering::Relaxed) > 3);
    assert!(outcome.notes.is_empty(), "{:?}", outcome.notes);
}
