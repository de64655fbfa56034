//! Machine code against the reference, on random programs and on hand-made ones.

mod hand_made;

use model::{Judgement, Limits, Successors, TransitionSystem};

use crate::compile;
use crate::random::{fault, random_system};

/// What the programs did, so that a comparison of nothing is noticed.
#[derive(Debug, Default)]
struct Tally {
    n_successors: usize,
    n_faults: [usize; 4],
    n_covered: usize,
}

impl Tally {
    fn add(&mut self, out: &Successors) {
        self.n_successors += out.len();
        self.n_covered += out.covered.len();
        for (_, met) in &out.faults {
            let idx = (0..4).find(|&idx| fault(idx) == *met).expect("there are four faults");
            self.n_faults[idx as usize] += 1;
        }
    }
}

/// Follows both for a few states: same successors, faults, verdicts, valuations.
fn compare(seed: u64, tally: &mut Tally) {
    let system = random_system(seed);
    let compiled = compile(system.program.clone(), &system).expect("the program is valid");
    let limits = Limits::none();
    let (mut slow, mut fast) = (system.stepper(&limits), compiled.stepper(&limits));
    let mut expected = Successors::new(system.state_words());
    let mut actual = Successors::new(system.state_words());
    slow.initial(&mut expected).expect("no limit");
    fast.initial(&mut actual).expect("no limit");
    let mut states = same(seed, &expected, &actual);
    tally.add(&expected);
    let words = system.state_words();
    let noise = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut noisy: Vec<u64> = (1..=words as u64).map(|idx| noise.wrapping_mul(idx * idx)).collect();
    if let Some(last) = noisy.last_mut() {
        *last &= u64::MAX >> (words as u32 * 64 - system.state_bits());
    }
    states.push(noisy);
    let mut n_expanded = 0;
    while let Some(state) = states.pop().filter(|_| n_expanded < 12) {
        n_expanded += 1;
        expected.clear();
        actual.clear();
        slow.expand(&state, &mut expected).expect("no limit");
        fast.expand(&state, &mut actual).expect("no limit");
        states.extend(same(seed, &expected, &actual));
        tally.add(&expected);
        let (mut left, mut right) = (Judgement::default(), Judgement::default());
        slow.judge(&state, &mut left).expect("no limit");
        fast.judge(&state, &mut right).expect("no limit");
        assert_eq!(left.violated, right.violated, "seed {seed}");
        assert_eq!(left.reached, right.reached, "seed {seed}");
        assert_eq!(left.faults, right.faults, "seed {seed}");
        assert_eq!(slow.valuation(&state), fast.valuation(&state), "seed {seed}");
    }
}

fn same(seed: u64, expected: &Successors, actual: &Successors) -> Vec<Vec<u64>> {
    assert_eq!(expected.faults, actual.faults, "seed {seed}");
    assert_eq!(expected.covered, actual.covered, "seed {seed}");
    assert_eq!(expected.n_enabled, actual.n_enabled, "seed {seed}");
    assert_eq!(expected.len(), actual.len(), "seed {seed}");
    for idx in 0..expected.len() {
        assert_eq!(expected.choice(idx), actual.choice(idx), "seed {seed}, successor {idx}");
        assert_eq!(expected.state(idx), actual.state(idx), "seed {seed}, successor {idx}");
    }
    (0..expected.len()).map(|idx| expected.state(idx).to_vec()).collect()
}

#[test]
fn random_programs_behave_as_in_the_reference() {
    let n_programs = std::env::var("THREADPROOF_JIT_PROGRAMS").ok();
    let n_programs = n_programs.and_then(|text| text.parse().ok()).unwrap_or(600);
    let mut tally = Tally::default();
    for seed in 0..n_programs {
        compare(seed, &mut tally);
    }
    assert!(tally.n_successors > 1000 && tally.n_covered > 1000, "{tally:?}");
    assert!(tally.n_faults.iter().all(|&n_faults| n_faults > 20), "{tally:?}");
}
