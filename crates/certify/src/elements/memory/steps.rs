//! Do the steps from a state lead to listed views, without a fault and without a doubt?

use model::parameterized::{ParameterizedSystem, StepsBeside};
use model::{Choice, Judgement, Limits, Stepper, Successors, TransitionSystem};
use rustc_hash::FxHashMap;

use super::composition::{Composition, too_few};
use super::layout::Layout;
use super::listed::Listed;
use super::sight::{Reached, View};
use super::values::Value;
use crate::rejection::Rejection;

/// The start, the steps of the element in a view, and the properties.
pub(crate) struct Own<'a> {
    system: &'a dyn TransitionSystem,
    layout: &'a Layout,
    listed: &'a Listed,
    stepper: Box<dyn Stepper + Send + 'a>,
    out: Successors,
    judgement: Judgement,
}

/// The steps of actors beside a view.
pub(crate) struct Beside<'a> {
    layout: &'a Layout,
    listed: &'a Listed,
    kinds: Vec<Kind<'a>>,
    out: Successors,
    /// The kinds of steps that may be taken, by what a guard of the actor may look at.
    enabled: FxHashMap<Box<[u64]>, Box<[usize]>>,
}

/// One kind of steps beside a view.
struct Kind<'a> {
    name: &'a str,
    guarded_by_actors: bool,
    stepper: Box<dyn Stepper + Send + 'a>,
}

impl<'a> Own<'a> {
    pub(crate) fn new(
        system: &'a dyn ParameterizedSystem,
        (layout, listed): (&'a Layout, &'a Listed),
        limits: &Limits,
    ) -> Own<'a> {
        Own {
            system: system.own(),
            layout,
            listed,
            stepper: system.own().stepper(limits),
            out: Successors::new(layout.state_words),
            judgement: Judgement::default(),
        }
    }

    /// Are all views of initial states listed?
    pub(crate) fn start(&mut self) -> Result<(), Rejection> {
        self.out.clear();
        self.stepper.initial(&mut self.out).map_err(Rejection::Stopped)?;
        let outcome = Outcome { layout: self.layout, listed: self.listed, n_shown: 1 };
        outcome.expect_listed(&mut self.out, |_, why| Rejection::InitialNotCovered { why })
    }

    /// Does a view fail no property?
    pub(crate) fn judge(&mut self, view: &View) -> Result<(), Rejection> {
        self.judgement.clear();
        let state = self.layout.packed(&view.values);
        self.stepper.judge(&state, &mut self.judgement).map_err(Rejection::Stopped)?;
        let violated = self.judgement.violated.first();
        let violated = violated.map(|idx| self.system.properties()[*idx as usize].name.clone());
        let fault = self.judgement.faults.first().map(|(_, fault)| fault.message.clone());
        match violated.or(fault) {
            Some(target) => Err(Rejection::TargetNotExcluded { target }),
            None => Ok(()),
        }
    }

    /// Do the steps of the element in a view lead to listed views?
    pub(crate) fn steps(&mut self, view: &View) -> Result<(), Rejection> {
        expect_spare(self.layout, view.n_reached)?;
        self.out.clear();
        let state = self.layout.packed(&view.values);
        self.stepper.expand(&state, &mut self.out).map_err(Rejection::Stopped)?;
        let outcome = Outcome { layout: self.layout, listed: self.listed, n_shown: 1 };
        let system = self.system;
        outcome.expect_listed(&mut self.out, |choice, why| {
            let step = system.choice_label(choice, false).name;
            Rejection::NotInductive { step, why }
        })
    }
}

impl<'a> Beside<'a> {
    pub(crate) fn new(
        system: &'a dyn ParameterizedSystem,
        (layout, listed): (&'a Layout, &'a Listed),
        limits: &Limits,
    ) -> Result<Beside<'a>, Rejection> {
        let mut kinds = Vec::with_capacity(system.n_beside());
        for idx in 0..system.n_beside() {
            let StepsBeside { name, system: steps, n_actors, guarded_by_actors, .. } =
                system.beside(idx);
            if n_actors != 1 || layout.n_slots < 2 {
                return Err(Rejection::malformed("with memory, one actor steps beside a view"));
            }
            if steps.state_bits() != system.own().state_bits() {
                return Err(Rejection::malformed("steps beside a view have other states"));
            }
            kinds.push(Kind { name, guarded_by_actors, stepper: steps.stepper(limits) });
        }
        let (out, enabled) = (Successors::new(layout.state_words), FxHashMap::default());
        Ok(Beside { layout, listed, kinds, out, enabled })
    }

    /// Do the steps of the actor lead to what is listed, as the element in the view sees it?
    pub(crate) fn steps(&mut self, composition: &Composition) -> Result<(), Rejection> {
        expect_spare(self.layout, composition.n_reached)?;
        let state = self.layout.packed(&composition.values);
        let outcome = Outcome { layout: self.layout, listed: self.listed, n_shown: 2 };
        for idx in self.enabled(composition)? {
            let kind = &mut self.kinds[idx];
            self.out.clear();
            kind.stepper.expand(&state, &mut self.out).map_err(Rejection::Stopped)?;
            outcome.expect_listed(&mut self.out, |_, why| {
                let step = kind.name.to_owned();
                Rejection::NotInductive { step, why }
            })?;
        }
        Ok(())
    }

    /// Compositions with another actor come next, which sees something else.
    pub(crate) fn forget_enabled(&mut self) {
        self.enabled.clear();
    }

    /// The kinds of steps that may be taken.
    ///
    /// Where a guard looks at nothing that belongs to others than the actor, it is tried once for
    /// all compositions that differ in nothing else.
    fn enabled(&mut self, composition: &Composition) -> Result<Box<[usize]>, Rejection> {
        let face = self.face(composition);
        if let Some(known) = self.enabled.get(&face) {
            return Ok(known.clone());
        }
        let mut enabled = Vec::new();
        for (idx, kind) in self.kinds.iter_mut().enumerate() {
            self.out.clear();
            if kind.guarded_by_actors {
                kind.stepper.expand(&face, &mut self.out).map_err(Rejection::Stopped)?;
            }
            let is_enabled = self.out.n_enabled > 0 || !self.out.faults.is_empty();
            if !kind.guarded_by_actors || is_enabled || !self.out.is_empty() {
                enabled.push(idx);
            }
        }
        let enabled = enabled.into_boxed_slice();
        self.enabled.insert(face, enabled.clone());
        Ok(enabled)
    }

    /// A composition without what belongs to the element in the view. Its nodes stay, since they
    /// are in cells that belong to nobody, and so does its name where the actor may see it.
    fn face(&self, composition: &Composition) -> Box<[u64]> {
        let mut values = composition.values.clone();
        self.layout.owned[0].iter().for_each(|idx| values[*idx] = Value::Code(0));
        self.layout.packed(&values)
    }
}

/// What is expected of states behind a step, or at the start.
#[derive(Clone, Copy)]
struct Outcome<'a> {
    layout: &'a Layout,
    listed: &'a Listed,
    /// The slots that the states show.
    n_shown: usize,
}

impl Outcome<'_> {
    /// Is the view of slot 0 listed in each computed state? Is there no fault, no doubt, and
    /// nothing left out?
    fn expect_listed(
        self,
        out: &mut Successors,
        blame: impl Fn(Choice, String) -> Rejection,
    ) -> Result<(), Rejection> {
        if let Some((_, fault)) = out.faults.first() {
            return Err(Rejection::TargetNotExcluded { target: fault.message.clone() });
        }
        if let Some(omission) = out.take_omissions().iter().next() {
            return Err(Rejection::LeftOut { what: omission.words() });
        }
        for idx in 0..out.len() {
            let values = self.layout.read(out.state(idx))?;
            let reached = Reached::new(self.layout, &values, self.n_shown);
            if let Some(why) = reached.objection(self.layout, &values) {
                return Err(blame(out.choice(idx), why.to_owned()));
            }
            if !self.listed.has(self.layout, &reached.view_of_first(self.layout, &values)) {
                let why = "it leads to a view that is not listed".to_owned();
                return Err(blame(out.choice(idx), why));
            }
        }
        Ok(())
    }
}

/// Are there enough fresh nodes for a step?
fn expect_spare(layout: &Layout, n_reached: usize) -> Result<(), Rejection> {
    match n_reached + layout.n_spare <= layout.n_nodes {
        true => Ok(()),
        false => Err(too_few(layout)),
    }
}
