//! The set of views that a certificate lists, with all views that show fewer threads.

use std::collections::BTreeSet;

use model::{ControlId, CounterId, ThreadViews, ViewMember};
use rustc_hash::{FxHashMap, FxHashSet};

use super::counts::MANY;
use super::kinds::Kinds;
use crate::budget::Budget;
use crate::rejection::Rejection;

/// More threads in a view, and more exposed classes, than any engine can make use of.
const MAX_LEVEL: u32 = 8;
const MAX_CLASSES: usize = 64;

/// What a proof says.
pub(super) struct Claim<'a> {
    pub level: usize,
    pub kinds: &'a Kinds,
    pub n_classes: usize,
    /// By local store, in which classes it is.
    classes: Vec<Vec<usize>>,
    pub places: Vec<Place>,
    /// For lookup only.
    known: FxHashMap<(ControlId, Vec<u8>), usize>,
}

/// The views with the same shared store and the same counts.
pub(super) struct Place {
    pub shared: ControlId,
    pub counts: Vec<u8>,
    /// Sorted threads.
    pub views: BTreeSet<Vec<ViewMember>>,
    /// The same for lookup only.
    contains: FxHashSet<Vec<ViewMember>>,
    /// The views of one thread.
    pub members: Vec<ViewMember>,
}

impl<'a> Claim<'a> {
    /// Reads a certificate; `n_shared` and `n_local` stores have names.
    pub(super) fn read(
        views: &ThreadViews,
        kinds: &'a Kinds,
        (n_shared, n_local): (usize, usize),
        budget: &Budget<'_>,
    ) -> Result<Claim<'a>, Rejection> {
        if views.level == 0 || views.level > MAX_LEVEL || views.exposed.len() > MAX_CLASSES {
            return Err(Rejection::malformed("too many or too few threads or classes in views"));
        }
        let mut claim = Claim {
            level: views.level as usize,
            kinds,
            n_classes: views.exposed.len(),
            classes: vec![Vec::new(); n_local],
            places: Vec::new(),
            known: FxHashMap::default(),
        };
        for (class, locals) in views.exposed.iter().enumerate() {
            for local in locals {
                let of_local = claim.classes.get_mut(local.idx());
                let of_local = of_local.ok_or_else(|| Rejection::malformed("no such store"))?;
                if of_local.last() == Some(&class) {
                    return Err(Rejection::malformed("a class has a store twice"));
                }
                of_local.push(class);
            }
        }
        for listed in &views.stores {
            let place = Place::new(listed.shared, listed.counts.clone());
            let is_known =
                claim.known.insert((place.shared, place.counts.clone()), claim.places.len());
            let has_counts = place.counts.len() == claim.n_classes
                && place.counts.iter().all(|&count| count <= MANY);
            if is_known.is_some() || !has_counts || place.shared.idx() >= n_shared {
                return Err(Rejection::malformed("a shared store is listed twice, or wrongly"));
            }
            claim.places.push(place);
            for view in &listed.views {
                claim.check_view(view, n_local)?;
                let place = claim.places.last_mut().expect("it was just added");
                place.add(view.clone(), budget)?;
            }
        }
        Ok(claim)
    }

    fn check_view(&self, view: &[ViewMember], n_local: usize) -> Result<(), Rejection> {
        let is_known = |member: &ViewMember| {
            member.1.idx() < n_local && member.0.is_none_or(|k| self.kinds.size(k).is_some())
        };
        match view.len() <= self.level && view.iter().all(is_known) {
            true => Ok(()),
            false => Err(Rejection::malformed("a view shows too many threads, or unknown ones")),
        }
    }

    /// The views with a shared store and counts.
    pub(super) fn place(&self, shared: ControlId, counts: &[u8]) -> Option<&Place> {
        self.known.get(&(shared, counts.to_vec())).map(|&idx| &self.places[idx])
    }

    /// How many of these threads are in a class?
    pub(super) fn n_in(&self, class: usize, locals: &[CounterId]) -> usize {
        locals.iter().filter(|local| self.is_in(class, **local)).count()
    }

    pub(super) fn is_in(&self, class: usize, local: CounterId) -> bool {
        self.classes[local.idx()].contains(&class)
    }

    /// Can these threads be together with such counts, as far as their numbers say?
    pub(super) fn has_room(&self, counts: &[u8], threads: &[ViewMember]) -> bool {
        let locals: Vec<CounterId> = threads.iter().map(|member| member.1).collect();
        let n_of = |kind: Option<u32>| threads.iter().filter(|other| other.0 == kind).count();
        let kinds_fit = threads.iter().all(|member| {
            let size = member.0.and_then(|kind| self.kinds.size(kind));
            size.is_none_or(|size| n_of(member.0) <= size as usize)
        });
        let count_fits = |class: usize| {
            counts[class] == MANY || self.n_in(class, &locals) <= usize::from(counts[class])
        };
        kinds_fit && (0..self.n_classes).all(count_fits)
    }
}

impl Place {
    fn new(shared: ControlId, counts: Vec<u8>) -> Place {
        let mut place = Place {
            shared,
            counts,
            views: BTreeSet::new(),
            contains: FxHashSet::default(),
            members: Vec::new(),
        };
        place.views.insert(Vec::new());
        place.contains.insert(Vec::new());
        place
    }

    /// Adds a view, and each that shows fewer of its threads.
    fn add(&mut self, mut view: Vec<ViewMember>, budget: &Budget<'_>) -> Result<(), Rejection> {
        view.sort_unstable();
        let mut open = vec![view];
        while let Some(view) = open.pop() {
            budget.tick()?;
            if !self.contains.insert(view.clone()) {
                continue;
            }
            if let [member] = view[..] {
                self.members.push(member);
            }
            for slot in 0..view.len() {
                let mut fewer = view.clone();
                fewer.remove(slot);
                open.push(fewer);
            }
            self.views.insert(view);
        }
        Ok(())
    }

    /// Is it a view there? The threads are sorted.
    pub(super) fn has(&self, view: &[ViewMember]) -> bool {
        self.contains.contains(view)
    }
}

/// Is each choice of all but one of these threads as it should be? Each is sorted.
pub(super) fn is_each_but_one(
    threads: &[ViewMember],
    mut is_right: impl FnMut(&[ViewMember]) -> bool,
) -> bool {
    let mut all = threads.to_vec();
    all.sort_unstable();
    let Some((_, rest)) = all.split_first() else { return true };
    let mut fewer = rest.to_vec();
    // Without the first one, the second one, and so on.
    (0..all.len()).all(|slot| {
        if slot > 0 {
            fewer[slot - 1] = all[slot - 1];
        }
        is_right(&fewer)
    })
}

/// Each choice of `n` of these threads, sorted.
pub(super) fn choices(threads: &[ViewMember], n: usize) -> Vec<Vec<ViewMember>> {
    if n == threads.len() {
        let mut only = threads.to_vec();
        only.sort_unstable();
        return vec![only];
    }
    if n == 1 {
        return threads.iter().map(|&thread| vec![thread]).collect();
    }
    let mut all: Vec<Vec<ViewMember>> = vec![Vec::new()];
    for (idx, &thread) in threads.iter().enumerate() {
        let n_left = threads.len() - idx - 1;
        let mut longer = Vec::new();
        for choice in all {
            if choice.len() < n {
                let mut with = choice.clone();
                with.push(thread);
                longer.push(with);
            }
            if choice.len() + n_left >= n {
                longer.push(choice);
            }
        }
        all = longer;
    }
    for choice in &mut all {
        choice.sort_unstable();
    }
    all
}

#[cfg(test)]
mod tests {
    use model::{CounterId, ViewMember};

    use super::{choices, is_each_but_one};

    fn threads(locals: &[u32]) -> Vec<ViewMember> {
        locals.iter().map(|&local| ViewMember(None, CounterId(local))).collect()
    }

    #[test]
    fn choices_are_all_there_are_and_sorted() {
        let all = threads(&[3, 1, 2]);
        assert_eq!(choices(&all, 0), [vec![]]);
        assert_eq!(choices(&all, 1), [threads(&[3]), threads(&[1]), threads(&[2])]);
        let mut pairs = choices(&all, 2);
        pairs.sort_unstable();
        assert_eq!(pairs, [threads(&[1, 2]), threads(&[1, 3]), threads(&[2, 3])]);
        assert_eq!(choices(&all, 3), [threads(&[1, 2, 3])]);
    }

    #[test]
    fn all_but_one_are_the_choices_of_one_less() {
        for locals in [&[5][..], &[3, 1], &[2, 1, 1], &[4, 1, 3, 2]] {
            let all = threads(locals);
            let mut seen = Vec::new();
            assert!(is_each_but_one(&all, |fewer| {
                seen.push(fewer.to_vec());
                true
            }));
            let mut expected = choices(&all, locals.len() - 1);
            seen.sort_unstable();
            expected.sort_unstable();
            assert_eq!(seen, expected);
            assert!(!is_each_but_one(&all, |_| false));
        }
    }
}
