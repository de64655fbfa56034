//! The tree of configurations: nodes, acceleration, and monotone pruning.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::coverability::rules::Rule;
use crate::kernel::sparse::{
    OMEGA, VectorId, VectorStore, entry, idx_of, le, signature, value_at, value_of, weight,
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
    /// The smallest weight among this node and all nodes that acceleration would
    /// compare its descendants with.
    lightest: u64,
    is_active: bool,
    /// Is it inactive, with nothing active below, for good?
    is_dead: bool,
    /// The children that are not dead.
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

/// Fewer candidates than this are not worth sweeping.
const CANDIDATES_BEFORE_SWEEP: usize = 1024;

/// All nodes ever made.
pub struct Tree {
    nodes: Vec<Node>,
    vectors: VectorStore,
    accelerations: FxHashMap<NodeId, Vec<Acceleration>>,
    /// Per control state and weight, nodes that are not dead. Swept now and then, so
    /// some may be.
    candidates: Vec<BTreeMap<u64, Vec<NodeId>>>,
    n_candidates: usize,
    /// The number of candidates at which to sweep.
    sweep_at: usize,
}

impl Tree {
    /// An empty tree.
    pub fn new() -> Tree {
        Tree {
            nodes: Vec::new(),
            vectors: VectorStore::default(),
            accelerations: FxHashMap::default(),
            candidates: Vec::new(),
            n_candidates: 0,
            sweep_at: CANDIDATES_BEFORE_SWEEP,
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
        let mut own_weight = weight(self.vector(node));
        while let Some(above) = ancestor {
            // Only lighter ancestors can be dominated strictly.
            if self.nodes[above as usize].lightest >= own_weight {
                break;
            }
            self.vectors.note_compared(1);
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
            own_weight = weight(&accelerated);
        }
    }

    /// Makes a node active.
    pub fn activate(&mut self, node: NodeId) {
        let control = self.control(node) as usize;
        let weight = weight(self.vector(node));
        let ancestor = self.nodes[node as usize].plain_ancestor;
        let above = ancestor.map_or(u64::MAX, |above| self.nodes[above as usize].lightest);
        let signature = signature(self.vector(node));
        let this = &mut self.nodes[node as usize];
        this.is_active = true;
        this.signature = signature;
        this.lightest = weight.min(above);
        if self.candidates.len() <= control {
            self.candidates.resize_with(control + 1, BTreeMap::new);
        }
        self.candidates[control].entry(weight).or_default().push(node);
        self.n_candidates += 1;
        if self.n_candidates >= self.sweep_at {
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
        let is_dominated = |candidate: &NodeId| {
            let other = &self.nodes[*candidate as usize];
            !other.is_dead
                && other.signature & !bits == 0
                && le(self.vectors.get(other.vector), vector)
        };
        // An equal node is none: if it were active the newcomer would be covered, and
        // leaving its descendants active is harmless.
        let Some(candidates) = self.candidates.get(control) else { return Vec::new() };
        let lighter = candidates.range(..weight(vector));
        let mut dominated: Vec<NodeId> = Vec::new();
        for nodes in lighter.map(|(_, nodes)| nodes) {
            self.vectors.note_compared(nodes.len());
            dominated.extend(nodes.iter().copied().filter(is_dominated));
        }
        if dominated.is_empty() {
            return Vec::new();
        }
        let ancestors = self.ancestors(node);
        let mut gone = Vec::new();
        for root in dominated {
            if self.is_active(root) || ancestors.binary_search(&root).is_err() {
                self.deactivate_subtree(root, &ancestors, &mut gone);
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
            lightest: 0,
            is_active: false,
            is_dead: false,
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

    /// Deactivates everything at and below `root`. What is not on the way to the
    /// newcomer, whose ancestors are given, is dead then: nothing is ever added below
    /// an inactive node. Each node dies once, so all calls together are linear.
    fn deactivate_subtree(&mut self, root: NodeId, ancestors: &[NodeId], gone: &mut Vec<NodeId>) {
        let mut pending = vec![root];
        let mut n_visited = 0;
        while let Some(node) = pending.pop() {
            n_visited += 1;
            let children = std::mem::take(&mut self.nodes[node as usize].children);
            pending.extend_from_slice(&children);
            let is_on_the_way = ancestors.binary_search(&node).is_ok();
            let this = &mut self.nodes[node as usize];
            if std::mem::replace(&mut this.is_active, false) {
                gone.push(node);
            }
            this.is_dead = !is_on_the_way;
            if is_on_the_way {
                let on_the_way = |child: &NodeId| ancestors.binary_search(child).is_ok();
                this.children = children.into_iter().filter(on_the_way).collect();
            }
        }
        self.vectors.note_compared(n_visited);
    }

    /// Drops dead candidates.
    fn sweep(&mut self) {
        let nodes = &self.nodes;
        self.n_candidates = 0;
        for candidates in &mut self.candidates {
            candidates.retain(|_, list| {
                list.retain(|node| !nodes[*node as usize].is_dead);
                self.n_candidates += list.len();
                !list.is_empty()
            });
        }
        self.sweep_at = CANDIDATES_BEFORE_SWEEP.max(self.n_candidates * 2);
    }
}
