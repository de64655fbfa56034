//! What belongs to which slot in a state of an abstraction.

use std::collections::BTreeMap;

use model::parameterized::{Cell, Cells};
use model::symmetry::{CodeSegment, IndexSegment, ScalarsetId, Shape};
use model::{Diagnostic, Span, Symmetry};

use super::scope::{Refused, refuse};

/// Wider stretches are several cells.
const MAX_CELL_BITS: u32 = 48;

/// The cells of states of this shape, whose parameter is one of its scalarsets. The last element
/// stands for the rest, and nothing belongs to it.
pub(super) fn cells(symmetry: &Symmetry, parameter: ScalarsetId, span: Span) -> Refused<Cells> {
    let scalarset = &symmetry.scalarsets[parameter.0 as usize];
    let n_slots = scalarset.n_elements - 1;
    if symmetry.state.is_empty() && scalarset.not_symmetric.is_some() {
        let why = scalarset.not_symmetric.clone().unwrap_or_default();
        return Err(Box::new(Diagnostic::error("MU023", why, span)));
    }
    let mut walk = Walk { parameter, n_slots, span, families: BTreeMap::new(), cells: Vec::new() };
    for (idx, placed) in symmetry.state.iter().enumerate() {
        walk.shape(
            &placed.shape,
            placed.bit,
            &Place { path: vec![idx as u32], slots: Vec::new() },
        )?;
    }
    Ok(Cells { n_slots, cells: walk.cells, memory: None })
}

struct Walk {
    parameter: ScalarsetId,
    n_slots: u32,
    span: Span,
    families: BTreeMap<Vec<u32>, u32>,
    cells: Vec<Cell>,
}

/// Where in the state something is: by its path without slots, and by its slots.
#[derive(Clone)]
struct Place {
    path: Vec<u32>,
    slots: Vec<u32>,
}

impl Place {
    fn part(&self, idx: u32) -> Place {
        let mut part = self.clone();
        part.path.push(idx);
        part
    }

    fn of_slot(&self, slot: u32) -> Place {
        let mut part = self.part(u32::MAX);
        part.slots.push(slot);
        part
    }
}

impl Walk {
    fn shape(&mut self, shape: &Shape, bit: u32, place: &Place) -> Refused<()> {
        match shape {
            Shape::Plain { bits } => self.plain(bit, *bits, place),
            Shape::Value { bits, segments } => match self.first_code(segments) {
                Some(first) => self.push(bit, *bits, place, Some(first)),
                None => self.plain(bit, *bits, place),
            },
            Shape::Record { parts } => {
                for (idx, part) in parts.iter().enumerate() {
                    self.shape(&part.shape, bit + part.bit, &place.part(idx as u32))?;
                }
            }
            Shape::Array { stride, n_elements, segments, element } => {
                for idx in 0..*n_elements {
                    let inner = match self.slot(segments, idx) {
                        None => place.part(idx),
                        Some(slot) if slot < self.n_slots => place.of_slot(slot),
                        Some(_) => continue,
                    };
                    self.shape(element, bit + idx * stride, &inner)?;
                }
            }
            Shape::Multiset { .. } => return refuse("multisets are not supported", self.span),
        }
        Ok(())
    }

    fn first_code(&self, segments: &[CodeSegment]) -> Option<u64> {
        let of_parameter = segments.iter().find(|segment| segment.scalarset == self.parameter);
        of_parameter.map(|segment| segment.first)
    }

    /// The slot that an index names, where the parameter is the index.
    fn slot(&self, segments: &[IndexSegment], idx: u32) -> Option<u32> {
        let of_parameter = segments.iter().find(|segment| segment.scalarset == self.parameter)?;
        let slot = idx.checked_sub(of_parameter.first)?;
        (slot <= self.n_slots).then_some(slot)
    }

    fn plain(&mut self, bit: u32, bits: u32, place: &Place) {
        let mut done = 0;
        while done < bits {
            let n = (bits - done).min(MAX_CELL_BITS);
            self.push(bit + done, n, &place.part(done), None);
            done += n;
        }
    }

    fn push(&mut self, bit: u32, bits: u32, place: &Place, first_code: Option<u64>) {
        let next = self.families.len() as u32;
        let family = *self.families.entry(place.path.clone()).or_insert(next);
        let slots = place.slots.clone();
        let (node, first_node_code) = (None, None);
        self.cells.push(Cell { bit, bits, slots, family, first_code, node, first_node_code });
    }
}
