//! Refines a partition by what relates elements to each other, until elements of
//! a cell have equal relations to every cell.
//!
//! In each round every element is marked with the sum of hashes of the tuples it
//! takes part in. Those hashes are made of colours and contents alone, never of
//! element numbers, so permuted states get permuted marks.

use super::bits::{get, mix, odd};
use super::partition::Partition;
use super::plan::{NONE, SymmetryPlan, Tuple};

/// What a tuple holds in the state at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) tuple: u32,
    /// The stored element.
    pub(super) value: u32,
    pub(super) code: u64,
    /// The next reading with the same stored element.
    next_naming: u32,
    /// Hash of all that no colour changes.
    seed: u64,
}

/// Marks elements by their relations.
#[derive(Debug)]
pub(super) struct Refiner {
    /// The tuples that hold anything: those in unused slots do not.
    readings: Vec<Reading>,
    /// By tuple, its reading.
    reading_of: Vec<u32>,
    /// By element, the first reading that names it.
    first_naming: Vec<u32>,
    /// The readings that can tell elements of one cell apart.
    active: Vec<u32>,
    /// By element.
    marks: Vec<u64>,
    /// By reading.
    hashes: Vec<u64>,
    /// By slot, the sum of the hashes within.
    slot_sums: Vec<u64>,
    /// By slot, a hash of it and all slots around it.
    slot_hashes: Vec<u64>,
}

/// The role number of a stored element; indices of one place are never so many.
const VALUE_ROLE: u32 = 1 << 20;

impl Refiner {
    pub(super) fn new(plan: &SymmetryPlan) -> Refiner {
        Refiner {
            readings: Vec::with_capacity(plan.tuples.len()),
            reading_of: vec![NONE; plan.tuples.len()],
            first_naming: vec![NONE; plan.n_elements],
            active: Vec::with_capacity(plan.tuples.len()),
            marks: vec![0; plan.n_elements],
            hashes: vec![0; plan.tuples.len()],
            slot_sums: vec![0; plan.slots.len()],
            slot_hashes: vec![0; plan.slots.len()],
        }
    }

    /// Looks up what all tuples hold.
    pub(super) fn read(&mut self, plan: &SymmetryPlan, state: &[u64]) {
        self.readings.clear();
        self.active.clear();
        self.first_naming.fill(NONE);
        for (number, tuple) in plan.tuples.iter().enumerate() {
            if tuple.slot != NONE && get(state, plan.slots[tuple.slot as usize].used_bit, 1) == 0 {
                self.reading_of[number] = NONE;
                continue;
            }
            let code = get(state, tuple.bit, tuple.mask);
            let (value, seed) = content(plan, tuple, code);
            let (tuple, reading) = (number as u32, self.readings.len() as u32);
            let mut next_naming = NONE;
            if value != NONE {
                next_naming = std::mem::replace(&mut self.first_naming[value as usize], reading);
            }
            self.reading_of[number] = reading;
            self.active.push(reading);
            self.readings.push(Reading { tuple, value, code, next_naming, seed });
        }
    }

    /// The reading of a tuple, unless it holds nothing.
    #[inline]
    pub(super) fn reading(&self, tuple: u32) -> Option<&Reading> {
        self.readings.get(self.reading_of[tuple as usize] as usize)
    }

    /// The readings whose stored element is `element`.
    #[inline]
    pub(super) fn naming(&self, element: u32) -> impl Iterator<Item = &Reading> {
        let lookup = |number: u32| self.readings.get(number as usize);
        let first = lookup(self.first_naming[element as usize]);
        std::iter::successors(first, move |reading| lookup(reading.next_naming))
    }

    /// Refines until nothing changes. Gives a hash of what was seen, the same for
    /// permuted states.
    pub(super) fn refine(&mut self, plan: &SymmetryPlan, partition: &mut Partition) -> u64 {
        let mut trace = 0;
        loop {
            self.mark(plan, &partition.colour);
            let (is_split, has_ties) = self.split(plan, partition, &mut trace);
            if !is_split || !has_ties {
                return trace;
            }
        }
    }

    /// Leaves out, until the next state is read, readings all of whose elements are
    /// single: they mark nobody else. In slots they do, through the hash of the slot.
    pub(super) fn narrow(&mut self, plan: &SymmetryPlan, partition: &Partition) {
        self.active.retain(|&number| {
            let reading = &self.readings[number as usize];
            let tuple = &plan.tuples[reading.tuple as usize];
            tuple.slot != NONE
                || (reading.value != NONE && !partition.is_single(reading.value))
                || plan.roles_of(tuple).iter().any(|role| !partition.is_single(role.element))
        });
    }

    /// Splits all cells by marks. Says whether any was split, and whether any has
    /// several elements.
    fn split(
        &mut self,
        plan: &SymmetryPlan,
        partition: &mut Partition,
        trace: &mut u64,
    ) -> (bool, bool) {
        let (mut is_split, mut has_ties) = (false, false);
        for domain in plan.domains.iter().filter(|domain| !domain.unrelated) {
            let mut start = domain.first as usize;
            while start < domain.range().end {
                let end = partition.end_of(start);
                if end - start > 1 && partition.split(start, end, &self.marks) {
                    is_split = true;
                }
                for position in start..end {
                    let element = partition.order[position] as usize;
                    has_ties |= partition.colour[element] as usize != position;
                    *trace = mix(*trace ^ self.marks[element]);
                }
                start = end;
            }
        }
        (is_split, has_ties)
    }

    fn mark(&mut self, plan: &SymmetryPlan, colour: &[u32]) {
        self.marks.fill(0);
        self.slot_sums.fill(0);
        for &number in &self.active {
            let reading = &self.readings[number as usize];
            let tuple = &plan.tuples[reading.tuple as usize];
            let mut hash = reading.seed;
            for (role, at) in plan.roles_of(tuple).iter().zip(0..) {
                hash = hash.wrapping_add(term(colour, role.element, at));
            }
            if reading.value != NONE {
                hash = hash.wrapping_add(term(colour, reading.value, VALUE_ROLE));
            }
            hash = mix(hash);
            if tuple.slot == NONE {
                share_out(plan, reading, hash, &mut self.marks);
            } else {
                self.hashes[number as usize] = hash;
                let sum = &mut self.slot_sums[tuple.slot as usize];
                *sum = sum.wrapping_add(hash);
            }
        }
        if !plan.slots.is_empty() {
            self.mark_by_slots(plan);
        }
    }

    /// Elements in a slot learn what else is in it, and what is around it.
    fn mark_by_slots(&mut self, plan: &SymmetryPlan) {
        for (number, slot) in plan.slots.iter().enumerate().rev() {
            if slot.parent != NONE {
                let sum = mix(self.slot_sums[number]);
                let parent = &mut self.slot_sums[slot.parent as usize];
                *parent = parent.wrapping_add(sum);
            }
        }
        for (number, slot) in plan.slots.iter().enumerate() {
            let outer =
                if slot.parent == NONE { 0 } else { self.slot_hashes[slot.parent as usize] };
            self.slot_hashes[number] = mix(self.slot_sums[number] ^ outer.rotate_left(17));
        }
        for (reading, &hash) in self.readings.iter().zip(&self.hashes) {
            let slot = plan.tuples[reading.tuple as usize].slot;
            if slot != NONE {
                let hash = mix(hash ^ self.slot_hashes[slot as usize]);
                share_out(plan, reading, hash, &mut self.marks);
            }
        }
    }
}

/// The element that `code` names, and a hash of what a permutation leaves of it.
fn content(plan: &SymmetryPlan, tuple: &Tuple, code: u64) -> (u32, u64) {
    let Some((element, segment)) = plan.element_of(tuple.coding, code) else {
        return (NONE, mix(tuple.seed ^ code));
    };
    let is_own = plan.roles_of(tuple).iter().position(|role| role.element == element);
    let own = is_own.map_or(0, |role| odd(role as u32 + 1));
    (element, mix(tuple.seed ^ segment.first) ^ own)
}

#[inline(always)]
fn term(colour: &[u32], element: u32, role: u32) -> u64 {
    odd(role).wrapping_mul(u64::from(colour[element as usize]) + 1)
}

/// Adds the hash of a tuple to the marks of all who take part.
#[inline(always)]
fn share_out(plan: &SymmetryPlan, reading: &Reading, hash: u64, marks: &mut [u64]) {
    let mut add = |element: u32, role| {
        let mark = &mut marks[element as usize];
        *mark = mark.wrapping_add(hash.wrapping_mul(odd(role)));
    };
    for (role, at) in plan.roles_of(&plan.tuples[reading.tuple as usize]).iter().zip(0..) {
        add(role.element, at);
    }
    if reading.value != NONE {
        add(reading.value, VALUE_ROLE);
    }
}
