//! Thread-modular checking of threads with stacks: does a program that calls itself reach an
//! error, for any number of threads or for a fixed one?
//!
//! Each thread is looked at alone, among others that may do whatever the guarantee G says;
//! calls are summarised, so stacks may be of any depth. What a thread does to the shared store
//! is added to G, until nothing is new.
//!
//! **Answers.** `Holds` carries P and G (`model::Summaries`); `certify` shows without this
//! module that they are closed. An error that cannot be excluded is `Unknown`, with the step of
//! another thread that is blamed; whether it is real is for others to find out.
//! **Sound for** any number of threads, creation of threads, locks with and without owners, and
//! atomic sections. **Not for** threads that are created within an atomic section, which are
//! refused where they are reached.
//! **Ends** always. Time and memory are polynomial in the numbers of shared stores and tops.
//! **Source** Flanagan and Qadeer, SPIN 2003, section 3. We differ: (1) a caller waits for an
//! *entry* of a procedure (as in Reps, Horwitz, Sagiv, POPL 1995), which is Q of the paper
//! without what the callee has done so far; (2) threads have no identity: G is of all threads,
//! and classes of threads are counted up to two instead (Cohen and Namjoshi expose facts
//! about single threads), which serves any number of them; (3) an atomic section is one pair
//! of G; (4) classes are chosen from the blamed step.
//! **Read first** `closure.rs`, then `classes.rs`.

mod classes;
mod start;
mod tables;

mod closure;

mod blame;
mod proof;

use model::{
    Certificate, Context, ExposedClass, Outcome, Proof, PushdownProgram, StopReason, ThreadCount,
    ThreadProgram, Variant, Verdict, Vocabulary,
};

use self::classes::Classes;
use self::closure::Closure;

/// Edges of P in one closure: some hundred megabytes.
const MAX_EDGES: usize = 1 << 20;

/// How often more classes are exposed.
const MAX_REFINEMENTS: usize = 4;

/// Answers whether `threads` threads of a program with stacks reach an error. Without `refines`,
/// no classes of threads are exposed.
pub fn check(
    program: &dyn ThreadProgram,
    pushdown: &dyn PushdownProgram,
    threads: ThreadCount,
    refines: bool,
    context: Context<'_>,
) -> Outcome {
    let mut outcome = Outcome {
        verdict: Verdict::Unknown(StopReason::Interrupted),
        engine: "thread-modular".to_owned(),
        statistics: Vec::new(),
        notes: Vec::new(),
    };
    let n_refinements = if refines { MAX_REFINEMENTS } else { 0 };
    let ladder = Ladder { program, pushdown, threads, context, outcome: &mut outcome };
    let verdict = ladder.climb(n_refinements);
    outcome.verdict = verdict.unwrap_or_else(Verdict::Unknown);
    outcome
}

/// One closure after the other, each with more classes of threads exposed.
struct Ladder<'a> {
    program: &'a dyn ThreadProgram,
    pushdown: &'a dyn PushdownProgram,
    threads: ThreadCount,
    context: Context<'a>,
    outcome: &'a mut Outcome,
}

impl Ladder<'_> {
    fn climb(mut self, n_refinements: usize) -> Result<Verdict, StopReason> {
        let asked = self.program.requirements();
        if !asked.targets().is_empty() || asked.beyond_targets().is_some() {
            let why = "thread by thread, only errors of steps are excluded".to_owned();
            return Err(StopReason::Incomplete { why });
        }
        let numbers = start::numbers(self.pushdown, self.threads)?;
        let mut exposed: Vec<ExposedClass> = Vec::new();
        let mut blamed: Option<String> = None;
        for _ in 0..=n_refinements {
            let classes = Classes { program: self.pushdown, exposed };
            let mut closure = Closure::new(classes, &numbers);
            let end = closure.run(MAX_EDGES, self.context.limits);
            self.count(&closure);
            match (end, &blamed) {
                (Err(StopReason::Incomplete { .. }), Some(_)) => break,
                (end, _) => end?,
            }
            let Some(alarm) = &closure.alarm else { return Ok(self.holds(&closure)) };
            blamed = Some(blame::words(self.program, &closure, alarm));
            match blame::more_classes(&closure, alarm, self.threads) {
                Some(more) => exposed = more,
                None => break,
            }
        }
        Err(StopReason::Incomplete { why: blamed.unwrap_or_default() })
    }

    fn count(&mut self, closure: &Closure<'_>) {
        let figures = [
            ("classes exposed", closure.classes.exposed.len()),
            ("shared stores", closure.stores.shared.values().len()),
            ("entries", closure.entries.values().len()),
            ("summary edges", closure.edges.len()),
            ("guarantee pairs", closure.guarantee.len()),
        ];
        let figures = figures.into_iter().map(|(name, n)| (name.to_owned(), n as u64));
        self.outcome.statistics = figures.collect();
    }

    fn holds(&mut self, closure: &Closure<'_>) -> Verdict {
        self.outcome.notes.push(told_apart(self.pushdown, &closure.classes.exposed));
        Verdict::Holds(Certificate {
            variant: Variant::default(),
            scope: self.threads,
            vocabulary: Vocabulary::None,
            proof: Proof::Summaries(proof::summaries(closure)),
        })
    }
}

/// What threads know of each other beside the shared variables, for people.
fn told_apart(program: &dyn PushdownProgram, exposed: &[ExposedClass]) -> String {
    if exposed.is_empty() {
        return "threads are checked one by one and know of others only what those do to the \
                shared variables"
            .to_owned();
    }
    let class = |class: &ExposedClass| match *class {
        ExposedClass::Took { variable } => {
            format!("took `{}`", program.variable_name(variable))
        }
        ExposedClass::Started { root } => format!("started with `{}`", program.root_name(root)),
        ExposedClass::At { location } => format!("are at `{}`", program.location_name(location)),
    };
    let classes: Vec<String> = exposed.iter().map(class).collect();
    format!(
        "threads are checked one by one and know of others only whether none, one or several {}",
        classes.join(", ")
    )
}
