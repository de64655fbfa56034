//! A program with its names settled and its control flow flat: what `resolve` produces
//! and `flow` builds the graph from.

use model::{BitExpr, Span};

/// A whole program.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub shared: Vec<SharedVariable>,
    /// The shared variables that are locks with an owner. A thread knows of each whether it
    /// has it: the first locals of each thread, in this order.
    pub owned: Vec<u32>,
    pub procedures: Vec<Procedure>,
    pub entries: Vec<Entry>,
    /// The text and the place of each statement.
    pub labels: Vec<Label>,
}

#[derive(Clone, Debug)]
pub(crate) struct SharedVariable {
    pub name: String,
    pub initial: Option<bool>,
}

/// A procedure that threads run at the start.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub procedure: usize,
    /// `None`: any number of threads.
    pub n_threads: Option<u32>,
}

#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub text: String,
    pub span: Span,
}

/// A procedure. Its locals are numbered from 0, the parameters first.
#[derive(Clone, Debug)]
pub(crate) struct Procedure {
    pub name: String,
    pub n_params: usize,
    pub locals: Vec<String>,
    /// Per local, what it has when the procedure begins: a value that its declaration gives,
    /// or any. Parameters have what they are given.
    pub initial: Vec<Option<bool>>,
    pub n_results: usize,
    /// What must be true after each of its steps, about the values after it.
    pub enforced: BitExpr,
    /// From one instruction control goes to the next, unless it says otherwise. The last is
    /// a [`Action::Return`].
    pub instructions: Vec<Instruction>,
}

#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    pub action: Action,
    /// Index into [`Code::labels`].
    pub label: u32,
    /// How many `*` it has: [`BitExpr::Choice`] numbers them.
    pub n_choices: u32,
}

/// A variable: of all threads, or of the frame.
pub(crate) type Place = model::Bit;

#[derive(Clone, Debug)]
pub(crate) enum Action {
    Skip,
    Assign {
        assigns: Vec<(Place, BitExpr)>,
        /// Of every other thread: a local of the procedure that threads start with.
        passive: Vec<(u32, BitExpr)>,
        constraint: BitExpr,
    },
    /// Locals get a value, or keep the one they begin with. It is no statement: enforced is
    /// only what speaks of them, which the guard says.
    Declare {
        assigns: Vec<(Place, BitExpr)>,
        guard: BitExpr,
    },
    Goto(Vec<usize>),
    /// To the next instruction if true, else to this one.
    Test(BitExpr, usize),
    Assume(BitExpr),
    Assert(BitExpr),
    Call {
        procedure: usize,
        args: Vec<BitExpr>,
        targets: Vec<Place>,
    },
    Return(Vec<BitExpr>),
    /// A new thread goes on at this instruction, with a copy of the locals.
    StartThread(usize),
    /// A new thread runs this procedure.
    CreateThread(usize),
    EndThread,
    AtomicBegin,
    AtomicEnd,
    /// Of a lock with an owner, by its position in [`Code::owned`].
    Acquire(usize),
    Release(usize),
    Error(String),
    /// It is not known what it does, for this reason.
    Opaque(String),
}
