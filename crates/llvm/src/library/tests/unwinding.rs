//! `invoke`, `landingpad` and `resume`, as rustc and clang++ write them.

use super::{assert_ends, run};

/// Functions that unwind, and one that does not.
const FUNCTIONS: &str = "
@exception = global i32 7
declare i32 @rust_eh_personality(...)
define void @quiet() {
  ret void
}
define void @raise() personality ptr @rust_eh_personality {
  %a = insertvalue { ptr, i32 } poison, ptr @exception, 0
  %b = insertvalue { ptr, i32 } %a, i32 0, 1
  resume { ptr, i32 } %b
}
define void @between() {
  call void @raise()
  store i32 99, ptr @out
  ret void
}
";

/// A program whose `main` invokes a function; `pad` is what its landing pad has for clauses.
fn invoking(callee: &str, pad: &str) -> String {
    format!(
        "{FUNCTIONS}
define i32 @main() personality ptr @rust_eh_personality {{
start:
  %local = alloca i32
  store i32 20, ptr %local
  invoke void @{callee}()
          to label %normal unwind label %caught
normal:
  store i32 1, ptr @out
  ret i32 0
caught:
  %pad = landingpad {{ ptr, i32 }}
          {pad}
  %what = extractvalue {{ ptr, i32 }} %pad, 0
  %selector = extractvalue {{ ptr, i32 }} %pad, 1
  %value = load i32, ptr %what
  %kept = load i32, ptr %local
  %sum = add i32 %value, %kept
  %all = add i32 %sum, %selector
  store i32 %all, ptr @out
  ret i32 0
}}"
    )
}

#[test]
fn an_unwind_edge_that_is_not_taken_changes_nothing() {
    assert_ends(&run(&invoking("quiet", "cleanup")), &[1]);
    // What the pad is for matters only when an exception arrives there.
    assert_ends(&run(&invoking("quiet", "catch ptr @exception")), &[1]);
}

#[test]
fn resume_goes_on_in_the_callers_landing_pad() {
    assert_ends(&run(&invoking("raise", "cleanup")), &[27]);
    assert_ends(&run(&invoking("raise", "catch ptr null")), &[28]);
}

#[test]
fn an_exception_passes_functions_that_do_not_catch_it() {
    assert_ends(&run(&invoking("between", "cleanup")), &[27]);
}

#[test]
fn a_landing_pad_that_cleans_up_hands_the_exception_on() {
    let text = format!(
        "{FUNCTIONS}
define void @cleans() personality ptr @rust_eh_personality {{
start:
  invoke void @raise()
          to label %normal unwind label %cleanup
normal:
  ret void
cleanup:
  %pad = landingpad {{ ptr, i32 }}
          cleanup
  store i32 30, ptr @exception
  resume {{ ptr, i32 }} %pad
}}
{}",
        invoking("cleans", "cleanup").strip_prefix(FUNCTIONS).expect("they come first")
    );
    assert_ends(&run(&text), &[50]);
}

#[test]
fn a_phi_of_a_landing_pad_reads_what_the_pad_gave_before() {
    let text = format!(
        "{FUNCTIONS}
@other = global i32 11
define void @raise_other() personality ptr @rust_eh_personality {{
  %a = insertvalue {{ ptr, i32 }} poison, ptr @other, 0
  %b = insertvalue {{ ptr, i32 }} %a, i32 0, 1
  resume {{ ptr, i32 }} %b
}}
define i32 @main() personality ptr @rust_eh_personality {{
start:
  invoke void @raise()
          to label %end unwind label %caught
caught:
  %before = phi {{ ptr, i32 }} [ zeroinitializer, %start ], [ %pad, %again ]
  %pad = landingpad {{ ptr, i32 }}
          cleanup
  %was = extractvalue {{ ptr, i32 }} %before, 0
  %is_first = icmp eq ptr %was, null
  br i1 %is_first, label %again, label %over
again:
  invoke void @raise_other()
          to label %end unwind label %caught
over:
  %value = load i32, ptr %was
  store i32 %value, ptr @out
  br label %end
end:
  ret i32 0
}}"
    );
    assert_ends(&run(&text), &[7]);
}

#[test]
fn an_exception_that_nobody_catches_ends_the_program() {
    let text = format!(
        "{FUNCTIONS}
define i32 @main() {{
  store i32 5, ptr @out
  call void @raise()
  store i32 6, ptr @out
  ret i32 0
}}"
    );
    assert_ends(&run(&text), &[5]);
}

#[test]
fn local_variables_end_with_the_functions_that_an_exception_leaves() {
    let text = format!(
        "{FUNCTIONS}
@kept = global ptr null
define void @leaves() {{
  %local = alloca i32
  store i32 3, ptr %local
  store ptr %local, ptr @kept
  call void @raise()
  ret void
}}
define i32 @main() personality ptr @rust_eh_personality {{
start:
  invoke void @leaves()
          to label %end unwind label %caught
caught:
  %pad = landingpad {{ ptr, i32 }}
          cleanup
  %local = load ptr, ptr @kept
  %value = load i32, ptr %local
  br label %end
end:
  ret i32 0
}}"
    );
    super::assert_error(&run(&text), "after it was gone");
}

#[test]
fn what_is_not_followed_is_refused_by_name() {
    let typed = run(&invoking("raise", "catch ptr @exception"));
    assert!(typed.refusals.iter().any(|why| why.contains("personality function")), "{typed:?}");
    for name in ["__cxa_throw", "_ZN4core9panicking5panic17h0123456789abcdefE"] {
        let text = format!("define i32 @main() {{\n  call void @{name}()\n  ret i32 0\n}}");
        let refused = run(&text);
        let is_named = |why: &String| why.contains(name) && why.contains("raises an exception");
        assert!(refused.refusals.iter().any(is_named), "{refused:?}");
    }
}
