//! The program's errors, as far as one thread state tells: a step that is an error, or a
//! target that one thread is enough for.

use model::{StopReason, ThreadTrace, Violation};

use super::forward::RoundSearch;
use super::leap::with_step;
use super::reached::First;
use super::table::{ENDED, Table};

/// What is wrong with a thread state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// It fits this target.
    Target(usize),
    /// This step of the thread is an error.
    Step(u32),
    /// This step of the environment is one.
    EnvironmentStep(u32),
}

/// Which of the thread states that a search has reached were checked for errors.
#[derive(Default)]
pub struct ErrorWatch {
    n_checked: usize,
}

impl ErrorWatch {
    /// A run into an error among the thread states that were reached since the last time.
    ///
    /// # Errors
    /// The program cannot say what a thread does.
    pub fn next(
        &mut self,
        search: &mut RoundSearch<'_>,
    ) -> Result<Option<Box<ThreadTrace>>, StopReason> {
        while let Some(&first) = search.reached.all().get(self.n_checked) {
            self.n_checked += 1;
            if let Some(error) = error_in(&mut search.table, &first)? {
                let run = search.run_to(&first)?;
                return run_into(error, run, (&search.table, &first)).map(Some);
            }
        }
        Ok(None)
    }
}

/// The error that a thread state is, if it is one.
///
/// # Errors
/// The program cannot say what a thread does.
pub fn error_in(table: &mut Table<'_>, at: &First) -> Result<Option<Error>, StopReason> {
    let answer = table.known(at.shared, at.local)?;
    if let Some(idx) = table.error(answer) {
        return Ok(Some(Error::Step(idx)));
    }
    let answer = table.known(at.shared, ENDED)?;
    if let Some(idx) = table.error(answer) {
        return Ok(Some(Error::EnvironmentStep(idx)));
    }
    Ok(target_of(table, at).map(Error::Target))
}

/// The target that a thread state fits with no other thread.
fn target_of(table: &Table<'_>, at: &First) -> Option<usize> {
    let (shared, local) = (table.shared(at.shared).bytes(), table.local(at.local).bytes());
    let requirements = table.program().requirements();
    requirements.targets().iter().enumerate().position(|(target, shape)| {
        let fits = match shape.slots[..] {
            [] => true,
            [1] => requirements.target_local(target, 0, shared, local),
            _ => false,
        };
        fits && requirements.target_shared(target, shared)
    })
}

/// `run`, after which a thread is in `at`, as a run into `error`.
///
/// # Errors
/// There is no such step: a mistake of ours.
pub fn run_into(
    error: Error,
    mut run: ThreadTrace,
    (table, at): (&Table<'_>, &First),
) -> Result<Box<ThreadTrace>, StopReason> {
    let (active, idx) = match error {
        Error::Target(target) => {
            run.violation = Violation::Target(target);
            return Ok(Box::new(run));
        }
        Error::Step(idx) => (Some(table.local(at.local)), idx),
        Error::EnvironmentStep(idx) => (None, idx),
    };
    let longer = with_step(table.program(), &run, (active, idx), None);
    longer.map(Box::new).ok_or_else(|| super::odd("a step that is an error is missing"))
}
