//! Statements.

use model::Span;
use model::rule_code::{End, FaultId, Op, Reg};

use super::super::faults;
use super::super::typed::{Argument, Expr, Place, PutItem, Stmt, StmtKind, TypeId};
use super::facts::Held;
use super::operand::Operand;
use super::place::Spot;
use super::unit::SiteKind;
use super::{Binding, Lowering};

/// What is assigned.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// A value.
    Value(Operand),
    /// The contents of a place of this simple type; zero is undefined.
    Contents(Held, TypeId),
    /// A whole record, array or multiset.
    Whole(Spot),
}

/// What is assigned, as the target has it in memory.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fitted {
    /// A code.
    Code(Held),
    /// A whole record, array or multiset.
    Whole(Spot),
}

/// The fault of a check that is never made.
const NO_FAULT: FaultId = FaultId(u32::MAX);

impl<'p> Lowering<'_, 'p> {
    /// Executes statements in order.
    pub(super) fn run(&mut self, statements: &'p [Stmt]) {
        self.depth += 1;
        for statement in statements {
            if self.code.is_live() {
                self.execute(statement);
            }
        }
        self.depth -= 1;
    }

    fn execute(&mut self, statement: &'p Stmt) {
        match &statement.kind {
            StmtKind::If(arms) => self.execute_if(arms),
            StmtKind::Switch { subject, arms, otherwise } => {
                self.execute_switch(subject, arms, otherwise);
            }
            StmtKind::For { local, domain, body } => {
                let size = self.size_of_statements(body);
                self.each(domain, size, true, &mut |this, value| {
                    this.scope.bindings[local.0 as usize] = Binding::Value(value);
                    this.run(body);
                });
            }
            StmtKind::While(condition, body) => self.execute_while(statement, condition, body),
            StmtKind::Alias { local, target, body } => {
                self.scope.bindings[local.0 as usize] = self.target(target);
                self.run(body);
            }
            StmtKind::Return(value) => self.execute_return(value.as_ref()),
            _ => self.execute_simple(statement),
        }
    }

    /// Statements that have no statements in them and do not leave anything.
    fn execute_simple(&mut self, statement: &'p Stmt) {
        match &statement.kind {
            StmtKind::Assign(target, source) => self.assign(target, source),
            StmtKind::Call(function, arguments) => {
                self.call(*function, arguments);
            }
            StmtKind::Clear(place) => {
                if let Binding::Place(spot) = self.resolve(place) {
                    self.clear(spot, place.ty);
                }
            }
            StmtKind::Undefine(place) => {
                if let Binding::Place(spot) = self.resolve(place) {
                    self.undefine(spot, place.ty);
                }
            }
            StmtKind::Error(message) => {
                let make = || faults::error(message, statement.span);
                let fault = self.unit.fault(statement, SiteKind::Statement, 0, make);
                self.code.end(End::Fault(fault));
            }
            StmtKind::Assert(condition, message) => self.assert(statement, condition, message),
            StmtKind::Assume(condition) => {
                let (next, dropped) = (self.code.block(), self.drop_block());
                self.branch(condition, next, dropped);
                self.code.start(next);
            }
            StmtKind::Cover(condition, id) => {
                let (reached, next) = (self.code.block(), self.code.block());
                self.branch(condition, reached, next);
                self.code.start(reached);
                self.code.emit(Op::Cover { cover: id.0 });
                self.code.jump(next);
                self.code.start(next);
            }
            StmtKind::Put(items) => items.iter().for_each(|item| self.put(item)),
            StmtKind::MultisetAdd(multiset, element) => {
                self.multiset_add(statement, multiset, element);
            }
            StmtKind::MultisetRemove(multiset, slot) => self.multiset_remove(multiset, slot),
            StmtKind::MultisetRemoveIf { local, multiset, condition } => {
                self.multiset_remove_if(*local, multiset, condition);
            }
            _ => {}
        }
    }

    fn execute_if(&mut self, arms: &'p [(Option<Expr>, Vec<Stmt>)]) {
        let end = self.code.block();
        for (condition, body) in arms {
            let Some(condition) = condition else {
                self.run(body);
                break;
            };
            let (taken, next) = (self.code.block(), self.code.block());
            self.branch(condition, taken, next);
            self.code.start(taken);
            self.run(body);
            self.code.jump(end);
            self.code.start(next);
        }
        self.code.jump(end);
        self.code.start(end);
    }

    fn execute_switch(
        &mut self,
        subject: &'p Expr,
        arms: &'p [(Vec<Expr>, Vec<Stmt>)],
        otherwise: &'p [Stmt],
    ) {
        let subject = self.value(subject);
        let end = self.code.block();
        for (values, body) in arms {
            let taken = self.code.block();
            for value in values {
                let value = self.value(value);
                let next = self.code.block();
                let equal = self.equal(subject, value);
                self.go(equal, taken, next);
                self.code.start(next);
            }
            let rest = self.code.block();
            self.code.jump(rest);
            self.code.start(taken);
            self.run(body);
            self.code.jump(end);
            self.code.start(rest);
        }
        self.run(otherwise);
        self.code.jump(end);
        self.code.start(end);
    }

    fn execute_while(&mut self, statement: &'p Stmt, condition: &'p Expr, body: &'p [Stmt]) {
        let make = || faults::loop_bound(statement);
        let fault = self.unit.fault(statement, SiteKind::Statement, 0, make);
        let turns = self.code.constant(0);
        let (head, known) = self.code.enter_loop(true);
        let (turn, exit) = (self.code.block(), self.code.block());
        self.branch(condition, turn, exit);
        self.code.start(turn);
        self.code.emit(Op::Tick);
        self.code.emit(Op::Turn { turns, fault });
        self.run(body);
        self.code.jump(head);
        self.code.start(exit);
        if self.code.is_live() {
            self.code.facts = known;
        }
    }

    fn execute_return(&mut self, value: Option<&'p Expr>) {
        if let Some(expr) = value {
            let value = self.value(expr);
            if let (Some(result), Some(function)) = (self.scope.result, self.scope.function)
                && let Some(ty) = function.returns
            {
                let scope = self.scope.names(self.unit.program);
                let fault = self.unit.fault(expr, SiteKind::Range, 0, || {
                    scope.returned_out_of_range(function, expr.span)
                });
                let code = self.encoded(value, ty, fault);
                let src = self.register(code);
                self.code.emit(Op::Move { dst: result, src });
            }
        }
        let exit = if value.is_none() && self.scope.result.is_some() {
            self.scope.missing
        } else {
            self.scope.exit
        };
        self.code.jump(exit);
    }

    fn assert(&mut self, statement: &'p Stmt, condition: &'p Expr, message: &'p str) {
        let (next, failed) = (self.code.block(), self.code.block());
        self.branch(condition, next, failed);
        self.code.start(failed);
        let make = || faults::assertion(message, statement.span);
        let fault = self.unit.fault(statement, SiteKind::Statement, 0, make);
        self.code.end(End::Fault(fault));
        self.code.start(next);
    }

    fn put(&mut self, item: &'p PutItem) {
        match item {
            PutItem::Text(_) => {}
            PutItem::Value(value) => {
                self.value(value);
            }
            PutItem::Place(place) => {
                self.resolve(place);
            }
        }
    }

    fn assign(&mut self, target: &'p Place, source: &'p Argument) {
        let from = self.source(source, target.ty);
        let Binding::Place(spot) = self.resolve(target) else { return };
        let fault = if self.surely_fits(from, target.ty) {
            NO_FAULT
        } else {
            let scope = self.scope.names(self.unit.program);
            self.unit
                .fault(target, SiteKind::Range, 0, || scope.out_of_range(target, span_of(source)))
        };
        let fitted = self.fitted(from, target.ty, fault);
        self.put_into(spot, target.ty, fitted);
    }

    /// What is assigned to something of type `ty`.
    pub(super) fn source(&mut self, source: &'p Argument, ty: TypeId) -> Source {
        match source {
            Argument::Value(value) => Source::Value(self.value(value)),
            Argument::Place(place) if self.unit.program.types.is_simple(ty) => self.contents(place),
            Argument::Place(place) => match self.resolve(place) {
                Binding::Value(operand) => Source::Value(operand),
                Binding::Unbound => Source::Contents(Held::Const(0), place.ty),
                Binding::Place(spot) => Source::Whole(spot),
            },
        }
    }

    /// What a place of simple type holds.
    pub(super) fn contents(&mut self, place: &'p Place) -> Source {
        match self.resolve(place) {
            Binding::Value(operand) => Source::Value(operand),
            Binding::Unbound => Source::Contents(Held::Const(0), place.ty),
            Binding::Place(spot) => Source::Contents(self.code_at(spot, place.ty), place.ty),
        }
    }

    /// Can the check of `fitted` not fail?
    fn surely_fits(&self, source: Source, ty: TypeId) -> bool {
        let types = &self.unit.program.types;
        match source {
            Source::Value(Operand::Const(value)) => types.code_of(ty, value).is_some(),
            Source::Value(Operand::Affine { bounds, .. }) => {
                let own = types.bounds(ty);
                self.unit.offset(ty).is_some() && own.0 <= bounds.0 && bounds.1 <= own.1
            }
            Source::Value(Operand::Coded { ty: from, .. }) => from == ty,
            Source::Contents(_, from) => from == ty,
            Source::Whole(_) => true,
        }
    }

    /// What is assigned, as type `ty` has it in memory; the fault where it has not.
    pub(super) fn fitted(&mut self, source: Source, ty: TypeId, fault: FaultId) -> Fitted {
        match source {
            Source::Whole(spot) => Fitted::Whole(spot),
            Source::Value(operand) => Fitted::Code(self.encoded(operand, ty, fault)),
            Source::Contents(held, from) if from == ty => Fitted::Code(held),
            Source::Contents(Held::Const(0), _) => Fitted::Code(Held::Const(0)),
            Source::Contents(Held::Const(code), from) => {
                let value = self.decoded(Held::Const(code), from);
                Fitted::Code(self.encoded(value, ty, fault))
            }
            Source::Contents(Held::Reg(code), from) => {
                let value = self.decoded(Held::Reg(code), from);
                if self.code.facts.is_nonzero(code) {
                    return Fitted::Code(self.encoded(value, ty, fault));
                }
                Fitted::Code(self.converted(code, value, (ty, fault)))
            }
        }
    }

    /// The code in another type of what may be undefined.
    fn converted(&mut self, code: Reg, value: Operand, (ty, fault): (TypeId, FaultId)) -> Held {
        let result = self.code.reg();
        let (defined, undefined, end) = (self.code.block(), self.code.block(), self.code.block());
        self.code.branch_nonzero(code, defined, undefined);
        self.code.start(undefined);
        self.code.emit(Op::Const { dst: result, value: 0 });
        self.code.jump(end);
        self.code.start(defined);
        let code = self.encoded(value, ty, fault);
        let src = self.register(code);
        self.code.emit(Op::Move { dst: result, src });
        self.code.jump(end);
        self.code.start(end);
        Held::Reg(result)
    }

    /// Writes what is assigned.
    pub(super) fn put_into(&mut self, spot: Spot, ty: TypeId, fitted: Fitted) {
        let n = self.unit.layouts.bits(ty);
        match (spot, fitted) {
            (_, Fitted::Code(code)) => self.store(spot, n, code),
            (Spot::Memory(to), Fitted::Whole(Spot::Memory(from))) => {
                let (to, from) = (self.address(to), self.address(from));
                if n > 0 {
                    self.code.emit(Op::Copy { to, from, bits: n });
                    self.written(spot, n);
                }
            }
            _ => {}
        }
    }
}

/// Where what is assigned stands.
pub(super) fn span_of(argument: &Argument) -> Span {
    match argument {
        Argument::Place(place) => place.span,
        Argument::Value(value) => value.span,
    }
}
