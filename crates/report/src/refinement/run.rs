//! A run of one thread that is not allowed, as a table, and what would be allowed at its end.

use model::{Interaction, NotAllowed, RefinementFailure, Store};

use super::ComparedPair;
use crate::layout::{clip, pad, paragraph, plain};
use crate::names::{local_name, shared_name};
use crate::text::TextStyle;
use crate::thread_table;

/// The widest column of stores.
const MAX_STORE_WIDTH: usize = 28;

/// The run that is not allowed, and what would be.
pub(super) fn render(
    pair: &ComparedPair<'_>,
    failure: &RefinementFailure,
    style: &TextStyle,
) -> String {
    let narrator = pair.question.implementation.narrator();
    let mut out = format!(
        "\nstart  shared {}, local {}\n",
        shared_name(narrator, &failure.shared),
        local_name(narrator, &failure.local)
    );
    out.push_str(&table(pair, failure, style));
    out.push_str(&paragraph("error  ", 7, &verdict_on_end(pair, failure), style.width));
    out
}

pub(super) fn states(pair: &ComparedPair<'_>, states: &[Option<Store>]) -> String {
    let name = |state: &Option<Store>| match state {
        Some(local) => local_name(pair.question.specification.narrator(), local),
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

/// One line of the table: a step, or a change by the environment.
type RefinementRow = [String; 4];

fn table(pair: &ComparedPair<'_>, failure: &RefinementFailure, style: &TextStyle) -> String {
    let mut rows: Vec<RefinementRow> =
        vec![["step", "local", "shared", "transition"].map(str::to_owned)];
    let (mut shared, mut local) = (&failure.shared, Some(&failure.local));
    let shown = thread_table::shown_steps(failure.steps.len(), style.full_trace);
    let mut elided_at = None;
    for (idx, step) in failure.steps.iter().enumerate() {
        if shown.contains(&idx) {
            rows.extend(environment_row(pair, shared, &step.before));
            rows.push(row(pair, local, step, idx));
        } else {
            elided_at.get_or_insert(rows.len());
        }
        (shared, local) = (&step.after, step.local.as_ref());
    }
    if let NotAllowed::Target { shared: last, .. } = &failure.not_allowed {
        rows.extend(environment_row(pair, shared, last));
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
fn environment_row(
    pair: &ComparedPair<'_>,
    before: &Store,
    after: &Store,
) -> Option<RefinementRow> {
    let narrator = pair.question.implementation.narrator();
    let change = format!("{} -> {}", shared_name(narrator, before), shared_name(narrator, after));
    (before != after).then(|| [String::new(), "-".to_owned(), change, "environment".to_owned()])
}

fn row(
    pair: &ComparedPair<'_>,
    local: Option<&Store>,
    step: &Interaction,
    idx: usize,
) -> RefinementRow {
    let narrator = pair.question.implementation.narrator();
    let before = local.map_or_else(|| "?".to_owned(), |local| local_name(narrator, local));
    let local = match &step.local {
        Some(after) => arrow(&before, &local_name(narrator, after)),
        None => format!("{before} ends"),
    };
    let shared = arrow(&shared_name(narrator, &step.before), &shared_name(narrator, &step.after));
    [(idx + 1).to_string(), local, shared, plain(&step.label)]
}

fn arrow(before: &str, after: &str) -> String {
    if before == after { before.to_owned() } else { format!("{before} -> {after}") }
}

/// What is wrong at the end of the run.
fn verdict_on_end(pair: &ComparedPair<'_>, failure: &RefinementFailure) -> String {
    let narrator = pair.question.specification.narrator();
    let name = |store: &Store| shared_name(narrator, store);
    let allowed = alternatives(failure.allowed.iter().map(name).collect());
    let here = states(pair, &failure.specification);
    let at = |shared: &Store| {
        let found = pair.question.shared.pairs.iter().find(|pair| pair.0 == *shared);
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
        NotAllowed::Error(error) => format!(
            "the last step fails (`{}`) in shared store {before}; {may_be}, and has no error there",
            plain(&error.message)
        ),
        NotAllowed::Target { target, slot, shared } => {
            let name = pair.question.implementation.requirements().targets().get(*target);
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
