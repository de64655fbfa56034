//! What statements do to the part of a state that a view shows.
//!
//! Writes to what belongs to the rest are dropped. A value that depends on the rest is chosen,
//! by new parameters of the rule: any value of its type, or none. What a loop does for the rest
//! may happen any number of times; where that is the same as a few times, it is done so.

use model::Span;

use crate::murphi::typed::{
    Argument, BOOLEAN, Domain, Expr, ExprKind, FunctionId, LocalId, Place, Projection, Stmt,
    StmtKind, TypeKind,
};

use super::combine::where_known;
use super::effects::{is_repeatable, n_writes};
use super::scope::{Meaning, Refused, Scope, refuse};
use super::truth::{Known, Truth, Value, and, number, or, truth_of};

/// Loops with more turns are not unrolled.
const MAX_UNROLLED: u64 = 16;

/// Loops that write more than this for the rest are refused.
const MAX_WRITES_FOR_THE_REST: usize = 3;

impl Scope<'_> {
    /// A block of statements.
    pub(super) fn block(&mut self, statements: &[Stmt]) -> Refused<Vec<Stmt>> {
        let mut out = Vec::with_capacity(statements.len());
        let doubts = std::mem::take(&mut self.doubts);
        for statement in statements {
            if self.doubts {
                return refuse("something happens after nodes were given back", statement.span);
            }
            self.statement(statement, &mut out)?;
        }
        self.doubts |= doubts;
        Ok(out)
    }

    fn statement(&mut self, statement: &Stmt, out: &mut Vec<Stmt>) -> Refused<()> {
        let span = statement.span;
        let mut say = |kind| out.push(Stmt { kind, span });
        match &statement.kind {
            StmtKind::Assign(target, source) => self.assign(target, source, span, out)?,
            StmtKind::If(arms) => self.branches(arms, span, out)?,
            StmtKind::Switch { subject, arms, otherwise } => {
                out.extend(self.switch(subject, arms, otherwise, span)?);
            }
            StmtKind::For { local, domain, body } => {
                out.extend(self.each(*local, domain, body, span)?);
            }
            StmtKind::While(asked, body) => {
                let asked = match self.truth(asked)? {
                    Truth::Exact(asked) => asked,
                    Truth::Split { .. } => {
                        return refuse("a `while` that depends on elements beside", span);
                    }
                };
                let body = self.without_choices(|scope| scope.block(body))?;
                self.not_in_doubt(span)?;
                say(StmtKind::While(asked, body));
            }
            StmtKind::Alias { local, target, body } => {
                out.extend(self.alias(*local, target, body, span)?);
            }
            StmtKind::Call(function, arguments) => {
                match self.arguments(*function, arguments, span)? {
                    Some((function, arguments, Known::Always)) => {
                        say(StmtKind::Call(function, arguments));
                        self.doubts |= self.functions.doubtful.contains(&function);
                    }
                    _ => return refuse("a call with what belongs to elements beside", span),
                }
            }
            _ => self.simple(statement, out)?,
        }
        Ok(())
    }

    fn simple(&mut self, statement: &Stmt, out: &mut Vec<Stmt>) -> Refused<()> {
        let span = statement.span;
        let mut say = |kind| out.push(Stmt { kind, span });
        match &statement.kind {
            StmtKind::Clear(place) => {
                if self.elements.are_in(self.types(), place.ty) {
                    return refuse("`clear` picks one element", span);
                }
                for place in std::iter::once(place).chain(&self.shadow(place)) {
                    let (place, known) = self.target(place)?;
                    let kind = StmtKind::Clear(place);
                    out.extend(where_shown(known, vec![Stmt { kind, span }]));
                }
            }
            StmtKind::Undefine(place) => {
                for place in std::iter::once(place).chain(&self.shadow(place)) {
                    let (place, known) = self.target(place)?;
                    let kind = StmtKind::Undefine(place);
                    out.extend(where_shown(known, vec![Stmt { kind, span }]));
                }
            }
            StmtKind::Error(_) | StmtKind::Assert(..) if self.is_seen_elsewhere => {}
            StmtKind::Error(text) => say(StmtKind::Error(text.clone())),
            StmtKind::Assert(claim, text) => {
                let claim = self.claim(claim, true)?;
                say(StmtKind::Assert(claim, text.clone()));
            }
            StmtKind::Assume(asked) => {
                let asked = self.truth(asked)?.may();
                say(StmtKind::Assume(asked));
            }
            // What is reached and printed is not asked for any number.
            StmtKind::Cover(..) | StmtKind::Put(_) => {}
            StmtKind::Return(None) => say(StmtKind::Return(None)),
            StmtKind::Return(Some(value)) => match self.value(value)? {
                Value { expr, known: Known::Always } => say(StmtKind::Return(Some(expr))),
                _ => return refuse("a result that depends on elements beside", span),
            },
            _ => return refuse("multisets are not supported", span),
        }
        Ok(())
    }

    fn assign(
        &mut self,
        target: &Place,
        source: &Argument,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Refused<()> {
        if self.assign_shadowed(target, source, span, out)? {
            return Ok(());
        }
        let written = target;
        let (target, shown) = self.target(target)?;
        if matches!(shown, Known::Never) && !self.has_effects(source) {
            return Ok(());
        }
        if let Some(copy) = self.copy_forgotten((written, &target), source, span)? {
            out.extend(where_shown(shown, copy));
            return Ok(());
        }
        let (source, known) = match source {
            Argument::Value(Expr { kind: ExprKind::Call(function, arguments), bounds, .. })
                if self.has_effects(source) =>
            {
                let call = self.call_with_effects(*function, arguments, &shown, span)?;
                (Argument::Value(Expr { kind: call, bounds: *bounds, span }), Known::Always)
            }
            source => self.source(source)?,
        };
        let write = Stmt { kind: StmtKind::Assign(target.clone(), source), span };
        let body = match known {
            Known::Always => vec![write],
            Known::Never => self.any_value(&target, span)?,
            Known::When(known) => {
                let other = self.any_value(&target, span)?;
                vec![Stmt {
                    kind: StmtKind::If(vec![(Some(known), vec![write]), (None, other)]),
                    span,
                }]
            }
        };
        out.extend(where_shown(shown, body));
        Ok(())
    }

    fn has_effects(&self, source: &Argument) -> bool {
        let Argument::Value(Expr { kind: ExprKind::Call(function, _), .. }) = source else {
            return false;
        };
        self.program.functions[function.0 as usize].has_effects
    }

    /// The call of a function that has effects, which must take place whatever is shown of its
    /// result.
    fn call_with_effects(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
        shown: &Known,
        span: Span,
    ) -> Refused<ExprKind> {
        let called = self.arguments(function, arguments, span)?;
        match (called, shown) {
            (Some((function, arguments, Known::Always)), Known::Always)
                if !self.functions.doubtful.contains(&function) =>
            {
                Ok(ExprKind::Call(function, arguments))
            }
            _ => refuse("a call with what belongs to elements beside", span),
        }
    }

    fn source(&mut self, source: &Argument) -> Refused<(Argument, Known)> {
        Ok(match source {
            Argument::Value(value) => {
                let Value { expr, known } = self.value(value)?;
                (Argument::Value(expr), known)
            }
            Argument::Place(place) => match self.name_of(place) {
                Some(Meaning::Rest) => {
                    (Argument::Value(number(self.elements.rest(), place.span)), Known::Always)
                }
                _ if self.is_forgettable(place) => {
                    let bounds = self.types().bounds(place.ty);
                    let (place, known) = self.place(place)?;
                    let kind = ExprKind::Read(Box::new(place.clone()));
                    (Argument::Value(Expr { kind, bounds, span: place.span }), known)
                }
                _ if self.has_forgettable(place) => {
                    return refuse("a record with fields that do not matter is copied", place.span);
                }
                _ => {
                    let (place, known) = self.place(place)?;
                    (Argument::Place(place), known)
                }
            },
        })
    }

    /// Gives a place any value of its type, or none.
    fn any_value(&mut self, place: &Place, span: Span) -> Refused<Vec<Stmt>> {
        let types = self.types();
        match types.kind(place.ty) {
            TypeKind::Record { fields } => {
                let mut all = Vec::new();
                for (idx, (_, ty)) in fields.iter().enumerate() {
                    let mut part = place.clone();
                    part.path.push(Projection::Field(idx as u32));
                    part.ty = *ty;
                    all.extend(self.any_value(&part, span)?);
                }
                Ok(all)
            }
            TypeKind::Array { .. } | TypeKind::Multiset { .. } => {
                refuse("a whole array that belongs to an element beside is copied", span)
            }
            _ => {
                let nothing = match self.is_defined {
                    true => super::truth::truth_constant(false, span),
                    false => self.choose(BOOLEAN, span)?,
                };
                let value = self.choose(place.ty, span)?;
                let undefine = Stmt { kind: StmtKind::Undefine(place.clone()), span };
                let assign =
                    Stmt { kind: StmtKind::Assign(place.clone(), Argument::Value(value)), span };
                let arms = vec![(Some(nothing), vec![undefine]), (None, vec![assign])];
                Ok(conditional(arms, span))
            }
        }
    }

    /// `if`. Where no branch changes what a view shows, the conditions matter for their faults
    /// alone; where one is unknown otherwise, it is chosen.
    fn branches(
        &mut self,
        arms: &[(Option<Expr>, Vec<Stmt>)],
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Refused<()> {
        let mut made = Vec::with_capacity(arms.len());
        for (asked, body) in arms {
            let asked = match asked {
                Some(asked) => Some(self.truth(asked)?.exactly()),
                None => None,
            };
            made.push((asked, self.block(body)?));
        }
        if let [(Some(dead), body)] = made.as_slice()
            && let Some(statement) = self.give_back(dead, body, span)
        {
            out.push(statement);
            return Ok(());
        }
        let changes = made.iter().any(|(_, body)| !body.is_empty());
        let mut decided = Vec::with_capacity(made.len());
        for (asked, body) in made {
            let asked = match asked {
                Some(Truth::Split { may, .. }) if !changes => Some(may),
                Some(asked) => Some(self.decided(asked, span)?),
                None => None,
            };
            decided.push((asked, body));
        }
        out.extend(conditional(decided, span));
        Ok(())
    }

    /// A condition whose unknown cases are chosen.
    fn decided(&mut self, asked: Truth, span: Span) -> Refused<Expr> {
        match asked {
            Truth::Exact(asked) => Ok(asked),
            Truth::Split { may, must } => {
                let chosen = self.choose(BOOLEAN, span)?;
                Ok(or(must, and(chosen, may)))
            }
        }
    }

    fn switch(
        &mut self,
        subject: &Expr,
        arms: &[(Vec<Expr>, Vec<Stmt>)],
        otherwise: &[Stmt],
        span: Span,
    ) -> Refused<Vec<Stmt>> {
        let mut made = Vec::with_capacity(arms.len());
        let mut is_exact = true;
        for (values, body) in arms {
            let mut fits = Truth::Exact(super::truth::truth_constant(false, span));
            for value in values {
                let kind = ExprKind::Binary(
                    crate::murphi::typed::BinaryOp::Eq,
                    Box::new(subject.clone()),
                    Box::new(value.clone()),
                );
                fits = fits.or(self.truth(&super::truth::condition(span, kind))?);
            }
            is_exact &= matches!(fits, Truth::Exact(_));
            made.push((fits, body));
        }
        let mut chain = Vec::with_capacity(made.len() + 1);
        for (fits, body) in made {
            let asked = self.decided(fits, span)?;
            chain.push((Some(asked), self.block(body)?));
        }
        chain.push((None, self.block(otherwise)?));
        if is_exact && chain.iter().all(|(_, body)| body.is_empty()) {
            return Ok(Vec::new());
        }
        Ok(conditional(chain, span))
    }

    /// A loop: over what is known, and over the rest.
    fn each(
        &mut self,
        local: LocalId,
        domain: &Domain,
        body: &[Stmt],
        span: Span,
    ) -> Refused<Vec<Stmt>> {
        let mut out = Vec::new();
        let is_of_nodes = matches!((domain, &self.functions.memory),
            (Domain::Type(ty), Some(nodes)) if *ty == nodes.ty);
        let around = self.node;
        self.node = if is_of_nodes { Some(local) } else { None };
        for (domain, meaning) in self.parts(domain, span)? {
            match domain {
                Some(domain) => out.extend(self.turns(local, (&domain, meaning), body, span)?),
                None => self.turns_of_the_rest(local, body, span, &mut out)?,
            }
        }
        if !is_of_nodes {
            self.not_in_doubt(span)?;
        }
        self.node = around;
        self.mean(local, Meaning::Known);
        Ok(out)
    }

    fn not_in_doubt(&self, span: Span) -> Refused<()> {
        match self.doubts {
            true => refuse("nodes are given back in a loop, which goes on after that", span),
            false => Ok(()),
        }
    }

    /// The turns of a loop over what is known. Where something is chosen within, each turn
    /// chooses by itself.
    fn turns(
        &mut self,
        local: LocalId,
        (domain, meaning): (&Domain, Meaning),
        body: &[Stmt],
        span: Span,
    ) -> Refused<Vec<Stmt>> {
        self.mean(local, meaning);
        if let Ok(body) = self.without_choices(|scope| scope.block(body)) {
            if body.is_empty() {
                return Ok(Vec::new());
            }
            let domain = domain.clone();
            return Ok(vec![Stmt { kind: StmtKind::For { local, domain, body }, span }]);
        }
        let is_constant = match domain {
            Domain::Type(_) => true,
            Domain::Range { from, to, by } => {
                [from, to, by].into_iter().all(|bound| matches!(bound.kind, ExprKind::Constant(_)))
            }
        };
        let n_turns = if is_constant { domain.n_values(self.types()) } else { u64::MAX };
        if n_turns > MAX_UNROLLED {
            return refuse("a long loop that depends on elements beside", span);
        }
        let mut out = Vec::new();
        for turn in 0..n_turns {
            let value = domain.nth_value(self.types(), turn).unwrap_or_default();
            self.mean(local, meaning);
            let body = self.block(body)?;
            let target = Argument::Value(number(value, span));
            out.push(Stmt { kind: StmtKind::Alias { local, target, body }, span });
        }
        Ok(out)
    }

    /// What a loop does for the elements without a slot, of which there may be any number.
    fn turns_of_the_rest(
        &mut self,
        local: LocalId,
        body: &[Stmt],
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Refused<()> {
        self.mean(local, Meaning::Rest);
        let n_choices = self.choices.as_ref().map(Vec::len);
        let n_chosen_targets = self.n_chosen_targets;
        let once = self.block(body)?;
        let n_writes = n_writes(&once);
        if n_writes == 0 {
            // Nothing but faults, which are met where the element has a slot.
            if let (Some(choices), Some(n)) = (&mut self.choices, n_choices) {
                choices.truncate(n);
            }
            return Ok(());
        }
        // Different turns may write different places.
        let is_vague = self.n_chosen_targets > n_chosen_targets;
        if n_writes > MAX_WRITES_FOR_THE_REST || is_vague || !is_repeatable(&once) {
            return refuse("a loop over all elements computes something from them", span);
        }
        let mut turn = once;
        for n_left in (0..n_writes).rev() {
            let happens = self.choose(BOOLEAN, span)?;
            out.push(Stmt { kind: StmtKind::If(vec![(Some(happens), turn)]), span });
            turn = if n_left > 0 { self.block(body)? } else { Vec::new() };
        }
        Ok(())
    }

    fn alias(
        &mut self,
        local: LocalId,
        target: &Argument,
        body: &[Stmt],
        span: Span,
    ) -> Refused<Vec<Stmt>> {
        let (target, known) = self.bind_written(local, target)?;
        let Some(target) = target else { return self.block(body) };
        let shown = self.block(body)?;
        let shown = Stmt { kind: StmtKind::Alias { local, target, body: shown }, span };
        Ok(match known {
            Known::Always | Known::Never => vec![shown],
            Known::When(known) => {
                self.mean(local, Meaning::Hidden);
                let hidden = self.block(body)?;
                let arms = vec![(Some(known), vec![shown]), (None, hidden)];
                vec![Stmt { kind: StmtKind::If(arms), span }]
            }
        })
    }

    /// Binds an alias through which something may be written.
    fn bind_written(
        &mut self,
        local: LocalId,
        target: &Argument,
    ) -> Refused<(Option<Argument>, Known)> {
        let place = match target {
            Argument::Place(place) if self.name_of(place).is_none() => place,
            _ => return self.bind(local, target),
        };
        let (place, known) = self.target(place)?;
        let is_shown = !matches!(known, Known::Never);
        self.mean(local, if is_shown { Meaning::Known } else { Meaning::Hidden });
        match is_shown {
            true => Ok((Some(Argument::Place(place)), known)),
            false => Ok((None, Known::Always)),
        }
    }

    /// Does something that may not choose.
    pub(super) fn without_choices<T>(
        &mut self,
        act: impl FnOnce(&mut Self) -> Refused<T>,
    ) -> Refused<T> {
        let choices = self.choices.take();
        let result = act(self);
        self.choices = choices;
        result
    }

    /// What must be true for the claim to be one about all elements, those beside included: a
    /// view shows any of them, so "for all" speaks of those in it.
    pub(super) fn claim(&mut self, expr: &Expr, positive: bool) -> Refused<Expr> {
        use crate::murphi::typed::{BinaryOp, UnaryOp};
        let both =
            |one: Expr, other: Expr, all: bool| if all { and(one, other) } else { or(one, other) };
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => self.claim(operand, !positive),
            ExprKind::Binary(
                op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies),
                left,
                right,
            ) => {
                let left_positive = positive != (*op == BinaryOp::Implies);
                let left = self.claim(left, left_positive)?;
                let right = self.claim(right, positive)?;
                Ok(both(left, right, (*op == BinaryOp::And) == positive))
            }
            ExprKind::Quantified { forall, local, domain, body } if *forall == positive => {
                let mut all = super::truth::truth_constant(true, expr.span);
                for (domain, meaning) in self.parts(domain, expr.span)? {
                    let Some(domain) = domain else { continue };
                    self.mean(*local, meaning);
                    let body = self.claim(body, positive)?;
                    let part = match truth_of(&body) {
                        Some(_) => body,
                        None => {
                            let (local, body) = (*local, Box::new(body));
                            let kind = ExprKind::Quantified { forall: true, local, domain, body };
                            super::truth::condition(expr.span, kind)
                        }
                    };
                    all = and(all, part);
                }
                Ok(all)
            }
            ExprKind::Let { local, target, body } => {
                let (target, known) = self.bind(*local, target)?;
                let body = self.claim(body, positive)?;
                let Some(target) = target else { return Ok(body) };
                let (bounds, span) = (body.bounds, body.span);
                let kind =
                    ExprKind::Let { local: *local, target: Box::new(target), body: Box::new(body) };
                Ok(where_known(known, Truth::Exact(Expr { kind, bounds, span })).must())
            }
            _ => {
                let truth = self.truth(expr)?;
                Ok(if positive { truth.must() } else { truth.not().must() })
            }
        }
    }
}

/// An `if`, without the arms that are never or always taken.
fn conditional(arms: Vec<(Option<Expr>, Vec<Stmt>)>, span: Span) -> Vec<Stmt> {
    let mut kept: Vec<(Option<Expr>, Vec<Stmt>)> = Vec::with_capacity(arms.len());
    for (asked, body) in arms {
        match asked.as_ref().and_then(truth_of) {
            Some(false) => {}
            Some(true) => {
                kept.push((None, body));
                break;
            }
            None => kept.push((asked, body)),
        }
    }
    match kept.as_slice() {
        [] => Vec::new(),
        [(None, body)] => body.clone(),
        _ => vec![Stmt { kind: StmtKind::If(kept), span }],
    }
}

/// Statements that only happen where the view shows what they change.
pub(super) fn where_shown(shown: Known, body: Vec<Stmt>) -> Vec<Stmt> {
    match shown {
        Known::Always => body,
        Known::Never => Vec::new(),
        Known::When(shown) => {
            let span = shown.span;
            vec![Stmt { kind: StmtKind::If(vec![(Some(shown), body)]), span }]
        }
    }
}
