//! Rebuilds the run to a state of an exact breadth-first search, and turns runs of
//! stored states into concrete traces.
//!
//! No parents are stored. The level before is expanded again, and among the states
//! that lead on, the one with the smallest words is taken; so on to the start.
//! Stored states may be permuted (symmetry); [`concrete`] goes forward from a real
//! initial state and takes at each step the smallest choice whose result has the
//! wanted canonical form.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use model::{
    Choice, Ending, FaultPlace, Judgement, Limits, StateStart, StateStep, StateTrace, StopReason,
    Store, Variant,
};

use super::breadth::{Exploration, cut};
use super::expand::SharedSearch;
use super::stepping::Stepping;
use crate::kernel::crew::Crew;
use crate::kernel::state_table::Arena;

/// Pieces of a level between two looks at the limits.
const PIECES_BETWEEN_LOOKS: usize = 8;

/// States from which on several threads look for a predecessor among them.
const STATES_WORTH_THREADS: u64 = 512;

/// The stored states of a run to `state`, which lies in level `depth`.
///
/// # Errors
/// A limit was reached.
pub(super) fn to_state(
    exploration: &Exploration<'_>,
    state: &[u64],
    depth: u32,
) -> Result<Vec<Vec<u64>>, StopReason> {
    let arena = exploration.visited.arena().expect("paths are looked for in exact storage");
    let mut path = vec![state.to_vec()];
    let search = exploration.search;
    let crew = Crew::new(search.context.limits.jobs);
    let mut hunters = Hunters { crew, steppings: vec![search.stepping()] };
    for level in exploration.levels[..depth as usize].iter().rev() {
        let wanted = path.last().expect("never empty").clone();
        let found = predecessor(search, arena, level, &wanted, &mut hunters)?;
        path.push(found.ok_or_else(not_symmetric)?);
    }
    path.reverse();
    Ok(path)
}

/// Successors do not depend on anything but the state, so only a wrong symmetry can
/// make a step impossible that was possible before.
fn not_symmetric() -> StopReason {
    let why = "an error was found, but no run of the model leads to it: its scalarsets are not \
               interchangeable; search without symmetry";
    StopReason::Incomplete { why: why.into() }
}

/// The state of `level` with the smallest words that leads to `wanted`.
fn predecessor<'a>(
    search: &'a SharedSearch<'a>,
    arena: &Arena,
    level: &[Range<u64>],
    wanted: &[u64],
    hunters: &mut Hunters<'a>,
) -> Result<Option<Vec<u64>>, StopReason> {
    let n_states: u64 = level.iter().map(|range| range.end - range.start).sum();
    let n_threads = if n_states < STATES_WORTH_THREADS { 1 } else { hunters.crew.n_threads() };
    while hunters.steppings.len() < n_threads {
        hunters.steppings.push(search.stepping());
    }
    let pieces = cut(level, n_threads);
    let hunt = Hunt {
        limits: search.context.limits,
        arena,
        pieces: &pieces,
        cursor: AtomicUsize::new(0),
        wanted,
        best: Mutex::new(None),
    };
    let steppings: Vec<Mutex<&mut Stepping<'a>>> =
        hunters.steppings.iter_mut().map(Mutex::new).collect();
    let stopped = Mutex::new(None);
    let work = |number: usize| {
        let mut stepping = steppings[number].lock().expect("each thread has its own stepping");
        if let Err(reason) = hunt.run(&mut stepping) {
            stopped.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
        }
    };
    if n_threads > 1 {
        hunters.crew.together(&work);
    } else {
        work(0);
    }
    if let Some(reason) = stopped.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(reason);
    }
    Ok(hunt.best.into_inner().expect("no thread panicked while it held the lock"))
}

/// The threads that go back level by level, and what each of them needs.
struct Hunters<'a> {
    crew: Crew,
    steppings: Vec<Stepping<'a>>,
}

/// The search of a level for a state that leads to another.
struct Hunt<'h> {
    limits: &'h Limits,
    arena: &'h Arena,
    pieces: &'h [Range<u64>],
    cursor: AtomicUsize,
    wanted: &'h [u64],
    best: Mutex<Option<Vec<u64>>>,
}

impl Hunt<'_> {
    fn run(&self, stepping: &mut Stepping<'_>) -> Result<(), StopReason> {
        loop {
            let next = self.cursor.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = self.pieces.get(next) else { return Ok(()) };
            if next.is_multiple_of(PIECES_BETWEEN_LOOKS) {
                self.limits.check()?;
            }
            for id in piece.clone() {
                self.arena.read(id as u32, &mut stepping.state);
                self.look_at(stepping)?;
            }
        }
    }

    fn look_at(&self, stepping: &mut Stepping<'_>) -> Result<(), StopReason> {
        stepping.out.clear();
        stepping.stepper.expand(&stepping.state, &mut stepping.out)?;
        stepping.canonicalize_all();
        let out = &stepping.out;
        if !(0..out.len()).any(|idx| out.state(idx) == self.wanted) {
            return Ok(());
        }
        let mut best = self.best.lock().expect("no thread panics while it holds the lock");
        if best.as_ref().is_none_or(|best| stepping.state < *best) {
            *best = Some(stepping.state.clone());
        }
        Ok(())
    }
}

/// The concrete run along the stored states `path`, and what it ends in, judged
/// again where it really ends.
///
/// # Errors
/// A limit was reached, or the system is not as symmetric as it says.
pub(super) fn concrete<'a>(
    search: &'a SharedSearch<'a>,
    path: &[Vec<u64>],
    ending: Ending,
) -> Result<StateTrace, StopReason> {
    let mut stepping = search.stepping();
    let Some((first, rest)) = path.split_first() else {
        return Ok(StateTrace {
            variant: Variant::AS_WRITTEN,
            start: None,
            steps: Vec::new(),
            ending,
        });
    };
    stepping.stepper.initial(&mut stepping.out)?;
    let (choice, state) = stepping.smallest_like(first).ok_or_else(not_symmetric)?;
    let start = Some(StateStart { choice, state: Store::of_words(&state) });
    stepping.state = state;
    let mut steps = Vec::with_capacity(rest.len());
    for wanted in rest {
        search.context.limits.check()?;
        stepping.out.clear();
        stepping.stepper.expand(&stepping.state, &mut stepping.out)?;
        let (choice, state) = stepping.smallest_like(wanted).ok_or_else(not_symmetric)?;
        steps.push(StateStep { choice, state: Store::of_words(&state) });
        stepping.state = state;
    }
    let ending = stepping.end(search, ending)?.ok_or_else(not_symmetric)?;
    Ok(StateTrace { variant: Variant::AS_WRITTEN, start, steps, ending })
}

impl Stepping<'_> {
    /// Among the computed states whose stored form is `wanted`, the one of the
    /// smallest choice.
    fn smallest_like(&mut self, wanted: &[u64]) -> Option<(Choice, Vec<u64>)> {
        let computed: Vec<(Choice, Vec<u64>)> = (0..self.out.len())
            .map(|idx| (self.out.choice(idx), self.out.state(idx).to_vec()))
            .collect();
        let alike = computed.into_iter().filter(|(_, state)| self.canonical(state) == wanted);
        alike.min()
    }

    /// Does `self.state` show what the stored state showed? If so, how exactly?
    fn end(
        &mut self,
        search: &SharedSearch<'_>,
        ending: Ending,
    ) -> Result<Option<Ending>, StopReason> {
        Ok(match ending {
            Ending::Invariant(property) => {
                let judgement = self.judge()?;
                judgement.violated.contains(&property).then_some(ending)
            }
            Ending::Fault { place: FaultPlace::Property(property), .. } => {
                let faults = self.judge()?.faults;
                let fault = faults.into_iter().find(|(number, _)| *number == property);
                fault.map(|(_, fault)| Ending::Fault {
                    place: FaultPlace::Property(property),
                    fault,
                })
            }
            Ending::Fault { .. } => {
                self.out.clear();
                self.expand(search.problem)?;
                let faults = std::mem::take(&mut self.out.faults);
                let first = faults.into_iter().min_by_key(|(place, _)| match place {
                    FaultPlace::Step(choice) => choice.0,
                    _ => u64::MAX,
                });
                first.map(|(place, fault)| Ending::Fault { place, fault })
            }
            Ending::Deadlock(_) => {
                self.out.clear();
                self.expand(search.problem)?.is_deadlock.then_some(ending)
            }
            Ending::Stranded(_) | Ending::Uncovered(_) | Ending::Lasso { .. } => Some(ending),
        })
    }

    fn judge(&mut self) -> Result<Judgement, StopReason> {
        let mut judgement = Judgement::default();
        self.stepper.judge(&self.state, &mut judgement)?;
        Ok(judgement)
    }
}
