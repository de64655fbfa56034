//! Names that can stand in a text: none is a keyword, and no two things have the same.

use std::collections::BTreeSet;

use crate::murphi::lex::is_reserved;

/// Words of other dialects, which would not be read as names there.
const RESERVED_ELSEWHERE: &[&str] = &["assume", "cover", "finalstate", "liveness", "real"];

/// The names that are taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// A name like the wanted one, which is taken from now on.
    pub(super) fn take(&mut self, wanted: &str) -> String {
        let base = spelled(wanted);
        let numbered = (2..).map(|n| format!("{base}_{n}"));
        let name = std::iter::once(base.clone())
            .chain(numbered)
            .find(|name| !self.taken.contains(name))
            .expect("there are more numbers than names");
        self.taken.insert(name.clone());
        name
    }

    /// The name is free again.
    pub(super) fn free(&mut self, name: &str) {
        self.taken.remove(name);
    }
}

/// The name with nothing in it that a name cannot have.
fn spelled(wanted: &str) -> String {
    let fits = |c: char| if c.is_alphanumeric() || c == '_' { c } else { '_' };
    let mut name: String = wanted.chars().map(fits).collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_numeric()) {
        name.insert(0, '_');
    }
    if is_reserved(&name) || RESERVED_ELSEWHERE.contains(&name.to_ascii_lowercase().as_str()) {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn names_are_words_and_differ() {
        let mut names = Names::default();
        assert_eq!(names.take("i"), "i");
        assert_eq!(names.take("i"), "i_2");
        assert_eq!(names.take("part of f"), "part_of_f");
        assert_eq!(names.take("EndRule"), "EndRule_");
        assert_eq!(names.take("3d"), "_3d");
        names.free("i");
        assert_eq!(names.take("i"), "i");
    }
}
