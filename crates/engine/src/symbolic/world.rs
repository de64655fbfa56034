//! Some threads of a flow with their diagrams, and sets of their states by where thread 0
//! is.
//!
//! Sets do not depend on the order of threads: with a state, all its permutations are in
//! the set. So it is enough that thread 0 steps, and a set after a step is completed by
//! exchanging thread 0 with each other one.

use model::{BooleanFlow, Limits, StopReason};

use super::diagram::{Diagrams, Set, VariableRenaming};
use super::exchange::Exchange;
use super::layout::VariableOrder;
use super::liveness::Liveness;

/// Threads with their diagrams.
pub(super) struct World<'a> {
    pub(super) flow: &'a BooleanFlow,
    pub(super) layout: VariableOrder,
    pub(super) diagrams: Diagrams<'a>,
    pub(super) liveness: Liveness,
    /// From values after a step to values.
    over: VariableRenaming,
    /// For each thread but the last, its exchange with the next one.
    exchanges: Vec<Exchange>,
}

impl<'a> World<'a> {
    /// A world of `n_threads` threads.
    pub(super) fn new(
        flow: &'a BooleanFlow,
        n_threads: usize,
        limits: &'a Limits,
    ) -> Result<World<'a>, StopReason> {
        let layout = VariableOrder::new(flow, n_threads);
        let scale = flow.edges.len() * n_threads;
        let diagrams = Diagrams::new(layout.n_variables(), scale, limits)?;
        let over = diagrams.renaming(&layout.step_over())?;
        let exchanges = (1..n_threads).map(|next| Exchange::new(&layout, &diagrams, next - 1));
        let exchanges = exchanges.collect::<Result<_, _>>()?;
        Ok(World { flow, layout, diagrams, liveness: Liveness::new(flow), over, exchanges })
    }

    /// A set of new values as one of values.
    pub(super) fn step_over(&self, set: &Set) -> Result<Set, StopReason> {
        self.diagrams.rename(set, &self.over)
    }

    /// The states of a family in which the others may change places, with thread 0 at
    /// each other place instead.
    pub(super) fn permuted(&self, n_members: usize, family: &Family) -> Result<Family, StopReason> {
        let mut moved = self.joined(family)?;
        let mut all = self.diagrams.empty();
        // The others stay in order, and any order of them is as good as another.
        for exchange in &self.exchanges[..n_members - 1] {
            moved = exchange.of(&self.diagrams, &moved)?;
            all = self.diagrams.or(&all, &moved)?;
        }
        self.split(&all)
    }

    /// A family as one set.
    pub(super) fn joined(&self, family: &Family) -> Result<Set, StopReason> {
        let n_bits = self.layout.n_location_bits();
        self.joined_below(family, 0, n_bits)
    }

    fn joined_below(
        &self,
        family: &Family,
        start: usize,
        n_bits: usize,
    ) -> Result<Set, StopReason> {
        if start >= family.sets.len() {
            return Ok(self.diagrams.empty());
        }
        let Some(bit) = n_bits.checked_sub(1) else { return Ok(family.sets[start].clone()) };
        let low = self.joined_below(family, start, bit)?;
        let high = self.joined_below(family, start + (1 << bit), bit)?;
        if low == high {
            return Ok(low);
        }
        let variable = self.diagrams.literal(self.layout.location(0)[bit], true)?;
        self.diagrams.choose(&variable, &high, &low)
    }

    /// A set as a family.
    pub(super) fn split(&self, set: &Set) -> Result<Family, StopReason> {
        let mut family = self.nothing();
        self.split_below(set, 0, self.layout.n_location_bits(), &mut family)?;
        Ok(family)
    }

    fn split_below(
        &self,
        set: &Set,
        start: usize,
        n_bits: usize,
        family: &mut Family,
    ) -> Result<(), StopReason> {
        if start >= family.sets.len() || self.diagrams.is_empty(set) {
            return Ok(());
        }
        let Some(bit) = n_bits.checked_sub(1) else {
            family.sets[start] = set.clone();
            return Ok(());
        };
        let variable = self.layout.location(0)[bit];
        for value in [false, true] {
            let literal = self.diagrams.literal(variable, value)?;
            let half = self.diagrams.restrict(set, &literal)?;
            self.split_below(&half, start + (usize::from(value) << bit), bit, family)?;
        }
        Ok(())
    }

    /// The empty family.
    pub(super) fn nothing(&self) -> Family {
        Family { sets: vec![self.diagrams.empty(); self.layout.absent() + 1] }
    }
}

/// For each location of thread 0 a set that says nothing of it.
#[derive(Clone)]
pub(super) struct Family {
    pub(super) sets: Vec<Set>,
}

impl Family {
    /// Adds to one of its sets; what was not there before.
    pub(super) fn add(
        &mut self,
        diagrams: &Diagrams<'_>,
        location: usize,
        more: &Set,
    ) -> Result<Set, StopReason> {
        let fresh = diagrams.minus(more, &self.sets[location])?;
        if !diagrams.is_empty(&fresh) {
            self.sets[location] = diagrams.or(&self.sets[location], &fresh)?;
        }
        Ok(fresh)
    }

    /// Is it empty?
    pub(super) fn is_empty(&self, diagrams: &Diagrams<'_>) -> bool {
        self.sets.iter().all(|set| diagrams.is_empty(set))
    }
}
