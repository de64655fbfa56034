//! Random Murphi statements, one on each line, so that a failing model can be made
//! smaller line by line.

use super::expr::{Name, Role, Writer};
use super::world::{Kind, TypeIdx, pick};

/// Lines of text that know how deep they stand.
#[derive(Debug, Default)]
pub struct Lines {
    /// The text so far.
    pub text: String,
    depth: usize,
}

impl Lines {
    /// Adds a line.
    pub fn line(&mut self, line: &str) {
        self.text.push_str(&"  ".repeat(self.depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Adds lines that stand deeper.
    pub fn nest(&mut self, write: impl FnOnce(&mut Lines)) {
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }
}

impl Writer<'_> {
    /// One to three statements.
    pub fn block(&mut self, depth: u32, out: &mut Lines) {
        let before = std::mem::replace(&mut self.effects, !self.symmetric);
        out.nest(|out| {
            for _ in 0..self.rng.between(1, 3) {
                self.statement(depth, out);
            }
        });
        self.effects = before;
    }

    fn statement(&mut self, depth: u32, out: &mut Lines) {
        if depth == 0 {
            return self.assignment(out);
        }
        if self.rng.chance(12) && self.spelled_out(depth - 1, out).is_some() {
            return;
        }
        match self.rng.below(20) {
            0 | 1 => self.conditional(depth - 1, out),
            2 => self.switch(depth - 1, out),
            3 | 4 | 15 | 16 => self.each(depth - 1, out),
            5 => self.count_up(depth - 1, out),
            6 => self.alias(depth - 1, out),
            7 => self.forget(out),
            8 => self.reset(out),
            9 => self.called_procedure(out),
            10 | 11 => self.add_element(out),
            12 => self.remove_elements(out),
            13 if self.rng.chance(self.risk * 2) => self.claim(out),
            14 => self.count_down(out),
            _ => self.assignment(out),
        }
    }

    fn assignment(&mut self, out: &mut Lines) {
        let types: Vec<TypeIdx> = self.world.used_types();
        for _ in 0..8 {
            let ty = pick(self.rng, &types);
            if matches!(self.world.kind(ty), Kind::Multiset { .. }) {
                continue;
            }
            let Some(target) = self.place(ty, true) else { continue };
            // Copying a place may copy that it is undefined.
            let copies = !self.world.is_simple(ty) || self.rng.chance(20);
            let value = if copies { self.place(ty, false) } else { self.value(ty, 2) };
            if let Some(value) = value.filter(|value| *value != target) {
                return out.line(&format!("{target} := {value};"));
            }
        }
    }

    /// A statement that can be written in two ways, with the result of a call in a
    /// variable of its own or without.
    fn spelled_out(&mut self, depth: u32, out: &mut Lines) -> Option<()> {
        if self.temporaries.is_empty() {
            return None;
        }
        if self.rng.chance(50) {
            self.stored_result(out)
        } else {
            self.compared_element(depth, out)
        }
    }

    /// `place := f(…)` where `f` gives a record.
    fn stored_result(&mut self, out: &mut Lines) -> Option<()> {
        let mut wholes: Vec<TypeIdx> =
            self.functions.iter().filter_map(|one| one.returns).collect();
        wholes.retain(|ty| !self.world.is_simple(*ty));
        let ty = pick(self.rng, wholes.first().map(|_| wholes.as_slice())?);
        let (target, call) = (self.place(ty, true)?, self.called(ty, 1)?);
        if self.spelled_out {
            let temporary = self.temporary(ty)?;
            out.line(&format!("{temporary} := {call};"));
            out.line(&format!("{target} := {temporary};"));
        } else {
            out.line(&format!("{target} := {call};"));
        }
        Some(())
    }

    /// `if array[f(…)] = place then … end`.
    fn compared_element(&mut self, depth: u32, out: &mut Lines) -> Option<()> {
        let arrays =
            self.world.variables.iter().filter_map(|(name, ty)| match self.world.kind(*ty) {
                Kind::Array { index, element } if self.world.is_simple(*element) => {
                    Some((name.clone(), *index, *element))
                }
                _ => None,
            });
        let mut arrays: Vec<(String, TypeIdx, TypeIdx)> = arrays.collect();
        arrays.retain(|(_, index, _)| self.temporary(*index).is_some());
        let (array, index, element) = pick(self.rng, arrays.first().map(|_| arrays.as_slice())?);
        let call = self.called(index, 0)?;
        let before = std::mem::replace(&mut self.effects, false);
        let other = self.place(element, false);
        self.effects = before;
        let (other, operator) = (other?, pick(self.rng, &["=", "!="]));
        if self.spelled_out {
            let temporary = self.temporary(index)?;
            out.line(&format!("{temporary} := {call};"));
            out.line(&format!("if {array}[{temporary}] {operator} {other} then"));
        } else {
            out.line(&format!("if {array}[{call}] {operator} {other} then"));
        }
        self.block(depth, out);
        out.line("end;");
        Some(())
    }

    fn temporary(&self, ty: TypeIdx) -> Option<String> {
        self.temporaries.iter().find(|(_, of)| *of == ty).map(|(name, _)| name.clone())
    }

    fn conditional(&mut self, depth: u32, out: &mut Lines) {
        out.line(&format!("if {} then", self.condition(1)));
        self.block(depth, out);
        if self.rng.chance(30) {
            out.line(&format!("elsif {} then", self.condition(1)));
            self.block(depth, out);
        }
        if self.rng.chance(40) {
            out.line("else");
            self.block(depth, out);
        }
        out.line("end;");
    }

    fn switch(&mut self, depth: u32, out: &mut Lines) {
        let types = self.world.simple_types().into_iter();
        let types: Vec<TypeIdx> = types.filter(|ty| !self.world.is_fragile(*ty)).collect();
        let ty = pick(self.rng, &types);
        let Some(subject) = self.value(ty, 1) else { return };
        out.line(&format!("switch {subject}"));
        for _ in 0..self.rng.between(1, 2) {
            let Some(value) = self.literal(ty) else { continue };
            out.line(&format!("case {value}:"));
            self.block(depth, out);
        }
        if self.rng.chance(50) {
            out.line("else");
            self.block(depth, out);
        }
        out.line("end;");
    }

    /// `for` over a type. In symmetric models each turn touches its own elements.
    fn each(&mut self, depth: u32, out: &mut Lines) {
        let simple = self.world.simple_types();
        let ty = pick(self.rng, &simple);
        let name = self.fresh("e");
        let is_fragile = self.world.is_fragile(ty);
        let is_free = !is_fragile || (!self.symmetric && self.rng.chance(80));
        if is_free {
            out.line(&format!("for {name}: {} do", self.world.name(ty)));
            let bound = Name { text: name, ty, role: Role::Value };
            // Loops with a single assignment are those that may be independent.
            let is_short = is_fragile && self.rng.chance(70);
            self.with(bound, |writer| match is_short {
                true => out.nest(|out| writer.assignment(out)),
                false => writer.block(depth, out),
            });
            return out.line("end;");
        }
        let arrays: Vec<(String, TypeIdx)> = self
            .world
            .variables
            .iter()
            .filter_map(|(text, of)| match self.world.kind(*of) {
                Kind::Array { index, element } if *index == ty => Some((text.clone(), *element)),
                _ => None,
            })
            .collect();
        if arrays.is_empty() {
            return;
        }
        let (array, element) = pick(self.rng, &arrays);
        out.line(&format!("for {name}: {} do", self.world.name(ty)));
        out.nest(|out| self.own_element(&format!("{array}[{name}]"), element, out));
        out.line("end;");
    }

    fn own_element(&mut self, place: &str, ty: TypeIdx, out: &mut Lines) {
        let change = match self.literal(ty) {
            Some(literal) if self.rng.chance(80) => format!("{place} := {literal};"),
            _ => format!("undefine {place};"),
        };
        match self.literal(ty) {
            Some(literal) if self.rng.chance(50) => {
                out.line(&format!("if !isundefined({place}) & {place} = {literal} then"));
                out.nest(|out| out.line(&change));
                out.line("end;");
            }
            _ => out.line(&change),
        }
    }

    fn count_up(&mut self, depth: u32, out: &mut Lines) {
        let name = self.fresh("n");
        let by = if self.rng.chance(30) { " by 2" } else { "" };
        let last = self.rng.between(1, 3);
        out.line(&format!("for {name} := 1 to {last}{by} do"));
        self.block(depth, out);
        out.line("end;");
    }

    fn count_down(&mut self, out: &mut Lines) {
        let range =
            self.world.simple_types().into_iter().find_map(|ty| match self.world.kind(ty) {
                Kind::Range { first, .. } => Some((ty, *first)),
                _ => None,
            });
        let Some((ty, first)) = range else { return };
        // With effects it might never end.
        let before = std::mem::replace(&mut self.effects, false);
        let place = self.place(ty, true);
        self.effects = before;
        let Some(place) = place else { return };
        out.line(&format!("while {place} > {first} do"));
        out.nest(|out| out.line(&format!("{place} := {place} - 1;")));
        out.line("end;");
    }

    fn alias(&mut self, depth: u32, out: &mut Lines) {
        let types: Vec<TypeIdx> = self.world.used_types();
        let ty = pick(self.rng, &types);
        let Some(place) = self.place(ty, true) else { return };
        let name = self.fresh("a");
        out.line(&format!("alias {name}: {place} do"));
        let bound = Name { text: name, ty, role: Role::Variable };
        self.with(bound, |writer| writer.block(depth, out));
        out.line("end;");
    }

    /// `undefine`, mostly of what is read with care.
    fn forget(&mut self, out: &mut Lines) {
        let types: Vec<TypeIdx> = self.world.used_types();
        let ty = pick(self.rng, &types);
        let is_safe = self.world.is_fragile(ty) || self.rng.chance(self.risk);
        if let (true, Some(place)) = (is_safe, self.place(ty, true)) {
            out.line(&format!("undefine {place};"));
        }
    }

    fn reset(&mut self, out: &mut Lines) {
        let types = self.world.simple_types().into_iter();
        let types: Vec<TypeIdx> = types.filter(|ty| !self.world.is_fragile(*ty)).collect();
        let ty = pick(self.rng, &types);
        if let Some(place) = self.place(ty, true) {
            out.line(&format!("clear {place};"));
        }
    }

    fn called_procedure(&mut self, out: &mut Lines) {
        let procedures = self.functions.iter().filter(|function| function.returns.is_none());
        let procedures: Vec<_> = procedures.cloned().collect();
        if procedures.is_empty() {
            return;
        }
        let procedure = pick(self.rng, &procedures);
        if let Some(call) = self.call(&procedure, 1) {
            out.line(&format!("{call};"));
        }
    }

    fn add_element(&mut self, out: &mut Lines) {
        let Some((bag, capacity, element)) = self.multiset() else { return self.assignment(out) };
        let value = match self.world.is_simple(element) {
            true => self.value(element, 1),
            false => self.place(element, false),
        };
        let Some(value) = value else { return };
        let add = format!("multisetadd({value}, {bag});");
        if self.rng.chance(self.risk) {
            return out.line(&add);
        }
        let slot = self.fresh("s");
        out.line(&format!("if multisetcount({slot}: {bag}, true) < {capacity} then"));
        out.nest(|out| out.line(&add));
        out.line("end;");
    }

    fn remove_elements(&mut self, out: &mut Lines) {
        if let Some((slot, bag, _)) = self.slots.pop() {
            return out.line(&format!("multisetremove({slot}, {bag});"));
        }
        let Some((bag, _, element)) = self.multiset() else { return self.assignment(out) };
        let slot = self.fresh("s");
        self.slots.push((slot.clone(), bag.clone(), element));
        let condition = self.condition(1);
        self.slots.pop();
        out.line(&format!("multisetremovepred({slot}: {bag}, {condition});"));
    }

    /// Something that is an error where it is false, or that ends the rule.
    fn claim(&mut self, out: &mut Lines) {
        let condition = self.condition(1);
        match self.rng.below(6) {
            0 => out.line(&format!("assert {condition} \"claim\";")),
            1 => out.line(&format!("if {condition} then error \"reached\"; end;")),
            2 => out.line(&format!("assume {condition};")),
            3 => out.line(&format!("cover {condition};")),
            _ => out.line(&format!("put {condition};")),
        }
    }
}
