//! What happens before what, by the rules of C11: orders of atomics, fences, locks,
//! starts and ends of threads.
//!
//! Clocks would count for ever, and no state would come back. Instead each access that
//! somebody may still race with is kept as an [`Event`], with all who know of it:
//! threads that it happens before, and places (atomics, locks, threads that ended) whose
//! next reader learns of it. An event that all running threads know of is forgotten,
//! since later threads are started by those. That says the same as clocks do, in
//! finitely many states.
//!
//! Sound for: data races in sequentially consistent runs. What weak memory adds in
//! reads is not run.

use super::object::Kind;
use super::state::Shared;
use super::stop::{Error, RacingTouch, Result, Rule, Stop};
use super::threads::ThreadField;
use super::touched::{Strength, Touch};
use super::{Machine, MemoryModel};
use crate::code::Order;
use crate::value::Origin;

/// Some bytes of a shared object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stretch {
    /// The object.
    pub object: u32,
    /// The first byte.
    pub at: u32,
    /// How many.
    pub len: u32,
}

/// Who knows that an access has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Knower {
    /// A thread: the access happens before whatever it does next.
    Thread(u32),
    /// A thread, once it comes to an acquire fence.
    AtAcquireFence(u32),
    /// Whoever learns of the next relaxed writes of a thread, by its last release fence.
    SinceReleaseFence(u32),
    /// Whoever acquires there, by a release sequence of this thread.
    Place(Stretch, u32),
}

/// An access that somebody may still race with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event {
    /// What was accessed.
    pub stretch: Stretch,
    /// Was it written?
    pub is_write: bool,
    /// Was it atomic?
    pub is_atomic: bool,
    /// Where in the source.
    pub site: u32,
    /// Who knows of it, in order.
    pub knowers: Vec<Knower>,
}

impl Stretch {
    fn overlaps(&self, other: &Stretch) -> bool {
        self.object == other.object
            && self.at < other.at + other.len
            && other.at < self.at + self.len
    }

    fn covers(&self, other: &Stretch) -> bool {
        self.object == other.object
            && self.at <= other.at
            && other.at + other.len <= self.at + self.len
    }
}

impl Event {
    fn knows(&self, knower: Knower) -> bool {
        self.knowers.binary_search(&knower).is_ok()
    }

    fn tell(&mut self, knower: Knower) {
        if let Err(idx) = self.knowers.binary_search(&knower) {
            self.knowers.insert(idx, knower);
        }
    }

    fn forget(&mut self, mut who: impl FnMut(&Knower) -> bool) {
        self.knowers.retain(|knower| !who(knower));
    }

    /// Is somebody who races with the older event sure to race with this one, or to be
    /// ordered after both? `me` makes this one.
    fn replaces(&self, older: &Event, me: u32) -> bool {
        older.knows(Knower::Thread(me))
            && self.stretch.covers(&older.stretch)
            && (self.is_write || !older.is_write)
            && (!self.is_atomic || older.is_atomic)
    }

    fn racing_touch(&self) -> RacingTouch {
        let Stretch { object, at, len } = self.stretch;
        let (is_write, is_atomic) = (self.is_write, self.is_atomic);
        RacingTouch { touch: Touch { object, at, len, is_write, is_atomic }, site: self.site }
    }

    fn conflicts(&self, other: &Event) -> bool {
        self.stretch.overlaps(&other.stretch)
            && (self.is_write || other.is_write)
            && !(self.is_atomic && other.is_atomic)
    }
}

/// Whoever `from` describes tells `to` all it knows.
fn pass_on(events: &mut [Event], from: impl Fn(&Knower) -> bool, to: Knower) {
    for event in events {
        if event.knowers.iter().any(&from) {
            event.tell(to);
        }
    }
}

/// A thread reads an atomic.
fn acquire(events: &mut [Event], me: u32, place: Stretch, order: Order) {
    let is_there =
        |knower: &Knower| matches!(knower, Knower::Place(there, _) if there.overlaps(&place));
    match order.acquires {
        true => pass_on(events, is_there, Knower::Thread(me)),
        false => pass_on(events, is_there, Knower::AtAcquireFence(me)),
    }
}

/// A thread writes an atomic. Release sequences of others end there, unless the old
/// value was read with it.
fn release(events: &mut [Event], me: u32, place: Stretch, strength: Strength) {
    if !strength.reads {
        let is_over = |knower: &Knower| matches!(knower, Knower::Place(there, head) if *head != me && place.covers(there));
        events.iter_mut().for_each(|event| event.forget(is_over));
    }
    let source = match strength.order.releases {
        true => Knower::Thread(me),
        false => Knower::SinceReleaseFence(me),
    };
    pass_on(events, |knower| *knower == source, Knower::Place(place, me));
}

/// One access of a thread: what it learns, whether it races, what it tells. Gives the
/// earlier access that it races with, and itself.
fn access(
    events: &mut Vec<Event>,
    me: u32,
    (touch, strength): (Touch, Strength),
    site: u32,
) -> Option<(Event, Event)> {
    let Touch { object, at, len, is_write, is_atomic } = touch;
    let stretch = Stretch { object, at, len };
    if is_atomic && strength.reads {
        acquire(events, me, stretch, strength.order);
    }
    let new = Event { stretch, is_write, is_atomic, site, knowers: vec![Knower::Thread(me)] };
    let races = |event: &&Event| event.conflicts(&new) && !event.knows(Knower::Thread(me));
    let race = events.iter().find(races).map(|other| (other.clone(), new.clone()));
    events.retain(|older| !new.replaces(older, me));
    events.push(new);
    if is_atomic && is_write {
        release(events, me, stretch, strength);
    }
    race
}

/// A thread comes to a fence.
fn fence(events: &mut [Event], me: u32, order: Order) {
    if order.acquires {
        let waits = Knower::AtAcquireFence(me);
        pass_on(events, |knower| *knower == waits, Knower::Thread(me));
        events.iter_mut().for_each(|event| event.forget(|knower| *knower == waits));
    }
    if order.releases {
        let knows = Knower::Thread(me);
        pass_on(events, |knower| *knower == knows, Knower::SinceReleaseFence(me));
    }
}

/// A thread has ended: who joins it will have learned from its object.
fn end(events: &mut [Event], me: u32) {
    for event in events.iter_mut() {
        event.forget(|knower| match knower {
            Knower::Thread(thread)
            | Knower::AtAcquireFence(thread)
            | Knower::SinceReleaseFence(thread) => *thread == me,
            Knower::Place(..) => false,
        });
        for knower in &mut event.knowers {
            if let Knower::Place(_, head) = knower
                && *head == me
            {
                *head = NOBODY;
            }
        }
        event.knowers.sort_unstable();
        event.knowers.dedup();
    }
}

/// The head of release sequences whose thread has ended.
const NOBODY: u32 = u32::MAX;

/// Forgets what all running threads know, and brings the rest into order.
fn tidy(events: &mut Vec<Event>, running: &[u32]) {
    events.retain(|event| !running.iter().all(|&thread| event.knows(Knower::Thread(thread))));
    events.sort_unstable();
    events.dedup();
}

/// Gives objects new numbers; what lies in objects that are gone is forgotten.
pub fn rename(events: &mut Vec<Event>, numbers: &[Option<u32>]) {
    let renamed = |number: u32| numbers.get(number as usize).copied().flatten();
    let renamed_stretch = |stretch: &mut Stretch| {
        stretch.object = renamed(stretch.object)?;
        Some(())
    };
    events.retain_mut(|event| {
        event.knowers.retain_mut(|knower| match knower {
            Knower::Thread(thread)
            | Knower::AtAcquireFence(thread)
            | Knower::SinceReleaseFence(thread) => {
                renamed(*thread).inspect(|new| *thread = *new).is_some()
            }
            Knower::Place(place, head) => {
                *head = renamed(*head).unwrap_or(NOBODY);
                renamed_stretch(place).is_some()
            }
        });
        event.knowers.sort_unstable();
        event.knowers.dedup();
        renamed_stretch(&mut event.stretch).is_some()
    });
    events.sort_unstable();
    events.dedup();
}

/// The numbers of the threads that have not ended.
fn running(shared: &Shared) -> Vec<u32> {
    let (at, _) = ThreadField::HasEnded.place();
    let numbered = (0u32..).zip(&shared.objects);
    let running = numbered.filter(|(_, object)| {
        let object = object.as_ref().filter(|object| object.kind == Kind::Thread);
        object.is_some_and(|object| object.bytes[at as usize] == 0)
    });
    running.map(|(number, _)| number).collect()
}

impl Machine<'_> {
    /// Notes what the accesses since `from` order, and looks whether one of them races;
    /// `site` is where the operation stands that made them.
    ///
    /// # Errors
    /// One races with an earlier access.
    pub(super) fn follow_order(&mut self, from: usize, site: u32) -> Result<()> {
        if self.options.memory_model != MemoryModel::HappensBefore {
            return Ok(());
        }
        let me = self.thread.me;
        let running = running(&self.shared);
        let mut events = std::mem::take(&mut self.shared.events);
        for shared in std::mem::take(&mut self.published) {
            let len = self.shared.object(shared).map_or(0, |object| object.bytes.len() as u32);
            let stretch = Stretch { object: shared, at: 0, len: len.max(1) };
            let knowers = vec![Knower::Thread(me)];
            events.push(Event { stretch, is_write: true, is_atomic: false, site, knowers });
        }
        let n_touches = self.touched.as_slice().len();
        let mut race = None;
        for idx in from.min(n_touches)..n_touches {
            let (touch, strength) = self.touched.with_strength(idx);
            if self.shared.object(touch.object).is_some_and(|object| object.kind != Kind::Symbol) {
                // Tried in vain, a lock orders nothing.
                let order = if self.is_relaxed { Order::RELAXED } else { strength.order };
                let strength = Strength { order, ..strength };
                let found = access(&mut events, me, (touch, strength), site);
                race = race.or(found.map(|(earlier, later)| self.race(&earlier, &later)));
            }
        }
        for child in &self.spawned[self.n_followed..] {
            pass_on(&mut events, |knower| *knower == Knower::Thread(me), Knower::Thread(child.me));
        }
        self.n_followed = self.spawned.len();
        if !running.contains(&me) {
            end(&mut events, me);
        }
        tidy(&mut events, &running);
        self.shared.events = events;
        race.map_or(Ok(()), |error| Err(Stop::Error(error)))
    }

    /// The running thread comes to a fence.
    pub(super) fn follow_fence(&mut self, order: Order) {
        if self.options.memory_model == MemoryModel::HappensBefore {
            fence(&mut self.shared.events, self.thread.me, order);
        }
    }

    fn race(&self, earlier: &Event, later: &Event) -> Error {
        let name = self.name_of(Origin::Shared(later.stretch.object));
        let verb = |event: &Event| if event.is_write { "written" } else { "read" };
        let atomically = |event: &Event| if event.is_atomic { " atomically" } else { "" };
        let line = self.code.places.get(earlier.site as usize).map_or(0, |place| place.line);
        let place = if line == 0 { String::new() } else { format!(" at line {line}") };
        let message = format!(
            "data race: {name} is {}{} here, and another thread has {} it{}{place}, which nothing \
             orders before this",
            verb(later),
            atomically(later),
            verb(earlier),
            atomically(earlier),
        );
        let race = Some(Box::new([earlier.racing_touch(), later.racing_touch()]));
        Error { rule: Rule::Race, message, race }
    }
}

#[cfg(test)]
mod clocks;

#[cfg(test)]
mod tests {
    use super::*;

    const X: Stretch = Stretch { object: 0, at: 0, len: 4 };
    const FLAG: Stretch = Stretch { object: 1, at: 0, len: 4 };
    const STORE: Strength = Strength { order: Order::TOTAL, reads: false };
    const RELAXED: Strength = Strength { order: Order::RELAXED, reads: false };

    fn written_by(thread: u32) -> Vec<Event> {
        let knowers = vec![Knower::Thread(thread)];
        vec![Event { stretch: X, is_write: true, is_atomic: false, site: 0, knowers }]
    }

    fn knows(events: &[Event], thread: u32) -> bool {
        events[0].knows(Knower::Thread(thread))
    }

    #[test]
    fn a_release_and_an_acquire_pass_knowledge_on() {
        let mut events = written_by(8);
        release(&mut events, 8, FLAG, STORE);
        acquire(&mut events, 9, FLAG, Order::TOTAL);
        assert!(knows(&events, 9));
    }

    #[test]
    fn a_relaxed_store_tells_nothing_without_a_fence_before_it() {
        let mut events = written_by(8);
        release(&mut events, 8, FLAG, RELAXED);
        acquire(&mut events, 9, FLAG, Order::TOTAL);
        assert!(!knows(&events, 9));
        fence(&mut events, 8, Order::TOTAL);
        release(&mut events, 8, FLAG, RELAXED);
        acquire(&mut events, 9, FLAG, Order::TOTAL);
        assert!(knows(&events, 9));
    }

    #[test]
    fn a_relaxed_load_learns_at_the_next_fence() {
        let mut events = written_by(8);
        release(&mut events, 8, FLAG, STORE);
        acquire(&mut events, 9, FLAG, Order::RELAXED);
        assert!(!knows(&events, 9));
        fence(&mut events, 9, Order::TOTAL);
        assert!(knows(&events, 9));
    }

    #[test]
    fn a_store_of_another_thread_ends_a_release_sequence_and_an_update_does_not() {
        let update = Strength { order: Order::RELAXED, reads: true };
        for (strength, goes_on) in [(update, true), (RELAXED, false)] {
            let mut events = written_by(7);
            release(&mut events, 7, FLAG, STORE);
            release(&mut events, 8, FLAG, strength);
            acquire(&mut events, 9, FLAG, Order::TOTAL);
            assert_eq!(knows(&events, 9), goes_on);
        }
    }

    #[test]
    fn a_later_store_of_the_same_thread_goes_on_with_its_release_sequence() {
        let mut events = written_by(7);
        release(&mut events, 7, FLAG, STORE);
        release(&mut events, 7, FLAG, RELAXED);
        acquire(&mut events, 9, FLAG, Order::TOTAL);
        assert!(knows(&events, 9));
    }

    #[test]
    fn what_all_running_threads_know_is_forgotten() {
        let mut events = written_by(7);
        release(&mut events, 7, FLAG, STORE);
        tidy(&mut events, &[7, 9]);
        assert_eq!(events.len(), 1);
        acquire(&mut events, 9, FLAG, Order::TOTAL);
        tidy(&mut events, &[7, 9]);
        assert!(events.is_empty());
    }

    #[test]
    fn a_thread_that_ended_is_known_by_its_object_only() {
        let mut events = written_by(7);
        release(&mut events, 7, FLAG, STORE);
        end(&mut events, 7);
        assert_eq!(events[0].knowers, [Knower::Place(FLAG, NOBODY)]);
    }

    #[test]
    fn renaming_forgets_what_lay_in_objects_that_are_gone() {
        let mut events = written_by(7);
        rename(&mut events, &[None, Some(0)]);
        assert!(events.is_empty());
    }
}
