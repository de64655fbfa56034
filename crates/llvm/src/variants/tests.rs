//! Plans of C programs ask what they should, in the right order.

use model::{
    Attempt, Consequence, Fairness, Plan, Presumption, SearchBounds, StageId, ThreadCount,
};

use super::{ACCESSES, CVariants, Compiled, OPERATIONS, STORE_BUFFERS, SYNCHRONISATIONS, Wanted};
use crate::machine::{Granularity, Options};
use crate::program::Questions;

const PLAIN: &str =
    "@x = global i32 0\ndefine i32 @main() {\n store i32 1, ptr @x\n ret i32 0\n}\n";
const RELEASE: &str = "@x = global i32 0\ndefine i32 @main() {\n store atomic i32 1, ptr @x \
                       release, align 4\n ret i32 0\n}\n";

fn variants(text: &str, questions: Questions, options: Options, wanted: &Wanted) -> CVariants {
    let module = crate::read(text).expect("the text is right");
    let code = crate::code::lower(&module);
    let compiled =
        Compiled { code, options, questions, sources: &[], invariants: &[], abstraction: None };
    CVariants::new(&compiled, wanted).expect("it has a main")
}

const ALL: Wanted =
    Wanted { large_steps: true, store_buffers: true, crowd: None, any_number: false };

fn names(plan: &Plan<'_>) -> Vec<String> {
    plan.stages().iter().map(|stage| stage.variant().name().to_owned()).collect()
}

#[test]
fn large_steps_come_first_and_store_buffers_last() {
    let plain = variants(PLAIN, Questions::default(), Options::default(), &ALL);
    let plan = plain.plan(Fairness::None, false);
    assert_eq!(names(&plan), [SYNCHRONISATIONS.name(), ACCESSES.name()]);
    let weak = variants(RELEASE, Questions::default(), Options::default(), &ALL);
    let plan = weak.plan(Fairness::None, false);
    assert_eq!(names(&plan), [SYNCHRONISATIONS.name(), ACCESSES.name(), STORE_BUFFERS.name()]);
    for stage in &plan.stages()[..2] {
        let holds = stage.implications.holds.consequence;
        assert_eq!(holds, Consequence::AnswersUnlessRefuted(StageId(2)));
    }
}

#[test]
fn a_race_in_large_steps_is_an_answer_only_if_it_was_asked_for() {
    for races in [false, true] {
        let questions = Questions { races, ..Questions::default() };
        let plain = variants(PLAIN, questions, Options::default(), &ALL);
        let plan = plain.plan(Fairness::None, false);
        let race = plan.stages()[0].implications.race.consequence;
        let expected =
            if races { Consequence::Answers } else { Consequence::LeavesOpen(StageId(1)) };
        assert_eq!(race, expected);
    }
}

/// A second thread makes its orders count.
const RELEASE_BESIDE_A_THREAD: &str = "@x = global i32 0\n\
    declare i32 @pthread_create(ptr, ptr, ptr, ptr)\n\
    define ptr @work(ptr %a) {\n ret ptr %a\n}\n\
    define i32 @main() {\n %t = alloca i64\n \
    %c = call i32 @pthread_create(ptr %t, ptr null, ptr @work, ptr null)\n \
    store atomic i32 1, ptr @x release, align 4\n ret i32 0\n}\n";

#[test]
fn weak_atomics_make_every_proof_presume_sequential_consistency_and_no_error() {
    let options = Options::default;
    for wanted in [&ALL, &Wanted::default()] {
        let weak = variants(RELEASE_BESIDE_A_THREAD, Questions::default(), options(), wanted);
        let plan = weak.plan(Fairness::None, false);
        for stage in plan.stages().iter().filter(|stage| stage.variant() != STORE_BUFFERS) {
            let implications = stage.implications;
            assert_eq!(implications.holds.presumes, Some(Presumption::SequentialConsistency));
            assert_eq!(implications.violated.presumes, None);
            assert_eq!(implications.race.presumes, None);
        }
        let alone = variants(RELEASE, Questions::default(), options(), wanted);
        for stage in alone.plan(Fairness::None, false).stages() {
            assert!(stage.implications.by_name().iter().all(|(_, it)| it.presumes.is_none()));
        }
    }
}

#[test]
fn the_smallest_steps_alone_are_one_stage() {
    let options = Options { granularity: Granularity::Operations, ..Options::default() };
    let plain = variants(PLAIN, Questions::default(), options, &Wanted::default());
    let plan = plain.plan(Fairness::None, true);
    assert_eq!(names(&plan), [OPERATIONS.name()]);
    let attempts = &plan.stages()[0].attempts;
    let everything = SearchBounds::everything(ThreadCount::Exactly(1));
    assert_eq!(attempts.last(), Some(&Attempt::Search(everything)));
    assert_eq!(attempts[1], Attempt::RandomRuns);
}
