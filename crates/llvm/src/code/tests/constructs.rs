//! Single constructs, as listings.

use crate::code::{Code, NumberStyle, Shape, listing, lower, operation};
use crate::value::{Origin, Value};

fn lowered(text: &str) -> Code {
    lower(&crate::read(text).expect("the module can be read"))
}

/// Lowers a module; its function `f` must be listed like this.
#[track_caller]
fn check(text: &str, expected: &str) {
    let code = lowered(text);
    let function = code.functions.iter().find(|function| function.name == "f");
    let listed = listing(function.expect("there is a function `f`"));
    let lines: Vec<&str> = listed.lines().map(str::trim).collect();
    let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    assert_eq!(lines, expected, "\n{listed}");
}

#[test]
fn a_local_variable_whose_address_goes_nowhere_is_a_register() {
    check(
        "define i32 @f(i32 %n) {
           %x = alloca i32
           store i32 %n, ptr %x
           %a = load volatile i32, ptr %x
           %b = add nsw i32 %a, 1
           store i32 %b, ptr %x
           %c = load i32, ptr %x
           ret i32 %c
         }",
        "f: (r0)
         0  r1 = r0
         1  r1 = add.32 nsw r1, 1
         2  return r1",
    );
}

#[test]
fn a_local_variable_whose_address_goes_somewhere_is_memory() {
    check(
        "declare void @g(ptr)
         define void @f() {
           %x = alloca i32
           %y = alloca i64
           %z = alloca i32
           store i32 1, ptr %x
           call void @g(ptr %x)
           %part = load i32, ptr %y
           store ptr %z, ptr %x
           ret void
         }",
        "f: ()
         0  r0 = alloca 4 bytes for x
         1  r1 = alloca 8 bytes for y
         2  r2 = alloca 4 bytes for z
         3  store.32 1 at r0
         4  call function0(r0)
         5  r3 = load.32 r1
         6  store.64 r2 at r0
         7  return",
    );
}

#[test]
fn a_variable_of_a_loop_begins_undefined_each_time() {
    check(
        "define i32 @f(i1 %again) {
           br label %loop
         loop:
           %x = alloca i32
           %old = load i32, ptr %x
           store i32 7, ptr %x
           br i1 %again, label %loop, label %end
         end:
           ret i32 %old
         }",
        "f: (r0)
         0  r2 = undef
         1  if r0 jump 0 else 2
         2  return r2",
    );
}

#[test]
fn phis_of_structs_are_copied_all_at_once_on_their_edges() {
    check(
        "define { i32, i64 } @f(i1 %c, { i32, i64 } %a) {
         start:
           br label %loop
         loop:
           %x = phi { i32, i64 } [ %a, %start ], [ { i32 1, i64 2 }, %loop ]
           %s = phi i32 [ 0, %start ], [ %t, %loop ]
           %t = phi i32 [ 1, %start ], [ %s, %loop ]
           br i1 %c, label %loop, label %end
         end:
           %y = insertvalue { i32, i64 } %x, i32 %s, 0
           ret { i32, i64 } %y
         }",
        "f: (r0, r1, r2)
         0  r3, r4, r5, r6 = r1, r2, 0, 1
         1  if r0 jump 4 else 2
         2  r7, r8 = r5, r4
         3  return r7, r8
         4  r3, r4, r5, r6 = 1, 2, r6, r5
         5  jump 1",
    );
}

#[test]
fn addresses_of_constants_are_constants() {
    check(
        "%s = type { i8, [4 x i32], i64 }
         @g = global %s zeroinitializer
         @a = alias i32, getelementptr (%s, ptr @g, i32 0, i32 1, i32 1)
         define i64 @f(i32 %i) {
           %p = getelementptr %s, ptr @g, i64 1, i32 1, i64 -1
           store i32 0, ptr %p
           %q = getelementptr %s, ptr @g, i64 0, i32 1, i32 %i
           store i32 1, ptr %q
           store i32 2, ptr @a
           store i64 ptrtoint (ptr getelementptr (i8, ptr @a, i64 4) to i64), ptr @g
           ret i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @g to i64))
         }",
        "f: (r0)
         0  store.32 0 at global0+32
         1  r1 = address global0 + 4 + r0.32 * 4
         2  store.32 1 at r1
         3  store.32 2 at global0+8
         4  store.64 global0+12 at global0
         5  return 8",
    );
}

#[test]
fn constants_that_depend_on_addresses_are_computed_before_their_use() {
    check(
        "@g = global i32 0
         @h = global i32 0
         define i32 @f(i1 %c) {
         start:
           store i32 1, ptr @g
           store i32 1, ptr @h
           br i1 %c, label %a, label %b
         a:
           br label %b
         b:
           %x = phi i32 [ ptrtoint (ptr @g to i32), %start ], [ 2, %a ]
           ret i32 %x
         }",
        "f: (r0)
         0  store.32 1 at global0
         1  store.32 1 at global1
         2  if r0 jump 3 else 5
         3  r1 = 2
         4  return r1
         5  r1 = Truncate 64 to 32 global0
         6  jump 4",
    );
}

#[test]
fn variables_that_nobody_writes_are_constants() {
    let code = lowered(
        "@read = global [4 x i32] [i32 0, i32 1, i32 0, i32 3]
         @written = global i32 1
         @escapes = global i32 1
         @pointed = global i32 1
         @pointer = global ptr @pointed
         @table = constant [2 x ptr] [ptr @f, ptr null]
         @own = thread_local global i32 5
         @extern = external global i32
         define i32 @f(i64 %i) {
           %p = getelementptr [4 x i32], ptr @read, i64 0, i64 %i
           %q = bitcast ptr %p to ptr
           %x = load i32, ptr %q
           store i32 %x, ptr @written
           call void @h(ptr @escapes)
           ret i32 0
         }
         declare void @h(ptr)",
    );
    let names = |variables: &[crate::code::Variable]| -> Vec<String> {
        variables.iter().map(|variable| variable.name.clone()).collect()
    };
    assert_eq!(names(&code.globals), ["written", "escapes", "pointed", "extern"]);
    assert_eq!(names(&code.constants), ["read", "pointer", "table"]);
    assert_eq!(names(&code.thread_locals), ["own"]);
    let ones = [(4, 4, Value::number(1)), (12, 4, Value::number(3))];
    assert_eq!(code.constants[0].contents, ones);
    let pointed = Value::address(Origin::Shared(2), 0);
    assert_eq!(code.constants[1].contents, [(0, 8, pointed)]);
    assert!(code.globals[3].is_missing);
}

#[test]
fn structs_in_memory_are_read_and_written_one_scalar_after_the_other() {
    check(
        "define void @f(ptr %p) {
           %x = load { i8, i32 }, ptr %p
           store { i8, i32 } %x, ptr %p
           %v = load <2 x i16>, ptr %p
           %w = add <2 x i16> %v, <i16 1, i16 2>
           %e = extractelement <2 x i16> %w, i32 1
           store i16 %e, ptr %p
           ret void
         }",
        "f: (r0)
         0  r1 = load.8 r0
         1  r8 = address r0 + 4
         2  r2 = load.32 r8
         3  store.8 r1 at r0
         4  r9 = address r0 + 4
         5  store.32 r2 at r9
         6  r3 = load.16 r0
         7  r10 = address r0 + 2
         8  r4 = load.16 r10
         9  r5 = add.16 r3, 1
         10  r6 = add.16 r4, 2
         11  store.16 r6 at r0
         12  return",
    );
}

#[test]
fn what_is_not_understood_ends_the_block() {
    check(
        "define i32 @f(i1 %c, i64 %n) {
           br i1 %c, label %a, label %b
         a:
           %x = zext i64 %n to i200
           %y = add i200 %x, 1
           br label %b
         b:
           %z = phi i32 [ 1, %0 ], [ 2, %a ]
           ret i32 %z
         }",
        "f: (r0, r1)
         0  if r0 jump 1 else 3
         1  unsupported: an integer of 200 bits (line 4 of the IR)
         2  return r2
         3  r2 = 1
         4  jump 2",
    );
}

#[test]
fn hints_vanish_and_simple_intrinsics_are_spelled_out() {
    check(
        "declare void @llvm.assume(i1)
         declare i32 @llvm.smax.i32(i32, i32)
         declare i32 @llvm.abs.i32(i32, i1)
         declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
         declare i32 @llvm.nobody.knows.i32(i32)
         define i64 @f(i32 %a, i32 %b, i1 %c) {
           call void @llvm.assume(i1 %c)
           call void asm sideeffect \"\", \"~{memory}\"()
           %m = call i32 @llvm.smax.i32(i32 %a, i32 %b)
           %n = call i32 @llvm.abs.i32(i32 %m, i1 true)
           %o = call i64 @llvm.objectsize.i64.p0(ptr null, i1 false, i1 true, i1 false)
           br i1 %c, label %y, label %z
         y:
           %k = call i32 @llvm.nobody.knows.i32(i32 %n)
           br label %z
         z:
           ret i64 %o
         }",
        "f: (r0, r1, r2)
         0  r7 = sgt.32 r0, r1
         1  r3 = if r7 then r0 else r1
         2  r8 = sub.32 nsw 0, r3
         3  r9 = slt.32 r3, 0
         4  r4 = if r9 then r8 else r3
         5  r5 = 18446744073709551615
         6  if r2 jump 7 else 8
         7  unsupported: the intrinsic `llvm.nobody.knows.i32` (line 14 of the IR)
         8  return r5",
    );
}

#[test]
fn constructors_are_listed_by_priority() {
    let code = lowered(
        "@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [
           { i32, ptr, ptr } { i32 200, ptr @late, ptr null },
           { i32, ptr, ptr } { i32 100, ptr @early, ptr null }]
         define void @late() { ret void }
         define void @early() { ret void }
         define i32 @main() { ret i32 0 }",
    );
    assert_eq!((&code.constructors, code.main), (&vec![1, 0], Some(3)));
    let start = code.functions[3].body.as_ref().expect("the program starts there");
    let calls: Vec<String> = start.ops.iter().map(|instr| operation(&instr.op)).collect();
    assert_eq!(
        calls,
        ["call function1()", "call function0()", "r0 = call function2()", "return 0"]
    );
}

#[test]
fn numbers_of_128_bits_are_two_registers() {
    check(
        "define i64 @f(i128 %a, ptr %p) {
           %b = xor i128 %a, 18446744073709551617
           store i128 %b, ptr %p
           %c = icmp slt i128 %a, %b
           %d = zext i1 %c to i128
           %e = trunc i128 %d to i64
           ret i64 %e
         }",
        "f: (r0, r1, r2)
         0  r3 = xor.64 r0, 1
         1  r4 = xor.64 r1, 1
         2  store.64 r3 at r2
         3  r9 = address r2 + 8
         4  store.64 r4 at r9
         5  r10 = ult.64 r0, r3
         6  r11 = slt.64 r1, r4
         7  r12 = eq.64 r1, r4
         8  r5 = if r12 then r10 else r11
         9  r6 = ZeroExtend 1 to 64 r5
         10  return r6",
    );
}

#[test]
fn a_variable_whose_address_goes_somewhere_is_made_anew_in_its_scope() {
    check(
        "declare void @llvm.lifetime.start.p0(i64, ptr)
         declare void @llvm.lifetime.end.p0(i64, ptr)
         declare void @use(ptr)
         define void @f() {
           %x = alloca i32
           %y = alloca [2 x i32]
           call void @llvm.lifetime.start.p0(i64 4, ptr %x)
           call void @llvm.lifetime.start.p0(i64 8, ptr %y)
           store i32 1, ptr %y
           call void @use(ptr %x)
           call void @llvm.lifetime.end.p0(i64 8, ptr %y)
           call void @llvm.lifetime.end.p0(i64 4, ptr %x)
           ret void
         }",
        "f: ()
         0  r1 = alloca 8 bytes for y
         1  r0 = alloca 4 bytes for x
         2  renew r1
         3  store.32 1 at r1
         4  call function2(r0)
         5  expire r0
         6  return",
    );
}

#[test]
fn names_and_shapes_come_from_debug_metadata() {
    let code = lowered(
        "@lock = global [40 x i8] zeroinitializer, !dbg !0
         @pair = global { i32, i8 } zeroinitializer, !dbg !10
         define void @f(i32 %n) !dbg !20 {
           %x = alloca i32
           call void @llvm.dbg.declare(metadata ptr %x, metadata !21, metadata !DIExpression()), !dbg !22
           store i32 %n, ptr %x, !dbg !22
           store [40 x i8] zeroinitializer, ptr @lock, !dbg !22
           store i8 0, ptr @pair, !dbg !22
           ret void
         }
         declare void @llvm.dbg.declare(metadata, metadata, metadata)
         !llvm.dbg.cu = !{}
         !0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
         !1 = !DIGlobalVariable(name: \"lock\", type: !2)
         !2 = !DIDerivedType(tag: DW_TAG_typedef, name: \"pthread_mutex_t\", baseType: !3)
         !3 = !DICompositeType(tag: DW_TAG_union_type, size: 320)
         !4 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)
         !5 = !DIFile(filename: \"a.c\", directory: \"/\")
         !6 = !DIBasicType(name: \"char\", size: 8, encoding: DW_ATE_signed_char)
         !10 = !DIGlobalVariableExpression(var: !11, expr: !DIExpression())
         !11 = !DIGlobalVariable(name: \"pair\", type: !12)
         !12 = !DICompositeType(tag: DW_TAG_structure_type, name: \"p\", size: 64, elements: !13)
         !13 = !{!14, !15}
         !14 = !DIDerivedType(tag: DW_TAG_member, name: \"a\", baseType: !4, size: 32)
         !15 = !DIDerivedType(tag: DW_TAG_member, name: \"b\", baseType: !6, size: 8, offset: 32)
         !20 = distinct !DISubprogram(name: \"real_f\", file: !5, line: 3)
         !21 = !DILocalVariable(name: \"x\", scope: !20, file: !5, line: 4, type: !4)
         !22 = !DILocation(line: 4, column: 7, scope: !20)",
    );
    let number = |bytes, style| Shape::Number { bytes, style };
    assert_eq!(code.globals[0].shape, Shape::Sync("pthread_mutex_t".to_owned()));
    let members = vec![
        ("a".to_owned(), 0, number(4, NumberStyle::Signed)),
        ("b".to_owned(), 4, number(1, NumberStyle::Char)),
    ];
    assert_eq!(code.globals[1].shape, Shape::Record(members));
    let function = code.functions.iter().find(|function| function.name == "f");
    let body = function.and_then(|function| function.body.as_ref()).expect("`f` is defined");
    assert_eq!(body.variables[0].name, "x");
    assert!(body.variables[0].is_signed);
    let place = &code.places[body.ops[0].place as usize];
    assert_eq!((place.file.as_str(), place.line, place.column), ("a.c", 4, 7));
    assert_eq!(place.function, "real_f");
}

#[test]
fn functions_that_are_atomic_by_name_are_marked() {
    let code = lowered(
        "define void @__VERIFIER_atomic_swap() { ret void }
         define void @__VERIFIER_atomic_begin() { ret void }
         define void @plain() { ret void }",
    );
    let is_atomic: Vec<bool> = code
        .functions
        .iter()
        .map(|function| function.body.as_ref().is_some_and(|body| body.is_atomic))
        .collect();
    assert_eq!(is_atomic, [true, false, false]);
}

#[test]
fn a_weak_symbol_that_is_nowhere_defined_is_refused_where_it_is_used() {
    check(
        "declare extern_weak void @g()
         define i1 @f(i1 %c) {
           br i1 %c, label %a, label %b
         a:
           %x = icmp eq ptr @g, null
           ret i1 %x
         b:
           ret i1 false
         }",
        "f: (r0)
         0  if r0 jump 1 else 2
         1  unsupported: the weak symbol `g`, which is not defined (line 5 of the IR)
         2  return 0",
    );
}

#[test]
fn what_is_passed_by_value_is_copied_by_the_callee() {
    check(
        "define i32 @f(ptr byval({ i32, i64 }) %p) {
           store i32 1, ptr %p
           ret i32 0
         }",
        "f: (r0)
         0  r1 = alloca 16 bytes for p
         1  call function1(r1, r0, 16)
         2  store.32 1 at r1
         3  return 0",
    );
}
