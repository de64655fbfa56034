//! How much work a search may do before it must look up: limits, and rounds.
//!
//! A portfolio runs its engines in rounds of counted work, not of time, so that
//! what is found does not depend on how fast the machine is.

use std::ops::ControlFlow;

use model::{Context, Limits, Progress, StopReason};

/// Why a search handed back control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pause {
    /// The round's work is done; the search can go on where it stopped.
    RoundOver,
    /// It must stop for good.
    Stopped(StopReason),
}

impl From<StopReason> for Pause {
    fn from(reason: StopReason) -> Pause {
        Pause::Stopped(reason)
    }
}

/// Work that may still be done in this round.
pub struct Budget<'a> {
    context: Context<'a>,
    engine: &'static str,
    left: u64,
    until_look: u64,
}

/// How much work passes between two looks at clock and memory: about a
/// millisecond's worth for the slowest unit of work (one successor).
const WORK_BETWEEN_LOOKS: u64 = 2048;

/// Results of one step between two looks.
const RESULTS_BETWEEN_LOOKS: usize = 4096;

impl<'a> Budget<'a> {
    /// A budget of `work` units; `u64::MAX` for no end.
    pub fn new(engine: &'static str, work: u64, context: Context<'a>) -> Budget<'a> {
        Budget { context, engine, left: work, until_look: WORK_BETWEEN_LOOKS }
    }

    /// At most `work` units of it, as a budget of their own; what they leave comes
    /// back with [`Budget::put_back`].
    pub fn portion(&mut self, work: u64) -> Budget<'a> {
        let work = work.min(self.left);
        self.left -= work;
        Budget { left: work, until_look: WORK_BETWEEN_LOOKS.min(self.until_look), ..*self }
    }

    /// Takes back what a portion left.
    pub fn put_back(&mut self, portion: Budget<'_>) {
        self.left += portion.left;
    }

    /// Units that are left.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Is nothing left?
    pub fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Looks at the limits when `n_done` is a round number: for the inside of one
    /// step that may have millions of results, as a transfer with choices has.
    pub fn look_at_times(&self, n_done: usize) -> ControlFlow<StopReason> {
        if !n_done.is_multiple_of(RESULTS_BETWEEN_LOOKS) {
            return ControlFlow::Continue(());
        }
        match self.context.limits.check() {
            Ok(()) => ControlFlow::Continue(()),
            Err(reason) => ControlFlow::Break(reason),
        }
    }

    /// The limits behind it.
    pub fn limits(&self) -> &'a Limits {
        self.context.limits
    }

    /// Accounts for `work` units that are about to be done.
    ///
    /// # Errors
    /// When the round is over or a limit is reached.
    pub fn spend(&mut self, work: u64, figures: &[(&str, u64)]) -> Result<(), Pause> {
        if self.left < work {
            // Too little for anyone: otherwise a search that needs more at once than
            // what is left would be resumed forever.
            self.left = 0;
            return Err(Pause::RoundOver);
        }
        self.left -= work;
        if self.until_look > work {
            self.until_look -= work;
            return Ok(());
        }
        self.until_look = WORK_BETWEEN_LOOKS;
        self.context.progress.report(&Progress { engine: self.engine, figures, n_ahead: None });
        self.context.limits.check().map_err(Pause::Stopped)
    }
}
