//! Constants as values, as far as they can be computed without running: numbers,
//! addresses of symbols, and expressions of both.
//!
//! What depends on where objects lie is left to the machine: nothing is folded
//! here that it would refuse.

use crate::ir::{BinaryOp, CastOp, ConstExpr, Constant, IntPredicate, Type, TypeId, TypedConstant};
use crate::value::{Base, Value, mask, signed};

use super::layout::{Layouts, Refusal, Scalar, no_size};
use super::symbols::Program;

/// Constants that are nested deeper than this are refused.
pub(super) const MAX_DEPTH: u32 = 200;

impl Program<'_> {
    /// The value of a constant that is this scalar.
    pub fn fold(&self, scalar: Scalar, constant: &Constant) -> Option<Value> {
        self.fold_at(scalar, constant, 0)
    }

    fn fold_at(&self, scalar: Scalar, constant: &Constant, depth: u32) -> Option<Value> {
        match constant {
            Constant::Int(bits) => Some(Value::number(*bits as u64 & mask(scalar.width.into()))),
            Constant::Float(bits) => Some(Value::number(bits & mask(scalar.width.into()))),
            Constant::Null | Constant::Zero => Some(Value::ZERO),
            Constant::Undef | Constant::Poison => Some(Value::undefined(scalar.width.into())),
            Constant::Symbol(id) => self.values.get(id.0 as usize)?.clone().ok(),
            Constant::Aggregate(members) => match members.as_slice() {
                [only] if depth < MAX_DEPTH => self.fold_at(scalar, &only.value, depth + 1),
                _ => None,
            },
            Constant::Bytes(_) | Constant::Unsupported(_) => None,
            Constant::Expr(expr) if depth < MAX_DEPTH => self.fold_expr(scalar, expr, depth + 1),
            Constant::Expr(_) => None,
        }
    }

    fn fold_typed(&self, constant: &TypedConstant, depth: u32) -> Option<(Scalar, Value)> {
        let scalar = self.layouts.scalar(constant.ty).ok()?;
        Some((scalar, self.fold_at(scalar, &constant.value, depth)?))
    }

    fn fold_expr(&self, scalar: Scalar, expr: &ConstExpr, depth: u32) -> Option<Value> {
        match expr {
            ConstExpr::Element { source, base, indices } => {
                let (_, base) = self.fold_typed(base, depth)?;
                let mut walk = Walk::new(&self.layouts, *source);
                for index in indices {
                    let (scalar, value) = self.fold_typed(index, depth)?;
                    let number = signed(value.as_number()?, scalar.width.into());
                    walk.constant(number).ok()?;
                }
                base.is_defined().then(|| offset_by(base, walk.offset, scalar))
            }
            ConstExpr::Cast(op, value) => {
                let (from, value) = self.fold_typed(value, depth)?;
                fold_cast(*op, (from, scalar), value)
            }
            ConstExpr::Binary(op, left, right) => {
                let (_, left) = self.fold_typed(left, depth)?;
                let (_, right) = self.fold_typed(right, depth)?;
                fold_binary(*op, scalar.width.into(), (left, right))
            }
            ConstExpr::Compare(predicate, left, right) => {
                let (operand, left) = self.fold_typed(left, depth)?;
                let (_, right) = self.fold_typed(right, depth)?;
                fold_compare(*predicate, operand.width.into(), (left, right))
            }
            ConstExpr::Select(condition, yes, no) => {
                let (_, condition) = self.fold_typed(condition, depth)?;
                let chosen = if condition.as_number()? & 1 == 1 { yes } else { no };
                Some(self.fold_typed(chosen, depth)?.1)
            }
        }
    }
}

/// `base` moved by so many bytes.
pub(super) fn offset_by(base: Value, offset: i64, pointer: Scalar) -> Value {
    let bits = base.bits.wrapping_add(offset as u64) & mask(pointer.width.into());
    Value { bits, ..base }
}

/// A conversion of a constant.
pub(super) fn fold_cast(op: CastOp, scalars: (Scalar, Scalar), value: Value) -> Option<Value> {
    let (from, to) = (u32::from(scalars.0.width), u32::from(scalars.1.width));
    match op {
        CastOp::BitCast | CastOp::AddrSpaceCast => (from == to).then_some(value),
        CastOp::PtrToInt | CastOp::IntToPtr if from == to => Some(value),
        CastOp::Trunc | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::ZExt => {
            Some(Value::number(value.as_number()? & mask(to)))
        }
        CastOp::SExt => Some(Value::number(signed(value.as_number()?, from) as u64 & mask(to))),
        _ => None,
    }
}

fn fold_binary(op: BinaryOp, width: u32, operands: (Value, Value)) -> Option<Value> {
    let (left, right) = operands;
    if !left.is_defined() || !right.is_defined() {
        return None;
    }
    let at = |base, bits: u64| Some(Value { base, bits: bits & mask(width), undef: 0 });
    match (op, left.base == Base::NUMBER, right.base == Base::NUMBER) {
        (BinaryOp::Add, _, true) => return at(left.base, left.bits.wrapping_add(right.bits)),
        (BinaryOp::Add, true, _) => return at(right.base, left.bits.wrapping_add(right.bits)),
        (BinaryOp::Sub, _, true) => return at(left.base, left.bits.wrapping_sub(right.bits)),
        (BinaryOp::Sub, false, false) if left.base == right.base => {
            return at(Base::NUMBER, left.bits.wrapping_sub(right.bits));
        }
        _ => {}
    }
    let (left, right) = (left.as_number()?, right.as_number()?);
    let bits = match op {
        BinaryOp::Mul => left.wrapping_mul(right),
        BinaryOp::UDiv => left.checked_div(right)?,
        BinaryOp::URem => left.checked_rem(right)?,
        BinaryOp::SDiv => signed(left, width).checked_div(signed(right, width))? as u64,
        BinaryOp::SRem => signed(left, width).checked_rem(signed(right, width))? as u64,
        BinaryOp::Shl if right < u64::from(width) => left << right,
        BinaryOp::LShr if right < u64::from(width) => left >> right,
        BinaryOp::AShr if right < u64::from(width) => (signed(left, width) >> right) as u64,
        BinaryOp::And => left & right,
        BinaryOp::Or => left | right,
        BinaryOp::Xor => left ^ right,
        _ => return None,
    };
    at(Base::NUMBER, bits)
}

fn fold_compare(predicate: IntPredicate, width: u32, operands: (Value, Value)) -> Option<Value> {
    let (left, right) = operands;
    let is_equality = matches!(predicate, IntPredicate::Eq | IntPredicate::Ne);
    let is_known = left.is_defined() && right.is_defined() && left.base == right.base;
    if !is_known || (left.base != Base::NUMBER && !is_equality) {
        return None;
    }
    let (left, right) = (left.bits, right.bits);
    let signed = (signed(left, width), signed(right, width));
    let holds = match predicate {
        IntPredicate::Eq => left == right,
        IntPredicate::Ne => left != right,
        IntPredicate::Ugt => left > right,
        IntPredicate::Uge => left >= right,
        IntPredicate::Ult => left < right,
        IntPredicate::Ule => left <= right,
        IntPredicate::Sgt => signed.0 > signed.1,
        IntPredicate::Sge => signed.0 >= signed.1,
        IntPredicate::Slt => signed.0 < signed.1,
        IntPredicate::Sle => signed.0 <= signed.1,
    };
    Some(Value::number(holds.into()))
}

/// The way of `getelementptr` through a type.
pub(super) struct Walk<'a> {
    layouts: &'a Layouts<'a>,
    /// The type that the next index walks through.
    ty: TypeId,
    is_first: bool,
    /// Bytes so far; it wraps as addresses do.
    pub offset: i64,
}

impl<'a> Walk<'a> {
    pub fn new(layouts: &'a Layouts<'a>, source: TypeId) -> Walk<'a> {
        Walk { layouts, ty: source, is_first: true, offset: 0 }
    }

    /// Takes an index that is a number.
    pub fn constant(&mut self, index: i64) -> Result<(), Refusal> {
        let Type::Struct(members) = self.layouts.types.get(self.ty) else {
            return self.scaled(index);
        };
        if self.is_first {
            return self.scaled(index);
        }
        let bad = || "a member that does not exist".to_owned();
        let idx = usize::try_from(index).map_err(|_| bad())?;
        let offset = self.layouts.member_offset(members, idx).ok_or_else(bad)?;
        self.offset = self.offset.wrapping_add(offset as i64);
        self.ty = members.members[idx];
        Ok(())
    }

    fn scaled(&mut self, index: i64) -> Result<(), Refusal> {
        let scale = self.variable()?;
        self.offset = self.offset.wrapping_add(index.wrapping_mul(scale));
        Ok(())
    }

    /// Takes an index that is not known; gives the bytes that one counts.
    pub fn variable(&mut self) -> Result<i64, Refusal> {
        if !self.is_first {
            self.ty = match self.layouts.types.get(self.ty) {
                Type::Array(_, element) | Type::Vector(_, element) => *element,
                _ => return Err("an index into what has no elements".to_owned()),
            };
        }
        self.is_first = false;
        Ok(self.layouts.size(self.ty).ok_or_else(no_size)? as i64)
    }
}
