//! The end of the program: `exit`, `abort`, failed assertions.

use super::item::write_through;
use super::{Effect, Entry, LibraryCall, always, never, pointers, strings};
use crate::machine::{Result, Rule, Stop};
use crate::memory::AccessMode;
use crate::value::Value;

pub(super) static TABLE: &[Entry] = &[
    always("exit", exit),
    always("_exit", exit_at_once),
    always("_Exit", exit_at_once),
    always("quick_exit", quick_exit),
    always("abort", abort),
    always("llvm.ubsantrap", check_failed),
    always("atexit", at_exit),
    always("at_quick_exit", at_quick_exit),
    never("__assert_fail", assert_fail),
    never("__assert", assert_fail),
    never("__assert_rtn", assert_rtn),
    never("reach_error", error),
    never("__VERIFIER_error", error),
    pointers("setjmp", set_jump),
    pointers("_setjmp", set_jump),
    pointers("sigsetjmp", set_jump),
    pointers("__sigsetjmp", set_jump),
    pointers("__sigsetjmp_cancel", set_jump),
    never("__pthread_register_cancel", push_cleanup),
    never("__pthread_unregister_cancel", pop_cleanup),
    always("__pthread_unwind_next", unwind_next),
    always("longjmp", jump),
    always("_longjmp", jump),
    always("__longjmp_chk", jump),
    always("siglongjmp", jump),
    never("fork", other_programs),
    never("vfork", other_programs),
    never("system", other_programs),
    never("raise", signals),
    never("alarm", signals),
    never("pause", signals),
    never("sigwait", signals),
    never("sigsuspend", signals),
    never("sigqueue", signals),
    never("kill", signals),
    never("pthread_kill", signals),
    never("pthread_cancel", cancels),
    never("sem_open", other_programs),
];

/// Ends the program after what `atexit` keeps.
fn exit(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    must_be_first(call)?;
    call.exit();
    Ok(Effect::Entered)
}

/// Nothing that runs because the program ends may end it once more.
fn must_be_first(call: &LibraryCall<'_, '_>) -> Result<()> {
    let message = "`exit` is called by a function that runs because of it";
    match call.is_exiting() {
        true => Err(Stop::error(Rule::InvalidCall, message)),
        false => Ok(()),
    }
}

/// Ends the program after what `at_quick_exit` keeps, and nothing else.
fn quick_exit(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    must_be_first(call)?;
    if !call.exit_quickly() {
        return exit_at_once(call);
    }
    call.exit();
    Ok(Effect::Entered)
}

/// In one step: whoever comes to it runs nothing that `atexit` keeps, and nor does anybody
/// who would have come to an end a moment later.
fn exit_at_once(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    call.exit_at_once()?;
    Ok(Effect::Entered)
}

/// Ends the program; that is no error.
fn abort(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    call.abort();
    Ok(Effect::Entered)
}

/// What clang numbers its checks of signed arithmetic by, and what fails then.
const CHECKS: [(u64, &str); 6] = [
    (0, "a signed sum overflows"),
    (3, "a quotient is too large"),
    (12, "a signed product overflows"),
    (13, "the opposite of a number overflows"),
    (20, "a shift to the left overflows, or shifts a negative number"),
    (21, "a signed difference overflows"),
];

/// A check that the compiler has put in. Where arithmetic is not asked about, or it checks
/// something else, it ends the program.
fn check_failed(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let kind = call.number_argument(0, "the kind of a check")?;
    match CHECKS.iter().find(|(number, _)| *number == kind) {
        Some((_, what)) if call.options().checks_overflow => {
            Err(Stop::error(Rule::Overflow, *what))
        }
        _ => abort(call),
    }
}

fn at_exit(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    call.add_at_exit(call.argument(0)?);
    call.done(0)
}

fn at_quick_exit(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    call.add_at_quick_exit(call.argument(0)?);
    call.done(0)
}

fn failed(call: &mut LibraryCall<'_, '_>, idx: usize) -> Result<Effect> {
    let text = call.argument(idx).ok().and_then(|text| strings::shown(call, text));
    let message = match text {
        Some(text) => format!("the assertion `{text}` fails"),
        None => "an assertion fails".into(),
    };
    Err(Stop::error(Rule::Assertion, message))
}

fn assert_fail(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    failed(call, 0)
}

/// As `__assert_fail`, with function, file and line first.
fn assert_rtn(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    failed(call, 3)
}

fn error(_: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Err(Stop::error(Rule::Assertion, "an error function is called"))
}

/// Keeps in the buffer where to go on; of the mask of signals nothing is kept.
fn set_jump(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let point = call.jump_point()?;
    write_through(call, 0, call.pointer_bytes(), point)?;
    call.done(0)
}

/// The step ends with it, lest one that jumps back for ever never end.
fn jump(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let result = call.number_argument(1, "the result of `setjmp`")?;
    jump_to(call, call.argument(0)?, result.max(1))
}

/// Goes on behind the call of `setjmp` that filled a buffer.
fn jump_to(call: &mut LibraryCall<'_, '_>, buffer: Value, result: u64) -> Result<Effect> {
    let bytes = call.pointer_bytes();
    let location = call.locate(buffer, u64::from(bytes), AccessMode::PLAIN_READ)?;
    let point = call.read_at(location, bytes * 8)?;
    let is_inside = call.is_in_section();
    call.jump_back(point, result)?;
    Ok(if is_inside { Effect::Entered } else { Effect::Again })
}

/// `pthread_cleanup_push` has filled a buffer as `setjmp` does: the handler stands behind that.
fn push_cleanup(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    call.push_cleanup(call.argument(0)?);
    call.done(0)
}

fn pop_cleanup(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    call.pop_cleanup();
    call.done(0)
}

/// Ends the running thread: first the handlers of `pthread_cleanup_push` run, the last one
/// first, each in its function, as if that had been jumped back to.
pub(super) fn exit_thread(call: &mut LibraryCall<'_, '_>, result: Value) -> Result<Effect> {
    call.begin_exit(result);
    match call.pop_cleanup() {
        Some(buffer) => jump_to(call, buffer, 1),
        None => {
            call.end_thread(result);
            Ok(Effect::Entered)
        }
    }
}

/// A handler has run.
fn unwind_next(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    match call.exit_result() {
        Some(result) => exit_thread(call, result),
        None => Err(Stop::refused("a handler of `pthread_cleanup_push` runs outside of its turn")),
    }
}

fn other_programs(_: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Err(Stop::refused("other programs and what is shared with them are not followed"))
}

fn signals(_: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Err(Stop::refused("signals are not followed"))
}

fn cancels(_: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Err(Stop::refused("the cancellation of threads is not followed"))
}
