//! Sets of states as binary decision diagrams, within the limits of a run.
//!
//! The only file of the engine that knows which library the diagrams come from. Each
//! operation looks at the limits first; when there is no room for more nodes, garbage is
//! collected once, and then the run ends with its memory limit. Operations run on the
//! calling thread, and diagrams are canonical: results never depend on timing.

use std::cell::Cell;
use std::hash::BuildHasherDefault;

use model::{Limits, StopReason};
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::util::num::Saturating;
use oxidd::util::{AllocResult, OptBool, SatCountCache};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, Manager,
    ManagerRef, Subst,
};
use rustc_hash::FxHasher;

/// A set of states, or a relation between states.
pub(super) type Set = BCDDFunction;

/// A variable, by its place in the order.
pub(super) type Variable = u32;

/// New names for variables.
pub(super) struct VariableRenaming(Option<Subst<Set>>);

/// Where the diagrams of one search live.
pub(super) struct Diagrams<'a> {
    manager: BCDDManagerRef,
    limits: &'a Limits,
    empty: Set,
    full: Set,
    n_operations: Cell<u64>,
}

/// Bytes per node with its place in the table of unique nodes, and a quarter of a cache
/// entry. Measured by filling a store.
const BYTES_PER_NODE: u64 = 40;

/// Nodes that are enough where nothing limits memory: some gigabytes.
const MOST_NODES: u64 = 1 << 25;

/// Even a small program has so many.
const FEWEST_NODES: u64 = 1 << 16;

impl<'a> Diagrams<'a> {
    /// Diagrams over `n_variables` variables; `scale` is the size of the program.
    pub(super) fn new(
        n_variables: u32,
        scale: usize,
        limits: &'a Limits,
    ) -> Result<Diagrams<'a>, StopReason> {
        limits.check()?;
        let allowed = limits.memory.map_or(MOST_NODES, |memory| {
            memory.bytes.saturating_sub((memory.gauge)()) / 2 / BYTES_PER_NODE
        });
        if allowed < FEWEST_NODES {
            return Err(StopReason::MemoryLimit);
        }
        let n_nodes = allowed.min(MOST_NODES) as usize;
        let cache = (scale.next_power_of_two() * 256).clamp(1 << 14, 1 << 21).min(n_nodes);
        let manager = new_manager(n_nodes, cache, 1);
        let (empty, full) = manager.with_manager_exclusive(|manager| {
            manager.add_vars(n_variables);
            (Set::f(manager), Set::t(manager))
        });
        Ok(Diagrams { manager, limits, empty, full, n_operations: Cell::new(0) })
    }

    pub(super) fn empty(&self) -> Set {
        self.empty.clone()
    }

    pub(super) fn full(&self) -> Set {
        self.full.clone()
    }

    pub(super) fn is_empty(&self, set: &Set) -> bool {
        *set == self.empty
    }

    /// The states in which a variable has this value.
    pub(super) fn literal(&self, variable: Variable, value: bool) -> Result<Set, StopReason> {
        let set = self
            .attempt(|| self.manager.with_manager_shared(|manager| Set::var(manager, variable)))?;
        if value { Ok(set) } else { self.not(&set) }
    }

    /// The states in which variables have these values.
    pub(super) fn cube(&self, literals: &[(Variable, bool)]) -> Result<Set, StopReason> {
        let mut literals = literals.to_vec();
        literals.sort_unstable();
        let mut cube = self.full();
        for &(variable, value) in literals.iter().rev() {
            cube = self.and(&self.literal(variable, value)?, &cube)?;
        }
        Ok(cube)
    }

    /// Variables as an operand of quantification.
    pub(super) fn variables(&self, variables: &[Variable]) -> Result<Set, StopReason> {
        let literals: Vec<_> = variables.iter().map(|&variable| (variable, true)).collect();
        self.cube(&literals)
    }

    pub(super) fn not(&self, set: &Set) -> Result<Set, StopReason> {
        self.attempt(|| set.not())
    }

    pub(super) fn and(&self, one: &Set, other: &Set) -> Result<Set, StopReason> {
        self.attempt(|| one.and(other))
    }

    pub(super) fn or(&self, one: &Set, other: &Set) -> Result<Set, StopReason> {
        self.attempt(|| one.or(other))
    }

    pub(super) fn same(&self, one: &Set, other: &Set) -> Result<Set, StopReason> {
        self.attempt(|| one.equiv(other))
    }

    pub(super) fn xor(&self, one: &Set, other: &Set) -> Result<Set, StopReason> {
        self.attempt(|| one.xor(other))
    }

    /// What is in `one` and not in `other`.
    pub(super) fn minus(&self, one: &Set, other: &Set) -> Result<Set, StopReason> {
        self.attempt(|| other.imp_strict(one))
    }

    pub(super) fn choose(&self, when: &Set, yes: &Set, no: &Set) -> Result<Set, StopReason> {
        self.attempt(|| when.ite(yes, no))
    }

    /// The set without what it says of some variables.
    pub(super) fn exists(&self, set: &Set, variables: &Set) -> Result<Set, StopReason> {
        self.attempt(|| set.exists(variables))
    }

    /// What is in both, without what is said of some variables.
    pub(super) fn exists_and(
        &self,
        one: &Set,
        other: &Set,
        variables: &Set,
    ) -> Result<Set, StopReason> {
        self.attempt(|| one.apply_exists(BooleanOperator::And, other, variables))
    }

    /// The part of a set with these values, without what it says of them.
    pub(super) fn restrict(&self, set: &Set, cube: &Set) -> Result<Set, StopReason> {
        self.attempt(|| set.restrict(cube))
    }

    /// A renaming, all at once.
    pub(super) fn renaming(
        &self,
        pairs: &[(Variable, Variable)],
    ) -> Result<VariableRenaming, StopReason> {
        if pairs.is_empty() {
            return Ok(VariableRenaming(None));
        }
        let from = pairs.iter().map(|&(from, _)| from).collect();
        let to = pairs.iter().map(|&(_, to)| self.literal(to, true));
        Ok(VariableRenaming(Some(Subst::new(from, to.collect::<Result<_, _>>()?))))
    }

    pub(super) fn rename(&self, set: &Set, renaming: &VariableRenaming) -> Result<Set, StopReason> {
        match &renaming.0 {
            None => Ok(set.clone()),
            Some(renaming) => self.attempt(|| set.substitute(renaming)),
        }
    }

    /// One state of a set: a value for each variable, false where any will do.
    pub(super) fn pick(&self, set: &Set) -> Option<Vec<bool>> {
        let cube = set.pick_cube(|_, _, _| false)?;
        Some(cube.into_iter().map(|value| value == OptBool::True).collect())
    }

    /// How many states over these variables are in a set that speaks of no others.
    pub(super) fn count(&self, set: &Set, n_variables: u32) -> u64 {
        let mut cache: SatCountCache<Saturating<u128>, BuildHasherDefault<FxHasher>> =
            SatCountCache::default();
        let all = set.sat_count(n_variables, &mut cache);
        u64::try_from(all.0).unwrap_or(u64::MAX)
    }

    /// The topmost variable that a set speaks of, with the parts where it is true and where
    /// it is false; of a set that speaks of none, whether it is full.
    pub(super) fn top(set: &Set) -> Result<(Variable, Set, Set), bool> {
        match set.cofactors() {
            None => Err(set.valid()),
            Some((high, low)) => {
                let variable = set.with_manager_shared(|manager, edge| {
                    manager.level_to_var(manager.get_node(edge).level())
                });
                Ok((variable, high, low))
            }
        }
    }

    /// The number of nodes of a set.
    pub(super) fn n_nodes(set: &Set) -> usize {
        set.node_count()
    }

    /// How many operations there were.
    pub(super) fn n_operations(&self) -> u64 {
        self.n_operations.get()
    }

    fn attempt(&self, operation: impl Fn() -> AllocResult<Set>) -> Result<Set, StopReason> {
        self.limits.check()?;
        self.n_operations.set(self.n_operations.get() + 1);
        if let Ok(set) = operation() {
            return Ok(set);
        }
        self.manager.with_manager_shared(|manager| manager.gc());
        operation().map_err(|_| StopReason::MemoryLimit)
    }
}
