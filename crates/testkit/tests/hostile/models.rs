//! Nets, thread transition systems, Boolean programs, their options, and formulas.

use frontend::Language;
use testkit::texts::Texts;

use crate::numbers::mutants;
use crate::{files, within_ceiling};

/// Longer files say nothing new here.
const MAX_TEXT: usize = 6_000;
/// What a long text may take.
const MAX_LONG: u64 = 1 << 30;
/// Mutants of one file with many numbers.
const MAX_MUTANTS: usize = 150;

fn load(what: &str, text: &str, texts: &Texts) {
    // A model or a diagnostic, which this makes a text of.
    let _ = within_ceiling(what, text, || texts.load());
}

fn check_files(extension: &str, language: Language, n_times: usize) {
    let mut n_checked = 0;
    for (seed, path) in (0..).zip(files(&[extension])) {
        let text = std::fs::read_to_string(&path).expect("our own files can be read");
        if text.len() > MAX_TEXT {
            continue;
        }
        let what = path.display().to_string();
        for mutant in mutants(&text, seed, n_times).iter().take(MAX_MUTANTS) {
            load(&what, mutant, &Texts::new(language, &what, mutant).with_target("1|1"));
            load(&what, mutant, &Texts::new(language, &what, mutant));
            n_checked += 1;
        }
    }
    assert!(n_checked > 100, "only {n_checked} texts were read");
}

#[test]
fn extreme_numbers_in_nets_take_no_memory() {
    check_files("spec", Language::Spec, 4);
}

#[test]
fn extreme_numbers_in_pnml_files_take_no_memory() {
    check_files("pnml", Language::Pnml, 4);
}

#[test]
fn extreme_numbers_in_thread_transition_systems_take_no_memory() {
    check_files("tts", Language::Tts, 3);
}

#[test]
fn extreme_numbers_in_boolean_programs_take_no_memory() {
    check_files("bp", Language::BooleanProgram, 4);
}

#[test]
fn extreme_numbers_in_headers_of_procedures_take_no_memory() {
    let text = "bool<2> f(a, b) begin return a, b; end\nbool<3> g(a) begin end\nvoid main() begin \
                decl x, y, z; x, y := f(0, 1); x, y, z := g(1); 1: goto 1, 2; 2: assert(x = 1); end";
    for mutant in mutants(text, 0, 26) {
        load("results", &mutant, &Texts::new(Language::BooleanProgram, "a.bp", &mutant));
    }
}

#[test]
fn extreme_numbers_in_options_take_no_memory() {
    let net = "vars a b\nrules a >= 1 -> a' = a-1, b' = b+2;\ninit a >= 1, b = 0\ntarget b >= 3\n";
    let system = "2 3\n0 0 -> 1 1\n1 1 -> 0 2\n1|1,2\n";
    for mutant in mutants("a >= 1, b in [2,3]; b = 4", 1, 26) {
        load("target", &mutant, &Texts::new(Language::Spec, "a.spec", net).with_target(&mutant));
    }
    for mutant in mutants("a in [1,2], b = 3", 2, 26) {
        load("init", &mutant, &Texts::new(Language::Spec, "a.spec", net).with_init(&mutant));
    }
    for mutant in mutants("1|0,1,2/1", 3, 26) {
        let texts = Texts::new(Language::Tts, "a.tts", system);
        load("init", &mutant, &texts.clone().with_init(&mutant));
        load("property", &mutant, &texts.clone().with_property(&mutant));
        load("target", &mutant, &texts.with_target(&mutant));
    }
    for mutant in mutants("[] (shared == 1 -> <> local[1] >= 2) U local[0] < 1", 4, 26) {
        let texts = Texts::new(Language::Tts, "a.tts", system).with_formula(&mutant);
        load("formula", &mutant, &texts);
    }
}

/// Long and deep texts, each of one idea.
#[test]
fn long_and_deep_texts_take_memory_in_proportion() {
    let many = |n: usize, piece: &dyn Fn(usize) -> String| (0..n).map(piece).collect::<String>();
    let enforced = many(1_000, &|n| format!("  enforce(a{} | g);\n", n % 50));
    let locals = many(50, &|n| format!("  decl a{n};\n"));
    let steps = many(1_000, &|_| "  g := !g;\n".to_owned());
    let labels = many(600, &|n| format!(", L{n}"));
    let assumed = many(600, &|n| format!("  L{n}: assume(a{});\n", n % 50));
    let nested = many(30, &|n| {
        let locals = many(300, &|n| format!(" decl l{n} := 0;"));
        format!("void f{n}() begin{locals} call f{0}(); call f{0}(); l0 := g; end\n", n + 1)
    });
    let targets = vec!["g"; 20_000].join(", ");
    let programs = [
        format!("decl g;\nvoid main() begin\n{locals}{enforced}{steps}  assert(g);\nend\n"),
        format!(
            "decl g;\nvoid main() begin\n{locals}g := 1; goto L0{labels};\n{assumed}  assert(g);\nend\n"
        ),
        format!(
            "decl g;\n{nested}void f30() begin g := !g; end\nvoid main() begin call f0(); assert(g); end\n"
        ),
        format!("decl g;\nvoid main() begin\n  {targets} := {targets};\nend\n"),
        format!("decl g;\nvoid main() begin\n  dead {targets};\nend\n"),
    ];
    for (idx, text) in programs.iter().enumerate() {
        let texts = Texts::new(Language::BooleanProgram, "long.bp", text);
        let started = std::time::Instant::now();
        let (_, peak) = crate::allocator::peak_of(|| texts.load());
        println!(
            "program {idx}: {} bytes of text, {peak} bytes, {:.1?}",
            text.len(),
            started.elapsed()
        );
        assert!(peak < MAX_LONG, "program {idx} takes {peak} bytes");
    }
    let formulas = [
        "!".repeat(500_000) + "p",
        "(".repeat(500_000),
        "a -> ".repeat(200_000) + "a",
        "X ".repeat(199) + "(shared == 1)",
    ];
    for formula in formulas {
        let texts = Texts::new(Language::Tts, "a.tts", "2 2\n0 0 -> 1 1\n1|1\n");
        let (_, peak) = crate::allocator::peak_of(|| texts.with_formula(&formula).load());
        assert!(peak < MAX_LONG, "a formula takes {peak} bytes");
    }
}
