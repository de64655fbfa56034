//! Programs that share memory as C, one statement a line, with `@` before every name that
//! must be unlike those of other programs in one file.

use super::tree::{
    Base, Change, Condition, Global, Load, N_NUMBERS, N_POINTERS, Operand, Order, Place, Program,
    Register, Source, Statement,
};

/// The text of a program. `@main` is its first function, and `@reset` sets everything that is
/// static to zero again, for native runs one after another.
pub fn c_text(program: &Program) -> String {
    text(program, false)
}

/// The same, with schedules that vary: `perturb` is called between statements.
pub fn native_text(program: &Program) -> String {
    text(program, true)
}

fn text(program: &Program, perturbs: bool) -> String {
    let mut printer = Printer { program, perturbs, lines: Vec::new(), depth: 0 };
    for (number, body) in program.threads.iter().enumerate().rev() {
        printer.function(number, body);
    }
    let functions = printer.lines.join("\n") + "\n";
    let mut printer = Printer { program, perturbs, lines: Vec::new(), depth: 0 };
    let is_used = |name: &str| functions.contains(name);
    printer.declarations(is_used);
    printer.reset(is_used);
    printer.lines.join("\n") + "\n" + &functions
}

struct Printer<'a> {
    program: &'a Program,
    perturbs: bool,
    lines: Vec<String>,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: impl AsRef<str>) {
        self.lines.push(format!("{}{}", "  ".repeat(self.depth), text.as_ref()));
    }

    fn declarations(&mut self, is_used: impl Fn(&str) -> bool) {
        self.line("struct @node { int a, b; atomic_int n; struct @node *next; };");
        for (number, global) in self.program.globals.iter().enumerate() {
            let name = format!("@g{number}");
            if !is_used(&name) {
                continue;
            }
            self.line(match global {
                Global::Number => format!("int {name};"),
                Global::AtomicNumber => format!("atomic_int {name};"),
                Global::Pointer => format!("struct @node *{name};"),
                Global::AtomicPointer => format!("struct @node *_Atomic {name};"),
                Global::Pointers => format!("struct @node *{name}[2];"),
                Global::Node => format!("struct @node {name};"),
                Global::ThreadLocal => format!("_Thread_local struct @node {name};"),
            });
        }
        for mutex in 0..self.program.n_mutexes {
            if is_used(&format!("@m{mutex}")) {
                self.line(format!("pthread_mutex_t @m{mutex} = PTHREAD_MUTEX_INITIALIZER;"));
            }
        }
    }

    fn reset(&mut self, is_used: impl Fn(&str) -> bool) {
        self.line("#ifdef NATIVE");
        self.line("static void @reset(void) {");
        for number in 0..self.program.globals.len() {
            if is_used(&format!("@g{number}")) {
                self.line(format!("  memset((void *)&@g{number}, 0, sizeof @g{number});"));
            }
        }
        for mutex in 0..self.program.n_mutexes {
            if is_used(&format!("@m{mutex}")) {
                self.line(format!("  memset(&@m{mutex}, 0, sizeof @m{mutex});"));
            }
        }
        self.line("}");
        self.line("#endif");
    }

    fn function(&mut self, number: usize, body: &[Statement]) {
        let is_main = number == 0;
        self.line(match is_main {
            true => "int @main(void) {".to_owned(),
            false => format!("static void *@f{number}(void *argument) {{"),
        });
        self.depth += 1;
        let declared = self.lines.len();
        if is_main {
            let threads: Vec<String> =
                (1..self.program.threads.len()).map(|thread| format!("t{thread}")).collect();
            if !threads.is_empty() {
                self.line(format!("pthread_t {};", threads.join(", ")));
            }
        }
        self.statements(body, is_main);
        self.line("return 0;");
        let registers = self.registers(declared, is_main);
        self.lines.splice(declared..declared, registers);
        self.depth -= 1;
        self.line("}");
    }

    /// Declares the registers that the lines from this one on use.
    fn registers(&self, from: usize, is_main: bool) -> Vec<String> {
        let is_used = |name: &String| self.lines[from..].iter().any(|line| line.contains(name));
        let numbers = (0..N_NUMBERS).map(|number| format!("x{number}")).filter(is_used);
        let numbers = numbers.map(|name| format!("  int {name} = 0;"));
        let pointers = (0..N_POINTERS).map(|pointer| format!("p{pointer}")).filter(is_used);
        let pointers = pointers.map(|name| {
            let is_argument = !is_main && name == "p0";
            let first = if is_argument { "argument" } else { "0" };
            format!("  struct @node *{name} = {first};")
        });
        numbers.chain(pointers).collect()
    }

    fn statements(&mut self, body: &[Statement], is_main: bool) {
        for statement in body {
            if self.perturbs {
                self.line("perturb();");
            }
            self.statement(statement, is_main);
        }
    }

    fn statement(&mut self, statement: &Statement, is_main: bool) {
        if let Some(body) = statement.body() {
            self.compound(statement, body, is_main);
            return;
        }
        match statement {
            Statement::Poll { load, until, times } => self.poll(load, *until, *times),
            Statement::New { to, source, a, n } => self.new_node(*to, *source, [*a, *n]),
            Statement::CompareExchange { .. } => self.compare_exchange(statement),
            Statement::Return(_) if is_main => self.line("return 0;"),
            other => {
                let text = self.simple(other);
                self.line(text);
            }
        }
    }

    fn simple(&self, statement: &Statement) -> String {
        match statement {
            Statement::Load(load) => self.load(load),
            Statement::Store { to, value, order } => {
                let (to, value) = (self.place(*to), operand(*value));
                match order {
                    None => format!("{to} = {value};"),
                    Some(order) => {
                        format!("atomic_store_explicit(&{to}, {value}, {});", name(*order))
                    }
                }
            }
            Statement::Update { old, place, change, value, order } => {
                let function = match change {
                    Change::Add => "fetch_add",
                    Change::Subtract => "fetch_sub",
                    Change::Exchange => "exchange",
                };
                let (old, place) = (register(*old), self.place(*place));
                let (value, order) = (operand(*value), name(*order));
                format!("{old} = atomic_{function}_explicit(&{place}, {value}, {order});")
            }
            Statement::Fence(order) => format!("atomic_thread_fence({});", name(*order)),
            Statement::Lock(mutex) => format!("pthread_mutex_lock(&@m{mutex});"),
            Statement::Unlock(mutex) => format!("pthread_mutex_unlock(&@m{mutex});"),
            Statement::Grow(pointer) => {
                format!("p{pointer} = realloc(p{pointer}, 2 * sizeof *p{pointer});")
            }
            Statement::Free(pointer) => format!("free(p{pointer});"),
            Statement::AddressOf { to, of } => format!("p{to} = &{};", self.base(*of)),
            Statement::Assert(condition) => format!("assert({});", asked(*condition)),
            Statement::Start { thread, argument } => {
                let argument = argument.map_or("0".to_owned(), |pointer| format!("p{pointer}"));
                format!("pthread_create(&t{thread}, 0, @f{thread}, {argument});")
            }
            Statement::Join { thread, to } => {
                let to = to.map_or("0".to_owned(), |pointer| format!("(void **)&p{pointer}"));
                format!("pthread_join(t{thread}, {to});")
            }
            Statement::Return(Some(pointer)) => format!("return p{pointer};"),
            Statement::Return(None) => "return 0;".to_owned(),
            other => unreachable!("{other:?} has lines of its own"),
        }
    }

    fn compound(&mut self, statement: &Statement, body: &[Statement], is_main: bool) {
        match statement {
            Statement::TryLock { mutex, .. } => {
                self.line(format!("if (!pthread_mutex_trylock(&@m{mutex})) {{"));
            }
            Statement::If { condition, .. } => self.line(format!("if ({}) {{", asked(*condition))),
            _ => self.line("{"),
        }
        self.depth += 1;
        if let Statement::Block { local, a, n, .. } = statement {
            self.line(format!("struct @node n{local};"));
            self.line(format!("n{local}.a = {a}; n{local}.b = 0; n{local}.next = 0;"));
            self.line(format!("atomic_init(&n{local}.n, {n});"));
        }
        self.statements(body, is_main);
        if let Statement::TryLock { mutex, .. } = statement {
            self.line(format!("pthread_mutex_unlock(&@m{mutex});"));
        }
        self.depth -= 1;
        self.line("}");
    }

    fn load(&self, load: &Load) -> String {
        let (to, from) = (register(load.to), self.place(load.from));
        match load.order {
            None => format!("{to} = {from};"),
            Some(order) => format!("{to} = atomic_load_explicit(&{from}, {});", name(order)),
        }
    }

    fn poll(&mut self, load: &Load, until: Condition, times: Option<u8>) {
        let head = match times {
            Some(times) => format!("for (int i = 0; i < {times}; i++) {{"),
            None => "for (;;) {".to_owned(),
        };
        let read = self.load(load);
        self.line(format!("{head} {read} if ({}) break; }}", asked(until)));
    }

    fn new_node(&mut self, to: u8, source: Source, [a, n]: [i8; 2]) {
        match source {
            Source::Malloc => {
                self.line(format!("p{to} = malloc(sizeof *p{to});"));
                self.line(format!("p{to}->a = {a}; p{to}->b = 0; p{to}->next = 0;"));
            }
            Source::Calloc => {
                self.line(format!("p{to} = calloc(1, sizeof *p{to});"));
                self.line(format!("p{to}->a = {a};"));
            }
        }
        self.line(format!("atomic_init(&p{to}->n, {n});"));
    }

    fn compare_exchange(&mut self, statement: &Statement) {
        let Statement::CompareExchange { done, place, expected, desired, success, failure } =
            statement
        else {
            return;
        };
        let kind = match desired {
            Operand::Null | Operand::Pointer(_) => "struct @node *",
            Operand::Constant(_) | Operand::Sum(..) => "int ",
        };
        let (place, expected, desired) =
            (self.place(*place), operand(*expected), operand(*desired));
        let (success, failure) = (name(*success), name(*failure));
        self.line(format!(
            "{{ {kind}e = {expected}; x{done} = atomic_compare_exchange_strong_explicit(&{place}, \
             &e, {desired}, {success}, {failure}); }}"
        ));
    }

    fn base(&self, base: Base) -> String {
        match base {
            Base::Global(number) => format!("@g{number}"),
            Base::Local(number) => format!("n{number}"),
            Base::Behind(pointer) => format!("(*p{pointer})"),
        }
    }

    fn place(&self, place: Place) -> String {
        let member = ["a", "b", "n", "next"][usize::from(place.part)];
        match place.base {
            Base::Global(number) => match self.program.globals[usize::from(number)] {
                Global::Node | Global::ThreadLocal => format!("@g{number}.{member}"),
                Global::Pointers => format!("@g{number}[{}]", place.part),
                _ => format!("@g{number}"),
            },
            Base::Local(number) => format!("n{number}.{member}"),
            Base::Behind(pointer) => format!("p{pointer}->{member}"),
        }
    }
}

fn register(register: Register) -> String {
    match register {
        Register::Number(number) => format!("x{number}"),
        Register::Pointer(number) => format!("p{number}"),
    }
}

fn operand(operand: Operand) -> String {
    match operand {
        Operand::Constant(constant) => constant.to_string(),
        Operand::Sum(number, 0) => format!("x{number}"),
        Operand::Sum(number, constant) => format!("x{number} + {constant}"),
        Operand::Null => "0".to_owned(),
        Operand::Pointer(pointer) => format!("p{pointer}"),
    }
}

fn asked(condition: Condition) -> String {
    match condition {
        Condition::IsSet(pointer) => format!("p{pointer}"),
        Condition::IsNull(pointer) => format!("!p{pointer}"),
        Condition::Equals(number, constant) => format!("x{number} == {constant}"),
        Condition::Differs(number, constant) => format!("x{number} != {constant}"),
        Condition::Same(one, other) => format!("p{one} == p{other}"),
    }
}

fn name(order: Order) -> &'static str {
    match order {
        Order::Relaxed => "memory_order_relaxed",
        Order::Acquire => "memory_order_acquire",
        Order::Release => "memory_order_release",
        Order::Both => "memory_order_acq_rel",
        Order::Total => "memory_order_seq_cst",
    }
}
