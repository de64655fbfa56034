//! What debug metadata says: lines, scopes, variables and types, so that traces
//! speak C.

/// Names an entry of [`Debug`](struct@Debug): the metadata number as it is written (`!12` is 12),
/// or a number of its own where the node is written in place or modules were linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DebugId(pub u32);

/// All debug metadata that is understood, by number. Absent numbers mean nothing.
#[derive(Clone, Debug, Default)]
pub struct Debug {
    /// `DILocation`.
    pub locations: rustc_hash::FxHashMap<DebugId, DebugLocation>,
    /// `DIFile`.
    pub files: rustc_hash::FxHashMap<DebugId, DebugFile>,
    /// `DISubprogram`, `DILexicalBlock`, `DILexicalBlockFile`.
    pub scopes: rustc_hash::FxHashMap<DebugId, DebugScope>,
    /// `DILocalVariable`, `DIGlobalVariable` (and expressions that name one).
    pub variables: rustc_hash::FxHashMap<DebugId, DebugVariable>,
    /// `DIBasicType`, `DIDerivedType`, `DICompositeType`, `DISubroutineType`.
    pub types: rustc_hash::FxHashMap<DebugId, DebugType>,
}

/// A place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DebugLocation {
    /// From 1; 0 when there is none.
    pub line: u32,
    /// From 1; 0 when there is none.
    pub column: u32,
    /// The function or block.
    pub scope: DebugId,
    /// Where the function was inlined.
    pub inlined_at: Option<DebugId>,
}

/// A source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugFile {
    /// As the compiler was told.
    pub name: String,
    /// Where that is relative to.
    pub directory: String,
}

/// A function or a block of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugScope {
    /// The function's name; `None` for blocks.
    pub name: Option<String>,
    /// Its file.
    pub file: Option<DebugId>,
    /// Its first line.
    pub line: u32,
    /// The scope around it.
    pub parent: Option<DebugId>,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugVariable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Option<DebugId>,
    /// Its scope.
    pub scope: Option<DebugId>,
    /// Its file.
    pub file: Option<DebugId>,
    /// Its line.
    pub line: u32,
    /// Which parameter it is, from 1.
    pub parameter: Option<u32>,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugType {
    /// Its name, where it has one.
    pub name: Option<String>,
    /// Its size in bits.
    pub bits: u64,
    /// What it is.
    pub kind: DebugTypeKind,
}

/// Kinds of types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DebugTypeKind {
    /// A number; the encoding is as it is written, without `DW_ATE_`: `signed`,
    /// `unsigned`, `signed_char`, `boolean`, `float`, ...
    Basic(String),
    /// A pointer to a type.
    Pointer(Option<DebugId>),
    /// Another name for a type, or a qualified one (`typedef`, `const`, `volatile`, `_Atomic`).
    Alias(Option<DebugId>),
    /// So many elements in each dimension.
    Array(Option<DebugId>, Vec<u64>),
    /// A struct or a union with its members.
    Record(Vec<DebugField>),
    /// An enumeration with the names of its values.
    Enumeration(Vec<(String, i64)>),
    /// Anything else.
    Other,
}

/// A member of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugField {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Option<DebugId>,
    /// Where it begins, in bits.
    pub offset_bits: u64,
}
