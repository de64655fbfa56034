//! Lockstep scheduler: two sides work at the same time, and counted work alone decides
//! which of them is first, so that the outcome is the same on every machine.
//!
//! Each side counts its work, which is divided into phases of growing length. A side that
//! has completed its part of a phase waits for the other (a barrier). A side that finishes
//! does so in a phase; the other completes its own part of that phase and then gives up,
//! unless it finishes in the same phase. No clock is involved, and less than a phase of
//! work is wasted.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use model::{Context, Limits, Progress, StopReason};

/// Work of the first phase: a tenth of a second, or less.
const FIRST_PHASE: u64 = 1 << 16;

/// How long to wait at the barrier before checking the limits again.
const NAP: Duration = Duration::from_millis(5);

/// The side that explores states.
pub const SEARCHING: usize = 0;

/// The side that asks about candidates.
pub const ASKING: usize = 1;

/// The barrier between the two sides.
pub struct LockstepScheduler {
    sides: Mutex<[SideProgress; 2]>,
    changed: Condvar,
    /// Work after which a side gives up.
    patience: u64,
}

/// How far a side has come.
#[derive(Default)]
struct SideProgress {
    /// Phases that it has completed; all of them once it has left.
    n_done: u32,
    /// The phase in which it finished.
    ended_in: Option<u32>,
    /// What it knew at the end of each phase.
    known: Vec<u32>,
    /// The work that it has done when it leaves.
    work: u64,
}

impl LockstepScheduler {
    /// Sides that give up after so much work.
    pub fn new(patience: u64) -> LockstepScheduler {
        LockstepScheduler { sides: Mutex::default(), changed: Condvar::new(), patience }
    }

    /// The patience that is left when both have left.
    pub fn patience_left(&self) -> u64 {
        let sides = self.sides.lock().unwrap_or_else(PoisonError::into_inner);
        let work = sides.iter().map(|side| side.work).max();
        self.patience.saturating_sub(work.unwrap_or(0))
    }
}

/// One of the two sides.
pub struct LockstepSide<'t> {
    scheduler: &'t LockstepScheduler,
    side: usize,
    phase: u32,
    work: u64,
    phase_ends: u64,
    /// What the other may know of this one when the phase is over.
    pub known: u32,
}

impl<'t> LockstepSide<'t> {
    /// At the start, with what is `known` there.
    pub fn new(scheduler: &'t LockstepScheduler, side: usize, known: u32) -> LockstepSide<'t> {
        LockstepSide { scheduler, side, phase: 0, work: 0, phase_ends: FIRST_PHASE, known }
    }

    /// What the other one knew when the last phase was over, or nothing.
    pub fn known_by_the_other(&self) -> Option<u32> {
        let sides = self.scheduler.sides.lock().unwrap_or_else(PoisonError::into_inner);
        let last = (self.phase as usize).checked_sub(1)?;
        sides[1 - self.side].known.get(last).copied()
    }

    /// Accounts for work that was done, and waits for the other side where a phase is
    /// over.
    ///
    /// # Errors
    /// The other side has finished, the patience is used up, or a limit was reached.
    fn spend(&mut self, work: u64, limits: &Limits) -> Result<(), StopReason> {
        self.work += work;
        if self.work > self.scheduler.patience {
            return Err(StopReason::Interrupted);
        }
        while self.work >= self.phase_ends {
            self.wait(limits)?;
            self.phase += 1;
            self.phase_ends += self.phase_ends / 4;
        }
        Ok(())
    }

    fn wait(&self, limits: &Limits) -> Result<(), StopReason> {
        let mut sides = self.scheduler.sides.lock().unwrap_or_else(PoisonError::into_inner);
        sides[self.side].n_done = self.phase + 1;
        sides[self.side].known.push(self.known);
        self.scheduler.changed.notify_all();
        while sides[1 - self.side].n_done <= self.phase {
            limits.check()?;
            let woken = self.scheduler.changed.wait_timeout(sides, NAP);
            sides = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        match sides[1 - self.side].ended_in {
            Some(phase) if phase <= self.phase => Err(StopReason::Interrupted),
            _ => Ok(()),
        }
    }

    /// This side has finished.
    fn end(&self) {
        let mut sides = self.scheduler.sides.lock().unwrap_or_else(PoisonError::into_inner);
        sides[self.side].ended_in = Some(self.phase);
    }
}

impl Drop for LockstepSide<'_> {
    /// Nobody waits for one who has left.
    fn drop(&mut self) {
        let mut sides = self.scheduler.sides.lock().unwrap_or_else(PoisonError::into_inner);
        sides[self.side].n_done = u32::MAX;
        sides[self.side].work = self.work;
        self.scheduler.changed.notify_all();
    }
}

/// Accounts for the work of a side, and says when it must stop: because of limits, or of
/// the other side if there is one.
pub struct WorkMeter<'a, 't> {
    /// The limits, and who wants to know how far it is.
    pub context: Context<'a>,
    /// The other side; `None` if there is none.
    pub lockstep: Option<LockstepSide<'t>>,
    /// Work that may still be done.
    pub left: u64,
}

impl<'a, 't> WorkMeter<'a, 't> {
    /// No other side, and no end of the work.
    pub fn alone(context: Context<'a>) -> WorkMeter<'a, 'static> {
        WorkMeter::alone_for(u64::MAX, context)
    }

    /// No other side, and so much work.
    pub fn alone_for(work: u64, context: Context<'a>) -> WorkMeter<'a, 'static> {
        WorkMeter { context, lockstep: None, left: work }
    }

    /// In step with the other side.
    pub fn beside(lockstep: LockstepSide<'t>, context: Context<'a>) -> WorkMeter<'a, 't> {
        WorkMeter { context, lockstep: Some(lockstep), left: u64::MAX }
    }

    /// The work that was accounted for; nothing where nobody works at the same time.
    pub fn work(&self) -> u64 {
        self.lockstep.as_ref().map_or(0, |lockstep| lockstep.work)
    }

    /// This side has finished: the other may complete its phase.
    pub fn end(&self) {
        self.lockstep.iter().for_each(LockstepSide::end);
    }

    /// Accounts for work that was done.
    ///
    /// # Errors
    /// It must stop.
    pub fn look(&mut self, work: u64, figures: &[(&str, u64)]) -> Result<(), StopReason> {
        if !figures.is_empty() {
            self.context.progress.report(&Progress { engine: "cutoff", figures, n_ahead: None });
        }
        if let Some(lockstep) = &mut self.lockstep {
            lockstep.spend(work, self.context.limits)?;
        }
        self.left = self.left.saturating_sub(work);
        if self.left == 0 {
            return Err(StopReason::Interrupted);
        }
        self.context.limits.check()
    }
}

#[cfg(test)]
mod tests {
    use model::{Context, Limits};

    use super::{ASKING, FIRST_PHASE, LockstepScheduler, LockstepSide, SEARCHING, WorkMeter};

    /// Both sides work in pieces until they have done as much as they need; who was
    /// through in time?
    fn race(needs: [u64; 2], naps: [u64; 2]) -> [bool; 2] {
        let (scheduler, limits) = (LockstepScheduler::new(u64::MAX), Limits::none());
        let run = |side: usize| {
            let lockstep = LockstepSide::new(&scheduler, side, 0);
            let mut meter = WorkMeter::beside(lockstep, Context::silent(&limits));
            for _ in 0..needs[side] {
                std::thread::sleep(std::time::Duration::from_micros(naps[side]));
                if meter.look(FIRST_PHASE / 4, &[]).is_err() {
                    return false;
                }
            }
            meter.end();
            true
        };
        std::thread::scope(|scope| {
            let other = scope.spawn(|| run(ASKING));
            [run(SEARCHING), other.join().expect("no panic")]
        })
    }

    #[test]
    fn who_is_through_in_an_earlier_phase_wins_however_slow() {
        for naps in [[0, 300], [300, 0], [0, 0]] {
            assert_eq!(race([3, 40], naps), [true, false]);
            assert_eq!(race([40, 3], naps), [false, true]);
            // In the same phase: both, and the caller chooses.
            assert_eq!(race([2, 3], naps), [true, true]);
            assert_eq!(race([41, 40], naps), [true, true]);
        }
    }
}
