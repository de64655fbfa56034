//! `replay`: re-checks a saved proof, or replays a saved counterexample, against
//! the model as it is now.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, bail};
use certify::{Assurance, Rejection};
use engine::{Engine, Method, explicit};
use frontend::Model;
use model::{Limits, Outcome, Problem, Proof, SourceFile, StopReason, ThreadCount, Verdict};
use report::Run;
use report::digest::sha256;
use report::json::Saved;
use report::text::TextStyle;

use crate::args::{Format, ReductionName, ReplayArgs};
use crate::check::{effort, exit_of, question, reduction};
use crate::exit::Exit;
use crate::input::Loaded;
use crate::machine_code::MachineCode;
use crate::{bounds, input, interrupt, last_words, output};

/// Saved results may be far larger than models.
const MAX_RESULT: u64 = 4 << 30;

/// Runs the verb.
pub fn run(args: &ReplayArgs, started: Instant) -> anyhow::Result<Exit> {
    last_words::prepare(Format::Text, &args.load.file.display().to_string());
    let interrupted = interrupt::flag();
    let limits = bounds::put_in_force(&args.limits, started, Arc::clone(&interrupted));
    let name = args.result.display();
    let text = input::read_text(&args.result, MAX_RESULT)?.text;
    let saved = report::json::parse(&text).with_context(|| format!("cannot use `{name}`"))?;
    let input = input::load(&args.load, &args.asked, !args.quiet)?;
    let Some(loaded) = &input.loaded else {
        return Ok(Exit::BadInput);
    };
    let threads = args.threads.unwrap_or(saved.threads);
    let asked = || question(&args.load, &args.asked);
    let check = |problem: Problem<'_>| certify::check(problem, threads, &saved.verdict, &limits);
    let small = in_small_steps(args, loaded, &|one| check(one.problem(asked())).is_ok())?;
    let loaded = small.as_ref().unwrap_or(loaded);
    let mut outcome = Outcome {
        verdict: saved.verdict.clone(),
        engine: saved.engine.clone(),
        statistics: Vec::new(),
        notes: vec![format!("the evidence is that of `{name}`")],
    };
    outcome.notes.extend(difference(&saved, &input.files));
    let (problem, checked) = stands_up_for(loaded, loaded.problem(asked()), &saved.verdict, &check);
    let reduction = reduction(&args.load, &args.asked);
    let judged = Judged { problem, threads, saved: &saved, reduction };
    let rechecked = match checked {
        Ok(Assurance::NotRepeated) => judged.confirm(loaded, &mut outcome, &limits)?,
        Ok(Assurance::Proved | Assurance::Repeated) => true,
        Err(Rejection::Stopped(reason)) => {
            outcome.verdict = Verdict::Unknown(reason);
            false
        }
        Err(Rejection::TooLarge { what }) => {
            let why = format!("re-checking the result has too many cases: {what}");
            outcome.verdict = Verdict::Unknown(StopReason::Incomplete { why });
            false
        }
        Err(rejection) => bail!(refusal(&saved, &input.files, &rejection)),
    };
    let run = Run {
        problem,
        files: &input.files,
        threads,
        outcome: &outcome,
        rechecked,
        effort: (!args.no_timing).then(|| effort(started)),
    };
    publish(args, &run)?;
    Ok(exit_of(&outcome.verdict, &interrupted))
}

/// The problem that a claim is about, with what its check says: the model as it is asked
/// about, or else in smaller steps, or with stores that are seen late.
fn stands_up_for<'a>(
    loaded: &'a Loaded,
    mut problem: Problem<'a>,
    claim: &Verdict,
    check: &dyn Fn(Problem<'_>) -> Result<Assurance, Rejection>,
) -> (Problem<'a>, Result<Assurance, Rejection>) {
    let mut checked = check(problem);
    let is_answer = loaded.next(claim, problem).is_none();
    if let Some(finer) = loaded.finer(problem).filter(|_| checked.is_err() || !is_answer) {
        // Found in smaller steps, since larger ones were not enough.
        problem = finer;
        checked = check(problem);
    }
    let is_violated = matches!(claim, Verdict::Violated(_));
    if let Some(delayed) = loaded.delayed().filter(|_| checked.is_err() && is_violated) {
        problem = delayed;
        checked = check(problem);
    }
    (problem, checked)
}

/// A Boolean program without reductions, if the claim is about that: it does not say so,
/// but its stores are others.
fn in_small_steps(
    args: &ReplayArgs,
    loaded: &Loaded,
    stands_up: &dyn Fn(&Loaded) -> bool,
) -> anyhow::Result<Option<Loaded>> {
    let is_boolean = matches!(loaded, Loaded::Text(Model::Boolean(_)));
    if !is_boolean || args.asked.c.reduction != ReductionName::Auto || stands_up(loaded) {
        return Ok(None);
    }
    let mut asked = args.asked.clone();
    asked.c.reduction = ReductionName::None;
    Ok(input::load(&args.load, &asked, false)?.loaded.filter(stands_up))
}

/// A saved claim, and what it is about.
struct Judged<'a> {
    problem: Problem<'a>,
    threads: ThreadCount,
    saved: &'a Saved,
    reduction: explicit::Reduction,
}

impl Judged<'_> {
    /// Confirms the claim that a search found nothing by another search. Is it done?
    fn confirm(
        &self,
        loaded: &Loaded,
        outcome: &mut Outcome,
        limits: &Limits,
    ) -> anyhow::Result<bool> {
        let machine_code = MachineCode::of(loaded, false);
        let mut again = self.search_again(machine_code.instead_of(self.problem), limits);
        if let Some(finer) = loaded.next(&again, self.problem) {
            again = self.search_again(finer, limits);
        }
        match again {
            Verdict::Violated(_) => {
                bail!("the proof does not stand up: searching again finds an error")
            }
            again @ Verdict::Holds(_) if again != self.saved.verdict => {
                bail!("the proof does not stand up: searching again meets other states")
            }
            Verdict::Holds(_) => {
                outcome.notes.push("the search was done again, with the same result".to_owned());
                Ok(true)
            }
            Verdict::Unknown(reason) => {
                outcome.verdict = Verdict::Unknown(reason);
                Ok(false)
            }
        }
    }

    fn search_again(&self, problem: Problem<'_>, limits: &Limits) -> Verdict {
        let mut method = Method::from(Engine::Explicit);
        if let Verdict::Holds(certificate) = &self.saved.verdict
            && let Proof::Exhausted { symmetry, max_steps, .. } = &certificate.proof
        {
            method.search.symmetry = *symmetry;
            method.search.max_depth = *max_steps;
        }
        method.search.reduction = self.reduction;
        engine::check(problem, self.threads, method, model::Context::silent(limits)).verdict
    }
}

fn publish(args: &ReplayArgs, run: &Run<'_>) -> anyhow::Result<()> {
    let style = TextStyle {
        width: output::width(),
        colour: output::colour_on_stdout(),
        full_trace: args.full_trace,
        verdict_only: args.quiet,
    };
    let is_confirmed = !matches!(run.outcome.verdict, Verdict::Unknown(_));
    let first = if is_confirmed { "CONFIRMED: " } else { "" };
    let text = format!("{first}{}", report::text::render(run, &style));
    last_words::claim_or_wait();
    output::say(&text)
}

/// Is the model another text than the one the result was found for?
fn difference(saved: &Saved, files: &[SourceFile]) -> Option<String> {
    let (name, digest) = saved.inputs.first()?;
    let file = files.first()?;
    (!digest.is_empty() && *digest != sha256(&file.text)).then(|| {
        format!("the result was found for another text of `{name}`; it is judged by this one")
    })
}

fn refusal(saved: &Saved, files: &[SourceFile], rejection: &Rejection) -> String {
    let what = match saved.verdict {
        Verdict::Holds(_) => "the proof does not stand up",
        _ => "the counterexample does not stand up",
    };
    let also = difference(saved, files).map_or(String::new(), |note| format!(" ({note})"));
    format!("{what}: {rejection}{also}")
}
