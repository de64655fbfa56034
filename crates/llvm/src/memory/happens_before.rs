//! Data races by C11's happens-before relation: orders of atomics, fences, locks, starts
//! and ends of threads.
//!
//! The textbook algorithm keeps a vector clock for each thread and each location; clocks
//! count for ever, so no state would ever come back. Instead each access that somebody may
//! still race with is kept as an [`Event`], with the [`Clock`]s that have reached it. An
//! event that the clocks of all running threads have reached is forgotten, since later
//! threads are started by those. That says the same as vector clocks do, in finitely many
//! states.
//!
//! Accesses to memory that only one thread knows are kept as well: if it is published later,
//! they are ordered by what the thread released after them, and not by the publication. They
//! name the object by its owner ([`Subject`]), and the owner's steps keep the names up to
//! date.
//!
//! **Answers** data races, with both accesses. **Sound for** sequentially consistent
//! executions: what weak memory adds in values read is not executed. Exact: a race is
//! reported in an execution if and only if two conflicting accesses of it are not ordered.
//! **Source** happens-before as in C11 5.1.2.4 (release sequences as there, not as in
//! C++20); vector clocks as in Flanagan and Freund, *FastTrack*, PLDI 2009, and for
//! fences Lidbury and Donaldson, *Dynamic race detection for C++11*, POPL 2017. We differ:
//! (1) sets of clocks per access in place of clocks that count; (2) an access is forgotten
//! when a later one of a thread that knows of it makes it redundant ([`Event::replaces`]);
//! (3) plain accesses side by side that nothing tells apart are one ([`Event::absorb`]).
//! `vector_clocks.rs` compares both on random executions.

use model::Access;

use super::footprint::AccessOrder;
use super::identity::ThreadIdentity;
use crate::code::MemoryOrder;
use crate::machine::RacingTouch;

/// An object, by a name that means the same to all threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Subject {
    /// A shared one.
    Shared(u32),
    /// One that a thread has to itself.
    Private(ThreadIdentity, u32),
}

/// Some bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Region {
    /// The object.
    pub object: Subject,
    /// The first byte.
    pub at: u32,
    /// How many.
    pub len: u32,
}

/// A clock of the textbook algorithm. An event lists those that have reached it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Clock {
    /// A thread's: the event happens before whatever the thread does next.
    Thread(ThreadIdentity),
    /// What a thread learns at its next acquire fence, from relaxed reads before it.
    AcquireFence(ThreadIdentity),
    /// What a thread knew at its last release fence, and its relaxed writes pass on.
    ReleaseFence(ThreadIdentity),
    /// What is learned by acquiring there: a release sequence that this thread heads.
    Release(Region, ThreadIdentity),
}

/// An access as it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Touch {
    /// What is accessed.
    pub region: Region,
    /// Is it written?
    pub is_write: bool,
    /// Is it atomic?
    pub is_atomic: bool,
    /// What it orders, if it is atomic.
    pub how: AccessOrder,
}

/// An access that somebody may still race with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Event {
    /// What was accessed.
    pub region: Region,
    /// Was it written?
    pub is_write: bool,
    /// Was it atomic?
    pub is_atomic: bool,
    /// Where in the source.
    pub site: u32,
    /// The clocks that have reached it, in order.
    pub clocks: Vec<Clock>,
}

impl Region {
    fn overlaps(&self, other: &Region) -> bool {
        self.object == other.object
            && self.at < other.at + other.len
            && other.at < self.at + self.len
    }

    fn covers(&self, other: &Region) -> bool {
        self.object == other.object
            && self.at <= other.at
            && other.at + other.len <= self.at + self.len
    }
}

impl Event {
    /// An access of a thread that has just happened.
    fn new(touch: &Touch, site: u32, me: ThreadIdentity) -> Event {
        let Touch { region, is_write, is_atomic, .. } = *touch;
        Event { region, is_write, is_atomic, site, clocks: vec![Clock::Thread(me)] }
    }

    fn is_reached_by(&self, clock: Clock) -> bool {
        self.clocks.binary_search(&clock).is_ok()
    }

    fn reach(&mut self, clock: Clock) {
        if let Err(idx) = self.clocks.binary_search(&clock) {
            self.clocks.insert(idx, clock);
        }
    }

    fn forget(&mut self, mut which: impl FnMut(&Clock) -> bool) {
        self.clocks.retain(|clock| !which(clock));
    }

    /// Is somebody who races with the older event sure to race with this one, or to be
    /// ordered after both? `me` makes this one.
    fn replaces(&self, older: &Event, me: ThreadIdentity) -> bool {
        older.is_reached_by(Clock::Thread(me))
            && self.region.covers(&older.region)
            && (self.is_write || !older.is_write)
            && (!self.is_atomic || older.is_atomic)
    }

    /// Takes in an access that has just happened beside this one, if nothing tells them
    /// apart but where they lie.
    fn absorb(&mut self, new: &Event) -> bool {
        let (old, next) = (self.region, new.region);
        let (end, next_end) = (old.at + old.len, next.at + next.len);
        let is_alike = !new.is_atomic
            && old.object == next.object
            && old.at <= next_end
            && next.at <= end
            && (self.is_write, self.is_atomic, self.site, &self.clocks)
                == (new.is_write, new.is_atomic, new.site, &new.clocks);
        if is_alike {
            self.region.at = old.at.min(next.at);
            self.region.len = end.max(next_end) - self.region.at;
        }
        is_alike
    }

    /// For messages; what races is shared.
    pub fn racing_touch(&self) -> RacingTouch {
        let Region { object, at, len } = self.region;
        let object = match object {
            Subject::Shared(number) | Subject::Private(_, number) => number,
        };
        let (is_write, is_atomic) = (self.is_write, self.is_atomic);
        RacingTouch { touch: Access { object, at, len, is_write, is_atomic }, site: self.site }
    }

    fn conflicts(&self, other: &Event) -> bool {
        self.region.overlaps(&other.region)
            && (self.is_write || other.is_write)
            && !(self.is_atomic && other.is_atomic)
    }
}

/// Joins clocks into the clock `to`.
fn join(events: &mut [Event], from: impl Fn(&Clock) -> bool, to: Clock) {
    for event in events {
        if event.clocks.iter().any(&from) {
            event.reach(to);
        }
    }
}

/// A thread reads an atomic.
fn acquire(events: &mut [Event], me: ThreadIdentity, region: Region, order: MemoryOrder) {
    let is_released_there =
        |clock: &Clock| matches!(clock, Clock::Release(there, _) if there.overlaps(&region));
    match order.acquires {
        true => join(events, is_released_there, Clock::Thread(me)),
        false => join(events, is_released_there, Clock::AcquireFence(me)),
    }
}

/// A thread writes an atomic. Release sequences of others end there, unless the old
/// value was read with it.
fn release(events: &mut [Event], me: ThreadIdentity, region: Region, how: AccessOrder) {
    if !how.reads {
        let is_over = |clock: &Clock| matches!(clock, Clock::Release(there, head) if *head != me && region.covers(there));
        events.iter_mut().for_each(|event| event.forget(is_over));
    }
    let source = match how.order.releases {
        true => Clock::Thread(me),
        false => Clock::ReleaseFence(me),
    };
    join(events, |clock| *clock == source, Clock::Release(region, me));
}

/// One access of a thread: what it acquires, whether it races, what it releases. Gives the
/// earlier access that it races with, and itself.
pub(super) fn access(
    events: &mut Vec<Event>,
    me: ThreadIdentity,
    touch: &Touch,
    site: u32,
) -> Option<(Event, Event)> {
    let new = Event::new(touch, site, me);
    let Touch { region, how, .. } = *touch;
    if touch.is_atomic && how.reads {
        acquire(events, me, region, how.order);
    }
    let race = unordered(events, me, touch, site);
    events.retain(|older| !new.replaces(older, me));
    if !events.iter_mut().any(|older| older.absorb(&new)) {
        events.push(new);
    }
    if touch.is_atomic && touch.is_write {
        release(events, me, region, how);
    }
    race
}

/// An earlier access that one of a thread conflicts with and that does not happen before it;
/// with that access itself.
pub(super) fn unordered(
    events: &[Event],
    me: ThreadIdentity,
    touch: &Touch,
    site: u32,
) -> Option<(Event, Event)> {
    let new = Event::new(touch, site, me);
    let races = |event: &&Event| event.conflicts(&new) && !event.is_reached_by(Clock::Thread(me));
    events.iter().find(races).map(|earlier| (earlier.clone(), new))
}

/// A thread has started another one, which knows what it knows.
pub(super) fn start(events: &mut [Event], me: ThreadIdentity, child: ThreadIdentity) {
    join(events, |clock| *clock == Clock::Thread(me), Clock::Thread(child));
}

/// A thread comes to a fence.
pub(super) fn fence(events: &mut [Event], me: ThreadIdentity, order: MemoryOrder) {
    if order.acquires {
        let pending = Clock::AcquireFence(me);
        join(events, |clock| *clock == pending, Clock::Thread(me));
        events.iter_mut().for_each(|event| event.forget(|clock| *clock == pending));
    }
    if order.releases {
        let mine = Clock::Thread(me);
        join(events, |clock| *clock == mine, Clock::ReleaseFence(me));
    }
}

/// A thread has ended: who joins it will have learned from its object, and what it had to
/// itself is gone.
pub(super) fn end(events: &mut Vec<Event>, me: ThreadIdentity) {
    rename(events, |subject| match subject {
        Subject::Private(owner, _) if owner == me => None,
        _ => Some(subject),
    });
    for event in events.iter_mut() {
        event.forget(|clock| match clock {
            Clock::Thread(thread) | Clock::AcquireFence(thread) | Clock::ReleaseFence(thread) => {
                *thread == me
            }
            Clock::Release(..) => false,
        });
        for clock in &mut event.clocks {
            if let Clock::Release(_, head) = clock
                && *head == me
            {
                *head = NOBODY;
            }
        }
        event.clocks.sort_unstable();
        event.clocks.dedup();
    }
}

/// The head of release sequences whose thread has ended.
const NOBODY: ThreadIdentity = ThreadIdentity::NOBODY;

/// Forgets what all running threads know, and brings the rest into order.
pub(super) fn tidy(events: &mut Vec<Event>, running: &[ThreadIdentity]) {
    events
        .retain(|event| !running.iter().all(|&thread| event.is_reached_by(Clock::Thread(thread))));
    events.sort_unstable();
    events.dedup();
}

/// Gives objects new names; what lies in those that have none is forgotten.
fn rename(events: &mut Vec<Event>, name: impl Fn(Subject) -> Option<Subject>) {
    let moves =
        |region: &mut Region| name(region.object).inspect(|new| region.object = *new).is_some();
    events.retain_mut(|event| {
        event.clocks.retain_mut(|clock| match clock {
            Clock::Release(region, _) => moves(region),
            _ => true,
        });
        event.clocks.sort_unstable();
        event.clocks.dedup();
        moves(&mut event.region)
    });
    events.sort_unstable();
    events.dedup();
}

/// An object that a thread had to itself has become shared.
pub(super) fn publish(events: &mut Vec<Event>, private: Subject, shared: u32) {
    rename(events, |subject| {
        Some(if subject == private { Subject::Shared(shared) } else { subject })
    });
}

/// An object is gone.
pub(super) fn forget(events: &mut Vec<Event>, gone: Subject) {
    rename(events, |subject| (subject != gone).then_some(subject));
}

/// Gives the objects that a thread has to itself new numbers; those without are gone.
pub(super) fn renumber_private(
    events: &mut Vec<Event>,
    me: ThreadIdentity,
    number: impl Fn(u32) -> Option<u32>,
) {
    rename(events, |subject| match subject {
        Subject::Private(owner, old) if owner == me => {
            number(old).map(|new| Subject::Private(me, new))
        }
        _ => Some(subject),
    });
}

/// Gives shared objects new numbers; what lies in objects that are gone is forgotten.
pub(super) fn renumber(events: &mut Vec<Event>, numbers: &[Option<u32>]) {
    let renumbered = |number: u32| numbers.get(number as usize).copied().flatten();
    for event in events.iter_mut() {
        event.clocks.retain_mut(|clock| match clock {
            Clock::Thread(thread) | Clock::AcquireFence(thread) | Clock::ReleaseFence(thread) => {
                let new = renumbered(thread.number()).map(ThreadIdentity::of_object);
                new.inspect(|new| *thread = *new).is_some()
            }
            Clock::Release(_, head) => {
                *head = renumbered(head.number()).map_or(NOBODY, ThreadIdentity::of_object);
                true
            }
        });
    }
    rename(events, |subject| match subject {
        Subject::Shared(number) => renumbered(number).map(Subject::Shared),
        Subject::Private(owner, number) => {
            let owner = renumbered(owner.number()).map(ThreadIdentity::of_object);
            owner.map(|owner| Subject::Private(owner, number))
        }
    });
}

#[cfg(test)]
mod vector_clocks;

#[cfg(test)]
mod tests {
    use super::*;

    const X: Region = Region { object: Subject::Shared(0), at: 0, len: 4 };
    const FLAG: Region = Region { object: Subject::Shared(1), at: 0, len: 4 };
    const STORE: AccessOrder = AccessOrder { order: MemoryOrder::SEQ_CST, reads: false };
    const RELAXED: AccessOrder = AccessOrder { order: MemoryOrder::RELAXED, reads: false };

    fn thread(number: u32) -> ThreadIdentity {
        ThreadIdentity::of_object(number)
    }

    fn plain_write(region: Region) -> Touch {
        Touch { region, is_write: true, is_atomic: false, how: AccessOrder::ALL }
    }

    fn written_by(number: u32) -> Vec<Event> {
        vec![Event::new(&plain_write(X), 0, thread(number))]
    }

    fn knows(events: &[Event], number: u32) -> bool {
        events[0].is_reached_by(Clock::Thread(thread(number)))
    }

    #[test]
    fn a_release_and_an_acquire_pass_knowledge_on() {
        let mut events = written_by(8);
        release(&mut events, thread(8), FLAG, STORE);
        acquire(&mut events, thread(9), FLAG, MemoryOrder::SEQ_CST);
        assert!(knows(&events, 9));
    }

    #[test]
    fn a_relaxed_store_releases_nothing_without_a_fence_before_it() {
        let mut events = written_by(8);
        release(&mut events, thread(8), FLAG, RELAXED);
        acquire(&mut events, thread(9), FLAG, MemoryOrder::SEQ_CST);
        assert!(!knows(&events, 9));
        fence(&mut events, thread(8), MemoryOrder::SEQ_CST);
        release(&mut events, thread(8), FLAG, RELAXED);
        acquire(&mut events, thread(9), FLAG, MemoryOrder::SEQ_CST);
        assert!(knows(&events, 9));
    }

    #[test]
    fn a_relaxed_load_acquires_at_the_next_fence() {
        let mut events = written_by(8);
        release(&mut events, thread(8), FLAG, STORE);
        acquire(&mut events, thread(9), FLAG, MemoryOrder::RELAXED);
        assert!(!knows(&events, 9));
        fence(&mut events, thread(9), MemoryOrder::SEQ_CST);
        assert!(knows(&events, 9));
    }

    #[test]
    fn a_store_of_another_thread_ends_a_release_sequence_and_an_update_does_not() {
        let update = AccessOrder { order: MemoryOrder::RELAXED, reads: true };
        for (how, goes_on) in [(update, true), (RELAXED, false)] {
            let mut events = written_by(7);
            release(&mut events, thread(7), FLAG, STORE);
            release(&mut events, thread(8), FLAG, how);
            acquire(&mut events, thread(9), FLAG, MemoryOrder::SEQ_CST);
            assert_eq!(knows(&events, 9), goes_on);
        }
    }

    #[test]
    fn a_later_store_of_the_same_thread_goes_on_with_its_release_sequence() {
        let mut events = written_by(7);
        release(&mut events, thread(7), FLAG, STORE);
        release(&mut events, thread(7), FLAG, RELAXED);
        acquire(&mut events, thread(9), FLAG, MemoryOrder::SEQ_CST);
        assert!(knows(&events, 9));
    }

    #[test]
    fn what_all_running_threads_know_is_forgotten() {
        let mut events = written_by(7);
        release(&mut events, thread(7), FLAG, STORE);
        tidy(&mut events, &[thread(7), thread(9)]);
        assert_eq!(events.len(), 1);
        acquire(&mut events, thread(9), FLAG, MemoryOrder::SEQ_CST);
        tidy(&mut events, &[thread(7), thread(9)]);
        assert!(events.is_empty());
    }

    #[test]
    fn a_thread_that_ended_is_known_by_its_object_only() {
        let mut events = written_by(7);
        release(&mut events, thread(7), FLAG, STORE);
        end(&mut events, thread(7));
        assert_eq!(events[0].clocks, [Clock::Release(FLAG, NOBODY)]);
    }

    #[test]
    fn renumbering_forgets_what_lay_in_objects_that_are_gone() {
        let mut events = written_by(7);
        renumber(&mut events, &[None, Some(0)]);
        assert!(events.is_empty());
    }
}
