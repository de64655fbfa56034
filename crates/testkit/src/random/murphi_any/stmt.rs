//! Random statements that tell no element from another.

use super::expr::{CallableKind, Scope, Writer};

/// How often, in percent, something is done that may be a fault.
const RISK: u32 = 2;

impl Writer<'_> {
    /// Some statements.
    pub(super) fn block(&mut self, scope: &mut Scope, depth: u32) -> String {
        let n = self.pick(&[1, 1, 2, 2, 3]);
        (0..n).map(|_| self.statement(scope, depth)).collect()
    }

    fn statement(&mut self, scope: &mut Scope, depth: u32) -> String {
        if depth > 0 && self.rng.chance(40) {
            return self.compound(scope, depth);
        }
        for _ in 0..4 {
            if let Some(text) = self.simple(scope) {
                return text;
            }
        }
        String::new()
    }

    fn simple(&mut self, scope: &mut Scope) -> Option<String> {
        match self.rng.below(14) {
            0..=4 if !scope.bound.is_empty() => {
                let element = self.element(scope);
                self.own_write(&element, scope)
            }
            5 | 6 => self.holder_write(scope),
            7 | 8 => self.shared_write(scope),
            9 => {
                let holder = self.holder(scope)?;
                let write = self.own_write(&holder, scope)?;
                match self.rng.chance(RISK) {
                    true => Some(write),
                    false => Some(format!("if !isundefined({holder}) then {write}end;\n")),
                }
            }
            10 => self.call(scope),
            11 => {
                let condition = self.condition(scope, 1);
                match self.rng.below(4) {
                    0 => Some(format!("assert {condition};\n")),
                    1 => Some(format!("assume {condition};\n")),
                    2 => Some(format!("if {condition} then error \"e\"; end;\n")),
                    _ => None,
                }
            }
            12 => self.pair_write(scope),
            _ => self.many(),
        }
    }

    /// Writes something that belongs to an element.
    fn own_write(&mut self, of: &str, scope: &mut Scope) -> Option<String> {
        let state = self.rng.below(3);
        let truth = self.truth(scope);
        let n = self.rng.below(2);
        self.one_of(&[
            ("a", format!("a[{of}] := {truth};\n")),
            ("b", format!("b[{of}] := {truth};\n")),
            ("s", format!("s[{of}] := S{state};\n")),
            ("s", format!("s[{of}] := S{state};\n")),
            ("c", format!("c[{of}] := (c[{of}] + 1) % 3;\n")),
            ("c", format!("if c[{of}] < 2 then c[{of}] := c[{of}] + 1; end;\n")),
            ("r", format!("r[{of}].b := {truth};\n")),
            ("h", format!("h[{of}][{n}] := {truth};\n")),
        ])
    }

    fn truth(&mut self, scope: &mut Scope) -> String {
        match self.rng.below(10) {
            0..=3 => "true".to_owned(),
            4..=6 => "false".to_owned(),
            _ => self.condition(scope, 1),
        }
    }

    /// Writes a place that holds an element.
    fn holder_write(&mut self, scope: &mut Scope) -> Option<String> {
        if self.world.is_scalarset && self.rng.chance(20) {
            let of = if scope.bound.is_empty() { None } else { Some(self.element(scope)) };
            let mut texts = vec![("z", "z".to_owned())];
            texts.extend(of.iter().map(|of| ("u", format!("u[{of}]"))));
            let place = self.one_of(&texts)?;
            let value = of.filter(|_| self.rng.chance(60)).unwrap_or_else(|| "nil".to_owned());
            return Some(format!("{place} := {value};\n"));
        }
        let place = self.holder(scope)?;
        if !self.world.may_be_undefined(&place) {
            let value = (!scope.bound.is_empty()).then(|| self.element(scope))?;
            return Some(format!("{place} := {value};\n"));
        }
        if self.rng.chance(20) {
            return Some(format!("undefine {place};\n"));
        }
        let value = match scope.bound.is_empty() || self.rng.chance(35) {
            true => self.holder(scope)?,
            false => self.element(scope),
        };
        (place != value).then(|| format!("{place} := {value};\n"))
    }

    fn shared_write(&mut self, scope: &mut Scope) -> Option<String> {
        let truth = self.truth(scope);
        let state = self.rng.below(3);
        let n = self.rng.below(3);
        let boolean = scope.booleans.first().cloned();
        if let Some(boolean) = boolean.filter(|_| self.rng.chance(30)) {
            return Some(format!("{boolean} := {truth};\n"));
        }
        self.one_of(&[
            ("f", format!("f := {truth};\n")),
            ("t", format!("t := S{state};\n")),
            ("g", format!("g.t := S{state};\n")),
            ("k", format!("k := {n};\n")),
            ("k", "if k < 2 then k := k + 1; end;\n".to_owned()),
            ("k", "k := (k > 0) ? (k - 1) : 0;\n".to_owned()),
            ("q", "q[1] := q[0];\n".to_owned()),
            ("d", if self.world.has("g") { "d := g;\n" } else { "d.t := S1;\n" }.to_owned()),
        ])
    }

    fn pair_write(&mut self, scope: &mut Scope) -> Option<String> {
        if scope.bound.is_empty() || !self.world.has("m") {
            return None;
        }
        let (one, other) = (self.element(scope), self.element(scope));
        Some(format!("m[{one}][{other}] := {};\n", self.truth(scope)))
    }

    /// Changes all elements at once.
    fn many(&mut self) -> Option<String> {
        let mut texts = vec![
            ("a", "clear a;\n".to_owned()),
            ("b", "clear b;\n".to_owned()),
            ("m", "clear m;\n".to_owned()),
            ("s", "clear s;\n".to_owned()),
        ];
        if !self.world.has_steady_n {
            texts.push(("n", "undefine n;\n".to_owned()));
        }
        self.one_of(&texts)
    }

    fn call(&mut self, scope: &mut Scope) -> Option<String> {
        if scope.bound.is_empty() {
            return None;
        }
        let element = self.element(scope);
        if self.rng.chance(50) {
            let procedure = self.callable_of(CallableKind::Procedure)?;
            let place = self.one_of(&[
                ("a", format!("a[{element}]")),
                ("f", "f".to_owned()),
                ("r", format!("r[{element}].b")),
            ])?;
            return Some(format!("{procedure}({place}, {element});\n"));
        }
        let function = self.callable_of(CallableKind::Effect)?;
        let place = self.one_of(&[("f", "f".to_owned()), ("b", format!("b[{element}]"))])?;
        Some(format!("{place} := {function}({element});\n"))
    }

    fn compound(&mut self, scope: &mut Scope, depth: u32) -> String {
        match self.rng.below(10) {
            0..=2 => self.loop_over_all(scope),
            3..=5 => {
                let condition = self.condition(scope, 2);
                let (yes, no) = (self.block(scope, depth - 1), self.block(scope, depth - 1));
                match self.rng.below(3) {
                    0 => format!("if {condition} then\n{yes}else\n{no}end;\n"),
                    1 => {
                        let other = self.condition(scope, 1);
                        format!("if {condition} then\n{yes}elsif {other} then\n{no}end;\n")
                    }
                    _ => format!("if {condition} then\n{yes}end;\n"),
                }
            }
            6 => self.switch(scope, depth),
            7 => self.alias(scope, depth),
            8 if self.world.has("k") => {
                let (condition, body) = (self.atom(scope), self.block(scope, 0));
                format!("while k < 2 & {condition} do\n{body}k := (k = 0) ? 1 : 2;\nend;\n")
            }
            _ => self.swap(scope).unwrap_or_default(),
        }
    }

    /// A loop over all elements, mostly one whose turns do not depend on each other.
    fn loop_over_all(&mut self, scope: &mut Scope) -> String {
        let name = self.fresh("e");
        let mut inside = scope.with(&name);
        let body = match self.rng.below(10) {
            0 => Some(self.block(&mut inside, 1)),
            1 => self.one_of(&[("f", "f := true;\n".to_owned()), ("t", "t := S1;\n".to_owned())]),
            2 => Some(format!("assert {};\n", self.condition(&mut inside, 1))),
            3 => self.one_of(&[("k", "if k < 2 then k := k + 1; end;\n".to_owned())]),
            4 => {
                let to = if scope.bound.is_empty() { name.clone() } else { self.element(scope) };
                self.one_of(&[
                    ("n", format!("n[{name}] := {to};\n")),
                    ("r", format!("r[{name}].o := {to};\n")),
                    ("m", format!("m[{name}][{to}] := true;\n")),
                    ("m", format!("m[{to}][{name}] := false;\n")),
                ])
            }
            _ => self.own_write(&name, &mut Scope { bound: vec![name.clone()], ..scope.clone() }),
        };
        let Some(body) = body else { return String::new() };
        match self.rng.chance(70) {
            true => {
                let condition = match scope.bound.is_empty() || self.rng.chance(50) {
                    true => self.own_atom(&name),
                    false => format!("{name} != {}", self.element(scope)),
                };
                format!("for {name}: P do\nif {condition} then\n{body}end;\nend;\n")
            }
            false => format!("for {name}: P do\n{body}end;\n"),
        }
    }

    fn switch(&mut self, scope: &mut Scope, depth: u32) -> String {
        let (one, other) = (self.block(scope, depth - 1), self.block(scope, depth - 1));
        let states = [("t", "t".to_owned()), ("g", "g.t".to_owned())];
        if let Some(subject) = self.one_of(&states).filter(|_| self.rng.chance(50)) {
            return format!("switch {subject}\ncase S0, S2:\n{one}else\n{other}end;\n");
        }
        if scope.bound.is_empty() {
            return String::new();
        }
        let element = self.element(scope);
        match self.holder(scope) {
            Some(holder) => {
                let body = format!("switch {element}\ncase {holder}:\n{one}else\n{other}end;\n");
                format!("if !isundefined({holder}) then\n{body}end;\n")
            }
            None => String::new(),
        }
    }

    fn alias(&mut self, scope: &mut Scope, depth: u32) -> String {
        if scope.bound.is_empty() {
            return String::new();
        }
        let element = self.element(scope);
        let texts =
            [("a", format!("a[{element}]")), ("b", format!("b[{element}]")), ("f", "f".to_owned())];
        let Some(place) = self.one_of(&texts) else { return String::new() };
        let name = self.fresh("l");
        let mut inside = scope.clone();
        inside.booleans.insert(0, name.clone());
        let body = self.block(&mut inside, depth - 1);
        format!("alias {name}: {place} do\n{body}end;\n")
    }

    fn swap(&mut self, scope: &Scope) -> Option<String> {
        if scope.bound.len() < 2 || !self.world.has("a") {
            return None;
        }
        let (one, other) = (self.element(scope), self.element(scope));
        let name = scope.booleans.first()?;
        Some(format!("{name} := a[{one}];\na[{one}] := a[{other}];\na[{other}] := {name};\n"))
    }
}
