//! Expressions as conditions: code that goes one way or the other.

use model::rule_code::{BinaryOp as Code, BlockId, Op};

use super::super::typed::{BinaryOp, Domain, Expr, ExprKind, LocalId, UnaryOp};
use super::operand::Truth;
use super::{Binding, Lowering};

impl<'p> Lowering<'_, 'p> {
    /// Goes to `then` where the expression is true, else to `otherwise`.
    pub(super) fn branch(&mut self, expr: &'p Expr, then: BlockId, otherwise: BlockId) {
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => self.branch(operand, otherwise, then),
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let middle = self.code.block();
                self.branch(left, middle, otherwise);
                self.code.start(middle);
                self.branch(right, then, otherwise);
            }
            ExprKind::Binary(BinaryOp::Or, left, right) => {
                let middle = self.code.block();
                self.branch(left, then, middle);
                self.code.start(middle);
                self.branch(right, then, otherwise);
            }
            ExprKind::Binary(BinaryOp::Implies, left, right) => {
                let middle = self.code.block();
                self.branch(left, middle, then);
                self.code.start(middle);
                self.branch(right, then, otherwise);
            }
            ExprKind::Conditional(condition, left, right) => {
                let (on_true, on_false) = (self.code.block(), self.code.block());
                self.branch(condition, on_true, on_false);
                self.code.start(on_true);
                self.branch(left, then, otherwise);
                self.code.start(on_false);
                self.branch(right, then, otherwise);
            }
            ExprKind::Quantified { forall, local, domain, body } => {
                self.quantified(*forall, (*local, domain, body), then, otherwise);
            }
            ExprKind::Let { local, target, body } => {
                self.scope.bindings[local.0 as usize] = self.target(target);
                self.branch(body, then, otherwise);
            }
            _ => {
                let truth = self.truth(expr);
                self.go(truth, then, otherwise);
            }
        }
    }

    /// Goes to one of two blocks.
    pub(super) fn go(&mut self, truth: Truth, then: BlockId, otherwise: BlockId) {
        match truth {
            Truth::Known(true) => self.code.jump(then),
            Truth::Known(false) => self.code.jump(otherwise),
            Truth::Reg(condition) => self.code.branch(condition, then, otherwise),
        }
    }

    /// Is an expression true?
    pub(super) fn truth(&mut self, expr: &'p Expr) -> Truth {
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => {
                let truth = self.truth(operand);
                self.negated(truth)
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, ..)
            | ExprKind::Quantified { .. } => self.branched_truth(expr),
            ExprKind::SameElement { negated, left, right } => {
                let same = self.same_element(left, right);
                if *negated { self.negated(same) } else { same }
            }
            ExprKind::SamePlace { negated, left, right } => {
                let same = self.same_place(left, right);
                if *negated { self.negated(same) } else { same }
            }
            ExprKind::IsUndefined(place) => self.is_undefined(place),
            ExprKind::IsMember(value, ty) => {
                let value = self.value(value);
                self.is_member(value, *ty)
            }
            _ => {
                let value = self.value(expr);
                self.truth_of(value)
            }
        }
    }

    /// The other truth value.
    pub(super) fn negated(&mut self, truth: Truth) -> Truth {
        match truth {
            Truth::Known(known) => Truth::Known(!known),
            Truth::Reg(reg) => Truth::Reg(self.code.binary_const(Code::Eq, reg, 0)),
        }
    }

    fn branched_truth(&mut self, expr: &'p Expr) -> Truth {
        let result = self.code.reg();
        let (then, otherwise, end) = (self.code.block(), self.code.block(), self.code.block());
        self.branch(expr, then, otherwise);
        for (block, value) in [(then, 1), (otherwise, 0)] {
            self.code.start(block);
            self.code.emit(Op::Const { dst: result, value });
            self.code.jump(end);
        }
        self.code.start(end);
        Truth::Reg(result)
    }

    fn quantified(
        &mut self,
        forall: bool,
        (local, domain, body): (LocalId, &'p Domain, &'p Expr),
        then: BlockId,
        otherwise: BlockId,
    ) {
        let writes = self.writes(body);
        let size = self.size_of(body);
        if domain.is_unordered(&self.unit.program.types) {
            return self.quantified_without_order(forall, (local, domain, body), then, otherwise);
        }
        self.each(domain, size, writes, &mut |this, value| {
            this.scope.bindings[local.0 as usize] = Binding::Value(value);
            let next = this.code.block();
            if forall {
                this.branch(body, next, otherwise);
            } else {
                this.branch(body, then, next);
            }
            this.code.start(next);
        });
        self.code.jump(if forall { then } else { otherwise });
    }

    /// Evaluates the condition for every value, so that a fault shows wherever in the
    /// order it comes.
    fn quantified_without_order(
        &mut self,
        forall: bool,
        (local, domain, body): (LocalId, &'p Domain, &'p Expr),
        then: BlockId,
        otherwise: BlockId,
    ) {
        let writes = self.writes(body);
        let size = self.size_of(body);
        let decided = self.code.constant(0);
        self.each(domain, size, writes, &mut |this, value| {
            this.scope.bindings[local.0 as usize] = Binding::Value(value);
            let (next, decides) = (this.code.block(), this.code.block());
            if forall {
                this.branch(body, next, decides);
            } else {
                this.branch(body, decides, next);
            }
            this.code.start(decides);
            this.code.emit(Op::Const { dst: decided, value: 1 });
            this.code.jump(next);
            this.code.start(next);
        });
        let (if_decided, if_open) = if forall { (otherwise, then) } else { (then, otherwise) };
        self.code.branch(decided, if_decided, if_open);
    }
}
