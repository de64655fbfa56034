//! Turns names of one language into distinct identifiers of another.

use std::collections::{BTreeMap, BTreeSet};

/// One identifier per name: letters, digits and `_`, not beginning with a digit,
/// distinct, and none of `reserved`. Names that fit already stay as they are.
pub(crate) fn identifiers(names: &[String], reserved: &[&str]) -> Vec<String> {
    let fits = |name: &str| name == sanitized(name) && !reserved.contains(&name);
    let mut taken: BTreeSet<String> = names.iter().filter(|name| fits(name)).cloned().collect();
    taken.extend(reserved.iter().map(|&word| word.to_owned()));
    let mut given: BTreeSet<&str> = BTreeSet::new();
    let mut suffixes: BTreeMap<String, u64> = BTreeMap::new();
    let mut identifiers = Vec::with_capacity(names.len());
    for name in names {
        if fits(name) && given.insert(name) {
            identifiers.push(name.clone());
            continue;
        }
        let base = sanitized(name);
        let suffix = suffixes.entry(base.clone()).or_insert(1);
        let mut candidate = base.clone();
        while !taken.insert(candidate.clone()) {
            *suffix += 1;
            candidate = format!("{base}_{suffix}");
        }
        identifiers.push(candidate);
    }
    identifiers
}

fn sanitized(name: &str) -> String {
    let mut identifier: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !identifier.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        identifier.insert(0, '_');
    }
    identifier
}

#[cfg(test)]
mod tests {
    use super::identifiers;

    fn check(names: &[&str]) -> Vec<String> {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        identifiers(&names, &["in"])
    }

    #[test]
    fn fitting_names_stay_and_others_become_distinct() {
        assert_eq!(check(&["x", "y_1"]), ["x", "y_1"]);
        assert_eq!(check(&["a-b", "a_b", "a b", ""]), ["a_b_2", "a_b", "a_b_3", "_"]);
        assert_eq!(check(&["in", "7", "x", "x"]), ["in_2", "_7", "x", "x_2"]);
    }
}
