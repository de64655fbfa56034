//! The product of a system and an automaton: pairs of a state and a location.
//!
//! From (s, q) there is an edge to (s', q') where s steps to s' and the automaton
//! goes from q to q' reading the propositions that hold in s. A state in which
//! nobody has a step goes to itself for ever, as in SPIN; such an edge has no choice.
//! A state all of whose successors are left out has no edge: no run goes on there.

use model::{
    Choice, Fault, FaultPlace, Limits, Omissions, Stepper, StopReason, Stuck, Successors,
    TransitionSystem,
};

use crate::kernel::budget::Pause;
use crate::ltl::automaton::Automaton;
use crate::ltl::store::NotAdded;

/// Why a search ended before it was through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ProductHalt {
    /// A limit was reached.
    Stopped(StopReason),
    /// The system has an error at the state that was looked at.
    Fault(FaultPlace, Fault),
}

impl From<StopReason> for ProductHalt {
    fn from(reason: StopReason) -> ProductHalt {
        ProductHalt::Stopped(reason)
    }
}

impl From<Pause> for ProductHalt {
    fn from(pause: Pause) -> ProductHalt {
        match pause {
            Pause::Stopped(reason) => ProductHalt::Stopped(reason),
            Pause::RoundOver => ProductHalt::Stopped(StopReason::Incomplete {
                why: "the search took more than 2^64 steps".to_owned(),
            }),
        }
    }
}

impl From<NotAdded> for ProductHalt {
    fn from(refused: NotAdded) -> ProductHalt {
        let why = "the search met more states than 32 bits can number".to_owned();
        ProductHalt::Stopped(match refused {
            NotAdded::TooMany => StopReason::Incomplete { why },
            NotAdded::MemoryLimit => StopReason::MemoryLimit,
        })
    }
}

/// How a state and a location share words.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProductLayout {
    state_words: usize,
    /// Words of a packed pair.
    pub words: usize,
    /// Where in the last word the location stands.
    shift: u32,
}

impl ProductLayout {
    /// The location goes into the free bits of the last word, or else into a word
    /// of its own.
    pub fn new(system: &dyn TransitionSystem, automaton: &Automaton) -> ProductLayout {
        let state_words = system.state_words();
        let n_bits = usize::BITS - automaton.states.len().leading_zeros();
        let used = system.state_bits() % 64;
        if used != 0 && 64 - used >= n_bits {
            return ProductLayout { state_words, words: state_words, shift: used };
        }
        ProductLayout { state_words, words: state_words + 1, shift: 0 }
    }

    /// The location of a packed pair.
    pub fn location(&self, pair: &[u64]) -> usize {
        (pair[self.words - 1] >> self.shift) as usize
    }

    /// The state of a packed pair.
    pub fn unpack(&self, pair: &[u64], state: &mut Vec<u64>) {
        state.clear();
        state.extend_from_slice(&pair[..self.state_words]);
        if self.words == self.state_words {
            state[self.words - 1] &= (1 << self.shift) - 1;
        }
    }

    fn pack(&self, state: &[u64], location: u32, out: &mut Vec<u64>) {
        out.extend_from_slice(state);
        match self.words == self.state_words {
            true => *out.last_mut().expect("a word") |= u64::from(location) << self.shift,
            false => out.push(u64::from(location)),
        }
    }
}

/// Edges of the product, used over and over.
#[derive(Debug)]
pub(super) struct Edges {
    words: usize,
    targets: Vec<u64>,
    choices: Vec<Option<Choice>>,
    /// Steps that the system has and that lead nowhere.
    hidden: Vec<Choice>,
}

impl Edges {
    /// An empty buffer.
    pub fn new(words: usize) -> Edges {
        Edges { words, targets: Vec::new(), choices: Vec::new(), hidden: Vec::new() }
    }

    /// Number of edges.
    pub fn len(&self) -> usize {
        self.choices.len()
    }

    /// Where edge `idx` leads.
    pub fn target(&self, idx: usize) -> &[u64] {
        &self.targets[idx * self.words..(idx + 1) * self.words]
    }

    /// How it comes about; `None` when the run has ended.
    pub fn choice(&self, idx: usize) -> Option<Choice> {
        self.choices[idx]
    }

    /// All edges.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Option<Choice>, &[u64])> {
        (0..self.len()).map(|idx| (self.choice(idx), self.target(idx)))
    }

    /// All steps of the system's state, those included that lead nowhere.
    pub fn steps(&self) -> impl Iterator<Item = Choice> {
        self.choices.iter().flatten().chain(&self.hidden).copied()
    }

    fn clear(&mut self) {
        self.targets.clear();
        self.choices.clear();
        self.hidden.clear();
    }
}

/// Computes edges of the product; one per thread of a search.
pub(super) struct Product<'a> {
    pub layout: ProductLayout,
    pub system: &'a dyn TransitionSystem,
    automaton: &'a Automaton,
    stepper: Box<dyn Stepper + Send + 'a>,
    successors: Successors,
    state: Vec<u64>,
    locations: Vec<u32>,
}

impl<'a> Product<'a> {
    /// The product of `system` and `automaton`, which is not empty.
    pub fn new(
        system: &'a dyn TransitionSystem,
        automaton: &'a Automaton,
        limits: &Limits,
    ) -> Product<'a> {
        Product {
            layout: ProductLayout::new(system, automaton),
            system,
            automaton,
            stepper: system.stepper(limits),
            successors: Successors::new(system.state_words()),
            state: Vec::new(),
            locations: Vec::new(),
        }
    }

    /// An empty buffer for its edges.
    pub fn edges(&self) -> Edges {
        Edges::new(self.layout.words)
    }

    /// What the system left out so far.
    pub fn take_omissions(&mut self) -> Omissions {
        self.successors.take_omissions()
    }

    /// Is the location of `pair` accepting?
    pub fn accepts(&self, pair: &[u64]) -> bool {
        self.automaton.states[self.layout.location(pair)].is_accepting
    }

    /// The initial pairs, as if they were targets of edges.
    pub fn initial(&mut self, out: &mut Edges) -> Result<(), ProductHalt> {
        out.clear();
        self.successors.clear();
        self.stepper.initial(&mut self.successors)?;
        self.first_fault()?;
        for idx in 0..self.successors.len() {
            self.layout.pack(self.successors.state(idx), 0, &mut out.targets);
            out.choices.push(Some(self.successors.choice(idx)));
        }
        Ok(())
    }

    /// The edges of `pair`. Where the automaton cannot go on there is none, and the
    /// system is not asked.
    pub fn expand(&mut self, pair: &[u64], out: &mut Edges) -> Result<(), ProductHalt> {
        out.clear();
        self.layout.unpack(pair, &mut self.state);
        let letter = self.stepper.valuation(&self.state).map_err(|stuck| match stuck {
            Stuck::Fault(fault) => ProductHalt::Fault(FaultPlace::Proposition, fault),
            Stuck::Stopped(reason) => ProductHalt::Stopped(reason),
        })?;
        self.read(self.layout.location(pair), letter);
        if self.locations.is_empty() {
            return Ok(());
        }
        self.successors.clear();
        self.stepper.expand(&self.state, &mut self.successors)?;
        self.first_fault()?;
        for idx in 0..self.successors.len() {
            for &location in &self.locations {
                self.layout.pack(self.successors.state(idx), location, &mut out.targets);
                out.choices.push(Some(self.successors.choice(idx)));
            }
        }
        out.hidden.extend_from_slice(self.successors.hidden());
        if self.successors.is_end() {
            for &location in &self.locations {
                self.layout.pack(&self.state, location, &mut out.targets);
                out.choices.push(None);
            }
        }
        Ok(())
    }

    /// The locations after `letter` in `location`.
    fn read(&mut self, location: usize, letter: u64) {
        self.locations.clear();
        for arc in &self.automaton.states[location].arcs {
            if arc.guard.admits(letter) && !self.locations.contains(&arc.target) {
                self.locations.push(arc.target);
            }
        }
    }

    fn first_fault(&mut self) -> Result<(), ProductHalt> {
        if self.successors.faults.is_empty() {
            return Ok(());
        }
        let (place, fault) = self.successors.faults.swap_remove(0);
        Err(ProductHalt::Fault(place, fault))
    }
}
