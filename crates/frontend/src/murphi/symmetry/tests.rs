//! Which loops are accepted, and what shapes states have.

use model::TransitionSystem;
use model::symmetry::{CodeSegment, IndexSegment, ScalarsetId, Shape};

use crate::murphi::{MurphiModel, ReadOptions, read};

/// Loops whose turns touch their own elements only.
pub(super) const OWN_ELEMENTS: &[&str] = &[
    "for i : p do a[i] := 0; end",
    "for i : p do a[i] := n; b[i] := a[i] = 1; end",
    "for i : p do for j : p do r[i][j] := b[i] & b[j]; end; end",
    "for i : p do u[i] := u[home]; end",
    "for i : p do alias e : a[i] do e := e + 1; end; end",
    "for i : q do u[i] := 1; end",
];

/// Loops that gather something from all turns.
pub(super) const GATHERING: &[&str] = &[
    "for i : p do n := n + 1; end",
    "for i : p do if b[i] then n := n + a[i]; end; end",
    "for i : p do if b[i] then f := true; end; end",
    "for i : p do if b[i] then v := k; end; end",
    "for i : p do if b[i] then n := a[k]; end; end",
    "for i : p do if b[i] then multisetadd(i, m); end; end",
];

/// Loops in which conditions say which turn it is.
pub(super) const CONDITIONAL: &[&str] = &[
    "for i : p do if i != k then a[i] := a[k]; end; end",
    "for i : p do if i = k then f := g; else a[i] := a[k]; end; end",
    "for i : p do if i = k then v := i; end; end",
    "for i : p do if !(i = k) & b[i] then a[i] := a[k]; end; end",
];

/// Rules that use slots for what lies in them.
pub(super) const OWN_SLOTS: &[&str] = &[
    "choose i : m do rule v := m[i]; multisetremove(i, m); multisetadd(w, m); end; end;",
    "choose i : m do rule alias e : m[i] do v := e; end; undefine m; multisetadd(v, m); end; end;",
    "choose i : m do alias c : m; e : c[i] do rule v := e; multisetremove(i, c); end; end; end;",
    "choose i : m do choose j : m do rule i != j ==> v := m[i]; w := m[j]; end; end; end;",
    "choose i : m do rule if f then multisetremove(i, m); else v := m[i]; end; end; end;",
    "choose i : m do rule multisetremovepred(j : m, m[j] = v | a[m[j]] = 1); end; end;",
    "ruleset k : p do choose i : s[k] do rule v := s[k][i]; multisetremove(i, s[k]); end; end; end;",
    "rule n := multisetcount(i : s[v], s[v][i] = w | multisetcount(j : s[v], i = j) = 1); end;",
    "procedure drop(x : p); begin multisetremovepred(i : m, m[i] = x); end; rule drop(v); end;",
    "procedure tell(x : p); begin
       for k : p do if k != x & multisetcount(i : s[k], true) < 2 then multisetadd(x, s[k]); end; end;
     end;
     choose i : m do rule tell(m[i]); multisetremove(i, m); end; end;
     ruleset k : p do choose i : s[k] do rule tell(s[k][i]); end; end; end;",
];

/// Rules that depend on the order of slots, and what is said of them.
const ORDERED_SLOTS: &[(&str, &str)] = &[
    (
        "choose i : m do rule v := t[i]; end; end;",
        "slot `i` may be one of another multiset than `t[i]`",
    ),
    (
        "choose i : m do choose j : t do rule i = j ==> f := true; end; end; end;",
        "slots `i` and `j` may be of two multisets",
    ),
    (
        "choose i : m do rule multisetremove(i, m); v := m[i]; end; end;",
        "slot `i` is used after it may have been removed",
    ),
    (
        "choose i : m do rule while f do v := m[i]; multisetremove(i, m); end; end; end;",
        "slot `i` is used after it may have been removed",
    ),
    (
        "choose i : m do alias e : m[i] do rule undefine m; v := e; end; end; end;",
        "`e` is used after its slot may have been removed",
    ),
    (
        "function wipe() : boolean; begin undefine m; return true; end;
         procedure take(x : p; b : boolean); begin v := x; end;
         choose i : m do rule take(m[i], wipe()); end; end;",
        "a place is used after its slot may have been removed",
    ),
    (
        "choose i : s[v] do rule v := s[v][i]; end; end;",
        "slot `i` may be one of another multiset than `s[v][i]`",
    ),
    (
        "choose i : m do rule multisetremovepred(j : m, m[j] = m[i]); end; end;",
        "the condition of `multisetremovepred` on `m` may see other slots",
    ),
    (
        "procedure drop(x : p); begin multisetremovepred(i : m, m[i] = x); end;
         choose i : m do rule \"rule\" drop(m[i]); end; end;",
        "the condition of `multisetremovepred` on `m` may see other slots",
    ),
    (
        "procedure empty(); begin undefine m; end; procedure twice(x : p); begin empty(); v := x; end;
         choose i : m do rule twice(m[i]); end; end;",
        "`x` is used after its slot may have been removed",
    ),
];

pub(super) fn model(text: &str) -> MurphiModel {
    let (reader, diagnostics) = read(text, 0, &ReadOptions::default());
    let reader = reader.unwrap_or_else(|| panic!("{diagnostics:?}"));
    MurphiModel::new(reader.program).expect("small models are not too large")
}

/// Why `p` is not symmetric in a model with this rule; empty when it is.
fn refusal(declarations: &str, body: &str) -> String {
    let reason = reason(&with_rule(declarations, body));
    let why = reason.split_once(": ").map_or(reason.as_str(), |(_, why)| why);
    why.to_owned()
}

/// Why the first scalarset of a model is not symmetric; empty when it is.
fn reason(text: &str) -> String {
    model(text).symmetry().scalarsets[0].not_symmetric.clone().unwrap_or_default()
}

/// A model with these rules, and with rules that change all variables in all ways.
pub(super) fn with_slots(rules: &str) -> String {
    format!(
        r#"type p : scalarset(3); bag : multiset [4] of p;
         var m : bag; t : bag; s : array [p] of bag; a : array [p] of 0..1; v : p; w : p;
             n : 0..4; f : boolean;
         startstate clear a; n := 0; f := false; end;
         ruleset k : p do
           rule multisetcount(i : m, true) < 3 ==> multisetadd(k, m); v := k; end;
           rule multisetcount(i : t, true) < 2 ==> multisetadd(k, t); w := k; end;
           ruleset l : p do
             rule multisetcount(i : s[k], true) < 2 ==> multisetadd(l, s[k]); a[l] := 1; end;
           end;
         end;
         rule f := !f; end;
         {rules}"#
    )
}

/// A model with this rule, and with rules that change all variables in all ways.
pub(super) fn with_rule(declarations: &str, body: &str) -> String {
    format!(
        r#"type p : scalarset(3); q : union {{p, enum {{home}}}};
         var a : array [p] of 0..3; b : array [p] of boolean; u : array [q] of 0..3;
             v : p; w : p; n : 0..9; f : boolean; g : boolean; m : multiset [4] of p;
             r : array [p] of array [p] of boolean;
         {declarations}
         ruleset k : p do
           startstate clear a; clear b; clear u; clear r; clear n; clear f; clear g; v := k;
             w := k; end;
           rule "rule" {body} end;
           rule "a" a[k] := (a[k] + 1) % 4; end; rule "b" b[k] := !b[k]; end;
           rule "u" u[k] := (u[k] + 1) % 4; end; rule "v" v := k; end;
           rule "r" r[k][v] := !r[k][v]; end; rule "w" w := k; end;
         end;
         rule "f" f := !f; end; rule "g" g := !g; end; rule "n" n := (n + 1) % 3; end;
         rule "home" u[home] := (u[home] + 1) % 4; end;"#
    )
}

#[test]
fn loops_whose_turns_touch_their_own_elements_are_accepted() {
    for body in OWN_ELEMENTS {
        assert_eq!(refusal("", body), "", "{body}");
    }
}

#[test]
fn loops_that_gather_are_accepted() {
    for body in GATHERING {
        assert_eq!(refusal("", body), "", "{body}");
    }
}

#[test]
fn conditions_on_the_turn_keep_elements_apart() {
    for body in CONDITIONAL {
        assert_eq!(refusal("", body), "", "{body}");
    }
}

#[test]
fn loops_whose_turns_depend_on_each_other_are_refused() {
    for (body, why) in [
        ("for i : p do v := i; end", "several turns may write `v`"),
        (
            "for i : p do a[k] := a[i]; end",
            "a turn may write `a[k]` that another one reads as `a[i]`",
        ),
        ("for i : p do n := a[i]; end", "several turns may write `n`"),
        (
            "for i : p do if n = 0 then a[i] := 1; n := 1; end; end",
            "a turn may read `n` that another one writes",
        ),
        (
            "for i : p do a[i] := a[k]; end",
            "a turn may write `a[i]` that another one reads as `a[k]`",
        ),
        (
            "for i : p do if b[i] then f := true; else f := false; end; end",
            "several turns may write `f`",
        ),
        (
            "for i : p do f := true; if g then f := f & b[i]; end; end",
            "a turn may read `f` that another one writes",
        ),
        ("for i : p do if b[i] then v := i; return; end; end", "it may be left early"),
        (
            "for i : p do alias e : a[v] do e := 1 - a[i]; end; end",
            "a turn may write `e` that another one reads as `a[i]`",
        ),
        ("for i : p do n := n + 1; n := n - 1; end", "several turns may write `n`"),
        ("while f do for i : p do w := i; end; end", "several turns may write `w`"),
    ] {
        assert_eq!(refusal("", body), why, "{body}");
    }
}

#[test]
fn calls_are_looked_through() {
    let own = "procedure set(i : p); begin a[i] := 1; end;";
    assert_eq!(refusal(own, "for i : p do set(i); end"), "");
    let shared = "procedure set(i : p); begin v := i; end;";
    assert_eq!(refusal(shared, "for i : p do set(i); end"), "several turns may write `v`");
    let through = "procedure set(var t : p; i : p); begin t := i; end;";
    assert_eq!(refusal(through, "for i : p do set(w, i); end"), "several turns may write `t`");
    let endless = "procedure set(i : p); begin set(i); set(i); set(i); end;";
    let why = "it calls too much to look through";
    assert_eq!(refusal(endless, "for i : p do set(i); end"), why);
    let local = "function h(i : p) : boolean; var t : boolean; begin t := b[i]; return t; end;";
    assert_eq!(refusal(local, "for i : p do b[i] := h(i); end"), "");
}

#[test]
fn searches_that_return_from_within_are_refused() {
    let any = "function any() : boolean;
        begin for i : p do if b[i] then return true; end; end; return false; end;";
    assert_eq!(refusal(any, "f := any()"), "it may be left early", "a later fault is hidden");
    let first = "function first() : p;
        begin for i : p do if b[i] then return i; end; end; return v; end;";
    assert_eq!(refusal(first, "v := first()"), "it may be left early");
    assert_eq!(refusal(first, "f := true"), "", "nobody calls it");
}

#[test]
fn parameters_may_be_any_place_of_their_type() {
    let fill = "procedure fill(var t : 0..3; s : p);
        begin for i : p do if i != s then a[i] := t; end; end; end;";
    let why = "a turn may write `a[i]` that another one reads as `t`";
    assert_eq!(refusal(fill, "fill(a[v], k)"), why);
    let mark =
        "procedure mark(s : p); begin for i : p do if i != s then b[i] := b[s]; end; end; end;";
    assert_eq!(refusal(mark, "mark(v)"), "");
}

#[test]
fn slots_that_stand_for_what_lies_in_them_are_accepted() {
    for rules in OWN_SLOTS {
        assert_eq!(reason(&with_slots(rules)), "", "{rules}");
    }
}

#[test]
fn uses_of_the_order_of_slots_are_refused() {
    for (rules, why) in ORDERED_SLOTS {
        let reason = reason(&with_slots(rules));
        let (_, found) = reason.split_once(", ").unwrap_or_default();
        assert_eq!(found, *why, "{rules}");
    }
}

#[test]
fn goals_of_single_elements_are_refused() {
    let goal = "type p : scalarset(2); q : scalarset(2); var v : p; x : q;
        startstate undefine v; end; ruleset i : p; j : q do rule v := i; x := j; end; end;
        ruleset i : p do liveness v = i; end;";
    let why = "a liveness goal is asked of each element by itself";
    assert_eq!(reason(goal), why);
    assert!(model(goal).symmetry().scalarsets[1].is_permuted());
}

#[test]
fn sums_of_calls_are_refused() {
    let inc = "function inc(i : p) : 0..1; begin n := n + a[i]; return 1; end;";
    let why = "a turn may read `n` that another one writes";
    assert_eq!(refusal(inc, "for i : p do n := n + inc(i); end"), why);
}

#[test]
fn an_alias_keeps_the_index_that_it_was_bound_with() {
    let late = "procedure late(var s : p); begin alias c : a[s] do s := w;
        for i : p do if i != s then a[i] := 1; else n := c; end; end; end; end;";
    let why = "a turn may write `a[i]` that another one reads as `c`";
    assert_eq!(refusal(late, "late(v)"), why);
}

#[test]
fn start_states_may_tell_elements_apart() {
    let text = "type p : scalarset(2); var v : p; startstate for i : p do v := i; end; end;
        ruleset i : p do rule v := i; end; end;";
    assert!(model(text).symmetry().scalarsets[0].is_permuted());
}

#[test]
fn shapes_follow_the_layout() {
    let text = "type p : scalarset(3); q : union {enum {home}, p};
        var n : 0..3; v : q; a : array [q] of boolean; s : multiset [2] of p;
        startstate n := 0; end; rule n := 1; end;";
    let model = model(text);
    let symmetry = model.symmetry();
    let id = ScalarsetId(0);
    let shapes: Vec<&Shape> = symmetry.state.iter().map(|placed| &placed.shape).collect();
    assert_eq!(*shapes[0], Shape::Plain { bits: 3 });
    let segments = vec![CodeSegment { first: 2, scalarset: id }];
    assert_eq!(*shapes[1], Shape::Value { bits: 3, segments });
    let segments = vec![IndexSegment { first: 1, scalarset: id }];
    let element = Box::new(Shape::Plain { bits: 2 });
    assert_eq!(*shapes[2], Shape::Array { stride: 2, n_elements: 4, segments, element });
    let segments = vec![CodeSegment { first: 1, scalarset: id }];
    let element = Box::new(Shape::Value { bits: 2, segments });
    assert_eq!(*shapes[3], Shape::Multiset { stride: 3, n_slots: 2, element });
}
