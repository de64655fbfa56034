//! Library functions, as small programs meet them.

mod explorer;

mod conditions;
mod locks;
mod memory;
mod threads;
mod unwinding;
mod values;

use explorer::{Explored, explore};

use crate::machine::Options;

/// What every program starts with. The first variable is what is looked at where a
/// program ends.
const PRELUDE: &str = r#"
%mutex = type { [40 x i8] }
%cond = type { [48 x i8] }
@out = global i32 0
@m = global %mutex zeroinitializer
@n = global %mutex zeroinitializer
@c = global %cond zeroinitializer
"#;

/// Explores a program. Functions that it calls but does not define are declared by
/// their first call.
fn run(text: &str) -> Explored {
    run_with(text, &Options::default())
}

fn run_with(text: &str, options: &Options) -> Explored {
    let text = format!("{PRELUDE}\n{text}\n");
    let explored = explore(&(text.clone() + &declarations(&text)), options);
    assert!(explored.is_whole, "the program is small");
    explored
}

/// Declarations for what is called but not defined, from the calls themselves.
fn declarations(text: &str) -> String {
    let mut declared = std::collections::BTreeSet::new();
    let mut out = String::new();
    for line in text.lines() {
        let Some((_, call)) = line.split_once("call ") else { continue };
        let Some((ty, rest)) = call.split_once('@') else { continue };
        let Some((name, arguments)) = rest.split_once('(') else { continue };
        let is_defined = text.contains(&format!("@{name}(")) && is_defined(text, name);
        if is_defined || !declared.insert(name.to_owned()) {
            continue;
        }
        let types = arguments.trim_end().trim_end_matches(')').split(", ");
        let types: Vec<&str> = types.filter_map(|part| part.split(' ').next()).collect();
        let ty = ty.trim().split(" (").next().unwrap_or("void");
        let more = if call.contains("...") { "ptr, ..." } else { "" };
        let types = if more.is_empty() { types.join(", ") } else { more.to_owned() };
        out.push_str(&format!("declare {ty} @{name}({types})\n"));
    }
    out
}

fn is_defined(text: &str, name: &str) -> bool {
    text.lines().any(|line| line.starts_with("define") && line.contains(&format!("@{name}(")))
}

/// A program with two threads that run `@worker` with the arguments 0 and 1, and
/// `rest` once both have ended.
fn two_workers(definitions: &str, rest: &str) -> String {
    format!(
        "{definitions}
define i32 @main() {{
  %t0 = alloca i64
  %t1 = alloca i64
  %r0 = call i32 @pthread_create(ptr %t0, ptr null, ptr @worker, ptr null)
  %r1 = call i32 @pthread_create(ptr %t1, ptr null, ptr @worker, ptr inttoptr (i64 1 to ptr))
  %v0 = load i64, ptr %t0
  %v1 = load i64, ptr %t1
  %j0 = call i32 @pthread_join(i64 %v0, ptr null)
  %j1 = call i32 @pthread_join(i64 %v1, ptr null)
  {rest}
  ret i32 0
}}"
    )
}

/// A program of one thread that ends with `%x` in the first variable.
fn straight(body: &str) -> String {
    format!("define i32 @main() {{\n{body}\n  store i32 %x, ptr @out\n  ret i32 0\n}}")
}

#[track_caller]
fn assert_ends(explored: &Explored, endings: &[u64]) {
    let are_clean =
        explored.errors.is_empty() && explored.refusals.is_empty() && explored.deadlocks.is_empty();
    assert!(are_clean, "{explored:?}");
    assert_eq!(explored.endings, endings.iter().copied().collect(), "{explored:?}");
}

#[track_caller]
fn assert_error(explored: &Explored, part: &str) {
    let found = explored.errors.iter().any(|error| error.contains(part));
    assert!(found && explored.refusals.is_empty(), "{explored:?}");
}

#[track_caller]
fn assert_deadlock(explored: &Explored, part: &str) {
    let found = explored.deadlocks.iter().flatten().any(|wait| wait.contains(part));
    assert!(found && explored.errors.is_empty(), "{explored:?}");
}

#[test]
fn every_function_has_one_name() {
    let names: std::collections::BTreeSet<&str> =
        super::TABLE.entries.iter().map(|entry| entry.name).collect();
    assert_eq!(names.len(), super::TABLE.entries.len());
}

#[test]
fn intrinsics_are_found_with_their_types() {
    assert!(super::find("llvm.ctpop.i32").is_some());
    assert_eq!(super::find("llvm.ctpop.i32"), super::find("llvm.ctpop"));
    assert_eq!(super::find("llvm.unknown.i32"), None);
    assert_eq!(super::find("no_such_function"), None);
}
