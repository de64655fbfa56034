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
//!
//! A program says what steps exist; the rest are accessors. What every language has are
//! its [`Requirements`] and a [`Narrator`]; what only some have is `None` by default, and
//! an engine that needs it does without, or refuses.

use crate::blocking::Blocking;
use crate::boolean_flow::BooleanFlow;
use crate::narrator::Narrator;
use crate::plan::Variant;
use crate::pushdown::PushdownProgram;
use crate::reductions::{HeapSymmetry, Independence, MatchingAbstraction};
use crate::requirements::Requirements;
use crate::steps::Steps;
use crate::store::Store;

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

    /// Is the object that an access names in `shared`? Steps that make new objects give
    /// them numbers that are free there; steps of two threads may give the same number to
    /// two objects, which neither thread knows of the other's.
    fn has_object(&self, shared: &[u8], object: u32) -> bool {
        let _ = (shared, object);
        true
    }

    /// The locks that a thread in `local` holds, by names of their own: engines that tell
    /// threads apart by what they hold ask for them. It is a hint, and nothing rests on it.
    fn locks_held(&self, local: &[u8], out: &mut Vec<u64>) {
        let _ = (local, out);
    }

    /// Has the whole program ended in `shared`, though threads may be left?
    fn is_over(&self, shared: &[u8]) -> bool {
        let _ = shared;
        false
    }

    /// What is asked of it.
    fn requirements(&self) -> &dyn Requirements;

    /// How its stores and steps read to its user.
    fn narrator(&self) -> &dyn Narrator;

    /// What its blocked threads wait for; `None` where threads do not block.
    fn blocking(&self) -> Option<&dyn Blocking> {
        None
    }

    /// What its threads may touch in the future, where it knows.
    fn independence(&self) -> Option<&dyn Independence> {
        None
    }

    /// How to rename its shared objects, where names do not matter.
    fn heap_symmetry(&self) -> Option<&dyn HeapSymmetry> {
        None
    }

    /// The user's abstraction, if there is one.
    fn matching_abstraction(&self) -> Option<&dyn MatchingAbstraction> {
        None
    }

    /// The program as a graph over Boolean variables, where it has one. Its stores are
    /// those of [`BooleanFlow::shared_store`] and [`BooleanFlow::local_store`].
    fn flow(&self) -> Option<&BooleanFlow> {
        None
    }

    /// The same program with stacks of calls, where it calls itself and is followed to some
    /// depth only. Its errors are errors of the program, and it has all of them.
    fn pushdown(&self) -> Option<&dyn PushdownProgram> {
        None
    }

    /// The same program in the smallest steps that it has, where its own are larger: the
    /// edges of its flow. A run in small steps that ends in an error is one of the program.
    fn fine(&self) -> Option<&dyn ThreadProgram> {
        None
    }
}

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

/// Names a kind of broadcast that [`ThreadProgram::passive`] understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BroadcastId(pub u32);
