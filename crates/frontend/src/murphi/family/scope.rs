//! What the names of a rule, function or property stand for while it is abstracted.

use std::collections::BTreeMap;

use model::{Diagnostic, Span};

use crate::murphi::typed::{
    Binder, Domain, Expr, ExprKind, Local, LocalId, LocalKind, Place, Program, Root, TypeId,
    TypeKind, Types,
};

use super::functions::Functions;
use super::truth::number;
use super::uses::{Field, field_of, is_within};

/// More choices than this are not made within one rule.
const MAX_CHOICES: usize = 12;

/// Why a model has no abstraction: a construct, and where it stands.
pub(super) type Refused<T> = Result<T, Box<Diagnostic>>;

/// A construct that cannot be abstracted soundly.
pub(super) fn refuse<T>(what: impl Into<String>, span: Span) -> Refused<T> {
    let message = format!("for any number, {}", what.into());
    Err(Box::new(Diagnostic::error("MU023", message, span)))
}

/// The elements of the parameter by their numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elements {
    /// The parameter's type.
    pub ty: TypeId,
    /// The number of the first slot.
    pub first: i64,
    /// Slots that the rule at hand knows: those of the view, then those of the actors beside it.
    pub n_used: u32,
    /// All slots; the element after them stands for every other one.
    pub n_slots: u32,
    /// Is the parameter written as a subrange?
    pub is_range: bool,
}

impl Elements {
    /// The number of the element that stands for all that have no slot.
    pub(super) fn rest(&self) -> i64 {
        self.first + i64::from(self.n_slots)
    }

    /// The slots that the rule knows.
    pub(super) fn used(&self, span: Span) -> Domain {
        self.slots(0, self.n_used, span)
    }

    /// Some consecutive slots.
    pub(super) fn slots(&self, from: u32, n: u32, span: Span) -> Domain {
        let first = self.first + i64::from(from);
        let bound = |value| Box::new(number(value, span));
        Domain::Range { from: bound(first), to: bound(first + i64::from(n) - 1), by: bound(1) }
    }

    /// Are there elements among the values of this type?
    pub(super) fn are_in(&self, types: &Types, ty: TypeId) -> bool {
        match types.kind(ty) {
            TypeKind::Union { members } => members.contains(&self.ty),
            _ => ty == self.ty,
        }
    }

    /// Are there elements somewhere in values of this type, or arrays over them?
    pub(super) fn are_within(&self, types: &Types, ty: TypeId) -> bool {
        match types.kind(ty) {
            TypeKind::Record { fields } => {
                fields.iter().any(|(_, field)| self.are_within(types, *field))
            }
            TypeKind::Array { index, element } => {
                self.are_in(types, *index) || self.are_within(types, *element)
            }
            TypeKind::Multiset { element, .. } => self.are_within(types, *element),
            _ => self.are_in(types, ty),
        }
    }
}

/// What a local name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Meaning {
    /// What it is bound to, which may be any element where it is one.
    Known,
    /// An element that has a slot.
    Slot,
    /// An element without a slot.
    Rest,
    /// A value that is not known, or a place that is not shown.
    Hidden,
}

/// A rule, function or property that is being abstracted.
pub(super) struct Scope<'a> {
    pub program: &'a Program,
    pub elements: Elements,
    pub locals: Vec<Local>,
    pub meanings: Vec<Meaning>,
    /// Functions with what their arguments are.
    pub functions: &'a mut Functions,
    /// New parameters of the rule, which choose what is unknown; `None` where nothing may be
    /// chosen.
    pub choices: Option<Vec<Binder>>,
    /// Indices of places to be written that were not known, and chosen.
    pub n_chosen_targets: u32,
    /// Fields that may have been forgotten: whether they always have a value. To look at others
    /// they must be defined.
    pub forgettable: BTreeMap<Field, bool>,
    /// Calls that were written out.
    pub n_inlined: u32,
    /// Truth values that may be unknown: for each, the name of whether it may be true. Its own
    /// says whether it must be.
    pub shadows: BTreeMap<LocalId, LocalId>,
    /// The node that a loop over all nodes is at.
    pub node: Option<LocalId>,
    /// Were nodes given back in doubt?
    pub doubts: bool,
    /// Are assertions and errors found where the actors are in the view?
    pub is_seen_elsewhere: bool,
    /// Do elements without slots have values everywhere?
    pub is_defined: bool,
}

impl<'a> Scope<'a> {
    /// Nothing is bound yet.
    pub(super) fn new(
        program: &'a Program,
        elements: Elements,
        locals: &[Local],
        functions: &'a mut Functions,
    ) -> Scope<'a> {
        let meanings = vec![Meaning::Known; locals.len()];
        let mut scope = Scope {
            program,
            elements,
            locals: locals.to_vec(),
            meanings,
            functions,
            choices: None,
            n_chosen_targets: 0,
            forgettable: BTreeMap::new(),
            n_inlined: 0,
            shadows: BTreeMap::new(),
            node: None,
            doubts: false,
            is_seen_elsewhere: false,
            is_defined: false,
        };
        scope.shadow_locals();
        scope
    }

    pub(super) fn types(&self) -> &'a Types {
        &self.program.types
    }

    /// The type of the variable or name that a place is part of.
    pub(super) fn type_of_root(&self, place: &Place) -> TypeId {
        match place.root {
            Root::Variable(variable) => self.program.variables[variable as usize].ty,
            Root::Local(local) => self.locals[local.0 as usize].ty,
        }
    }

    pub(super) fn meaning(&self, local: LocalId) -> Meaning {
        self.meanings[local.0 as usize]
    }

    pub(super) fn mean(&mut self, local: LocalId, meaning: Meaning) {
        self.meanings[local.0 as usize] = meaning;
    }

    /// Can the value be an element without a slot?
    pub(super) fn may_be_rest(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Read(place) => self.place_may_hold_rest(place),
            ExprKind::Constant(value) => *value == self.elements.rest(),
            ExprKind::Conditional(_, left, right) => {
                self.may_be_rest(left) || self.may_be_rest(right)
            }
            ExprKind::Let { body, .. } => self.may_be_rest(body),
            ExprKind::Call(function, _) => {
                let returns = self.program.functions[function.0 as usize].returns;
                returns.is_some_and(|ty| self.elements.are_in(self.types(), ty))
            }
            _ => false,
        }
    }

    /// Can the value at a place be an element without a slot?
    pub(super) fn place_may_hold_rest(&self, place: &Place) -> bool {
        let is_slot = match place.root {
            Root::Local(local) => place.path.is_empty() && self.meaning(local) == Meaning::Slot,
            Root::Variable(_) => false,
        };
        !is_slot && self.elements.are_in(self.types(), place.ty)
    }

    /// May the value at a place have been forgotten?
    pub(super) fn is_forgettable(&self, place: &Place) -> bool {
        !self.forgettable.is_empty()
            && field_of(place).is_some_and(|field| self.forgettable.contains_key(&field))
    }

    /// May something within the value at a place have been forgotten, but not the value itself?
    pub(super) fn has_forgettable(&self, place: &Place) -> bool {
        let whole = field_of(place);
        whole.is_some_and(|whole| {
            let mut fields = self.forgettable.keys().filter(|field| **field != whole);
            fields.any(|field| is_within(field, &whole))
        })
    }

    /// What the whole place stands for where it is a name alone.
    pub(super) fn name_of(&self, place: &Place) -> Option<Meaning> {
        match place.root {
            Root::Local(local) if place.path.is_empty() => Some(self.meaning(local)),
            _ => None,
        }
    }

    /// A new parameter of the rule that takes all values of a simple type.
    pub(super) fn choose(&mut self, ty: TypeId, span: Span) -> Refused<Expr> {
        let local = LocalId(self.locals.len() as u32);
        let bounds = self.types().bounds(ty);
        let elements = self.elements;
        if let Some(nodes) = &self.functions.memory
            && nodes.is_in(&self.program.types, ty)
        {
            let name = &nodes.name;
            let what = format!("a `{name}` that an element beside has a name of is looked at");
            return refuse(what, span);
        }
        let Some(choices) = &mut self.choices else {
            return refuse("a value that depends on elements beside is not supported here", span);
        };
        if choices.len() == MAX_CHOICES {
            return refuse("too many values of one rule depend on elements beside", span);
        }
        let domain = if ty == elements.ty { with_rest(&elements, span) } else { Domain::Type(ty) };
        let name = format!("chosen_{}", choices.len() + 1);
        choices.push(Binder::Each { local, domain });
        self.locals.push(Local { name, ty, kind: LocalKind::Value, span });
        self.meanings.push(Meaning::Known);
        let place = Place { root: Root::Local(local), path: Vec::new(), ty, span };
        Ok(Expr { kind: ExprKind::Read(Box::new(place)), bounds, span })
    }
}

/// All slots and the element that stands for the rest.
fn with_rest(elements: &Elements, span: Span) -> Domain {
    elements.slots(0, elements.n_slots + 1, span)
}
