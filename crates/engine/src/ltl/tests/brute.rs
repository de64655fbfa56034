//! Is there an accepting, fair cycle? By the transitive closure of the product.

use std::collections::BTreeSet;

use model::Fairness;

use super::graph::Graph;
use crate::ltl::automaton::Automaton;

/// An edge of the product, with its actor.
type Edge = (Option<u64>, usize);

pub fn is_violated(graph: &Graph, automaton: &Automaton, fairness: Fairness) -> bool {
    let n_locations = automaton.states.len();
    if n_locations == 0 {
        return false;
    }
    let edges = product(graph, automaton);
    let reaches: Vec<BTreeSet<usize>> = (0..edges.len()).map(|node| after(&edges, node)).collect();
    let starts: Vec<usize> = graph.initial.iter().map(|state| state * n_locations).collect();
    (0..edges.len()).any(|node| {
        let is_reached =
            starts.iter().any(|&start| start == node || reaches[start].contains(&node));
        let component: Vec<usize> = (0..edges.len())
            .filter(|&other| reaches[node].contains(&other) && reaches[other].contains(&node))
            .collect();
        automaton.states[node % n_locations].is_accepting
            && is_reached
            && !component.is_empty()
            && (fairness == Fairness::None || is_fair(graph, &edges, &component, n_locations))
    })
}

fn is_fair(graph: &Graph, edges: &[Vec<Edge>], component: &[usize], n_locations: usize) -> bool {
    (0..graph.n_actors).all(|actor| {
        component.iter().any(|&node| {
            let enabled = |&(choice, _): &(u64, usize)| choice % graph.n_actors == actor;
            let acts = |&(who, target): &Edge| who == Some(actor) && component.contains(&target);
            !graph.edges[node / n_locations].iter().any(enabled) || edges[node].iter().any(acts)
        })
    })
}

fn product(graph: &Graph, automaton: &Automaton) -> Vec<Vec<Edge>> {
    let n_locations = automaton.states.len();
    let mut edges = Vec::new();
    for (state, steps) in graph.edges.iter().enumerate() {
        for location in &automaton.states {
            let mut here = Vec::new();
            for arc in location.arcs.iter().filter(|arc| arc.guard.admits(graph.letters[state])) {
                let node = |state: usize| state * n_locations + arc.target as usize;
                for &(choice, target) in steps {
                    here.push((Some(choice % graph.n_actors), node(target)));
                }
                if steps.is_empty() {
                    here.push((None, node(state)));
                }
            }
            edges.push(here);
        }
    }
    edges
}

/// What lies at least one edge behind `node`.
fn after(edges: &[Vec<Edge>], node: usize) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        for &(_, target) in &edges[node] {
            if seen.insert(target) {
                open.push(target);
            }
        }
    }
    seen
}
