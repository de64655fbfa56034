//! What the code of small models looks like. That it computes the right thing is
//! tested against the interpreter, in `testkit`.

use model::rule_code::{Function, Op, RuleProgram};

use super::lower;
use crate::murphi::layout::Layouts;
use crate::murphi::{ReadOptions, read};

fn lowered(text: &str) -> RuleProgram {
    let (reader, diagnostics) = read(text, 0, &ReadOptions::default());
    let reader = reader.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let layouts = Layouts::new(&reader.program).expect("the state is small");
    lower(&reader.program, &layouts)
}

/// The code of rule number `idx`.
fn rule(program: &RuleProgram, idx: usize) -> &Function {
    &program.functions[program.families[idx].function.0 as usize]
}

fn count(function: &Function, wanted: impl Fn(&Op) -> bool) -> usize {
    function.blocks.iter().flat_map(|block| &block.ops).filter(|op| wanted(op)).count()
}

fn n_ops(program: &RuleProgram) -> usize {
    program.functions.iter().map(|function| count(function, |_| true)).sum()
}

#[test]
fn a_value_that_was_read_in_the_guard_is_not_loaded_again_in_the_action() {
    let program = lowered(
        "var x: 0..7; y: 0..7;
         startstate x := 0; y := 0; end;
         rule x < 7 ==> x := x + 1; y := x; end;",
    );
    let rule = rule(&program, 0);
    assert_eq!(count(rule, |op| matches!(op, Op::Load { .. })), 1);
    assert_eq!(count(rule, |op| matches!(op, Op::NonZero { .. })), 1);
    assert_eq!(count(rule, |op| matches!(op, Op::Store { .. })), 2);
}

#[test]
fn ranges_that_cannot_be_left_are_not_checked() {
    let program = lowered(
        "var x: 0..7; y: 0..9;
         startstate x := 0; y := 0; end;
         rule true ==> y := x + 2; end;
         rule true ==> x := y; end;",
    );
    assert_eq!(count(rule(&program, 0), |op| matches!(op, Op::InRange { .. })), 0);
    assert_eq!(count(rule(&program, 1), |op| matches!(op, Op::InRange { .. })), 1);
}

#[test]
fn functions_are_inlined_unless_they_call_themselves() {
    let program = lowered(
        "var x: 0..7;
         function next(v: 0..7): 0..7; begin return (v + 1) % 8; end;
         function down(v: 0..7): 0..7; begin
           if v = 0 then return 0; end; return down(v - 1); end;
         startstate x := 0; end;
         rule true ==> x := next(x); end;
         rule true ==> x := down(x); end;",
    );
    assert_eq!(count(rule(&program, 0), |op| matches!(op, Op::Call { .. })), 0);
    assert_eq!(count(rule(&program, 1), |op| matches!(op, Op::Call { .. })), 1);
}

#[test]
fn code_does_not_grow_with_the_sizes_of_types() {
    let model = |n: u32| {
        lowered(&format!(
            "type t: 1..{n}; var a: array[t] of 0..1; b: array[t] of array[0..9] of boolean;
             startstate clear a; clear b; for i: t do a[i] := 1; end; end;
             ruleset i: t do rule a[i] = 0 ==> a[i] := 1; undefine b; end; end;
             invariant forall i: t do a[i] = 1 end;",
        ))
    };
    assert_eq!(n_ops(&model(30_000)), n_ops(&model(20_000)));
    assert!(n_ops(&model(30_000)) < 200);
}

#[test]
fn only_multisets_that_were_written_are_sorted() {
    let program = lowered(
        "type t: 0..3;
         var m: multiset[4] of t; a: array[t] of multiset[4] of t; x: t;
         startstate x := 0; end;
         rule true ==> x := 1; end;
         rule true ==> multisetadd(x, m); end;
         rule true ==> multisetadd(x, a[2]); end;",
    );
    let n_sorts = |idx| count(rule(&program, idx), |op| matches!(op, Op::Sort { .. }));
    assert_eq!((n_sorts(0), n_sorts(1)), (0, 1));
    // One behind a branch for each element.
    assert_eq!(n_sorts(2), 4);
}

#[test]
fn conjuncts_that_need_fewer_parameters_are_evaluated_further_out() {
    let program = lowered(
        "type t: 0..9; var a: array[t] of boolean; b: array[t] of boolean;
         startstate clear a; clear b; end;
         ruleset i: t; j: t do rule a[i] & b[j] ==> a[i] := false; end; end;",
    );
    let rule = rule(&program, 0);
    let load_of = |bit: u32| {
        rule.blocks.iter().position(|block| {
            block.ops.iter().any(|op| match op {
                Op::Load { address, .. } => address.bit == bit,
                _ => false,
            })
        })
    };
    let (outer, inner) = (load_of(0), load_of(20));
    assert!(outer.is_some() && outer < inner, "{outer:?} {inner:?}");
    let weights: Vec<u64> = rule.choice.terms.iter().map(|term| term.1).collect();
    assert_eq!(weights, [10, 1]);
}
