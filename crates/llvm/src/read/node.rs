//! Metadata nodes that are kept until all are read, because others refer to them.

use rustc_hash::FxHashMap;

use crate::ir::DebugId;

/// Numbers of nodes that have none in the text are given from the top down; the
/// greatest one stands for no node at all.
const TOP: u32 = u32::MAX - 1;

/// Nodes that are needed to complete types.
#[derive(Default)]
pub(super) struct Nodes {
    /// `!{!1, null, !2}`; what is no reference is left out.
    pub(super) lists: FxHashMap<DebugId, Vec<DebugId>>,
    pub(super) members: FxHashMap<DebugId, crate::ir::DebugField>,
    /// `DISubrange`: how many.
    pub(super) ranges: FxHashMap<DebugId, u64>,
    pub(super) enumerators: FxHashMap<DebugId, (String, i64)>,
    /// Records, arrays and enumerations, with the list of their elements.
    pub(super) composites: Vec<(DebugId, Composite)>,
    /// `DIGlobalVariableExpression`: the variable that it names.
    pub(super) globals: Vec<(DebugId, DebugId)>,
    n_inline: u32,
}

/// A type whose elements are read elsewhere.
pub(super) struct Composite {
    pub(super) kind: CompositeKind,
    pub(super) elements: Option<DebugId>,
}

pub(super) enum CompositeKind {
    Array(Option<DebugId>),
    Record,
    Enumeration,
}

impl Nodes {
    /// A number for a node written in place.
    pub(super) fn inline_id(&mut self) -> DebugId {
        let id = DebugId(TOP - self.n_inline);
        self.n_inline += 1;
        id
    }
}
