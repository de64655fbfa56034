//! The steps of each thread; those that concern calls, threads and locks are in `calls.rs`.

use frontend::boolprog::ast::{Decl, Expr, ExprKind, Name, Stmt, StmtKind, Target};
use model::Span;

use super::code::{Code, Destination, Operation};
use super::eval::{Choices, Place, Values, View};
use super::state::{Frame, State, Thread, valuations};
use super::{Bounds, Outcome};

/// Atomic sections within atomic sections beyond which nothing is followed.
const MAX_ATOMIC_DEPTH: u32 = 8;

/// All that can happen next.
pub(super) fn successors(
    code: &Code<'_>,
    state: &State,
    bounds: Bounds,
) -> Result<Vec<Outcome>, String> {
    let alone = state.threads.iter().position(|thread| thread.atomic_depth > 0);
    let mut outcomes = Vec::new();
    for mover in 0..state.threads.len() {
        let repeats = mover > 0 && state.threads[mover] == state.threads[mover - 1];
        if repeats || alone.is_some_and(|alone| alone != mover) {
            continue;
        }
        let mut step = Step { code, bounds, before: state, mover, outcomes: Vec::new() };
        step.take()?;
        outcomes.append(&mut step.outcomes);
    }
    Ok(outcomes)
}

/// One thread's step from one state.
pub(super) struct Step<'s> {
    pub code: &'s Code<'s>,
    bounds: Bounds,
    pub before: &'s State,
    pub mover: usize,
    pub outcomes: Vec<Outcome>,
}

impl<'s> Step<'s> {
    fn take(&mut self) -> Result<(), String> {
        let frame = self.frame();
        let (at, procedure) = (frame.at, &self.code.procedures[frame.procedure]);
        match &procedure.operations[at] {
            Operation::Do(statement) => self.statement(statement),
            Operation::Begin(names) => self.settle(self.before.clone(), names),
            Operation::Declare(decl) => self.declare(decl),
            Operation::Compute(decl, value) => self.compute(decl, value),
            Operation::Test(condition, otherwise) => self.test(condition, *otherwise),
            Operation::Jump(to) => self.go(*to),
            Operation::AtomicBegin => self.change_depth(true),
            Operation::AtomicEnd => self.change_depth(false),
            Operation::End => {
                valuations(procedure.n_results).try_for_each(|results| self.go_back(&results))
            }
        }
    }

    fn statement(&mut self, statement: &Stmt) -> Result<(), String> {
        match &statement.kind {
            StmtKind::Skip => self.go_on(|_| {}),
            StmtKind::Assign { targets, values, constrain } => {
                self.assign(targets, values, constrain.as_ref())
            }
            StmtKind::Call { targets, procedure, args } => {
                self.call(targets, &procedure.text, args)
            }
            StmtKind::Goto(labels) => labels.iter().try_for_each(|label| self.jump(label)),
            StmtKind::Assume(condition) => self.assume(condition),
            StmtKind::Assert(condition) => self.assert(condition, statement.span),
            StmtKind::StartThread(label) => self.start_thread(label),
            StmtKind::CreateThread(procedure) => self.create_thread(&procedure.text),
            StmtKind::EndThread => self.leave(|threads, mover| {
                threads.remove(mover);
            }),
            StmtKind::AtomicBegin => self.change_depth(true),
            StmtKind::AtomicEnd => self.change_depth(false),
            StmtKind::Return(values) => self.give_back(values),
            StmtKind::Dead(names) => self.forget(names),
            StmtKind::Acquire(name) => self.acquire(&name.text),
            StmtKind::Release(name) => self.release(&name.text, statement.span),
            other => Err(format!("{other:?} has statements inside")),
        }
    }

    pub fn thread(&self) -> &'s Thread {
        &self.before.threads[self.mover]
    }

    pub fn frame(&self) -> &'s Frame {
        self.thread().frames.last().expect("a thread has a frame")
    }

    pub fn view(&self) -> View<'s> {
        let frame = self.frame();
        let now = Values { globals: &self.before.globals, locals: &frame.locals };
        View { code: self.code, procedure: frame.procedure, now, next: None, other: None }
    }

    /// Adds a state, unless the procedure that steps does not want what is true then.
    /// `locals` are its locals after the step.
    pub fn reach(&mut self, mut state: State, locals: &[bool]) -> Result<(), String> {
        let now = Values { globals: &state.globals, locals };
        let view = View { now, ..self.view() };
        for condition in &self.code.procedures[self.frame().procedure].enforced {
            if !view.eval(condition, &mut Choices::none())? {
                return Ok(());
            }
        }
        let too_many = state.threads.len() > self.bounds.threads;
        let too_deep = state.threads.iter().any(|thread| {
            thread.frames.len() > self.bounds.frames || thread.atomic_depth > MAX_ATOMIC_DEPTH
        });
        if too_many || too_deep {
            self.outcomes.push(Outcome::Cut);
            return Ok(());
        }
        state.threads.sort();
        self.outcomes.push(Outcome::Next(state));
        Ok(())
    }

    /// To another operation of the same procedure, with a change.
    fn go_with(&mut self, to: usize, change: impl FnOnce(&mut State)) -> Result<(), String> {
        let mut state = self.before.clone();
        change(&mut state);
        let frame = state.threads[self.mover].frames.last_mut().expect("a thread has a frame");
        frame.at = to;
        let locals = frame.locals.clone();
        self.reach(state, &locals)
    }

    fn go(&mut self, to: usize) -> Result<(), String> {
        self.go_with(to, |_| {})
    }

    pub fn go_on(&mut self, change: impl FnOnce(&mut State)) -> Result<(), String> {
        self.go_with(self.frame().at + 1, change)
    }

    /// The threads change, and the locals of the procedure stay as they were.
    pub fn leave(&mut self, change: impl FnOnce(&mut Vec<Thread>, usize)) -> Result<(), String> {
        let mut state = self.before.clone();
        change(&mut state.threads, self.mover);
        self.reach(state, &self.frame().locals)
    }

    fn jump(&mut self, label: &Name) -> Result<(), String> {
        match self.code.destination(self.frame().procedure, &label.text)? {
            Destination::Operation(to) => self.go(to),
            Destination::Error => {
                self.outcomes.push(Outcome::Fails(label.span));
                Ok(())
            }
        }
    }

    fn test(&mut self, condition: &Expr, otherwise: usize) -> Result<(), String> {
        for mut choices in Choices::of(&[condition])? {
            let is_true = self.view().eval(condition, &mut choices)?;
            self.go(if is_true { self.frame().at + 1 } else { otherwise })?;
        }
        Ok(())
    }

    fn assume(&mut self, condition: &Expr) -> Result<(), String> {
        for mut choices in Choices::of(&[condition])? {
            if self.view().eval(condition, &mut choices)? {
                self.go_on(|_| {})?;
            }
        }
        Ok(())
    }

    fn assert(&mut self, condition: &Expr, span: Span) -> Result<(), String> {
        for mut choices in Choices::of(&[condition])? {
            if self.view().eval(condition, &mut choices)? {
                self.go_on(|_| {})?;
            } else {
                self.outcomes.push(Outcome::Fails(span));
            }
        }
        Ok(())
    }

    fn change_depth(&mut self, begins: bool) -> Result<(), String> {
        let mover = self.mover;
        self.go_on(|state| {
            let depth = &mut state.threads[mover].atomic_depth;
            *depth = if begins { *depth + 1 } else { depth.saturating_sub(1) };
        })
    }

    /// A variable gets any value, or its constant.
    fn declare(&mut self, decl: &Decl) -> Result<(), String> {
        let place = self.view().place(&decl.name.text)?;
        let values = match decl.init.as_ref().map(|init| &init.kind) {
            Some(ExprKind::Const(value)) => vec![*value],
            _ => vec![false, true],
        };
        for value in values {
            let mut state = self.before.clone();
            set(&mut state, self.mover, place, value);
            self.settle(state, &[&decl.name.text])?;
        }
        Ok(())
    }

    /// Goes on after a declaration, which is no step: enforced is only what speaks of locals
    /// alone, those declared among them.
    fn settle(&mut self, mut state: State, declared: &[&str]) -> Result<(), String> {
        let frame = state.threads[self.mover].frames.last_mut().expect("a thread has a frame");
        frame.at += 1;
        let now = Values { globals: &[], locals: &frame.locals };
        let view = View { now, ..self.view() };
        for condition in &self.code.procedures[self.frame().procedure].enforced {
            let mut names = Vec::new();
            condition.each_name(&mut |name| names.push(name));
            let places: Vec<Place> =
                names.iter().map(|name| view.place(name)).collect::<Result<_, _>>()?;
            let is_local = places.iter().all(|place| matches!(place, Place::Local(_)));
            let is_about = names.iter().any(|name| declared.contains(name));
            if is_local && is_about && !view.eval(condition, &mut Choices::none())? {
                return Ok(());
            }
        }
        state.threads.sort();
        self.outcomes.push(Outcome::Next(state));
        Ok(())
    }

    fn compute(&mut self, decl: &Decl, value: &Expr) -> Result<(), String> {
        let place = self.view().place(&decl.name.text)?;
        for mut choices in Choices::of(&[value])? {
            let value = self.view().eval(value, &mut choices)?;
            let mover = self.mover;
            self.go_on(|state| set(state, mover, place, value))?;
        }
        Ok(())
    }

    fn forget(&mut self, names: &[Name]) -> Result<(), String> {
        let view = self.view();
        let places: Vec<Place> =
            names.iter().map(|name| view.place(&name.text)).collect::<Result<_, _>>()?;
        for values in valuations(places.len()) {
            let mover = self.mover;
            self.go_on(|state| {
                let values = places.iter().zip(&values);
                values.for_each(|(&place, &value)| set(state, mover, place, value));
            })?;
        }
        Ok(())
    }

    fn assign(
        &mut self,
        targets: &[Target],
        values: &[Expr],
        constrain: Option<&Expr>,
    ) -> Result<(), String> {
        // What is done to others, each of them chooses for itself.
        let n_others = self.before.threads.len() - 1;
        let times = |target: &Target| if target.is_passive { n_others } else { 1 };
        let values_for_all = targets.iter().zip(values);
        let values_for_all =
            values_for_all.flat_map(|(target, value)| std::iter::repeat_n(value, times(target)));
        let exprs: Vec<&Expr> = values_for_all.chain(constrain).collect();
        for mut choices in Choices::of(&exprs)? {
            let mut after = self.before.clone();
            for (target, value) in targets.iter().zip(values) {
                self.assign_one(&mut after, target, value, &mut choices)?;
            }
            let frame = after.threads[self.mover].frames.last().expect("a thread has a frame");
            let next = Values { globals: &after.globals, locals: &frame.locals };
            let view = View { next: Some(next), ..self.view() };
            let is_wanted = match constrain {
                Some(condition) => view.eval(condition, &mut choices)?,
                None => true,
            };
            if is_wanted {
                self.go_on(|state| *state = after)?;
            }
        }
        Ok(())
    }

    /// All values are computed from the state before.
    fn assign_one(
        &self,
        after: &mut State,
        target: &Target,
        value: &Expr,
        choices: &mut Choices,
    ) -> Result<(), String> {
        let place = self.view().place(&target.name.text)?;
        if !target.is_passive {
            let value = self.view().eval(value, choices)?;
            set(after, self.mover, place, value);
            return Ok(());
        }
        let Place::Local(local) = place else { return Err("other threads share it".into()) };
        for (idx, thread) in self.before.threads.iter().enumerate() {
            if idx == self.mover {
                continue;
            }
            let outermost = &thread.frames[0];
            if outermost.procedure != self.frame().procedure {
                return Err("threads run several procedures".into());
            }
            let view = View { other: Some(&outermost.locals), ..self.view() };
            after.threads[idx].frames[0].locals[local] = view.eval(value, choices)?;
        }
        Ok(())
    }
}

pub(super) fn set(state: &mut State, mover: usize, place: Place, value: bool) {
    let frame = state.threads[mover].frames.last_mut().expect("a thread has a frame");
    match place {
        Place::Global(idx) => state.globals[idx] = value,
        Place::Local(idx) => frame.locals[idx] = value,
    }
}
