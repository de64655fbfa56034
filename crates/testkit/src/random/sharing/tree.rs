//! The syntax tree of programs that share memory: what the generator makes, what is printed
//! as C, and what the oracle runs.
//!
//! Threads are functions with registers of their own, which nobody else can see; everything
//! else lies in memory. What is shared and changes is a number, a pointer or a [`Place`] in a
//! node: `struct node { int a, b; atomic_int n; struct node *next; }`.

/// Numbers that a thread has in registers: `x0`, `x1`, …
pub const N_NUMBERS: usize = 3;
/// Pointers that a thread has in registers: `p0`, `p1`, …
pub const N_POINTERS: usize = 4;
/// Members of a node.
pub const N_MEMBERS: usize = 4;
/// The first number of a node.
pub const A: u8 = 0;
/// The second one.
pub const B: u8 = 1;
/// The atomic number of a node.
pub const N: u8 = 2;
/// The node behind it.
pub const NEXT: u8 = 3;

/// A program: `threads[0]` is `main`.
#[derive(Clone, Debug)]
pub struct Program {
    /// Variables with static storage duration.
    pub globals: Vec<Global>,
    /// How many mutexes there are.
    pub n_mutexes: u8,
    /// The functions of threads.
    pub threads: Vec<Vec<Statement>>,
}

/// A variable with static storage duration; all begin with zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Global {
    /// `int`
    Number,
    /// `atomic_int`
    AtomicNumber,
    /// `struct node *`
    Pointer,
    /// `struct node *_Atomic`
    AtomicPointer,
    /// `struct node *[2]`
    Pointers,
    /// `struct node`
    Node,
    /// `_Thread_local struct node`: one for each thread.
    ThreadLocal,
}

/// Where something lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// A variable with static storage duration, or this thread's copy of a thread-local one.
    Global(u8),
    /// A variable of a block.
    Local(u8),
    /// Where a pointer leads.
    Behind(u8),
}

/// A part of something, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// In what.
    pub base: Base,
    /// Which part: of an array or a node.
    pub part: u8,
}

/// A register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// `x0` …
    Number(u8),
    /// `p0` …
    Pointer(u8),
}

/// What is computed, from registers alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A constant.
    Constant(i8),
    /// The number in a register and a constant.
    Sum(u8, i8),
    /// No object.
    Null,
    /// The pointer in a register.
    Pointer(u8),
}

/// An order of C11.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// `memory_order_relaxed`
    Relaxed,
    /// `memory_order_acquire`
    Acquire,
    /// `memory_order_release`
    Release,
    /// `memory_order_acq_rel`
    Both,
    /// `memory_order_seq_cst`
    Total,
}

impl Order {
    /// Is it at least an acquire?
    pub fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::Both | Order::Total)
    }

    /// Is it at least a release?
    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::Both | Order::Total)
    }
}

/// A read into a register; without an order it is not atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Where the value goes.
    pub to: Register,
    /// What is read.
    pub from: Place,
    /// `None`: not atomic.
    pub order: Option<Order>,
}

/// What a read-modify-write does to the old value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// `atomic_fetch_add`
    Add,
    /// `atomic_fetch_sub`
    Subtract,
    /// `atomic_exchange`
    Exchange,
}

/// How a block of memory is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// `malloc`, all members of which are then set.
    Malloc,
    /// `calloc`, whose `a` and `n` are then set.
    Calloc,
}

/// What is asked of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `p`
    IsSet(u8),
    /// `!p`
    IsNull(u8),
    /// `x == k`
    Equals(u8, i8),
    /// `x != k`
    Differs(u8, i8),
    /// `p == q`
    Same(u8, u8),
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A read.
    Load(Load),
    /// Reads until a condition holds.
    Poll {
        /// What is read each time.
        load: Load,
        /// When that is enough.
        until: Condition,
        /// How often at most; `None`: for ever.
        times: Option<u8>,
    },
    /// A write.
    Store {
        /// Where the value goes.
        to: Place,
        /// The value.
        value: Operand,
        /// `None`: not atomic.
        order: Option<Order>,
    },
    /// A read-modify-write.
    Update {
        /// Where the old value goes.
        old: Register,
        /// What is changed.
        place: Place,
        /// How.
        change: Change,
        /// With what.
        value: Operand,
        /// Its order.
        order: Order,
    },
    /// A strong compare-exchange.
    CompareExchange {
        /// The number's register that gets 1 if it succeeds, or else 0.
        done: u8,
        /// What is changed.
        place: Place,
        /// What must be there.
        expected: Operand,
        /// What is there then.
        desired: Operand,
        /// The order if it succeeds.
        success: Order,
        /// The order if not.
        failure: Order,
    },
    /// `atomic_thread_fence`
    Fence(Order),
    /// `pthread_mutex_lock`
    Lock(u8),
    /// `pthread_mutex_unlock`
    Unlock(u8),
    /// `pthread_mutex_trylock`; if it succeeds, something and `pthread_mutex_unlock`.
    TryLock {
        /// Which one.
        mutex: u8,
        /// What is done with it.
        body: Vec<Statement>,
    },
    /// A new node.
    New {
        /// The pointer's register that leads to it.
        to: u8,
        /// How it is made.
        source: Source,
        /// Its first number.
        a: i8,
        /// Its atomic number.
        n: i8,
    },
    /// `p = realloc(p, 2 * sizeof *p)`
    Grow(u8),
    /// `free(p)`
    Free(u8),
    /// `p = &variable`
    AddressOf {
        /// The pointer's register.
        to: u8,
        /// The variable.
        of: Base,
    },
    /// `if`
    If {
        /// The condition.
        condition: Condition,
        /// What is done if it holds.
        body: Vec<Statement>,
    },
    /// A block with a node of its own.
    Block {
        /// The number of the variable.
        local: u8,
        /// Its first number.
        a: i8,
        /// Its atomic number.
        n: i8,
        /// What is done in the block.
        body: Vec<Statement>,
    },
    /// `assert`
    Assert(Condition),
    /// `pthread_create`
    Start {
        /// Which thread.
        thread: u8,
        /// The pointer's register that it gets, as its `p0`.
        argument: Option<u8>,
    },
    /// `pthread_join`
    Join {
        /// Which thread.
        thread: u8,
        /// The pointer's register for its result.
        to: Option<u8>,
    },
    /// `return` of the thread's function, with the pointer of a register.
    Return(Option<u8>),
}

impl Statement {
    /// The statements within.
    pub fn body(&self) -> Option<&Vec<Statement>> {
        match self {
            Statement::TryLock { body, .. }
            | Statement::If { body, .. }
            | Statement::Block { body, .. } => Some(body),
            _ => None,
        }
    }

    /// The statements within, to be changed.
    pub fn body_mut(&mut self) -> Option<&mut Vec<Statement>> {
        match self {
            Statement::TryLock { body, .. }
            | Statement::If { body, .. }
            | Statement::Block { body, .. } => Some(body),
            _ => None,
        }
    }
}

impl Program {
    /// Is there a statement of this kind?
    pub fn has(&self, is_wanted: impl Fn(&Statement) -> bool + Copy) -> bool {
        fn any(body: &[Statement], is_wanted: impl Fn(&Statement) -> bool + Copy) -> bool {
            body.iter().any(|statement| {
                is_wanted(statement) || statement.body().is_some_and(|body| any(body, is_wanted))
            })
        }
        self.threads.iter().any(|body| any(body, is_wanted))
    }
}
