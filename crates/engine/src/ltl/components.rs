//! Strongly connected components of a small graph, without recursion.
//!
//! For automata, which are given as lists; products are searched on the fly by
//! `fair.rs`.

/// The components of a graph, successors before predecessors.
pub(super) struct Components {
    /// The component of each node.
    pub component_of: Vec<u32>,
    /// The nodes of each component, ascending.
    pub members: Vec<Vec<u32>>,
    /// Does the component have an edge within itself?
    pub is_cyclic: Vec<bool>,
}

const UNSEEN: u32 = u32::MAX;

/// Tarjan's algorithm over lists of successors.
pub(super) fn components(successors: &[Vec<u32>]) -> Components {
    let n = successors.len();
    let mut walk = Tarjan {
        order: vec![UNSEEN; n],
        low: vec![0; n],
        open: Vec::new(),
        n_seen: 0,
        found: Components {
            component_of: vec![UNSEEN; n],
            members: Vec::new(),
            is_cyclic: Vec::new(),
        },
    };
    for root in 0..n as u32 {
        if walk.order[root as usize] == UNSEEN {
            walk.from(root, successors);
        }
    }
    let mut found = walk.found;
    found.is_cyclic = found
        .members
        .iter()
        .map(|members| members.len() > 1 || successors[members[0] as usize].contains(&members[0]))
        .collect();
    found
}

struct Tarjan {
    order: Vec<u32>,
    low: Vec<u32>,
    open: Vec<u32>,
    n_seen: u32,
    found: Components,
}

impl Tarjan {
    fn from(&mut self, root: u32, successors: &[Vec<u32>]) {
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((node, next)) = path.last_mut() {
            let node = *node as usize;
            if let Some(&target) = successors[node].get(*next) {
                *next += 1;
                if self.order[target as usize] == UNSEEN {
                    self.enter(target);
                    path.push((target, 0));
                } else if self.found.component_of[target as usize] == UNSEEN {
                    self.low[node] = self.low[node].min(self.order[target as usize]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                self.low[parent as usize] = self.low[parent as usize].min(self.low[node]);
            }
            if self.low[node] == self.order[node] {
                self.close(node as u32);
            }
        }
    }

    fn enter(&mut self, node: u32) {
        self.order[node as usize] = self.n_seen;
        self.low[node as usize] = self.n_seen;
        self.n_seen += 1;
        self.open.push(node);
    }

    fn close(&mut self, root: u32) {
        let start = self.open.iter().rposition(|&node| node == root).expect("the root is open");
        let mut members = self.open.split_off(start);
        members.sort_unstable();
        for &node in &members {
            self.found.component_of[node as usize] = self.found.members.len() as u32;
        }
        self.found.members.push(members);
    }
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn components_come_successors_first_and_know_their_cycles() {
        let found = components(&[vec![1], vec![2, 3], vec![1], vec![3], vec![0]]);
        assert_eq!(found.members, [vec![3], vec![1, 2], vec![0], vec![4]]);
        assert_eq!(found.is_cyclic, [true, true, false, false]);
    }
}
