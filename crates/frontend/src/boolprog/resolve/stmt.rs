//! Statements to instructions.

use model::{BitExpr, Diagnostic, Span};
use rustc_hash::FxHashSet;

use super::declare::Declared;
use super::expr::Context;
use super::jumps::Jumps;
use super::scope::Scope;
use super::{Global, Resolver, Trouble};
use crate::boolprog::ast::{self, Decl, Expr, Name, Stmt, StmtKind, Target, Type};
use crate::boolprog::code::{Action, Instruction, Place, Procedure};
use crate::suggest::did_you_mean;

/// The procedure whose instructions are being made.
pub(super) struct Body<'r, 'a, 's> {
    pub resolver: &'r mut Resolver<'a, 's>,
    pub scope: Scope<'a>,
    /// Is it `main`? What is assigned to other threads is a local of theirs.
    pub is_main: bool,
    /// Choices of the statement so far.
    pub n_choices: u32,
    pub jumps: Jumps<'a>,
    pub instructions: Vec<Instruction>,
    pub declared: Declared,
    n_results: usize,
}

/// The instructions of a procedure.
pub(super) fn procedure<'a>(
    resolver: &mut Resolver<'a, '_>,
    procedure: &'a ast::Procedure,
) -> Procedure {
    let scope = Scope::of(resolver, procedure);
    let is_number = |param: &&Decl| param.kind != Type::Bool;
    let numbers = procedure.params.iter().find(is_number);
    let mut body = Body {
        resolver,
        scope,
        is_main: procedure.name.text == "main",
        n_choices: 0,
        jumps: Jumps::default(),
        instructions: Vec::new(),
        declared: Declared::default(),
        n_results: procedure.n_results as usize,
    };
    if let Some(param) = numbers {
        let why = format!("the parameter `{}` is not Boolean", param.name.text);
        body.opaque(why, param.name.span);
    }
    let n_first = body.first_declarations(&procedure.body);
    body.statements(&procedure.body[n_first..]);
    body.finish(procedure.end);
    body.settle_declarations();
    let (initial, enforced) = (body.initial_values(), body.all_enforced());
    Procedure {
        name: procedure.name.text.clone(),
        n_params: procedure.params.iter().filter(|param| param.kind == Type::Bool).count(),
        initial,
        locals: body.scope.locals,
        n_results: procedure.n_results as usize,
        enforced,
        instructions: body.instructions,
    }
}

impl<'a> Body<'_, 'a, '_> {
    /// A procedure that comes to its end returns; results that it does not give are any.
    fn finish(&mut self, end: Span) {
        let values = (0..self.n_results as u32).map(BitExpr::Choice).collect();
        self.n_choices = self.n_results as u32;
        self.push(Action::Return(values), end);
        self.settle_jumps();
    }

    pub(super) fn push(&mut self, action: Action, span: Span) -> usize {
        let label = self.resolver.label(span);
        let n_choices = std::mem::take(&mut self.n_choices);
        self.instructions.push(Instruction { action, label, n_choices });
        self.instructions.len() - 1
    }

    fn opaque(&mut self, why: String, span: Span) {
        self.resolver.sink.push(
            Diagnostic::warning("BP012", why.clone(), span)
                .help("nothing is said about what happens from here on"),
        );
        self.push(Action::Opaque(why), span);
    }

    pub(super) fn statements(&mut self, statements: &'a [Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    pub(super) fn statement(&mut self, statement: &'a Stmt) {
        for label in &statement.labels {
            self.define(label);
        }
        self.or_opaque(statement.span, |body| body.kind(statement));
    }

    /// Does `inner`; where that has no meaning here, it is not known what happens then.
    pub(super) fn or_opaque(
        &mut self,
        span: Span,
        inner: impl FnOnce(&mut Self) -> Result<(), Trouble>,
    ) {
        self.n_choices = 0;
        if let Err(Trouble::Opaque(why)) = inner(self) {
            self.n_choices = 0;
            self.opaque(why, span);
        }
    }

    fn kind(&mut self, statement: &'a Stmt) -> Result<(), Trouble> {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Skip => self.act(Action::Skip, span),
            StmtKind::Decl(decls) => self.declarations(decls, span),
            StmtKind::Enforce(expr) => self.enforce(expr),
            StmtKind::Assign { targets, values, constrain } => {
                self.assignment(targets, values, constrain.as_ref(), span)
            }
            StmtKind::Call { targets, procedure, args } => {
                self.call(targets, procedure, args, span)
            }
            StmtKind::Goto(labels) => self.goto(labels, span),
            StmtKind::If { condition, then, otherwise } => {
                self.branch(condition, then, otherwise, span)
            }
            StmtKind::While { condition, body } => self.repetition(condition, body),
            StmtKind::Block(body) => {
                self.statements(body);
                Ok(())
            }
            StmtKind::Atomic(body) => {
                self.push(Action::AtomicBegin, span);
                self.atomic_block(body);
                self.act(Action::AtomicEnd, span)
            }
            StmtKind::Break => self.leave(span),
            StmtKind::Continue => self.repeat(span),
            StmtKind::Assume(expr) => {
                let condition = self.expr(expr, Context::Plain)?;
                self.act(Action::Assume(condition), span)
            }
            StmtKind::Assert(expr) => {
                let condition = self.expr(expr, Context::Plain)?;
                self.act(Action::Assert(condition), span)
            }
            StmtKind::StartThread(label) => self.start_thread(label, span),
            StmtKind::CreateThread(procedure) => self.create_thread(procedure, span),
            StmtKind::EndThread => self.act(Action::EndThread, span),
            StmtKind::AtomicBegin => self.act(Action::AtomicBegin, span),
            StmtKind::AtomicEnd => self.act(Action::AtomicEnd, span),
            StmtKind::Return(values) => self.give_back(values, span),
            StmtKind::Dead(names) => self.forget(names, span),
            StmtKind::Acquire(name) => self.lock(name, span, true),
            StmtKind::Release(name) => self.lock(name, span, false),
            StmtKind::Opaque(what) => {
                let message = format!("it is not known what `{what}` does");
                let diagnostic = Diagnostic::error("BP012", message, span);
                Err(self.resolver.unknown(diagnostic))
            }
        }
    }

    fn act(&mut self, action: Action, span: Span) -> Result<(), Trouble> {
        self.push(action, span);
        Ok(())
    }

    fn assignment(
        &mut self,
        targets: &[Target],
        values: &[Expr],
        constrain: Option<&Expr>,
        span: Span,
    ) -> Result<(), Trouble> {
        if targets.len() != values.len() {
            let message =
                format!("{} variables are assigned {} values", targets.len(), values.len());
            return Err(self.resolver.error("BP008", message, span).into());
        }
        let (mut assigns, mut passive) = (Vec::new(), Vec::new());
        for (target, value) in targets.iter().zip(values) {
            if target.is_passive {
                let idx = self.passive_local(&target.name.text, target.name.span)?;
                passive.push((idx, self.expr(value, Context::Passive)?));
            } else {
                let place = self.assignable(&target.name)?;
                assigns.push((place, self.expr(value, Context::Plain)?));
            }
        }
        self.refuse_repeated(targets)?;
        let constraint = match constrain {
            Some(expr) => self.expr(expr, Context::Constraint)?,
            None => BitExpr::TRUE,
        };
        self.act(Action::Assign { assigns, passive, constraint }, span)
    }

    fn refuse_repeated(&mut self, targets: &[Target]) -> Result<(), Trouble> {
        let mut earlier = FxHashSet::default();
        for target in targets {
            if !earlier.insert((&target.name.text, target.is_passive)) {
                let message = format!("`{}` is assigned twice", target.name.text);
                return Err(self.resolver.error("BP006", message, target.name.span).into());
            }
        }
        Ok(())
    }

    /// A variable that may be assigned: any but a lock.
    fn assignable(&mut self, name: &Name) -> Result<Place, Trouble> {
        let is_local = self.scope.get(&name.text).is_some();
        let global = self.resolver.globals.get(name.text.as_str());
        if let (false, Some(Global::Lock(..))) = (is_local, global) {
            let message = format!("`{}` is a lock", name.text);
            let help = "say `acquire` and `release`, or declare it with `decl`";
            let diagnostic = Diagnostic::error("BP010", message, name.span).help(help);
            self.resolver.sink.push(diagnostic);
            return Err(Trouble::Reported);
        }
        self.variable(&name.text, name.span)
    }

    fn call(
        &mut self,
        targets: &[Target],
        procedure: &Name,
        args: &[Expr],
        span: Span,
    ) -> Result<(), Trouble> {
        let mut places = Vec::new();
        for target in targets {
            if target.is_passive {
                let message = "a result is not assigned to other threads";
                return Err(self.resolver.error("BP011", message, target.name.span).into());
            }
            places.push(self.assignable(&target.name)?);
        }
        self.refuse_repeated(targets)?;
        self.call_into(places, procedure, args, span)
    }

    pub(super) fn call_into(
        &mut self,
        targets: Vec<Place>,
        procedure: &Name,
        args: &[Expr],
        span: Span,
    ) -> Result<(), Trouble> {
        let callee = self.procedure_called(procedure)?;
        let declared = &self.resolver.program.procedures[callee];
        let (n_params, n_results) = (declared.params.len(), declared.n_results as usize);
        if args.len() != n_params {
            let message = format!(
                "`{}` has {n_params} parameters and is given {} values",
                procedure.text,
                args.len()
            );
            return Err(self.resolver.error("BP008", message, span).into());
        }
        if !targets.is_empty() && targets.len() != n_results {
            let message =
                format!("`{}` gives {n_results} results, not {}", procedure.text, targets.len());
            return Err(self.resolver.error("BP008", message, span).into());
        }
        // A procedure with a number among its parameters says itself that it is not known.
        let args: Result<Vec<BitExpr>, Trouble> = (args.iter().zip(&declared.params))
            .filter(|(_, param)| param.kind == Type::Bool)
            .map(|(arg, _)| self.expr(arg, Context::Plain))
            .collect();
        self.act(Action::Call { procedure: callee, args: args?, targets }, span)
    }

    fn procedure_called(&mut self, name: &Name) -> Result<usize, Trouble> {
        if let Some(&callee) = self.resolver.procedures.get(name.text.as_str()) {
            return Ok(callee);
        }
        let message = format!("there is no procedure `{}`", name.text);
        let mut diagnostic = Diagnostic::error("BP005", message, name.span);
        let known = self.resolver.program.procedures.iter().map(|known| known.name.text.as_str());
        if let Some(help) = did_you_mean(&name.text, known) {
            diagnostic = diagnostic.help(help);
        }
        Err(self.resolver.unknown(diagnostic))
    }

    fn create_thread(&mut self, name: &Name, span: Span) -> Result<(), Trouble> {
        let procedure = self.procedure_called(name)?;
        if !self.resolver.program.procedures[procedure].params.is_empty() {
            let message = format!("`{}` has parameters: no thread starts with it", name.text);
            return Err(self.resolver.error("BP008", message, name.span).into());
        }
        self.act(Action::CreateThread(procedure), span)
    }

    fn give_back(&mut self, values: &[Expr], span: Span) -> Result<(), Trouble> {
        self.stay_in(0, "`return`", span)?;
        if values.len() != self.n_results {
            let message = format!(
                "{} values are returned, and the procedure gives {} results",
                values.len(),
                self.n_results
            );
            return Err(self.resolver.error("BP008", message, span).into());
        }
        let values: Result<Vec<BitExpr>, Trouble> =
            values.iter().map(|value| self.expr(value, Context::Plain)).collect();
        self.act(Action::Return(values?), span)
    }

    fn forget(&mut self, names: &[Name], span: Span) -> Result<(), Trouble> {
        let (mut assigns, mut earlier) = (Vec::new(), FxHashSet::default());
        for name in names {
            let place = self.assignable(name)?;
            if earlier.insert(place) {
                assigns.push((place, BitExpr::Choice(assigns.len() as u32)));
            }
        }
        self.n_choices = assigns.len() as u32;
        self.act(assign(assigns), span)
    }

    /// A lock with an owner, or a variable that is used as a lock.
    fn lock(&mut self, name: &Name, span: Span, acquires: bool) -> Result<(), Trouble> {
        let is_local = self.scope.get(&name.text).is_some();
        let global = self.resolver.globals.get(name.text.as_str());
        if let (false, Some(&Global::Lock(_, idx))) = (is_local, global) {
            let action = if acquires { Action::Acquire(idx) } else { Action::Release(idx) };
            return self.act(action, span);
        }
        let place = self.variable(&name.text, name.span)?;
        // It is free when it is false. One step waits for that and takes it.
        let constraint = match acquires {
            true => BitExpr::Before(place).negated(),
            false => BitExpr::TRUE,
        };
        let assigns = vec![(place, BitExpr::Const(acquires))];
        self.act(Action::Assign { assigns, passive: Vec::new(), constraint }, span)
    }
}

pub(super) fn assign(assigns: Vec<(Place, BitExpr)>) -> Action {
    Action::Assign { assigns, passive: Vec::new(), constraint: BitExpr::TRUE }
}
