//! Produces solutions of linear systems with the simplex basis as matrix.
//!
//! The inverse is kept in product form: one elementary column per basic column.
//! Rebuilding it orders the columns so that all outside of a small core enter
//! unchanged. State equations are nearly triangular, so this stays as sparse as
//! an LU factorisation and is much simpler.

/// Entries smaller than this are rounding noise.
const NOISE: f64 = 1e-12;
/// The smallest pivot that a rebuild accepts; below it the basis is singular.
const SMALLEST_PIVOT: f64 = 1e-9;
/// In the core a pivot may be this much smaller than the largest candidate, for
/// the sake of sparsity. The usual value of threshold pivoting.
const PIVOT_THRESHOLD: f64 = 0.1;

/// The inverse of the basis as a product of elementary matrices.
pub(super) struct Inverse {
    factors: Vec<Factor>,
    entries: Vec<(u32, f64)>,
    n_factors_rebuilt: usize,
}

struct Factor {
    row: u32,
    inverse_pivot: f64,
    start: usize,
    end: usize,
}

/// A structural column of the basis, to be given a pivot row.
struct PivotCandidate<'c> {
    column: usize,
    entries: &'c [(u32, f64)],
}

impl Inverse {
    pub(super) fn identity() -> Inverse {
        Inverse { factors: Vec::new(), entries: Vec::new(), n_factors_rebuilt: 0 }
    }

    /// Number of pivots since the last rebuild.
    pub(super) fn n_updates(&self) -> usize {
        self.factors.len() - self.n_factors_rebuilt
    }

    pub(super) fn n_entries(&self) -> usize {
        self.entries.len()
    }

    /// Replaces `v` by the inverse times `v`.
    pub(super) fn apply(&self, v: &mut [f64]) {
        for factor in &self.factors {
            let value = v[factor.row as usize];
            if value == 0.0 {
                continue;
            }
            let value = value * factor.inverse_pivot;
            v[factor.row as usize] = value;
            for &(row, entry) in &self.entries[factor.start..factor.end] {
                v[row as usize] -= entry * value;
            }
        }
    }

    /// Replaces `v` by `v` times the inverse.
    pub(super) fn apply_transposed(&self, v: &mut [f64]) {
        for factor in self.factors.iter().rev() {
            let mut value = v[factor.row as usize];
            for &(row, entry) in &self.entries[factor.start..factor.end] {
                value -= entry * v[row as usize];
            }
            v[factor.row as usize] = value * factor.inverse_pivot;
        }
    }

    /// Takes a column, already multiplied by the inverse, into the basis at `row`.
    pub(super) fn pivot(&mut self, row: usize, column: &[f64]) {
        let start = self.entries.len();
        let others = column.iter().enumerate().filter(|&(r, v)| r != row && v.abs() > NOISE);
        self.entries.extend(others.map(|(r, &v)| (r as u32, v)));
        self.push_factor(row as u32, column[row], start);
    }

    /// Starts anew from the structural columns of a basis, which may pivot on the
    /// rows that are `open`: those whose slack is not basic. The answer says at
    /// which row each of them pivots. Columns that depend on others are left out.
    pub(super) fn rebuild(
        &mut self,
        open: Vec<bool>,
        columns: &[(usize, &[(u32, f64)])],
    ) -> Vec<(usize, usize)> {
        *self = Inverse::identity();
        let candidates: Vec<PivotCandidate<'_>> =
            columns.iter().map(|&(column, entries)| PivotCandidate { column, entries }).collect();
        let order = PivotOrder::of(open, &candidates);
        let mut assigned = Vec::with_capacity(columns.len());
        for &(candidate_idx, row) in order.first.iter().chain(order.last.iter()) {
            assigned.push((candidates[candidate_idx].column, row));
        }
        for &(candidate_idx, row) in &order.first {
            self.push_unchanged(row, candidates[candidate_idx].entries);
        }
        self.eliminate_core(&candidates, &order, &mut assigned);
        for &(candidate_idx, row) in order.last.iter().rev() {
            self.push_unchanged(row, candidates[candidate_idx].entries);
        }
        self.n_factors_rebuilt = self.factors.len();
        assigned
    }

    fn eliminate_core(
        &mut self,
        candidates: &[PivotCandidate<'_>],
        order: &PivotOrder,
        assigned: &mut Vec<(usize, usize)>,
    ) {
        let mut open = order.core_rows.clone();
        let mut v = vec![0.0; order.n_per_row.len()];
        for &candidate_idx in &order.core {
            v.fill(0.0);
            for &(row, entry) in candidates[candidate_idx].entries {
                v[row as usize] = entry;
            }
            self.apply(&mut v);
            let Some(row) = core_pivot(&v, &open, &order.n_per_row) else { continue };
            open.retain(|&other| other != row);
            assigned.push((candidates[candidate_idx].column, row));
            self.pivot(row, &v);
        }
    }

    fn push_unchanged(&mut self, row: usize, entries: &[(u32, f64)]) {
        let start = self.entries.len();
        let mut pivot = 0.0;
        for &(r, entry) in entries {
            if r as usize == row {
                pivot = entry;
            } else {
                self.entries.push((r, entry));
            }
        }
        self.push_factor(row as u32, pivot, start);
    }

    fn push_factor(&mut self, row: u32, pivot: f64, start: usize) {
        let end = self.entries.len();
        self.factors.push(Factor { row, inverse_pivot: pivot.recip(), start, end });
    }
}

/// The largest entry on an open row, or a nearly as large one on a sparser row.
fn core_pivot(v: &[f64], open: &[usize], n_per_row: &[u32]) -> Option<usize> {
    let largest = open.iter().map(|&row| v[row].abs()).fold(0.0, f64::max);
    if largest < SMALLEST_PIVOT {
        return None;
    }
    let large = open.iter().copied().filter(|&row| v[row].abs() >= PIVOT_THRESHOLD * largest);
    large.min_by_key(|&row| n_per_row[row])
}

/// Columns with their pivot rows.
type Pairs = Vec<(usize, usize)>;

/// In which order columns enter: `first` as found, then `core` with elimination,
/// then `last` backwards.
struct PivotOrder {
    /// Column and row, where no later column has an entry on the row.
    first: Pairs,
    /// Columns that need elimination.
    core: Vec<usize>,
    /// The rows on which they may pivot.
    core_rows: Vec<usize>,
    /// Column and row, where the column has no entry on a row of the core.
    last: Pairs,
    /// Number of core columns with an entry on each row.
    n_per_row: Vec<u32>,
}

struct Peeling<'c> {
    candidates: &'c [PivotCandidate<'c>],
    by_row: Vec<Vec<u32>>,
    n_per_row: Vec<u32>,
    n_per_column: Vec<u32>,
    row_open: Vec<bool>,
    column_open: Vec<bool>,
}

impl PivotOrder {
    fn of(open: Vec<bool>, candidates: &[PivotCandidate<'_>]) -> PivotOrder {
        let mut peeling = Peeling::new(open, candidates);
        let (first, last) = peeling.peel();
        let mut core: Vec<usize> =
            (0..candidates.len()).filter(|&idx| peeling.column_open[idx]).collect();
        core.sort_by_key(|&idx| peeling.n_per_column[idx]);
        let core_rows = (0..peeling.row_open.len()).filter(|&row| peeling.row_open[row]).collect();
        PivotOrder { first, core, core_rows, last, n_per_row: peeling.n_per_row }
    }
}

impl<'c> Peeling<'c> {
    fn new(row_open: Vec<bool>, candidates: &'c [PivotCandidate<'c>]) -> Peeling<'c> {
        let mut by_row = vec![Vec::new(); row_open.len()];
        for (idx, candidate) in candidates.iter().enumerate() {
            for &(row, _) in candidate.entries {
                by_row[row as usize].push(idx as u32);
            }
        }
        let n_open = |candidate: &PivotCandidate<'_>| {
            candidate.entries.iter().filter(|&&(row, _)| row_open[row as usize]).count() as u32
        };
        Peeling {
            candidates,
            n_per_row: by_row.iter().map(|columns: &Vec<u32>| columns.len() as u32).collect(),
            by_row,
            n_per_column: candidates.iter().map(n_open).collect(),
            row_open,
            column_open: vec![true; candidates.len()],
        }
    }

    /// Takes away rows with one open column and columns with one open row, as
    /// long as there are any.
    fn peel(&mut self) -> (Pairs, Pairs) {
        let (mut first, mut last) = (Vec::new(), Vec::new());
        let mut columns: Vec<usize> =
            (0..self.candidates.len()).filter(|&idx| self.n_per_column[idx] == 1).collect();
        let mut rows: Vec<usize> =
            (0..self.by_row.len()).filter(|&row| self.n_per_row[row] == 1).collect();
        loop {
            let pair = if let Some(column) = columns.pop() {
                let pair = self.row_of_single(column).map(|row| (column, row));
                last.extend(pair);
                pair
            } else if let Some(row) = rows.pop() {
                let pair = self.column_of_single(row).map(|column| (column, row));
                first.extend(pair);
                pair
            } else {
                return (first, last);
            };
            if let Some((column, row)) = pair {
                self.close(column, row, &mut columns, &mut rows);
            }
        }
    }

    fn row_of_single(&self, column: usize) -> Option<usize> {
        let open = self.column_open[column] && self.n_per_column[column] == 1;
        let mut rows = self.candidates[column].entries.iter().map(|&(row, _)| row as usize);
        rows.find(|&row| open && self.row_open[row])
    }

    fn column_of_single(&self, row: usize) -> Option<usize> {
        let open = self.row_open[row] && self.n_per_row[row] == 1;
        let mut columns = self.by_row[row].iter().map(|&column| column as usize);
        columns.find(|&column| open && self.column_open[column])
    }

    fn close(
        &mut self,
        column: usize,
        row: usize,
        columns: &mut Vec<usize>,
        rows: &mut Vec<usize>,
    ) {
        self.column_open[column] = false;
        self.row_open[row] = false;
        for &(r, _) in self.candidates[column].entries {
            let r = r as usize;
            self.n_per_row[r] -= 1;
            if self.row_open[r] && self.n_per_row[r] == 1 {
                rows.push(r);
            }
        }
        for &c in &self.by_row[row] {
            let c = c as usize;
            self.n_per_column[c] -= 1;
            if self.column_open[c] && self.n_per_column[c] == 1 {
                columns.push(c);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Inverse;

    /// Builds the inverse of columns that pivot somewhere and multiplies each back.
    fn check(n_rows: usize, columns: &[Vec<(u32, f64)>]) {
        let named: Vec<(usize, &[(u32, f64)])> =
            columns.iter().enumerate().map(|(idx, column)| (idx, column.as_slice())).collect();
        let mut inverse = Inverse::identity();
        let assigned = inverse.rebuild(vec![true; n_rows], &named);
        assert_eq!(assigned.len(), columns.len());
        for (column, pivot_row) in assigned {
            let mut v = vec![0.0; n_rows];
            columns[column].iter().for_each(|&(row, entry)| v[row as usize] = entry);
            inverse.apply(&mut v);
            for (row, value) in v.iter().enumerate() {
                let wanted = f64::from(u8::from(row == pivot_row));
                assert!((value - wanted).abs() < 1e-9, "column {column}, row {row}: {value}");
            }
        }
    }

    #[test]
    fn a_triangular_basis_is_inverted() {
        check(3, &[vec![(0, 2.0), (1, 1.0)], vec![(1, -1.0), (2, 3.0)], vec![(2, 4.0)]]);
    }

    #[test]
    fn a_basis_with_a_core_is_inverted() {
        let columns = [
            vec![(0, 1.0), (1, -1.0), (3, 1.0)],
            vec![(1, 1.0), (2, -1.0)],
            vec![(0, 1.0), (2, 1.0), (4, 2.0)],
            vec![(3, 5.0), (2, 1.0)],
        ];
        check(6, &columns);
    }

    #[test]
    fn a_dependent_column_is_left_out() {
        let columns = [vec![(0, 1.0), (1, 1.0)], vec![(0, 2.0), (1, 2.0)]];
        let named: Vec<(usize, &[(u32, f64)])> =
            columns.iter().enumerate().map(|(idx, column)| (idx, column.as_slice())).collect();
        assert_eq!(Inverse::identity().rebuild(vec![true; 2], &named).len(), 1);
    }
}
