//! The translation against the meaning of formulas, the searches against each
//! other and against brute force, all on random input with fixed seeds.

mod brute;
mod graph;
mod words;

use model::{
    Context, Ending, Fairness, Formula, Limits, NamedFormula, Outcome, StateProblem, StateTrace,
    Trace, Verdict,
};

use crate::kernel::budget::Budget;
use crate::ltl::automaton::Automaton;
use crate::ltl::fair;
use crate::ltl::nested::CycleFinding;
use crate::ltl::product::Product;
use graph::Graph;
use words::{Rng, Word, accepts, holds, random_formula};

fn automaton(formula: &Formula) -> Automaton {
    Automaton::of_negation(formula, &Limits::none()).expect("the formula is small")
}

fn run(graph: &Graph, formula: &Formula, fairness: Fairness, jobs: usize) -> Outcome {
    let formula = NamedFormula {
        text: formula.to_string(),
        formula: formula.clone(),
        propositions: Vec::new(),
    };
    let problem = StateProblem {
        system: graph,
        deadlock: model::Deadlock::Off,
        formula: Some(&formula),
        fairness,
    };
    super::check(&problem, Context::silent(&Limits { jobs, ..Limits::none() }))
}

#[test]
fn automata_accept_exactly_the_words_that_violate_the_formula() {
    let mut rng = Rng(1);
    let mut n_accepted = 0;
    for _ in 0..3000 {
        let size = 1 + rng.below(12);
        let formula = random_formula(&mut rng, size, 3);
        let automaton = automaton(&formula);
        for _ in 0..20 {
            let word = Word::random(&mut rng, 3);
            let violates = !holds(&formula, &word);
            n_accepted += u32::from(violates);
            assert_eq!(accepts(&automaton, &word), violates, "{formula} on {word:?}");
        }
    }
    assert!((10_000..50_000).contains(&n_accepted));
}

#[test]
fn searches_agree_with_brute_force_and_counterexamples_are_genuine() {
    let mut rng = Rng(2);
    let mut n_violated = 0;
    for round in 0..3000 {
        let graph = Graph::random(&mut rng);
        let size = 1 + rng.below(9);
        let formula = random_formula(&mut rng, size, 3);
        let automaton = automaton(&formula);
        for fairness in [Fairness::None, Fairness::Weak] {
            let expected = brute::is_violated(&graph, &automaton, fairness);
            n_violated += u32::from(expected);
            let first = run(&graph, &formula, fairness, 1);
            assert_eq!(violation(&first, &graph, &formula, fairness), expected, "round {round}");
            for jobs in [3, 4] {
                let other = run(&graph, &formula, fairness, jobs);
                assert_eq!(other, first, "round {round}, {jobs} jobs");
            }
            let limits = Limits::none();
            let found = fair::search(
                Product::new(&graph, &automaton_or_loop(&automaton), &limits),
                fairness,
                Budget::new("test", u64::MAX, Context::silent(&limits)),
            );
            let found = found.expect("there are no limits").finding;
            assert_eq!(matches!(found, CycleFinding::Cycle { .. }), expected, "round {round}");
        }
    }
    assert!((1000..5000).contains(&n_violated), "{n_violated}");
}

/// An automaton without states has no product; the search by components is then
/// given one that accepts nothing.
fn automaton_or_loop(automaton: &Automaton) -> Automaton {
    let mut automaton = automaton.clone();
    if automaton.states.is_empty() {
        let arcs = Vec::new();
        automaton.states.push(crate::ltl::automaton::AutomatonState { is_accepting: false, arcs });
    }
    automaton
}

/// Is the outcome a violation? If so its trace must be one.
fn violation(outcome: &Outcome, graph: &Graph, formula: &Formula, fairness: Fairness) -> bool {
    match &outcome.verdict {
        Verdict::Holds(_) => false,
        Verdict::Unknown(reason) => panic!("stopped: {reason:?}"),
        Verdict::Violated(Trace::States(trace)) => {
            check_lasso(trace, graph, formula, fairness);
            true
        }
        Verdict::Violated(_) => panic!("a trace of another kind"),
    }
}

fn check_lasso(trace: &StateTrace, graph: &Graph, formula: &Formula, fairness: Fairness) {
    let Ending::Lasso { loop_start } = trace.ending else { panic!("not a lasso") };
    let state = |store: &model::Store| store.to_words().expect("whole words")[0] as usize;
    let mut at = state(&trace.start.as_ref().expect("a lasso has a start").state);
    assert!(graph.initial.contains(&at));
    let mut path = vec![at];
    let mut taken = Vec::new();
    for step in &trace.steps {
        let next = state(&step.state);
        assert!(graph.edges[at].contains(&(step.choice.0, next)), "no such step");
        taken.push(graph.actor_of(step.choice.0));
        at = next;
        path.push(at);
    }
    let letters: Vec<u64> = path.iter().map(|&state| graph.letters[state]).collect();
    let ends = loop_start == trace.steps.len();
    match ends {
        true => assert!(graph.edges[at].is_empty(), "the run has not ended"),
        false => assert_eq!(path[loop_start], at, "the loop does not close"),
    }
    let n_letters = if ends { letters.len() } else { letters.len() - 1 };
    let word = Word { letters: letters[..n_letters].to_vec(), loop_start };
    assert!(!holds(formula, &word), "{formula} holds on {word:?}");
    if fairness == Fairness::Weak && !ends {
        assert!(!taken[loop_start..].contains(&None), "something goes on for no reason");
        for actor in 0..graph.n_actors {
            let acts = taken[loop_start..].contains(&Some(actor));
            let can_everywhere = path[loop_start..].iter().all(|&state| {
                graph.edges[state].iter().any(|(choice, _)| graph.actor_of(*choice) == Some(actor))
            });
            assert!(acts || !can_everywhere, "actor {actor} starves");
        }
    }
}

#[test]
fn classic_formulas_have_small_automata() {
    let p = |idx| Box::new(Formula::Proposition(idx));
    let globally = |inner| Formula::Release(Box::new(Formula::False), inner);
    let finally = |inner| Formula::Until(Box::new(Formula::True), inner);
    // `G p`: wait, or see the violation and accept whatever follows.
    let always = automaton(&globally(p(0)));
    assert_eq!((always.states.len(), always.is_weak), (2, true));
    // `G (p -> F q)`: wait, then stay where `q` never comes.
    let answer = Formula::Or(Box::new(Formula::Not(p(0))), Box::new(finally(p(1))));
    let response = automaton(&globally(Box::new(answer)));
    assert_eq!((response.states.len(), response.is_weak), (2, true));
    // `G F p`: wait, then stay where `p` never comes.
    let recurrence = automaton(&globally(Box::new(finally(p(0)))));
    assert_eq!((recurrence.states.len(), recurrence.is_weak), (2, true));
    // `F G p`: the negation is a true Büchi condition.
    let persistence = automaton(&finally(Box::new(globally(p(0)))));
    assert_eq!((persistence.states.len(), persistence.is_weak), (2, false));
    assert!(automaton(&Formula::True).states.is_empty());
}

#[test]
fn a_formula_whose_automaton_explodes_ends_without_an_answer() {
    let p = |idx| Box::new(Formula::Proposition(idx));
    let recurrence = |idx| {
        let finally = Formula::Until(Box::new(Formula::True), p(idx));
        let again = Formula::Next(Box::new(Formula::Or(p(idx), Box::new(finally))));
        Formula::Release(p(idx + 1), Box::new(again))
    };
    let formula = (0..62).map(recurrence).reduce(|a, b| Formula::Or(Box::new(a), Box::new(b)));
    let graph = Graph::random(&mut Rng(3));
    let formula = formula.expect("there are several");
    assert!(matches!(run(&graph, &formula, Fairness::None, 1).verdict, Verdict::Unknown(_)));
}

#[test]
fn a_model_that_fails_on_the_way_is_violated_with_the_fault() {
    let mut rng = Rng(4);
    let mut n_faults = 0;
    for _ in 0..300 {
        let mut graph = Graph::random(&mut rng);
        graph.broken = Some(rng.below(graph.edges.len() as u32) as usize);
        let formula = random_formula(&mut rng, 4, 3);
        let first = run(&graph, &formula, Fairness::None, 1);
        assert_eq!(run(&graph, &formula, Fairness::None, 3), first);
        let Verdict::Violated(Trace::States(trace)) = &first.verdict else { continue };
        let Ending::Fault { .. } = trace.ending else { continue };
        n_faults += 1;
        let start = trace.start.as_ref().map(|start| &start.state);
        let last = trace.steps.last().map(|step| &step.state).or(start);
        let last = last.and_then(|store| store.to_words()).map(|words| words[0] as usize);
        assert_eq!(last, graph.broken);
    }
    assert!(n_faults > 30, "{n_faults}");
}
