//! Steps that were computed, with numbers in place of stores, remembered by the two stores
//! that they depend on.

use std::sync::{Arc, OnceLock};

use model::{
    Access, BroadcastId, Footprint, LabelId, Omission, StepError, StepErrorRef, StepRef, Steps,
    StopReason, ThreadProgram,
};
use rustc_hash::FxHashMap;

use super::stores::Cache;
use crate::kernel::race;

/// Pairs of stores whose steps are remembered, before all are forgotten.
pub(super) const MAX_REMEMBERED: usize = 1 << 18;

/// A step with numbers instead of stores.
pub(super) struct Numbered {
    pub(super) shared: u64,
    /// Zero when the thread has ended.
    pub(super) local: u64,
    pub(super) spawned: Vec<u64>,
    pub(super) broadcast: Option<BroadcastId>,
    pub(super) label: LabelId,
    pub(super) violation: Option<StepError>,
    pub(super) is_spurious: bool,
    pub(super) goes_back: bool,
    /// Is all that it touches in `accesses`?
    pub(super) is_local: bool,
    pub(super) accesses: Box<[Access]>,
}

impl Numbered {
    fn of(step: StepRef<'_>, cache: &mut Cache<'_>) -> Result<Numbered, StopReason> {
        let local = step.local().map_or(Ok(0), |local| cache.number(local))?;
        let spawned: Result<Vec<u64>, StopReason> =
            step.spawned().map(|local| cache.number(local)).collect();
        Ok(Numbered {
            shared: cache.number(step.shared())?,
            local,
            spawned: spawned?,
            broadcast: step.broadcast(),
            label: step.label(),
            violation: step.violation().map(StepErrorRef::owned),
            is_spurious: step.is_spurious(),
            goes_back: step.goes_back(),
            is_local: matches!(step.footprint(), Footprint::Known(_)),
            accesses: match step.footprint() {
                Footprint::Everything => Box::default(),
                Footprint::Known(accesses) => accesses.into(),
            },
        })
    }
}

/// The steps of a thread, as far as its program knows them.
pub(super) struct Known {
    pub(super) steps: Box<[Numbered]>,
    /// What is left out because the program does not know all steps.
    pub(super) unknown: Option<Arc<Omission>>,
    /// Does it not go on because an assumption of the program is false?
    pub(super) is_assumed_away: bool,
    /// What the thread touches on ways that come to nothing.
    pub(super) in_vain: Box<[Access]>,
    /// Who the thread is and whom it waits for, if it has no step.
    pub(super) waits_for: Option<(u32, u32)>,
    /// Can something that it touches be half of a race?
    pub(super) has_plain_access: bool,
    /// The objects that the thread may ever touch, once somebody asked; `None` if the
    /// program cannot say.
    pub(super) future: OnceLock<Option<Box<[u32]>>>,
}

impl Known {
    /// What the program said. Whom the thread waits for is not looked up.
    pub(super) fn of(steps: &Steps, cache: &mut Cache<'_>) -> Result<Known, StopReason> {
        let numbered: Result<Box<[Numbered]>, StopReason> =
            steps.iter().map(|step| Numbered::of(step, cache)).collect();
        let unknown = steps.incomplete();
        let mut known = Known {
            steps: numbered?,
            unknown: unknown.map(|why| Arc::new(Omission::UnknownSteps { why: why.to_owned() })),
            is_assumed_away: steps.is_assumed_away(),
            in_vain: steps.in_vain().into(),
            waits_for: None,
            has_plain_access: false,
            future: OnceLock::new(),
        };
        let has_plain_access = known.accesses().any(|access| !access.is_atomic);
        known.has_plain_access = has_plain_access;
        Ok(known)
    }

    /// All that the thread can touch next.
    pub(super) fn accesses(&self) -> impl Iterator<Item = &Access> + Clone {
        self.steps.iter().flat_map(|step| &*step.accesses).chain(&*self.in_vain)
    }

    /// Accesses of the next step of this thread in `shared`, each with one of another's that
    /// it races with.
    pub(super) fn racing<'a>(
        &'a self,
        program: &'a dyn ThreadProgram,
        shared: &'a [u8],
        other: &'a Known,
    ) -> impl Iterator<Item = (Access, Access)> {
        let (left, right) = match (self.has_plain_access, other.has_plain_access) {
            (false, false) => (None, None),
            _ => (Some(self), Some(other)),
        };
        let left = left.into_iter().flat_map(Known::accesses);
        race::racing(program, shared, left, right.into_iter().flat_map(Known::accesses))
    }

    /// Has the thread a step that it can count on, or may it have one?
    pub(super) fn goes_on(&self) -> bool {
        self.unknown.is_some() || self.steps.iter().any(|step| !step.is_spurious)
    }
}

/// Steps by the number of the shared store, then by that of the local store; a local of
/// zero stands for the environment. The threads of a state are found side by side.
#[derive(Default)]
pub(super) struct StepTable {
    by_shared: FxHashMap<u64, FxHashMap<u64, Arc<Known>>>,
    n_pairs: usize,
}

impl StepTable {
    pub(super) fn get(&self, shared: u64, local: u64) -> Option<&Arc<Known>> {
        self.by_shared.get(&shared)?.get(&local)
    }

    pub(super) fn insert(&mut self, shared: u64, local: u64, known: Arc<Known>) {
        if self.n_pairs >= MAX_REMEMBERED {
            self.by_shared.clear();
            self.n_pairs = 0;
        }
        self.n_pairs += 1;
        self.by_shared.entry(shared).or_default().insert(local, known);
    }
}

/// A thread of a state.
pub(super) struct PresentThread {
    pub(super) slot: u32,
    pub(super) local: u64,
    pub(super) steps: Arc<Known>,
}

/// The threads of a state.
#[derive(Default)]
pub(super) struct Present {
    state: Vec<u64>,
    pub(super) threads: Vec<PresentThread>,
}

impl Present {
    pub(super) fn is_of(&self, state: &[u64]) -> bool {
        self.state == state
    }

    /// Makes room for the threads of `state`.
    pub(super) fn start(&mut self, state: &[u64]) {
        self.state.clear();
        self.state.extend_from_slice(state);
        self.threads.clear();
    }
}
