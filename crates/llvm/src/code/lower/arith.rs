//! Arithmetic, comparisons, conversions and choices, scalar by scalar.

use crate::code::{Binary, Conversion, FloatKind, FloatOp, IntOp, Op, Reg, Src};
use crate::ir::{self, BinaryOp, CastOp, Instruction, OverflowFlags, TypeId, TypedOperand};

use super::function::Builder;
use super::layout::{Refusal, Scalar, ScalarKind};

/// Two operands, each as the scalars it is made of.
type Pair = (Vec<Src>, Vec<Src>);

impl Builder<'_, '_, '_> {
    /// Lowers an instruction of this file.
    pub fn arithmetic(&mut self, instruction: &Instruction) -> Result<(), Refusal> {
        match &instruction.op {
            ir::Op::Binary { op, ty, operands, flags } => {
                let scalars = self.program.layouts.scalars(*ty)?;
                let (left, right) = self.pair(*ty, operands)?;
                if self.wide_bits(*ty).is_some() {
                    return self.wide_binary(instruction, (*op, *flags), *ty, (&left, &right));
                }
                let first = self.result(instruction, &scalars)?;
                for (idx, &scalar) in scalars.iter().enumerate() {
                    let operands = (left[idx], right[idx]);
                    self.binary(*op, *flags, (scalar, first + idx as u32), operands)?;
                }
                Ok(())
            }
            ir::Op::Unary(ir::UnaryOp::FNeg, value) => self.negate(instruction, value),
            ir::Op::Compare { predicate, ty, operands } => {
                let pair = self.pair(*ty, operands)?;
                let predicate = *predicate;
                if self.wide_bits(*ty).is_some() {
                    return self.wide_compare(instruction, predicate, *ty, &pair);
                }
                self.compare_each(instruction, *ty, pair, |width, to, operands| Op::Compare {
                    predicate,
                    width,
                    to,
                    operands,
                })
            }
            ir::Op::FloatCompare { predicate, ty, operands } => {
                let pair = self.pair(*ty, operands)?;
                let predicate = *predicate;
                self.compare_each(instruction, *ty, pair, |width, to, operands| Op::FloatCompare {
                    predicate,
                    width,
                    to,
                    operands,
                })
            }
            ir::Op::Cast { op, value, to } => self.cast(instruction, *op, value, *to),
            ir::Op::Select { condition, ty, values } => {
                let values = self.pair(*ty, values)?;
                self.select(instruction, condition, *ty, values)
            }
            ir::Op::Freeze(value) => {
                let scalars = self.program.layouts.scalars(value.ty)?;
                let values = self.operand(value.ty, &value.value)?;
                let first = self.result(instruction, &scalars)?;
                for (to, value) in (first..).zip(values) {
                    self.emit(Op::Freeze(to, value));
                }
                Ok(())
            }
            _ => Err("an unknown instruction".to_owned()),
        }
    }

    fn pair(&mut self, ty: TypeId, operands: &(ir::Operand, ir::Operand)) -> Result<Pair, Refusal> {
        Ok((self.operand(ty, &operands.0)?, self.operand(ty, &operands.1)?))
    }

    /// Arithmetic on two scalars.
    pub fn binary(
        &mut self,
        op: BinaryOp,
        flags: OverflowFlags,
        (scalar, to): (Scalar, Reg),
        operands: (Src, Src),
    ) -> Result<(), Refusal> {
        let (kind, width) = (scalar.kind, scalar.width);
        match (int_op(op), float_kind(op)) {
            (Some(op), _) if kind != ScalarKind::Float => self.emit(Op::Binary(Binary {
                op,
                width,
                to,
                operands,
                no_signed_wrap: flags.no_signed,
                no_unsigned_wrap: flags.no_unsigned,
            })),
            (_, op @ Some(_)) if kind == ScalarKind::Float => {
                self.emit(Op::Float(FloatOp { op, width, to, operands }));
            }
            _ => return Err("arithmetic on another type".to_owned()),
        }
        Ok(())
    }

    fn negate(&mut self, instruction: &Instruction, value: &TypedOperand) -> Result<(), Refusal> {
        let scalars = self.program.layouts.scalars(value.ty)?;
        let values = self.operand(value.ty, &value.value)?;
        let first = self.result(instruction, &scalars)?;
        for ((to, scalar), value) in (first..).zip(scalars.iter()).zip(values) {
            let width = scalar.width;
            self.emit(Op::Float(FloatOp { op: None, width, to, operands: (value, value) }));
        }
        Ok(())
    }

    /// One comparison for each scalar of a type.
    fn compare_each(
        &mut self,
        instruction: &Instruction,
        ty: TypeId,
        (left, right): Pair,
        compare: impl Fn(u8, Reg, (Src, Src)) -> Op,
    ) -> Result<(), Refusal> {
        let scalars = self.program.layouts.scalars(ty)?;
        let first = self.result(instruction, &scalars)?;
        for (idx, scalar) in scalars.iter().enumerate() {
            let (to, operands) = (first + idx as u32, (left[idx], right[idx]));
            self.emit(compare(scalar.width, to, operands));
        }
        Ok(())
    }

    fn cast(
        &mut self,
        instruction: &Instruction,
        op: CastOp,
        value: &TypedOperand,
        to: TypeId,
    ) -> Result<(), Refusal> {
        if self.promoted(&value.value).is_some() && op == CastOp::BitCast {
            return Ok(());
        }
        let from = self.program.layouts.scalars(value.ty)?;
        let into = self.program.layouts.scalars(to)?;
        let values = self.operand(value.ty, &value.value)?;
        let is_wide = self.wide_bits(value.ty).or(self.wide_bits(to)).is_some();
        if is_wide && op != CastOp::BitCast {
            return self.wide_cast(instruction, op, (&from, &into), &values);
        }
        if from.len() != into.len() && op == CastOp::BitCast {
            return self.regroup(instruction, (&from, &into), &values);
        }
        if from.len() != into.len() {
            return Err("a conversion of vectors".to_owned());
        }
        let first = self.result(instruction, &into)?;
        for (idx, value) in values.into_iter().enumerate() {
            self.convert(op, (from[idx], into[idx]), (first + idx as u32, value))?;
        }
        Ok(())
    }

    /// Converts a scalar.
    pub fn convert(
        &mut self,
        op: CastOp,
        (from, into): (Scalar, Scalar),
        (to, value): (Reg, Src),
    ) -> Result<(), Refusal> {
        let conversion = match op {
            CastOp::Trunc => Conversion::Truncate,
            CastOp::ZExt => Conversion::ZeroExtend,
            CastOp::SExt => Conversion::SignExtend,
            CastOp::FpTrunc | CastOp::FpExt => Conversion::FloatToFloat,
            CastOp::FpToUi => Conversion::FloatToUnsigned,
            CastOp::FpToSi => Conversion::FloatToSigned,
            CastOp::UiToFp => Conversion::UnsignedToFloat,
            CastOp::SiToFp => Conversion::SignedToFloat,
            _ if from.width == into.width => {
                self.emit(Op::Move(to, value));
                return Ok(());
            }
            CastOp::PtrToInt | CastOp::IntToPtr if from.width > into.width => Conversion::Truncate,
            CastOp::PtrToInt | CastOp::IntToPtr => Conversion::ZeroExtend,
            CastOp::BitCast | CastOp::AddrSpaceCast => {
                return Err("a conversion between widths".to_owned());
            }
        };
        self.emit(Op::Convert { conversion, widths: (from.width, into.width), to, value });
        Ok(())
    }

    fn select(
        &mut self,
        instruction: &Instruction,
        condition: &TypedOperand,
        ty: TypeId,
        (yes, no): Pair,
    ) -> Result<(), Refusal> {
        let scalars = self.program.layouts.scalars(ty)?;
        let conditions = self.operand(condition.ty, &condition.value)?;
        if conditions.len() != 1 && conditions.len() != scalars.len() {
            return Err("a choice between vectors".to_owned());
        }
        let first = self.result(instruction, &scalars)?;
        for idx in 0..scalars.len() {
            let condition = conditions[if conditions.len() == 1 { 0 } else { idx }];
            let (to, values) = (first + idx as u32, (yes[idx], no[idx]));
            self.emit(Op::Select { to, condition, values });
        }
        Ok(())
    }
}

fn int_op(op: BinaryOp) -> Option<IntOp> {
    Some(match op {
        BinaryOp::Add => IntOp::Add,
        BinaryOp::Sub => IntOp::Sub,
        BinaryOp::Mul => IntOp::Mul,
        BinaryOp::UDiv => IntOp::UDiv,
        BinaryOp::SDiv => IntOp::SDiv,
        BinaryOp::URem => IntOp::URem,
        BinaryOp::SRem => IntOp::SRem,
        BinaryOp::Shl => IntOp::Shl,
        BinaryOp::LShr => IntOp::LShr,
        BinaryOp::AShr => IntOp::AShr,
        BinaryOp::And => IntOp::And,
        BinaryOp::Or => IntOp::Or,
        BinaryOp::Xor => IntOp::Xor,
        _ => return None,
    })
}

fn float_kind(op: BinaryOp) -> Option<FloatKind> {
    Some(match op {
        BinaryOp::FAdd => FloatKind::Add,
        BinaryOp::FSub => FloatKind::Sub,
        BinaryOp::FMul => FloatKind::Mul,
        BinaryOp::FDiv => FloatKind::Div,
        BinaryOp::FRem => FloatKind::Rem,
        _ => return None,
    })
}
