//! Turns a typed Murphi model into rule code, which becomes machine code.
//!
//! One function for each rule: loops over its parameters, the guard, the action on
//! a copy of the state, the canonical order of multisets that were written, the
//! assumptions, the successor. Functions of the model are inlined unless they call
//! themselves or the code becomes long.
//!
//! **Same results** as `interpret`: the order of evaluation and the faults are those
//! of `faults`. Checks are left out only where they cannot fail: bounds of values
//! (`operand`) and what is known at each point (`facts`) say so. One difference is
//! deliberate: only real calls count towards the depth of calls, so a recursion may
//! go a few levels deeper than interpreted before it is a fault.
//! **Size.** Code grows with the text, not with the sizes of types: loops are
//! unrolled only when short.
//! **Read first** `rules`, then `place`, `operand`, `expr`, `stmt`.

mod rules;

mod analysis;
mod call;
mod clear;
mod code;
mod compare;
mod condition;
mod expr;
mod facts;
mod loops;
mod multiset;
mod operand;
mod order;
mod place;
mod stmt;
#[cfg(test)]
mod tests;
mod unit;

use model::PropertyKind;
use model::rule_code::{
    BinaryOp, BlockId, ChoiceCode, End, Family, FaultId, Function, Op, Reg, RuleProgram,
};

use super::faults;
use super::layout::Layouts;
use super::typed::{self, Expr, Local, Predicate, Program, Stmt};
use analysis::{Effects, Size};
use code::Code;
use facts::Held;
use operand::Operand;
use order::Marks;
use place::{Region, Site, Spot};
use rules::Purpose;
use unit::{Callee, Unit, World};

/// Beyond this many operations in one function, functions of the model are called
/// rather than inlined, and loops are not unrolled. Machine code of this length
/// compiles in tens of milliseconds.
const MAX_OPS_BEFORE_CALLS: usize = 20_000;

/// Lowers a whole model.
pub fn lower(program: &Program, layouts: &Layouts) -> RuleProgram {
    let mut unit = Unit::new(program, layouts);
    unit.faults.push(faults::recursion());
    let too_deep = FaultId(0);
    let mut rules = RuleProgram {
        state_bits: layouts.state_bits,
        max_loop_turns: faults::DEFAULT_MAX_LOOP_TURNS,
        max_call_depth: faults::MAX_CALL_DEPTH,
        n_covers: program.covers.len() as u32,
        too_deep,
        ..RuleProgram::default()
    };
    for start in &program.starts {
        let function = rules::family(&mut unit, start, Purpose::Start);
        rules.starts.push(unit.add(function));
    }
    let first = program.rules.iter().map(|rule| rule.priority).min();
    for rule in &program.rules {
        let function = rules::family(&mut unit, rule, Purpose::Step);
        let function = unit.add(function);
        let guards = (Some(rule.priority) != first)
            .then(|| rules::family(&mut unit, rule, Purpose::Guards))
            .filter(is_noticed)
            .map(|function| unit.add(function));
        rules.families.push(Family { function, priority: rule.priority, guards });
    }
    for property in &program.properties {
        let function = predicate(&mut unit, property, World::State);
        rules.judges.push(unit.add(function));
    }
    if !program.propositions.is_empty() {
        let function = valuation(&mut unit);
        rules.valuation = Some(unit.add(function));
    }
    while let Some((callee, world, id)) = unit.wanted.pop() {
        let function = match callee {
            Callee::Function(function) => called_function(&mut unit, function, world),
            Callee::Assumption(idx) => {
                predicate(&mut unit, &program.assumptions[idx as usize], world)
            }
        };
        unit.functions[id.0 as usize] = function;
    }
    RuleProgram { functions: unit.functions, faults: unit.faults, ..rules }
}

/// One function while it is made.
struct Lowering<'s, 'p> {
    unit: &'s mut Unit<'p>,
    code: Code,
    /// Which state the code works on.
    world: World,
    scope: Scope<'p>,
    /// How deeply statements and inlined calls nest here.
    depth: u32,
    /// Parts of the new state that were written.
    touched: Vec<(u32, u32)>,
    /// For arrays of multisets, which elements were written.
    marks: Vec<Marks>,
    /// Where a false `assume` leads.
    drop_to: Option<BlockId>,
}

/// The names of a rule, function or predicate.
struct Scope<'p> {
    locals: &'p [Local],
    bindings: Vec<Binding>,
    function: Option<&'p typed::Function>,
    /// Where the code of the returned value goes.
    result: Option<Reg>,
    /// Where `return` leads.
    exit: BlockId,
    /// Where a function leads that returns without a value it should have.
    missing: BlockId,
}

/// What a local name stands for.
#[derive(Clone, Copy, Debug)]
enum Binding {
    /// Nothing yet.
    Unbound,
    /// A value.
    Value(Operand),
    /// A place.
    Place(Spot),
}

impl<'p> Scope<'p> {
    /// The names that faults may use.
    fn names(&self, program: &'p Program) -> faults::Scope<'p> {
        faults::Scope { program, locals: self.locals }
    }
}

impl<'s, 'p> Lowering<'s, 'p> {
    fn new(
        unit: &'s mut Unit<'p>,
        world: World,
        locals: &'p [Local],
        function: Option<&'p typed::Function>,
    ) -> Lowering<'s, 'p> {
        let code = Code::new();
        let scope = Scope {
            locals,
            bindings: Vec::new(),
            function,
            result: None,
            exit: BlockId(0),
            missing: BlockId(0),
        };
        let mut lowering = Lowering {
            unit,
            code,
            world,
            scope,
            depth: 0,
            touched: Vec::new(),
            marks: Vec::new(),
            drop_to: None,
        };
        lowering.scope = lowering.new_scope(locals, function, Vec::new());
        lowering
    }

    /// Where a false `assume` leads.
    fn drop_block(&mut self) -> BlockId {
        match self.drop_to {
            Some(block) => block,
            None => {
                let block = self.code.block();
                self.drop_to = Some(block);
                block
            }
        }
    }

    /// May the evaluation of an expression write?
    fn writes(&self, expr: &Expr) -> bool {
        let mut effects = Effects { program: self.unit.program, found: false };
        analysis::expression(expr, &mut effects);
        effects.found
    }

    fn size_of(&self, expr: &Expr) -> usize {
        let mut size = Size { traits: &self.unit.traits, size: 0 };
        analysis::expression(expr, &mut size);
        size.size
    }

    fn size_of_statements(&self, statements: &[Stmt]) -> usize {
        let mut size = Size { traits: &self.unit.traits, size: 0 };
        analysis::statements(statements, &mut size);
        size.size
    }
}

/// May anybody notice that a function that makes no states was run? It may fail or reach
/// a `cover`, and so may what it calls.
fn is_noticed(function: &Function) -> bool {
    let op_is = |op: &Op| {
        matches!(
            op,
            Op::Checked { .. }
                | Op::InRange { .. }
                | Op::NonZero { .. }
                | Op::Call { .. }
                | Op::Turn { .. }
                | Op::Cover { .. }
        )
    };
    let mut blocks = function.blocks.iter();
    blocks.any(|block| matches!(block.end, End::Fault(_)) || block.ops.iter().any(op_is))
}

/// A function that returns whether a predicate is true.
fn predicate<'p>(unit: &mut Unit<'p>, predicate: &'p Predicate, world: World) -> Function {
    let mut lowering = Lowering::new(unit, world, &predicate.locals, None);
    let (holds, fails) = (lowering.code.block(), lowering.code.block());
    // A false `assume` leaves an invariant alone, a goal unreached, and an assumption
    // unfulfilled.
    let is_judged = world == World::State && predicate.kind == PropertyKind::Invariant;
    lowering.drop_to = Some(if is_judged { holds } else { fails });
    lowering.branch(&predicate.condition, holds, fails);
    for (block, value) in [(holds, 1), (fails, 0)] {
        lowering.code.start(block);
        let value = lowering.code.constant(value);
        lowering.code.end(End::Return(Some(value)));
    }
    lowering.code.finish(predicate.name.clone(), Vec::new(), ChoiceCode::default())
}

/// The function that returns which propositions hold.
fn valuation(unit: &mut Unit<'_>) -> Function {
    let program = unit.program;
    let mut lowering = Lowering::new(unit, World::State, &[], None);
    let all = lowering.code.constant(0);
    for (idx, proposition) in program.propositions.iter().enumerate().take(64) {
        lowering.scope = lowering.new_scope(&proposition.locals, None, Vec::new());
        let (holds, end) = (lowering.code.block(), lowering.code.block());
        lowering.branch(&proposition.condition, holds, end);
        lowering.code.start(holds);
        let more = lowering.code.binary_const(BinaryOp::Or, all, 1 << idx);
        lowering.code.emit(Op::Move { dst: all, src: more });
        lowering.code.jump(end);
        lowering.code.start(end);
    }
    lowering.code.end(End::Return(Some(all)));
    lowering.code.finish(String::from("valuation"), Vec::new(), ChoiceCode::default())
}

/// A function of the model that is called rather than inlined. Its parameters are
/// references; one more, where an `assume` in it may fail, refers to a bit that says
/// that it did.
fn called_function(unit: &mut Unit<'_>, id: typed::FunctionId, world: World) -> Function {
    let program = unit.program;
    let function = &program.functions[id.0 as usize];
    let may_drop = unit.traits.may_drop[id.0 as usize];
    let mut lowering = Lowering::new(unit, world, &function.locals, Some(function));
    let mut parameters = Vec::new();
    for idx in 0..function.n_parameters as usize {
        let reg = lowering.code.reg();
        let site = lowering.whole(Region::Reference(reg), 0, function.locals[idx].ty);
        lowering.scope.bindings[idx] = Binding::Place(Spot::Memory(site));
        parameters.push(reg);
    }
    let dropped = lowering.code.block();
    lowering.drop_to = Some(dropped);
    lowering.declare_variables();
    lowering.run(&function.body);
    lowering.leave_function(function);
    let (exit, result) = (lowering.scope.exit, lowering.scope.result);
    lowering.code.start(exit);
    lowering.code.end(End::Return(result));
    if may_drop {
        let flag = lowering.code.reg();
        parameters.push(flag);
        lowering.code.start(dropped);
        let region = Region::Reference(flag);
        let site = Site { region, bit: 0, index: None, extent: (0, 1), member: None };
        lowering.store(Spot::Memory(site), 1, Held::Const(1));
        if let Some(dst) = result {
            lowering.code.emit(Op::Const { dst, value: 1 });
        }
        lowering.code.end(End::Return(result));
    }
    lowering.code.finish(function.name.clone(), parameters, ChoiceCode::default())
}
