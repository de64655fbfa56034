//! Functions of threads without their nesting: operations and jumps between them.

use crate::random::sharing::{Condition, Load, Operand, Order, Place, Program, Statement};

/// What a thread does next. Numbers of operations are those within its function.
#[derive(Clone, Debug)]
pub enum Operation {
    /// A read.
    Load(Load),
    /// A write.
    Store { to: Place, value: Operand, order: Option<Order> },
    /// As in the tree.
    Update(Statement),
    /// As in the tree.
    CompareExchange(Statement),
    /// A fence.
    Fence(Order),
    /// Waits for a mutex, then has it.
    Lock(u8),
    /// Gives a mutex back.
    Unlock(u8),
    /// Takes a mutex, or goes elsewhere.
    Try { mutex: u8, otherwise: usize },
    /// A new block of memory in a pointer's register.
    New { to: u8, first: [i8; 2] },
    /// A block moves.
    Grow(u8),
    /// A block ends.
    Free(u8),
    /// The address of a variable.
    AddressOf(Statement),
    /// Goes elsewhere if the condition is as wanted.
    Branch { condition: Condition, wanted: bool, to: usize },
    /// Goes elsewhere.
    Jump(usize),
    /// The life of a block's variable begins.
    Enter { local: u8, first: [i8; 2] },
    /// It ends.
    Leave(u8),
    /// An assertion.
    Assert(Condition),
    /// Another thread starts.
    Start { thread: u8, argument: Option<u8> },
    /// Waits for the end of another thread.
    Join { thread: u8, to: Option<u8> },
    /// What will be returned.
    Result(Option<u8>),
    /// The function is over: the thread ends, and with `main` the program.
    End,
}

/// The operations of each thread.
pub fn flat(program: &Program) -> Vec<Vec<Operation>> {
    program.threads.iter().map(|body| function(body)).collect()
}

fn function(body: &[Statement]) -> Vec<Operation> {
    let mut flattening = Flattening { operations: Vec::new(), blocks: Vec::new() };
    flattening.statements(body);
    flattening.returning(None);
    flattening.operations
}

struct Flattening {
    operations: Vec<Operation>,
    /// The blocks around, by their variables.
    blocks: Vec<u8>,
}

impl Flattening {
    fn push(&mut self, operation: Operation) {
        self.operations.push(operation);
    }

    fn statements(&mut self, body: &[Statement]) {
        body.iter().for_each(|statement| self.statement(statement));
    }

    /// Where the next operation will stand.
    fn here(&self) -> usize {
        self.operations.len()
    }

    fn statement(&mut self, statement: &Statement) {
        match *statement {
            Statement::Load(load) => self.push(Operation::Load(load)),
            Statement::Poll { load, until, times } => self.poll(load, until, times),
            Statement::Store { to, value, order } => {
                self.push(Operation::Store { to, value, order });
            }
            Statement::Update { .. } => self.push(Operation::Update(statement.clone())),
            Statement::CompareExchange { .. } => {
                self.push(Operation::CompareExchange(statement.clone()));
            }
            Statement::Fence(order) => self.push(Operation::Fence(order)),
            Statement::Lock(mutex) => self.push(Operation::Lock(mutex)),
            Statement::Unlock(mutex) => self.push(Operation::Unlock(mutex)),
            Statement::New { to, a, n, .. } => self.push(Operation::New { to, first: [a, n] }),
            Statement::Grow(pointer) => self.push(Operation::Grow(pointer)),
            Statement::Free(pointer) => self.push(Operation::Free(pointer)),
            Statement::AddressOf { .. } => self.push(Operation::AddressOf(statement.clone())),
            Statement::Assert(condition) => self.push(Operation::Assert(condition)),
            Statement::Start { thread, argument } => {
                self.push(Operation::Start { thread, argument });
            }
            Statement::Join { thread, to } => self.push(Operation::Join { thread, to }),
            Statement::Return(result) => self.returning(result),
            Statement::TryLock { mutex, ref body } => self.try_lock(mutex, body),
            Statement::If { condition, ref body } => self.conditional(condition, body),
            Statement::Block { local, a, n, ref body } => self.block(local, [a, n], body),
        }
    }

    fn poll(&mut self, load: Load, until: Condition, times: Option<u8>) {
        let start = self.here();
        let n_reads = times.unwrap_or(1);
        let end = start + 2 * usize::from(n_reads);
        for _ in 0..n_reads {
            self.push(Operation::Load(load));
            let (wanted, to) = if times.is_some() { (true, end) } else { (false, start) };
            self.push(Operation::Branch { condition: until, wanted, to });
        }
    }

    fn try_lock(&mut self, mutex: u8, body: &[Statement]) {
        let start = self.here();
        self.push(Operation::Try { mutex, otherwise: 0 });
        self.statements(body);
        self.push(Operation::Unlock(mutex));
        self.operations[start] = Operation::Try { mutex, otherwise: self.here() };
    }

    fn conditional(&mut self, condition: Condition, body: &[Statement]) {
        let start = self.here();
        self.push(Operation::Jump(0));
        self.statements(body);
        self.operations[start] = Operation::Branch { condition, wanted: false, to: self.here() };
    }

    fn block(&mut self, local: u8, first: [i8; 2], body: &[Statement]) {
        self.push(Operation::Enter { local, first });
        self.blocks.push(local);
        self.statements(body);
        self.blocks.pop();
        self.push(Operation::Leave(local));
    }

    /// The blocks that are left end, the innermost first.
    fn returning(&mut self, result: Option<u8>) {
        self.push(Operation::Result(result));
        let blocks = self.blocks.clone();
        blocks.into_iter().rev().for_each(|local| self.push(Operation::Leave(local)));
        self.push(Operation::End);
    }
}
