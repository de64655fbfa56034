//! In how many ways threads start, for searches that list all starts before the first step.

use model::{Multiplicity, ThreadProgram};

/// Starts of an explicit search, at most: they are listed before the first step.
pub const MAX_STARTS: u64 = 1_000;

/// In how many ways `n_threads` threads start, each on its own; `None`: in too many to count.
pub fn n_starts(program: &dyn ThreadProgram, n_threads: u32) -> Option<u64> {
    let mut n_starts = program.initial_shared().len() as u64;
    let (mut n_fixed, mut n_free) = (0u32, 0u64);
    for template in program.templates() {
        let n_initial = template.initial.len() as u64;
        match template.multiplicity {
            Multiplicity::Any => n_free = n_free.checked_add(n_initial)?,
            Multiplicity::Exactly(n) => {
                n_fixed = n_fixed.checked_add(n)?;
                n_starts = n_starts.checked_mul(n_initial.checked_pow(n)?)?;
            }
        }
    }
    n_starts.checked_mul(n_free.checked_pow(n_threads.saturating_sub(n_fixed))?)
}
