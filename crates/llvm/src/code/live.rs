//! Which registers are live before each operation, and while a call runs.
//!
//! A register is live where some path reads it before it writes it. The sets are
//! exact for that definition: the least solution of the backward equations over
//! blocks, spelled out for each operation. Dead registers may be cleared.

use rustc_hash::FxHashMap;

use super::registers::{ends_block, for_each_read, for_each_write, successors};
use super::{Instr, Op, Pc, Reg};

/// Fills in [`Instr::live`] and [`Instr::live_during`] and gives the sets they name.
pub fn annotate(ops: &mut [Instr], n_registers: u32) -> Vec<Box<[Reg]>> {
    let blocks = Blocks::new(ops);
    let live_in = solve(ops, &blocks, n_registers);
    let mut sets = Interner::default();
    for block_idx in 0..blocks.starts.len() {
        let mut live = live_out(ops, &blocks, block_idx, &live_in);
        for pc in blocks.range(block_idx).rev() {
            let instr = &mut ops[pc];
            let after = matches!(instr.op, Op::Call(_)).then(|| {
                kill(&instr.op, &mut live);
                sets.intern(&live)
            });
            step(&instr.op, &mut live);
            instr.live = sets.intern(&live);
            instr.live_during = after.unwrap_or(instr.live);
        }
    }
    sets.sets
}

/// Goes over `op` backwards.
fn step(op: &Op, live: &mut RegSet) {
    kill(op, live);
    for_each_read(op, |reg| live.insert(reg));
}

/// Takes away what `op` writes. A call that may unwind writes its results on one of its two
/// ways on only, which [`live_out`] has seen to.
fn kill(op: &Op, live: &mut RegSet) {
    if unwind(op).is_none() {
        for_each_write(op, |reg| live.remove(reg));
    }
}

/// Where a call goes on if it unwinds.
fn unwind(op: &Op) -> Option<Pc> {
    match op {
        Op::Call(call) => call.unwind,
        _ => None,
    }
}

/// What is live at the end of a block; while the call runs, if it ends with one that may
/// unwind.
fn live_out(ops: &[Instr], blocks: &Blocks, idx: usize, live_in: &[RegSet]) -> RegSet {
    let last = blocks.range(idx).end - 1;
    let op = &ops[last].op;
    let mut live = RegSet { words: vec![0; live_in[idx].words.len()] };
    let pad = unwind(op).and_then(|pad| blocks.starting_at(pad as usize));
    for &next in &blocks.successors[idx] {
        if pad != Some(next) {
            live.add(&live_in[next]);
        }
    }
    if let Some(pad) = pad {
        for_each_write(op, |reg| live.remove(reg));
        live.add(&live_in[pad]);
    }
    live
}

/// What is live at the start of each block.
fn solve(ops: &[Instr], blocks: &Blocks, n_registers: u32) -> Vec<RegSet> {
    let n_blocks = blocks.starts.len();
    let mut predecessors = vec![Vec::new(); n_blocks];
    for (idx, successors) in blocks.successors.iter().enumerate() {
        successors.iter().for_each(|&next| predecessors[next].push(idx));
    }
    let mut live_in = vec![RegSet::new(n_registers); n_blocks];
    let mut is_waiting = vec![true; n_blocks];
    let mut waiting: Vec<usize> = (0..n_blocks).collect();
    while let Some(idx) = waiting.pop() {
        is_waiting[idx] = false;
        let mut live = live_out(ops, blocks, idx, &live_in);
        blocks.range(idx).rev().for_each(|pc| step(&ops[pc].op, &mut live));
        if live_in[idx].add(&live) {
            for &before in &predecessors[idx] {
                if !is_waiting[before] {
                    is_waiting[before] = true;
                    waiting.push(before);
                }
            }
        }
    }
    live_in
}

/// Operations in a row without a way in or out between them.
struct Blocks {
    /// Where each begins.
    starts: Vec<usize>,
    /// How many operations there are.
    end: usize,
    /// Which follow each.
    successors: Vec<Vec<usize>>,
}

impl Blocks {
    fn new(ops: &[Instr]) -> Blocks {
        let mut is_start = vec![false; ops.len() + 1];
        is_start[0] = true;
        for (pc, instr) in ops.iter().enumerate() {
            if ends_block(&instr.op) {
                is_start[pc + 1] = true;
                for target in successors(&instr.op, pc as u32) {
                    is_start[target as usize] = true;
                }
            }
        }
        let starts: Vec<usize> = (0..ops.len()).filter(|&pc| is_start[pc]).collect();
        let mut block_of = vec![usize::MAX; ops.len()];
        starts.iter().enumerate().for_each(|(idx, &start)| block_of[start] = idx);
        let mut blocks = Blocks { starts, end: ops.len(), successors: Vec::new() };
        for idx in 0..blocks.starts.len() {
            let last = blocks.range(idx).end - 1;
            let next = successors(&ops[last].op, last as u32).into_iter();
            let next = next.filter(|&pc| (pc as usize) < ops.len());
            let mut next: Vec<usize> = next.map(|pc| block_of[pc as usize]).collect();
            next.sort_unstable();
            next.dedup();
            blocks.successors.push(next);
        }
        blocks
    }

    /// The block that begins with this operation.
    fn starting_at(&self, pc: usize) -> Option<usize> {
        self.starts.binary_search(&pc).ok()
    }

    fn range(&self, idx: usize) -> std::ops::Range<usize> {
        self.starts[idx]..self.starts.get(idx + 1).copied().unwrap_or(self.end)
    }
}

/// A set of registers.
#[derive(Clone, PartialEq, Eq)]
struct RegSet {
    words: Vec<u64>,
}

impl RegSet {
    fn new(n_registers: u32) -> RegSet {
        RegSet { words: vec![0; (n_registers as usize).div_ceil(64)] }
    }

    fn insert(&mut self, reg: Reg) {
        self.words[reg as usize / 64] |= 1 << (reg % 64);
    }

    fn remove(&mut self, reg: Reg) {
        self.words[reg as usize / 64] &= !(1 << (reg % 64));
    }

    /// Adds all of `other`; is anything new?
    fn add(&mut self, other: &RegSet) -> bool {
        let mut is_new = false;
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            is_new |= more & !*word != 0;
            *word |= more;
        }
        is_new
    }

    fn members(&self) -> Box<[Reg]> {
        let mut members = Vec::new();
        for (idx, &word) in self.words.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                members.push(idx as u32 * 64 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
        members.into()
    }
}

/// Sets of registers, each once.
#[derive(Default)]
struct Interner {
    ids: FxHashMap<Box<[Reg]>, u32>,
    sets: Vec<Box<[Reg]>>,
}

impl Interner {
    fn intern(&mut self, set: &RegSet) -> u32 {
        let members = set.members();
        if let Some(&id) = self.ids.get(&members) {
            return id;
        }
        let id = self.sets.len() as u32;
        self.sets.push(members.clone());
        self.ids.insert(members, id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::{annotate, unwind};
    use crate::code::registers::{for_each_read, for_each_write, successors};
    use crate::code::{Call, Instr, Op, Reg, Src};
    use crate::value::{Origin, Value};

    /// Is there a path from `pc` that reads `reg` before it writes it?
    fn is_live(ops: &[Instr], pc: usize, reg: Reg) -> bool {
        let mut seen = vec![false; ops.len()];
        let mut waiting = vec![pc];
        while let Some(pc) = waiting.pop() {
            if pc >= ops.len() || std::mem::replace(&mut seen[pc], true) {
                continue;
            }
            let (mut reads, mut writes) = (false, false);
            for_each_read(&ops[pc].op, |other| reads |= other == reg);
            for_each_write(&ops[pc].op, |other| writes |= other == reg);
            if reads {
                return true;
            }
            let pad = unwind(&ops[pc].op);
            let next = successors(&ops[pc].op, pc as u32).into_iter();
            waiting.extend(next.filter(|&to| !writes || pad == Some(to)).map(|pc| pc as usize));
        }
        false
    }

    struct Dice(u64);

    impl Dice {
        fn below(&mut self, n: u64) -> u32 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((self.0 >> 33) % n) as u32
        }
    }

    const N_REGISTERS: u32 = 70;

    fn random_op(dice: &mut Dice, n_ops: u64) -> Op {
        let regs = [0, 1, 2, 63, 64, 69];
        let mut reg = || regs[dice.below(6) as usize];
        let (a, b, c) = (reg(), reg(), reg());
        match dice.below(8) {
            0 => Op::Jump(dice.below(n_ops)),
            1 => Op::Branch(Src::Reg(a), dice.below(n_ops), dice.below(n_ops)),
            2 => Op::Return([Src::Reg(a)].into()),
            3 => Op::Moves([(a, Src::Reg(b)), (b, Src::Reg(c))].into()),
            4 => Op::Call(Call {
                callee: Src::Value(Value::address(Origin::Function(0), 0)),
                arguments: [Src::Reg(a)].into(),
                widths: [32].into(),
                passed: Box::default(),
                to: b,
                n_results: 1,
                result_width: 32,
                unwind: (dice.below(2) == 0).then(|| dice.below(n_ops)),
            }),
            5 => Op::Unsupported("never".into()),
            _ => Op::Move(a, Src::Reg(b)),
        }
    }

    #[test]
    fn a_register_is_live_exactly_where_a_path_reads_it_first() {
        for seed in 0..400 {
            let mut dice = Dice(seed);
            let n_ops = u64::from(3 + dice.below(15));
            let mut ops: Vec<Instr> =
                (0..n_ops).map(|_| Instr::new(random_op(&mut dice, n_ops), 0)).collect();
            let sets = annotate(&mut ops, N_REGISTERS);
            for pc in 0..ops.len() {
                let live = &sets[ops[pc].live as usize];
                for reg in 0..N_REGISTERS {
                    assert_eq!(live.contains(&reg), is_live(&ops, pc, reg), "{seed} {pc} {reg}");
                }
                let during = &sets[ops[pc].live_during as usize];
                let Op::Call(call) = &ops[pc].op else {
                    assert_eq!(live, during);
                    continue;
                };
                for reg in 0..N_REGISTERS {
                    let is_kept = reg != call.to && is_live(&ops, pc + 1, reg)
                        || call.unwind.is_some_and(|pad| is_live(&ops, pad as usize, reg));
                    assert_eq!(during.contains(&reg), is_kept, "{seed} {pc} {reg}");
                }
            }
        }
    }
}
