//! What threads do: make a node and publish it, receive one and use it, take sections with
//! locks, send messages by flags.

use super::channel::{Channel, variable};
use super::generate::{Deleter, Writer};
use super::tree::{
    A, B, Base, Change, Condition, Load, N, NEXT, Operand, Order, Place, Register, Source,
    Statement,
};

/// The register of a thread's own node, or of its argument.
const OWN: u8 = 0;
/// The register of a node that was received.
const RECEIVED: u8 = 1;
/// The register of a node beside another.
const BESIDE: u8 = 2;
/// Registers of numbers.
const FLAG: u8 = 0;
const SEEN: u8 = 1;
const DONE: u8 = 2;

/// A part of what a pointer leads to.
pub fn behind(pointer: u8, part: u8) -> Place {
    Place { base: Base::Behind(pointer), part }
}

impl Writer<'_> {
    /// What a thread does, one thing after the other.
    pub fn acts(&mut self, n: u32) -> Vec<Statement> {
        (0..n).flat_map(|_| self.act()).collect()
    }

    fn act(&mut self) -> Vec<Statement> {
        match self.rng.below(20) {
            0..=6 => self.produce(),
            7..=13 => self.consume(),
            14 | 15 => self.section(),
            16 => self.message(),
            17 => self.bump(),
            18 => {
                if self.rng.chance(50) {
                    self.push()
                } else {
                    self.pop()
                }
            }
            _ => self.look_twice(),
        }
    }

    /// A new node, published in some way.
    pub fn produce(&mut self) -> Vec<Statement> {
        match self.rng.below(10) {
            0 => self.produce_local(),
            1 => {
                let of = self.pick(&self.nodes.clone());
                let mut body = vec![Statement::AddressOf { to: OWN, of: Base::Global(of) }];
                body.extend(self.filled_and_sent());
                body
            }
            _ => {
                let mut body = self.new_block(OWN);
                body.extend(self.filled_and_sent());
                body.extend(self.after_sending());
                body
            }
        }
    }

    /// A new block of memory.
    pub fn new_block(&mut self, to: u8) -> Vec<Statement> {
        let source = if self.rng.chance(60) { Source::Malloc } else { Source::Calloc };
        let n = if self.deleter == Deleter::Last { 2 } else { 1 };
        let mut body = vec![Statement::New { to, source, a: self.value, n }];
        if self.rng.chance(12) {
            body.push(Statement::Grow(to));
        }
        body
    }

    fn filled_and_sent(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        if self.rng.chance(40) {
            let (to, value) = (behind(OWN, B), Operand::Constant(self.value));
            body.push(Statement::Store { to, value, order: None });
        }
        if self.rng.chance(10) {
            // A second node behind the first: who gets one gets both.
            body.push(Statement::New { to: BESIDE, source: Source::Malloc, a: 3, n: 1 });
            let (to, value) = (behind(OWN, NEXT), Operand::Pointer(BESIDE));
            body.push(Statement::Store { to, value, order: None });
        }
        let channel = self.channel();
        body.extend(self.send(channel, OWN));
        body
    }

    /// What a sender does with a node that it has sent.
    fn after_sending(&mut self) -> Vec<Statement> {
        match self.deleter {
            Deleter::Last => {
                let mut body = self.perhaps_use(OWN, 30);
                body.extend(self.drop_reference(OWN));
                body
            }
            Deleter::Sender => {
                let mut body = self.answered();
                body.push(Statement::Free(OWN));
                body
            }
            Deleter::Main | Deleter::Receiver => match self.goes_wrong() {
                true => self.perhaps_use(OWN, 70),
                false => Vec::new(),
            },
        }
    }

    fn perhaps_use(&mut self, pointer: u8, percent: u32) -> Vec<Statement> {
        if self.rng.chance(percent) { self.used(pointer) } else { Vec::new() }
    }

    /// Waits until a receiver says that it is done; the rest of the function may depend on it.
    fn answered(&mut self) -> Vec<Statement> {
        let answer = variable(self.answer);
        match self.goes_wrong() {
            true => Vec::new(),
            false => {
                let mut body = self.look(answer, true);
                let (condition, result) = (Condition::Equals(FLAG, 0), Statement::Return(None));
                body.push(Statement::If { condition, body: vec![result] });
                body
            }
        }
    }

    /// A node in a block, or one of the thread's own, which ends some time later.
    fn produce_local(&mut self) -> Vec<Statement> {
        let is_block = self.rng.chance(60);
        let of = match is_block {
            true => Base::Local(0),
            false => Base::Global(self.thread_local),
        };
        let mut body = vec![Statement::AddressOf { to: OWN, of }];
        body.extend(self.filled_and_sent());
        let answer = variable(self.answer);
        if !self.goes_wrong() {
            let order = if self.goes_wrong() { Order::Relaxed } else { Order::Acquire };
            let load = Load { to: Register::Number(FLAG), from: answer, order: Some(order) };
            body.push(Statement::Poll { load, until: Condition::Differs(FLAG, 0), times: None });
        }
        match is_block {
            true => vec![Statement::Block { local: 0, a: self.value, n: 1, body }],
            false => body,
        }
    }

    /// Receives a node, uses it, and says that it is done.
    pub fn consume(&mut self) -> Vec<Statement> {
        let channel = self.channel();
        let mut body = self.receive(channel, RECEIVED);
        let mut inner = self.used(RECEIVED);
        if self.rng.chance(12) {
            // From hand to hand.
            let other = self.channel();
            inner.extend(self.send(other, RECEIVED));
        } else {
            inner.extend(self.done_with(RECEIVED));
        }
        match self.goes_wrong() && self.rng.chance(30) {
            true => body.extend(inner),
            false => {
                body.push(Statement::If { condition: Condition::IsSet(RECEIVED), body: inner });
            }
        }
        body
    }

    /// What a receiver does with a node in the end.
    pub fn done_with(&mut self, pointer: u8) -> Vec<Statement> {
        match self.deleter {
            Deleter::Receiver => vec![Statement::Free(pointer)],
            Deleter::Last => self.drop_reference(pointer),
            _ => {
                let answer = variable(self.answer);
                if self.rng.chance(75) { self.raise(answer) } else { Vec::new() }
            }
        }
    }

    /// Counts down, and frees at zero.
    fn drop_reference(&mut self, pointer: u8) -> Vec<Statement> {
        let order = match self.goes_wrong() {
            true => [Order::Relaxed, Order::Acquire][self.rng.below(2) as usize],
            false => [Order::Both, Order::Total, Order::Release][self.rng.below(3) as usize],
        };
        let (old, change) = (Register::Number(FLAG), Change::Subtract);
        let (place, value) = (behind(pointer, N), Operand::Constant(1));
        let mut last = Vec::new();
        if order == Order::Release && !self.goes_wrong() {
            last.push(Statement::Fence(Order::Acquire));
        }
        last.push(Statement::Free(pointer));
        let is_last = Condition::Equals(FLAG, 1);
        vec![
            Statement::Update { old, place, change, value, order },
            Statement::If { condition: is_last, body: last },
        ]
    }

    /// One or two accesses to a node.
    pub fn used(&mut self, pointer: u8) -> Vec<Statement> {
        let n = 1 + self.rng.below(2);
        (0..n).flat_map(|_| self.used_once(pointer)).collect()
    }

    fn used_once(&mut self, pointer: u8) -> Vec<Statement> {
        let load = |part| {
            let (to, from) = (Register::Number(SEEN), behind(pointer, part));
            Statement::Load(Load { to, from, order: None })
        };
        match self.rng.below(12) {
            0..=3 => vec![load(A)],
            4 | 5 => {
                let expected = if self.goes_wrong() { 7 } else { self.value };
                vec![load(A), Statement::Assert(Condition::Equals(SEEN, expected))]
            }
            6 | 7 => {
                let (to, value) = (behind(pointer, B), Operand::Sum(SEEN, 1));
                vec![Statement::Store { to, value, order: None }]
            }
            8 => {
                let (old, change) = (Register::Number(DONE), Change::Exchange);
                let (place, value) = (behind(pointer, N), Operand::Constant(1));
                let order = Order::Relaxed;
                match self.deleter {
                    Deleter::Last => vec![load(B)],
                    _ => vec![Statement::Update { old, place, change, value, order }],
                }
            }
            9 => {
                let (to, from) = (Register::Pointer(BESIDE), behind(pointer, NEXT));
                let read = Statement::Load(Load { to, from, order: None });
                let (to, from) = (Register::Number(SEEN), behind(BESIDE, A));
                let inner = vec![Statement::Load(Load { to, from, order: None })];
                let condition = Condition::IsSet(BESIDE);
                vec![read, Statement::If { condition, body: inner }]
            }
            10 if self.rng.chance(30) => vec![Statement::Grow(pointer)],
            _ => vec![load(B)],
        }
    }

    /// A counter under a mutex, or two mutexes in some order.
    pub fn section(&mut self) -> Vec<Statement> {
        let counter = variable(self.counter);
        let read = Load { to: Register::Number(SEEN), from: counter, order: None };
        let write = Statement::Store { to: counter, value: Operand::Sum(SEEN, 1), order: None };
        let body = vec![Statement::Load(read), write];
        if self.rng.chance(30) {
            return self.locked(0, body);
        }
        let is_reversed = self.rng.chance(20) || self.goes_wrong();
        let (outer, inner) = if is_reversed { (1, 0) } else { (0, 1) };
        let body = self.locked(inner, body);
        self.locked(outer, body)
    }

    /// A number behind a flag.
    fn message(&mut self) -> Vec<Statement> {
        let (flag, content) = (variable(self.answer), variable(self.counter));
        if self.rng.chance(50) {
            let value = Operand::Constant(self.value);
            let mut body = vec![Statement::Store { to: content, value, order: None }];
            body.extend(self.raise(flag));
            return body;
        }
        let mut body = self.look(flag, false);
        let (to, from) = (Register::Number(SEEN), content);
        let mut inner = vec![Statement::Load(Load { to, from, order: None })];
        if self.rng.chance(30) {
            inner.push(Statement::Assert(Condition::Equals(SEEN, self.value)));
        }
        body.push(Statement::If { condition: Condition::Differs(FLAG, 0), body: inner });
        body
    }

    /// A read-modify-write by somebody else, which continues a release sequence.
    fn bump(&mut self) -> Vec<Statement> {
        let (old, change) = (Register::Number(DONE), Change::Add);
        let (place, value) = (self.flag(), Operand::Constant(1));
        let order = [Order::Relaxed, Order::Relaxed, Order::Acquire, Order::Both];
        let order = order[self.rng.below(4) as usize];
        vec![Statement::Update { old, place, change, value, order }]
    }

    /// Pushes a node to a stack.
    fn push(&mut self) -> Vec<Statement> {
        let place = variable(self.stack);
        let mut body = self.new_block(OWN);
        let load = Load { to: Register::Pointer(BESIDE), from: place, order: Some(Order::Relaxed) };
        body.push(Statement::Load(load));
        let (to, value) = (behind(OWN, NEXT), Operand::Pointer(BESIDE));
        body.push(Statement::Store { to, value, order: None });
        let success = if self.goes_wrong() { Order::Relaxed } else { Order::Release };
        let (expected, desired) = (Operand::Pointer(BESIDE), Operand::Pointer(OWN));
        let (done, failure) = (DONE, Order::Relaxed);
        body.push(Statement::CompareExchange { done, place, expected, desired, success, failure });
        body
    }

    /// Pops a node from a stack.
    fn pop(&mut self) -> Vec<Statement> {
        let place = variable(self.stack);
        let order = if self.goes_wrong() { Order::Relaxed } else { Order::Acquire };
        let first = Load { to: Register::Pointer(RECEIVED), from: place, order: Some(order) };
        let second =
            Load { to: Register::Pointer(BESIDE), from: behind(RECEIVED, NEXT), order: None };
        let (expected, desired) = (Operand::Pointer(RECEIVED), Operand::Pointer(BESIDE));
        let (done, success, failure) = (DONE, Order::Acquire, Order::Relaxed);
        let exchange =
            Statement::CompareExchange { done, place, expected, desired, success, failure };
        let mut owned = self.perhaps_use(RECEIVED, 60);
        if self.rng.chance(60) {
            owned.push(Statement::Free(RECEIVED));
        }
        let owned = Statement::If { condition: Condition::Equals(DONE, 1), body: owned };
        let inner = vec![Statement::Load(second), exchange, owned];
        let condition = Condition::IsSet(RECEIVED);
        vec![Statement::Load(first), Statement::If { condition, body: inner }]
    }

    /// Does an atomic pointer still lead where it led?
    fn look_twice(&mut self) -> Vec<Statement> {
        let from = match self.channel() {
            Channel::Atomic(place) => place,
            _ => variable(self.stack),
        };
        let load = |to| {
            let (to, order) = (Register::Pointer(to), Some(Order::Acquire));
            Statement::Load(Load { to, from, order })
        };
        let mut inner = self.used(RECEIVED);
        if self.rng.chance(50) {
            inner = vec![Statement::Assert(Condition::Same(RECEIVED, BESIDE))];
        }
        let twice = vec![
            load(BESIDE),
            Statement::If { condition: Condition::Same(RECEIVED, BESIDE), body: inner },
        ];
        vec![load(RECEIVED), Statement::If { condition: Condition::IsSet(RECEIVED), body: twice }]
    }
}
