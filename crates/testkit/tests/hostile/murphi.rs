//! Murphi models: bounds of ranges, sizes of scalarsets and multisets, constants, priorities,
//! and types that double with each line.

use frontend::{Language, Model};
use model::{Limits, TransitionSystem};
use testkit::texts::Texts;

use crate::numbers::mutants;
use crate::{files, within_ceiling};

/// Longer files say nothing new here.
const MAX_TEXT: usize = 4_000;
/// Mutants of one file with many numbers.
const MAX_MUTANTS: usize = 60;
/// Where memory is taken without being asked for: beyond the largest state and its copies.
const EXTREMES: [i64; 9] =
    [i64::MAX, i64::MIN, 1 << 62, 1 << 40, 1 << 32, (1 << 32) - 1, 1 << 31, 1 << 24, -1];

/// Reads a model and prepares all that a search needs before its first state. Says whether
/// there is a model.
fn prepare(what: &str, text: &str, texts: &Texts) -> bool {
    within_ceiling(what, text, || {
        let Ok(Model::States(model)) = texts.load() else { return false };
        drop(model.rule_program());
        drop(model.stepper(&Limits::none()));
        true
    })
}

#[test]
fn extreme_numbers_in_murphi_models_take_no_memory() {
    let (mut n_checked, mut n_accepted) = (0, 0);
    for (seed, path) in (0..).zip(files(&["m"])) {
        let text = std::fs::read_to_string(&path).expect("our own files can be read");
        if text.len() > MAX_TEXT {
            continue;
        }
        let what = path.display().to_string();
        for mutant in mutants(&text, seed, 4).iter().take(MAX_MUTANTS) {
            let texts = Texts::new(Language::Murphi, &what, mutant);
            n_accepted += u32::from(prepare(&what, mutant, &texts));
            n_checked += 1;
        }
    }
    assert!(n_checked > 1000 && n_accepted > 300, "{n_accepted} of {n_checked} are models");
}

#[test]
fn extreme_constants_of_murphi_models_take_no_memory() {
    let uses = [
        "type t: 0..N; var x: t; y: array [t] of t;",
        "type t: -N..N; var x: 0..1; y: array [0..N] of array [0..N] of array [0..N] of t;",
        "type s: scalarset(N); var x: 0..1; y: s; z: array [s] of array [s] of s;",
        "type s: scalarset(N); u: union {s, enum {none}}; var x: 0..1; y: array [u] of u;",
        "type s: scalarset(N); t: scalarset(N); u: union {s, t}; var x: 0..1; y: u;",
        "var x: 0..1; y: multiset [N] of 0..N; z: array [0..3] of multiset [N] of boolean;",
        "var x: 0..1; y: array [0..3] of record a, b: array [0..N] of 0..N; end;",
        "var x: 0..1; procedure f(); var y: array [0..N] of 0..N; begin f(); end;",
        "var x: 0..1; function f(a: 0..N): 0..N; begin return a; end;",
        "const M: N * 2 - 1; K: M << N; var x: 0..1; y: 0..M; z: K..K;",
        "var x: 0..1; rule N \"late\" x := 1; end;",
        "var x: 0..1; ruleset a: 0..N; b: -N..N; c: 0..N do rule a = b & b = c ==> x := 1; end; end;",
        "var x: 0..1; ruleset a: 0..N do liveness x = 0; end; ruleset a: 0..N do cover x = 1; end;",
        "var x: 0..1; ruleset a: 0..N do startstate x := 1; end; end;",
        "var x: 0..1; rule begin for i := -N to N by N do x := 1; end; for i: 0..N do x := 0; end; end;",
        "var x: 0..1; rule forall i: 0..N do exists j: -N..N do i = j end end ==> x := 1; end;",
    ];
    for one in uses {
        let text = format!("const N: 1; {one} startstate x := 0; end; rule x := 1 - x; end;");
        let texts = Texts::new(Language::Murphi, "constant.m", &text);
        assert!(prepare("as it is", &text, &texts), "{text} is no model");
        for value in EXTREMES {
            prepare(&format!("N = {value}"), &text, &texts.clone().with_constant("N", value));
        }
    }
}

#[test]
fn types_that_double_take_no_memory() {
    let rest = "startstate undefine y; end; rule y := y; end;";
    for (last, n_levels) in [("s", 21), ("boolean", 21), ("s", 62), ("boolean", 62)] {
        let mut text = format!("type s: scalarset(3); t0: record a: {last}; end;\n");
        for level in 1..=n_levels {
            text.push_str(&format!("t{level}: record a, b: t{}; end;\n", level - 1));
        }
        text.push_str(&format!("var y: t{n_levels}; {rest}"));
        let is_model = prepare("records", &text, &Texts::new(Language::Murphi, "a.m", &text));
        assert_eq!(is_model, n_levels == 21, "{n_levels} levels of {last}");
    }
    let nested = "array [0..1] of ".repeat(20);
    let text = format!("type s: scalarset(3); var y: {nested} s; {rest}");
    assert!(prepare("arrays", &text, &Texts::new(Language::Murphi, "a.m", &text)));
}

#[test]
fn long_lists_are_read_in_proportion() {
    let many = |n: usize, piece: &dyn Fn(usize) -> String| (0..n).map(piece).collect::<String>();
    let texts = [
        format!("{} invariant x < 2;", many(20_000, &|_| "invariant x < 2;\n".to_owned())),
        format!("rule begin {} end;", many(20_000, &|_| "cover x = 0;\n".to_owned())),
        format!("rule begin {} end;", many(20_000, &|_| "x := 1 - x;\n".to_owned())),
        many(5_000, &|n| format!("rule \"r{n}\" x = 0 ==> x := 1; end;\n")),
    ];
    for text in texts {
        let text = format!("var x: 0..1; startstate x := 0; end; rule x := 1 - x; end; {text}");
        let started = std::time::Instant::now();
        assert!(prepare("a long list", &text, &Texts::new(Language::Murphi, "a.m", &text)));
        println!("{} bytes of text: {:.1?}", text.len(), started.elapsed());
    }
}
