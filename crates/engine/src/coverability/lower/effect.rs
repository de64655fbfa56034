//! What a step does to the counters, beside the moves of other threads.

use std::collections::BTreeMap;

use model::{CounterId, Move};

/// How the counters change.
pub struct StepEffect {
    /// What is added, where it is not zero; sorted.
    pub delta: Vec<(CounterId, i64)>,
    /// Must the sender of a broadcast be taken in a transition of its own, before this one?
    pub takes_sender_first: bool,
}

impl StepEffect {
    /// Lets the active thread leave where it is and those that arrive come, beside the
    /// moves of the others.
    ///
    /// The active thread is not moved by its own broadcast. Where those like it go to one
    /// place, one token less arrives there. Where they choose, that would let the others'
    /// choices make up for it, so the thread is taken in a transition of its own.
    pub fn of(
        active: Option<CounterId>,
        arrives: impl Iterator<Item = CounterId>,
        moves: &[Move],
    ) -> StepEffect {
        let mut delta: BTreeMap<CounterId, i64> = BTreeMap::new();
        arrives.for_each(|counter| *delta.entry(counter).or_default() += 1);
        let mut takes_sender_first = false;
        if let Some(active) = active {
            let from = match moves.iter().find(|step| step.from == active) {
                None => Some(active),
                Some(step) if step.to.len() == 1 => Some(step.to[0]),
                Some(_) => None,
            };
            takes_sender_first = from.is_none();
            from.into_iter().for_each(|counter| *delta.entry(counter).or_default() -= 1);
        }
        let delta = delta.into_iter().filter(|(_, change)| *change != 0).collect();
        StepEffect { delta, takes_sender_first }
    }
}
