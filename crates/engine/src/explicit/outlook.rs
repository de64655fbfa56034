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

/// Levels (or groups) that the curve is laid through: the last two thirds.
fn n_used(n_levels: usize) -> usize {
    n_levels * 2 / 3
}

/// Growth from level to level, as a logarithm, up to which they count as not growing.
const HARDLY_GROWS: f64 = 0.05;

/// More than this many times the states that are known is not worth telling.
const FARTHEST: f64 = 50.0;

/// Drawn on for more than so many times its length, a curve says nothing.
const LONGEST: usize = 20;

/// Groups of levels that are remembered, at most. Up to so many levels each is a group of
/// its own; then neighbours are put together, so that a curve costs the same however deep
/// the search is.
const MAX_GROUPS: usize = 512;

/// Groups of several levels between two curves: with those few, all curves of a search
/// together cost less than its levels.
const GROUPS_BETWEEN_CURVES: usize = 16;

/// The sizes of the levels so far.
pub(super) struct Outlook {
    /// States of each group of levels.
    groups: Vec<u64>,
    /// Levels of a group.
    width: u64,
    /// Levels after the last group, and their states.
    rest: (u64, u64),
    n_known: u64,
    /// What the last curve said, and the groups that may be added before the next one.
    last: (Option<u64>, usize),
    /// Points of curves that were computed: what all this has cost.
    n_points: u64,
}

impl Default for Outlook {
    fn default() -> Outlook {
        Outlook {
            groups: Vec::new(),
            width: 1,
            rest: (0, 0),
            n_known: 0,
            last: (None, 0),
            n_points: 0,
        }
    }
}

impl Outlook {
    /// One more level was found.
    pub(super) fn add(&mut self, n_states: u64) {
        self.n_known += n_states;
        let (n_levels, sum) = self.rest;
        self.rest = (n_levels + 1, sum + n_states);
        if self.rest.0 < self.width {
            return;
        }
        self.groups.push(self.rest.1);
        self.rest = (0, 0);
        self.last.1 = self.last.1.saturating_sub(1);
        if self.groups.len() == MAX_GROUPS {
            self.groups = self.groups.chunks(2).map(|pair| pair.iter().sum()).collect();
            self.width *= 2;
        }
    }

    /// The number of all states, if it can be estimated.
    pub(super) fn n_expected(&mut self) -> Option<u64> {
        if self.last.1 == 0 {
            let n_until_next = if self.width == 1 { 1 } else { GROUPS_BETWEEN_CURVES };
            self.last = (self.drawn_on(), n_until_next);
        }
        self.last.0
    }

    fn drawn_on(&mut self) -> Option<u64> {
        let n_groups = self.groups.len();
        if n_groups < FEWEST_LEVELS {
            return None;
        }
        let recent = &self.groups[n_groups - n_used(n_groups)..];
        self.n_points += recent.len() as u64;
        let curve = Parabola::through(recent)?;
        let n_ahead = curve.rest_after(recent.len(), self.width as f64, &mut self.n_points)?;
        let n_known = self.n_known as f64;
        (n_ahead <= FARTHEST * n_known).then_some((n_known + n_ahead) as u64)
    }
}

/// The logarithm of a group's size over its number.
struct Parabola {
    constant: f64,
    slope: f64,
    bend: f64,
}

impl Parabola {
    /// The one nearest to these sizes, with the last group at 0 and those before it at
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

    /// The states of all groups of `width` levels after the last, where levels of less than
    /// one state are the end; `None` if they come to no end. Counts the points it computes.
    fn rest_after(&self, n_used: usize, width: f64, n_points: &mut u64) -> Option<f64> {
        // One level more or less of noise must not move the end: start on the curve.
        let at = |x: f64| self.constant + x * (self.slope + x * self.bend);
        let mut sum = 0.0;
        for group in 1..=n_used * LONGEST {
            *n_points += 1;
            let size = at(group as f64).exp();
            if size < width {
                return Some(sum);
            }
            sum += size;
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
    fn a_bell_of_many_levels_is_seen_as_one_of_few() {
        // Each level of the bell a hundred times over.
        let sizes = binomial().into_iter().flat_map(|size| vec![size; 100]);
        let total: u64 = sizes.clone().sum();
        let mut outlook = Outlook::default();
        for (level, size) in sizes.enumerate() {
            outlook.add(size);
            let expected = outlook.n_expected();
            if level >= 2300 {
                let ratio = expected.expect("the levels shrink") as f64 / total as f64;
                assert!((0.7..1.5).contains(&ratio), "level {level}: {ratio}");
            }
        }
    }

    #[test]
    fn regress_a_level_costs_the_same_however_deep_it_is() {
        let flat = |_: u64| 7u64;
        let bell = |level: u64| ((1.0 - (level as f64 / 5e5 - 1.0).powi(2)) * 20.0).exp() as u64;
        for size_at in [&flat as &dyn Fn(u64) -> u64, &bell] {
            let mut outlook = Outlook::default();
            let mut n_points_halfway = 0;
            for level in 0..1_000_000 {
                outlook.add(size_at(level));
                outlook.n_expected();
                if level == 500_000 {
                    n_points_halfway = outlook.n_points;
                }
            }
            assert!(outlook.n_points > 100, "a curve was drawn");
            assert!(outlook.n_points < 4_000_000, "{}", outlook.n_points);
            assert!(outlook.n_points - n_points_halfway < 500_000);
        }
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
