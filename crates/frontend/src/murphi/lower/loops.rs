//! Loops over domains: unrolled where that is short, counted where the number of
//! turns is known, general otherwise.

use model::rule_code::{BinaryOp, End, Op, Reg};

use super::super::faults;
use super::super::typed::{Domain, Expr, TypeId, n_numbers};
use super::Lowering;
use super::operand::{ANY, Operand, Truth};
use super::unit::SiteKind;

/// Loops of at most this many turns may be unrolled.
const MAX_UNROLLED_TURNS: u64 = 4;

/// A loop is unrolled when its body is at most this large: constants in place of
/// the counter then save more than the longer code costs.
const MAX_UNROLLED_SIZE: usize = 40;

/// Loops with more turns look at the limits.
const MAX_UNWATCHED_TURNS: u64 = 1000;

/// The turns of a loop that are known beforehand.
struct Turns {
    n: u64,
    /// Value of turn 0.
    first: Sequence,
}

/// How the value follows from the number of the turn.
enum Sequence {
    /// The codes of a type.
    Codes(TypeId),
    /// A number and the distance between two.
    Numbers(i64, i64),
}

/// What is done in each turn with the value.
type Body<'b, 's, 'p> = &'b mut dyn FnMut(&mut Lowering<'s, 'p>, Operand);

impl<'s, 'p> Lowering<'s, 'p> {
    /// Does `body`, of about `size` operations, for each value of a domain.
    pub(super) fn each(
        &mut self,
        domain: &'p Domain,
        size: usize,
        writes: bool,
        body: Body<'_, 's, 'p>,
    ) {
        match domain {
            Domain::Type(ty) => {
                let n = self.unit.program.types.n_values(*ty);
                self.counted(&Turns { n, first: Sequence::Codes(*ty) }, size, writes, body);
            }
            Domain::Range { from, to, by } => self.each_number([from, to, by], size, writes, body),
        }
    }

    fn each_number(
        &mut self,
        [from, to, by]: [&'p Expr; 3],
        size: usize,
        writes: bool,
        body: Body<'_, 's, 'p>,
    ) {
        let first = self.value(from);
        let last = self.value(to);
        let step = self.value(by);
        if step == Operand::Const(0) {
            let fault = self.unit.fault(by, SiteKind::Step, 0, || faults::zero_step(by));
            self.code.end(End::Fault(fault));
            return;
        }
        if let (Operand::Const(first), Operand::Const(last), Operand::Const(step)) =
            (first, last, step)
        {
            let n = n_numbers(first, last, step).unwrap_or(u64::MAX);
            let turns = Turns { n, first: Sequence::Numbers(first, step) };
            self.counted(&turns, size, writes, body);
            return;
        }
        let step_reg = self.number(step);
        if !matches!(step, Operand::Const(_)) {
            let fault = self.unit.fault(by, SiteKind::Step, 0, || faults::zero_step(by));
            self.code.nonzero(step_reg, fault);
        }
        self.general((first, last), (step, step_reg), writes, body);
    }

    /// A loop whose turns are known.
    fn counted(&mut self, turns: &Turns, size: usize, writes: bool, body: Body<'_, 's, 'p>) {
        let room = self.code.n_ops < super::MAX_OPS_BEFORE_CALLS;
        let short = turns.n <= MAX_UNROLLED_TURNS && size <= MAX_UNROLLED_SIZE && room;
        if turns.n <= 1 || short {
            for turn in 0..turns.n {
                let value = self.value_of_turn(&turns.first, turn);
                body(self, Operand::Const(value));
            }
            return;
        }
        let counter = self.code.constant(0);
        let (head, known) = self.code.enter_loop(writes);
        if turns.n > MAX_UNWATCHED_TURNS {
            self.code.emit(Op::Tick);
        }
        let value = self.turn_value(&turns.first, counter, turns.n);
        body(self, value);
        let exit = self.code.block();
        let n = i64::try_from(turns.n).unwrap_or(i64::MAX);
        self.count_up(counter, n, (head, exit));
        self.code.start(exit);
        if self.code.is_live() {
            self.code.facts = known;
        }
    }

    /// `counter := counter + 1`, and back to the head while it is below `n`.
    pub(super) fn count_up(
        &mut self,
        counter: Reg,
        n: i64,
        (head, exit): (model::rule_code::BlockId, model::rule_code::BlockId),
    ) {
        let next = self.code.plus(counter, 1);
        self.code.emit(Op::Move { dst: counter, src: next });
        let more = self.code.binary_const(BinaryOp::Lt, next, n);
        self.code.branch(more, head, exit);
    }

    fn value_of_turn(&self, first: &Sequence, turn: u64) -> i64 {
        match first {
            Sequence::Codes(ty) => {
                self.unit.program.types.value_of(*ty, turn + 1).unwrap_or_default()
            }
            Sequence::Numbers(first, step) => {
                first.wrapping_add(step.wrapping_mul(turn.cast_signed()))
            }
        }
    }

    fn turn_value(&mut self, first: &Sequence, counter: Reg, n: u64) -> Operand {
        match *first {
            Sequence::Codes(ty) => self.value_of_count(ty, counter),
            Sequence::Numbers(first, step) => {
                let last = first.wrapping_add(step.wrapping_mul((n - 1).cast_signed()));
                let bounds = (first.min(last), first.max(last));
                if step == 1 {
                    return Operand::Affine { reg: counter, offset: first, bounds };
                }
                let reg = self.code.binary_const(BinaryOp::Mul, counter, step);
                Operand::Affine { reg, offset: first, bounds }
            }
        }
    }

    /// The value of a type with the code that is one more than the register.
    pub(super) fn value_of_count(&mut self, ty: TypeId, counter: Reg) -> Operand {
        match self.unit.offset(ty) {
            Some(offset) => {
                let bounds = self.unit.program.types.bounds(ty);
                Operand::Affine { reg: counter, offset: offset.wrapping_add(1), bounds }
            }
            None => {
                let reg = self.code.plus(counter, 1);
                self.known_nonzero(reg);
                Operand::Coded { reg, ty }
            }
        }
    }

    /// A loop whose bounds or step are computed.
    fn general(
        &mut self,
        (first, last): (Operand, Operand),
        (step, step_reg): (Operand, Reg),
        writes: bool,
        body: Body<'_, 's, 'p>,
    ) {
        let bounds = match step {
            Operand::Const(1..) => (self.bounds(first).0, self.bounds(last).1),
            Operand::Const(_) => (self.bounds(last).0, self.bounds(first).1),
            _ => ANY,
        };
        let from = self.number(first);
        let to = self.number(last);
        let up = self.is_positive(step, step_reg);
        let (enter, exit) = (self.code.block(), self.code.block());
        let starts = self.in_direction(up, from, to);
        self.go(starts, enter, exit);
        self.code.start(enter);
        let current = self.code.reg();
        self.code.emit(Op::Move { dst: current, src: from });
        let (head, known) = self.code.enter_loop(writes);
        self.code.emit(Op::Tick);
        let value = self.code.reg();
        self.code.emit(Op::Move { dst: value, src: current });
        body(self, Operand::number(value, bounds));
        let more = self.has_more(up, (value, to), step_reg);
        let next = self.code.binary(BinaryOp::Add, value, step_reg);
        self.code.emit(Op::Move { dst: current, src: next });
        self.code.branch(more, head, exit);
        self.code.start(exit);
        if self.code.is_live() {
            self.code.facts = known;
        }
    }

    fn is_positive(&mut self, step: Operand, step_reg: Reg) -> Truth {
        match step {
            Operand::Const(step) => Truth::Known(step > 0),
            _ => {
                let zero = self.code.constant(0);
                Truth::Reg(self.code.binary(BinaryOp::Lt, zero, step_reg))
            }
        }
    }

    fn in_direction(&mut self, up: Truth, from: Reg, to: Reg) -> Truth {
        match up {
            Truth::Known(true) => Truth::Reg(self.code.binary(BinaryOp::Le, from, to)),
            Truth::Known(false) => Truth::Reg(self.code.binary(BinaryOp::Le, to, from)),
            Truth::Reg(up) => {
                let rising = self.code.binary(BinaryOp::Le, from, to);
                let falling = self.code.binary(BinaryOp::Le, to, from);
                Truth::Reg(self.select(up, rising, falling))
            }
        }
    }

    /// Is the distance from `value` to `to` at least the step? Both are compared as
    /// unsigned numbers, for the distance may need 64 bits.
    fn has_more(&mut self, up: Truth, (value, to): (Reg, Reg), step: Reg) -> Reg {
        let forth = self.code.binary(BinaryOp::Sub, to, value);
        let back = self.code.binary(BinaryOp::Sub, value, to);
        let zero = self.code.constant(0);
        let negative = self.code.binary(BinaryOp::Sub, zero, step);
        let (distance, length) = match up {
            Truth::Known(true) => (forth, step),
            Truth::Known(false) => (back, negative),
            Truth::Reg(up) => (self.select(up, forth, back), self.select(up, step, negative)),
        };
        let distance = self.code.binary_const(BinaryOp::Xor, distance, i64::MIN);
        let length = self.code.binary_const(BinaryOp::Xor, length, i64::MIN);
        self.code.binary(BinaryOp::Le, length, distance)
    }
}
