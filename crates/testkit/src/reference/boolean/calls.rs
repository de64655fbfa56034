//! Steps that call, return, create threads, and take or release locks.

use frontend::boolprog::ast::{Expr, Name, Stmt, StmtKind, Target};
use model::Span;

use super::Outcome;
use super::code::{Destination, Operation};
use super::eval::{Choices, Place, View};
use super::state::{Thread, frames, fresh};
use super::step::{Step, set};

impl Step<'_> {
    pub fn call(&mut self, targets: &[Target], callee: &str, args: &[Expr]) -> Result<(), String> {
        let procedure = self.code.procedure(callee)?;
        let called = &self.code.procedures[procedure];
        let is_fitting = targets.is_empty() || targets.len() == called.n_results;
        if called.n_params != args.len() || !is_fitting {
            return Err(format!("`{callee}` is not called as it is declared"));
        }
        let exprs: Vec<&Expr> = args.iter().collect();
        for mut choices in Choices::of(&exprs)? {
            let view = self.view();
            let values: Vec<bool> =
                args.iter().map(|arg| view.eval(arg, &mut choices)).collect::<Result<_, _>>()?;
            for frame in frames(self.code, procedure, &values) {
                self.leave(|threads, mover| threads[mover].frames.push(frame))?;
            }
        }
        Ok(())
    }

    pub fn give_back(&mut self, values: &[Expr]) -> Result<(), String> {
        let exprs: Vec<&Expr> = values.iter().collect();
        for mut choices in Choices::of(&exprs)? {
            let view = self.view();
            let results: Vec<bool> = values
                .iter()
                .map(|value| view.eval(value, &mut choices))
                .collect::<Result<_, _>>()?;
            self.go_back(&results)?;
        }
        Ok(())
    }

    /// Returns with these results; the outermost procedure ends the thread.
    pub fn go_back(&mut self, results: &[bool]) -> Result<(), String> {
        let frames = &self.thread().frames;
        let Some(caller) = frames.len().checked_sub(2).map(|idx| &frames[idx]) else {
            return self.leave(|threads, mover| {
                threads.remove(mover);
            });
        };
        let operation = &self.code.procedures[caller.procedure].operations[caller.at];
        let view = View { procedure: caller.procedure, ..self.view() };
        let targets: Vec<Place> = match operation {
            Operation::Do(Stmt { kind: StmtKind::Call { targets, .. }, .. }) => {
                targets.iter().map(|t| view.place(&t.name.text)).collect::<Result<_, _>>()?
            }
            _ => return Err("a call is expected".into()),
        };
        let mut state = self.before.clone();
        let thread = &mut state.threads[self.mover];
        thread.frames.pop();
        thread.frames.last_mut().expect("the caller is there").at += 1;
        for (place, &value) in targets.into_iter().zip(results) {
            set(&mut state, self.mover, place, value);
        }
        self.reach(state, &self.frame().locals)
    }

    pub fn start_thread(&mut self, label: &Name) -> Result<(), String> {
        let destination = self.code.destination(self.frame().procedure, &label.text)?;
        let Destination::Operation(to) = destination else {
            return Err("a thread starts at an error".into());
        };
        let mut created = Thread { atomic_depth: 0, holds: Vec::new(), ..self.thread().clone() };
        created.frames.last_mut().expect("a thread has a frame").at = to;
        self.go_on(|state| state.threads.push(created))
    }

    pub fn create_thread(&mut self, name: &str) -> Result<(), String> {
        let procedure = self.code.procedure(name)?;
        for frame in frames(self.code, procedure, &[]) {
            self.go_on(|state| state.threads.push(fresh(frame)))?;
        }
        Ok(())
    }

    pub fn acquire(&mut self, name: &str) -> Result<(), String> {
        let place = self.view().place(name)?;
        let (mover, owned) = (self.mover, self.owned(name, place));
        if self.is_set(place) {
            return Ok(());
        }
        self.go_on(|state| {
            set(state, mover, place, true);
            if let Some(lock) = owned {
                state.threads[mover].holds.push(lock);
                state.threads[mover].holds.sort_unstable();
            }
        })
    }

    pub fn release(&mut self, name: &str, span: Span) -> Result<(), String> {
        let place = self.view().place(name)?;
        let (mover, owned) = (self.mover, self.owned(name, place));
        if owned.is_some_and(|lock| !self.thread().holds.contains(&lock)) {
            self.outcomes.push(Outcome::Fails(span));
            return Ok(());
        }
        self.go_on(|state| {
            set(state, mover, place, false);
            state.threads[mover].holds.retain(|lock| Some(*lock) != owned);
        })
    }

    fn owned(&self, name: &str, place: Place) -> Option<usize> {
        self.code.owned_lock(name).filter(|_| matches!(place, Place::Global(_)))
    }

    fn is_set(&self, place: Place) -> bool {
        match place {
            Place::Global(idx) => self.before.globals[idx],
            Place::Local(idx) => self.frame().locals[idx],
        }
    }
}
