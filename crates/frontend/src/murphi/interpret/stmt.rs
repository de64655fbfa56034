//! What statements do.

use super::super::faults;
use super::super::typed::{
    Argument, Domain, Expr, LocalId, Place, PutItem, Stmt, StmtKind, TypeId, TypeKind,
};
use super::machine::{Binding, Location, Machine, fail};
use super::place::{Contents, span_of};
use super::{Exit, Flow, bits};

/// An `if` arm.
type Arm = (Option<Expr>, Vec<Stmt>);

impl<'a> Machine<'a> {
    /// Executes statements in order until one leaves the rule or function.
    pub(super) fn run(&mut self, statements: &'a [Stmt]) -> Result<Flow, Exit> {
        self.descend()?;
        for statement in statements {
            let flow = self.execute(statement)?;
            if flow != Flow::Next {
                self.ascend();
                return Ok(flow);
            }
        }
        self.ascend();
        Ok(Flow::Next)
    }

    fn execute(&mut self, statement: &'a Stmt) -> Result<Flow, Exit> {
        match &statement.kind {
            StmtKind::If(arms) => self.execute_if(arms),
            StmtKind::Switch { subject, arms, otherwise } => {
                let subject = self.eval(subject)?;
                self.execute_switch(subject, arms, otherwise)
            }
            StmtKind::For { local, domain, body } => self.execute_for(*local, domain, body),
            StmtKind::While(condition, body) => self.execute_while(statement, condition, body),
            StmtKind::Alias { local, target, body } => {
                let bound = self.target(target)?;
                self.bind(*local, bound);
                self.run(body)
            }
            StmtKind::Return(value) => self.execute_return(value.as_ref()),
            _ => {
                self.execute_simple(statement)?;
                Ok(Flow::Next)
            }
        }
    }

    /// Statements that have no statements in them and do not leave anything.
    fn execute_simple(&mut self, statement: &'a Stmt) -> Result<(), Exit> {
        match &statement.kind {
            StmtKind::Assign(target, source) => self.assign(target, source),
            StmtKind::Call(function, arguments) => self.call(*function, arguments).map(|_| ()),
            StmtKind::Clear(place) => {
                let location = self.locate(place)?;
                self.clear_value(location, place.ty);
                Ok(())
            }
            StmtKind::Undefine(place) => {
                let location = self.locate(place)?;
                self.erase(location, self.layouts.bits(place.ty));
                Ok(())
            }
            StmtKind::Error(message) => fail(faults::error(message, statement.span)),
            StmtKind::Assert(condition, message) => match self.holds(condition)? {
                true => Ok(()),
                false => fail(faults::assertion(message, statement.span)),
            },
            StmtKind::Assume(condition) => match self.holds(condition)? {
                true => Ok(()),
                false => Err(Exit::Dropped),
            },
            StmtKind::Cover(condition, id) => {
                if self.holds(condition)? {
                    self.covered.insert(*id);
                }
                Ok(())
            }
            StmtKind::Put(items) => items.iter().try_for_each(|item| self.put(item)),
            StmtKind::MultisetAdd(multiset, element) => {
                self.multiset_add(statement, multiset, element)
            }
            StmtKind::MultisetRemove(multiset, slot) => self.multiset_remove(multiset, slot),
            StmtKind::MultisetRemoveIf { local, multiset, condition } => {
                self.multiset_remove_if(*local, multiset, condition)
            }
            _ => unreachable!("statements with parts are executed by `execute`"),
        }
    }

    fn execute_if(&mut self, arms: &'a [Arm]) -> Result<Flow, Exit> {
        for (condition, body) in arms {
            let taken = match condition {
                Some(condition) => self.holds(condition)?,
                None => true,
            };
            if taken {
                return self.run(body);
            }
        }
        Ok(Flow::Next)
    }

    fn execute_switch(
        &mut self,
        subject: i64,
        arms: &'a [(Vec<Expr>, Vec<Stmt>)],
        otherwise: &'a [Stmt],
    ) -> Result<Flow, Exit> {
        for (values, body) in arms {
            for value in values {
                if self.eval(value)? == subject {
                    return self.run(body);
                }
            }
        }
        self.run(otherwise)
    }

    fn execute_for(
        &mut self,
        local: LocalId,
        domain: &'a Domain,
        body: &'a [Stmt],
    ) -> Result<Flow, Exit> {
        let mut values = self.values(domain)?;
        while let Some(value) = values.take(&self.codes) {
            self.tick()?;
            self.bind(local, Binding::Value(value));
            let flow = self.run(body)?;
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn execute_while(
        &mut self,
        statement: &'a Stmt,
        condition: &'a Expr,
        body: &'a [Stmt],
    ) -> Result<Flow, Exit> {
        let mut n_turns = 0;
        while self.holds(condition)? {
            self.tick()?;
            n_turns += 1;
            if n_turns > self.max_loop_turns {
                return fail(faults::loop_bound(statement));
            }
            let flow = self.run(body)?;
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn execute_return(&mut self, value: Option<&'a Expr>) -> Result<Flow, Exit> {
        let Some(expr) = value else { return Ok(Flow::Return(None)) };
        let value = self.eval(expr)?;
        if let Some(function) = self.frame.function
            && let Some(ty) = function.returns
            && self.codes.code_of(ty, value).is_none()
        {
            return fail(self.scope().returned_out_of_range(function, expr.span));
        }
        Ok(Flow::Return(Some(value)))
    }

    fn assign(&mut self, target: &'a Place, source: &'a Argument) -> Result<(), Exit> {
        if !self.program.types.is_simple(target.ty) {
            let Argument::Place(place) = source else {
                unreachable!("values of expressions are simple")
            };
            let from = self.locate(place)?;
            let to = self.locate(target)?;
            self.copy(to, from, self.layouts.bits(target.ty));
            return Ok(());
        }
        let contents = self.source(source)?;
        let to = self.locate(target)?;
        match self.store(to, target.ty, contents) {
            Some(()) => Ok(()),
            None => fail(self.scope().out_of_range(target, span_of(source))),
        }
    }

    /// What is assigned, of simple type.
    pub(super) fn source(&mut self, source: &'a Argument) -> Result<Contents, Exit> {
        match source {
            Argument::Place(place) => self.contents(place),
            Argument::Value(value) => Ok(Contents::Value(self.eval(value)?)),
        }
    }

    fn put(&mut self, item: &'a PutItem) -> Result<(), Exit> {
        match item {
            PutItem::Text(_) => Ok(()),
            PutItem::Value(value) => self.eval(value).map(|_| ()),
            PutItem::Place(place) => self.resolve(place).map(|_| ()),
        }
    }

    /// Makes bits zero: undefined, and multisets empty.
    pub(super) fn erase(&mut self, location: Location, n_bits: u32) {
        bits::clear(self.words_mut(location), location.bit, n_bits);
    }

    /// Gives each part its smallest value. Types are finite trees, so this ends.
    fn clear_value(&mut self, at: Location, ty: TypeId) {
        let layout = self.layouts.of(ty);
        match self.program.types.kind(ty) {
            TypeKind::Record { fields } => {
                for (start, (_, field)) in layout.fields.iter().zip(fields) {
                    self.clear_value(at.plus(*start as usize), *field);
                }
            }
            TypeKind::Array { element, .. } => {
                for idx in 0..layout.n_elements as usize {
                    self.clear_value(at.plus(idx * layout.stride as usize), *element);
                }
            }
            TypeKind::Multiset { .. } => self.erase(at, layout.bits),
            _ => self.set_code(at, ty, 1),
        }
    }
}
