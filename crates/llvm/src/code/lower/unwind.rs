//! Unwinding: the second way on of `invoke`, landing pads, and `resume`.
//!
//! A call goes on at an operation of its own if its callee unwinds: [`Op::LandingPad`],
//! which says where the exception goes, then the copies of `phi` on that edge, then the
//! block with the `landingpad`. The exception goes through registers that nothing else
//! writes, because a `phi` of the block may still read what the `landingpad` gave before.
//!
//! Whether a clause catches an exception is decided by a personality function, which is not
//! run: pads for cleaning up and pads that catch everything need none; others are refused
//! when an exception arrives there.

use crate::code::{Op, Pc, Reg, Src};
use crate::ir::{self, BlockId, Catches, Instruction, TypedOperand};

use super::function::Builder;
use super::layout::Refusal;

/// What the personality function says to a pad that only cleans up, and to one that
/// catches everything by its first clause.
const CLEANUP: u32 = 0;
const FIRST_CLAUSE: u32 = 1;

/// Bits of a selector.
const SELECTOR_WIDTH: u8 = 32;

impl Builder<'_, '_, '_> {
    /// The label of the way from this block to a landing pad.
    pub fn unwind_edge(&mut self, target: BlockId) -> Result<Pc, Refusal> {
        if target.0 as usize >= self.body.blocks.len() {
            return Err("a block that does not exist".to_owned());
        }
        let (labels, place) = (&mut self.labels, self.place);
        let &mut (label, _) = self.unwind_edges.entry((self.block, target)).or_insert_with(|| {
            labels.push(0);
            (labels.len() as u32 - 1, place)
        });
        Ok(label)
    }

    /// Writes down where exceptions arrive.
    pub fn pending_unwind_edges(&mut self) {
        for ((from, to), (label, place)) in std::mem::take(&mut self.unwind_edges) {
            self.place = place;
            let n_ops = self.ops.len();
            self.labels[label as usize] = n_ops as u32;
            if let Err(why) = self.arrive(from, to) {
                self.ops.truncate(n_ops);
                self.emit(Op::Unsupported(why.into()));
            }
        }
    }

    fn arrive(&mut self, from: BlockId, to: BlockId) -> Result<(), Refusal> {
        let selector = self.selector(to)?;
        let pad = self.exception_registers(to);
        self.emit(Op::LandingPad { to: pad, selector });
        self.copies(from, to)?;
        self.emit(Op::Jump(to.0));
        Ok(())
    }

    /// What a landing pad is told about an exception.
    fn selector(&self, block: BlockId) -> Result<u32, Refusal> {
        let instructions = &self.body.blocks[block.0 as usize].instructions;
        let pad = instructions.iter().find_map(|instruction| match instruction.op {
            ir::Op::LandingPad { is_cleanup, catches } => Some((is_cleanup, catches)),
            _ => None,
        });
        match pad {
            Some((_, Catches::Everything)) => Ok(FIRST_CLAUSE),
            Some((true, Catches::Nothing)) => Ok(CLEANUP),
            Some(_) => Err("an exception arrives at a landing pad for some types only: which \
                            it catches, a personality function decides"
                .to_owned()),
            None => Err("an exception arrives where no `landingpad` is".to_owned()),
        }
    }

    /// The registers by which exceptions come to the landing pad of a block.
    fn exception_registers(&mut self, block: BlockId) -> Reg {
        if let Some(&first) = self.pads.get(&block) {
            return first;
        }
        let first = self.register(self.program.layouts.pointer().width);
        self.register(SELECTOR_WIDTH);
        self.pads.insert(block, first);
        first
    }

    /// Lowers `landingpad`: the exception is here already.
    pub fn landing_pad(&mut self, instruction: &Instruction) -> Result<(), Refusal> {
        let local = instruction.result.ok_or("a `landingpad` without a result")?;
        let scalars = self.program.layouts.scalars(self.body.locals[local.0 as usize].ty)?;
        let widths: Vec<u8> = scalars.iter().map(|scalar| scalar.width).collect();
        if widths != [self.program.layouts.pointer().width, SELECTOR_WIDTH] {
            return Err("a `landingpad` of another type than `{ ptr, i32 }`".to_owned());
        }
        let from = self.exception_registers(self.block);
        let to = self.result(instruction, &scalars)?;
        self.moves(vec![(to, Src::Reg(from)), (to + 1, Src::Reg(from + 1))]);
        Ok(())
    }

    /// Lowers `resume`. What it says of the exception was for the pad that it comes from.
    pub fn resume(&mut self, value: &TypedOperand) -> Result<(), Refusal> {
        let scalars = self.operand(value.ty, &value.value)?;
        let exception = *scalars.first().ok_or("a `resume` with nothing")?;
        self.emit(Op::Resume(exception));
        Ok(())
    }
}
