//! Values as the code carries them: constants, registers plus a constant, or codes;
//! and the conversions between values and codes.
//!
//! A code in memory is the value less a constant for nearly all types, so a value
//! that is read, moved on by a constant and stored again costs one addition.

use model::rule_code::{BinaryOp, End, FaultId, Op, Reg};

use super::super::typed::{BOOLEAN, TypeId, TypeKind};
use super::Lowering;
use super::facts::{Fact, Held};

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// A number.
    Const(i64),
    /// `reg + offset` (wrapping), which lies within the bounds.
    Affine {
        /// The register.
        reg: Reg,
        /// What is added.
        offset: i64,
        /// Smallest and largest value.
        bounds: (i64, i64),
    },
    /// The value whose code of the type, a union, is in the register.
    Coded {
        /// The register.
        reg: Reg,
        /// The union.
        ty: TypeId,
    },
}

/// A condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    /// It is settled.
    Known(bool),
    /// Is the register 1 (rather than 0)?
    Reg(Reg),
}

/// All values.
pub(super) const ANY: (i64, i64) = (i64::MIN, i64::MAX);

impl Operand {
    /// A register with a value.
    pub(super) fn number(reg: Reg, bounds: (i64, i64)) -> Operand {
        Operand::Affine { reg, offset: 0, bounds }
    }
}

impl Lowering<'_, '_> {
    /// The smallest and largest value.
    pub(super) fn bounds(&self, operand: Operand) -> (i64, i64) {
        match operand {
            Operand::Const(value) => (value, value),
            Operand::Affine { bounds, .. } => bounds,
            Operand::Coded { ty, .. } => self.unit.program.types.bounds(ty),
        }
    }

    /// The value with a code that is not zero.
    pub(super) fn decoded(&self, code: Held, ty: TypeId) -> Operand {
        let types = &self.unit.program.types;
        match (code, self.unit.offset(ty)) {
            (Held::Const(code), _) => Operand::Const(types.value_of(ty, code).unwrap_or(0)),
            (Held::Reg(reg), Some(offset)) => {
                Operand::Affine { reg, offset, bounds: types.bounds(ty) }
            }
            (Held::Reg(reg), None) => Operand::Coded { reg, ty },
        }
    }

    /// A register with the value.
    pub(super) fn number(&mut self, operand: Operand) -> Reg {
        match operand {
            Operand::Const(value) => self.code.constant(value),
            Operand::Affine { reg, offset, .. } => self.code.plus(reg, offset),
            Operand::Coded { reg, ty } => self.decode_union(reg, ty),
        }
    }

    /// The same value, not as a code.
    pub(super) fn uncoded(&mut self, operand: Operand) -> Operand {
        match operand {
            Operand::Coded { .. } => {
                let bounds = self.bounds(operand);
                Operand::number(self.number(operand), bounds)
            }
            _ => operand,
        }
    }

    /// A register that is not zero where the truth value is true.
    pub(super) fn truth_of(&mut self, operand: Operand) -> Truth {
        match operand {
            Operand::Const(value) => Truth::Known(value != 0),
            Operand::Affine { reg, offset: 0, bounds: (0, 1) } => Truth::Reg(reg),
            Operand::Affine { reg, offset, bounds: (0, 1) } => {
                Truth::Reg(self.code.binary_const(BinaryOp::Eq, reg, 1_i64.wrapping_sub(offset)))
            }
            Operand::Affine { reg, offset, .. } => {
                Truth::Reg(self.code.binary_const(BinaryOp::Ne, reg, offset.wrapping_neg()))
            }
            Operand::Coded { reg, ty } => {
                let code = self.unit.program.types.code_of(ty, 1).unwrap_or(0);
                Truth::Reg(self.code.binary_const(BinaryOp::Eq, reg, code.cast_signed()))
            }
        }
    }

    /// A truth value as a value.
    pub(super) fn value_of(&self, truth: Truth) -> Operand {
        match truth {
            Truth::Known(truth) => Operand::Const(i64::from(truth)),
            Truth::Reg(reg) => Operand::number(reg, self.unit.program.types.bounds(BOOLEAN)),
        }
    }

    /// The code of a value in a type; the fault where the type has no such value.
    pub(super) fn encoded(&mut self, operand: Operand, ty: TypeId, fault: FaultId) -> Held {
        match self.relative(operand, ty) {
            Relative::Const(Some(code)) => Held::Const(code),
            Relative::Const(None) => {
                self.code.end(End::Fault(fault));
                Held::Const(0)
            }
            Relative::Affine { reg, addend, is_inside } => {
                if !is_inside {
                    self.check_within(operand, ty, fault);
                }
                let code = self.code.plus(reg, addend);
                self.known_nonzero(code);
                Held::Reg(code)
            }
            Relative::Searched(reg) => {
                self.code.nonzero(reg, fault);
                Held::Reg(reg)
            }
        }
    }

    /// Checks that a type has the value, and keeps it as it is.
    pub(super) fn checked(&mut self, operand: Operand, ty: TypeId, fault: FaultId) -> Operand {
        let (first, last) = self.unit.program.types.bounds(ty);
        match (self.relative(operand, ty), operand) {
            (Relative::Const(None), _) => {
                self.code.end(End::Fault(fault));
                operand
            }
            (Relative::Searched(reg), _) => {
                self.code.nonzero(reg, fault);
                Operand::Coded { reg, ty }
            }
            (
                Relative::Affine { is_inside: false, .. },
                Operand::Affine { reg, offset, bounds },
            ) => {
                self.check_within(operand, ty, fault);
                let bounds = (bounds.0.max(first), bounds.1.min(last));
                Operand::Affine { reg, offset, bounds }
            }
            (Relative::Affine { is_inside: false, .. }, _) => {
                let operand = self.uncoded(operand);
                self.checked(operand, ty, fault)
            }
            _ => operand,
        }
    }

    /// Where a type has the value: its code, by what it takes to compute it.
    pub(super) fn relative(&mut self, operand: Operand, ty: TypeId) -> Relative {
        let types = &self.unit.program.types;
        match operand {
            Operand::Const(value) => Relative::Const(types.code_of(ty, value)),
            Operand::Coded { reg, ty: own } if own == ty => {
                Relative::Affine { reg, addend: 0, is_inside: true }
            }
            Operand::Coded { .. } => {
                let number = self.uncoded(operand);
                self.relative(number, ty)
            }
            Operand::Affine { reg, offset, bounds } => {
                if let Some(to) = self.unit.offset(ty) {
                    let of_type = types.bounds(ty);
                    let is_inside = of_type.0 <= bounds.0 && bounds.1 <= of_type.1;
                    return Relative::Affine { reg, addend: offset.wrapping_sub(to), is_inside };
                }
                match self.within_member(bounds, ty) {
                    Some(to) => {
                        let addend = offset.wrapping_sub(to);
                        Relative::Affine { reg, addend, is_inside: true }
                    }
                    None => Relative::Searched(self.search_union(operand, ty)),
                }
            }
        }
    }

    /// Is it surely in the type, or surely not? Otherwise what says so.
    pub(super) fn is_member(&mut self, operand: Operand, ty: TypeId) -> Truth {
        match self.relative(operand, ty) {
            Relative::Const(code) => Truth::Known(code.is_some()),
            Relative::Affine { is_inside: true, .. } => Truth::Known(true),
            Relative::Affine { .. } => {
                let (first, last) = self.unit.program.types.bounds(ty);
                let value = self.number(operand);
                let first = self.code.constant(first);
                let low = self.code.binary(BinaryOp::Le, first, value);
                let high = self.code.binary_const(BinaryOp::Le, value, last);
                Truth::Reg(self.code.binary(BinaryOp::And, low, high))
            }
            Relative::Searched(code) => Truth::Reg(self.code.binary_const(BinaryOp::Ne, code, 0)),
        }
    }

    /// The register is known not to be zero.
    pub(super) fn known_nonzero(&mut self, reg: Reg) {
        if !self.code.facts.is_nonzero(reg) {
            self.code.facts.add(Fact::NonZero(reg));
        }
    }

    /// The fault unless the value lies between the bounds of a type.
    pub(super) fn check_within(&mut self, operand: Operand, ty: TypeId, fault: FaultId) {
        let (first, last) = self.unit.program.types.bounds(ty);
        if let Operand::Affine { reg: value, offset, .. } = operand
            && is_exact(operand)
            && let (Some(first), Some(last)) = (first.checked_sub(offset), last.checked_sub(offset))
        {
            self.code.emit(Op::InRange { value, first, last, fault });
            return;
        }
        let value = self.number(operand);
        self.code.emit(Op::InRange { value, first, last, fault });
    }

    /// The offset of the member of a union that all values within `bounds` are of.
    fn within_member(&self, bounds: (i64, i64), ty: TypeId) -> Option<i64> {
        self.members(ty).into_iter().find_map(|member| {
            (member.first <= bounds.0 && bounds.1 <= member.last).then_some(member.offset)
        })
    }

    fn members(&self, ty: TypeId) -> Vec<Member> {
        let types = &self.unit.program.types;
        let TypeKind::Union { members } = types.kind(ty) else { return Vec::new() };
        let mut n_before: u64 = 0;
        let each = members.iter().map(|member| {
            let (first, last) = types.bounds(*member);
            let offset = first.wrapping_sub(1).wrapping_sub_unsigned(n_before);
            let before = n_before.cast_signed();
            n_before = n_before.saturating_add(types.n_values(*member));
            Member { first, last, offset, before }
        });
        each.collect()
    }

    /// The code of a value in a union, zero where it has none.
    fn search_union(&mut self, operand: Operand, ty: TypeId) -> Reg {
        let value = self.number(operand);
        let mut code = self.code.constant(0);
        for member in self.members(ty) {
            let first = self.code.constant(member.first);
            let low = self.code.binary(BinaryOp::Le, first, value);
            let high = self.code.binary_const(BinaryOp::Le, value, member.last);
            let inside = self.code.binary(BinaryOp::And, low, high);
            let own = self.code.plus(value, member.offset.wrapping_neg());
            code = self.select(inside, own, code);
        }
        code
    }

    fn decode_union(&mut self, code: Reg, ty: TypeId) -> Reg {
        let mut value = code;
        for (idx, member) in self.members(ty).into_iter().enumerate() {
            let own = self.code.plus(code, member.offset);
            if idx == 0 {
                value = own;
                continue;
            }
            let before = self.code.constant(member.before);
            let inside = self.code.binary(BinaryOp::Lt, before, code);
            value = self.select(inside, own, value);
        }
        value
    }

    /// One of two registers.
    pub(super) fn select(&mut self, condition: Reg, left: Reg, right: Reg) -> Reg {
        let dst = self.code.reg();
        self.code.emit(Op::Select { dst, condition, left, right });
        dst
    }
}

/// Is the register the value less the offset without wrapping? Then registers with
/// one offset are ordered as their values are.
pub(super) fn is_exact(operand: Operand) -> bool {
    match operand {
        Operand::Affine { offset, bounds: (first, last), .. } => {
            first.checked_sub(offset).is_some() && last.checked_sub(offset).is_some()
        }
        _ => false,
    }
}

/// What it takes to find a code.
pub(super) enum Relative {
    /// It is settled.
    Const(Option<u64>),
    /// It is `reg + addend`, if that is a code at all.
    Affine {
        /// The register.
        reg: Reg,
        /// What is added.
        addend: i64,
        /// Is it surely a code?
        is_inside: bool,
    },
    /// It is in the register; zero where there is none.
    Searched(Reg),
}

/// A member of a union.
struct Member {
    first: i64,
    last: i64,
    /// Value less code.
    offset: i64,
    /// Codes of the members before it.
    before: i64,
}
