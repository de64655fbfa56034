//! Which shared stores and which targets of two models stand for each other.
//!
//! Nothing here can make a conclusion wrong: whatever is matched with whatever, refinement is
//! checked for it. It decides which question is asked. Of two pairs, `together.rs` says whether
//! what is matched in the one fits what is matched in the other.

use anyhow::{Context, bail};
use frontend::{BooleanProgram, Language, Model, convert};
use model::{BooleanFlow, SharedCorrespondence, StopReason, Store, ThreadProgram};

use crate::input::Loaded;

/// Shared stores of an environment, at most.
const MAX_SHARED: u32 = 1 << 20;

/// The shared stores of the environment, with what they stand for: all that the
/// implementation has. Numbers of `.tts` models are the same on both sides; variables of
/// Boolean programs are the same if they have the same name, and those that the
/// specification does not have are not its business; the binary digits of a number are the
/// variables in their order.
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
        (Loaded::Text(Model::Boolean(own)), Loaded::Text(Model::Boolean(other))) => {
            let positions = positions(own.graph(), other.graph())?;
            Ok(all_values(own, &|values| {
                let seen: Vec<bool> = positions.iter().map(|&idx| values[idx]).collect();
                other.graph().shared_store(&seen, false)
            }))
        }
        (Loaded::Text(Model::Boolean(own)), Loaded::Text(other @ Model::Threads(_))) => {
            let n_shared = n_shared_states(other)?;
            let n_variables = own.graph().shared.len();
            if 1_u64 << n_variables.min(32) > u64::from(n_shared) {
                bail!(
                    "{n_variables} shared variables have more values than the specification has \
                     shared states, which are {n_shared}"
                );
            }
            Ok(all_values(own, &|values| Store::new(&number(values).to_le_bytes())))
        }
        _ => bail!("it is not known which shared stores of the two models are the same"),
    }
}

/// Where the implementation has each shared variable of the specification.
fn positions(own: &BooleanFlow, other: &BooleanFlow) -> anyhow::Result<Vec<usize>> {
    let position = |name: &str| own.shared.iter().position(|variable| variable.name == name);
    let found = other.shared.iter().map(|variable| {
        position(&variable.name).with_context(|| {
            format!("the implementation has no shared variable `{}`", variable.name)
        })
    });
    found.collect()
}

/// All values of the shared variables, with what they stand for.
fn all_values(
    own: &BooleanProgram,
    other: &dyn Fn(&[bool]) -> Store,
) -> Result<SharedCorrespondence, StopReason> {
    let flow = own.graph();
    let n_variables = flow.shared.len();
    if n_variables as u32 > MAX_SHARED.ilog2() {
        let why = format!("{n_variables} shared variables have too many values to try them all");
        return Err(StopReason::Incomplete { why });
    }
    let pairs = (0..1_u32 << n_variables).map(|number| {
        let values: Vec<bool> = (0..n_variables).rev().map(|bit| number >> bit & 1 == 1).collect();
        (flow.shared_store(&values, false), other(&values))
    });
    Ok(SharedCorrespondence { pairs: pairs.collect() })
}

/// The values as binary digits, the first the most significant.
fn number(values: &[bool]) -> u32 {
    values.iter().fold(0, |number, &value| number * 2 + u32::from(value))
}

/// The number of shared states that a thread transition system has: the first word of its text.
pub(super) fn n_shared_states(model: &Model) -> anyhow::Result<u32> {
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
    let others = specification.requirements().targets();
    let mut matched: Vec<(usize, usize)> = Vec::new();
    for (own, shape) in implementation.requirements().targets().iter().enumerate() {
        let is_free = |other: &usize| matched.iter().all(|pair| pair.1 != *other);
        let fits = |other: &usize| !shape.slots.is_empty() && others[*other].slots == shape.slots;
        let found = (0..others.len()).find(|other| is_free(other) && fits(other));
        matched.extend(found.map(|other| (own, other)));
    }
    matched
}
