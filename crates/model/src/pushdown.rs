//! The seam of threads with stacks: what one step does to the shared store and to the top of
//! a thread's stack.
//!
//! `T`, `T+` and `T-` of thread-modular checking. What lies below the top is a stack of
//! *frames*, each a caller that waits for its callee; a step looks at the topmost frame only
//! when it returns. So the steps over a stack without bound are a function over finitely many
//! stores, and engines can summarise calls.
//!
//! The *top* of a thread is its innermost procedure with its locals, and what a thread knows
//! wherever it is (which locks it holds, how many atomic sections are around it). The same
//! program with whole stacks as local stores is [`PushdownProgram::threads`], in which runs are
//! told and replayed.
//!
//! **Atomic sections.** While the top of one thread is atomic, no other thread steps.

use crate::narrator::LabelId;
use crate::rule::StepError;
use crate::store::Store;
use crate::thread_program::{Template, ThreadProgram};

/// A program whose threads have stacks of calls.
pub trait PushdownProgram: Sync {
    /// The shared stores a run may start in.
    fn initial_shared(&self) -> Vec<Store>;

    /// The threads at the start: the tops that they start with. Nothing is below.
    fn templates(&self) -> &[Template];

    /// Every step that a thread with this top can take and that looks at no frame.
    fn steps(&self, shared: &[u8], top: &[u8], out: &mut PushdownSteps);

    /// Every return that a thread with this top can take to `frame`, the caller right below;
    /// `None`: there is none, and the thread ends.
    fn returns(&self, shared: &[u8], top: &[u8], frame: Option<&[u8]>, out: &mut PushdownSteps);

    /// May a thread with this top return?
    fn is_returning(&self, top: &[u8]) -> bool;

    /// Does nobody else step while a thread has this top?
    fn is_atomic(&self, top: &[u8]) -> bool;

    /// The procedure that the thread started with, as a number. It stays the same.
    fn root(&self, top: &[u8]) -> u32;

    /// The place in the program, as a number.
    fn location(&self, top: &[u8]) -> u32;

    /// The number of shared variables.
    fn n_variables(&self) -> u32;

    /// The value of a shared variable.
    fn variable(&self, shared: &[u8], idx: u32) -> bool;

    /// The shared variables that some statement uses as a lock.
    fn locks(&self) -> Vec<u32>;

    /// What the shared variable is called.
    fn variable_name(&self, idx: u32) -> String;

    /// What the procedure with this number is called.
    fn root_name(&self, root: u32) -> String;

    /// What the place with this number is called.
    fn location_name(&self, location: u32) -> String;

    /// The same threads with whole stacks as local stores, without a bound on their depth.
    fn threads(&self) -> &dyn ThreadProgram;

    /// How many frames lie below the top in a local store of [`PushdownProgram::threads`].
    fn depth(&self, local: &[u8]) -> usize;
}

/// The steps that a [`PushdownProgram`] hands out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PushdownSteps {
    /// The steps.
    pub steps: Vec<PushdownStep>,
    /// Why more steps may exist than are listed.
    pub incomplete: Option<String>,
}

/// One step of a thread with a stack.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PushdownStep {
    /// The shared store after it.
    pub shared: Store,
    /// What becomes of the thread.
    pub end: StackChange,
    /// The thread that it creates.
    pub spawned: Option<NewThread>,
    /// What it is called.
    pub label: LabelId,
    /// The error that the step itself is; what becomes of the thread then says nothing.
    pub violation: Option<StepError>,
}

/// What a step does to the stack of its thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StackChange {
    /// It has another top. After a return, the frame below is gone.
    Top(Store),
    /// A call: the caller waits, and what is called is the top.
    Call {
        /// The new top.
        top: Store,
        /// The caller.
        frame: Store,
    },
    /// The thread has ended.
    Ended,
}

/// A new thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NewThread {
    /// With this top and nothing below.
    Fresh(Store),
    /// With this top, and a copy of what lies below the top of its creator.
    Copied(Store),
}

impl PushdownSteps {
    /// Forgets all steps.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.incomplete = None;
    }

    /// Says that there may be more steps, and why.
    pub fn set_incomplete(&mut self, why: impl Into<String>) {
        self.incomplete.get_or_insert_with(|| why.into());
    }
}
