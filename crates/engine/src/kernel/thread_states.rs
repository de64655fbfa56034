//! Which thread states may occur in runs of any number of threads, and what threads may do
//! to the shared store behind each other's back.
//!
//! A pair of a shared store and a local store is visited when it may occur together, by
//! this closure: a step of a visited pair visits the pair after it, and every local store
//! that was visited with the shared store before is visited with the one after (changed by
//! the broadcast, if there is one). Those are the least R and G of thread-modular checking
//! (Flanagan and Qadeer 2003) without views: R are the pairs, G is the interference, kept
//! by the shared store where it starts. R over-approximates what any number of threads can
//! reach, so nothing reachable is missing.
//!
//! Stores have a *place* in the order in which the closure comes to them. It depends on the
//! program alone, whatever else the step table was asked for.
//!
//! **Ends** when the program has finitely many stores; otherwise at the limits. It can be
//! stopped and resumed after any number of thread states.

use model::{BroadcastId, Limits, StopReason, ThreadProgram};
use rustc_hash::FxHashSet;

use super::step_table::{AnswerId, LocalId, SharedId, StepTable};

/// Thread states expanded between two looks at the limits.
const EXPANDED_BETWEEN_LOOKS: usize = 1024;

/// A change of the shared store that some thread may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interference {
    /// The shared store after it.
    pub to: SharedId,
    /// What it does to all other threads.
    pub broadcast: Option<BroadcastId>,
}

/// Who was asked what it can do, and the answer.
#[derive(Clone, Copy, Debug)]
pub struct Expanded {
    /// The shared store.
    pub shared: SharedId,
    /// The thread's local store; `None` for the environment.
    pub actor: Option<LocalId>,
    /// What it can do.
    pub answer: AnswerId,
}

/// The thread states visited so far.
pub struct ThreadStates<'p> {
    /// The stores, and the steps of what was expanded.
    pub table: StepTable<'p>,
    /// Are threads followed that do not step themselves?
    follows: bool,
    shared: Places,
    local: Places,
    /// By the place of a shared store, the locals visited with it, in order of discovery.
    together: Vec<Vec<LocalId>>,
    visited: FxHashSet<(SharedId, LocalId)>,
    /// By the place of a shared store, what may happen to it; changes of nothing are left out.
    interference: Vec<Vec<Interference>>,
    known_interference: FxHashSet<(SharedId, Interference)>,
    pending: Vec<(SharedId, LocalId)>,
    pending_shared: Vec<SharedId>,
    expanded: Vec<Expanded>,
}

/// Numbers in the order in which they were met.
#[derive(Default)]
struct Places {
    order: Vec<u32>,
    /// By number, its place.
    places: Vec<Option<u32>>,
}

impl Places {
    /// Gives a number a place; true if it has none yet.
    fn meet(&mut self, number: u32) -> bool {
        if self.places.len() <= number as usize {
            self.places.resize(number as usize + 1, None);
        }
        let is_new = self.places[number as usize].is_none();
        if is_new {
            self.places[number as usize] = Some(self.order.len() as u32);
            self.order.push(number);
        }
        is_new
    }

    fn place(&self, number: u32) -> usize {
        self.places[number as usize].expect("it was met") as usize
    }
}

impl<'p> ThreadStates<'p> {
    /// None so far.
    pub fn new(program: &'p dyn ThreadProgram) -> ThreadStates<'p> {
        ThreadStates {
            table: StepTable::new(program),
            follows: true,
            shared: Places::default(),
            local: Places::default(),
            together: Vec::new(),
            visited: FxHashSet::default(),
            interference: Vec::new(),
            known_interference: FxHashSet::default(),
            pending: Vec::new(),
            pending_shared: Vec::new(),
            expanded: Vec::new(),
        }
    }

    /// The same, but only the thread that steps is followed: what becomes of the others,
    /// somebody else knows.
    pub fn of_stepping_threads(program: &'p dyn ThreadProgram) -> ThreadStates<'p> {
        ThreadStates { follows: false, ..ThreadStates::new(program) }
    }

    /// The number of a shared store; what the environment can do there will be asked.
    pub fn shared_id(&mut self, bytes: &[u8]) -> SharedId {
        let shared = self.table.shared_id(bytes);
        self.meet(shared);
        shared
    }

    /// The number of a local store.
    pub fn local_id(&mut self, bytes: &[u8]) -> LocalId {
        let local = self.table.local_id(bytes);
        self.local.meet(local.0);
        local
    }

    /// Where a thread in `local` may be after a broadcast of another one.
    pub fn passive(&mut self, broadcast: BroadcastId, local: LocalId) -> Vec<LocalId> {
        let becomes = self.table.passive(broadcast, local).to_vec();
        becomes.iter().for_each(|local| {
            self.local.meet(local.0);
        });
        becomes
    }

    /// Visits a thread state.
    pub fn visit(&mut self, shared: SharedId, local: LocalId) {
        if self.visited.insert((shared, local)) {
            self.together[self.shared.place(shared.0)].push(local);
            self.pending.push((shared, local));
        }
    }

    /// Expands what was visited until nothing is left, or more than `max` thread states
    /// are visited. True if nothing is left.
    ///
    /// # Errors
    /// When a limit is reached.
    pub fn close(&mut self, max: usize, limits: &Limits) -> Result<bool, StopReason> {
        while self.visited.len() <= max {
            if let Some(shared) = self.pending_shared.pop() {
                self.expand(shared, None);
            } else if let Some((shared, local)) = self.pending.pop() {
                self.expand(shared, Some(local));
                self.follow_all(shared, local);
            } else {
                return Ok(true);
            }
            if self.expanded.len().is_multiple_of(EXPANDED_BETWEEN_LOOKS) {
                limits.check()?;
            }
        }
        Ok(self.pending.is_empty() && self.pending_shared.is_empty())
    }

    /// How many thread states were visited.
    pub fn n_visited(&self) -> usize {
        self.visited.len()
    }

    /// The locals visited with a shared store, in order of discovery.
    pub fn together(&self, shared: SharedId) -> &[LocalId] {
        &self.together[self.shared.place(shared.0)]
    }

    /// The shared stores, by place.
    pub fn all_shared(&self) -> impl ExactSizeIterator<Item = SharedId> {
        self.shared.order.iter().map(|&number| SharedId(number))
    }

    /// The local stores, by place.
    pub fn all_local(&self) -> impl ExactSizeIterator<Item = LocalId> {
        self.local.order.iter().map(|&number| LocalId(number))
    }

    /// The place of a shared store that was met.
    pub fn shared_place(&self, shared: SharedId) -> u32 {
        self.shared.place(shared.0) as u32
    }

    /// The place of a local store that was met.
    pub fn local_place(&self, local: LocalId) -> u32 {
        self.local.place(local.0) as u32
    }

    /// The shared store at a place.
    pub fn shared_at(&self, place: u32) -> SharedId {
        SharedId(self.shared.order[place as usize])
    }

    /// The local store at a place.
    pub fn local_at(&self, place: u32) -> LocalId {
        LocalId(self.local.order[place as usize])
    }

    /// What may happen to a shared store, where it changes or others are moved.
    pub fn interference(&self, shared: SharedId) -> &[Interference] {
        &self.interference[self.shared.place(shared.0)]
    }

    /// All that was expanded, in that order.
    pub fn expanded(&self) -> &[Expanded] {
        &self.expanded
    }

    /// Notes a shared store that may be new.
    fn meet(&mut self, shared: SharedId) {
        if self.shared.meet(shared.0) {
            self.together.push(Vec::new());
            self.interference.push(Vec::new());
            self.pending_shared.push(shared);
        }
    }

    fn expand(&mut self, shared: SharedId, actor: Option<LocalId>) {
        let answer = self.table.ask(shared, actor);
        self.expanded.push(Expanded { shared, actor, answer });
        for at in self.table.range(answer) {
            let step = *self.table.step(at);
            self.meet(step.to);
            let arrives = step.after.iter().chain(self.table.spawned(&step)).copied();
            let arrives: Vec<LocalId> = arrives.collect();
            arrives.iter().for_each(|local| {
                self.local.meet(local.0);
            });
            self.interfere(shared, Interference { to: step.to, broadcast: step.broadcast });
            arrives.into_iter().for_each(|local| self.visit(step.to, local));
        }
    }

    /// Lets the shared store change behind the back of all threads that are there.
    fn interfere(&mut self, from: SharedId, change: Interference) {
        let is_change = from != change.to || change.broadcast.is_some();
        if self.follows && is_change && self.known_interference.insert((from, change)) {
            let place = self.shared.place(from.0);
            self.interference[place].push(change);
            for idx in 0..self.together[place].len() {
                self.follow(change, self.together[place][idx]);
            }
        }
    }

    fn follow_all(&mut self, shared: SharedId, local: LocalId) {
        let place = self.shared.place(shared.0);
        for idx in 0..self.interference[place].len() {
            self.follow(self.interference[place][idx], local);
        }
    }

    fn follow(&mut self, change: Interference, local: LocalId) {
        let Some(broadcast) = change.broadcast else { return self.visit(change.to, local) };
        for becomes in self.passive(broadcast, local) {
            self.visit(change.to, becomes);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use model::Limits;

    use super::ThreadStates;
    use crate::kernel::step_table::scripted::{Line, Scripted, store};

    /// Threads count a shared number up to `n` and remember what they found; whoever finds
    /// the last one sends a broadcast.
    fn counting(n: u32) -> Scripted {
        Scripted::new(move |shared, local| match local {
            Some(local) if shared + 1 < n && local < 7 => {
                vec![Line { shared: shared + 1, local: Some(shared + 1), ..Line::default() }]
            }
            Some(_) if shared + 1 == n => {
                vec![Line { shared: 0, local: Some(0), is_broadcast: true, ..Line::default() }]
            }
            _ => Vec::new(),
        })
    }

    fn visited(states: &ThreadStates<'_>) -> BTreeSet<(u32, u32)> {
        let number = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        let all = states.table.all_shared().iter().flat_map(|shared| {
            let id = states.table.find_shared(shared.bytes()).expect("it has a number");
            let together = states.together(id).iter();
            together
                .map(|&local| (number(shared.bytes()), number(states.table.local(local).bytes())))
        });
        all.collect()
    }

    fn started(program: &Scripted) -> ThreadStates<'_> {
        let mut states = ThreadStates::new(program);
        let shared = states.shared_id(store(0).bytes());
        let local = states.local_id(store(0).bytes());
        states.visit(shared, local);
        states
    }

    #[test]
    fn threads_that_do_not_step_are_followed_through_changes_and_broadcasts() {
        let program = counting(8);
        let mut states = started(&program);
        assert_eq!(states.close(usize::MAX, &Limits::none()), Ok(true));
        let visited = visited(&states);
        // Somebody stays where it was while others count on.
        assert!(visited.contains(&(7, 0)) && visited.contains(&(7, 3)));
        // The broadcast moves 7 to 8 or 9, and nobody stays there.
        assert!(visited.contains(&(0, 8)) && visited.contains(&(0, 9)));
        assert!(!visited.contains(&(0, 7)));
        // All that was visited is closed under steps and changes.
        assert_eq!(states.n_visited(), visited.len());
        assert_eq!(states.expanded().len(), visited.len() + states.all_shared().len());
    }

    #[test]
    fn a_closure_in_pieces_is_the_closure() {
        let program = counting(200);
        let mut whole = started(&program);
        assert_eq!(whole.close(usize::MAX, &Limits::none()), Ok(true));
        let mut pieces = started(&program);
        let mut n_calls = 0;
        while pieces.close(10 * n_calls, &Limits::none()) == Ok(false) {
            n_calls += 1;
        }
        assert!(n_calls > 10, "{n_calls}");
        assert_eq!(visited(&pieces), visited(&whole));
    }

    #[test]
    fn of_stepping_threads_nobody_else_is_followed() {
        let program = counting(8);
        let mut states = ThreadStates::of_stepping_threads(&program);
        let shared = states.shared_id(store(0).bytes());
        let local = states.local_id(store(0).bytes());
        states.visit(shared, local);
        assert_eq!(states.close(usize::MAX, &Limits::none()), Ok(true));
        assert_eq!(states.n_visited(), 8);
    }
}
