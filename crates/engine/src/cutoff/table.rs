//! The stores of a program by number, and what a thread can do in each pair of them.
//!
//! Nothing is asked of the program twice: the steps of a thread state are kept. Which
//! thread states there are, nobody says in advance.

use model::{BroadcastId, Steps, StopReason, Store, ThreadProgram};
use rustc_hash::FxHashMap;

/// Number of a shared store.
pub type Shared = u32;

/// Number of a local store.
pub type Local = u32;

/// Where threads are that have ended.
pub const ENDED: Local = 0;

/// Numbers of local stores are below; what is above means other things.
pub const MAX_LOCALS: Local = (1 << 20) - 64;

/// A step in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The shared store after it.
    pub to: Shared,
    /// Where the thread is then; [`ENDED`] for steps of the environment.
    pub after: Local,
    /// Threads that it creates.
    pub spawned: Box<[Local]>,
    /// What it does to all others.
    pub broadcast: Option<BroadcastId>,
    /// Its position in the program's answer.
    pub idx: u32,
}

/// What a thread can do in a thread state.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Steps that are no errors.
    pub steps: Box<[Step]>,
    /// The position of a step that is an error.
    pub error: Option<u32>,
}

/// All stores seen so far.
pub struct Table<'a> {
    program: &'a dyn ThreadProgram,
    shared: Interner,
    local: Interner,
    /// By shared store and local store; [`ENDED`] stands for the environment.
    known: FxHashMap<(Shared, Local), u32>,
    answers: Vec<Known>,
    passive: FxHashMap<(BroadcastId, Local), Vec<Local>>,
    buffer: Steps,
}

#[derive(Clone, Default)]
struct Interner {
    stores: Vec<Store>,
    numbers: FxHashMap<Store, u32>,
}

impl Interner {
    fn number(&mut self, bytes: &[u8]) -> u32 {
        let store = Store::new(bytes);
        if let Some(&number) = self.numbers.get(&store) {
            return number;
        }
        let number = self.stores.len() as u32;
        self.stores.push(store.clone());
        self.numbers.insert(store, number);
        number
    }
}

impl<'a> Table<'a> {
    /// A table that knows no store.
    pub fn new(program: &'a dyn ThreadProgram) -> Table<'a> {
        let mut local = Interner::default();
        // No program's store: it is never looked up by its bytes.
        local.stores.push(Store::new(&[]));
        Table {
            program,
            shared: Interner::default(),
            local,
            known: FxHashMap::default(),
            answers: Vec::new(),
            passive: FxHashMap::default(),
            buffer: Steps::new(),
        }
    }

    /// A table that knows the same and goes its own way.
    pub fn fork(&self) -> Table<'a> {
        Table {
            program: self.program,
            shared: self.shared.clone(),
            local: self.local.clone(),
            known: self.known.clone(),
            answers: self.answers.clone(),
            passive: self.passive.clone(),
            buffer: Steps::new(),
        }
    }

    /// The program.
    pub fn program(&self) -> &'a dyn ThreadProgram {
        self.program
    }

    /// The number of a shared store.
    pub fn shared_number(&mut self, store: &Store) -> Shared {
        self.shared.number(store.bytes())
    }

    /// The number of a local store.
    pub fn local_number(&mut self, store: &Store) -> Local {
        self.local.number(store.bytes())
    }

    /// The shared store with this number.
    pub fn shared(&self, number: Shared) -> &Store {
        &self.shared.stores[number as usize]
    }

    /// The local store with this number, which is not [`ENDED`].
    pub fn local(&self, number: Local) -> &Store {
        &self.local.stores[number as usize]
    }

    /// How many shared stores were seen.
    pub fn n_shared(&self) -> usize {
        self.shared.stores.len()
    }

    /// The number of what a thread in `local` can do while the shared store is
    /// `shared`; [`ENDED`]: what the environment can.
    ///
    /// # Errors
    /// The program cannot say, or has too many stores.
    pub fn known(&mut self, shared: Shared, local: Local) -> Result<u32, StopReason> {
        if let Some(&number) = self.known.get(&(shared, local)) {
            return Ok(number);
        }
        let mut steps = std::mem::take(&mut self.buffer);
        steps.clear();
        let before = self.shared.stores[shared as usize].clone();
        match local {
            ENDED => self.program.environment_steps(before.bytes(), &mut steps),
            _ => {
                let local = self.local.stores[local as usize].clone();
                self.program.steps(before.bytes(), local.bytes(), &mut steps);
            }
        }
        let known = self.read(&steps, local == ENDED);
        if let Some(why) = steps.incomplete() {
            return Err(StopReason::Incomplete { why: why.to_owned() });
        }
        self.buffer = steps;
        if self.local.stores.len() >= MAX_LOCALS as usize {
            let why = "the program has more than a million local stores".to_owned();
            return Err(StopReason::Incomplete { why });
        }
        let number = self.answers.len() as u32;
        self.answers.push(known);
        self.known.insert((shared, local), number);
        Ok(number)
    }

    /// What [`Table::known`] gave the number of.
    pub fn answer(&self, number: u32) -> &Known {
        &self.answers[number as usize]
    }

    fn read(&mut self, steps: &Steps, is_environment: bool) -> Known {
        let mut known = Vec::new();
        let mut error = None;
        for (idx, step) in steps.iter().enumerate() {
            if step.violation().is_some() {
                error = error.or(Some(idx as u32));
                continue;
            }
            let after = match step.local().filter(|_| !is_environment) {
                Some(local) => self.local.number(local),
                None => ENDED,
            };
            known.push(Step {
                to: self.shared.number(step.shared()),
                after,
                spawned: step.spawned().map(|local| self.local.number(local)).collect(),
                broadcast: step.broadcast(),
                idx: idx as u32,
            });
        }
        Known { steps: known.into(), error }
    }

    /// Where a thread in `local` may be after a broadcast of another one; itself if it
    /// is not moved.
    pub fn passive(&mut self, broadcast: BroadcastId, local: Local) -> &[Local] {
        if !self.passive.contains_key(&(broadcast, local)) {
            let becomes = self.ask_passive(broadcast, local);
            self.passive.insert((broadcast, local), becomes);
        }
        &self.passive[&(broadcast, local)]
    }

    fn ask_passive(&mut self, broadcast: BroadcastId, local: Local) -> Vec<Local> {
        if local == ENDED {
            return vec![ENDED];
        }
        let mut stores = Vec::new();
        let before = self.local.stores[local as usize].clone();
        self.program.passive(broadcast, before.bytes(), &mut stores);
        let mut becomes: Vec<Local> =
            stores.iter().map(|store| self.local.number(store.bytes())).collect();
        becomes.sort_unstable();
        becomes.dedup();
        if becomes.is_empty() {
            becomes.push(local);
        }
        becomes
    }
}
