//! Plans are run as their implications say: stages are skipped, refuted and left open, and
//! attempts go on only where they can decide more.

use engine::{Engine, Method};
use frontend::{Inputs, Language, Model, Question};
use model::{
    Attempt, Consequence, Context, Implication, Implications, Limits, Plan, SourceFile, Stage,
    StageId, StopReason, ThreadCount, Verdict,
};

use crate::{Answer, conclude};

/// A thread system whose error needs two threads.
const UNSAFE: &str = "2 2\n0 0 -> 1 1\n1|1,1\n1 0 -> 1 1\n";
/// One without any error.
const SAFE: &str = "2 2\n0 0 -> 1 1\n1|1,1\n";

fn model(text: &str) -> Model {
    let files = [SourceFile { name: "m.tts".into(), text: text.into() }];
    frontend::load(&Inputs::of(&files, Language::Tts)).0.expect("the text is right")
}

fn stage(model: &Model, implications: Implications) -> Stage<'_> {
    let threads = ThreadCount::Exactly(2);
    let problem = model.problem_asking(Question::default());
    Stage { implications, ..Stage::exact("a test", problem, threads) }
}

fn run(stages: Vec<Stage<'_>>) -> Answer {
    let method = Method::from(Engine::Explicit);
    let limits = Limits::none();
    conclude(&Plan::new(stages), method, Context::silent(&limits)).expect("re-checks pass")
}

fn then(consequence: Consequence) -> Implication {
    Implication { consequence, because: "the test says so", note: Some("noted") }
}

#[test]
fn the_verdict_of_an_exact_stage_is_the_answer() {
    let (safe, wrong) = (model(SAFE), model(UNSAFE));
    assert!(matches!(
        run(vec![stage(&safe, Implications::EXACT)]).outcome.verdict,
        Verdict::Holds(_)
    ));
    let answer = run(vec![stage(&wrong, Implications::EXACT)]);
    assert!(matches!(answer.outcome.verdict, Verdict::Violated(_)));
    assert_eq!(answer.searched, [StageId(0)]);
}

#[test]
fn a_verdict_that_leaves_the_question_open_is_never_the_answer() {
    let (safe, wrong) = (model(SAFE), model(UNSAFE));
    let open = then(Consequence::LeavesOpen(StageId(2)));
    let first = stage(&wrong, Implications { violated: open, ..Implications::EXACT });
    let skipped = stage(&wrong, Implications::EXACT);
    let answer = run(vec![first, skipped, stage(&safe, Implications::EXACT)]);
    assert!(matches!(answer.outcome.verdict, Verdict::Holds(_)));
    assert_eq!((answer.stage, answer.searched), (StageId(2), vec![StageId(0), StageId(2)]));
}

#[test]
fn a_later_stage_refutes_an_answer_or_lets_it_stand() {
    let (safe, wrong) = (model(SAFE), model(UNSAFE));
    let unless = then(Consequence::AnswersUnlessRefuted(StageId(1)));
    let first = stage(&safe, Implications { holds: unless, ..Implications::EXACT });
    let refuting = stage(&wrong, Implications::EXACT);
    let answer = run(vec![first.clone(), refuting]);
    assert!(matches!(answer.outcome.verdict, Verdict::Violated(_)));
    let nothing = then(Consequence::AddsNothing);
    let agreeing = stage(&safe, Implications { holds: nothing, ..Implications::EXACT });
    let answer = run(vec![first, agreeing]);
    assert!(matches!(answer.outcome.verdict, Verdict::Holds(_)));
    assert_eq!(answer.stage, StageId(0));
    assert_eq!(answer.outcome.notes.iter().filter(|note| *note == "noted").count(), 2);
}

#[test]
fn a_plan_in_which_nothing_answers_is_undecided() {
    let safe = model(SAFE);
    let nothing = then(Consequence::AddsNothing);
    let answer = run(vec![stage(&safe, Implications { holds: nothing, ..Implications::EXACT })]);
    assert!(matches!(answer.outcome.verdict, Verdict::Unknown(_)), "{:?}", answer.outcome.verdict);
}

#[test]
fn a_search_that_was_cut_short_is_followed_by_a_larger_one() {
    let wrong = model(UNSAFE);
    let attempts = |sizes: &[Option<u64>]| -> Vec<Attempt> {
        sizes.iter().map(|&max_states| Attempt::Search { max_states }).collect()
    };
    let small = Stage { attempts: attempts(&[Some(1)]), ..stage(&wrong, Implications::EXACT) };
    let verdict = run(vec![small]).outcome.verdict;
    assert_eq!(verdict, Verdict::Unknown(StopReason::StateLimit { states: 1 }));
    let grown =
        Stage { attempts: attempts(&[Some(1), None]), ..stage(&wrong, Implications::EXACT) };
    assert!(matches!(run(vec![grown]).outcome.verdict, Verdict::Violated(_)));
}

#[test]
#[should_panic(expected = "plans go forward only")]
fn a_plan_never_goes_back() {
    let safe = model(SAFE);
    let back = then(Consequence::LeavesOpen(StageId(0)));
    Plan::new(vec![stage(&safe, Implications { holds: back, ..Implications::EXACT })]);
}
