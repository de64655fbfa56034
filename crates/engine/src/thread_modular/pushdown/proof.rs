//! The closed P and G as a certificate.

use model::{ExposedClass, GuaranteePair, SectionStart, StackView, Summaries, SummaryEdge, World};

use super::classes::Members;
use super::closure::Closure;

/// The summaries that a closure without an alarm has found.
pub(super) fn summaries(closure: &Closure<'_>) -> Summaries {
    let exposed = closure.classes.exposed.clone();
    let worlds = closure.worlds.values().iter().map(|world| World {
        shared: world.shared,
        counts: (0..exposed.len()).map(|class| world.counts.get(class)).collect(),
    });
    let views = closure.views.values().iter().map(|view| StackView {
        top: view.top,
        took: listed(view.took, &exposed),
        section: view
            .section
            .map(|(world, members)| SectionStart { world, members: listed(members, &exposed) }),
    });
    let mut edges: Vec<SummaryEdge> = closure
        .edges
        .iter()
        .map(|edge| {
            let (entry_world, entry_view) = *closure.entries.get(edge.entry);
            SummaryEdge { entry_world, entry_view, world: edge.world, view: edge.view }
        })
        .collect();
    edges.sort_unstable();
    let guarantee = closure.guarantee.iter().map(|pair| GuaranteePair {
        from: pair.from,
        members: listed(pair.members, &exposed),
        to: pair.to,
    });
    Summaries {
        shared: closure.stores.shared.values().to_vec(),
        tops: closure.stores.tops.values().to_vec(),
        worlds: worlds.collect(),
        views: views.collect(),
        edges,
        guarantee: guarantee.collect(),
        exposed,
    }
}

fn listed(members: Members, exposed: &[ExposedClass]) -> Vec<bool> {
    (0..exposed.len()).map(|class| members.has(class)).collect()
}
