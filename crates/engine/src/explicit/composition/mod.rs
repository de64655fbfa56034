//! Parallel composition: a fixed number of threads of a thread program as a transition
//! system, by interleaving.
//!
//! A state is the number of the shared store, and for each slot the number of the
//! local store of the thread in it, or zero. Numbers are hashes of what the stores
//! contain (`stores.rs`), so that equal runs have equal words in every search.
//!
//! **Symmetry.** Steps depend on local stores alone, not on who has them: all slots
//! are one scalarset. Which thread an actor is gets lost with it, so fairness of
//! threads needs a search without symmetry.
//! **Properties** are invariants: no target of the program is reached, and where it
//! asks so, there is no deadlock and no race. A step that is itself an error is a fault.
//! **Names.** Where a program has objects that can be renamed, every successor is
//! renamed to a canonical form; [`Composition::thread_trace`] undoes that.
//! **Spawning** takes free slots. A step that finds too few does not happen, and its
//! omission is recorded: nothing is proven then, and the plan may try more slots
//! (`model::attempt`). Nor is anything proven when the program says that there may be more
//! steps than it knows.
//! **Reductions.** Interleavings that show nothing new are left out by ample sets
//! (`ample.rs`) or supersteps (`superstep.rs`). If the user wants it, so are runs with many
//! context switches (`turns.rs`) and states that match others (`matching.rs`): then nothing
//! is proven.
//! **Sound for** targets, errors of steps, deadlocks and data races of exactly this many
//! threads at the start. **Ends** if the program has finitely many stores.
//! **Source** `pan_step(i)` of pancam, Zaks and Joshi, SPIN 2008: the shared store and the
//! stores of all threads are the state, and a step is one of one thread. We differ: stores
//! are interned, and steps are remembered by the two stores that they depend on.
//! **Read first** `stores.rs`, `known.rs`, then `stepper.rs`.

mod ample;
mod asked;
mod known;
mod matching;
mod population;
pub mod random_runs;
mod rename;
mod stepper;
mod stores;
mod superstep;
mod targets;
mod thread_trace;
mod turns;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use model::symmetry::{CodeSegment, IndexSegment, Placed, Scalarset, ScalarsetId, Shape};
use model::{
    Choice, ChoiceLabel, Context, Deadlock, Fairness, Field, GrowingBound, HeapSymmetry, Limits,
    MatchingAbstraction, Outcome, Property, Requirements, Scope, StateProblem, Stepper, StopReason,
    Store, Symmetry, ThreadProgram, Trace, TransitionSystem, Verdict,
};

use super::{Reduction, SearchOptions};
use asked::Asked;
use stepper::ThreadStepper;
use stores::{NUMBER_BITS, Stores};

/// What is said of a run that cannot be reported. None is known.
const UNTOLD: &str = "an error was found, but its run is not one of threads";

/// Slots that a choice has room to name.
const MAX_SLOTS: u32 = 1000;

/// Threads of a program, as a transition system.
pub struct Composition<'a> {
    program: &'a dyn ThreadProgram,
    /// Parts of the program that are needed for every successor.
    heap_symmetry: Option<&'a dyn HeapSymmetry>,
    abstraction: Option<&'a dyn MatchingAbstraction>,
    n_threads: u32,
    n_slots: u32,
    asked: Vec<Asked>,
    properties: Vec<Property>,
    symmetry: Symmetry,
    stores: Stores,
    /// Is there no use in going on once a step was cut?
    ends_when_cut: bool,
    reduction: Reduction,
    /// Do targets or propositions depend on local stores?
    sees_locals: bool,
    /// Pre-emptive context switches that a run may have.
    max_switches: Option<u32>,
    /// Is it a step that nobody goes on, where all steps may as well never happen? The
    /// place of turns says then that it was taken.
    rests: bool,
    /// The first states that were met, by what the user's abstraction makes of them.
    met: Mutex<matching::MatchedStates>,
    renamed: AtomicBool,
    /// Did a run come to its end?
    completed: AtomicBool,
}

/// Searches all states of `n_threads` threads, those of templates with a fixed multiplicity
/// included, within the bounds of `options`. The answer is in terms of threads.
pub fn check_threads(
    program: &dyn ThreadProgram,
    n_threads: u32,
    options: &SearchOptions,
    context: Context<'_>,
) -> Outcome {
    let (mut options, mut limits) = (*options, context.limits.clone());
    if program.matching_abstraction().is_some() {
        options.symmetry = false;
        limits.jobs = 1;
    }
    let (options, context) = (&options, context.within(&limits));
    let decided = in_terms_of_threads(program, n_threads, options.slots, |composition| {
        composition.reduction = match options.reduction {
            // Ample sets preserve neither the number of steps nor that of switches.
            Reduction::AmpleSets if options.max_depth.is_some() => Reduction::Off,
            Reduction::AmpleSets if options.max_switches.is_some() => Reduction::Off,
            Reduction::Supersteps if options.max_depth.is_some() => Reduction::Off,
            reduction => reduction,
        };
        composition.bound_switches(options.max_switches);
        // The search itself ends, once it has seen what few threads do.
        composition.ends_when_cut = false;
        let composition = &*composition;
        let problem = StateProblem {
            system: composition,
            deadlock: Deadlock::Off,
            formula: None,
            fairness: Fairness::default(),
        };
        super::check(&problem, options, context)
    });
    decided.unwrap_or_else(super::verdict::of_no_search)
}

/// What `decide` says of `n_threads` threads in so many slots, in terms of threads.
///
/// # Errors
/// There is no such composition.
pub(crate) fn in_terms_of_threads(
    program: &dyn ThreadProgram,
    n_threads: u32,
    slots: Option<GrowingBound>,
    decide: impl Fn(&mut Composition<'_>) -> Outcome,
) -> Result<Outcome, StopReason> {
    let n_slots = slots.map_or(n_threads, GrowingBound::now);
    let mut composition = Composition::with_slots(program, n_threads, n_slots)?;
    composition.ends_when_cut = slots.is_some_and(GrowingBound::can_grow);
    let mut outcome = decide(&mut composition);
    outcome.verdict = composition.told_of_threads(outcome.verdict);
    outcome.notes.extend(composition.endless_note(&outcome.verdict));
    outcome.statistics.extend(composition.figures());
    Ok(outcome)
}

impl<'a> Composition<'a> {
    /// `n_threads` threads at the start, and no more at any time.
    ///
    /// # Errors
    /// The program has no such start, or there are too many threads.
    pub fn new(
        program: &'a dyn ThreadProgram,
        n_threads: u32,
    ) -> Result<Composition<'a>, StopReason> {
        Composition::with_slots(program, n_threads, n_threads)
    }

    /// `n_threads` threads at the start, at most `n_slots` at any time.
    ///
    /// # Errors
    /// The program has no such start, or there are too many slots.
    pub fn with_slots(
        program: &'a dyn ThreadProgram,
        n_threads: u32,
        n_slots: u32,
    ) -> Result<Composition<'a>, StopReason> {
        if n_slots > MAX_SLOTS {
            let construct = format!("more than {MAX_SLOTS} threads");
            return Err(StopReason::Unsupported { construct, span: None });
        }
        population::check(program, n_threads)?;
        let requirements = program.requirements();
        if requirements.forbids_deadlock() && program.blocking().is_none() {
            let construct = "deadlocks of a program that does not say who is blocked".to_owned();
            return Err(StopReason::Unsupported { construct, span: None });
        }
        let asked = Asked::of(requirements);
        Ok(Composition {
            program,
            heap_symmetry: program.heap_symmetry(),
            abstraction: program.matching_abstraction(),
            n_threads,
            n_slots: n_slots.max(n_threads),
            properties: asked.iter().map(|asked| asked.property(requirements)).collect(),
            asked,
            symmetry: interchangeable(n_slots.max(n_threads)),
            stores: Stores::default(),
            ends_when_cut: false,
            reduction: Reduction::Off,
            sees_locals: sees_locals(requirements),
            max_switches: None,
            rests: false,
            met: Mutex::default(),
            renamed: AtomicBool::new(false),
            completed: AtomicBool::new(false),
        })
    }

    /// Prepares for formulas about runs.
    pub(crate) fn look_at_runs(&mut self, reduction: Reduction) {
        self.reduction = reduction;
        self.rests = true;
    }

    /// Leaves out runs with more pre-emptive context switches than this.
    fn bound_switches(&mut self, max_switches: Option<u32>) {
        self.max_switches = max_switches;
        if max_switches.is_some() {
            let codes = CodeSegment { first: 1, scalarset: ScalarsetId(0) };
            let slot = Shape::Value { bits: turns::SLOT_BITS, segments: vec![codes] };
            let bit = NUMBER_BITS * self.turn_place();
            self.symmetry.state.push(Placed { bit, shape: slot });
        }
    }

    /// Where it stands in a state whose turn it was, if switches are bounded.
    fn turn_place(&self) -> u32 {
        self.n_slots + 1
    }

    /// What the search had room for.
    fn figures(&self) -> impl Iterator<Item = (String, u64)> {
        let switches = self.max_switches.map(|n| ("context switches allowed".to_owned(), n.into()));
        let slots = ("thread slots".to_owned(), self.n_slots.into());
        std::iter::once(slots).chain(switches)
    }

    /// Says that nothing was found wrong with runs of which none comes to its end. Where
    /// deadlocks are nothing to worry about, ends are none either.
    fn endless_note(&self, verdict: &Verdict) -> Option<String> {
        let is_odd = matches!(verdict, Verdict::Holds(_))
            && self.program.requirements().forbids_deadlock()
            && !self.completed.load(Ordering::Relaxed);
        is_odd.then(|| {
            "no run comes to its end: each goes on for ever or is cut by an assumption".to_owned()
        })
    }

    /// A verdict about this system, in terms of threads.
    fn told_of_threads(&self, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Holds(mut certificate) => {
                certificate.scope = Scope::Exactly(self.n_threads);
                Verdict::Holds(certificate)
            }
            Verdict::Violated(Trace::States(trace)) => match self.thread_trace(&trace) {
                Some(trace) => Verdict::Violated(Trace::Threads(trace)),
                None => Verdict::Unknown(StopReason::Incomplete { why: UNTOLD.to_owned() }),
            },
            other => other,
        }
    }

    /// Number of a store in a state: the shared one at 0, that of slot i at i + 1.
    fn number(&self, state: &[u64], place: u32) -> u64 {
        stores::number_at(state, place)
    }

    fn store(&self, state: &[u64], place: u32) -> Option<Store> {
        self.stores.get(self.number(state, place)).map(|bytes| Store::new(&bytes))
    }
}

/// Do targets or propositions depend on local stores?
fn sees_locals(requirements: &dyn Requirements) -> bool {
    let shapes = requirements.targets().iter().chain(requirements.propositions());
    shapes.into_iter().any(|shape| !shape.slots.is_empty())
}

/// All slots are one scalarset.
fn interchangeable(n_slots: u32) -> Symmetry {
    let slots = Shape::Array {
        stride: NUMBER_BITS,
        n_elements: n_slots,
        segments: vec![IndexSegment { first: 0, scalarset: ScalarsetId(0) }],
        element: Box::new(Shape::Plain { bits: NUMBER_BITS }),
    };
    let threads = Scalarset { name: "threads".into(), n_elements: n_slots, not_symmetric: None };
    Symmetry { scalarsets: vec![threads], state: vec![Placed { bit: NUMBER_BITS, shape: slots }] }
}

impl TransitionSystem for Composition<'_> {
    fn state_bits(&self) -> u32 {
        NUMBER_BITS * (self.n_slots + 1 + u32::from(self.max_switches.is_some() || self.rests))
    }

    fn stepper<'s>(&'s self, limits: &Limits) -> Box<dyn Stepper + Send + 's> {
        Box::new(ThreadStepper::new(self, limits))
    }

    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn n_propositions(&self) -> usize {
        self.program.requirements().propositions().len().min(64)
    }

    fn choice_label(&self, choice: Choice, initial: bool) -> ChoiceLabel {
        if initial {
            let name = format!("start {}", choice.0);
            return ChoiceLabel { name, parameters: Vec::new(), span: None };
        }
        let stepper::UnpackedChoice { mover: slot, label, .. } = stepper::unpack(choice);
        let label = self.program.narrator().label(label);
        let thread = slot.map(|slot| Field { name: "thread".into(), value: slot.to_string() });
        ChoiceLabel { name: label.text, parameters: thread.into_iter().collect(), span: label.span }
    }

    fn actor(&self, choice: Choice) -> Option<u64> {
        // Nobody is bound to wake up for no reason.
        let taken = stepper::unpack(choice);
        taken.mover.filter(|_| !taken.is_spurious).map(u64::from)
    }

    fn is_spurious(&self, choice: Choice) -> bool {
        stepper::unpack(choice).is_spurious
    }

    fn actor_name(&self, actor: u64) -> String {
        format!("thread {actor}")
    }

    fn describe(&self, state: &[u64]) -> Vec<Field> {
        let shared = self.store(state, 0);
        let shared = shared.map(|store| self.program.narrator().describe_shared(store.bytes()));
        let mut fields = vec![Field { name: "shared".into(), value: shared.unwrap_or_default() }];
        for slot in 0..self.n_slots {
            let local = self.store(state, slot + 1);
            let local = local.map(|store| self.program.narrator().describe_local(store.bytes()));
            let value = local.unwrap_or_else(|| "absent".into());
            fields.push(Field { name: format!("thread {slot}"), value });
        }
        fields
    }

    fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }
}

#[cfg(test)]
mod tests;
