//! Initial counts of threads, for any number of them or for a given number.

use std::collections::BTreeMap;

use model::{Bounds, CounterId, Multiplicity, StopReason, ThreadCount};

/// More ways than this to distribute a fixed number of threads over initial
/// stores is a question nobody means to ask.
const MAX_DISTRIBUTIONS: usize = 100_000;

/// The initial vectors of templates, each given by the counters its threads may
/// start in and how many there are. Counters that are not listed are zero.
///
/// # Errors
/// When no run has that many threads, or there are too many ways to start.
pub fn vectors(
    pools: &[(Vec<CounterId>, Multiplicity)],
    threads: ThreadCount,
) -> Result<Vec<Vec<(CounterId, Bounds)>>, StopReason> {
    let mut fixed: Vec<BTreeMap<CounterId, u32>> = vec![BTreeMap::new()];
    let mut n_fixed: u64 = 0;
    for (pool, multiplicity) in pools {
        if let Multiplicity::Exactly(count) = multiplicity {
            n_fixed += u64::from(*count);
            fixed = distribute(fixed, pool, *count)?;
        }
    }
    let free: Vec<CounterId> = pools
        .iter()
        .filter(|(_, multiplicity)| *multiplicity == Multiplicity::Any)
        .flat_map(|(pool, _)| pool.iter().copied())
        .collect();
    match threads {
        ThreadCount::Any => Ok(fixed.into_iter().map(|counts| with_free(counts, &free)).collect()),
        ThreadCount::Exactly(n) => {
            let rest =
                u64::from(n).checked_sub(n_fixed).filter(|rest| *rest == 0 || !free.is_empty());
            let rest = rest.and_then(|rest| u32::try_from(rest).ok()).ok_or_else(|| {
                StopReason::Unsupported {
                    construct: format!(
                        "a run that starts with {n} threads (the initial states have {}{n_fixed})",
                        if free.is_empty() { "exactly " } else { "at least " }
                    ),
                    span: None,
                }
            })?;
            let all = distribute(fixed, &free, rest)?;
            Ok(all.into_iter().map(|counts| with_free(counts, &[])).collect())
        }
        ThreadCount::AsGiven => Err(StopReason::Unsupported {
            construct: "threads without a number".to_owned(),
            span: None,
        }),
    }
}

fn with_free(counts: BTreeMap<CounterId, u32>, free: &[CounterId]) -> Vec<(CounterId, Bounds)> {
    let mut bounds: BTreeMap<CounterId, Bounds> =
        counts.into_iter().map(|(counter, n)| (counter, Bounds::exactly(n))).collect();
    for counter in free {
        bounds.entry(*counter).or_insert(Bounds::at_least(0)).max = None;
    }
    bounds.into_iter().collect()
}

/// Every way to add `count` threads, each starting in a counter of `pool`.
fn distribute(
    starts: Vec<BTreeMap<CounterId, u32>>,
    pool: &[CounterId],
    count: u32,
) -> Result<Vec<BTreeMap<CounterId, u32>>, StopReason> {
    if let [only] = pool {
        return Ok(starts.into_iter().map(|start| plus(start, *only, count)).collect());
    }
    let mut all = starts;
    let mut left: Vec<u32> = vec![count; all.len()];
    for (idx, counter) in pool.iter().enumerate() {
        let is_last = idx + 1 == pool.len();
        let mut next = Vec::new();
        let mut next_left = Vec::new();
        for (start, left) in all.into_iter().zip(left) {
            let fewest = if is_last { left } else { 0 };
            for amount in fewest..=left {
                next.push(plus(start.clone(), *counter, amount));
                next_left.push(left - amount);
            }
            if next.len() > MAX_DISTRIBUTIONS {
                let construct = "more than 100000 ways to start this many threads".to_string();
                return Err(StopReason::Unsupported { construct, span: None });
            }
        }
        (all, left) = (next, next_left);
    }
    all.sort();
    all.dedup();
    Ok(all)
}

fn plus(
    mut counts: BTreeMap<CounterId, u32>,
    counter: CounterId,
    amount: u32,
) -> BTreeMap<CounterId, u32> {
    *counts.entry(counter).or_default() += amount;
    counts
}

#[cfg(test)]
mod tests {
    use model::{Bounds, CounterId, Multiplicity, ThreadCount};

    use super::vectors;

    #[test]
    fn a_fixed_number_of_threads_is_distributed_in_every_way() {
        let pools = [
            (vec![CounterId(0)], Multiplicity::Exactly(1)),
            (vec![CounterId(0), CounterId(1)], Multiplicity::Any),
        ];
        let three = vectors(&pools, ThreadCount::Exactly(3)).expect("possible");
        assert_eq!(three.len(), 3);
        let any = vectors(&pools, ThreadCount::Any).expect("possible");
        let expected =
            vec![(CounterId(0), Bounds::at_least(1)), (CounterId(1), Bounds::at_least(0))];
        assert_eq!(any, vec![expected]);
        assert!(vectors(&pools, ThreadCount::Exactly(0)).is_err());
    }
}
