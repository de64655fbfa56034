//! Successors of configurations with `*`.
//!
//! A configuration stands for everything below it. For monotone systems firing
//! is exact on such sets. With upper bounds it is not (a set below a
//! configuration always contains zeros), so the caller chooses a [`CapReading`].

use std::ops::ControlFlow;

use model::StopReason;

use super::{Effect, Rule};
use crate::kernel::sparse::{OMEGA, entry, idx_of, value_at, value_of};

/// How an upper bound in a guard is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapReading {
    /// The configuration is a single one: it satisfies the bound or not.
    Exact,
    /// The configuration is a downward-closed set: the part within the bound
    /// fires. Over-approximates what single configurations can do.
    DownwardClosed,
}

/// How the tokens of a move with several destinations were divided.
pub type Split = Vec<(u32, u32, u32)>;

/// Passes each successor of `vector` under `rule` to `visit`, with the split that
/// leads to it (empty for rules without choices).
///
/// # Errors
/// When a count leaves its range, or whatever `visit` breaks with.
pub fn successors(
    rule: &Rule,
    vector: &[u64],
    reading: CapReading,
    buffer: &mut Vec<u64>,
    visit: &mut dyn FnMut(&[u64], &Split) -> ControlFlow<StopReason>,
) -> Result<(), StopReason> {
    if rule.is_plain() {
        if fire_plain(rule, vector, buffer)? {
            return broken(visit(buffer, &Vec::new()));
        }
        return Ok(());
    }
    let Some(restricted) = restrict(rule, vector, reading) else { return Ok(()) };
    if !has_needs(&rule.effects, &restricted) || !has_needs(&rule.moved, &restricted) {
        return Ok(());
    }
    Splitter { rule, vector: &restricted, reading }.run(visit)
}

/// Fires a plain rule: one merge of the vector with the rule's effects.
///
/// # Errors
/// When a count leaves its range.
pub fn fire_plain(rule: &Rule, vector: &[u64], result: &mut Vec<u64>) -> Result<bool, StopReason> {
    result.clear();
    let mut rest = vector;
    for effect in &rule.effects {
        let skip = rest.iter().take_while(|&&e| idx_of(e) < effect.counter).count();
        result.extend_from_slice(&rest[..skip]);
        rest = &rest[skip..];
        let present = rest.first().is_some_and(|&e| idx_of(e) == effect.counter);
        let value = if present { value_of(rest[0]) } else { 0 };
        if value < effect.need {
            return Ok(false);
        }
        let after = add(value, effect.delta)?.expect("a plain rule needs what it takes");
        if after > 0 {
            result.push(entry(effect.counter, after));
        }
        rest = &rest[usize::from(present)..];
    }
    result.extend_from_slice(rest);
    Ok(true)
}

fn broken(flow: ControlFlow<StopReason>) -> Result<(), StopReason> {
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(reason) => Err(reason),
    }
}

fn has_needs(effects: &[Effect], vector: &[u64]) -> bool {
    effects.iter().all(|effect| value_at(vector, effect.counter) >= effect.need)
}

/// `value + delta`; `None` below zero.
fn add(value: u32, delta: i64) -> Result<Option<u32>, StopReason> {
    if value == OMEGA {
        return Ok(Some(OMEGA));
    }
    let sum = i64::from(value) + delta;
    match u32::try_from(sum) {
        Ok(sum) if sum < OMEGA => Ok(Some(sum)),
        Ok(_) => Err(StopReason::CountOverflow),
        Err(_) if sum < 0 => Ok(None),
        Err(_) => Err(StopReason::CountOverflow),
    }
}

/// The part of the configuration within the rule's upper bounds.
fn restrict(rule: &Rule, vector: &[u64], reading: CapReading) -> Option<Vec<u64>> {
    let mut restricted = vector.to_vec();
    for &(counter, cap) in &rule.caps {
        let Ok(at) = restricted.binary_search_by_key(&counter, |&e| idx_of(e)) else { continue };
        if value_of(restricted[at]) <= cap {
            continue;
        }
        if reading == CapReading::Exact {
            return None;
        }
        if cap == 0 {
            restricted.remove(at);
        } else {
            restricted[at] = entry(counter, cap);
        }
    }
    Some(restricted)
}

/// Enumerates how moved tokens can be divided among their destinations.
struct Splitter<'a> {
    rule: &'a Rule,
    vector: &'a [u64],
    reading: CapReading,
}

impl Splitter<'_> {
    fn run(
        &self,
        visit: &mut dyn FnMut(&[u64], &Split) -> ControlFlow<StopReason>,
    ) -> Result<(), StopReason> {
        let is_moved = |counter: u32| self.rule.moves.iter().any(|(from, _)| *from == counter);
        let counters = self.rule.moved.iter().map(|effect| effect.counter);
        let mut landed: Vec<u32> = counters
            .map(|counter| if is_moved(counter) { 0 } else { value_at(self.vector, counter) })
            .collect();
        self.distribute(0, &mut landed, &mut Vec::new(), visit)
    }

    /// Distributes the tokens of move number `move_idx` and all after it.
    fn distribute(
        &self,
        move_idx: usize,
        landed: &mut Vec<u32>,
        split: &mut Split,
        visit: &mut dyn FnMut(&[u64], &Split) -> ControlFlow<StopReason>,
    ) -> Result<(), StopReason> {
        let Some((from, to)) = self.rule.moves.get(move_idx) else {
            return self.finish(landed, split, visit);
        };
        let tokens = value_at(self.vector, *from);
        if to.is_empty() || tokens == 0 {
            return self.distribute(move_idx + 1, landed, split, visit);
        }
        if to.len() == 1 || (tokens == OMEGA && self.reading == CapReading::DownwardClosed) {
            let before = landed.clone();
            for &destination in to {
                let slot = self.slot(destination);
                landed[slot] = join(landed[slot], tokens)?;
            }
            self.distribute(move_idx + 1, landed, split, visit)?;
            *landed = before;
            return Ok(());
        }
        self.choose(TokenChoice { move_idx, destination_idx: 0, tokens }, landed, split, visit)
    }

    /// Chooses how many of `tokens` go to the destination at `destination_idx`.
    fn choose(
        &self,
        choice: TokenChoice,
        landed: &mut Vec<u32>,
        split: &mut Split,
        visit: &mut dyn FnMut(&[u64], &Split) -> ControlFlow<StopReason>,
    ) -> Result<(), StopReason> {
        let (from, to) = &self.rule.moves[choice.move_idx];
        let destination = to[choice.destination_idx];
        let slot = self.slot(destination);
        let is_last = choice.destination_idx + 1 == to.len();
        let fewest = if is_last { choice.tokens } else { 0 };
        for amount in fewest..=choice.tokens {
            let before = landed[slot];
            landed[slot] = join(before, amount)?;
            split.push((*from, destination, amount));
            if is_last {
                self.distribute(choice.move_idx + 1, landed, split, visit)?;
            } else {
                let rest = TokenChoice {
                    destination_idx: choice.destination_idx + 1,
                    tokens: choice.tokens - amount,
                    ..choice
                };
                self.choose(rest, landed, split, visit)?;
            }
            split.pop();
            landed[slot] = before;
        }
        Ok(())
    }

    fn slot(&self, counter: u32) -> usize {
        self.rule
            .moved
            .binary_search_by_key(&counter, |effect| effect.counter)
            .expect("destinations take part in the moves")
    }

    fn finish(
        &self,
        landed: &[u32],
        split: &Split,
        visit: &mut dyn FnMut(&[u64], &Split) -> ControlFlow<StopReason>,
    ) -> Result<(), StopReason> {
        let touched = |counter: u32| {
            let by = |effects: &[Effect]| {
                effects.binary_search_by_key(&counter, |effect| effect.counter).is_ok()
            };
            by(&self.rule.effects) || by(&self.rule.moved)
        };
        let mut result: Vec<u64> =
            self.vector.iter().copied().filter(|&e| !touched(idx_of(e))).collect();
        let plain = self.rule.effects.iter().map(|e| (e, value_at(self.vector, e.counter)));
        let moved = self.rule.moved.iter().zip(landed.iter().copied());
        for (effect, value) in plain.chain(moved) {
            match add(value, effect.delta)? {
                None => return Ok(()),
                Some(0) => {}
                Some(after) => result.push(entry(effect.counter, after)),
            }
        }
        result.sort_unstable();
        broken(visit(&result, split))
    }
}

#[derive(Clone, Copy)]
struct TokenChoice {
    move_idx: usize,
    destination_idx: usize,
    tokens: u32,
}

fn join(a: u32, b: u32) -> Result<u32, StopReason> {
    if a == OMEGA || b == OMEGA {
        return Ok(OMEGA);
    }
    a.checked_add(b).filter(|sum| *sum < OMEGA).ok_or(StopReason::CountOverflow)
}
