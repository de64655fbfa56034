//! The run behind a state, in terms of threads.
//!
//! A state knows only which one it was met from; who stepped, and which threads a
//! broadcast moved where, is found by making all steps again.

use std::convert::Infallible;

use model::{PassiveMove, Steps, StopReason, Store, ThreadStep, ThreadTrace, Violation};

use super::expand::{Each, Moved, for_each_result};
use super::forward::{Forward, n_threads_in};
use super::reached::{First, How};
use super::states::{NOBODY, StateId, add, count_in, count_of, local_of};
use super::table::{ENDED, Local, MAX_LOCALS, Shared, Step};
use super::walk::Passed;
use crate::coverability::threads::assign_templates;

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
    State(StateId),
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

/// Who steps.
#[derive(Clone, Copy)]
enum Actor {
    /// The environment.
    Nobody,
    /// A thread of the state.
    There(Local),
    /// A thread of the pool that states leave out: one that came back, or a new one.
    LeftOut(Local),
    /// A new thread.
    New(Local),
}

impl Actor {
    fn local(self) -> Option<Local> {
        match self {
            Actor::Nobody => None,
            Actor::There(local) | Actor::LeftOut(local) | Actor::New(local) => Some(local),
        }
    }
}

impl Forward<'_> {
    /// A run after which a thread is in the thread state.
    ///
    /// # Errors
    /// It cannot be told: a mistake of ours.
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
    fn walk_to(&mut self, cast: &mut Cast, before: StateId, goal: Goal) -> Result<(), StopReason> {
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
    fn links(&mut self, before: StateId, goal: Goal) -> Result<Vec<Link>, StopReason> {
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
    fn is_met(&self, row: &[u32], before: StateId, goal: Goal) -> bool {
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
        before: StateId,
    ) -> Result<(), StopReason> {
        let has_free = n_threads_in(&met[at].row) < self.n_threads_of(before);
        for (actor, row) in self.actors(&met[at].row) {
            if matches!(actor, Actor::New(_)) || matches!(actor, Actor::LeftOut(_)) && !has_free {
                continue;
            }
            let shared = row[0];
            let number = self.table.known(shared, actor.local().unwrap_or(ENDED))?;
            for step in self.table.answer(number).steps.clone() {
                let is_plain = step.broadcast.is_none() && step.spawned.is_empty();
                let passed = self.passed(step.to, before);
                if !is_plain || passed == Passed::No {
                    continue;
                }
                let results = self.results(&row, (actor.local(), &step));
                for (row, moved) in results {
                    if passed == Passed::Always || met.iter().all(|known| known.row != row) {
                        let link = Link::Step { shared, actor, step: step.clone(), moved };
                        met.push(Met { row, from: Some((at, link)) });
                    }
                }
            }
        }
        Ok(())
    }

    /// Everybody who may step, with the row that has them.
    fn actors(&self, row: &[u32]) -> Vec<(Actor, Vec<u32>)> {
        let there = row[1..].iter().map(|&entry| local_of(entry));
        let there = there.filter(|&local| local != ENDED && local < MAX_LOCALS);
        let mut actors = vec![(Actor::Nobody, row.to_vec())];
        actors.extend(there.map(|local| (Actor::There(local), row.to_vec())));
        let left_out = self.pool.left_out();
        for &(local, _) in self.pool.stores.iter().filter(|_| !self.pool.is_early) {
            let mut row = row.to_vec();
            add(&mut row, local);
            actors.push(match left_out == Some(local) {
                true => (Actor::LeftOut(local), row),
                false => (Actor::New(local), row),
            });
        }
        actors
    }

    /// What leads from a row that was walked to from `before` to a stored state.
    fn last_link(
        &mut self,
        row: &[u32],
        before: StateId,
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
        for (actor, row) in self.actors(row) {
            let n_drawn = match actor {
                Actor::Nobody | Actor::There(_) => 0,
                Actor::LeftOut(_) => u32::from(!has_free),
                Actor::New(_) => 1,
            };
            let shared = row[0];
            let number = self.table.known(shared, actor.local().unwrap_or(ENDED))?;
            for step in self.table.answer(number).steps.clone() {
                // Other ways to the same state may need other numbers of threads.
                if n_drawn + step.spawned.len() as u32 != n_new || step.to != goal[0] {
                    continue;
                }
                let results = self.results(&row, (actor.local(), &step));
                let found = results.into_iter().find(|(result, _)| *result == goal);
                if let Some((_, moved)) = found {
                    return Ok(Some(Link::Step { shared, actor, step, moved }));
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
    fn results(
        &mut self,
        row: &[u32],
        (active, step): (Option<Local>, &Step),
    ) -> Vec<(Vec<u32>, Moved)> {
        let mut results: Vec<(Vec<u32>, Moved)> = Vec::new();
        let each: &mut Each<'_, Infallible> = &mut |_, result, moved| {
            results.push((result.to_vec(), moved.clone()));
            Ok(())
        };
        let Ok(()) = for_each_result(&mut self.table, row, (active, step), each);
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

/// The threads of a run.
struct Cast {
    /// Where each is; `None` when it has ended.
    locals: Vec<Option<Local>>,
    /// Where each started; `None` if it was created on the way.
    starts: Vec<Option<Local>>,
    steps: Vec<ThreadStep>,
    last: usize,
}

impl Cast {
    fn new(forward: &Forward<'_>, root: &[u32]) -> Cast {
        let mut starts: Vec<Option<Local>> = Vec::new();
        for &entry in &root[1..] {
            starts.extend(std::iter::repeat_n(Some(local_of(entry)), count_of(entry) as usize));
        }
        if let Some(local) = forward.pool.left_out() {
            let n_left_out = forward.n_fixed - n_threads_in(root);
            starts.extend(std::iter::repeat_n(Some(local), n_left_out as usize));
        }
        Cast { locals: starts.clone(), starts, steps: Vec::new(), last: 0 }
    }

    fn draw(&mut self, local: Local) {
        self.locals.push(Some(local));
        self.starts.push(Some(local));
    }

    /// A thread that is in `local`: the one that stepped last, if it is there.
    fn someone_in(&self, local: Local) -> Option<usize> {
        let is_there = |thread: usize| self.locals[thread] == Some(local);
        let last = Some(self.last).filter(|&last| last < self.locals.len() && is_there(last));
        last.or_else(|| (0..self.locals.len()).find(|&thread| is_there(thread)))
    }

    fn act(
        &mut self,
        forward: &Forward<'_>,
        shared: u32,
        (actor, step): (Actor, &Step),
        moved: &Moved,
    ) -> Result<(), StopReason> {
        let table = &forward.table;
        let active = actor.local();
        let thread = match actor {
            Actor::There(local) | Actor::LeftOut(local) => self.someone_in(local),
            Actor::Nobody | Actor::New(_) => None,
        };
        let thread = thread.or_else(|| {
            self.draw(active?);
            Some(self.locals.len() - 1)
        });
        let passive = self.moved(forward, thread, moved)?;
        let mut steps = Steps::new();
        let shared = table.shared(shared).bytes();
        match active {
            Some(local) => table.program().steps(shared, table.local(local).bytes(), &mut steps),
            None => table.program().environment_steps(shared, &mut steps),
        }
        let taken = steps.iter().nth(step.idx as usize);
        let label = taken.ok_or_else(|| mismatch("a step is missing"))?.label();
        let label = table.program().label(label);
        let after = Some(step.after).filter(|&after| thread.is_some() && after != ENDED);
        if let Some(thread) = thread {
            self.locals[thread] = after;
            self.last = thread;
        }
        for &local in &step.spawned {
            self.locals.push(Some(local));
            self.starts.push(None);
        }
        self.steps.push(ThreadStep {
            thread: thread.map(|thread| thread as u32),
            label: label.text,
            span: label.span,
            shared: table.shared(step.to).clone(),
            local: after.map(|after| table.local(after).clone()),
            spawned: step.spawned.iter().map(|&local| table.local(local).clone()).collect(),
            passive,
        });
        Ok(())
    }

    /// Moves the other threads as a broadcast did.
    fn moved(
        &mut self,
        forward: &Forward<'_>,
        active: Option<usize>,
        moved: &Moved,
    ) -> Result<Vec<PassiveMove>, StopReason> {
        let mut movers: Vec<(usize, Local)> = Vec::new();
        for &(from, to, count) in moved.iter().filter(|(from, _, _)| *from < MAX_LOCALS) {
            for _ in 0..count {
                let is_free = |&thread: &usize| {
                    self.locals[thread] == Some(from)
                        && active != Some(thread)
                        && movers.iter().all(|mover| mover.0 != thread)
                };
                match (0..self.locals.len()).find(is_free) {
                    Some(thread) => movers.push((thread, to)),
                    None if from == ENDED => {}
                    None => return Err(mismatch("a broadcast moves a thread that is not there")),
                }
            }
        }
        let mut passive = Vec::new();
        for (thread, to) in movers {
            if self.locals[thread] != Some(to) {
                self.locals[thread] = Some(to);
                let local = forward.table.local(to).clone();
                passive.push(PassiveMove { thread: thread as u32, local });
            }
        }
        Ok(passive)
    }

    /// The run, with threads numbered as runs do: those of the start first.
    fn told(mut self, forward: &Forward<'_>, shared: u32) -> Result<ThreadTrace, StopReason> {
        let table = &forward.table;
        let mut numbers = vec![0u32; self.starts.len()];
        let initial = (0..self.starts.len()).filter(|&thread| self.starts[thread].is_some());
        let created = (0..self.starts.len()).filter(|&thread| self.starts[thread].is_none());
        for (number, thread) in (0u32..).zip(initial.chain(created)) {
            numbers[thread] = number;
        }
        for step in &mut self.steps {
            step.thread = step.thread.map(|thread| numbers[thread as usize]);
            for mover in &mut step.passive {
                mover.thread = numbers[mover.thread as usize];
            }
            step.passive.sort_by_key(|mover| mover.thread);
        }
        let threads: Vec<Store> =
            self.starts.iter().flatten().map(|&local| table.local(local).clone()).collect();
        let templates = assign_templates(table.program(), threads.clone())?;
        Ok(ThreadTrace {
            shared: table.shared(shared).clone(),
            threads,
            templates,
            steps: self.steps,
            violation: Violation::Target(0),
        })
    }
}

fn mismatch(what: &str) -> StopReason {
    StopReason::Incomplete { why: format!("a run could not be retold: {what}") }
}
