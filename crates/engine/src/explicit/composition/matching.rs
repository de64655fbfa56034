//! Leaves out states that the user's abstraction takes for equal to one met before.
//!
//! The search goes on with concrete states, as in the paper: what is compared is
//! abstract. Of the states that look the same, the first that is met stands for all, and
//! steps to the others are left out. So every run is a real one, and every error is; what
//! only the others can do is missed. If no step was left out, all states were explored.
//!
//! **Source** Zaks and Joshi, SPIN 2008, Section 3.1: concrete data is tracked, abstract
//! data is matched. We differ: where threads stand in their code is matched as well,
//! since otherwise a search would end at the first step that changes nothing abstract.
//! **Not with** several threads of the search, or states that stand for others by
//! symmetry: which state is met first must depend on the program alone.

use std::sync::PoisonError;

use model::{Omission, Successors};
use rustc_hash::FxHashMap;

use super::stepper::ThreadStepper;
use super::stores::number_at;

/// States by what an abstraction makes of them.
pub(super) type MatchedStates = FxHashMap<Box<[u8]>, Box<[u64]>>;

impl ThreadStepper<'_> {
    /// Is `self.next` the first state that looks like it does? If not, it is left out.
    pub(super) fn is_first_alike(&mut self, out: &mut Successors) -> bool {
        let composition = self.composition;
        let Some(abstraction) = composition.abstraction else { return true };
        let Some(shared) = self.cache.bytes(number_at(&self.next, 0)) else { return true };
        let mut stores = Vec::new();
        for place in 1..=composition.n_slots {
            stores.extend(self.cache.bytes(number_at(&self.next, place)));
        }
        let locals: Vec<&[u8]> = stores.iter().map(|store| &**store).collect();
        let mut looks = Vec::new();
        if composition.max_switches.is_some() {
            looks.extend(number_at(&self.next, composition.turn_place()).to_le_bytes());
        }
        if let Err(why) = abstraction.abstract_state(&shared, &locals, &mut looks) {
            out.omit(&Omission::UnknownSteps { why });
            return true;
        }
        let mut met = composition.met.lock().unwrap_or_else(PoisonError::into_inner);
        let first = met.entry(looks.into()).or_insert_with(|| self.next.as_slice().into());
        let is_first = **first == *self.next;
        if !is_first {
            out.omit(&Omission::Abstraction { name: abstraction.name().to_owned() });
        }
        is_first
    }
}
