//! Condition variables, barriers, and functions that are called once.

use super::{assert_deadlock, assert_ends, assert_error, run, run_with, straight, two_workers};
use crate::machine::Options;

/// Worker 0 waits until `@ready` is set, worker 1 sets it and does `signal`.
fn waiting(signal: &str) -> String {
    format!(
        "@ready = global i32 0
define ptr @worker(ptr %arg) {{
  %first = icmp eq ptr %arg, null
  %a = call i32 @pthread_mutex_lock(ptr @m)
  br i1 %first, label %check, label %set
check:
  %ready = load i32, ptr @ready
  %is = icmp ne i32 %ready, 0
  br i1 %is, label %done, label %wait
wait:
  %w = call i32 @pthread_cond_wait(ptr @c, ptr @m)
  br label %check
set:
  store i32 1, ptr @ready
  {signal}
  br label %done
done:
  %b = call i32 @pthread_mutex_unlock(ptr @m)
  ret ptr null
}}"
    )
}

#[test]
fn a_waiter_that_is_signalled_goes_on() {
    let worker = waiting("%s = call i32 @pthread_cond_signal(ptr @c)");
    let quiet = Options { spurious_wakeups: false, ..Options::default() };
    assert_ends(&run(&two_workers(&worker, "")), &[0]);
    assert_ends(&run_with(&two_workers(&worker, ""), &quiet), &[0]);
}

#[test]
fn a_waiter_that_nobody_signals_is_stuck_though_it_may_wake_up() {
    let worker = waiting("");
    assert_deadlock(&run(&two_workers(&worker, "")), "it waits for a thread to end");
    let quiet = Options { spurious_wakeups: false, ..Options::default() };
    let explored = run_with(&two_workers(&worker, ""), &quiet);
    assert_deadlock(&explored, "it waits for the condition variable `c`");
}

/// Both workers wait without a condition; the first thread waits for both to do so,
/// and then does `signal`.
fn both_wait(signal: &str) -> String {
    let worker = "
define ptr @worker(ptr %arg) {
  %a = call i32 @pthread_mutex_lock(ptr @m)
  %old = load i32, ptr @out
  %new = add i32 %old, 1
  store i32 %new, ptr @out
  %w = call i32 @pthread_cond_wait(ptr @c, ptr @m)
  %b = call i32 @pthread_mutex_unlock(ptr @m)
  ret ptr null
}
define ptr @waker(ptr %arg) {
  br label %again
again:
  %a = call i32 @pthread_mutex_lock(ptr @m)
  %n = load i32, ptr @out
  %b = call i32 @pthread_mutex_unlock(ptr @m)
  %is = icmp eq i32 %n, 2
  br i1 %is, label %done, label %again
done:
  %s = call i32 @SIGNAL(ptr @c)
  ret ptr null
}";
    let text = two_workers(&worker.replace("SIGNAL", signal), "");
    text.replace(
        "  %v0 = load",
        "  %t2 = alloca i64
  %r2 = call i32 @pthread_create(ptr %t2, ptr null, ptr @waker, ptr null)
  %v0 = load",
    )
}

#[test]
fn a_signal_wakes_one_waiter_and_a_broadcast_all() {
    let quiet = Options { spurious_wakeups: false, ..Options::default() };
    let explored = run_with(&both_wait("pthread_cond_signal"), &quiet);
    assert_deadlock(&explored, "it waits for the condition variable `c`");
    assert_ends(&run_with(&both_wait("pthread_cond_broadcast"), &quiet), &[2]);
}

#[test]
fn time_may_run_out_though_the_signal_has_come() {
    // Worker 0 notes what the wait gave, plus one if the other worker was through.
    let worker = "
@ready = global i32 0
define ptr @worker(ptr %arg) {
  %first = icmp eq ptr %arg, null
  %a = call i32 @pthread_mutex_lock(ptr @m)
  br i1 %first, label %wait, label %set
wait:
  %w = call i32 @pthread_cond_timedwait(ptr @c, ptr @m, ptr null)
  %ready = load i32, ptr @ready
  %sum = add i32 %w, %ready
  store i32 %sum, ptr @out
  br label %done
set:
  store i32 1, ptr @ready
  %s = call i32 @pthread_cond_signal(ptr @c)
  br label %done
done:
  %b = call i32 @pthread_mutex_unlock(ptr @m)
  ret ptr null
}";
    let quiet = Options { spurious_wakeups: false, ..Options::default() };
    assert_ends(&run_with(&two_workers(worker, ""), &quiet), &[1, 110, 111]);
}

#[test]
fn conditions_are_used_with_a_mutex_that_is_held() {
    let text = straight("  %x = call i32 @pthread_cond_wait(ptr @c, ptr @m)");
    assert_error(&run(&text), "which the thread does not hold");
    let worker = waiting("%s = call i32 @pthread_cond_destroy(ptr @c)");
    let explored = run(&two_workers(&worker, ""));
    assert_error(&explored, "`c` is destroyed while a thread waits for it");
}

#[test]
fn a_barrier_lets_all_go_on_and_tells_one() {
    let worker = "
@b = global { i32, [28 x i8] } { i32 2, [28 x i8] zeroinitializer }
@seen = global i32 0
define ptr @worker(ptr %arg) {
  %a = atomicrmw add ptr @seen, i32 1 seq_cst
  %w = call i32 @pthread_barrier_wait(ptr @b)
  %n = load atomic i32, ptr @seen seq_cst, align 4
  %all = icmp eq i32 %n, 2
  %one = zext i1 %all to i32
  %serial = icmp eq i32 %w, -1
  %ten = select i1 %serial, i32 10, i32 0
  %sum = add i32 %one, %ten
  %o = atomicrmw add ptr @out, i32 %sum seq_cst
  ret ptr null
}";
    assert_ends(&run(&two_workers(worker, "")), &[12]);
    let text = straight("  %x = call i32 @pthread_barrier_wait(ptr @m)");
    assert_error(&run(&text), "the barrier `m` is used before it was initialised");
}

#[test]
fn a_function_is_called_once_and_all_wait_for_it() {
    let worker = "
@flag = global i32 0
@set = global i32 0
define void @init() {
  %old = load i32, ptr @out
  %new = add i32 %old, 1
  store i32 %new, ptr @out
  store i32 1, ptr @set
  ret void
}
define ptr @worker(ptr %arg) {
  %p = alloca ptr
  store ptr @flag, ptr %p
  %flag = load volatile ptr, ptr %p
  %a = call i32 @pthread_once(ptr %flag, ptr @init)
  %n = load i32, ptr @set
  %b = call i32 @assert_one(i32 %n)
  ret ptr null
}
define i32 @assert_one(i32 %n) {
  %is = icmp eq i32 %n, 1
  br i1 %is, label %good, label %bad
bad:
  call void @reach_error()
  unreachable
good:
  ret i32 0
}";
    assert_ends(&run(&two_workers(worker, "")), &[1]);
}
