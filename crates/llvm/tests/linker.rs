//! Several modules become one.

mod common;

use common::{body, read, sample, show, show_symbols};
use llvm::ir::{Constant, Definition, Module, Op, Operand};
use llvm::link;

fn initializer(module: &Module, name: &str) -> Option<Constant> {
    match &module.symbol(module.find(name).expect("the symbol exists")).definition {
        Definition::Variable(variable) => variable.initializer.clone(),
        other => panic!("no variable: {other:?}"),
    }
}

#[test]
fn a_declaration_finds_its_definition_in_another_file() {
    let user = read(
        "@x = external global i32\ndeclare i32 @f(i64)\ndefine i32 @main() {\n \
         %a = call i32 @f(i64 7)\n %b = load i32, ptr @x\n ret i32 %a\n}",
    );
    let owner = read(
        "@y = global i8 1\n@x = global i32 5\ndefine i32 @f(i64 %n) {\n store i32 1, ptr @x\n \
         ret i32 3\n}",
    );
    for modules in [vec![user.clone(), owner.clone()], vec![owner, user]] {
        let whole = link(modules).expect("they fit");
        assert_eq!(whole.symbols.len(), 4);
        assert_eq!(initializer(&whole, "x"), Some(Constant::Int(5)));
        let x = whole.find("x").expect("it exists");
        let f = whole.find("f").expect("it exists");
        let main = show(&whole, &body(&whole, "main").blocks);
        assert!(main.contains(&format!("Operand(Constant(Symbol({f:?})))")), "{main}");
        assert!(main.contains("ty: i64, value: Constant(Int(7))"), "{main}");
        let Op::Store { pointer, .. } = &body(&whole, "f").blocks[0].instructions[0].op else {
            panic!("no store");
        };
        assert_eq!(*pointer, Operand::Constant(Constant::Symbol(x)));
    }
}

#[test]
fn names_of_one_file_stay_apart() {
    let one = read("@n = internal global i32 1\n@p = global ptr @n");
    let two = read("@n = internal global i32 2\n@q = global ptr @n");
    let three = read("@n = global i32 3");
    let whole = link(vec![one, two, three]).expect("they fit");
    let target = |name| match initializer(&whole, name) {
        Some(Constant::Symbol(id)) => whole.symbol(id).name.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!((target("p").as_str(), target("q").as_str()), ("n.1", "n.2"));
    assert_eq!(initializer(&whole, "n.2"), Some(Constant::Int(2)));
    assert_eq!(initializer(&whole, "n"), Some(Constant::Int(3)));
}

#[test]
fn weak_definitions_yield_to_strong_ones() {
    let weak = || read("@x = weak global i32 1");
    let strong = || read("@x = global i32 2");
    for modules in [vec![weak(), strong(), weak()], vec![strong(), weak()]] {
        let whole = link(modules).expect("they fit");
        assert_eq!(initializer(&whole, "x"), Some(Constant::Int(2)));
    }
    let error = link(vec![strong(), strong()]).expect_err("two definitions");
    assert_eq!(error, "symbol `x` is defined in two files");
}

#[test]
fn the_larger_of_two_tentative_definitions_is_taken() {
    let small = read("@a = common global [2 x i32] zeroinitializer");
    let large = read("@a = common global [4 x i32] zeroinitializer");
    for modules in [vec![small.clone(), large.clone()], vec![large, small]] {
        let whole = link(modules).expect("they fit");
        assert!(show(&whole, &whole.symbols[0]).contains("[4 x i32]"));
    }
}

#[test]
fn lists_of_constructors_are_joined() {
    let file = |name: &str| {
        read(&format!(
            "@llvm.global_ctors = appending global [1 x {{ i32, ptr, ptr }}] [{{ i32, ptr, ptr }} \
             {{ i32 1, ptr @{name}, ptr null }}]\ndefine void @{name}() {{\n ret void\n}}"
        ))
    };
    let whole = link(vec![file("a"), file("b")]).expect("they fit");
    match initializer(&whole, "llvm.global_ctors") {
        Some(Constant::Aggregate(members)) => assert_eq!(members.len(), 2),
        other => panic!("{other:?}"),
    }
}

#[test]
fn debug_metadata_of_every_file_is_kept_apart() {
    let other = read(
        "@k = global i32 0, !dbg !0\n!0 = !DIGlobalVariableExpression(var: !1, expr: \
         !DIExpression())\n!1 = !DIGlobalVariable(name: \"k\", line: 4, type: !20)\n!20 = \
         !DIBasicType(name: \"long\", size: 64, encoding: DW_ATE_signed)",
    );
    let whole = link(vec![sample("opaque/debug"), other]).expect("they fit");
    let named = |symbol: &str| {
        let id = whole.find(symbol).expect("the symbol exists");
        let Definition::Variable(variable) = &whole.symbol(id).definition else {
            panic!("no variable");
        };
        let variable = &whole.debug.variables[&variable.debug.expect("it has one")];
        let ty = &whole.debug.types[&variable.ty.expect("it has one")];
        (variable.name.clone(), ty.name.clone())
    };
    assert_eq!(named("g"), ("g".to_owned(), Some("int".to_owned())));
    assert_eq!(named("k"), ("k".to_owned(), Some("long".to_owned())));
    let code = &body(&whole, "f").blocks[0].instructions;
    let place = code.last().and_then(|i| i.location).expect("it has one");
    assert_eq!(whole.debug.locations[&place].line, 9);
}

#[test]
fn files_for_different_targets_are_refused() {
    let wide = read("target datalayout = \"e-p:64:64-i64:64\"");
    let narrow = read("target datalayout = \"e-p:32:32\"");
    assert!(link(vec![wide, narrow]).is_err());
}

#[test]
fn linking_with_an_empty_file_changes_nothing() {
    let empty = |layout: &str| read(&format!("target datalayout = \"{layout}\""));
    let narrow = "e-m:e-p:32:32-p270:32:32-f64:32:64-f80:32-n8:16:32-S128";
    let memory = sample("typed/memory");
    let before = show_symbols(&memory);
    let whole = link(vec![memory, empty(narrow)]).expect("they fit");
    assert_eq!(show_symbols(&whole), before);
    let arithmetic = sample("opaque/arithmetic");
    let before = show_symbols(&arithmetic);
    let whole = link(vec![Module::default(), arithmetic]).expect("they fit");
    assert_eq!(show_symbols(&whole), before);
}

#[test]
fn symbols_without_a_name_stay_apart() {
    let file = |n: u32| read(&format!("@0 = private constant i32 {n}\n@p{n} = global ptr @0"));
    let whole = link(vec![file(1), file(2)]).expect("they fit");
    assert_eq!(initializer(&whole, "0"), Some(Constant::Int(1)));
    assert_eq!(initializer(&whole, "0.1"), Some(Constant::Int(2)));
}

#[test]
fn a_symbol_that_one_file_needs_for_certain_is_not_optional() {
    let maybe = || read("declare extern_weak void @f()");
    let needed = || read("declare void @f()");
    for modules in [vec![maybe(), needed()], vec![needed(), maybe()]] {
        let whole = link(modules).expect("they fit");
        assert_eq!(whole.symbols[0].linkage, llvm::ir::Linkage::External);
    }
    let whole = link(vec![maybe(), maybe()]).expect("they fit");
    assert_eq!(whole.symbols[0].linkage, llvm::ir::Linkage::Weak);
}
