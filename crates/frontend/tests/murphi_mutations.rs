//! Broken Murphi models: thousands of small texts, mutated in fixed pseudo-random
//! ways. None may panic or take long; a refusal comes with an error; every label
//! lies in its text. Propositions are broken in the same way.

use std::time::{Duration, Instant};

use frontend::murphi::{ReadOptions, read};
use model::Span;

const MODELS: &[&str] = &[
    "const N : 3; M : N * 2 - 1;\ntype node : scalarset(N); e : enum { idle, busy };\n\
     u : union { node, enum { nobody } }; r : record a, b : 0..M; s : e; end;\n\
     var n : array [node] of r; owner : u; q : multiset [2] of r; x, y : boolean;\n\
     function f(a : 0..M; var b : boolean) : boolean; var t : r;\n\
     begin t.a := a; b := !b; return t.a > 1 & b; end;\n\
     function g(k : node) : r; begin return n[k]; end;\n\
     procedure p(k : r); begin if k.a = 1 then x := true; elsif x then y := x; else return; end; end;\n\
     startstate \"s\" begin for k : node do clear n[k].a; undefine n[k].b; n[k].s := idle; end;\n\
     owner := nobody; undefine q; x := false; y := false; end;\n\
     ruleset k : node; i := 0 to 4 by 2 do alias m : n[k] do\n\
     rule 3 \"step\" m.s = idle & g(k).a + i <= M ==> var t : r; begin t := g(k); p(g(k));\n\
     switch m.s case idle, busy: m.a := i; else m.a := 0; end;\n\
     while m.a > 0 & !x do m.a := m.a - 1; x := f(m.a, y); end;\n\
     multisetadd(t, q); assert x \"no\"; put m; put \"t\"; error \"e\"; end; end; end;\n\
     choose c : q do rule q[c].a = 1 ==> multisetremove(c, q); end; end;\n\
     rule multisetcount(c : q, q[c].b = 2) = 1 ==> multisetremovepred(c : q, true); end;\n\
     invariant \"i\" forall k : node do n[k].s != busy | exists l : node do l = owner end end;\n\
     ruleset k : node do liveness \"l\" ismember(owner, node) -> !isundefined(n[k].a); end;\n\
     cover x ? y : !y; assume x || y;\n",
    "var x : -3 .. 0x1f; y : array [boolean] of boolean\nstartstate x := ~0 + 1 << 2 ^ 1; end\n\
     rule x ≠ 3 ∧ ¬ y[true] ==> x := -x % 5 ÷ 1; cover x = 1; assume x > 0 end\n\
     invariant !x = 4 -> (x & 3) = 1",
];

/// Pieces that are spliced in: extremes of the language.
const PIECES: &[&str] = &[
    "4000000000",
    "99999999999999999999999",
    "-9223372036854775807",
    "9223372036854775807",
    "0",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "..",
    ":",
    ":=",
    "==>",
    "->",
    "!",
    "-",
    "~",
    "<<",
    "* ",
    "/ 0",
    "? x :",
    ";",
    ",",
    "\"",
    "/*",
    "--",
    "\n",
    "\0",
    "é",
    "∀",
    "end ",
    "endif ",
    "begin ",
    "if x then ",
    "for i : 0..9 do ",
    "while x do ",
    "alias z : x do ",
    "ruleset i : 0..9 do ",
    "record a : ",
    "array [boolean] of ",
    "multiset [2] of ",
    "union { ",
    "scalarset(1000000000) ",
    "0..1000000000 ",
    "forall i : boolean do ",
    "rule ",
    "startstate ",
    "invariant ",
    "function h() : boolean; begin ",
    "var ",
    "type ",
    "const ",
    "return ",
    "g(k)",
    "f(1, x)",
    "undefined",
];

const PROPOSITIONS: &[&str] = &[
    "x & owner = nobody",
    "exists k : node do n[k].a > 1 end",
    "y",
    "multisetcount(c : q, true) = 1",
];

/// Generous for a slow machine; a text takes well below a millisecond.
const TOO_LONG: Duration = Duration::from_secs(5);

/// A small generator of our own, so that the inputs never change with a library.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

fn mutate(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len() + 1);
        match random.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 => bytes.truncate(at),
            2 => drop(bytes.drain(at..(at + random.below(20)).min(bytes.len()))),
            3 => {
                let from = random.below(bytes.len() + 1);
                let piece = bytes[from..(from + random.below(80)).min(bytes.len())].to_vec();
                drop(bytes.splice(at..at, piece));
            }
            4 => {
                let piece = PIECES[random.below(PIECES.len())].repeat(1 + random.below(400));
                drop(bytes.splice(at..at, piece.into_bytes()));
            }
            _ => {
                let piece = PIECES[random.below(PIECES.len())].bytes();
                drop(bytes.splice(at..at, piece));
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn check(text: &str, strict: bool, random: &mut Random) {
    let start = Instant::now();
    let options =
        ReadOptions { strict, constants: vec![("N".to_owned(), 2)], ..ReadOptions::default() };
    let (reader, diagnostics) = read(text, 0, &options);
    assert!(start.elapsed() < TOO_LONG, "{text}");
    let n_errors = diagnostics.iter().filter(|one| one.is_error()).count();
    assert_eq!(reader.is_none(), n_errors > 0, "{text} {diagnostics:?}");
    for label in diagnostics.iter().flat_map(|diagnostic| &diagnostic.labels) {
        let range = label.span.start as usize..label.span.end as usize;
        assert!(text.get(range).is_some(), "{diagnostics:?} is outside of {text:?}");
    }
    let Some(mut reader) = reader else { return };
    let proposition = mutate(PROPOSITIONS[random.below(PROPOSITIONS.len())], random);
    let span = Span::new(1, 0, proposition.len());
    let n_before = reader.program.propositions.len();
    let added = reader.add_proposition(&proposition, span);
    assert!(added.is_err() || reader.is_expression(&proposition), "{proposition}");
    let n_added = reader.program.propositions.len() - n_before;
    assert_eq!(n_added, usize::from(added.is_ok()), "{proposition}");
}

#[test]
fn the_models_are_read_before_they_are_broken() {
    for model in MODELS {
        let (reader, diagnostics) = read(model, 0, &ReadOptions::default());
        assert!(reader.is_some(), "{diagnostics:#?}");
    }
}

#[test]
fn mutated_models_neither_panic_nor_hang() {
    let mut random = Random(3);
    for round in 0..6_000 {
        let text = mutate(MODELS[round % 3 % MODELS.len()], &mut random);
        check(&text, round % 7 == 0, &mut random);
    }
}

#[test]
fn deep_and_long_models_fit_the_stack() {
    let many = |piece: &str| piece.repeat(100_000);
    let bodies = [
        format!("x := {}true;", many("(")),
        format!("x := {}true;", many("!")),
        format!("x := 1 = 1{};", many(" + 1")),
        format!("x := true{};", many(" & x")),
        format!("x := true{};", many(" -> (x)")),
        format!("x := x{};", many("[x]")),
        format!("x := x{};", many(" ? x : x")),
        many("if x then "),
        many("alias z : x do "),
        format!("alias z : x{} do end;", many("; z : x")),
        format!("if x then {} end;", many("elsif x then ")),
        many("forall i : boolean do "),
    ];
    for body in bodies {
        let text = format!("var x : boolean; startstate {body} end;");
        check(&text, false, &mut Random(1));
    }
    for piece in ["ruleset i : boolean do ", "rule x ==> ", "type t : record a : "] {
        check(&many(piece), false, &mut Random(1));
    }
    let nested = format!("var x : {}boolean;", many("array [boolean] of "));
    check(&nested, false, &mut Random(1));
}
