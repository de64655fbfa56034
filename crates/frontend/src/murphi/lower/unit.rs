//! What all functions of one model share while they are made: faults, types, and
//! the functions that are called rather than inlined.

use std::collections::BTreeMap;

use model::Fault;
use model::rule_code::{Base, FaultId, Function, FunctionId};
use rustc_hash::FxHashMap;

use super::super::layout::Layouts;
use super::super::typed::{self, Program, TypeId, TypeKind};
use super::analysis::Traits;

/// The whole model while it is lowered.
pub(super) struct Unit<'p> {
    /// The model.
    pub(super) program: &'p Program,
    /// Where everything lies.
    pub(super) layouts: &'p Layouts,
    /// What is known of its functions.
    pub(super) traits: Traits,
    /// For each type whose values are its codes plus a constant, that constant.
    offsets: Vec<Option<i64>>,
    /// Whether there are multisets in the type.
    has_multisets: Vec<bool>,
    /// All faults.
    pub(super) faults: Vec<Fault>,
    fault_ids: FxHashMap<Site, FaultId>,
    /// All functions; those that are only reserved are empty.
    pub(super) functions: Vec<Function>,
    callable: BTreeMap<(Callee, World), FunctionId>,
    /// Functions that are called and not made yet.
    pub(super) wanted: Vec<(Callee, World, FunctionId)>,
}

/// Which state the code works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum World {
    /// The state that is expanded or judged.
    State,
    /// The state that is being made.
    Next,
}

/// What can be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Callee {
    /// A function or procedure of the model.
    Function(typed::FunctionId),
    /// An assumption, by number.
    Assumption(u32),
}

/// A place in the text where something can go wrong, and what.
pub(super) type Site = (usize, SiteKind, u32);

/// What can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SiteKind {
    Undefined,
    Range,
    Index,
    Slot,
    Full,
    Argument,
    Arithmetic,
    Statement,
    Step,
}

impl World {
    /// The memory of the state.
    pub(super) fn base(self) -> Base {
        match self {
            World::State => Base::State,
            World::Next => Base::Next,
        }
    }
}

impl<'p> Unit<'p> {
    /// Nothing made yet.
    pub(super) fn new(program: &'p Program, layouts: &'p Layouts) -> Unit<'p> {
        let mut unit = Unit {
            program,
            layouts,
            traits: Traits::of(program),
            offsets: Vec::new(),
            has_multisets: Vec::new(),
            faults: Vec::new(),
            fault_ids: FxHashMap::default(),
            functions: Vec::new(),
            callable: BTreeMap::new(),
            wanted: Vec::new(),
        };
        for idx in 0..program.types.all.len() {
            let ty = TypeId(idx as u32);
            unit.offsets.push(unit.find_offset(ty));
            unit.has_multisets.push(unit.find_multisets(ty));
        }
        unit
    }

    /// The constant that codes of this type differ from its values by, if one.
    pub(super) fn offset(&self, ty: TypeId) -> Option<i64> {
        self.offsets[ty.0 as usize]
    }

    /// Are there multisets in this type?
    pub(super) fn has_multisets(&self, ty: TypeId) -> bool {
        self.has_multisets[ty.0 as usize]
    }

    /// The number of the fault at a place in the text: `node` is what stands there.
    pub(super) fn fault<T>(
        &mut self,
        node: &T,
        kind: SiteKind,
        step: usize,
        make: impl FnOnce() -> Fault,
    ) -> FaultId {
        // A node of the typed model lies still, so its address names it.
        let site = (std::ptr::from_ref(node).addr(), kind, step as u32);
        let faults = &mut self.faults;
        *self.fault_ids.entry(site).or_insert_with(|| {
            faults.push(make());
            FaultId(faults.len() as u32 - 1)
        })
    }

    /// Adds a function.
    pub(super) fn add(&mut self, function: Function) -> FunctionId {
        self.functions.push(function);
        FunctionId(self.functions.len() as u32 - 1)
    }

    /// The code of what is to be called; made later where it is new.
    pub(super) fn callable(&mut self, callee: Callee, world: World) -> FunctionId {
        if let Some(id) = self.callable.get(&(callee, world)) {
            return *id;
        }
        let id = self.add(Function::default());
        self.callable.insert((callee, world), id);
        self.wanted.push((callee, world, id));
        id
    }

    fn find_offset(&self, ty: TypeId) -> Option<i64> {
        let types = &self.program.types;
        let TypeKind::Union { members } = types.kind(ty) else {
            return Some(types.first_value(ty).wrapping_sub(1));
        };
        let mut n_before: u64 = 0;
        let mut offsets = members.iter().map(|member| {
            let offset = types.first_value(*member).wrapping_sub(1);
            let offset = offset.wrapping_sub_unsigned(n_before);
            n_before = n_before.saturating_add(types.n_values(*member));
            offset
        });
        let first = offsets.next()?;
        offsets.all(|offset| offset == first).then_some(first)
    }

    fn find_multisets(&self, ty: TypeId) -> bool {
        let known = |ty: TypeId| self.has_multisets.get(ty.0 as usize).copied().unwrap_or(false);
        match self.program.types.kind(ty) {
            TypeKind::Record { fields } => fields.iter().any(|(_, field)| known(*field)),
            TypeKind::Array { element, .. } => known(*element),
            TypeKind::Multiset { .. } => true,
            _ => false,
        }
    }
}
