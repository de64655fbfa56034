//! Do the steps of an actor beside views lead to listed views, without a fault and without a doubt?
//!
//! A step is taken beside a face (`faces.rs`) instead of each view that has it, unless it writes
//! to what the face leaves out.

use model::parameterized::{ParameterizedSystem, StepsBeside};
use model::{Limits, Stepper, Successors};

use super::composition::Composition;
use super::faces::Faces;
use super::layout::Layout;
use super::listed::Listed;
use super::look::Look;
use super::sight::View;
use super::steps::{Outcome, expect_spare};
use crate::rejection::Rejection;

/// So many views with one face are looked at one by one: to see whether a step writes to what the
/// face leaves out takes two steps as well.
const FEW: usize = 2;

/// The steps of actors beside views.
pub(crate) struct Beside<'a> {
    layout: &'a Layout,
    listed: &'a Listed,
    kinds: Vec<Kind<'a>>,
    /// The bits that belong to slot 1.
    actor_bits: Box<[u64]>,
    out: Successors,
}

/// One kind of steps beside a view.
struct Kind<'a> {
    name: &'a str,
    guarded_by_actors: bool,
    stepper: Box<dyn Stepper + Send + 'a>,
}

impl<'a> Beside<'a> {
    pub(crate) fn new(
        system: &'a dyn ParameterizedSystem,
        (layout, listed): (&'a Layout, &'a Listed),
        limits: &Limits,
    ) -> Result<Beside<'a>, Rejection> {
        let mut kinds = Vec::with_capacity(system.n_beside());
        for idx in 0..system.n_beside() {
            let StepsBeside { name, system: steps, guarded_by_actors, .. } = system.beside(idx);
            if steps.state_bits() != system.own().state_bits() {
                return Err(Rejection::malformed("steps beside a view have other states"));
            }
            kinds.push(Kind { name, guarded_by_actors, stepper: steps.stepper(limits) });
        }
        let actor_bits = layout.owned.get(1).map_or(Box::default(), |cells| layout.bits_of(cells));
        let out = Successors::new(layout.state_words);
        Ok(Beside { layout, listed, kinds, actor_bits, out })
    }

    /// The kinds of steps, of some that look at the same, that an actor may take.
    ///
    /// Where a guard looks at nothing that belongs to others than the actor, it is tried with each
    /// of the states that the actor may be in, as far as it is looked at.
    pub(crate) fn enabled(
        &mut self,
        (look, kinds): (&Look, &[usize]),
        actor: &View,
    ) -> Result<Vec<usize>, Rejection> {
        let Some(states) = look.alone(self.layout, actor) else { return Ok(kinds.to_vec()) };
        expect_spare(self.layout, actor.n_reached)?;
        let mut enabled = Vec::new();
        for kind in kinds {
            let is_guarded = look.is_at_actor || self.kinds[*kind].guarded_by_actors;
            if !is_guarded || self.is_enabled(*kind, &states)? {
                enabled.push(*kind);
            }
        }
        Ok(enabled)
    }

    fn is_enabled(&mut self, kind: usize, states: &[Box<[u64]>]) -> Result<bool, Rejection> {
        for state in states {
            self.expand(kind, state)?;
            let is_odd = !self.out.faults.is_empty() || !self.out.take_omissions().is_empty();
            if self.out.n_enabled > 0 || !self.out.is_empty() || is_odd {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Do these steps of the actor in a composition lead to what is listed, as each element sees
    /// it whose view has the face in it, with these codes?
    pub(crate) fn steps(
        &mut self,
        kinds: &[usize],
        composition: &Composition,
        (faces, codes): (&Faces<'_>, u32),
    ) -> Result<(), Rejection> {
        expect_spare(self.layout, composition.n_reached)?;
        let state = self.layout.packed(&composition.values);
        for kind in kinds {
            let is_by_face = faces.codes(codes).len() > FEW
                && self.leaves_codes(*kind, &with_codes(&state, &faces.ones), faces)?
                && self.leaves_codes(*kind, &state, faces)?;
            if is_by_face {
                self.expect(*kind, &state, |seen| faces.have_all(seen, codes))?;
                continue;
            }
            for codes in faces.codes(codes) {
                let state = with_codes(&state, codes);
                self.expand(*kind, &state)?;
                let (layout, listed) = (self.layout, self.listed);
                self.expect(*kind, &state, |seen| listed.has(layout, &seen))?;
            }
        }
        Ok(())
    }

    /// Does a step not write to the codes that a face leaves out? If it does, it changes them
    /// where they are undefined, or where they are all 1. The result stays in `out`.
    fn leaves_codes(
        &mut self,
        kind: usize,
        state: &[u64],
        faces: &Faces<'_>,
    ) -> Result<bool, Rejection> {
        self.expand(kind, state)?;
        let mut states = (0..self.out.len()).map(|idx| self.out.state(idx));
        Ok(states.all(|after| {
            let words = state.iter().zip(after).zip(&faces.unread_bits);
            words.fold(0, |changes, ((before, after), bits)| changes | (before ^ after) & bits) == 0
        }))
    }

    fn expand(&mut self, kind: usize, state: &[u64]) -> Result<(), Rejection> {
        self.out.clear();
        self.kinds[kind].stepper.expand(state, &mut self.out).map_err(Rejection::Stopped)
    }

    /// Is what was computed from a state as expected?
    fn expect(
        &mut self,
        kind: usize,
        state: &[u64],
        is_listed: impl FnMut(View) -> bool,
    ) -> Result<(), Rejection> {
        let Beside { layout, kinds, actor_bits, out, .. } = self;
        // What the actor alone loses, its own steps show.
        let is_known = |after: &[u64]| {
            let words = state.iter().zip(after).zip(actor_bits.iter());
            words.fold(0, |changes, ((before, after), own)| changes | (before ^ after) & !own) == 0
        };
        Outcome { layout, n_shown: 2 }.expect(out, is_known, is_listed, |_, why| {
            Rejection::NotInductive { step: kinds[kind].name.to_owned(), why }
        })
    }
}

/// A state in which codes are undefined, with codes.
fn with_codes(state: &[u64], codes: &[u64]) -> Box<[u64]> {
    state.iter().zip(codes).map(|(word, codes)| word | codes).collect()
}
