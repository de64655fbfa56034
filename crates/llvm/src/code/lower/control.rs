//! Ways on: returns, branches, and the copies of `phi` on the edges between blocks.

use crate::code::{Op, Pc, Src};
use crate::ir::{self, BlockId, Operand, TypeId};

use super::function::Builder;
use super::layout::Refusal;

impl Builder<'_, '_, '_> {
    /// Lowers an instruction that ends a block.
    pub fn control(&mut self, op: &ir::Op) -> Result<(), Refusal> {
        match op {
            ir::Op::Return(None) => self.emit(Op::Return(Box::default())),
            ir::Op::Return(Some(value)) => {
                let values = self.operand(value.ty, &value.value)?;
                self.emit(Op::Return(values.into()));
            }
            ir::Op::Jump(target) => self.jump(*target)?,
            ir::Op::Branch { condition, targets } => self.branch(condition, *targets)?,
            ir::Op::Switch { value, cases, default } => {
                let scalar = self.program.layouts.scalar(value.ty)?;
                let value = self.one(scalar, &value.value)?;
                let mut arms = Vec::with_capacity(cases.len());
                for &(number, target) in cases {
                    arms.push((number as u64, self.edge(target)?));
                }
                let (cases, default) = (arms.into(), self.edge(*default)?);
                self.emit(Op::Switch { value, width: scalar.width, cases, default });
            }
            ir::Op::Unreachable => self.emit(Op::Unreachable),
            _ => return Err("an unknown instruction".to_owned()),
        }
        Ok(())
    }

    fn branch(&mut self, condition: &Operand, targets: (BlockId, BlockId)) -> Result<(), Refusal> {
        let condition = self.one(super::layout::Scalar::int(1), condition)?;
        let number = match condition {
            Src::Value(value) => value.as_number(),
            Src::Reg(_) => None,
        };
        match number {
            Some(number) => self.jump(if number == 1 { targets.0 } else { targets.1 }),
            None => {
                let (yes, no) = (self.edge(targets.0)?, self.edge(targets.1)?);
                self.emit(Op::Branch(condition, yes, no));
                Ok(())
            }
        }
    }

    /// Goes on at a block, whatever was before.
    pub fn jump(&mut self, target: BlockId) -> Result<(), Refusal> {
        self.check(target)?;
        self.copies(self.block, target)?;
        self.emit(Op::Jump(target.0));
        Ok(())
    }

    fn check(&self, target: BlockId) -> Result<(), Refusal> {
        match (target.0 as usize) < self.body.blocks.len() {
            true => Ok(()),
            false => Err("a block that does not exist".to_owned()),
        }
    }

    /// The label of the way from this block to another.
    fn edge(&mut self, target: BlockId) -> Result<Pc, Refusal> {
        self.check(target)?;
        if phis(self.body, target).next().is_none() {
            return Ok(target.0);
        }
        let (labels, place) = (&mut self.labels, self.place);
        let &mut (label, _) = self.edges.entry((self.block, target)).or_insert_with(|| {
            labels.push(0);
            (labels.len() as u32 - 1, place)
        });
        Ok(label)
    }

    /// Writes down the edges that need operations of their own.
    pub fn pending_edges(&mut self) {
        for ((from, to), (label, place)) in std::mem::take(&mut self.edges) {
            self.place = place;
            let n_ops = self.ops.len();
            self.labels[label as usize] = n_ops as u32;
            match self.copies(from, to) {
                Ok(()) => self.emit(Op::Jump(to.0)),
                Err(why) => {
                    self.ops.truncate(n_ops);
                    self.emit(Op::Unsupported(why.into()));
                }
            }
        }
    }

    /// Copies what the `phi`s of a block take from another, all at once.
    pub fn copies(&mut self, from: BlockId, to: BlockId) -> Result<(), Refusal> {
        let body = self.body;
        let mut moves = Vec::new();
        for (result, ty, incoming) in phis(body, to) {
            let value = incoming.iter().find(|(_, block)| *block == from);
            let (value, _) = value.ok_or("a `phi` without a value for this edge")?;
            let sources = self.operand(ty, value)?;
            let registers = self.operand(ty, &Operand::Local(result))?;
            for (register, source) in registers.into_iter().zip(sources) {
                let Src::Reg(register) = register else {
                    return Err("a `phi` that is a constant".to_owned());
                };
                moves.push((register, source));
            }
        }
        self.moves(moves);
        Ok(())
    }

    /// Which blocks can be reached from the first.
    pub fn reachable(&self) -> Vec<bool> {
        let mut is_reachable = vec![false; self.body.blocks.len()];
        let mut waiting = vec![BlockId(0)];
        while let Some(block) = waiting.pop() {
            let Some(slot) = is_reachable.get_mut(block.0 as usize) else { continue };
            if std::mem::replace(slot, true) {
                continue;
            }
            for instruction in &self.body.blocks[block.0 as usize].instructions {
                match &instruction.op {
                    ir::Op::Jump(target) => waiting.push(*target),
                    ir::Op::Branch { targets, .. } => waiting.extend([targets.0, targets.1]),
                    ir::Op::Switch { cases, default, .. } => {
                        waiting.extend(cases.iter().map(|(_, target)| *target));
                        waiting.push(*default);
                    }
                    ir::Op::Call { invoke: Some((normal, unwind)), .. } => {
                        waiting.extend([*normal, *unwind]);
                    }
                    _ => {}
                }
            }
        }
        is_reachable
    }
}

/// A `phi`: its result, its type, and where its values come from.
type Phi<'b> = (ir::LocalId, TypeId, &'b [(Operand, BlockId)]);

/// The `phi`s of a block.
fn phis(body: &ir::FunctionBody, block: BlockId) -> impl Iterator<Item = Phi<'_>> {
    let instructions = body.blocks[block.0 as usize].instructions.iter();
    instructions.filter_map(|instruction| match &instruction.op {
        ir::Op::Phi { ty, incoming } => Some((instruction.result?, *ty, incoming.as_slice())),
        _ => None,
    })
}
