//! Threads that hand over boxes through one shared place: a system with memory, by hand.
//!
//! A thread makes a box (two nodes), puts it into the place, and gets what was there. It lets go
//! of that, and starts anew. Readers look at what is in the place for a while. Moods matter to
//! nothing else: a thread has one, and changes that of all others without looking at it.

use model::parameterized::{Cell, Cells, Memory, ParameterizedSystem, StepsBeside};
use model::symmetry::Symmetry;
use model::{
    Choice, ChoiceLabel, Fault, FaultKind, FaultPlace, Field, Judgement, Limits, Omission,
    Property, PropertyKind, Stepper, StopReason, Successors, TransitionSystem,
};

/// What becomes of a box that a thread lets go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Free {
    /// The thread frees it.
    ByHand,
    /// Nodes are freed that nobody reaches.
    Collected,
    /// Both.
    Careless,
    /// Nothing.
    Never,
}

/// How the threads behave.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ways {
    pub free: Free,
    pub readers: bool,
    pub moods: bool,
    /// Do boxes say whose they are?
    pub owners: bool,
    /// A step beside that goes wrong.
    pub fault: bool,
    /// A step that is left out.
    pub omission: bool,
    /// What is asked is wrong.
    pub wrong_property: bool,
    pub n_nodes: u64,
    pub guarded_by_actors: bool,
}

/// Frees by hand, and is right.
pub(super) const BY_HAND: Ways = Ways {
    free: Free::ByHand,
    readers: false,
    moods: false,
    owners: true,
    fault: false,
    omission: false,
    wrong_property: false,
    n_nodes: 8,
    guarded_by_actors: true,
};

/// Frees what nobody reaches, and is right.
pub(super) const COLLECTED: Ways = Ways { free: Free::Collected, readers: true, ..BY_HAND };

/// The same, where threads have moods.
pub(super) const MOODY: Ways = Ways { moods: true, ..COLLECTED };

/// A state as the codes of its cells.
pub(super) type Codes = Vec<u64>;

pub(super) const TOP: usize = 0;
pub(super) const LAST: usize = 1;
pub(super) const DATA: usize = 0;
pub(super) const OWNER: usize = 1;
pub(super) const NEXT: usize = 2;
const DOUBT: usize = 3;

pub(super) fn pc(slot: usize) -> usize {
    2 + 2 * slot
}

pub(super) fn mine(slot: usize) -> usize {
    3 + 2 * slot
}

pub(super) fn mood(slot: usize) -> usize {
    6 + slot
}

/// A field of the node with this code.
pub(super) fn field(node: u64, field: usize) -> usize {
    4 + 4 * node as usize + field
}

/// Five bits each, so that some cells lie in two words.
const BITS: usize = 5;

pub(super) fn packed(codes: &[u64]) -> Vec<u64> {
    let mut state = vec![0; (codes.len() * BITS).div_ceil(64)];
    for bit in 0..codes.len() * BITS {
        state[bit / 64] |= (codes[bit / BITS] >> (bit % BITS) & 1) << (bit % 64);
    }
    state
}

pub(super) fn unpacked(state: &[u64], n_cells: usize) -> Codes {
    let bit = |bit: usize| (state[bit / 64] >> (bit % 64) & 1) << (bit % BITS);
    (0..n_cells).map(|cell| (cell * BITS..(cell + 1) * BITS).map(bit).sum()).collect()
}

pub(super) const STEPS: [&str; 7] =
    ["make", "swap", "let go", "look", "look away", "cheer up", "annoy"];

/// One kind of steps of the thread in one slot, or all.
pub(super) struct Steps {
    ways: Ways,
    actor: usize,
    kinds: std::ops::Range<usize>,
    properties: Vec<Property>,
    symmetry: Symmetry,
}

impl Steps {
    fn new(ways: Ways, actor: usize, kinds: std::ops::Range<usize>) -> Steps {
        let name = "what is in hand is a box".to_owned();
        let property = Property { name, kind: PropertyKind::Invariant, span: None };
        Steps { ways, actor, kinds, properties: vec![property], symmetry: Symmetry::default() }
    }

    fn n_cells(&self) -> usize {
        8 + 4 * self.ways.n_nodes as usize
    }

    fn step(&self, kind: usize, s: &mut Codes) -> bool {
        let (pc, mine, me) = (pc(self.actor), mine(self.actor), 1 + self.actor as u64);
        match (kind, s[pc]) {
            (0, 0) => {
                let (new, next) = (self.new_node(s, me), self.new_node(s, me));
                s[field(new, NEXT)] = next;
                (s[mine], s[pc]) = (new, 1);
            }
            (1, 1) => {
                s.swap(TOP, mine);
                self.own(s, s[TOP], 0);
                self.own(s, s[mine], me);
                s[LAST] = me;
                s[pc] = 2;
            }
            (2, 2) => {
                if s[LAST] == me {
                    s[LAST] = 0;
                }
                if matches!(self.ways.free, Free::ByHand | Free::Careless) && s[mine] != 0 {
                    let next = s[field(s[mine], NEXT)];
                    free(s, s[mine]);
                    free(s, next);
                }
                self.let_go(s);
            }
            (3, 0) if self.ways.readers => (s[mine], s[pc]) = (s[TOP], 3),
            (4, 3) => self.let_go(s),
            (5, _) if self.ways.moods => s[mood(self.actor)] = (s[mood(self.actor)] + 1) % 3,
            (6, 2) if self.ways.moods => (0..self.actor).for_each(|other| s[mood(other)] = 3),
            _ => return false,
        }
        true
    }

    /// What steps of a kind look at.
    fn reads(&self, kind: usize) -> Vec<u64> {
        let (pc, mine, mood) = (pc(self.actor), mine(self.actor), mood(self.actor));
        let all = 0..self.n_cells();
        let nodes = all.clone().filter(|cell| *cell >= field(1, 0));
        let mut read: Vec<usize> = match kind {
            0 => nodes.chain([pc]).collect(),
            1 => nodes.chain([pc, mine, TOP]).collect(),
            2 | 4 if self.ways.free == Free::ByHand => nodes.chain([pc, mine, LAST]).collect(),
            2 | 4 => nodes.chain([pc, mine, super::toy::mine(0), LAST, TOP]).collect(),
            3 => vec![pc, TOP],
            5 => vec![mood],
            _ => vec![pc],
        };
        if self.ways.fault {
            read = all.collect();
        }
        let is_read = |cell| if read.contains(&cell) { 31 } else { 0 };
        packed(&(0..self.n_cells()).map(is_read).collect::<Codes>())
    }

    fn new_node(&self, s: &mut Codes, me: u64) -> u64 {
        let is_fresh = |node: &u64| s[field(*node, DATA)] == 0;
        let node = (1..=self.ways.n_nodes).find(is_fresh).expect("there are spare nodes");
        s[field(node, DATA)] = 1;
        s[field(node, OWNER)] = if self.ways.owners { me } else { 0 };
        node
    }

    fn own(&self, s: &mut Codes, node: u64, owner: u64) {
        if node != 0 && self.ways.owners {
            s[field(node, OWNER)] = owner;
            let next = s[field(node, NEXT)];
            s[field(next, OWNER)] = owner;
        }
    }

    fn let_go(&self, s: &mut Codes) {
        (s[mine(self.actor)], s[pc(self.actor)]) = (0, 0);
        if matches!(self.ways.free, Free::Collected | Free::Careless) {
            let mut reached = vec![s[TOP]];
            reached.extend((0..=self.actor).map(|slot| s[mine(slot)]));
            let next = |node: &u64| if *node == 0 { 0 } else { s[field(*node, NEXT)] };
            let behind: Vec<u64> = reached.iter().map(next).collect();
            for node in 1..=self.ways.n_nodes {
                let is_in_use = s[field(node, DATA)] == 1;
                if is_in_use && !reached.contains(&node) && !behind.contains(&node) {
                    free(s, node);
                }
            }
        }
    }
}

/// Makes a node fresh, and says that this is in doubt.
fn free(s: &mut Codes, node: u64) {
    (s[field(node, DATA)], s[field(node, OWNER)], s[field(node, NEXT)]) = (0, 0, 0);
    s[field(node, DOUBT)] = 1;
}

impl TransitionSystem for Steps {
    fn state_bits(&self) -> u32 {
        (self.n_cells() * BITS) as u32
    }

    fn stepper<'a>(&'a self, _: &Limits) -> Box<dyn Stepper + Send + 'a> {
        Box::new(Walker(self))
    }

    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn choice_label(&self, choice: Choice, _: bool) -> ChoiceLabel {
        let name = STEPS[choice.0 as usize].to_owned();
        ChoiceLabel { name, parameters: Vec::new(), span: None }
    }

    fn describe(&self, _: &[u64]) -> Vec<Field> {
        Vec::new()
    }

    fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }
}

struct Walker<'a>(&'a Steps);

impl Stepper for Walker<'_> {
    fn initial(&mut self, out: &mut Successors) -> Result<(), StopReason> {
        out.push(Choice(0), &packed(&vec![0; self.0.n_cells()]));
        Ok(())
    }

    fn expand(&mut self, state: &[u64], out: &mut Successors) -> Result<(), StopReason> {
        let before = unpacked(state, self.0.n_cells());
        for kind in self.0.kinds.clone() {
            let choice = Choice(kind as u64);
            let mut after = before.clone();
            if !self.0.step(kind, &mut after) {
                continue;
            }
            if self.0.ways.omission && kind == 1 {
                out.cut(choice, &Omission::UnknownSteps { why: "so".to_owned() });
                continue;
            }
            out.n_enabled += 1;
            out.push(choice, &packed(&after));
            if self.0.ways.fault && self.0.actor == 1 && kind == 2 && before[pc(0)] == 2 {
                let message = "two let go at once".to_owned();
                let fault = Fault { kind: FaultKind::Assertion, message, span: None };
                out.faults.push((FaultPlace::Step(choice), fault));
            }
        }
        Ok(())
    }

    fn judge(&mut self, state: &[u64], out: &mut Judgement) -> Result<(), StopReason> {
        let s = unpacked(state, self.0.n_cells());
        let is_box = s[mine(0)] == 0 || s[field(s[mine(0)], DATA)] == 1;
        if !is_box || self.0.ways.wrong_property && s[pc(0)] == 2 && s[LAST] == 3 {
            out.violated.push(0);
        }
        Ok(())
    }
}

/// The threads, seen through views of one.
pub(super) struct Toy {
    pub cells: Cells,
    pub n_actors: u32,
    ways: Ways,
    own: Steps,
    beside: Vec<Steps>,
    /// For each kind of steps beside a view, what it looks at.
    pub reads: Vec<Vec<u64>>,
}

impl Toy {
    pub(super) fn new(ways: Ways) -> Toy {
        let beside = (0..STEPS.len()).map(|kind| Steps::new(ways, 1, kind..kind + 1));
        let beside: Vec<Steps> = beside.collect();
        let reads = beside.iter().enumerate().map(|(kind, steps)| steps.reads(kind)).collect();
        let own = Steps::new(ways, 0, 0..STEPS.len());
        Toy { cells: cells(ways.n_nodes), n_actors: 1, ways, own, beside, reads }
    }
}

fn cells(n_nodes: u64) -> Cells {
    let mut cells = Vec::new();
    let mut add = |slots: &[u32], node: Option<u32>, (family, names): (u32, Names)| {
        let first = |kind: Names| (names == kind).then_some(1);
        cells.push(Cell {
            bit: (cells.len() * BITS) as u32,
            bits: BITS as u32,
            slots: slots.to_vec(),
            family,
            first_code: first(Names::Element),
            node,
            first_node_code: first(Names::Node),
        });
    };
    add(&[], None, (0, Names::Node));
    add(&[], None, (1, Names::Element));
    for slot in 0..2 {
        add(&[slot], None, (2, Names::None));
        add(&[slot], None, (3, Names::Node));
    }
    (0..2).for_each(|slot| add(&[slot], None, (8, Names::None)));
    for node in 0..n_nodes as u32 {
        add(&[], Some(node), (4, Names::None));
        add(&[], Some(node), (5, Names::Element));
        add(&[], Some(node), (6, Names::Node));
        add(&[], Some(node), (7, Names::None));
    }
    let doubts = (1..=n_nodes).map(|node| field(node, DOUBT) as u32).collect();
    let fresh = vec![0; cells.len()];
    let memory = Memory { n_nodes: n_nodes as u32, n_spare: 2, fresh, doubts };
    Cells { n_slots: 2, cells, memory: Some(memory) }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    None,
    Element,
    Node,
}

impl ParameterizedSystem for Toy {
    fn parameter(&self) -> &str {
        "thread"
    }

    fn n_visible(&self) -> u32 {
        1
    }

    fn own(&self) -> &dyn TransitionSystem {
        &self.own
    }

    fn n_beside(&self) -> usize {
        self.beside.len()
    }

    fn beside(&self, idx: usize) -> StepsBeside<'_> {
        StepsBeside {
            name: STEPS[idx],
            system: &self.beside[idx],
            n_actors: self.n_actors,
            guarded_by_actors: self.ways.guarded_by_actors,
            reads: &self.reads[idx],
        }
    }

    fn cells(&self) -> &Cells {
        &self.cells
    }

    fn n_smaller(&self) -> usize {
        0
    }

    fn smaller(&self, _: usize) -> &dyn TransitionSystem {
        unreachable!("there are no smaller systems")
    }
}
