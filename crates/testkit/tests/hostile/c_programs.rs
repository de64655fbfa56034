//! LLVM IR: read, linked, lowered and run for some steps.

use llvm::machine::{Options, Rule};
use llvm::{CProgram, Questions};
use model::{Narrator, Steps, Store, ThreadProgram};

use crate::numbers::mutants;
use crate::within_ceiling;

/// A program with all that has numbers: arrays, records, vectors, wide integers, allocations,
/// a switch, threads, and what is said for a debugger.
const PROGRAM: &str = include_str!("program.ll");

/// Steps that are taken of each mutant.
const MAX_STEPS: usize = 40;

fn run(text: &str) -> bool {
    let Ok(module) = llvm::read(text) else { return false };
    let Ok(linked) = llvm::link(vec![module]) else { return false };
    let code = llvm::code::lower(&linked);
    let rules =
        vec![Rule::Assertion, Rule::MemorySafety, Rule::UninitialisedMemory, Rule::MemoryLeak];
    let questions = Questions { rules, races: true, deadlocks: true, accepted: Vec::new() };
    let Ok(program) = CProgram::new(code, Options::default(), questions, &[]) else { return false };
    let Some(mut shared) = program.initial_shared().into_iter().next() else { return false };
    let mut threads: Vec<Store> =
        program.templates().iter().flat_map(|template| template.initial.first().cloned()).collect();
    for step in 0..MAX_STEPS {
        if threads.is_empty() {
            break;
        }
        let turn = step % threads.len();
        let mut steps = Steps::new();
        program.steps(shared.bytes(), threads[turn].bytes(), &mut steps);
        let Some(taken) = steps.iter().next() else { continue };
        let _ = (program.label(taken.label()), program.describe_shared(taken.shared()));
        shared = Store::new(taken.shared());
        threads.extend(taken.spawned().map(Store::new));
        match taken.local() {
            Some(local) => threads[turn] = Store::new(local),
            None => drop(threads.remove(turn)),
        }
    }
    true
}

#[test]
fn extreme_numbers_in_llvm_ir_take_no_memory() {
    assert!(run(PROGRAM), "the program itself does not run");
    let all = mutants(PROGRAM, 5, 2);
    let n_run = all.iter().filter(|mutant| within_ceiling("IR", mutant, || run(mutant))).count();
    assert!(n_run * 5 > all.len(), "only {n_run} of {} mutants run", all.len());
}

/// Types and constants with numbers that no program could hold.
#[test]
fn types_out_of_all_reason_take_no_memory() {
    let bodies = [
        "@x = global [4294967295 x i8] zeroinitializer",
        "@x = global [4294967295 x [4294967295 x i64]] zeroinitializer",
        "@x = global <4294967295 x i8> zeroinitializer",
        "@x = global <4 x [18446744073709551615 x i8]> zeroinitializer",
        "@x = global <16777216 x i1> zeroinitializer",
        "@x = global i8388608 0",
        "@x = global { [18446744073709551615 x i8], [18446744073709551615 x i8] } zeroinitializer",
        "@x = global <4096 x i8> splat (i8 1)",
        "@x = global <4294967295 x i8> splat (i8 1)",
        "@x = global i32 0, align 4294967295",
        "@x = global i32 0, align 0",
        "@x = thread_local global [4294967295 x i8] zeroinitializer",
        "@x = global ptr getelementptr ([4294967295 x i64], ptr null, i64 9223372036854775807)",
    ];
    let instructions = [
        "%v = alloca [4294967295 x i8], align 1",
        "%v = alloca i8, i64 18446744073709551615, align 4294967295",
        "%v = alloca i8, i64 4294967295",
        "%v = alloca <4294967295 x i1>",
        "%v = alloca i8388608",
        "%v = add i8388608 0, 1",
        "%v = alloca { i8, [4611686018427387904 x i64] }",
        "%v = insertelement <4294967295 x i8> undef, i8 1, i64 4294967294",
        "%v = insertvalue [4294967295 x i8] undef, i8 1, 4294967294",
        "%v = extractvalue [4294967295 x i8] zeroinitializer, 4294967295",
        "%v = add <4294967295 x i8> zeroinitializer, zeroinitializer",
        "%v = shufflevector <2 x i8> zeroinitializer, <2 x i8> zeroinitializer, <4294967295 x i32> zeroinitializer",
        "%v = load [4294967295 x i8], ptr null",
        "%v = load <268435456 x i32>, ptr null",
        "store [4294967295 x i8] zeroinitializer, ptr null",
        "%v = getelementptr [4294967295 x [4294967295 x i64]], ptr null, i64 9223372036854775807, i64 9223372036854775807",
        "%v = freeze [4294967295 x i8] undef",
        "%v = select i1 true, [4294967295 x i8] zeroinitializer, [4294967295 x i8] zeroinitializer",
        "switch i64 0, label %end [ i64 18446744073709551616, label %end i64 -9223372036854775809, label %end ]",
    ];
    for body in bodies {
        let text =
            format!("{body}\ndefine i32 @main() {{\n  %v = load i8, ptr @x\n  ret i32 0\n}}\n");
        within_ceiling("IR", &text, || run(&text));
    }
    for instruction in instructions {
        let text = format!(
            "define i32 @main() {{\n  {instruction}\n  br label %end\nend:\n  ret i32 0\n}}\n"
        );
        within_ceiling("IR", &text, || run(&text));
    }
}

/// Many variables, each within bounds, are not within bounds together.
#[test]
fn many_large_variables_are_refused_together() {
    let variables: String =
        (0..200).map(|n| format!("@x{n} = global [16777216 x i8] zeroinitializer\n")).collect();
    let text = format!("{variables}define i32 @main() {{\n  ret i32 0\n}}\n");
    let (ran, peak) = crate::allocator::peak_of(|| run(&text));
    assert!(!ran && peak < 1 << 30, "{peak} bytes");
}

/// What a debugger is told may refer to itself.
#[test]
fn descriptions_that_contain_themselves_end() {
    let members = vec!["!4"; 20_000].join(", ");
    let globals: String = (0..300).map(|n| format!("@x{n} = global i32 0, !dbg !1\n")).collect();
    let text = format!(
        "{globals}define i32 @main() !dbg !7 {{\n  ret i32 0, !dbg !6\n}}\n\
         !1 = !DIGlobalVariableExpression(var: !2, expr: !DIExpression())\n\
         !2 = !DIGlobalVariable(name: \"x\", type: !3)\n\
         !3 = !DICompositeType(tag: DW_TAG_structure_type, name: \"s\", size: 64, elements: !5)\n\
         !4 = !DIDerivedType(tag: DW_TAG_member, name: \"next\", baseType: !3, size: 64)\n\
         !5 = !{{{members}}}\n\
         !6 = !DILocation(line: 1, scope: !7, inlinedAt: !6)\n\
         !7 = !DISubprogram(name: \"main\", scope: !7)\n"
    );
    within_ceiling("IR", &text, || run(&text));
}
