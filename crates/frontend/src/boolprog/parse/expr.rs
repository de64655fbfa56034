//! Expressions. From loose to tight: `? :`, `<->`, `->`, `|`, `^`, `&`, then `=` and
//! comparisons, then arithmetic, then `!`. So `a = b & c` is `(a = b) & c`, as in C.

use super::{Parsed, Parser};
use crate::boolprog::ast::{Expr, ExprKind, Operator};
use crate::boolprog::lex::Kind;

/// Binary operators with how tight they bind.
fn operator(kind: Kind) -> Option<(u32, Operator, bool)> {
    let (tightness, operator, is_negated) = match kind {
        Kind::Equivalent => (1, Operator::Equal, false),
        Kind::Implies => (2, Operator::Implies, false),
        Kind::Or => (3, Operator::Or, false),
        Kind::Xor => (4, Operator::Xor, false),
        Kind::And => (5, Operator::And, false),
        Kind::Equal | Kind::EqualEqual => (6, Operator::Equal, false),
        Kind::NotEqual => (6, Operator::Equal, true),
        Kind::Less => (7, Operator::Arithmetic("<"), false),
        Kind::More => (7, Operator::Arithmetic(">"), false),
        Kind::AtMost => (7, Operator::Arithmetic("<="), false),
        Kind::AtLeast => (7, Operator::Arithmetic(">="), false),
        Kind::Plus => (8, Operator::Arithmetic("+"), false),
        Kind::Minus => (8, Operator::Arithmetic("-"), false),
        _ => return None,
    };
    Some((tightness, operator, is_negated))
}

impl Parser<'_, '_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.nested(|parser| {
            let condition = parser.binary(1)?;
            if !parser.eat(Kind::Question) {
                return Ok(condition);
            }
            let mut highest = parser.height;
            let then = parser.expr()?;
            highest = highest.max(parser.height);
            parser.expect(Kind::Colon, "`:`")?;
            let otherwise = parser.expr()?;
            parser.raise(highest.max(parser.height), 3)?;
            let span = parser.since(condition.span);
            let (condition, then) = (Box::new(condition), Box::new(then));
            Ok(Expr { kind: ExprKind::Conditional(condition, then, Box::new(otherwise)), span })
        })
    }

    /// Operators at least as tight as `loosest`; `->` is right-associative.
    fn binary(&mut self, loosest: u32) -> Parsed<Expr> {
        let mut left = self.unary()?;
        while let Some((tightness, operator, is_negated)) = operator(self.kind()) {
            if tightness < loosest {
                break;
            }
            let height = self.height;
            self.bump();
            let is_right = operator == Operator::Implies;
            let right = self.nested(|parser| parser.binary(tightness + u32::from(!is_right)))?;
            self.raise(height.max(self.height), 2)?;
            let span = self.since(left.span);
            let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
            left = Expr { kind, span };
            if is_negated {
                left = Expr { kind: ExprKind::Not(Box::new(left)), span };
            }
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if !self.eat(Kind::Not) {
            return self.primary();
        }
        let inner = self.nested(Self::unary)?;
        self.raise(self.height, 1)?;
        Ok(Expr { kind: ExprKind::Not(Box::new(inner)), span: self.since(start) })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = match self.kind() {
            Kind::Open => {
                self.bump();
                let inner = self.expr()?;
                self.expect(Kind::Close, "`)`")?;
                return Ok(Expr { kind: inner.kind, span: self.since(start) });
            }
            Kind::Star => {
                self.bump();
                ExprKind::Star
            }
            Kind::Prime => {
                self.bump();
                ExprKind::Next(self.name("a variable")?.text)
            }
            Kind::Number => match self.taken().text.as_str() {
                "0" => ExprKind::Const(false),
                "1" => ExprKind::Const(true),
                other => ExprKind::Number(other.to_owned()),
            },
            Kind::Name => self.named()?,
            _ => return Err(self.unexpected("an expression")),
        };
        if !matches!(kind, ExprKind::Schoose(..)) {
            self.height = 1;
        }
        Ok(Expr { kind, span: self.since(start) })
    }

    /// The expression that was just read is higher by some levels than its highest part.
    fn raise(&mut self, part: u32, by: u32) -> Parsed<()> {
        self.height = part + by;
        if self.height > MAX_HEIGHT { Err(self.too_deep(MAX_HEIGHT)) } else { Ok(()) }
    }

    fn named(&mut self) -> Parsed<ExprKind> {
        let name = self.taken().text;
        match name.as_str() {
            "true" => return Ok(ExprKind::Const(true)),
            "false" => return Ok(ExprKind::Const(false)),
            "schoose" | "choose" if self.kind() == Kind::OpenBracket => return self.schoose(),
            _ => {}
        }
        if self.eat(Kind::Prime) {
            return Ok(ExprKind::Next(name));
        }
        match name.strip_suffix('$') {
            Some(stem) if !stem.is_empty() => Ok(ExprKind::Passive(stem.to_owned())),
            _ => Ok(ExprKind::Var(name)),
        }
    }

    fn schoose(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let yes = self.expr()?;
        let height = self.height;
        self.expect(Kind::Comma, "`,`")?;
        let no = self.expr()?;
        self.raise(height.max(self.height), 3)?;
        self.expect(Kind::CloseBracket, "`]`")?;
        Ok(ExprKind::Schoose(Box::new(yes), Box::new(no)))
    }
}

/// Levels of the tree of an expression, counted as what becomes of it: every walk over it
/// fits the stack of a thread.
const MAX_HEIGHT: u32 = 2000;
