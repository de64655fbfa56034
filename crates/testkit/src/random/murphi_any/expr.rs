//! Random conditions over elements: their own variables, those of others, those that shared
//! variables name, and what is true of all or some of them.

use super::World;
use crate::rng::Rng;

/// A function or procedure that can be called.
#[derive(Clone, Debug)]
pub(super) struct Callable {
    pub name: String,
    pub kind: CallableKind,
}

/// Its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallableKind {
    /// Takes an element, changes nothing and gives a boolean.
    Predicate,
    /// Takes an element and gives a boolean; may change the state.
    Effect,
    /// Takes `var` a boolean and an element.
    Procedure,
}

/// What can be named at some point of the text.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// Elements that are defined.
    pub bound: Vec<String>,
    /// Local variables and parameters that hold elements, and may be undefined.
    pub local_elements: Vec<String>,
    /// Boolean local variables, aliases and parameters.
    pub booleans: Vec<String>,
}

impl Scope {
    /// The same with one more element.
    pub(super) fn with(&self, name: &str) -> Scope {
        let mut scope = self.clone();
        // The innermost is the most interesting one.
        scope.bound.extend([name.to_owned(), name.to_owned()]);
        scope
    }
}

/// Writes expressions, statements and rules.
pub(super) struct Writer<'a> {
    pub rng: &'a mut Rng,
    pub world: &'a World,
    pub callables: Vec<Callable>,
    n_names: u32,
}

impl<'a> Writer<'a> {
    pub(super) fn new(rng: &'a mut Rng, world: &'a World) -> Writer<'a> {
        Writer { rng, world, callables: Vec::new(), n_names: 0 }
    }

    /// What can be named everywhere.
    pub(super) fn scope(&self) -> Scope {
        let bound = if self.world.has_steady_x { vec!["x".to_owned()] } else { Vec::new() };
        Scope { bound, ..Scope::default() }
    }

    /// An element that is defined.
    pub(super) fn element(&mut self, scope: &Scope) -> String {
        let mut element = self.pick(&scope.bound);
        while self.world.has_steady_n && self.rng.chance(20) {
            element = format!("n[{element}]");
        }
        element
    }

    pub(super) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.rng.below(from.len() as u32) as usize].clone()
    }

    pub(super) fn fresh(&mut self, prefix: &str) -> String {
        self.n_names += 1;
        format!("{prefix}{}", self.n_names)
    }

    /// One of the texts whose variable there is.
    pub(super) fn one_of(&mut self, texts: &[(&str, String)]) -> Option<String> {
        let there: Vec<String> = texts
            .iter()
            .filter(|(name, _)| self.world.has(name))
            .map(|(_, text)| text.clone())
            .collect();
        (!there.is_empty()).then(|| self.pick(&there))
    }

    /// Has the model a callable of a kind?
    pub(super) fn callable_of(&mut self, kind: CallableKind) -> Option<String> {
        let fits: Vec<String> = self
            .callables
            .iter()
            .filter(|one| one.kind == kind)
            .map(|one| one.name.clone())
            .collect();
        (!fits.is_empty()).then(|| self.pick(&fits))
    }

    /// A condition.
    pub(super) fn condition(&mut self, scope: &mut Scope, depth: u32) -> String {
        if depth == 0 {
            return self.atom(scope);
        }
        match self.rng.below(16) {
            0..=2 => format!("({} & {})", self.condition(scope, depth - 1), self.atom(scope)),
            3 | 4 => format!("({} | {})", self.condition(scope, depth - 1), self.atom(scope)),
            5 => format!("({} -> {})", self.atom(scope), self.condition(scope, depth - 1)),
            6 | 7 => format!("!({})", self.condition(scope, depth - 1)),
            8..=10 => self.quantified(scope, depth - 1),
            11 => self.several(scope),
            12 => {
                let (left, right) = (self.atom(scope), self.atom(scope));
                format!("({} ? {left} : {right})", self.atom(scope))
            }
            13 => format!("(({}) = ({}))", self.atom(scope), self.condition(scope, depth - 1)),
            _ => self.atom(scope),
        }
    }

    fn quantified(&mut self, scope: &Scope, depth: u32) -> String {
        let name = self.fresh("e");
        let mut inside = scope.with(&name);
        let other = (!scope.bound.is_empty()).then(|| self.element(scope));
        let body = self.condition(&mut inside, depth);
        let (word, joined) = self.pick(&[("forall", "->"), ("exists", "&")]);
        match other {
            Some(other) if self.rng.chance(60) => {
                format!("({word} {name}: P do {name} != {other} {joined} {body} end)")
            }
            _ => format!("({word} {name}: P do {body} end)"),
        }
    }

    /// Are there several different elements of which something is true?
    fn several(&mut self, scope: &Scope) -> String {
        let n = self.pick(&[2, 2, 2, 2, 3, 3, 3, 4]);
        let names: Vec<String> = (0..n).map(|_| self.fresh("e")).collect();
        let atom = self.own_atom("@");
        let mut parts: Vec<String> =
            names.iter().map(|name| format!("({})", atom.replace('@', name))).collect();
        for (idx, name) in names.iter().enumerate() {
            parts.extend(names[idx + 1..].iter().map(|other| format!("{name} != {other}")));
        }
        if !scope.bound.is_empty() && self.rng.chance(40) {
            let other = self.element(scope);
            parts.extend(names.iter().map(|name| format!("{name} != {other}")));
        }
        let heads: String = names.iter().map(|name| format!("exists {name}: P do ")).collect();
        let text = format!("({heads}{}{})", parts.join(" & "), " end".repeat(n));
        if self.rng.chance(50) { format!("!{text}") } else { text }
    }

    /// A condition without operators.
    pub(super) fn atom(&mut self, scope: &mut Scope) -> String {
        for _ in 0..4 {
            if let Some(text) = self.try_atom(scope) {
                return text;
            }
        }
        "true".to_owned()
    }

    fn try_atom(&mut self, scope: &mut Scope) -> Option<String> {
        match self.rng.below(12) {
            0..=3 if !scope.bound.is_empty() => {
                let element = self.element(scope);
                Some(self.own_atom(&element))
            }
            4 => {
                let holder = self.holder(scope)?;
                let (open, joined) = self.pick(&[("!", "&"), ("", "|")]);
                let atom = self.own_atom(&holder);
                Some(format!("({open}isundefined({holder}) {joined} {atom})"))
            }
            5 | 6 => self.comparison(scope),
            7 => {
                let holder = self.holder(scope)?;
                self.world.may_be_undefined(&holder).then(|| format!("isundefined({holder})"))
            }
            8 if !scope.booleans.is_empty() => Some(self.pick(&scope.booleans)),
            9 => {
                let function = self.callable_of(CallableKind::Predicate)?;
                (!scope.bound.is_empty()).then(|| {
                    let element = self.element(scope);
                    format!("{function}({element})")
                })
            }
            10 => self.pair(scope),
            _ => self.shared_atom(),
        }
    }

    /// What may be true of an element.
    pub(super) fn own_atom(&mut self, of: &str) -> String {
        let (state, n) = (self.rng.below(3), self.rng.below(2));
        let texts = [
            ("a", format!("a[{of}]")),
            ("a", format!("!a[{of}]")),
            ("b", format!("b[{of}]")),
            ("s", format!("s[{of}] = S{state}")),
            ("s", format!("s[{of}] != S{state}")),
            ("c", format!("c[{of}] > {n}")),
            ("r", format!("r[{of}].b")),
            ("h", format!("h[{of}][{n}]")),
            ("n", format!("isundefined(n[{of}])")),
            ("u", format!("ismember(u[{of}], P)")),
        ];
        self.one_of(&texts).unwrap_or_else(|| "true".to_owned())
    }

    fn shared_atom(&mut self) -> Option<String> {
        let (state, n) = (self.rng.below(3), self.rng.below(2));
        self.one_of(&[
            ("f", "f".to_owned()),
            ("f", "!f".to_owned()),
            ("t", format!("t = S{state}")),
            ("k", format!("k > {n}")),
            ("g", format!("g.t = S{state}")),
            ("d", format!("d.t = S{state}")),
            ("z", "ismember(z, P)".to_owned()),
        ])
    }

    fn pair(&mut self, scope: &Scope) -> Option<String> {
        if scope.bound.is_empty() || !self.world.has("m") {
            return None;
        }
        let (one, other) = (self.element(scope), self.element(scope));
        Some(format!("m[{one}][{other}]"))
    }

    /// A place that holds an element or nothing.
    pub(super) fn holder(&mut self, scope: &Scope) -> Option<String> {
        let mut texts = vec![
            ("x", "x".to_owned()),
            ("y", "y".to_owned()),
            ("q", format!("q[{}]", self.rng.below(2))),
            ("g", "g.o".to_owned()),
            ("d", "d.o".to_owned()),
        ];
        if !scope.bound.is_empty() {
            let of = self.element(scope);
            texts.extend([("n", format!("n[{of}]")), ("r", format!("r[{of}].o"))]);
        }
        if !scope.local_elements.is_empty() && self.rng.chance(40) {
            return Some(self.pick(&scope.local_elements));
        }
        self.one_of(&texts)
    }

    /// A comparison of elements.
    fn comparison(&mut self, scope: &Scope) -> Option<String> {
        let sign = self.pick(&["=", "=", "!="]);
        if self.rng.chance(25) && scope.bound.len() > 1 {
            return Some(format!("{} {sign} {}", self.element(scope), self.element(scope)));
        }
        if self.rng.chance(20) && self.world.is_scalarset {
            let union = match scope.bound.is_empty() {
                true => ("z", "z".to_owned()),
                false => ("u", format!("u[{}]", self.element(scope))),
            };
            let left = self.one_of(&[("z", "z".to_owned()), union])?;
            let right = match self.rng.chance(50) && !scope.bound.is_empty() {
                true => self.element(scope),
                false => "nil".to_owned(),
            };
            return Some(format!("{left} {sign} {right}"));
        }
        let holder = self.holder(scope)?;
        if self.rng.chance(35) || scope.bound.is_empty() {
            let other = self.holder(scope)?;
            return Some(match self.world.is_scalarset && self.rng.chance(50) {
                true => format!("{holder} {sign} {other}"),
                false => format!(
                    "(!isundefined({holder}) & !isundefined({other}) & {holder} {sign} {other})"
                ),
            });
        }
        let other = self.element(scope);
        Some(match self.world.is_scalarset && self.rng.chance(60) {
            true => format!("{holder} {sign} {other}"),
            false => format!("(!isundefined({holder}) & {holder} {sign} {other})"),
        })
    }
}
