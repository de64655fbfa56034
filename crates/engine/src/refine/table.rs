//! The steps of one of the two programs, as a question about refinement sees them: those of
//! a single thread, in the shared stores that an environment may put there.

use model::{LabelId, Limits, StepError, StepErrorRef, Steps, StopReason, Store, ThreadProgram};

use super::incomplete;
use crate::kernel::step_table::{AnswerId, LocalId, SharedId, StepTable, Taken};

/// One step of a thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThreadMove {
    /// The shared store after it; `None` is one that the environment does not have.
    pub shared: Option<u32>,
    /// The local store after it; `None` when the thread has ended.
    pub local: Option<u32>,
    /// What it is called.
    pub label: LabelId,
    /// Is it an error? What it leaves is not numbered then.
    pub is_error: bool,
    /// Its position in the program's answer.
    pub idx: u32,
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
pub(super) struct SideTable<'p> {
    side: Side<'p>,
    table: StepTable<'p>,
    /// Shared stores that the environment has: those with the lowest numbers. For each,
    /// whether the program has ended there.
    is_over: Vec<bool>,
    until_look: u32,
}

/// What an error leaves, and what it says.
pub(super) struct ErrorEnd {
    pub shared: Store,
    pub local: Option<Store>,
    pub error: StepError,
}

impl<'p> SideTable<'p> {
    /// A table in which `shared` are numbered in this order, equal ones once.
    pub fn new(side: Side<'p>, shared: impl Iterator<Item = Store>) -> SideTable<'p> {
        let mut table = StepTable::new(side.program);
        for store in shared {
            table.shared_id(store.bytes());
        }
        let all = table.all_shared().iter();
        let is_over = all.map(|store| side.program.is_over(store.bytes())).collect();
        SideTable { side, table, is_over, until_look: ASKED_BETWEEN_LOOKS }
    }

    /// The program.
    pub fn program(&self) -> &'p dyn ThreadProgram {
        self.side.program
    }

    /// Shared stores that the environment has.
    pub fn n_shared(&self) -> usize {
        self.is_over.len()
    }

    /// The number of a shared store that the environment has.
    pub fn shared_number(&self, store: &Store) -> Option<u32> {
        self.table.find_shared(store.bytes()).and_then(|shared| self.listed(shared))
    }

    fn listed(&self, shared: SharedId) -> Option<u32> {
        (shared.idx() < self.n_shared()).then_some(shared.0)
    }

    /// The shared store with this number.
    pub fn shared(&self, number: u32) -> &Store {
        self.table.shared(SharedId(number))
    }

    /// The local store with this number.
    pub fn local(&self, number: u32) -> &Store {
        self.table.local(LocalId(number))
    }

    /// The numbers of the local stores that a thread may start in.
    pub fn initial_locals(&mut self) -> Vec<u32> {
        let program = self.side.program;
        let initial = program.templates().iter().flat_map(|template| &template.initial);
        initial.map(|store| self.table.local_id(store.bytes()).0).collect()
    }

    /// Does the shared store never change without a thread?
    ///
    /// # Errors
    /// It may, or a limit was reached.
    pub fn refuse_environment_steps(&mut self) -> Result<(), StopReason> {
        let mut steps = Steps::new();
        for (idx, store) in self.table.all_shared().iter().enumerate() {
            if idx.is_multiple_of(ASKED_BETWEEN_LOOKS as usize) {
                self.side.limits.check()?;
            }
            steps.clear();
            self.side.program.environment_steps(store.bytes(), &mut steps);
            if !steps.is_empty() || steps.incomplete().is_some() {
                let what = "has steps that no thread takes";
                return Err(refused(self.side.name, what));
            }
        }
        Ok(())
    }

    /// The steps of a thread in `local` while the shared store is `shared`, one of the
    /// environment.
    ///
    /// # Errors
    /// One of them is none of a single thread, not all are known, or a limit was reached.
    pub fn moves(
        &mut self,
        local: u32,
        shared: u32,
    ) -> Result<impl Iterator<Item = ThreadMove>, StopReason> {
        self.until_look -= 1;
        if self.until_look == 0 {
            self.until_look = ASKED_BETWEEN_LOOKS;
            self.side.limits.check()?;
        }
        let answer = match self.is_over[shared as usize] {
            true => None,
            false => Some(self.ask(local, shared)?),
        };
        let taken = answer.into_iter().flat_map(|answer| self.table.taken(answer));
        Ok(taken.map(|taken| self.moved(taken)))
    }

    fn moved(&self, taken: Taken) -> ThreadMove {
        match taken {
            Taken::Step(step) => ThreadMove {
                shared: self.listed(step.to),
                local: step.after.map(|local| local.0),
                label: step.label,
                is_error: false,
                idx: step.idx,
            },
            Taken::Error(error) => ThreadMove {
                shared: None,
                local: None,
                label: error.label,
                is_error: true,
                idx: error.idx,
            },
        }
    }

    /// What the error at position `idx` leaves, and what it says.
    pub fn error_end(&self, local: u32, shared: u32, idx: u32) -> Option<ErrorEnd> {
        let mut steps = Steps::new();
        let (before, own) = (self.shared(shared).bytes(), self.local(local).bytes());
        self.side.program.steps(before, own, &mut steps);
        let step = steps.iter().nth(idx as usize)?;
        let error = step.violation().map(StepErrorRef::owned)?;
        let local = step.local().map(Store::new);
        Some(ErrorEnd { shared: Store::new(step.shared()), local, error })
    }

    fn ask(&mut self, local: u32, shared: u32) -> Result<AnswerId, StopReason> {
        let n_before = self.table.n_answers();
        let answer = self.table.ask(SharedId(shared), Some(LocalId(local)));
        if self.table.n_answers() > n_before {
            self.refuse_others(answer)?;
        }
        Ok(answer)
    }

    /// Refuses answers that are about more than a single thread, or not all known.
    fn refuse_others(&self, answer: AnswerId) -> Result<(), StopReason> {
        let whose = self.side.name;
        if let Some(why) = self.table.incomplete(answer) {
            return Err(incomplete(format!("not all steps of the {whose} are known: {why}")));
        }
        for step in self.table.steps(answer) {
            if !self.table.spawned(step).is_empty() {
                return Err(refused(whose, "creates threads"));
            }
            if step.broadcast.is_some() {
                return Err(refused(whose, "has broadcasts, which move other threads"));
            }
        }
        Ok(())
    }
}

fn refused(whose: &str, what: &str) -> StopReason {
    let about = "refinement is about what a single thread does to the shared store";
    incomplete(format!("{about}, and the {whose} {what}"))
}
