//! Bounds the number of pre-emptive context switches of a run.
//!
//! A switch from one thread to another counts if the thread that is left could go on; a
//! thread that waits or has ended is left for free, and so is one that only wakes up for
//! no reason. Whose turn it was and how many switches there were is a part of the state,
//! so nothing is lost by a state that is reached again with more switches left.
//!
//! **Answers.** Violations are what they always are. If some switch was left out,
//! nothing is proven but that: up to so many switches there is no error. If none was,
//! all runs were explored.
//! **With reductions.** A thread that goes alone may use up switches that another order
//! of the same steps does not need, so no thread goes alone here. Supersteps are as they
//! are in the paper: switches are counted between supersteps, and some runs need one more
//! there than without.
//! **Source** Zaks and Joshi, SPIN 2008, Figure 4, after Musuvathi and Qadeer, PLDI 2007.
//! We differ: the paper does not compare the number of switches when it compares states,
//! which loses runs.

use model::{LabelId, Omission, StopReason, Successors};

use super::super::Reduction;
use super::stepper::{ThreadStepper, pack};
use super::stores::{number_at, put_number};

/// Bits of a turn that say whose it was.
pub(super) const SLOT_BITS: u32 = 16;

/// Whose turn it was, if it matters, and the switches so far.
fn taken_apart(turn: u64) -> (Option<u32>, u32) {
    let slot = (turn & ((1 << SLOT_BITS) - 1)) as u32;
    (slot.checked_sub(1), (turn >> SLOT_BITS) as u32)
}

fn put_together(slot: Option<u32>, n_switches: u32) -> u64 {
    u64::from(slot.map_or(0, |slot| slot + 1)) | u64::from(n_switches) << SLOT_BITS
}

impl ThreadStepper<'_> {
    /// May the thread in `slot` go on in `state`, as far as switches are bounded? Keeps
    /// the turn for its successors.
    pub(super) fn takes_turn(
        &mut self,
        state: &[u64],
        slot: u32,
        out: &mut Successors,
    ) -> Result<bool, StopReason> {
        let Some(max) = self.composition.max_switches else { return Ok(true) };
        let (last, n_switches) = taken_apart(number_at(state, self.composition.turn_place()));
        let costs = match last {
            Some(last) if last != slot => self.goes_on(state, last)?,
            _ => false,
        };
        if costs && n_switches >= max {
            if number_at(state, slot + 1) != 0 && self.may_step(state, slot)? {
                let between_supersteps = self.composition.reduction == Reduction::Supersteps;
                let omission = Omission::ContextSwitches { bound: max, between_supersteps };
                out.cut(pack(Some(slot), LabelId(0), 1), &omission);
            }
            return Ok(false);
        }
        self.turn = put_together(Some(slot), n_switches + u32::from(costs));
        Ok(true)
    }

    /// Writes the turn to the successor that is being made.
    pub(super) fn put_turn(&mut self) -> Result<(), StopReason> {
        if self.composition.max_switches.is_none() {
            return Ok(());
        }
        let (slot, n_switches) = taken_apart(self.turn);
        // Nobody asks whose turn it was once that one cannot go on.
        let next = std::mem::take(&mut self.next);
        let goes_on = match slot {
            Some(slot) => self.goes_on(&next, slot),
            None => Ok(false),
        };
        self.next = next;
        let turn = put_together(slot.filter(|_| goes_on == Ok(true)), n_switches);
        put_number(&mut self.next, self.composition.turn_place(), turn);
        goes_on.map(|_| ())
    }

    /// Has the thread a step that it can count on?
    fn goes_on(&mut self, state: &[u64], slot: u32) -> Result<bool, StopReason> {
        let local = number_at(state, slot + 1);
        if local == 0 {
            return Ok(false);
        }
        let known = self.numbered_steps(number_at(state, 0), local)?;
        Ok(known.goes_on())
    }

    fn may_step(&mut self, state: &[u64], slot: u32) -> Result<bool, StopReason> {
        let known = self.numbered_steps(number_at(state, 0), number_at(state, slot + 1))?;
        Ok(known.unknown.is_some() || !known.steps.is_empty())
    }
}
