//! Decides whether a program keeps the rules of `model::rule_code`, as far as that
//! can be seen without running it.

use std::collections::BTreeSet;

use model::rule_code::{
    Address, Base, Block, BlockId, End, FaultId, Function, FunctionId, Op, Reg, RuleProgram,
};

use crate::error::CompileError;

/// Largest state: 16 MiB.
const MAX_STATE_BITS: u32 = 1 << 27;

/// Registers of a function that the code generator is trusted with.
const MAX_REGISTERS: u32 = 1 << 20;

/// Checks everything.
///
/// # Errors
/// The first rule that is broken.
pub(crate) fn validate(program: &RuleProgram, n_properties: usize) -> Result<(), CompileError> {
    if program.state_bits > MAX_STATE_BITS {
        return Err(CompileError::TooLarge {
            what: "a state".to_owned(),
            bits: program.state_bits.into(),
            allowed: MAX_STATE_BITS.into(),
        });
    }
    let whole = |what| CompileError::Malformed { function: "(program)".to_owned(), what };
    if program.judges.len() + program.n_covers as usize != n_properties {
        return Err(whole("as many judges and covers as properties"));
    }
    let calls = |op: &Op| matches!(op, Op::Call { .. });
    let all_ops = || program.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.ops);
    if all_ops().any(calls) && program.too_deep.0 as usize >= program.faults.len() {
        return Err(whole("the fault of deep calls exists"));
    }
    let rules = Rules { program, makers: makers(program) };
    for (function, idx) in program.functions.iter().zip(0..) {
        rules
            .function(function, FunctionId(idx))
            .map_err(|what| CompileError::Malformed { function: function.name.clone(), what })?;
    }
    rules.roots().map_err(whole)
}

/// The functions that may make states.
fn makers(program: &RuleProgram) -> BTreeSet<FunctionId> {
    let families = program.families.iter().map(|family| family.function);
    families.chain(program.starts.iter().copied()).collect()
}

/// Whether a rule is kept, or which one is broken.
type Kept = Result<(), &'static str>;

fn ensure(kept: bool, rule: &'static str) -> Kept {
    if kept { Ok(()) } else { Err(rule) }
}

/// What the rules refer to.
struct Rules<'p> {
    program: &'p RuleProgram,
    makers: BTreeSet<FunctionId>,
}

impl Rules<'_> {
    fn roots(&self) -> Kept {
        let program = self.program;
        let guards = program.families.iter().filter_map(|family| family.guards);
        let observers = program.judges.iter().chain(&program.valuation).copied().chain(guards);
        for id in self.makers.iter().copied().chain(observers) {
            let function = program.functions.get(id.0 as usize);
            let function = function.ok_or("a root exists")?;
            ensure(function.parameters.is_empty(), "a root has no parameters")?;
        }
        for id in program.judges.iter().chain(&program.valuation) {
            ensure(!self.makers.contains(id), "a judge makes no states")?;
            let mut ends = program.functions[id.0 as usize].blocks.iter().map(|block| block.end);
            let all_return = ends.all(|end| !matches!(end, End::Return(None)));
            ensure(all_return, "a judge returns a value")?;
        }
        Ok(())
    }

    fn function(&self, function: &Function, id: FunctionId) -> Kept {
        ensure(!function.blocks.is_empty(), "a function has a block")?;
        ensure(function.n_registers <= MAX_REGISTERS, "a function has at most 2^20 registers")?;
        for &parameter in &function.parameters {
            self.register(function, parameter)?;
        }
        for &(register, _) in &function.choice.terms {
            self.register(function, register)?;
        }
        for block in &function.blocks {
            self.block(function, block, self.makers.contains(&id))?;
        }
        Ok(())
    }

    fn block(&self, function: &Function, block: &Block, makes_states: bool) -> Kept {
        for op in &block.ops {
            let makes = matches!(op, Op::Begin | Op::Commit | Op::Enabled);
            ensure(makes_states || !makes, "only rules and start states make states")?;
            self.scalar_op(function, op)?;
            self.memory_op(function, op)?;
        }
        match block.end {
            End::Jump(target) => self.target(function, target),
            End::Branch { condition, then, otherwise } => {
                self.register(function, condition)?;
                self.target(function, then)?;
                self.target(function, otherwise)
            }
            End::Return(Some(register)) => self.register(function, register),
            End::Return(None) => Ok(()),
            End::Fault(fault) => self.fault(fault),
        }
    }

    fn scalar_op(&self, function: &Function, op: &Op) -> Kept {
        let known = |registers: &[Reg]| {
            registers.iter().try_for_each(|&register| self.register(function, register))
        };
        match op {
            Op::Const { dst, .. } => known(&[*dst]),
            Op::Move { dst, src } => known(&[*dst, *src]),
            Op::Binary { dst, left, right, .. } => known(&[*dst, *left, *right]),
            Op::Checked { dst, left, right, fault, .. } => {
                self.fault(*fault)?;
                known(&[*dst, *left, *right])
            }
            Op::Select { dst, condition, left, right } => known(&[*dst, *condition, *left, *right]),
            Op::InRange { value, fault, .. }
            | Op::NonZero { value, fault }
            | Op::Turn { turns: value, fault } => {
                self.fault(*fault)?;
                known(&[*value])
            }
            Op::Call { dst, function: callee, arguments } => {
                ensure(!self.makers.contains(callee), "a called function makes no states")?;
                known(arguments)?;
                known(dst.as_slice())?;
                let callee = self.program.functions.get(callee.0 as usize);
                let callee = callee.ok_or("a called function exists")?;
                ensure(callee.parameters.len() == arguments.len(), "one argument a parameter")
            }
            Op::Cover { cover } => ensure(*cover < self.program.n_covers, "a cover exists"),
            _ => Ok(()),
        }
    }

    fn memory_op(&self, function: &Function, op: &Op) -> Kept {
        match op {
            Op::Load { dst, address, bits } => {
                self.register(function, *dst)?;
                self.field(function, address, *bits)
            }
            Op::Store { address, src, bits } => {
                self.register(function, *src)?;
                writable(address)?;
                self.field(function, address, *bits)
            }
            Op::Copy { to, from, bits } => {
                writable(to)?;
                self.stretch(function, to, *bits)?;
                self.stretch(function, from, *bits)
            }
            Op::Clear { address, bits } => {
                writable(address)?;
                self.stretch(function, address, *bits)
            }
            Op::Equal { dst, left, right, bits } => {
                self.register(function, *dst)?;
                self.stretch(function, left, *bits)?;
                self.stretch(function, right, *bits)
            }
            Op::Sort { address, stride, n } => {
                writable(address)?;
                let bits = stride.checked_mul(*n).ok_or("fields to sort fit 32 bits")?;
                self.stretch(function, address, bits)
            }
            Op::Address { dst, address } => {
                self.register(function, *dst)?;
                self.stretch(function, address, 0)
            }
            _ => Ok(()),
        }
    }

    fn field(&self, function: &Function, address: &Address, bits: u32) -> Kept {
        ensure((1..=64).contains(&bits), "a field has 1 to 64 bits")?;
        let fixed = address.index.is_none() && !matches!(address.base, Base::Reference(_));
        let odd = fixed && bits > 56 && !address.bit.is_multiple_of(8);
        ensure(!odd, "a field of more than 56 bits starts at a multiple of 8 bits")?;
        self.stretch(function, address, bits)
    }

    fn stretch(&self, function: &Function, address: &Address, bits: u32) -> Kept {
        if let Some(index) = address.index {
            self.register(function, index)?;
        }
        let size = match address.base {
            Base::State | Base::Next => self.program.state_bits,
            Base::Frame => function.frame_bits,
            Base::Reference(register) => return self.register(function, register),
        };
        let end = address.bit.checked_add(bits).ok_or("an address fits 32 bits")?;
        // With an index the constant part may stand anywhere.
        ensure(address.index.is_some() || end <= size, "an address stays inside of its base")
    }

    fn register(&self, function: &Function, register: Reg) -> Kept {
        ensure(register.0 < function.n_registers, "a register exists")
    }

    fn target(&self, function: &Function, target: BlockId) -> Kept {
        ensure((target.0 as usize) < function.blocks.len(), "a block exists")
    }

    fn fault(&self, fault: FaultId) -> Kept {
        ensure((fault.0 as usize) < self.program.faults.len(), "a fault exists")
    }
}

fn writable(address: &Address) -> Kept {
    ensure(address.base != Base::State, "the expanded state is never written")
}
