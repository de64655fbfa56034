//! One step of one thread: an access, a call, or the end of a lifetime.

use super::flat::Operation;
use super::memory::{Access, Location};
use super::state::{Kind, Object, Phase, State, Value, node};
use super::{Fault, Oracle};
use crate::random::sharing::{Change, Condition, Load, Operand, Order, Register, Statement};

const READ: Access = Access { writes: false, is_atomic: false };
const WRITE: Access = Access { writes: true, is_atomic: false };
const ATOMIC_READ: Access = Access { writes: false, is_atomic: true };
const ATOMIC_WRITE: Access = Access { writes: true, is_atomic: true };

/// One thread of a state, with what its step shows.
pub struct Mover<'a> {
    oracle: &'a Oracle<'a>,
    /// The state, before the step and after it.
    pub state: State,
    thread: usize,
    /// Where a new object is placed, where that is an address used before.
    pub address: Option<u8>,
    /// Was there a data race?
    pub races: bool,
    /// Was a pointer to an object that has ended compared with another one?
    pub compares_ended: bool,
}

impl<'a> Mover<'a> {
    /// A thread of a state.
    pub fn new(oracle: &'a Oracle<'a>, state: State, thread: usize) -> Mover<'a> {
        Mover { oracle, state, thread, address: None, races: false, compares_ended: false }
    }

    fn next(&self) -> &'a Operation {
        self.oracle.next(&self.state, self.thread)
    }

    fn go_to(&mut self, operation: usize) {
        self.state.threads[self.thread].next = operation;
    }

    /// Does what nobody else can see: jumps, addresses, assertions that hold.
    ///
    /// # Errors
    /// The program has no meaning.
    pub fn settle(&mut self) -> Result<(), Fault> {
        while self.state.threads[self.thread].phase == Phase::Running {
            let following = self.state.threads[self.thread].next + 1;
            match self.next() {
                Operation::Branch { condition, wanted, to } => {
                    let holds = self.holds(*condition) == *wanted;
                    self.go_to(if holds { *to } else { following });
                    continue;
                }
                Operation::Jump(to) => {
                    self.go_to(*to);
                    continue;
                }
                Operation::Assert(condition) if self.holds(*condition) => {}
                Operation::AddressOf(Statement::AddressOf { to, of }) => {
                    let object = self.state.object_at(self.thread, *of)?;
                    self.state.threads[self.thread].pointers[usize::from(*to)] = object;
                }
                Operation::Result(pointer) => {
                    let result = pointer.and_then(|pointer| self.pointer(pointer));
                    self.state.threads[self.thread].result = result;
                }
                _ => return Ok(()),
            }
            self.go_to(following);
        }
        Ok(())
    }

    /// Makes the step.
    ///
    /// # Errors
    /// What is wrong with it, or with the program.
    pub fn step(&mut self) -> Result<(), Fault> {
        let operation = self.next();
        let following = self.state.threads[self.thread].next + 1;
        self.go_to(following);
        match operation {
            Operation::Load(load) => self.load(load),
            Operation::Store { to, value, order } => {
                let at = self.state.location(self.thread, *to)?;
                let value = self.value(*value)?;
                self.write(at, value, *order);
                Ok(())
            }
            Operation::Update(update) => self.update(update),
            Operation::CompareExchange(exchange) => self.compare_exchange(exchange),
            Operation::Fence(order) => {
                self.state.fence(self.thread, *order);
                Ok(())
            }
            Operation::Lock(mutex) => self.lock(*mutex),
            Operation::Unlock(mutex) => self.unlock(*mutex),
            Operation::Try { mutex, otherwise } => self.try_lock(*mutex, *otherwise),
            Operation::New { to, first } => {
                let object = self.make(Kind::Heap, *first);
                self.set_pointer(*to, Some(object));
                Ok(())
            }
            Operation::Grow(pointer) => self.grow(*pointer),
            Operation::Free(pointer) => self.free(*pointer),
            Operation::Enter { local, first } => {
                let object = self.make(Kind::Automatic, *first);
                self.state.threads[self.thread].locals[usize::from(*local)] = Some(object);
                Ok(())
            }
            Operation::Leave(local) => {
                let object = self.state.threads[self.thread].locals[usize::from(*local)].take();
                let object = object.ok_or(Fault::Unclear("a block is left twice"))?;
                self.races |= self.state.end_life(self.thread, object);
                Ok(())
            }
            Operation::Assert(_) => Err(Fault::Assertion),
            Operation::Start { thread, argument } => self.start(*thread, *argument),
            Operation::Join { thread, to } => self.join(*thread, *to),
            Operation::End => self.end(),
            Operation::Branch { .. }
            | Operation::Jump(_)
            | Operation::AddressOf(_)
            | Operation::Result(_) => unreachable!("settled before"),
        }
    }

    fn pointer(&self, pointer: u8) -> Option<u8> {
        self.state.threads[self.thread].pointers[usize::from(pointer)]
    }

    fn set_pointer(&mut self, pointer: u8, value: Option<u8>) {
        self.state.threads[self.thread].pointers[usize::from(pointer)] = value;
    }

    fn number(&self, number: u8) -> i8 {
        self.state.threads[self.thread].numbers[usize::from(number)]
    }

    fn set(&mut self, register: Register, value: Value) -> Result<(), Fault> {
        let thread = &mut self.state.threads[self.thread];
        match (register, value) {
            (Register::Number(to), Value::Number(value)) => thread.numbers[usize::from(to)] = value,
            (Register::Pointer(to), Value::Pointer(value)) => {
                thread.pointers[usize::from(to)] = value;
            }
            _ => return Err(Fault::Unclear("a register of another type")),
        }
        Ok(())
    }

    fn value(&self, operand: Operand) -> Result<Value, Fault> {
        Ok(match operand {
            Operand::Constant(constant) => Value::Number(constant),
            Operand::Sum(number, constant) => {
                let sum = self.number(number).checked_add(constant);
                Value::Number(sum.ok_or(Fault::Unclear("a number is too large"))?)
            }
            Operand::Null => Value::Pointer(None),
            Operand::Pointer(pointer) => Value::Pointer(self.pointer(pointer)),
        })
    }

    fn holds(&mut self, condition: Condition) -> bool {
        match condition {
            Condition::IsSet(pointer) => self.pointer(pointer).is_some(),
            Condition::IsNull(pointer) => self.pointer(pointer).is_none(),
            Condition::Equals(number, constant) => self.number(number) == constant,
            Condition::Differs(number, constant) => self.number(number) != constant,
            Condition::Same(one, other) => {
                self.is_same(Value::Pointer(self.pointer(one)), Value::Pointer(self.pointer(other)))
            }
        }
    }

    fn is_same(&mut self, one: Value, other: Value) -> bool {
        let (Value::Pointer(one), Value::Pointer(other)) = (one, other) else {
            return one == other;
        };
        if let (Some(left), Some(right)) = (one, other) {
            let has_ended = |id: u8| !self.state.objects[usize::from(id)].lives();
            self.compares_ended |= has_ended(left) || has_ended(right);
        }
        self.state.is_same(one, other)
    }

    fn read(&mut self, at: Location, order: Option<Order>) -> Value {
        let access = if order.is_some() { ATOMIC_READ } else { READ };
        if let Some(order) = order {
            self.state.acquire(self.thread, at, order);
        }
        self.races |= self.state.access(self.thread, at, access);
        self.state.cell(at).value
    }

    fn write(&mut self, at: Location, value: Value, order: Option<Order>) {
        let access = if order.is_some() { ATOMIC_WRITE } else { WRITE };
        self.races |= self.state.access(self.thread, at, access);
        self.state.cell(at).value = value;
        if let Some(order) = order {
            self.state.release(self.thread, at, order, false);
        }
    }

    /// The second half of a read-modify-write.
    fn replace(&mut self, at: Location, value: Value, order: Order) {
        self.races |= self.state.access(self.thread, at, ATOMIC_WRITE);
        self.state.cell(at).value = value;
        self.state.release(self.thread, at, order, true);
    }

    fn load(&mut self, load: &Load) -> Result<(), Fault> {
        let at = self.state.location(self.thread, load.from)?;
        let value = self.read(at, load.order);
        self.set(load.to, value)
    }

    fn update(&mut self, update: &Statement) -> Result<(), Fault> {
        let Statement::Update { old, place, change, value, order } = update else {
            return Err(Fault::Unclear("no update"));
        };
        let at = self.state.location(self.thread, *place)?;
        let operand = self.value(*value)?;
        let before = self.read(at, Some(*order));
        let after = changed(*change, before, operand)?;
        self.replace(at, after, *order);
        self.set(*old, before)
    }

    fn compare_exchange(&mut self, exchange: &Statement) -> Result<(), Fault> {
        let Statement::CompareExchange { done, place, expected, desired, success, failure } =
            exchange
        else {
            return Err(Fault::Unclear("no exchange"));
        };
        let at = self.state.location(self.thread, *place)?;
        let (expected, desired) = (self.value(*expected)?, self.value(*desired)?);
        let found = self.state.cell(at).value;
        let succeeds = self.is_same(found, expected);
        let order = if succeeds { *success } else { *failure };
        self.read(at, Some(order));
        if succeeds {
            self.replace(at, desired, order);
        }
        self.set(Register::Number(*done), Value::Number(i8::from(succeeds)))
    }

    fn lock(&mut self, mutex: u8) -> Result<(), Fault> {
        let it = &mut self.state.mutexes[usize::from(mutex)];
        debug_assert_eq!(it.owner, None, "who waits makes no step");
        it.owner = Some(self.thread as u8);
        let known = it.released;
        self.state.threads[self.thread].now.join(known);
        Ok(())
    }

    fn unlock(&mut self, mutex: u8) -> Result<(), Fault> {
        let known = self.state.threads[self.thread].now;
        let it = &mut self.state.mutexes[usize::from(mutex)];
        if it.owner != Some(self.thread as u8) {
            return Err(Fault::Unclear("a mutex is given back by somebody else"));
        }
        it.owner = None;
        it.released.join(known);
        self.state.next_stretch(self.thread);
        Ok(())
    }

    /// An attempt in vain orders nothing (7.26.4.5p2).
    fn try_lock(&mut self, mutex: u8, otherwise: usize) -> Result<(), Fault> {
        match self.state.mutexes[usize::from(mutex)].owner {
            None => self.lock(mutex),
            Some(_) => {
                self.go_to(otherwise);
                Ok(())
            }
        }
    }

    /// A new node, which nobody else knows; its first values are written by this thread.
    fn make(&mut self, kind: Kind, first: [i8; 2]) -> u8 {
        let object = Object::new(kind, node(first));
        let object = self.state.place(object, self.address);
        for part in 0..self.state.objects[usize::from(object)].cells.len() {
            self.state.access(self.thread, Location { object, part: part as u8 }, WRITE);
        }
        object
    }

    fn grow(&mut self, pointer: u8) -> Result<(), Fault> {
        let Some(old) = self.pointer(pointer) else {
            return Err(Fault::Unclear("a block of no size grows"));
        };
        let old = self.state.allocation(self.thread, old)?;
        let mut values = Vec::new();
        for part in 0..self.state.objects[usize::from(old)].cells.len() {
            values.push(self.read(Location { object: old, part: part as u8 }, None));
        }
        self.races |= self.state.end_life(self.thread, old);
        let new = self.make(Kind::Heap, [0, 0]);
        for (part, value) in values.into_iter().enumerate() {
            self.state.cell(Location { object: new, part: part as u8 }).value = value;
        }
        self.set_pointer(pointer, Some(new));
        Ok(())
    }

    fn free(&mut self, pointer: u8) -> Result<(), Fault> {
        if let Some(object) = self.pointer(pointer) {
            let object = self.state.allocation(self.thread, object)?;
            self.races |= self.state.end_life(self.thread, object);
        }
        Ok(())
    }

    fn start(&mut self, thread: u8, argument: Option<u8>) -> Result<(), Fault> {
        let argument = argument.and_then(|pointer| self.pointer(pointer));
        let started = usize::from(thread);
        if self.state.threads[started].phase != Phase::Unborn {
            return Err(Fault::Unclear("a thread is started twice"));
        }
        let known = self.state.threads[self.thread].now;
        self.state.threads[started].now = known;
        self.state.threads[started].pointers[0] = argument;
        self.state.start(self.oracle.program, started);
        self.state.next_stretch(self.thread);
        Ok(())
    }

    fn join(&mut self, thread: u8, to: Option<u8>) -> Result<(), Fault> {
        let ended = &mut self.state.threads[usize::from(thread)];
        if ended.phase != Phase::Ended {
            return Err(Fault::Unclear("a thread is joined that was not started, or twice"));
        }
        ended.phase = Phase::Joined;
        let (known, result) = (ended.now, ended.result);
        self.state.threads[self.thread].now.join(known);
        if let Some(to) = to {
            self.set_pointer(to, result);
        }
        Ok(())
    }

    /// The thread's copies of thread-local variables end with it; the program ends with `main`.
    fn end(&mut self) -> Result<(), Fault> {
        if self.thread == 0 {
            return Err(Fault::Exit);
        }
        for (_, object) in self.state.threads[self.thread].own.clone() {
            self.races |= self.state.end_life(self.thread, object);
        }
        self.state.threads[self.thread].phase = Phase::Ended;
        Ok(())
    }
}

fn changed(change: Change, before: Value, operand: Value) -> Result<Value, Fault> {
    match (change, before, operand) {
        (Change::Exchange, _, operand) => Ok(operand),
        (Change::Add, Value::Number(old), Value::Number(it)) => Ok(Value::Number(old + it)),
        (Change::Subtract, Value::Number(old), Value::Number(it)) => Ok(Value::Number(old - it)),
        _ => Err(Fault::Unclear("arithmetic with pointers")),
    }
}
