//! How memory is shown: shapes from the types of debug metadata.

use std::cell::Cell;

use crate::ir::{Debug, DebugField, DebugId, DebugType, DebugTypeKind};

use super::{NumberStyle, Shape};

/// Shapes of more parts than this are shown as bytes from there on.
const MAX_PARTS: u32 = 4096;

/// Parts of all shapes of a program: a type is described once, and each variable of it has
/// a shape of its own.
pub(super) const MAX_PARTS_OF_ALL: u32 = 1 << 19;

/// Types that are nested deeper than this are shown as bytes.
const MAX_DEPTH: u32 = 64;

/// Types whose contents mean something only to the library.
const SYNC_TYPES: [&str; 11] = [
    "pthread_mutex_t",
    "pthread_cond_t",
    "pthread_rwlock_t",
    "pthread_barrier_t",
    "pthread_spinlock_t",
    "pthread_once_t",
    "sem_t",
    "mtx_t",
    "cnd_t",
    "once_flag",
    "tss_t",
];

/// The shape of a type. `n_left` parts may still be made, and are fewer then.
pub(super) fn shape_of(debug: &Debug, ty: DebugId, n_left: &Cell<u32>) -> Shape {
    let max_parts = MAX_PARTS.min(n_left.get());
    let mut shaper = Shaper { debug, n_parts: 0, max_parts };
    let shape = shaper.shape(Some(ty), 0);
    n_left.set(n_left.get().saturating_sub(shaper.n_parts));
    shape
}

/// Is a variable of this type a signed number?
pub(super) fn is_signed(debug: &Debug, ty: DebugId) -> bool {
    match plain(debug, ty).map(|ty| &ty.kind) {
        Some(DebugTypeKind::Basic(encoding)) => encoding.starts_with("signed"),
        Some(DebugTypeKind::Enumeration(values)) => values.iter().any(|(_, value)| *value < 0),
        _ => false,
    }
}

/// The type behind all of its other names.
fn plain(debug: &Debug, mut ty: DebugId) -> Option<&DebugType> {
    for _ in 0..MAX_DEPTH {
        let found = debug.types.get(&ty)?;
        match found.kind {
            DebugTypeKind::Alias(target) => ty = target?,
            _ => return Some(found),
        }
    }
    None
}

struct Shaper<'a> {
    debug: &'a Debug,
    n_parts: u32,
    max_parts: u32,
}

impl Shaper<'_> {
    fn shape(&mut self, ty: Option<DebugId>, depth: u32) -> Shape {
        self.n_parts += 1;
        let found = ty.and_then(|ty| self.debug.types.get(&ty));
        let Some(found) = found.filter(|_| depth < MAX_DEPTH && self.n_parts < self.max_parts)
        else {
            return Shape::Bytes;
        };
        if let Some(name) = sync_name(found) {
            return Shape::Sync(name.to_owned());
        }
        match &found.kind {
            DebugTypeKind::Basic(encoding) => number(found.bits, basic_style(encoding)),
            DebugTypeKind::Pointer(_) => Shape::Pointer,
            DebugTypeKind::Alias(target) => self.shape(*target, depth + 1),
            DebugTypeKind::Array(element, counts) => self.array(*element, counts, depth),
            DebugTypeKind::Record(fields) => self.record(fields, depth),
            DebugTypeKind::Enumeration(values) => {
                number(found.bits, NumberStyle::Enumeration(values.clone()))
            }
            DebugTypeKind::Other => Shape::Bytes,
        }
    }

    fn array(&mut self, element: Option<DebugId>, counts: &[u64], depth: u32) -> Shape {
        let bits = element.and_then(|ty| self.bits(ty, 0));
        let Some(bytes) = bits.filter(|&bits| bits > 0).map(|bits| bits.div_ceil(8)) else {
            return Shape::Bytes;
        };
        let mut shape = self.shape(element, depth + 1);
        let mut size = bytes;
        for &n in counts.iter().rev() {
            shape = Shape::Array(n, size, Box::new(shape));
            size = size.saturating_mul(n);
        }
        shape
    }

    fn record(&mut self, fields: &[DebugField], depth: u32) -> Shape {
        let mut members = Vec::new();
        for (idx, field) in fields.iter().enumerate() {
            if self.n_parts >= self.max_parts {
                break;
            }
            if self.is_bit_field(field, fields.get(idx + 1)) {
                continue;
            }
            let shape = self.shape(field.ty, depth + 1);
            members.push((field.name.clone(), field.offset_bits / 8, shape));
        }
        Shape::Record(members)
    }

    /// Does it share bytes with the next one? Those are left out: their widths are
    /// not known.
    fn is_bit_field(&self, field: &DebugField, next: Option<&DebugField>) -> bool {
        let bits = field.ty.and_then(|ty| self.bits(ty, 0)).unwrap_or(0);
        let is_cut = next.is_some_and(|next| {
            next.offset_bits > field.offset_bits && next.offset_bits - field.offset_bits < bits
        });
        is_cut || !field.offset_bits.is_multiple_of(8)
    }

    /// Bits of a type; other names often have none of their own.
    fn bits(&self, ty: DebugId, depth: u32) -> Option<u64> {
        let found = plain(self.debug, ty)?;
        match &found.kind {
            DebugTypeKind::Array(element, counts) if found.bits == 0 && depth < MAX_DEPTH => {
                let bits = self.bits((*element)?, depth + 1)?;
                counts.iter().try_fold(bits, |bits, &n| bits.checked_mul(n))
            }
            _ => Some(found.bits),
        }
    }
}

fn sync_name(ty: &DebugType) -> Option<&'static str> {
    let name = ty.name.as_deref()?;
    SYNC_TYPES.into_iter().find(|&known| known == name)
}

fn number(bits: u64, style: NumberStyle) -> Shape {
    match u32::try_from(bits / 8) {
        Ok(bytes @ 1..=8) => Shape::Number { bytes, style },
        _ => Shape::Bytes,
    }
}

fn basic_style(encoding: &str) -> NumberStyle {
    match encoding {
        "boolean" => NumberStyle::Bool,
        "float" => NumberStyle::Float,
        "signed" => NumberStyle::Signed,
        _ if encoding.ends_with("_char") || encoding == "UTF" => NumberStyle::Char,
        _ => NumberStyle::Unsigned,
    }
}
