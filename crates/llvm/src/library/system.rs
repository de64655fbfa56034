//! What a program asks of its process and of the scheduler, none of which changes what
//! its threads may do.

use super::{Effect, Entry, LibraryCall, clock, never, pointers, succeed};
use crate::machine::{Result, Stop};

pub(super) static TABLE: &[Entry] = &[
    never("getppid", one),
    never("getuid", one),
    never("geteuid", one),
    never("getgid", one),
    never("getegid", one),
    pointers("prctl", control),
    never("sched_getcpu", processor),
    never("sched_get_priority_max", |c| priority(c, 99)),
    never("sched_get_priority_min", |c| priority(c, 1)),
    pointers("sched_setaffinity", succeed),
    pointers("sched_setscheduler", succeed),
    pointers("sched_setparam", succeed),
    never("pthread_setschedprio", succeed),
    pointers("pthread_attr_setaffinity_np", succeed),
    pointers("pthread_attr_setstack", succeed),
    never("setpriority", succeed),
    pointers("mlock", succeed),
    pointers("munlock", succeed),
    never("mlockall", succeed),
    never("munlockall", succeed),
    never("tzset", succeed),
    pointers("setlocale", succeed),
    pointers("madvise", advise),
    pointers("posix_madvise", advise),
    never("__threadproof_assume_no_signal", assume_no_signal),
    never("__threadproof_refuse_mapping", refuse_mapping),
];

/// What `prctl` may set without consequences: how the process dies, and its name.
const HARMLESS: [u64; 4] = [1, 4, 15, 38];

/// Advice after which memory may lose its contents.
const FORGETTING: [u64; 3] = [4, 8, 9];

/// Processors that there are, as for `sysconf`.
const N_PROCESSORS: u64 = 2;

fn one(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    call.done(1)
}

fn control(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    match call.number_argument(0, "what `prctl` is asked")? {
        option if HARMLESS.contains(&option) => call.done(0),
        option => Err(Stop::refused(format!("`prctl({option})` is not known"))),
    }
}

fn processor(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Ok(Effect::Done(clock::input(call, N_PROCESSORS - 1)))
}

/// A bound of the priorities of a policy; those that are not for real time have none.
fn priority(call: &mut LibraryCall<'_, '_>, of_real_time: i64) -> Result<Effect> {
    let policy = call.number_argument(0, "a scheduling policy")?;
    call.done(if matches!(policy, 1 | 2) { of_real_time } else { 0 })
}

fn advise(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let advice = call.number_argument(2, "advice about memory")?;
    if FORGETTING.contains(&advice) {
        return Err(Stop::refused("memory that may be forgotten is not followed"));
    }
    call.done(0)
}

fn assume_no_signal(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    call.assume_no_signal();
    Ok(Effect::Done(crate::value::Value::ZERO))
}

fn refuse_mapping(_: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Err(Stop::refused("files are not looked into, and so are not mapped"))
}
