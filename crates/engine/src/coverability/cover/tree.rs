//! The tree of configurations: nodes, acceleration, and monotone pruning.

use rustc_hash::FxHashMap;

use crate::coverability::rules::Rule;
use crate::kernel::sparse::{
    OMEGA, VectorId, VectorStore, entry, idx_of, le, signature, value_at, value_of,
};

/// Index of a node.
pub type NodeId = u32;

/// Where a node comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Birth {
    /// It is the initial zone with this index.
    Root(usize),
    /// A rule fired in another node.
    Child {
        /// That node.
        parent: NodeId,
        /// The rule.
        rule: u32,
    },
}

struct Node {
    control: u32,
    vector: VectorId,
    signature: u64,
    birth: Birth,
    /// The nearest ancestor with the same control state from which only plain
    /// rules lead here.
    plain_ancestor: Option<NodeId>,
    /// Was the rule that led here plain?
    is_plain_birth: bool,
    is_active: bool,
    /// Active nodes at or below this one.
    n_active_below: u32,
    children: Vec<NodeId>,
}

/// One acceleration of a node.
pub struct Acceleration {
    /// The ancestor that it strictly dominates; the path from there to the node
    /// can be repeated.
    pub ancestor: NodeId,
    /// The node's vector before.
    pub before: VectorId,
}

/// All nodes ever made.
pub struct Tree {
    nodes: Vec<Node>,
    vectors: VectorStore,
    accelerations: FxHashMap<NodeId, Vec<Acceleration>>,
    /// Per control state, nodes that are active or have active descendants. Swept
    /// now and then, so some may have none.
    candidates: Vec<Vec<NodeId>>,
    /// Per control state, the number of candidates at which to sweep.
    sweep_at: Vec<usize>,
}

impl Tree {
    /// An empty tree.
    pub fn new(n_controls: usize) -> Tree {
        Tree {
            nodes: Vec::new(),
            vectors: VectorStore::default(),
            accelerations: FxHashMap::default(),
            candidates: vec![Vec::new(); n_controls],
            sweep_at: vec![64; n_controls],
        }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All vectors.
    pub fn vectors(&self) -> &VectorStore {
        &self.vectors
    }

    /// A node's control state.
    pub fn control(&self, node: NodeId) -> u32 {
        self.nodes[node as usize].control
    }

    /// A node's vector.
    pub fn vector(&self, node: NodeId) -> &[u64] {
        self.vectors.get(self.vector_id(node))
    }

    /// The index of a node's vector.
    pub fn vector_id(&self, node: NodeId) -> VectorId {
        self.nodes[node as usize].vector
    }

    /// Where a node comes from.
    pub fn birth(&self, node: NodeId) -> Birth {
        self.nodes[node as usize].birth
    }

    /// Is the node active?
    pub fn is_active(&self, node: NodeId) -> bool {
        self.nodes[node as usize].is_active
    }

    /// The accelerations of a node, in the order they were applied.
    pub fn accelerations(&self, node: NodeId) -> &[Acceleration] {
        self.accelerations.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Adds a root.
    pub fn root(&mut self, control: u32, vector: &[u64], initial: usize) -> NodeId {
        self.push(control, vector, Birth::Root(initial))
    }

    /// Adds a child.
    pub fn child(&mut self, parent: NodeId, rule: u32, compiled: &Rule, vector: &[u64]) -> NodeId {
        let plain_ancestor =
            if compiled.is_plain() { self.nearest_plain(parent, compiled.to) } else { None };
        let node = self.push(compiled.to, vector, Birth::Child { parent, rule });
        self.nodes[node as usize].plain_ancestor = plain_ancestor;
        self.nodes[node as usize].is_plain_birth = compiled.is_plain();
        self.nodes[parent as usize].children.push(node);
        node
    }

    /// Replaces grown counts by `*`: wherever the node strictly exceeds an ancestor
    /// that it dominates, until nothing changes.
    pub fn accelerate(&mut self, node: NodeId) {
        let mut ancestor = self.nodes[node as usize].plain_ancestor;
        while let Some(above) = ancestor {
            ancestor = self.nodes[above as usize].plain_ancestor;
            let (old, new) = (self.vector(above), self.vector(node));
            if !le(old, new) || old == new {
                continue;
            }
            let grown = |e: u64| {
                let grew = value_of(e) > value_at(old, idx_of(e));
                if grew { entry(idx_of(e), OMEGA) } else { e }
            };
            let accelerated: Vec<u64> = new.iter().map(|&e| grown(e)).collect();
            if accelerated == new {
                continue;
            }
            let before = self.vector_id(node);
            let vector = self.vectors.push(&accelerated);
            self.nodes[node as usize].vector = vector;
            let acceleration = Acceleration { ancestor: above, before };
            self.accelerations.entry(node).or_default().push(acceleration);
            // A new `*` may let the node dominate ancestors passed already.
            ancestor = self.nodes[node as usize].plain_ancestor;
        }
    }

    /// Makes a node active.
    pub fn activate(&mut self, node: NodeId) {
        self.nodes[node as usize].is_active = true;
        self.for_each_ancestor(node, |above| above.n_active_below += 1);
        let control = self.control(node) as usize;
        self.nodes[node as usize].signature = signature(self.vector(node));
        self.candidates[control].push(node);
        if self.candidates[control].len() >= self.sweep_at[control] {
            self.sweep();
        }
    }

    /// Deactivates every node that has an ancestor (itself included) which `node`
    /// dominates and which is active or not an ancestor of `node`. Returns those
    /// that were active.
    pub fn deactivate_below(&mut self, node: NodeId) -> Vec<NodeId> {
        let control = self.control(node) as usize;
        let vector = self.vector(node);
        let bits = signature(vector);
        let is_dominated = |candidate: &&NodeId| {
            let other = &self.nodes[**candidate as usize];
            **candidate != node
                && other.signature & !bits == 0
                && le(self.vectors.get(other.vector), vector)
        };
        self.vectors.note_compared(self.candidates[control].len());
        let dominated: Vec<NodeId> =
            self.candidates[control].iter().filter(is_dominated).copied().collect();
        if dominated.is_empty() {
            return Vec::new();
        }
        let ancestors = self.ancestors(node);
        let mut gone = Vec::new();
        for root in dominated {
            if self.is_active(root) || ancestors.binary_search(&root).is_err() {
                self.deactivate_subtree(root, &mut gone);
            }
        }
        gone
    }

    fn push(&mut self, control: u32, vector: &[u64], birth: Birth) -> NodeId {
        let signature = signature(vector);
        let vector = self.vectors.push(vector);
        self.nodes.push(Node {
            control,
            vector,
            signature,
            birth,
            plain_ancestor: None,
            is_plain_birth: false,
            is_active: false,
            n_active_below: 0,
            children: Vec::new(),
        });
        (self.nodes.len() - 1) as NodeId
    }

    /// The nearest ancestor of a child of `parent`, `parent` included, with control
    /// state `control`, reached by plain rules only.
    fn nearest_plain(&self, parent: NodeId, control: u32) -> Option<NodeId> {
        let mut node = parent;
        loop {
            let this = &self.nodes[node as usize];
            if this.control == control {
                return Some(node);
            }
            match this.birth {
                Birth::Child { parent, .. } if this.is_plain_birth => node = parent,
                Birth::Child { .. } | Birth::Root(_) => return None,
            }
        }
    }

    /// The ancestors of a node, itself included, oldest first: sorted, because
    /// parents are older than their children.
    fn ancestors(&self, node: NodeId) -> Vec<NodeId> {
        let mut found = vec![node];
        while let Birth::Child { parent, .. } = self.birth(found[found.len() - 1]) {
            found.push(parent);
        }
        found.reverse();
        self.vectors.note_compared(found.len());
        found
    }

    fn for_each_ancestor(&mut self, node: NodeId, mut visit: impl FnMut(&mut Node)) {
        let mut at = node;
        let mut n_visited = 1;
        loop {
            visit(&mut self.nodes[at as usize]);
            match self.birth(at) {
                Birth::Root(_) => break,
                Birth::Child { parent, .. } => at = parent,
            }
            n_visited += 1;
        }
        self.vectors.note_compared(n_visited);
    }

    fn deactivate_subtree(&mut self, root: NodeId, gone: &mut Vec<NodeId>) {
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            if self.nodes[node as usize].n_active_below == 0 {
                continue;
            }
            pending.extend_from_slice(&self.nodes[node as usize].children);
            if std::mem::replace(&mut self.nodes[node as usize].is_active, false) {
                self.for_each_ancestor(node, |above| above.n_active_below -= 1);
                gone.push(node);
            }
        }
    }

    /// Drops candidates that neither are active nor have active descendants.
    fn sweep(&mut self) {
        let nodes = &self.nodes;
        for (control, candidates) in self.candidates.iter_mut().enumerate() {
            candidates.retain(|node| nodes[*node as usize].n_active_below > 0);
            self.sweep_at[control] = 64.max(candidates.len() * 2);
        }
    }
}
