//! Inline assembly that is known: nothing at all, fences, moves from and to memory, and the
//! updates of memory that x86 makes at once (`lock cmpxchg`, `lock xadd`, `xchg`, `lock add`
//! and their kin).
//!
//! What is not known is refused: nothing is guessed from a part of a text, and what comes out
//! must have got a value.
//!
//! **Read first** `operands.rs`, then `update.rs`.

mod operands;
mod text;
mod update;

use crate::code::registers::for_each_write;
use crate::code::{MemoryOrder, Op, Reg};
use crate::ir::{Assembly, Instruction, TypeId};

use super::calls::Arguments;
use super::function::Builder;
use super::layout::Refusal;
use operands::{Known, Operand, Operands};
use text::{is_fence, is_idle, statements};

impl Builder<'_, '_, '_> {
    /// Lowers inline assembly.
    pub(super) fn assembly(
        &mut self,
        instruction: &Instruction,
        assembly: &Assembly,
        ty: TypeId,
        arguments: &Arguments,
    ) -> Result<(), Refusal> {
        let refusal = || format!("the inline assembly \"{}\"", assembly.text.trim().escape_debug());
        let lines = statements(&assembly.text);
        let operands = self.assembly_operands(assembly, ty, arguments);
        let operands = operands?.ok_or_else(refusal)?;
        let results = self.program.layouts.scalars(ty)?;
        let first = if results.is_empty() { 0 } else { self.result(instruction, &results)? };
        if lines.iter().all(|line| is_idle(line)) {
            return self.keep_inputs(&operands, first, results.len()).ok_or_else(refusal);
        }
        if let [line] = &*lines
            && results.is_empty()
            && is_fence(line)
        {
            self.emit(Op::Fence(MemoryOrder::SEQ_CST));
            return Ok(());
        }
        let n_before = self.ops.len();
        let made =
            self.access_memory(&lines, &Known { operands: &operands, first, results: &results })?;
        let is_complete = made.is_some() && self.all_have_values(n_before, first, results.len());
        if !is_complete {
            self.ops.truncate(n_before);
        }
        is_complete.then_some(()).ok_or_else(refusal)
    }

    /// Has every result got a value from the operations behind the first `n_before`?
    fn all_have_values(&self, n_before: usize, first: Reg, n_results: usize) -> bool {
        let mut missing: Vec<Reg> = (first..first + n_results as u32).collect();
        for instr in &self.ops[n_before..] {
            for_each_write(&instr.op, |reg| missing.retain(|&other| other != reg));
        }
        missing.is_empty()
    }

    /// Assembly that does nothing: what comes out is what goes in there.
    fn keep_inputs(&mut self, operands: &Operands, first: Reg, n_results: usize) -> Option<()> {
        let mut moves = Vec::new();
        for &(from, to) in &operands.tied {
            if let (Operand::Input { src, .. }, Operand::Result(idx)) =
                (operands.all.get(from)?, operands.all.get(to)?)
            {
                moves.push((first + idx, *src));
            }
        }
        (moves.len() == n_results).then(|| self.moves(moves))
    }
}
