//! Which properties of the specification's threads hold of the implementation's threads, once
//! the implementation refines the specification.
//!
//! A run of the implementation's threads has one of the specification's threads beside it that
//! goes through the same shared stores, fails where it fails, and can fill the slots of matched
//! targets where it fills them. So an error of the implementation is one of the specification
//! if it is a step that is an error, a target over the shared store alone that is one of the
//! specification too, or a matched target. Of other errors refinement says nothing. Targets of
//! the specification over the shared store alone hold of the implementation as they are; others
//! speak of threads that the implementation does not have, and mean something for it only where
//! they are matched.

use model::{Multiplicity, RefinementQuestion, ThreadProgram};

/// Does "the specification's threads have no error" give "the implementation's threads have
/// none", for the numbers of threads that both have, once refinement is shown?
///
/// # Errors
/// Why not, as a sentence without a full stop.
pub fn carries_over(question: &RefinementQuestion<'_>) -> Result<(), String> {
    let RefinementQuestion { implementation, specification, .. } = *question;
    if implementation.forbids_deadlock() {
        return Err("a deadlock of the implementation need not be one of the specification".into());
    }
    if implementation.forbids_races() {
        return Err("a race of the implementation need not be one of the specification".into());
    }
    has_as_many(implementation, specification)?;
    for (target, shape) in implementation.targets().iter().enumerate() {
        match shape.slots.is_empty() {
            true => is_implied(question, target)?,
            false => is_matched(question, target)?,
        }
    }
    for (target, shape) in specification.targets().iter().enumerate() {
        if !shape.slots.is_empty() && !question.targets.iter().any(|pair| pair.1 == target) {
            return Err(format!(
                "target `{}` of the specification speaks of its threads, and stands for no target \
                 of the implementation",
                shape.name
            ));
        }
    }
    Ok(())
}

/// May the specification have as many threads as the implementation?
fn has_as_many(
    implementation: &dyn ThreadProgram,
    specification: &dyn ThreadProgram,
) -> Result<(), String> {
    let ([own], [other]) = (implementation.templates(), specification.templates()) else {
        return Err("there is more than one kind of thread".into());
    };
    match (own.multiplicity, other.multiplicity) {
        (_, Multiplicity::Any) => Ok(()),
        (own, other) if own == other => Ok(()),
        (own, other) => Err(format!(
            "the implementation has {}, the specification {}",
            words(own),
            words(other)
        )),
    }
}

fn words(multiplicity: Multiplicity) -> String {
    match multiplicity {
        Multiplicity::Any => "any number of threads".to_owned(),
        Multiplicity::Exactly(1) => "1 thread".to_owned(),
        Multiplicity::Exactly(n) => format!("{n} threads"),
    }
}

/// Is each shared store of a target one of a target of the specification?
fn is_implied(question: &RefinementQuestion<'_>, target: usize) -> Result<(), String> {
    let RefinementQuestion { implementation, specification, .. } = *question;
    let others: Vec<usize> = (0..specification.targets().len())
        .filter(|&other| specification.targets()[other].slots.is_empty())
        .collect();
    for (own, other) in &question.shared.pairs {
        let is_error = implementation.target_shared(target, own.bytes());
        if is_error && !others.iter().any(|&idx| specification.target_shared(idx, other.bytes())) {
            return Err(format!(
                "shared store `{}` is an error of the implementation (`{}`) and none of the \
                 specification",
                implementation.describe_shared(own.bytes()),
                implementation.targets()[target].name,
            ));
        }
    }
    Ok(())
}

fn is_matched(question: &RefinementQuestion<'_>, target: usize) -> Result<(), String> {
    let shape = &question.implementation.targets()[target];
    let others = question.specification.targets();
    let is_matched = question.targets.iter().any(|&(own, other)| {
        own == target && others.get(other).is_some_and(|other| other.slots == shape.slots)
    });
    match is_matched {
        true => Ok(()),
        false => Err(format!(
            "target `{}` of the implementation speaks of threads, and no target of the \
             specification stands for it",
            shape.name
        )),
    }
}
