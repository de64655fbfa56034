//! A first glance: the search for R_1, R_2, … alone, for a little counted work, in case an
//! error is near.
//!
//! **Answers** `Violated` or nothing. The run has the fewest threads of all that lead one
//! thread into an error, since rounds with fewer threads were complete and had none.
//! It is a shortest one where that is found soon (`shortest.rs`).
//! Programs with targets of several threads are left to others: one of those might be
//! reached with fewer threads than what is found here.
//! **Ends** always: the work is counted, and a round without a new thread state is the last.

use model::{Context, Limits, Outcome, Requirements, ThreadProgram, ThreadTrace, Trace, Verdict};

use super::forward::{Halt, RoundSearch};
use super::lockstep::WorkMeter;
use super::property::ErrorWatch;
use super::shortest;
use super::table::Table;
use super::{CutoffOptions, targets_only};

/// States that are visited: some ten milliseconds.
const GLANCE: u64 = 32_000;

/// An error of `program` that is near, if there is one.
pub fn near_error(program: &dyn ThreadProgram, context: Context<'_>) -> Option<Outcome> {
    let requirements = program.requirements();
    targets_only(requirements).ok()?;
    if !is_about_single_threads(requirements) {
        return None;
    }
    let (run, search) = match first_error(program, false, context) {
        Err(Halt::DrawEarly) => first_error(program, true, context),
        ended => ended,
    }
    .ok()??;
    let statistics = [
        ("threads", run.n_threads() as u64),
        ("thread states", search.reached.n_reached() as u64),
        ("states", u64::from(search.states.n_states())),
    ];
    Some(Outcome {
        verdict: Verdict::Violated(Trace::Threads(*run)),
        engine: "cutoff".to_owned(),
        statistics: statistics.map(|(name, n)| (name.to_owned(), n)).to_vec(),
        notes: Vec::new(),
    })
}

fn is_about_single_threads(requirements: &dyn Requirements) -> bool {
    requirements.targets().iter().all(|shape| shape.slots.iter().sum::<u32>() <= 1)
}

/// A run into the first error, with the search that met it.
type NearError<'p> = Option<(Box<ThreadTrace>, RoundSearch<'p>)>;

fn first_error<'p>(
    program: &'p dyn ThreadProgram,
    is_early: bool,
    context: Context<'_>,
) -> Result<NearError<'p>, Halt> {
    let max_states = CutoffOptions::default().max_states;
    let mut search = RoundSearch::new(Table::new(program), is_early, max_states)?;
    let (mut errors, mut meter) = (ErrorWatch::default(), WorkMeter::alone_for(GLANCE, context));
    let mut ended = search.start(&mut meter);
    loop {
        // What a round has reached before the work was used up is reached.
        if let Some(run) = errors.next(&mut search)? {
            let shorter = shortest_run(&mut search, run.n_threads(), context.limits);
            return Ok(Some((shorter.unwrap_or(run), search)));
        }
        ended?;
        let n_before = search.reached.n_reached();
        let is_first = search.is_first();
        ended = search.advance(&mut meter);
        if search.reached.n_reached() == n_before && !is_first {
            return Ok(None);
        }
    }
}

/// A shortest run with as many threads, if it is found soon.
fn shortest_run(
    search: &mut RoundSearch<'_>,
    n_threads: usize,
    limits: &Limits,
) -> Option<Box<ThreadTrace>> {
    let n_threads = u32::try_from(n_threads).ok()?;
    let within = (&mut search.table, &search.pool);
    shortest::run_into_error(within, n_threads, GLANCE as usize, limits)
}

#[cfg(test)]
mod tests {
    use model::{Context, Limits, Trace, Verdict};

    use super::{GLANCE, near_error};
    use crate::kernel::step_table::scripted::{Line, Scripted};

    fn line(shared: u32, local: u32) -> Line {
        Line { shared, local: Some(local), ..Line::default() }
    }

    /// Threads and steps of the run into a near error.
    fn run_found(program: &Scripted) -> Option<(usize, usize)> {
        let limits = Limits::none();
        let outcome = near_error(program, Context::silent(&limits))?;
        match outcome.verdict {
            Verdict::Violated(Trace::Threads(run)) => Some((run.n_threads(), run.steps.len())),
            other => panic!("a glance proves nothing: {other:?}"),
        }
    }

    #[test]
    fn the_run_has_the_fewest_threads_and_then_the_fewest_steps() {
        // Two threads fail after three steps, or after five by another way; one alone does not.
        let program = Scripted::new(|shared, local| match (shared, local) {
            (0, Some(0)) => vec![line(10, 1), line(1, 1)],
            (10, Some(1)) => vec![line(11, 2)],
            (11, Some(2)) => vec![line(1, 3)],
            (1, Some(0)) => vec![line(2, 4)],
            (2, Some(4)) => vec![Line { is_error: true, ..line(2, 5) }],
            _ => Vec::new(),
        });
        assert_eq!(run_found(&program), Some((2, 3)));
    }

    /// A counter without an end, which any thread advances; threads fail at `error`.
    fn counting(error: u32) -> Scripted {
        Scripted::new(move |shared, local| match local {
            Some(0) if shared == error => vec![Line { is_error: true, ..line(shared, 1) }],
            Some(0) => vec![line(shared + 1, 0)],
            _ => Vec::new(),
        })
    }

    #[test]
    fn a_near_error_is_found_among_endless_stores_for_little_work() {
        let near = counting(100);
        assert_eq!(run_found(&near), Some((1, 101)));
        let far = counting(u32::MAX);
        assert_eq!(run_found(&far), None);
        for program in [near, far] {
            assert!(program.n_asked() as u64 <= 3 * GLANCE, "{}", program.n_asked());
        }
    }

    #[test]
    fn without_anything_new_a_glance_ends() {
        let program = Scripted::new(|shared, local| match (shared, local) {
            (0, Some(0)) => vec![line(0, 1)],
            (0, Some(1)) => vec![line(0, 0)],
            _ => Vec::new(),
        });
        assert_eq!(run_found(&program), None);
        assert!(program.n_asked() < 10, "{}", program.n_asked());
    }
}
