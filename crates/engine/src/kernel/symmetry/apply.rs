//! Carries out a permutation: moves what arrays hold, renames stored elements,
//! sorts multisets.

use std::cmp::Ordering;

use super::bits::{clear, get, mask, put};
use super::plan::{NONE, SlotRun, SymmetryPlan};

/// Makes `out` what `places` makes of `state`, where `places[e]` is the number,
/// within its domain, of what element `e` becomes. Multisets stay unsorted.
pub(super) fn apply(plan: &SymmetryPlan, state: &[u64], places: &[u32], out: &mut [u64]) {
    for ((out, word), keep) in out.iter_mut().zip(state).zip(&plan.keep) {
        *out = word & keep;
    }
    for column in &plan.plain {
        let mut bit = column.bit;
        for &place in &places[column.domain.range()] {
            let content = get(state, bit, column.mask);
            put(out, column.bit + place * column.stride, content);
            bit += column.stride;
        }
    }
    let renamed = |coding, code| match plan.element_of(coding, code) {
        Some((element, segment)) => segment.first + u64::from(places[element as usize]),
        None => code,
    };
    for value in &plan.values {
        put(out, value.bit, renamed(value.coding, get(state, value.bit, value.mask)));
    }
    for column in &plan.pointers {
        let mut bit = column.bit;
        for &place in &places[column.domain.range()] {
            let content = renamed(column.coding, get(state, bit, column.mask));
            put(out, column.bit + place * column.stride, content);
            bit += column.stride;
        }
    }
    for tuple in &plan.tuples[plan.n_pointer_tuples..plan.n_moving_tuples] {
        // An unused slot is zero and stays so, even where zero is an element's code.
        if tuple.slot != NONE && get(state, plan.slots[tuple.slot as usize].used_bit, 1) == 0 {
            continue;
        }
        let moved = plan.roles_of(tuple).iter();
        let offset: u32 = moved.map(|role| places[role.element as usize] * role.stride).sum();
        put(out, tuple.home + offset, renamed(tuple.coding, get(state, tuple.bit, tuple.mask)));
    }
}

/// Sorts the slots of multisets.
#[derive(Debug, Default)]
pub(super) struct SlotSorter {
    /// The slots of one multiset, low words first.
    slots: Vec<u64>,
    order: Vec<u32>,
}

impl SlotSorter {
    /// Puts every multiset into descending order.
    pub(super) fn sort_multisets(&mut self, plan: &SymmetryPlan, state: &mut [u64]) {
        for run in &plan.runs {
            if run.stride <= 64 {
                self.sort_narrow(run, state);
            } else {
                self.sort_wide(run, state);
            }
        }
    }

    fn sort_narrow(&mut self, run: &SlotRun, state: &mut [u64]) {
        let mask = mask(run.stride);
        self.slots.clear();
        self.slots.extend((0..run.n).map(|slot| get(state, run.bit + slot * run.stride, mask)));
        if self.slots.is_sorted_by(|left, right| left >= right) {
            return;
        }
        self.slots.sort_unstable_by(|left, right| right.cmp(left));
        let mut bit = run.bit;
        for &slot in &self.slots {
            clear(state, bit, mask);
            put(state, bit, slot);
            bit += run.stride;
        }
    }

    fn sort_wide(&mut self, run: &SlotRun, state: &mut [u64]) {
        let n_words = run.stride.div_ceil(64) as usize;
        let field = |slot: u32, word: usize| {
            let offset = word as u32 * 64;
            (run.bit + slot * run.stride + offset, mask((run.stride - offset).min(64)))
        };
        self.slots.clear();
        for slot in 0..run.n {
            for word in 0..n_words {
                let (bit, mask) = field(slot, word);
                self.slots.push(get(state, bit, mask));
            }
        }
        let words = |slot: u32| self.slots[slot as usize * n_words..][..n_words].iter().rev();
        let descending = |left: &u32, right: &u32| -> Ordering { words(*right).cmp(words(*left)) };
        self.order.clear();
        self.order.extend(0..run.n);
        self.order.sort_unstable_by(descending);
        for (to, &from) in self.order.iter().enumerate() {
            for word in 0..n_words {
                let (bit, mask) = field(to as u32, word);
                clear(state, bit, mask);
                put(state, bit, self.slots[from as usize * n_words + word]);
            }
        }
    }
}
