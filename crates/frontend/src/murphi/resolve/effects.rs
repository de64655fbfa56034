//! Which functions write to what outlives them, and which may meet a false `assume`,
//! found as the smallest fixpoint over the calls; and the refusal of such functions
//! where nothing may change, or where there is nothing to give up.

use model::{Diagnostic, Span};

use super::super::typed::{
    Argument, Binder, Expr, ExprKind, Function, FunctionId, LocalKind, Place, Program, Root, Stmt,
    StmtKind,
};
use super::super::visit::Visit;
use super::Resolver;

/// What a function writes to, and whether it can end what calls it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    /// State variables.
    pub state: bool,
    /// For each parameter: what it stands for.
    pub parameters: Vec<bool>,
    /// May it meet an `assume` that is false?
    pub drops: bool,
}

impl Effects {
    fn none(n_parameters: u32) -> Effects {
        Effects { state: false, parameters: vec![false; n_parameters as usize], drops: false }
    }

    fn any(&self) -> bool {
        self.state || self.parameters.contains(&true)
    }
}

/// The effects of all functions.
pub(super) fn compute(program: &Program) -> Vec<Effects> {
    let mut all: Vec<Effects> =
        program.functions.iter().map(|function| Effects::none(function.n_parameters)).collect();
    loop {
        let mut changed = false;
        for (idx, function) in program.functions.iter().enumerate() {
            let mut walk = Walk::new(function, &all);
            walk.block(&function.body);
            let found = walk.found;
            changed |= found != all[idx];
            all[idx] = found;
        }
        if !changed {
            return all;
        }
    }
}

impl Resolver<'_> {
    /// What can be done only when the whole model is known.
    pub(super) fn finish(&mut self, start: Span) {
        for (name, _) in &self.options.constants {
            if !self.overridden.contains(name) {
                let message = format!("the model has no constant `{name}` to replace");
                self.push(Diagnostic::error("MU021", message, start));
            }
        }
        if self.sink.n_errors() == 0 && self.program.starts.is_empty() {
            let message = "the model has no start state, and so no states at all";
            self.push(Diagnostic::warning("MU022", message, start));
        }
        let effects = compute(&self.program);
        for (function, effects) in self.program.functions.iter_mut().zip(&effects) {
            function.has_effects = effects.any();
        }
        let program = std::mem::take(&mut self.program);
        self.refuse_late_writes(&program, &effects);
        for rule in program.starts.iter().chain(&program.rules) {
            let mut walk = Walk::over(&effects);
            rule.binders.iter().for_each(|binder| walk.binder(binder));
            self.refuse_writes(&program, std::mem::take(&mut walk.impure), "the header of a rule");
            rule.guard.iter().for_each(|guard| walk.expr(guard));
            self.refuse_writes(&program, walk.impure, "a guard");
        }
        let properties = program.properties.iter().map(|property| (property, "a property"));
        let assumptions = program.assumptions.iter().map(|one| (one, "an assumption"));
        for (predicate, place) in properties.chain(assumptions) {
            let mut walk = Walk::over(&effects);
            walk.expr(&predicate.condition);
            self.refuse_writes(&program, walk.impure, place);
        }
        self.program = program;
    }

    /// Reports calls in a proposition that would change the state, or that would leave
    /// it open whether the proposition is true.
    pub(super) fn check_proposition(&mut self, condition: &Expr) {
        let program = std::mem::take(&mut self.program);
        let effects = compute(&program);
        let mut walk = Walk::over(&effects);
        walk.expr(condition);
        self.refuse_writes(&program, walk.impure, "a proposition");
        for (function, span) in walk.dropping {
            let name = name_of(&program, function);
            let message =
                format!("`{name}` may meet a false `assume` and is called in a proposition");
            self.push(Diagnostic::error("MU013", message, span));
        }
        self.program = program;
    }

    /// Reports calls that change something and are made later than they are written.
    fn refuse_late_writes(&mut self, program: &Program, effects: &[Effects]) {
        for (function, span) in std::mem::take(&mut self.made_late) {
            let changes = effects.get(function.0 as usize).is_some_and(|effects| {
                // The last parameter is for the result.
                let (_, passed) = effects.parameters.split_last().unwrap_or((&false, &[]));
                effects.state || passed.contains(&true)
            });
            if changes {
                let name = name_of(program, function);
                let message = format!("`{name}` changes the state beside others in one expression");
                let help = "assign its result to a variable first";
                self.push(Diagnostic::error("MU014", message, span).help(help));
            }
        }
    }

    fn refuse_writes(&mut self, program: &Program, impure: Vec<(FunctionId, Span)>, place: &str) {
        for (function, span) in impure {
            let name = name_of(program, function);
            let message = format!("`{name}` changes the state and is called in {place}");
            self.push(Diagnostic::error("MU013", message, span));
        }
    }
}

fn name_of(program: &Program, function: FunctionId) -> &str {
    program.functions.get(function.0 as usize).map_or("a function", |one| one.name.as_str())
}

/// A walk over a body or a condition that notes what is written.
struct Walk<'a> {
    all: &'a [Effects],
    /// For each local: what it stands for; `None` for a variable of its own.
    roots: Vec<Option<Root>>,
    found: Effects,
    /// Calls that write to the state.
    impure: Vec<(FunctionId, Span)>,
    /// Calls that may meet a false `assume`.
    dropping: Vec<(FunctionId, Span)>,
}

impl<'a> Walk<'a> {
    fn new(function: &Function, all: &'a [Effects]) -> Walk<'a> {
        let n_parameters = function.n_parameters as usize;
        let roots = function.locals.iter().enumerate().map(|(idx, local)| {
            let is_outside = idx < n_parameters && local.kind == LocalKind::Reference;
            is_outside.then_some(Root::Local(super::super::typed::LocalId(idx as u32)))
        });
        let found = Effects::none(function.n_parameters);
        Walk { roots: roots.collect(), found, ..Walk::over(all) }
    }

    fn over(all: &'a [Effects]) -> Walk<'a> {
        let found = Effects::default();
        Walk { all, roots: Vec::new(), found, impure: Vec::new(), dropping: Vec::new() }
    }

    /// What a place is a part of, if it outlives the function.
    fn root(&self, place: &Place) -> Option<Root> {
        match place.root {
            Root::Variable(_) => Some(place.root),
            Root::Local(local) => self.roots.get(local.0 as usize).copied().flatten(),
        }
    }

    fn write(&mut self, place: &Place) {
        match self.root(place) {
            Some(Root::Variable(_)) => self.found.state = true,
            Some(Root::Local(local)) => {
                if let Some(written) = self.found.parameters.get_mut(local.0 as usize) {
                    *written = true;
                }
            }
            None => {}
        }
        self.place(place);
    }

    fn bind(&mut self, local: usize, target: &Argument) {
        self.argument(target);
        let root = match target {
            Argument::Place(place) => self.root(place),
            Argument::Value(_) => None,
        };
        if self.roots.len() <= local {
            self.roots.resize(local + 1, None);
        }
        self.roots[local] = root;
    }

    fn called(&mut self, function: FunctionId, arguments: &[Argument], span: Span) {
        arguments.iter().for_each(|argument| self.argument(argument));
        let all = self.all;
        let Some(effects) = all.get(function.0 as usize) else { return };
        let before = self.found.clone();
        self.found.state |= effects.state;
        let mut writes_outside = effects.state;
        for (argument, written) in arguments.iter().zip(&effects.parameters) {
            if let (Argument::Place(place), true) = (argument, *written) {
                writes_outside |= self.root(place).is_some();
                self.write(place);
            }
        }
        if writes_outside || self.found != before {
            self.impure.push((function, span));
        }
        if effects.drops {
            self.found.drops = true;
            self.dropping.push((function, span));
        }
    }
}

impl Visit for Walk<'_> {
    fn binder(&mut self, binder: &Binder) {
        match binder {
            Binder::Each { domain, .. } => self.domain(domain),
            Binder::Choose { multiset, .. } => self.place(multiset),
            Binder::Alias { local, target } => self.bind(local.0 as usize, target),
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Assign(place, value) | StmtKind::MultisetAdd(place, value) => {
                self.write(place);
                self.argument(value);
            }
            StmtKind::Clear(place) | StmtKind::Undefine(place) => self.write(place),
            StmtKind::MultisetRemove(place, expr)
            | StmtKind::MultisetRemoveIf { multiset: place, condition: expr, .. } => {
                self.write(place);
                self.expr(expr);
            }
            StmtKind::Assume(expr) => {
                self.found.drops = true;
                self.expr(expr);
            }
            StmtKind::Alias { local, target, body } => {
                self.bind(local.0 as usize, target);
                self.block(body);
            }
            StmtKind::Call(function, arguments) => {
                self.called(*function, arguments, statement.span);
            }
            _ => self.parts_of_statement(statement),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Let { local, target, body } => {
                self.bind(local.0 as usize, target);
                self.expr(body);
            }
            ExprKind::Call(function, arguments) => self.called(*function, arguments, expr.span),
            _ => self.parts_of_expr(expr),
        }
    }
}
