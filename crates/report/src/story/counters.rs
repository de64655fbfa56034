//! Tells the run of a net: which transition fires, and which tokens that moves.

use std::collections::BTreeSet;

use model::{Configuration, CounterId, CounterSystem, CounterTrace, Field};

use super::ledger::Ledger;
use super::{Lane, Rule, SourceMap, Start, Step, Story, Trouble};
use crate::names::{Names, count_text};
use crate::token_table::transition_name;

/// The run.
pub(super) fn tell(system: &CounterSystem, trace: &CounterTrace, places: &SourceMap<'_>) -> Story {
    let names = Names::of_system(system);
    let shown = marked(trace);
    let mut ledger = Ledger::default();
    let start = Start {
        label: "the initial marking".into(),
        place: None,
        changes: ledger.update(0, &values(&names, &shown, &trace.initial)),
        next: Vec::new(),
    };
    let mut steps = Vec::new();
    for step in &trace.steps {
        let transition = system.transitions.get(step.transition.idx());
        steps.push(Step {
            lane: Some(0),
            label: transition_name(system, step),
            place: transition.and_then(|t| t.span).and_then(|span| places.of(span)),
            changes: ledger.update(0, &values(&names, &shown, &step.after)),
            starts: Vec::new(),
            moves: Vec::new(),
            ends: false,
            next: Vec::new(),
        });
    }
    let target = system.targets.get(trace.target);
    let text = target.map_or_else(
        || format!("target {}", trace.target),
        |target| format!("the marking has {}", names.zone(&target.zone)),
    );
    let place = target.and_then(|target| target.span).and_then(|span| places.of(span));
    Story {
        lanes: vec![Lane { name: "Firings".into(), about: String::new(), at_start: true }],
        groups: vec!["Tokens".into()],
        variables: ledger.into_variables(),
        start,
        steps,
        loop_start: None,
        remarks: vec!["Places that are empty all along are not shown.".into()],
        trouble: Trouble::new(Rule::Reachable, text, place),
    }
}

/// The counters that are not zero at some moment.
fn marked(trace: &CounterTrace) -> BTreeSet<CounterId> {
    let moments = std::iter::once(&trace.initial).chain(trace.steps.iter().map(|step| &step.after));
    moments.flat_map(|moment| moment.counts.iter().map(|(counter, _)| *counter)).collect()
}

fn values(names: &Names<'_>, shown: &BTreeSet<CounterId>, marking: &Configuration) -> Vec<Field> {
    let mut fields = Vec::new();
    if names.has_controls() {
        fields.push(Field { name: "control".into(), value: names.control(marking.control) });
    }
    fields.extend(shown.iter().map(|&counter| Field {
        name: names.counter(counter),
        value: count_text(marking.count(counter)),
    }));
    fields
}
