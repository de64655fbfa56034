//! The stores of a program by number, and what a thread can do in each pair of them.
//!
//! Nothing is asked of the program twice: the steps of a thread state are kept. Which
//! thread states there are, nobody says in advance.

use std::ops::Range;

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

/// What the search needs of a step where it can.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// The shared store after it.
    pub to: Shared,
    /// Where the thread is then.
    pub after: Local,
    /// Does it create no threads and leave all others where they are?
    pub is_plain: bool,
}

/// Shared stores and local stores whose steps are found without a hash.
const MAX_NEAR_SHARED: usize = 1 << 12;
const MAX_NEAR_LOCALS: usize = 1 << 11;

/// How many steps of all that are known lead to a shared store, up to two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WaysIn {
    None,
    One,
    Many,
}

/// All stores seen so far.
pub struct Table<'a> {
    program: &'a dyn ThreadProgram,
    shared: Interner,
    local: Interner,
    /// By shared store and local store; [`ENDED`] stands for the environment.
    known: FxHashMap<(Shared, Local), u32>,
    answers: Vec<Known>,
    /// As `known`, plus one, for stores with small numbers; 0: nobody asked.
    near: Vec<Vec<u32>>,
    /// The moves of all answers.
    moves: Vec<Move>,
    /// Where the moves of each answer end.
    ends: Vec<u32>,
    ways_in: Vec<WaysIn>,
    crossings: Vec<Shared>,
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
            near: Vec::new(),
            moves: Vec::new(),
            ends: vec![0],
            ways_in: Vec::new(),
            crossings: Vec::new(),
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
            near: self.near.clone(),
            moves: self.moves.clone(),
            ends: self.ends.clone(),
            ways_in: self.ways_in.clone(),
            crossings: self.crossings.clone(),
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
        self.keep_moves(&known);
        self.answers.push(known);
        self.known.insert((shared, local), number);
        self.keep_near(shared, local, number);
        Ok(number)
    }

    /// The same, as numbers of moves.
    ///
    /// # Errors
    /// As above.
    #[inline]
    pub fn moves(&mut self, shared: Shared, local: Local) -> Result<Range<usize>, StopReason> {
        let near = self.near.get(shared as usize).and_then(|near| near.get(local as usize));
        let number = match near {
            Some(&number) if number > 0 => number as usize - 1,
            _ => self.known(shared, local)? as usize,
        };
        Ok(self.ends[number] as usize..self.ends[number + 1] as usize)
    }

    /// A move by its number.
    #[inline]
    pub fn move_at(&self, idx: usize) -> Move {
        self.moves[idx]
    }

    fn keep_near(&mut self, shared: Shared, local: Local, number: u32) {
        let (shared, local) = (shared as usize, local as usize);
        if shared >= MAX_NEAR_SHARED || local >= MAX_NEAR_LOCALS {
            return;
        }
        if self.near.len() <= shared {
            self.near.resize_with(shared + 1, Vec::new);
        }
        let near = &mut self.near[shared];
        if near.len() <= local {
            near.resize(local + 1, 0);
        }
        near[local] = number + 1;
    }

    fn keep_moves(&mut self, known: &Known) {
        for step in &known.steps {
            let is_plain = step.broadcast.is_none() && step.spawned.is_empty();
            self.moves.push(Move { to: step.to, after: step.after, is_plain });
            match is_plain {
                true => self.add_way_in(step.to),
                false => self.add_crossing(step.to),
            }
        }
        self.ends.push(self.moves.len() as u32);
    }

    fn add_way_in(&mut self, shared: Shared) {
        match self.ways_in(shared) {
            WaysIn::None => self.ways_in[shared as usize] = WaysIn::One,
            WaysIn::One => self.add_crossing(shared),
            WaysIn::Many => {}
        }
    }

    /// Says that there are several ways to a shared store.
    pub fn add_crossing(&mut self, shared: Shared) {
        if self.ways_in(shared) != WaysIn::Many {
            self.ways_in[shared as usize] = WaysIn::Many;
            self.crossings.push(shared);
        }
    }

    fn ways_in(&mut self, shared: Shared) -> WaysIn {
        let shared = shared as usize;
        if self.ways_in.len() <= shared {
            self.ways_in.resize(shared + 1, WaysIn::None);
        }
        self.ways_in[shared]
    }

    /// The shared stores that more than one step leads to, or one that does something to
    /// other threads, in the order in which that became known. To all others one step
    /// leads, so that a state there has one state before it.
    pub fn crossings(&self) -> &[Shared] {
        &self.crossings
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
