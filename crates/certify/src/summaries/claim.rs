//! The claim by its own numbers: what it names, and what is in it.

use model::{
    ExposedClass, PushdownProgram, SectionStart, StackView, Summaries, SummaryEdge, World,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::rejection::Rejection;

/// More classes than any engine exposes.
const MAX_CLASSES: usize = 16;

/// The classes that a thread belongs to.
pub(super) type Membership = Vec<bool>;

/// What the claim says, ready to be looked up.
pub(super) struct Claim<'a> {
    pub program: &'a dyn PushdownProgram,
    pub summaries: &'a Summaries,
    shared: FxHashMap<&'a [u8], u32>,
    tops: FxHashMap<&'a [u8], u32>,
    worlds: FxHashMap<&'a World, u32>,
    views: FxHashMap<&'a StackView, u32>,
    edges: FxHashSet<SummaryEdge>,
    pairs: FxHashSet<(u32, &'a [bool], u32)>,
    /// Per view, the classes that its thread belongs to, and whether it is in a section.
    pub members: Vec<Membership>,
    pub is_atomic: Vec<bool>,
}

impl<'a> Claim<'a> {
    /// # Errors
    /// An index names nothing, or a view contradicts its top.
    pub fn read(
        program: &'a dyn PushdownProgram,
        summaries: &'a Summaries,
    ) -> Result<Claim<'a>, Rejection> {
        let n_classes = summaries.exposed.len();
        let distinct: FxHashSet<&ExposedClass> = summaries.exposed.iter().collect();
        if n_classes > MAX_CLASSES || distinct.len() < n_classes {
            return Err(Rejection::malformed("too many classes are exposed, or one twice"));
        }
        well_formed(summaries, n_classes)?;
        let bytes = |stores: &'a [model::Store]| stores.iter().map(model::Store::bytes);
        let is_atomic: Vec<bool> = summaries
            .views
            .iter()
            .map(|view| program.is_atomic(summaries.tops[view.top as usize].bytes()))
            .collect();
        let fits = summaries.views.iter().zip(&is_atomic);
        if fits.clone().any(|(view, is_atomic)| view.section.is_some() != *is_atomic) {
            return Err(Rejection::malformed("a section begins where no thread is in one"));
        }
        let members = summaries.views.iter().map(|view| members(program, summaries, view));
        Ok(Claim {
            program,
            summaries,
            shared: numbered(bytes(&summaries.shared)),
            tops: numbered(bytes(&summaries.tops)),
            worlds: numbered(summaries.worlds.iter()),
            views: numbered(summaries.views.iter()),
            edges: summaries.edges.iter().copied().collect(),
            pairs: (summaries.guarantee.iter())
                .map(|pair| (pair.from, &pair.members[..], pair.to))
                .collect(),
            members: members.collect(),
            is_atomic,
        })
    }

    /// The number of a world that a step leads to.
    pub fn world(&self, shared: &[u8], counts: Vec<u8>) -> Option<u32> {
        let shared = *self.shared.get(shared)?;
        self.worlds.get(&World { shared, counts }).copied()
    }

    /// The number of a view that a step leads to.
    pub fn view(&self, top: &[u8], took: Membership, section: Option<SectionStart>) -> Option<u32> {
        let top = *self.tops.get(top)?;
        self.views.get(&StackView { top, took, section }).copied()
    }

    pub fn has_edge(&self, edge: SummaryEdge) -> bool {
        self.edges.contains(&edge)
    }

    /// May a thread do this? What changes nothing, it may.
    pub fn is_guaranteed(&self, from: u32, members: &[bool], to: u32) -> bool {
        from == to || self.pairs.contains(&(from, members, to))
    }

    pub fn shared_of(&self, world: u32) -> &'a [u8] {
        let world = &self.summaries.worlds[world as usize];
        self.summaries.shared[world.shared as usize].bytes()
    }

    pub fn counts_of(&self, world: u32) -> &'a [u8] {
        &self.summaries.worlds[world as usize].counts
    }

    pub fn top_of(&self, view: u32) -> &'a [u8] {
        let view = &self.summaries.views[view as usize];
        self.summaries.tops[view.top as usize].bytes()
    }

    /// What a thread belongs to that has taken `took` and has this top.
    pub fn membership(&self, took: &[bool], top: &[u8]) -> Membership {
        membership(self.program, &self.summaries.exposed, took, top)
    }
}

fn numbered<T: std::hash::Hash + Eq>(values: impl Iterator<Item = T>) -> FxHashMap<T, u32> {
    values.zip(0..).collect()
}

fn members(program: &dyn PushdownProgram, summaries: &Summaries, view: &StackView) -> Membership {
    let top = summaries.tops[view.top as usize].bytes();
    membership(program, &summaries.exposed, &view.took, top)
}

fn membership(
    program: &dyn PushdownProgram,
    exposed: &[ExposedClass],
    took: &[bool],
    top: &[u8],
) -> Membership {
    let is_member = |(class, took): (&ExposedClass, &bool)| match class {
        ExposedClass::Took { .. } => *took,
        ExposedClass::Started { root } => program.root(top) == *root,
        ExposedClass::At { location } => program.location(top) == *location,
    };
    exposed.iter().zip(took).map(is_member).collect()
}

fn well_formed(summaries: &Summaries, n_classes: usize) -> Result<(), Rejection> {
    let Summaries { shared, tops, worlds, views, edges, guarantee, .. } = summaries;
    let has_world = |world: u32| (world as usize) < worlds.len();
    let has_view = |view: u32| (view as usize) < views.len();
    let is_world = |world: &World| {
        (world.shared as usize) < shared.len()
            && world.counts.len() == n_classes
            && world.counts.iter().all(|count| *count <= 2)
    };
    let is_section =
        |section: &SectionStart| has_world(section.world) && section.members.len() == n_classes;
    let is_view = |view: &StackView| {
        (view.top as usize) < tops.len()
            && view.took.len() == n_classes
            && view.section.iter().all(is_section)
    };
    let is_edge = |edge: &SummaryEdge| {
        has_world(edge.entry_world)
            && has_view(edge.entry_view)
            && has_world(edge.world)
            && has_view(edge.view)
    };
    let fits = worlds.iter().all(is_world)
        && views.iter().all(is_view)
        && edges.iter().all(is_edge)
        && guarantee.iter().all(|pair| {
            has_world(pair.from) && has_world(pair.to) && pair.members.len() == n_classes
        });
    match fits {
        true => Ok(()),
        false => Err(Rejection::malformed("summaries of stores that are not listed")),
    }
}
