//! Random expressions without side effects and without undefined behaviour.

use super::types::{INT, Type, U64};
use crate::rng::Rng;

/// An expression: its text, in parentheses where it needs them, and its type.
#[derive(Clone, Debug)]
pub struct Expr {
    /// As written.
    pub text: String,
    /// What it is.
    pub ty: Type,
}

/// Something that can be read, and perhaps written.
#[derive(Clone, Debug)]
pub struct Place {
    /// As written.
    pub text: String,
    /// What it holds.
    pub ty: Type,
    /// May it be assigned?
    pub is_writable: bool,
    /// May its address be taken?
    pub has_address: bool,
}

/// What expressions are made of.
#[derive(Debug)]
pub struct Expressions<'r> {
    /// Chooses.
    pub rng: &'r mut Rng,
    /// What they read.
    pub places: Vec<Place>,
    /// Do signed results wrap around? Otherwise they are kept from overflowing.
    pub wraps: bool,
}

const LITERALS: [&str; 16] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "-1",
    "-2",
    "100",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "0x80000000u",
    "0x7fffffff",
    "0x123456789abcdef0ull",
];

impl Expressions<'_> {
    /// A number or a place.
    pub fn leaf(&mut self) -> Expr {
        if self.places.is_empty() || self.rng.chance(25) {
            return self.literal();
        }
        let place = &self.places[self.rng.below(self.places.len() as u32) as usize];
        Expr { text: place.text.clone(), ty: place.ty }
    }

    fn literal(&mut self) -> Expr {
        if self.rng.chance(50) {
            let text = self.rng.below(10).to_string();
            return Expr { text, ty: INT };
        }
        let text = LITERALS[self.rng.below(16) as usize];
        let ty = match text {
            _ if text.ends_with("ull") => U64,
            _ if text.ends_with('u') => INT.unsigned(),
            _ => INT,
        };
        Expr { text: if ty == INT { format!("({text})") } else { text.into() }, ty }
    }

    /// An expression of at most this depth.
    pub fn any(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.rng.chance(15) {
            return self.leaf();
        }
        match self.rng.below(20) {
            0..=5 => self.sum(depth - 1),
            6..=8 => self.bitwise(depth - 1),
            9 | 10 => self.shift(depth - 1),
            11 | 12 => self.quotient(depth - 1),
            13 | 14 => self.comparison(depth - 1),
            15 => self.logic(depth - 1),
            16 => self.choice(depth - 1),
            17 => self.cast(depth - 1),
            18 => self.unary(depth - 1),
            _ => self.counted_bits(depth - 1),
        }
    }

    /// One of integer type.
    pub fn integer(&mut self, depth: u32) -> Expr {
        let expr = self.any(depth);
        whole(expr)
    }

    /// One as a value of this type.
    pub fn of(&mut self, ty: Type, depth: u32) -> String {
        let expr = self.any(depth);
        converted(expr, ty)
    }

    /// An index below a power of two.
    pub fn index(&mut self, len: u32) -> String {
        if self.rng.chance(50) {
            return self.rng.below(len).to_string();
        }
        let expr = self.integer(1);
        format!("({} & {})", expr.text, len - 1)
    }

    fn sum(&mut self, depth: u32) -> Expr {
        let (left, right) = (self.any(depth), self.any(depth));
        let ty = left.ty.common(right.ty);
        let op = ["+", "-", "*"][self.rng.below(3) as usize];
        if ty.is_signed() && !self.wraps {
            let (left, right, name) = (left.text, right.text, ty.name());
            let text = format!("((({name}){left} % 1009) {op} (({name}){right} % 1013))");
            return Expr { text, ty };
        }
        Expr { text: format!("({} {op} {})", left.text, right.text), ty }
    }

    fn bitwise(&mut self, depth: u32) -> Expr {
        let (left, right) = (self.integer(depth), self.integer(depth));
        let op = ["&", "|", "^"][self.rng.below(3) as usize];
        let ty = left.ty.common(right.ty);
        Expr { text: format!("({} {op} {})", left.text, right.text), ty }
    }

    fn shift(&mut self, depth: u32) -> Expr {
        let (left, by) = (self.integer(depth), self.integer(depth));
        let ty = left.ty.promoted();
        let by = format!("((u32){} & {})", by.text, ty.width() - 1);
        if self.rng.chance(50) {
            return Expr { text: format!("({} >> {by})", left.text), ty };
        }
        if self.wraps {
            return Expr { text: format!("({} << {by})", left.text), ty };
        }
        let ty = ty.unsigned();
        Expr { text: format!("(({}){} << {by})", ty.name(), left.text), ty }
    }

    fn quotient(&mut self, depth: u32) -> Expr {
        let (left, by) = (self.any(depth), self.leaf());
        let ty = left.ty.common(by.ty);
        let name = ty.name();
        if ty.is_floating() {
            return Expr { text: format!("({} / {})", left.text, by.text), ty };
        }
        let op = ["/", "%"][self.rng.below(2) as usize];
        let by = match (ty.is_signed(), self.rng.chance(50)) {
            (false, _) => format!("(({name}){} | 1)", by.text),
            (true, true) => format!("((({name}){} & 0xff) + 1)", by.text),
            (true, false) => format!("(-((({name}){} & 0x7f) + 2))", by.text),
        };
        Expr { text: format!("(({name}){} {op} {by})", left.text), ty }
    }

    fn comparison(&mut self, depth: u32) -> Expr {
        let (left, right) = (self.any(depth), self.any(depth));
        let op = ["==", "!=", "<", "<=", ">", ">="][self.rng.below(6) as usize];
        Expr { text: format!("({} {op} {})", left.text, right.text), ty: INT }
    }

    fn logic(&mut self, depth: u32) -> Expr {
        let (left, right) = (self.any(depth), self.any(depth));
        let text = match self.rng.below(3) {
            0 => format!("({} && {})", left.text, right.text),
            1 => format!("({} || {})", left.text, right.text),
            _ => format!("(!{})", left.text),
        };
        Expr { text, ty: INT }
    }

    fn choice(&mut self, depth: u32) -> Expr {
        let (condition, yes, no) = (self.any(depth), self.any(depth), self.any(depth));
        let ty = yes.ty.common(no.ty);
        Expr { text: format!("({} ? {} : {})", condition.text, yes.text, no.text), ty }
    }

    fn cast(&mut self, depth: u32) -> Expr {
        let ty = Type::any(self.rng);
        let text = self.of(ty, depth);
        Expr { text: format!("(({}){text})", ty.name()), ty }
    }

    fn unary(&mut self, depth: u32) -> Expr {
        let expr = self.integer(depth);
        let ty = expr.ty.promoted();
        let text = match self.rng.below(3) {
            0 => format!("(~{})", expr.text),
            1 => format!("(+{})", expr.text),
            _ if ty.is_signed() && !self.wraps => format!("(-({} % 1009))", expr.text),
            _ => format!("(-{})", expr.text),
        };
        Expr { text, ty }
    }

    fn counted_bits(&mut self, depth: u32) -> Expr {
        let expr = self.integer(depth);
        let (text, ty) = match self.rng.below(7) {
            0 => (format!("__builtin_popcount((u32){})", expr.text), INT),
            1 => (format!("__builtin_popcountll((u64){})", expr.text), INT),
            2 => (format!("__builtin_clz((u32){} | 1)", expr.text), INT),
            3 => (format!("__builtin_ctzll((u64){} | 0x100000000ull)", expr.text), INT),
            4 => (format!("__builtin_bswap32((u32){})", expr.text), INT.unsigned()),
            5 => (format!("__builtin_bswap64((u64){})", expr.text), U64),
            _ => (format!("__builtin_bswap16((u16){})", expr.text), INT.unsigned()),
        };
        match text.contains("bswap16") {
            true => Expr { text: format!("(u32){text}"), ty },
            false => Expr { text, ty },
        }
    }
}

/// An expression of integer type with that value, cut to what fits.
pub fn whole(expr: Expr) -> Expr {
    if !expr.ty.is_floating() {
        return expr;
    }
    Expr { text: format!("d2i({})", expr.text), ty: Type::Int { bits: 64, is_signed: true } }
}

/// An expression that may be assigned to a place of this type.
pub fn converted(expr: Expr, ty: Type) -> String {
    match (ty, expr.ty.is_floating()) {
        (Type::Int { .. }, true) => format!("d2i({})", expr.text),
        _ => expr.text,
    }
}
