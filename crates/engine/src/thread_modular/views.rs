//! The views found so far, each once, with how it was found.
//!
//! A *place* is a shared store with counts of the exposed classes; a view is a place and up
//! to [`MAX_LEVEL`] threads. With a view, all are in the table that show fewer of its threads.

use model::BroadcastId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::exposed::Counts;
use crate::kernel::step_table::{LocalId, SharedId};

/// The most threads in a view.
pub const MAX_LEVEL: usize = 3;

/// No thread, where a view shows fewer than it could.
const NOBODY: u32 = u32::MAX;

/// Number of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaceId(pub u32);

/// Number of a member: a thread's kind and its local store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberId(pub u32);

/// Number of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ViewId(pub u32);

/// A thread: of which kind, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// Its kind.
    pub kind: u32,
    /// Its local store.
    pub local: LocalId,
}

/// Up to [`MAX_LEVEL`] threads, in the order of their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Threads([u32; MAX_LEVEL]);

impl Threads {
    /// These threads, at most [`MAX_LEVEL`].
    pub fn new(members: &[MemberId]) -> Threads {
        let mut threads = [NOBODY; MAX_LEVEL];
        for (slot, member) in threads.iter_mut().zip(members) {
            *slot = member.0;
        }
        threads.sort_unstable();
        Threads(threads)
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.0.iter().filter(|&&member| member != NOBODY).count()
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = MemberId> + use<> {
        self.0.into_iter().filter(|&member| member != NOBODY).map(MemberId)
    }

    /// All but the one in a slot, with another one or nobody instead.
    pub fn replaced(&self, slot: usize, by: Option<MemberId>) -> Threads {
        let mut threads = self.0;
        threads[slot] = by.map_or(NOBODY, |member| member.0);
        // All others are in order: one walk, where a sort costs a third of a closure's time.
        let mut at = slot;
        while at > 0 && threads[at - 1] > threads[at] {
            threads.swap(at - 1, at);
            at -= 1;
        }
        while at + 1 < MAX_LEVEL && threads[at] > threads[at + 1] {
            threads.swap(at, at + 1);
            at += 1;
        }
        Threads(threads)
    }
}

/// How a view was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A run may start so.
    Start,
    /// It shows fewer threads than another one.
    Within(ViewId),
    /// A thread of another view takes a step, by its number in the step table.
    Own(ViewId, MemberId, u32),
    /// A thread beside another view does.
    Other(ViewId, MemberId, u32),
    /// Nobody does.
    Environment(ViewId, u32),
}

/// What a thread may do to the shared store and to all others, and how it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The shared store after it.
    pub to: SharedId,
    /// What it does to all others.
    pub broadcast: Option<BroadcastId>,
    /// The kind of the thread that makes it.
    pub kind: u32,
    /// The classes that it is in before it.
    pub leaves: u32,
    /// For each class how many threads it, and those that it creates, bring there.
    pub enters: Counts,
}

/// A shared store with counts, and what is known there.
pub struct Place {
    /// The shared store.
    pub shared: SharedId,
    /// The counts.
    pub counts: Counts,
    /// Each thread that some view shows there.
    pub members: Vec<MemberId>,
    /// The views with as many threads as there may be.
    pub full: Vec<ViewId>,
    /// What somebody there can do, with one who can and its step.
    pub moves: Vec<(Move, MemberId, u32)>,
}

/// A view.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The place.
    pub place: PlaceId,
    /// The threads.
    pub threads: Threads,
    /// How it was found.
    pub origin: Origin,
}

/// All views found so far.
#[derive(Default)]
pub struct Views {
    level: usize,
    known_members: FxHashMap<(u32, LocalId), MemberId>,
    members: Vec<Member>,
    known_places: FxHashMap<(SharedId, Counts), PlaceId>,
    /// Places by number.
    pub places: Vec<Place>,
    known: FxHashMap<(PlaceId, Threads), ViewId>,
    views: Vec<View>,
    known_moves: FxHashSet<(PlaceId, Move)>,
}

impl Views {
    /// None, of up to `level` threads.
    pub fn new(level: usize) -> Views {
        Views { level: level.min(MAX_LEVEL), ..Views::default() }
    }

    /// The number of threads in a view, at most.
    pub fn level(&self) -> usize {
        self.level
    }

    /// The number of a member, which it gets if it has none.
    pub fn member_id(&mut self, kind: u32, local: LocalId) -> MemberId {
        let next = MemberId(self.members.len() as u32);
        let id = *self.known_members.entry((kind, local)).or_insert(next);
        if id == next {
            self.members.push(Member { kind, local });
        }
        id
    }

    /// All members, in the order in which they were met.
    pub fn all_members(&self) -> impl Iterator<Item = Member> + '_ {
        self.members.iter().copied()
    }

    /// A member.
    pub fn member(&self, member: MemberId) -> Member {
        self.members[member.0 as usize]
    }

    /// The number of a place, which it gets if it has none.
    pub fn place_id(&mut self, shared: SharedId, counts: Counts) -> PlaceId {
        let next = PlaceId(self.places.len() as u32);
        let id = *self.known_places.entry((shared, counts)).or_insert(next);
        if id == next {
            let (members, full, moves) = (Vec::new(), Vec::new(), Vec::new());
            self.places.push(Place { shared, counts, members, full, moves });
        }
        id
    }

    /// A place.
    pub fn place(&self, place: PlaceId) -> &Place {
        &self.places[place.0 as usize]
    }

    /// Adds a view, and all that show fewer of its threads.
    pub fn add(&mut self, place: PlaceId, threads: Threads, origin: Origin) {
        let next = ViewId(self.views.len() as u32);
        if *self.known.entry((place, threads)).or_insert(next) != next {
            return;
        }
        self.views.push(View { place, threads, origin });
        let n_threads = threads.len();
        let entry = &mut self.places[place.0 as usize];
        if n_threads == self.level {
            entry.full.push(next);
        }
        if n_threads == 1 {
            entry.members.extend(threads.iter());
        }
        for slot in 0..n_threads {
            self.add(place, threads.replaced(slot, None), Origin::Within(next));
        }
    }

    /// Is it in the table?
    pub fn contains(&self, place: PlaceId, threads: Threads) -> bool {
        self.known.contains_key(&(place, threads))
    }

    /// Its number, if it is in the table.
    pub fn find(&self, place: PlaceId, threads: Threads) -> Option<ViewId> {
        self.known.get(&(place, threads)).copied()
    }

    /// A view.
    pub fn view(&self, view: ViewId) -> View {
        self.views[view.0 as usize]
    }

    /// All views, in the order in which they were found.
    pub fn all(&self) -> &[View] {
        &self.views
    }

    /// Adds what a thread can do at a place; true if it is new there.
    pub fn add_move(&mut self, place: PlaceId, change: Move, by: (MemberId, u32)) -> bool {
        let is_new = self.known_moves.insert((place, change));
        if is_new {
            self.places[place.0 as usize].moves.push((change, by.0, by.1));
        }
        is_new
    }

    /// The local stores of some threads.
    pub fn locals(&self, members: impl Iterator<Item = MemberId>) -> Vec<LocalId> {
        members.map(|member| self.member(member).local).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{MemberId, Threads};

    #[test]
    fn threads_are_in_order_whoever_replaces_whom() {
        let all: Vec<Option<MemberId>> = (0..4).map(MemberId).map(Some).chain([None]).collect();
        for one in 0..4 {
            for two in one..4 {
                let before = [one, two].map(MemberId);
                for slot in 0..3 {
                    for &by in &all {
                        let mut left: Vec<MemberId> = before.to_vec();
                        if slot < left.len() {
                            left.remove(slot);
                        }
                        left.extend(by);
                        assert_eq!(Threads::new(&before).replaced(slot, by), Threads::new(&left));
                    }
                }
            }
        }
    }
}
