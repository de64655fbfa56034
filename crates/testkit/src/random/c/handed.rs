//! Random programs in which threads get blocks of memory and inputs: names of blocks are
//! permuted in all ways, and the errors depend on the order of threads that look alike.

use crate::rng::Rng;

/// A program whose threads get blocks. Its functions are `@main` and `@work`.
pub fn handed(rng: &mut Rng) -> String {
    let n_threads = rng.between(2, 3);
    let mut lines: Vec<String> = Vec::new();
    for line in [
        "_Bool __VERIFIER_nondet_bool(void);",
        "pthread_mutex_t @m = PTHREAD_MUTEX_INITIALIZER;",
        "i32 @sum, @done, @seen;",
        "i32 *@kept;",
        "static void *@work(void *argument) {",
        "  i32 *p = argument;",
    ] {
        lines.push(line.into());
    }
    lines.push(format!("  i32 v = {};", input(rng)));
    sections(rng, &mut lines);
    lines.push("  return 0;".into());
    lines.push("}".into());
    main(rng, n_threads, &mut lines);
    lines.join("\n") + "\n"
}

fn input(rng: &mut Rng) -> &'static str {
    if rng.chance(70) { "__VERIFIER_nondet_bool()" } else { "1" }
}

/// What a thread does under the lock, in one or two goes.
fn sections(rng: &mut Rng, lines: &mut Vec<String>) {
    let n_sections = rng.between(1, 2);
    let mut is_freed = false;
    for _ in 0..n_sections {
        lines.push("  pthread_mutex_lock(&@m);".into());
        for _ in 0..rng.between(1, 3) {
            let statement = match rng.below(6) {
                0 | 1 if !is_freed => "@sum = @sum * 2 + *p;",
                2 if !is_freed => {
                    is_freed = true;
                    "free(p);"
                }
                3 if !is_freed => "@kept = p;",
                4 => "@seen += v;",
                _ => "@done++;",
            };
            lines.push(format!("  {statement}"));
        }
        lines.push("  pthread_mutex_unlock(&@m);".into());
    }
}

fn main(rng: &mut Rng, n_threads: u32, lines: &mut Vec<String>) {
    let is_joined = rng.chance(40);
    lines.push("int @main(void) {".into());
    lines.push(format!("  pthread_t id[{n_threads}];"));
    lines.push(format!("  for (i32 i = 0; i < {n_threads}; i++) {{"));
    lines.push("    i32 *p = malloc(sizeof *p);".into());
    lines.push(format!("    *p = {};", if rng.chance(60) { "i" } else { input(rng) }));
    lines.push("    pthread_create(&id[i], 0, @work, p);".into());
    if !is_joined {
        lines.push("    pthread_detach(id[i]);".into());
    }
    lines.push("  }".into());
    if is_joined {
        let n_joined = rng.between(1, n_threads);
        lines.push(format!("  for (i32 i = 0; i < {n_joined}; i++) pthread_join(id[i], 0);"));
    }
    let (sum, done, seen) = (rng.below(6), rng.below(3), rng.below(3));
    lines.push("  pthread_mutex_lock(&@m);".into());
    lines.push(format!("  assert(!(@sum == {sum} && @done >= {done} && @seen == {seen}));"));
    lines.push("  pthread_mutex_unlock(&@m);".into());
    lines.push("  return 0;".into());
    lines.push("}".into());
}
