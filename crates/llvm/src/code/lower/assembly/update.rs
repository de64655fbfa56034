//! Statements of inline assembly that access memory: moves, and the updates that x86 makes
//! at once.

use crate::code::{IntOp, MemoryOrder, Op, Reg, ScalarAccess, Src};
use crate::ir::{IntPredicate, RmwOp};
use crate::value::{Value, mask};

use super::super::function::Builder;
use super::super::layout::{Refusal, Scalar};
use super::operands::{Known, Operand};
use super::text::{op_of, stem_of};

/// An update of memory.
struct Update {
    pointer: Src,
    width: u8,
    /// The register that has whether the new value is zero, or whether the exchange was made.
    flag: Reg,
}

impl Builder<'_, '_, '_> {
    /// One statement that accesses memory, and perhaps a look at the flag that it leaves.
    pub(super) fn access_memory(
        &mut self,
        lines: &[String],
        scope: &Known<'_>,
    ) -> Result<Option<()>, Refusal> {
        let (line, look) = match lines {
            [line] => (line, None),
            [line, look] => (line, Some(look)),
            _ => return Ok(None),
        };
        let (line, is_locked) = match line.strip_prefix("lock ") {
            Some(rest) => (rest, true),
            None => (&**line, false),
        };
        let Some((name, written)) = line.split_once(' ') else { return Ok(None) };
        let written: Vec<&str> = written.split(',').map(str::trim).collect();
        if let (Some(("mov", suffix)), None, false) = (stem_of(name), look, is_locked) {
            return self.plain_move(&written, suffix, scope);
        }
        let Some(update) = self.one_update((name, is_locked), &written, scope)? else {
            return Ok(None);
        };
        self.give_zero_flags(&update, scope);
        match look {
            None => Ok(Some(())),
            Some(look) => self.look_at_flag(look, &update, scope),
        }
    }

    /// `mov` from or to memory: x86 makes it at once, acquires with it what it reads and
    /// releases what was written before.
    fn plain_move(
        &mut self,
        written: &[&str],
        suffix: Option<u8>,
        scope: &Known<'_>,
    ) -> Result<Option<()>, Refusal> {
        let [from, to] = written else { return Ok(None) };
        let width = suffix.or_else(|| scope.width_of(from)).or_else(|| scope.width_of(to));
        let Some(width) = width else { return Ok(None) };
        let at_once = atomic(width)?;
        let access = |order| ScalarAccess { order, ..at_once };
        match (scope.operand(from), scope.operand(to)) {
            (Some(Operand::Memory(pointer)), Some(Operand::Result(idx)))
                if scope.results[*idx as usize].width == width =>
            {
                let access = access(MemoryOrder::ACQUIRE);
                self.emit(Op::Load { to: scope.first + idx, pointer: *pointer, access });
                Ok(Some(()))
            }
            (_, Some(Operand::Memory(pointer))) => {
                let access = access(MemoryOrder::RELEASE);
                let store = |value| Op::Store { value, pointer: *pointer, access };
                Ok(scope.input(from, width).map(|value| self.emit(store(value))))
            }
            _ => Ok(None),
        }
    }

    /// One update of memory.
    fn one_update(
        &mut self,
        (name, is_locked): (&str, bool),
        written: &[&str],
        scope: &Known<'_>,
    ) -> Result<Option<Update>, Refusal> {
        let Some((stem, suffix)) = stem_of(name) else { return Ok(None) };
        let is_memory = |text: &&&str| matches!(scope.operand(text), Some(Operand::Memory(_)));
        let Some(Operand::Memory(pointer)) =
            written.iter().find(is_memory).and_then(|t| scope.operand(t))
        else {
            return Ok(None);
        };
        let others: Vec<&str> = written.iter().filter(|text| !is_memory(text)).copied().collect();
        if others.len() + 1 != written.len() || !(is_locked || stem == "xchg") {
            return Ok(None);
        }
        let Some(width) = suffix.or_else(|| scope.width_of(others.first()?)) else {
            return Ok(None);
        };
        let flag = self.register(1);
        let update = Update { pointer: *pointer, width, flag };
        let made = match (stem, &*others) {
            ("cmpxchg", [new]) => self.exchange_if(new, &update, scope)?,
            ("xchg", [register]) => self.swap(RmwOp::Xchg, register, &update, scope)?,
            ("xadd", [register]) => self.swap(RmwOp::Add, register, &update, scope)?,
            ("inc", []) => self.modify(RmwOp::Add, Src::Value(Value::number(1)), &update)?,
            ("not", []) => self.modify(RmwOp::Xor, all_ones(width), &update)?,
            ("dec", []) => self.modify(RmwOp::Sub, Src::Value(Value::number(1)), &update)?,
            (_, [operand]) => match (op_of(stem), scope.input(operand, width)) {
                (Some(op), Some(value)) => self.modify(op, value, &update)?,
                _ => None,
            },
            _ => None,
        };
        Ok(made.map(|()| update))
    }

    /// `lock cmpxchg`: the accumulator has what is expected, and then what was there.
    fn exchange_if(
        &mut self,
        new: &str,
        update: &Update,
        scope: &Known<'_>,
    ) -> Result<Option<()>, Refusal> {
        let Some((expected, old)) = scope.accumulator(update.width) else { return Ok(None) };
        let Some(new) = scope.input(new, update.width) else { return Ok(None) };
        let to = old.unwrap_or_else(|| self.register(update.width));
        self.emit(Op::CompareExchange {
            to: (to, update.flag),
            pointer: update.pointer,
            values: (expected, new),
            is_weak: false,
            access: atomic(update.width)?,
            on_failure: MemoryOrder::SEQ_CST,
        });
        Ok(Some(()))
    }

    /// `xchg`, `lock xadd`: the register gets what was in memory.
    fn swap(
        &mut self,
        op: RmwOp,
        register: &str,
        update: &Update,
        scope: &Known<'_>,
    ) -> Result<Option<()>, Refusal> {
        let Some((value, to)) = scope.register(register, update.width) else { return Ok(None) };
        let (pointer, access) = (update.pointer, atomic(update.width)?);
        self.emit(Op::ReadModifyWrite { op, to, pointer, value, access });
        Ok(Some(()))
    }

    /// Arithmetic on memory; the flag says whether the new value is zero.
    fn modify(&mut self, op: RmwOp, value: Src, update: &Update) -> Result<Option<()>, Refusal> {
        let (old, new) = (self.register(update.width), self.register(update.width));
        let (pointer, access) = (update.pointer, atomic(update.width)?);
        self.emit(Op::ReadModifyWrite { op, to: old, pointer, value, access });
        let same = match op {
            RmwOp::Add => IntOp::Add,
            RmwOp::Sub => IntOp::Sub,
            RmwOp::And => IntOp::And,
            RmwOp::Or => IntOp::Or,
            _ => IntOp::Xor,
        };
        self.bits(same, (update.width, new), (Src::Reg(old), value));
        self.emit(Op::Compare {
            predicate: IntPredicate::Eq,
            width: update.width,
            to: update.flag,
            operands: (Src::Reg(new), Src::Value(Value::ZERO)),
        });
        Ok(Some(()))
    }

    /// Results that are the flag itself.
    fn give_zero_flags(&mut self, update: &Update, scope: &Known<'_>) {
        for &(idx, is_equal) in &scope.operands.zero_flags {
            self.read_flag(scope.first + idx, is_equal, update);
        }
    }

    /// One if the flag is set, or not set; else zero.
    fn read_flag(&mut self, to: Reg, is_equal: bool, update: &Update) {
        let one = |is_one: bool| Src::Value(Value::number(u64::from(is_one)));
        let values = (one(is_equal), one(!is_equal));
        self.emit(Op::Select { to, condition: Src::Reg(update.flag), values });
    }

    /// `sete` and `setne`.
    fn look_at_flag(
        &mut self,
        line: &str,
        update: &Update,
        scope: &Known<'_>,
    ) -> Result<Option<()>, Refusal> {
        let is_equal = match line.split_once(' ') {
            Some(("sete" | "setz", _)) => true,
            Some(("setne" | "setnz", _)) => false,
            _ => return Ok(None),
        };
        let target = line.split_once(' ').and_then(|(_, target)| scope.operand(target.trim()));
        let byte = match target {
            Some(Operand::Result(idx)) if scope.results[*idx as usize].width == 8 => {
                scope.first + idx
            }
            Some(Operand::Memory(_)) => self.register(8),
            _ => return Ok(None),
        };
        self.read_flag(byte, is_equal, update);
        if let Some(Operand::Memory(pointer)) = target {
            let access = Scalar::int(8).access()?;
            self.emit(Op::Store { value: Src::Reg(byte), pointer: *pointer, access });
        }
        Ok(Some(()))
    }
}

fn atomic(width: u8) -> Result<ScalarAccess, Refusal> {
    Ok(ScalarAccess { is_atomic: true, ..Scalar::int(width).access()? })
}

fn all_ones(width: u8) -> Src {
    Src::Value(Value::number(mask(width.into())))
}
