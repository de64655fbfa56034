//! Counts what the models of a run were like: a generator that yields only one
//! kind tests nothing.

use std::collections::BTreeMap;
use std::fmt;

use model::Verdict;

use crate::graph::Graph;
use crate::judge::was_cut;

/// Runs that may come to a limit on a machine that is busy with something else.
const FEW_CUT: u64 = 3;

/// Counts of one run.
#[derive(Default)]
pub struct Tally {
    /// Models with too many states to look at.
    pub n_too_large: u64,
    n_models: u64,
    n_tiny: u64,
    n_faulty: u64,
    n_states: u64,
    verdicts: BTreeMap<String, [u64; 3]>,
    /// Runs that came to a limit.
    n_cut: u64,
}

impl Tally {
    /// Counts one model.
    pub fn count(&mut self, graph: &Graph) {
        self.n_models += 1;
        self.n_tiny += u64::from(graph.states.len() < 10);
        self.n_faulty += u64::from(graph.has_faults());
        self.n_states += graph.states.len() as u64;
    }

    /// Counts one answer.
    pub fn add(&mut self, who: &str, verdict: &Verdict) {
        let kind = match verdict {
            Verdict::Holds(_) => 0,
            Verdict::Violated(_) => 1,
            Verdict::Unknown(_) => 2,
        };
        self.verdicts.entry(who.to_owned()).or_default()[kind] += 1;
        self.n_cut += u64::from(was_cut(verdict));
    }

    /// Fails when more than one run in a hundred, and more than a few, came to a limit: then
    /// little was compared.
    pub fn check_cut(&self) {
        let total: u64 = self.verdicts.values().flatten().sum();
        let (n_cut, most) = (self.n_cut, FEW_CUT.max(total / 100));
        assert!(n_cut <= most, "{n_cut} of {total} runs came to a limit");
    }

    /// Adds the counts of another worker.
    pub fn merge(&mut self, other: &Tally) {
        self.n_too_large += other.n_too_large;
        self.n_models += other.n_models;
        self.n_tiny += other.n_tiny;
        self.n_faulty += other.n_faulty;
        self.n_states += other.n_states;
        self.n_cut += other.n_cut;
        for (who, counts) in &other.verdicts {
            let own = self.verdicts.entry(who.clone()).or_default();
            own.iter_mut().zip(counts).for_each(|(own, count)| *own += count);
        }
    }

    /// Fails when the mix is worth little.
    pub fn check_mix(&self) {
        let [holds, violated, _] = self.verdicts.get("breadth first").copied().unwrap_or_default();
        assert!(holds * 10 >= self.n_models, "only {holds} of {} models hold", self.n_models);
        assert!(violated * 10 >= self.n_models, "only {violated} of {} fail", self.n_models);
        let reduced = self.verdicts.get("breadth first with symmetry").copied().unwrap_or_default();
        let reduced: u64 = reduced.iter().sum();
        assert!(reduced * 5 >= self.n_models, "only {reduced} models have symmetries");
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} models with {} states ({} with fewer than ten, {} with faults), {} too large",
            self.n_models, self.n_states, self.n_tiny, self.n_faulty, self.n_too_large
        )?;
        for (who, [holds, violated, unknown]) in &self.verdicts {
            writeln!(f, "{who:<28} {holds:>6} holds {violated:>6} violated {unknown:>6} unknown")?;
        }
        writeln!(f, "{} of these came to a limit", self.n_cut)
    }
}
