//! One function: registers for its values, its blocks in a row, and the ends sewn
//! together.

use std::collections::BTreeMap;

use crate::code::literals::LITERAL;
use crate::code::promote::{Promotion, promote};
use crate::code::registers::{for_each_read, for_each_target};
use crate::code::scopes::Scopes;
use crate::code::shape::is_signed;
use crate::code::{
    Alloca, Body, Call, Instr, Op, Pc, Reg, RegisterVariable, Src, jump_back, live, tidy,
};
use crate::ir::{self, BlockId, Instruction, LocalId, Operand, Parameter, SymbolId, TypeId};
use crate::value::Value;

use super::Tables;
use super::layout::{Refusal, Scalar, no_size};
use super::symbols::Program;

/// What the value of a local is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    /// Its scalars are in so many registers from this one on.
    Registers(Reg, u32),
    /// It is always the same.
    Constant(Value),
    /// It is the address of a variable that lives in this register.
    Promoted(Reg),
    /// Its type is not understood, or there is no such local.
    None,
}

/// Operations of a function as they come.
pub(super) struct Builder<'p, 't, 'a> {
    pub program: &'p Program<'a>,
    pub tables: &'t mut Tables<'a>,
    pub body: &'p ir::FunctionBody,
    /// What each local is.
    pub slots: Vec<Slot>,
    /// Variable names of the memory that each local is the address of.
    pub names: BTreeMap<u32, String>,
    /// Width of each register.
    pub widths: Vec<u8>,
    pub ops: Vec<Instr>,
    /// Where each label stands; the first ones are the blocks'. Targets are labels
    /// until the end.
    pub labels: Vec<Pc>,
    /// Edges that need operations of their own, by their blocks, and their labels
    /// and places.
    pub edges: BTreeMap<(BlockId, BlockId), (Pc, u32)>,
    /// The same for edges to landing pads.
    pub unwind_edges: BTreeMap<(BlockId, BlockId), (Pc, u32)>,
    /// The registers by which exceptions come to each landing pad.
    pub pads: BTreeMap<BlockId, Reg>,
    /// Where the call that is being lowered goes on if it unwinds.
    pub unwind: Option<Pc>,
    /// The block that is being lowered.
    pub block: BlockId,
    /// The place of the instruction that is being lowered.
    pub place: u32,
    /// How the scopes of local variables are followed.
    pub scopes: Scopes,
    /// The address of the arguments beyond those that the function names.
    pub rest: Option<Reg>,
}

/// The body of a function, if it has one.
pub(super) fn lower_function<'a>(
    program: &Program<'a>,
    tables: &mut Tables<'a>,
    id: SymbolId,
) -> Option<Body> {
    let function = program.module.function(id)?;
    let body = function.body.as_ref()?;
    let name = &program.module.symbol(id).name;
    let place = tables.places.of_function(function.debug, name);
    let mut builder = Builder::new(program, tables, body);
    builder.place = place;
    let variables = builder.name_variables();
    let parameters = builder.start(function);
    let rest = builder.rest_of(function);
    builder.blocks(name);
    builder.pending_unwind_edges();
    builder.pending_edges();
    builder.sew();
    let is_home = builder.homes(&variables);
    let mut result = Body {
        n_registers: 0,
        widths: builder.widths,
        parameters,
        is_variadic: function.is_variadic,
        rest: None,
        is_atomic: is_atomic(name),
        ops: builder.ops,
        variables,
        live_sets: Vec::new(),
    };
    jump_back::add_pad(&mut result, &tables.functions.functions);
    tidy::tidy(&mut result, &is_home);
    result.rest = rest.filter(|&rest| reads(&result, rest));
    result.n_registers = result.widths.len() as u32;
    result.live_sets = live::annotate(&mut result.ops, result.n_registers);
    if !is_sound(&result) {
        let why = "a value that is used before it is computed";
        result.ops = vec![Instr::new(Op::Unsupported(why.into()), place)];
        result.live_sets = live::annotate(&mut result.ops, result.n_registers);
    }
    Some(result)
}

/// Is every value computed before it is used? In valid IR it is.
fn is_sound(body: &Body) -> bool {
    let live = &body.live_sets[body.ops[0].live as usize];
    live.iter().all(|reg| body.parameters.contains(reg) || body.rest == Some(*reg))
}

fn reads(body: &Body, wanted: Reg) -> bool {
    let mut is_read = false;
    for instr in &body.ops {
        for_each_read(&instr.op, |reg| is_read |= reg == wanted);
    }
    is_read
}

fn is_atomic(name: &str) -> bool {
    name.strip_prefix("__VERIFIER_atomic_").is_some_and(|rest| rest != "begin" && rest != "end")
}

impl<'p, 't, 'a> Builder<'p, 't, 'a> {
    fn new(
        program: &'p Program<'a>,
        tables: &'t mut Tables<'a>,
        body: &'p ir::FunctionBody,
    ) -> Builder<'p, 't, 'a> {
        let mut builder = Builder {
            program,
            tables,
            body,
            slots: Vec::new(),
            names: BTreeMap::new(),
            widths: Vec::new(),
            ops: Vec::new(),
            labels: vec![0; body.blocks.len()],
            edges: BTreeMap::new(),
            unwind_edges: BTreeMap::new(),
            pads: BTreeMap::new(),
            unwind: None,
            block: BlockId(0),
            place: 0,
            scopes: Scopes::of(program.module, body),
            rest: None,
        };
        builder.allocate();
        builder
    }

    /// Gives every local its slot.
    fn allocate(&mut self) {
        let promotion = promote(self.program.module, &self.program.layouts, self.body);
        self.slots = vec![Slot::None; self.body.locals.len()];
        self.find_constants();
        for idx in 0..self.body.locals.len() {
            if !matches!(self.slots[idx], Slot::Constant(_)) {
                self.slots[idx] = self.slot(LocalId(idx as u32), &promotion);
            }
        }
    }

    /// Locals that are constants: addresses computed from symbols, mostly.
    fn find_constants(&mut self) {
        for instruction in self.body.blocks.iter().flat_map(|block| &block.instructions) {
            let Some(result) = instruction.result else { continue };
            if (result.0 as usize) < self.slots.len()
                && let Some(value) = self.fold_instruction(&instruction.op)
            {
                self.slots[result.0 as usize] = Slot::Constant(value);
            }
        }
    }

    fn slot(&mut self, local: LocalId, promotion: &Promotion) -> Slot {
        match promotion.of(local) {
            Some((root, scalar)) => {
                if !matches!(self.slots[root.0 as usize], Slot::Promoted(_)) {
                    self.slots[root.0 as usize] = Slot::Promoted(self.register(scalar.width));
                }
                self.slots[root.0 as usize]
            }
            None => match self.program.layouts.scalars(self.body.locals[local.0 as usize].ty) {
                Ok(scalars) => {
                    let first = self.registers(&scalars);
                    Slot::Registers(first, scalars.len() as u32)
                }
                Err(_) => Slot::None,
            },
        }
    }

    /// A new register.
    pub fn register(&mut self, width: u8) -> Reg {
        self.widths.push(width);
        self.widths.len() as u32 - 1
    }

    /// A register for the address of arguments that the function does not name, if it
    /// takes such.
    fn rest_of(&mut self, function: &ir::Function) -> Option<Reg> {
        if function.is_variadic {
            let width = self.program.layouts.pointer().width;
            self.rest = Some(self.register(width));
        }
        self.rest
    }

    /// New registers in a row; the first of them.
    pub fn registers(&mut self, scalars: &[Scalar]) -> Reg {
        let first = self.widths.len() as u32;
        self.widths.extend(scalars.iter().map(|scalar| scalar.width));
        first
    }

    /// Appends an operation.
    pub fn emit(&mut self, op: Op) {
        self.ops.push(Instr::new(op, self.place));
    }

    /// Which registers are variables of the program: those with names, or all that
    /// are promoted where there are no names.
    fn homes(&self, variables: &[RegisterVariable]) -> Vec<bool> {
        let mut is_home = vec![false; self.widths.len()];
        variables.iter().for_each(|variable| is_home[variable.register as usize] = true);
        for slot in self.slots.iter().filter(|_| variables.is_empty()) {
            if let Slot::Promoted(reg) = slot {
                is_home[*reg as usize] = true;
            }
        }
        is_home
    }

    /// Names of the C variables: those in registers are the result, others go to
    /// `names`.
    fn name_variables(&mut self) -> Vec<RegisterVariable> {
        let debug = &self.program.module.debug;
        let mut variables: Vec<RegisterVariable> = Vec::new();
        for instruction in self.body.blocks.iter().flat_map(|block| &block.instructions) {
            let ir::Op::DebugValue {
                value: Some(Operand::Local(local)),
                variable,
                is_address: true,
            } = &instruction.op
            else {
                continue;
            };
            let Some(variable) = debug.variables.get(variable) else { continue };
            match self.slots.get(local.0 as usize) {
                Some(&Slot::Promoted(register)) => variables.push(RegisterVariable {
                    register,
                    name: variable.name.clone(),
                    is_signed: variable.ty.is_some_and(|ty| is_signed(debug, ty)),
                }),
                _ => drop(self.names.entry(local.0).or_insert_with(|| variable.name.clone())),
            }
        }
        variables.sort_by_key(|variable| variable.register);
        variables.dedup();
        variables
    }

    /// Where arguments go; copies those that are passed by value.
    fn start(&mut self, function: &ir::Function) -> Vec<Reg> {
        let mut registers = Vec::new();
        for (idx, parameter) in function.parameters.iter().enumerate() {
            match self.slots.get(idx) {
                Some(&Slot::Registers(first, n)) => registers.extend(first..first + n),
                _ => {
                    let why = self.program.layouts.scalars(parameter.ty).err();
                    let why = why.unwrap_or_else(|| "a parameter".to_owned());
                    self.emit(Op::Unsupported(format!("{why} as a parameter").into()));
                    return registers;
                }
            }
        }
        for (idx, parameter) in function.parameters.iter().enumerate() {
            if let Parameter { by_value: Some(ty), .. } = parameter
                && let Err(why) = self.copy_parameter(idx, *ty)
            {
                self.emit(Op::Unsupported(why.into()));
                return registers;
            }
        }
        registers
    }

    fn copy_parameter(&mut self, idx: usize, ty: TypeId) -> Result<(), Refusal> {
        let Slot::Registers(passed, 1) = self.slots[idx] else {
            return Err("a `byval` parameter that is no pointer".to_owned());
        };
        let pointer = self.program.layouts.pointer();
        let size = self.program.layouts.size(ty).ok_or_else(no_size)?;
        let to = self.register(pointer.width);
        let name = self.local_name(LocalId(idx as u32));
        let align = self.program.layouts.align(ty);
        self.emit(Op::Alloca(Alloca { to, size, count: None, align, name }));
        self.slots[idx] = Slot::Registers(to, 1);
        let memcpy = self.library("memcpy")?;
        self.emit(Op::Call(Call {
            callee: Src::Value(memcpy),
            arguments: [Src::Reg(to), Src::Reg(passed), Src::Value(Value::number(size))].into(),
            widths: [pointer.width; 3].into(),
            passed: Box::default(),
            to: 0,
            n_results: 0,
            result_width: 0,
            unwind: None,
        }));
        Ok(())
    }

    /// The address of a library function that the machine must know.
    pub fn library(&mut self, name: &str) -> Result<Value, Refusal> {
        self.tables.functions.library(name).ok_or_else(|| format!("the function `{name}`"))
    }

    /// What the memory that a local points to is called.
    pub fn local_name(&self, local: LocalId) -> Box<str> {
        let plain = self.body.locals[local.0 as usize].name.as_str();
        let plain = if plain.starts_with(LITERAL) { "compound literal" } else { plain };
        self.names.get(&local.0).map_or(plain, String::as_str).into()
    }

    /// Lowers all blocks that can be reached, in their order.
    fn blocks(&mut self, name: &str) {
        let is_reachable = self.reachable();
        for (idx, is_reachable) in is_reachable.into_iter().enumerate() {
            self.labels[idx] = self.ops.len() as u32;
            if !is_reachable {
                continue;
            }
            self.block = BlockId(idx as u32);
            if !self.block_ends(name) {
                self.emit(Op::Unsupported("a block without an end".into()));
            }
        }
        if self.body.blocks.is_empty() {
            self.emit(Op::Unsupported("a function without blocks".into()));
        }
    }

    /// Lowers the block; does it end as it should?
    fn block_ends(&mut self, name: &str) -> bool {
        let body = self.body;
        let block = self.block.0 as usize;
        for (idx, instruction) in body.blocks[block].instructions.iter().enumerate() {
            self.place = self.tables.places.of(instruction.location, name);
            let n_ops = self.ops.len();
            let lowered = self.literals(block, idx).and_then(|()| self.instruction(instruction));
            if let Err(why) = lowered {
                self.ops.truncate(n_ops);
                self.emit(Op::Unsupported(refusal(instruction, why).into()));
                return true;
            }
            if is_end(&instruction.op) {
                return true;
            }
        }
        false
    }

    /// Begins and ends the compound literals that do so just before an instruction.
    fn literals(&mut self, block: usize, idx: usize) -> Result<(), Refusal> {
        for (local, begins) in self.scopes.literals_at(block, idx) {
            match begins {
                true => self.begin_scope(local)?,
                false => {
                    let memory = self.pointer(&Operand::Local(local))?;
                    self.emit(Op::Expire(memory));
                }
            }
        }
        Ok(())
    }

    /// Replaces labels by where they stand.
    fn sew(&mut self) {
        let labels = &self.labels;
        for instr in &mut self.ops {
            for_each_target(&mut instr.op, |target| *target = labels[*target as usize]);
        }
    }

    fn instruction(&mut self, instruction: &Instruction) -> Result<(), Refusal> {
        let result = instruction.result;
        if let Some(Slot::Constant(_)) = result.and_then(|local| self.slots.get(local.0 as usize)) {
            return Ok(());
        }
        match &instruction.op {
            ir::Op::Return(_)
            | ir::Op::Jump(_)
            | ir::Op::Branch { .. }
            | ir::Op::Switch { .. }
            | ir::Op::Unreachable => self.control(&instruction.op),
            ir::Op::IndirectBranch => Err("`indirectbr`".to_owned()),
            ir::Op::Resume(value) => self.resume(value),
            ir::Op::LandingPad { .. } => self.landing_pad(instruction),
            ir::Op::VariadicArgument { .. } => Err("`va_arg`".to_owned()),
            ir::Op::Phi { .. } | ir::Op::DebugValue { .. } => Ok(()),
            ir::Op::Call { .. } => self.call(instruction),
            ir::Op::Binary { .. }
            | ir::Op::Unary(..)
            | ir::Op::Compare { .. }
            | ir::Op::FloatCompare { .. }
            | ir::Op::Cast { .. }
            | ir::Op::Select { .. }
            | ir::Op::Freeze(_) => self.arithmetic(instruction),
            ir::Op::Alloca { .. }
            | ir::Op::Load { .. }
            | ir::Op::Store { .. }
            | ir::Op::Element { .. }
            | ir::Op::Fence(_)
            | ir::Op::CompareExchange { .. }
            | ir::Op::ReadModifyWrite { .. } => self.memory(instruction),
            ir::Op::Extract { .. }
            | ir::Op::Insert { .. }
            | ir::Op::ExtractElement(..)
            | ir::Op::InsertElement(..)
            | ir::Op::Shuffle(..) => self.aggregate(instruction),
        }
    }
}

/// What is said of an instruction that is not understood.
fn refusal(instruction: &Instruction, why: Refusal) -> String {
    match instruction.location {
        Some(_) => why,
        None => format!("{why} (line {} of the IR)", instruction.line),
    }
}

fn is_end(op: &ir::Op) -> bool {
    match op {
        ir::Op::Call { invoke, .. } => invoke.is_some(),
        ir::Op::Return(_)
        | ir::Op::Jump(_)
        | ir::Op::Branch { .. }
        | ir::Op::Switch { .. }
        | ir::Op::IndirectBranch
        | ir::Op::Unreachable
        | ir::Op::Resume(_) => true,
        _ => false,
    }
}
