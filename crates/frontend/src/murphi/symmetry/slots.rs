//! Finds uses of the slots of a multiset that depend on the order of its elements.
//!
//! Slots are in the order of what lies in them, which is another one when elements are
//! permuted: the number of a slot means nothing. That does no harm as long as a slot
//! stands for what lies in it. It does not when a slot of one multiset is used on
//! another one, or compared with its slots; when it is used after it may have been
//! removed, since something else may lie there then; and when `multisetremovepred`,
//! which goes through the slots in order, looks at slots other than its own.
//!
//! Within a step the order of slots is that of additions, which may come from a loop
//! over any scalarset. So each of these is a reason not to permute any scalarset.
//!
//! Rules and properties are looked through, and each function that they call, with
//! what is known of its parameters: the types of the multisets whose slots they may
//! lie in. `changes` says which calls may remove something.

use std::collections::BTreeSet;

use super::changes::{Changed, Changes};
use super::conflict::contains;
use super::site::{Site, SiteIndex, SiteStep};
use crate::murphi::faults::Scope;
use crate::murphi::typed::{
    Argument, BinaryOp, Binder, Domain, Expr, ExprKind, FunctionId, Local, LocalId, LocalKind,
    Place, Program, Projection, Root, Stmt, StmtKind, TypeId, TypeKind,
};
use crate::murphi::visit::Visit;

/// Types of the multisets in whose slots something lies.
type Within = BTreeSet<TypeId>;

/// A use of slots that depends on their order, as a sentence without a full stop.
pub(super) fn order_of_slots(program: &Program) -> Option<String> {
    let is_multiset = |ty: &_| matches!(ty, TypeKind::Multiset { .. });
    if !program.types.all.iter().any(|ty| is_multiset(&ty.kind)) {
        return None;
    }
    let changes = Changes::new(program);
    let mut calls = Calls::new(program);
    for rule in &program.rules {
        let mut owner = Owner::new(&changes, &mut calls, &rule.locals);
        rule.binders.iter().for_each(|binder| owner.binder(binder));
        rule.guard.iter().for_each(|guard| owner.expr(guard));
        owner.block(&rule.body);
        owner.report(&format!("rule `{}`", rule.name));
    }
    let predicates = [&program.properties, &program.assumptions, &program.propositions];
    for predicate in predicates.into_iter().flatten() {
        let mut owner = Owner::new(&changes, &mut calls, &predicate.locals);
        owner.expr(&predicate.condition);
        owner.report(&format!("`{}`", predicate.name));
    }
    while let Some(id) = calls.open.pop_first() {
        let function = &program.functions[id.0 as usize];
        let parameters = calls.parameters[id.0 as usize].clone().unwrap_or_default();
        let mut owner = Owner::new(&changes, &mut calls, &function.locals);
        for (name, within) in owner.names.iter_mut().zip(parameters) {
            name.within = within;
        }
        owner.block(&function.body);
        owner.report(&format!("`{}`", function.name));
    }
    calls.reason
}

/// What is found in all rules, properties and functions.
struct Calls<'a> {
    program: &'a Program,
    /// For each function that is called, where its parameters may lie.
    parameters: Vec<Option<Vec<Within>>>,
    /// Functions that are to be looked through, or again.
    open: BTreeSet<FunctionId>,
    reason: Option<String>,
}

impl<'a> Calls<'a> {
    fn new(program: &'a Program) -> Calls<'a> {
        let parameters = vec![None; program.functions.len()];
        Calls { program, parameters, open: BTreeSet::new(), reason: None }
    }

    fn note(&mut self, function: FunctionId, arguments: Vec<Within>) {
        let Some(parameters) = &mut self.parameters[function.0 as usize] else {
            self.parameters[function.0 as usize] = Some(arguments);
            self.open.insert(function);
            return;
        };
        for (parameter, mut argument) in parameters.iter_mut().zip(arguments) {
            if !argument.is_subset(parameter) {
                parameter.append(&mut argument);
                self.open.insert(function);
            }
        }
    }
}

/// What a name stands for.
#[derive(Clone)]
struct Name {
    /// The same name, where it is an alias of one that never changes.
    same_as: LocalId,
    /// The place, where it is an alias of one that never changes.
    site: Option<Site>,
    /// The slot, where it is one.
    slot: Option<Slot>,
    /// Where it lies, or the slot that it names.
    within: Within,
}

/// What is known of a slot.
#[derive(Clone)]
struct Slot {
    /// The multiset.
    home: Option<Site>,
    /// Is it bound for an expression alone? Nothing is changed there.
    is_brief: bool,
}

/// The rule, property or function that is looked through.
struct Owner<'o, 'a> {
    changes: &'o Changes<'a>,
    calls: &'o mut Calls<'a>,
    locals: &'a [Local],
    names: Vec<Name>,
    /// Names of slots that may have been removed, or that lie in such slots.
    stale: BTreeSet<LocalId>,
    /// What is wrong, as the end of a sentence.
    misuse: Option<String>,
}

impl<'o, 'a> Owner<'o, 'a> {
    fn new(
        changes: &'o Changes<'a>,
        calls: &'o mut Calls<'a>,
        locals: &'a [Local],
    ) -> Owner<'o, 'a> {
        let ids = (0..locals.len() as u32).map(LocalId);
        let names =
            ids.map(|same_as| Name { same_as, site: None, slot: None, within: Within::new() });
        let (names, stale) = (names.collect(), BTreeSet::new());
        Owner { changes, calls, locals, names, stale, misuse: None }
    }

    /// Ends the look through what is called `name` in reasons.
    fn report(self, name: &str) {
        if let Some(misuse) = self.misuse {
            self.calls.reason.get_or_insert_with(|| format!("in {name}, {misuse}"));
        }
    }

    fn refuse(&mut self, misuse: impl FnOnce() -> String) {
        self.misuse.get_or_insert_with(misuse);
    }

    fn text(&self, place: &Place) -> String {
        Scope { program: self.calls.program, locals: self.locals }.place_text(place)
    }

    fn name(&self, id: LocalId) -> &str {
        &self.locals[id.0 as usize].name
    }

    fn bind(&mut self, local: LocalId, name: Name) {
        self.names[local.0 as usize] = name;
        self.stale.remove(&local);
    }

    fn bind_slot(&mut self, local: LocalId, multiset: &Place, is_brief: bool) {
        let mut within = self.within(multiset);
        within.insert(multiset.ty);
        let slot = Slot { home: self.site(multiset), is_brief };
        self.bind(local, Name { same_as: local, site: None, slot: Some(slot), within });
    }

    /// Looks through the target of an alias and binds the name.
    fn bind_alias(&mut self, local: LocalId, target: &Argument) {
        let mut name = Name { same_as: local, site: None, slot: None, within: Within::new() };
        match target {
            Argument::Place(place) => {
                self.place(place);
                name.site = self.site(place).filter(Site::is_fixed);
                name.within = self.within(place);
            }
            Argument::Value(value) => {
                if let Some(slot) = self.slot_of(value) {
                    self.use_slot(slot);
                } else {
                    self.expr(value);
                }
                name.same_as = self.name_of(value).unwrap_or(local);
            }
        }
        self.bind(local, name);
    }

    /// From here on, slots of multisets of these types may have been removed.
    fn change<'c>(&mut self, changed: impl IntoIterator<Item = &'c TypeId>) {
        let types = &self.calls.program.types;
        for whole in changed {
            let is_part = |part: &TypeId| contains(types, *whole, *part);
            let names = self.names.iter().enumerate();
            let stale = names.filter(|(_, name)| name.within.iter().any(is_part));
            self.stale.extend(stale.map(|(id, _)| LocalId(id as u32)));
        }
    }

    /// Something that was found within slots of these multisets is used after all of
    /// `changed` may have happened.
    fn use_after(&mut self, within: &Within, changed: &Changed) {
        let types = &self.calls.program.types;
        let is_gone = |part: &TypeId| changed.iter().any(|whole| contains(types, *whole, *part));
        if within.iter().any(is_gone) {
            self.refuse(|| "a place is used after its slot may have been removed".to_owned());
        }
    }

    /// One of these is executed.
    fn branches<'b>(&mut self, bodies: impl Iterator<Item = &'b Vec<Stmt>>) {
        let before = self.stale.clone();
        let mut after = before.clone();
        for body in bodies {
            self.stale.clone_from(&before);
            self.block(body);
            after.append(&mut self.stale);
        }
        self.stale = after;
    }

    /// The body may have been executed before, with these changes.
    fn repeated(&mut self, changed: &Changed, body: impl FnOnce(&mut Self)) {
        self.change(changed);
        body(self);
    }

    /// The types of the multisets in whose slots a place lies.
    fn within(&self, place: &Place) -> Within {
        let mut ty = self.root_type(place.root);
        let mut within = match place.root {
            Root::Variable(_) => Within::new(),
            Root::Local(id) => self.names[id.0 as usize].within.clone(),
        };
        for step in &place.path {
            if matches!(step, Projection::Slot(_)) {
                within.insert(ty);
            }
            ty = match (self.calls.program.types.kind(ty), step) {
                (TypeKind::Record { fields }, Projection::Field(idx)) => fields[*idx as usize].1,
                (TypeKind::Array { element, .. } | TypeKind::Multiset { element, .. }, _) => {
                    *element
                }
                _ => ty,
            };
        }
        within
    }

    fn root_type(&self, root: Root) -> TypeId {
        match root {
            Root::Variable(idx) => self.calls.program.variables[idx as usize].ty,
            Root::Local(id) => self.locals[id.0 as usize].ty,
        }
    }

    /// The place without aliases, where that can be told.
    fn site(&self, place: &Place) -> Option<Site> {
        self.site_of(place.root, &place.path)
    }

    fn site_of(&self, root: Root, path: &[Projection]) -> Option<Site> {
        let alias = match root {
            Root::Variable(_) => None,
            Root::Local(id) => self.names[id.0 as usize].site.clone(),
        };
        let mut site = alias.unwrap_or(Site { root, steps: Vec::new() });
        for step in path {
            site.steps.push(match step {
                Projection::Field(field) => SiteStep::Field(*field),
                Projection::Index(index) => SiteStep::Index(self.site_index(index)?),
                Projection::Slot(slot) => SiteStep::Slot(self.slot_of(slot)?),
            });
        }
        Some(site)
    }

    fn site_index(&self, index: &Expr) -> Option<SiteIndex> {
        match (&index.kind, self.name_of(index)) {
            (ExprKind::Constant(value), _) => Some(SiteIndex::Constant(*value)),
            (_, Some(name)) => Some(SiteIndex::Name(name)),
            (ExprKind::Read(place), None) if self.within(place).is_empty() => {
                self.site(place).map(SiteIndex::Read)
            }
            _ => None,
        }
    }

    /// The name of a value that never changes while it is bound.
    fn name_of(&self, expr: &Expr) -> Option<LocalId> {
        let ExprKind::Read(place) = &expr.kind else { return None };
        let Root::Local(id) = place.root else { return None };
        let is_value = self.locals[id.0 as usize].kind == LocalKind::Value;
        (is_value && place.path.is_empty()).then(|| self.names[id.0 as usize].same_as)
    }

    /// The slot that an expression names.
    fn slot_of(&self, expr: &Expr) -> Option<LocalId> {
        self.name_of(expr).filter(|id| self.names[id.0 as usize].slot.is_some())
    }

    fn slot(&self, id: LocalId) -> Option<&Slot> {
        self.names[id.0 as usize].slot.as_ref()
    }

    /// A slot is used for what it stands for.
    fn use_slot(&mut self, slot: LocalId) {
        if self.stale.contains(&slot) {
            let name = self.name(slot).to_owned();
            self.refuse(|| format!("slot `{name}` is used after it may have been removed"));
        }
    }

    /// A slot is used on the multiset that lies at the start of `place`.
    fn use_slot_on(&mut self, slot: &Expr, place: &Place, n_steps: usize) {
        let site = self.site_of(place.root, &place.path[..n_steps]);
        let Some(id) = self.slot_of(slot) else {
            self.expr(slot);
            let text = self.text(place);
            return self.refuse(|| format!("it is not clear which slot is meant by `{text}`"));
        };
        self.use_slot(id);
        let is_home = self.slot(id).is_some_and(|slot| {
            slot.home == site && site.is_some_and(|site| site.is_fixed() || slot.is_brief)
        });
        if !is_home {
            let (name, text) = (self.name(id).to_owned(), self.text(place));
            self.refuse(|| format!("slot `{name}` may be one of another multiset than `{text}`"));
        }
    }

    /// Two slots are compared.
    fn compare(&mut self, left: LocalId, right: LocalId) {
        self.use_slot(left);
        self.use_slot(right);
        let homes = self.slot(left).zip(self.slot(right));
        let is_same = homes.is_some_and(|(left, right)| {
            let are_brief = left.is_brief && right.is_brief;
            let is_clear = |site: &Site| site.is_fixed() || are_brief;
            left.home == right.home && left.home.as_ref().is_some_and(is_clear)
        });
        if left != right && !is_same {
            let (left, right) = (self.name(left).to_owned(), self.name(right).to_owned());
            self.refuse(|| format!("slots `{left}` and `{right}` may be of two multisets"));
        }
    }

    fn remove_if(&mut self, own: LocalId, multiset: &Place, condition: &Expr) {
        self.place(multiset);
        self.bind_slot(own, multiset, true);
        self.expr(condition);
        let removal = Removal { owner: self, own, multiset };
        if removal.looks_elsewhere(condition) {
            let text = self.text(multiset);
            self.refuse(|| {
                format!("the condition of `multisetremovepred` on `{text}` may see other slots")
            });
        }
    }
}

impl Visit for Owner<'_, '_> {
    fn binder(&mut self, binder: &Binder) {
        match binder {
            Binder::Each { domain, .. } => self.domain(domain),
            Binder::Choose { local, multiset } => {
                self.place(multiset);
                self.bind_slot(*local, multiset, false);
            }
            Binder::Alias { local, target } => self.bind_alias(*local, target),
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::If(arms) => {
                arms.iter().flat_map(|(condition, _)| condition).for_each(|one| self.expr(one));
                self.branches(arms.iter().map(|(_, body)| body));
            }
            StmtKind::Switch { subject, arms, otherwise } => {
                self.expr(subject);
                arms.iter().flat_map(|(values, _)| values).for_each(|value| self.expr(value));
                self.branches(arms.iter().map(|(_, body)| body).chain([otherwise]));
            }
            StmtKind::For { domain, body, .. } => {
                self.domain(domain);
                let changed = self.changes.by_block(body);
                self.repeated(&changed, |owner| owner.block(body));
            }
            StmtKind::While(condition, body) => {
                let mut changed = self.changes.by_block(body);
                changed.append(&mut self.changes.by_expr(condition));
                self.repeated(&changed, |owner| {
                    owner.expr(condition);
                    owner.block(body);
                });
            }
            StmtKind::Alias { local, target, body } => {
                self.bind_alias(*local, target);
                self.block(body);
            }
            StmtKind::MultisetRemove(multiset, slot) => {
                self.place(multiset);
                self.use_slot_on(slot, multiset, multiset.path.len());
            }
            StmtKind::MultisetRemoveIf { local, multiset, condition } => {
                self.remove_if(*local, multiset, condition);
            }
            _ => self.parts_of_statement(statement),
        }
        let changed = self.changes.by_statement_itself(statement);
        self.change(&changed);
    }

    fn call(&mut self, function: FunctionId, arguments: &[Argument]) {
        arguments.iter().for_each(|argument| self.argument(argument));
        let within = arguments.iter().map(|argument| match argument {
            Argument::Place(place) => self.within(place),
            Argument::Value(_) => Within::new(),
        });
        let within: Vec<Within> = within.collect();
        let changes = self.changes;
        // All arguments are evaluated before any is used.
        let changed = changes.by_arguments(arguments);
        within.iter().for_each(|within| self.use_after(within, &changed));
        self.calls.note(function, within);
        self.change(changes.by_call(function));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, left, right) => {
                match self.slot_of(left).zip(self.slot_of(right)) {
                    Some((left, right)) => self.compare(left, right),
                    None => self.parts_of_expr(expr),
                }
            }
            ExprKind::SamePlace { left, right, .. } => {
                self.parts_of_expr(expr);
                // Both places are found before they are compared.
                let changed = self.changes.by_places([&**left, &**right]);
                for within in [self.within(left), self.within(right)] {
                    self.use_after(&within, &changed);
                }
            }
            ExprKind::Quantified { domain, body, .. } => {
                self.domain(domain);
                let changed = self.changes.by_expr(body);
                self.repeated(&changed, |owner| owner.expr(body));
            }
            ExprKind::MultisetCount { local, multiset, body } => {
                self.place(multiset);
                self.bind_slot(*local, multiset, true);
                let changed = self.changes.by_expr(body);
                self.repeated(&changed, |owner| owner.expr(body));
            }
            ExprKind::Let { local, target, body } => {
                self.bind_alias(*local, target);
                self.expr(body);
            }
            _ => self.parts_of_expr(expr),
        }
    }

    fn place(&mut self, place: &Place) {
        let types = &self.calls.program.types;
        if let Root::Local(id) = place.root {
            let name = self.name(id).to_owned();
            if matches!(types.kind(self.locals[id.0 as usize].ty), TypeKind::Slot { .. }) {
                self.refuse(|| format!("slot `{name}` is used as a value"));
            }
            if self.stale.contains(&id) {
                self.refuse(|| format!("`{name}` is used after its slot may have been removed"));
            }
        }
        for (n_steps, step) in place.path.iter().enumerate() {
            match step {
                Projection::Field(_) => {}
                Projection::Index(index) => self.expr(index),
                Projection::Slot(slot) => self.use_slot_on(slot, place, n_steps),
            }
        }
        // Indices are evaluated on the way, behind slots too.
        let changed = self.changes.by_places([place]);
        let within = self.within(place);
        self.use_after(&within, &changed);
    }
}

/// A `multisetremovepred`, which goes through the slots in order. That means nothing as
/// long as its condition looks at its own slot alone, and not at what is still there.
struct Removal<'r, 'o, 'a> {
    owner: &'r Owner<'o, 'a>,
    /// Its slot.
    own: LocalId,
    multiset: &'r Place,
}

impl Removal<'_, '_, '_> {
    /// Might the value depend on slots other than its own? Calls are not looked
    /// through.
    fn looks_elsewhere(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Constant(_) => false,
            ExprKind::Read(place) | ExprKind::IsUndefined(place) => self.lies_elsewhere(place),
            ExprKind::SameElement { left, right, .. } => {
                self.lies_elsewhere(left) || self.lies_elsewhere(right)
            }
            ExprKind::Unary(_, operand) | ExprKind::IsMember(operand, _) => {
                self.looks_elsewhere(operand)
            }
            ExprKind::Binary(_, left, right) => {
                self.looks_elsewhere(left) || self.looks_elsewhere(right)
            }
            ExprKind::Conditional(condition, left, right) => {
                [condition, left, right].into_iter().any(|part| self.looks_elsewhere(part))
            }
            ExprKind::Quantified { domain: Domain::Type(_), body, .. } => {
                self.looks_elsewhere(body)
            }
            ExprKind::Quantified { .. }
            | ExprKind::Let { .. }
            | ExprKind::SamePlace { .. }
            | ExprKind::Call(..)
            | ExprKind::MultisetCount { .. } => true,
        }
    }

    fn lies_elsewhere(&self, place: &Place) -> bool {
        let is_slot = |step: &Projection| matches!(step, Projection::Slot(_));
        let n_own = place.path.iter().position(|step| self.is_own(step)).map_or(0, |idx| idx + 1);
        let is_elsewhere = if n_own > 0 {
            place.path[n_own..].iter().any(is_slot)
        } else {
            let types = &self.owner.calls.program.types;
            let is_part = |part: &TypeId| contains(types, self.multiset.ty, *part);
            self.owner.within(place).iter().any(is_part)
        };
        is_elsewhere
            || place.path.iter().any(|step| match step {
                Projection::Index(index) => self.looks_elsewhere(index),
                Projection::Field(_) | Projection::Slot(_) => false,
            })
    }

    /// Does the step lead into its own slot? That it is one of its own multiset is
    /// looked at where the slot is used.
    fn is_own(&self, step: &Projection) -> bool {
        let Projection::Slot(slot) = step else { return false };
        self.owner.slot_of(slot) == Some(self.own)
    }
}
