//! Integers of more than 64 bits, as two scalars: the lower 64 bits, and the others.
//!
//! Bitwise operations and comparisons are spelled out; the rest is computed by the
//! library functions `wide.add` and so on, which take and give both halves.

use crate::code::{Call, Conversion, IntOp, Op, Reg, Src};
use crate::ir::{BinaryOp, CastOp, Instruction, IntPredicate, OverflowFlags, Type, TypeId};
use crate::value::Value;

use super::function::Builder;
use super::layout::{Refusal, Scalar};

impl Builder<'_, '_, '_> {
    /// The bits of an integer type of more than 64 bits.
    pub fn wide_bits(&self, ty: TypeId) -> Option<u32> {
        match self.program.layouts.types.get(ty) {
            Type::Int(bits) if *bits > 64 => Some(*bits),
            _ => None,
        }
    }

    /// Arithmetic on two wide numbers.
    pub fn wide_binary(
        &mut self,
        instruction: &Instruction,
        (op, flags): (BinaryOp, OverflowFlags),
        ty: TypeId,
        (left, right): (&[Src], &[Src]),
    ) -> Result<(), Refusal> {
        let scalars = self.program.layouts.scalars(ty)?;
        let to = self.result(instruction, &scalars)?;
        let bitwise = match op {
            BinaryOp::And => Some(IntOp::And),
            BinaryOp::Or => Some(IntOp::Or),
            BinaryOp::Xor => Some(IntOp::Xor),
            _ => None,
        };
        if let Some(op) = bitwise {
            for (idx, scalar) in scalars.iter().enumerate() {
                self.bits(op, (scalar.width, to + idx as u32), (left[idx], right[idx]));
            }
            return Ok(());
        }
        let name = match op {
            BinaryOp::Add if flags.no_signed => "wide.add.signed",
            BinaryOp::Add => "wide.add",
            BinaryOp::Sub if flags.no_signed => "wide.sub.signed",
            BinaryOp::Sub => "wide.sub",
            BinaryOp::Mul if flags.no_signed => "wide.mul.signed",
            BinaryOp::Mul => "wide.mul",
            BinaryOp::UDiv => "wide.udiv",
            BinaryOp::SDiv => "wide.sdiv",
            BinaryOp::URem => "wide.urem",
            BinaryOp::SRem => "wide.srem",
            BinaryOp::Shl => "wide.shl",
            BinaryOp::LShr => "wide.lshr",
            BinaryOp::AShr => "wide.ashr",
            _ => return Err("arithmetic on another type".to_owned()),
        };
        if self.wide_bits(ty) != Some(128) {
            return Err(format!("arithmetic on {} bits", self.wide_bits(ty).unwrap_or(0)));
        }
        let callee = self.library(name)?;
        self.emit(Op::Call(Call {
            callee: Src::Value(callee),
            arguments: [left[0], left[1], right[0], right[1]].into(),
            widths: [64; 4].into(),
            passed: Box::default(),
            to,
            n_results: 2,
            result_width: 64,
            unwind: None,
        }));
        Ok(())
    }

    /// Compares two wide numbers: the upper halves decide unless they are equal.
    pub fn wide_compare(
        &mut self,
        instruction: &Instruction,
        predicate: IntPredicate,
        ty: TypeId,
        (left, right): &(Vec<Src>, Vec<Src>),
    ) -> Result<(), Refusal> {
        let width = self.program.layouts.scalars(ty)?[1].width;
        let to = self.result(instruction, &[Scalar::int(1)])?;
        let (low, high, equal) = (self.register(1), self.register(1), self.register(1));
        let (lower, upper) = ((left[0], right[0]), (left[1], right[1]));
        let (on_low, on_high) = halves_of(predicate);
        self.emit(Op::Compare { predicate: on_low, width: 64, to: low, operands: lower });
        self.emit(Op::Compare { predicate: on_high, width, to: high, operands: upper });
        let is_equal = IntPredicate::Eq;
        self.emit(Op::Compare { predicate: is_equal, width, to: equal, operands: upper });
        let values = (Src::Reg(low), Src::Reg(high));
        self.emit(Op::Select { to, condition: Src::Reg(equal), values });
        Ok(())
    }

    /// Converts from or to a wide number.
    pub fn wide_cast(
        &mut self,
        instruction: &Instruction,
        op: CastOp,
        (from, into): (&[Scalar], &[Scalar]),
        values: &[Src],
    ) -> Result<(), Refusal> {
        let to = self.result(instruction, into)?;
        match (op, from, into) {
            (CastOp::Trunc, [low, _], [into]) if into.width == low.width => {
                self.emit(Op::Move(to, values[0]));
            }
            (CastOp::Trunc, [low, _], [into]) => {
                self.convert(op, (*low, *into), (to, values[0]))?
            }
            (CastOp::Trunc, [_, high], [_, into]) => {
                self.emit(Op::Move(to, values[0]));
                self.convert(op, (*high, *into), (to + 1, values[1]))?;
            }
            (CastOp::ZExt, [from], [_, _]) => {
                let widths = (from.width, 64);
                let conversion = Conversion::ZeroExtend;
                self.emit(Op::Convert { conversion, widths, to, value: values[0] });
                self.emit(Op::Move(to + 1, Src::Value(Value::ZERO)));
            }
            (CastOp::SExt, [from], [low, high]) => {
                let (conversion, widths) = (Conversion::SignExtend, (from.width, low.width));
                self.emit(Op::Convert { conversion, widths, to, value: values[0] });
                let sign = self.register(64);
                let shift = Src::Value(Value::number(63));
                self.bits(IntOp::AShr, (64, sign), (Src::Reg(to), shift));
                if high.width == 64 {
                    self.emit(Op::Move(to + 1, Src::Reg(sign)));
                } else {
                    self.convert(CastOp::Trunc, (*low, *high), (to + 1, Src::Reg(sign)))?;
                }
            }
            (CastOp::ZExt | CastOp::SExt, [_, from], [_, into]) => {
                self.emit(Op::Move(to, values[0]));
                self.convert(op, (*from, *into), (to + 1, values[1]))?;
            }
            (CastOp::SiToFp | CastOp::UiToFp, [_, high], [into]) if high.width == 64 => {
                let name = if op == CastOp::SiToFp { "wide.sitofp" } else { "wide.uitofp" };
                self.wide_call(name, &values[..2], (to, 1, into.width))?;
            }
            (CastOp::FpToSi | CastOp::FpToUi, [_], [_, high]) if high.width == 64 => {
                let name = if op == CastOp::FpToSi { "wide.fptosi" } else { "wide.fptoui" };
                let width = from[0].width;
                let callee = self.library(name)?;
                self.emit(Op::Call(Call {
                    callee: Src::Value(callee),
                    arguments: [values[0]].into(),
                    widths: [width].into(),
                    passed: Box::default(),
                    to,
                    n_results: 2,
                    result_width: 64,
                    unwind: None,
                }));
            }
            _ => return Err("a conversion of an integer of more than 64 bits".to_owned()),
        }
        Ok(())
    }

    fn wide_call(
        &mut self,
        name: &str,
        arguments: &[Src],
        (to, n_results, result_width): (Reg, u32, u8),
    ) -> Result<(), Refusal> {
        let callee = self.library(name)?;
        self.emit(Op::Call(Call {
            callee: Src::Value(callee),
            arguments: arguments.into(),
            widths: vec![64; arguments.len()].into(),
            passed: Box::default(),
            to,
            n_results,
            result_width,
            unwind: None,
        }));
        Ok(())
    }
}

/// What is asked of the lower halves if the upper ones are equal, and of the upper
/// ones otherwise.
fn halves_of(predicate: IntPredicate) -> (IntPredicate, IntPredicate) {
    match predicate {
        IntPredicate::Eq | IntPredicate::Ne => (predicate, predicate),
        IntPredicate::Ugt | IntPredicate::Sgt => (IntPredicate::Ugt, predicate),
        IntPredicate::Uge | IntPredicate::Sge => (IntPredicate::Uge, predicate),
        IntPredicate::Ult | IntPredicate::Slt => (IntPredicate::Ult, predicate),
        IntPredicate::Ule | IntPredicate::Sle => (IntPredicate::Ule, predicate),
    }
}
