//! Decides whether everything tells the truth about one Murphi model of any number of
//! elements.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use engine::{Engine, Method};
use frontend::murphi::family::MurphiFamily;
use frontend::{Language, Model};
use model::{Certificate, Context, Limits, Problem, Proof, StopReason, ThreadCount, Verdict};
use testkit::texts::Texts;

use crate::instances::{Errors, errors, instance};
use crate::tally::Tally;

/// Instances with so many elements are searched in the plainest way.
pub const N_INSTANCES: i64 = 5;
/// States of each of them, at the most.
const MAX_STATES: usize = 1_500;
/// Far more than these models need.
const TIME_PER_RUN: Duration = Duration::from_secs(10);

/// The model as a family; `None` if it is refused, as any number of elements is not supported.
/// The parameter is `P`, or what the model's own header says.
///
/// # Errors
/// The text is no model of a single number of elements either, or the front end panics.
pub fn family(text: &str) -> Result<Option<Box<MurphiFamily>>, String> {
    let mut texts = Texts::new(Language::Murphi, "random.m", text).for_any_number();
    let header = text.lines().find_map(|line| line.strip_prefix("--@ args:"));
    let named = header.map_or(Some("P"), |args| Some(args.split_once("--param ")?.1));
    if let Some(name) = named.and_then(|words| words.split_whitespace().next()) {
        texts = texts.with_parameter(name);
    }
    match guarded("front end", || texts.load())? {
        Ok(Model::Family(family)) => Ok(Some(family)),
        Ok(_) => Err("front end: not a family".into()),
        Err(refused) if refused.contains("MU023") => Ok(None),
        Err(refused) => Err(format!("mistaken: {refused}")),
    }
}

/// Compares every answer with the instances.
///
/// # Errors
/// Who is wrong.
pub fn judge(text: &str, tally: &mut Tally) -> Result<(), String> {
    tally.n_models += 1;
    let Some(family) = family(text)? else {
        tally.n_refused += 1;
        return Ok(());
    };
    let family = &*family;
    let mut proofs = Vec::new();
    for abstraction in &family.abstractions {
        let problem = Problem::Parameterized(abstraction);
        let verdict = certified(problem)?;
        tally.n_views_cut += u64::from(was_cut(&verdict));
        if let Verdict::Holds(certificate) = verdict {
            tally.count_proof(&certificate);
            proofs.push((format!("{:?}", problem.variant()), certificate));
        }
    }
    let answer = concluded(family)?;
    let is_violated = matches!(answer, Verdict::Violated(_));
    if matches!(answer, Verdict::Holds(_)) {
        proofs.push(("the whole".to_owned(), Certificate::clone(certificate(&answer))));
    }
    tally.add(&answer, !proofs.is_empty());
    match (what_is_true(text, family)?, proofs.first()) {
        (Truth::FailsWith(n, found), Some((who, _))) => {
            Err(format!("proved: {who}, but with {n} elements: {found:?}"))
        }
        (Truth::FailsWith(n, _), None) => {
            tally.count_failure(n);
            Ok(())
        }
        (Truth::Holds, _) if is_violated => {
            Err("refuted: the answer is a violation, but no instance has any".to_owned())
        }
        _ => Ok(()),
    }
}

/// What instances show.
enum Truth {
    /// All are right.
    Holds,
    /// The least number of elements that goes wrong, and what does.
    FailsWith(i64, Errors),
    /// Some have too many states, and no other one goes wrong.
    Open,
}

fn certificate(verdict: &Verdict) -> &Certificate {
    let Verdict::Holds(certificate) = verdict else { unreachable!("only asked of proofs") };
    certificate
}

fn what_is_true(text: &str, family: &MurphiFamily) -> Result<Truth, String> {
    let texts = Texts::new(Language::Murphi, "random.m", text);
    let mut truth = Truth::Holds;
    for n in 1..=N_INSTANCES {
        // Cases may say how many there are without a constant.
        let model = match text.contains("N:") {
            true => instance(&texts, n)?,
            false => family.instances[n as usize - 1].clone(),
        };
        match guarded("interpreter", || errors(&model, MAX_STATES))? {
            Some(found) if found.any() => return Ok(Truth::FailsWith(n, found)),
            Some(_) => {}
            None => truth = Truth::Open,
        }
    }
    Ok(truth)
}

/// What the engine finds alone, re-checked.
pub fn certified(problem: Problem<'_>) -> Result<Verdict, String> {
    let limits = limits();
    let outcome = guarded("engine", || {
        let method = Method::from(Engine::Auto);
        engine::check(problem, ThreadCount::Any, method, Context::silent(&limits))
    })?;
    guarded("certify", || {
        certify::check(problem, ThreadCount::Any, &outcome.verdict, &Limits::none())
    })?
    .map_err(|rejection| format!("rejected: {rejection}: {:?}", problem.variant()))?;
    Ok(outcome.verdict)
}

/// What `check` says.
fn concluded(family: &MurphiFamily) -> Result<Verdict, String> {
    let limits = limits();
    let (plan, method) = (family.plan(), Method::from(Engine::Auto));
    let answer = guarded("plan", || verify::conclude(&plan, method, Context::silent(&limits)))?;
    let answer = answer.map_err(|rejection| format!("rejected by the plan: {rejection}"))?;
    Ok(answer.outcome.verdict)
}

fn limits() -> Limits {
    Limits { deadline: Some(Instant::now() + TIME_PER_RUN), jobs: 1, ..Limits::none() }
}

/// Did a search come to its time limit? That says nothing against it, and nothing for it.
fn was_cut(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(StopReason::TimeLimit))
}

/// A panic is a failure like any other, so that it is shrunk as well.
pub fn guarded<T>(who: &str, run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|_| format!("{who}: panicked"))
}

/// The number of views of a proof.
pub fn n_views(certificate: &Certificate) -> usize {
    match &certificate.proof {
        Proof::ElementViews(views) => views.views.len(),
        _ => 0,
    }
}
