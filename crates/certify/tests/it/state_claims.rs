//! Claims about all states of a system, and runs that go on for ever: what is true
//! is accepted, what is forged is not.

use certify::{Assurance, Rejection, check};
use model::{
    Certificate, Choice, ChoiceLabel, Deadlock, Ending, Fairness, Field, Formula, Judgement,
    Limits, NamedFormula, Problem, Proof, Property, PropertyKind, Scope, StateProblem, StateStart,
    StateStep, StateTrace, Stepper, StopReason, Store, Successors, Symmetry, ThreadCount, Trace,
    TransitionSystem, Variant, Verdict, Vocabulary,
};

/// Numbered nodes, from 0; a step leads along an edge.
struct Graph {
    edges: Vec<Vec<u64>>,
    /// Nodes that have one more step, to where an assumption is false.
    left_out: Vec<u64>,
    properties: Vec<Property>,
    /// For each property, the nodes where it is true.
    truth: Vec<Vec<u64>>,
    symmetry: Symmetry,
    /// What reaches property 1, where it is a statement: the start, or a step from a node.
    covering: Option<Option<u64>>,
}

impl Graph {
    /// 0 -> 1 -> 2 -> 1, with an invariant, a cover of 2, and the goal 0.
    fn new() -> Graph {
        let kinds = [PropertyKind::Invariant, PropertyKind::Cover, PropertyKind::AlwaysReachable];
        let property = |kind| Property { name: format!("{kind:?}"), kind, span: None };
        Graph {
            edges: vec![vec![1], vec![2], vec![1]],
            left_out: Vec::new(),
            properties: kinds.into_iter().map(property).collect(),
            truth: vec![vec![0, 1, 2], vec![2], vec![0]],
            symmetry: Symmetry::default(),
            covering: None,
        }
    }

    fn problem<'a>(&'a self, formula: Option<&'a NamedFormula>) -> Problem<'a> {
        Problem::States(StateProblem {
            system: self,
            deadlock: Deadlock::Stuttering,
            formula,
            fairness: Fairness::None,
        })
    }

    fn judge(&self, verdict: &Verdict, formula: Option<&NamedFormula>) -> Judged {
        check(self.problem(formula), ThreadCount::AsGiven, verdict, &Limits::none())
    }
}

type Judged = Result<Assurance, Rejection>;

impl TransitionSystem for Graph {
    fn state_bits(&self) -> u32 {
        64
    }

    fn stepper<'a>(&'a self, _limits: &Limits) -> Box<dyn Stepper + Send + 'a> {
        Box::new(Walker(self))
    }

    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn choice_label(&self, choice: Choice, _initial: bool) -> ChoiceLabel {
        ChoiceLabel { name: choice.0.to_string(), parameters: Vec::new(), span: None }
    }

    fn describe(&self, _state: &[u64]) -> Vec<Field> {
        Vec::new()
    }

    fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }
}

struct Walker<'a>(&'a Graph);

impl Stepper for Walker<'_> {
    fn initial(&mut self, out: &mut Successors) -> Result<(), StopReason> {
        out.push(Choice(0), &[0]);
        out.covered.extend((self.0.covering == Some(None)).then_some(1));
        Ok(())
    }

    fn expand(&mut self, state: &[u64], out: &mut Successors) -> Result<(), StopReason> {
        out.n_enabled += u64::from(self.0.left_out.contains(&state[0]));
        for &next in &self.0.edges[state[0] as usize] {
            out.n_enabled += 1;
            out.push(Choice(next), &[next]);
        }
        out.covered.extend((self.0.covering == Some(Some(state[0]))).then_some(1));
        Ok(())
    }

    fn judge(&mut self, state: &[u64], out: &mut Judgement) -> Result<(), StopReason> {
        for (idx, property) in (0..).zip(&self.0.properties) {
            let is_true = self.0.truth[idx as usize].contains(&state[0]);
            match (property.kind, is_true) {
                (PropertyKind::Invariant, false) => out.violated.push(idx),
                (PropertyKind::Invariant, true) | (_, false) => {}
                (_, true) => out.reached.push(idx),
            }
        }
        Ok(())
    }
}

/// The run through `nodes`, which starts at 0.
fn run(nodes: &[u64], ending: Ending) -> Verdict {
    let state = |node: u64| Store::of_words(&[node]);
    let step = |&node: &u64| StateStep { choice: Choice(node), state: state(node) };
    Verdict::Violated(Trace::States(StateTrace {
        start: Some(StateStart { choice: Choice(0), state: state(0) }),
        steps: nodes.iter().map(step).collect(),
        ending,
    }))
}

fn uncovered(property: u32) -> Verdict {
    let ending = Ending::Uncovered(property);
    Verdict::Violated(Trace::States(StateTrace { start: None, steps: Vec::new(), ending }))
}

fn exhausted(n_states: u64, max_steps: Option<u64>) -> Verdict {
    let proof = Proof::Exhausted { n_states, symmetry: false, formula: None, max_steps };
    Verdict::Holds(Certificate {
        variant: Variant::AS_WRITTEN,
        scope: Scope::AsGiven,
        vocabulary: Vocabulary::None,
        proof,
    })
}

#[test]
fn absence_is_believed_of_properties_of_the_right_kind_alone() {
    let mut graph = Graph::new();
    assert_eq!(graph.judge(&run(&[1], Ending::Stranded(2)), None), Ok(Assurance::Proved));
    for wrong in [0, 1, 3, u32::MAX] {
        assert!(graph.judge(&run(&[1], Ending::Stranded(wrong)), None).is_err(), "{wrong}");
        assert!(graph.judge(&uncovered(wrong), None).is_err(), "{wrong}");
    }
    graph.truth[1].clear();
    assert_eq!(graph.judge(&uncovered(1), None), Ok(Assurance::Proved));
    assert!(graph.judge(&uncovered(0), None).is_err());
    assert!(graph.judge(&uncovered(2), None).is_err());
}

#[test]
fn a_model_of_states_is_proved_for_its_constants_alone() {
    let mut graph = Graph::new();
    graph.edges[2] = vec![1, 0];
    let holds = exhausted(3, None);
    assert_eq!(graph.judge(&holds, None), Ok(Assurance::Repeated));
    for threads in [ThreadCount::Any, ThreadCount::Exactly(1)] {
        assert!(check(graph.problem(None), threads, &holds, &Limits::none()).is_err());
        let Verdict::Holds(certificate) = holds.clone() else { panic!("it is a proof") };
        let wider = Verdict::Holds(Certificate { scope: threads, ..certificate });
        assert!(graph.judge(&wider, None).is_err());
        assert!(check(graph.problem(None), threads, &wider, &Limits::none()).is_err());
    }
}

#[test]
fn a_cover_statement_is_reached_by_a_step_or_a_start() {
    let mut graph = Graph::new();
    graph.edges[2] = vec![1, 0];
    graph.properties[1].kind = PropertyKind::CoverStatement;
    graph.truth[1].clear();
    assert_eq!(graph.judge(&uncovered(1), None), Ok(Assurance::Proved));
    let expected = Rejection::TargetNotExcluded { target: "Cover".to_owned() };
    assert_eq!(graph.judge(&exhausted(3, None), None), Err(expected));
    for reaching in [None, Some(1)] {
        graph.covering = Some(reaching);
        assert!(graph.judge(&uncovered(1), None).is_err());
        assert_eq!(graph.judge(&exhausted(3, None), None), Ok(Assurance::Repeated));
    }
}

#[test]
fn looking_again_sees_a_goal_that_is_out_of_reach() {
    let mut graph = Graph::new();
    let expected = Rejection::TargetNotExcluded { target: "AlwaysReachable".to_owned() };
    assert_eq!(graph.judge(&exhausted(3, None), None), Err(expected));
    graph.edges[2] = vec![1, 0];
    assert_eq!(graph.judge(&exhausted(3, None), None), Ok(Assurance::Repeated));
    assert!(graph.judge(&exhausted(4, None), None).is_err());
    assert_eq!(graph.judge(&exhausted(3, Some(2)), None), Ok(Assurance::NotRepeated));
}

#[test]
fn a_run_ends_only_where_nobody_has_a_step() {
    let mut graph = Graph::new();
    graph.edges[2].clear();
    let text = "false".to_owned();
    let formula = NamedFormula { text, formula: Formula::False, propositions: Vec::new() };
    let ends = run(&[1, 2], Ending::Lasso { loop_start: 2 });
    assert_eq!(graph.judge(&ends, Some(&formula)), Ok(Assurance::Proved));
    graph.left_out = vec![2];
    assert!(graph.judge(&ends, Some(&formula)).is_err());
    let early = run(&[1], Ending::Lasso { loop_start: 1 });
    assert!(graph.judge(&early, Some(&formula)).is_err());
    graph.edges[2] = vec![1];
    let goes_on = run(&[1, 2, 1], Ending::Lasso { loop_start: 1 });
    assert_eq!(graph.judge(&goes_on, Some(&formula)), Ok(Assurance::Proved));
    assert!(graph.judge(&goes_on, None).is_err());
    for loop_start in [0, 2, 4, usize::MAX] {
        let open = run(&[1, 2, 1], Ending::Lasso { loop_start });
        assert!(graph.judge(&open, Some(&formula)).is_err(), "{loop_start}");
    }
}
