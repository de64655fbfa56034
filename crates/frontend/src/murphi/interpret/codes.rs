//! The codes of the values of simple types, in a table.
//!
//! It says what [`Types::value_of`] and [`Types::code_of`] say, which look at the members of
//! unions anew each time: these took a third of the time of some models.

use super::super::typed::{TypeId, TypeKind, Types};

/// The codes of all types of a model.
#[derive(Clone, Debug, Default)]
pub(super) struct Codes {
    /// By type. None for types that are not simple.
    runs: Vec<Vec<Run>>,
}

/// Values that follow each other, as their codes do.
#[derive(Clone, Copy, Debug)]
struct Run {
    first_value: i64,
    first_code: u64,
    n_values: u64,
}

impl Codes {
    pub(super) fn new(types: &Types) -> Codes {
        let ids = (0..types.all.len() as u32).map(TypeId);
        Codes { runs: ids.map(|ty| runs(types, ty)).collect() }
    }

    /// The value with this code. `None` when the type has no such code.
    pub(super) fn value_of(&self, ty: TypeId, code: u64) -> Option<i64> {
        self.runs[ty.0 as usize].iter().find_map(|run| {
            let distance = code.checked_sub(run.first_code)?;
            (distance < run.n_values).then(|| run.first_value.wrapping_add_unsigned(distance))
        })
    }

    /// The code of a value. `None` when the type has no such value.
    pub(super) fn code_of(&self, ty: TypeId, value: i64) -> Option<u64> {
        self.runs[ty.0 as usize].iter().find_map(|run| {
            let distance = u64::try_from(value.checked_sub(run.first_value)?).ok()?;
            (distance < run.n_values).then_some(run.first_code + distance)
        })
    }
}

/// One run for each member of a union, in their order, and one for any other simple type.
fn runs(types: &Types, ty: TypeId) -> Vec<Run> {
    let members = match types.kind(ty) {
        TypeKind::Union { members } => &members[..],
        _ if types.is_simple(ty) => &[ty],
        _ => &[],
    };
    let mut first_code = 1;
    let run = |member: &TypeId| {
        let n_values = types.n_values(*member);
        let run = Run { first_value: types.first_value(*member), first_code, n_values };
        first_code = first_code.saturating_add(n_values);
        run
    };
    members.iter().map(run).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::types::Type;
    use super::{Codes, TypeId, TypeKind, Types};

    #[test]
    fn the_table_says_what_the_types_say() {
        let literals = vec!["a".to_owned(), "b".to_owned()];
        let kinds = [
            TypeKind::Range { first: -3, last: 4 },
            TypeKind::Enum { base: 10, literals },
            TypeKind::Scalarset { base: 20, n_elements: 3 },
            TypeKind::Union { members: vec![TypeId(2), TypeId(1)] },
            TypeKind::Slot { capacity: 2 },
            TypeKind::Range { first: i64::MAX - 1, last: i64::MAX },
            TypeKind::Array { index: TypeId(1), element: TypeId(0) },
        ];
        let all = kinds.into_iter().map(|kind| Type { name: String::new(), kind });
        let types = Types { all: all.collect() };
        let codes = Codes::new(&types);
        for ty in (0..6).map(TypeId) {
            for code in (0..12).chain([u64::MAX]) {
                assert_eq!(codes.value_of(ty, code), types.value_of(ty, code));
            }
            for value in (-5..30).chain([i64::MIN, i64::MAX - 1, i64::MAX]) {
                assert_eq!(codes.code_of(ty, value), types.code_of(ty, value));
            }
        }
        assert_eq!(codes.value_of(TypeId(6), 1), None);
    }
}
