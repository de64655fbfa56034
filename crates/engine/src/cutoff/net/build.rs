//! Builds the shared states and steps of a net: start chains, firings, targets.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    CounterId, CounterSystem, InitialZone, Multiplicity, Span, StopReason, TargetShape, Template,
    TransitionId,
};

use super::chain::{Hop, OUTSIDE, chain, local_of};
use super::{Edge, Meaning, NetThreads, Part, store};

/// More could not be searched anyway; a weight of a million alone exceeds it.
const MAX_MOVES: usize = 1 << 20;

pub(super) fn build(system: &CounterSystem) -> Result<NetThreads<'_>, StopReason> {
    let mut builder = NetThreadsBuilder {
        system,
        shared: vec![Meaning::Control; system.control_names.len()],
        edges: Vec::new(),
        known: BTreeMap::new(),
        firings: BTreeSet::new(),
    };
    let everywhere = unbounded_everywhere(system);
    let initial_shared = builder.starts(&everywhere)?;
    for idx in 0..system.transitions.len() {
        builder.firing(TransitionId(idx as u32))?;
    }
    let mut errors = Vec::new();
    for idx in 0..system.targets.len() {
        errors.push(builder.target(idx)?);
    }
    let NetThreadsBuilder { shared, mut edges, .. } = builder;
    edges.sort_by_key(|edge| (edge.shared, edge.local));
    let initial = std::iter::once(OUTSIDE).chain(everywhere.into_iter().map(local_of));
    let shape = |name: &String| TargetShape { name: name.clone(), slots: vec![1] };
    Ok(NetThreads {
        system,
        initial_shared,
        templates: vec![Template {
            name: "token".to_owned(),
            initial: initial.map(store).collect(),
            multiplicity: Multiplicity::Any,
        }],
        shared,
        edges,
        targets: system.targets.iter().map(|target| shape(&target.name)).collect(),
        errors,
    })
}

/// The zones that have a configuration, with their numbers.
fn inhabited(system: &CounterSystem) -> impl Iterator<Item = (usize, &InitialZone)> {
    let zones = system.initial.iter().enumerate();
    zones.filter(|(_, zone)| zone.bounds.iter().all(|(_, bounds)| !bounds.is_empty()))
}

fn unbounded(zone: &InitialZone) -> BTreeSet<CounterId> {
    let without_max = zone.bounds.iter().filter(|(_, bounds)| bounds.max.is_none());
    without_max.map(|entry| entry.0).collect()
}

fn unbounded_everywhere(system: &CounterSystem) -> BTreeSet<CounterId> {
    let sets = inhabited(system).map(|(_, zone)| unbounded(zone));
    sets.reduce(|one, other| one.intersection(&other).copied().collect()).unwrap_or_default()
}

fn too_long(what: String, span: Option<Span>) -> StopReason {
    let construct =
        format!("{what} as moves of single threads: there are more than {MAX_MOVES} of them");
    StopReason::Unsupported { construct, span }
}

/// Where a chain leads from and to, and what it is part of.
#[derive(Clone, Copy)]
struct Chain {
    from: u32,
    to: u32,
    part: Part,
}

struct NetThreadsBuilder<'a> {
    system: &'a CounterSystem,
    shared: Vec<Meaning>,
    edges: Vec<Edge>,
    /// The state behind each move that does not end its chain.
    known: BTreeMap<(u32, Hop, Option<TransitionId>), u32>,
    /// The last moves of all firings: a second one alike would add nothing.
    firings: BTreeSet<(u32, Hop, u32)>,
}

impl NetThreadsBuilder<'_> {
    /// A set of shared states to start in: at least one, even if there is no zone.
    fn starts(&mut self, everywhere: &BTreeSet<CounterId>) -> Result<Vec<u32>, StopReason> {
        let mut starts = Vec::new();
        for (zone_idx, zone) in inhabited(self.system) {
            starts.push(self.start(zone_idx, zone, everywhere)?);
        }
        if starts.is_empty() {
            starts.push(self.fresh(Meaning::Within(Part::Start(0), 0)));
        }
        starts.sort_unstable();
        starts.dedup();
        Ok(starts)
    }

    fn start(
        &mut self,
        zone_idx: usize,
        zone: &InitialZone,
        everywhere: &BTreeSet<CounterId>,
    ) -> Result<u32, StopReason> {
        let control = zone.control.0;
        let part = Part::Start(zone_idx);
        let loops: Vec<CounterId> = unbounded(zone).difference(everywhere).copied().collect();
        let n_tokens = |n: u32, entry: &(CounterId, model::Bounds)| {
            n.saturating_add(entry.1.max.unwrap_or(entry.1.min))
        };
        let mut n_left = zone.bounds.iter().fold(0, n_tokens) as usize;
        if n_left > self.room() {
            return Err(too_long("the tokens of an initial state".to_owned(), None));
        }
        if n_left == 0 && loops.is_empty() {
            return Ok(control);
        }
        let start = self.fresh(Meaning::Within(part, 0));
        let mut position = 0;
        for place in loops {
            position += 1;
            self.put(Chain { from: start, to: start, part }, place, position);
        }
        if n_left == 0 {
            self.push(Chain { from: start, to: control, part }, Hop::ENVIRONMENT, position + 1);
        }
        let mut at = start;
        for &(place, bounds) in &zone.bounds {
            let n_wanted = bounds.max.unwrap_or(bounds.min);
            let mut optional = Vec::new();
            for n_put in 0..n_wanted {
                if n_put >= bounds.min {
                    optional.push(at);
                }
                n_left -= 1;
                position += 1;
                let within = Meaning::Within(part, position);
                let to = if n_left == 0 { control } else { self.fresh(within) };
                self.put(Chain { from: at, to, part }, place, position);
                at = to;
            }
            for from in optional {
                self.push(Chain { from, to: at, part }, Hop::ENVIRONMENT, position);
            }
        }
        Ok(start)
    }

    fn firing(&mut self, id: TransitionId) -> Result<(), StopReason> {
        let transition = &self.system.transitions[id.idx()];
        let name = &transition.name;
        if transition.has_upper_bounds() {
            let construct = format!("an upper bound in the guard of `{name}` as steps of threads");
            return Err(StopReason::Unsupported { construct, span: transition.span });
        }
        let (from, to) = (transition.from.0, transition.to.0);
        if from == to && transition.moves.is_empty() && transition.delta.is_empty() {
            return Ok(());
        }
        let hops = chain(transition, self.room());
        let hops = hops.ok_or_else(|| too_long(format!("`{name}`"), transition.span))?;
        self.add(Chain { from, to, part: Part::Firing(id) }, &hops);
        Ok(())
    }

    /// Gives the shared state at the end of the target's chain.
    fn target(&mut self, idx: usize) -> Result<u32, StopReason> {
        let target = &self.system.targets[idx];
        if !target.zone.is_upward_closed() {
            let construct = format!("an upper bound in target `{}`", target.name);
            return Err(StopReason::Unsupported { construct, span: target.span });
        }
        let n_tokens = target.zone.bounds.iter().map(|(_, bounds)| u64::from(bounds.min));
        if n_tokens.sum::<u64>() > self.room() as u64 {
            return Err(too_long(format!("target `{}`", target.name), target.span));
        }
        let error = self.fresh(Meaning::Error(idx));
        let takes = target.zone.bounds.iter().flat_map(|&(place, bounds)| {
            let take = Hop::of_thread(local_of(place), OUTSIDE);
            std::iter::repeat_n(take, bounds.min as usize)
        });
        let hops: Vec<Hop> = takes.collect();
        self.add(Chain { from: target.zone.control.0, to: error, part: Part::Target(idx) }, &hops);
        Ok(error)
    }

    /// Adds a chain, from the first move on that no other chain has.
    fn add(&mut self, way: Chain, hops: &[Hop]) {
        let (last, others) = hops.split_last().unwrap_or((&Hop::ENVIRONMENT, &[]));
        let mut at = way.from;
        for (idx, hop) in others.iter().enumerate() {
            let key = (at, *hop, broadcast(way.part, *hop));
            if let Some(&next) = self.known.get(&key) {
                at = next;
                continue;
            }
            let position = idx as u32 + 1;
            let next = self.fresh(Meaning::Within(way.part, position));
            self.push(Chain { from: at, to: next, part: way.part }, *hop, position);
            self.known.insert(key, next);
            at = next;
        }
        if last.is_broadcast || self.firings.insert((at, *last, way.to)) {
            self.push(Chain { from: at, ..way }, *last, hops.len().max(1) as u32);
        }
    }

    fn put(&mut self, way: Chain, place: CounterId, position: u32) {
        self.push(way, Hop::of_thread(OUTSIDE, local_of(place)), position);
    }

    fn push(&mut self, way: Chain, hop: Hop, position: u32) {
        self.edges.push(Edge {
            shared: way.from,
            local: hop.thread.map(|thread| thread.0),
            to_shared: way.to,
            to_local: hop.thread.map(|thread| thread.1),
            broadcast: broadcast(way.part, hop),
            part: way.part,
            position,
        });
    }

    fn fresh(&mut self, meaning: Meaning) -> u32 {
        self.shared.push(meaning);
        self.shared.len() as u32 - 1
    }

    /// How many more moves may be added.
    fn room(&self) -> usize {
        MAX_MOVES.saturating_sub(self.edges.len())
    }
}

fn broadcast(part: Part, hop: Hop) -> Option<TransitionId> {
    match part {
        Part::Firing(transition) if hop.is_broadcast => Some(transition),
        _ => None,
    }
}
