//! Small systems given as graphs.

use model::{
    Choice, ChoiceLabel, Fault, FaultKind, FaultPlace, Field, Judgement, Limits, Property, Stepper,
    StopReason, Stuck, Successors, Symmetry, TransitionSystem,
};

use super::words::Rng;

/// A graph with a letter at each state. The actor of choice c is c modulo
/// `n_actors`, unless it happens for no reason.
pub struct Graph {
    pub initial: Vec<usize>,
    pub edges: Vec<Vec<(u64, usize)>>,
    pub letters: Vec<u64>,
    pub n_actors: u64,
    /// A choice that happens for no reason.
    pub spurious: Option<u64>,
    /// Bits of a state, to try both ways of packing.
    pub bits: u32,
    /// A state that cannot be expanded.
    pub broken: Option<usize>,
    symmetry: Symmetry,
}

impl Graph {
    pub fn random(rng: &mut Rng) -> Graph {
        let n = 1 + rng.below(9);
        let letters = (0..n).map(|_| u64::from(rng.below(8))).collect();
        let mut edges = Vec::new();
        for _ in 0..n {
            let degree = rng.below(4);
            let edge = |_| (u64::from(rng.below(6)), rng.below(n) as usize);
            edges.push((0..degree).map(edge).collect());
        }
        let initial = (0..1 + rng.below(2)).map(|_| rng.below(n) as usize).collect();
        let n_actors = u64::from(1 + rng.below(3));
        let bits = if rng.below(2) == 0 { 4 } else { 64 };
        Graph {
            initial,
            edges,
            letters,
            n_actors,
            spurious: (rng.below(2) == 0).then(|| u64::from(rng.below(6))),
            bits,
            broken: None,
            symmetry: Symmetry::default(),
        }
    }

    pub fn actor_of(&self, choice: u64) -> Option<u64> {
        (self.spurious != Some(choice)).then_some(choice % self.n_actors)
    }
}

impl TransitionSystem for Graph {
    fn state_bits(&self) -> u32 {
        self.bits
    }

    fn stepper<'a>(&'a self, _limits: &Limits) -> Box<dyn Stepper + Send + 'a> {
        Box::new(Walker(self))
    }

    fn properties(&self) -> &[Property] {
        &[]
    }

    fn n_propositions(&self) -> usize {
        64
    }

    fn choice_label(&self, choice: Choice, _initial: bool) -> ChoiceLabel {
        ChoiceLabel { name: choice.0.to_string(), parameters: Vec::new(), span: None }
    }

    fn actor(&self, choice: Choice) -> Option<u64> {
        self.actor_of(choice.0)
    }

    fn is_spurious(&self, choice: Choice) -> bool {
        self.spurious == Some(choice.0)
    }

    fn describe(&self, _state: &[u64]) -> Vec<Field> {
        Vec::new()
    }

    fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }
}

struct Walker<'a>(&'a Graph);

impl Stepper for Walker<'_> {
    fn initial(&mut self, out: &mut Successors) -> Result<(), StopReason> {
        for (idx, &state) in self.0.initial.iter().enumerate() {
            out.push(Choice(idx as u64), &[state as u64]);
        }
        Ok(())
    }

    fn expand(&mut self, state: &[u64], out: &mut Successors) -> Result<(), StopReason> {
        let at = state[0] as usize;
        if self.0.broken == Some(at) {
            let fault =
                Fault { kind: FaultKind::Range, message: "out of range".to_owned(), span: None };
            out.faults.push((FaultPlace::Step(Choice(0)), fault));
        }
        for &(choice, target) in &self.0.edges[at] {
            out.push(Choice(choice), &[target as u64]);
        }
        Ok(())
    }

    fn judge(&mut self, _state: &[u64], _out: &mut Judgement) -> Result<(), StopReason> {
        Ok(())
    }

    fn valuation(&mut self, state: &[u64]) -> Result<u64, Stuck> {
        Ok(self.0.letters[state[0] as usize])
    }
}
