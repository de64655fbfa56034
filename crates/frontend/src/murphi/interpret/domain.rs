//! The values of a domain, in order, and the instances of a rule.

use super::super::layout::Layouts;
use super::super::typed::TypeId;
use super::super::typed::{Binder, Domain, Expr, ExprKind, Types};

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
    pub(super) fn take(&mut self, types: &Types) -> Option<i64> {
        match self {
            Values::Codes { ty, code } => {
                let value = types.value_of(*ty, *code)?;
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
        Binder::Each { domain: Domain::Type(ty), .. } => types.n_values(*ty),
        Binder::Each { domain: Domain::Range { from, to, by }, .. } => {
            n_numbers(constant(from), constant(to), constant(by))
        }
        Binder::Choose { multiset, .. } => u64::from(layouts.of(multiset.ty).n_elements),
        Binder::Alias { .. } => 1,
    }
}

/// The value of number `idx` of the values that a domain with constant bounds has.
pub(in crate::murphi) fn instance_value(types: &Types, domain: &Domain, idx: u64) -> Option<i64> {
    match domain {
        Domain::Type(ty) => types.value_of(*ty, idx.checked_add(1)?),
        Domain::Range { from, by, .. } => {
            let distance = i128::from(idx) * i128::from(constant(by));
            i64::try_from(i128::from(constant(from)) + distance).ok()
        }
    }
}

fn n_numbers(from: i64, to: i64, by: i64) -> u64 {
    if by == 0 {
        return 0;
    }
    let (from, to, by) = (i128::from(from), i128::from(to), i128::from(by));
    let last = (to - from) / by;
    if (to - from) * by.signum() < 0 { 0 } else { u64::try_from(last + 1).unwrap_or(u64::MAX) }
}

/// The value of an expression that is constant by contract.
fn constant(expr: &Expr) -> i64 {
    match expr.kind {
        ExprKind::Constant(value) => value,
        _ => expr.bounds.0,
    }
}

#[cfg(test)]
mod tests {
    use super::{Types, Values, n_numbers};

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
            let types = Types::default();
            let mut n = 0;
            while values.take(&types).is_some() {
                n += 1;
            }
            assert_eq!(n, n_numbers(from, to, by));
        }
        assert_eq!(n_numbers(i64::MIN, i64::MAX, 1), u64::MAX);
    }
}
