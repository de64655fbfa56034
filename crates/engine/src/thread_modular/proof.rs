//! The views as a certificate.

use std::collections::BTreeMap;

use model::{
    Certificate, ControlId, CounterId, Proof, StoreViews, ThreadCount, ThreadViews, Variant,
    ViewMember, Vocabulary,
};

use super::closure::Closure;
use super::kinds::NO_KIND;
use super::views::{Origin, PlaceId};
use crate::kernel::step_table::{LocalId, SharedId};

/// The claim that nothing is reachable but what these views show. Views that are part of
/// another one are not listed.
pub fn certificate(closure: &Closure<'_>, scope: ThreadCount) -> Certificate {
    let mut names = Names { closure, shared: BTreeMap::new(), local: BTreeMap::new() };
    let mut stores: BTreeMap<PlaceId, StoreViews> = BTreeMap::new();
    for view in closure.views.all() {
        let store = stores.entry(view.place).or_insert_with(|| names.store(view.place));
        if !matches!(view.origin, Origin::Within(_)) && view.threads.len() > 0 {
            let members = view.threads.iter().map(|member| {
                let member = closure.views.member(member);
                let kind = Some(member.kind).filter(|&kind| kind != NO_KIND);
                ViewMember(kind, names.counter(member.local))
            });
            store.views.push(members.collect());
        }
    }
    let exposed = (closure.classes.all.iter())
        .map(|class| class.members.iter().filter_map(|l| names.local.get(l).copied()).collect())
        .map(|mut class: Vec<CounterId>| {
            class.sort_unstable();
            class
        })
        .collect();
    let by_number = |(store, number)| (number, store);
    let shared: BTreeMap<ControlId, SharedId> = names.shared.into_iter().map(by_number).collect();
    let local: BTreeMap<CounterId, LocalId> =
        names.local.into_iter().map(|(store, number)| (number, store)).collect();
    Certificate {
        variant: Variant::AS_WRITTEN,
        scope,
        vocabulary: Vocabulary::Threads {
            shared: shared.values().map(|&s| closure.table.shared(s).clone()).collect(),
            local: local.values().map(|&l| closure.table.local(l).clone()).collect(),
        },
        proof: Proof::ThreadModular(ThreadViews {
            level: closure.views.level() as u32,
            exposed,
            stores: stores.into_values().collect(),
        }),
    }
}

/// Numbers of the stores that views speak of.
struct Names<'a, 'p> {
    closure: &'a Closure<'p>,
    shared: BTreeMap<SharedId, ControlId>,
    local: BTreeMap<LocalId, CounterId>,
}

impl Names<'_, '_> {
    fn store(&mut self, place: PlaceId) -> StoreViews {
        let place = self.closure.views.place(place);
        let next = ControlId(self.shared.len() as u32);
        let shared = *self.shared.entry(place.shared).or_insert(next);
        let n_classes = self.closure.classes.len();
        let counts = (0..n_classes).map(|class| place.counts.of(class) as u8).collect();
        StoreViews { shared, counts, views: Vec::new() }
    }

    fn counter(&mut self, local: LocalId) -> CounterId {
        let next = CounterId(self.local.len() as u32);
        *self.local.entry(local).or_insert(next)
    }
}
