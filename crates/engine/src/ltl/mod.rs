//! Linear temporal logic: does every run of a system satisfy a formula?
//!
//! The negated formula becomes a Büchi automaton, which reads along while the
//! system runs; a run that it accepts violates the formula. So the question is
//! whether the product of the two has a cycle with an accepting location.
//!
//! **Answers.** `Violated` carries a lasso, which `certify` replays and on which it
//! evaluates the formula itself, without automata. `Holds` says that the product was
//! searched in full. A run that ends repeats its last state for ever; one that only
//! could go on where the model assumes it does not is no run.
//! **Faults.** A model that fails on the way (an undefined read in a rule, say) is
//! `Violated` with that fault.
//! **Fairness.** With weak fairness per actor, only cycles count on which each
//! actor steps or cannot step.
//! **Not with** symmetry reduction: propositions may name single elements of a
//! scalarset, and fairness speaks of single actors; states are not permuted here.
//! **Ends** for every finite system; memory is one packed pair per product state.
//! **Several jobs.** From three jobs on the parallel search decides; what it finds is
//! found again by one thread, so that traces do not depend on timing.
//! **Source** Vardi and Wolper, LICS 1986 (the automata-theoretic approach). The parts name
//! theirs: translation Gastin and Oddoux, CAV 2001 (`tableau.rs`); nested depth-first search
//! Schwoon and Esparza, TACAS 2005 (`nested.rs`), in parallel Evangelista et al., ATVA 2012
//! (`parallel.rs`); strongly connected components Tarjan 1972 (`fair.rs`).
//! **Read first** `automaton.rs`, `product.rs`, `nested.rs`; then `tableau.rs`,
//! `fair.rs`, `parallel.rs`.

mod automaton;
mod components;
mod positive;
mod reduce;
mod tableau;

mod product;
mod store;

mod component;
mod fair;
mod lasso;
mod nested;
mod parallel;

#[cfg(test)]
mod tests;

use model::{
    Context, Fairness, Formula, Limits, NamedFormula, Omissions, Outcome, StateProblem, StopReason,
    Trace, Verdict,
};

use crate::kernel::budget::Budget;
use crate::kernel::complete::Complete;
use crate::ltl::automaton::Automaton;
use crate::ltl::nested::{CycleFinding, NestedReport};
use crate::ltl::product::{Product, ProductHalt};
use crate::ltl::tableau::TableauError;

/// The name of the engine in reports.
pub(crate) const ENGINE: &str = "ltl";

/// With two workers nothing is gained: on a lock model of 554,221 pairs one thread
/// took 0.65 s of processor time, two workers 1.31 s together, as both walk most of a
/// large component before either can leave anything out. More were not measured.
const LEAST_PARALLEL_JOBS: usize = 3;

/// Does every run of the problem's system satisfy the problem's formula?
pub fn check(problem: &StateProblem<'_>, context: Context<'_>) -> Outcome {
    let mut outcome = Outcome {
        verdict: Verdict::Unknown(StopReason::Interrupted),
        engine: ENGINE.to_owned(),
        statistics: Vec::new(),
        notes: Vec::new(),
    };
    let answer = answer(problem, context, &mut outcome);
    outcome.verdict = answer.unwrap_or_else(Verdict::Unknown);
    outcome
}

fn answer(
    problem: &StateProblem<'_>,
    context: Context<'_>,
    outcome: &mut Outcome,
) -> Result<Verdict, StopReason> {
    let formula = accepted_formula(problem)?;
    let automaton = Automaton::of_negation(&formula.formula, context.limits).map_err(|error| {
        let why = "the automaton of the formula is too large".to_owned();
        match error {
            TableauError::Stopped(reason) => reason,
            TableauError::TooLarge => StopReason::Incomplete { why },
        }
    })?;
    outcome.statistics.push(("automaton states".to_owned(), automaton.states.len() as u64));
    outcome.statistics.push(("automaton arcs".to_owned(), automaton.n_arcs() as u64));
    if automaton.states.is_empty() {
        outcome.notes.push("the formula is true of every run of any system".to_owned());
        return holds(formula, 0, Omissions::default());
    }
    let search = FormulaSearch { problem, automaton: &automaton, context };
    let report = search.run().map_err(|halt| match halt {
        ProductHalt::Stopped(reason) => reason,
        ProductHalt::Fault(_, fault) => StopReason::Incomplete { why: fault.message },
    })?;
    let (n_states, omissions) = (report.n_states, report.omissions.clone());
    outcome.statistics.push(("product states".to_owned(), n_states));
    match search.trace(report)? {
        Some(trace) => Ok(Verdict::Violated(trace)),
        None => holds(formula, n_states, omissions),
    }
}

/// The formula, if its propositions are ones that the system has.
fn accepted_formula<'a>(problem: &StateProblem<'a>) -> Result<&'a NamedFormula, StopReason> {
    let unsupported =
        |what: &str| StopReason::Unsupported { construct: what.to_owned(), span: None };
    let formula = problem.formula.ok_or_else(|| unsupported("a check without a formula"))?;
    let n_propositions = problem.system.n_propositions().min(64);
    match largest_proposition(&formula.formula) {
        Some(idx) if idx as usize >= n_propositions => {
            Err(unsupported("a formula with more propositions than the system has (at most 64)"))
        }
        _ => Ok(formula),
    }
}

fn largest_proposition(formula: &Formula) -> Option<u32> {
    match formula {
        Formula::True | Formula::False => None,
        Formula::Proposition(idx) => Some(*idx),
        Formula::Not(inner) | Formula::Next(inner) => largest_proposition(inner),
        Formula::And(left, right)
        | Formula::Or(left, right)
        | Formula::Until(left, right)
        | Formula::Release(left, right) => {
            largest_proposition(left).max(largest_proposition(right))
        }
    }
}

fn holds(
    formula: &NamedFormula,
    n_states: u64,
    omissions: Omissions,
) -> Result<Verdict, StopReason> {
    Ok(Complete::unless(omissions)?.holds(n_states, false, Some(formula.text.clone())))
}

struct FormulaSearch<'a> {
    problem: &'a StateProblem<'a>,
    automaton: &'a Automaton,
    context: Context<'a>,
}

impl<'a> FormulaSearch<'a> {
    fn product(&self) -> Product<'a> {
        Product::new(self.problem.system, self.automaton, self.context.limits)
    }

    fn budget(&self) -> Budget<'a> {
        Budget::new(ENGINE, u64::MAX, self.context)
    }

    fn run(&self) -> Result<NestedReport, ProductHalt> {
        if self.problem.fairness == Fairness::Weak {
            return fair::search(self.product(), Fairness::Weak, self.budget());
        }
        if self.context.limits.jobs < LEAST_PARALLEL_JOBS {
            return self.with_one_thread();
        }
        let system = self.problem.system;
        let report = parallel::search(system, self.automaton, self.context)?;
        if matches!(report.finding, CycleFinding::Nothing) {
            return Ok(report);
        }
        // Which cycle the workers found depends on timing. When there is no time
        // left to find it again, it is good enough; what they found is never lost.
        Ok(match self.with_one_thread() {
            Ok(again) if !matches!(again.finding, CycleFinding::Nothing) => again,
            _ => report,
        })
    }

    fn with_one_thread(&self) -> Result<NestedReport, ProductHalt> {
        nested::search(self.product(), self.automaton.is_weak, self.budget())
    }

    fn trace(&self, report: NestedReport) -> Result<Option<Trace>, StopReason> {
        // The violation is known: limits end the search for a shorter trace, and
        // nothing may stop the one that exists from being reported.
        let mut product = Product::new(self.problem.system, self.automaton, &Limits::none());
        let trace =
            lasso::trace(&mut product, report, self.context.limits).map_err(|halt| match halt {
                ProductHalt::Stopped(reason) => reason,
                ProductHalt::Fault(_, fault) => StopReason::Incomplete { why: fault.message },
            })?;
        Ok(trace.map(Trace::States))
    }
}
