//! What the reader makes of each construct, and what it refuses.

mod common;

use common::{body, function, read, sample, show, show_symbols, type_text};
use llvm::ir::{
    Callee, Catches, Constant, Definition, Instruction, Linkage, Op, Operand, Ordering, RmwOp,
    Symbol,
};

fn symbol<'m>(module: &'m llvm::ir::Module, name: &str) -> &'m Symbol {
    module.symbol(module.find(name).expect("the symbol exists"))
}

fn initializer(module: &llvm::ir::Module, name: &str) -> Constant {
    match &symbol(module, name).definition {
        Definition::Variable(variable) => variable.initializer.clone().expect("it has one"),
        other => panic!("no variable: {other:?}"),
    }
}

/// The instructions of a function of one block.
fn code<'m>(module: &'m llvm::ir::Module, name: &str) -> &'m [Instruction] {
    let body = body(module, name);
    assert_eq!(body.blocks.len(), 1);
    &body.blocks[0].instructions
}

/// The first error, as `line: message`.
fn error(text: &str) -> String {
    let errors = llvm::read(text).expect_err("the text is wrong");
    format!("{}: {}", errors[0].line, errors[0].message)
}

/// A function around an instruction; the instruction is on line 2.
fn within(instruction: &str) -> String {
    format!("define void @f(i32 %a, ptr %p) {{\n  {instruction}\n  ret void\n}}\n")
}

#[test]
fn typed_and_opaque_pointers_read_as_the_same() {
    for name in ["memory", "calls", "debug"] {
        let typed = sample(&format!("typed/{name}"));
        let opaque = sample(&format!("opaque/{name}"));
        assert_eq!(show_symbols(&typed), show_symbols(&opaque), "{name}");
        assert_eq!(typed.layout, opaque.layout);
    }
}

#[test]
fn variables_keep_their_shape() {
    let module = sample("opaque/memory");
    let pool = symbol(&module, "pool");
    assert_eq!(pool.linkage, Linkage::Internal);
    assert_eq!(pool.line, 8);
    let Definition::Variable(variable) = &pool.definition else {
        panic!("no variable");
    };
    assert!(variable.is_thread_local && !variable.is_constant);
    assert_eq!(variable.align, Some(16));
    assert_eq!(variable.initializer, Some(Constant::Zero));
    assert_eq!(module.types.size(&module.layout, variable.ty), Some(48));
    assert_eq!(initializer(&module, "name"), Constant::Bytes(b"a\"\\b\n\0".to_vec()));
    let Definition::Variable(variable) = &symbol(&module, "extern").definition else {
        panic!("no variable");
    };
    assert_eq!(variable.initializer, None);
}

#[test]
fn accesses_keep_their_orderings() {
    let module = sample("opaque/memory");
    let code = code(&module, "touch");
    let Op::Load { shape, .. } = &code[3].op else { panic!("{:?}", code[3]) };
    assert!(shape.is_volatile && shape.ordering.is_none() && shape.align == Some(2));
    let Op::Load { shape, .. } = &code[4].op else { panic!("{:?}", code[4]) };
    assert_eq!(shape.ordering, Some(Ordering::SequentiallyConsistent));
    let Op::Store { shape, .. } = &code[5].op else { panic!("{:?}", code[5]) };
    assert_eq!(shape.ordering, Some(Ordering::Release));
    // A fence towards signals orders nothing between threads.
    assert!(matches!(code[7].op, Op::Fence(Ordering::Monotonic)));
    assert!(matches!(code[8].op, Op::Fence(Ordering::SequentiallyConsistent)));
    let Op::CompareExchange { is_weak, orderings, values, .. } = &code[9].op else {
        panic!("{:?}", code[9]);
    };
    assert!(*is_weak);
    assert_eq!(*orderings, (Ordering::AcquireRelease, Ordering::Monotonic));
    assert_eq!(values.1, Operand::Constant(Constant::Int(0xffff_ffff)));
    let Op::ReadModifyWrite { op, .. } = &code[13].op else { panic!("{:?}", code[13]) };
    assert_eq!(*op, RmwOp::UMax);
}

#[test]
fn values_without_names_are_numbered_with_blocks_and_parameters() {
    let module = sample("opaque/memory");
    let names: Vec<&str> = body(&module, "touch").locals.iter().map(|l| &*l.name).collect();
    assert_eq!(names[..4], ["0", "n", "2", "3"]);
    let module = sample("opaque/calls");
    let later = body(&module, "later");
    assert_eq!(later.blocks[0].name, "0");
    let names: Vec<&str> = later.locals.iter().map(|local| &*local.name).collect();
    assert_eq!(names, ["1", "2"]);
}

#[test]
fn results_have_the_types_of_their_instructions() {
    let module = sample("opaque/arithmetic");
    let numbers = body(&module, "numbers");
    let ty = |name: &str| {
        let local = numbers.locals.iter().find(|local| local.name == name);
        type_text(&module, local.expect("the value exists").ty)
    };
    assert_eq!(ty("lt"), "<2 x i1>");
    assert_eq!(ty("e"), "i32");
    assert_eq!(ty("sh"), "<2 x i32>");
    assert_eq!(ty("ps"), "<2 x ptr>");
    assert_eq!(ty("c"), "i1");
    let module = sample("opaque/memory");
    let touch = body(&module, "touch");
    assert_eq!(type_text(&module, touch.locals[7].ty), "{i32, i1}");
}

#[test]
fn calls_keep_callee_arguments_and_ways_on() {
    let module = sample("opaque/calls");
    let shared = function(&module, "shared");
    assert_eq!(symbol(&module, "shared").linkage, Linkage::Weak);
    let by_value = shared.parameters[0].by_value.expect("it is byval");
    assert_eq!(type_text(&module, by_value), "%pair{i64, i64}");
    let blocks = &body(&module, "shared").blocks;
    assert_eq!(blocks.iter().map(|b| &*b.name).collect::<Vec<_>>(), ["start", "2", "normal"]);
    let Op::Call { arguments, .. } = &blocks[0].instructions[0].op else { panic!("no call") };
    assert_eq!(arguments.len(), 3);
    assert_eq!(arguments[1].0.value, Operand::Constant(Constant::Float(1.5f64.to_bits())));
    assert_eq!(arguments[2].1.and_then(|passed| passed.align), Some(8));
    let Op::Call { invoke, callee, .. } = &blocks[0].instructions[1].op else { panic!("no call") };
    assert_eq!(invoke.map(|(a, b)| (a.0, b.0)), Some((2, 1)));
    assert!(matches!(callee, Callee::Operand(Operand::Local(id)) if id.0 == 1));
    assert!(matches!(blocks[1].instructions[0].op, Op::LandingPad { is_cleanup: true, .. }));
    let Op::Call { callee, .. } = &blocks[2].instructions[0].op else { panic!("no call") };
    assert!(matches!(callee, Callee::Assembly(assembly) if assembly.text == "mfence"));
    assert!(function(&module, "known").is_variadic);
    assert_eq!(module.inline_assembly, [".globl marker"]);
}

#[test]
fn values_and_blocks_may_be_used_before_they_are_defined() {
    let module = sample("opaque/arithmetic");
    let ways = body(&module, "ways");
    let names: Vec<&str> = ways.blocks.iter().map(|block| &*block.name).collect();
    assert_eq!(names, ["0", "1", "loop", "the end", "other"]);
    let Op::Switch { cases, default, .. } = &ways.blocks[0].instructions[0].op else {
        panic!("no switch");
    };
    assert_eq!(default.0, 4);
    let cases: Vec<(u128, u32)> = cases.iter().map(|case| (case.0, case.1.0)).collect();
    assert_eq!(cases, [(0xffff_ffff, 1), (5, 2)]);
    let Op::Phi { incoming, .. } = &ways.blocks[2].instructions[0].op else { panic!("no phi") };
    let blocks: Vec<u32> = incoming.iter().map(|(_, block)| block.0).collect();
    assert_eq!(blocks, [1, 2, 0]);
    let next = ways.locals.iter().position(|local| local.name == "next");
    assert!(matches!(incoming[1].0, Operand::Local(id) if Some(id.0 as usize) == next));
    let Op::Return(Some(value)) = &ways.blocks[3].instructions[0].op else { panic!("no ret") };
    assert!(matches!(value.value, Operand::Local(id) if id.0 as usize == ways.locals.len() - 1));
}

#[test]
fn constant_expressions_are_read_in_full() {
    let module = read(
        "@a = global [4 x i32] zeroinitializer
@b = global i64 add (i64 ptrtoint (ptr @a to i64), i64 -8)
@c = global i1 icmp eq (ptr @a, ptr null)
@d = global i32 select (i1 true, i32 1, i32 2)
@e = global ptr getelementptr inbounds inrange(-8, 16) ({ [2 x ptr] }, ptr @a, i32 0, i32 0, i32 1)
@f = global ptr getelementptr ({ i8 }, ptr @a, i32 0, inrange i32 0)
@g = global i8 trunc (i64 sub (i64 ptrtoint (ptr @a to i64), i64 xor (i64 3, i64 1)) to i8)
@h = global ptr inttoptr (i64 shl (i64 1, i64 mul (i64 2, i64 2)) to ptr)
@i = global <{ i8, [2 x i8] }> <{ i8 -1, [2 x i8] [i8 1, i8 undef] }>
@j = global i128 -1
@k = global float 0x3FB99999A0000000
",
    );
    let text = |name| show(&module, &initializer(&module, name));
    assert_eq!(
        text("b"),
        "Expr(Binary(Add, TypedConstant { ty: i64, value: Expr(Cast(PtrToInt, TypedConstant \
         { ty: ptr, value: Symbol(SymbolId(0)) })) }, TypedConstant { ty: i64, value: \
         Int(18446744073709551608) }))"
    );
    for name in ["c", "d", "e", "f", "g", "h"] {
        assert!(text(name).starts_with("Expr("), "{}", text(name));
    }
    assert_eq!(initializer(&module, "j"), Constant::Int(u128::MAX));
    assert_eq!(initializer(&module, "k"), Constant::Float(0x3dcc_cccd));
    assert!(
        matches!(initializer(&module, "i"), Constant::Aggregate(members) if members.len() == 2)
    );
}

#[test]
fn constants_that_are_not_understood_fail_nothing_but_themselves() {
    let module = read(
        "@a = global ptr blockaddress(@f, %x)
@b = global ptr dso_local_equivalent @f, align 8
@c = global ptr no_cfi @f
@d = global ptr ptrauth (ptr @f, i32 0, i64 5)
@e = global i256 115792089237316195423570985008687907853269984665640564039457584007913129639935
@g = global [2 x ptr] [ptr @f, ptr newfangled (i32 7, ptr @f)], section \"x\"
@h = global half 0xH3C00, align 2
@k = ifunc void (), ptr @resolver
@l = global ptr newconstant
define void @f() {
  br label %x
x:
  ret void
}
declare ptr @resolver()
",
    );
    for name in ["a", "b", "c", "d", "e"] {
        assert!(matches!(initializer(&module, name), Constant::Unsupported(_)), "{name}");
    }
    let text = show(&module, &initializer(&module, "g"));
    assert!(text.contains("Unsupported(\"newfangled (i32 7, ptr @f)\")"), "{text}");
    assert_eq!(initializer(&module, "h"), Constant::Float(0x3c00));
}

#[test]
fn debug_metadata_names_variables_types_and_places() {
    let module = sample("opaque/debug");
    let Definition::Variable(g) = &symbol(&module, "g").definition else { panic!("no variable") };
    let debug = &module.debug;
    assert_eq!(debug.variables[&g.debug.expect("it has one")].name, "g");
    let Definition::Variable(h) = &symbol(&module, "h").definition else { panic!("no variable") };
    assert!(!debug.variables.contains_key(&h.debug.expect("it has one")), "a part only");
    let scope = &debug.scopes[&function(&module, "f").debug.expect("it has one")];
    assert_eq!((scope.name.as_deref(), scope.line), (Some("f"), 3));
    let code = code(&module, "f");
    let last = code.last().and_then(|i| i.location).expect("it has one");
    assert_eq!((debug.locations[&last].line, debug.locations[&last].column), (9, 2));
    let block = &debug.scopes[&debug.locations[&last].scope];
    assert_eq!(block.name, None);
    assert_eq!(debug.files[&block.file.expect("it has one")].name, "a\"b.c");
    let shown: Vec<String> = code.iter().map(|i| show(&module, &i.op)).collect();
    assert!(shown[1].contains("Some(Local(LocalId(1))), variable: DebugId(10), is_address: true"));
    assert!(shown[2].contains("value: None, variable: DebugId(11)"));
    assert!(shown[5].contains("Some(Local(LocalId(2))), variable: DebugId(11)"), "{}", shown[5]);
    assert_eq!(code.len(), 7);
}

#[test]
fn debug_types_are_complete() {
    let module = sample("opaque/debug");
    let ty = |id| format!("{:?}", module.debug.types[&llvm::ir::DebugId(id)].kind);
    assert_eq!(ty(20), "Basic(\"signed\")");
    assert_eq!(ty(21), "Pointer(Some(DebugId(22)))");
    assert_eq!(
        ty(22),
        "Record([DebugField { name: \"a\", ty: Some(DebugId(26)), offset_bits: 0 }, \
         DebugField { name: \"e\", ty: Some(DebugId(28)), offset_bits: 64 }])"
    );
    assert_eq!(ty(26), "Array(Some(DebugId(20)), [2, 3])");
    assert_eq!(ty(28), "Enumeration([(\"A\", -1), (\"B\", -1)])");
}

#[test]
fn unknown_decoration_is_passed_over() {
    read(
        "@x = newvisibility newthing(3) global i32 0, newattr \"q\", align 4, !new !{!\"a\"}
define newlinkage newcc newret(5) i32 @f(ptr newattr captures(none) initializes((0, 4), (8, 12)) %p) newfn(x) \"k\"=\"v\" !new !0 {
  %a = add newflag i32 1, 2, !new !0
  %b = call newfmf newcc newret range(i32 0, 3) i32 @f(ptr newattr(7) nonnull align 4 %p) newfn #5 [ \"new\"() ], !dbg !DILocation(line: 1, scope: !0)
  %c = load i32, ptr %p, align 4, !range !{i32 0, i32 5}, !noundef !0
  ret i32 %a
}
!0 = distinct !{}
!1 = !DINewThing(a: !{!0}, b: 7 | 8, c: [1, 2], d: \"x)\")
!2 = !{!\"x\", i32 7, null, !DIExpression(), float 1.0}
!named = !{!0, !1}
",
    );
}

#[test]
fn what_is_unknown_is_an_error_with_its_line() {
    assert_eq!(error(&within("%x = newop i32 %a")), "2: unknown instruction `newop`");
    assert_eq!(
        error(&within("callbr void asm \"\", \"\"() to label %x []")),
        "2: unknown instruction `callbr`"
    );
    assert_eq!(error(&within("%x = load newtype, ptr %p")), "2: expected a type, found `,`");
    assert_eq!(
        error(&within("%x = alloca <vscale x 4 x i32>")),
        "2: unknown type: a vector whose length the target chooses"
    );
    assert_eq!(error(&within("%x = alloca x86_amx")), "2: unknown type `x86_amx`");
    assert_eq!(error(&within("%x = alloca %t")), "2: unknown type `%t`");
    assert_eq!(error(&within("%x = add i32 %a, %b")), "2: unknown value `%b`");
    assert_eq!(error(&within("%x = add i64 %a, 1")), "2: value `%a` has another type");
    assert_eq!(error(&within("br label %nowhere")), "2: unknown block `%nowhere`");
    assert_eq!(error(&within("%a = add i32 1, 1")), "3: value `%a` is defined twice");
    assert_eq!(
        error(&within("%x = atomicrmw newop ptr %p, i32 1 seq_cst")),
        "2: unknown operation `newop`"
    );
    assert_eq!(
        error(&within("%x = load i32, ptr addrspace(1) null")),
        "2: this is no pointer to the program's own memory"
    );
    assert_eq!(
        error(&within("%x = add i32 %a, 1 %a")),
        "2: expected the end of the instruction, found `%a`"
    );
    assert_eq!(error("@x = global i32 1\n@x = global i32 2"), "2: symbol `@x` is defined twice");
    assert_eq!(error("@x = global [2 x i8] c\"a\""), "1: the text is not as long as its type");
    assert_eq!(error("@x = global [1 x i8] [i16 1]"), "1: a member has another type");
    assert_eq!(
        error("define void @f() {\na:\nb:\n ret void\n}"),
        "3: the block before this does not say where it goes on"
    );
    assert_eq!(error("%t = type { i32, %t }"), "1: type `%t` contains itself or is too large");
}

#[test]
fn several_errors_are_reported_at_once() {
    let text = format!("{}@x = glob\n{}", within("%x = newop i32 1"), within("%y = frob"));
    let errors = llvm::read(&text).expect_err("the text is wrong");
    let lines: Vec<u32> = errors.iter().map(|error| error.line).collect();
    assert_eq!(lines, [2, 6, 7]);
}

#[test]
fn landing_pads_say_what_they_catch() {
    let text = "
@_ZTIi = external constant ptr
declare void @may_throw()
declare i32 @__gxx_personality_v0(...)
define void @f() personality ptr @__gxx_personality_v0 {
  invoke void @may_throw()
          to label %end unwind label %cleanup
cleanup:
  %1 = landingpad { ptr, i32 }
          cleanup
  br label %end
all:
  %2 = landingpad { ptr, i32 }
          catch ptr null
  br label %end
typed:
  %3 = landingpad { ptr, i32 }
          cleanup
          catch ptr @_ZTIi
          catch ptr null
  br label %end
filtered:
  %4 = landingpad { ptr, i32 }
          filter [0 x ptr] zeroinitializer
  resume { ptr, i32 } %4
end:
  ret void
}
";
    let module = read(text);
    let blocks = &body(&module, "f").blocks;
    let pads = blocks.iter().filter_map(|block| match block.instructions[0].op {
        Op::LandingPad { is_cleanup, catches } => Some((is_cleanup, catches)),
        _ => None,
    });
    assert_eq!(
        pads.collect::<Vec<_>>(),
        [
            (true, Catches::Nothing),
            (false, Catches::Everything),
            (true, Catches::SomeTypes),
            (false, Catches::SomeTypes),
        ]
    );
    assert!(matches!(blocks[4].instructions[1].op, Op::Resume(_)));
}
