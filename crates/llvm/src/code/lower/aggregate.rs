//! Structs, arrays and vectors as values: members are registers, so taking one out
//! or putting one in is copying.

use crate::code::Src;
use crate::ir::{self, Constant, Instruction, Operand, Type, TypeId, TypedConstant, TypedOperand};

use super::function::Builder;
use super::layout::Refusal;

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

    fn element_of(&self, ty: TypeId) -> Result<super::layout::Scalar, Refusal> {
        match self.program.layouts.types.get(ty) {
            Type::Vector(_, element) => self.program.layouts.scalar(*element),
            _ => Err("a shuffle of what is no vector".to_owned()),
        }
    }
}
