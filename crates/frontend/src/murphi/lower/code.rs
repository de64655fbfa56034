//! Builds one function of rule code, block by block, and carries what is known from
//! block to block.
//!
//! A block must have been jumped to before it is started; one that never was is
//! dead, and whatever is emitted into it vanishes.

use model::rule_code::{BinaryOp, Block, BlockId, ChoiceCode, End, FaultId, Function, Op, Reg};

use super::facts::{Fact, Facts};

/// A function that is being built.
#[derive(Debug, Default)]
pub(super) struct Code {
    blocks: Vec<Draft>,
    current: Option<BlockId>,
    /// What is known here.
    pub(super) facts: Facts,
    n_registers: u32,
    frame_end: u32,
    frame_bits: u32,
    /// Operations emitted so far.
    pub(super) n_ops: usize,
}

#[derive(Debug, Default)]
struct Draft {
    ops: Vec<Op>,
    end: Option<End>,
    /// What is known on every way that leads here; `None` when none does.
    entry: Option<Facts>,
}

impl Code {
    /// A function with a first block, which is current.
    pub(super) fn new() -> Code {
        let mut code = Code::default();
        let first = code.block();
        code.current = Some(first);
        code
    }

    /// Can control reach this point?
    pub(super) fn is_live(&self) -> bool {
        self.current.is_some()
    }

    /// A new register.
    pub(super) fn reg(&mut self) -> Reg {
        self.n_registers += 1;
        Reg(self.n_registers - 1)
    }

    /// A new block.
    pub(super) fn block(&mut self) -> BlockId {
        self.blocks.push(Draft::default());
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// Adds an operation.
    pub(super) fn emit(&mut self, op: Op) {
        if let Some(block) = self.current {
            self.blocks[block.0 as usize].ops.push(op);
            self.n_ops += 1;
        }
    }

    /// A register with a constant.
    pub(super) fn constant(&mut self, value: i64) -> Reg {
        let dst = self.reg();
        self.emit(Op::Const { dst, value });
        dst
    }

    /// A register with the result of an operator.
    pub(super) fn binary(&mut self, op: BinaryOp, left: Reg, right: Reg) -> Reg {
        let dst = self.reg();
        self.emit(Op::Binary { op, dst, left, right });
        dst
    }

    /// As `binary`, with a constant on the right.
    pub(super) fn binary_const(&mut self, op: BinaryOp, left: Reg, right: i64) -> Reg {
        let right = self.constant(right);
        self.binary(op, left, right)
    }

    /// `reg + addend`, which is `reg` itself where nothing is added.
    pub(super) fn plus(&mut self, reg: Reg, addend: i64) -> Reg {
        if addend == 0 { reg } else { self.binary_const(BinaryOp::Add, reg, addend) }
    }

    /// The fault where `value` is zero, unless that is known not to be so.
    pub(super) fn nonzero(&mut self, value: Reg, fault: FaultId) {
        if !self.facts.is_nonzero(value) {
            self.emit(Op::NonZero { value, fault });
            self.facts.add(Fact::NonZero(value));
        }
    }

    /// Goes on at `to`.
    pub(super) fn jump(&mut self, to: BlockId) {
        self.edge(to);
        self.end(End::Jump(to));
    }

    /// Goes on at one of two blocks.
    pub(super) fn branch(&mut self, condition: Reg, then: BlockId, otherwise: BlockId) {
        self.edge(then);
        self.edge(otherwise);
        self.end(End::Branch { condition, then, otherwise });
    }

    /// As `branch`; knows that `condition` is not zero at `then`.
    pub(super) fn branch_nonzero(&mut self, condition: Reg, then: BlockId, otherwise: BlockId) {
        self.edge(otherwise);
        self.facts.add(Fact::NonZero(condition));
        self.edge(then);
        self.end(End::Branch { condition, then, otherwise });
    }

    /// Ends the block.
    pub(super) fn end(&mut self, end: End) {
        if let Some(block) = self.current.take() {
            self.blocks[block.0 as usize].end = Some(end);
        }
    }

    /// Goes on with the code of `block`.
    pub(super) fn start(&mut self, block: BlockId) {
        match self.blocks[block.0 as usize].entry.take() {
            Some(facts) => {
                self.facts = facts;
                self.current = Some(block);
            }
            None => self.current = None,
        }
    }

    /// Enters a loop; gives its first block, and what is known in every turn. With
    /// `writes`, its turns may write to memory and variables.
    pub(super) fn enter_loop(&mut self, writes: bool) -> (BlockId, Facts) {
        if writes {
            self.facts.all_written();
        }
        let head = self.block();
        self.jump(head);
        let live = self.blocks[head.0 as usize].entry.is_some();
        self.start(head);
        debug_assert_eq!(live, self.is_live());
        (head, self.facts.clone())
    }

    fn edge(&mut self, to: BlockId) {
        if self.current.is_none() {
            return;
        }
        match &mut self.blocks[to.0 as usize].entry {
            Some(entry) => entry.meet(&self.facts),
            entry => *entry = Some(self.facts.clone()),
        }
    }

    /// Room in local memory, until [`Code::release_frame`].
    pub(super) fn frame(&mut self, bits: u32, byte_aligned: bool) -> u32 {
        let start = if byte_aligned { self.frame_end.next_multiple_of(8) } else { self.frame_end };
        self.frame_end = start.saturating_add(bits);
        self.frame_bits = self.frame_bits.max(self.frame_end);
        start
    }

    /// Where the used part of local memory ends.
    pub(super) fn frame_end(&self) -> u32 {
        self.frame_end
    }

    /// Gives back all local memory behind `end`.
    pub(super) fn release_frame(&mut self, end: u32) {
        self.frame_end = end;
    }

    /// The finished function, without dead blocks.
    pub(super) fn finish(self, name: String, parameters: Vec<Reg>, choice: ChoiceCode) -> Function {
        let mut numbers = vec![None; self.blocks.len()];
        let mut n_live = 0;
        for (idx, draft) in self.blocks.iter().enumerate() {
            if draft.end.is_some() {
                numbers[idx] = Some(BlockId(n_live));
                n_live += 1;
            }
        }
        let live = self.blocks.into_iter().filter_map(|draft| {
            Some(Block { ops: draft.ops, end: renumber(draft.end?, &numbers) })
        });
        Function {
            name,
            parameters,
            n_registers: self.n_registers,
            frame_bits: self.frame_bits,
            blocks: live.collect(),
            choice,
        }
    }
}

fn renumber(end: End, numbers: &[Option<BlockId>]) -> End {
    let to = |block: BlockId| {
        numbers[block.0 as usize].expect("a block that is jumped to is started and ended")
    };
    match end {
        End::Jump(block) => End::Jump(to(block)),
        End::Branch { condition, then, otherwise } => {
            End::Branch { condition, then: to(then), otherwise: to(otherwise) }
        }
        End::Return(_) | End::Fault(_) => end,
    }
}
