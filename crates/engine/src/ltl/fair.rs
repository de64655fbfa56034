//! Looks for a fair accepting cycle among the strongly connected components.
//!
//! A cycle is weakly fair when each actor is without a step somewhere on it, or
//! takes a step on it. A component has a fair accepting cycle exactly when it has
//! an edge, an accepting pair, and for each actor one of the two: the cycle walks
//! through a witness for each. Where an actor has neither, no part of the
//! component has, so components need not be split.
//!
//! Steps for no reason happen finitely often in a fair run: no cycle has one. So they lead
//! to pairs from which the search starts anew, and count as no edge of a component.
//!
//! **Source** Tarjan 1972, without recursion, on the fly; a component is judged
//! when the search leaves it. Without fairness it is a second opinion on what
//! `nested.rs` says. **Read first** `FairSearch::judge`.

use std::collections::BTreeSet;

use model::{Choice, Fairness};
use rustc_hash::FxHashMap;

use crate::kernel::budget::Budget;
use crate::ltl::component::{Component, InnerEdge};
use crate::ltl::nested::{CycleFinding, NestedReport};
use crate::ltl::product::{Edges, Product, ProductHalt};
use crate::ltl::store::StateStore;

/// Searches `product` for a cycle that accepts and is fair.
pub(super) fn search(
    product: Product<'_>,
    fairness: Fairness,
    budget: Budget<'_>,
) -> Result<NestedReport, ProductHalt> {
    let (words, limits) = (product.layout.words, budget.limits());
    let edges = product.edges();
    let mut search = FairSearch {
        product,
        fairness,
        budget,
        store: StateStore::new(words, limits),
        marks: Vec::new(),
        path: Vec::new(),
        pending: Vec::new(),
        aside: Vec::new(),
        parents: Vec::new(),
        open: Vec::new(),
        n_seen: 0,
        edges,
        n_edges: 0,
    };
    let finding = match search.run() {
        Ok(finding) => finding,
        Err(ProductHalt::Fault(place, fault)) => {
            CycleFinding::Fault { path: search.stem(), place, fault }
        }
        Err(stopped) => return Err(stopped),
    };
    let omissions = search.product.take_omissions();
    Ok(NestedReport { finding, n_states: search.store.len() as u64, omissions })
}

const UNSEEN: u32 = u32::MAX;
const CLOSED: u32 = u32::MAX - 1;

/// Where a pair stands in Tarjan's search.
#[derive(Clone, Copy)]
struct Mark {
    order: u32,
    low: u32,
}

struct ComponentFrame {
    state: u32,
    /// Length of `pending` without this frame's successors.
    floor: usize,
}

struct FairSearch<'a> {
    product: Product<'a>,
    fairness: Fairness,
    budget: Budget<'a>,
    store: StateStore,
    marks: Vec<Mark>,
    path: Vec<ComponentFrame>,
    pending: Vec<u32>,
    /// Pairs that steps for no reason lead to.
    aside: Vec<u32>,
    /// From where each pair was met first.
    parents: Vec<Option<u32>>,
    /// Pairs whose component is not yet known.
    open: Vec<u32>,
    n_seen: u32,
    edges: Edges,
    n_edges: u64,
}

impl FairSearch<'_> {
    fn run(&mut self) -> Result<CycleFinding, ProductHalt> {
        self.product.initial(&mut self.edges)?;
        self.keep_edges(None)?;
        let mut roots = std::mem::take(&mut self.pending);
        while let Some(root) = roots.pop().or_else(|| self.aside.pop()) {
            if self.marks[root as usize].order == UNSEEN
                && let Some(finding) = self.walk_from(root)?
            {
                return Ok(finding);
            }
        }
        Ok(CycleFinding::Nothing)
    }

    fn walk_from(&mut self, root: u32) -> Result<Option<CycleFinding>, ProductHalt> {
        self.enter(root)?;
        while let Some(&ComponentFrame { state, floor }) = self.path.last() {
            if self.pending.len() > floor {
                let target = self.pending.pop().expect("longer than the floor");
                let order = self.marks[target as usize].order;
                if order == UNSEEN {
                    self.enter(target)?;
                } else if order != CLOSED {
                    self.lower(state, order);
                }
                continue;
            }
            let Mark { order, low } = self.marks[state as usize];
            if low == order
                && let Some(finding) = self.close(state)?
            {
                return Ok(Some(finding));
            }
            self.path.pop();
            if let Some(parent) = self.path.last() {
                self.lower(parent.state, low);
            }
        }
        Ok(None)
    }

    fn enter(&mut self, state: u32) -> Result<(), ProductHalt> {
        self.marks[state as usize] = Mark { order: self.n_seen, low: self.n_seen };
        self.n_seen += 1;
        self.open.push(state);
        self.path.push(ComponentFrame { state, floor: self.pending.len() });
        self.expand(state)?;
        self.keep_edges(Some(state))
    }

    fn lower(&mut self, state: u32, order: u32) {
        let low = &mut self.marks[state as usize].low;
        *low = order.min(*low);
    }

    /// Takes the component of `root` off the open pairs; its cycle, if there is one.
    fn close(&mut self, root: u32) -> Result<Option<CycleFinding>, ProductHalt> {
        let start = self.open.iter().rposition(|&state| state == root).expect("the root is open");
        let members = self.open.split_off(start);
        let accepts = |state: &&u32| self.product.accepts(self.store.get(**state));
        if let Some(&accepting) = members.iter().find(accepts)
            && self.judge(&members)?
        {
            let component = self.component(&members)?;
            let steps = component.fair_cycle(component.number(accepting));
            let pair = |step: &InnerEdge| self.store.get(members[step.target]).into();
            let cycle = steps.iter().map(pair).collect();
            let choices = Some(steps.iter().map(|step| step.choice).collect());
            return Ok(Some(CycleFinding::Cycle { stem: self.stem(), cycle, choices }));
        }
        for state in members {
            self.marks[state as usize].order = CLOSED;
        }
        Ok(None)
    }

    /// Does the component have a fair cycle? The first of `members` is its root.
    fn judge(&mut self, members: &[u32]) -> Result<bool, ProductHalt> {
        let mut has_edge = false;
        let mut acting: BTreeSet<u64> = BTreeSet::new();
        let mut always: Option<Vec<u64>> = None;
        for &state in members {
            self.expand(state)?;
            for (choice, pair) in self.edges.iter() {
                if !self.is_spurious(choice) && self.inside(members[0], pair).is_some() {
                    has_edge = true;
                    acting.extend(self.actor(choice));
                }
            }
            let enabled = self.enabled();
            match &mut always {
                None => always = Some(enabled),
                Some(always) => always.retain(|actor| enabled.binary_search(actor).is_ok()),
            }
        }
        Ok(has_edge && always.unwrap_or_default().iter().all(|actor| acting.contains(actor)))
    }

    /// The component as a graph; pairs are numbered as in `members`.
    fn component(&mut self, members: &[u32]) -> Result<Component, ProductHalt> {
        let number: FxHashMap<u32, usize> =
            members.iter().enumerate().map(|(idx, &state)| (state, idx)).collect();
        let mut component = Component { number, edges: Vec::new(), enabled: Vec::new() };
        for &state in members {
            self.expand(state)?;
            let mut edges = Vec::new();
            for (choice, pair) in self.edges.iter() {
                if !self.is_spurious(choice)
                    && let Some(target) = self.inside(members[0], pair)
                {
                    let target = component.number(target);
                    edges.push(InnerEdge { choice, actor: self.actor(choice), target });
                }
            }
            component.edges.push(edges);
            component.enabled.push(self.enabled());
        }
        Ok(component)
    }

    /// The number of `pair` if it is in the component of `root` that is being
    /// closed: those are the pairs seen since `root` that are not closed yet.
    fn inside(&self, root: u32, pair: &[u64]) -> Option<u32> {
        let number = self.store.find(pair)?;
        let order = self.marks[number as usize].order;
        let is_inside = order < CLOSED && order >= self.marks[root as usize].order;
        is_inside.then_some(number)
    }

    fn actor(&self, choice: Option<Choice>) -> Option<u64> {
        let choice = choice.filter(|_| self.fairness == Fairness::Weak)?;
        self.product.system.actor(choice)
    }

    /// Does a fair run have such steps finitely often only?
    fn is_spurious(&self, choice: Option<Choice>) -> bool {
        let choice = choice.filter(|_| self.fairness == Fairness::Weak);
        choice.is_some_and(|choice| self.product.system.is_spurious(choice))
    }

    /// The actors with a step in the state whose edges are at hand. Sorted.
    fn enabled(&self) -> Vec<u64> {
        let mut actors: Vec<u64> =
            self.edges.steps().filter_map(|choice| self.actor(Some(choice))).collect();
        actors.sort_unstable();
        actors.dedup();
        actors
    }

    fn expand(&mut self, state: u32) -> Result<(), ProductHalt> {
        let figures = [
            ("states stored", self.store.len() as u64),
            ("edges", self.n_edges),
            ("depth", self.path.len() as u64),
        ];
        self.budget.spend(1, &figures)?;
        self.product.expand(self.store.get(state), &mut self.edges)?;
        self.n_edges += self.edges.len() as u64;
        Ok(())
    }

    /// Adds the pairs that the edges lead to, those of the first edges last.
    fn keep_edges(&mut self, from: Option<u32>) -> Result<(), ProductHalt> {
        let start = self.pending.len();
        for (choice, pair) in self.edges.iter() {
            let (number, is_new) = self.store.insert(pair)?;
            if is_new {
                self.marks.push(Mark { order: UNSEEN, low: UNSEEN });
                self.parents.push(from);
            }
            match from.is_some() && self.is_spurious(choice) {
                false => self.pending.push(number),
                true if is_new => self.aside.push(number),
                true => {}
            }
        }
        self.pending[start..].reverse();
        Ok(())
    }

    /// A path to where the search is: the root of the component that is being closed.
    fn stem(&self) -> Vec<Box<[u64]>> {
        let last = self.path.last().map(|frame| frame.state);
        let back = std::iter::successors(last, |&state| self.parents[state as usize]);
        let mut stem: Vec<Box<[u64]>> = back.map(|state| self.store.get(state).into()).collect();
        stem.reverse();
        stem
    }
}
