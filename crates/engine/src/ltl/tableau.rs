//! Translates a formula into a generalised Büchi automaton.
//!
//! A state is a set of obligations: formulas that the rest of the word must
//! satisfy. Each obligation expands into alternatives, each a condition on the
//! next letter with the obligations that remain; the successors of a state are
//! the consistent combinations. An `U` may be put off from letter to letter, but
//! not for ever: each has a set of arcs that do not put it off, and an accepting
//! run takes arcs of each such set again and again.
//!
//! **Source** Gastin and Oddoux, CAV 2001 (by way of very weak alternating
//! automata, which are the alternatives kept here). **Ends** always; the
//! automaton may be exponential in the formula, so limits are looked at and
//! there is a ceiling.

use model::{Formula, Limits, StopReason};
use rustc_hash::FxHashMap;

use crate::ltl::automaton::Guard;
use crate::ltl::positive::{FormulaArena, FormulaId, NormalForm};

/// A set of obligations, by their number.
type Obligations = u128;

/// Obligations that fit into a [`Obligations`].
const MAX_OBLIGATIONS: usize = 128;

/// Beyond this no product with a system is feasible. Also keeps the memory of the
/// translation within a few hundred megabytes.
const MAX_ARCS: usize = 1 << 20;

/// Combinations tried between two looks at the limits.
const COMBINATIONS_BETWEEN_LOOKS: usize = 1 << 12;

/// An automaton whose runs accept when they take, for each bit of `promises`,
/// infinitely many arcs with that bit.
#[derive(Debug)]
pub(super) struct Generalised {
    /// The arcs of each state; state 0 is the initial one.
    pub states: Vec<Vec<GeneralArc>>,
    /// The acceptance sets.
    pub promises: u128,
}

/// An arc of a [`Generalised`] automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct GeneralArc {
    pub guard: Guard,
    pub target: u32,
    /// The acceptance sets it belongs to.
    pub kept: u128,
}

/// Why there is no automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TableauError {
    TooLarge,
    Stopped(StopReason),
}

/// The automaton that accepts exactly the words that violate `formula`.
pub(super) fn of_negation(formula: &Formula, limits: &Limits) -> Result<Generalised, TableauError> {
    let mut arena = FormulaArena::new();
    let root = arena.add(formula, false);
    let mut tableau = Tableau {
        arena,
        numbers: FxHashMap::default(),
        obligations: Vec::new(),
        alternatives: FxHashMap::default(),
        n_combinations: 0,
        limits,
    };
    tableau.run(root)
}

/// One way to meet obligations: a letter that fits, and what remains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Alternative {
    guard: Guard,
    rest: Obligations,
}

struct Tableau<'a> {
    arena: FormulaArena,
    numbers: FxHashMap<FormulaId, u32>,
    obligations: Vec<FormulaId>,
    alternatives: FxHashMap<FormulaId, Vec<Alternative>>,
    n_combinations: usize,
    limits: &'a Limits,
}

impl Tableau<'_> {
    fn run(&mut self, root: FormulaId) -> Result<Generalised, TableauError> {
        let start = self.set_of(root)?;
        let mut sets = vec![start];
        let mut numbers = FxHashMap::default();
        numbers.insert(start, 0u32);
        let mut states: Vec<Vec<GeneralArc>> = Vec::new();
        let mut n_arcs = 0;
        while let Some(&set) = sets.get(states.len()) {
            let mut arcs = Vec::new();
            for (step, kept) in self.successors(set)? {
                let fresh = sets.len() as u32;
                let target = *numbers.entry(step.rest).or_insert(fresh);
                if target == fresh {
                    sets.push(step.rest);
                }
                arcs.push(GeneralArc { guard: step.guard, target, kept });
            }
            n_arcs += arcs.len();
            if n_arcs > MAX_ARCS {
                return Err(TableauError::TooLarge);
            }
            states.push(arcs);
        }
        Ok(Generalised { states, promises: self.untils() })
    }

    /// The arcs of a state, without those that another one makes superfluous.
    fn successors(&mut self, set: Obligations) -> Result<Vec<(Alternative, u128)>, TableauError> {
        let mut combined = vec![Alternative { guard: Guard::ANY, rest: 0 }];
        for number in members(set) {
            let next = self.alternatives(self.obligations[number])?;
            combined = self.combine(&combined, &next)?;
        }
        // Sets of obligations that are numbered later are kept by this arc as well.
        let untils = self.untils();
        let mut steps: Vec<(Alternative, u128)> =
            combined.iter().map(|step| (*step, !self.put_off(step, untils))).collect();
        steps.sort_unstable_by_key(|(step, kept)| (step.rest.count_ones(), *step, *kept));
        let mut useful: Vec<(Alternative, u128)> = Vec::new();
        for (n_done, (step, kept)) in steps.into_iter().enumerate() {
            self.look(n_done)?;
            let is_beaten = useful.iter().any(|(other, others_kept)| {
                step.guard.implies(other.guard)
                    && is_subset(other.rest, step.rest)
                    && is_subset(kept, *others_kept)
            });
            if !is_beaten {
                useful.push((step, kept));
            }
        }
        Ok(useful)
    }

    fn untils(&self) -> Obligations {
        let is_until = |number: &usize| {
            matches!(self.arena.node(self.obligations[*number]), NormalForm::Until(..))
        };
        (0..self.obligations.len()).filter(is_until).fold(0, |set, number| set | 1 << number)
    }

    /// The `U` obligations that `step` puts off: they remain, and the step is not
    /// one that would have met them.
    fn put_off(&self, step: &Alternative, untils: Obligations) -> Obligations {
        members(step.rest & untils).fold(0, |set, number| {
            let own: Obligations = 1 << number;
            let id = self.obligations[number];
            let is_met = self.alternatives.get(&id).is_some_and(|alternatives| {
                alternatives.iter().any(|other| {
                    other.rest & own == 0
                        && step.guard.implies(other.guard)
                        && is_subset(other.rest, step.rest)
                })
            });
            if is_met { set } else { set | own }
        })
    }

    fn alternatives(&mut self, id: FormulaId) -> Result<Vec<Alternative>, TableauError> {
        if let Some(known) = self.alternatives.get(&id) {
            return Ok(known.clone());
        }
        let found = match self.arena.node(id) {
            NormalForm::True => vec![Alternative { guard: Guard::ANY, rest: 0 }],
            NormalForm::False => Vec::new(),
            NormalForm::Literal(idx, value) => {
                vec![Alternative { guard: Guard::literal(idx, value), rest: 0 }]
            }
            NormalForm::And(left, right) => {
                let (left, right) = (self.alternatives(left)?, self.alternatives(right)?);
                self.combine(&left, &right)?
            }
            NormalForm::Or(left, right) => {
                let mut either = self.alternatives(left)?;
                either.extend(self.alternatives(right)?);
                either
            }
            NormalForm::Next(inner) => {
                vec![Alternative { guard: Guard::ANY, rest: self.set_of(inner)? }]
            }
            NormalForm::Until(left, right) => {
                let again = Alternative { guard: Guard::ANY, rest: self.set_of(id)? };
                let left = self.alternatives(left)?;
                let mut either = self.alternatives(right)?;
                either.extend(self.combine(&left, &[again])?);
                either
            }
            NormalForm::Release(left, right) => {
                let again = Alternative { guard: Guard::ANY, rest: self.set_of(id)? };
                let mut either = self.alternatives(left)?;
                either.push(again);
                let right = self.alternatives(right)?;
                self.combine(&right, &either)?
            }
        };
        let found = without_superfluous(found);
        self.alternatives.insert(id, found.clone());
        Ok(found)
    }

    fn combine(
        &mut self,
        left: &[Alternative],
        right: &[Alternative],
    ) -> Result<Vec<Alternative>, TableauError> {
        let mut all = Vec::new();
        for a in left {
            for b in right {
                self.n_combinations += 1;
                self.look(self.n_combinations)?;
                if let Some(guard) = a.guard.and(b.guard) {
                    all.push(Alternative { guard, rest: a.rest | b.rest });
                }
            }
            if all.len() > MAX_ARCS {
                return Err(TableauError::TooLarge);
            }
        }
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    fn look(&self, n_done: usize) -> Result<(), TableauError> {
        if n_done.is_multiple_of(COMBINATIONS_BETWEEN_LOOKS) {
            self.limits.check().map_err(TableauError::Stopped)?;
        }
        Ok(())
    }

    /// `id` as a set of obligations: its conjuncts.
    fn set_of(&mut self, id: FormulaId) -> Result<Obligations, TableauError> {
        match self.arena.node(id) {
            NormalForm::True => Ok(0),
            NormalForm::And(left, right) => Ok(self.set_of(left)? | self.set_of(right)?),
            _ => {
                let fresh = self.obligations.len() as u32;
                let number = *self.numbers.entry(id).or_insert(fresh);
                if number == fresh {
                    self.obligations.push(id);
                }
                match (number as usize) < MAX_OBLIGATIONS {
                    true => Ok(1 << number),
                    false => Err(TableauError::TooLarge),
                }
            }
        }
    }
}

/// Leaves out alternatives that ask for more than another one.
fn without_superfluous(mut all: Vec<Alternative>) -> Vec<Alternative> {
    all.sort_unstable_by_key(|step| (step.rest.count_ones(), step.guard.n_literals(), *step));
    all.dedup();
    // Quadratic: for long lists of alternatives it costs more than it saves.
    if all.len() > 1 << 10 {
        return all;
    }
    let mut useful: Vec<Alternative> = Vec::new();
    for step in all {
        let is_beaten = useful
            .iter()
            .any(|other| step.guard.implies(other.guard) && is_subset(other.rest, step.rest));
        if !is_beaten {
            useful.push(step);
        }
    }
    useful
}

fn is_subset(small: Obligations, large: Obligations) -> bool {
    small & !large == 0
}

fn members(mut set: Obligations) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let number = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            number
        })
    })
}
