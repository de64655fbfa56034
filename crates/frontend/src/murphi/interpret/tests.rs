//! Small models whose successors are known.

use std::time::Instant;

use model::{
    Choice, FaultKind, FaultPlace, Judgement, Limits, StopReason, Successors, TransitionSystem,
};

use crate::murphi::{MurphiModel, ReadOptions, read};

fn model(text: &str) -> MurphiModel {
    let (reader, diagnostics) = read(text, 0, &ReadOptions::default());
    let reader = reader.unwrap_or_else(|| panic!("{diagnostics:?}"));
    MurphiModel::new(reader.program).expect("small models are not too large")
}

/// All values of a state, `a=1 b=undefined`.
fn show(model: &MurphiModel, state: &[u64]) -> String {
    let fields = model.describe(state);
    let shown: Vec<String> = fields.iter().map(|f| format!("{}={}", f.name, f.value)).collect();
    shown.join(" ")
}

fn initial(model: &MurphiModel) -> Successors {
    let mut out = Successors::new(model.state_words());
    model.stepper(&Limits::none()).initial(&mut out).expect("no limit is set");
    out
}

/// The successors of the first initial state.
fn expand(model: &MurphiModel) -> Successors {
    let start = initial(model);
    let mut out = Successors::new(model.state_words());
    let mut stepper = model.stepper(&Limits::none());
    stepper.expand(start.state(0), &mut out).expect("no limit is set");
    out
}

/// Each successor with its label, one per line; then the faults.
fn steps(text: &str) -> String {
    let model = model(text);
    let out = expand(&model);
    let mut lines = Vec::new();
    for idx in 0..out.len() {
        let label = model.choice_label(out.choice(idx), false).with_parameters();
        lines.push(format!("{label} -> {}", show(&model, out.state(idx))));
    }
    for (place, fault) in &out.faults {
        let FaultPlace::Step(choice) = place else { panic!("not in a step: {place:?}") };
        let label = model.choice_label(*choice, false).with_parameters();
        lines.push(format!("{label} !! {}", fault.message));
    }
    lines.join("\n")
}

/// What one rule with this body does to `x : 0..9` (5), `y : 0..9` (undefined),
/// `a : array [0..2] of 0..9` (all 1) and `m : multiset [2] of 0..9` (empty).
fn after(declarations: &str, body: &str) -> String {
    let text = format!(
        "var x : 0..9; y : 0..9; a : array [0..2] of 0..9; m : multiset [2] of 0..9;
         {declarations}
         startstate begin x := 5; for i : 0..2 do a[i] := 1; end; end;
         rule \"r\" {body} end;"
    );
    steps(&text).trim_start_matches("r ").to_owned()
}

fn n_reachable(model: &MurphiModel) -> usize {
    let mut stepper = model.stepper(&Limits::none());
    let mut seen = std::collections::BTreeSet::new();
    let mut open = Vec::new();
    let mut out = initial(model);
    loop {
        assert!(out.faults.is_empty(), "{:?}", out.faults);
        for idx in 0..out.len() {
            if seen.insert(out.state(idx).to_vec()) {
                open.push(out.state(idx).to_vec());
            }
        }
        let Some(state) = open.pop() else { return seen.len() };
        out.clear();
        stepper.expand(&state, &mut out).expect("no limit is set");
    }
}

#[test]
fn instances_come_in_order_with_the_first_parameter_slowest() {
    let text = "var x : 0..9; startstate x := 0; end;
        ruleset i : 0..1; b : boolean do rule \"set\" i = 0 | b ==> x := i; end; end;";
    let expected = "set, i: 0, b: false -> x=0\nset, i: 0, b: true -> x=0\n\
        set, i: 1, b: true -> x=1";
    assert_eq!(steps(text), expected);
    assert_eq!(expand(&model(text)).choice(2), Choice(3));
}

#[test]
fn a_fault_ends_its_rule_and_no_other() {
    let text = "var x : 0..2; y : 0..9; startstate x := 0; end;
        ruleset i : 0..2 do rule \"a\" x := 1 + i; end; end;
        rule \"b\" y = 1 ==> end; rule \"c\" x := 2; end;";
    let expected = "a, i: 0 -> x=1 y=undefined\na, i: 1 -> x=2 y=undefined\n\
        c -> x=2 y=undefined\n\
        a, i: 2 !! value out of range: `x` is `0..2`\nb !! `y` is undefined";
    assert_eq!(steps(text), expected);
}

#[test]
fn rules_of_the_smallest_priority_alone_fire() {
    let text = "var x : 0..9; startstate x := 0; end;
        rule 20 \"late\" x := 1; end; rule 10 \"soon\" x = 0 ==> x := 2; end;
        rule 5 \"never\" x = 9 ==> x := 3; end;";
    assert_eq!(steps(text), "soon -> x=2");
}

#[test]
fn guards_of_larger_priorities_are_evaluated_and_nothing_else() {
    let text = "var x : 0..9; y : 0..9; startstate x := 0; end;
        rule 1 \"first\" x := 1; end;
        rule 2 \"action\" x = 0 ==> error \"executed\"; end;
        ruleset i : 0..2 do rule 3 \"guard\" i = 1 & y = 1 ==> end; end;";
    assert_eq!(steps(text), "first -> x=1 y=undefined\nguard, i: 1 !! `y` is undefined");
}

#[test]
fn undefined_values_are_copied_and_not_read() {
    let rest = "a[0]=1 a[1]=1 a[2]=1";
    assert_eq!(after("", "x := y"), format!("-> x=undefined y=undefined {rest}"));
    assert_eq!(after("", "x := y + 1"), "!! `y` is undefined");
    assert_eq!(after("", "undefine a[1]; if a[1] = 1 then x := 0 end"), "!! `a[1]` is undefined");
    let y = "-> x=0 y=undefined";
    assert_eq!(after("", "if isundefined(y) then x := 0 end"), format!("{y} {rest}"));
    assert_eq!(after("", "clear x"), format!("{y} {rest}"));
}

#[test]
fn faults_name_what_stands_in_the_text() {
    assert_eq!(after("", "a[x] := 1"), "!! index out of range: `a[x]`");
    assert_eq!(after("", "x := x / (x - 5)"), "!! division by zero");
    assert_eq!(after("", "error \"stop\""), "!! stop");
    assert_eq!(after("", "assert x = 4 \"four\""), "!! four");
    assert_eq!(
        after("", "while true do x := 1 end"),
        "!! the loop turns more often than the bound allows"
    );
}

#[test]
fn the_value_is_computed_before_the_target_is_found() {
    assert_eq!(after("", "a[x] := y + 0"), "!! `y` is undefined");
    assert_eq!(after("", "a[x] := x + 9"), "!! index out of range: `a[x]`");
}

#[test]
fn an_alias_is_found_once() {
    let body = "alias e : a[x - 4] do x := 4; e := 7; end";
    assert_eq!(after("", body), "-> x=4 y=undefined a[0]=1 a[1]=7 a[2]=1");
}

#[test]
fn parameters_are_references_or_checked_values() {
    let set = "procedure set(var t : 0..9; v : 0..9); begin t := v; end;";
    assert_eq!(after(set, "set(a[1], x)"), "-> x=5 y=undefined a[0]=1 a[1]=5 a[2]=1");
    let small = "function f(v : 0..3) : 0..9; begin return v; end;";
    assert_eq!(after(small, "x := f(x)"), "!! value out of range: `v` of `f` is `0..3`");
    let low = "function f() : 0..3; begin return x; end;";
    assert_eq!(after(low, "y := f()"), "!! value out of range: `f` returns `0..3`");
    let none = "function f() : 0..3; begin if x = 0 then return 1; end; end;";
    assert_eq!(after(none, "y := f()"), "!! function `f` ends without `return`");
}

#[test]
fn recursion_is_followed_to_its_bound_on_any_stack() {
    let sum = |n: u32| {
        let down = "function down(n : 0..2000) : 0..2000;
            begin if n = 0 then return 0; end; return down(n - 1); end;";
        after(down, &format!("x := down({n})"))
    };
    assert_eq!(sum(999), "-> x=0 y=undefined a[0]=1 a[1]=1 a[2]=1");
    assert_eq!(sum(1000), "!! calls nest more than 1000 deep");
}

#[test]
fn what_was_found_before_the_stack_was_too_small_is_not_found_twice() {
    let text = "var x : 0..2000;
        function down(n : 0..2000) : 0..2000;
        begin if n = 0 then return 0; end; return down(n - 1); end;
        startstate x := 1; end;
        ruleset i : 0..2 do rule \"r\" x := down(i * 300) + i; end; end;";
    assert_eq!(steps(text), "r, i: 0 -> x=0\nr, i: 1 -> x=1\nr, i: 2 -> x=2");
}

#[test]
fn multisets_are_kept_in_order() {
    let rest = "-> x=5 y=undefined a[0]=1 a[1]=1 a[2]=1";
    let both = format!("{rest} m[0]=7 m[1]=3");
    assert_eq!(after("", "multisetadd(3, m); multisetadd(7, m)"), both);
    assert_eq!(after("", "multisetadd(7, m); multisetadd(3, m)"), both);
    let full = "multisetadd(1, m); multisetadd(1, m); multisetadd(1, m)";
    assert_eq!(after("", full), "!! multiset `m` is full");
    let removed = "multisetadd(3, m); multisetadd(7, m); multisetremovepred(i : m, m[i] = 7)";
    assert_eq!(after("", removed), format!("{rest} m[0]=3"));
    let counted = "multisetadd(3, m); multisetadd(7, m); x := multisetcount(i : m, m[i] > 1)";
    assert_eq!(after("", counted), "-> x=2 y=undefined a[0]=1 a[1]=1 a[2]=1 m[0]=7 m[1]=3");
}

#[test]
fn slots_in_use_are_chosen() {
    let text = "var m : multiset [3] of 0..9;
        startstate multisetadd(4, m); multisetadd(6, m); end;
        choose i : m do rule \"take\" multisetremove(i, m); end; end;";
    assert_eq!(steps(text), "take, i: 0 -> m[0]=4\ntake, i: 1 -> m[0]=6");
}

#[test]
fn successors_that_violate_an_assumption_are_left_out() {
    let text = "var x : 0..9; assume \"small\" x < 2; startstate x := 0; end;
        ruleset i : 0..3 do rule \"set\" x := i; end; end;
        rule \"none\" begin assume false; x := 1; end;";
    let out = expand(&model(text));
    assert_eq!((out.len(), out.n_enabled), (2, 5));
}

#[test]
fn a_false_assumption_in_a_call_leaves_later_instances_alone() {
    let text = "var x : 0..9; startstate x := 0; end;
        procedure need(b : boolean); begin assume b; end;
        ruleset i : 0..2 do rule \"set\" begin need(i != 1); x := i; end; end;";
    assert_eq!(steps(text), "set, i: 0 -> x=0\nset, i: 2 -> x=2");
}

#[test]
fn properties_are_judged_by_kind() {
    let text = "var x : 0..9; y : 0..9; startstate x := 1; end; rule x := 2; end;
        invariant \"a\" x = 2; invariant \"b\" x = 1; cover \"c\" x = 1; invariant \"d\" y = 1;";
    let model = model(text);
    let start = initial(&model);
    let mut judgement = Judgement::default();
    let mut stepper = model.stepper(&Limits::none());
    stepper.judge(start.state(0), &mut judgement).expect("no limit is set");
    assert_eq!((judgement.violated, judgement.reached), (vec![0], vec![2]));
    let faults: Vec<_> = judgement.faults.iter().map(|(n, fault)| (*n, fault.kind)).collect();
    assert_eq!(faults, [(3, FaultKind::Undefined)]);
}

#[test]
fn long_loops_look_at_the_limits() {
    let text = "var x : 0..9; startstate x := 0; end;
        rule for i := 0 to 1000000000000 do x := 1; end; end;
        rule forall i := 0 to 1000000000000 do x < 9 end ==> end;
        ruleset i : 0..1000000000000 do rule x = 1 ==> end; end;";
    let model = model(text);
    let start = initial(&model);
    let limits = Limits { deadline: Some(Instant::now()), ..Limits::none() };
    let mut out = Successors::new(model.state_words());
    let stopped = model.stepper(&limits).expand(start.state(0), &mut out);
    assert_eq!(stopped, Err(StopReason::TimeLimit));
}

#[test]
fn two_processes_with_a_lock_have_the_states_they_should() {
    let text = "type p : scalarset(2); l : enum {idle, want, crit};
        var at : array [p] of l; free : boolean;
        startstate for i : p do at[i] := idle; end; free := true; end;
        ruleset i : p do
          rule at[i] = idle ==> at[i] := want; end;
          rule at[i] = want & free ==> at[i] := crit; free := false; end;
          rule at[i] = crit ==> at[i] := idle; free := true; end;
        end;";
    // Each process is idle, wanting or critical, but not both critical.
    assert_eq!(n_reachable(&model(text)), 8);
}
