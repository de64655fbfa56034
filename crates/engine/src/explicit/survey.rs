//! Explores everything and says of each property where it fails: for engines that
//! try thousands of candidate invariants on one small instance.

use model::{Context, Ending, StateProblem, StopReason};

use super::SearchOptions;
use super::breadth::{self, Exploration};
use super::expand::SharedSearch;

/// What all reachable states say about all properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// Number of states stored.
    pub n_states: u64,
    /// Why not all of them were seen; `None` when they were.
    pub stopped: Option<StopReason>,
    /// The invariants that fail, by number.
    pub failures: Vec<Failure>,
    /// For each property, whether it is a cover or a goal that some state reaches.
    pub reached: Vec<bool>,
    /// Deadlocks, by the problem's notion.
    pub n_deadlocks: u64,
    /// Evaluations without a value.
    pub n_faults: u64,
    /// The first fault or deadlock, with its state (without one where no initial
    /// state could be computed).
    pub first_error: Option<(Ending, Option<Vec<u64>>)>,
}

/// An invariant that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Its number.
    pub property: u32,
    /// In how many stored states it fails.
    pub n_states: u64,
    /// The first of them, by depth, then by words.
    pub examples: Vec<Example>,
}

/// A state where an invariant fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Steps from an initial state.
    pub depth: u32,
    /// The state; with symmetry, in canonical form.
    pub state: Vec<u64>,
}

/// Explores all states breadth first, whatever order the options say, and gives up
/// to `n_examples` states for each invariant that fails.
pub fn survey(
    problem: &StateProblem<'_>,
    options: &SearchOptions,
    n_examples: usize,
    context: Context<'_>,
) -> Survey {
    let mut search = SharedSearch::new(problem, options, context);
    search.n_examples = Some(n_examples);
    match breadth::explore(&search) {
        Ok(exploration) => summarize(&exploration),
        Err(reason) => Survey {
            n_states: 0,
            stopped: Some(reason),
            failures: Vec::new(),
            reached: vec![false; problem.system.properties().len()],
            n_deadlocks: 0,
            n_faults: 0,
            first_error: None,
        },
    }
}

fn summarize(exploration: &Exploration<'_>) -> Survey {
    let record = &exploration.record;
    let left_out = exploration.omissions().none_or_stop().err();
    let failing = record.failures.iter().enumerate().filter(|(_, failures)| failures.n_states > 0);
    let failures = failing.map(|(number, failures)| Failure {
        property: number as u32,
        n_states: failures.n_states,
        examples: failures
            .examples
            .iter()
            .map(|(depth, state)| Example { depth: *depth, state: state.clone() })
            .collect(),
    });
    let has_state = |ending: &Ending| {
        !matches!(ending, Ending::Fault { place: model::FaultPlace::Start(_), .. })
    };
    Survey {
        n_states: exploration.search.n_stored.load(std::sync::atomic::Ordering::Relaxed),
        stopped: exploration.stopped.clone().or(left_out),
        failures: failures.collect(),
        reached: record.reached.clone(),
        n_deadlocks: record.n_deadlocks,
        n_faults: record.n_faults,
        first_error: record.best.as_ref().map(|finding| {
            let state = has_state(&finding.ending).then(|| finding.state.clone());
            (finding.ending.clone(), state)
        }),
    }
}
