//! Random thread programs against a naive search over multisets of threads.

use std::collections::BTreeSet;

use model::{
    BroadcastId, Context, Footprint, GrowingBound, LabelId, Limits, Multiplicity, Narrator,
    Outcome, Problem, Requirements, SearchBounds, StepErrorRef, StepLabel, StepParts, Steps,
    StopReason, Store, TargetShape, Template, ThreadCount, ThreadProgram, Trace, Verdict,
    Violation,
};

use super::super::tests::systems::Random;
use crate::{Engine, check};

use super::super::{Order, SearchOptions};
use super::{Composition, check_threads};

/// Shared and local stores are one byte each; steps are rows of a table.
struct Table {
    templates: Vec<Template>,
    rows: Vec<Row>,
    targets: Vec<TargetShape>,
    /// Two threads in this local are the target.
    bad: u8,
    forbids_deadlock: bool,
}

struct Row {
    from: (u8, u8),
    to: (u8, Option<u8>),
    spawned: Option<u8>,
    is_broadcast: bool,
    is_error: bool,
}

const N_LOCALS: u64 = 4;

fn store(byte: u8) -> Store {
    Store::new(&[byte])
}

fn random_table(random: &mut Random, spawns: bool) -> Table {
    let mut byte = |bound: u64| random.below(bound) as u8;
    let rows = (0..7).map(|_| Row {
        from: (byte(3), byte(N_LOCALS)),
        to: (byte(3), if byte(8) == 0 { None } else { Some(byte(N_LOCALS)) }),
        spawned: (spawns && byte(6) == 0).then_some(3),
        is_broadcast: byte(5) == 0,
        is_error: byte(30) == 0,
    });
    let rows = rows.collect();
    let fixed = Template {
        name: "fixed".into(),
        initial: vec![store(1)],
        multiplicity: Multiplicity::Exactly(1),
    };
    let free = Template {
        name: "free".into(),
        initial: vec![store(0), store(2)],
        multiplicity: Multiplicity::Any,
    };
    Table {
        templates: vec![fixed, free],
        rows,
        targets: vec![TargetShape { name: "two".into(), slots: vec![2] }],
        bad: byte(N_LOCALS),
        forbids_deadlock: false,
    }
}

impl ThreadProgram for Table {
    fn initial_shared(&self) -> Vec<Store> {
        vec![store(0)]
    }

    fn templates(&self) -> &[Template] {
        &self.templates
    }

    fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
        let here = (shared[0], local[0]);
        for (idx, row) in self.rows.iter().enumerate().filter(|(_, row)| row.from == here) {
            let spawned = row.spawned.map(|byte| [byte]);
            let spawned: Vec<&[u8]> = spawned.iter().map(|bytes| &bytes[..]).collect();
            out.push(StepParts {
                shared: &[row.to.0],
                local: row.to.1.as_ref().map(std::slice::from_ref),
                spawned: &spawned,
                broadcast: row.is_broadcast.then_some(BroadcastId(0)),
                footprint: Footprint::Everything,
                label: LabelId(idx as u32),
                violation: row.is_error.then_some(StepErrorRef::assertion("row fails")),
            });
        }
    }

    /// Threads in local 2 may go to 0 or 3.
    fn passive(&self, _broadcast: BroadcastId, local: &[u8], out: &mut Vec<Store>) {
        if local == [2] {
            out.extend([store(0), store(3)]);
        }
    }

    fn requirements(&self) -> &dyn Requirements {
        self
    }

    fn narrator(&self) -> &dyn Narrator {
        self
    }
}

impl Requirements for Table {
    fn targets(&self) -> &[TargetShape] {
        &self.targets
    }

    fn target_shared(&self, _target: usize, shared: &[u8]) -> bool {
        shared[0] != 0
    }

    fn target_local(&self, _target: usize, _slot: usize, _shared: &[u8], local: &[u8]) -> bool {
        local == [self.bad]
    }

    fn forbids_deadlock(&self) -> bool {
        self.forbids_deadlock
    }
}

impl Narrator for Table {
    fn label(&self, label: LabelId) -> StepLabel {
        StepLabel { text: format!("row {}", label.0), span: None }
    }

    fn describe_shared(&self, shared: &[u8]) -> String {
        shared[0].to_string()
    }

    fn describe_local(&self, local: &[u8]) -> String {
        local[0].to_string()
    }
}

type Global = (u8, Vec<u8>);

/// The states that a step of the `mover`th thread leads to; `None` for an error.
fn after(locals: &[u8], mover: usize, row: &Row) -> Option<Vec<Global>> {
    if row.is_error {
        return None;
    }
    let mut ways: Vec<Vec<u8>> = vec![Vec::new()];
    for (idx, &local) in locals.iter().enumerate() {
        let becomes: Vec<u8> = match (idx == mover, row.is_broadcast) {
            (true, _) => row.to.1.into_iter().collect(),
            (false, true) if local == 2 => vec![0, 3],
            _ => vec![local],
        };
        if !becomes.is_empty() {
            let extend = |way: &Vec<u8>, local: u8| [way.as_slice(), &[local]].concat();
            ways = ways
                .iter()
                .flat_map(|way| becomes.iter().map(|&local| extend(way, local)).collect::<Vec<_>>())
                .collect();
        }
    }
    Some(ways.into_iter().map(|way| sorted(row.to.0, way, row.spawned)).collect())
}

fn sorted(shared: u8, mut locals: Vec<u8>, spawned: Option<u8>) -> Global {
    locals.extend(spawned);
    locals.sort_unstable();
    (shared, locals)
}

/// Number of multisets reachable, or the depth of the first error. `None` when
/// more than `max_live` threads come to live before that.
fn naive(table: &Table, n_threads: u32, max_live: usize) -> Option<Result<usize, usize>> {
    let mut level: BTreeSet<Global> = BTreeSet::new();
    for n_zero in 0..n_threads {
        let free = (1..n_threads).map(|i| if i <= n_zero { 0 } else { 2 });
        level.insert(sorted(0, free.collect(), Some(1)));
    }
    let mut seen = level.clone();
    for depth in 0.. {
        let is_bad = |(shared, locals): &&Global| {
            *shared != 0 && locals.iter().filter(|&&local| local == table.bad).count() >= 2
        };
        let mut errors = level.iter().filter(is_bad).count();
        let mut next = BTreeSet::new();
        for state in &level {
            for (mover, &local) in state.1.iter().enumerate() {
                for row in table.rows.iter().filter(|row| row.from == (state.0, local)) {
                    match after(&state.1, mover, row) {
                        None => errors += 1,
                        Some(ways) => next.extend(ways),
                    }
                }
            }
        }
        if errors > 0 {
            return Some(Err(depth));
        }
        next.retain(|state| seen.insert(state.clone()));
        if next.iter().any(|(_, locals)| locals.len() > max_live) {
            return None;
        }
        if next.is_empty() {
            return Some(Ok(seen.len()));
        }
        level = next;
    }
    None
}

/// Searches with more and more slots, as a plan does.
fn with_growing_slots(table: &Table, n_threads: u32, options: &SearchOptions) -> Outcome {
    let mut bounds = SearchBounds::everything(ThreadCount::Exactly(n_threads));
    loop {
        let options = SearchOptions { slots: bounds.slots, ..*options };
        let outcome = check_threads(table, n_threads, &options, Context::silent(&Limits::none()));
        match bounds.wider(&outcome.verdict) {
            Some(wider) => bounds = wider,
            None => return outcome,
        }
    }
}

#[test]
fn threads_of_random_programs_reach_what_the_naive_search_reaches() {
    let (mut n_safe, mut n_wrong) = (0, 0);
    for seed in 0..600 {
        let table = random_table(&mut Random(seed), seed % 3 == 0);
        let n_threads = 1 + (seed % 4) as u32;
        let order = if seed % 2 == 0 { Order::BreadthFirst } else { Order::DepthFirst };
        let options = SearchOptions { order, ..SearchOptions::default() };
        let outcome = with_growing_slots(&table, n_threads, &options);
        match (naive(&table, n_threads, 8), &outcome.verdict) {
            (Some(Ok(n_states)), Verdict::Holds(_)) => {
                n_safe += 1;
                assert_eq!(outcome.statistics[0].1, n_states as u64, "seed {seed}");
            }
            (Some(Err(depth)), Verdict::Violated(Trace::Threads(trace))) => {
                n_wrong += 1;
                // With few slots, the way found first may be a detour.
                if order == Order::BreadthFirst && seed % 3 != 0 {
                    let is_step = matches!(trace.violation, Violation::Step(_));
                    assert_eq!(trace.steps.len(), depth + usize::from(is_step), "seed {seed}");
                }
                assert_eq!(trace.threads.len(), n_threads as usize);
                assert_eq!(trace.templates[0], 0);
            }
            (None, Verdict::Unknown(StopReason::UnderApproximated { .. })) => {}
            // More threads may be allowed here than the naive search allows.
            (None, _) => {}
            (expected, found) => panic!("seed {seed}: {expected:?} but {found:?}"),
        }
    }
    assert!(n_safe > 100 && n_wrong > 50, "{n_safe} {n_wrong}");
}

/// What a verdict comes to: the length of the run, if it is one.
fn kind(verdict: &Verdict) -> (&'static str, usize) {
    match verdict {
        Verdict::Holds(_) => ("holds", 0),
        Verdict::Violated(trace) => ("violated", trace.n_steps()),
        Verdict::Unknown(StopReason::UnderApproximated { .. }) => ("left something out", 0),
        Verdict::Unknown(reason) => panic!("{reason:?}"),
    }
}

/// Whose turn it was is a part of the state, and changes places with the threads.
#[test]
fn few_switches_reach_the_same_with_and_without_symmetry() {
    let mut n_kinds = std::collections::BTreeMap::new();
    for seed in 0..200 {
        let table = random_table(&mut Random(seed), false);
        let max_switches = Some((seed % 2) as u32);
        let [with, without] = [true, false].map(|symmetry| {
            let options = SearchOptions { symmetry, max_switches, ..SearchOptions::default() };
            let limits = Limits::none();
            kind(&check_threads(&table, 3, &options, Context::silent(&limits)).verdict)
        });
        assert_eq!(with, without, "seed {seed}");
        *n_kinds.entry(with.0).or_insert(0) += 1;
    }
    assert!(n_kinds.len() == 3 && n_kinds.values().all(|&n| n > 10), "{n_kinds:?}");
}

#[test]
fn a_thread_that_finds_no_room_leaves_the_answer_open() {
    let mut table = random_table(&mut Random(1), false);
    let creates = |byte| Row {
        from: (byte, 1),
        to: (byte + 1, Some(1)),
        spawned: Some(3),
        is_broadcast: false,
        is_error: false,
    };
    (table.rows, table.bad) = (vec![creates(0), creates(1)], 0);
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        for (n_slots, expected) in [(1, "left something out"), (3, "holds")] {
            let slots = Some(GrowingBound::new(n_slots, n_slots));
            let options = SearchOptions { order, slots, ..SearchOptions::default() };
            let outcome = check_threads(&table, 1, &options, Context::silent(&Limits::none()));
            assert_eq!(kind(&outcome.verdict).0, expected, "{order:?}, {n_slots} slots");
        }
    }
}

#[test]
fn a_program_without_free_threads_has_no_larger_start() {
    let mut table = random_table(&mut Random(1), false);
    table.templates.truncate(1);
    assert!(Composition::new(&table, 1).is_ok());
    assert!(matches!(Composition::new(&table, 2), Err(StopReason::Unsupported { .. })));
    assert!(matches!(Composition::new(&table, 0), Err(StopReason::Unsupported { .. })));
    assert!(matches!(Composition::new(&table, 5000), Err(StopReason::Unsupported { .. })));
}

#[test]
fn engines_that_count_threads_refuse_deadlocks() {
    let mut table = random_table(&mut Random(1), false);
    table.forbids_deadlock = true;
    for engine in Engine::ALL.iter().copied().filter(|engine| *engine != Engine::Explicit) {
        let problem = Problem::Threads(&table);
        let limits = Limits::none();
        let outcome = check(problem, ThreadCount::Any, engine, Context::silent(&limits));
        assert!(matches!(outcome.verdict, Verdict::Unknown(_)), "{engine:?}: {outcome:?}");
    }
}

#[test]
fn deadlocks_are_refused_where_nobody_says_who_is_blocked() {
    let mut table = random_table(&mut Random(1), false);
    table.forbids_deadlock = true;
    let outcome =
        check_threads(&table, 2, &SearchOptions::default(), Context::silent(&Limits::none()));
    let verdict = outcome.verdict;
    assert!(matches!(verdict, Verdict::Unknown(StopReason::Unsupported { .. })), "{verdict:?}");
}
