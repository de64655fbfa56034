//! Operations on registers.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use model::rule_code::{BinaryOp, CheckedOp, FaultId, Reg};

use super::Body;

impl Body<'_, '_, '_> {
    pub(super) fn binary(&mut self, op: BinaryOp, dst: Reg, left: Reg, right: Reg) {
        let (left, right) = (self.get(left), self.get(right));
        let ins = self.unit.builder.ins();
        let value = match op {
            BinaryOp::Add => ins.iadd(left, right),
            BinaryOp::Sub => ins.isub(left, right),
            BinaryOp::Mul => ins.imul(left, right),
            BinaryOp::And => ins.band(left, right),
            BinaryOp::Or => ins.bor(left, right),
            BinaryOp::Xor => ins.bxor(left, right),
            BinaryOp::Shl => self.shift(left, right, true),
            BinaryOp::Shr => self.shift(left, right, false),
            BinaryOp::Eq => self.compare(IntCC::Equal, left, right),
            BinaryOp::Ne => self.compare(IntCC::NotEqual, left, right),
            BinaryOp::Lt => self.compare(IntCC::SignedLessThan, left, right),
            BinaryOp::Le => self.compare(IntCC::SignedLessThanOrEqual, left, right),
        };
        self.set(dst, value);
    }

    fn compare(&mut self, condition: IntCC, left: Value, right: Value) -> Value {
        let flag = self.unit.builder.ins().icmp(condition, left, right);
        self.unit.builder.ins().uextend(types::I64, flag)
    }

    /// A shift by any amount: a negative one shifts the other way.
    fn shift(&mut self, value: Value, amount: Value, to_the_left: bool) -> Value {
        let back = self.unit.builder.ins().ineg(amount);
        let (left_by, right_by) = if to_the_left { (amount, back) } else { (back, amount) };
        let zero = self.iconst(0);
        let ins = self.unit.builder.ins();
        let left = ins.ishl(value, left_by);
        let fits = self.unit.builder.ins().icmp_imm(IntCC::UnsignedLessThan, left_by, 64);
        let left = self.unit.builder.ins().select(fits, left, zero);
        let most = self.iconst(63);
        let right_by = self.unit.builder.ins().umin(right_by, most);
        let right = self.unit.builder.ins().sshr(value, right_by);
        let negative = self.unit.builder.ins().icmp_imm(IntCC::SignedLessThan, amount, 0);
        let (forward, backward) = if to_the_left { (left, right) } else { (right, left) };
        self.unit.builder.ins().select(negative, backward, forward)
    }

    pub(super) fn checked(
        &mut self,
        op: CheckedOp,
        left: Reg,
        right: Reg,
        fault: FaultId,
    ) -> Value {
        let (left, right) = (self.get(left), self.get(right));
        let ins = self.unit.builder.ins();
        let (value, overflow) = match op {
            CheckedOp::Add => ins.sadd_overflow(left, right),
            CheckedOp::Sub => ins.ssub_overflow(left, right),
            CheckedOp::Mul => ins.smul_overflow(left, right),
            CheckedOp::Div => {
                self.check_divisor(left, right, fault);
                return self.unit.builder.ins().sdiv(left, right);
            }
            CheckedOp::Rem => {
                self.check_divisor(left, right, fault);
                return self.unit.builder.ins().srem(left, right);
            }
        };
        self.fault_if(overflow, fault);
        value
    }

    /// The fault for zero, and for the quotient that does not fit 64 bits. Its
    /// remainder is refused likewise, as the interpreters do.
    fn check_divisor(&mut self, left: Value, right: Value, fault: FaultId) {
        self.fault_unless(right, fault);
        let smallest = self.unit.builder.ins().icmp_imm(IntCC::Equal, left, i64::MIN);
        let minus_one = self.unit.builder.ins().icmp_imm(IntCC::Equal, right, -1);
        let overflow = self.unit.builder.ins().band(smallest, minus_one);
        self.fault_if(overflow, fault);
    }

    pub(super) fn select(&mut self, dst: Reg, condition: Reg, left: Reg, right: Reg) {
        let condition = self.get(condition);
        let (left, right) = (self.get(left), self.get(right));
        let value = self.unit.builder.ins().select(condition, left, right);
        self.set(dst, value);
    }

    pub(super) fn in_range(&mut self, value: Reg, (first, last): (i64, i64), fault: FaultId) {
        let value = self.get(value);
        if first > last {
            let always = self.iconst(1);
            return self.fault_if(always, fault);
        }
        let first_value = self.iconst(first);
        let distance = self.unit.builder.ins().isub(value, first_value);
        let outside = IntCC::UnsignedGreaterThan;
        let most = self.iconst(last.wrapping_sub(first));
        let outside = self.unit.builder.ins().icmp(outside, distance, most);
        self.fault_if(outside, fault);
    }
}
