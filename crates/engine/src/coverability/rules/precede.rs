//! Predecessors of zones.
//!
//! A zone is a vector over twice as many indices as there are counters: below
//! `n_counters` stand lower bounds, above it *ceilings*. A ceiling is stored as
//! `CEILING_BASE - max`, so that a larger entry is a tighter bound, a missing one
//! is no bound, and one zone contains another exactly when its vector is at most
//! the other's. Antichains need not know.
//!
//! Exact for plain rules and for transfers without ceilings. Where several
//! counters feed one that has a ceiling, each of them gets that ceiling: an
//! over-approximation, exact when the ceiling is zero.

use std::ops::ControlFlow;

use model::{Bounds, ControlId, CounterId, StopReason, Zone};

use super::{Effect, Rule};
use crate::kernel::sparse::{entry, idx_of, value_of};

/// Above every count that a zone may bound by.
pub const CEILING_BASE: u32 = 1 << 31;

/// The vector of a zone.
///
/// # Errors
/// When a bound is too large for the encoding.
pub fn encode(zone: &Zone, n_counters: u32) -> Result<Vec<u64>, StopReason> {
    let mut vector = Vec::new();
    for (counter, bounds) in &zone.bounds {
        if bounds.min >= CEILING_BASE || bounds.max.is_some_and(|max| max >= CEILING_BASE) {
            return Err(StopReason::CountOverflow);
        }
        if bounds.min > 0 {
            vector.push(entry(counter.0, bounds.min));
        }
        if let Some(max) = bounds.max {
            vector.push(entry(n_counters + counter.0, CEILING_BASE - max));
        }
    }
    vector.sort_unstable();
    Ok(vector)
}

/// The zone of a vector.
pub fn decode(control: u32, vector: &[u64], n_counters: u32) -> Zone {
    let mut bounds: Vec<(CounterId, Bounds)> = Vec::new();
    for &e in vector.iter().filter(|&&e| idx_of(e) < n_counters) {
        bounds.push((CounterId(idx_of(e)), Bounds::at_least(value_of(e))));
    }
    for &e in vector.iter().filter(|&&e| idx_of(e) >= n_counters) {
        let counter = CounterId(idx_of(e) - n_counters);
        let max = Some(CEILING_BASE - value_of(e));
        match bounds.binary_search_by_key(&counter, |bound| bound.0) {
            Ok(at) => bounds[at].1.max = max,
            Err(at) => bounds.insert(at, (counter, Bounds { min: 0, max })),
        }
    }
    Zone { control: ControlId(control), bounds }
}

/// A rule whose predecessors are asked for, with what is known of the counters
/// before it.
pub struct Preceding<'a> {
    /// The rule.
    pub rule: &'a Rule,
    /// Number of counters.
    pub n_counters: u32,
    /// Can the counter hold a token before the rule? Moved tokens are not traced
    /// back to one that cannot: with many sources there would be too many ways.
    pub can_hold: &'a dyn Fn(u32) -> bool,
}

impl Preceding<'_> {
    /// Passes each predecessor zone of the zone `vector` to `visit`.
    ///
    /// # Errors
    /// When a bound leaves its range, or whatever `visit` breaks with.
    pub fn for_each(
        &self,
        vector: &[u64],
        buffer: &mut Vec<u64>,
        visit: &mut dyn FnMut(&[u64]) -> ControlFlow<StopReason>,
    ) -> Result<(), StopReason> {
        let has_ceilings = vector.last().is_some_and(|&e| idx_of(e) >= self.n_counters);
        if !self.rule.is_plain() || has_ceilings {
            return self.run(vector, visit);
        }
        precede_plain(self.rule, vector, buffer)?;
        match visit(buffer) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(reason),
        }
    }
}

/// The one predecessor under a plain rule: one merge.
fn precede_plain(rule: &Rule, vector: &[u64], result: &mut Vec<u64>) -> Result<(), StopReason> {
    result.clear();
    let mut rest = vector;
    for effect in &rule.effects {
        let skip = rest.iter().take_while(|&&e| idx_of(e) < effect.counter).count();
        result.extend_from_slice(&rest[..skip]);
        rest = &rest[skip..];
        let present = rest.first().is_some_and(|&e| idx_of(e) == effect.counter);
        let wanted = if present { i64::from(value_of(rest[0])) } else { 0 };
        let before = (wanted - effect.delta).max(i64::from(effect.need));
        if before >= i64::from(CEILING_BASE) {
            return Err(StopReason::CountOverflow);
        }
        if before > 0 {
            result.push(entry(effect.counter, before as u32));
        }
        rest = &rest[usize::from(present)..];
    }
    result.extend_from_slice(rest);
    Ok(())
}

/// Lower and upper bound of one counter while a predecessor is put together.
#[derive(Clone, Copy, Debug)]
struct Range {
    counter: u32,
    min: i64,
    max: Option<i64>,
}

impl Preceding<'_> {
    fn run(
        &self,
        vector: &[u64],
        visit: &mut dyn FnMut(&[u64]) -> ControlFlow<StopReason>,
    ) -> Result<(), StopReason> {
        let mut ranges = self.ranges(vector);
        for effect in &self.rule.effects {
            let range = range_of(&mut ranges, effect.counter);
            range.min = (range.min - effect.delta).max(i64::from(effect.need));
            range.max = range.max.map(|max| max - effect.delta);
        }
        // What must land on each counter that takes part in moves.
        let mut landing: Vec<Range> = Vec::new();
        for effect in &self.rule.moved {
            let after = take_range(&mut ranges, effect.counter);
            let max = after.max.map(|max| max - effect.delta);
            let min = (after.min - effect.delta).max(0);
            if max.is_some_and(|max| max < min) {
                return Ok(());
            }
            landing.push(Range { counter: effect.counter, min, max });
        }
        let is_fed = |range: &Range| range.min == 0 || self.next_feeder(0, range.counter).is_some();
        if !landing.iter().all(is_fed) {
            return Ok(());
        }
        let mut supply = vec![0i64; self.rule.moved.len()];
        let demand = landing.first().map_or(0, |range| range.min);
        let place = Placement { landing_idx: 0, source_idx: 0, demand };
        self.supply(place, &landing, &mut supply, &mut |supply| {
            self.finish(ranges.clone(), &landing, supply, visit)
        })
    }

    /// Chooses which sources supply what each landing demands.
    fn supply(
        &self,
        place: Placement,
        landing: &[Range],
        supply: &mut Vec<i64>,
        done: &mut dyn FnMut(&[i64]) -> Result<(), StopReason>,
    ) -> Result<(), StopReason> {
        let Some(range) = landing.get(place.landing_idx) else { return done(supply) };
        if place.demand == 0 {
            let next = place.landing_idx + 1;
            let demand = landing.get(next).map_or(0, |range| range.min);
            return self.supply(
                Placement { landing_idx: next, source_idx: 0, demand },
                landing,
                supply,
                done,
            );
        }
        let Some(source_idx) = self.next_feeder(place.source_idx, range.counter) else {
            return Ok(());
        };
        // The last one that can must supply all that is left.
        let is_last = self.next_feeder(source_idx + 1, range.counter).is_none();
        let fewest = if is_last { place.demand } else { 0 };
        for amount in fewest..=place.demand {
            supply[source_idx] += amount;
            let next =
                Placement { source_idx: source_idx + 1, demand: place.demand - amount, ..place };
            self.supply(next, landing, supply, done)?;
            supply[source_idx] -= amount;
        }
        Ok(())
    }

    /// The first counter of `rule.moved`, from `from_idx` on, that can supply
    /// `destination`.
    fn next_feeder(&self, from_idx: usize, destination: u32) -> Option<usize> {
        let can_supply = |source: &Effect| {
            self.feeds(source.counter, destination) && (self.can_hold)(source.counter)
        };
        let rest = self.rule.moved.get(from_idx..)?;
        rest.iter().position(can_supply).map(|idx| from_idx + idx)
    }

    /// Can a token that is on `source` before be on `destination` after the moves?
    fn feeds(&self, source: u32, destination: u32) -> bool {
        match self.rule.moves.iter().find(|(from, _)| *from == source) {
            Some((_, to)) => to.contains(&destination),
            None => source == destination,
        }
    }

    /// The ceiling that `source` inherits: of the one counter that all its tokens
    /// land on.
    fn ceiling(&self, source: u32, landing: &[Range]) -> Option<i64> {
        let destination = match self.rule.moves.iter().find(|(from, _)| *from == source) {
            None => source,
            Some((_, to)) if to.len() == 1 => to[0],
            Some(_) => return None,
        };
        landing.iter().find(|range| range.counter == destination).and_then(|range| range.max)
    }

    fn finish(
        &self,
        mut ranges: Vec<Range>,
        landing: &[Range],
        supply: &[i64],
        visit: &mut dyn FnMut(&[u64]) -> ControlFlow<StopReason>,
    ) -> Result<(), StopReason> {
        for (Effect { counter, need, .. }, supplied) in self.rule.moved.iter().zip(supply) {
            let range = range_of(&mut ranges, *counter);
            range.min = i64::from(*need).max(*supplied);
            range.max = self.ceiling(*counter, landing);
        }
        for &(counter, cap) in &self.rule.caps {
            let range = range_of(&mut ranges, counter);
            range.max = Some(range.max.map_or(i64::from(cap), |max| max.min(i64::from(cap))));
        }
        if ranges.iter().any(|range| range.max.is_some_and(|max| max < range.min)) {
            return Ok(());
        }
        match visit(&self.pack(&ranges)?) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(reason),
        }
    }

    fn pack(&self, ranges: &[Range]) -> Result<Vec<u64>, StopReason> {
        let limit = i64::from(CEILING_BASE);
        if ranges.iter().any(|range| range.min >= limit) {
            return Err(StopReason::CountOverflow);
        }
        let lower = ranges.iter().filter(|range| range.min > 0);
        let lower = lower.map(|range| entry(range.counter, range.min as u32));
        // A ceiling at or above the base is weaker than any count can reach.
        let upper = ranges.iter().filter_map(|range| Some((range, range.max?)));
        let upper = upper
            .filter(|(_, max)| *max < limit)
            .map(|(range, max)| entry(self.n_counters + range.counter, (limit - max) as u32));
        let mut vector: Vec<u64> = lower.chain(upper).collect();
        vector.sort_unstable();
        Ok(vector)
    }

    fn ranges(&self, vector: &[u64]) -> Vec<Range> {
        let mut ranges: Vec<Range> = Vec::new();
        for &e in vector {
            let value = i64::from(value_of(e));
            if idx_of(e) < self.n_counters {
                ranges.push(Range { counter: idx_of(e), min: value, max: None });
            } else {
                let max = i64::from(CEILING_BASE) - value;
                range_of(&mut ranges, idx_of(e) - self.n_counters).max = Some(max);
            }
        }
        ranges
    }
}

#[derive(Clone, Copy)]
struct Placement {
    landing_idx: usize,
    source_idx: usize,
    demand: i64,
}

/// The range of `counter`, made unbounded if there is none yet.
fn range_of(ranges: &mut Vec<Range>, counter: u32) -> &mut Range {
    let at = match ranges.binary_search_by_key(&counter, |range| range.counter) {
        Ok(at) => at,
        Err(at) => {
            ranges.insert(at, Range { counter, min: 0, max: None });
            at
        }
    };
    &mut ranges[at]
}

fn take_range(ranges: &mut Vec<Range>, counter: u32) -> Range {
    match ranges.binary_search_by_key(&counter, |range| range.counter) {
        Ok(at) => ranges.remove(at),
        Err(_) => Range { counter, min: 0, max: None },
    }
}
