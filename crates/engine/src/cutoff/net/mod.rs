//! A Petri net as a program for threads: the translation of section 6.1.
//!
//! **Encoding.** Each token is a thread whose local store is its place. Threads that
//! are no token are in one more local store, *outside*, from which new tokens come and
//! to which old ones go. The shared store is the net's control state, or, halfway
//! through a firing, a state of its own: a transition is a chain of moves of one thread
//! each (`chain.rs`), so that no step needs more than one thread. Chains from the same
//! control state that start with the same moves share the states between them.
//! - *Start.* A run starts in a state from which a chain puts the smallest number of
//!   tokens that an initial zone allows. Up to its largest number, further tokens may
//!   follow. Places that every zone leaves unbounded are initial local stores, so any
//!   number of threads is there to begin with; on a place that only some zones leave
//!   unbounded, any number is put in the first state of those. A zone with nothing to
//!   put starts in its control state.
//! - *Targets.* From the target's control state a chain takes its tokens, leaves them
//!   outside (nothing comes after the error) and ends in a shared state of its own. The
//!   target is that state together with a thread outside: the thread that stepped last
//!   is there, or, if the target wants no token, any thread more.
//! - *Transfers and resets* are broadcasts: each thread on an emptied place chooses one
//!   of the destinations, or goes outside.
//!
//! **Why it is exact.** In a control state, the marking is the number of threads on each
//! place. A chain can be completed if and only if the tokens it takes are
//! there, since nothing is put on a place before all was taken from it, and enough
//! threads are outside; then the marking after it is the one after firing, and no other
//! step is possible in between. A chain that gets stuck reaches nothing. Threads outside
//! are never too few for *any* number of threads: one more of them disables no step. So
//! the threads reach a target's error if and only if the net reaches a marking that has
//! the target's tokens. Upper bounds, in guards or targets, ask for the absence of
//! tokens, which no thread can notice: they are refused.
//!
//! **Sizes.** A net with p places has p + 1 local states, as in the paper. There is a
//! shared state for each control state, for each token that is put at the start, for
//! each that a target asks for, and k - 1 for each chain of k moves; a step for each
//! token and for each move. The paper gives averages (1.2 t shared states, 2.2 t
//! transitions) and not the rule, but its rule seems to be ours: S and L come out as in
//! Table 1 for Readwrite, Mesh2x2, Mesh3x2, Multipool and Kanban, and so does the number
//! of thread states at the paper's cutoff for Readwrite and Multipool. We differ:
//! (1) chains that begin alike share states, which is one state and one step less for
//! Pncsa; (2) where unbounded places are initial stores, the paper has a step for each;
//! (3) its T is larger by one in every row, and we do not know by which step.

mod build;
mod chain;
mod proof;
mod trace;

#[cfg(test)]
mod tests;

use model::{
    BroadcastId, Certificate, CounterSystem, CounterTrace, Footprint, LabelId, Narrator,
    Requirements, StepLabel, StepParts, Steps, StopReason, Store, TargetShape, Template,
    ThreadProgram, ThreadTrace, TransitionId,
};

use chain::{OUTSIDE, local_of};

/// A net whose tokens are threads.
pub struct NetThreads<'a> {
    system: &'a CounterSystem,
    initial_shared: Vec<u32>,
    templates: Vec<Template>,
    /// The control states come first.
    shared: Vec<Meaning>,
    /// Sorted by the shared and the local store before.
    edges: Vec<Edge>,
    targets: Vec<TargetShape>,
    /// The shared state behind each target's chain.
    errors: Vec<u32>,
}

/// What a shared state is.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    /// A control state of the net.
    Control,
    /// So many moves of a chain were made.
    Within(Part, u32),
    /// The tokens of a target were there.
    Error(usize),
}

/// What a step is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// An initial zone is set up.
    Start(usize),
    /// A transition fires.
    Firing(TransitionId),
    /// The tokens of a target are looked for.
    Target(usize),
}

/// A step: of a thread, or of the environment.
#[derive(Clone, Copy, Debug)]
struct Edge {
    shared: u32,
    /// The thread's local store; `None`: no thread steps.
    local: Option<u32>,
    to_shared: u32,
    to_local: Option<u32>,
    /// The transition whose transfers and resets happen.
    broadcast: Option<TransitionId>,
    part: Part,
    /// Its position in the first chain that it is part of, from 1.
    position: u32,
}

impl<'a> NetThreads<'a> {
    /// Translates a net.
    ///
    /// # Errors
    /// When it has upper bounds in guards or targets, or numbers so large that the
    /// chains cannot be spelled out.
    pub fn new(system: &'a CounterSystem) -> Result<NetThreads<'a>, StopReason> {
        build::build(system)
    }

    /// Numbers of shared states, local states and thread transitions: S, L and T of
    /// Table 1.
    pub fn sizes(&self) -> (usize, usize, usize) {
        (self.shared.len(), self.system.counter_names.len() + 1, self.edges.len())
    }

    /// The net's own run behind a run of the threads that ends in a target; `None` if
    /// `trace` is no such run.
    pub fn counter_trace(&self, trace: &ThreadTrace) -> Option<CounterTrace> {
        trace::counter_trace(self, trace)
    }

    /// The proof about the net behind a proof about its threads; `None` if `threads` is
    /// no such proof.
    pub fn certificate(&self, threads: &Certificate) -> Option<Certificate> {
        proof::certificate(self, threads)
    }

    fn is_control(&self, shared: u32) -> bool {
        (shared as usize) < self.system.control_names.len()
    }

    /// The steps from two stores, with their labels.
    fn edges_from(&self, shared: u32, local: Option<u32>) -> impl Iterator<Item = (u32, &Edge)> {
        let first = self.edges.partition_point(|edge| (edge.shared, edge.local) < (shared, local));
        let from = self.edges[first..].iter().enumerate();
        from.take_while(move |(_, edge)| (edge.shared, edge.local) == (shared, local))
            .map(move |(idx, edge)| ((first + idx) as u32, edge))
    }

    fn push_steps(&self, shared: &[u8], local: Option<&[u8]>, out: &mut Steps) {
        let Some(shared) = number(shared) else { return };
        let local = match local.map(number) {
            None => None,
            Some(None) => return,
            Some(local) => local,
        };
        for (label, edge) in self.edges_from(shared, local) {
            let to_local = edge.to_local.map(u32::to_le_bytes);
            out.push(StepParts {
                shared: &edge.to_shared.to_le_bytes(),
                local: to_local.as_ref().map(|local| &local[..]),
                spawned: &[],
                broadcast: edge.broadcast.map(|transition| BroadcastId(transition.0)),
                footprint: Footprint::Everything,
                label: LabelId(label),
                violation: None,
            });
        }
    }

    /// What a step or a chain is part of, as a noun.
    fn describe_part(&self, part: Part) -> String {
        match part {
            Part::Start(_) if self.system.initial.len() == 1 => "the start".to_owned(),
            Part::Start(zone) => format!("start {}", zone + 1),
            Part::Firing(transition) => {
                format!("`{}`", self.system.transitions[transition.idx()].name)
            }
            Part::Target(target) => self.describe_target(target),
        }
    }

    fn describe_target(&self, target: usize) -> String {
        match self.system.targets[target].name.as_str() {
            "" => format!("target {}", target + 1),
            name => format!("target `{name}`"),
        }
    }
}

/// The number in a store of ours.
fn number(store: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(store.try_into().ok()?))
}

fn store(number: u32) -> Store {
    Store::new(&number.to_le_bytes())
}

impl ThreadProgram for NetThreads<'_> {
    fn initial_shared(&self) -> Vec<Store> {
        self.initial_shared.iter().map(|&shared| store(shared)).collect()
    }

    fn templates(&self) -> &[Template] {
        &self.templates
    }

    fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
        self.push_steps(shared, Some(local), out);
    }

    fn environment_steps(&self, shared: &[u8], out: &mut Steps) {
        self.push_steps(shared, None, out);
    }

    fn passive(&self, broadcast: BroadcastId, local: &[u8], out: &mut Vec<Store>) {
        let moves = &self.system.transitions[broadcast.0 as usize].moves;
        let local = number(local);
        let Some(emptied) = moves.iter().find(|m| Some(local_of(m.from)) == local) else { return };
        out.extend(emptied.to.iter().map(|&place| store(local_of(place))));
        if emptied.to.is_empty() {
            out.push(store(OUTSIDE));
        }
    }

    fn requirements(&self) -> &dyn Requirements {
        self
    }

    fn narrator(&self) -> &dyn Narrator {
        self
    }
}

impl Requirements for NetThreads<'_> {
    fn targets(&self) -> &[TargetShape] {
        &self.targets
    }

    fn target_shared(&self, target: usize, shared: &[u8]) -> bool {
        number(shared) == Some(self.errors[target])
    }

    fn target_local(&self, _target: usize, _slot: usize, _shared: &[u8], local: &[u8]) -> bool {
        number(local) == Some(OUTSIDE)
    }
}

impl Narrator for NetThreads<'_> {
    fn label(&self, label: LabelId) -> StepLabel {
        let edge = &self.edges[label.0 as usize];
        let span = match edge.part {
            Part::Start(_) => None,
            Part::Firing(transition) => self.system.transitions[transition.idx()].span,
            Part::Target(target) => self.system.targets[target].span,
        };
        let is_whole = self.is_control(edge.shared) && self.is_control(edge.to_shared);
        let text = match edge.part {
            Part::Firing(transition) if is_whole => {
                self.system.transitions[transition.idx()].name.clone()
            }
            part => format!("move {} of {}", edge.position, self.describe_part(part)),
        };
        StepLabel { text, span }
    }

    fn describe_shared(&self, shared: &[u8]) -> String {
        let known =
            number(shared).and_then(|shared| Some((shared, self.shared.get(shared as usize)?)));
        match known {
            None => "no shared state".to_owned(),
            Some((shared, Meaning::Control)) => {
                match self.system.control_names[shared as usize].as_str() {
                    "" => "between firings".to_owned(),
                    name => name.to_owned(),
                }
            }
            Some((_, Meaning::Within(part, 0))) => self.describe_part(*part),
            Some((_, Meaning::Within(part, n_moves))) => {
                format!("after move {n_moves} of {}", self.describe_part(*part))
            }
            Some((_, Meaning::Error(target))) => self.describe_target(*target),
        }
    }

    fn describe_local(&self, local: &[u8]) -> String {
        match number(local) {
            Some(OUTSIDE) => "outside".to_owned(),
            Some(local) => {
                let name = self.system.counter_names.get(local as usize - 1);
                name.cloned().unwrap_or_else(|| "no place".to_owned())
            }
            None => "no place".to_owned(),
        }
    }
}
