//! Decides whether a run that repeats for ever violates a formula.
//!
//! The run is replayed on the front end's system: its start is among the initial
//! states, each step among the successors, and the loop closes; or the run ends,
//! in a state that has no successor and repeats for ever. Then the formula itself
//! is evaluated on the word of valuations, by the fixpoints that define it. There
//! is no automaton here, so a mistake in the translation cannot pass.

use std::collections::BTreeSet;

use model::{
    Choice, Ending, Fairness, Formula, Limits, StateTrace, Stepper, Store, Stuck, Successors,
    TransitionSystem,
};

use crate::rejection::Rejection;

/// Is `trace` a fair run of `system` that violates `formula`?
///
/// # Errors
/// The first thing in the trace that is not as the system has it, or that the run
/// satisfies the formula, or that it is not fair.
pub fn check(
    system: &dyn TransitionSystem,
    formula: &Formula,
    fairness: Fairness,
    trace: &StateTrace,
) -> Result<(), Rejection> {
    let Ending::Lasso { loop_start } = trace.ending else {
        return Err(Rejection::malformed("the run does not repeat"));
    };
    if loop_start > trace.steps.len() {
        return Err(Rejection::malformed("the loop starts after the last step"));
    }
    let mut replay = Replay {
        system,
        stepper: system.stepper(&Limits::none()),
        successors: Successors::new(system.state_words()),
    };
    let states = replay.states(trace)?;
    replay.check_loop(&states, loop_start)?;
    let word = replay.word(&states, loop_start)?;
    if evaluate(formula, &word).first() != Some(&false) {
        return Err(no_violation("the run satisfies the formula"));
    }
    match fairness {
        Fairness::None => Ok(()),
        Fairness::Weak => replay.check_fairness(trace, &states, loop_start),
    }
}

fn no_violation(why: impl Into<String>) -> Rejection {
    Rejection::NoViolation { why: why.into() }
}

/// The system at work.
struct Replay<'a> {
    system: &'a dyn TransitionSystem,
    stepper: Box<dyn Stepper + Send + 'a>,
    successors: Successors,
}

impl Replay<'_> {
    /// The states of the run: the first one, and the one after each step.
    fn states(&mut self, trace: &StateTrace) -> Result<Vec<Vec<u64>>, Rejection> {
        let start =
            trace.start.as_ref().ok_or_else(|| Rejection::malformed("the run has no start"))?;
        let mut states = vec![self.words(&start.state)?];
        self.successors.clear();
        self.stepper.initial(&mut self.successors).map_err(Rejection::Stopped)?;
        if !self.has_successor(start.choice, &states[0]) {
            let why = "no start of the model gives this state".to_owned();
            return Err(Rejection::NotInitial { why });
        }
        for (idx, step) in trace.steps.iter().enumerate() {
            let after = self.words(&step.state)?;
            self.expand(&states[idx])?;
            if !self.has_successor(step.choice, &after) {
                let why = "no such choice leads to this state".to_owned();
                return Err(Rejection::StepNotEnabled { step: idx, why });
            }
            states.push(after);
        }
        Ok(states)
    }

    /// Does the last step lead back to where the loop starts, or has the run ended?
    fn check_loop(&mut self, states: &[Vec<u64>], loop_start: usize) -> Result<(), Rejection> {
        let last = &states[states.len() - 1];
        if loop_start + 1 < states.len() {
            return match *last == states[loop_start] {
                true => Ok(()),
                false => Err(no_violation("the loop does not lead back to where it starts")),
            };
        }
        self.expand(last)?;
        match self.successors.is_empty() {
            true => Ok(()),
            false => Err(no_violation("the run could go on where it is said to end")),
        }
    }

    /// What the run looks like to the formula.
    fn word(&mut self, states: &[Vec<u64>], loop_start: usize) -> Result<Word, Rejection> {
        // The last state of a loop is the first one again.
        let n_letters = if loop_start + 1 < states.len() { states.len() - 1 } else { states.len() };
        let letter = |state: &Vec<u64>| {
            self.stepper.valuation(state).map_err(|stuck| match stuck {
                Stuck::Stopped(reason) => Rejection::Stopped(reason),
                Stuck::Fault(fault) => {
                    no_violation(format!("a proposition has no value: {}", fault.message))
                }
            })
        };
        let letters: Result<Vec<u64>, Rejection> = states[..n_letters].iter().map(letter).collect();
        Ok(Word { letters: letters?, loop_start })
    }

    /// Does each actor step in the loop, or is it somewhere unable to?
    fn check_fairness(
        &mut self,
        trace: &StateTrace,
        states: &[Vec<u64>],
        loop_start: usize,
    ) -> Result<(), Rejection> {
        let mut starving: Option<BTreeSet<u64>> = None;
        for state in &states[loop_start..] {
            self.expand(state)?;
            let choices = (0..self.successors.len()).map(|idx| self.successors.choice(idx));
            let enabled: BTreeSet<u64> = choices.map(|choice| self.system.actor(choice)).collect();
            starving = Some(match starving {
                None => enabled,
                Some(starving) => starving.intersection(&enabled).copied().collect(),
            });
        }
        let acting = trace.steps[loop_start..].iter().map(|step| self.system.actor(step.choice));
        let acting: BTreeSet<u64> = acting.collect();
        match starving.unwrap_or_default().difference(&acting).next() {
            None => Ok(()),
            Some(&actor) => {
                let name = self.system.actor_name(actor);
                Err(no_violation(format!("`{name}` can always step in the loop and never does")))
            }
        }
    }

    fn expand(&mut self, state: &[u64]) -> Result<(), Rejection> {
        self.successors.clear();
        self.stepper.expand(state, &mut self.successors).map_err(Rejection::Stopped)?;
        match self.successors.faults.first() {
            None => Ok(()),
            Some((_, fault)) => Err(no_violation(format!("the model fails: {}", fault.message))),
        }
    }

    fn has_successor(&self, choice: Choice, state: &[u64]) -> bool {
        let is_it =
            |idx| self.successors.choice(idx) == choice && self.successors.state(idx) == state;
        (0..self.successors.len()).any(is_it)
    }

    fn words(&self, state: &Store) -> Result<Vec<u64>, Rejection> {
        let words = state.to_words().filter(|words| words.len() == self.system.state_words());
        words.ok_or_else(|| Rejection::malformed("a state does not have the length of a state"))
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
