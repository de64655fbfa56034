//! Views of elements: is a set of views closed, and without an error?
//!
//! A proof lists views: what a state is when all but a few elements are forgotten. It is right
//! if the views of initial states are among them, if steps of elements in a view lead to views
//! among them, and if steps of others do, wherever each choice of elements of the view and
//! actors beside it may be a view among them. Then no state of any size has other views.
//!
//! Steps are the front end's, interpreted. What actors may be is computed here from the listed
//! views alone, by sets of possibilities; nothing is shared with the engine that found them.
//! **Sound for** sizes from that of a view on; smaller instances are searched one by one.
//! Views of one element with memory that all share are checked apart, in `memory`.
//! **Read first** `reading.rs`, then `company.rs`.

mod company;
mod memory;
mod placing;
mod reading;

use std::collections::BTreeMap;

use model::parameterized::{ElementViews, ParameterizedSystem};
use model::{Judgement, Limits, Stepper, Successors};
use rustc_hash::FxHashSet;

use crate::budget::Budget;
use crate::rejection::Rejection;
use crate::states;
use company::{Company, StepSet, cells_read};
use placing::{Kinds, Placings};
use reading::{Moves, Reading, Values, ways};

/// Views as values, all orders of their elements included.
pub(crate) type ViewSet = FxHashSet<Values>;

/// Is the claim right?
pub(crate) fn check(
    system: &dyn ParameterizedSystem,
    claim: &ElementViews,
    limits: &Limits,
) -> Result<(), Rejection> {
    if claim.n_visible != system.n_visible() {
        return Err(Rejection::malformed("the views show another number of elements"));
    }
    for idx in 0..system.n_smaller() {
        states::explore_all(system.smaller(idx), limits)?;
    }
    if system.cells().memory.is_some() {
        return memory::check(system, claim, limits);
    }
    let reading = Reading::new(system)?;
    let mut listed = Vec::with_capacity(claim.views.len());
    for view in &claim.views {
        let words = view.to_words().filter(|words| words.len() == system.own().state_words());
        let words = words.ok_or_else(|| Rejection::malformed("a view has another size"))?;
        listed.push(reading.values(&words, reading.visible()));
    }
    let orders = ways(reading.n_visible, reading.visible());
    let orders: Vec<Moves> = orders.iter().map(|order| reading.moves(order)).collect();
    let reading = &reading;
    let views: ViewSet = orders
        .iter()
        .flat_map(|order| listed.iter().map(move |view| reading.moved(view, order)))
        .collect();
    let mut check = Check {
        system,
        reading,
        views: &views,
        budget: &Budget::new(limits),
        own: system.own().stepper(limits),
        limits,
        out: Successors::new(system.own().state_words()),
        found: FxHashSet::default(),
        shown: Vec::new(),
    };
    check.start()?;
    for view in &listed {
        check.own_steps(view)?;
    }
    check.all_beside(&listed)
}

struct Check<'a> {
    system: &'a dyn ParameterizedSystem,
    reading: &'a Reading,
    views: &'a ViewSet,
    budget: &'a Budget<'a>,
    own: Box<dyn Stepper + Send + 'a>,
    limits: &'a Limits,
    out: Successors,
    /// What a view shows of states that were found among the listed ones.
    found: FxHashSet<Vec<u64>>,
    shown: Vec<u64>,
}

impl Check<'_> {
    fn start(&mut self) -> Result<(), Rejection> {
        self.out.clear();
        self.own.initial(&mut self.out).map_err(Rejection::Stopped)?;
        self.all_are_listed("the start")
    }

    fn own_steps(&mut self, view: &Values) -> Result<(), Rejection> {
        self.budget.tick()?;
        let state = self.reading.state(view);
        let mut judgement = Judgement::default();
        self.own.judge(&state, &mut judgement).map_err(Rejection::Stopped)?;
        if let Some(property) = judgement.violated.first() {
            let target = self.system.own().properties()[*property as usize].name.clone();
            return Err(Rejection::TargetNotExcluded { target });
        }
        if let Some((_, fault)) = judgement.faults.first() {
            return Err(Rejection::TargetNotExcluded { target: fault.message.clone() });
        }
        self.out.clear();
        self.own.expand(&state, &mut self.out).map_err(Rejection::Stopped)?;
        self.all_are_listed("a step of an element in a view")
    }

    /// What actors do beside each view. Steps that look at the same are checked together.
    fn all_beside(&mut self, listed: &[Values]) -> Result<(), Rejection> {
        let all: Vec<Values> = self.views.iter().cloned().collect();
        let mut groups: BTreeMap<(u32, Vec<usize>), Vec<usize>> = BTreeMap::new();
        for step in 0..self.system.n_beside() {
            let beside = self.system.beside(step);
            if self.reading.n_visible + beside.n_actors > self.reading.n_slots {
                return Err(Rejection::malformed("there are more actors than slots"));
            }
            let read = cells_read(self.reading, &beside);
            groups.entry((beside.n_actors, read)).or_default().push(step);
        }
        let most = groups.keys().map(|(n_actors, _)| *n_actors).max().unwrap_or(0);
        for n_actors in 1..=most {
            let placings = Placings::new(self.reading, &all, n_actors);
            let kinds: Vec<Kinds> =
                listed.iter().map(|view| placings.kinds(self.reading, view)).collect();
            for ((_, read), steps) in groups.iter().filter(|((n, _), _)| *n == n_actors) {
                for steps in steps.chunks(StepSet::BITS as usize) {
                    let placed = (&all[..], &placings);
                    self.steps_beside(placed, (n_actors, read), steps, (listed, &kinds))?;
                }
            }
        }
        Ok(())
    }

    fn steps_beside(
        &mut self,
        placed: (&[Values], &Placings),
        (n_actors, read): (u32, &[usize]),
        steps: &[usize],
        (listed, kinds): (&[Values], &[Kinds]),
    ) -> Result<(), Rejection> {
        let system = self.system;
        let mut steppers: Vec<_> =
            steps.iter().map(|step| system.beside(*step).system.stepper(self.limits)).collect();
        let may_step = |state: &[u64]| {
            self.budget.tick()?;
            let mut may: StepSet = 0;
            for (number, (stepper, step)) in steppers.iter_mut().zip(steps).enumerate() {
                self.out.clear();
                let guarded = system.beside(*step).guarded_by_actors;
                if guarded {
                    stepper.expand(state, &mut self.out).map_err(Rejection::Stopped)?;
                }
                let enabled = self.out.n_enabled > 0 || !self.out.faults.is_empty();
                may |= StepSet::from(!guarded || enabled) << number;
            }
            Ok(may)
        };
        let company = Company::new(self.reading, placed, (n_actors, read.to_vec()), may_step)?;
        for (view, kinds) in listed.iter().zip(kinds) {
            company.beside((view, kinds), |state, allowed| {
                self.budget.tick()?;
                for (number, (stepper, step)) in steppers.iter_mut().zip(steps).enumerate() {
                    if allowed >> number & 1 == 0 {
                        continue;
                    }
                    self.out.clear();
                    stepper.expand(state, &mut self.out).map_err(Rejection::Stopped)?;
                    self.all_are_listed(system.beside(*step).name)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Do the computed states show listed views alone, and no fault?
    fn all_are_listed(&mut self, step: &str) -> Result<(), Rejection> {
        if let Some((_, fault)) = self.out.faults.first() {
            return Err(Rejection::TargetNotExcluded { target: fault.message.clone() });
        }
        for idx in 0..self.out.len() {
            let state = self.out.state(idx).iter().zip(&self.reading.shown);
            self.shown.clear();
            self.shown.extend(state.map(|(word, shown)| word & shown));
            if self.found.contains(&self.shown) {
                continue;
            }
            let seen = self.reading.values(&self.shown, self.reading.visible());
            if !self.views.contains(&seen) {
                let why = "it leads to a view that is not listed".into();
                return Err(Rejection::NotInductive { step: step.to_owned(), why });
            }
            self.found.insert(self.shown.clone());
        }
        Ok(())
    }
}
