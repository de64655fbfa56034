//! Views that differ only in codes that some steps do not look at: one *face* for all of them.
//!
//! A step beside a face does the same to each view that has it. Codes name nothing, so neither
//! what is reached nor the numbers of nodes depend on them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::composition::common_part;
use super::layout::Layout;
use super::listed::Listed;
use super::sight::{Reached, View};
use super::values::Value;

/// The faces of all listed views.
pub(crate) struct Faces<'a> {
    layout: &'a Layout,
    /// The codes that are left out: cells of slot 0.
    unread: &'a [usize],
    /// Their bits.
    pub unread_bits: Box<[u64]>,
    /// States in which they are 1, which is a code of all that has codes, and all else is 0.
    pub ones: Box<[u64]>,
    by_common_part: BTreeMap<Box<[u64]>, Vec<Face>>,
    /// For each face, as a state, the number of the set of codes that it is listed with.
    sets: FxHashMap<Box<[u64]>, u32>,
    codes: Vec<Codes>,
    /// Is one set within the other?
    is_within: RefCell<FxHashMap<(u32, u32), bool>>,
}

/// The codes that are left out, for each view that has some face: as bits of its state, sorted.
pub(crate) type Codes = Vec<Box<[u64]>>;

/// What views have in common that differ in such codes alone.
pub(crate) struct Face {
    /// Those codes are undefined.
    pub view: View,
    /// The number of the set of codes that it is listed with.
    pub codes: u32,
}

impl<'a> Faces<'a> {
    pub(crate) fn new(layout: &'a Layout, listed: &Listed, unread: &'a [usize]) -> Faces<'a> {
        let mut by_face: BTreeMap<Box<[u64]>, Codes> = BTreeMap::new();
        for view in &listed.views {
            let mut state = layout.packed(&view.values);
            let mut codes = vec![0; state.len()].into_boxed_slice();
            let bits = layout.bits_of(unread);
            for ((word, code), bits) in state.iter_mut().zip(&mut codes).zip(&bits) {
                (*word, *code) = (*word & !bits, *word & bits);
            }
            by_face.entry(state).or_default().push(codes);
        }
        let mut faces = Faces {
            layout,
            unread,
            unread_bits: layout.bits_of(unread),
            ones: layout.packed(&layout.all_with(unread, Value::Code(1))),
            by_common_part: BTreeMap::new(),
            sets: FxHashMap::default(),
            codes: Vec::new(),
            is_within: RefCell::default(),
        };
        let mut numbers: FxHashMap<Codes, u32> = FxHashMap::default();
        for (state, mut codes) in by_face {
            codes.sort_unstable();
            let next = numbers.len() as u32;
            let set = *numbers.entry(codes).or_insert_with_key(|codes| {
                faces.codes.push(codes.clone());
                next
            });
            faces.add(state, set);
        }
        faces
    }

    fn add(&mut self, state: Box<[u64]>, set: u32) {
        let values = self.layout.decode(&state);
        let view = Reached::new(self.layout, &values, 1).view_of_first(self.layout, &values);
        let common = common_part(self.layout, &view);
        self.by_common_part.entry(common).or_default().push(Face { view, codes: set });
        self.sets.insert(state, set);
    }

    /// Those that say this of the part that all elements see.
    pub(crate) fn with(&self, common: &[u64]) -> &[Face] {
        self.by_common_part.get(common).map_or(&[], Vec::as_slice)
    }

    /// The codes in a set.
    pub(crate) fn codes(&self, set: u32) -> &Codes {
        &self.codes[set as usize]
    }

    /// Is a view listed whatever of a set its codes are?
    pub(crate) fn have_all(&self, mut seen: View, set: u32) -> bool {
        self.unread.iter().for_each(|idx| seen.values[*idx] = Value::Code(0));
        let Some(other) = self.sets.get(&self.layout.packed(&seen.values)) else { return false };
        let mut is_within = self.is_within.borrow_mut();
        *is_within.entry((set, *other)).or_insert_with(|| {
            let other = self.codes(*other);
            self.codes(set).iter().all(|codes| other.binary_search(codes).is_ok())
        })
    }
}
