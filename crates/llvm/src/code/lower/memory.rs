//! Loads, stores, atomics and addresses; variables in registers are copied.

use crate::code::{Alloca, MemoryOrder, Op, Reg, ScalarAccess, Src};
use crate::ir::{self, Constant, Instruction, Operand, TypeId, TypedOperand};
use crate::value::Value;

use super::function::{Builder, Slot};
use super::layout::{Refusal, Scalar, no_size};

impl Builder<'_, '_, '_> {
    /// Lowers an instruction of this file.
    pub fn memory(&mut self, instruction: &Instruction) -> Result<(), Refusal> {
        match &instruction.op {
            ir::Op::Alloca { ty, count, align } => {
                self.alloca(instruction, *ty, count.as_ref(), *align)
            }
            ir::Op::Load { ty, pointer, shape } => self.load(instruction, *ty, pointer, *shape),
            ir::Op::Store { value, pointer, shape } => self.store(value, pointer, *shape),
            ir::Op::Element { source, base, indices, .. } => {
                self.element(instruction, *source, base, indices)
            }
            ir::Op::Fence(ordering) => {
                self.emit(Op::Fence(order(*ordering)));
                Ok(())
            }
            ir::Op::CompareExchange { .. } => self.compare_exchange(instruction),
            ir::Op::ReadModifyWrite { op, pointer, value, .. } => {
                self.read_modify_write(instruction, *op, pointer, value)
            }
            _ => Err("an unknown instruction".to_owned()),
        }
    }

    /// The register of the promoted variable that an operand is the address of.
    pub fn promoted(&self, operand: &Operand) -> Option<Reg> {
        let Operand::Local(local) = operand else { return None };
        match self.slots.get(local.0 as usize) {
            Some(&Slot::Promoted(reg)) => Some(reg),
            _ => None,
        }
    }

    fn alloca(
        &mut self,
        instruction: &Instruction,
        ty: TypeId,
        count: Option<&TypedOperand>,
        align: Option<u32>,
    ) -> Result<(), Refusal> {
        let local = instruction.result.ok_or("an `alloca` without a result")?;
        if self.scopes.is_renewed(local) {
            let to = self.result(instruction, &[self.program.layouts.pointer()])?;
            let unset = Value::undefined(self.widths[to as usize].into());
            self.emit(Op::Move(to, Src::Value(unset)));
            return Ok(());
        }
        if let Some(reg) = self.promoted(&Operand::Local(local)) {
            let width = self.widths[reg as usize].into();
            self.emit(Op::Move(reg, Src::Value(Value::undefined(width))));
            return Ok(());
        }
        let size = self.program.layouts.size(ty).ok_or_else(no_size)?;
        let align = align.unwrap_or_else(|| self.program.layouts.align(ty));
        let count = match count {
            None => None,
            Some(count) if count.value == Operand::Constant(Constant::Int(1)) => None,
            Some(count) => {
                let scalar = self.program.layouts.scalar(count.ty)?;
                Some((self.one(scalar, &count.value)?, scalar.width))
            }
        };
        let to = self.result(instruction, &[self.program.layouts.pointer()])?;
        let name = self.local_name(local);
        self.emit(Op::Alloca(Alloca { to, size, count, align, name }));
        Ok(())
    }

    /// Makes the memory of a variable whose scope begins.
    pub fn begin_scope(&mut self, local: ir::LocalId) -> Result<(), Refusal> {
        let body = self.body;
        let all = body.blocks.iter().flat_map(|block| &block.instructions);
        let alloca = all.filter(|it| it.result == Some(local)).find_map(|it| match &it.op {
            ir::Op::Alloca { ty, align, .. } => Some((it, *ty, *align)),
            _ => None,
        });
        let (instruction, ty, align) = alloca.ok_or("the scope of what is no variable")?;
        let size = self.program.layouts.size(ty).ok_or_else(no_size)?;
        let align = align.unwrap_or_else(|| self.program.layouts.align(ty));
        let to = self.result(instruction, &[self.program.layouts.pointer()])?;
        let name = self.local_name(local);
        self.emit(Op::Alloca(Alloca { to, size, count: None, align, name }));
        Ok(())
    }

    fn load(
        &mut self,
        instruction: &Instruction,
        ty: TypeId,
        pointer: &Operand,
        shape: ir::Shape,
    ) -> Result<(), Refusal> {
        let scalars = self.program.layouts.scalars(ty)?;
        let first = self.result(instruction, &scalars)?;
        if let Some(reg) = self.promoted(pointer) {
            self.emit(Op::Move(first, Src::Reg(reg)));
            return Ok(());
        }
        let pointer = self.pointer(pointer)?;
        whole(&scalars, shape)?;
        for (to, &scalar) in (first..).zip(scalars.iter()) {
            let access = access(scalar, shape)?;
            let pointer = self.part(pointer, scalar);
            self.emit(Op::Load { to, pointer, access });
        }
        Ok(())
    }

    fn store(
        &mut self,
        value: &TypedOperand,
        pointer: &Operand,
        shape: ir::Shape,
    ) -> Result<(), Refusal> {
        let scalars = self.program.layouts.scalars(value.ty)?;
        let values = self.operand(value.ty, &value.value)?;
        if let Some(reg) = self.promoted(pointer) {
            self.emit(Op::Move(reg, values[0]));
            return Ok(());
        }
        let pointer = self.pointer(pointer)?;
        whole(&scalars, shape)?;
        for (value, &scalar) in values.into_iter().zip(scalars.iter()) {
            let access = access(scalar, shape)?;
            let pointer = self.part(pointer, scalar);
            self.emit(Op::Store { value, pointer, access });
        }
        Ok(())
    }

    /// Where a scalar of a bigger value lies.
    fn part(&mut self, pointer: Src, scalar: Scalar) -> Src {
        if scalar.offset == 0 {
            return pointer;
        }
        let to = self.register(self.program.layouts.pointer().width);
        let offset = scalar.offset as i64;
        self.emit(Op::Address { to, base: pointer, offset, terms: Box::default() });
        Src::Reg(to)
    }

    fn element(
        &mut self,
        instruction: &Instruction,
        source: TypeId,
        base: &TypedOperand,
        indices: &[TypedOperand],
    ) -> Result<(), Refusal> {
        let result = instruction.result.map(Operand::Local);
        if result.is_some_and(|result| self.promoted(&result).is_some()) {
            return Ok(());
        }
        let base = self.scalar(base.ty, &base.value)?;
        let mut sources = Vec::with_capacity(indices.len());
        for index in indices {
            let scalar = self.program.layouts.scalar(index.ty)?;
            sources.push((scalar, self.one(scalar, &index.value)?));
        }
        let to = self.result(instruction, &[self.program.layouts.pointer()])?;
        self.address(to, base, (source, &sources))
    }

    fn compare_exchange(&mut self, instruction: &Instruction) -> Result<(), Refusal> {
        let ir::Op::CompareExchange { pointer, ty, values, is_weak, orderings } = &instruction.op
        else {
            return Err("an unknown instruction".to_owned());
        };
        let scalar = self.program.layouts.scalar(*ty)?;
        let access =
            ScalarAccess { is_atomic: true, order: order(orderings.0), ..scalar.access()? };
        let on_failure = order(orderings.1);
        let pointer = self.pointer(pointer)?;
        let values = (self.one(scalar, &values.0)?, self.one(scalar, &values.1)?);
        let first = self.result(instruction, &[scalar, Scalar::int(1)])?;
        let to = (first, first + 1);
        self.emit(Op::CompareExchange {
            to,
            pointer,
            values,
            is_weak: *is_weak,
            access,
            on_failure,
        });
        Ok(())
    }

    fn read_modify_write(
        &mut self,
        instruction: &Instruction,
        op: ir::RmwOp,
        pointer: &Operand,
        value: &TypedOperand,
    ) -> Result<(), Refusal> {
        let scalar = self.program.layouts.scalar(value.ty)?;
        let order = match &instruction.op {
            ir::Op::ReadModifyWrite { ordering, .. } => order(*ordering),
            _ => MemoryOrder::SEQ_CST,
        };
        let access = ScalarAccess { is_atomic: true, order, ..scalar.access()? };
        let pointer = self.pointer(pointer)?;
        let value = self.one(scalar, &value.value)?;
        let to = self.result(instruction, &[scalar])?;
        self.emit(Op::ReadModifyWrite { op, to, pointer, value, access });
        Ok(())
    }
}

/// An atomic access must be one access.
fn whole(scalars: &[Scalar], shape: ir::Shape) -> Result<(), Refusal> {
    match scalars.len() > 1 && shape.ordering.is_some() {
        true => Err("an atomic access to more than 64 bits".to_owned()),
        false => Ok(()),
    }
}

fn access(scalar: Scalar, shape: ir::Shape) -> Result<ScalarAccess, Refusal> {
    let is_atomic = shape.ordering.is_some();
    let order = shape.ordering.map_or(MemoryOrder::SEQ_CST, order);
    let is_volatile = shape.is_volatile;
    let promised = shape.align.unwrap_or(1).max(1).ilog2();
    let log2_align = promised.min(scalar.offset.trailing_zeros()) as u8;
    Ok(ScalarAccess { is_atomic, order, is_volatile, log2_align, ..scalar.access()? })
}

fn order(ordering: ir::Ordering) -> MemoryOrder {
    use ir::Ordering;
    let acquires = matches!(ordering, Ordering::Acquire | Ordering::AcquireRelease);
    let releases = matches!(ordering, Ordering::Release | Ordering::AcquireRelease);
    match ordering {
        Ordering::SequentiallyConsistent => MemoryOrder::SEQ_CST,
        _ => MemoryOrder { acquires, releases, is_seq_cst: false },
    }
}
