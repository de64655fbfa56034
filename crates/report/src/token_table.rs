//! A run of a net as a table: which transition fires, and what it changes.

use model::{Configuration, CounterId, CounterStep, CounterSystem, CounterTrace};

use crate::layout::{clip, item_list, pad, plain};
use crate::names::{Names, count_text};
use crate::text::TextStyle;
use crate::thread_table::{elision, shown_steps};

/// The widest column of transition names.
const MAX_NAME_WIDTH: usize = 32;

/// The table, with an empty line before it.
pub(crate) fn render(system: &CounterSystem, trace: &CounterTrace, style: &TextStyle) -> String {
    let names = Names::of_system(system);
    let shown = shown_steps(trace.steps.len(), style.full_trace);
    let name_width = shown
        .iter()
        .filter_map(|&idx| Some(transition_name(system, trace.steps.get(idx)?).chars().count()))
        .chain(["transition".len()])
        .max()
        .unwrap_or(0)
        .min(MAX_NAME_WIDTH);
    let mut out = String::from("\n");
    out.push_str(&item_list("start  ", 7, &names.configuration(&trace.initial), style.width));
    if !shown.is_empty() {
        out.push_str(&format!(" step  {}  change\n", pad("transition", name_width)));
    }
    let mut next = 0;
    for idx in shown {
        if idx != next {
            out.push_str(&elision(idx - next));
        }
        next = idx + 1;
        let Some(step) = trace.steps.get(idx) else { continue };
        let before = match idx.checked_sub(1) {
            Some(previous) => &trace.steps[previous].after,
            None => &trace.initial,
        };
        let name = pad(&clip(&transition_name(system, step), name_width), name_width);
        let first = format!("{:>5}  {name}  ", idx + 1);
        let indent = name_width + 9;
        out.push_str(&item_list(&first, indent, &change(&names, before, step), style.width));
    }
    let last = trace.steps.last().map_or(&trace.initial, |step| &step.after);
    out.push_str(&item_list("end    ", 7, &names.configuration(last), style.width));
    if let Some(target) = system.targets.get(trace.target) {
        out.push_str(&item_list("error  ", 7, &names.zone(&target.zone), style.width));
    }
    out
}

/// What a firing is called.
pub(crate) fn transition_name(system: &CounterSystem, step: &CounterStep) -> String {
    match system.transitions.get(step.transition.idx()) {
        Some(transition) => plain(&transition.name),
        None => format!("?{}", step.transition.0),
    }
}

/// `idle 3 -> 2, busy 0 -> 1`.
pub(crate) fn change(names: &Names<'_>, before: &Configuration, step: &CounterStep) -> String {
    let mut parts = Vec::new();
    if before.control != step.after.control {
        let (from, to) = (names.control(before.control), names.control(step.after.control));
        parts.push(format!("{from} -> {to}"));
    }
    let mut counters: Vec<CounterId> =
        before.counts.iter().chain(&step.after.counts).map(|(counter, _)| *counter).collect();
    counters.sort_unstable();
    counters.dedup();
    for counter in counters {
        let (old, new) = (before.count(counter), step.after.count(counter));
        if old != new {
            let (old, new) = (count_text(old), count_text(new));
            parts.push(format!("{} {old} -> {new}", names.counter(counter)));
        }
    }
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}
