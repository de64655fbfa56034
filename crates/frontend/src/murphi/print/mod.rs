//! Writes a typed model as Murphi text, which means the same in every dialect.
//!
//! Constants are folded already, and names are what the text had, with numbers behind those that
//! two things have. Reading the text gives a model with the same states and the same answers.
//! **Numbers.** Where a *parameter* is given, of which some elements are merged into its last one,
//! its elements are numbers with names (`node_1`, `node_Other`), and so are the members of unions
//! as far as they can be: other tools have no unions. Nothing is stored for the merged element.
//! **We differ** from the model in one respect: an alias around an expression is replaced by what
//! it stands for, which is then not evaluated where nothing depends on it.
//! **Read first** `spelling.rs`, then `expr.rs`.

mod expr;
mod names;
mod numbering;
mod scope;
mod spelling;
mod stmt;

use std::collections::BTreeSet;

use model::PropertyKind;

use super::typed::{
    Argument, BinaryOp, Binder, Expr, ExprKind, Function, FunctionId, Local, LocalId, LocalKind,
    Predicate, Program, Rule, TypeId, TypeKind,
};
use super::visit::Visit;
use names::Names;
use scope::Scope;
use spelling::Spelling;

/// Longer conditions of rules and properties are broken before each `&`.
const WIDTH: usize = 96;

/// A type of which some elements stay what they are; all others are merged into its last one.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// A scalarset.
    pub ty: TypeId,
    /// The number of elements that are not merged.
    pub n_kept: u32,
}

/// Why a model cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unprintable {
    /// There is no order of the members of unions, this type among them, in which each union is
    /// an interval.
    Unions(TypeId),
}

/// Writes a model.
///
/// # Errors
/// Its elements cannot be written as numbers.
pub fn print(program: &Program, parameter: Option<Parameter>) -> Result<String, Unprintable> {
    let mut numbered: BTreeSet<TypeId> = parameter.iter().map(|one| one.ty).collect();
    loop {
        let mut names = Names::default();
        let variables: Vec<String> =
            program.variables.iter().map(|variable| names.take(&variable.name)).collect();
        let spelling = Spelling::new(program, parameter, &numbered, &mut names)?;
        let functions = program.functions.iter().map(|one| names.take(&one.name)).collect();
        let mut printer = Printer {
            program,
            spelling: &spelling,
            variables,
            functions,
            globals: names,
            scope: Scope::default(),
            returns: None,
            depth: 0,
            text: spelling.declarations(),
        };
        printer.model();
        let text = printer.text;
        let wanted = spelling.wanted.take();
        if wanted.is_empty() {
            return Ok(text);
        }
        // Elements of these have to be written: another time, as numbers.
        numbered.extend(wanted);
    }
}

/// What is written so far, and how names are written.
struct Printer<'a> {
    program: &'a Program,
    spelling: &'a Spelling<'a>,
    variables: Vec<String>,
    functions: Vec<String>,
    globals: Names,
    /// The names of the rule, function or property at hand.
    scope: Scope<'a>,
    /// What the function at hand gives.
    returns: Option<TypeId>,
    depth: usize,
    text: String,
}

impl<'a> Printer<'a> {
    fn model(&mut self) {
        let program = self.program;
        if !program.variables.is_empty() {
            self.line("var");
            for (idx, variable) in program.variables.iter().enumerate() {
                let ty = self.spelling.ty(variable.ty);
                self.line(&format!("  {} : {ty};", self.variables[idx]));
            }
            self.line("");
        }
        for function in called(program) {
            self.function(&program.functions[function.0 as usize], function);
        }
        program.starts.iter().for_each(|start| self.rule(start, true));
        program.rules.iter().for_each(|rule| self.rule(rule, false));
        program.assumptions.iter().for_each(|one| self.predicate(one, "assume"));
        for property in &program.properties {
            self.predicate(
                property,
                match property.kind {
                    PropertyKind::Cover => "cover",
                    PropertyKind::AlwaysReachable => "liveness",
                    _ => "invariant",
                },
            );
        }
    }

    fn line(&mut self, line: &str) {
        if !line.is_empty() {
            self.text.extend(std::iter::repeat_n("  ", self.depth));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    fn element_type(&self, multiset: TypeId) -> TypeId {
        match self.program.types.kind(multiset) {
            TypeKind::Multiset { element, .. } => *element,
            _ => multiset,
        }
    }

    fn enter(&mut self, locals: &'a [Local]) {
        self.scope = Scope::new(locals, &self.globals);
    }

    fn function(&mut self, function: &'a Function, id: FunctionId) {
        self.enter(&function.locals);
        self.returns = function.returns;
        let parameters: Vec<String> = (0..function.n_parameters)
            .map(|idx| {
                let local = &function.locals[idx as usize];
                let word = if local.kind == LocalKind::Reference { "var " } else { "" };
                let ty = self.spelling.ty(local.ty);
                format!("{word}{} : {ty}", self.scope.bind(LocalId(idx)))
            })
            .collect();
        let (word, result) = match function.returns {
            Some(ty) => ("function", format!(" : {}", self.spelling.ty(ty))),
            None => ("procedure", String::new()),
        };
        let name = &self.functions[id.0 as usize];
        let head = format!("{word} {name}({}){result};", parameters.join("; "));
        self.line(&head);
        self.variables_of(&function.locals);
        self.line("begin");
        self.block(&function.body);
        self.line(&format!("end{word};"));
        self.line("");
        self.returns = None;
    }

    /// The variables of a rule or function.
    fn variables_of(&mut self, locals: &[Local]) {
        for (idx, local) in (0..).zip(locals) {
            if local.kind == LocalKind::Variable {
                let ty = self.spelling.ty(local.ty);
                let name = self.scope.bind(LocalId(idx));
                self.line(&format!("var {name} : {ty};"));
            }
        }
    }

    fn rule(&mut self, rule: &'a Rule, is_start: bool) {
        self.enter(&rule.locals);
        let mut closers = Vec::new();
        for binder in &rule.binders {
            let (head, closer) = self.binder(binder);
            // Names of one ruleset stand on one line.
            match (closers.last(), head.strip_prefix("ruleset ")) {
                (Some(&"endruleset;"), Some(more)) => {
                    let at = self.text.len() - " do\n".len();
                    self.text.truncate(at);
                    self.text.push_str(&format!("; {more} do\n"));
                }
                _ => {
                    self.line(&format!("{head} do"));
                    self.depth += 1;
                    closers.push(closer);
                }
            }
        }
        let word = if is_start { "startstate" } else { "rule" };
        let priority = match rule.priority {
            0 => String::new(),
            priority => format!("{} ", spelling::number(priority)),
        };
        self.line(&format!("{word} {priority}\"{}\"", text_of(&rule.name)));
        if let Some(guard) = &rule.guard {
            self.depth += 1;
            self.broken(guard, "");
            self.depth -= 1;
            self.line("==>");
        }
        self.variables_of(&rule.locals);
        self.line("begin");
        self.block(&rule.body);
        self.line(&format!("end{word};"));
        for closer in closers.iter().rev() {
            self.depth -= 1;
            self.line(closer);
        }
        self.line("");
    }

    /// What stands before a rule, without `do`, and what behind it.
    fn binder(&mut self, binder: &Binder) -> (String, &'static str) {
        match binder {
            Binder::Each { local, domain } => {
                let domain = self.domain(domain, self.scope.locals[local.0 as usize].ty);
                (format!("ruleset {}{domain}", self.scope.bind(*local)), "endruleset;")
            }
            Binder::Choose { local, multiset } => {
                let multiset = self.place(multiset);
                (format!("choose {} : {multiset}", self.scope.bind(*local)), "endchoose;")
            }
            Binder::Alias { local, target } => {
                let target = self.argument(target, self.scope.locals[local.0 as usize].ty);
                (format!("alias {} : {target}", self.scope.bind(*local)), "endalias;")
            }
        }
    }

    fn predicate(&mut self, predicate: &'a Predicate, word: &str) {
        self.enter(&predicate.locals);
        self.line(&format!("{word} \"{}\"", text_of(&predicate.name)));
        self.depth += 1;
        self.broken(&predicate.condition, ";");
        self.depth -= 1;
        self.line("");
    }

    /// A condition on as many lines as it needs.
    fn broken(&mut self, condition: &Expr, behind: &str) {
        let whole = self.condition(condition);
        if whole.len() <= WIDTH {
            self.line(&format!("{whole}{behind}"));
            return;
        }
        let mut parts = Vec::new();
        conjuncts(condition, &mut parts);
        let n = parts.len();
        for (idx, part) in parts.into_iter().enumerate() {
            let loosest = if n > 1 { expr::Level::And } else { expr::Level::Loose };
            let part = self.conjunct(part, loosest);
            let word = if idx == 0 { "" } else { "& " };
            let end = if idx + 1 == n { behind } else { "" };
            self.line(&format!("{word}{part}{end}"));
        }
    }
}

fn conjuncts<'e>(condition: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &condition.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            conjuncts(left, parts);
            conjuncts(right, parts);
        }
        _ => parts.push(condition),
    }
}

/// A text as it can stand in quotes.
fn text_of(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '"' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}

/// The functions that are called, each behind those that it calls.
fn called(program: &Program) -> Vec<FunctionId> {
    let mut calls = Calls { program, seen: BTreeSet::new(), order: Vec::new() };
    for rule in program.starts.iter().chain(&program.rules) {
        rule.binders.iter().for_each(|binder| calls.binder(binder));
        rule.guard.iter().for_each(|guard| calls.expr(guard));
        calls.block(&rule.body);
    }
    for predicate in program.assumptions.iter().chain(&program.properties) {
        calls.expr(&predicate.condition);
    }
    calls.order
}

struct Calls<'a> {
    program: &'a Program,
    seen: BTreeSet<u32>,
    order: Vec<FunctionId>,
}

impl Visit for Calls<'_> {
    fn call(&mut self, function: FunctionId, arguments: &[Argument]) {
        arguments.iter().for_each(|argument| self.argument(argument));
        if self.seen.insert(function.0) {
            let program = self.program;
            self.block(&program.functions[function.0 as usize].body);
            self.order.push(function);
        }
    }
}
