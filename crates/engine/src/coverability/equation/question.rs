//! Poses the question whether a demand for tokens can be met as a linear program,
//! and reads what comes of it.

use model::{Limits, Refutation, StopReason};

use super::effects::{Effects, Entries};
use super::exact::refutation;
use super::simplex::{Program, Solution};

/// One program for one demand.
pub(super) struct DemandProgram<'r> {
    pub(super) effects: &'r Effects,
    pub(super) traps: &'r [Vec<u32>],
    pub(super) demand: &'r Entries,
    pub(super) limits: &'r Limits,
}

/// What came of it.
pub(super) enum DemandAnswer {
    /// The demand cannot be met: a proof of that.
    Refuted(Refutation),
    /// The tokens on each row after firing transitions often enough, fractions
    /// included.
    Solved(Vec<f64>),
    /// Neither is certain.
    Unclear,
}

impl DemandProgram<'_> {
    /// Adds the demand to the program as its last column and takes it away again.
    /// Solving stops when `work` is used up.
    pub(super) fn ask(
        &self,
        program: &mut Program,
        work: &mut u64,
    ) -> Result<DemandAnswer, StopReason> {
        let n_rows = self.effects.n_rows() as u32;
        let places = self.demand.iter().map(|&(row, amount)| (row, amount as f64));
        let traps = (0..self.traps.len() as u32).map(|idx| (n_rows + 1 + idx, 1.0));
        program.push_column(places.chain([(n_rows, -1.0)]).chain(traps));
        let solution = program.solve(work, self.limits);
        let answer = solution.map(|solution| self.interpret(program, solution));
        program.pop_column();
        answer
    }

    fn interpret(&self, program: &Program, solution: Solution) -> DemandAnswer {
        match solution {
            Solution::Bounded(prices) => refutation(self.effects, self.traps, self.demand, &prices)
                .map_or(DemandAnswer::Unclear, DemandAnswer::Refuted),
            Solution::Unbounded(ray) => DemandAnswer::Solved(self.tokens(program, &ray)),
            Solution::Unclear => DemandAnswer::Unclear,
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
pub(super) fn program(effects: &Effects, traps: &[Vec<u32>]) -> Program {
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
