//! The central seam: a thread's step is a function of the shared store and of
//! that thread's own local store, and of nothing else.
//!
//! LGFSM in Beacon, thread state in ECUT, `T` in thread-modular checking,
//! `pan_step(i)` in pancam. Front ends implement [`ThreadProgram`]; engines
//! compose it for a fixed number of threads, or count threads for any number.
//!
//! **Lazy.** Nothing is enumerated that no engine asked for: there is no list of
//! stores, only a function from two stores to the steps they allow.
//! **A step is visible.** It runs a thread from just before one visible action
//! (it reads or writes the shared store, blocks, spawns, ends, may fail) to just
//! before the next.

use crate::boolean_flow::BooleanFlow;
use crate::plan::Variant;
use crate::rule::StepError;
use crate::run_event::RunEvent;
use crate::source::Span;
use crate::steps::Steps;
use crate::store::Store;
use crate::trace::ThreadTrace;

/// The stores that a step leads to.
#[derive(Clone, Copy, Debug)]
pub struct StepEnd<'a> {
    /// The shared store.
    pub shared: &'a [u8],
    /// The thread's own; `None` if it has ended.
    pub local: Option<&'a [u8]>,
    /// Those of the threads that it created.
    pub spawned: &'a [Store],
}

/// A program that any number of threads run.
pub trait ThreadProgram: Sync {
    /// Which meaning of its input it is, where the front end knows several.
    fn variant(&self) -> Variant {
        Variant::AS_WRITTEN
    }

    /// The shared stores a run may start in; at least one.
    fn initial_shared(&self) -> Vec<Store>;

    /// The kinds of threads that exist at the start.
    fn templates(&self) -> &[Template];

    /// Every step that a thread in `local` can take while the shared store is
    /// `shared`, pushed to `out` in an order that depends on the arguments alone.
    /// No step means the thread is blocked or has nothing left to do.
    fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps);

    /// The same, but only steps to `end` are wanted: for programs whose steps can be too
    /// many to list. Whoever asks looks whether they lead there.
    fn steps_to(&self, shared: &[u8], local: &[u8], end: StepEnd<'_>, out: &mut Steps) {
        let _ = end;
        self.steps(shared, local, out);
    }

    /// Steps of the shared store that no thread takes (a stand-alone transfer in
    /// a thread transition system). They have no `local`.
    fn environment_steps(&self, shared: &[u8], out: &mut Steps) {
        let _ = (shared, out);
    }

    /// What a thread in `local` that does not itself step may become when
    /// `broadcast` happens: one of the stores pushed to `out`, of its own choice;
    /// pushing nothing means that it stays as it is.
    fn passive(&self, broadcast: BroadcastId, local: &[u8], out: &mut Vec<Store>) {
        let _ = (broadcast, local, out);
    }

    /// The error states, as patterns over a shared store and some threads.
    fn targets(&self) -> &[TargetShape];

    /// Does the shared store fit target `target`?
    fn target_shared(&self, target: usize, shared: &[u8]) -> bool;

    /// May a thread in `local` fill slot `slot` of target `target`?
    fn target_local(&self, target: usize, slot: usize, shared: &[u8], local: &[u8]) -> bool;

    /// What LTL formulas speak of, in the order of their propositions: patterns over
    /// a shared store and some threads, as targets are.
    fn propositions(&self) -> &[TargetShape] {
        &[]
    }

    /// Does the shared store fit proposition `proposition`?
    fn proposition_shared(&self, proposition: usize, shared: &[u8]) -> bool {
        let _ = (proposition, shared);
        false
    }

    /// May a thread in `local` fill slot `slot` of proposition `proposition`?
    fn proposition_local(&self, proposition: usize, slot: usize, local: &[u8]) -> bool {
        let _ = (proposition, slot, local);
        false
    }

    /// Pushes the objects that targets and propositions look at in `shared` to `out`,
    /// ascending: as long as nobody writes one of them, what they say stays the same.
    /// Asked only of programs that know the future of their threads.
    fn watched(&self, shared: &[u8], out: &mut Vec<u32>) {
        let _ = (shared, out);
    }

    /// The name of the user's abstraction, if there is one: then states that it takes for
    /// equal are looked at once, and nothing is proven where that left out a state.
    fn abstraction(&self) -> Option<&str> {
        None
    }

    /// Pushes what the abstraction makes of a state to `out`; the order of the threads
    /// does not matter.
    ///
    /// # Errors
    /// Why it cannot say, as a sentence without a full stop.
    fn abstract_state(
        &self,
        shared: &[u8],
        locals: &[&[u8]],
        out: &mut Vec<u8>,
    ) -> Result<(), String> {
        let _ = (shared, locals, out);
        Ok(())
    }

    /// Has the whole program ended in `shared`, though threads may be left?
    fn is_over(&self, shared: &[u8]) -> bool {
        let _ = shared;
        false
    }

    /// What is asked, one line each, for reports; empty where the targets say it all.
    fn questions(&self) -> Vec<String> {
        Vec::new()
    }

    /// Is it an error when no thread can step and all are blocked?
    fn forbids_deadlock(&self) -> bool {
        false
    }

    /// Is it an error when two threads can access one location next, one of them
    /// writing it and not both atomically? Known footprints say who can.
    fn forbids_races(&self) -> bool {
        false
    }

    /// What a thread in `local` waits for in `shared`; `None` if it is not blocked but
    /// has ended, or may rest for another reason.
    fn blocked(&self, shared: &[u8], local: &[u8]) -> Option<String> {
        let _ = (shared, local);
        None
    }

    /// Which thread a blocked thread needs: its own identity in the shared store, and
    /// that of the only thread whose steps can unblock it. A circle of such threads is
    /// a deadlock, whatever others do.
    fn waits_for(&self, shared: &[u8], local: &[u8]) -> Option<(u32, u32)> {
        let _ = (shared, local);
        None
    }

    /// A thread's own identity in the shared store, as [`ThreadProgram::waits_for`] tells
    /// it; `None` where threads have none.
    fn identity(&self, local: &[u8]) -> Option<u32> {
        let _ = local;
        None
    }

    /// The lock that a blocked thread waits for; `None` if it waits for something else.
    fn wanted_lock(&self, shared: &[u8], local: &[u8]) -> Option<Lock> {
        let _ = (shared, local);
        None
    }

    /// How often a lock is held: how many readers have it, or how often its owner took it.
    fn n_holds(&self, shared: &[u8], lock: Lock) -> u32 {
        let _ = (shared, lock);
        0
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

    /// What each step of a run of the program does, one thing after the other; nothing
    /// where that is not known.
    fn events(&self, trace: &ThreadTrace) -> Vec<Vec<RunEvent>> {
        let _ = trace;
        Vec::new()
    }

    /// Where in the input a thread in `local` goes on, whether it can or waits.
    fn position(&self, local: &[u8]) -> Option<Span> {
        let _ = local;
        None
    }

    /// How a location is called in reports, as a noun: "`counter`".
    fn describe_location(&self, shared: &[u8], access: Access) -> String {
        let _ = shared;
        format!("location {}", access.object)
    }

    /// Pushes the objects that a thread in `local` may touch from here on, as long as
    /// no other thread hands it more, to `out`, ascending; false if that is not known.
    /// A program that says so marks all steps that go back in a thread's code.
    fn future(&self, shared: &[u8], local: &[u8], out: &mut Vec<u32>) -> bool {
        let _ = (shared, local, out);
        false
    }

    /// Does the shared store have something that [`ThreadProgram::canonicalize`] might
    /// rename or collect?
    fn may_rename(&self, shared: &[u8]) -> bool {
        let _ = shared;
        false
    }

    /// Renames what may be renamed for a fixed set of threads (heap objects), so that
    /// equivalent states become equal; gives the new stores, the threads in the same
    /// order, or `None` if nothing changes. Engines for any number of threads never
    /// call it.
    fn canonicalize(&self, shared: &[u8], locals: &[&[u8]]) -> Option<(Store, Vec<Store>)> {
        let _ = (shared, locals);
        None
    }

    /// The program as a graph over Boolean variables, where it has one. Its stores are
    /// those of [`BooleanFlow::shared_store`] and [`BooleanFlow::local_store`].
    fn flow(&self) -> Option<&BooleanFlow> {
        None
    }

    /// The same program in the smallest steps that it has, where its own are larger: the
    /// edges of its flow. A run in small steps that ends in an error is one of the program.
    fn fine(&self) -> Option<&dyn ThreadProgram> {
        None
    }

    /// The label that a step named by `label` shows in a trace.
    fn label(&self, label: LabelId) -> StepLabel;

    /// A shared store as people read it.
    fn describe_shared(&self, shared: &[u8]) -> String;

    /// What a step changed in the shared store, as people read it; `None` where the
    /// whole stores before and after it say it as well.
    fn describe_change(&self, before: &[u8], after: &[u8]) -> Option<String> {
        let _ = (before, after);
        None
    }

    /// A local store as people read it.
    fn describe_local(&self, local: &[u8]) -> String;

    /// A local store as people read it who know the shared store as well: what points
    /// there can be named.
    fn describe_local_in(&self, shared: &[u8], local: &[u8]) -> String {
        let _ = shared;
        self.describe_local(local)
    }
}

/// A kind of thread: how many exist at the start, and where they start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Name for reports.
    pub name: String,
    /// Each thread of the template starts in one of these, of its own choice.
    pub initial: Vec<Store>,
    /// How many there are.
    pub multiplicity: Multiplicity,
}

/// How many threads of a template exist at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Multiplicity {
    /// Exactly this many.
    Exactly(u32),
    /// Any number, zero included.
    Any,
}

/// A pattern of error states: the shared store fits, and distinct threads fill
/// all slots. No slot: a predicate over the shared store. One: over a thread
/// state. Two: mutual exclusion, races.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetShape {
    /// Name for reports.
    pub name: String,
    /// For each slot, how many distinct threads must fit it.
    pub slots: Vec<u32>,
}

/// Names a kind of broadcast that [`ThreadProgram::passive`] understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BroadcastId(pub u32);

/// Names a step's label; [`ThreadProgram::label`] spells it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(pub u32);

/// An access to a part of the shared store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Access {
    /// The object that is accessed.
    pub object: u32,
    /// Its first part that is.
    pub at: u32,
    /// How many parts.
    pub len: u32,
    /// Is it written?
    pub is_write: bool,
    /// Can it not be half of a race?
    pub is_atomic: bool,
}

impl Access {
    /// Do two accesses depend on each other: a common part, and one writes it?
    pub fn conflicts(&self, other: &Access) -> bool {
        let overlaps = self.object == other.object
            && u64::from(self.at) < u64::from(other.at) + u64::from(other.len)
            && u64::from(other.at) < u64::from(self.at) + u64::from(self.len);
        overlaps && (self.is_write || other.is_write)
    }

    /// Are two accesses by different threads a race?
    pub fn races(&self, other: &Access) -> bool {
        self.conflicts(other) && !(self.is_atomic && other.is_atomic)
    }
}

/// An access, and what made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeAccess {
    /// The access.
    pub access: Access,
    /// What made it.
    pub label: StepLabel,
}

/// A lock: some parts of the shared store that only lock operations write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lock {
    /// The object that it lies in.
    pub object: u32,
    /// Its first part.
    pub at: u32,
    /// How many parts it has.
    pub len: u32,
}

impl Lock {
    /// Does an access change it?
    pub fn is_written_by(&self, access: &Access) -> bool {
        access.is_write && access.conflicts(&self.as_access())
    }

    /// A look at the whole of it.
    pub fn as_access(&self) -> Access {
        let Lock { object, at, len } = *self;
        Access { object, at, len, is_write: false, is_atomic: true }
    }
}

/// What a step is called in a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepLabel {
    /// The statement or transition, in the terms of the input.
    pub text: String,
    /// Where it stands.
    pub span: Option<Span>,
}
