//! What a verdict rests on beside the program: noted while steps are computed, each once.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::CProgram;

/// Places that are named; the rest is counted.
const MAX_NAMED: usize = 4;

/// What was noted so far.
#[derive(Debug, Default)]
pub(super) struct Remarks(Mutex<Noted>);

#[derive(Debug, Default)]
struct Noted {
    /// Why and where runs ended that broke a rule nobody asked about.
    ends: BTreeSet<String>,
    /// The same of rules that are accepted to be broken.
    accepted: BTreeSet<String>,
    /// Functions that nobody defines, of which any result was taken.
    guesses: BTreeSet<String>,
    /// Is no signal assumed to arrive?
    no_signal: bool,
}

impl Remarks {
    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A run ends, for this reason.
    pub(super) fn add_end(&self, why: String) {
        self.noted().ends.insert(why);
    }

    /// A run ends, for this reason, which is accepted.
    pub(super) fn add_accepted(&self, why: String) {
        self.noted().accepted.insert(why);
    }

    /// Any result is taken of this function.
    pub(super) fn add_guess(&self, function: &str) {
        let mut noted = self.noted();
        if !noted.guesses.contains(function) {
            noted.guesses.insert(function.to_owned());
        }
    }

    /// No signal is assumed to arrive.
    pub(super) fn assume_no_signal(&self) {
        self.noted().no_signal = true;
    }
}

impl CProgram {
    /// What a verdict about the steps that were computed until now rests on, one sentence
    /// each. An error is one, wherever other runs end.
    pub fn remarks(&self, is_error: bool) -> Vec<String> {
        let noted = self.remarks.noted();
        let ends = named(&noted.ends).filter(|_| !is_error).map(|places| {
            format!("runs end where a rule is broken that was not asked about: {places}")
        });
        let accepted = named(&noted.accepted).filter(|_| !is_error).map(|places| {
            format!("runs end where a rule is broken that is accepted to be: {places}")
        });
        let quoted = noted.guesses.iter().map(|name| format!("`{name}`")).collect();
        let guesses = named(&quoted).map(|names| {
            format!("assumed of functions without a body: they return anything and write nothing: {names}")
        });
        let no_signal = noted
            .no_signal
            .then(|| "assumed: no signal arrives, so that no handler runs".to_owned());
        ends.into_iter().chain(accepted).chain(guesses).chain(no_signal).collect()
    }
}

fn named(all: &BTreeSet<String>) -> Option<String> {
    let shown: Vec<&str> = all.iter().take(MAX_NAMED).map(String::as_str).collect();
    let more = match all.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        n => format!("; and {n} more"),
    };
    (!all.is_empty()).then(|| format!("{}{more}", shown.join("; ")))
}
