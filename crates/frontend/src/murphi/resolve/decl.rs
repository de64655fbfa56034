//! Declarations of constants, types and variables.

use super::super::ast::{Decl, Expr, Name, TypeExpr, TypeExprKind};
use super::super::typed::{LocalKind, Variable};
use super::scope::Symbol;
use super::{Resolver, SizedType, Ty, User, constant};

impl Resolver<'_> {
    /// Declares what is declared here.
    pub(super) fn decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Const(names, value) => self.const_decl(names, value),
            Decl::Type(names, written) => self.type_decl(names, written),
            Decl::Var(names, written) => self.var_decl(names, written),
        }
    }

    /// Several names are names of one type, which reports call by the first.
    fn type_decl(&mut self, names: &[Name], written: &TypeExpr) {
        let first = names.first().map_or("", |name| name.text.as_str());
        if is_sized(written) {
            self.known.user = User::SizedType(first.to_owned());
        }
        let ty = match self.resized(names) {
            Some(size) if is_sized(written) => self.scalarset(size.into(), first, written.span),
            _ => self.type_of(written, first),
        };
        self.known.user = User::Other;
        if let (Some(ty), Some(name), true) = (ty, names.first(), is_sized(written)) {
            let is_range = matches!(written.kind, TypeExprKind::Range(..));
            let (name, span) = (name.text.clone(), name.span);
            self.known.sized_types.push(SizedType { name, span, ty, is_range });
        }
        for name in names {
            self.declare(name, ty.map_or(Symbol::Bad, Symbol::Type));
        }
    }

    /// The size that a type with one of these names is to have instead of its own.
    fn resized(&self, names: &[Name]) -> Option<u32> {
        let is_it = |wanted: &String| names.iter().any(|name| name.text == *wanted);
        self.options.resized.iter().find(|(wanted, _)| is_it(wanted)).map(|(_, size)| *size)
    }

    fn const_decl(&mut self, names: &[Name], value: &Expr) {
        let global = self.known.scopes.is_outermost();
        self.known.user =
            names.first().map_or(User::Other, |name| User::Constant(name.text.clone()));
        let written = self.constant(value);
        self.known.user = User::Other;
        for name in names {
            if let (Some(first), true) = (names.first(), names.len() > 1) {
                let same = (User::Constant(name.text.clone()), first.text.clone());
                self.known.named_constants.insert(same);
            }
            let constants = self.options.constants.iter().rev();
            let replaced = constants.filter(|_| global).find(|(other, _)| *other == name.text);
            let symbol = match replaced {
                Some((_, replacement)) => {
                    self.overridden.insert(name.text.clone());
                    written.and_then(|(_, ty)| self.replaced(*replacement, ty, name))
                }
                None => written,
            };
            if let Some((value, Ty::Number)) = symbol
                && global
            {
                self.program.constants.push((name.text.clone(), value));
            }
            let symbol = symbol.map_or(Symbol::Bad, |(value, ty)| Symbol::Constant(value, ty));
            self.declare(name, symbol);
        }
    }

    /// A constant with another value, of the type that it had.
    fn replaced(&mut self, replacement: i64, ty: Ty, name: &Name) -> Option<(i64, Ty)> {
        if ty == Ty::Number || (Self::is_boolean(ty) && (0..=1).contains(&replacement)) {
            return Some((replacement, ty));
        }
        let message = format!("`{}` is {}, not a number", name.text, self.ty_name(ty));
        self.fail("MU008", message, name.span)
    }

    fn var_decl(&mut self, names: &[Name], written: &TypeExpr) {
        let ty = self.type_of(written, "");
        for name in names {
            match ty {
                None => self.declare(name, Symbol::Bad),
                Some(ty) if self.known.scopes.is_outermost() => {
                    let idx = self.program.variables.len() as u32;
                    let (text, span) = (name.text.clone(), name.span);
                    self.program.variables.push(Variable { name: text, ty, span });
                    self.declare(name, Symbol::Variable(idx));
                }
                Some(ty) => {
                    self.bind(name, ty, LocalKind::Variable, false);
                }
            }
        }
    }

    /// The value of an expression that has to be constant.
    fn constant(&mut self, written: &Expr) -> Option<(i64, Ty)> {
        let (expr, ty) = self.value(written)?;
        match constant::value_of(&expr) {
            Some(value) => Some((value, ty)),
            None => self.fail("MU009", "a constant is expected here", written.span),
        }
    }

    /// The value of an expression that has to be a constant number.
    pub(super) fn constant_number(&mut self, written: &Expr) -> Option<i64> {
        match self.constant(written)? {
            (value, Ty::Number) => Some(value),
            (_, ty) => {
                let message = format!("a number is expected here, not {}", self.ty_name(ty));
                self.fail("MU008", message, written.span)
            }
        }
    }
}

/// Is it a subrange or a scalarset?
fn is_sized(written: &TypeExpr) -> bool {
    matches!(written.kind, TypeExprKind::Range(..) | TypeExprKind::Scalarset(_))
}
