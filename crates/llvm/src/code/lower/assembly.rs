//! Inline assembly that is known: nothing at all, fences, and the updates of memory that x86
//! makes at once (`lock cmpxchg`, `lock xadd`, `xchg`, `lock add` and their kin).
//!
//! Operands are numbered as their constraints are. An output is a result, or memory whose
//! address is an argument; an input is an argument. What is not known is refused: nothing
//! is guessed from a part of a text.

use crate::code::{IntOp, MemoryOrder, Op, Reg, ScalarAccess, Src};
use crate::ir::{Assembly, Instruction, IntPredicate, RmwOp, TypeId};
use crate::value::{Value, mask};

use super::calls::Arguments;
use super::function::Builder;
use super::layout::{Refusal, Scalar};

/// Words that only tell the processor or the compiler something.
const IDLE: [&str; 7] = ["nop", "pause", "rep", "rep nop", "rep ret", "yield", "isb"];

/// Words that order memory.
const FENCES: [&str; 6] = ["mfence", "lfence", "sfence", "dmb ish", "dmb sy", "sync"];

/// Where the stack is: updating its top with nothing is a fence.
const STACK_TOPS: [&str; 4] = ["(%rsp)", "(%esp)", "0(%rsp)", "0(%esp)"];

/// What an operand of the assembly is.
#[derive(Clone, Debug)]
enum Operand {
    /// A result, by its number.
    Result(u32),
    /// Memory at an address.
    Memory(Src),
    /// A number that goes in.
    Input { src: Src, width: u8 },
}

/// The operands, with what else is known of them.
#[derive(Debug, Default)]
struct Operands {
    all: Vec<Operand>,
    /// Which goes in where another comes out.
    tied: Vec<(usize, usize)>,
    /// Which are the accumulator.
    accumulators: Vec<usize>,
}

/// An update of memory.
struct Update {
    pointer: Src,
    width: u8,
    /// The register that has whether the new value is zero, or whether the exchange was made.
    flag: Reg,
}

impl Builder<'_, '_, '_> {
    /// Lowers inline assembly.
    pub(super) fn assembly(
        &mut self,
        instruction: &Instruction,
        assembly: &Assembly,
        ty: TypeId,
        arguments: &Arguments,
    ) -> Result<(), Refusal> {
        let refusal = || format!("the inline assembly \"{}\"", assembly.text.trim().escape_debug());
        let lines = statements(&assembly.text);
        let operands = self.assembly_operands(assembly, ty, arguments);
        let operands = operands?.ok_or_else(refusal)?;
        let results = self.program.layouts.scalars(ty)?;
        let first = if results.is_empty() { 0 } else { self.result(instruction, &results)? };
        if lines.iter().all(|line| IDLE.contains(&&**line)) {
            return self.keep_inputs(&operands, first, results.len()).ok_or_else(refusal);
        }
        if let [line] = &*lines
            && results.is_empty()
            && is_fence(line)
        {
            self.emit(Op::Fence(MemoryOrder::SEQ_CST));
            return Ok(());
        }
        self.update(&lines, &operands, (first, &results))?.ok_or_else(refusal)
    }

    fn assembly_operands(
        &mut self,
        assembly: &Assembly,
        ty: TypeId,
        arguments: &Arguments,
    ) -> Result<Option<Operands>, Refusal> {
        let mut operands = Operands::default();
        let (mut n_results, mut arguments) = (0, arguments.iter());
        for constraint in assembly.constraints.split(',').filter(|it| !it.is_empty()) {
            if constraint.starts_with("~{") {
                continue;
            }
            let number = operands.all.len();
            let plain = constraint.trim_start_matches(['=', '&', '%']);
            if matches!(plain, "{ax}" | "{eax}" | "{rax}" | "{al}" | "a") {
                operands.accumulators.push(number);
            }
            if constraint.starts_with('=') && !plain.starts_with('*') {
                operands.all.push(Operand::Result(n_results));
                n_results += 1;
                continue;
            }
            let Some((argument, _)) = arguments.next() else { return Ok(None) };
            let scalars = self.program.layouts.scalars(argument.ty)?;
            let sources = self.operand(argument.ty, &argument.value)?;
            let ([scalar], [src]) = (&*scalars, &*sources) else { return Ok(None) };
            if plain.starts_with('*') {
                operands.all.push(Operand::Memory(*src));
                continue;
            }
            if let Ok(to) = plain.parse() {
                operands.tied.push((number, to));
            }
            operands.all.push(Operand::Input { src: *src, width: scalar.width });
        }
        let is_whole = n_results as usize == self.program.layouts.scalars(ty)?.len();
        Ok((is_whole && arguments.next().is_none()).then_some(operands))
    }

    /// Assembly that does nothing: what comes out is what goes in there.
    fn keep_inputs(&mut self, operands: &Operands, first: Reg, n_results: usize) -> Option<()> {
        let mut moves = Vec::new();
        for &(from, to) in &operands.tied {
            if let (Operand::Input { src, .. }, Operand::Result(idx)) =
                (operands.all.get(from)?, operands.all.get(to)?)
            {
                moves.push((first + idx, *src));
            }
        }
        (moves.len() == n_results).then(|| self.moves(moves))
    }

    /// One update of memory, and perhaps a look at the flag that it leaves.
    fn update(
        &mut self,
        lines: &[String],
        operands: &Operands,
        (first, results): (Reg, &[Scalar]),
    ) -> Result<Option<()>, Refusal> {
        let (line, look) = match lines {
            [line] => (line, None),
            [line, look] => (line, Some(look)),
            _ => return Ok(None),
        };
        let Some((name, written)) = line.split_once(' ') else { return Ok(None) };
        let (name, is_locked) = match name {
            "lock" => match written.split_once(' ') {
                Some(_) => (written.split_once(' ').map_or("", |(name, _)| name), true),
                None => return Ok(None),
            },
            _ => (name, false),
        };
        let written =
            if is_locked { written.split_once(' ').map_or("", |it| it.1) } else { written };
        let written: Vec<&str> = written.split(',').map(str::trim).collect();
        let scope = Known { operands, first, results };
        let Some(update) = self.one_update((name, is_locked), &written, &scope)? else {
            return Ok(None);
        };
        match look {
            None => Ok(Some(())),
            Some(look) => self.look_at_flag(look, &update, &scope),
        }
    }

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
        let one = |is_one: bool| Src::Value(Value::number(u64::from(is_one)));
        let values = (one(is_equal), one(!is_equal));
        self.emit(Op::Select { to: byte, condition: Src::Reg(update.flag), values });
        if let Some(Operand::Memory(pointer)) = target {
            let access = Scalar::int(8).access()?;
            self.emit(Op::Store { value: Src::Reg(byte), pointer: *pointer, access });
        }
        Ok(Some(()))
    }
}

/// What the parts of a text mean.
struct Known<'a> {
    operands: &'a Operands,
    first: Reg,
    results: &'a [Scalar],
}

impl Known<'_> {
    /// The number of the operand that a text names: `$1`, `${1:b}`.
    fn number(&self, text: &str) -> Option<usize> {
        let name = text.strip_prefix('$')?;
        let plain = name.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
        let digits = plain.map_or(name, |it| it.split_once(':').map_or(it, |(number, _)| number));
        digits.parse().ok()
    }

    fn operand(&self, text: &str) -> Option<&Operand> {
        self.operands.all.get(self.number(text)?)
    }

    fn width_of(&self, text: &str) -> Option<u8> {
        match self.operand(text)? {
            Operand::Result(idx) => self.results.get(*idx as usize).map(|scalar| scalar.width),
            Operand::Input { width, .. } => Some(*width),
            Operand::Memory(_) => None,
        }
    }

    /// A number of this width that goes in: an operand, or one that is written out.
    fn input(&self, text: &str, width: u8) -> Option<Src> {
        if let Some(number) = text.strip_prefix("$$") {
            let number: i64 = number.parse().ok()?;
            return Some(Src::Value(Value::number(number as u64 & mask(width.into()))));
        }
        match self.operand(text)? {
            Operand::Input { src, width: its } if *its == width => Some(*src),
            Operand::Result(_) => self.register(text, width).map(|(value, _)| value),
            _ => None,
        }
    }

    /// A register that goes in and comes out.
    fn register(&self, text: &str, width: u8) -> Option<(Src, Reg)> {
        let number = self.number(text)?;
        let Operand::Result(idx) = self.operands.all.get(number)? else { return None };
        let (from, _) = self.operands.tied.iter().find(|(_, to)| *to == number)?;
        match self.operands.all.get(*from)? {
            Operand::Input { src, width: its }
                if *its == width && self.results.get(*idx as usize)?.width == width =>
            {
                Some((*src, self.first + idx))
            }
            _ => None,
        }
    }

    /// What goes into the accumulator, and where it comes out, if it does.
    fn accumulator(&self, width: u8) -> Option<(Src, Option<Reg>)> {
        let (mut input, mut output) = (None, None);
        for &number in &self.operands.accumulators {
            match self.operands.all.get(number)? {
                Operand::Result(idx) => {
                    let is_wide = self.results.get(*idx as usize)?.width == width;
                    output = Some(is_wide.then_some(self.first + idx)?);
                    let tied = self.operands.tied.iter().find(|(_, to)| *to == number);
                    if let Some((from, _)) = tied {
                        input = self.operands.all.get(*from);
                    }
                }
                other => input = Some(other),
            }
        }
        match input? {
            Operand::Input { src, width: its } if *its == width => Some((*src, output)),
            _ => None,
        }
    }
}

fn atomic(width: u8) -> Result<ScalarAccess, Refusal> {
    Ok(ScalarAccess { is_atomic: true, ..Scalar::int(width).access()? })
}

/// The statements of a text, with single spaces; a prefix is one with what follows it.
fn statements(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.split([';', '\n']) {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase();
        if line.is_empty() {
            continue;
        }
        match lines.last_mut() {
            Some(last) if last == "lock" => *last = format!("lock {line}"),
            _ => lines.push(line),
        }
    }
    lines
}

fn is_fence(line: &str) -> bool {
    if FENCES.contains(&line) {
        return true;
    }
    let rest = line.strip_prefix("lock ").and_then(|rest| rest.split_once(' '));
    let Some((name, operands)) = rest else { return false };
    let Some((number, place)) = operands.split_once(',') else { return false };
    matches!(name, "add" | "addl" | "addq" | "or" | "orl" | "orq")
        && matches!(number.trim(), "$$0" | "$$0x0")
        && STACK_TOPS.contains(&place.trim())
}

/// The name of an instruction without the letter for its width, and that width.
fn stem_of(name: &str) -> Option<(&str, Option<u8>)> {
    const STEMS: [&str; 10] =
        ["cmpxchg", "xchg", "xadd", "inc", "dec", "add", "sub", "or", "and", "xor"];
    STEMS.into_iter().find_map(|stem| match name.strip_prefix(stem)? {
        "" => Some((stem, None)),
        "b" => Some((stem, Some(8))),
        "w" => Some((stem, Some(16))),
        "l" => Some((stem, Some(32))),
        "q" => Some((stem, Some(64))),
        _ => None,
    })
}

fn op_of(stem: &str) -> Option<RmwOp> {
    Some(match stem {
        "add" => RmwOp::Add,
        "sub" => RmwOp::Sub,
        "or" => RmwOp::Or,
        "and" => RmwOp::And,
        "xor" => RmwOp::Xor,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{is_fence, statements, stem_of};

    #[test]
    fn a_prefix_belongs_to_what_follows() {
        assert_eq!(statements("lock; cmpxchgl $2, $1"), ["lock cmpxchgl $2, $1"]);
        assert_eq!(statements("lock\n\tdecl $0;\n\tsete $1;"), ["lock decl $0", "sete $1"]);
        assert_eq!(statements("rep; nop"), ["rep", "nop"]);
        assert!(statements(" \n").is_empty());
    }

    #[test]
    fn an_update_of_the_top_of_the_stack_with_nothing_is_a_fence() {
        assert!(is_fence("lock addl $$0,0(%rsp)") && is_fence("mfence"));
        assert!(!is_fence("lock addl $$1,0(%rsp)") && !is_fence("lock addl $$0,$0"));
    }

    #[test]
    fn a_letter_says_how_wide_it_is() {
        assert_eq!(stem_of("cmpxchgq"), Some(("cmpxchg", Some(64))));
        assert_eq!(stem_of("xadd"), Some(("xadd", None)));
        assert_eq!(stem_of("cmpxchg16b"), None);
    }
}
