//! The steps of one of the two programs, by numbers for its stores, each computed once.

use model::{LabelId, Limits, StepError, StepErrorRef, Steps, StopReason, Store, ThreadProgram};
use rustc_hash::FxHashMap;

use super::incomplete;

/// One step of a thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// The shared store after it; `None` is one that is not numbered.
    pub shared: Option<u32>,
    /// The local store after it; `None` when the thread has ended.
    pub local: Option<u32>,
    /// What it is called.
    pub label: LabelId,
    /// Is it an error?
    pub is_error: bool,
}

/// Questions to a table between two looks at the limits.
const ASKED_BETWEEN_LOOKS: u32 = 1024;

/// Whose steps a table has, and how long they may be computed.
#[derive(Clone, Copy)]
pub(super) struct Side<'p> {
    pub program: &'p dyn ThreadProgram,
    pub name: &'static str,
    pub limits: &'p Limits,
}

/// The steps of one program.
pub(super) struct StepTable<'p> {
    pub program: &'p dyn ThreadProgram,
    whose: &'static str,
    limits: &'p Limits,
    until_look: u32,
    shared: Vec<Store>,
    shared_numbers: FxHashMap<Store, u32>,
    locals: Vec<Store>,
    local_numbers: FxHashMap<Store, u32>,
    moves: Vec<Move>,
    /// The moves of a local store in a shared one, as a range.
    ranges: FxHashMap<(u32, u32), (u32, u32)>,
    buffer: Steps,
}

impl<'p> StepTable<'p> {
    /// A table in which `shared` are numbered in this order, equal ones once.
    pub fn new(side: Side<'p>, shared: impl Iterator<Item = Store>) -> StepTable<'p> {
        let mut table = StepTable {
            program: side.program,
            whose: side.name,
            limits: side.limits,
            until_look: ASKED_BETWEEN_LOOKS,
            shared: Vec::new(),
            shared_numbers: FxHashMap::default(),
            locals: Vec::new(),
            local_numbers: FxHashMap::default(),
            moves: Vec::new(),
            ranges: FxHashMap::default(),
            buffer: Steps::new(),
        };
        for store in shared {
            if !table.shared_numbers.contains_key(&store) {
                table.shared_numbers.insert(store.clone(), table.shared.len() as u32);
                table.shared.push(store);
            }
        }
        table
    }

    /// Shared stores that are numbered.
    pub fn n_shared(&self) -> usize {
        self.shared.len()
    }

    /// The number of a shared store.
    pub fn shared_number(&self, store: &Store) -> Option<u32> {
        self.shared_numbers.get(store).copied()
    }

    /// The shared store with this number.
    pub fn shared(&self, number: u32) -> &Store {
        &self.shared[number as usize]
    }

    /// The local store with this number.
    pub fn local(&self, number: u32) -> &Store {
        &self.locals[number as usize]
    }

    /// The number of a local store, which it gets if it has none.
    pub fn local_number(&mut self, bytes: &[u8]) -> u32 {
        let store = Store::new(bytes);
        if let Some(&number) = self.local_numbers.get(&store) {
            return number;
        }
        let number = self.locals.len() as u32;
        self.locals.push(store.clone());
        self.local_numbers.insert(store, number);
        number
    }

    /// The numbers of the local stores that a thread may start in.
    pub fn initial_locals(&mut self) -> Vec<u32> {
        let program = self.program;
        let initial = program.templates().iter().flat_map(|template| &template.initial);
        initial.map(|store| self.local_number(store.bytes())).collect()
    }

    /// Does the shared store never change without a thread?
    ///
    /// # Errors
    /// It may, or a limit was reached.
    pub fn refuse_environment_steps(&mut self) -> Result<(), StopReason> {
        for (idx, store) in self.shared.iter().enumerate() {
            if idx.is_multiple_of(ASKED_BETWEEN_LOOKS as usize) {
                self.limits.check()?;
            }
            self.buffer.clear();
            self.program.environment_steps(store.bytes(), &mut self.buffer);
            if !self.buffer.is_empty() {
                let what = "has steps that no thread takes";
                return Err(refused(self.whose, what));
            }
        }
        Ok(())
    }

    /// The steps of a thread in `local` while the shared store is `shared`, as a range for
    /// [`StepTable::moved`].
    ///
    /// # Errors
    /// One of them is none of a single thread, not all are known, or a limit was reached.
    pub fn moves(&mut self, local: u32, shared: u32) -> Result<std::ops::Range<u32>, StopReason> {
        self.until_look -= 1;
        if self.until_look == 0 {
            self.until_look = ASKED_BETWEEN_LOOKS;
            self.limits.check()?;
        }
        if let Some(&(start, end)) = self.ranges.get(&(local, shared)) {
            return Ok(start..end);
        }
        let start = self.moves.len() as u32;
        self.look(local, shared)?;
        let end = self.moves.len() as u32;
        self.ranges.insert((local, shared), (start, end));
        Ok(start..end)
    }

    /// A step by its number.
    pub fn moved(&self, number: u32) -> Move {
        self.moves[number as usize]
    }

    /// The error that a step with this label is.
    pub fn error_of(&mut self, local: u32, shared: u32, label: LabelId) -> Option<StepError> {
        let mut steps = Steps::new();
        self.program.steps(self.shared(shared).bytes(), self.local(local).bytes(), &mut steps);
        let found = steps.iter().filter(|step| step.label() == label).find_map(|s| s.violation());
        found.map(StepErrorRef::owned)
    }

    fn look(&mut self, local: u32, shared: u32) -> Result<(), StopReason> {
        let store = self.shared[shared as usize].clone();
        if self.program.is_over(store.bytes()) {
            return Ok(());
        }
        let mut steps = std::mem::take(&mut self.buffer);
        steps.clear();
        self.program.steps(store.bytes(), self.locals[local as usize].bytes(), &mut steps);
        let looked = self.take(&steps);
        self.buffer = steps;
        looked
    }

    fn take(&mut self, steps: &Steps) -> Result<(), StopReason> {
        if let Some(why) = steps.incomplete() {
            return Err(incomplete(format!(
                "not all steps of the {} are known: {why}",
                self.whose
            )));
        }
        for step in steps.iter() {
            if step.spawned().next().is_some() {
                return Err(refused(self.whose, "creates threads"));
            }
            if step.broadcast().is_some() {
                return Err(refused(self.whose, "has broadcasts, which move other threads"));
            }
            let local = step.local().map(|bytes| self.local_number(bytes));
            self.moves.push(Move {
                shared: self.shared_numbers.get(&Store::new(step.shared())).copied(),
                local,
                label: step.label(),
                is_error: step.violation().is_some(),
            });
        }
        Ok(())
    }
}

fn refused(whose: &str, what: &str) -> StopReason {
    let about = "refinement is about what a single thread does to the shared store";
    incomplete(format!("{about}, and the {whose} {what}"))
}
