//! Follows single tokens through a trace, to find stretches of it that belong
//! together: all that one thread does.
//!
//! Tokens of a counter are alike, so who is who is a choice; here the token that
//! came last leaves first. A token that a step takes goes on in what the step
//! adds; one that it adds beyond that is born.

use model::{CounterId, CounterTrace};

use super::rules::{Effect, Rule, Rules};

/// For each token, the steps that it takes part in, those of tokens born in these
/// steps included. Sorted, without doubles; tokens that do nothing have none.
pub fn chains(trace: &CounterTrace, rules: &Rules) -> Vec<Vec<usize>> {
    let mut tokens = Tokens { on: vec![Vec::new(); rules.n_counters as usize], n_tokens: 0 };
    for (counter, count) in &trace.initial.counts {
        for _ in 0..count.as_finite().unwrap_or(0) {
            tokens.create(counter.0);
        }
    }
    let mut steps_of: Vec<Vec<usize>> = Vec::new();
    let mut born_at: Vec<(usize, u32)> = Vec::new();
    for (idx, step) in trace.steps.iter().enumerate() {
        let first_new = tokens.n_tokens;
        let involved = tokens.fire(&rules.rules[step.transition.idx()], &step.choices);
        steps_of.resize(tokens.n_tokens as usize, Vec::new());
        involved.iter().for_each(|token| steps_of[*token as usize].push(idx));
        born_at.extend((first_new..tokens.n_tokens).map(|token| (idx, token)));
    }
    // Later births first, so that what is added is complete already.
    for (step, child) in born_at.into_iter().rev() {
        let inherited = steps_of[child as usize].clone();
        for (token, steps) in steps_of.iter_mut().enumerate() {
            if token as u32 != child && steps.contains(&step) {
                steps.extend_from_slice(&inherited);
            }
        }
    }
    for steps in &mut steps_of {
        steps.sort_unstable();
        steps.dedup();
    }
    steps_of
}

struct Tokens {
    /// Per counter, who is on it.
    on: Vec<Vec<u32>>,
    n_tokens: u32,
}

impl Tokens {
    fn create(&mut self, counter: u32) -> u32 {
        self.on[counter as usize].push(self.n_tokens);
        self.n_tokens += 1;
        self.n_tokens - 1
    }

    /// Fires a rule; tells which tokens were taken or added.
    fn fire(&mut self, rule: &Rule, choices: &[(CounterId, CounterId, u32)]) -> Vec<u32> {
        let mut taken: Vec<u32> = Vec::new();
        self.take(&rule.effects, &mut taken);
        self.relocate(rule, choices);
        self.take(&rule.moved, &mut taken);
        let mut involved = taken.clone();
        for effect in rule.effects.iter().chain(&rule.moved).filter(|effect| effect.delta > 0) {
            for _ in 0..effect.delta {
                match taken.pop() {
                    Some(token) => self.on[effect.counter as usize].push(token),
                    None => involved.push(self.create(effect.counter)),
                }
            }
        }
        involved
    }

    fn take(&mut self, effects: &[Effect], taken: &mut Vec<u32>) {
        for effect in effects.iter().filter(|effect| effect.delta < 0) {
            for _ in 0..effect.delta.unsigned_abs() {
                taken.extend(self.on[effect.counter as usize].pop());
            }
        }
    }

    fn relocate(&mut self, rule: &Rule, choices: &[(CounterId, CounterId, u32)]) {
        let emptied: Vec<Vec<u32>> = rule
            .moves
            .iter()
            .map(|(from, _)| std::mem::take(&mut self.on[*from as usize]))
            .collect();
        for ((from, to), mut tokens) in rule.moves.iter().zip(emptied) {
            for (_, chosen, amount) in choices.iter().filter(|(source, _, _)| source.0 == *from) {
                for _ in 0..*amount {
                    self.on[chosen.idx()].extend(tokens.pop());
                }
            }
            if let [only] = to[..] {
                self.on[only as usize].append(&mut tokens);
            }
        }
    }
}
