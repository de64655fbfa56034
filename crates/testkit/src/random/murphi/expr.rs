//! Random well-typed Murphi expressions over the names that are in scope.
//!
//! Values of scalarsets and unions are often undefined, so reading one is mostly
//! guarded by `isundefined`; otherwise nearly every model would end in a fault.

use super::world::{BOOLEAN, Kind, TypeIdx, World, pick};
use crate::rng::Rng;

/// A name in scope.
#[derive(Clone, Debug)]
pub struct Name {
    /// What is written.
    pub text: String,
    /// Its type.
    pub ty: TypeIdx,
    /// What may be done with it.
    pub role: Role,
}

/// What may be done with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Read and written.
    Variable,
    /// Read; it may be undefined.
    ReadOnly,
    /// Read; it always has a value.
    Value,
}

/// A function or procedure that may be called.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Its name.
    pub name: String,
    /// Types of its parameters, and whether they are `var`.
    pub parameters: Vec<(TypeIdx, bool)>,
    /// What it returns.
    pub returns: Option<TypeIdx>,
    /// May it change the state?
    pub writes: bool,
    /// May it meet a false `assume`?
    pub drops: bool,
}

/// Writes expressions and statements.
pub struct Writer<'a> {
    /// The dice.
    pub rng: &'a mut Rng,
    /// Types and variables.
    pub world: &'a World,
    /// What may be called.
    pub functions: &'a [Signature],
    /// What is in scope, state variables included.
    pub names: Vec<Name>,
    /// Slots of multisets in scope: the slot's name, the multiset, its element type.
    pub slots: Vec<(String, String, TypeIdx)>,
    /// Must no loop depend on the order of a scalarset?
    pub symmetric: bool,
    /// How often, in percent, something is done that may be a fault.
    pub risk: u32,
    /// May functions with effects be called here?
    pub effects: bool,
    /// Variables that nothing but `Writer::spelled_out` uses, with their types.
    pub temporaries: Vec<(String, TypeIdx)>,
    /// Are results of some calls put into a temporary first? That changes nothing
    /// but the text.
    pub spelled_out: bool,
    n_fresh: u32,
}

/// One step into a place.
#[derive(Clone, Debug)]
enum Step {
    Field(String),
    Index(TypeIdx),
}

impl<'a> Writer<'a> {
    /// A writer with the state variables in scope.
    pub fn new(rng: &'a mut Rng, world: &'a World, functions: &'a [Signature]) -> Writer<'a> {
        let names = world.variables.iter().map(|(text, ty)| Name {
            text: text.clone(),
            ty: *ty,
            role: Role::Variable,
        });
        let names = names.collect();
        Writer {
            rng,
            world,
            functions,
            names,
            slots: Vec::new(),
            symmetric: true,
            risk: 0,
            effects: false,
            temporaries: Vec::new(),
            spelled_out: false,
            n_fresh: 0,
        }
    }

    /// A name that is not in use.
    pub fn fresh(&mut self, stem: &str) -> String {
        self.n_fresh += 1;
        format!("{stem}{}", self.n_fresh)
    }

    /// Puts a name in scope while `write` runs.
    pub fn with<T>(&mut self, name: Name, write: impl FnOnce(&mut Self) -> T) -> T {
        self.names.push(name);
        let result = write(self);
        self.names.pop();
        result
    }

    /// A condition.
    pub fn condition(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.comparison(0);
        }
        match self.rng.below(14) {
            0 => format!("({} & {})", self.condition(depth - 1), self.condition(depth - 1)),
            1 => format!("({} | {})", self.condition(depth - 1), self.condition(depth - 1)),
            2 => format!("!{}", self.condition(depth - 1)),
            3 => format!("({} -> {})", self.condition(depth - 1), self.condition(depth - 1)),
            4 | 5 => self.quantified(depth - 1),
            6 => self.is_undefined(),
            7 => self.is_member(),
            8 => self.count(depth - 1),
            9 => self.called(BOOLEAN, depth - 1).unwrap_or_else(|| self.comparison(depth)),
            10 => self.same_record().unwrap_or_else(|| self.comparison(depth)),
            _ => self.comparison(depth),
        }
    }

    /// An expression of simple type; `None` where there is none that is symmetric.
    pub fn value(&mut self, ty: TypeIdx, depth: u32) -> Option<String> {
        let is_union = matches!(self.world.kind(ty), Kind::Union { .. });
        if depth > 0 && !is_union && self.rng.chance(12) {
            let left = self.value(ty, depth - 1)?;
            let right = self.value(ty, depth - 1)?;
            return Some(format!("({} ? {left} : {right})", self.condition(depth - 1)));
        }
        if depth > 0
            && self.rng.chance(10)
            && let Some(call) = self.called(ty, depth - 1)
        {
            return Some(call);
        }
        match self.world.kind(ty).clone() {
            Kind::Boolean if depth > 0 && self.rng.chance(40) => Some(self.condition(depth - 1)),
            Kind::Range { first, last } if depth > 0 && self.rng.chance(50) => {
                Some(self.arithmetic(ty, (first, last), depth - 1))
            }
            Kind::Union { scalarset, literal } => match self.rng.below(3) {
                0 => Some(literal),
                1 => self.value(scalarset, depth).or(Some(literal)),
                _ => self.read(ty).or(Some(literal)),
            },
            Kind::Scalarset { .. } => self.bound(ty).or_else(|| self.read(ty)),
            _ if self.rng.chance(45) => self.read(ty).or_else(|| self.literal(ty)),
            _ => self.bound(ty).or_else(|| self.literal(ty)),
        }
    }

    /// A constant; scalarsets have none.
    pub fn literal(&mut self, ty: TypeIdx) -> Option<String> {
        match self.world.kind(ty) {
            Kind::Boolean => Some(if self.rng.chance(50) { "true" } else { "false" }.into()),
            Kind::Range { first, last } => {
                Some((first + self.rng.below((last - first + 1) as u32) as i32).to_string())
            }
            Kind::Enum { literals } => Some(pick(self.rng, literals)),
            Kind::Union { literal, .. } => Some(literal.clone()),
            _ => None,
        }
    }

    /// A place of exactly this type, perhaps one that may be assigned.
    pub fn place(&mut self, ty: TypeIdx, writable: bool) -> Option<String> {
        let roots: Vec<(String, TypeIdx)> = self
            .names
            .iter()
            .filter(|name| name.role == Role::Variable || (!writable && name.role != Role::Value))
            .map(|name| (name.text.clone(), name.ty))
            .chain(
                self.slots.iter().map(|(slot, bag, element)| (format!("{bag}[{slot}]"), *element)),
            )
            .collect();
        let mut found = Vec::new();
        for (text, root) in roots {
            self.paths(root, ty, &mut Vec::new(), &mut |path| found.push((text.clone(), path)));
        }
        if found.is_empty() {
            return None;
        }
        (0..4).find_map(|_| {
            let (text, path) = pick(self.rng, &found);
            self.along(text, path)
        })
    }

    /// Follows a path; `None` where an index is a scalarset of which no value is in
    /// scope.
    fn along(&mut self, mut text: String, path: Vec<Step>) -> Option<String> {
        for step in path {
            match step {
                Step::Field(name) => text.push_str(&format!(".{name}")),
                Step::Index(index) => text.push_str(&format!("[{}]", self.index(index)?)),
            }
        }
        Some(text)
    }

    fn paths(
        &self,
        from: TypeIdx,
        to: TypeIdx,
        path: &mut Vec<Step>,
        found: &mut dyn FnMut(Vec<Step>),
    ) {
        if from == to {
            found(path.clone());
        }
        match self.world.kind(from) {
            Kind::Record { fields } => {
                for (name, ty) in fields {
                    path.push(Step::Field(name.clone()));
                    self.paths(*ty, to, path, found);
                    path.pop();
                }
            }
            Kind::Array { index, element } => {
                path.push(Step::Index(*index));
                self.paths(*element, to, path, found);
                path.pop();
            }
            _ => {}
        }
    }

    fn index(&mut self, ty: TypeIdx) -> Option<String> {
        if let Kind::Union { scalarset, literal } = self.world.kind(ty).clone() {
            return match self.bound(ty).or_else(|| self.bound(scalarset)) {
                Some(bound) if self.rng.chance(70) => Some(bound),
                _ => Some(literal),
            };
        }
        if self.rng.chance(self.risk) {
            return self.value(ty, 1);
        }
        if self.effects
            && self.rng.chance(10)
            && let Some(call) = self.called(ty, 0)
        {
            return Some(call);
        }
        self.bound(ty).or_else(|| self.literal(ty))
    }

    /// A name of this type that always has a value.
    fn bound(&mut self, ty: TypeIdx) -> Option<String> {
        let bound = self.names.iter().filter(|name| name.role == Role::Value && name.ty == ty);
        let bound: Vec<String> = bound.map(|name| name.text.clone()).collect();
        (!bound.is_empty()).then(|| pick(self.rng, &bound))
    }

    fn read(&mut self, ty: TypeIdx) -> Option<String> {
        let is_safe = !self.world.is_fragile(ty) || self.rng.chance(self.risk);
        if is_safe { self.place(ty, false) } else { None }
    }

    /// A comparison that is not evidently true, where a few attempts find one.
    fn comparison(&mut self, depth: u32) -> String {
        for _ in 0..6 {
            let text = self.any_comparison(depth);
            if text != "true" {
                return text;
            }
        }
        "true".into()
    }

    fn any_comparison(&mut self, depth: u32) -> String {
        let simple = self.world.simple_types();
        let ty = pick(self.rng, &simple);
        let depth = depth.saturating_sub(1);
        if self.world.is_fragile(ty) {
            return self.guarded_comparison(ty);
        }
        let left = if self.rng.chance(70) { self.place(ty, false) } else { self.value(ty, depth) };
        let (Some(left), Some(right)) = (left, self.value(ty, depth)) else {
            return "true".into();
        };
        if left == right {
            return "true".into();
        }
        let operators: &[&str] = match self.world.kind(ty) {
            Kind::Range { .. } => &["=", "!=", "<", "<=", ">", ">="],
            _ => &["=", "!="],
        };
        let operator = pick(self.rng, operators);
        let open = |text: String| match text.starts_with('!') {
            true => format!("({text})"),
            false => text,
        };
        format!("({} {operator} {})", open(left), open(right))
    }

    fn guarded_comparison(&mut self, ty: TypeIdx) -> String {
        let other = match self.world.kind(ty).clone() {
            Kind::Union { scalarset, literal } => self.bound(scalarset).or(Some(literal)),
            _ => self.bound(ty),
        };
        let (Some(place), Some(other)) = (self.place(ty, false), other) else {
            return "true".into();
        };
        match self.rng.below(3) {
            0 => format!("(isundefined({place}) | {place} != {other})"),
            1 => format!("(!isundefined({place}) -> {place} = {other})"),
            _ => format!("(!isundefined({place}) & {place} = {other})"),
        }
    }

    fn arithmetic(&mut self, ty: TypeIdx, (first, last): (i32, i32), depth: u32) -> String {
        let left = self.value(ty, depth).unwrap_or_else(|| first.to_string());
        let right = self.value(ty, depth).unwrap_or_else(|| last.to_string());
        let risky = match self.rng.below(6) {
            0 => format!("({left} - {right})"),
            1 => format!("({left} * {right})"),
            2 if self.rng.chance(self.risk) => format!("({left} / {right})"),
            3 if self.rng.chance(self.risk) => format!("({left} % {right})"),
            4 => format!("(-({left}))"),
            _ => format!("({left} + {right})"),
        };
        if self.rng.chance(self.risk) {
            return risky;
        }
        // The remainder brings any number back into the range.
        let n = last - first + 1;
        format!("((({risky} - ({first})) % {n} + {n}) % {n} + ({first}))")
    }

    fn quantified(&mut self, depth: u32) -> String {
        let simple = self.world.simple_types();
        let ty = pick(self.rng, &simple);
        let name = self.fresh("q");
        let bound = Name { text: name.clone(), ty, role: Role::Value };
        let body = self.with(bound, |writer| writer.condition(depth));
        let word = if self.rng.chance(50) { "forall" } else { "exists" };
        format!("({word} {name}: {} do {body} end)", self.world.name(ty))
    }

    fn is_undefined(&mut self) -> String {
        let simple = self.world.simple_types();
        let ty = pick(self.rng, &simple);
        match self.place(ty, false) {
            Some(place) => format!("isundefined({place})"),
            None => self.comparison(1),
        }
    }

    fn is_member(&mut self) -> String {
        let unions = self.world.simple_types().into_iter();
        let union =
            unions.map(|ty| (ty, self.world.kind(ty).clone())).find_map(|(ty, kind)| match kind {
                Kind::Union { scalarset, .. } => Some((ty, scalarset)),
                _ => None,
            });
        let Some((ty, scalarset)) = union else { return self.comparison(1) };
        let Some(place) = self.place(ty, false) else { return self.comparison(1) };
        let name = self.world.name(scalarset);
        format!("(!isundefined({place}) & ismember({place}, {name}))")
    }

    fn count(&mut self, depth: u32) -> String {
        let Some((bag, capacity, element)) = self.multiset() else { return self.comparison(depth) };
        let slot = self.fresh("s");
        self.slots.push((slot.clone(), bag.clone(), element));
        let body = self.condition(depth);
        self.slots.pop();
        let operator = pick(self.rng, &["<", "=", ">="]);
        let n = self.rng.below(capacity + 1);
        format!("(multisetcount({slot}: {bag}, {body}) {operator} {n})")
    }

    /// A multiset in scope, with its capacity and element type.
    pub fn multiset(&mut self) -> Option<(String, u32, TypeIdx)> {
        let types = (0..self.world.types.len()).map(TypeIdx);
        let found =
            types.map(|ty| (ty, self.world.kind(ty).clone())).find_map(|(ty, kind)| match kind {
                Kind::Multiset { capacity, element } => Some((ty, capacity, element)),
                _ => None,
            });
        let (ty, capacity, element) = found?;
        Some((self.place(ty, true)?, capacity, element))
    }

    fn same_record(&mut self) -> Option<String> {
        let types = (0..self.world.types.len()).map(TypeIdx);
        let record =
            types.into_iter().find(|ty| matches!(self.world.kind(*ty), Kind::Record { .. }))?;
        let (left, right) = (self.place(record, false)?, self.place(record, false)?);
        let operator = pick(self.rng, &["=", "!="]);
        Some(format!("({left} {operator} {right})"))
    }

    /// A call of a function that returns `ty`, and has effects only where that is
    /// allowed.
    pub fn called(&mut self, ty: TypeIdx, depth: u32) -> Option<String> {
        let fitting = self
            .functions
            .iter()
            .filter(|function| function.returns == Some(ty) && (self.effects || !function.writes));
        let fitting: Vec<Signature> = fitting.cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let function = pick(self.rng, &fitting);
        self.call(&function, depth)
    }

    /// A call with random arguments.
    pub fn call(&mut self, function: &Signature, depth: u32) -> Option<String> {
        let mut arguments = Vec::new();
        for (ty, by_reference) in &function.parameters {
            arguments.push(match by_reference {
                true => self.place(*ty, true)?,
                false => self.value(*ty, depth)?,
            });
        }
        Some(format!("{}({})", function.name, arguments.join(", ")))
    }
}
