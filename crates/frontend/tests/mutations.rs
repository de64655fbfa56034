//! Broken inputs: thousands of small texts, mutated in fixed pseudo-random ways.
//! None may panic; a refusal comes with an error; every label lies in its text.

use frontend::{Inputs, Language, convert, load};
use model::{Diagnostic, SourceFile};

const SPEC: &str = "vars idle busy lock # three\nrules\n  idle >= 1, lock >= 1 -> idle' = idle-1, \
    lock' = lock - 1, busy' = busy+1;\n  busy >= 1 -> idle' = idle + busy + 0, busy' = 0;\n \
    lock in [0,3] -> ;\n true -> lock' = 7;\r\ninit idle >= 1, busy = 0, lock = 1\ntarget \
    busy >= 2\n busy >= 1, lock >= 1\ninvariants busy = 1, lock = 1\n";

const TTS: &str = "# é\n3 4\r\n0 0 -> 1 1\n1 1 +> 2 2\n2 3 -> 2 1 1 ~> 2 1 ~> 3\n0 1 ~> 1 2\n\
    2|1,1,2\n";

const PNML: &str = "<?xml version=\"1.0\"?>\n<pnml><net id=\"n\" type=\"ptnet\"><page id=\"g\">\
    <place id=\"p\"><name><text>p &lt; q</text></name><initialMarking><text>1</text>\
    </initialMarking></place><place id=\"q\"/><transition id=\"t\"/><arc id=\"a\" source=\"p\" \
    target=\"t\"><inscription><text>2</text></inscription></arc><arc id=\"b\" source=\"t\" \
    target=\"q\"/><referencePlace id=\"r\" ref=\"q\"/><!-- c --><![CDATA[x]]></page></net></pnml>";

const BOOLEAN: &str = "decl x := 0, y; // é\nlock m;\nbool<2> f(a, b) begin\n  decl l := *;\n  \
    enforce !(a & b);\n  if a then return b, l; elsif b then l := !a; else skip; fi;\n  while * do \
    l, x := x, schoose[a, b] constrain 'x = (a ? b : l); od;\n  return a -> b, a <-> l;\nend\n\
    void main() begin\n  decl p, q;\n 1: p, q := f(x, *);\n  atomic_begin;\n  acquire(m); \
    release(m);\n  atomic_end;\n 2: start_thread goto 1;\n  goto 1, 3;\n 3: p$ := q & p$;\n  \
    dead q;\n  assert(x != y | p ^ q);\n  end_thread;\nend\n";

const BRACES: &str = "bool x = 1, y;\nerror: goto error;\nvoid t(int n) {\n1  while (!x) { break; }\n\
    2: if (x || y) { lock(x); call t(y); unlock(x); } else goto error;\n atomic { y++ };\n \
    wait(x == y); }\nbool g() { bool l = g(); return l; }\n/* c */ void main() { \
    create_thread(&g); notify(y); g(); }\n";

/// Pieces that are spliced in: extremes of each language.
const PIECES: &[&str] = &[
    "4000000000",
    "99999999999999999999999",
    "2147483647",
    "0",
    "-",
    "->",
    "~>",
    "+>",
    "|",
    "/",
    ",",
    ";",
    "'",
    "[",
    "]",
    "=",
    ">=",
    "#",
    "\n",
    "\r",
    "\0",
    "é",
    "\u{feff}",
    "<",
    ">",
    "</",
    "/>",
    "<page>",
    "<page id=\"x\">",
    "&amp;",
    "&x;",
    "&#x110000;",
    "<!--",
    "<![CDATA[",
    "<!DOCTYPE a [",
    "vars",
    "rules",
    "init",
    "target",
    "true",
    "in",
    "x' = x + x",
    "begin",
    "end",
    "goto",
    "if",
    "(",
    "!",
    "*",
    "$",
    "decl",
    "main",
    "{",
    "}",
];

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
        match random.below(7) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 => bytes.truncate(at),
            2 => drop(bytes.drain(at..(at + random.below(12)).min(bytes.len()))),
            3 => {
                let from = random.below(bytes.len() + 1);
                let piece = bytes[from..(from + random.below(40)).min(bytes.len())].to_vec();
                drop(bytes.splice(at..at, piece));
            }
            4 => {
                let piece = PIECES[random.below(PIECES.len())].repeat(1 + random.below(200));
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

fn check(files: &[SourceFile], language: Language) {
    let option = |idx: usize| (files.len() > idx).then_some(idx);
    let inputs = Inputs { target: option(1), init: option(2), ..Inputs::of(files, language) };
    let (model, diagnostics) = load(&inputs);
    let n_errors = diagnostics.iter().filter(|one| one.is_error()).count();
    assert_eq!(model.is_none(), n_errors > 0, "{files:?} {diagnostics:?}");
    diagnostics.iter().for_each(|diagnostic| check_labels(files, diagnostic));
    if let Some(model) = model {
        for to in [Language::Spec, Language::Tts, Language::Pnml, Language::BooleanProgram] {
            let _ = convert(&model, to);
        }
    }
}

fn check_labels(files: &[SourceFile], diagnostic: &Diagnostic) {
    assert!(!diagnostic.labels.is_empty());
    for label in &diagnostic.labels {
        let text = &files[label.span.file as usize].text;
        let range = label.span.start as usize..label.span.end as usize;
        assert!(text.get(range).is_some(), "{diagnostic:?} is outside of {text:?}");
    }
}

fn run(seed: &str, options: [&str; 2], language: Language) {
    let mut random = Random(7);
    let file = |text: String| SourceFile { name: "mutated".to_owned(), text };
    // Boolean programs are converted to all that they can be, which takes its time.
    let n_rounds = if language == Language::BooleanProgram { 1500 } else { 7000 };
    for round in 0..n_rounds {
        let mut files = vec![file(mutate(seed, &mut random))];
        if round % 2 == 0 {
            // Whole models with broken options, as well as the other way round.
            let options = options.map(|option| file(mutate(option, &mut random)));
            files[0].text = if round % 4 == 0 { seed.to_owned() } else { files[0].text.clone() };
            files.extend(options);
        }
        check(&files, language);
    }
}

#[test]
fn mutated_nets_never_panic() {
    run(SPEC, ["busy >= 2; lock >= 1", "idle >= 3, busy = 0"], Language::Spec);
}

#[test]
fn mutated_thread_transition_systems_never_panic() {
    run(TTS, ["2|1,2;1|", "0|1,1/2"], Language::Tts);
}

#[test]
fn mutated_pnml_files_never_panic() {
    run(PNML, ["p>=1, q in [1,2]; r=0", "p>=1"], Language::Pnml);
}

#[test]
fn mutated_boolean_programs_never_panic() {
    run(BOOLEAN, ["", ""], Language::BooleanProgram);
    run(BRACES, ["", ""], Language::BooleanProgram);
}

#[test]
fn deep_nesting_and_long_lines_take_linear_time() {
    let deep = format!("<pnml><net>{}", "<page>".repeat(200_000));
    let attributes: String = (0..50_000).map(|n| format!(" a{n}=\"\"")).collect();
    let flat = format!("<pnml><net{attributes}/></pnml>");
    let cycle: String =
        (0..30_000).map(|n| format!("<referencePlace id=\"r{n}\" ref=\"r{}\"/>", n + 1)).collect();
    let cycle = format!("<pnml><net>{cycle}</net></pnml>");
    let names: String = (0..30_000).map(|n| format!("v{n} ")).collect();
    let wrong: String = (0..30_000).map(|n| format!("w{n}>=1 ")).collect();
    let spec = format!("vars {names} rules init {wrong} target v0>=1");
    let broadcast = format!("1 2\n0 0 -> 0 0{}\n0|0", " 0 ~> 1".repeat(100_000));
    let calls: String = (0..30)
        .map(|n| format!("void f{n}() begin call f{0}(); call f{0}(); end\n", n + 1))
        .collect();
    let calls = format!(
        "decl x;\n{calls}void f30() begin x := !x; end\nvoid main() begin call f0(); assert(x); end"
    );
    let parentheses = format!("void main() begin assert({}1", "(".repeat(200_000));
    let stars = format!("decl x;\nvoid main() begin assert({}x); end", "* & ".repeat(900));
    for (text, language) in [
        (calls, Language::BooleanProgram),
        (parentheses, Language::BooleanProgram),
        (stars, Language::BooleanProgram),
        (deep, Language::Pnml),
        (flat, Language::Pnml),
        (cycle, Language::Pnml),
        (spec, Language::Spec),
        (broadcast, Language::Tts),
    ] {
        let start = std::time::Instant::now();
        check(&[SourceFile { name: "large".to_owned(), text }], language);
        assert!(start.elapsed().as_secs() < 5, "{language:?} took {:?}", start.elapsed());
    }
}
