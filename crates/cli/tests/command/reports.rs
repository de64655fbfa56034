//! What is told of errors in C programs, in all forms: who holds what and where it was
//! taken, and both sides of a race.

use serde_json::Value;

use crate::tool::{AB_BA, RELAXED, Scratch, has_clang};

/// Two readers that both want to write, of a lock in memory from the heap.
const UPGRADE: &str = "\
#include <pthread.h>
#include <stdlib.h>
struct box { int n; pthread_rwlock_t lock; } *box; pthread_barrier_t both;
void *upgrade(void *arg) {
    pthread_rwlock_rdlock(&box->lock);
    pthread_barrier_wait(&both), pthread_rwlock_wrlock(&box->lock);
    return arg;
}
int main(void) {
    pthread_t other; pthread_barrier_init(&both, 0, 2);
    box = malloc(sizeof *box);
    pthread_rwlock_init(&box->lock, 0);
    pthread_create(&other, 0, upgrade, 0);
    upgrade(0);
}
";

/// A spinlock that is taken twice, through a pointer into an array.
const SPIN: &str = "\
#include <pthread.h>
pthread_spinlock_t locks[4];
pthread_spinlock_t *last;
int main(void) {
    last = &locks[3];
    pthread_spin_init(last, 0);
    pthread_spin_lock(last);
    pthread_spin_lock(&locks[3]);
}
";

/// The report's text in one line, so that it may break anywhere.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(program: &str, told: &[&str]) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("program.c", program);
    let ended = scratch.run(&["check", "program.c", "--no-timing"]).expect(1, "VIOLATED", "");
    let words = words(&ended.stdout);
    for part in told {
        assert!(words.contains(part), "no `{part}` in {}", ended.stdout);
    }
    scratch
}

fn json(scratch: &Scratch, format: &str) -> Value {
    let ended = scratch.run(&["check", "program.c", "--format", format]).expect(1, "", "");
    serde_json::from_str(&ended.stdout).expect("it is JSON")
}

/// Lines and what is said of them.
fn places(scratch: &Scratch) -> Vec<(u64, String)> {
    let result = json(scratch, "json");
    let places = result["places"].as_array().expect("there are places").clone();
    let place = |place: &Value| Some((place["line"].as_u64()?, place["message"].as_str()?.into()));
    let told: Vec<(u64, String)> = places.iter().filter_map(place).collect();
    let document = json(scratch, "sarif");
    let related = &document["runs"][0]["results"][0]["relatedLocations"];
    let location = |location: &Value| {
        let line = location["physicalLocation"]["region"]["startLine"].as_u64()?;
        Some((line, location["message"]["text"].as_str()?.to_owned()))
    };
    let related: Vec<(u64, String)> =
        related.as_array().into_iter().flatten().filter_map(location).collect();
    assert_eq!(told, related, "JSON and SARIF tell the same");
    told
}

#[test]
fn a_deadlock_names_the_lines_in_which_locks_were_taken() {
    if !has_clang() {
        return;
    }
    let scratch = check(
        AB_BA,
        &[
            "T0: it waits for a thread to end: T1",
            "T1: it waits for the mutex `b`, held by another thread: \
             T2 took it by `11: pthread_mutex_lock(&b)`",
            "T2: it waits for the mutex `a`, held by another thread: \
             T1 took it by `4: pthread_mutex_lock(&a)`",
            "a = held by T1, b = held by T2",
        ],
    );
    let told = places(&scratch);
    for (line, part) in [
        (21, "T0 waits here"),
        (5, "T1 waits here"),
        (12, "T2 waits here"),
        (11, "T2 took `b` here in step"),
        (4, "T1 took `a` here in step"),
    ] {
        let is_told = told.iter().any(|(there, text)| *there == line && text.starts_with(part));
        assert!(is_told, "no `{part}` of line {line} in {told:?}");
    }
}

#[test]
fn all_readers_of_a_lock_in_the_heap_are_named() {
    if !has_clang() {
        return;
    }
    let scratch = check(
        UPGRADE,
        &[
            "held by readers: T",
            "T0 took it by `5: pthread_rwlock_rdlock(&box->lock)`",
            "T1 took it by `5: pthread_rwlock_rdlock(&box->lock)`",
            "box = memory of line 11",
        ],
    );
    let told = places(&scratch);
    let part = "T1 took the lock in memory allocated at line 11 here in step";
    let is_told = told.iter().any(|(line, text)| *line == 5 && text.starts_with(part));
    assert!(is_told, "{told:?}");
}

#[test]
fn a_spinlock_is_named_by_its_place_in_an_array() {
    if !has_clang() {
        return;
    }
    check(
        SPIN,
        &[
            "T0: it waits for the spinlock `locks[3]`: it took it by `7: pthread_spin_lock(last)`",
            "last = &locks[3]",
        ],
    );
}

#[test]
fn a_race_by_weak_order_shows_both_accesses() {
    if !has_clang() {
        return;
    }
    let scratch = check(
        RELAXED,
        &[
            "data race on `message`, which nothing orders:",
            "T1 writes it (`6: message = 42`, step",
            "T0 reads it (`14: message++`, step",
        ],
    );
    let told = places(&scratch);
    let lines: Vec<u64> = told.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [6, 14], "{told:?}");
    let document = json(&scratch, "sarif");
    assert_eq!(document["runs"][0]["results"][0]["ruleId"], "data-race");
}
