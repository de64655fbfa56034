//! Statements without statements inside.

use model::Span;

use super::{Parsed, Parser};
use crate::boolprog::ast::{Expr, ExprKind, Name, StmtKind, Target};
use crate::boolprog::lex::Kind;

impl Parser<'_, '_> {
    pub(super) fn simple_statement(&mut self) -> Parsed<StmtKind> {
        if let Some(kind) = self.at_type() {
            self.bump();
            return Ok(StmtKind::Decl(self.declared(kind)?));
        }
        let kind = self.keyword_statement().unwrap_or_else(|| self.named_statement())?;
        self.end_of_statement()?;
        Ok(kind)
    }

    /// `;`, which may be missing before `}`.
    fn end_of_statement(&mut self) -> Parsed<()> {
        if self.kind() == Kind::CloseBrace {
            return Ok(());
        }
        self.expect(Kind::Semicolon, "`;`")
    }

    /// A statement that begins with a word of the language; `None` where it does not.
    fn keyword_statement(&mut self) -> Option<Parsed<StmtKind>> {
        if self.kind() != Kind::Name {
            return None;
        }
        let word = self.text();
        let is_call = self.ahead(1).kind == Kind::Open;
        let plain = match word {
            "skip" => Some(StmtKind::Skip),
            "break" => Some(StmtKind::Break),
            "continue" => Some(StmtKind::Continue),
            "end_thread" => Some(StmtKind::EndThread),
            "atomic_begin" | "begin_atomic" => Some(StmtKind::AtomicBegin),
            "atomic_end" | "end_atomic" => Some(StmtKind::AtomicEnd),
            _ => None,
        };
        if let Some(kind) = plain {
            self.bump();
            return Some(Ok(kind));
        }
        match word {
            "goto" | "return" | "start_thread" | "dead" | "enforce" | "abortif" => {
                self.bump();
                Some(self.word_with_operands(word))
            }
            "wait" | "notify" | "lock" | "unlock" | "acquire" | "release" | "create_thread"
            | "thread_create"
                if is_call && self.procedures.contains(word) =>
            {
                None
            }
            "assume" | "assert" | "wait" | "notify" | "lock" | "unlock" | "acquire" | "release"
            | "create_thread" | "thread_create"
                if is_call =>
            {
                self.bump();
                Some(self.word_with_parentheses(word))
            }
            "assume" | "assert" => {
                self.bump();
                Some(self.expr().map(|expr| checked(word, expr)))
            }
            "call" => {
                self.bump();
                Some(self.named_statement())
            }
            _ => None,
        }
    }

    fn word_with_operands(&mut self, word: &str) -> Parsed<StmtKind> {
        match word {
            "goto" => Ok(StmtKind::Goto(self.list(Self::label)?)),
            "return" if matches!(self.kind(), Kind::Semicolon | Kind::CloseBrace) => {
                Ok(StmtKind::Return(Vec::new()))
            }
            "return" => Ok(StmtKind::Return(self.list(Self::expr)?)),
            "start_thread" => {
                if !self.eat_word("goto") {
                    return Err(self.unexpected("`goto`"));
                }
                Ok(StmtKind::StartThread(self.label()?))
            }
            "dead" => Ok(StmtKind::Dead(self.list(|parser| parser.name("a variable"))?)),
            "enforce" => Ok(StmtKind::Enforce(self.expr()?)),
            _ => {
                let expr = self.expr()?;
                Ok(StmtKind::Assume(negated(expr)))
            }
        }
    }

    fn label(&mut self) -> Parsed<Name> {
        match self.kind() {
            Kind::Name | Kind::Number => Ok(self.taken()),
            _ => Err(self.unexpected("a label")),
        }
    }

    /// `word(…)`, after the word.
    fn word_with_parentheses(&mut self, word: &str) -> Parsed<StmtKind> {
        let is_condition = matches!(word, "assume" | "assert" | "wait");
        if is_condition && self.ahead(1).kind != Kind::And {
            // The whole of `assume (a) & b;` is the condition.
            return self.expr().map(|expr| checked(word, expr));
        }
        self.expect(Kind::Open, "`(`")?;
        self.eat(Kind::And);
        let name = self.name("a name")?;
        self.expect(Kind::Close, "`)`")?;
        Ok(match word {
            "assume" | "assert" | "wait" => {
                let (span, kind) = (name.span, ExprKind::Var(name.text));
                checked(word, Expr { kind, span })
            }
            "create_thread" | "thread_create" => StmtKind::CreateThread(name),
            "lock" | "acquire" => StmtKind::Acquire(name),
            "unlock" | "release" => StmtKind::Release(name),
            _ => {
                let span = name.span;
                let value = Expr { kind: ExprKind::Const(true), span };
                let targets = vec![Target { name, is_passive: false }];
                StmtKind::Assign { targets, values: vec![value], constrain: None }
            }
        })
    }

    /// An assignment, a call, or a word that nobody knows.
    fn named_statement(&mut self) -> Parsed<StmtKind> {
        let start = self.span();
        let name = self.name("a statement")?;
        match self.kind() {
            Kind::Open => {
                let args = self.arguments()?;
                Ok(StmtKind::Call { targets: Vec::new(), procedure: name, args })
            }
            Kind::PlusPlus | Kind::MinusMinus => {
                self.bump();
                Ok(StmtKind::Opaque(self.source.slice(self.since(start)).to_owned()))
            }
            Kind::Semicolon | Kind::CloseBrace => Ok(StmtKind::Opaque(name.text)),
            _ => self.assignment(name),
        }
    }

    fn assignment(&mut self, first: Name) -> Parsed<StmtKind> {
        let mut targets = vec![target(first)];
        while self.eat(Kind::Comma) {
            targets.push(target(self.name("a variable")?));
        }
        let is_in_c = self.kind() == Kind::Equal;
        if !self.eat(Kind::Becomes) && !self.eat(Kind::Equal) {
            return Err(self.unexpected("`:=`"));
        }
        if is_in_c && self.kind() == Kind::Name && self.ahead(1).kind == Kind::Equal {
            // In C, two assignments; nothing that could also be a comparison is guessed at.
            self.bump();
            return Err(self.unexpected("`==`, or the end of the assignment,"));
        }
        let values = self.list(Self::value)?;
        match call_in(values) {
            Ok((procedure, args)) => Ok(StmtKind::Call { targets, procedure, args }),
            Err(values) => {
                let constrain = if self.eat_word("constrain") { Some(self.expr()?) } else { None };
                Ok(StmtKind::Assign { targets, values, constrain })
            }
        }
    }

    /// A value that is assigned: an expression, or a call.
    pub(super) fn value(&mut self) -> Parsed<Expr> {
        if self.kind() == Kind::Name && self.ahead(1).kind == Kind::Open {
            let start = self.span();
            let name = self.taken();
            let args = self.arguments()?;
            return Ok(Expr { kind: ExprKind::Call(name.text, args), span: self.since(start) });
        }
        self.expr()
    }

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.expect(Kind::Open, "`(`")?;
        let args = match self.kind() {
            Kind::Close => Vec::new(),
            _ => self.list(Self::expr)?,
        };
        self.expect(Kind::Close, "`)`")?;
        Ok(args)
    }
}

/// `x`, or `x$`, which is the local of every other thread.
fn target(name: Name) -> Target {
    match name.text.strip_suffix('$') {
        Some(stem) if !stem.is_empty() => {
            let name = Name { text: stem.to_owned(), ..name };
            Target { name, is_passive: true }
        }
        _ => Target { name, is_passive: false },
    }
}

/// The call that is all there is on the right of an assignment.
fn call_in(values: Vec<Expr>) -> Result<(Name, Vec<Expr>), Vec<Expr>> {
    let is_call = matches!(&values[..], [Expr { kind: ExprKind::Call(..), .. }]);
    if !is_call {
        return Err(values);
    }
    let Some(Expr { kind: ExprKind::Call(text, args), span }) = values.into_iter().next() else {
        return Err(Vec::new());
    };
    let span = Span { end: span.start + text.len() as u32, ..span };
    Ok((Name { text, span }, args))
}

fn checked(word: &str, expr: Expr) -> StmtKind {
    if word == "assert" { StmtKind::Assert(expr) } else { StmtKind::Assume(expr) }
}

fn negated(expr: Expr) -> Expr {
    let span = expr.span;
    Expr { kind: ExprKind::Not(Box::new(expr)), span }
}
