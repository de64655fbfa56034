//! A random program: its variables, its threads, and what `main` does around them.

use super::acts::behind;
use super::channel::{Channel, variable};
use super::tree::{A, Base, Condition, Global, Load, N, NEXT, Place, Program, Register, Statement};
use crate::rng::Rng;

/// Who frees the nodes of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deleter {
    /// Nobody but `main`, after it has joined all threads.
    Main,
    /// Whoever receives one.
    Receiver,
    /// Whoever sent it, after an answer.
    Sender,
    /// Whoever counts its references down to zero.
    Last,
}

/// What makes a program.
pub struct Writer<'r> {
    /// Decides everything.
    pub rng: &'r mut Rng,
    /// How often a decision is wrong, in percent.
    pub sloppiness: u32,
    /// Ways from thread to thread.
    pub channels: Vec<Channel>,
    /// Who frees nodes.
    pub deleter: Deleter,
    /// What nodes have in `a`.
    pub value: i8,
    /// An atomic number with which receivers answer.
    pub answer: u8,
    /// A number.
    pub counter: u8,
    /// An atomic pointer to a stack.
    pub stack: u8,
    /// Static nodes.
    pub nodes: Vec<u8>,
    /// A thread-local node.
    pub thread_local: u8,
}

/// Static variables; their numbers are places in this list.
const GLOBALS: [Global; 10] = [
    Global::AtomicNumber,
    Global::Number,
    Global::AtomicPointer,
    Global::Node,
    Global::ThreadLocal,
    Global::AtomicPointer,
    Global::Pointer,
    Global::Pointers,
    Global::AtomicNumber,
    Global::AtomicPointer,
];
const ANSWER: u8 = 0;
const COUNTER: u8 = 1;
const STACK: u8 = 2;
const NODE: u8 = 3;
const THREAD_LOCAL: u8 = 4;
const ATOMIC: u8 = 5;
const POINTER: u8 = 6;
const POINTERS: u8 = 7;
const FLAG: u8 = 8;
const ANOTHER_ATOMIC: u8 = 9;

/// A program of two or three threads, seldom four.
pub fn sharing(rng: &mut Rng) -> Program {
    let sloppiness = [0, 6, 12, 30][rng.below(4) as usize];
    let deleters = [Deleter::Main, Deleter::Receiver, Deleter::Sender, Deleter::Last];
    let deleter = deleters[rng.below(4) as usize];
    let value = 1 + rng.below(5) as i8;
    let mut writer = Writer {
        rng,
        sloppiness,
        channels: Vec::new(),
        deleter,
        value,
        answer: ANSWER,
        counter: COUNTER,
        stack: STACK,
        nodes: vec![NODE],
        thread_local: THREAD_LOCAL,
    };
    writer.program()
}

impl Writer<'_> {
    /// Is the next decision a wrong one?
    pub fn goes_wrong(&mut self) -> bool {
        self.rng.chance(self.sloppiness)
    }

    /// One of some numbers.
    pub fn pick(&mut self, numbers: &[u8]) -> u8 {
        numbers[self.rng.below(numbers.len() as u32) as usize]
    }

    /// One of the program's channels.
    pub fn channel(&mut self) -> Channel {
        self.channels[self.rng.below(self.channels.len() as u32) as usize]
    }

    /// A flag of a channel, or the one for answers.
    pub fn flag(&mut self) -> Place {
        match self.channel() {
            Channel::Flagged { flag, .. } => flag,
            _ => variable(self.answer),
        }
    }

    fn some_channel(&mut self) -> Channel {
        let part = |number, part| Place { base: Base::Global(number), part };
        match self.rng.below(16) {
            0..=4 => Channel::Atomic(variable(ATOMIC)),
            5 => Channel::Atomic(variable(ANOTHER_ATOMIC)),
            6..=8 => Channel::Flagged { pointer: variable(POINTER), flag: variable(FLAG) },
            9 => Channel::Flagged { pointer: part(POINTERS, 1), flag: variable(FLAG) },
            10 | 11 => Channel::Flagged { pointer: part(NODE, NEXT), flag: part(NODE, N) },
            12 => Channel::Locked { pointer: variable(POINTER), mutex: 0 },
            13 => Channel::Locked { pointer: part(POINTERS, 0), mutex: 1 },
            14 => Channel::Locked { pointer: part(NODE, NEXT), mutex: 0 },
            _ if self.goes_wrong() => Channel::Bare(part(POINTERS, 1)),
            _ => Channel::Locked { pointer: part(POINTERS, 1), mutex: 0 },
        }
    }

    fn program(&mut self) -> Program {
        let n_channels = if self.rng.chance(75) { 1 } else { 2 };
        self.channels = (0..n_channels).map(|_| self.some_channel()).collect();
        let n_threads = [1, 2, 2, 2, 2, 3][self.rng.below(6) as usize];
        let mut threads = vec![Vec::new()];
        let locks = self.rng.chance(8);
        for thread in 0..n_threads {
            threads.push(self.thread(thread, n_threads, locks));
        }
        let has_argument = self.rng.chance(30);
        if has_argument {
            let mut first = self.used_argument();
            first.append(&mut threads[1]);
            threads[1] = first;
        }
        threads[0] = self.main(n_threads as u8, has_argument);
        bound_hopeless_waits(&mut threads);
        Program { globals: GLOBALS.to_vec(), n_mutexes: 2, threads }
    }

    fn thread(&mut self, thread: u32, n_threads: u32, locks: bool) -> Vec<Statement> {
        // One sends and one receives in most programs; in some all take locks.
        let mut body = match thread {
            _ if locks => self.section(),
            0 if self.rng.chance(70) => self.produce(),
            1 if self.rng.chance(70) => self.consume(),
            _ => self.acts(1),
        };
        if n_threads < 3 && self.rng.chance(35) {
            body.extend(self.acts(1));
        }
        if self.rng.chance(15) {
            body.push(Statement::Return(Some(0)));
        }
        body
    }

    /// What a thread does with its argument.
    fn used_argument(&mut self) -> Vec<Statement> {
        let body = self.used(0);
        vec![Statement::If { condition: Condition::IsSet(0), body }]
    }

    fn main(&mut self, n_threads: u8, has_argument: bool) -> Vec<Statement> {
        let mut body = Vec::new();
        if has_argument {
            body.extend(self.new_block(0));
        } else if self.rng.chance(15) {
            body.extend(self.produce());
        }
        for thread in 1..=n_threads {
            let argument = (has_argument && thread == 1).then_some(0);
            body.push(Statement::Start { thread, argument });
        }
        if has_argument && self.goes_wrong() {
            body.extend(self.used(0));
        } else if n_threads == 1 {
            body.extend(if self.rng.chance(70) { self.consume() } else { self.acts(1) });
        } else if self.rng.chance(15) {
            body.extend(self.acts(1));
        }
        self.ending(&mut body, n_threads, has_argument);
        body
    }

    fn ending(&mut self, body: &mut Vec<Statement>, n_threads: u8, has_argument: bool) {
        let mut joins_all = true;
        for thread in 1..=n_threads {
            if self.goes_wrong() && self.rng.chance(60) {
                joins_all = false;
                continue;
            }
            let result = self.rng.chance(25).then_some(3);
            body.push(Statement::Join { thread, to: result });
            if result.is_some() && self.rng.chance(60) {
                let used = self.used(3);
                body.push(Statement::If { condition: Condition::IsSet(3), body: used });
            }
        }
        if has_argument && self.rng.chance(50) && self.deleter != Deleter::Receiver {
            body.push(Statement::Free(0));
        }
        if joins_all && !self.goes_wrong() {
            self.clean_up(body);
        }
        if self.rng.chance(10) {
            let load = Load { to: Register::Number(1), from: variable(COUNTER), order: None };
            body.push(Statement::Load(load));
            body.push(Statement::Assert(Condition::Differs(1, 2)));
        }
    }

    /// Frees what lies in the channels.
    fn clean_up(&mut self, body: &mut Vec<Statement>) {
        let may_lie_there = matches!(self.deleter, Deleter::Main | Deleter::Receiver);
        if !may_lie_there && !self.goes_wrong() {
            return;
        }
        let channels = self.channels.clone();
        let stack = Channel::Atomic(variable(self.stack));
        for channel in channels.into_iter().chain([stack]).take(2) {
            let (from, order) = channel.pointer();
            body.push(Statement::Load(Load { to: Register::Pointer(3), from, order }));
            if self.rng.chance(20) {
                let (to, from) = (Register::Number(1), behind(3, A));
                let read = vec![Statement::Load(Load { to, from, order: None })];
                body.push(Statement::If { condition: Condition::IsSet(3), body: read });
            }
            body.push(Statement::Free(3));
        }
    }
}

/// Who waits for what no other thread ever writes does so a few times only: runs that never
/// end show nothing more.
fn bound_hopeless_waits(threads: &mut [Vec<Statement>]) {
    let written: Vec<Vec<Place>> = threads.iter().map(|body| places_written(body)).collect();
    for (thread, body) in threads.iter_mut().enumerate() {
        let others = written.iter().enumerate().filter(|(other, _)| *other != thread);
        let places: Vec<Place> = others.flat_map(|(_, places)| places.clone()).collect();
        bound_waits(body, &places);
    }
}

fn places_written(body: &[Statement]) -> Vec<Place> {
    let written = |statement: &Statement| match statement {
        Statement::Store { to: place, .. }
        | Statement::Update { place, .. }
        | Statement::CompareExchange { place, .. } => vec![*place],
        other => other.body().map_or_else(Vec::new, |inner| places_written(inner)),
    };
    body.iter().flat_map(written).collect()
}

fn bound_waits(body: &mut [Statement], written: &[Place]) {
    for statement in body {
        if let Statement::Poll { load, times, .. } = statement
            && !written.contains(&load.from)
        {
            *times = Some(2);
        }
        if let Some(inner) = statement.body_mut() {
            bound_waits(inner, written);
        }
    }
}
