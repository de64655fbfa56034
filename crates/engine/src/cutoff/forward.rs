//! The sets R_1, R_2, … by exploring states, each state once for all numbers of
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

use model::StopReason;

use super::lockstep::WorkMeter;
use super::pool::{self, MAX_THREADS, Pool};
use super::reached::Reached;
use super::rows::PendingRows;
use super::standing::Heres;
use super::states::{NOBODY, RowId, States, count_of, local_of};
use super::table::{MAX_LOCALS, Table};
use super::walk::Walk;

/// States between two looks at the limits.
const STATES_BETWEEN_LOOKS: u32 = 1024;

/// States that are passed between two looks, at most: a walk may be long.
const PASSED_BETWEEN_LOOKS: u64 = 1 << 13;

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
pub struct RoundSearch<'a> {
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
    /// States that were expanded since the limits were last checked, those included
    /// that are not stored.
    pub(super) n_visited: u64,
    /// The number of threads that are there in every run.
    pub n_fixed: u32,
    /// Do steps create threads?
    pub spawns: bool,
    /// States of the last round where one more thread makes a difference.
    pub(super) waiting: Vec<RowId>,
    /// The number of threads of each round, and its first state.
    rounds: Vec<(u32, RowId)>,
    /// States of later rounds, by the number of their threads.
    pub(super) later: BTreeMap<u32, Vec<(RowId, Vec<u32>)>>,
    max_states: u32,
    pub(super) walk: Walk,
    /// What is known of who can step where.
    pub(super) heres: Heres,
    /// What the steps of a state lead to.
    pub(super) found: PendingRows,
    /// The row that is looked at.
    pub(super) row: Vec<u32>,
}

impl<'a> RoundSearch<'a> {
    /// A search whose first round, the one without threads from the pool, is still to come.
    ///
    /// # Errors
    /// The program has more threads than can be counted.
    pub fn new(table: Table<'a>, is_early: bool, max_states: u32) -> Result<RoundSearch<'a>, Halt> {
        let mut table = table;
        let pool = Pool::new(&mut table, is_early)?;
        let (rows, n_fixed) = pool::starts(&mut table)?;
        let mut forward = RoundSearch {
            table,
            pool,
            states: States::default(),
            reached: Reached::default(),
            n_threads: n_fixed,
            n_visited: 0,
            n_fixed,
            spawns: false,
            waiting: Vec::new(),
            rounds: vec![(n_fixed, 0)],
            later: BTreeMap::new(),
            max_states,
            walk: Walk::default(),
            heres: Heres::default(),
            found: PendingRows::default(),
            row: Vec::new(),
        };
        let program = forward.table.program();
        for store in program.initial_shared() {
            let shared = forward.table.shared_number(&store);
            forward.table.add_crossing(shared);
            for row in &rows {
                let mut row = row.clone();
                row[0] = shared;
                forward.leave_out(&mut row);
                forward.states.insert(&row, NOBODY);
            }
        }
        Ok(forward)
    }

    /// The first round: the states without threads from the pool.
    ///
    /// # Errors
    /// It did not end.
    pub fn start(&mut self, meter: &mut WorkMeter<'_, '_>) -> Result<(), Halt> {
        self.close(0, meter)
    }

    /// Was there no thread of the pool yet?
    pub fn is_first(&self) -> bool {
        self.n_threads == self.n_fixed
    }

    /// The fewest threads that reach a state.
    pub(super) fn n_threads_of(&self, id: RowId) -> u32 {
        let later = self.rounds.partition_point(|&(_, first)| first <= id);
        self.rounds[later - 1].0
    }

    /// The next round.
    ///
    /// # Errors
    /// It did not end; then nothing may be asked of the search any more but what was
    /// reached with fewer threads.
    pub fn advance(&mut self, meter: &mut WorkMeter<'_, '_>) -> Result<(), Halt> {
        if self.n_threads >= MAX_THREADS {
            return Err(pool::too_many_threads().into());
        }
        self.n_threads += 1;
        self.rounds.push((self.n_threads, self.states.end()));
        let first = self.states.end();
        for (n_drawn, id) in (1..).zip(std::mem::take(&mut self.waiting)) {
            self.draw(id, meter)?;
            if is_time_to_look(n_drawn) {
                self.look(meter)?;
            }
        }
        self.store()?;
        for (parent, row) in self.later.remove(&self.n_threads).unwrap_or_default() {
            self.states.insert(&row, parent);
        }
        self.close(first, meter)
    }

    /// Looks at the limits if that was long ago.
    pub(super) fn look_on_the_way(&mut self, meter: &mut WorkMeter<'_, '_>) -> Result<(), Halt> {
        match self.n_visited < PASSED_BETWEEN_LOOKS {
            true => Ok(()),
            false => self.look(meter),
        }
    }

    fn look(&mut self, meter: &mut WorkMeter<'_, '_>) -> Result<(), Halt> {
        let figures = [
            ("threads", u64::from(self.n_threads)),
            ("states", u64::from(self.states.n_states())),
            ("thread states", self.reached.n_reached() as u64),
        ];
        if self.states.n_states() >= self.max_states || self.states.is_full() {
            return Err(too_many_states());
        }
        Ok(meter.look(std::mem::take(&mut self.n_visited), &figures)?)
    }

    /// Follows up all states of the round, which are those from `first` on.
    fn close(&mut self, first: RowId, meter: &mut WorkMeter<'_, '_>) -> Result<(), Halt> {
        let (mut id, mut n_expanded) = (first, 0);
        loop {
            while id < self.states.end() {
                self.expand(id, meter)?;
                id = self.states.next(id);
                n_expanded += 1;
                if is_time_to_look(n_expanded) {
                    self.look(meter)?;
                }
            }
            self.store()?;
            if id == self.states.end() {
                break;
            }
        }
        Ok(meter.context.limits.check()?)
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

pub(super) fn too_many_states() -> Halt {
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
