//! The parts of an instruction, for passes that replace or collect them.

use super::constant::TypedConstant;
use super::function::BlockId;
use super::instruction::{Callee, Op, Operand, TypedOperand};
use super::{DebugId, TypeId};

/// A part of an instruction.
#[derive(Debug)]
pub enum Part<'a> {
    /// An operand.
    Operand(&'a mut Operand),
    /// A constant that is never a value of the function: the mask of a shuffle.
    Constant(&'a mut TypedConstant),
    /// A type.
    Type(&'a mut TypeId),
    /// A block that control goes to or comes from.
    Block(&'a mut BlockId),
    /// A variable of the source.
    Variable(&'a mut DebugId),
}

impl Op {
    /// Shows every operand, type, block and variable of the instruction to `visit`,
    /// in the order of the text as far as it has one.
    pub fn parts_mut(&mut self, visit: &mut dyn FnMut(Part<'_>)) {
        match self {
            Op::Return(value) => value.iter_mut().for_each(|value| typed(value, visit)),
            Op::Jump(target) => visit(Part::Block(target)),
            Op::Branch { condition, targets } => {
                visit(Part::Operand(condition));
                visit(Part::Block(&mut targets.0));
                visit(Part::Block(&mut targets.1));
            }
            Op::Switch { value, cases, default } => {
                typed(value, visit);
                visit(Part::Block(default));
                cases.iter_mut().for_each(|(_, target)| visit(Part::Block(target)));
            }
            Op::Call { .. } => call(self, visit),
            Op::IndirectBranch | Op::Unreachable | Op::Fence(_) | Op::LandingPad { .. } => {}
            Op::Resume(value) | Op::Unary(_, value) | Op::Freeze(value) => typed(value, visit),
            Op::Binary { ty, operands, .. }
            | Op::Compare { ty, operands, .. }
            | Op::FloatCompare { ty, operands, .. } => {
                visit(Part::Type(ty));
                both(operands, visit);
            }
            Op::Cast { value, to, .. } | Op::VariadicArgument { list: value, ty: to } => {
                typed(value, visit);
                visit(Part::Type(to));
            }
            Op::Select { condition, ty, values } => {
                typed(condition, visit);
                visit(Part::Type(ty));
                both(values, visit);
            }
            Op::Phi { ty, incoming } => {
                visit(Part::Type(ty));
                for (value, block) in incoming {
                    visit(Part::Operand(value));
                    visit(Part::Block(block));
                }
            }
            Op::Shuffle(first, second, mask) => {
                typed(first, visit);
                typed(second, visit);
                visit(Part::Constant(mask));
            }
            Op::DebugValue { value, variable, .. } => {
                value.iter_mut().for_each(|value| visit(Part::Operand(value)));
                visit(Part::Variable(variable));
            }
            Op::Alloca { .. }
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Element { .. }
            | Op::CompareExchange { .. }
            | Op::ReadModifyWrite { .. }
            | Op::Extract { .. }
            | Op::Insert { .. }
            | Op::ExtractElement(..)
            | Op::InsertElement(..) => memory(self, visit),
        }
    }
}

fn call(op: &mut Op, visit: &mut dyn FnMut(Part<'_>)) {
    let Op::Call { callee, result_ty, arguments, invoke } = op else {
        return;
    };
    visit(Part::Type(result_ty));
    if let Callee::Operand(operand) = callee {
        visit(Part::Operand(operand));
    }
    for (argument, by_value) in arguments {
        typed(argument, visit);
        by_value.iter_mut().for_each(|passed| visit(Part::Type(&mut passed.ty)));
    }
    if let Some((normal, unwind)) = invoke {
        visit(Part::Block(normal));
        visit(Part::Block(unwind));
    }
}

/// Memory and members of aggregates.
fn memory(op: &mut Op, visit: &mut dyn FnMut(Part<'_>)) {
    match op {
        Op::Alloca { ty, count, .. } => {
            visit(Part::Type(ty));
            count.iter_mut().for_each(|count| typed(count, visit));
        }
        Op::Load { ty, pointer, .. } => {
            visit(Part::Type(ty));
            visit(Part::Operand(pointer));
        }
        Op::Store { value, pointer, .. } => {
            typed(value, visit);
            visit(Part::Operand(pointer));
        }
        Op::Element { source, base, indices, .. } => {
            visit(Part::Type(source));
            typed(base, visit);
            indices.iter_mut().for_each(|idx| typed(idx, visit));
        }
        Op::CompareExchange { pointer, ty, values, .. } => {
            visit(Part::Operand(pointer));
            visit(Part::Type(ty));
            both(values, visit);
        }
        Op::ReadModifyWrite { pointer, value, .. } => {
            visit(Part::Operand(pointer));
            typed(value, visit);
        }
        Op::Extract { value, .. } => typed(value, visit),
        Op::Insert { into: first, value: second, .. } | Op::ExtractElement(first, second) => {
            typed(first, visit);
            typed(second, visit);
        }
        Op::InsertElement(into, value, idx) => {
            typed(into, visit);
            typed(value, visit);
            typed(idx, visit);
        }
        _ => {}
    }
}

fn typed(operand: &mut TypedOperand, visit: &mut dyn FnMut(Part<'_>)) {
    visit(Part::Type(&mut operand.ty));
    visit(Part::Operand(&mut operand.value));
}

fn both(operands: &mut (Operand, Operand), visit: &mut dyn FnMut(Part<'_>)) {
    visit(Part::Operand(&mut operands.0));
    visit(Part::Operand(&mut operands.1));
}
