//! Replays a run of a counter system, firing by firing.

use std::collections::BTreeMap;

use model::{
    Bounds, Configuration, ControlId, CounterId, CounterStep, CounterSystem, CounterTrace,
    CounterTransition,
};

use crate::rejection::Rejection;

/// Exact counts; counters that are not listed are zero.
type Counts = BTreeMap<CounterId, i128>;

/// Is `trace` a run of the well-formed `system` that ends in its target?
pub(crate) fn replay(system: &CounterSystem, trace: &CounterTrace) -> Result<(), Rejection> {
    let mut control = trace.initial.control;
    let mut counts = read(&trace.initial, system)?;
    if !is_initial(system, control, &counts) {
        let why = "no initial zone contains its first configuration".to_owned();
        return Err(Rejection::NotInitial { why });
    }
    for (step_idx, step) in trace.steps.iter().enumerate() {
        let transition = system.transitions.get(step.transition.idx());
        let transition = transition
            .ok_or_else(|| Rejection::malformed("the trace names an unknown transition"))?;
        let firing = Firing { step_idx, transition, step };
        counts = firing.fire(control, counts)?;
        control = transition.to;
        if step.after.control != control || read(&step.after, system)? != counts {
            let why = format!("firing `{}` does not give what it claims", transition.name);
            return Err(Rejection::WrongSuccessor { step: step_idx, why });
        }
    }
    let target = system.targets.get(trace.target);
    let target = target.ok_or_else(|| Rejection::malformed("the trace names an unknown target"))?;
    let fits = |&(counter, bounds): &(CounterId, Bounds)| contains(bounds, count(&counts, counter));
    if target.zone.control != control || !target.zone.bounds.iter().all(fits) {
        let why = format!("the last configuration is not in `{}`", target.name);
        return Err(Rejection::NoViolation { why });
    }
    Ok(())
}

/// The counts of a configuration that a trace shows.
fn read(configuration: &Configuration, system: &CounterSystem) -> Result<Counts, Rejection> {
    let mut counts = Counts::new();
    for &(counter, count) in &configuration.counts {
        let n = count.as_finite().ok_or_else(|| Rejection::malformed("a trace contains `*`"))?;
        if counter.idx() >= system.counter_names.len() {
            return Err(Rejection::malformed("the trace names an unknown counter"));
        }
        if counts.last_key_value().is_some_and(|last| *last.0 >= counter) {
            return Err(Rejection::malformed("counts in the trace are not sorted"));
        }
        counts.insert(counter, i128::from(n));
    }
    counts.retain(|_, n| *n > 0);
    Ok(counts)
}

fn is_initial(system: &CounterSystem, control: ControlId, counts: &Counts) -> bool {
    system.initial.iter().any(|zone| {
        let is_listed =
            |counter: &CounterId| zone.bounds.binary_search_by_key(counter, |e| e.0).is_ok();
        zone.control == control
            && zone.bounds.iter().all(|&(counter, b)| contains(b, count(counts, counter)))
            && counts.keys().all(is_listed)
    })
}

/// One firing that a trace claims.
struct Firing<'a> {
    step_idx: usize,
    transition: &'a CounterTransition,
    step: &'a CounterStep,
}

impl Firing<'_> {
    fn fire(&self, control: ControlId, before: Counts) -> Result<Counts, Rejection> {
        if control != self.transition.from {
            return Err(self.not_enabled("it starts in another control state"));
        }
        let guard = &self.transition.guard;
        if !guard.iter().all(|&(counter, bounds)| contains(bounds, count(&before, counter))) {
            return Err(self.not_enabled("its guard does not hold"));
        }
        let mut after = self.move_tokens(&before)?;
        for &(counter, change) in &self.transition.delta {
            let n = after.entry(counter).or_default();
            *n += i128::from(change);
            if *n < 0 {
                return Err(self.not_enabled("a counter would become negative"));
            }
        }
        after.retain(|_, n| *n > 0);
        Ok(after)
    }

    fn move_tokens(&self, before: &Counts) -> Result<Counts, Rejection> {
        let moves = &self.transition.moves;
        let mut after = before.clone();
        let mut undecided = Counts::new();
        for entry in moves {
            after.remove(&entry.from);
        }
        for entry in moves {
            let n = count(before, entry.from);
            match entry.to.as_slice() {
                [] => {}
                [to] => *after.entry(*to).or_default() += n,
                _ => {
                    undecided.insert(entry.from, n);
                }
            }
        }
        for &(from, to, n) in &self.step.choices {
            let entry = moves.iter().find(|entry| entry.from == from);
            let is_choice = entry.is_some_and(|e| e.to.len() > 1 && e.to.contains(&to));
            let Some(left) = undecided.get_mut(&from).filter(|_| is_choice) else {
                return Err(self.not_enabled("it lists a choice that does not exist"));
            };
            *left -= i128::from(n);
            *after.entry(to).or_default() += i128::from(n);
        }
        if undecided.values().any(|left| *left != 0) {
            return Err(self.not_enabled("its choices do not add up to the tokens that move"));
        }
        Ok(after)
    }

    fn not_enabled(&self, why: &str) -> Rejection {
        let why = format!("`{}`: {why}", self.transition.name);
        Rejection::StepNotEnabled { step: self.step_idx, why }
    }
}

fn count(counts: &Counts, counter: CounterId) -> i128 {
    counts.get(&counter).copied().unwrap_or(0)
}

/// Counts may leave 32 bits between the steps of a trace, bounds do not.
fn contains(bounds: Bounds, n: i128) -> bool {
    i128::from(bounds.min) <= n && bounds.max.is_none_or(|max| n <= i128::from(max))
}
