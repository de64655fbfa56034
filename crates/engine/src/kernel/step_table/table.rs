//! What a thread can do in each thread state that somebody asked about.

use std::ops::Range;

use model::{BroadcastId, LabelId, StepRef, Steps, Store, ThreadProgram};
use rustc_hash::FxHashMap;

use super::interner::Interner;

/// Number of a shared store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SharedId(pub u32);

/// Number of a local store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(pub u32);

/// Number of what the program answered for a thread state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnswerId(pub u32);

impl SharedId {
    /// As an index.
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

impl LocalId {
    /// As an index.
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

/// A step that is no error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberedStep {
    /// The shared store after it.
    pub to: SharedId,
    /// Where the thread is then; `None` when it has ended, and for the environment.
    pub after: Option<LocalId>,
    /// What it does to all other threads.
    pub broadcast: Option<BroadcastId>,
    /// What it is called.
    pub label: LabelId,
    /// Its position in the program's answer.
    pub idx: u32,
    /// Where the threads that it creates stand.
    first_spawned: u32,
    n_spawned: u32,
}

/// A step that is an error: nothing comes after it, so its stores have no numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorStep {
    /// What it is called.
    pub label: LabelId,
    /// Its position in the program's answer.
    pub idx: u32,
}

/// One of all steps of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It leads on.
    Step(NumberedStep),
    /// It is an error.
    Error(ErrorStep),
}

/// Numbers up to which answers are found without a hash: what most programs have, in a few
/// megabytes at most.
const MAX_NEAR_SHARED: usize = 1 << 12;
const MAX_NEAR_LOCALS: usize = 1 << 11;

/// Where the steps of an answer end; they begin where those of the one before end.
#[derive(Clone, Copy)]
struct Ends {
    steps: u32,
    errors: u32,
}

/// All stores and steps met so far.
#[derive(Clone)]
pub struct StepTable<'p> {
    program: &'p dyn ThreadProgram,
    shared: Interner,
    local: Interner,
    /// Answers whose thread states have no place in `near`.
    far: FxHashMap<(u32, u32), AnswerId>,
    /// By shared store and actor: the number of a complete answer, plus one; 0 where none
    /// is known.
    near: Vec<Vec<u32>>,
    /// Where the answers end, after a zero for the one before the first.
    ends: Vec<Ends>,
    steps: Vec<NumberedStep>,
    errors: Vec<ErrorStep>,
    spawned: Vec<LocalId>,
    /// Why there may be more steps than in an answer.
    incomplete: FxHashMap<AnswerId, Box<str>>,
    /// Where in `becomes` it stands what a broadcast does to a local store.
    passive: FxHashMap<(BroadcastId, LocalId), u32>,
    becomes: Vec<Box<[LocalId]>>,
    buffer: Steps,
}

/// The environment stands before all local stores.
fn column(actor: Option<LocalId>) -> u32 {
    actor.map_or(0, |local| local.0 + 1)
}

impl<'p> StepTable<'p> {
    /// A table that knows no store.
    pub fn new(program: &'p dyn ThreadProgram) -> StepTable<'p> {
        StepTable {
            program,
            shared: Interner::default(),
            local: Interner::default(),
            far: FxHashMap::default(),
            near: Vec::new(),
            ends: vec![Ends { steps: 0, errors: 0 }],
            steps: Vec::new(),
            errors: Vec::new(),
            spawned: Vec::new(),
            incomplete: FxHashMap::default(),
            passive: FxHashMap::default(),
            becomes: Vec::new(),
            buffer: Steps::new(),
        }
    }

    /// The program.
    pub fn program(&self) -> &'p dyn ThreadProgram {
        self.program
    }

    /// The number of a shared store, which it gets if it has none.
    pub fn shared_id(&mut self, bytes: &[u8]) -> SharedId {
        SharedId(self.shared.number(bytes))
    }

    /// The number of a local store, which it gets if it has none.
    pub fn local_id(&mut self, bytes: &[u8]) -> LocalId {
        LocalId(self.local.number(bytes))
    }

    /// The number of a shared store that was met.
    pub fn find_shared(&self, bytes: &[u8]) -> Option<SharedId> {
        self.shared.find(bytes).map(SharedId)
    }

    /// The number of a local store that was met.
    pub fn find_local(&self, bytes: &[u8]) -> Option<LocalId> {
        self.local.find(bytes).map(LocalId)
    }

    /// A shared store.
    pub fn shared(&self, shared: SharedId) -> &Store {
        self.shared.store(shared.0)
    }

    /// A local store.
    pub fn local(&self, local: LocalId) -> &Store {
        self.local.store(local.0)
    }

    /// All shared stores, by number.
    pub fn all_shared(&self) -> &[Store] {
        self.shared.stores()
    }

    /// All local stores, by number.
    pub fn all_local(&self) -> &[Store] {
        self.local.stores()
    }

    /// What `actor` can do while the shared store is `shared`: a thread in a local store, or
    /// the environment. The stores of all its steps get numbers.
    pub fn ask(&mut self, shared: SharedId, actor: Option<LocalId>) -> AnswerId {
        if let Some(answer) = self.near(shared, actor) {
            return answer;
        }
        let key = (shared.0, column(actor));
        if let Some(&answer) = self.far.get(&key) {
            return answer;
        }
        let answer = self.compute(shared, actor);
        let is_near = shared.idx() < MAX_NEAR_SHARED && (key.1 as usize) < MAX_NEAR_LOCALS;
        if is_near && self.incomplete(answer).is_none() {
            self.put_near(key, answer);
        } else {
            self.far.insert(key, answer);
        }
        answer
    }

    /// The same where that is known already, complete, and found without a hash.
    #[inline]
    pub fn near(&self, shared: SharedId, actor: Option<LocalId>) -> Option<AnswerId> {
        let number = *self.near.get(shared.idx())?.get(column(actor) as usize)?;
        number.checked_sub(1).map(AnswerId)
    }

    /// How many questions were answered.
    pub fn n_answers(&self) -> usize {
        self.ends.len() - 1
    }

    /// The steps of an answer that are no errors, as a range for [`StepTable::step`].
    #[inline]
    pub fn range(&self, answer: AnswerId) -> Range<usize> {
        let at = answer.0 as usize;
        self.ends[at].steps as usize..self.ends[at + 1].steps as usize
    }

    /// A step that is no error, by its number in the table.
    pub fn step(&self, at: usize) -> &NumberedStep {
        &self.steps[at]
    }

    /// The steps of an answer that are no errors.
    pub fn steps(&self, answer: AnswerId) -> &[NumberedStep] {
        &self.steps[self.range(answer)]
    }

    /// The steps of an answer that are errors.
    pub fn errors(&self, answer: AnswerId) -> &[ErrorStep] {
        let at = answer.0 as usize;
        &self.errors[self.ends[at].errors as usize..self.ends[at + 1].errors as usize]
    }

    /// All steps of an answer, as the program orders them.
    pub fn taken(&self, answer: AnswerId) -> impl Iterator<Item = Taken> {
        let mut steps = self.steps(answer).iter().copied().peekable();
        let mut errors = self.errors(answer).iter().copied().peekable();
        std::iter::from_fn(move || match (steps.peek(), errors.peek()) {
            (Some(step), Some(error)) if error.idx < step.idx => errors.next().map(Taken::Error),
            (None, _) => errors.next().map(Taken::Error),
            (Some(_), _) => steps.next().map(Taken::Step),
        })
    }

    /// Why there may be more steps than those of an answer.
    pub fn incomplete(&self, answer: AnswerId) -> Option<&str> {
        self.incomplete.get(&answer).map(|why| &**why)
    }

    /// Where the threads are that a step creates.
    pub fn spawned(&self, step: &NumberedStep) -> &[LocalId] {
        &self.spawned[step.first_spawned as usize..][..step.n_spawned as usize]
    }

    /// Where a thread in `local` may be after a broadcast of another one, ascending; where
    /// it is if it is not moved.
    pub fn passive(&mut self, broadcast: BroadcastId, local: LocalId) -> &[LocalId] {
        let at = match self.passive.get(&(broadcast, local)) {
            Some(&at) => at,
            None => {
                let becomes = self.ask_passive(broadcast, local);
                self.becomes.push(becomes.into());
                self.passive.insert((broadcast, local), self.becomes.len() as u32 - 1);
                self.becomes.len() as u32 - 1
            }
        };
        &self.becomes[at as usize]
    }

    fn ask_passive(&mut self, broadcast: BroadcastId, local: LocalId) -> Vec<LocalId> {
        let mut stores = Vec::new();
        self.program.passive(broadcast, self.local(local).bytes(), &mut stores);
        let mut becomes: Vec<LocalId> =
            stores.iter().map(|store| self.local_id(store.bytes())).collect();
        becomes.sort_unstable();
        becomes.dedup();
        if becomes.is_empty() {
            becomes.push(local);
        }
        becomes
    }

    fn compute(&mut self, shared: SharedId, actor: Option<LocalId>) -> AnswerId {
        let mut steps = std::mem::take(&mut self.buffer);
        steps.clear();
        let before = self.shared(shared).bytes();
        match actor {
            Some(local) => self.program.steps(before, self.local(local).bytes(), &mut steps),
            None => self.program.environment_steps(before, &mut steps),
        }
        for (idx, step) in (0..).zip(steps.iter()) {
            self.keep(idx, &step, actor.is_some());
        }
        let answer = AnswerId(self.ends.len() as u32 - 1);
        let (n_steps, n_errors) = (self.steps.len() as u32, self.errors.len() as u32);
        self.ends.push(Ends { steps: n_steps, errors: n_errors });
        if let Some(why) = steps.incomplete() {
            self.incomplete.insert(answer, why.into());
        }
        self.buffer = steps;
        answer
    }

    fn keep(&mut self, idx: u32, step: &StepRef<'_>, is_of_thread: bool) {
        let label = step.label();
        if step.violation().is_some() {
            self.errors.push(ErrorStep { label, idx });
            return;
        }
        let to = self.shared_id(step.shared());
        // A step of the environment has no thread whose store could change.
        let after = step.local().filter(|_| is_of_thread).map(|local| self.local_id(local));
        let first_spawned = self.spawned.len() as u32;
        for local in step.spawned() {
            let local = self.local_id(local);
            self.spawned.push(local);
        }
        let n_spawned = self.spawned.len() as u32 - first_spawned;
        let broadcast = step.broadcast();
        self.steps.push(NumberedStep {
            to,
            after,
            broadcast,
            label,
            idx,
            first_spawned,
            n_spawned,
        });
    }

    fn put_near(&mut self, (shared, column): (u32, u32), answer: AnswerId) {
        let (shared, column) = (shared as usize, column as usize);
        if self.near.len() <= shared {
            self.near.resize_with(shared + 1, Vec::new);
        }
        let row = &mut self.near[shared];
        if row.len() <= column {
            row.resize(column + 1, 0);
        }
        row[column] = answer.0 + 1;
    }
}
