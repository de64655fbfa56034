//! What a step makes of the variables, as functions of the values before it.
//!
//! A step does not need a relation here: the states from which it leads into a set are the
//! set with each variable replaced by what the step computes for it.

use model::{BitExpr, BooleanFlow, FlowEdge};

use super::diagrams::{Diagrams, Set, Variable};
use super::places::VariableOrder;
use crate::rejection::Rejection;

/// Reads edges as steps of one thread of a view.
pub(super) struct Reader<'a> {
    pub(super) flow: &'a BooleanFlow,
    pub(super) places: &'a VariableOrder,
    pub(super) diagrams: &'a Diagrams<'a>,
}

/// New values: constants for some variables, functions for others.
#[derive(Default)]
pub(super) struct Effect {
    pub(super) constants: Vec<(Variable, bool)>,
    pub(super) functions: Vec<(Variable, Set)>,
}

impl Effect {
    /// Where the step leads into `set`.
    pub(super) fn before(&self, diagrams: &Diagrams<'_>, set: &Set) -> Result<Set, Rejection> {
        let fixed = diagrams.with(set, &self.constants)?;
        diagrams.replaced(&fixed, self.functions.clone())
    }

    fn give(&mut self, variable: Variable, value: Set, constants: &[Set; 2]) {
        match constants.iter().position(|constant| *constant == value) {
            Some(value) => self.constants.push((variable, value == 1)),
            None => self.functions.push((variable, value)),
        }
    }
}

impl Reader<'_> {
    /// When thread `mover` can take an edge, some choices given. Nobody steps while another
    /// thread is at an atomic location.
    pub(super) fn enabled(&self, edge: &FlowEdge, mover: usize) -> Result<Set, Rejection> {
        let guard = self.value(&edge.guard, edge, (mover, mover))?;
        let constraint = self.value(&edge.constraint, edge, (mover, mover))?;
        let both = self.diagrams.and(&guard, &constraint)?;
        if self.flow.locations[edge.from.0 as usize].is_atomic {
            return Ok(both);
        }
        let in_atomic = self.diagrams.variable(self.places.in_atomic())?;
        self.diagrams.and(&both, &self.diagrams.not(&in_atomic)?)
    }

    /// What the edge does to shared variables.
    pub(super) fn shared(&self, edge: &FlowEdge, mover: usize) -> Result<Effect, Rejection> {
        let mut effect = Effect::default();
        let locations = &self.flow.locations;
        let is_atomic = edge.to.is_some_and(|to| locations[to.0 as usize].is_atomic);
        effect.constants.push((self.places.in_atomic(), is_atomic));
        for (bit, value) in &edge.assigns {
            if let model::Bit::Shared(idx) = bit {
                let value = self.value(value, edge, (mover, mover))?;
                effect.give(self.places.shared(*idx as usize), value, &self.constants());
            }
        }
        Ok(effect)
    }

    /// Adds what it does to the thread itself.
    pub(super) fn own(
        &self,
        edge: &FlowEdge,
        mover: usize,
        effect: &mut Effect,
    ) -> Result<(), Rejection> {
        let Some(to) = edge.to else {
            effect.constants.extend(self.places.at(mover, self.places.n_locations));
            let locals = self.places.locals(mover);
            effect.constants.extend(locals.into_iter().map(|variable| (variable, false)));
            return Ok(());
        };
        effect.constants.extend(self.places.at(mover, to.0 as usize));
        for (bit, value) in &edge.assigns {
            if let model::Bit::Local(idx) = bit {
                let value = self.value(value, edge, (mover, mover))?;
                effect.give(self.places.local(mover, *idx as usize), value, &self.constants());
            }
        }
        Ok(())
    }

    /// Adds that the thread that the edge creates is at `place` afterwards.
    pub(super) fn created(
        &self,
        edge: &FlowEdge,
        (mover, place): (usize, usize),
        effect: &mut Effect,
    ) -> Result<(), Rejection> {
        let Some(spawn) = &edge.spawn else { return Ok(()) };
        effect.constants.extend(self.places.at(place, spawn.to.0 as usize));
        for idx in 0..self.flow.locals.len() {
            let assigned = spawn.assigns.iter().find(|(local, _)| *local as usize == idx);
            let value = match assigned {
                Some((_, value)) => self.value(value, edge, (mover, mover))?,
                None => self.diagrams.variable(self.places.local(mover, idx))?,
            };
            effect.give(self.places.local(place, idx), value, &self.constants());
        }
        Ok(())
    }

    /// Adds what it does to the locals of another thread, if that exists.
    pub(super) fn others(
        &self,
        edge: &FlowEdge,
        (mover, other): (usize, usize),
        effect: &mut Effect,
    ) -> Result<(), Rejection> {
        if edge.passive.is_empty() {
            return Ok(());
        }
        let absent = self.diagrams.values(&self.places.at(other, self.places.n_locations))?;
        for (idx, value) in &edge.passive {
            let variable = self.places.local(other, *idx as usize);
            let old = self.diagrams.variable(variable)?;
            let new = self.value(value, edge, (mover, other))?;
            let value = self.diagrams.if_else(&absent, &old, &new)?;
            effect.give(variable, value, &self.constants());
        }
        Ok(())
    }

    fn constants(&self) -> [Set; 2] {
        [self.diagrams.constant(false), self.diagrams.constant(true)]
    }

    /// An expression of an edge that `mover` takes, as `other` sees it: that thread makes the
    /// choices, and is the one that is spoken of as another one.
    fn value(
        &self,
        expr: &BitExpr,
        edge: &FlowEdge,
        (mover, other): (usize, usize),
    ) -> Result<Set, Rejection> {
        let value = |expr: &BitExpr| self.value(expr, edge, (mover, other));
        match expr {
            BitExpr::Const(constant) => Ok(self.diagrams.constant(*constant)),
            BitExpr::Before(bit) => self.diagrams.variable(self.places.bit(mover, *bit)),
            BitExpr::After(bit) => match edge.assigns.iter().find(|(own, _)| own == bit) {
                Some((_, computed)) => value(computed),
                None => self.diagrams.variable(self.places.bit(mover, *bit)),
            },
            BitExpr::Passive(idx) => {
                self.diagrams.variable(self.places.local(other, *idx as usize))
            }
            BitExpr::Choice(idx) => {
                self.diagrams.variable(self.places.choice(other, *idx as usize))
            }
            BitExpr::Not(inner) => self.diagrams.not(&value(inner)?),
            BitExpr::And(left, right) => self.diagrams.and(&value(left)?, &value(right)?),
            BitExpr::Or(left, right) => self.diagrams.or(&value(left)?, &value(right)?),
            BitExpr::Xor(left, right) => self.diagrams.xor(&value(left)?, &value(right)?),
        }
    }
}
