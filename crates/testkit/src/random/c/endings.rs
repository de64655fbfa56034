//! Random small programs that end early: in every thread and at every place there may be an
//! assertion that fails, `exit`, `abort`, `_Exit`, a `return`, or a rule that is broken.
//!
//! What other threads do before such an end must be found whatever is asked, so there is
//! much to find: data races, accesses through null, divisions by zero, overflows, leaks,
//! locks taken in both orders. New objects are published and used at once. Loops there are
//! none, so every run ends.

use crate::rng::Rng;

/// A program that may end anywhere. Its functions are `@main` and those of its threads.
pub fn endings(rng: &mut Rng) -> String {
    let n_threads = if rng.chance(75) { 2 } else { 3 };
    let mut writer = Writer { rng, lines: Vec::new(), n_names: 0, n_left: 0 };
    writer.shared(n_threads);
    for thread in 0..n_threads {
        writer.thread(thread);
    }
    writer.main(n_threads);
    writer.lines.join("\n") + "\n"
}

/// Conditions that hold in some runs and in others not.
const CONDITIONS: [&str; 5] = ["@a == 1", "@a == 2", "x", "@a", "x == 1"];

/// Ends of the program, as statements.
const ENDS: [&str; 9] = [
    "assert(0);",
    "assert(@a == 3);",
    "assert(x);",
    "exit(1);",
    "abort();",
    "_Exit(1);",
    "quick_exit(1);",
    "@deep(0);",
    "@fail();",
];

/// Statements that break a rule.
const BREAKS: [&str; 5] = [
    "*@null = 1;",
    "x = 1 / (x - x);",
    "x = 2147483647 + (x == x);",
    "@lost = malloc(2); @lost = 0;",
    "free(@null + 1);",
];

struct Writer<'r> {
    rng: &'r mut Rng,
    lines: Vec<String>,
    n_names: u32,
    /// Statements that the function may still have: ends are rare in the beginning.
    n_left: u32,
}

impl Writer<'_> {
    fn line(&mut self, text: impl Into<String>) {
        self.lines.push(text.into());
    }

    fn one_of(&mut self, texts: &[&'static str]) -> &'static str {
        texts[self.rng.below(texts.len() as u32) as usize]
    }

    fn shared(&mut self, n_threads: u32) {
        for line in [
            "pthread_mutex_t @m0 = PTHREAD_MUTEX_INITIALIZER;",
            "pthread_mutex_t @m1 = PTHREAD_MUTEX_INITIALIZER;",
            "i32 @g0;",
            "i32 @g1;",
            "_Atomic i32 @a;",
            "i32 *@null;",
            "char *@lost;",
            "static _Thread_local i32 @own;",
        ] {
            self.line(line);
        }
        for thread in 0..=n_threads {
            self.line(format!("i32 *@f{thread};"));
        }
        self.line("static void @fail(void) {");
        self.line("  assert(0);");
        self.line("}");
        self.line("static void @deep(i32 n) {");
        self.line("  if (!n) @fail();");
        self.line("}");
        self.line("static void @last(void) {");
        let line = self.one_of(&["@a++;", "assert(@a);", "@g0++;", "*@null = 1;", "@a = 2;"]);
        self.line(format!("  {line}"));
        self.line("}");
    }

    fn thread(&mut self, thread: u32) {
        self.line(format!("static void *@t{thread}(void *argument) {{"));
        self.line("  i32 x = 1;");
        self.statements(thread, 3);
        self.line("  return 0;");
        self.line("}");
    }

    fn statements(&mut self, thread: u32, n: u32) {
        self.n_left = n;
        while self.n_left > 0 {
            self.n_left -= 1;
            self.statement(thread);
        }
    }

    fn statement(&mut self, thread: u32) {
        match self.rng.below(16) {
            0..=3 => self.section(),
            4 | 5 => {
                let line = self.one_of(&["@g0++;", "x = @g0;", "@g1 = 1;", "x = @g1;"]);
                self.line(format!("  {line}"));
            }
            6 | 7 => {
                let line = self.one_of(&["@a++;", "@a = 1;", "x = @a;", "x = @a--;"]);
                self.line(format!("  {line}"));
            }
            8 | 9 => self.fresh(thread),
            10..=13 => {
                let end = self.one_of(&ENDS);
                self.perhaps(end);
            }
            14 => {
                let broken = self.one_of(&BREAKS);
                self.perhaps(broken);
            }
            _ => {
                let line = self.one_of(&["atexit(@last);", "return 0;", "pthread_exit(0);"]);
                self.perhaps(line);
            }
        }
    }

    /// A statement that may be left out, now and then always made.
    fn perhaps(&mut self, statement: &str) {
        let condition = self.one_of(&CONDITIONS);
        match self.rng.chance(60) || self.n_left > 1 {
            true => self.line(format!("  if ({condition}) {{ {statement} }}")),
            false => self.line(format!("  {statement}")),
        }
    }

    /// Something with a lock held, or both; an end within or behind it.
    fn section(&mut self) {
        let lock = self.rng.below(2);
        let is_nested = self.rng.chance(30);
        if self.rng.chance(8) {
            self.line(format!("  if (pthread_mutex_trylock(&@m{lock})) return 0;"));
        } else {
            self.line(format!("  pthread_mutex_lock(&@m{lock});"));
        }
        self.line(format!("  @g{lock}++;"));
        if is_nested {
            self.line(format!("  pthread_mutex_lock(&@m{});", 1 - lock));
            self.line(format!("  x = @g{};", 1 - lock));
            self.line(format!("  pthread_mutex_unlock(&@m{});", 1 - lock));
        } else {
            self.line(format!("  x = @g{lock};"));
        }
        self.line(format!("  pthread_mutex_unlock(&@m{lock});"));
        if self.rng.chance(40) {
            let end = self.one_of(&ENDS);
            self.perhaps(end);
        }
    }

    /// A new object that is published and used, by this thread alone.
    fn fresh(&mut self, thread: u32) {
        self.n_names += 1;
        let (name, own) = (self.n_names, format!("@f{thread}"));
        match self.rng.below(5) {
            0 => self.line(format!("  {own} = malloc(sizeof(i32));")),
            1 => self.line(format!("  {own} = calloc(1, sizeof(i32));")),
            2 => self.line(format!("  {own} = realloc(malloc(1), sizeof(i32));")),
            3 => {
                self.line(format!("  i32 n{name} = 0;"));
                self.line(format!("  {own} = &n{name};"));
            }
            _ => self.line(format!("  {own} = &@own;")),
        }
        self.line(format!("  *{own} = x;"));
        if self.rng.chance(50) {
            self.line(format!("  x += *{own};"));
        }
    }

    fn main(&mut self, n_threads: u32) {
        self.line("int @main(void) {");
        self.line("  i32 x = 0;");
        self.line(format!("  pthread_t t[{n_threads}];"));
        if self.rng.chance(15) {
            self.line("  atexit(@last);");
        }
        for thread in 0..n_threads {
            self.line(format!("  pthread_create(&t[{thread}], 0, @t{thread}, 0);"));
        }
        let n = self.rng.below(3);
        self.statements(n_threads, n);
        match self.rng.below(8) {
            0..=2 => {
                for thread in 0..n_threads {
                    self.line(format!("  pthread_join(t[{thread}], 0);"));
                }
            }
            3 => self.line("  pthread_exit(0);"),
            4..=6 => {
                let end = self.one_of(&ENDS);
                self.line(format!("  {end}"));
            }
            _ => {}
        }
        self.line("  return 0;");
        self.line("}");
    }
}
