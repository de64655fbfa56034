//! Two sides that work at the same time, and an outcome that does not depend on who is
//! faster today.
//!
//! Each side counts its work, which is cut into phases of growing length. Whoever has done
//! its part of a phase waits until the other has done so too. A side that is through ends
//! in a phase; the other one does the rest of its own phase and then gives up, unless it
//! ends in that phase as well. So it is the counted work that decides, and never a clock;
//! what is wasted is less than a phase.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use model::{Context, Limits, Progress, StopReason};

/// Work of the first phase: a tenth of a second, or less.
const FIRST_PHASE: u64 = 1 << 16;

/// How long is waited at a time before the limits are looked at.
const NAP: Duration = Duration::from_millis(5);

/// The side that goes through states.
pub const SEARCHING: usize = 0;

/// The side that asks about candidates.
pub const ASKING: usize = 1;

/// Two sides.
pub struct Tandem {
    sides: Mutex<[Standing; 2]>,
    changed: Condvar,
    /// Work after which a side gives up.
    patience: u64,
}

/// Where a side stands.
#[derive(Default)]
struct Standing {
    /// Phases that it has done; all of them once it has left.
    n_done: u32,
    /// The phase in which it was through.
    ended_in: Option<u32>,
    /// What it knew at the end of each phase.
    known: Vec<u32>,
    /// The work that it has done when it leaves.
    work: u64,
}

impl Tandem {
    /// Sides that give up after so much work.
    pub fn new(patience: u64) -> Tandem {
        Tandem { sides: Mutex::default(), changed: Condvar::new(), patience }
    }

    /// The patience that is left when both have left.
    pub fn patience_left(&self) -> u64 {
        let sides = self.sides.lock().unwrap_or_else(PoisonError::into_inner);
        let work = sides.iter().map(|side| side.work).max();
        self.patience.saturating_sub(work.unwrap_or(0))
    }
}

/// One of the two.
pub struct Pace<'t> {
    tandem: &'t Tandem,
    side: usize,
    phase: u32,
    work: u64,
    phase_ends: u64,
    /// What the other may know of this one when the phase is over.
    pub known: u32,
}

impl<'t> Pace<'t> {
    /// At the start, with what is `known` there.
    pub fn new(tandem: &'t Tandem, side: usize, known: u32) -> Pace<'t> {
        Pace { tandem, side, phase: 0, work: 0, phase_ends: FIRST_PHASE, known }
    }

    /// What the other one knew when the last phase was over, or nothing.
    pub fn known_by_the_other(&self) -> Option<u32> {
        let sides = self.tandem.sides.lock().unwrap_or_else(PoisonError::into_inner);
        let last = (self.phase as usize).checked_sub(1)?;
        sides[1 - self.side].known.get(last).copied()
    }

    /// Accounts for work that was done, and waits for the other side where a phase is
    /// over.
    ///
    /// # Errors
    /// The other one is through, its patience is over, or a limit was reached.
    fn spend(&mut self, work: u64, limits: &Limits) -> Result<(), StopReason> {
        self.work += work;
        if self.work > self.tandem.patience {
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
        let mut sides = self.tandem.sides.lock().unwrap_or_else(PoisonError::into_inner);
        sides[self.side].n_done = self.phase + 1;
        sides[self.side].known.push(self.known);
        self.tandem.changed.notify_all();
        while sides[1 - self.side].n_done <= self.phase {
            limits.check()?;
            let woken = self.tandem.changed.wait_timeout(sides, NAP);
            sides = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        match sides[1 - self.side].ended_in {
            Some(phase) if phase <= self.phase => Err(StopReason::Interrupted),
            _ => Ok(()),
        }
    }

    /// This side is through.
    fn end(&self) {
        let mut sides = self.tandem.sides.lock().unwrap_or_else(PoisonError::into_inner);
        sides[self.side].ended_in = Some(self.phase);
    }
}

impl Drop for Pace<'_> {
    /// Nobody waits for one who has left.
    fn drop(&mut self) {
        let mut sides = self.tandem.sides.lock().unwrap_or_else(PoisonError::into_inner);
        sides[self.side].n_done = u32::MAX;
        sides[self.side].work = self.work;
        self.tandem.changed.notify_all();
    }
}

/// What holds a side back: limits, and the other side if there is one.
pub struct Reins<'a, 't> {
    /// The limits, and who wants to know how far it is.
    pub context: Context<'a>,
    /// The pace; `None`: nobody works at the same time.
    pub pace: Option<Pace<'t>>,
}

impl<'a> Reins<'a, '_> {
    /// No other side.
    pub fn alone(context: Context<'a>) -> Reins<'a, 'static> {
        Reins { context, pace: None }
    }

    /// The work that was accounted for; nothing where nobody works at the same time.
    pub fn work(&self) -> u64 {
        self.pace.as_ref().map_or(0, |pace| pace.work)
    }

    /// This side is through: the other one may finish its phase.
    pub fn end(&self) {
        self.pace.iter().for_each(Pace::end);
    }

    /// Accounts for work that was done.
    ///
    /// # Errors
    /// It must stop.
    pub fn look(&mut self, work: u64, figures: &[(&str, u64)]) -> Result<(), StopReason> {
        if !figures.is_empty() {
            self.context.progress.report(&Progress { engine: "cutoff", figures, n_ahead: None });
        }
        if let Some(pace) = &mut self.pace {
            pace.spend(work, self.context.limits)?;
        }
        self.context.limits.check()
    }
}

#[cfg(test)]
mod tests {
    use model::{Context, Limits};

    use super::{ASKING, FIRST_PHASE, Pace, Reins, SEARCHING, Tandem};

    /// Both sides work in pieces until they have done as much as they need; who was
    /// through in time?
    fn race(needs: [u64; 2], naps: [u64; 2]) -> [bool; 2] {
        let (tandem, limits) = (Tandem::new(u64::MAX), Limits::none());
        let run = |side: usize| {
            let pace = Pace::new(&tandem, side, 0);
            let mut reins = Reins { context: Context::silent(&limits), pace: Some(pace) };
            for _ in 0..needs[side] {
                std::thread::sleep(std::time::Duration::from_micros(naps[side]));
                if reins.look(FIRST_PHASE / 4, &[]).is_err() {
                    return false;
                }
            }
            reins.end();
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
