//! Decides which configurations of a thread program are errors, as zones over the
//! vocabulary: distinct threads fill all slots of a target.

use std::collections::{BTreeMap, BTreeSet};

use model::{Bounds, ControlId, CounterId, ThreadProgram, Zone};

use crate::budget::Budget;
use crate::choose::{ways, within};
use crate::reach::Reach;
use crate::rejection::Rejection;
use crate::system::{Blame, Forbidden};
use crate::threads::Names;

/// How many threads each local store needs.
type SlotNeeds = BTreeMap<CounterId, u32>;

/// All minimal error configurations within reach, each with everything above it.
pub(crate) fn zones(
    program: &dyn ThreadProgram,
    names: &Names<'_>,
    reach: &Reach,
    budget: &Budget<'_>,
) -> Result<Vec<Forbidden>, Rejection> {
    let requirements = program.requirements();
    let mut zones = Vec::new();
    for (idx, shape) in requirements.targets().iter().enumerate() {
        for control in reach.controls() {
            budget.tick()?;
            if !requirements.target_shared(idx, names.shared(control)) {
                continue;
            }
            let mut needs = BTreeSet::from([SlotNeeds::new()]);
            for (slot, &n_threads) in shape.slots.iter().enumerate() {
                let fits = |counter: &CounterId| {
                    let (shared, local) = (names.shared(control), names.local(*counter));
                    requirements.target_local(idx, slot, shared, local)
                };
                let fitting: Vec<_> =
                    reach.counters(control).iter().copied().filter(fits).collect();
                needs = fill(&needs, n_threads, &fitting, budget)?;
            }
            zones.extend(needs.into_iter().map(|need| forbid(idx, control, need)));
        }
    }
    Ok(zones)
}

/// Adds `n_threads` threads in fitting stores to each need, in every way.
fn fill(
    needs: &BTreeSet<SlotNeeds>,
    n_threads: u32,
    fitting: &[CounterId],
    budget: &Budget<'_>,
) -> Result<BTreeSet<SlotNeeds>, Rejection> {
    let ways = ways(n_threads, fitting.len())?;
    let mut longer = BTreeSet::new();
    for need in needs {
        for way in &ways {
            budget.tick()?;
            let mut sum = need.clone();
            for &(choice, n_more) in way {
                let n_threads = sum.entry(fitting[choice]).or_default();
                *n_threads = n_threads
                    .checked_add(n_more)
                    .ok_or_else(|| Rejection::malformed("more threads than 32 bits can count"))?;
            }
            longer.insert(sum);
            within(longer.len(), "ways to fill the slots of a target")?;
        }
    }
    Ok(longer)
}

fn forbid(target: usize, control: ControlId, need: SlotNeeds) -> Forbidden {
    let bounds = need.into_iter().map(|(counter, n)| (counter, Bounds::at_least(n))).collect();
    Forbidden { blame: Blame::Target(target), zone: Zone { control, bounds } }
}
