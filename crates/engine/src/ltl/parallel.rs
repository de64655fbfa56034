//! Looks for an accepting cycle with several threads.
//!
//! Each worker runs its own nested depth-first search, in its own order, and
//! leaves out what another one has finished: pairs marked blue (left by some outer
//! search) and red (no accepting cycle to be reached). Before a worker marks what
//! its inner search met, it waits until the accepting pairs among these are red.
//!
//! **Answers** whether there is a cycle; which one depends on timing, so
//! `mod.rs` then asks `nested.rs`. **Source** Evangelista, Laarman, Petrucci and
//! van de Pol, ATVA 2012 (CNDFS), where the wait is shown to end. We differ: the
//! table is divided into locked shards instead of being lock-free.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use model::{Context, Limits, Omissions, StopReason, TransitionSystem};
use rustc_hash::FxHashSet;

use crate::kernel::budget::Budget;
use crate::ltl::ENGINE;
use crate::ltl::automaton::Automaton;
use crate::ltl::nested::{CycleFinding, NestedReport};
use crate::ltl::product::{Edges, Product, ProductHalt};
use crate::ltl::store::{NotAdded, StateStore, hash};

/// Searches with as many workers as the limits allow jobs.
pub(super) fn search(
    system: &dyn TransitionSystem,
    automaton: &Automaton,
    context: Context<'_>,
) -> Result<NestedReport, StopReason> {
    let is_over = Arc::new(AtomicBool::new(false));
    let limits = context.limits;
    let own_limits = limits.cancelled_by(&is_over);
    let words = Product::new(system, automaton, &own_limits).layout.words;
    let table = ColourTable::new(words, limits);
    let outcomes: Vec<(Result<CycleFinding, StopReason>, Omissions)> =
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..limits.jobs as u64)
                .map(|seed| {
                    let (table, is_over, own_limits) = (&table, &is_over, &own_limits);
                    scope.spawn(move || {
                        let _guard = EndsAllByPanic(is_over);
                        let product = Product::new(system, automaton, own_limits);
                        let budget = Budget::new(ENGINE, u64::MAX, context.within(own_limits));
                        let mut worker = NestedWorker::new(product, table, budget, (is_over, seed));
                        let outcome = worker.run();
                        if !matches!(outcome, Ok(CycleFinding::Nothing)) {
                            is_over.store(true, Ordering::Relaxed);
                        }
                        (outcome, worker.product.take_omissions())
                    })
                })
                .collect();
            let joined = workers.into_iter().map(|worker| worker.join());
            joined.map(|outcome| outcome.unwrap_or_else(|panic| resume_unwind(panic))).collect()
        });
    let mut omissions = Omissions::default();
    outcomes.iter().for_each(|(_, omitted)| omissions.absorb(omitted));
    let mut stopped = None;
    for (outcome, _) in outcomes {
        match outcome {
            Ok(CycleFinding::Nothing) => {}
            Ok(finding) => return Ok(NestedReport { finding, n_states: table.len(), omissions }),
            Err(reason) => stopped = stopped.or(Some(reason)),
        }
    }
    match stopped {
        None => {
            let finding = CycleFinding::Nothing;
            Ok(NestedReport { finding, n_states: table.len(), omissions })
        }
        // The worker that met a limit first made the others stop.
        Some(reason) => limits.check().and(Err(reason)),
    }
}

/// Others may wait for what a worker that panics would have marked.
struct EndsAllByPanic<'a>(&'a AtomicBool);

impl Drop for EndsAllByPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Left by some outer search.
const BLUE: u8 = 1;
/// No accepting cycle can be reached from here.
const RED: u8 = 2;

/// Many more than there are threads, so that two seldom want the same.
const N_SHARDS: usize = 1 << 8;

/// The pairs met so far with their colours.
struct ColourTable {
    shards: Vec<Mutex<Shard>>,
    n_states: AtomicU64,
}

struct Shard {
    store: StateStore,
    colours: Vec<u8>,
}

/// A pair: its shard, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    shard: u32,
    number: u32,
}

impl ColourTable {
    fn new(words: usize, limits: &Limits) -> ColourTable {
        let store = || StateStore::new(words, limits);
        let shard = || Mutex::new(Shard { store: store(), colours: Vec::new() });
        ColourTable {
            shards: (0..N_SHARDS).map(|_| shard()).collect(),
            n_states: AtomicU64::new(0),
        }
    }

    fn shard(&self, shard: u32) -> MutexGuard<'_, Shard> {
        // A shard is whole between any two of its operations.
        self.shards[shard as usize].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn insert(&self, pair: &[u64]) -> Result<Key, NotAdded> {
        // The low bits choose the slot within the shard.
        let shard = (hash(pair) >> 56) as u32;
        let mut guard = self.shard(shard);
        let (number, is_new) = guard.store.insert(pair)?;
        if is_new {
            guard.colours.push(0);
            self.n_states.fetch_add(1, Ordering::Relaxed);
        }
        Ok(Key { shard, number })
    }

    fn copy(&self, key: Key, pair: &mut Vec<u64>) {
        pair.clear();
        pair.extend_from_slice(self.shard(key.shard).store.get(key.number));
    }

    fn has(&self, key: Key, colour: u8) -> bool {
        self.shard(key.shard).colours[key.number as usize] & colour != 0
    }

    fn mark(&self, key: Key, colour: u8) {
        self.shard(key.shard).colours[key.number as usize] |= colour;
    }

    fn len(&self) -> u64 {
        self.n_states.load(Ordering::Relaxed)
    }
}

/// A pair on a path, and how many successors were pending before its own.
struct Frame {
    key: Key,
    floor: usize,
    is_accepting: bool,
}

struct NestedWorker<'a> {
    product: Product<'a>,
    table: &'a ColourTable,
    budget: Budget<'a>,
    is_over: &'a AtomicBool,
    random: u64,
    path: Vec<Frame>,
    pending: Vec<Key>,
    /// The pairs on the path of the outer search.
    cyan: FxHashSet<Key>,
    /// The pairs of the inner search, in the order in which it met them.
    met: Vec<(Key, bool)>,
    is_met: FxHashSet<Key>,
    edges: Edges,
    pair: Vec<u64>,
}

impl<'a> NestedWorker<'a> {
    fn new(
        product: Product<'a>,
        table: &'a ColourTable,
        budget: Budget<'a>,
        (is_over, seed): (&'a AtomicBool, u64),
    ) -> NestedWorker<'a> {
        let edges = product.edges();
        NestedWorker {
            product,
            table,
            budget,
            is_over,
            random: seed,
            path: Vec::new(),
            pending: Vec::new(),
            cyan: FxHashSet::default(),
            met: Vec::new(),
            is_met: FxHashSet::default(),
            edges,
            pair: Vec::new(),
        }
    }

    fn run(&mut self) -> Result<CycleFinding, StopReason> {
        match self.walk() {
            Ok(None) => Ok(CycleFinding::Nothing),
            Ok(Some(target)) => Ok(self.cycle_to(target)),
            Err(ProductHalt::Fault(place, fault)) => {
                Ok(CycleFinding::Fault { path: self.words(&self.keys()), place, fault })
            }
            Err(ProductHalt::Stopped(reason)) => Err(reason),
        }
    }

    /// A pair on the path of the outer search to which an edge from the end of the
    /// path closes an accepting cycle.
    fn walk(&mut self) -> Result<Option<Key>, ProductHalt> {
        self.product.initial(&mut self.edges)?;
        self.keep_edges()?;
        let mut roots = std::mem::take(&mut self.pending);
        while let Some(root) = roots.pop() {
            if !self.table.has(root, BLUE)
                && let Some(target) = self.walk_from(root)?
            {
                return Ok(Some(target));
            }
        }
        Ok(None)
    }

    /// The outer search.
    fn walk_from(&mut self, root: Key) -> Result<Option<Key>, ProductHalt> {
        self.enter(root)?;
        self.cyan.insert(root);
        while let Some(&Frame { key, floor, is_accepting }) = self.path.last() {
            if self.pending.len() > floor {
                let target = self.pending.pop().expect("longer than the floor");
                if self.cyan.contains(&target) {
                    if is_accepting || self.accepts(target) {
                        return Ok(Some(target));
                    }
                } else if !self.table.has(target, BLUE) {
                    self.enter(target)?;
                    self.cyan.insert(target);
                }
                continue;
            }
            self.table.mark(key, BLUE);
            if is_accepting {
                if let Some(target) = self.walk_back_from(key)? {
                    return Ok(Some(target));
                }
                self.settle(key)?;
            }
            self.cyan.remove(&key);
            self.path.pop();
        }
        Ok(None)
    }

    /// The inner search: is there a way from `seed` to the path of the outer one?
    fn walk_back_from(&mut self, seed: Key) -> Result<Option<Key>, ProductHalt> {
        let base = self.path.len();
        self.met.clear();
        self.is_met.clear();
        self.enter_red(seed)?;
        while self.path.len() > base {
            let floor = self.path.last().expect("above the base").floor;
            if self.pending.len() == floor {
                self.path.pop();
                continue;
            }
            let target = self.pending.pop().expect("longer than the floor");
            if self.cyan.contains(&target) {
                return Ok(Some(target));
            }
            if !self.is_met.contains(&target) && !self.table.has(target, RED) {
                self.enter_red(target)?;
            }
        }
        Ok(None)
    }

    /// Waits for other workers and marks what the inner search met.
    fn settle(&mut self, seed: Key) -> Result<(), ProductHalt> {
        for &(key, is_accepting) in &self.met {
            while is_accepting && key != seed && !self.table.has(key, RED) {
                if self.is_over.load(Ordering::Relaxed) {
                    return Err(ProductHalt::Stopped(StopReason::Interrupted));
                }
                std::thread::yield_now();
            }
        }
        for &(key, _) in &self.met {
            self.table.mark(key, RED);
        }
        Ok(())
    }

    fn enter_red(&mut self, key: Key) -> Result<(), ProductHalt> {
        self.enter(key)?;
        let is_accepting = self.path.last().is_some_and(|frame| frame.is_accepting);
        self.met.push((key, is_accepting));
        self.is_met.insert(key);
        Ok(())
    }

    /// Puts `key` onto the path, with its successors in this worker's own order.
    fn enter(&mut self, key: Key) -> Result<(), ProductHalt> {
        let n_states = self.table.n_states.load(Ordering::Relaxed);
        let depth = self.path.len() as u64;
        self.budget.spend(1, &[("states stored", n_states), ("depth", depth)])?;
        self.table.copy(key, &mut self.pair);
        let is_accepting = self.product.accepts(&self.pair);
        self.path.push(Frame { key, floor: self.pending.len(), is_accepting });
        self.product.expand(&self.pair, &mut self.edges)?;
        self.keep_edges()
    }

    fn keep_edges(&mut self) -> Result<(), ProductHalt> {
        let start = self.pending.len();
        for (_, pair) in self.edges.iter() {
            self.pending.push(self.table.insert(pair)?);
        }
        let fresh = &mut self.pending[start..];
        fresh.reverse();
        // Rotating by another number in each worker lets them part at once.
        if !fresh.is_empty() && self.random != 0 {
            self.random = self.random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let by = (self.random >> 33) as usize % fresh.len();
            fresh.rotate_left(by);
        }
        Ok(())
    }

    /// The pairs of the path; the inner search begins with the last one of the outer.
    fn keys(&self) -> Vec<Key> {
        let mut keys: Vec<Key> = self.path.iter().map(|frame| frame.key).collect();
        keys.dedup();
        keys
    }

    fn cycle_to(&self, target: Key) -> CycleFinding {
        let keys = self.keys();
        let entry = keys.iter().position(|&key| key == target).expect("the target is cyan");
        let mut cycle = self.words(&keys[entry + 1..]);
        cycle.extend(self.words(&[target]));
        CycleFinding::Cycle { stem: self.words(&keys[..=entry]), cycle, choices: None }
    }

    fn words(&self, keys: &[Key]) -> Vec<Box<[u64]>> {
        let words = |&key: &Key| self.table.shard(key.shard).store.get(key.number).into();
        keys.iter().map(words).collect()
    }

    fn accepts(&mut self, key: Key) -> bool {
        self.table.copy(key, &mut self.pair);
        self.product.accepts(&self.pair)
    }
}
