//! Makes random programs, most of them nearly right.

use super::tree::{
    Argument, Expression, First, Guard, Handles, Joins, MutexKind, N_ATOMICS, N_LOCALS, N_MUTEXES,
    N_PLAIN, Operator, Place, Program, Statement,
};
use crate::rng::Rng;

/// How deep statements lie in others.
const MAX_DEPTH: u32 = 2;

/// The atomic that guards may spin on; programs do little else with it.
const OF_GUARDS: u8 = N_ATOMICS - 1;

/// A random program.
pub fn crowd(rng: &mut Rng) -> Program {
    let mutexes = (0..N_MUTEXES).map(|_| mutex_kind(rng)).collect();
    let guards: Vec<Guard> = (0..N_PLAIN).map(|_| guard(rng)).collect();
    let has_semaphore = guards.contains(&Guard::Semaphore) || rng.chance(5);
    let careless = [0, 0, 0, 5, 25][rng.below(5) as usize];
    let mistaken = [0, 0, 5, 30][rng.below(4) as usize];
    let tickets = if rng.chance(80) { 1 } else { rng.below(3) as u8 };
    let mut writer = Writer {
        rng,
        guards,
        has_semaphore,
        careless,
        mistaken,
        held: Vec::new(),
        is_alone: false,
        depth: 0,
    };
    let workers = (0..writer.n_workers()).map(|_| writer.worker()).collect();
    writer.depth = MAX_DEPTH;
    let assistant = if writer.rng.chance(60) { writer.list(2) } else { Vec::new() };
    writer.depth = 1;
    let argument = writer.argument();
    let first = writer.first();
    Program { mutexes, has_semaphore, tickets, workers, assistant, argument, first }
}

fn mutex_kind(rng: &mut Rng) -> MutexKind {
    match rng.below(10) {
        0 | 1 => MutexKind::Recursive,
        2 => MutexKind::ErrorChecking,
        _ => MutexKind::Plain,
    }
}

fn guard(rng: &mut Rng) -> Guard {
    match rng.below(12) {
        0..=5 => Guard::Mutex(rng.below(u32::from(N_MUTEXES)) as u8),
        6 | 7 => Guard::Spinning(OF_GUARDS),
        8 | 9 => Guard::Semaphore,
        10 => Guard::Writing,
        _ => Guard::Section,
    }
}

struct Writer<'r> {
    rng: &'r mut Rng,
    /// Of each plain variable.
    guards: Vec<Guard>,
    has_semaphore: bool,
    /// How often a guard is forgotten, in percent.
    careless: u32,
    /// How often something is asserted that may be wrong.
    mistaken: u32,
    held: Vec<Guard>,
    /// Is no other thread there?
    is_alone: bool,
    depth: u32,
}

impl Writer<'_> {
    fn n_workers(&mut self) -> u32 {
        if self.rng.chance(75) { 1 } else { 2 }
    }

    fn argument(&mut self) -> Argument {
        match self.rng.below(8) {
            0..=2 => Argument::Null,
            3 | 4 => Argument::Number,
            5 => Argument::Input,
            6 => Argument::Cell,
            _ => Argument::Block,
        }
    }

    fn worker(&mut self) -> Vec<Statement> {
        let n = self.rng.between(1, 3);
        self.list(n)
    }

    fn first(&mut self) -> First {
        self.is_alone = true;
        let before = if self.rng.chance(40) { self.list(1) } else { Vec::new() };
        let handles = match self.rng.below(10) {
            0..=3 => Handles::One,
            4 | 5 => Handles::Ring,
            6 | 7 => Handles::Allocated,
            _ => Handles::Local,
        };
        let joins = match self.rng.below(10) {
            0..=4 => Joins::All,
            5 => Joins::Half,
            6 | 7 => Joins::Detached,
            _ => Joins::Nobody,
        };
        let joins_all = joins == Joins::All
            && matches!(handles, Handles::Allocated | Handles::Local)
            || self.rng.chance(self.careless);
        self.is_alone = joins_all;
        let after = if self.rng.chance(50) { self.list(1) } else { Vec::new() };
        self.is_alone = false;
        First {
            before,
            between: if self.rng.chance(20) { self.list(1) } else { Vec::new() },
            meanwhile: if self.rng.chance(25) { self.list(1) } else { Vec::new() },
            after,
            has_loops_of_their_own: self.rng.chance(30),
            handles,
            joins,
            leaves_threads: self.rng.chance(40),
        }
    }

    fn list(&mut self, n: u32) -> Vec<Statement> {
        let mut list = Vec::new();
        for _ in 0..n {
            list.extend(self.statements());
        }
        list
    }

    fn inner(&mut self) -> Vec<Statement> {
        self.depth += 1;
        let n = self.rng.between(1, 2);
        let list = self.list(n);
        self.depth -= 1;
        list
    }

    fn local(&mut self) -> u8 {
        self.rng.below(u32::from(N_LOCALS)) as u8
    }

    fn atomic(&mut self) -> u8 {
        let all = if self.rng.chance(self.careless) { N_ATOMICS } else { OF_GUARDS };
        self.rng.below(u32::from(all)) as u8
    }

    fn mutex(&mut self) -> u8 {
        self.rng.below(u32::from(N_MUTEXES)) as u8
    }

    fn small(&mut self) -> u8 {
        self.rng.below(4) as u8
    }

    /// A few statements that belong together.
    fn statements(&mut self) -> Vec<Statement> {
        let is_deep = self.depth >= MAX_DEPTH;
        match self.rng.below(if is_deep { 14 } else { 30 }) {
            0..=3 => vec![self.assignment()],
            4 => vec![self.atomic_change()],
            5 => self.assertion(),
            6 => self.set_and_asserted(),
            7 => self.counted(),
            8 => vec![Statement::Count],
            9 => vec![self.input()],
            10 => vec![self.rare()],
            11 => vec![self.atomic_change()],
            12 | 13 => self.exclusive(),
            14..=20 => vec![self.guarded()],
            21 | 22 => {
                let condition = self.condition();
                let yes = self.inner();
                let no = if self.rng.chance(30) { self.inner() } else { Vec::new() };
                vec![Statement::If(condition, yes, no)]
            }
            23 => {
                let m = self.mutex();
                vec![Statement::Try(m, self.under(Guard::Mutex(m)))]
            }
            24 => {
                let condition = self.condition_under(Guard::Mutex(0));
                vec![Statement::Await(condition, self.under(Guard::Mutex(0)))]
            }
            25 => vec![Statement::Repeat(2, self.inner())],
            26 => vec![Statement::Wander(self.inner())],
            27 => {
                let is_set = !self.rng.chance(self.mistaken);
                vec![Statement::Fresh(is_set, self.inner())]
            }
            28 => self.checked_lock(),
            _ => self.elected(),
        }
    }

    fn under(&mut self, guard: Guard) -> Vec<Statement> {
        self.held.push(guard);
        let list = self.inner();
        self.held.pop();
        list
    }

    fn guarded(&mut self) -> Statement {
        let guard = match self.rng.chance(75) {
            true => self.guards[self.rng.below(u32::from(N_PLAIN)) as usize],
            false => guard(self.rng),
        };
        let guard = match guard {
            Guard::Writing if self.rng.chance(30) => Guard::Reading,
            Guard::Semaphore if !self.has_semaphore => Guard::Section,
            guard => guard,
        };
        let is_held = self.held.contains(&guard) && guard != Guard::Mutex(0);
        match is_held || self.held.contains(&Guard::Section) {
            true => self.assignment(),
            false => Statement::Guarded(guard, self.under(guard)),
        }
    }

    /// Under the guard of a variable: it is zero, becomes something, and is zero again.
    fn exclusive(&mut self) -> Vec<Statement> {
        let number = self.rng.below(u32::from(N_PLAIN)) as u8;
        let guard = self.guards[number as usize];
        let is_mistaken = self.rng.chance(self.mistaken);
        let number = if is_mistaken { self.rng.below(u32::from(N_PLAIN)) as u8 } else { number };
        let place = Place::Plain(number);
        let mut list = vec![
            Statement::Assert(equals(Expression::Read(place), 0)),
            Statement::Assign(place, Expression::Number(1)),
        ];
        if self.rng.chance(40) {
            self.held.push(guard);
            list.push(self.assignment_elsewhere(place));
            self.held.pop();
        }
        list.push(Statement::Assert(equals(Expression::Read(place), 1)));
        list.push(Statement::Assign(place, Expression::Number(0)));
        match self.held.contains(&guard) {
            true => list,
            false => vec![Statement::Guarded(guard, list)],
        }
    }

    fn assignment_elsewhere(&mut self, not_to: Place) -> Statement {
        match self.assignment() {
            Statement::Assign(to, _) if to == not_to => Statement::Count,
            other => other,
        }
    }

    /// One thread is the first to come to an atomic.
    fn elected(&mut self) -> Vec<Statement> {
        let (atomic, local) = (self.atomic(), self.local());
        let exchange = Statement::Exchange { atomic, expected: 0, desired: 1, local };
        let won = equals(Expression::Read(Place::Local(local)), 1);
        vec![exchange, Statement::If(won, self.inner(), Vec::new())]
    }

    /// A mutex that tells whether it was locked.
    fn checked_lock(&mut self) -> Vec<Statement> {
        let (m, x) = (self.mutex(), self.local());
        let is_fine = || Statement::Assert(equals(Expression::Read(Place::Local(x)), 0));
        let mut list = vec![Statement::LockInto(m, x), is_fine()];
        if self.rng.chance(40) {
            list.extend([Statement::LockInto(m, x), Statement::UnlockInto(m, x)]);
        }
        list.extend(self.under(Guard::Mutex(m)));
        list.extend([Statement::UnlockInto(m, x), is_fine()]);
        if self.rng.chance(self.mistaken) {
            list.extend([Statement::UnlockInto(m, x), is_fine()]);
        }
        list
    }

    /// So many threads come here, and then it is wrong; or so few.
    fn counted(&mut self) -> Vec<Statement> {
        let (a, local) = (self.atomic(), self.local());
        let limit = self.rng.between(1, 3) as u8;
        if !self.rng.chance(self.mistaken) {
            return vec![Statement::Add(a, 1), Statement::Add(a, -1)];
        }
        let known = Expression::Read(Place::Local(local));
        let is_wrong = binary(known, Operator::Different, Expression::Number(limit));
        vec![Statement::AddInto(a, local), Statement::Assert(is_wrong)]
    }

    /// What was just written is there.
    fn set_and_asserted(&mut self) -> Vec<Statement> {
        let place = self.place();
        let number = self.small();
        let is_bool = place == Place::Plain(0);
        let number = if is_bool { number & 1 } else { number };
        let assertion = Statement::Assert(equals(Expression::Read(place), number));
        vec![Statement::Assign(place, Expression::Number(number)), assertion]
    }

    fn assertion(&mut self) -> Vec<Statement> {
        let condition = match self.rng.chance(self.mistaken) {
            true => self.condition(),
            false => {
                binary(Expression::Read(self.place()), Operator::AtMost, Expression::Number(3))
            }
        };
        vec![Statement::Assert(condition)]
    }

    fn assignment(&mut self) -> Statement {
        let place = self.place();
        // An input that is shared is as hard as many values.
        let value = self.expression(1);
        Statement::Assign(place, value)
    }

    /// An input, and something that depends on it twice.
    fn input(&mut self) -> Statement {
        let local = Place::Local(self.local());
        let input = match self.rng.below(3) {
            0 => Expression::Input,
            1 => binary(Expression::Input, Operator::Equal, Expression::Number(7)),
            _ => binary(Expression::Input, Operator::AtMost, Expression::Read(local)),
        };
        match self.rng.below(4) {
            0 => Statement::Assume(binary(
                Expression::Input,
                Operator::AtMost,
                Expression::Number(9),
            )),
            1 => Statement::Assign(self.place(), input),
            _ => Statement::Assign(local, input),
        }
    }

    fn atomic_change(&mut self) -> Statement {
        let a = self.atomic();
        match self.rng.below(10) {
            0..=2 => Statement::Store(a, self.expression(1)),
            3 | 4 => Statement::Add(a, if self.rng.chance(50) { 1 } else { -1 }),
            5 => Statement::AddInto(a, self.local()),
            _ => {
                let (expected, desired) = (self.small() & 1, self.small() & 1);
                Statement::Exchange { atomic: a, expected, desired, local: self.local() }
            }
        }
    }

    fn rare(&mut self) -> Statement {
        let is_careless = self.rng.chance(self.careless);
        match self.rng.below(20) {
            0..=2 => Statement::Call,
            3 => Statement::CallThere,
            4 => Statement::Signal,
            5 => Statement::Broadcast,
            6 if self.has_semaphore && is_careless => Statement::Post,
            7 if is_careless => Statement::Copy,
            8 if is_careless || self.is_alone => Statement::Clear,
            9 => Statement::Compare(self.local()),
            10 => Statement::Return,
            11 => Statement::Leave,
            12 => Statement::Exit,
            13 => Statement::Spin(self.atomic(), self.small() & 1),
            14 => Statement::Assume(self.condition()),
            15 if is_careless => Statement::LockInto(self.mutex(), self.local()),
            16 if is_careless => Statement::UnlockInto(self.mutex(), self.local()),
            17..=19 => Statement::Point(self.place()),
            _ => Statement::Count,
        }
    }

    fn may_access(&mut self, number: u8) -> bool {
        let guard = self.guards[number as usize];
        self.is_alone || self.held.contains(&guard) || self.rng.chance(self.careless)
    }

    /// Where a number lies that may be accessed here.
    fn place(&mut self) -> Place {
        let local = self.local();
        match self.rng.below(12) {
            0..=4 => {
                let number = self.rng.below(u32::from(N_PLAIN)) as u8;
                if self.may_access(number) { Place::Plain(number) } else { Place::Local(local) }
            }
            5 => Place::Own,
            6 | 7 if self.is_alone || self.rng.chance(self.careless) => {
                if self.rng.chance(50) {
                    Place::Cell(local)
                } else {
                    Place::CellAt(local)
                }
            }
            8 | 9 => Place::There,
            _ => Place::Local(local),
        }
    }

    fn condition(&mut self) -> Expression {
        if self.rng.chance(12) {
            return Expression::Input;
        }
        let operator = match self.rng.below(4) {
            0 => Operator::Different,
            1 => Operator::AtMost,
            _ => Operator::Equal,
        };
        let (left, right) = (self.expression(0), self.expression(0));
        binary(left, operator, right)
    }

    fn condition_under(&mut self, guard: Guard) -> Expression {
        self.held.push(guard);
        let condition = self.condition();
        self.held.pop();
        condition
    }

    fn expression(&mut self, depth: u32) -> Expression {
        match self.rng.below(if depth > 0 { 20 } else { 16 }) {
            0..=4 => Expression::Number(self.small()),
            5 | 6 => Expression::Argument,
            7..=9 => Expression::Atomic(self.atomic()),
            10..=15 => Expression::Read(self.place()),
            16 => {
                let divisor = Expression::Read(self.place());
                let divisor = match self.rng.chance(self.mistaken) {
                    true => divisor,
                    false => binary(Expression::Number(1), Operator::Sum, divisor),
                };
                binary(self.expression(0), Operator::Quotient, divisor)
            }
            17 => self.condition(),
            _ => binary(self.expression(0), Operator::Sum, self.expression(0)),
        }
    }
}

fn binary(left: Expression, operator: Operator, right: Expression) -> Expression {
    Expression::Binary(Box::new((left, operator, right)))
}

fn equals(left: Expression, number: u8) -> Expression {
    binary(left, Operator::Equal, Expression::Number(number))
}

#[cfg(test)]
mod tests {
    use super::super::{Count, c_text};
    use super::crowd;
    use crate::rng::Rng;

    #[test]
    fn the_programs_of_a_seed_are_pinned() {
        let mut rng = Rng::new(7);
        let texts: String = (0..20).map(|_| c_text(&crowd(&mut rng), Count::Exactly(2))).collect();
        let sum = texts
            .bytes()
            .fold(0u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        assert_eq!((texts.len(), sum), (29_834, 1_605_140_359_156_419_732));
    }
}
