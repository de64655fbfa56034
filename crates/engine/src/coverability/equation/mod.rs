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
//! **Ends** always: pivots and rounds have limits.
//! **Source** Esparza, Ledesma-Garza, Majumdar, Meyer, Niksic, CAV 2014. We differ:
//! (1) one linear program yields both the shortest certificate and, failing that,
//! the solution to refine; (2) control states are places; (3) traps are found
//! greatest first and then thinned out, without a constraint solver.
//! **Read first** `effects.rs`, then `simplex.rs`, then `exact.rs`.

mod basis;
mod effects;
mod exact;
mod rounding;
mod simplex;
mod trap;

#[cfg(test)]
mod tests;

use model::{CounterSystem, Limits, LinearLemma, Refutation, StopReason, Zone};

use effects::{Effects, Entries};
use exact::{combined, excludes};
use simplex::{Program, Solution};
use trap::Flows;

/// Pivots for a target, which is worth some seconds. Real nets need hundreds.
const MAX_PIVOTS_TO_REFUTE: usize = 50_000;
/// Pivots for one zone of a backward search, which is worth milliseconds.
const MAX_PIVOTS_TO_EXCLUDE: usize = 400;
/// Traps added for one target. Published nets need fewer than ten.
const MAX_TRAPS_PER_TARGET: usize = 40;
/// Traps kept in all; each makes every later program larger.
const MAX_TRAPS: usize = 200;
/// Lemmas and solutions remembered. Looking through them must stay cheaper than a
/// linear program.
const MAX_REMEMBERED: usize = 256;
/// A system with more entries than this is not worth building the program for:
/// one pivot would already take a second.
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

enum Answer {
    Refuted(Refutation),
    Solved(Vec<f64>),
    Unclear,
}

impl<'a> StateEquation<'a> {
    /// The equation of `system`, which has already been restricted to what its
    /// forward closure says can ever be non-zero or fire.
    pub fn new(system: &'a CounterSystem) -> StateEquation<'a> {
        let effects = Effects::new(system);
        let n_entries: usize = effects.columns.iter().map(Vec::len).sum();
        let linear = (n_entries <= MAX_ENTRIES).then(|| program(&effects, &[]));
        StateEquation {
            system,
            effects,
            linear,
            flows: None,
            traps: Vec::new(),
            lemmas: Vec::new(),
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
        let solution = match self.solve_linear(&demand, MAX_PIVOTS_TO_REFUTE, limits)? {
            Answer::Refuted(refutation) => {
                remember(&mut self.lemmas, refutation.lemma.clone());
                return Ok(Some(self.remember(refutation)));
            }
            Answer::Solved(solution) => solution,
            Answer::Unclear => return Ok(None),
        };
        let refutation = self.refute_with_traps(&demand, solution, limits)?;
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
        let answer = self.solve_linear(&demand, MAX_PIVOTS_TO_EXCLUDE, limits)?;
        let Answer::Refuted(refutation) = answer else {
            self.patience -= 1;
            if let Answer::Solved(solution) = answer {
                remember(&mut self.solutions, solution);
            }
            return Ok(None);
        };
        self.patience += PATIENCE_PER_SUCCESS;
        remember(&mut self.lemmas, refutation.lemma.clone());
        Ok(Some(refutation.lemma))
    }

    fn solve_linear(
        &mut self,
        demand: &Entries,
        max_pivots: usize,
        limits: &Limits,
    ) -> Result<Answer, StopReason> {
        let Some(program) = &mut self.linear else { return Ok(Answer::Unclear) };
        let run = Run { effects: &self.effects, traps: &[], demand, max_pivots, limits };
        run.answer(program)
    }

    /// Adds traps that `solution` leaves empty until there is a refutation, or a
    /// solution that no trap excludes.
    fn refute_with_traps(
        &mut self,
        demand: &Entries,
        mut solution: Vec<f64>,
        limits: &Limits,
    ) -> Result<Option<Refutation>, StopReason> {
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
            let run = Run {
                effects: &self.effects,
                traps: &self.traps,
                demand,
                max_pivots: MAX_PIVOTS_TO_REFUTE,
                limits,
            };
            match run.answer(&mut program)? {
                Answer::Refuted(refutation) => return Ok(Some(refutation)),
                Answer::Solved(next) => solution = next,
                Answer::Unclear => return Ok(None),
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

/// One program for one demand.
struct Run<'r> {
    effects: &'r Effects,
    traps: &'r [Vec<u32>],
    demand: &'r Entries,
    max_pivots: usize,
    limits: &'r Limits,
}

impl Run<'_> {
    /// Adds the demand to the program as its last column and takes it away again.
    fn answer(&self, program: &mut Program) -> Result<Answer, StopReason> {
        let n_rows = self.effects.n_rows() as u32;
        let places = self.demand.iter().map(|&(row, amount)| (row, amount as f64));
        let traps = (0..self.traps.len() as u32).map(|idx| (n_rows + 1 + idx, 1.0));
        program.push_column(places.chain([(n_rows, -1.0)]).chain(traps));
        let solution = program.solve(self.max_pivots, self.limits);
        let answer = solution.map(|solution| self.interpret(program, solution));
        program.pop_column();
        answer
    }

    fn interpret(&self, program: &Program, solution: Solution) -> Answer {
        match solution {
            Solution::Bounded(prices) => {
                exact::refutation(self.effects, self.traps, self.demand, &prices)
                    .map_or(Answer::Unclear, Answer::Refuted)
            }
            Solution::Unbounded(ray) => Answer::Solved(self.tokens(program, &ray)),
            Solution::Unclear => Answer::Unclear,
        }
    }

    /// What the rows hold after firing the ray from the initial configuration.
    fn tokens(&self, program: &Program, ray: &[(usize, f64)]) -> Vec<f64> {
        let mut tokens = vec![0.0; self.effects.n_rows()];
        for &(column, rate) in ray.iter().filter(|&&(idx, _)| idx + 1 < program.n_columns()) {
            for &(row, entry) in program.column(column) {
                if let Some(amount) = tokens.get_mut(row as usize) {
                    *amount -= entry * rate;
                }
            }
        }
        tokens
    }
}

/// The program for no demand. Rows are places, then the bound, then traps; columns
/// are effects, then initial zones, with the signs of consumption.
fn program(effects: &Effects, traps: &[Vec<u32>]) -> Program {
    let n_rows = effects.n_rows() as u32;
    let mut traps_of_row = vec![Vec::new(); effects.n_rows()];
    for (idx, trap) in traps.iter().enumerate() {
        trap.iter().for_each(|&row| traps_of_row[row as usize].push(n_rows + 1 + idx as u32));
    }
    let mut program = Program::new((0..n_rows + 1 + traps.len() as u32).map(price).collect());
    let mut on_traps = vec![0.0; traps.len()];
    let mut consumed = |entries: &Entries| {
        let mut column: Vec<(u32, f64)> =
            entries.iter().map(|&(row, change)| (row, -(change as f64))).collect();
        on_traps.fill(0.0);
        for &(row, change) in entries {
            for &trap_row in &traps_of_row[row as usize] {
                on_traps[(trap_row - n_rows - 1) as usize] -= change as f64;
            }
        }
        let touched = on_traps.iter().enumerate().filter(|&(_, &change)| change != 0.0);
        column.extend(touched.map(|(idx, &change)| (n_rows + 1 + idx as u32, change)));
        column
    };
    for effect in &effects.columns {
        program.push_column(consumed(effect).into_iter());
    }
    for initial in &effects.initial {
        program.push_column(consumed(initial).into_iter().chain([(n_rows, 1.0)]));
    }
    program
}

/// What a unit of weight on a row costs: about 1, so that certificates are small,
/// and different for each row, so that the simplex never stalls between equals.
fn price(row: u32) -> f64 {
    let scattered = row.wrapping_mul(0x9E37_79B9).rotate_left(15).wrapping_mul(0x85EB_CA6B);
    1.0 + f64::from(scattered >> 8) / f64::from(1u32 << 26)
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
