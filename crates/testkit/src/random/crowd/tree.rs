//! What the programs are made of.

/// Plain numbers that threads share: `g0` and so on.
pub const N_PLAIN: u8 = 3;
/// Atomic ones: `a0` and so on.
pub const N_ATOMICS: u8 = 3;
/// Mutexes: `m0` and so on.
pub const N_MUTEXES: u8 = 2;
/// Local variables of a function: `x` and `y`.
pub const N_LOCALS: u8 = 2;

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// What each mutex is.
    pub mutexes: Vec<MutexKind>,
    /// Is there a semaphore?
    pub has_semaphore: bool,
    /// How many threads it lets in at first.
    pub tickets: u8,
    /// The functions that threads run.
    pub workers: Vec<Vec<Statement>>,
    /// A function that they call.
    pub assistant: Vec<Statement>,
    /// What threads are given.
    pub argument: Argument,
    /// The first thread.
    pub first: First,
}

/// What the first thread does.
#[derive(Clone, Debug)]
pub struct First {
    /// Before there are threads.
    pub before: Vec<Statement>,
    /// After each creation, in the loop.
    pub between: Vec<Statement>,
    /// After the last creation.
    pub meanwhile: Vec<Statement>,
    /// After the joins.
    pub after: Vec<Statement>,
    /// Is each worker created in a loop of its own?
    pub has_loops_of_their_own: bool,
    /// Where the handles are kept.
    pub handles: Handles,
    /// Which threads are joined.
    pub joins: Joins,
    /// Does it end with `pthread_exit`?
    pub leaves_threads: bool,
}

/// Where handles are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handles {
    /// In one variable, which each creation overwrites.
    One,
    /// In an array that others come to again.
    Ring,
    /// In an array in allocated memory, as large as needed.
    Allocated,
    /// In a local array, as large as needed.
    Local,
}

/// Which threads are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joins {
    /// All, where there are handles of all.
    All,
    /// Those in the first half.
    Half,
    /// None; all are detached.
    Detached,
    /// None.
    Nobody,
}

/// What a thread is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Nothing.
    Null,
    /// Its number, of two.
    Number,
    /// An input.
    Input,
    /// The address of a cell of the shared array.
    Cell,
    /// An allocated block, which it frees.
    Block,
}

/// A kind of mutex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutexKind {
    /// The usual one.
    Plain,
    /// Whoever has it may lock it again.
    Recursive,
    /// Whoever has it is told so.
    ErrorChecking,
}

/// What protects a plain variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// A mutex.
    Mutex(u8),
    /// An atomic that is one while somebody is within.
    Spinning(u8),
    /// The semaphore.
    Semaphore,
    /// The read-write lock, for writing.
    Writing,
    /// The read-write lock, for reading.
    Reading,
    /// An atomic section.
    Section,
}

/// A number.
#[derive(Clone, Debug)]
pub enum Expression {
    /// A constant.
    Number(u8),
    /// An input.
    Input,
    /// What the thread was given.
    Argument,
    /// What an atomic holds.
    Atomic(u8),
    /// What a place holds.
    Read(Place),
    /// Of two numbers.
    Binary(Box<(Expression, Operator, Expression)>),
}

/// Operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Sum,
    /// `/`
    Quotient,
    /// `==`
    Equal,
    /// `!=`
    Different,
    /// `<=`
    AtMost,
}

/// Where a number lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A local variable.
    Local(u8),
    /// A plain variable that threads share.
    Plain(u8),
    /// A variable that each thread has one of.
    Own,
    /// A cell of the shared array.
    Cell(u8),
    /// The cell of the shared array that a local variable says.
    CellAt(u8),
    /// Where the local pointer points.
    There,
}

/// What threads do.
#[derive(Clone, Debug)]
pub enum Statement {
    /// Writes a number below 4.
    Assign(Place, Expression),
    /// Makes the local pointer point somewhere.
    Point(Place),
    /// Stores to an atomic, a number below 4.
    Store(u8, Expression),
    /// Adds to an atomic.
    Add(u8, i8),
    /// Adds one to an atomic; a local variable gets what it was.
    AddInto(u8, u8),
    /// Exchanges an atomic if it holds what is expected; a local variable gets whether.
    Exchange { atomic: u8, expected: u8, desired: u8, local: u8 },
    /// Does something under a guard.
    Guarded(Guard, Vec<Statement>),
    /// Does something if a mutex is free.
    Try(u8, Vec<Statement>),
    /// Locks a mutex; a local variable gets what that gives.
    LockInto(u8, u8),
    /// Unlocks it; a local variable gets what that gives.
    UnlockInto(u8, u8),
    /// Waits for a condition under the first mutex, then does something.
    Await(Expression, Vec<Statement>),
    /// Wakes one who waits.
    Signal,
    /// Wakes all who wait.
    Broadcast,
    /// Posts the semaphore.
    Post,
    /// Either, by a condition.
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// So many times.
    Repeat(u8, Vec<Statement>),
    /// For as long as an input says so.
    Wander(Vec<Statement>),
    /// Until an atomic holds this.
    Spin(u8, u8),
    /// Must be true.
    Assert(Expression),
    /// Is true in all runs that are looked at.
    Assume(Expression),
    /// Counts something that nobody asks for.
    Count,
    /// Calls the assistant.
    Call,
    /// Calls it through a pointer that threads share.
    CallThere,
    /// Does something with a fresh object, which is freed afterwards; is it set before?
    Fresh(bool, Vec<Statement>),
    /// Copies the shared array to another one.
    Copy,
    /// Clears the shared array.
    Clear,
    /// Compares both; a local variable gets whether they differ.
    Compare(u8),
    /// Ends the function.
    Return,
    /// Ends the thread.
    Leave,
    /// Ends the program.
    Exit,
}

impl Statement {
    /// The lists of statements within.
    pub fn lists(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Statement::Guarded(_, list)
            | Statement::Try(_, list)
            | Statement::Await(_, list)
            | Statement::Repeat(_, list)
            | Statement::Wander(list)
            | Statement::Fresh(_, list) => vec![list],
            Statement::If(_, yes, no) => vec![yes, no],
            _ => Vec::new(),
        }
    }

    /// The numbers within.
    pub fn expressions(&mut self) -> Vec<&mut Expression> {
        match self {
            Statement::Assign(_, it)
            | Statement::Store(_, it)
            | Statement::Await(it, _)
            | Statement::If(it, ..)
            | Statement::Assert(it)
            | Statement::Assume(it) => vec![it],
            _ => Vec::new(),
        }
    }
}
