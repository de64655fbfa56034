//! Runs one engine, or several side by side.
//!
//! The portfolio works in rounds. In each round every engine gets the same
//! amount of *work*, counted, not timed; when all have done theirs, the first
//! engine in the list that has an answer gives it. So the answer, its evidence
//! and all figures are the same on any machine with any number of cores, unless a
//! limit cuts the run short. An engine stops early when one before it in the list
//! has answered, for then its own answer would not be taken.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use model::{Context, CounterSystem, Limits, Proof, StopReason, Support};

use super::Prepared;
use super::backward::Backward;
use super::backward::prune::{ByEquation, Prune};
use super::cover::{Cover, Distance, ExplorationOrder};
use super::equation;
use super::finding::Finding;
use super::forward::{About, Forward, Slices};
use super::rules::source::Compiled;
use super::slice::Slice;
use crate::Engine;
use crate::kernel::budget::{Budget, Pause};

/// What came of a run: findings are about the original system.
pub struct PortfolioReport {
    /// The engine that ended it.
    pub engine: &'static str,
    /// The end.
    pub finding: Finding,
    /// Named figures.
    pub figures: Vec<(&'static str, u64)>,
    /// Remarks for the user.
    pub notes: Vec<String>,
    /// Work that each engine was given in the last round.
    pub last_round: u64,
}

/// Work in the first round: some ten milliseconds.
const FIRST_ROUND: u64 = 2_000;
/// By how much the work grows from round to round: the last round costs at least
/// as much as all before it together, so little is lost.
const ROUND_GROWTH: u64 = 4;

/// A system up to this size (changes of counters, over all transitions) has its
/// linear programs solved in the time of a first round.
const SMALL_EQUATION: usize = 2_000;

fn size(system: &CounterSystem) -> usize {
    system.transitions.iter().map(|transition| 2 + transition.delta.len()).sum()
}

/// Runs `engine` on `prepared`.
pub fn run(prepared: &Prepared<'_>, engine: Engine, context: Context<'_>) -> PortfolioReport {
    let members = match Contestant::list(prepared, engine) {
        Ok(members) => members,
        Err(reason) => {
            let finding = Finding::Inconclusive(reason);
            let (figures, notes) = (Vec::new(), Vec::new());
            return PortfolioReport {
                engine: engine.name(),
                finding,
                figures,
                notes,
                last_round: 0,
            };
        }
    };
    let work = if engine == Engine::Auto { FIRST_ROUND } else { u64::MAX };
    Portfolio { prepared, members, context, work }.rounds()
}

/// An engine in the list.
enum Contestant<'a> {
    /// One go. It comes first because its proofs read best; large linear programs
    /// wait for the second round, for they may not be worth what a first round
    /// answers.
    Equation {
        waits: bool,
    },
    Forward(Box<(Slices<'a>, Forward)>),
    Backward(Box<Backward<'a>>),
    Cover(&'static str, Box<(Compiled<'a>, Cover)>),
    /// It ended without an answer.
    Done(&'static str, StopReason),
}

impl<'a> Contestant<'a> {
    fn list(prepared: &'a Prepared<'_>, engine: Engine) -> Result<Vec<Contestant<'a>>, StopReason> {
        let system = &prepared.full.system;
        let rules = &prepared.full_rules;
        let forward = || {
            let mut slices = Slices {
                closed: Compiled::new(&prepared.closed.system, &prepared.closed_rules)?,
                full: Compiled::new(system, rules)?,
            };
            let order = ExplorationOrder::BestFirst(Distance::new(system, rules));
            let forward = Forward::new(&mut slices, order);
            Ok::<_, StopReason>(Contestant::Forward(Box::new((slices, forward))))
        };
        let cover = |name, order| {
            let compiled = Compiled::new(system, rules)?;
            Ok::<_, StopReason>(Contestant::Cover(name, Box::new((compiled, Cover::new(order)))))
        };
        let backward = |prune: Box<dyn Prune + Send + 'a>| {
            Contestant::Backward(Box::new(Backward::new(system, rules, prune)))
        };
        let by_equation =
            || Box::new(ByEquation::new(&prepared.closed, &prepared.full)) as Box<dyn Prune + Send>;
        Ok(match engine {
            Engine::Auto => vec![
                Contestant::Equation { waits: size(&prepared.closed.system) > SMALL_EQUATION },
                forward()?,
                backward(by_equation()),
                cover("cover", ExplorationOrder::DepthFirst)?,
            ],
            Engine::Cover => vec![cover("cover", ExplorationOrder::DepthFirst)?],
            Engine::CoverBfs => vec![cover("cover-bfs", ExplorationOrder::BreadthFirst)?],
            Engine::Backward => vec![backward(by_equation())],
            Engine::Equation => vec![Contestant::Equation { waits: false }],
            Engine::Forward => vec![forward()?],
            // They are asked elsewhere; nobody is left to answer.
            Engine::Explicit | Engine::Cutoff | Engine::Symbolic | Engine::ThreadModular => {
                Vec::new()
            }
        })
    }

    fn name(&self) -> &'static str {
        match self {
            Contestant::Forward(_) => "forward",
            Contestant::Equation { .. } => "equation",
            Contestant::Backward(_) => "backward",
            Contestant::Cover(name, _) | Contestant::Done(name, _) => name,
        }
    }

    /// Goes on; a finding is lifted to the original system.
    fn advance(
        &mut self,
        prepared: &Prepared<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<Finding, Pause> {
        match self {
            Contestant::Forward(member) => {
                let (slices, forward) = &mut **member;
                let (about, finding) = forward.advance(slices, budget)?;
                let slice = match about {
                    About::Closed => &prepared.closed,
                    About::Full => &prepared.full,
                };
                Ok(lift(slice, finding))
            }
            Contestant::Equation { waits: waits @ true } => {
                *waits = false;
                Err(Pause::RoundOver)
            }
            Contestant::Equation { .. } => prove_by_equation(prepared, budget.limits()),
            Contestant::Backward(backward) => Ok(lift(&prepared.full, backward.advance(budget)?)),
            Contestant::Cover(_, member) => {
                let (compiled, cover) = &mut **member;
                Ok(lift(&prepared.full, cover.advance(compiled, budget)?))
            }
            Contestant::Done(_, reason) => Ok(Finding::Inconclusive(reason.clone())),
        }
    }

    fn figures(&self) -> Vec<(&'static str, u64)> {
        match self {
            Contestant::Forward(member) => member.1.figures(),
            Contestant::Backward(backward) => backward.figures(),
            Contestant::Cover(_, member) => member.1.figures(),
            Contestant::Equation { .. } | Contestant::Done(..) => Vec::new(),
        }
    }
}

fn lift(slice: &Slice<'_>, finding: Finding) -> Finding {
    match finding {
        Finding::Holds(proof) => Finding::Holds(slice.lift_proof(proof)),
        Finding::Violated(schedule) => match slice.lift_schedule(&schedule) {
            Ok(schedule) => Finding::Violated(schedule),
            Err(reason) => Finding::Inconclusive(reason),
        },
        Finding::Inconclusive(reason) => Finding::Inconclusive(reason),
    }
}

fn prove_by_equation(prepared: &Prepared<'_>, limits: &Limits) -> Result<Finding, Pause> {
    let closed = &prepared.closed;
    let refutations = equation::prove(&closed.system, limits)?;
    let n_open = refutations.iter().filter(|refutation| refutation.is_none()).count();
    if n_open > 0 {
        let why = format!(
            "the state equation does not exclude {n_open} of {} targets",
            refutations.len()
        );
        return Ok(Finding::Inconclusive(StopReason::Incomplete { why }));
    }
    let mut kept = Vec::new();
    for refutation in refutations.into_iter().flatten() {
        if !kept.contains(&refutation) {
            kept.push(refutation);
        }
    }
    let proof = Proof::Equation { support: Support::default(), refutations: kept };
    Ok(lift(closed, Finding::Holds(proof)))
}

struct Portfolio<'a, 'b> {
    prepared: &'a Prepared<'b>,
    members: Vec<Contestant<'a>>,
    context: Context<'a>,
    /// Work that each engine is given in this round.
    work: u64,
}

/// What one engine did in one round.
type RoundResult = Option<Result<Finding, Pause>>;

impl Portfolio<'_, '_> {
    fn rounds(&mut self) -> PortfolioReport {
        loop {
            let results = self.round();
            let answered = results.iter().position(|result| {
                matches!(result, Some(Ok(Finding::Holds(_) | Finding::Violated(_))))
            });
            if let Some(idx) = answered {
                let finding = results.into_iter().nth(idx).flatten().and_then(Result::ok);
                return self.report(idx, finding.expect("it answered"));
            }
            let mut stopped = None;
            for (idx, result) in results.into_iter().enumerate() {
                match result {
                    Some(Ok(Finding::Inconclusive(reason))) => {
                        let name = self.members[idx].name();
                        if !matches!(self.members[idx], Contestant::Done(..)) {
                            self.members[idx] = Contestant::Done(name, reason);
                        }
                    }
                    Some(Err(Pause::Stopped(reason))) => stopped = stopped.or(Some((idx, reason))),
                    Some(_) | None => {}
                }
            }
            if let Some((idx, reason)) = stopped {
                return self.report(idx, Finding::Inconclusive(reason));
            }
            if self.members.iter().all(|member| matches!(member, Contestant::Done(..))) {
                return self.nothing_left();
            }
            self.work = self.work.saturating_mul(ROUND_GROWTH);
        }
    }

    /// One round: every engine does its work, on as many threads as allowed.
    fn round(&mut self) -> Vec<RoundResult> {
        let n_members = self.members.len();
        let cancel: Vec<Arc<AtomicBool>> =
            (0..n_members).map(|_| Arc::new(AtomicBool::new(false))).collect();
        let results: Vec<Mutex<RoundResult>> = (0..n_members).map(|_| Mutex::new(None)).collect();
        let members: Vec<Mutex<&mut Contestant<'_>>> =
            self.members.iter_mut().map(Mutex::new).collect();
        let next = AtomicUsize::new(0);
        let (prepared, context, work) = (self.prepared, self.context, self.work);
        let worker = || {
            loop {
                let idx = next.fetch_add(1, Ordering::Relaxed);
                let Some(member) = members.get(idx) else { return };
                let mut member = member.lock().expect("no worker panics while it holds this");
                let own_limits = context.limits.cancelled_by(&cancel[idx]);
                let mut budget = Budget::new(member.name(), work, context.within(&own_limits));
                let result = member.advance(prepared, &mut budget);
                if matches!(result, Ok(Finding::Holds(_) | Finding::Violated(_))) {
                    cancel[idx + 1..].iter().for_each(|c| c.store(true, Ordering::Relaxed));
                }
                *results[idx].lock().expect("no worker panics while it holds this") = Some(result);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..context.limits.jobs.min(n_members) {
                scope.spawn(worker);
            }
            worker();
        });
        let take = |result: Mutex<RoundResult>| result.into_inner().expect("workers have ended");
        results.into_iter().map(take).collect()
    }

    fn report(&self, idx: usize, finding: Finding) -> PortfolioReport {
        let member = &self.members[idx];
        let mut notes = Vec::new();
        if matches!(finding, Finding::Inconclusive(_)) {
            notes.extend(self.explored_completely());
        }
        let (engine, figures) = (member.name(), member.figures());
        PortfolioReport { engine, finding, figures, notes, last_round: self.work }
    }

    /// What is known although there is no answer.
    fn explored_completely(&self) -> Option<String> {
        self.members.iter().find_map(|member| match member {
            Contestant::Forward(member) => member.1.explored_completely(),
            _ => None,
        })
    }

    fn nothing_left(&self) -> PortfolioReport {
        let reasons: Vec<(&'static str, &StopReason)> = self
            .members
            .iter()
            .filter_map(|member| match member {
                Contestant::Done(name, reason) => Some((*name, reason)),
                _ => None,
            })
            .collect();
        let finding = match reasons[..] {
            [(_, reason)] => Finding::Inconclusive(reason.clone()),
            _ => {
                let told = reasons.iter().map(|(name, reason)| match reason {
                    StopReason::Incomplete { why } => format!("{name}: {why}"),
                    other => format!("{name}: {other:?}"),
                });
                let why = told.collect::<Vec<_>>().join("; ");
                Finding::Inconclusive(StopReason::Incomplete { why })
            }
        };
        let engine = reasons.first().map_or("auto", |(name, _)| name);
        let engine = if reasons.len() == 1 { engine } else { "auto" };
        let (figures, notes) = (Vec::new(), Vec::new());
        PortfolioReport { engine, finding, figures, notes, last_round: self.work }
    }
}
