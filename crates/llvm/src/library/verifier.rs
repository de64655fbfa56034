//! The functions of verification competitions: inputs, assumptions, atomic sections.

use super::{Effect, Entry, LibraryCall, always, never, pointers};
use crate::machine::{Result, Rule, Stop};
use crate::value::Value;

pub(super) static TABLE: &[Entry] = &[
    pointers("__VERIFIER_assume", assume),
    pointers("__VERIFIER_assert", assert),
    always("__VERIFIER_atomic_begin", atomic_begin),
    never("__VERIFIER_atomic_end", atomic_end),
    never("__VERIFIER_nondet_bool", truth),
    never("__VERIFIER_nondet__Bool", truth),
    never("__VERIFIER_nondet_char", input),
    never("__VERIFIER_nondet_schar", input),
    never("__VERIFIER_nondet_uchar", input),
    never("__VERIFIER_nondet_unsigned_char", input),
    never("__VERIFIER_nondet_short", input),
    never("__VERIFIER_nondet_ushort", input),
    never("__VERIFIER_nondet_int", input),
    never("__VERIFIER_nondet_uint", input),
    never("__VERIFIER_nondet_unsigned", input),
    never("__VERIFIER_nondet_unsigned_int", input),
    never("__VERIFIER_nondet_long", input),
    never("__VERIFIER_nondet_ulong", input),
    never("__VERIFIER_nondet_unsigned_long", input),
    never("__VERIFIER_nondet_longlong", input),
    never("__VERIFIER_nondet_ulonglong", input),
    never("__VERIFIER_nondet_size_t", input),
    never("__VERIFIER_nondet_loff_t", input),
    never("__VERIFIER_nondet_sector_t", input),
    never("__VERIFIER_nondet_pthread_t", input),
    never("__VERIFIER_nondet_pointer", input),
    never("__VERIFIER_nondet_pchar", input),
    never("__VERIFIER_nondet_u8", input),
    never("__VERIFIER_nondet_u16", input),
    never("__VERIFIER_nondet_u32", input),
    never("__VERIFIER_nondet_u64", input),
];

/// The first step of an assumption that does not hold has come to its end.
const FALSE: u8 = 1;

/// Goes on only if the condition holds. If it does not, what the step has written
/// before has happened all the same, and others may see it; so that is a step of its
/// own, and only the next one does not exist. Within an atomic section that comes to
/// nothing: the section as a whole is one step.
fn assume(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    if condition(call, "an assumption")? {
        return Ok(Effect::Done(Value::ZERO));
    }
    if !call.has_effects() || call.is_in_section() {
        return Err(Stop::Assumed);
    }
    call.set_phase(FALSE);
    Ok(Effect::Again)
}

fn assert(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    match condition(call, "an assertion")? {
        true => Ok(Effect::Done(Value::ZERO)),
        false => Err(Stop::error(Rule::Assertion, "an assertion fails")),
    }
}

/// Is the argument true? Inputs are told apart only as far as that needs.
fn condition(call: &mut LibraryCall<'_, '_>, what: &str) -> Result<bool> {
    let (value, width) = (call.argument(0)?, call.width(0));
    match call.is_nonzero(value, width)? {
        Some(truth) => Ok(truth),
        None if call.options().over_approximates => Ok(call.choose(2) == 1),
        None => {
            let message = format!("{what} depends on a value that was never set");
            Err(Stop::error(Rule::UninitialisedMemory, message))
        }
    }
}

fn atomic_begin(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    call.enter_section();
    Ok(Effect::Done(Value::ZERO))
}

fn atomic_end(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    if !call.leave_section() {
        let message = "an atomic section ends that was not begun";
        return Err(Stop::error(Rule::MutexMisuse, message));
    }
    Ok(Effect::Done(Value::ZERO))
}

fn truth(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    if call.result_width() == 0 {
        return Ok(Effect::Done(Value::ZERO));
    }
    Ok(Effect::Done(Value::number(u64::from(call.choose(2)))))
}

/// An input of the type that the call wants.
fn input(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    if call.result_width() == 0 {
        return Ok(Effect::Done(Value::ZERO));
    }
    Ok(Effect::Done(call.new_symbol(call.result_width())))
}
