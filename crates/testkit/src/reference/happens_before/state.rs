//! States of a program that shares memory, with the clocks that say what happens before what.

use crate::random::sharing::{Global, N_MEMBERS, N_NUMBERS, N_POINTERS, NEXT, Program};

/// Threads of a program, at most.
pub const MAX_THREADS: usize = 4;
/// Variables of blocks in a function, at most.
pub const MAX_LOCALS: usize = 3;

/// A vector clock: for each thread, how many stretches of it are known. A stretch ends where
/// a thread releases something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Clock(pub [u8; MAX_THREADS]);

impl Clock {
    /// Learns what another clock knows.
    pub fn join(&mut self, other: Clock) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine = theirs.max(*mine);
        }
    }
}

/// The number of an object in a state.
pub type ObjectId = u8;

/// What a register or a part of an object has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// A number.
    Number(i8),
    /// The start of an object; `None` is null.
    Pointer(Option<ObjectId>),
}

/// Which end an object has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// None.
    Static,
    /// That of a block or of a thread.
    Automatic,
    /// `free`
    Heap,
}

/// A part of an object that is read and written as a whole, with the last accesses of each
/// thread: the stretch that it was in, 0 for none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// Its value.
    pub value: Value,
    /// Reads that are not atomic.
    pub reads: Clock,
    /// Writes that are not atomic.
    pub writes: Clock,
    /// Atomic reads.
    pub atomic_reads: Clock,
    /// Atomic writes.
    pub atomic_writes: Clock,
    /// The release sequences that the value belongs to, by the thread that heads them: what
    /// is known to who acquires it.
    pub released: [Clock; MAX_THREADS],
}

impl Cell {
    fn new(value: Value) -> Cell {
        Cell {
            value,
            reads: Clock::default(),
            writes: Clock::default(),
            atomic_reads: Clock::default(),
            atomic_writes: Clock::default(),
            released: Default::default(),
        }
    }
}

/// An object in memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Object {
    /// How it ends.
    pub kind: Kind,
    /// Where it lies: no two objects that live lie in one place.
    pub address: u8,
    /// Its parts; of an object that has ended, none.
    pub cells: Vec<Cell>,
    /// Who ended it, in which stretch.
    pub ended: Option<(u8, u8)>,
}

impl Object {
    /// One that begins, not placed yet.
    pub fn new(kind: Kind, cells: Vec<Cell>) -> Object {
        Object { kind, address: 0, cells, ended: None }
    }

    /// Has it not ended yet?
    pub fn lives(&self) -> bool {
        !self.cells.is_empty()
    }
}

/// How far a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Nobody has started it.
    Unborn,
    /// It runs.
    Running,
    /// It has ended.
    Ended,
    /// Somebody has joined it.
    Joined,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Thread {
    /// How far it is.
    pub phase: Phase,
    /// Its next operation.
    pub next: usize,
    /// Its numbers.
    pub numbers: [i8; N_NUMBERS],
    /// Its pointers.
    pub pointers: [Option<ObjectId>; N_POINTERS],
    /// The variables of its blocks.
    pub locals: [Option<ObjectId>; MAX_LOCALS],
    /// Its copies of thread-local variables, with the numbers of those.
    pub own: Vec<(u8, ObjectId)>,
    /// What it returns.
    pub result: Option<ObjectId>,
    /// What happens before its next operation.
    pub now: Clock,
    /// What its next acquire fence adds: C11 7.17.4p3 and p4.
    pub read_relaxed: Clock,
    /// What it knew at its last release fence: C11 7.17.4p2 and p3.
    pub at_fence: Clock,
}

/// A mutex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mutex {
    /// Who has it.
    pub owner: Option<u8>,
    /// What was known to those who gave it back.
    pub released: Clock,
}

/// All of a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// Its threads.
    pub threads: Vec<Thread>,
    /// Its objects; first those of static variables, by their numbers.
    pub objects: Vec<Object>,
    /// Its mutexes.
    pub mutexes: Vec<Mutex>,
}

impl State {
    /// Before the first operation of `main`.
    pub fn first(program: &Program) -> State {
        let mut state = State {
            threads: vec![unborn(); program.threads.len()],
            objects: Vec::new(),
            mutexes: vec![Mutex::default(); usize::from(program.n_mutexes)],
        };
        for global in &program.globals {
            let object = Object::new(Kind::Static, zeros(*global));
            state.place(object, None);
        }
        state.start(program, 0);
        state
    }

    /// Has a thread run. What it knows at its start is already in its clock. Its copies of
    /// thread-local variables get their values when it starts (6.2.4p4), as if it wrote them.
    pub fn start(&mut self, program: &Program, thread: usize) {
        for (number, global) in program.globals.iter().enumerate() {
            if *global == Global::ThreadLocal {
                let mut cells = zeros(Global::Node);
                cells.iter_mut().for_each(|cell| cell.writes.0[thread] = 1);
                let object = Object::new(Kind::Automatic, cells);
                let object = self.place(object, None);
                self.threads[thread].own.push((number as u8, object));
            }
        }
        self.threads[thread].phase = Phase::Running;
        self.threads[thread].now.0[thread] = 1;
    }

    /// Adds an object, at an address that has been used before or at a new one.
    pub fn place(&mut self, object: Object, address: Option<u8>) -> ObjectId {
        let unused = self.objects.iter().map(|object| object.address + 1).max().unwrap_or(0);
        let id = u8::try_from(self.objects.len()).expect("programs are small");
        self.objects.push(Object { address: address.unwrap_or(unused), ..object });
        id
    }

    /// Addresses where objects have ended and nobody lies now.
    pub fn left_addresses(&self) -> Vec<u8> {
        let is_taken =
            |address| self.objects.iter().any(|object| object.lives() && object.address == address);
        let mut left: Vec<u8> = self.objects.iter().map(|object| object.address).collect();
        left.sort_unstable();
        left.dedup();
        left.retain(|&address| !is_taken(address));
        left
    }

    /// Do two pointers compare equal?
    pub fn is_same(&self, one: Option<ObjectId>, other: Option<ObjectId>) -> bool {
        let address = |id: Option<ObjectId>| id.map(|id| self.objects[usize::from(id)].address);
        address(one) == address(other)
    }

    /// Forgets accesses that happen before all that can still follow: every running thread
    /// knows them, and later threads are started by those.
    pub fn forget_what_all_know(&mut self) {
        for thread in 0..self.threads.len() {
            let others = self.threads.iter().enumerate();
            let known = others
                .filter(|(other, it)| *other != thread && it.phase == Phase::Running)
                .map(|(_, it)| it.now.0[thread])
                .min()
                .unwrap_or(u8::MAX);
            let cells = self.objects.iter_mut().flat_map(|object| &mut object.cells);
            for cell in cells {
                let clocks = [
                    &mut cell.reads,
                    &mut cell.writes,
                    &mut cell.atomic_reads,
                    &mut cell.atomic_writes,
                ];
                for clock in clocks {
                    if clock.0[thread] <= known {
                        clock.0[thread] = 0;
                    }
                }
            }
        }
    }
}

fn unborn() -> Thread {
    Thread {
        phase: Phase::Unborn,
        next: 0,
        numbers: [0; N_NUMBERS],
        pointers: [None; N_POINTERS],
        locals: [None; MAX_LOCALS],
        own: Vec::new(),
        result: None,
        now: Clock::default(),
        read_relaxed: Clock::default(),
        at_fence: Clock::default(),
    }
}

/// The parts of a variable, all zero.
fn zeros(global: Global) -> Vec<Cell> {
    let (number, null) = (Cell::new(Value::Number(0)), Cell::new(Value::Pointer(None)));
    match global {
        Global::Number | Global::AtomicNumber => vec![number],
        Global::Pointer | Global::AtomicPointer => vec![null],
        Global::Pointers => vec![null; 2],
        // One that nobody uses: each thread has its own.
        Global::ThreadLocal => vec![number],
        Global::Node => node([0, 0]),
    }
}

/// The parts of a node whose `a` and `n` have these values.
pub fn node([a, n]: [i8; 2]) -> Vec<Cell> {
    let mut parts: Vec<Cell> =
        [a, 0, n, 0].into_iter().map(|number| Cell::new(Value::Number(number))).collect();
    debug_assert_eq!(parts.len(), N_MEMBERS);
    parts[usize::from(NEXT)].value = Value::Pointer(None);
    parts
}
