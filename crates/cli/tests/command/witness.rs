//! Witnesses of errors in C programs, through the built command.

use crate::tool::{MUTEX, Scratch, has_clang};

/// Fails for one input of the second thread, behind a call.
const PROGRAM: &str = "\
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) { assert(0); }
int seen;
void look(int x) {
    if (x == 41)
        reach_error();
}
void *second(void *arg) {
    int x = __VERIFIER_nondet_int( /* ) */ );
    seen = 1;
    look(x + 1);
    return arg;
}
int main(void) {
    pthread_t t;
    if (__VERIFIER_nondet_uint() < 7u) return 0;
    pthread_create(&t, 0, second, 0);
    pthread_join(t, 0);
    return 0;
}
";

/// The arguments with which the program is checked.
const CHECK: [&str; 5] = ["check", "program.c", "--property", "unreach-call", "--no-timing"];

#[track_caller]
fn witness(name: &str) -> String {
    let scratch = Scratch::new();
    scratch.write("program.c", PROGRAM);
    let run = |name| scratch.run(&[&CHECK[..], &["--witness", name]].concat());
    run(name).expect(1, "VIOLATED", "");
    let again = format!("again.{name}");
    run(&again).expect(1, "VIOLATED", "");
    assert_eq!(scratch.read(name), scratch.read(&again), "two runs write two witnesses");
    scratch.read(name)
}

#[test]
fn a_graph_tells_threads_calls_and_inputs() {
    if !has_clang() {
        return;
    }
    let text = witness("out.graphml");
    let edges: Vec<String> = text
        .split("<edge ")
        .skip(1)
        .map(|edge| {
            let lines = edge.lines().map(str::trim).filter(|line| line.starts_with("<data"));
            lines.collect::<Vec<_>>().join("")
        })
        .collect();
    let annotation = |key: &str, value: &str| format!("<data key=\"{key}\">{value}</data>");
    let expected = [
        annotation("createThread", "0") + &annotation("enterFunction", "main"),
        annotation("startline", "19")
            + &annotation("threadId", "0")
            + &annotation("assumption", "\\result == 7;")
            + &annotation("assumption.resultfunction", "__VERIFIER_nondet_uint"),
        annotation("startline", "20")
            + &annotation("threadId", "0")
            + &annotation("createThread", "1"),
        annotation("threadId", "1") + &annotation("enterFunction", "second"),
        annotation("startline", "12")
            + &annotation("threadId", "1")
            + &annotation("assumption", "\\result == 40;")
            + &annotation("assumption.resultfunction", "__VERIFIER_nondet_int"),
        annotation("startline", "14")
            + &annotation("threadId", "1")
            + &annotation("enterFunction", "look"),
    ];
    let mut rest = edges.iter();
    for edge in &expected {
        assert!(rest.any(|own| own == edge), "no {edge} at its place in {edges:#?}");
    }
    assert!(
        edges.last().is_some_and(|edge| edge.contains(&annotation("startline", "9"))),
        "{edges:#?}"
    );
}

#[test]
fn a_sequence_tells_calls_and_inputs_and_ends_at_the_error() {
    if !has_clang() {
        return;
    }
    let text = witness("out.yml");
    let waypoints: Vec<String> = text
        .split("- waypoint:\n")
        .skip(1)
        .map(|waypoint| {
            let value = |key: &str| {
                let found = waypoint.lines().find_map(|line| line.trim().strip_prefix(key));
                found.unwrap_or_default().trim().replace('"', "")
            };
            format!(
                "{} {}:{} {}",
                value("type:"),
                value("line:"),
                value("column:"),
                value("value:")
            )
        })
        .collect();
    assert_eq!(
        waypoints,
        [
            "function_return 19:32 \\\\result == 7",
            "function_return 12:44 \\\\result == 40",
            "function_enter 14:15 ",
            "target 9:9 ",
        ]
    );
}

#[test]
fn other_endings_and_other_inputs_are_refused_at_once() {
    let scratch = Scratch::new();
    scratch.write("mutex.spec", MUTEX);
    let witness = |file, name| scratch.run(&["check", file, "--witness", name]);
    witness("mutex.spec", "out.txt").expect(2, "", "name it .yml");
    witness("mutex.spec", "out.yml").expect(2, "", "--witness is for C programs");
    witness("x.ll", "out.graphml").expect(2, "", "--witness is for C programs");
}

#[test]
fn a_program_without_an_error_has_no_witness() {
    if !has_clang() {
        return;
    }
    let scratch = Scratch::new();
    scratch.write("program.c", "int main(void) { return 0; }\n");
    let arguments = [&CHECK[..], &["--witness", "out.yml"]].concat();
    scratch.run(&arguments).expect(0, "HOLDS", "`out.yml` was not written: the property holds");
    assert!(!scratch.path("out.yml").exists());
}
