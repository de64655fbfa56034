//! A place/transition net as a PNML file describes it, pages forgotten.

use model::Span;

/// The net.
#[derive(Debug)]
pub(crate) struct Net {
    pub places: Vec<Place>,
    pub transitions: Vec<Node>,
    pub arcs: Vec<Arc>,
    pub references: Vec<Reference>,
    /// Its start tag.
    pub span: Span,
}

/// An element with an id, and perhaps a name.
#[derive(Debug)]
pub(crate) struct Node {
    pub id: String,
    pub name: Option<String>,
    pub span: Span,
}

/// A place.
#[derive(Debug)]
pub(crate) struct Place {
    pub node: Node,
    pub marking: u32,
}

/// A `referencePlace` or `referenceTransition`: another name for a node.
#[derive(Debug)]
pub(crate) struct Reference {
    pub id: String,
    pub to: String,
    pub span: Span,
}

/// What an arc does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArcKind {
    /// Moves tokens.
    Normal,
    /// Demands tokens and leaves them.
    Read,
    /// Demands fewer tokens than its weight.
    Inhibitor,
    /// Empties the place.
    Reset,
}

/// An arc.
#[derive(Debug)]
pub(crate) struct Arc {
    pub source: String,
    pub target: String,
    pub weight: u32,
    pub kind: ArcKind,
    pub span: Span,
}
