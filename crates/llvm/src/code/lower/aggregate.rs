//! Structs, arrays and vectors as values: members are registers, so taking one out
//! or putting one in is copying.

use crate::code::{Binary, Conversion, IntOp, Op, Reg, Src};
use crate::ir::{self, Constant, Instruction, Operand, Type, TypeId, TypedConstant, TypedOperand};

use super::function::Builder;
use super::layout::{Refusal, Scalar};
use crate::value::Value;

impl Builder<'_, '_, '_> {
    /// Lowers an instruction of this file.
    pub fn aggregate(&mut self, instruction: &Instruction) -> Result<(), Refusal> {
        match &instruction.op {
            ir::Op::Extract { value, path } => self.extract(instruction, value, path),
            ir::Op::Insert { into, value, path } => self.insert(instruction, into, value, path),
            ir::Op::ExtractElement(vector, idx) => {
                let path = [self.constant_index(idx)?];
                self.extract(instruction, vector, &path)
            }
            ir::Op::InsertElement(vector, value, idx) => {
                let path = [self.constant_index(idx)?];
                self.insert(instruction, vector, value, &path)
            }
            ir::Op::Shuffle(left, right, mask) => self.shuffle(instruction, (left, right), mask),
            _ => Err("an unknown instruction".to_owned()),
        }
    }

    fn extract(
        &mut self,
        instruction: &Instruction,
        value: &TypedOperand,
        path: &[u32],
    ) -> Result<(), Refusal> {
        let (range, ty) = self.program.layouts.member(value.ty, path)?;
        let values = self.operand(value.ty, &value.value)?;
        self.copy_to(instruction, ty, &values[range])
    }

    fn insert(
        &mut self,
        instruction: &Instruction,
        into: &TypedOperand,
        value: &TypedOperand,
        path: &[u32],
    ) -> Result<(), Refusal> {
        let (range, _) = self.program.layouts.member(into.ty, path)?;
        let mut values = self.operand(into.ty, &into.value)?;
        let member = self.operand(value.ty, &value.value)?;
        if member.len() != range.len() {
            return Err("a member of another type".to_owned());
        }
        values[range].copy_from_slice(&member);
        self.copy_to(instruction, into.ty, &values)
    }

    fn constant_index(&mut self, idx: &TypedOperand) -> Result<u32, Refusal> {
        let number = match self.scalar(idx.ty, &idx.value)? {
            Src::Value(value) => value.as_number(),
            Src::Reg(_) => None,
        };
        let number = number.and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| "an index into a vector that is not constant".to_owned())
    }

    fn shuffle(
        &mut self,
        instruction: &Instruction,
        vectors: (&TypedOperand, &TypedOperand),
        mask: &TypedConstant,
    ) -> Result<(), Refusal> {
        let result = instruction.result.ok_or("a shuffle without a result")?;
        let local = self.body.locals.get(result.0 as usize).ok_or("an unknown value")?;
        let element = self.element_of(local.ty)?;
        let mut sources = self.operand(vectors.0.ty, &vectors.0.value)?;
        sources.extend(self.operand(vectors.1.ty, &vectors.1.value)?);
        let picks = self.operand(mask.ty, &Operand::Constant(mask.value.clone()))?;
        let unknown = self.one(element, &Operand::Constant(Constant::Undef))?;
        let mut picked = Vec::with_capacity(picks.len());
        for pick in picks {
            let Src::Value(pick) = pick else { return Err("a variable shuffle".to_owned()) };
            let source = pick.as_number().and_then(|pick| sources.get(pick as usize).copied());
            picked.push(if pick.is_defined() { source.ok_or("a bad shuffle")? } else { unknown });
        }
        self.copy_to(instruction, local.ty, &picked)
    }

    /// The same bits as a vector of other elements, or as a number. The first element
    /// has the lowest bits.
    pub fn regroup(
        &mut self,
        instruction: &Instruction,
        (from, into): (&[Scalar], &[Scalar]),
        values: &[Src],
    ) -> Result<(), Refusal> {
        let (Some(&narrow), Some(&wide)) = (from.first(), into.first()) else {
            return Err("a conversion of vectors".to_owned());
        };
        let is_whole = narrow.width as usize * from.len() == wide.width as usize * into.len();
        if !is_whole || !self.program.module.layout.is_little_endian {
            return Err("a conversion of vectors".to_owned());
        }
        let first = self.result(instruction, into)?;
        if from.len() > into.len() && from.len().is_multiple_of(into.len()) {
            let n = from.len() / into.len();
            for (to, group) in (first..).zip(values.chunks(n)) {
                self.join(to, (narrow.width, wide.width), group);
            }
            return Ok(());
        }
        if into.len().is_multiple_of(from.len()) {
            let n = into.len() / from.len();
            for (idx, &value) in values.iter().enumerate() {
                let to = first + (idx * n) as u32;
                self.split(to..to + n as u32, (narrow.width, wide.width), value);
            }
            return Ok(());
        }
        Err("a conversion of vectors".to_owned())
    }

    /// Puts numbers side by side.
    fn join(&mut self, to: Reg, widths: (u8, u8), parts: &[Src]) {
        let mut sum = Src::Value(Value::ZERO);
        for (idx, &value) in parts.iter().enumerate() {
            let (wide, shifted, next) =
                (self.register(widths.1), self.register(widths.1), self.register(widths.1));
            let conversion = Conversion::ZeroExtend;
            self.emit(Op::Convert { conversion, widths, to: wide, value });
            let shift = Src::Value(Value::number(idx as u64 * u64::from(widths.0)));
            self.bits(IntOp::Shl, (widths.1, shifted), (Src::Reg(wide), shift));
            self.bits(IntOp::Or, (widths.1, next), (sum, Src::Reg(shifted)));
            sum = Src::Reg(next);
        }
        self.emit(Op::Move(to, sum));
    }

    /// Takes a number apart.
    fn split(&mut self, to: std::ops::Range<Reg>, widths: (u8, u8), value: Src) {
        for (idx, to) in to.enumerate() {
            let shifted = self.register(widths.0);
            let shift = Src::Value(Value::number(idx as u64 * u64::from(widths.1)));
            self.bits(IntOp::LShr, (widths.0, shifted), (value, shift));
            let (conversion, value) = (Conversion::Truncate, Src::Reg(shifted));
            self.emit(Op::Convert { conversion, widths, to, value });
        }
    }

    /// Integer arithmetic that may wrap.
    pub fn bits(&mut self, op: IntOp, (width, to): (u8, Reg), operands: (Src, Src)) {
        let (no_signed_wrap, no_unsigned_wrap) = (false, false);
        let binary = Binary { op, width, to, operands, no_signed_wrap, no_unsigned_wrap };
        self.emit(Op::Binary(binary));
    }

    fn element_of(&self, ty: TypeId) -> Result<Scalar, Refusal> {
        match self.program.layouts.types.get(ty) {
            Type::Vector(_, element) => self.program.layouts.scalar(*element),
            _ => Err("a shuffle of what is no vector".to_owned()),
        }
    }
}
