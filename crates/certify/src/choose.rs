//! Enumerates the ways to distribute tokens, and refuses to enumerate too many.

use crate::rejection::Rejection;

/// Chosen so that one enumeration stays below a second and some hundred megabytes.
pub(crate) const MOST_CASES: usize = 100_000;

/// One way to distribute tokens: option and number of tokens, options ascending,
/// numbers positive.
pub(crate) type Way = Vec<(usize, u32)>;

/// All ways to distribute `n_tokens` over the options `0..n_options`. Without an
/// option only zero tokens can be distributed.
pub(crate) fn ways(n_tokens: u32, n_options: usize) -> Result<Vec<Way>, Rejection> {
    let mut complete = Vec::new();
    let mut open = vec![(0, n_tokens, Way::new())];
    while let Some((first, left, chosen)) = open.pop() {
        if left == 0 {
            complete.push(chosen);
        } else {
            for option in first..n_options {
                // The last option takes all that is left, so no way is a dead end.
                let least = if option + 1 == n_options { left } else { 1 };
                for taken in least..=left {
                    let mut longer = chosen.clone();
                    longer.push((option, taken));
                    open.push((option + 1, left - taken, longer));
                    within(open.len(), "ways to distribute tokens")?;
                }
            }
        }
        within(complete.len(), "ways to distribute tokens")?;
    }
    Ok(complete)
}

/// Is a number of cases still one that we enumerate?
pub(crate) fn within(n_cases: usize, what: &'static str) -> Result<(), Rejection> {
    if n_cases > MOST_CASES { Err(Rejection::TooLarge { what }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::ways;

    #[test]
    fn three_tokens_go_to_two_options_in_four_ways() {
        let mut all = ways(3, 2).expect("few");
        all.sort();
        assert_eq!(
            all,
            vec![vec![(0, 1), (1, 2)], vec![(0, 2), (1, 1)], vec![(0, 3)], vec![(1, 3)]]
        );
    }

    #[test]
    fn without_options_only_nothing_can_be_distributed() {
        assert_eq!(ways(0, 0).expect("few"), vec![vec![]]);
        assert!(ways(1, 0).expect("few").is_empty());
    }

    #[test]
    fn a_huge_number_of_ways_is_refused_and_a_single_way_with_huge_numbers_is_not() {
        assert!(ways(u32::MAX, 2).is_err());
        assert!(ways(40, 40).is_err());
        assert_eq!(ways(u32::MAX, 1).expect("one"), vec![vec![(0, u32::MAX)]]);
    }
}
