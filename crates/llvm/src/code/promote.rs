//! Which local variables can live in registers: those whose address goes nowhere.
//!
//! An `alloca` of one scalar is promoted when its address is used for loads and
//! stores of scalars of exactly its width and for nothing else but hints and debug
//! metadata. No one else can see such memory, so neither `volatile` nor atomic
//! accesses stand in the way. The `alloca` itself makes the register undefined.

use crate::ir::{Constant, FunctionBody, LocalId, Module, Op, Operand};

use super::lower::layout::{Layouts, Scalar};
use super::uses::{Use, are_zero, for_each_use, is_renaming};

/// What promotion found for a function.
pub(super) struct Promotion {
    /// The local whose address each local is, where it is the same one.
    root: Vec<u32>,
    /// The scalar that each promoted `alloca` holds.
    scalars: Vec<Option<Scalar>>,
}

impl Promotion {
    /// The promoted `alloca` that this local is the address of, and what it holds.
    pub fn of(&self, local: LocalId) -> Option<(LocalId, Scalar)> {
        let root = *self.root.get(local.0 as usize)?;
        let scalar = self.scalars.get(root as usize).copied().flatten()?;
        Some((LocalId(root), scalar))
    }
}

/// Decides what is promoted in a function.
pub(super) fn promote(module: &Module, layouts: &Layouts, body: &FunctionBody) -> Promotion {
    let mut promotion = Promotion { root: roots(module, body), scalars: candidates(layouts, body) };
    for instruction in body.blocks.iter().flat_map(|block| &block.instructions) {
        if instruction.result.is_some() && same_address(module, &instruction.op).is_some() {
            continue;
        }
        for_each_use(module, &instruction.op, &mut |operand, how| {
            let Operand::Local(local) = operand else { return };
            let Some((root, scalar)) = promotion.of(*local) else { return };
            if !is_harmless(layouts, how, scalar) {
                promotion.scalars[root.0 as usize] = None;
            }
        });
    }
    promotion
}

fn is_harmless(layouts: &Layouts, how: Use, scalar: Scalar) -> bool {
    match how {
        Use::Load(ty) | Use::Store(ty) => {
            layouts.scalar(ty).is_ok_and(|other| other.width == scalar.width && other.offset == 0)
        }
        Use::Lifetime | Use::Debug => true,
        _ => false,
    }
}

/// What each `alloca` of one scalar holds.
fn candidates(layouts: &Layouts, body: &FunctionBody) -> Vec<Option<Scalar>> {
    let mut scalars = vec![None; body.locals.len()];
    for instruction in body.blocks.iter().flat_map(|block| &block.instructions) {
        let (Some(result), Op::Alloca { ty, count, .. }) = (instruction.result, &instruction.op)
        else {
            continue;
        };
        let is_one = count
            .as_ref()
            .is_none_or(|count| matches!(count.value, Operand::Constant(Constant::Int(1))));
        let scalar = layouts.scalar(*ty).ok().filter(|scalar| is_one && scalar.offset == 0);
        if let Some(slot) = scalars.get_mut(result.0 as usize) {
            *slot = scalar;
        }
    }
    scalars
}

/// For each local the first one that is the same address.
pub(super) fn roots(module: &Module, body: &FunctionBody) -> Vec<u32> {
    let n_locals = body.locals.len() as u32;
    let mut parents: Vec<u32> = (0..n_locals).collect();
    for instruction in body.blocks.iter().flat_map(|block| &block.instructions) {
        let (Some(result), Some(parent)) =
            (instruction.result, same_address(module, &instruction.op))
        else {
            continue;
        };
        if result.0 < n_locals && parent.0 < n_locals {
            parents[result.0 as usize] = parent.0;
        }
    }
    (0..n_locals).map(|local| root_of(&parents, local)).collect()
}

/// Follows parents; a circle, which no valid program has, ends anywhere on it.
fn root_of(parents: &[u32], mut local: u32) -> u32 {
    for _ in 0..parents.len() {
        let parent = parents[local as usize];
        if parent == local {
            break;
        }
        local = parent;
    }
    local
}

/// The local whose address `op` gives again.
fn same_address(module: &Module, op: &Op) -> Option<LocalId> {
    let base = match op {
        Op::Cast { op, value, to } if is_renaming(module, *op, value.ty, *to) => &value.value,
        Op::Element { base, indices, .. } if are_zero(indices) => &base.value,
        _ => return None,
    };
    match base {
        Operand::Local(local) => Some(*local),
        Operand::Constant(_) => None,
    }
}
