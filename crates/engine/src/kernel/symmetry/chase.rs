//! Tells elements apart by following pointers, without reading the other tuples.
//!
//! What lies in linked lists and trees is told apart so at little cost: an element in a
//! cell of its own leads to the one that it points to, and elements of one cell differ
//! when they point to different cells. What is left goes to `refine`, which sees who points
//! to an element as well.
//!
//! Like refinement it depends on colours and columns alone, so permuted states are treated
//! alike; only twins are separated in the order of their numbers.

use super::CanonicalWorker;
use super::bits::{get, mix, odd};
use super::plan::{NONE, SymmetryPlan, element_in};

/// Memory of the chase.
#[derive(Debug)]
pub(super) struct Chase {
    /// What elements point to, element after element; see [`SymmetryPlan::targets_of`].
    targets: Vec<u32>,
    /// Elements in cells of their own, whose pointers are followed next.
    queue: Vec<u32>,
    /// By element.
    marks: Vec<u64>,
}

impl Chase {
    pub(super) fn new(plan: &SymmetryPlan) -> Chase {
        let n_targets = plan.first_target.last().map_or(0, |&n| n as usize);
        Chase {
            targets: vec![NONE; n_targets],
            queue: Vec::with_capacity(plan.n_elements),
            marks: vec![0; plan.n_elements],
        }
    }

    fn list_targets(&mut self, plan: &SymmetryPlan, state: &[u64]) {
        for column in &plan.pointers {
            let segments = plan.segments_of(column.coding);
            let (mut bit, range) = (column.bit, column.domain.range());
            for first_target in &plan.first_target[range] {
                let target = element_in(segments, get(state, bit, column.mask));
                let target = target.map_or(NONE, |(target, _)| target);
                self.targets[(first_target + column.rank) as usize] = target;
                bit += column.stride;
            }
        }
    }
}

impl CanonicalWorker<'_> {
    /// Separates elements by pointers as far as no choice is needed, where `n_tied` share
    /// a cell with an earlier one. Says whether all elements are separate.
    pub(super) fn chase_pointers(&mut self, mut n_tied: usize) -> bool {
        // Where pointers are not all that relates elements, they seldom suffice.
        if self.plan.pointers.is_empty() || self.plan.n_pointer_tuples < self.plan.tuples.len() {
            return false;
        }
        self.chase.list_targets(self.plan, &self.state);
        n_tied -= self.separate_plain_twins();
        self.queue_singles();
        while n_tied > 0 {
            n_tied -= self.follow_pointers();
            let n_split = if n_tied > 0 { self.split_by_targets() } else { 0 };
            if n_split == 0 {
                break;
            }
            n_tied -= n_split;
        }
        n_tied == 0
    }

    /// Separates cells of elements that nothing points to and that hold the same: swaps
    /// change nothing. Says how many elements that frees.
    fn separate_plain_twins(&mut self) -> usize {
        let plan = self.plan;
        let mut n_freed = 0;
        for (domain, pointed_bits) in plan.domains.iter().zip(&plan.pointed_bits) {
            let Some(pointed_bits) = pointed_bits else { continue };
            let mut start = domain.first as usize;
            while start < domain.range().end {
                let end = self.partition.end_of(start);
                let first = self.partition.order[start];
                if end - start > 1
                    && self.keys[first as usize] & pointed_bits == 0
                    && self.hold_the_same(start, end)
                {
                    self.partition.separate(start, end);
                    n_freed += end - start - 1;
                }
                start = end;
            }
        }
        n_freed
    }

    /// Do all elements of a cell hold the same in every pointer column? What is no element
    /// is in their keys.
    fn hold_the_same(&self, start: usize, end: usize) -> bool {
        let targets = |position: usize| self.targets_of(self.partition.order[position]);
        (start + 1..end).all(|position| targets(position) == targets(start))
    }

    fn targets_of(&self, element: u32) -> &[u32] {
        &self.chase.targets[self.plan.targets_of(element)]
    }

    fn queue_singles(&mut self) {
        self.chase.queue.clear();
        for domain in self.plan.domains.iter().filter(|domain| !domain.unrelated) {
            for position in domain.range() {
                let element = self.partition.order[position];
                if self.partition.is_single(element) {
                    self.chase.queue.push(element);
                }
            }
        }
    }

    /// Separates what queued elements point to, and what those point to in turn. Says how
    /// many elements that frees.
    fn follow_pointers(&mut self) -> usize {
        let (mut n_freed, mut next) = (0, 0);
        while let Some(&element) = self.chase.queue.get(next) {
            next += 1;
            for at in self.plan.targets_of(element) {
                let target = self.chase.targets[at];
                if target != NONE && !self.partition.is_single(target) {
                    n_freed += 1;
                    self.single_out(target);
                }
            }
        }
        self.chase.queue.clear();
        n_freed
    }

    /// Makes an element a cell in front of the others of its cell.
    fn single_out(&mut self, element: u32) {
        let start = self.partition.colour[element as usize] as usize;
        let end = self.partition.end_of(start);
        let at = self.partition.order[start..end].iter().position(|&other| other == element);
        let at = at.expect("an element is in its cell");
        self.partition.individualise(start, end, start + at);
        self.chase.queue.push(element);
        if end - start == 2 {
            self.chase.queue.push(self.partition.order[start + 1]);
        }
    }

    /// Splits cells by the colours of what their elements point to, and queues those that
    /// are separate now. Says by how much the number of cells grows.
    fn split_by_targets(&mut self) -> usize {
        let plan = self.plan;
        let mut n_new = 0;
        for domain in plan.domains.iter().filter(|domain| !domain.unrelated) {
            let mut start = domain.first as usize;
            while start < domain.range().end {
                let end = self.partition.end_of(start);
                if end - start > 1 && self.mark_by_targets(start, end) {
                    self.partition.split(start, end, &self.chase.marks);
                    n_new += self.queue_split(start, end);
                }
                start = end;
            }
        }
        n_new
    }

    /// Marks the elements of a cell. Says whether marks differ.
    fn mark_by_targets(&mut self, start: usize, end: usize) -> bool {
        let mut differ = false;
        for position in start..end {
            let element = self.partition.order[position];
            let mut mark = 0u64;
            for (&target, number) in self.targets_of(element).iter().zip(0..) {
                if target != NONE {
                    let colour = u64::from(self.partition.colour[target as usize]) + 1;
                    mark = mark.wrapping_add(mix(odd(number).wrapping_mul(colour)));
                }
            }
            self.chase.marks[element as usize] = mark;
            let first = self.partition.order[start];
            differ |= mark != self.chase.marks[first as usize];
        }
        differ
    }

    /// Queues the elements of a cell that was split which are separate now. Says by how
    /// much the number of cells has grown.
    fn queue_split(&mut self, start: usize, end: usize) -> usize {
        let mut n_new = 0;
        for position in start..end {
            let element = self.partition.order[position];
            let is_first = self.partition.colour[element as usize] as usize == position;
            n_new += usize::from(is_first && position > start);
            if is_first && self.partition.is_single(element) {
                self.chase.queue.push(element);
            }
        }
        n_new
    }
}
