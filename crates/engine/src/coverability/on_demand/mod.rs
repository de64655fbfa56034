//! Turns: the thread states of a program are listed, and beside that errors are looked for
//! in what a forward search can reach, with rules that are made on demand.
//!
//! What needs the whole counter system (slicing, the backward search, the state equation)
//! waits until every thread state is listed (`lower/`). Of programs with millions of stores
//! that may never be, though an error is a few steps away. So listing stops after a counted
//! number of thread states, and a search gets as much counted work; turns grow, and nothing
//! depends on time. Most programs are listed in the first turn, and no search starts.
//!
//! **Answers.** `Whole`: everything is listed, nothing was found on the way. `Found`: a run,
//! with the counter system of its steps, to be executed and shortened like any other.
//! `Proven`: the search came to an end.
//! **Sound.** A rule on demand is a step of the program in a thread state that the search came
//! to, so runs are runs. `Proven` never comes from a part of the system, though not all
//! thread states may be listed: a coverability set is complete when every configuration in it
//! was expanded, and the source hands out *all* steps of every thread in a configuration and of
//! the environment (`source.rs`); where the program itself does not know all of them, the
//! search proves nothing. The certificate is checked as any other.
//! **Ends** as listing does: when the stores are finitely many and fit.
//! **Source** steps on demand are how cutoff detection explores, Kaiser, Kroening, Wahl, CAV
//! 2010; taking turns by counted work is our own.
//! **Read first** `source.rs`, then `run.rs`.

mod filling;
mod run;
mod source;

#[cfg(test)]
mod tests;

use model::{
    Certificate, Context, InitialZone, Limits, Proof, StopReason, ThreadCount, ThreadProgram,
};

pub use self::run::FoundRun;
use self::source::OnDemandRules;
use super::cover::{Cover, ExplorationOrder};
use super::finding::{Advance, Finding};
use super::forward::{Forward, Ground};
use super::lower::{self, Lowered};
use crate::Engine;
use crate::kernel::budget::{Budget, Pause};
use crate::kernel::thread_states::ThreadStates;

/// How long turns are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turns {
    /// Thread states that are listed in the first turn.
    pub first: usize,
    /// By how much turns grow.
    pub growth: usize,
    /// Work of the search for each thread state that was listed.
    pub work_per_state: u64,
}

impl Default for Turns {
    /// The first turn lists what is listed in some ten milliseconds.
    fn default() -> Turns {
        Turns { first: 50_000, growth: 2, work_per_state: 1 }
    }
}

/// What came of listing and searching.
pub enum Listing {
    /// The whole program.
    Whole(Box<Lowered>),
    /// An error, found by an engine.
    Found(&'static str, Box<FoundRun>),
    /// No error can be reached, says an engine.
    Proven(&'static str, Box<Certificate>),
}

/// Listing and searching.
pub struct OnDemand<'p> {
    rules: OnDemandRules<'p>,
    /// Where runs start, in the numbers of the listing.
    initial: Vec<InitialZone>,
    threads: ThreadCount,
    search: Option<Search>,
}

impl<'p> OnDemand<'p> {
    /// Nothing listed so far, and the part of `engine` that goes forward not started.
    ///
    /// # Errors
    /// When no run has that many threads.
    pub fn new(
        program: &'p dyn ThreadProgram,
        threads: ThreadCount,
        engine: Engine,
    ) -> Result<OnDemand<'p>, StopReason> {
        let mut states = ThreadStates::new(program);
        let initial = lower::start(&mut states, threads)?;
        let mut rules = OnDemandRules::new(states, &initial);
        let search = Search::of(engine, &mut rules);
        Ok(OnDemand { rules, initial, threads, search })
    }

    /// Takes turns until one side has an answer. Remarks go to `notes`.
    ///
    /// # Errors
    /// When a limit is reached.
    pub fn run(
        mut self,
        turns: Turns,
        context: Context<'_>,
        notes: &mut Vec<String>,
    ) -> Result<Listing, StopReason> {
        let taken = self.take_turns(turns, context);
        let n_listed = self.rules.states.n_visited();
        match taken {
            Ok(None) => {
                let states = self.rules.into_states();
                return Ok(Listing::Whole(Box::new(lower::finish(states, self.initial))));
            }
            Ok(Some(_)) => notes.push(format!(
                "steps were made on demand: {n_listed} thread states were listed, and there are more"
            )),
            Err(_) if n_listed > turns.first => {
                notes.push(format!("{n_listed} thread states were listed, and there are more"));
                notes.extend(self.search.as_ref().and_then(Search::explored_completely));
            }
            Err(_) => {}
        }
        taken.map(|listing| listing.expect("the other case was handled"))
    }

    /// What the search found; nothing if all is listed before that.
    fn take_turns(
        &mut self,
        turns: Turns,
        context: Context<'_>,
    ) -> Result<Option<Listing>, StopReason> {
        let mut n_states = turns.first;
        while !self.list(n_states, context.limits)? {
            let work = turns.work_per_state.saturating_mul(n_states as u64);
            if let Some(listing) = self.search(work, context)? {
                return Ok(Some(listing));
            }
            n_states = n_states.saturating_mul(turns.growth);
        }
        Ok(None)
    }

    /// Lists some thread states; true if there are no more.
    fn list(&mut self, n_states: usize, limits: &Limits) -> Result<bool, StopReason> {
        loop {
            let n_listed = self.rules.states.n_visited();
            let is_alone = self.search.is_none();
            let max = if is_alone { usize::MAX } else { n_listed.saturating_add(n_states) };
            match self.rules.states.close(max, limits) {
                // Whatever can be listed without the search is.
                Err(StopReason::MemoryLimit) if !is_alone => self.stop_searching(),
                listed => return listed,
            }
        }
    }

    fn search(&mut self, work: u64, context: Context<'_>) -> Result<Option<Listing>, StopReason> {
        let Some(search) = &mut self.search else { return Ok(None) };
        let name = search.name();
        let mut budget = Budget::new(name, work, context);
        match search.advance(&mut self.rules, &mut budget) {
            Ok(Finding::Violated(schedule)) => {
                let run = self.rules.found_run(&schedule, context.limits)?;
                return Ok(Some(Listing::Found(name, Box::new(run))));
            }
            Ok(Finding::Holds(Proof::Cover { configurations })) if self.rules.gap.is_none() => {
                let certificate = self.rules.certificate(configurations, self.threads);
                return Ok(Some(Listing::Proven(name, Box::new(certificate))));
            }
            Err(Pause::RoundOver) => {}
            Err(Pause::Stopped(reason @ (StopReason::TimeLimit | StopReason::Interrupted))) => {
                return Err(reason);
            }
            Ok(_) | Err(Pause::Stopped(_)) => self.stop_searching(),
        }
        Ok(None)
    }

    /// The search has nothing to say, or takes memory that the listing needs.
    fn stop_searching(&mut self) {
        self.search = None;
        self.rules.forget();
    }
}

/// A search that needs no more than what leaves a configuration.
enum Search {
    Forward(Box<Forward>),
    Cover(&'static str, Box<Cover>),
}

impl Search {
    /// What of `engine` goes forward; nothing of some.
    fn of(engine: Engine, rules: &mut OnDemandRules<'_>) -> Option<Search> {
        let cover = |order| Search::Cover(engine.name(), Box::new(Cover::new(order)));
        match engine {
            // The other half of it, breadth first with any number of threads, finds errors
            // of few steps that take many threads.
            Engine::Auto | Engine::Forward => {
                let forward = Forward::new(rules, ExplorationOrder::BreadthFirst);
                Some(Search::Forward(Box::new(forward)))
            }
            Engine::Cover => Some(cover(ExplorationOrder::DepthFirst)),
            Engine::CoverBfs => Some(cover(ExplorationOrder::BreadthFirst)),
            Engine::Backward
            | Engine::Equation
            | Engine::Cutoff
            | Engine::Symbolic
            | Engine::ThreadModular
            | Engine::Explicit => None,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Search::Forward(_) => Engine::Forward.name(),
            Search::Cover(name, _) => name,
        }
    }

    fn advance(&mut self, rules: &mut OnDemandRules<'_>, budget: &mut Budget<'_>) -> Advance {
        match self {
            Search::Forward(forward) => Ok(forward.advance(rules, budget)?.1),
            Search::Cover(_, cover) => cover.advance(rules, budget),
        }
    }

    /// What is known although nothing was found.
    fn explored_completely(&self) -> Option<String> {
        let Search::Forward(forward) = self else { return None };
        forward.explored_completely()
    }
}

impl Ground for OnDemandRules<'_> {
    type Source = Self;

    fn closed(&mut self) -> &mut Self {
        self
    }

    fn full(&mut self) -> &mut Self {
        self
    }
}
