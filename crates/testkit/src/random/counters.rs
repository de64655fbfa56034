//! Random counter systems: plain nets, transfers and resets, zero tests, several
//! initial zones, weights above one, several targets.

use model::{
    Bounds, ControlId, CounterId, CounterSystem, CounterTransition, InitialZone, Move, Target, Zone,
};

use crate::rng::Rng;

/// Which features may occur.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    /// Transfers and resets.
    pub moves: bool,
    /// Zero tests and other upper bounds, in guards and targets.
    pub upper_bounds: bool,
    /// More than one control state.
    pub control: bool,
}

impl Features {
    /// Plain Petri nets with control states.
    pub const PLAIN: Features = Features { moves: false, upper_bounds: false, control: true };
    /// Petri nets without control states.
    pub const NET: Features = Features { moves: false, upper_bounds: false, control: false };
    /// Transfers and resets as well.
    pub const TRANSFERS: Features = Features { moves: true, upper_bounds: false, control: true };
    /// Everything.
    pub const ALL: Features = Features { moves: true, upper_bounds: true, control: true };
}

/// A random system with at most these features.
pub fn random(rng: &mut Rng, features: Features) -> CounterSystem {
    let n_controls = if features.control { rng.between(1, 3) } else { 1 };
    let n_counters = rng.between(2, 5);
    let mut dice = Dice { rng, features, n_controls, n_counters };
    let n_transitions = dice.rng.between(2, 7);
    let n_targets = dice.rng.between(1, 2);
    let n_zones = if dice.rng.chance(20) { 2 } else { 1 };
    CounterSystem {
        control_names: control_names(n_controls),
        counter_names: (0..n_counters).map(|idx| format!("p{idx}")).collect(),
        transitions: (0..n_transitions).map(|idx| dice.transition(idx)).collect(),
        initial: (0..n_zones).map(|_| dice.initial_zone()).collect(),
        targets: (0..n_targets).map(|idx| dice.target(idx)).collect(),
        hints: Vec::new(),
    }
}

/// A net's one control state is named by the empty string.
fn control_names(n_controls: u32) -> Vec<String> {
    match n_controls {
        1 => vec![String::new()],
        _ => (0..n_controls).map(|idx| format!("s{idx}")).collect(),
    }
}

struct Dice<'a> {
    rng: &'a mut Rng,
    features: Features,
    n_controls: u32,
    n_counters: u32,
}

impl Dice<'_> {
    fn control(&mut self) -> ControlId {
        ControlId(self.rng.below(self.n_controls))
    }

    fn counters(&mut self, percent: u32) -> Vec<CounterId> {
        self.rng.subset(self.n_counters, percent).into_iter().map(CounterId).collect()
    }

    fn weight(&mut self) -> u32 {
        if self.rng.chance(15) { self.rng.between(2, 3) } else { 1 }
    }

    fn transition(&mut self, idx: u32) -> CounterTransition {
        let moves = if self.features.moves && self.rng.chance(35) { self.moves() } else { vec![] };
        let mut transition = CounterTransition {
            name: format!("t{idx}"),
            span: None,
            from: self.control(),
            to: self.control(),
            guard: Vec::new(),
            moves,
            delta: Vec::new(),
        };
        for counter in self.counters(40) {
            let bounds = self.guard_bounds();
            transition.guard.push((counter, bounds));
        }
        for counter in self.counters(55) {
            let weight = i64::from(self.weight());
            let consumes = self.rng.chance(55);
            let delta = if consumes { -weight } else { weight };
            transition.delta.push((counter, delta));
        }
        transition
    }

    fn guard_bounds(&mut self) -> Bounds {
        if self.features.upper_bounds && self.rng.chance(25) {
            let min = self.rng.below(2);
            return Bounds { min, max: Some(min + self.rng.below(2)) };
        }
        Bounds::at_least(self.weight())
    }

    fn moves(&mut self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in self.counters(35) {
            moves.push(Move { from, to: self.counters(30) });
        }
        moves
    }

    fn initial_zone(&mut self) -> InitialZone {
        let mut zone = InitialZone { control: self.control(), bounds: Vec::new() };
        for counter in self.counters(45) {
            let min = self.rng.below(3);
            let max = match self.rng.below(4) {
                0 => None,
                1 => Some(min + self.rng.below(3)),
                _ => Some(min),
            };
            zone.bounds.push((counter, Bounds { min, max }));
        }
        zone
    }

    fn target(&mut self, idx: u32) -> Target {
        let control = self.control();
        let mut bounds = Vec::new();
        for counter in self.counters(50) {
            let min = self.rng.between(1, 3);
            let has_upper_bound = self.features.upper_bounds && self.rng.chance(15);
            let max = has_upper_bound.then(|| min + self.rng.below(2));
            bounds.push((counter, Bounds { min, max }));
        }
        Target { name: format!("target {idx}"), span: None, zone: Zone { control, bounds } }
    }
}
