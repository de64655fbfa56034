//! `refine --with` through the built command: two different threads, one of each.

use crate::tool::{Ended, Scratch};

/// Puts an item into a slot that it has seen empty; state 2 is an item that is lost.
const PUTS: &str = "3 2\n0 0 -> 0 1\n0 1 -> 1 0\n1 1 -> 2 0\n2|\n";

/// Takes an item out of a slot that it has seen full.
const TAKES: &str = "3 2\n1 0 -> 1 1\n1 1 -> 0 0\n0 1 -> 2 0\n2|\n";

/// Does the same with a step more.
const PRODUCER: &str = "3 3\n0 0 -> 0 1\n0 1 -> 1 2\n1 1 -> 2 2\n0 2 -> 0 0\n1 2 -> 1 0\n2|\n";
const CONSUMER: &str = "3 3\n1 0 -> 1 1\n1 1 -> 0 2\n0 1 -> 2 2\n0 2 -> 0 0\n1 2 -> 1 0\n";

/// Does not look.
const HASTY: &str = "3 2\n0 0 -> 1 0\n1 0 -> 2 0\n";

fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("puts.tts", PUTS);
    scratch.write("takes.tts", TAKES);
    scratch.write("producer.tts", PRODUCER);
    scratch.write("consumer.tts", CONSUMER);
    scratch.write("hasty.tts", HASTY);
    scratch
}

/// Writes the texts of B1, F1, B2 and F2, and concludes.
fn conclude(extension: &str, texts: [&str; 4]) -> Ended {
    let scratch = Scratch::new();
    let names = ["b1", "f1", "b2", "f2"].map(|name| format!("{name}.{extension}"));
    for (name, text) in names.iter().zip(texts) {
        scratch.write(name, text);
    }
    let [b1, f1, b2, f2] = &names;
    scratch.run(&["refine", b1, f1, "--with", b2, f2, "--conclude"])
}

#[test]
fn two_refinements_end_with_0_and_conclude_nothing() {
    let args = ["refine", "producer.tts", "puts.tts", "--with", "consumer.tts", "takes.tts"];
    let ended = scratch().run(&args);
    let first = "REFINES: `producer.tts` refines `puts.tts`, `consumer.tts` refines `takes.tts`";
    let ended = ended.expect(0, first, "");
    assert!(!ended.stdout.contains("(3)"), "{}", ended.stdout);
}

#[test]
fn the_rule_concludes_for_one_thread_of_each_though_not_for_any_number() {
    let scratch = scratch();
    let args = ["refine", "producer.tts", "puts.tts", "--conclude"];
    scratch.run(&args).expect(1, "UNDECIDED", "");
    let ended = scratch.run(&[&args[..], &["--with", "consumer.tts", "takes.tts"]].concat());
    let ended = ended.expect(0, "HOLDS for one thread of each: `producer.tts` refines", "");
    for line in [
        "(1) B1 => F1         holds: a relation",
        "(2) B2 => F2         holds: a relation",
        "(3) F1 || F2 |= phi  HOLDS for the 2 threads at the start",
        "    ---------------\n",
        "(4) B1 || B2 |= phi  HOLDS for one thread of each: follows from (1), (2) and (3)",
    ] {
        assert!(ended.stdout.contains(line), "no `{line}` in {}", ended.stdout);
    }
}

#[test]
fn a_pair_that_fails_is_named_and_its_run_is_shown() {
    let scratch = scratch();
    let good = ["consumer.tts", "takes.tts"];
    let bad = ["hasty.tts", "puts.tts"];
    let orders = [([bad, good], "(1)"), ([good, bad], "(2)")];
    for ([first, second], number) in orders {
        let args = ["refine", first[0], first[1], "--conclude", "--with", second[0], second[1]];
        let ended = scratch.run(&args);
        let ended = ended.expect(1, "DOES NOT REFINE: `hasty.tts` => `puts.tts`: `puts.tts`", "");
        for part in [
            "finds shared store 1 and leaves 2",
            "(3) F1 || F2 |= phi  not checked",
            &format!("{number} B{} => F{}", &number[1..2], &number[1..2]),
            &format!("open: without {number} nothing follows"),
        ] {
            assert!(ended.stdout.contains(part), "no `{part}` in {}", ended.stdout);
        }
    }
}

#[test]
fn an_error_of_both_specifications_says_nothing_about_the_implementations() {
    let args = ["refine", "producer.tts", "puts.tts", "--with", "producer.tts", "puts.tts"];
    let ended = scratch().run(&[&args[..], &["--conclude"]].concat());
    let ended = ended.expect(1, "UNDECIDED: `puts.tts` beside `puts.tts` is VIOLATED", "");
    for part in [
        "(4) B1 || B2 |= phi  open: an error of F1 || F2 says nothing about B1 || B2",
        "a run of the specification's threads into an error",
        "T1      F2:0 -> F2:1",
    ] {
        assert!(ended.stdout.contains(part), "no `{part}` in {}", ended.stdout);
    }
}

#[test]
fn targets_of_threads_are_matched_within_a_pair() {
    let (puts, takes) = ("2 2\n0 0 -> 1 1\n", "2 2\n1 0 -> 0 1\n");
    let with = |text: &str, target: &str| format!("{text}{target}\n");
    // The producer is done while the slot is full: so it is.
    let done = with(puts, "1|1");
    let ended = conclude("tts", [&done, &done, takes, takes]).expect(1, "UNDECIDED", "");
    assert!(ended.stdout.contains("F1:1|1"), "{}", ended.stdout);
    // Two producers are done: there is one.
    let both_done = with(puts, "1|1,1");
    let ended = conclude("tts", [&both_done, &both_done, takes, takes]);
    ended.expect(0, "HOLDS for one thread of each", "");
    let taken = with(takes, "1|1");
    let ended = conclude("tts", [puts, puts, takes, &taken]);
    ended.expect(3, "of B2 => F2: target `1|1` of the specification", "");
}

#[test]
fn what_does_not_fit_together_ends_with_2() {
    let (wide, lock) = ("4 2\n0 0 -> 1 1\n2|\n", "3 2\n0 0 -> 1 1\n2|\n");
    conclude("tts", [wide, wide, wide, lock]).expect(2, "", "as many shared states: 4 are not 3");
    conclude("tts", [wide, lock, lock, lock]).expect(2, "", "`b1.tts` and `b2.tts` run side");
    let silent = "3 2\n0 0 -> 1 1\n";
    conclude("tts", [lock, silent, lock, silent]).expect(2, "", "says what an error is");
    conclude("tts", [lock, silent, lock, lock]).expect(3, "none of the specification", "");
    let scratch = scratch();
    let one = ["refine", "producer.tts", "puts.tts", "--with", "consumer.tts"];
    scratch.run(&one).expect(2, "", "2 values required");
    let args = [&one[..], &["takes.tts", "--init", "0/0"]].concat();
    scratch.run(&args).expect(2, "", "cannot be used with");
    scratch.write("other.bp", "decl a;\nvoid main() begin assert(a); end\n");
    let args = ["refine", "producer.tts", "puts.tts", "--with", "other.bp", "other.bp"];
    scratch.run(&args).expect(2, "", "must be of the same language");
}

#[test]
fn created_threads_are_refused() {
    let (spawns, lock) = ("2 2\n0 0 +> 1 1\n1|\n", "2 2\n0 0 -> 1 1\n1|\n");
    conclude("tts", [lock, lock, spawns, lock]).expect(3, "of B2 => F2", "");
}

/// A Boolean program of this body over `full` and `lost`.
fn boolean(body: &str) -> String {
    format!("decl full := 0;\ndecl lost := 0;\nvoid main() begin\n{body}\nend\n")
}

#[test]
fn boolean_programs_are_compared_by_the_names_of_their_variables() {
    let puts = boolean("again: assume(!full); assert(!full); full := 1; goto again;");
    let takes = boolean("again: assume(full); assert(full); full := 0; goto again;");
    let consumer = format!("decl n;\n{takes}").replace("full := 0; goto", "full, n := 0, !n; goto");
    let ended = conclude("bp", [&puts, &puts, &consumer, &takes]);
    let ended = ended.expect(0, "HOLDS for one thread of each: `b1.bp` refines `f1.bp`", "");
    let phi = "F1 and F2: no step is an error; no assertion fails\n";
    assert!(ended.stdout.contains(phi), "{}", ended.stdout);
    // Two producers.
    let ended = conclude("bp", [&puts, &puts, &puts, &puts]);
    ended.expect(1, "UNDECIDED: `f1.bp` beside `f2.bp`", "");
    let swapped = "decl lost := 0;\ndecl full := 0;\nvoid main() begin skip; end\n";
    let ended = conclude("bp", [&puts, &puts, &consumer, swapped]);
    ended.expect(2, "", "in the same order: `full lost` are not `lost full`");
    let started = consumer.replace("full := 0;\ndecl", "full := 1;\ndecl");
    let ended = conclude("bp", [&puts, &puts, &started, &takes]);
    ended.expect(2, "", "cannot start together: `full` begins with 0 and with 1");
}

#[test]
fn a_variable_that_only_the_other_program_writes_is_no_constant() {
    // The first program never writes `full`, so that alone it would never come to its assertion.
    let waits = boolean("assume(full); assert(lost);");
    let idles = boolean("skip;");
    let fills = boolean("full := 1;");
    let ended = conclude("bp", [&waits, &idles, &fills, &fills]);
    ended.expect(1, "DOES NOT REFINE: `b1.bp` => `f1.bp`: step", "");
    let ended = conclude("bp", [&waits, &waits, &fills, &fills]);
    ended.expect(1, "UNDECIDED: `f1.bp` beside `f2.bp` is VIOLATED", "");
}

#[test]
fn against_numbers_the_order_of_variables_matters() {
    let sets = |first: &str, second: &str, body: &str| {
        format!("decl {first} := 0;\ndecl {second} := 0;\nvoid main() begin {body} end\n")
    };
    let spec = "4 2\n0 0 -> 2 1\n3|\n";
    let (own, other) = (sets("a", "b", "a := 1;"), sets("b", "a", "b := 1;"));
    let scratch = Scratch::new();
    for (name, text) in [("b1.bp", &*own), ("b2.bp", &*other), ("f.tts", spec)] {
        scratch.write(name, text);
    }
    let both = |second| ["refine", "b1.bp", "f.tts", "--conclude", "--with", second, "f.tts"];
    // As numbers both go from 0 to 2, and yet together they would come to a state with both.
    scratch.run(&both("b2.bp")).expect(2, "", "`a b` are not `b a`");
}

#[test]
fn a_document_has_both_pairs() {
    let scratch = scratch();
    let args = ["refine", "producer.tts", "puts.tts", "--with", "consumer.tts", "takes.tts"];
    let args = [&args[..], &["--conclude", "--format", "json", "--no-timing"]].concat();
    let text = scratch.run(&args).expect(0, "threadproof-refinement/1", "").stdout;
    assert_eq!(text, scratch.run(&args).stdout);
    let document: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(document["verdict"], "holds");
    assert_eq!(document["implementation"][0]["name"], "producer.tts");
    assert_eq!(document["with"]["implementation"][0]["name"], "consumer.tts");
    assert_eq!(document["with"]["specification"][0]["name"], "takes.tts");
    assert_eq!(document["with"]["refinement"]["kind"], "refines");
    assert_eq!(document["with"]["environment"]["pairs"].as_array().map(Vec::len), Some(3));
    let rule = document["rule"].as_array().expect("the rule has lines");
    let numbers: Vec<&str> = rule.iter().filter_map(|line| line["number"].as_str()).collect();
    assert_eq!(numbers, ["(1)", "(2)", "(3)", "(4)"]);
    let one = ["refine", "producer.tts", "puts.tts", "--format", "json"];
    let text = scratch.run(&one).expect(0, "", "").stdout;
    assert!(!text.contains("\"with\""), "{text}");
}
