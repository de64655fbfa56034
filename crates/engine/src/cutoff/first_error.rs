//! Cutoff detection as an engine: does the property hold for any number of threads?
//!
//! It stops with the first error. A counterexample that one thread shows, by where it is or
//! what it does, has the fewest threads of all such. One of several threads has the fewest
//! of all, but where there are both kinds, the first kind may be met before the second, with
//! more threads. If no error turns up until R is all there is, the certificate that says so
//! excludes the errors as well: a thread state that is one is not in R, and a target of
//! several threads was asked about together with the candidates.
//!
//! Where the cutoff is far, only the property is asked about in the end, by the backward
//! search; a note says so.
//!
//! A net is asked as threads (`net/`); its answer is translated back to the net.

use model::{
    Certificate, Context, CounterSystem, Outcome, Problem, Round, StopReason, ThreadCount,
    ThreadProgram, ThreadTrace, Trace, Verdict,
};

use super::algorithm::Algorithm;
use super::forward::Halt;
use super::net::NetThreads;
use super::{CutoffOptions, Landing, odd, targets_only};
use crate::Engine;
use crate::coverability;

/// Work on each side before only the property is asked about: some seconds. Chosen with
/// the nets of Table 1 in view.
const PATIENCE: u64 = 20_000_000;

/// Answers for any number of threads.
pub fn check(problem: Problem<'_>, threads: ThreadCount, context: Context<'_>) -> Outcome {
    let mut study = CutoffCheck { context, statistics: Vec::new() };
    let found = match (problem, threads) {
        (_, ThreadCount::Exactly(_) | ThreadCount::AsGiven) => {
            Err(Halt::Stopped(StopReason::Incomplete {
                why: "a cutoff is about any number of threads, not about a fixed one".to_owned(),
            }))
        }
        (Problem::Threads(program), ThreadCount::Any) => study.threads(program),
        (Problem::Counters(system), ThreadCount::Any) => study.net(system),
        (
            Problem::States(_) | Problem::ThreadRuns(_) | Problem::Parameterized(_),
            ThreadCount::Any,
        ) => Err(odd("a system without threads came this far").into()),
    };
    let statistics = study.statistics;
    let told = |verdict: Verdict, engine: &str, notes: Vec<String>| Outcome {
        verdict,
        engine: engine.to_owned(),
        statistics: statistics.clone(),
        notes,
    };
    match found {
        Ok(verdict) => told(verdict, "cutoff", Vec::new()),
        Err(Halt::Stopped(reason)) => told(Verdict::Unknown(reason), "cutoff", Vec::new()),
        Err(Halt::DrawEarly) => {
            let reason = odd("threads are drawn early already");
            told(Verdict::Unknown(reason), "cutoff", Vec::new())
        }
        Err(Halt::OutOfPatience) => {
            let only = coverability::check(problem, threads, Engine::Backward, context);
            let n_threads = statistics.iter().find(|(name, _)| name == "threads");
            let n_threads = n_threads.map_or(0, |(_, n)| *n);
            let note = format!(
                "the cutoff is far: {n_threads} threads reach no error, and then only the \
                 property was asked about, not the cutoff"
            );
            told(only.verdict, "cutoff, then backward", vec![note])
        }
    }
}

struct CutoffCheck<'a> {
    context: Context<'a>,
    statistics: Vec<(String, u64)>,
}

impl CutoffCheck<'_> {
    fn threads(&mut self, program: &dyn ThreadProgram) -> Result<Verdict, Halt> {
        targets_only(program.requirements())?;
        Ok(match self.land(program)? {
            Landing::All(certificate) => Verdict::Holds(*certificate),
            Landing::Error(run) => Verdict::Violated(Trace::Threads(*run)),
        })
    }

    fn net(&mut self, system: &CounterSystem) -> Result<Verdict, Halt> {
        let net = NetThreads::new(system)?;
        let (n_shared, n_local, n_steps) = net.sizes();
        self.count("shared states", n_shared as u64);
        self.count("local states", n_local as u64);
        self.count("thread transitions", n_steps as u64);
        Ok(match self.land(&net)? {
            Landing::All(certificate) => Verdict::Holds(of_net(&net, &certificate)?),
            Landing::Error(run) => Verdict::Violated(of_tokens(&net, &run)?),
        })
    }

    fn land(&mut self, program: &dyn ThreadProgram) -> Result<Landing, Halt> {
        match self.land_from(program, false) {
            Err(Halt::DrawEarly) => self.land_from(program, true),
            landed => landed,
        }
    }

    fn land_from(&mut self, program: &dyn ThreadProgram, is_early: bool) -> Result<Landing, Halt> {
        let options =
            CutoffOptions { asks_for_errors: true, patience: PATIENCE, ..CutoffOptions::default() };
        let asked = (&options, self.context);
        let watch = &mut |_: &Round| ();
        let mut algorithm = Algorithm::start(program, is_early, asked, watch)?;
        let landing = algorithm.go_on();
        let rounds = algorithm.joined_rounds();
        if let Some(last) = up_to_cutoff(&rounds) {
            let n_threads = match &landing {
                Ok(Landing::Error(run)) => run.n_threads() as u32,
                _ => last.n_threads,
            };
            self.count("threads", u64::from(n_threads));
            self.count("thread states", last.n_reached);
            self.count("candidates", last.n_candidates);
            let n_states = rounds.iter().map(|round| round.n_states).max();
            self.count("states", n_states.unwrap_or(0));
        }
        landing
    }

    fn count(&mut self, name: &str, n: u64) {
        self.statistics.push((name.to_owned(), n));
    }
}

/// The first round that knows as much as the last one.
fn up_to_cutoff(rounds: &[Round]) -> Option<&Round> {
    let n_reached = rounds.last()?.n_reached;
    rounds.iter().find(|round| round.n_reached == n_reached)
}

fn of_net(net: &NetThreads<'_>, certificate: &Certificate) -> Result<Certificate, StopReason> {
    net.certificate(certificate).ok_or_else(|| odd("a proof is not about the threads of a net"))
}

fn of_tokens(net: &NetThreads<'_>, run: &ThreadTrace) -> Result<Trace, StopReason> {
    let trace = net.counter_trace(run).map(Trace::Counters);
    trace.ok_or_else(|| odd("a run is not one of the threads of a net"))
}
