//! Forward closure: for each control state, the counters that may be non-zero
//! in it; and the transitions that may fire at all.
//!
//! A transition may fire when its control state is reached and each counter it
//! needs may be non-zero there. It then carries everything that may be non-zero
//! before over to the control state after it, moved where its moves say.
//! Linear in the size of the result times the out-degree of control states.

use std::collections::BTreeSet;

use model::{ControlId, CounterId, CounterSystem, CounterTransition, Support, TransitionId, Zone};
use rustc_hash::{FxHashMap, FxHashSet};

/// The closure of a system.
pub struct SupportClosure {
    reached: Vec<bool>,
    /// Per control state, the counters, as a set and in order of discovery.
    live: Vec<Vec<CounterId>>,
    is_live: FxHashSet<(ControlId, CounterId)>,
    may_fire: Vec<bool>,
}

impl SupportClosure {
    /// Computes the closure of `system`.
    pub fn of(system: &CounterSystem) -> SupportClosure {
        let mut work = ClosureWork::new(system);
        for zone in &system.initial {
            work.reach(zone.control);
            for (counter, bounds) in &zone.bounds {
                if bounds.max != Some(0) {
                    work.enliven(zone.control, *counter);
                }
            }
        }
        work.run();
        work.closure
    }

    /// What `support` says of `system`; every transition may fire.
    pub fn of_support(system: &CounterSystem, support: &Support) -> SupportClosure {
        let n_controls = system.control_names.len();
        let mut closure = SupportClosure {
            reached: vec![false; n_controls],
            live: vec![Vec::new(); n_controls],
            is_live: FxHashSet::default(),
            may_fire: vec![true; system.transitions.len()],
        };
        for (control, counters) in &support.controls {
            closure.reached[control.idx()] = true;
            closure.is_live.extend(counters.iter().map(|counter| (*control, *counter)));
            closure.live[control.idx()].clone_from(counters);
        }
        closure
    }

    /// Is the control state reached?
    pub fn is_reached(&self, control: ControlId) -> bool {
        self.reached[control.idx()]
    }

    /// May the counter be non-zero in the control state?
    pub fn is_live(&self, control: u32, counter: u32) -> bool {
        self.is_live.contains(&(ControlId(control), CounterId(counter)))
    }

    /// The reached control states.
    pub fn controls(&self) -> impl Iterator<Item = ControlId> + '_ {
        (0..self.reached.len() as u32).map(ControlId).filter(|id| self.is_reached(*id))
    }

    /// The counters that may be non-zero somewhere.
    pub fn counters(&self) -> BTreeSet<CounterId> {
        self.live.iter().flatten().copied().collect()
    }

    /// May this transition ever fire?
    pub fn may_fire(&self, id: TransitionId) -> bool {
        self.may_fire[id.idx()]
    }

    /// Is there anything in `zone` that the closure does not exclude?
    pub fn may_intersect(&self, zone: &Zone) -> bool {
        let mut needed = zone.bounds.iter().filter(|(_, bounds)| bounds.min > 0);
        self.is_reached(zone.control)
            && needed.all(|(counter, _)| self.is_live.contains(&(zone.control, *counter)))
    }

    /// As certificates state it.
    pub fn support(&self) -> Support {
        let entry = |control: ControlId| {
            let mut counters = self.live[control.idx()].clone();
            counters.sort_unstable();
            (control, counters)
        };
        Support { controls: self.controls().map(entry).collect() }
    }
}

struct ClosureWork<'a> {
    system: &'a CounterSystem,
    closure: SupportClosure,
    /// Counters that a transition still waits for; its control state counts as one.
    n_missing: Vec<usize>,
    waiting: FxHashMap<(ControlId, CounterId), Vec<TransitionId>>,
    /// Transitions that take from a counter after moves have fed it, by each counter
    /// that feeds it: one of those is enough.
    supplying: FxHashMap<(ControlId, CounterId), Vec<(TransitionId, CounterId)>>,
    supplied: FxHashSet<(TransitionId, CounterId)>,
    leaving: Vec<Vec<TransitionId>>,
    /// Transitions that may fire and carry counters elsewhere, by control state.
    carriers: Vec<Vec<TransitionId>>,
    plain_edges: FxHashSet<(ControlId, ControlId)>,
    pending: Vec<(ControlId, CounterId)>,
    ready: Vec<TransitionId>,
}

impl<'a> ClosureWork<'a> {
    fn new(system: &'a CounterSystem) -> ClosureWork<'a> {
        let n_controls = system.control_names.len();
        let closure = SupportClosure {
            reached: vec![false; n_controls],
            live: vec![Vec::new(); n_controls],
            is_live: FxHashSet::default(),
            may_fire: vec![false; system.transitions.len()],
        };
        let mut work = ClosureWork {
            system,
            closure,
            n_missing: Vec::new(),
            waiting: FxHashMap::default(),
            supplying: FxHashMap::default(),
            supplied: FxHashSet::default(),
            leaving: vec![Vec::new(); n_controls],
            carriers: vec![Vec::new(); n_controls],
            plain_edges: FxHashSet::default(),
            pending: Vec::new(),
            ready: Vec::new(),
        };
        for (idx, transition) in system.transitions.iter().enumerate() {
            let id = TransitionId(idx as u32);
            let needs = needed(transition);
            let supplies = supplies(transition);
            work.n_missing.push(needs.len() + supplies.len() + 1);
            for (fed, sources) in supplies {
                for source in sources {
                    work.supplying.entry((transition.from, source)).or_default().push((id, fed));
                }
            }
            work.leaving[transition.from.idx()].push(id);
            for counter in needs {
                work.waiting.entry((transition.from, counter)).or_default().push(id);
            }
        }
        work
    }

    fn run(&mut self) {
        loop {
            if let Some(id) = self.ready.pop() {
                self.fire(id);
            } else if let Some((control, counter)) = self.pending.pop() {
                for id in self.waiting.remove(&(control, counter)).unwrap_or_default() {
                    self.found_one(id);
                }
                for supply in self.supplying.remove(&(control, counter)).unwrap_or_default() {
                    if self.supplied.insert(supply) {
                        self.found_one(supply.0);
                    }
                }
                for idx in 0..self.carriers[control.idx()].len() {
                    self.carry(self.carriers[control.idx()][idx], counter);
                }
            } else {
                return;
            }
        }
    }

    fn reach(&mut self, control: ControlId) {
        if std::mem::replace(&mut self.closure.reached[control.idx()], true) {
            return;
        }
        for id in std::mem::take(&mut self.leaving[control.idx()]) {
            self.found_one(id);
        }
    }

    fn enliven(&mut self, control: ControlId, counter: CounterId) {
        if self.closure.is_live.insert((control, counter)) {
            self.closure.live[control.idx()].push(counter);
            self.pending.push((control, counter));
        }
    }

    fn found_one(&mut self, id: TransitionId) {
        self.n_missing[id.idx()] -= 1;
        if self.n_missing[id.idx()] == 0 {
            self.ready.push(id);
        }
    }

    fn fire(&mut self, id: TransitionId) {
        self.closure.may_fire[id.idx()] = true;
        let system = self.system;
        let transition = &system.transitions[id.idx()];
        self.reach(transition.to);
        for (counter, delta) in &transition.delta {
            if *delta > 0 {
                self.enliven(transition.to, *counter);
            }
        }
        let is_new_edge = if transition.moves.is_empty() {
            transition.from != transition.to
                && self.plain_edges.insert((transition.from, transition.to))
        } else {
            true
        };
        if is_new_edge {
            self.carriers[transition.from.idx()].push(id);
            for idx in 0..self.closure.live[transition.from.idx()].len() {
                self.carry(id, self.closure.live[transition.from.idx()][idx]);
            }
        }
    }

    fn carry(&mut self, id: TransitionId, counter: CounterId) {
        let system = self.system;
        let transition = &system.transitions[id.idx()];
        match transition.moves.iter().find(|step| step.from == counter) {
            None => self.enliven(transition.to, counter),
            Some(step) => step.to.iter().for_each(|to| self.enliven(transition.to, *to)),
        }
    }
}

/// The counters that take part in moves and are then taken from, each with those
/// whose tokens may be on it by then.
fn supplies(transition: &CounterTransition) -> Vec<(CounterId, Vec<CounterId>)> {
    let is_moved = |counter: CounterId| transition.moves.iter().any(|step| step.from == counter);
    let taken = transition.delta.iter().filter(|(_, delta)| *delta < 0).map(|(c, _)| *c);
    let sources = |counter: CounterId| {
        let feeding = transition.moves.iter().filter(move |step| step.to.contains(&counter));
        let own = (!is_moved(counter)).then_some(counter);
        feeding.map(|step| step.from).chain(own).collect()
    };
    taken.filter(|c| takes_part(transition, *c)).map(|c| (c, sources(c))).collect()
}

fn takes_part(transition: &CounterTransition, counter: CounterId) -> bool {
    transition.moves.iter().any(|step| step.from == counter || step.to.contains(&counter))
}

/// The counters that must be non-zero for the transition to fire.
fn needed(transition: &CounterTransition) -> BTreeSet<CounterId> {
    let guarded = transition.guard.iter().filter(|(_, bounds)| bounds.min > 0).map(|(c, _)| *c);
    let taken = transition.delta.iter().filter(|(_, delta)| *delta < 0).map(|(c, _)| *c);
    let taken = taken.filter(|counter| !takes_part(transition, *counter));
    guarded.chain(taken).collect()
}
