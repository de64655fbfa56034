//! Random rule programs that keep the rules: every kind of operation, fields at
//! random places, loops that end, calls that may recurse.

use model::rule_code::{
    Address, Base, BinaryOp, Block, BlockId, CheckedOp, ChoiceCode, End, Family, FaultId, Function,
    FunctionId, Op, Reg, RuleProgram,
};
use model::{Fault, FaultKind, Property, PropertyKind, Symmetry};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::reference::Interpreted;

/// Registers that hold numbers; others hold parameters, counters and references.
const N_NUMBERS: u32 = 6;
const INDEX: Reg = Reg(N_NUMBERS);
const SPARE: Reg = Reg(N_NUMBERS + 1);
const REFERENCE: Reg = Reg(N_NUMBERS + 2);
const FIRST_FREE: u32 = N_NUMBERS + 3;
const N_FAULTS: u32 = 4;

/// Covers of every program: more than a word has bits.
const N_COVERS: u32 = 70;
/// Bits behind every reference that is passed to a function.
const REFERENCE_BITS: u32 = 100;

/// A program with its properties.
pub(crate) fn random_system(seed: u64) -> Interpreted {
    let mut rng = StdRng::seed_from_u64(seed);
    let state_bits = match rng.random_range(0..10) {
        0 => rng.random_range(0..64),
        1 => rng.random_range(1000..2000),
        _ => rng.random_range(120..400),
    };
    let mut program = RuleProgram {
        state_bits,
        max_loop_turns: 3,
        max_call_depth: rng.random_range(0..6),
        n_covers: N_COVERS,
        too_deep: FaultId(0),
        faults: (0..N_FAULTS).map(fault).collect(),
        ..RuleProgram::default()
    };
    let recurses = rng.random_bool(0.5);
    for idx in 0..rng.random_range(0..3) {
        let function = Generator::new(&mut rng, &program, Kind::Callee(idx, recurses)).function();
        program.functions.push(function);
    }
    for first in 0..rng.random_range(1..3) {
        let id = add(&mut rng, &mut program, Kind::Maker(first * 100));
        program.starts.push(id);
    }
    for first in 0..rng.random_range(1..6) {
        let function = add(&mut rng, &mut program, Kind::Maker(first * 1000));
        let priority = if rng.random_bool(0.8) { 0 } else { rng.random_range(-1..2) };
        let observes = rng.random_bool(0.5);
        let guards = observes.then(|| add(&mut rng, &mut program, Kind::Judge));
        program.families.push(Family { function, priority, guards });
    }
    let mut properties = Vec::new();
    for _ in 0..rng.random_range(0..4) {
        let id = add(&mut rng, &mut program, Kind::Judge);
        program.judges.push(id);
        properties.push(random_property(&mut rng));
    }
    properties.extend((0..N_COVERS).map(|_| cover_statement()));
    program.valuation = Some(add(&mut rng, &mut program, Kind::Judge));
    Interpreted { program, properties, symmetry: Symmetry::default() }
}

fn add(rng: &mut StdRng, program: &mut RuleProgram, kind: Kind) -> FunctionId {
    let function = Generator::new(rng, program, kind).function();
    program.functions.push(function);
    FunctionId(program.functions.len() as u32 - 1)
}

/// Fault number `idx` of every program.
pub(crate) fn fault(idx: u32) -> Fault {
    Fault { kind: FaultKind::Assertion, message: format!("fault {idx}"), span: None }
}

fn cover_statement() -> Property {
    Property { name: "cover".to_owned(), kind: PropertyKind::CoverStatement, span: None }
}

fn random_property(rng: &mut StdRng) -> Property {
    let kinds = [PropertyKind::Invariant, PropertyKind::Cover, PropertyKind::AlwaysReachable];
    let kind = kinds[rng.random_range(0..3)];
    Property { name: "property".to_owned(), kind, span: None }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Number in the program; may it call itself?
    Callee(u32, bool),
    /// The first choice.
    Maker(u64),
    Judge,
}

/// A base with its size.
#[derive(Clone, Copy, PartialEq)]
struct Region {
    base: Base,
    size: u32,
}

struct Generator<'a> {
    rng: &'a mut StdRng,
    program: &'a RuleProgram,
    kind: Kind,
    frame_bits: u32,
    n_registers: u32,
    blocks: Vec<Block>,
    ops: Vec<Op>,
    here: BlockId,
    /// Is there a next state that may be written?
    makes: bool,
}

impl<'a> Generator<'a> {
    fn new(rng: &'a mut StdRng, program: &'a RuleProgram, kind: Kind) -> Self {
        let frame_bits = match rng.random_range(0..4) {
            0 => 0,
            1 => rng.random_range(600..1200),
            _ => rng.random_range(1..300),
        };
        let unfilled = Block { ops: Vec::new(), end: End::Return(None) };
        Generator {
            rng,
            program,
            kind,
            frame_bits,
            n_registers: FIRST_FREE,
            blocks: vec![unfilled],
            ops: Vec::new(),
            here: BlockId(0),
            makes: false,
        }
    }

    fn function(mut self) -> Function {
        let mut parameters = Vec::new();
        let mut choice = ChoiceCode::default();
        if let Kind::Callee(..) = self.kind {
            parameters = vec![REFERENCE, Reg(0), Reg(1)];
        }
        let first = parameters.len().saturating_sub(1) as u32;
        for number in first..N_NUMBERS {
            let value = self.random_number();
            self.ops.push(Op::Const { dst: Reg(number), value });
        }
        if let Kind::Maker(first) = self.kind {
            choice.first = first;
            self.instances(&mut choice, 0);
            self.finish(End::Return(None), None);
        } else {
            self.statements(2);
            let value = self.number();
            self.finish(End::Return(Some(value)), None);
        }
        let name = format!("function {}", self.program.functions.len());
        let Generator { frame_bits, n_registers, blocks, .. } = self;
        Function { name, parameters, n_registers, frame_bits, blocks, choice }
    }

    /// Loops over parameters, then guard and action.
    fn instances(&mut self, choice: &mut ChoiceCode, level: u32) {
        if level < 2 && self.rng.random_bool(0.6) {
            let parameter = self.new_register();
            choice.terms.push((parameter, self.rng.random_range(1..10)));
            let last = self.rng.random_range(0..4);
            return self.count_to(parameter, last, |this| this.instances(choice, level + 1));
        }
        self.statements(1);
        let guard = self.number();
        self.when(guard, |this| {
            this.ops.push(Op::Enabled);
            this.ops.push(Op::Begin);
            this.makes = true;
            this.statements(2);
            let keeps = this.rng.random_bool(0.8);
            if keeps {
                this.ops.push(Op::Commit);
            }
            this.makes = false;
        });
    }

    fn statements(&mut self, level: u32) {
        for _ in 0..self.rng.random_range(1..7) {
            match self.rng.random_range(0..20) {
                0 | 1 if level > 0 => {
                    let condition = self.number();
                    self.when(condition, |this| this.statements(level - 1));
                }
                2 if level > 0 => {
                    let counter = self.new_register();
                    let last = self.rng.random_range(0..5);
                    self.count_to(counter, last, |this| this.statements(level - 1));
                }
                3 => self.call(),
                4 => self.guarded_fault(),
                5 if self.rng.random_bool(0.3) => {
                    let cover = self.rng.random_range(0..N_COVERS);
                    self.ops.push(Op::Cover { cover });
                }
                5..8 => self.checks(),
                8..14 => self.memory(),
                _ => self.arithmetic(),
            }
        }
    }

    /// `for counter := 0 to last`, with the operations that loops have.
    fn count_to(&mut self, counter: Reg, last: i64, body: impl FnOnce(&mut Self)) {
        let turns = self.new_register();
        self.ops.push(Op::Const { dst: counter, value: 0 });
        self.ops.push(Op::Const { dst: turns, value: 0 });
        let head = self.new_block();
        self.finish(End::Jump(head), Some(head));
        self.ops.push(Op::Tick);
        if self.rng.random_bool(0.3) {
            self.ops.push(Op::Turn { turns, fault: FaultId(1) });
        }
        body(self);
        self.ops.push(Op::Const { dst: SPARE, value: 1 });
        let add = BinaryOp::Add;
        self.ops.push(Op::Binary { op: add, dst: counter, left: counter, right: SPARE });
        self.ops.push(Op::Const { dst: SPARE, value: last });
        self.ops.push(Op::Binary { op: BinaryOp::Le, dst: SPARE, left: counter, right: SPARE });
        let after = self.new_block();
        let end = End::Branch { condition: SPARE, then: head, otherwise: after };
        self.finish(end, Some(after));
    }

    fn when(&mut self, condition: Reg, body: impl FnOnce(&mut Self)) {
        let (then, after) = (self.new_block(), self.new_block());
        self.finish(End::Branch { condition, then, otherwise: after }, Some(then));
        body(self);
        self.finish(End::Jump(after), Some(after));
    }

    fn guarded_fault(&mut self) {
        if self.rng.random_bool(0.7) {
            return;
        }
        let condition = self.number();
        let (fault, after) = (self.new_block(), self.new_block());
        self.finish(End::Branch { condition, then: after, otherwise: fault }, Some(fault));
        let id = self.random_fault();
        self.finish(End::Fault(id), Some(after));
    }

    fn checks(&mut self) {
        let (value, fault) = (self.number(), self.random_fault());
        let limit = 1 << self.rng.random_range(10..62);
        match self.rng.random_range(0..8) {
            0 => self.ops.push(Op::InRange { value, first: -limit, last: limit, fault }),
            1 => self.ops.push(Op::NonZero { value, fault }),
            _ => {
                let ops = [
                    CheckedOp::Add,
                    CheckedOp::Sub,
                    CheckedOp::Mul,
                    CheckedOp::Div,
                    CheckedOp::Rem,
                ];
                let op = ops[self.rng.random_range(0..ops.len())];
                let (dst, left, right) = (self.number(), self.number(), self.number());
                self.ops.push(Op::Checked { op, dst, left, right, fault });
            }
        }
    }

    fn arithmetic(&mut self) {
        use BinaryOp::{Add, And, Eq, Le, Lt, Mul, Ne, Or, Shl, Shr, Sub, Xor};
        let (dst, left, right) = (self.number(), self.number(), self.number());
        match self.rng.random_range(0..8) {
            0 => {
                let value = self.random_number();
                self.ops.push(Op::Const { dst, value });
            }
            1 => self.ops.push(Op::Move { dst, src: left }),
            2 => {
                let condition = self.number();
                self.ops.push(Op::Select { dst, condition, left, right });
            }
            _ => {
                let ops = [Add, Sub, Mul, And, Or, Xor, Shl, Shr, Eq, Ne, Lt, Le];
                let op = ops[self.rng.random_range(0..ops.len())];
                self.ops.push(Op::Binary { op, dst, left, right });
            }
        }
    }

    fn memory(&mut self) {
        let Some(region) = self.region(false) else { return };
        match self.rng.random_range(0..10) {
            0..3 => {
                let (address, bits) = self.field(region);
                let dst = self.number();
                self.ops.push(Op::Load { dst, address, bits });
            }
            3..6 => {
                let Some(region) = self.region(true) else { return };
                let (address, bits) = self.field(region);
                let src = self.number();
                let value = (u64::MAX >> (64 - bits)).cast_signed();
                self.ops.push(Op::Const { dst: SPARE, value });
                self.ops.push(Op::Binary {
                    op: BinaryOp::And,
                    dst: SPARE,
                    left: src,
                    right: SPARE,
                });
                self.ops.push(Op::Store { address, src: SPARE, bits });
            }
            6 => self.copy(region),
            7 => {
                let Some(region) = self.region(true) else { return };
                let (address, bits) = self.stretch(region);
                self.ops.push(Op::Clear { address, bits });
            }
            8 => {
                let Some(other) = self.region(false) else { return };
                let bits = self.rng.random_range(0..=region.size.min(other.size));
                let left = self.place(region, bits);
                let right = self.place(other, bits);
                let dst = self.number();
                self.ops.push(Op::Equal { dst, left, right, bits });
            }
            _ => {
                let Some(region) = self.region(true) else { return };
                let stride = self.rng.random_range(1..=region.size.min(140));
                let n = self.rng.random_range(0..=(region.size / stride).min(9));
                let address = self.place(region, stride * n);
                self.ops.push(Op::Sort { address, stride, n });
            }
        }
    }

    fn copy(&mut self, from: Region) {
        let Some(to) = self.region(true) else { return };
        // A reference may lead to the next state.
        let foreign = |base| !matches!(base, Base::Frame | Base::State);
        if to.base == from.base || foreign(to.base) && foreign(from.base) {
            return;
        }
        let bits = self.rng.random_range(0..=to.size.min(from.size));
        let (to, from) = (self.place(to, bits), self.place(from, bits));
        self.ops.push(Op::Copy { to, from, bits });
    }

    /// Calls an earlier function, or itself.
    fn call(&mut self) {
        let known = match self.kind {
            Kind::Callee(idx, recurses) => idx + u32::from(recurses),
            _ => (self.program.functions.len() as u32).min(2),
        };
        let n_callees = self.program.functions.iter().take_while(|f| f.parameters.len() == 3);
        let mut known = known.min(n_callees.count() as u32);
        if let Kind::Callee(idx, true) = self.kind {
            known = idx + 1;
        }
        // The callee writes through the reference and, in an action, to the next state.
        let region = match self.kind {
            Kind::Callee(..) => Region { base: Base::Frame, size: self.frame_bits },
            _ => match self.region(true) {
                Some(region) => region,
                None => return,
            },
        };
        if known == 0 || region.size < REFERENCE_BITS {
            return;
        }
        let function = FunctionId(self.rng.random_range(0..known));
        let address = self.place(region, REFERENCE_BITS);
        let reference = self.new_register();
        self.ops.push(Op::Address { dst: reference, address });
        let arguments = vec![reference, self.number(), self.number()];
        let dst = self.rng.random_bool(0.8).then(|| self.number());
        self.ops.push(Op::Call { dst, function, arguments });
    }

    /// Something to read, or to write.
    fn region(&mut self, writable: bool) -> Option<Region> {
        let mut all = vec![Region { base: Base::Frame, size: self.frame_bits }];
        if let Kind::Callee(..) = self.kind {
            all.push(Region { base: Base::Reference(REFERENCE), size: REFERENCE_BITS });
        }
        if self.makes {
            all.push(Region { base: Base::Next, size: self.program.state_bits });
        }
        if !writable {
            all.push(Region { base: Base::State, size: self.program.state_bits });
        }
        all.retain(|region| region.size > 0);
        let n_regions = all.len();
        (n_regions > 0).then(|| all[self.rng.random_range(0..n_regions)])
    }

    fn stretch(&mut self, region: Region) -> (Address, u32) {
        let bits = self.rng.random_range(0..=region.size);
        (self.place(region, bits), bits)
    }

    /// A field of 1 to 64 bits; wide ones at a multiple of eight bits.
    fn field(&mut self, region: Region) -> (Address, u32) {
        let bits = match self.rng.random_range(0..4) {
            0 => self.rng.random_range(1..=64),
            1 => [1, 8, 16, 32, 56, 57, 63, 64][self.rng.random_range(0..8)],
            _ => self.rng.random_range(1..12),
        }
        .min(region.size);
        if bits <= 56 || matches!(region.base, Base::Reference(_)) {
            let bits = bits.min(56);
            return (self.place(region, bits), bits);
        }
        let bit = self.rng.random_range(0..=(region.size - bits) / 8) * 8;
        let index = self.index((region.size - bits - bit) / 8, 8);
        (Address { base: region.base, bit, index }, bits)
    }

    /// Any place for `bits` bits, with an index or without.
    fn place(&mut self, region: Region, bits: u32) -> Address {
        let free = region.size - bits;
        let bit = self.rng.random_range(0..=free);
        let stride = self.rng.random_range(1..12);
        let index = self.index((free - bit) / stride, stride);
        Address { base: region.base, bit, index }
    }

    /// A register with a multiple of `stride`, up to `most` times.
    fn index(&mut self, most: u32, stride: u32) -> Option<Reg> {
        if self.rng.random_bool(0.5) {
            return None;
        }
        // Two addresses of one operation need two registers.
        let index = self.new_register();
        let mask = (u64::from(most) + 1).next_power_of_two() / 2;
        let (src, value) = (self.number(), mask.saturating_sub(1).cast_signed());
        self.ops.push(Op::Const { dst: INDEX, value });
        self.ops.push(Op::Binary { op: BinaryOp::And, dst: index, left: src, right: INDEX });
        self.ops.push(Op::Const { dst: INDEX, value: stride.into() });
        self.ops.push(Op::Binary { op: BinaryOp::Mul, dst: index, left: index, right: INDEX });
        Some(index)
    }

    fn number(&mut self) -> Reg {
        Reg(self.rng.random_range(0..N_NUMBERS))
    }

    fn random_number(&mut self) -> i64 {
        match self.rng.random_range(0..6) {
            0 => self.rng.random(),
            1 => [i64::MIN, i64::MAX, -1, 0, 63, 64][self.rng.random_range(0..6)],
            _ => self.rng.random_range(-8..20),
        }
    }

    fn random_fault(&mut self) -> FaultId {
        FaultId(self.rng.random_range(1..N_FAULTS))
    }

    fn new_register(&mut self) -> Reg {
        self.n_registers += 1;
        Reg(self.n_registers - 1)
    }

    fn new_block(&mut self) -> BlockId {
        self.blocks.push(Block { ops: Vec::new(), end: End::Return(None) });
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// Ends the block and goes on in another.
    fn finish(&mut self, end: End, next: Option<BlockId>) {
        let ops = std::mem::take(&mut self.ops);
        self.blocks[self.here.0 as usize] = Block { ops, end };
        self.here = next.unwrap_or(self.here);
    }
}
