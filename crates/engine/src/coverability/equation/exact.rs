//! Produces certificates in integers from the prices of a linear program, and
//! none that does not hold exactly.

use model::{LinearLemma, Refutation, Trap, Zone};

use super::effects::{Effects, RowMeaning};
use super::rounding::integers;

/// Weights of rows and multipliers of traps, in integers.
struct Weighting {
    /// Weights of the lemma, traps included.
    weights: Vec<i64>,
    /// Multipliers of the traps.
    multipliers: Vec<i64>,
}

/// The refutation that the prices stand for, if some rounding of them is one.
/// Prices are those of the rows, of the bound, and of the traps, in this order.
pub(super) fn refutation(
    effects: &Effects,
    traps: &[Vec<u32>],
    demand: &[(u32, i64)],
    prices: &[f64],
) -> Option<Refutation> {
    let n_rows = effects.n_rows();
    let relevant: Vec<f64> =
        prices[..n_rows].iter().chain(&prices[n_rows + 1..]).copied().collect();
    integers(&relevant).find_map(|rounded| {
        let weighting = Weighting::new(&rounded[..n_rows], &rounded[n_rows..], traps)?;
        let bound = weighting.proven_bound(effects)?;
        let excluded = weighting.demanded(demand, traps)? > i128::from(bound);
        excluded.then(|| weighting.into_refutation(effects, traps, bound))
    })
}

/// The lemma with these weights of rows, if it is one.
pub(super) fn lemma(effects: &Effects, weights: &[i64]) -> Option<LinearLemma> {
    let weighting = Weighting::new(weights, &[], &[])?;
    let bound = weighting.proven_bound(effects)?;
    Some(weighting.into_refutation(effects, &[], bound).lemma)
}

/// Does the fact that the sum never exceeds the bound exclude the whole zone?
/// Right only for non-negative counter weights.
pub(super) fn excludes(lemma: &LinearLemma, zone: &Zone) -> bool {
    let control = match lemma.controls.binary_search_by_key(&zone.control, |entry| entry.0) {
        Ok(idx) => i128::from(lemma.controls[idx].1),
        Err(_) => 0,
    };
    let counters = zone.bounds.iter().filter(|(_, bounds)| bounds.min > 0);
    let weighed = counters.filter_map(|(counter, bounds)| {
        let idx = lemma.counters.binary_search_by_key(counter, |entry| entry.0).ok()?;
        Some(i128::from(lemma.counters[idx].1) * i128::from(bounds.min))
    });
    // Products fit in 95 bits, so 2^32 counters cannot overflow the sum.
    control + weighed.sum::<i128>() > i128::from(lemma.bound)
}

/// What remains of the lemma when the traps are subtracted.
pub(super) fn combined(refutation: &Refutation) -> Option<LinearLemma> {
    let mut lemma = refutation.lemma.clone();
    for (trap, multiplier) in &refutation.traps {
        for control in &trap.controls {
            let idx = lemma.controls.binary_search_by_key(control, |entry| entry.0).ok()?;
            lemma.controls[idx].1 = lemma.controls[idx].1.checked_sub(*multiplier)?;
        }
        for counter in &trap.counters {
            let idx = lemma.counters.binary_search_by_key(counter, |entry| entry.0).ok()?;
            lemma.counters[idx].1 = lemma.counters[idx].1.checked_sub(*multiplier)?;
        }
        lemma.bound = lemma.bound.checked_sub(*multiplier)?;
    }
    Some(lemma)
}

impl Weighting {
    /// `None` when a number leaves its range.
    fn new(rows: &[i64], multipliers: &[i64], traps: &[Vec<u32>]) -> Option<Weighting> {
        let mut weights = rows.to_vec();
        for (trap, &multiplier) in traps.iter().zip(multipliers) {
            for &row in trap {
                weights[row as usize] = weights[row as usize].checked_add(multiplier)?;
            }
        }
        Some(Weighting { weights, multipliers: multipliers.to_vec() })
    }

    fn weigh(&self, entries: &[(u32, i64)]) -> Option<i128> {
        entries.iter().try_fold(0i128, |sum, &(row, amount)| {
            let weight = i128::from(self.weights[row as usize]);
            sum.checked_add(weight.checked_mul(i128::from(amount))?)
        })
    }

    /// The most that the sum is initially, if no transition increases it.
    fn proven_bound(&self, effects: &Effects) -> Option<i64> {
        for column in &effects.columns {
            self.weigh(column).filter(|&change| change <= 0)?;
        }
        let mut bound = 0;
        for initial in &effects.initial {
            bound = bound.max(self.weigh(initial)?);
        }
        i64::try_from(bound).ok()
    }

    /// What the demanded tokens weigh, and what the traps demand beyond them.
    fn demanded(&self, demand: &[(u32, i64)], traps: &[Vec<u32>]) -> Option<i128> {
        let mut sum = self.weigh(demand)?;
        for (trap, &multiplier) in traps.iter().zip(&self.multipliers) {
            let covered = demand.iter().filter(|(row, _)| trap.binary_search(row).is_ok());
            let covered: i128 = covered.map(|&(_, amount)| i128::from(amount)).sum();
            sum = sum.checked_add((1 - covered).checked_mul(i128::from(multiplier))?)?;
        }
        Some(sum)
    }

    fn into_refutation(self, effects: &Effects, traps: &[Vec<u32>], bound: i64) -> Refutation {
        let mut lemma = LinearLemma { controls: Vec::new(), counters: Vec::new(), bound };
        for (row, &weight) in self.weights.iter().enumerate().filter(|&(_, &weight)| weight != 0) {
            match effects.place(row) {
                RowMeaning::Control(control) => lemma.controls.push((control, weight)),
                RowMeaning::Counter(counter) => lemma.counters.push((counter, weight)),
            }
        }
        let used = traps.iter().zip(self.multipliers).filter(|&(_, multiplier)| multiplier > 0);
        let traps = used.map(|(rows, multiplier)| (named(effects, rows), multiplier)).collect();
        Refutation { lemma, traps }
    }
}

fn named(effects: &Effects, rows: &[u32]) -> Trap {
    let mut trap = Trap { controls: Vec::new(), counters: Vec::new() };
    for &row in rows {
        match effects.place(row as usize) {
            RowMeaning::Control(control) => trap.controls.push(control),
            RowMeaning::Counter(counter) => trap.counters.push(counter),
        }
    }
    trap
}
