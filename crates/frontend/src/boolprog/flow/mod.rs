//! Inlines procedures: `code` to one graph that every thread walks through.
//!
//! A location is an instruction with the calls that led to it and the depth of atomic
//! sections around it. Frames lie on top of each other in the locals of the thread, the
//! bits that say which locks it holds below them.
//!
//! **Recursion** of a procedure that touches nothing shared is replaced by its summary
//! (`summary.rs`): one step that takes the arguments, one that gives the results. Other recursion is followed to a few activations of a procedure; the call that would
//! begin one more is marked as incomplete, so that errors are found but nothing is proven.

mod action;
mod calls;
mod frames;
pub(crate) mod summary;

use model::{
    Bit, BitExpr, BitVariable, BooleanFlow, FlowEdge, FlowLocation, FlowThread, LabelId,
    LocationId, Multiplicity,
};
use rustc_hash::FxHashMap;

use super::code::Code;
use frames::{FrameId, Frames};
use summary::Summary;

/// Locations of a flow; beyond this many it is incomplete.
const MAX_LOCATIONS: usize = 1 << 18;

/// Values of local variables at all locations together, of which each reduction has a table.
const MAX_VALUES: usize = 1 << 27;

/// Leaves of all expressions together: what a procedure enforces is part of each of its
/// steps, so they grow faster than the text.
const MAX_LEAVES: usize = 1 << 23;

/// A flow, and what its local variables are called where.
#[derive(Clone, Debug)]
pub(crate) struct Built {
    pub flow: BooleanFlow,
    /// Per location, which local variable has which name there.
    pub names: Vec<FrameId>,
    /// Per local variable, its number in the frames.
    pub slots: Vec<usize>,
    pub frames: Frames,
}

/// Which calls are replaced by the summary of the procedure.
pub(crate) struct Summaries {
    pub known: Vec<Option<Summary>>,
    pub recursive: Vec<bool>,
    /// Not only calls of recursive procedures?
    pub for_all: bool,
}

/// Inlines everything that threads can come to.
pub(crate) fn build(
    code: &Code,
    summaries: &Summaries,
    lines: &dyn Fn(model::Span) -> usize,
) -> Built {
    let mut builder = Builder {
        code,
        summaries,
        lines,
        frames: Frames::new(code),
        known: FxHashMap::default(),
        keys: Vec::new(),
        locations: Vec::new(),
        edges: Vec::new(),
        n_leaves: 0,
    };
    let threads: Vec<(usize, Option<u32>, LocationId)> = code
        .entries
        .iter()
        .map(|entry| (entry.procedure, entry.n_threads, builder.entry(entry.procedure)))
        .collect();
    let mut next = 0;
    while next < builder.keys.len() {
        builder.expand(LocationId(next as u32));
        next += 1;
    }
    builder.finish(&threads)
}

/// What makes a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    frame: FrameId,
    instruction: usize,
    atomic_depth: u32,
    /// Is it a call that is one step, before that step? Then the instruction is the first of
    /// the procedure that is called.
    is_summary: bool,
}

struct Builder<'a> {
    code: &'a Code,
    summaries: &'a Summaries,
    lines: &'a dyn Fn(model::Span) -> usize,
    frames: Frames,
    known: FxHashMap<Key, LocationId>,
    keys: Vec<Key>,
    locations: Vec<FlowLocation>,
    edges: Vec<FlowEdge>,
    /// Leaves of the expressions of all edges.
    n_leaves: usize,
}

impl Builder<'_> {
    /// Where a thread starts that runs `procedure`.
    fn entry(&mut self, procedure: usize) -> LocationId {
        let frame = self.frames.root(self.code, procedure);
        self.location(Key { frame, instruction: 0, atomic_depth: 0, is_summary: false })
    }

    fn location(&mut self, key: Key) -> LocationId {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let id = LocationId(self.keys.len() as u32);
        self.known.insert(key, id);
        self.keys.push(key);
        let procedure = &self.code.procedures[self.frames.procedure(key.frame)];
        let label = procedure.instructions[key.instruction].label;
        let span = self.code.labels[label as usize].span;
        self.locations.push(FlowLocation {
            name: format!("{}:{}", procedure.name, (self.lines)(span)),
            span: Some(span),
            is_atomic: key.atomic_depth > 0,
        });
        id
    }

    fn is_full(&self) -> bool {
        self.keys.len() >= MAX_LOCATIONS
            || self.keys.len().saturating_mul(self.frames.n_slots()) >= MAX_VALUES
            || self.n_leaves >= MAX_LEAVES
    }

    /// Counts the leaves of the edges from `start` on.
    fn count_leaves(&mut self, start: usize) {
        let n_leaves = &mut self.n_leaves;
        for edge in &self.edges[start..] {
            super::reduce::exprs(edge).for_each(|expr| expr.each_leaf(&mut |_| *n_leaves += 1));
        }
    }

    fn finish(self, threads: &[(usize, Option<u32>, LocationId)]) -> Built {
        let n_locals = self.frames.n_slots();
        let n_owned = self.code.owned.len();
        let shared = self.code.shared.iter();
        let shared = shared
            .map(|variable| BitVariable { name: variable.name.clone(), initial: variable.initial });
        let locals = (0..n_locals).map(|slot| BitVariable {
            name: match self.code.owned.get(slot) {
                Some(&lock) => format!("holds {}", self.code.shared[lock as usize].name),
                None => format!("local {}", slot - n_owned),
            },
            initial: None,
        });
        let threads = threads.iter().map(|&(procedure, n_threads, entry)| FlowThread {
            name: self.code.procedures[procedure].name.clone(),
            entry,
            locals: self.frames.initial(self.code, procedure),
            multiplicity: n_threads.map_or(Multiplicity::Any, Multiplicity::Exactly),
        });
        let flow = BooleanFlow {
            shared: shared.collect(),
            locals: locals.collect(),
            threads: threads.collect(),
            locations: self.locations,
            edges: self.edges,
        };
        let names = self.keys.iter().map(|key| key.frame).collect();
        Built { flow, names, slots: (0..n_locals).collect(), frames: self.frames }
    }
}

/// An edge that does nothing but go on.
pub(crate) fn plain(from: LocationId, to: Option<LocationId>, label: u32) -> FlowEdge {
    FlowEdge {
        from,
        to,
        guard: BitExpr::TRUE,
        assigns: Vec::new(),
        constraint: BitExpr::TRUE,
        n_choices: 0,
        spawn: None,
        passive: Vec::new(),
        violation: None,
        incomplete: None,
        label: LabelId(label),
    }
}

/// The expression with the locals of a frame where they lie in the thread.
fn moved(expr: &BitExpr, base: u32) -> BitExpr {
    expr.map_leaves(&mut |leaf| match leaf {
        BitExpr::Before(bit) => BitExpr::Before(moved_bit(*bit, base)),
        BitExpr::After(bit) => BitExpr::After(moved_bit(*bit, base)),
        BitExpr::Passive(idx) => BitExpr::Passive(idx + base),
        other => other.clone(),
    })
}

fn moved_bit(bit: Bit, base: u32) -> Bit {
    match bit {
        Bit::Local(idx) => Bit::Local(idx + base),
        shared => shared,
    }
}
