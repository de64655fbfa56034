//! What an operation did that happens-before depends on, in the order in which it did it.
//!
//! Private memory is part of it: a write to an object that nobody else knows yet is ordered
//! before what others do only by what the thread releases after it, and not by being made
//! before the object is published.

use super::Memory;
use super::access::Location;
use super::footprint::AccessOrder;
use super::happens_before::{self, Event, Region, Subject, Touch};
use super::identity::ThreadIdentity;
use super::stores::ThreadStore;
use crate::code::MemoryOrder;
use crate::machine::{Error, Result, Rule, Stop};
use crate::value::Origin;

/// One thing that an operation did.
#[derive(Clone, Copy, Debug)]
pub(super) enum Deed {
    /// A thread, the running one or one that it has just made, accessed memory.
    Access(ThreadIdentity, Touch),
    /// It came to a fence.
    Fence(MemoryOrder),
    /// An object that it had to itself became shared: its old and its new number.
    Publish(u32, u32),
    /// An object that it had to itself is gone.
    Forget(u32),
    /// It started a thread.
    Start(ThreadIdentity),
}

impl Memory<'_> {
    /// Notes what the operation does, where happens-before is kept.
    pub(super) fn note(&mut self, deed: Deed) {
        if self.keeps_happens_before() {
            self.history.push(deed);
        }
    }

    /// Notes an access of the running thread.
    pub(super) fn note_access(
        &mut self,
        location: Location,
        (is_write, is_atomic): (bool, bool),
        how: AccessOrder,
    ) {
        let me = self.me();
        let object = match location.origin {
            Origin::Shared(number) => Subject::Shared(number),
            Origin::Private(number) => Subject::Private(me, number),
            _ => return,
        };
        let region = Region { object, at: location.at, len: location.len };
        self.note(Deed::Access(me, Touch { region, is_write, is_atomic, how }));
    }

    /// Notes that an object which only `owner` knows has begun to live: that is a write to
    /// all of it.
    pub(super) fn note_birth(&mut self, owner: ThreadIdentity, number: u32, size: u32) {
        let region = Region { object: Subject::Private(owner, number), at: 0, len: size.max(1) };
        let how = AccessOrder::ALL;
        let birth = Touch { region, is_write: true, is_atomic: false, how };
        self.note(Deed::Access(owner, birth));
    }

    /// Notes that a thread begins, with what it has to itself.
    pub fn note_thread_locals(&mut self, thread: &ThreadStore) {
        for (number, object) in thread.objects().iter() {
            self.note_birth(thread.identity(), number, object.size());
        }
    }

    /// The running thread comes to a fence.
    pub fn fence(&mut self, order: MemoryOrder) {
        self.note(Deed::Fence(order));
    }

    /// Notes what the operation orders, and looks whether one of its accesses races; `site`
    /// is where it stands.
    ///
    /// # Errors
    /// One races with an earlier access.
    pub(super) fn order_history(&mut self, site: u32) -> Result<()> {
        if self.history.is_empty() {
            return Ok(());
        }
        let me = self.me();
        let running: Vec<ThreadIdentity> =
            self.shared.threads().filter(|&thread| !self.shared.has_ended(thread)).collect();
        if running == [me] && self.shared.events.is_empty() {
            // Who is alone knows all there is to know.
            return Ok(());
        }
        let history = std::mem::take(&mut self.history);
        let mut events = std::mem::take(&mut self.shared.events);
        let mut race = None;
        for deed in &history {
            let found = self.order(&mut events, deed, site);
            let accepted = &self.options.accepted_races;
            let found = found.filter(|(earlier, later)| {
                !accepted.contains(&earlier.site) && !accepted.contains(&later.site)
            });
            race = race.or(found.map(|(earlier, later)| self.race(&earlier, &later)));
        }
        if !running.contains(&me) {
            happens_before::end(&mut events, me);
        }
        happens_before::tidy(&mut events, &running);
        self.shared.events = events;
        self.history = history;
        race.map_or(Ok(()), |error| Err(Stop::Error(error)))
    }

    /// One thing that the operation did; gives two accesses that race.
    fn order(&self, events: &mut Vec<Event>, deed: &Deed, site: u32) -> Option<(Event, Event)> {
        let me = self.me();
        match *deed {
            Deed::Access(by, mut touch) => {
                if self.is_unordered {
                    // A lock that could not be had orders nothing.
                    touch.how.order = MemoryOrder::RELAXED;
                }
                return happens_before::access(events, by, &touch, site);
            }
            Deed::Fence(order) => happens_before::fence(events, me, order),
            Deed::Publish(private, shared) => {
                happens_before::publish(events, Subject::Private(me, private), shared);
            }
            Deed::Forget(private) => {
                happens_before::forget(events, Subject::Private(me, private));
            }
            Deed::Start(child) => happens_before::start(events, me, child),
        }
        None
    }

    pub(super) fn race(&self, earlier: &Event, later: &Event) -> Error {
        let touches = [earlier.racing_touch(), later.racing_touch()];
        let name = self.name_of(Origin::Shared(touches[1].touch.object));
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
        Error { rule: Rule::Race, message, race: Some(Box::new(touches)), also: None }
    }
}
