//! From the slice back to the original: traces and proofs.

use model::{
    Configuration, ControlId, Count, CounterId, InitialZone, LinearLemma, Proof, Refutation,
    TransitionId, Trap, Zone,
};

use super::{FreeCounter, Slice};

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
    pub fn lift_schedule(&self, schedule: &Schedule) -> Schedule {
        let zone = &self.system.initial[schedule.initial];
        let control = self.controls[zone.control.idx()];
        let target = self.targets[schedule.target];
        let mut transitions: Vec<TransitionId> =
            schedule.transitions.iter().map(|id| self.transitions[id.idx()]).collect();
        for free in self.free.iter().rev() {
            self.fill(free, control, target, &mut transitions);
        }
        let initial = self.original_initial(schedule.initial);
        Schedule { initial, transitions, target }
    }

    /// The original initial zone behind one of the slice: zones are kept in order
    /// and dropped only with their control state.
    fn original_initial(&self, idx: usize) -> usize {
        let kept = |zone: &InitialZone| self.controls.binary_search(&zone.control).is_ok();
        let mut originals = self.original.initial.iter().enumerate().filter(|(_, zone)| kept(zone));
        originals.nth(idx).expect("the slice has no more zones than the original").0
    }

    fn fill(
        &self,
        free: &FreeCounter,
        control: ControlId,
        target: usize,
        transitions: &mut Vec<TransitionId>,
    ) {
        let Some((_, pump)) = free.pumps.iter().find(|(start, _)| *start == control) else {
            return;
        };
        let missing = self.missing(free.counter, target, transitions);
        let delta = &self.original.transitions[pump.idx()].delta;
        let gain = delta.iter().find(|(counter, _)| *counter == free.counter);
        let gain = gain.map_or(1, |(_, gain)| u32::try_from(*gain).unwrap_or(u32::MAX));
        let n_pumps = missing.div_ceil(gain) as usize;
        transitions.splice(0..0, std::iter::repeat_n(*pump, n_pumps));
    }

    /// How much of `counter` must be there before `transitions` so that they can
    /// fire and the target is reached. What moves bring is not counted on.
    fn missing(&self, counter: CounterId, target: usize, transitions: &[TransitionId]) -> u32 {
        let (mut level, mut missing) = (0i64, 0i64);
        for id in transitions {
            let transition = &self.original.transitions[id.idx()];
            let guard = transition.guard.iter().find(|(guarded, _)| *guarded == counter);
            let delta = transition.delta.iter().find(|(changed, _)| *changed == counter);
            let delta = delta.map_or(0, |(_, delta)| *delta);
            let need = guard.map_or(0, |(_, bounds)| i64::from(bounds.min)).max(-delta);
            missing = missing.max(need - level);
            level += delta;
        }
        let wanted = self.original.targets[target].zone.bounds_of(counter).min;
        missing = missing.max(i64::from(wanted) - level);
        u32::try_from(missing).unwrap_or(u32::MAX)
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
            Proof::Views(_) | Proof::Exhausted { .. } => proof,
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
