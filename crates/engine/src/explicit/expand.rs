//! The inner loop: expands stored states, inserts their successors in batches, and
//! judges the new ones.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use model::{
    Context, Deadlock, GrowingBound, Judgement, Omission, Progress, PropertyKind, StateProblem,
    StopReason,
};

use super::SearchOptions;
use super::record::Record;
use super::stepping::Stepping;
use super::visited::Visited;
use crate::kernel::state_table::{Arena, NotStored, Writer};
use crate::kernel::symmetry::Canonicalizer;

/// Successors that are collected before they are looked up: enough that memory
/// answers while others are hashed, few enough to stay in the first cache.
const BATCH: usize = 64;

/// States expanded between two looks at the limits.
const EXPANDED_BETWEEN_LOOKS: u32 = 1024;

/// States that are stored after all where a new thread finds no slot: an error may need few
/// threads, though the program has many.
const MAX_STATES_WITHOUT_SLOTS: u64 = 4_000;

/// What all threads of a search share.
pub(super) struct SharedSearch<'a> {
    pub problem: &'a StateProblem<'a>,
    pub options: &'a SearchOptions,
    pub context: Context<'a>,
    pub canonicalizer: Option<Canonicalizer>,
    /// Examples wanted of each failing property; `None` when the first error ends
    /// the search.
    pub n_examples: Option<usize>,
    /// States stored so far, as far as workers have published it.
    pub n_stored: AtomicU64,
    /// States that there will be, roughly; zero while there is no estimate.
    pub n_expected: AtomicU64,
}

/// What a worker knows about the level that it expands.
#[derive(Clone, Copy)]
pub(super) struct Level<'a> {
    /// Where its states lie.
    pub arena: &'a Arena,
    /// Their numbers, in pieces that one thread takes at a time.
    pub pieces: &'a [Range<u64>],
    /// The next piece.
    pub cursor: &'a AtomicUsize,
    /// Set when all threads must come back.
    pub recall: &'a AtomicBool,
    /// Steps from an initial state.
    pub depth: u32,
    /// Number of states, for progress.
    pub n_states: u64,
    /// Are its states as deep as was asked? Then it is noted here whether a run goes
    /// on to states that were not met.
    pub beyond: Option<&'a AtomicBool>,
}

/// One thread of the search. Workers lie side by side, and one that shares a cache
/// line with another slows both down.
#[repr(align(128))]
pub(super) struct Worker<'a> {
    search: &'a SharedSearch<'a>,
    pub stepping: Stepping<'a>,
    /// Where new states go; lossy depth-first search keeps them elsewhere.
    pub writer: Option<Writer>,
    pub record: Record,
    /// Rules fired.
    pub n_fired: u64,
    /// States stored that are not in the search's count yet. That count lies beside
    /// what all workers read, so it is written rarely.
    n_unpublished: u64,
    hashes: Vec<u64>,
    new: Vec<u32>,
    judgement: Judgement,
    /// Counts of the batch, which are dropped when it must be done again.
    batch: Tally,
    until_look: u32,
}

#[derive(Default)]
struct Tally {
    n_fired: u64,
    n_faults: u64,
    n_deadlocks: u64,
}

/// Why a batch was not settled.
pub(super) enum Unsettled {
    /// The table must grow.
    Full,
    /// The search must stop.
    Stopped(StopReason),
}

impl From<StopReason> for Unsettled {
    fn from(reason: StopReason) -> Unsettled {
        Unsettled::Stopped(reason)
    }
}

impl<'a> SharedSearch<'a> {
    /// A search for the first error.
    pub(super) fn new(
        problem: &'a StateProblem<'a>,
        options: &'a SearchOptions,
        context: Context<'a>,
    ) -> SharedSearch<'a> {
        let system = problem.system;
        let reduces = options.symmetry;
        let canonicalizer =
            reduces.then(|| Canonicalizer::new(system.symmetry(), system.state_words())).flatten();
        SharedSearch {
            problem,
            options,
            context,
            canonicalizer,
            n_examples: None,
            n_stored: AtomicU64::new(0),
            n_expected: AtomicU64::new(0),
        }
    }

    /// Does the system have a property of this kind?
    pub(super) fn has(&self, kind: PropertyKind) -> bool {
        self.problem.system.properties().iter().any(|property| property.kind == kind)
    }

    /// Successors for one more thread.
    pub(super) fn stepping(&'a self) -> Stepping<'a> {
        Stepping::new(self.problem.system, self.canonicalizer.as_ref(), self.context.limits)
    }

    /// An empty record.
    pub(super) fn record(&self) -> Record {
        let n_properties = self.problem.system.properties().len();
        match self.n_examples {
            None => Record::of_first(n_properties),
            Some(n_examples) => Record::of_all(n_properties, n_examples),
        }
    }

    /// Does an error end the search?
    pub(super) fn ends_with(&self, record: &Record) -> bool {
        self.n_examples.is_none() && record.best.is_some()
    }

    /// Shows where the search stands.
    ///
    /// # Errors
    /// A limit was reached.
    pub(super) fn look(&self, frontier: u64, depth: u32) -> Result<(), StopReason> {
        let n_stored = self.n_stored.load(Ordering::Relaxed);
        let figures = [("states", n_stored), ("frontier", frontier), ("depth", u64::from(depth))];
        let n_expected = self.n_expected.load(Ordering::Relaxed);
        let n_ahead = (n_expected > n_stored).then(|| n_expected - n_stored);
        self.context.progress.report(&Progress { engine: "explicit", figures: &figures, n_ahead });
        self.bound()?;
        self.context.limits.check()
    }

    /// Stops the search when as many states are stored as were wanted.
    ///
    /// # Errors
    /// So it is.
    pub(super) fn bound(&self) -> Result<(), StopReason> {
        let n_stored = self.n_stored.load(Ordering::Relaxed);
        match self.options.max_states {
            Some(max) if n_stored >= max => Err(StopReason::StateLimit { states: max }),
            _ => Ok(()),
        }
    }

    /// Stops a search that has left out threads for want of slots, where it can be made
    /// again with more.
    ///
    /// # Errors
    /// So it is.
    pub(super) fn bound_without_slots(&self, record: &Record) -> Result<(), StopReason> {
        let lacks_slots = || {
            let mut omitted = record.omissions.iter();
            omitted.any(|omission| matches!(omission, Omission::Threads { .. }))
        };
        let n_stored = self.n_stored.load(Ordering::Relaxed);
        let can_grow = self.options.slots.is_some_and(GrowingBound::can_grow);
        if can_grow && n_stored >= MAX_STATES_WITHOUT_SLOTS && lacks_slots() {
            return Err(StopReason::UnderApproximated { omitted: record.omissions.clone() });
        }
        Ok(())
    }
}

impl<'a> Worker<'a> {
    /// A thread that adds new states with `writer`.
    pub(super) fn new(search: &'a SharedSearch<'a>, writer: Option<Writer>) -> Worker<'a> {
        Worker {
            search,
            stepping: search.stepping(),
            writer,
            record: search.record(),
            n_fired: 0,
            n_unpublished: 0,
            hashes: Vec::new(),
            new: Vec::new(),
            judgement: Judgement::default(),
            batch: Tally::default(),
            until_look: EXPANDED_BETWEEN_LOOKS,
        }
    }

    /// Computes the initial states; [`Worker::settle`] inserts them.
    ///
    /// # Errors
    /// A limit was reached.
    pub(super) fn begin(&mut self) -> Result<(), StopReason> {
        self.stepping.stepper.initial(&mut self.stepping.out)?;
        for (place, fault) in &self.stepping.out.faults {
            self.record.fault(0, *place, fault, &[]);
        }
        self.batch.n_faults += self.stepping.out.faults.len() as u64;
        Ok(())
    }

    /// Expands pieces of `level` until none is left or all are recalled. Gives
    /// back what it took and did not finish.
    ///
    /// # Errors
    /// The search must stop.
    pub(super) fn run(
        &mut self,
        level: Level<'_>,
        visited: &Visited,
    ) -> Result<Option<Range<u64>>, StopReason> {
        while !level.recall.load(Ordering::Relaxed) {
            let next = level.cursor.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = level.pieces.get(next) else { break };
            match self.expand_piece(level, piece.clone(), visited) {
                Ok(None) => {}
                Ok(Some(rest)) => {
                    level.recall.store(true, Ordering::Relaxed);
                    return Ok(Some(rest));
                }
                Err(reason) => {
                    level.recall.store(true, Ordering::Relaxed);
                    return Err(reason);
                }
            }
        }
        Ok(None)
    }

    fn expand_piece(
        &mut self,
        level: Level<'_>,
        piece: Range<u64>,
        visited: &Visited,
    ) -> Result<Option<Range<u64>>, StopReason> {
        if let Some(beyond) = level.beyond {
            return self.look_beyond(level, beyond, (piece, visited)).map(|()| None);
        }
        let mut batch_start = piece.start;
        for id in piece.clone() {
            level.arena.read(id as u32, &mut self.stepping.state);
            self.expand_state(level.depth)?;
            if self.stepping.out.len() < BATCH && id + 1 < piece.end {
                continue;
            }
            match self.settle(visited, level.depth + 1, |_| {}) {
                Ok(()) => {
                    self.look(id + 1 - batch_start, level)?;
                    batch_start = id + 1;
                }
                Err(Unsettled::Full) => {
                    self.drop_batch();
                    return Ok(Some(batch_start..piece.end));
                }
                Err(Unsettled::Stopped(reason)) => return Err(reason),
            }
        }
        Ok(None)
    }

    /// Looks at states that are as deep as was asked: which of them are deadlocks, and
    /// whether one leads to a state that was not met. A step that cannot be computed is
    /// one more step than was asked about.
    fn look_beyond(
        &mut self,
        level: Level<'_>,
        beyond: &AtomicBool,
        (piece, visited): (Range<u64>, &Visited),
    ) -> Result<(), StopReason> {
        let problem = self.search.problem;
        for id in piece {
            let is_known = beyond.load(Ordering::Relaxed);
            if is_known && problem.deadlock == Deadlock::Off {
                return Ok(());
            }
            level.arena.read(id as u32, &mut self.stepping.state);
            let expanded = self.stepping.expand(problem)?;
            if expanded.is_deadlock {
                self.record.n_deadlocks += 1;
                self.record.deadlock(level.depth, problem.deadlock, &self.stepping.state);
            }
            // If nothing lies beyond, these steps lead back, and belong to the search.
            self.record.reached(&self.stepping.out.covered);
            if !is_known && self.leads_beyond(visited) {
                beyond.store(true, Ordering::Relaxed);
            }
            self.drop_batch();
            self.look(1, level)?;
        }
        Ok(())
    }

    /// Does the state that was just expanded lead to one that was not met, or to an
    /// error?
    fn leads_beyond(&mut self, visited: &Visited) -> bool {
        if !self.stepping.out.faults.is_empty() {
            return true;
        }
        self.stepping.canonicalize_all();
        let out = &self.stepping.out;
        (0..out.len()).any(|idx| !visited.has(out.state(idx)))
    }

    /// Adds the successors of `self.stepping.state`, at `depth`, to the batch.
    ///
    /// # Errors
    /// A limit was reached.
    pub(super) fn expand_state(&mut self, depth: u32) -> Result<(), StopReason> {
        let problem = self.search.problem;
        let expanded = self.stepping.expand(problem)?;
        self.batch.n_fired += expanded.n_enabled;
        let Stepping { out, state, .. } = &self.stepping;
        for (place, fault) in &out.faults[expanded.first_fault..] {
            self.batch.n_faults += 1;
            self.record.fault(depth, *place, fault, state);
        }
        if expanded.is_deadlock {
            self.batch.n_deadlocks += 1;
            self.record.deadlock(depth, problem.deadlock, state);
        }
        Ok(())
    }

    /// Inserts the batch, judges what is new in it, at `depth`, shows it to
    /// `visit`, and empties the batch.
    ///
    /// # Errors
    /// The batch stays, and can be settled again once the table has grown; or the
    /// search must stop.
    #[inline]
    pub(super) fn settle(
        &mut self,
        visited: &Visited,
        depth: u32,
        mut visit: impl FnMut(&[u64]),
    ) -> Result<(), Unsettled> {
        self.stepping.canonicalize_all();
        let Stepping { stepper, out, .. } = &mut self.stepping;
        let inserted =
            visited.insert_all(out, &mut self.hashes, self.writer.as_mut(), &mut self.new);
        self.n_unpublished += self.new.len() as u64;
        for &idx in &self.new {
            let state = out.state(idx as usize);
            self.judgement.clear();
            stepper.judge(state, &mut self.judgement)?;
            self.record.judged(depth, &self.judgement, state);
            visit(state);
        }
        match inserted {
            Ok(()) => {}
            Err(NotStored::Full) => return Err(Unsettled::Full),
            Err(NotStored::NoMemory) => return Err(StopReason::MemoryLimit.into()),
        }
        self.record.reached(&self.stepping.out.covered);
        self.n_fired += self.batch.n_fired;
        self.record.n_faults += self.batch.n_faults;
        self.record.n_deadlocks += self.batch.n_deadlocks;
        self.drop_batch();
        Ok(())
    }

    /// Adds what it stored to the search's count, and what was left out to its record.
    pub(super) fn publish(&mut self) {
        self.record.omissions.absorb(&self.stepping.out.take_omissions());
        let n_stored = std::mem::take(&mut self.n_unpublished);
        self.search.n_stored.fetch_add(n_stored, Ordering::Relaxed);
    }

    /// Forgets a batch that will be made again.
    fn drop_batch(&mut self) {
        self.batch = Tally::default();
        self.stepping.out.clear();
    }

    fn look(&mut self, n_expanded: u64, level: Level<'_>) -> Result<(), StopReason> {
        let n_expanded = u32::try_from(n_expanded).unwrap_or(u32::MAX);
        self.until_look = self.until_look.saturating_sub(n_expanded);
        if self.until_look > 0 {
            return Ok(());
        }
        self.until_look = EXPANDED_BETWEEN_LOOKS;
        self.publish();
        self.search.look(level.n_states, level.depth)
    }
}
