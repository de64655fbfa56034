//! Keeps the values of all variables of a run, and tells what each step changes.

use std::collections::BTreeMap;

use model::Field;
use serde::Serialize;

use crate::layout::plain;

/// A variable: the group that it belongs to and its name there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Variable {
    pub group: usize,
    pub name: String,
}

/// A variable by number, and its new value; `None` when it is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Change(pub usize, pub Option<String>);

/// The values at one moment of a run.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    variables: Vec<Variable>,
    /// Numbers by group, name, and how many before it have both.
    numbers: BTreeMap<(usize, String, usize), usize>,
    /// The present values of each group.
    values: Vec<BTreeMap<usize, String>>,
}

impl Ledger {
    /// All variables that were ever seen.
    pub fn into_variables(self) -> Vec<Variable> {
        self.variables
    }

    /// Takes the fields of a group as they are now, and says what changed.
    pub fn update(&mut self, group: usize, fields: &[Field]) -> Vec<Change> {
        if self.values.len() <= group {
            self.values.resize(group + 1, BTreeMap::new());
        }
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        let mut present = BTreeMap::new();
        for field in fields {
            let n_before = seen.entry(&field.name).or_default();
            let number = self.number(group, &field.name, *n_before);
            *n_before += 1;
            present.insert(number, plain(&field.value));
        }
        let before = std::mem::replace(&mut self.values[group], present);
        let present = &self.values[group];
        let changed = present.iter().filter(|(number, value)| before.get(number) != Some(value));
        let mut changes: Vec<Change> =
            changed.map(|(number, value)| Change(*number, Some(value.clone()))).collect();
        let gone = before.keys().filter(|number| !present.contains_key(number));
        changes.extend(gone.map(|number| Change(*number, None)));
        changes
    }

    fn number(&mut self, group: usize, name: &str, n_before: usize) -> usize {
        let next = self.variables.len();
        let number = *self.numbers.entry((group, name.to_owned(), n_before)).or_insert(next);
        if number == next {
            self.variables.push(Variable { group, name: plain(name) });
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use model::Field;

    use super::{Change, Ledger};

    fn field(name: &str, value: &str) -> Field {
        Field { name: name.to_owned(), value: value.to_owned() }
    }

    #[test]
    fn only_differences_are_told_and_names_may_be_shared() {
        let mut ledger = Ledger::default();
        ledger.update(0, &[field("x", "1"), field("x", "2")]);
        let changes = ledger.update(0, &[field("x", "1"), field("x", "3"), field("y", "0")]);
        assert_eq!(changes, [Change(1, Some("3".into())), Change(2, Some("0".into()))]);
        assert_eq!(ledger.update(0, &[field("y", "0")]), [Change(0, None), Change(1, None)]);
        assert_eq!(ledger.into_variables().len(), 3);
    }
}
