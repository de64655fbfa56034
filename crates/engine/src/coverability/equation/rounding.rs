//! Produces small integers in nearly the same proportions as given numbers.

use super::effects::gcd;

/// Denominators tried, small ones first: they give readable weights. A vertex with
/// larger ones is more likely noise than a certificate.
const MAX_DENOMINATORS: [u64; 6] = [1, 12, 120, 5_000, 100_000, 10_000_000];
/// How far a fraction may be from the number it stands for, relative to it.
const CLOSENESS: f64 = 1e-6;
/// Numbers below this, relative to the largest, are rounding noise.
const NOISE: f64 = 1e-9;
/// Integers above this would not be readable, and sums of them not surely exact.
const MAX_INTEGER: u64 = 1 << 40;

/// Candidate vectors of integers for non-negative numbers, simplest first.
/// None is guaranteed to be close enough: callers check.
pub(super) fn integers(numbers: &[f64]) -> impl Iterator<Item = Vec<i64>> {
    let largest = numbers.iter().copied().fold(0.0, f64::max);
    let clean: Vec<f64> =
        numbers.iter().map(|&number| if number > NOISE * largest { number } else { 0.0 }).collect();
    let smallest = clean.iter().copied().filter(|&n| n > 0.0).fold(f64::INFINITY, f64::min);
    let relative: Vec<f64> = clean.iter().map(|&number| number / smallest).collect();
    let usable = smallest.is_finite() && largest.is_finite();
    let denominators = MAX_DENOMINATORS.iter().filter(move |_| usable);
    denominators
        .flat_map(move |&max| [proportional(&clean, max), proportional(&relative, max)])
        .flatten()
}

/// Fractions with denominators up to `max_denominator`, times what they have in
/// common.
fn proportional(numbers: &[f64], max_denominator: u64) -> Option<Vec<i64>> {
    let fractions: Vec<(u64, u64)> = numbers
        .iter()
        .map(|&number| nearest_fraction(number, max_denominator))
        .collect::<Option<_>>()?;
    let mut common = 1u64;
    for &(_, denominator) in &fractions {
        common = (common / gcd(common, denominator)).checked_mul(denominator)?;
        if common > MAX_INTEGER {
            return None;
        }
    }
    let scaled: Vec<u64> = fractions
        .iter()
        .map(|&(numerator, denominator)| numerator.checked_mul(common / denominator))
        .collect::<Option<_>>()?;
    let divisor = scaled.iter().fold(0, |acc, &n| gcd(acc, n)).max(1);
    scaled
        .iter()
        .map(|&n| i64::try_from(n / divisor).ok().filter(|_| n / divisor <= MAX_INTEGER))
        .collect()
}

/// The first convergent of the continued fraction that is close enough.
fn nearest_fraction(number: f64, max_denominator: u64) -> Option<(u64, u64)> {
    if !number.is_finite() || !(0.0..MAX_INTEGER as f64).contains(&number) {
        return None;
    }
    let (mut before, mut now) = ((0u64, 1u64), (1u64, 0u64));
    let mut rest = number;
    loop {
        let whole = rest.floor();
        if whole >= MAX_INTEGER as f64 {
            return None;
        }
        let next = (
            (whole as u64).checked_mul(now.0)?.checked_add(before.0)?,
            (whole as u64).checked_mul(now.1)?.checked_add(before.1)?,
        );
        if next.1 > max_denominator {
            return None;
        }
        (before, now) = (now, next);
        if (now.0 as f64 / now.1 as f64 - number).abs() <= CLOSENESS * number.max(NOISE) {
            return Some(now);
        }
        rest = (rest - whole).recip();
    }
}

#[cfg(test)]
mod tests {
    use super::integers;

    #[test]
    fn thirds_and_halves_become_integers() {
        let found = integers(&[1.0 / 3.0, 0.5, 0.0, 1.0]).next();
        assert_eq!(found, Some(vec![2, 3, 0, 6]));
    }

    #[test]
    fn noise_becomes_zero_and_common_factors_vanish() {
        assert_eq!(integers(&[4.000_000_001, 1e-12, 2.0]).next(), Some(vec![2, 0, 1]));
    }

    #[test]
    fn numbers_without_sense_have_no_candidates() {
        assert_eq!(integers(&[f64::NAN, f64::INFINITY]).next(), None);
        assert_eq!(integers(&[0.0]).next(), None);
        assert_eq!(integers(&[]).next(), None);
    }
}
