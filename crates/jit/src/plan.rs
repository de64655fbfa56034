//! Decides which functions are compiled together, and what calls need checking.

use std::collections::BTreeSet;

use model::rule_code::{Function, FunctionId, Op, RuleProgram};
use model::{Property, PropertyKind};

use crate::error::CompileError;
use crate::flow::Flow;
use crate::registers::have_one_value;
use crate::runtime::PlaceTag;

/// Rules and properties are compiled together up to about this many operations.
/// Larger units save calls and repeated loads, but the time to compile grows faster
/// than their size, and two cores share the work less evenly.
const OPS_OF_A_UNIT: usize = 240;

/// Nesting up to which calls that cannot recurse need no look at the stack.
const SHALLOW_CALLS: u32 = 50;

/// Words of memory for local variables that one thread may have.
const MAX_FRAME_WORDS: u64 = 1 << 23;

/// Memory that compiling one unit may take.
const MAX_UNIT_BYTES: u64 = 256 << 20;

/// Memory that compiling takes for each operation, measured on rules of 20,000 to
/// 400,000 operations.
const BYTES_OF_AN_OP: u64 = 1 << 10;

/// Memory that the code generator takes for each variable in each block.
const BYTES_OF_A_VARIABLE: u64 = 4;

/// Units of up to this many operations compile within any bound.
const OPS_OF_A_SHORT_UNIT: usize = 5_000;

/// What becomes one machine function.
#[derive(Clone, Debug)]
pub(crate) enum Unit {
    /// A function that others call.
    Callee(FunctionId),
    /// Functions that run one after the other.
    Roots(Vec<(FunctionId, Role)>),
}

/// What a function that nobody calls is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Emits initial states.
    Start,
    /// Emits successors.
    Step,
    /// Judges the property with this number.
    Judge(u32, PropertyKind),
    /// Computes the valuation.
    Valuation,
}

impl Role {
    /// How the run time is told where a fault happened.
    pub fn place(self) -> PlaceTag {
        match self {
            Role::Start => PlaceTag::Start,
            Role::Step => PlaceTag::Step,
            Role::Judge(..) => PlaceTag::Property,
            Role::Valuation => PlaceTag::Proposition,
        }
    }
}

/// Rules of equal priority.
pub(crate) struct Group<T> {
    /// What emits their successors.
    pub steps: Vec<T>,
    /// What evaluates their guards alone, where a group before this one has an enabled rule.
    pub guards: Vec<T>,
}

/// All units, and what they have in common.
pub(crate) struct Plan<'p> {
    /// The program.
    pub program: &'p RuleProgram,
    /// Words of a state.
    pub state_words: u32,
    /// What is compiled. Machine functions are numbered likewise.
    pub units: Vec<Unit>,
    /// Units that emit initial states.
    pub starts: Vec<usize>,
    /// Units that emit successors, in groups of ascending priority.
    pub steps: Vec<Group<usize>>,
    /// Units that judge.
    pub judges: Vec<usize>,
    /// The unit of the valuation.
    pub valuation: Option<usize>,
    /// The unit of each function that is called.
    pub callees: Vec<Option<usize>>,
    /// Can calls recurse, or nest so deeply that someone has to count?
    pub counts_calls: bool,
    /// Words of memory for local variables that each thread gets.
    pub frame_words: usize,
}

impl<'p> Plan<'p> {
    /// Plans a valid program.
    ///
    /// # Errors
    /// A function's local memory is too large, or its code too long.
    pub fn new(program: &'p RuleProgram, properties: &[Property]) -> Result<Self, CompileError> {
        let chain = longest_chain(program);
        let counts_calls =
            chain.is_none_or(|n_calls| n_calls > program.max_call_depth.min(SHALLOW_CALLS));
        let n_nested = chain.unwrap_or(u32::MAX).min(program.max_call_depth);
        let mut plan = Plan {
            program,
            state_words: program.state_bits.div_ceil(64),
            units: Vec::new(),
            starts: Vec::new(),
            steps: Vec::new(),
            judges: Vec::new(),
            valuation: None,
            callees: vec![None; program.functions.len()],
            counts_calls,
            frame_words: frame_words(program, n_nested)?,
        };
        plan.add_callees();
        plan.starts = plan.bundle(program.starts.iter().map(|&id| (id, Role::Start)));
        plan.add_steps();
        let judges = program.judges.iter().zip(properties).zip(0..);
        plan.judges =
            plan.bundle(judges.map(|((&id, property), idx)| (id, Role::Judge(idx, property.kind))));
        plan.valuation = plan.bundle(program.valuation.map(|id| (id, Role::Valuation))).pop();
        for function in &program.functions {
            check_length(function)?;
        }
        Ok(plan)
    }

    /// Words of a function's local memory, with the one that may be read behind it.
    pub fn frame_of(&self, id: FunctionId) -> u32 {
        match self.program.functions[id.0 as usize].frame_bits {
            0 => 0,
            n_bits => n_bits.div_ceil(64) + 1,
        }
    }

    fn add_callees(&mut self) {
        let called: BTreeSet<FunctionId> =
            (0..self.program.functions.len()).flat_map(|idx| calls(self.program, idx)).collect();
        for id in called {
            self.callees[id.0 as usize] = Some(self.units.len());
            self.units.push(Unit::Callee(id));
        }
    }

    fn add_steps(&mut self) {
        let priorities: BTreeSet<i64> =
            self.program.families.iter().map(|family| family.priority).collect();
        for priority in priorities {
            let families = &self.program.families;
            let group = || families.iter().filter(|family| family.priority == priority);
            let steps = self.bundle(group().map(|family| (family.function, Role::Step)));
            let guards = group().filter_map(|family| family.guards);
            let guards = self.bundle(guards.map(|id| (id, Role::Step)));
            self.steps.push(Group { steps, guards });
        }
    }

    /// Makes units of functions that run one after the other.
    fn bundle(&mut self, roots: impl IntoIterator<Item = (FunctionId, Role)>) -> Vec<usize> {
        let first = self.units.len();
        let mut n_ops = usize::MAX;
        for (id, role) in roots {
            let size = n_ops_of(self.program, id);
            match self.units.last_mut() {
                Some(Unit::Roots(unit)) if n_ops.saturating_add(size) <= OPS_OF_A_UNIT => {
                    unit.push((id, role));
                    n_ops += size;
                }
                _ => {
                    self.units.push(Unit::Roots(vec![(id, role)]));
                    n_ops = size;
                }
            }
        }
        (first..self.units.len()).collect()
    }
}

/// Refuses a function that takes too much memory to compile. Long ones are units of
/// their own.
fn check_length(function: &Function) -> Result<(), CompileError> {
    let n_ops: usize = function.blocks.iter().map(|block| block.ops.len() + 1).sum();
    if n_ops <= OPS_OF_A_SHORT_UNIT {
        return Ok(());
    }
    let has_one = have_one_value(function, &Flow::of(function));
    let n_variables = has_one.iter().filter(|one| !**one).count() as u64;
    let ops = function.blocks.iter().flat_map(|block| &block.ops);
    let n_blocks = (function.blocks.len() + ops.filter(|op| splits(op)).count()) as u64;
    let bytes = (n_variables * n_blocks).saturating_mul(BYTES_OF_A_VARIABLE)
        + n_ops as u64 * BYTES_OF_AN_OP;
    if bytes > MAX_UNIT_BYTES {
        let function = function.name.clone();
        return Err(CompileError::TooLong { function, mebibytes: bytes >> 20 });
    }
    Ok(())
}

/// Does an operation end a block of machine code?
fn splits(op: &Op) -> bool {
    matches!(
        op,
        Op::Checked { .. }
            | Op::InRange { .. }
            | Op::NonZero { .. }
            | Op::Call { .. }
            | Op::Tick
            | Op::Turn { .. }
            | Op::Commit
    )
}

/// Operations of a function, and its blocks.
pub(crate) fn n_ops_of(program: &RuleProgram, id: FunctionId) -> usize {
    program.functions[id.0 as usize].blocks.iter().map(|block| block.ops.len() + 1).sum()
}

/// The functions that a function calls.
fn calls(program: &RuleProgram, idx: usize) -> impl Iterator<Item = FunctionId> {
    let ops = program.functions[idx].blocks.iter().flat_map(|block| &block.ops);
    ops.filter_map(|op| match op {
        Op::Call { function, .. } => Some(*function),
        _ => None,
    })
}

/// How deeply calls can nest, or nothing where they can recurse.
fn longest_chain(program: &RuleProgram) -> Option<u32> {
    let n_functions = program.functions.len();
    let mut callers = vec![Vec::new(); n_functions];
    let mut n_open = vec![0_usize; n_functions];
    for (caller, n_callees) in n_open.iter_mut().enumerate() {
        for callee in calls(program, caller) {
            callers[callee.0 as usize].push(caller);
            *n_callees += 1;
        }
    }
    let mut chain = vec![0_u32; n_functions];
    let mut ready: Vec<usize> = (0..n_functions).filter(|&idx| n_open[idx] == 0).collect();
    let mut n_done = 0;
    while let Some(callee) = ready.pop() {
        n_done += 1;
        for &caller in &callers[callee] {
            chain[caller] = chain[caller].max(chain[callee] + 1);
            n_open[caller] -= 1;
            if n_open[caller] == 0 {
                ready.push(caller);
            }
        }
    }
    (n_done == n_functions).then(|| chain.into_iter().max().unwrap_or(0))
}

/// Words for the local variables of `n_nested` calls, as far as they are granted.
fn frame_words(program: &RuleProgram, n_nested: u32) -> Result<usize, CompileError> {
    let Some(largest) = program.functions.iter().max_by_key(|function| function.frame_bits) else {
        return Ok(0);
    };
    let words = u64::from(largest.frame_bits.div_ceil(64)) + 1;
    if words > MAX_FRAME_WORDS {
        return Err(CompileError::TooLarge {
            what: format!("the local memory of `{}`", largest.name),
            bits: largest.frame_bits.into(),
            allowed: (MAX_FRAME_WORDS - 1) * 64,
        });
    }
    let all = words.saturating_mul(u64::from(n_nested) + 1).min(MAX_FRAME_WORDS);
    Ok(usize::try_from(all).expect("at most MAX_FRAME_WORDS, which fits"))
}
