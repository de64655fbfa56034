//! Calls of functions and procedures.

use model::Span;

use super::super::ast::{Expr, ExprKind, Name};
use super::super::typed::{self, Argument, FunctionId, TypeId};
use super::expr::Operand;
use super::scope::Symbol;
use super::wrap::WholeCall;
use super::{Outcome, Resolver};

/// An argument before calls with whole results are taken out of it.
pub(super) enum Passed {
    Argument(Argument),
    Whole(WholeCall),
}

impl Resolver<'_> {
    /// A call in an expression.
    pub(super) fn called(
        &mut self,
        name: &Name,
        arguments: &[Expr],
        span: Span,
    ) -> Option<Operand> {
        let (function, arguments) = self.call(name, arguments, span)?;
        match self.signature(function).result {
            Outcome::Nothing => {
                let message = format!("`{}` is a procedure and gives no value", name.text);
                self.fail("MU012", message, name.span)
            }
            Outcome::Simple(ty) => {
                let bounds = self.program.types.bounds(ty);
                let kind = typed::ExprKind::Call(function, arguments);
                Some(Operand::Value(typed::Expr { kind, bounds, span }, self.ty(ty)))
            }
            Outcome::Whole(ty) => {
                let path = Vec::new();
                Some(Operand::Whole(WholeCall { function, arguments, path, ty, span }))
            }
        }
    }

    /// The function and its arguments, without the place for a whole result.
    pub(super) fn call(
        &mut self,
        name: &Name,
        written: &[Expr],
        span: Span,
    ) -> Option<(FunctionId, Vec<Argument>)> {
        let Symbol::Function(function) = self.lookup(&name.text, name.span)? else {
            return self.fail("MU007", format!("`{}` is not a function", name.text), name.span);
        };
        let parameters = self.signature(function).parameters.clone();
        if parameters.len() != written.len() {
            let message =
                format!("`{}` takes {}, not {}", name.text, count(parameters.len()), written.len());
            return self.fail("MU012", message, span);
        }
        let mut passed = Vec::new();
        for (argument, (ty, is_var)) in written.iter().zip(&parameters) {
            passed.push(if *is_var {
                self.reference(argument, *ty).map(|place| Passed::Argument(Argument::Place(place)))
            } else {
                self.passed(argument, *ty)
            });
        }
        let passed: Vec<Passed> = passed.into_iter().collect::<Option<_>>()?;
        Some(self.without_whole_calls(function, passed, span))
    }

    /// Is this the word `undefined`, which stands for no value at all?
    pub(super) fn is_undefined_word(&self, written: &Expr) -> bool {
        match &written.kind {
            ExprKind::Name(name) => {
                name.eq_ignore_ascii_case("undefined") && self.known.scopes.get(name).is_none()
            }
            _ => false,
        }
    }

    /// The argument of a `var` parameter.
    fn reference(&mut self, written: &Expr, ty: TypeId) -> Option<typed::Place> {
        let place = self.target(written)?;
        if place.ty == ty {
            return Some(place);
        }
        let message = format!(
            "a `var` parameter of type {} cannot stand for {}",
            self.type_name(ty),
            self.type_name(place.ty)
        );
        self.fail("MU008", message, written.span)
    }

    /// The argument of a parameter that is only read.
    fn passed(&mut self, written: &Expr, ty: TypeId) -> Option<Passed> {
        if self.is_undefined_word(written) {
            // A variable that nothing is ever assigned to.
            let unused = self.nameless(ty, written.span);
            let place = self.local_place(unused, written.span);
            return Some(Passed::Argument(Argument::Place(place)));
        }
        match self.operand(written)? {
            Operand::Whole(call) if call.ty == ty && call.path.is_empty() => {
                Some(Passed::Whole(call))
            }
            Operand::Place(place) if place.ty == ty => {
                self.place_argument(place).map(Passed::Argument)
            }
            operand => {
                let (value, of) = self.simple(operand)?;
                self.check_fits(of, ty, written.span)?;
                Some(Passed::Argument(Argument::Value(value)))
            }
        }
    }
}

fn count(n: usize) -> String {
    match n {
        0 => "no arguments".to_owned(),
        1 => "one argument".to_owned(),
        _ => format!("{n} arguments"),
    }
}
