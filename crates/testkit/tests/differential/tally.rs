//! Counts the answers of each engine, and decides whether the mix is worth
//! anything: a generator that yields only one verdict tests nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use model::Verdict;

/// Answers per engine.
#[derive(Default)]
pub struct Tally {
    engines: BTreeMap<String, [u64; 3]>,
    /// Runs that came to a limit though they should not.
    cut: BTreeMap<String, u64>,
    slowest: BTreeMap<String, (Duration, u64)>,
}

/// Runs that may come to a limit on a machine that is busy with something else.
const FEW_CUT: u64 = 3;

const KINDS: [&str; 3] = ["holds", "violated", "unknown"];

impl Tally {
    /// Counts one answer.
    pub fn count(&mut self, engine: &str, verdict: &Verdict) {
        let kind = match verdict {
            Verdict::Holds(_) => 0,
            Verdict::Violated(_) => 1,
            Verdict::Unknown(_) => 2,
        };
        self.engines.entry(engine.to_owned()).or_default()[kind] += 1;
    }

    /// Counts a run that came to a limit: it says nothing against the engine, and nothing
    /// for it.
    pub fn count_cut(&mut self, engine: &str) {
        *self.cut.entry(engine.to_owned()).or_default() += 1;
    }

    /// Fails when more than one run in a hundred of some engine, and more than a few, came
    /// to a limit: then little was compared.
    pub fn check_cut(&self) {
        for (engine, &n_cut) in &self.cut {
            let total: u64 = self.engines.get(engine).map_or(0, |counts| counts.iter().sum());
            assert!(
                n_cut <= FEW_CUT.max(total / 100),
                "{n_cut} of {total} runs of `{engine}` came to a limit"
            );
        }
    }

    /// Remembers the seed on which an engine took longest.
    pub fn time(&mut self, engine: &str, elapsed: Duration, seed: u64) {
        let slowest = self.slowest.entry(engine.to_owned()).or_default();
        *slowest = (*slowest).max((elapsed, seed));
    }

    /// Adds the counts of another worker.
    pub fn add(&mut self, other: &Tally) {
        for (engine, counts) in &other.engines {
            let own = self.engines.entry(engine.clone()).or_default();
            for (own, count) in own.iter_mut().zip(counts) {
                *own += count;
            }
        }
        for (engine, n_cut) in &other.cut {
            *self.cut.entry(engine.clone()).or_default() += n_cut;
        }
        for (engine, &(elapsed, seed)) in &other.slowest {
            self.time(engine, elapsed, seed);
        }
    }

    /// Fails when the automatic choice, or what rules on demand answer, has less than 15 %
    /// of either verdict.
    pub fn check_mix(&self) {
        for engine in ["auto", "on demand"] {
            let counts = self.engines.get(engine).expect("it answers in every mix");
            let total: u64 = counts.iter().sum();
            for kind in [0, 1] {
                let share = counts[kind] * 100 / total.max(1);
                let kind = KINDS[kind];
                assert!(share >= 15, "{engine}: only {share} % of the systems are `{kind}`");
            }
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (engine, counts) in &self.engines {
            let [holds, violated, unknown] = counts;
            let n_cut = self.cut.get(engine).copied().unwrap_or_default();
            let (longest, seed) = self.slowest.get(engine).copied().unwrap_or_default();
            writeln!(
                f,
                "{engine:<18} {holds:>7} holds {violated:>7} violated {unknown:>7} unknown, \
                 {n_cut} of these cut, longest {longest:.1?} on seed {seed}"
            )?;
        }
        if let Some((longest, seed)) = self.slowest.get("references") {
            writeln!(f, "references         longest {longest:.1?} on seed {seed}")?;
        }
        Ok(())
    }
}
