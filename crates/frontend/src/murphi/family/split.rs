//! The rules of a model, once for each way in which their actors are in a view or beside it.
//!
//! An actor is what a ruleset over the parameter binds. A rule whose actors are all in the view
//! is an *own* step. Otherwise those beside it get slots of their own, behind those of the view:
//! actors that are the same element get the same slot.

use std::collections::BTreeMap;

use model::Span;

use crate::murphi::typed::{
    Argument, Binder, Domain, Function, LocalId, Predicate, Program, Rule, TypeKind,
};

use super::forget::Governed;
use super::functions::Functions;
use super::scope::{Elements, Meaning, Refused, Scope, refuse};
use super::truth::Known;
use super::uses::Field;

/// Actors of one rule that are not in the view, at the most.
pub(super) const MAX_OUTSIDE: u32 = 2;

/// Where an actor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Actor {
    /// In the view.
    Visible,
    /// In the slot with this number behind those of the view.
    Outside(u32),
    /// Without a slot: at the start, when nothing is known of anybody, and where all others are
    /// one.
    Rest,
}

/// A rule with its actors placed.
#[derive(Clone, Debug)]
pub(super) struct PlacedRule {
    /// The rule; what binds its actors is of the parameter's type alone.
    pub rule: Rule,
    /// Its actors: the binder, and where it is.
    pub actors: Vec<(usize, Actor)>,
    /// Slots beside the view that its actors take.
    pub n_outside: u32,
    /// Are its assertions and errors found where its actors are in the view?
    pub is_seen_elsewhere: bool,
    /// Do elements without slots have values everywhere?
    pub is_defined: bool,
}

fn forgettable(governed: &[Governed]) -> BTreeMap<Field, bool> {
    governed.iter().map(|one| (one.field.clone(), one.is_defined)).collect()
}

/// All ways to place the actors of `rule`: in the view, or beside it. There they have no slots
/// (`is_rest`: at the start, and where all others are one), or each has one.
pub(super) fn placements(
    program: &Program,
    elements: &Elements,
    rule: &Rule,
    is_rest: bool,
) -> Refused<Vec<PlacedRule>> {
    let mut all = Vec::new();
    for rule in without_unions(program, elements, rule) {
        let actors: Vec<usize> =
            (0..rule.binders.len()).filter(|idx| is_actor(elements, &rule.binders[*idx])).collect();
        let mut found = Vec::new();
        place(&mut Vec::new(), actors.len(), 0, is_rest, &mut found);
        for places in found {
            let outside = places.iter().filter_map(|place| match place {
                Actor::Outside(slot) => Some(slot + 1),
                _ => None,
            });
            let n_outside = outside.max().unwrap_or(0);
            if n_outside > MAX_OUTSIDE {
                let what = format!("rule `{}` has more than {MAX_OUTSIDE} actors", rule.name);
                return refuse(what, rule.span);
            }
            let actors = actors.iter().copied().zip(places).collect();
            let rule = rule.clone();
            let (is_seen_elsewhere, is_defined) = (false, false);
            all.push(PlacedRule { rule, actors, n_outside, is_seen_elsewhere, is_defined });
        }
    }
    Ok(all)
}

/// Appends all ways to place `n` actors to `found`. Outside, each is one of those before it or a
/// new one.
fn place(
    places: &mut Vec<Actor>,
    n: usize,
    n_outside: u32,
    is_rest: bool,
    found: &mut Vec<Vec<Actor>>,
) {
    if places.len() == n {
        found.push(places.clone());
        return;
    }
    let outside = (0..=n_outside).map(|slot| (Actor::Outside(slot), n_outside.max(slot + 1)));
    let elsewhere: Vec<(Actor, u32)> =
        if is_rest { vec![(Actor::Rest, 0)] } else { outside.collect() };
    for (actor, n_outside) in std::iter::once((Actor::Visible, n_outside)).chain(elsewhere) {
        places.push(actor);
        place(places, n, n_outside, is_rest, found);
        places.pop();
    }
}

fn is_actor(elements: &Elements, binder: &Binder) -> bool {
    matches!(binder, Binder::Each { domain: Domain::Type(ty), .. } if *ty == elements.ty)
}

/// The rule once for each member of the unions with elements that it binds.
fn without_unions(program: &Program, elements: &Elements, rule: &Rule) -> Vec<Rule> {
    for (idx, binder) in rule.binders.iter().enumerate() {
        let Binder::Each { local, domain: Domain::Type(ty) } = binder else { continue };
        let TypeKind::Union { members } = program.types.kind(*ty) else { continue };
        if !members.contains(&elements.ty) {
            continue;
        }
        let with = |member: &crate::murphi::typed::TypeId| {
            let mut one = rule.clone();
            one.binders[idx] = Binder::Each { local: *local, domain: Domain::Type(*member) };
            without_unions(program, elements, &one)
        };
        return members.iter().flat_map(with).collect();
    }
    vec![rule.clone()]
}

/// The abstraction of a rule whose actors are placed.
pub(super) fn abstract_rule(
    program: &Program,
    elements: Elements,
    n_visible: u32,
    (placed, governed): (&PlacedRule, &[Governed]),
    functions: &mut Functions,
) -> Refused<Rule> {
    let rule = &placed.rule;
    let elements = Elements { n_used: n_visible + placed.n_outside, ..elements };
    let mut scope = Scope::new(program, elements, &rule.locals, functions);
    scope.choices = Some(Vec::new());
    scope.forgettable = forgettable(governed);
    scope.is_seen_elsewhere = placed.is_seen_elsewhere;
    scope.is_defined = placed.is_defined;
    let mut binders = Vec::with_capacity(rule.binders.len());
    for (idx, binder) in rule.binders.iter().enumerate() {
        let actor = placed.actors.iter().find(|(binder, _)| *binder == idx);
        binders.extend(abstract_binder(
            &mut scope,
            binder,
            actor.map(|(_, a)| *a),
            n_visible,
            rule.span,
        )?);
    }
    let guard = match &rule.guard {
        Some(guard) => Some(scope.truth(guard)?.may()),
        None => None,
    };
    let body = scope.block(&rule.body)?;
    binders.extend(scope.choices.take().unwrap_or_default());
    let locals = scope.locals;
    Ok(Rule { binders, locals, guard, body, ..rule.clone() })
}

fn abstract_binder(
    scope: &mut Scope<'_>,
    binder: &Binder,
    actor: Option<Actor>,
    n_visible: u32,
    span: Span,
) -> Refused<Option<Binder>> {
    let elements = scope.elements;
    match (binder, actor) {
        (Binder::Each { local, .. }, Some(Actor::Rest)) => {
            scope.mean(*local, Meaning::Rest);
            Ok(None)
        }
        (Binder::Each { local, .. }, Some(place)) => {
            scope.mean(*local, Meaning::Slot);
            let domain = match place {
                Actor::Outside(slot) => elements.slots(n_visible + slot, 1, span),
                Actor::Visible | Actor::Rest => elements.slots(0, n_visible, span),
            };
            Ok(Some(Binder::Each { local: *local, domain }))
        }
        (Binder::Each { .. }, None) => Ok(Some(binder.clone())),
        (Binder::Alias { local, target }, _) => {
            if let Argument::Place(place) = target {
                // It must be known which place it is, as it may be written.
                scope.without_choices(|scope| scope.target(place))?;
            }
            let (target, known) = scope.bind(*local, target)?;
            match (target, known) {
                (None, _) => Ok(None),
                (Some(target), Known::Always) => Ok(Some(Binder::Alias { local: *local, target })),
                _ => refuse(
                    "an alias around a rule names what may belong to an element beside",
                    span,
                ),
            }
        }
        (Binder::Choose { .. }, _) => refuse("multisets are not supported", span),
    }
}

/// The model with these rules and start states, and nothing asked. Choices are numbered anew.
pub(super) fn assemble(
    program: &Program,
    elements: Elements,
    n_used: u32,
    (starts, rules): (Vec<Rule>, Vec<Rule>),
    mut functions: Functions,
) -> Refused<Program> {
    let elements = Elements { n_used, ..elements };
    let mut assumptions = Vec::with_capacity(program.assumptions.len());
    for assumption in &program.assumptions {
        let mut scope = Scope::new(program, elements, &assumption.locals, &mut functions);
        let condition = scope.truth(&assumption.condition)?.may();
        let locals = scope.locals;
        assumptions.push(Predicate { condition, locals, ..assumption.clone() });
    }
    Ok(Program {
        types: program.types.clone(),
        variables: program.variables.clone(),
        functions: finished(functions),
        starts: numbered(program, starts),
        rules: numbered(program, rules),
        properties: Vec::new(),
        covers: Vec::new(),
        assumptions,
        propositions: Vec::new(),
        constants: program.constants.clone(),
    })
}

fn finished(functions: Functions) -> Vec<Function> {
    functions.made
}

fn numbered(program: &Program, mut rules: Vec<Rule>) -> Vec<Rule> {
    let mut next = 0_u64;
    for rule in &mut rules {
        let sizes = rule.binders.iter().map(|binder| match binder {
            Binder::Each { domain, .. } => domain.n_values(&program.types),
            _ => 1,
        });
        rule.first_choice = next;
        rule.n_instances = sizes.fold(1, u64::saturating_mul);
        next = next.saturating_add(rule.n_instances);
    }
    rules
}

/// The claims of a model about elements in a view.
pub(super) fn claims(
    program: &Program,
    elements: Elements,
    governed: &[Governed],
    functions: &mut Functions,
) -> Refused<Vec<Predicate>> {
    let mut claims = Vec::with_capacity(program.properties.len());
    for property in &program.properties {
        let mut scope = Scope::new(program, elements, &property.locals, functions);
        scope.forgettable = forgettable(governed);
        let condition = scope.claim(&property.condition, true)?;
        let locals = scope.locals;
        claims.push(Predicate { condition, locals, ..property.clone() });
    }
    Ok(claims)
}

impl PlacedRule {
    /// The number of actors in the view.
    pub(super) fn visible_actors(&self) -> usize {
        self.actors.iter().filter(|(_, actor)| *actor == Actor::Visible).count()
    }

    /// The names of its actors.
    pub(super) fn locals(&self) -> Vec<LocalId> {
        let local = |(idx, _): &(usize, Actor)| match &self.rule.binders[*idx] {
            Binder::Each { local, .. } => Some(*local),
            _ => None,
        };
        self.actors.iter().filter_map(local).collect()
    }
}
