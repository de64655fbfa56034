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
//!
//! All this is so whether the other threads run the same program (rule (7)) or another one that
//! refines a specification of its own (rule (4)): to each thread the others are environment.

use model::{Multiplicity, RefinementQuestion, Template, ThreadProgram};

/// Does "the specification's threads have no error" give "the implementation's threads have
/// none", for the numbers of threads that both have, once refinement is shown? Rule (7).
///
/// # Errors
/// Why not, as a sentence without a full stop.
pub fn carries_over(question: &RefinementQuestion<'_>) -> Result<(), String> {
    has_as_many(question.implementation, question.specification)?;
    errors_carry_over(question)
}

/// Does "one thread of each specification, side by side, have no error" give "one thread of each
/// implementation have none", once both refinements are shown? Rule (4). Each implementation has
/// one thread, however many it has elsewhere, and so has its specification.
///
/// The caller answers for it that the shared stores fit together: those of the implementations
/// that may be there at the same time stand for one store of both specifications, and what one
/// implementation leaves, the environment of the other has.
///
/// # Errors
/// Why not, as a sentence without a full stop.
pub fn carries_over_side_by_side(questions: &[RefinementQuestion<'_>; 2]) -> Result<(), String> {
    for (question, pair) in questions.iter().zip(["B1 => F1", "B2 => F2"]) {
        let carried = has_one_kind(question.implementation, question.specification)
            .and_then(|_| errors_carry_over(question));
        carried.map_err(|why| format!("of {pair}: {why}"))?;
    }
    Ok(())
}

/// Are errors of the implementation errors of the specification, whose threads are as many?
fn errors_carry_over(question: &RefinementQuestion<'_>) -> Result<(), String> {
    let RefinementQuestion { implementation, specification, .. } = *question;
    let asked = implementation.requirements();
    if asked.forbids_deadlock() {
        return Err("a deadlock of the implementation need not be one of the specification".into());
    }
    if asked.forbids_races() {
        return Err("a race of the implementation need not be one of the specification".into());
    }
    for (target, shape) in asked.targets().iter().enumerate() {
        match shape.slots.is_empty() {
            true => is_implied(question, target)?,
            false => is_matched(question, target)?,
        }
    }
    for (target, shape) in specification.requirements().targets().iter().enumerate() {
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
    let (own, other) = has_one_kind(implementation, specification)?;
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

/// The kinds of their threads, if there is one each.
fn has_one_kind<'p>(
    implementation: &'p dyn ThreadProgram,
    specification: &'p dyn ThreadProgram,
) -> Result<(&'p Template, &'p Template), String> {
    match (implementation.templates(), specification.templates()) {
        ([own], [other]) => Ok((own, other)),
        _ => Err("there is more than one kind of thread".into()),
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
    let (asked, allowed) = (implementation.requirements(), specification.requirements());
    let others: Vec<usize> = (0..allowed.targets().len())
        .filter(|&other| allowed.targets()[other].slots.is_empty())
        .collect();
    for (own, other) in &question.shared.pairs {
        let is_error = asked.target_shared(target, own.bytes());
        if is_error && !others.iter().any(|&idx| allowed.target_shared(idx, other.bytes())) {
            return Err(format!(
                "shared store `{}` is an error of the implementation (`{}`) and none of the \
                 specification",
                implementation.narrator().describe_shared(own.bytes()),
                asked.targets()[target].name,
            ));
        }
    }
    Ok(())
}

fn is_matched(question: &RefinementQuestion<'_>, target: usize) -> Result<(), String> {
    let shape = &question.implementation.requirements().targets()[target];
    let others = question.specification.requirements().targets();
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
