//! Searches one stage of a plan, one attempt after the other, and has the answer
//! re-checked.

use certify::{Assurance, Rejection};
use engine::Method;
use engine::explicit::Reduction;
use model::{
    Attempt, AttemptEnd, Context, GrowingBound, Limits, Omission, Outcome, SearchBounds, Stage,
    StopReason, Trace, TriedAttempt, Verdict,
};

/// How a stage is searched.
#[derive(Clone, Copy, Debug)]
pub struct Guided<'a> {
    /// The engine, and how it searches.
    pub method: Method,
    /// A run into an error that an earlier stage has found of its variant.
    pub guide: Option<&'a Trace>,
}

/// What a search of a stage has found, and how.
#[derive(Clone, Debug)]
pub struct Found {
    /// The verdict that decides, or the last one that says why nothing was decided.
    pub outcome: Outcome,
    /// The attempt whose verdict it is.
    pub attempt: Option<Attempt>,
    /// All attempts that were made, in order.
    pub tried: Vec<TriedAttempt>,
}

/// Tries the attempts of a stage until one of them decides. An attempt whose verdict is open
/// because of a bound that can grow is repeated with a larger one.
pub fn search(stage: &Stage<'_>, how: Guided<'_>, context: Context<'_>) -> Found {
    let mut found = Found { outcome: nothing_tried(), attempt: None, tried: Vec::new() };
    for attempt in &stage.attempts {
        let mut next = found.is_worthwhile(*attempt).then(|| found.with_known_slots(*attempt));
        while let Some(attempt) = next {
            let Some(outcome) = try_once(stage, attempt, how, context) else {
                found.tried.push(TriedAttempt { attempt, end: AttemptEnd::NothingFound });
                break;
            };
            next = attempt.wider(&outcome.verdict);
            found.take(attempt, outcome);
            if found.is_decided() || context.limits.check().is_err() {
                return found.with_switches_note();
            }
        }
    }
    found.with_switches_note()
}

impl Found {
    fn take(&mut self, attempt: Attempt, outcome: Outcome) {
        self.tried.push(TriedAttempt { attempt, end: AttemptEnd::of(&outcome.verdict) });
        self.attempt = Some(attempt);
        self.outcome = outcome;
    }

    fn is_decided(&self) -> bool {
        !matches!(self.outcome.verdict, Verdict::Unknown(_))
    }

    /// Could the attempt decide more than the searches before it, which have decided nothing?
    /// A larger search does so only where the number of states ended the last one that was
    /// not bounded otherwise.
    fn is_worthwhile(&self, attempt: Attempt) -> bool {
        let last = self.tried.iter().rev().find(|tried| match tried.attempt {
            Attempt::Search(bounds) => bounds.switches.is_none(),
            _ => false,
        });
        let was_cut_short = |tried: &TriedAttempt| {
            matches!(tried.end, AttemptEnd::Open(StopReason::StateLimit { .. }))
        };
        match attempt {
            Attempt::Search(_) => last.is_none_or(was_cut_short),
            _ => true,
        }
    }

    /// The attempt with the slots that an earlier search was found to need.
    fn with_known_slots(&self, attempt: Attempt) -> Attempt {
        match (attempt, self.bounds()) {
            (Attempt::Search(bounds), Some(known)) => Attempt::Search(bounds.with_slots_of(&known)),
            _ => attempt,
        }
    }

    /// The bounds of the search whose verdict it is.
    fn bounds(&self) -> Option<SearchBounds> {
        match self.attempt {
            Some(Attempt::Search(bounds)) => Some(bounds),
            _ => None,
        }
    }

    /// Says what growing bounds on context switches have shown that the user asked for.
    fn with_switches_note(mut self) -> Found {
        let asked = self.bounds().filter(|bounds| !bounds.between_supersteps);
        let switches = asked.and_then(|bounds| bounds.switches);
        let note = switches.and_then(|switches| self.switches_note(switches));
        self.outcome.notes.extend(note);
        self
    }

    fn switches_note(&self, switches: GrowingBound) -> Option<String> {
        let (first, bound) = (switches.first(), switches.now());
        match &self.outcome.verdict {
            Verdict::Violated(_) if bound > first && self.only_switches_were_left_out() => Some(
                format!("with fewer than {bound} pre-emptive context switches there is no error"),
            ),
            Verdict::Holds(_) => Some(format!(
                "no run needs more than {bound} pre-emptive context switches: all were explored"
            )),
            _ => None,
        }
    }

    /// Did smaller bounds leave out switches alone? Threads that found no slot do not count:
    /// such a search was repeated with more.
    fn only_switches_were_left_out(&self) -> bool {
        self.tried.iter().all(|tried| match &tried.end {
            AttemptEnd::Open(StopReason::UnderApproximated { omitted }) => {
                omitted.iter().all(|omission| {
                    matches!(omission, Omission::ContextSwitches { .. } | Omission::Threads { .. })
                })
            }
            _ => true,
        })
    }
}

/// What one attempt finds; `None` if there is nothing to say of it.
fn try_once(
    stage: &Stage<'_>,
    attempt: Attempt,
    Guided { mut method, guide }: Guided<'_>,
    context: Context<'_>,
) -> Option<Outcome> {
    let problem = stage.fast.unwrap_or(stage.problem);
    match attempt {
        Attempt::Search(bounds) => {
            let max_states = method.search.max_states;
            method.search.max_states = max_states.into_iter().chain(bounds.max_states).min();
            method.search.slots = bounds.slots.or(method.search.slots);
            let max_switches = bounds.switches.map(GrowingBound::now);
            method.search.max_switches = max_switches.or(method.search.max_switches);
            // Ample sets do not preserve the number of switches; supersteps do, nearly.
            if bounds.between_supersteps && method.search.reduction == Reduction::AmpleSets {
                method.search.reduction = Reduction::Supersteps;
            }
            Some(engine::check(problem, stage.threads, method, context))
        }
        Attempt::RandomRuns => engine::random_runs(problem, context.limits),
        Attempt::ThreadByThread => engine::thread_by_thread(problem, stage.threads, context),
        Attempt::FewThreads => engine::few_threads(problem, context),
        Attempt::Follow => engine::follow(problem, guide?, context.limits),
    }
}

fn nothing_tried() -> Outcome {
    let why = "no way of searching was tried".to_owned();
    Outcome {
        verdict: Verdict::Unknown(StopReason::Incomplete { why }),
        engine: "none".to_owned(),
        statistics: Vec::new(),
        notes: Vec::new(),
    }
}

/// Has `certify` judge what a search of the stage says, by the front end's own semantics.
///
/// # Errors
/// The answer does not stand up.
pub fn recheck(
    stage: &Stage<'_>,
    mut outcome: Outcome,
    limits: &Limits,
) -> Result<(Outcome, Assurance), Rejection> {
    match certify::check(stage.problem, stage.threads, &outcome.verdict, limits) {
        Ok(assurance) => {
            outcome.notes.extend(assurance_note(assurance));
            Ok((outcome, assurance))
        }
        Err(Rejection::Stopped(reason)) => {
            outcome.notes.push("an answer was found, but not re-checked in time".to_owned());
            outcome.verdict = Verdict::Unknown(reason);
            Ok((outcome, Assurance::NotRepeated))
        }
        Err(Rejection::TooLarge { what }) => {
            let why = format!("an answer was found, but re-checking it has too many cases: {what}");
            outcome.verdict = Verdict::Unknown(StopReason::Incomplete { why });
            Ok((outcome, Assurance::NotRepeated))
        }
        Err(rejection) => Err(rejection),
    }
}

fn assurance_note(assurance: Assurance) -> Option<String> {
    match assurance {
        Assurance::Proved => None,
        Assurance::Repeated => Some("the re-check searched again, with the same result".into()),
        Assurance::NotRepeated => {
            Some("the search itself is the proof: the re-check did not repeat it".into())
        }
    }
}
