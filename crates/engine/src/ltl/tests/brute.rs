//! Is there an accepting, fair cycle? By the transitive closure of the product.

use std::collections::BTreeSet;

use model::Fairness;

use super::graph::Graph;
use crate::ltl::automaton::Automaton;

/// An edge of the product, with its actor; `None` where the run has ended.
type Edge = (Option<u64>, usize);

pub fn is_violated(graph: &Graph, automaton: &Automaton, fairness: Fairness) -> bool {
    let n_locations = automaton.states.len();
    if n_locations == 0 {
        return false;
    }
    let all = product(graph, automaton, |_| true);
    // What happens for no reason is in no fair cycle, but it may lead to one.
    let goes_on = |choice| fairness == Fairness::None || graph.spurious != Some(choice);
    let edges = product(graph, automaton, goes_on);
    let reaches: Vec<BTreeSet<usize>> = (0..edges.len()).map(|node| after(&edges, node)).collect();
    let starts: Vec<usize> = graph.initial.iter().map(|state| state * n_locations).collect();
    (0..edges.len()).any(|node| {
        let is_reached =
            starts.iter().any(|&start| start == node || after(&all, start).contains(&node));
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
            let enabled = |&(choice, _): &(u64, usize)| graph.actor_of(choice) == Some(actor);
            let acts = |&(who, target): &Edge| who == Some(actor) && component.contains(&target);
            !graph.edges[node / n_locations].iter().any(enabled) || edges[node].iter().any(acts)
        })
    })
}

/// The product with the edges of some choices.
fn product(
    graph: &Graph,
    automaton: &Automaton,
    is_wanted: impl Fn(u64) -> bool,
) -> Vec<Vec<Edge>> {
    let n_locations = automaton.states.len();
    let mut edges = Vec::new();
    for (state, steps) in graph.edges.iter().enumerate() {
        for location in &automaton.states {
            let mut here = Vec::new();
            for arc in location.arcs.iter().filter(|arc| arc.guard.admits(graph.letters[state])) {
                let node = |state: usize| state * n_locations + arc.target as usize;
                for &(choice, target) in steps.iter().filter(|(choice, _)| is_wanted(*choice)) {
                    here.push((graph.actor_of(choice), node(target)));
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
