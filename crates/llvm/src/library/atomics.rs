//! Atomics that the compiler leaves to a library: sizes that the target has no
//! instruction for, or that are not known.

use std::cmp::Ordering;

use super::memory::{at, compare, copy};
use super::{Arguments, Effect, Entry, pointers_in_vain, too_few};
use crate::code::{MemoryOrder, ScalarAccess};
use crate::ir::RmwOp;
use crate::machine::{Machine, Result, Stop};
use crate::memory::AccessMode;
use crate::value::Value;

/// Functions of one, two, four and eight bytes.
macro_rules! sized {
    ($($name:literal $run:expr;)*) => {
        &[
            $(
                pointers_in_vain(concat!($name, "_1"), $run),
                pointers_in_vain(concat!($name, "_2"), $run),
                pointers_in_vain(concat!($name, "_4"), $run),
                pointers_in_vain(concat!($name, "_8"), $run),
            )*
        ]
    };
}

pub(super) static SIZED: &[Entry] = sized! {
    "__atomic_load" load;
    "__atomic_store" store;
    "__atomic_exchange" exchange;
    "__atomic_compare_exchange" compare_exchange;
    "__atomic_fetch_add" |machine, arguments| modify(machine, arguments, RmwOp::Add);
    "__atomic_fetch_sub" |machine, arguments| modify(machine, arguments, RmwOp::Sub);
    "__atomic_fetch_and" |machine, arguments| modify(machine, arguments, RmwOp::And);
    "__atomic_fetch_or" |machine, arguments| modify(machine, arguments, RmwOp::Or);
    "__atomic_fetch_xor" |machine, arguments| modify(machine, arguments, RmwOp::Xor);
    "__atomic_fetch_nand" |machine, arguments| modify(machine, arguments, RmwOp::Nand);
};

pub(super) static TABLE: &[Entry] = &[
    pointers_in_vain("__atomic_load", load_bytes),
    pointers_in_vain("__atomic_store", store_bytes),
    pointers_in_vain("__atomic_exchange", exchange_bytes),
    pointers_in_vain("__atomic_compare_exchange", compare_exchange_bytes),
];

/// How a number of so many bits is accessed.
fn access(width: u32, order: MemoryOrder) -> Result<ScalarAccess> {
    if !matches!(width, 8 | 16 | 32 | 64) {
        return Err(Stop::refused(format!("an atomic of {width} bits")));
    }
    Ok(ScalarAccess {
        bytes: (width / 8) as u8,
        width: width as u8,
        is_atomic: true,
        order,
        is_volatile: false,
        is_pointer: false,
        log2_align: 0,
    })
}

/// The order that an argument names, as C numbers them.
fn order(machine: &mut Machine<'_>, arguments: Arguments<'_>, idx: usize) -> Result<MemoryOrder> {
    let weak = |acquires, releases| MemoryOrder { acquires, releases, is_seq_cst: false };
    let number = arguments.number(machine, idx, "the order of an atomic")?;
    // Higher bits are hints for the processor.
    Ok(match number & 0xffff {
        0 => MemoryOrder::RELAXED,
        1 | 2 => weak(true, false),
        3 => weak(false, true),
        4 => weak(true, true),
        _ => MemoryOrder::SEQ_CST,
    })
}

fn load(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let access = access(arguments.result_width, order(machine, arguments, 1)?)?;
    machine.memory.read(arguments.value(0)?, access).map(Effect::Done)
}

fn store(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let access = access(arguments.width(1), order(machine, arguments, 2)?)?;
    machine.memory.write(arguments.value(0)?, access, arguments.value(1)?)?;
    Ok(Effect::Done(Value::ZERO))
}

fn exchange(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    modify(machine, arguments, RmwOp::Xchg)
}

fn modify(machine: &mut Machine<'_>, arguments: Arguments<'_>, op: RmwOp) -> Result<Effect> {
    let access = access(arguments.width(1), order(machine, arguments, 2)?)?;
    let (pointer, operand) = (arguments.value(0)?, arguments.value(1)?);
    machine.read_modify_write(op, pointer, operand, access).map(Effect::Done)
}

fn compare_exchange(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let access = access(arguments.width(2), order(machine, arguments, 3)?)?;
    let in_vain = order(machine, arguments, 4)?;
    let plain = ScalarAccess { is_atomic: false, ..access };
    let expected = machine.memory.read(arguments.value(1)?, plain)?;
    let values = (expected, arguments.value(2)?);
    let (old, is_equal) =
        machine.compare_exchange(arguments.value(0)?, values, (access, in_vain))?;
    if !is_equal {
        let pointer = machine.argument(1).ok_or_else(too_few)?;
        machine.memory.write(pointer, plain, old)?;
    }
    arguments.done(i64::from(is_equal))
}

fn size(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<u64> {
    arguments.number(machine, 0, "the size of an atomic")
}

fn load_bytes(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let len = size(machine, arguments)?;
    copy(machine, (at(2), at(1)), len, (AccessMode::ATOMIC_READ, AccessMode::PLAIN_WRITE))?;
    Ok(Effect::Done(Value::ZERO))
}

fn store_bytes(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let len = size(machine, arguments)?;
    copy(machine, (at(1), at(2)), len, (AccessMode::PLAIN_READ, AccessMode::ATOMIC_WRITE))?;
    Ok(Effect::Done(Value::ZERO))
}

fn exchange_bytes(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let len = size(machine, arguments)?;
    copy(machine, (at(3), at(1)), len, (AccessMode::ATOMIC_READ, AccessMode::PLAIN_WRITE))?;
    copy(machine, (at(1), at(2)), len, (AccessMode::PLAIN_READ, AccessMode::ATOMIC_WRITE))?;
    Ok(Effect::Done(Value::ZERO))
}

fn compare_exchange_bytes(machine: &mut Machine<'_>, arguments: Arguments<'_>) -> Result<Effect> {
    let len = size(machine, arguments)?;
    let is_equal =
        compare(machine, (at(1), at(2)), len, (AccessMode::ATOMIC_READ, AccessMode::PLAIN_READ))?
            == Ordering::Equal;
    if is_equal {
        copy(machine, (at(1), at(3)), len, (AccessMode::PLAIN_READ, AccessMode::ATOMIC_WRITE))?;
    } else {
        copy(machine, (at(2), at(1)), len, (AccessMode::ATOMIC_READ, AccessMode::PLAIN_WRITE))?;
    }
    arguments.done(i64::from(is_equal))
}
