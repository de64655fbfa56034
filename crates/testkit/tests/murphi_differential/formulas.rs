//! Random formulas, and whether they hold on a graph, decided in the textbook's way:
//! guess at every state which temporal subformulas are true, and look for a strongly
//! connected part that keeps every promise.

use std::collections::{BTreeMap, BTreeSet};

use model::{Fairness, Formula, TransitionSystem};
use testkit::rng::Rng;

use crate::graph::Graph;

/// A formula over the given propositions as text.
pub fn random(rng: &mut Rng, propositions: &[String], depth: u32) -> String {
    if depth == 0 || rng.chance(15) {
        return propositions[rng.below(propositions.len() as u32) as usize].clone();
    }
    let left = random(rng, propositions, depth - 1);
    let unary = ["[]", "<>", "!", "X", "[] <>", "<> []"];
    let binary = ["U", "W", "R", "&&", "||", "->", "<->"];
    if rng.chance(55) {
        let operator = unary[rng.below(unary.len() as u32) as usize];
        return format!("{operator} ({left})");
    }
    let right = random(rng, propositions, depth - 1);
    let operator = binary[rng.below(binary.len() as u32) as usize];
    format!("(({left}) {operator} ({right}))")
}

/// More guesses than that are too many to try.
const MAX_TEMPORAL: usize = 5;
/// The truth of all parts is one word.
const MAX_PARTS: usize = 64;

/// Does the formula hold on every (fair) run? `None` when that is too much to try.
pub fn holds(
    system: &dyn TransitionSystem,
    graph: &Graph,
    valuations: &[u64],
    formula: &Formula,
    fairness: Fairness,
) -> Option<bool> {
    let mut parts = Parts::default();
    let root = parts.add(formula);
    let is_small = parts.temporal.len() <= MAX_TEMPORAL && parts.all.len() <= MAX_PARTS;
    is_small.then(|| {
        let product = Product::new(system, graph, valuations, &parts, fairness);
        !product.has_fair_run(|truth| truth >> root & 1 == 0)
    })
}

/// A formula, part by part; a part comes after its own parts, and only once.
#[derive(Default)]
struct Parts {
    known: BTreeMap<Formula, usize>,
    all: Vec<Part>,
    temporal: Vec<usize>,
}

#[derive(Clone, Copy)]
enum Part {
    Constant(bool),
    Proposition(u32),
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
    Next(usize),
    Until(usize, usize),
    Release(usize, usize),
}

impl Parts {
    fn add(&mut self, formula: &Formula) -> usize {
        if let Some(known) = self.known.get(formula) {
            return *known;
        }
        let part = match formula {
            Formula::True => Part::Constant(true),
            Formula::False => Part::Constant(false),
            Formula::Proposition(idx) => Part::Proposition(*idx),
            Formula::Not(inner) => Part::Not(self.add(inner)),
            Formula::And(left, right) => Part::And(self.add(left), self.add(right)),
            Formula::Or(left, right) => Part::Or(self.add(left), self.add(right)),
            Formula::Next(inner) => Part::Next(self.add(inner)),
            Formula::Until(left, right) => Part::Until(self.add(left), self.add(right)),
            Formula::Release(left, right) => Part::Release(self.add(left), self.add(right)),
        };
        if matches!(part, Part::Next(_) | Part::Until(..) | Part::Release(..)) {
            self.temporal.push(self.all.len());
        }
        self.all.push(part);
        self.known.insert(formula.clone(), self.all.len() - 1);
        self.all.len() - 1
    }

    /// The truth of every part, given a guess for the temporal ones.
    fn truth(&self, valuation: u64, guess: usize) -> u64 {
        let mut truth = 0_u64;
        let mut n_temporal = 0;
        for (idx, part) in self.all.iter().enumerate() {
            let is_true = match *part {
                Part::Constant(value) => value,
                Part::Proposition(proposition) => valuation >> proposition & 1 == 1,
                Part::Not(inner) => truth >> inner & 1 == 0,
                Part::And(left, right) => truth >> left & truth >> right & 1 == 1,
                Part::Or(left, right) => (truth >> left | truth >> right) & 1 == 1,
                Part::Next(_) | Part::Until(..) | Part::Release(..) => {
                    n_temporal += 1;
                    guess >> (n_temporal - 1) & 1 == 1
                }
            };
            truth |= u64::from(is_true) << idx;
        }
        truth
    }

    /// May a state with truth `now` be followed by one with truth `then`?
    fn fits(&self, now: u64, then: u64) -> bool {
        let bit = |truth: u64, idx: usize| truth >> idx & 1 == 1;
        self.temporal.iter().all(|&idx| {
            bit(now, idx)
                == match self.all[idx] {
                    Part::Next(inner) => bit(then, inner),
                    Part::Until(a, b) => bit(now, b) || (bit(now, a) && bit(then, idx)),
                    Part::Release(a, b) => bit(now, b) && (bit(now, a) || bit(then, idx)),
                    _ => bit(now, idx),
                }
        })
    }

    /// Is the promise of this temporal part kept here? (No promise is open.)
    fn is_kept(&self, idx: usize, truth: u64) -> bool {
        let bit = |idx: usize| truth >> idx & 1 == 1;
        match self.all[idx] {
            Part::Until(_, b) => !bit(idx) || bit(b),
            Part::Release(_, b) => bit(idx) || !bit(b),
            _ => true,
        }
    }
}

struct Node {
    state: usize,
    truth: u64,
}

struct Product<'a> {
    parts: &'a Parts,
    nodes: Vec<Node>,
    edges: Vec<Vec<(Option<u64>, usize)>>,
    enabled: Vec<BTreeSet<u64>>,
    actors: BTreeSet<u64>,
    initial: Vec<usize>,
}

impl<'a> Product<'a> {
    fn new(
        system: &dyn TransitionSystem,
        graph: &Graph,
        valuations: &[u64],
        parts: &'a Parts,
        fairness: Fairness,
    ) -> Product<'a> {
        let n_guesses = 1 << parts.temporal.len();
        let nodes: Vec<Node> = (0..graph.states.len())
            .flat_map(|state| (0..n_guesses).map(move |guess| (state, guess)))
            .map(|(state, guess)| Node { state, truth: parts.truth(valuations[state], guess) })
            .collect();
        let mut edges = Vec::new();
        for node in &nodes {
            let mut steps: Vec<(Option<u64>, usize)> = graph.edges[node.state]
                .iter()
                .map(|(choice, to)| (system.actor(*choice), *to))
                .collect();
            if graph.is_end[node.state] {
                // A run that ends stays where it is.
                steps.push((None, node.state));
            }
            let fitting = steps.iter().flat_map(|(actor, to)| {
                let nodes = &nodes;
                (to * n_guesses..(to + 1) * n_guesses)
                    .filter(move |next| parts.fits(node.truth, nodes[*next].truth))
                    .map(move |next| (*actor, next))
            });
            edges.push(fitting.collect());
        }
        let enabled: Vec<BTreeSet<u64>> = graph
            .edges
            .iter()
            .map(|edges| edges.iter().filter_map(|(choice, _)| system.actor(*choice)).collect())
            .collect();
        let actors = match fairness {
            Fairness::None => BTreeSet::new(),
            Fairness::Weak => enabled.iter().flatten().copied().collect(),
        };
        let initial =
            graph.initial.iter().flat_map(|idx| idx * n_guesses..(idx + 1) * n_guesses).collect();
        Product { parts, nodes, edges, enabled, actors, initial }
    }

    /// Is there a fair run from an initial node that is `wanted`?
    fn has_fair_run(&self, wanted: impl Fn(u64) -> bool) -> bool {
        let starts = self.initial.iter().copied().filter(|idx| wanted(self.nodes[*idx].truth));
        let reachable = self.reach(starts.collect());
        let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (idx, component) in self.components(&reachable).into_iter().enumerate() {
            if reachable[idx] {
                members.entry(component).or_default().push(idx);
            }
        }
        members.values().any(|component| self.is_fair(component))
    }

    fn reach(&self, mut open: Vec<usize>) -> Vec<bool> {
        let mut reached = vec![false; self.nodes.len()];
        while let Some(idx) = open.pop() {
            if !std::mem::replace(&mut reached[idx], true) {
                open.extend(self.edges[idx].iter().map(|(_, to)| *to));
            }
        }
        reached
    }

    /// The strongly connected component of each node, by Kosaraju's two passes.
    fn components(&self, within: &[bool]) -> Vec<usize> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.nodes.len()];
        for root in (0..self.nodes.len()).filter(|idx| within[*idx]) {
            let mut stack = vec![(root, 0)];
            while let Some((idx, position)) = stack.pop() {
                if position == 0 && std::mem::replace(&mut seen[idx], true) {
                    continue;
                }
                match self.edges[idx].get(position) {
                    Some((_, to)) => {
                        stack.push((idx, position + 1));
                        if !seen[*to] {
                            stack.push((*to, 0));
                        }
                    }
                    None => order.push(idx),
                }
            }
        }
        let mut back = vec![Vec::new(); self.nodes.len()];
        for idx in (0..self.nodes.len()).filter(|idx| within[*idx]) {
            self.edges[idx].iter().for_each(|(_, to)| back[*to].push(idx));
        }
        let mut component = vec![usize::MAX; self.nodes.len()];
        for &root in order.iter().rev() {
            let mut open = vec![root];
            while let Some(idx) = open.pop() {
                if component[idx] == usize::MAX {
                    component[idx] = root;
                    open.extend(back[idx].iter().copied());
                }
            }
        }
        component
    }

    /// Has the component a step, keeps it every promise, and is it fair to all?
    fn is_fair(&self, component: &[usize]) -> bool {
        let inside: BTreeSet<usize> = component.iter().copied().collect();
        let taken: BTreeSet<Option<u64>> = component
            .iter()
            .flat_map(|idx| &self.edges[*idx])
            .filter(|(_, to)| inside.contains(to))
            .map(|(actor, _)| *actor)
            .collect();
        let is_kept = |part: &usize| {
            component.iter().any(|idx| self.parts.is_kept(*part, self.nodes[*idx].truth))
        };
        let is_served = |actor: &u64| {
            taken.contains(&Some(*actor))
                || component.iter().any(|idx| !self.enabled[self.nodes[*idx].state].contains(actor))
        };
        !taken.is_empty()
            && self.parts.temporal.iter().all(is_kept)
            && self.actors.iter().all(is_served)
    }
}
