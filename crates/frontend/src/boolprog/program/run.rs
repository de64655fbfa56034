//! Steps of a thread: one edge that others notice, and what follows unnoticed.

use model::{
    BroadcastId, FlowEdge, Footprint, LabelId, StepEnd, StepError, StepErrorRef, StepParts, Steps,
    Store,
};
use rustc_hash::FxHashSet;

use super::BooleanProgram;
use super::take::MAX_CHOICES;

/// Thread states that one step passes through; beyond this many it is incomplete.
const MAX_PASSED: usize = 1 << 18;

/// A thread on its way through one step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Way {
    shared: Vec<u8>,
    local: Vec<u8>,
    spawned: Vec<Store>,
    broadcast: Option<BroadcastId>,
    label: LabelId,
    /// Does the label tell something that matters?
    is_told: bool,
}

/// What a step comes to: the stores after it, the new threads, and what others notice.
type Outcome = (Vec<u8>, Option<Vec<u8>>, Vec<Store>, Option<BroadcastId>);

/// All ways of one step.
struct Ways<'s> {
    seen: FxHashSet<Way>,
    pending: Vec<Way>,
    emitted: FxHashSet<Outcome>,
    out: &'s mut Steps,
}

impl BooleanProgram {
    /// Pushes all steps of a thread in `local` while the shared store is `shared`.
    pub(super) fn run(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
        let flow = self.graph();
        let Some(location) = flow.location(local) else { return };
        let in_atomic = flow.shared_value(shared, flow.shared.len());
        // Somebody else is in an atomic section.
        if in_atomic && !flow.locations[location.0 as usize].is_atomic {
            return;
        }
        let start = Way {
            shared: shared.to_vec(),
            local: local.to_vec(),
            spawned: Vec::new(),
            broadcast: None,
            label: LabelId(0),
            is_told: false,
        };
        let mut ways = Ways {
            seen: FxHashSet::default(),
            pending: Vec::new(),
            emitted: FxHashSet::default(),
            out,
        };
        self.follow(&start, true, &mut ways);
        while let Some(way) = ways.pending.pop() {
            self.go_on_or_stop(&way, &mut ways);
        }
    }

    fn go_on_or_stop(&self, way: &Way, ways: &mut Ways<'_>) {
        let flow = self.graph();
        let Some(location) = flow.location(&way.local) else { return };
        if !self.quiet.goes_on(location) {
            ways.emit(way, Some(&way.local), None);
        } else if ways.seen.len() > MAX_PASSED {
            ways.out.set_incomplete("one step passes through too many states");
        } else if !self.follow(way, false, ways) && !flow.locations[location.0 as usize].is_atomic {
            ways.emit(way, None, None);
        }
    }

    /// Takes all edges from where a way has come to; false if there is none to take.
    fn follow(&self, way: &Way, is_first: bool, ways: &mut Ways<'_>) -> bool {
        let flow = self.graph();
        let Some(location) = flow.location(&way.local) else { return false };
        let mut goes_on = false;
        for (idx, edge) in flow.edges_from(location) {
            let all = match self.take(idx, &way.shared, &way.local) {
                Ok(all) => all,
                Err(why) => {
                    ways.out.set_incomplete(why);
                    continue;
                }
            };
            goes_on |= !all.is_empty();
            for taken in all {
                if let Some(why) = &edge.incomplete {
                    ways.out.set_incomplete(why.clone());
                    continue;
                }
                let mut next = Way {
                    shared: taken.shared,
                    local: taken.local.unwrap_or_default(),
                    spawned: way.spawned.clone(),
                    broadcast: way.broadcast.or(taken.broadcast),
                    label: way.label,
                    is_told: way.is_told,
                };
                next.spawned.extend(taken.spawned);
                next.tell(edge, is_first);
                ways.push(next, edge);
            }
        }
        goes_on
    }

    /// Pushes all small steps to `end` that have too many choices to try them all.
    pub(super) fn run_to(&self, shared: &[u8], local: &[u8], end: StepEnd<'_>, out: &mut Steps) {
        let flow = self.graph();
        let Some(location) = flow.location(local) else { return };
        let in_atomic = flow.shared_value(shared, flow.shared.len());
        if in_atomic && !flow.locations[location.0 as usize].is_atomic {
            return;
        }
        for (idx, edge) in flow.edges_from(location) {
            if edge.n_choices <= MAX_CHOICES || edge.incomplete.is_some() {
                continue;
            }
            let Ok(Some(taken)) = self.take_to(idx, (shared, local), end) else { continue };
            let violation = edge.violation.as_ref().map(StepError::borrowed);
            let goes_on = violation.is_none() && edge.to.is_some();
            let spawned: Vec<&[u8]> = taken.spawned.iter().map(Store::bytes).collect();
            out.push(StepParts {
                shared: &taken.shared,
                local: taken.local.as_deref().filter(|_| goes_on),
                spawned: &spawned,
                broadcast: taken.broadcast,
                footprint: Footprint::Everything,
                label: edge.label,
                violation,
            });
        }
    }

    /// The local stores that a thread comes to by itself before its first step.
    pub(super) fn settle(&self, local: Store) -> Vec<Store> {
        let flow = self.graph();
        let goes_on = |local: &[u8]| flow.location(local).is_some_and(|at| self.quiet.goes_on(at));
        if !goes_on(local.bytes()) {
            return vec![local];
        }
        let shared = flow.shared_store(&vec![false; flow.shared.len()], false);
        let mut steps = Steps::new();
        self.run(shared.bytes(), local.bytes(), &mut steps);
        let settled: Vec<Store> =
            steps.iter().filter_map(|step| step.local().map(Store::new)).collect();
        let is_stuck = settled.is_empty() || steps.incomplete().is_some();
        if is_stuck { vec![local] } else { settled }
    }
}

impl Way {
    /// The label of a step is that of its first statement that does something.
    fn tell(&mut self, edge: &FlowEdge, is_first: bool) {
        let does_something = !edge.assigns.is_empty()
            || edge.guard != model::BitExpr::TRUE
            || edge.spawn.is_some()
            || edge.violation.is_some();
        if is_first || (!self.is_told && does_something) {
            self.label = edge.label;
            self.is_told = does_something;
        }
    }
}

impl Ways<'_> {
    fn push(&mut self, way: Way, edge: &FlowEdge) {
        if let Some(violation) = &edge.violation {
            self.emit(&Way { label: edge.label, ..way }, None, Some(violation.borrowed()));
        } else if edge.to.is_none() {
            self.emit(&way, None, None);
        } else if self.seen.insert(way.clone()) {
            self.pending.push(way);
        }
    }

    fn emit(&mut self, way: &Way, local: Option<&[u8]>, violation: Option<StepErrorRef<'_>>) {
        let key =
            (way.shared.clone(), local.map(<[u8]>::to_vec), way.spawned.clone(), way.broadcast);
        if violation.is_none() && !self.emitted.insert(key) {
            return;
        }
        let spawned: Vec<&[u8]> = way.spawned.iter().map(Store::bytes).collect();
        self.out.push(StepParts {
            shared: &way.shared,
            local,
            spawned: &spawned,
            broadcast: way.broadcast,
            footprint: Footprint::Everything,
            label: way.label,
            violation,
        });
    }
}
