//! Views as bits: what each part of a state says, about which elements.
//!
//! A state names elements by codes, and a code speaks of all slots at once. Here a value that
//! names an element becomes one bit for each slot, "it is this one", beside a code that says
//! whether there is an element at all. So every bit speaks of certain slots alone: to forget
//! elements is to clear bits, and to join what is known of several is to unite them.

use model::parameterized::{Cell, Cells};
use rustc_hash::FxHashMap;

/// A set of slots, one bit each.
pub(super) type SlotSet = u32;

/// The form of views of one abstraction.
pub(super) struct Space {
    /// Words of a packed state.
    pub state_words: usize,
    /// Words of a view.
    pub words: usize,
    pub n_slots: u32,
    pub n_visible: u32,
    pub elements: Vec<ElementCell>,
    cells: Vec<Cell>,
    /// The bits that speak of no other slots than those of a set.
    masks: Vec<Vec<u64>>,
    /// What puts the elements of a view in another order.
    orders: Vec<Mapping>,
}

/// A value that may name an element.
#[derive(Clone, Debug)]
pub(super) struct ElementCell {
    bit: u32,
    bits: u32,
    first_code: u64,
    /// The code of an element that has no slot, and here of any element.
    rest_code: u64,
    /// Where the bits are that say which slot it is: all within one word.
    pub one_hot: u32,
    /// To whom the value belongs.
    pub slots: SlotSet,
}

/// Moves what belongs to some slots to other ones.
pub(super) struct Mapping {
    moves: Vec<Move>,
}

#[derive(Clone, Copy)]
struct Move {
    from: u32,
    to: u32,
    bits: u32,
}

impl Space {
    pub(super) fn new(cells: &Cells, n_visible: u32, state_words: usize) -> Space {
        let n_slots = cells.n_slots;
        let mut next = state_words as u32 * 64;
        let mut elements = Vec::new();
        for cell in &cells.cells {
            let Some(first_code) = cell.first_code else { continue };
            if next % 64 + n_slots > 64 {
                next = next.next_multiple_of(64);
            }
            elements.push(ElementCell {
                bit: cell.bit,
                bits: cell.bits,
                first_code,
                rest_code: first_code + u64::from(n_slots),
                one_hot: next,
                slots: slot_set(&cell.slots),
            });
            next += n_slots;
        }
        let mut space = Space {
            state_words,
            words: (next as usize).div_ceil(64),
            n_slots,
            n_visible,
            elements,
            cells: cells.cells.clone(),
            masks: Vec::new(),
            orders: Vec::new(),
        };
        space.masks = (0..1_u32 << n_slots).map(|set| space.mask_of(set)).collect();
        space.orders = permutations(n_visible).iter().map(|order| space.mapping(order)).collect();
        space
    }

    fn mask_of(&self, set: SlotSet) -> Vec<u64> {
        let mut mask = vec![0; self.words];
        for cell in &self.cells {
            if slot_set(&cell.slots) & !set == 0 {
                (cell.bit..cell.bit + cell.bits).for_each(|bit| set_bit(&mut mask, bit));
            }
        }
        for element in &self.elements {
            if element.slots & !set == 0 {
                let slots = (0..self.n_slots).filter(|slot| set >> slot & 1 == 1);
                slots.for_each(|slot| set_bit(&mut mask, element.one_hot + slot));
            }
        }
        mask
    }

    /// The bits that speak of no other slots than these.
    pub(super) fn mask(&self, set: SlotSet) -> &[u64] {
        &self.masks[set as usize]
    }

    /// The slots of the view.
    pub(super) fn visible(&self) -> SlotSet {
        (1 << self.n_visible) - 1
    }

    /// The bits of a view that say what is said by these bits of a state.
    pub(super) fn spread(&self, state_bits: &[u64]) -> Vec<u64> {
        let mut mask = vec![0; self.words];
        mask[..self.state_words].copy_from_slice(&state_bits[..self.state_words]);
        for element in &self.elements {
            let bits = element.bit..element.bit + element.bits;
            if bits.into_iter().any(|bit| get_bit(state_bits, bit)) {
                (0..self.n_slots).for_each(|slot| set_bit(&mut mask, element.one_hot + slot));
            }
        }
        mask
    }

    /// What a packed state says.
    pub(super) fn unpack(&self, state: &[u64], view: &mut [u64]) {
        view[..self.state_words].copy_from_slice(state);
        view[self.state_words..].fill(0);
        for element in &self.elements {
            let code = bits_at(state, element.bit, element.bits);
            let slot = code.wrapping_sub(element.first_code);
            if slot < u64::from(self.n_slots) {
                put_bits(view, element.bit, element.bits, element.rest_code);
                set_bit(view, element.one_hot + slot as u32);
            }
        }
    }

    /// The packed state that says so.
    pub(super) fn pack(&self, view: &[u64], state: &mut [u64]) {
        state.copy_from_slice(&view[..self.state_words]);
        for element in &self.elements {
            let named = self.named(element, view);
            if named != 0 {
                let slot = u64::from(named.trailing_zeros());
                put_bits(state, element.bit, element.bits, element.first_code + slot);
            }
        }
    }

    /// The slots that a value is said to name: at most one, where it makes sense.
    pub(super) fn named(&self, element: &ElementCell, view: &[u64]) -> SlotSet {
        bits_at(view, element.one_hot, self.n_slots) as SlotSet
    }

    /// Does a value name an element?
    pub(super) fn names_any(&self, element: &ElementCell, view: &[u64]) -> bool {
        bits_at(view, element.bit, element.bits) == element.rest_code
    }

    /// Moves slot i to `to[i]`; what belongs to other slots is forgotten.
    pub(super) fn mapping(&self, to: &[u32]) -> Mapping {
        let find: FxHashMap<(u32, &[u32]), &Cell> =
            self.cells.iter().map(|cell| ((cell.family, cell.slots.as_slice()), cell)).collect();
        let image = |slots: &[u32]| -> Option<Vec<u32>> {
            slots.iter().map(|slot| to.get(*slot as usize).copied()).collect()
        };
        let mut moves = Vec::new();
        for cell in &self.cells {
            let Some(slots) = image(&cell.slots) else { continue };
            let Some(other) = find.get(&(cell.family, slots.as_slice())) else { continue };
            moves.push(Move { from: cell.bit, to: other.bit, bits: cell.bits });
            let element = |bit| self.elements.iter().find(|element| element.bit == bit);
            if let (Some(from), Some(onto)) = (element(cell.bit), element(other.bit)) {
                moves.extend(to.iter().enumerate().map(|(slot, other)| Move {
                    from: from.one_hot + slot as u32,
                    to: onto.one_hot + other,
                    bits: 1,
                }));
            }
        }
        Mapping { moves: merged(moves) }
    }

    /// Puts the elements of a view into the order that makes it smallest. `room` has two views.
    pub(super) fn make_canonical(&self, view: &mut [u64], room: &mut [u64]) {
        let (original, moved) = room.split_at_mut(self.words);
        original.copy_from_slice(view);
        for order in &self.orders {
            order.apply(original, moved);
            if *moved < *view {
                view.copy_from_slice(moved);
            }
        }
    }
}

impl Mapping {
    /// `to` is what `from` becomes.
    pub(super) fn apply(&self, from: &[u64], to: &mut [u64]) {
        to.fill(0);
        for one in &self.moves {
            or_bits(to, one.to, bits_at(from, one.from, one.bits));
        }
    }
}

/// The set of some slots.
pub(super) fn slot_set(slots: &[u32]) -> SlotSet {
    slots.iter().fold(0, |set, slot| set | 1 << slot)
}

/// All injections of `0..n` into a set of slots, each as a list.
pub(super) fn injections(n: u32, into: SlotSet) -> Vec<Vec<u32>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for shorter in injections(n - 1, into) {
        let free = (0..32).filter(|slot| into >> slot & 1 == 1 && !shorter.contains(slot));
        for slot in free {
            let mut longer = shorter.clone();
            longer.push(slot);
            all.push(longer);
        }
    }
    all
}

/// All orders but the one that changes nothing.
fn permutations(n: u32) -> Vec<Vec<u32>> {
    let identity: Vec<u32> = (0..n).collect();
    injections(n, (1 << n) - 1).into_iter().filter(|order| *order != identity).collect()
}

/// Moves of adjacent bits as one.
fn merged(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort_by_key(|one| one.from);
    let mut all: Vec<Move> = Vec::with_capacity(moves.len());
    for one in moves {
        match all.last_mut() {
            Some(last)
                if last.from + last.bits == one.from
                    && last.to + last.bits == one.to
                    && last.bits + one.bits <= 64 =>
            {
                last.bits += one.bits;
            }
            _ => all.push(one),
        }
    }
    all
}

pub(super) fn set_bit(words: &mut [u64], bit: u32) {
    words[(bit / 64) as usize] |= 1 << (bit % 64);
}

fn get_bit(words: &[u64], bit: u32) -> bool {
    words[(bit / 64) as usize] >> (bit % 64) & 1 == 1
}

fn low_bits(bits: u32) -> u64 {
    if bits == 64 { u64::MAX } else { (1 << bits) - 1 }
}

fn bits_at(words: &[u64], bit: u32, bits: u32) -> u64 {
    let (word, shift) = ((bit / 64) as usize, bit % 64);
    let mut value = words[word] >> shift;
    if shift + bits > 64 {
        value |= words[word + 1] << (64 - shift);
    }
    value & low_bits(bits)
}

fn or_bits(words: &mut [u64], bit: u32, value: u64) {
    let (word, shift) = ((bit / 64) as usize, bit % 64);
    words[word] |= value << shift;
    if shift > 0 && word + 1 < words.len() {
        words[word + 1] |= value >> (64 - shift);
    }
}

fn put_bits(words: &mut [u64], bit: u32, bits: u32, value: u64) {
    let (word, shift) = ((bit / 64) as usize, bit % 64);
    words[word] &= !(low_bits(bits) << shift);
    if shift + bits > 64 {
        words[word + 1] &= !(low_bits(bits) >> (64 - shift));
    }
    or_bits(words, bit, value);
}

#[cfg(test)]
mod tests {
    use super::{bits_at, injections, or_bits, put_bits};

    #[test]
    fn fields_may_cross_words() {
        let mut words = vec![u64::MAX, u64::MAX];
        put_bits(&mut words, 60, 8, 0b0101_1010);
        assert_eq!(bits_at(&words, 60, 8), 0b0101_1010);
        assert_eq!(bits_at(&words, 52, 8), 255);
        assert_eq!(bits_at(&words, 68, 60), u64::MAX >> 4);
        let mut words = vec![0, 0];
        or_bits(&mut words, 62, 0b1101);
        assert_eq!(bits_at(&words, 62, 4), 0b1101);
    }

    #[test]
    fn injections_take_each_slot_once() {
        assert_eq!(injections(2, 0b101), [[0, 2], [2, 0]]);
        assert_eq!(injections(2, 0b111).len(), 6);
    }
}
