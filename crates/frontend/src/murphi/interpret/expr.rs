//! The values of expressions.

use super::super::faults;
use super::super::typed::{
    Argument, BinaryOp, Domain, Expr, ExprKind, FunctionId, LocalId, Place, Predicate,
};
use super::domain::Values;
use super::machine::{Binding, Machine, fail};
use super::place::{Contents, bad_argument};
use super::{Exit, Flow, arithmetic};

impl<'a> Machine<'a> {
    /// The value of an expression.
    pub(super) fn eval(&mut self, expr: &'a Expr) -> Result<i64, Exit> {
        if let ExprKind::Constant(value) = expr.kind {
            return Ok(value);
        }
        self.descend()?;
        let value = self.eval_compound(expr)?;
        self.ascend();
        Ok(value)
    }

    /// Is an expression of truth value true?
    pub(super) fn holds(&mut self, expr: &'a Expr) -> Result<bool, Exit> {
        Ok(self.eval(expr)? != 0)
    }

    /// Is a predicate true in the state?
    pub(super) fn predicate(&mut self, predicate: &'a Predicate) -> Result<bool, Exit> {
        let first_binding = self.bindings.len();
        let caller = self.enter_frame(None, &predicate.locals, first_binding)?;
        let holds = self.holds(&predicate.condition)?;
        self.leave_frame(caller);
        Ok(holds)
    }

    fn eval_compound(&mut self, expr: &'a Expr) -> Result<i64, Exit> {
        match &expr.kind {
            ExprKind::Constant(value) => Ok(*value),
            ExprKind::Read(place) => self.read(place),
            ExprKind::Unary(op, operand) => {
                let operand = self.eval(operand)?;
                arithmetic::unary(*op, operand).map_or_else(|| fail(faults::arithmetic(expr)), Ok)
            }
            ExprKind::Binary(op, left, right) => self.binary(expr, *op, (left, right)),
            ExprKind::Conditional(condition, left, right) => {
                if self.holds(condition)? {
                    self.eval(left)
                } else {
                    self.eval(right)
                }
            }
            ExprKind::SameElement { negated, left, right } => {
                let left = self.contents(left)?;
                Ok(i64::from((left == self.contents(right)?) != *negated))
            }
            ExprKind::SamePlace { negated, left, right } => self.same_place(*negated, left, right),
            ExprKind::Quantified { forall, local, domain, body } => {
                self.quantified(*forall, *local, domain, body)
            }
            ExprKind::Let { local, target, body } => {
                let bound = self.target(target)?;
                self.bind(*local, bound);
                self.eval(body)
            }
            ExprKind::Call(function, arguments) => {
                Ok(self.call(*function, arguments)?.unwrap_or_default())
            }
            ExprKind::IsUndefined(place) => {
                Ok(i64::from(self.contents(place)? == Contents::Undefined))
            }
            ExprKind::IsMember(value, ty) => {
                let value = self.eval(value)?;
                Ok(i64::from(self.codes.code_of(*ty, value).is_some()))
            }
            ExprKind::MultisetCount { local, multiset, body } => {
                self.multiset_count(*local, multiset, body)
            }
        }
    }

    fn binary(
        &mut self,
        expr: &'a Expr,
        op: BinaryOp,
        (left, right): (&'a Expr, &'a Expr),
    ) -> Result<i64, Exit> {
        let left = self.eval(left)?;
        if let Some(result) = arithmetic::decides(op, left) {
            return Ok(result);
        }
        let right = self.eval(right)?;
        arithmetic::binary(op, left, right).map_or_else(|| fail(faults::arithmetic(expr)), Ok)
    }

    fn same_place(
        &mut self,
        negated: bool,
        left: &'a Place,
        right: &'a Place,
    ) -> Result<i64, Exit> {
        let n_bits = self.layouts.bits(left.ty);
        let left = self.locate(left)?;
        let right = self.locate(right)?;
        Ok(i64::from(self.same(left, right, n_bits) != negated))
    }

    fn quantified(
        &mut self,
        forall: bool,
        local: LocalId,
        domain: &'a Domain,
        body: &'a Expr,
    ) -> Result<i64, Exit> {
        let goes_on = domain.is_unordered(&self.program.types);
        let mut result = forall;
        let mut values = self.values(domain)?;
        while let Some(value) = values.take(&self.codes) {
            self.tick()?;
            self.bind(local, Binding::Value(value));
            if self.holds(body)? != forall {
                result = !forall;
                if !goes_on {
                    break;
                }
            }
        }
        Ok(i64::from(result))
    }

    /// The values of a domain.
    pub(super) fn values(&mut self, domain: &'a Domain) -> Result<Values, Exit> {
        match domain {
            Domain::Type(ty) => Ok(Values::of_type(*ty)),
            Domain::Range { from, to, by } => {
                let first = self.eval(from)?;
                let last = self.eval(to)?;
                let step = self.eval(by)?;
                if step == 0 {
                    return fail(faults::zero_step(by));
                }
                Ok(Values::of_range(first, last, step))
            }
        }
    }

    /// Calls a function or procedure; its value where it returns one.
    pub(super) fn call(
        &mut self,
        id: FunctionId,
        arguments: &'a [Argument],
    ) -> Result<Option<i64>, Exit> {
        let function = &self.program.functions[id.0 as usize];
        let first_binding = self.bindings.len();
        for (idx, argument) in arguments.iter().enumerate() {
            let Some(bound) = self.argument(&function.locals[idx], argument)? else {
                return Err(bad_argument(self.scope(), function, idx, argument));
            };
            self.bindings.push(bound);
        }
        self.tick()?;
        if self.frame.n_calls >= faults::MAX_CALL_DEPTH {
            return fail(faults::recursion());
        }
        let caller = self.enter_frame(Some(function), &function.locals, first_binding)?;
        let flow = self.run(&function.body)?;
        self.leave_frame(caller);
        match flow {
            Flow::Return(Some(value)) => Ok(Some(value)),
            _ if function.returns.is_some() => fail(faults::missing_return(function)),
            _ => Ok(None),
        }
    }
}
