//! Which shared stores and which targets of two models stand for each other.
//!
//! Nothing here can make a conclusion wrong: whatever is matched with whatever, refinement is
//! checked for it. It decides which question is asked.

use anyhow::{Context, bail};
use frontend::{Language, Model, convert};
use model::{SharedCorrespondence, StopReason, Store, ThreadProgram};

use crate::input::Loaded;

/// Shared stores of an environment, at most.
const MAX_SHARED: u32 = 1 << 20;

/// The shared stores of the environment, with what they stand for: for two `.tts` models all
/// numbers that the implementation has, which are the same on both sides.
///
/// A reason instead of them means that the question is not answered for so many.
pub fn shared(
    implementation: &Loaded,
    specification: &Loaded,
) -> anyhow::Result<Result<SharedCorrespondence, StopReason>> {
    match (implementation, specification) {
        (Loaded::Text(own @ Model::Threads(_)), Loaded::Text(Model::Threads(_))) => {
            let n_shared = n_shared_states(own)?;
            if n_shared > MAX_SHARED {
                let why = format!("{n_shared} shared states are too many to try them all");
                return Ok(Err(StopReason::Incomplete { why }));
            }
            let store = |number: u32| Store::new(&number.to_le_bytes());
            Ok(Ok(SharedCorrespondence::identity((0..n_shared).map(store))))
        }
        _ => bail!("it is not known which shared stores of the two models are the same"),
    }
}

/// The number of shared states that a thread transition system has: the first word of its text.
fn n_shared_states(model: &Model) -> anyhow::Result<u32> {
    let converted = convert(model, Language::Tts)?;
    let number = converted.text.split_whitespace().next().and_then(|word| word.parse().ok());
    number.context("a thread transition system says how many shared states it has")
}

/// Targets of threads, the first of the implementation with the first of the specification that
/// has as many slots, and so on, each once.
pub fn targets(
    implementation: &dyn ThreadProgram,
    specification: &dyn ThreadProgram,
) -> Vec<(usize, usize)> {
    let others = specification.targets();
    let mut matched: Vec<(usize, usize)> = Vec::new();
    for (own, shape) in implementation.targets().iter().enumerate() {
        let is_free = |other: &usize| matched.iter().all(|pair| pair.1 != *other);
        let fits = |other: &usize| !shape.slots.is_empty() && others[*other].slots == shape.slots;
        let found = (0..others.len()).find(|other| is_free(other) && fits(other));
        matched.extend(found.map(|other| (own, other)));
    }
    matched
}
