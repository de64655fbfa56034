//! Trace reconstruction: the run to a stored state, in terms of threads.
//!
//! A state stores only its parent; who stepped, and which threads a broadcast moved where,
//! is found by computing the steps of the parent again.

use std::convert::Infallible;

use model::{StopReason, ThreadTrace};

use super::cast::{Actor, Cast, mismatch};
use super::expand::{Each, Moved, for_each_result};
use super::forward::{RoundSearch, n_threads_in};
use super::reached::{First, How};
use super::states::{NOBODY, RowId, add, count_in, local_of};
use super::table::{ENDED, Local, MAX_LOCALS, Move, Shared, Step};
use super::walk::Passed;

/// What leads from one state to the next.
enum Link {
    /// A thread is drawn from the pool and does nothing.
    Drawn(Local),
    /// A step of a thread there, or of the environment.
    Step { shared: Shared, actor: Actor, step: Step, moved: Moved },
}

/// What is looked for among the rows that the search walked to from a state.
#[derive(Clone, Copy)]
enum Goal {
    /// What leads to a stored state.
    State(RowId),
    /// A row with this shared store.
    Shared(Shared),
    /// A row with a thread in a thread state.
    Thread(Shared, Local),
}

/// A row that the search walked to.
struct Met {
    row: Vec<u32>,
    /// The number of the row before, and what leads from there.
    from: Option<(usize, Link)>,
}

impl RoundSearch<'_> {
    /// A run after which a thread is in the thread state.
    ///
    /// # Errors
    /// It cannot be reconstructed: a bug.
    pub fn run_to(&mut self, first: &First) -> Result<ThreadTrace, StopReason> {
        let (How::In(state) | How::Idle(state)) = first.how else {
            return Err(mismatch("it was reached without a state"));
        };
        let mut path = vec![state];
        while self.states.parent(path[path.len() - 1]) != NOBODY {
            path.push(self.states.parent(path[path.len() - 1]));
        }
        path.reverse();
        let root = self.states.row(path[0]).to_vec();
        let mut cast = Cast::new(self, &root);
        for pair in path.windows(2) {
            self.walk_to(&mut cast, pair[0], Goal::State(pair[1]))?;
        }
        match first.how {
            How::Idle(_) => {
                self.walk_to(&mut cast, state, Goal::Shared(first.shared))?;
                cast.draw(first.local);
            }
            _ => self.walk_to(&mut cast, state, Goal::Thread(first.shared, first.local))?,
        }
        cast.told(self, root[0])
    }

    /// Goes from `before` to the goal.
    fn walk_to(&mut self, cast: &mut Cast, before: RowId, goal: Goal) -> Result<(), StopReason> {
        for link in self.links(before, goal)? {
            match link {
                Link::Drawn(local) => cast.draw(local),
                Link::Step { shared, actor, step, moved } => {
                    cast.act(self, shared, (actor, &step), &moved)?;
                }
            }
        }
        Ok(())
    }

    /// How the goal was met from `before`, through states that are not stored.
    fn links(&mut self, before: RowId, goal: Goal) -> Result<Vec<Link>, StopReason> {
        let row = self.states.row(before).to_vec();
        let mut met = vec![Met { row, from: None }];
        let mut at = 0;
        while at < met.len() {
            if self.is_met(&met[at].row, before, goal) {
                return Ok(path_to(met, at, None));
            }
            if let Some(last) = self.last_link(&met[at].row, before, goal)? {
                return Ok(path_to(met, at, Some(last)));
            }
            self.walk_from(&mut met, at, before)?;
            at += 1;
        }
        Err(mismatch("a state has no step that leads to it"))
    }

    /// Is a row that was walked to from `before` what was looked for?
    fn is_met(&self, row: &[u32], before: RowId, goal: Goal) -> bool {
        match goal {
            Goal::State(_) => false,
            Goal::Shared(shared) => row[0] == shared,
            Goal::Thread(shared, local) => {
                let is_free = self.pool.left_out() == Some(local)
                    && n_threads_in(row) < self.n_threads_of(before);
                row[0] == shared && (is_free || count_in(row, local) > 0)
            }
        }
    }

    /// Adds the rows that the search walks to from one of them, without a new thread.
    fn walk_from(
        &mut self,
        met: &mut Vec<Met>,
        at: usize,
        before: RowId,
    ) -> Result<(), StopReason> {
        let row = met[at].row.clone();
        let has_free = n_threads_in(&row) < self.n_threads_of(before);
        for actor in self.actors(&row) {
            if matches!(actor, Actor::New(_)) || matches!(actor, Actor::LeftOut(_)) && !has_free {
                continue;
            }
            let walks = |forward: &Self, step: Move| {
                step.is_plain && forward.passed(step.to, before) != Passed::No
            };
            for step in self.steps(row[0], actor, walks)? {
                let is_sure = self.passed(step.to, before) == Passed::Always;
                for (row_after, moved) in self.results(&row, (actor, &step)) {
                    if is_sure || met.iter().all(|known| known.row != row_after) {
                        let step = step.clone();
                        let link = Link::Step { shared: row[0], actor, step, moved };
                        met.push(Met { row: row_after, from: Some((at, link)) });
                    }
                }
            }
        }
        Ok(())
    }

    /// Everybody who may step.
    fn actors(&self, row: &[u32]) -> Vec<Actor> {
        let there = row[1..].iter().map(|&entry| local_of(entry));
        let there = there.filter(|&local| local != ENDED && local < MAX_LOCALS);
        let left_out = self.pool.left_out();
        let pool = self.pool.stores.iter().filter(|_| !self.pool.is_early);
        let pool = pool.map(|&(local, _)| match left_out == Some(local) {
            true => Actor::LeftOut(local),
            false => Actor::New(local),
        });
        [Actor::Nobody].into_iter().chain(there.map(Actor::There)).chain(pool).collect()
    }

    /// The steps of somebody that are of interest.
    fn steps(
        &mut self,
        shared: Shared,
        actor: Actor,
        is_wanted: impl Fn(&Self, Move) -> bool,
    ) -> Result<Vec<Step>, StopReason> {
        let local = actor.local().unwrap_or(ENDED);
        let moves = self.table.moves(shared, local)?;
        let wanted = moves.filter(|&at| is_wanted(self, self.table.move_at(at)));
        Ok(wanted.map(|at| self.table.step_at(at)).collect())
    }

    /// What leads from a row that was walked to from `before` to a stored state.
    fn last_link(
        &mut self,
        row: &[u32],
        before: RowId,
        goal: Goal,
    ) -> Result<Option<Link>, StopReason> {
        let Goal::State(after) = goal else { return Ok(None) };
        let goal = self.states.row(after).to_vec();
        if let Some(local) = self.drawn(row, &goal) {
            return Ok(Some(Link::Drawn(local)));
        }
        let n_before = self.n_threads_of(before);
        let n_new = self.n_threads_of(after) - n_before;
        let has_free = n_threads_in(row) < n_before;
        for actor in self.actors(row) {
            let n_drawn = match actor {
                Actor::Nobody | Actor::There(_) => 0,
                Actor::LeftOut(_) => u32::from(!has_free),
                Actor::New(_) => 1,
            };
            for step in self.steps(row[0], actor, |_, step| step.to == goal[0])? {
                // Other ways to the same state may need other numbers of threads.
                if n_drawn + step.spawned.len() as u32 != n_new {
                    continue;
                }
                let results = self.results(row, (actor, &step));
                let found = results.into_iter().find(|(result, _)| *result == goal);
                if let Some((_, moved)) = found {
                    return Ok(Some(Link::Step { shared: row[0], actor, step, moved }));
                }
            }
        }
        Ok(None)
    }

    /// The thread that was drawn early and makes `goal` of `row`.
    fn drawn(&self, row: &[u32], goal: &[u32]) -> Option<Local> {
        let mut stores = self.pool.stores.iter().enumerate().filter(|_| self.pool.is_early);
        let drawn = stores.find(|&(idx, &(local, _))| {
            let mut more = row.to_vec();
            add(&mut more, local);
            more == goal && self.pool.is_open(row, idx)
        });
        drawn.map(|(_, store)| store.0)
    }

    /// The rows after a step, as they are stored, with what a broadcast moved.
    fn results(&mut self, row: &[u32], (actor, step): (Actor, &Step)) -> Vec<(Vec<u32>, Moved)> {
        let mut row = row.to_vec();
        if let Actor::LeftOut(local) | Actor::New(local) = actor {
            add(&mut row, local);
        }
        let mut results: Vec<(Vec<u32>, Moved)> = Vec::new();
        let each: &mut Each<'_, Infallible> = &mut |_, result, moved| {
            results.push((result.to_vec(), moved.clone()));
            Ok(())
        };
        let Ok(()) = for_each_result(&mut self.table, &row, (actor.local(), step), each);
        for (result, _) in &mut results {
            if let Some(broadcast) = step.broadcast.filter(|_| self.pool.is_early) {
                self.pool.mark(&mut self.table, broadcast, result);
            }
            self.leave_out(result);
        }
        results
    }
}

/// The links to the row number `at`, and one more.
fn path_to(mut met: Vec<Met>, at: usize, last: Option<Link>) -> Vec<Link> {
    let mut links: Vec<Link> = last.into_iter().collect();
    let mut at = at;
    while let Some((before, link)) = met[at].from.take() {
        links.push(link);
        at = before;
    }
    links.reverse();
    links
}
