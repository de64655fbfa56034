//! States as lists of values, each with the slots that it belongs to.

use model::parameterized::{Cell, Cells, ParameterizedSystem};

/// The values of a state, one for each cell. A cell that belongs to a slot that is not looked at
/// has none. Values that name an element outside of what is looked at are the rest.
pub(crate) type Values = Vec<Value>;

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Value {
    /// Not looked at.
    Hidden,
    /// A code, which names no element.
    Code(u64),
    /// The element in this slot.
    Element(u32),
    /// An element that is not looked at.
    Rest,
}

/// How states are read.
pub(crate) struct Reading {
    pub cells: Vec<Cell>,
    pub n_slots: u32,
    pub n_visible: u32,
    state_words: usize,
}

impl Reading {
    pub(crate) fn new(system: &dyn ParameterizedSystem) -> Reading {
        let Cells { n_slots, cells } = system.cells();
        Reading {
            cells: cells.clone(),
            n_slots: *n_slots,
            n_visible: system.n_visible(),
            state_words: system.own().state_words(),
        }
    }

    /// The slots of the view.
    pub(crate) fn visible(&self) -> Vec<u32> {
        (0..self.n_visible).collect()
    }

    /// The values of a state as far as they belong to `slots`.
    pub(crate) fn values(&self, state: &[u64], slots: &[u32]) -> Values {
        let value = |cell: &Cell| {
            if cell.slots.iter().any(|slot| !slots.contains(slot)) {
                return Value::Hidden;
            }
            let code = code_at(state, cell);
            match cell.first_code {
                Some(first) if code >= first && code - first <= u64::from(self.n_slots) => {
                    let slot = (code - first) as u32;
                    if slots.contains(&slot) { Value::Element(slot) } else { Value::Rest }
                }
                _ => Value::Code(code),
            }
        };
        self.cells.iter().map(value).collect()
    }

    /// What is left of values when only `slots` are looked at.
    pub(crate) fn seen(&self, values: &[Value], slots: &[u32]) -> Values {
        let look = |(cell, value): (&Cell, &Value)| {
            if cell.slots.iter().any(|slot| !slots.contains(slot)) {
                return Value::Hidden;
            }
            match value {
                Value::Element(slot) if !slots.contains(slot) => Value::Rest,
                other => *other,
            }
        };
        self.cells.iter().zip(values).map(look).collect()
    }

    /// The state with these values; what is hidden is undefined.
    pub(crate) fn state(&self, values: &[Value]) -> Vec<u64> {
        let mut state = vec![0; self.state_words];
        for (cell, value) in self.cells.iter().zip(values) {
            let first = cell.first_code.unwrap_or(0);
            let code = match value {
                Value::Hidden => continue,
                Value::Code(code) => *code,
                Value::Element(slot) => first + u64::from(*slot),
                Value::Rest => first + u64::from(self.n_slots),
            };
            for bit in (0..cell.bits).filter(|bit| code >> bit & 1 == 1) {
                let at = cell.bit + bit;
                state[(at / 64) as usize] |= 1 << (at % 64);
            }
        }
        state
    }

    /// All orders of the elements of a view.
    pub(crate) fn orders(&self) -> Vec<Vec<u32>> {
        ways(self.n_visible as usize, &self.visible())
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
        let mut moved = vec![Value::Hidden; values.len()];
        for (value, onto) in values.iter().zip(&moves.onto) {
            let Some(onto) = onto else { continue };
            moved[*onto] = match value {
                Value::Element(slot) => {
                    moves.to.get(*slot as usize).map_or(Value::Rest, |slot| Value::Element(*slot))
                }
                other => *other,
            };
        }
        moved
    }
}

/// Slots as other ones, and where that puts each cell.
pub(crate) struct Moves {
    onto: Vec<Option<usize>>,
    to: Vec<u32>,
}

/// All lists of `n` different slots.
pub(crate) fn ways(n: usize, slots: &[u32]) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..n {
        let longer = all.iter().flat_map(|way| {
            let free = slots.iter().filter(|slot| !way.contains(slot));
            free.map(|slot| way.iter().copied().chain([*slot]).collect::<Vec<u32>>())
        });
        all = longer.collect();
    }
    all
}

fn code_at(state: &[u64], cell: &Cell) -> u64 {
    let bits = (0..cell.bits).map(|bit| {
        let at = cell.bit + bit;
        (state[(at / 64) as usize] >> (at % 64) & 1) << bit
    });
    bits.fold(0, |code, bit| code | bit)
}
