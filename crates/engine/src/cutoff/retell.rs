//! The run behind a state, in terms of threads.
//!
//! A state knows only which one it was met from; who stepped, and which threads a
//! broadcast moved where, is found by making all steps again.

use model::{PassiveMove, Steps, StopReason, Store, ThreadStep, ThreadTrace, Violation};

use super::expand::{Moved, for_each_result};
use super::forward::{Forward, n_threads_in};
use super::reached::{First, How};
use super::states::{NOBODY, StateId, add, count_of, local_of};
use super::table::{ENDED, Local, MAX_LOCALS, Step};
use crate::coverability::threads::assign_templates;

/// What leads from one state to the next.
enum Link {
    /// A thread is drawn from the pool and does nothing.
    Drawn(Local),
    /// A step of a thread there, or of the environment.
    Step { actor: Actor, step: Step, moved: Moved },
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
            match self.link(pair[0], pair[1])? {
                Link::Drawn(local) => cast.draw(local),
                Link::Step { actor, step, moved } => {
                    let shared = self.states.shared(pair[0]);
                    cast.act(self, shared, (actor, &step), &moved)?;
                }
            }
        }
        if let How::Idle(_) = first.how {
            cast.draw(first.local);
        }
        cast.told(self, root[0])
    }

    /// How `after` was met from `before`.
    fn link(&mut self, before: StateId, after: StateId) -> Result<Link, StopReason> {
        let (row, goal) = (self.states.row(before).to_vec(), self.states.row(after).to_vec());
        let pool: Vec<Local> = self.pool.stores.iter().map(|store| store.0).collect();
        if self.pool.is_early {
            for (idx, &local) in pool.iter().enumerate() {
                let mut more = row.clone();
                add(&mut more, local);
                if more == goal && self.pool.is_open(&row, idx) {
                    return Ok(Link::Drawn(local));
                }
            }
        }
        let there = row[1..].iter().map(|&entry| local_of(entry));
        let there: Vec<Local> =
            there.filter(|&local| local != ENDED && local < MAX_LOCALS).collect();
        let mut ways = vec![(Actor::Nobody, row.clone())];
        ways.extend(there.into_iter().map(|local| (Actor::There(local), row.clone())));
        if !self.pool.is_early {
            let left_out = self.pool.left_out();
            ways.extend(pool.into_iter().map(|local| {
                let mut row = row.clone();
                add(&mut row, local);
                match left_out == Some(local) {
                    true => (Actor::LeftOut(local), row),
                    false => (Actor::New(local), row),
                }
            }));
        }
        let n_before = self.n_threads_of(before);
        let n_new = self.n_threads_of(after) - n_before;
        let has_free = n_threads_in(&row) < n_before;
        for (actor, row) in ways {
            let n_drawn = match actor {
                Actor::Nobody | Actor::There(_) => 0,
                Actor::LeftOut(_) => u32::from(!has_free),
                Actor::New(_) => 1,
            };
            let number = self.table.known(row[0], actor.local().unwrap_or(ENDED))?;
            for step in self.table.answer(number).steps.clone() {
                // Other ways to the same state may need other numbers of threads.
                if n_drawn + step.spawned.len() as u32 != n_new {
                    continue;
                }
                if let Some(moved) = self.leads_to(&row, (actor.local(), &step), &goal) {
                    return Ok(Link::Step { actor, step, moved });
                }
            }
        }
        Err(mismatch("a state has no step that leads to it"))
    }

    fn leads_to(
        &mut self,
        row: &[u32],
        (active, step): (Option<Local>, &Step),
        goal: &[u32],
    ) -> Option<Moved> {
        let mut results: Vec<(Vec<u32>, Moved)> = Vec::new();
        for_each_result::<()>(&mut self.table, row, (active, step), &mut |_, result, moved| {
            results.push((result.to_vec(), moved.clone()));
            Ok(())
        })
        .ok()?;
        for (mut result, moved) in results {
            if let Some(broadcast) = step.broadcast.filter(|_| self.pool.is_early) {
                self.pool.mark(&mut self.table, broadcast, &mut result);
            }
            self.leave_out(&mut result);
            if result == goal {
                return Some(moved);
            }
        }
        None
    }
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
