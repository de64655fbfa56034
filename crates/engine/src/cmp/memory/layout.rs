//! Where the values of a state are, and what they may name.
//!
//! A state becomes a list of values, one for each cell, in an order that makes what corresponds
//! stand at equal distances: first what is shared, then the cells of each slot, then those of
//! each node, always in the same order of families.
//!
//! **Not for** cells that belong to several slots, or to slots within nodes: views of one
//! element do not say what those hold for two.

use model::parameterized::{Cell, Cells, Memory};

/// Nodes at the most: sets of them are words.
const MAX_NODES: usize = 64;

/// What a value may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    Nothing,
    Elements,
    Nodes,
}

/// One value of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    word: usize,
    shift: u32,
    mask: u64,
    /// What it may name.
    pub names: Names,
    /// The code of the first element or node.
    pub first: u64,
}

/// Where everything is.
#[derive(Debug)]
pub(super) struct Layout {
    pub state_words: usize,
    pub n_slots: usize,
    pub n_nodes: usize,
    /// Fresh nodes that must be left before a step.
    pub n_spare: usize,
    /// Shared values.
    pub n_shared: usize,
    /// Values of one slot.
    pub n_own: usize,
    /// Values of one node.
    pub n_fields: usize,
    /// All values.
    pub places: Vec<Place>,
    /// What each field of a fresh node holds.
    pub fresh: Vec<u64>,
    /// Is the field a doubt?
    pub is_doubt: Vec<bool>,
    /// Shared values, values of a slot and of a node that may name nodes, by distance.
    pub pointers: [Vec<usize>; 3],
    /// The same for values that may name elements.
    pub elements: [Vec<usize>; 3],
    /// The bits of a state that belong to a cell.
    covered: Vec<u64>,
}

/// Shared values, in [`Layout::pointers`] and [`Layout::elements`].
pub(super) const SHARED: usize = 0;
/// Values of a slot there.
pub(super) const OWN: usize = 1;
/// Values of a node there.
pub(super) const FIELD: usize = 2;

impl Layout {
    /// Where the cells are, unless there are some that views of one element do not show.
    pub(super) fn new(cells: &Cells, state_words: usize) -> Result<Layout, String> {
        let memory = cells.memory.as_ref().ok_or("there is no memory")?;
        let n_nodes = memory.n_nodes as usize;
        if n_nodes > MAX_NODES {
            return Err(format!("views of memory have at most {MAX_NODES} nodes"));
        }
        if let Some(cell) = cells.cells.iter().find(|cell| belongs_to_several(cell)) {
            let family = cell.family;
            return Err(format!("views of one element do not show all of cell family {family}"));
        }
        let groups = Groups::new(cells, memory)?;
        let mut layout = Layout {
            state_words,
            n_slots: cells.n_slots as usize,
            n_nodes,
            n_spare: memory.n_spare as usize,
            n_shared: groups.shared.len(),
            n_own: groups.slots.first().map_or(0, Vec::len),
            n_fields: groups.nodes.first().map_or(0, Vec::len),
            places: Vec::with_capacity(cells.cells.len()),
            fresh: Vec::new(),
            is_doubt: Vec::new(),
            pointers: Default::default(),
            elements: Default::default(),
            covered: vec![0; state_words],
        };
        let all = std::iter::once(&groups.shared).chain(&groups.slots).chain(&groups.nodes);
        for cell in all.flatten() {
            layout.add(&cells.cells[*cell]);
        }
        layout.add_fields(&groups, memory)?;
        layout.find_names();
        Ok(layout)
    }

    fn add(&mut self, cell: &Cell) {
        let (names, first) = match (cell.first_code, cell.first_node_code) {
            (Some(first), _) => (Names::Elements, first),
            (None, Some(first)) => (Names::Nodes, first),
            (None, None) => (Names::Nothing, 0),
        };
        let (word, shift) = ((cell.bit / 64) as usize, cell.bit % 64);
        let place = Place { word, shift, mask: (1 << cell.bits) - 1, names, first };
        let mut covered = std::mem::take(&mut self.covered);
        place.put(&mut covered, place.mask);
        self.covered = covered;
        self.places.push(place);
    }

    /// What fresh nodes look like, which must be the same for all.
    fn add_fields(&mut self, groups: &Groups, memory: &Memory) -> Result<(), String> {
        let fresh = |node: &Vec<usize>| -> Vec<u64> {
            node.iter().map(|cell| memory.fresh.get(*cell).copied().unwrap_or(0)).collect()
        };
        let is_doubt = |node: &Vec<usize>| -> Vec<bool> {
            node.iter().map(|cell| memory.doubts.contains(&(*cell as u32))).collect()
        };
        let Some(first) = groups.nodes.first() else { return Ok(()) };
        self.fresh = fresh(first);
        self.is_doubt = is_doubt(first);
        let mut others = groups.nodes.iter();
        if others.any(|node| fresh(node) != self.fresh || is_doubt(node) != self.is_doubt) {
            return Err("fresh nodes differ".to_owned());
        }
        let mut fields = self.fresh.iter().zip(&self.is_doubt);
        if fields.any(|(value, is_doubt)| *is_doubt && *value != 0) {
            return Err("fresh nodes are in doubt".to_owned());
        }
        let start = self.node(0);
        let mut fields = self.fresh.iter().enumerate();
        match fields.any(|(field, value)| self.names_something(start + field, *value)) {
            true => Err("fresh nodes name nodes or elements".to_owned()),
            false => Ok(()),
        }
    }

    fn names_something(&self, at: usize, value: u64) -> bool {
        self.node_named(at, value).is_some() || self.slot_named(at, value).is_some()
    }

    fn find_names(&mut self) {
        let stretches =
            [(0, self.n_shared), (self.slot(0), self.n_own), (self.node(0), self.n_fields)];
        for (kind, (start, len)) in stretches.into_iter().enumerate() {
            let places = self.places.get(start..start + len).unwrap_or_default();
            let those = |names| {
                let places = places.iter().enumerate();
                places.filter(move |(_, place)| place.names == names).map(|(at, _)| at).collect()
            };
            (self.pointers[kind], self.elements[kind]) =
                (those(Names::Nodes), those(Names::Elements));
        }
    }

    /// Where the values of a slot start.
    pub(super) fn slot(&self, slot: usize) -> usize {
        self.n_shared + slot * self.n_own
    }

    /// Where the values of a node start.
    pub(super) fn node(&self, node: usize) -> usize {
        self.n_shared + self.n_slots * self.n_own + node * self.n_fields
    }

    /// The node that a value names.
    pub(super) fn node_named(&self, at: usize, value: u64) -> Option<usize> {
        let Place { names, first, .. } = self.places[at];
        let node = value.wrapping_sub(first);
        (names == Names::Nodes && node < self.n_nodes as u64).then_some(node as usize)
    }

    /// The slot that a value names; that behind the last one is the rest.
    pub(super) fn slot_named(&self, at: usize, value: u64) -> Option<usize> {
        let Place { names, first, .. } = self.places[at];
        let slot = value.wrapping_sub(first);
        (names == Names::Elements && slot <= self.n_slots as u64).then_some(slot as usize)
    }

    /// The value that names the rest.
    pub(super) fn rest(&self, at: usize) -> u64 {
        self.places[at].first + self.n_slots as u64
    }

    /// The values of a state; `false` if it has others that belong to no cell.
    pub(super) fn read(&self, state: &[u64], values: &mut [u64]) -> bool {
        for (value, place) in values.iter_mut().zip(&self.places) {
            *value = place.get(state);
        }
        state.iter().zip(&self.covered).all(|(word, covered)| word & !covered == 0)
    }

    /// The state with these values.
    pub(super) fn write(&self, values: &[u64], state: &mut [u64]) {
        state.fill(0);
        for (value, place) in values.iter().zip(&self.places) {
            place.put(state, *value);
        }
    }

    /// The bits of a state that belong to a slot.
    pub(super) fn bits_of_slot(&self, slot: usize) -> Vec<u64> {
        let mut bits = vec![0; self.state_words];
        let places = &self.places[self.slot(slot)..self.slot(slot + 1)];
        places.iter().for_each(|place| place.put(&mut bits, place.mask));
        bits
    }

    /// Does a set of bits have one of this value?
    pub(super) fn touches(&self, at: usize, bits: &[u64]) -> bool {
        self.places[at].get(bits) != 0
    }
}

impl Place {
    fn get(&self, words: &[u64]) -> u64 {
        let mut value = words[self.word] >> self.shift;
        if self.shift > 0 && self.mask >> (64 - self.shift) != 0 {
            value |= words[self.word + 1] << (64 - self.shift);
        }
        value & self.mask
    }

    /// Where the words are 0.
    fn put(&self, words: &mut [u64], value: u64) {
        words[self.word] |= value << self.shift;
        if self.shift > 0 && self.mask >> (64 - self.shift) != 0 {
            words[self.word + 1] |= value >> (64 - self.shift);
        }
    }
}

fn belongs_to_several(cell: &Cell) -> bool {
    cell.slots.len() + usize::from(cell.node.is_some()) > 1
}

/// Cells by whom they belong to, by number, in such an order that what corresponds stands at
/// the same place.
struct Groups {
    shared: Vec<usize>,
    slots: Vec<Vec<usize>>,
    nodes: Vec<Vec<usize>>,
}

impl Groups {
    fn new(cells: &Cells, memory: &Memory) -> Result<Groups, String> {
        let those = |belongs: &dyn Fn(&Cell) -> bool| -> Vec<usize> {
            let cells = cells.cells.iter().enumerate();
            cells.filter(|(_, cell)| belongs(cell)).map(|(number, _)| number).collect()
        };
        let slots = (0..cells.n_slots).map(|slot| those(&|cell| cell.slots == [slot]));
        let nodes = (0..memory.n_nodes).map(|node| those(&|cell| cell.node == Some(node)));
        let mut groups = Groups {
            shared: those(&|cell| cell.slots.is_empty() && cell.node.is_none()),
            slots: slots.collect(),
            nodes: nodes.collect(),
        };
        groups.nodes.iter_mut().for_each(|node| node.sort_by_key(|at| cells.cells[*at].family));
        line_up(&mut groups.slots, cells)?;
        line_up(&mut groups.nodes, cells)?;
        Ok(groups)
    }
}

/// Puts the cells of all others in the order of families that those of the first have.
fn line_up(groups: &mut [Vec<usize>], cells: &Cells) -> Result<(), String> {
    let shape = |at: usize| {
        let Cell { family, bits, first_code, first_node_code, .. } = &cells.cells[at];
        (*family, *bits, *first_code, *first_node_code)
    };
    let Some((first, others)) = groups.split_first_mut() else { return Ok(()) };
    for other in others {
        let find = |at: &usize| other.iter().copied().find(|other| shape(*other) == shape(*at));
        let in_order: Option<Vec<usize>> = first.iter().map(find).collect();
        match in_order.filter(|in_order| in_order.len() == other.len()) {
            Some(in_order) => *other = in_order,
            None => return Err("slots or nodes have different cells".to_owned()),
        }
    }
    let mut families: Vec<u32> = first.iter().map(|at| cells.cells[*at].family).collect();
    families.sort_unstable();
    match families.windows(2).any(|pair| pair[0] == pair[1]) {
        true => Err("a slot or a node has several cells of a family".to_owned()),
        false => Ok(()),
    }
}
