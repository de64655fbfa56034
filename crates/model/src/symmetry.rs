//! How the states of a transition system may be permuted: where in a packed state
//! scalarset values and arrays over scalarsets lie.
//!
//! A permutation of a scalarset moves the elements of every array that the
//! scalarset indexes, and renames every value of the scalarset that is stored.
//! States that differ by permutations behave alike.

/// The symmetries of a system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symmetry {
    /// The scalarsets, each of which is permuted by itself.
    pub scalarsets: Vec<Scalarset>,
    /// Where everything lies in a state. Bits that no shape covers, and bits of
    /// `Plain` shapes, no permutation touches.
    pub state: Vec<Placed>,
}

/// A type whose elements are interchangeable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalarset {
    /// Name for reports.
    pub name: String,
    /// Number of elements.
    pub n_elements: u32,
    /// Why it must not be permuted, where that is so: the model treats its
    /// elements differently. A sentence without a full stop.
    pub not_symmetric: Option<String>,
}

/// Index of a scalarset in [`Symmetry::scalarsets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScalarsetId(pub u32);

/// A shape at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// First bit, counted from the start of whatever encloses it.
    pub bit: u32,
    /// What lies there.
    pub shape: Shape,
}

/// What lies in a stretch of bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Bits that no permutation touches.
    Plain {
        /// How many.
        bits: u32,
    },
    /// One value. Codes within a segment name elements of its scalarset; all
    /// other codes (undefined, enumeration members) are left alone.
    Value {
        /// Width in bits.
        bits: u32,
        /// The segments, with ascending codes.
        segments: Vec<CodeSegment>,
    },
    /// Parts side by side.
    Record {
        /// The parts.
        parts: Vec<Placed>,
    },
    /// Elements side by side.
    Array {
        /// Distance from one element to the next.
        stride: u32,
        /// Number of elements.
        n_elements: u32,
        /// Stretches of the index that are scalarsets; other indices stay.
        segments: Vec<IndexSegment>,
        /// What each element looks like.
        element: Box<Shape>,
    },
    /// Slots side by side whose order means nothing. The highest bit of a slot
    /// says whether it is in use; unused slots are zero. Slots are kept in
    /// descending order as unsigned numbers.
    Multiset {
        /// Bits of a slot, the bit of use included.
        stride: u32,
        /// Number of slots.
        n_slots: u32,
        /// What each slot looks like, without the bit of use.
        element: Box<Shape>,
    },
}

/// Codes `first .. first + n_elements` name the elements of a scalarset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeSegment {
    /// The code of element 0.
    pub first: u64,
    /// The scalarset.
    pub scalarset: ScalarsetId,
}

/// Indices `first .. first + n_elements` are the elements of a scalarset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexSegment {
    /// The index of element 0.
    pub first: u32,
    /// The scalarset.
    pub scalarset: ScalarsetId,
}

impl Symmetry {
    /// Can any permutation change a state, or a multiset be out of order?
    pub fn is_trivial(&self) -> bool {
        !self.scalarsets.iter().any(Scalarset::is_permuted)
    }
}

impl Scalarset {
    /// Is it permuted at all?
    pub fn is_permuted(&self) -> bool {
        self.not_symmetric.is_none() && self.n_elements > 1
    }
}
