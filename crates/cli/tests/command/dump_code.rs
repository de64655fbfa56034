//! `check --dump-code`: what is run, as text.

use crate::tool::{AB_BA, COUNT, Scratch, has_clang};

#[test]
fn a_c_program_is_listed_under_its_source_lines() {
    if !has_clang() {
        return;
    }
    let scratch = Scratch::new();
    scratch.write("ab_ba.c", AB_BA);
    let ended = scratch.run(&["check", "ab_ba.c", "--dump-code"]).expect(0, "variable @a: 40", "");
    for part in [
        "function @pthread_mutex_lock, of the library",
        "function @one(r0",
        ":4  pthread_mutex_lock(&a);",
        "call @pthread_mutex_lock(@a)",
        "return r1",
    ] {
        assert!(ended.stdout.contains(part), "no `{part}` in\n{}", ended.stdout);
    }
    assert!(!ended.stdout.contains("HOLDS") && !ended.stdout.contains("VIOLATED"));
}

#[test]
fn a_boolean_program_is_listed_as_it_is_after_its_reductions() {
    let scratch = Scratch::new();
    scratch.write("a.bp", "decl g;\nvoid main() begin\n  skip;\n  skip;\n  assert(!g);\nend\n");
    let args = ["check", "a.bp", "--dump-code"];
    let reduced = scratch.run(&args).expect(0, "[g] error: `assert(!g)` fails", "").stdout;
    let args = ["check", "a.bp", "--dump-code", "--reduction", "none"];
    let full = scratch.run(&args).expect(0, "-> 1    // skip", "").stdout;
    assert!(reduced.lines().count() < full.lines().count(), "{reduced}\n{full}");
}

#[test]
fn other_models_have_no_code_to_list() {
    let scratch = Scratch::new();
    scratch.write("count.m", COUNT);
    scratch.run(&["check", "count.m", "--dump-code"]).expect(
        2,
        "",
        "--dump-code is for C programs and",
    );
    scratch.run(&["check", "--help"]).expect(0, "--dump-code", "");
}

#[test]
fn an_inline_function_of_preprocessed_c_has_a_body() {
    if !has_clang() {
        return;
    }
    let scratch = Scratch::new();
    scratch.write(
        "old.i",
        "inline int three(void) { return 3; }\nint main(void) { return three(); }\n",
    );
    scratch.run(&["check", "old.i"]).expect(0, "HOLDS", "");
}
