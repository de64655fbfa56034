//! Library functions, as small programs meet them.

#[test]
fn every_function_has_one_name() {
    let names: std::collections::BTreeSet<&str> =
        super::TABLE.entries.iter().map(|entry| entry.name).collect();
    assert_eq!(names.len(), super::TABLE.entries.len());
}
