//! Which functions a run may come to, and which of their operations are atomics weaker than
//! `seq_cst`: whether a program has executions that are not sequentially consistent.
//!
//! **Over-approximates**: a function counts as a whole, and every function that it names,
//! itself or by way of a variable, may be called. Operations that no way through their
//! function leads to were dropped before.
//! **Sound**: C11 gives programs without data races whose atomics are all `seq_cst` the
//! sequentially consistent executions only (Boehm and Adve, PLDI 2008), and those without a
//! second thread as well, since each read takes the last value in program order.

use super::{Call, Code, Op, Src, Variable, registers};
use crate::library;
use crate::value::{Base, Origin};

impl Code {
    /// The places of reachable atomic operations and fences weaker than `seq_cst`, ascending;
    /// none if no second thread can be created.
    pub fn weak_atomics(&self) -> Vec<u32> {
        let reach = Reach::of(self);
        let mut places = Vec::new();
        let mut has_threads = false;
        for (function, _) in self.functions.iter().zip(&reach.functions).filter(|(_, met)| **met) {
            has_threads |= function.builtin.is_some_and(library::creates_threads);
            let ops = function.body.iter().flat_map(|body| &body.ops);
            let weak = ops.filter(|instr| self.is_weaker(&instr.op));
            places.extend(weak.map(|instr| instr.place));
        }
        places.sort_unstable();
        places.dedup();
        if has_threads { places } else { Vec::new() }
    }

    fn is_weaker(&self, op: &Op) -> bool {
        match op {
            Op::Load { access, .. } | Op::Store { access, .. } => {
                access.is_atomic && !access.order.is_seq_cst
            }
            Op::ReadModifyWrite { access, .. } => !access.order.is_seq_cst,
            Op::CompareExchange { access, on_failure, .. } => {
                !(access.order.is_seq_cst && on_failure.is_seq_cst)
            }
            // One that orders nothing, as those towards signals, is no fence.
            Op::Fence(order) => (order.acquires || order.releases) && !order.is_seq_cst,
            Op::Call(call) if self.is_strong_call(call) => false,
            _ => self.names_atomics(op),
        }
    }

    /// Does it call an atomic of the library by its name, all of whose orders are `seq_cst`?
    fn is_strong_call(&self, call: &Call) -> bool {
        let n_orders = self.n_orders(call.callee);
        let first = call.arguments.len().checked_sub(n_orders);
        n_orders > 0
            && first.is_some_and(|first| {
                call.arguments[first..].iter().all(|src| match src {
                    Src::Value(value) => value.as_number().is_some_and(library::is_seq_cst),
                    Src::Reg(_) => false,
                })
            })
    }

    /// Does it mention an atomic of the library, which it may call with any order?
    fn names_atomics(&self, op: &Op) -> bool {
        let mut is_named = false;
        registers::for_each_source(op, |src| is_named |= self.n_orders(src) > 0);
        is_named
    }

    /// How many orders the function takes as its last arguments.
    fn n_orders(&self, src: Src) -> usize {
        let Src::Value(value) = src else { return 0 };
        let Origin::Function(number) = value.base.origin() else { return 0 };
        let function = self.functions.get(number as usize);
        function.and_then(|function| function.builtin).map_or(0, library::n_orders)
    }
}

/// What was met on the way from the start of a program.
struct Reach<'a> {
    code: &'a Code,
    functions: Vec<bool>,
    variables: [Vec<bool>; 3],
    waiting: Vec<Base>,
}

impl<'a> Reach<'a> {
    fn of(code: &'a Code) -> Reach<'a> {
        let variables = [&code.globals, &code.constants, &code.thread_locals];
        let mut reach = Reach {
            code,
            functions: vec![false; code.functions.len()],
            variables: variables.map(|all| vec![false; all.len()]),
            waiting: Vec::new(),
        };
        let roots = code.main.iter().chain(&code.constructors).chain(&code.destructors);
        roots.for_each(|&function| reach.meet(Base::new(Origin::Function(function))));
        // The library may call these in place of its own functions.
        code.stand_ins.values().for_each(|&n| reach.meet(Base::new(Origin::Function(n))));
        while let Some(base) = reach.waiting.pop() {
            reach.look_into(base);
        }
        reach
    }

    fn meet(&mut self, base: Base) {
        let is_met = match base.origin() {
            Origin::Function(number) => self.functions.get_mut(number as usize),
            Origin::Shared(number) => self.variables[0].get_mut(number as usize),
            Origin::Constant(number) => self.variables[1].get_mut(number as usize),
            Origin::ThreadLocal(number) => self.variables[2].get_mut(number as usize),
            Origin::Number | Origin::Private(_) | Origin::PthreadT(_) => None,
        };
        if let Some(is_met @ false) = is_met {
            *is_met = true;
            self.waiting.push(base);
        }
    }

    fn look_into(&mut self, base: Base) {
        match base.origin() {
            Origin::Function(number) => {
                let body = self.code.functions[number as usize].body.as_ref();
                for instr in body.iter().flat_map(|body| &body.ops) {
                    registers::for_each_source(&instr.op, |src| {
                        if let Src::Value(value) = src {
                            self.meet(value.base);
                        }
                    });
                }
            }
            Origin::Shared(number) => self.look_into_variable(&self.code.globals[number as usize]),
            Origin::Constant(number) => {
                self.look_into_variable(&self.code.constants[number as usize]);
            }
            Origin::ThreadLocal(number) => {
                self.look_into_variable(&self.code.thread_locals[number as usize]);
            }
            Origin::Number | Origin::Private(_) | Origin::PthreadT(_) => {}
        }
    }

    fn look_into_variable(&mut self, variable: &'a Variable) {
        variable.contents.iter().for_each(|(_, _, value)| self.meet(value.base));
    }
}

#[cfg(test)]
mod tests {
    use crate::code::{Code, lower};

    /// A program whose `main` creates a thread and then does this.
    fn program(does: &str) -> Code {
        let text = format!(
            "@x = global i32 0\n@e = global i32 0\n@table = global [1 x ptr] [ptr @listed]\n\
             declare i32 @pthread_create(ptr, ptr, ptr, ptr)\n\
             declare i32 @__atomic_load_4(ptr, i32)\n\
             define i32 @dead() {{\n %v = load atomic i32, ptr @x monotonic, align 4\n ret i32 %v\n}}\n\
             define i32 @listed() {{\n store atomic i32 1, ptr @x release, align 4\n ret i32 0\n}}\n\
             define ptr @work(ptr %a) {{\n ret ptr %a\n}}\n\
             define i32 @main() {{\n %t = alloca i64\n \
             %c = call i32 @pthread_create(ptr %t, ptr null, ptr @work, ptr null)\n \
             {does}\n ret i32 0\n}}\n"
        );
        lower(&crate::read(&text).expect("the text is right"))
    }

    fn is_weak(does: &str) -> bool {
        !program(does).weak_atomics().is_empty()
    }

    #[test]
    fn every_order_below_seq_cst_is_weak_and_seq_cst_is_not() {
        for (does, weak) in [
            ("%v = load atomic i32, ptr @x acquire, align 4", true),
            ("%v = load atomic i32, ptr @x seq_cst, align 4", false),
            ("%v = load i32, ptr @x", false),
            ("store atomic i32 1, ptr @x monotonic, align 4", true),
            ("%v = atomicrmw add ptr @x, i32 1 acq_rel", true),
            ("%v = atomicrmw add ptr @x, i32 1 seq_cst", false),
            ("%v = cmpxchg ptr @x, i32 0, i32 1 seq_cst seq_cst", false),
            ("%v = cmpxchg ptr @x, i32 0, i32 1 seq_cst monotonic", true),
            ("%v = cmpxchg weak ptr @x, i32 0, i32 1 acq_rel acquire", true),
            ("fence seq_cst", false),
            ("fence release", true),
            ("fence syncscope(\"singlethread\") release", false),
        ] {
            assert_eq!(is_weak(does), weak, "{does}");
        }
    }

    #[test]
    fn only_code_that_a_run_may_come_to_counts() {
        assert!(!is_weak(""));
        assert!(is_weak("%v = call i32 @dead()"));
        assert!(is_weak("%f = load ptr, ptr @table"));
        assert!(is_weak("store ptr @dead, ptr @table"));
    }

    #[test]
    fn atomics_of_the_library_count_by_the_orders_that_they_are_given() {
        assert!(!is_weak("%v = call i32 @__atomic_load_4(ptr @x, i32 5)"));
        assert!(is_weak("%v = call i32 @__atomic_load_4(ptr @x, i32 0)"));
        assert!(is_weak("%o = load i32, ptr @e\n %v = call i32 @__atomic_load_4(ptr @x, i32 %o)"));
        assert!(is_weak("store ptr @__atomic_load_4, ptr @table"));
    }

    #[test]
    fn a_single_thread_reads_the_last_value_whatever_the_order() {
        let text = "@x = global i32 0\ndefine i32 @main() {\n \
                    store atomic i32 1, ptr @x release, align 4\n ret i32 0\n}\n";
        let code = lower(&crate::read(text).expect("the text is right"));
        assert!(code.weak_atomics().is_empty());
    }
}
