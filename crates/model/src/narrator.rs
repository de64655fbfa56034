//! How stores, steps and runs of a thread program read to its user.
//!
//! For reports only: no answer depends on it.

use crate::access::Access;
use crate::rule::StepError;
use crate::run_event::RunEvent;
use crate::source::Span;
use crate::trace::ThreadTrace;

/// Puts stores, steps and runs in the terms of the input.
pub trait Narrator: Sync {
    /// The label that a step named by `label` shows in a trace.
    fn label(&self, label: LabelId) -> StepLabel;

    /// Does the program create the threads that there may be any number of? Then verdicts
    /// speak of those, and not of the threads that it starts with.
    fn creates_any_number(&self) -> bool {
        false
    }

    /// A lock that [`crate::ThreadProgram::locks_held`] names.
    fn describe_lock(&self, lock: u64) -> String {
        format!("lock {lock}")
    }

    /// A shared store.
    fn describe_shared(&self, shared: &[u8]) -> String;

    /// A local store.
    fn describe_local(&self, local: &[u8]) -> String;

    /// A local store beside its shared store: what points there can be named.
    fn describe_local_in(&self, shared: &[u8], local: &[u8]) -> String {
        let _ = shared;
        self.describe_local(local)
    }

    /// What a step changed in the shared store; `None` where the whole stores before and
    /// after it say it as well.
    fn describe_change(&self, before: &[u8], after: &[u8]) -> Option<String> {
        let _ = (before, after);
        None
    }

    /// The name of a location, as a noun: "`counter`".
    fn describe_location(&self, shared: &[u8], access: Access) -> String {
        let _ = shared;
        format!("location {}", access.object)
    }

    /// Where in the input a thread in `local` continues, whether it can or is blocked.
    fn position(&self, local: &[u8]) -> Option<Span> {
        let _ = local;
        None
    }

    /// What makes an access that is in the footprint of a step of the thread; `None`
    /// where the label of the step says enough.
    fn access_label(&self, shared: &[u8], local: &[u8], access: Access) -> Option<StepLabel> {
        let _ = (shared, local, access);
        None
    }

    /// The two accesses of the data race that a step of the thread itself is, the earlier
    /// one first; `None` where the step with this error is no race.
    fn race_of_step(
        &self,
        shared: &[u8],
        local: &[u8],
        error: &StepError,
    ) -> Option<[MadeAccess; 2]> {
        let _ = (shared, local, error);
        None
    }

    /// What each step of a run of the program does, one event after the other; empty
    /// where that is not known.
    fn events(&self, trace: &ThreadTrace) -> Vec<Vec<RunEvent>> {
        let _ = trace;
        Vec::new()
    }
}

/// Names a step's label; [`Narrator::label`] spells it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(pub u32);

/// What a step is called in a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepLabel {
    /// The statement or transition, in the terms of the input.
    pub text: String,
    /// Where it stands.
    pub span: Option<Span>,
}

/// An access, and what made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeAccess {
    /// The access.
    pub access: Access,
    /// What made it.
    pub label: StepLabel,
}
