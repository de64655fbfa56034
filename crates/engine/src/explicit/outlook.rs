//! How many states a breadth-first search will find in all, roughly.
//!
//! Levels grow, then shrink, and the logarithms of their sizes bend downwards most of the
//! time. A parabola through the last two thirds of them is drawn on until it ends. This is
//! for the progress line alone; no answer depends on it. While the levels still grow, or
//! where the curve ends too far away to mean anything, nothing is said.
//!
//! On five models of the public suites (german four times, an MCS lock), from where it
//! says something on to the end, it says 0.7 to 1.6 times the number that it is, and 0.9 to
//! 1.3 times from the middle on. The window and the rule about growth were chosen on these
//! same searches, out of four, so others may do worse.

/// Fewer levels than this say nothing.
const FEWEST_LEVELS: usize = 16;

/// Levels that the curve is laid through: the last two thirds.
fn n_used(n_levels: usize) -> usize {
    n_levels * 2 / 3
}

/// Growth from level to level, as a logarithm, up to which they count as not growing.
const HARDLY_GROWS: f64 = 0.05;

/// More than this many times the states that are known is not worth telling.
const FARTHEST: f64 = 50.0;

/// Levels that the curve is drawn on for, at most.
const MOST_LEVELS: u32 = 100_000;

/// The sizes of the levels so far.
#[derive(Default)]
pub(super) struct Outlook {
    sizes: Vec<u64>,
}

impl Outlook {
    /// One more level was found.
    pub(super) fn add(&mut self, n_states: u64) {
        self.sizes.push(n_states);
    }

    /// The number of all states, if it can be told.
    pub(super) fn n_expected(&self) -> Option<u64> {
        let n_levels = self.sizes.len();
        if n_levels < FEWEST_LEVELS {
            return None;
        }
        let recent = &self.sizes[n_levels - n_used(n_levels)..];
        let curve = Parabola::through(recent)?;
        let n_known: f64 = self.sizes.iter().map(|&size| size as f64).sum();
        let n_ahead = curve.rest_after(recent.len())?;
        (n_ahead <= FARTHEST * n_known).then_some((n_known + n_ahead) as u64)
    }
}

/// The logarithm of a level's size over its number.
struct Parabola {
    constant: f64,
    slope: f64,
    bend: f64,
}

impl Parabola {
    /// The one nearest to these sizes, with the last level at 0 and those before it at
    /// negative numbers; `None` if it does not bend down, or rises there.
    fn through(sizes: &[u64]) -> Option<Parabola> {
        let n_before = sizes.len() as f64 - 1.0;
        let points = sizes.iter().enumerate();
        let points = points.map(|(idx, &size)| (idx as f64 - n_before, (size.max(1) as f64).ln()));
        // The sums of the least-squares equations: of x^0 to x^4, and of y x^0 to y x^2.
        let (mut powers, mut moments) = ([0.0f64; 5], [0.0f64; 3]);
        for (x, y) in points {
            let mut power = 1.0;
            for (degree, sum) in powers.iter_mut().enumerate() {
                *sum += power;
                if let Some(moment) = moments.get_mut(degree) {
                    *moment += y * power;
                }
                power *= x;
            }
        }
        let rows = [0, 1, 2].map(|row| [powers[row], powers[row + 1], powers[row + 2]]);
        let [constant, slope, bend] = solved(rows, moments)?;
        let falls = bend < 0.0 && slope < HARDLY_GROWS;
        falls.then_some(Parabola { constant, slope, bend })
    }

    /// The states of all levels after the last; `None` if they come to no end.
    fn rest_after(&self, n_used: usize) -> Option<f64> {
        // One level more or less of noise must not move the end: start on the curve.
        let at = |x: f64| self.constant + x * (self.slope + x * self.bend);
        let mut sum = 0.0;
        for level in 1..MOST_LEVELS {
            let size = at(f64::from(level)).exp();
            if size < 1.0 {
                return Some(sum);
            }
            sum += size;
            // Drawn on for many times its length, a curve says nothing.
            if level as usize > 20 * n_used {
                return None;
            }
        }
        None
    }
}

/// The solution of three linear equations, by Cramer's rule; `None` if there is none.
fn solved(rows: [[f64; 3]; 3], right: [f64; 3]) -> Option<[f64; 3]> {
    let whole = determinant(&rows);
    if whole.abs() < f64::EPSILON {
        return None;
    }
    Some([0, 1, 2].map(|column| {
        let mut replaced = rows;
        for (row, value) in replaced.iter_mut().zip(right) {
            row[column] = value;
        }
        determinant(&replaced) / whole
    }))
}

fn determinant(rows: &[[f64; 3]; 3]) -> f64 {
    let minor = |a: usize, b: usize| rows[1][a] * rows[2][b] - rows[1][b] * rows[2][a];
    rows[0][0] * minor(1, 2) - rows[0][1] * minor(0, 2) + rows[0][2] * minor(0, 1)
}

#[cfg(test)]
mod tests {
    use super::Outlook;

    /// Levels whose sizes are the numbers of ways to choose from forty things.
    fn binomial() -> Vec<u64> {
        let mut sizes = vec![1u64];
        for level in 0..40u64 {
            sizes.push(sizes[level as usize] * (40 - level) / (level + 1));
        }
        sizes
    }

    #[test]
    fn the_end_of_a_bell_is_seen_from_its_top() {
        let sizes = binomial();
        let total: u64 = sizes.iter().sum();
        let mut outlook = Outlook::default();
        for (level, &size) in sizes.iter().enumerate() {
            outlook.add(size);
            let expected = outlook.n_expected();
            assert!(level >= 17 || expected.is_none(), "level {level}: {expected:?}");
            if level >= 22 {
                let ratio = expected.expect("the levels shrink") as f64 / total as f64;
                assert!((0.7..1.5).contains(&ratio), "level {level}: {ratio}");
            }
        }
    }

    #[test]
    fn nothing_is_said_of_levels_that_grow_or_are_few() {
        let mut outlook = Outlook::default();
        for level in 0..30 {
            outlook.add(1 << level);
            assert_eq!(outlook.n_expected(), None);
        }
        let mut outlook = Outlook::default();
        for size in [1, 5, 9, 5, 1] {
            outlook.add(size);
        }
        assert_eq!(outlook.n_expected(), None);
    }

    #[test]
    fn levels_of_one_size_or_of_none_are_no_trouble() {
        for size in [0, 1, 7] {
            let mut outlook = Outlook::default();
            for _ in 0..200 {
                outlook.add(size);
                // Rounding may bend the line either way; what counts is that it ends.
                let _ = outlook.n_expected();
            }
        }
    }
}
