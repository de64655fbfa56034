//! The sets R_1, R_2, … by going through states, each state once for all numbers of
//! threads.
//!
//! A state is stored in the round of the smallest number of threads that reaches it.
//! Round n + 1 starts from the states of round n: there, one more thread is drawn from
//! the pool (`pool.rs`) or created, and what it makes possible is followed up.
//!
//! **Exact.** After round n, `reached` is R_n: the thread states of all runs in which n
//! threads take part, those that are created on the way and those that have ended
//! included.

use std::collections::BTreeMap;

use model::{Limits, Progress, ProgressSink, StopReason};

use super::expand::for_each_result;
use super::pool::{self, MAX_THREADS, Pool};
use super::reached::{First, How, Reached};
use super::states::{NOBODY, StateId, States, add, count_of, local_of, write_after};
use super::table::{ENDED, Local, MAX_LOCALS, Move, Shared, Step, Table};
use super::walk::{Passed, Walk};

/// States between two looks at the limits.
const STATES_BETWEEN_LOOKS: u32 = 1024;

/// Results of one step, at most.
const MAX_RESULTS: usize = 1 << 20;

/// Why a round did not end.
#[derive(Debug)]
pub enum Halt {
    /// A broadcast moves threads of the pool: it must start again, drawing them early.
    DrawEarly,
    /// A limit, or something the program cannot say.
    Stopped(StopReason),
}

impl From<StopReason> for Halt {
    fn from(reason: StopReason) -> Halt {
        Halt::Stopped(reason)
    }
}

/// The search.
pub struct Forward<'a> {
    /// The program's stores and steps.
    pub table: Table<'a>,
    /// Who may be drawn.
    pub pool: Pool,
    /// All states so far.
    pub states: States,
    /// The thread states so far.
    pub reached: Reached,
    /// The number of threads of the last round.
    pub n_threads: u32,
    /// The number of threads that are there in every run.
    pub n_fixed: u32,
    /// Do steps create threads?
    pub spawns: bool,
    /// States of the last round where one more thread makes a difference.
    waiting: Vec<StateId>,
    /// The number of threads of each round, and its first state.
    rounds: Vec<(u32, StateId)>,
    /// States of later rounds, by the number of their threads.
    later: BTreeMap<u32, Vec<(StateId, Vec<u32>)>>,
    max_states: u32,
    walk: Walk,
    /// Rows that are made again and again.
    row: Vec<u32>,
    after: Vec<u32>,
}

/// Who steps.
#[derive(Clone, Copy)]
struct Actor {
    /// The thread's local store; `None`: the environment.
    local: Option<Local>,
    /// Its entry in the row; `None` if it is not counted there.
    at: Option<usize>,
}

impl<'a> Forward<'a> {
    /// Goes through the states without threads from the pool: the first round.
    ///
    /// # Errors
    /// It did not end.
    pub fn start(
        table: Table<'a>,
        is_early: bool,
        max_states: u32,
        limits: &Limits,
        progress: &dyn ProgressSink,
    ) -> Result<Forward<'a>, Halt> {
        let mut table = table;
        let pool = Pool::new(&mut table, is_early)?;
        let (rows, n_fixed) = pool::starts(&mut table)?;
        let mut forward = Forward {
            table,
            pool,
            states: States::default(),
            reached: Reached::default(),
            n_threads: n_fixed,
            n_fixed,
            spawns: false,
            waiting: Vec::new(),
            rounds: vec![(n_fixed, 0)],
            later: BTreeMap::new(),
            max_states,
            walk: Walk::default(),
            row: Vec::new(),
            after: Vec::new(),
        };
        let program = forward.table.program();
        for store in program.initial_shared() {
            let shared = forward.table.shared_number(&store);
            forward.table.add_crossing(shared);
            for row in &rows {
                let mut row = row.clone();
                row[0] = shared;
                forward.leave_out(&mut row);
                forward.put(&row, n_fixed, NOBODY)?;
            }
        }
        forward.close(0, limits, progress)?;
        Ok(forward)
    }

    /// Was there no thread of the pool yet?
    pub fn is_first(&self) -> bool {
        self.n_threads == self.n_fixed
    }

    /// The fewest threads that reach a state.
    pub(super) fn n_threads_of(&self, id: StateId) -> u32 {
        let later = self.rounds.partition_point(|&(_, first)| first <= id);
        self.rounds[later - 1].0
    }

    /// The next round.
    ///
    /// # Errors
    /// It did not end; then nothing may be asked of the search any more but what was
    /// reached with fewer threads.
    pub fn advance(&mut self, limits: &Limits, progress: &dyn ProgressSink) -> Result<(), Halt> {
        if self.n_threads >= MAX_THREADS {
            return Err(pool::too_many_threads().into());
        }
        self.n_threads += 1;
        self.rounds.push((self.n_threads, self.states.end()));
        let first = self.states.end();
        for (n_drawn, id) in (1..).zip(std::mem::take(&mut self.waiting)) {
            self.draw(id)?;
            if is_time_to_look(n_drawn) {
                self.look(limits, progress)?;
            }
        }
        for (parent, row) in self.later.remove(&self.n_threads).unwrap_or_default() {
            self.put(&row, self.n_threads, parent)?;
        }
        self.close(first, limits, progress)
    }

    fn look(&self, limits: &Limits, progress: &dyn ProgressSink) -> Result<(), Halt> {
        let figures = [
            ("threads", u64::from(self.n_threads)),
            ("states", u64::from(self.states.n_states())),
            ("thread states", self.reached.n_reached() as u64),
        ];
        progress.report(&Progress { engine: "cutoff", figures: &figures });
        if self.states.n_states() >= self.max_states {
            return Err(too_many_states());
        }
        Ok(limits.check()?)
    }

    /// Follows up all states of the round, which are those from `first` on.
    fn close(
        &mut self,
        first: StateId,
        limits: &Limits,
        progress: &dyn ProgressSink,
    ) -> Result<(), Halt> {
        let (mut id, mut n_expanded) = (first, 0);
        while id < self.states.end() {
            self.expand(id)?;
            id = self.states.next(id);
            n_expanded += 1;
            if is_time_to_look(n_expanded) {
                self.look(limits, progress)?;
            }
        }
        Ok(limits.check()?)
    }

    /// One more thread than the state has, or one that the search walks to from there.
    fn draw(&mut self, id: StateId) -> Result<(), Halt> {
        let mut row = Vec::new();
        self.walk.start(self.states.row(id));
        while self.walk.pop(&mut row) {
            self.draw_in(id, &row)?;
            if !self.pool.is_early {
                self.for_each_actor(&row, self.n_threads - 1, |forward, actor| {
                    forward.walk_on(id, &row, actor)
                })?;
            }
        }
        Ok(())
    }

    /// One more thread than `row` has, which was walked to from the state `id`.
    fn draw_in(&mut self, id: StateId, row: &[u32]) -> Result<(), Halt> {
        let n_free = self.n_threads - 1 - n_threads_in(row);
        for idx in 0..self.pool.stores.len() {
            let local = self.pool.stores[idx].0;
            if self.pool.is_early {
                if self.pool.is_open(row, idx) {
                    let mut row = row.to_vec();
                    add(&mut row, local);
                    self.put(&row, self.n_threads, id)?;
                }
                continue;
            }
            let (shared, n_threads) = (row[0], self.n_threads);
            self.reached.add(First { shared, local, n_threads, how: How::Idle(id) });
            if idx > 0 || n_free == 0 {
                // What it does is stored in any case: no state of this round leads there.
                self.step(id, row, Actor { local: Some(local), at: None }, false)?;
            }
        }
        Ok(())
    }

    /// All steps of a state and of those that the search walks to from there, by the
    /// threads that they have.
    fn expand(&mut self, id: StateId) -> Result<(), Halt> {
        let mut row = std::mem::take(&mut self.row);
        self.walk.learn(self.table.crossings(), id);
        let mut is_waiting = false;
        self.walk.start(self.states.row(id));
        while self.walk.pop(&mut row) {
            is_waiting |= self.is_waiting(&row)?;
            self.for_each_actor(&row, self.n_threads, |forward, actor| {
                forward.step(id, &row, actor, true)
            })?;
            if self.walk.learn(self.table.crossings(), id) {
                // It may have walked where this state does not pass.
                self.walk.start(self.states.row(id));
            }
        }
        self.row = row;
        if is_waiting {
            self.waiting.push(id);
        }
        Ok(())
    }

    /// Does one more thread make a difference to a row of this round?
    fn is_waiting(&mut self, row: &[u32]) -> Result<bool, Halt> {
        match self.pool.left_out() {
            Some(local) if self.pool.stores.len() == 1 => {
                let is_all_there = n_threads_in(row) == self.n_threads;
                Ok(is_all_there
                    && (!self.reached.contains(row[0], local)
                        || !self.table.moves(row[0], local)?.is_empty()))
            }
            _ => Ok(!self.pool.stores.is_empty()),
        }
    }

    /// Everybody who may step in `row` if there are `n_threads` threads.
    fn for_each_actor(
        &mut self,
        row: &[u32],
        n_threads: u32,
        mut act: impl FnMut(&mut Self, Actor) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        act(self, Actor { local: None, at: None })?;
        let mut n_there = 0;
        for (at, &entry) in row.iter().enumerate().skip(1) {
            let local = local_of(entry);
            if local < MAX_LOCALS {
                n_there += count_of(entry);
                if local != ENDED {
                    act(self, Actor { local: Some(local), at: Some(at) })?;
                }
            }
        }
        match self.pool.left_out() {
            Some(local) if n_there < n_threads => {
                act(self, Actor { local: Some(local), at: None })
            }
            _ => Ok(()),
        }
    }

    /// All steps of `actor` in `row`. Where `may_pass` says so, states that the search
    /// passes are walked to instead of stored.
    fn step(
        &mut self,
        id: StateId,
        row: &[u32],
        actor: Actor,
        may_pass: bool,
    ) -> Result<(), Halt> {
        let moves = self.table.moves(row[0], actor.local.unwrap_or(ENDED))?;
        let first = moves.start;
        for idx in moves {
            let Move { to, is_plain, .. } = self.table.move_at(idx);
            if !is_plain {
                self.step_with_others(id, row, actor, idx - first)?;
                continue;
            }
            let mut after = std::mem::take(&mut self.after);
            self.write_after(&mut after, row, actor, idx);
            if may_pass && self.passes(to, id) {
                self.note(&after, self.n_threads, id);
                self.walk.push(&after);
            } else {
                self.put(&after, self.n_threads, id)?;
            }
            self.after = after;
        }
        Ok(())
    }

    /// Walks to the states that were passed when `id` was followed up.
    fn walk_on(&mut self, id: StateId, row: &[u32], actor: Actor) -> Result<(), Halt> {
        for idx in self.table.moves(row[0], actor.local.unwrap_or(ENDED))? {
            let Move { to, is_plain, .. } = self.table.move_at(idx);
            if is_plain && self.passes(to, id) {
                let mut after = std::mem::take(&mut self.after);
                self.write_after(&mut after, row, actor, idx);
                self.walk.push(&after);
                self.after = after;
            }
        }
        Ok(())
    }

    /// Does the search walk on through `shared` when it comes from the state `id`?
    fn passes(&self, shared: Shared, id: StateId) -> bool {
        self.passed(shared, id) == Passed::Always
    }

    /// Did the search walk on through `shared` when it came from the state `id`?
    pub(super) fn passed(&self, shared: Shared, id: StateId) -> Passed {
        match self.pool.is_early {
            // A thread drawn early is a second way to any state.
            true => Passed::No,
            false => self.walk.passed(shared, id),
        }
    }

    /// Makes `after` what plain move number `idx` of `actor` makes of `row`.
    fn write_after(&self, after: &mut Vec<u32>, row: &[u32], actor: Actor, idx: usize) {
        let Move { to, after: local, .. } = self.table.move_at(idx);
        let is_there = actor.local.is_some() && self.pool.left_out() != Some(local);
        write_after(after, row, (to, actor.at, is_there.then_some(local)));
    }

    /// Step number `idx` of `actor`, which does something to other threads.
    fn step_with_others(
        &mut self,
        id: StateId,
        row: &[u32],
        actor: Actor,
        idx: usize,
    ) -> Result<(), Halt> {
        let number = self.table.known(row[0], actor.local.unwrap_or(ENDED))?;
        let step = self.table.answer(number).steps[idx].clone();
        let mut row = row.to_vec();
        if let (Some(local), None) = (actor.local, actor.at) {
            add(&mut row, local);
        }
        self.take(id, &row, (actor.local, &step))
    }

    fn take(
        &mut self,
        id: StateId,
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
                false => self.put(&result, n_threads, id)?,
            }
        }
        Ok(())
    }

    /// Stores a state that so many threads reach, if it is new.
    fn put(&mut self, row: &[u32], n_threads: u32, parent: StateId) -> Result<(), Halt> {
        if self.states.is_full() {
            return Err(too_many_states());
        }
        if let Some(id) = self.states.insert(row, parent) {
            self.note(row, n_threads, id);
        }
        Ok(())
    }

    /// The thread states of a row are reached, by the state `id` or on a walk from it.
    fn note(&mut self, row: &[u32], n_threads: u32, id: StateId) {
        let shared = row[0];
        let (mut n_there, how) = (0, How::In(id));
        for &entry in &row[1..] {
            let local = local_of(entry);
            if local < MAX_LOCALS {
                n_there += count_of(entry);
                if local != ENDED {
                    self.reached.add(First { shared, local, n_threads, how });
                }
            }
        }
        if let Some(local) = self.pool.left_out()
            && n_there < n_threads
        {
            self.reached.add(First { shared, local, n_threads, how });
        }
    }

    /// Forgets the threads of the pool whose number follows from the others.
    pub(super) fn leave_out(&self, row: &mut Vec<u32>) {
        if let Some(local) = self.pool.left_out()
            && let Ok(at) = row[1..].binary_search_by_key(&local, |&entry| local_of(entry))
        {
            row.remove(at + 1);
        }
    }
}

fn is_time_to_look(n_states: u32) -> bool {
    n_states.is_multiple_of(STATES_BETWEEN_LOOKS)
}

fn too_many_states() -> Halt {
    StopReason::Incomplete { why: "too many states".to_owned() }.into()
}

/// How many threads a row has, those that have ended included.
pub fn n_threads_in(row: &[u32]) -> u32 {
    row[1..]
        .iter()
        .filter(|&&entry| local_of(entry) < MAX_LOCALS)
        .map(|&entry| count_of(entry))
        .sum()
}
