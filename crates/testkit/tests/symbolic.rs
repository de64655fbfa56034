//! The symbolic engine against the naive references and against the engines that count
//! threads, on random small Boolean flows; every answer is re-checked, and proofs that were
//! tampered with must be rejected or still be right.
//!
//! `THREADPROOF_SEEDS` is the number of flows, `THREADPROOF_FIRST_SEED` the first of them.
#![allow(clippy::print_stdout, reason = "the tally is what a long run is for")]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use engine::Engine;
use model::{
    Bit, BitExpr, BitVariable, BooleanFlow, Certificate, Context, FlowEdge, FlowLocation,
    FlowSpawn, FlowThread, LabelId, Limits, LocationId, MemoryLimit, Multiplicity, Outcome,
    Problem, Proof, StepError, StopReason, ThreadCount, Verdict, ViewNode, Views,
};
use testkit::environment::number_from_environment;
use testkit::random::flow;
use testkit::reference::composition::populations;
use testkit::reference::explicit::{Caps, with_few_threads, with_threads};
use testkit::reference::flow_program::FlowProgram;
use testkit::reference::rules;
use testkit::reference::{ReferenceAnswer, backward};
use testkit::rng::Rng;

const DEFAULT_SEEDS: u64 = 400;
const CAPS: Caps = Caps { states: 4_000, counts: 4, initial: 3 };
const MAX_ELEMENTS: usize = 1_500;
const TIME_PER_RUN: Duration = Duration::from_secs(5);

#[test]
fn the_symbolic_engine_agrees_with_the_references_on_random_flows() {
    let first = number_from_environment("THREADPROOF_FIRST_SEED", 0);
    let n_seeds = number_from_environment("THREADPROOF_SEEDS", DEFAULT_SEEDS);
    let mut tally = Tally::default();
    for seed in first..first + n_seeds {
        let program = FlowProgram::new(flow::random(&mut Rng::new(seed)));
        if let Err(failure) = judge(&program, seed, &mut tally) {
            panic!("seed {seed}: {failure}\n{:#?}", program.boolean_flow());
        }
    }
    println!("{tally:#?}");
    if n_seeds >= 1_000 {
        tally.check_mix(n_seeds);
    }
}

/// How often which answer was given.
#[derive(Debug, Default)]
struct Tally {
    answers: BTreeMap<String, u64>,
    n_unknown_but_known: u64,
    n_tampered: u64,
    n_rejected: u64,
}

impl Tally {
    /// Does the generator make all kinds of flows, and does the engine decide most?
    fn check_mix(&self, n_seeds: u64) {
        let n = |name: &str| self.answers.get(name).copied().unwrap_or(0);
        assert!(n("Any holds") > n_seeds / 10, "{self:?}");
        assert!(n("Any violated") > n_seeds / 10, "{self:?}");
        assert!(self.n_unknown_but_known < n_seeds / 20, "{self:?}");
        assert!(self.n_rejected > n_seeds / 10, "{self:?}");
    }
}

fn limits() -> Limits {
    Limits { deadline: Some(Instant::now() + TIME_PER_RUN), ..Limits::none() }
}

fn judge(program: &FlowProgram, seed: u64, tally: &mut Tally) -> Result<(), String> {
    let exact = backward::search(&rules::of_threads(program), MAX_ELEMENTS);
    let known = is_reachable(exact).or(is_reachable(with_few_threads(program, CAPS)));
    let outcome = judge_one(program, ThreadCount::Any, known, tally)?;
    if seed.is_multiple_of(8) {
        let again = run(program, ThreadCount::Any, Engine::Symbolic);
        if again != outcome && !was_cut(&outcome) && !was_cut(&again) {
            return Err("two runs differ".to_owned());
        }
    }
    if let Verdict::Holds(certificate) = &outcome.verdict {
        tamper(program, certificate, known, seed, tally)?;
    }
    let other = run(program, ThreadCount::Any, Engine::Backward);
    disagree(&outcome.verdict, &other.verdict)?;
    for n_threads in 1..=3 {
        if populations(program, n_threads).is_empty() {
            continue;
        }
        let answer = with_threads(program, n_threads, CAPS);
        let asked = ThreadCount::Exactly(n_threads);
        let outcome = judge_one(program, asked, is_reachable(answer), tally)?;
        if let (Verdict::Violated(trace), ReferenceAnswer::Reachable { depth }) =
            (&outcome.verdict, answer)
        {
            // With more threads alive, a run may be shorter; with fewer, it is longer.
            let creates = program.boolean_flow().edges.iter().any(|edge| edge.spawn.is_some());
            if trace.n_steps() < depth || (!creates && trace.n_steps() != depth) {
                return Err(format!("{} steps, and the shortest has {depth}", trace.n_steps()));
            }
        }
    }
    Ok(())
}

fn judge_one(
    program: &FlowProgram,
    threads: ThreadCount,
    reachable: Option<bool>,
    tally: &mut Tally,
) -> Result<Outcome, String> {
    let outcome = run(program, threads, Engine::Symbolic);
    let checked = certify::check(Problem::Threads(program), threads, &outcome.verdict, &limits());
    if let Err(rejection) = checked {
        return Err(format!("rejected for {threads:?}: {rejection}\n{:#?}", outcome.verdict));
    }
    let answer = match &outcome.verdict {
        Verdict::Holds(_) => "holds",
        Verdict::Violated(_) => "violated",
        Verdict::Unknown(_) => "unknown",
    };
    *tally.answers.entry(format!("{threads:?} {answer}")).or_default() += 1;
    match (&outcome.verdict, reachable) {
        (Verdict::Holds(_), Some(true)) => {
            Err(format!("holds for {threads:?}, but an error is reachable"))
        }
        (Verdict::Violated(_), Some(false)) => {
            Err(format!("violated for {threads:?}, but no error is reachable"))
        }
        (Verdict::Unknown(reason), Some(_)) => {
            let may_be =
                matches!(reason, StopReason::Incomplete { why } if why == "more may happen");
            tally.n_unknown_but_known += u64::from(!may_be);
            match reason {
                StopReason::Incomplete { why } if !may_be => Err(format!("{threads:?}: {why}")),
                _ => Ok(outcome),
            }
        }
        _ => Ok(outcome),
    }
}

fn run(program: &FlowProgram, threads: ThreadCount, engine: Engine) -> Outcome {
    verify::check(Problem::Threads(program), threads, engine, Context::silent(&limits()))
}

fn was_cut(outcome: &Outcome) -> bool {
    matches!(outcome.verdict, Verdict::Unknown(StopReason::TimeLimit))
}

fn disagree(one: &Verdict, other: &Verdict) -> Result<(), String> {
    match (one, other) {
        (Verdict::Holds(_), Verdict::Violated(_)) | (Verdict::Violated(_), Verdict::Holds(_)) => {
            Err("the engines `symbolic` and `backward` disagree".to_owned())
        }
        _ => Ok(()),
    }
}

fn is_reachable(answer: ReferenceAnswer) -> Option<bool> {
    match answer {
        ReferenceAnswer::Reachable { .. } => Some(true),
        ReferenceAnswer::Unreachable => Some(false),
        ReferenceAnswer::NotWithin => None,
    }
}

/// Changes a proof at random: it may still be one, but never of what is not so, and never
/// for more threads than it was about.
fn tamper(
    program: &FlowProgram,
    certificate: &Certificate,
    reachable: Option<bool>,
    seed: u64,
    tally: &mut Tally,
) -> Result<(), String> {
    let Proof::Views(views) = &certificate.proof else { return Err("no views".to_owned()) };
    let mut rng = Rng::new(seed ^ 0x5eed);
    for way in 0..6 {
        let mut changed = views.clone();
        tamper_with(&mut changed, way, &mut rng);
        if changed == *views {
            continue;
        }
        let proof = Proof::Views(changed.clone());
        let verdict = Verdict::Holds(Certificate { proof, ..certificate.clone() });
        let checked =
            certify::check(Problem::Threads(program), ThreadCount::Any, &verdict, &limits());
        tally.n_tampered += 1;
        tally.n_rejected += u64::from(checked.is_err());
        if checked.is_ok() && reachable == Some(true) {
            return Err(format!("a wrong proof is believed: {changed:#?}"));
        }
        // The empty set, and one without a way to the full one, is no proof of anything.
        if checked.is_ok() && changed.root == 0 {
            return Err("an empty set is believed".to_owned());
        }
    }
    Ok(())
}

fn tamper_with(views: &mut Views, way: u32, rng: &mut Rng) {
    let n_nodes = views.nodes.len() as u32;
    let node = rng.below(n_nodes) as usize;
    match (way, views.nodes.get_mut(node)) {
        (0, Some(_)) => {
            views.nodes.remove(node);
        }
        (1, Some(ViewNode(_, low, high))) => std::mem::swap(low, high),
        (2, Some(ViewNode(_, low, _))) => *low = 1 - (*low).min(1),
        (3, Some(ViewNode(variable, _, _))) => *variable = rng.below(views.variables.len() as u32),
        (4, _) => views.size = views.size.saturating_sub(1),
        (5, _) => views.root = rng.below(views.root),
        _ => {}
    }
}

#[test]
fn a_proof_for_some_threads_is_none_for_all() {
    let mut n_tried = 0;
    for seed in 0..400 {
        let program = FlowProgram::new(flow::random(&mut Rng::new(seed)));
        let kinds = &program.boolean_flow().threads;
        if kinds.iter().all(|kind| kind.multiplicity != Multiplicity::Any) {
            continue;
        }
        let Verdict::Violated(_) = run(&program, ThreadCount::Any, Engine::Symbolic).verdict else {
            continue;
        };
        let few = run(&program, ThreadCount::Exactly(1), Engine::Symbolic);
        let Verdict::Holds(mut certificate) = few.verdict else { continue };
        n_tried += 1;
        certificate.scope = ThreadCount::Any;
        let verdict = Verdict::Holds(certificate);
        let checked =
            certify::check(Problem::Threads(&program), ThreadCount::Any, &verdict, &limits());
        assert!(checked.is_err(), "seed {seed}");
    }
    assert!(n_tried > 3, "{n_tried}");
}

/// An edge that does nothing.
fn edge(from: u32, to: u32) -> FlowEdge {
    FlowEdge {
        from: LocationId(from),
        to: Some(LocationId(to)),
        guard: BitExpr::TRUE,
        assigns: Vec::new(),
        constraint: BitExpr::TRUE,
        n_choices: 0,
        spawn: None,
        passive: Vec::new(),
        violation: None,
        incomplete: None,
        label: LabelId(0),
    }
}

/// Any number of threads take a lock (shared variable 0) and then claim what must be free
/// (shared variable 1). Without the lock, two of them can.
fn claimed_under_a_lock(is_locked: bool) -> FlowProgram {
    let (lock, claim) = (Bit::Shared(0), Bit::Shared(1));
    let is_free = if is_locked { BitExpr::Before(lock).negated() } else { BitExpr::TRUE };
    let is_claimed = BitExpr::Before(claim);
    let set = |bit: Bit, value: bool| vec![(bit, BitExpr::Const(value))];
    let edges = vec![
        FlowEdge { guard: is_free, assigns: set(lock, true), ..edge(0, 1) },
        FlowEdge {
            guard: is_claimed.clone(),
            violation: Some(StepError::assertion("claimed twice")),
            ..edge(1, 1)
        },
        FlowEdge { guard: is_claimed.negated(), assigns: set(claim, true), ..edge(1, 2) },
        FlowEdge { assigns: set(claim, false), ..edge(2, 3) },
        FlowEdge { assigns: set(lock, false), ..edge(3, 0) },
    ];
    of_any_number(&["lock", "claim"], &[], &[false; 4], edges)
}

/// A flow that any number of threads run from its first location on. All variables are
/// false at the start; `is_atomic` says of each location whether it is.
fn of_any_number(
    shared: &[&str],
    locals: &[&str],
    is_atomic: &[bool],
    mut edges: Vec<FlowEdge>,
) -> FlowProgram {
    for (idx, edge) in edges.iter_mut().enumerate() {
        edge.label = LabelId(idx as u32);
    }
    let variable = |name: &&str| BitVariable { name: (*name).to_owned(), initial: Some(false) };
    let location =
        |(idx, &is_atomic)| FlowLocation { name: format!("l{idx}"), span: None, is_atomic };
    FlowProgram::new(BooleanFlow {
        shared: shared.iter().map(variable).collect(),
        locals: locals.iter().map(variable).collect(),
        locations: is_atomic.iter().enumerate().map(location).collect(),
        edges,
        threads: vec![FlowThread {
            name: "thread".to_owned(),
            entry: LocationId(0),
            locals: vec![Some(false); locals.len()],
            multiplicity: Multiplicity::Any,
        }],
    })
}

/// An edge that is an error where `guard` holds.
fn fails(from: u32, guard: BitExpr) -> FlowEdge {
    let violation = Some(StepError::assertion("it must not be so"));
    FlowEdge { guard, violation, ..edge(from, from) }
}

#[test]
fn a_lock_is_proven_by_views_of_two_threads() {
    let program = claimed_under_a_lock(true);
    let outcome = run(&program, ThreadCount::Any, Engine::Symbolic);
    let Verdict::Holds(certificate) = &outcome.verdict else { panic!("{outcome:?}") };
    assert!(matches!(&certificate.proof, Proof::Views(Views { size: 2, .. })), "{outcome:?}");
    // One thread alone reaches, with the others idle, all that any number reaches.
    assert_eq!(outcome.notes.len(), 1, "{outcome:?}");
    let problem = Problem::Threads(&program);
    certify::check(problem, ThreadCount::Any, &outcome.verdict, &limits()).expect("a proof");
}

#[test]
fn without_the_lock_two_threads_fail_in_four_steps() {
    let program = claimed_under_a_lock(false);
    let outcome = run(&program, ThreadCount::Any, Engine::Symbolic);
    let Verdict::Violated(trace) = &outcome.verdict else { panic!("{outcome:?}") };
    assert_eq!(trace.n_steps(), 4);
    let problem = Problem::Threads(&program);
    certify::check(problem, ThreadCount::Any, &outcome.verdict, &limits()).expect("a run");
}

/// Threads set a variable in an atomic section and take it back there. Who finds it changed
/// in between fails, and who sees it from outside. The first step of the section does `passive` to the others.
fn with_a_section(passive: Vec<(u32, BitExpr)>) -> FlowProgram {
    let held = Bit::Shared(0);
    let set = |value: bool| vec![(held, BitExpr::Const(value))];
    let edges = vec![
        FlowEdge { assigns: set(true), passive, ..edge(0, 1) },
        fails(0, BitExpr::Before(held)),
        fails(1, BitExpr::Before(held).negated()),
        FlowEdge { assigns: set(false), ..edge(1, 2) },
        edge(2, 0),
    ];
    of_any_number(&["held"], &["touched"], &[false, true, true], edges)
}

#[test]
fn a_section_is_proven_by_views_of_one_thread() {
    for passive in [Vec::new(), vec![(0, BitExpr::TRUE)]] {
        let program = with_a_section(passive);
        let outcome = run(&program, ThreadCount::Any, Engine::Symbolic);
        let Verdict::Holds(certificate) = &outcome.verdict else { panic!("{outcome:?}") };
        assert!(matches!(&certificate.proof, Proof::Views(Views { size: 1, .. })), "{outcome:?}");
        let problem = Problem::Threads(&program);
        certify::check(problem, ThreadCount::Any, &outcome.verdict, &limits()).expect("a proof");
    }
}

/// Ways in which local 0 of a thread at location 1 matters: if it is true, somebody fails.
fn ways_to_matter() -> [(&'static str, Vec<FlowEdge>); 7] {
    let (own, other) = (BitExpr::Before(Bit::Local(0)), BitExpr::Before(Bit::Local(1)));
    let creates =
        |assigns| FlowEdge { spawn: Some(FlowSpawn { to: LocationId(3), assigns }), ..edge(1, 2) };
    let does_to_others = |value| FlowEdge { passive: vec![(1, value)], ..edge(1, 2) };
    let copies = vec![(Bit::Local(1), own.clone())];
    let copied_to = BitExpr::After(Bit::Local(1));
    let wants = |constraint| FlowEdge { constraint, ..edge(1, 2) };
    [
        ("it is kept and read", vec![edge(1, 2), fails(2, own.clone())]),
        ("a new thread gets a copy", vec![creates(Vec::new()), fails(3, own.clone())]),
        (
            "a new thread gets its value elsewhere",
            vec![creates(vec![(1, own.clone())]), fails(3, other.clone())],
        ),
        (
            "a step of another thread reads it",
            vec![fails(1, other.clone()), does_to_others(BitExpr::Passive(0))],
        ),
        (
            "what a step does to others depends on it",
            vec![fails(1, other), does_to_others(own.clone())],
        ),
        ("a constraint reads it", vec![wants(own), fails(2, BitExpr::TRUE)]),
        (
            "a constraint reads what is computed from it",
            vec![FlowEdge { assigns: copies, ..wants(copied_to) }, fails(2, BitExpr::TRUE)],
        ),
    ]
}

#[test]
fn a_local_is_kept_as_long_as_it_matters() {
    for (name, mut edges) in ways_to_matter() {
        let set_false = vec![(Bit::Local(0), BitExpr::FALSE)];
        edges.insert(0, FlowEdge { assigns: set_false, ..edge(0, 1) });
        let program = of_any_number(&[], &["own", "other"], &[false; 4], edges);
        for threads in [ThreadCount::Any, ThreadCount::Exactly(2)] {
            let outcome = run(&program, threads, Engine::Symbolic);
            let holds = matches!(outcome.verdict, Verdict::Holds(_));
            assert!(holds, "{name}, {threads:?}: {outcome:?}");
        }
    }
}

#[test]
fn a_created_thread_has_the_values_that_it_is_given() {
    let own = BitExpr::Before(Bit::Local(0));
    for (error, fails_in) in [(own.clone().negated(), None), (own, Some(2))] {
        let spawn = Some(FlowSpawn { to: LocationId(2), assigns: vec![(0, BitExpr::TRUE)] });
        let edges = vec![FlowEdge { spawn, ..edge(0, 1) }, fails(2, error)];
        let program = of_any_number(&[], &["own"], &[false; 3], edges);
        for threads in [ThreadCount::Any, ThreadCount::Exactly(1)] {
            let outcome = run(&program, threads, Engine::Symbolic);
            let found = match &outcome.verdict {
                Verdict::Holds(_) => None,
                Verdict::Violated(trace) => Some(trace.n_steps()),
                Verdict::Unknown(reason) => panic!("{threads:?}: {reason:?}"),
            };
            assert_eq!(found, fails_in, "{threads:?}");
        }
    }
}

/// One thread after the other takes its turn. The first has chosen which one of two locals is
/// true, and fails in the end if it is `chosen`.
fn with_turns(chosen: u32) -> FlowProgram {
    let [first, second, third] = [0, 1, 2].map(Bit::Shared);
    let comes_after = |last: BitExpr, mine: Bit| FlowEdge {
        guard: last.and(BitExpr::Before(mine).negated()),
        assigns: vec![(mine, BitExpr::TRUE)],
        ..edge(0, 2)
    };
    let start = comes_after(BitExpr::TRUE, first);
    let is_true = BitExpr::Before(Bit::Local(chosen));
    let is_false = BitExpr::Before(Bit::Local(1 - chosen)).negated();
    let choice = BitExpr::Choice(0);
    let locals = [(Bit::Local(0), choice.clone()), (Bit::Local(1), choice.negated())];
    let edges = vec![
        FlowEdge {
            to: Some(LocationId(1)),
            assigns: start.assigns.iter().cloned().chain(locals).collect(),
            n_choices: 1,
            ..start
        },
        comes_after(BitExpr::Before(first), second),
        comes_after(BitExpr::Before(second), third),
        fails(1, BitExpr::Before(third).and(is_true).and(is_false)),
    ];
    of_any_number(&["first", "second", "third"], &["one", "other"], &[false; 3], edges)
}

#[test]
fn three_threads_take_turns() {
    for chosen in [0, 1] {
        let program = with_turns(chosen);
        let outcome = run(&program, ThreadCount::Exactly(2), Engine::Symbolic);
        assert!(matches!(outcome.verdict, Verdict::Holds(_)), "{outcome:?}");
        for threads in [ThreadCount::Any, ThreadCount::Exactly(3)] {
            let outcome = run(&program, threads, Engine::Symbolic);
            let Verdict::Violated(trace) = &outcome.verdict else { panic!("{outcome:?}") };
            assert_eq!(trace.n_steps(), 4);
        }
    }
}

/// Threads set each of many locals as they like, which makes too many thread states to list;
/// the first step of a second thread fails.
#[test]
fn a_near_error_is_found_before_sets_are_kept() {
    let names: Vec<String> = (0..18).map(|idx| format!("l{idx}")).collect();
    let locals: Vec<&str> = names.iter().map(String::as_str).collect();
    let has_begun = Bit::Shared(0);
    let chosen = (0..18).map(|idx| (Bit::Local(idx), BitExpr::Choice(0)));
    let mut edges = vec![
        FlowEdge { assigns: vec![(has_begun, BitExpr::TRUE)], ..edge(0, 1) },
        fails(0, BitExpr::Before(has_begun)),
    ];
    for (from, assign) in (1..).zip(chosen) {
        edges.push(FlowEdge { assigns: vec![assign], n_choices: 1, ..edge(from, from + 1) });
    }
    let program = of_any_number(&["has begun"], &locals, &[false; 20], edges);
    for (threads, engine) in [(2, "explicit"), (1, "symbolic")] {
        let outcome = run(&program, ThreadCount::Exactly(threads), Engine::Auto);
        assert_eq!(outcome.engine, engine, "{outcome:?}");
        assert_eq!(matches!(outcome.verdict, Verdict::Violated(_)), threads == 2, "{outcome:?}");
    }
}

#[test]
fn a_full_memory_ends_the_search_with_its_reason() {
    let program = claimed_under_a_lock(true);
    let memory = MemoryLimit { bytes: 1 << 20, gauge: || 1 << 19 };
    let limits = Limits { memory: Some(memory), ..Limits::none() };
    let problem = Problem::Threads(&program);
    let outcome =
        verify::check(problem, ThreadCount::Any, Engine::Symbolic, Context::silent(&limits));
    assert_eq!(outcome.verdict, Verdict::Unknown(StopReason::MemoryLimit));
}
