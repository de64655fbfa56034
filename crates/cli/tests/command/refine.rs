//! `refine` through the built command.

use crate::tool::{BROKEN_MUTEX, Scratch};

/// Takes a lock, and gives it back; the error is a lock that is taken twice.
const SPEC: &str = "3 2\n0 0 -> 1 1\n1 1 -> 0 0\n2|\n";

/// The same with a step of its own in between.
const GOOD: &str = "3 3\n0 0 -> 1 1\n1 1 -> 1 2\n1 2 -> 0 0\n";

/// Looks first, and takes the lock as if nobody else could have.
const HASTY: &str = "3 3\n0 0 -> 0 1\n0 1 -> 1 2\n1 1 -> 2 2\n1 2 -> 0 0\n";

fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("spec.tts", SPEC);
    scratch.write("good.tts", GOOD);
    scratch.write("hasty.tts", HASTY);
    scratch
}

#[test]
fn a_refinement_ends_with_0() {
    let ended = scratch().run(&["refine", "good.tts", "spec.tts"]).expect(0, "REFINES: `good", "");
    assert!(ended.stdout.contains("re-checked"), "{}", ended.stdout);
    assert!(ended.stdout.contains("any of 3 shared stores"), "{}", ended.stdout);
    assert!(!ended.stdout.contains("(6)"), "{}", ended.stdout);
}

#[test]
fn a_step_that_is_not_allowed_ends_with_1_and_shows_the_run() {
    let ended = scratch().run(&["refine", "hasty.tts", "spec.tts"]);
    let ended = ended.expect(1, "DOES NOT REFINE: `spec.tts` does not allow step 2", "");
    for part in ["0 -> 1  environment", "1 1 -> 2 2", "finds shared store 1 and leaves 2"] {
        assert!(ended.stdout.contains(part), "no `{part}` in {}", ended.stdout);
    }
    assert!(ended.stdout.contains("may be in 0\n       then, and leaves 1\n"), "{}", ended.stdout);
}

#[test]
fn the_rule_concludes_for_any_number_of_threads() {
    let ended = scratch().run(&["refine", "good.tts", "spec.tts", "--conclude"]);
    let ended =
        ended.expect(0, "HOLDS for any number of threads: `good.tts` refines `spec.tts`", "");
    for line in [
        "(5) B => F     holds: a relation",
        "(6) F* |= phi  HOLDS for any",
        "(7) B* |= phi  HOLDS for",
    ] {
        assert!(ended.stdout.contains(line), "no `{line}` in {}", ended.stdout);
    }
}

#[test]
fn a_conclusion_is_for_the_threads_that_there_are() {
    let scratch = scratch();
    let two = ["refine", "good.tts", "spec.tts", "--conclude", "--init", "0|0,0"];
    scratch.run(&two).expect(0, "HOLDS for the 2 threads at the start: `good.tts`", "");
    let args = [&two[..], &["--spec-init", "0|0,0"]].concat();
    scratch.run(&args).expect(0, "HOLDS for the 2 threads at the start: `good.tts`", "");
    let args = [&two[..], &["--spec-init", "0|0,0,0"]].concat();
    scratch.run(&args).expect(3, "has 2 threads, the specification 3 threads", "");
}

#[test]
fn without_refinement_nothing_follows() {
    let ended = scratch().run(&["refine", "hasty.tts", "spec.tts", "--conclude"]);
    ended.expect(1, "(7) B* |= phi  open: without (5) nothing follows", "");
}

#[test]
fn an_error_of_the_specification_says_nothing_about_the_implementation() {
    let scratch = scratch();
    let args = ["refine", "good.tts", "spec.tts", "--conclude", "--spec-target", "1|"];
    let ended = scratch.run(&args).expect(1, "UNDECIDED: `good.tts` refines `spec.tts`", "");
    assert!(ended.stdout.contains("says nothing about the implementation"), "{}", ended.stdout);
    assert!(ended.stdout.contains("0 0 -> 1 1"), "{}", ended.stdout);
}

#[test]
fn targets_of_threads_are_matched_or_nothing_is_concluded() {
    let scratch = scratch();
    let conclude = ["refine", "good.tts", "spec.tts", "--conclude"];
    let with = |more: &[&str]| scratch.run(&[&conclude[..], more].concat());
    with(&["--spec-target", "1|1,1", "--target", "1|2,2"]).expect(0, "HOLDS for any number", "");
    with(&["--spec-target", "1|1,1"]).expect(3, "speaks of its threads", "");
    with(&["--target", "1|1,1"]).expect(3, "no target of the specification stands for it", "");
    with(&["--target", "1|"]).expect(3, "shared store `1` is an error of the implementation", "");
    with(&["--spec-target", "1|0,0", "--target", "1|2,2"]).expect(1, "a thread fills a target", "");
}

#[test]
fn what_is_not_about_single_threads_ends_with_3() {
    let scratch = scratch();
    scratch.write("spawn.tts", "3 2\n0 0 +> 1 1\n");
    scratch.run(&["refine", "spawn.tts", "spec.tts"]).expect(3, "creates threads", "");
    scratch.write("wide.tts", "2000000000 2\n0 0 -> 1 1\n");
    scratch.run(&["refine", "wide.tts", "spec.tts"]).expect(3, "too many to try them all", "");
    scratch.run(&["refine", "good.tts", "spec.tts", "--time", "0s"]).expect(3, "time limit", "");
}

#[test]
fn other_inputs_end_with_2() {
    let scratch = scratch();
    scratch.write("net.spec", BROKEN_MUTEX);
    scratch.run(&["refine", "net.spec", "spec.tts"]).expect(
        2,
        "",
        "not a program that threads run",
    );
    scratch.run(&["refine", "good.tts", "missing.tts"]).expect(2, "", "missing.tts");
    scratch.run(&["refine", "good.tts"]).expect(2, "", "required");
    scratch.run(&["refine", "good.tts", "good.tts", "--conclude"]).expect(2, "", "TT006");
    scratch.run(&["refine", "good.tts", "spec.tts", "--target", "1|"]).expect(2, "", "--conclude");
}

#[test]
fn two_documents_are_the_same_and_say_what_was_found() {
    let scratch = scratch();
    let args = ["refine", "hasty.tts", "spec.tts", "--format", "json", "--no-timing"];
    let once = scratch.run(&args).expect(1, "threadproof-refinement/1", "").stdout;
    assert_eq!(once, scratch.run(&args).stdout);
    let document: serde_json::Value = serde_json::from_str(&once).expect("it is JSON");
    assert_eq!(document["verdict"], "fails");
    assert_eq!(document["refinement"]["steps"].as_array().map(Vec::len), Some(2));
    assert_eq!(document["refinement"]["not_allowed"], "interaction");
}

#[test]
fn help_says_what_the_exit_code_means_and_has_an_example() {
    let ended = Scratch::new().run(&["refine", "--help"]).expect(0, "Examples:", "");
    assert!(ended.stdout.contains("The exit code is 0"), "{}", ended.stdout);
}
