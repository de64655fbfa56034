//! Rule code, run operation by operation: what machine code is compared with.
//!
//! Memory is a vector of bits for each of `State`, `Next` and the frames; a reference
//! is the number of such a space and a bit in it.

use std::collections::BTreeSet;

use model::rule_code::{
    Address, Base, BinaryOp, CheckedOp, End, FaultId, FunctionId, Op, Reg, RuleProgram,
};
use model::{
    Choice, ChoiceLabel, FaultPlace, Field, Judgement, Limits, Property, PropertyKind, Stepper,
    StopReason, Stuck, Successors, Symmetry, TransitionSystem,
};

/// Bits of a reference that are the bit within the space.
const SPACE_SHIFT: u32 = 40;
const STATE: usize = 0;
const NEXT: usize = 1;

/// A program with its properties.
pub(crate) struct Interpreted {
    pub program: RuleProgram,
    pub properties: Vec<Property>,
    pub symmetry: Symmetry,
}

impl TransitionSystem for Interpreted {
    fn state_bits(&self) -> u32 {
        self.program.state_bits
    }

    fn stepper<'a>(&'a self, _limits: &Limits) -> Box<dyn Stepper + Send + 'a> {
        let (spaces, covered) = (Vec::new(), BTreeSet::new());
        Box::new(Interpreter { system: self, spaces, covered, out: Successors::default() })
    }

    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn choice_label(&self, _choice: Choice, _initial: bool) -> ChoiceLabel {
        ChoiceLabel { name: "rule".to_owned(), parameters: Vec::new(), span: None }
    }

    fn describe(&self, _state: &[u64]) -> Vec<Field> {
        Vec::new()
    }

    fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }
}

/// Runs rule code.
struct Interpreter<'a> {
    system: &'a Interpreted,
    /// State, next, and the frames of the calls that are open.
    spaces: Vec<Vec<bool>>,
    /// Properties that are covers and were reached.
    covered: BTreeSet<u32>,
    out: Successors,
}

/// What one call works on.
struct Activation {
    registers: Vec<i64>,
    frame: usize,
    depth: u32,
}

impl Interpreter<'_> {
    fn set_state(&mut self, state: &[u64]) {
        let bit = |idx: u32| state[idx as usize / 64] >> (idx % 64) & 1 == 1;
        let state: Vec<bool> = (0..self.system.program.state_bits).map(bit).collect();
        self.spaces = vec![state.clone(), state];
    }

    /// Runs a root: its value, or its fault with the choice at that moment.
    fn root(&mut self, id: FunctionId) -> Result<i64, (FaultId, u64)> {
        let function = &self.system.program.functions[id.0 as usize];
        self.spaces.truncate(2);
        self.spaces.push(vec![false; function.frame_bits as usize]);
        let registers = vec![0; function.n_registers as usize];
        let mut activation = Activation { registers, frame: 2, depth: 0 };
        self.run(id, &mut activation)
            .map_err(|fault| (fault, self.choice(id, &activation.registers)))
    }

    fn choice(&self, id: FunctionId, registers: &[i64]) -> u64 {
        let choice = &self.system.program.functions[id.0 as usize].choice;
        choice.terms.iter().fold(choice.first, |sum, (register, weight)| {
            sum.wrapping_add((registers[register.0 as usize] as u64).wrapping_mul(*weight))
        })
    }

    fn run(&mut self, id: FunctionId, now: &mut Activation) -> Result<i64, FaultId> {
        let function = &self.system.program.functions[id.0 as usize];
        let mut block = &function.blocks[0];
        loop {
            for op in &block.ops {
                self.op(id, op, now)?;
            }
            let target = match block.end {
                End::Jump(target) => target,
                End::Branch { condition, then, otherwise } => {
                    if now.get(condition) != 0 {
                        then
                    } else {
                        otherwise
                    }
                }
                End::Return(value) => return Ok(value.map_or(0, |register| now.get(register))),
                End::Fault(fault) => return Err(fault),
            };
            block = &function.blocks[target.0 as usize];
        }
    }

    fn op(&mut self, id: FunctionId, op: &Op, now: &mut Activation) -> Result<(), FaultId> {
        match op {
            Op::Const { dst, value } => now.set(*dst, *value),
            Op::Move { dst, src } => now.set(*dst, now.get(*src)),
            Op::Binary { op, dst, left, right } => {
                now.set(*dst, binary(*op, now.get(*left), now.get(*right)));
            }
            Op::Checked { op, dst, left, right, fault } => {
                let value = checked(*op, now.get(*left), now.get(*right));
                now.set(*dst, value.ok_or(*fault)?);
            }
            Op::Select { dst, condition, left, right } => {
                let chosen = if now.get(*condition) != 0 { left } else { right };
                now.set(*dst, now.get(*chosen));
            }
            Op::InRange { value, first, last, fault } => {
                let value = now.get(*value);
                return if *first <= value && value <= *last { Ok(()) } else { Err(*fault) };
            }
            Op::NonZero { value, fault } => {
                return if now.get(*value) != 0 { Ok(()) } else { Err(*fault) };
            }
            Op::Call { dst, function, arguments } => {
                let value = self.call(*function, arguments, now)?;
                if let Some(dst) = dst {
                    now.set(*dst, value);
                }
            }
            Op::Turn { turns, fault } => {
                let n_turns = now.get(*turns) + 1;
                now.set(*turns, n_turns);
                if n_turns as u64 > self.system.program.max_loop_turns {
                    return Err(*fault);
                }
            }
            Op::Tick => {}
            Op::Cover { cover } => {
                self.covered.insert(self.system.program.judges.len() as u32 + cover);
            }
            Op::Enabled => self.out.n_enabled += 1,
            Op::Begin => self.spaces[NEXT] = self.spaces[STATE].clone(),
            Op::Commit => {
                let choice = self.choice(id, &now.registers);
                let mut words = vec![0; self.system.state_words()];
                for (idx, &bit) in self.spaces[NEXT].iter().enumerate() {
                    words[idx / 64] |= u64::from(bit) << (idx % 64);
                }
                self.out.push(Choice(choice), &words);
            }
            _ => self.memory_op(op, now),
        }
        Ok(())
    }

    fn memory_op(&mut self, op: &Op, now: &mut Activation) {
        match op {
            Op::Load { dst, address, bits } => {
                let bits = self.bits(now.at(address), *bits);
                now.set(*dst, number(&bits) as i64);
            }
            Op::Store { address, src, bits } => {
                let value = now.get(*src);
                let bits: Vec<bool> = (0..*bits).map(|bit| value >> bit & 1 == 1).collect();
                self.put(now.at(address), &bits);
            }
            Op::Copy { to, from, bits } => {
                let bits = self.bits(now.at(from), *bits);
                self.put(now.at(to), &bits);
            }
            Op::Clear { address, bits } => {
                self.put(now.at(address), &vec![false; *bits as usize]);
            }
            Op::Equal { dst, left, right, bits } => {
                let left = self.bits(now.at(left), *bits);
                let right = self.bits(now.at(right), *bits);
                now.set(*dst, i64::from(left == right));
            }
            Op::Sort { address, stride, n } => {
                let at = now.at(address);
                let all = self.bits(at, stride * n);
                let stride = (*stride as usize).max(1);
                let mut fields: Vec<Vec<bool>> =
                    all.chunks(stride).map(|field| field.iter().rev().copied().collect()).collect();
                for field in fields.iter_mut().filter(|field| !field[0]) {
                    field.fill(false);
                }
                fields.sort();
                fields.reverse();
                let sorted: Vec<bool> =
                    fields.into_iter().flat_map(|field| field.into_iter().rev()).collect();
                self.put(at, &sorted);
            }
            Op::Address { dst, address } => {
                let (space, bit) = now.at(address);
                now.set(*dst, ((space << SPACE_SHIFT) + bit) as i64);
            }
            _ => unreachable!("every other operation is done elsewhere"),
        }
    }

    fn call(
        &mut self,
        id: FunctionId,
        arguments: &[Reg],
        caller: &Activation,
    ) -> Result<i64, FaultId> {
        let program = &self.system.program;
        let depth = caller.depth + 1;
        if depth > program.max_call_depth {
            return Err(program.too_deep);
        }
        let function = &program.functions[id.0 as usize];
        let mut registers = vec![0; function.n_registers as usize];
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            registers[parameter.0 as usize] = caller.get(*argument);
        }
        let frame = self.spaces.len();
        self.spaces.push(vec![false; function.frame_bits as usize]);
        let value = self.run(id, &mut Activation { registers, frame, depth })?;
        self.spaces.pop();
        Ok(value)
    }

    fn bits(&self, (space, bit): (usize, usize), n_bits: u32) -> Vec<bool> {
        self.spaces[space][bit..bit + n_bits as usize].to_vec()
    }

    fn put(&mut self, (space, bit): (usize, usize), bits: &[bool]) {
        self.spaces[space][bit..bit + bits.len()].copy_from_slice(bits);
    }
}

impl Activation {
    fn get(&self, register: Reg) -> i64 {
        self.registers[register.0 as usize]
    }

    fn set(&mut self, register: Reg, value: i64) {
        self.registers[register.0 as usize] = value;
    }

    fn at(&self, address: &Address) -> (usize, usize) {
        let start = match address.base {
            Base::State => STATE << SPACE_SHIFT,
            Base::Next => NEXT << SPACE_SHIFT,
            Base::Frame => self.frame << SPACE_SHIFT,
            Base::Reference(register) => self.get(register) as usize,
        };
        let index = address.index.map_or(0, |register| self.get(register));
        let place = (start as i64 + i64::from(address.bit) + index) as usize;
        (place >> SPACE_SHIFT, place & ((1 << SPACE_SHIFT) - 1))
    }
}

fn number(bits: &[bool]) -> u64 {
    bits.iter().rev().fold(0, |number, &bit| number << 1 | u64::from(bit))
}

fn shift_left(value: i64, by: u64) -> i64 {
    if by > 63 { 0 } else { value << by }
}

fn shift_right(value: i64, by: u64) -> i64 {
    value >> by.min(63)
}

fn binary(op: BinaryOp, left: i64, right: i64) -> i64 {
    match op {
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Sub => left.wrapping_sub(right),
        BinaryOp::Mul => left.wrapping_mul(right),
        BinaryOp::And => left & right,
        BinaryOp::Or => left | right,
        BinaryOp::Xor => left ^ right,
        BinaryOp::Shl if right < 0 => shift_right(left, right.unsigned_abs()),
        BinaryOp::Shl => shift_left(left, right.unsigned_abs()),
        BinaryOp::Shr if right < 0 => shift_left(left, right.unsigned_abs()),
        BinaryOp::Shr => shift_right(left, right.unsigned_abs()),
        BinaryOp::Eq => i64::from(left == right),
        BinaryOp::Ne => i64::from(left != right),
        BinaryOp::Lt => i64::from(left < right),
        BinaryOp::Le => i64::from(left <= right),
    }
}

fn checked(op: CheckedOp, left: i64, right: i64) -> Option<i64> {
    match op {
        CheckedOp::Add => left.checked_add(right),
        CheckedOp::Sub => left.checked_sub(right),
        CheckedOp::Mul => left.checked_mul(right),
        CheckedOp::Div => left.checked_div(right),
        CheckedOp::Rem => left.checked_rem(right),
    }
}

impl Stepper for Interpreter<'_> {
    fn initial(&mut self, out: &mut Successors) -> Result<(), StopReason> {
        self.set_state(&vec![0; self.system.state_words()]);
        std::mem::swap(&mut self.out, out);
        for &id in &self.system.program.starts {
            if let Err((fault, choice)) = self.root(id) {
                let fault = self.system.program.faults[fault.0 as usize].clone();
                self.out.faults.push((FaultPlace::Start(Choice(choice)), fault));
            }
        }
        std::mem::swap(&mut self.out, out);
        out.covered.extend(std::mem::take(&mut self.covered));
        Ok(())
    }

    fn expand(&mut self, state: &[u64], out: &mut Successors) -> Result<(), StopReason> {
        self.set_state(state);
        std::mem::swap(&mut self.out, out);
        let n_before = self.out.n_enabled;
        let mut families = self.system.program.families.clone();
        families.sort_by_key(|family| family.priority);
        let (mut last, mut is_preceded) = (None, false);
        for family in families {
            if last.is_some_and(|last| last != family.priority) {
                is_preceded = self.out.n_enabled > n_before;
            }
            last = Some(family.priority);
            let root = if is_preceded { family.guards } else { Some(family.function) };
            if let Some(root) = root
                && let Err((fault, choice)) = self.root(root)
            {
                let fault = self.system.program.faults[fault.0 as usize].clone();
                self.out.faults.push((FaultPlace::Step(Choice(choice)), fault));
            }
        }
        std::mem::swap(&mut self.out, out);
        out.covered.extend(std::mem::take(&mut self.covered));
        Ok(())
    }

    fn judge(&mut self, state: &[u64], out: &mut Judgement) -> Result<(), StopReason> {
        self.set_state(state);
        for (idx, &id) in self.system.program.judges.iter().enumerate() {
            let idx_number = idx as u32;
            match (self.root(id), self.system.properties[idx].kind) {
                (Err((fault, _)), _) => {
                    let fault = self.system.program.faults[fault.0 as usize].clone();
                    out.faults.push((idx_number, fault));
                }
                (Ok(0), PropertyKind::Invariant) => out.violated.push(idx_number),
                (Ok(0), _) | (Ok(_), PropertyKind::Invariant) => {}
                (Ok(_), _) => out.reached.push(idx_number),
            }
        }
        out.reached.extend(std::mem::take(&mut self.covered));
        Ok(())
    }

    fn valuation(&mut self, state: &[u64]) -> Result<u64, Stuck> {
        self.set_state(state);
        let Some(id) = self.system.program.valuation else { return Ok(0) };
        let fault = |(fault, _): (FaultId, u64)| {
            Stuck::Fault(self.system.program.faults[fault.0 as usize].clone())
        };
        let valuation = self.root(id).map(i64::cast_unsigned).map_err(fault);
        self.covered.clear();
        valuation
    }
}
