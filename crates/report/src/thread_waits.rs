//! Finds who waits for whom at the end of a run, and where the threads that are waited for
//! acquired what they hold.
//!
//! A lock says at most who holds it, so the run is replayed: the thread whose step increases
//! how often a lock is held has acquired it.

use model::{Blocking, Lock, StepLabel, Store, ThreadProgram, ThreadStep, ThreadTrace};

use crate::thread_state::GlobalState;

/// A thread that waits.
pub(crate) struct ThreadWait {
    /// Its number.
    pub thread: usize,
    /// What for, as a clause: `it waits for the mutex `a``.
    pub why: String,
    /// What the lock is called that it waits for, as a noun; `None` if it waits for
    /// something else.
    pub lock: Option<String>,
    /// Who holds the lock, or must do something else; where that is known.
    pub needs: Vec<NeededThread>,
}

/// A thread that another one waits for.
pub(crate) struct NeededThread {
    /// Its number.
    pub thread: usize,
    /// When it took the lock.
    pub taken: Option<LockTaken>,
}

/// When and where a lock was taken.
#[derive(Clone)]
pub(crate) struct LockTaken {
    /// Index of the step.
    pub step: usize,
    /// The operation that took it.
    pub label: StepLabel,
}

impl ThreadWait {
    /// All that is known in one line: who waits for what, who has it since when.
    pub fn words(&self) -> String {
        let needs: Vec<String> = self.needs.iter().map(|need| self.need_words(need)).collect();
        let needs =
            if needs.is_empty() { String::new() } else { format!(": {}", needs.join(", ")) };
        format!("T{}: {}{needs}", self.thread, self.why)
    }

    fn need_words(&self, need: &NeededThread) -> String {
        let who = match need.thread == self.thread {
            true => "it".to_owned(),
            false => format!("T{}", need.thread),
        };
        match &need.taken {
            Some(taken) => {
                format!("{who} took it by `{}` (step {})", taken.label.text, taken.step + 1)
            }
            None if self.lock.is_some() => format!("{who} holds it"),
            None => who,
        }
    }
}

/// Who waits at the end of a run.
pub(crate) fn waits(program: &dyn ThreadProgram, trace: &ThreadTrace) -> Vec<ThreadWait> {
    let Some(blocking) = program.blocking() else { return Vec::new() };
    let last = GlobalState::last(trace);
    let mut waits = Vec::new();
    for (thread, local) in last.locals.iter().enumerate() {
        let Some(local) = local else { continue };
        let (shared, local) = (last.shared.bytes(), local.bytes());
        let Some(why) = blocking.blocked(shared, local) else { continue };
        let lock = blocking.wanted_lock(shared, local);
        let mut needs =
            lock.map_or_else(Vec::new, |lock| holders((program, blocking), trace, lock));
        if needs.is_empty()
            && let Some((_, needed)) = blocking.waits_for(shared, local)
            && let Some(other) = thread_with(blocking, &last.locals, needed)
            && other != thread
        {
            needs.push(NeededThread { thread: other, taken: None });
        }
        let lock = lock.map(|lock| program.narrator().describe_location(shared, lock.as_access()));
        waits.push(ThreadWait { thread, why, lock, needs });
    }
    waits
}

/// The thread with this identity.
fn thread_with(blocking: &dyn Blocking, locals: &[Option<Store>], identity: u32) -> Option<usize> {
    let has = |local: &Store| blocking.identity(local.bytes()) == Some(identity);
    locals.iter().position(|local| local.as_ref().is_some_and(has))
}

/// Who holds a lock at the end of a run, each thread once, in the order of taking it.
fn holders(
    (program, blocking): (&dyn ThreadProgram, &dyn Blocking),
    trace: &ThreadTrace,
    lock: Lock,
) -> Vec<NeededThread> {
    let mut state = GlobalState::first(trace);
    let mut held: Vec<NeededThread> = Vec::new();
    for (idx, step) in trace.steps.iter().enumerate() {
        let before = blocking.n_holds(state.shared.bytes(), lock);
        let after = blocking.n_holds(step.shared.bytes(), lock);
        if let Some(mover) = step.thread.map(|thread| thread as usize) {
            for _ in before..after {
                let label = taken(program, (&state, step), mover, lock);
                let taken = label.map(|label| LockTaken { step: idx, label });
                held.push(NeededThread { thread: mover, taken });
            }
            for _ in after..before {
                let own = held.iter().rposition(|need| need.thread == mover);
                // Whoever unlocks for another one is taken for the last who locked.
                own.or(held.len().checked_sub(1)).map(|idx| held.remove(idx));
            }
        }
        state.take(step);
    }
    let mut seen = Vec::new();
    held.retain(|need| {
        !seen.contains(&need.thread) && {
            seen.push(need.thread);
            true
        }
    });
    held
}

/// What took a lock in a step of the thread `mover`; `None` if none of its operations
/// wrote to it.
fn taken(
    program: &dyn ThreadProgram,
    (before, step): (&GlobalState, &ThreadStep),
    mover: usize,
    lock: Lock,
) -> Option<StepLabel> {
    let accesses = before.accesses(program, mover);
    let (access, _) = accesses.iter().find(|(access, _)| lock.is_written_by(access))?;
    let exact = before.maker(program.narrator(), mover, *access);
    Some(exact.unwrap_or_else(|| StepLabel { text: step.label.clone(), span: step.span }))
}
