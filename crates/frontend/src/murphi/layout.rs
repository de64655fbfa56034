//! Where each part of a value lies in memory, to the bit.
//!
//! A simple value takes as many bits as its codes need (0 is undefined). Fields of
//! a record follow each other; so do elements of an array. A slot of a multiset is
//! its element and, as the highest bit of its stride, one bit that says whether the
//! slot is in use; an unused slot is all zero.
//! Values wider than [`MAX_UNALIGNED`] bits start at a multiple of 8 bits, so that
//! any value can be read with one access of 64 bits.

use super::typed::{Program, TypeId, TypeKind, Types};

/// Values wider than this are aligned to bytes.
pub const MAX_UNALIGNED: u32 = 56;

/// States with more bits than this are refused: one mebibyte.
pub const MAX_STATE_BITS: u64 = 8 << 20;

/// The layout of every type and of the state.
#[derive(Clone, Debug, Default)]
pub struct Layouts {
    types: Vec<Layout>,
    /// First bit of each state variable.
    pub variables: Vec<u32>,
    /// Bits of the state.
    pub state_bits: u32,
}

/// The layout of one type.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Size in bits.
    pub bits: u32,
    /// Must it start at a multiple of 8 bits?
    pub byte_aligned: bool,
    /// Records: first bit of each field.
    pub fields: Vec<u32>,
    /// Arrays and multisets: bits from one element or slot to the next.
    pub stride: u32,
    /// Arrays and multisets: number of elements or slots.
    pub n_elements: u32,
}

/// A value or the state needs more than [`MAX_STATE_BITS`] bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The type that is too large; `None` when it is the whole state.
    pub ty: Option<TypeId>,
}

impl Layouts {
    /// Lays out all types and the state variables of `program`. Types come after
    /// the types that they are made of.
    ///
    /// # Errors
    /// The first thing that is too large.
    pub fn new(program: &Program) -> Result<Layouts, TooLarge> {
        let mut layouts = Layouts::default();
        for idx in 0..program.types.all.len() {
            let ty = TypeId(idx as u32);
            let layout = layouts.lay_out(&program.types, ty);
            layouts.types.push(layout.ok_or(TooLarge { ty: Some(ty) })?);
        }
        let mut end = 0;
        for variable in &program.variables {
            let start = layouts.place(variable.ty, &mut end);
            layouts.variables.push(start.ok_or(TooLarge { ty: None })?);
        }
        layouts.state_bits = end;
        Ok(layouts)
    }

    /// The layout of a type.
    pub fn of(&self, ty: TypeId) -> &Layout {
        &self.types[ty.0 as usize]
    }

    /// Bits of a type.
    pub fn bits(&self, ty: TypeId) -> u32 {
        self.of(ty).bits
    }

    fn lay_out(&self, types: &Types, ty: TypeId) -> Option<Layout> {
        match types.kind(ty) {
            TypeKind::Record { fields } => self.record(fields),
            TypeKind::Array { index, element } => self.array(types.n_values(*index), *element),
            TypeKind::Multiset { capacity, element } => self.multiset(*capacity, *element),
            _ => Some(simple(types.n_values(ty))),
        }
    }

    fn record(&self, fields: &[(String, TypeId)]) -> Option<Layout> {
        let mut end = 0;
        let starts: Option<Vec<u32>> =
            fields.iter().map(|(_, ty)| self.place(*ty, &mut end)).collect();
        let byte_aligned = fields.iter().any(|(_, ty)| self.of(*ty).byte_aligned);
        Some(Layout { bits: end, byte_aligned, fields: starts?, ..Layout::default() })
    }

    fn array(&self, n_elements: u64, element: TypeId) -> Option<Layout> {
        let element = self.of(element);
        let stride =
            if element.byte_aligned { element.bits.next_multiple_of(8) } else { element.bits };
        repeat(n_elements, stride, element.byte_aligned)
    }

    fn multiset(&self, capacity: u32, element: TypeId) -> Option<Layout> {
        let element = self.of(element);
        let slot = element.bits + 1;
        let stride = if element.byte_aligned { slot.next_multiple_of(8) } else { slot };
        repeat(u64::from(capacity), stride, element.byte_aligned)
    }

    /// The first bit for a value of type `ty` that follows what ends at `end`.
    fn place(&self, ty: TypeId, end: &mut u32) -> Option<u32> {
        let layout = self.of(ty);
        let start = if layout.byte_aligned { end.next_multiple_of(8) } else { *end };
        let total = u64::from(start) + u64::from(layout.bits);
        *end = within(total)?;
        Some(start)
    }
}

fn simple(n_values: u64) -> Layout {
    // The codes are 0 to n.
    let bits = 64 - n_values.leading_zeros();
    Layout { bits, byte_aligned: bits > MAX_UNALIGNED, ..Layout::default() }
}

fn repeat(n_elements: u64, stride: u32, byte_aligned: bool) -> Option<Layout> {
    let bits = within(n_elements.checked_mul(u64::from(stride))?)?;
    let n_elements = u32::try_from(n_elements).ok()?;
    Some(Layout { bits, byte_aligned, stride, n_elements, fields: Vec::new() })
}

fn within(bits: u64) -> Option<u32> {
    (bits <= MAX_STATE_BITS).then_some(bits as u32)
}
