//! Expressions as values.

use model::rule_code::{self, CheckedOp, FaultId, Op, Reg};

use super::super::faults;
use super::super::typed::{Argument, BinaryOp, Expr, ExprKind, Place, UnaryOp};
use super::facts::Held;
use super::operand::{ANY, Operand, Truth, is_exact};
use super::unit::SiteKind;
use super::{Binding, Lowering};

impl<'p> Lowering<'_, 'p> {
    /// The value of an expression.
    pub(super) fn value(&mut self, expr: &'p Expr) -> Operand {
        match &expr.kind {
            ExprKind::Constant(value) => Operand::Const(*value),
            ExprKind::Read(place) => self.read(place),
            ExprKind::Unary(UnaryOp::Not, operand) => {
                let truth = self.truth(operand);
                let negated = self.negated(truth);
                self.value_of(negated)
            }
            ExprKind::Unary(UnaryOp::Negate, operand) => {
                let operand = self.value(operand);
                self.arithmetic(expr, BinaryOp::Sub, Operand::Const(0), operand)
            }
            ExprKind::Unary(UnaryOp::BitNot, operand) => {
                let operand = self.value(operand);
                self.bitwise(BinaryOp::BitXor, operand, Operand::Const(-1))
            }
            ExprKind::Binary(op, left, right) => self.binary(expr, *op, left, right),
            ExprKind::Conditional(condition, left, right) => {
                self.conditional(condition, left, right)
            }
            ExprKind::Let { local, target, body } => {
                self.scope.bindings[local.0 as usize] = self.target(target);
                self.value(body)
            }
            ExprKind::Call(function, arguments) => {
                self.call(*function, arguments).unwrap_or(Operand::Const(0))
            }
            ExprKind::MultisetCount { local, multiset, body } => {
                self.multiset_count(*local, multiset, body)
            }
            ExprKind::SameElement { .. }
            | ExprKind::SamePlace { .. }
            | ExprKind::Quantified { .. }
            | ExprKind::IsUndefined(_)
            | ExprKind::IsMember(..) => {
                let truth = self.truth(expr);
                self.value_of(truth)
            }
        }
    }

    /// What a name is bound to.
    pub(super) fn target(&mut self, target: &'p Argument) -> Binding {
        match target {
            Argument::Place(place) => self.resolve(place),
            Argument::Value(value) => Binding::Value(self.value(value)),
        }
    }

    fn binary(&mut self, expr: &'p Expr, op: BinaryOp, left: &'p Expr, right: &'p Expr) -> Operand {
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {
                let truth = self.truth(expr);
                self.value_of(truth)
            }
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => {
                let left = self.value(left);
                let right = self.value(right);
                let truth = self.compare(op, left, right);
                self.value_of(truth)
            }
            BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Shl
            | BinaryOp::Shr => {
                let left = self.value(left);
                let right = self.value(right);
                self.bitwise(op, left, right)
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => {
                let left = self.value(left);
                let right = self.value(right);
                self.arithmetic(expr, op, left, right)
            }
        }
    }

    fn conditional(&mut self, condition: &'p Expr, left: &'p Expr, right: &'p Expr) -> Operand {
        let result = self.code.reg();
        let (then, otherwise, end) = (self.code.block(), self.code.block(), self.code.block());
        self.branch(condition, then, otherwise);
        let mut bounds: Option<(i64, i64)> = None;
        for (block, value) in [(then, left), (otherwise, right)] {
            self.code.start(block);
            if !self.code.is_live() {
                continue;
            }
            let value = self.value(value);
            let (first, last) = self.bounds(value);
            bounds = Some(bounds.map_or((first, last), |b| (b.0.min(first), b.1.max(last))));
            let src = self.number(value);
            self.code.emit(Op::Move { dst: result, src });
            self.code.jump(end);
        }
        self.code.start(end);
        Operand::number(result, bounds.unwrap_or(ANY))
    }

    /// Compares two values.
    pub(super) fn compare(&mut self, op: BinaryOp, left: Operand, right: Operand) -> Truth {
        match op {
            BinaryOp::Eq => self.equal(left, right),
            BinaryOp::Ne => {
                let equal = self.equal(left, right);
                self.negated(equal)
            }
            BinaryOp::Lt => self.less(rule_code::BinaryOp::Lt, left, right),
            BinaryOp::Le => self.less(rule_code::BinaryOp::Le, left, right),
            BinaryOp::Gt => self.less(rule_code::BinaryOp::Lt, right, left),
            _ => self.less(rule_code::BinaryOp::Le, right, left),
        }
    }

    /// Are two values equal?
    pub(super) fn equal(&mut self, left: Operand, right: Operand) -> Truth {
        let (a, b) = (self.bounds(left), self.bounds(right));
        if a.1 < b.0 || b.1 < a.0 {
            return Truth::Known(false);
        }
        if left == right {
            return Truth::Known(true);
        }
        match (left, right) {
            (Operand::Const(_), Operand::Affine { .. } | Operand::Coded { .. })
            | (Operand::Affine { .. }, Operand::Coded { .. }) => self.equal(right, left),
            (Operand::Const(a), Operand::Const(b)) => Truth::Known(a == b),
            (Operand::Affine { reg, offset, .. }, Operand::Const(value)) => {
                self.equal_const(reg, value.wrapping_sub(offset))
            }
            (Operand::Coded { reg, ty }, Operand::Const(value)) => {
                match self.unit.program.types.code_of(ty, value) {
                    Some(code) => self.equal_const(reg, code.cast_signed()),
                    None => Truth::Known(false),
                }
            }
            (
                Operand::Affine { reg: left, offset: a, .. },
                Operand::Affine { reg: right, offset: b, .. },
            ) => {
                let left = self.code.plus(left, a.wrapping_sub(b));
                self.equal_regs(left, right)
            }
            (Operand::Coded { reg: left, ty: a }, Operand::Coded { reg: right, ty: b })
                if a == b =>
            {
                self.equal_regs(left, right)
            }
            (Operand::Coded { .. }, _) => {
                let left = self.uncoded(left);
                let right = self.uncoded(right);
                self.equal(left, right)
            }
        }
    }

    pub(super) fn equal_const(&mut self, reg: Reg, value: i64) -> Truth {
        Truth::Reg(self.code.binary_const(rule_code::BinaryOp::Eq, reg, value))
    }

    pub(super) fn equal_regs(&mut self, left: Reg, right: Reg) -> Truth {
        Truth::Reg(self.code.binary(rule_code::BinaryOp::Eq, left, right))
    }

    fn less(&mut self, op: rule_code::BinaryOp, left: Operand, right: Operand) -> Truth {
        let (a, b) = (self.bounds(left), self.bounds(right));
        let strict = op == rule_code::BinaryOp::Lt;
        if a.1 < b.0 || (!strict && a.1 == b.0) {
            return Truth::Known(true);
        }
        if a.0 > b.1 || (strict && a.0 == b.1) {
            return Truth::Known(false);
        }
        let (left, right) = match (left, right) {
            (Operand::Affine { reg, offset, .. }, Operand::Const(value)) if is_exact(left) => {
                match value.checked_sub(offset) {
                    Some(value) => (reg, self.code.constant(value)),
                    None => (self.number(left), self.number(right)),
                }
            }
            (
                Operand::Affine { reg: a, offset: x, .. },
                Operand::Affine { reg: b, offset: y, .. },
            ) if x == y && is_exact(left) && is_exact(right) => (a, b),
            _ => (self.number(left), self.number(right)),
        };
        Truth::Reg(self.code.binary(op, left, right))
    }

    fn arithmetic(
        &mut self,
        expr: &'p Expr,
        op: BinaryOp,
        left: Operand,
        right: Operand,
    ) -> Operand {
        let (left, right) = (self.uncoded(left), self.uncoded(right));
        let exact = result_bounds(op, self.bounds(left), self.bounds(right));
        let fits = exact.and_then(|(first, last)| {
            Some((i64::try_from(first).ok()?, i64::try_from(last).ok()?))
        });
        if let Some(bounds) = fits {
            if bounds.0 == bounds.1 && matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) {
                return Operand::Const(bounds.0);
            }
            if let Some(result) = self.unchecked(op, left, right, bounds) {
                return result;
            }
        }
        let fault = self.unit.fault(expr, SiteKind::Arithmetic, 0, || faults::arithmetic(expr));
        self.checked_op(op, (left, right), fits.unwrap_or(ANY), fault)
    }

    /// Sums, differences and products that surely fit.
    fn unchecked(
        &mut self,
        op: BinaryOp,
        left: Operand,
        right: Operand,
        bounds: (i64, i64),
    ) -> Option<Operand> {
        let affine = |reg, offset| Some(Operand::Affine { reg, offset, bounds });
        match (op, left, right) {
            (BinaryOp::Add, Operand::Const(value), Operand::Affine { reg, offset, .. })
            | (BinaryOp::Add, Operand::Affine { reg, offset, .. }, Operand::Const(value)) => {
                affine(reg, offset.wrapping_add(value))
            }
            (BinaryOp::Sub, Operand::Affine { reg, offset, .. }, Operand::Const(value)) => {
                affine(reg, offset.wrapping_sub(value))
            }
            (
                BinaryOp::Add,
                Operand::Affine { reg: a, offset: x, .. },
                Operand::Affine { reg: b, offset: y, .. },
            ) => {
                let reg = self.code.binary(rule_code::BinaryOp::Add, a, b);
                affine(reg, x.wrapping_add(y))
            }
            (
                BinaryOp::Sub,
                Operand::Affine { reg: a, offset: x, .. },
                Operand::Affine { reg: b, offset: y, .. },
            ) => {
                let reg = self.code.binary(rule_code::BinaryOp::Sub, a, b);
                affine(reg, x.wrapping_sub(y))
            }
            (BinaryOp::Sub | BinaryOp::Mul, ..) => {
                let (left, right) = (self.number(left), self.number(right));
                let op = match op {
                    BinaryOp::Sub => rule_code::BinaryOp::Sub,
                    _ => rule_code::BinaryOp::Mul,
                };
                affine(self.code.binary(op, left, right), 0)
            }
            _ => None,
        }
    }

    fn checked_op(
        &mut self,
        op: BinaryOp,
        (left, right): (Operand, Operand),
        bounds: (i64, i64),
        fault: FaultId,
    ) -> Operand {
        let op = match op {
            BinaryOp::Add => CheckedOp::Add,
            BinaryOp::Sub => CheckedOp::Sub,
            BinaryOp::Mul => CheckedOp::Mul,
            BinaryOp::Div => CheckedOp::Div,
            _ => CheckedOp::Rem,
        };
        let (left, right) = (self.number(left), self.number(right));
        let dst = self.code.reg();
        self.code.emit(Op::Checked { op, dst, left, right, fault });
        Operand::number(dst, bounds)
    }

    fn bitwise(&mut self, op: BinaryOp, left: Operand, right: Operand) -> Operand {
        let (a, b) = (self.bounds(left), self.bounds(right));
        let op = match op {
            BinaryOp::BitAnd => rule_code::BinaryOp::And,
            BinaryOp::BitOr => rule_code::BinaryOp::Or,
            BinaryOp::BitXor => rule_code::BinaryOp::Xor,
            BinaryOp::Shl => rule_code::BinaryOp::Shl,
            _ => rule_code::BinaryOp::Shr,
        };
        let bounds = match op {
            rule_code::BinaryOp::And if a.0 >= 0 && b.0 >= 0 => (0, a.1.min(b.1)),
            rule_code::BinaryOp::Or | rule_code::BinaryOp::Xor if a.0 >= 0 && b.0 >= 0 => {
                (0, all_ones(a.1.max(b.1)))
            }
            rule_code::BinaryOp::Shr if a.0 >= 0 && b.0 >= 0 => (0, a.1),
            _ => ANY,
        };
        let (left, right) = (self.number(left), self.number(right));
        Operand::number(self.code.binary(op, left, right), bounds)
    }

    /// Is a place of simple type undefined?
    pub(super) fn is_undefined(&mut self, place: &'p Place) -> Truth {
        let Binding::Place(spot) = self.resolve(place) else { return Truth::Known(false) };
        match self.code_at(spot, place.ty) {
            Held::Const(code) => Truth::Known(code == 0),
            Held::Reg(reg) if self.code.facts.is_nonzero(reg) => Truth::Known(false),
            Held::Reg(reg) => self.equal_const(reg, 0),
        }
    }
}

/// The smallest number of all ones in binary that is not below `value`.
fn all_ones(value: i64) -> i64 {
    i64::MAX.checked_shr(value.leading_zeros().saturating_sub(1)).unwrap_or(0)
}

/// The smallest and largest result; `None` where it may have none.
fn result_bounds(op: BinaryOp, a: (i64, i64), b: (i64, i64)) -> Option<(i128, i128)> {
    let (a0, a1, b0, b1) = (i128::from(a.0), i128::from(a.1), i128::from(b.0), i128::from(b.1));
    match op {
        BinaryOp::Add => Some((a0 + b0, a1 + b1)),
        BinaryOp::Sub => Some((a0 - b1, a1 - b0)),
        BinaryOp::Mul => {
            let all = [a0 * b0, a0 * b1, a1 * b0, a1 * b1];
            Some((*all.iter().min()?, *all.iter().max()?))
        }
        BinaryOp::Div => {
            let most = a0.abs().max(a1.abs());
            Some((if a0 >= 0 && b0 >= 0 { 0 } else { -most }, most))
        }
        _ => {
            let most = (b0.abs().max(b1.abs()) - 1).max(0).min(a0.abs().max(a1.abs()));
            Some((if a0 >= 0 { 0 } else { -most }, most))
        }
    }
}
