//! Which views an actor beside a view must be in, together with elements of it.
//!
//! Of a state of any size, each choice of as many elements as a view has is a view. So where
//! actors step beside a view, each choice among them and the elements of the view must be one as
//! well. Steps that look at the same bits of their actors ask for the same: they are a *group*.

use model::parameterized::ParameterizedSystem;

use super::space::{SlotSet, Space};

/// Steps of a group, at the most: sets of them are words.
const MAX_STEPS: usize = 64;

/// Steps beside a view that look at the same.
pub(super) struct Group {
    /// Their numbers.
    pub steps: Vec<usize>,
    /// For each of them, whether its guard looks at nothing but its actors and what is shared.
    pub guarded: Vec<bool>,
    /// The slots of their actors.
    pub actors: SlotSet,
    /// What they look at.
    pub reads: Vec<u64>,
    /// The views that actors must be in.
    pub constraints: Vec<Constraint>,
    /// For each constraint, in which order they are met if that one comes first.
    pub orders: Vec<Vec<Meeting>>,
    /// Bits that are read and that no constraint speaks of.
    pub unknown: Vec<u64>,
    /// The values among those that are read that may name elements.
    pub elements: Vec<usize>,
}

/// Some actors must be in a view with some elements.
pub(super) struct Constraint {
    /// The elements of the view, by number in [`Groups::contexts`].
    pub context: usize,
    /// Those and the actors.
    pub all: SlotSet,
    /// The bits about the actors that matter.
    pub about: Vec<u64>,
}

/// A constraint is met when others have been.
pub(super) struct Meeting {
    pub constraint: usize,
    /// The number of the order: it says which bits are settled.
    pub way: usize,
    /// The bits about the actors that those have settled.
    pub settled: Vec<u64>,
}

/// All groups of an abstraction.
pub(super) struct Groups {
    pub groups: Vec<Group>,
    /// Sets of elements of a view that actors are in views with.
    pub contexts: Vec<SlotSet>,
    /// Sets of elements and actors that are in views together.
    pub company: Vec<SlotSet>,
}

impl Groups {
    pub(super) fn new(system: &dyn ParameterizedSystem, space: &Space) -> Groups {
        let mut all = Groups { groups: Vec::new(), contexts: Vec::new(), company: Vec::new() };
        for idx in 0..system.n_beside() {
            let beside = system.beside(idx);
            let actors = ((1 << beside.n_actors) - 1) << space.n_visible;
            let reads = masked(&space.spread(beside.reads), space.mask(space.visible() | actors));
            let about = without(&reads, space.mask(space.visible()));
            let known = all.groups.iter_mut().find(|group| {
                group.steps.len() < MAX_STEPS
                    && group.actors == actors
                    && without(&group.reads, space.mask(space.visible())) == about
            });
            match known {
                Some(group) => {
                    group.steps.push(idx);
                    group.guarded.push(beside.guarded_by_actors);
                    // What is read of the view itself is known.
                    group.reads.iter_mut().zip(&reads).for_each(|(all, one)| *all |= one);
                }
                None => {
                    let mut group = all.group(space, actors, reads, idx);
                    group.guarded.push(beside.guarded_by_actors);
                    all.groups.push(group);
                }
            }
        }
        all
    }

    fn group(&mut self, space: &Space, actors: SlotSet, reads: Vec<u64>, idx: usize) -> Group {
        let visible = space.visible();
        let mut constraints = Vec::new();
        let mut known = space.mask(visible).to_vec();
        for set in subsets(visible | actors, space.n_visible, actors) {
            let context = visible & set;
            let about = without(&masked(&reads, space.mask(set)), space.mask(context));
            known.iter_mut().zip(space.mask(set)).for_each(|(all, one)| *all |= one);
            let context = numbered(&mut self.contexts, context);
            numbered(&mut self.company, set);
            constraints.push(Constraint { context, all: set, about });
        }
        // Who all actors are tells most steps that cannot be taken.
        constraints.sort_by_key(|one: &Constraint| (actors & !one.all).count_ones());
        let unknown = without(&reads, &known);
        let is_read = |idx: &usize| space.named(&space.elements[*idx], &reads) != 0;
        let elements = (0..space.elements.len()).filter(is_read).collect();
        let orders = (0..constraints.len()).map(|first| order(&constraints, first)).collect();
        Group {
            steps: vec![idx],
            guarded: Vec::new(),
            actors,
            reads,
            constraints,
            orders,
            unknown,
            elements,
        }
    }
}

/// All subsets of `set` with `n` slots, some of which are actors.
fn subsets(set: SlotSet, n: u32, actors: SlotSet) -> Vec<SlotSet> {
    let all = (1..=set).filter(|one| one & !set == 0 && one & actors != 0);
    all.filter(|one| one.count_ones() == n).collect()
}

/// The constraints in the order in which they are met if `first` comes first, with what is
/// settled each time.
fn order(constraints: &[Constraint], first: usize) -> Vec<Meeting> {
    let mut settled = vec![0; constraints[first].about.len()];
    let others = (0..constraints.len()).filter(|idx| *idx != first);
    std::iter::once(first)
        .chain(others)
        .map(|constraint| {
            let about = &constraints[constraint].about;
            let settled_here = masked(&settled, about);
            let meeting = Meeting { constraint, way: first, settled: settled_here };
            settled.iter_mut().zip(about).for_each(|(all, one)| *all |= one);
            meeting
        })
        .collect()
}

fn numbered(sets: &mut Vec<SlotSet>, set: SlotSet) -> usize {
    match sets.iter().position(|known| *known == set) {
        Some(number) => number,
        None => {
            sets.push(set);
            sets.len() - 1
        }
    }
}

fn masked(words: &[u64], mask: &[u64]) -> Vec<u64> {
    words.iter().zip(mask).map(|(word, mask)| word & mask).collect()
}

fn without(words: &[u64], mask: &[u64]) -> Vec<u64> {
    words.iter().zip(mask).map(|(word, mask)| word & !mask).collect()
}
