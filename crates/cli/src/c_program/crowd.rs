//! Chooses what is forgotten of a C program for any number of threads: looks at its first
//! stores, and forgets what makes them many, until they are few or nothing is left to forget.
//!
//! Everything is counted work, so that the choice is the same on every machine, and `replay`
//! comes to the same variant as `check`.

use llvm::code::Code;
use llvm::machine::Granularity;
use llvm::{CProgram, Compiled, Crowd, NoProgram};
use model::{Context, Limits};

/// Views that are looked at each time.
const MAX_VIEWS: usize = 3_000;

/// Times that stores are looked at.
const MAX_ROUNDS: usize = 16;

/// May a program create a thread more than once, by the look of its code?
pub fn creates_in_loops(code: &Code) -> bool {
    code.creates_threads_in_loops()
}

/// What to forget.
///
/// # Errors
/// Why there is no program.
pub fn choose(compiled: &Compiled<'_>) -> Result<Crowd, NoProgram> {
    let mut crowd = Crowd::default();
    for _ in 0..MAX_ROUNDS {
        let program = compiled.crowd(&crowd.forgotten, Granularity::Synchronisations)?;
        if program.options().forgotten != crowd.forgotten || !forget_more(&program, &mut crowd) {
            break;
        }
    }
    Ok(crowd)
}

/// Forgets what differs most in the first stores; false if these are all, or nothing is left.
fn forget_more(program: &CProgram, crowd: &mut Crowd) -> bool {
    let limits = Limits::none();
    let context = Context::silent(&limits);
    let Ok(scouted) = engine::thread_modular::scout(program, MAX_VIEWS, context) else {
        return false;
    };
    if scouted.is_complete {
        return false;
    }
    let more = program.most_varied(&scouted.shared, &scouted.local);
    let mut is_new = false;
    for varied in more {
        is_new |= crowd.forgotten.add(varied.variable);
        if varied.holds_handles_alone {
            crowd.handles.add(varied.variable);
        }
    }
    is_new
}
