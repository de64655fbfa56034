//! Breadth-first search: explores level by level, with several threads where a
//! level is large.
//!
//! All threads work on a level until it is done or the table is full; then all come
//! back, the table grows, and another round does the rest. The threads are started
//! with the first level that is worth it, so that a small model never pays for them,
//! and stay for the whole search.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use model::{Omission, Omissions, Outcome, StopReason};

use super::expand::{Level, SharedSearch, Unsettled, Worker};
use super::outlook::Outlook;
use super::record::Record;
use super::verdict;
use super::visited::Visited;
use crate::kernel::crew::Crew;
use crate::kernel::state_table::{Arena, Writer};

/// States from which on a level is worth several threads: waking one costs as much as
/// expanding about ten states, but it takes a hundred until it is there.
const STATES_WORTH_THREADS: u64 = 512;

/// The same where canonical forms are computed, which makes a state cost far more.
const ORBITS_WORTH_THREADS: u64 = 64;

/// States that a thread takes at a time, at most and at least.
const MAX_PIECE: u64 = 256;
const MIN_PIECE: u64 = 8;

/// What a thread takes is at most this part of its share of what is left: pieces get
/// smaller towards the end of a level, so that none waits long for the last one.
const PART_OF_SHARE: u64 = 4;

/// States from which on it is estimated how many there will be.
const STATES_WORTH_AN_OUTLOOK: u64 = 100_000;

/// What a breadth-first search leaves behind.
pub(super) struct Exploration<'a> {
    pub search: &'a SharedSearch<'a>,
    pub visited: Visited,
    /// The numbers of each level's states; kept for exact storage only.
    pub levels: Vec<Vec<Range<u64>>>,
    pub record: Record,
    /// Why not everything was explored.
    pub stopped: Option<StopReason>,
    /// Are the states at hand as deep as was asked?
    is_at_bound: bool,
    /// Do runs go on from there to states that were not met?
    goes_beyond: AtomicBool,
    /// Levels expanded.
    depth: u32,
    /// Steps from the start to the states farthest from it.
    pub deepest: u32,
    /// Rules fired.
    pub n_fired: u64,
    outlook: Outlook,
    workers: Vec<Worker<'a>>,
    crew: Crew,
}

/// Looks for the first error.
pub(super) fn check<'a>(search: &'a SharedSearch<'a>) -> Outcome {
    match explore(search) {
        Ok(exploration) => verdict::of_exploration(&exploration),
        Err(reason) => verdict::of_no_search(reason),
    }
}

/// Explores everything, or up to the level of the first error.
///
/// # Errors
/// The table could not be made.
pub(super) fn explore<'a>(search: &'a SharedSearch<'a>) -> Result<Exploration<'a>, StopReason> {
    let state_bits = search.problem.system.state_bits();
    let visited = Visited::new(search.options.storage, state_bits, search.context.limits)?;
    let arena =
        visited.arena().map_or_else(|| new_frontier(search), |arena| Ok(Arc::clone(arena)))?;
    let mut exploration = Exploration {
        search,
        visited,
        levels: Vec::new(),
        record: search.record(),
        stopped: None,
        is_at_bound: false,
        goes_beyond: AtomicBool::new(false),
        depth: 0,
        deepest: 0,
        n_fired: 0,
        outlook: Outlook::default(),
        workers: vec![Worker::new(search, Some(Writer::new(&arena)))],
        crew: Crew::new(search.context.limits.jobs),
    };
    exploration.stopped = exploration.run(arena).err();
    exploration.collect();
    exploration.workers.clear();
    Ok(exploration)
}

fn new_frontier(search: &SharedSearch<'_>) -> Result<Arc<Arena>, StopReason> {
    let arena = Arena::new(search.problem.system.state_bits());
    arena.map(Arc::new).ok_or(StopReason::MemoryLimit)
}

impl<'a> Exploration<'a> {
    fn run(&mut self, mut arena: Arc<Arena>) -> Result<(), StopReason> {
        self.begin()?;
        loop {
            self.collect();
            let level = self.take_level();
            if !level.is_empty() {
                self.deepest = self.depth;
            }
            if level.is_empty() || self.search.ends_with(&self.record) {
                return Ok(());
            }
            if self.search.options.max_depth.is_some_and(|max| u64::from(self.depth) >= max) {
                return self.look_beyond(&arena, level);
            }
            self.search.bound()?;
            self.search.bound_without_slots(&self.record)?;
            if let Visited::Exact(_) = self.visited {
                self.levels.push(level.clone());
                self.expand(&arena, level)?;
            } else {
                let next = new_frontier(self.search)?;
                for worker in &mut self.workers {
                    worker.writer = Some(Writer::new(&next));
                }
                self.expand(&arena, level)?;
                arena = next;
            }
            self.depth += 1;
        }
    }

    /// Looks at the last level of a bounded search: the deadlocks among its states are
    /// within the bound. If no state leads to one that was not met, all were.
    fn look_beyond(
        &mut self,
        arena: &Arc<Arena>,
        level: Vec<Range<u64>>,
    ) -> Result<(), StopReason> {
        self.is_at_bound = true;
        if let Visited::Exact(_) = self.visited {
            self.levels.push(level.clone());
        }
        self.expand(arena, level)
    }

    /// What the search left out.
    pub(super) fn omissions(&self) -> Omissions {
        let mut omissions = self.record.omissions.clone();
        if let Some(bound) = self.search.options.max_depth
            && self.goes_beyond.load(Ordering::Relaxed)
        {
            omissions.add(&Omission::Depth { bound });
        }
        if let Some(omission) = self.visited.omission() {
            omissions.add(&omission);
        }
        omissions
    }

    /// Inserts the initial states.
    fn begin(&mut self) -> Result<(), StopReason> {
        self.workers[0].begin()?;
        loop {
            match self.workers[0].settle(&self.visited, 0, |_| {}) {
                Ok(()) => return Ok(()),
                Err(Unsettled::Full) => self.grow()?,
                Err(Unsettled::Stopped(reason)) => return Err(reason),
            }
        }
    }

    fn grow(&mut self) -> Result<(), StopReason> {
        let writers: Vec<&Writer> =
            self.workers.iter().filter_map(|worker| worker.writer.as_ref()).collect();
        self.visited.grow(&writers, &mut self.crew, self.search.context.limits)
    }

    /// Merges what the threads found.
    fn collect(&mut self) {
        for worker in &mut self.workers {
            worker.publish();
            self.record.absorb(&mut worker.record);
            self.n_fired += std::mem::take(&mut worker.n_fired);
        }
    }

    /// The numbers of the states that were new since the last call.
    fn take_level(&mut self) -> Vec<Range<u64>> {
        let mut ranges: Vec<Range<u64>> = self.writers().flat_map(Writer::take_ranges).collect();
        ranges.sort_by_key(|range| range.start);
        ranges.dedup_by(|next, range| {
            let adjoins = range.end == next.start;
            if adjoins {
                range.end = next.end;
            }
            adjoins
        });
        ranges
    }

    /// Expands a level in as many rounds as it takes.
    fn expand(&mut self, arena: &Arc<Arena>, level: Vec<Range<u64>>) -> Result<(), StopReason> {
        let n_states: u64 = level.iter().map(|range| range.end - range.start).sum();
        self.look_ahead(n_states);
        let worth_threads = match self.search.canonicalizer {
            Some(_) => ORBITS_WORTH_THREADS,
            None => STATES_WORTH_THREADS,
        };
        let wants_threads = n_states >= worth_threads;
        let n_workers = if wants_threads { self.crew.n_threads() } else { 1 };
        while self.workers.len() < n_workers {
            let writer = self.writers().next().map(|writer| writer.another());
            self.workers.push(Worker::new(self.search, writer));
        }
        let mut rest = level;
        while !rest.is_empty() {
            let pieces = cut(&rest, n_workers);
            rest = self.round(arena, &pieces, n_workers, n_states)?;
            if !rest.is_empty() {
                self.grow()?;
            }
        }
        Ok(())
    }

    /// Tells the progress line how many states there will be. A small search is over
    /// before anybody reads that.
    fn look_ahead(&mut self, n_states: u64) {
        self.outlook.add(n_states);
        if self.search.n_stored.load(Ordering::Relaxed) >= STATES_WORTH_AN_OUTLOOK {
            let n_expected = self.outlook.n_expected().unwrap_or(0);
            self.search.n_expected.store(n_expected, Ordering::Relaxed);
        }
    }

    fn writers(&mut self) -> impl Iterator<Item = &mut Writer> {
        self.workers.iter_mut().filter_map(|worker| worker.writer.as_mut())
    }

    /// One round; gives back what is left when the table is full.
    fn round(
        &mut self,
        arena: &Arena,
        pieces: &[Range<u64>],
        n_workers: usize,
        n_states: u64,
    ) -> Result<Vec<Range<u64>>, StopReason> {
        let (cursor, recall) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (cursor, recall, depth) = (&cursor, &recall, self.depth);
        let beyond = self.is_at_bound.then_some(&self.goes_beyond);
        let level = Level { arena, pieces, cursor, recall, depth, n_states, beyond };
        let (visited, results) = (&self.visited, Mutex::new(Vec::new()));
        let workers: Vec<Mutex<&mut Worker<'a>>> =
            self.workers.iter_mut().map(Mutex::new).collect();
        let work = |number: usize| {
            let mut worker = workers[number].lock().expect("each thread has its own worker");
            let result = worker.run(level, visited);
            results.lock().unwrap_or_else(PoisonError::into_inner).push(result);
        };
        if n_workers > 1 {
            self.crew.together(&work);
        } else {
            work(0);
        }
        let n_taken = cursor.load(Ordering::Relaxed).min(pieces.len());
        let mut rest = pieces[n_taken..].to_vec();
        for result in results.into_inner().unwrap_or_else(PoisonError::into_inner) {
            rest.extend(result?);
        }
        Ok(rest)
    }
}

/// Cuts ranges into pieces that one of `n_threads` threads takes at a time.
pub(super) fn cut(ranges: &[Range<u64>], n_threads: usize) -> Vec<Range<u64>> {
    let mut n_left: u64 = ranges.iter().map(|range| range.end - range.start).sum();
    let divisor = PART_OF_SHARE * n_threads as u64;
    let mut pieces = Vec::new();
    for range in ranges {
        let mut start = range.start;
        while start < range.end {
            // A thread alone waits for nobody, and small pieces make small batches.
            let wanted = if n_threads > 1 { n_left / divisor } else { MAX_PIECE };
            let size = wanted.clamp(MIN_PIECE, MAX_PIECE).min(range.end - start);
            pieces.push(start..start + size);
            start += size;
            n_left -= size;
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::{MAX_PIECE, MIN_PIECE, cut};

    #[test]
    fn pieces_cover_the_ranges_and_get_smaller_towards_the_end() {
        let ranges = [1..9000, 10_000..10_003, 11_000..13_000];
        for n_threads in [1, 2, 7] {
            let pieces = cut(&ranges, n_threads);
            let pieced: Vec<u64> = pieces.iter().cloned().flatten().collect();
            let wanted: Vec<u64> = ranges.iter().cloned().flatten().collect();
            assert_eq!(pieced, wanted);
            let size = |idx: usize| pieces[idx].end - pieces[idx].start;
            assert_eq!(size(0), MAX_PIECE);
            assert!(n_threads == 1 || size(pieces.len() - 1) <= MIN_PIECE);
        }
        assert_eq!(cut(&[], 2), []);
    }
}
