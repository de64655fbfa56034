//! Edges of a flow as relations between the values before and after them.
//!
//! A relation speaks of what the edge reads and writes, and of nothing else: what it does
//! not touch needs no frame. Choices are left out as soon as nothing else speaks of them.
//! Values after the step that a constraint speaks of are replaced by what computes them.

use model::{Bit, BitExpr, BooleanFlow, FlowEdge, FlowSpawn, StopReason};

use super::diagram::{Diagrams, Set, Variable};
use super::layout::VariableOrder;
use super::liveness::Liveness;

/// What becomes of the threads when an edge is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Casting {
    /// Thread 0 steps; whom it creates is ignored.
    Steps,
    /// Thread 0 steps, and this thread, which did not exist, is the one that it creates.
    Creates(usize),
    /// Thread 0 steps, and then its place is taken by the thread that it creates.
    Replaced,
    /// Thread 0 steps, and only what the others see of it is looked at.
    Seen,
}

/// An edge, ready to be taken.
pub(super) struct TransitionRelation {
    pub(super) edge_idx: usize,
    pub(super) casting: Casting,
    /// Where thread 0 is afterwards.
    pub(super) to: usize,
    /// The values that a thread must have who is created, before that.
    vacancy: Option<Set>,
    /// Relations that all hold; the last is used together with `touched`.
    relations: Vec<Set>,
    /// The variables that change.
    pub(super) touched: Vec<Variable>,
    touched_set: Set,
}

impl TransitionRelation {
    /// The set after thread 0 stepped in the states of `before`, in terms of new values.
    pub(super) fn image(&self, diagrams: &Diagrams<'_>, before: &Set) -> Result<Set, StopReason> {
        let (last, first) = self.relations.split_last().expect("a step has a relation");
        let joined = self.enabled_by(diagrams, before, first)?;
        diagrams.exists_and(&joined, last, &self.touched_set)
    }

    /// The pairs of states before and after it.
    pub(super) fn pairs(&self, diagrams: &Diagrams<'_>, before: &Set) -> Result<Set, StopReason> {
        self.enabled_by(diagrams, before, &self.relations)
    }

    /// What others see of it among `before`, where nothing is said of `hidden`.
    pub(super) fn effect(
        &self,
        diagrams: &Diagrams<'_>,
        before: &Set,
        hidden: &Set,
    ) -> Result<Set, StopReason> {
        let (last, first) = self.relations.split_last().expect("a step has a relation");
        let joined = self.enabled_by(diagrams, before, first)?;
        diagrams.exists_and(&joined, last, hidden)
    }

    fn enabled_by(
        &self,
        diagrams: &Diagrams<'_>,
        before: &Set,
        relations: &[Set],
    ) -> Result<Set, StopReason> {
        let mut joined = match &self.vacancy {
            Some(vacancy) => diagrams.restrict(before, vacancy)?,
            None => before.clone(),
        };
        for relation in relations {
            joined = diagrams.and(&joined, relation)?;
        }
        Ok(joined)
    }
}

/// Makes steps of edges.
pub(super) struct Compiler<'a> {
    pub(super) flow: &'a BooleanFlow,
    pub(super) layout: &'a VariableOrder,
    pub(super) diagrams: &'a Diagrams<'a>,
    pub(super) liveness: &'a Liveness,
}

/// Something that must hold, with the choices that it speaks of.
struct Conjunct {
    holds: Set,
    choices: Vec<Variable>,
}

impl Compiler<'_> {
    /// The edge as a step of thread 0 among `n_threads` threads.
    pub(super) fn step(
        &self,
        edge_idx: usize,
        casting: Casting,
        n_threads: usize,
    ) -> Result<TransitionRelation, StopReason> {
        let edge = &self.flow.edges[edge_idx];
        let mut parts = vec![self.part(&edge.guard)?, self.part(&constraint(edge))?];
        let mut touched = self.atomicity(edge, &mut parts)?;
        let to = match (casting, &edge.spawn) {
            (Casting::Replaced, Some(spawn)) => spawn.to.0 as usize,
            _ => edge.to.map_or(self.layout.absent(), |to| to.0 as usize),
        };
        self.assign(edge, (casting, to), &mut parts, &mut touched)?;
        let mut vacancy = None;
        if let (Casting::Creates(thread), Some(spawn)) = (casting, &edge.spawn) {
            vacancy = Some(self.diagrams.cube(&self.layout.nobody(thread))?);
            self.create(spawn, thread, &mut parts)?;
        }
        self.move_others(edge, casting, n_threads, (&mut parts, &mut touched))?;
        let relations = match vacancy {
            // A new thread that equals its creator makes a large relation; in the states
            // that are reached, few values are left.
            Some(_) => self.eliminated(parts)?,
            None => vec![self.conjunction(self.eliminated(parts)?)?],
        };
        // What is dead afterwards loses its old value and gets no new one.
        let locals = self.layout.locals(0).iter().enumerate();
        let dead = locals.filter(|(idx, _)| self.liveness.is_dead(to, *idx));
        let forgotten: Vec<Variable> =
            touched.iter().copied().chain(dead.map(|(_, &variable)| variable)).collect();
        let touched_set = self.diagrams.variables(&forgotten)?;
        Ok(TransitionRelation { edge_idx, casting, to, vacancy, relations, touched, touched_set })
    }

    /// Values of the choices of an edge with which thread 0 can take it in a state of
    /// `before`; `None` if there are none.
    pub(super) fn choices(
        &self,
        edge_idx: usize,
        before: &Set,
    ) -> Result<Option<Vec<bool>>, StopReason> {
        let edge = &self.flow.edges[edge_idx];
        let guard = self.part(&edge.guard)?.holds;
        let constraint = self.part(&constraint(edge))?.holds;
        let ways = self.conjunction(vec![before.clone(), guard, constraint])?;
        let chosen = |values: Vec<bool>| {
            let variables = (0..edge.n_choices).map(|idx| self.layout.choice(0, idx));
            variables.map(|variable| values[variable as usize]).collect()
        };
        Ok(self.diagrams.pick(&ways).map(chosen))
    }

    /// Nobody steps while another thread is at an atomic location.
    fn atomicity(
        &self,
        edge: &FlowEdge,
        parts: &mut Vec<Conjunct>,
    ) -> Result<Vec<Variable>, StopReason> {
        let is_atomic = |location: usize| self.flow.locations[location].is_atomic;
        let before = is_atomic(edge.from.0 as usize);
        let after = edge.to.is_some_and(|to| is_atomic(to.0 as usize));
        let atomic = self.layout.atomic();
        parts.push(self.plain(self.diagrams.literal(atomic, before)?));
        if before == after {
            return Ok(Vec::new());
        }
        parts.push(self.plain(self.diagrams.literal(VariableOrder::after(atomic), after)?));
        Ok(vec![atomic])
    }

    fn assign(
        &self,
        edge: &FlowEdge,
        (casting, to): (Casting, usize),
        parts: &mut Vec<Conjunct>,
        touched: &mut Vec<Variable>,
    ) -> Result<(), StopReason> {
        let ends = edge.to.is_none();
        for (bit, value) in &edge.assigns {
            let is_hidden = ends || matches!(casting, Casting::Replaced | Casting::Seen);
            if let Bit::Local(idx) = bit
                && (is_hidden || self.liveness.is_dead(to, *idx as usize))
            {
                continue;
            }
            self.set(self.layout.bit(*bit), value, parts)?;
            touched.push(self.layout.bit(*bit));
        }
        match (casting, &edge.spawn) {
            (Casting::Replaced, Some(spawn)) => {
                let alive = spawn.assigns.iter();
                let alive = alive.filter(|(idx, _)| !self.liveness.is_dead(to, *idx as usize));
                for (idx, value) in alive {
                    let variable = self.layout.local(0, *idx as usize);
                    self.set(variable, value, parts)?;
                    touched.push(variable);
                }
            }
            (Casting::Steps | Casting::Creates(_), _) if ends => {
                for &variable in self.layout.locals(0) {
                    self.set(variable, &BitExpr::FALSE, parts)?;
                    touched.push(variable);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn set(
        &self,
        variable: Variable,
        value: &BitExpr,
        parts: &mut Vec<Conjunct>,
    ) -> Result<(), StopReason> {
        let after = self.diagrams.literal(VariableOrder::after(variable), true)?;
        let part = self.part(value)?;
        parts.push(Conjunct { holds: self.diagrams.same(&after, &part.holds)?, ..part });
        Ok(())
    }

    /// The new thread, in the variables that say what it is.
    fn create(
        &self,
        spawn: &FlowSpawn,
        thread: usize,
        parts: &mut Vec<Conjunct>,
    ) -> Result<(), StopReason> {
        let at = self.layout.at(thread, spawn.to.0 as usize);
        parts.push(self.plain(self.diagrams.cube(&at)?));
        let is_alive = |idx: &usize| !self.liveness.is_dead(spawn.to.0 as usize, *idx);
        for idx in (0..self.flow.locals.len()).filter(is_alive) {
            let assigned = spawn.assigns.iter().find(|(local, _)| *local as usize == idx);
            let copied = BitExpr::Before(Bit::Local(idx as u32));
            let part = self.part(assigned.map_or(&copied, |(_, value)| value))?;
            let own = self.diagrams.literal(self.layout.local(thread, idx), true)?;
            parts.push(Conjunct { holds: self.diagrams.same(&own, &part.holds)?, ..part });
        }
        Ok(())
    }

    /// What the edge does to the locals of the others who exist.
    fn move_others(
        &self,
        edge: &FlowEdge,
        casting: Casting,
        n_threads: usize,
        (parts, touched): (&mut Vec<Conjunct>, &mut Vec<Variable>),
    ) -> Result<(), StopReason> {
        let others = (1..n_threads).filter(|&other| casting != Casting::Creates(other));
        for other in others.filter(|_| !edge.passive.is_empty()) {
            let absent = self.diagrams.cube(&self.layout.at(other, self.layout.absent()))?;
            for (idx, value) in &edge.passive {
                let variable = self.layout.local(other, *idx as usize);
                let part = self.part_of(value, other)?;
                let kept = self.diagrams.literal(variable, true)?;
                let value = self.diagrams.choose(&absent, &kept, &part.holds)?;
                let after = self.diagrams.literal(VariableOrder::after(variable), true)?;
                parts.push(Conjunct { holds: self.diagrams.same(&after, &value)?, ..part });
                touched.push(variable);
            }
        }
        Ok(())
    }

    fn plain(&self, holds: Set) -> Conjunct {
        Conjunct { holds, choices: Vec::new() }
    }

    fn part(&self, expr: &BitExpr) -> Result<Conjunct, StopReason> {
        self.part_of(expr, 0)
    }

    /// An expression as a thread sees it that makes the choices: thread 0, which steps, or
    /// another to whom something is done.
    fn part_of(&self, expr: &BitExpr, other: usize) -> Result<Conjunct, StopReason> {
        let mut choices = Vec::new();
        expr.each_leaf(&mut |leaf| {
            if let BitExpr::Choice(idx) = leaf {
                choices.push(self.layout.choice(other, *idx));
            }
        });
        choices.sort_unstable();
        choices.dedup();
        Ok(Conjunct { holds: self.expression(expr, other)?, choices })
    }

    fn expression(&self, expr: &BitExpr, other: usize) -> Result<Set, StopReason> {
        let diagrams = self.diagrams;
        let two = |one: &BitExpr, two: &BitExpr| {
            Ok::<_, StopReason>((self.expression(one, other)?, self.expression(two, other)?))
        };
        match expr {
            BitExpr::Const(true) => Ok(diagrams.full()),
            BitExpr::Const(false) => Ok(diagrams.empty()),
            BitExpr::Before(bit) => diagrams.literal(self.layout.bit(*bit), true),
            BitExpr::Choice(idx) => diagrams.literal(self.layout.choice(other, *idx), true),
            BitExpr::Passive(idx) => {
                diagrams.literal(self.layout.local(other, *idx as usize), true)
            }
            BitExpr::After(_) => Err(super::odd("a value after a step is read by it")),
            BitExpr::Not(inner) => diagrams.not(&self.expression(inner, other)?),
            BitExpr::And(left, right) => {
                two(left, right).and_then(|(left, right)| diagrams.and(&left, &right))
            }
            BitExpr::Or(left, right) => {
                two(left, right).and_then(|(left, right)| diagrams.or(&left, &right))
            }
            BitExpr::Xor(left, right) => {
                two(left, right).and_then(|(left, right)| diagrams.xor(&left, &right))
            }
        }
    }

    /// The parts without their choices: each choice is left out where all parts that speak
    /// of it are joined, those of few parts first.
    fn eliminated(&self, mut parts: Vec<Conjunct>) -> Result<Vec<Set>, StopReason> {
        loop {
            let mentioned = parts.iter().flat_map(|part| &part.choices).copied();
            let rarest = mentioned
                .map(|choice| {
                    (parts.iter().filter(|p| p.choices.contains(&choice)).count(), choice)
                })
                .min();
            let Some((_, choice)) = rarest else { break };
            let (speaking, others): (Vec<Conjunct>, Vec<Conjunct>) =
                parts.into_iter().partition(|part| part.choices.contains(&choice));
            let mut choices: Vec<Variable> =
                speaking.iter().flat_map(|p| p.choices.clone()).collect();
            choices.sort_unstable();
            choices.dedup();
            choices.retain(|&other| other != choice);
            let joined = self.conjunction(speaking.into_iter().map(|part| part.holds).collect())?;
            let variable = self.diagrams.variables(&[choice])?;
            let holds = self.diagrams.exists(&joined, &variable)?;
            parts = others;
            parts.push(Conjunct { holds, choices });
        }
        Ok(parts.into_iter().map(|part| part.holds).collect())
    }

    fn conjunction(&self, sets: Vec<Set>) -> Result<Set, StopReason> {
        let mut all = self.diagrams.full();
        for set in sets {
            all = self.diagrams.and(&all, &set)?;
        }
        Ok(all)
    }
}

/// The edge's constraint in terms of the values before it.
fn constraint(edge: &FlowEdge) -> BitExpr {
    edge.constraint.map_leaves(&mut |leaf| match leaf {
        BitExpr::After(bit) => {
            let assigned = edge.assigns.iter().find(|(assigned, _)| assigned == bit);
            assigned.map_or(BitExpr::Before(*bit), |(_, value)| value.clone())
        }
        other => other.clone(),
    })
}
