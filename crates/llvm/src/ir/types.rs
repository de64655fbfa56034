//! Types, each kept once, and their sizes on the target.

use rustc_hash::FxHashMap;

/// Names a type: an index into [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub u32);

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// No value.
    Void,
    /// An integer of so many bits.
    Int(u32),
    /// A floating-point number.
    Float(FloatKind),
    /// A pointer, to whatever.
    Pointer,
    /// So many elements in a row.
    Array(u64, TypeId),
    /// So many elements that are worked on together.
    Vector(u64, TypeId),
    /// Members in a row.
    Struct(StructType),
    /// A named struct without a body.
    Opaque(String),
    /// A function.
    Function {
        /// What it returns.
        result: TypeId,
        /// Its parameters.
        parameters: Vec<TypeId>,
        /// Does it take more of any type?
        is_variadic: bool,
    },
    /// A place in a function.
    Label,
    /// An operand that only describes.
    Metadata,
    /// A token; refused when it matters.
    Token,
}

/// Members in a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StructType {
    /// The name, where it has one; two structs with different names are different types.
    pub name: Option<String>,
    /// The types of its members.
    pub members: Vec<TypeId>,
    /// Does it have no padding?
    pub is_packed: bool,
}

/// Kinds of floating-point numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatKind {
    /// `half` or `bfloat`: 16 bits.
    Half,
    /// `float`: 32 bits.
    Single,
    /// `double`: 64 bits.
    Double,
    /// `x86_fp80`, `fp128`, `ppc_fp128`: wider.
    Extended,
}

/// Sizes and alignments on the target, from `target datalayout`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetLayout {
    /// Bytes of a pointer.
    pub pointer_bytes: u32,
    /// Alignment of `i64` in bytes (4 on 32-bit x86).
    pub i64_align: u32,
    /// Alignment of `double` in bytes (4 on 32-bit x86).
    pub f64_align: u32,
    /// Bytes that an extended float takes, and its alignment.
    pub extended_bytes: u32,
    /// Is the least significant byte first?
    pub is_little_endian: bool,
}

impl Default for TargetLayout {
    /// 64-bit x86 or ARM.
    fn default() -> TargetLayout {
        TargetLayout {
            pointer_bytes: 8,
            i64_align: 8,
            f64_align: 8,
            extended_bytes: 16,
            is_little_endian: true,
        }
    }
}

/// All types of a module, each once.
#[derive(Clone, Debug, Default)]
pub struct Types {
    types: Vec<Type>,
    ids: FxHashMap<Type, TypeId>,
}

impl Types {
    /// The id of `ty`.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// The type with this id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// How many types there are; their ids are the numbers below it.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Is there no type yet?
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// Replaces a named struct that was used before its body was read.
    pub fn define(&mut self, id: TypeId, ty: Type) {
        self.types[id.0 as usize] = ty;
    }

    /// Bytes that a value of this type takes in memory, its padding included;
    /// `None` where it has no size or it is out of all reason.
    pub fn size(&self, layout: &TargetLayout, id: TypeId) -> Option<u64> {
        let align = u64::from(self.align(layout, id)?);
        self.store_size(layout, id)?.checked_next_multiple_of(align)
    }

    /// Bytes that a store of this type writes.
    pub fn store_size(&self, layout: &TargetLayout, id: TypeId) -> Option<u64> {
        match self.get(id) {
            Type::Int(bits) => Some(u64::from(bits.div_ceil(8))),
            Type::Float(kind) => Some(u64::from(float_bytes(layout, *kind))),
            Type::Pointer => Some(u64::from(layout.pointer_bytes)),
            Type::Array(n, element) => self.size(layout, *element)?.checked_mul(*n),
            Type::Vector(n, element) => {
                let bits = match self.get(*element) {
                    Type::Int(bits) => u64::from(*bits),
                    _ => self.size(layout, *element)?.checked_mul(8)?,
                };
                Some(bits.checked_mul(*n)?.div_ceil(8))
            }
            Type::Struct(members) => {
                let end = self.end_of(layout, members, members.members.len())?;
                end.checked_next_multiple_of(u64::from(self.align(layout, id)?))
            }
            _ => None,
        }
    }

    /// Where member `idx` of a struct begins.
    pub fn member_offset(&self, layout: &TargetLayout, ty: &StructType, idx: usize) -> Option<u64> {
        let end = self.end_of(layout, ty, idx)?;
        if ty.is_packed {
            return Some(end);
        }
        let align = self.align(layout, *ty.members.get(idx)?)?;
        end.checked_next_multiple_of(u64::from(align))
    }

    /// Where the first `n` members of a struct end.
    fn end_of(&self, layout: &TargetLayout, ty: &StructType, n: usize) -> Option<u64> {
        let mut end = 0u64;
        for &member in &ty.members[..n] {
            if !ty.is_packed {
                end = end.checked_next_multiple_of(u64::from(self.align(layout, member)?))?;
            }
            end = end.checked_add(self.size(layout, member)?)?;
        }
        Some(end)
    }

    /// Bytes of alignment.
    pub fn align(&self, layout: &TargetLayout, id: TypeId) -> Option<u32> {
        match self.get(id) {
            Type::Int(bits) => match bits.div_ceil(8).next_power_of_two() {
                small @ 1..=4 => Some(small),
                8 => Some(layout.i64_align),
                _ => Some(16),
            },
            Type::Float(FloatKind::Half) => Some(2),
            Type::Float(FloatKind::Single) => Some(4),
            Type::Float(FloatKind::Double) => Some(layout.f64_align),
            Type::Float(FloatKind::Extended) => {
                Some(if layout.extended_bytes == 12 { 4 } else { 16 })
            }
            Type::Pointer => Some(layout.pointer_bytes),
            Type::Array(_, element) => self.align(layout, *element),
            Type::Vector(..) => {
                let bytes = u32::try_from(self.store_size(layout, id)?).ok()?;
                bytes.max(1).checked_next_power_of_two()
            }
            Type::Struct(ty) if ty.is_packed => Some(1),
            Type::Struct(ty) => {
                let mut most = 1;
                for &member in &ty.members {
                    most = most.max(self.align(layout, member)?);
                }
                Some(most)
            }
            _ => None,
        }
    }
}

fn float_bytes(layout: &TargetLayout, kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Half => 2,
        FloatKind::Single => 4,
        FloatKind::Double => 8,
        FloatKind::Extended => layout.extended_bytes,
    }
}
