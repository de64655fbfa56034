//! Expressions. From loose to tight: `?:`, `->`, `|`, `^`, `&`, `!`, comparisons,
//! shifts, `+ -`, `* / %`. Neither `->` nor comparisons associate, and `!x = y`
//! means `!(x = y)`.

use model::Span;

use super::super::ast::{BinaryOp, Binding, Domain, Expr, ExprKind, Name, UnaryOp};
use super::super::lex::Kind;
use super::{MAX_DEPTH, Parsed, Parser};
use crate::source::join;

const IMPLIES: u8 = 1;
const NOT: u8 = 5;
const COMPARISON: u8 = 6;
const SIGN: u8 = 9;

impl Parser<'_, '_> {
    /// An expression.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.nested(|parser| {
            let condition = parser.binary(IMPLIES)?;
            if !parser.eat("?") {
                return Ok(condition);
            }
            let left = parser.expr()?;
            parser.expect(":")?;
            let right = parser.expr()?;
            let span = join(condition.span, right.span);
            let below = condition.height.max(left.height).max(right.height);
            let parts = (Box::new(condition), Box::new(left), Box::new(right));
            parser.node(ExprKind::Conditional(parts.0, parts.1, parts.2), span, below)
        })
    }

    fn node(&mut self, kind: ExprKind, span: Span, below: u32) -> Parsed<Expr> {
        if below >= MAX_DEPTH {
            return Err(self.report("MU004", "this expression is nested too deeply", span));
        }
        Ok(Expr { kind, span, height: below + 1 })
    }

    fn binary(&mut self, loosest: u8) -> Parsed<Expr> {
        let mut left = self.prefixed()?;
        while let Some((op, level)) = self.operator().filter(|(_, level)| *level >= loosest) {
            if matches!(op, BinaryOp::And | BinaryOp::Or) {
                left = self.chain(left, op, level)?;
                continue;
            }
            self.bump();
            let right = self.binary(level + 1)?;
            left = self.join(op, left, right)?;
            let again = self.operator().is_some_and(|(_, next)| next == level);
            if again && (level == IMPLIES || level == COMPARISON) {
                let span = self.span();
                let message = "`->` and comparisons in a row need parentheses";
                return Err(self.report("MU002", message, span));
            }
        }
        Ok(left)
    }

    /// Operands with `&` or `|` between them. They become a balanced tree, so that
    /// long conjunctions are not deep; the order of evaluation stays.
    fn chain(&mut self, first: Expr, op: BinaryOp, level: u8) -> Parsed<Expr> {
        let mut operands = vec![first];
        while self.operator().is_some_and(|(next, _)| next == op) {
            self.bump();
            operands.push(self.binary(level + 1)?);
        }
        while operands.len() > 1 {
            let mut halved = Vec::with_capacity(operands.len().div_ceil(2));
            let mut rest = operands.into_iter();
            while let Some(left) = rest.next() {
                halved.push(match rest.next() {
                    Some(right) => self.join(op, left, right)?,
                    None => left,
                });
            }
            operands = halved;
        }
        Ok(operands.pop().expect("a chain has an operand"))
    }

    fn join(&mut self, op: BinaryOp, left: Expr, right: Expr) -> Parsed<Expr> {
        let span = join(left.span, right.span);
        let below = left.height.max(right.height);
        self.node(ExprKind::Binary(op, Box::new(left), Box::new(right)), span, below)
    }

    /// The operator at this place, with its level.
    fn operator(&self) -> Option<(BinaryOp, u8)> {
        let Kind::Symbol(symbol) = self.kind() else { return None };
        Some(match symbol {
            "->" => (BinaryOp::Implies, IMPLIES),
            "|" | "||" => (BinaryOp::Or, 2),
            "^" => (BinaryOp::BitXor, 3),
            "&" | "&&" => (BinaryOp::And, 4),
            "=" | "==" => (BinaryOp::Eq, COMPARISON),
            "!=" => (BinaryOp::Ne, COMPARISON),
            "<" => (BinaryOp::Lt, COMPARISON),
            "<=" => (BinaryOp::Le, COMPARISON),
            ">" => (BinaryOp::Gt, COMPARISON),
            ">=" => (BinaryOp::Ge, COMPARISON),
            "<<" => (BinaryOp::Shl, 7),
            ">>" => (BinaryOp::Shr, 7),
            "+" => (BinaryOp::Add, 8),
            "-" => (BinaryOp::Sub, 8),
            "*" => (BinaryOp::Mul, 9),
            "/" => (BinaryOp::Div, 9),
            "%" => (BinaryOp::Rem, 9),
            _ => return None,
        })
    }

    fn prefixed(&mut self) -> Parsed<Expr> {
        let (op, loosest) = match self.kind() {
            Kind::Symbol("!") => (UnaryOp::Not, NOT + 1),
            Kind::Symbol("-") => (UnaryOp::Negate, SIGN + 1),
            Kind::Symbol("~") => (UnaryOp::BitNot, SIGN + 1),
            Kind::Symbol("+") => {
                self.bump();
                return self.nested(|parser| parser.binary(SIGN + 1));
            }
            _ => return self.postfixed(),
        };
        let start = self.bump().span;
        let operand = self.nested(|parser| parser.binary(loosest))?;
        let (span, below) = (join(start, operand.span), operand.height);
        self.node(ExprKind::Unary(op, Box::new(operand)), span, below)
    }

    fn postfixed(&mut self) -> Parsed<Expr> {
        let mut expr = self.primary()?;
        loop {
            if self.eat(".") {
                let field = self.name()?;
                let (span, below) = (join(expr.span, field.span), expr.height);
                expr = self.node(ExprKind::Field(Box::new(expr), field), span, below)?;
            } else if self.eat("[") {
                let index = self.expr()?;
                self.expect("]")?;
                let (span, below) = (self.since(expr.span), expr.height.max(index.height));
                expr = self.node(ExprKind::Index(Box::new(expr), Box::new(index)), span, below)?;
            } else {
                return Ok(expr);
            }
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let leaf = |kind| Ok(Expr { kind, span: start, height: 1 });
        match self.kind() {
            Kind::Number => self.number(),
            Kind::Name => {
                let name = self.name()?;
                if !self.at("(") {
                    return leaf(ExprKind::Name(name.text));
                }
                let arguments = self.arguments()?;
                let below = arguments.iter().map(|argument| argument.height).max().unwrap_or(0);
                let span = self.since(start);
                self.node(ExprKind::Call(name, arguments), span, below)
            }
            Kind::Symbol("(") => {
                self.bump();
                let mut inner = self.expr()?;
                self.expect(")")?;
                inner.span = self.since(start);
                Ok(inner)
            }
            Kind::Word(word @ ("true" | "false")) => {
                self.bump();
                leaf(ExprKind::Boolean(word == "true"))
            }
            Kind::Word(word) => self.keyword_expr(word, start),
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn keyword_expr(&mut self, word: &'static str, start: Span) -> Parsed<Expr> {
        match word {
            "forall" | "exists" => self.quantified(word == "forall", start),
            "isundefined" => {
                self.bump();
                self.expect("(")?;
                let inner = self.expr()?;
                self.expect(")")?;
                let (span, below) = (self.since(start), inner.height);
                self.node(ExprKind::IsUndefined(Box::new(inner)), span, below)
            }
            "ismember" => {
                self.bump();
                self.expect("(")?;
                let inner = self.expr()?;
                self.expect(",")?;
                let ty = self.type_expr()?;
                self.expect(")")?;
                let (span, below) = (self.since(start), inner.height);
                self.node(ExprKind::IsMember(Box::new(inner), Box::new(ty)), span, below)
            }
            "multisetcount" => {
                self.bump();
                let (name, multiset, body) = self.slot_condition()?;
                let (span, below) = (self.since(start), multiset.height.max(body.height));
                let (multiset, body) = (Box::new(multiset), Box::new(body));
                self.node(ExprKind::MultisetCount { name, multiset, body }, span, below)
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// `( name : multiset , condition )`
    pub(super) fn slot_condition(&mut self) -> Parsed<(Name, Expr, Expr)> {
        self.expect("(")?;
        let name = self.name()?;
        self.expect(":")?;
        let multiset = self.expr()?;
        self.expect(",")?;
        let condition = self.expr()?;
        self.expect(")")?;
        Ok((name, multiset, condition))
    }

    fn quantified(&mut self, forall: bool, start: Span) -> Parsed<Expr> {
        self.bump();
        let binding = Box::new(self.binding()?);
        self.expect_word("do")?;
        let body = self.expr()?;
        self.close(if forall { &["forall"] } else { &["exists"] }, start);
        let (span, below) = (self.since(start), body.height);
        self.node(ExprKind::Quantified { forall, binding, body: Box::new(body) }, span, below)
    }

    /// `name : type` or `name := from to to by by`
    pub(super) fn binding(&mut self) -> Parsed<Binding> {
        let name = self.name()?;
        if !self.eat(":=") {
            self.expect(":")?;
            return Ok(Binding { name, domain: Domain::Type(self.type_expr()?) });
        }
        let from = Box::new(self.expr()?);
        self.expect_word("to")?;
        let to = Box::new(self.expr()?);
        let by = if self.eat_word("by") { Some(Box::new(self.expr()?)) } else { None };
        Ok(Binding { name, domain: Domain::Range { from, to, by } })
    }

    /// Arguments in parentheses.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.at(")") {
            arguments.push(self.expr()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(arguments)
    }

    fn number(&mut self) -> Parsed<Expr> {
        let span = self.bump().span;
        if self.at(".") && self.ahead(1).kind == Kind::Number {
            let message = "real numbers are not supported";
            return Err(self.report("MU014", message, span));
        }
        let text = self.piece.slice(span);
        match value_of(text) {
            Ok(value) => Ok(Expr { kind: ExprKind::Number(value), span, height: 1 }),
            Err(NotANumber::TooLarge) => {
                let message = format!("`{text}` does not fit 64 bits with sign");
                Err(self.report("MU003", message, span))
            }
            Err(NotANumber::Malformed) => {
                let message = format!("`{text}` is not a number");
                Err(self.report("MU001", message, span))
            }
        }
    }
}

enum NotANumber {
    TooLarge,
    Malformed,
}

/// The value of a literal: decimal, octal after `0`, hexadecimal after `0x`.
fn value_of(text: &str) -> Result<i64, NotANumber> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (digits, radix) = match hex {
        Some(digits) => (digits, 16),
        None if text.len() > 1 && text.starts_with('0') => (&text[1..], 8),
        None => (text, 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(NotANumber::Malformed);
    }
    i64::from_str_radix(digits, radix).map_err(|_| NotANumber::TooLarge)
}
