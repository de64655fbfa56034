//! Hand-made programs: limits, large batches, priorities, faults in every position,
//! recursion, malformed code.

use std::time::Instant;

use model::rule_code::{
    Address, Base, BinaryOp, Block, BlockId, CheckedOp, ChoiceCode, End, Family, FaultId, Function,
    FunctionId, Op, Reg, RuleProgram,
};
use model::{
    Choice, FaultPlace, Judgement, Limits, Property, PropertyKind, StopReason, Stuck, Successors,
    Symmetry, TransitionSystem,
};

use crate::random::fault;
use crate::reference::Interpreted;
use crate::{CompileError, compile};

const A: Reg = Reg(0);
const B: Reg = Reg(1);
const C: Reg = Reg(2);

fn at(base: Base, bit: u32) -> Address {
    Address { base, bit, index: None }
}

fn block(ops: Vec<Op>, end: End) -> Block {
    Block { ops, end }
}

fn function(blocks: Vec<Block>) -> Function {
    let name = "function".to_owned();
    Function { name, n_registers: 3, blocks, ..Function::default() }
}

/// A program of 20-bit states with these functions.
fn program(functions: Vec<Function>) -> RuleProgram {
    RuleProgram {
        state_bits: 20,
        functions,
        faults: (0..3).map(fault).collect(),
        max_loop_turns: 1000,
        max_call_depth: 10,
        ..RuleProgram::default()
    }
}

fn family(id: u32, priority: i64) -> Family {
    Family { function: FunctionId(id), priority, guards: None }
}

fn interpreted(program: RuleProgram, kinds: &[PropertyKind]) -> Interpreted {
    let property = |&kind| Property { name: String::new(), kind, span: None };
    let properties = kinds.iter().map(property).collect();
    Interpreted { program, properties, symmetry: Symmetry::default() }
}

/// `for A := 0 to last do Begin; field := A; Commit`
fn counting(last: i64, first_choice: u64) -> Function {
    let set = block(vec![Op::Const { dst: A, value: 0 }], End::Jump(BlockId(1)));
    let body = vec![
        Op::Tick,
        Op::Enabled,
        Op::Begin,
        Op::Store { address: at(Base::Next, 0), src: A, bits: 20 },
        Op::Commit,
        Op::Const { dst: B, value: 1 },
        Op::Binary { op: BinaryOp::Add, dst: A, left: A, right: B },
        Op::Const { dst: B, value: last },
        Op::Binary { op: BinaryOp::Le, dst: C, left: A, right: B },
    ];
    let again = End::Branch { condition: C, then: BlockId(1), otherwise: BlockId(2) };
    let mut function =
        function(vec![set, block(body, again), block(Vec::new(), End::Return(None))]);
    function.choice = ChoiceCode { first: first_choice, terms: vec![(A, 1)] };
    function
}

fn expand(program: &RuleProgram, limits: &Limits) -> (Successors, Result<(), StopReason>) {
    let system = interpreted(program.clone(), &[]);
    let compiled = compile(program.clone(), &system).expect("the program is valid");
    let mut out = Successors::new(1);
    let result = compiled.stepper(limits).expand(&[0xfffff], &mut out);
    (out, result)
}

#[test]
fn a_state_may_have_more_successors_than_a_batch_holds() {
    let mut program = program(vec![counting(9_999, 5)]);
    program.families.push(family(0, 0));
    let (out, result) = expand(&program, &Limits::none());
    assert_eq!(result, Ok(()));
    assert_eq!((out.len(), out.n_enabled), (10_000, 10_000));
    for idx in 0..out.len() {
        assert_eq!((out.state(idx)[0], out.choice(idx)), (idx as u64, Choice(5 + idx as u64)));
    }
}

#[test]
fn very_long_programs_compute_the_same() {
    let n_rules = 1600;
    let rules = (0..n_rules).map(|idx| counting(2, idx * 3));
    let mut program = program(rules.collect());
    program.families = (0..n_rules as u32).map(|idx| family(idx, 0)).collect();
    let (out, result) = expand(&program, &Limits::none());
    assert_eq!((result, out.len()), (Ok(()), 4800));
    for idx in 0..out.len() {
        assert_eq!((out.state(idx)[0], out.choice(idx)), (idx as u64 % 3, Choice(idx as u64)));
    }
}

#[test]
fn long_loops_stop_at_the_deadline() {
    let forever = block(vec![Op::Tick], End::Jump(BlockId(0)));
    let mut program = program(vec![function(vec![forever]), counting(3, 0)]);
    program.families = vec![family(1, 0), family(0, 0)];
    let limits = Limits { deadline: Some(Instant::now()), ..Limits::none() };
    let (out, result) = expand(&program, &limits);
    assert_eq!(result, Err(StopReason::TimeLimit));
    assert_eq!(out.len(), 4);
}

#[test]
fn endless_successors_stop_at_the_deadline() {
    let forever = block(vec![Op::Begin, Op::Commit], End::Jump(BlockId(0)));
    let mut program = program(vec![function(vec![forever])]);
    program.families.push(family(0, 0));
    let limits = Limits { deadline: Some(Instant::now()), ..Limits::none() };
    assert_eq!(expand(&program, &limits).1, Err(StopReason::TimeLimit));
}

#[test]
fn later_groups_run_only_when_no_rule_was_enabled() {
    let nothing = function(vec![block(Vec::new(), End::Return(None))]);
    let mut program = program(vec![counting(1, 0), counting(1, 10), nothing, counting(1, 20)]);
    program.families = vec![family(0, 7), family(1, 3), family(2, -1), family(3, 3)];
    let (out, _) = expand(&program, &Limits::none());
    let choices: Vec<u64> = (0..out.len()).map(|idx| out.choice(idx).0).collect();
    assert_eq!(choices, [10, 11, 20, 21]);
}

#[test]
fn guards_of_later_groups_run_when_a_rule_was_enabled() {
    let mut guards = low_bits_judge(1);
    guards.choice.first = 30;
    let mut program = program(vec![counting(1, 0), counting(1, 10), guards.clone()]);
    program.families = vec![family(0, 3), Family { guards: Some(FunctionId(2)), ..family(1, 7) }];
    // Bit 19 of the state is set: the guards meet a fault.
    let (out, _) = expand(&program, &Limits::none());
    assert_eq!((out.len(), out.n_enabled), (2, 2));
    assert_eq!(out.faults, [(FaultPlace::Step(Choice(30)), fault(1))]);
    // Nothing comes before the group: the rule runs instead of its guards.
    program.families[0].priority = 9;
    let (out, _) = expand(&program, &Limits::none());
    assert_eq!((out.len(), out.faults.len()), (2, 0));
}

#[test]
fn a_fault_names_the_instance_and_other_rules_go_on() {
    let mut failing = counting(5, 100);
    let check = Op::InRange { value: A, first: 0, last: 2, fault: FaultId(2) };
    failing.blocks[1].ops.insert(1, check);
    let mut program = program(vec![failing, counting(1, 0)]);
    program.starts = vec![FunctionId(0)];
    program.families = vec![family(0, 0), family(1, 0)];
    let (out, result) = expand(&program, &Limits::none());
    assert_eq!(result, Ok(()));
    assert_eq!(out.faults, [(FaultPlace::Step(Choice(103)), fault(2))]);
    assert_eq!(out.len(), 5);
    let system = interpreted(program.clone(), &[]);
    let compiled = compile(program, &system).expect("the program is valid");
    let mut out = Successors::new(1);
    compiled.stepper(&Limits::none()).initial(&mut out).expect("no limit");
    assert_eq!(out.faults, [(FaultPlace::Start(Choice(103)), fault(2))]);
    assert_eq!(out.len(), 3);
}

/// Returns the low bits of the state, or a fault when bit 19 is set.
#[test]
fn a_quotient_that_does_not_fit_is_a_fault_and_so_is_its_remainder() {
    let divided = |op, left: i64, right: i64| {
        let ops = vec![
            Op::Enabled,
            Op::Const { dst: A, value: left },
            Op::Const { dst: B, value: right },
            Op::Checked { op, dst: C, left: A, right: B, fault: FaultId(1) },
            Op::Begin,
            Op::Commit,
        ];
        let mut program = program(vec![function(vec![block(ops, End::Return(None))])]);
        program.families.push(family(0, 0));
        let (out, result) = expand(&program, &Limits::none());
        assert_eq!(result, Ok(()));
        out.faults.is_empty()
    };
    for op in [CheckedOp::Div, CheckedOp::Rem] {
        assert!(!divided(op, i64::MIN, -1));
        assert!(!divided(op, 1, 0));
        assert!(divided(op, i64::MIN, 1));
        assert!(divided(op, i64::MIN + 1, -1));
        assert!(divided(op, i64::MAX, -1));
    }
}

fn low_bits_judge(bits: u32) -> Function {
    let load = |dst, bit, bits| Op::Load { dst, address: at(Base::State, bit), bits };
    let test = End::Branch { condition: A, then: BlockId(2), otherwise: BlockId(1) };
    function(vec![
        block(vec![load(A, 19, 1)], test),
        block(vec![load(B, 0, bits)], End::Return(Some(B))),
        block(Vec::new(), End::Fault(FaultId(1))),
    ])
}

#[test]
fn properties_are_violated_reached_or_faulty() {
    let mut program = program((1..5).map(low_bits_judge).collect());
    program.judges = (0..4).map(FunctionId).collect();
    program.valuation = Some(FunctionId(3));
    let kinds = [
        PropertyKind::Invariant,
        PropertyKind::Cover,
        PropertyKind::Invariant,
        PropertyKind::AlwaysReachable,
    ];
    let system = interpreted(program.clone(), &kinds);
    let compiled = compile(program, &system).expect("the program is valid");
    let mut stepper = compiled.stepper(&Limits::none());
    let mut out = Judgement::default();
    stepper.judge(&[0b1010], &mut out).expect("no limit");
    assert_eq!((out.violated, out.reached, out.faults), (vec![0], vec![1, 3], Vec::new()));
    assert_eq!(stepper.valuation(&[0b1010]), Ok(0b1010));
    let mut out = Judgement::default();
    stepper.judge(&[1 << 19], &mut out).expect("no limit");
    assert_eq!(out.faults, (0..4).map(|idx| (idx, fault(1))).collect::<Vec<_>>());
    assert_eq!(stepper.valuation(&[1 << 19]), Err(Stuck::Fault(fault(1))));
}

/// A rule that calls a function that calls itself `A` more times.
fn recursion(n_calls: i64, frame_bits: u32) -> RuleProgram {
    let call =
        |function, arguments| Op::Call { dst: Some(B), function: FunctionId(function), arguments };
    let ops = vec![Op::Const { dst: A, value: n_calls }, call(1, vec![A]), Op::Begin, Op::Commit];
    let root = function(vec![block(ops, End::Return(None))]);
    let more = vec![
        Op::Const { dst: B, value: 1 },
        Op::Binary { op: BinaryOp::Sub, dst: C, left: A, right: B },
        call(1, vec![C]),
    ];
    let test = End::Branch { condition: A, then: BlockId(1), otherwise: BlockId(2) };
    let mut callee = function(vec![
        block(Vec::new(), test),
        block(more, End::Return(Some(A))),
        block(Vec::new(), End::Return(Some(A))),
    ]);
    (callee.parameters, callee.frame_bits) = (vec![A], frame_bits);
    let mut program = program(vec![root, callee]);
    program.families.push(family(0, 0));
    program
}

#[test]
fn calls_nest_as_deeply_as_allowed_and_not_deeper() {
    // Calling with 9 nests ten calls.
    for (n_calls, n_made) in [(9, 1), (10, 0)] {
        let (out, result) = expand(&recursion(n_calls, 100), &Limits::none());
        assert_eq!((result, out.len()), (Ok(()), n_made));
        assert_eq!(out.faults.len(), 1 - n_made);
    }
}

#[test]
fn recursion_without_end_stops_before_memory_does() {
    for frame_bits in [0, 1000, 10_000_000] {
        let mut program = recursion(i64::MAX, frame_bits);
        program.max_call_depth = u32::MAX;
        let (out, result) = expand(&program, &Limits::none());
        assert_eq!((result, out.faults.len()), (Err(StopReason::MemoryLimit), 0));
    }
}

#[test]
fn states_without_bits_have_successors() {
    let maker = function(vec![block(vec![Op::Begin, Op::Commit], End::Return(None))]);
    let mut program = program(vec![maker]);
    program.state_bits = 0;
    program.families.push(family(0, 0));
    let system = interpreted(program.clone(), &[]);
    let compiled = compile(program, &system).expect("the program is valid");
    let mut out = Successors::new(0);
    compiled.stepper(&Limits::none()).expand(&[], &mut out).expect("no limit");
    assert_eq!(out.len(), 1);
}

#[test]
fn steppers_work_on_several_threads_at_once() {
    let mut program = program(vec![counting(999, 0)]);
    program.families.push(family(0, 0));
    let system = interpreted(program.clone(), &[]);
    let compiled = compile(program, &system).expect("the program is valid");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let mut stepper = compiled.stepper(&Limits::none());
            scope.spawn(move || {
                let mut out = Successors::new(1);
                for _ in 0..100 {
                    out.clear();
                    stepper.expand(&[0], &mut out).expect("no limit");
                    assert_eq!((out.len(), out.state(998)[0]), (1000, 998));
                }
            });
        }
    });
}

#[test]
fn a_function_that_takes_too_much_memory_to_compile_is_refused() {
    let long = |n_blocks: u32| {
        let turn = |idx: u32| {
            let next = if idx + 1 == n_blocks { 0 } else { idx + 1 };
            let ops = vec![Op::Move { dst: Reg(idx), src: Reg(next) }, Op::Tick];
            block(ops, End::Jump(BlockId(next)))
        };
        let mut function = function((0..n_blocks).map(turn).collect());
        function.n_registers = n_blocks;
        let mut program = program(vec![function]);
        program.families.push(family(0, 0));
        refused(program, &[])
    };
    assert_eq!(long(300), None);
    assert!(matches!(long(20_000), Some(CompileError::TooLong { .. })));
}

fn refused(program: RuleProgram, kinds: &[PropertyKind]) -> Option<CompileError> {
    let system = interpreted(program.clone(), kinds);
    compile(program, &system).err()
}

#[test]
fn malformed_programs_are_refused() {
    let one = |ops, end| {
        let mut program = program(vec![function(vec![block(ops, end)])]);
        program.families.push(family(0, 0));
        refused(program, &[])
    };
    let done = End::Return(None);
    let store = |base, bit, bits| Op::Store { address: at(base, bit), src: A, bits };
    let call = |function| Op::Call { dst: None, function: FunctionId(function), arguments: vec![] };
    assert_eq!(one(vec![Op::Begin], done), None);
    let bad = [
        vec![Op::Move { dst: Reg(3), src: A }],
        vec![Op::NonZero { value: A, fault: FaultId(3) }],
        vec![store(Base::State, 0, 1)],
        vec![store(Base::Next, 20, 1)],
        vec![store(Base::Next, 0, 0)],
        vec![store(Base::Frame, 0, 1)],
        vec![store(Base::Next, 0, 65)],
        vec![Op::Clear { address: at(Base::Next, u32::MAX), bits: 2 }],
        vec![Op::Sort { address: at(Base::Next, 0), stride: u32::MAX, n: 2 }],
        vec![call(7)],
        vec![call(0)],
    ];
    for ops in bad {
        assert!(matches!(one(ops, done), Some(CompileError::Malformed { .. })));
    }
    for end in [End::Jump(BlockId(1)), End::Return(Some(Reg(3))), End::Fault(FaultId(3))] {
        assert!(matches!(one(Vec::new(), end), Some(CompileError::Malformed { .. })));
    }
    let none = RuleProgram::default();
    assert!(refused(none.clone(), &[PropertyKind::Cover]).is_some());
    assert!(refused(RuleProgram { starts: vec![FunctionId(0)], ..none.clone() }, &[]).is_some());
    let large = RuleProgram { state_bits: u32::MAX, ..none };
    assert!(matches!(refused(large, &[]), Some(CompileError::TooLarge { .. })));
}
