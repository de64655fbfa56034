//! Produces the syntax tree of a `.spec` file, and goes on after a mistake: at the
//! next rule inside `rules`, at the next section elsewhere.

use model::{Bounds, Diagnostic, Span};

use crate::sink::Sink;
use crate::source::{MAX_NUMBER, Source, join, number};
use crate::spec::ast::{Constraint, Effect, Name, Rule, Spec};
use crate::spec::lex::{Kind, Token, lex};

/// Parses a whole file.
pub(crate) fn parse<'a>(source: Source<'a>, sink: &mut Sink) -> Spec<'a> {
    let tokens = lex(source, sink);
    Parser { source, tokens, pos: 0, sink }.file()
}

/// Parses the text of an option: conjunctions, side by side or separated by `;`
/// or `|`.
pub(crate) fn parse_conditions<'a>(
    source: Source<'a>,
    sink: &mut Sink,
) -> Vec<Vec<Constraint<'a>>> {
    let tokens = lex(source, sink);
    let mut parser = Parser { source, tokens, pos: 0, sink };
    let mut conditions = Vec::new();
    while parser.peek() != Kind::End {
        match parser.conjunction() {
            Ok(conjunction) => conditions.push(conjunction),
            Err(Reported) => return conditions,
        }
        while matches!(parser.peek(), Kind::Semicolon | Kind::Bar) {
            parser.pos += 1;
        }
    }
    if conditions.is_empty() {
        parser.unexpected("a constraint");
    }
    conditions
}

struct Parser<'a, 's> {
    source: Source<'a>,
    tokens: Vec<Token>,
    pos: usize,
    sink: &'s mut Sink,
}

/// The mistake is in the sink.
struct Reported;

impl<'a> Parser<'a, '_> {
    fn file(mut self) -> Spec<'a> {
        let mut spec = Spec::default();
        let mut last: Option<Token> = None;
        while self.peek() != Kind::End {
            if !self.peek().is_section() {
                self.unexpected("`vars`, `rules`, `init`, `target` or `invariants`");
                self.skip_to(Kind::is_section);
                continue;
            }
            let section = self.next();
            if last.is_some_and(|last| rank(last.kind) >= rank(section.kind)) {
                self.misplaced(section);
            }
            last = Some(section);
            self.section(section.kind, &mut spec);
        }
        spec
    }

    fn section(&mut self, kind: Kind, spec: &mut Spec<'a>) {
        match kind {
            Kind::Vars => {
                spec.saw_vars = true;
                while let Some(name) = self.optional_name() {
                    spec.vars.push(name);
                }
            }
            Kind::Rules => {
                spec.saw_rules = true;
                self.rules(&mut spec.rules);
            }
            Kind::Init => {
                spec.saw_init = true;
                spec.init.extend(self.init());
            }
            Kind::Target => {
                spec.saw_target = true;
                self.conjunctions(&mut spec.targets);
            }
            _ => self.conjunctions(&mut spec.invariants),
        }
    }

    fn rules(&mut self, rules: &mut Vec<Rule<'a>>) {
        while self.peek() != Kind::End && !self.peek().is_section() {
            match self.rule() {
                Ok(rule) => rules.push(rule),
                Err(Reported) => {
                    self.skip_to(|kind| kind == Kind::Semicolon || kind.is_section());
                    if self.peek() == Kind::Semicolon {
                        self.pos += 1;
                    }
                }
            }
        }
    }

    fn rule(&mut self) -> Result<Rule<'a>, Reported> {
        let start = self.token().span;
        let guard = self.guard()?;
        self.expect(Kind::Arrow, "`->` or `,`")?;
        let mut effects = Vec::new();
        if self.peek() != Kind::Semicolon {
            effects.push(self.effect()?);
            while self.peek() == Kind::Comma {
                self.pos += 1;
                effects.push(self.effect()?);
            }
        }
        let end = self.expect(Kind::Semicolon, "`,` or `;`")?;
        Ok(Rule { guard, effects, span: join(start, end.span) })
    }

    /// What a rule needs to fire: `true` or nothing at all before the arrow is no
    /// condition.
    fn guard(&mut self) -> Result<Vec<Constraint<'a>>, Reported> {
        match self.peek() {
            Kind::Arrow => Ok(Vec::new()),
            Kind::True => {
                self.pos += 1;
                Ok(Vec::new())
            }
            _ => self.conjunction(),
        }
    }

    fn effect(&mut self) -> Result<Effect<'a>, Reported> {
        let target = self.name("a variable")?;
        self.expect(Kind::Prime, "`'` after the variable that the rule changes")?;
        self.expect(Kind::Equal, "`=`")?;
        let mut effect = Effect { target, sources: Vec::new(), constant: 0 };
        self.term(&mut effect, 1)?;
        loop {
            let sign = match self.peek() {
                Kind::Plus => 1,
                Kind::Minus => -1,
                _ => return Ok(effect),
            };
            self.pos += 1;
            self.term(&mut effect, sign)?;
        }
    }

    fn term(&mut self, effect: &mut Effect<'a>, sign: i64) -> Result<(), Reported> {
        match self.peek() {
            Kind::Number => {
                let span = self.token().span;
                effect.constant += sign * i64::from(self.number()?);
                if effect.constant.unsigned_abs() > u64::from(MAX_NUMBER) {
                    self.too_large(span);
                }
                Ok(())
            }
            Kind::Name if sign > 0 => {
                effect.sources.push(self.name("a variable")?);
                Ok(())
            }
            Kind::Name => Err(self.unexpected("a number: variables cannot be subtracted")),
            _ => Err(self.unexpected("a variable or a number")),
        }
    }

    fn init(&mut self) -> Vec<Constraint<'a>> {
        let mut conjunctions = Vec::new();
        self.conjunctions(&mut conjunctions);
        if let [_, second, ..] = conjunctions.as_slice() {
            let message = "`init` is one conjunction: a `,` is missing before this constraint";
            self.sink.push(Diagnostic::error("SP002", message, second[0].span));
        }
        conjunctions.into_iter().flatten().collect()
    }

    fn conjunctions(&mut self, list: &mut Vec<Vec<Constraint<'a>>>) {
        while self.peek() != Kind::End && !self.peek().is_section() {
            match self.conjunction() {
                Ok(conjunction) => list.push(conjunction),
                Err(Reported) => self.skip_to(Kind::is_section),
            }
        }
    }

    fn conjunction(&mut self) -> Result<Vec<Constraint<'a>>, Reported> {
        let mut conjunction = vec![self.constraint()?];
        while self.peek() == Kind::Comma {
            self.pos += 1;
            conjunction.push(self.constraint()?);
        }
        Ok(conjunction)
    }

    fn constraint(&mut self) -> Result<Constraint<'a>, Reported> {
        let name = self.name("a constraint such as `x >= 1`")?;
        let operator = self.next();
        let bounds = match operator.kind {
            Kind::Equal => Bounds::exactly(self.number()?),
            Kind::AtLeast => Bounds::at_least(self.number()?),
            Kind::In => self.interval()?,
            _ => {
                self.back();
                return Err(self.unexpected("`=`, `>=` or `in`"));
            }
        };
        let end = self.tokens[self.pos.saturating_sub(1)].span;
        Ok(Constraint { name, bounds, span: join(name.span, end) })
    }

    fn interval(&mut self) -> Result<Bounds, Reported> {
        self.expect(Kind::Open, "`[`")?;
        let min = self.number()?;
        self.expect(Kind::Comma, "`,`")?;
        let max = self.number()?;
        self.expect(Kind::Close, "`]`")?;
        Ok(Bounds { min, max: Some(max) })
    }

    fn number(&mut self) -> Result<u32, Reported> {
        let token = self.expect(Kind::Number, "a number")?;
        match number(self.source.slice(token.span)) {
            Some(n) => Ok(n),
            None => {
                self.too_large(token.span);
                Ok(0)
            }
        }
    }

    fn name(&mut self, what: &str) -> Result<Name<'a>, Reported> {
        self.optional_name().ok_or_else(|| self.unexpected(what))
    }

    fn optional_name(&mut self) -> Option<Name<'a>> {
        let token = self.token();
        if token.kind != Kind::Name {
            return None;
        }
        self.pos += 1;
        Some(Name { text: self.source.slice(token.span), span: token.span })
    }

    fn expect(&mut self, kind: Kind, what: &str) -> Result<Token, Reported> {
        if self.peek() == kind { Ok(self.next()) } else { Err(self.unexpected(what)) }
    }

    fn token(&self) -> Token {
        self.tokens[self.pos]
    }

    fn peek(&self) -> Kind {
        self.token().kind
    }

    /// Takes a token; the last one, `End`, is never passed.
    fn next(&mut self) -> Token {
        let token = self.token();
        if token.kind != Kind::End {
            self.pos += 1;
        }
        token
    }

    /// Undoes `next`.
    fn back(&mut self) {
        if self.peek() != Kind::End || self.pos + 1 != self.tokens.len() {
            self.pos = self.pos.saturating_sub(1);
        }
    }

    fn skip_to(&mut self, stop: impl Fn(Kind) -> bool) {
        while self.peek() != Kind::End && !stop(self.peek()) {
            self.pos += 1;
        }
    }

    fn unexpected(&mut self, expected: &str) -> Reported {
        let token = self.token();
        let found = match token.kind {
            Kind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.source.slice(token.span)),
        };
        let message = format!("expected {expected}, found {found}");
        self.sink.push(Diagnostic::error("SP002", message, token.span));
        Reported
    }

    fn too_large(&mut self, span: Span) {
        let message = format!("`{}` is too large", self.source.slice(span));
        let help = format!("numbers go up to {MAX_NUMBER}");
        self.sink.push(Diagnostic::error("SP005", message, span).help(help));
    }

    fn misplaced(&mut self, section: Token) {
        let name = self.source.slice(section.span);
        let message = format!("section `{name}` is repeated or out of order");
        let help = "the order is `vars`, `rules`, `init`, `target`, `invariants`";
        self.sink.push(Diagnostic::error("SP003", message, section.span).help(help));
    }
}

/// The place of a section in the order of the file.
fn rank(kind: Kind) -> u8 {
    match kind {
        Kind::Vars => 0,
        Kind::Rules => 1,
        Kind::Init => 2,
        Kind::Target => 3,
        _ => 4,
    }
}
