//! What is proved of public thread systems one thread at a time, exact engines agree with, and
//! it is most of what is safe. The suites are not ours to copy: `THREADPROOF_SUITES` names the
//! folder that holds `tts/`. `cargo xtask thread-modular` measures the same and writes the book's table.
#![allow(clippy::print_stdout, reason = "what was skipped belongs in the log")]

use std::path::Path;
use std::time::{Duration, Instant};

use engine::Engine;
use model::{Context, Limits, Problem, ThreadCount, Verdict};
use testkit::suites::instances;

const TIME_PER_RUN: Duration = Duration::from_secs(60);
/// The exact engines, each on its own.
const EXACT: [Engine; 3] = [Engine::Auto, Engine::Backward, Engine::Cutoff];
/// The safe systems, and those of them that are proved: all.
const N_SAFE: usize = 16;

#[test]
fn exact_engines_agree_with_what_is_proved_of_public_thread_systems() {
    let Some(root) = std::env::var_os("THREADPROOF_SUITES") else {
        println!("skipped: THREADPROOF_SUITES is not set");
        return;
    };
    let (mut n_safe, mut n_proved) = (0, 0);
    for instance in instances(&Path::new(&root).join("tts")) {
        // One file breaks the rules of its language.
        let Ok(model) = instance.texts().expect("readable").load() else { continue };
        let name = instance.file.display();
        let own = answer(model.problem(), Engine::ThreadModular);
        let first = answer(model.problem(), Engine::Auto);
        n_safe += usize::from(first == Some(true));
        n_proved += usize::from(own == Some(true));
        for engine in EXACT.iter().filter(|_| own.is_some()) {
            let other = answer(model.problem(), *engine);
            assert!(other.is_none() || other == own, "{name}: {}, {other:?}", engine.name());
        }
        println!("{name}: {own:?}, exactly {first:?}");
    }
    assert_eq!((n_safe, n_proved), (N_SAFE, N_SAFE));
}

/// Does it hold, if that is decided? The answer is re-checked.
fn answer(problem: Problem<'_>, engine: Engine) -> Option<bool> {
    let limits = Limits { deadline: Some(Instant::now() + TIME_PER_RUN), ..Limits::none() };
    let outcome = verify::check(problem, ThreadCount::Any, engine, Context::silent(&limits));
    certify::check(problem, ThreadCount::Any, &outcome.verdict, &Limits::none())
        .unwrap_or_else(|rejection| panic!("{}: {rejection}", engine.name()));
    match outcome.verdict {
        Verdict::Holds(_) => Some(true),
        Verdict::Violated(_) => Some(false),
        Verdict::Unknown(_) => None,
    }
}
