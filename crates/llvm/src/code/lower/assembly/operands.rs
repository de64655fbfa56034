//! The operands of inline assembly, by their constraints.
//!
//! They are numbered as their constraints are. An output is a result, or memory whose
//! address is an argument; an input is an argument.

use crate::code::{Reg, Src};
use crate::ir::{Assembly, TypeId};
use crate::value::{Value, mask};

use super::super::calls::Arguments;
use super::super::function::Builder;
use super::super::layout::{Refusal, Scalar};

/// What an operand of the assembly is.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    /// A result, by its number.
    Result(u32),
    /// Memory at an address.
    Memory(Src),
    /// A number that goes in.
    Input { src: Src, width: u8 },
}

/// The operands, with what else is known of them.
#[derive(Debug, Default)]
pub(super) struct Operands {
    /// The operands, by their numbers.
    pub(super) all: Vec<Operand>,
    /// Which goes in where another comes out.
    pub(super) tied: Vec<(usize, usize)>,
    /// Which are the accumulator.
    accumulators: Vec<usize>,
    /// Results that are the zero flag at the end, and whether as it is or inverted.
    pub(super) zero_flags: Vec<(u32, bool)>,
}

impl Builder<'_, '_, '_> {
    /// The operands, if all are of kinds that are known.
    pub(super) fn assembly_operands(
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
                match plain {
                    "{@ccz}" | "{@cce}" => operands.zero_flags.push((n_results, true)),
                    "{@ccnz}" | "{@ccne}" => operands.zero_flags.push((n_results, false)),
                    _ if plain.starts_with("{@cc") => return Ok(None),
                    _ => {}
                }
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
}

/// What the parts of a text mean.
pub(super) struct Known<'a> {
    /// The operands.
    pub(super) operands: &'a Operands,
    /// The register of the first result.
    pub(super) first: Reg,
    /// What the results are.
    pub(super) results: &'a [Scalar],
}

impl Known<'_> {
    /// The number of the operand that a text names: `$1`, `${1:b}`.
    fn number(&self, text: &str) -> Option<usize> {
        let name = text.strip_prefix('$')?;
        let plain = name.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
        let digits = plain.map_or(name, |it| it.split_once(':').map_or(it, |(number, _)| number));
        digits.parse().ok()
    }

    /// The operand that a text names.
    pub(super) fn operand(&self, text: &str) -> Option<&Operand> {
        self.operands.all.get(self.number(text)?)
    }

    /// The width of a register that a text names.
    pub(super) fn width_of(&self, text: &str) -> Option<u8> {
        match self.operand(text)? {
            Operand::Result(idx) => self.results.get(*idx as usize).map(|scalar| scalar.width),
            Operand::Input { width, .. } => Some(*width),
            Operand::Memory(_) => None,
        }
    }

    /// A number of this width that goes in: an operand, or one that is written out.
    pub(super) fn input(&self, text: &str, width: u8) -> Option<Src> {
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
    pub(super) fn register(&self, text: &str, width: u8) -> Option<(Src, Reg)> {
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

    /// What goes into the accumulator, and where it comes out, if it does. A narrower result
    /// there gets its value from a later statement.
    pub(super) fn accumulator(&self, width: u8) -> Option<(Src, Option<Reg>)> {
        let (mut input, mut output) = (None, None);
        for &number in &self.operands.accumulators {
            match self.operands.all.get(number)? {
                Operand::Result(idx) => {
                    let is_wide = self.results.get(*idx as usize)?.width == width;
                    output = is_wide.then_some(self.first + idx);
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
