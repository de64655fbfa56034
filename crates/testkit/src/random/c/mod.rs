//! Random C: functions that compute a number, and small programs of threads.
//!
//! Texts have one statement a line, so that they can be shrunk by leaving out lines,
//! and `@` in front of every name, so that many of them fit into one file: it stands
//! for a prefix. None has undefined behaviour but for data races where they are asked
//! for; every variable is set where it is declared, and every loop ends. Programs that end
//! early (`endings.rs`) break rules on purpose.

pub mod addresses;
mod endings;
mod expression;
mod function;
mod given;
mod handed;
mod inputs;
mod threads;
mod types;

pub use endings::endings;
pub use function::{Functions, functions};
pub use handed::handed;
pub use inputs::{Input, InputFunction, input_function};
pub use threads::{Shape, Threads, threads};

/// What every file starts with.
pub const PRELUDE: &str = "\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;
#ifdef NATIVE
void perturb(void);
#define __VERIFIER_assume(condition)
#else
void __VERIFIER_assume(int);
#define perturb()
#endif
static inline i64 d2i(double x) {
  volatile double y = x;
  if (!(x > -1e15 && x < 1e15)) return 77;
  return (i64)y;
}
";

/// A text with its names prefixed.
pub fn with_prefix(text: &str, prefix: &str) -> String {
    text.replace('@', prefix)
}
