//! One unit of a plan becomes one function of the code generator.
//!
//! Registers are the generator's variables, or its values where one will do
//! (`registers`). The expanded state is memory that never
//! changes, so loads from it at fixed places are shared and moved freely.
//!
//! **Roots** get the context and the state, and return non-zero to stop. Their
//! bodies follow one another: where one returns, or has told the run time of its
//! fault, the next one starts.
//! **Callees** get the context, the state, the next state, how deeply they are
//! nested where that is counted, and their arguments. They return whether they
//! failed, and their value.

mod arith;
mod calls;
mod memory;
mod states;

use std::collections::BTreeMap;
use std::mem::offset_of;

use cranelift_codegen::ir::{
    self, AbiParam, AliasRegion, InstBuilder, MemFlags, Signature, Type, Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use model::rule_code::{BlockId, End, Function, FunctionId, Op, Reg};

use crate::context::Context;
use crate::flow::{Flow, targets};
use crate::plan::{Plan, Role, Unit};
use crate::registers::have_one_value;

/// The signature of a unit.
pub(crate) fn signature(plan: &Plan<'_>, unit: &Unit, isa: &dyn TargetIsa) -> Signature {
    match unit {
        Unit::Roots(_) => plain_signature(2, 1, isa.default_call_conv()),
        Unit::Callee(id) => callee_signature(plan, *id),
    }
}

fn callee_signature(plan: &Plan<'_>, id: FunctionId) -> Signature {
    let n_arguments = plan.program.functions[id.0 as usize].parameters.len();
    plain_signature(3 + usize::from(plan.counts_calls) + n_arguments, 2, CallConv::Fast)
}

fn plain_signature(n_params: usize, n_returns: usize, convention: CallConv) -> Signature {
    let word = AbiParam::new(types::I64);
    let mut signature = Signature::new(convention);
    signature.params = vec![word; n_params];
    signature.returns = vec![word; n_returns];
    signature
}

/// Fills `func`, which has the unit's signature. `host` is how the run time is called.
pub(crate) fn translate(
    plan: &Plan<'_>,
    unit: &Unit,
    host: CallConv,
    func: &mut ir::Function,
    builder_context: &mut FunctionBuilderContext,
) {
    let mut builder = FunctionBuilder::new(func, builder_context);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    builder.seal_block(entry);
    let params = builder.block_params(entry).to_vec();
    let next = builder.declare_var(types::I64);
    let (imports, signatures) = (BTreeMap::new(), BTreeMap::new());
    let mut all = UnitTranslator { plan, builder, params, next, host, imports, signatures };
    match unit {
        Unit::Callee(id) => all.callee(*id),
        Unit::Roots(roots) => all.roots(roots),
    }
    all.builder.seal_all_blocks();
    all.builder.finalize();
}

/// What the bodies of a unit share.
struct UnitTranslator<'a, 'p> {
    plan: &'a Plan<'p>,
    builder: FunctionBuilder<'a>,
    params: Vec<Value>,
    /// Where the next state is.
    next: Variable,
    /// How the run time is called.
    host: CallConv,
    /// Functions that were called so far.
    imports: BTreeMap<FunctionId, ir::FuncRef>,
    /// Signatures of the run time that were used so far.
    signatures: BTreeMap<(usize, bool), ir::SigRef>,
}

impl<'a, 'p> UnitTranslator<'a, 'p> {
    fn roots(&mut self, roots: &[(FunctionId, Role)]) {
        let stop = self.builder.create_block();
        self.builder.set_cold_block(stop);
        for &(id, role) in roots {
            let leave = self.builder.create_block();
            let exit = Exit::Root { role, leave, stop };
            self.body(id, exit).root();
            self.builder.switch_to_block(leave);
            self.builder.seal_block(leave);
        }
        let ok = self.builder.ins().iconst(types::I64, 0);
        self.builder.ins().return_(&[ok]);
        self.builder.switch_to_block(stop);
        let failed = self.builder.ins().iconst(types::I64, 1);
        self.builder.ins().return_(&[failed]);
    }

    fn callee(&mut self, id: FunctionId) {
        self.body(id, Exit::Callee).callee();
    }

    fn body(&mut self, id: FunctionId, exit: Exit) -> Body<'_, 'a, 'p> {
        let function = &self.plan.program.functions[id.0 as usize];
        let flow = Flow::of(function);
        let homes = have_one_value(function, &flow).into_iter().map(|one| match one {
            true => Home::Value(None),
            false => Home::Variable(self.builder.declare_var(types::I64)),
        });
        let registers = homes.collect();
        Body {
            id,
            function,
            exit,
            context: self.params[0],
            state: self.params[1],
            depth: None,
            frame: None,
            registers,
            flow,
            blocks: vec![None; function.blocks.len()],
            fault_blocks: BTreeMap::new(),
            failed_block: None,
            unit: self,
        }
    }
}

/// How a body is left.
#[derive(Clone, Copy)]
enum Exit {
    /// By returning.
    Callee,
    /// To the next body, or to the block that stops everything.
    Root { role: Role, leave: ir::Block, stop: ir::Block },
}

/// Where a register is.
#[derive(Clone, Copy)]
enum Home {
    /// It is this value wherever it is read.
    Value(Option<Value>),
    /// It may be written and read anywhere.
    Variable(Variable),
}

/// The translation of one function.
struct Body<'u, 'a, 'p> {
    unit: &'u mut UnitTranslator<'a, 'p>,
    id: FunctionId,
    function: &'p Function,
    exit: Exit,
    context: Value,
    state: Value,
    /// How deeply it is nested, where that is counted.
    depth: Option<Value>,
    /// Its local memory.
    frame: Option<Value>,
    registers: Vec<Home>,
    flow: Flow,
    /// The generator's blocks for the function's, as far as they are reachable.
    blocks: Vec<Option<ir::Block>>,
    /// Where each fault is told.
    fault_blocks: BTreeMap<u32, ir::Block>,
    /// Where a failed call leads.
    failed_block: Option<ir::Block>,
}

impl Body<'_, '_, '_> {
    fn root(mut self) {
        let cursor = self.load_context(offset_of!(Context, cursor));
        self.def_next(cursor);
        self.root_frame();
        let zero = self.iconst(0);
        for &(register, _) in &self.function.choice.terms {
            self.set(register, zero);
        }
        self.all_blocks();
        self.fill_fault_blocks();
    }

    fn callee(mut self) {
        let params = self.unit.params.clone();
        self.def_next(params[2]);
        let counts = usize::from(self.unit.plan.counts_calls);
        self.depth = (counts == 1).then(|| params[3]);
        for (&register, &value) in self.function.parameters.iter().zip(&params[3 + counts..]) {
            self.set(register, value);
        }
        self.count_call();
        self.callee_frame();
        self.all_blocks();
        self.fill_fault_blocks();
    }

    /// Translates the reachable blocks, each as soon as it is met, and closes each
    /// when the last block that leads to it is done: that spares the generator
    /// variables that turn out to have one value only.
    fn all_blocks(&mut self) {
        let order = std::mem::take(&mut self.flow.order);
        let mut n_open = vec![0_u32; self.function.blocks.len()];
        for &id in &order {
            self.blocks[id.0 as usize] = Some(self.unit.builder.create_block());
            for target in targets(self.function.blocks[id.0 as usize].end) {
                n_open[target.0 as usize] += 1;
            }
        }
        n_open[0] += 1;
        let first = self.block(BlockId(0));
        self.unit.builder.ins().jump(first, &[]);
        self.one_done(BlockId(0), &mut n_open);
        for &id in &order {
            let block = self.block(id);
            self.unit.builder.switch_to_block(block);
            let code = &self.function.blocks[id.0 as usize];
            for op in &code.ops {
                self.op(op);
            }
            self.end(code.end);
            for target in targets(code.end) {
                self.one_done(target, &mut n_open);
            }
        }
    }

    fn one_done(&mut self, target: BlockId, n_open: &mut [u32]) {
        n_open[target.0 as usize] -= 1;
        if n_open[target.0 as usize] == 0 {
            let block = self.block(target);
            self.unit.builder.seal_block(block);
        }
    }

    fn block(&self, id: BlockId) -> ir::Block {
        self.blocks[id.0 as usize].expect("only reachable blocks are translated")
    }

    fn end(&mut self, end: End) {
        match end {
            End::Jump(target) => {
                let target = self.block(target);
                self.unit.builder.ins().jump(target, &[]);
            }
            End::Branch { condition, then, otherwise } => {
                let condition = self.get(condition);
                let (then, otherwise) = (self.block(then), self.block(otherwise));
                self.unit.builder.ins().brif(condition, then, &[], otherwise, &[]);
            }
            End::Return(value) => self.leave(value),
            End::Fault(fault) => {
                let block = self.fault_block(fault);
                self.unit.builder.ins().jump(block, &[]);
            }
        }
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Const { dst, value } => {
                let value = self.iconst(*value);
                self.set(*dst, value);
            }
            Op::Move { dst, src } => {
                let value = self.get(*src);
                self.set(*dst, value);
            }
            Op::Binary { op, dst, left, right } => self.binary(*op, *dst, *left, *right),
            Op::Checked { op, dst, left, right, fault } => {
                let value = self.checked(*op, *left, *right, *fault);
                self.set(*dst, value);
            }
            Op::Select { dst, condition, left, right } => {
                self.select(*dst, *condition, *left, *right);
            }
            Op::InRange { value, first, last, fault } => {
                self.in_range(*value, (*first, *last), *fault);
            }
            Op::NonZero { value, fault } => {
                let value = self.get(*value);
                self.fault_unless(value, *fault);
            }
            Op::Load { dst, address, bits } => self.load_op(*dst, address, *bits),
            Op::Store { address, src, bits } => self.store_op(address, *src, *bits),
            Op::Copy { to, from, bits } => self.copy(to, from, *bits),
            Op::Clear { address, bits } => self.clear(address, *bits),
            Op::Equal { dst, left, right, bits } => self.equal(*dst, (left, right), *bits),
            Op::Sort { address, stride, n } => self.sort(address, *stride, *n),
            Op::Address { dst, address } => {
                let place = self.absolute(address);
                self.set(*dst, place);
            }
            Op::Call { dst, function, arguments } => self.call(*dst, *function, arguments),
            Op::Tick => self.tick(),
            Op::Turn { turns, fault } => self.turn(*turns, *fault),
            Op::Cover { cover } => self.cover(*cover),
            Op::Enabled => self.enabled(),
            Op::Begin => self.begin(),
            Op::Commit => self.commit(),
        }
    }

    fn get(&mut self, register: Reg) -> Value {
        match self.registers[register.0 as usize] {
            Home::Value(value) => value.expect("it is written before it is read"),
            Home::Variable(variable) => self.unit.builder.use_var(variable),
        }
    }

    fn set(&mut self, register: Reg, value: Value) {
        match &mut self.registers[register.0 as usize] {
            Home::Value(known) => *known = Some(value),
            Home::Variable(variable) => self.unit.builder.def_var(*variable, value),
        }
    }

    fn next(&mut self) -> Value {
        self.unit.builder.use_var(self.unit.next)
    }

    fn def_next(&mut self, value: Value) {
        self.unit.builder.def_var(self.unit.next, value);
    }

    fn iconst(&mut self, value: i64) -> Value {
        self.unit.builder.ins().iconst(types::I64, value)
    }

    fn load_context(&mut self, offset: usize) -> Value {
        let offset = i32::try_from(offset).expect("the context is small");
        self.unit.builder.ins().load(types::I64, context_flags(), self.context, offset)
    }

    fn store_context(&mut self, offset: usize, value: Value) {
        let offset = i32::try_from(offset).expect("the context is small");
        self.unit.builder.ins().store(context_flags(), value, self.context, offset);
    }

    /// A new block that is entered from one place, and is rarely entered.
    fn rare_block(&mut self) -> ir::Block {
        let block = self.unit.builder.create_block();
        self.unit.builder.set_cold_block(block);
        block
    }

    /// Goes on in a new block that nothing else leads to.
    fn go_on_in(&mut self, block: ir::Block) {
        self.unit.builder.seal_block(block);
        self.unit.builder.switch_to_block(block);
    }
}

fn context_flags() -> MemFlags {
    MemFlags::trusted().with_alias_region(Some(AliasRegion::Vmctx))
}

/// The type of a machine word of `n_bytes` bytes.
fn word_type(n_bytes: u32) -> Type {
    match n_bytes {
        1 => types::I8,
        2 => types::I16,
        4 => types::I32,
        _ => types::I64,
    }
}
