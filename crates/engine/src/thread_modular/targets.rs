//! Which targets of the program the views do not exclude.
//!
//! A target of several threads is not excluded at a place if threads fill its slots of which
//! each few are a view, as far as kinds and counts leave room for them.

use super::closure::{Alarm, Closure};
use super::views::{MemberId, PlaceId, Threads, ViewId};

/// A slot is filled with no more threads than this: more of them would need these as well.
const MAX_PER_SLOT: u32 = 8;

/// Choices of threads that are tried at a place before the target is taken to be possible.
const MAX_TRIED: usize = 100_000;

/// An alarm that a single view raises: a target of no thread or one.
pub fn at_once(closure: &Closure<'_>, id: ViewId) -> Option<Alarm> {
    let view = closure.views.view(id);
    let n_threads = view.threads.len();
    if n_threads > 1 {
        return None;
    }
    let (program, place) = (closure.table.program(), closure.views.place(view.place));
    let requirements = program.requirements();
    let shared = closure.table.shared(place.shared).bytes();
    for (target, shape) in requirements.targets().iter().enumerate() {
        let n_needed: u64 = shape.slots.iter().map(|&n| u64::from(n)).sum();
        if n_needed != n_threads as u64 || !requirements.target_shared(target, shared) {
            continue;
        }
        let slot = shape.slots.iter().position(|&n| n > 0);
        let fits = |member: MemberId| {
            let local = closure.table.local(closure.views.member(member).local);
            slot.is_some_and(|s| requirements.target_local(target, s, shared, local.bytes()))
        };
        if view.threads.iter().all(fits) {
            return Some(Alarm::Target(target, view.place, view.threads.iter().collect()));
        }
    }
    None
}

/// An alarm that several views raise together.
pub fn find(closure: &Closure<'_>) -> Option<Alarm> {
    let requirements = closure.table.program().requirements();
    let n_targets = requirements.targets().len();
    (0..closure.views.places.len() as u32).map(PlaceId).find_map(|place| {
        let shared = closure.table.shared(closure.views.place(place).shared).bytes();
        let mut fitting = (0..n_targets).filter(|&t| requirements.target_shared(t, shared));
        fitting.find_map(|target| at_place(closure, target, place))
    })
}

fn at_place(closure: &Closure<'_>, target: usize, place: PlaceId) -> Option<Alarm> {
    let requirements = closure.table.program().requirements();
    let shared = closure.table.shared(closure.views.place(place).shared).bytes();
    let mut needed: Vec<Vec<MemberId>> = Vec::new();
    for (slot, &n) in requirements.targets()[target].slots.iter().enumerate() {
        let fits = |member: &MemberId| {
            let local = closure.table.local(closure.views.member(*member).local).bytes();
            requirements.target_local(target, slot, shared, local)
        };
        let fitting = closure.views.place(place).members.iter().copied().filter(fits);
        let fitting: Vec<MemberId> = fitting.collect();
        needed.extend((0..n.min(MAX_PER_SLOT)).map(|_| fitting.clone()));
    }
    let mut filling = Filling { closure, place, needed, chosen: Vec::new(), n_tried: 0 };
    filling.succeeds().then_some(Alarm::Target(target, place, filling.chosen))
}

/// Do the views show, as far as they show two threads, that these two may be together?
pub fn may_be_together(closure: &Closure<'_>, place: PlaceId, pair: [MemberId; 2]) -> bool {
    let needed = pair.iter().map(|&member| vec![member]).collect();
    Filling { closure, place, needed, chosen: Vec::new(), n_tried: 0 }.succeeds()
}

/// Threads that fill the slots of a target, one after the other.
struct Filling<'a, 'p> {
    closure: &'a Closure<'p>,
    place: PlaceId,
    /// For each thread that is needed, who may be it.
    needed: Vec<Vec<MemberId>>,
    chosen: Vec<MemberId>,
    n_tried: usize,
}

impl Filling<'_, '_> {
    /// Can all slots be filled? If so, or if that is not known, they are.
    fn succeeds(&mut self) -> bool {
        let Some(fitting) = self.needed.get(self.chosen.len()) else { return true };
        for member in fitting.clone() {
            self.n_tried += 1;
            if self.n_tried > MAX_TRIED {
                return true;
            }
            if self.may_join(member) {
                self.chosen.push(member);
                if self.succeeds() {
                    return true;
                }
                self.chosen.pop();
            }
        }
        false
    }

    /// Is each choice of as many threads as a view has, this one among them, a view?
    fn may_join(&self, member: MemberId) -> bool {
        let mut all = self.chosen.clone();
        all.push(member);
        let views = &self.closure.views;
        let n_others = (views.level() - 1).min(self.chosen.len());
        self.closure.have_room(self.place, &all)
            && choices(&self.chosen, n_others).iter().all(|others| {
                let together: Vec<MemberId> = others.iter().copied().chain([member]).collect();
                views.contains(self.place, Threads::new(&together))
            })
    }
}

/// All choices of `n` of these threads.
fn choices(from: &[MemberId], n: usize) -> Vec<Vec<MemberId>> {
    match (n, from) {
        (0, _) => vec![Vec::new()],
        (_, []) => Vec::new(),
        (_, [first, rest @ ..]) => {
            let with = choices(rest, n - 1).into_iter();
            let mut all: Vec<Vec<MemberId>> =
                with.map(|others| [*first].into_iter().chain(others).collect()).collect();
            all.extend(choices(rest, n));
            all
        }
    }
}
