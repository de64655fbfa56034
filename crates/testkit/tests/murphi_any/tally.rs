//! What was compared, so that a test that compares nothing is noticed.

use std::fmt::{self, Display, Formatter};

use model::{Certificate, Verdict};

use crate::judge::n_views;

/// Counts over all models.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Models with some claims.
    pub n_models: u64,
    /// Those that are not read as ones of any number of elements.
    pub n_refused: u64,
    /// Those that hold, by what `check` says.
    pub n_held: u64,
    /// Those that do not.
    pub n_violated: u64,
    /// Those of which nothing is known.
    pub n_unknown: u64,
    /// Those that views prove, though small instances may fail.
    pub n_proved: u64,
    /// Proofs with more than two views: not everything is always the same.
    pub n_rich: u64,
    /// Searches for views that took too long.
    pub n_views_cut: u64,
    /// Models that fail with no fewer than 1, 2, … elements.
    pub n_failing: [u64; 5],
}

impl Tally {
    /// Adds the counts of another worker.
    pub fn merge(&mut self, other: &Tally) {
        self.n_models += other.n_models;
        self.n_refused += other.n_refused;
        self.n_held += other.n_held;
        self.n_violated += other.n_violated;
        self.n_unknown += other.n_unknown;
        self.n_proved += other.n_proved;
        self.n_rich += other.n_rich;
        self.n_views_cut += other.n_views_cut;
        for (count, more) in self.n_failing.iter_mut().zip(other.n_failing) {
            *count += more;
        }
    }

    /// Counts an answer, and whether there was a proof at all.
    pub fn add(&mut self, verdict: &Verdict, is_proved: bool) {
        self.n_proved += u64::from(is_proved);
        match verdict {
            Verdict::Holds(_) => self.n_held += 1,
            Verdict::Violated(_) => self.n_violated += 1,
            Verdict::Unknown(_) => self.n_unknown += 1,
        }
    }

    /// Counts how much a proof says.
    pub fn count_proof(&mut self, certificate: &Certificate) {
        self.n_rich += u64::from(n_views(certificate) > 2);
    }

    /// Counts a model that fails with `n` elements first.
    pub fn count_failure(&mut self, n: i64) {
        self.n_failing[n as usize - 1] += 1;
    }

    /// Was enough of each kind compared?
    pub fn check_mix(&self) {
        let read = self.n_models - self.n_refused;
        assert!(read * 2 >= self.n_models, "few models are read: {self}");
        assert!(self.n_held * 100 >= self.n_models * 15, "few models are proved: {self}");
        assert!(self.n_rich * 100 >= self.n_models * 5, "few proofs say much: {self}");
        assert!(self.n_violated * 100 >= self.n_models * 25, "few models are violated: {self}");
        let late: u64 = self.n_failing[2..].iter().sum();
        assert!(late > 0, "no model fails with three elements or more only: {self}");
        assert!(self.n_views_cut * 100 <= self.n_models, "many searches are cut: {self}");
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Tally { n_models, n_refused, n_held, n_violated, n_unknown, .. } = self;
        write!(
            f,
            "{n_models} models: {n_refused} refused, {n_held} held, {n_violated} violated, \
             {n_unknown} unknown; {} proved, {} by many views, {} cut; failing first with \
             1, 2, … elements: {:?}",
            self.n_proved, self.n_rich, self.n_views_cut, self.n_failing
        )
    }
}
