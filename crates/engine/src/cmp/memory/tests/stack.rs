//! A stack that is shared by any number of threads, as views of one thread show it.

use model::parameterized::{Cell, Cells, Memory, ParameterizedSystem, StepsBeside};
use model::{
    Choice, ChoiceLabel, Field, Judgement, Limits, Property, PropertyKind, Stepper, StopReason,
    Successors, Symmetry, TransitionSystem,
};

/// What the threads do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Features {
    /// They push and pop, and free what they popped.
    pub pushes: bool,
    /// Nodes that one thread alone has say so.
    pub owners: bool,
    /// They look at the top, and keep it for ever.
    pub readers: bool,
    /// They forget nodes and do not free them.
    pub leaks: bool,
    /// They free nodes and do not forget them.
    pub keeps_pointer: bool,
    /// They raise flags and change those of others.
    pub flags: bool,
    /// Nodes on the stack at the most.
    pub max_depth: usize,
    /// Values of nodes: 1 to this.
    pub n_values: u64,
}

impl Features {
    pub(super) const NOTHING: Features = Features {
        pushes: false,
        owners: true,
        readers: false,
        leaks: false,
        keeps_pointer: false,
        flags: false,
        max_depth: 2,
        n_values: 2,
    };
    pub(super) const STACK: Features = Features { pushes: true, ..Features::NOTHING };
}

pub(super) const N_NODES: usize = 8;
const BITS: u32 = 5;
const WORDS: usize = 4;
const RULES: [&str; 8] = ["alloc", "push", "pop", "free", "read", "raise", "reset", "infect"];

/// Elements, as values: slots from 1 on, and the rest.
pub(super) const ME: u64 = 1;
pub(super) const REST: u64 = 3;

/// A state. Nodes are named from 1 on, 0 is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Heap {
    pub top: u64,
    /// Who pushed last.
    pub last: u64,
    pub threads: [Thread; 2],
    pub nodes: [Node; N_NODES],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Thread {
    /// 0: nothing, 1: has a new node, 2: has a node that it popped, 3: reads.
    pub pc: u64,
    pub held: u64,
    /// Who had pushed last when it took the node.
    pub peer: u64,
    pub flag: u64,
    pub was: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Node {
    pub next: u64,
    /// 0 where it is free.
    pub value: u64,
    pub owner: u64,
    pub doubt: u64,
}

impl Heap {
    /// The values in the order of cells: those of nodes by field.
    fn fields(&mut self) -> Vec<&mut u64> {
        let mut all = vec![&mut self.top];
        for Thread { pc, held, peer, flag, was } in &mut self.threads {
            all.extend([pc, held, peer, flag, was]);
        }
        all.push(&mut self.last);
        let mut by_field: [Vec<&mut u64>; 4] = Default::default();
        for Node { next, value, owner, doubt } in &mut self.nodes {
            let fields = [next, value, owner, doubt].into_iter();
            by_field.iter_mut().zip(fields).for_each(|(all, field)| all.push(field));
        }
        all.extend(by_field.into_iter().flatten());
        all
    }

    pub(super) fn pack(&self) -> Vec<u64> {
        let mut words = vec![0; WORDS];
        for (number, field) in self.clone().fields().into_iter().enumerate() {
            for bit in (0..BITS).filter(|bit| *field >> bit & 1 == 1) {
                let at = number as u32 * BITS + bit;
                words[(at / 64) as usize] |= 1 << (at % 64);
            }
        }
        words
    }

    fn unpack(words: &[u64]) -> Heap {
        let mut heap = Heap::default();
        for (number, field) in heap.fields().into_iter().enumerate() {
            let bits = (0..BITS).map(|bit| (bit, number as u32 * BITS + bit));
            *field =
                bits.map(|(bit, at)| (words[(at / 64) as usize] >> (at % 64) & 1) << bit).sum();
        }
        heap
    }

    fn node(&mut self, name: u64) -> &mut Node {
        &mut self.nodes[name as usize - 1]
    }

    /// Nodes on the stack; many where it is a ring.
    fn depth(&self) -> usize {
        let (mut depth, mut name) = (0, self.top);
        while name != 0 && depth < N_NODES {
            (depth, name) = (depth + 1, self.nodes[name as usize - 1].next);
        }
        depth
    }

    /// What a rule makes of the state when the thread in slot `me` acts.
    fn step(&self, rule: usize, me: usize, features: Features) -> Vec<Heap> {
        let thread = self.threads[me];
        match (RULES[rule], thread.pc) {
            ("alloc", 0) if features.pushes => {
                (1..=features.n_values).map(|value| self.alloc(me, value, features)).collect()
            }
            ("push", 1) if self.depth() < features.max_depth => vec![self.push(me)],
            ("pop", 0) if features.pushes && self.top != 0 => vec![self.pop(me, features)],
            ("free", 2) => vec![self.free(me, features)],
            ("read", 0) if features.readers && self.top != 0 => {
                let mut next = self.clone();
                next.threads[me] = Thread { pc: 3, held: self.top, ..thread };
                vec![next]
            }
            _ if features.flags => self.change_flags(rule, me),
            _ => Vec::new(),
        }
    }

    fn alloc(&self, me: usize, value: u64, features: Features) -> Heap {
        let mut next = self.clone();
        let node = self.nodes.iter().position(|node| *node == Node::default());
        let node = node.expect("a node is spare");
        let owner = if features.owners { me as u64 + ME } else { 0 };
        next.nodes[node] = Node { value, owner, ..Node::default() };
        let held = node as u64 + 1;
        next.threads[me] = Thread { pc: 1, held, peer: self.last, ..self.threads[me] };
        next
    }

    fn push(&self, me: usize) -> Heap {
        let mut next = self.clone();
        let held = self.threads[me].held;
        next.node(held).next = self.top;
        next.node(held).owner = 0;
        next.top = held;
        next.last = me as u64 + ME;
        next.threads[me] = Thread { pc: 0, held: 0, peer: 0, ..self.threads[me] };
        next
    }

    fn pop(&self, me: usize, features: Features) -> Heap {
        let mut next = self.clone();
        next.top = next.node(self.top).next;
        next.node(self.top).next = 0;
        next.node(self.top).owner = if features.owners { me as u64 + ME } else { 0 };
        next.threads[me] = Thread { pc: 2, held: self.top, peer: self.last, ..self.threads[me] };
        next
    }

    fn free(&self, me: usize, features: Features) -> Heap {
        let mut next = self.clone();
        let held = self.threads[me].held;
        if features.keeps_pointer {
            *next.node(held) = Node::default();
            return next;
        }
        if !features.leaks {
            *next.node(held) = Node { doubt: 1, ..Node::default() };
        }
        next.threads[me] = Thread { pc: 0, held: 0, peer: 0, ..self.threads[me] };
        next
    }

    fn change_flags(&self, rule: usize, me: usize) -> Vec<Heap> {
        let mut next = self.clone();
        let flag = self.threads[me].flag;
        let other = &mut next.threads[1 - me];
        match RULES[rule] {
            "raise" => {
                let was = self.threads[me].was.max(1);
                next.threads[me] = Thread { flag: 1, was, ..self.threads[me] };
            }
            "reset" if flag == 0 => other.flag = 0,
            "infect" if me == 1 && flag == 1 && other.flag == 0 => other.was = 2,
            _ => return Vec::new(),
        }
        vec![next]
    }
}

/// The steps of one thread: all rules, or one.
struct Steps {
    me: usize,
    rules: Vec<usize>,
    features: Features,
    properties: Vec<Property>,
    symmetry: Symmetry,
}

impl TransitionSystem for Steps {
    fn state_bits(&self) -> u32 {
        WORDS as u32 * 64
    }

    fn stepper<'a>(&'a self, _limits: &Limits) -> Box<dyn Stepper + Send + 'a> {
        Box::new(StackStepper(self))
    }

    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn choice_label(&self, choice: Choice, initial: bool) -> ChoiceLabel {
        let name = if initial { "start" } else { RULES[choice.0 as usize] };
        ChoiceLabel { name: name.to_owned(), parameters: Vec::new(), span: None }
    }

    fn describe(&self, state: &[u64]) -> Vec<Field> {
        let value = format!("{:?}", Heap::unpack(state));
        vec![Field { name: "heap".to_owned(), value }]
    }

    fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }
}

struct StackStepper<'a>(&'a Steps);

impl Stepper for StackStepper<'_> {
    fn initial(&mut self, out: &mut Successors) -> Result<(), StopReason> {
        out.n_enabled += 1;
        out.push(Choice(0), &Heap::default().pack());
        Ok(())
    }

    fn expand(&mut self, state: &[u64], out: &mut Successors) -> Result<(), StopReason> {
        let heap = Heap::unpack(state);
        for rule in &self.0.rules {
            for next in heap.step(*rule, self.0.me, self.0.features) {
                out.n_enabled += 1;
                out.push(Choice(*rule as u64), &next.pack());
            }
        }
        Ok(())
    }

    fn judge(&mut self, state: &[u64], out: &mut Judgement) -> Result<(), StopReason> {
        let heap = Heap::unpack(state);
        let held = heap.threads[0].held;
        if held != 0 && heap.nodes[held as usize - 1].value == 0 {
            out.violated.push(0);
        }
        Ok(())
    }
}

/// The stack, seen through views of one thread.
pub(super) struct Stack {
    own: Steps,
    beside: Vec<Steps>,
    reads: Vec<Vec<u64>>,
    cells: Cells,
}

impl Stack {
    pub(super) fn new(features: Features) -> Stack {
        let steps = |me: usize, rules: Vec<usize>| {
            let name = "held nodes live".to_owned();
            let properties = vec![Property { name, kind: PropertyKind::Invariant, span: None }];
            Steps { me, rules, features, properties, symmetry: Symmetry::default() }
        };
        let cells = cells();
        Stack {
            own: steps(0, (0..RULES.len()).collect()),
            beside: (0..RULES.len()).map(|rule| steps(1, vec![rule])).collect(),
            reads: (0..RULES.len()).map(|rule| reads(&cells, RULES[rule])).collect(),
            cells,
        }
    }
}

/// Families of cells of threads.
const PC: u32 = 1;
const HELD: u32 = 2;
const FLAG: u32 = 7;
const WAS: u32 = 8;

/// What is shared, and what the rule looks at of its actor and of the thread in the view.
fn reads(cells: &Cells, rule: &str) -> Vec<u64> {
    let (of_actor, of_view) = match rule {
        "push" | "free" => (vec![PC, HELD], vec![]),
        "raise" => (vec![WAS], vec![]),
        "reset" => (vec![FLAG], vec![]),
        "infect" => (vec![FLAG], vec![FLAG]),
        _ => (vec![PC], vec![]),
    };
    let mut bits = vec![0; WORDS];
    for cell in &cells.cells {
        let is_read = match cell.slots[..] {
            [0] => of_view.contains(&cell.family),
            [1] => of_actor.contains(&cell.family),
            _ => true,
        };
        let all = (cell.bit..cell.bit + cell.bits).filter(|_| is_read);
        all.for_each(|bit| bits[(bit / 64) as usize] |= 1 << (bit % 64));
    }
    bits
}

fn cells() -> Cells {
    let mut cells = Vec::new();
    let mut add = |family: u32, slots: Vec<u32>, node: Option<u32>| {
        // `top`, `held` and `next` name nodes; `last`, `peer` and `owner` name threads.
        let first_node_code = matches!(family, 0 | 2 | 10).then_some(1);
        let first_code = matches!(family, 6 | 3 | 12).then_some(1);
        let bit = cells.len() as u32 * BITS;
        cells.push(Cell { bit, bits: BITS, slots, family, first_code, node, first_node_code });
    };
    add(0, vec![], None);
    for slot in 0..2 {
        [PC, HELD, 3, FLAG, WAS].into_iter().for_each(|family| add(family, vec![slot], None));
    }
    add(6, vec![], None);
    let nodes = 0..N_NODES as u32;
    (10..14).for_each(|family| nodes.clone().for_each(|node| add(family, vec![], Some(node))));
    let doubts = (cells.len() - N_NODES..cells.len()).map(|cell| cell as u32).collect();
    let n_nodes = N_NODES as u32;
    let memory = Memory { n_nodes, n_spare: 1, fresh: vec![0; cells.len()], doubts };
    Cells { n_slots: 2, cells, memory: Some(memory) }
}

impl ParameterizedSystem for Stack {
    fn parameter(&self) -> &str {
        "Thread"
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
        let is_infect = RULES[idx] == "infect";
        StepsBeside {
            name: RULES[idx],
            system: &self.beside[idx],
            n_actors: 1,
            guarded_by_actors: !is_infect,
            reads: &self.reads[idx],
        }
    }

    fn cells(&self) -> &Cells {
        &self.cells
    }

    fn n_smaller(&self) -> usize {
        0
    }

    fn smaller(&self, _idx: usize) -> &dyn TransitionSystem {
        &self.own
    }
}
