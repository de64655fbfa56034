//! What each cell of a state is, and whether the cells make sense.
//!
//! **Sound for** cells of which each belongs to one slot, to one node, or to nobody. What belongs
//! to two elements, or to an element within a node, no view of one element shows: it is refused.
//! So is a layout in which nodes, or slots, are not alike.

use model::parameterized::{Cell, Cells, Memory};

use super::super::reading::MAX_BITS;
use super::values::Value;
use crate::rejection::Rejection;

/// Slots at the most.
const MAX_SLOTS: u32 = 16;

/// The cells of a state, by what they belong to.
pub(crate) struct Layout {
    /// All cells. They are named by their place here.
    pub cells: Vec<Cell>,
    pub n_slots: u32,
    pub n_nodes: usize,
    /// So many fresh nodes each step needs.
    pub n_spare: usize,
    pub state_words: usize,
    /// The cells that belong to nobody, in their order.
    pub shared: Vec<usize>,
    /// The cells of each slot. Those at the same place mean the same; those of slot 0 are in
    /// their order.
    pub owned: Vec<Vec<usize>>,
    /// The cells of each node, its *fields*, in the order of their families.
    pub nodes: Vec<Vec<usize>>,
    /// What the fields of a fresh node hold.
    pub fresh: Vec<u64>,
    /// For each field, is it a doubt?
    pub is_doubt: Vec<bool>,
    /// The bits that are in some cell.
    pub covered: Vec<u64>,
}

impl Layout {
    pub(crate) fn new(cells: &Cells, state_bits: u32) -> Result<Layout, Rejection> {
        let memory = cells.memory.as_ref().ok_or_else(|| malformed("there is no memory"))?;
        if !(1..=MAX_SLOTS).contains(&cells.n_slots) {
            return Err(malformed("there are too many slots, or none"));
        }
        if memory.n_nodes as usize > cells.cells.len() {
            return Err(malformed("there are nodes without cells"));
        }
        let state_words = (state_bits as usize).div_ceil(64);
        let mut layout = Layout {
            cells: cells.cells.clone(),
            n_slots: cells.n_slots,
            n_nodes: memory.n_nodes as usize,
            n_spare: memory.n_spare as usize,
            state_words,
            shared: Vec::new(),
            owned: vec![Vec::new(); cells.n_slots as usize],
            nodes: vec![Vec::new(); memory.n_nodes as usize],
            fresh: Vec::new(),
            is_doubt: Vec::new(),
            covered: vec![0; state_words],
        };
        layout.expect_cells(state_bits)?;
        layout.sort_cells()?;
        layout.expect_slots_alike()?;
        layout.expect_nodes_alike(memory)?;
        Ok(layout)
    }

    /// Each cell is within the state, apart from all others, and has room for what it may name.
    fn expect_cells(&mut self, state_bits: u32) -> Result<(), Rejection> {
        for cell in &self.cells {
            if cell.bits == 0 || cell.bits > MAX_BITS {
                return Err(malformed("a cell is empty or too large"));
            }
            if cell.bit.checked_add(cell.bits).is_none_or(|end| end > state_bits) {
                return Err(malformed("a cell is outside of the state"));
            }
            for bit in cell.bit..cell.bit + cell.bits {
                let (word, bit) = ((bit / 64) as usize, 1 << (bit % 64));
                if self.covered[word] & bit != 0 {
                    return Err(malformed("two cells overlap"));
                }
                self.covered[word] |= bit;
            }
            self.expect_names(cell)?;
        }
        Ok(())
    }

    fn expect_names(&self, cell: &Cell) -> Result<(), Rejection> {
        let (first, n_names) = match (cell.first_code, cell.first_node_code) {
            (None, None) => return Ok(()),
            (Some(_), Some(_)) => return Err(malformed("a cell may name elements and nodes")),
            // All slots and the rest.
            (Some(first), None) => (first, u64::from(self.n_slots) + 1),
            (None, Some(first)) => (first, self.n_nodes as u64),
        };
        match first.checked_add(n_names).is_some_and(|end| end <= 1 << cell.bits) {
            true => Ok(()),
            false => Err(malformed("a cell has no room for the names it may hold")),
        }
    }

    /// Sorts the cells by what they belong to.
    fn sort_cells(&mut self) -> Result<(), Rejection> {
        for (idx, cell) in self.cells.iter().enumerate() {
            let place = match (&cell.slots[..], cell.node) {
                ([], None) => Some(&mut self.shared),
                ([slot], None) => self.owned.get_mut(*slot as usize),
                ([], Some(node)) => self.nodes.get_mut(node as usize),
                _ => return Err(malformed("a cell belongs to several slots, or a slot in a node")),
            };
            place.ok_or_else(|| malformed("a cell belongs to no slot or node there is"))?.push(idx);
        }
        let family = |idx: &usize| self.cells[*idx].family;
        self.nodes.iter_mut().for_each(|fields| fields.sort_by_key(family));
        Ok(())
    }

    /// The cells of all slots are of the same kinds. Puts those of the same kind at the same
    /// place.
    fn expect_slots_alike(&mut self) -> Result<(), Rejection> {
        let first = self.kinds(&self.owned[0]);
        expect_different(&first)?;
        for slot in 1..self.owned.len() {
            let kinds = self.kinds(&self.owned[slot]);
            let places: Option<Vec<usize>> =
                first.iter().map(|kind| kinds.iter().position(|other| other == kind)).collect();
            let places = places.filter(|places| places.len() == kinds.len());
            let places = places.ok_or_else(|| malformed("the cells of slots are not alike"))?;
            self.owned[slot] = places.iter().map(|place| self.owned[slot][*place]).collect();
        }
        Ok(())
    }

    /// The fields of all nodes are of the same kinds, and hold the same where it is fresh: no
    /// name, and no doubt. All doubts are fields.
    fn expect_nodes_alike(&mut self, memory: &Memory) -> Result<(), Rejection> {
        if memory.fresh.len() != self.cells.len() {
            return Err(malformed("not every cell has a fresh value"));
        }
        let is_field = |idx: &u32| self.cells.get(*idx as usize).is_some_and(|c| c.node.is_some());
        if !memory.doubts.iter().all(is_field) {
            return Err(malformed("a doubt is not in a node"));
        }
        let fields = self.nodes.first().ok_or_else(|| malformed("there are no nodes"))?;
        let fresh = |fields: &[usize]| fields.iter().map(|idx| memory.fresh[*idx]).collect();
        let is_doubt = |idx: &usize| memory.doubts.contains(&(*idx as u32));
        let doubts = |fields: &[usize]| fields.iter().map(is_doubt).collect();
        (self.fresh, self.is_doubt) = (fresh(fields), doubts(fields));
        let kinds = self.kinds(fields);
        expect_different(&kinds)?;
        for fields in &self.nodes {
            let is_alike = self.kinds(fields) == kinds
                && fresh(fields) == self.fresh
                && doubts(fields) == self.is_doubt;
            if !is_alike {
                return Err(malformed("the nodes are not alike"));
            }
        }
        self.expect_fresh_values()
    }

    fn expect_fresh_values(&self) -> Result<(), Rejection> {
        let fields = self.nodes[0].iter().zip(&self.fresh).zip(&self.is_doubt);
        for ((idx, fresh), is_doubt) in fields {
            let cell = &self.cells[*idx];
            let names_none = self.decoded(*idx, *fresh) == Value::Code(*fresh);
            if !names_none || fresh >> cell.bits != 0 || *is_doubt && *fresh != 0 {
                return Err(malformed("a fresh node has a name, a doubt, or too large a value"));
            }
        }
        Ok(())
    }

    /// What must agree for cells to mean the same.
    fn kinds(&self, cells: &[usize]) -> Vec<Kind> {
        let cells = cells.iter().map(|idx| &self.cells[*idx]);
        cells.map(|cell| (cell.family, cell.bits, cell.first_code, cell.first_node_code)).collect()
    }
}

/// The family of a cell, its bits, and what it may name.
type Kind = (u32, u32, Option<u64>, Option<u64>);

/// No two cells of one slot or of one node are of the same family.
fn expect_different(kinds: &[Kind]) -> Result<(), Rejection> {
    let mut families: Vec<u32> = kinds.iter().map(|kind| kind.0).collect();
    families.sort_unstable();
    match families.windows(2).any(|two| two[0] == two[1]) {
        true => Err(malformed("two cells of one family belong to the same")),
        false => Ok(()),
    }
}

fn malformed(why: &str) -> Rejection {
    Rejection::malformed(why)
}
