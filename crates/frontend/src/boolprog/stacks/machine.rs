//! What one statement does to the shared variables and to the top of a stack.
//!
//! Each statement is a step, as without any reduction; what `enforce` says is asked after
//! each step of its procedure, and of a return with the values that it gives.

use model::{
    Bit, BitExpr, LabelId, NewThread, PushdownStep, PushdownSteps, Rule, StackChange, StepError,
    Store,
};

use rustc_hash::FxHashSet;

use super::layout::{Frame, Top, bits, push_bits};
use crate::boolprog::code::{Action, Code, Instruction, Procedure};

/// Choices of a step that are tried one by one.
const MAX_CHOICES: u32 = 16;

/// Atomic sections around each other that are told apart.
const MAX_ATOMIC_DEPTH: u8 = 8;

/// A program, and which of its locals matter where.
#[derive(Debug)]
pub(super) struct Machine {
    pub code: Code,
    /// Per procedure and instruction.
    pub live: Vec<Vec<Vec<bool>>>,
}

/// The shared variables and the locals of the innermost procedure.
#[derive(Clone)]
struct Values {
    shared: Vec<bool>,
    locals: Vec<bool>,
}

/// A step that is being made.
struct Step<'a> {
    machine: &'a Machine,
    procedure: &'a Procedure,
    instruction: &'a Instruction,
    top: &'a Top,
    before: Values,
    out: &'a mut PushdownSteps,
}

impl Machine {
    pub fn unpack(&self, top: &[u8]) -> Option<Top> {
        let top = Top::unpack(top, self.code.owned.len(), |procedure| self.n_locals(procedure))?;
        let instructions = &self.code.procedures[top.procedure].instructions;
        (top.instruction < instructions.len()).then_some(top)
    }

    pub fn n_locals(&self, procedure: usize) -> Option<usize> {
        Some(self.code.procedures.get(procedure)?.locals.len())
    }

    pub fn instruction(&self, top: &Top) -> &Instruction {
        &self.code.procedures[top.procedure].instructions[top.instruction]
    }

    /// The tops of threads that start with `procedure`; `None`: there are too many.
    pub fn starts(&self, procedure: usize) -> Option<Vec<Top>> {
        let held = vec![false; self.code.owned.len()];
        let below = Top {
            procedure,
            instruction: 0,
            root: procedure as u32,
            depth: 0,
            held,
            locals: Vec::new(),
        };
        self.begin(&below, procedure, &[])
    }

    /// The tops in which a thread begins `procedure`, in all ways in which its locals begin.
    fn begin(&self, below: &Top, procedure: usize, args: &[bool]) -> Option<Vec<Top>> {
        let called = &self.code.procedures[procedure];
        let live = &self.live[procedure][0];
        let mut locals: Vec<bool> =
            called.initial.iter().map(|value| value.unwrap_or(false)).collect();
        locals[..args.len()].copy_from_slice(args);
        let is_free = |idx: &usize| called.initial[*idx].is_none() && live[*idx];
        let free: Vec<usize> = (args.len()..locals.len()).filter(is_free).collect();
        if free.len() > MAX_CHOICES as usize {
            return None;
        }
        let starts = (0..1_u32 << free.len()).map(|number| {
            let mut locals = locals.clone();
            free.iter().enumerate().for_each(|(bit, &idx)| locals[idx] = number >> bit & 1 == 1);
            let top = Top { procedure, instruction: 0, locals, ..below.clone() };
            self.without_dead(top)
        });
        Some(starts.collect())
    }

    fn without_dead(&self, mut top: Top) -> Top {
        let live = &self.live[top.procedure][top.instruction];
        top.locals.iter_mut().zip(live).for_each(|(value, is_live)| *value &= is_live);
        top
    }

    fn shared_store(&self, values: &[bool]) -> Store {
        let mut bytes = Vec::new();
        // One more: no thread is in an atomic section, as far as this step knows.
        push_bits(&mut bytes, values.iter().chain([&false]));
        Store(bytes.into())
    }

    pub fn steps(&self, shared: &[u8], top: &Top, out: &mut PushdownSteps) {
        self.step(shared, top, out, |step| step.act());
    }

    pub fn returns(
        &self,
        shared: &[u8],
        top: &Top,
        frame: Option<&Frame>,
        out: &mut PushdownSteps,
    ) {
        self.step(shared, top, out, |step| step.give_back(frame));
    }

    fn step(
        &self,
        shared: &[u8],
        top: &Top,
        out: &mut PushdownSteps,
        take: impl FnOnce(&mut Step<'_>),
    ) {
        let shared = bits(shared, self.code.shared.len());
        take(&mut Step {
            machine: self,
            procedure: &self.code.procedures[top.procedure],
            instruction: self.instruction(top),
            top,
            before: Values { shared, locals: top.locals.clone() },
            out,
        });
        // Choices that nothing depends on, or locals that are dead, make equal steps.
        if out.steps.len() > 1 {
            let mut seen = FxHashSet::default();
            out.steps.retain(|step| seen.insert(step.clone()));
        }
    }
}

impl Step<'_> {
    fn act(&mut self) {
        let instruction = self.instruction;
        let next = self.top.instruction + 1;
        match &instruction.action {
            Action::Skip => self.go(next),
            Action::Assign { assigns, passive, constraint } => match passive.is_empty() {
                true => self.assign(assigns, constraint),
                false => self.out.set_incomplete("a step changes the locals of other threads"),
            },
            Action::Declare { assigns, guard } => self.declare(assigns, guard),
            Action::Goto(targets) => targets.iter().for_each(|&to| self.jump(to)),
            Action::Test(condition, otherwise) => self.for_choices(|step, number| {
                let to = if step.value(condition, number, None) { next } else { *otherwise };
                step.go(to);
            }),
            Action::Assume(condition) => self.for_choices(|step, number| {
                if step.value(condition, number, None) {
                    step.go(next);
                }
            }),
            Action::Assert(condition) => self.assert(condition),
            Action::Call { procedure, args, .. } => self.call(*procedure, args),
            Action::Return(_) => {}
            Action::EndThread => self.leave(&self.before.clone(), StackChange::Ended, None),
            Action::StartThread(at) => self.start_thread(*at),
            Action::CreateThread(procedure) => self.create_thread(*procedure),
            Action::AtomicBegin => self.change_depth(self.top.depth.checked_add(1)),
            Action::AtomicEnd => self.change_depth(Some(self.top.depth.saturating_sub(1))),
            Action::Acquire(lock) => self.acquire(*lock),
            Action::Release(lock) => self.release(*lock),
            Action::Error(what) => self.fail(Rule::Assertion, what.clone()),
            Action::Opaque(why) => self.out.set_incomplete(why.clone()),
        }
    }

    /// Calls `visit` for each value of the choices of the instruction.
    fn for_choices(&mut self, mut visit: impl FnMut(&mut Self, u32)) {
        if self.instruction.n_choices > MAX_CHOICES {
            let why = format!(
                "a statement chooses {} values: too many to try all of them one by one",
                self.instruction.n_choices
            );
            self.out.set_incomplete(why);
            return;
        }
        (0..1_u32 << self.instruction.n_choices).for_each(|number| visit(self, number));
    }

    fn value(&self, expr: &BitExpr, choices: u32, after: Option<&Values>) -> bool {
        let value = |values: &Values, bit: &Bit| match bit {
            Bit::Shared(idx) => values.shared[*idx as usize],
            Bit::Local(idx) => values.locals[*idx as usize],
        };
        expr.eval(&|leaf| match leaf {
            BitExpr::Before(bit) => value(&self.before, bit),
            BitExpr::After(bit) => value(after.unwrap_or(&self.before), bit),
            BitExpr::Choice(idx) => choices >> idx & 1 == 1,
            _ => false,
        })
    }

    /// Does what the procedure enforces hold of these values?
    fn is_allowed(&self, after: &Values) -> bool {
        self.value(&self.procedure.enforced, 0, Some(after))
    }

    fn top_at(&self, instruction: usize, locals: Vec<bool>) -> Top {
        self.machine.without_dead(Top { instruction, locals, ..self.top.clone() })
    }

    /// The thread goes to another instruction of its procedure, and nothing else happens.
    fn go(&mut self, to: usize) {
        let after = self.before.clone();
        let top = self.top_at(to, after.locals.clone());
        self.leave(&after, StackChange::Top(top.pack()), None);
    }

    /// Adds a step to these values, if the procedure allows it.
    fn leave(&mut self, after: &Values, end: StackChange, spawned: Option<NewThread>) {
        if self.is_allowed(after) {
            self.push(&after.shared, end, spawned);
        }
    }

    fn push(&mut self, shared: &[bool], end: StackChange, spawned: Option<NewThread>) {
        let shared = self.machine.shared_store(shared);
        let label = LabelId(self.instruction.label);
        self.out.steps.push(PushdownStep { shared, end, spawned, label, violation: None });
    }

    fn fail(&mut self, rule: Rule, what: String) {
        let shared = self.machine.shared_store(&self.before.shared);
        let (end, label) = (StackChange::Ended, LabelId(self.instruction.label));
        let violation = Some(StepError::new(rule, what));
        self.out.steps.push(PushdownStep { shared, end, spawned: None, label, violation });
    }

    /// The values after these assignments, all computed from those before.
    fn assigned(&self, assigns: &[(Bit, BitExpr)], choices: u32) -> Values {
        let mut after = self.before.clone();
        for (bit, value) in assigns {
            let value = self.value(value, choices, None);
            set(&mut after, *bit, value);
        }
        after
    }

    fn assign(&mut self, assigns: &[(Bit, BitExpr)], constraint: &BitExpr) {
        self.for_choices(|step, number| {
            let after = step.assigned(assigns, number);
            if step.value(constraint, number, Some(&after)) {
                let top = step.top_at(step.top.instruction + 1, after.locals.clone());
                step.leave(&after, StackChange::Top(top.pack()), None);
            }
        });
    }

    /// It is no statement: its guard is all that is asked.
    fn declare(&mut self, assigns: &[(Bit, BitExpr)], guard: &BitExpr) {
        self.for_choices(|step, number| {
            if step.value(guard, number, None) {
                let after = step.assigned(assigns, number);
                let top = step.top_at(step.top.instruction + 1, after.locals);
                step.push(&after.shared, StackChange::Top(top.pack()), None);
            }
        });
    }

    fn jump(&mut self, to: usize) {
        // The jump to an error is the error, whatever is enforced.
        match &self.procedure.instructions[to].action {
            Action::Error(what) => self.fail(Rule::Assertion, what.clone()),
            _ => self.go(to),
        }
    }

    fn assert(&mut self, condition: &BitExpr) {
        self.for_choices(|step, number| match step.value(condition, number, None) {
            true => step.go(step.top.instruction + 1),
            false => {
                let text = &step.machine.code.labels[step.instruction.label as usize].text;
                step.fail(Rule::Assertion, format!("`{text}` fails"));
            }
        });
    }

    fn call(&mut self, callee: usize, args: &[BitExpr]) {
        let too_many = self.machine.begin(self.top, callee, &vec![false; args.len()]).is_none();
        if too_many {
            self.out.set_incomplete("too many locals begin with any value");
            return;
        }
        let frame = self.frame().pack();
        self.for_choices(|step, number| {
            let args: Vec<bool> = args.iter().map(|arg| step.value(arg, number, None)).collect();
            for top in step.machine.begin(step.top, callee, &args).into_iter().flatten() {
                let end = StackChange::Call { top: top.pack(), frame: frame.clone() };
                step.leave(&step.before.clone(), end, None);
            }
        });
    }

    /// The caller while it waits: what is assigned when it goes on does not matter until then.
    fn frame(&self) -> Frame {
        let Top { procedure, instruction, .. } = *self.top;
        let live = &self.machine.live[procedure][instruction + 1];
        let mut locals = self.top.locals.clone();
        locals.iter_mut().zip(live).for_each(|(value, is_live)| *value &= is_live);
        if let Action::Call { targets, .. } = &self.instruction.action {
            for target in targets {
                if let Bit::Local(idx) = target {
                    locals[*idx as usize] = false;
                }
            }
        }
        Frame { procedure, instruction, locals }
    }

    /// Returns to the caller, or ends the thread where there is none.
    fn give_back(&mut self, frame: Option<&Frame>) {
        let Action::Return(results) = &self.instruction.action else { return };
        let Some(frame) = frame else {
            self.leave(&self.before.clone(), StackChange::Ended, None);
            return;
        };
        let caller = &self.machine.code.procedures[frame.procedure];
        let Action::Call { targets, .. } = &caller.instructions[frame.instruction].action else {
            return;
        };
        self.for_choices(|step, number| {
            let shared = step.before.shared.clone();
            let mut callers = Values { shared, locals: frame.locals.clone() };
            for (target, result) in targets.iter().zip(results) {
                set(&mut callers, *target, step.value(result, number, None));
            }
            let Values { shared, locals } = callers;
            let instruction = frame.instruction + 1;
            let top = Top { procedure: frame.procedure, instruction, locals, ..step.top.clone() };
            let top = step.machine.without_dead(top).pack();
            let after = Values { shared, locals: step.before.locals.clone() };
            step.leave(&after, StackChange::Top(top), None);
        });
    }

    /// A new thread is in no atomic section and holds no lock, whatever its creator does.
    fn start_thread(&mut self, at: usize) {
        let held = vec![false; self.top.held.len()];
        let new = Top { depth: 0, held, ..self.top_at(at, self.before.locals.clone()) };
        let after = self.before.clone();
        let top = self.top_at(self.top.instruction + 1, after.locals.clone());
        let spawned = Some(NewThread::Copied(new.pack()));
        self.leave(&after, StackChange::Top(top.pack()), spawned);
    }

    fn create_thread(&mut self, procedure: usize) {
        let Some(starts) = self.machine.starts(procedure) else {
            self.out.set_incomplete("too many locals begin with any value");
            return;
        };
        let after = self.before.clone();
        let top = self.top_at(self.top.instruction + 1, after.locals.clone()).pack();
        for start in starts {
            let spawned = Some(NewThread::Fresh(start.pack()));
            self.leave(&after, StackChange::Top(top.clone()), spawned);
        }
    }

    fn change_depth(&mut self, depth: Option<u8>) {
        let Some(depth) = depth.filter(|depth| *depth <= MAX_ATOMIC_DEPTH) else {
            let why = format!("atomic sections are nested deeper than {MAX_ATOMIC_DEPTH} levels");
            self.out.set_incomplete(why);
            return;
        };
        let after = self.before.clone();
        let top = Top { depth, ..self.top_at(self.top.instruction + 1, after.locals.clone()) };
        self.leave(&after, StackChange::Top(top.pack()), None);
    }

    fn acquire(&mut self, lock: usize) {
        if !self.before.shared[self.machine.code.owned[lock] as usize] {
            self.hold(lock, true);
        }
    }

    fn release(&mut self, lock: usize) {
        if self.top.held[lock] {
            self.hold(lock, false);
            return;
        }
        let code = &self.machine.code;
        let name = &code.shared[code.owned[lock] as usize].name;
        let what = format!("`{name}` is released by a thread that does not hold it");
        self.fail(Rule::MutexMisuse, what);
    }

    fn hold(&mut self, lock: usize, held: bool) {
        let mut after = self.before.clone();
        after.shared[self.machine.code.owned[lock] as usize] = held;
        let mut top = self.top_at(self.top.instruction + 1, after.locals.clone());
        top.held[lock] = held;
        self.leave(&after, StackChange::Top(top.pack()), None);
    }
}

fn set(values: &mut Values, bit: Bit, value: bool) {
    match bit {
        Bit::Shared(idx) => values.shared[idx as usize] = value,
        Bit::Local(idx) => values.locals[idx as usize] = value,
    }
}
