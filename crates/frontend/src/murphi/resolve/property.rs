//! Invariants, assumptions, covers and liveness goals.
//!
//! Rulesets around an invariant or assumption mean "for all", around a cover
//! "for some". A liveness goal has to be reachable for each instance by itself, so
//! that each instance is a property of its own.

use model::{PropertyKind, Span};

use super::super::ast::{Expr, PropertyWord};
use super::super::typed::{self, Argument, Binder, ExprKind, LocalId, Predicate};
use super::constant::constant;
use super::rule::Around;
use super::{Owner, Resolver};

/// A goal with more instances is refused: each is a search of its own.
const MAX_GOALS: u64 = 1000;

impl Resolver<'_> {
    /// Resolves a property.
    pub(super) fn property(
        &mut self,
        (word, name): (PropertyWord, Option<&str>),
        condition: &Expr,
        span: Span,
        around: &[Around<'_>],
    ) {
        self.owner = Owner::default();
        let mut binders = Vec::new();
        for one in around {
            if self.opens_scope(*one) {
                continue;
            }
            binders.push(self.binder(*one).map(|(binder, _, _)| binder));
        }
        let condition = self.boolean(condition);
        self.close_around(around);
        let locals = std::mem::take(&mut self.owner.locals);
        let (Some(binders), Some(condition)) =
            (binders.into_iter().collect::<Option<Vec<_>>>(), condition)
        else {
            return;
        };
        if binders.iter().any(|binder| matches!(binder, Binder::Choose { .. })) {
            self.fail::<()>("MU014", "a property inside of `choose` is not supported", span);
            return;
        }
        let kind = match word {
            PropertyWord::Invariant | PropertyWord::Assume => PropertyKind::Invariant,
            PropertyWord::Cover => PropertyKind::Cover,
            PropertyWord::Liveness => PropertyKind::AlwaysReachable,
        };
        let name = name.map_or_else(|| self.default_name(word), str::to_owned);
        let predicate = Predicate { name, kind, locals, condition, span };
        match word {
            PropertyWord::Liveness => self.goals(predicate, &binders),
            _ => {
                let predicate = closed(predicate, binders);
                match word {
                    PropertyWord::Assume => self.program.assumptions.push(predicate),
                    _ => self.push_property(predicate),
                }
            }
        }
    }

    fn push_property(&mut self, property: Predicate) {
        *self.n_properties.entry(property.kind).or_default() += 1;
        self.program.properties.push(property);
    }

    /// A name for a property that has none: its number among its kind.
    fn default_name(&self, word: PropertyWord) -> String {
        let among = |kind| self.n_properties.get(&kind).map_or(1, |n| n + 1);
        match word {
            PropertyWord::Assume => format!("assumption {}", self.program.assumptions.len() + 1),
            PropertyWord::Invariant => format!("invariant {}", among(PropertyKind::Invariant)),
            PropertyWord::Cover => format!("cover {}", among(PropertyKind::Cover)),
            PropertyWord::Liveness => format!("liveness {}", among(PropertyKind::AlwaysReachable)),
        }
    }

    /// One goal for each instance.
    fn goals(&mut self, goal: Predicate, binders: &[Binder]) {
        let mut n_instances: u64 = 1;
        for binder in binders {
            n_instances = n_instances.saturating_mul(self.n_values(binder));
        }
        if n_instances > MAX_GOALS {
            let message = format!("{n_instances} liveness goals are too many");
            self.fail::<()>("MU017", message, goal.span);
            return;
        }
        for instance in 0..n_instances {
            let instance = self.goal(&goal, binders, instance);
            self.push_property(instance);
        }
    }

    /// The goal with the values of instance number `instance`.
    fn goal(&self, goal: &Predicate, binders: &[Binder], mut instance: u64) -> Predicate {
        let mut goal = goal.clone();
        let mut values = Vec::new();
        for binder in binders.iter().rev() {
            let (local, target) = match binder {
                Binder::Each { local, domain } => {
                    let n_values = self.n_values(binder).max(1);
                    let value = domain.nth_value(&self.program.types, instance % n_values);
                    let value = value.expect("the instance is one of them");
                    instance /= n_values;
                    let named = &goal.locals[local.0 as usize];
                    let shown = self.program.types.value_name(named.ty, value);
                    values.push(format!("{} = {shown}", named.name));
                    (*local, Argument::Value(constant(value, goal.span)))
                }
                Binder::Alias { local, target } => (*local, target.clone()),
                Binder::Choose { local, multiset } => (*local, Argument::Place(multiset.clone())),
            };
            goal.condition = bound(local, target, goal.condition);
        }
        if !values.is_empty() {
            values.reverse();
            goal.name = format!("{} ({})", goal.name, values.join(", "));
        }
        goal
    }

    fn n_values(&self, binder: &Binder) -> u64 {
        match binder {
            Binder::Each { domain, .. } => domain.n_values(&self.program.types),
            _ => 1,
        }
    }
}

/// The predicate with quantifiers and aliases for what surrounds it.
fn closed(mut predicate: Predicate, binders: Vec<Binder>) -> Predicate {
    let forall = predicate.kind != PropertyKind::Cover;
    for binder in binders.into_iter().rev() {
        let (body, span) = (predicate.condition, predicate.span);
        predicate.condition = match binder {
            Binder::Each { local, domain } => {
                let body = Box::new(body);
                let kind = ExprKind::Quantified { forall, local, domain, body };
                typed::Expr { kind, bounds: (0, 1), span }
            }
            Binder::Alias { local, target } => bound(local, target, body),
            Binder::Choose { .. } => body,
        };
    }
    predicate
}

fn bound(local: LocalId, target: Argument, body: typed::Expr) -> typed::Expr {
    let (bounds, span) = (body.bounds, body.span);
    let kind = ExprKind::Let { local, target: Box::new(target), body: Box::new(body) };
    typed::Expr { kind, bounds, span }
}
