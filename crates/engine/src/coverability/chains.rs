//! Follows single tokens through a trace, to find stretches of it that belong
//! together: all that one thread does.
//!
//! Tokens of a counter are alike, so who is who is a choice; here the token that
//! came last leaves first. A token that a step takes goes on in what the step
//! adds; one that it adds beyond that is born.
//!
//! A token's *chain* is the steps that it takes part in, those of tokens born in
//! these steps included: what the trace does without them is a run that lacks this
//! token.
//!
//! Tokens that have done the same so far are kept as one group with a count, and a
//! group is split when only some of it take part in a step. So there are at most as
//! many groups as there are counters at the start and effects in the steps, whether
//! the trace has three tokens or billions.

use model::{CounterId, CounterTrace};

use super::rules::{Effect, Rule, Rules};

/// Who does what in a trace.
pub struct Chains {
    groups: Vec<Group>,
    /// Per step, the families that are born in it.
    born_at: Vec<Vec<u32>>,
    /// Per family, the steps that its tokens take part in, perhaps repeated.
    steps_of_family: Vec<Vec<usize>>,
}

/// Tokens that have done the same so far.
struct Group {
    /// Numbers of its tokens, which are given in the order of creation.
    first: u64,
    count: u64,
    /// The group that it was split from, and how many of that one's steps it shares.
    split_from: Option<(usize, usize)>,
    /// Steps since then.
    steps: Vec<usize>,
    /// Tokens created together, at the start or in a step, and all that were split
    /// from them, are a family.
    family: u32,
}

impl Chains {
    /// Follows the tokens of `trace`.
    pub fn of(trace: &CounterTrace, rules: &Rules) -> Chains {
        let chains =
            Chains { groups: Vec::new(), born_at: Vec::new(), steps_of_family: Vec::new() };
        let on = vec![Vec::new(); rules.n_counters as usize];
        let mut tokens = Tokens { on, chains, n_tokens: 0 };
        for (counter, count) in &trace.initial.counts {
            let count = u64::from(count.as_finite().unwrap_or(0));
            tokens.create(counter.0, count);
        }
        for (step_idx, step) in trace.steps.iter().enumerate() {
            tokens.fire(step_idx, &rules.rules[step.transition.idx()], &step.choices);
        }
        tokens.chains
    }

    /// The groups whose tokens take part in a step, those with the newest tokens last.
    pub fn active_groups(&self) -> Vec<usize> {
        let takes_part = |idx: &usize| {
            let group = &self.groups[*idx];
            !group.steps.is_empty() || group.split_from.is_some_and(|(_, shared)| shared > 0)
        };
        let mut active: Vec<usize> = (0..self.groups.len()).filter(takes_part).collect();
        active.sort_by_key(|idx| self.groups[*idx].first);
        active
    }

    /// The chain of each token of a group, as marks on the steps of the trace.
    pub fn chain(&self, group: usize) -> Vec<bool> {
        let mut is_in = vec![false; self.born_at.len()];
        let mut pending = self.own_steps(group);
        while let Some(step) = pending.pop() {
            if std::mem::replace(&mut is_in[step], true) {
                continue;
            }
            for family in &self.born_at[step] {
                pending.extend(&self.steps_of_family[*family as usize]);
            }
        }
        is_in
    }

    /// The steps that each token of a group takes part in.
    fn own_steps(&self, group: usize) -> Vec<usize> {
        let mut own = self.groups[group].steps.clone();
        let mut at = &self.groups[group];
        while let Some((parent, n_shared)) = at.split_from {
            at = &self.groups[parent];
            own.extend_from_slice(&at.steps[..n_shared]);
        }
        own
    }

    /// Takes `count` tokens from the end of `stack`, newest first.
    fn newest(&mut self, stack: &mut Vec<usize>, count: u64, taken: &mut Vec<usize>) {
        let mut left = count;
        while left > 0 {
            let Some(group) = stack.pop() else { return };
            let size = self.groups[group].count;
            if size > left {
                stack.push(group);
                taken.push(self.split(group, left));
                return;
            }
            left -= size;
            taken.push(group);
        }
    }

    /// Splits off the `count` newest tokens of a group.
    fn split(&mut self, group: usize, count: u64) -> usize {
        let whole = &mut self.groups[group];
        debug_assert!(0 < count && count < whole.count, "both parts have tokens");
        whole.count -= count;
        let part = Group {
            first: whole.first + whole.count,
            count,
            split_from: Some((group, whole.steps.len())),
            steps: Vec::new(),
            family: whole.family,
        };
        self.groups.push(part);
        self.groups.len() - 1
    }

    fn take_part(&mut self, group: usize, step: usize) {
        let family = self.groups[group].family;
        self.groups[group].steps.push(step);
        self.steps_of_family[family as usize].push(step);
    }
}

/// The tokens while the trace is followed.
struct Tokens {
    /// Per counter, the groups on it, as a stack.
    on: Vec<Vec<usize>>,
    chains: Chains,
    n_tokens: u64,
}

impl Tokens {
    /// Puts `count` new tokens on a counter.
    fn create(&mut self, counter: u32, count: u64) -> Option<usize> {
        if count == 0 {
            return None;
        }
        let family = self.chains.steps_of_family.len() as u32;
        self.chains.steps_of_family.push(Vec::new());
        let (first, split_from, steps) = (self.n_tokens, None, Vec::new());
        self.chains.groups.push(Group { first, count, split_from, steps, family });
        self.n_tokens += count;
        let group = self.chains.groups.len() - 1;
        self.on[counter as usize].push(group);
        Some(group)
    }

    /// Fires a rule; the tokens that it takes or adds take part in the step.
    fn fire(&mut self, step: usize, rule: &Rule, choices: &[(CounterId, CounterId, u32)]) {
        let mut taken: Vec<usize> = Vec::new();
        self.take(&rule.effects, &mut taken);
        self.relocate(rule, choices);
        self.take(&rule.moved, &mut taken);
        taken.iter().for_each(|group| self.chains.take_part(*group, step));
        let mut born = Vec::new();
        for effect in rule.effects.iter().chain(&rule.moved).filter(|effect| effect.delta > 0) {
            let left = self.put_back(&mut taken, effect);
            if let Some(group) = self.create(effect.counter, left) {
                self.chains.take_part(group, step);
                born.push(self.chains.groups[group].family);
            }
        }
        self.chains.born_at.push(born);
    }

    /// Takes what the effects take.
    fn take(&mut self, effects: &[Effect], taken: &mut Vec<usize>) {
        for effect in effects.iter().filter(|effect| effect.delta < 0) {
            let (here, count) =
                (&mut self.on[effect.counter as usize], effect.delta.unsigned_abs());
            self.chains.newest(here, count, taken);
        }
    }

    /// Puts tokens that were taken where the effect adds some, those taken last first;
    /// tells how many are lacking.
    fn put_back(&mut self, taken: &mut Vec<usize>, effect: &Effect) -> u64 {
        let mut left = effect.delta.unsigned_abs();
        while left > 0 {
            let Some(group) = taken.pop() else { return left };
            let size = self.chains.groups[group].count;
            if size > left {
                // What stays in the hand is the newer part.
                taken.push(self.chains.split(group, size - left));
            }
            left = left.saturating_sub(size);
            self.on[effect.counter as usize].push(group);
        }
        0
    }

    /// Does what the moves of a rule do.
    fn relocate(&mut self, rule: &Rule, choices: &[(CounterId, CounterId, u32)]) {
        let emptied: Vec<Vec<usize>> = rule
            .moves
            .iter()
            .map(|(from, _)| std::mem::take(&mut self.on[*from as usize]))
            .collect();
        for ((from, to), mut groups) in rule.moves.iter().zip(emptied) {
            for (_, chosen, amount) in choices.iter().filter(|(source, _, _)| source.0 == *from) {
                let destination = &mut self.on[chosen.idx()];
                self.chains.newest(&mut groups, u64::from(*amount), destination);
            }
            if let [only] = to[..] {
                self.on[only as usize].append(&mut groups);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use model::{
        Configuration, ControlId, Count, CounterId, CounterStep, CounterSystem, CounterTrace,
        CounterTransition, TransitionId,
    };

    use super::Chains;
    use crate::coverability::rules::Rules;

    type Delta<'a> = &'a [(u32, i64)];

    fn system(deltas: &[Delta<'_>]) -> CounterSystem {
        let control = ControlId(0);
        let transition = |delta: &Delta<'_>| CounterTransition {
            name: String::new(),
            span: None,
            from: control,
            to: control,
            guard: Vec::new(),
            moves: Vec::new(),
            delta: delta.iter().map(|(counter, n)| (CounterId(*counter), *n)).collect(),
        };
        CounterSystem {
            control_names: vec![String::new()],
            counter_names: vec![String::new(); 4],
            transitions: deltas.iter().map(transition).collect(),
            initial: Vec::new(),
            targets: Vec::new(),
            hints: Vec::new(),
        }
    }

    /// The run of a schedule; only where it starts and what fires is looked at.
    fn trace(initial: &[(u32, u32)], schedule: &[u32]) -> CounterTrace {
        let counts = initial
            .iter()
            .map(|(counter, n)| (CounterId(*counter), Count::finite(*n).expect("a number")));
        let initial = Configuration { control: ControlId(0), counts: counts.collect() };
        let step = |id: &u32| CounterStep {
            transition: TransitionId(*id),
            choices: Vec::new(),
            after: initial.clone(),
        };
        let steps = schedule.iter().map(step).collect();
        CounterTrace { initial, steps, target: 0 }
    }

    fn chains(deltas: &[Delta<'_>], initial: &[(u32, u32)], schedule: &[u32]) -> Chains {
        Chains::of(&trace(initial, schedule), &Rules::new(&system(deltas)))
    }

    /// All chains, as sets of steps.
    fn sets(chains: &Chains) -> BTreeSet<Vec<usize>> {
        let set = |group: usize| {
            let is_in = chains.chain(group);
            (0..is_in.len()).filter(|step| is_in[*step]).collect()
        };
        chains.active_groups().into_iter().map(set).collect()
    }

    /// The same with a list of steps for each token.
    fn naive(
        deltas: &[Delta<'_>],
        initial: &[(u32, u32)],
        schedule: &[u32],
    ) -> BTreeSet<Vec<usize>> {
        let mut on: Vec<Vec<usize>> = vec![Vec::new(); 4];
        let mut steps_of: Vec<BTreeSet<usize>> = Vec::new();
        let mut births = Vec::new();
        for (counter, n) in initial {
            for _ in 0..*n {
                on[*counter as usize].push(steps_of.len());
                steps_of.push(BTreeSet::new());
            }
        }
        for (step, rule) in schedule.iter().enumerate() {
            let mut taken = Vec::new();
            for (counter, delta) in deltas[*rule as usize] {
                (*delta..0).for_each(|_| taken.extend(on[*counter as usize].pop()));
            }
            taken.iter().for_each(|token: &usize| _ = steps_of[*token].insert(step));
            for (counter, delta) in deltas[*rule as usize] {
                for _ in 0..*delta {
                    let token = taken.pop().unwrap_or_else(|| {
                        births.push((step, steps_of.len()));
                        steps_of.push(BTreeSet::from([step]));
                        steps_of.len() - 1
                    });
                    on[*counter as usize].push(token);
                }
            }
        }
        for (step, child) in births.into_iter().rev() {
            let inherited = steps_of[child].clone();
            for steps in steps_of.iter_mut().filter(|steps| steps.contains(&step)) {
                steps.extend(&inherited);
            }
        }
        let sets = steps_of.into_iter().map(|steps| steps.into_iter().collect());
        sets.filter(|set: &Vec<usize>| !set.is_empty()).collect()
    }

    #[test]
    fn groups_have_the_chains_of_their_tokens() {
        let deltas: &[Delta<'_>] = &[
            &[(0, -1), (1, 1)],
            &[(0, -2), (2, 1)],
            &[(1, -1), (2, 3)],
            &[(2, -2), (0, 1), (1, 2)],
            &[(3, 2)],
            &[(1, -1), (3, -1)],
        ];
        let initial = [(0, 3), (1, 2), (2, 2), (3, 1)];
        for code in 0..6u32.pow(5) {
            let schedule: Vec<u32> = (0..5).map(|place| code / 6u32.pow(place) % 6).collect();
            let mut counts = [3i64, 2, 2, 1];
            let is_run = schedule.iter().all(|rule| {
                let delta = deltas[*rule as usize];
                delta.iter().for_each(|(counter, n)| counts[*counter as usize] += n);
                counts.iter().all(|count| *count >= 0)
            });
            if is_run {
                let found = sets(&chains(deltas, &initial, &schedule));
                assert_eq!(found, naive(deltas, &initial, &schedule), "{schedule:?}");
            }
        }
    }

    #[test]
    fn many_tokens_are_few_groups() {
        let birth = chains(&[&[(0, -1), (1, 1_000_000)]], &[(0, 1)], &[0]);
        assert_eq!(sets(&birth), BTreeSet::from([vec![0]]));
        assert_eq!(birth.groups.len(), 2);
        let start = chains(&[&[(0, -1), (1, 1)]], &[(0, u32::MAX - 1)], &[0, 0]);
        assert_eq!(sets(&start), BTreeSet::from([vec![0], vec![1]]));
        assert_eq!(start.groups.len(), 3);
        // Four children each, twenty generations.
        let doubling: Vec<Vec<(u32, i64)>> = vec![vec![(0, -1), (1, 4)], vec![(0, 4), (1, -1)]];
        let deltas: Vec<Delta<'_>> = doubling.iter().map(Vec::as_slice).collect();
        let schedule: Vec<u32> = (0..20).map(|step| step % 2).collect();
        assert!(chains(&deltas, &[(0, 1)], &schedule).groups.len() < 100);
    }
}
