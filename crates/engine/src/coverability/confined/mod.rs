//! Coverability confined to given thread states: can two threads be in given ones at once,
//! for some number of threads, before any thread is outside?
//!
//! Backward coverability answers for all pairs in one call. Threads that are created on the
//! way were there from the start, as counters go: *unborn*, any number of them, and a step
//! that creates threads takes them from there. So nothing adds to the sum of all counters,
//! and a zone with k threads needs k at the start.
//!
//! A zone that needs a thread state outside is dropped. Where a step that leads outside
//! needs one of the pairs, as in cutoff detection, what comes out is exact: if no pair can
//! be covered, nothing outside is reached, and the thread states together with the zones
//! that the search kept are an inductive invariant.

mod facts;

use model::{
    Bounds, Certificate, Context, ControlId, CounterId, CounterTrace, Proof, StopReason, Store,
    Support, Target, ThreadCount, ThreadProgram, ThreadTrace, Zone,
};
use rustc_hash::FxHashMap;

use self::facts::LateFacts;
use super::backward::Backward;
use super::execute::{self, MANY_ZONES, execute};
use super::finding::Finding;
use super::lower::{Lowered, lower_within};
use super::rules::Rules;
use super::slice::Schedule;
use super::threads;
use crate::kernel::budget::{Budget, Pause};

/// Work of the first turn of a search.
const FIRST_TURN: u64 = 1 << 13;

/// The question, in stores.
pub struct Confined {
    /// The shared store and the local store of a thread: closed under the steps of the
    /// thread that steps, and with the initial ones among them.
    pub thread_states: Vec<(Store, Store)>,
    /// A shared store and two local stores.
    pub pairs: Vec<(Store, Store, Store)>,
    /// Is it about the program's errors as well?
    pub asks_for_errors: bool,
}

/// What is known of the pairs.
pub enum ConfinedAnswer {
    /// None can be covered.
    Never(Box<Certificate>),
    /// This run ends in an error of the program; with fewer threads no pair is covered,
    /// and no error reached.
    Error(Box<ThreadTrace>),
    /// Some are, with so many threads; with fewer, none is.
    Covered {
        /// The number of threads.
        n_threads: u32,
        /// Positions of pairs, each with a run after which two threads are there. There
        /// may be others.
        pairs: Vec<(usize, ThreadTrace)>,
    },
}

/// Told of work that was done; what it answers ends the search.
pub type Account<'a> = dyn FnMut(u64) -> Result<(), StopReason> + 'a;

impl Confined {
    /// Answers it.
    ///
    /// # Errors
    /// A limit was reached, or `account` says to stop.
    pub fn answer(
        &self,
        program: &dyn ThreadProgram,
        context: Context<'_>,
        account: &mut Account<'_>,
    ) -> Result<ConfinedAnswer, StopReason> {
        let stores = self.thread_states.iter().map(|(shared, local)| (shared, local));
        let mut lowered = lower_within(program, stores, context.limits)?;
        if !self.asks_for_errors {
            lowered.system.targets.clear();
            lowered.target_origins.clear();
        }
        let n_errors = lowered.system.targets.len();
        let numbers = Numbers::of(&lowered);
        lowered.system.targets.extend(self.pairs.iter().map(|pair| numbers.target(pair)));
        // A run to a pair ends in no error. What it is said to end in does not matter.
        lowered.target_origins.resize(lowered.system.targets.len(), Some(0));
        let unborn = add_unborn(&mut lowered);
        let support = numbers.support(&lowered, &self.thread_states);
        let rules = Rules::new(&lowered.system);
        let search =
            Backward::new(&lowered.system, &rules, Box::new(LateFacts::new(&lowered.system)));
        let mut search = search.within(&support).fewest_tokens();
        match advance(&mut search, context, account)? {
            Finding::Holds(Proof::Basis { equal, mut lemmas, mut basis, .. }) => {
                // There may be any number of unborn threads: a proof does without them.
                let mut support = support;
                lemmas.iter_mut().for_each(|lemma| lemma.counters.retain(|(id, _)| *id != unborn));
                basis.iter_mut().for_each(|zone| zone.bounds.retain(|(id, _)| *id != unborn));
                support.controls.iter_mut().for_each(|(_, all)| all.retain(|id| *id != unborn));
                let proof = Proof::Basis { support, equal, lemmas, basis };
                let certificate = threads::certificate(&lowered, ThreadCount::Any, proof);
                Ok(ConfinedAnswer::Never(Box::new(certificate)))
            }
            Finding::Violated(_) => {
                let (mut n_threads, mut pairs) = (0, Vec::new());
                for schedule in search.with_fewest_tokens() {
                    let counters = run(&lowered, &rules, &schedule)?;
                    n_threads = execute::n_tokens(&counters.initial) as u32;
                    let trace = threads::trace(program, &lowered, &without(counters, unborn))?;
                    match schedule.target.checked_sub(n_errors) {
                        None => return Ok(ConfinedAnswer::Error(Box::new(trace))),
                        Some(pair) => pairs.push((pair, trace)),
                    }
                }
                Ok(ConfinedAnswer::Covered { n_threads, pairs })
            }
            Finding::Holds(_) => {
                let why = "a mistake of ours: a backward search gave another proof".to_owned();
                Err(StopReason::Incomplete { why })
            }
            Finding::Inconclusive(reason) => Err(reason),
        }
    }
}

/// Searches to the end, in turns that get longer.
fn advance(
    search: &mut Backward<'_>,
    context: Context<'_>,
    account: &mut Account<'_>,
) -> Result<Finding, StopReason> {
    let mut work = FIRST_TURN;
    loop {
        let mut budget = Budget::new("cutoff", work, context);
        match search.advance(&mut budget) {
            Ok(finding) => {
                account(work - budget.left())?;
                return Ok(finding);
            }
            Err(Pause::RoundOver) => account(work)?,
            Err(Pause::Stopped(reason)) => return Err(reason),
        }
        work += work / 4;
    }
}

fn run(lowered: &Lowered, rules: &Rules, schedule: &Schedule) -> Result<CounterTrace, StopReason> {
    let trace = execute(&lowered.system, rules, schedule, MANY_ZONES, &mut 0)?;
    trace.ok_or_else(|| StopReason::Incomplete {
        why: "a run of a candidate has too many choices to be followed".to_owned(),
    })
}

/// Adds the counter of threads that are not created yet.
fn add_unborn(lowered: &mut Lowered) -> CounterId {
    let system = &mut lowered.system;
    let unborn = CounterId(system.counter_names.len() as u32);
    system.counter_names.push("unborn".to_owned());
    for zone in &mut system.initial {
        zone.bounds.push((unborn, Bounds::at_least(0)));
    }
    for (transition, &n_created) in system.transitions.iter_mut().zip(&lowered.n_created) {
        if n_created > 0 {
            transition.guard.push((unborn, Bounds::at_least(n_created)));
            transition.delta.push((unborn, -i64::from(n_created)));
        }
    }
    unborn
}

/// The run without a counter.
fn without(mut trace: CounterTrace, counter: CounterId) -> CounterTrace {
    trace.initial.counts.retain(|(id, _)| *id != counter);
    for step in &mut trace.steps {
        step.after.counts.retain(|(id, _)| *id != counter);
    }
    trace
}

/// The numbers of stores in a lowered program.
struct Numbers {
    shared: FxHashMap<Store, ControlId>,
    local: FxHashMap<Store, CounterId>,
}

impl Numbers {
    fn of(lowered: &Lowered) -> Numbers {
        let shared = (0..).map(ControlId).zip(&lowered.shared);
        let local = (0..).map(CounterId).zip(&lowered.local);
        Numbers {
            shared: shared.map(|(id, store)| (store.clone(), id)).collect(),
            local: local.map(|(id, store)| (store.clone(), id)).collect(),
        }
    }

    /// At least one thread in each of the two.
    fn target(&self, (shared, one, other): &(Store, Store, Store)) -> Target {
        let (one, other) = (self.local[one], self.local[other]);
        let mut bounds = match one == other {
            true => vec![(one, Bounds::at_least(2))],
            false => vec![(one, Bounds::at_least(1)), (other, Bounds::at_least(1))],
        };
        bounds.sort_unstable_by_key(|bound| bound.0);
        let zone = Zone { control: self.shared[shared], bounds };
        Target { name: "a candidate".to_owned(), span: None, zone }
    }

    /// The thread states; anything where no shared store is.
    fn support(&self, lowered: &Lowered, thread_states: &[(Store, Store)]) -> Support {
        let n_controls = lowered.system.control_names.len();
        let mut counters: Vec<Vec<CounterId>> = vec![Vec::new(); n_controls];
        for (shared, local) in thread_states {
            counters[self.shared[shared].idx()].push(self.local[local]);
        }
        let unborn = CounterId(lowered.local.len() as u32);
        let all: Vec<CounterId> = (0..=unborn.0).map(CounterId).collect();
        counters[..lowered.shared.len()].iter_mut().for_each(|counters| counters.push(unborn));
        counters[lowered.shared.len()..].fill(all);
        counters.iter_mut().for_each(|counters| counters.sort_unstable());
        Support { controls: (0..).map(ControlId).zip(counters).collect() }
    }
}
