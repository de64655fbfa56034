//! Decides whether a run that repeats for ever violates a formula.
//!
//! The steps of the run were followed before (`states.rs`). Here the loop must
//! close; or the run ends, in a state where nobody has a step, and repeats that
//! state for ever. Then the formula itself is evaluated on the word of valuations,
//! by the fixpoints that define it. There is no automaton here, so a mistake in the
//! translation cannot pass.

use std::collections::BTreeSet;

use model::{
    Fairness, Formula, Limits, StateProblem, StateTrace, Stepper, Stuck, Successors,
    TransitionSystem,
};

use crate::rejection::Rejection;

/// A run whose steps are the system's.
pub(crate) struct Lasso<'a> {
    pub trace: &'a StateTrace,
    /// Its states: the first one, and the one after each step.
    pub states: &'a [Vec<u64>],
    /// Steps before the loop.
    pub loop_start: usize,
}

/// Is `lasso` a fair run that violates the formula of `problem`?
///
/// # Errors
/// What is wrong with its loop, or that the run satisfies the formula, or that it is
/// not fair; or that `limits` ran out.
pub(crate) fn check(
    problem: &StateProblem<'_>,
    lasso: &Lasso<'_>,
    limits: &Limits,
) -> Result<(), Rejection> {
    let formula = problem.formula.ok_or_else(|| no_violation("no formula was asked"))?;
    if lasso.loop_start > lasso.trace.steps.len() {
        return Err(Rejection::malformed("the loop starts after the last step"));
    }
    let system = problem.system;
    let mut replay = Replay {
        system,
        limits,
        stepper: system.stepper(limits),
        successors: Successors::new(system.state_words()),
    };
    replay.check_loop(lasso)?;
    let word = replay.word(lasso)?;
    if evaluate(&formula.formula, &word).first() != Some(&false) {
        return Err(no_violation("the run satisfies the formula"));
    }
    match problem.fairness {
        Fairness::None => Ok(()),
        Fairness::Weak => replay.check_fairness(lasso),
    }
}

fn no_violation(why: impl Into<String>) -> Rejection {
    Rejection::NoViolation { why: why.into() }
}

impl Lasso<'_> {
    fn has_steps_in_loop(&self) -> bool {
        self.loop_start < self.trace.steps.len()
    }
}

/// The system at work.
struct Replay<'a> {
    system: &'a dyn TransitionSystem,
    limits: &'a Limits,
    stepper: Box<dyn Stepper + Send + 'a>,
    successors: Successors,
}

impl Replay<'_> {
    /// Does the last step lead back to where the loop starts, or has the run ended?
    fn check_loop(&mut self, lasso: &Lasso<'_>) -> Result<(), Rejection> {
        let last = &lasso.states[lasso.states.len() - 1];
        if lasso.has_steps_in_loop() {
            return match *last == lasso.states[lasso.loop_start] {
                true => Ok(()),
                false => Err(no_violation("the loop does not lead back to where it starts")),
            };
        }
        self.expand(last)?;
        match self.successors.is_end() {
            true => Ok(()),
            false => Err(no_violation("the run could go on where it is said to end")),
        }
    }

    /// What the run looks like to the formula.
    fn word(&mut self, lasso: &Lasso<'_>) -> Result<Word, Rejection> {
        // The last state of a loop is the first one again.
        let n_letters = lasso.states.len() - usize::from(lasso.has_steps_in_loop());
        let mut letters = Vec::with_capacity(n_letters);
        for state in &lasso.states[..n_letters] {
            self.limits.check().map_err(Rejection::Stopped)?;
            letters.push(self.stepper.valuation(state).map_err(|stuck| match stuck {
                Stuck::Stopped(reason) => Rejection::Stopped(reason),
                Stuck::Fault(fault) => {
                    no_violation(format!("a proposition has no value: {}", fault.message))
                }
            })?);
        }
        Ok(Word { letters, loop_start: lasso.loop_start })
    }

    /// Does each actor step in the loop, or is it somewhere unable to?
    fn check_fairness(&mut self, lasso: &Lasso<'_>) -> Result<(), Rejection> {
        let mut starving: Option<BTreeSet<u64>> = None;
        for state in &lasso.states[lasso.loop_start..] {
            self.expand(state)?;
            let choices = (0..self.successors.len()).map(|idx| self.successors.choice(idx));
            let enabled: BTreeSet<u64> =
                choices.filter_map(|choice| self.system.actor(choice)).collect();
            starving = Some(match starving {
                None => enabled,
                Some(starving) => starving.intersection(&enabled).copied().collect(),
            });
        }
        let in_loop = lasso.trace.steps[lasso.loop_start..].iter();
        let acting: BTreeSet<u64> =
            in_loop.filter_map(|step| self.system.actor(step.choice)).collect();
        match starving.unwrap_or_default().difference(&acting).next() {
            None => Ok(()),
            Some(&actor) => {
                let name = self.system.actor_name(actor);
                Err(no_violation(format!("`{name}` can always step in the loop and never does")))
            }
        }
    }

    fn expand(&mut self, state: &[u64]) -> Result<(), Rejection> {
        self.limits.check().map_err(Rejection::Stopped)?;
        self.successors.clear();
        self.stepper.expand(state, &mut self.successors).map_err(Rejection::Stopped)?;
        match self.successors.faults.first() {
            None => Ok(()),
            Some((_, fault)) => Err(no_violation(format!("the model fails: {}", fault.message))),
        }
    }
}

/// Letters, of which those from `loop_start` on repeat for ever. Bit i of a letter
/// is proposition i.
pub(crate) struct Word {
    pub letters: Vec<u64>,
    pub loop_start: usize,
}

impl Word {
    fn after(&self, pos: usize) -> usize {
        if pos + 1 < self.letters.len() { pos + 1 } else { self.loop_start }
    }

    /// `first` and `second` combined position by position.
    fn zip(
        &self,
        (first, second): (&Formula, &Formula),
        combine: impl Fn(bool, bool) -> bool,
    ) -> Vec<bool> {
        let (first, second) = (evaluate(first, self), evaluate(second, self));
        first.into_iter().zip(second).map(|(a, b)| combine(a, b)).collect()
    }

    /// The fixpoint of `step`, which gets a position and the value behind it,
    /// reached from `guess`. Values travel backwards: one pass brings them round
    /// the loop, the second one to where the loop was entered.
    fn fixpoint(&self, guess: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![guess; self.letters.len()];
        for _ in 0..2 {
            for pos in (0..values.len()).rev() {
                values[pos] = step(pos, values[self.after(pos)]);
            }
        }
        values
    }
}

/// The value of `formula` at each position of `word`.
pub(crate) fn evaluate(formula: &Formula, word: &Word) -> Vec<bool> {
    let n = word.letters.len();
    match formula {
        Formula::True => vec![true; n],
        Formula::False => vec![false; n],
        Formula::Proposition(idx) => {
            let bit = 1u64.checked_shl(*idx).unwrap_or(0);
            word.letters.iter().map(|letter| letter & bit != 0).collect()
        }
        Formula::Not(inner) => evaluate(inner, word).into_iter().map(|value| !value).collect(),
        Formula::And(a, b) => word.zip((a, b), |a, b| a && b),
        Formula::Or(a, b) => word.zip((a, b), |a, b| a || b),
        Formula::Next(inner) => {
            let inner = evaluate(inner, word);
            (0..n).map(|pos| inner[word.after(pos)]).collect()
        }
        Formula::Until(a, b) => {
            let (a, b) = (evaluate(a, word), evaluate(b, word));
            word.fixpoint(false, |pos, after| b[pos] || (a[pos] && after))
        }
        Formula::Release(a, b) => {
            let (a, b) = (evaluate(a, word), evaluate(b, word));
            word.fixpoint(true, |pos, after| b[pos] && (a[pos] || after))
        }
    }
}

#[cfg(test)]
mod tests {
    use model::Formula;

    use super::{Word, evaluate};

    fn check(formula: &Formula, letters: &[u64], loop_start: usize) -> bool {
        evaluate(formula, &Word { letters: letters.to_vec(), loop_start })[0]
    }

    #[test]
    fn formulas_mean_what_their_definition_says() {
        let p = || Box::new(Formula::Proposition(0));
        let q = || Box::new(Formula::Proposition(1));
        let until = Formula::Until(p(), q());
        assert!(check(&until, &[1, 1, 2, 0], 3));
        assert!(!check(&until, &[1, 0, 2], 0));
        assert!(!check(&until, &[1], 0));
        let release = Formula::Release(p(), q());
        assert!(check(&release, &[2, 3, 0], 2));
        assert!(check(&release, &[2], 0));
        assert!(!check(&release, &[2, 1], 0));
        let finally = |inner| Formula::Until(Box::new(Formula::True), inner);
        let globally = |inner| Formula::Release(Box::new(Formula::False), inner);
        // The only `p` of the loop lies before its first position that asks.
        assert!(check(&globally(Box::new(finally(p()))), &[0, 1, 0, 0], 1));
        assert!(!check(&finally(Box::new(globally(p()))), &[1, 1, 0], 0));
        assert!(check(&Formula::Next(Box::new(Formula::Next(p()))), &[1, 0], 0));
        assert!(!check(&Formula::Not(p()), &[1], 0));
    }
}
