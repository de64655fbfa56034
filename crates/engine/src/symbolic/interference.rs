//! The views that steps of one more thread lead to: a thread that a view does not show,
//! and of which every view is known that shows it together with all but one member.
//!
//! Of such a thread only counts what others see of it: how it changes the shared variables,
//! and the locals of others. What it can do depends on the views with it at the place
//! where it starts, and is computed anew only where those have grown.

use std::collections::BTreeMap;

use model::StopReason;

use super::diagram::{Set, Variable, VariableRenaming};
use super::step::{Casting, Compiler, TransitionRelation};
use super::world::{Family, World};

/// What threads do that views do not show.
pub(super) struct ViewInterference<'w> {
    world: &'w World<'w>,
    n_members: usize,
    /// By where they start, the steps that others see.
    steps: Vec<(usize, Vec<TransitionRelation>)>,
    /// For each member left out, the names of the others with the stranger as thread 0.
    without: Vec<VariableRenaming>,
    /// From members to threads 1 and up, and back.
    up: VariableRenaming,
    down: VariableRenaming,
    strangers_locals: Set,
    /// No member is at an atomic location: else nobody else steps, and nobody else is at
    /// one.
    calm: Set,
    /// The views that were known the last time.
    known: Family,
    /// By what they change, what strangers do among which members.
    deeds: BTreeMap<Vec<Variable>, Deed>,
}

struct Deed {
    touched: Set,
    now: Set,
    last: Set,
}

impl<'w> ViewInterference<'w> {
    pub(super) fn new(
        world: &'w World<'w>,
        n_members: usize,
    ) -> Result<ViewInterference<'w>, StopReason> {
        let World { flow, layout, diagrams, liveness, .. } = world;
        let compiler = Compiler { flow, layout, diagrams, liveness };
        let mut steps: Vec<(usize, Vec<TransitionRelation>)> = Vec::new();
        for (edge_idx, edge) in flow.edges.iter().enumerate() {
            let step = compiler.step(edge_idx, Casting::Seen, n_members + 1)?;
            let from = edge.from.0 as usize;
            match steps.last_mut() {
                _ if step.touched.is_empty() => {}
                Some((last, steps)) if *last == from => steps.push(step),
                _ => steps.push((from, vec![step])),
            }
        }
        let moved = |from: usize, to: usize, by: usize| -> Vec<(Variable, Variable)> {
            (from..to).flat_map(|thread| layout.renamed(thread, thread + by)).collect()
        };
        let without =
            (1..=n_members).map(|left_out| diagrams.renaming(&moved(left_out, n_members, 1)));
        let up = moved(0, n_members, 1);
        let down: Vec<_> = up.iter().map(|&(from, to)| (to, from)).collect();
        Ok(ViewInterference {
            world,
            n_members,
            steps,
            without: without.collect::<Result<_, _>>()?,
            up: diagrams.renaming(&up)?,
            down: diagrams.renaming(&down)?,
            strangers_locals: diagrams.variables(layout.locals(0))?,
            calm: calm(world, n_members)?,
            known: world.nothing(),
            deeds: BTreeMap::new(),
        })
    }

    /// Adds the views that one more thread's steps lead to; those that are new.
    pub(super) fn views(&mut self, reached: &mut Family) -> Result<Family, StopReason> {
        self.watch(reached)?;
        let more = match self.n_members == 1 && !self.world.layout.is_passive() {
            true => self.moved_by_place(reached)?,
            false => self.moved_at_once(reached)?,
        };
        self.known = reached.clone();
        for deed in self.deeds.values_mut() {
            deed.last = deed.now.clone();
        }
        let mut fresh = self.world.nothing();
        for (location, set) in more.sets.iter().enumerate() {
            fresh.sets[location] = reached.add(&self.world.diagrams, location, set)?;
        }
        Ok(fresh)
    }

    /// Looks what strangers can do.
    fn watch(&mut self, reached: &Family) -> Result<(), StopReason> {
        let diagrams = &self.world.diagrams;
        for (location, steps) in &self.steps {
            let views = &reached.sets[*location];
            if *views == self.known.sets[*location] {
                continue;
            }
            let mut among = diagrams.full();
            for without in &self.without {
                among = diagrams.and(&among, &diagrams.rename(views, without)?)?;
            }
            for step in steps {
                let done = step.effect(diagrams, &among, &self.strangers_locals)?;
                if diagrams.is_empty(&done) {
                    continue;
                }
                let mut touched = step.touched.clone();
                touched.sort_unstable();
                if !self.deeds.contains_key(&touched) {
                    let nothing = diagrams.empty();
                    let set = diagrams.variables(&touched)?;
                    let deed = Deed { touched: set, now: nothing.clone(), last: nothing };
                    self.deeds.insert(touched.clone(), deed);
                }
                let deed = self.deeds.get_mut(&touched).expect("it was just put there");
                deed.now = diagrams.or(&deed.now, &done)?;
            }
        }
        Ok(())
    }

    /// What strangers do does not depend on the member: each place on its own.
    fn moved_by_place(&self, reached: &Family) -> Result<Family, StopReason> {
        let mut more = self.world.nothing();
        let locations = &self.world.flow.locations;
        for (location, views) in reached.sets.iter().enumerate() {
            if locations.get(location).is_some_and(|location| location.is_atomic) {
                continue;
            }
            let moved = self.moved(views, &self.known.sets[location])?;
            more.sets[location] = moved;
        }
        Ok(more)
    }

    fn moved_at_once(&self, reached: &Family) -> Result<Family, StopReason> {
        let (world, diagrams) = (self.world, &self.world.diagrams);
        let up = |family: &Family| {
            let views = diagrams.rename(&world.joined(family)?, &self.up)?;
            diagrams.and(&views, &self.calm)
        };
        let (views, known) = (up(reached)?, up(&self.known)?);
        let moved = self.moved(&views, &known)?;
        world.split(&diagrams.rename(&moved, &self.down)?)
    }

    /// The views after what strangers do, where views or deeds are new.
    fn moved(&self, views: &Set, known: &Set) -> Result<Set, StopReason> {
        let diagrams = &self.world.diagrams;
        let mut all = diagrams.empty();
        for deed in self.deeds.values() {
            if diagrams.is_empty(views) || (views == known && deed.now == deed.last) {
                continue;
            }
            let after = diagrams.exists_and(views, &deed.now, &deed.touched)?;
            all = diagrams.or(&all, &self.world.step_over(&after)?)?;
        }
        Ok(all)
    }
}

/// The states in which none of the threads 1 to `n_members` is at an atomic location.
fn calm(world: &World<'_>, n_members: usize) -> Result<Set, StopReason> {
    let diagrams = &world.diagrams;
    let mut calm = diagrams.full();
    for thread in 1..=n_members {
        for (location, _) in
            world.flow.locations.iter().enumerate().filter(|(_, location)| location.is_atomic)
        {
            let there = diagrams.cube(&world.layout.at(thread, location))?;
            calm = diagrams.minus(&calm, &there)?;
        }
    }
    Ok(calm)
}
