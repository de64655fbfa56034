//! Some threads of the toy system as they are, with a heap of their own: nothing is abstract.

use std::collections::BTreeSet;

use super::toy::{
    Codes, DATA, Free, LAST, NEXT, OWNER, TOP, Toy, Ways, field, mine, mood, packed, pc,
};

/// A box is one number here, since its two nodes are never apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Crowd {
    top: Option<usize>,
    last: Option<usize>,
    threads: Vec<(u64, Option<usize>)>,
    moods: Vec<u64>,
    /// For each box, is it in use, and whose is it?
    boxes: Vec<Option<Option<usize>>>,
}

/// All states of `n` threads that can be reached.
pub(super) fn reachable(ways: Ways, n: usize) -> BTreeSet<Crowd> {
    let (threads, boxes) = (vec![(0, None); n], vec![None; 2 * n + 2]);
    let start = Crowd { top: None, last: None, threads, moods: vec![0; n], boxes };
    let mut seen = BTreeSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        for thread in 0..n {
            for next in state.after(ways, thread).into_iter().chain(state.moody(ways, thread)) {
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
    }
    seen
}

impl Crowd {
    fn after(&self, ways: Ways, me: usize) -> Vec<Crowd> {
        let mut next = self.clone();
        match self.threads[me] {
            (0, _) => {
                let new = self.boxes.iter().position(Option::is_none).expect("a box is free");
                next.boxes[new] = Some(Some(me));
                next.threads[me] = (1, Some(new));
                let mut looking = self.clone();
                looking.threads[me] = (3, self.top);
                return if ways.readers { vec![next, looking] } else { vec![next] };
            }
            (1, put) => {
                (next.top, next.last) = (put, Some(me));
                next.threads[me] = (2, self.top);
                next.boxes[put.expect("a box was made")] = Some(None);
                if let Some(got) = self.top {
                    next.boxes[got] = Some(Some(me));
                }
            }
            (at, held) => {
                if at == 2 && self.last == Some(me) {
                    next.last = None;
                }
                next.threads[me] = (0, None);
                if let Some(held) = held {
                    next.let_go(ways, held);
                }
            }
        }
        vec![next]
    }

    /// What comes of a thread's mood.
    fn moody(&self, ways: Ways, me: usize) -> Vec<Crowd> {
        if !ways.moods {
            return Vec::new();
        }
        let (mut happier, mut annoyed) = (self.clone(), self.clone());
        happier.moods[me] = (self.moods[me] + 1) % 3;
        for other in (0..self.moods.len()).filter(|other| *other != me) {
            annoyed.moods[other] = 3;
        }
        if self.threads[me].0 == 2 { vec![happier, annoyed] } else { vec![happier] }
    }

    fn let_go(&mut self, ways: Ways, held: usize) {
        let is_held = self.top == Some(held) || self.threads.iter().any(|(_, h)| *h == Some(held));
        if ways.free == Free::ByHand || !is_held {
            self.boxes[held] = None;
        }
    }

    pub(super) fn n_threads(&self) -> usize {
        self.threads.len()
    }

    /// What one thread sees, as a state of the toy system.
    pub(super) fn view(&self, toy: &Toy, me: usize) -> Vec<u64> {
        let mut codes: Codes = vec![0; toy.cells.cells.len()];
        let name = |who: Option<usize>| who.map_or(0, |who| if who == me { 1 } else { 3 });
        let mut n_nodes = 0;
        let mut show = |codes: &mut Codes, held: Option<usize>| {
            let Some(held) = held else { return 0 };
            for node in [n_nodes + 1, n_nodes + 2] {
                codes[field(node, DATA)] = 1;
                codes[field(node, OWNER)] = name(self.boxes[held].expect("it is in use"));
            }
            codes[field(n_nodes + 1, NEXT)] = n_nodes + 2;
            n_nodes += 2;
            n_nodes - 1
        };
        codes[TOP] = show(&mut codes, self.top);
        codes[LAST] = name(self.last);
        let (at, held) = self.threads[me];
        codes[pc(0)] = at;
        codes[mood(0)] = self.moods[me];
        codes[mine(0)] = match held == self.top {
            true => codes[TOP],
            false => show(&mut codes, held),
        };
        packed(&codes)
    }
}
