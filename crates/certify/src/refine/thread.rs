//! The steps of one thread as the program tells them, where they are those of a single thread.

use std::collections::BTreeMap;
use std::rc::Rc;

use model::{LabelId, StepError, StepErrorRef, Steps, Store, ThreadProgram};

use crate::rejection::Rejection;

/// One step.
#[derive(Clone, Debug)]
pub(super) struct ThreadMove {
    pub shared: Store,
    pub local: Option<Store>,
    pub violation: Option<StepError>,
    pub label: LabelId,
}

/// A program of one kind of thread, with the steps that were asked for.
pub(super) struct Thread<'p> {
    pub program: &'p dyn ThreadProgram,
    known: BTreeMap<(Store, Store), Rc<[ThreadMove]>>,
}

impl<'p> Thread<'p> {
    pub fn new(program: &'p dyn ThreadProgram) -> Result<Thread<'p>, Rejection> {
        if program.templates().len() != 1 {
            return Err(Rejection::malformed("a program does not have one kind of thread"));
        }
        Ok(Thread { program, known: BTreeMap::new() })
    }

    /// The local stores that a thread may start in.
    pub fn initial(&self) -> impl Iterator<Item = &'p Store> + use<'p> {
        self.program.templates().iter().flat_map(|template| &template.initial)
    }

    /// The steps of a thread in `local` while the shared store is `shared`.
    pub fn steps(&mut self, shared: &Store, local: &Store) -> Result<Rc<[ThreadMove]>, Rejection> {
        let key = (shared.clone(), local.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(Rc::clone(known));
        }
        let moves = moves(self.program, shared, local)?;
        self.known.insert(key, Rc::clone(&moves));
        Ok(moves)
    }
}

fn moves(
    program: &dyn ThreadProgram,
    shared: &Store,
    local: &Store,
) -> Result<Rc<[ThreadMove]>, Rejection> {
    let mut steps = Steps::new();
    if !program.is_over(shared.bytes()) {
        program.steps(shared.bytes(), local.bytes(), &mut steps);
    }
    if steps.incomplete().is_some() {
        return Err(Rejection::malformed("not all steps of a thread are known"));
    }
    if steps.iter().any(|step| step.spawned().next().is_some() || step.broadcast().is_some()) {
        return Err(Rejection::malformed("a step does not leave other threads alone"));
    }
    let moves = steps.iter().map(|step| ThreadMove {
        shared: Store::new(step.shared()),
        local: step.local().map(Store::new),
        violation: step.violation().map(StepErrorRef::owned),
        label: step.label(),
    });
    Ok(moves.collect())
}

/// Does the shared store change only by steps of threads?
pub(super) fn refuse_environment_steps(
    program: &dyn ThreadProgram,
    shared: &Store,
) -> Result<(), Rejection> {
    let mut steps = Steps::new();
    program.environment_steps(shared.bytes(), &mut steps);
    match steps.is_empty() && steps.incomplete().is_none() {
        true => Ok(()),
        false => Err(Rejection::malformed("a program has steps that no thread takes")),
    }
}
