//! Prints the programs as C, for any number of threads or a fixed one.

use super::main_function;
use super::tree::{
    Argument, Expression, Guard, MutexKind, N_ATOMICS, N_MUTEXES, N_PLAIN, Operator, Place,
    Program, Statement,
};

/// What every file starts with.
pub const PRELUDE: &str = "\
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
";

/// How many threads each creating loop makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// As many as an input says.
    Any,
    /// So many.
    Exactly(u32),
}

/// The text without its prelude, with `@` in front of every name.
pub fn c_text(program: &Program, count: Count) -> String {
    let mut body = Lines { lines: Vec::new(), depth: 0, returns: "return;" };
    body.open("static void @assistant(void) {");
    body.locals(false);
    body.all(&program.assistant);
    body.close();
    body.returns = "return 0;";
    for (number, worker) in program.workers.iter().enumerate() {
        body.open(&format!("static void *@worker{number}(void *argument) {{"));
        body.argument(program.argument);
        body.all(worker);
        body.line("return 0;");
        body.close();
    }
    main_function::print(program, count, &mut body);
    let body = body.lines.join("\n") + "\n";
    declarations(&body) + &body
}

/// The shared variables that a text names.
fn declarations(body: &str) -> String {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, text: String| all.push((format!("@{name}"), text));
    for number in 0..N_MUTEXES {
        add(
            &format!("m{number}"),
            format!("pthread_mutex_t @m{number} = PTHREAD_MUTEX_INITIALIZER;"),
        );
    }
    add("s", "sem_t @s;".into());
    add("w", "pthread_rwlock_t @w = PTHREAD_RWLOCK_INITIALIZER;".into());
    add("c", "pthread_cond_t @c = PTHREAD_COND_INITIALIZER;".into());
    for number in 0..N_PLAIN {
        let kind = if number == 0 { "_Bool" } else { "int" };
        add(&format!("g{number}"), format!("{kind} @g{number};"));
    }
    for number in 0..N_ATOMICS {
        add(&format!("a{number}"), format!("atomic_int @a{number};"));
    }
    add("v", "int @v[2];".into());
    add("u", "int @u[2];".into());
    add("own", "static _Thread_local int @own;".into());
    add("seen", "atomic_int @seen;".into());
    add("ring", "pthread_t @ring[4];".into());
    add("call", "static void @assistant(void);\nvoid (*@call)(void) = @assistant;".into());
    let named = all.into_iter().filter(|(name, _)| {
        body.match_indices(name.as_str()).any(|(at, _)| {
            let next = body[at + name.len()..].chars().next();
            !next.is_some_and(|next| next.is_alphanumeric() || next == '_')
        })
    });
    named.map(|(_, text)| text + "\n").collect()
}

/// Lines of C.
pub struct Lines {
    lines: Vec<String>,
    depth: usize,
    returns: &'static str,
}

impl Lines {
    /// Adds one.
    pub fn line(&mut self, text: &str) {
        self.lines.push(format!("{}{text}", "  ".repeat(self.depth)));
    }

    /// Adds one that opens a block.
    pub fn open(&mut self, text: &str) {
        self.line(text);
        self.depth += 1;
    }

    /// Closes it.
    pub fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    /// Local variables; `arg` where the function has no argument.
    pub fn locals(&mut self, has_pointer: bool) {
        self.line("int x = 0, y = 0;");
        if !has_pointer {
            self.line("int arg = 0;");
            self.line("int *p = &x;");
        }
    }

    fn argument(&mut self, argument: Argument) {
        self.locals(true);
        match argument {
            Argument::Null => self.line("int arg = 0, *p = &x;"),
            Argument::Number => self.line("int arg = (int)(long)argument, *p = &x;"),
            Argument::Input => self.line("int arg = (int)(long)argument & 3, *p = &x;"),
            Argument::Cell => self.line("int arg = 1, *p = argument;"),
            Argument::Block => {
                self.line("int arg = *(int *)argument, *p = &x;");
                self.line("free(argument);");
            }
        }
    }

    /// All statements of a list.
    pub fn all(&mut self, list: &[Statement]) {
        list.iter().for_each(|statement| self.statement(statement));
    }

    fn block(&mut self, head: &str, list: &[Statement], end: &[&str]) {
        self.open(head);
        self.all(list);
        end.iter().for_each(|line| self.line(line));
        self.close();
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Guarded(guard, list) => self.guarded(*guard, list),
            Statement::Try(m, list) => {
                let head = format!("if (pthread_mutex_trylock(&@m{m}) == 0) {{");
                self.block(&head, list, &[&format!("pthread_mutex_unlock(&@m{m});")]);
            }
            Statement::Await(condition, list) => {
                self.line("pthread_mutex_lock(&@m0);");
                let condition = expression(condition);
                self.line(&format!("while (!({condition})) pthread_cond_wait(&@c, &@m0);"));
                self.all(list);
                self.line("pthread_mutex_unlock(&@m0);");
            }
            Statement::If(condition, yes, no) => {
                self.block(&format!("if ({}) {{", expression(condition)), yes, &[]);
                if !no.is_empty() {
                    self.block("else {", no, &[]);
                }
            }
            Statement::Repeat(n, list) => {
                let k = format!("k{}", self.depth);
                self.block(&format!("for (int {k} = 0; {k} < {n}; {k}++) {{"), list, &[]);
            }
            Statement::Wander(list) => self.block("while (__VERIFIER_nondet_int()) {", list, &[]),
            Statement::Fresh(is_set, list) => {
                let q = format!("q{}", self.depth);
                self.open("{");
                self.line(&format!("int *{q} = malloc(sizeof *{q});"));
                if *is_set {
                    self.line(&format!("*{q} = y;"));
                }
                self.line(&format!("p = {q};"));
                self.all(list);
                self.line("p = &x;");
                self.line(&format!("free({q});"));
                self.close();
            }
            simple => self.simple(simple),
        }
    }

    fn guarded(&mut self, guard: Guard, list: &[Statement]) {
        let (before, after) = match guard {
            Guard::Mutex(m) => {
                (format!("pthread_mutex_lock(&@m{m});"), format!("pthread_mutex_unlock(&@m{m});"))
            }
            Guard::Spinning(a) => {
                let expected = format!("e{}", self.depth);
                let start = format!("int {expected} = 0;");
                let again = format!(
                    "while (!atomic_compare_exchange_strong(&@a{a}, &{expected}, 1)) {expected} = 0;"
                );
                (format!("{start} {again}"), format!("atomic_store(&@a{a}, 0);"))
            }
            Guard::Semaphore => ("sem_wait(&@s);".into(), "sem_post(&@s);".into()),
            Guard::Writing => {
                ("pthread_rwlock_wrlock(&@w);".into(), "pthread_rwlock_unlock(&@w);".into())
            }
            Guard::Reading => {
                ("pthread_rwlock_rdlock(&@w);".into(), "pthread_rwlock_unlock(&@w);".into())
            }
            Guard::Section => {
                ("__VERIFIER_atomic_begin();".into(), "__VERIFIER_atomic_end();".into())
            }
        };
        self.open("{");
        self.line(&before);
        self.all(list);
        self.line(&after);
        self.close();
    }

    fn simple(&mut self, statement: &Statement) {
        let text = match statement {
            Statement::Assign(to, value) => {
                format!("{} = ({}) & 3;", place(*to), expression(value))
            }
            Statement::Point(to) => format!("p = {};", address(*to)),
            Statement::Store(a, value) => {
                format!("atomic_store(&@a{a}, ({}) & 3);", expression(value))
            }
            Statement::Add(a, n) => format!("atomic_fetch_add(&@a{a}, {n});"),
            Statement::AddInto(a, local) => {
                format!("{} = atomic_fetch_add(&@a{a}, 1);", place(Place::Local(*local)))
            }
            Statement::Exchange { atomic, expected, desired, local } => {
                let local = place(Place::Local(*local));
                format!(
                    "{{ int e = {expected}; {local} = atomic_compare_exchange_strong(&@a{atomic}, &e, {desired}); }}"
                )
            }
            Statement::LockInto(m, local) => {
                format!("{} = pthread_mutex_lock(&@m{m});", place(Place::Local(*local)))
            }
            Statement::UnlockInto(m, local) => {
                format!("{} = pthread_mutex_unlock(&@m{m});", place(Place::Local(*local)))
            }
            Statement::Signal => "pthread_cond_signal(&@c);".into(),
            Statement::Broadcast => "pthread_cond_broadcast(&@c);".into(),
            Statement::Post => "sem_post(&@s);".into(),
            Statement::Spin(a, value) => format!("while (atomic_load(&@a{a}) != {value}) ;"),
            Statement::Assert(condition) => format!("assert({});", expression(condition)),
            Statement::Assume(condition) => {
                format!("__VERIFIER_assume({});", expression(condition))
            }
            Statement::Count => "atomic_fetch_add(&@seen, 1);".into(),
            Statement::Call => "@assistant();".into(),
            Statement::CallThere => "@call();".into(),
            Statement::Copy => "memcpy(@u, @v, sizeof @u);".into(),
            Statement::Clear => "memset(@v, 0, sizeof @v);".into(),
            Statement::Compare(local) => {
                let local = place(Place::Local(*local));
                format!("{local} = memcmp(@u, @v, sizeof @u) != 0;")
            }
            Statement::Return => self.returns.into(),
            Statement::Leave => "pthread_exit(0);".into(),
            Statement::Exit => "exit(0);".into(),
            // These have statements within.
            _ => String::new(),
        };
        self.line(&text);
    }
}

/// What initialises the mutexes and the semaphore.
pub fn initialise(program: &Program, lines: &mut Lines) {
    for (number, kind) in program.mutexes.iter().enumerate() {
        let kind = match kind {
            MutexKind::Plain => continue,
            MutexKind::Recursive => "RECURSIVE",
            MutexKind::ErrorChecking => "ERRORCHECK",
        };
        lines.line(&format!(
            "pthread_mutexattr_t kind{number}; pthread_mutexattr_init(&kind{number}); \
             pthread_mutexattr_settype(&kind{number}, PTHREAD_MUTEX_{kind}); \
             pthread_mutex_init(&@m{number}, &kind{number});"
        ));
    }
    if program.has_semaphore {
        lines.line(&format!("sem_init(&@s, 0, {});", program.tickets));
    }
}

fn place(place: Place) -> String {
    match place {
        Place::Local(0) => "x".into(),
        Place::Local(_) => "y".into(),
        Place::Plain(number) => format!("@g{number}"),
        Place::Own => "@own".into(),
        Place::Cell(number) => format!("@v[{number}]"),
        Place::CellAt(0) => "@v[x & 1]".into(),
        Place::CellAt(_) => "@v[y & 1]".into(),
        Place::There => "*p".into(),
    }
}

/// The address of a place that numbers of the usual size lie in.
fn address(to: Place) -> String {
    match to {
        Place::There | Place::Plain(0) => "&x".into(),
        to => format!("&{}", place(to)),
    }
}

fn expression(it: &Expression) -> String {
    match it {
        Expression::Number(number) => number.to_string(),
        Expression::Input => "__VERIFIER_nondet_int()".into(),
        Expression::Argument => "arg".into(),
        Expression::Atomic(a) => format!("atomic_load(&@a{a})"),
        Expression::Read(from) => place(*from),
        Expression::Binary(parts) => {
            let (left, operator, right) = &**parts;
            let operator = match operator {
                Operator::Sum => "+",
                Operator::Quotient => "/",
                Operator::Equal => "==",
                Operator::Different => "!=",
                Operator::AtMost => "<=",
            };
            format!("({} {operator} {})", expression(left), expression(right))
        }
    }
}
