//! What the re-check of a proof by views asks for, one obligation after the other: a set of
//! views that is a proof, and the same set without what that obligation is about.
//!
//! Flows have the locations A, B and C, one shared variable and one local. A view reads
//! `0 A B'`: the shared variable is false, one member is at A, the other at B with its local
//! set. `-` is nobody; `!` in front: somebody is in an atomic section.

use std::collections::BTreeSet;

use certify::Rejection;
use model::{
    Bit, BitExpr, BitVariable, BooleanFlow, Certificate, FlowEdge, FlowLocation, FlowSpawn,
    FlowThread, LabelId, Limits, LocationId, MemoryLimit, Multiplicity, Problem, Proof, StepError,
    ThreadCount, Verdict, ViewNode,
};
use testkit::reference::flow_program::FlowProgram;
use testkit::views::{certificate, n_location_bits};

const A: LocationId = LocationId(0);
const B: LocationId = LocationId(1);
const C: LocationId = LocationId(2);
const X: Bit = Bit::Shared(0);

/// A flow whose threads start at A, and what is claimed of it.
struct Claim {
    flow: BooleanFlow,
    size: u32,
    is_whole: bool,
    scope: ThreadCount,
}

/// Any number of threads, seen one at a time.
fn claim(edges: Vec<FlowEdge>) -> Claim {
    let location =
        |name: &str| FlowLocation { name: name.to_owned(), span: None, is_atomic: false };
    let variable = |name: &str| BitVariable { name: name.to_owned(), initial: Some(false) };
    let edges = edges.into_iter().enumerate();
    let flow = BooleanFlow {
        shared: vec![variable("x")],
        locals: vec![variable("l")],
        locations: ["A", "B", "C"].map(location).to_vec(),
        edges: edges.map(|(idx, edge)| FlowEdge { label: LabelId(idx as u32), ..edge }).collect(),
        threads: vec![FlowThread {
            name: "thread".to_owned(),
            entry: A,
            locals: vec![Some(false)],
            multiplicity: Multiplicity::Any,
        }],
    };
    Claim { flow, size: 1, is_whole: false, scope: ThreadCount::Any }
}

fn edge(from: LocationId, to: LocationId) -> FlowEdge {
    FlowEdge {
        from,
        to: Some(to),
        guard: BitExpr::TRUE,
        assigns: Vec::new(),
        constraint: BitExpr::TRUE,
        n_choices: 0,
        spawn: None,
        passive: Vec::new(),
        violation: None,
        incomplete: None,
        label: LabelId(0),
    }
}

/// Sets the shared variable.
fn setting_x(edge: FlowEdge) -> FlowEdge {
    FlowEdge { assigns: vec![(X, BitExpr::TRUE)], ..edge }
}

/// Creates a thread at C.
fn spawning(edge: FlowEdge) -> FlowEdge {
    FlowEdge { spawn: Some(FlowSpawn { to: C, assigns: Vec::new() }), ..edge }
}

/// Sets the local of all others.
fn telling_others(edge: FlowEdge) -> FlowEdge {
    FlowEdge { passive: vec![(0, BitExpr::TRUE)], ..edge }
}

impl Claim {
    fn seen_by(self, size: u32) -> Claim {
        Claim { size, ..self }
    }

    fn whole(self) -> Claim {
        Claim { is_whole: true, ..self }
    }

    /// So many threads at the start.
    fn threads(mut self, n: u32) -> Claim {
        self.flow.threads[0].multiplicity = Multiplicity::Exactly(n);
        self
    }

    fn scope(self, scope: ThreadCount) -> Claim {
        Claim { scope, ..self }
    }

    fn atomic(mut self, location: LocationId) -> Claim {
        self.flow.locations[location.0 as usize].is_atomic = true;
        self
    }

    fn certificate(&self, views: &[&str]) -> Certificate {
        let seen: BTreeSet<Vec<bool>> = views.iter().map(|view| self.values(view)).collect();
        certificate(&self.flow, (self.size, self.is_whole), self.scope, &seen)
    }

    fn values(&self, view: &str) -> Vec<bool> {
        let mut words = view.split(' ');
        let shared = words.next().expect("the shared variable");
        let mut values = vec![shared.ends_with('1'), shared.starts_with('!')];
        for member in words {
            let location = "ABC-".find(&member[..1]).expect("a location");
            let bits = 0..n_location_bits(&self.flow);
            values.extend(bits.map(|bit| location >> bit & 1 == 1));
            values.push(member.ends_with('\''));
        }
        assert_eq!(values.len(), 2 + 3 * self.size as usize, "{view}");
        values
    }

    fn judge(&self, certificate: Certificate) -> Result<(), Rejection> {
        let program = FlowProgram::new(self.flow.clone());
        let memory = MemoryLimit { bytes: 1 << 26, gauge: || 0 };
        let limits = Limits { memory: Some(memory), ..Limits::none() };
        let verdict = Verdict::Holds(certificate);
        certify::check(Problem::Threads(&program), self.scope, &verdict, &limits).map(drop)
    }

    /// Why the set is no proof without `missing`, with which it is one.
    fn without(&self, views: &[&str], missing: &[&str]) -> Rejection {
        let all = [views, missing].concat();
        assert_eq!(self.judge(self.certificate(&all)), Ok(()), "this is a proof");
        self.judge(self.certificate(views)).expect_err("something is missing")
    }

    fn rejection(&self, views: &[&str]) -> Rejection {
        self.judge(self.certificate(views)).expect_err("this is no proof")
    }
}

fn is_about_starts(why: &Rejection) -> bool {
    matches!(why, Rejection::InitialNotCovered { .. })
}

fn is_about_steps(why: &Rejection) -> bool {
    matches!(why, Rejection::NotInductive { .. })
}

fn is_malformed(why: &Rejection) -> bool {
    matches!(why, Rejection::Malformed(_))
}

#[test]
fn what_runs_start_with_is_a_view() {
    let resting = claim(vec![edge(A, A)]);
    assert!(is_about_starts(&resting.without(&["0 -"], &["0 A"])));
    assert!(is_about_starts(&resting.without(&["0 A"], &["0 -"])));
}

#[test]
fn every_first_value_is_a_view() {
    let mut resting = claim(vec![edge(A, A)]);
    resting.flow.shared[0].initial = None;
    assert!(is_about_starts(&resting.without(&["0 -", "0 A"], &["1 -", "1 A"])));
    let mut resting = claim(vec![edge(A, A)]);
    resting.flow.threads[0].locals[0] = None;
    assert!(is_about_starts(&resting.without(&["0 -", "0 A"], &["0 A'"])));
}

#[test]
fn as_many_threads_as_are_asked_about_are_a_view() {
    let resting = || claim(vec![edge(A, A)]).seen_by(2);
    let one = ["0 - -", "0 A -", "0 - A"];
    let of_two = resting().scope(ThreadCount::Exactly(2));
    assert!(is_about_starts(&of_two.without(&one, &["0 A A"])));
    assert!(is_about_starts(&resting().without(&one, &["0 A A"])));
    let of_one = resting().scope(ThreadCount::Exactly(1));
    assert_eq!(of_one.judge(of_one.certificate(&one)), Ok(()));
    assert!(is_about_starts(&resting().threads(2).without(&one, &["0 A A"])));
}

#[test]
fn no_view_has_a_step_that_is_an_error() {
    let error = Some(StepError::assertion("wrong"));
    let failing = claim(vec![FlowEdge { violation: error, ..edge(A, A) }]);
    let why = failing.rejection(&["0 -", "0 A"]);
    assert!(matches!(why, Rejection::TargetNotExcluded { .. }), "{why}");
}

#[test]
fn no_view_has_a_step_that_is_not_known() {
    let unknown = Some("nobody knows".to_owned());
    let open = claim(vec![FlowEdge { incomplete: unknown, ..edge(A, A) }]);
    let why = open.rejection(&["0 -", "0 A"]);
    assert!(matches!(why, Rejection::TargetNotExcluded { .. }), "{why}");
}

#[test]
fn steps_of_every_member_lead_to_views() {
    let going = || claim(vec![edge(A, B)]);
    assert!(is_about_steps(&going().without(&["0 -", "0 A"], &["0 B"])));
    let first_alone = ["0 - -", "0 A -", "0 B -", "0 - A", "0 A A", "0 B A"];
    let second = ["0 - B", "0 A B", "0 B B"];
    assert!(is_about_steps(&going().seen_by(2).without(&first_alone, &second)));
}

#[test]
fn every_value_that_a_step_may_choose_leads_to_a_view() {
    let assigns = vec![(X, BitExpr::Choice(0))];
    let choosing = claim(vec![FlowEdge { assigns, n_choices: 1, ..edge(A, A) }]).threads(1);
    let chosen = ["1 -", "1 A"];
    assert!(is_about_steps(&choosing.without(&["0 -", "0 A"], &chosen)));
}

#[test]
fn a_step_sets_what_it_assigns_to_its_own_local() {
    let assigns = vec![(Bit::Local(0), BitExpr::TRUE)];
    let setting = claim(vec![FlowEdge { assigns, ..edge(A, B) }]);
    assert!(is_about_steps(&setting.without(&["0 -", "0 A", "0 B"], &["0 B'"])));
}

#[test]
fn a_thread_that_ends_is_nobody() {
    let ending = FlowEdge { to: None, ..setting_x(edge(A, A)) };
    // One thread, so that no other is seen to do it.
    let ending = claim(vec![ending]).threads(1).whole();
    assert!(is_about_steps(&ending.without(&["0 A"], &["1 -"])));
}

#[test]
fn steps_of_threads_that_a_view_does_not_show_lead_to_views() {
    let setting = claim(vec![setting_x(edge(A, A))]);
    let why = setting.without(&["0 -", "0 A", "1 A"], &["1 -"]);
    assert!(is_about_steps(&why), "{why}");
    // What they do beside a member that cannot step itself.
    let leaving = claim(vec![edge(A, B), setting_x(edge(A, C))]);
    let why = leaving.without(&["0 -", "0 A", "0 B", "1 -", "1 A", "1 C"], &["1 B", "0 C"]);
    assert!(is_about_steps(&why), "{why}");
}

#[test]
fn the_thread_that_a_step_creates_is_seen_beside_its_creator_and_alone() {
    let creating = || claim(vec![spawning(edge(A, B))]).threads(1).seen_by(2);
    let rest = ["0 - -", "0 A -", "0 - A", "0 B -", "0 - B"];
    let (alone, beside) = (["0 C -", "0 - C"], ["0 B C", "0 C B"]);
    let why = creating().without(&[&rest[..], &alone].concat(), &beside);
    assert!(is_about_steps(&why), "{why}");
    let why = creating().without(&[&rest[..], &beside].concat(), &alone);
    assert!(is_about_steps(&why), "{why}");
}

#[test]
fn a_created_thread_has_the_locals_that_it_is_given() {
    let spawn = Some(FlowSpawn { to: C, assigns: vec![(0, BitExpr::TRUE)] });
    let creating = claim(vec![FlowEdge { spawn, ..edge(A, B) }]).threads(1);
    let why = creating.without(&["0 -", "0 A", "0 B", "0 C"], &["0 C'"]);
    assert!(is_about_steps(&why), "{why}");
}

#[test]
fn a_whole_view_has_a_place_for_each_thread() {
    let creating = claim(vec![spawning(edge(A, B))]).threads(1).whole();
    assert!(is_about_steps(&creating.rejection(&["0 A", "0 B", "0 C"])));
    let two = claim(vec![edge(A, A)]).threads(2).whole();
    assert!(is_about_starts(&two.rejection(&["0 -", "0 A"])));
    let many = claim(vec![edge(A, A)]).whole();
    assert!(is_malformed(&many.rejection(&["0 -", "0 A"])));
}

#[test]
fn what_a_step_does_to_the_locals_of_others_leads_to_views() {
    let telling = || claim(vec![telling_others(edge(A, A))]);
    // Done by a thread that the view does not show.
    let why = telling().without(&["0 -", "0 A"], &["0 A'"]);
    assert!(is_about_steps(&why), "{why}");
    // Done by one member to the other, in views of all threads.
    let both = telling().threads(2).whole().seen_by(2);
    let why = both.without(&["0 A A"], &["0 A A'", "0 A' A", "0 A' A'"]);
    assert!(is_about_steps(&why), "{why}");
}

#[test]
fn who_enters_an_atomic_section_is_seen_there() {
    let entering = claim(vec![edge(A, B), edge(B, C)]).atomic(B);
    let rest = ["0 -", "0 A", "0 C", "!0 -", "!0 A", "!0 C"];
    let why = entering.without(&[&rest[..], &["0 B"]].concat(), &["!0 B"]);
    assert!(is_about_steps(&why), "{why}");
    let entered = claim(vec![edge(A, A)]).atomic(A);
    assert!(is_malformed(&entered.rejection(&["0 -", "0 A"])));
}

#[test]
fn sets_that_are_not_written_down_properly_are_refused() {
    let resting = claim(vec![edge(A, A)]);
    let broken = |edit: fn(&mut model::Views)| {
        let mut certificate = resting.certificate(&["0 -", "0 A"]);
        let Proof::Views(views) = &mut certificate.proof else { panic!("a proof by views") };
        edit(views);
        resting.judge(certificate).expect_err("it is broken")
    };
    assert!(is_malformed(&broken(|views| views.size = 0)));
    assert!(is_malformed(&broken(|views| views.size = 65)));
    assert!(is_malformed(&broken(|views| views.root = 99)));
    assert!(is_malformed(&broken(|views| views.variables.push(views.variables[0]))));
    assert!(is_malformed(&broken(|views| views.nodes[0] = ViewNode(99, 0, 1))));
    assert!(is_malformed(&broken(|views| views.nodes[0] = ViewNode(0, 0, 99))));
    assert!(is_malformed(&broken(|views| {
        views.nodes.push(ViewNode(4, views.root, 1));
    })));
}
