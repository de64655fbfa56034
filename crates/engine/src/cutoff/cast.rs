//! The threads of a run, one by one, where the states of the search only count them.

use model::{PassiveMove, Steps, StopReason, Store, ThreadStep, ThreadTrace, Variant, Violation};

use super::expand::Moved;
use super::forward::{RoundSearch, n_threads_in};
use super::states::{count_of, local_of};
use super::table::{ENDED, Local, MAX_LOCALS, Step};
use crate::coverability::assign_templates;

/// Who steps.
#[derive(Clone, Copy)]
pub enum Actor {
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
    /// The local store that it steps from.
    pub fn local(self) -> Option<Local> {
        match self {
            Actor::Nobody => None,
            Actor::There(local) | Actor::LeftOut(local) | Actor::New(local) => Some(local),
        }
    }
}

/// The threads of a run.
pub struct Cast {
    /// Where each is; `None` when it has ended.
    locals: Vec<Option<Local>>,
    /// Where each started; `None` if it was created on the way.
    starts: Vec<Option<Local>>,
    steps: Vec<ThreadStep>,
    last: usize,
}

impl Cast {
    /// Those of the first state.
    pub fn new(forward: &RoundSearch<'_>, root: &[u32]) -> Cast {
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

    /// One more, that starts in `local`.
    pub fn draw(&mut self, local: Local) {
        self.locals.push(Some(local));
        self.starts.push(Some(local));
    }

    /// A thread that is in `local`: the one that stepped last, if it is there.
    fn someone_in(&self, local: Local) -> Option<usize> {
        let is_there = |thread: usize| self.locals[thread] == Some(local);
        let last = Some(self.last).filter(|&last| last < self.locals.len() && is_there(last));
        last.or_else(|| (0..self.locals.len()).find(|&thread| is_there(thread)))
    }

    /// A step, with those that a broadcast moved.
    pub fn act(
        &mut self,
        forward: &RoundSearch<'_>,
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
        let label = table.program().narrator().label(label);
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
        forward: &RoundSearch<'_>,
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
    pub fn told(
        mut self,
        forward: &RoundSearch<'_>,
        shared: u32,
    ) -> Result<ThreadTrace, StopReason> {
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
        let templates = assign_templates(table.program(), &threads)?;
        Ok(ThreadTrace {
            variant: Variant::AS_WRITTEN,
            shared: table.shared(shared).clone(),
            threads,
            templates,
            bystanders: Vec::new(),
            steps: self.steps,
            violation: Violation::Target(0),
        })
    }
}

/// A mistake of ours.
pub fn mismatch(what: &str) -> StopReason {
    StopReason::Incomplete { why: format!("a run could not be retold: {what}") }
}
