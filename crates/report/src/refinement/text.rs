//! The report for people: the answer on the first line, the proof rule where it was asked for,
//! then the run of one thread that is not allowed, or where the specification's thread may be.

use model::{
    Interaction, NotAllowed, Problem, Refinement, RefinementFailure, RefinementRelation, Store,
    Trace, Verdict,
};

use super::{Overall, RefinementStudy};
use crate::layout::{clip, counted, pad, paragraph, plain};
use crate::names::{local_name, shared_name};
use crate::text::{TextStyle, effort_facts, fact, figure_words, property_lines};
use crate::thread_table;

/// Pairs of a relation that are listed, at most.
const MAX_LISTED: usize = 16;
/// The widest column of stores.
const MAX_STORE_WIDTH: usize = 28;
/// Width of the judgements of the proof rule.
const JUDGEMENT_WIDTH: usize = 11;

/// The whole report.
pub fn render(study: &RefinementStudy<'_>, style: &TextStyle) -> String {
    let mut out = coloured(study, style);
    if style.verdict_only {
        return out;
    }
    out.push_str(&rule(study, style.width));
    out.push('\n');
    out.push_str(&facts(study, style.width));
    match study.answer {
        Refinement::Refines(relation) => {
            out.push_str(&relation_lines(study, relation, style.width))
        }
        Refinement::Fails(failure) => out.push_str(&run(study, failure, style)),
        Refinement::Unknown { .. } => {}
    }
    out.push_str(&error_of_specification(study, style));
    out
}

/// The answer as one sentence.
pub fn headline(study: &RefinementStudy<'_>) -> String {
    let (own, other) = (study.implementation_name(), study.specification_name());
    match study.overall() {
        Overall::Refines => {
            format!("REFINES: `{own}` does to the shared store only what `{other}` allows")
        }
        Overall::Concluded => format!("HOLDS {}: `{own}` refines `{other}`", study.scope()),
        Overall::Fails => format!("DOES NOT REFINE: {}", failure_words(study)),
        Overall::SpecificationViolated => format!(
            "UNDECIDED: `{own}` refines `{other}`, which is VIOLATED; that says nothing about `{own}`"
        ),
        Overall::Unknown(why) => format!("UNKNOWN: {why}"),
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

fn failure_words(study: &RefinementStudy<'_>) -> String {
    let Refinement::Fails(failure) = study.answer else { return String::new() };
    let other = study.specification_name();
    let n_steps = failure.steps.len();
    match &failure.not_allowed {
        NotAllowed::Start => format!("`{other}` does not start in that shared store"),
        NotAllowed::Interaction => {
            format!("`{other}` does not allow step {n_steps} of a run of one thread")
        }
        NotAllowed::Error(message) => format!(
            "step {n_steps} of a run of one thread fails (`{}`), where `{other}` does not",
            plain(message)
        ),
        NotAllowed::Target { .. } => format!(
            "after {} a thread fills a target, where `{other}` does not",
            counted(n_steps, "step")
        ),
    }
}

/// The lines (5), (6) and (7).
fn rule(study: &RefinementStudy<'_>, width: usize) -> String {
    let Some(lines) = study.rule() else { return String::new() };
    let mut out = String::from("\n");
    for (number, judgement, answer) in lines {
        if number == "(7)" {
            out.push_str(&format!("    {}\n", "-".repeat(JUDGEMENT_WIDTH - 2)));
        }
        let first = format!("{number} {}", pad(judgement, JUDGEMENT_WIDTH));
        out.push_str(&paragraph(&first, first.len(), &answer, width));
    }
    out
}

fn facts(study: &RefinementStudy<'_>, width: usize) -> String {
    let mut out = String::new();
    if study.conclusion.is_some() {
        let mut property = vec!["no step is an error".to_owned()];
        let targets = property_lines(Problem::Threads(study.question.specification));
        property.extend(targets.iter().map(|target| format!("never {target}")));
        out.push_str(&fact("phi", &format!("of F: {}", property.join("; ")), width));
    }
    let evidence = match study.answer {
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
    let n_shared = study.question.shared.pairs.len();
    let environment =
        format!("before each step, any of {} may be there", counted(n_shared, "shared store"));
    out.push_str(&fact("environment", &environment, width));
    if let Some(effort) = study.effort {
        out.push_str(&effort_facts(effort, width));
    }
    let figures = figure_words(study.statistics);
    if !figures.is_empty() {
        out.push_str(&fact("statistics", &figures.join(", "), width));
    }
    for note in study.notes {
        out.push_str(&fact("note", &plain(note), width));
    }
    out
}

/// Where the specification's thread may be, for each local store of the implementation.
fn relation_lines(
    study: &RefinementStudy<'_>,
    relation: &RefinementRelation,
    width: usize,
) -> String {
    let mut out = String::from("\nlocal store of the thread: where the specification's may be\n");
    for pair in relation.pairs.iter().take(MAX_LISTED) {
        let own = local_name(study.question.implementation, &pair.implementation);
        let line = format!("  {own}: {}", states(study, &pair.specification));
        out.push_str(&clip(&line, width));
        out.push('\n');
    }
    if relation.pairs.len() > MAX_LISTED {
        out.push_str(&format!("  … and {} more\n", relation.pairs.len() - MAX_LISTED));
    }
    out
}

fn states(study: &RefinementStudy<'_>, states: &[Option<Store>]) -> String {
    let name = |state: &Option<Store>| match state {
        Some(local) => local_name(study.question.specification, local),
        None => "ended".to_owned(),
    };
    alternatives(states.iter().map(name).collect())
}

/// `1`, `1 or 2`, `1, 2 or 3`.
fn alternatives(names: Vec<String>) -> String {
    match names.split_last() {
        None => "nowhere".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}

/// The run that is not allowed, and what would be.
fn run(study: &RefinementStudy<'_>, failure: &RefinementFailure, style: &TextStyle) -> String {
    let program = study.question.implementation;
    let mut out = format!(
        "\nstart  shared {}, local {}\n",
        shared_name(program, &failure.shared),
        local_name(program, &failure.local)
    );
    out.push_str(&table(study, failure, style));
    out.push_str(&paragraph("error  ", 7, &verdict_on_end(study, failure), style.width));
    out
}

/// One line of the table: a step, or a change by the environment.
type Row = [String; 4];

fn table(study: &RefinementStudy<'_>, failure: &RefinementFailure, style: &TextStyle) -> String {
    let mut rows: Vec<Row> = vec![["step", "local", "shared", "transition"].map(str::to_owned)];
    let (mut shared, mut local) = (&failure.shared, Some(&failure.local));
    let shown = thread_table::shown_steps(failure.steps.len(), style.full_trace);
    let mut elided_at = None;
    for (idx, step) in failure.steps.iter().enumerate() {
        if shown.contains(&idx) {
            rows.extend(environment_row(study, shared, &step.before));
            rows.push(row(study, local, step, idx));
        } else {
            elided_at.get_or_insert(rows.len());
        }
        (shared, local) = (&step.after, step.local.as_ref());
    }
    if let NotAllowed::Target { shared: last, .. } = &failure.not_allowed {
        rows.extend(environment_row(study, shared, last));
    }
    if rows.len() == 1 {
        return String::new();
    }
    let column = |idx: usize| {
        rows.iter().map(|row| row[idx].chars().count()).max().unwrap_or(0).min(MAX_STORE_WIDTH)
    };
    let widths = [column(0).max(5), column(1), column(2)];
    let mut out = String::new();
    for (idx, row) in rows.iter().enumerate() {
        if elided_at == Some(idx) {
            out.push_str(&thread_table::elision(failure.steps.len() - shown.len()));
        }
        let line = format!(
            "{:>width$}  {}  {}  {}",
            row[0],
            pad(&clip(&row[1], widths[1]), widths[1]),
            pad(&clip(&row[2], widths[2]), widths[2]),
            row[3],
            width = widths[0]
        );
        out.push_str(clip(&line, style.width).trim_end());
        out.push('\n');
    }
    out
}

/// What the environment did, if anything.
fn environment_row(study: &RefinementStudy<'_>, before: &Store, after: &Store) -> Option<Row> {
    let program = study.question.implementation;
    let change = format!("{} -> {}", shared_name(program, before), shared_name(program, after));
    (before != after).then(|| [String::new(), "-".to_owned(), change, "environment".to_owned()])
}

fn row(study: &RefinementStudy<'_>, local: Option<&Store>, step: &Interaction, idx: usize) -> Row {
    let program = study.question.implementation;
    let before = local.map_or_else(|| "?".to_owned(), |local| local_name(program, local));
    let local = match &step.local {
        Some(after) => arrow(&before, &local_name(program, after)),
        None => format!("{before} ends"),
    };
    let shared = arrow(&shared_name(program, &step.before), &shared_name(program, &step.after));
    [(idx + 1).to_string(), local, shared, plain(&step.label)]
}

fn arrow(before: &str, after: &str) -> String {
    if before == after { before.to_owned() } else { format!("{before} -> {after}") }
}

/// What is wrong at the end of the run.
fn verdict_on_end(study: &RefinementStudy<'_>, failure: &RefinementFailure) -> String {
    let specification = study.question.specification;
    let name = |store: &Store| shared_name(specification, store);
    let allowed = alternatives(failure.allowed.iter().map(name).collect());
    let here = states(study, &failure.specification);
    let at = |shared: &Store| {
        let found = study.question.shared.pairs.iter().find(|pair| pair.0 == *shared);
        found.map_or_else(|| "?".to_owned(), |pair| name(&pair.1))
    };
    let last = failure.steps.last();
    let before = last.map_or_else(String::new, |step| at(&step.before));
    let may_be = format!("the specification's thread may be in {here} then");
    match &failure.not_allowed {
        NotAllowed::Start => {
            format!(
                "the specification starts in shared store {allowed}, not in {}",
                at(&failure.shared)
            )
        }
        NotAllowed::Interaction => format!(
            "where the thread finds shared store {before} and leaves {}, {may_be}, and leaves {allowed}",
            last.map_or_else(String::new, |step| at(&step.after)),
        ),
        NotAllowed::Error(message) => format!(
            "the last step fails (`{}`) in shared store {before}; {may_be}, and has no error there",
            plain(message)
        ),
        NotAllowed::Target { target, slot, shared } => {
            let name = study.question.implementation.targets().get(*target);
            format!(
                "in shared store {} the thread fills slot {} of target `{}`; {may_be}, and none of \
                 these fills it",
                at(shared),
                slot + 1,
                name.map_or_else(String::new, |shape| plain(&shape.name)),
            )
        }
    }
}

/// The run of the specification's threads that ends in an error.
fn error_of_specification(study: &RefinementStudy<'_>, style: &TextStyle) -> String {
    let checked = study.conclusion.and_then(|conclusion| conclusion.specification.as_ref());
    match checked.map(|outcome| &outcome.verdict) {
        Some(Verdict::Violated(Trace::Threads(trace))) => format!(
            "\na run of the specification's threads into an error:\n{}",
            thread_table::render(study.question.specification, trace, style)
        ),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::alternatives;

    #[test]
    fn alternatives_read_as_people_say_them() {
        let names = |names: &[&str]| alternatives(names.iter().map(|n| (*n).to_owned()).collect());
        assert_eq!(names(&[]), "nowhere");
        assert_eq!(names(&["1"]), "1");
        assert_eq!(names(&["1", "2", "3"]), "1, 2 or 3");
    }
}
