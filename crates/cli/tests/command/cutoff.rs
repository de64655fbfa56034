//! `cutoff` through the built command, and files that must not be written over.

use crate::tool::{BROKEN_MUTEX, LOCK, Scratch};

/// A thread system, without any property.
const NO_PROPERTY: &str = "2 2\n0 0 -> 1 1\n";

/// A net, without any target.
const NO_TARGET: &str = "\
vars idle busy
rules
  idle >= 1 -> idle' = idle-1, busy' = busy+1;
init idle >= 1, busy = 0
";

#[test]
fn a_cutoff_needs_no_property_and_a_check_does() {
    let scratch = Scratch::new();
    scratch.write("free.tts", NO_PROPERTY);
    scratch.write("free.spec", NO_TARGET);
    scratch.run(&["cutoff", "free.tts"]).expect(0, "CUTOFF 2: 2 threads reach all 3", "");
    scratch.run(&["cutoff", "free.spec"]).expect(0, "each token is a thread", "");
    scratch.run(&["check", "free.tts"]).expect(2, "", "TT006");
    scratch.run(&["check", "free.spec"]).expect(2, "", "SP004");
}

#[test]
fn the_property_beside_a_model_is_no_matter_of_its_cutoff() {
    let scratch = Scratch::new();
    scratch.write("free.tts", NO_PROPERTY);
    scratch.write("free.prop", "not a property");
    let ended = scratch.run(&["cutoff", "free.tts"]).expect(0, "CUTOFF 2", "");
    assert!(!ended.stdout.contains("free.prop"), "{}", ended.stdout);
}

#[test]
fn what_is_asked_of_models_is_refused_by_cutoff() {
    let scratch = Scratch::new();
    scratch.write("lock.tts", LOCK);
    for option in ["--ltl", "--deadlock", "--fairness", "--property", "--const"] {
        scratch.run(&["cutoff", "lock.tts", option, "x"]).expect(2, "", "unexpected argument");
    }
}

#[test]
fn the_page_and_the_picture_are_written() {
    let scratch = Scratch::new();
    scratch.write("lock.tts", LOCK);
    let args = ["cutoff", "lock.tts", "--svg", "curve.svg", "--html", "page.html", "--quiet"];
    scratch.run(&args).expect(0, "CUTOFF", "");
    assert!(scratch.read("curve.svg").starts_with("<svg"));
    assert!(scratch.read("page.html").contains("<svg"));
}

#[test]
fn no_input_is_written_over() {
    let scratch = Scratch::new();
    scratch.write("lock.tts", LOCK);
    scratch.write("lock.prop", "3|1,1,1\n");
    scratch.write("broken.spec", BROKEN_MUTEX);
    let refused = "it is an input of this run";
    for args in [
        ["cutoff", "lock.tts", "--svg", "lock.tts"],
        ["cutoff", "lock.tts", "--html", "./lock.tts"],
        ["cutoff", "lock.tts", "--html", "lock.prop"],
        ["check", "broken.spec", "--html", "broken.spec"],
        ["check", "broken.spec", "--certificate", "broken.spec"],
    ] {
        scratch.run(&args).expect(2, "", refused);
    }
    let args = ["convert", "broken.spec", "--to", "pnml", "--output", "broken.spec"];
    scratch.run(&args).expect(2, "", refused);
    let args = ["convert", "lock.tts", "--to", "tts", "--output", "lock.new"];
    scratch.run(&args).expect(2, "", refused);
    assert_eq!(scratch.read("lock.tts"), LOCK);
    assert_eq!(scratch.read("broken.spec"), BROKEN_MUTEX);
}
