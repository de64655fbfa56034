//! Several programs of threads in one file, and which of them is to blame.

use testkit::random::c::{PRELUDE, Threads, with_prefix};

use crate::toolchain::Toolchain;

/// What native files need beside the programs: schedules that vary.
pub const NATIVE: &str = "
#include <sched.h>
#include <stdio.h>
#include <unistd.h>
static _Atomic unsigned turn;
void perturb(void) {
  unsigned s = atomic_fetch_add_explicit(&turn, 0x9e3779b9u, memory_order_relaxed);
  s = (s ^ (s >> 15)) * 0x2c1b3c6du;
  s ^= s >> 12;
  if (s % 8 == 0) sched_yield();
  if (s % 61 == 1) usleep(s % 50);
}
";

/// Programs that are compiled together.
pub struct Batch {
    /// What they are, for messages.
    pub what: &'static str,
    /// The programs.
    pub programs: Vec<Threads>,
    /// Where they come from.
    pub seed: u64,
}

/// Judges programs in one file; gives how many comparisons were made.
pub type Judge = fn(&Toolchain, &[Threads], u64) -> Result<u64, String>;

impl Batch {
    /// Judges all; a failure is told of the first program that fails alone, made small.
    ///
    /// # Errors
    /// That failure.
    pub fn judge(&self, toolchain: &Toolchain, judge: Judge) -> Result<u64, String> {
        let judged = judge(toolchain, &self.programs, self.seed);
        let Err(failure) = judged else { return judged };
        let origin = format!("{} seed {}", self.what, self.seed);
        for program in &self.programs {
            let alone = std::slice::from_ref(program);
            let Err(why) = judge(toolchain, alone, self.seed) else { continue };
            let fails = |text: &str| {
                let smaller = Threads { text: text.into(), ..program.clone() };
                let again = judge(toolchain, &[smaller], self.seed);
                again.is_err_and(|again| crate::is_alike(&again, &why))
            };
            let small = crate::shrink(&program.text, fails);
            let text = format!("{PRELUDE}{}", with_prefix(&small, ""));
            return Err(crate::told(&format!("{origin}: {why}"), &text));
        }
        Err(format!("{origin}: {failure}, but not with any of the programs alone"))
    }
}

/// The text of all, with a prefix for each.
pub fn file(programs: &[Threads]) -> String {
    let prefixed = |(k, program): (usize, &Threads)| with_prefix(&program.text, &format!("p{k}_"));
    let texts: Vec<String> = programs.iter().enumerate().map(prefixed).collect();
    format!("{PRELUDE}{}", texts.concat())
}
