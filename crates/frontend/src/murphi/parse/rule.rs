//! Rules, start states, properties and what groups them.

use model::Span;

use super::super::ast::{Binding, Expr, ExprKind, Item, PropertyWord, Rule, RuleKind, SimpleRule};
use super::super::lex::Kind;
use super::{Parsed, Parser, is_section};

impl Parser<'_, '_> {
    /// All of a model.
    pub(super) fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        let (mut seen_function, mut seen_rule) = (false, false);
        while self.kind() != Kind::End {
            let before = self.pos;
            let span = self.span();
            if self.eat(";") {
                continue;
            }
            if self.at_decls() {
                if seen_function || seen_rule {
                    self.extension("a declaration after a function or rule", span);
                }
                items.extend(self.decls().into_iter().map(Item::Decl));
            } else if matches!(self.kind(), Kind::Word("function" | "procedure")) {
                if seen_rule {
                    self.extension("a function after a rule", span);
                }
                let is_function = self.at_word("function");
                self.bump();
                items.extend(self.function(is_function, span));
                seen_function = true;
            } else if let Some(rule) = self.rule() {
                items.extend(rule.map(Item::Rule));
                seen_rule = true;
            } else {
                self.unexpected("a declaration, a function or a rule");
                self.skip_item(before);
            }
        }
        items
    }

    /// After a mistake: goes on where something new begins.
    pub(super) fn skip_item(&mut self, before: usize) {
        if self.pos == before {
            self.pos += 1;
        }
        while !self.at_item() {
            self.pos += 1;
        }
    }

    /// Does something new begin here, or nothing more?
    fn at_item(&self) -> bool {
        let after_semicolon = self.tokens[self.pos - 1].kind == Kind::Symbol(";");
        is_section(self.kind())
            || self.at_decls()
            || self.kind() == Kind::End
            || (after_semicolon && self.at_property())
    }

    fn at_property(&self) -> bool {
        self.at_word("invariant") || self.extended_word().is_some()
    }

    /// A rule if one begins here: nothing inside when it is broken.
    fn rule(&mut self) -> Option<Option<Rule>> {
        let start = self.span();
        let before = self.pos;
        let result = match self.kind() {
            Kind::Word("rule") => self.nested(|parser| parser.simple_rule(false)),
            Kind::Word("startstate") => self.nested(|parser| parser.simple_rule(true)),
            Kind::Word("ruleset") => self.nested(|parser| parser.ruleset(start)),
            Kind::Word("choose") => self.nested(|parser| parser.choose(start)),
            Kind::Word("alias") => self.nested(|parser| parser.alias_rule(start)),
            _ if self.at_property() => self.property(),
            _ => return None,
        };
        // Behind its closer a broken group of rules is over.
        let closed = matches!(self.tokens[self.pos.saturating_sub(1)].kind, Kind::Closer(_));
        if result.is_err() && (self.pos == before || !closed) {
            self.skip_item(before);
        }
        let rule = result.ok().map(|(kind, span)| Rule { kind, span });
        Some(rule)
    }

    /// Rules up to a closer.
    fn rules(&mut self) -> Vec<Rule> {
        let mut rules = Vec::new();
        loop {
            while self.eat(";") {}
            if matches!(self.kind(), Kind::Closer(_) | Kind::End) {
                return rules;
            }
            match self.rule() {
                Some(rule) => rules.extend(rule),
                None => {
                    self.unexpected("a rule");
                    let before = self.pos;
                    self.skip_to(|kind| matches!(kind, Kind::Closer(_) | Kind::Symbol(";")));
                    if self.pos == before && is_section(self.kind()) {
                        return rules;
                    }
                }
            }
        }
    }

    fn simple_rule(&mut self, is_start: bool) -> Parsed<(RuleKind, Span)> {
        let open = self.bump().span;
        let priority = if is_start { None } else { self.priority()? };
        let name = self.text();
        let span = self.since(open);
        let guard = if !is_start && self.has_guard() { Some(self.guard()?) } else { None };
        let decls = self.decls();
        self.eat_word("begin");
        let body = self.stmts();
        self.close(if is_start { &["startstate"] } else { &["rule"] }, open);
        let rule = SimpleRule { is_start, name, priority, guard, decls, body };
        Ok((RuleKind::Simple(rule), span))
    }

    /// A number between `rule` and its name.
    fn priority(&mut self) -> Parsed<Option<Expr>> {
        let is_value = matches!(self.kind(), Kind::Number | Kind::Name);
        let before_name = self.ahead(1).kind == Kind::Text;
        if is_value && before_name { Ok(Some(self.expr()?)) } else { Ok(None) }
    }

    /// Is there a `==>` before the first statement?
    fn has_guard(&self) -> bool {
        for n in 0.. {
            match self.ahead(n).kind {
                Kind::Symbol("==>") => return true,
                Kind::Symbol(";") if !self.at_bound_name(n + 1) => return false,
                Kind::Word("begin" | "const" | "type" | "var") | Kind::End => return false,
                kind if is_section(kind) => return false,
                _ => {}
            }
        }
        false
    }

    fn guard(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let read = |parser: &mut Self| {
            let guard = parser.expr()?;
            parser.expect("==>")?;
            Parsed::Ok(guard)
        };
        match read(self) {
            Ok(guard) => Ok(guard),
            Err(_) => {
                self.skip_to(|kind| kind == Kind::Symbol("==>"));
                self.expect("==>")?;
                Ok(Expr { kind: ExprKind::Bad, span, height: 1 })
            }
        }
    }

    fn property(&mut self) -> Parsed<(RuleKind, Span)> {
        let open = self.span();
        let kind = match self.extended_word() {
            None => PropertyWord::Invariant,
            Some(word) => {
                self.extension(&format!("`{word}`"), open);
                match word {
                    "assume" => PropertyWord::Assume,
                    "cover" => PropertyWord::Cover,
                    _ => PropertyWord::Liveness,
                }
            }
        };
        self.bump();
        let (name, condition) = self.named_condition()?;
        let span = self.since(open);
        if !self.at(";") && self.kind() != Kind::End {
            let here = self.span();
            self.extension("a property without `;`", here);
        }
        Ok((RuleKind::Property { kind, name, condition }, span))
    }

    fn ruleset(&mut self, open: Span) -> Parsed<(RuleKind, Span)> {
        let (bindings, span) = self.header(open, Self::bindings);
        let rules = self.rules();
        self.close(&["ruleset"], open);
        Ok((RuleKind::Ruleset(bindings?, rules), span))
    }

    fn choose(&mut self, open: Span) -> Parsed<(RuleKind, Span)> {
        let (header, span) = self.header(open, |parser| {
            let name = parser.name()?;
            parser.expect(":")?;
            let multiset = parser.expr()?;
            parser.expect_word("do")?;
            Ok((name, multiset))
        });
        let rules = self.rules();
        self.close(&["choose"], open);
        let (name, multiset) = header?;
        Ok((RuleKind::Choose(name, multiset, rules), span))
    }

    fn alias_rule(&mut self, open: Span) -> Parsed<(RuleKind, Span)> {
        let (aliases, span) = self.header(open, Self::aliases);
        let rules = self.rules();
        self.close(&["alias", "aliasrule"], open);
        Ok((RuleKind::Alias(aliases?, rules), span))
    }

    /// What stands between the keyword at `open` and `do`. After a mistake reading
    /// goes on behind `do`, so that the rules are read all the same.
    fn header<T>(
        &mut self,
        open: Span,
        read: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> (Parsed<T>, Span) {
        self.bump();
        let header = read(self);
        if let Err(reported) = header {
            let _ = self.resume_after("do", reported);
        }
        (header, self.since(open))
    }

    /// `name : type ; … do`
    fn bindings(&mut self) -> Parsed<Vec<Binding>> {
        let mut bindings = vec![self.binding()?];
        while !self.eat_word("do") {
            if !self.eat(";") && !self.eat(",") {
                return Err(self.unexpected("`do`"));
            }
            if !self.at_word("do") {
                bindings.push(self.binding()?);
            }
        }
        Ok(bindings)
    }
}
