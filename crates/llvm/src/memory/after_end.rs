//! Decides whether an access to memory that is no more is a data race as well.
//!
//! The end of an object is a write to all of it (`lifetime.rs`). Whoever uses the object
//! afterwards breaks memory safety; if nothing orders the two, they race besides, which is
//! what counts where only data races are asked about.
//!
//! **Sound for** sequentially consistent executions in which happens-before is kept. Without
//! it races are found between steps that stand side by side, and this module says nothing.

use super::Memory;
use super::access::{AccessMode, Location};
use super::happens_before::{self, Region, Subject, Touch};
use crate::machine::{Error, Stop};
use crate::value::Origin;

impl Memory<'_> {
    /// What an operation breaks that accesses a dead object; `stop` says it for those who ask
    /// about memory safety.
    pub(super) fn after_end(&self, stop: Stop, location: Location, mode: AccessMode) -> Stop {
        match stop {
            Stop::Error(error) => {
                let race = self.race_with_end(location, mode).map(Box::new);
                Stop::Error(Error { also: race, ..error })
            }
            other => other,
        }
    }

    /// What an operation breaks that ends the life of an object once more.
    pub fn after_end_of_all(&self, stop: Stop, origin: Origin) -> Stop {
        let len = self.object(origin).map_or(0, |object| object.size()).max(1);
        self.after_end(stop, Location { origin, at: 0, len }, AccessMode::PLAIN_WRITE)
    }

    fn race_with_end(&self, location: Location, mode: AccessMode) -> Option<Error> {
        let Location { origin: Origin::Shared(number), at, len } = location else { return None };
        let region = Region { object: Subject::Shared(number), at, len: len.max(1) };
        let AccessMode { is_write, is_atomic, order } = mode;
        let touch = Touch { region, is_write, is_atomic, how: order };
        let (function, pc) = self.position();
        let body = self.code.functions.get(function as usize)?.body.as_ref()?;
        let site = body.ops.get(pc as usize)?.place;
        let accepted = &self.options.accepted_races;
        let earlier = happens_before::unordered(&self.shared.events, self.me(), &touch, site)
            .filter(|(earlier, later)| {
                !accepted.contains(&earlier.site) && !accepted.contains(&later.site)
            });
        earlier.map(|(earlier, later)| self.race(&earlier, &later))
    }
}
