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
use std::ops::Range;

use model::StopReason;

use super::expand::for_each_result;
use super::pace::Reins;
use super::pool::{self, MAX_THREADS, Pool};
use super::reached::{First, How, Reached};
use super::states::{NOBODY, StateId, States, add, count_of, local_of};
use super::table::{ENDED, Local, MAX_LOCALS, Step, Table};

/// States between two looks at the limits.
const STATES_BETWEEN_LOOKS: u32 = 1024;

/// What following up a state costs, in units of the other side's work.
const WORK_OF_A_STATE: u64 = 4;

/// Results of one step, at most.
const MAX_RESULTS: usize = 1 << 20;

/// Why a round did not end.
#[derive(Debug)]
pub enum Halt {
    /// A broadcast moves threads of the pool: it must start again, drawing them early.
    DrawEarly,
    /// It has done as much work as it was to do.
    OutOfPatience,
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
    /// States of the last round.
    round: Range<StateId>,
    /// The number of threads of each round, and its first state.
    rounds: Vec<(u32, StateId)>,
    /// States of later rounds, by the number of their threads.
    later: BTreeMap<u32, Vec<(StateId, Vec<u32>)>>,
    max_states: u32,
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
        reins: &mut Reins<'_, '_>,
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
            round: 0..0,
            rounds: vec![(n_fixed, 0)],
            later: BTreeMap::new(),
            max_states,
        };
        let program = forward.table.program();
        for store in program.initial_shared() {
            let shared = forward.table.shared_number(&store);
            for row in &rows {
                let mut row = row.clone();
                row[0] = shared;
                forward.put(row, n_fixed, NOBODY)?;
            }
        }
        forward.close(reins)?;
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
    pub fn advance(&mut self, reins: &mut Reins<'_, '_>) -> Result<(), Halt> {
        if self.n_threads >= MAX_THREADS {
            return Err(pool::too_many_threads().into());
        }
        let last = self.round.clone();
        self.n_threads += 1;
        self.round = self.states.n_states()..self.states.n_states();
        self.rounds.push((self.n_threads, self.states.n_states()));
        for id in last {
            self.draw(id)?;
            if id.is_multiple_of(STATES_BETWEEN_LOOKS) {
                self.look(reins)?;
            }
        }
        for (parent, row) in self.later.remove(&self.n_threads).unwrap_or_default() {
            self.put(row, self.n_threads, parent)?;
        }
        self.close(reins)
    }

    fn look(&self, reins: &mut Reins<'_, '_>) -> Result<(), Halt> {
        let figures = [
            ("threads", u64::from(self.n_threads)),
            ("states", u64::from(self.states.n_states())),
            ("thread states", self.reached.n_reached() as u64),
        ];
        if self.states.n_states() >= self.max_states {
            let why = "too many states";
            return Err(StopReason::Incomplete { why: why.to_owned() }.into());
        }
        Ok(reins.look(u64::from(STATES_BETWEEN_LOOKS) * WORK_OF_A_STATE, &figures)?)
    }

    /// Follows up all states of the round.
    fn close(&mut self, reins: &mut Reins<'_, '_>) -> Result<(), Halt> {
        let mut id = self.round.start;
        while id < self.states.n_states() {
            self.expand(id)?;
            id += 1;
            if id.is_multiple_of(STATES_BETWEEN_LOOKS) {
                self.look(reins)?;
            }
        }
        self.round.end = id;
        Ok(reins.limits.check()?)
    }

    /// One more thread than the state has.
    fn draw(&mut self, id: StateId) -> Result<(), Halt> {
        let row = self.states.row(id).to_vec();
        let n_free = self.n_threads - 1 - n_threads_in(&row);
        for idx in 0..self.pool.stores.len() {
            let local = self.pool.stores[idx].0;
            if self.pool.is_early {
                if self.pool.is_open(&row, idx) {
                    let mut row = row.clone();
                    add(&mut row, local);
                    self.put(row, self.n_threads, id)?;
                }
                continue;
            }
            let (shared, n_threads) = (row[0], self.n_threads);
            self.reached.add(First { shared, local, n_threads, how: How::Idle(id) });
            if idx > 0 || n_free == 0 {
                let mut row = row.clone();
                add(&mut row, local);
                self.step(id, &row, Some(local))?;
            }
        }
        Ok(())
    }

    /// All steps of a state, by the threads that it has.
    fn expand(&mut self, id: StateId) -> Result<(), Halt> {
        let mut row = self.states.row(id).to_vec();
        self.step(id, &row, None)?;
        for idx in 1..row.len() {
            let local = local_of(row[idx]);
            if local != ENDED && local < MAX_LOCALS {
                self.step(id, &row, Some(local))?;
            }
        }
        if let Some(local) = self.pool.left_out()
            && n_threads_in(&row) < self.n_threads
        {
            add(&mut row, local);
            self.step(id, &row, Some(local))?;
        }
        Ok(())
    }

    /// All steps of a thread in `active` in the state `row`; `None`: of the environment.
    fn step(&mut self, id: StateId, row: &[u32], active: Option<Local>) -> Result<(), Halt> {
        let number = self.table.known(row[0], active.unwrap_or(ENDED))?;
        for idx in 0..self.table.answer(number).steps.len() {
            let step = self.table.answer(number).steps[idx].clone();
            self.take(id, row, (active, &step))?;
        }
        Ok(())
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
            self.put(result, n_threads, id)?;
        }
        Ok(())
    }

    /// Stores a state that so many threads reach, if it is new.
    fn put(&mut self, mut row: Vec<u32>, n_threads: u32, parent: StateId) -> Result<(), Halt> {
        self.leave_out(&mut row);
        if n_threads > self.n_threads {
            self.later.entry(n_threads).or_default().push((parent, row));
            return Ok(());
        }
        let Some(id) = self.states.insert(&row, parent) else { return Ok(()) };
        let shared = row[0];
        let mut visit = |local: Local| {
            self.reached.add(First { shared, local, n_threads, how: How::In(id) });
        };
        for local in row[1..].iter().map(|&entry| local_of(entry)) {
            if local != ENDED && local < MAX_LOCALS {
                visit(local);
            }
        }
        if let Some(local) = self.pool.left_out()
            && n_threads_in(&row) < n_threads
        {
            visit(local);
        }
        Ok(())
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

/// How many threads a row has, those that have ended included.
pub fn n_threads_in(row: &[u32]) -> u32 {
    row[1..]
        .iter()
        .filter(|&&entry| local_of(entry) < MAX_LOCALS)
        .map(|&entry| count_of(entry))
        .sum()
}
