//! Produces the successors of a state in the form in which they are stored: in
//! canonical form where symmetry is reduced.

use model::{Deadlock, Limits, StateProblem, Stepper, StopReason, Successors, TransitionSystem};

use crate::kernel::symmetry::{CanonicalWorker, Canonicalizer};

/// Computes successors; one per thread.
pub(super) struct Stepping<'a> {
    /// The system's own.
    pub stepper: Box<dyn Stepper + Send + 'a>,
    canonical: Option<CanonicalWorker<'a>>,
    /// Successors, as computed until [`Stepping::canonicalize_all`].
    pub out: Successors,
    /// The state that is being expanded.
    pub state: Vec<u64>,
}

/// What happened when a state was expanded.
pub(super) struct ExpandedState {
    /// Rules that were enabled.
    pub n_enabled: u64,
    /// Index of the first fault that is this state's.
    pub first_fault: usize,
    /// Is it a deadlock? Not decided when there is a fault.
    pub is_deadlock: bool,
}

impl<'a> Stepping<'a> {
    /// For `system`, with canonical forms where there is a canonicalizer.
    pub(super) fn new(
        system: &'a dyn TransitionSystem,
        canonicalizer: Option<&'a Canonicalizer>,
        limits: &Limits,
    ) -> Stepping<'a> {
        Stepping {
            stepper: system.stepper(limits),
            canonical: canonicalizer.map(Canonicalizer::worker),
            out: Successors::new(system.state_words()),
            state: vec![0; system.state_words()],
        }
    }

    /// Adds the successors of `self.state` to `self.out`.
    ///
    /// # Errors
    /// A limit was reached.
    pub(super) fn expand(
        &mut self,
        problem: &StateProblem<'_>,
    ) -> Result<ExpandedState, StopReason> {
        let (first, first_fault) = (self.out.len(), self.out.faults.len());
        let n_enabled_before = self.out.n_enabled;
        self.stepper.expand(&self.state, &mut self.out)?;
        let n_enabled = self.out.n_enabled - n_enabled_before;
        let is_deadlock = self.out.faults.len() == first_fault
            && match problem.deadlock {
                Deadlock::Off => false,
                Deadlock::Stuck => n_enabled == 0,
                Deadlock::Stuttering => self.is_stuttering(first, n_enabled),
            };
        Ok(ExpandedState { n_enabled, first_fault, is_deadlock })
    }

    /// Is no successor from number `first` on different from the state? Compared
    /// before canonical forms are taken: a step to a permutation is a step. A
    /// successor that an assumption leaves out is one as well.
    fn is_stuttering(&self, first: usize, n_enabled: u64) -> bool {
        let n_successors = (self.out.len() - first) as u64;
        n_enabled <= n_successors
            && (first..self.out.len()).all(|idx| self.out.state(idx) == self.state)
    }

    /// Puts all of `self.out` into the form in which states are stored.
    #[inline]
    pub(super) fn canonicalize_all(&mut self) {
        if let Some(canonical) = &mut self.canonical {
            for idx in 0..self.out.len() {
                canonical.canonicalize(self.out.state_mut(idx));
            }
        }
    }

    /// The form in which `state` is stored.
    pub(super) fn canonical(&mut self, state: &[u64]) -> Vec<u64> {
        let mut form = state.to_vec();
        if let Some(canonical) = &mut self.canonical {
            canonical.canonicalize(&mut form);
        }
        form
    }
}
