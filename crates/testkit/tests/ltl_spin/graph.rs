//! Small systems given as graphs, whose edges belong to processes.

use std::fmt::Write as _;

use model::{
    Choice, ChoiceLabel, Field, Judgement, Limits, Property, Stepper, StopReason, Stuck,
    Successors, Symmetry, TransitionSystem,
};
use testkit::rng::Rng;

/// Propositions that formulas speak of.
pub const N_PROPOSITIONS: u32 = 3;

/// A graph with a valuation at each state; it starts in state 0.
pub struct Graph {
    /// For each state, processes with where they go.
    pub edges: Vec<Vec<(u32, usize)>>,
    /// For each state, the propositions that hold.
    pub letters: Vec<u64>,
    /// Number of processes.
    pub n_processes: u32,
    symmetry: Symmetry,
}

impl Graph {
    /// A graph of at most eight states and three processes.
    pub fn random(rng: &mut Rng) -> Graph {
        let n = rng.between(2, 8);
        let n_processes = rng.between(1, 3);
        let letters = (0..n).map(|_| u64::from(rng.below(1 << N_PROPOSITIONS))).collect();
        let may_end = rng.chance(30);
        let edges = (0..n).map(|_| {
            let degree = if may_end && rng.chance(30) { 0 } else { rng.between(1, 3) };
            (0..degree).map(|_| (rng.below(n_processes), rng.below(n) as usize)).collect()
        });
        let edges = edges.collect();
        Graph { edges, letters, n_processes, symmetry: Symmetry::default() }
    }

    /// Is there a state without successors?
    pub fn can_end(&self) -> bool {
        self.edges.iter().any(Vec::is_empty)
    }

    /// A graph with one run: the letters in turn, those from `loop_start` on for ever.
    pub fn of_word(letters: Vec<u64>, loop_start: usize) -> Graph {
        let n = letters.len();
        let next = |pos: usize| if pos + 1 < n { pos + 1 } else { loop_start };
        let edges = (0..n).map(|pos| vec![(0, next(pos))]).collect();
        Graph { edges, letters, n_processes: 1, symmetry: Symmetry::default() }
    }

    /// The same in SPIN's language. The state is one variable, so that states are
    /// the same ones; each step is one step of the verifier.
    pub fn promela(&self) -> String {
        let mut text = String::from("byte s = 0;\n");
        for proposition in 0..N_PROPOSITIONS {
            let states =
                (0..self.letters.len()).filter(|&s| self.letters[s] >> proposition & 1 == 1);
            let states: Vec<String> = states.map(|state| format!("s == {state}")).collect();
            let condition =
                if states.is_empty() { "false".to_owned() } else { states.join(" || ") };
            let _ = writeln!(text, "#define p{proposition} ({condition})");
        }
        for process in 0..self.n_processes {
            let _ = writeln!(text, "active proctype a{process}() {{ end: do");
            let mut n_steps = 0;
            for (state, edges) in self.edges.iter().enumerate() {
                for (_, target) in edges.iter().filter(|edge| edge.0 == process) {
                    let _ = writeln!(text, ":: d_step {{ s == {state} -> s = {target} }}");
                    n_steps += 1;
                }
            }
            if n_steps == 0 {
                text.push_str(":: false -> skip\n");
            }
            text.push_str("od }\n");
        }
        text
    }
}

impl TransitionSystem for Graph {
    fn state_bits(&self) -> u32 {
        8
    }

    fn stepper<'a>(&'a self, _limits: &Limits) -> Box<dyn Stepper + Send + 'a> {
        Box::new(Walker(self))
    }

    fn properties(&self) -> &[Property] {
        &[]
    }

    fn n_propositions(&self) -> usize {
        N_PROPOSITIONS as usize
    }

    fn choice_label(&self, choice: Choice, _initial: bool) -> ChoiceLabel {
        ChoiceLabel { name: format!("a{}", choice.0), parameters: Vec::new(), span: None }
    }

    fn describe(&self, state: &[u64]) -> Vec<Field> {
        vec![Field { name: "s".to_owned(), value: state[0].to_string() }]
    }

    fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }
}

struct Walker<'a>(&'a Graph);

impl Stepper for Walker<'_> {
    fn initial(&mut self, out: &mut Successors) -> Result<(), StopReason> {
        out.push(Choice(0), &[0]);
        Ok(())
    }

    fn expand(&mut self, state: &[u64], out: &mut Successors) -> Result<(), StopReason> {
        for &(process, target) in &self.0.edges[state[0] as usize] {
            out.push(Choice(u64::from(process)), &[target as u64]);
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
