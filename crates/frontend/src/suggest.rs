//! Guesses which known name a misspelt one was meant to be.

/// Comparing is quadratic in the length, so absurdly long names are not compared.
const MAX_COMPARED_LENGTH: usize = 64;

/// Names beyond this many are not looked at: a suggestion is a courtesy.
const MAX_COMPARED_NAMES: usize = 5000;

/// A `help:` text with the nearest of `known`, if one is near enough.
pub(crate) fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let limit = name.chars().count().div_ceil(3);
    let (_, best) = known
        .take(MAX_COMPARED_NAMES)
        .filter_map(|candidate| Some((distance(name, candidate)?, candidate)))
        .filter(|&(distance, _)| distance <= limit)
        .min()?;
    Some(format!("did you mean `{best}`?"))
}

/// The number of characters to insert, delete or replace.
fn distance(left: &str, right: &str) -> Option<usize> {
    if left.len().max(right.len()) > MAX_COMPARED_LENGTH {
        return None;
    }
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &r) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(l != r);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row.last().copied()
}

#[cfg(test)]
mod tests {
    use super::{did_you_mean, distance};

    #[test]
    fn the_nearest_name_is_suggested_and_a_far_one_is_not() {
        let known = ["lock", "idle", "busy"];
        let suggest = |name| did_you_mean(name, known.into_iter());
        assert_eq!(suggest("lok").as_deref(), Some("did you mean `lock`?"));
        assert_eq!(suggest("Busy").as_deref(), Some("did you mean `busy`?"));
        assert_eq!(suggest("counter"), None);
    }

    #[test]
    fn distance_counts_single_edits() {
        assert_eq!(distance("kitten", "sitting"), Some(3));
        assert_eq!(distance("", "abc"), Some(3));
        assert_eq!(distance("x", &"y".repeat(1000)), None);
    }
}
