//! Threads as a net: shared states become control states, local states counters;
//! then control states become places as well.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    Bounds, ControlId, CounterId, CounterSystem, CounterTransition, InitialZone, Move, Target, Zone,
};

use crate::convert::ConvertError;
use crate::tts::{Arrow, Pattern, System, Transition, print_pattern, print_transition};

/// The counter system of a thread transition system. Only states that occur get a
/// counter, so the numbers in the header cost nothing.
pub(crate) fn counters_of_threads(system: &System) -> Result<CounterSystem, ConvertError> {
    let states = States::of(system);
    let transitions: Result<Vec<CounterTransition>, ConvertError> =
        system.transitions.iter().map(|transition| states.transition(transition)).collect();
    Ok(CounterSystem {
        control_names: states.shared.keys().map(|id| format!("s{id}")).collect(),
        counter_names: states.local.keys().map(|id| format!("l{id}")).collect(),
        transitions: transitions?,
        initial: vec![states.initial(system)],
        targets: system.patterns.iter().map(|pattern| states.target(pattern)).collect(),
        hints: Vec::new(),
    })
}

/// The states that occur, with their indices.
struct States {
    shared: BTreeMap<u32, ControlId>,
    local: BTreeMap<u32, CounterId>,
}

impl States {
    fn of(system: &System) -> States {
        let mut shared = BTreeSet::from([system.initial.shared]);
        let mut local: BTreeSet<u32> = BTreeSet::new();
        local.extend(system.initial.exact.iter().chain(&system.initial.any));
        for transition in &system.transitions {
            shared.extend([transition.from.shared, transition.to.shared]);
            local.extend([transition.from.local, transition.to.local]);
            local.extend(transition.passive.iter().flat_map(|&(from, to)| [from, to]));
        }
        for pattern in &system.patterns {
            shared.insert(pattern.shared);
            local.extend(&pattern.locals);
        }
        States {
            shared: shared.into_iter().zip((0..).map(ControlId)).collect(),
            local: local.into_iter().zip((0..).map(CounterId)).collect(),
        }
    }

    fn transition(&self, transition: &Transition) -> Result<CounterTransition, ConvertError> {
        let moves = self.moves(&transition.passive);
        let mut guard = Vec::new();
        let mut delta: BTreeMap<CounterId, i64> = BTreeMap::new();
        let (from, to) = (self.local[&transition.from.local], self.local[&transition.to.local]);
        if transition.arrow != Arrow::Transfer {
            guard.push((from, Bounds::at_least(1)));
            // The thread that steps is counted among those that the broadcast moves:
            // take it back from where it went.
            *delta.entry(whereabouts(from, &moves, transition)?).or_default() -= 1;
            *delta.entry(to).or_default() += 1;
        }
        if transition.arrow == Arrow::Spawn {
            *delta.entry(from).or_default() += 1;
        }
        Ok(CounterTransition {
            name: print_transition(transition),
            span: transition.span,
            from: self.shared[&transition.from.shared],
            to: self.shared[&transition.to.shared],
            guard,
            moves,
            delta: delta.into_iter().filter(|&(_, n)| n != 0).collect(),
        })
    }

    fn moves(&self, passive: &[(u32, u32)]) -> Vec<Move> {
        passive
            .chunk_by(|a, b| a.0 == b.0)
            .map(|same| Move {
                from: self.local[&same[0].0],
                to: same.iter().map(|pair| self.local[&pair.1]).collect(),
            })
            .filter(|one| one.to != [one.from])
            .collect()
    }

    fn initial(&self, system: &System) -> InitialZone {
        let mut bounds: BTreeMap<CounterId, Bounds> = BTreeMap::new();
        for same in system.initial.exact.chunk_by(|a, b| a == b) {
            bounds.insert(self.local[&same[0]], Bounds::exactly(same.len() as u32));
        }
        for local in &system.initial.any {
            bounds.entry(self.local[local]).or_insert(Bounds::at_least(0)).max = None;
        }
        let control = self.shared[&system.initial.shared];
        InitialZone { control, bounds: bounds.into_iter().collect() }
    }

    fn target(&self, pattern: &Pattern) -> Target {
        let bounds = pattern
            .locals
            .chunk_by(|a, b| a == b)
            .map(|same| (self.local[&same[0]], Bounds::at_least(same.len() as u32)))
            .collect();
        let zone = Zone { control: self.shared[&pattern.shared], bounds };
        Target { name: print_pattern(pattern), span: None, zone }
    }
}

/// Where the moves put a token of `from`.
fn whereabouts(
    from: CounterId,
    moves: &[Move],
    transition: &Transition,
) -> Result<CounterId, ConvertError> {
    match moves.iter().find(|one| one.from == from).map(|one| one.to.as_slice()) {
        None => Ok(from),
        Some(&[to]) => Ok(to),
        Some(_) => Err(ConvertError::new(format!(
            "in `{}` each thread chooses where to go, which a net's transfer cannot say",
            print_transition(transition)
        ))),
    }
}

/// The same system with a single control state: the others become places, of which
/// exactly one is marked.
pub(crate) fn flatten(system: &CounterSystem) -> CounterSystem {
    if system.control_names.len() <= 1 {
        return system.clone();
    }
    let flattening = Flattening { n_controls: system.control_names.len() as u32 };
    let hint = |hint: &Vec<(CounterId, i64)>| {
        hint.iter().map(|&(id, weight)| (flattening.counter(id), weight)).collect()
    };
    CounterSystem {
        control_names: vec![String::new()],
        counter_names: system.control_names.iter().chain(&system.counter_names).cloned().collect(),
        transitions: system.transitions.iter().map(|one| flattening.transition(one)).collect(),
        initial: system.initial.iter().map(|zone| flattening.initial(zone)).collect(),
        targets: system.targets.iter().map(|target| flattening.target(target)).collect(),
        hints: system.hints.iter().map(hint).collect(),
    }
}

/// Places for control states come first, then the counters.
struct Flattening {
    n_controls: u32,
}

const NET: ControlId = ControlId(0);

impl Flattening {
    fn counter(&self, counter: CounterId) -> CounterId {
        CounterId(counter.0 + self.n_controls)
    }

    fn bounds(
        &self,
        control: (ControlId, Bounds),
        counters: &[(CounterId, Bounds)],
    ) -> Vec<(CounterId, Bounds)> {
        let mut bounds = vec![(CounterId(control.0.0), control.1)];
        bounds.extend(counters.iter().map(|&(id, bounds)| (self.counter(id), bounds)));
        bounds
    }

    fn transition(&self, transition: &CounterTransition) -> CounterTransition {
        let moves = transition.moves.iter().map(|one| Move {
            from: self.counter(one.from),
            to: one.to.iter().map(|&to| self.counter(to)).collect(),
        });
        CounterTransition {
            guard: self.bounds((transition.from, Bounds::at_least(1)), &transition.guard),
            delta: self.delta(transition),
            moves: moves.collect(),
            from: NET,
            to: NET,
            ..transition.clone()
        }
    }

    fn delta(&self, transition: &CounterTransition) -> Vec<(CounterId, i64)> {
        let mut delta = Vec::new();
        if transition.from != transition.to {
            delta.push((CounterId(transition.from.0), -1));
            delta.push((CounterId(transition.to.0), 1));
            delta.sort_unstable();
        }
        delta.extend(transition.delta.iter().map(|&(id, n)| (self.counter(id), n)));
        delta
    }

    fn initial(&self, zone: &InitialZone) -> InitialZone {
        let bounds = self.bounds((zone.control, Bounds::exactly(1)), &zone.bounds);
        InitialZone { control: NET, bounds }
    }

    fn target(&self, target: &Target) -> Target {
        let control = (target.zone.control, Bounds::at_least(1));
        let zone = Zone { control: NET, bounds: self.bounds(control, &target.zone.bounds) };
        Target { zone, ..target.clone() }
    }
}
