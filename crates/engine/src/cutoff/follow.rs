//! What comes after a state: the steps of its threads, those of threads that are drawn
//! there, and all that the search walks to from there (`walk.rs`).

use model::StopReason;

use super::expand::for_each_result;
use super::forward::{Halt, RoundSearch, too_many_states};
use super::lockstep::WorkMeter;
use super::reached::{First, How};
use super::rows::Change;
use super::standing::{Standing, bit};
use super::states::{RowId, add, local_of};
use super::table::{ENDED, Local, MAX_LOCALS, Move, Shared, Step};
use super::walk::Passed;

/// Results of one step, at most.
const MAX_RESULTS: usize = 1 << 20;

/// Rows that wait until there are more of them, at most: enough to keep memory busy.
const FEW_ROWS: usize = 64;

/// Who steps.
#[derive(Clone, Copy)]
struct Mover {
    /// The thread's local store; `None`: the environment.
    local: Option<Local>,
    /// Its entry in the row; `None` if it is not counted there.
    at: Option<usize>,
}

/// A row that the search is at.
#[derive(Clone, Copy)]
struct RowVisit<'r> {
    /// The stored state that it came from.
    id: RowId,
    row: &'r [u32],
    standing: Standing,
    /// The number of threads that there are.
    n_threads: u32,
}

/// What is done with the states that a step leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    /// They are stored, or walked to.
    Any,
    /// They are walked to, or left alone.
    Walk,
    /// They are stored.
    Store,
}

impl RoundSearch<'_> {
    /// All steps of a state and of those that the search walks to from there, by the
    /// threads that they have.
    pub(super) fn expand(&mut self, id: RowId, meter: &mut WorkMeter<'_, '_>) -> Result<(), Halt> {
        let mut row = std::mem::take(&mut self.row);
        let n_threads = self.n_threads;
        let mut is_waiting = false;
        let n_found = self.found.len();
        self.walk.learn(self.table.crossings(), id);
        self.walk.start(self.states.row(id));
        while let Some(standing) = self.walk.pop(&mut row) {
            self.n_visited += 1;
            self.look_on_the_way(meter)?;
            let place = RowVisit { id, row: &row, standing, n_threads };
            self.meet(&place)?;
            is_waiting |= self.is_waiting(row[0], standing);
            self.for_each_actor(&place, |forward, actor| {
                is_waiting |= forward.step(&place, actor, Then::Any)?;
                Ok(())
            })?;
            if self.walk.learn(self.table.crossings(), id) {
                // It may have walked where this state does not pass.
                self.found.truncate(n_found);
                self.walk.start(self.states.row(id));
            }
        }
        self.row = row;
        if is_waiting {
            self.waiting.push(id);
        }
        self.store_many()
    }

    /// One more thread than a state has, or one that the search walks to from there.
    pub(super) fn draw(&mut self, id: RowId, meter: &mut WorkMeter<'_, '_>) -> Result<(), Halt> {
        let mut row = std::mem::take(&mut self.row);
        let n_threads = self.n_threads - 1;
        self.walk.start(self.states.row(id));
        while let Some(standing) = self.walk.pop(&mut row) {
            self.n_visited += 1;
            self.look_on_the_way(meter)?;
            let place = RowVisit { id, row: &row, standing, n_threads };
            self.draw_at(&place)?;
            if !self.pool.is_early {
                self.for_each_actor(&place, |forward, actor| {
                    forward.step(&place, actor, Then::Walk).map(drop)
                })?;
            }
        }
        self.row = row;
        self.store_many()
    }

    fn draw_at(&mut self, place: &RowVisit<'_>) -> Result<(), Halt> {
        let RowVisit { id, row, standing, n_threads } = *place;
        for idx in 0..self.pool.stores.len() {
            let local = self.pool.stores[idx].0;
            if self.pool.is_early {
                if self.pool.is_open(row, idx) {
                    let change = Change { shared: row[0], from: None, to: Some(local) };
                    self.found.push_after(row, change, id);
                }
                continue;
            }
            let how = How::Idle(id);
            self.reached.add(First { shared: row[0], local, n_threads: n_threads + 1, how });
            if idx > 0 || standing.n_there == n_threads {
                // What it does is stored in any case: the next round has to find it.
                self.step(place, Mover { local: Some(local), at: None }, Then::Store)?;
            }
        }
        Ok(())
    }

    /// Stores what was found, if it is much.
    fn store_many(&mut self) -> Result<(), Halt> {
        match self.found.len() < FEW_ROWS {
            true => Ok(()),
            false => self.store(),
        }
    }

    /// Stores what was found.
    pub(super) fn store(&mut self) -> Result<(), Halt> {
        self.states.insert_all(&self.found);
        self.found.truncate(0);
        match self.states.is_full() {
            true => Err(too_many_states()),
            false => Ok(()),
        }
    }

    /// The thread states of a place are reached, and the steps there become known.
    fn meet(&mut self, place: &RowVisit<'_>) -> Result<(), Halt> {
        let RowVisit { row, standing, n_threads, .. } = *place;
        let unknown = self.heres.at(row[0]).unknown;
        let left_out = self.pool.left_out().filter(|_| standing.n_there < n_threads);
        let free = left_out.map_or(0, bit);
        if (standing.bits | free) & unknown == 0 {
            return Ok(());
        }
        self.meet_one(place, ENDED)?;
        for &entry in &row[1..] {
            let local = local_of(entry);
            if local != ENDED && local < MAX_LOCALS {
                self.meet_one(place, local)?;
            }
        }
        left_out.map_or(Ok(()), |local| self.meet_one(place, local))
    }

    /// The same, for a thread in `local`; [`ENDED`]: for the environment.
    fn meet_one(&mut self, place: &RowVisit<'_>, local: Local) -> Result<(), Halt> {
        let (shared, n_threads) = (place.row[0], place.n_threads);
        if local != ENDED {
            self.reached.add(First { shared, local, n_threads, how: How::In(place.id) });
        }
        let is_active = !self.table.moves(shared, local)?.is_empty();
        self.heres.learn(shared, local, is_active);
        Ok(())
    }

    /// Does one more thread make a difference where the search stands?
    #[inline]
    fn is_waiting(&self, shared: Shared, standing: Standing) -> bool {
        match self.pool.left_out() {
            Some(local) if self.pool.stores.len() == 1 => {
                standing.n_there == self.n_threads && self.heres.at(shared).open() & bit(local) != 0
            }
            _ => !self.pool.stores.is_empty(),
        }
    }

    /// Everybody who can step.
    #[inline]
    fn for_each_actor(
        &mut self,
        place: &RowVisit<'_>,
        mut act: impl FnMut(&mut Self, Mover) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let RowVisit { row, standing, n_threads, .. } = *place;
        let active = self.heres.at(row[0]).active;
        if active & bit(ENDED) != 0 {
            act(self, Mover { local: None, at: None })?;
        }
        if active & standing.bits & !bit(ENDED) != 0 {
            for (at, &entry) in row.iter().enumerate().skip(1) {
                let local = local_of(entry);
                if active & bit(local) != 0 && local != ENDED && local < MAX_LOCALS {
                    act(self, Mover { local: Some(local), at: Some(at) })?;
                }
            }
        }
        match self.pool.left_out() {
            Some(local) if standing.n_there < n_threads && active & bit(local) != 0 => {
                act(self, Mover { local: Some(local), at: None })
            }
            _ => Ok(()),
        }
    }

    /// All steps of `actor`. Is there one to a state that the search passes and that waits
    /// for one more thread?
    fn step(&mut self, place: &RowVisit<'_>, actor: Mover, then: Then) -> Result<bool, Halt> {
        let RowVisit { id, row, standing, n_threads } = *place;
        let left_out = self.pool.left_out();
        let moves = self.table.moves(row[0], actor.local.unwrap_or(ENDED))?;
        let mut is_waiting = false;
        for (idx, at) in moves.enumerate() {
            let Move { to: shared, after, is_plain } = self.table.move_at(at);
            let passes = self.passed(shared, id) == Passed::Always;
            let is_walk = then != Then::Store && passes && is_plain;
            if then == Then::Walk && !is_walk {
                continue;
            }
            if !is_plain {
                self.step_with_others(place, actor, idx)?;
                continue;
            }
            let is_counted = actor.local.is_some() && left_out != Some(after);
            let to = is_counted.then_some(after);
            let change = Change { shared, from: actor.at, to };
            if !is_walk {
                self.found.push_after(row, change, id);
                continue;
            }
            let standing = standing.after(actor.at.map(|at| row[at]), to);
            let left_out = left_out.filter(|_| standing.n_there < n_threads);
            let somebody = standing.bits | left_out.map_or(0, bit);
            let waits = self.is_waiting(shared, standing);
            is_waiting |= waits;
            // Where nobody can step and nothing is new, there is no need to go.
            let goes_on = somebody & self.heres.at(shared).open() != 0;
            if goes_on || waits || then == Then::Walk {
                self.walk.push(row, change, standing);
            }
        }
        Ok(is_waiting)
    }

    /// Did the search walk on through `shared` when it came from the state `id`?
    #[inline]
    pub(super) fn passed(&self, shared: Shared, id: RowId) -> Passed {
        match self.pool.is_early {
            // A thread drawn early is a second way to any state.
            true => Passed::No,
            false => self.walk.passed(shared, id),
        }
    }

    /// Step number `idx` of `actor`, which does something to other threads.
    fn step_with_others(
        &mut self,
        place: &RowVisit<'_>,
        actor: Mover,
        idx: usize,
    ) -> Result<(), Halt> {
        let moves = self.table.moves(place.row[0], actor.local.unwrap_or(ENDED))?;
        let step = self.table.step_at(moves.start + idx);
        let mut row = place.row.to_vec();
        if let (Some(local), None) = (actor.local, actor.at) {
            add(&mut row, local);
        }
        self.take(place.id, &row, (actor.local, &step))
    }

    fn take(
        &mut self,
        id: RowId,
        row: &[u32],
        (active, step): (Option<Local>, &Step),
    ) -> Result<(), Halt> {
        let n_threads = self.n_threads + step.spawned.len() as u32;
        self.spawns |= !step.spawned.is_empty();
        let mut results: Vec<Vec<u32>> = Vec::new();
        for_each_result::<Halt>(&mut self.table, row, (active, step), &mut |_, result, _| {
            results.push(result.to_vec());
            match results.len() < MAX_RESULTS {
                true => Ok(()),
                false => {
                    let why = "a broadcast has more than a million ways to move threads".to_owned();
                    Err(StopReason::Incomplete { why }.into())
                }
            }
        })?;
        let moves_pool = match step.broadcast {
            Some(broadcast) => self.pool.is_moved_by(&mut self.table, broadcast),
            None => false,
        };
        if moves_pool && !self.pool.is_early {
            return Err(Halt::DrawEarly);
        }
        for mut result in results {
            if let Some(broadcast) = step.broadcast.filter(|_| moves_pool) {
                self.pool.mark(&mut self.table, broadcast, &mut result);
            }
            self.leave_out(&mut result);
            match n_threads > self.n_threads {
                true => self.later.entry(n_threads).or_default().push((id, result)),
                false => self.found.push(&result, id),
            }
        }
        Ok(())
    }
}
