//! The steps that a `ThreadProgram` hands out, in a buffer that is used again and again.

use std::ops::Range;

use crate::access::Access;
use crate::narrator::LabelId;
use crate::rule::{Rule, StepErrorRef};
use crate::thread_program::BroadcastId;

/// What a step touches of the shared store. Never less than the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Footprint<'a> {
    /// The front end cannot say: reductions then do nothing, and there are no races.
    Everything,
    /// Nothing but these.
    Known(&'a [Access]),
}

/// One step, as a front end hands it to [`Steps::push`].
#[derive(Clone, Copy, Debug)]
pub struct StepParts<'a> {
    /// The shared store after the step.
    pub shared: &'a [u8],
    /// The thread's local store after the step; `None` when the thread has ended
    /// (and in environment steps, which no thread takes).
    pub local: Option<&'a [u8]>,
    /// The local stores of the threads that the step creates.
    pub spawned: &'a [&'a [u8]],
    /// What it does to all other threads.
    pub broadcast: Option<BroadcastId>,
    /// What it touches.
    pub footprint: Footprint<'a>,
    /// What it is called.
    pub label: LabelId,
    /// The error that the step itself is (a failed assertion, a memory error).
    pub violation: Option<StepErrorRef<'a>>,
}

/// A reusable buffer of steps: one allocation serves a whole search.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    bytes: Vec<u8>,
    spawned: Vec<Range<usize>>,
    accesses: Vec<Access>,
    entries: Vec<Entry>,
    incomplete: Option<String>,
    in_vain: Vec<Access>,
    /// Did all ways that came to nothing end in a false assumption?
    assumed: Option<bool>,
}

#[derive(Clone, Debug)]
struct Entry {
    shared: Range<usize>,
    local: Option<Range<usize>>,
    spawned: Range<usize>,
    broadcast: Option<BroadcastId>,
    footprint: Option<Range<usize>>,
    label: LabelId,
    violation: Option<(Rule, Range<usize>)>,
    is_spurious: bool,
    goes_back: bool,
}

impl Steps {
    /// An empty buffer.
    pub fn new() -> Steps {
        Steps::default()
    }

    /// Forgets all steps and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.spawned.clear();
        self.accesses.clear();
        self.entries.clear();
        self.incomplete = None;
        self.in_vain.clear();
        self.assumed = None;
    }

    /// Adds one step.
    pub fn push(&mut self, step: StepParts<'_>) {
        let shared = self.keep(step.shared);
        let local = step.local.map(|local| self.keep(local));
        let first_spawned = self.spawned.len();
        for local in step.spawned {
            let range = self.keep(local);
            self.spawned.push(range);
        }
        let footprint = match step.footprint {
            Footprint::Everything => None,
            Footprint::Known(accesses) => {
                let start = self.accesses.len();
                self.accesses.extend_from_slice(accesses);
                Some(start..self.accesses.len())
            }
        };
        let violation =
            step.violation.map(|error| (error.rule, self.keep(error.message.as_bytes())));
        self.entries.push(Entry {
            shared,
            local,
            spawned: first_spawned..self.spawned.len(),
            broadcast: step.broadcast,
            footprint,
            label: step.label,
            violation,
            is_spurious: false,
            goes_back: false,
        });
    }

    /// Takes back the steps for which `is_kept` says no, by their numbers.
    pub fn retain(&mut self, is_kept: impl Fn(usize) -> bool) {
        let mut idx = 0;
        self.entries.retain(|_| {
            idx += 1;
            is_kept(idx - 1)
        });
    }

    /// Says of the last step that it may as well never happen, so that nobody can
    /// rely on it: with such steps alone, a state is a deadlock.
    pub fn mark_spurious(&mut self) {
        if let Some(entry) = self.entries.last_mut() {
            entry.is_spurious = true;
        }
    }

    /// Says of the last step that the thread goes back in its code, so that it may come
    /// by again.
    pub fn mark_going_back(&mut self) {
        if let Some(entry) = self.entries.last_mut() {
            entry.goes_back = true;
        }
    }

    /// Adds what the thread touches on ways that come to nothing (it is blocked, or an
    /// assumption is false): others can race with that, and can change what comes of it.
    pub fn touch_in_vain(&mut self, accesses: &[Access]) {
        self.in_vain.extend_from_slice(accesses);
    }

    /// What the thread touches on ways that come to nothing.
    pub fn in_vain(&self) -> &[Access] {
        &self.in_vain
    }

    /// Says why a way comes to nothing: an assumption is false, or else it is blocked.
    pub fn end_way(&mut self, is_assumption: bool) {
        let others = self.assumed.unwrap_or(true);
        self.assumed = Some(others && is_assumption);
    }

    /// Has the thread no step because an assumption of the program is false? Then no
    /// run goes on for ever without it.
    pub fn is_assumed_away(&self) -> bool {
        self.entries.is_empty() && self.assumed == Some(true)
    }

    /// Says that there may be more steps than these, and why: nothing is proven then.
    pub fn set_incomplete(&mut self, why: impl Into<String>) {
        self.incomplete.get_or_insert_with(|| why.into());
    }

    /// Why there may be more steps.
    pub fn incomplete(&self) -> Option<&str> {
        self.incomplete.as_deref()
    }

    /// Number of steps.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Is there no step?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The steps, in the order they were pushed.
    pub fn iter(&self) -> impl Iterator<Item = StepRef<'_>> {
        self.entries.iter().map(|entry| StepRef { steps: self, entry })
    }

    fn keep(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        start..self.bytes.len()
    }
}

/// One step in a [`Steps`] buffer.
#[derive(Clone, Copy, Debug)]
pub struct StepRef<'a> {
    steps: &'a Steps,
    entry: &'a Entry,
}

impl<'a> StepRef<'a> {
    /// The shared store after the step.
    pub fn shared(&self) -> &'a [u8] {
        &self.steps.bytes[self.entry.shared.clone()]
    }

    /// The thread's local store after the step; `None` when it has ended.
    pub fn local(&self) -> Option<&'a [u8]> {
        self.entry.local.clone().map(|range| &self.steps.bytes[range])
    }

    /// The local stores of the threads it creates.
    pub fn spawned(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let steps = self.steps;
        steps.spawned[self.entry.spawned.clone()]
            .iter()
            .map(move |range| &steps.bytes[range.clone()])
    }

    /// What it does to all other threads.
    pub fn broadcast(&self) -> Option<BroadcastId> {
        self.entry.broadcast
    }

    /// What it touches.
    pub fn footprint(&self) -> Footprint<'a> {
        match &self.entry.footprint {
            None => Footprint::Everything,
            Some(accesses) => Footprint::Known(&self.steps.accesses[accesses.clone()]),
        }
    }

    /// What it is called.
    pub fn label(&self) -> LabelId {
        self.entry.label
    }

    /// May it as well never happen?
    pub fn is_spurious(&self) -> bool {
        self.entry.is_spurious
    }

    /// Does the thread go back in its code?
    pub fn goes_back(&self) -> bool {
        self.entry.goes_back
    }

    /// The error that the step itself is.
    pub fn violation(&self) -> Option<StepErrorRef<'a>> {
        let (rule, range) = self.entry.violation.clone()?;
        let message = std::str::from_utf8(&self.steps.bytes[range]).expect("pushed from a &str");
        Some(StepErrorRef { rule, message })
    }
}

#[cfg(test)]
mod tests {
    use super::{Footprint, StepParts, Steps};
    use crate::access::Access;
    use crate::narrator::LabelId;
    use crate::rule::{Rule, StepErrorRef};
    use crate::thread_program::BroadcastId;

    #[test]
    fn a_step_comes_back_as_it_was_pushed_after_the_buffer_is_reused() {
        let mut steps = Steps::new();
        let error = StepErrorRef { rule: Rule::MemoryLeak, message: "assertion" };
        let access = Access { object: 1, at: 0, len: 4, is_write: true, is_atomic: false };
        for _ in 0..2 {
            steps.clear();
            steps.push(StepParts {
                shared: &[1, 2],
                local: None,
                spawned: &[&[7], &[8, 9]],
                broadcast: Some(BroadcastId(3)),
                footprint: Footprint::Known(&[access]),
                label: LabelId(4),
                violation: Some(error),
            });
        }
        assert_eq!(steps.len(), 1);
        let step = steps.iter().next().expect("one step was pushed");
        assert_eq!(step.shared(), &[1, 2]);
        assert_eq!(step.local(), None);
        assert_eq!(step.spawned().collect::<Vec<_>>(), vec![&[7][..], &[8, 9][..]]);
        assert_eq!(step.broadcast(), Some(BroadcastId(3)));
        assert_eq!(step.footprint(), Footprint::Known(&[access]));
        assert_eq!(step.violation(), Some(error));
    }
}
