//! What canonical forms are computed from: flat lists of places in a state, made
//! once per system.
//!
//! Elements of all permuted scalarsets (*domains*) are numbered through. Places
//! come in four kinds, by how many elements one place can involve:
//! - **plain column**: bits in an array over one domain: belongs to one element;
//! - **value**: a stored element outside of such arrays: marks one element;
//! - **pointer column**: stored elements in an array over one domain;
//! - everything else: places in arrays over several domains, and in multisets.
//!
//! The last two relate elements to each other. Their places are listed one by one
//! as **tuples**, pointer columns first.

/// No element, no slot.
pub(super) const NONE: u32 = u32::MAX;

/// Everything known before the first state.
#[derive(Debug, Default)]
pub(super) struct SymmetryPlan {
    /// Words of a state.
    pub(super) state_words: usize,
    /// Bits that no permutation moves; one more word than a state.
    pub(super) keep: Vec<u64>,
    /// The permuted scalarsets.
    pub(super) domains: Vec<Domain>,
    /// Elements of all domains.
    pub(super) n_elements: usize,
    /// Number of each element within its domain.
    pub(super) local: Vec<u32>,
    /// The domain of each element.
    pub(super) domain_of: Vec<u32>,
    pub(super) plain: Vec<PlainColumn>,
    pub(super) values: Vec<ValuePlace>,
    pub(super) pointers: Vec<PointerColumn>,
    /// By element, where the targets of its pointers start in a list of all of them; and
    /// the end of the last.
    pub(super) first_target: Vec<u32>,
    /// Pointer places, then places that move otherwise, then those that stay.
    pub(super) tuples: Vec<Tuple>,
    /// How many of the tuples belong to pointer columns.
    pub(super) n_pointer_tuples: usize,
    /// How many of the tuples belong to pointer columns or move otherwise.
    pub(super) n_moving_tuples: usize,
    /// The indices of all tuples.
    pub(super) roles: Vec<Role>,
    /// The tuples that each element indexes, element after element.
    pub(super) indexed: Vec<u32>,
    /// By element, where its stretch of `indexed` starts; and the end of the last.
    pub(super) first_indexed: Vec<u32>,
    /// By domain whose keys are exact and whose elements take part in tuples of pointer
    /// columns and in no others: the bits of a key that count who points to its element.
    pub(super) pointed_bits: Vec<Option<u64>>,
    /// The code segments of all values.
    pub(super) segments: Vec<Segment>,
    /// The slots of all multisets that hold anything permuted, outer ones first.
    pub(super) slots: Vec<Slot>,
    /// The multisets to be sorted, inner ones first.
    pub(super) runs: Vec<SlotRun>,
}

/// A permuted scalarset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Domain {
    /// Its first element.
    pub(super) first: u32,
    /// How many elements.
    pub(super) n: u32,
    /// Equal keys mean equal plain columns and values, not only equal hashes.
    pub(super) exact: bool,
    /// No tuple involves its elements.
    pub(super) unrelated: bool,
}

impl Domain {
    /// Positions in a partition; also the elements.
    #[inline]
    pub(super) fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.n) as usize
    }

    /// Are elements with equal keys interchangeable for sure?
    #[inline]
    pub(super) fn ties_are_twins(&self) -> bool {
        self.exact && self.unrelated
    }
}

/// How a field becomes part of a key.
#[derive(Clone, Copy, Debug)]
pub(super) enum KeyPart {
    /// Its bits take a place of their own.
    Shifted(u32),
    /// It is hashed.
    Hashed(u64),
}

/// Bits of each element of a domain, at `bit + stride * i` for element i.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainColumn {
    pub(super) bit: u32,
    pub(super) stride: u32,
    pub(super) mask: u64,
    pub(super) domain: Domain,
    pub(super) key: KeyPart,
}

/// A stretch of [`SymmetryPlan::segments`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Coding {
    pub(super) first: u32,
    pub(super) n: u32,
}

/// A stored value outside of all arrays over domains.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValuePlace {
    pub(super) bit: u32,
    pub(super) mask: u64,
    pub(super) coding: Coding,
}

/// Stored values, one for each element of a domain.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointerColumn {
    pub(super) bit: u32,
    pub(super) stride: u32,
    pub(super) mask: u64,
    pub(super) domain: Domain,
    pub(super) key: KeyPart,
    pub(super) coding: Coding,
    /// How many pointer columns of its domain come before it.
    pub(super) rank: u32,
}

/// One place with the elements that index it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tuple {
    /// Where it is.
    pub(super) bit: u32,
    /// Where it would be if all indices were zero; slots stay.
    pub(super) home: u32,
    pub(super) mask: u64,
    /// Hash of what no permutation changes: which array, which field.
    pub(super) seed: u64,
    /// First of its roles.
    pub(super) first_role: u32,
    pub(super) n_roles: u32,
    /// The innermost slot around it.
    pub(super) slot: u32,
    /// For plain bits, no segments.
    pub(super) coding: Coding,
}

/// An index of a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Role {
    pub(super) element: u32,
    pub(super) stride: u32,
}

/// Codes `first .. first + n` name the elements from `element` on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) first: u64,
    pub(super) n: u64,
    pub(super) element: u32,
    /// What being named here adds to an element's key.
    pub(super) key_term: u64,
}

/// A slot of a multiset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// The bit of use.
    pub(super) used_bit: u32,
    /// The slot around its multiset.
    pub(super) parent: u32,
}

/// The slots of one multiset.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotRun {
    pub(super) bit: u32,
    pub(super) stride: u32,
    pub(super) n: u32,
}

impl SymmetryPlan {
    /// The element that `code` names, and the segment.
    #[inline(always)]
    pub(super) fn element_of(&self, coding: Coding, code: u64) -> Option<(u32, &Segment)> {
        element_in(self.segments_of(coding), code)
    }

    /// The code segments of a place.
    #[inline(always)]
    pub(super) fn segments_of(&self, coding: Coding) -> &[Segment] {
        &self.segments[coding.first as usize..(coding.first + coding.n) as usize]
    }

    /// Where the targets of an element's pointers are in the list of all of them.
    #[inline(always)]
    pub(super) fn targets_of(&self, element: u32) -> std::ops::Range<usize> {
        let bounds = &self.first_target[element as usize..element as usize + 2];
        bounds[0] as usize..bounds[1] as usize
    }

    /// The tuples that an element indexes; once for each role.
    #[inline]
    pub(super) fn indexed_by(&self, element: u32) -> &[u32] {
        let bounds = &self.first_indexed[element as usize..element as usize + 2];
        &self.indexed[bounds[0] as usize..bounds[1] as usize]
    }

    /// The indices of a tuple.
    #[inline(always)]
    pub(super) fn roles_of(&self, tuple: &Tuple) -> &[Role] {
        &self.roles[tuple.first_role as usize..(tuple.first_role + tuple.n_roles) as usize]
    }
}

/// The element that `code` names by one of `segments`, and the segment.
#[inline(always)]
pub(super) fn element_in(segments: &[Segment], code: u64) -> Option<(u32, &Segment)> {
    segments.iter().find_map(|segment| {
        let number = code.wrapping_sub(segment.first);
        (number < segment.n).then(|| (segment.element + number as u32, segment))
    })
}
