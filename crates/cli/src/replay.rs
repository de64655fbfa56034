//! `replay`: re-checks a saved proof, or replays a saved counterexample, against
//! the model as it is now.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, bail};
use certify::{Assurance, Rejection};
use engine::{Engine, Method, explicit};
use frontend::Model;
use model::{
    Consequence, Limits, Outcome, Plan, Proof, SourceFile, Stage, StopReason, ThreadCount, Variant,
    Verdict,
};
use report::Run;
use report::digest::sha256;
use report::json::Saved;
use report::text::TextStyle;

use crate::args::{AskedArgs, Format, ReductionName, ReplayArgs};
use crate::check::{effort, exit_of, not_granted, question, reduction};
use crate::exit::Exit;
use crate::input::Loaded;
use crate::machine_code::MachineCode;
use crate::{bounds, c_program, input, interrupt, last_words, output};

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
    let asked = as_asked_then(args, &saved.verdict.variant());
    let input = input::load(&args.load, &asked, !args.quiet)?;
    let Some(loaded) = &input.loaded else {
        return Ok(Exit::BadInput);
    };
    let threads = args.threads.unwrap_or(saved.threads);
    let mut plan = loaded.plan(question(&args.load, &asked), threads, false);
    let machine_code = MachineCode::of(loaded, false);
    plan.search_instead(|problem| machine_code.instead_of(problem));
    let stage = stage_of(&plan, &saved.verdict)?.clone();
    // Each stage of a model for any number of elements has a number of its own.
    let is_family = matches!(loaded, Loaded::Text(Model::Family(_)));
    let threads = if is_family { stage.threads } else { threads };
    let stage = Stage { threads, ..stage };
    let mut outcome = Outcome {
        verdict: saved.verdict.clone(),
        engine: saved.engine.clone(),
        statistics: Vec::new(),
        notes: vec![format!("the evidence is that of `{name}`")],
    };
    outcome.notes.extend(difference(&saved, &input.files));
    let judged = Judged { stage: &stage, saved: &saved, reduction: reduction(&args.load, &asked) };
    let rechecked = match certify::check(stage.problem, threads, &saved.verdict, &limits) {
        Ok(Assurance::NotRepeated) => judged.confirm(&mut outcome, &limits)?,
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
    // As the program is now, whatever the saved result says.
    let presumes = stage.implications.of(&outcome.verdict).presumes;
    outcome.notes.extend(loaded.remarks(&outcome.verdict));
    let run = Run {
        problem: stage.problem,
        files: &input.files,
        threads,
        outcome: &outcome,
        presumes,
        rechecked,
        effort: (!args.no_timing).then(|| effort(started)),
        attempt: None,
        explanation: None,
    };
    publish(args, &run)?;
    Ok(exit_of(&outcome.verdict, not_granted(presumes, &asked), &interrupted))
}

/// What is asked, so that the plan has the variant that the claim is about: without
/// reductions, where it was found without them and the user says nothing else.
fn as_asked_then(args: &ReplayArgs, variant: &Variant) -> AskedArgs {
    let mut asked = args.asked.clone();
    let is_plain_boolean = variant.is_as_written() && input::is_boolean_program(&args.load);
    let is_unreduced = is_plain_boolean || *variant == llvm::variants::OPERATIONS;
    if is_unreduced && asked.c.reduction == ReductionName::Auto {
        asked.c.reduction = ReductionName::None;
    }
    // Only models for any number of elements heed that, and each of their stages is a variant.
    let is_any = match c_program::is_c(&args.load.file) {
        true => llvm::variants::is_of_any_number(variant),
        false => !variant.is_as_written(),
    };
    asked.any_number = args.threads == Some(ThreadCount::Any) || is_any;
    asked
}

/// The stage that the claim is about, if its verdict answers the question.
fn stage_of<'p, 'a>(plan: &'p Plan<'a>, claim: &Verdict) -> anyhow::Result<&'p Stage<'a>> {
    let variant = claim.variant();
    let Some(stage) = plan.stage_of(&variant) else {
        let names: Vec<String> =
            plan.stages().iter().map(|stage| format!("`{}`", stage.variant().name())).collect();
        bail!(
            "the result is about the variant `{}` of the semantics, and these arguments make {}: \
             give the arguments that it was found with",
            variant.name(),
            names.join(", ")
        );
    };
    let stage = plan.stage(stage);
    match stage.implications.of(claim).consequence {
        Consequence::LeavesOpen(_) | Consequence::AddsNothing => {
            bail!("the result does not answer the question that is asked here")
        }
        Consequence::Answers | Consequence::AnswersUnlessRefuted(_) => Ok(stage),
    }
}

/// A saved claim, and what it is about.
struct Judged<'a> {
    stage: &'a Stage<'a>,
    saved: &'a Saved,
    reduction: explicit::Reduction,
}

impl Judged<'_> {
    /// Confirms the claim that a search found nothing by another search. Is it done?
    fn confirm(&self, outcome: &mut Outcome, limits: &Limits) -> anyhow::Result<bool> {
        match self.search_again(limits) {
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

    fn search_again(&self, limits: &Limits) -> Verdict {
        let mut method = Method::from(Engine::Explicit);
        if let Verdict::Holds(certificate) = &self.saved.verdict
            && let Proof::Exhausted { symmetry, .. } = &certificate.proof
        {
            method.search.symmetry = *symmetry;
        }
        method.search.reduction = self.reduction;
        let how = verify::Guided { method, guide: None };
        verify::search(self.stage, how, model::Context::silent(limits)).outcome.verdict
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
