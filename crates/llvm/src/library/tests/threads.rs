//! Threads, keys, the end of the program, and the functions of competitions.

use super::{assert_deadlock, assert_ends, assert_error, run, straight, two_workers};

/// A program whose `@worker` does `body`, and whose first thread does `rest` with
/// the thread's name in `%t`.
fn one_worker(body: &str, rest: &str) -> String {
    format!(
        "define ptr @worker(ptr %arg) {{
{body}
}}
define i32 @main() {{
  %tp = alloca i64
  %made = call i32 @pthread_create(ptr %tp, ptr null, ptr @worker, ptr null)
  %t = load i64, ptr %tp
{rest}
  ret i32 0
}}"
    )
}

#[test]
fn joining_gives_what_the_thread_returned() {
    let rest = "  %rp = alloca ptr
  %j = call i32 @pthread_join(i64 %t, ptr %rp)
  %r = load ptr, ptr %rp
  %n = ptrtoint ptr %r to i32
  store i32 %n, ptr @out";
    assert_ends(&run(&one_worker("  ret ptr inttoptr (i64 7 to ptr)", rest)), &[7]);
    let body = "  call void @pthread_exit(ptr inttoptr (i64 9 to ptr))
  unreachable";
    assert_ends(&run(&one_worker(body, rest)), &[9]);
}

#[test]
fn threads_of_c_return_numbers() {
    let text = "
define i32 @worker(ptr %arg) {
  ret i32 -3
}
define i32 @main() {
  %tp = alloca i64
  %rp = alloca i32
  %made = call i32 @thrd_create(ptr %tp, ptr @worker, ptr null)
  %t = load i64, ptr %tp
  %j = call i32 @thrd_join(i64 %t, ptr %rp)
  %r = load i32, ptr %rp
  store i32 %r, ptr @out
  ret i32 0
}";
    assert_ends(&run(text), &[0xffff_fffd]);
}

#[test]
fn a_thread_is_joined_once_and_not_by_itself() {
    let twice = "  %a = call i32 @pthread_join(i64 %t, ptr null)
  %b = call i32 @pthread_join(i64 %t, ptr null)";
    assert_error(&run(&one_worker("  ret ptr null", twice)), "a thread is joined twice");
    let detached = "  %a = call i32 @pthread_detach(i64 %t)
  %b = call i32 @pthread_join(i64 %t, ptr null)";
    assert_error(&run(&one_worker("  ret ptr null", detached)), "a detached thread is joined");
    let itself = straight(
        "  %me = call i64 @pthread_self()
  %x = call i32 @pthread_join(i64 %me, ptr null)",
    );
    assert_error(&run(&itself), "a thread joins itself");
}

#[test]
fn the_end_of_main_ends_the_program_and_its_exit_does_not() {
    let body = "  store i32 1, ptr @out
  ret ptr null";
    assert_ends(&run(&one_worker(body, "")), &[0, 1]);
    let rest = "  call void @pthread_exit(ptr null)
  unreachable
after:";
    assert_ends(&run(&one_worker(body, rest)), &[1]);
}

#[test]
fn a_thread_finds_its_argument_where_its_name_lies_too() {
    let text = "
define ptr @worker(ptr %arg) {
  %field = getelementptr i8, ptr %arg, i64 8
  %n = load i32, ptr %field
  store i32 %n, ptr @out
  ret ptr null
}
define i32 @main() {
  %s = call ptr @malloc(i64 16)
  %field = getelementptr i8, ptr %s, i64 8
  store i32 5, ptr %field
  %made = call i32 @pthread_create(ptr %s, ptr null, ptr @worker, ptr %s)
  %t = load i64, ptr %s
  %j = call i32 @pthread_join(i64 %t, ptr null)
  call void @free(ptr %s)
  ret i32 0
}";
    assert_ends(&run(text), &[5]);
}

#[test]
fn destructors_of_keys_run_when_a_thread_ends() {
    let definitions = "
@key = global i32 0
define void @gone(ptr %value) {
  %n = ptrtoint ptr %value to i32
  store i32 %n, ptr @out
  ret void
}";
    let body = "  %k = load i32, ptr @key
  %s = call i32 @pthread_setspecific(i32 %k, ptr inttoptr (i64 6 to ptr))
  %g = call ptr @pthread_getspecific(i32 %k)
  ret ptr %g";
    let rest = "  %j = call i32 @pthread_join(i64 %t, ptr null)";
    let text = format!("{definitions}\n{}", one_worker(body, rest)).replace(
        "  %tp = alloca i64",
        "  %tp = alloca i64
  %c = call i32 @pthread_key_create(ptr @key, ptr @gone)",
    );
    assert_ends(&run(&text), &[6]);
}

#[test]
fn exit_runs_what_was_registered_and_abort_does_not() {
    let program = |end: &str| {
        format!(
            "define void @first() {{
  %old = load i32, ptr @out
  %new = mul i32 %old, 10
  store i32 %new, ptr @out
  ret void
}}
define void @second() {{
  store i32 1, ptr @out
  ret void
}}
define i32 @main() {{
  %a = call i32 @atexit(ptr @first)
  %b = call i32 @atexit(ptr @second)
  {end}
  unreachable
}}"
        )
    };
    assert_ends(&run(&program("call void @exit(i32 0)")), &[10]);
    assert_ends(&run(&program("call void @abort()")), &[0]);
    assert_ends(&run(&program("call void @_exit(i32 0)")), &[0]);
}

#[test]
fn failed_assertions_say_what_was_asserted() {
    let text = "@text = constant [7 x i8] c\"x == 1\\00\"
define i32 @main() {
  call void @__assert_fail(ptr @text, ptr null, i32 3, ptr null)
  unreachable
}";
    assert_error(&run(text), "the assertion `x == 1` fails");
}

#[test]
fn what_came_before_a_false_assumption_has_happened() {
    let body = "  store i32 1, ptr @out
  call void @__VERIFIER_assume(i32 0)
  ret ptr null";
    assert_ends(&run(&one_worker(body, "")), &[0, 1]);
    let body = "  call void @__VERIFIER_atomic_begin()
  store i32 1, ptr @out
  call void @__VERIFIER_assume(i32 0)
  call void @__VERIFIER_atomic_end()
  ret ptr null";
    assert_ends(&run(&one_worker(body, "")), &[0]);
}

#[test]
fn inputs_are_exact_where_they_are_compared_with_numbers() {
    let text = straight(
        "  %n = call i32 @__VERIFIER_nondet_int()
  %is = icmp sgt i32 %n, 41
  %one = zext i1 %is to i32
  call void @__VERIFIER_assume(i32 %one)
  %below = icmp slt i32 %n, 43
  %two = zext i1 %below to i32
  call void @__VERIFIER_assume(i32 %two)
  %y = sub i32 %n, 40
  %x = shl i32 %y, 0",
    );
    let explored = run(&text);
    assert!(!explored.is_cut);
    assert_ends(&explored, &[2]);
}

#[test]
fn atomic_sections_are_one_step() {
    let worker = "
define ptr @worker(ptr %arg) {
  call void @__VERIFIER_atomic_begin()
  %old = load i32, ptr @out
  %new = add i32 %old, 1
  store i32 %new, ptr @out
  call void @__VERIFIER_atomic_end()
  ret ptr null
}";
    assert_ends(&run(&two_workers(worker, "")), &[2]);
    let text = "define i32 @main() {
  call void @__VERIFIER_atomic_end()
  ret i32 0
}";
    assert_error(&run(text), "an atomic section ends that was not begun");
}

#[test]
fn a_thread_that_waits_for_one_that_never_ends_is_stuck() {
    let body = "  %a = call i32 @pthread_mutex_lock(ptr @m)
  %b = call i32 @pthread_mutex_lock(ptr @m)
  ret ptr null";
    let rest = "  %j = call i32 @pthread_join(i64 %t, ptr null)";
    assert_deadlock(&run(&one_worker(body, rest)), "it waits for a thread to end");
}

#[test]
fn a_loop_that_only_chooses_has_an_end() {
    let text = "
define i32 @main() {
  br label %again
again:
  %n = call i32 @__VERIFIER_nondet_int()
  %is = icmp eq i32 %n, 5
  br i1 %is, label %done, label %again
done:
  store i32 %n, ptr @out
  ret i32 0
}";
    assert_ends(&run(text), &[5]);
}
