//! Where in a state scalarset values and arrays over scalarsets lie.

use model::Symmetry;
use model::symmetry::{CodeSegment, IndexSegment, Placed, Scalarset, ScalarsetId, Shape};

use crate::murphi::layout::Layouts;
use crate::murphi::typed::{Program, TypeId, TypeKind, Types};

/// A shape names the parts of records one by one, and records within records double with
/// each level of a short text. With more parts than this, nothing is permuted; the shape of
/// so many takes some twenty megabytes.
const MAX_PARTS: u64 = 1 << 18;

/// The scalarsets of a model, all taken to be symmetric, and the shape of its state.
pub(super) fn symmetry(program: &Program, layouts: &Layouts) -> Symmetry {
    let types = &program.types;
    let mut scalarsets: Vec<Scalarset> = declared(types).map(|ty| scalarset(types, ty)).collect();
    if n_parts(program) > MAX_PARTS {
        let why = format!("a state has more than {MAX_PARTS} parts");
        scalarsets.iter_mut().for_each(|one| one.not_symmetric = Some(why.clone()));
        return Symmetry { scalarsets, state: Vec::new() };
    }
    let variables = program.variables.iter().zip(&layouts.variables);
    let state = variables
        .map(|(variable, start)| Placed { bit: *start, shape: shape(types, layouts, variable.ty) });
    Symmetry { scalarsets, state: state.collect() }
}

/// Parts that the shape of a state would have.
fn n_parts(program: &Program) -> u64 {
    let mut of_types: Vec<u64> = Vec::with_capacity(program.types.all.len());
    for ty in &program.types.all {
        // Types come after those that they are made of.
        let of = |id: &TypeId| of_types[id.0 as usize];
        let inside = match &ty.kind {
            TypeKind::Record { fields } => {
                fields.iter().fold(0, |sum, (_, ty)| u64::saturating_add(sum, of(ty)))
            }
            TypeKind::Array { index, element } => of(index).saturating_add(of(element)),
            TypeKind::Multiset { element, .. } => of(element),
            TypeKind::Union { members } => {
                members.iter().fold(0, |sum, ty| u64::saturating_add(sum, of(ty)))
            }
            _ => 0,
        };
        of_types.push(inside.saturating_add(1));
    }
    let variables = program.variables.iter().map(|variable| of_types[variable.ty.0 as usize]);
    variables.fold(0, u64::saturating_add)
}

/// The scalarsets whose values occur in values of a simple type.
pub(super) fn scalarsets_within(types: &Types, ty: TypeId) -> Vec<ScalarsetId> {
    segments(types, ty).into_iter().map(|(_, id)| id).collect()
}

/// The scalarset types, in order.
fn declared(types: &Types) -> impl Iterator<Item = TypeId> {
    let ids = (0..types.all.len() as u32).map(TypeId);
    ids.filter(|ty| matches!(types.kind(*ty), TypeKind::Scalarset { .. }))
}

fn scalarset(types: &Types, ty: TypeId) -> Scalarset {
    let n_elements = types.n_values(ty) as u32;
    Scalarset { name: types.get(ty).name.clone(), n_elements, not_symmetric: None }
}

fn id_of(types: &Types, ty: TypeId) -> ScalarsetId {
    ScalarsetId(declared(types).take_while(|other| *other < ty).count() as u32)
}

/// The stretches of a simple type's values that are scalarsets: the number of the
/// first value, from 0, and the scalarset.
fn segments(types: &Types, ty: TypeId) -> Vec<(u64, ScalarsetId)> {
    match types.kind(ty) {
        TypeKind::Scalarset { .. } => vec![(0, id_of(types, ty))],
        TypeKind::Union { members } => {
            let mut found = Vec::new();
            let mut before = 0;
            for member in members {
                let inner = segments(types, *member);
                found.extend(inner.into_iter().map(|(first, id)| (before + first, id)));
                before += types.n_values(*member);
            }
            found
        }
        _ => Vec::new(),
    }
}

fn shape(types: &Types, layouts: &Layouts, ty: TypeId) -> Shape {
    let layout = layouts.of(ty);
    let shape = match types.kind(ty) {
        TypeKind::Record { fields } => {
            let parts = layout.fields.iter().zip(fields);
            let parts =
                parts.map(|(bit, (_, ty))| Placed { bit: *bit, shape: shape(types, layouts, *ty) });
            Shape::Record { parts: parts.collect() }
        }
        TypeKind::Array { index, element } => Shape::Array {
            stride: layout.stride,
            n_elements: layout.n_elements,
            segments: index_segments(types, *index),
            element: Box::new(shape(types, layouts, *element)),
        },
        TypeKind::Multiset { element, .. } => Shape::Multiset {
            stride: layout.stride,
            n_slots: layout.n_elements,
            element: Box::new(shape(types, layouts, *element)),
        },
        _ => Shape::Value { bits: layout.bits, segments: code_segments(types, ty) },
    };
    if is_plain(&shape) { Shape::Plain { bits: layout.bits } } else { shape }
}

/// Is it left alone by every permutation? Parts that are have become `Plain` before.
fn is_plain(shape: &Shape) -> bool {
    let is_plain = |shape: &Shape| matches!(shape, Shape::Plain { .. });
    match shape {
        Shape::Plain { .. } => true,
        Shape::Value { segments, .. } => segments.is_empty(),
        Shape::Record { parts } => parts.iter().all(|part| is_plain(&part.shape)),
        Shape::Array { segments, element, .. } => segments.is_empty() && is_plain(element),
        Shape::Multiset { element, .. } => is_plain(element),
    }
}

fn code_segments(types: &Types, ty: TypeId) -> Vec<CodeSegment> {
    let segments = segments(types, ty).into_iter();
    segments.map(|(first, scalarset)| CodeSegment { first: first + 1, scalarset }).collect()
}

fn index_segments(types: &Types, ty: TypeId) -> Vec<IndexSegment> {
    let segments = segments(types, ty).into_iter();
    segments.map(|(first, scalarset)| IndexSegment { first: first as u32, scalarset }).collect()
}
