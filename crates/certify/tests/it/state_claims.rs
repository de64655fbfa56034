//! Claims about all states of a system, and runs that go on for ever: what is true
//! is accepted, what is forged is not.

use certify::{Assurance, Rejection, check};
use model::{
    Certificate, Choice, ChoiceLabel, Deadlock, Ending, Fairness, Fault, FaultKind, FaultPlace,
    Field, Formula, Judgement, Limits, NamedFormula, Omission, Problem, Proof, Property,
    PropertyKind, Scope, StateProblem, StateStart, StateStep, StateTrace, Stepper, StopReason,
    Store, Successors, Symmetry, ThreadCount, Trace, TransitionSystem, Variant, Verdict,
    Vocabulary,
};

/// Numbered nodes, from 0; a step leads along an edge.
struct Graph {
    edges: Vec<Vec<u64>>,
    /// Nodes that have one more step, to where an assumption is false.
    left_out: Vec<u64>,
    /// Nodes that have one more step, which is not shown.
    cut: Vec<u64>,
    properties: Vec<Property>,
    /// For each property, the nodes where it is true.
    truth: Vec<Vec<u64>>,
    symmetry: Symmetry,
    /// What reaches property 1, where it is a statement: the start, or a step from a node.
    covering: Option<Option<u64>>,
    /// A node where one more step fails.
    failing: Option<u64>,
    fairness: Fairness,
}

impl Graph {
    /// 0 -> 1 -> 2 -> 1, with an invariant, a cover of 2, and the goal 0.
    fn new() -> Graph {
        let kinds = [PropertyKind::Invariant, PropertyKind::Cover, PropertyKind::AlwaysReachable];
        let property = |kind| Property { name: format!("{kind:?}"), kind, span: None };
        Graph {
            edges: vec![vec![1], vec![2], vec![1]],
            left_out: Vec::new(),
            cut: Vec::new(),
            properties: kinds.into_iter().map(property).collect(),
            truth: vec![vec![0, 1, 2], vec![2], vec![0]],
            symmetry: Symmetry::default(),
            covering: None,
            failing: None,
            fairness: Fairness::None,
        }
    }

    fn problem<'a>(&'a self, formula: Option<&'a NamedFormula>) -> Problem<'a> {
        Problem::States(StateProblem {
            system: self,
            deadlock: Deadlock::Stuttering,
            formula,
            fairness: self.fairness,
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
        if self.0.cut.contains(&state[0]) {
            out.cut(Choice(9), &Omission::Threads { room: 1 });
        }
        for &next in &self.0.edges[state[0] as usize] {
            out.n_enabled += 1;
            out.push(Choice(next), &[next]);
        }
        out.covered.extend((self.0.covering == Some(Some(state[0]))).then_some(1));
        if self.0.failing == Some(state[0]) {
            out.n_enabled += 1;
            out.faults.push((FaultPlace::Step(Choice(9)), fault("it fails")));
        }
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

fn fault(message: &str) -> Fault {
    Fault { kind: FaultKind::Assertion, message: message.to_owned(), span: None }
}

/// The run through `nodes`, which starts at 0.
fn run(nodes: &[u64], ending: Ending) -> Verdict {
    let state = |node: u64| Store::of_words(&[node]);
    let step = |&node: &u64| StateStep { choice: Choice(node), state: state(node) };
    Verdict::Violated(Trace::States(StateTrace {
        variant: Variant::AS_WRITTEN,
        start: Some(StateStart { choice: Choice(0), state: state(0) }),
        steps: nodes.iter().map(step).collect(),
        ending,
    }))
}

fn uncovered(property: u32) -> Verdict {
    let ending = Ending::Uncovered(property);
    Verdict::Violated(Trace::States(StateTrace {
        variant: Variant::AS_WRITTEN,
        start: None,
        steps: Vec::new(),
        ending,
    }))
}

fn exhausted(n_states: u64) -> Verdict {
    let proof = Proof::Exhausted { n_states, symmetry: false, formula: None };
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
    let holds = exhausted(3);
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
    assert_eq!(graph.judge(&exhausted(3), None), Err(expected));
    for reaching in [None, Some(1)] {
        graph.covering = Some(reaching);
        assert!(graph.judge(&uncovered(1), None).is_err());
        assert_eq!(graph.judge(&exhausted(3), None), Ok(Assurance::Repeated));
    }
}

#[test]
fn looking_again_sees_a_goal_that_is_out_of_reach() {
    let mut graph = Graph::new();
    let expected = Rejection::TargetNotExcluded { target: "AlwaysReachable".to_owned() };
    assert_eq!(graph.judge(&exhausted(3), None), Err(expected));
    graph.edges[2] = vec![1, 0];
    assert_eq!(graph.judge(&exhausted(3), None), Ok(Assurance::Repeated));
    assert!(graph.judge(&exhausted(4), None).is_err());
}

#[test]
fn what_a_system_leaves_out_is_not_claimed_to_be_without_error() {
    let mut graph = Graph::new();
    graph.edges[2] = vec![1, 0];
    graph.cut = vec![2];
    let left_out = Rejection::LeftOut { what: "more than 1 thread would exist at once".into() };
    assert_eq!(graph.judge(&exhausted(3), None), Err(left_out.clone()));
    // Nor that a state is out of reach.
    graph.truth[1].clear();
    assert_eq!(graph.judge(&uncovered(1), None), Err(left_out));
    graph.cut.clear();
    assert!(graph.judge(&uncovered(1), None).is_ok());
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

/// A graph without an error: it goes round for ever, and every node is the goal.
fn round() -> Graph {
    let mut graph = Graph::new();
    graph.truth[2] = vec![0, 1, 2];
    graph
}

#[test]
fn looking_again_sees_what_the_search_should_have_found() {
    let judge = |graph: &Graph| graph.judge(&exhausted(3), None);
    let seen = |target: &str| Err(Rejection::TargetNotExcluded { target: target.to_owned() });
    assert_eq!(judge(&round()), Ok(Assurance::Repeated));
    let mut graph = round();
    graph.truth[0] = vec![0, 1];
    assert_eq!(judge(&graph), seen("Invariant"));
    let mut graph = round();
    graph.truth[1].clear();
    assert_eq!(judge(&graph), seen("Cover"));
    let mut graph = round();
    graph.edges[2] = vec![2];
    assert_eq!(judge(&graph), seen("deadlock"));
    let mut graph = round();
    graph.failing = Some(2);
    assert_eq!(judge(&graph), seen("it fails"));
}

#[test]
fn a_search_about_one_formula_is_none_about_another() {
    let graph = round();
    let formula = |text: &str| NamedFormula {
        text: text.to_owned(),
        formula: Formula::True,
        propositions: Vec::new(),
    };
    let proof = Proof::Exhausted { n_states: 3, symmetry: false, formula: Some("one".to_owned()) };
    let Verdict::Holds(plain) = exhausted(3) else { unreachable!("built as a proof") };
    let about_one = Verdict::Holds(Certificate { proof, ..plain });
    assert_eq!(graph.judge(&about_one, Some(&formula("one"))), Ok(Assurance::NotRepeated));
    assert!(graph.judge(&about_one, Some(&formula("another"))).is_err());
    assert!(graph.judge(&about_one, None).is_err());
    assert!(graph.judge(&exhausted(3), Some(&formula("one"))).is_err());
}

#[test]
fn a_run_ends_in_the_error_that_it_names() {
    let mut graph = Graph::new();
    graph.truth[0] = vec![0];
    graph.properties.push(Property { name: "other".into(), ..graph.properties[0].clone() });
    graph.truth.push(vec![0, 1, 2]);
    assert_eq!(graph.judge(&run(&[1], Ending::Invariant(0)), None), Ok(Assurance::Proved));
    assert!(graph.judge(&run(&[1], Ending::Invariant(3)), None).is_err());
    assert!(graph.judge(&run(&[], Ending::Invariant(0)), None).is_err());

    graph.failing = Some(1);
    let fails = |choice, message: &str| {
        run(&[1], Ending::Fault { place: FaultPlace::Step(Choice(choice)), fault: fault(message) })
    };
    assert_eq!(graph.judge(&fails(9, "it fails"), None), Ok(Assurance::Proved));
    assert!(graph.judge(&fails(9, "something else"), None).is_err());
    assert!(graph.judge(&fails(8, "it fails"), None).is_err());

    graph.failing = None;
    graph.edges[2].clear();
    let stuck = |kind| run(&[1, 2], Ending::Deadlock(kind));
    assert_eq!(graph.judge(&stuck(Deadlock::Stuttering), None), Ok(Assurance::Proved));
    assert!(graph.judge(&stuck(Deadlock::Stuck), None).is_err());
    assert!(graph.judge(&stuck(Deadlock::Off), None).is_err());
}

#[test]
fn a_choice_leads_to_its_own_state_alone() {
    let mut graph = Graph::new();
    graph.truth[0] = vec![0];
    let verdict = |choice, node| {
        let mut verdict = run(&[1], Ending::Invariant(0));
        if let Verdict::Violated(Trace::States(trace)) = &mut verdict {
            trace.steps[0] = StateStep { choice: Choice(choice), state: Store::of_words(&[node]) };
        }
        verdict
    };
    assert_eq!(graph.judge(&verdict(1, 1), None), Ok(Assurance::Proved));
    assert!(matches!(
        graph.judge(&verdict(1, 2), None),
        Err(Rejection::WrongSuccessor { step: 0, .. })
    ));
    assert!(matches!(
        graph.judge(&verdict(2, 2), None),
        Err(Rejection::StepNotEnabled { step: 0, .. })
    ));
}

#[test]
fn a_loop_violates_the_formula_and_is_fair_where_that_is_asked() {
    let asked = |formula| NamedFormula { text: String::new(), formula, propositions: Vec::new() };
    let goes_round = run(&[1, 2, 1], Ending::Lasso { loop_start: 1 });
    let mut graph = Graph::new();
    assert!(graph.judge(&goes_round, Some(&asked(Formula::True))).is_err());
    let no = asked(Formula::False);
    graph.fairness = Fairness::Weak;
    assert_eq!(graph.judge(&goes_round, Some(&no)), Ok(Assurance::Proved));
    // Everywhere in the loop one could step to 0 as well, and never does.
    graph.edges[1].push(0);
    assert_eq!(graph.judge(&goes_round, Some(&no)), Ok(Assurance::Proved));
    graph.edges[2].push(0);
    assert!(matches!(graph.judge(&goes_round, Some(&no)), Err(Rejection::NoViolation { .. })));
    graph.fairness = Fairness::None;
    assert_eq!(graph.judge(&goes_round, Some(&no)), Ok(Assurance::Proved));
}
