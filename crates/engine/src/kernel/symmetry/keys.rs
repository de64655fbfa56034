//! The first key of each element: what it has by itself, without looking at other
//! elements.
//!
//! Keys are sums of terms, so that columns can be added in any order. Where all
//! terms of a domain fit 64 bits, each has bits of its own and keys are exact.

use super::bits::{get, mix};
use super::plan::{KeyPart, PlainColumn, PointerColumn, SymmetryPlan, element_in};

/// Computes the keys of all elements.
pub(super) fn fill(plan: &SymmetryPlan, state: &[u64], keys: &mut [u64]) {
    keys.fill(0);
    for column in &plan.plain {
        add_plain(column, state, &mut keys[column.domain.range()]);
    }
    for value in &plan.values {
        let code = get(state, value.bit, value.mask);
        if let Some((element, segment)) = plan.element_of(value.coding, code) {
            let key = &mut keys[element as usize];
            *key = key.wrapping_add(segment.key_term);
        }
    }
    for column in &plan.pointers {
        add_pointers(plan, column, state, keys);
    }
}

fn add_plain(column: &PlainColumn, state: &[u64], keys: &mut [u64]) {
    let mut bit = column.bit;
    match column.key {
        KeyPart::Shifted(shift) => {
            for key in keys {
                *key |= get(state, bit, column.mask) << shift;
                bit += column.stride;
            }
        }
        KeyPart::Hashed(seed) => {
            for key in keys {
                *key = key.wrapping_add(mix(seed ^ get(state, bit, column.mask)));
                bit += column.stride;
            }
        }
    }
}

/// The element that points gets to know whether it points at all, and whether at
/// itself; the one pointed to, how often that is so.
fn add_pointers(plan: &SymmetryPlan, column: &PointerColumn, state: &[u64], keys: &mut [u64]) {
    let mut bit = column.bit;
    let segments = plan.segments_of(column.coding);
    for pointing in column.domain.range() {
        let code = get(state, bit, column.mask);
        bit += column.stride;
        let mut content = code;
        if let Some((element, segment)) = element_in(segments, code) {
            // Codes of elements of one segment are told apart by this alone.
            content = segment.first + u64::from(element as usize == pointing);
            let key = &mut keys[element as usize];
            *key = key.wrapping_add(segment.key_term);
        }
        let term = match column.key {
            KeyPart::Shifted(shift) => content << shift,
            KeyPart::Hashed(seed) => mix(seed ^ content),
        };
        keys[pointing] = keys[pointing].wrapping_add(term);
    }
}
