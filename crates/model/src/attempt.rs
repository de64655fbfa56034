//! Attempts: the ways in which a stage of a plan is searched, their bounds, and when one is
//! repeated with a larger bound.
//!
//! How many threads exist at once is not known beforehand, nor how many context switches an
//! error needs. A search therefore starts with a small bound; where its verdict is open
//! because of that bound, the attempt is made again with a larger one
//! ([`Attempt::wider`]). `verify` repeats attempts; engines search once.
//!
//! **Ends.** A bound only grows, up to its last value.
//! **Source** of the growing bound on context switches: Musuvathi and Qadeer, "Iterative
//! Context Bounding for Systematic Testing of Multithreaded Programs", PLDI 2007.

use crate::omission::Omission;
use crate::plan::StageId;
use crate::question::ThreadCount;
use crate::verdict::{StopReason, Verdict};

/// Slots that a search for spawning threads goes up to: so many for each thread at
/// the start, and at least so many in all.
const MOST_SLOTS_PER_THREAD: u32 = 4;
const MIN_MOST_SLOTS: u32 = 64;

/// One way to search a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// A search of everything within these bounds.
    Search(SearchBounds),
    /// Random runs: they find errors and prove nothing.
    RandomRuns,
    /// Each thread alone, for any number of threads.
    ThreadByThread,
    /// A search of few threads, where there may be any number: finds errors and proves nothing.
    FewThreads,
    /// The run into an error that an earlier stage has found of its variant, as far as it can
    /// be followed: finds errors and proves nothing.
    Follow,
}

/// What a search leaves out. Without a bound, limits alone end it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchBounds {
    /// States that are stored before the search is given up.
    pub max_states: Option<u64>,
    /// Threads that a state has room for, in engines that represent each thread. Without a
    /// bound, as many as there are at the start.
    pub slots: Option<GrowingBound>,
    /// Pre-emptive context switches that a run may have.
    pub switches: Option<GrowingBound>,
    /// Are switches counted between supersteps, where there is a choice? Such a search has
    /// fewer states, and leaves out runs that need one more switch that way.
    pub between_supersteps: bool,
}

/// A bound that is raised while verdicts are open because of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrowingBound {
    first: u32,
    now: u32,
    last: u32,
}

impl GrowingBound {
    /// A bound that starts at `first` and is never raised above `last`.
    pub const fn new(first: u32, last: u32) -> GrowingBound {
        let last = if last < first { first } else { last };
        GrowingBound { first, now: first, last }
    }

    /// What it is raised from.
    pub const fn first(self) -> u32 {
        self.first
    }

    /// Its value in this attempt.
    pub const fn now(self) -> u32 {
        self.now
    }

    /// What it may be raised to.
    pub const fn last(self) -> u32 {
        self.last
    }

    /// Could it be raised further?
    pub const fn can_grow(self) -> bool {
        self.now < self.last
    }

    /// Raised to `to`, or as far as it may be. `None` if it is as large already.
    fn raised(self, to: u32) -> Option<GrowingBound> {
        let now = to.min(self.last);
        (now > self.now).then_some(GrowingBound { now, ..self })
    }

    fn restarted(self) -> GrowingBound {
        GrowingBound { now: self.first, ..self }
    }
}

impl SearchBounds {
    /// Everything; where threads are spawned, slots are added as they are needed.
    pub const fn everything(threads: ThreadCount) -> SearchBounds {
        let slots = match threads {
            ThreadCount::Exactly(n) => {
                let most = n.saturating_mul(MOST_SLOTS_PER_THREAD);
                let most = if most < MIN_MOST_SLOTS { MIN_MOST_SLOTS } else { most };
                Some(GrowingBound::new(n, most))
            }
            ThreadCount::Any | ThreadCount::AsGiven => None,
        };
        SearchBounds { max_states: None, slots, switches: None, between_supersteps: false }
    }

    /// The same, given up after so many states.
    pub const fn first_states(self, max_states: u64) -> SearchBounds {
        SearchBounds { max_states: Some(max_states), ..self }
    }

    /// The same for runs with few pre-emptive context switches between supersteps: most
    /// errors need few.
    pub const fn few_switches(self, switches: GrowingBound) -> SearchBounds {
        SearchBounds { switches: Some(switches), between_supersteps: true, ..self }
    }

    /// The same with at least the slots that another search was found to need.
    #[must_use]
    pub fn with_slots_of(self, other: &SearchBounds) -> SearchBounds {
        let raised = self.slots.zip(other.slots).and_then(|(own, other)| own.raised(other.now));
        SearchBounds { slots: raised.or(self.slots), ..self }
    }

    /// The bounds with which the search is made again after `verdict`, if it is open because
    /// of one that can grow. Slots are doubled; switches are added one at a time, and their
    /// searches begin with few slots, since they may find an error before more are needed.
    pub fn wider(&self, verdict: &Verdict) -> Option<SearchBounds> {
        let Verdict::Unknown(StopReason::UnderApproximated { omitted }) = verdict else {
            return None;
        };
        if omitted.iter().any(|omission| matches!(omission, Omission::Threads { .. })) {
            let slots = self.slots?;
            let slots = slots.raised(slots.now.saturating_mul(2).max(2))?;
            return Some(SearchBounds { slots: Some(slots), ..*self });
        }
        // What comes first in their order would be left out with more switches as well.
        let Some(Omission::ContextSwitches { .. }) = omitted.iter().next() else { return None };
        let switches = self.switches?;
        let switches = switches.raised(switches.now.saturating_add(1))?;
        let slots = self.slots.map(GrowingBound::restarted);
        Some(SearchBounds { slots, switches: Some(switches), ..*self })
    }
}

impl Attempt {
    /// The attempt that follows this one after `verdict`, with a larger bound.
    pub fn wider(&self, verdict: &Verdict) -> Option<Attempt> {
        match self {
            Attempt::Search(bounds) => bounds.wider(verdict).map(Attempt::Search),
            Attempt::RandomRuns
            | Attempt::ThreadByThread
            | Attempt::FewThreads
            | Attempt::Follow => None,
        }
    }
}

/// A stage that was searched, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedStage {
    /// The stage.
    pub stage: StageId,
    /// The attempts that were made, in order.
    pub tried: Vec<TriedAttempt>,
}

/// An attempt that was made, with its bounds as they were then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriedAttempt {
    /// What was tried.
    pub attempt: Attempt,
    /// What came of it.
    pub end: AttemptEnd,
}

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttemptEnd {
    /// A proof.
    Holds,
    /// An error.
    Violated,
    /// No verdict, for this reason.
    Open(StopReason),
    /// Random runs met no error.
    NothingFound,
}

impl AttemptEnd {
    /// The end of an attempt that has this verdict.
    pub fn of(verdict: &Verdict) -> AttemptEnd {
        match verdict {
            Verdict::Holds(_) => AttemptEnd::Holds,
            Verdict::Violated(_) => AttemptEnd::Violated,
            Verdict::Unknown(reason) => AttemptEnd::Open(reason.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{GrowingBound, SearchBounds};
    use crate::omission::{Omission, Omissions};
    use crate::question::ThreadCount;
    use crate::verdict::{StopReason, Verdict};

    fn open(omitted: &[Omission]) -> Verdict {
        let mut all = Omissions::default();
        omitted.iter().for_each(|omission| all.add(omission));
        Verdict::Unknown(StopReason::UnderApproximated { omitted: all })
    }

    const NO_SLOT: Omission = Omission::Threads { room: 1 };
    const NO_SWITCH: Omission = Omission::ContextSwitches { bound: 0, between_supersteps: false };

    #[test]
    fn slots_are_doubled_up_to_the_last() {
        let mut bounds = SearchBounds::everything(ThreadCount::Exactly(0));
        let mut slots = Vec::new();
        while let Some(wider) = bounds.wider(&open(&[NO_SLOT])) {
            bounds = wider;
            slots.extend(bounds.slots.map(GrowingBound::now));
        }
        assert_eq!(slots, [2, 4, 8, 16, 32, 64]);
        let many = SearchBounds::everything(ThreadCount::Exactly(100));
        assert_eq!(many.slots, Some(GrowingBound::new(100, 400)));
        assert_eq!(SearchBounds::everything(ThreadCount::Any).slots, None);
    }

    #[test]
    fn a_bound_grows_only_if_the_verdict_is_open_because_of_it() {
        let bounds = SearchBounds {
            switches: Some(GrowingBound::new(0, 1)),
            ..SearchBounds::everything(ThreadCount::Exactly(1))
        };
        assert_eq!(bounds.wider(&Verdict::Unknown(StopReason::TimeLimit)), None);
        assert_eq!(bounds.wider(&open(&[Omission::Depth { bound: 3 }])), None);
        let unknown = Omission::UnknownSteps { why: "a test".into() };
        assert_eq!(bounds.wider(&open(&[unknown, NO_SWITCH])), None);
        let more_slots = bounds.wider(&open(&[NO_SWITCH, NO_SLOT])).expect("slots grow first");
        assert_eq!(more_slots.slots.map(GrowingBound::now), Some(2));
        assert_eq!(more_slots.switches, bounds.switches);
        let more_switches = more_slots.wider(&open(&[NO_SWITCH])).expect("switches grow");
        assert_eq!(more_switches.switches.map(GrowingBound::now), Some(1));
        assert_eq!(more_switches.slots, bounds.slots, "slots start again");
        assert_eq!(more_switches.wider(&open(&[NO_SWITCH])), None, "it was the last bound");
    }

    #[test]
    fn a_later_search_keeps_the_slots_that_were_needed() {
        let bounds = SearchBounds::everything(ThreadCount::Exactly(1));
        let grown = bounds.wider(&open(&[NO_SLOT])).expect("it grows");
        assert_eq!(bounds.with_slots_of(&grown).slots, grown.slots);
        assert_eq!(grown.with_slots_of(&bounds).slots, grown.slots);
    }
}
