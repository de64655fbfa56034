//! Types as the scalars they are made of, with their places in memory.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::code::{MemoryOrder, ScalarAccess};
use crate::ir::{FloatKind, StructType, TargetLayout, Type, TypeId, Types};

/// Why something cannot be lowered, for people.
pub(super) type Refusal = String;

/// Values of more scalars than this are refused.
const MAX_SCALARS: usize = 4096;

/// Types that are nested deeper than this are refused.
const MAX_DEPTH: u32 = 100;

/// A value of at most 64 bits within one of a bigger type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scalar {
    /// Where it lies in the bigger one, in bytes.
    pub offset: u64,
    /// Its bits.
    pub width: u8,
    /// Its bytes in memory; 0 when it lies there between bytes.
    pub bytes: u8,
    /// What it is.
    pub kind: ScalarKind,
}

/// What a scalar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScalarKind {
    Int,
    Float,
    Pointer,
}

impl Scalar {
    /// An integer of so many bits, at most 64.
    pub fn int(width: u8) -> Scalar {
        Scalar { offset: 0, width, bytes: width.div_ceil(8), kind: ScalarKind::Int }
    }

    /// How it is accessed in memory without further ado.
    pub fn access(self) -> Result<ScalarAccess, Refusal> {
        if self.bytes == 0 {
            return Err("a vector of single bits in memory".to_owned());
        }
        Ok(ScalarAccess {
            bytes: self.bytes,
            width: self.width,
            is_atomic: false,
            order: MemoryOrder::SEQ_CST,
            is_volatile: false,
            is_pointer: self.kind == ScalarKind::Pointer,
            log2_align: 0,
        })
    }
}

/// What a type is made of, or why that is not known.
type Scalars = Result<Rc<[Scalar]>, Refusal>;

/// Sizes and scalars of all types.
pub(crate) struct Layouts<'a> {
    pub types: &'a Types,
    layout: &'a TargetLayout,
    finite: RefCell<FxHashMap<TypeId, bool>>,
    scalars: RefCell<FxHashMap<TypeId, Scalars>>,
}

impl<'a> Layouts<'a> {
    pub fn new(types: &'a Types, layout: &'a TargetLayout) -> Layouts<'a> {
        let (finite, scalars) = Default::default();
        Layouts { types, layout, finite, scalars }
    }

    /// The scalar that a pointer is.
    pub fn pointer(&self) -> Scalar {
        let bytes = self.layout.pointer_bytes.clamp(1, 8) as u8;
        Scalar { offset: 0, width: bytes * 8, bytes, kind: ScalarKind::Pointer }
    }

    /// Bytes that a value of this type takes.
    pub fn size(&self, ty: TypeId) -> Option<u64> {
        if !self.is_finite(ty, 0) {
            return None;
        }
        self.types.size(self.layout, ty)
    }

    /// Bytes of alignment; 1 where nothing is known.
    pub fn align(&self, ty: TypeId) -> u32 {
        if !self.is_finite(ty, 0) {
            return 1;
        }
        self.types.align(self.layout, ty).unwrap_or(1)
    }

    /// Where a member of a struct begins.
    pub fn member_offset(&self, ty: &StructType, idx: usize) -> Option<u64> {
        let is_finite = ty.members.iter().all(|&member| self.is_finite(member, 0));
        if idx >= ty.members.len() || !is_finite {
            return None;
        }
        self.types.member_offset(self.layout, ty, idx)
    }

    /// Does the type not contain itself?
    fn is_finite(&self, ty: TypeId, depth: u32) -> bool {
        if let Some(&known) = self.finite.borrow().get(&ty) {
            return known;
        }
        if depth > MAX_DEPTH {
            return false;
        }
        self.finite.borrow_mut().insert(ty, false);
        let is_finite = match self.types.get(ty) {
            Type::Array(_, element) | Type::Vector(_, element) => {
                self.is_finite(*element, depth + 1)
            }
            Type::Struct(ty) => ty.members.iter().all(|&member| self.is_finite(member, depth + 1)),
            _ => true,
        };
        self.finite.borrow_mut().insert(ty, is_finite);
        is_finite
    }

    /// The scalars of a value of this type, in the order of memory; none for `void`.
    pub fn scalars(&self, ty: TypeId) -> Result<Rc<[Scalar]>, Refusal> {
        if let Some(known) = self.scalars.borrow().get(&ty) {
            return known.clone();
        }
        let result = if self.is_finite(ty, 0) {
            self.flatten(ty).map(Rc::from)
        } else {
            Err("a type that contains itself".to_owned())
        };
        self.scalars.borrow_mut().insert(ty, result.clone());
        result
    }

    /// The only scalar of a value of this type.
    pub fn scalar(&self, ty: TypeId) -> Result<Scalar, Refusal> {
        match *self.scalars(ty)? {
            [scalar] => Ok(scalar),
            _ => Err("a struct, an array or a vector as a number".to_owned()),
        }
    }

    fn flatten(&self, ty: TypeId) -> Result<Vec<Scalar>, Refusal> {
        match self.types.get(ty) {
            Type::Void => Ok(Vec::new()),
            Type::Int(bits @ 1..=64) => Ok(vec![Scalar::int(*bits as u8)]),
            Type::Int(bits @ 65..=128) if self.layout.is_little_endian => {
                let rest = Scalar::int((bits - 64) as u8);
                Ok(vec![Scalar::int(64), moved(rest, 8)])
            }
            Type::Int(bits) => Err(format!("an integer of {bits} bits")),
            Type::Float(FloatKind::Single) => Ok(vec![float(4)]),
            Type::Float(FloatKind::Double) => Ok(vec![float(8)]),
            Type::Float(FloatKind::Half) => Err("a float of 16 bits".to_owned()),
            Type::Float(FloatKind::Extended) => Err("a `long double`".to_owned()),
            Type::Pointer => Ok(vec![self.pointer()]),
            Type::Array(n, element) | Type::Vector(n, element) => {
                let is_vector = matches!(self.types.get(ty), Type::Vector(..));
                self.flatten_elements(*n, *element, is_vector)
            }
            Type::Struct(members) => self.flatten_members(members),
            Type::Opaque(name) => Err(format!("the unknown type `{name}`")),
            Type::Function { .. } | Type::Label | Type::Metadata | Type::Token => {
                Err("a value that is no data".to_owned())
            }
        }
    }

    fn flatten_elements(
        &self,
        n: u64,
        element: TypeId,
        is_vector: bool,
    ) -> Result<Vec<Scalar>, Refusal> {
        let mut scalars = self.scalars(element)?.to_vec();
        if is_vector && scalars.len() != 1 {
            return Err("a vector of wide numbers".to_owned());
        }
        if n.saturating_mul(scalars.len() as u64) > MAX_SCALARS as u64 {
            return Err(too_big());
        }
        let size = self.size(element).ok_or_else(no_size)?;
        if is_vector && scalars.iter().any(|scalar| !scalar.width.is_multiple_of(8)) {
            scalars.iter_mut().for_each(|scalar| scalar.bytes = 0);
        }
        let at =
            |idx: u64| scalars.iter().map(move |&scalar| moved(scalar, idx.saturating_mul(size)));
        Ok((0..n).flat_map(at).collect())
    }

    fn flatten_members(&self, ty: &StructType) -> Result<Vec<Scalar>, Refusal> {
        let mut scalars = Vec::new();
        for (idx, &member) in ty.members.iter().enumerate() {
            let offset = self.member_offset(ty, idx).ok_or_else(no_size)?;
            scalars.extend(self.scalars(member)?.iter().map(|&scalar| moved(scalar, offset)));
            if scalars.len() > MAX_SCALARS {
                return Err(too_big());
            }
        }
        Ok(scalars)
    }

    /// Which scalars of an aggregate a path of members names, and their type.
    pub fn member(
        &self,
        ty: TypeId,
        path: &[u32],
    ) -> Result<(std::ops::Range<usize>, TypeId), Refusal> {
        let (mut start, mut ty) = (0, ty);
        for &idx in path {
            match self.types.get(ty) {
                Type::Array(n, element) | Type::Vector(n, element) if u64::from(idx) < *n => {
                    start += idx as usize * self.scalars(*element)?.len();
                    ty = *element;
                }
                Type::Struct(members) if (idx as usize) < members.members.len() => {
                    for &before in &members.members[..idx as usize] {
                        start += self.scalars(before)?.len();
                    }
                    ty = members.members[idx as usize];
                }
                _ => return Err("a member that does not exist".to_owned()),
            }
        }
        let n = self.scalars(ty)?.len();
        Ok((start..start + n, ty))
    }
}

fn float(bytes: u8) -> Scalar {
    Scalar { offset: 0, width: bytes * 8, bytes, kind: ScalarKind::Float }
}

fn moved(scalar: Scalar, by: u64) -> Scalar {
    Scalar { offset: scalar.offset.saturating_add(by), ..scalar }
}

fn too_big() -> Refusal {
    format!("a value of more than {MAX_SCALARS} numbers")
}

pub(super) fn no_size() -> Refusal {
    "a type without a size".to_owned()
}

#[cfg(test)]
mod tests {
    use super::Layouts;
    use crate::ir::{StructType, TargetLayout, Type, Types};

    #[test]
    fn a_type_that_contains_itself_has_no_size() {
        let mut types = Types::default();
        let id = types.intern(Type::Opaque("s".to_owned()));
        let array = types.intern(Type::Array(2, id));
        let members = vec![array];
        types.define(id, Type::Struct(StructType { name: None, members, is_packed: false }));
        let layout = TargetLayout::default();
        let layouts = Layouts::new(&types, &layout);
        assert_eq!(layouts.size(array), None);
        assert!(layouts.scalars(id).is_err());
    }
}
