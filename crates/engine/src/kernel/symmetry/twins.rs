//! Finds elements that may be swapped without a change of the state: twins.
//!
//! Twins take any order, since every order gives the same state. Where all
//! elements of a cell are twins, the cell is separated without a choice.

use super::CanonicalWorker;
use super::bits::get;
use super::plan::NONE;
use super::refine::Reading;

impl CanonicalWorker<'_> {
    /// Separates every cell that consists of twins. Says whether all elements are
    /// separate now.
    pub(super) fn separate_twins(&mut self) -> bool {
        let plan = self.plan;
        let mut all_separate = true;
        for domain in plan.domains.iter().filter(|domain| !domain.ties_are_twins()) {
            let mut start = domain.first as usize;
            while start < domain.range().end {
                let end = self.partition.end_of(start);
                // Swaps of neighbours generate all permutations of the cell.
                if (start + 1..end).all(|position| self.are_twins(position - 1, position)) {
                    self.partition.separate(start, end);
                } else {
                    all_separate = false;
                }
                start = end;
            }
        }
        all_separate
    }

    /// Are the elements at two positions of one cell twins?
    pub(super) fn are_twins(&mut self, left: usize, right: usize) -> bool {
        let (left, right) = (self.partition.order[left], self.partition.order[right]);
        let domain = self.plan.domains[self.plan.domain_of[left as usize] as usize];
        if !domain.exact && !self.columns_agree(left, right) {
            return false;
        }
        match self.tuples_agree(left, right) {
            Agreement::No => false,
            Agreement::Yes => true,
            Agreement::UnlessSlots => self.swap_changes_nothing(left, right),
        }
    }

    /// Do the places agree that keys are made of?
    fn columns_agree(&self, left: u32, right: u32) -> bool {
        let plan = self.plan;
        let domain = plan.domain_of[left as usize];
        let first = plan.domains[domain as usize].first;
        let (left_idx, right_idx) = (plan.local[left as usize], plan.local[right as usize]);
        let columns = plan.plain.iter().filter(|column| column.domain.first == first);
        let same_content = columns.into_iter().all(|column| {
            get(&self.state, column.bit + left_idx * column.stride, column.mask)
                == get(&self.state, column.bit + right_idx * column.stride, column.mask)
        });
        same_content
            && plan.values.iter().all(|value| {
                let code = get(&self.state, value.bit, value.mask);
                let named = plan.element_of(value.coding, code);
                named.is_none_or(|(element, _)| element != left && element != right)
            })
    }

    /// Does a swap leave all tuples as they are? Only those that one of the two
    /// indexes, or that name one of the two, can change.
    fn tuples_agree(&self, left: u32, right: u32) -> Agreement {
        let mut agreement = Agreement::Yes;
        for element in [left, right] {
            let indexed = self.plan.indexed_by(element).iter();
            let indexed = indexed.filter_map(|&tuple| self.refiner.reading(tuple));
            for reading in indexed.chain(self.refiner.naming(element)) {
                match self.tuple_agrees(reading, left, right) {
                    Agreement::Yes => {}
                    Agreement::UnlessSlots => agreement = Agreement::UnlessSlots,
                    Agreement::No => return Agreement::No,
                }
            }
        }
        agreement
    }

    fn tuple_agrees(&self, reading: &Reading, left: u32, right: u32) -> Agreement {
        let plan = self.plan;
        let tuple = &plan.tuples[reading.tuple as usize];
        if tuple.slot != NONE {
            return Agreement::UnlessSlots;
        }
        let swapped = |element: u32| match element {
            _ if element == left => right,
            _ if element == right => left,
            _ => element,
        };
        let mut to = tuple.home;
        for role in plan.roles_of(tuple) {
            to += plan.local[swapped(role.element) as usize] * role.stride;
        }
        let mut code = reading.code;
        if reading.value != NONE {
            code -= u64::from(plan.local[reading.value as usize]);
            code += u64::from(plan.local[swapped(reading.value) as usize]);
        }
        if get(&self.state, to, tuple.mask) == code { Agreement::Yes } else { Agreement::No }
    }

    /// Swaps in a copy of the whole state, multisets sorted.
    fn swap_changes_nothing(&mut self, left: u32, right: u32) -> bool {
        self.places.copy_from_slice(&self.plan.local);
        self.places.swap(left as usize, right as usize);
        self.apply_places();
        self.permuted == self.state
    }
}

/// What is known of a swap.
enum Agreement {
    No,
    Yes,
    /// Yes, unless slots of multisets change, which has not been looked at.
    UnlessSlots,
}
