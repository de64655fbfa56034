//! Every verb and every exit code, through the built command.

use crate::tool::{BROKEN_MUTEX, COUNT, LOCK, MUTEX, Scratch, has_clang};

#[test]
fn a_property_that_holds_ends_with_0() {
    let scratch = Scratch::new();
    scratch.write("mutex.spec", MUTEX);
    let ended = scratch.run(&["check", "mutex.spec"]).expect(0, "HOLDS for every initial", "");
    assert!(ended.stdout.contains("re-checked"), "{}", ended.stdout);
}

#[test]
fn a_violated_property_ends_with_1_and_shows_the_run() {
    let scratch = Scratch::new();
    scratch.write("broken.spec", BROKEN_MUTEX);
    let ended = scratch.run(&["check", "broken.spec"]).expect(1, "VIOLATED", "");
    assert!(ended.stdout.contains("busy 1 -> 2"), "{}", ended.stdout);
}

#[test]
fn a_run_of_billions_of_threads_is_shown_saved_and_replayed() {
    let scratch = Scratch::new();
    scratch.write("lock.tts", format!("{LOCK}3|1,1,1,0,0\n"));
    let check = ["check", "lock.tts", "--threads", "2147483647"];
    let shown = scratch.run(&check).expect(1, "VIOLATED with 2147483647 threads in 3 steps", "");
    let end = "end    shared 3; T0-T2 in 1, 2147483644 other threads in 0";
    assert!(shown.stdout.contains(end), "{}", shown.stdout);
    let saved = scratch.run(&[&check[..], &["--format", "json"]].concat());
    let saved = saved.expect(1, "\"bystanders\"", "");
    scratch.write("result.json", saved.stdout);
    scratch.run(&["replay", "result.json", "lock.tts"]).expect(1, "CONFIRMED: ", "");
    scratch.run(&[&check[..], &["--html", "run.html"]].concat()).expect(1, "VIOLATED", "");
    assert!(scratch.read("run.html").contains("2147483644 threads that never move"));
    scratch.write("two.tts", "2 2\n0 0 -> 1 1\n1|0,0\n");
    let shown = scratch.run(&["check", "two.tts", "--threads", "2000"]).expect(1, "VIOLATED", "");
    assert!(shown.stdout.contains("1|0,0, by 2 other threads"), "{}", shown.stdout);
}

#[test]
fn usage_mistakes_end_with_2() {
    let scratch = Scratch::new();
    scratch.run(&["check"]).expect(2, "", "required");
    scratch.run(&["frobnicate"]).expect(2, "", "unrecognized");
    scratch.run(&["check", "x.spec", "--engine", "psychic"]).expect(
        2,
        "",
        "no engine is called `psychic`",
    );
    scratch.run(&["check", "x.spec", "--time", "60"]).expect(2, "", "say the unit");
    scratch.run(&["check", "x.spec", "--threads", "many"]).expect(2, "", "neither `any` nor");
}

#[test]
fn a_time_limit_of_zero_ends_with_3() {
    let scratch = Scratch::new();
    scratch.write("mutex.spec", MUTEX);
    scratch.run(&["check", "mutex.spec", "--time", "0s"]).expect(3, "UNKNOWN: time limit", "");
}

#[test]
fn a_bug_ends_with_101_and_asks_for_a_report() {
    let ended = Scratch::new().run(&["bug"]).expect(101, "", "Please report it");
    assert!(ended.stderr.contains("arguments:") && ended.stderr.contains("bug"));
}

#[test]
fn help_names_the_exit_codes_and_has_examples() {
    let scratch = Scratch::new();
    let ended = scratch.run(&["--help"]).expect(0, "Exit codes:", "");
    assert!(ended.stdout.contains("Examples:"));
    scratch.run(&["check", "--help"]).expect(0, "--threads", "");
    scratch.run(&["--version"]).expect(0, "threadproof 0", "");
}

#[test]
fn two_runs_print_the_same_without_timing() {
    let scratch = Scratch::new();
    scratch.write("mutex.spec", MUTEX);
    scratch.write("broken.spec", BROKEN_MUTEX);
    for file in ["mutex.spec", "broken.spec"] {
        for format in ["text", "json"] {
            let args = ["check", file, "--no-timing", "--format", format];
            assert_eq!(scratch.run(&args).stdout, scratch.run(&args).stdout);
        }
    }
}

#[test]
fn quiet_prints_the_verdict_line_alone() {
    let scratch = Scratch::new();
    scratch.write("mutex.spec", MUTEX);
    let ended = scratch.run(&["check", "mutex.spec", "--quiet"]).expect(0, "HOLDS", "");
    assert_eq!(ended.stdout.lines().count(), 1);
    assert_eq!(ended.stderr, "");
}

#[test]
fn the_property_beside_a_tts_model_is_used_and_said() {
    let scratch = Scratch::new();
    scratch.write("pair.tts", "2 3\n0 0 -> 0 1\n0 1 -> 1 2\n");
    scratch.run(&["check", "pair.tts"]).expect(2, "", "");
    scratch.write("pair.prop", "1|2,1\n");
    let ended = scratch.run(&["check", "pair.tts"]).expect(1, "VIOLATED with 2 threads", "");
    assert!(ended.stdout.contains("pair.prop"), "{}", ended.stdout);
    scratch.run(&["check", "pair.tts", "--init", "0|0"]).expect(0, "HOLDS", "");
    scratch.run(&["check", "pair.tts", "--threads", "1"]).expect(0, "exactly 1 thread", "");
    scratch.run(&["check", "pair.tts", "--target", "1|2,2"]).expect(0, "HOLDS for any number", "");
}

/// A race that makes an assertion fail, but only in steps from access to access.
const TORN: &str = "\
#include <assert.h>
#include <pthread.h>
int x, y;
void *both(void *arg) { x = 1; y = 1; return arg; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, both, 0);
    assert(!(x == 1 && y == 0));
    return 0;
}
";

#[test]
fn evidence_found_in_smaller_steps_is_confirmed() {
    if !has_clang() {
        return;
    }
    let scratch = Scratch::new();
    scratch.write("torn.c", TORN);
    for property in ["unreach-call", "no-data-race", "no-deadlock"] {
        let of = ["torn.c", "--property", property];
        let checked = scratch.run(&[&["check"][..], &of, &["--format", "json"]].concat());
        scratch.write("result.json", &checked.stdout);
        let replayed = scratch.run(&[&["replay", "result.json"][..], &of].concat());
        replayed.expect(i32::from(property != "no-deadlock"), "CONFIRMED: ", "");
    }
}

/// Two threads that both miss what the other one has stored.
const LATE: &str = "\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int a, b;
void *one(void *arg) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    a = atomic_load_explicit(&y, memory_order_relaxed);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    b = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(t, 0);
    assert(a || b);
    return 0;
}
";

#[test]
fn errors_of_stores_that_are_seen_late_are_found_and_confirmed() {
    if !has_clang() {
        return;
    }
    let scratch = Scratch::new();
    scratch.write("late.c", LATE);
    let late = scratch.run(&["check", "late.c"]).expect(1, "`a || b` fails", "");
    assert!(late.stdout.contains("without delays no run fails"), "{}", late.stdout);
    let result = scratch.run(&["check", "late.c", "--format", "json"]).stdout;
    scratch.write("result.json", &result);
    scratch.run(&["replay", "result.json", "late.c"]).expect(1, "CONFIRMED: ", "");
    let ended = scratch.run(&["check", "late.c", "--no-delays"]);
    ended.expect(3, "HOLDS under sequential consistency, ", "");
}

#[test]
fn a_proof_for_weak_atomics_is_one_under_sequential_consistency() {
    if !has_clang() {
        return;
    }
    let scratch = Scratch::new();
    scratch.write("late.c", LATE);
    let asked = ["check", "late.c", "--memory-model", "sc"];
    let told = scratch.run(&asked).expect(0, "HOLDS under sequential consistency, ", "");
    assert!(told.stdout.contains("weaker than `seq_cst`: late.c:"), "{}", told.stdout);
    let formats = [
        ("json", "\"presumes\": \"sequential-consistency\""),
        ("sarif", "\"id\": \"presumption\""),
    ];
    for (format, says) in formats {
        let args = ["check", "late.c", "--no-delays", "--format", format];
        let told = scratch.run(&args).expect(3, "", "");
        assert!(told.stdout.contains(says), "{}", told.stdout);
        scratch.write(format, &told.stdout);
    }
    let again = ["replay", "json", "late.c", "--no-delays"];
    let confirmed = "CONFIRMED: HOLDS under sequential consistency, ";
    scratch.run(&again).expect(3, confirmed, "");
    let silent = scratch.read("json").replace("\"presumes\"", "\"left_out\"");
    scratch.write("json", &silent);
    scratch.run(&again).expect(3, confirmed, "");
    let again = ["replay", "json", "late.c", "--memory-model", "sc"];
    scratch.run(&again).expect(0, confirmed, "");
    let ended = ["check", "late.c", "--no-delays", "--property", "termination"];
    scratch.run(&ended).expect(3, "HOLDS under sequential consistency, on every fair run", "");
    scratch.write("net.tts", "2 2\n0 0 -> 1 1\n1|1,1\n");
    let other = ["check", "net.tts", "--memory-model", "sc"];
    scratch.run(&other).expect(2, "", "--memory-model is for C programs");
}

#[test]
fn a_c_program_is_not_answered_for_another_number_of_threads_than_its_own() {
    if !has_clang() {
        return;
    }
    let scratch = Scratch::new();
    scratch.write("late.c", LATE);
    let ended = scratch.run(&["check", "late.c", "--threads", "2"]);
    ended.expect(2, "", "a C program creates its threads itself");
}

#[test]
fn a_saved_result_is_judged_by_the_variant_that_it_names() {
    if !has_clang() {
        return;
    }
    let scratch = Scratch::new();
    scratch.write("late.c", LATE);
    let result = scratch.run(&["check", "late.c", "--format", "json"]).stdout;
    assert_eq!(result.matches("\"variant\": \"store buffers\"").count(), 2, "{result}");
    let other = result.replace("store buffers", "accesses");
    scratch.write("other.json", &other);
    scratch.run(&["replay", "other.json", "late.c"]).expect(2, "", "does not stand up");
    scratch.write("result.json", &result);
    let ended = scratch.run(&["replay", "result.json", "late.c", "--no-delays"]);
    ended.expect(2, "", "is about the variant `store buffers`");
    let args = ["check", "late.c", "--reduction", "none", "--no-delays", "--format", "json"];
    scratch.write("small.json", &scratch.run(&args).stdout);
    scratch.run(&["replay", "small.json", "late.c"]).expect(3, "CONFIRMED: ", "");
}

#[test]
fn the_plan_is_explained_in_text_and_json() {
    if !has_clang() {
        return;
    }
    let scratch = Scratch::new();
    scratch.write("late.c", LATE);
    let text = scratch.run(&["check", "late.c", "--explain"]).expect(1, "VIOLATED", "").stdout;
    for (stage, done) in [("1. sync", "searched"), ("2. acc", "not needed"), ("3. store", "gave")] {
        let line = text.lines().find(|line| line.trim_start().starts_with(stage));
        assert!(line.is_some_and(|line| line.contains(done)), "{stage}: {text}");
    }
    let json = scratch.run(&["check", "late.c", "--explain", "--format", "json"]).stdout;
    let document: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(document["plan"]["searched"], serde_json::json!([0, 2]));
    assert_eq!(document["plan"]["answering"], serde_json::json!(2));
    assert_eq!(document["plan"]["stages"][1]["variant"], "accesses");
    let tried = &document["plan"]["tried"];
    assert_eq!(tried[0]["end"], "more than 1 thread would exist at once", "{tried}");
    assert_eq!(tried[1]["attempt"], "the first 30000 states, with 2 thread slots", "{tried}");
    let last = tried.as_array().and_then(|tried| tried.last()).expect("something was tried");
    assert_eq!((&last["stage"], &last["end"]), (&2.into(), &"violated".into()));
    assert_eq!(document["attempt"], last["attempt"]);
    assert!(text.contains("the first 30000 states, with 2 thread slots: "), "{text}");
}

#[test]
fn saved_evidence_is_confirmed_and_damaged_evidence_refused() {
    let scratch = Scratch::new();
    scratch.write("mutex.spec", MUTEX);
    scratch.write("broken.spec", BROKEN_MUTEX);
    for (file, code) in [("mutex.spec", 0), ("broken.spec", 1)] {
        scratch.run(&["check", file, "--certificate", "proof.json"]).expect(code, "", "");
        scratch.run(&["replay", "proof.json", file]).expect(code, "CONFIRMED: ", "");
        let result = scratch.run(&["check", file, "--format", "json"]).stdout;
        scratch.write("result.json", &result);
        scratch.run(&["replay", "result.json", file]).expect(code, "CONFIRMED: ", "");
    }
    scratch.run(&["replay", "proof.json", "mutex.spec"]).expect(2, "", "does not stand up");
    let cut = &scratch.read("proof.json")[..200];
    scratch.write("cut.json", cut);
    scratch.run(&["replay", "cut.json", "broken.spec"]).expect(2, "", "not a result");
    scratch.write("nothing.json", "{}");
    scratch.run(&["replay", "nothing.json", "broken.spec"]).expect(2, "", "schema");
}

#[test]
fn a_converted_program_starts_where_it_started() {
    let scratch = Scratch::new();
    let program =
        "decl x := 1, y := 0; void main() begin assume(!y); y := x; assert(y); y := 0; end\n";
    scratch.write("race.bp", program);
    scratch.run(&["check", "race.bp"]).expect(1, "VIOLATED with 2 threads", "");
    scratch.run(&["convert", "race.bp", "--to", "tts", "-o", "race.tts"]).expect(0, "", "--init");
    scratch.run(&["check", "race.tts"]).expect(1, "VIOLATED with 2 threads", "");
    // What is asked for comes first.
    scratch.run(&["check", "race.tts", "--init", "0/0"]).expect(0, "HOLDS", "");
}

#[test]
fn results_about_boolean_programs_are_replayed_whatever_was_reduced() {
    let scratch = Scratch::new();
    let program = |assertion: &str| {
        format!(
            "decl g := 0, h := 0; void main() begin decl l := 0; l := !l; h := l; g := h; h := 0; \
             {assertion} end\n"
        )
    };
    scratch.write("wrong.bp", program("assert(!g);"));
    scratch.write("right.bp", program("assert(g | !g & !h | h);"));
    for (file, code) in [("wrong.bp", 1), ("right.bp", 0)] {
        for engine in ["symbolic", "backward"] {
            for reduction in ["none", "auto"] {
                let reduction = ["--reduction", reduction];
                let asked = ["check", file, "--engine", engine, "--certificate", "proof.json"];
                scratch.run(&[&asked[..], &reduction].concat()).expect(code, "", "");
                scratch.run(&["replay", "proof.json", file]).expect(code, "CONFIRMED: ", "");
            }
        }
    }
}

#[test]
fn a_model_is_converted_and_keeps_its_verdict() {
    let scratch = Scratch::new();
    scratch.write("pair.tts", "2 3\n0 0 -> 0 1\n0 1 -> 1 2\n1|2,1\n");
    scratch.run(&["convert", "pair.tts", "--to", "spec", "-o", "pair.spec"]).expect(0, "", "");
    scratch.run(&["check", "pair.spec"]).expect(1, "VIOLATED", "");
    scratch.run(&["convert", "pair.tts", "--to", "dot"]).expect(0, "digraph", "");
    scratch.run(&["convert", "pair.spec", "--to", "tts", "-o", "back.tts"]);
}

#[test]
fn completions_and_manual_pages_are_made() {
    let scratch = Scratch::new();
    scratch.run(&["completions", "bash"]).expect(0, "threadproof", "");
    scratch.run(&["man"]).expect(0, ".TH", "");
    scratch.run(&["man", "--dir", "pages"]).expect(0, "", "");
    assert!(scratch.path("pages/threadproof-check.1").is_file());
}

#[test]
fn a_suite_with_a_wrong_label_ends_with_1_and_shows_it_first() {
    let scratch = Scratch::new();
    scratch.write("mutex.spec", MUTEX);
    scratch.write("broken.spec", BROKEN_MUTEX);
    let heading = "file,property_file,init,expected,note\n";
    let good = format!("{heading}mutex.spec,,,safe,\nbroken.spec,,any,unknown,\"a, b\"\n");
    scratch.write("expected.csv", &good);
    let args =
        ["bench", ".", "--time", "20s", "--memory", "1G", "--csv", "o.csv", "--jsonl", "o.jsonl"];
    scratch.run(&args).expect(
        0,
        "1 correct, 0 wrong, 0 disputed, 0 crashed, 0 unsolved, 1 unlabelled",
        "",
    );
    assert_eq!(scratch.read("o.csv").lines().count(), 3);
    assert_eq!(scratch.read("o.jsonl").lines().count(), 2);
    scratch.write("expected.csv", good.replace("unknown", "safe"));
    let ended = scratch.run(&["bench", "expected.csv"]).expect(1, "1 correct, 1 wrong", "");
    assert!(ended.stdout.lines().nth(1).is_some_and(|line| line.contains("WRONG")));
}

#[test]
fn every_failure_claims_nothing_about_what_lies_behind_an_evaluation_error() {
    let scratch = Scratch::new();
    scratch.write("count.m", COUNT);
    let without = scratch.run(&["check", "count.m", "--every-failure"]);
    assert!(!without.expect(1, "0 evaluation errors", "").stdout.contains("nothing is claimed"));
    let text = COUNT.replace("x := x + 1", "x := x + 10");
    assert_ne!(text, COUNT);
    scratch.write("error.m", text);
    scratch.run(&["check", "error.m", "--every-failure"]).expect(1, "nothing is claimed about", "");
}

#[test]
fn a_bound_counts_the_steps_of_runs_and_proves_only_if_nothing_lies_beyond() {
    let scratch = Scratch::new();
    scratch.write("count.m", COUNT);
    let cut = "UNKNOWN: holds for up to 2 steps; longer runs were not searched";
    scratch.run(&["check", "count.m", "--bound", "2"]).expect(3, cut, "");
    scratch.run(&["check", "count.m", "--bound", "3"]).expect(1, "deadlock", "");
    let survey = scratch.run(&["check", "count.m", "--bound", "1", "--every-failure"]);
    survey.expect(3, "not all states were seen", "");
    // Three steps lead to every state, and a fourth to none that is new.
    let whole = ["check", "count.m", "--deadlock", "off", "--certificate", "whole.json", "--bound"];
    scratch.run(&[&whole[..], &["2"]].concat()).expect(3, "longer runs", "");
    scratch.run(&[&whole[..], &["3"]].concat()).expect(0, "HOLDS in all 4 states", "");
    assert!(!scratch.read("whole.json").contains("steps"), "no bound is claimed");
    scratch.run(&["replay", "whole.json", "count.m", "--deadlock", "off"]).expect(
        0,
        "CONFIRMED",
        "",
    );
    scratch.write("lock.tts", LOCK);
    let args = ["check", "lock.tts", "--threads", "3", "--certificate", "proof.json", "--bound"];
    scratch.run(&[&args[..], &["2"]].concat()).expect(3, "holds for up to 2 steps", "");
    scratch.run(&[&args[..], &["3"]].concat()).expect(1, "VIOLATED with 3 threads in 3", "");
}
