//! Could the program notice that an address comes again?
//!
//! Only by comparing two addresses neither of which is null, or by an exchange that compares
//! them, and only if something dies between. Registers that may hold addresses are found
//! without regard to the order of operations, through assignments, calls and returns.
//!
//! **Approximates**: numbers in memory are taken for addresses where an address is stored as
//! a number somewhere; parts of addresses, and what unions do, are not followed. So this may
//! say no where the program does compare such addresses. Then the comparison is refused
//! (`crate::memory::addresses`): an answer is never wrong for it.

use super::registers::{for_each_source, result_mut};
use super::{Body, Call, Code, IntOp, Op, Src};
use crate::future::Mentions;
use crate::library;
use crate::value::Origin;

/// Which addresses that come again a program could notice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    /// Can it compare addresses at all?
    pub compares: bool,
    /// Can one of them be that of memory that was freed?
    pub sees_heap: bool,
    /// Can it compare names of threads?
    pub sees_threads: bool,
}

/// What may hold an address.
struct Holders<'c> {
    code: &'c Code,
    /// By function and register.
    registers: Vec<Vec<bool>>,
    /// By function: may it return one?
    returns: Vec<bool>,
    /// By function: could anybody call it?
    is_named: Vec<bool>,
    /// May numbers in memory be addresses?
    in_numbers: bool,
    is_changed: bool,
}

impl Watch {
    /// Reads the whole program once.
    pub fn of(code: &Code) -> Watch {
        let Some(main) = code.main else { return Watch::default() };
        let mentions = Mentions::of(code);
        let roots = code.destructors.iter().chain(&code.constructors).copied().chain([main]);
        let mut reached: Vec<u32> =
            roots.flat_map(|function| mentions.functions_of(function)).collect();
        reached.sort_unstable();
        reached.dedup();
        let calls = |is_wanted: fn(library::Builtin) -> bool| {
            let mut called = reached.iter().map(|&number| &code.functions[number as usize]);
            called.any(|it| it.body.is_none() && it.builtin.is_some_and(is_wanted))
        };
        let holders = Holders::of(code);
        let compares = reached.iter().any(|&number| holders.compares(number))
            || calls(library::compares_addresses);
        Watch {
            compares,
            sees_heap: compares && calls(library::frees),
            sees_threads: calls(library::compares_threads) || compares && holders.in_numbers,
        }
    }
}

impl<'c> Holders<'c> {
    fn of(code: &'c Code) -> Holders<'c> {
        let n_registers = code
            .functions
            .iter()
            .map(|function| function.body.as_ref().map_or(0, |body| body.n_registers as usize));
        let mut holders = Holders {
            code,
            registers: n_registers.map(|n| vec![false; n]).collect(),
            returns: vec![false; code.functions.len()],
            is_named: vec![false; code.functions.len()],
            in_numbers: false,
            is_changed: true,
        };
        holders.find_named();
        while holders.is_changed {
            holders.is_changed = false;
            for (number, function) in code.functions.iter().enumerate() {
                let Some(body) = &function.body else { continue };
                holders.meet_parameters(number, body);
                body.ops.iter().for_each(|instr| holders.meet(number, body, &instr.op));
            }
        }
        holders
    }

    fn find_named(&mut self) {
        let code = self.code;
        let variables = code.globals.iter().chain(&code.constants).chain(&code.thread_locals);
        for (_, _, value) in variables.flat_map(|variable| &variable.contents) {
            self.name(Src::Value(*value));
        }
        for instr in code.functions.iter().flat_map(|it| &it.body).flat_map(|body| &body.ops) {
            match &instr.op {
                Op::Call(call) => call.arguments.iter().for_each(|&src| self.name(src)),
                op => for_each_source(op, |src| self.name(src)),
            }
        }
    }

    fn name(&mut self, src: Src) {
        if let Src::Value(value) = src
            && let Origin::Function(number) = value.base.origin()
        {
            self.is_named[number as usize] = true;
        }
    }

    /// Who calls a function by its address may pass addresses.
    fn meet_parameters(&mut self, number: usize, body: &Body) {
        if self.is_named[number] {
            body.parameters.iter().for_each(|&reg| self.hold(number, body, reg));
        }
    }

    /// What one operation passes on.
    fn meet(&mut self, number: usize, body: &Body, op: &Op) {
        match op {
            Op::Moves(moves) => {
                for &(to, from) in moves {
                    self.pass(number, body, (to, from));
                }
            }
            Op::Store { value, access, .. } => {
                let is_number = !access.is_pointer && self.is_wide(access.width.into());
                let is_hidden = is_number && self.is_held(number, *value);
                self.is_changed |= is_hidden && !self.in_numbers;
                self.in_numbers |= is_hidden;
            }
            Op::Call(call) => self.meet_call(number, body, call),
            Op::Return(values) => {
                let returns = values.iter().any(|&value| self.is_held(number, value));
                self.is_changed |= returns && !self.returns[number];
                self.returns[number] |= returns;
            }
            Op::CompareExchange { to, access, .. } if self.is_wide(access.width.into()) => {
                self.hold(number, body, to.0);
            }
            op if self.gives_address(number, op) => {
                let reg = result_mut(&mut op.clone()).map(|to| *to);
                reg.into_iter().for_each(|reg| self.hold(number, body, reg));
            }
            _ => {}
        }
    }

    /// Is the only result of an operation an address, perhaps?
    fn gives_address(&self, number: usize, op: &Op) -> bool {
        let held = |src: &Src| self.is_held(number, *src);
        match op {
            Op::Alloca(_) | Op::Address { .. } => true,
            Op::Load { access, .. } => {
                let is_number = access.is_atomic || self.in_numbers;
                access.is_pointer || is_number && self.is_wide(access.width.into())
            }
            Op::ReadModifyWrite { access, .. } => self.is_wide(access.width.into()),
            Op::Move(_, from) | Op::Freeze(_, from) => held(from),
            Op::Select { values, .. } => held(&values.0) || held(&values.1),
            Op::Convert { value, .. } => held(value),
            Op::Binary(binary) if binary.op == IntOp::Sub => {
                held(&binary.operands.0) && !held(&binary.operands.1)
            }
            Op::Binary(binary) => held(&binary.operands.0) || held(&binary.operands.1),
            _ => false,
        }
    }

    fn meet_call(&mut self, number: usize, body: &Body, call: &Call) {
        let called = match call.callee {
            Src::Value(value) => value.as_function().map(|called| called as usize),
            Src::Reg(_) => None,
        };
        let code = self.code;
        let callee = called.and_then(|called| code.functions[called].body.as_ref());
        if let (Some(called), Some(callee)) = (called, callee) {
            for (&src, &reg) in call.arguments.iter().zip(&callee.parameters) {
                if self.is_held(number, src) {
                    self.hold(called, callee, reg);
                }
            }
        }
        let gives = match (called, callee) {
            (Some(called), Some(_)) => self.returns[called],
            _ => true,
        };
        if gives {
            (call.to..call.to + call.n_results).for_each(|reg| self.hold(number, body, reg));
        }
    }

    fn pass(&mut self, number: usize, body: &Body, (to, from): (u32, Src)) {
        if self.is_held(number, from) {
            self.hold(number, body, to);
        }
    }

    fn hold(&mut self, number: usize, body: &Body, reg: u32) {
        if self.is_wide(body.widths[reg as usize].into()) {
            let slot = &mut self.registers[number][reg as usize];
            self.is_changed |= !*slot;
            *slot = true;
        }
    }

    fn is_wide(&self, width: u32) -> bool {
        width == self.code.pointer_bytes * 8
    }

    /// May it be an address that can come again? Variables never die.
    fn is_held(&self, number: usize, src: Src) -> bool {
        match src {
            Src::Reg(reg) => self.registers[number][reg as usize],
            Src::Value(_) => false,
        }
    }

    /// Does a function compare two addresses, perhaps?
    fn compares(&self, number: u32) -> bool {
        let function = &self.code.functions[number as usize];
        let mut ops = function.body.iter().flat_map(|body| &body.ops);
        ops.any(|instr| match &instr.op {
            Op::Compare { operands, width, .. } => {
                self.is_wide((*width).into())
                    && self.is_held(number as usize, operands.0)
                    && self.is_held(number as usize, operands.1)
            }
            Op::CompareExchange { access, .. } => self.is_wide(access.width.into()),
            _ => false,
        })
    }
}
