//! Rules and start states, with all that surrounds them.

use model::Span;

use super::super::ast::{Binding, Expr, Name, Rule, RuleKind, SimpleRule};
use super::super::parse::MAX_DEPTH;
use super::super::typed::{self, Binder, Domain, LocalKind, n_numbers};
use super::constant::{constant, value_of};
use super::scope::Symbol;
use super::{Owner, Resolver, Ty};

/// What surrounds a rule or a property.
#[derive(Clone, Copy)]
pub(super) enum Around<'a> {
    /// The beginning of a ruleset or the like: its names may hide outer ones.
    Scope,
    Each(&'a Binding),
    Choose(&'a Name, &'a Expr),
    Alias(&'a Name, &'a Expr),
}

impl Resolver<'_> {
    /// Resolves a rule, a property or a group of them inside of `around`.
    pub(super) fn rule<'a>(&mut self, rule: &'a Rule, around: &mut Vec<Around<'a>>) {
        let n_outside = around.len();
        if !matches!(rule.kind, RuleKind::Simple(_) | RuleKind::Property { .. }) {
            around.push(Around::Scope);
        }
        let rules: &[Rule] = match &rule.kind {
            RuleKind::Ruleset(bindings, rules) => {
                around.extend(bindings.iter().map(Around::Each));
                rules
            }
            RuleKind::Choose(name, multiset, rules) => {
                around.push(Around::Choose(name, multiset));
                rules
            }
            RuleKind::Alias(aliases, rules) => {
                around.extend(aliases.iter().map(|(name, target)| Around::Alias(name, target)));
                rules
            }
            RuleKind::Simple(simple) => {
                self.simple_rule(simple, rule.span, around);
                &[]
            }
            RuleKind::Property { kind, name, condition } => {
                let name = name.as_deref();
                self.property((*kind, name), condition, rule.span, around);
                &[]
            }
        };
        if around.len() as u32 > MAX_DEPTH {
            self.fail::<()>("MU004", "too many names are bound around this rule", rule.span);
        } else {
            for inner in rules {
                self.rule(inner, around);
            }
        }
        around.truncate(n_outside);
    }

    fn simple_rule(&mut self, written: &SimpleRule, span: Span, around: &[Around<'_>]) {
        self.owner = Owner::default();
        let binders = self.binders(around);
        let priority = written.priority.as_ref().map(|one| self.constant_number(one));
        let guard = written.guard.as_ref().map(|guard| self.boolean(guard));
        self.known.scopes.open();
        written.decls.iter().for_each(|decl| self.decl(decl));
        let body = self.stmts(&written.body);
        self.known.scopes.close();
        self.close_around(around);
        let locals = std::mem::take(&mut self.owner.locals);
        let (Some((binders, n_instances)), Some(priority), Some(guard)) =
            (binders, priority.unwrap_or(Some(0)), guard.map_or(Some(None), |one| one.map(Some)))
        else {
            return;
        };
        let rules = if written.is_start { &self.program.starts } else { &self.program.rules };
        let name = written.name.clone().unwrap_or_else(|| {
            let word = if written.is_start { "startstate" } else { "rule" };
            format!("{word} {}", rules.len() + 1)
        });
        let first_choice = rules.last().map_or(0, |last| last.first_choice + last.n_instances);
        if first_choice.checked_add(n_instances).is_none() {
            self.fail::<()>("MU017", "the model has too many instances of rules", span);
            return;
        }
        let rule = typed::Rule {
            name,
            binders,
            locals,
            guard,
            body,
            priority,
            first_choice,
            n_instances,
            span,
        };
        let rules =
            if written.is_start { &mut self.program.starts } else { &mut self.program.rules };
        rules.push(rule);
    }

    /// Forgets the names around a rule.
    pub(super) fn close_around(&mut self, around: &[Around<'_>]) {
        for _ in around.iter().filter(|one| matches!(one, Around::Scope)) {
            self.known.scopes.close();
        }
    }

    /// Binds all names around a rule. Gives the number of instances as well.
    fn binders(&mut self, around: &[Around<'_>]) -> Option<(Vec<Binder>, u64)> {
        let mut binders = Vec::new();
        let mut complete = true;
        let mut n_instances: u64 = 1;
        for one in around {
            if self.opens_scope(*one) {
                continue;
            }
            let Some((binder, n_values, span)) = self.binder(*one) else {
                complete = false;
                continue;
            };
            binders.push(binder);
            match n_instances.checked_mul(n_values) {
                Some(product) => n_instances = product,
                None => {
                    let message = "a rule has too many instances";
                    self.fail::<()>("MU017", message, span);
                    complete = false;
                }
            }
        }
        complete.then_some((binders, n_instances))
    }

    /// Opens a scope if one begins here.
    pub(super) fn opens_scope(&mut self, one: Around<'_>) -> bool {
        let opens = matches!(one, Around::Scope);
        if opens {
            self.known.scopes.open();
        }
        opens
    }

    /// Binds a name. Gives the number of its values, too.
    pub(super) fn binder(&mut self, one: Around<'_>) -> Option<(Binder, u64, Span)> {
        match one {
            Around::Scope => None,
            Around::Each(binding) => {
                let domain = self.constant_domain(binding);
                let Some((domain, ty, n_values)) = domain else {
                    self.declare(&binding.name, Symbol::Bad);
                    return None;
                };
                let local = self.bind(&binding.name, ty, LocalKind::Value, true);
                Some((Binder::Each { local, domain }, n_values, binding.name.span))
            }
            Around::Choose(name, multiset) => {
                let Some((multiset, slot, capacity)) = self.slots(multiset) else {
                    self.declare(name, Symbol::Bad);
                    return None;
                };
                let local = self.bind(name, slot, LocalKind::Value, true);
                let binder = Binder::Choose { local, multiset };
                Some((binder, u64::from(capacity), name.span))
            }
            Around::Alias(name, target) => {
                let (local, target) = self.alias(name, target)?;
                Some((Binder::Alias { local, target }, 1, name.span))
            }
        }
    }

    /// A domain with constant bounds, with its type and size.
    fn constant_domain(&mut self, binding: &Binding) -> Option<(Domain, typed::TypeId, u64)> {
        let (domain, ty) = self.domain(&binding.domain)?;
        let Domain::Range { from, to, by } = &domain else {
            let n_values = domain.n_values(&self.program.types);
            return Some((domain, ty, n_values));
        };
        let values = (value_of(from), value_of(to), value_of(by));
        let (Some(first), Some(last), Some(step)) = values else {
            return self.fail("MU009", "the bounds have to be constant", binding.name.span);
        };
        let Some(n_values) = n_numbers(first, last, step) else {
            return self.fail("MU017", "a rule has too many instances", binding.name.span);
        };
        // What is constant without being computed, as zero times a variable, would
        // have to be found out again by whoever counts the instances.
        let fixed = |value: i64, written: &typed::Expr| Box::new(constant(value, written.span));
        let ty =
            self.type_for(Ty::Number, (first.min(last), first.max(last)), binding.name.span)?;
        let (from, to, by) = (fixed(first, from), fixed(last, to), fixed(step, by));
        Some((Domain::Range { from, to, by }, ty, n_values))
    }
}
