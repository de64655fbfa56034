//! What machine code calls for rare events: a full batch, an empty tank, a fault, a
//! property that fails.
#![allow(unsafe_code, reason = "called by machine code with raw pointers")]

use model::{Choice, FaultPlace, StopReason};

use crate::context::{Context, FUEL};

/// Largest batch of successors of one state; more is the memory limit.
const MAX_BATCH_BYTES: usize = 1 << 30;

/// Which [`FaultPlace`] a number stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum PlaceTag {
    /// `FaultPlace::Start`
    Start,
    /// `FaultPlace::Step`
    Step,
    /// `FaultPlace::Property`
    Property,
    /// `FaultPlace::Proposition`
    Proposition,
}

/// Hands the batch over and makes room for another one; non-zero stops.
///
/// # Safety
/// `context` and its host are those of a running expansion.
pub(crate) unsafe extern "C" fn flush(context: *mut Context) -> u64 {
    // SAFETY: the caller's promise; machine code is not running meanwhile.
    let (context, host) = unsafe { (&mut *context, &mut *(*context).host) };
    // SAFETY: `out` is set while states are computed.
    let out = unsafe { &mut *host.out };
    out.commit_all(host.choices.iter().copied().map(Choice));
    let too_large = out.memory() > MAX_BATCH_BYTES;
    let limit = if too_large { Err(StopReason::MemoryLimit) } else { host.limits.check() };
    context.choices = host.choices.as_mut_ptr();
    if let Err(reason) = limit {
        host.stop = Some(reason);
        return 1;
    }
    context.cursor = out.room(host.choices.len()).as_mut_ptr();
    0
}

/// Looks at the limits and fills the tank; non-zero stops.
///
/// # Safety
/// `context` and its host are those of a running computation.
pub(crate) unsafe extern "C" fn refuel(context: *mut Context) -> u64 {
    // SAFETY: the caller's promise; machine code is not running meanwhile.
    let (context, host) = unsafe { (&mut *context, &mut *(*context).host) };
    context.fuel = FUEL;
    match host.limits.check() {
        Ok(()) => 0,
        Err(reason) => {
            host.stop = Some(reason);
            1
        }
    }
}

/// Notes that memory for calls has run out.
///
/// # Safety
/// `context` and its host are those of a running computation.
pub(crate) unsafe extern "C" fn exhausted(context: *mut Context) {
    // SAFETY: the caller's promise; machine code is not running meanwhile.
    unsafe { (*(*context).host).stop = Some(StopReason::MemoryLimit) };
}

/// Notes the fault that ended a rule, a property or the valuation, unless a limit
/// ended it: then the answer is non-zero and stops.
///
/// # Safety
/// `context` and its host are those of a running computation.
pub(crate) unsafe extern "C" fn fault(
    context: *mut Context,
    place: u64,
    number: u64,
    fault: u64,
) -> u64 {
    // SAFETY: the caller's promise; machine code is not running meanwhile.
    let (context, host) = unsafe { (&mut *context, &mut *(*context).host) };
    context.frame_top = context.frame_base;
    if host.stop.is_some() {
        return 1;
    }
    let fault = host.faults[fault as usize].clone();
    match place {
        _ if place == PlaceTag::Property as u64 => {
            // SAFETY: `judgement` is set while properties are judged.
            unsafe { (*host.judgement).faults.push((number as u32, fault)) };
        }
        _ if place == PlaceTag::Proposition as u64 => host.stuck = Some(fault),
        _ => {
            let start = place == PlaceTag::Start as u64;
            let place = if start { FaultPlace::Start } else { FaultPlace::Step };
            // SAFETY: `out` is set while states are computed.
            unsafe { (*host.out).faults.push((place(Choice(number)), fault)) };
        }
    }
    0
}

/// Notes that an invariant is violated.
///
/// # Safety
/// `context` and its host are those of a running judgement.
pub(crate) unsafe extern "C" fn violated(context: *mut Context, property: u64) {
    // SAFETY: `judgement` is set while properties are judged.
    unsafe { (*(*(*context).host).judgement).violated.push(property as u32) };
}

/// Notes that a cover or a goal is reached.
///
/// # Safety
/// `context` and its host are those of a running judgement.
pub(crate) unsafe extern "C" fn reached(context: *mut Context, property: u64) {
    // SAFETY: `judgement` is set while properties are judged.
    unsafe { (*(*(*context).host).judgement).reached.push(property as u32) };
}
