//! The report for people: the verdict in plain words on the first line, then the
//! property, how it was decided and what it cost, then the evidence.

use std::time::Duration;

use model::{
    Certificate, Deadlock, Ending, Fairness, Multiplicity, NamedFormula, Outcome, Presumption,
    Problem, Proof, PropertyKind, StateProblem, StateTrace, StopReason, ThreadCount, ThreadRuns,
    ThreadViews, Trace, Verdict, Violation,
};

use crate::layout::{counted, item_list, pad, paragraph, plain};
use crate::names::Names;
use crate::{Effort, Run, guarantee, plan, proof_text, state_table, thread_table, token_table};

/// Width of the column of keys (`property`, `engine`, …).
const KEY_WIDTH: usize = 12;
/// More targets than this are counted, not listed.
const MAX_LISTED_TARGETS: usize = 4;
/// What is asked of every model with rules, beside its properties.
const NO_FAULT: &str = "no evaluation error";

/// How the text is laid out.
#[derive(Clone, Copy, Debug)]
pub struct TextStyle {
    /// Lines are at most this wide where their content allows it.
    pub width: usize,
    /// Colour the verdict with escape sequences?
    pub colour: bool,
    /// Show every step, however many there are?
    pub full_trace: bool,
    /// Stop after the first line?
    pub verdict_only: bool,
}

impl Default for TextStyle {
    fn default() -> TextStyle {
        TextStyle { width: 100, colour: false, full_trace: false, verdict_only: false }
    }
}

/// The whole report.
pub fn render(run: &Run<'_>, style: &TextStyle) -> String {
    let mut out = headline(run, style);
    if style.verdict_only {
        return out;
    }
    out.push('\n');
    out.push_str(&facts(run, style.width));
    out.push_str(&evidence(run, style));
    if let Some(explanation) = &run.explanation {
        if let Verdict::Holds(certificate) = &run.outcome.verdict {
            out.push_str(&guarantee::render(run.problem, certificate, run.files, style.width));
        }
        out.push_str(&plan::text(explanation, style.width));
    }
    out
}

/// The verdict as one sentence, without colour: `HOLDS for any number of threads`. What is
/// presumed comes before all else.
pub fn verdict_sentence(
    problem: Problem<'_>,
    outcome: &Outcome,
    presumes: Option<Presumption>,
) -> String {
    let under = presumes.map_or(String::new(), |it| format!("under {}, ", it.words()));
    match &outcome.verdict {
        Verdict::Holds(certificate) => {
            format!("HOLDS {under}{}", holds_words(problem, certificate))
        }
        Verdict::Violated(trace) => violated_sentence(problem, trace),
        Verdict::Unknown(reason) => format!("UNKNOWN: {}", reason_words(reason)),
    }
}

/// Why a search stopped, in words.
pub fn reason_words(reason: &StopReason) -> String {
    match reason {
        StopReason::TimeLimit => "time limit reached".to_owned(),
        StopReason::MemoryLimit => "memory limit reached".to_owned(),
        StopReason::Interrupted => "interrupted".to_owned(),
        StopReason::CountOverflow => "a count left the range of 32 bits".to_owned(),
        StopReason::StateLimit { states } => format!("the search was to end at {states} states"),
        StopReason::UnderApproximated { omitted } => {
            let words: Vec<String> = omitted.iter().map(|omission| omission.words()).collect();
            plain(&words.join("; "))
        }
        StopReason::Incomplete { why } => plain(why),
        StopReason::Unsupported { construct, .. } => {
            format!("{} is not supported", plain(construct))
        }
    }
}

/// The property: what no reachable state may be, one line per target.
pub fn property_lines(problem: Problem<'_>) -> Vec<String> {
    let all: Vec<String> = match problem {
        Problem::Counters(system) => {
            let names = Names::of_system(system);
            system.targets.iter().map(|target| names.zone(&target.zone)).collect()
        }
        Problem::Threads(program) => {
            let requirements = program.requirements();
            let questions = requirements.questions();
            match questions.is_empty() {
                true => requirements.targets().iter().map(|target| plain(&target.name)).collect(),
                false => questions,
            }
        }
        Problem::ThreadRuns(runs) => vec![formula_question(runs.formula, runs.fairness, "thread")],
        Problem::States(problem) => state_questions(&problem),
        Problem::Parameterized(system) => {
            let properties = system.own().properties().iter();
            let claims =
                properties.map(|property| format!("invariant `{}`", plain(&property.name)));
            claims.chain([NO_FAULT.to_owned()]).collect()
        }
    };
    let n_more = all.len().saturating_sub(MAX_LISTED_TARGETS);
    let mut lines: Vec<String> = all.into_iter().take(MAX_LISTED_TARGETS).collect();
    if n_more > 0 {
        lines.push(format!("… and {n_more} more"));
    }
    lines
}

/// What is asked of a transition system, one line each.
fn state_questions(problem: &StateProblem<'_>) -> Vec<String> {
    if let Some(formula) = problem.formula {
        return vec![formula_question(formula, problem.fairness, "rule")];
    }
    let deadlock = match problem.deadlock {
        Deadlock::Off => None,
        Deadlock::Stuck => Some("no deadlock (a state where no rule is enabled)"),
        Deadlock::Stuttering => Some("no deadlock (a state with no successor but itself)"),
    };
    let properties = problem.system.properties().iter().map(|property| {
        let kind = match property.kind {
            PropertyKind::Invariant => "invariant",
            PropertyKind::Cover => "some state has",
            PropertyKind::CoverStatement => "some evaluation reaches",
            PropertyKind::AlwaysReachable => "always reachable",
        };
        format!("{kind} `{}`", plain(&property.name))
    });
    properties.chain(deadlock.map(str::to_owned)).chain([NO_FAULT.to_owned()]).collect()
}

/// How many threads were looked at together, and whether anything is exposed of others.
fn level_words(views: &ThreadViews) -> String {
    let level = match views.level {
        1 => "each looked at alone".to_owned(),
        level => format!("{level} looked at together"),
    };
    match views.exposed.len() {
        0 => level,
        1 => format!("{level}, with a fact about others exposed"),
        n => format!("{level}, with {n} facts about others exposed"),
    }
}

fn formula_question(formula: &NamedFormula, fairness: Fairness, actor: &str) -> String {
    let fair = match fairness {
        Fairness::None => String::new(),
        Fairness::Weak => format!(", if every {actor} is weakly fair"),
    };
    format!("on every run {}{fair}", plain(&formula.text))
}

fn holds_words(problem: Problem<'_>, certificate: &Certificate) -> String {
    match &certificate.proof {
        Proof::Exhausted { formula: Some(_), .. } => {
            let fairness = match problem {
                Problem::States(problem) => problem.fairness,
                Problem::ThreadRuns(runs) => runs.fairness,
                _ => Fairness::None,
            };
            let run = if fairness == Fairness::Weak { "fair run" } else { "run" };
            match (certificate.scope, n_started(problem)) {
                (ThreadCount::Any | ThreadCount::AsGiven, _) => format!("on every {run}"),
                // It may create more, so their number is not that of its runs.
                (ThreadCount::Exactly(_), Some(n)) => {
                    let started = counted(n as usize, "thread");
                    format!("on every {run} of the program ({started} at the start)")
                }
                (ThreadCount::Exactly(n), None) => {
                    format!("on every {run} of {}", counted(n as usize, "thread"))
                }
            }
        }
        Proof::ThreadModular(views) => {
            format!("{}, {}", scope_words(problem, certificate.scope), level_words(views))
        }
        Proof::Exhausted { n_states: 0, .. } => "only because no state is reachable".to_owned(),
        Proof::Exhausted { n_states, symmetry, .. } => {
            let states = counted(usize::try_from(*n_states).unwrap_or(usize::MAX), "state");
            let orbits = if *symmetry { " (up to symmetry)" } else { "" };
            let all = format!("in all {states}{orbits}").replace("all 1 state", "the only state");
            match (certificate.scope, problem, n_started(problem)) {
                (ThreadCount::Exactly(_), Problem::Threads(_), None) => {
                    format!("{}, {all}", scope_words(problem, certificate.scope))
                }
                _ => all,
            }
        }
        _ => scope_words(problem, certificate.scope),
    }
}

/// For which threads a verdict speaks: `for any number of threads`.
pub fn scope_words(problem: Problem<'_>, scope: ThreadCount) -> String {
    match (scope, problem) {
        (ThreadCount::Exactly(n), Problem::Threads(_) | Problem::ThreadRuns(_)) => {
            format!("for exactly {}", counted(n as usize, "thread"))
        }
        (ThreadCount::Exactly(n), Problem::Counters(_)) => {
            format!("for exactly {}", counted(n as usize, "initial token"))
        }
        (_, Problem::Parameterized(system)) => {
            let elements = format!("for any number of elements of `{}`", plain(system.parameter()));
            match system.nodes() {
                Some(nodes) => format!("{elements} and of `{}`", plain(nodes)),
                None => elements,
            }
        }
        (ThreadCount::AsGiven, _) | (_, Problem::States(_)) => {
            "for the constants that the model has".to_owned()
        }
        (ThreadCount::Any, Problem::Threads(_) | Problem::ThreadRuns(_)) => {
            match n_started(problem) {
                None => "for any number of threads".to_owned(),
                Some(n) => {
                    format!("for the {} at the start", counted(n as usize, "thread"))
                }
            }
        }
        (ThreadCount::Any, Problem::Counters(system)) => {
            let single = system.initial.len() == 1
                && system.initial[0].bounds.iter().all(|(_, b)| b.max == Some(b.min));
            if single { "for the initial marking" } else { "for every initial marking" }.to_owned()
        }
    }
}

/// How many threads a program starts with, where it says so itself.
fn n_started(problem: Problem<'_>) -> Option<u64> {
    let (Problem::Threads(program) | Problem::ThreadRuns(ThreadRuns { program, .. })) = problem
    else {
        return None;
    };
    if program.narrator().creates_any_number() {
        return None;
    }
    program.templates().iter().try_fold(0u64, |sum, template| match template.multiplicity {
        Multiplicity::Exactly(n) => Some(sum + u64::from(n)),
        Multiplicity::Any => None,
    })
}

fn headline(run: &Run<'_>, style: &TextStyle) -> String {
    let sentence = verdict_sentence(run.problem, run.outcome, run.presumes);
    if !style.colour {
        return sentence + "\n";
    }
    let colour = match run.outcome.verdict {
        Verdict::Holds(_) => "32",
        Verdict::Violated(_) => "31",
        Verdict::Unknown(_) => "33",
    };
    format!("\u{1b}[1;{colour}m{sentence}\u{1b}[0m\n")
}

fn violated_sentence(problem: Problem<'_>, trace: &Trace) -> String {
    let steps = counted(trace.n_steps(), "step");
    match trace {
        Trace::Threads(trace) => {
            let threads = counted(trace.n_threads(), "thread");
            let what = match &trace.violation {
                Violation::Step(error) => Some(plain(&error.message)),
                Violation::Deadlock => Some("deadlock".to_owned()),
                Violation::Race => Some("data race".to_owned()),
                Violation::Target(_) | Violation::Lasso { .. } => None,
            };
            match what {
                Some(what) => format!("VIOLATED with {threads} in {steps}: {what}"),
                None => format!("VIOLATED with {threads} in {steps}"),
            }
        }
        Trace::Counters(trace) => {
            let n_tokens: u64 = trace
                .initial
                .counts
                .iter()
                .map(|(_, count)| u64::from(count.as_finite().unwrap_or(0)))
                .sum();
            format!("VIOLATED from {} in {steps}", counted(n_tokens as usize, "token"))
        }
        Trace::States(trace) => match problem {
            Problem::States(problem) => {
                let words = state_table::ending_words(&problem, &trace.ending);
                let variant = problem.system.variant();
                match trace.ending {
                    Ending::Uncovered(_) => format!("VIOLATED: {words}"),
                    _ if variant.is_as_written() => format!("VIOLATED in {steps}: {words}"),
                    _ => format!("VIOLATED with {} in {steps}: {words}", plain(variant.name())),
                }
            }
            _ => format!("VIOLATED in {steps}"),
        },
    }
}

fn facts(run: &Run<'_>, width: usize) -> String {
    let outcome = run.outcome;
    let mut out = String::new();
    for (idx, line) in property_lines(run.problem).iter().enumerate() {
        let lead = match (run.problem, idx) {
            (Problem::States(_) | Problem::ThreadRuns(_) | Problem::Parameterized(_), _) => "",
            (Problem::Threads(program), _) if !program.requirements().questions().is_empty() => "",
            (_, 0) => "never ",
            _ => "  nor ",
        };
        let key = if idx == 0 { "property" } else { "" };
        out.push_str(&list_fact(key, &format!("{lead}{line}"), width));
    }
    match &outcome.verdict {
        Verdict::Holds(certificate) => {
            out.push_str(&fact("proof", &proof_words(&certificate.proof), width));
            if let Some(scope) = scope_fact(run.problem, certificate) {
                out.push_str(&fact("scope", &scope, width));
            }
        }
        Verdict::Violated(trace) => {
            out.push_str(&fact("evidence", evidence_words(trace), width));
        }
        Verdict::Unknown(_) => {}
    }
    if let Some(presumption) = presumed(run) {
        out.push_str(&fact("presumes", presumption.meaning(), width));
    }
    out.push_str(&fact("engine", &outcome.engine, width));
    if let Some(effort) = run.effort {
        out.push_str(&effort_facts(effort, width));
    }
    let figures = figure_words(&outcome.statistics);
    if !figures.is_empty() {
        out.push_str(&list_fact("statistics", &figures.join(", "), width));
    }
    for note in &outcome.notes {
        out.push_str(&fact("note", &plain(note), width));
    }
    out
}

/// What a proof presumes. An error is one whatever else may happen.
pub(crate) fn presumed(run: &Run<'_>) -> Option<Presumption> {
    run.presumes.filter(|_| matches!(run.outcome.verdict, Verdict::Holds(_)))
}

/// What the result is limited to, where the verdict's sentence does not say it.
pub(crate) fn scope_fact(problem: Problem<'_>, certificate: &Certificate) -> Option<String> {
    match problem {
        Problem::States(_) => Some(scope_words(problem, certificate.scope)),
        _ => None,
    }
}

/// What shows that a property is violated. Absence has no run that shows it.
pub(crate) fn evidence_words(trace: &Trace) -> &'static str {
    match trace {
        Trace::States(StateTrace { ending: Ending::Uncovered(_), .. }) => {
            "a search of all reachable states, repeated; no run shows what never happens"
        }
        Trace::States(StateTrace { ending: Ending::Stranded(_), .. }) => {
            "a run, replayed step by step, and a search of all that can follow it, repeated"
        }
        _ => "a run, replayed step by step",
    }
}

/// A proof in a few words. How far a search was repeated, a note says.
pub(crate) fn proof_words(proof: &Proof) -> String {
    let rechecked = if matches!(proof, Proof::Exhausted { .. }) { "" } else { ", re-checked" };
    format!("{}: {}{rechecked}", proof.method(), proof_size(proof))
}

/// The figures that say something: zeros are left out, and a size after slicing
/// stands beside the one before.
pub(crate) fn figure_words(statistics: &[(String, u64)]) -> Vec<String> {
    let value = |wanted: &str| statistics.iter().find(|(name, _)| name == wanted).map(|s| s.1);
    let words = |(name, n): &(String, u64)| match value(&format!("{name} after slicing")) {
        Some(after) if after != *n => format!("{name} {n} -> {after}"),
        _ => format!("{name} {n}"),
    };
    let tells = |(name, n): &&(String, u64)| *n > 0 && !name.ends_with(" after slicing");
    statistics.iter().filter(tells).map(words).collect()
}

pub(crate) fn effort_facts(effort: Effort, width: usize) -> String {
    let mut out = fact("time", &duration_words(effort.elapsed), width);
    if let Some(bytes) = effort.peak_memory {
        out.push_str(&fact("memory", &size_words(bytes), width));
    }
    out
}

/// A duration as reports show it: `0.012 s`.
pub fn duration_words(duration: Duration) -> String {
    format!("{:.3} s", duration.as_secs_f64())
}

/// A size as reports show it: `12.5 MiB`.
pub fn size_words(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / (1024.0 * 1024.0))
}

pub(crate) fn fact(key: &str, text: &str, width: usize) -> String {
    paragraph(&pad(key, KEY_WIDTH), KEY_WIDTH, text, width)
}

fn list_fact(key: &str, items: &str, width: usize) -> String {
    item_list(&pad(key, KEY_WIDTH), KEY_WIDTH, items, width)
}

fn evidence(run: &Run<'_>, style: &TextStyle) -> String {
    match &run.outcome.verdict {
        Verdict::Holds(certificate) => proof_text::explain(run.problem, certificate, style.width),
        Verdict::Violated(Trace::Threads(trace)) => match run.problem {
            Problem::Threads(program) | Problem::ThreadRuns(ThreadRuns { program, .. }) => {
                thread_table::render(program, trace, style)
            }
            _ => String::new(),
        },
        Verdict::Violated(Trace::States(trace)) => match run.problem {
            Problem::States(problem) => state_table::render(&problem, trace, run.files, style),
            _ => String::new(),
        },
        Verdict::Violated(Trace::Counters(trace)) => match run.problem {
            Problem::Counters(system) => token_table::render(system, trace, style),
            _ => String::new(),
        },
        Verdict::Unknown(_) => String::new(),
    }
}

/// The size of a proof in its own terms.
pub fn proof_size(proof: &Proof) -> String {
    match proof {
        Proof::Cover { configurations } => counted(configurations.len(), "configuration"),
        Proof::Basis { lemmas, basis, .. } if lemmas.is_empty() => counted(basis.len(), "zone"),
        Proof::Basis { lemmas, basis, .. } => {
            format!("{} and {}", counted(basis.len(), "zone"), counted(lemmas.len(), "lemma"))
        }
        Proof::Equation { refutations, .. } => counted(refutations.len(), "linear fact"),
        Proof::Views(views) => {
            let nodes = counted(views.nodes.len(), "node");
            format!("{} of {} at a time", nodes, counted(views.size as usize, "thread"))
        }
        Proof::Summaries(summaries) => {
            let pairs = counted(summaries.guarantee.len(), "guaranteed change");
            format!("{} and {pairs}", counted(summaries.edges.len(), "edge"))
        }
        Proof::ElementViews(views) => {
            let n_views = counted(views.views.len(), "view");
            format!("{n_views} of {}", counted(views.n_visible as usize, "element"))
        }
        Proof::ThreadModular(views) => {
            let n_views = counted(views.n_views(), "view");
            format!("{n_views} of {}", counted(views.level as usize, "thread"))
        }
        Proof::Exhausted { n_states, .. } => {
            counted(usize::try_from(*n_states).unwrap_or(usize::MAX), "state")
        }
    }
}
