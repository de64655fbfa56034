//! Small systems: random graphs, and peers that symmetry may permute.

use model::symmetry::{CodeSegment, IndexSegment, Placed, Scalarset, ScalarsetId, Shape};
use model::{
    Choice, ChoiceLabel, Fault, FaultKind, FaultPlace, Field, Judgement, Limits, Property,
    PropertyKind, Stepper, StopReason, Successors, Symmetry, TransitionSystem,
};

/// A graph whose node i is a state of two words, and what is wrong where.
pub struct Graph {
    pub edges: Vec<Vec<usize>>,
    pub initial: Vec<usize>,
    pub properties: Vec<Property>,
    /// For each property, the nodes where it is true.
    pub truth: Vec<Vec<bool>>,
    /// Nodes whose expansion is a fault.
    pub faulty: Vec<bool>,
    pub symmetry: Symmetry,
}

/// The SplitMix64 sequence.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound.max(1)
    }
}

pub fn property(name: &str, kind: PropertyKind) -> Property {
    Property { name: name.into(), kind, span: None }
}

pub fn fault() -> Fault {
    Fault { kind: FaultKind::Assertion, message: "assertion is false".into(), span: None }
}

impl Graph {
    /// A graph with `n` nodes, about `degree` edges from each, and no properties.
    pub fn random(random: &mut Random, n: usize, degree: u64) -> Graph {
        let edges = (0..n)
            .map(|_| {
                let n_edges = random.below(2 * degree + 1);
                (0..n_edges).map(|_| random.below(n as u64) as usize).collect()
            })
            .collect();
        let n_initial = 1 + random.below(3);
        let initial = (0..n_initial).map(|_| random.below(n as u64) as usize).collect();
        Graph {
            edges,
            initial,
            properties: Vec::new(),
            truth: Vec::new(),
            faulty: vec![false; n],
            symmetry: Symmetry::default(),
        }
    }

    /// Adds a property that is true where `truth` says.
    pub fn with(mut self, kind: PropertyKind, truth: Vec<bool>) -> Graph {
        self.properties.push(property(&format!("p{}", self.properties.len()), kind));
        self.truth.push(truth);
        self
    }

    pub fn words(&self, node: usize) -> [u64; 2] {
        [(node as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15), node as u64]
    }

    pub fn node(&self, state: &[u64]) -> usize {
        state[1] as usize
    }
}

impl TransitionSystem for Graph {
    fn state_bits(&self) -> u32 {
        96
    }

    fn stepper<'a>(&'a self, _limits: &Limits) -> Box<dyn Stepper + Send + 'a> {
        Box::new(GraphStepper(self))
    }

    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn choice_label(&self, choice: Choice, _initial: bool) -> ChoiceLabel {
        ChoiceLabel { name: format!("edge {}", choice.0), parameters: Vec::new(), span: None }
    }

    fn describe(&self, state: &[u64]) -> Vec<Field> {
        vec![Field { name: "node".into(), value: self.node(state).to_string() }]
    }

    fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }
}

struct GraphStepper<'a>(&'a Graph);

impl Stepper for GraphStepper<'_> {
    fn initial(&mut self, out: &mut Successors) -> Result<(), StopReason> {
        for (idx, &node) in self.0.initial.iter().enumerate() {
            out.push(Choice(idx as u64), &self.0.words(node));
        }
        Ok(())
    }

    fn expand(&mut self, state: &[u64], out: &mut Successors) -> Result<(), StopReason> {
        let node = self.0.node(state);
        for (idx, &next) in self.0.edges[node].iter().enumerate() {
            out.n_enabled += 1;
            out.push(Choice(idx as u64), &self.0.words(next));
        }
        if self.0.faulty[node] {
            out.faults.push((FaultPlace::Step(Choice(3)), fault()));
        }
        Ok(())
    }

    fn judge(&mut self, state: &[u64], out: &mut Judgement) -> Result<(), StopReason> {
        let node = self.0.node(state);
        for (number, property) in self.0.properties.iter().enumerate() {
            match (property.kind, self.0.truth[number][node]) {
                (PropertyKind::Invariant, false) => out.violated.push(number as u32),
                (PropertyKind::Invariant, true) => {}
                (_, true) => out.reached.push(number as u32),
                (_, false) => {}
            }
        }
        Ok(())
    }
}

/// Peers 0..n with a place 0..3 each, and a token that one of them has. Who has
/// the token moves on by one place or gives it to another peer.
pub struct Ring {
    pub n: u32,
    pub properties: Vec<Property>,
    symmetry: Symmetry,
}

impl Ring {
    /// `n` peers, at most 15; the invariant says that not all are in place 3.
    pub fn new(n: u32) -> Ring {
        let id = ScalarsetId(0);
        let array = Shape::Array {
            stride: 4,
            n_elements: n,
            segments: vec![IndexSegment { first: 0, scalarset: id }],
            element: Box::new(Shape::Plain { bits: 4 }),
        };
        let token =
            Shape::Value { bits: 4, segments: vec![CodeSegment { first: 1, scalarset: id }] };
        let symmetry = Symmetry {
            scalarsets: vec![Scalarset { name: "p".into(), n_elements: n, not_symmetric: None }],
            state: vec![Placed { bit: 0, shape: array }, Placed { bit: 4 * n, shape: token }],
        };
        Ring { n, properties: vec![property("not all done", PropertyKind::Invariant)], symmetry }
    }

    fn place(&self, state: &[u64], peer: u32) -> u64 {
        state[0] >> (4 * peer) & 15
    }

    fn holder(&self, state: &[u64]) -> u32 {
        (state[0] >> (4 * self.n) & 15) as u32 - 1
    }
}

impl TransitionSystem for Ring {
    fn state_bits(&self) -> u32 {
        4 * self.n + 4
    }

    fn stepper<'a>(&'a self, _limits: &Limits) -> Box<dyn Stepper + Send + 'a> {
        Box::new(RingStepper(self))
    }

    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn choice_label(&self, choice: Choice, _initial: bool) -> ChoiceLabel {
        ChoiceLabel { name: format!("choice {}", choice.0), parameters: Vec::new(), span: None }
    }

    fn describe(&self, state: &[u64]) -> Vec<Field> {
        vec![Field { name: "state".into(), value: format!("{:x}", state[0]) }]
    }

    fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }
}

struct RingStepper<'a>(&'a Ring);

impl Stepper for RingStepper<'_> {
    fn initial(&mut self, out: &mut Successors) -> Result<(), StopReason> {
        for peer in 0..self.0.n {
            out.push(Choice(u64::from(peer)), &[u64::from(peer + 1) << (4 * self.0.n)]);
        }
        Ok(())
    }

    fn expand(&mut self, state: &[u64], out: &mut Successors) -> Result<(), StopReason> {
        let (ring, holder) = (self.0, self.0.holder(state));
        if ring.place(state, holder) < 3 {
            out.n_enabled += 1;
            out.push(Choice(100), &[state[0] + (1 << (4 * holder))]);
        }
        for peer in (0..ring.n).filter(|&peer| peer != holder) {
            out.n_enabled += 1;
            let places = state[0] & ((1 << (4 * ring.n)) - 1);
            out.push(Choice(u64::from(peer)), &[places | u64::from(peer + 1) << (4 * ring.n)]);
        }
        Ok(())
    }

    fn judge(&mut self, state: &[u64], out: &mut Judgement) -> Result<(), StopReason> {
        let is_asked = !self.0.properties.is_empty();
        if is_asked && (0..self.0.n).all(|peer| self.0.place(state, peer) == 3) {
            out.violated.push(0);
        }
        Ok(())
    }
}
