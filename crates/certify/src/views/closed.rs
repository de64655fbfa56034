//! Decides whether steps of a view's own members lead to views, and whether none of them
//! is an error.

use model::{FlowEdge, ThreadProgram};

use super::by_location;
use super::diagrams::Set;
use super::effect::{Effect, Reader};
use crate::rejection::Rejection;

/// A set of views, and its parts by where each member is.
pub(super) struct Members<'a> {
    reader: &'a Reader<'a>,
    pub(super) program: &'a dyn ThreadProgram,
    pub(super) set: Set,
    is_whole: bool,
    parts: Vec<Option<Vec<Set>>>,
}

impl<'a> Members<'a> {
    pub(super) fn new(
        reader: &'a Reader<'a>,
        program: &'a dyn ThreadProgram,
        set: Set,
        is_whole: bool,
    ) -> Members<'a> {
        Members { reader, program, set, is_whole, parts: vec![None; reader.places.size] }
    }

    /// The views with a member at a location, without what they say of that.
    pub(super) fn at(&mut self, member: usize, location: usize) -> Result<Set, Rejection> {
        if self.parts[member].is_none() {
            self.parts[member] = Some(by_location(self.reader, &self.set, member)?);
        }
        let parts = self.parts[member].as_deref().unwrap_or_default();
        parts.get(location).cloned().ok_or_else(|| Rejection::malformed("no such location"))
    }

    /// Can no member take a step that is an error, or one that may not be all? Each thread
    /// of a state is the first member of some view.
    pub(super) fn no_error(&mut self) -> Result<(), Rejection> {
        for edge in &self.reader.flow.edges {
            let error = edge.violation.as_ref().map(|error| &error.message);
            let Some(message) = error.or(edge.incomplete.as_ref()) else { continue };
            let before = self.before(edge, 0)?;
            if self.reader.diagrams.is_inhabited(&before) {
                return Err(Rejection::TargetNotExcluded { target: message.clone() });
            }
        }
        Ok(())
    }

    /// Do the steps of all members lead to views?
    pub(super) fn are_closed(&mut self) -> Result<(), Rejection> {
        for mover in 0..self.reader.places.size {
            for edge in &self.reader.flow.edges {
                let before = self.before(edge, mover)?;
                if self.reader.diagrams.is_inhabited(&before) {
                    self.leads_to_views(edge, mover, &before)?;
                }
            }
        }
        Ok(())
    }

    /// The views in which a member can take an edge, some choices given.
    fn before(&mut self, edge: &FlowEdge, mover: usize) -> Result<Set, Rejection> {
        let views = self.at(mover, edge.from.0 as usize)?;
        self.reader.diagrams.and(&views, &self.reader.enabled(edge, mover)?)
    }

    fn leads_to_views(
        &mut self,
        edge: &FlowEdge,
        mover: usize,
        before: &Set,
    ) -> Result<(), Rejection> {
        if edge.spawn.is_none() || !self.is_whole {
            let effect = self.effect(edge, mover, None)?;
            self.leads_within(edge, before, &effect)?;
        }
        if edge.spawn.is_none() {
            return Ok(());
        }
        let (places, diagrams) = (self.reader.places, self.reader.diagrams);
        let mut crowded = before.clone();
        for place in (0..places.size).filter(|place| *place != mover) {
            let mut nobody = places.at(place, places.n_locations);
            let absent = diagrams.values(&nobody)?;
            crowded = diagrams.and(&crowded, &diagrams.not(&absent)?)?;
            nobody.extend(places.locals(place).into_iter().map(|variable| (variable, false)));
            let vacant = diagrams.and(before, &diagrams.values(&nobody)?)?;
            let effect = self.effect(edge, mover, Some(place))?;
            self.leads_within(edge, &vacant, &effect)?;
        }
        if self.is_whole {
            return match self.reader.diagrams.is_inhabited(&crowded) {
                true => Err(self.left(edge, "there is no place for the thread that it creates")),
                false => Ok(()),
            };
        }
        let mut effect = self.reader.shared(edge, mover)?;
        self.reader.created(edge, (mover, mover), &mut effect)?;
        self.move_others(edge, mover, None, &mut effect)?;
        self.leads_within(edge, before, &effect)
    }

    /// The effect of an edge, with the thread that it creates at a place, or ignored.
    fn effect(
        &self,
        edge: &FlowEdge,
        mover: usize,
        created: Option<usize>,
    ) -> Result<Effect, Rejection> {
        let mut effect = self.reader.shared(edge, mover)?;
        self.reader.own(edge, mover, &mut effect)?;
        if let Some(place) = created {
            self.reader.created(edge, (mover, place), &mut effect)?;
        }
        self.move_others(edge, mover, created, &mut effect)?;
        Ok(effect)
    }

    fn move_others(
        &self,
        edge: &FlowEdge,
        mover: usize,
        created: Option<usize>,
        effect: &mut Effect,
    ) -> Result<(), Rejection> {
        for other in 0..self.reader.places.size {
            if other != mover && Some(other) != created {
                self.reader.others(edge, (mover, other), effect)?;
            }
        }
        Ok(())
    }

    fn leads_within(
        &self,
        edge: &FlowEdge,
        before: &Set,
        effect: &Effect,
    ) -> Result<(), Rejection> {
        let good = effect.before(self.reader.diagrams, &self.set)?;
        match self.reader.diagrams.is_within(before, &good)? {
            true => Ok(()),
            false => Err(self.left(edge, "it gives a view that is not in the set")),
        }
    }

    /// The rejection because of an edge.
    pub(super) fn left(&self, edge: &FlowEdge, why: &str) -> Rejection {
        let program = self.program.fine().unwrap_or(self.program);
        let step = program.narrator().label(edge.label).text;
        Rejection::NotInductive { step, why: why.to_owned() }
    }
}
