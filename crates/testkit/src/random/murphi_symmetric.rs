//! Random Murphi models that are close to being symmetric: loops, aliases, calls and
//! slots of multisets, used mostly as they should be, and now and then in a way that
//! depends on the order of elements.
//!
//! There is one scalarset `P`. Two rules after each other do what is random; before
//! them `v` and `w` become two different elements.

use std::fmt::Write;

use crate::rng::Rng;

/// The first of the multisets that can be named do not depend on an index.
const N_FIXED: usize = 4;

/// Statements inside of each other.
const MAX_DEPTH: u32 = 3;

/// How often, in percent, a slot is used on some other multiset.
const STRAY_SLOTS: u32 = 2;

/// How often, in percent, a turn of a loop does more than is surely independent.
const STRAY_TURNS: u32 = 15;

/// The text of a random model.
pub fn random(rng: &mut Rng) -> String {
    let mut writer = Writer { rng, n_names: 0, functions: Vec::new() };
    let n_elements = writer.rng.between(2, 3);
    let mut text = format!(
        "type P: scalarset({n_elements}); bag: multiset[4] of P; sum: multiset[4] of 0..3;\n\
         var d: array[P] of 0..3; x: 0..9; y: 0..9; v: P; w: P; at: 0..3; m: bag; n: bag;\n\
         s: array[P] of bag; z: sum; r: array[0..1] of bag; k: 0..1;\n"
    );
    for idx in 0..writer.rng.between(1, 2) {
        text.push_str(&writer.function(idx));
    }
    text.push_str(
        "startstate begin at := 0; k := 0; end;\n\
         ruleset p: P; q: P do rule \"set\" at = 0 & p != q ==> begin\n\
         for i: P do d[i] := 0; multisetadd(p, s[i]); end; d[p] := 1; d[q] := 2; x := 1; y := 2;\n\
         v := p; w := q; multisetadd(p, m); multisetadd(q, m); multisetadd(q, n);\n\
         multisetadd(q, s[p]); multisetadd(1, z); multisetadd(2, z); r[0] := m; r[1] := n;\n\
         at := 1; end; end;\n",
    );
    for at in 1..3 {
        text.push_str(&writer.rule(at));
    }
    text
}

/// A multiset, as it is written, and what is in it.
#[derive(Clone, Debug)]
struct Bag {
    text: String,
    has_elements: bool,
}

/// What can be named at some point of the text.
#[derive(Clone, Debug, Default)]
struct Names {
    elements: Vec<String>,
    numbers: Vec<String>,
    bags: Vec<Bag>,
    slots: Vec<(String, Bag)>,
    depth: u32,
}

struct Writer<'a> {
    rng: &'a mut Rng,
    n_names: u32,
    /// Names of the functions that may be called. Each takes an element and `var` an
    /// element, and gives 0 or 1.
    functions: Vec<String>,
}

impl Writer<'_> {
    fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.rng.below(from.len() as u32) as usize]
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.n_names += 1;
        format!("{prefix}{}", self.n_names)
    }

    fn globals(&mut self) -> Names {
        let bag = |text: &str| Bag { text: text.to_owned(), has_elements: text != "z" };
        Names {
            elements: ["v", "w"].map(str::to_owned).to_vec(),
            numbers: ["x", "y"].map(str::to_owned).to_vec(),
            bags: ["m", "m", "n", "z", "s[v]", "r[k]"].map(bag).to_vec(),
            ..Names::default()
        }
    }

    fn function(&mut self, idx: u32) -> String {
        let mut names = self.globals();
        names.elements.extend(["e", "e", "t"].map(str::to_owned));
        let body = self.block(&names, 2);
        let text = format!(
            "function f{idx}(e: P; var t: P): 0..1;\nbegin\n{body}return {};\nend;\n",
            self.rng.below(2)
        );
        self.functions.push(format!("f{idx}"));
        text
    }

    /// The rule that leads from `at` to the next number.
    fn rule(&mut self, at: u32) -> String {
        let mut names = self.globals();
        let mut head = String::new();
        let mut n_ends = 0;
        if self.rng.chance(50) {
            head.push_str("ruleset p: P do ");
            names.elements.push("p".to_owned());
            names.bags.push(Bag { text: "s[p]".to_owned(), has_elements: true });
            n_ends += 1;
        }
        for _ in 0..self.rng.below(3) {
            let n_fixed = if self.rng.chance(10) { names.bags.len() } else { N_FIXED };
            let bag = self.pick(&names.bags[..n_fixed]).clone();
            let slot = self.fresh("i");
            let _ = write!(head, "choose {slot}: {} do ", bag.text);
            names.slots.push((slot, bag));
            n_ends += 1;
        }
        let n = self.rng.between(2, 4);
        let body = self.block(&names, n);
        let guard = self.condition(&names);
        format!(
            "{head}rule at = {at} & {guard} ==> begin\n{body}at := {};\nend;{}\n",
            at + 1,
            " end;".repeat(n_ends)
        )
    }

    fn block(&mut self, names: &Names, n: u32) -> String {
        (0..n).map(|_| self.statement(names)).collect()
    }

    fn inner(&mut self, names: &Names) -> String {
        let n = self.rng.between(1, 2);
        self.block(&Names { depth: names.depth + 1, ..names.clone() }, n)
    }

    fn statement(&mut self, names: &Names) -> String {
        if names.depth < MAX_DEPTH && self.rng.chance(40) {
            return self.compound(names);
        }
        match self.rng.below(18) {
            0 | 1 => self.addition(names),
            2 => format!("{} := {};\n", self.pick(&["v", "w"]), self.element(names)),
            3 => format!("d[{}] := {};\n", self.element(names), self.small(names)),
            4 => format!("d[{}] := {};\n", self.element(names), self.rng.below(4)),
            5 => format!("{} := {};\n", self.pick(&names.numbers), self.small(names)),
            6 => self.accumulation(names),
            7 if names.slots.is_empty() || self.rng.chance(20) => match self.rng.below(2) {
                0 => format!("undefine {};\n", self.pick(&names.bags).text),
                _ => self.copy(names),
            },
            9 if !names.slots.is_empty() => {
                let (slot, bag) = self.slot(names);
                format!("multisetremove({slot}, {});\n", bag.text)
            }
            10 if !self.functions.is_empty() => format!("x := {};\n", self.call(names)),
            11 if names.slots.is_empty() || self.rng.chance(20) => self.removal(names),
            _ => format!("y := {};\n", self.small(names)),
        }
    }

    fn compound(&mut self, names: &Names) -> String {
        let mut inside = names.clone();
        match self.rng.below(6) {
            0 | 1 => {
                let turn = self.fresh("q");
                inside.elements.extend([turn.clone(), turn.clone(), turn.clone()]);
                let body = match self.rng.chance(STRAY_TURNS) {
                    true => self.inner(&inside),
                    false => self.own_turn(&turn),
                };
                format!("for {turn}: P do\n{body}end;\n")
            }
            2 => {
                let (alias, target) = (self.fresh("c"), format!("d[{}]", self.element(names)));
                inside.numbers.extend([alias.clone(), alias.clone()]);
                format!("alias {alias}: {target} do\n{}end;\n", self.inner(&inside))
            }
            3 if !names.slots.is_empty() => {
                let (alias, (slot, bag)) = (self.fresh("c"), self.slot(names));
                let list =
                    if bag.has_elements { &mut inside.elements } else { &mut inside.numbers };
                list.extend([alias.clone(), alias.clone()]);
                let body = self.inner(&inside);
                format!("alias {alias}: {}[{slot}] do\n{body}end;\n", bag.text)
            }
            _ => {
                let condition = self.condition(names);
                let (yes, no) = (self.inner(names), self.inner(names));
                format!("if {condition} then\n{yes}else\n{no}end;\n")
            }
        }
    }

    /// What turns may do in any order.
    fn own_turn(&mut self, turn: &str) -> String {
        match self.rng.below(5) {
            0 => format!("d[{turn}] := (d[{turn}] + 1) % 4;\n"),
            1 => format!("if {turn} != v then d[{turn}] := d[{turn}] / 2; end;\n"),
            2 => format!("multisetadd({turn}, s[{turn}]);\n"),
            3 => format!("if d[{turn}] = 1 then multisetadd({turn}, m); end;\n"),
            _ => format!("multisetadd(d[{turn}], z);\n"),
        }
    }

    fn addition(&mut self, names: &Names) -> String {
        let bag = self.pick(&names.bags).clone();
        let added = if bag.has_elements { self.element(names) } else { self.small(names) };
        let counted = self.fresh("j");
        format!(
            "if multisetcount({counted}: {0}, true) < 4 then multisetadd({added}, {0}); end;\n",
            bag.text
        )
    }

    fn accumulation(&mut self, names: &Names) -> String {
        let sum = self.pick(&["x", "y"]);
        let added = match self.functions.is_empty() || self.rng.chance(60) {
            true => self.small(names),
            false => self.call(names),
        };
        format!("if {sum} < 5 then {sum} := {sum} + {added}; end;\n")
    }

    fn copy(&mut self, names: &Names) -> String {
        match self.rng.below(3) {
            0 => "k := 1 - k;\n".to_owned(),
            1 => format!("s[{}] := {};\n", self.element(names), self.pick(&["m", "n"])),
            _ => "m := n;\n".to_owned(),
        }
    }

    fn removal(&mut self, names: &Names) -> String {
        let bag = self.pick(&names.bags).clone();
        let slot = self.fresh("j");
        let mut inside = names.clone();
        inside.slots.clear();
        if self.rng.chance(5) {
            inside.slots.clone_from(&names.slots);
        }
        inside.slots.extend([(slot.clone(), bag.clone()), (slot.clone(), bag.clone())]);
        format!("multisetremovepred({slot}: {}, {});\n", bag.text, self.condition(&inside))
    }

    fn call(&mut self, names: &Names) -> String {
        let function = self.pick(&self.functions.clone()).clone();
        format!("{function}({}, {})", self.element(names), self.pick(&["v", "w"]))
    }

    /// A slot and the multiset that it is used on.
    fn slot(&mut self, names: &Names) -> (String, Bag) {
        let (slot, home) = self.pick(&names.slots).clone();
        if self.rng.chance(STRAY_SLOTS) {
            return (slot, self.pick(&names.bags).clone());
        }
        (slot, home)
    }

    fn element(&mut self, names: &Names) -> String {
        if !names.slots.is_empty() && self.rng.chance(35) {
            let (slot, bag) = self.slot(names);
            if bag.has_elements {
                return format!("{}[{slot}]", bag.text);
            }
        }
        self.pick(&names.elements).clone()
    }

    /// A number between 0 and 3.
    fn small(&mut self, names: &Names) -> String {
        match self.rng.below(4) {
            0 => self.rng.below(4).to_string(),
            1 => format!("{} % 4", self.pick(&names.numbers)),
            2 => {
                let (slot, bag) = (self.fresh("j"), self.pick(&names.bags).clone());
                format!("multisetcount({slot}: {}, true) % 4", bag.text)
            }
            _ => format!("d[{}]", self.element(names)),
        }
    }

    fn condition(&mut self, names: &Names) -> String {
        match self.rng.below(7) {
            0 => format!("{} = {}", self.element(names), self.element(names)),
            1 => format!("{} != {}", self.element(names), self.element(names)),
            2 => format!("isundefined({})", self.element(names)),
            3 if names.slots.len() > 1 => {
                let (left, right) = (self.slot(names).0, self.slot(names).0);
                format!("{left} = {right}")
            }
            4 => format!("({} | {})", self.condition(names), self.condition(names)),
            _ => format!("{} = {}", self.small(names), self.rng.below(3)),
        }
    }
}
