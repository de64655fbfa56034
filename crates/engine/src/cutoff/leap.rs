//! The sets R_n without exploring states: from one number of threads straight to the
//! next one that reaches more.
//!
//! Let R be R_n. The backward search tells the fewest threads m that realize a candidate
//! of R, and some candidates that m threads realize. Up to m - 1 threads reach no more
//! than R (`candidates.rs`). What those candidates lead to is added to R, with what the
//! threads there can do alone; then R lies between R_n and R_m, and the same is asked
//! again. When m threads realize none of the candidates any more, R is R_m; when no
//! number of threads does, R is all.
//!
//! A step that creates threads reaches its thread states with that many threads more;
//! they wait until it is their turn.

use std::collections::BTreeMap;

use model::{
    Certificate, Limits, PassiveMove, Round, Steps, StopReason, Store, ThreadProgram, ThreadStep,
    ThreadTrace, Violation,
};

use rustc_hash::FxHashSet;

use super::candidates::{CandidatePair, Candidates};
use super::forward::RoundSearch;
use super::landing::{self, Stepped};
use super::lockstep::WorkMeter;
use super::property::{self, Error};
use super::reached::{First, How, Reached};
use super::realize;
use super::table::{ENDED, Local, Shared, Step, Table};
use crate::coverability::ConfinedAnswer;

/// What is known of R.
pub struct Leap<'a> {
    /// The program's stores and steps.
    pub table: Table<'a>,
    /// R so far.
    pub reached: Reached,
    /// Runs that thread states refer to.
    pub runs: Vec<Way>,
    /// Runs to realized candidates.
    landings: Vec<ThreadTrace>,
    /// The numbers of threads for which all is known.
    pub rounds: Vec<Round>,
    /// The number of threads that is looked at.
    n_threads: u32,
    /// Thread states that more threads reach, since threads are created: by how many,
    /// then in the order in which they were met.
    later: BTreeMap<(u32, usize), (Shared, Local, Way)>,
    n_met: usize,
    /// Pairs that are known to be realized: what they lead to may have to wait.
    realized: FxHashSet<CandidatePair>,
    /// Is it over with the first error of the program?
    asks_for_errors: bool,
    /// Thread states that were checked for errors.
    n_looked_at: usize,
}

/// What it comes to.
pub enum Leapt {
    /// R is all there is.
    All(Box<Certificate>),
    /// This run ends in an error.
    Error(Box<ThreadTrace>),
    /// This thread state of R is an error.
    ErrorIn(First, Error),
}

/// A way to a thread state.
pub enum Way {
    /// A run.
    Run(ThreadTrace),
    /// Some steps after a run to a realized candidate.
    Behind {
        /// The run.
        landing: usize,
        /// The steps.
        steps: Vec<Stepped>,
    },
    /// One more step of a thread that is in a thread state, or of the environment.
    Step {
        /// The thread state.
        before: First,
        /// The position of the step in the program's answer.
        idx: u32,
        /// Where the thread is after a step of the environment.
        moved_to: Option<Local>,
    },
}

impl<'a> Leap<'a> {
    /// Goes on from what a search knows.
    pub fn from(forward: &RoundSearch<'a>, asks_for_errors: bool) -> Leap<'a> {
        Leap {
            table: forward.table.clone(),
            reached: forward.reached.clone(),
            runs: Vec::new(),
            landings: Vec::new(),
            rounds: Vec::new(),
            n_threads: forward.n_threads,
            later: BTreeMap::new(),
            n_met: 0,
            realized: FxHashSet::default(),
            asks_for_errors,
            // The search has looked at its own.
            n_looked_at: forward.reached.n_reached(),
        }
    }

    /// Goes on until R is all.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn go_on(
        &mut self,
        max_threads: u32,
        meter: &mut WorkMeter<'_, '_>,
    ) -> Result<Leapt, StopReason> {
        for first in self.reached.all().to_vec() {
            self.follow(first)?;
        }
        loop {
            self.add_all()?;
            meter.context.limits.check()?;
            if let Some((first, error)) = self.error()? {
                return Ok(Leapt::ErrorIn(first, error));
            }
            let candidates = Candidates::of(&mut self.table, &self.reached)?;
            let is_open = |pair: &CandidatePair| !self.realized.contains(pair);
            let pairs: Vec<CandidatePair> =
                candidates.pairs.iter().copied().filter(is_open).collect();
            let asked = (&self.reached, &pairs[..]);
            let question = realize::question(&self.table, asked, self.asks_for_errors);
            let before = meter.work();
            let (program, context) = (self.table.program(), meter.context);
            let answer = question.answer(program, context, &mut |work| meter.look(work, &[]))?;
            let n_worth = landing::n_states_worth(meter.work() - before);
            let later = self.later.keys().next().map(|key| key.0);
            let next = match (answer, later) {
                (ConfinedAnswer::Never(certificate), None) => {
                    self.close(self.n_threads, &candidates);
                    return Ok(Leapt::All(certificate));
                }
                (ConfinedAnswer::Error(run), later) => {
                    let n_threads = run.n_threads() as u32;
                    if later.is_none_or(|later| n_threads <= later) {
                        if n_threads > self.n_threads {
                            self.close(n_threads - 1, &candidates);
                        }
                        return Ok(Leapt::Error(run));
                    }
                    later.unwrap_or(n_threads)
                }
                (ConfinedAnswer::Never(_), Some(later)) => later,
                (ConfinedAnswer::Covered { n_threads, pairs: realized }, later) => {
                    for (idx, run) in &realized {
                        self.realize(pairs[*idx], n_threads, run)?;
                    }
                    let runs = realized.into_iter().map(|(_, run)| run);
                    self.look_around((n_threads, n_worth), runs, meter.context.limits)?;
                    later.map_or(n_threads, |later| later.min(n_threads))
                }
            };
            if next > self.n_threads {
                self.close(next - 1, &candidates);
                meter.lockstep.iter_mut().for_each(|side| side.known = next - 1);
            }
            if next > max_threads {
                let why = format!("the cutoff is above {max_threads} threads");
                return Err(StopReason::Incomplete { why });
            }
            self.n_threads = next;
        }
    }

    /// An error in R, if one was added.
    fn error(&mut self) -> Result<Option<(First, Error)>, StopReason> {
        while self.asks_for_errors
            && let Some(&first) = self.reached.all().get(self.n_looked_at)
        {
            self.n_looked_at += 1;
            if let Some(error) = property::error_in(&mut self.table, &first)? {
                return Ok(Some((first, error)));
            }
        }
        Ok(None)
    }

    /// Nothing more is reached up to `n_threads` threads.
    fn close(&mut self, n_threads: u32, candidates: &Candidates) {
        for n_threads in self.n_threads..=n_threads {
            self.rounds.push(Round {
                n_threads,
                n_reached: self.reached.n_reached() as u64,
                n_candidates: candidates.pairs.len() as u64,
                n_states: 0,
            });
        }
    }

    /// Two threads are in a pair after `run`: what a step of one of them does to the
    /// other is to be added.
    fn realize(
        &mut self,
        pair: CandidatePair,
        n_threads: u32,
        run: &ThreadTrace,
    ) -> Result<(), StopReason> {
        self.realized.insert(pair);
        let (one, other) = pair.locals;
        for (active, passive) in [(one, other), (other, one)] {
            let answer = self.table.known(pair.shared, active)?;
            let steps: Vec<Step> = self.table.steps(answer).collect();
            for step in steps {
                let becomes = match step.broadcast {
                    None => vec![passive],
                    Some(broadcast) => self.table.passive(broadcast, passive).collect(),
                };
                for after in becomes {
                    if !self.reached.contains(step.to, after) {
                        let longer =
                            self.longer(run, (Some(active), step.idx), Some((passive, after)))?;
                        let n_threads = n_threads + step.spawned.len() as u32;
                        self.meet(n_threads, (step.to, after), Way::Run(longer));
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds what the threads of some runs reach from where they are.
    fn look_around(
        &mut self,
        (n_threads, n_worth): (u32, usize),
        runs: impl Iterator<Item = ThreadTrace>,
        limits: &Limits,
    ) -> Result<(), StopReason> {
        let n_known = self.landings.len();
        self.landings.extend(runs);
        let runs = self.landings[n_known..].iter();
        for found in landing::look_around(&mut self.table, (&self.reached, n_worth), runs, limits)?
        {
            let way = Way::Behind { landing: n_known + found.run, steps: found.steps };
            self.meet(n_threads, found.at, way);
        }
        Ok(())
    }

    /// So many threads reach a thread state.
    fn meet(&mut self, n_threads: u32, (shared, local): (Shared, Local), way: Way) {
        self.n_met += 1;
        self.later.insert((n_threads, self.n_met), (shared, local, way));
    }

    /// Adds all thread states that as many threads reach as are looked at.
    fn add_all(&mut self) -> Result<(), StopReason> {
        while let Some(entry) = self.later.first_entry()
            && entry.key().0 <= self.n_threads
        {
            let (shared, local, way) = entry.remove();
            let how = How::Run(self.runs.len() as u32);
            let first = First { shared, local, n_threads: self.n_threads, how };
            if self.reached.add(first) {
                self.runs.push(way);
                self.follow(first)?;
            }
        }
        Ok(())
    }

    /// What a thread in a thread state reaches alone, and the threads that it creates.
    fn follow(&mut self, first: First) -> Result<(), StopReason> {
        let answer = self.table.known(first.shared, first.local)?;
        let steps: Vec<Step> = self.table.steps(answer).collect();
        for step in steps {
            let n_threads = first.n_threads + step.spawned.len() as u32;
            for &local in step.spawned.iter().chain([&step.after]) {
                if local != ENDED && !self.reached.contains(step.to, local) {
                    let way = Way::Step { before: first, idx: step.idx, moved_to: None };
                    self.meet(n_threads, (step.to, local), way);
                }
            }
        }
        let answer = self.table.known(first.shared, ENDED)?;
        let steps: Vec<Step> = self.table.steps(answer).collect();
        for step in steps {
            let n_threads = first.n_threads + step.spawned.len() as u32;
            let becomes = match step.broadcast {
                None => vec![first.local],
                Some(broadcast) => self.table.passive(broadcast, first.local).collect(),
            };
            if step.spawned.iter().any(|&local| !self.reached.contains(step.to, local)) {
                // It may need fewer threads than are here.
                let why = "the environment creates threads".to_owned();
                return Err(StopReason::Incomplete { why });
            }
            for local in becomes {
                if !self.reached.contains(step.to, local) {
                    let way = Way::Step { before: first, idx: step.idx, moved_to: Some(local) };
                    self.meet(n_threads, (step.to, local), way);
                }
            }
        }
        Ok(())
    }

    /// The run to a thread state.
    ///
    /// # Errors
    /// It cannot be reconstructed: a bug.
    pub fn run_to(
        &self,
        forward: &mut RoundSearch<'a>,
        first: &First,
    ) -> Result<ThreadTrace, StopReason> {
        // The steps at the end of the run, last first.
        let mut steps = Vec::new();
        let mut at = *first;
        let mut run = loop {
            match at.how {
                How::In(_) | How::Idle(_) => break forward.run_to(&at)?,
                How::Run(idx) => match &self.runs[idx as usize] {
                    Way::Run(run) => break run.clone(),
                    Way::Behind { landing, steps } => {
                        break self.behind(&self.landings[*landing], steps)?;
                    }
                    Way::Step { before, idx, moved_to } => {
                        steps.push((before.local, *idx, *moved_to));
                        at = *before;
                    }
                },
            }
        };
        for (local, idx, moved_to) in steps.into_iter().rev() {
            let (active, other) = match moved_to {
                None => (Some(local), None),
                Some(after) => (None, Some((local, after))),
            };
            run = self.longer(&run, (active, idx), other)?;
        }
        Ok(run)
    }

    /// `run` and some steps more.
    fn behind(&self, run: &ThreadTrace, steps: &[Stepped]) -> Result<ThreadTrace, StopReason> {
        let mut run = run.clone();
        for &(active, idx) in steps {
            let active = (active != ENDED).then_some(active);
            run = self.longer(&run, (active, idx), None)?;
        }
        Ok(run)
    }

    /// `run` with one more step, by a thread in `active` or by the environment; `other`
    /// says what becomes of another thread by it.
    fn longer(
        &self,
        run: &ThreadTrace,
        (active, idx): (Option<Local>, u32),
        other: Option<(Local, Local)>,
    ) -> Result<ThreadTrace, StopReason> {
        let other =
            other.map(|(before, after)| (self.table.local(before), self.table.local(after)));
        let active = active.map(|active| self.table.local(active));
        let longer = with_step(self.table.program(), run, (active, idx), other);
        longer.ok_or_else(|| StopReason::Incomplete {
            why: "a mistake of ours: a step of a run is missing".to_owned(),
        })
    }
}

/// `run` with one more step: number `idx` of a thread in `active`, or of the environment.
/// If it is a broadcast, a thread of `other` goes where that says.
pub(super) fn with_step(
    program: &dyn ThreadProgram,
    run: &ThreadTrace,
    (active, idx): (Option<&Store>, u32),
    other: Option<(&Store, &Store)>,
) -> Option<ThreadTrace> {
    let (shared, locals) = end_of(run);
    let mut steps = Steps::new();
    let thread = match active {
        Some(active) => {
            program.steps(shared.bytes(), active.bytes(), &mut steps);
            Some(locals.iter().position(|local| local.as_ref() == Some(active))?)
        }
        None => {
            program.environment_steps(shared.bytes(), &mut steps);
            None
        }
    };
    let step = steps.iter().nth(idx as usize)?;
    let mut passive = Vec::new();
    if let Some(broadcast) = step.broadcast() {
        let mut wanted = other;
        for (number, local) in locals.iter().enumerate() {
            let Some(local) = local.as_ref().filter(|_| Some(number) != thread) else { continue };
            let mut becomes = Vec::new();
            program.passive(broadcast, local.bytes(), &mut becomes);
            let after = match wanted {
                Some((before, after)) if before == local => {
                    wanted = None;
                    after.clone()
                }
                _ => becomes.into_iter().next().unwrap_or_else(|| local.clone()),
            };
            if after != *local {
                passive.push(PassiveMove { thread: number as u32, local: after });
            }
        }
    }
    let label = program.narrator().label(step.label());
    let mut longer = run.clone();
    longer.steps.push(ThreadStep {
        thread: thread.map(|thread| thread as u32),
        label: label.text,
        span: label.span,
        shared: Store::new(step.shared()),
        local: step.local().map(Store::new).filter(|_| thread.is_some()),
        spawned: step.spawned().map(Store::new).collect(),
        passive,
    });
    if let Some(error) = step.violation() {
        longer.violation = Violation::Step(error.owned());
    }
    Some(longer)
}

/// The state that a run ends in.
pub(super) fn end_of(run: &ThreadTrace) -> (Store, Vec<Option<Store>>) {
    let mut shared = run.shared.clone();
    let mut locals: Vec<Option<Store>> = run.threads.iter().cloned().map(Some).collect();
    for step in &run.steps {
        shared = step.shared.clone();
        if let Some(thread) = step.thread {
            locals[thread as usize].clone_from(&step.local);
        }
        for mover in &step.passive {
            locals[mover.thread as usize] = Some(mover.local.clone());
        }
        locals.extend(step.spawned.iter().cloned().map(Some));
    }
    (shared, locals)
}

#[cfg(test)]
mod tests {
    use model::{Context, Limits};

    use super::super::forward::RoundSearch;
    use super::super::lockstep::WorkMeter;
    use super::super::table::Table;
    use super::{Leap, Leapt};
    use crate::kernel::step_table::scripted::{Line, Scripted, store};

    fn line(shared: u32, local: u32) -> Line {
        Line { shared, local: Some(local), ..Line::default() }
    }

    #[test]
    fn whom_a_creating_step_takes_along_needs_the_created_thread_as_well() {
        // A thread waits in 2, or opens the way, creates another in 4 and goes on; then that
        // one moves.
        let program = Scripted::new(|shared, local| match (shared, local) {
            (0, Some(0)) => vec![line(0, 2), line(1, 1)],
            (1, Some(1)) => vec![Line { spawned: vec![4], ..line(2, 3) }],
            (2, Some(4)) => vec![line(3, 4)],
            _ => Vec::new(),
        });
        let limits = Limits::none();
        let mut meter = WorkMeter::alone(Context::silent(&limits));
        let mut forward = RoundSearch::new(Table::new(&program), false, 1000).expect("few threads");
        forward.start(&mut meter).expect("no limit");
        forward.advance(&mut meter).expect("no limit");
        let mut leap = Leap::from(&forward, false);
        let leapt = leap.go_on(u32::MAX, &mut meter);
        assert!(matches!(leapt, Ok(Leapt::All(_))), "{:?}", leapt.err());
        let n_threads = |shared: u32, local: u32| {
            let is_it = |first: &&super::First| {
                *leap.table.shared(first.shared) == store(shared)
                    && *leap.table.local(first.local) == store(local)
            };
            leap.reached.all().iter().find(is_it).map(|first| first.n_threads)
        };
        assert_eq!([n_threads(1, 1), n_threads(1, 2)], [Some(1), Some(2)]);
        assert_eq!([n_threads(2, 3), n_threads(2, 4)], [Some(2), Some(2)]);
        assert_eq!([n_threads(3, 4), n_threads(3, 3)], [Some(2), Some(2)]);
        assert_eq!([n_threads(2, 2), n_threads(3, 2)], [Some(3), Some(3)]);
    }
}
