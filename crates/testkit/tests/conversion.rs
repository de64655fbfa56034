//! A verdict survives conversion: what `convert` writes is the same question.
//!
//! Judged by the references where they are exact, so that this test says nothing
//! about engines.

use frontend::{Language, Model, convert};
use model::Problem;
use testkit::random::counters::{Features, random};
use testkit::random::tts;
use testkit::reference::explicit::{Caps, with_small_counts};
use testkit::reference::{ReferenceAnswer, backward, rules};
use testkit::rng::Rng;
use testkit::texts::Texts;

const N_SEEDS: u64 = 150;
const CAPS: Caps = Caps { states: 1_000, counts: 5, initial: 2 };
const MAX_ELEMENTS: usize = 300;

fn verdict(model: &Model) -> Option<bool> {
    let answer = match model.problem() {
        Problem::Threads(program) => backward::search(&rules::of_threads(program), MAX_ELEMENTS),
        Problem::Counters(system) => match rules::of_counters(system) {
            Some(flat) => backward::search(&flat, MAX_ELEMENTS),
            None => with_small_counts(system, CAPS),
        },
        Problem::ThreadRuns(_) | Problem::States(_) | Problem::Parameterized(_) => {
            panic!("nets and threads are converted")
        }
    };
    match answer {
        ReferenceAnswer::Reachable { .. } => Some(true),
        ReferenceAnswer::Unreachable => Some(false),
        ReferenceAnswer::NotWithin => None,
    }
}

/// Converts along a path of languages; `None` where a language cannot say it.
fn along(model: &Model, path: &[Language]) -> Option<Model> {
    let mut current = model.clone();
    for &language in path {
        let converted = convert(&current, language).ok()?;
        let texts = Texts::of_converted(language, &converted);
        current = texts.load().unwrap_or_else(|error| panic!("written, but {error}"));
    }
    Some(current)
}

/// Returns how many verdicts were compared.
fn compare(model: &Model, path: &[Language], origin: &str) -> usize {
    let Some(converted) = along(model, path) else { return 0 };
    let (Some(before), Some(after)) = (verdict(model), verdict(&converted)) else { return 0 };
    assert_eq!(before, after, "{origin}: {path:?}\n{:?}", convert(model, path[0]));
    1
}

#[test]
fn random_thread_systems_survive_conversion() {
    let mut n_compared = 0;
    for seed in 0..N_SEEDS {
        let random = tts::random(&mut Rng::new(seed));
        let texts = Texts::new(Language::Tts, "random.tts", &random.text);
        let texts = texts.with_property(&random.property).with_init(&random.init);
        let model = texts.load().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let origin = format!("seed {seed}: {random:?}");
        n_compared += compare(&model, &[Language::Tts], &origin);
        n_compared += compare(&model, &[Language::Spec], &origin);
        n_compared += compare(&model, &[Language::Spec, Language::Tts], &origin);
        compare(&model, &[Language::Pnml], &origin);
        compare(&model, &[Language::Spec, Language::Pnml, Language::Spec], &origin);
    }
    assert!(n_compared as u64 > N_SEEDS, "only {n_compared} comparisons");
}

#[test]
fn random_nets_survive_conversion() {
    let mut n_compared = 0;
    for seed in 0..N_SEEDS {
        let features = if seed % 2 == 0 { Features::NET } else { Features::TRANSFERS };
        let model = Model::Counters(random(&mut Rng::new(seed), features));
        let origin = format!("seed {seed}: {model:?}");
        n_compared += compare(&model, &[Language::Spec], &origin);
        compare(&model, &[Language::Spec, Language::Tts], &origin);
        compare(&model, &[Language::Pnml, Language::Spec], &origin);
        compare(&model, &[Language::Tts, Language::Spec], &origin);
    }
    assert!(n_compared as u64 > N_SEEDS / 4, "only {n_compared} comparisons");
}
