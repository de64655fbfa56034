//! The state equation: is a target excluded by weighing tokens, or by that and
//! by sets of places that can never be emptied?
//!
//! Looks for weights of control states and counters such that no transition
//! increases the weighted sum, and every configuration of the target weighs more
//! than any initial one. Such weights are the dual prices of a linear program:
//! "maximise z, where z times what the target has beyond the initial
//! configuration can be made by firing transitions, up to a price per place".
//! When it is unbounded, its ray is a solution of the state equation; a trap that
//! is initially marked and empty in it becomes one more row, and we try again.
//!
//! **Answers.** A `Refutation` or `LinearLemma` with integer weights, checked here
//! in exact arithmetic and again by `certify`. `None` says nothing.
//! **Sound for** all counter systems: transfers count as free moves in their
//! direction, resets as losses, upper bounds in guards as absent, upper bounds of
//! zones as well. **Not complete** for any class.
//! **Ends** always: work and rounds have limits.
//! **Source** Esparza, Ledesma-Garza, Majumdar, Meyer, Niksic, CAV 2014. We differ:
//! (1) one linear program yields both the shortest certificate and, failing that,
//! the solution to refine; (2) control states are places; (3) traps are found
//! greatest first and then thinned out, without a constraint solver.
//! **Read first** `effects.rs`, then `simplex.rs`, then `exact.rs`.

mod basis;
mod effects;
mod exact;
mod question;
mod rounding;
mod simplex;
mod trap;

#[cfg(test)]
mod tests;

use model::{CounterSystem, Limits, LinearLemma, Refutation, StopReason, Zone};

use effects::{Effects, Entries};
use exact::{combined, excludes, lemma};
use question::{DemandAnswer, DemandProgram, program};
use simplex::Program;
use trap::Flows;

/// Work for a target, in entries of sparse matrices: two or three seconds. Real
/// nets need milliseconds; random ones of a thousand places can need minutes.
const MAX_WORK_TO_REFUTE: u64 = 1_000_000_000;
/// Work for one zone of a backward search: a few milliseconds.
const MAX_WORK_TO_EXCLUDE: u64 = 2_000_000;
/// Traps added for one target. Mutual exclusion algorithms need one or two.
const MAX_TRAPS_PER_TARGET: usize = 40;
/// Traps kept in all; each makes every later program larger.
const MAX_TRAPS: usize = 200;
/// Lemmas and solutions remembered. Looking through them must stay cheaper than a
/// linear program.
const MAX_REMEMBERED: usize = 256;
/// A system with more entries than this is not worth building the program for:
/// the work allowed for a target would not buy fifty pivots.
const MAX_ENTRIES: usize = 20_000_000;
/// `exclude` stops solving programs after so many failures in excess of what its
/// successes have earned. Where the equation excludes nothing, it soon costs nothing.
const INITIAL_PATIENCE: u32 = 100;
/// What one success earns.
const PATIENCE_PER_SUCCESS: u32 = 10;
/// A place with less than this in a solution counts as empty.
const EMPTY: f64 = 1e-6;

/// Proofs, by the state equation, that zones of one system are unreachable.
pub struct StateEquation<'a> {
    system: &'a CounterSystem,
    effects: Effects,
    /// Without traps; `None` when the system is too large.
    linear: Option<Program>,
    flows: Option<Flows>,
    traps: Vec<Vec<u32>>,
    lemmas: Vec<LinearLemma>,
    /// With what remains of each when its traps are subtracted.
    refutations: Vec<(LinearLemma, Refutation)>,
    /// Solutions of the linear program: tokens by row.
    solutions: Vec<Vec<f64>>,
    /// Solutions that no trap excludes.
    stubborn: Vec<Vec<f64>>,
    patience: u32,
}

/// For each target of the system a refutation, where there is one.
///
/// # Errors
/// The limit that was reached first.
pub fn prove(
    system: &CounterSystem,
    limits: &Limits,
) -> Result<Vec<Option<Refutation>>, StopReason> {
    let mut equation = StateEquation::new(system);
    system.targets.iter().map(|target| equation.refute(&target.zone, limits)).collect()
}

/// Where the search for traps begins.
struct Start {
    demand: Entries,
    solution: Vec<f64>,
    work: u64,
}

impl<'a> StateEquation<'a> {
    /// The equation of `system`, which has already been restricted to what its
    /// forward closure says can ever be non-zero or fire.
    pub fn new(system: &'a CounterSystem) -> StateEquation<'a> {
        let effects = Effects::new(system);
        let n_entries: usize = effects.columns.iter().map(Vec::len).sum();
        let linear = (n_entries <= MAX_ENTRIES).then(|| program(&effects, &[]));
        let lemmas = guesses(system, &effects);
        StateEquation {
            system,
            effects,
            linear,
            flows: None,
            traps: Vec::new(),
            lemmas,
            refutations: Vec::new(),
            solutions: Vec::new(),
            stubborn: Vec::new(),
            patience: INITIAL_PATIENCE,
        }
    }

    /// A refutation of the zone, of which only the control state and the lower
    /// bounds are used: linear first, then with initially marked traps.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn refute(
        &mut self,
        zone: &Zone,
        limits: &Limits,
    ) -> Result<Option<Refutation>, StopReason> {
        limits.check()?;
        if let Some(known) = self.refutations.iter().find(|(rest, _)| excludes(rest, zone)) {
            return Ok(Some(known.1.clone()));
        }
        let demand = self.effects.demand(zone);
        if self.linear.is_none() || solves_any(&self.stubborn, &demand) {
            return Ok(None);
        }
        let mut work = MAX_WORK_TO_REFUTE;
        let solution = match self.ask_linear(&demand, &mut work, limits)? {
            DemandAnswer::Refuted(refutation) => {
                remember(&mut self.lemmas, refutation.lemma.clone());
                return Ok(Some(self.remember(refutation)));
            }
            DemandAnswer::Solved(solution) => solution,
            DemandAnswer::Unclear => return Ok(self.guessed(zone)),
        };
        let start = Start { demand, solution, work };
        let refutation = self.refute_with_traps(start, limits)?;
        Ok(refutation.map(|refutation| self.remember(refutation)))
    }

    /// A linear lemma with non-negative counter weights that excludes the zone;
    /// quick, for use on every zone of a backward search.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn exclude(
        &mut self,
        zone: &Zone,
        limits: &Limits,
    ) -> Result<Option<LinearLemma>, StopReason> {
        if let Some(idx) = self.lemmas.iter().rposition(|lemma| excludes(lemma, zone)) {
            return Ok(Some(self.lemmas[idx].clone()));
        }
        if self.linear.is_none() || self.patience == 0 {
            return Ok(None);
        }
        let demand = self.effects.demand(zone);
        if solves_any(&self.solutions, &demand) || solves_any(&self.stubborn, &demand) {
            return Ok(None);
        }
        let mut work = MAX_WORK_TO_EXCLUDE;
        let answer = self.ask_linear(&demand, &mut work, limits)?;
        let DemandAnswer::Refuted(refutation) = answer else {
            self.patience -= 1;
            if let DemandAnswer::Solved(solution) = answer {
                remember(&mut self.solutions, solution);
            }
            return Ok(None);
        };
        self.patience += PATIENCE_PER_SUCCESS;
        remember(&mut self.lemmas, refutation.lemma.clone());
        Ok(Some(refutation.lemma))
    }

    fn ask_linear(
        &mut self,
        demand: &Entries,
        work: &mut u64,
        limits: &Limits,
    ) -> Result<DemandAnswer, StopReason> {
        let Some(program) = &mut self.linear else { return Ok(DemandAnswer::Unclear) };
        DemandProgram { effects: &self.effects, traps: &[], demand, limits }.ask(program, work)
    }

    /// A refutation by a lemma that was there before any program was solved.
    fn guessed(&self, zone: &Zone) -> Option<Refutation> {
        let lemma = self.lemmas.iter().find(|lemma| excludes(lemma, zone))?;
        Some(Refutation { lemma: lemma.clone(), traps: Vec::new() })
    }

    /// Adds traps that the solution leaves empty until there is a refutation, or a
    /// solution that no trap excludes.
    fn refute_with_traps(
        &mut self,
        start: Start,
        limits: &Limits,
    ) -> Result<Option<Refutation>, StopReason> {
        let Start { demand, mut solution, mut work } = start;
        let flows = self.flows.get_or_insert_with(|| Flows::new(self.system, &self.effects));
        // Traps of earlier targets may already exclude the first solution.
        let mut is_new = !self.traps.iter().any(|trap| tokens_on(trap, &solution) < EMPTY);
        for _ in 0..MAX_TRAPS_PER_TARGET {
            limits.check()?;
            if std::mem::replace(&mut is_new, true) {
                let empty = solution.iter().map(|&tokens| tokens < EMPTY).collect();
                match flows.marked_trap(empty) {
                    Some(trap) if !self.traps.contains(&trap) && self.traps.len() < MAX_TRAPS => {
                        self.traps.push(trap);
                    }
                    _ => break,
                }
            }
            let mut program = program(&self.effects, &self.traps);
            let question = DemandProgram {
                effects: &self.effects,
                traps: &self.traps,
                demand: &demand,
                limits,
            };
            match question.ask(&mut program, &mut work)? {
                DemandAnswer::Refuted(refutation) => return Ok(Some(refutation)),
                DemandAnswer::Solved(next) => solution = next,
                DemandAnswer::Unclear => return Ok(None),
            }
        }
        remember(&mut self.stubborn, solution);
        Ok(None)
    }

    fn remember(&mut self, refutation: Refutation) -> Refutation {
        if let Some(rest) = combined(&refutation) {
            remember(&mut self.refutations, (rest, refutation.clone()));
        }
        refutation
    }
}

/// Lemmas that cost nothing to find: what the input claims to be invariants, and
/// that the number of all tokens does not grow.
fn guesses(system: &CounterSystem, effects: &Effects) -> Vec<LinearLemma> {
    let ones = vec![1; effects.n_rows()];
    let hints = system.hints.iter().filter_map(|hint| {
        let mut weights = vec![0; effects.n_rows()];
        for &(counter, weight) in hint {
            weights[effects.counter_row(counter)? as usize] = weight;
        }
        Some(weights)
    });
    let guesses = std::iter::once(ones).chain(hints);
    let sensible = guesses.filter(|weights| weights.iter().all(|&weight| weight >= 0));
    sensible.filter_map(|weights| lemma(effects, &weights)).take(MAX_REMEMBERED).collect()
}

fn tokens_on(trap: &[u32], solution: &[f64]) -> f64 {
    trap.iter().map(|&row| solution[row as usize]).sum()
}

/// Does one of the solutions have all that is demanded?
fn solves_any(solutions: &[Vec<f64>], demand: &Entries) -> bool {
    let solves = |solution: &Vec<f64>| {
        demand.iter().all(|&(row, amount)| solution[row as usize] >= amount as f64 - EMPTY)
    };
    solutions.iter().rev().any(solves)
}

/// Keeps the newest; half of the store is dropped when it is full.
fn remember<T>(store: &mut Vec<T>, entry: T) {
    if store.len() >= MAX_REMEMBERED {
        store.drain(..MAX_REMEMBERED / 2);
    }
    store.push(entry);
}
