//! Decides what can be non-zero where: the over-approximation of the reachable
//! configurations within which every other check works.

use model::{Bounds, Configuration, ControlId, CounterId, Support, Zone};

use crate::wellformed::Sizes;

/// For each control state that may be reached, the counters that may be non-zero.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    /// By control state; sorted counters.
    controls: Vec<Option<Vec<CounterId>>>,
}

impl Reach {
    /// What a proof's support lists.
    pub(crate) fn of_support(support: &Support, sizes: Sizes) -> Reach {
        let mut controls = vec![None; sizes.n_controls];
        for (control, counters) in &support.controls {
            controls[control.idx()] = Some(counters.clone());
        }
        Reach { controls }
    }

    /// What some of the configurations is non-zero in.
    pub(crate) fn of_configurations(configurations: &[Configuration], sizes: Sizes) -> Reach {
        let mut controls: Vec<Option<Vec<CounterId>>> = vec![None; sizes.n_controls];
        for configuration in configurations {
            let counters = controls[configuration.control.idx()].get_or_insert_default();
            let non_zero = configuration.counts.iter().filter(|entry| entry.1 > model::Count::ZERO);
            counters.extend(non_zero.map(|entry| entry.0));
            // Merging at each doubling keeps the list short and the cost low.
            if counters.len() > 2 * sizes.n_counters {
                counters.sort_unstable();
                counters.dedup();
            }
        }
        for counters in controls.iter_mut().flatten() {
            counters.sort_unstable();
            counters.dedup();
        }
        Reach { controls }
    }

    /// May `control` be reached?
    pub(crate) fn has_control(&self, control: ControlId) -> bool {
        self.controls.get(control.idx()).is_some_and(Option::is_some)
    }

    /// May `counter` be non-zero in `control`?
    pub(crate) fn contains(&self, control: ControlId, counter: CounterId) -> bool {
        self.counters(control).binary_search(&counter).is_ok()
    }

    /// The counters that may be non-zero in `control`, sorted.
    pub(crate) fn counters(&self, control: ControlId) -> &[CounterId] {
        self.controls.get(control.idx()).and_then(Option::as_deref).unwrap_or(&[])
    }

    /// The control states that may be reached, ascending.
    pub(crate) fn controls(&self) -> impl Iterator<Item = ControlId> {
        (0u32..)
            .zip(&self.controls)
            .filter(|entry| entry.1.is_some())
            .map(|entry| ControlId(entry.0))
    }

    /// The same control states, with their counters replaced.
    pub(crate) fn map_counters(&self, map: impl Fn(&[CounterId]) -> Vec<CounterId>) -> Reach {
        Reach { controls: self.controls.iter().map(|list| list.as_deref().map(&map)).collect() }
    }

    /// The part of `zone` within reach, without bounds that say nothing there;
    /// `None` if no configuration is left.
    pub(crate) fn restrict(&self, mut zone: Zone) -> Option<Zone> {
        if !self.has_control(zone.control) {
            return None;
        }
        for (counter, bounds) in &mut zone.bounds {
            if !self.contains(zone.control, *counter) {
                if bounds.min > 0 {
                    return None;
                }
                bounds.max = None;
            }
            if bounds.is_empty() {
                return None;
            }
        }
        zone.bounds.retain(|entry| entry.1 != Bounds::at_least(0));
        Some(zone)
    }
}
