//! What the look of the code says of the threads that it creates, and of values that were
//! never set: whether to look at any number of threads, and how.

use super::{Body, Call, Code, Op, Pc, Src, registers};
use crate::library;

impl Code {
    /// May a thread be created more than once at one place, by the look of the code? So in a
    /// loop, or in a function that others than the program's start call.
    pub fn creates_threads_in_loops(&self) -> bool {
        (0u32..).zip(&self.functions).any(|(number, function)| {
            let Some(body) = &function.body else { return false };
            let creations: Vec<usize> =
                (0..body.ops.len()).filter(|&pc| self.creates_thread(&body.ops[pc].op)).collect();
            let is_repeated = |pc: usize| Some(number) != self.main || body.is_in_loop(pc);
            creations.into_iter().any(is_repeated)
        })
    }

    /// Is there a value in the code that was never set, or that no library function sets?
    pub fn mentions_unset(&self) -> bool {
        let is_unset = |src: Src| matches!(src, Src::Value(value) if !value.is_defined());
        self.functions.iter().any(|function| {
            let computes_bits = function.builtin.is_some_and(library::may_leave_unset);
            let ops = function.body.iter().flat_map(|body| &body.ops);
            let mut has_unset = function.body.is_none() && computes_bits;
            for instr in ops {
                registers::for_each_source(&instr.op, |src| has_unset |= is_unset(src));
            }
            has_unset
        })
    }

    fn creates_thread(&self, op: &Op) -> bool {
        let Op::Call(Call { callee: Src::Value(callee), .. }) = op else { return false };
        let called = callee.as_function().and_then(|it| self.functions.get(it as usize));
        called
            .is_some_and(|it| it.body.is_none() && it.builtin.is_some_and(library::creates_threads))
    }
}

impl Body {
    /// Does a jump lead back over this operation?
    fn is_in_loop(&self, pc: usize) -> bool {
        let is_over = |from: usize, to: Pc| to as usize <= pc && pc <= from;
        self.ops.iter().enumerate().any(|(from, instr)| match &instr.op {
            Op::Jump(to) => is_over(from, *to),
            Op::Branch(_, yes, no) => is_over(from, *yes) || is_over(from, *no),
            Op::Switch { cases, default, .. } => {
                is_over(from, *default) || cases.iter().any(|&(_, to)| is_over(from, to))
            }
            _ => false,
        })
    }
}
