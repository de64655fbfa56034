//! Constants: operands and first contents of variables.

use super::Reader;
use super::cursor::Read;
use super::float;
use super::instruction::{binary_op, cast_op, int_predicate};
use super::lex::{Token, decode};
use super::types::is_type_word;
use crate::ir::{ConstExpr, Constant, Type, TypeId, TypedConstant};

/// Longest vector that `splat` is written out for: processors have shorter ones, and a few
/// letters of text become this many constants.
const MAX_SPLAT: u64 = 256;

/// Does a constant begin with this word? Others before an operand are attributes.
pub(super) fn is_constant_word(word: &str) -> bool {
    matches!(
        word,
        "true"
            | "false"
            | "null"
            | "undef"
            | "poison"
            | "zeroinitializer"
            | "none"
            | "getelementptr"
            | "select"
            | "icmp"
            | "fcmp"
            | "blockaddress"
            | "dso_local_equivalent"
            | "no_cfi"
            | "ptrauth"
            | "splat"
            | "asm"
            | "extractvalue"
            | "insertvalue"
            | "extractelement"
            | "insertelement"
            | "shufflevector"
            | "fneg"
            | "ptrtoaddr"
    ) || binary_op(word).is_some()
        || cast_op(word).is_some()
        || word.starts_with("u0x")
        || word.starts_with("s0x")
        || word.starts_with("f0x")
}

impl<'a> Reader<'a> {
    /// A type and a constant of it.
    pub(super) fn typed_constant(&mut self) -> Read<TypedConstant> {
        let ty = self.ty()?;
        let value = self.constant(ty)?;
        Ok(TypedConstant { ty, value })
    }

    /// A constant of type `ty`.
    pub(super) fn constant(&mut self, ty: TypeId) -> Read<Constant> {
        self.nested(|reader| reader.constant_here(ty))
    }

    fn constant_here(&mut self, ty: TypeId) -> Read<Constant> {
        match self.token() {
            Token::Integer(text) => {
                self.advance();
                Ok(self.integer(ty, text))
            }
            Token::Float(text) => {
                self.advance();
                let kind = match self.module.types.get(ty) {
                    Type::Float(kind) => Some(*kind),
                    _ => None,
                };
                let bits = kind.and_then(|kind| float::bits(kind, text));
                Ok(bits.map_or_else(|| Constant::Unsupported(text.to_owned()), Constant::Float))
            }
            Token::Global(name) => {
                self.advance();
                Ok(Constant::Symbol(self.symbol(name)))
            }
            Token::Bytes(raw) => self.byte_array(ty, raw),
            Token::Mark(open @ (b'{' | b'[' | b'<')) => self.aggregate(ty, open),
            Token::Word(word) => self.worded_constant(ty, word),
            _ => self.expected("a constant"),
        }
    }

    /// An integer modulo two to the number of bits of `ty`.
    fn integer(&self, ty: TypeId, text: &str) -> Constant {
        let unsupported = || Constant::Unsupported(text.to_owned());
        let Type::Int(bits) = *self.module.types.get(ty) else {
            return unsupported();
        };
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (Ok(magnitude), 1..=128) = (digits.parse::<u128>(), bits) else {
            return unsupported();
        };
        let value = if text.starts_with('-') { magnitude.wrapping_neg() } else { magnitude };
        Constant::Int(value & (u128::MAX >> (128 - bits)))
    }

    fn byte_array(&mut self, ty: TypeId, raw: &str) -> Read<Constant> {
        let bytes = decode(raw);
        match self.module.types.get(ty) {
            Type::Array(n, _) if *n == bytes.len() as u64 => {
                self.advance();
                Ok(Constant::Bytes(bytes))
            }
            _ => self.fail("the text is not as long as its type"),
        }
    }

    /// `{...}`, `<{...}>`, `[...]` or `<...>`.
    fn aggregate(&mut self, ty: TypeId, open: u8) -> Read<Constant> {
        self.advance();
        let is_packed = open == b'<' && self.eat(b'{');
        let close = match open {
            b'{' => b'}',
            b'[' => b']',
            _ if is_packed => b'}',
            _ => b'>',
        };
        let mut members = Vec::new();
        while !self.at(close) {
            members.push(self.typed_constant()?);
            if !self.eat(b',') {
                break;
            }
        }
        self.check_members(ty, &members)?;
        self.expect(close)?;
        if is_packed {
            self.expect(b'>')?;
        }
        Ok(Constant::Aggregate(members))
    }

    /// Are these the members that the type asks for?
    fn check_members(&self, ty: TypeId, members: &[TypedConstant]) -> Read<()> {
        let (n_expected, is_right) = match self.module.types.get(ty) {
            Type::Array(n, element) | Type::Vector(n, element) => {
                (*n, members.iter().all(|member| member.ty == *element))
            }
            Type::Struct(body) => {
                let mut pairs = members.iter().zip(&body.members);
                (body.members.len() as u64, pairs.all(|(member, ty)| member.ty == *ty))
            }
            _ => return self.fail("this constant has members, but its type has none"),
        };
        if n_expected != members.len() as u64 {
            return self.fail(format!("expected {n_expected} members, found {}", members.len()));
        }
        if is_right { Ok(()) } else { self.fail("a member has another type") }
    }

    fn worded_constant(&mut self, ty: TypeId, word: &'a str) -> Read<Constant> {
        let begin = self.current.span.0;
        let simple = match word {
            "true" => Constant::Int(1),
            "false" => Constant::Int(0),
            "null" => Constant::Null,
            "undef" => Constant::Undef,
            "poison" => Constant::Poison,
            "zeroinitializer" => Constant::Zero,
            "getelementptr" => return self.element_constant(),
            "select" => return self.select_constant(),
            "icmp" => return self.compare_constant(),
            "splat" => return self.splat(ty),
            _ => {
                if let Some(op) = binary_op(word) {
                    return self.binary_constant(op);
                }
                if let Some(op) = cast_op(word) {
                    return self.cast_constant(ty, op);
                }
                return self.unsupported_constant(begin);
            }
        };
        self.advance();
        Ok(simple)
    }

    /// Passes a constant that is not understood, and keeps its text.
    fn unsupported_constant(&mut self, begin: usize) -> Read<Constant> {
        self.advance();
        loop {
            match self.token() {
                Token::Mark(b'(') => {
                    self.skip_group()?;
                    break;
                }
                Token::Word(word) if !self.current.is_first && !is_type_word(word) => {
                    self.advance();
                }
                Token::Global(_) if !self.current.is_first => {
                    self.advance();
                    break;
                }
                _ => break,
            }
        }
        Ok(Constant::Unsupported(self.text_from(begin)))
    }

    /// `getelementptr inbounds inrange(..) (type, base, indices)`.
    fn element_constant(&mut self) -> Read<Constant> {
        self.advance();
        while let Token::Word(_) = self.token() {
            let is_range = self.at_word("inrange");
            self.advance();
            if is_range && self.at(b'(') {
                self.skip_group()?;
            }
        }
        self.expect(b'(')?;
        let source = self.ty()?;
        self.expect(b',')?;
        let base = self.typed_constant()?;
        let mut indices = Vec::new();
        while self.eat(b',') {
            self.eat_word("inrange");
            indices.push(self.typed_constant()?);
        }
        self.expect(b')')?;
        Ok(expression(ConstExpr::Element { source, base, indices }))
    }

    fn cast_constant(&mut self, ty: TypeId, op: crate::ir::CastOp) -> Read<Constant> {
        self.advance();
        self.skip_attributes(|_| false)?;
        self.expect(b'(')?;
        let value = self.typed_constant()?;
        self.expect_word("to")?;
        let to = self.ty()?;
        self.expect(b')')?;
        if to != ty {
            return self.fail("a conversion to another type than is wanted here");
        }
        // Typed pointers are all one type here, so the conversion says nothing.
        if op == crate::ir::CastOp::BitCast && value.ty == to && to == self.common.pointer {
            return Ok(value.value);
        }
        Ok(expression(ConstExpr::Cast(op, value)))
    }

    fn binary_constant(&mut self, op: crate::ir::BinaryOp) -> Read<Constant> {
        self.advance();
        // Flags such as `exact`: what stands in parentheses behind them are the operands.
        while let Token::Word(_) = self.token() {
            self.advance();
        }
        let (left, right) = self.pair()?;
        Ok(expression(ConstExpr::Binary(op, left, right)))
    }

    fn compare_constant(&mut self) -> Read<Constant> {
        self.advance();
        let predicate = self.int_predicate()?;
        let (left, right) = self.pair()?;
        Ok(expression(ConstExpr::Compare(predicate, left, right)))
    }

    fn select_constant(&mut self) -> Read<Constant> {
        self.advance();
        self.expect(b'(')?;
        let condition = self.typed_constant()?;
        self.expect(b',')?;
        let yes = self.typed_constant()?;
        self.expect(b',')?;
        let no = self.typed_constant()?;
        self.expect(b')')?;
        Ok(expression(ConstExpr::Select(condition, yes, no)))
    }

    /// `(type left, type right)`.
    fn pair(&mut self) -> Read<(TypedConstant, TypedConstant)> {
        self.expect(b'(')?;
        let left = self.typed_constant()?;
        self.expect(b',')?;
        let right = self.typed_constant()?;
        self.expect(b')')?;
        Ok((left, right))
    }

    /// `splat (type value)`: a vector of equal elements.
    fn splat(&mut self, ty: TypeId) -> Read<Constant> {
        let begin = self.current.span.0;
        self.advance();
        self.expect(b'(')?;
        let element = self.typed_constant()?;
        self.expect(b')')?;
        match self.module.types.get(ty) {
            Type::Vector(n, of) if *n <= MAX_SPLAT && *of == element.ty => {
                Ok(Constant::Aggregate(vec![element; *n as usize]))
            }
            _ => Ok(Constant::Unsupported(self.text_from(begin))),
        }
    }

    /// A predicate of `icmp`, flags before it passed over.
    pub(super) fn int_predicate(&mut self) -> Read<crate::ir::IntPredicate> {
        while let Token::Word(word) = self.token() {
            if is_type_word(word) {
                break;
            }
            self.advance();
            if let Some(predicate) = int_predicate(word) {
                return Ok(predicate);
            }
        }
        self.expected("a predicate")
    }
}

fn expression(expr: ConstExpr) -> Constant {
    Constant::Expr(Box::new(expr))
}
