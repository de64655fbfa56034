//! Where `longjmp` comes back to: behind the call of `setjmp`, with another result.
//!
//! Every call that comes behind `setjmp` may end there, so each of them unwinds to a pad of
//! one operation, which gives the result. What is alive behind `setjmp` is alive at those
//! calls because of that. Where it is called in several places, each has its pad, the call of
//! `setjmp` itself says which, and other calls unwind to a choice among all of them. A function
//! that also catches exceptions has no pad, and a jump to it is refused.

use crate::code::registers::successors;
use crate::code::{Body, FunctionCode, Instr, Op, Pc, Reg, Src};
use crate::value::{Base, Origin, Value};

/// Functions that return twice.
pub(crate) const RETURN_TWICE: [&str; 5] =
    ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__sigsetjmp_cancel"];

/// What stands in the pad for the result: no value of a program, since whoever jumps there
/// says what it is.
const AGAIN: Src = Src::Value(Value { base: Base::NUMBER, bits: 0x5e7, undef: u64::MAX });

/// Adds the pads of a function that calls `setjmp`.
pub(super) fn add_pad(body: &mut Body, functions: &[FunctionCode]) {
    let returns_twice = |instr: &Instr| match &instr.op {
        Op::Call(call) => match call.callee {
            Src::Value(callee) => matches!(callee.base.origin(), Origin::Function(number)
                if is_one(&functions[number as usize])),
            Src::Reg(_) => false,
        },
        _ => false,
    };
    let sites: Vec<usize> =
        (0..body.ops.len()).filter(|&pc| returns_twice(&body.ops[pc])).collect();
    let unwinds = |instr: &Instr| matches!(&instr.op, Op::Call(call) if call.unwind.is_some());
    let results = sites.iter().map(|&at| match &body.ops[at].op {
        Op::Call(call) if call.n_results == 1 => Some(call.to),
        _ => None,
    });
    let Some(results) = results.collect::<Option<Vec<Reg>>>() else { return };
    if sites.is_empty() || body.ops.iter().any(unwinds) {
        return;
    }
    let first = body.ops.len() as Pc;
    let pads: Vec<Pc> = (first..).step_by(2).take(sites.len()).collect();
    let choice = if sites.len() == 1 { first } else { first + 2 * sites.len() as Pc };
    for pc in sites.iter().flat_map(|&at| behind(&body.ops, at)).collect::<Vec<usize>>() {
        set_way_back(&mut body.ops[pc].op, choice);
    }
    for ((&at, &pad), &to) in sites.iter().zip(&pads).zip(&results) {
        set_way_back(&mut body.ops[at].op, pad);
        let place = body.ops[at].place;
        body.ops.push(Instr::new(Op::Move(to, AGAIN), place));
        body.ops.push(Instr::new(Op::Jump(at as Pc + 1), place));
    }
    if let [_, others @ ..] = &*pads
        && !others.is_empty()
    {
        let cases = (1..).zip(others).map(|(number, &pad)| (number, pad)).collect();
        let choose = Op::Switch { value: AGAIN, width: 64, cases, default: first };
        body.ops.push(Instr::new(choose, body.ops[sites[0]].place));
    }
}

fn set_way_back(op: &mut Op, pad: Pc) {
    if let Op::Call(call) = op {
        call.unwind = Some(pad);
    }
}

/// Is it where calls unwind to in a function that calls `setjmp`?
pub(crate) fn is_pad(op: &Op) -> bool {
    result_at(op).is_some() || matches!(op, Op::Switch { value, .. } if *value == AGAIN)
}

/// Does a function go on there when somebody jumps back to it?
pub(crate) fn has_pad(ops: &[Instr], pad: Pc) -> bool {
    ops.iter().any(|instr| matches!(&instr.op, Op::Call(call) if call.unwind == Some(pad)))
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
