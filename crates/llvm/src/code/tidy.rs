//! Fewer operations: copies of copies, copies that nobody reads, jumps to jumps.
//!
//! Nothing that anyone could see is dropped or moved: only copies between registers
//! of a frame, and jumps. Operations that touch memory, or that may break a rule or
//! be refused, stay where they are and read the same values; at most their result
//! goes straight to the register that it was copied to next.

use rustc_hash::FxHashMap;

use super::registers::{
    ends_block, for_each_source_mut, for_each_target, for_each_write, result_mut, successors,
};
use super::{Body, Instr, Op, Pc, Reg, Src, live};

/// How often dropping copies may uncover others.
const MAX_ROUNDS: u32 = 4;

/// Jumps to jumps are followed so far; a circle of them ends anywhere on it.
const MAX_JUMPS: u32 = 16;

/// Tidies a function; `is_home` says which registers are variables of the program.
pub(super) fn tidy(body: &mut Body, is_home: &[bool]) {
    shorten_jumps(&mut body.ops);
    drop_unreachable(&mut body.ops);
    for _ in 0..MAX_ROUNDS {
        forward_copies(&mut body.ops, is_home);
        let n_before = body.ops.len();
        drop_copies(body);
        if body.ops.len() == n_before {
            break;
        }
    }
    shorten_jumps(&mut body.ops);
    drop_unreachable(&mut body.ops);
}

/// Which operations something other than the one before them leads to.
fn entries(ops: &[Instr]) -> Vec<bool> {
    let mut is_entry = vec![false; ops.len() + 1];
    is_entry[0] = true;
    for (pc, instr) in ops.iter().enumerate() {
        if ends_block(&instr.op) {
            is_entry[pc + 1] = true;
            successors(&instr.op, pc as u32).iter().for_each(|&to| is_entry[to as usize] = true);
        }
    }
    is_entry
}

/// Reads from where a copy came from, or from the variable that it went to, as long
/// as neither has changed.
fn forward_copies(ops: &mut [Instr], is_home: &[bool]) {
    let is_home = |reg: Reg| is_home.get(reg as usize).copied().unwrap_or(false);
    let is_entry = entries(ops);
    let mut copies: FxHashMap<Reg, Src> = FxHashMap::default();
    for (pc, instr) in ops.iter_mut().enumerate() {
        if is_entry[pc] {
            copies.clear();
        }
        for_each_source_mut(&mut instr.op, |src| {
            if let Src::Reg(reg) = src
                && let Some(&copy) = copies.get(reg)
            {
                *src = copy;
            }
        });
        for_each_write(&instr.op, |reg| {
            copies.retain(|&to, from| to != reg && *from != Src::Reg(reg));
        });
        match instr.op {
            Op::Move(to, from) if !is_home(to) && from != Src::Reg(to) && !is_unset(from) => {
                copies.insert(to, from);
            }
            Op::Move(to, Src::Reg(from)) if !is_home(from) && from != to => {
                copies.insert(from, Src::Reg(to));
            }
            _ => {}
        }
    }
}

/// Is it a value that was never set? It may be any, but is the same wherever it is read.
fn is_unset(src: Src) -> bool {
    matches!(src, Src::Value(value) if !value.is_defined())
}

/// Drops copies that nobody reads, and writes to where a result is copied next.
fn drop_copies(body: &mut Body) {
    let n_registers = body.widths.len() as u32;
    let sets = live::annotate(&mut body.ops, n_registers);
    let is_live = |instr: &Instr, reg: Reg| sets[instr.live as usize].binary_search(&reg).is_ok();
    let is_variable =
        |reg: Reg| body.variables.binary_search_by_key(&reg, |variable| variable.register).is_ok();
    let is_entry = entries(&body.ops);
    let mut is_kept = vec![true; body.ops.len()];
    for pc in 0..body.ops.len() {
        let Op::Move(to, from) = body.ops[pc].op else { continue };
        let next = body.ops.get(pc + 1);
        let is_shown = is_variable(to) && !is_unset(from);
        let is_read = next.is_some_and(|next| is_live(next, to));
        if from == Src::Reg(to) || (!is_read && !is_shown) {
            is_kept[pc] = false;
            continue;
        }
        let Src::Reg(source) = from else { continue };
        let is_last = next.is_none_or(|next| !is_live(next, source));
        let is_result = pc > 0 && is_kept[pc - 1] && !is_entry[pc] && is_last && source != to;
        if is_result && redirect(&mut body.ops[pc - 1].op, source, to) {
            is_kept[pc] = false;
        }
    }
    compact(&mut body.ops, &is_kept);
}

/// Makes an operation whose only result is `from` write `to` instead.
fn redirect(op: &mut Op, from: Reg, to: Reg) -> bool {
    match result_mut(op) {
        Some(result) if *result == from => {
            *result = to;
            true
        }
        _ => false,
    }
}

/// Goes at once where a jump to a jump ends.
fn shorten_jumps(ops: &mut [Instr]) {
    let jumps: Vec<Option<Pc>> = ops
        .iter()
        .map(|instr| match instr.op {
            Op::Jump(to) => Some(to),
            _ => None,
        })
        .collect();
    for instr in ops {
        for_each_target(&mut instr.op, |target| {
            for _ in 0..MAX_JUMPS {
                match jumps[*target as usize] {
                    Some(next) => *target = next,
                    None => break,
                }
            }
        });
    }
}

/// Drops what is never reached, and jumps to what comes next anyway.
fn drop_unreachable(ops: &mut Vec<Instr>) {
    let mut is_kept = vec![false; ops.len()];
    let mut waiting = vec![0];
    while let Some(pc) = waiting.pop() {
        if !std::mem::replace(&mut is_kept[pc as usize], true) {
            waiting.extend(successors(&ops[pc as usize].op, pc));
        }
    }
    for pc in 0..ops.len() {
        let Op::Jump(to) = ops[pc].op else { continue };
        let to = to as usize;
        if to > pc && !is_kept[pc + 1..to].contains(&true) {
            is_kept[pc] = false;
        }
    }
    compact(ops, &is_kept);
}

/// Drops operations; ways to them lead to the next one that is kept.
fn compact(ops: &mut Vec<Instr>, is_kept: &[bool]) {
    let mut places = Vec::with_capacity(ops.len() + 1);
    let mut n_kept = 0;
    for &is_kept in is_kept {
        places.push(n_kept);
        n_kept += u32::from(is_kept);
    }
    places.push(n_kept);
    let mut kept = is_kept.iter();
    ops.retain(|_| *kept.next().expect("there is a flag for each operation"));
    for instr in ops {
        for_each_target(&mut instr.op, |target| *target = places[*target as usize]);
    }
}

#[cfg(test)]
mod tests {
    use super::{Body, Instr, Op, Src, tidy};
    use crate::code::print::operation;
    use crate::code::{Binary, IntOp, MemoryOrder, ScalarAccess};
    use crate::value::Value;

    fn body(ops: Vec<Op>) -> Body {
        Body {
            n_registers: 8,
            widths: vec![32; 8],
            parameters: vec![0],
            is_variadic: false,
            rest: None,
            is_atomic: false,
            ops: ops.into_iter().map(|op| Instr::new(op, 0)).collect(),
            variables: Vec::new(),
            live_sets: Vec::new(),
        }
    }

    fn check(ops: Vec<Op>, expected: &[&str]) {
        let mut body = body(ops);
        let is_home: Vec<bool> = (0..8).map(|reg| reg == 0).collect();
        tidy(&mut body, &is_home);
        let texts: Vec<String> = body.ops.iter().map(|instr| operation(&instr.op)).collect();
        assert_eq!(texts, expected);
    }

    fn add(to: u32, left: u32, right: u32) -> Op {
        Op::Binary(Binary {
            op: IntOp::Add,
            width: 32,
            to,
            operands: (Src::Reg(left), Src::Reg(right)),
            no_signed_wrap: false,
            no_unsigned_wrap: false,
        })
    }

    fn copy(to: u32, from: u32) -> Op {
        Op::Move(to, Src::Reg(from))
    }

    #[test]
    fn a_variable_is_counted_up_in_one_operation() {
        let ops = vec![
            Op::Move(1, Src::Value(Value::number(1))),
            copy(2, 0),
            add(3, 2, 1),
            copy(0, 3),
            Op::Return([Src::Reg(0)].into()),
        ];
        check(ops, &["r0 = add.32 r0, 1", "return r0"]);
    }

    #[test]
    fn a_copy_is_kept_when_its_source_changes() {
        let ops = vec![copy(1, 0), add(0, 0, 0), add(2, 1, 0), Op::Return([Src::Reg(2)].into())];
        check(ops, &["r1 = r0", "r0 = add.32 r0, r0", "r2 = add.32 r1, r0", "return r2"]);
    }

    #[test]
    fn copies_are_not_followed_into_blocks_that_others_lead_to() {
        let ops = vec![
            copy(1, 0),
            Op::Fence(MemoryOrder::SEQ_CST),
            copy(2, 1),
            Op::Move(1, Src::Value(Value::number(7))),
            Op::Branch(Src::Reg(2), 1, 5),
            Op::Return(Box::default()),
        ];
        check(ops, &["r1 = r0", "fence", "r2 = r1", "r1 = 7", "if r2 jump 1 else 5", "return"]);
    }

    #[test]
    fn an_endless_loop_stays() {
        check(vec![Op::Jump(1), Op::Jump(2), Op::Jump(1)], &["jump 0"]);
    }

    /// What a run stores and returns, as far as so many operations go, and whether it
    /// ended.
    fn run(body: &Body, n_steps: u32) -> (Vec<u64>, bool) {
        let mut registers: Vec<u64> = (0..8).map(|reg| reg * 11 + 3).collect();
        let (mut seen, mut pc) = (Vec::new(), 0);
        for _ in 0..n_steps {
            let value = |src: &Src| match src {
                Src::Reg(reg) => registers[*reg as usize],
                Src::Value(value) => value.bits,
            };
            let mut next = pc + 1;
            match &body.ops[pc].op {
                Op::Move(to, from) => registers[*to as usize] = value(from),
                Op::Moves(moves) => {
                    let values: Vec<u64> = moves.iter().map(|(_, from)| value(from)).collect();
                    for ((to, _), value) in moves.iter().zip(values) {
                        registers[*to as usize] = value;
                    }
                }
                Op::Binary(add) => {
                    let sum = value(&add.operands.0).wrapping_mul(3) ^ value(&add.operands.1);
                    registers[add.to as usize] = sum;
                }
                Op::Store { value: what, .. } => seen.push(value(what)),
                Op::Jump(to) => next = *to as usize,
                Op::Branch(condition, yes, no) => {
                    next = if value(condition) % 3 == 0 { *yes } else { *no } as usize;
                }
                Op::Return(values) => {
                    seen.extend(values.iter().map(value));
                    return (seen, true);
                }
                _ => return (seen, true),
            }
            pc = next;
        }
        (seen, false)
    }

    fn random_op(dice: &mut impl FnMut(u32) -> u32, n_ops: u32) -> Op {
        let (a, b, c) = (dice(8), dice(8), dice(8));
        let access = ScalarAccess {
            bytes: 4,
            width: 32,
            is_atomic: false,
            order: MemoryOrder::SEQ_CST,
            is_volatile: false,
            is_pointer: false,
            log2_align: 0,
        };
        match dice(11) {
            0 => Op::Jump(dice(n_ops)),
            1 => Op::Branch(Src::Reg(a), dice(n_ops), dice(n_ops)),
            2 | 3 => add(a, b, c),
            4 => Op::Moves([(a, Src::Reg(b)), ((a + 1) % 8, Src::Reg(c))].into()),
            5 => Op::Move(a, Src::Value(Value::number(b.into()))),
            6 => Op::Store { value: Src::Reg(a), pointer: Src::Value(Value::ZERO), access },
            _ => copy(a, b),
        }
    }

    #[test]
    fn a_tidy_function_does_what_it_did_before() {
        for seed in 0..3000u64 {
            let mut state = seed;
            let mut dice = |n: u32| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 33) as u32 % n
            };
            let n_ops = 4 + dice(20);
            let mut ops: Vec<Op> = (1..n_ops).map(|_| random_op(&mut dice, n_ops)).collect();
            ops.push(Op::Return((0..4).map(Src::Reg).collect()));
            let before = body(ops);
            let mut after = before.clone();
            let is_home: Vec<bool> = (0..8).map(|_| dice(2) == 0).collect();
            tidy(&mut after, &is_home);
            assert!(after.ops.len() <= before.ops.len());
            let (long, long_ended) = run(&before, 500);
            let (short, short_ended) = run(&after, 500);
            let n = long.len().min(short.len());
            assert_eq!(long[..n], short[..n], "seed {seed}");
            assert!(!long_ended || (short_ended && long == short), "seed {seed}");
        }
    }
}
