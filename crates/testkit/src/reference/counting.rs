//! A counter system with capped counts as a transition system for
//! [`super::explicit`]. Follows the documentation of `model::CounterTransition`
//! word by word, zero tests and upper bounds included.

use std::sync::atomic::{AtomicBool, Ordering};

use model::{Bounds, CounterId, CounterSystem, CounterTransition, Move, StepLabel, Zone};

use super::explicit::{Bounded, Caps};
use super::naive_system::NaiveSystem;
use super::rules::Vector;

/// A counter system within caps.
pub struct Counting<'a> {
    system: &'a CounterSystem,
    caps: Caps,
    cut: AtomicBool,
}

impl<'a> Counting<'a> {
    /// `system` as far as `caps` say.
    pub fn new(system: &'a CounterSystem, caps: Caps) -> Counting<'a> {
        Counting { system, caps, cut: AtomicBool::new(false) }
    }

    fn cut(&self) {
        self.cut.store(true, Ordering::Relaxed);
    }

    fn fire(&self, transition: &CounterTransition, state: &Vector) -> Vec<Vector> {
        let enabled = transition.from.idx() == state.control
            && transition.guard.iter().all(|(c, b)| b.contains(state.counts[c.idx()]));
        if !enabled {
            return Vec::new();
        }
        let mut remaining = state.counts.clone();
        for m in &transition.moves {
            remaining[m.from.idx()] = 0;
        }
        let mut ways = vec![remaining];
        for m in &transition.moves {
            ways = distribute(&ways, m, state.counts[m.from.idx()]);
        }
        ways.into_iter().filter_map(|counts| self.add(transition, counts)).collect()
    }

    /// Adds the delta; `None` when a count would be negative or above the cap.
    fn add(&self, transition: &CounterTransition, mut counts: Vec<u32>) -> Option<Vector> {
        for (counter, change) in &transition.delta {
            let count = i64::from(counts[counter.idx()]) + change;
            counts[counter.idx()] = u32::try_from(count).ok()?;
        }
        if counts.iter().any(|&count| count > self.caps.counts) {
            self.cut();
            return None;
        }
        Some(Vector { control: transition.to.idx(), counts })
    }

    fn initial_counts(&self, bounds: &[(CounterId, Bounds)]) -> Vec<Vec<u32>> {
        let mut ways = vec![vec![0; self.system.counter_names.len()]];
        for (counter, bounds) in bounds {
            let cap = bounds.min.saturating_add(self.caps.initial);
            let max = bounds.max.unwrap_or(u32::MAX);
            if max > cap {
                self.cut();
            }
            ways = (bounds.min..=max.min(cap))
                .flat_map(|count| with_count(&ways, counter.idx(), count))
                .collect();
        }
        ways
    }
}

impl NaiveSystem for Counting<'_> {
    fn initial_states(&self, visit: &mut dyn FnMut(&[u8])) {
        for zone in &self.system.initial {
            for counts in self.initial_counts(&zone.bounds) {
                visit(&pack(&Vector { control: zone.control.idx(), counts }));
            }
        }
    }

    fn successors(&self, state: &[u8], visit: &mut dyn FnMut(u32, &[u8])) {
        let state = unpack(state);
        for (idx, transition) in self.system.transitions.iter().enumerate() {
            for next in self.fire(transition, &state) {
                visit(idx as u32, &pack(&next));
            }
        }
    }

    fn violation(&self, state: &[u8]) -> Option<String> {
        let state = unpack(state);
        let hit = self.system.targets.iter().find(|target| is_in(&target.zone, &state))?;
        Some(hit.name.clone())
    }

    fn rule(&self, rule: u32) -> StepLabel {
        let transition = &self.system.transitions[rule as usize];
        StepLabel { text: transition.name.clone(), span: transition.span }
    }

    fn describe(&self, state: &[u8]) -> String {
        format!("{:?}", unpack(state))
    }
}

impl Bounded for Counting<'_> {
    fn was_cut(&self) -> bool {
        self.cut.load(Ordering::Relaxed)
    }
}

fn is_in(zone: &Zone, state: &Vector) -> bool {
    zone.control.idx() == state.control
        && zone.bounds.iter().all(|(c, bounds)| bounds.contains(state.counts[c.idx()]))
}

fn with_count(ways: &[Vec<u32>], idx: usize, count: u32) -> Vec<Vec<u32>> {
    let mut ways = ways.to_vec();
    for way in &mut ways {
        way[idx] = count;
    }
    ways
}

/// Every way in which `n_tokens` tokens choose among the move's destinations.
fn distribute(ways: &[Vec<u32>], m: &Move, n_tokens: u32) -> Vec<Vec<u32>> {
    let mut ways = ways.to_vec();
    if m.to.is_empty() {
        return ways;
    }
    for _ in 0..n_tokens {
        let mut next = Vec::new();
        for way in &ways {
            for to in &m.to {
                let mut more = way.clone();
                more[to.idx()] += 1;
                next.push(more);
            }
        }
        next.sort();
        next.dedup();
        ways = next;
    }
    ways
}

fn pack(state: &Vector) -> Vec<u8> {
    let words = std::iter::once(state.control as u32).chain(state.counts.iter().copied());
    words.flat_map(u32::to_le_bytes).collect()
}

fn unpack(packed: &[u8]) -> Vector {
    let mut words = packed
        .chunks_exact(4)
        .map(|chunk| u32::from_le_bytes(chunk.try_into().expect("chunks have exactly four bytes")));
    let control = words.next().expect("a packed state starts with its control state") as usize;
    Vector { control, counts: words.collect() }
}
