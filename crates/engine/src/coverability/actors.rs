//! The threads of a run while it is told: who takes each step, and whom a broadcast
//! moves.
//!
//! Threads that were listed have a local store of their own. Where a run starts with
//! very many, the rest is only counted, by local store, and a thread is listed when
//! something happens to it.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    BroadcastId, Configuration, CounterId, CounterStep, PassiveMove, StepError, StepErrorRef,
    Steps, StopReason, Store, ThreadProgram, ThreadStep,
};
use rustc_hash::FxHashMap;

use super::lower::Lowered;
use super::threads::mismatch;

/// Threads of a run that are listed at most, if not all are from the start: broadcasts
/// move every thread, and each move is part of the trace.
const MAX_LISTED: usize = 1 << 20;

/// The threads of a run. Numbers are given in the order of listing.
pub struct Actors<'a> {
    program: &'a dyn ThreadProgram,
    lowered: &'a Lowered,
    ids: FxHashMap<&'a Store, CounterId>,
    /// Each listed thread's local store; `None` when it has ended.
    locals: Vec<Option<CounterId>>,
    /// The listed threads in each local store.
    at: BTreeMap<CounterId, BTreeSet<usize>>,
    /// Initial threads that are only counted, by local store.
    counted: BTreeMap<CounterId, u32>,
    /// Where the initial threads start that were listed on the way.
    drawn: Vec<(usize, CounterId)>,
    /// The thread that moved last.
    last: Option<usize>,
}

/// A step that is told.
pub struct Told {
    /// The step; threads have the numbers of [`Actors`].
    pub step: ThreadStep,
    /// The error that it is, if it is one.
    pub error: Option<StepError>,
}

impl<'a> Actors<'a> {
    /// Threads of which `listed` are listed, in this order, and the others counted.
    pub fn new(
        program: &'a dyn ThreadProgram,
        lowered: &'a Lowered,
        listed: &[CounterId],
        counted: BTreeMap<CounterId, u32>,
    ) -> Actors<'a> {
        let ids = (0u32..).zip(&lowered.local).map(|(idx, store)| (store, CounterId(idx)));
        let mut actors = Actors {
            program,
            lowered,
            ids: ids.collect(),
            locals: Vec::new(),
            at: BTreeMap::new(),
            counted,
            drawn: Vec::new(),
            last: None,
        };
        listed.iter().for_each(|local| actors.list(*local));
        actors
    }

    /// The initial threads that were listed on the way, each with where it starts.
    pub fn drawn(&self) -> &[(usize, CounterId)] {
        &self.drawn
    }

    /// Takes a step of the counters as a step of threads.
    ///
    /// # Errors
    /// When it is none of the program, or moves too many threads.
    pub fn act(
        &mut self,
        before: &Configuration,
        step: &CounterStep,
        active: Option<CounterId>,
        step_idx: usize,
    ) -> Result<Told, StopReason> {
        let thread = active.map(|local| self.choose(local)).transpose()?;
        let mut steps = Steps::new();
        let shared = &self.lowered.shared[before.control.idx()];
        match active {
            Some(local) => {
                let local = &self.lowered.local[local.idx()];
                self.program.steps(shared.bytes(), local.bytes(), &mut steps);
            }
            None => self.program.environment_steps(shared.bytes(), &mut steps),
        }
        let taken = steps.iter().nth(step_idx).ok_or_else(|| mismatch("a step is missing"))?;
        let label = self.program.narrator().label(taken.label());
        let passive = match taken.broadcast() {
            None => Vec::new(),
            // Nothing comes after an error, so its counters were not followed.
            Some(broadcast) if taken.violation().is_some() => {
                self.any_passive(broadcast, thread)?
            }
            Some(_) => self.passive(step, thread)?,
        };
        let after = taken.local().map(Store::new).filter(|_| thread.is_some());
        let spawned: Vec<Store> = taken.spawned().map(Store::new).collect();
        if taken.violation().is_none() {
            self.follow(thread, after.as_ref(), &spawned)?;
        }
        let told = ThreadStep {
            thread: thread.map(|thread| thread as u32),
            label: label.text,
            span: label.span,
            shared: Store::new(taken.shared()),
            local: after,
            spawned,
            passive,
        };
        Ok(Told { step: told, error: taken.violation().map(StepErrorRef::owned) })
    }

    fn list(&mut self, local: CounterId) {
        self.at.entry(local).or_default().insert(self.locals.len());
        self.locals.push(Some(local));
    }

    /// Lists a thread that was only counted until now.
    fn draw(&mut self, local: CounterId) -> Option<usize> {
        let left = self.counted.get_mut(&local).filter(|left| **left > 0)?;
        *left -= 1;
        let thread = self.locals.len();
        self.drawn.push((thread, local));
        self.list(local);
        Some(thread)
    }

    fn go(&mut self, thread: usize, to: Option<CounterId>) {
        if let Some(from) = std::mem::replace(&mut self.locals[thread], to) {
            self.at.entry(from).or_default().remove(&thread);
        }
        if let Some(to) = to {
            self.at.entry(to).or_default().insert(thread);
        }
    }

    /// Moves the active thread and adds the spawned ones.
    fn follow(
        &mut self,
        thread: Option<usize>,
        after: Option<&Store>,
        spawned: &[Store],
    ) -> Result<(), StopReason> {
        if let Some(thread) = thread {
            let after = after.map(|store| self.index_of(store)).transpose()?;
            self.go(thread, after);
            self.last = Some(thread);
        }
        for store in spawned {
            let local = self.index_of(store)?;
            self.list(local);
        }
        Ok(())
    }

    /// The thread that takes a step from `local`: the one that moved last, so that
    /// there are few switches to read, otherwise the first.
    fn choose(&mut self, local: CounterId) -> Result<usize, StopReason> {
        let last = self.last.filter(|thread| self.locals[*thread] == Some(local));
        let first = self.at.get(&local).and_then(|threads| threads.first().copied());
        let found = last.or(first).or_else(|| self.draw(local));
        found.ok_or_else(|| mismatch("no thread is where a step starts"))
    }

    /// Moves the threads that a broadcast moves, and tells which.
    fn passive(
        &mut self,
        step: &CounterStep,
        active: Option<usize>,
    ) -> Result<Vec<PassiveMove>, StopReason> {
        let transition = &self.lowered.system.transitions[step.transition.idx()];
        let mut going: Vec<(usize, CounterId)> = Vec::new();
        for emptied in &transition.moves {
            let mut shares: Vec<(CounterId, u32)> = match emptied.to[..] {
                [only] => vec![(only, u32::MAX)],
                _ => {
                    let own = step.choices.iter().filter(|(from, ..)| *from == emptied.from);
                    own.map(|(_, to, amount)| (*to, *amount)).collect()
                }
            };
            let mut places = shares.iter_mut().filter(|(_, amount)| *amount > 0).peekable();
            let listed = self.at.get(&emptied.from).into_iter().flatten().copied();
            for thread in listed.filter(|thread| Some(*thread) != active) {
                let Some((to, amount)) = places.peek_mut() else { break };
                going.push((thread, *to));
                *amount = amount.saturating_sub(u32::from(*amount < u32::MAX));
                if *amount == 0 {
                    places.next();
                }
            }
            going.extend(self.draw_movers(emptied.from, &shares)?);
        }
        going.retain(|(thread, to)| self.locals[*thread] != Some(*to));
        going.sort_unstable();
        Ok(self.move_all(&going))
    }

    /// Lists the threads that are counted in `from` and go elsewhere, with where to.
    fn draw_movers(
        &mut self,
        from: CounterId,
        shares: &[(CounterId, u32)],
    ) -> Result<Vec<(usize, CounterId)>, StopReason> {
        let mut going = Vec::new();
        let mut left = self.counted.get(&from).copied().unwrap_or(0);
        for &(to, amount) in shares {
            let amount = amount.min(left);
            left -= amount;
            if to == from {
                continue;
            }
            self.check_room(amount)?;
            going.extend((0..amount).filter_map(|_| Some((self.draw(from)?, to))));
        }
        Ok(going)
    }

    fn check_room(&self, n_more: u32) -> Result<(), StopReason> {
        if n_more == 0 || self.locals.len() + n_more as usize <= MAX_LISTED {
            return Ok(());
        }
        let why = format!(
            "an error is reachable, but a broadcast on the way moves {n_more} threads, and a \
             counterexample lists no more than {MAX_LISTED}"
        );
        Err(StopReason::Incomplete { why })
    }

    fn move_all(&mut self, going: &[(usize, CounterId)]) -> Vec<PassiveMove> {
        let mut moved = Vec::with_capacity(going.len());
        for (thread, to) in going {
            self.go(*thread, Some(*to));
            let local = self.lowered.local[to.idx()].clone();
            moved.push(PassiveMove { thread: *thread as u32, local });
        }
        moved
    }

    /// Some reaction of every other thread to a broadcast: to stay, if it may.
    fn any_passive(
        &mut self,
        broadcast: BroadcastId,
        active: Option<usize>,
    ) -> Result<Vec<PassiveMove>, StopReason> {
        let counted: Vec<(CounterId, u32)> = self.counted.iter().map(|(l, n)| (*l, *n)).collect();
        for (local, count) in counted {
            if self.reaction(broadcast, local).is_some() {
                self.check_room(count)?;
                (0..count).for_each(|_| _ = self.draw(local));
            }
        }
        let mut moved = Vec::new();
        for (thread, local) in self.locals.iter().enumerate() {
            let Some(local) = local.filter(|_| Some(thread) != active) else { continue };
            if let Some(local) = self.reaction(broadcast, local) {
                moved.push(PassiveMove { thread: thread as u32, local });
            }
        }
        Ok(moved)
    }

    /// Where a thread goes that may not stay.
    fn reaction(&self, broadcast: BroadcastId, local: CounterId) -> Option<Store> {
        let store = &self.lowered.local[local.idx()];
        let mut becomes = Vec::new();
        self.program.passive(broadcast, store.bytes(), &mut becomes);
        let may_stay = becomes.is_empty() || becomes.contains(store);
        (!may_stay).then(|| becomes.swap_remove(0))
    }

    fn index_of(&self, store: &Store) -> Result<CounterId, StopReason> {
        self.ids.get(store).copied().ok_or_else(|| mismatch("a local store is new"))
    }
}
