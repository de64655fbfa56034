//! Chooses what is forgotten of a program for any number of threads: looks at its first
//! stores, and forgets what makes them many, until they are few or nothing is left to forget.
//!
//! Whoever wants to know looks at the stores, by a search that front ends do not know
//! ([`Scout`]). Everything is counted work, so that the choice is the same on every machine,
//! and a saved result is re-checked for the same variant.

use model::{FirstStores, ThreadProgram};

use super::Compiled;
use crate::forgotten::Forgotten;
use crate::machine::Granularity;
use crate::program::{CProgram, NoProgram};

/// Views that are looked at: few, where a variable may stand out already, then more.
const FEW_VIEWS: usize = 300;
const MANY_VIEWS: usize = 4_000;

/// Values of a variable that stands out among few views.
const STANDS_OUT: usize = 24;

/// Times that stores are looked at.
const MAX_ROUNDS: usize = 24;

/// How any number of threads are looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crowd {
    /// Is every value held as it is? Then nothing is forgotten, and no value is anything.
    pub is_exact: bool,
    /// The variables of which nothing is held.
    pub forgotten: Forgotten,
    /// Those of them that hold handles of threads and nothing else.
    pub handles: Forgotten,
}

/// Looks at so many views of a program; `None` if that is not possible.
pub type Scout<'a> = &'a dyn Fn(&dyn ThreadProgram, usize) -> Option<FirstStores>;

impl Crowd {
    /// What to forget of a program.
    ///
    /// # Errors
    /// Why there is no program.
    pub fn choose(compiled: &Compiled<'_>, scout: Scout<'_>) -> Result<Crowd, NoProgram> {
        let exact = Crowd { is_exact: true, ..Crowd::default() };
        let program = compiled.crowd(&exact, Granularity::Synchronisations)?;
        let has_few = |first: &FirstStores| first.is_complete && !first.has_gaps;
        if scout(&program, FEW_VIEWS).is_some_and(|first| has_few(&first)) {
            return Ok(exact);
        }
        let mut crowd = Crowd::default();
        for _ in 0..MAX_ROUNDS {
            let program = compiled.crowd(&crowd, Granularity::Synchronisations)?;
            let can_forget = program.options().forgotten == crowd.forgotten;
            if !can_forget || !crowd.forget_more(&program, scout) {
                break;
            }
        }
        Ok(crowd)
    }

    /// The same with all that threads share from the start.
    #[must_use]
    pub fn of_threads(&self) -> Crowd {
        Crowd { forgotten: self.forgotten.of_threads(), ..self.clone() }
    }

    /// Forgets what differs most in the first stores; false if these are all, or nothing is
    /// left.
    fn forget_more(&mut self, program: &CProgram, scout: Scout<'_>) -> bool {
        for (n_views, least) in [(FEW_VIEWS, STANDS_OUT), (MANY_VIEWS, 0)] {
            let Some(first) = scout(program, n_views).filter(|first| !first.is_complete) else {
                return false;
            };
            let mut is_new = false;
            for varied in program.most_varied(&first.shared, &first.local, least) {
                is_new |= self.forgotten.add(varied.variable);
                if varied.holds_handles_alone {
                    self.handles.add(varied.variable);
                }
            }
            if is_new {
                return true;
            }
        }
        false
    }
}
