//! Do the start and the steps of elements in views lead to listed views, without a fault and
//! without a doubt?

use model::parameterized::ParameterizedSystem;
use model::{Choice, Judgement, Limits, Stepper, Successors, TransitionSystem};

use super::composition::too_few;
use super::layout::Layout;
use super::listed::Listed;
use super::sight::{Reached, View};
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
        self.expect_listed(|_, why| Rejection::InitialNotCovered { why })
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
        let system = self.system;
        self.expect_listed(|choice, why| {
            let step = system.choice_label(choice, false).name;
            Rejection::NotInductive { step, why }
        })
    }

    fn expect_listed(
        &mut self,
        blame: impl Fn(Choice, String) -> Rejection,
    ) -> Result<(), Rejection> {
        let Own { layout, listed, out, .. } = self;
        let outcome = Outcome { layout, n_shown: 1 };
        outcome.expect(out, |_| false, |seen| listed.has(layout, &seen), blame)
    }
}

/// What is expected of states behind a step, or at the start.
#[derive(Clone, Copy)]
pub(crate) struct Outcome<'a> {
    pub layout: &'a Layout,
    /// The slots that the states show.
    pub n_shown: usize,
}

impl Outcome<'_> {
    /// Is what slot 0 sees of each computed state listed? Is there no fault, no doubt, and nothing
    /// left out? States that `is_known` says to look the same to it as before are passed over.
    pub(crate) fn expect(
        self,
        out: &mut Successors,
        is_known: impl Fn(&[u64]) -> bool,
        mut is_listed: impl FnMut(View) -> bool,
        blame: impl Fn(Choice, String) -> Rejection,
    ) -> Result<(), Rejection> {
        if let Some((_, fault)) = out.faults.first() {
            return Err(Rejection::TargetNotExcluded { target: fault.message.clone() });
        }
        if let Some(omission) = out.take_omissions().iter().next() {
            return Err(Rejection::LeftOut { what: omission.words() });
        }
        for idx in (0..out.len()).filter(|idx| !is_known(out.state(*idx))) {
            let values = self.layout.read(out.state(idx))?;
            let reached = Reached::new(self.layout, &values, self.n_shown);
            if let Some(why) = reached.objection(self.layout, &values) {
                return Err(blame(out.choice(idx), why.to_owned()));
            }
            if !is_listed(reached.view_of_first(self.layout, &values)) {
                let why = "it leads to a view that is not listed".to_owned();
                return Err(blame(out.choice(idx), why));
            }
        }
        Ok(())
    }
}

/// Are there enough fresh nodes for a step?
pub(crate) fn expect_spare(layout: &Layout, n_reached: usize) -> Result<(), Rejection> {
    match n_reached + layout.n_spare <= layout.n_nodes {
        true => Ok(()),
        false => Err(too_few(layout)),
    }
}
