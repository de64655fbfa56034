//! Decides whether a linear program of the form "maximise the last variable,
//! subject to A v ≤ c and v ≥ 0, where c > 0" is bounded, in floating point.
//!
//! A revised primal simplex. Because c is positive, the slack basis is feasible
//! and there is no first phase. A bounded program comes with its dual prices, an
//! unbounded one with a ray. Neither is exact: callers round and check.

use model::{Limits, StopReason};

use super::basis::Inverse;

/// A reduced cost below this counts as zero.
const OPTIMALITY: f64 = 1e-9;
/// Smaller pivots are not trusted.
const SMALLEST_PIVOT: f64 = 1e-7;
/// How far a basic variable may leave its bound in the ratio test, so that a
/// larger pivot can be chosen (Harris).
const FEASIBILITY: f64 = 1e-9;
/// The inverse is rebuilt after so many pivots. Twice or half as many took a time
/// within a fifth of this on random nets of 300 to 1000 places.
const N_PIVOTS_BEFORE_REBUILD: usize = 64;
/// An inverse with more entries than this is no longer sparse: give up.
const MAX_INVERSE_ENTRIES: usize = 5_000_000;
/// The limits are looked at after so many pivots.
const N_PIVOTS_PER_LIMIT_CHECK: usize = 16;

/// A program; the last column is the variable to maximise.
#[derive(Clone)]
pub(super) struct Program {
    rhs: Vec<f64>,
    starts: Vec<usize>,
    entries: Vec<(u32, f64)>,
    inverse_norms: Vec<f64>,
}

/// What a program turned out to be.
pub(super) enum Solution {
    /// The dual price of each row.
    Bounded(Vec<f64>),
    /// Columns with the rates at which they grow, the last one at rate 1.
    Unbounded(Vec<(usize, f64)>),
    /// Too much work, or numerically hopeless.
    Unclear,
}

impl Program {
    /// Without columns, with the right-hand side `rhs > 0`.
    pub(super) fn new(rhs: Vec<f64>) -> Program {
        Program { rhs, starts: vec![0], entries: Vec::new(), inverse_norms: Vec::new() }
    }

    pub(super) fn push_column(&mut self, entries: impl Iterator<Item = (u32, f64)>) {
        let start = self.entries.len();
        self.entries.extend(entries);
        let square: f64 = self.entries[start..].iter().map(|&(_, entry)| entry * entry).sum();
        self.starts.push(self.entries.len());
        self.inverse_norms.push((1.0 + square).sqrt().recip());
    }

    pub(super) fn pop_column(&mut self) {
        if self.inverse_norms.pop().is_some() {
            self.starts.pop();
            self.entries.truncate(*self.starts.last().expect("the first start stays"));
        }
    }

    pub(super) fn n_columns(&self) -> usize {
        self.inverse_norms.len()
    }

    pub(super) fn column(&self, idx: usize) -> &[(u32, f64)] {
        &self.entries[self.starts[idx]..self.starts[idx + 1]]
    }

    /// Solves it, unless that takes more than `work` entries looked at. What is
    /// left of it stays in `work`.
    pub(super) fn solve(&self, work: &mut u64, limits: &Limits) -> Result<Solution, StopReason> {
        let mut tableau = SimplexTableau::new(self);
        let mut n_pivots = 0;
        while let Some(left) = work.checked_sub(tableau.work_per_pivot()) {
            *work = left;
            n_pivots += 1;
            if n_pivots % N_PIVOTS_PER_LIMIT_CHECK == 0 {
                limits.check()?;
            }
            if tableau.should_rebuild() && !tableau.rebuild() {
                return Ok(Solution::Unclear);
            }
            tableau.price_rows();
            let Some(entering) = tableau.entering() else {
                // Prices from a long product of factors are not accurate enough
                // to round: take them from a fresh inverse.
                if tableau.inverse.n_updates() == 0 {
                    return Ok(Solution::Bounded(tableau.prices));
                }
                if !tableau.rebuild() {
                    return Ok(Solution::Unclear);
                }
                continue;
            };
            tableau.compute_direction(entering);
            match tableau.leaving_row() {
                Some(row) => tableau.pivot(entering, row),
                None => return Ok(tableau.ray(entering)),
            }
        }
        Ok(Solution::Unclear)
    }
}

/// Columns `0..n` are the program's, `n + i` is the slack of row `i`.
struct SimplexTableau<'p> {
    program: &'p Program,
    /// The basic column of each row.
    basic: Vec<usize>,
    is_basic: Vec<bool>,
    values: Vec<f64>,
    inverse: Inverse,
    prices: Vec<f64>,
    direction: Vec<f64>,
}

impl<'p> SimplexTableau<'p> {
    fn new(program: &'p Program) -> SimplexTableau<'p> {
        let (n_rows, n_columns) = (program.rhs.len(), program.n_columns());
        let mut is_basic = vec![false; n_columns];
        is_basic.resize(n_columns + n_rows, true);
        SimplexTableau {
            program,
            basic: (n_columns..n_columns + n_rows).collect(),
            is_basic,
            values: program.rhs.clone(),
            inverse: Inverse::identity(),
            prices: vec![0.0; n_rows],
            direction: vec![0.0; n_rows],
        }
    }

    fn objective(&self) -> usize {
        self.program.n_columns() - 1
    }

    fn objective_row(&self) -> Option<usize> {
        let objective = self.objective();
        self.is_basic[objective]
            .then(|| self.basic.iter().position(|&column| column == objective))
            .flatten()
    }

    fn price_rows(&mut self) {
        self.prices.fill(0.0);
        if let Some(row) = self.objective_row() {
            self.prices[row] = 1.0;
            self.inverse.apply_transposed(&mut self.prices);
        }
    }

    /// The column that promises most, measured against its length.
    fn entering(&self) -> Option<usize> {
        let n_columns = self.program.n_columns();
        if !self.is_basic[self.objective()] {
            return Some(self.objective());
        }
        let structural = (0..n_columns).filter(|&idx| !self.is_basic[idx]).map(|idx| {
            let cost: f64 = self
                .program
                .column(idx)
                .iter()
                .map(|&(row, entry)| entry * self.prices[row as usize])
                .sum();
            (idx, -cost, -cost * self.program.inverse_norms[idx])
        });
        let slacks = self.prices.iter().enumerate().map(|(row, &price)| {
            (n_columns + row, -price, -price * std::f64::consts::FRAC_1_SQRT_2)
        });
        let promising = structural.chain(slacks).filter(|&(_, gain, _)| gain > OPTIMALITY);
        promising.max_by(|a, b| a.2.total_cmp(&b.2)).map(|(idx, _, _)| idx)
    }

    fn compute_direction(&mut self, entering: usize) {
        self.direction.fill(0.0);
        match entering.checked_sub(self.program.n_columns()) {
            Some(row) => self.direction[row] = 1.0,
            None => {
                for &(row, entry) in self.program.column(entering) {
                    self.direction[row as usize] = entry;
                }
            }
        }
        self.inverse.apply(&mut self.direction);
    }

    /// The row whose variable reaches zero first; among nearly equal ones that
    /// with the largest pivot.
    fn leaving_row(&self) -> Option<usize> {
        let falling = || {
            let entries = self.direction.iter().enumerate();
            entries.filter(|&(_, &fall)| fall > SMALLEST_PIVOT)
        };
        let reach = falling()
            .map(|(row, &fall)| (self.values[row] + FEASIBILITY) / fall)
            .fold(f64::INFINITY, f64::min);
        let near = falling().filter(|&(row, &fall)| self.values[row] / fall <= reach);
        near.max_by(|a, b| a.1.total_cmp(b.1)).map(|(row, _)| row)
    }

    fn pivot(&mut self, entering: usize, row: usize) {
        let step = (self.values[row] / self.direction[row]).max(0.0);
        for (value, &fall) in self.values.iter_mut().zip(&self.direction) {
            *value = (*value - step * fall).max(0.0);
        }
        self.values[row] = step;
        self.is_basic[self.basic[row]] = false;
        self.is_basic[entering] = true;
        self.basic[row] = entering;
        self.inverse.pivot(row, &self.direction);
    }

    fn should_rebuild(&self) -> bool {
        self.inverse.n_updates() >= N_PIVOTS_BEFORE_REBUILD
    }

    /// Entries that pricing, a direction and a pivot look at.
    fn work_per_pivot(&self) -> u64 {
        (2 * self.inverse.n_entries() + self.program.entries.len() + 4 * self.basic.len()) as u64
    }

    /// Is the basis still good for going on?
    fn rebuild(&mut self) -> bool {
        let n_columns = self.program.n_columns();
        let n_rows = self.basic.len();
        let structural: Vec<(usize, &[(u32, f64)])> = (0..n_columns)
            .filter(|&idx| self.is_basic[idx])
            .map(|idx| (idx, self.program.column(idx)))
            .collect();
        let open = (0..n_rows).map(|row| !self.is_basic[n_columns + row]).collect();
        let assigned = self.inverse.rebuild(open, &structural);
        if assigned.len() != structural.len() || self.inverse.n_entries() > MAX_INVERSE_ENTRIES {
            return false;
        }
        self.basic = (n_columns..n_columns + n_rows).collect();
        for (column, row) in assigned {
            self.basic[row] = column;
        }
        self.values.copy_from_slice(&self.program.rhs);
        self.inverse.apply(&mut self.values);
        self.values.iter_mut().for_each(|value| *value = value.max(0.0));
        self.values.iter().all(|value| value.is_finite())
    }

    fn ray(&self, entering: usize) -> Solution {
        let objective = self.objective();
        let n_columns = self.program.n_columns();
        let rises = self.basic.iter().zip(&self.direction).map(|(&column, &fall)| (column, -fall));
        let growth: Vec<(usize, f64)> = std::iter::once((entering, 1.0))
            .chain(rises)
            .filter(|&(column, rate)| column < n_columns && rate > SMALLEST_PIVOT)
            .collect();
        let Some(&(_, unit)) = growth.iter().find(|&&(column, _)| column == objective) else {
            return Solution::Unclear;
        };
        Solution::Unbounded(growth.iter().map(|&(column, rate)| (column, rate / unit)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::{Program, Solution};
    use model::Limits;

    fn solve(rhs: &[f64], columns: &[&[(u32, f64)]]) -> Solution {
        let mut program = Program::new(rhs.to_vec());
        columns.iter().for_each(|column| program.push_column(column.iter().copied()));
        program.solve(&mut 10_000, &Limits::none()).expect("there is no limit")
    }

    #[test]
    fn a_bounded_program_has_prices_that_prove_the_bound() {
        // Maximise z with z - n <= 1, n + z <= 3: z = 2 at n = 1.
        let solution = solve(&[1.0, 3.0], &[&[(0, -1.0), (1, 1.0)], &[(0, 1.0), (1, 1.0)]]);
        let Solution::Bounded(prices) = solution else { panic!("it is bounded") };
        assert!((prices[0] - 0.5).abs() < 1e-9 && (prices[1] - 0.5).abs() < 1e-9);
    }

    #[test]
    fn an_unbounded_program_has_a_ray() {
        let solution = solve(&[1.0], &[&[(0, -2.0)], &[(0, 1.0)]]);
        let Solution::Unbounded(ray) = solution else { panic!("it is unbounded") };
        assert_eq!(ray, vec![(0, 0.5), (1, 1.0)]);
    }
}
