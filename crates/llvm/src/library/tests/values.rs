//! Texts, numbers, bits, atomics that are calls, clocks.

use super::{assert_ends, run, straight};

#[test]
fn output_is_kept() {
    let text = "@f = constant [15 x i8] c\"%d %s %c %p%%\\0A\\00\"
@s = constant [3 x i8] c\"ab\\00\"
define i32 @main() {
  %n = call i32 (ptr, ...) @printf(ptr @f, i32 -5, ptr @s, i32 67, ptr @out)
  ret i32 0
}";
    let explored = run(text);
    assert!(explored.output.contains("-5 ab C &out%\n"), "{explored:?}");
}

#[test]
fn texts_are_written_to_memory() {
    let text = format!(
        "@f = constant [6 x i8] c\"%05u!\\00\"
@buffer = global [8 x i8] zeroinitializer
{}",
        straight(
            "  %n = call i32 (ptr, ...) @sprintf(ptr @buffer, ptr @f, i32 42)
  %p = getelementptr i8, ptr @buffer, i64 3
  %c = load i8, ptr %p
  %d = zext i8 %c to i32
  %x = add i32 %d, %n"
        )
    );
    assert_ends(&run(&text), &[u64::from(b'4') + 6]);
}

#[test]
fn numbers_are_read_from_texts() {
    let text = format!(
        "@t = constant [6 x i8] c\" -12x\\00\"
{}",
        straight(
            "  %e = alloca ptr
  %n = call i64 @strtol(ptr @t, ptr %e, i32 10)
  %p = load ptr, ptr %e
  %c = load i8, ptr %p
  %d = zext i8 %c to i32
  %m = trunc i64 %n to i32
  %a = call i32 @atoi(ptr @t)
  %b = call i32 @abs(i32 %a)
  %s = add i32 %m, %b
  %x = add i32 %s, %d"
        )
    );
    assert_ends(&run(&text), &[u64::from(b'x')]);
}

#[test]
fn bits_are_counted_and_turned() {
    let text = straight(
        "  %a = call i32 @llvm.ctpop.i32(i32 255)
  %b = call i32 @llvm.ctlz.i32(i32 1, i1 false)
  %c = call i32 @llvm.cttz.i32(i32 8, i1 false)
  %d = call i16 @llvm.bswap.i16(i16 258)
  %e = call i32 @llvm.fshl.i32(i32 1, i32 -2147483648, i32 1)
  %f = zext i16 %d to i32
  %g = add i32 %a, %b
  %h = add i32 %c, %f
  %i = add i32 %g, %h
  %x = add i32 %i, %e",
    );
    assert_ends(&run(&text), &[8 + 31 + 3 + 0x201 + 3]);
}

#[test]
fn overflow_is_told() {
    let text = straight(
        "  %a = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 2147483647, i32 1)
  %b = extractvalue { i32, i1 } %a, 1
  %c = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 3, i32 5)
  %d = extractvalue { i32, i1 } %c, 0
  %e = call i8 @llvm.uadd.sat.i8(i8 -1, i8 1)
  %f = zext i8 %e to i32
  %g = zext i1 %b to i32
  %h = add i32 %d, %f
  %x = add i32 %g, %h",
    );
    assert_ends(&run(&text), &[1 + 15 + 255]);
}

#[test]
fn atomics_that_are_calls_compare_and_add() {
    let text = format!(
        "@v = global i64 5
{}",
        straight(
            "  %expected = alloca i64
  store i64 4, ptr %expected
  %a = call zeroext i1 @__atomic_compare_exchange_8(ptr @v, ptr %expected, i64 9, i32 5, i32 5)
  %b = call zeroext i1 @__atomic_compare_exchange_8(ptr @v, ptr %expected, i64 9, i32 5, i32 5)
  %c = call i64 @__atomic_fetch_add_8(ptr @v, i64 1, i32 5)
  %d = call i64 @__atomic_load_8(ptr @v, i32 5)
  %e = add i64 %c, %d
  %f = trunc i64 %e to i32
  %g = zext i1 %a to i32
  %h = zext i1 %b to i32
  %i = shl i32 %h, 8
  %j = add i32 %g, %i
  %x = add i32 %f, %j"
        )
    );
    assert_ends(&run(&text), &[9 + 10 + 256]);
}

#[test]
fn random_numbers_and_clocks_are_inputs() {
    let text = straight(
        "  %n = call i32 @rand()
  %is = icmp slt i32 %n, 0
  %a = zext i1 %is to i32
  %t = alloca [2 x i64]
  %r = call i32 @clock_gettime(i32 0, ptr %t)
  %p = getelementptr i8, ptr %t, i64 8
  %ns = load i64, ptr %p
  %late = icmp ugt i64 %ns, 999999999
  %b = zext i1 %late to i32
  %early = icmp ult i64 %ns, 10
  %c = select i1 %early, i32 2, i32 3
  %d = add i32 %a, %b
  %x = add i32 %c, %d",
    );
    assert_ends(&run(&text), &[2, 3]);
}
