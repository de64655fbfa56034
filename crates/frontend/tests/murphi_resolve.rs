//! What models become: instances, quantifiers, bounds, effects, constants,
//! propositions.

use frontend::murphi::typed::{Binder, ExprKind, LocalKind, StmtKind, TypeKind};
use frontend::murphi::{ReadOptions, Reader, read};
use model::{Diagnostic, PropertyKind, Severity, Span};

fn read_with(text: &str, options: &ReadOptions) -> (Reader, Vec<Diagnostic>) {
    let (reader, diagnostics) = read(text, 0, options);
    let reader = reader.unwrap_or_else(|| panic!("{text}: {diagnostics:#?}"));
    (reader, diagnostics)
}

fn model(text: &str) -> Reader {
    let text = format!("{text}\nvar unrelated : boolean; startstate unrelated := true; end;");
    read_with(&text, &ReadOptions::default()).0
}

fn codes(text: &str, options: &ReadOptions) -> Vec<(&'static str, Severity)> {
    read(text, 0, options).1.iter().map(|one| (one.code, one.severity)).collect()
}

/// The condition of the only property, as it was simplified.
fn condition(text: &str) -> ExprKind {
    let reader = model(&format!("var x, y : boolean; n : 2 .. 9; invariant {text};"));
    reader.program.properties[0].condition.kind.clone()
}

#[test]
fn choices_number_the_instances_of_all_rules_in_order() {
    let reader = model(
        "type s : scalarset(3); var x : boolean;
         ruleset i : s; j := 0 to 8 by 4 do rule x := true; end; alias z : x do
           ruleset i : boolean do rule z := i; end; end; end; end;
         rule \"last\" x := false; end;",
    );
    let rules = &reader.program.rules;
    let numbers: Vec<(u64, u64)> =
        rules.iter().map(|rule| (rule.first_choice, rule.n_instances)).collect();
    assert_eq!(numbers, [(0, 9), (9, 18), (27, 1)]);
    assert_eq!(rules[0].name, "rule 1");
    assert_eq!(rules[2].name, "last");
    assert!(matches!(rules[1].binders[2], Binder::Alias { .. }));
}

#[test]
fn not_binds_weaker_than_equals_and_stronger_than_and() {
    assert!(matches!(condition("!x = y"), ExprKind::Unary(..)));
    assert!(matches!(condition("!x & y"), ExprKind::Binary(..)));
    assert!(matches!(
        condition("1 + 2 * 3 = 7 & -3 / 2 = -1 & -3 % 2 = -1"),
        ExprKind::Constant(1)
    ));
    assert!(matches!(condition("true | false & false"), ExprKind::Constant(1)));
    assert!(matches!(
        condition("(6 & 3) = 2 & (6 | 1) = 7 & (~0 << 2) = -4"),
        ExprKind::Constant(1)
    ));
    assert!(matches!(condition("false -> n = 2"), ExprKind::Constant(1)));
    assert!(matches!(condition("1 / 0 = 1"), ExprKind::Binary(..)));
}

#[test]
fn bounds_follow_the_operators() {
    let reader = model(
        "var n : 2 .. 9; m : -1 .. 1; procedure p(k : 0 .. 100); begin end;
         rule p(n * m - 1); p(n % 4); p(m = 0 ? n : m); end;",
    );
    let bounds: Vec<(i64, i64)> = reader.program.rules[0]
        .body
        .iter()
        .map(|stmt| match &stmt.kind {
            StmtKind::Call(_, arguments) => match &arguments[0] {
                frontend::murphi::typed::Argument::Value(value) => value.bounds,
                frontend::murphi::typed::Argument::Place(_) => panic!("a value is passed"),
            },
            _ => panic!("a call is expected"),
        })
        .collect();
    assert_eq!(bounds, [(-10, 8), (0, 3), (-1, 9)]);
}

#[test]
fn rulesets_around_properties_become_quantifiers_and_goals_are_many() {
    let reader = model(
        "var n : 0 .. 2;
         ruleset i : 0 .. 2 do invariant n <= i | n > i; cover n = i; assume i >= 0;
         liveness \"reach\" n = i; end;",
    );
    let properties = &reader.program.properties;
    let forall = |idx: usize| match &properties[idx].condition.kind {
        ExprKind::Quantified { forall, .. } => *forall,
        _ => panic!("a quantifier is expected"),
    };
    assert!(forall(0) && !forall(1));
    assert_eq!(reader.program.assumptions.len(), 1);
    let goals: Vec<&str> = properties
        .iter()
        .filter(|property| property.kind == PropertyKind::AlwaysReachable)
        .map(|property| property.name.as_str())
        .collect();
    assert_eq!(goals, ["reach (i = 0)", "reach (i = 1)", "reach (i = 2)"]);
}

#[test]
fn effects_are_found_through_calls_and_aliases_but_not_on_own_variables() {
    let reader = model(
        "var n : 0 .. 3;
         procedure set(var a : 0 .. 3; b : 0 .. 3); begin alias c : a do c := b; end; end;
         function own() : boolean; var k : 0 .. 3; begin set(k, n); return k = 0; end;
         function leak() : boolean; begin set(n, 0); return true; end;
         function again(d : 0 .. 3) : boolean; begin return d = 0 | again(d - 1); end;",
    );
    let effects: Vec<bool> =
        reader.program.functions.iter().map(|function| function.has_effects).collect();
    assert_eq!(effects, [true, false, true, false]);
}

#[test]
fn functions_with_records_as_results_become_procedures() {
    let reader = model(
        "type r : record a : array [boolean] of 0 .. 3; end; var v : r; x : boolean;
         function make(k : 0 .. 3) : r; var t : r; begin t.a[true] := k; return t; end;
         function same(t : r) : boolean; begin return t.a[true] = v.a[true]; end;
         rule make(2).a[x] = 1 & same(make(1)) ==> v := make(3); make(0); end;",
    );
    let make = &reader.program.functions[0];
    assert_eq!((make.returns, make.n_parameters), (None, 2));
    assert_eq!(make.locals[1].kind, LocalKind::Reference);
    assert!(reader.program.rules[0].guard.is_some());
    let part = reader.program.functions.iter().find(|one| one.name == "part of make");
    let part = part.expect("a function for the part that the guard reads");
    assert!(!part.has_effects);
    assert_eq!(part.n_parameters, 2);
}

#[test]
fn types_that_are_made_alike_are_one() {
    let reader = model(
        "type a : 0 .. 3; b : 0 .. 3; e : enum { p, q }; s : scalarset(2);
         u : union { e, s }; v : union { s, enum { z } };
         var x : array [a] of b; y : array [0 .. 3] of a; w : u; k : v;
         rule x := y; if w = k then k := w; end; end;",
    );
    let variables = &reader.program.variables;
    assert_eq!(variables[0].ty, variables[1].ty);
    let bases: Vec<i64> = reader
        .program
        .types
        .all
        .iter()
        .filter_map(|ty| match &ty.kind {
            TypeKind::Enum { base, .. } | TypeKind::Scalarset { base, .. } => Some(*base),
            _ => None,
        })
        .collect();
    assert_eq!(bases, [0, 2, 4, 6]);
}

#[test]
fn constants_are_replaced_by_options() {
    let text = "const N : 2; M : N + 1; var x : 0 .. M; startstate x := N; end;";
    let options = ReadOptions { constants: vec![("N".to_owned(), 7)], ..ReadOptions::default() };
    let (reader, _) = read_with(text, &options);
    assert_eq!(reader.program.constants, [("N".to_owned(), 7), ("M".to_owned(), 8)]);
    let options = ReadOptions { constants: vec![("K".to_owned(), 7)], ..ReadOptions::default() };
    assert_eq!(codes(text, &options), [("MU021", Severity::Error)]);
}

#[test]
fn extensions_are_refused_on_request() {
    let strict = ReadOptions { strict: true, ..ReadOptions::default() };
    let rest = "startstate x := true; end; rule x := !x; end;";
    for (text, n_errors) in [
        ("invariant x;", 0),
        ("cover x;", 1),
        ("invariant x && x || x;", 2),
        ("invariant ¬x;", 1),
        ("invariant (1 & 3) = 1;", 1),
        ("invariant 010 = 0x8 & 0 < 10;", 1),
        ("var y : boolean;", 1),
    ] {
        let text = format!("var x : boolean; {rest} {text}");
        assert_eq!(codes(&text, &ReadOptions::default()), [], "{text}");
        assert_eq!(codes(&text, &strict), vec![("MU015", Severity::Error); n_errors], "{text}");
    }
}

#[test]
fn warnings_do_not_stop_the_reading() {
    let options = ReadOptions::default();
    let loops = "var x : boolean; startstate for i := 3 to 1 do x := true; end; end;";
    assert_eq!(codes(loops, &options), [("MU016", Severity::Warning)]);
    assert_eq!(codes("var x : boolean;", &options), [("MU022", Severity::Warning)]);
}

#[test]
fn a_proposition_is_a_condition_or_a_predicate_function() {
    let mut reader = model(
        "var n : 0 .. 3; function full() : boolean; begin return n = 3; end;
         function take() : boolean; begin n := 0; return true; end;
         function sure() : boolean; begin assume n = 1; return true; end;
         function surely() : boolean; begin return sure(); end;",
    );
    let at = |text: &str| Span::new(1, 4, 4 + text.len());
    let mut add = |text: &str| reader.add_proposition(text, at(text)).map_err(|error| error.code);
    assert_eq!(add("n > 1"), Ok(0));
    assert_eq!(add("full"), Ok(1));
    assert_eq!(add("exists i : 0 .. 3 do n = i end"), Ok(2));
    assert_eq!(add("n"), Err("MU008"));
    assert_eq!(add("m > 1"), Err("MU005"));
    assert_eq!(add("take()"), Err("MU013"));
    assert_eq!(add("n = 1 & surely()"), Err("MU013"));
    assert_eq!(add("n > 1)"), Err("MU002"));
    assert_eq!(reader.program.propositions.len(), 3);
    assert!(reader.is_expression("a + b.c[d]"));
    assert!(!reader.is_expression("[] a"));
    assert!(!reader.is_expression("a U b"));
}

#[test]
fn a_proposition_is_as_strict_as_its_model() {
    let text = "var x : boolean; startstate x := true; end; rule x := !x; end;";
    for (strict, wanted) in [(false, Ok(0)), (true, Err("MU015"))] {
        let options = ReadOptions { strict, ..ReadOptions::default() };
        let mut reader = read(text, 0, &options).0.expect("the model is right");
        for text in ["x == true", "(1 & 3) = 1"] {
            let added = reader.add_proposition(text, Span::new(1, 0, text.len()));
            assert_eq!(added.map(|_| 0).map_err(|error| error.code), wanted, "{text}");
        }
    }
}
