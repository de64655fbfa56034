//! From the counters of a lowered program back to threads: traces and
//! certificates in the program's own stores.

use model::{
    Certificate, Configuration, CounterId, CounterStep, CounterTrace, LinearLemma, Multiplicity,
    PassiveMove, Proof, Refutation, Steps, StopReason, Store, Support, ThreadCount, ThreadProgram,
    ThreadStep, ThreadTrace, Trap, Violation, Vocabulary, Zone,
};

use super::lower::{Lowered, Origin};

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
    };
    let vocabulary =
        Vocabulary::Threads { shared: lowered.shared.clone(), local: lowered.local.clone() };
    Certificate { scope, vocabulary, proof }
}

/// A trace of counters as a trace of threads.
///
/// # Errors
/// When the trace is none of the program: our own mistake, told as such.
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
    let violation = match lowered.target_origins[counters.target] {
        Some(target) => Violation::Target(target),
        None => Violation::Step(String::new()),
    };
    let mut trace = ThreadTrace {
        shared: lowered.shared[counters.initial.control.idx()].clone(),
        threads: threads.iter().map(store).collect(),
        templates,
        steps: Vec::new(),
        violation,
    };
    let mut actors =
        Actors { program, lowered, locals: threads.into_iter().map(Some).collect(), last: None };
    let mut before = &counters.initial;
    for step in &counters.steps {
        match lowered.origins[step.transition.idx()] {
            // Its second half tells everything.
            Origin::FirstHalf => continue,
            Origin::Step { active, step_idx } => {
                let (step, error) = actors.act(before, step, active, step_idx)?;
                trace.steps.push(step);
                if let (Some(error), Violation::Step(message)) = (error, &mut trace.violation) {
                    *message = error;
                }
            }
        }
        before = &step.after;
    }
    Ok(trace)
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
    ) -> Result<(ThreadStep, Option<String>), StopReason> {
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
        let label = self.program.label(taken.label());
        let passive =
            if taken.broadcast().is_some() { self.passive(step, thread) } else { Vec::new() };
        let after = taken.local().map(Store::new).filter(|_| thread.is_some());
        let spawned: Vec<Store> = taken.spawned().map(Store::new).collect();
        if let Some(thread) = thread {
            self.locals[thread] = after.as_ref().map(|store| self.index_of(store)).transpose()?;
            self.last = Some(thread);
        }
        for store in &spawned {
            let local = self.index_of(store)?;
            self.locals.push(Some(local));
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
        Ok((retold, taken.violation().map(str::to_string)))
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

    fn index_of(&self, store: &Store) -> Result<CounterId, StopReason> {
        let found = self.lowered.local.iter().position(|known| known == store);
        found.map(|idx| CounterId(idx as u32)).ok_or_else(|| mismatch("a local store is new"))
    }
}

fn mismatch(what: &str) -> StopReason {
    StopReason::Incomplete { why: format!("the counterexample could not be retold: {what}") }
}

/// A template for each initial thread, so that fixed multiplicities are met.
fn assign_templates(
    program: &dyn ThreadProgram,
    threads: Vec<Store>,
) -> Result<Vec<usize>, StopReason> {
    let templates = program.templates();
    let mut assigned: Vec<Option<usize>> = vec![None; threads.len()];
    for (template, spec) in templates.iter().enumerate() {
        let Multiplicity::Exactly(count) = spec.multiplicity else { continue };
        for _ in 0..count {
            let mut seen = vec![false; threads.len()];
            if !augment(program, &threads, template, &mut assigned, &mut seen) {
                return Err(mismatch("a template has too few threads"));
            }
        }
    }
    let any = |store: &Store| {
        templates
            .iter()
            .position(|spec| spec.multiplicity == Multiplicity::Any && spec.initial.contains(store))
    };
    let complete = assigned.into_iter().zip(&threads).map(|(known, store)| {
        known.or_else(|| any(store)).ok_or_else(|| mismatch("a thread has no template"))
    });
    complete.collect()
}

/// Finds one more thread for `template`, reassigning others if need be.
fn augment(
    program: &dyn ThreadProgram,
    threads: &[Store],
    template: usize,
    assigned: &mut Vec<Option<usize>>,
    seen: &mut Vec<bool>,
) -> bool {
    for (thread, store) in threads.iter().enumerate() {
        if seen[thread]
            || assigned[thread] == Some(template)
            || !program.templates()[template].initial.contains(store)
        {
            continue;
        }
        seen[thread] = true;
        let is_free = match assigned[thread] {
            None => true,
            Some(other) => augment(program, threads, other, assigned, seen),
        };
        if is_free {
            assigned[thread] = Some(template);
            return true;
        }
    }
    false
}
