//! Explores the subset construction, breadth first.

use model::{
    Context, NotAllowed, RefinementFailure, RefinementQuestion, RefinementRelation, RelatedStates,
    StopReason,
};

use super::incomplete;
use super::sets::{SetId, Sets};
use super::table::{Side, SideTable, ThreadMove};
use crate::kernel::budget::{Budget, Pause};

/// A local store of the implementation, with where the specification's thread may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct SimulationPair {
    pub local: u32,
    pub set: SetId,
    /// Steps of the implementation that lead there.
    pub depth: u32,
    /// The node before, and the step; `None` at the start.
    pub from: Option<(u32, TakenStep)>,
    /// The shared store when the node was found.
    pub shared: u32,
}

/// A step that was taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct TakenStep {
    /// The shared store before it.
    pub before: u32,
    /// The step.
    pub moved: ThreadMove,
}

/// How the search ended.
pub(super) enum RefinementEnd {
    /// Everything that can happen is allowed.
    Closed,
    /// Something is not.
    Failed(Box<RefinementFailure>),
}

/// What is not allowed, and after which node.
pub(super) struct Mismatch {
    pub node: SimulationPair,
    /// The step from there that is not allowed.
    pub taken: Option<TakenStep>,
    pub not_allowed: NotAllowed,
    /// The implementation's shared store in which it is not.
    pub shared: u32,
}

pub(super) struct RefinementSearch<'q> {
    pub question: RefinementQuestion<'q>,
    pub implementation: SideTable<'q>,
    pub specification: Sets<'q>,
    /// For each shared store of the implementation, that of the specification.
    pub stands_for: Vec<u32>,
    pub nodes: Vec<SimulationPair>,
    /// For each local store of the implementation, the nodes with the smallest sets.
    smallest: Vec<Vec<u32>>,
    n_interactions: u64,
    /// A buffer.
    moves: Vec<ThreadMove>,
    context: Context<'q>,
}

impl<'q> RefinementSearch<'q> {
    pub fn new(question: &RefinementQuestion<'q>, context: Context<'q>) -> RefinementSearch<'q> {
        let pairs = &question.shared.pairs;
        let own = pairs.iter().map(|pair| pair.0.clone());
        let other = pairs.iter().map(|pair| pair.1.clone());
        let side = |program, name| Side { program, name, limits: context.limits };
        let specification = SideTable::new(side(question.specification, "specification"), other);
        let implementation = side(question.implementation, "implementation");
        let stands_for = pairs.iter().filter_map(|pair| specification.shared_number(&pair.1));
        RefinementSearch {
            question: *question,
            stands_for: stands_for.collect(),
            implementation: SideTable::new(implementation, own),
            specification: Sets::new(specification),
            nodes: Vec::new(),
            smallest: Vec::new(),
            n_interactions: 0,
            moves: Vec::new(),
            context,
        }
    }

    /// Looks for something that is not allowed.
    ///
    /// # Errors
    /// Why the question is not answered.
    pub fn run(&mut self) -> Result<RefinementEnd, StopReason> {
        if self.implementation.n_shared() != self.question.shared.pairs.len() {
            return Err(incomplete(
                "a shared store stands for two of the specification".to_owned(),
            ));
        }
        self.implementation.refuse_environment_steps()?;
        self.specification.table.refuse_environment_steps()?;
        let mut budget = Budget::new("refine", u64::MAX, self.context);
        let mut found = self.start()?;
        let mut next = 0;
        while found.is_none() && next < self.nodes.len() {
            found = self.expand(next as u32, &mut budget)?;
            next += 1;
        }
        match found {
            Some(finding) => Ok(RefinementEnd::Failed(Box::new(self.reconstruct(&finding)?))),
            None => Ok(RefinementEnd::Closed),
        }
    }

    /// The nodes with the smallest sets.
    pub fn relation(&self) -> RefinementRelation {
        let smallest = self.smallest.iter().flatten().map(|&idx| self.nodes[idx as usize]);
        let mut pairs: Vec<RelatedStates> = smallest
            .map(|node| RelatedStates {
                implementation: self.implementation.local(node.local).clone(),
                specification: self.specification.stores(node.set),
            })
            .collect();
        pairs.sort_unstable();
        RefinementRelation { pairs }
    }

    pub fn statistics(&self) -> Vec<(String, u64)> {
        vec![
            ("nodes".to_owned(), self.nodes.len() as u64),
            ("interactions".to_owned(), self.n_interactions),
            ("sets".to_owned(), self.specification.n_sets() as u64),
        ]
    }

    /// Adds the nodes of the start.
    fn start(&mut self) -> Result<Option<Mismatch>, StopReason> {
        let set = self.specification.initial();
        let locals = self.implementation.initial_locals();
        let allowed = self.question.specification.initial_shared();
        let mut first = None;
        for store in self.question.implementation.initial_shared() {
            let Some(shared) = self.implementation.shared_number(&store) else {
                return Err(unknown_store(&store, self.question));
            };
            first = first.or(Some(shared));
            if !allowed.contains(&self.question.shared.pairs[shared as usize].1) {
                let node = SimulationPair { local: locals[0], set, depth: 0, from: None, shared };
                let not_allowed = NotAllowed::Start;
                return Ok(Some(Mismatch { node, taken: None, not_allowed, shared }));
            }
        }
        let Some(shared) = first else {
            return Err(incomplete("the implementation cannot start".to_owned()));
        };
        for local in locals {
            let found = self.add(SimulationPair { local, set, depth: 0, from: None, shared })?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Takes all steps of the implementation's thread in a node, in all environments.
    fn expand(
        &mut self,
        idx: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Mismatch>, StopReason> {
        let node = self.nodes[idx as usize];
        if self.is_passed_over(idx) {
            return Ok(None);
        }
        // The store that the thread left comes first, so that among equally short runs we tend
        // to report one in which the environment does little.
        let n_shared = self.stands_for.len() as u32;
        let others = (0..n_shared).filter(|&shared| shared != node.shared);
        for before in std::iter::once(node.shared).chain(others) {
            let figures = [("nodes", self.nodes.len() as u64), ("done", u64::from(idx))];
            budget.spend(1, &figures).map_err(stopped)?;
            let mut moves = std::mem::take(&mut self.moves);
            moves.clear();
            moves.extend(self.implementation.moves(node.local, before)?);
            for &moved in &moves {
                let taken = TakenStep { before, moved };
                self.n_interactions += 1;
                let found = self.follow((idx, node), taken)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
            self.moves = moves;
        }
        Ok(None)
    }

    /// Lets the specification match one step.
    fn follow(
        &mut self,
        (idx, node): (u32, SimulationPair),
        taken: TakenStep,
    ) -> Result<Option<Mismatch>, StopReason> {
        let TakenStep { before, moved } = taken;
        let at = self.stands_for[before as usize];
        let finding =
            |not_allowed| Some(Mismatch { node, taken: Some(taken), not_allowed, shared: before });
        if moved.is_error {
            return Ok(match self.specification.can_fail(node.set, at)? {
                true => None,
                false => {
                    let end = self.implementation.error_end(node.local, before, moved.idx);
                    let end = end.ok_or_else(|| incomplete("a step is missing".to_owned()))?;
                    finding(NotAllowed::Error(end.error))
                }
            });
        }
        let Some(shared) = moved.shared else { return Err(leaves(&self.question)) };
        let set = self.specification.after(node.set, at, self.stands_for[shared as usize])?;
        if self.specification.is_empty(set) {
            return Ok(finding(NotAllowed::Interaction));
        }
        match moved.local {
            Some(local) => {
                let (depth, from) = (node.depth + 1, Some((idx, taken)));
                self.add(SimulationPair { local, set, depth, from, shared })
            }
            None => Ok(None),
        }
    }

    /// Adds a node unless one with a smaller set is known; looks at the slots that it fills.
    fn add(&mut self, node: SimulationPair) -> Result<Option<Mismatch>, StopReason> {
        let place = node.local as usize;
        if self.smallest.len() <= place {
            self.smallest.resize_with(place + 1, Vec::new);
        }
        let (nodes, sets) = (&self.nodes, &self.specification);
        let known = &mut self.smallest[place];
        if known.iter().any(|&idx| sets.is_subset(nodes[idx as usize].set, node.set)) {
            return Ok(None);
        }
        known.retain(|&idx| !sets.is_subset(node.set, nodes[idx as usize].set));
        known.push(self.nodes.len() as u32);
        self.nodes.push(node);
        self.unfilled_slot(node)
    }

    /// Is another node with a smaller set known that was found in as few steps? One that took
    /// more steps must not stand for it, or the reported run would not be the shortest.
    fn is_passed_over(&self, idx: u32) -> bool {
        let node = self.nodes[idx as usize];
        self.smallest[node.local as usize].iter().any(|&other_idx| {
            let other = self.nodes[other_idx as usize];
            other_idx != idx
                && other.depth <= node.depth
                && self.specification.is_subset(other.set, node.set)
        })
    }

    /// A slot that the implementation's thread fills and the specification's cannot.
    fn unfilled_slot(&mut self, node: SimulationPair) -> Result<Option<Mismatch>, StopReason> {
        let requirements = self.question.implementation.requirements();
        for &(own, other) in self.question.targets {
            for shared in 0..self.stands_for.len() as u32 {
                let store = self.implementation.shared(shared).clone();
                if !requirements.target_shared(own, store.bytes()) {
                    continue;
                }
                for slot in 0..requirements.targets()[own].slots.len() {
                    let local = self.implementation.local(node.local).bytes();
                    if !requirements.target_local(own, slot, store.bytes(), local) {
                        continue;
                    }
                    let at = self.stands_for[shared as usize];
                    if !self.specification.can_fill(node.set, at, (other, slot))? {
                        let not_allowed = NotAllowed::Target { target: own, slot, shared: store };
                        return Ok(Some(Mismatch { node, taken: None, not_allowed, shared }));
                    }
                }
            }
        }
        Ok(None)
    }
}

fn stopped(pause: Pause) -> StopReason {
    match pause {
        Pause::Stopped(reason) => reason,
        Pause::RoundOver => incomplete("a mistake of ours: there is no end of work".to_owned()),
    }
}

fn leaves(question: &RefinementQuestion<'_>) -> StopReason {
    let n = question.shared.pairs.len();
    incomplete(format!("the implementation leaves the {n} shared stores of the environment"))
}

fn unknown_store(store: &model::Store, question: RefinementQuestion<'_>) -> StopReason {
    let name = question.implementation.narrator().describe_shared(store.bytes());
    incomplete(format!("the implementation starts in `{name}`, which no environment knows"))
}
