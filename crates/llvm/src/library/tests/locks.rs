//! Mutexes, read-write locks, spinlocks, semaphores.

use super::{assert_deadlock, assert_ends, assert_error, run, straight, two_workers};

/// A worker that adds one to the first variable between two calls.
fn adding(before: &str, after: &str) -> String {
    format!(
        "define ptr @worker(ptr %arg) {{
  {before}
  %old = load i32, ptr @out
  %new = add i32 %old, 1
  store i32 %new, ptr @out
  {after}
  ret ptr null
}}"
    )
}

#[test]
fn a_mutex_keeps_others_out() {
    let worker = adding(
        "%a = call i32 @pthread_mutex_lock(ptr @m)",
        "%b = call i32 @pthread_mutex_unlock(ptr @m)",
    );
    assert_ends(&run(&two_workers(&worker, "")), &[2]);
    assert_ends(&run(&two_workers(&adding("", ""), "")), &[1, 2]);
}

#[test]
fn two_mutexes_in_two_orders_are_a_deadlock() {
    let worker = "
define ptr @worker(ptr %arg) {
  %first = icmp eq ptr %arg, null
  %a = select i1 %first, ptr @m, ptr @n
  %b = select i1 %first, ptr @n, ptr @m
  %r0 = call i32 @pthread_mutex_lock(ptr %a)
  %r1 = call i32 @pthread_mutex_lock(ptr %b)
  %r2 = call i32 @pthread_mutex_unlock(ptr %b)
  %r3 = call i32 @pthread_mutex_unlock(ptr %a)
  ret ptr null
}";
    let explored = run(&two_workers(worker, ""));
    assert_deadlock(&explored, "it waits for the mutex `m`, held by another thread");
    assert_deadlock(&explored, "it waits for the mutex `n`, held by another thread");
}

#[test]
fn a_plain_mutex_waits_for_itself() {
    let text = straight(
        "  %a = call i32 @pthread_mutex_lock(ptr @m)
  %x = call i32 @pthread_mutex_lock(ptr @m)",
    );
    assert_deadlock(&run(&text), "the mutex `m`, which it holds itself");
}

#[test]
fn a_recursive_mutex_counts() {
    let text = straight(
        "  %attr = alloca i32
  %i0 = call i32 @pthread_mutexattr_init(ptr %attr)
  %i1 = call i32 @pthread_mutexattr_settype(ptr %attr, i32 1)
  %i2 = call i32 @pthread_mutex_init(ptr @m, ptr %attr)
  %a = call i32 @pthread_mutex_lock(ptr @m)
  %b = call i32 @pthread_mutex_lock(ptr @m)
  %c = call i32 @pthread_mutex_unlock(ptr @m)
  %d = call i32 @pthread_mutex_unlock(ptr @m)
  %x = call i32 @pthread_mutex_unlock(ptr @m)",
    );
    assert_ends(&run(&text), &[1]);
}

#[test]
fn an_error_checking_mutex_tells() {
    let text = straight(
        "  %kind = getelementptr i8, ptr @m, i64 16
  store i32 2, ptr %kind
  %a = call i32 @pthread_mutex_lock(ptr @m)
  %x = call i32 @pthread_mutex_lock(ptr @m)",
    );
    assert_ends(&run(&text), &[35]);
}

#[test]
fn unlocking_what_is_not_held_is_misuse() {
    let text = straight("  %x = call i32 @pthread_mutex_unlock(ptr @m)");
    assert_error(&run(&text), "the mutex `m` is unlocked while it is not locked");
    let worker = "
define ptr @worker(ptr %arg) {
  %a = call i32 @pthread_mutex_trylock(ptr @m)
  %b = call i32 @pthread_mutex_unlock(ptr @m)
  ret ptr null
}";
    assert_error(&run(&two_workers(worker, "")), "is unlocked by a thread that does not hold it");
}

#[test]
fn trying_and_timing_out_tell_whether_a_mutex_is_taken() {
    let worker = |call: &str| {
        format!(
            "define ptr @worker(ptr %arg) {{
  %a = call i32 @{call}
  %old = load atomic i32, ptr @out seq_cst, align 4
  %new = or i32 %old, %a
  store atomic i32 %new, ptr @out seq_cst, align 4
  ret ptr null
}}"
        )
    };
    assert_ends(&run(&two_workers(&worker("pthread_mutex_trylock(ptr @m)"), "")), &[0, 16]);
    let timed = worker("pthread_mutex_timedlock(ptr @m, ptr null)");
    assert_ends(&run(&two_workers(&timed, "")), &[0, 110]);
}

#[test]
fn a_mutex_has_a_beginning_and_an_end() {
    let text = straight(
        "  %p = call ptr @malloc(i64 40)
  %x = call i32 @pthread_mutex_lock(ptr %p)",
    );
    assert_error(&run(&text), "is used before it was initialised");
    let text = straight(
        "  %a = call i32 @pthread_mutex_destroy(ptr @m)
  %x = call i32 @pthread_mutex_lock(ptr @m)",
    );
    assert_error(&run(&text), "the mutex `m` is used after it was destroyed");
    let text = straight(
        "  %a = call i32 @pthread_mutex_lock(ptr @m)
  %x = call i32 @pthread_mutex_destroy(ptr @m)",
    );
    assert_error(&run(&text), "the mutex `m` is destroyed while it is locked");
    let text = straight(
        "  %a = call i32 @pthread_mutex_destroy(ptr @m)
  %b = call i32 @pthread_mutex_init(ptr @m, ptr null)
  %x = call i32 @pthread_mutex_lock(ptr @m)",
    );
    assert_ends(&run(&text), &[0]);
}

#[test]
fn c_mutexes_give_the_results_of_c() {
    let text = straight(
        "  %a = call i32 @mtx_init(ptr @m, i32 1)
  %b = call i32 @mtx_lock(ptr @m)
  %c = call i32 @mtx_lock(ptr @m)
  %d = call i32 @mtx_init(ptr @n, i32 0)
  %e = call i32 @mtx_lock(ptr @n)
  %x = call i32 @mtx_trylock(ptr @n)",
    );
    assert_ends(&run(&text), &[1]);
}

#[test]
fn readers_share_and_writers_do_not() {
    let worker = |lock: &str| {
        adding(
            &format!("%a = call i32 @pthread_rwlock_{lock}(ptr @l)"),
            "%b = call i32 @pthread_rwlock_unlock(ptr @l)",
        ) + "\n@l = global [56 x i8] zeroinitializer"
    };
    assert_ends(&run(&two_workers(&worker("wrlock"), "")), &[2]);
    assert_ends(&run(&two_workers(&worker("rdlock"), "")), &[1, 2]);
    let text = straight("  %x = call i32 @pthread_rwlock_unlock(ptr @l)")
        + "\n@l = global [56 x i8] zeroinitializer";
    assert_error(&run(&text), "the read-write lock `l` is unlocked while it is not locked");
}

#[test]
fn a_spinlock_and_a_semaphore_keep_others_out() {
    let spin = adding(
        "%a = call i32 @pthread_spin_lock(ptr @s)",
        "%b = call i32 @pthread_spin_unlock(ptr @s)",
    ) + "\n@s = global i32 0";
    assert_ends(&run(&two_workers(&spin, "")), &[2]);
    let semaphore = adding("%a = call i32 @sem_wait(ptr @s)", "%b = call i32 @sem_post(ptr @s)")
        + "\n@s = global { i32, [28 x i8] } { i32 1, [28 x i8] zeroinitializer }";
    assert_ends(&run(&two_workers(&semaphore, "")), &[2]);
}

#[test]
fn a_semaphore_tells_what_is_wrong_through_errno() {
    let text = straight(
        "  %s = alloca [32 x i8]
  %a = call i32 @sem_init(ptr %s, i32 0, i32 1)
  %b = call i32 @sem_trywait(ptr %s)
  %c = call i32 @sem_trywait(ptr %s)
  %e = call ptr @__errno_location()
  %number = load i32, ptr %e
  %x = sub i32 %number, %c",
    );
    assert_ends(&run(&text), &[12]);
}
