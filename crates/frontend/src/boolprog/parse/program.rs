//! Globals, procedures, and what else stands outside of procedures.

use model::{Diagnostic, Span};

use super::{Parsed, Parser};
use crate::boolprog::ast::{Decl, Dialect, Name, Procedure, Program, Type};
use crate::boolprog::lex::Kind;

/// Words that begin a declaration of variables, with what they declare.
const TYPES: &[(&str, Type)] = &[
    ("decl", Type::Bool),
    ("bool", Type::Bool),
    ("lock", Type::Lock),
    ("mutex", Type::Lock),
    ("int", Type::Number),
];

impl Parser<'_, '_> {
    pub(super) fn program(&mut self) -> Program {
        let mut program = Program {
            dialect: Dialect::Satabs,
            globals: Vec::new(),
            procedures: Vec::new(),
            starts: Vec::new(),
            error_labels: Vec::new(),
        };
        while self.kind() != Kind::End {
            let before = self.pos;
            if self.item(&mut program).is_err() {
                self.skip_item();
            }
            if self.pos == before {
                self.bump();
            }
        }
        program
    }

    fn item(&mut self, program: &mut Program) -> Parsed<()> {
        self.eat(Kind::Semicolon);
        if self.kind() == Kind::Number {
            // Some number all their lines.
            self.bump();
            self.eat(Kind::Colon);
        }
        if self.kind() == Kind::End {
            Ok(())
        } else if self.eat_word("define") {
            // A constant of another tool: a name and a value.
            self.name("a name")?;
            self.expect(Kind::Number, "a number")
        } else if self.eat_word("init") {
            program.starts.push(self.name("the name of a procedure")?);
            self.expect(Kind::Semicolon, "`;`")
        } else if self.at_word("var") {
            self.enumerated(program)
        } else if self.kind() == Kind::Name && self.ahead(1).kind == Kind::Colon {
            self.error_label(program)
        } else if self.at_procedure() {
            self.procedure(program)
        } else if let Some(kind) = self.at_type() {
            self.bump();
            program.globals.extend(self.declared(kind)?);
            Ok(())
        } else {
            Err(self.unexpected("a declaration or a procedure"))
        }
    }

    /// After a mistake: to the end of the declaration, or over the procedure.
    fn skip_item(&mut self) {
        while self.kind() != Kind::End && !self.eat(Kind::Semicolon) {
            if self.at_type().is_some() || self.at_word("void") || self.at_word("module") {
                return;
            }
            self.bump();
        }
    }

    /// `error: goto error;`
    fn error_label(&mut self, program: &mut Program) -> Parsed<()> {
        program.error_labels.push(self.taken());
        self.bump();
        if self.eat_word("goto") {
            self.name("a label")?;
        } else if !self.eat_word("skip") {
            return Err(self.unexpected("`goto` or `skip`"));
        }
        self.expect(Kind::Semicolon, "`;`")
    }

    /// `var s: enum {0, 1, 2}`
    fn enumerated(&mut self, program: &mut Program) -> Parsed<()> {
        self.bump();
        let name = self.name("a name")?;
        self.expect(Kind::Colon, "`:`")?;
        if !self.eat_word("enum") {
            return Err(self.unexpected("`enum`"));
        }
        self.expect(Kind::OpenBrace, "`{`")?;
        self.list(|parser| match parser.kind() {
            Kind::Number | Kind::Name => Ok(parser.taken()),
            _ => Err(parser.unexpected("a value")),
        })?;
        self.expect(Kind::CloseBrace, "`}`")?;
        self.eat(Kind::Semicolon);
        program.globals.push(Decl { name, kind: Type::Number, init: None });
        Ok(())
    }

    /// The type that a declaration begins with here.
    pub(super) fn at_type(&self) -> Option<Type> {
        let found = TYPES.iter().find(|(word, _)| self.at_word(word))?;
        // `lock(x);` is a statement, and `lock := 1;` is one about a variable of that name.
        let has_name = self.ahead(1).kind == Kind::Name;
        (has_name || found.0 == "decl").then_some(found.1)
    }

    /// The variables after the type, up to `;`.
    pub(super) fn declared(&mut self, kind: Type) -> Parsed<Vec<Decl>> {
        if self.kind() == Kind::Becomes && self.ahead(1).kind == Kind::Name {
            let message = "a name is expected before `:=`";
            self.sink.push(
                Diagnostic::warning("BP013", message, self.span())
                    .help("it is read as if `:=` were not there"),
            );
            self.bump();
        }
        let decls = self.list(|parser| {
            let name = parser.declared_name("the name of a variable")?;
            let has_value = parser.eat(Kind::Becomes) || parser.eat(Kind::Equal);
            let init = if has_value { Some(parser.value()?) } else { None };
            Ok(Decl { name, kind, init })
        })?;
        self.end_of_declaration()?;
        Ok(decls)
    }

    /// A name that something gets: not one that can never be used.
    fn declared_name(&mut self, what: &str) -> Parsed<Name> {
        let name = self.name(what)?;
        if matches!(name.text.as_str(), "true" | "false") || name.text.ends_with('$') {
            let message = format!("`{}` has a meaning of its own: a name is expected", name.text);
            self.sink.push(Diagnostic::error("BP002", message, name.span));
        }
        Ok(name)
    }

    /// The procedures that are declared somewhere under the name of a statement: calls of
    /// them are calls. Conditions that are checked are what they are.
    pub(super) fn note_procedures(&mut self) {
        for pos in 0..self.tokens.len() {
            self.pos = pos;
            if !self.at_procedure() {
                continue;
            }
            self.eat_word("module");
            // Mistakes are reported when the procedure is read.
            let n = 1 + if self.ahead(1).kind == Kind::Less { 3 } else { 0 };
            let span = self.ahead(n).span;
            let text = self.source.slice(span);
            if matches!(text, "assert" | "assume") {
                let message = format!("`{text}` is a statement: no procedure has this name");
                self.sink.push(Diagnostic::error("BP002", message, span));
            }
            self.procedures.insert(text);
        }
        self.pos = 0;
    }

    fn end_of_declaration(&mut self) -> Parsed<()> {
        if self.eat(Kind::Semicolon) {
            return Ok(());
        }
        if !self.on_new_line() {
            return Err(self.unexpected("`;`"));
        }
        let span = self.tokens[self.pos.saturating_sub(1)].span;
        self.sink.push(Diagnostic::warning("BP013", "`;` is missing after this", span));
        Ok(())
    }

    /// Does a procedure begin here: a type or `void`, a name, and a parenthesis?
    fn at_procedure(&self) -> bool {
        let mut n = usize::from(self.at_word("module"));
        if !["void", "bool", "int"].contains(&self.source.slice(self.ahead(n).span)) {
            return false;
        }
        n += 1;
        if self.ahead(n).kind == Kind::Less {
            n += 3;
        }
        self.ahead(n).kind == Kind::Name && self.ahead(n + 1).kind == Kind::Open
    }

    fn procedure(&mut self, program: &mut Program) -> Parsed<()> {
        self.eat_word("module");
        let n_results = self.results()?;
        let name = self.name("the name of a procedure")?;
        self.expect(Kind::Open, "`(`")?;
        let has_none = self.at_word("void") && self.ahead(1).kind == Kind::Close;
        if has_none {
            self.bump();
        }
        let params = match self.kind() {
            Kind::Close => Vec::new(),
            _ => self.list(Self::param)?,
        };
        self.expect(Kind::Close, "`)`")?;
        let (body, end) = if self.eat(Kind::OpenBrace) {
            let is_decided = program.procedures.iter().any(|earlier| earlier.name.text == "main");
            if !is_decided {
                program.dialect = Dialect::Cuba;
            }
            let body = self.statements(&|parser| parser.kind() == Kind::CloseBrace);
            (body, self.closing(Kind::CloseBrace, "`}`")?)
        } else if self.eat_word("begin") {
            if name.text == "main" {
                program.dialect = Dialect::Satabs;
            }
            let body = self.statements(&|parser| parser.at_word("end"));
            (body, self.closing(Kind::Name, "`end`")?)
        } else {
            return Err(self.unexpected("`begin` or `{`"));
        };
        self.eat(Kind::Semicolon);
        program.procedures.push(Procedure { name, params, n_results, body, end });
        Ok(())
    }

    fn closing(&mut self, kind: Kind, what: &str) -> Parsed<Span> {
        let span = self.span();
        self.expect(kind, what)?;
        Ok(span)
    }

    /// `void`, `bool`, `bool<2>`.
    fn results(&mut self) -> Parsed<u32> {
        if self.eat_word("void") {
            return Ok(0);
        }
        self.bump();
        if !self.eat(Kind::Less) {
            return Ok(1);
        }
        if self.kind() != Kind::Number {
            return Err(self.unexpected("the number of results"));
        }
        let n = self.n_results();
        self.bump();
        self.expect(Kind::More, "`>`")?;
        Ok(n)
    }

    /// A number of results that the text could name, all those before added.
    fn n_results(&mut self) -> u32 {
        let n = self.text().parse().unwrap_or(u32::MAX);
        let n_words = self.tokens.len() - 1;
        if self.n_results.saturating_add(n as usize) > n_words {
            let message = format!(
                "{} results are more than a text of {n_words} words can give or take",
                self.text()
            );
            self.sink.push(Diagnostic::error("BP016", message, self.span()));
            return 0;
        }
        self.n_results += n as usize;
        n
    }

    fn param(&mut self) -> Parsed<Decl> {
        let is_typed = self.ahead(1).kind == Kind::Name;
        // A type that we do not know has more than two values.
        let kind = if is_typed { self.at_type().unwrap_or(Type::Number) } else { Type::Bool };
        if is_typed {
            self.bump();
        }
        let name: Name = self.declared_name("the name of a parameter")?;
        Ok(Decl { name, kind, init: None })
    }
}
