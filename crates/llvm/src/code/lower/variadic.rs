//! Arguments that a function does not name.
//!
//! On 64-bit x86, a `va_list` says how many of the registers for arguments were read
//! and where the arguments in memory go on. Here all of them lie in memory, and every
//! list says from the start that the registers were read; programs cannot tell, since
//! the compiler's code for `va_arg` looks there next. On 32-bit x86 all of them lie in
//! memory anyway, and a `va_list` is the address of the next.

use crate::code::uses::is_intrinsic;
use crate::code::{Call, Op, Passed, ScalarAccess, Src};
use crate::ir::{ByValue, Type, TypeId, TypedOperand};
use crate::value::{Origin, Value};

use super::function::Builder;
use super::layout::{Refusal, Scalar, no_size};

/// Bytes of registers for numbers and addresses, and of all registers, in a list of
/// 64-bit x86: both are read.
const ALL_READ: [(u64, u64); 2] = [(0, 48), (4, 176)];

/// Where a list of 64-bit x86 has the address of the next argument in memory, and of
/// registers.
const NEXT_AT: i64 = 8;
const REGISTERS_AT: i64 = 16;

/// Bytes of a list of 64-bit x86.
const LIST_BYTES: u64 = 24;

impl Builder<'_, '_, '_> {
    /// Does the function perhaps take arguments that it does not name?
    pub fn may_take_more(&self, callee: Src) -> bool {
        let Src::Value(value) = callee else { return true };
        let Origin::Function(number) = value.base.origin() else { return true };
        let Some(&id) = self.program.functions.get(number as usize) else { return false };
        let function = self.program.module.function(id);
        function.is_some_and(|function| function.is_variadic && function.body.is_some())
    }

    /// How the scalars of an argument are passed.
    pub fn passed(&self, ty: TypeId, by_value: Option<ByValue>) -> Result<Vec<Passed>, Refusal> {
        let layouts = &self.program.layouts;
        let slot = u32::from(layouts.pointer().bytes);
        if let Some(ByValue { ty, align }) = by_value {
            let bytes = layouts.size(ty).ok_or_else(no_size)?;
            let bytes = u32::try_from(bytes).map_err(|_| "a large argument".to_owned())?;
            let align = align.unwrap_or_else(|| layouts.align(ty));
            let align = if slot == 8 { align.max(slot) } else { slot };
            return Ok(vec![Passed { align, offset: 0, bytes, is_copied: true }]);
        }
        let is_wide = match layouts.types.get(ty) {
            Type::Int(bits) => *bits > 64,
            Type::Vector(..) => layouts.size(ty).is_some_and(|bytes| bytes > 8),
            _ => false,
        };
        let align = if is_wide { 2 * slot } else { slot };
        let scalars = layouts.scalars(ty)?;
        let one = |(idx, scalar): (usize, &Scalar)| Passed {
            align: if idx == 0 { align } else { 0 },
            offset: scalar.offset as u32,
            bytes: scalar.bytes.into(),
            is_copied: false,
        };
        Ok(scalars.iter().enumerate().map(one).collect())
    }

    /// Lowers `llvm.va_start`, `llvm.va_copy` and `llvm.va_end`.
    pub fn variadic(
        &mut self,
        name: &str,
        arguments: &[(TypedOperand, Option<ByValue>)],
    ) -> Result<(), Refusal> {
        if !self.program.module.is_x86 {
            return Err("variable arguments on this kind of machine".to_owned());
        }
        let mut pointers = Vec::new();
        for (argument, _) in arguments {
            pointers.push(self.pointer(&argument.value)?);
        }
        match *pointers {
            [list] if is_intrinsic(name, "llvm.va_start") => self.start_list(list),
            [to, from] if is_intrinsic(name, "llvm.va_copy") => self.copy_list(to, from),
            [_] if is_intrinsic(name, "llvm.va_end") => Ok(()),
            _ => Err(format!("the intrinsic `{name}`")),
        }
    }

    fn start_list(&mut self, list: Src) -> Result<(), Refusal> {
        let rest = self.rest.ok_or("`va_start` in a function that names all its arguments")?;
        let pointer = self.program.layouts.pointer();
        if pointer.bytes == 4 {
            self.emit(Op::Store {
                value: Src::Reg(rest),
                pointer: list,
                access: pointer.access()?,
            });
            return Ok(());
        }
        for (at, number) in ALL_READ {
            let value = Src::Value(Value::number(number));
            self.set_field(list, at as i64, (value, Scalar::int(32).access()?));
        }
        self.set_field(list, NEXT_AT, (Src::Reg(rest), pointer.access()?));
        self.set_field(list, REGISTERS_AT, (Src::Value(Value::ZERO), pointer.access()?));
        Ok(())
    }

    fn set_field(&mut self, list: Src, offset: i64, (value, access): (Src, ScalarAccess)) {
        let to = self.register(self.program.layouts.pointer().width);
        self.emit(Op::Address { to, base: list, offset, terms: Box::default() });
        self.emit(Op::Store { value, pointer: Src::Reg(to), access });
    }

    fn copy_list(&mut self, to: Src, from: Src) -> Result<(), Refusal> {
        let width = self.program.layouts.pointer().width;
        let size = if width == 32 { 4 } else { LIST_BYTES };
        let memcpy = self.library("memcpy")?;
        self.emit(Op::Call(Call {
            callee: Src::Value(memcpy),
            arguments: [to, from, Src::Value(Value::number(size))].into(),
            widths: [width; 3].into(),
            passed: Box::default(),
            to: 0,
            n_results: 0,
            result_width: 0,
            unwind: None,
        }));
        Ok(())
    }

    /// Lowers `llvm.lifetime.start` and `llvm.lifetime.end`.
    pub fn scope(
        &mut self,
        name: &str,
        arguments: &[(TypedOperand, Option<ByValue>)],
    ) -> Result<(), Refusal> {
        let Some((address, _)) = arguments.last() else { return Ok(()) };
        let is_start = is_intrinsic(name, "llvm.lifetime.start");
        if let Some(reg) = self.promoted(&address.value) {
            if is_start {
                let width = self.widths[reg as usize].into();
                self.emit(Op::Move(reg, Src::Value(Value::undefined(width))));
            }
            return Ok(());
        }
        let Some(variable) = self.scopes.variable(&address.value) else { return Ok(()) };
        let is_renewed = self.scopes.is_renewed(variable);
        let memory = self.pointer(&crate::ir::Operand::Local(variable))?;
        match (is_renewed, is_start) {
            (true, true) => self.begin_scope(variable)?,
            (true, false) => self.emit(Op::Expire(memory)),
            (false, true) => self.emit(Op::Renew(memory)),
            (false, false) => {}
        }
        Ok(())
    }
}
