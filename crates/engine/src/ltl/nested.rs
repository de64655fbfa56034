//! Looks for an accepting cycle by nested depth-first search.
//!
//! The outer (blue) search walks the product; whenever it leaves an accepting
//! pair, the inner (red) search looks from there for a way back to the outer
//! search's path. Every pair is expanded at most twice.
//!
//! **Answers** the first cycle met, as the path of the search; `lasso.rs` makes it
//! short. **Source** Schwoon and Esparza, TACAS 2005: cycles are noticed by the
//! outer search where possible, and a pair with only red successors needs no
//! inner search. We add: where the automaton is weak, every accepting cycle closes
//! on the outer search's path, and there is no inner search at all.

use model::{Choice, Fault, FaultPlace, Omissions};

use crate::kernel::budget::Budget;
use crate::ltl::product::{Edges, Product, ProductHalt};
use crate::ltl::store::StateStore;

/// What a search found, in packed pairs.
#[derive(Debug)]
pub(super) enum CycleFinding {
    /// No accepting cycle.
    Nothing,
    /// A path from an initial pair, and a cycle from its end back to it.
    Cycle {
        /// Ends where the cycle starts; never empty.
        stem: Vec<Box<[u64]>>,
        /// Without the first pair; its last pair is the last one of the stem.
        cycle: Vec<Box<[u64]>>,
        /// How each step of the cycle comes about, where that matters.
        choices: Option<Vec<Option<Choice>>>,
    },
    /// The system has an error at the end of this path, or at the start if empty.
    Fault {
        /// From an initial pair.
        path: Vec<Box<[u64]>>,
        /// Where.
        place: FaultPlace,
        /// What.
        fault: Fault,
    },
}

/// What a search found, and how much it did.
#[derive(Debug)]
pub(super) struct NestedReport {
    pub finding: CycleFinding,
    pub n_states: u64,
    /// What was left out.
    pub omissions: Omissions,
}

/// On the path of the outer search.
const CYAN: u8 = 1;
/// Left by the outer search.
const BLUE: u8 = 2;
/// No accepting cycle can be reached from here.
const RED: u8 = 4;

/// Searches `product`.
pub(super) fn search(
    product: Product<'_>,
    is_weak: bool,
    budget: Budget<'_>,
) -> Result<NestedReport, ProductHalt> {
    let (words, limits) = (product.layout.words, budget.limits());
    let edges = product.edges();
    let mut search = Nested {
        product,
        budget,
        is_weak,
        store: StateStore::new(words, limits),
        colours: Vec::new(),
        blue: Path::default(),
        red: Path::default(),
        edges,
        n_edges: 0,
    };
    let finding = match search.run() {
        Ok(finding) => finding,
        Err(ProductHalt::Fault(place, fault)) => {
            let path = search.words(search.blue.states().chain(search.red.states().skip(1)));
            CycleFinding::Fault { path, place, fault }
        }
        Err(stopped) => return Err(stopped),
    };
    let omissions = search.product.take_omissions();
    Ok(NestedReport { finding, n_states: search.store.len() as u64, omissions })
}

/// A path with the successors that are still to be looked at, the last ones first.
#[derive(Default)]
struct Path {
    frames: Vec<PathFrame>,
    pending: Vec<u32>,
}

struct PathFrame {
    state: u32,
    /// Length of `pending` without this frame's successors.
    floor: usize,
    all_red: bool,
}

impl Path {
    fn states(&self) -> impl Iterator<Item = u32> {
        self.frames.iter().map(|frame| frame.state)
    }

    /// The next successor of the last frame.
    fn next(&mut self) -> Option<u32> {
        let floor = self.frames.last()?.floor;
        if self.pending.len() > floor { self.pending.pop() } else { None }
    }
}

struct Nested<'a> {
    product: Product<'a>,
    budget: Budget<'a>,
    is_weak: bool,
    store: StateStore,
    colours: Vec<u8>,
    blue: Path,
    red: Path,
    edges: Edges,
    n_edges: u64,
}

impl Nested<'_> {
    fn run(&mut self) -> Result<CycleFinding, ProductHalt> {
        self.product.initial(&mut self.edges)?;
        let mut roots = Vec::new();
        self.keep_edges(&mut roots)?;
        for root in roots.into_iter().rev() {
            if self.colours[root as usize] == 0
                && let Some(finding) = self.walk_from(root)?
            {
                return Ok(finding);
            }
        }
        Ok(CycleFinding::Nothing)
    }

    /// The outer search.
    fn walk_from(&mut self, root: u32) -> Result<Option<CycleFinding>, ProductHalt> {
        self.enter(root)?;
        while let Some(frame) = self.blue.frames.last() {
            let state = frame.state;
            let Some(target) = self.blue.next() else {
                if let Some(finding) = self.leave(state)? {
                    return Ok(Some(finding));
                }
                continue;
            };
            let colour = self.colours[target as usize];
            if colour & CYAN != 0 && (self.accepts(state) || self.accepts(target)) {
                return Ok(Some(self.cycle_to(target)));
            }
            if colour == 0 {
                self.enter(target)?;
            } else if colour & RED == 0 {
                self.mark_not_all_red();
            }
        }
        Ok(None)
    }

    fn enter(&mut self, state: u32) -> Result<(), ProductHalt> {
        self.colours[state as usize] |= CYAN;
        let floor = self.blue.pending.len();
        self.blue.frames.push(PathFrame { state, floor, all_red: true });
        self.expand(state)?;
        let mut pending = std::mem::take(&mut self.blue.pending);
        let kept = self.keep_edges(&mut pending);
        self.blue.pending = pending;
        kept
    }

    /// All successors of the last pair of the path are done.
    fn leave(&mut self, state: u32) -> Result<Option<CycleFinding>, ProductHalt> {
        let all_red = self.blue.frames.last().is_some_and(|frame| frame.all_red);
        if !all_red && !self.is_weak && self.accepts(state) {
            if let Some(finding) = self.walk_back_from(state)? {
                return Ok(Some(finding));
            }
            self.colours[state as usize] |= RED;
        }
        if all_red {
            self.colours[state as usize] |= RED;
        }
        self.colours[state as usize] = (self.colours[state as usize] & !CYAN) | BLUE;
        self.blue.frames.pop();
        if self.colours[state as usize] & RED == 0 {
            self.mark_not_all_red();
        }
        Ok(None)
    }

    /// The inner search: from `seed`, the end of the outer path, back to that path.
    fn walk_back_from(&mut self, seed: u32) -> Result<Option<CycleFinding>, ProductHalt> {
        self.enter_red(seed)?;
        while !self.red.frames.is_empty() {
            let Some(target) = self.red.next() else {
                self.red.frames.pop();
                continue;
            };
            let colour = self.colours[target as usize];
            if colour & CYAN != 0 {
                return Ok(Some(self.cycle_to(target)));
            }
            if colour & RED == 0 {
                self.colours[target as usize] |= RED;
                self.enter_red(target)?;
            }
        }
        Ok(None)
    }

    fn enter_red(&mut self, state: u32) -> Result<(), ProductHalt> {
        let floor = self.red.pending.len();
        self.red.frames.push(PathFrame { state, floor, all_red: true });
        self.expand(state)?;
        let mut pending = std::mem::take(&mut self.red.pending);
        let kept = self.keep_edges(&mut pending);
        self.red.pending = pending;
        kept
    }

    fn mark_not_all_red(&mut self) {
        if let Some(frame) = self.blue.frames.last_mut() {
            frame.all_red = false;
        }
    }

    fn accepts(&self, state: u32) -> bool {
        self.product.accepts(self.store.get(state))
    }

    fn expand(&mut self, state: u32) -> Result<(), ProductHalt> {
        let figures = [
            ("states stored", self.store.len() as u64),
            ("edges", self.n_edges),
            ("depth", self.blue.frames.len() as u64),
        ];
        self.budget.spend(1, &figures)?;
        self.product.expand(self.store.get(state), &mut self.edges)?;
        self.n_edges += self.edges.len() as u64;
        Ok(())
    }

    /// Adds the numbers of the pairs that the edges lead to, those of the first
    /// edges last.
    fn keep_edges(&mut self, out: &mut Vec<u32>) -> Result<(), ProductHalt> {
        let start = out.len();
        for (_, pair) in self.edges.iter() {
            let (number, is_new) = self.store.insert(pair)?;
            if is_new {
                self.colours.push(0);
            }
            out.push(number);
        }
        out[start..].reverse();
        Ok(())
    }

    /// The cycle that an edge from the end of the paths to `target`, which is on
    /// the outer path, closes.
    fn cycle_to(&self, target: u32) -> CycleFinding {
        let path: Vec<u32> = self.blue.states().chain(self.red.states().skip(1)).collect();
        let entry = path.iter().position(|&state| state == target).expect("the target is cyan");
        let stem = self.words(path[..=entry].iter().copied());
        let rest = path[entry + 1..].iter().copied().chain(std::iter::once(target));
        CycleFinding::Cycle { stem, cycle: self.words(rest), choices: None }
    }

    fn words(&self, states: impl Iterator<Item = u32>) -> Vec<Box<[u64]>> {
        states.map(|state| self.store.get(state).into()).collect()
    }
}
