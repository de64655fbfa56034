//! What a procedure that touches nothing shared makes of its arguments: its summary.
//!
//! Such a procedure is noticed by no other thread, so all that it does is one step from its
//! parameters to the results. That is how recursion is treated exactly: summaries are the
//! least relations that satisfy each other, found by going through all values of the
//! locals of a procedure for each value of its parameters.
//!
//! **Exact** for errors that can be reached: a call that never returns leads nowhere.
//! **Not for** procedures that look at or change anything shared, create threads or have
//! atomic sections, or that have too many variables to go through.
//! **Source** the interprocedural reachability of Bebop (Ball and Rajamani, SPIN 2000), with
//! values listed instead of kept in decision diagrams.

use std::collections::BTreeSet;

use model::{Bit, BitExpr};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::boolprog::code::{Action, Code, Instruction, Place, Procedure};

/// Parameters and results together: all their values are listed.
const MAX_SIGNATURE: usize = 8;

/// Locals of a procedure, parameters included.
const MAX_LOCALS: usize = 14;

/// Choices of an instruction: all their values are gone through.
const MAX_CHOICES: u32 = 12;

/// States that are gone through for all summaries together.
const MAX_STATES: usize = 1 << 18;

/// What a call can come to, for one value of the parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effect {
    /// The results, as bits.
    pub results: BTreeSet<u32>,
    /// Can an assertion in it fail?
    pub fails: bool,
}

/// The effects of a procedure, by the values of its parameters as bits.
pub(crate) type Summary = Vec<Effect>;

/// The summaries of all procedures that have one.
pub(crate) fn summarise(code: &Code) -> Vec<Option<Summary>> {
    let private = private(code);
    let mut search = Search::new(code);
    let mut summaries = Vec::new();
    for (idx, procedure) in code.procedures.iter().enumerate() {
        let summary = private[idx].then(|| {
            let values = 0..1_u32 << procedure.n_params;
            let entries: Vec<usize> = values.map(|params| search.entry((idx, params))).collect();
            search.run().then_some(entries)
        });
        summaries.push(summary.flatten());
    }
    let effect = |entry: &usize| search.entries[*entry].effect.clone();
    summaries.into_iter().map(|entries| Some(entries?.iter().map(effect).collect())).collect()
}

/// The procedures on a circle of calls.
pub(crate) fn recursive(code: &Code) -> Vec<bool> {
    let callees: Vec<Vec<usize>> = code.procedures.iter().map(callees).collect();
    (0..callees.len())
        .map(|start| {
            let mut seen = vec![false; callees.len()];
            let mut pending = callees[start].clone();
            while let Some(next) = pending.pop() {
                if !std::mem::replace(&mut seen[next], true) {
                    pending.extend(&callees[next]);
                }
            }
            seen[start]
        })
        .collect()
}

fn callees(procedure: &Procedure) -> Vec<usize> {
    let called = |instruction: &Instruction| match instruction.action {
        Action::Call { procedure, .. } => Some(procedure),
        _ => None,
    };
    procedure.instructions.iter().filter_map(called).collect()
}

/// The procedures that touch nothing shared, nor do those that they call.
fn private(code: &Code) -> Vec<bool> {
    let mut private: Vec<bool> = code.procedures.iter().map(is_private).collect();
    loop {
        let mut changed = false;
        for (idx, procedure) in code.procedures.iter().enumerate() {
            if private[idx] && callees(procedure).iter().any(|&callee| !private[callee]) {
                private[idx] = false;
                changed = true;
            }
        }
        if !changed {
            return private;
        }
    }
}

fn is_private(procedure: &Procedure) -> bool {
    let is_small = procedure.n_params + procedure.n_results <= MAX_SIGNATURE
        && procedure.locals.len() <= MAX_LOCALS;
    let is_local = |bit: &Bit| matches!(bit, Bit::Local(_));
    let looks_at_locals = |expr: &BitExpr| {
        let mut all = true;
        expr.each_leaf(&mut |leaf| match leaf {
            BitExpr::Before(bit) | BitExpr::After(bit) => all &= is_local(bit),
            BitExpr::Passive(_) => all = false,
            _ => {}
        });
        all
    };
    let is_quiet = |instruction: &Instruction| match &instruction.action {
        Action::Skip | Action::Goto(_) => true,
        Action::Assign { assigns, passive, constraint } => {
            passive.is_empty()
                && looks_at_locals(constraint)
                && assigns.iter().all(|(bit, value)| is_local(bit) && looks_at_locals(value))
        }
        Action::Declare { assigns, guard } => {
            looks_at_locals(guard) && assigns.iter().all(|(_, value)| looks_at_locals(value))
        }
        Action::Test(condition, _) | Action::Assume(condition) | Action::Assert(condition) => {
            looks_at_locals(condition)
        }
        Action::Call { args, targets, .. } => {
            args.iter().all(looks_at_locals) && targets.iter().all(is_local)
        }
        Action::Return(values) => values.iter().all(looks_at_locals),
        _ => false,
    };
    let is_quiet =
        |instruction: &Instruction| instruction.n_choices <= MAX_CHOICES && is_quiet(instruction);
    is_small && looks_at_locals(&procedure.enforced) && procedure.instructions.iter().all(is_quiet)
}

/// A procedure with values of its parameters, as bits.
type Call = (usize, u32);

/// A place in a procedure, with the values of its locals as bits.
type State = (usize, u32);

struct Entry {
    call: Call,
    effect: Effect,
    seen: FxHashSet<State>,
    /// Who waits for results: the entry, the state after the call, where results go.
    waiting: Vec<(usize, State, Vec<Place>)>,
}

struct Search<'c> {
    code: &'c Code,
    numbers: FxHashMap<Call, usize>,
    entries: Vec<Entry>,
    pending: Vec<(usize, State)>,
    n_states: usize,
}

impl<'c> Search<'c> {
    fn new(code: &'c Code) -> Search<'c> {
        let (numbers, entries) = (FxHashMap::default(), Vec::new());
        Search { code, numbers, entries, pending: Vec::new(), n_states: 0 }
    }

    /// The number of a call; locals that are no parameters begin as they are declared.
    fn entry(&mut self, call: Call) -> usize {
        if let Some(&known) = self.numbers.get(&call) {
            return known;
        }
        let number = self.entries.len();
        self.numbers.insert(call, number);
        let (effect, seen) = (Effect::default(), FxHashSet::default());
        self.entries.push(Entry { call, effect, seen, waiting: Vec::new() });
        let procedure = &self.code.procedures[call.0];
        let n_others = procedure.locals.len() - procedure.n_params;
        for others in 0..1_u32 << n_others {
            let locals = call.1 | others << procedure.n_params;
            if begins_with(procedure, locals) {
                self.visit(number, (0, locals));
            }
        }
        number
    }

    fn visit(&mut self, entry: usize, state: State) {
        if self.entries[entry].seen.insert(state) {
            self.n_states += 1;
            self.pending.push((entry, state));
        }
    }

    /// Goes through everything; false if there is too much.
    fn run(&mut self) -> bool {
        while let Some((entry, state)) = self.pending.pop() {
            if self.n_states > MAX_STATES {
                return false;
            }
            self.step(entry, state);
        }
        self.n_states <= MAX_STATES
    }

    fn step(&mut self, entry: usize, (at, locals): State) {
        let code = self.code;
        let procedure = &code.procedures[self.entries[entry].call.0];
        let instruction = &procedure.instructions[at];
        let is_enforced = eval(&procedure.enforced, locals, locals, 0);
        for choices in 0..1_u32 << instruction.n_choices {
            let value = |expr: &BitExpr| eval(expr, locals, locals, choices);
            let assigned = |assigns: &[(Bit, BitExpr)]| {
                let assigns = assigns.iter();
                assigns.fold(locals, |after, (bit, expr)| with(after, *bit, value(expr)))
            };
            match &instruction.action {
                Action::Assign { assigns, constraint, .. } => {
                    let after = assigned(assigns);
                    if eval(constraint, locals, after, choices) {
                        self.go(entry, procedure, (at + 1, after));
                    }
                }
                Action::Declare { guard, .. } if !value(guard) => {}
                Action::Declare { assigns, .. } => {
                    self.visit(entry, (at + 1, assigned(assigns)));
                }
                Action::Goto(targets) => {
                    targets.iter().for_each(|&to| self.go(entry, procedure, (to, locals)));
                }
                Action::Test(condition, otherwise) => {
                    let to = if value(condition) { at + 1 } else { *otherwise };
                    self.go(entry, procedure, (to, locals));
                }
                Action::Assume(condition) if !value(condition) => {}
                Action::Assert(condition) if !value(condition) => self.fail(entry),
                Action::Call { .. } | Action::Return(_) if !is_enforced => {}
                Action::Call { procedure: callee, args, targets } => {
                    let call = (*callee, bits(args.iter().map(value)));
                    self.call(entry, (at + 1, locals), call, targets);
                }
                Action::Return(values) => self.give_back(entry, bits(values.iter().map(value))),
                _ => self.go(entry, procedure, (at + 1, locals)),
            }
        }
    }

    fn go(&mut self, entry: usize, procedure: &Procedure, state: State) {
        if eval(&procedure.enforced, state.1, state.1, 0) {
            self.visit(entry, state);
        }
    }

    fn call(&mut self, entry: usize, after: State, call: Call, targets: &[Place]) {
        let callee = self.entry(call);
        let waiting = (entry, after, targets.to_vec());
        if self.entries[callee].waiting.contains(&waiting) {
            return;
        }
        self.entries[callee].waiting.push(waiting);
        let effect = self.entries[callee].effect.clone();
        for results in effect.results {
            self.visit(entry, returned(after, targets, results));
        }
        if effect.fails {
            self.fail(entry);
        }
    }

    fn give_back(&mut self, entry: usize, results: u32) {
        if !self.entries[entry].effect.results.insert(results) {
            return;
        }
        for (caller, after, targets) in self.entries[entry].waiting.clone() {
            self.visit(caller, returned(after, &targets, results));
        }
    }

    fn fail(&mut self, entry: usize) {
        let mut pending = vec![entry];
        while let Some(entry) = pending.pop() {
            let entry = &mut self.entries[entry];
            if !std::mem::replace(&mut entry.effect.fails, true) {
                pending.extend(entry.waiting.iter().map(|(caller, ..)| *caller));
            }
        }
    }
}

/// Can the procedure begin with these values of its locals?
fn begins_with(procedure: &Procedure, locals: u32) -> bool {
    let is_so = |(idx, value): (usize, bool)| (locals >> idx & 1 == 1) == value;
    let given = procedure.initial.iter().enumerate();
    given.filter_map(|(idx, initial)| Some((idx, (*initial)?))).all(is_so)
}

fn returned((at, locals): State, targets: &[Place], results: u32) -> State {
    let locals = targets
        .iter()
        .enumerate()
        .fold(locals, |locals, (idx, target)| with(locals, *target, results >> idx & 1 == 1));
    (at, locals)
}

fn with(locals: u32, bit: Bit, value: bool) -> u32 {
    match bit {
        Bit::Local(idx) if value => locals | 1 << idx,
        Bit::Local(idx) => locals & !(1 << idx),
        Bit::Shared(_) => locals,
    }
}

fn bits(values: impl Iterator<Item = bool>) -> u32 {
    values.enumerate().fold(0, |bits, (idx, value)| bits | u32::from(value) << idx)
}

fn eval(expr: &BitExpr, before: u32, after: u32, choices: u32) -> bool {
    expr.eval(&|leaf| match leaf {
        BitExpr::Before(Bit::Local(idx)) => before >> idx & 1 == 1,
        BitExpr::After(Bit::Local(idx)) => after >> idx & 1 == 1,
        BitExpr::Choice(idx) => choices >> idx & 1 == 1,
        _ => false,
    })
}
