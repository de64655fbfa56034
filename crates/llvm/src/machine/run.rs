//! The loop: executes operations until the next one is visible to other threads.

use super::stop::{Result, Rule, Stop};
use super::{Granularity, Machine};
use crate::code::{Alloca, Body, Call, FunctionCode, Instr, Op, ScalarAccess, Src};
use crate::library::{self, Visibility};
use crate::memory::{Kind, Object};
use crate::value::{Origin, Value, mask, signed};

/// How a step left the thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ran {
    /// It goes on.
    Running,
    /// It has ended.
    Ended,
}

/// Choices within an atomic section before a loop in it is refused.
const MAX_ATOMIC_CHOICES: usize = 16;

/// What comes after an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// The one behind it.
    Next,
    /// The one that the frame says.
    Jumped,
    /// Nothing in this step.
    Pause,
}

impl<'p> Machine<'p> {
    /// Runs the thread for one step: its next operation, and whatever follows that
    /// no other thread can see.
    ///
    /// # Errors
    /// There is no such step, or it breaks a rule, or it cannot be told.
    pub fn run(&mut self) -> Result<Ran> {
        if self.memory.has_buffered() && self.choose(2) == 1 {
            self.memory.flush_oldest();
            return Ok(Ran::Running);
        }
        let ran = match self.options.granularity {
            Granularity::Operations | Granularity::Accesses => self.run_to_access(),
            Granularity::Synchronisations => self.run_to_synchronisation(),
        }?;
        self.start_spawned();
        // Nobody goes on after the end of the program.
        Ok(if self.memory.shared().is_over() { Ran::Ended } else { ran })
    }

    /// Up to and including the next synchronisation, and what follows that nobody can
    /// see; up to just before it, if it waits or is a whole section that others see as
    /// one step.
    fn run_to_synchronisation(&mut self) -> Result<Ran> {
        let mut is_first = true;
        loop {
            if self.has_run_enough() {
                return Ok(Ran::Running);
            }
            if self.memory.frames().is_empty() {
                if self.end()? {
                    return Ok(Ran::Ended);
                }
                continue;
            }
            let instr = self.instr();
            let is_inside = self.memory.is_in_section();
            let is_seen = !is_inside && self.is_visible(instr);
            if is_seen && !is_first && self.starts_section(instr) {
                return Ok(Ran::Running);
            }
            let flow = match self.execute(instr) {
                Err(Stop::Blocked(_)) if !is_inside && !is_first => return Ok(Ran::Running),
                flow => flow?,
            };
            match flow {
                Flow::Next => self.frame().pc += 1,
                Flow::Jumped => {}
                Flow::Pause => return Ok(Ran::Running),
            }
            let is_sync = is_inside
                || is_seen && !self.was_plain(instr)
                || self.memory.footprint().has_deaths();
            if is_sync && !self.memory.is_in_section() {
                return self.run_unseen();
            }
            is_first = false;
        }
    }

    /// Up to just before the next access to shared memory, from where it stands.
    fn run_unseen(&mut self) -> Result<Ran> {
        if self.options.granularity == Granularity::Operations {
            return Ok(Ran::Running);
        }
        while !self.memory.frames().is_empty() {
            let instr = self.instr();
            if self.has_run_enough() || self.is_visible(instr) || !self.run_one(instr)? {
                break;
            }
        }
        Ok(Ran::Running)
    }

    /// Executes an operation and goes on behind it; false if the step ends with it.
    pub(super) fn run_one(&mut self, instr: &'p Instr) -> Result<bool> {
        match self.execute(instr)? {
            Flow::Next => self.frame().pc += 1,
            Flow::Jumped => {}
            Flow::Pause => return Ok(false),
        }
        Ok(true)
    }

    fn run_to_access(&mut self) -> Result<Ran> {
        loop {
            if self.memory.frames().is_empty() {
                if self.end()? {
                    return Ok(Ran::Ended);
                }
                if !self.memory.is_in_section() {
                    return self.run_unseen();
                }
                continue;
            }
            match self.execute(self.instr())? {
                Flow::Next => self.frame().pc += 1,
                Flow::Jumped => {}
                Flow::Pause => return Ok(Ran::Running),
            }
            if !self.memory.is_in_section() {
                return self.run_unseen();
            }
        }
    }

    /// The operation that comes next.
    pub fn instr(&self) -> &'p Instr {
        let frame = self.memory.frame();
        &self.body(frame.function).ops[frame.pc as usize]
    }

    pub(super) fn body(&self, function: u32) -> &'p Body {
        let code = self.code;
        code.functions[function as usize].body.as_ref().expect("only defined functions run")
    }

    /// The value of an operand.
    pub fn value(&self, src: Src) -> Value {
        self.memory.operand(src)
    }

    pub(super) fn set(&mut self, reg: u32, value: Value) {
        self.memory.set_register(reg, value);
    }

    fn set_from(&mut self, reg: u32, value: Value) {
        let value = match value.is_defined() {
            true => value,
            false => {
                let widths = &self.body(self.memory.frame().function).widths;
                self.set_somehow(value, widths[reg as usize].into())
            }
        };
        self.set(reg, value);
    }

    /// Can other threads see what the operation does, or can it depend on them?
    pub(super) fn is_visible(&self, instr: &Instr) -> bool {
        let is_shared = |src: &Src| matches!(self.value(*src).base.origin(), Origin::Shared(_));
        let is_symbol = |src: &Src| self.memory.is_shared_symbol(self.value(*src));
        match &instr.op {
            Op::Load { pointer, .. }
            | Op::Store { pointer, .. }
            | Op::ReadModifyWrite { pointer, .. }
            | Op::CompareExchange { pointer, .. } => is_shared(pointer),
            Op::Expire(memory) => is_shared(memory),
            Op::Call(call) => self.is_visible_call(call),
            Op::Binary(op) => is_symbol(&op.operands.0) || is_symbol(&op.operands.1),
            Op::Float(op) => is_symbol(&op.operands.0) || is_symbol(&op.operands.1),
            Op::Compare { operands, .. } | Op::FloatCompare { operands, .. } => {
                (is_symbol(&operands.0) || is_symbol(&operands.1)) && self.may_split(&instr.op)
            }
            Op::Convert { value, .. } | Op::Switch { value, .. } => is_symbol(value),
            Op::Branch(condition, ..) | Op::Select { condition, .. } => is_symbol(condition),
            Op::Return(_) => self.memory.frame().has_shared_variables(),
            // It may end other functions, or the program.
            Op::Resume(_) => true,
            _ => false,
        }
    }

    /// Was it an access that others cannot see as such in programs without data races?
    /// An operation of the library is one unless it touched something atomically.
    fn was_plain(&self, instr: &Instr) -> bool {
        match &instr.op {
            Op::Load { access, .. } | Op::Store { access, .. } => !access.is_atomic,
            Op::Return(_) | Op::Expire(_) => true,
            Op::Call(call) => {
                let builtin = self.called(call).and_then(|function| match function.body {
                    Some(_) => None,
                    None => function.builtin,
                });
                builtin.is_some_and(|it| library::visibility(it) == Visibility::Pointers)
                    && !self.memory.footprint().has_atomics()
            }
            _ => false,
        }
    }

    /// Does a section start with it that is one step for others?
    fn starts_section(&self, instr: &Instr) -> bool {
        let Op::Call(call) = &instr.op else { return false };
        self.called(call).is_some_and(|function| match &function.body {
            Some(body) => body.is_atomic,
            None => function.name == "__VERIFIER_atomic_begin",
        })
    }

    pub(super) fn called(&self, call: &Call) -> Option<&'p FunctionCode> {
        let number = self.value(call.callee).as_function()?;
        let code = self.code;
        code.functions.get(number as usize)
    }

    fn is_visible_call(&self, call: &Call) -> bool {
        let Origin::Function(number) = self.value(call.callee).base.origin() else { return false };
        let function = &self.code.functions[number as usize];
        match (&function.body, function.builtin) {
            (Some(body), _) => body.is_atomic || self.passes_shared(call),
            (None, None) => false,
            (None, Some(builtin)) => match library::visibility(builtin) {
                // Whether it comes before a death is seen in its address.
                _ if self.code.watch.sees_heap && library::allocates(builtin) => true,
                Visibility::Always => true,
                Visibility::Never => false,
                Visibility::Pointers => call.arguments.iter().any(|&argument| {
                    matches!(self.value(argument).base.origin(), Origin::Shared(_))
                }),
            },
        }
    }

    fn execute(&mut self, instr: &'p Instr) -> Result<Flow> {
        let operation = self.memory.begin_operation();
        let flow = self.dispatch_logged(instr);
        self.memory.attribute_accesses(operation);
        let flow = flow?;
        self.memory.end_operation(instr.place)?;
        Ok(flow)
    }

    pub(super) fn dispatch(&mut self, instr: &'p Instr) -> Result<Flow> {
        self.n_executed += 1;
        self.memory.flush_before(&instr.op);
        match &instr.op {
            Op::Load { .. }
            | Op::Store { .. }
            | Op::ReadModifyWrite { .. }
            | Op::CompareExchange { .. }
            | Op::Alloca(_) => {
                if self.options.unset_is_any
                    && let Some(flow) = self.settle_before(&instr.op)?
                {
                    return Ok(flow);
                }
                self.memory_op(&instr.op, instr.place)?;
            }
            Op::Jump(to) => return self.jump(*to),
            Op::Branch(condition, yes, no) => {
                let condition = self.decided(*condition)?;
                let to = if condition { *yes } else { *no };
                if self.leaves_joins(to) {
                    self.jump(to)?;
                    return Ok(Flow::Pause);
                }
                return self.jump(to);
            }
            Op::Switch { value, width, cases, default } => {
                let what = "the operand of a `switch`";
                let value = self.switch_value(*value, u32::from(*width), cases, what)?;
                let case = cases.iter().find(|(case, _)| Some(*case) == value);
                return self.jump(case.map_or(*default, |(_, to)| *to));
            }
            Op::Call(call) => return self.call(call),
            Op::Expire(memory) => self.memory.expire(self.value(*memory).base),
            Op::Renew(memory) => self.memory.renew(self.value(*memory).base),
            Op::Return(values) => return self.leave(values),
            Op::Resume(exception) => return self.unwind(self.value(*exception)),
            Op::LandingPad { .. } => unreachable!("unwinding goes on behind it"),
            Op::Fence(order) => self.memory.fence(*order),
            Op::Unreachable => {
                let message = "code marked as unreachable is reached";
                return Err(Stop::error(Rule::MemorySafety, message));
            }
            Op::Unsupported(what) => return Err(Stop::refused(what.to_string())),
            _ => self.register_op(&instr.op)?,
        }
        Ok(Flow::Next)
    }

    /// An operation on registers alone.
    fn register_op(&mut self, op: &'p Op) -> Result<()> {
        match op {
            Op::Move(to, from) => self.set_from(*to, self.value(*from)),
            Op::Moves(moves) => {
                let values: Vec<Value> = moves.iter().map(|(_, from)| self.value(*from)).collect();
                for ((to, _), value) in moves.iter().zip(values) {
                    self.set_from(*to, value);
                }
            }
            Op::Binary(op) => {
                let operands = (self.value(op.operands.0), self.value(op.operands.1));
                let value = self.binary(op, operands.0, operands.1)?;
                self.set(op.to, value);
            }
            Op::Float(op) => {
                let operands = (self.value(op.operands.0), self.value(op.operands.1));
                let value = self.float(op, operands.0, operands.1)?;
                self.set(op.to, value);
            }
            Op::Compare { predicate, width, to, operands } => {
                let values = (self.value(operands.0), self.value(operands.1));
                let value = match self.branches_next(*to) {
                    true => self.compare(*predicate, u32::from(*width), values)?,
                    false => self.compare_or_defer(*predicate, u32::from(*width), values)?,
                };
                self.set(*to, value);
            }
            Op::FloatCompare { predicate, width, to, operands } => {
                let values = (self.value(operands.0), self.value(operands.1));
                let value = self.float_compare(*predicate, u32::from(*width), values)?;
                self.set(*to, value);
            }
            Op::Convert { conversion, widths, to, value } => {
                let widths = (u32::from(widths.0), u32::from(widths.1));
                let value = self.convert(*conversion, widths, self.value(*value))?;
                self.set(*to, value);
            }
            Op::Select { to, condition, values } => {
                let values = (self.value(values.0), self.value(values.1));
                let value = self.select(self.value(*condition), values)?;
                self.set(*to, value);
            }
            Op::Freeze(to, from) => {
                let widths = &self.body(self.memory.frame().function).widths;
                let width = widths[*to as usize].into();
                let value = self.frozen(self.value(*from), width);
                self.set(*to, value);
            }
            Op::Address { to, base, offset, terms } => {
                let value = self.address(*base, *offset, terms)?;
                self.set(*to, value);
            }
            _ => unreachable!("the caller deals with everything else"),
        }
        Ok(())
    }

    fn address(&mut self, base: Src, offset: i64, terms: &[(Src, u8, i64)]) -> Result<Value> {
        let base = self.value(base);
        let pointer_bits = self.code.pointer_bytes * 8;
        if !base.is_defined() {
            return Ok(self.memory.somewhere_at(base));
        }
        let mut bits = base.bits.wrapping_add(offset as u64);
        for &(index, width, scale) in terms {
            let index = self.concrete(self.value(index), u32::from(width))?;
            if !index.is_defined() {
                return Ok(self.memory.somewhere_at(base));
            }
            let number = index
                .as_number()
                .ok_or_else(|| Stop::refused("an address is added to an address"))?;
            let index = signed(number, u32::from(width));
            bits = bits.wrapping_add(index.wrapping_mul(scale) as u64);
        }
        Ok(Value { bits: bits & mask(pointer_bits), ..base })
    }

    fn memory_op(&mut self, op: &'p Op, place: u32) -> Result<()> {
        match op {
            Op::Load { to, pointer, access } => {
                let value = self.memory.read(self.value(*pointer), *access)?;
                self.memory.must_be_aligned(self.value(*pointer), *access)?;
                self.set(*to, value);
            }
            Op::Store { value, pointer, access } => {
                self.memory.write(self.value(*pointer), *access, self.value(*value))?;
                self.memory.must_be_aligned(self.value(*pointer), *access)?;
            }
            Op::ReadModifyWrite { op, to, pointer, value, access } => {
                let (pointer, value) = (self.value(*pointer), self.value(*value));
                let old = self.read_modify_write(*op, pointer, value, *access)?;
                self.set(*to, old);
            }
            Op::CompareExchange { to, pointer, values, access, is_weak, on_failure } => {
                let values = (self.value(values.0), self.value(values.1));
                if *is_weak && self.choose(2) == 1 {
                    let access = ScalarAccess { order: *on_failure, ..*access };
                    let old = self.memory.read(self.value(*pointer), access)?;
                    self.set(to.0, old);
                    self.set(to.1, Value::ZERO);
                    self.is_spurious = true;
                    return Ok(());
                }
                let how = (*access, *on_failure);
                let (old, equal) = self.compare_exchange(self.value(*pointer), values, how)?;
                self.set(to.0, old);
                self.set(to.1, Value::number(u64::from(equal)));
            }
            Op::Alloca(alloca) => self.alloca(alloca, place)?,
            _ => unreachable!("the caller deals with everything else"),
        }
        Ok(())
    }

    fn alloca(&mut self, alloca: &Alloca, place: u32) -> Result<()> {
        let count = match alloca.count {
            None => 1,
            Some((count, width)) => {
                let known = self.concrete(self.value(count), u32::from(width))?;
                if self.options.over_approximates && !known.is_defined() {
                    let object = Object::of_unknown_size(Kind::Stack, place);
                    let address = self.memory.allocate_in_frame(object)?;
                    self.set(alloca.to, address);
                    return Ok(());
                }
                self.number(self.value(count), u32::from(width), "the size of a local array")?
            }
        };
        let size = alloca.size.saturating_mul(count);
        if size > self.options.max_object {
            return Err(Stop::refused(format!("a local variable of {size} bytes is too large")));
        }
        let log2_align = alloca.align.max(1).ilog2() as u8;
        let object = Object::undefined(Kind::Stack, size as usize, log2_align, place);
        let address = self.memory.allocate_in_frame(object)?;
        self.set(alloca.to, address);
        Ok(())
    }

    /// Does the next operation branch on a register?
    fn branches_next(&self, reg: u32) -> bool {
        let frame = self.memory.frame();
        let next = self.body(frame.function).ops.get(frame.pc as usize + 1);
        next.is_some_and(|next| matches!(next.op, Op::Branch(Src::Reg(on), ..) if on == reg))
    }

    /// A condition as a truth value.
    fn decided(&mut self, condition: Src) -> Result<bool> {
        let condition = self.value(condition);
        match self.is_true(condition)? {
            Some(truth) => Ok(truth),
            None if self.options.over_approximates => Ok(self.choose(2) == 1),
            None => {
                let message = "a condition depends on a value that was never set";
                Err(Stop::error(Rule::UninitialisedMemory, message))
            }
        }
    }

    /// The value that a `switch` looks at; `None` when it is none of the cases.
    fn switch_value(
        &mut self,
        src: Src,
        width: u32,
        cases: &[(u64, u32)],
        what: &str,
    ) -> Result<Option<u64>> {
        let value = self.memory.settled(self.value(src), width);
        if self.options.over_approximates && !value.is_defined() {
            let chosen = self.choose(cases.len() as u32 + 1) as usize;
            return Ok(cases.get(chosen).map(|&(case, _)| case));
        }
        if self.memory.range(value.base).is_none() {
            return self.number(value, width, what).map(Some);
        }
        for &(case, _) in cases {
            let value = self.memory.settled(value, width);
            let equal = match value.as_number() {
                Some(number) => number == case,
                None => self.compare_symbol(crate::ir::IntPredicate::Eq, width, value, case)?,
            };
            if equal {
                return Ok(Some(case));
            }
        }
        Ok(None)
    }

    /// Goes on at `to`. A way without a visible action is cut where it goes backwards
    /// if it is long, so that endless loops are seen as such, or if it has chosen, so
    /// that ways which come to the same are seen to.
    fn jump(&mut self, to: u32) -> Result<Flow> {
        let max = self.options.max_operations;
        let frame = self.frame();
        let is_backwards = to <= frame.pc;
        frame.pc = to;
        self.goes_back |= is_backwards;
        // A loop that chooses is cut each time round, lest one step have endless ways.
        let n_chosen = self.tape.n_chosen();
        let is_long = self.n_executed > max;
        if is_backwards && self.memory.is_in_section() && (is_long || n_chosen > MAX_ATOMIC_CHOICES)
        {
            let why = "a loop within an atomic section takes too long, or chooses too often";
            return Err(Stop::refused(why));
        }
        if is_backwards && !self.memory.is_in_section() && (is_long || n_chosen > 0) {
            return Ok(Flow::Pause);
        }
        Ok(Flow::Jumped)
    }
}
