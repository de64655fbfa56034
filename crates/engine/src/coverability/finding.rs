//! What the searches hand back.

use model::{Proof, StopReason};

use super::slice::Schedule;
use crate::kernel::budget::Pause;

/// The end of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// No target can be reached.
    Holds(Proof),
    /// A target can be reached like this.
    Violated(Schedule),
    /// The search is over and says nothing.
    Inconclusive(StopReason),
}

/// A finding, or why there is none so far.
pub type Advance = Result<Finding, Pause>;
