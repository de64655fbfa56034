//! Transitions compiled for search: what each needs, what it changes, and which
//! ones can matter to a given configuration.
//!
//! `fire.rs` goes forward over configurations with `*`, `precede.rs` backward
//! over zones. Both have a fast path for plain transitions (no transfer, no
//! reset, no upper bound), which is one merge of two sorted lists. `source.rs` is how forward
//! searches get at rules, so that these need not all exist before a search starts.

pub mod fire;
pub mod precede;
pub mod source;

#[cfg(test)]
mod tests;

use model::{CounterSystem, CounterTransition};
use rustc_hash::FxHashMap;

/// A counter system as the searches want it.
pub struct Rules {
    /// The rules, one per transition of the system, at the same index.
    pub rules: Vec<Rule>,
    /// Number of control states.
    pub n_controls: usize,
    /// Number of counters.
    pub n_counters: u32,
    /// Is there no upper bound, in guards or targets? Then larger configurations
    /// can do all that smaller ones can.
    pub is_monotone: bool,
    /// Rules by the control state they leave and the counter they need most
    /// distinctly; rules that need no counter stand under `None`.
    leaving: FxHashMap<(u32, Option<u32>), Vec<u32>>,
    /// Rules that change the control state or move tokens, by the control state
    /// they enter: any zone there has predecessors under them.
    always_entering: Vec<Vec<u32>>,
    /// All other rules, by the control state and the counters they increase.
    increasing: FxHashMap<(u32, u32), Vec<u32>>,
}

/// One transition.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Control state before.
    pub from: u32,
    /// Control state after.
    pub to: u32,
    /// What happens to counters that take no part in moves; sorted.
    pub effects: Vec<Effect>,
    /// Upper bounds before.
    pub caps: Vec<(u32, u32)>,
    /// Transfers and resets.
    pub moves: Vec<(u32, Vec<u32>)>,
    /// The counters that moves empty or feed, with what is needed of them before
    /// and added to them after; sorted.
    pub moved: Vec<Effect>,
}

/// What a rule needs of a counter and adds to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The counter.
    pub counter: u32,
    /// At least this much must be there before.
    pub need: u32,
    /// This much is added.
    pub delta: i64,
}

impl Rule {
    /// Has it neither moves nor upper bounds?
    pub fn is_plain(&self) -> bool {
        self.moves.is_empty() && self.caps.is_empty()
    }

    /// Compiles a transition.
    pub fn compile(transition: &CounterTransition) -> Rule {
        let mut effects: Vec<Effect> = Vec::new();
        let mut at = |counter: u32| -> usize {
            let found = effects.binary_search_by_key(&counter, |effect| effect.counter);
            found.unwrap_or_else(|idx| {
                effects.insert(idx, Effect { counter, need: 0, delta: 0 });
                idx
            })
        };
        for (counter, _) in &transition.guard {
            at(counter.0);
        }
        for (counter, _) in &transition.delta {
            at(counter.0);
        }
        for step in &transition.moves {
            at(step.from.0);
            step.to.iter().for_each(|to| {
                at(to.0);
            });
        }
        let moves: Vec<(u32, Vec<u32>)> = transition
            .moves
            .iter()
            .map(|step| (step.from.0, step.to.iter().map(|to| to.0).collect()))
            .collect();
        let takes_part =
            |counter: u32| moves.iter().any(|(from, to)| *from == counter || to.contains(&counter));
        for effect in &mut effects {
            let bounds = transition.guard.iter().find(|(counter, _)| counter.0 == effect.counter);
            let delta = transition.delta.iter().find(|(counter, _)| counter.0 == effect.counter);
            effect.delta = delta.map_or(0, |(_, delta)| *delta);
            effect.need = bounds.map_or(0, |(_, bounds)| bounds.min);
            if !takes_part(effect.counter) {
                let taken = effect.delta.min(0).unsigned_abs();
                effect.need = effect.need.max(u32::try_from(taken).unwrap_or(u32::MAX));
            }
        }
        let caps = transition.guard.iter().filter_map(|(c, bounds)| Some((c.0, bounds.max?)));
        let (moved, effects) = effects.into_iter().partition(|e| takes_part(e.counter));
        Rule {
            from: transition.from.0,
            to: transition.to.0,
            effects,
            caps: caps.collect(),
            moves,
            moved,
        }
    }
}

impl Rules {
    /// Compiles `system`.
    pub fn new(system: &CounterSystem) -> Rules {
        let rules: Vec<Rule> = system.transitions.iter().map(Rule::compile).collect();
        let is_monotone = rules.iter().all(|rule| rule.caps.is_empty())
            && system.targets.iter().all(|target| target.zone.is_upward_closed());
        let mut compiled = Rules {
            n_controls: system.control_names.len(),
            n_counters: system.counter_names.len() as u32,
            is_monotone,
            leaving: FxHashMap::default(),
            always_entering: vec![Vec::new(); system.control_names.len()],
            increasing: FxHashMap::default(),
            rules,
        };
        compiled.index();
        compiled
    }

    /// Calls `visit` with the index of each rule that leaves `control` and whose
    /// distinctive need is in `vector`. The order depends on the arguments alone.
    pub fn for_each_leaving(&self, control: u32, vector: &[u64], mut visit: impl FnMut(u32)) {
        let counters = vector.iter().map(|&e| Some(crate::kernel::sparse::idx_of(e)));
        for key in std::iter::once(None).chain(counters) {
            if let Some(rules) = self.leaving.get(&(control, key)) {
                rules.iter().for_each(|&rule| visit(rule));
            }
        }
    }

    /// The rules under which a zone in `control` with these lower bounds can have
    /// predecessors that it does not itself contain, sorted.
    pub fn entering(&self, control: u32, vector: &[u64], found: &mut Vec<u32>) {
        found.clear();
        found.extend_from_slice(&self.always_entering[control as usize]);
        for &e in vector {
            let key = (control, crate::kernel::sparse::idx_of(e));
            if let Some(rules) = self.increasing.get(&key) {
                found.extend_from_slice(rules);
            }
        }
        found.sort_unstable();
        found.dedup();
    }

    fn index(&mut self) {
        let mut n_needing = vec![0u32; self.n_counters as usize];
        let needs = |rule: &Rule| -> Vec<u32> {
            let all = rule.effects.iter().chain(&rule.moved);
            all.filter(|effect| effect.need > 0).map(|effect| effect.counter).collect()
        };
        for rule in &self.rules {
            needs(rule).into_iter().for_each(|counter| n_needing[counter as usize] += 1);
        }
        for (idx, rule) in self.rules.iter().enumerate() {
            let idx = idx as u32;
            let distinctive = needs(rule).into_iter().min_by_key(|c| n_needing[*c as usize]);
            self.leaving.entry((rule.from, distinctive)).or_default().push(idx);
            // With upper bounds, a rule that only decreases counters matters too.
            if rule.from != rule.to || !rule.moves.is_empty() || !self.is_monotone {
                self.always_entering[rule.to as usize].push(idx);
                continue;
            }
            for effect in rule.effects.iter().filter(|effect| effect.delta > 0) {
                self.increasing.entry((rule.to, effect.counter)).or_default().push(idx);
            }
        }
    }
}
