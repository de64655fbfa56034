//! Dynamic cutoff detection: how many threads are enough to reach every thread state
//! that any number of threads can reach, and which thread states those are.
//!
//! R_n is the set of thread states (a shared store and the local store of one thread)
//! that runs with n threads reach. The sets grow with n, and from some n on they do not
//! grow any more: the smallest such n is the *cutoff*. It cannot be seen from R_n = R_n+1,
//! since such a plateau may end.
//!
//! **Algorithm 1 of the paper**, for n = 1, 2, …: one side computes R_n+1 (`forward.rs`),
//! the other looks for candidate triples in R_n (`candidates.rs`) and asks whether one of
//! them can be realized by some number of threads (`realize.rs`). If none can, n is the
//! cutoff, and the first side is stopped; if R_n+1 is larger than R_n, the second is,
//! and starts again with R_n+1.
//!
//! **Answers.** `CutoffEnd::Found` carries a certificate that R is all there is, which
//! `certify` checks without this module; that every thread state of R is reached is
//! shown by runs. That fewer threads do not reach it rests on the search.
//! **Sound for** all thread programs, broadcasts and created threads included.
//! **Complete for** programs with finitely many stores. `Options::test_only` leaves out
//! the second side: then a cutoff is found only when no candidate is left.
//! **Source** Kaiser, Kroening, Wahl, "Dynamic Cutoff Detection in Parameterized
//! Concurrent Programs", CAV 2010. We differ: (1) a state is stored once for all n, in
//! the round of the fewest threads that reach it; (2) the backward search stays within
//! R_n and tells the fewest threads that realize a candidate, so that the second side can
//! go on to larger sets by itself (`leap.rs`), which needs no states at all; (3)
//! broadcasts, created threads and several templates.

pub mod candidates;
pub mod forward;
pub mod leap;
pub mod net;
pub mod reached;
pub mod realize;
pub mod states;
pub mod table;

mod cast;
mod expand;
mod follow;
mod pool;
mod retell;
mod rows;
mod standing;
mod walk;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use model::{
    Certificate, Cutoff, CutoffEnd, Limits, ProgressSink, Round, StopReason, ThreadProgram,
    ThreadState,
};

use self::candidates::Candidates;
use self::forward::{Forward, Halt};
use self::leap::Leap;
use self::reached::First;
use self::table::Table;

/// How to look for the cutoff.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Only ask whether there are candidates, never whether they can be realized.
    pub test_only: bool,
    /// Stop after so many threads.
    pub max_threads: Option<u32>,
    /// States that are stored at most.
    pub max_states: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { test_only: false, max_threads: None, max_states: 1 << 27 }
    }
}

/// Steps of all those runs, at most.
const MAX_STEPS: usize = 2_000_000;

/// Told of each number of threads when it is done.
pub type Watch<'a> = dyn FnMut(&Round) + 'a;

/// States of a search that takes no time to speak of.
const FEW_STATES: u32 = 5000;

/// Rounds of the search with nothing new, before it leaves the rest to the other side.
const MAX_PLATEAU: u32 = 8;

/// Thread states whose runs are told, at most.
const MAX_RUNS: usize = 20_000;

/// Looks for the cutoff of `program`.
pub fn detect(
    program: &dyn ThreadProgram,
    options: &Options,
    (limits, progress): (&Limits, &dyn ProgressSink),
    watch: &mut Watch<'_>,
) -> Cutoff {
    match detect_from(program, options, (limits, progress), watch, false) {
        Err(Halt::DrawEarly) => {
            let again = detect_from(program, options, (limits, progress), watch, true);
            again.unwrap_or_else(|_| nothing(StopReason::Interrupted))
        }
        Err(Halt::Stopped(reason)) => nothing(reason),
        Ok(cutoff) => cutoff,
    }
}

fn nothing(reason: StopReason) -> Cutoff {
    Cutoff { rounds: Vec::new(), reached: Vec::new(), end: CutoffEnd::Open(reason) }
}

fn detect_from(
    program: &dyn ThreadProgram,
    options: &Options,
    (limits, progress): (&Limits, &dyn ProgressSink),
    watch: &mut Watch<'_>,
    is_early: bool,
) -> Result<Cutoff, Halt> {
    let table = Table::new(program);
    let forward = Forward::start(table, is_early, options.max_states, limits, progress)?;
    let mut run =
        Run { forward, options, limits, progress, watch, rounds: Vec::new(), leapt: None };
    match run.go_on() {
        Ok(certificate) => Ok(run.told(CutoffEnd::Found(certificate))),
        Err(Halt::Stopped(reason)) => Ok(run.told(CutoffEnd::Open(reason))),
        Err(Halt::DrawEarly) => Err(Halt::DrawEarly),
    }
}

/// What the search through states came to.
enum Searched {
    /// It knows more than the other side.
    More,
    /// It found nothing new for some time.
    Nothing,
}

struct Run<'p, 'r, 'w> {
    forward: Forward<'p>,
    options: &'r Options,
    limits: &'r Limits,
    progress: &'r dyn ProgressSink,
    watch: &'r mut Watch<'w>,
    /// What the search through states knows.
    rounds: Vec<Round>,
    /// What is known beyond that.
    leapt: Option<Leap<'p>>,
}

impl Run<'_, '_, '_> {
    fn go_on(&mut self) -> Result<Box<Certificate>, Halt> {
        loop {
            let candidates = self.note_round()?;
            // Before a thread of the pool was there, its first thread state is not in R.
            let has_all_starts = self.forward.pool.stores.is_empty() || !self.forward.is_first();
            let is_open = candidates.grows || !candidates.pairs.is_empty();
            let is_asked = has_all_starts
                && match is_open {
                    true => !self.options.test_only && self.is_worth_asking(),
                    false => true,
                };
            if is_asked {
                if let Some(certificate) = self.side_by_side()? {
                    return Ok(certificate);
                }
            } else {
                self.advance(self.limits)?;
            }
        }
    }

    /// Has the search become slow, or found nothing new? As long as it finds more at
    /// little cost, nobody else need be asked.
    fn is_worth_asking(&self) -> bool {
        let mut last = self.rounds.iter().rev().map(|round| round.n_reached);
        let (newest, before) = (last.next(), last.next());
        newest == before
            || self.forward.states.n_states() >= FEW_STATES
            || self.options.max_threads.is_some_and(|max| self.forward.n_threads >= max)
    }

    /// Writes down what the search knows of its number of threads.
    fn note_round(&mut self) -> Result<Candidates, StopReason> {
        let forward = &mut self.forward;
        let candidates = Candidates::of(&mut forward.table, &forward.reached)?;
        let round = Round {
            n_threads: forward.n_threads,
            n_reached: forward.reached.n_reached() as u64,
            n_candidates: candidates.n_triples,
            n_states: u64::from(forward.states.n_states()),
        };
        let is_new = self.rounds.last().is_none_or(|last| last.n_threads < round.n_threads);
        if is_new && (round.n_threads > 0 || self.forward.pool.stores.is_empty()) {
            (self.watch)(&round);
            self.rounds.push(round);
        }
        Ok(candidates)
    }

    /// The next round of the search.
    fn advance(&mut self, limits: &Limits) -> Result<(), Halt> {
        if let Some(max) = self.options.max_threads.filter(|max| self.forward.n_threads >= *max) {
            let why = format!("there may be a cutoff above {max} threads");
            return Err(StopReason::Incomplete { why }.into());
        }
        self.forward.advance(limits, self.progress)
    }

    /// One side asks about the candidates, and goes on with what it learns; the other one
    /// goes through the states of more threads. Whoever knows all stops the other one;
    /// where the second knows more than the first, the first starts again with that.
    fn side_by_side(&mut self) -> Result<Option<Box<Certificate>>, Halt> {
        let mut leap = Leap::from(&self.forward);
        let known = AtomicU32::new(self.forward.n_threads);
        let (stop_asking, stop_searching) =
            (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let asking_limits = self.limits.cancelled_by(&stop_asking);
        let searching_limits = self.limits.cancelled_by(&stop_searching);
        let max_threads = self.options.max_threads.unwrap_or(u32::MAX);
        let progress = self.progress;
        let (landing, searched) = std::thread::scope(|scope| {
            let asking = scope.spawn(|| {
                let limits = (&asking_limits, progress);
                let landing = leap.go_on(max_threads, limits, &known);
                if landing.is_ok() {
                    stop_searching.store(true, Ordering::Relaxed);
                }
                landing
            });
            let searched = self.search_on(&searching_limits, &known);
            if let Ok(Searched::More) = searched {
                stop_asking.store(true, Ordering::Relaxed);
            }
            (asking.join(), searched)
        });
        let landing = landing.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        match (landing, searched) {
            (Ok(certificate), _) => {
                self.leapt = Some(leap);
                Ok(Some(certificate))
            }
            (Err(_), Ok(Searched::More)) => Ok(None),
            (Err(_), Err(Halt::DrawEarly)) => Err(Halt::DrawEarly),
            (Err(reason), Ok(Searched::Nothing) | Err(Halt::Stopped(_))) => {
                self.leapt = Some(leap);
                self.limits.check()?;
                Err(reason.into())
            }
        }
    }

    /// Goes through states until they tell more than is `known`. After some rounds with
    /// nothing new it is up to the other side.
    fn search_on(&mut self, limits: &Limits, known: &AtomicU32) -> Result<Searched, Halt> {
        for _ in 0..MAX_PLATEAU {
            let n_before = self.forward.reached.n_reached();
            self.advance(limits)?;
            let grows = self.forward.reached.n_reached() > n_before;
            if grows && known.load(Ordering::Relaxed) < self.forward.n_threads {
                return Ok(Searched::More);
            }
            self.note_round()?;
        }
        Ok(Searched::Nothing)
    }

    fn told(mut self, end: CutoffEnd) -> Cutoff {
        let leapt = self.leapt.take();
        let mut rounds = self.joined(leapt.as_ref());
        if let CutoffEnd::Found(_) = end {
            let n_reached = rounds.last().map_or(0, |round| round.n_reached);
            let is_enough = |round: &Round| round.n_reached == n_reached;
            rounds.truncate(rounds.iter().position(is_enough).map_or(0, |idx| idx + 1));
        }
        let last = rounds.last().map_or(0, |round| round.n_threads);
        let (table, reached) = match &leapt {
            Some(leap) => (&leap.table, &leap.reached),
            None => (&self.forward.table, &self.forward.reached),
        };
        let all = reached.all().iter().filter(|state| state.n_threads <= last);
        let mut all: Vec<(First, ThreadState)> = all
            .map(|first| {
                let (shared, local) =
                    (table.shared(first.shared).clone(), table.local(first.local).clone());
                (*first, ThreadState { shared, local, n_threads: first.n_threads, run: None })
            })
            .collect();
        let mut n_steps = 0;
        if all.len() <= MAX_RUNS {
            for (first, state) in &mut all {
                if n_steps > MAX_STEPS || self.limits.check().is_err() {
                    break;
                }
                state.run = match &leapt {
                    Some(leap) => leap.run_to(&mut self.forward, first).ok(),
                    None => self.forward.run_to(first).ok(),
                };
                n_steps += state.run.as_ref().map_or(0, |run| run.steps.len());
            }
        }
        all.sort_by_key(|(first, _)| first.n_threads);
        let reached = all.into_iter().map(|(_, state)| state).collect();
        Cutoff { reached, rounds, end }
    }

    /// What is known of each number of threads, from both sides.
    fn joined(&mut self, leapt: Option<&Leap<'_>>) -> Vec<Round> {
        let mut rounds = std::mem::take(&mut self.rounds);
        for round in leapt.iter().flat_map(|leap| &leap.rounds) {
            if rounds.last().is_none_or(|last| last.n_threads < round.n_threads) {
                (self.watch)(round);
                rounds.push(*round);
            }
        }
        rounds
    }
}
