//! Reports every invariant that fails, beyond the one that the verdict shows: one
//! exploration judges all of them.

use engine::explicit::{self, Failure};
use model::{Context, Problem, StateProblem};

/// Invariants that are named; the rest is counted.
const MAX_NAMED: usize = 100;

/// What an evaluation error hides: the step leads nowhere, and the invariant is not
/// judged any further in that state.
const BEHIND_ERRORS: &str = "nothing is claimed about what lies behind an evaluation error: states that \
     only the failed step leads to, and instances of an invariant after the one that has no value";

/// One sentence for each invariant that fails, then how much was searched.
pub fn notes(
    problem: Problem<'_>,
    options: &explicit::SearchOptions,
    context: Context<'_>,
) -> Vec<String> {
    let Problem::States(problem) = problem else {
        return vec![
            "--every-failure is for Murphi models, whose states are searched explicitly".to_owned(),
        ];
    };
    let survey = explicit::survey(&problem, options, 1, context);
    let failures = survey.failures.iter().take(MAX_NAMED);
    let mut notes: Vec<String> = failures.map(|failure| words(&problem, failure)).collect();
    if survey.failures.len() > MAX_NAMED {
        notes.push(format!("… and {} more invariants fail", survey.failures.len() - MAX_NAMED));
    }
    let extent = if survey.stopped.is_some() { "not all states were seen, only" } else { "all" };
    notes.push(format!(
        "{} of {} properties fail in {extent} {} states; {} deadlocks, {} evaluation errors",
        survey.failures.len(),
        problem.system.properties().len(),
        survey.n_states,
        survey.n_deadlocks,
        survey.n_faults
    ));
    if survey.n_faults > 0 {
        notes.push(BEHIND_ERRORS.to_owned());
    }
    notes
}

fn words(problem: &StateProblem<'_>, failure: &Failure) -> String {
    let property = problem.system.properties().get(failure.property as usize);
    let name = property.map_or("?", |property| property.name.as_str());
    let depth = failure.examples.first().map_or(0, |example| example.depth);
    format!("invariant `{name}` fails in {} states, first after {depth} steps", failure.n_states)
}
