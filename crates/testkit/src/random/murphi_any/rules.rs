//! Random functions, start states, rules and claims.

use std::fmt::Write;

use super::VARIABLES;
use super::expr::{Callable, CallableKind, Scope, Writer};

impl Writer<'_> {
    /// A function or a procedure.
    pub(super) fn callable(&mut self) -> String {
        let name = self.fresh("fun");
        let kind =
            self.pick(&[CallableKind::Predicate, CallableKind::Effect, CallableKind::Procedure]);
        let mut scope = self.scope().with("w");
        let text = match kind {
            CallableKind::Predicate => {
                let condition = self.condition(&mut scope, 2);
                format!("function {name}(w: P): boolean;\nbegin\nreturn {condition};\nend;\n")
            }
            CallableKind::Effect => {
                let (body, result) = (self.block(&mut scope, 1), self.condition(&mut scope, 1));
                format!("function {name}(w: P): boolean;\nbegin\n{body}return {result};\nend;\n")
            }
            CallableKind::Procedure => {
                scope.booleans.push("v".to_owned());
                let body = self.block(&mut scope, 1);
                let value = self.condition(&mut scope, 1);
                format!(
                    "procedure {name}(var v: boolean; w: P);\nbegin\n{body}v := {value};\nend;\n"
                )
            }
        };
        self.callables.push(Callable { name, kind });
        text
    }

    /// A start: all elements are alike, but for those that it names.
    pub(super) fn start(&mut self) -> String {
        let numbers: &[usize] = if self.world.has_steady_x { &[1, 1, 2] } else { &[0, 0, 1, 1, 2] };
        let parameters = self.parameters(numbers);
        let mut text = heads(&parameters);
        text.push_str("startstate begin\n");
        for (name, ty, ..) in VARIABLES.iter().filter(|(name, ..)| self.world.has(name)) {
            if ty.starts_with("array[P]") {
                let value = self.first_value(name, "e");
                let _ = writeln!(text, "for e: P do {value}end;");
            } else {
                text.push_str(&self.first_shared(name, &parameters));
            }
        }
        for parameter in &parameters {
            text.push_str(&self.difference(parameter));
        }
        let _ = writeln!(text, "end;{}", " end;".repeat(parameters.len()));
        text
    }

    fn first_value(&mut self, name: &str, of: &str) -> String {
        let truth = self.pick(&["false", "false", "false", "true"]);
        match name {
            "s" => format!("s[{of}] := S{}; ", self.pick(&[0, 0, 1])),
            "c" => format!("c[{of}] := {}; ", self.rng.below(3)),
            "n" if self.world.has_steady_n || self.rng.chance(50) => format!("n[{of}] := {of}; "),
            "n" => format!("undefine n[{of}]; "),
            "u" => format!("u[{of}] := {}; ", self.pick(&["nil", of])),
            "r" => format!("r[{of}].b := {truth}; r[{of}].o := {of}; "),
            "m" => format!("for d: P do m[{of}][d] := {}; end; ", self.pick(&["false", "d = e"])),
            "h" => format!("h[{of}][0] := {truth}; h[{of}][1] := false; "),
            _ => format!("{name}[{of}] := {truth}; "),
        }
    }

    fn first_shared(&mut self, name: &str, parameters: &[String]) -> String {
        let element = (!parameters.is_empty()
            && (!self.world.may_be_undefined(name) || self.rng.chance(70)))
        .then(|| self.pick(parameters));
        let holds = |place: &str| match &element {
            Some(element) => format!("{place} := {element};\n"),
            None => format!("undefine {place};\n"),
        };
        match name {
            "x" | "y" => holds(name),
            "z" => "z := nil;\n".to_owned(),
            "q" => holds("q[0]") + &holds("q[1]"),
            "g" | "d" => format!("{name}.t := S0;\n{}", holds(&format!("{name}.o"))),
            "f" => format!("f := {};\n", self.pick(&["false", "false", "true"])),
            "t" => "t := S0;\n".to_owned(),
            _ => format!("{name} := 0;\n"),
        }
    }

    /// What makes a named element special at the start.
    fn difference(&mut self, parameter: &str) -> String {
        let texts = [
            ("a", format!("a[{parameter}] := true;\n")),
            ("a", format!("a[{parameter}] := !a[{parameter}];\n")),
            ("b", format!("b[{parameter}] := true;\n")),
            ("s", format!("s[{parameter}] := S2;\n")),
            ("n", format!("for e: P do n[e] := {parameter}; end;\n")),
        ];
        self.one_of(&texts).unwrap_or_default()
    }

    fn parameters(&mut self, numbers: &[usize]) -> Vec<String> {
        let n = self.pick(numbers);
        (0..n).map(|_| self.fresh("i")).collect()
    }

    /// A rule, for all elements or none.
    pub(super) fn rule(&mut self, idx: u32) -> String {
        let parameters = self.parameters(&[0, 1, 1, 1, 1, 1, 2, 2]);
        let mut scope = self.scope();
        scope.bound.extend(parameters.iter().flat_map(|name| [name.clone(), name.clone()]));
        let guard = self.guard(&mut scope, &parameters);
        let priority = if self.rng.chance(3) { "1 " } else { "" };
        let mut text = format!("{}rule {priority}\"r{idx}\" {guard} ==>\n", heads(&parameters));
        let mut first = String::new();
        if self.rng.chance(25) {
            text.push_str("var w: boolean;\n");
            first.push_str("w := false;\n");
            scope.booleans.push("w".to_owned());
        }
        if self.rng.chance(20) {
            text.push_str("var v: P;\n");
            scope.local_elements.push("v".to_owned());
        }
        let body = self.block(&mut scope, 2);
        let _ = writeln!(text, "begin\n{first}{body}end;{}", " end;".repeat(parameters.len()));
        text
    }

    /// What keeps a rule from being taken; often it is what others do.
    fn guard(&mut self, scope: &mut Scope, parameters: &[String]) -> String {
        let mut parts = Vec::new();
        if let Some(element) = parameters.first() {
            parts.push(self.own_atom(element));
        }
        if self.world.has("g") && self.rng.chance(40) {
            // A message matters only while it is under way.
            parts.push(format!("g.t = S{}", self.rng.below(3)));
        }
        if parameters.len() > 1 && self.rng.chance(60) {
            parts.push(format!("{} != {}", parameters[0], parameters[1]));
        }
        for _ in 0..self.pick(&[0, 1, 1, 2]) {
            parts.push(match self.rng.below(4) {
                0 => {
                    let name = self.fresh("e");
                    format!("(forall {name}: P do {} end)", self.own_atom(&name))
                }
                1 => self.atom(scope),
                _ => self.condition(scope, 2),
            });
        }
        if parts.is_empty() { "true".to_owned() } else { parts.join(" & ") }
    }

    /// A property that may be true.
    pub(super) fn claim(&mut self, idx: u32) -> String {
        let (one, other, third) = (self.fresh("i"), self.fresh("i"), self.fresh("i"));
        let condition = match self.rng.below(8) {
            0 | 1 => {
                let (left, right) = (self.own_atom(&one), self.own_atom(&other));
                format!(
                    "forall {one}: P do forall {other}: P do {one} = {other} | \
                     !({left} & {right}) end end"
                )
            }
            2 => {
                let parts = [&one, &other, &third].map(|name| self.own_atom(name)).join(" & ");
                let equal = format!("{one} = {other} | {one} = {third} | {other} = {third}");
                format!(
                    "forall {one}: P do forall {other}: P do forall {third}: P do {equal} | \
                     !({parts}) end end end"
                )
            }
            3 | 4 => {
                let left = self.own_atom(&one);
                let mut scope = self.scope().with(&one);
                let right = self.condition(&mut scope, 1);
                format!("forall {one}: P do {left} -> {right} end")
            }
            5 => {
                let mut scope = self.scope().with(&one);
                let condition = self.condition(&mut scope, 2);
                return format!("ruleset {one}: P do invariant \"c{idx}\" {condition}; end;\n");
            }
            6 => {
                let mut scope = self.scope();
                self.condition(&mut scope, 3)
            }
            _ => {
                let mut scope = self.scope().with(&one).with(&other);
                let condition = self.condition(&mut scope, 2);
                format!("forall {one}: P do forall {other}: P do {condition} end end")
            }
        };
        format!("invariant \"c{idx}\" {condition};\n")
    }
}

fn heads(parameters: &[String]) -> String {
    parameters.iter().map(|name| format!("ruleset {name}: P do ")).collect()
}
