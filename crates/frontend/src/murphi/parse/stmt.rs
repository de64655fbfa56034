//! Statements.

use model::Span;

use super::super::ast::{Expr, Name, Stmt, StmtKind};
use super::super::lex::Kind;
use super::{Parsed, Parser, is_section};

impl Parser<'_, '_> {
    /// Statements up to a closer, `else`, `case` or a section.
    pub(super) fn stmts(&mut self) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        loop {
            while self.eat(";") {}
            if self.at_end_of_stmts() {
                return stmts;
            }
            let before = self.pos;
            match self.nested(Self::stmt) {
                Ok(stmt) => {
                    stmts.push(stmt);
                    self.separator();
                }
                Err(_) => self.skip_stmt(before),
            }
        }
    }

    fn at_end_of_stmts(&self) -> bool {
        let kind = self.kind();
        is_section(kind)
            || matches!(kind, Kind::Closer(_) | Kind::End | Kind::Word("else" | "elsif" | "case"))
    }

    /// `;` between statements; a statement with a closer may do without it.
    fn separator(&mut self) {
        let after_closer = matches!(self.tokens[self.pos - 1].kind, Kind::Closer(_));
        if !self.at(";") && !self.at_end_of_stmts() && !after_closer {
            self.unexpected("`;`");
        }
    }

    fn skip_stmt(&mut self, before: usize) {
        let stop = |kind| {
            matches!(kind, Kind::Symbol(";") | Kind::Closer(_))
                || matches!(kind, Kind::Word("else" | "elsif" | "case"))
        };
        if self.pos == before && !stop(self.kind()) && self.kind() != Kind::End {
            self.pos += 1;
        }
        self.skip_to(stop);
    }

    fn stmt(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        let kind = match self.kind() {
            Kind::Word(word) => self.keyword_stmt(word, start)?,
            Kind::Name => match self.extended_stmt() {
                Some(result) => result?,
                None => self.assignment_or_call()?,
            },
            _ => return Err(self.unexpected("a statement")),
        };
        Ok(Stmt { kind, span: self.since(start) })
    }

    fn keyword_stmt(&mut self, word: &str, start: Span) -> Parsed<StmtKind> {
        match word {
            "if" => self.if_stmt(start),
            "switch" => self.switch(start),
            "for" => self.for_stmt(start),
            "while" => {
                self.bump();
                let condition = self.expr_before("do")?;
                let body = self.stmts();
                self.close(&["while"], start);
                Ok(StmtKind::While(condition, body))
            }
            "alias" => {
                self.bump();
                let aliases = self.aliases()?;
                let body = self.stmts();
                self.close(&["alias"], start);
                Ok(StmtKind::Alias(aliases, body))
            }
            "multisetadd" | "multisetremove" | "multisetremovepred" => self.multiset_stmt(word),
            _ => self.short_stmt(word),
        }
    }

    fn short_stmt(&mut self, word: &str) -> Parsed<StmtKind> {
        match word {
            "clear" => {
                self.bump();
                Ok(StmtKind::Clear(self.expr()?))
            }
            "undefine" => {
                self.bump();
                Ok(StmtKind::Undefine(self.expr()?))
            }
            "error" => {
                self.bump();
                let parenthesis = self.eat("(");
                let text = self.text().ok_or(()).map_err(|()| self.unexpected("a text"))?;
                if parenthesis {
                    self.expect(")")?;
                }
                Ok(StmtKind::Error(text))
            }
            "assert" => {
                self.bump();
                let (message, condition) = self.named_condition()?;
                Ok(StmtKind::Assert(condition, message))
            }
            "put" => {
                self.bump();
                match self.text() {
                    Some(text) => Ok(StmtKind::PutText(text)),
                    None => Ok(StmtKind::PutValue(self.expr()?)),
                }
            }
            "return" => {
                self.bump();
                let bare = self.at(";") || self.at_end_of_stmts();
                Ok(StmtKind::Return(if bare { None } else { Some(self.expr()?) }))
            }
            "const" | "type" | "var" => {
                let reported = self.unexpected("a statement");
                self.decls();
                Err(reported)
            }
            _ => Err(self.unexpected("a statement")),
        }
    }

    /// A condition with a text before or behind it.
    pub(super) fn named_condition(&mut self) -> Parsed<(Option<String>, Expr)> {
        let before = self.text();
        let condition = self.expr()?;
        let behind = if before.is_none() { self.text() } else { None };
        Ok((before.or(behind), condition))
    }

    /// `assume` or `cover`, unless it is a name here.
    fn extended_stmt(&mut self) -> Option<Parsed<StmtKind>> {
        let word = self.extended_word().filter(|word| *word != "liveness")?;
        if matches!(self.ahead(1).kind, Kind::Symbol(":=" | "." | "[")) {
            return None;
        }
        let span = self.bump().span;
        self.extension(&format!("`{word}`"), span);
        let condition = self.named_condition();
        Some(condition.map(|(name, condition)| match word {
            "assume" => StmtKind::Assume(condition),
            _ => StmtKind::Cover(condition, name),
        }))
    }

    fn assignment_or_call(&mut self) -> Parsed<StmtKind> {
        let called = self.ahead(1).kind == Kind::Symbol("(");
        if called {
            let name = self.name()?;
            return Ok(StmtKind::Call(name, self.arguments()?));
        }
        let target = self.expr()?;
        if let super::super::ast::ExprKind::Name(text) = &target.kind
            && (self.at(";") || self.at_end_of_stmts())
        {
            let name = Name { text: text.clone(), span: target.span };
            return Ok(StmtKind::Call(name, Vec::new()));
        }
        self.expect(":=")?;
        Ok(StmtKind::Assign(target, self.expr()?))
    }

    fn if_stmt(&mut self, start: Span) -> Parsed<StmtKind> {
        self.bump();
        let mut arms = Vec::new();
        let condition = self.expr_before("then")?;
        arms.push((Some(condition), self.stmts()));
        loop {
            if self.eat_word("elsif") {
                let condition = self.expr_before("then")?;
                arms.push((Some(condition), self.stmts()));
            } else if self.eat_word("else") {
                arms.push((None, self.stmts()));
                break;
            } else {
                break;
            }
        }
        self.close(&["if"], start);
        Ok(StmtKind::If(arms))
    }

    fn switch(&mut self, start: Span) -> Parsed<StmtKind> {
        self.bump();
        let subject = self.expr()?;
        let mut arms = Vec::new();
        while self.eat_word("case") {
            let mut values = vec![self.expr()?];
            while self.eat(",") {
                values.push(self.expr()?);
            }
            self.expect(":")?;
            arms.push((values, self.stmts()));
        }
        let otherwise = if self.eat_word("else") {
            self.eat(":");
            self.stmts()
        } else {
            Vec::new()
        };
        self.close(&["switch"], start);
        Ok(StmtKind::Switch { subject, arms, otherwise })
    }

    fn for_stmt(&mut self, start: Span) -> Parsed<StmtKind> {
        self.bump();
        let header = |parser: &mut Self| {
            let binding = parser.binding()?;
            parser.expect_word("do")?;
            Ok(binding)
        };
        let binding = header(self);
        if let Err(reported) = binding {
            self.resume_after("do", reported)?;
        }
        let body = self.stmts();
        self.close(&["for"], start);
        Ok(StmtKind::For(binding?, body))
    }

    /// `name : expression ; … do`
    pub(super) fn aliases(&mut self) -> Parsed<Vec<(Name, Expr)>> {
        let mut aliases = Vec::new();
        loop {
            let name = self.name()?;
            self.expect(":")?;
            aliases.push((name, self.expr()?));
            let separated = self.eat(";") || self.eat(",");
            if self.eat_word("do") {
                return Ok(aliases);
            }
            if !separated && !self.at_bound_name(0) {
                return Err(self.unexpected("`do`"));
            }
        }
    }

    fn multiset_stmt(&mut self, word: &str) -> Parsed<StmtKind> {
        self.bump();
        if word == "multisetremovepred" {
            let (name, multiset, condition) = self.slot_condition()?;
            return Ok(StmtKind::MultisetRemoveIf { name, multiset, condition });
        }
        self.expect("(")?;
        let first = self.expr()?;
        self.expect(",")?;
        let multiset = self.expr()?;
        self.expect(")")?;
        Ok(match word {
            "multisetadd" => StmtKind::MultisetAdd(first, multiset),
            _ => StmtKind::MultisetRemove(first, multiset),
        })
    }
}
