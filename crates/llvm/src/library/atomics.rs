//! Atomics that the compiler leaves to a library: sizes that the target has no
//! instruction for, or that are not known.

use std::cmp::Ordering;

use super::memory::{Difference, at, compare, copy};
use super::{Effect, Entry, LibraryCall, pointers_in_vain};
use crate::code::{MemoryOrder, ScalarAccess};
use crate::ir::RmwOp;
use crate::machine::{Result, Stop};
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
    "__atomic_fetch_add" |call| modify(call, RmwOp::Add);
    "__atomic_fetch_sub" |call| modify(call, RmwOp::Sub);
    "__atomic_fetch_and" |call| modify(call, RmwOp::And);
    "__atomic_fetch_or" |call| modify(call, RmwOp::Or);
    "__atomic_fetch_xor" |call| modify(call, RmwOp::Xor);
    "__atomic_fetch_nand" |call| modify(call, RmwOp::Nand);
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
fn order(call: &mut LibraryCall<'_, '_>, idx: usize) -> Result<MemoryOrder> {
    call.number_argument(idx, "the order of an atomic").map(order_numbered)
}

/// The order that C gives this number.
pub(super) fn order_numbered(number: u64) -> MemoryOrder {
    let weak = |acquires, releases| MemoryOrder { acquires, releases, is_seq_cst: false };
    // Higher bits are hints for the processor.
    match number & 0xffff {
        0 => MemoryOrder::RELAXED,
        1 | 2 => weak(true, false),
        3 => weak(false, true),
        4 => weak(true, true),
        _ => MemoryOrder::SEQ_CST,
    }
}

fn load(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let access = access(call.result_width(), order(call, 1)?)?;
    call.read(call.argument(0)?, access).map(Effect::Done)
}

fn store(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let access = access(call.width(1), order(call, 2)?)?;
    call.write(call.argument(0)?, access, call.argument(1)?)?;
    Ok(Effect::Done(Value::ZERO))
}

fn exchange(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    modify(call, RmwOp::Xchg)
}

fn modify(call: &mut LibraryCall<'_, '_>, op: RmwOp) -> Result<Effect> {
    let access = access(call.width(1), order(call, 2)?)?;
    let (pointer, operand) = (call.argument(0)?, call.argument(1)?);
    call.read_modify_write(op, pointer, operand, access).map(Effect::Done)
}

fn compare_exchange(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let access = access(call.width(2), order(call, 3)?)?;
    let in_vain = order(call, 4)?;
    let plain = ScalarAccess { is_atomic: false, ..access };
    let expected = call.read(call.argument(1)?, plain)?;
    let values = (expected, call.argument(2)?);
    let (old, is_equal) = call.compare_exchange(call.argument(0)?, values, (access, in_vain))?;
    if !is_equal {
        let pointer = call.argument(1)?;
        call.write(pointer, plain, old)?;
    }
    call.done(i64::from(is_equal))
}

fn size(call: &mut LibraryCall<'_, '_>) -> Result<u64> {
    call.number_argument(0, "the size of an atomic")
}

fn load_bytes(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let len = size(call)?;
    copy(call, (at(2), at(1)), len, (AccessMode::ATOMIC_READ, AccessMode::PLAIN_WRITE))?;
    Ok(Effect::Done(Value::ZERO))
}

fn store_bytes(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let len = size(call)?;
    copy(call, (at(1), at(2)), len, (AccessMode::PLAIN_READ, AccessMode::ATOMIC_WRITE))?;
    Ok(Effect::Done(Value::ZERO))
}

fn exchange_bytes(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let len = size(call)?;
    copy(call, (at(3), at(1)), len, (AccessMode::ATOMIC_READ, AccessMode::PLAIN_WRITE))?;
    copy(call, (at(1), at(2)), len, (AccessMode::PLAIN_READ, AccessMode::ATOMIC_WRITE))?;
    Ok(Effect::Done(Value::ZERO))
}

fn compare_exchange_bytes(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let len = size(call)?;
    let is_equal =
        compare(call, (at(1), at(2)), len, (AccessMode::ATOMIC_READ, AccessMode::PLAIN_READ))?
            == Difference::Ordered(Ordering::Equal);
    if is_equal {
        copy(call, (at(1), at(3)), len, (AccessMode::PLAIN_READ, AccessMode::ATOMIC_WRITE))?;
    } else {
        copy(call, (at(2), at(1)), len, (AccessMode::ATOMIC_READ, AccessMode::PLAIN_WRITE))?;
    }
    call.done(i64::from(is_equal))
}
