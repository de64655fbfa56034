//! The least set of views that contains all starts and is closed under what a thread of a
//! view can do, and under what a thread beside it can do.
//!
//! A thread may stand beside a full view if each choice of as many threads among it and
//! those of the view is a view, and if the kinds and counts leave room for all of them. For
//! views of one thread these are the rules of Flanagan and Qadeer: the views are R, and the
//! moves of a place (`Place::moves`) are G, each kept once however many threads can make it.
//! Beside a view that is not full nobody need be imagined: the view with that thread is one
//! as well, or they are never together.
//!
//! **Ends** when the program has finitely many stores. The views come in the order in which
//! they are found, breadth first, so that an alarm has few steps.

use model::{BroadcastId, StopReason, ThreadCount};

use super::exposed::{Classes, Counts, Seen};
use super::kinds::{Kinds, NO_KIND};
use super::races;
use super::start;
use super::takers::Takers;
use super::targets;
use super::views::{Member, MemberId, Move, Origin, PlaceId, Threads, View, ViewId, Views};
use crate::kernel::budget::{Budget, Pause};
use crate::kernel::step_table::{AnswerId, ErrorStep, LocalId, NumberedStep, SharedId, StepTable};

/// Views that are looked at for what threads take, once there is an alarm.
const MAX_VIEWS_BEYOND_ALARMS: usize = 2_000_000;

/// What the views do not exclude.
#[derive(Clone, Debug)]
pub enum Alarm {
    /// A thread of a view takes a step that is an error; or the environment does.
    Step(ViewId, ErrorStep),
    /// At a place there may be threads that fill all slots of a target.
    Target(usize, PlaceId, Vec<MemberId>),
    /// At a place there may be two threads that race.
    Race(PlaceId, [MemberId; 2]),
    /// A thread of a view may have more steps than the program says.
    Gap(String),
    /// There are more views than were looked at.
    Unfinished,
}

/// The views found so far, and what is left to be done.
pub struct Closure<'p> {
    /// The steps of the program.
    pub table: StepTable<'p>,
    /// The views.
    pub views: Views,
    /// Which threads are told apart.
    pub kinds: Kinds,
    /// What is exposed.
    pub classes: Classes,
    /// Did somebody move others?
    pub has_broadcasts: bool,
    /// May somebody have more steps than the program says?
    pub has_gaps: bool,
    n_expanded: usize,
}

/// A step of a thread, and whom it is seen with.
#[derive(Clone, Copy)]
struct Event {
    place: PlaceId,
    actor: Option<MemberId>,
    step: NumberedStep,
    origin: Origin,
}

impl<'p> Closure<'p> {
    /// The starts of `threads` threads, in views of `level` threads.
    ///
    /// # Errors
    /// No run starts with so many threads.
    pub fn new(
        mut table: StepTable<'p>,
        threads: ThreadCount,
        level: usize,
        mut classes: Classes,
    ) -> Result<Closure<'p>, StopReason> {
        let kinds = Kinds::new(table.program(), threads, level as u32)?;
        let mut views = Views::new(level);
        start::add_all(&mut table, &kinds, &mut classes, &mut views);
        Ok(Closure {
            table,
            views,
            kinds,
            classes,
            has_broadcasts: false,
            has_gaps: false,
            n_expanded: 0,
        })
    }

    /// Adds views until nothing is new, or something is wrong.
    ///
    /// # Errors
    /// The budget is spent, or a limit is reached.
    pub fn close(&mut self, budget: &mut Budget<'_>) -> Result<Option<Alarm>, Pause> {
        while self.n_expanded < self.views.all().len() {
            let view = ViewId(self.n_expanded as u32);
            self.n_expanded += 1;
            if let Some(alarm) = self.expand(view, budget)? {
                return Ok(Some(alarm));
            }
        }
        Ok(targets::find(self).or_else(|| races::find(self)))
    }

    /// Adds views without regard to what is wrong, until there are more than `max`. True if
    /// nothing is new.
    ///
    /// # Errors
    /// The budget is spent, or a limit is reached.
    pub fn scout(&mut self, max: usize, budget: &mut Budget<'_>) -> Result<bool, Pause> {
        while self.n_expanded < self.views.all().len() && self.views.all().len() <= max {
            let view = ViewId(self.n_expanded as u32);
            self.n_expanded += 1;
            let alarm = self.expand(view, budget)?;
            self.has_gaps |= matches!(alarm, Some(Alarm::Gap(_)));
        }
        Ok(self.n_expanded == self.views.all().len())
    }

    /// Goes on beyond alarms, to see who takes what.
    ///
    /// # Errors
    /// The budget is spent, or a limit is reached.
    pub fn takers(&mut self, budget: &mut Budget<'_>) -> Result<Takers, Pause> {
        if self.table.program().flow().is_none() {
            return Ok(Takers::default());
        }
        self.scout(MAX_VIEWS_BEYOND_ALARMS, budget)?;
        Ok(Takers::of(self))
    }

    /// What a thread can do, with the classes of all local stores that this leads to.
    fn ask(&mut self, shared: SharedId, actor: Option<LocalId>) -> AnswerId {
        let answer = self.table.ask(shared, actor);
        self.classes.learn(&self.table);
        answer
    }

    fn expand(&mut self, id: ViewId, budget: &mut Budget<'_>) -> Result<Option<Alarm>, Pause> {
        let n_views = self.views.all().len() as u64;
        budget.spend(1, &[("views", n_views)])?;
        let view = self.views.view(id);
        if let Some(alarm) = targets::at_once(self, id) {
            return Ok(Some(alarm));
        }
        if let Some(alarm) = self.environment(id, budget)? {
            return Ok(Some(alarm));
        }
        let mut last = None;
        for actor in view.threads.iter() {
            if last.replace(actor) == Some(actor) {
                continue;
            }
            if let Some(alarm) = self.own_steps(id, actor, budget)? {
                return Ok(Some(alarm));
            }
        }
        if view.threads.len() == self.views.level() {
            match self.views.level() {
                1 => self.follow_moves(id, budget)?,
                _ => self.stand_beside(id, budget)?,
            }
        }
        Ok(None)
    }

    fn environment(&mut self, id: ViewId, budget: &mut Budget<'_>) -> Result<Option<Alarm>, Pause> {
        let view = self.views.view(id);
        let answer = self.ask(self.views.place(view.place).shared, None);
        if let Some(why) = self.table.incomplete(answer) {
            return Ok(Some(Alarm::Gap(why.to_owned())));
        }
        if let Some(&error) = self.table.errors(answer).first() {
            return Ok(Some(Alarm::Step(id, error)));
        }
        for at in self.table.range(answer) {
            budget.spend(1, &[])?;
            let origin = Origin::Environment(id, at as u32);
            let step = *self.table.step(at);
            self.happen(Event { place: view.place, actor: None, step, origin }, view.threads);
        }
        Ok(None)
    }

    fn own_steps(
        &mut self,
        id: ViewId,
        actor: MemberId,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Alarm>, Pause> {
        let view = self.views.view(id);
        let Member { kind, local } = self.views.member(actor);
        let answer = self.ask(self.views.place(view.place).shared, Some(local));
        if let Some(why) = self.table.incomplete(answer) {
            return Ok(Some(Alarm::Gap(why.to_owned())));
        }
        if let Some(&error) = self.table.errors(answer).first() {
            return Ok(Some(Alarm::Step(id, error)));
        }
        let slot = view.threads.iter().position(|member| member == actor).unwrap_or(0);
        let others = view.threads.replaced(slot, None);
        for at in self.table.range(answer) {
            budget.spend(1, &[])?;
            let step = *self.table.step(at);
            let origin = Origin::Own(id, actor, at as u32);
            self.happen(Event { place: view.place, actor: Some(actor), step, origin }, others);
            if self.views.level() == 1 {
                let change = self.as_move(Member { kind, local }, &step);
                let is_seen = change.broadcast.is_some()
                    || change.to != self.views.place(view.place).shared
                    || self.counts_change(local, &step);
                if is_seen && self.views.add_move(view.place, change, (actor, at as u32)) {
                    self.move_others(view.place, actor, at, budget)?;
                }
            }
        }
        Ok(None)
    }

    /// Does the thread, with those that it creates, change how many are in a class?
    fn counts_change(&self, local: LocalId, step: &NumberedStep) -> bool {
        let after = step.after.map_or(0, |after| self.classes.of(after));
        let created = self.table.spawned(step).iter();
        after != self.classes.of(local)
            || created.fold(0, |all, &spawned| all | self.classes.of(spawned)) != 0
    }

    fn as_move(&self, actor: Member, step: &NumberedStep) -> Move {
        let mut enters = Counts::default();
        for &local in step.after.iter().chain(self.table.spawned(step)) {
            for class in (0..self.classes.len()).filter(|c| self.classes.of(local) >> c & 1 == 1) {
                enters = enters.with(class, enters.of(class) + 1);
            }
        }
        let leaves = self.classes.of(actor.local);
        Move { to: step.to, broadcast: step.broadcast, kind: actor.kind, leaves, enters }
    }

    /// Lets a new move happen to all views of one thread that were expanded before.
    fn move_others(
        &mut self,
        place: PlaceId,
        actor: MemberId,
        at: usize,
        budget: &mut Budget<'_>,
    ) -> Result<(), Pause> {
        for idx in 0.. {
            let Some(&id) = self.views.place(place).full.get(idx) else { break };
            if id.0 as usize >= self.n_expanded {
                break;
            }
            budget.spend(1, &[])?;
            self.other_step(id, actor, at);
        }
        Ok(())
    }

    /// Lets all moves that are known happen to a view of one thread.
    fn follow_moves(&mut self, id: ViewId, budget: &mut Budget<'_>) -> Result<(), Pause> {
        let place = self.views.view(id).place;
        for idx in 0.. {
            let Some(&(_, actor, at)) = self.views.place(place).moves.get(idx) else { break };
            budget.spend(1, &[])?;
            self.other_step(id, actor, at as usize);
        }
        Ok(())
    }

    /// Lets threads act beside a new view of several, and beside those views to which it
    /// shows that one of its threads may stand beside them: whether one more may be there is
    /// the same question for all.
    fn stand_beside(&mut self, id: ViewId, budget: &mut Budget<'_>) -> Result<(), Pause> {
        let view = self.views.view(id);
        for idx in 0.. {
            let Some(&other) = self.views.place(view.place).members.get(idx) else { break };
            budget.spend(1, &[])?;
            if !self.may_stand_beside(view.place, view.threads, other) {
                continue;
            }
            self.steps_beside(view.place, view.threads, other, budget)?;
            for (slot, actor) in view.threads.iter().enumerate() {
                let beside = view.threads.replaced(slot, Some(other));
                self.steps_beside(view.place, beside, actor, budget)?;
            }
        }
        Ok(())
    }

    fn steps_beside(
        &mut self,
        place: PlaceId,
        threads: Threads,
        actor: MemberId,
        budget: &mut Budget<'_>,
    ) -> Result<(), Pause> {
        let local = self.views.member(actor).local;
        let answer = self.ask(self.views.place(place).shared, Some(local));
        if self.table.range(answer).is_empty() {
            return Ok(());
        }
        let Some(id) = self.views.find(place, threads) else { return Ok(()) };
        for at in self.table.range(answer) {
            budget.spend(1, &[])?;
            self.other_step(id, actor, at);
        }
        Ok(())
    }

    /// Is each choice of as many threads, among those of a full view and one more, a view?
    fn may_stand_beside(&self, place: PlaceId, threads: Threads, actor: MemberId) -> bool {
        (0..threads.len())
            .all(|slot| self.views.contains(place, threads.replaced(slot, Some(actor))))
    }

    /// A thread beside a view takes a step, if there is room for it.
    fn other_step(&mut self, id: ViewId, actor: MemberId, at: usize) {
        let View { place, threads, .. } = self.views.view(id);
        let (step, origin) = (*self.table.step(at), Origin::Other(id, actor, at as u32));
        if self.kinds.are_all_one() && self.classes.len() == 0 && step.broadcast.is_none() {
            // The common case, without any allocation: only the shared store changes.
            let place = self.views.place_id(step.to, Counts::default());
            return self.views.add(place, threads, origin);
        }
        let together: Vec<MemberId> = threads.iter().chain([actor]).collect();
        if self.have_room(place, &together) {
            self.happen(Event { place, actor: Some(actor), step, origin }, threads);
        }
    }

    /// Do kinds and counts leave room for these threads at a place?
    pub fn have_room(&self, place: PlaceId, together: &[MemberId]) -> bool {
        let kind = |member: MemberId| self.views.member(member).kind;
        let fits = |member: &MemberId| {
            let own = kind(*member);
            let n_alike = together.iter().filter(|&&other| kind(other) == own).count();
            own == NO_KIND || n_alike as u32 <= self.kinds.cap(own)
        };
        let locals = self.views.locals(together.iter().copied());
        together.iter().all(fits) && self.classes.admit(self.views.place(place).counts, &locals)
    }

    /// Adds the views of what is after a step of `event.actor` while `others` stand by.
    fn happen(&mut self, event: Event, others: Threads) {
        self.has_broadcasts |= event.step.broadcast.is_some();
        let mut before = self.views.locals(others.iter());
        let ways = self.ways_to_stand_by(event.step.broadcast, &before);
        let kinds: Vec<u32> = others.iter().map(|m| self.views.member(m).kind).collect();
        before.extend(event.actor.map(|actor| self.views.member(actor).local));
        let own_kind = event.actor.map_or(NO_KIND, |actor| self.views.member(actor).kind);
        let spawned: Vec<LocalId> = self.table.spawned(&event.step).to_vec();
        for way in ways {
            let mut after: Vec<LocalId> = way.clone();
            after.extend(event.step.after.iter().chain(&spawned));
            let counts = self.views.place(event.place).counts;
            let moves_others = event.step.broadcast.is_some();
            let seen = Seen { before: &before, after: &after, moves_others };
            let all_counts = self.classes.after(counts, seen);
            let mut members: Vec<MemberId> = way
                .iter()
                .zip(&kinds)
                .map(|(&local, &kind)| self.views.member_id(kind, local))
                .collect();
            // What the stepping thread becomes is a matter of its own views.
            if !matches!(event.origin, Origin::Other(..)) {
                members.extend(event.step.after.map(|l| self.views.member_id(own_kind, l)));
                members.extend(spawned.iter().map(|&l| self.views.member_id(NO_KIND, l)));
            }
            for counts in all_counts {
                let place = self.views.place_id(event.step.to, counts);
                self.add_choices(place, &members, event.origin);
            }
        }
    }

    /// Adds each choice of as many threads as a view may have.
    fn add_choices(&mut self, place: PlaceId, members: &[MemberId], origin: Origin) {
        let level = self.views.level();
        if members.len() <= level {
            return self.views.add(place, Threads::new(members), origin);
        }
        let mut chosen: Vec<usize> = (0..level).collect();
        loop {
            let choice: Vec<MemberId> = chosen.iter().map(|&idx| members[idx]).collect();
            self.views.add(place, Threads::new(&choice), origin);
            let movable = (0..level).rev().find(|&i| chosen[i] + level - i < members.len());
            let Some(slot) = movable else { return };
            chosen[slot] += 1;
            for later in slot + 1..level {
                chosen[later] = chosen[later - 1] + 1;
            }
        }
    }

    /// Where threads may be after a step of another one.
    fn ways_to_stand_by(
        &mut self,
        broadcast: Option<BroadcastId>,
        locals: &[LocalId],
    ) -> Vec<Vec<LocalId>> {
        let Some(broadcast) = broadcast else { return vec![locals.to_vec()] };
        let mut ways = vec![Vec::new()];
        for &local in locals {
            let becomes = self.table.passive(broadcast, local);
            ways = ways
                .iter()
                .flat_map(|way: &Vec<LocalId>| {
                    becomes.iter().map(move |&to| way.iter().copied().chain([to]).collect())
                })
                .collect();
        }
        ways
    }
}
