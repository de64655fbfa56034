//! Where `longjmp` comes back to: behind the call of `setjmp`, with another result.
//!
//! Every call that comes behind `setjmp` may end there, so each of them unwinds to a pad of
//! one operation, which gives the result. What is alive behind `setjmp` is alive at those
//! calls because of that. A function that calls it in several places has no pad, and a jump
//! to it is refused.

use crate::code::registers::successors;
use crate::code::{Body, FunctionCode, Instr, Op, Reg, Src};
use crate::value::{Base, Origin, Value};

/// Functions that return twice.
pub(crate) const RETURN_TWICE: [&str; 5] =
    ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__sigsetjmp_cancel"];

/// What stands in the pad for the result: no value of a program, since whoever jumps there
/// says what it is.
const AGAIN: Src = Src::Value(Value { base: Base::NUMBER, bits: 0x5e7, undef: u64::MAX });

/// Adds the pad of a function that calls `setjmp` in one place.
pub(super) fn add_pad(body: &mut Body, functions: &[FunctionCode]) {
    let returns_twice = |instr: &Instr| match &instr.op {
        Op::Call(call) => match call.callee {
            Src::Value(callee) => matches!(callee.base.origin(), Origin::Function(number)
                if is_one(&functions[number as usize])),
            Src::Reg(_) => false,
        },
        _ => false,
    };
    let mut places = (0..body.ops.len()).filter(|&pc| returns_twice(&body.ops[pc]));
    let (Some(at), None) = (places.next(), places.next()) else { return };
    let unwinds = |instr: &Instr| matches!(&instr.op, Op::Call(call) if call.unwind.is_some());
    let Op::Call(first) = &body.ops[at].op else { return };
    if first.n_results != 1 || body.ops.iter().any(unwinds) {
        return;
    }
    let (to, place, pad) = (first.to, body.ops[at].place, body.ops.len() as u32);
    for pc in behind(&body.ops, at) {
        if let Op::Call(call) = &mut body.ops[pc].op {
            call.unwind = Some(pad);
        }
    }
    body.ops.push(Instr::new(Op::Move(to, AGAIN), place));
    body.ops.push(Instr::new(Op::Jump(at as u32 + 1), place));
}

/// The register that a pad gives a result, if the operation is one.
pub(crate) fn result_at(op: &Op) -> Option<Reg> {
    match op {
        Op::Move(to, from) if *from == AGAIN => Some(*to),
        _ => None,
    }
}

fn is_one(function: &FunctionCode) -> bool {
    function.builtin.is_some() && RETURN_TWICE.contains(&&*function.name)
}

/// Operations that may come behind the one at `at`.
fn behind(ops: &[Instr], at: usize) -> Vec<usize> {
    let mut is_behind = vec![false; ops.len()];
    let mut waiting = successors(&ops[at].op, at as u32);
    while let Some(pc) = waiting.pop() {
        if let Some(seen) = is_behind.get_mut(pc as usize)
            && !std::mem::replace(seen, true)
        {
            waiting.extend(successors(&ops[pc as usize].op, pc));
        }
    }
    (0..ops.len()).filter(|&pc| is_behind[pc]).collect()
}
