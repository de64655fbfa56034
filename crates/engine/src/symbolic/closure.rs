//! The states that some threads reach, or the views of what any number of them reaches.
//!
//! Thread 0 goes as far as it comes alone, location by location in the order of the
//! program; then it is exchanged with the others, until nothing is new. Of views, those
//! are added as well that the steps of one more thread lead to (`interference.rs`).

use std::collections::BTreeSet;

use model::{BooleanFlow, StopReason};

use super::diagram::{Diagrams, Set};
use super::interference::ViewInterference;
use super::liveness::Liveness;
use super::start::{Crowd, Population};
use super::step::{Casting, Compiler, TransitionRelation};
use super::world::{Family, World};

/// What the threads of a world are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WorldThreads {
    /// All threads that there are: whoever is created needs a free place.
    Everybody,
    /// Some of any number of threads.
    Members,
}

/// Why a closure was not completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ClosureHalt {
    /// An edge can be taken that is an error.
    Violation(usize),
    /// An edge can be taken after which nothing is proven.
    Incomplete(usize),
    /// A limit.
    Stopped(StopReason),
}

impl From<StopReason> for ClosureHalt {
    fn from(reason: StopReason) -> ClosureHalt {
        ClosureHalt::Stopped(reason)
    }
}

/// The steps of thread 0 by where they start.
pub(super) struct RelationTable {
    pub(super) from: Vec<Vec<TransitionRelation>>,
    /// No place is free for a new thread.
    crowded: Set,
}

impl RelationTable {
    pub(super) fn new(
        world: &World<'_>,
        cast: WorldThreads,
        n_members: usize,
        liveness: &Liveness,
    ) -> Result<RelationTable, StopReason> {
        let World { flow, layout, diagrams, .. } = world;
        let compiler = Compiler { flow, layout, diagrams, liveness };
        let mut from: Vec<Vec<TransitionRelation>> =
            flow.locations.iter().map(|_| Vec::new()).collect();
        for (edge_idx, edge) in flow.edges.iter().enumerate() {
            let mut castings = vec![Casting::Steps];
            if edge.spawn.is_some() {
                castings.extend((1..n_members).map(Casting::Creates));
                castings.extend((cast == WorldThreads::Members).then_some(Casting::Replaced));
            }
            for casting in castings {
                let step = compiler.step(edge_idx, casting, n_members)?;
                from[edge.from.0 as usize].push(step);
            }
        }
        let mut crowded = diagrams.full();
        for thread in 1..n_members {
            let nobody = diagrams.cube(&layout.at(thread, layout.absent()))?;
            crowded = diagrams.minus(&crowded, &nobody)?;
        }
        Ok(RelationTable { from, crowded })
    }

    /// Is this a step that threads take, and not only a sign that they would?
    pub(super) fn is_taken(
        world: &World<'_>,
        cast: WorldThreads,
        step: &TransitionRelation,
    ) -> bool {
        let edge = &world.flow.edges[step.edge_idx];
        let is_known = edge.incomplete.is_none();
        is_known
            && (cast == WorldThreads::Members
                || edge.spawn.is_none()
                || step.casting != Casting::Steps)
    }
}

/// A set of states that grows.
pub(super) struct Fixpoint<'w> {
    world: &'w World<'w>,
    cast: WorldThreads,
    n_members: usize,
    table: RelationTable,
    ranks: Vec<usize>,
    interference: Option<ViewInterference<'w>>,
    pub(super) reached: Family,
    pending: Family,
    /// Was there no place for a thread that was to be created?
    pub(super) is_cut: bool,
    /// The first edge that was met after which nothing is proven.
    pub(super) incomplete: Option<usize>,
    pub(super) n_rounds: u64,
}

impl<'w> Fixpoint<'w> {
    /// All threads, in `n_members` places.
    pub(super) fn of_everybody(
        world: &'w World<'w>,
        population: &Population,
        n_members: usize,
    ) -> Result<Fixpoint<'w>, StopReason> {
        let start = population.states(world, n_members, Crowd::Whole)?;
        Fixpoint::new(world, WorldThreads::Everybody, n_members, start)
    }

    /// Views of `n_members` threads; the world has one more, for whom they do not show.
    pub(super) fn of_members(
        world: &'w World<'w>,
        population: &Population,
        n_members: usize,
    ) -> Result<Fixpoint<'w>, StopReason> {
        let start = population.states(world, n_members, Crowd::Part)?;
        let mut closure = Fixpoint::new(world, WorldThreads::Members, n_members, start)?;
        closure.interference = Some(ViewInterference::new(world, n_members)?);
        Ok(closure)
    }

    fn new(
        world: &'w World<'w>,
        cast: WorldThreads,
        n_members: usize,
        start: Family,
    ) -> Result<Fixpoint<'w>, StopReason> {
        Ok(Fixpoint {
            world,
            cast,
            n_members,
            table: RelationTable::new(world, cast, n_members, &world.liveness)?,
            ranks: ranks(world.flow),
            interference: None,
            reached: start.clone(),
            pending: start,
            is_cut: false,
            incomplete: None,
            n_rounds: 0,
        })
    }

    /// Grows until nothing is new; `look` is called after each round.
    pub(super) fn close(&mut self, look: &mut dyn FnMut(u64)) -> Result<(), ClosureHalt> {
        loop {
            self.n_rounds += 1;
            let fresh = self.go_alone()?;
            self.exchange(&fresh)?;
            look(self.n_rounds);
            if !self.pending.is_empty(&self.world.diagrams) {
                continue;
            }
            let Some(interference) = &mut self.interference else { return Ok(()) };
            self.pending = interference.views(&mut self.reached)?;
            if self.pending.is_empty(&self.world.diagrams) {
                return Ok(());
            }
        }
    }

    /// Thread 0 goes on while there is something new; what was.
    fn go_alone(&mut self) -> Result<Family, ClosureHalt> {
        let diagrams = &self.world.diagrams;
        let absent = self.world.layout.absent();
        self.pending.sets[absent] = diagrams.empty();
        let mut waiting: BTreeSet<(usize, usize)> = (0..absent)
            .filter(|&location| !diagrams.is_empty(&self.pending.sets[location]))
            .map(|location| (self.ranks[location], location))
            .collect();
        let mut fresh = self.world.nothing();
        while let Some((_, location)) = waiting.pop_first() {
            let fresh_here = std::mem::replace(&mut self.pending.sets[location], diagrams.empty());
            let before = simpler(&fresh_here, &self.reached.sets[location]);
            for idx in 0..self.table.from[location].len() {
                let Some((to, new)) = self.take(location, idx, &before)? else { continue };
                fresh.add(diagrams, to, &new)?;
                if to != absent {
                    self.pending.add(diagrams, to, &new)?;
                    waiting.insert((self.ranks[to], to));
                }
            }
        }
        Ok(fresh)
    }

    /// Takes a step from `before`; where it leads, and what is new there.
    fn take(
        &mut self,
        location: usize,
        idx: usize,
        before: &Set,
    ) -> Result<Option<(usize, Set)>, ClosureHalt> {
        let diagrams = &self.world.diagrams;
        self.look_at_alarm(location, idx, before)?;
        let step = &self.table.from[location][idx];
        if self.world.flow.edges[step.edge_idx].incomplete.is_some() {
            return Ok(None);
        }
        if !RelationTable::is_taken(self.world, self.cast, step) {
            let crowded = diagrams.and(before, &self.table.crowded)?;
            self.is_cut |= !diagrams.is_empty(&step.pairs(diagrams, &crowded)?);
            return Ok(None);
        }
        let image = step.image(diagrams, before)?;
        if diagrams.is_empty(&image) {
            return Ok(None);
        }
        let (to, image) = (step.to, self.world.step_over(&image)?);
        let new = self.reached.add(diagrams, to, &image)?;
        Ok((!diagrams.is_empty(&new)).then_some((to, new)))
    }

    fn look_at_alarm(
        &mut self,
        location: usize,
        idx: usize,
        before: &Set,
    ) -> Result<(), ClosureHalt> {
        let step = &self.table.from[location][idx];
        let edge = &self.world.flow.edges[step.edge_idx];
        let diagrams = &self.world.diagrams;
        let is_harmless = edge.violation.is_none() && edge.incomplete.is_none();
        if is_harmless || step.casting != Casting::Steps {
            return Ok(());
        }
        if diagrams.is_empty(&step.pairs(diagrams, before)?) {
            return Ok(());
        }
        // What is not known is no error, even where one was to be expected.
        match (edge.incomplete.is_none(), self.cast) {
            (true, _) => Err(ClosureHalt::Violation(step.edge_idx)),
            (false, WorldThreads::Members) => Err(ClosureHalt::Incomplete(step.edge_idx)),
            (false, WorldThreads::Everybody) => {
                self.incomplete.get_or_insert(step.edge_idx);
                Ok(())
            }
        }
    }

    /// Adds what is new with thread 0 exchanged with each other one.
    fn exchange(&mut self, fresh: &Family) -> Result<(), StopReason> {
        if self.n_members == 1 || fresh.is_empty(&self.world.diagrams) {
            return Ok(());
        }
        let pending = self.world.permuted(self.n_members, fresh)?;
        for (location, set) in pending.sets.iter().enumerate() {
            let new = self.reached.add(&self.world.diagrams, location, set)?;
            self.pending.sets[location] = new;
        }
        Ok(())
    }
}

/// What is new, or all that there is, if that is easier to tell.
pub(super) fn simpler(new: &Set, all: &Set) -> Set {
    match Diagrams::n_nodes(new) < Diagrams::n_nodes(all) {
        true => new.clone(),
        false => all.clone(),
    }
}

/// For each location how late it comes, so that a location is met after those before it.
fn ranks(flow: &BooleanFlow) -> Vec<usize> {
    let mut ranks = vec![usize::MAX; flow.locations.len()];
    let mut done: Vec<usize> = Vec::new();
    let spawned = flow.edges.iter().filter_map(|edge| Some(edge.spawn.as_ref()?.to));
    let entries: Vec<usize> =
        flow.threads.iter().map(|kind| kind.entry).chain(spawned).map(|to| to.0 as usize).collect();
    let mut met = vec![false; flow.locations.len()];
    for entry in entries {
        let mut path: Vec<(usize, Vec<usize>)> = Vec::new();
        if !std::mem::replace(&mut met[entry], true) {
            path.push((entry, successors(flow, entry)));
        }
        while let Some((location, left)) = path.last_mut() {
            match left.pop() {
                Some(next) if !std::mem::replace(&mut met[next], true) => {
                    path.push((next, successors(flow, next)));
                }
                Some(_) => {}
                None => {
                    done.push(*location);
                    path.pop();
                }
            }
        }
    }
    for (rank, &location) in done.iter().rev().enumerate() {
        ranks[location] = rank;
    }
    ranks
}

fn successors(flow: &BooleanFlow, location: usize) -> Vec<usize> {
    let from = model::LocationId(location as u32);
    flow.edges_from(from).filter_map(|(_, edge)| Some(edge.to?.0 as usize)).collect()
}

/// The number of nodes of a family, shared ones once per set.
pub(super) fn n_nodes(family: &Family) -> u64 {
    family.sets.iter().map(|set| Diagrams::n_nodes(set) as u64).sum()
}
