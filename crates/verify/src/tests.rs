//! Plans are run as their implications say: stages are skipped, refuted and left open, and
//! attempts go on only where they can decide more.

use engine::{Engine, Method};
use frontend::{Inputs, Language, Model, Question};
use model::{
    Attempt, AttemptEnd, Consequence, Context, GrowingBound, Implication, Implications, Limits,
    Omission, Plan, Presumption, SearchBounds, SourceFile, Stage, StageId, StopReason, ThreadCount,
    Verdict,
};

use crate::{Answer, conclude, search};

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

fn searched(answer: &Answer) -> Vec<StageId> {
    answer.searched.iter().map(|searched| searched.stage).collect()
}

fn then(consequence: Consequence) -> Implication {
    Implication { consequence, because: "the test says so", note: Some("noted"), presumes: None }
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
    assert_eq!(searched(&answer), [StageId(0)]);
}

#[test]
fn a_verdict_that_leaves_the_question_open_is_never_the_answer() {
    let (safe, wrong) = (model(SAFE), model(UNSAFE));
    let open = then(Consequence::LeavesOpen(StageId(2)));
    let first = stage(&wrong, Implications { violated: open, ..Implications::EXACT });
    let skipped = stage(&wrong, Implications::EXACT);
    let answer = run(vec![first, skipped, stage(&safe, Implications::EXACT)]);
    assert!(matches!(answer.outcome.verdict, Verdict::Holds(_)));
    assert_eq!(searched(&answer), [StageId(0), StageId(2)]);
    assert_eq!(answer.stage, StageId(2));
}

#[test]
fn an_answer_presumes_what_its_own_stage_does_whatever_adds_nothing_to_it() {
    let (safe, wrong) = (model(SAFE), model(UNSAFE));
    let sc = Some(Presumption::SequentialConsistency);
    let unless = then(Consequence::AnswersUnlessRefuted(StageId(1))).presuming(sc);
    let first = stage(&safe, Implications { holds: unless, ..Implications::EXACT });
    let nothing = then(Consequence::AddsNothing);
    let agreeing = stage(&safe, Implications { holds: nothing, ..Implications::EXACT });
    assert_eq!(run(vec![first.clone(), agreeing]).presumes, sc);
    let refuted = run(vec![first, stage(&wrong, Implications::EXACT)]);
    assert_eq!((refuted.stage, refuted.presumes), (StageId(1), None));
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
        let everything = SearchBounds::everything(ThreadCount::Exactly(2));
        let bounds = sizes.iter().map(|&max_states| SearchBounds { max_states, ..everything });
        bounds.map(Attempt::Search).collect()
    };
    let small = Stage { attempts: attempts(&[Some(1)]), ..stage(&wrong, Implications::EXACT) };
    let verdict = run(vec![small]).outcome.verdict;
    assert_eq!(verdict, Verdict::Unknown(StopReason::StateLimit { states: 1 }));
    let grown =
        Stage { attempts: attempts(&[Some(1), None]), ..stage(&wrong, Implications::EXACT) };
    assert!(matches!(run(vec![grown]).outcome.verdict, Verdict::Violated(_)));
}

/// The error needs a thread that is interrupted between its two steps.
const INTERRUPTED: &str = "4 4\n0 0 -> 1 1\n1 1 -> 0 0\n1 0 -> 2 2\n2 1 -> 3 3\n3|3\n";
/// A thread spawns another, up to three in all.
const SPAWNING: &str = "4 2\n0 0 +> 1 1\n1 0 +> 2 1\n3|1,1\n";

/// The bounds and ends of the attempts at the first stage.
fn tried(answer: &Answer) -> Vec<(SearchBounds, AttemptEnd)> {
    let bounds = |attempt| match attempt {
        Attempt::Search(bounds) => bounds,
        _ => panic!("searches alone were planned"),
    };
    let tried = answer.searched[0].tried.iter();
    tried.map(|tried| (bounds(tried.attempt), tried.end.clone())).collect()
}

fn left_out(end: &AttemptEnd) -> Vec<Omission> {
    let AttemptEnd::Open(StopReason::UnderApproximated { omitted }) = end else {
        return Vec::new();
    };
    omitted.iter().cloned().collect()
}

#[test]
fn a_search_is_repeated_with_more_slots_until_new_threads_find_one() {
    let spawning = model(SPAWNING);
    let mut only = stage(&spawning, Implications::EXACT);
    only.threads = ThreadCount::Exactly(1);
    let everything = SearchBounds::everything(only.threads);
    only.attempts = vec![Attempt::Search(everything)];
    let answer = run(vec![only.clone()]);
    assert!(matches!(answer.outcome.verdict, Verdict::Holds(_)), "{:?}", answer.outcome.verdict);
    let tried = tried(&answer);
    let slots: Vec<u32> =
        tried.iter().map(|(bounds, _)| bounds.slots.expect("it is bounded").now()).collect();
    assert_eq!(slots, [1, 2, 4]);
    assert_eq!(left_out(&tried[0].1), [Omission::Threads { room: 1 }]);
    assert_eq!(left_out(&tried[1].1), [Omission::Threads { room: 2 }]);
    assert_eq!(tried[2].1, AttemptEnd::Holds);
    assert_eq!(answer.attempt, Some(Attempt::Search(tried[2].0)));
    // A larger search starts with the slots that the smaller one needed.
    let small = SearchBounds { slots: tried[2].0.slots, ..everything.first_states(2) };
    only.attempts = vec![Attempt::Search(small), Attempt::Search(everything)];
    assert_eq!(self::tried(&run(vec![only]))[1], tried[2]);
}

#[test]
fn a_search_with_few_switches_does_not_replace_a_larger_one() {
    let (safe, wrong) = (model(SAFE), model(INTERRUPTED));
    let ends = |model, max_states| {
        let mut only = stage(model, Implications::EXACT);
        let everything = SearchBounds::everything(only.threads);
        let few = everything.few_switches(GrowingBound::new(0, 0));
        only.attempts =
            [everything.first_states(max_states), few, everything].map(Attempt::Search).to_vec();
        let answer = run(vec![only]);
        let ends: Vec<AttemptEnd> = tried(&answer).into_iter().map(|(_, end)| end).collect();
        ends
    };
    let ends_of_wrong = ends(&wrong, 1);
    assert!(matches!(ends_of_wrong[0], AttemptEnd::Open(StopReason::StateLimit { .. })));
    assert!(!left_out(&ends_of_wrong[1]).is_empty());
    assert_eq!(ends_of_wrong[2..], [AttemptEnd::Violated]);
    assert_eq!(ends(&safe, 1_000_000), [AttemptEnd::Holds], "nothing is left to be searched");
}

#[test]
fn switches_are_added_until_there_is_an_error_or_none_is_left_out() {
    let (safe, wrong) = (model(SAFE), model(INTERRUPTED));
    let bounded = |model, last| {
        let mut plan = Plan::new(vec![stage(model, Implications::EXACT)]);
        let switches = GrowingBound::new(0, last);
        plan.bound_searches(|bounds| bounds.switches = Some(switches));
        run(plan.stages().to_vec())
    };
    let answer = bounded(&wrong, 9);
    assert!(matches!(answer.outcome.verdict, Verdict::Violated(_)));
    let n_switches = |answer: &Answer| -> Vec<u32> {
        let tried = tried(answer);
        tried.iter().map(|(bounds, _)| bounds.switches.expect("it is bounded").now()).collect()
    };
    assert_eq!(n_switches(&answer), [0, 1]);
    let is_said = |answer: &Answer, note: &str| answer.outcome.notes.iter().any(|n| n == note);
    assert!(is_said(&answer, "with fewer than 1 pre-emptive context switches there is no error"));
    let answer = bounded(&wrong, 0);
    let omission = Omission::ContextSwitches { bound: 0, between_supersteps: false };
    assert_eq!(left_out(&tried(&answer)[0].1), [omission]);
    let answer = bounded(&safe, 9);
    assert!(matches!(answer.outcome.verdict, Verdict::Holds(_)));
    assert!(answer.outcome.notes.iter().any(|note| note.contains("no run needs more than")));
}

/// Were all runs with fewer switches searched? Not if long ones were left out.
#[test]
fn nothing_is_said_of_fewer_switches_where_runs_were_cut_at_a_depth() {
    let text =
        INTERRUPTED.replace("4 4\n", "4 8\n0 0 -> 0 4\n0 4 -> 0 5\n0 5 -> 0 6\n0 6 -> 0 7\n");
    let wrong = model(&text);
    let mut plan = Plan::new(vec![stage(&wrong, Implications::EXACT)]);
    plan.bound_searches(|bounds| bounds.switches = Some(GrowingBound::new(0, 9)));
    let mut method = Method::from(Engine::Explicit);
    let limits = Limits::none();
    for (max_depth, is_said) in [(None, true), (Some(3), false)] {
        method.search.max_depth = max_depth;
        let how = crate::Guided { method, guide: None };
        let found = search(plan.stage(StageId(0)), how, Context::silent(&limits));
        assert!(matches!(found.outcome.verdict, Verdict::Violated(_)));
        let note = |note: &String| note.starts_with("with fewer than 1 pre-emptive");
        assert_eq!(found.outcome.notes.iter().any(note), is_said, "{max_depth:?}");
    }
}

#[test]
#[should_panic(expected = "plans go forward only")]
fn a_plan_never_goes_back() {
    let safe = model(SAFE);
    let back = then(Consequence::LeavesOpen(StageId(0)));
    Plan::new(vec![stage(&safe, Implications { holds: back, ..Implications::EXACT })]);
}
