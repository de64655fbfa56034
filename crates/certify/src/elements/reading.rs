//! States as lists of values, each with the slots that it belongs to.

use model::parameterized::{Cell, Cells, ParameterizedSystem};

use crate::rejection::Rejection;

/// The values of a state, one for each cell. A cell that belongs to a slot that is not looked at
/// is hidden. Values that name an element outside of what is looked at are the rest.
pub(crate) type Values = Box<[Value]>;

/// What a cell holds: a code of at most [`MAX_BITS`] bits, or one of the following.
pub(crate) type Value = u64;

/// Cells with more bits are refused.
pub(crate) const MAX_BITS: u32 = 48;

/// Not looked at.
pub(crate) const HIDDEN: Value = 1 << 63;

/// The element in the slot with this number.
pub(crate) const ELEMENT: Value = 1 << 62;

/// An element that is not looked at.
pub(crate) const REST: Value = 1 << 61;

/// How states are read.
pub(crate) struct Reading {
    pub cells: Vec<Cell>,
    pub n_slots: u32,
    pub n_visible: u32,
    /// The slots of each cell as a set.
    pub owners: Vec<u32>,
    /// The bits of a state that a view shows.
    pub shown: Vec<u64>,
    state_words: usize,
}

/// Slots as other ones, and where that puts each cell.
pub(crate) struct Moves {
    onto: Vec<Option<usize>>,
    to: Vec<u32>,
}

impl Reading {
    pub(crate) fn new(system: &dyn ParameterizedSystem) -> Result<Reading, Rejection> {
        let Cells { n_slots, cells, .. } = system.cells();
        if cells.iter().any(|cell| cell.bits > MAX_BITS || cell.bits == 0) || *n_slots > 16 {
            return Err(Rejection::malformed("the cells are too large"));
        }
        let set = |cell: &Cell| cell.slots.iter().fold(0, |set, slot| set | 1 << slot);
        let (state_words, n_visible) = (system.own().state_words(), system.n_visible());
        let mut shown = vec![0_u64; state_words];
        for cell in cells.iter().filter(|cell| set(cell) >> n_visible == 0) {
            let bits = cell.bit..cell.bit + cell.bits;
            bits.for_each(|bit| shown[(bit / 64) as usize] |= 1 << (bit % 64));
        }
        Ok(Reading {
            owners: cells.iter().map(set).collect(),
            cells: cells.clone(),
            n_slots: *n_slots,
            n_visible,
            shown,
            state_words,
        })
    }

    /// The slots of the view, as a set.
    pub(crate) fn visible(&self) -> u32 {
        (1 << self.n_visible) - 1
    }

    /// The values of a state as far as they belong to a set of slots.
    pub(crate) fn values(&self, state: &[u64], slots: u32) -> Values {
        let cells = self.cells.iter().zip(&self.owners);
        let value = |(cell, owners): (&Cell, &u32)| {
            if owners & !slots != 0 {
                return HIDDEN;
            }
            let code = bits_at(state, cell);
            match cell.first_code {
                Some(first) if code >= first && code - first <= u64::from(self.n_slots) => {
                    seen_from(ELEMENT | (code - first), slots)
                }
                _ => code,
            }
        };
        cells.map(value).collect()
    }

    /// What is left of values when only `slots` are looked at.
    pub(crate) fn seen(&self, values: &[Value], slots: u32) -> Values {
        let look = |(owners, value): (&u32, &Value)| match owners & !slots {
            0 => seen_from(*value, slots),
            _ => HIDDEN,
        };
        self.owners.iter().zip(values).map(look).collect()
    }

    /// The state with these values; what is hidden is undefined.
    pub(crate) fn state(&self, values: &[Value]) -> Vec<u64> {
        let mut state = vec![0; self.state_words];
        for (idx, value) in values.iter().enumerate() {
            self.put(&mut state, idx, *value);
        }
        state
    }

    /// Gives a cell a value.
    pub(crate) fn put(&self, state: &mut [u64], idx: usize, value: Value) {
        let cell = &self.cells[idx];
        let first = cell.first_code.unwrap_or(0);
        let code = match value {
            HIDDEN => 0,
            REST => first + u64::from(self.n_slots),
            _ if value & ELEMENT != 0 => first + (value & !ELEMENT),
            _ => value,
        };
        put_bits(state, cell, code);
    }

    /// How slot i becomes `to[i]`.
    pub(crate) fn moves(&self, to: &[u32]) -> Moves {
        let image = |slot: &u32| to.get(*slot as usize).copied();
        let onto = self.cells.iter().map(|cell| {
            let slots = cell.slots.iter().map(image).collect::<Option<Vec<u32>>>()?;
            let is_it = |other: &Cell| other.family == cell.family && other.slots == slots;
            self.cells.iter().position(is_it)
        });
        Moves { onto: onto.collect(), to: to.to_vec() }
    }

    /// The values after a move; what belongs to slots that are not moved is hidden.
    pub(crate) fn moved(&self, values: &[Value], moves: &Moves) -> Values {
        let mut moved = vec![HIDDEN; values.len()].into_boxed_slice();
        for (value, onto) in values.iter().zip(&moves.onto) {
            let Some(onto) = onto else { continue };
            moved[*onto] = match value {
                value if value & ELEMENT != 0 && value & HIDDEN == 0 => {
                    let slot = (value & !ELEMENT) as usize;
                    moves.to.get(slot).map_or(REST, |slot| ELEMENT | u64::from(*slot))
                }
                other => *other,
            };
        }
        moved
    }
}

impl Moves {
    /// Where the value of each cell comes from.
    pub(crate) fn sources(&self) -> Vec<Option<usize>> {
        let mut from = vec![None; self.onto.len()];
        for (idx, onto) in self.onto.iter().enumerate() {
            if let Some(onto) = onto {
                from[*onto] = Some(idx);
            }
        }
        from
    }
}

/// A value as one sees it who looks at some slots only.
fn seen_from(value: Value, slots: u32) -> Value {
    let is_element = value & (HIDDEN | ELEMENT) == ELEMENT;
    if is_element && slots >> (value & !ELEMENT) & 1 == 0 { REST } else { value }
}

/// All lists of `n` different slots out of a set.
pub(crate) fn ways(n: u32, slots: u32) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..n {
        let longer = all.iter().flat_map(|way| {
            let free = (0..32).filter(|slot| slots >> slot & 1 == 1 && !way.contains(slot));
            free.map(|slot| way.iter().copied().chain([slot]).collect::<Vec<u32>>())
        });
        all = longer.collect();
    }
    all
}

/// What stands in a cell.
pub(crate) fn bits_at(state: &[u64], cell: &Cell) -> u64 {
    let (word, shift) = ((cell.bit / 64) as usize, cell.bit % 64);
    let low = state[word] >> shift;
    let high = if shift + cell.bits > 64 { state[word + 1] << (64 - shift) } else { 0 };
    (low | high) & ((1 << cell.bits) - 1)
}

/// Puts a code into a cell.
pub(crate) fn put_bits(state: &mut [u64], cell: &Cell, code: u64) {
    let (word, shift) = ((cell.bit / 64) as usize, cell.bit % 64);
    let mask = (1 << cell.bits) - 1;
    state[word] = state[word] & !(mask << shift) | code << shift;
    if shift + cell.bits > 64 {
        let shift = 64 - shift;
        state[word + 1] = state[word + 1] & !(mask >> shift) | code >> shift;
    }
}
