//! Declarations, types, functions.

use model::Span;

use super::super::ast::{
    Decl, Expr, ExprKind, Function, Item, Name, Parameter, TypeExpr, TypeExprKind,
};
use super::super::lex::Kind;
use super::{Parsed, Parser, is_section};

impl Parser<'_, '_> {
    /// Is this the beginning of a section of declarations?
    pub(super) fn at_decls(&self) -> bool {
        matches!(self.kind(), Kind::Word("const" | "type" | "var"))
    }

    /// All sections of declarations that follow each other here.
    pub(super) fn decls(&mut self) -> Vec<Decl> {
        let mut decls = Vec::new();
        while let Kind::Word(section @ ("const" | "type" | "var")) = self.kind() {
            self.bump();
            while self.at_declared_name() {
                decls.extend(self.decl(section));
                if !self.eat(";") {
                    self.missing_semicolon();
                }
                while self.eat(";") {}
            }
            while self.eat(";") {}
        }
        decls
    }

    fn at_declared_name(&self) -> bool {
        let declares = matches!(self.ahead(1).kind, Kind::Symbol(":" | ","));
        self.kind() == Kind::Name && (declares || self.extended_word().is_none())
    }

    fn missing_semicolon(&mut self) {
        let span = self.span();
        self.extension("a declaration without `;`", span);
    }

    /// One declaration. The names of a broken one are declared all the same, so
    /// that their uses are not reported as well.
    fn decl(&mut self, section: &str) -> Option<Decl> {
        let Ok(names) = self.declared_names() else {
            self.skip_decl();
            return None;
        };
        if section != "var"
            && let Some(second) = names.get(1)
        {
            self.extension("a declaration of several constants or types at once", second.span);
        }
        let span = self.span();
        let colon = self.expect(":");
        if section == "const" {
            let value = colon.and_then(|()| self.expr()).unwrap_or_else(|_| {
                self.skip_decl();
                Expr { kind: ExprKind::Bad, span, height: 1 }
            });
            return Some(Decl::Const(names, value));
        }
        let ty = colon.and_then(|()| self.type_expr()).unwrap_or_else(|_| {
            self.skip_decl();
            TypeExpr { kind: TypeExprKind::Bad, span }
        });
        Some(if section == "type" { Decl::Type(names, ty) } else { Decl::Var(names, ty) })
    }

    /// One name or more, with commas between them and perhaps one behind them.
    fn declared_names(&mut self) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name()?];
        while self.at(",") {
            let comma = self.bump().span;
            if self.at(":") {
                self.extension("a comma behind the last name", comma);
                break;
            }
            names.push(self.name()?);
        }
        Ok(names)
    }

    /// After a mistake in a declaration: goes on at the next one.
    fn skip_decl(&mut self) {
        loop {
            self.skip_to(|kind| {
                matches!(
                    kind,
                    Kind::Symbol(";")
                        | Kind::Closer(_)
                        | Kind::Word("record" | "begin" | "const" | "type" | "var")
                )
            });
            match self.kind() {
                // A record in what is skipped: its fields are skipped with it.
                Kind::Word("record") => {
                    self.bump();
                    self.skip_to(|kind| matches!(kind, Kind::Closer(_)));
                }
                Kind::Closer(_) => {
                    self.bump();
                }
                _ => return,
            }
        }
    }

    /// A type.
    pub(super) fn type_expr(&mut self) -> Parsed<TypeExpr> {
        let start = self.span();
        let kind = self.nested(|parser| parser.type_kind(start))?;
        Ok(TypeExpr { kind, span: self.since(start) })
    }

    fn type_kind(&mut self, start: Span) -> Parsed<TypeExprKind> {
        match self.kind() {
            Kind::Word("boolean") => {
                self.bump();
                Ok(TypeExprKind::Boolean)
            }
            Kind::Word("enum") => self.enumeration(),
            Kind::Word("scalarset") => {
                self.bump();
                self.expect("(")?;
                let size = Box::new(self.expr()?);
                self.expect(")")?;
                Ok(TypeExprKind::Scalarset(size))
            }
            Kind::Word("union") => self.union(),
            Kind::Word("record") => self.record(start),
            Kind::Word("array") => {
                self.bump();
                self.expect("[")?;
                let index = Box::new(self.type_expr()?);
                self.expect("]")?;
                self.expect_word("of")?;
                Ok(TypeExprKind::Array(index, Box::new(self.type_expr()?)))
            }
            Kind::Word("multiset") => {
                self.bump();
                self.expect("[")?;
                let capacity = Box::new(self.expr()?);
                self.expect("]")?;
                self.expect_word("of")?;
                Ok(TypeExprKind::Multiset(capacity, Box::new(self.type_expr()?)))
            }
            _ if self.at_real() => Err(self.real(start)),
            _ => self.range_or_name(),
        }
    }

    fn range_or_name(&mut self) -> Parsed<TypeExprKind> {
        let first = self.expr()?;
        if self.eat("..") {
            let last = self.expr()?;
            return Ok(TypeExprKind::Range(Box::new(first), Box::new(last)));
        }
        match first.kind {
            ExprKind::Name(name) => Ok(TypeExprKind::Named(name)),
            _ => Err(self.unexpected("`..`")),
        }
    }

    fn at_real(&self) -> bool {
        let is_real = self.piece.slice(self.span()).eq_ignore_ascii_case("real");
        is_real && self.ahead(1).kind == Kind::Symbol("(")
    }

    fn real(&mut self, start: Span) -> super::Reported {
        self.skip_to(|kind| matches!(kind, Kind::Symbol(")" | ";")));
        self.eat(")");
        let span = self.since(start);
        self.report("MU014", "real numbers are not supported", span)
    }

    fn enumeration(&mut self) -> Parsed<TypeExprKind> {
        self.bump();
        self.expect("{")?;
        let mut literals: Vec<Name> = Vec::new();
        while !self.at("}") {
            literals.push(self.name()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(TypeExprKind::Enum(literals))
    }

    fn union(&mut self) -> Parsed<TypeExprKind> {
        self.bump();
        self.expect("{")?;
        let mut members = Vec::new();
        while !self.at("}") {
            members.push(self.type_expr()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(TypeExprKind::Union(members))
    }

    fn record(&mut self, start: Span) -> Parsed<TypeExprKind> {
        self.bump();
        let mut fields = Vec::new();
        while self.kind() == Kind::Name {
            let names = self.declared_names()?;
            self.expect(":")?;
            fields.push((names, self.type_expr()?));
            while self.eat(";") {}
        }
        self.close(&["record"], start);
        Ok(TypeExprKind::Record(fields))
    }

    /// A function or procedure behind its keyword, which stands at `open`. Of a
    /// broken one the name is known at least.
    pub(super) fn function(&mut self, is_function: bool, open: Span) -> Option<Item> {
        let before = self.pos;
        let Ok(name) = self.name() else {
            self.skip_item(before);
            return None;
        };
        let read = self.rest_of_function(name.clone(), is_function, open);
        Some(read.map_or_else(
            |_| {
                self.skip_item(before);
                Item::Broken(name)
            },
            Item::Function,
        ))
    }

    fn rest_of_function(&mut self, name: Name, is_function: bool, open: Span) -> Parsed<Function> {
        let parameters = self.parameters()?;
        let returns = if is_function || self.at(":") {
            self.expect(":")?;
            Some(self.type_expr()?)
        } else {
            None
        };
        while self.eat(";") {}
        let decls = self.decls();
        self.eat_word("begin");
        let body = self.nested(|parser| Ok(parser.stmts()))?;
        self.close(if is_function { &["function"] } else { &["procedure"] }, open);
        Ok(Function { name, parameters, returns, decls, body })
    }

    fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        let mut parameters = Vec::new();
        if !self.eat("(") {
            return Ok(parameters);
        }
        while !self.at(")") && !is_section(self.kind()) && self.kind() != Kind::End {
            let is_var = self.eat_word("var");
            let names = self.names()?;
            self.expect(":")?;
            parameters.push(Parameter { is_var, names, ty: self.type_expr()? });
            if self.eat(";") || self.eat(",") {
                while self.eat(";") {}
            } else if self.kind() == Kind::Name || self.kind() == Kind::Word("var") {
                let span = self.span();
                self.extension("a parameter without `;` before it", span);
            } else {
                break;
            }
        }
        self.expect(")")?;
        Ok(parameters)
    }
}
