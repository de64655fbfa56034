//! What belongs to which slot in a state of an abstraction.

use std::collections::BTreeMap;

use model::parameterized::{Cell, Cells, Memory};
use model::symmetry::{CodeSegment, IndexSegment, ScalarsetId, Shape};
use model::{Diagnostic, Span, Symmetry};

use super::scope::{Refused, refuse};

/// Wider stretches are several cells.
const MAX_CELL_BITS: u32 = 48;

/// The cells of states of this shape, whose parameter is one of its scalarsets. The last element
/// stands for the rest, and nothing belongs to it.
///
/// Where there is memory, what is fresh in it is left open.
pub(super) fn cells(
    symmetry: &Symmetry,
    parameter: ScalarsetId,
    nodes: Option<ScalarsetId>,
    span: Span,
) -> Refused<Cells> {
    let scalarset = &symmetry.scalarsets[parameter.0 as usize];
    let n_slots = scalarset.n_elements - 1;
    if symmetry.state.is_empty() && scalarset.not_symmetric.is_some() {
        let why = scalarset.not_symmetric.clone().unwrap_or_default();
        return Err(Box::new(Diagnostic::error("MU023", why, span)));
    }
    let (families, cells) = (BTreeMap::new(), Vec::new());
    let n_nodes = nodes.map_or(0, |nodes| symmetry.scalarsets[nodes.0 as usize].n_elements);
    let mut walk = Walk { parameter, nodes, n_nodes, n_slots, span, families, cells };
    for (idx, placed) in symmetry.state.iter().enumerate() {
        walk.shape(
            &placed.shape,
            placed.bit,
            &Place { path: vec![idx as u32], slots: Vec::new(), node: None },
        )?;
    }
    let memory = nodes.map(|_| Memory { n_nodes, ..Memory::default() });
    Ok(Cells { n_slots, cells: walk.cells, memory })
}

struct Walk {
    parameter: ScalarsetId,
    nodes: Option<ScalarsetId>,
    n_nodes: u32,
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
    node: Option<u32>,
}

impl Place {
    fn part(&self, idx: u32) -> Place {
        let mut part = self.clone();
        part.path.push(idx);
        part
    }

    fn of_node(&self, node: u32) -> Place {
        Place { node: Some(node), ..self.part(u32::MAX - 1) }
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
            Shape::Value { bits, segments } => {
                let first = first_code(segments, Some(self.parameter));
                match (first, first_code(segments, self.nodes)) {
                    (None, None) => self.plain(bit, *bits, place),
                    names => self.push(bit, *bits, place, names),
                }
            }
            Shape::Record { parts } => {
                for (idx, part) in parts.iter().enumerate() {
                    self.shape(&part.shape, bit + part.bit, &place.part(idx as u32))?;
                }
            }
            Shape::Array { stride, n_elements, segments, element } => {
                for idx in 0..*n_elements {
                    let inner = match self.slot(segments, idx) {
                        None => match self.node(segments, idx) {
                            None => place.part(idx),
                            Some(node) => place.of_node(node),
                        },
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

    /// The node that an index names, where nodes are the index.
    fn node(&self, segments: &[IndexSegment], idx: u32) -> Option<u32> {
        let nodes = self.nodes?;
        let segment = segments.iter().find(|segment| segment.scalarset == nodes)?;
        let node = idx.checked_sub(segment.first)?;
        (node < self.n_nodes).then_some(node)
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
            self.push(bit + done, n, &place.part(done), (None, None));
            done += n;
        }
    }

    fn push(&mut self, bit: u32, bits: u32, place: &Place, names: (Option<u64>, Option<u64>)) {
        let next = self.families.len() as u32;
        let family = *self.families.entry(place.path.clone()).or_insert(next);
        let (slots, node) = (place.slots.clone(), place.node);
        let (first_code, first_node_code) = names;
        self.cells.push(Cell { bit, bits, slots, family, first_code, node, first_node_code });
    }
}

/// The code of the first element of a scalarset among values.
fn first_code(segments: &[CodeSegment], scalarset: Option<ScalarsetId>) -> Option<u64> {
    let found = segments.iter().find(|segment| Some(segment.scalarset) == scalarset);
    found.map(|segment| segment.first)
}
