//! A `.tts` file as it is written, with its property and initial states.

use model::Span;

/// The whole system. All states in it are below `size`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct System {
    pub size: Size,
    pub transitions: Vec<Transition>,
    pub initial: Initial,
    pub patterns: Vec<Pattern>,
}

/// The header: how many states there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub n_shared: u32,
    pub n_local: u32,
}

/// A shared and a local state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Pair {
    pub shared: u32,
    pub local: u32,
}

/// What kind of step a line describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrow {
    /// `->`: a thread steps.
    Step,
    /// `+>`: a thread stays and starts another one.
    Spawn,
    /// `~>`: no thread steps, all threads in a local state move.
    Transfer,
}

impl Arrow {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Arrow::Step => "->",
            Arrow::Spawn => "+>",
            Arrow::Transfer => "~>",
        }
    }
}

/// One line: `s l -> s' l' a ~> b …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Transition {
    pub arrow: Arrow,
    pub from: Pair,
    pub to: Pair,
    /// Where other threads go: from the first local state to the second. Sorted,
    /// without repetition.
    pub passive: Vec<(u32, u32)>,
    pub span: Option<Span>,
}

/// `s|l1,l2/l3`: the shared state, threads that exist, and local states with any
/// number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Initial {
    pub shared: u32,
    /// Sorted, with repetition.
    pub exact: Vec<u32>,
    /// Sorted, without repetition.
    pub any: Vec<u32>,
}

impl Default for Initial {
    /// `0/0`
    fn default() -> Initial {
        Initial { shared: 0, exact: Vec::new(), any: vec![0] }
    }
}

/// `s|l1,l2`: the shared state with at least these threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub shared: u32,
    /// Sorted, with repetition.
    pub locals: Vec<u32>,
}
