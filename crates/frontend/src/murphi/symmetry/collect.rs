//! Walks through one turn of a loop and notes what it reads and writes.

use model::Span;

use super::access::{Access, Base, Effect, Meaning, Region, Step, Turn, TurnFacts, Value};
use super::calls::has_call;
use super::facts::{when_false, when_true};
use crate::murphi::faults::Scope;
use crate::murphi::typed::{
    Argument, BinaryOp, Domain, Expr, ExprKind, FunctionId, Local, LocalId, LocalKind, Place,
    Program, Projection, PutItem, Root, Stmt, StmtKind, TypeId, UnaryOp,
};

/// Calls are looked through to this depth.
const MAX_CALLS: usize = 12;

/// So many calls are looked through for one loop.
const MAX_CALLS_IN_ALL: usize = 2000;

/// Loops that do more than this are not looked through.
const MAX_ACCESSES: usize = 2000;

/// What is noted, and what names stand for.
pub(super) struct Collector<'a> {
    program: &'a Program,
    locals: &'a [Local],
    meanings: Vec<Meaning>,
    facts: TurnFacts,
    n_calls: usize,
    n_calls_in_all: usize,
    turn: Turn,
}

impl<'a> Collector<'a> {
    /// What one turn over `statements` does, where names mean `meanings`.
    pub(super) fn collect(
        program: &'a Program,
        locals: &'a [Local],
        meanings: Vec<Meaning>,
        statements: &'a [Stmt],
    ) -> Turn {
        let mut collector = Collector {
            program,
            locals,
            meanings,
            facts: TurnFacts::default(),
            n_calls: 0,
            n_calls_in_all: 0,
            turn: Turn::default(),
        };
        collector.block(statements);
        collector.turn
    }

    fn block(&mut self, statements: &'a [Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &'a Stmt) {
        match &statement.kind {
            StmtKind::Assign(target, source) => self.assign(target, source, statement.span),
            StmtKind::If(arms) => self.arms(arms),
            StmtKind::Switch { subject, arms, otherwise } => {
                self.expr(subject);
                for (values, body) in arms {
                    values.iter().for_each(|value| self.expr(value));
                    self.block(body);
                }
                self.block(otherwise);
            }
            StmtKind::For { local, domain, body } => {
                self.domain(domain);
                self.mean(*local, Meaning::Value(Value::Unknown));
                self.block(body);
            }
            StmtKind::While(condition, body) => {
                self.expr(condition);
                self.block(body);
            }
            StmtKind::Alias { local, target, body } => {
                let meaning = self.argument(target);
                self.mean(*local, meaning);
                self.block(body);
            }
            StmtKind::Call(function, arguments) => self.call(*function, arguments),
            StmtKind::Return(value) => self.leave(value.as_ref()),
            _ => self.simple(statement),
        }
    }

    fn simple(&mut self, statement: &'a Stmt) {
        match &statement.kind {
            StmtKind::Clear(place) => self.touch(place, Effect::Stable(statement.span)),
            StmtKind::Undefine(place) => self.touch(place, Effect::Stable(statement.span)),
            // Whether a `cover` is reached in some turn does not depend on the order of turns
            // that do not read what others write.
            StmtKind::Assert(condition, _) | StmtKind::Cover(condition, _) => self.expr(condition),
            StmtKind::Assume(_) => self.turn.opaque = Some("it has an `assume`"),
            StmtKind::Put(items) => items.iter().for_each(|item| self.put(item)),
            StmtKind::MultisetAdd(multiset, element) => {
                self.source(element);
                self.touch(multiset, Effect::Insert);
            }
            StmtKind::MultisetRemove(multiset, slot) => {
                self.expr(slot);
                self.touch(multiset, Effect::Write);
            }
            StmtKind::MultisetRemoveIf { local, multiset, condition } => {
                self.touch(multiset, Effect::Write);
                self.mean(*local, Meaning::Value(Value::Unknown));
                self.expr(condition);
            }
            _ => {}
        }
    }

    fn put(&mut self, item: &'a PutItem) {
        match item {
            PutItem::Text(_) => {}
            PutItem::Value(value) => self.expr(value),
            PutItem::Place(place) => self.touch(place, Effect::Read),
        }
    }

    fn arms(&mut self, arms: &'a [(Option<Expr>, Vec<Stmt>)]) {
        let before = self.facts.clone();
        for (condition, body) in arms {
            let Some(condition) = condition else {
                self.block(body);
                continue;
            };
            self.expr(condition);
            let otherwise = self.facts.clone();
            let mut facts = otherwise.clone();
            when_true(condition, &|expr| self.value(expr), &mut facts);
            self.facts = facts;
            self.block(body);
            let mut facts = otherwise;
            when_false(condition, &|expr| self.value(expr), &mut facts);
            self.facts = facts;
        }
        self.facts = before;
    }

    fn assign(&mut self, target: &'a Place, source: &'a Argument, span: Span) {
        let Some(effect) = self.accumulation(target, source) else {
            self.source(source);
            let effect = self.written(source, span);
            self.touch(target, effect);
            return;
        };
        self.touch(target, effect);
    }

    /// What an assignment of the form `x := x op e` does. Notes what `e` reads.
    fn accumulation(&mut self, target: &'a Place, source: &'a Argument) -> Option<Effect> {
        let Argument::Value(Expr { kind: ExprKind::Binary(op, left, right), .. }) = source else {
            return None;
        };
        let scope = self.scope();
        let is_target = |expr: &Expr| match &expr.kind {
            ExprKind::Read(place) => scope.place_text(place) == scope.place_text(target),
            _ => false,
        };
        // The text decides only where it shows the whole place.
        if scope.place_text(target).contains('…') {
            return None;
        }
        // `|` and `&` do not: once decided, they skip what they add, and its faults.
        let commutes = matches!(op, BinaryOp::Add);
        let rest = match (is_target(left), is_target(right)) {
            (true, false) => right,
            (false, true) if commutes => left,
            _ => return None,
        };
        // What is called may change the target before or after it is read.
        if has_call(rest) {
            return None;
        }
        let effect = match op {
            BinaryOp::Add if rest.bounds.0 >= 0 => Effect::Increase,
            BinaryOp::Add if rest.bounds.1 <= 0 => Effect::Decrease,
            BinaryOp::Sub if rest.bounds.0 >= 0 => Effect::Decrease,
            BinaryOp::Sub if rest.bounds.1 <= 0 => Effect::Increase,
            _ => return None,
        };
        self.expr(rest);
        Some(effect)
    }

    fn written(&self, source: &'a Argument, span: Span) -> Effect {
        match source {
            Argument::Value(Expr { kind: ExprKind::Constant(value), .. }) => {
                Effect::Constant(*value)
            }
            Argument::Value(value) => match self.value(value) {
                Value::Constant(constant) => Effect::Constant(constant),
                // A called function may be called again with other arguments.
                _ if self.n_calls == 0 && self.is_stable(value) => Effect::Stable(span),
                _ => Effect::Write,
            },
            Argument::Place(place) => match self.meaning(place) {
                Meaning::Value(Value::Constant(constant)) => Effect::Constant(constant),
                _ if self.n_calls == 0 && self.is_stable_place(place) => Effect::Stable(span),
                _ => Effect::Write,
            },
        }
    }

    fn is_stable(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Constant(_) => true,
            ExprKind::Read(place) | ExprKind::IsUndefined(place) => self.is_stable_place(place),
            ExprKind::SameElement { left, right, .. } => {
                self.is_stable_place(left) && self.is_stable_place(right)
            }
            ExprKind::Unary(_, operand) => self.is_stable(operand),
            ExprKind::Binary(_, left, right) => self.is_stable(left) && self.is_stable(right),
            _ => false,
        }
    }

    fn is_stable_place(&self, place: &Place) -> bool {
        match self.meaning(place) {
            Meaning::Value(value) => value.is_stable(),
            Meaning::Place(region) => region.is_stable(),
        }
    }

    fn leave(&mut self, value: Option<&'a Expr>) {
        value.into_iter().for_each(|value| self.expr(value));
        // A `return` of a called function only ends that call. Others hide the faults
        // of later turns, if nothing else.
        if self.n_calls == 0 {
            self.turn.opaque = Some("it may be left early");
        }
    }

    fn call(&mut self, id: FunctionId, arguments: &'a [Argument]) {
        let function = &self.program.functions[id.0 as usize];
        let mut meanings: Vec<Meaning> =
            arguments.iter().map(|argument| self.argument(argument)).collect();
        self.n_calls_in_all += 1;
        if self.n_calls >= MAX_CALLS || self.n_calls_in_all > MAX_CALLS_IN_ALL {
            self.turn.opaque = Some("it calls too much to look through");
        }
        if self.turn.opaque.is_some() {
            return;
        }
        for local in &function.locals[meanings.len().min(function.locals.len())..] {
            meanings.push(match local.kind {
                LocalKind::Variable => Meaning::Place(Region { base: Base::Fresh, steps: vec![] }),
                _ => Meaning::Value(Value::Unknown),
            });
        }
        let locals = std::mem::replace(&mut self.locals, &function.locals);
        let meanings = std::mem::replace(&mut self.meanings, meanings);
        self.n_calls += 1;
        self.block(&function.body);
        self.n_calls -= 1;
        self.locals = locals;
        self.meanings = meanings;
    }

    /// What a parameter or alias stands for. Notes what is read to find it; a place
    /// that is passed on is read or written where it is used.
    fn argument(&mut self, argument: &'a Argument) -> Meaning {
        match argument {
            Argument::Place(place) => {
                self.indices(place);
                self.meaning(place)
            }
            Argument::Value(value) => {
                self.expr(value);
                Meaning::Value(self.value(value))
            }
        }
    }

    fn source(&mut self, source: &'a Argument) {
        match source {
            Argument::Place(place) => self.touch(place, Effect::Read),
            Argument::Value(value) => self.expr(value),
        }
    }

    fn domain(&mut self, domain: &'a Domain) {
        if let Domain::Range { from, to, by } = domain {
            [from, to, by].into_iter().for_each(|bound| self.expr(bound));
        }
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Constant(_) => {}
            ExprKind::Read(place) | ExprKind::IsUndefined(place) => {
                self.touch(place, Effect::Read);
            }
            ExprKind::Unary(UnaryOp::Not | UnaryOp::Negate | UnaryOp::BitNot, operand)
            | ExprKind::IsMember(operand, _) => self.expr(operand),
            ExprKind::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Conditional(condition, left, right) => {
                [condition, left, right].into_iter().for_each(|part| self.expr(part));
            }
            ExprKind::SameElement { left, right, .. } | ExprKind::SamePlace { left, right, .. } => {
                self.touch(left, Effect::Read);
                self.touch(right, Effect::Read);
            }
            ExprKind::Quantified { local, domain, body, .. } => {
                self.domain(domain);
                self.mean(*local, Meaning::Value(Value::Unknown));
                self.expr(body);
            }
            ExprKind::Let { local, target, body } => {
                let meaning = self.argument(target);
                self.mean(*local, meaning);
                self.expr(body);
            }
            ExprKind::Call(function, arguments) => self.call(*function, arguments),
            ExprKind::MultisetCount { local, multiset, body } => {
                self.touch(multiset, Effect::Read);
                self.mean(*local, Meaning::Value(Value::Unknown));
                self.expr(body);
            }
        }
    }

    /// Notes an access to a place and what is read to find it.
    fn touch(&mut self, place: &'a Place, effect: Effect) {
        self.indices(place);
        if let Meaning::Place(region) = self.meaning(place) {
            let text = self.scope().place_text(place);
            self.note(region, place.ty, effect, text);
        }
    }

    fn note(&mut self, region: Region, ty: TypeId, effect: Effect, text: String) {
        if region.base == Base::Fresh {
            return;
        }
        let access = Access { region, ty, effect, turn: self.facts.clone(), text };
        if self.turn.accesses.len() >= MAX_ACCESSES {
            self.turn.opaque = Some("it is too long to look through");
        } else if !self.turn.accesses.contains(&access) {
            self.turn.accesses.push(access);
        }
    }

    fn indices(&mut self, place: &'a Place) {
        for step in &place.path {
            if let Projection::Index(index) | Projection::Slot(index) = step {
                self.expr(index);
            }
        }
    }

    fn meaning(&self, place: &Place) -> Meaning {
        meaning(&self.meanings, place)
    }

    fn value(&self, expr: &Expr) -> Value {
        value(&self.meanings, expr)
    }

    fn mean(&mut self, local: LocalId, meaning: Meaning) {
        self.meanings[local.0 as usize] = meaning;
    }

    fn scope(&self) -> Scope<'a> {
        Scope { program: self.program, locals: self.locals }
    }
}

/// What a place stands for, where names mean `meanings`.
pub(super) fn meaning(meanings: &[Meaning], place: &Place) -> Meaning {
    let mut region = match place.root {
        Root::Variable(idx) => Region { base: Base::Variable(idx), steps: Vec::new() },
        Root::Local(id) => match &meanings[id.0 as usize] {
            Meaning::Value(value) => return Meaning::Value(*value),
            Meaning::Place(region) => region.clone(),
        },
    };
    for step in &place.path {
        region.steps.push(match step {
            Projection::Field(field) => Step::Field(*field),
            Projection::Index(index) => Step::Index(value(meanings, index)),
            Projection::Slot(_) => Step::Slot,
        });
    }
    Meaning::Place(region)
}

/// What is known of a value, where names mean `meanings`.
pub(super) fn value(meanings: &[Meaning], expr: &Expr) -> Value {
    match &expr.kind {
        ExprKind::Constant(value) => Value::Constant(*value),
        ExprKind::Read(place) => match meaning(meanings, place) {
            Meaning::Value(value) => value,
            // What a parameter holds changes only if the loop writes it, which is
            // found as a conflict of its own.
            Meaning::Place(Region { base: Base::Parameter(id), steps }) if steps.is_empty() => {
                Value::Fixed(id)
            }
            Meaning::Place(_) => Value::Unknown,
        },
        _ => Value::Unknown,
    }
}
