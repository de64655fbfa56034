//! Programs whose failures can be told by reading them.

use model::SourceFile;

use super::{Answer, Bounds, explore};

const BOUNDS: Bounds = Bounds { states: 20_000, threads: 4, frames: 5 };

fn answer(text: &str, n_threads: usize) -> Answer {
    let file = SourceFile { name: "test.bp".into(), text: text.into() };
    let (program, diagnostics) = frontend::boolprog::syntax(&file);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    explore(&program, n_threads, BOUNDS).expect("the program has a meaning")
}

/// Which of the texts can fail with 1, 2, … threads?
fn check(text: &str, fails: &[bool]) {
    for (idx, &expected) in fails.iter().enumerate() {
        let answer = answer(text, idx + 1);
        assert!(answer.is_complete, "{text}");
        assert_eq!(!answer.failures.is_empty(), expected, "{} threads: {text}", idx + 1);
    }
}

#[test]
fn two_threads_pass_a_lock_that_is_taken_in_two_steps() {
    let text = "decl held := 0; decl inside := 0;
        void main() begin
          BEGIN assume(!held); held := 1; END
          assert(!inside); inside := 1; inside := 0; held := 0;
        end";
    check(&text.replace("BEGIN", "").replace("END", ""), &[false, true]);
    let atomic = text.replace("BEGIN", "atomic_begin;").replace("END", "atomic_end;");
    check(&atomic, &[false, false, false]);
}

#[test]
fn atomic_sections_nest_and_reach_into_procedures() {
    let text = "decl x := 0;
        void set() begin x := 1; atomic_begin; skip; atomic_end; x := 0; end
        void main() begin
          OUTER set(); atomic_end;
          atomic_begin; assert(!x); atomic_end;
        end";
    check(&text.replace("OUTER", "atomic_begin;"), &[false, false]);
    check(&text.replace("OUTER", "skip;"), &[false, true]);
}

#[test]
fn constraints_speak_of_old_and_new_values() {
    let text = "decl x := 0;
        void main() begin decl y := 1; x, y := *, * constrain x = 'x & 'y != y;
          assert(CONDITION); end";
    check(&text.replace("CONDITION", "!x & !y"), &[false]);
    check(&text.replace("CONDITION", "y"), &[true]);
}

#[test]
fn each_star_is_a_choice_of_its_own() {
    check("void main() begin assert(* = *); end", &[true]);
    check("void main() begin decl a := 1; assert(schoose[a, *]); end", &[false]);
    check("void main() begin decl a := 0; assert(schoose[a, 0]); end", &[true]);
    check("void main() begin decl a := 0; assert(!schoose[a, 1]); end", &[false]);
}

#[test]
fn results_are_assigned_on_return() {
    let text = "decl g := 0;
        bool<2> f(a) begin decl l; g := a; return !a, l; end
        void main() begin decl x := 1; decl y := 0; x, y := f(x); assert(CONDITION); end";
    check(&text.replace("CONDITION", "!x & g"), &[false]);
    check(&text.replace("CONDITION", "!y"), &[true]);
}

#[test]
fn a_stack_of_calls_is_followed_to_its_bound() {
    let text = "bool f(a) begin if * then a := f(!a); fi; return a; end
        void main() begin decl x := 0; x := f(x); assert(!x); end";
    let answer = answer(text, 1);
    assert!(!answer.is_complete && answer.failures.len() == 1);
}

#[test]
fn a_new_thread_has_a_copy_of_its_creators_locals() {
    let text = "decl done := 0;
        void main() begin decl l := 1; start_thread goto child; l := 0; done := 1; end_thread;
        child: assume(done); assert(CONDITION); end";
    check(&text.replace("CONDITION", "l"), &[false]);
    check(&text.replace("CONDITION", "!l"), &[true]);
}

#[test]
fn owners_release_their_locks_and_nobody_else() {
    let text = "lock m; decl x := 0;
        void main() begin acquire(m); x := !x; x := !x; assert(!x & m); release(m); OTHER end";
    check(&text.replace("OTHER", ""), &[false, false]);
    check(&text.replace("OTHER", "release(m);"), &[true]);
}

#[test]
fn enforced_conditions_hold_after_each_step_of_the_procedure() {
    let text = "decl x := 0; void main() begin enforce(!x); x := *; assert(!x); x := 1;
        assert(0); end";
    check(text, &[false, false]);
}

#[test]
fn dead_variables_have_any_value_and_locals_begin_so() {
    check("void main() begin decl a := 1; dead a; assert(a); end", &[true]);
    check("void main() begin decl a; assert(a); end", &[true]);
    check("decl g; void main() begin assert(g); end", &[true]);
}

#[test]
fn loops_and_jumps_lead_where_they_say() {
    let text = "void main() begin decl a := 0; decl b := 0;
        while !a do b := 1; goto one, two; one: a := 1; two: skip; od;
        assert(CONDITION); end";
    check(&text.replace("CONDITION", "a & b"), &[false]);
    check(&text.replace("CONDITION", "!b"), &[true]);
}

#[test]
fn other_threads_locals_can_be_assigned() {
    let text = "decl go := 0; void main() begin decl l := 0;
        if * then l$, go := 1, 1; else assume(go); assert(!l); fi; end";
    check(text, &[false, true]);
}
