//! A run of threads as a table: which thread moves, from where to where, and what
//! that does to the shared store and to the others.

use model::{Narrator, Requirements, Store, ThreadProgram, ThreadStep, ThreadTrace, Violation};

use crate::layout::{clip, counted, item_list, pad, paragraph, plain};
use crate::names::{local_name, local_name_in, shared_name};
use crate::text::TextStyle;
use crate::thread_error;
use crate::thread_state::GlobalState;

/// Traces with more steps are shortened in the middle unless asked otherwise.
const MAX_STEPS: usize = 200;
/// Steps shown at each end of a shortened trace.
const STEPS_AT_EACH_END: usize = 60;
/// Groups of threads listed in a state; the rest is counted.
const MAX_GROUPS: usize = 16;
/// The widest column of stores.
const MAX_STORE_WIDTH: usize = 28;
/// Larger targets are not matched to threads: reading the list would not help.
const MAX_MATCHED_THREADS: usize = 256;

/// The table, with an empty line before it, and what is wrong at its end.
pub(crate) fn render(
    program: &dyn ThreadProgram,
    trace: &ThreadTrace,
    style: &TextStyle,
) -> String {
    let mut out = format!("\n{}", render_run(program, trace, style));
    for (idx, line) in error_words(program, trace).iter().enumerate() {
        let first = if idx == 0 { "error  " } else { "         " };
        out.push_str(&paragraph(first, first.len() + 2 * usize::from(idx > 0), line, style.width));
    }
    out
}

/// The table of a run that nothing is wrong with.
pub(crate) fn render_run(
    program: &dyn ThreadProgram,
    trace: &ThreadTrace,
    style: &TextStyle,
) -> String {
    let mut state = GlobalState::first(trace);
    let mut out = item_list("start  ", 7, &words(program.narrator(), &state), style.width);
    let shown = shown_steps(trace.steps.len(), style.full_trace);
    let mut rows = vec![heading()];
    let mut shown_next = shown.iter().copied().peekable();
    let mut left_out = Vec::new();
    for (idx, step) in trace.steps.iter().enumerate() {
        let is_shown = shown_next.next_if_eq(&idx).is_some();
        if is_shown {
            rows.push(row(program.narrator(), &state, step, idx));
        } else if idx > 0 && shown.contains(&(idx - 1)) {
            left_out.push(rows.len());
        }
        state.take(step);
    }
    if !trace.steps.is_empty() {
        let n_hidden = trace.steps.len() - shown.len();
        out.push_str(&table(&rows, &left_out, n_hidden, style.width));
    }
    out.push_str(&item_list("end    ", 7, &words(program.narrator(), &state), style.width));
    out
}

/// One line about a step: `T0: 1 -> 2, shared 0 -> 1 by lock`, for JSON.
pub(crate) fn step_lines(program: &dyn ThreadProgram, trace: &ThreadTrace) -> Vec<String> {
    let mut state = GlobalState::first(trace);
    let mut lines = Vec::new();
    for (idx, step) in trace.steps.iter().enumerate() {
        let [_, thread, local, shared, label] = row(program.narrator(), &state, step, idx);
        lines.push(format!("{thread}: {local}, shared {shared}: {label}"));
        state.take(step);
    }
    lines
}

/// The last state and what is wrong with it, for JSON.
pub(crate) fn error_line(program: &dyn ThreadProgram, trace: &ThreadTrace) -> String {
    let words = error_words(program, trace);
    let (first, rest) = words.split_first().expect("there is something to say");
    if rest.is_empty() { first.clone() } else { format!("{first} {}", rest.join("; ")) }
}

/// Which steps a table shows.
pub(crate) fn shown_steps(n_steps: usize, all: bool) -> Vec<usize> {
    if all || n_steps <= MAX_STEPS {
        return (0..n_steps).collect();
    }
    (0..STEPS_AT_EACH_END).chain(n_steps - STEPS_AT_EACH_END..n_steps).collect()
}

/// The line that stands for steps that are not shown.
pub(crate) fn elision(n_steps: usize) -> String {
    format!("       … {} left out; --full-trace shows them\n", counted(n_steps, "step"))
}

type Row = [String; 5];

fn heading() -> Row {
    ["step", "thread", "local", "shared", "transition"].map(str::to_owned)
}

fn row(narrator: &dyn Narrator, state: &GlobalState, step: &ThreadStep, idx: usize) -> Row {
    let thread = step.thread.map_or_else(|| "-".to_owned(), |thread| format!("T{thread}"));
    let before = step.thread.and_then(|thread| state.local(thread));
    let local = match (before, &step.local) {
        (Some(before), Some(after)) => {
            let before = local_name_in(narrator, &state.shared, before);
            arrow(&before, &local_name_in(narrator, &step.shared, after))
        }
        (Some(before), None) => format!("{} ends", local_name_in(narrator, &state.shared, before)),
        (None, _) => "-".to_owned(),
    };
    let change = narrator.describe_change(state.shared.bytes(), step.shared.bytes());
    let shared = change.unwrap_or_else(|| {
        arrow(&shared_name(narrator, &state.shared), &shared_name(narrator, &step.shared))
    });
    let mut label = plain(&step.label);
    for (offset, store) in step.spawned.iter().enumerate() {
        let number = state.locals.len() + offset;
        let name = local_name_in(narrator, &step.shared, store);
        label.push_str(&format!("; starts T{number} in {name}"));
    }
    for moved in &step.passive {
        let before =
            state.local(moved.thread).map_or_else(|| "?".to_owned(), |s| local_name(narrator, s));
        let words = arrow(&before, &local_name(narrator, &moved.local));
        label.push_str(&format!("; T{} {words}", moved.thread));
    }
    [(idx + 1).to_string(), thread, local, shared, label]
}

fn arrow(before: &str, after: &str) -> String {
    if before == after { before.to_owned() } else { format!("{before} -> {after}") }
}

fn table(rows: &[Row], left_out: &[usize], n_hidden: usize, width: usize) -> String {
    let column = |idx: usize| {
        rows.iter().map(|row| row[idx].chars().count()).max().unwrap_or(0).min(MAX_STORE_WIDTH)
    };
    let widths = [column(0).max(5), column(1), column(2), column(3)];
    let indent = widths.iter().sum::<usize>() + 8;
    let mut out = String::new();
    for (idx, row) in rows.iter().enumerate() {
        if left_out.contains(&idx) {
            out.push_str(&elision(n_hidden));
        }
        let mut first = format!("{:>1$}  ", row[0], widths[0]);
        for (cell, width) in row[1..4].iter().zip(&widths[1..]) {
            first.push_str(&pad(&clip(cell, *width), *width));
            first.push_str("  ");
        }
        out.push_str(&paragraph(&first, indent, &row[4], width.max(indent + 20)));
    }
    out
}

/// `shared 0; T0-T2 in 1, T3 ended`.
fn words(narrator: &dyn Narrator, state: &GlobalState) -> String {
    let mut groups: Vec<(usize, usize, &Option<Store>)> = Vec::new();
    for (idx, local) in state.locals.iter().enumerate() {
        match groups.last_mut() {
            Some((_, last, same)) if *same == local => *last = idx,
            _ => groups.push((idx, idx, local)),
        }
    }
    let mut words: Vec<String> = groups
        .iter()
        .take(MAX_GROUPS)
        .map(|(first, last, local)| {
            let who = if first == last { format!("T{first}") } else { format!("T{first}-T{last}") };
            match local {
                Some(store) => {
                    format!("{who} in {}", local_name_in(narrator, &state.shared, store))
                }
                None => format!("{who} ended"),
            }
        })
        .collect();
    if groups.len() > MAX_GROUPS {
        words.push(format!("… and {} more", groups.len() - MAX_GROUPS));
    }
    let who = if words.is_empty() { "thread" } else { "other thread" };
    words.extend(state.bystanders.iter().take(MAX_GROUPS).map(|(store, count)| {
        format!("{} in {}", counted(*count, who), local_name_in(narrator, &state.shared, store))
    }));
    if state.bystanders.len() > MAX_GROUPS {
        words.push("… and others elsewhere".to_owned());
    }
    let threads = if words.is_empty() { "no thread".to_owned() } else { words.join(", ") };
    format!("shared {}; {threads}", shared_name(narrator, &state.shared))
}

/// What is wrong with the last state: a line, or a heading and a line for each part.
fn error_words(program: &dyn ThreadProgram, trace: &ThreadTrace) -> Vec<String> {
    let words = match &trace.violation {
        Violation::Step(error) => {
            thread_error::race(program, trace).unwrap_or_else(|| vec![error.message.clone()])
        }
        Violation::Deadlock => thread_error::deadlock(program, trace),
        Violation::Race => {
            thread_error::race(program, trace).unwrap_or_else(|| vec!["data race".to_owned()])
        }
        Violation::Lasso { loop_start } => vec![lasso_words(trace, *loop_start)],
        Violation::Target(target) => vec![target_words(program, trace, *target)],
    };
    words.iter().map(|line| plain(line)).collect()
}

fn lasso_words(trace: &ThreadTrace, loop_start: usize) -> String {
    match loop_start == trace.steps.len() {
        true => "the run ends here, its last state stays for ever, and the formula is violated"
            .to_owned(),
        false => format!(
            "from here on, the steps from {} on repeat for ever; the run violates the formula",
            loop_start + 1
        ),
    }
}

fn target_words(program: &dyn ThreadProgram, trace: &ThreadTrace, target: usize) -> String {
    let requirements = program.requirements();
    let Some(shape) = requirements.targets().get(target) else {
        return format!("target {target}");
    };
    let state = GlobalState::last(trace);
    let n_numbered = state.locals.len();
    match fillers(requirements, target, &shape.slots, state) {
        Some(threads) if !threads.is_empty() => {
            let numbered = threads.iter().filter(|thread| **thread < n_numbered);
            let mut list: Vec<String> = numbered.map(|thread| format!("T{thread}")).collect();
            let n_others = threads.len() - list.len();
            list.extend((n_others > 0).then(|| counted(n_others, "other thread")));
            format!("{}, by {}", shape.name, list.join(", "))
        }
        _ => shape.name.clone(),
    }
}

/// Distinct threads that fill the slots of a target, by augmenting paths; bystanders get
/// the numbers behind those of the others.
fn fillers(
    requirements: &dyn Requirements,
    target: usize,
    slots: &[u32],
    mut state: GlobalState,
) -> Option<Vec<usize>> {
    let n_needed: u64 = slots.iter().map(|&n| u64::from(n)).sum();
    if n_needed > MAX_MATCHED_THREADS as u64 {
        return None;
    }
    for (local, count) in &state.bystanders {
        let enough = (*count).min(n_needed as usize);
        state.locals.extend(std::iter::repeat_n(Some(local.clone()), enough));
    }
    let places: Vec<usize> =
        slots.iter().enumerate().flat_map(|(slot, &n)| vec![slot; n as usize]).collect();
    let fits = |place: usize, thread: usize| {
        state.locals[thread].as_ref().is_some_and(|local| {
            requirements.target_local(target, places[place], state.shared.bytes(), local.bytes())
        })
    };
    let mut holder: Vec<Option<usize>> = vec![None; state.locals.len()];
    for place in 0..places.len() {
        augment(place, &mut holder, &fits)?;
    }
    Some((0..holder.len()).filter(|&thread| holder[thread].is_some()).collect())
}

/// Finds a thread for `start`, moving earlier choices along a path if it must.
fn augment(
    start: usize,
    holder: &mut [Option<usize>],
    fits: &impl Fn(usize, usize) -> bool,
) -> Option<()> {
    let mut reached_from: Vec<Option<usize>> = vec![None; holder.len()];
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(place) = queue.pop_front() {
        for thread in 0..holder.len() {
            if reached_from[thread].is_some() || !fits(place, thread) {
                continue;
            }
            reached_from[thread] = Some(place);
            match holder[thread] {
                Some(other) => queue.push_back(other),
                None => {
                    shift(thread, start, holder, &reached_from);
                    return Some(());
                }
            }
        }
    }
    None
}

fn shift(free: usize, start: usize, holder: &mut [Option<usize>], reached_from: &[Option<usize>]) {
    let mut thread = free;
    while let Some(place) = reached_from[thread] {
        let previous = holder.iter().position(|held| *held == Some(place));
        holder[thread] = Some(place);
        match previous {
            Some(next) if place != start => thread = next,
            _ => return,
        }
    }
}
