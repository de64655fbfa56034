//! Notes what a search finds: the best error, or everything there is to say about
//! each property.

use model::{Deadlock, Ending, Fault, FaultPlace, Judgement, Omissions};

use super::finding::{FoundError, offer};

/// What one thread has found.
pub(super) struct Record {
    /// The error to report.
    pub best: Option<FoundError>,
    /// For each property that is a cover or a goal: was it reached somewhere?
    pub reached: Vec<bool>,
    /// For each property, where it fails; empty unless everything is wanted.
    pub failures: Vec<Failures>,
    /// Examples wanted of each failing invariant.
    n_examples: usize,
    /// States without a step.
    pub n_deadlocks: u64,
    /// Evaluations without a value.
    pub n_faults: u64,
    /// What was left out.
    pub omissions: Omissions,
}

/// Where an invariant fails.
#[derive(Clone, Default)]
pub(super) struct Failures {
    /// In how many states.
    pub n_states: u64,
    /// The first of them by depth, then by words.
    pub examples: Vec<(u32, Vec<u64>)>,
}

impl Record {
    /// A record of the best error, for `n_properties` properties.
    pub(super) fn of_first(n_properties: usize) -> Record {
        Record {
            best: None,
            reached: vec![false; n_properties],
            failures: Vec::new(),
            n_examples: 0,
            n_deadlocks: 0,
            n_faults: 0,
            omissions: Omissions::default(),
        }
    }

    /// A record of everything, with up to `n_examples` states where a property fails.
    pub(super) fn of_all(n_properties: usize, n_examples: usize) -> Record {
        let failures = vec![Failures::default(); n_properties];
        Record { failures, n_examples, ..Record::of_first(n_properties) }
    }

    /// Is every error wanted, not only the best?
    fn wants_all(&self) -> bool {
        !self.failures.is_empty()
    }

    /// Notes an evaluation that has no value.
    pub(super) fn fault(&mut self, depth: u32, place: FaultPlace, fault: &Fault, state: &[u64]) {
        offer(&mut self.best, depth, Ending::Fault { place, fault: fault.clone() }, state);
    }

    /// Notes a deadlock.
    pub(super) fn deadlock(&mut self, depth: u32, kind: Deadlock, state: &[u64]) {
        offer(&mut self.best, depth, Ending::Deadlock(kind), state);
    }

    /// Notes covers and goals that were reached.
    pub(super) fn reached(&mut self, properties: &[u32]) {
        for &property in properties {
            if let Some(reached) = self.reached.get_mut(property as usize) {
                *reached = true;
            }
        }
    }

    /// Notes what is to be said of a new state.
    pub(super) fn judged(&mut self, depth: u32, judgement: &Judgement, state: &[u64]) {
        self.reached(&judgement.reached);
        for (property, fault) in &judgement.faults {
            self.n_faults += 1;
            self.fault(depth, FaultPlace::Property(*property), fault, state);
        }
        if !self.wants_all() {
            if let Some(&property) = judgement.violated.first() {
                offer(&mut self.best, depth, Ending::Invariant(property), state);
            }
            return;
        }
        for &property in &judgement.violated {
            if let Some(failures) = self.failures.get_mut(property as usize) {
                failures.n_states += 1;
                failures.add(depth, state, self.n_examples);
            }
        }
    }

    /// Takes over what another thread has found, and empties that.
    pub(super) fn absorb(&mut self, other: &mut Record) {
        if let Some(finding) = other.best.take() {
            offer(&mut self.best, finding.depth, finding.ending, &finding.state);
        }
        for (mine, theirs) in self.reached.iter_mut().zip(&other.reached) {
            *mine |= theirs;
        }
        for (mine, theirs) in self.failures.iter_mut().zip(&mut other.failures) {
            mine.n_states += std::mem::take(&mut theirs.n_states);
            for (depth, state) in std::mem::take(&mut theirs.examples) {
                mine.add(depth, &state, self.n_examples);
            }
        }
        self.n_deadlocks += std::mem::take(&mut other.n_deadlocks);
        self.n_faults += std::mem::take(&mut other.n_faults);
        self.omissions.absorb(&std::mem::take(&mut other.omissions));
    }
}

impl Failures {
    fn add(&mut self, depth: u32, state: &[u64], n_examples: usize) {
        let key = (depth, state);
        let is_late = |(depth, state): &(u32, Vec<u64>)| (*depth, state.as_slice()) >= key;
        if self.examples.len() >= n_examples && self.examples.last().is_none_or(|e| !is_late(e)) {
            return;
        }
        let at = self.examples.partition_point(|example| !is_late(example));
        if self.examples.get(at).is_some_and(|(d, s)| (*d, s.as_slice()) == key) {
            return;
        }
        self.examples.insert(at, (depth, state.to_vec()));
        self.examples.truncate(n_examples);
    }
}

#[cfg(test)]
mod tests {
    use super::Failures;

    #[test]
    fn the_first_examples_are_kept_in_order_and_once() {
        let mut failures = Failures::default();
        for (depth, word) in [(2, 1), (1, 9), (1, 3), (1, 3), (0, 7), (3, 0), (1, 4)] {
            failures.add(depth, &[word], 3);
        }
        assert_eq!(failures.examples, [(0, vec![7]), (1, vec![3]), (1, vec![4])]);
        let mut none = Failures::default();
        none.add(0, &[1], 0);
        assert!(none.examples.is_empty());
    }
}
