//! Calls of functions.

use crate::code::uses::called_name;
use crate::code::{Call, Op, Src};
use crate::ir::{self, ByValue, Callee, Constant, Instruction, Operand, TypeId, TypedOperand};

use super::function::Builder;
use super::layout::{Refusal, Scalar};

/// Arguments of a call, and which are passed by value.
pub(super) type Arguments = [(TypedOperand, Option<ByValue>)];

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
            Callee::Assembly(assembly) => {
                self.assembly(instruction, assembly, *result_ty, arguments)?;
            }
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
}
