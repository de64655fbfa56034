//! Metadata nodes -> [`ir::Debug`](crate::ir::Debug).

use super::Reader;
use super::metadata::{Fields, Value};
use super::node::{Composite, CompositeKind};
use crate::ir::{
    DebugField, DebugFile, DebugId, DebugLocation, DebugScope, DebugType, DebugTypeKind,
    DebugVariable,
};

/// A scope that no node has.
const NO_SCOPE: DebugId = DebugId(u32::MAX);

impl<'a> Reader<'a> {
    /// Keeps what a node says.
    pub(super) fn keep(&mut self, id: DebugId, kind: &str, fields: &Fields<'a>) {
        match kind {
            "DILocation" => self.keep_location(id, fields),
            "DIFile" => self.keep_file(id, fields),
            "DISubprogram" | "DILexicalBlock" | "DILexicalBlockFile" => {
                self.keep_scope(id, fields);
            }
            "DILocalVariable" | "DIGlobalVariable" => self.keep_variable(id, fields),
            "DIGlobalVariableExpression" => {
                // An expression says that the variable lies elsewhere, or in part.
                let is_whole = fields.word("expr").is_empty();
                if let Some(variable) = fields.node("var").filter(|_| is_whole) {
                    self.nodes.globals.push((id, variable));
                }
            }
            "DISubrange" => {
                self.nodes.ranges.insert(id, range_length(fields));
            }
            "DIEnumerator" => {
                let name = fields.text("name").unwrap_or_default();
                self.nodes.enumerators.insert(id, (name, enumerator_value(fields)));
            }
            _ => self.keep_type(id, kind, fields),
        }
    }

    fn keep_location(&mut self, id: DebugId, fields: &Fields<'a>) {
        let location = DebugLocation {
            line: fields.small("line"),
            column: fields.small("column"),
            scope: fields.node("scope").unwrap_or(NO_SCOPE),
            inlined_at: fields.node("inlinedAt"),
        };
        self.module.debug.locations.insert(id, location);
    }

    fn keep_file(&mut self, id: DebugId, fields: &Fields<'a>) {
        let file = DebugFile {
            name: fields.text("filename").unwrap_or_default(),
            directory: fields.text("directory").unwrap_or_default(),
        };
        self.module.debug.files.insert(id, file);
    }

    fn keep_scope(&mut self, id: DebugId, fields: &Fields<'a>) {
        let scope = DebugScope {
            name: fields.text("name"),
            file: fields.node("file"),
            line: fields.small("line"),
            parent: fields.node("scope"),
        };
        self.module.debug.scopes.insert(id, scope);
    }

    fn keep_variable(&mut self, id: DebugId, fields: &Fields<'a>) {
        let variable = DebugVariable {
            name: fields.text("name").unwrap_or_default(),
            ty: fields.node("type"),
            scope: fields.node("scope"),
            file: fields.node("file"),
            line: fields.small("line"),
            parameter: Some(fields.small("arg")).filter(|&number| number > 0),
        };
        self.module.debug.variables.insert(id, variable);
    }

    fn keep_type(&mut self, id: DebugId, kind: &str, fields: &Fields<'a>) {
        let base = fields.node("baseType");
        let tag = fields.word("tag").trim_start_matches("DW_TAG_");
        let kind = match (kind, tag) {
            ("DIBasicType", "unspecified_type") => DebugTypeKind::Other,
            ("DIBasicType", _) => {
                let encoding = fields.word("encoding").trim_start_matches("DW_ATE_");
                DebugTypeKind::Basic(encoding.to_owned())
            }
            ("DIDerivedType", "member") => {
                self.keep_member(id, fields);
                return;
            }
            ("DIDerivedType", "pointer_type" | "reference_type" | "rvalue_reference_type") => {
                DebugTypeKind::Pointer(base)
            }
            (
                "DIDerivedType",
                "typedef" | "const_type" | "volatile_type" | "restrict_type" | "atomic_type",
            ) => DebugTypeKind::Alias(base),
            ("DICompositeType", tag) => {
                self.note_composite(id, tag, fields);
                DebugTypeKind::Other
            }
            _ => DebugTypeKind::Other,
        };
        let bits = fields.number("size").unwrap_or(0);
        let ty = DebugType { name: fields.text("name"), bits, kind };
        self.module.debug.types.insert(id, ty);
    }

    fn keep_member(&mut self, id: DebugId, fields: &Fields<'a>) {
        let is_static = fields.word("flags") == "DIFlagStaticMember";
        if is_static {
            return;
        }
        let field = DebugField {
            name: fields.text("name").unwrap_or_default(),
            ty: fields.node("baseType"),
            offset_bits: fields.number("offset").unwrap_or(0),
        };
        self.nodes.members.insert(id, field);
    }

    fn note_composite(&mut self, id: DebugId, tag: &str, fields: &Fields<'a>) {
        let kind = match tag {
            "array_type" => CompositeKind::Array(fields.node("baseType")),
            "structure_type" | "union_type" | "class_type" => CompositeKind::Record,
            "enumeration_type" => CompositeKind::Enumeration,
            _ => return,
        };
        let elements = fields.node("elements");
        self.nodes.composites.push((id, Composite { kind, elements }));
    }

    /// Completes what refers to nodes that may come later in the text.
    pub(super) fn resolve_debug(&mut self) {
        let debug = &mut self.module.debug;
        for &(id, variable) in &self.nodes.globals {
            if let Some(variable) = debug.variables.get(&variable).cloned() {
                debug.variables.insert(id, variable);
            }
        }
        for (id, composite) in &self.nodes.composites {
            let elements = composite.elements.and_then(|list| self.nodes.lists.get(&list));
            let elements = elements.map_or(&[][..], Vec::as_slice);
            let kind = match composite.kind {
                CompositeKind::Array(of) => {
                    DebugTypeKind::Array(of, collect(elements, &self.nodes.ranges))
                }
                CompositeKind::Record => {
                    DebugTypeKind::Record(collect(elements, &self.nodes.members))
                }
                CompositeKind::Enumeration => {
                    DebugTypeKind::Enumeration(collect(elements, &self.nodes.enumerators))
                }
            };
            if let Some(ty) = debug.types.get_mut(id) {
                ty.kind = kind;
            }
        }
    }
}

/// What is known of these nodes, in order; others are left out.
fn collect<T: Clone>(elements: &[DebugId], known: &rustc_hash::FxHashMap<DebugId, T>) -> Vec<T> {
    elements.iter().filter_map(|id| known.get(id).cloned()).collect()
}

/// How many elements a dimension has; 0 where that is not a constant.
fn range_length(fields: &Fields<'_>) -> u64 {
    if let Some(count) = fields.number("count") {
        return count;
    }
    let lower = fields.number("lowerBound").unwrap_or(0);
    let upper = fields.number("upperBound");
    upper.and_then(|upper| upper.checked_add(1)?.checked_sub(lower)).unwrap_or(0)
}

/// The value of an enumerator; unsigned ones beyond `i64` wrap.
fn enumerator_value(fields: &Fields<'_>) -> i64 {
    match fields.get("value") {
        Some(Value::Integer(text)) => text.parse::<i128>().map_or(0, |value| value as i64),
        _ => 0,
    }
}
