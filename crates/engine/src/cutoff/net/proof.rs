//! Retells a proof about the threads of a net as one about the net.
//!
//! Zones and thread states between two moves are left out, and so are threads outside.
//!
//! **Why that is a proof.** Let a firing lead from a marking that no zone has to one that a
//! zone has, both within R. On the way back through its chain, either every state has a
//! zone of the proof, and so has the first: a contradiction; or somewhere a token is in a
//! thread state outside of R. The token was in R before, so between there and here is a
//! pair that was a candidate, which has a zone, and from there on back the same holds.
//! Any number of threads is outside, so zones may forget how many they want there.
//! `certify` takes none of this for granted: it checks the result against the net.

use model::{
    Certificate, ControlId, CounterId, LinearLemma, Proof, Store, Support, Variant, Vocabulary,
    Zone,
};

use super::chain::OUTSIDE;
use super::{NetThreads, number};

pub(super) fn certificate(net: &NetThreads<'_>, threads: &Certificate) -> Option<Certificate> {
    let Vocabulary::Threads { shared, local } = &threads.vocabulary else { return None };
    let Proof::Basis { support, equal, lemmas, basis } = &threads.proof else { return None };
    if !equal.is_empty() {
        return None;
    }
    let names = Names { net, shared, local };
    let mut controls: Vec<(ControlId, Vec<CounterId>)> = Vec::new();
    for (control, counters) in &support.controls {
        if let Some(control) = names.control(*control)? {
            let places: Option<Vec<_>> = counters.iter().map(|id| names.place(*id)).collect();
            let mut places: Vec<CounterId> = places?.into_iter().flatten().collect();
            places.sort_unstable();
            controls.push((control, places));
        }
    }
    controls.sort_unstable();
    let mut zones = Vec::new();
    for zone in basis {
        if let Some(control) = names.control(zone.control)? {
            let mut bounds = Vec::new();
            for &(counter, wanted) in &zone.bounds {
                bounds.extend(names.place(counter)?.map(|place| (place, wanted)));
            }
            bounds.sort_unstable_by_key(|bound| bound.0);
            zones.push(Zone { control, bounds });
        }
    }
    let lemmas: Option<Vec<_>> = lemmas.iter().map(|lemma| names.lemma(lemma)).collect();
    let (support, lemmas) = (Support { controls }, lemmas?);
    let proof = Proof::Basis { support, equal: Vec::new(), lemmas, basis: zones };
    Some(Certificate {
        variant: Variant::AS_WRITTEN,
        scope: threads.scope,
        vocabulary: Vocabulary::CounterSystem,
        proof,
    })
}

/// What the numbers of a proof stand for.
struct Names<'a> {
    net: &'a NetThreads<'a>,
    shared: &'a [Store],
    local: &'a [Store],
}

impl Names<'_> {
    /// The net's control state; the inner `None`: a state between two moves.
    fn control(&self, id: ControlId) -> Option<Option<ControlId>> {
        let shared = number(self.shared.get(id.idx())?.bytes())?;
        Some(self.net.is_control(shared).then_some(ControlId(shared)))
    }

    /// A fact without what it weighs between two moves and outside.
    fn lemma(&self, lemma: &LinearLemma) -> Option<LinearLemma> {
        let mut of_net =
            LinearLemma { controls: Vec::new(), counters: Vec::new(), bound: lemma.bound };
        for &(control, weight) in &lemma.controls {
            of_net.controls.extend(self.control(control)?.map(|control| (control, weight)));
        }
        for &(counter, weight) in &lemma.counters {
            of_net.counters.extend(self.place(counter)?.map(|place| (place, weight)));
        }
        of_net.controls.sort_unstable();
        of_net.counters.sort_unstable();
        Some(of_net)
    }

    /// The place; the inner `None`: outside.
    fn place(&self, id: CounterId) -> Option<Option<CounterId>> {
        let local = number(self.local.get(id.idx())?.bytes())?;
        Some((local != OUTSIDE).then(|| CounterId(local - 1)))
    }
}
