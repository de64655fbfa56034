//! Programs that share memory, run natively under ThreadSanitizer: a data race that it sees
//! is one for the oracle and for the machine. It need not see all.
//!
//! It knows no fences, so programs with fences are left out, and so are those with undefined
//! behaviour other than data races and those that may deadlock.

use engine::explicit::Reduction;
use llvm::machine::Granularity;
use testkit::random::c::{PRELUDE, with_prefix};
use testkit::random::sharing::{Program, Statement, native_text};
use testkit::reference::happens_before::{Findings, judge as findings};

use crate::batch::NATIVE;
use crate::endings::{automatic, in_small_steps};
use crate::sharing::{BOUNDS, code_of, programs, questions, saved};
use crate::toolchain::Toolchain;
use crate::verdict::Answer;

/// Runs of each program.
const N_RUNS: u32 = 12;

/// Only data races are wanted. Who runs for a long time waits for ever.
const WATCHED: &str = "
#include <sys/wait.h>
const char *__tsan_default_options(void) {
  return \"report_thread_leaks=0:report_mutex_bugs=0:detect_deadlocks=0:report_signal_unsafe=0\";
}
static void watch(int number, void (*reset)(void), int (*run)(void), int n_runs) {
  fflush(stdout);
  if (fork() == 0) {
    alarm(10);
    for (int n = 0; n < n_runs; n++) { reset(); run(); }
    exit(0);
  }
  int status;
  wait(&status);
  if (WIFEXITED(status)) printf(\"%d %s\\n\", number, WEXITSTATUS(status) == 66 ? \"races\" : \"ends\");
}
";

/// Judges the programs of a seed; gives how many were watched.
///
/// # Errors
/// The first race that the oracle or the machine has not.
pub fn judge(toolchain: &Toolchain, seed: u64) -> Result<u64, String> {
    let watched: Vec<(Program, Findings)> = programs(seed)
        .into_iter()
        .filter_map(|program| findings(&program, BOUNDS).ok().map(|found| (program, found)))
        .filter(|(program, found)| can_be_watched(program, found))
        .collect();
    if watched.is_empty() {
        return Ok(0);
    }
    let printed = toolchain.observe(&native(&watched), &["-fsanitize=thread", "-O0"])?;
    let mut n_watched = 0;
    for (k, (program, found)) in watched.iter().enumerate() {
        let was = |what: &str| printed.lines().any(|line| line == format!("{k} {what}"));
        n_watched += u64::from(was("races") || was("ends"));
        if !was("races") {
            continue;
        }
        let missed = match found.race {
            false => Some("the oracle has no race, but one is seen natively".to_owned()),
            true => missed(toolchain, program, seed)?,
        };
        if let Some(why) = missed {
            return Err(saved(&format!("watched seed {seed}: {why}"), program));
        }
    }
    Ok(n_watched)
}

fn can_be_watched(program: &Program, found: &Findings) -> bool {
    let has_fence = program.has(|statement| matches!(statement, Statement::Fence(_)));
    found.exits && !has_fence && !found.memory && !found.assertion && !found.deadlock
}

/// What the machine says instead, in some way to search.
fn missed(toolchain: &Toolchain, program: &Program, seed: u64) -> Result<Option<String>, String> {
    let code = &code_of(toolchain, std::slice::from_ref(program), seed)?[0];
    let asked = questions("no-data-race");
    let (granularity, reduction) = (Granularity::Accesses, Reduction::AmpleSets);
    for answer in [in_small_steps(code, &asked, granularity, reduction)?, automatic(code, &asked)?]
    {
        if !matches!(answer, Answer::Violated(_)) {
            return Ok(Some(format!("a race is seen natively: {answer:?}")));
        }
    }
    Ok(None)
}

/// All programs, each run in a child of its own.
fn native(programs: &[(Program, Findings)]) -> String {
    let mut texts = vec![PRELUDE.to_owned(), NATIVE.to_owned(), WATCHED.to_owned()];
    let mut main = String::from("int main(void) {\n");
    for (k, (program, found)) in programs.iter().enumerate() {
        texts.push(with_prefix(&native_text(program), &format!("p{k}_")));
        // Threads that run on would meet the next run.
        let n_runs = if found.leaves_threads { 1 } else { N_RUNS };
        main += &format!("  watch({k}, p{k}_reset, p{k}_main, {n_runs});\n");
    }
    main += "  fflush(stdout);\n  _exit(0);\n}\n";
    texts.push(main);
    texts.concat()
}
