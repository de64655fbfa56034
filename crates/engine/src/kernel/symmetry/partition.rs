//! Ordered partitions of the elements of all domains.
//!
//! Elements stand in one order, domain after domain. A cell is a stretch of it;
//! the *colour* of an element is the position at which its cell starts. What
//! orders cells must not depend on how elements are numbered.

use super::plan::SymmetryPlan;

/// An ordered partition.
#[derive(Clone, Debug, Default)]
pub(super) struct Partition {
    pub(super) order: Vec<u32>,
    /// By element.
    pub(super) colour: Vec<u32>,
}

impl Partition {
    /// Every domain one cell.
    pub(super) fn new(plan: &SymmetryPlan) -> Partition {
        let colour = plan.domain_of.iter().map(|&domain| plan.domains[domain as usize].first);
        Partition { order: (0..plan.n_elements as u32).collect(), colour: colour.collect() }
    }

    /// Starts anew with elements in the order of their `keys`, which are spoiled.
    /// Elements whose keys are equal share a cell unless they are twins for sure.
    /// Gives the number of elements in the cell of another one.
    pub(super) fn start(&mut self, plan: &SymmetryPlan, keys: &mut [u64]) -> usize {
        let mut n_tied = 0;
        for domain in &plan.domains {
            let (first, range) = (domain.first as usize, domain.range());
            for position in range.clone() {
                self.order[position] = position as u32;
            }
            sort_by_key(&mut self.order[range.clone()], keys);
            if domain.ties_are_twins() {
                // No tuple asks for the colours of such elements.
                continue;
            }
            self.colour[self.order[first] as usize] = domain.first;
            for position in range.skip(1) {
                let (last, this) = (self.order[position - 1], self.order[position]);
                let is_tied = keys[last as usize] == keys[this as usize];
                n_tied += usize::from(is_tied);
                self.colour[this as usize] =
                    if is_tied { self.colour[last as usize] } else { position as u32 };
            }
        }
        n_tied
    }

    /// Does every element stand where its number says?
    pub(super) fn is_identity(&self) -> bool {
        self.order.iter().enumerate().all(|(position, &element)| position == element as usize)
    }

    /// For every element, its position within its domain.
    pub(super) fn places(&self, plan: &SymmetryPlan, places: &mut [u32]) {
        for domain in &plan.domains {
            for position in domain.range() {
                places[self.order[position] as usize] = position as u32 - domain.first;
            }
        }
    }

    /// Has the cell of `element` no other element?
    #[inline]
    pub(super) fn is_single(&self, element: u32) -> bool {
        let start = self.colour[element as usize];
        let second = self.order.get(start as usize + 1);
        second.is_none_or(|&second| self.colour[second as usize] != start)
    }

    /// Where the cell that starts at `start` ends.
    #[inline]
    pub(super) fn end_of(&self, start: usize) -> usize {
        let is_other = |&element: &u32| self.colour[element as usize] as usize != start;
        let length = self.order[start..].iter().position(is_other);
        length.map_or(self.order.len(), |length| start + length)
    }

    /// Makes every element of a cell a cell of its own.
    #[inline]
    pub(super) fn separate(&mut self, start: usize, end: usize) {
        for position in start..end {
            self.colour[self.order[position] as usize] = position as u32;
        }
    }

    /// Makes the element at `position` a cell in front of the others of its cell.
    pub(super) fn individualise(&mut self, start: usize, end: usize, position: usize) {
        self.order.swap(start, position);
        for &element in &self.order[start + 1..end] {
            self.colour[element as usize] = start as u32 + 1;
        }
    }

    /// Splits a cell by the `marks` of its elements, smallest first. Says whether
    /// there was anything to split.
    pub(super) fn split(&mut self, start: usize, end: usize, marks: &[u64]) -> bool {
        let mark = |element: u32| marks[element as usize];
        let cell = &mut self.order[start..end];
        if cell.iter().all(|&element| mark(element) == mark(cell[0])) {
            return false;
        }
        sort_by_key(cell, marks);
        let mut colour = start as u32;
        for position in start + 1..end {
            let this = self.order[position];
            if mark(this) != mark(self.order[position - 1]) {
                colour = position as u32;
            }
            self.colour[this as usize] = colour;
        }
        true
    }

    /// Becomes equal to `other`, without allocating.
    pub(super) fn copy_from(&mut self, other: &Partition) {
        self.order.clone_from(&other.order);
        self.colour.clone_from(&other.colour);
    }
}

/// Up to this many elements, insertion is the faster way to sort: successors of
/// canonical states are nearly in order. Chosen without measuring further.
const MAX_INSERTION_LENGTH: usize = 24;

fn sort_by_key(order: &mut [u32], keys: &[u64]) {
    if order.len() > MAX_INSERTION_LENGTH {
        order.sort_unstable_by_key(|&element| (keys[element as usize], element));
        return;
    }
    for sorted in 1..order.len() {
        let element = order[sorted];
        let key = keys[element as usize];
        let mut hole = sorted;
        while hole > 0 && keys[order[hole - 1] as usize] > key {
            order[hole] = order[hole - 1];
            hole -= 1;
        }
        order[hole] = element;
    }
}
