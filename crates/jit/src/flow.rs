//! How control flows through a function: an order of its blocks, and which block is on
//! every way to which.

use model::rule_code::{BlockId, End, Function};

/// The reachable blocks of a function.
pub(crate) struct Flow {
    /// Each before those it leads to, loops aside.
    pub order: Vec<BlockId>,
    /// The number of each block in `order`; none where it is not reachable.
    numbers: Vec<Option<usize>>,
    /// When a walk through the tree of blocks enters and leaves each block of `order`.
    /// Above a block stand those that are on every way to it.
    visits: Vec<(usize, usize)>,
}

impl Flow {
    /// Of the blocks of `function`.
    ///
    /// **Source** of the tree: Cooper, Harvey and Kennedy, "A simple, fast dominance
    /// algorithm", 2001.
    pub fn of(function: &Function) -> Flow {
        let order = reverse_postorder(function);
        let mut numbers = vec![None; function.blocks.len()];
        for (number, id) in order.iter().enumerate() {
            numbers[id.0 as usize] = Some(number);
        }
        let mut sources = vec![Vec::new(); order.len()];
        for (number, id) in order.iter().enumerate() {
            for target in targets(function.blocks[id.0 as usize].end) {
                sources[numbers[target.0 as usize].expect("it is reachable")].push(number);
            }
        }
        let visits = visits(&parents(&sources));
        Flow { order, numbers, visits }
    }

    /// Is `first` on every way to `second`? Both are reachable.
    pub fn is_before(&self, first: BlockId, second: BlockId) -> bool {
        let visit =
            |id: BlockId| self.numbers[id.0 as usize].map_or((0, 0), |number| self.visits[number]);
        let (first, second) = (visit(first), visit(second));
        first.0 <= second.0 && second.1 <= first.1
    }
}

/// Where the end of a block leads.
pub(crate) fn targets(end: End) -> impl Iterator<Item = BlockId> {
    let (first, second) = match end {
        End::Jump(target) => (Some(target), None),
        End::Branch { then, otherwise, .. } => (Some(then), Some(otherwise)),
        End::Return(_) | End::Fault(_) => (None, None),
    };
    first.into_iter().chain(second)
}

/// The reachable blocks, each before those it leads to, loops aside.
fn reverse_postorder(function: &Function) -> Vec<BlockId> {
    let mut seen = vec![false; function.blocks.len()];
    let mut order = Vec::new();
    let mut path = vec![(BlockId(0), false)];
    while let Some((id, done)) = path.pop() {
        if done {
            order.push(id);
        } else if !std::mem::replace(&mut seen[id.0 as usize], true) {
            path.push((id, true));
            path.extend(targets(function.blocks[id.0 as usize].end).map(|target| (target, false)));
        }
    }
    order.reverse();
    order
}

/// For each block, by number: the last other one that is on every way to it. For the
/// first one, itself.
fn parents(sources: &[Vec<usize>]) -> Vec<usize> {
    let mut parents: Vec<Option<usize>> = vec![None; sources.len()];
    parents[0] = Some(0);
    let mut changed = true;
    while changed {
        changed = false;
        for block in 1..sources.len() {
            let known = sources[block].iter().copied().filter(|from| parents[*from].is_some());
            let parent = known.reduce(|left, right| common(&parents, left, right));
            changed |= parents[block] != parent;
            parents[block] = parent;
        }
    }
    parents.into_iter().map(|parent| parent.expect("the blocks are reachable")).collect()
}

/// The last block that is on every way to both.
fn common(parents: &[Option<usize>], mut left: usize, mut right: usize) -> usize {
    let parent = |block: usize| parents[block].expect("only known blocks are asked about");
    while left != right {
        if left > right {
            left = parent(left);
        } else {
            right = parent(right);
        }
    }
    left
}

fn visits(parents: &[usize]) -> Vec<(usize, usize)> {
    let mut children = vec![Vec::new(); parents.len()];
    for (block, parent) in parents.iter().enumerate().skip(1) {
        children[*parent].push(block);
    }
    let mut visits = vec![(0, 0); parents.len()];
    let mut clock = 0;
    let mut path = vec![(0, false)];
    while let Some((block, done)) = path.pop() {
        clock += 1;
        if done {
            visits[block].1 = clock;
        } else {
            visits[block].0 = clock;
            path.push((block, true));
            path.extend(children[block].iter().map(|child| (*child, false)));
        }
    }
    visits
}
