//! Rules and start states: loops over their parameters around guard and action.
//!
//! Conjuncts of the guard are evaluated as far out as the parameters that they speak
//! of allow, but never before a conjunct that stands before them, nor before a
//! parameter whose own evaluation can fail or that may have no values at all. Then
//! the first evaluation that fails is the one that fails when instance follows
//! instance, and it has the same choice: parameters further in count as their first
//! value.

use model::rule_code::{BlockId, ChoiceCode, Function, Op, Reg};

use super::super::typed::{
    Argument, BinaryOp, Binder, Domain, Expr, ExprKind, LocalId, Place, Projection, Rule,
};
use super::analysis::{self, Visitor};
use super::operand::{Operand, Truth};
use super::unit::{Callee, Unit, World};
use super::{Binding, Lowering};

/// How a rule is laid out.
struct Plan<'p> {
    rule: &'p Rule,
    purpose: Purpose,
    /// How many values each binder has.
    n_values: Vec<u64>,
    /// The number of the value of each binder at hand.
    counters: Vec<Reg>,
    /// The conjuncts that are evaluated before each binder, and after the last.
    conjuncts: Vec<Vec<&'p Expr>>,
}

/// What the code of a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To make initial states.
    Start,
    /// To make successors.
    Step,
    /// To evaluate the guards of a rule that another one's priority keeps from firing.
    Guards,
}

/// The code of a rule or start state.
pub(super) fn family<'p>(unit: &mut Unit<'p>, rule: &'p Rule, purpose: Purpose) -> Function {
    let world = if purpose == Purpose::Start { World::Next } else { World::State };
    let mut lowering = Lowering::new(unit, world, &rule.locals, None);
    let plan = lowering.plan(rule, purpose);
    for counter in &plan.counters {
        lowering.code.emit(Op::Const { dst: *counter, value: 0 });
    }
    let end = lowering.code.block();
    if plan.n_values.contains(&0) {
        lowering.code.jump(end);
    } else {
        lowering.enter(&plan, 0, end);
    }
    lowering.code.start(end);
    lowering.code.end(model::rule_code::End::Return(None));
    let choice = plan.choice();
    lowering.code.finish(rule.name.clone(), Vec::new(), choice)
}

impl Plan<'_> {
    fn choice(&self) -> ChoiceCode {
        let mut weight: u64 = 1;
        let mut terms = Vec::new();
        for (n, counter) in self.n_values.iter().zip(&self.counters).rev() {
            if *n > 1 {
                terms.push((*counter, weight));
            }
            weight = weight.saturating_mul(*n);
        }
        terms.reverse();
        ChoiceCode { first: self.rule.first_choice, terms }
    }
}

impl<'p> Lowering<'_, 'p> {
    fn plan(&mut self, rule: &'p Rule, purpose: Purpose) -> Plan<'p> {
        let n_values: Vec<u64> = rule.binders.iter().map(|binder| self.n_values(binder)).collect();
        let counters = rule.binders.iter().map(|_| self.code.reg()).collect();
        let mut conjuncts = vec![Vec::new(); rule.binders.len() + 1];
        let mut all = Vec::new();
        rule.guard.iter().for_each(|guard| flatten(guard, &mut all));
        let mut position = first_position(&rule.binders);
        for conjunct in all {
            position = position.max(needed_position(&rule.binders, conjunct));
            conjuncts[position].push(conjunct);
        }
        Plan { rule, purpose, n_values, counters, conjuncts }
    }

    fn n_values(&mut self, binder: &'p Binder) -> u64 {
        match binder {
            Binder::Each { domain, .. } => domain.n_values(&self.unit.program.types),
            Binder::Choose { multiset, .. } => {
                u64::from(self.unit.layouts.of(multiset.ty).n_elements)
            }
            Binder::Alias { .. } => 1,
        }
    }

    /// Code for the binders from number `position` on; goes on at `next`.
    fn enter(&mut self, plan: &Plan<'p>, position: usize, next: BlockId) {
        self.drop_to = Some(next);
        for conjunct in &plan.conjuncts[position] {
            let passed = self.code.block();
            self.branch(conjunct, passed, next);
            self.code.start(passed);
        }
        let Some(binder) = plan.rule.binders.get(position) else {
            self.instance(plan, next);
            return;
        };
        match binder {
            Binder::Each { local, domain } => {
                self.each_instance(plan, position, next, &mut |this, turn, inner| {
                    let value = this.binder_value(domain, turn);
                    this.scope.bindings[local.0 as usize] = Binding::Value(value);
                    this.enter(plan, position + 1, inner);
                });
            }
            Binder::Choose { local, multiset } => {
                self.begin_if_start(plan);
                let Some(site) = self.site(multiset) else { return self.code.jump(next) };
                self.each_instance(plan, position, next, &mut |this, turn, inner| {
                    let n = i64::from(this.unit.layouts.of(multiset.ty).n_elements);
                    let slot = match turn {
                        Turn::Const(turn) => Operand::Const(turn.cast_signed()),
                        Turn::Reg(reg) => Operand::Affine { reg, offset: 0, bounds: (0, n - 1) },
                    };
                    this.begin_if_start(plan);
                    let at = this.slot_of(site, multiset.ty, slot);
                    let used = this.code.block();
                    this.if_used((at, multiset.ty), used, inner);
                    this.code.start(used);
                    this.scope.bindings[local.0 as usize] = Binding::Value(slot);
                    this.enter(plan, position + 1, inner);
                });
            }
            Binder::Alias { local, target } => {
                self.begin_if_start(plan);
                self.scope.bindings[local.0 as usize] = self.target(target);
                self.enter(plan, position + 1, next);
            }
        }
    }

    /// A start state has no state before it but the one of zeros that it begins with.
    fn begin_if_start(&mut self, plan: &Plan<'p>) {
        if plan.purpose == Purpose::Start {
            self.code.emit(Op::Begin);
            self.code.facts.begin();
        }
    }

    /// Does `body` for each turn of a binder. It ends by going to the block it is given.
    fn each_instance(
        &mut self,
        plan: &Plan<'p>,
        position: usize,
        next: BlockId,
        body: &mut dyn FnMut(&mut Self, Turn, BlockId),
    ) {
        let (n, counter) = (plan.n_values[position], plan.counters[position]);
        if n == 1 {
            body(self, Turn::Const(0), next);
            return;
        }
        let (head, known) = self.code.enter_loop(true);
        if n > 1000 {
            self.code.emit(Op::Tick);
        }
        let (inner, exit) = (self.code.block(), self.code.block());
        body(self, Turn::Reg(counter), inner);
        self.code.start(inner);
        self.count_up(counter, i64::try_from(n).unwrap_or(i64::MAX), (head, exit));
        self.code.start(exit);
        if self.code.is_live() {
            self.code.facts = known;
        }
        self.code.emit(Op::Const { dst: counter, value: 0 });
        self.code.jump(next);
    }

    fn binder_value(&mut self, domain: &'p Domain, turn: Turn) -> Operand {
        match (domain, turn) {
            (Domain::Type(ty), Turn::Const(turn)) => {
                let value = self.unit.program.types.value_of(*ty, turn.saturating_add(1));
                Operand::Const(value.unwrap_or_default())
            }
            (Domain::Type(ty), Turn::Reg(counter)) => self.value_of_count(*ty, counter),
            (Domain::Range { from, to, by }, turn) => {
                let (from, to, by) = (from.constant(), to.constant(), by.constant());
                self.number_of_turn((from, to, by), turn)
            }
        }
    }

    fn number_of_turn(&mut self, (from, to, by): (i64, i64, i64), turn: Turn) -> Operand {
        match turn {
            Turn::Const(turn) => {
                Operand::Const(from.wrapping_add(by.wrapping_mul(turn.cast_signed())))
            }
            Turn::Reg(counter) => {
                let bounds = (from.min(to), from.max(to));
                let reg = match by {
                    1 => counter,
                    _ => self.code.binary_const(model::rule_code::BinaryOp::Mul, counter, by),
                };
                Operand::Affine { reg, offset: from, bounds }
            }
        }
    }

    /// The action of an enabled instance.
    fn instance(&mut self, plan: &Plan<'p>, next: BlockId) {
        if !self.code.is_live() {
            return;
        }
        if plan.purpose == Purpose::Guards {
            self.code.jump(next);
            return;
        }
        self.drop_to = Some(next);
        self.code.emit(Op::Enabled);
        self.code.emit(Op::Begin);
        self.code.facts.begin();
        let before = std::mem::replace(&mut self.world, World::Next);
        let frame = self.code.frame_end();
        self.start_marks();
        self.scope.exit = self.code.block();
        self.declare_variables();
        self.run(&plan.rule.body);
        let exit = self.scope.exit;
        self.code.jump(exit);
        self.code.start(exit);
        self.sort_touched();
        self.check_assumptions(next);
        self.code.emit(Op::Commit);
        self.code.jump(next);
        self.code.release_frame(frame);
        self.world = before;
    }

    fn check_assumptions(&mut self, next: BlockId) {
        for idx in 0..self.unit.program.assumptions.len() {
            let function = self.unit.callable(Callee::Assumption(idx as u32), World::Next);
            let dst = self.code.reg();
            self.code.emit(Op::Call { dst: Some(dst), function, arguments: Vec::new() });
            let passed = self.code.block();
            self.go(Truth::Reg(dst), passed, next);
            self.code.start(passed);
        }
    }
}

/// Which turn of a binder it is.
#[derive(Clone, Copy)]
enum Turn {
    Const(u64),
    Reg(Reg),
}

/// The conjuncts of a guard in order. Deep nesting on the left is followed without
/// recursion.
fn flatten<'p>(guard: &'p Expr, all: &mut Vec<&'p Expr>) {
    let mut rest = vec![guard];
    while let Some(expr) = rest.pop() {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                rest.push(right);
                rest.push(left);
            }
            _ => all.push(expr),
        }
    }
}

/// No part of the guard may be evaluated before these many binders.
fn first_position(binders: &[Binder]) -> usize {
    let is_barrier = |binder: &Binder| match binder {
        Binder::Each { .. } => false,
        Binder::Choose { .. } => true,
        Binder::Alias { target: Argument::Value(value), .. } => {
            !matches!(value.kind, ExprKind::Constant(_))
        }
        Binder::Alias { target: Argument::Place(place), .. } => !is_plain(place),
    };
    binders.iter().rposition(is_barrier).map_or(0, |idx| idx + 1)
}

/// Is a place found without anything that could fail?
fn is_plain(place: &Place) -> bool {
    place.path.iter().all(|step| match step {
        Projection::Field(_) => true,
        Projection::Index(_) | Projection::Slot(_) => false,
    })
}

/// How many binders must be bound before a conjunct can be evaluated.
fn needed_position(binders: &[Binder], conjunct: &Expr) -> usize {
    let mut locals = Locals::default();
    analysis::expression(conjunct, &mut locals);
    let is_used = |binder: &Binder| {
        let (Binder::Each { local, .. }
        | Binder::Choose { local, .. }
        | Binder::Alias { local, .. }) = binder;
        locals.all.contains(local)
    };
    binders.iter().rposition(is_used).map_or(0, |idx| idx + 1)
}

#[derive(Default)]
struct Locals {
    all: Vec<LocalId>,
}

impl Visitor for Locals {
    fn local(&mut self, local: LocalId) {
        self.all.push(local);
    }
}
