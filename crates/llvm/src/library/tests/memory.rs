//! The heap, bytes, strings.

use super::{assert_ends, assert_error, run, run_with, straight};
use crate::machine::Options;

#[test]
fn memory_is_freed_once_and_from_its_start() {
    let program = |body: &str| format!("define i32 @main() {{\n{body}\n  ret i32 0\n}}");
    let text = program(
        "  %p = call ptr @malloc(i64 8)
  call void @free(ptr %p)
  call void @free(ptr %p)",
    );
    assert_error(&run(&text), "is freed after it was freed");
    let text = program(
        "  %p = call ptr @malloc(i64 8)
  %q = getelementptr i8, ptr %p, i64 4
  call void @free(ptr %q)",
    );
    assert_error(&run(&text), "that is not the start of the allocation");
    let text = program("  call void @free(ptr @out)");
    assert_error(&run(&text), "`out` is freed, but it is not from `malloc`");
    let text = program("  call void @free(ptr null)");
    assert_ends(&run(&text), &[0]);
}

#[test]
fn allocations_may_fail_where_that_is_asked_for() {
    let text = straight(
        "  %p = call ptr @calloc(i64 2, i64 4)
  %is = icmp eq ptr %p, null
  %x = zext i1 %is to i32",
    );
    assert_ends(&run(&text), &[0]);
    let failing = Options { allocation_fails: true, ..Options::default() };
    assert_ends(&run_with(&text, &failing), &[0, 1]);
}

#[test]
fn growing_keeps_the_contents_and_ends_the_old_memory() {
    let text = straight(
        "  %p = call ptr @malloc(i64 4)
  store i32 3, ptr %p
  %q = call ptr @realloc(ptr %p, i64 8)
  %x = load i32, ptr %q",
    );
    assert_ends(&run(&text), &[3]);
    let text = text.replace("ptr %q\n", "ptr %p\n");
    assert_error(&run(&text), "after it was freed");
}

#[test]
fn copies_carry_addresses_to_other_threads() {
    let text = "
@box = global ptr null
define ptr @worker(ptr %arg) {
  %p = load ptr, ptr @box
  %n = load i32, ptr %p
  store i32 %n, ptr @out
  ret ptr null
}
define i32 @main() {
  %tp = alloca i64
  %own = alloca ptr
  %p = call ptr @malloc(i64 4)
  store i32 8, ptr %p
  store ptr %p, ptr %own
  %c = call ptr @memcpy(ptr @box, ptr %own, i64 8)
  %made = call i32 @pthread_create(ptr %tp, ptr null, ptr @worker, ptr null)
  %t = load i64, ptr %tp
  %j = call i32 @pthread_join(i64 %t, ptr null)
  ret i32 0
}";
    assert_ends(&run(text), &[8]);
}

#[test]
fn a_copy_of_what_points_to_itself_is_shared_with_it() {
    let text = straight(
        "  %s = call ptr @malloc(i64 16)
  store ptr %s, ptr %s
  %field = getelementptr i8, ptr %s, i64 8
  store i64 4, ptr %field
  %c = call ptr @memcpy(ptr @m, ptr %s, i64 16)
  %p = load ptr, ptr @m
  %q = getelementptr i8, ptr %p, i64 8
  %x = load i32, ptr %q",
    );
    assert_ends(&run(&text), &[4]);
}

#[test]
fn copies_that_overlap_are_wrong() {
    let text = straight(
        "  %to = getelementptr i8, ptr @m, i64 4
  %c = call ptr @memcpy(ptr %to, ptr @m, i64 8)
  %x = add i32 0, 0",
    );
    assert_error(&run(&text), "overlaps");
    assert_ends(&run(&text.replace("@memcpy", "@memmove")), &[0]);
}

#[test]
fn bytes_are_filled_compared_and_found() {
    let text = straight(
        "  %a = call ptr @memset(ptr @m, i32 7, i64 8)
  %b = call ptr @memset(ptr @n, i32 7, i64 7)
  %c = call i32 @memcmp(ptr @m, ptr @n, i64 8)
  %d = call i32 @memcmp(ptr @m, ptr @n, i64 7)
  %p = call ptr @memchr(ptr @n, i32 0, i64 20)
  %i = ptrtoint ptr %p to i64
  %j = sub i64 %i, ptrtoint (ptr @n to i64)
  %k = trunc i64 %j to i32
  %e = add i32 %c, %d
  %x = add i32 %e, %k",
    );
    assert_ends(&run(&text), &[8]);
}

const STRINGS: &str = "
@one = constant [4 x i8] c\"one\\00\"
@two = constant [4 x i8] c\"two\\00\"
@buffer = global [8 x i8] zeroinitializer
";

fn with_strings(body: &str) -> String {
    format!("{STRINGS}{}", straight(body))
}

#[test]
fn strings_are_copied_and_measured() {
    let text = with_strings(
        "  %a = call ptr @strcpy(ptr @buffer, ptr @one)
  %b = call ptr @strcat(ptr @buffer, ptr @two)
  %n = call i64 @strlen(ptr @buffer)
  %x = trunc i64 %n to i32",
    );
    assert_ends(&run(&text), &[6]);
    let text = with_strings(
        "  %a = call ptr @strcpy(ptr @buffer, ptr @one)
  %b = call ptr @strcat(ptr @buffer, ptr @two)
  %c = call ptr @strcat(ptr @buffer, ptr @two)
  %x = add i32 0, 0",
    );
    assert_error(&run(&text), "memory is written out of bounds");
}

#[test]
fn strings_are_compared_and_searched() {
    let text = with_strings(
        "  %a = call i32 @strcmp(ptr @one, ptr @two)
  %b = call i32 @strncmp(ptr @one, ptr @one, i64 9)
  %p = call ptr @strchr(ptr @two, i32 111)
  %c = load i8, ptr %p
  %d = zext i8 %c to i32
  %e = add i32 %a, %b
  %x = add i32 %d, %e",
    );
    assert_ends(&run(&text), &[110]);
}

#[test]
fn a_string_without_an_end_is_read_too_far() {
    let text = with_strings(
        "  %a = call ptr @memset(ptr @buffer, i32 65, i64 8)
  %n = call i64 @strlen(ptr @buffer)
  %x = trunc i64 %n to i32",
    );
    assert_error(&run(&text), "memory is read out of bounds: 9 bytes at offset 0 of `buffer`");
}
