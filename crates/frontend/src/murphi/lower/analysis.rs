//! What must be known of functions before code is made: which call themselves,
//! which can drop the rule that calls them, how large each is, what writes.

use super::super::typed::{
    Argument, Domain, Expr, ExprKind, FunctionId, LocalId, Place, Program, Projection, PutItem,
    Root, Stmt, StmtKind,
};

/// What is known of each function.
#[derive(Debug, Default)]
pub(super) struct Traits {
    /// Does it call itself, directly or through others?
    pub(super) is_recursive: Vec<bool>,
    /// May it meet an `assume` that is false?
    pub(super) may_drop: Vec<bool>,
    /// Rough number of operations, those of the functions it calls included.
    pub(super) size: Vec<usize>,
}

/// What a walk over statements and expressions meets.
pub(super) trait Visitor {
    /// A call.
    fn call(&mut self, _function: FunctionId) {}
    /// A node of any kind.
    fn node(&mut self) {}
    /// A local name.
    fn local(&mut self, _local: LocalId) {}
    /// An `assume`.
    fn assume(&mut self) {}
}

impl Traits {
    /// Looks at all functions.
    pub(super) fn of(program: &Program) -> Traits {
        let own: Vec<Own> = program.functions.iter().map(|f| Own::of(&f.body)).collect();
        let n = own.len();
        let mut traits = Traits {
            is_recursive: vec![false; n],
            may_drop: own.iter().map(|own| own.assumes).collect(),
            size: vec![0; n],
        };
        let order = traits.find_recursion(&own);
        for &idx in &order {
            let callees = &own[idx].calls;
            traits.size[idx] = callees.iter().fold(own[idx].n_nodes, |sum, callee| {
                let inlined = !traits.is_recursive[callee.0 as usize];
                sum.saturating_add(if inlined { traits.size[callee.0 as usize] } else { 1 })
            });
        }
        traits.spread_drops(&own);
        traits
    }

    /// Marks functions that lie on a cycle of calls; gives all functions, those that
    /// are called before those that call them as far as there is no cycle.
    fn find_recursion(&mut self, own: &[Own]) -> Vec<usize> {
        let mut search = Search { own, index: vec![None; own.len()], ..Search::default() };
        for idx in 0..own.len() {
            if search.index[idx].is_none() {
                search.visit(idx, &mut self.is_recursive);
            }
        }
        search.finished
    }

    fn spread_drops(&mut self, own: &[Own]) {
        let mut changed = true;
        while changed {
            changed = false;
            for (idx, own) in own.iter().enumerate() {
                let now = own.calls.iter().any(|callee| self.may_drop[callee.0 as usize]);
                changed |= now && !self.may_drop[idx];
                self.may_drop[idx] |= now;
            }
        }
    }
}

/// Strongly connected components by depth-first search with an explicit stack, for
/// chains of calls may be long.
#[derive(Default)]
struct Search<'a> {
    own: &'a [Own],
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    open: Vec<usize>,
    finished: Vec<usize>,
    n_seen: usize,
}

impl Search<'_> {
    fn visit(&mut self, root: usize, is_recursive: &mut [bool]) {
        self.low.resize(self.own.len(), 0);
        let mut path = vec![(root, 0)];
        while let Some((idx, next)) = path.last_mut() {
            let idx = *idx;
            if *next == 0 && self.index[idx].is_none() {
                self.index[idx] = Some(self.n_seen);
                self.low[idx] = self.n_seen;
                self.n_seen += 1;
                self.open.push(idx);
            }
            let Some(callee) = self.own[idx].calls.get(*next) else {
                path.pop();
                self.leave(idx, path.last().map(|(caller, _)| *caller), is_recursive);
                continue;
            };
            *next += 1;
            let callee = callee.0 as usize;
            is_recursive[idx] |= callee == idx;
            match self.index[callee] {
                None => path.push((callee, 0)),
                Some(seen) if self.open.contains(&callee) => {
                    self.low[idx] = self.low[idx].min(seen);
                }
                Some(_) => {}
            }
        }
    }

    fn leave(&mut self, idx: usize, caller: Option<usize>, is_recursive: &mut [bool]) {
        if let Some(caller) = caller {
            self.low[caller] = self.low[caller].min(self.low[idx]);
        }
        self.finished.push(idx);
        if Some(self.low[idx]) != self.index[idx] {
            return;
        }
        let start = self.open.iter().position(|open| *open == idx).unwrap_or(self.open.len());
        let component = self.open.split_off(start);
        if component.len() > 1 {
            component.iter().for_each(|member| is_recursive[*member] = true);
        }
    }
}

/// What the body of one function has in itself.
#[derive(Debug, Default)]
struct Own {
    calls: Vec<FunctionId>,
    n_nodes: usize,
    assumes: bool,
}

impl Own {
    fn of(body: &[Stmt]) -> Own {
        let mut own = Own::default();
        statements(body, &mut own);
        own
    }
}

impl Visitor for Own {
    fn call(&mut self, function: FunctionId) {
        self.calls.push(function);
    }
    fn node(&mut self) {
        self.n_nodes += 1;
    }
    fn assume(&mut self) {
        self.assumes = true;
    }
}

/// Measures code as it is when calls are inlined.
pub(super) struct Size<'a> {
    /// What is known of functions.
    pub(super) traits: &'a Traits,
    /// The result.
    pub(super) size: usize,
}

impl Visitor for Size<'_> {
    fn call(&mut self, function: FunctionId) {
        self.size = self.size.saturating_add(self.traits.size[function.0 as usize]);
    }
    fn node(&mut self) {
        self.size = self.size.saturating_add(1);
    }
}

/// Looks for calls that write.
pub(super) struct Effects<'a> {
    /// The model.
    pub(super) program: &'a Program,
    /// The result.
    pub(super) found: bool,
}

impl Visitor for Effects<'_> {
    fn call(&mut self, function: FunctionId) {
        self.found |= self.program.functions[function.0 as usize].has_effects;
    }
}

/// Walks over statements.
pub(super) fn statements(all: &[Stmt], visitor: &mut dyn Visitor) {
    for statement in all {
        visitor.node();
        statement_parts(&statement.kind, visitor);
    }
}

fn statement_parts(kind: &StmtKind, visitor: &mut dyn Visitor) {
    match kind {
        StmtKind::If(arms) => {
            for (condition, body) in arms {
                condition.iter().for_each(|condition| expression(condition, visitor));
                statements(body, visitor);
            }
        }
        StmtKind::Switch { subject, arms, otherwise } => {
            expression(subject, visitor);
            for (values, body) in arms {
                values.iter().for_each(|value| expression(value, visitor));
                statements(body, visitor);
            }
            statements(otherwise, visitor);
        }
        StmtKind::For { domain: values, body, .. } => {
            domain(values, visitor);
            statements(body, visitor);
        }
        StmtKind::While(condition, body) => {
            expression(condition, visitor);
            statements(body, visitor);
        }
        StmtKind::Alias { target, body, .. } => {
            argument(target, visitor);
            statements(body, visitor);
        }
        _ => simple_statement(kind, visitor),
    }
}

fn simple_statement(kind: &StmtKind, visitor: &mut dyn Visitor) {
    match kind {
        StmtKind::Assign(target, source) | StmtKind::MultisetAdd(target, source) => {
            place(target, visitor);
            argument(source, visitor);
        }
        StmtKind::Call(function, arguments) => {
            visitor.call(*function);
            arguments.iter().for_each(|each| argument(each, visitor));
        }
        StmtKind::Clear(target) | StmtKind::Undefine(target) => place(target, visitor),
        StmtKind::Assert(condition, _) | StmtKind::Cover(condition, _) => {
            expression(condition, visitor);
        }
        StmtKind::Assume(condition) => {
            visitor.assume();
            expression(condition, visitor);
        }
        StmtKind::Put(items) => items.iter().for_each(|item| match item {
            PutItem::Text(_) => {}
            PutItem::Value(value) => expression(value, visitor),
            PutItem::Place(target) => place(target, visitor),
        }),
        StmtKind::Return(value) => value.iter().for_each(|value| expression(value, visitor)),
        StmtKind::MultisetRemove(multiset, expr)
        | StmtKind::MultisetRemoveIf { multiset, condition: expr, .. } => {
            place(multiset, visitor);
            expression(expr, visitor);
        }
        _ => {}
    }
}

/// Walks over an expression.
pub(super) fn expression(expr: &Expr, visitor: &mut dyn Visitor) {
    visitor.node();
    match &expr.kind {
        ExprKind::Constant(_) => {}
        ExprKind::Read(target) | ExprKind::IsUndefined(target) => place(target, visitor),
        ExprKind::Unary(_, operand) | ExprKind::IsMember(operand, _) => {
            expression(operand, visitor);
        }
        ExprKind::Binary(_, left, right) => {
            expression(left, visitor);
            expression(right, visitor);
        }
        ExprKind::Conditional(condition, left, right) => {
            expression(condition, visitor);
            expression(left, visitor);
            expression(right, visitor);
        }
        ExprKind::SameElement { left, right, .. } | ExprKind::SamePlace { left, right, .. } => {
            place(left, visitor);
            place(right, visitor);
        }
        ExprKind::Quantified { domain: values, body, .. } => {
            domain(values, visitor);
            expression(body, visitor);
        }
        ExprKind::Let { target, body, .. } => {
            argument(target, visitor);
            expression(body, visitor);
        }
        ExprKind::Call(function, arguments) => {
            visitor.call(*function);
            arguments.iter().for_each(|each| argument(each, visitor));
        }
        ExprKind::MultisetCount { multiset, body, .. } => {
            place(multiset, visitor);
            expression(body, visitor);
        }
    }
}

fn domain(values: &Domain, visitor: &mut dyn Visitor) {
    if let Domain::Range { from, to, by } = values {
        for bound in [from, to, by] {
            expression(bound, visitor);
        }
    }
}

fn argument(target: &Argument, visitor: &mut dyn Visitor) {
    match target {
        Argument::Place(target) => place(target, visitor),
        Argument::Value(value) => expression(value, visitor),
    }
}

/// Walks over a place.
pub(super) fn place(target: &Place, visitor: &mut dyn Visitor) {
    visitor.node();
    if let Root::Local(local) = target.root {
        visitor.local(local);
    }
    for step in &target.path {
        if let Projection::Index(index) | Projection::Slot(index) = step {
            expression(index, visitor);
        }
    }
}
