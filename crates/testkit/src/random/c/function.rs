//! Random functions that compute a number: all integer types, a little floating
//! point, arrays, structs, bit fields, unions, pointers, loops, switches, recursion.

use super::expression::{Expressions, Place, converted, whole};
use super::given::{GATHER, wide};
use super::types::{INT, Type, U64};
use crate::rng::Rng;

/// Functions of one file, which are called by its `main` one after the other.
#[derive(Clone, Debug)]
pub struct Functions {
    /// Types and variables.
    pub record: String,
    /// The functions, each of which may call some of those before it.
    pub bodies: Vec<String>,
    /// A call of each, whose result is `u64`.
    pub calls: Vec<String>,
}

/// Calls that lead to calls, at most.
const MAX_LEVEL: u32 = 3;
/// Blocks within blocks.
const MAX_NESTING: u32 = 3;

/// `n` functions; `wraps` says whether signed arithmetic wraps around.
pub fn functions(rng: &mut Rng, n: u32, wraps: bool) -> Functions {
    let (record, fields) = record(rng);
    let mut made = Functions { record, bodies: Vec::new(), calls: Vec::new() };
    let mut levels: Vec<u32> = Vec::new();
    for number in 0..n {
        let mut writer = Writer::new(rng, wraps, &fields, &levels);
        let level = writer.function(number);
        made.bodies.push(writer.lines.join("\n") + "\n");
        levels.push(level);
        let arguments = (rng.below(4), rng.below(300), rng.next_u64() >> rng.below(64));
        made.calls
            .push(format!("@f{number}({}, {}, {}ull)", arguments.0, arguments.1, arguments.2));
    }
    made
}

/// Some types, tables and global variables.
fn record(rng: &mut Rng) -> (String, Vec<Field>) {
    let mut fields = Vec::new();
    let mut lines = vec!["struct @S {".to_owned()];
    for number in 0..rng.between(2, 5) {
        let name = format!("f{number}");
        if rng.chance(30) {
            let (is_signed, bits) = (rng.chance(50), rng.between(1, 31));
            let base = if is_signed { "int" } else { "unsigned" };
            lines.push(format!("  {base} {name} : {bits};"));
            fields.push(Field { name, ty: INT, is_bits: true });
        } else {
            let ty = Type::integer(rng);
            lines.push(format!("  {} {name};", ty.name()));
            fields.push(Field { name, ty, is_bits: false });
        }
    }
    lines.push("};".into());
    lines.push("union @U { u32 w; u8 b[4]; u16 h[2]; i8 s; };".into());
    lines.push("i32 @g0 = 5;".into());
    lines.push("u16 @g1;".into());
    lines.push("i64 @g2[4] = {1, -2, 3};".into());
    lines.push("static const u8 @table[8] = {3, 1, 4, 1, 5, 9, 2, 6};".into());
    lines.push("struct @S @gs;".into());
    let assigned: Vec<String> = fields
        .iter()
        .map(|field| {
            format!("  s.{} = (({})(k + {}));", field.name, field.ty.name(), rng.below(99))
        })
        .collect();
    lines.push("static struct @S @changed(struct @S s, u32 k) {".into());
    lines.extend(assigned);
    lines.push("  return s;".into());
    lines.push("}".into());
    (lines.join("\n") + "\n" + GATHER + &wide(rng), fields)
}

#[derive(Clone, Debug)]
struct Field {
    name: String,
    ty: Type,
    is_bits: bool,
}

struct Writer<'r> {
    expressions: Expressions<'r>,
    fields: &'r [Field],
    levels: &'r [u32],
    lines: Vec<String>,
    arrays: Vec<(String, Type)>,
    pointers: Vec<(String, Type)>,
    nesting: u32,
    loops: u32,
    n_names: u32,
    level: u32,
    recurses: bool,
}

impl<'r> Writer<'r> {
    fn new(rng: &'r mut Rng, wraps: bool, fields: &'r [Field], levels: &'r [u32]) -> Writer<'r> {
        Writer {
            expressions: Expressions { rng, places: Vec::new(), wraps },
            fields,
            levels,
            lines: Vec::new(),
            arrays: Vec::new(),
            pointers: Vec::new(),
            nesting: 1,
            loops: 0,
            n_names: 0,
            level: 0,
            recurses: false,
        }
    }

    fn line(&mut self, text: impl AsRef<str>) {
        let indent = "  ".repeat(self.nesting as usize);
        self.lines.push(format!("{indent}{}", text.as_ref()));
    }

    fn open(&mut self, text: impl AsRef<str>) {
        self.line(text);
        self.nesting += 1;
    }

    fn close(&mut self) {
        self.nesting -= 1;
        self.line("}");
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.expressions.rng.below(bound)
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.expressions.rng.chance(percent)
    }

    fn name(&mut self, stem: &str) -> String {
        self.n_names += 1;
        format!("{stem}{}", self.n_names)
    }

    fn place(&mut self, text: &str, ty: Type, has_address: bool) {
        let place = Place { text: text.into(), ty, is_writable: true, has_address };
        self.expressions.places.push(place);
    }

    /// Writes a function; gives how deep its calls go.
    fn function(&mut self, number: u32) -> u32 {
        self.lines.push(format!("u64 @f{number}(i32 n, i16 a, u64 b) {{"));
        let read_only = Place { text: "n".into(), ty: INT, is_writable: false, has_address: false };
        self.expressions.places.push(read_only);
        self.place("a", Type::Int { bits: 16, is_signed: true }, true);
        self.place("b", U64, true);
        self.line("u64 h = 17;");
        self.locals();
        for _ in 0..self.expressions.rng.between(3, 8) {
            self.statement(number);
        }
        let places = self.expressions.places.clone();
        for place in places {
            let sum = whole(super::expression::Expr { text: place.text, ty: place.ty });
            self.line(format!("h = h * 31 + (u64){};", sum.text));
        }
        self.line("return h;");
        self.lines.push("}".into());
        self.level
    }

    fn locals(&mut self) {
        for _ in 0..self.expressions.rng.between(2, 4) {
            let (name, ty) = (self.name("x"), Type::any(self.expressions.rng));
            let value = self.expressions.of(ty, 1);
            let keeps = if self.chance(10) { "volatile " } else { "" };
            self.line(format!("{keeps}{} {name} = {value};", ty.name()));
            self.place(&name, ty, keeps.is_empty());
        }
        if self.chance(60) {
            self.array();
        }
        if self.chance(50) {
            self.structure();
        }
        if self.chance(20) {
            let name = self.name("w");
            self.line(format!("union @U {name} = {{0}};"));
            let u8_type = Type::Int { bits: 8, is_signed: false };
            self.place(&format!("{name}.w"), INT.unsigned(), true);
            self.place(&format!("{name}.b[1]"), u8_type, true);
            self.place(&format!("{name}.h[1]"), Type::Int { bits: 16, is_signed: false }, true);
            self.place(&format!("{name}.s"), Type::Int { bits: 8, is_signed: true }, true);
        }
        if self.chance(30) {
            self.place("@g0", INT, true);
            self.place("@g1", Type::Int { bits: 16, is_signed: false }, true);
            self.arrays.push(("@g2".into(), Type::Int { bits: 64, is_signed: true }));
            self.place("@g2[1]", Type::Int { bits: 64, is_signed: true }, true);
        }
        for _ in 0..self.below(3) {
            self.pointer();
        }
    }

    fn array(&mut self) {
        // Not `_Bool`: bytes are moved and set, and a truth value has only two.
        let (bits, is_signed) = (8 << self.below(4), self.chance(50));
        let (name, ty) = (self.name("v"), Type::Int { bits, is_signed });
        let values: Vec<String> = (0..4).map(|_| self.expressions.of(ty, 0)).collect();
        self.line(format!("{} {name}[4] = {{{}}};", ty.name(), values.join(", ")));
        for element in 0..4 {
            self.place(&format!("{name}[{element}]"), ty, true);
        }
        self.arrays.push((name, ty));
    }

    fn structure(&mut self) {
        let name = self.name("s");
        self.line(format!("struct @S {name} = {{0}};"));
        if self.chance(40) {
            let by = self.expressions.of(INT.unsigned(), 1);
            self.line(format!("{name} = @changed({name}, {by});"));
        }
        for field in self.fields {
            self.place(&format!("{name}.{}", field.name), field.ty, !field.is_bits);
        }
        if self.chance(30) {
            let (pointer, first) = (self.name("r"), self.fields[0].clone());
            self.line(format!("struct @S *{pointer} = &{name};"));
            self.place(&format!("{pointer}->{}", first.name), first.ty, !first.is_bits);
        }
    }

    fn pointer(&mut self) {
        let Some(target) = self.target(None) else { return };
        let name = self.name("p");
        self.line(format!("{} *{name} = {};", target.0.name(), target.1));
        self.place(&format!("(*{name})"), target.0, true);
        self.pointers.push((name, target.0));
    }

    /// Something to point to, of this type if one is given.
    fn target(&mut self, ty: Option<Type>) -> Option<(Type, String)> {
        let fit: Vec<(Type, String)> = (self.expressions.places.iter())
            .filter(|place| place.has_address && ty.is_none_or(|ty| ty == place.ty))
            .map(|place| (place.ty, format!("&{}", place.text)))
            .collect();
        match fit.len() as u32 {
            0 => None,
            n => Some(fit[self.below(n) as usize].clone()),
        }
    }

    fn writable(&mut self) -> Place {
        loop {
            let n = self.expressions.places.len() as u32;
            let idx = self.below(n) as usize;
            if self.expressions.places[idx].is_writable {
                return self.expressions.places[idx].clone();
            }
        }
    }

    fn statement(&mut self, number: u32) {
        let can_nest = self.nesting < MAX_NESTING;
        match self.below(26) {
            0..=5 => self.assign(),
            6 | 7 => self.update(),
            8..=10 if can_nest => self.branch(number),
            11..=13 if can_nest => self.counted(number),
            14 if can_nest => self.switch(number),
            15 => self.element(),
            16 => self.move_memory(),
            17 | 18 => self.call(number),
            19 => self.retarget(),
            20 if self.loops > 0 => {
                let condition = self.expressions.any(1).text;
                let jump = ["break", "continue"][self.below(2) as usize];
                self.line(format!("if ({condition}) {jump};"));
            }
            21 => self.heap(),
            22 => self.compare_pointers(),
            23 => self.checked_sum(),
            24 => self.gather(),
            25 => self.wide(),
            _ => self.assign(),
        }
    }

    /// Calls the function with any number of arguments.
    fn gather(&mut self) {
        let (mut kinds, mut arguments) = (1, Vec::new());
        for _ in 0..self.below(10) {
            let kind = self.below(4);
            kinds = kinds * 4 + kind;
            arguments.push(match kind {
                // What is not converted here goes as it is, and is read as something else.
                0 => format!("(i32)({})", self.expressions.of(INT, 1)),
                1 => format!("(u64)({})", self.expressions.of(U64, 1)),
                2 => format!("(double)({})", self.expressions.of(Type::Double, 1)),
                _ => "@changed(@gs, 3)".to_owned(),
            });
        }
        // The last digit comes first.
        arguments.reverse();
        arguments.insert(0, kinds.to_string());
        self.line(format!("h ^= @gather({});", arguments.join(", ")));
    }

    /// Calls the function on numbers of 128 bits.
    fn wide(&mut self) {
        let (left, right) = (self.expressions.of(U64, 1), self.expressions.of(U64, 1));
        let by = self.expressions.of(INT.unsigned(), 0);
        self.line(format!("h ^= @wide({left}, {right}, {by});"));
    }

    fn assign(&mut self) {
        let place = self.writable();
        let value = self.expressions.of(place.ty, 3);
        self.line(format!("{} = {value};", place.text));
    }

    /// `+=` and its kin.
    fn update(&mut self) {
        let place = self.writable();
        if place.ty.is_floating() {
            let value = self.expressions.any(1).text;
            return self.line(format!("{} -= {value};", place.text));
        }
        let may_wrap = self.expressions.wraps;
        let (op, value) = match self.below(8) {
            0 => ("^=", self.expressions.integer(2).text),
            1 => ("|=", self.expressions.integer(2).text),
            2 => ("&=", self.expressions.integer(2).text),
            3 => (">>=", format!("({} & 7)", self.expressions.integer(1).text)),
            4 if may_wrap => ("+=", self.expressions.integer(2).text),
            5 if may_wrap => ("-=", self.expressions.integer(2).text),
            6 if may_wrap => ("*=", self.expressions.integer(2).text),
            7 if may_wrap && place.ty != Type::Bool => {
                let op = ["++", "--"][self.below(2) as usize];
                return self.line(format!("{}{op};", place.text));
            }
            _ => ("^=", "3".into()),
        };
        self.line(format!("{} {op} {value};", place.text));
    }

    fn block(&mut self, number: u32) {
        for _ in 0..self.expressions.rng.between(1, 3) {
            self.statement(number);
        }
    }

    fn branch(&mut self, number: u32) {
        let condition = self.expressions.any(2).text;
        self.open(format!("if ({condition}) {{"));
        self.block(number);
        if self.chance(50) {
            self.nesting -= 1;
            self.open("} else {");
            self.block(number);
        }
        self.close();
    }

    fn counted(&mut self, number: u32) {
        let (counter, bound) = (self.name("k"), self.expressions.rng.between(1, 5));
        let until = self.expressions.any(1).text;
        let ends = match self.below(4) {
            0 => {
                self.open(format!("for (i32 {counter} = 0; {counter} < {bound}; {counter}++) {{"));
                "}".to_owned()
            }
            1 => {
                self.open(format!("for (u8 {counter} = {bound}; {counter}-- > 0;) {{"));
                "}".to_owned()
            }
            2 => {
                self.line(format!("u32 {counter} = {bound};"));
                self.open(format!("while ({counter}-- != 0 && !{until}) {{"));
                "}".to_owned()
            }
            _ => {
                self.line(format!("i64 {counter} = 0;"));
                self.open("do {");
                format!("}} while (++{counter} < {bound});")
            }
        };
        let place =
            Place { text: counter, ty: INT.unsigned(), is_writable: false, has_address: false };
        self.loops += 1;
        // The counter's type is not the same in all of them, so it is cast.
        let cast = Place { text: format!("((u32){})", place.text), ..place };
        self.expressions.places.push(cast);
        self.block(number);
        self.expressions.places.pop();
        self.loops -= 1;
        self.nesting -= 1;
        self.line(ends);
    }

    fn switch(&mut self, number: u32) {
        let value = self.expressions.integer(1).text;
        let mask = [3, 7, 255][self.below(3) as usize];
        // Inside, `break` leaves the switch and `continue` may have no loop.
        let loops = std::mem::take(&mut self.loops);
        self.open(format!("switch ({value} & {mask}) {{"));
        for case in 0..self.expressions.rng.between(1, 4) {
            self.line(format!("case {}: {{", case * case));
            self.nesting += 1;
            self.block(number);
            self.close();
            if self.chance(70) {
                self.line("break;");
            }
        }
        if self.chance(60) {
            self.line("default: {");
            self.nesting += 1;
            self.block(number);
            self.close();
        }
        self.loops = loops;
        self.close();
    }

    fn element(&mut self) {
        if self.arrays.is_empty() {
            return self.assign();
        }
        let idx = self.below(self.arrays.len() as u32) as usize;
        let (array, ty) = self.arrays[idx].clone();
        let index = self.expressions.index(4);
        if self.chance(50) {
            let value = self.expressions.of(ty, 2);
            return self.line(format!("{array}[{index}] = {value};"));
        }
        let place = self.writable();
        let table = self.expressions.index(8);
        self.line(format!("{} = {array}[{index}] ^ @table[{table}];", place.text));
    }

    fn move_memory(&mut self) {
        let arrays: Vec<(String, Type)> = self.arrays.clone();
        let Some((array, _)) = arrays.last() else { return self.assign() };
        match self.below(3) {
            0 => {
                let byte = self.expressions.index(256);
                self.line(format!("memset({array}, {byte}, sizeof {array} / 2);"));
            }
            1 => self.line(format!("memmove({array} + 1, {array}, 2 * sizeof {array}[0]);")),
            _ => {
                let twin = self.name("c");
                self.line(format!("u8 {twin}[sizeof {array}] = {{0}};"));
                self.line(format!("memcpy({twin}, {array}, sizeof {array});"));
                self.line(format!("h += {twin}[0] + 3 * {twin}[sizeof {array} - 1];"));
            }
        }
    }

    fn call(&mut self, number: u32) {
        if self.loops > 0 {
            return self.assign();
        }
        let place = self.writable();
        let second = self.expressions.of(INT, 1);
        let third = self.expressions.of(U64, 1);
        if !self.recurses && self.chance(30) {
            self.recurses = true;
            self.open("if (n > 0 && n < 5) {");
            self.line(format!("{} = @f{number}(n - 1, {second}, {third});", place.text));
            return self.close();
        }
        let callable: Vec<usize> = (0..self.levels.len())
            .filter(|&other| self.levels[other] < MAX_LEVEL && other + 6 > self.levels.len())
            .collect();
        if callable.is_empty() || self.recurses {
            return self.assign();
        }
        let callee = callable[self.below(callable.len() as u32) as usize];
        self.level = self.level.max(self.levels[callee] + 1);
        let first = self.below(3);
        if self.chance(20) {
            let pointer = self.name("q");
            self.line(format!(
                "u64 (*{pointer})(i32, i16, u64) = b & 1 ? @f{callee} : &@f{callee};"
            ));
            return self.line(format!("{} = {pointer}({first}, {second}, {third});", place.text));
        }
        self.line(format!("{} = @f{callee}({first}, {second}, {third});", place.text));
    }

    fn retarget(&mut self) {
        if self.pointers.is_empty() {
            return self.assign();
        }
        let idx = self.below(self.pointers.len() as u32) as usize;
        let (pointer, ty) = self.pointers[idx].clone();
        match self.target(Some(ty)) {
            Some((_, address)) => self.line(format!("{pointer} = {address};")),
            None => self.assign(),
        }
    }

    fn heap(&mut self) {
        let (name, ty) = (self.name("m"), Type::integer(self.expressions.rng));
        let place = self.writable();
        let ty_name = ty.name();
        let index = self.expressions.index(4);
        let value = self.expressions.of(ty, 2);
        self.open("{");
        if self.chance(50) {
            self.line(format!("{ty_name} *{name} = calloc(4, sizeof *{name});"));
        } else {
            self.line(format!("{ty_name} *{name} = malloc(4 * sizeof *{name});"));
            self.line(format!("memset({name}, 1, 4 * sizeof *{name});"));
        }
        self.line(format!("{name}[{index}] = {value};"));
        if self.chance(30) {
            self.line(format!("{name} = realloc({name}, 6 * sizeof *{name});"));
        }
        self.line(format!("{} = {name}[2] ^ {name}[3];", place.text));
        self.line(format!("free({name});"));
        self.close();
    }

    fn compare_pointers(&mut self) {
        let Some((array, _)) = self.arrays.last().cloned() else { return self.assign() };
        let (left, right) = (self.expressions.index(4), self.expressions.index(4));
        let place = self.writable();
        let op = ["<", "==", ">="][self.below(3) as usize];
        if self.chance(50) {
            self.line(format!("{} = &{array}[{left}] {op} &{array}[{right}];", place.text));
        } else {
            self.line(format!("{} = &{array}[{left}] - &{array}[{right}];", place.text));
        }
    }

    fn checked_sum(&mut self) {
        let ty = Type::Int { bits: 8 << self.below(4), is_signed: self.chance(50) };
        let name = self.name("o");
        let (left, right) = (self.expressions.integer(1), self.expressions.integer(1));
        let op = ["add", "sub", "mul"][self.below(3) as usize];
        let (left, right) = (converted(left, ty), converted(right, ty));
        let ty = ty.name();
        self.line(format!("{ty} {name} = 0;"));
        self.line(format!("h += __builtin_{op}_overflow(({ty}){left}, ({ty}){right}, &{name});"));
        self.line(format!("h += {name};"));
    }
}
