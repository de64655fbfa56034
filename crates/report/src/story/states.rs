//! Tells the run of a transition system: which rule fires, for whom, and what it changes.
//!
//! Rules have no threads. Where the first parameters of the rules take few values, each
//! value gets a lane: in most models it is the node or the processor that acts.

use std::collections::BTreeMap;

use model::{Choice, ChoiceLabel, Ending, FaultPlace, Span, StateProblem, StateTrace};

use super::ledger::Ledger;
use super::{Lane, SourceMap, Start, Step, Story, Trouble};
use crate::layout::plain;
use crate::state_table::{described, ending_words};

/// With more lanes than this, one lane shows all steps.
const MAX_LANES: usize = 8;

/// The run.
pub(super) fn tell(
    problem: &StateProblem<'_>,
    trace: &StateTrace,
    places: &SourceMap<'_>,
) -> Story {
    let system = problem.system;
    let place = |span: Option<Span>| span.and_then(|span| places.of(span));
    let mut ledger = Ledger::default();
    let start = match &trace.start {
        Some(start) => {
            let label = system.choice_label(start.choice, true);
            Start {
                label: plain(&label.with_parameters()),
                place: place(label.span),
                changes: ledger.update(0, &described(system, &start.state)),
                next: Vec::new(),
            }
        }
        None => Start {
            label: match trace.ending {
                Ending::Uncovered(_) => "no run shows what never happens".into(),
                _ => "no state is reached".into(),
            },
            place: None,
            changes: Vec::new(),
            next: Vec::new(),
        },
    };
    let labels: Vec<ChoiceLabel> =
        trace.steps.iter().map(|step| system.choice_label(step.choice, false)).collect();
    let (lanes, lane_of) = lanes(&labels);
    let mut steps = Vec::new();
    for ((step, label), lane) in trace.steps.iter().zip(&labels).zip(lane_of) {
        steps.push(Step {
            lane: Some(lane),
            label: plain(&label.with_parameters()),
            place: place(label.span),
            changes: ledger.update(0, &described(system, &step.state)),
            starts: Vec::new(),
            moves: Vec::new(),
            ends: false,
            next: Vec::new(),
        });
    }
    let loop_start = match trace.ending {
        Ending::Lasso { loop_start } => Some(loop_start),
        _ => None,
    };
    let text = ending_words(problem, &trace.ending);
    Story {
        lanes,
        groups: vec!["Variables".into()],
        variables: ledger.into_variables(),
        start,
        steps,
        loop_start,
        remarks: Vec::new(),
        trouble: Trouble::new(trace.ending.rule(), text, place(span_of(problem, &trace.ending))),
    }
}

fn span_of(problem: &StateProblem<'_>, ending: &Ending) -> Option<Span> {
    let system = problem.system;
    let property = |idx: u32| system.properties().get(idx as usize)?.span;
    let rule = |choice: Choice, initial| system.choice_label(choice, initial).span;
    match ending {
        Ending::Invariant(idx) | Ending::Stranded(idx) | Ending::Uncovered(idx) => property(*idx),
        Ending::Fault { place, fault } => fault.span.or_else(|| match place {
            FaultPlace::Start(choice) => rule(*choice, true),
            FaultPlace::Step(choice) => rule(*choice, false),
            FaultPlace::Property(idx) => property(*idx),
            FaultPlace::Proposition => None,
        }),
        Ending::Deadlock(_) | Ending::Lasso { .. } => None,
    }
}

/// The lanes, and the lane of each step.
fn lanes(labels: &[ChoiceLabel]) -> (Vec<Lane>, Vec<usize>) {
    // `None`, the lane of rules without parameters, comes first.
    let actor = |label: &ChoiceLabel| {
        let first = label.parameters.first()?;
        let is_number = first.value.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        let name = if is_number { format!("{} = ", first.name) } else { String::new() };
        Some((name, first.value.chars().count(), first.value.clone()))
    };
    let mut numbers: BTreeMap<_, usize> = labels.iter().map(|label| (actor(label), 0)).collect();
    if numbers.len() > MAX_LANES || numbers.keys().all(Option::is_none) {
        let lane = Lane { name: "Rules".into(), about: String::new(), at_start: true };
        return (vec![lane], vec![0; labels.len()]);
    }
    let mut lanes = Vec::new();
    for (actor, number) in &mut numbers {
        *number = lanes.len();
        let name = match actor {
            Some((name, _, value)) => plain(&format!("{name}{value}")),
            None => "All".to_owned(),
        };
        lanes.push(Lane { name, about: String::new(), at_start: true });
    }
    let lane_of = labels.iter().map(|label| numbers[&actor(label)]).collect();
    (lanes, lane_of)
}
