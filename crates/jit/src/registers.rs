//! Decides which registers need no variable of the code generator.
//!
//! A variable takes memory for every block of the machine function: in a long rule
//! that would be gigabytes. Nearly all registers are written at one place, which is on
//! every way to where they are read. They stand for the value that is written.

use model::rule_code::{Address, Base, BlockId, End, Function, Op, Reg};

use crate::flow::Flow;

/// Where a register is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Writer {
    Nobody,
    /// Only this block.
    Block(BlockId),
    Several,
}

/// For each register of a function: is it written in one block only, which is on every
/// way to where it is read, and there before it is read?
pub(crate) fn have_one_value(function: &Function, flow: &Flow) -> Vec<bool> {
    let mut writers = vec![Writer::Nobody; function.n_registers as usize];
    // These are written from outside as well, or read where something goes wrong.
    let terms = function.choice.terms.iter().map(|(register, _)| register);
    for register in function.parameters.iter().chain(terms) {
        writers[register.0 as usize] = Writer::Several;
    }
    for &id in &flow.order {
        for register in function.blocks[id.0 as usize].ops.iter().filter_map(written) {
            let writer = &mut writers[register.0 as usize];
            *writer = match *writer {
                Writer::Nobody => Writer::Block(id),
                Writer::Block(other) if other == id => *writer,
                _ => Writer::Several,
            };
        }
    }
    let mut fixed: Vec<bool> =
        writers.iter().map(|writer| matches!(writer, Writer::Block(_))).collect();
    let mut is_written = vec![false; writers.len()];
    for &id in &flow.order {
        let mut read = |register: Reg, is_written: &[bool]| {
            let idx = register.0 as usize;
            let Writer::Block(writer) = writers[idx] else { return };
            fixed[idx] &= is_written[idx] && flow.is_before(writer, id);
        };
        let block = &function.blocks[id.0 as usize];
        for op in &block.ops {
            reads(op, &mut |register| read(register, &is_written));
            if let Some(register) = written(op) {
                is_written[register.0 as usize] = true;
            }
        }
        if let End::Branch { condition: register, .. } | End::Return(Some(register)) = block.end {
            read(register, &is_written);
        }
    }
    fixed
}

/// Calls `visit` with the registers that an operation reads.
fn reads(op: &Op, visit: &mut dyn FnMut(Reg)) {
    match op {
        Op::Const { .. } | Op::Tick | Op::Cover { .. } | Op::Enabled | Op::Begin | Op::Commit => {}
        Op::Move { src, .. } => visit(*src),
        Op::Binary { left, right, .. } | Op::Checked { left, right, .. } => {
            visit(*left);
            visit(*right);
        }
        Op::Select { condition, left, right, .. } => {
            [condition, left, right].into_iter().for_each(|register| visit(*register));
        }
        Op::InRange { value, .. } | Op::NonZero { value, .. } => visit(*value),
        Op::Turn { turns, .. } => visit(*turns),
        Op::Call { arguments, .. } => arguments.iter().for_each(|register| visit(*register)),
        Op::Store { address, src, .. } => {
            visit(*src);
            read_address(address, visit);
        }
        Op::Load { address, .. }
        | Op::Clear { address, .. }
        | Op::Sort { address, .. }
        | Op::Address { address, .. } => read_address(address, visit),
        Op::Copy { to: left, from: right, .. } | Op::Equal { left, right, .. } => {
            read_address(left, visit);
            read_address(right, visit);
        }
    }
}

fn read_address(address: &Address, visit: &mut dyn FnMut(Reg)) {
    if let Base::Reference(register) = address.base {
        visit(register);
    }
    address.index.into_iter().for_each(visit);
}

/// The register that an operation writes.
fn written(op: &Op) -> Option<Reg> {
    match op {
        Op::Const { dst, .. }
        | Op::Move { dst, .. }
        | Op::Binary { dst, .. }
        | Op::Checked { dst, .. }
        | Op::Select { dst, .. }
        | Op::Load { dst, .. }
        | Op::Equal { dst, .. }
        | Op::Address { dst, .. } => Some(*dst),
        Op::Call { dst, .. } => *dst,
        Op::Turn { turns, .. } => Some(*turns),
        _ => None,
    }
}
