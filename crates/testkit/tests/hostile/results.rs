//! Saved results, as `replay` reads them: whatever a certificate or a run says, its re-check
//! answers, and believes no false claim.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use engine::Engine;
use frontend::Language;
use model::{Context, Limits, ThreadCount, Verdict};
use report::Run;
use report::json::Evidence;
use testkit::texts::Texts;

use crate::numbers::mutants;
use crate::within_ceiling;

const SAFE_NET: &str = "vars a b c\nrules a >= 1, c >= 1 -> a' = a-1, c' = c-1, b' = b+1;\nb >= 1 -> \
                        b' = b-1, a' = a+1, c' = c+1;\ninit a >= 1, b = 0, c = 1\ntarget b >= 2\n";
const BROKEN_NET: &str =
    "vars a b\nrules a >= 1 -> a' = a-1, b' = b+3;\ninit a = 2, b = 0\ntarget b >= 5\n";
const SAFE_THREADS: &str = "2 3\n0 0 -> 1 1\n1 1 -> 0 2\n0 2 -> 0 0 1 ~> 2\n1|1,1\n";
const BROKEN_THREADS: &str = "2 3\n0 0 -> 1 1\n1 0 -> 0 1\n0|1,1\n";
const BOOLEAN: &str = "decl g := 0; decl t := 0;\nvoid main() begin decl l := 0;\n l := g; assume(!t); \
                       t := 1; g := !l; assert(t); t := 0; end\n";

/// What is asked: the model, how many threads, of which engine.
const ASKED: &[(Language, &str, ThreadCount, Engine)] = &[
    (Language::Spec, SAFE_NET, ThreadCount::Any, Engine::Auto),
    (Language::Spec, SAFE_NET, ThreadCount::Any, Engine::Backward),
    (Language::Spec, SAFE_NET, ThreadCount::Any, Engine::Equation),
    (Language::Spec, SAFE_NET, ThreadCount::Any, Engine::Cover),
    (Language::Spec, BROKEN_NET, ThreadCount::Any, Engine::Auto),
    (Language::Tts, SAFE_THREADS, ThreadCount::Any, Engine::Auto),
    (Language::Tts, SAFE_THREADS, ThreadCount::Any, Engine::Backward),
    (Language::Tts, SAFE_THREADS, ThreadCount::Exactly(2), Engine::Explicit),
    (Language::Tts, BROKEN_THREADS, ThreadCount::Any, Engine::Auto),
    (Language::Tts, BROKEN_THREADS, ThreadCount::Exactly(3), Engine::Explicit),
    (Language::BooleanProgram, BOOLEAN, ThreadCount::Any, Engine::Auto),
    (Language::BooleanProgram, BOOLEAN, ThreadCount::Any, Engine::Symbolic),
    (Language::BooleanProgram, BOOLEAN, ThreadCount::Exactly(2), Engine::Explicit),
];

fn limits() -> Limits {
    Limits { deadline: Some(Instant::now() + Duration::from_secs(2)), jobs: 1, ..Limits::none() }
}

#[test]
fn extreme_numbers_in_saved_results_are_refused_or_harmless() {
    let (mut n_read, mut n_all) = (0, 0);
    for &(language, text, threads, engine) in ASKED {
        let texts = Texts::new(language, "model", text);
        let model = texts.load().expect("our own models are right");
        let problem = model.problem();
        let outcome = verify::check(problem, threads, engine, Context::silent(&limits()));
        assert!(!matches!(outcome.verdict, Verdict::Unknown(_)), "{engine:?}: {text}");
        let files = &texts.files;
        let run = Run {
            problem,
            files,
            threads,
            outcome: &outcome,
            presumes: None,
            rechecked: true,
            effort: None,
            attempt: None,
            explanation: None,
        };
        let saved = report::json::render(&run, Evidence::Included);
        for mutant in mutants(&saved, n_all as u64, 3) {
            n_all += 1;
            let check = || {
                let Ok(saved) = report::json::parse(&mutant) else { return None };
                let checked = certify::check(problem, saved.threads, &saved.verdict, &limits());
                Some((saved.verdict, checked.is_ok()))
            };
            let checked =
                within_ceiling("result", &mutant, || catch_unwind(AssertUnwindSafe(check)));
            let Ok(checked) = checked else { panic!("the re-check panics:\n{text}\n{mutant}") };
            let Some((claim, is_believed)) = checked else { continue };
            n_read += 1;
            let is_same =
                matches!(claim, Verdict::Holds(_)) == matches!(outcome.verdict, Verdict::Holds(_));
            assert!(is_same || !is_believed, "a false claim is believed:\n{mutant}");
        }
    }
    assert!(n_read * 4 > n_all, "only {n_read} of {n_all} results are read");
}

/// Texts that are no results at all.
#[test]
fn deep_and_broken_results_are_refused() {
    let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let nested = format!("{{\"schema\": {}", "{\"a\":".repeat(1_000_000));
    for text in [deep.as_str(), nested.as_str(), "", "{}", "null", "\u{0}", "{\"schema\": 7}"] {
        assert!(report::json::parse(text).is_err());
    }
}
