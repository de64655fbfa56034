//! Decides whether a problem and a proof make sense at all: every index in range,
//! every list sorted without repetition. All later modules rely on this.

use model::{
    Bounds, ControlId, CounterId, CounterSystem, LinearLemma, Problem, Proof, Refutation, Store,
    Support, Trap, Vocabulary,
};
use rustc_hash::FxHashSet;

use crate::rejection::Rejection;

/// How many control states and counters there are to speak of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub n_controls: usize,
    pub n_counters: usize,
}

/// The sizes of the vocabulary, which must fit the kind of problem.
pub(crate) fn sizes(problem: Problem<'_>, vocabulary: &Vocabulary) -> Result<Sizes, Rejection> {
    match (problem, vocabulary) {
        (Problem::Counters(system), Vocabulary::CounterSystem) => check_system(system),
        (Problem::Threads(_), Vocabulary::Threads { shared, local }) => {
            distinct(shared, "a shared store occurs twice in the vocabulary")?;
            distinct(local, "a local store occurs twice in the vocabulary")?;
            fits_ids(shared.len(), local.len())
        }
        _ => Err(Rejection::malformed("the vocabulary is of another kind of system")),
    }
}

/// A front end's counter system, which its types leave room to get wrong.
pub(crate) fn check_system(system: &CounterSystem) -> Result<Sizes, Rejection> {
    let sizes = fits_ids(system.control_names.len(), system.counter_names.len())?;
    for transition in &system.transitions {
        control(transition.from, sizes)?;
        control(transition.to, sizes)?;
        bounds(&transition.guard, sizes)?;
        counters(transition.delta.iter().map(|entry| entry.0), sizes)?;
        counters(transition.moves.iter().map(|entry| entry.from), sizes)?;
        for entry in &transition.moves {
            counters(entry.to.iter().copied(), sizes)?;
        }
    }
    for zone in &system.initial {
        control(zone.control, sizes)?;
        bounds(&zone.bounds, sizes)?;
    }
    for target in &system.targets {
        control(target.zone.control, sizes)?;
        bounds(&target.zone.bounds, sizes)?;
    }
    Ok(sizes)
}

/// A proof's own indices and lists.
pub(crate) fn check_proof(proof: &Proof, sizes: Sizes) -> Result<(), Rejection> {
    match proof {
        Proof::Cover { configurations } => {
            for configuration in configurations {
                control(configuration.control, sizes)?;
                counters(configuration.counts.iter().map(|entry| entry.0), sizes)?;
            }
        }
        Proof::Basis { support: listed, equal, lemmas, basis } => {
            support(listed, sizes)?;
            for &(left, right) in equal {
                counters([left].into_iter(), sizes)?;
                counters([right].into_iter(), sizes)?;
            }
            for fact in lemmas {
                lemma(fact, sizes)?;
                if fact.counters.iter().any(|entry| entry.1 < 0) {
                    return Err(Rejection::malformed("a lemma of a basis has a negative weight"));
                }
            }
            for zone in basis {
                control(zone.control, sizes)?;
                bounds(&zone.bounds, sizes)?;
            }
        }
        Proof::Equation { support: listed, refutations } => {
            support(listed, sizes)?;
            for fact in refutations {
                refutation(fact, sizes)?;
            }
        }
        Proof::Views(_)
        | Proof::ElementViews(_)
        | Proof::ThreadModular(_)
        | Proof::Summaries(_)
        | Proof::Exhausted { .. } => {}
    }
    Ok(())
}

fn refutation(refutation: &Refutation, sizes: Sizes) -> Result<(), Rejection> {
    lemma(&refutation.lemma, sizes)?;
    for (Trap { controls, counters: members }, multiplier) in &refutation.traps {
        sorted_controls(controls.iter().copied(), sizes)?;
        counters(members.iter().copied(), sizes)?;
        if *multiplier <= 0 {
            return Err(Rejection::malformed("the multiplier of a trap is not positive"));
        }
    }
    Ok(())
}

fn lemma(lemma: &LinearLemma, sizes: Sizes) -> Result<(), Rejection> {
    sorted_controls(lemma.controls.iter().map(|entry| entry.0), sizes)?;
    counters(lemma.counters.iter().map(|entry| entry.0), sizes)
}

fn support(support: &Support, sizes: Sizes) -> Result<(), Rejection> {
    sorted_controls(support.controls.iter().map(|entry| entry.0), sizes)?;
    support.controls.iter().try_for_each(|entry| counters(entry.1.iter().copied(), sizes))
}

fn bounds(bounds: &[(CounterId, Bounds)], sizes: Sizes) -> Result<(), Rejection> {
    counters(bounds.iter().map(|entry| entry.0), sizes)
}

fn control(id: ControlId, sizes: Sizes) -> Result<(), Rejection> {
    sorted_controls([id].into_iter(), sizes)
}

fn sorted_controls(ids: impl Iterator<Item = ControlId>, sizes: Sizes) -> Result<(), Rejection> {
    ascending(ids.map(ControlId::idx), sizes.n_controls, "control states")
}

fn counters(ids: impl Iterator<Item = CounterId>, sizes: Sizes) -> Result<(), Rejection> {
    ascending(ids.map(CounterId::idx), sizes.n_counters, "counters")
}

fn ascending(
    indices: impl Iterator<Item = usize>,
    n_known: usize,
    what: &str,
) -> Result<(), Rejection> {
    let mut least = 0;
    for idx in indices {
        if idx >= n_known {
            return Err(Rejection::malformed(format!("{idx} is out of range for {what}")));
        }
        if idx < least {
            return Err(Rejection::malformed(format!("{what} are not sorted, or occur twice")));
        }
        least = idx + 1;
    }
    Ok(())
}

fn distinct(stores: &[Store], complaint: &str) -> Result<(), Rejection> {
    let mut seen = FxHashSet::default();
    if stores.iter().all(|store| seen.insert(store.bytes())) {
        Ok(())
    } else {
        Err(Rejection::malformed(complaint))
    }
}

fn fits_ids(n_controls: usize, n_counters: usize) -> Result<Sizes, Rejection> {
    if u32::try_from(n_controls).is_ok() && u32::try_from(n_counters).is_ok() {
        Ok(Sizes { n_controls, n_counters })
    } else {
        Err(Rejection::malformed("more control states or counters than 32 bits can number"))
    }
}
