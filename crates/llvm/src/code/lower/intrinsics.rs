//! Intrinsics: hints vanish, simple ones are spelled out, and the rest is called in
//! the library by its name without types, where the library knows it.

use crate::code::uses::is_intrinsic;
use crate::code::{Binary, Call, FloatKind, FloatOp, IntOp, MemoryOrder, Op, Reg, Src};
use crate::ir::{ByValue, Instruction, IntPredicate, Type, TypeId, TypedOperand};
use crate::value::{Value, mask};

use super::function::Builder;
use super::layout::{Refusal, Scalar, ScalarKind};

/// Those that do nothing; the result, if there is one, is null.
const IDLE: [&str; 15] = [
    "llvm.dbg",
    "llvm.invariant.start",
    "llvm.invariant.end",
    "llvm.experimental.noalias.scope.decl",
    "llvm.assume",
    "llvm.donothing",
    "llvm.sideeffect",
    "llvm.var.annotation",
    "llvm.codeview.annotation",
    "llvm.pseudoprobe",
    "llvm.prefetch",
    "llvm.stacksave",
    "llvm.stackrestore",
    "llvm.is.constant",
    "llvm.x86.sse2.pause",
];

/// Those that order memory.
const FENCES: [&str; 3] = ["llvm.x86.sse2.mfence", "llvm.x86.sse2.lfence", "llvm.x86.sse.sfence"];

/// Those that give their first argument.
const SAME: [&str; 8] = [
    "llvm.expect",
    "llvm.expect.with.probability",
    "llvm.threadlocal.address",
    "llvm.launder.invariant.group",
    "llvm.strip.invariant.group",
    "llvm.annotation",
    "llvm.ptr.annotation",
    "llvm.ssa.copy",
];

/// Library functions under another name, and how many arguments they take.
const LIBRARY: [(&str, &str, usize); 6] = [
    ("llvm.memcpy", "memcpy", 3),
    ("llvm.memmove", "memmove", 3),
    ("llvm.memset", "memset", 3),
    ("llvm.trap", "abort", 0),
    ("llvm.debugtrap", "abort", 0),
    ("llvm.ubsantrap", "llvm.ubsantrap", 1),
];

/// Which of two numbers is taken.
const CHOICES: [(&str, IntPredicate); 4] = [
    ("llvm.smax", IntPredicate::Sgt),
    ("llvm.smin", IntPredicate::Slt),
    ("llvm.umax", IntPredicate::Ugt),
    ("llvm.umin", IntPredicate::Ult),
];

/// What folds the elements of a vector.
const REDUCTIONS: [(&str, IntOp); 5] = [
    ("llvm.vector.reduce.add", IntOp::Add),
    ("llvm.vector.reduce.mul", IntOp::Mul),
    ("llvm.vector.reduce.and", IntOp::And),
    ("llvm.vector.reduce.or", IntOp::Or),
    ("llvm.vector.reduce.xor", IntOp::Xor),
];

/// Arguments of a call, and which are passed by value.
type Arguments = [(TypedOperand, Option<ByValue>)];

/// The scalars of a result with their registers, and those of each argument.
type Alike = (Vec<(Scalar, Reg)>, Vec<Vec<Src>>);

impl Builder<'_, '_, '_> {
    /// Lowers a call of an intrinsic.
    pub fn intrinsic(
        &mut self,
        instruction: &Instruction,
        name: &str,
        ty: TypeId,
        arguments: &Arguments,
    ) -> Result<(), Refusal> {
        let is = |stem: &&str| is_intrinsic(name, stem);
        if is(&"llvm.lifetime") {
            return self.scope(name, arguments);
        }
        if is(&"llvm.va_start") || is(&"llvm.va_copy") || is(&"llvm.va_end") {
            return self.variadic(name, arguments);
        }
        if IDLE.iter().any(is) {
            return self.give_number(instruction, ty, 0);
        }
        if FENCES.iter().any(is) {
            self.emit(Op::Fence(MemoryOrder::SEQ_CST));
            return Ok(());
        }
        if SAME.iter().any(is) {
            let (value, _) = arguments.first().ok_or("a call without arguments")?;
            let values = self.operand(value.ty, &value.value)?;
            return self.copy_to(instruction, ty, &values);
        }
        if is(&"llvm.objectsize") {
            let is_least = self.is_true(arguments.get(1))?;
            return self.give_number(instruction, ty, if is_least { 0 } else { u64::MAX });
        }
        let choice = CHOICES.iter().find(|(stem, _)| is(stem));
        if let Some(&(_, predicate)) = choice {
            return self.choose(instruction, ty, predicate, arguments);
        }
        if is(&"llvm.ptrmask") {
            return self.mask_pointer(instruction, arguments);
        }
        if is(&"llvm.abs") {
            return self.absolute(instruction, ty, arguments);
        }
        if is(&"llvm.fmuladd") {
            return self.multiply_add(instruction, ty, arguments);
        }
        if is(&"llvm.fabs") {
            return self.float_absolute(instruction, ty, arguments);
        }
        let reduction = REDUCTIONS.iter().find(|(stem, _)| is(stem));
        if let Some(&(_, op)) = reduction {
            return self.reduce(instruction, op, arguments);
        }
        self.library_intrinsic(instruction, name, ty, arguments)
    }

    /// Folds the elements of a vector into one.
    fn reduce(
        &mut self,
        instruction: &Instruction,
        op: IntOp,
        arguments: &Arguments,
    ) -> Result<(), Refusal> {
        let (vector, _) = arguments.first().ok_or("a call without arguments")?;
        let scalars = self.program.layouts.scalars(vector.ty)?;
        let values = self.operand(vector.ty, &vector.value)?;
        let (&scalar, &first) =
            scalars.first().zip(values.first()).ok_or("a vector without elements")?;
        let to = self.result(instruction, &[scalar])?;
        self.emit(Op::Move(to, first));
        for &value in &values[1..] {
            self.bits(op, (scalar.width, to), (Src::Reg(to), value));
        }
        Ok(())
    }

    /// Calls what the library knows by this name, without the types at its end.
    fn library_intrinsic(
        &mut self,
        instruction: &Instruction,
        name: &str,
        ty: TypeId,
        arguments: &Arguments,
    ) -> Result<(), Refusal> {
        let renamed = LIBRARY.iter().find(|(stem, ..)| is_intrinsic(name, stem));
        if let Some(&(_, known, n)) = renamed
            && !name.contains(".element.")
        {
            let callee = self.library(known)?;
            let arguments = arguments.get(..n).ok_or("a call with too few arguments")?;
            return self.plain_call(instruction, Src::Value(callee), ty, arguments);
        }
        let stem = without_types(name);
        let n_results = if stem.ends_with(".with.overflow") { 2 } else { 1 };
        let is_vector = |ty, n| self.program.layouts.scalars(ty).is_ok_and(|all| all.len() > n);
        if is_vector(ty, n_results) || arguments.iter().any(|(one, _)| is_vector(one.ty, 1)) {
            let callee = self.tables.functions.library(stem).filter(|_| n_results == 1);
            let callee = callee.ok_or_else(|| format!("the intrinsic `{name}` on vectors"))?;
            return self.each_element(instruction, callee, ty, arguments);
        }
        match self.tables.functions.library(stem) {
            Some(callee) => self.plain_call(instruction, Src::Value(callee), ty, arguments),
            None => Err(format!("the intrinsic `{name}`")),
        }
    }

    /// Calls a function for each element of vectors; other arguments are the same for
    /// all.
    fn each_element(
        &mut self,
        instruction: &Instruction,
        callee: Value,
        ty: TypeId,
        arguments: &Arguments,
    ) -> Result<(), Refusal> {
        let layouts = &self.program.layouts;
        let is_vector = |ty| matches!(layouts.types.get(ty), Type::Vector(..));
        if !is_vector(ty) {
            return Err("an intrinsic on vectors".to_owned());
        }
        let results = layouts.scalars(ty)?;
        let mut columns = Vec::new();
        for (argument, _) in arguments {
            let scalars = self.program.layouts.scalars(argument.ty)?;
            let values = self.operand(argument.ty, &argument.value)?;
            if scalars.len() != results.len() && scalars.len() != 1 {
                return Err("an intrinsic on vectors".to_owned());
            }
            columns.push((scalars, values));
        }
        let first = self.result(instruction, &results)?;
        for (idx, scalar) in results.iter().enumerate() {
            let at = |n: usize| if n == 1 { 0 } else { idx };
            self.emit(Op::Call(Call {
                callee: Src::Value(callee),
                arguments: columns.iter().map(|(_, values)| values[at(values.len())]).collect(),
                widths: columns.iter().map(|(all, _)| all[at(all.len())].width).collect(),
                passed: Box::default(),
                to: first + idx as u32,
                n_results: 1,
                result_width: scalar.width,
                unwind: None,
            }));
        }
        Ok(())
    }

    /// Makes the result this number, or zero for each of several.
    fn give_number(
        &mut self,
        instruction: &Instruction,
        ty: TypeId,
        number: u64,
    ) -> Result<(), Refusal> {
        let scalars = self.program.layouts.scalars(ty)?;
        let value = |scalar: &Scalar| Src::Value(Value::number(number & mask(scalar.width.into())));
        let values: Vec<Src> = scalars.iter().map(value).collect();
        match values.is_empty() {
            true => Ok(()),
            false => self.copy_to(instruction, ty, &values),
        }
    }

    fn is_true(
        &mut self,
        argument: Option<&(TypedOperand, Option<ByValue>)>,
    ) -> Result<bool, Refusal> {
        let (flag, _) = argument.ok_or("a call with too few arguments")?;
        match self.scalar(flag.ty, &flag.value)? {
            Src::Value(value) => Ok(value.as_number() == Some(1)),
            Src::Reg(_) => Err("a flag that is not constant".to_owned()),
        }
    }

    /// The result and the first `n` arguments, which have its type.
    fn alike(
        &mut self,
        instruction: &Instruction,
        ty: TypeId,
        arguments: &Arguments,
        n: usize,
    ) -> Result<Alike, Refusal> {
        let arguments = arguments.get(..n).ok_or("a call with too few arguments")?;
        if self.wide_bits(ty).is_some() {
            return Err("an intrinsic on integers of more than 64 bits".to_owned());
        }
        let mut values = Vec::with_capacity(n);
        for (argument, _) in arguments {
            values.push(self.operand(ty, &argument.value)?);
        }
        let scalars = self.program.layouts.scalars(ty)?;
        let first = self.result(instruction, &scalars)?;
        Ok((scalars.iter().copied().zip(first..).collect(), values))
    }

    fn choose(
        &mut self,
        instruction: &Instruction,
        ty: TypeId,
        predicate: IntPredicate,
        arguments: &Arguments,
    ) -> Result<(), Refusal> {
        let (results, values) = self.alike(instruction, ty, arguments, 2)?;
        for (idx, (scalar, to)) in results.into_iter().enumerate() {
            let operands = (values[0][idx], values[1][idx]);
            let condition = self.register(1);
            self.emit(Op::Compare { predicate, width: scalar.width, to: condition, operands });
            self.emit(Op::Select { to, condition: Src::Reg(condition), values: operands });
        }
        Ok(())
    }

    fn absolute(
        &mut self,
        instruction: &Instruction,
        ty: TypeId,
        arguments: &Arguments,
    ) -> Result<(), Refusal> {
        let (results, values) = self.alike(instruction, ty, arguments, 1)?;
        let no_signed_wrap = self.is_true(arguments.get(1))?;
        let zero = Src::Value(Value::ZERO);
        for ((scalar, to), &value) in results.into_iter().zip(&values[0]) {
            let width = scalar.width;
            let (negated, condition) = (self.register(width), self.register(1));
            self.emit(Op::Binary(Binary {
                op: IntOp::Sub,
                width,
                to: negated,
                operands: (zero, value),
                no_signed_wrap,
                no_unsigned_wrap: false,
            }));
            let predicate = IntPredicate::Slt;
            self.emit(Op::Compare { predicate, width, to: condition, operands: (value, zero) });
            let values = (Src::Reg(negated), value);
            self.emit(Op::Select { to, condition: Src::Reg(condition), values });
        }
        Ok(())
    }

    fn mask_pointer(
        &mut self,
        instruction: &Instruction,
        arguments: &Arguments,
    ) -> Result<(), Refusal> {
        let [(pointer, _), (mask, _)] = arguments else {
            return Err("a call with too few arguments".to_owned());
        };
        let scalar = self.program.layouts.pointer();
        if self.program.layouts.scalar(mask.ty)?.width != scalar.width {
            return Err("a mask of another width".to_owned());
        }
        let operands = (self.pointer(&pointer.value)?, self.scalar(mask.ty, &mask.value)?);
        let to = self.result(instruction, &[scalar])?;
        self.bits(IntOp::And, (scalar.width, to), operands);
        Ok(())
    }

    /// A product and a sum; whether it is rounded between them is left open, and on
    /// the machines that programs are compiled for by default it is.
    fn multiply_add(
        &mut self,
        instruction: &Instruction,
        ty: TypeId,
        arguments: &Arguments,
    ) -> Result<(), Refusal> {
        let (results, values) = self.alike(instruction, ty, arguments, 3)?;
        for (idx, (scalar, to)) in results.into_iter().enumerate() {
            let width = scalar.width;
            let product = self.register(width);
            let mut float = |kind, to, operands| {
                self.emit(Op::Float(FloatOp { op: Some(kind), width, to, operands }));
            };
            float(FloatKind::Mul, product, (values[0][idx], values[1][idx]));
            float(FloatKind::Add, to, (Src::Reg(product), values[2][idx]));
        }
        Ok(())
    }

    fn float_absolute(
        &mut self,
        instruction: &Instruction,
        ty: TypeId,
        arguments: &Arguments,
    ) -> Result<(), Refusal> {
        let (results, values) = self.alike(instruction, ty, arguments, 1)?;
        for ((scalar, to), &value) in results.into_iter().zip(&values[0]) {
            if scalar.kind != ScalarKind::Float {
                return Err("the absolute value of another type".to_owned());
            }
            let width = scalar.width;
            let without_sign = Src::Value(Value::number(mask(u32::from(width) - 1)));
            self.bits(IntOp::And, (width, to), (value, without_sign));
        }
        Ok(())
    }
}

/// The name of an intrinsic without the types at its end.
fn without_types(name: &str) -> &str {
    let mut stem = name;
    while let Some((shorter, last)) = stem.rsplit_once('.') {
        let digits = last.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let is_plain = last.starts_with(['i', 'f', 'p', 'v', 'b', 'n'])
            && digits.starts_with(|c: char| c.is_ascii_digit());
        if !is_plain && !last.starts_with("x86_") && !last.starts_with("ppc_") {
            break;
        }
        stem = shorter;
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::without_types;

    #[test]
    fn types_at_the_end_of_a_name_are_dropped_and_nothing_else() {
        assert_eq!(without_types("llvm.ctpop.i32"), "llvm.ctpop");
        assert_eq!(without_types("llvm.sadd.with.overflow.i64"), "llvm.sadd.with.overflow");
        assert_eq!(without_types("llvm.fma.v4f32"), "llvm.fma");
        assert_eq!(without_types("llvm.sqrt.x86_fp80"), "llvm.sqrt");
        assert_eq!(without_types("llvm.lrint.i64.f32"), "llvm.lrint");
        assert_eq!(without_types("llvm.va_start.p0"), "llvm.va_start");
        let atomic = "llvm.memcpy.element.unordered.atomic.p0i8.p0.i32";
        assert_eq!(without_types(atomic), "llvm.memcpy.element.unordered.atomic");
    }
}
