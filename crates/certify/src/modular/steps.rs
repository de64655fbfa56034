//! Decides whether what threads do leads from views to views.

use model::{
    BroadcastId, ControlId, CounterId, LabelId, StepRef, Steps, ThreadProgram, ViewMember,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::claim::{Claim, Place, choices, is_each_but_one};
use super::counts::after;
use crate::budget::Budget;
use crate::choose::within;
use crate::rejection::Rejection;
use crate::threads::Names;

/// A step with the stores that it leads to.
#[derive(Clone)]
struct Effect {
    to: ControlId,
    after: Option<CounterId>,
    spawned: Vec<CounterId>,
    broadcast: Option<BroadcastId>,
    label: LabelId,
}

/// What a step of a thread is to others that are seen alone: such steps need be looked at
/// once. The change of the shared store, the kind, the classes that the thread is in before,
/// and how many it brings into each.
type Face = (ControlId, Option<BroadcastId>, Option<u32>, Vec<(bool, usize)>);

/// Asks the program for the steps of all threads that views show.
pub(super) struct Steppers<'a> {
    program: &'a dyn ThreadProgram,
    claim: &'a Claim<'a>,
    names: &'a Names<'a>,
    /// For lookup only.
    known: FxHashMap<(ControlId, Option<CounterId>), Vec<Effect>>,
}

impl<'a> Steppers<'a> {
    pub(super) fn new(
        program: &'a dyn ThreadProgram,
        claim: &'a Claim<'a>,
        names: &'a Names<'a>,
    ) -> Steppers<'a> {
        Steppers { program, claim, names, known: FxHashMap::default() }
    }

    /// Do all steps of threads that are in a view, or stand beside one, lead to views? None
    /// of them is an error.
    pub(super) fn are_closed(mut self, budget: &Budget<'_>) -> Result<(), Rejection> {
        let claim = self.claim;
        for place in &claim.places {
            self.learn(place, budget)?;
            let movers = self.movers(place);
            for view in place.views.iter().filter(|view| claim.has_room(&place.counts, view)) {
                budget.tick()?;
                self.own(place, view, budget)?;
                if view.len() == claim.level {
                    self.others(place, view, &movers, budget)?;
                }
            }
        }
        Ok(())
    }

    /// Learns what each thread can do at a place, and the environment.
    fn learn(&mut self, place: &Place, budget: &Budget<'_>) -> Result<(), Rejection> {
        let locals = place.members.iter().map(|member| Some(member.1));
        for actor in locals.chain([None]) {
            budget.tick()?;
            if self.known.contains_key(&(place.shared, actor)) {
                continue;
            }
            let mut steps = Steps::new();
            let shared = self.names.shared(place.shared);
            match actor {
                Some(local) => self.program.steps(shared, self.names.local(local), &mut steps),
                None => self.program.environment_steps(shared, &mut steps),
            }
            if steps.incomplete().is_some() {
                let target = "a step that the program does not know".to_owned();
                return Err(Rejection::TargetNotExcluded { target });
            }
            let effects: Result<Vec<Effect>, Rejection> =
                steps.iter().map(|step| self.effect(actor, step)).collect();
            self.known.insert((place.shared, actor), effects?);
        }
        Ok(())
    }

    fn effect(&self, actor: Option<CounterId>, step: StepRef<'_>) -> Result<Effect, Rejection> {
        let label = step.label();
        if step.violation().is_some() {
            return Err(Rejection::TargetNotExcluded { target: self.words(label) });
        }
        if actor.is_none() && step.local().is_some() {
            return Err(Rejection::malformed("a step of the environment has a local store"));
        }
        let local = |bytes: &[u8]| self.names.counter(bytes).ok_or_else(|| self.unnamed(label));
        Ok(Effect {
            to: self.names.control(step.shared()).ok_or_else(|| self.unnamed(label))?,
            after: step.local().map(local).transpose()?,
            spawned: step.spawned().map(local).collect::<Result<_, _>>()?,
            broadcast: step.broadcast(),
            label,
        })
    }

    fn effects(&self, place: &Place, actor: Option<CounterId>) -> &[Effect] {
        self.known.get(&(place.shared, actor)).map_or(&[], Vec::as_slice)
    }

    /// Do the steps of a view's own threads lead to views, and those of the environment?
    fn own(
        &self,
        place: &Place,
        view: &[ViewMember],
        budget: &Budget<'_>,
    ) -> Result<(), Rejection> {
        for effect in self.effects(place, None) {
            self.lands(place, (None, effect), view, budget)?;
        }
        for (slot, actor) in view.iter().enumerate() {
            // Threads that are alike do alike.
            if slot > 0 && view[slot - 1] == *actor {
                continue;
            }
            let mut others = view.to_vec();
            others.remove(slot);
            for effect in self.effects(place, Some(actor.1)) {
                self.lands(place, (Some(*actor), effect), &others, budget)?;
            }
        }
        Ok(())
    }

    /// Those who can do something at a place. Where one thread is seen at a time, one of those
    /// is enough who do the same to others.
    fn movers(&self, place: &Place) -> Vec<(ViewMember, Effect)> {
        let mut faces: FxHashSet<Face> = FxHashSet::default();
        let mut movers = Vec::new();
        for &member in &place.members {
            for effect in self.effects(place, Some(member.1)) {
                if self.claim.level > 1 || faces.insert(self.face(member, effect)) {
                    movers.push((member, effect.clone()));
                }
            }
        }
        movers
    }

    fn face(&self, actor: ViewMember, effect: &Effect) -> Face {
        let arrives: Vec<CounterId> = effect.after.iter().chain(&effect.spawned).copied().collect();
        let classes = 0..self.claim.n_classes;
        let counted = classes
            .map(|class| (self.claim.is_in(class, actor.1), self.claim.n_in(class, &arrives)));
        (effect.to, effect.broadcast, actor.0, counted.collect())
    }

    /// Do the steps of those who may stand beside a view leave its threads in a view?
    fn others(
        &self,
        place: &Place,
        view: &[ViewMember],
        movers: &[(ViewMember, Effect)],
        budget: &Budget<'_>,
    ) -> Result<(), Rejection> {
        for (actor, effect) in movers {
            budget.tick()?;
            let mut together = view.to_vec();
            together.push(*actor);
            let may_be = self.claim.has_room(&place.counts, &together)
                && is_each_but_one(&together, |choice| place.has(choice));
            if may_be {
                self.lands_beside(place, (*actor, effect), view, budget)?;
            }
        }
        Ok(())
    }

    /// Is each choice of threads a view after a step of one of them, or of the environment?
    fn lands(
        &self,
        place: &Place,
        (actor, effect): (Option<ViewMember>, &Effect),
        others: &[ViewMember],
        budget: &Budget<'_>,
    ) -> Result<(), Rejection> {
        let own = actor.and_then(|actor| actor.0);
        let mut arrivals: Vec<ViewMember> =
            effect.after.iter().map(|&local| ViewMember(own, local)).collect();
        arrivals.extend(effect.spawned.iter().map(|&local| ViewMember(None, local)));
        for standing in self.standing_by(effect, others)? {
            let mut all = standing.clone();
            all.extend(&arrivals);
            self.is_within(place, (actor, effect, others), (&all, &all), budget)?;
        }
        Ok(())
    }

    /// The same for threads beside the one that steps.
    fn lands_beside(
        &self,
        place: &Place,
        (actor, effect): (ViewMember, &Effect),
        view: &[ViewMember],
        budget: &Budget<'_>,
    ) -> Result<(), Rejection> {
        for standing in self.standing_by(effect, view)? {
            let mut all = standing.clone();
            let arrives = effect.after.iter().chain(&effect.spawned);
            all.extend(arrives.map(|&local| ViewMember(None, local)));
            self.is_within(place, (Some(actor), effect, view), (&all, &standing), budget)?;
        }
        Ok(())
    }

    /// Are all choices among `shown` views, with each count that may hold after the step? All
    /// threads that are known to be there after it are `all`.
    fn is_within(
        &self,
        place: &Place,
        (actor, effect, others): (Option<ViewMember>, &Effect, &[ViewMember]),
        (all, shown): (&[ViewMember], &[ViewMember]),
        budget: &Budget<'_>,
    ) -> Result<(), Rejection> {
        let before: Vec<CounterId> = others.iter().chain(&actor).map(|member| member.1).collect();
        let now: Vec<CounterId> = all.iter().map(|member| member.1).collect();
        let mut all_counts: Vec<Vec<u8>> = vec![Vec::new()];
        for class in 0..self.claim.n_classes {
            let (n_before, n_now) = (self.claim.n_in(class, &before), self.claim.n_in(class, &now));
            let may_move = effect.broadcast.is_some();
            let counts = after(place.counts[class], n_before, n_now, may_move);
            let longer = all_counts
                .iter()
                .flat_map(|begun| counts.clone().map(move |count| [&begun[..], &[count]].concat()));
            all_counts = longer.collect();
            within(all_counts.len(), "counts after a step")?;
        }
        let n_shown = shown.len().min(self.claim.level);
        for counts in &all_counts {
            let to = self.claim.place(effect.to, counts);
            let to = to.ok_or_else(|| self.left(effect, "nothing is known of its shared store"))?;
            for choice in choices(shown, n_shown) {
                budget.tick()?;
                if !to.has(&choice) {
                    return Err(self.left(effect, "it gives a view that is not in the set"));
                }
            }
        }
        Ok(())
    }

    /// Where threads may be after a step of another one.
    fn standing_by(
        &self,
        effect: &Effect,
        threads: &[ViewMember],
    ) -> Result<Vec<Vec<ViewMember>>, Rejection> {
        let Some(broadcast) = effect.broadcast else { return Ok(vec![threads.to_vec()]) };
        let mut ways: Vec<Vec<ViewMember>> = vec![Vec::new()];
        for &ViewMember(kind, local) in threads {
            let mut becomes = Vec::new();
            self.program.passive(broadcast, self.names.local(local), &mut becomes);
            let numbers = becomes.iter().map(|store| self.names.counter(store.bytes()));
            let numbers: Option<Vec<CounterId>> = numbers.collect();
            let mut numbers = numbers.ok_or_else(|| self.unnamed(effect.label))?;
            if numbers.is_empty() {
                numbers.push(local);
            }
            let longer = ways.iter().flat_map(|way| {
                numbers.iter().map(move |&to| [&way[..], &[ViewMember(kind, to)]].concat())
            });
            ways = longer.collect();
            within(ways.len(), "ways in which a broadcast moves threads")?;
        }
        Ok(ways)
    }
    fn words(&self, label: LabelId) -> String {
        self.program.narrator().label(label).text
    }

    fn left(&self, effect: &Effect, why: &str) -> Rejection {
        Rejection::NotInductive { step: self.words(effect.label), why: why.to_owned() }
    }

    fn unnamed(&self, label: LabelId) -> Rejection {
        let why = "it leads to a store that the certificate does not name".to_owned();
        Rejection::NotInductive { step: self.words(label), why }
    }
}
