//! Calls of functions; inline assembly that does nothing.

use crate::code::uses::called_name;
use crate::code::{Call, MemoryOrder, Op, Src};
use crate::ir::{self, ByValue, Callee, Constant, Instruction, Operand, TypeId, TypedOperand};

use super::function::Builder;
use super::layout::{Refusal, Scalar};

/// Assembly that only tells the processor or the compiler something.
const IDLE_ASSEMBLY: [&str; 8] =
    ["", "nop", "pause", "rep; nop", "rep;nop", "rep nop", "yield", "isb"];

/// Assembly that orders memory.
const FENCE_ASSEMBLY: [&str; 6] = ["mfence", "lfence", "sfence", "dmb ish", "dmb sy", "sync"];

/// Arguments of a call, and which are passed by value.
type Arguments = [(TypedOperand, Option<ByValue>)];

impl Builder<'_, '_, '_> {
    /// Lowers `call` and `invoke`.
    pub fn call(&mut self, instruction: &Instruction) -> Result<(), Refusal> {
        let ir::Op::Call { callee, result_ty, arguments, invoke } = &instruction.op else {
            return Err("an unknown instruction".to_owned());
        };
        self.unwind = match invoke {
            Some((_, pad)) => Some(self.unwind_edge(*pad)?),
            None => None,
        };
        match callee {
            Callee::Assembly(text) => self.assembly(text, *result_ty)?,
            Callee::Operand(operand) => {
                let name = called_name(self.program.module, callee).unwrap_or_default();
                if name.starts_with("llvm.") && !self.has_body(operand) {
                    self.intrinsic(instruction, name, *result_ty, arguments)?;
                } else {
                    let callee = self.pointer(operand)?;
                    self.plain_call(instruction, callee, *result_ty, arguments)?;
                }
            }
        }
        match invoke {
            Some((normal, _)) => self.jump(*normal),
            None => Ok(()),
        }
    }

    fn has_body(&self, callee: &Operand) -> bool {
        match callee {
            Operand::Constant(Constant::Symbol(id)) => {
                self.program.module.function(*id).is_some_and(|function| function.body.is_some())
            }
            _ => false,
        }
    }

    /// Calls a function with all of the arguments.
    pub fn plain_call(
        &mut self,
        instruction: &Instruction,
        callee: Src,
        result_ty: TypeId,
        arguments: &Arguments,
    ) -> Result<(), Refusal> {
        let (mut sources, mut widths, mut passed) = (Vec::new(), Vec::new(), Vec::new());
        let has_rest = self.may_take_more(callee);
        for (argument, by_value) in arguments {
            let scalars = self.program.layouts.scalars(argument.ty)?;
            if has_rest {
                passed.extend(self.passed(argument.ty, *by_value)?);
            }
            widths.extend(scalars.iter().map(|scalar| scalar.width));
            sources.extend(self.operand(argument.ty, &argument.value)?);
        }
        let results = self.program.layouts.scalars(result_ty)?;
        let to = if results.is_empty() { 0 } else { self.result(instruction, &results)? };
        self.emit(Op::Call(Call {
            callee,
            arguments: sources.into(),
            widths: widths.into(),
            passed: passed.into(),
            to,
            n_results: results.len() as u32,
            result_width: results.first().map_or(0, |scalar: &Scalar| scalar.width),
            unwind: self.unwind,
        }));
        Ok(())
    }

    fn assembly(&mut self, text: &str, result_ty: TypeId) -> Result<(), Refusal> {
        let plain = text.trim().trim_end_matches(';').trim();
        let is_empty = self.program.layouts.scalars(result_ty)?.is_empty();
        if is_empty && IDLE_ASSEMBLY.contains(&plain) {
            return Ok(());
        }
        if is_empty && FENCE_ASSEMBLY.contains(&plain) {
            self.emit(Op::Fence(MemoryOrder::SEQ_CST));
            return Ok(());
        }
        Err(format!("the inline assembly \"{}\"", plain.escape_debug()))
    }
}
