//! Chooses among the orders of elements that refinement cannot tell apart.
//!
//! A depth-first walk over the tree of choices. At a node, one cell is chosen and
//! each of its elements in turn is put in front; then the partition is refined. A
//! leaf is a partition into single elements, hence a permuted state. Every node
//! has a *trace*, a hash that permutations do not change. The canonical form is
//! the leaf with the least sequence of traces, and among those the least state.
//!
//! Subtrees are left out when their trace is greater than that of the best leaf,
//! when the element is a twin of one already tried, and when a leaf in them equals
//! the first or the best leaf. That shows an automorphism which maps the branch
//! taken there to the branch taken here, at the node where the two paths part;
//! twins that were separated above that node stay in place under it, since both
//! leaves refine the node's partition.

use super::CanonicalWorker;
use super::partition::Partition;

/// Memory of the search.
#[derive(Debug, Default)]
pub(super) struct CanonicalSearch {
    /// The best leaf; one more word than a state.
    pub(super) best: Vec<u64>,
    best_path: Vec<u32>,
    best_traces: Vec<u64>,
    first: Vec<u64>,
    first_path: Vec<u32>,
    /// The elements put in front, from the root to the current node.
    path: Vec<u32>,
    traces: Vec<u64>,
    /// The nodes from the root on; those beyond the current one are free.
    nodes: Vec<BranchNode>,
}

/// A node with a choice.
#[derive(Debug, Default)]
struct BranchNode {
    partition: Partition,
    /// The cell whose elements are tried.
    start: usize,
    end: usize,
    /// Position of the next element to try.
    next: usize,
}

impl CanonicalWorker<'_> {
    /// Finds the canonical form, starting from the partition as it is. The result
    /// is in `search.best`.
    pub(super) fn search(&mut self) {
        let search = &mut self.search;
        search.path.clear();
        search.traces.clear();
        search.best.clear();
        self.refiner.narrow(self.plan, &self.partition);
        self.open_node(0);
        let mut depth = 0;
        loop {
            let Some(position) = self.next_choice(depth) else {
                if depth == 0 {
                    return;
                }
                depth -= 1;
                continue;
            };
            let all_separate = self.choose(depth, position);
            if self.is_hopeless() {
                continue;
            }
            if all_separate {
                depth = self.visit_leaf().unwrap_or(depth);
            } else {
                depth += 1;
                self.open_node(depth);
            }
        }
    }

    /// Makes the partition the node at `depth`, with its first smallest cell as
    /// the choice.
    fn open_node(&mut self, depth: usize) {
        let (start, end) = self.smallest_cell();
        let nodes = &mut self.search.nodes;
        if nodes.len() <= depth {
            nodes.push(BranchNode::default());
        }
        let node = &mut nodes[depth];
        node.partition.copy_from(&self.partition);
        (node.start, node.end, node.next) = (start, end, start);
    }

    /// The first of the smallest cells of several elements.
    fn smallest_cell(&self) -> (usize, usize) {
        let (mut smallest, mut size) = ((0, 0), usize::MAX);
        for domain in self.plan.domains.iter().filter(|domain| !domain.ties_are_twins()) {
            let mut start = domain.first as usize;
            while start < domain.range().end {
                let end = self.partition.end_of(start);
                if (2..size).contains(&(end - start)) {
                    (smallest, size) = ((start, end), end - start);
                }
                start = end;
            }
        }
        smallest
    }

    /// The position of the next element to try, twins of earlier ones left out.
    fn next_choice(&mut self, depth: usize) -> Option<usize> {
        let node = &mut self.search.nodes[depth];
        let (start, end) = (node.start, node.end);
        // Positions of twins are looked up in the node's own partition.
        self.partition.copy_from(&node.partition);
        loop {
            let position = self.search.nodes[depth].next;
            if position == end {
                return None;
            }
            self.search.nodes[depth].next += 1;
            if !(start..position).any(|earlier| self.are_twins(earlier, position)) {
                return Some(position);
            }
        }
    }

    /// Puts the element at `position` in front and refines. Says whether all
    /// elements are separate then.
    fn choose(&mut self, depth: usize, position: usize) -> bool {
        let search = &mut self.search;
        let node = &search.nodes[depth];
        search.path.truncate(depth);
        search.traces.truncate(depth);
        search.path.push(self.partition.order[position]);
        self.partition.individualise(node.start, node.end, position);
        let trace = self.refiner.refine(self.plan, &mut self.partition);
        self.search.traces.push(trace);
        self.separate_twins()
    }

    /// Is every leaf below worse than the best one?
    fn is_hopeless(&self) -> bool {
        let search = &self.search;
        let n_common = search.traces.len().min(search.best_traces.len());
        !search.best.is_empty() && search.traces[..] > search.best_traces[..n_common]
    }

    /// Compares a leaf with the best one and the first one. Gives the depth of the
    /// node to go on with, where an automorphism shows that nothing else is found
    /// below it on the current path.
    fn visit_leaf(&mut self) -> Option<usize> {
        self.apply_partition();
        let (leaf, search) = (&self.permuted, &mut self.search);
        if search.best.is_empty() {
            search.first.clone_from(leaf);
            search.first_path.clone_from(&search.path);
        } else if search.best == *leaf {
            return Some(common_length(&search.path, &search.best_path));
        } else if search.first == *leaf {
            return Some(common_length(&search.path, &search.first_path));
        }
        let is_better = (&search.traces, leaf) < (&search.best_traces, &search.best);
        if search.best.is_empty() || is_better {
            search.best.clone_from(leaf);
            search.best_path.clone_from(&search.path);
            search.best_traces.clone_from(&search.traces);
        }
        None
    }
}

fn common_length(left: &[u32], right: &[u32]) -> usize {
    left.iter().zip(right).take_while(|(left, right)| left == right).count()
}
