//! Equality of what two places hold: of elements that may be undefined, and of whole
//! records and arrays.

use model::rule_code::{BinaryOp, Op};

use super::super::typed::{Place, TypeId};
use super::facts::Held;
use super::operand::{Operand, Truth};
use super::place::Spot;
use super::stmt::Source;
use super::{Binding, Lowering};

impl<'p> Lowering<'_, 'p> {
    /// Do two places hold the same value, or both none?
    pub(super) fn same_element(&mut self, left: &'p Place, right: &'p Place) -> Truth {
        let left = self.contents(left);
        let right = self.contents(right);
        match (left, right) {
            (Source::Value(left), Source::Value(right)) => self.equal(left, right),
            (Source::Contents(left, one), Source::Contents(right, other)) if one == other => {
                self.same_code(left, right)
            }
            (Source::Contents(left, one), Source::Contents(right, other)) => {
                self.same_contents((left, one), (right, other))
            }
            (Source::Contents(code, ty), Source::Value(value))
            | (Source::Value(value), Source::Contents(code, ty)) => {
                self.holds_value((code, ty), value)
            }
            (Source::Whole(_), _) | (_, Source::Whole(_)) => {
                unreachable!("the resolver compares places of simple type")
            }
        }
    }

    fn same_code(&mut self, left: Held, right: Held) -> Truth {
        match (left, right) {
            (Held::Const(left), Held::Const(right)) => Truth::Known(left == right),
            (Held::Reg(reg), Held::Const(code)) | (Held::Const(code), Held::Reg(reg)) => {
                if code == 0 && self.code.facts.is_nonzero(reg) {
                    return Truth::Known(false);
                }
                self.equal_const(reg, code.cast_signed())
            }
            (Held::Reg(left), Held::Reg(right)) if left == right => Truth::Known(true),
            (Held::Reg(left), Held::Reg(right)) => self.equal_regs(left, right),
        }
    }

    /// Is the code that of this value?
    fn holds_value(&mut self, (code, ty): (Held, TypeId), value: Operand) -> Truth {
        let decoded = self.decoded(code, ty);
        match code {
            Held::Const(0) => Truth::Known(false),
            Held::Const(_) => self.equal(decoded, value),
            Held::Reg(reg) => {
                let equal = self.equal(decoded, value);
                // Decoded without a check, zero is the number before the first value.
                let (first, last) = self.unit.program.types.bounds(ty);
                let (low, high) = self.bounds(value);
                let is_inside = self.unit.offset(ty).is_some() && first <= low && high <= last;
                if is_inside || self.code.facts.is_nonzero(reg) {
                    return equal;
                }
                let defined = self.code.binary_const(BinaryOp::Ne, reg, 0);
                self.both(Truth::Reg(defined), equal)
            }
        }
    }

    /// Do codes of two types stand for the same value, or both for none?
    fn same_contents(&mut self, left: (Held, TypeId), right: (Held, TypeId)) -> Truth {
        for (one, other) in [(left, right), (right, left)] {
            match one.0 {
                Held::Const(0) => return self.same_code(other.0, Held::Const(0)),
                Held::Reg(reg) if !self.code.facts.is_nonzero(reg) => {}
                _ => {
                    let value = self.decoded(one.0, one.1);
                    return self.holds_value(other, value);
                }
            }
        }
        let (one, other) = (self.decoded(left.0, left.1), self.decoded(right.0, right.1));
        let equal = self.equal(one, other);
        let (left, right) = (self.register(left.0), self.register(right.0));
        let left_defined = self.code.binary_const(BinaryOp::Ne, left, 0);
        let right_defined = self.code.binary_const(BinaryOp::Ne, right, 0);
        let defined = self.both(Truth::Reg(left_defined), Truth::Reg(right_defined));
        let equal = self.both(defined, equal);
        let any = self.code.binary(BinaryOp::Or, left, right);
        let none = self.code.binary_const(BinaryOp::Eq, any, 0);
        match equal {
            Truth::Known(false) => Truth::Reg(none),
            Truth::Known(true) => Truth::Known(true),
            Truth::Reg(equal) => Truth::Reg(self.code.binary(BinaryOp::Or, none, equal)),
        }
    }

    fn both(&mut self, left: Truth, right: Truth) -> Truth {
        match (left, right) {
            (Truth::Known(false), _) | (_, Truth::Known(false)) => Truth::Known(false),
            (Truth::Known(true), other) | (other, Truth::Known(true)) => other,
            (Truth::Reg(left), Truth::Reg(right)) => {
                Truth::Reg(self.code.binary(BinaryOp::And, left, right))
            }
        }
    }

    /// Are two whole places the same, bit by bit?
    pub(super) fn same_place(&mut self, left: &'p Place, right: &'p Place) -> Truth {
        let n = self.unit.layouts.bits(left.ty);
        let (Binding::Place(left), Binding::Place(right)) =
            (self.resolve(left), self.resolve(right))
        else {
            return Truth::Known(true);
        };
        if n == 0 {
            return Truth::Known(true);
        }
        match (left, right) {
            (Spot::Memory(left), Spot::Memory(right)) => {
                let (left, right) = (self.address(left), self.address(right));
                let dst = self.code.reg();
                self.code.emit(Op::Equal { dst, left, right, bits: n });
                Truth::Reg(dst)
            }
            _ => {
                let left = self.load(left, n);
                let right = self.load(right, n);
                let (left, right) = (self.register(left), self.register(right));
                Truth::Reg(self.code.binary(BinaryOp::Eq, left, right))
            }
        }
    }
}
