//! The operations on decision diagrams that the check needs, within the limits.
//!
//! The only file of this crate that knows the library. When there is no room for more
//! nodes even after a collection of garbage, the check is stopped, and nothing is believed.

use model::{Limits, StopReason};
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::util::AllocResult;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, FunctionSubst, Manager, ManagerRef,
    Subst,
};

use crate::rejection::Rejection;

/// A set of values of variables.
pub(super) type Set = BCDDFunction;

/// A variable, by its place in the order.
pub(super) type Variable = u32;

/// Where the diagrams of one check live.
pub(super) struct Diagrams<'a> {
    manager: BCDDManagerRef,
    limits: &'a Limits,
}

/// What a node costs with its share of tables, at most.
const NODE_BYTES: u64 = 48;
const MAX_NODES: u64 = 1 << 25;
const MIN_NODES: u64 = 1 << 16;

impl<'a> Diagrams<'a> {
    /// Diagrams over so many variables, for a proof of so many nodes.
    pub(super) fn new(
        n_variables: u32,
        n_listed: usize,
        limits: &'a Limits,
    ) -> Result<Diagrams<'a>, Rejection> {
        let free = limits.memory.map(|memory| memory.bytes.saturating_sub((memory.gauge)()));
        let n_nodes = free.map_or(MAX_NODES, |bytes| (bytes / 2 / NODE_BYTES).min(MAX_NODES));
        if n_nodes < MIN_NODES {
            return Err(Rejection::Stopped(StopReason::MemoryLimit));
        }
        let cache = (n_listed.next_power_of_two() * 4).clamp(1 << 14, 1 << 21);
        let manager = new_manager(n_nodes as usize, cache, 1);
        manager.with_manager_exclusive(|manager| manager.add_vars(n_variables));
        Ok(Diagrams { manager, limits })
    }

    pub(super) fn constant(&self, value: bool) -> Set {
        self.manager.with_manager_shared(|manager| match value {
            true => Set::t(manager),
            false => Set::f(manager),
        })
    }

    pub(super) fn variable(&self, variable: Variable) -> Result<Set, Rejection> {
        self.attempt(|| self.manager.with_manager_shared(|manager| Set::var(manager, variable)))
    }

    pub(super) fn not(&self, set: &Set) -> Result<Set, Rejection> {
        self.attempt(|| set.not())
    }

    pub(super) fn and(&self, one: &Set, other: &Set) -> Result<Set, Rejection> {
        self.attempt(|| one.and(other))
    }

    pub(super) fn or(&self, one: &Set, other: &Set) -> Result<Set, Rejection> {
        self.attempt(|| one.or(other))
    }

    pub(super) fn xor(&self, one: &Set, other: &Set) -> Result<Set, Rejection> {
        self.attempt(|| one.xor(other))
    }

    pub(super) fn if_else(&self, when: &Set, yes: &Set, no: &Set) -> Result<Set, Rejection> {
        self.attempt(|| when.ite(yes, no))
    }

    /// Has the set an element?
    pub(super) fn is_inhabited(&self, set: &Set) -> bool {
        set.satisfiable()
    }

    /// Is each element of `one` in `other`?
    pub(super) fn is_within(&self, one: &Set, other: &Set) -> Result<bool, Rejection> {
        Ok(!self.attempt(|| other.imp_strict(one))?.satisfiable())
    }

    /// Variables with values, as operand of [`Diagrams::with`].
    pub(super) fn values(&self, values: &[(Variable, bool)]) -> Result<Set, Rejection> {
        let mut values = values.to_vec();
        values.sort_unstable();
        let mut all = self.constant(true);
        for &(variable, value) in values.iter().rev() {
            let own = self.variable(variable)?;
            let own = if value { own } else { self.not(&own)? };
            all = self.and(&own, &all)?;
        }
        Ok(all)
    }

    /// The set where variables have these values.
    pub(super) fn with(&self, set: &Set, values: &[(Variable, bool)]) -> Result<Set, Rejection> {
        let values = self.values(values)?;
        self.attempt(|| set.restrict(&values))
    }

    /// Where some value of the variables is in both sets.
    pub(super) fn some_in_both(
        &self,
        one: &Set,
        other: &Set,
        variables: &[Variable],
    ) -> Result<Set, Rejection> {
        let values: Vec<_> = variables.iter().map(|&variable| (variable, true)).collect();
        let variables = self.values(&values)?;
        self.attempt(|| one.apply_exists(BooleanOperator::And, other, &variables))
    }

    /// The set with variables replaced, all at once.
    pub(super) fn replaced(
        &self,
        set: &Set,
        replacements: Vec<(Variable, Set)>,
    ) -> Result<Set, Rejection> {
        if replacements.is_empty() {
            return Ok(set.clone());
        }
        let (variables, values): (Vec<Variable>, Vec<Set>) = replacements.into_iter().unzip();
        let substitution = Subst::new(variables, values);
        self.attempt(|| set.substitute(&substitution))
    }

    fn attempt(&self, operation: impl Fn() -> AllocResult<Set>) -> Result<Set, Rejection> {
        self.limits.check().map_err(Rejection::Stopped)?;
        if let Ok(set) = operation() {
            return Ok(set);
        }
        self.manager.with_manager_shared(|manager| manager.gc());
        operation().map_err(|_| Rejection::Stopped(StopReason::MemoryLimit))
    }
}
