//! The page: its content, and that nothing in it can become markup.

use model::{Outcome, StepError, StopReason, Verdict, Violation};
use report::html;
use serde_json::Value;

use crate::two_locks::{HOSTILE, TwoLocks, outcome, trace, with_run};

const OPEN: &str = "<script type=\"application/json\" id=\"content\">";

fn page(outcome: &Outcome) -> String {
    with_run(outcome, html::render)
}

fn deadlock() -> Outcome {
    trace(&TwoLocks::new(), Violation::Deadlock)
}

/// What the page shows.
fn content(page: &str) -> Value {
    let (_, rest) = page.split_once(OPEN).expect("the page has content");
    let (json, _) = rest.split_once("</script>").expect("the content ends");
    serde_json::from_str(json).expect("the content is JSON")
}

#[test]
fn text_of_an_input_is_nowhere_but_in_the_content_and_never_markup() {
    for violation in
        [Violation::Deadlock, Violation::Race, Violation::Step(StepError::assertion(HOSTILE))]
    {
        let page = page(&trace(&TwoLocks::new(), violation));
        assert!(!page.contains("taken over'</script>"), "markup of the input is in the page");
        let (before, rest) = page.split_once(OPEN).expect("the page has content");
        let (json, after) = rest.split_once("</script>").expect("the content ends");
        assert!(json.contains("taken over"));
        assert!(!json.contains(['<', '>', '&', '\u{2028}', '\u{2029}']));
        assert!(!before.contains("taken over") && !after.contains("taken over"));
        assert_eq!(page.matches("<script").count(), 2);
    }
}

#[test]
fn only_the_frame_is_ours_and_it_is_the_same_for_every_run() {
    let frame = |page: &str| {
        let (before, rest) = page.split_once(OPEN).expect("the page has content");
        (before.to_owned(), rest.split_once("</script>").expect("the content ends").1.to_owned())
    };
    let unknown = page(&outcome(Verdict::Unknown(StopReason::TimeLimit)));
    assert_eq!(frame(&page(&deadlock())), frame(&unknown));
}

#[test]
fn scripts_of_the_page_never_write_markup() {
    let page = page(&deadlock());
    for forbidden in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    let addresses: Vec<&str> = page.split("http").skip(1).collect();
    // A namespace and a header, and no address that anything is loaded from.
    assert!(
        addresses
            .iter()
            .all(|rest| rest.starts_with("://www.w3.org/2000/svg") || rest.starts_with("-equiv")),
        "{addresses:?}"
    );
}

#[test]
fn the_same_run_gives_the_same_page() {
    assert_eq!(page(&deadlock()), page(&deadlock()));
}

#[test]
fn a_deadlock_says_who_waits_for_whom() {
    let content = content(&page(&deadlock()));
    let story = &content["story"];
    assert_eq!(story["lanes"][1]["name"], "T1");
    assert_eq!(story["trouble"]["rule"], "deadlock");
    let waits = &story["trouble"]["waits"];
    assert_eq!(waits[0]["lane"], 0);
    assert_eq!(waits[0]["what"], format!("lock1{HOSTILE}"));
    for (wait, lane, line) in [(&waits[0], 1, 2), (&waits[1], 0, 1)] {
        let holder = &wait["holders"][0];
        assert_eq!((&holder["lane"], &holder["step"]), (&lane.into(), &lane.into()));
        assert_eq!(holder["place"]["line"], line);
    }
}

#[test]
fn steps_tell_their_place_and_only_what_they_change() {
    let content = content(&page(&deadlock()));
    let story = &content["story"];
    let step = &story["steps"][1];
    assert_eq!((&step["place"]["line"], &step["place"]["column"]), (&2.into(), &1.into()));
    let changed: Vec<&Value> = step["changes"]
        .as_array()
        .expect("changes are a list")
        .iter()
        .map(|change| &story["variables"][change[0].as_u64().expect("a number") as usize]["name"])
        .collect();
    assert_eq!(changed, [&Value::from(format!("lock1{HOSTILE}")), &Value::from("at")]);
}

#[test]
fn a_race_shows_both_accesses() {
    let content = content(&page(&trace(&TwoLocks::new(), Violation::Race)));
    let accesses = &content["story"]["trouble"]["accesses"];
    assert_eq!(accesses.as_array().map(Vec::len), Some(2));
    assert_eq!((&accesses[0]["verb"], &accesses[1]["verb"]), (&"writes".into(), &"writes".into()));
    assert_eq!((&accesses[0]["lane"], &accesses[1]["lane"]), (&0.into(), &1.into()));
    let lines = (&accesses[0]["place"]["line"], &accesses[1]["place"]["line"]);
    assert_eq!(lines, (&1.into(), &2.into()));
}

#[test]
fn a_loop_is_marked() {
    let content = content(&page(&trace(&TwoLocks::new(), Violation::Lasso { loop_start: 1 })));
    assert_eq!(content["story"]["loop_start"], 1);
    assert_eq!(content["story"]["trouble"]["rule"], "liveness");
}

#[test]
fn an_undecided_run_has_a_page_without_a_story() {
    let content = content(&page(&outcome(Verdict::Unknown(StopReason::TimeLimit))));
    assert_eq!(content["verdict"], "unknown");
    assert_eq!(content["headline"], "UNKNOWN: time limit reached");
    assert_eq!(content["story"], Value::Null);
}
