//! The values of a domain, in order, and the instances of a rule.

use super::super::layout::Layouts;
use super::super::typed::{Binder, TypeId, Types};
use super::codes::Codes;

/// The values that a bound name still takes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Values {
    /// The values of a type from this code on.
    Codes { ty: TypeId, code: u64 },
    /// Numbers.
    Numbers { next: Option<i64>, to: i64, by: i64 },
}

impl Values {
    /// All values of a simple type.
    pub(super) fn of_type(ty: TypeId) -> Values {
        Values::Codes { ty, code: 1 }
    }

    /// `from`, `from + by`, … while not beyond `to`; `by` is not zero.
    pub(super) fn of_range(from: i64, to: i64, by: i64) -> Values {
        Values::Numbers { next: Some(from), to, by }
    }

    /// The next value.
    pub(super) fn take(&mut self, codes: &Codes) -> Option<i64> {
        match self {
            Values::Codes { ty, code } => {
                let value = codes.value_of(*ty, *code)?;
                // At the last code there is, the next one is no code: code 0.
                *code = code.wrapping_add(1);
                Some(value)
            }
            Values::Numbers { next, to, by } => {
                let value = (*next)?;
                if (*by > 0 && value > *to) || (*by < 0 && value < *to) {
                    return None;
                }
                *next = value.checked_add(*by);
                Some(value)
            }
        }
    }
}

/// Number of instances that a binder contributes.
pub(in crate::murphi) fn n_instances(types: &Types, layouts: &Layouts, binder: &Binder) -> u64 {
    match binder {
        Binder::Each { domain, .. } => domain.n_values(types),
        Binder::Choose { multiset, .. } => u64::from(layouts.of(multiset.ty).n_elements),
        Binder::Alias { .. } => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::typed::n_numbers;
    use super::{Codes, Values};

    #[test]
    fn ranges_end_at_their_bound_and_at_the_end_of_numbers() {
        for (from, to, by) in [
            (0, 3, 1),
            (3, 1, 1),
            (3, 1, -1),
            (0, 7, 3),
            (7, 0, -3),
            (i64::MAX - 1, i64::MAX, 1),
            (i64::MIN + 1, i64::MIN, -1),
        ] {
            let mut values = Values::of_range(from, to, by);
            let codes = Codes::default();
            let mut n = 0;
            while values.take(&codes).is_some() {
                n += 1;
            }
            assert_eq!(Some(n), n_numbers(from, to, by));
        }
        assert_eq!(n_numbers(i64::MIN, i64::MAX, 1), None);
        assert_eq!(n_numbers(i64::MIN, i64::MAX - 1, 1), Some(u64::MAX));
    }
}
