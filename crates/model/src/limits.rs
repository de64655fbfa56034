//! What a search may use, and how it tells what it is doing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::verdict::StopReason;

/// Time, memory and cancellation. Engines ask [`Limits::check`] every few
/// thousand steps and stop with its answer. The only clock an engine sees.
#[derive(Clone, Default)]
pub struct Limits {
    /// When to stop.
    pub deadline: Option<Instant>,
    /// How much memory the process may use.
    pub memory: Option<MemoryLimit>,
    /// Set by the user (Ctrl-C) or by a portfolio: stop soon. A run stops when
    /// any of these flags is set.
    pub cancel: Vec<Arc<AtomicBool>>,
    /// Number of threads the search itself may use; 0 counts as 1.
    pub jobs: usize,
}

/// A memory limit and the means to see how much is used.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLimit {
    /// Search stops when the gauge shows more than this.
    pub bytes: u64,
    /// Bytes in use by the process now.
    pub gauge: fn() -> u64,
}

impl Limits {
    /// No limit at all, one job.
    pub fn none() -> Limits {
        Limits::default()
    }

    /// May the search go on?
    ///
    /// # Errors
    /// The reason why not.
    pub fn check(&self) -> Result<(), StopReason> {
        if self.cancel.iter().any(|flag| flag.load(Ordering::Relaxed)) {
            return Err(StopReason::Interrupted);
        }
        if self.memory.is_some_and(|limit| (limit.gauge)() > limit.bytes) {
            return Err(StopReason::MemoryLimit);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(StopReason::TimeLimit);
        }
        Ok(())
    }

    /// The same limits, with half of the time that is left: for work that is not
    /// necessary, before work that is.
    pub fn with_half_the_time(&self) -> Limits {
        let now = Instant::now();
        let half = |deadline: Instant| now + deadline.saturating_duration_since(now) / 2;
        Limits { deadline: self.deadline.map(half), ..self.clone() }
    }

    /// The same limits, and stopped by `flag` as well.
    pub fn cancelled_by(&self, flag: &Arc<AtomicBool>) -> Limits {
        let mut limits = self.clone();
        limits.cancel.push(Arc::clone(flag));
        limits
    }
}

/// A look at a running search.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// The engine.
    pub engine: &'a str,
    /// Named figures: states stored, frontier, depth, …
    pub figures: &'a [(&'a str, u64)],
    /// How much will come on top of the first figure, roughly, where that is known.
    pub n_ahead: Option<u64>,
}

/// Where progress goes. Called often from any thread: implementations are quick
/// and decide themselves how often they show anything.
pub trait ProgressSink: Sync {
    /// Takes a look.
    fn report(&self, progress: &Progress<'_>);

    /// Something else than a search begins, named by a phrase.
    fn phase(&self, phase: &str) {
        let _ = phase;
    }
}

/// What a search gets beside its question: what it may use, and who watches it. What only
/// stops and never reports takes the limits alone.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Time, memory, cancellation and threads.
    pub limits: &'a Limits,
    /// Who watches.
    pub progress: &'a dyn ProgressSink,
}

impl<'a> Context<'a> {
    /// Limits, and who watches.
    pub fn new(limits: &'a Limits, progress: &'a dyn ProgressSink) -> Context<'a> {
        Context { limits, progress }
    }

    /// Nobody watches.
    pub fn silent(limits: &'a Limits) -> Context<'a> {
        Context { limits, progress: &Silent }
    }

    /// The same with other limits.
    pub fn within(self, limits: &'a Limits) -> Context<'a> {
        Context { limits, ..self }
    }
}

/// Shows nothing.
pub struct Silent;

impl ProgressSink for Silent {
    fn report(&self, _progress: &Progress<'_>) {}
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};

    use super::{Limits, MemoryLimit};
    use crate::verdict::StopReason;

    const LONG: Duration = Duration::from_secs(1000);

    #[test]
    fn half_the_time_is_over_before_the_whole() {
        let limits = Limits { deadline: Some(Instant::now() + LONG), jobs: 3, ..Limits::none() };
        let half = limits.with_half_the_time();
        let (early, late) = (half.deadline.expect("set"), limits.deadline.expect("set"));
        assert!(early + LONG / 3 < late && Instant::now() < early);
        assert_eq!(half.jobs, 3);
        assert_eq!(Limits::none().with_half_the_time().deadline, None);
    }

    #[test]
    fn each_limit_stops_with_its_own_reason() {
        assert_eq!(Limits::none().check(), Ok(()));
        let past = Limits { deadline: Some(Instant::now()), ..Limits::none() };
        assert_eq!(past.check(), Err(StopReason::TimeLimit));
        let memory = MemoryLimit { bytes: 1, gauge: || 2 };
        let full = Limits { memory: Some(memory), ..Limits::none() };
        assert_eq!(full.check(), Err(StopReason::MemoryLimit));
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits::none().cancelled_by(&flag);
        assert_eq!(limits.check(), Ok(()));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(limits.check(), Err(StopReason::Interrupted));
    }
}
