//! Which fields of small models are forgotten, and when.

use std::collections::BTreeSet;

use crate::murphi::typed::{Program, TypeKind};
use crate::murphi::{ReadOptions, read};

use super::super::scope::Elements;
use super::super::uses::Field;
use super::governed;

/// Messages with a sender, which matters where they are asked and not from home.
const LETTERS: &str = "
type proc: scalarset(3); kind: enum {none, ask, tell}; data: 1..2;
  letter: record kind: kind; from: proc; home: boolean; data: data; end;
var box: array [proc] of letter; known: array [proc] of data; count: data;
ruleset h: proc do startstate
  for p: proc do
    box[p].kind := none; box[p].from := h; box[p].home := true; box[p].data := 1; known[p] := 1;
  end;
  count := 1;
end; end;
ruleset p: proc do
  rule \"ask at home\" box[p].kind = none ==> box[p].kind := ask; box[p].home := true; end;
  ruleset q: proc do
    rule \"ask\" box[p].kind = none ==>
      box[p].kind := ask; box[p].from := q; box[p].home := false; end;
    rule \"answer\" box[p].kind = ask & box[p].from = q & box[p].home = false ==>
      box[p].kind := tell; box[p].data := known[q]; end;
  end;
  rule \"read\" box[p].kind = tell ==> known[p] := box[p].data; box[p].kind := none; end;
";

fn name(program: &Program, (variable, path): &Field) -> String {
    let variable = &program.variables[*variable as usize];
    let (mut name, mut ty) = (variable.name.clone(), variable.ty);
    for field in path {
        while let TypeKind::Array { element, .. } = program.types.kind(ty) {
            ty = *element;
        }
        let TypeKind::Record { fields } = program.types.kind(ty) else { break };
        name.push('.');
        name.push_str(&fields[*field as usize].0);
        ty = fields[*field as usize].1;
    }
    name
}

/// Each governed field, with those that govern it.
fn check(text: &str, expected: &[&str]) {
    let (reader, diagnostics) = read(text, 0, &ReadOptions::default());
    let program = reader.unwrap_or_else(|| panic!("{diagnostics:?}")).program;
    let is_parameter = |ty: &u32| program.types.all[*ty as usize].name == "proc";
    let ty = (0..).find(is_parameter).map(crate::murphi::typed::TypeId).expect("it is declared");
    let first = program.types.first_value(ty);
    let elements = Elements { ty, first, n_used: 3, n_slots: 3, is_range: false };
    let found: Vec<String> = governed(&program, &elements)
        .iter()
        .map(|one| {
            let governors: BTreeSet<String> = one
                .needed
                .iter()
                .flat_map(|region| region.keys().map(|field| name(&program, field)))
                .collect();
            let governors: Vec<String> = governors.into_iter().collect();
            format!("{}: {}", name(&program, &one.field), governors.join(", "))
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn a_sender_matters_where_two_fields_say_so() {
    let text = format!("{LETTERS} rule \"all\" known[p] = 2 ==> count := 2; end; end;");
    let expected =
        ["box.from: box.home, box.kind", "box.home: box.kind", "box.data: box.kind", "count: "];
    check(&text, &expected);
}

#[test]
fn what_is_copied_around_and_never_looked_at_does_not_matter() {
    let expected =
        ["box.from: box.home, box.kind", "box.home: box.kind", "box.data: ", "known: ", "count: "];
    check(&format!("{LETTERS} end;"), &expected);
}

#[test]
fn a_field_that_is_not_written_anew_is_kept() {
    let again = "rule \"again\" box[p].kind = none ==> box[p].kind := tell; end; end;";
    let text = format!("{LETTERS} rule \"all\" known[p] = 2 ==> count := 2; end; {again}");
    check(&text, &["box.from: box.home, box.kind", "box.home: box.kind", "count: "]);
}

#[test]
fn what_an_invariant_looks_at_matters() {
    let claim = "invariant \"one\" forall p: proc do box[p].kind = tell -> box[p].data = 1 end;";
    let expected =
        ["box.from: box.home, box.kind", "box.home: box.kind", "box.data: box.kind", "count: "];
    check(&format!("{LETTERS} end; {claim}"), &expected);
}
