//! Sets of numbers at equal distances: the values that an input may have.
//!
//! Comparisons cut such a set into two of its kind, and so does a remainder: numbers with one
//! remainder are a set of the kind again.

/// The numbers `first`, `first + step`, and so on up to `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progression {
    /// The least.
    pub first: u64,
    /// The greatest: `first` plus a multiple of `step`.
    pub last: u64,
    /// The distance between neighbours; one where there are none.
    pub step: u64,
}

impl Progression {
    /// All numbers from `first` to `last`.
    pub fn all(first: u64, last: u64) -> Progression {
        Progression { first, last, step: 1 }
    }

    /// How many numbers lie behind the first.
    pub fn n_behind(self) -> u64 {
        (self.last - self.first) / self.step
    }

    /// Is it one number?
    pub fn is_single(self) -> bool {
        self.first == self.last
    }

    /// How far the last is from the first.
    pub fn length(self) -> u64 {
        self.last - self.first
    }

    /// The least member from `number` on.
    pub fn least_from(self, number: u64) -> Option<u64> {
        let above = number.saturating_sub(self.first);
        let member = self.first.checked_add(above.div_ceil(self.step).checked_mul(self.step)?)?;
        (member <= self.last).then_some(member)
    }

    /// The greatest member up to `number`.
    pub fn greatest_to(self, number: u64) -> Option<u64> {
        let above = number.min(self.last).checked_sub(self.first)?;
        Some(self.first + above / self.step * self.step)
    }

    /// The members from `first` to `last`, if there are any.
    pub fn within(self, first: u64, last: u64) -> Option<Progression> {
        let (first, last) = (self.least_from(first)?, self.greatest_to(last)?);
        (first <= last).then(|| Progression { first, last, ..self }.tidy())
    }

    /// The members of which every `n`-th is taken, from the one at `at` on.
    pub fn every(self, n: u64, at: u64) -> Option<Progression> {
        let first = self.first.checked_add(at.checked_mul(self.step)?)?;
        let step = match self.step.checked_mul(n) {
            Some(step) if first <= self.last => step,
            None if first <= self.last => return Some(Progression::all(first, first)),
            _ => return None,
        };
        let last = first + (self.last - first) / step * step;
        Some(Progression { first, last, step }.tidy())
    }

    /// The members.
    pub fn iter(self) -> impl Iterator<Item = u64> {
        (0..=self.n_behind()).map(move |n| self.first + n * self.step)
    }

    /// Equal sets are equal: a single number has no distance to others.
    fn tidy(self) -> Progression {
        if self.is_single() { Progression { step: 1, ..self } } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::Progression;

    fn sets() -> impl Iterator<Item = Progression> {
        let members = |first, step, n| Progression { first, last: first + step * n, step };
        let steps = (1..4).flat_map(move |step| (1..5).map(move |n| members(2, step, n)));
        steps.chain([Progression::all(3, 3), Progression::all(0, 6)])
    }

    #[test]
    fn cuts_keep_the_members_between_them() {
        for set in sets() {
            for first in 0..20 {
                for last in first..20 {
                    let wanted: Vec<u64> =
                        set.iter().filter(|it| (first..=last).contains(it)).collect();
                    let cut: Vec<u64> =
                        set.within(first, last).map_or(Vec::new(), |cut| cut.iter().collect());
                    assert_eq!(cut, wanted, "{set:?} within {first}..={last}");
                }
            }
        }
    }

    #[test]
    fn every_member_is_in_one_class() {
        for set in sets() {
            for n in 1..5 {
                let mut all: Vec<u64> =
                    (0..n).filter_map(|at| set.every(n, at)).flat_map(Progression::iter).collect();
                all.sort_unstable();
                assert_eq!(all, set.iter().collect::<Vec<_>>(), "{set:?} by {n}");
            }
        }
    }

    #[test]
    fn the_ends_of_the_numbers_are_no_trouble() {
        let all = Progression::all(0, u64::MAX);
        assert_eq!(all.within(5, u64::MAX), Some(Progression::all(5, u64::MAX)));
        let odd = all.every(2, 1).expect("there are odd numbers");
        assert_eq!((odd.first, odd.last, odd.step), (1, u64::MAX, 2));
        assert_eq!(odd.least_from(u64::MAX), Some(u64::MAX));
        assert_eq!(all.every(1 << 63, 5).map(|it| it.last), Some((1 << 63) + 5));
    }
}
