//! Random Boolean flows with everything that a flow can say: choices, constraints, atomic
//! locations, several kinds of threads, threads that are created and that end, errors,
//! changes to the locals of all others, and steps after which nothing is proven.

use model::{
    Bit, BitExpr, BitVariable, BooleanFlow, FlowEdge, FlowLocation, FlowSpawn, FlowThread, LabelId,
    LocationId, Multiplicity, StepError,
};

use crate::rng::Rng;

/// A small flow.
pub fn random(rng: &mut Rng) -> BooleanFlow {
    let (n_shared, n_locals) = (rng.between(1, 3), rng.between(0, 2));
    let n_locations = rng.between(2, 5);
    let tools = Tools { n_shared, n_locals, n_locations, has_passive: rng.chance(25) };
    let entries = if rng.chance(70) { vec![0] } else { vec![0, 1] };
    let locations: Vec<FlowLocation> = (0..n_locations)
        .map(|idx| FlowLocation {
            name: format!("l{idx}"),
            span: None,
            is_atomic: idx > 1 && rng.chance(25),
        })
        .collect();
    let n_edges = rng.between(3, 9);
    let mut edges: Vec<FlowEdge> = (0..n_edges).map(|_| tools.edge(rng)).collect();
    edges.sort_by_key(|edge| edge.from);
    for (idx, edge) in edges.iter_mut().enumerate() {
        edge.label = LabelId(idx as u32);
    }
    BooleanFlow {
        shared: (0..n_shared).map(|idx| variable(rng, "s", idx)).collect(),
        locals: (0..n_locals).map(|idx| variable(rng, "x", idx)).collect(),
        locations,
        edges,
        threads: entries.into_iter().map(|entry| tools.kind(rng, entry)).collect(),
    }
}

fn variable(rng: &mut Rng, name: &str, idx: u32) -> BitVariable {
    let initial = if rng.chance(80) { Some(rng.chance(30)) } else { None };
    BitVariable { name: format!("{name}{idx}"), initial }
}

struct Tools {
    n_shared: u32,
    n_locals: u32,
    n_locations: u32,
    has_passive: bool,
}

impl Tools {
    fn kind(&self, rng: &mut Rng, entry: u32) -> FlowThread {
        let locals = (0..self.n_locals).map(|_| rng.chance(80).then(|| rng.chance(50)));
        FlowThread {
            name: format!("kind {entry}"),
            entry: LocationId(entry),
            locals: locals.collect(),
            multiplicity: match rng.below(3) {
                0 => Multiplicity::Exactly(rng.between(1, 2)),
                _ => Multiplicity::Any,
            },
        }
    }

    fn edge(&self, rng: &mut Rng) -> FlowEdge {
        let n_choices = if rng.chance(30) { rng.between(1, 2) } else { 0 };
        let is_error = rng.chance(10);
        let mut assigns: Vec<(Bit, BitExpr)> = Vec::new();
        for _ in 0..rng.below(3) {
            let bit = self.bit(rng);
            if assigns.iter().all(|(assigned, _)| *assigned != bit) {
                assigns.push((bit, self.expr(rng, n_choices, 2)));
            }
        }
        let guard = match rng.chance(70) {
            true => self.expr(rng, n_choices, 2).or(self.expr(rng, n_choices, 1)),
            false => BitExpr::TRUE,
        };
        let constraint = match rng.chance(15) {
            true => BitExpr::After(self.bit(rng)).xor(self.expr(rng, n_choices, 1)),
            false => BitExpr::TRUE,
        };
        FlowEdge {
            from: LocationId(rng.below(self.n_locations)),
            to: rng.chance(93).then(|| LocationId(rng.below(self.n_locations))),
            guard,
            assigns,
            constraint,
            n_choices,
            spawn: rng.chance(7).then(|| self.spawn(rng, n_choices)),
            passive: self.passive(rng, n_choices),
            violation: is_error.then(|| StepError::assertion("error")),
            incomplete: rng.chance(1).then(|| "more may happen".to_owned()),
            label: LabelId(0),
        }
    }

    fn spawn(&self, rng: &mut Rng, n_choices: u32) -> FlowSpawn {
        let locals = rng.subset(self.n_locals, 50);
        let assigns = locals.into_iter().map(|idx| (idx, self.expr(rng, n_choices, 1)));
        let assigns = assigns.collect();
        FlowSpawn { to: LocationId(rng.below(2)), assigns }
    }

    fn passive(&self, rng: &mut Rng, n_choices: u32) -> Vec<(u32, BitExpr)> {
        if !self.has_passive || self.n_locals == 0 || rng.chance(60) {
            return Vec::new();
        }
        let locals = rng.subset(self.n_locals, 60);
        let values = locals.into_iter().map(|idx| {
            let other = BitExpr::Passive(rng.below(self.n_locals));
            let value = match rng.below(3) {
                0 => self.expr(rng, n_choices, 1),
                1 => other.xor(self.expr(rng, n_choices, 1)),
                _ => other.and(self.expr(rng, n_choices, 1)),
            };
            (idx, value)
        });
        values.collect()
    }

    fn bit(&self, rng: &mut Rng) -> Bit {
        match rng.below(self.n_shared + self.n_locals) {
            idx if idx < self.n_shared => Bit::Shared(idx),
            idx => Bit::Local(idx - self.n_shared),
        }
    }

    fn expr(&self, rng: &mut Rng, n_choices: u32, depth: u32) -> BitExpr {
        if depth == 0 || rng.chance(40) {
            return match rng.below(6) {
                0 => BitExpr::Const(rng.chance(50)),
                1 if n_choices > 0 => BitExpr::Choice(rng.below(n_choices)),
                _ => BitExpr::Before(self.bit(rng)),
            };
        }
        let left = self.expr(rng, n_choices, depth - 1);
        let right = self.expr(rng, n_choices, depth - 1);
        match rng.below(4) {
            0 => left.negated(),
            1 => left.or(right),
            2 => left.xor(right),
            _ => left.and(right),
        }
    }
}
