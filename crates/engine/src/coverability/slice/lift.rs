//! From the slice back to the original: traces and proofs.

use model::{
    Configuration, ControlId, Count, CounterId, CounterSystem, CounterTransition, InitialZone,
    LinearLemma, Proof, Refutation, StopReason, TransitionId, Trap, Zone,
};
use rustc_hash::FxHashMap;

use super::Slice;

/// Longer runs would not fit into any memory, each step of a trace being some hundred
/// bytes.
const MAX_STEPS: u64 = 1 << 26;

/// A run by its transitions alone: where it starts and what fires. Initial
/// counts and splits of moved tokens are chosen when it is executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The initial zone that it starts in, as an index.
    pub initial: usize,
    /// What fires.
    pub transitions: Vec<TransitionId>,
    /// The target that it ends in.
    pub target: usize,
}

impl Slice<'_> {
    /// A schedule of the slice as one of the original: counters that are free by
    /// pumping are filled first.
    ///
    /// # Errors
    /// When that takes more steps than a trace can have.
    pub fn lift_schedule(&self, schedule: &Schedule) -> Result<Schedule, StopReason> {
        let zone = &self.system.initial[schedule.initial];
        let control = self.controls[zone.control.idx()];
        let target = self.targets[schedule.target];
        let steps: Vec<TransitionId> =
            schedule.transitions.iter().map(|id| self.transitions[id.idx()]).collect();
        let mut demand = Demand::of(self.original, &self.original.targets[target].zone);
        steps.iter().rev().for_each(|id| demand.precede(*id, 1));
        // Pumps are put before what is there already, so the last one comes first.
        let mut pumps: Vec<(TransitionId, u64)> = Vec::new();
        let mut n_steps = steps.len() as u64;
        for free in self.free.iter().rev() {
            let Some((_, pump)) = free.pumps.iter().find(|(start, _)| *start == control) else {
                continue;
            };
            let n_pumps = demand.n_to_fill(free.counter, *pump);
            n_steps = n_steps.saturating_add(n_pumps);
            pumps.push((*pump, n_pumps));
            demand.precede(*pump, n_pumps);
        }
        if n_steps > MAX_STEPS {
            let why = format!("an error is reachable, but the run to it has {n_steps} steps");
            return Err(StopReason::Incomplete { why });
        }
        let first = pumps.into_iter().rev();
        let mut transitions: Vec<TransitionId> =
            first.flat_map(|(pump, n)| std::iter::repeat_n(pump, n as usize)).collect();
        transitions.extend(steps);
        Ok(Schedule { initial: self.original_initial(schedule.initial), transitions, target })
    }

    /// The original initial zone behind one of the slice: zones are kept in order
    /// and dropped only with their control state.
    fn original_initial(&self, idx: usize) -> usize {
        let kept = |zone: &InitialZone| self.controls.binary_search(&zone.control).is_ok();
        let mut originals = self.original.initial.iter().enumerate().filter(|(_, zone)| kept(zone));
        originals.nth(idx).expect("the slice has no more zones than the original").0
    }

    /// A proof about the slice as one about the original. The linear facts in a
    /// basis are about the original already.
    pub fn lift_proof(&self, proof: Proof) -> Proof {
        match proof {
            Proof::Cover { configurations } => self.lift_cover(&configurations),
            Proof::Basis { lemmas, basis, .. } => Proof::Basis {
                support: self.support.clone(),
                equal: self.equal.clone(),
                lemmas,
                basis: basis.iter().map(|zone| self.lift_zone(zone)).collect(),
            },
            Proof::Equation { refutations, .. } => Proof::Equation {
                support: self.support.clone(),
                refutations: refutations.iter().map(|r| self.lift_refutation(r)).collect(),
            },
            // It names nothing of the slice.
            Proof::Views(_)
            | Proof::ThreadModular(_)
            | Proof::ElementViews(_)
            | Proof::Summaries(_)
            | Proof::Exhausted { .. } => proof,
        }
    }

    /// Everything dropped may have any value: what is dropped cannot help.
    fn lift_cover(&self, configurations: &[Configuration]) -> Proof {
        let mut lifted = Vec::new();
        let kept = |id: &CounterId| self.counters.binary_search(id).ok();
        for (control, counters) in &self.support.controls {
            let Ok(sliced) = self.controls.binary_search(control) else {
                let counts = counters.iter().map(|counter| (*counter, Count::OMEGA)).collect();
                lifted.push(Configuration { control: *control, counts });
                continue;
            };
            let here = configurations.iter().filter(|c| c.control.idx() == sliced);
            for configuration in here {
                let count = |counter: &CounterId| {
                    let merged = self.equal.iter().find(|(dropped, _)| dropped == counter);
                    let id = merged.map_or(counter, |(_, kept)| kept);
                    match kept(id) {
                        Some(idx) => configuration.count(CounterId(idx as u32)),
                        None => Count::OMEGA,
                    }
                };
                let counts = counters.iter().map(|counter| (*counter, count(counter)));
                let counts = counts.filter(|(_, count)| *count != Count::ZERO).collect();
                lifted.push(Configuration { control: *control, counts });
            }
        }
        Proof::Cover { configurations: lifted }
    }

    /// A zone of the slice in the original's indices.
    pub fn lift_zone(&self, zone: &Zone) -> Zone {
        let bounds = zone.bounds.iter().map(|(id, bounds)| (self.counters[id.idx()], *bounds));
        Zone { control: self.controls[zone.control.idx()], bounds: bounds.collect() }
    }

    /// A zone of the original in the slice's indices, if it keeps all that matters
    /// to it.
    pub fn slice_zone(&self, zone: &Zone) -> Option<Zone> {
        let control = self.sliced_control(zone.control)?;
        let bounds = zone.bounds.iter().map(|(id, b)| Some((self.sliced_counter(*id)?, *b)));
        Some(Zone { control, bounds: bounds.collect::<Option<_>>()? })
    }

    /// The slice's index of a control state of the original.
    pub fn sliced_control(&self, control: ControlId) -> Option<ControlId> {
        self.controls.binary_search(&control).ok().map(|idx| ControlId(idx as u32))
    }

    /// The slice's index of a counter of the original, or of the one it was merged
    /// into.
    pub fn sliced_counter(&self, counter: CounterId) -> Option<CounterId> {
        let merged = self.equal.iter().find(|(dropped, _)| *dropped == counter);
        let counter = merged.map_or(counter, |(_, kept)| *kept);
        self.counters.binary_search(&counter).ok().map(|idx| CounterId(idx as u32))
    }

    /// A linear fact about the slice in the original's indices.
    pub fn lift_lemma(&self, lemma: &LinearLemma) -> LinearLemma {
        LinearLemma {
            controls: lemma.controls.iter().map(|(id, w)| (self.controls[id.idx()], *w)).collect(),
            counters: lemma.counters.iter().map(|(id, w)| (self.counters[id.idx()], *w)).collect(),
            bound: lemma.bound,
        }
    }

    fn lift_refutation(&self, refutation: &Refutation) -> Refutation {
        let trap = |trap: &Trap| Trap {
            controls: trap.controls.iter().map(|id| self.controls[id.idx()]).collect(),
            counters: trap.counters.iter().map(|id| self.counters[id.idx()]).collect(),
        };
        Refutation {
            lemma: self.lift_lemma(&refutation.lemma),
            traps: refutation.traps.iter().map(|(t, multiplier)| (trap(t), *multiplier)).collect(),
        }
    }
}

/// How much of each counter must be there so that some transitions can fire and a target
/// is reached. What moves bring is not counted on.
struct Demand<'a> {
    system: &'a CounterSystem,
    missing: FxHashMap<CounterId, i64>,
}

impl<'a> Demand<'a> {
    /// What is demanded when nothing fires any more.
    fn of(system: &'a CounterSystem, target: &Zone) -> Demand<'a> {
        let wanted = target.bounds.iter().map(|(id, bounds)| (*id, i64::from(bounds.min)));
        Demand { system, missing: wanted.collect() }
    }

    /// What is demanded before a transition fires `times` times.
    fn precede(&mut self, id: TransitionId, times: u64) {
        if times == 0 {
            return;
        }
        let transition = &self.system.transitions[id.idx()];
        let guarded = transition.guard.iter().map(|(counter, _)| *counter);
        let changed = transition.delta.iter().map(|(counter, _)| *counter);
        let mut touched: Vec<CounterId> = guarded.chain(changed).collect();
        touched.sort_unstable();
        touched.dedup();
        for counter in touched {
            let guard = transition.guard.iter().find(|(guarded, _)| *guarded == counter);
            let delta = gain(transition, counter);
            let need = guard.map_or(0, |(_, bounds)| i64::from(bounds.min)).max(-delta);
            let missing = self.missing.entry(counter).or_default();
            // Each time `need` must be there, and the first time it must be enough for
            // all that the other times take.
            let times = i64::try_from(times).unwrap_or(i64::MAX);
            let for_last = need.saturating_sub((times - 1).saturating_mul(delta.min(0)));
            *missing = missing.saturating_sub(times.saturating_mul(delta)).max(for_last);
        }
    }

    /// How often `pump` must fire so that nothing of `counter` is missing.
    fn n_to_fill(&self, counter: CounterId, pump: TransitionId) -> u64 {
        let missing = self.missing.get(&counter).copied().unwrap_or(0).max(0).unsigned_abs();
        let gain = gain(&self.system.transitions[pump.idx()], counter);
        missing.div_ceil(gain.max(1).unsigned_abs())
    }
}

fn gain(transition: &CounterTransition, counter: CounterId) -> i64 {
    let delta = transition.delta.iter().find(|(changed, _)| *changed == counter);
    delta.map_or(0, |(_, delta)| *delta)
}
