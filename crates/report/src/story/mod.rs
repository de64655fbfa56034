//! A run of any front end in one shape: lanes, steps, values and what is wrong in the
//! end. The formats that show a run step by step ([`crate::html`], [`crate::sarif`])
//! are written over this.
//!
//! Threads, nets and transition systems each have a file that tells their runs.
//! All text from inputs is without control characters here, see [`crate::layout::plain`].

mod counters;
mod fields;
mod ledger;
mod places;
mod states;
mod threads;

use model::{Problem, Rule, ThreadRuns, Trace, Verdict};
use serde::Serialize;

pub(crate) use ledger::{Change, Variable};
pub(crate) use places::{SourceMap, SourceRange};

use crate::Run;

/// A run as the report shows it.
#[derive(Debug, Serialize)]
pub(crate) struct Story {
    /// Who takes steps.
    pub lanes: Vec<Lane>,
    /// Headings of the values.
    pub groups: Vec<String>,
    /// What has values.
    pub variables: Vec<Variable>,
    /// How it begins.
    pub start: Start,
    /// Its steps.
    pub steps: Vec<Step>,
    /// The step that the loop begins with, for runs that go on for ever. If it is the
    /// number of steps, the last state stays as it is.
    pub loop_start: Option<usize>,
    /// Remarks on what the lanes do not show.
    pub remarks: Vec<String>,
    /// What is wrong in the end.
    pub trouble: Trouble,
}

/// Whoever takes steps: a thread, or the instances of rules for one parameter.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Lane {
    pub name: String,
    /// What it runs; may be empty.
    pub about: String,
    /// Is it there before the first step?
    pub at_start: bool,
}

/// How a run begins.
#[derive(Debug, Serialize)]
pub(crate) struct Start {
    pub label: String,
    pub place: Option<SourceRange>,
    pub changes: Vec<Change>,
    /// Where each lane goes on.
    pub next: Vec<Next>,
}

/// A lane, and where in the input it goes on.
#[derive(Debug, Serialize)]
pub(crate) struct Next(pub usize, pub Option<SourceRange>);

/// One step of a run.
#[derive(Debug, Serialize)]
pub(crate) struct Step {
    /// Who takes it; `None` for a step of the environment.
    pub lane: Option<usize>,
    pub label: String,
    pub place: Option<SourceRange>,
    pub changes: Vec<Change>,
    /// Lanes that begin with it.
    pub starts: Vec<usize>,
    /// Other lanes that it moves.
    pub moves: Vec<usize>,
    /// Does its lane end with it?
    pub ends: bool,
    /// Where the lanes that it concerns go on.
    pub next: Vec<Next>,
}

/// What is wrong at the end of a run.
#[derive(Debug, Serialize)]
pub(crate) struct Trouble {
    /// The rule that is broken.
    pub rule: Rule,
    /// What breaking it is called, with a capital.
    pub title: String,
    /// What is wrong, in words.
    pub text: String,
    /// Where, if it is in one place.
    pub place: Option<SourceRange>,
    /// For a deadlock of threads: who waits for what.
    pub waits: Vec<Wait>,
    /// For a data race: the two accesses.
    pub accesses: Vec<RaceAccess>,
}

impl Trouble {
    fn new(rule: Rule, text: String, place: Option<SourceRange>) -> Trouble {
        let words = rule.words();
        let title = format!("{}{}", words[..1].to_uppercase(), &words[1..]);
        Trouble { rule, title, text, place, waits: Vec::new(), accesses: Vec::new() }
    }
}

/// A thread that waits.
#[derive(Debug, Serialize)]
pub(crate) struct Wait {
    pub lane: usize,
    /// What for, as a clause.
    pub why: String,
    /// Where it waits.
    pub place: Option<SourceRange>,
    /// The name of what it waits for.
    pub what: Option<String>,
    /// Whose it is: several may read at a time.
    pub holders: Vec<Holder>,
}

/// Who has what another waits for, or is what it waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Holder {
    pub lane: usize,
    /// Index of the step that took it, where that is known.
    pub step: Option<usize>,
    /// Where it was taken.
    pub place: Option<SourceRange>,
}

/// One side of a data race.
#[derive(Debug, Serialize)]
pub(crate) struct RaceAccess {
    pub lane: usize,
    pub verb: &'static str,
    /// What is accessed, as a noun.
    pub what: String,
    /// What makes it, or the step that it is part of.
    pub label: String,
    pub place: Option<SourceRange>,
    /// Index of the step that made it; `None` if it comes next.
    pub step: Option<usize>,
}

/// A place that has to do with what is wrong, and what happens there.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Related {
    pub place: SourceRange,
    pub text: String,
}

impl Story {
    /// All places that have to do with what is wrong: both sides of a race; where threads
    /// wait, and where others took what they wait for.
    pub fn related(&self) -> Vec<Related> {
        let name = |lane: usize| &self.lanes[lane].name;
        let mut related: Vec<Related> = Vec::new();
        let mut add = |place: Option<SourceRange>, text: String| {
            let new = place.map(|place| Related { place, text });
            related.extend(new.filter(|new| !related.contains(new)));
        };
        for access in &self.trouble.accesses {
            let step =
                access.step.map_or_else(String::new, |step| format!(" in step {}", step + 1));
            let text = format!("{} {} {} here{step}", name(access.lane), access.verb, access.what);
            add(access.place, text);
        }
        for wait in &self.trouble.waits {
            add(wait.place, format!("{} waits here", name(wait.lane)));
        }
        for wait in &self.trouble.waits {
            let what = match &wait.what {
                Some(what) if what.contains(' ') => format!("the lock in {what}"),
                Some(what) => format!("`{what}`"),
                None => "it".to_owned(),
            };
            for holder in &wait.holders {
                let step =
                    holder.step.map_or_else(String::new, |step| format!(" in step {}", step + 1));
                add(holder.place, format!("{} took {what} here{step}", name(holder.lane)));
            }
        }
        related
    }
}

/// The run that violates the property; `None` where there is none, or where the trace
/// belongs to another system.
pub(crate) fn tell(run: &Run<'_>, places: &SourceMap<'_>) -> Option<Story> {
    let Verdict::Violated(trace) = &run.outcome.verdict else { return None };
    match (run.problem, trace) {
        (
            Problem::Threads(program) | Problem::ThreadRuns(ThreadRuns { program, .. }),
            Trace::Threads(trace),
        ) => Some(threads::tell(program, trace, places)),
        (Problem::Counters(system), Trace::Counters(trace)) => {
            Some(counters::tell(system, trace, places))
        }
        (Problem::States(problem), Trace::States(trace)) => {
            Some(states::tell(&problem, trace, places))
        }
        _ => None,
    }
}
