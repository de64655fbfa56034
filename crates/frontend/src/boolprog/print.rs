//! Writes a Boolean program: the syntax tree as text, in the dialect that it was read in.
//! Reading the text gives the same tree, but for positions.

use std::fmt::Write as _;

use super::ast::{
    Decl, Dialect, Expr, ExprKind, Operator, Procedure, Program, Stmt, StmtKind, Target, Type,
};

/// The text of a program.
pub fn print(program: &Program) -> String {
    let mut printer = Printer { text: String::new(), depth: 0, program };
    for decl in &program.globals {
        printer.line(&declaration(std::slice::from_ref(decl)));
    }
    for label in &program.error_labels {
        printer.line(&format!("{0}: goto {0};", label.text));
    }
    for start in &program.starts {
        printer.line(&format!("init {};", start.text));
    }
    for procedure in &program.procedures {
        printer.procedure(procedure);
    }
    printer.text
}

struct Printer<'p> {
    text: String,
    depth: usize,
    program: &'p Program,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:indent$}{line}", "", indent = 2 * self.depth);
    }

    fn braces(&self) -> bool {
        self.program.dialect == Dialect::Cuba
    }

    fn procedure(&mut self, procedure: &Procedure) {
        let results = match procedure.n_results {
            0 => "void".to_owned(),
            1 => "bool".to_owned(),
            n => format!("bool<{n}>"),
        };
        let params: Vec<String> = procedure.params.iter().map(param).collect();
        let open = if self.braces() { "{" } else { "begin" };
        self.line("");
        self.line(&format!("{results} {}({}) {open}", procedure.name.text, params.join(", ")));
        self.indented(&procedure.body);
        self.line(if self.braces() { "}" } else { "end" });
    }

    fn indented(&mut self, statements: &[Stmt]) {
        self.depth += 1;
        for statement in statements {
            self.statement(statement);
        }
        self.depth -= 1;
    }

    fn statement(&mut self, statement: &Stmt) {
        let labels: String =
            statement.labels.iter().map(|label| format!("{}: ", label.text)).collect();
        match &statement.kind {
            StmtKind::If { condition, then, otherwise } => {
                self.branch(&labels, condition, then, otherwise);
            }
            StmtKind::While { condition, body } if self.braces() => {
                self.line(&format!("{labels}while ({}) {{", expr(condition)));
                self.indented(body);
                self.line("}");
            }
            StmtKind::While { condition, body } => {
                self.line(&format!("{labels}while {} do", expr(condition)));
                self.indented(body);
                self.line("od;");
            }
            StmtKind::Block(body) => {
                self.line(&format!("{labels}{{"));
                self.indented(body);
                self.line("}");
            }
            StmtKind::Atomic(body) => {
                self.line(&format!("{labels}atomic {{"));
                self.indented(body);
                self.line("}");
            }
            other => self.line(&format!("{labels}{}", self.simple(other))),
        }
    }

    fn simple(&self, kind: &StmtKind) -> String {
        let names = |names: &[super::ast::Name]| {
            names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(", ")
        };
        match kind {
            StmtKind::Skip => "skip;".to_owned(),
            StmtKind::Decl(decls) => declaration(decls),
            StmtKind::Enforce(condition) => format!("enforce {};", expr(condition)),
            StmtKind::Assign { targets, values, constrain } => {
                let constrain =
                    constrain.as_ref().map_or(String::new(), |c| format!(" constrain {}", expr(c)));
                format!("{} := {}{constrain};", assigned(targets), list(values))
            }
            StmtKind::Call { targets, procedure, args } if targets.is_empty() => {
                format!("call {}({});", procedure.text, list(args))
            }
            StmtKind::Call { targets, procedure, args } => {
                format!("{} := {}({});", assigned(targets), procedure.text, list(args))
            }
            StmtKind::Goto(labels) => format!("goto {};", names(labels)),
            StmtKind::Break => "break;".to_owned(),
            StmtKind::Continue => "continue;".to_owned(),
            StmtKind::Assume(condition) => format!("assume({});", expr(condition)),
            StmtKind::Assert(condition) => format!("assert({});", expr(condition)),
            StmtKind::StartThread(label) => format!("start_thread goto {};", label.text),
            StmtKind::CreateThread(procedure) => {
                format!("{}(&{});", self.word("create_thread", "thread_create"), procedure.text)
            }
            StmtKind::EndThread => "end_thread;".to_owned(),
            StmtKind::AtomicBegin => "atomic_begin;".to_owned(),
            StmtKind::AtomicEnd => "atomic_end;".to_owned(),
            StmtKind::Return(values) if values.is_empty() => "return;".to_owned(),
            StmtKind::Return(values) => format!("return {};", list(values)),
            StmtKind::Dead(variables) => format!("dead {};", names(variables)),
            StmtKind::Acquire(lock) => format!("{}({});", self.word("acquire", "lock"), lock.text),
            StmtKind::Release(lock) => {
                format!("{}({});", self.word("release", "unlock"), lock.text)
            }
            StmtKind::Opaque(text) => format!("{text};"),
            StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::Block(_)
            | StmtKind::Atomic(_) => String::new(),
        }
    }

    /// The first of two words for the same, unless it is the name of a procedure here.
    fn word(&self, first: &'static str, second: &'static str) -> &'static str {
        let is_taken = self.program.procedures.iter().any(|one| one.name.text == first);
        if is_taken { second } else { first }
    }

    fn branch(&mut self, labels: &str, condition: &Expr, then: &[Stmt], otherwise: &[Stmt]) {
        let [open, middle, close] = match self.braces() {
            true => ["{", "} else {", "}"],
            false => ["then", "else", "fi;"],
        };
        let condition = match self.braces() {
            true => format!("({})", expr(condition)),
            false => expr(condition),
        };
        self.line(&format!("{labels}if {condition} {open}"));
        self.indented(then);
        if !otherwise.is_empty() {
            self.line(middle);
            self.indented(otherwise);
        }
        self.line(close);
    }
}

fn param(decl: &Decl) -> String {
    match decl.kind {
        Type::Number => format!("int {}", decl.name.text),
        _ => decl.name.text.clone(),
    }
}

fn declaration(decls: &[Decl]) -> String {
    let word = match decls.first().map(|decl| decl.kind) {
        Some(Type::Lock) => "lock",
        Some(Type::Number) => "int",
        _ => "decl",
    };
    let parts: Vec<String> = decls
        .iter()
        .map(|decl| match &decl.init {
            Some(init) => format!("{} := {}", decl.name.text, expr(init)),
            None => decl.name.text.clone(),
        })
        .collect();
    format!("{word} {};", parts.join(", "))
}

fn assigned(targets: &[Target]) -> String {
    let name = |target: &Target| match target.is_passive {
        true => format!("{}$", target.name.text),
        false => target.name.text.clone(),
    };
    targets.iter().map(name).collect::<Vec<_>>().join(", ")
}

fn list(exprs: &[Expr]) -> String {
    exprs.iter().map(expr).collect::<Vec<_>>().join(", ")
}

/// An expression, with parentheses around everything that has an operator inside of one.
fn expr(whole: &Expr) -> String {
    match &whole.kind {
        ExprKind::Binary(operator, left, right) => {
            let symbol = match operator {
                Operator::And => "&",
                Operator::Or => "|",
                Operator::Xor => "^",
                Operator::Equal => "=",
                Operator::Implies => "->",
                Operator::Arithmetic(symbol) => symbol,
            };
            format!("{} {symbol} {}", inner(left), inner(right))
        }
        ExprKind::Conditional(condition, then, otherwise) => {
            format!("{} ? {} : {}", inner(condition), inner(then), inner(otherwise))
        }
        _ => inner(whole),
    }
}

fn inner(part: &Expr) -> String {
    match &part.kind {
        ExprKind::Const(value) => u8::from(*value).to_string(),
        ExprKind::Number(text) => text.clone(),
        ExprKind::Star => "*".to_owned(),
        ExprKind::Var(name) => name.clone(),
        ExprKind::Next(name) => format!("'{name}"),
        ExprKind::Passive(name) => format!("{name}$"),
        ExprKind::Not(operand) => format!("!{}", inner(operand)),
        ExprKind::Schoose(yes, no) => format!("schoose[{}, {}]", expr(yes), expr(no)),
        ExprKind::Call(name, args) => format!("{name}({})", list(args)),
        ExprKind::Binary(..) | ExprKind::Conditional(..) => format!("({})", expr(part)),
    }
}
