//! Answers about refinement: what is true is accepted. For each obligation there is a forged
//! answer that meets all others.

use certify::{Rejection, carries_over, check_refinement};
use model::{
    Interaction, Limits, Multiplicity, NotAllowed, Refinement, RefinementFailure,
    RefinementQuestion, RefinementRelation, RelatedStates, SharedCorrespondence, StepError,
    TargetShape,
};

use crate::table::{Row, Table, step, store, template};

type Judged = Result<(), Rejection>;

/// A question, over the shared stores 0, 1 and 2.
struct Asked {
    implementation: Table,
    specification: Table,
    shared: SharedCorrespondence,
    targets: Vec<(usize, usize)>,
}

impl Asked {
    fn new(implementation: Table, specification: Table) -> Asked {
        let shared = SharedCorrespondence::identity([0, 1, 2].map(store));
        Asked { implementation, specification, shared, targets: Vec::new() }
    }

    /// The threads' targets are matched: a thread in a local store while there is a shared one.
    fn with_targets(mut self, own: (u8, u8), other: (u8, u8)) -> Asked {
        add_target(&mut self.implementation, own);
        add_target(&mut self.specification, other);
        self.targets.push((0, 0));
        self
    }

    fn question(&self) -> RefinementQuestion<'_> {
        RefinementQuestion {
            implementation: &self.implementation,
            specification: &self.specification,
            shared: &self.shared,
            targets: &self.targets,
        }
    }

    fn judge(&self, answer: &Refinement) -> Judged {
        check_refinement(&self.question(), answer, &Limits::none())
    }

    fn fails(&self, failure: RefinementFailure) -> Judged {
        self.judge(&Refinement::Fails(Box::new(failure)))
    }
}

fn add_target(table: &mut Table, (shared, local): (u8, u8)) {
    table.shapes.push(TargetShape { name: "target".into(), slots: vec![1] });
    table.fits.push((vec![shared], vec![vec![local]]));
}

fn of_rows(rows: Vec<Row>) -> Table {
    let templates = vec![template(&[0], Multiplicity::Any)];
    Table { shared: vec![store(0)], templates, rows, ..Table::default() }
}

/// Takes the lock, and gives it back.
fn lock() -> Table {
    of_rows(vec![step(0, 0, 1, 1), step(1, 1, 0, 0)])
}

/// Gives back what others took, too.
fn careless() -> Table {
    of_rows(vec![step(0, 0, 1, 1), step(1, 1, 0, 0), step(1, 0, 0, 0)])
}

fn failing(row: Row) -> Row {
    Row { violation: Some(StepError::assertion("it fails")), ..row }
}

/// The relation with these pairs of local stores.
fn relation(pairs: &[(u8, &[u8])]) -> Refinement {
    let pair = |&(own, others): &(u8, &[u8])| RelatedStates {
        implementation: store(own),
        specification: others.iter().map(|&other| Some(store(other))).collect(),
    };
    Refinement::Refines(RefinementRelation { pairs: pairs.iter().map(pair).collect() })
}

fn equal() -> Refinement {
    relation(&[(0, &[0]), (1, &[1])])
}

fn interaction(row: usize, (before, after): (u8, u8), local: u8) -> Interaction {
    Interaction {
        before: store(before),
        after: store(after),
        local: Some(store(local)),
        label: format!("row {row}"),
        span: None,
    }
}

/// A run that ends in its only step, while the specification's thread is where it starts.
fn run(last: Interaction, not_allowed: NotAllowed, allowed: &[u8]) -> RefinementFailure {
    RefinementFailure {
        shared: store(0),
        local: store(0),
        steps: vec![last],
        not_allowed,
        specification: vec![Some(store(0))],
        allowed: allowed.iter().copied().map(store).collect(),
    }
}

/// How the careless implementation fails.
fn carelessness() -> RefinementFailure {
    run(interaction(2, (1, 0), 0), NotAllowed::Interaction, &[1])
}

#[track_caller]
fn is_malformed(judged: Judged, why: &str) {
    assert_eq!(judged, Err(Rejection::Malformed(why.to_owned())));
}

#[track_caller]
fn is_not_inductive(judged: Judged, expected: &str) {
    let is_it = matches!(&judged, Err(Rejection::NotInductive { why, .. }) if why == expected);
    assert!(is_it, "{judged:?}");
}

#[track_caller]
fn is_not_enabled(judged: Judged) {
    assert!(matches!(judged, Err(Rejection::StepNotEnabled { step: 0, .. })), "{judged:?}");
}

#[track_caller]
fn is_no_violation(judged: Judged) {
    assert!(matches!(judged, Err(Rejection::NoViolation { .. })), "{judged:?}");
}

#[test]
fn what_is_true_is_accepted() {
    assert_eq!(Asked::new(lock(), lock()).judge(&equal()), Ok(()));
    assert_eq!(Asked::new(careless(), lock()).fails(carelessness()), Ok(()));
}

#[test]
fn a_question_must_be_about_one_thread_and_its_stores() {
    let mut asked = Asked::new(lock(), lock());
    asked.specification.rows.extend([step(0, 0, 2, 1), step(2, 1, 0, 0)]);
    asked.shared.pairs = [(0, 0), (1, 1), (1, 2)].map(|(a, b)| (store(a), store(b))).to_vec();
    is_malformed(asked.judge(&equal()), "a shared store stands for two");
    asked.shared.pairs.truncate(1);
    is_malformed(asked.judge(&equal()), "a shared store is none of the environment's");

    type Side = fn(&mut Asked) -> &mut Table;
    let sides: [Side; 2] = [|asked| &mut asked.implementation, |asked| &mut asked.specification];
    for side in sides {
        let judge = |edit: fn(&mut Table)| {
            let mut asked = Asked::new(lock(), lock());
            edit(side(&mut asked));
            asked.judge(&equal())
        };
        let alone = "a program has steps that no thread takes";
        is_malformed(judge(|table| table.rows.push(Row::default())), alone);
        is_malformed(judge(|table| table.unsure_environment.push(2)), alone);
        let two = judge(|table| table.templates.push(table.templates[0].clone()));
        is_malformed(two, "a program does not have one kind of thread");
        let unsure = judge(|table| table.unsure.push(1));
        is_malformed(unsure, "not all steps of a thread are known");
        let others = "a step does not leave other threads alone";
        is_malformed(judge(|table| table.rows[0].spawned.push(0)), others);
        is_malformed(judge(|table| table.rows[0].broadcast = Some(0)), others);
    }
}

#[test]
fn targets_that_are_matched_have_the_same_slots() {
    let mut asked = Asked::new(lock(), lock()).with_targets((1, 1), (1, 1));
    assert_eq!(asked.judge(&equal()), Ok(()));
    asked.specification.shapes[0].slots = vec![2];
    is_malformed(asked.judge(&equal()), "targets with other slots are to be matched");
    asked.targets = vec![(5, 5)];
    is_malformed(asked.judge(&equal()), "targets with other slots are to be matched");
}

#[test]
fn a_relation_contains_the_start() {
    let rejects = |asked: &Asked, answer: &Refinement| {
        let judged = asked.judge(answer);
        assert!(matches!(judged, Err(Rejection::InitialNotCovered { .. })), "{judged:?}");
    };
    let mut asked = Asked::new(lock(), lock());
    rejects(&asked, &relation(&[]));
    asked.implementation.shared = vec![store(1)];
    rejects(&asked, &equal());
    // A thread that has the lock might give it back, but none starts with the lock.
    let asked = Asked::new(of_rows(vec![step(1, 0, 0, 2)]), lock());
    rejects(&asked, &relation(&[(0, &[1]), (2, &[0])]));
    let asked = Asked::new(of_rows(Vec::new()), lock());
    is_malformed(asked.judge(&relation(&[(0, &[])])), "nothing stands for a thread");
}

#[test]
fn a_relation_allows_no_other_interaction() {
    let why = "the specification does not allow it";
    let ends = Row { to_local: None, ..step(0, 0, 1, 0) };
    let asked = Asked::new(of_rows(vec![ends]), of_rows(Vec::new()));
    is_not_inductive(asked.judge(&relation(&[(0, &[0])])), why);
    // What comes of a step that is an error does not count.
    let specification = of_rows(vec![failing(step(0, 0, 1, 1)), step(1, 1, 0, 0)]);
    is_not_inductive(Asked::new(lock(), specification).judge(&equal()), why);
    let rows = vec![failing(step(0, 0, 0, 5)), step(0, 5, 1, 1), step(1, 1, 0, 0)];
    is_not_inductive(Asked::new(lock(), of_rows(rows)).judge(&equal()), why);
}

#[test]
fn a_relation_is_closed() {
    let why = "no pair is as it is then";
    is_not_inductive(Asked::new(lock(), lock()).judge(&relation(&[(0, &[0])])), why);
    // The specification could go on if it were elsewhere.
    let specification = of_rows(vec![step(0, 0, 1, 1), step(1, 5, 0, 0)]);
    let asked = Asked::new(lock(), specification);
    is_not_inductive(asked.judge(&relation(&[(0, &[0]), (1, &[5])])), why);
}

#[test]
fn a_relation_allows_errors_and_targets_of_the_specification_alone() {
    let mut asked = Asked::new(lock(), lock());
    asked.implementation.rows.push(failing(step(1, 1, 0, 0)));
    is_not_inductive(asked.judge(&equal()), "the specification has no error there");
    asked.specification.rows.push(failing(step(1, 1, 2, 2)));
    assert_eq!(asked.judge(&equal()), Ok(()));

    for other in [(1, 7), (0, 1)] {
        let asked = Asked::new(lock(), lock()).with_targets((1, 1), other);
        let expected = Rejection::TargetNotExcluded { target: "target".into() };
        assert_eq!(asked.judge(&equal()), Err(expected), "{other:?}");
    }
}

#[test]
fn a_failure_starts_where_the_implementation_does() {
    let rejects = |asked: &Asked, failure: RefinementFailure| {
        let judged = asked.fails(failure);
        assert!(matches!(judged, Err(Rejection::NotInitial { .. })), "{judged:?}");
    };
    let mut asked = Asked::new(careless(), lock());
    rejects(&asked, RefinementFailure { shared: store(1), ..carelessness() });
    asked.implementation.rows[2].local = Some(4);
    rejects(&asked, RefinementFailure { local: store(4), ..carelessness() });
}

#[test]
fn a_start_fails_only_if_the_specification_has_another() {
    let start = RefinementFailure {
        shared: store(1),
        steps: Vec::new(),
        specification: Vec::new(),
        ..run(interaction(0, (0, 0), 0), NotAllowed::Start, &[0])
    };
    let mut asked = Asked::new(lock(), lock());
    asked.implementation.shared = vec![store(1)];
    assert_eq!(asked.fails(start.clone()), Ok(()));
    let why = "the trace does not say what the specification allows";
    is_malformed(asked.fails(RefinementFailure { allowed: Vec::new(), ..start.clone() }), why);
    let specification = vec![Some(store(0))];
    is_malformed(asked.fails(RefinementFailure { specification, ..start.clone() }), why);
    let steps = carelessness().steps;
    is_malformed(asked.fails(RefinementFailure { steps, ..start.clone() }), why);
    asked.specification.shared = vec![store(1)];
    is_no_violation(asked.fails(RefinementFailure { allowed: vec![store(1)], ..start }));
}

#[test]
fn a_failure_is_a_run_of_the_implementation() {
    let asked = Asked::new(careless(), lock());
    let last = |row, (before, after), local| {
        asked.fails(run(interaction(row, (before, after), local), NotAllowed::Interaction, &[1]))
    };
    assert_eq!(last(2, (1, 0), 0), Ok(()));
    is_not_enabled(last(1, (1, 0), 0));
    is_not_enabled(last(2, (1, 2), 0));
    is_not_enabled(last(2, (1, 0), 1));
    // Its second step would not be allowed, but it cannot take the first.
    let asked = Asked::new(of_rows(vec![step(0, 1, 1, 1)]), lock());
    let takes = interaction(0, (0, 1), 1);
    let mut failure = run(takes.clone(), NotAllowed::Interaction, &[0]);
    failure.steps.push(takes);
    failure.specification = vec![Some(store(1))];
    is_not_enabled(asked.fails(failure));
}

#[test]
fn a_failure_says_what_the_specification_allows() {
    let asked = Asked::new(careless(), lock());
    let why = "the trace does not say what the specification allows";
    let allowed = vec![store(0), store(1)];
    is_malformed(asked.fails(RefinementFailure { allowed, ..carelessness() }), why);
    let specification = vec![Some(store(0)), Some(store(1))];
    is_malformed(asked.fails(RefinementFailure { specification, ..carelessness() }), why);
}

#[test]
fn what_the_specification_can_do_is_no_failure() {
    let takes = run(interaction(0, (0, 1), 1), NotAllowed::Interaction, &[0, 1]);
    is_no_violation(Asked::new(lock(), lock()).fails(takes));
}

#[test]
fn an_error_is_the_one_that_is_claimed_and_none_of_the_specification() {
    let mut asked = Asked::new(careless(), lock());
    asked.implementation.rows[2] = failing(step(1, 0, 0, 0));
    let fails = |message: &str| {
        run(interaction(2, (1, 0), 0), NotAllowed::Error(StepError::assertion(message)), &[1])
    };
    assert_eq!(asked.fails(fails("it fails")), Ok(()));
    is_not_enabled(asked.fails(fails("something else")));
    is_not_enabled(asked.fails(carelessness()));
    asked.specification.rows.push(failing(step(1, 0, 1, 0)));
    is_no_violation(asked.fails(fails("it fails")));
}

#[test]
fn a_target_is_filled_by_the_implementation_alone() {
    let fills = |slot, shared, allowed: &[u8]| {
        let target = NotAllowed::Target { target: 0, slot, shared: store(shared) };
        let mut failure = run(interaction(0, (0, 0), 0), target, allowed);
        failure.steps.clear();
        failure
    };
    let mut asked = Asked::new(lock(), lock()).with_targets((1, 0), (1, 7));
    assert_eq!(asked.fails(fills(0, 1, &[1])), Ok(()));
    is_no_violation(asked.fails(fills(1, 1, &[1])));
    is_no_violation(asked.fails(fills(0, 0, &[0, 1])));
    asked.targets.clear();
    is_malformed(asked.fails(fills(0, 1, &[1])), "the target is not one that is matched");
    let asked = Asked::new(lock(), lock()).with_targets((1, 0), (1, 0));
    is_no_violation(asked.fails(fills(0, 1, &[1])));
}

#[test]
fn errors_carry_over_only_if_the_specification_has_them_as_well() {
    let judge = |edit: fn(&mut Asked)| {
        let mut asked = Asked::new(lock(), lock()).with_targets((1, 1), (1, 1));
        edit(&mut asked);
        carries_over(&asked.question())
    };
    assert_eq!(judge(|_| {}), Ok(()));
    assert!(judge(|asked| asked.implementation.forbids_races = true).is_err());
    assert!(judge(|asked| asked.specification.templates.clear()).is_err());
    let few = |asked: &mut Asked| {
        asked.specification.templates[0].multiplicity = Multiplicity::Exactly(1);
    };
    assert!(judge(few).is_err());
    assert!(judge(|asked| add_target(&mut asked.implementation, (1, 1))).is_err());
    assert!(judge(|asked| add_target(&mut asked.specification, (1, 1))).is_err());
    let mut asked = Asked::new(lock(), lock()).with_targets((1, 1), (1, 1));
    for table in [&mut asked.implementation, &mut asked.specification] {
        add_target(table, (1, 0));
        table.shapes[1].slots.clear();
    }
    assert_eq!(carries_over(&asked.question()), Ok(()));
    asked.specification.fits[1].0 = vec![2];
    assert!(carries_over(&asked.question()).is_err());
}
