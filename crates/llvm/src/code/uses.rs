//! How each operand of an instruction is used: what promotion and the search for
//! variables that are only read decide from.

use crate::ir::{Callee, CastOp, Constant, Module, Op, Operand, Type, TypeId, TypedOperand};

/// How an operand is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// A value of this type is read there.
    Load(TypeId),
    /// A value of this type is written there.
    Store(TypeId),
    /// Another address in the same object is computed from it.
    Element,
    /// It is the same address under another type.
    Renamed,
    /// It is compared.
    Compared,
    /// `llvm.memcpy` reads there.
    CopySource,
    /// A hint that its memory begins or ends here.
    Lifetime,
    /// Debug metadata names it.
    Debug,
    /// In any other way.
    Other,
}

/// Calls `f` with every operand of `op` and how it is used.
pub(super) fn for_each_use(module: &Module, op: &Op, f: &mut impl FnMut(&Operand, Use)) {
    match op {
        Op::Load { ty, pointer, .. } => f(pointer, Use::Load(*ty)),
        Op::Store { value, pointer, .. } => {
            f(&value.value, Use::Other);
            f(pointer, Use::Store(value.ty));
        }
        Op::Element { base, indices, .. } => {
            f(&base.value, Use::Element);
            indices.iter().for_each(|index| f(&index.value, Use::Other));
        }
        Op::Cast { op: cast, value, to } => {
            let is_renaming = is_renaming(module, *cast, value.ty, *to);
            f(&value.value, if is_renaming { Use::Renamed } else { Use::Other });
        }
        Op::Compare { operands, .. } => {
            f(&operands.0, Use::Compared);
            f(&operands.1, Use::Compared);
        }
        Op::DebugValue { value, .. } => value.iter().for_each(|value| f(value, Use::Debug)),
        Op::Call { callee, arguments, .. } => {
            if let Callee::Operand(operand) = callee {
                f(operand, Use::Other);
            }
            let name = called_name(module, callee).unwrap_or_default();
            for (idx, (argument, _)) in arguments.iter().enumerate() {
                f(&argument.value, argument_use(name, idx));
            }
        }
        _ => for_each_plain(op, f),
    }
}

/// Operands of instructions that use all of theirs in the same way.
fn for_each_plain(op: &Op, f: &mut impl FnMut(&Operand, Use)) {
    let mut all = |operands: &[&Operand]| operands.iter().for_each(|&one| f(one, Use::Other));
    match op {
        Op::Return(value) => value.iter().for_each(|value| all(&[&value.value])),
        Op::Branch { condition, .. } => all(&[condition]),
        Op::Switch { value, .. } => all(&[&value.value]),
        Op::Resume(value) | Op::Unary(_, value) | Op::Freeze(value) => all(&[&value.value]),
        Op::Binary { operands, .. } | Op::FloatCompare { operands, .. } => {
            all(&[&operands.0, &operands.1]);
        }
        Op::Select { condition, values, .. } => all(&[&condition.value, &values.0, &values.1]),
        Op::Phi { incoming, .. } => incoming.iter().for_each(|(value, _)| all(&[value])),
        Op::Alloca { count, .. } => count.iter().for_each(|count| all(&[&count.value])),
        Op::CompareExchange { pointer, values, .. } => all(&[pointer, &values.0, &values.1]),
        Op::ReadModifyWrite { pointer, value, .. } => all(&[pointer, &value.value]),
        Op::Extract { value, .. } | Op::VariadicArgument { list: value, .. } => {
            all(&[&value.value]);
        }
        Op::Insert { into, value, .. } => all(&[&into.value, &value.value]),
        Op::ExtractElement(vector, idx) => all(&[&vector.value, &idx.value]),
        Op::InsertElement(vector, value, idx) => all(&[&vector.value, &value.value, &idx.value]),
        Op::Shuffle(left, right, _) => all(&[&left.value, &right.value]),
        Op::Jump(_)
        | Op::IndirectBranch
        | Op::Unreachable
        | Op::LandingPad { .. }
        | Op::Fence(_)
        | Op::Load { .. }
        | Op::Store { .. }
        | Op::Element { .. }
        | Op::Cast { .. }
        | Op::Compare { .. }
        | Op::DebugValue { .. }
        | Op::Call { .. } => {}
    }
}

fn argument_use(callee: &str, idx: usize) -> Use {
    if is_intrinsic(callee, "llvm.lifetime") {
        Use::Lifetime
    } else if idx == 1
        && (is_intrinsic(callee, "llvm.memcpy") || is_intrinsic(callee, "llvm.memmove"))
    {
        Use::CopySource
    } else {
        Use::Other
    }
}

/// Is `name` the intrinsic `stem`, whatever the types at its end?
pub(super) fn is_intrinsic(name: &str, stem: &str) -> bool {
    name.strip_prefix(stem).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The name of a function that is called by name.
pub(super) fn called_name<'a>(module: &'a Module, callee: &Callee) -> Option<&'a str> {
    match callee {
        Callee::Operand(Operand::Constant(Constant::Symbol(id))) => {
            module.symbols.get(id.0 as usize).map(|symbol| symbol.name.as_str())
        }
        _ => None,
    }
}

/// Does a conversion give the same pointer?
pub(super) fn is_renaming(module: &Module, op: CastOp, from: TypeId, to: TypeId) -> bool {
    let is_pointer = |ty| matches!(module.types.get(ty), Type::Pointer);
    matches!(op, CastOp::BitCast | CastOp::AddrSpaceCast) && is_pointer(from) && is_pointer(to)
}

/// Is every index a zero?
pub(super) fn are_zero(indices: &[TypedOperand]) -> bool {
    let is_zero = |index: &TypedOperand| {
        matches!(&index.value, Operand::Constant(Constant::Int(0) | Constant::Zero))
    };
    indices.iter().all(is_zero)
}
