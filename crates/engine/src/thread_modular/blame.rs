//! Which steps of other threads an alarm hangs on, and what to expose so that they are known
//! to be impossible.

use std::collections::BinaryHeap;

use super::closure::{Alarm, Closure};
use super::exposed::Class;
use super::few::Sightings;
use super::kinds::NO_KIND;
use super::takers::{Takers, Taking};
use super::views::{MemberId, Origin, PlaceId, Threads, ViewId};
use crate::kernel::step_table::LocalId;

/// A step of a thread that a view does not show.
#[derive(Clone, Copy, Debug)]
pub struct Interference {
    /// Where it happens.
    pub place: PlaceId,
    /// The view beside which it happens.
    pub victims: ViewId,
    /// Who takes the step.
    pub actor: MemberId,
    /// The number of the step in the table.
    pub at: u32,
}

/// The steps of others on the ways to the views of an alarm, and to those who take such
/// steps, the last one first.
pub fn chain(closure: &Closure<'_>, alarm: &Alarm) -> Vec<Interference> {
    let open = match alarm {
        Alarm::Step(view, ..) => vec![*view],
        Alarm::Target(_, place, members) => {
            let single = |member: &MemberId| closure.views.find(*place, Threads::new(&[*member]));
            members.iter().filter_map(single).collect()
        }
        Alarm::Race(place, pair) => {
            let single = |member: &MemberId| closure.views.find(*place, Threads::new(&[*member]));
            pair.iter().filter_map(single).collect()
        }
        Alarm::Gap(_) | Alarm::Unfinished => Vec::new(),
    };
    let mut open: BinaryHeap<ViewId> = open.into();
    let (mut chain, mut last) = (Vec::new(), None);
    while let Some(id) = open.pop() {
        if last.replace(id) == Some(id) {
            continue;
        }
        let view = closure.views.view(id);
        match view.origin {
            Origin::Start => {}
            Origin::Within(from) | Origin::Own(from, ..) | Origin::Environment(from, _) => {
                open.push(from);
            }
            Origin::Other(from, actor, at) => {
                let place = closure.views.view(from).place;
                chain.push(Interference { place, victims: from, actor, at });
                open.push(from);
                // It may be wrong that the actor is there, too.
                open.extend(closure.views.find(place, Threads::new(&[actor])));
            }
        }
    }
    chain
}

/// A class of local stores worth exposing. Of the threads of an alarm, or of a step beside a
/// view, both have taken the same variable; or they were never seen together, and this is a
/// set of stores of which that can be said.
pub fn class_to_expose(
    closure: &Closure<'_>,
    alarm: &Alarm,
    sightings: &Sightings,
    takers: &Takers,
) -> Option<Class> {
    let mut pairs: Vec<(LocalId, LocalId)> = Vec::new();
    let together: &[MemberId] = match alarm {
        Alarm::Target(_, _, members) => members,
        Alarm::Race(_, pair) => pair,
        Alarm::Step(..) | Alarm::Gap(_) | Alarm::Unfinished => &[],
    };
    let locals = closure.views.locals(together.iter().copied());
    for (idx, &one) in locals.iter().enumerate() {
        pairs.extend(locals[idx + 1..].iter().map(|&other| (one, other)));
    }
    if matches!(alarm, Alarm::Unfinished) {
        // Where only one thread can be at a time, the others had better not be imagined.
        let alike = closure.views.all_members().filter(|member| member.kind == NO_KIND);
        pairs.extend(alike.map(|member| (member.local, member.local)));
    }
    for blamed in chain(closure, alarm) {
        let actor = closure.views.member(blamed.actor).local;
        let victims = closure.views.view(blamed.victims).threads.iter();
        pairs.extend(victims.map(|victim| (closure.views.member(victim).local, actor)));
    }
    let is_new = |class: &Class| !closure.classes.all.iter().any(|c| c.members == class.members);
    let guessed = |&(one, other): &(LocalId, LocalId)| {
        let members = sightings.exclude(one, other).then(|| class_of(sightings, one, other))?;
        Some(Class { members, deed: None }).filter(is_new)
    };
    let taken = taken_by_both(&pairs, takers);
    let mut taken = taken.filter(|class| sightings.never_saw_two_of(&class.members));
    taken.find(is_new).or_else(|| pairs.iter().find_map(guessed))
}

/// For each variable that both threads of some pair have taken, who has taken it.
fn taken_by_both(pairs: &[(LocalId, LocalId)], takers: &Takers) -> impl Iterator<Item = Class> {
    let mut takings: Vec<Taking> = Vec::new();
    for taking in pairs.iter().flat_map(|&(one, other)| takers.of_both(one, other)) {
        if !takings.contains(&taking) {
            takings.push(taking);
        }
    }
    takings.into_iter().map(|taking| takers.class(taking))
}

/// A set around two local stores that exclude each other. Where each excludes itself, as
/// owners of a lock do, a set of stores that all exclude each other, as large as it is easily
/// found. Else those that exclude one of the two and are seen with the other.
fn class_of(sightings: &Sightings, one: LocalId, other: LocalId) -> Vec<LocalId> {
    let excludes_itself = |local: &LocalId| sightings.exclude(*local, *local);
    let mut class: Vec<LocalId> = [one, other].into_iter().filter(excludes_itself).collect();
    class.dedup();
    let mut all: Vec<LocalId> = sightings.alone.iter().copied().collect();
    all.sort_unstable();
    if class.is_empty() {
        let like_other = |l: &LocalId| sightings.exclude(one, *l) && !sightings.exclude(other, *l);
        return all.into_iter().filter(|l| *l == other || like_other(l)).collect();
    }
    let mut left: Vec<LocalId> = all.into_iter().filter(excludes_itself).collect();
    loop {
        left.retain(|l| !class.contains(l) && class.iter().all(|&c| sightings.exclude(c, *l)));
        let n_left_with =
            |l: &LocalId| left.iter().filter(|&&other| sightings.exclude(*l, other)).count();
        // Of those that leave most others, the first.
        let Some(next) =
            left.iter().copied().max_by_key(|l| (n_left_with(l), std::cmp::Reverse(*l)))
        else {
            break;
        };
        class.push(next);
    }
    class.sort_unstable();
    class.dedup();
    class
}
