//! Random formulas and ultimately periodic words, and what formulas mean on them.

use model::Formula;

use crate::ltl::automaton::Automaton;
use crate::ltl::components::components;

/// SplitMix64.
pub struct Rng(pub u64);

impl Rng {
    pub fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % u64::from(bound)) as u32
    }
}

/// Letters, of which those from `loop_start` on are repeated for ever.
#[derive(Debug)]
pub struct Word {
    pub letters: Vec<u64>,
    pub loop_start: usize,
}

impl Word {
    pub fn random(rng: &mut Rng, n_propositions: u32) -> Word {
        let len = 1 + rng.below(7);
        let letters = (0..len).map(|_| u64::from(rng.below(1 << n_propositions))).collect();
        Word { letters, loop_start: rng.below(len) as usize }
    }

    fn next(&self, pos: usize) -> usize {
        if pos + 1 < self.letters.len() { pos + 1 } else { self.loop_start }
    }
}

/// A formula with about `size` operators.
pub fn random_formula(rng: &mut Rng, size: u32, n_propositions: u32) -> Formula {
    if size == 0 {
        return match rng.below(12) {
            0 => Formula::True,
            1 => Formula::False,
            _ => Formula::Proposition(rng.below(n_propositions)),
        };
    }
    let left = rng.below(size);
    let mut part = |size| Box::new(random_formula(rng, size, n_propositions));
    let (a, b, whole) = (part(left), part(size - 1 - left), part(size - 1));
    match rng.below(12) {
        0 | 1 => Formula::Not(whole),
        2 => Formula::Next(whole),
        3 => Formula::Until(Box::new(Formula::True), whole),
        4 => Formula::Release(Box::new(Formula::False), whole),
        5 | 6 => Formula::And(a, b),
        7 | 8 => Formula::Or(a, b),
        9 | 10 => Formula::Until(a, b),
        _ => Formula::Release(a, b),
    }
}

/// Does the word satisfy the formula?
pub fn holds(formula: &Formula, word: &Word) -> bool {
    values(formula, word)[0]
}

/// The value of the formula at each position: fixpoints, from the definition.
fn values(formula: &Formula, word: &Word) -> Vec<bool> {
    let n = word.letters.len();
    let each = |f: &dyn Fn(usize) -> bool| (0..n).map(f).collect::<Vec<bool>>();
    match formula {
        Formula::True => vec![true; n],
        Formula::False => vec![false; n],
        Formula::Proposition(idx) => each(&|pos| word.letters[pos] >> idx & 1 == 1),
        Formula::Not(inner) => values(inner, word).iter().map(|value| !value).collect(),
        Formula::Next(inner) => {
            let inner = values(inner, word);
            each(&|pos| inner[word.next(pos)])
        }
        Formula::And(a, b) => {
            let (a, b) = (values(a, word), values(b, word));
            each(&|pos| a[pos] && b[pos])
        }
        Formula::Or(a, b) => {
            let (a, b) = (values(a, word), values(b, word));
            each(&|pos| a[pos] || b[pos])
        }
        Formula::Until(a, b) | Formula::Release(a, b) => {
            let is_until = matches!(formula, Formula::Until(..));
            let (a, b) = (values(a, word), values(b, word));
            let mut value = vec![!is_until; n];
            for _ in 0..=n {
                value = each(&|pos| match is_until {
                    true => b[pos] || (a[pos] && value[word.next(pos)]),
                    false => b[pos] && (a[pos] || value[word.next(pos)]),
                });
            }
            value
        }
    }
}

/// Does the automaton accept the word?
pub fn accepts(automaton: &Automaton, word: &Word) -> bool {
    let n = word.letters.len();
    let number = |state: usize, pos: usize| (state * n + pos) as u32;
    let mut edges = Vec::new();
    for state in &automaton.states {
        for pos in 0..n {
            let arcs = state.arcs.iter().filter(|arc| arc.guard.admits(word.letters[pos]));
            edges.push(arcs.map(|arc| number(arc.target as usize, word.next(pos))).collect());
        }
    }
    let mut reached = vec![false; edges.len()];
    let mut open = if edges.is_empty() { Vec::new() } else { vec![0u32] };
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut reached[node as usize], true) {
            open.extend(&edges[node as usize]);
        }
    }
    let found = components(&edges);
    found.members.iter().enumerate().any(|(component, members)| {
        found.is_cyclic[component]
            && reached[members[0] as usize]
            && members.iter().any(|&node| automaton.states[node as usize / n].is_accepting)
    })
}
