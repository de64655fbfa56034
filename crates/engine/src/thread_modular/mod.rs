//! Thread-modular checking: can any of many threads reach an error, if each is looked at
//! alone and the others are known only by what they may do to the shared store?
//!
//! Computes the least set of *views* (a shared store and the local store of one thread) that
//! contains all starts and is closed under steps of the thread that is seen and under the
//! changes that others may make to the shared store, which are inferred along the way. If no
//! view has an error, there is none.
//!
//! **Answers.** `Holds` carries the views, which `certify` shows to be closed without this
//! module. An alarm need not be real. It is first looked for among few threads (`few.rs`):
//! `Violated` has their run. Then facts about other threads are exposed (`blame.rs`): who took
//! which variable, as a lock is taken (`takers.rs`), or who was never seen beside whom among
//! few threads. Then views show two threads and three. If alarms are left,
//! `Unknown` names the step of another thread without which the last one would not exist.
//! **Sound for** all thread programs, any number of threads or a fixed one, creation, ends
//! and broadcasts included; errors of steps, targets of any number of threads, and data races,
//! which are targets of two. **Not for** deadlocks, which are refused, since a view does not
//! show that all others are blocked, nor for programs that do not list all steps of a thread.
//! **Ends** when the program has finitely many stores, after as many views as there are
//! pairs of a shared and a local store.
//! **Source** Flanagan and Qadeer, "Thread-Modular Model Checking", SPIN 2003, section 2.2;
//! views of several threads: Hoenicke, Majumdar, Podelski, "Thread modularity at many
//! levels", POPL 2017; exposed facts: Cohen and Namjoshi, "Local proofs for global safety
//! properties", CAV 2007. We differ: (1) threads may be created, end, and be any number, so that
//! only threads of a kind with few members are told apart; (2) the guarantee is kept by the
//! shared store where it starts, once for all threads that can make a move; (3) what is
//! exposed is how many of all threads are in a class of local stores, as none, one or more.
//! **Read first** `views.rs`, then `closure.rs`.

mod pushdown;

mod exposed;
mod kinds;
mod views;

mod closure;
mod races;
mod start;
mod targets;

mod blame;
mod few;
mod takers;

mod proof;
mod told;

pub use pushdown::check as check_stacks;

use model::{
    Context, FirstStores, Limits, Outcome, StopReason, ThreadCount, ThreadProgram, Trace, Verdict,
};

use self::closure::{Alarm, Closure};
use self::exposed::Classes;
use self::views::MAX_LEVEL;
use crate::kernel::budget::{Budget, Pause};
use crate::kernel::step_table::StepTable;

/// Name of the engine in budgets and outcomes.
const ENGINE: &str = "thread-modular";

/// Work that `auto` gives it before others are asked: a few milliseconds.
const GLANCE: u64 = 20_000;

/// Work on each rung of the ladder where a program may have stores without end, for each
/// thread of a view.
const WORK_ON_A_RUNG: u64 = 400_000;

/// Work in all, then.
const WORK_IN_ALL: u64 = 6_000_000;

/// Classes that are exposed before threads are looked at several at a time.
const MAX_EXPOSED: usize = 4;

/// With more views of two threads, those of three are not tried.
const MAX_VIEWS_OF_TWO: usize = 20_000;

/// Answers whether `threads` threads of a program reach an error. Without `refines`, threads
/// are only looked at one by one with nothing exposed.
pub fn check(
    program: &dyn ThreadProgram,
    threads: ThreadCount,
    refines: bool,
    context: Context<'_>,
) -> Outcome {
    let budget = Budget::new(ENGINE, u64::MAX, context);
    search(Search { threads, refines, budget, on_a_rung: u64::MAX }, program)
}

/// The same where the program may have stores without end: with little work for each way to
/// look at threads.
pub fn check_within_reason(
    program: &dyn ThreadProgram,
    threads: ThreadCount,
    context: Context<'_>,
) -> Outcome {
    let budget = Budget::new(ENGINE, WORK_IN_ALL, context);
    search(Search { threads, refines: true, budget, on_a_rung: WORK_ON_A_RUNG }, program)
}

/// An error of few threads that is near, where any number is asked about.
pub fn near_error(program: &dyn ThreadProgram, context: Context<'_>) -> Option<Outcome> {
    let mut budget = Budget::new(ENGINE, WORK_IN_ALL, context);
    let mut table = StepTable::new(program);
    let sightings = few::look(&mut table, ThreadCount::Any, &mut budget).ok()?;
    let verdict = Verdict::Violated(Trace::Threads(*sightings.error?));
    let (statistics, notes) = (Vec::new(), Vec::new());
    Some(Outcome { verdict, engine: ENGINE.to_owned(), statistics, notes })
}

/// A proof that is found with little work, if there is one.
pub fn near_proof(
    program: &dyn ThreadProgram,
    threads: ThreadCount,
    context: Context<'_>,
) -> Option<Outcome> {
    let budget = Budget::new(ENGINE, GLANCE, context);
    let run = Search { threads, refines: true, budget, on_a_rung: u64::MAX };
    let outcome = search(run, program);
    matches!(outcome.verdict, Verdict::Holds(_)).then_some(outcome)
}

/// The stores of the first `max` views of one thread of any number, whatever is wrong there;
/// `None` if the program cannot be asked so.
pub fn first_stores(program: &dyn ThreadProgram, max: usize) -> Option<FirstStores> {
    let limits = Limits::none();
    let mut budget = Budget::new(ENGINE, u64::MAX, Context::silent(&limits));
    let table = StepTable::new(program);
    let mut closure = Closure::new(table, ThreadCount::Any, 1, Classes::default()).ok()?;
    let is_complete = closure.scout(max, &mut budget).ok()?;
    let has_gaps = closure.has_gaps;
    let (shared, local) = (closure.table.all_shared().to_vec(), closure.table.all_local().to_vec());
    Some(FirstStores { shared, local, is_complete, has_gaps })
}

fn search(mut run: Search<'_>, program: &dyn ThreadProgram) -> Outcome {
    let mut outcome = Outcome {
        verdict: Verdict::Unknown(StopReason::Interrupted),
        engine: ENGINE.to_owned(),
        statistics: Vec::new(),
        notes: Vec::new(),
    };
    outcome.verdict = match run.ladder(program, &mut outcome) {
        Ok(verdict) => verdict,
        Err(Pause::Stopped(reason)) => Verdict::Unknown(reason),
        Err(Pause::RoundOver) => Verdict::Unknown(StopReason::Interrupted),
    };
    outcome
}

/// What is asked, and how much work is left.
struct Search<'a> {
    threads: ThreadCount,
    refines: bool,
    budget: Budget<'a>,
    /// Work for each way to look at threads; what takes more is given up.
    on_a_rung: u64,
}

impl Search<'_> {
    /// Looks at threads one by one, then with facts about others exposed, then at several
    /// at a time.
    fn ladder(
        &mut self,
        program: &dyn ThreadProgram,
        outcome: &mut Outcome,
    ) -> Result<Verdict, Pause> {
        if program.requirements().forbids_deadlock() {
            let construct = "deadlocks, by an engine that looks at threads one by one".to_owned();
            return Err(StopReason::Unsupported { construct, span: None }.into());
        }
        let (mut closure, alarm) = self.close(StepTable::new(program), 1, Classes::default())?;
        let Some(mut alarm) = alarm else { return Ok(self.proved(&closure, outcome)) };
        if !self.refines {
            return Ok(open(&closure, &alarm, outcome));
        }
        let sightings = few::look(&mut closure.table, self.threads, &mut self.budget)?;
        if let Some(run) = sightings.error {
            return Ok(Verdict::Violated(Trace::Threads(*run)));
        }
        let takers = closure.takers(&mut self.budget)?;
        while closure.classes.chosen().len() < MAX_EXPOSED {
            let class = blame::class_to_expose(&closure, &alarm, &sightings, &takers);
            let Some(class) = class else { break };
            let mut classes = closure.classes.chosen().to_vec();
            classes.push(class);
            match self.close(closure.table, 1, Classes::new(classes))? {
                (finer, None) => return Ok(self.proved(&finer, outcome)),
                (finer, Some(next)) => (closure, alarm) = (finer, next),
            }
        }
        for level in 2..=MAX_LEVEL {
            match self.close(closure.table, level, Classes::default())? {
                (finer, None) => return Ok(self.proved(&finer, outcome)),
                (finer, Some(next)) => (closure, alarm) = (finer, next),
            }
            if closure.views.all().len() > MAX_VIEWS_OF_TWO {
                break;
            }
        }
        Ok(open(&closure, &alarm, outcome))
    }

    /// Closes the views of so many threads. Where a broadcast happened before somebody held a
    /// lock, who holds it is counted from the start in another go: until then, nobody knew
    /// that the broadcast may have moved somebody there.
    fn close<'p>(
        &mut self,
        mut table: StepTable<'p>,
        level: usize,
        mut classes: Classes,
    ) -> Result<(Closure<'p>, Option<Alarm>), Pause> {
        loop {
            let n_known = classes.locks().count();
            let (closure, alarm) = self.close_once(table, level, classes)?;
            let comes_late = closure.has_broadcasts && closure.classes.locks().count() > n_known;
            if !comes_late || matches!(alarm, Some(Alarm::Unfinished)) {
                return Ok((closure, alarm));
            }
            classes = closure.classes.counted_from_the_start();
            table = closure.table;
        }
    }

    fn close_once<'p>(
        &mut self,
        table: StepTable<'p>,
        level: usize,
        classes: Classes,
    ) -> Result<(Closure<'p>, Option<Alarm>), Pause> {
        let mut closure = Closure::new(table, self.threads, level, classes)?;
        let on_this_rung = self.on_a_rung.saturating_mul(1 << (2 * (level - 1)));
        let mut portion = self.budget.portion(on_this_rung);
        let alarm = closure.close(&mut portion);
        self.budget.put_back(portion);
        match alarm {
            Err(Pause::RoundOver) if !self.budget.is_spent() => {
                Ok((closure, Some(Alarm::Unfinished)))
            }
            alarm => Ok((closure, alarm?)),
        }
    }

    fn proved(&self, closure: &Closure<'_>, outcome: &mut Outcome) -> Verdict {
        describe(closure, outcome);
        outcome.notes.push(told::how(closure));
        Verdict::Holds(proof::certificate(closure, self.threads))
    }
}

fn open(closure: &Closure<'_>, alarm: &Alarm, outcome: &mut Outcome) -> Verdict {
    describe(closure, outcome);
    let why = told::why_open(closure, alarm);
    Verdict::Unknown(StopReason::Incomplete { why })
}

fn describe(closure: &Closure<'_>, outcome: &mut Outcome) {
    let figures = [
        ("threads in a view", closure.views.level()),
        ("exposed classes", closure.classes.chosen().len()),
        ("views", closure.views.all().len()),
        ("moves", closure.views.places.iter().map(|place| place.moves.len()).sum()),
    ];
    outcome.statistics = figures.map(|(name, n)| (name.to_owned(), n as u64)).to_vec();
}
