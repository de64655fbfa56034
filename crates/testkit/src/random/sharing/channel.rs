//! How a pointer gets from one thread to another: what the sender and the receiver do.

use super::generate::Writer;
use super::tree::{Base, Change, Condition, Load, Operand, Order, Place, Register, Statement};

/// Where a pointer is left for others.
#[derive(Clone, Copy, Debug)]
pub enum Channel {
    /// In an atomic pointer.
    Atomic(Place),
    /// In a plain one, with an atomic number that says when it is there.
    Flagged { pointer: Place, flag: Place },
    /// In a plain one, under a mutex.
    Locked { pointer: Place, mutex: u8 },
    /// In a plain one.
    Bare(Place),
}

/// The register that flags are read into.
const FLAG: u8 = 0;
/// The register that says whether an exchange succeeded.
const DONE: u8 = 2;

impl Channel {
    /// Where the pointer lies.
    pub fn pointer(self) -> (Place, Option<Order>) {
        match self {
            Channel::Atomic(place) => (place, Some(Order::Relaxed)),
            Channel::Flagged { pointer, .. }
            | Channel::Locked { pointer, .. }
            | Channel::Bare(pointer) => (pointer, None),
        }
    }
}

/// A whole variable.
pub fn variable(number: u8) -> Place {
    Place { base: Base::Global(number), part: 0 }
}

impl Writer<'_> {
    /// Publishes what a register leads to.
    pub fn send(&mut self, channel: Channel, pointer: u8) -> Vec<Statement> {
        let value = Operand::Pointer(pointer);
        match channel {
            Channel::Atomic(place) => self.send_atomically(place, value),
            Channel::Flagged { pointer, flag } => {
                let mut body = vec![Statement::Store { to: pointer, value, order: None }];
                body.extend(self.raise(flag));
                body
            }
            Channel::Locked { pointer, mutex } => {
                let store = Statement::Store { to: pointer, value, order: None };
                self.locked(mutex, vec![store])
            }
            Channel::Bare(to) => vec![Statement::Store { to, value, order: None }],
        }
    }

    fn send_atomically(&mut self, place: Place, value: Operand) -> Vec<Statement> {
        let (mut body, order) = self.releasing();
        let failure = if self.rng.chance(50) { Order::Relaxed } else { Order::Acquire };
        body.push(match self.rng.below(6) {
            0 => {
                let (old, change) = (Register::Pointer(3), Change::Exchange);
                Statement::Update { old, place, change, value, order: self.both(order) }
            }
            1 => {
                let (success, expected) = (self.both(order), Operand::Null);
                let (done, desired) = (DONE, value);
                Statement::CompareExchange { done, place, expected, desired, success, failure }
            }
            _ => Statement::Store { to: place, value, order: Some(order) },
        });
        body
    }

    /// Sets a flag, as a release if nothing goes wrong.
    pub fn raise(&mut self, flag: Place) -> Vec<Statement> {
        let (mut body, order) = self.releasing();
        let value = Operand::Constant(1);
        body.push(match self.rng.chance(20) {
            true => {
                let (old, change) = (Register::Number(DONE), Change::Add);
                Statement::Update { old, place: flag, change, value, order: self.both(order) }
            }
            false => Statement::Store { to: flag, value, order: Some(order) },
        });
        if self.rng.chance(12) {
            // It belongs to the release sequence of the same thread.
            let (value, order) = (Operand::Constant(2), Some(Order::Relaxed));
            body.push(Statement::Store { to: flag, value, order });
        }
        body
    }

    /// Reads a flag into a register, as an acquire if nothing goes wrong, and waits for it a
    /// number of times or for ever.
    pub fn look(&mut self, flag: Place, may_wait: bool) -> Vec<Statement> {
        let (order, behind) = self.acquiring();
        let load = Load { to: Register::Number(FLAG), from: flag, order: Some(order) };
        let until = Condition::Differs(FLAG, 0);
        let mut body = vec![self.repeated(load, until, may_wait)];
        body.extend(behind);
        body
    }

    fn repeated(&mut self, load: Load, until: Condition, may_wait: bool) -> Statement {
        match self.rng.below(10) {
            0..=2 if may_wait => Statement::Poll { load, until, times: None },
            3 | 4 => Statement::Poll { load, until, times: Some(2) },
            _ => Statement::Load(load),
        }
    }

    /// Receives a pointer into a register, or null.
    pub fn receive(&mut self, channel: Channel, to: u8) -> Vec<Statement> {
        match channel {
            Channel::Atomic(from) => self.receive_atomically(from, to),
            Channel::Flagged { pointer, flag } => {
                let mut body = self.look(flag, true);
                let (to, from) = (Register::Pointer(to), pointer);
                let load = Statement::Load(Load { to, from, order: None });
                body.push(match self.goes_wrong() {
                    true => load,
                    false => {
                        let condition = Condition::Differs(FLAG, 0);
                        Statement::If { condition, body: vec![load] }
                    }
                });
                body
            }
            Channel::Locked { pointer, mutex } => {
                let (to, from) = (Register::Pointer(to), pointer);
                let mut body = vec![Statement::Load(Load { to, from, order: None })];
                if self.rng.chance(50) {
                    // Nobody else gets it.
                    let (to, value) = (pointer, Operand::Null);
                    body.push(Statement::Store { to, value, order: None });
                }
                self.locked(mutex, body)
            }
            Channel::Bare(from) => {
                let to = Register::Pointer(to);
                vec![Statement::Load(Load { to, from, order: None })]
            }
        }
    }

    fn receive_atomically(&mut self, from: Place, to: u8) -> Vec<Statement> {
        let (order, behind) = self.acquiring();
        let mut body = vec![match self.rng.chance(35) {
            true => {
                // Nobody else gets it.
                let (old, change, value) = (Register::Pointer(to), Change::Exchange, Operand::Null);
                let order = if order == Order::Acquire { self.both(order) } else { order };
                Statement::Update { old, place: from, change, value, order }
            }
            false => {
                let load = Load { to: Register::Pointer(to), from, order: Some(order) };
                self.repeated(load, Condition::IsSet(to), true)
            }
        }];
        body.extend(behind);
        body
    }

    /// Statements with a mutex held; the mutex is tried now and then, or forgotten.
    pub fn locked(&mut self, mutex: u8, body: Vec<Statement>) -> Vec<Statement> {
        if self.goes_wrong() {
            return body;
        }
        if self.rng.chance(15) {
            return vec![Statement::TryLock { mutex, body }];
        }
        let lock = std::iter::once(Statement::Lock(mutex));
        let mut all: Vec<Statement> = lock.chain(body).collect();
        if !(self.goes_wrong() && self.rng.chance(40)) {
            all.push(Statement::Unlock(mutex));
        }
        all
    }

    /// What makes a write a release: something before it, and its order.
    fn releasing(&mut self) -> (Vec<Statement>, Order) {
        if self.goes_wrong() {
            let fence = Statement::Fence(Order::Acquire);
            return (self.perhaps(20, fence), Order::Relaxed);
        }
        let fence = [Order::Release, Order::Both, Order::Total][self.rng.below(3) as usize];
        match self.rng.below(4) {
            0 => (vec![Statement::Fence(fence)], Order::Relaxed),
            1 => (Vec::new(), Order::Total),
            _ => (Vec::new(), Order::Release),
        }
    }

    /// What makes a read an acquire: its order, and something behind it.
    fn acquiring(&mut self) -> (Order, Vec<Statement>) {
        if self.goes_wrong() {
            let fence = Statement::Fence(Order::Release);
            return (Order::Relaxed, self.perhaps(20, fence));
        }
        let fence = [Order::Acquire, Order::Both, Order::Total][self.rng.below(3) as usize];
        match self.rng.below(4) {
            0 => (Order::Relaxed, vec![Statement::Fence(fence)]),
            1 => (Order::Total, Vec::new()),
            _ => (Order::Acquire, Vec::new()),
        }
    }

    /// An order for a read-modify-write that is at least this one.
    pub fn both(&mut self, order: Order) -> Order {
        match order {
            Order::Acquire | Order::Release if self.rng.chance(50) => Order::Both,
            other => other,
        }
    }

    fn perhaps(&mut self, percent: u32, statement: Statement) -> Vec<Statement> {
        if self.rng.chance(percent) { vec![statement] } else { Vec::new() }
    }
}
