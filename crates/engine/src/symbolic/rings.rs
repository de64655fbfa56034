//! The shortest run to an error: states by their distance from the start, then back from
//! the error, one concrete state at a time. What it says of dead locals is made up on the
//! way back, and is computed anew from the start in the end (`rerun.rs`).

use model::StopReason;

use super::closure::{ClosureHalt, RelationTable, WorldThreads};
use super::diagram::{Set, Variable};
use super::layout::VariableOrder;
use super::rerun;
use super::start::{Crowd, Population};
use super::step::{Casting, TransitionRelation};
use super::world::{Family, World};

/// A state of all threads, by place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Snapshot {
    pub(super) shared: Vec<bool>,
    pub(super) in_atomic: bool,
    /// Where each thread is, and its locals; `None` where there is none.
    pub(super) threads: Vec<Option<(usize, Vec<bool>)>>,
}

impl Snapshot {
    /// The state that is said by values of variables, with thread 0 at a location.
    pub(super) fn read(layout: &VariableOrder, values: &[bool], location: usize) -> Snapshot {
        let value = |variable: Variable| values[variable as usize];
        let threads = (0..layout.n_threads).map(|thread| {
            let bits = layout.location(thread).iter().enumerate();
            let at = match thread {
                0 => location,
                _ => bits.map(|(bit, &variable)| usize::from(value(variable)) << bit).sum(),
            };
            let locals = layout.locals(thread).iter().map(|&variable| value(variable)).collect();
            (at != layout.absent()).then_some((at, locals))
        });
        Snapshot {
            shared: (0..layout.n_shared()).map(|idx| value(layout.shared(idx))).collect(),
            in_atomic: value(layout.atomic()),
            threads: threads.collect(),
        }
    }

    /// The state as values of variables, without where thread 0 is, and without the locals
    /// of threads that are not known.
    pub(super) fn literals(
        &self,
        layout: &VariableOrder,
        is_known: &dyn Fn(usize, usize) -> bool,
    ) -> Vec<(Variable, bool)> {
        let shared = self.shared.iter().enumerate();
        let mut literals: Vec<(Variable, bool)> =
            shared.map(|(idx, &value)| (layout.shared(idx), value)).collect();
        literals.push((layout.atomic(), self.in_atomic));
        for (thread, own) in self.threads.iter().enumerate() {
            let Some((location, locals)) = own else {
                literals.extend(layout.nobody(thread));
                continue;
            };
            literals.extend(layout.at(thread, *location));
            let known = locals.iter().enumerate().filter(|(idx, _)| is_known(thread, *idx));
            literals.extend(known.map(|(idx, &value)| (layout.local(thread, idx), value)));
        }
        literals.retain(|(variable, _)| !layout.location(0).contains(variable));
        literals
    }

    /// The same as values after a step of thread 0.
    pub(super) fn after(
        &self,
        layout: &VariableOrder,
        step: &TransitionRelation,
        is_known: &dyn Fn(usize, usize) -> bool,
    ) -> Vec<(Variable, bool)> {
        let mut literals = self.literals(layout, is_known);
        for (variable, _) in &mut literals {
            if step.touched.contains(variable) {
                *variable = VariableOrder::after(*variable);
            }
        }
        literals
    }
}

/// A step of a run.
#[derive(Clone, Debug)]
pub(super) struct SymbolicStep {
    /// The place of the thread that takes it.
    pub(super) place: usize,
    pub(super) edge_idx: usize,
    /// The place of the thread that it creates.
    pub(super) created: Option<usize>,
    pub(super) after: Snapshot,
}

/// A run up to the step that is an error, which thread `place` takes.
pub(super) struct SymbolicRun {
    pub(super) start: Snapshot,
    pub(super) steps: Vec<SymbolicStep>,
    pub(super) place: usize,
    pub(super) edge_idx: usize,
}

/// A family without its empty sets.
type Ring = Vec<(usize, Set)>;

/// Finds shortest runs.
pub(super) struct Rings<'w> {
    world: &'w World<'w>,
    n_threads: usize,
    table: RelationTable,
    rings: Vec<Ring>,
}

impl<'w> Rings<'w> {
    /// The shortest run to an error that is known to be reachable.
    pub(super) fn shortest(
        world: &'w World<'w>,
        population: &Population,
        n_threads: usize,
        look: &mut dyn FnMut(u64),
    ) -> Result<SymbolicRun, ClosureHalt> {
        let table = RelationTable::new(world, WorldThreads::Everybody, n_threads, &world.liveness)?;
        let mut rings = Rings { world, n_threads, table, rings: Vec::new() };
        let mut reached = population.states(world, n_threads, Crowd::Whole)?;
        let mut frontier = reached.clone();
        loop {
            rings.rings.push(ring(world, &frontier));
            look(rings.rings.len() as u64);
            if let Some((last, edge_idx)) = rings.error()? {
                return Ok(rerun::with_all_values(world, rings.back_from(last, edge_idx)?)?);
            }
            frontier = rings.next(&mut reached)?;
            if frontier.is_empty(&world.diagrams) {
                return Err(super::odd("an error that was reached is not reached again").into());
            }
        }
    }

    /// A state of the last ring in which thread 0 has a step that is an error.
    fn error(&self) -> Result<Option<(Snapshot, usize)>, StopReason> {
        let diagrams = &self.world.diagrams;
        for (location, set) in self.rings.iter().rev().take(1).flatten() {
            for step in self.table.from.get(*location).into_iter().flatten() {
                let edge = &self.world.flow.edges[step.edge_idx];
                let is_error = edge.violation.is_some() && edge.incomplete.is_none();
                if !is_error || step.casting != Casting::Steps {
                    continue;
                }
                let pairs = step.pairs(diagrams, set)?;
                if let Some(values) = diagrams.pick(&pairs) {
                    let last = Snapshot::read(&self.world.layout, &values, *location);
                    return Ok(Some((last, step.edge_idx)));
                }
            }
        }
        Ok(None)
    }

    fn next(&self, reached: &mut Family) -> Result<Family, StopReason> {
        let diagrams = &self.world.diagrams;
        let mut moved = self.world.nothing();
        for (location, set) in self.rings.iter().rev().take(1).flatten() {
            for step in self.steps_from(*location) {
                let image = step.image(diagrams, set)?;
                if !diagrams.is_empty(&image) {
                    moved.add(diagrams, step.to, &self.world.step_over(&image)?)?;
                }
            }
        }
        if self.n_threads > 1 {
            let others = self.world.permuted(self.n_threads, &moved)?;
            for (location, set) in others.sets.iter().enumerate() {
                moved.add(diagrams, location, set)?;
            }
        }
        let mut frontier = self.world.nothing();
        for (location, set) in moved.sets.iter().enumerate() {
            frontier.sets[location] = reached.add(diagrams, location, set)?;
        }
        Ok(frontier)
    }

    fn steps_from(&self, location: usize) -> impl Iterator<Item = &TransitionRelation> {
        let steps = self.table.from.get(location).into_iter().flatten();
        steps.filter(|step| RelationTable::is_taken(self.world, WorldThreads::Everybody, step))
    }

    fn back_from(&self, last: Snapshot, edge_idx: usize) -> Result<SymbolicRun, StopReason> {
        let mut steps = Vec::new();
        let mut state = last;
        for ring in self.rings.iter().rev().skip(1) {
            let (before, taken) = self.step_to(ring, &state)?;
            steps.push(taken);
            state = before;
        }
        steps.reverse();
        Ok(SymbolicRun { start: state, steps, place: 0, edge_idx })
    }

    /// A step from a ring to a state.
    fn step_to(
        &self,
        ring: &Ring,
        after: &Snapshot,
    ) -> Result<(Snapshot, SymbolicStep), StopReason> {
        let World { diagrams, layout, liveness, .. } = self.world;
        for place in 0..self.n_threads {
            let mut turned = after.clone();
            turned.threads.swap(0, place);
            let at = turned.threads[0].as_ref().map_or(layout.absent(), |own| own.0);
            for (location, set) in ring {
                for step in self.steps_from(*location).filter(|step| step.to == at) {
                    let pairs = step.pairs(diagrams, set)?;
                    let is_known =
                        |thread: usize, idx: usize| thread > 0 || !liveness.is_dead(step.to, idx);
                    let cube = diagrams.cube(&turned.after(layout, step, &is_known))?;
                    let pairs = diagrams.and(&pairs, &cube)?;
                    let Some(values) = diagrams.pick(&pairs) else { continue };
                    let mut before = Snapshot::read(layout, &values, *location);
                    let mut created = None;
                    if let Casting::Creates(other) = step.casting {
                        before.threads[other] = None;
                        created = Some(if other == place { 0 } else { other });
                    }
                    before.threads.swap(0, place);
                    let edge_idx = step.edge_idx;
                    let after = after.clone();
                    return Ok((before, SymbolicStep { place, edge_idx, created, after }));
                }
            }
        }
        Err(super::odd("no step leads to a state that was reached"))
    }
}

fn ring(world: &World<'_>, family: &Family) -> Ring {
    let sets = family.sets.iter().cloned().enumerate();
    sets.filter(|(_, set)| !world.diagrams.is_empty(set)).collect()
}
