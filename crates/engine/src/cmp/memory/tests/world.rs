//! The stack with a given number of threads, as it is: written apart from its views.

use std::collections::BTreeSet;

use super::stack::{Features, Heap, ME, Node, REST, Thread};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct World {
    /// Nodes on the stack, the top last.
    stack: Vec<u64>,
    last: Option<usize>,
    threads: Vec<Worker>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Worker {
    /// The value of the node that it has, and whether that was on the stack.
    node: Option<(u64, bool)>,
    peer: Option<usize>,
    flag: bool,
    was: u64,
}

impl World {
    /// All states of so many threads that can be reached.
    pub(super) fn all(n_threads: usize, features: Features) -> BTreeSet<World> {
        let threads = vec![Worker::default(); n_threads];
        let start = World { stack: Vec::new(), last: None, threads };
        let mut all = BTreeSet::from([start.clone()]);
        let mut open = vec![start];
        while let Some(world) = open.pop() {
            for me in 0..n_threads {
                let mut next = world.moves(me, features);
                if features.flags {
                    next.extend(world.flag_moves(me));
                }
                open.extend(next.into_iter().filter(|next| all.insert(next.clone())));
            }
        }
        all
    }

    fn moves(&self, me: usize, features: Features) -> Vec<World> {
        if !features.pushes {
            return Vec::new();
        }
        let mut next = self.clone();
        let worker = &mut next.threads[me];
        match worker.node {
            None => {
                worker.peer = self.last;
                let mut all = Vec::new();
                for value in 1..=features.n_values {
                    next.threads[me].node = Some((value, false));
                    all.push(next.clone());
                }
                if let Some(value) = next.stack.pop() {
                    next.threads[me].node = Some((value, true));
                    all.push(next);
                }
                return all;
            }
            Some((value, false)) if self.stack.len() < features.max_depth => {
                next.stack.push(value);
                next.last = Some(me);
            }
            Some((_, false)) => return Vec::new(),
            Some((_, true)) => {}
        }
        (next.threads[me].node, next.threads[me].peer) = (None, None);
        vec![next]
    }

    fn flag_moves(&self, me: usize) -> Vec<World> {
        let mut all = Vec::new();
        let mut raised = self.clone();
        raised.threads[me].flag = true;
        raised.threads[me].was = raised.threads[me].was.max(1);
        all.push(raised);
        let others = (0..self.threads.len()).filter(|other| *other != me);
        if !self.threads[me].flag {
            let mut reset = self.clone();
            others.for_each(|other| reset.threads[other].flag = false);
            all.push(reset);
        } else {
            for other in others.filter(|other| !self.threads[*other].flag) {
                let mut infected = self.clone();
                infected.threads[other].was = 2;
                all.push(infected);
            }
        }
        all
    }

    /// What a thread sees, with nodes in the order in which they are found.
    pub(super) fn seen_by(&self, me: usize) -> Vec<u64> {
        let named = |thread: Option<usize>| match thread {
            None => 0,
            Some(thread) if thread == me => ME,
            Some(_) => REST,
        };
        let mut heap = Heap { last: named(self.last), ..Heap::default() };
        let n_stack = self.stack.len();
        for (node, value) in self.stack.iter().rev().enumerate() {
            let next = if node + 1 < n_stack { node as u64 + 2 } else { 0 };
            heap.nodes[node] = Node { next, value: *value, ..Node::default() };
        }
        heap.top = u64::from(n_stack > 0);
        let Worker { node, peer, flag, was } = self.threads[me].clone();
        let (mut pc, mut held) = (0, 0);
        if let Some((value, was_on_stack)) = node {
            (pc, held) = (1 + u64::from(was_on_stack), n_stack as u64 + 1);
            heap.nodes[n_stack] = Node { value, owner: ME, ..Node::default() };
        }
        heap.threads[0] = Thread { pc, held, peer: named(peer), flag: u64::from(flag), was };
        heap.pack()
    }
}
