//! Coverability: can a configuration in a target zone be reached, for any
//! number of threads?
//!
//! The way of a question: a thread program is lowered to a counter system
//! (`lower/`), and searched on demand where that takes long (`on_demand/`); the system is
//! sliced (`slice/`); searches work on the slices
//! (`cover/`, `backward/`, `equation/`, `forward/`, or all of them in
//! `portfolio.rs`); what they find is lifted back to the counter system
//! (`slice/lift.rs`), shortened (`shorten.rs`), and reconstructed as a run of threads
//! (`threads.rs`). Cutoff detection asks about pairs of thread states (`confined/`).
//!
//! **Answers.** `Holds` carries a proof over counters, which `certify` checks without this
//! module: a downward-closed set (`Cover`), an upward-closed one (`Basis`) or linear facts
//! and traps (`Equation`). `Violated` carries a run.
//! **Sound for** all counter systems and thread programs. **Not for** deadlocks and data
//! races, which are no targets: `Unknown`.
//! **Ends** by the backward search where no guard has an upper bound; which other search
//! ends where, its own header says.
//! **Source** counting threads by local state: German and Sistla, JACM 1992; Ball, Chaki,
//! Rajamani 2000, section 4 (Beacon). Each search names its own.
//! **Read first** `rules/`, then the searches, then `portfolio.rs`.

mod lower;
mod on_demand;
mod rules;
mod slice;

mod backward;
mod cover;
mod equation;
mod forward;
mod portfolio;

mod actors;
mod chains;
mod confined;
mod execute;
mod finding;
mod flow;
mod holders;
mod initial;
mod shorten;
mod templates;
mod threads;

#[cfg(test)]
mod tests;

pub use confined::{Account, Confined, ConfinedAnswer};
pub use lower::{Gaps, Lowered, TransitionOrigin, has_at_most, lower};
pub use on_demand::Turns;
pub use templates::assign as assign_templates;

use model::{
    Certificate, Context, CounterSystem, CounterTrace, Outcome, Problem, Proof, Requirements,
    StopReason, Support, ThreadCount, Trace, Variant, Verdict, Vocabulary,
};

use self::finding::Finding;
use self::on_demand::{FoundRun, Listing, OnDemand};
use self::portfolio::PortfolioReport;
use self::rules::Rules;
use self::shorten::Shortener;
use self::slice::{Depth, Schedule, Slice, slice};
use crate::Engine;

/// Answers a coverability question.
pub fn check(
    problem: Problem<'_>,
    threads: ThreadCount,
    engine: Engine,
    context: Context<'_>,
) -> Outcome {
    check_in_turns(problem, threads, engine, Turns::default(), context)
}

/// The same with turns of another length between listing thread states and searching: where
/// they matter, so do figures and evidence, but no verdict.
pub fn check_in_turns(
    problem: Problem<'_>,
    threads: ThreadCount,
    engine: Engine,
    turns: Turns,
    context: Context<'_>,
) -> Outcome {
    let mut outcome = Outcome {
        verdict: Verdict::Unknown(StopReason::Interrupted),
        engine: engine.name().to_string(),
        statistics: Vec::new(),
        notes: Vec::new(),
    };
    let run = Check { engine, turns, context };
    let verdict = match problem {
        Problem::Threads(program) => run.threads(program, threads, &mut outcome),
        Problem::Counters(system) => run.counters(system, threads, &mut outcome),
        Problem::States(_) | Problem::ThreadRuns(_) | Problem::Parameterized(_) => {
            Err(StopReason::Unsupported {
                construct: "coverability of a system whose threads are not counted".to_owned(),
                span: None,
            })
        }
    };
    outcome.verdict = verdict.unwrap_or_else(Verdict::Unknown);
    outcome
}

/// Refuses what engines that count threads do not answer.
///
/// # Errors
/// Deadlocks or data races are asked about.
pub(crate) fn targets_only(requirements: &dyn Requirements) -> Result<(), StopReason> {
    match requirements.beyond_targets() {
        None => Ok(()),
        Some(what) => {
            let construct = format!("{what}, by an engine that counts threads");
            Err(StopReason::Unsupported { construct, span: None })
        }
    }
}

/// A system with its slices, all compiled.
pub struct Prepared<'a> {
    original: &'a CounterSystem,
    original_rules: Rules,
    closed: Slice<'a>,
    closed_rules: Rules,
    full: Slice<'a>,
    full_rules: Rules,
}

impl<'a> Prepared<'a> {
    fn new(original: &'a CounterSystem) -> Prepared<'a> {
        let closed = slice(original, Depth::Closure);
        let full = slice(original, Depth::Full);
        Prepared {
            original_rules: Rules::new(original),
            closed_rules: Rules::new(&closed.system),
            full_rules: Rules::new(&full.system),
            original,
            closed,
            full,
        }
    }
}

/// An answer about the original counter system.
enum Answer {
    Holds(Proof),
    Violated(CounterTrace),
}

struct Check<'a> {
    engine: Engine,
    turns: Turns,
    context: Context<'a>,
}

impl Check<'_> {
    fn counters(
        &self,
        system: &CounterSystem,
        threads: ThreadCount,
        outcome: &mut Outcome,
    ) -> Result<Verdict, StopReason> {
        if threads != ThreadCount::Any {
            let construct = "a number of threads for a net, which has none".to_string();
            return Err(StopReason::Unsupported { construct, span: None });
        }
        Ok(match self.answer(system, outcome)? {
            Answer::Holds(proof) => Verdict::Holds(Certificate {
                variant: Variant::AS_WRITTEN,
                scope: threads,
                vocabulary: Vocabulary::CounterSystem,
                proof,
            }),
            Answer::Violated(trace) => Verdict::Violated(Trace::Counters(trace)),
        })
    }

    fn threads(
        &self,
        program: &dyn model::ThreadProgram,
        threads: ThreadCount,
        outcome: &mut Outcome,
    ) -> Result<Verdict, StopReason> {
        targets_only(program.requirements())?;
        let on_demand = OnDemand::new(program, threads, self.engine)?;
        let lowered = match on_demand.run(self.turns, self.context, &mut outcome.notes)? {
            Listing::Whole(lowered) => lowered,
            Listing::Found(engine, found) => {
                outcome.engine = engine.to_owned();
                return self.found(program, &found, outcome);
            }
            Listing::Proven(engine, certificate) => {
                outcome.engine = engine.to_owned();
                return Ok(Verdict::Holds(*certificate));
            }
        };
        Ok(match (self.answer(&lowered.system, outcome)?, &lowered.gap) {
            (Answer::Holds(proof), None) => {
                Verdict::Holds(threads::certificate(&lowered, threads, proof))
            }
            (Answer::Holds(_), Some(why)) => self.without_gaps(program, threads, why)?,
            (Answer::Violated(trace), _) => {
                Verdict::Violated(Trace::Threads(threads::trace(program, &lowered, &trace)?))
            }
        })
    }

    /// An error that was found before all thread states were listed.
    fn found(
        &self,
        program: &dyn model::ThreadProgram,
        found: &FoundRun,
        outcome: &mut Outcome,
    ) -> Result<Verdict, StopReason> {
        let prepared = Prepared::new(&found.lowered.system);
        describe_sizes(&prepared, outcome);
        let trace = self.violated(&prepared, &found.schedule, u64::MAX)?;
        Ok(Verdict::Violated(Trace::Threads(threads::trace(program, &found.lowered, &trace)?)))
    }

    /// Nothing that is known leads to an error: is all known that matters?
    fn without_gaps(
        &self,
        program: &dyn model::ThreadProgram,
        threads: ThreadCount,
        why: &str,
    ) -> Result<Verdict, StopReason> {
        let lowered = lower::lower(program, threads, Gaps::Forbidden, self.context.limits)?;
        let mut unseen = Outcome {
            verdict: Verdict::Unknown(StopReason::Interrupted),
            engine: String::new(),
            statistics: Vec::new(),
            notes: Vec::new(),
        };
        match self.answer(&lowered.system, &mut unseen) {
            Ok(Answer::Holds(proof)) => {
                Ok(Verdict::Holds(threads::certificate(&lowered, threads, proof)))
            }
            _ => Err(StopReason::Incomplete { why: why.to_owned() }),
        }
    }

    fn answer(&self, system: &CounterSystem, outcome: &mut Outcome) -> Result<Answer, StopReason> {
        let prepared = Prepared::new(system);
        describe_sizes(&prepared, outcome);
        if prepared.full.system.targets.is_empty() {
            outcome.engine = "closure".to_string();
            return Ok(Answer::Holds(excluded_by_support(prepared.full.support)));
        }
        let report = portfolio::run(&prepared, self.engine, self.context);
        let PortfolioReport { engine, finding, figures, notes, last_round } = report;
        outcome.engine = engine.to_string();
        outcome.notes.extend(notes);
        outcome.statistics.extend(figures.into_iter().map(|(name, n)| (name.to_string(), n)));
        match finding {
            Finding::Holds(proof) => Ok(Answer::Holds(proof)),
            Finding::Violated(schedule) => {
                self.violated(&prepared, &schedule, last_round).map(Answer::Violated)
            }
            Finding::Inconclusive(reason) => Err(reason),
        }
    }

    fn violated(
        &self,
        prepared: &Prepared<'_>,
        schedule: &Schedule,
        last_round: u64,
    ) -> Result<CounterTrace, StopReason> {
        let shortener = Shortener {
            system: prepared.original,
            rules: &prepared.original_rules,
            closed: &prepared.closed,
            closed_rules: &prepared.closed_rules,
            full: &prepared.full,
            full_rules: &prepared.full_rules,
            work_to_search: shorten::worth(last_round),
        };
        let trace = shortener.shorten(schedule, self.context)?;
        let why = if prepared.original_rules.is_monotone {
            "an error is reachable, but its run has too large counts or too many choices to be shown"
        } else {
            "a counterexample of the over-approximated system does not execute: guards or targets \
             with upper bounds (zero tests) make the question undecidable in general"
        };
        trace.ok_or_else(|| StopReason::Incomplete { why: why.to_string() })
    }
}

/// The proof when forward closure alone excludes every target.
fn excluded_by_support(support: Support) -> Proof {
    Proof::Basis { support, equal: Vec::new(), lemmas: Vec::new(), basis: Vec::new() }
}

fn describe_sizes(prepared: &Prepared<'_>, outcome: &mut Outcome) {
    let (original, full) = (prepared.original, &prepared.full.system);
    let sizes = [
        ("control states", original.control_names.len(), full.control_names.len()),
        ("counters", original.counter_names.len(), full.counter_names.len()),
        ("transitions", original.transitions.len(), full.transitions.len()),
        ("targets", original.targets.len(), full.targets.len()),
    ];
    for (name, before, after) in sizes {
        outcome.statistics.push((name.to_string(), before as u64));
        outcome.statistics.push((format!("{name} after slicing"), after as u64));
    }
}
