//! A program with each procedure as a list of operations, so that a place in it is a number.

use std::collections::BTreeMap;

use frontend::boolprog::ast::{self, Decl, Dialect, Expr, ExprKind, Program, Stmt, StmtKind, Type};

/// A program that can be run.
pub(super) struct Code<'a> {
    pub dialect: Dialect,
    pub globals: &'a [Decl],
    /// Their positions.
    pub global_names: BTreeMap<&'a str, usize>,
    pub procedures: Vec<Procedure<'a>>,
    /// The procedure that threads start with.
    pub main: usize,
    error_labels: Vec<&'a str>,
}

/// A procedure that can be run.
pub(super) struct Procedure<'a> {
    pub name: &'a str,
    pub n_params: usize,
    pub n_results: usize,
    /// Parameters first.
    pub locals: Vec<&'a str>,
    /// The locals that begin with a value, which their declaration gives them before the
    /// first statement or label.
    pub begin_with: BTreeMap<&'a str, bool>,
    /// What is true after each of its steps.
    pub enforced: Vec<&'a Expr>,
    pub operations: Vec<Operation<'a>>,
    labels: BTreeMap<&'a str, usize>,
}

/// What a step does at one place.
pub(super) enum Operation<'a> {
    /// A statement without statements inside, or a jump of the text.
    Do(&'a Stmt),
    /// The locals of the first declarations have values that are not excluded.
    Begin(Vec<&'a str>),
    /// No statement: nothing is enforced but what speaks of locals, this one among them.
    Declare(&'a Decl),
    /// Declares by assigning a value that is computed: a statement.
    Compute(&'a Decl, &'a Expr),
    /// To the next operation if true, else to this one.
    Test(&'a Expr, usize),
    Jump(usize),
    AtomicBegin,
    AtomicEnd,
    /// The end of the procedure: results have any values.
    End,
}

/// Where a label leads.
pub(super) enum Destination {
    Operation(usize),
    Error,
}

impl<'a> Code<'a> {
    pub fn of(program: &'a Program) -> Result<Code<'a>, String> {
        if !program.starts.is_empty() {
            return Err("`init` names procedures".into());
        }
        if program.globals.iter().any(|decl| decl.kind == Type::Number) {
            return Err("there are numbers".into());
        }
        let names = program.globals.iter().enumerate();
        let procedures: Vec<Procedure<'a>> =
            program.procedures.iter().map(Procedure::of).collect::<Result<_, _>>()?;
        let main = procedures.iter().position(|procedure| procedure.name == "main");
        Ok(Code {
            dialect: program.dialect,
            globals: &program.globals,
            global_names: names.map(|(idx, decl)| (decl.name.text.as_str(), idx)).collect(),
            procedures,
            main: main.ok_or("there is no `main`")?,
            error_labels: program.error_labels.iter().map(|name| name.text.as_str()).collect(),
        })
    }

    pub fn procedure(&self, name: &str) -> Result<usize, String> {
        let found = self.procedures.iter().position(|procedure| procedure.name == name);
        found.ok_or_else(|| format!("there is no procedure `{name}`"))
    }

    /// Where a label of a procedure leads.
    pub fn destination(&self, procedure: usize, label: &str) -> Result<Destination, String> {
        if let Some(&at) = self.procedures[procedure].labels.get(label) {
            return Ok(Destination::Operation(at));
        }
        let is_error = self.error_labels.contains(&label);
        is_error.then_some(Destination::Error).ok_or_else(|| format!("there is no label `{label}`"))
    }

    /// The position of a lock with an owner.
    pub fn owned_lock(&self, name: &str) -> Option<usize> {
        let idx = *self.global_names.get(name)?;
        (self.globals[idx].kind == Type::Lock).then_some(idx)
    }
}

impl<'a> Procedure<'a> {
    fn of(procedure: &'a ast::Procedure) -> Result<Procedure<'a>, String> {
        let mut flat = Procedure {
            name: &procedure.name.text,
            n_params: procedure.params.len(),
            n_results: procedure.n_results as usize,
            locals: procedure.params.iter().map(|decl| decl.name.text.as_str()).collect(),
            begin_with: BTreeMap::new(),
            enforced: Vec::new(),
            operations: Vec::new(),
            labels: BTreeMap::new(),
        };
        let is_first = |statement: &&Stmt| {
            matches!(statement.kind, StmtKind::Decl(_) | StmtKind::Enforce(_))
                && statement.labels.is_empty()
        };
        let n_first = procedure.body.iter().take_while(is_first).count();
        flat.begin(&procedure.body[..n_first]);
        flat.statements(&procedure.body[n_first..], &mut Vec::new())?;
        flat.operations.push(Operation::End);
        Ok(flat)
    }

    fn begin(&mut self, first: &'a [Stmt]) {
        let (mut declared, mut computed) = (Vec::new(), Vec::new());
        for statement in first {
            match &statement.kind {
                StmtKind::Enforce(expr) => self.enforced.push(expr),
                StmtKind::Decl(decls) => {
                    for decl in decls {
                        let name = decl.name.text.as_str();
                        self.locals.push(name);
                        match decl.init.as_ref().map(|init| (init, &init.kind)) {
                            None | Some((_, ExprKind::Star)) => declared.push(name),
                            Some((_, ExprKind::Const(value))) => {
                                self.begin_with.insert(name, *value);
                                declared.push(name);
                            }
                            Some((init, _)) => computed.push(Operation::Compute(decl, init)),
                        }
                    }
                }
                _ => {}
            }
        }
        self.operations.push(Operation::Begin(declared));
        self.operations.append(&mut computed);
    }

    fn statements(
        &mut self,
        statements: &'a [Stmt],
        around: &mut Vec<Around>,
    ) -> Result<(), String> {
        statements.iter().try_for_each(|statement| self.statement(statement, around))
    }

    fn statement(&mut self, statement: &'a Stmt, around: &mut Vec<Around>) -> Result<(), String> {
        for label in &statement.labels {
            self.labels.insert(&label.text, self.operations.len());
        }
        match &statement.kind {
            StmtKind::Decl(decls) => {
                for decl in decls {
                    self.locals.push(&decl.name.text);
                    self.operations.push(match &decl.init {
                        Some(init) if !matches!(init.kind, ExprKind::Star | ExprKind::Const(_)) => {
                            Operation::Compute(decl, init)
                        }
                        _ => Operation::Declare(decl),
                    });
                }
            }
            StmtKind::Enforce(expr) => self.enforced.push(expr),
            StmtKind::If { condition, then, otherwise } => {
                self.branch(condition, then, otherwise, around)?;
            }
            StmtKind::While { condition, body } => self.repetition(condition, body, around)?,
            StmtKind::Block(body) => self.statements(body, around)?,
            StmtKind::Atomic(body) => {
                self.operations.push(Operation::AtomicBegin);
                self.statements(body, around)?;
                self.operations.push(Operation::AtomicEnd);
            }
            StmtKind::Break => {
                let innermost = around.iter().rposition(|around| around.head.is_some());
                let idx = innermost.or(around.len().checked_sub(1)).ok_or("nothing to leave")?;
                around[idx].leaving.push(self.jump());
            }
            StmtKind::Continue => {
                let head = around.iter().rev().find_map(|around| around.head);
                self.operations.push(Operation::Jump(head.ok_or("no loop to repeat")?));
            }
            StmtKind::Opaque(what) => return Err(format!("`{what}` has no meaning")),
            _ => self.operations.push(Operation::Do(statement)),
        }
        Ok(())
    }

    /// A jump whose destination is not known yet.
    fn jump(&mut self) -> usize {
        self.operations.push(Operation::Jump(usize::MAX));
        self.operations.len() - 1
    }

    fn aim(&mut self, at: usize, to: usize) {
        match &mut self.operations[at] {
            Operation::Jump(target) | Operation::Test(_, target) => *target = to,
            _ => {}
        }
    }

    fn branch(
        &mut self,
        condition: &'a Expr,
        then: &'a [Stmt],
        otherwise: &'a [Stmt],
        around: &mut Vec<Around>,
    ) -> Result<(), String> {
        let test = self.operations.len();
        self.operations.push(Operation::Test(condition, usize::MAX));
        around.push(Around::default());
        self.statements(then, around)?;
        let over = self.jump();
        self.aim(test, self.operations.len());
        self.statements(otherwise, around)?;
        self.aim(over, self.operations.len());
        self.land(around);
        Ok(())
    }

    fn repetition(
        &mut self,
        condition: &'a Expr,
        body: &'a [Stmt],
        around: &mut Vec<Around>,
    ) -> Result<(), String> {
        let head = self.operations.len();
        self.operations.push(Operation::Test(condition, usize::MAX));
        around.push(Around { head: Some(head), leaving: Vec::new() });
        self.statements(body, around)?;
        self.operations.push(Operation::Jump(head));
        self.aim(head, self.operations.len());
        self.land(around);
        Ok(())
    }

    /// What leaves the innermost loop or branch goes on here.
    fn land(&mut self, around: &mut Vec<Around>) {
        let here = self.operations.len();
        for at in around.pop().unwrap_or_default().leaving {
            self.aim(at, here);
        }
    }
}

/// A loop or a branch around a statement.
#[derive(Default)]
struct Around {
    /// Where a loop begins.
    head: Option<usize>,
    /// Jumps to behind it.
    leaving: Vec<usize>,
}
