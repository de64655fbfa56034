//! Produces the maximal results of firing a rule below a configuration.

use std::collections::BTreeMap;

use model::CounterId;

use crate::choose::{Way, ways, within};
use crate::rejection::Rejection;
use crate::rule::Rule;

/// A count with room to compute.
pub(crate) type Level = i64;
/// `*`.
pub(crate) const MANY: Level = i64::MAX;

/// The non-zero counts of a configuration, sorted.
pub(crate) type Levels = Vec<(CounterId, Level)>;

/// The maximal results of firing `rule` from configurations below `levels`.
pub(crate) fn successors(rule: &Rule, levels: &Levels) -> Result<Vec<Levels>, Rejection> {
    let mut before: BTreeMap<CounterId, Level> = levels.iter().copied().collect();
    for &(counter, bounds) in &rule.guard {
        let count = before.get(&counter).copied().unwrap_or(0);
        let most = bounds.max.map_or(count, |max| count.min(i64::from(max)));
        if most < i64::from(bounds.min) {
            return Ok(Vec::new());
        }
        before.insert(counter, most);
    }
    let mut moving = Vec::new();
    for entry in &rule.moves {
        let count = before.remove(&entry.from).unwrap_or(0);
        let held = i64::from(rule.held_of(entry.from));
        let count = if count == MANY { MANY } else { count - held };
        if count > 0 {
            moving.push((count, entry.to.as_slice()));
        }
    }
    let mut all = vec![before];
    for (count, to) in moving {
        all = spread(&all, count, to)?;
    }
    let after = all.into_iter().map(|counts| add_delta(rule, counts));
    Ok(after.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// Adds `count` tokens to the destinations `to`, in every maximal way.
fn spread(
    all: &[BTreeMap<CounterId, Level>],
    count: Level,
    to: &[CounterId],
) -> Result<Vec<BTreeMap<CounterId, Level>>, Rejection> {
    let splits: Vec<Way> = match u32::try_from(count) {
        Ok(_) if to.is_empty() => return Ok(all.to_vec()),
        Ok(n_tokens) => ways(n_tokens, to.len())?,
        // Of `*` tokens, any number can go to each destination.
        Err(_) => vec![(0..to.len()).map(|choice| (choice, u32::MAX)).collect()],
    };
    let mut longer = Vec::new();
    for counts in all {
        for split in &splits {
            let mut counts = counts.clone();
            for &(choice, n_tokens) in split {
                let more = if count == MANY { MANY } else { i64::from(n_tokens) };
                let level = counts.entry(to[choice]).or_default();
                *level = plus(*level, more)?;
            }
            longer.push(counts);
            within(longer.len(), "ways to move tokens")?;
        }
    }
    Ok(longer)
}

/// The result of a firing, unless a counter would become negative.
fn add_delta(
    rule: &Rule,
    mut counts: BTreeMap<CounterId, Level>,
) -> Result<Option<Levels>, Rejection> {
    for &(counter, change) in &rule.delta {
        let level = counts.entry(counter).or_default();
        *level = plus(*level, change)?;
        if *level < 0 {
            return Ok(None);
        }
    }
    Ok(Some(counts.into_iter().filter(|entry| entry.1 > 0).collect()))
}

fn plus(level: Level, change: i64) -> Result<Level, Rejection> {
    if level == MANY || change == MANY {
        return Ok(MANY);
    }
    level
        .checked_add(change)
        .filter(|sum| *sum < MANY)
        .ok_or(Rejection::TooLarge { what: "a count beyond 63 bits" })
}

#[cfg(test)]
mod tests {
    use model::CounterId;

    use super::{Levels, MANY, successors};
    use crate::naive::{Random, boxed, fire};

    #[test]
    fn every_result_of_a_smaller_configuration_is_below_a_successor_that_exists() {
        let mut random = Random(1);
        for _ in 0..4000 {
            let rule = random.rule();
            let level = |n: u32| if n == 4 { MANY } else { i64::from(n) };
            let largest: Vec<i64> = (0..3).map(|_| level(random.below(5))).collect();
            let levels = (0..).map(CounterId).zip(largest.iter().copied());
            let levels: Levels = levels.filter(|entry| entry.1 > 0).collect();
            let results = successors(&rule, &levels).expect("small numbers");
            let of = |result: &Levels, idx: usize| {
                result.iter().find(|entry| entry.0.idx() == idx).map_or(0, |entry| entry.1)
            };
            let mut is_reached = vec![false; results.len()];
            for counts in boxed(4) {
                if counts.iter().zip(&largest).any(|(n, most)| i64::from(*n) > *most) {
                    continue;
                }
                for after in fire(&rule, &counts) {
                    let is_below = |result: &Levels| {
                        (0..3).all(|idx| i64::from(after[idx]) <= of(result, idx))
                    };
                    assert!(results.iter().any(is_below), "{counts:?} {levels:?} {rule:?}");
                    for (result, is_reached) in results.iter().zip(&mut is_reached) {
                        *is_reached |= (0..3).all(|idx| {
                            let level = of(result, idx);
                            level == MANY || level == i64::from(after[idx])
                        });
                    }
                }
            }
            assert!(is_reached.iter().all(|reached| *reached), "{levels:?} {rule:?} {results:?}");
        }
    }
}
