//! Inputs that are not models end with code 2 and a message that helps.

use std::fs::File;
use std::time::{Duration, Instant};

use crate::tool::{COUNT, LOCK, MUTEX, Scratch};

#[test]
fn a_missing_file_and_a_directory_are_named() {
    let scratch = Scratch::new();
    scratch.run(&["check", "nowhere.spec"]).expect(2, "", "cannot read `nowhere.spec`");
    scratch.run(&["check", "."]).expect(2, "", "is a directory");
    let ended = scratch.run(&["check", "nowhere.spec", "--format", "json"]);
    let ended = ended.expect(2, "\"verdict\": \"error\"", "cannot read");
    assert!(ended.stdout.contains("cannot read `nowhere.spec`"), "{}", ended.stdout);
}

#[test]
fn an_empty_file_is_refused_in_every_language() {
    let scratch = Scratch::new();
    for name in ["empty.spec", "empty.tts", "empty.pnml", "empty"] {
        scratch.write(name, "");
        scratch.run(&["check", name]).expect(2, "", "");
    }
}

#[test]
fn a_truncated_file_is_refused_wherever_it_is_cut() {
    let scratch = Scratch::new();
    // Up to the target's relation; after it, a shorter number is another model.
    let end = MUTEX.rfind(">=").expect("the target");
    for cut in (0..end).step_by(7) {
        scratch.write("cut.spec", &MUTEX[..cut]);
        scratch.run(&["check", "cut.spec"]).expect(2, "", "");
    }
}

#[test]
fn binary_junk_is_refused_with_the_position() {
    let scratch = Scratch::new();
    scratch.write("junk.spec", b"vars a\n\xff\xfe\x00");
    scratch.run(&["check", "junk.spec"]).expect(2, "", "byte 9 (0x00) is no Latin-1 text");
    scratch.write("nul.tts", b"\x00\x01\x02\x03\x1b[31m");
    let ended = scratch.run(&["check", "nul.tts"]).expect(2, "", "");
    assert!(!ended.stderr.contains("\u{1b}[31m"), "an escape sequence reached the terminal");
}

#[test]
fn an_undeclared_name_is_shown_at_its_place_in_text_and_json() {
    let scratch = Scratch::new();
    scratch.write("bad.spec", MUTEX.replace("target busy", "target bussy"));
    scratch.run(&["check", "bad.spec"]).expect(2, "", "bad.spec:6:8");
    let ended = scratch.run(&["check", "bad.spec", "--format", "json"]);
    let ended = ended.expect(2, "\"verdict\": \"error\"", "");
    assert!(ended.stdout.contains("\"line\": 6"), "{}", ended.stdout);
}

#[test]
fn a_byte_order_mark_shifts_no_position() {
    let scratch = Scratch::new();
    scratch.write("net.spec", format!("\u{feff}{MUTEX}"));
    scratch.run(&["check", "net.spec"]).expect(0, "HOLDS", "");
    scratch.write("net.pnml", "\u{feff}<pnml>\n</net>");
    scratch.run(&["check", "net.pnml", "--target", "a>=1"]).expect(2, "", "net.pnml:2:1");
    scratch.write("header.tts", "\u{feff}x\n");
    scratch.run(&["check", "header.tts"]).expect(2, "", "header.tts:1:1");
}

#[test]
fn a_number_of_threads_for_a_net_is_a_mistake_of_the_command_line() {
    let scratch = Scratch::new();
    scratch.write("mutex.spec", MUTEX);
    scratch.run(&["check", "mutex.spec", "--threads", "3"]).expect(2, "", "is a net");
}

#[test]
fn a_certificate_without_a_directory_is_refused_before_the_search() {
    let scratch = Scratch::new();
    scratch.write("mutex.spec", MUTEX);
    let ended = scratch.run(&["check", "mutex.spec", "--certificate", "nowhere/proof.json"]);
    let ended = ended.expect(2, "", "there is no directory `nowhere`");
    assert_eq!(ended.stdout, "");
}

#[test]
fn options_that_would_be_ignored_or_mean_two_things_are_refused() {
    let scratch = Scratch::new();
    scratch.write("mutex.spec", MUTEX);
    scratch.write("count.m", COUNT);
    scratch.write("lock.tts", LOCK);
    let refused = |args: &[&str], why: &str| {
        scratch.run(&[&["check"], args].concat()).expect(2, "", why);
    };
    refused(&["count.m", "--storage", "bitstate", "--bitstate-size", "0"], "at least one byte");
    refused(&["count.m", "--const", "N=1", "--const", "N=2"], "gives `N` twice");
    refused(&["mutex.spec", "--bound", "3"], "would be ignored for nets (.spec)");
    refused(&["lock.tts", "--bound", "3"], "say --threads N with --bound");
    refused(&["lock.tts", "--bound", "3", "--threads", "2", "--engine", "cover"], "not for cover");
}

#[test]
fn options_of_other_languages_are_refused_with_what_they_are_for() {
    const FOREIGN: [&[&str]; 21] = [
        &["--invariant", "nonsense"],
        &["--abstraction", "foo"],
        &["--model", "nowhere.c"],
        &["--clang", "nowhere"],
        &["-O2"],
        &["--m32"],
        &["-I", "nowhere"],
        &["-DN=3"],
        &["--extern", "any"],
        &["--volatile", "atomic"],
        &["--malloc-fails"],
        &["--no-spurious"],
        &["--rwlock", "readers"],
        &["--nondet", "0..1"],
        &["--no-delays"],
        &["--accept", "data-race@x.c:1"],
        &["--ub"],
        &["--reduction", "superstep"],
        &["--no-walks"],
        &["--interpret"],
        &["--const", "N=2"],
    ];
    let scratch = Scratch::new();
    scratch.write("lock.tts", LOCK);
    for option in FOREIGN {
        let ended = scratch.run(&[&["check", "lock.tts"], option].concat());
        ended.expect(2, "", "would be ignored for thread transition systems (.tts)");
    }
    let said = "--invariant is for C programs, and would be ignored for thread transition systems";
    scratch.run(&["check", "lock.tts", "--invariant", "x"]).expect(2, "", said);
    let json = scratch.run(&["check", "lock.tts", "--ub", "--format", "json"]);
    json.expect(2, "--ub is for C programs", "");
}

#[test]
fn options_of_explicit_searches_are_refused_where_another_engine_answers() {
    let scratch = Scratch::new();
    scratch.write("lock.tts", LOCK);
    let check = |args: &[&str]| scratch.run(&[&["check", "lock.tts"], args].concat());
    for option in [["--storage", "compact"], ["--order", "dfs"], ["--max-states", "9"]] {
        check(&option).expect(2, "", "is for --engine explicit");
    }
    let explicit = ["--threads", "2", "--engine", "explicit", "--order", "dfs"];
    assert_ne!(check(&explicit).code, Some(2));
}

#[test]
fn a_suite_with_missing_files_is_not_run() {
    let scratch = Scratch::new();
    scratch.write("expected.csv", "file,expected\nmutex.spec,safe\nnowhere.spec,safe\n");
    scratch.write("mutex.spec", MUTEX);
    scratch.run(&["bench", "."]).expect(2, "", "nowhere.spec` does not exist");
}

#[test]
fn what_is_no_result_is_refused_with_one_reason() {
    let scratch = Scratch::new();
    scratch.write("mutex.spec", MUTEX);
    let ended = scratch.run(&["replay", "mutex.spec", "mutex.spec"]);
    let ended = ended.expect(2, "", "not a result of threadproof: expected value");
    assert_eq!(ended.stderr.matches("expected value").count(), 1, "{}", ended.stderr);
}

#[test]
fn a_mistake_in_an_option_is_shown_in_the_option() {
    let scratch = Scratch::new();
    scratch.write("mutex.spec", MUTEX);
    scratch.run(&["check", "mutex.spec", "--target", "nobody>=1"]).expect(2, "", "--target:1:1");
}

#[test]
fn huge_numbers_are_refused_or_answered_but_never_crash() {
    let scratch = Scratch::new();
    for number in ["4294967295", "18446744073709551616", "99999999999999999999999999"] {
        scratch.write("huge.spec", MUTEX.replace("busy >= 2", &format!("busy >= {number}")));
        let code = scratch.run(&["check", "huge.spec", "--time", "10s"]).code;
        assert!(matches!(code, Some(0 | 2 | 3)), "{number}: {code:?}");
        scratch.write("huge.tts", format!("{number} {number}\n0 0 -> 0 1\n0|1\n"));
        let code = scratch.run(&["check", "huge.tts", "--time", "10s"]).code;
        assert!(matches!(code, Some(0..=3)), "{number}: {code:?}");
    }
}

#[test]
fn a_file_over_the_size_limit_is_refused_without_reading_it() {
    let scratch = Scratch::new();
    let file = File::create(scratch.path("large.spec")).expect("the directory is writable");
    file.set_len(3 << 30).expect("a sparse file");
    let started = Instant::now();
    scratch.run(&["check", "large.spec"]).expect(2, "", "--max-input");
    assert!(started.elapsed() < Duration::from_secs(5));
    scratch.write("mutex.spec", MUTEX);
    scratch.run(&["check", "mutex.spec", "--max-input", "10"]).expect(2, "", "--max-input");
}

#[test]
fn deeply_nested_xml_is_refused() {
    let scratch = Scratch::new();
    let depth = 200_000;
    scratch.write("deep.pnml", format!("{}{}", "<page>".repeat(depth), "</page>".repeat(depth)));
    scratch.run(&["check", "deep.pnml", "--target", "p>=1"]).expect(2, "", "");
    scratch.write("open.pnml", "<pnml><net>".repeat(1000));
    scratch.run(&["check", "open.pnml", "--target", "p>=1"]).expect(2, "", "");
}
