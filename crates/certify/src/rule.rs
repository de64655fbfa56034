//! What one step does to a configuration, for steps of threads and of nets alike.

use model::{Bounds, ControlId, CounterId, LabelId, Move};

use crate::reach::Reach;

/// One step, as `model::CounterTransition` defines it, with one addition: `held`.
///
/// It is enabled in `from` when all guarded counters are within bounds. One token
/// of `held`, the thread that steps, is then taken away; the guard asks for it.
/// All others in moved counters leave, each for one of the destinations; then
/// `delta` is added, and no counter may become negative.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub origin: Origin,
    pub from: ControlId,
    pub to: ControlId,
    /// Sorted, none empty.
    pub guard: Vec<(CounterId, Bounds)>,
    /// A moved counter: a broadcast does not move the thread that sends it.
    pub held: Option<CounterId>,
    /// Sorted by source; destinations sorted.
    pub moves: Vec<Move>,
    /// Sorted, no zeros.
    pub delta: Vec<(CounterId, i64)>,
}

/// Where a rule comes from, for messages.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// A transition of a counter system, by index.
    Transition(usize),
    /// A step of a thread program.
    Step(LabelId),
}

impl Rule {
    /// What the guard says of `counter`.
    pub(crate) fn guard_of(&self, counter: CounterId) -> Bounds {
        match self.guard.binary_search_by_key(&counter, |entry| entry.0) {
            Ok(idx) => self.guard[idx].1,
            Err(_) => Bounds::at_least(0),
        }
    }

    /// What is added to `counter` at the end.
    pub(crate) fn delta_of(&self, counter: CounterId) -> i64 {
        match self.delta.binary_search_by_key(&counter, |entry| entry.0) {
            Ok(idx) => self.delta[idx].1,
            Err(_) => 0,
        }
    }

    /// The destinations of the tokens of `counter`, if they move.
    pub(crate) fn destinations(&self, counter: CounterId) -> Option<&[CounterId]> {
        let idx = self.moves.binary_search_by_key(&counter, |entry| entry.from).ok()?;
        Some(&self.moves[idx].to)
    }

    /// May tokens move into `counter`?
    pub(crate) fn is_destination(&self, counter: CounterId) -> bool {
        self.moves.iter().any(|entry| entry.to.binary_search(&counter).is_ok())
    }

    /// How many tokens of `counter` are held back from moving.
    pub(crate) fn held_of(&self, counter: CounterId) -> u32 {
        u32::from(self.held == Some(counter))
    }

    /// How many tokens of the moved counter `counter` move, at least and at most.
    pub(crate) fn moving(&self, counter: CounterId) -> Bounds {
        let guard = self.guard_of(counter);
        let held = self.held_of(counter);
        Bounds {
            min: guard.min.saturating_sub(held),
            max: guard.max.map(|max| max.saturating_sub(held)),
        }
    }

    /// The rule without what cannot matter within `reach`; `None` if it cannot
    /// fire there at all.
    pub(crate) fn fit(mut self, reach: &Reach) -> Option<Rule> {
        let from = self.from;
        if !reach.has_control(from) || self.guard.iter().any(|entry| entry.1.is_empty()) {
            return None;
        }
        if self.guard.iter().any(|&(c, bounds)| bounds.min > 0 && !reach.contains(from, c)) {
            return None;
        }
        self.guard.retain(|entry| reach.contains(from, entry.0));
        self.moves.retain(|entry| reach.contains(from, entry.from));
        let can_lose = |counter| {
            let stays = self.destinations(counter).is_none() && reach.contains(from, counter);
            stays || self.is_destination(counter)
        };
        self.delta.iter().all(|&(c, change)| change >= 0 || can_lose(c)).then_some(self)
    }
}
