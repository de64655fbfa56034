//! Operands: registers and constants; what cannot be folded is computed before use.

use crate::code::uses::{called_name, is_intrinsic};
use crate::code::{Op, Reg, Src};
use crate::ir::{self, ConstExpr, Constant, Instruction, Operand, TypeId, TypedConstant};
use crate::value::{Value, mask, signed};

use super::fold::{MAX_DEPTH, Walk, fold_cast, offset_by};
use super::function::{Builder, Slot};
use super::layout::{Refusal, Scalar};

impl Builder<'_, '_, '_> {
    /// The only scalar of an operand.
    pub fn scalar(&mut self, ty: TypeId, operand: &Operand) -> Result<Src, Refusal> {
        let scalar = self.program.layouts.scalar(ty)?;
        self.one(scalar, operand)
    }

    /// An operand that is a pointer.
    pub fn pointer(&mut self, operand: &Operand) -> Result<Src, Refusal> {
        self.one(self.program.layouts.pointer(), operand)
    }

    /// An operand that is this scalar.
    pub fn one(&mut self, scalar: Scalar, operand: &Operand) -> Result<Src, Refusal> {
        match operand {
            Operand::Constant(constant) => self.constant(scalar, constant, 0),
            Operand::Local(local) => match self.slots.get(local.0 as usize) {
                Some(&Slot::Registers(reg, 1)) => Ok(Src::Reg(reg)),
                Some(&Slot::Constant(value)) => Ok(Src::Value(value)),
                _ => Err("a value of another type".to_owned()),
            },
        }
    }

    /// All scalars of an operand.
    pub fn operand(&mut self, ty: TypeId, operand: &Operand) -> Result<Vec<Src>, Refusal> {
        let scalars = self.program.layouts.scalars(ty)?;
        match operand {
            Operand::Constant(constant) => {
                let mut sources = Vec::with_capacity(scalars.len());
                self.constants(ty, constant, (&mut sources, 0))?;
                match sources.len() == scalars.len() {
                    true => Ok(sources),
                    false => Err("a constant of another type".to_owned()),
                }
            }
            Operand::Local(local) => match self.slots.get(local.0 as usize) {
                Some(&Slot::Registers(first, n)) if n as usize == scalars.len() => {
                    Ok((first..first + n).map(Src::Reg).collect())
                }
                Some(&Slot::Constant(value)) if scalars.len() == 1 => Ok(vec![Src::Value(value)]),
                _ => Err("a value of another type".to_owned()),
            },
        }
    }

    /// All scalars of a constant.
    fn constants(
        &mut self,
        ty: TypeId,
        constant: &Constant,
        (to, depth): (&mut Vec<Src>, u32),
    ) -> Result<(), Refusal> {
        let scalars = self.program.layouts.scalars(ty)?;
        match constant {
            Constant::Zero | Constant::Undef | Constant::Poison => {
                for &scalar in scalars.iter() {
                    to.push(self.constant(scalar, constant, 0)?);
                }
            }
            Constant::Aggregate(_) if depth > MAX_DEPTH => {
                return Err("too deep a constant".to_owned());
            }
            Constant::Aggregate(members) => {
                for member in members {
                    self.constants(member.ty, &member.value, (to, depth + 1))?;
                }
            }
            Constant::Bytes(bytes) => {
                to.extend(bytes.iter().map(|&byte| Src::Value(Value::number(byte.into()))));
            }
            Constant::Int(bits) if scalars.len() == 2 && self.wide_bits(ty).is_some() => {
                let half = |bits: u128, scalar: Scalar| {
                    Src::Value(Value::number(bits as u64 & mask(scalar.width.into())))
                };
                to.extend([half(*bits, scalars[0]), half(*bits >> 64, scalars[1])]);
            }
            _ => {
                let scalar = self.program.layouts.scalar(ty)?;
                to.push(self.constant(scalar, constant, 0)?);
            }
        }
        Ok(())
    }

    /// A constant that is this scalar.
    fn constant(
        &mut self,
        scalar: Scalar,
        constant: &Constant,
        depth: u32,
    ) -> Result<Src, Refusal> {
        if let Some(value) = self.program.fold(scalar, constant) {
            return Ok(Src::Value(value));
        }
        match constant {
            Constant::Expr(_) if depth > MAX_DEPTH => Err("too deep a constant".to_owned()),
            Constant::Expr(expr) => self.expression(scalar, expr, depth + 1),
            Constant::Unsupported(what) => Err(what.clone()),
            Constant::Symbol(id) => self.program.value(*id).map(Src::Value),
            _ => Err("a constant of another type".to_owned()),
        }
    }

    fn typed(&mut self, constant: &TypedConstant, depth: u32) -> Result<(Scalar, Src), Refusal> {
        let scalar = self.program.layouts.scalar(constant.ty)?;
        Ok((scalar, self.constant(scalar, &constant.value, depth)?))
    }

    /// Computes a constant that cannot be folded.
    fn expression(&mut self, scalar: Scalar, expr: &ConstExpr, depth: u32) -> Result<Src, Refusal> {
        let to = match expr {
            ConstExpr::Element { source, base, indices } => {
                let (_, base) = self.typed(base, depth)?;
                let mut sources = Vec::with_capacity(indices.len());
                for index in indices {
                    sources.push(self.typed(index, depth)?);
                }
                let to = self.register(scalar.width);
                self.address(to, base, (*source, &sources))?;
                to
            }
            ConstExpr::Cast(op, value) => {
                let (from, value) = self.typed(value, depth)?;
                let to = self.register(scalar.width);
                self.convert(*op, (from, scalar), (to, value))?;
                to
            }
            ConstExpr::Binary(op, left, right) => {
                let (_, left) = self.typed(left, depth)?;
                let (_, right) = self.typed(right, depth)?;
                let to = self.register(scalar.width);
                self.binary(*op, Default::default(), (scalar, to), (left, right))?;
                to
            }
            ConstExpr::Compare(predicate, left, right) => {
                let (operand, left) = self.typed(left, depth)?;
                let (_, right) = self.typed(right, depth)?;
                let (predicate, width, to) = (*predicate, operand.width, self.register(1));
                self.emit(Op::Compare { predicate, width, to, operands: (left, right) });
                to
            }
            ConstExpr::Select(condition, yes, no) => {
                let (_, condition) = self.typed(condition, depth)?;
                let values = (self.typed(yes, depth)?.1, self.typed(no, depth)?.1);
                let to = self.register(scalar.width);
                self.emit(Op::Select { to, condition, values });
                to
            }
        };
        Ok(Src::Reg(to))
    }

    /// Computes an address: indices walk through a type.
    pub fn address(
        &mut self,
        to: Reg,
        base: Src,
        (source, indices): (TypeId, &[(Scalar, Src)]),
    ) -> Result<(), Refusal> {
        let mut walk = Walk::new(&self.program.layouts, source);
        let mut terms = Vec::new();
        for &(scalar, index) in indices {
            let number = match index {
                Src::Value(value) => value.as_number(),
                Src::Reg(_) => None,
            };
            match number {
                Some(bits) => walk.constant(signed(bits, scalar.width.into()))?,
                None => terms.push((index, scalar.width, walk.variable()?)),
            }
        }
        let pointer = self.program.layouts.pointer();
        let offset = walk.offset;
        self.emit(match base {
            Src::Value(value) if terms.is_empty() && value.is_defined() => {
                Op::Move(to, Src::Value(offset_by(value, offset, pointer)))
            }
            _ if terms.is_empty() && offset == 0 => Op::Move(to, base),
            _ => Op::Address { to, base, offset, terms: terms.into() },
        });
        Ok(())
    }

    /// Where the result of an instruction goes: the first of so many registers.
    pub fn result(
        &mut self,
        instruction: &Instruction,
        scalars: &[Scalar],
    ) -> Result<Reg, Refusal> {
        let Some(local) = instruction.result else { return Ok(self.registers(scalars)) };
        match self.slots.get(local.0 as usize) {
            Some(&Slot::Registers(first, n)) if n as usize == scalars.len() => Ok(first),
            _ => Err("a result of another type".to_owned()),
        }
    }

    /// Copies scalars to the registers of a result.
    pub fn copy_to(
        &mut self,
        instruction: &Instruction,
        ty: TypeId,
        sources: &[Src],
    ) -> Result<(), Refusal> {
        let scalars = self.program.layouts.scalars(ty)?;
        let first = self.result(instruction, &scalars)?;
        if scalars.len() != sources.len() {
            return Err("a result of another type".to_owned());
        }
        self.moves((first..).zip(sources.iter().copied()).collect());
        Ok(())
    }

    /// Copies all at once.
    pub fn moves(&mut self, mut moves: Vec<(Reg, Src)>) {
        moves.retain(|&(to, from)| from != Src::Reg(to));
        match *moves {
            [] => {}
            [(to, from)] => self.emit(Op::Move(to, from)),
            _ => self.emit(Op::Moves(moves.into())),
        }
    }

    /// The value of an instruction that always gives the same one.
    pub fn fold_instruction(&self, op: &ir::Op) -> Option<Value> {
        let layouts = &self.program.layouts;
        match op {
            ir::Op::Element { source, base, indices, .. } => {
                let pointer = layouts.pointer();
                let base = self.fold_operand(layouts.scalar(base.ty).ok()?, &base.value)?;
                let mut walk = Walk::new(layouts, *source);
                for index in indices {
                    let scalar = layouts.scalar(index.ty).ok()?;
                    let value = self.fold_operand(scalar, &index.value)?.as_number()?;
                    walk.constant(signed(value, scalar.width.into())).ok()?;
                }
                base.is_defined().then(|| offset_by(base, walk.offset, pointer))
            }
            ir::Op::Cast { op, value, to } => {
                let scalars = (layouts.scalar(value.ty).ok()?, layouts.scalar(*to).ok()?);
                let value = self.fold_operand(scalars.0, &value.value)?;
                value.is_defined().then(|| fold_cast(*op, scalars, value))?
            }
            ir::Op::Call { callee, arguments, .. } => {
                let name = called_name(self.program.module, callee)?;
                let (address, _) = arguments.first()?;
                is_intrinsic(name, "llvm.threadlocal.address")
                    .then(|| self.fold_operand(layouts.pointer(), &address.value))?
            }
            _ => None,
        }
    }

    fn fold_operand(&self, scalar: Scalar, operand: &Operand) -> Option<Value> {
        match operand {
            Operand::Constant(constant) => self.program.fold(scalar, constant),
            Operand::Local(local) => match self.slots.get(local.0 as usize) {
                Some(&Slot::Constant(value)) => Some(value),
                _ => None,
            },
        }
    }
}
