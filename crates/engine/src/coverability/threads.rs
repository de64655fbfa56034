//! From the counters of a lowered program back to threads: traces and
//! certificates in the program's own stores.

use std::collections::BTreeMap;

use model::{
    Bystanders, Certificate, CounterId, CounterTrace, LinearLemma, Proof, Refutation, StopReason,
    Store, Support, ThreadCount, ThreadProgram, ThreadStep, ThreadTrace, Trap, Variant, Violation,
    Vocabulary, Zone,
};

use super::actors::Actors;
use super::lower::{Lowered, TransitionOrigin};
use super::templates::Shares;

/// A proof about the lowered system as a certificate about the program: what
/// speaks of control states that no shared store stands for is left out.
pub fn certificate(lowered: &Lowered, scope: ThreadCount, proof: Proof) -> Certificate {
    let n_shared = lowered.shared.len();
    let is_real = |control: &model::ControlId| control.idx() < n_shared;
    let lemma = |lemma: LinearLemma| LinearLemma {
        controls: lemma.controls.into_iter().filter(|(id, _)| is_real(id)).collect(),
        ..lemma
    };
    let support = |support: Support| Support {
        controls: support.controls.into_iter().filter(|(id, _)| is_real(id)).collect(),
    };
    let trap =
        |trap: Trap| Trap { controls: trap.controls.into_iter().filter(is_real).collect(), ..trap };
    let proof = match proof {
        Proof::Cover { configurations } => Proof::Cover {
            configurations: configurations.into_iter().filter(|c| is_real(&c.control)).collect(),
        },
        Proof::Basis { support: s, equal, lemmas, basis } => Proof::Basis {
            support: support(s),
            equal,
            lemmas: lemmas.into_iter().map(lemma).collect(),
            basis: basis.into_iter().filter(|zone: &Zone| is_real(&zone.control)).collect(),
        },
        Proof::Equation { support: s, refutations } => Proof::Equation {
            support: support(s),
            refutations: refutations
                .into_iter()
                .map(|r| Refutation {
                    lemma: lemma(r.lemma),
                    traps: r.traps.into_iter().map(|(t, m)| (trap(t), m)).collect(),
                })
                .collect(),
        },
        Proof::Views(_)
        | Proof::ElementViews(_)
        | Proof::ThreadModular(_)
        | Proof::Summaries(_)
        | Proof::Exhausted { .. } => proof,
    };
    let vocabulary =
        Vocabulary::Threads { shared: lowered.shared.clone(), local: lowered.local.clone() };
    Certificate { variant: Variant::AS_WRITTEN, scope, vocabulary, proof }
}

/// Initial threads up to this many are all listed, as a reader expects who asks for
/// three of them; of more, those that nothing happens to are counted.
const MAX_LISTED_AT_START: u64 = 1_000;

/// A trace of counters as a trace of threads.
///
/// # Errors
/// When the trace is none of the program: a bug, and reported as such; or when a
/// broadcast moves more threads than can be listed.
pub fn trace(
    program: &dyn ThreadProgram,
    lowered: &Lowered,
    counters: &CounterTrace,
) -> Result<ThreadTrace, StopReason> {
    let counts = counters.initial.counts.iter();
    let counts: Vec<(CounterId, u32)> = counts
        .map(|(local, count)| (*local, count.as_finite().expect("traces are finite")))
        .collect();
    let n_threads: u64 = counts.iter().map(|(_, count)| u64::from(*count)).sum();
    let (listed, counted): (Vec<CounterId>, BTreeMap<CounterId, u32>) =
        if n_threads <= MAX_LISTED_AT_START {
            let each = counts.iter().map(|(local, n)| std::iter::repeat_n(*local, *n as usize));
            (each.flatten().collect(), BTreeMap::new())
        } else {
            (Vec::new(), counts.iter().copied().collect())
        };
    let (mut steps, mut failed) = (Vec::new(), None);
    let mut actors = Actors::new(program, lowered, &listed, counted);
    let mut before = &counters.initial;
    for step in &counters.steps {
        match lowered.origins[step.transition.idx()] {
            // Its second half tells everything.
            TransitionOrigin::FirstHalf => continue,
            TransitionOrigin::Step { active, step_idx } => {
                let told = actors.act(before, step, active, step_idx)?;
                steps.push(told.step);
                failed = failed.or(told.error);
            }
        }
        before = &step.after;
    }
    let violation = match (lowered.target_origins[counters.target], failed) {
        (Some(target), _) => Violation::Target(target),
        (None, Some(error)) => Violation::Step(error),
        (None, None) => return Err(mismatch("no step is the error")),
    };
    let drawn = actors.drawn();
    renumber(&mut steps, listed.len(), drawn);
    let starts: Vec<CounterId> =
        listed.iter().copied().chain(drawn.iter().map(|(_, local)| *local)).collect();
    let mut trace = ThreadTrace {
        variant: Variant::AS_WRITTEN,
        shared: lowered.shared[counters.initial.control.idx()].clone(),
        threads: Vec::new(),
        templates: Vec::new(),
        bystanders: Vec::new(),
        steps,
        violation,
    };
    introduce(program, lowered, &counts, &starts, &mut trace)?;
    Ok(trace)
}

/// Gives threads that were listed on the way the numbers of initial threads, before those
/// of spawned ones.
fn renumber(steps: &mut [ThreadStep], n_listed: usize, drawn: &[(usize, CounterId)]) {
    if drawn.is_empty() {
        return;
    }
    let number = |old: u32| {
        let old = old as usize;
        let new = match drawn.binary_search_by_key(&old, |(thread, _)| *thread) {
            Ok(at) => n_listed + at,
            Err(_) if old < n_listed => old,
            Err(n_before) => old + drawn.len() - n_before,
        };
        new as u32
    };
    for step in steps {
        step.thread = step.thread.map(number);
        step.passive.iter_mut().for_each(|moved| moved.thread = number(moved.thread));
    }
}

/// Says where the threads start that are listed, with their templates, and counts the
/// others.
fn introduce(
    program: &dyn ThreadProgram,
    lowered: &Lowered,
    counts: &[(CounterId, u32)],
    starts: &[CounterId],
    trace: &mut ThreadTrace,
) -> Result<(), StopReason> {
    let store = |local: CounterId| &lowered.local[local.idx()];
    let groups: Vec<(&Store, u64)> =
        counts.iter().map(|(local, count)| (store(*local), u64::from(*count))).collect();
    let mut shares = Shares::of(program, &groups)?;
    for local in starts {
        let group = counts.binary_search_by_key(local, |(other, _)| *other);
        let group = group.map_err(|_| mismatch("a thread starts where none does"))?;
        trace.threads.push(store(*local).clone());
        trace.templates.push(shares.take(group));
    }
    for (group, (local, _)) in counts.iter().enumerate() {
        for (template, count) in shares.rest(group) {
            let count = u32::try_from(count).map_err(|_| StopReason::CountOverflow)?;
            trace.bystanders.push(Bystanders { local: store(*local).clone(), template, count });
        }
    }
    Ok(())
}

/// A mistake of ours.
pub(super) fn mismatch(what: &str) -> StopReason {
    StopReason::Incomplete { why: format!("the counterexample could not be retold: {what}") }
}
