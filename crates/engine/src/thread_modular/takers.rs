//! Which threads have taken a shared variable, as they take a lock: for each local store that
//! was met, what a thread there last did to each variable of a Boolean program, whichever way
//! it came there.
//!
//! A variable is *taken* by a thread that gives it a value that it did not have, by a step
//! that is never seen where it has that value already. Whoever has a lock is in the class of
//! those that took it and did not give it back. That these threads exclude each other is a
//! guess, and nothing is concluded from it.

use model::{BooleanFlow, LabelId};
use rustc_hash::FxHashMap;

use super::closure::Closure;
use super::exposed::Class;
use crate::kernel::step_table::{AnswerId, LocalId, SharedId};

/// Variables that are looked at: the first ones.
const MAX_VARIABLES: usize = 64;

/// A variable that is taken by giving it a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taking {
    idx: u32,
    to: bool,
}

/// What steps do to variables: bits of those that become true, and false.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Change {
    rising: u64,
    falling: u64,
}

/// Bits of the variables that a thread may last have made true, or false, or never changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct History {
    rose: u64,
    fell: u64,
    stayed: u64,
}

/// Who has taken what.
#[derive(Default)]
pub struct Takers {
    names: Vec<String>,
    /// By local store.
    histories: FxHashMap<LocalId, History>,
    /// Bits of the variables that are taken when they become true, and when they become false.
    taken: Change,
}

/// The steps from one local store to another, by what they do.
type Ways = FxHashMap<LocalId, Vec<(LocalId, Change, bool)>>;

impl Takers {
    /// What the views of a closure, of one thread each, show; nothing where stores are not
    /// values of Boolean variables.
    pub fn of(closure: &mut Closure<'_>) -> Takers {
        let Some(flow) = closure.table.program().flow() else { return Takers::default() };
        let n_variables = flow.shared.len().min(MAX_VARIABLES);
        let names = flow.shared[..n_variables].iter().map(|v| v.name.clone()).collect();
        let (ways, taken) = ways(closure, flow, n_variables);
        let mut takers = Takers { names, histories: FxHashMap::default(), taken };
        let starts = closure.kinds.groups.iter().flat_map(|group| &group.initial);
        let starts: Vec<LocalId> =
            starts.filter_map(|store| closure.table.find_local(store.bytes())).collect();
        takers.follow(&ways, starts);
        takers
    }

    /// Spreads histories along the ways until nothing is new.
    fn follow(&mut self, ways: &Ways, mut open: Vec<LocalId>) {
        let fresh = History { stayed: u64::MAX, ..History::default() };
        for &local in &open {
            self.histories.insert(local, fresh);
        }
        while let Some(local) = open.pop() {
            let before = self.histories[&local];
            for &(to, change, is_new_thread) in ways.get(&local).into_iter().flatten() {
                let after = if is_new_thread { fresh } else { before.then(change) };
                let known = self.histories.entry(to).or_default();
                if known.with(after) != *known {
                    *known = known.with(after);
                    open.push(to);
                }
            }
        }
    }

    /// What threads in both of these local stores have taken.
    pub fn of_both(&self, one: LocalId, other: LocalId) -> impl Iterator<Item = Taking> + use<> {
        let (one, other) = (self.holds(one), self.holds(other));
        let (rising, falling) = (one.rising & other.rising, one.falling & other.falling);
        let each = |bits: u64, to: bool| {
            let is_set = move |idx: &u32| bits >> idx & 1 == 1;
            (0..MAX_VARIABLES as u32).filter(is_set).map(move |idx| Taking { idx, to })
        };
        each(rising, true).chain(each(falling, false))
    }

    /// Those who have taken it.
    pub fn class(&self, taking: Taking) -> Class {
        let has = |local: &LocalId| {
            let Change { rising, falling } = self.holds(*local);
            (if taking.to { rising } else { falling }) >> taking.idx & 1 == 1
        };
        let mut members: Vec<LocalId> = self.histories.keys().copied().filter(has).collect();
        members.sort_unstable();
        let how = if taking.to { "took" } else { "cleared" };
        let deed = format!("{how} `{}`", self.names[taking.idx as usize]);
        Class { members, deed: Some(deed) }
    }

    /// What threads in a local store have taken for certain.
    fn holds(&self, local: LocalId) -> Change {
        let history = self.histories.get(&local).copied().unwrap_or_default();
        Change {
            rising: history.rose & !history.fell & !history.stayed & self.taken.rising,
            falling: history.fell & !history.rose & !history.stayed & self.taken.falling,
        }
    }
}

impl History {
    fn then(self, change: Change) -> History {
        let Change { rising, falling } = change;
        History {
            rose: self.rose & !falling | rising,
            fell: self.fell & !rising | falling,
            stayed: self.stayed & !rising & !falling,
        }
    }

    fn with(self, other: History) -> History {
        History {
            rose: self.rose | other.rose,
            fell: self.fell | other.fell,
            stayed: self.stayed | other.stayed,
        }
    }
}

/// The steps of all views, and which variables are only ever taken where they are free.
fn ways(closure: &mut Closure<'_>, flow: &BooleanFlow, n_variables: usize) -> (Ways, Change) {
    let asked: Vec<(SharedId, LocalId, AnswerId)> = (0..closure.views.all().len())
        .filter_map(|idx| {
            let view = closure.views.all()[idx];
            let local = closure.views.member(view.threads.iter().next()?).local;
            let shared = closure.views.place(view.place).shared;
            Some((shared, local, closure.table.ask(shared, Some(local))))
        })
        .collect();
    let table = &closure.table;
    let values: Vec<u64> = (table.all_shared().iter())
        .map(|store| {
            let is_set = |idx: &usize| flow.shared_value(store.bytes(), *idx);
            (0..n_variables).filter(is_set).fold(0, |all, idx| all | 1 << idx)
        })
        .collect();
    let mut ways = Ways::default();
    let mut tests: FxHashMap<LabelId, Test> = FxHashMap::default();
    for (shared, local, answer) in asked {
        for step in table.steps(answer) {
            let (before, after) = (values[shared.idx()], values[step.to.idx()]);
            let change = Change { rising: after & !before, falling: before & !after };
            tests.entry(step.label).or_default().add(change, before & after, !(before | after));
            let created = table.spawned(step).iter().map(|&local| (local, true));
            let own = step.after.map(|local| (local, false));
            for (to, is_new_thread) in own.into_iter().chain(created) {
                let known = ways.entry(local).or_default();
                if !known.contains(&(to, change, is_new_thread)) {
                    known.push((to, change, is_new_thread));
                }
            }
        }
    }
    let taken = tests.values().fold(Change { rising: !0, falling: !0 }, |all, test| Change {
        rising: all.rising & !(test.change.rising & test.was_set),
        falling: all.falling & !(test.change.falling & test.was_clear),
    });
    (ways, taken)
}

/// What the steps with one label were seen to do: who changes a variable and also goes on where
/// it has the value already does not look at it.
#[derive(Default)]
struct Test {
    change: Change,
    was_set: u64,
    was_clear: u64,
}

impl Test {
    fn add(&mut self, change: Change, was_set: u64, was_clear: u64) {
        self.change.rising |= change.rising;
        self.change.falling |= change.falling;
        self.was_set |= was_set;
        self.was_clear |= was_clear;
    }
}
