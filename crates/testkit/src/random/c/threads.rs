//! Random small programs of two or three threads.
//!
//! Every plain shared variable belongs to a lock, and is accessed while it is held or
//! while no other thread runs. In racy programs that is forgotten now and then.
//! At the end everything shared is written to `out`; `main` asserts that it is not
//! `want`, which whoever runs the program may change.

use super::expression::{Expressions, Place, whole};
use super::types::{INT, Type};
use crate::rng::Rng;

/// What a program may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Data races.
    pub races: bool,
    /// Locks taken in any order, waiting that may last forever.
    pub deadlocks: bool,
    /// Assertions that may fail.
    pub assertions: bool,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Threads {
    /// Everything but the main function.
    pub text: String,
    /// Numbers in `out` and `want`.
    pub n_results: usize,
    /// What it has.
    pub shape: Shape,
}

const N_LOCKS: u32 = 2;

/// A program of this shape. Its functions are `@run`, which runs it from the start to
/// the end, and `@main`.
pub fn threads(rng: &mut Rng, shape: Shape) -> Threads {
    let n_threads = if rng.chance(70) { 2 } else { 3 };
    let mut writer = Writer::new(rng, shape, n_threads);
    writer.shared();
    for thread in 0..n_threads {
        writer.thread(thread);
    }
    writer.run();
    let n_results = writer.results.len();
    Threads { text: writer.lines.join("\n") + "\n", n_results, shape }
}

/// A plain shared variable with the lock that guards it.
#[derive(Clone, Debug)]
struct Guarded {
    place: Place,
    lock: u32,
}

struct Writer<'r> {
    expressions: Expressions<'r>,
    shape: Shape,
    n_threads: u32,
    lines: Vec<String>,
    guarded: Vec<Guarded>,
    atomics: Vec<(String, Type)>,
    /// What `init` does, and what is compared at the end.
    init: Vec<String>,
    results: Vec<String>,
    has_list: bool,
    /// Does some thread publish new objects of its own?
    has_fresh: bool,
    /// The thread whose function is being written.
    thread: u32,
    is_rwlock: [bool; N_LOCKS as usize],
    /// Thread 0 tells thread 1 that something is done, by this way.
    handshake: Option<Handshake>,
    nesting: u32,
    n_names: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Handshake {
    Condition,
    Spinning,
}

impl<'r> Writer<'r> {
    fn new(rng: &'r mut Rng, shape: Shape, n_threads: u32) -> Writer<'r> {
        let is_rwlock = [rng.chance(10), rng.chance(10)];
        let handshake = match rng.below(20) {
            0 | 1 => Some(Handshake::Condition),
            2 => Some(Handshake::Spinning),
            _ => None,
        };
        Writer {
            expressions: Expressions { rng, places: Vec::new(), wraps: true },
            shape,
            n_threads,
            lines: Vec::new(),
            guarded: Vec::new(),
            atomics: Vec::new(),
            init: Vec::new(),
            results: Vec::new(),
            has_list: false,
            has_fresh: false,
            thread: 0,
            is_rwlock,
            handshake,
            nesting: 0,
            n_names: 0,
        }
    }

    fn line(&mut self, text: impl AsRef<str>) {
        let indent = "  ".repeat(self.nesting as usize);
        self.lines.push(format!("{indent}{}", text.as_ref()));
    }

    fn open(&mut self, text: impl AsRef<str>) {
        self.line(text);
        self.nesting += 1;
    }

    fn close(&mut self) {
        self.nesting -= 1;
        self.line("}");
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.expressions.rng.below(bound)
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.expressions.rng.chance(percent)
    }

    fn name(&mut self, stem: &str) -> String {
        self.n_names += 1;
        format!("{stem}{}", self.n_names)
    }

    /// The shared variables.
    fn shared(&mut self) {
        for lock in 0..N_LOCKS as usize {
            let (kind, initial) = match self.is_rwlock[lock] {
                true => ("rwlock", "RWLOCK"),
                false => ("mutex", "MUTEX"),
            };
            self.line(format!("pthread_{kind}_t @m{lock} = PTHREAD_{initial}_INITIALIZER;"));
        }
        for number in 0..self.expressions.rng.between(1, 3) {
            let (name, ty, lock) =
                (format!("@g{number}"), Type::integer(self.expressions.rng), self.below(N_LOCKS));
            let keeps = if self.shape.races && self.chance(50) { "volatile " } else { "" };
            self.line(format!("{keeps}{} {name};", ty.name()));
            self.guard(&name, ty, lock);
        }
        if self.chance(30) {
            let lock = self.below(N_LOCKS);
            self.line("i16 @v[4];");
            self.guard("@v[0]", Type::Int { bits: 16, is_signed: true }, lock);
            self.guard("@v[3]", Type::Int { bits: 16, is_signed: true }, lock);
        }
        if self.chance(30) {
            let lock = self.below(N_LOCKS);
            self.line("struct @S { u8 a; int b : 5; unsigned c : 9; i64 d; } @s;");
            self.guard("@s.a", Type::Int { bits: 8, is_signed: false }, lock);
            self.guard("@s.b", INT, lock);
            self.guard("@s.c", INT, lock);
        }
        if self.chance(25) {
            let lock = self.below(N_LOCKS);
            self.line("i32 *@h;");
            self.init.push("@h = malloc(2 * sizeof *@h);".into());
            self.guard("@h[0]", INT, lock);
            self.guard("@h[1]", INT, lock);
        }
        if self.chance(25) {
            self.has_list = true;
            self.line("struct @node { i32 v; struct @node *next; } *@list;");
            self.init.push("@list = 0;".into());
        }
        for number in 0..self.below(3) {
            let ty = Type::Int { bits: 8 << self.below(4), is_signed: self.chance(50) };
            let name = format!("@a{number}");
            self.line(format!("_Atomic {} {name};", ty.name()));
            let first = self.below(3);
            self.init.push(format!("atomic_store(&{name}, {first});"));
            self.results.push(name.clone());
            self.atomics.push((name, ty));
        }
        self.waiting();
        self.of_threads();
    }

    /// Variables that each thread has one of.
    fn of_threads(&mut self) {
        let n_threads = self.n_threads;
        self.line("static _Thread_local i32 @own;");
        self.line(format!("u64 @r[{n_threads}];"));
        for thread in 0..n_threads {
            self.line(format!("i32 *@f{thread};"));
            self.init.push(format!("@r[{thread}] = 0;"));
            self.results.push(format!("@r[{thread}]"));
        }
    }

    fn waiting(&mut self) {
        match self.handshake {
            Some(Handshake::Condition) => {
                self.line("pthread_mutex_t @mc = PTHREAD_MUTEX_INITIALIZER;");
                self.line("pthread_cond_t @c = PTHREAD_COND_INITIALIZER;");
                self.line("i32 @ready;");
                self.init.push("@ready = 0;".into());
            }
            Some(Handshake::Spinning) => {
                self.line("atomic_int @ready;");
                self.init.push("atomic_store(&@ready, 0);".into());
            }
            None => {}
        }
    }

    fn guard(&mut self, name: &str, ty: Type, lock: u32) {
        let place = Place { text: name.into(), ty, is_writable: true, has_address: false };
        let first = self.below(4);
        self.init.push(format!("{name} = {first};"));
        self.results.push(name.into());
        self.guarded.push(Guarded { place, lock });
    }

    fn thread(&mut self, thread: u32) {
        self.thread = thread;
        self.open(format!("static void *@t{thread}(void *argument) {{"));
        self.line("i32 x = *(i32 *)argument;");
        self.line("u8 y = 1;");
        for (name, ty) in [("x", INT), ("y", Type::Int { bits: 8, is_signed: false })] {
            let place = Place { text: name.into(), ty, is_writable: true, has_address: false };
            self.expressions.places.push(place);
        }
        let n_statements = if self.n_threads == 2 { 3 } else { 2 };
        let waits_before = self.below(n_statements);
        for statement in 0..n_statements {
            if self.handshake.is_some() && statement == waits_before {
                self.shake(thread);
            }
            self.statement(true);
        }
        if self.chance(30) {
            self.line("*(i32 *)argument = x;");
        }
        self.line(format!("@r[{thread}] = (u64)x * 3 + y;"));
        self.line("return 0;");
        self.close();
        self.expressions.places.clear();
    }

    /// Thread 0 tells, thread 1 waits. Where deadlocks are wanted, it may wait in vain.
    fn shake(&mut self, thread: u32) {
        let is_careless = self.shape.deadlocks && self.chance(50);
        match (self.handshake, thread) {
            (Some(Handshake::Condition), 0) => {
                let way = ["signal", "broadcast"][self.below(2) as usize];
                self.line("pthread_mutex_lock(&@mc);");
                self.line("@ready = 1;");
                if !is_careless || self.chance(50) {
                    self.line(format!("pthread_cond_{way}(&@c);"));
                }
                self.line("pthread_mutex_unlock(&@mc);");
            }
            (Some(Handshake::Condition), 1) => {
                let check = if is_careless { "if" } else { "while" };
                self.line("pthread_mutex_lock(&@mc);");
                self.line(format!("{check} (!@ready) pthread_cond_wait(&@c, &@mc);"));
                self.line("pthread_mutex_unlock(&@mc);");
            }
            (Some(Handshake::Spinning), 0) => self.line("atomic_store(&@ready, 1);"),
            (Some(Handshake::Spinning), 1) => {
                self.line("while (!atomic_load(&@ready)) { perturb(); }");
            }
            _ => {}
        }
    }

    fn statement(&mut self, can_nest: bool) {
        self.line("perturb();");
        match self.below(20) {
            0..=8 => self.section(),
            9..=12 => self.atomic(),
            13 if can_nest => {
                let condition = self.expressions.any(1).text;
                self.open(format!("if ({condition}) {{"));
                self.statement(false);
                self.close();
            }
            14 if can_nest => {
                let counter = self.name("k");
                self.open(format!("for (i32 {counter} = 0; {counter} < 2; {counter}++) {{"));
                self.statement(false);
                self.close();
            }
            15 | 16 if self.shape.races => self.careless(),
            17 if self.has_list => self.push_node(),
            17 | 19 => self.fresh(),
            18 if self.shape.assertions => {
                let condition = self.expressions.any(1).text;
                let never = self.below(3);
                self.line(format!("assert({condition} != {never});"));
            }
            _ => self.local(),
        }
    }

    fn local(&mut self) {
        if self.chance(50) {
            let value = self.expressions.of(INT, 2);
            return self.line(format!("x = {value};"));
        }
        let value = self.expressions.integer(2).text;
        self.line(format!("y ^= {value};"));
    }

    fn lock(&mut self, lock: u32, may_try: bool) -> bool {
        if self.is_rwlock[lock as usize] {
            self.line(format!("pthread_rwlock_wrlock(&@m{lock});"));
        } else if may_try && self.chance(12) {
            self.open(format!("if (pthread_mutex_trylock(&@m{lock}) == 0) {{"));
            return true;
        } else {
            self.line(format!("pthread_mutex_lock(&@m{lock});"));
        }
        false
    }

    fn unlock(&mut self, lock: u32, was_tried: bool) {
        let kind = if self.is_rwlock[lock as usize] { "rwlock" } else { "mutex" };
        self.line(format!("pthread_{kind}_unlock(&@m{lock});"));
        if was_tried {
            self.close();
        }
    }

    /// Something with one lock held, or both.
    fn section(&mut self) {
        let lock = self.below(N_LOCKS);
        if self.is_rwlock[lock as usize] && self.chance(50) {
            self.line(format!("pthread_rwlock_rdlock(&@m{lock});"));
            self.look(lock);
            return self.unlock(lock, false);
        }
        let is_nested = self.chance(if self.shape.deadlocks { 50 } else { 15 });
        let other = 1 - lock;
        if is_nested && (lock == 0 || self.shape.deadlocks) {
            let tried = self.lock(lock, true);
            self.accesses(&[lock], 1);
            let inner = self.lock(other, true);
            self.accesses(&[0, 1], 1);
            self.unlock(other, inner);
            self.unlock(lock, tried);
            return;
        }
        let tried = self.lock(lock, true);
        let n = self.expressions.rng.between(1, 2);
        self.accesses(&[lock], n);
        self.unlock(lock, tried);
    }

    fn within(&mut self, locks: &[u32]) -> Vec<Place> {
        let guarded = self.guarded.iter().filter(|it| locks.contains(&it.lock));
        guarded.map(|it| it.place.clone()).collect()
    }

    /// Reads of what a lock guards.
    fn look(&mut self, lock: u32) {
        let places = self.within(&[lock]);
        let before = self.expressions.places.len();
        self.expressions.places.extend(places);
        self.local();
        self.expressions.places.truncate(before);
    }

    /// Reads and writes of what the locks guard.
    fn accesses(&mut self, locks: &[u32], n: u32) {
        let places = self.within(locks);
        let before = self.expressions.places.len();
        self.expressions.places.extend(places.iter().cloned());
        for _ in 0..n {
            if self.chance(20) {
                self.line("perturb();");
            }
            let is_array = places.iter().any(|place| place.text == "@v[0]");
            match (places.len() as u32, self.below(12)) {
                (0, _) => self.local(),
                (_, 0) if is_array => self.line("memset(@v, 1, sizeof @v);"),
                (_, 1) if is_array => self.line("memcpy(@v + 2, @v, 2 * sizeof @v[0]);"),
                (n_places, 2..=8) => {
                    let place = places[self.below(n_places) as usize].clone();
                    let value = self.expressions.of(place.ty, 2);
                    self.line(format!("{} = {value};", place.text));
                }
                (n_places, 9) => {
                    let place = places[self.below(n_places) as usize].clone();
                    self.line(format!("{} += {};", place.text, 1 + n_places));
                }
                _ => self.local(),
            }
        }
        self.expressions.places.truncate(before);
    }

    /// An access without the lock.
    fn careless(&mut self) {
        let idx = self.below(self.guarded.len() as u32) as usize;
        let place = self.guarded[idx].place.clone();
        if self.shape.assertions && self.chance(25) {
            let never = self.below(3);
            return self.line(format!("__VERIFIER_assume({} != {never});", place.text));
        }
        match self.below(3) {
            0 => self.line(format!("x = {};", place.text)),
            1 => {
                let value = self.expressions.of(place.ty, 1);
                self.line(format!("{} = {value};", place.text));
            }
            _ => self.line(format!("{} += 1;", place.text)),
        }
    }

    fn push_node(&mut self) {
        let node = self.name("n");
        let lock = 0;
        let value = self.expressions.of(INT, 1);
        self.open("{");
        self.line(format!("struct @node *{node} = malloc(sizeof *{node});"));
        self.line(format!("{node}->v = {value};"));
        self.lock(lock, false);
        self.line(format!("{node}->next = @list;"));
        self.line(format!("@list = {node};"));
        self.unlock(lock, false);
        self.close();
    }

    /// A new object that is published and used, by this thread alone.
    fn fresh(&mut self) {
        self.has_fresh = true;
        let own = format!("@f{}", self.thread);
        let value = self.expressions.of(INT, 1);
        let variable = self.name("n");
        let (is_block, address) = match self.below(5) {
            0 => (true, "malloc(sizeof(i32))".into()),
            1 => (true, "calloc(1, sizeof(i32))".into()),
            2 => (true, "realloc(malloc(1), sizeof(i32))".into()),
            3 => (false, format!("&{variable}")),
            _ => (false, "&@own".into()),
        };
        self.open("{");
        self.line(format!("i32 {variable} = 1;"));
        self.line(format!("{own} = {address};"));
        self.line(format!("*{own} = {value};"));
        self.line(format!("x += *{own} + {variable};"));
        if is_block {
            self.line(format!("free({own});"));
        }
        self.line(format!("{own} = 0;"));
        self.close();
    }

    fn atomic(&mut self) {
        if self.atomics.is_empty() {
            return self.section();
        }
        let idx = self.below(self.atomics.len() as u32) as usize;
        let (name, ty) = self.atomics[idx].clone();
        let value = self.expressions.of(ty, 1);
        let (into, ty) = (["x", "y"][self.below(2) as usize], ty.name());
        match self.below(8) {
            0 | 1 => {
                let op = ["add", "sub", "or", "and", "xor"][self.below(5) as usize];
                self.line(format!("{into} = atomic_fetch_{op}(&{name}, {value});"));
            }
            2 => self.line(format!("{into} = atomic_exchange(&{name}, {value});")),
            3 => self.line(format!("atomic_store(&{name}, {value});")),
            4 => self.line(format!("{into} += atomic_load(&{name});")),
            5 => self.line(format!("{name}++;")),
            6 => self.line(format!("{name} += {value};")),
            _ => {
                let expected = self.name("e");
                let guess = self.below(3);
                self.line(format!("{ty} {expected} = {guess};"));
                self.line(format!(
                    "{into} = atomic_compare_exchange_strong(&{name}, &{expected}, {value});"
                ));
                self.line(format!("x += {expected};"));
            }
        }
    }

    /// Everything from the start to the end, and the main function.
    fn run(&mut self) {
        let n_results = self.results.len() + usize::from(self.has_list) + self.n_threads as usize;
        self.line(format!("u64 @out[{n_results}];"));
        self.line(format!("u64 @want[{n_results}] = {{0x5eed5eed5eedull}};"));
        self.open("void @run(void) {");
        // A thread that nobody waits for must not look at memory that is gone.
        let joins_all = !self.shape.races || self.has_list || self.has_fresh || self.chance(70);
        let storage = if joins_all { "" } else { "static " };
        self.line(format!("{storage}pthread_t t[{}];", self.n_threads));
        let arguments: Vec<String> =
            (0..self.n_threads).map(|_| self.below(5).to_string()).collect();
        let arguments = arguments.join(", ");
        self.line(format!("{storage}i32 own[{}] = {{{arguments}}};", self.n_threads));
        for line in std::mem::take(&mut self.init) {
            self.line(line);
        }
        for thread in 0..self.n_threads {
            self.line(format!("pthread_create(&t[{thread}], 0, @t{thread}, &own[{thread}]);"));
        }
        for thread in u32::from(!joins_all)..self.n_threads {
            self.line(format!("pthread_join(t[{thread}], 0);"));
        }
        if self.has_list {
            self.line("u64 sum = 0;");
            self.open("while (@list) {");
            self.line("struct @node *n = @list;");
            self.line("sum = sum * 3 + n->v;");
            self.line("@list = n->next;");
            self.line("free(n);");
            self.close();
            self.results.push("sum".into());
        }
        for thread in 0..self.n_threads {
            self.results.push(format!("own[{thread}]"));
        }
        for (idx, result) in self.results.clone().into_iter().enumerate() {
            let result = whole(super::expression::Expr { text: result, ty: INT }).text;
            self.line(format!("@out[{idx}] = (u64){result};"));
        }
        if joins_all && self.lines.iter().any(|line| line.contains("@h = malloc")) {
            self.line("free(@h);");
        }
        self.close();
        self.open("int @main(void) {");
        self.line("@run();");
        self.line("int differs = 0;");
        self.line(format!("for (int i = 0; i < {n_results}; i++) differs |= @out[i] != @want[i];"));
        self.line("assert(differs);");
        self.line("return 0;");
        self.close();
    }
}
