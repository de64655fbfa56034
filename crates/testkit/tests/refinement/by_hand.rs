//! Pairs that refine and pairs that do not, written down as `.tts` texts.

use engine::refine::refine;
use frontend::{Inputs, Language, Model, TtsProgram, load};
use model::{
    Context, Limits, NotAllowed, Refinement, RefinementFailure, RefinementQuestion,
    SharedCorrespondence, SourceFile, StopReason, Store, ThreadProgram,
};

use crate::answer;

/// Takes the lock, and gives it back.
const LOCK: &str = "2 2\n0 0 -> 1 1\n1 1 -> 0 0\n";

fn program(text: &str, init: Option<&str>) -> TtsProgram {
    let file = |name: &str, text: &str| SourceFile { name: name.to_owned(), text: text.to_owned() };
    let mut files = vec![file("a.tts", text)];
    files.extend(init.map(|init| file("--init", init)));
    let mut inputs = Inputs::of(&files, Language::Tts);
    inputs.needs_property = false;
    inputs.init = init.map(|_| 1);
    let (model, diagnostics) = load(&inputs);
    let Some(Model::Threads(program)) = model else { panic!("{diagnostics:#?}") };
    *program
}

fn store(number: u32) -> Store {
    Store::new(&number.to_le_bytes())
}

fn environment(n_shared: u32) -> SharedCorrespondence {
    SharedCorrespondence::identity((0..n_shared).map(store))
}

fn ask(implementation: &dyn ThreadProgram, specification: &dyn ThreadProgram) -> Refinement {
    let shared = &environment(4);
    answer(&RefinementQuestion { implementation, specification, shared, targets: &[] })
}

fn compare(implementation: &str, specification: &str) -> Refinement {
    ask(&program(implementation, None), &program(specification, None))
}

#[track_caller]
fn refines(implementation: &str, specification: &str) {
    let answer = compare(implementation, specification);
    assert!(matches!(answer, Refinement::Refines(_)), "{answer:#?}");
}

#[track_caller]
fn fails(implementation: &str, specification: &str) -> RefinementFailure {
    match compare(implementation, specification) {
        Refinement::Fails(failure) => *failure,
        answer => panic!("{answer:#?}"),
    }
}

#[test]
fn every_program_refines_itself() {
    refines(LOCK, LOCK);
}

#[test]
fn steps_of_its_own_are_nobodys_business() {
    refines("2 4\n0 0 -> 0 2\n0 2 -> 1 3\n1 3 -> 1 1\n1 1 -> 0 0\n", LOCK);
    refines(LOCK, "2 4\n0 0 -> 0 2\n0 2 -> 1 3\n1 3 -> 1 1\n1 1 -> 0 0\n");
}

#[test]
fn a_step_of_the_specification_in_another_store_does_not_help() {
    // It could go on only where the shared store is 1, and nobody says that it ever is.
    let failure = fails("2 2\n0 0 -> 1 1\n", "2 3\n1 0 -> 1 2\n0 2 -> 1 1\n");
    assert_eq!(failure.steps.len(), 1);
}

#[test]
fn giving_back_a_lock_that_another_thread_took_is_not_allowed() {
    // The implementation gives back whatever it finds taken.
    let failure = fails("2 2\n0 0 -> 1 1\n1 1 -> 0 0\n1 0 -> 0 0\n", LOCK);
    assert_eq!(failure.not_allowed, NotAllowed::Interaction);
    let [step] = &failure.steps[..] else { panic!("{failure:#?}") };
    assert_eq!((&step.before, &step.after), (&store(1), &store(0)));
    assert_eq!(failure.allowed, [store(1)]);
    assert_eq!(failure.specification, [Some(store(0))]);
}

#[test]
fn taking_a_lock_twice_is_found_after_the_first_time() {
    let failure = fails("2 3\n0 0 -> 1 1\n0 1 -> 1 2\n", LOCK);
    assert_eq!(failure.steps.len(), 2);
    assert_eq!(failure.steps[1].before, store(0));
}

#[test]
fn a_specification_that_chooses_early_is_refined_though_it_does_not_simulate() {
    let late = "4 3\n0 0 -> 1 1\n1 1 -> 2 2\n1 1 -> 3 2\n";
    let early = "4 4\n0 0 -> 1 1\n0 0 -> 1 2\n1 1 -> 2 3\n1 2 -> 3 3\n";
    refines(late, early);
    refines(early, late);
}

#[test]
fn a_start_of_its_own_is_not_allowed() {
    let implementation = program(LOCK, Some("1/0"));
    match ask(&implementation, &program(LOCK, None)) {
        Refinement::Fails(failure) => assert_eq!(failure.not_allowed, NotAllowed::Start),
        answer => panic!("{answer:#?}"),
    }
}

#[test]
fn what_is_not_about_one_thread_is_refused() {
    let refused = |implementation: &dyn ThreadProgram, specification: &dyn ThreadProgram| {
        let shared = &environment(2);
        let question = RefinementQuestion { implementation, specification, shared, targets: &[] };
        match refine(&question, Context::silent(&Limits::none())).answer {
            Refinement::Unknown { reason: StopReason::Incomplete { why } } => why,
            answer => panic!("{answer:#?}"),
        }
    };
    let lock = &program(LOCK, None);
    let spawn = &program("2 2\n0 0 +> 1 1\n", None);
    assert!(refused(spawn, lock).contains("the implementation creates threads"));
    let broadcast = &program("2 2\n0 0 -> 1 1 0 ~> 1\n", None);
    assert!(refused(lock, broadcast).contains("the specification has broadcasts"));
    let transfer = &program("2 2\n0 0 ~> 1 1\n", None);
    assert!(refused(transfer, lock).contains("that no thread takes"));
    assert!(refused(lock, transfer).contains("that no thread takes"));
    let two_kinds = &program(LOCK, Some("0/0,1"));
    assert!(refused(two_kinds, lock).contains("the implementation has 2 kinds"));
    let wide = &program("5 2\n0 0 -> 4 1\n", None);
    assert!(refused(wide, lock).contains("leaves the 2 shared stores"));
}
