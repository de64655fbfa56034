//! Statements: labels, blocks, branches and loops. What has no statements inside is in
//! `simple.rs`.

use super::{Parsed, Parser};
use crate::boolprog::ast::{Expr, Name, Stmt, StmtKind};
use crate::boolprog::lex::Kind;

/// Words that end a list of statements in the one or the other construct.
const ENDERS: &[&str] = &["end", "fi", "od", "else", "elsif", "elseif", "elif"];

impl Parser<'_, '_> {
    /// Statements up to where `at_end` says so; mistakes are reported and passed over.
    pub(super) fn statements(&mut self, at_end: &dyn Fn(&Self) -> bool) -> Vec<Stmt> {
        let mut statements = Vec::new();
        while self.kind() != Kind::End && !at_end(self) {
            let before = self.pos;
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(_) => self.skip_statement(),
            }
            if self.pos == before {
                let _ = self.unexpected("a statement");
                self.bump();
            }
        }
        statements
    }

    /// After a mistake: past the next `;`, or before what ends the statements.
    fn skip_statement(&mut self) {
        while self.kind() != Kind::End
            && self.kind() != Kind::CloseBrace
            && !self.at_one_of(ENDERS)
            && !self.eat(Kind::Semicolon)
        {
            self.bump();
        }
    }

    pub(super) fn statement(&mut self) -> Parsed<Stmt> {
        self.nested(|parser| {
            let start = parser.span();
            let labels = parser.labels();
            let at = parser.span();
            let ends = parser.kind() == Kind::CloseBrace || parser.at_one_of(ENDERS);
            if ends && !labels.is_empty() {
                return Ok(Stmt { labels, kind: StmtKind::Skip, span: parser.since(start) });
            }
            let kind = parser.statement_kind()?;
            Ok(Stmt { labels, kind, span: parser.since(at) })
        })
    }

    fn labels(&mut self) -> Vec<Name> {
        let mut labels = Vec::new();
        loop {
            let is_name = self.kind() == Kind::Name && self.ahead(1).kind == Kind::Colon;
            // Some number their statements without a colon.
            let is_number = self.kind() == Kind::Number;
            if !is_name && !is_number {
                return labels;
            }
            labels.push(self.taken());
            self.eat(Kind::Colon);
        }
    }

    fn statement_kind(&mut self) -> Parsed<StmtKind> {
        if self.eat(Kind::Semicolon) {
            return Ok(StmtKind::Skip);
        }
        if self.eat(Kind::OpenBrace) {
            return Ok(StmtKind::Block(self.block()?));
        }
        let word = if self.kind() == Kind::Name { self.text() } else { "" };
        match word {
            "if" => self.branch(),
            "while" => self.repetition(),
            "atomic" => {
                self.bump();
                self.expect(Kind::OpenBrace, "`{`")?;
                let body = self.block()?;
                self.eat(Kind::Semicolon);
                Ok(StmtKind::Atomic(body))
            }
            _ => self.simple_statement(),
        }
    }

    /// Statements up to `}`.
    fn block(&mut self) -> Parsed<Vec<Stmt>> {
        let body = self.statements(&|parser| parser.kind() == Kind::CloseBrace);
        self.expect(Kind::CloseBrace, "`}`")?;
        Ok(body)
    }

    /// One statement, or several in braces.
    fn body(&mut self) -> Parsed<Vec<Stmt>> {
        let statement = self.statement()?;
        match statement.kind {
            StmtKind::Block(body) if statement.labels.is_empty() => Ok(body),
            _ => Ok(vec![statement]),
        }
    }

    fn branch(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let condition = self.expr()?;
        if self.eat_word("then") {
            return self.branch_with_words(condition);
        }
        let then = self.body()?;
        let otherwise = if self.eat_word("else") { self.body()? } else { Vec::new() };
        // Some close the branch as in the other dialect.
        self.eat_word("fi");
        Ok(StmtKind::If { condition, then, otherwise })
    }

    /// `then … elsif … then … else … fi;`
    fn branch_with_words(&mut self, condition: Expr) -> Parsed<StmtKind> {
        let then = self.statements(&|parser| parser.at_one_of(ENDERS));
        let start = self.span();
        if self.at_one_of(&["elsif", "elseif", "elif"]) {
            self.bump();
            let next = self.expr()?;
            if !self.eat_word("then") {
                return Err(self.unexpected("`then`"));
            }
            // What is nested eats `fi`.
            let kind = self.nested(|parser| parser.branch_with_words(next))?;
            let otherwise = vec![Stmt { labels: Vec::new(), kind, span: self.since(start) }];
            return Ok(StmtKind::If { condition, then, otherwise });
        }
        let otherwise = match self.eat_word("else") {
            true => self.statements(&|parser| parser.at_one_of(ENDERS)),
            false => Vec::new(),
        };
        if !self.eat_word("fi") {
            return Err(self.unexpected("`fi`"));
        }
        self.eat(Kind::Semicolon);
        Ok(StmtKind::If { condition, then, otherwise })
    }

    /// `while e do … od;` and `while (e) …`.
    fn repetition(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let condition = self.expr()?;
        if !self.eat_word("do") {
            let body = self.body()?;
            return Ok(StmtKind::While { condition, body });
        }
        let body = self.statements(&|parser| parser.at_one_of(ENDERS));
        if !self.eat_word("od") {
            return Err(self.unexpected("`od`"));
        }
        self.eat(Kind::Semicolon);
        Ok(StmtKind::While { condition, body })
    }
}
