//! Which registers an operation reads and writes, and where it goes on.

use super::{Alloca, Binary, FloatOp, Op, Pc, Reg, Src};

/// Calls `f` with every register that `op` reads.
pub fn for_each_read(op: &Op, mut f: impl FnMut(Reg)) {
    for_each_source(op, |src| {
        if let Src::Reg(reg) = src {
            f(reg);
        }
    });
}

/// Calls `f` with everything that `op` reads, constants too.
pub fn for_each_source(op: &Op, mut f: impl FnMut(Src)) {
    match op {
        Op::Move(_, src) | Op::Freeze(_, src) | Op::Branch(src, ..) => f(*src),
        Op::Moves(moves) => moves.iter().for_each(|(_, src)| f(*src)),
        Op::Binary(binary) => both(binary.operands, f),
        Op::Float(float) if float.op.is_none() => f(float.operands.0),
        Op::Float(float) => both(float.operands, f),
        Op::Compare { operands, .. } | Op::FloatCompare { operands, .. } => both(*operands, f),
        Op::Convert { value, .. } | Op::Switch { value, .. } => f(*value),
        Op::Select { condition, values, .. } => {
            f(*condition);
            both(*values, f);
        }
        Op::Address { base, terms, .. } => {
            f(*base);
            terms.iter().for_each(|(src, ..)| f(*src));
        }
        Op::Alloca(alloca) => alloca.count.iter().for_each(|(src, _)| f(*src)),
        Op::Expire(src) | Op::Renew(src) | Op::Resume(src) => f(*src),
        Op::Load { pointer, .. } => f(*pointer),
        Op::Store { value, pointer, .. } | Op::ReadModifyWrite { value, pointer, .. } => {
            both((*value, *pointer), f);
        }
        Op::CompareExchange { pointer, values, .. } => {
            f(*pointer);
            both(*values, f);
        }
        Op::Call(call) => {
            f(call.callee);
            call.arguments.iter().for_each(|src| f(*src));
        }
        Op::Return(values) => values.iter().for_each(|src| f(*src)),
        Op::Fence(_)
        | Op::Jump(_)
        | Op::LandingPad { .. }
        | Op::Unreachable
        | Op::Unsupported(_) => {}
    }
}

/// Calls `f` with everything that `op` reads, to be replaced.
pub fn for_each_source_mut(op: &mut Op, mut f: impl FnMut(&mut Src)) {
    match op {
        Op::Move(_, src) | Op::Freeze(_, src) | Op::Branch(src, ..) => f(src),
        Op::Moves(moves) => moves.iter_mut().for_each(|(_, src)| f(src)),
        Op::Binary(Binary { operands, .. })
        | Op::Float(FloatOp { operands, .. })
        | Op::Compare { operands, .. }
        | Op::FloatCompare { operands, .. } => both_mut(operands, f),
        Op::Convert { value, .. } | Op::Switch { value, .. } => f(value),
        Op::Select { condition, values, .. } => {
            f(condition);
            both_mut(values, f);
        }
        Op::Address { base, terms, .. } => {
            f(base);
            terms.iter_mut().for_each(|(src, ..)| f(src));
        }
        Op::Alloca(alloca) => alloca.count.iter_mut().for_each(|(src, _)| f(src)),
        Op::Expire(src) | Op::Renew(src) | Op::Resume(src) => f(src),
        Op::Load { pointer, .. } => f(pointer),
        Op::Store { value, pointer, .. } | Op::ReadModifyWrite { value, pointer, .. } => {
            f(value);
            f(pointer);
        }
        Op::CompareExchange { pointer, values, .. } => {
            f(pointer);
            both_mut(values, f);
        }
        Op::Call(call) => {
            f(&mut call.callee);
            call.arguments.iter_mut().for_each(f);
        }
        Op::Return(values) => values.iter_mut().for_each(f),
        Op::Fence(_)
        | Op::Jump(_)
        | Op::LandingPad { .. }
        | Op::Unreachable
        | Op::Unsupported(_) => {}
    }
}

fn both_mut(pair: &mut (Src, Src), mut f: impl FnMut(&mut Src)) {
    f(&mut pair.0);
    f(&mut pair.1);
}

/// Where the only result of `op` goes, if it has exactly one.
pub fn result_mut(op: &mut Op) -> Option<&mut Reg> {
    match op {
        Op::Freeze(to, _)
        | Op::Move(to, _)
        | Op::Compare { to, .. }
        | Op::FloatCompare { to, .. }
        | Op::Convert { to, .. }
        | Op::Select { to, .. }
        | Op::Address { to, .. }
        | Op::Load { to, .. }
        | Op::ReadModifyWrite { to, .. }
        | Op::Binary(Binary { to, .. })
        | Op::Float(FloatOp { to, .. })
        | Op::Alloca(Alloca { to, .. }) => Some(to),
        Op::Call(call) if call.n_results == 1 => Some(&mut call.to),
        _ => None,
    }
}

fn both(pair: (Src, Src), mut f: impl FnMut(Src)) {
    f(pair.0);
    f(pair.1);
}

/// Calls `f` with every register that `op` writes.
pub fn for_each_write(op: &Op, mut f: impl FnMut(Reg)) {
    match op {
        Op::Move(to, _)
        | Op::Freeze(to, _)
        | Op::Compare { to, .. }
        | Op::FloatCompare { to, .. }
        | Op::Convert { to, .. }
        | Op::Select { to, .. }
        | Op::Address { to, .. }
        | Op::Load { to, .. }
        | Op::ReadModifyWrite { to, .. } => f(*to),
        Op::Moves(moves) => moves.iter().for_each(|(to, _)| f(*to)),
        Op::Binary(binary) => f(binary.to),
        Op::Float(float) => f(float.to),
        Op::Alloca(alloca) => f(alloca.to),
        Op::CompareExchange { to, .. } => {
            f(to.0);
            f(to.1);
        }
        Op::Call(call) => (call.to..call.to + call.n_results).for_each(f),
        Op::LandingPad { to, .. } => (*to..to + 2).for_each(f),
        Op::Store { .. }
        | Op::Expire(_)
        | Op::Renew(_)
        | Op::Fence(_)
        | Op::Jump(_)
        | Op::Branch(..)
        | Op::Switch { .. }
        | Op::Return(_)
        | Op::Resume(_)
        | Op::Unreachable
        | Op::Unsupported(_) => {}
    }
}

/// Calls `f` with every place that `op` names to go on at.
pub fn for_each_target(op: &mut Op, mut f: impl FnMut(&mut Pc)) {
    match op {
        Op::Jump(target) => f(target),
        Op::Branch(_, yes, no) => {
            f(yes);
            f(no);
        }
        Op::Switch { cases, default, .. } => {
            cases.iter_mut().for_each(|(_, target)| f(target));
            f(default);
        }
        Op::Call(call) => call.unwind.iter_mut().for_each(f),
        _ => {}
    }
}

/// The places where a run may go on after `op`, which stands at `pc`.
pub fn successors(op: &Op, pc: Pc) -> Vec<Pc> {
    match op {
        Op::Jump(target) => vec![*target],
        Op::Branch(_, yes, no) => vec![*yes, *no],
        Op::Switch { cases, default, .. } => {
            cases.iter().map(|(_, target)| *target).chain([*default]).collect()
        }
        Op::Return(_) | Op::Resume(_) | Op::Unreachable | Op::Unsupported(_) => Vec::new(),
        Op::Call(call) => std::iter::once(pc + 1).chain(call.unwind).collect(),
        _ => vec![pc + 1],
    }
}

/// May a run go on elsewhere than at the next operation in the list?
pub fn ends_block(op: &Op) -> bool {
    if let Op::Call(call) = op {
        return call.unwind.is_some();
    }
    matches!(
        op,
        Op::Jump(_)
            | Op::Branch(..)
            | Op::Switch { .. }
            | Op::Return(_)
            | Op::Resume(_)
            | Op::Unreachable
            | Op::Unsupported(_)
    )
}
