//! A thread program as a counter system, discovered rather than enumerated.
//!
//! Shared stores become control states, local stores become counters, and the steps of the
//! thread states that may occur (`kernel::thread_states`) become transitions (`build.rs`);
//! so nothing reachable is missing from the result. `targets.rs` says which configurations
//! are errors.
//!
//! **Ends** when the program has finitely many stores; otherwise at the limits.

mod build;
pub mod effect;
mod targets;

use model::{
    Bounds, CounterId, CounterSystem, InitialZone, Limits, Multiplicity, StopReason, Store,
    ThreadCount, ThreadProgram,
};

use super::initial;
use crate::kernel::thread_states::ThreadStates;

/// A lowered program: the counter system, and what its indices stand for.
pub struct Lowered {
    /// The counter system. Its control states are `shared`, then some that no
    /// shared store stands for: "a step was an error", and states halfway through
    /// a broadcast.
    pub system: CounterSystem,
    /// Shared stores, by control state.
    pub shared: Vec<Store>,
    /// Local stores, by counter.
    pub local: Vec<Store>,
    /// What is behind each transition.
    pub origins: Vec<TransitionOrigin>,
    /// How many threads each transition creates.
    pub n_created: Vec<u32>,
    /// The target of the program behind each target of the system (`None`: the
    /// error of a step).
    pub target_origins: Vec<Option<usize>>,
    /// Why there may be more steps than these, in some thread state that was visited.
    pub gap: Option<String>,
}

/// What becomes of thread states of which the program does not know all steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gaps {
    /// The steps that are known are taken: errors are found, but nothing is proven.
    Passed,
    /// To come to such a thread state is an error.
    Forbidden,
}

/// What is behind a transition of a lowered program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransitionOrigin {
    /// A step of the program.
    Step {
        /// The local store of the thread that takes it; `None`: the environment.
        active: Option<CounterId>,
        /// Its position in the program's answer.
        step_idx: usize,
    },
    /// The first half of the step that the next transition completes.
    FirstHalf,
}

/// Lowers `program` for the question of `threads` threads.
///
/// # Errors
/// When a limit is reached, or no run has that many threads.
pub fn lower(
    program: &dyn ThreadProgram,
    threads: ThreadCount,
    gaps: Gaps,
    limits: &Limits,
) -> Result<Lowered, StopReason> {
    let mut states = ThreadStates::new(program);
    let initial = start(&mut states, threads)?;
    states.close(usize::MAX, limits)?;
    Ok(build::build(states, initial, gaps))
}

/// The counter system of thread states that are closed, with the start that [`start`] gave;
/// gaps are passed.
pub fn finish(states: ThreadStates<'_>, initial: Vec<InitialZone>) -> Lowered {
    build::build(states, initial, Gaps::Passed)
}

/// Are the thread states of `program` that may occur at most `max`? Stops looking as soon
/// as it is clear that they are more.
///
/// # Errors
/// When a limit is reached, or no run has that many threads.
pub fn has_at_most(
    max: usize,
    program: &dyn ThreadProgram,
    threads: ThreadCount,
    limits: &Limits,
) -> Result<bool, StopReason> {
    let mut states = ThreadStates::new(program);
    start(&mut states, threads)?;
    states.close(max, limits)?;
    Ok(states.n_visited() <= max)
}

/// Lowers what `program` can do in these thread states, for any number of threads.
///
/// They must be closed under the steps of the thread that steps, and contain the
/// initial ones. What becomes of other threads is not followed: the counter system can
/// leave the thread states given, and whoever uses it must know what that means.
///
/// # Errors
/// When a limit is reached.
pub fn lower_within<'s>(
    program: &dyn ThreadProgram,
    thread_states: impl Iterator<Item = (&'s Store, &'s Store)>,
    limits: &Limits,
) -> Result<Lowered, StopReason> {
    let mut states = ThreadStates::of_stepping_threads(program);
    let initial = start(&mut states, ThreadCount::Any)?;
    for (shared, local) in thread_states {
        let shared = states.shared_id(shared.bytes());
        let local = states.local_id(local.bytes());
        states.visit(shared, local);
    }
    states.close(usize::MAX, limits)?;
    Ok(build::build(states, initial, Gaps::Passed))
}

/// Visits the thread states of the start, and says which configurations runs start in:
/// places of stores are their numbers.
pub fn start(
    states: &mut ThreadStates<'_>,
    threads: ThreadCount,
) -> Result<Vec<InitialZone>, StopReason> {
    let program = states.table.program();
    let mut pools: Vec<(Vec<CounterId>, Multiplicity)> = Vec::new();
    for template in program.templates() {
        let stores = template.initial.iter();
        let pool = stores.map(|store| {
            let local = states.local_id(store.bytes());
            build::counter(states, local)
        });
        pools.push((pool.collect(), template.multiplicity));
    }
    let vectors = initial::vectors(&pools, threads)?;
    let mut zones = Vec::new();
    for store in program.initial_shared() {
        let shared = states.shared_id(store.bytes());
        for vector in &vectors {
            let mut bounds: Vec<(CounterId, Bounds)> = vector.clone();
            bounds.retain(|(_, bounds)| bounds.max != Some(0));
            for (counter, _) in &bounds {
                states.visit(shared, states.local_at(counter.0));
            }
            zones.push(InitialZone { control: build::control(states, shared), bounds });
        }
    }
    Ok(zones)
}
