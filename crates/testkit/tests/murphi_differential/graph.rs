//! Every reachable state of a small model with all of its steps, found in the
//! plainest way, and what is wrong with the model.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use model::{Choice, Deadlock, Judgement, Limits, PropertyKind, Successors, TransitionSystem};

/// The words of a state.
pub type State = Vec<u64>;

/// All states and steps.
pub struct Graph {
    /// The states, in the order of their discovery.
    pub states: Vec<State>,
    /// Steps from the initial states.
    pub depths: Vec<usize>,
    /// Steps out of each state.
    pub edges: Vec<Vec<(Choice, usize)>>,
    /// Does a run end in the state? Not where steps exist and an assumption leaves
    /// out all their successors.
    pub is_end: Vec<bool>,
    /// The initial states.
    pub initial: Vec<usize>,
    /// Distances of all errors that a single run shows.
    pub errors: BTreeSet<(usize, Error)>,
    /// For covers and goals: the states where they are true, or at which evaluations start
    /// that reach them.
    reached: BTreeMap<u32, Vec<usize>>,
    /// Is there a start or a step that cannot be computed?
    pub has_broken_steps: bool,
    kinds: Vec<PropertyKind>,
}

/// Errors that a single run shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Error {
    /// An evaluation without a value.
    Fault,
    /// An invariant, by number.
    Invariant(u32),
    /// A deadlock.
    Deadlock,
}

impl Graph {
    /// Looks at everything; `None` when there are more than `max_states`.
    pub fn explore(
        system: &dyn TransitionSystem,
        deadlock: Deadlock,
        max_states: usize,
    ) -> Option<Graph> {
        let mut search = Search::new(system, deadlock);
        search.start();
        while let Some(idx) = search.open.pop_front() {
            search.expand(idx);
            if search.graph.states.len() > max_states {
                return None;
            }
        }
        Some(search.graph)
    }

    /// Is there no error of any kind?
    pub fn holds(&self) -> bool {
        self.errors.is_empty() && self.uncovered().is_empty() && self.stranded().is_empty()
    }

    /// Is there something that cannot be evaluated?
    pub fn has_faults(&self) -> bool {
        self.errors.iter().any(|(_, error)| *error == Error::Fault)
    }

    /// Steps to the nearest error that a single run shows.
    pub fn nearest_error(&self) -> Option<usize> {
        self.errors.first().map(|(depth, _)| *depth)
    }

    /// Covers that nothing reaches.
    pub fn uncovered(&self) -> Vec<u32> {
        let covers = self
            .properties(PropertyKind::Cover)
            .chain(self.properties(PropertyKind::CoverStatement));
        covers.filter(|property| !self.reached.contains_key(property)).collect()
    }

    /// Goals that cannot be reached from everywhere.
    pub fn stranded(&self) -> Vec<u32> {
        self.properties(PropertyKind::AlwaysReachable)
            .filter(|property| self.can_reach(*property).contains(&false))
            .collect()
    }

    fn properties(&self, kind: PropertyKind) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.kinds).filter(move |(_, other)| **other == kind).map(|(idx, _)| idx)
    }

    /// For each state: can one with the goal be reached? By rounds until nothing changes.
    fn can_reach(&self, goal: u32) -> Vec<bool> {
        let mut can = vec![false; self.states.len()];
        for idx in self.reached.get(&goal).into_iter().flatten() {
            can[*idx] = true;
        }
        loop {
            let before = can.clone();
            for (idx, edges) in self.edges.iter().enumerate() {
                can[idx] |= edges.iter().any(|(_, to)| before[*to]);
            }
            if can == before {
                return can;
            }
        }
    }
}

struct Search<'a> {
    graph: Graph,
    known: BTreeMap<State, usize>,
    open: VecDeque<usize>,
    stepper: Box<dyn model::Stepper + Send + 'a>,
    deadlock: Deadlock,
    n_words: usize,
}

impl<'a> Search<'a> {
    fn new(system: &'a dyn TransitionSystem, deadlock: Deadlock) -> Search<'a> {
        let kinds = system.properties().iter().map(|property| property.kind).collect();
        let graph = Graph {
            states: Vec::new(),
            depths: Vec::new(),
            edges: Vec::new(),
            is_end: Vec::new(),
            initial: Vec::new(),
            errors: BTreeSet::new(),
            reached: BTreeMap::new(),
            has_broken_steps: false,
            kinds,
        };
        Search {
            graph,
            known: BTreeMap::new(),
            open: VecDeque::new(),
            stepper: system.stepper(&Limits::none()),
            deadlock,
            n_words: system.state_words(),
        }
    }

    fn start(&mut self) {
        let mut out = Successors::new(self.n_words);
        self.stepper.initial(&mut out).expect("there are no limits");
        self.note_faults(&out, 0);
        self.note_reached(&out.covered, 0);
        for idx in 0..out.len() {
            let state = self.add(out.state(idx), 0);
            if !self.graph.initial.contains(&state) {
                self.graph.initial.push(state);
            }
        }
    }

    fn expand(&mut self, idx: usize) {
        let state = self.graph.states[idx].clone();
        let depth = self.graph.depths[idx];
        let mut out = Successors::new(self.n_words);
        self.stepper.expand(&state, &mut out).expect("there are no limits");
        self.note_faults(&out, depth);
        self.note_reached(&out.covered, idx);
        let moves = (0..out.len()).any(|successor| out.state(successor) != state);
        let is_stuck = match self.deadlock {
            Deadlock::Off => false,
            Deadlock::Stuck => out.n_enabled == 0,
            // A successor that an assumption leaves out is one as well.
            Deadlock::Stuttering => !moves && out.n_enabled <= out.len() as u64,
        };
        if is_stuck && out.faults.is_empty() {
            self.graph.errors.insert((depth, Error::Deadlock));
        }
        self.graph.is_end[idx] = out.is_empty() && out.n_enabled == 0;
        for successor in 0..out.len() {
            let to = self.add(out.state(successor), depth + 1);
            self.graph.edges[idx].push((out.choice(successor), to));
        }
    }

    fn note_faults(&mut self, out: &Successors, depth: usize) {
        if !out.faults.is_empty() {
            self.graph.has_broken_steps = true;
            self.graph.errors.insert((depth, Error::Fault));
        }
    }

    fn add(&mut self, state: &[u64], depth: usize) -> usize {
        if let Some(idx) = self.known.get(state) {
            return *idx;
        }
        let idx = self.graph.states.len();
        self.known.insert(state.to_vec(), idx);
        self.graph.states.push(state.to_vec());
        self.graph.depths.push(depth);
        self.graph.edges.push(Vec::new());
        self.graph.is_end.push(false);
        self.open.push_back(idx);
        let mut judgement = Judgement::default();
        self.stepper.judge(state, &mut judgement).expect("there are no limits");
        for property in judgement.violated {
            self.graph.errors.insert((depth, Error::Invariant(property)));
        }
        if !judgement.faults.is_empty() {
            self.graph.errors.insert((depth, Error::Fault));
        }
        self.note_reached(&judgement.reached, idx);
        idx
    }

    fn note_reached(&mut self, properties: &[u32], idx: usize) {
        for property in properties {
            self.graph.reached.entry(*property).or_default().push(idx);
        }
    }
}
