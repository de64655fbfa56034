//! Where a forward search gets its rules from: a counter system that was compiled as a
//! whole, or one that comes into being while it is searched (`on_demand/`).
//!
//! A forward search needs of a system only what leaves the configurations that it comes
//! to. Control states, counters and rules are numbers to it, and it never asks how many
//! there are.

use model::{CounterSystem, InitialZone, StopReason};

use super::fire::CapReading;
use super::{Rule, Rules, precede};
use crate::coverability::execute::contains;
use crate::kernel::sparse::{idx_of, le};

/// A counter system as forward searches see it.
pub trait RuleSource {
    /// Where runs start.
    fn initial(&self) -> &[InitialZone];

    /// Is there no upper bound, in guards or targets? Then larger configurations can do
    /// all that smaller ones can.
    fn is_monotone(&self) -> bool;

    /// Indices from here on stand for ceilings, in zones.
    fn n_counters(&self) -> u32;

    /// Appends to `found` every rule that leaves `control` and may be enabled in `vector`;
    /// their order depends on the arguments alone. Says what it cost beyond looking them up.
    fn leaving(&mut self, control: u32, vector: &[u64], found: &mut Vec<u32>) -> u64;

    /// A rule that [`RuleSource::leaving`] named.
    fn rule(&self, rule: u32) -> &Rule;

    /// The first target that a configuration is in.
    fn target(&self, control: u32, vector: &[u64], reading: CapReading) -> Option<TargetHit>;
}

/// A target that was come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetHit {
    /// Its number.
    pub target: usize,
    /// What it asks for at least, of each counter.
    pub lower: Vec<u64>,
}

/// A counter system that was compiled as a whole.
pub struct Compiled<'a> {
    /// The system.
    pub system: &'a CounterSystem,
    /// Its transitions.
    pub rules: &'a Rules,
    targets: Vec<Vec<CompiledTarget>>,
}

struct CompiledTarget {
    target: usize,
    /// Lower bounds, then ceilings.
    zone: Vec<u64>,
    n_lower: usize,
}

impl<'a> Compiled<'a> {
    /// `system`, compiled as `rules`.
    ///
    /// # Errors
    /// When a bound of a target is out of range.
    pub fn new(system: &'a CounterSystem, rules: &'a Rules) -> Result<Compiled<'a>, StopReason> {
        let mut targets: Vec<Vec<CompiledTarget>> = Vec::new();
        targets.resize_with(rules.n_controls, Vec::new);
        for (target, wanted) in system.targets.iter().enumerate() {
            let zone = precede::encode(&wanted.zone, rules.n_counters)?;
            let n_lower = zone.partition_point(|&e| idx_of(e) < rules.n_counters);
            let here = &mut targets[wanted.zone.control.idx()];
            here.push(CompiledTarget { target, zone, n_lower });
        }
        Ok(Compiled { system, rules, targets })
    }
}

impl RuleSource for Compiled<'_> {
    fn initial(&self) -> &[InitialZone] {
        &self.system.initial
    }

    fn is_monotone(&self) -> bool {
        self.rules.is_monotone
    }

    fn n_counters(&self) -> u32 {
        self.rules.n_counters
    }

    fn leaving(&mut self, control: u32, vector: &[u64], found: &mut Vec<u32>) -> u64 {
        self.rules.for_each_leaving(control, vector, |rule| found.push(rule));
        0
    }

    fn rule(&self, rule: u32) -> &Rule {
        &self.rules.rules[rule as usize]
    }

    fn target(&self, control: u32, vector: &[u64], reading: CapReading) -> Option<TargetHit> {
        let is_hit = |target: &&CompiledTarget| match reading {
            CapReading::Exact => contains(&target.zone, vector, self.rules.n_counters),
            CapReading::DownwardClosed => le(&target.zone[..target.n_lower], vector),
        };
        let hit = self.targets[control as usize].iter().find(is_hit)?;
        Some(TargetHit { target: hit.target, lower: hit.zone[..hit.n_lower].to_vec() })
    }
}
