//! The stores of a program by number, and what a thread can do in each pair of them: the
//! step table of `kernel`, with what the search through states needs of a step packed, and
//! with the shared stores that several steps lead to.
//!
//! Numbers are those of the step table, but local stores begin at 1: 0 is where threads are
//! that have ended, and stands for the environment among those who step.

use std::ops::Range;

use model::{BroadcastId, StopReason, Store, ThreadProgram};

use crate::kernel::step_table::{AnswerId, LocalId, SharedId, StepTable};

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

/// How many steps of all that are known lead to a shared store, up to two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WaysIn {
    None,
    One,
    Many,
}

/// All stores seen so far.
#[derive(Clone)]
pub struct Table<'a> {
    steps: StepTable<'a>,
    /// The moves of all answers, by the numbers of their steps.
    moves: Vec<Move>,
    ways_in: Vec<WaysIn>,
    crossings: Vec<Shared>,
}

/// The local store with a number, or nobody's.
fn id(local: Local) -> Option<LocalId> {
    local.checked_sub(1).map(LocalId)
}

/// The number of a local store, or of where threads are that have ended.
fn number(local: Option<LocalId>) -> Local {
    local.map_or(ENDED, |local| local.0 + 1)
}

impl<'a> Table<'a> {
    /// A table that knows no store.
    pub fn new(program: &'a dyn ThreadProgram) -> Table<'a> {
        Table {
            steps: StepTable::new(program),
            moves: Vec::new(),
            ways_in: Vec::new(),
            crossings: Vec::new(),
        }
    }

    /// The program.
    pub fn program(&self) -> &'a dyn ThreadProgram {
        self.steps.program()
    }

    /// The number of a shared store.
    pub fn shared_number(&mut self, store: &Store) -> Shared {
        self.steps.shared_id(store.bytes()).0
    }

    /// The number of a local store.
    pub fn local_number(&mut self, store: &Store) -> Local {
        number(Some(self.steps.local_id(store.bytes())))
    }

    /// The shared store with this number.
    pub fn shared(&self, number: Shared) -> &Store {
        self.steps.shared(SharedId(number))
    }

    /// The local store with this number, which is not [`ENDED`].
    pub fn local(&self, number: Local) -> &Store {
        self.steps.local(id(number).expect("somewhere a thread is that has not ended"))
    }

    /// How many shared stores were seen.
    pub fn n_shared(&self) -> usize {
        self.steps.all_shared().len()
    }

    /// The number of what a thread in `local` can do while the shared store is
    /// `shared`; [`ENDED`]: what the environment can.
    ///
    /// # Errors
    /// The program cannot say, or has too many stores.
    pub fn known(&mut self, shared: Shared, local: Local) -> Result<AnswerId, StopReason> {
        let n_before = self.steps.n_answers();
        let answer = self.steps.ask(SharedId(shared), id(local));
        if self.steps.n_answers() > n_before {
            self.keep_moves(answer);
        }
        if let Some(why) = self.steps.incomplete(answer) {
            return Err(StopReason::Incomplete { why: why.to_owned() });
        }
        if self.steps.all_local().len() + 1 >= MAX_LOCALS as usize {
            let why = "the program has more than a million local stores".to_owned();
            return Err(StopReason::Incomplete { why });
        }
        Ok(answer)
    }

    /// The same, as numbers of moves.
    ///
    /// # Errors
    /// As above.
    #[inline]
    pub fn moves(&mut self, shared: Shared, local: Local) -> Result<Range<usize>, StopReason> {
        let answer = match self.steps.near(SharedId(shared), id(local)) {
            Some(answer) => answer,
            None => self.known(shared, local)?,
        };
        Ok(self.steps.range(answer))
    }

    /// A move by its number.
    #[inline]
    pub fn move_at(&self, at: usize) -> Move {
        self.moves[at]
    }

    /// The step behind a move.
    pub fn step_at(&self, at: usize) -> Step {
        let step = self.steps.step(at);
        Step {
            to: step.to.0,
            after: number(step.after),
            spawned: self.steps.spawned(step).iter().map(|&local| number(Some(local))).collect(),
            broadcast: step.broadcast,
            idx: step.idx,
        }
    }

    /// The steps behind a number that [`Table::known`] gave, without errors.
    pub fn steps(&self, answer: AnswerId) -> impl Iterator<Item = Step> {
        self.steps.range(answer).map(|at| self.step_at(at))
    }

    /// The position of the first step behind such a number that is an error.
    pub fn error(&self, answer: AnswerId) -> Option<u32> {
        self.steps.errors(answer).first().map(|error| error.idx)
    }

    fn keep_moves(&mut self, answer: AnswerId) {
        for at in self.steps.range(answer) {
            let step = *self.steps.step(at);
            let is_plain = step.broadcast.is_none() && self.steps.spawned(&step).is_empty();
            self.moves.push(Move { to: step.to.0, after: number(step.after), is_plain });
            match is_plain {
                true => self.add_way_in(step.to.0),
                false => self.add_crossing(step.to.0),
            }
        }
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

    /// Where a thread in `local`, which is not [`ENDED`], may be after a broadcast of another
    /// one; itself if it is not moved.
    pub fn passive(&mut self, broadcast: BroadcastId, local: Local) -> impl Iterator<Item = Local> {
        let local = id(local).expect("somewhere a thread is that has not ended");
        self.steps.passive(broadcast, local).iter().map(|&local| number(Some(local)))
    }
}
