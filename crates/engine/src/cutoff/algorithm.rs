//! Algorithm 1 of the paper: the search through states and the questions about candidates,
//! side by side.

use model::{
    Context, Cutoff, CutoffEnd, Round, StopReason, ThreadProgram, ThreadState, ThreadTrace,
};

use super::candidates::Candidates;
use super::forward::{Halt, RoundSearch};
use super::leap::{Leap, Leapt};
use super::lockstep::{ASKING, LockstepScheduler, LockstepSide, SEARCHING, WorkMeter};
use super::property::{self, ErrorWatch};
use super::reached::First;
use super::shortest;
use super::table::Table;
use super::{CutoffOptions, Landing, Watch};

/// States of a search that takes no time to speak of.
const FEW_STATES: u32 = 5000;

/// Rounds of the search with nothing new, before it leaves the rest to the other side.
const MAX_PLATEAU: u32 = 8;

/// Thread states whose runs are reported, at most.
const MAX_RUNS: usize = 20_000;

/// Steps of all reported runs, at most.
const MAX_STEPS: usize = 2_000_000;

/// What the search through states came to.
enum Searched {
    /// It knows more than the other side.
    More,
    /// It found nothing new for some time.
    Nothing,
    /// It found an error.
    Error(Box<ThreadTrace>),
}

pub(super) struct Algorithm<'p, 'r, 'w> {
    forward: RoundSearch<'p>,
    options: &'r CutoffOptions,
    context: Context<'r>,
    watch: &'r mut Watch<'w>,
    /// What the search through states knows.
    rounds: Vec<Round>,
    /// What is known beyond that.
    leapt: Option<Leap<'p>>,
    /// Which thread states were checked for errors.
    errors: ErrorWatch,
    /// Work that may still be done side by side.
    patience: u64,
}

impl<'p, 'r, 'w> Algorithm<'p, 'r, 'w> {
    /// Starts with the threads that are there in every run.
    ///
    /// # Errors
    /// Not even that came to an end.
    pub fn start(
        program: &'p dyn ThreadProgram,
        is_early: bool,
        (options, context): (&'r CutoffOptions, Context<'r>),
        watch: &'r mut Watch<'w>,
    ) -> Result<Algorithm<'p, 'r, 'w>, Halt> {
        let mut forward = RoundSearch::new(Table::new(program), is_early, options.max_states)?;
        forward.start(&mut WorkMeter::alone(context))?;
        Ok(Algorithm {
            forward,
            options,
            context,
            watch,
            rounds: Vec::new(),
            leapt: None,
            errors: ErrorWatch::default(),
            patience: options.patience,
        })
    }

    /// Goes on until all is known.
    ///
    /// # Errors
    /// It did not end.
    pub fn go_on(&mut self) -> Result<Landing, Halt> {
        loop {
            let candidates = self.note_round()?;
            if let Some(run) = self.error()? {
                return Ok(Landing::Error(run));
            }
            // Before a thread of the pool was there, its first thread state is not in R.
            let has_all_starts = self.forward.pool.stores.is_empty() || !self.forward.is_first();
            let is_open = candidates.grows || !candidates.pairs.is_empty();
            let is_asked = has_all_starts
                && match is_open {
                    true => !self.options.test_only && self.is_worth_asking(),
                    false => true,
                };
            if is_asked {
                if let Some(landing) = self.side_by_side()? {
                    return Ok(landing);
                }
            } else {
                self.advance(&mut WorkMeter::alone(self.context))?;
            }
        }
    }

    /// A run into an error that the search has found since the last look.
    fn error(&mut self) -> Result<Option<Box<ThreadTrace>>, StopReason> {
        if !self.options.asks_for_errors {
            return Ok(None);
        }
        self.errors.next(&mut self.forward)
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
            n_candidates: candidates.pairs.len() as u64,
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
    fn advance(&mut self, meter: &mut WorkMeter<'_, '_>) -> Result<(), Halt> {
        if let Some(max) = self.options.max_threads.filter(|max| self.forward.n_threads >= *max) {
            let why = format!("there may be a cutoff above {max} threads");
            return Err(StopReason::Incomplete { why }.into());
        }
        self.forward.advance(meter)
    }

    /// One side asks about the candidates, and continues with what it learns; the other
    /// explores the states of more threads. The side that has the answer stops the other;
    /// where the second knows more than the first, the first starts again with that.
    fn side_by_side(&mut self) -> Result<Option<Landing>, Halt> {
        let mut leap = Leap::from(&self.forward, self.options.asks_for_errors);
        let context = self.context;
        let max_threads = self.options.max_threads.unwrap_or(u32::MAX);
        let (scheduler, known) = (LockstepScheduler::new(self.patience), self.forward.n_threads);
        let meter =
            |side: usize| WorkMeter::beside(LockstepSide::new(&scheduler, side, known), context);
        let (leapt, searched) = std::thread::scope(|scope| {
            let asking = scope.spawn(|| {
                let mut meter = meter(ASKING);
                let leapt = leap.go_on(max_threads, &mut meter);
                if leapt.is_ok() {
                    meter.end();
                }
                leapt
            });
            let mut meter = meter(SEARCHING);
            let searched = self.search_on(&mut meter);
            if let Ok(Searched::More | Searched::Error(_)) = searched {
                meter.end();
            }
            drop(meter);
            (asking.join(), searched)
        });
        self.patience = scheduler.patience_left();
        let leapt = leapt.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        match (leapt, searched) {
            (_, Ok(Searched::Error(run))) => Ok(Some(Landing::Error(run))),
            (Ok(leapt), _) => self.land(leap, leapt).map(Some),
            (Err(_), Ok(Searched::More)) => Ok(None),
            (Err(_), Err(Halt::DrawEarly)) => Err(Halt::DrawEarly),
            (Err(reason), Ok(Searched::Nothing) | Err(Halt::Stopped(_) | Halt::OutOfPatience)) => {
                self.leapt = Some(leap);
                self.context.limits.check()?;
                match self.patience {
                    0 => Err(Halt::OutOfPatience),
                    _ => Err(reason.into()),
                }
            }
        }
    }

    /// What the side that asks has come to.
    fn land(&mut self, leap: Leap<'p>, leapt: Leapt) -> Result<Landing, Halt> {
        let landing = match leapt {
            Leapt::All(certificate) => Landing::All(certificate),
            Leapt::Error(run) => Landing::Error(run),
            Leapt::ErrorIn(first, error) => {
                let run = leap.run_to(&mut self.forward, &first)?;
                Landing::Error(property::run_into(error, run, (&leap.table, &first))?)
            }
        };
        self.leapt = Some(leap);
        Ok(landing)
    }

    /// Explores states until this side knows more than the other. After some rounds without
    /// anything new it leaves the answer to the other side.
    fn search_on(&mut self, meter: &mut WorkMeter<'_, '_>) -> Result<Searched, Halt> {
        let n_at_start = self.forward.n_threads;
        for _ in 0..MAX_PLATEAU {
            let n_before = self.forward.reached.n_reached();
            self.advance(meter)?;
            if let Some(run) = self.error()? {
                self.note_round()?;
                return Ok(Searched::Error(run));
            }
            let grows = self.forward.reached.n_reached() > n_before;
            let known = meter.lockstep.as_ref().and_then(LockstepSide::known_by_the_other);
            if grows && known.unwrap_or(n_at_start) < self.forward.n_threads {
                return Ok(Searched::More);
            }
            self.note_round()?;
        }
        Ok(Searched::Nothing)
    }

    /// What was found out.
    pub fn told(mut self, end: CutoffEnd) -> Cutoff {
        let mut leapt = self.leapt.take();
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
                let n_threads = first.n_threads;
                let state = ThreadState { shared, local, n_threads, run: None, is_shortest: false };
                (*first, state)
            })
            .collect();
        let mut n_steps = 0;
        if all.len() <= MAX_RUNS {
            for (first, state) in &mut all {
                if n_steps > MAX_STEPS || self.context.limits.check().is_err() {
                    break;
                }
                state.run = match &leapt {
                    Some(leap) => leap.run_to(&mut self.forward, first).ok(),
                    None => self.forward.run_to(first).ok(),
                };
                n_steps += state.run.as_ref().map_or(0, |run| run.steps.len());
            }
        }
        let table = match &mut leapt {
            Some(leap) => &mut leap.table,
            None => &mut self.forward.table,
        };
        shortest::shorten(&mut all, (table, &self.forward.pool), self.context.limits);
        all.sort_by_key(|(first, _)| first.n_threads);
        let reached = all.into_iter().map(|(_, state)| state).collect();
        Cutoff { reached, rounds, end }
    }

    /// What is known of each number of threads, from both sides.
    pub fn joined_rounds(&mut self) -> Vec<Round> {
        let leapt = self.leapt.take();
        let rounds = self.joined(leapt.as_ref());
        self.leapt = leapt;
        rounds
    }

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
