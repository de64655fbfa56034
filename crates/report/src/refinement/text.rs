//! The report for people: the answer on the first line, the proof rule where it was asked for,
//! then the run of one thread that is not allowed, or where the specification's thread may be.

use model::{NotAllowed, Problem, Refinement, RefinementRelation, Trace, Verdict};

use super::{ComparedPair, Overall, PAIR_NAMES, RefinementStudy, rule, run};
use crate::layout::{clip, counted, pad, paragraph, plain};
use crate::names::local_name;
use crate::text::{TextStyle, effort_facts, fact, figure_words, property_lines};
use crate::thread_table;

/// Pairs of a relation that are listed, at most.
const MAX_LISTED: usize = 16;

/// The whole report.
pub fn render(study: &RefinementStudy<'_>, style: &TextStyle) -> String {
    let mut out = coloured(study, style);
    if style.verdict_only {
        return out;
    }
    out.push_str(&rule_lines(study, style.width));
    out.push('\n');
    out.push_str(&facts(study, style.width));
    match study.with {
        None => out.push_str(&evidence(&study.pair, style)),
        Some(_) => {
            for (idx, pair) in study.pairs().enumerate() {
                out.push_str(&section(idx, &pair, style));
            }
        }
    }
    out.push_str(&error_of_specification(study, style));
    out
}

/// The answer as one sentence.
pub fn headline(study: &RefinementStudy<'_>) -> String {
    let names = |pair: ComparedPair<'_>| (pair.implementation_name(), pair.specification_name());
    let (own, other) = names(study.pair);
    let refines = |(own, other): (String, String)| format!("`{own}` refines `{other}`");
    let all_refine = || study.pairs().map(names).map(refines).collect::<Vec<_>>().join(", ");
    match (study.overall(), study.with.map(names)) {
        (Overall::Refines, None) => {
            format!("REFINES: `{own}` does to the shared store only what `{other}` allows")
        }
        (Overall::Refines, Some(_)) => format!("REFINES: {}", all_refine()),
        (Overall::Concluded, _) => format!("HOLDS {}: {}", study.scope(), all_refine()),
        (Overall::Fails, _) => format!("DOES NOT REFINE: {}", failure_words(study)),
        (Overall::SpecificationViolated, None) => format!(
            "UNDECIDED: `{own}` refines `{other}`, which is VIOLATED; that says nothing about `{own}`"
        ),
        (Overall::SpecificationViolated, Some((beside_own, beside_other))) => format!(
            "UNDECIDED: `{other}` beside `{beside_other}` is VIOLATED; that says nothing about \
             `{own}` beside `{beside_own}`"
        ),
        (Overall::Unknown(why), _) => format!("UNKNOWN: {why}"),
    }
}

fn coloured(study: &RefinementStudy<'_>, style: &TextStyle) -> String {
    let sentence = headline(study);
    let colour = match study.overall() {
        Overall::Refines | Overall::Concluded => "32",
        Overall::Fails => "31",
        Overall::SpecificationViolated | Overall::Unknown(_) => "33",
    };
    match style.colour {
        true => format!("\u{1b}[1;{colour}m{sentence}\u{1b}[0m\n"),
        false => sentence + "\n",
    }
}

/// What is wrong with the first pair that fails, which is named where there are two.
fn failure_words(study: &RefinementStudy<'_>) -> String {
    let Some(pair) = study.failing() else { return String::new() };
    let words = pair_failure_words(&pair);
    match study.with {
        Some(_) => {
            format!("`{}` => `{}`: {words}", pair.implementation_name(), pair.specification_name())
        }
        None => words,
    }
}

fn pair_failure_words(pair: &ComparedPair<'_>) -> String {
    let Refinement::Fails(failure) = pair.answer else { return String::new() };
    let other = pair.specification_name();
    let n_steps = failure.steps.len();
    match &failure.not_allowed {
        NotAllowed::Start => format!("`{other}` does not start in that shared store"),
        NotAllowed::Interaction => {
            format!("`{other}` does not allow step {n_steps} of a run of one thread")
        }
        NotAllowed::Error(error) => format!(
            "step {n_steps} of a run of one thread fails (`{}`), where `{other}` does not",
            plain(&error.message)
        ),
        NotAllowed::Target { .. } => format!(
            "after {} a thread fills a target, where `{other}` does not",
            counted(n_steps, "step")
        ),
    }
}

/// The lines of the proof rule.
fn rule_lines(study: &RefinementStudy<'_>, width: usize) -> String {
    let Some(lines) = rule::lines(study) else { return String::new() };
    let judgement_width = lines.iter().map(|line| line.judgement.len()).max().unwrap_or(0);
    let mut out = String::from("\n");
    for (idx, line) in lines.iter().enumerate() {
        if idx + 1 == lines.len() {
            out.push_str(&format!("    {}\n", "-".repeat(judgement_width)));
        }
        let first = format!("{} {}  ", line.number, pad(line.judgement, judgement_width));
        out.push_str(&paragraph(&first, first.len(), &line.answer, width));
    }
    out
}

fn facts(study: &RefinementStudy<'_>, width: usize) -> String {
    let mut out = String::new();
    if study.conclusion.is_some() {
        out.push_str(&fact("phi", &property(study), width));
    }
    if study.with.is_none() {
        out.push_str(&pair_facts(&study.pair, width));
    }
    if let Some(effort) = study.effort {
        out.push_str(&effort_facts(effort, width));
    }
    if study.with.is_none() {
        out.push_str(&statistics(&study.pair, width));
    }
    for note in study.notes {
        out.push_str(&fact("note", &plain(note), width));
    }
    out
}

/// What the specifications forbid.
fn property(study: &RefinementStudy<'_>) -> String {
    let mut property = vec!["no step is an error".to_owned()];
    for pair in study.pairs() {
        let program = pair.question.specification;
        // Targets are what must not be, questions what must be.
        let never = if program.requirements().questions().is_empty() { "never " } else { "" };
        for asked in property_lines(Problem::Threads(program)) {
            let line = format!("{never}{asked}");
            if !property.contains(&line) {
                property.push(line);
            }
        }
    }
    let whose = if study.with.is_some() { "F1 and F2" } else { "F" };
    format!("of {whose}: {}", property.join("; "))
}

/// How a pair was compared.
fn pair_facts(pair: &ComparedPair<'_>, width: usize) -> String {
    let mut out = String::new();
    let evidence = match pair.answer {
        Refinement::Refines(relation) => {
            Some(format!("a relation of {}, re-checked", counted(relation.pairs.len(), "pair")))
        }
        Refinement::Fails(_) => {
            Some("a run of one thread, replayed on both sides step by step".to_owned())
        }
        Refinement::Unknown { .. } => None,
    };
    if let Some(evidence) = evidence {
        out.push_str(&fact("evidence", &evidence, width));
    }
    let n_shared = pair.question.shared.pairs.len();
    let environment =
        format!("before each step, any of {} may be there", counted(n_shared, "shared store"));
    out.push_str(&fact("environment", &environment, width));
    out
}

fn statistics(pair: &ComparedPair<'_>, width: usize) -> String {
    let figures = figure_words(pair.statistics);
    match figures.is_empty() {
        true => String::new(),
        false => fact("statistics", &figures.join(", "), width),
    }
}

/// All about one of two pairs.
fn section(idx: usize, pair: &ComparedPair<'_>, style: &TextStyle) -> String {
    let (own, other) = (pair.implementation_name(), pair.specification_name());
    let mut out = format!("\n{}: `{own}` against `{other}`\n", PAIR_NAMES[idx]);
    out.push_str(&pair_facts(pair, style.width));
    out.push_str(&statistics(pair, style.width));
    out.push_str(&evidence(pair, style));
    out
}

/// Where the threads may be, or the run that is not allowed.
fn evidence(pair: &ComparedPair<'_>, style: &TextStyle) -> String {
    match pair.answer {
        Refinement::Refines(relation) => relation_lines(pair, relation, style.width),
        Refinement::Fails(failure) => run::render(pair, failure, style),
        Refinement::Unknown { .. } => String::new(),
    }
}

/// Where the specification's thread may be, for each local store of the implementation.
fn relation_lines(pair: &ComparedPair<'_>, relation: &RefinementRelation, width: usize) -> String {
    let mut out = String::from("\nlocal store of the thread: where the specification's may be\n");
    for related in relation.pairs.iter().take(MAX_LISTED) {
        let own = local_name(pair.question.implementation.narrator(), &related.implementation);
        let line = format!("  {own}: {}", run::states(pair, &related.specification));
        out.push_str(&clip(&line, width));
        out.push('\n');
    }
    if relation.pairs.len() > MAX_LISTED {
        out.push_str(&format!("  … and {} more\n", relation.pairs.len() - MAX_LISTED));
    }
    out
}

/// The run of the specification's threads that ends in an error.
fn error_of_specification(study: &RefinementStudy<'_>, style: &TextStyle) -> String {
    let checked = study.conclusion.and_then(|conclusion| conclusion.specification.as_ref());
    match checked.map(|outcome| &outcome.verdict) {
        Some(Verdict::Violated(Trace::Threads(trace))) => format!(
            "\na run of the specification's threads into an error:\n{}",
            thread_table::render(study.checked_program(), trace, style)
        ),
        _ => String::new(),
    }
}
