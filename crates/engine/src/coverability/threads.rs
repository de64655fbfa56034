//! From the counters of a lowered program back to threads: traces and
//! certificates in the program's own stores.

use model::{
    BroadcastId, Certificate, Configuration, CounterId, CounterStep, CounterTrace, LinearLemma,
    Multiplicity, PassiveMove, Proof, Refutation, StepError, StepErrorRef, Steps, StopReason,
    Store, Support, Template, ThreadCount, ThreadProgram, ThreadStep, ThreadTrace, Trap, Variant,
    Violation, Vocabulary, Zone,
};

use super::lower::{Lowered, TransitionOrigin};

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
        Proof::Views(_) | Proof::Exhausted { .. } => proof,
    };
    let vocabulary =
        Vocabulary::Threads { shared: lowered.shared.clone(), local: lowered.local.clone() };
    Certificate { variant: Variant::AS_WRITTEN, scope, vocabulary, proof }
}

/// A trace of counters as a trace of threads.
///
/// # Errors
/// When the trace is none of the program: a bug, and reported as such.
pub fn trace(
    program: &dyn ThreadProgram,
    lowered: &Lowered,
    counters: &CounterTrace,
) -> Result<ThreadTrace, StopReason> {
    let threads: Vec<CounterId> = counters
        .initial
        .counts
        .iter()
        .flat_map(|(id, count)| {
            std::iter::repeat_n(*id, count.as_finite().expect("traces are finite") as usize)
        })
        .collect();
    let store = |id: &CounterId| lowered.local[id.idx()].clone();
    let templates = assign_templates(program, threads.iter().map(store).collect())?;
    let target = lowered.target_origins[counters.target];
    let stores = threads.iter().map(store).collect();
    let (mut steps, mut failed) = (Vec::new(), None);
    let mut actors =
        Actors { program, lowered, locals: threads.into_iter().map(Some).collect(), last: None };
    let mut before = &counters.initial;
    for step in &counters.steps {
        match lowered.origins[step.transition.idx()] {
            // Its second half tells everything.
            TransitionOrigin::FirstHalf => continue,
            TransitionOrigin::Step { active, step_idx } => {
                let (step, error) = actors.act(before, step, active, step_idx)?;
                steps.push(step);
                failed = failed.or(error);
            }
        }
        before = &step.after;
    }
    Ok(ThreadTrace {
        variant: Variant::AS_WRITTEN,
        shared: lowered.shared[counters.initial.control.idx()].clone(),
        threads: stores,
        templates,
        steps,
        violation: match (target, failed) {
            (Some(target), _) => Violation::Target(target),
            (None, Some(error)) => Violation::Step(error),
            (None, None) => return Err(mismatch("no step is the error")),
        },
    })
}

/// The threads of a run while it is retold.
struct Actors<'a> {
    program: &'a dyn ThreadProgram,
    lowered: &'a Lowered,
    /// Each thread's local store; `None` when it has ended.
    locals: Vec<Option<CounterId>>,
    /// The thread that moved last.
    last: Option<usize>,
}

impl Actors<'_> {
    fn act(
        &mut self,
        before: &Configuration,
        step: &CounterStep,
        active: Option<CounterId>,
        step_idx: usize,
    ) -> Result<(ThreadStep, Option<StepError>), StopReason> {
        let thread = active.map(|local| self.choose(local)).transpose()?;
        let mut steps = Steps::new();
        let shared = &self.lowered.shared[before.control.idx()];
        match active {
            Some(local) => {
                let local = &self.lowered.local[local.idx()];
                self.program.steps(shared.bytes(), local.bytes(), &mut steps);
            }
            None => self.program.environment_steps(shared.bytes(), &mut steps),
        }
        let taken = steps.iter().nth(step_idx).ok_or_else(|| mismatch("a step is missing"))?;
        let label = self.program.narrator().label(taken.label());
        let passive = match taken.broadcast() {
            None => Vec::new(),
            // Nothing comes after an error, so its counters were not followed.
            Some(broadcast) if taken.violation().is_some() => self.any_passive(broadcast, thread),
            Some(_) => self.passive(step, thread),
        };
        let after = taken.local().map(Store::new).filter(|_| thread.is_some());
        let spawned: Vec<Store> = taken.spawned().map(Store::new).collect();
        if taken.violation().is_none() {
            self.follow(thread, after.as_ref(), &spawned)?;
        }
        let retold = ThreadStep {
            thread: thread.map(|thread| thread as u32),
            label: label.text,
            span: label.span,
            shared: Store::new(taken.shared()),
            local: after,
            spawned,
            passive,
        };
        Ok((retold, taken.violation().map(StepErrorRef::owned)))
    }

    /// Moves the active thread and adds the spawned ones.
    fn follow(
        &mut self,
        thread: Option<usize>,
        after: Option<&Store>,
        spawned: &[Store],
    ) -> Result<(), StopReason> {
        if let Some(thread) = thread {
            self.locals[thread] = after.map(|store| self.index_of(store)).transpose()?;
            self.last = Some(thread);
        }
        for store in spawned {
            let local = self.index_of(store)?;
            self.locals.push(Some(local));
        }
        Ok(())
    }

    /// The thread that takes a step from `local`: the one that moved last, so that
    /// there are few switches to read, otherwise the first.
    fn choose(&self, local: CounterId) -> Result<usize, StopReason> {
        let fits = |thread: &usize| self.locals[*thread] == Some(local);
        let found = self.last.filter(fits).or_else(|| (0..self.locals.len()).find(fits));
        found.ok_or_else(|| mismatch("no thread is where a step starts"))
    }

    /// Moves the threads that a broadcast moves, and tells which.
    fn passive(&mut self, step: &CounterStep, active: Option<usize>) -> Vec<PassiveMove> {
        let transition = &self.lowered.system.transitions[step.transition.idx()];
        let mut moved = Vec::new();
        let mut choices = step.choices.clone();
        for thread in 0..self.locals.len() {
            if Some(thread) == active {
                continue;
            }
            let Some(local) = self.locals[thread] else { continue };
            let Some(rule) = transition.moves.iter().find(|m| m.from == local) else { continue };
            let to = match rule.to[..] {
                [only] => only,
                _ => {
                    let open = choices.iter_mut().find(|(f, _, n)| *f == local && *n > 0);
                    let Some((_, to, amount)) = open else { continue };
                    *amount -= 1;
                    *to
                }
            };
            self.locals[thread] = Some(to);
            let store = self.lowered.local[to.idx()].clone();
            if to != local {
                moved.push(PassiveMove { thread: thread as u32, local: store });
            }
        }
        moved
    }

    /// Some reaction of every other thread to a broadcast: to stay, if it may.
    fn any_passive(&self, broadcast: BroadcastId, active: Option<usize>) -> Vec<PassiveMove> {
        let mut moved = Vec::new();
        for (thread, local) in self.locals.iter().enumerate() {
            let Some(local) = local.filter(|_| Some(thread) != active) else { continue };
            let store = &self.lowered.local[local.idx()];
            let mut becomes = Vec::new();
            self.program.passive(broadcast, store.bytes(), &mut becomes);
            if !becomes.is_empty() && !becomes.contains(store) {
                moved.push(PassiveMove { thread: thread as u32, local: becomes.swap_remove(0) });
            }
        }
        moved
    }

    fn index_of(&self, store: &Store) -> Result<CounterId, StopReason> {
        let found = self.lowered.local.iter().position(|known| known == store);
        found.map(|idx| CounterId(idx as u32)).ok_or_else(|| mismatch("a local store is new"))
    }
}

fn mismatch(what: &str) -> StopReason {
    StopReason::Incomplete { why: format!("the counterexample could not be retold: {what}") }
}

/// A template for each initial thread, so that fixed multiplicities are met: a
/// matching of threads with templates of fixed multiplicity that leaves out only
/// threads that a template of any multiplicity accepts.
pub fn assign_templates(
    program: &dyn ThreadProgram,
    threads: Vec<Store>,
) -> Result<Vec<usize>, StopReason> {
    let templates = program.templates();
    let any = |store: &Store| {
        templates.iter().position(|template| {
            template.multiplicity == Multiplicity::Any && template.initial.contains(store)
        })
    };
    // Threads that need a place come first; a place once given is never lost.
    let mut order: Vec<usize> = (0..threads.len()).collect();
    order.sort_by_key(|thread| any(&threads[*thread]).is_some());
    let mut matching =
        Matching { templates, threads: &threads, assigned: vec![None; threads.len()] };
    for thread in order {
        matching.place(thread, &mut vec![false; templates.len()]);
    }
    let complete = matching.assigned.iter().zip(&threads).map(|(known, store)| {
        known.or_else(|| any(store)).ok_or_else(|| mismatch("a thread has no template"))
    });
    complete.collect()
}

struct Matching<'a> {
    templates: &'a [Template],
    threads: &'a [Store],
    assigned: Vec<Option<usize>>,
}

impl Matching<'_> {
    /// Finds a template for `thread`, moving others if need be.
    fn place(&mut self, thread: usize, seen: &mut Vec<bool>) -> bool {
        for (idx, template) in self.templates.iter().enumerate() {
            let Multiplicity::Exactly(count) = template.multiplicity else { continue };
            if seen[idx] || !template.initial.contains(&self.threads[thread]) {
                continue;
            }
            seen[idx] = true;
            let holders: Vec<usize> =
                (0..self.threads.len()).filter(|t| self.assigned[*t] == Some(idx)).collect();
            let has_room = holders.len() < count as usize;
            if has_room || holders.into_iter().any(|holder| self.place(holder, seen)) {
                self.assigned[thread] = Some(idx);
                return true;
            }
        }
        false
    }
}
