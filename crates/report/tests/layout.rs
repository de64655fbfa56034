//! The layout of reports, pinned by a few small snapshots.

use std::time::Duration;

use model::{
    Bounds, Certificate, Configuration, ControlId, Count, CounterId, CounterStep, CounterSystem,
    CounterTrace, CounterTransition, Diagnostic, InitialZone, LinearLemma, Outcome, Problem, Proof,
    Refutation, SourceFile, Span, StopReason, Support, Target, ThreadCount, Trace, TransitionId,
    Variant, Verdict, Vocabulary, Zone,
};
use report::json::{self, Evidence, SavedError};
use report::text::{self, TextStyle};
use report::{Effort, Run, dot, snippet};

const CONTROL: ControlId = ControlId(0);

/// `enter`: idle and lock become busy; `leave`: busy becomes idle, without the lock.
fn mutex() -> CounterSystem {
    let transition = |name: &str, delta: &[(u32, i64)]| CounterTransition {
        name: name.to_owned(),
        span: None,
        from: CONTROL,
        to: CONTROL,
        guard: Vec::new(),
        moves: Vec::new(),
        delta: delta.iter().map(|&(counter, n)| (CounterId(counter), n)).collect(),
    };
    CounterSystem {
        control_names: vec![String::new()],
        counter_names: ["idle", "busy", "lock"].map(str::to_owned).to_vec(),
        transitions: vec![
            transition("enter", &[(0, -1), (1, 1), (2, -1)]),
            transition("leak", &[(2, 1)]),
        ],
        initial: vec![InitialZone {
            control: CONTROL,
            bounds: vec![(CounterId(0), Bounds::at_least(1)), (CounterId(2), Bounds::exactly(1))],
        }],
        targets: vec![Target {
            name: "two busy".to_owned(),
            span: None,
            zone: Zone { control: CONTROL, bounds: vec![(CounterId(1), Bounds::at_least(2))] },
        }],
        hints: Vec::new(),
    }
}

fn marking(counts: &[(u32, u32)]) -> Configuration {
    let counts = counts
        .iter()
        .map(|&(counter, n)| (CounterId(counter), Count::finite(n).expect("small")))
        .collect();
    Configuration { control: CONTROL, counts }
}

fn violated() -> Outcome {
    let step = |transition, counts: &[(u32, u32)]| CounterStep {
        transition: TransitionId(transition),
        choices: Vec::new(),
        after: marking(counts),
    };
    let trace = CounterTrace {
        initial: marking(&[(0, 2), (2, 1)]),
        steps: vec![
            step(1, &[(0, 2), (2, 2)]),
            step(0, &[(0, 1), (1, 1), (2, 1)]),
            step(0, &[(1, 2)]),
        ],
        target: 0,
    };
    outcome(Verdict::Violated(Trace::Counters(trace)))
}

fn holds() -> Outcome {
    let lemma = LinearLemma {
        controls: Vec::new(),
        counters: vec![(CounterId(1), 1), (CounterId(2), 2)],
        bound: 1,
    };
    outcome(Verdict::Holds(Certificate {
        variant: Variant::AS_WRITTEN,
        scope: ThreadCount::Any,
        vocabulary: Vocabulary::CounterSystem,
        proof: Proof::Equation {
            support: Support { controls: vec![(CONTROL, vec![CounterId(0), CounterId(2)])] },
            refutations: vec![Refutation { lemma, traps: Vec::new() }],
        },
    }))
}

fn outcome(verdict: Verdict) -> Outcome {
    Outcome {
        verdict,
        engine: "cover".to_owned(),
        statistics: vec![("configurations stored".to_owned(), 4), ("a later one".to_owned(), 3)],
        notes: vec!["a remark".to_owned()],
    }
}

fn with_run<T>(outcome: &Outcome, effort: Option<Effort>, show: impl Fn(&Run<'_>) -> T) -> T {
    let system = mutex();
    let files = [SourceFile { name: "mutex.spec".to_owned(), text: "vars idle".to_owned() }];
    show(&Run {
        problem: Problem::Counters(&system),
        files: &files,
        threads: ThreadCount::Any,
        outcome,
        presumes: None,
        rechecked: true,
        effort,
        attempt: None,
        explanation: None,
    })
}

fn shown(outcome: &Outcome) -> String {
    with_run(outcome, None, |run| text::render(run, &TextStyle::default()))
}

#[test]
fn a_counterexample_of_a_net_shows_each_change() {
    insta::assert_snapshot!(shown(&violated()), @r"
    VIOLATED from 3 tokens in 3 steps

    property    never busy >= 2
    evidence    a run, replayed step by step
    engine      cover
    statistics  configurations stored 4, a later one 3
    note        a remark

    start  idle=2, lock=1
     step  transition  change
        1  leak        lock 1 -> 2
        2  enter       idle 2 -> 1, busy 0 -> 1, lock 2 -> 1
        3  enter       idle 1 -> 0, busy 1 -> 2, lock 1 -> 0
    end    busy=2
    error  busy >= 2
    ");
}

#[test]
fn a_proof_is_explained_by_its_inequality() {
    insta::assert_snapshot!(shown(&holds()), @r"
    HOLDS for every initial marking

    property    never busy >= 2
    proof       state equation: 1 linear fact, re-checked
    engine      cover
    statistics  configurations stored 4, a later one 3
    note        a remark

    A linear fact is true at the start, kept by every step, and false in every error:
      busy + 2 lock <= 1
    ");
}

#[test]
fn an_undecided_run_says_why() {
    let outcome = outcome(Verdict::Unknown(StopReason::TimeLimit));
    let first = shown(&outcome).lines().next().map(str::to_owned);
    assert_eq!(first.as_deref(), Some("UNKNOWN: time limit reached"));
}

#[test]
fn time_and_memory_appear_only_when_given() {
    let effort = Effort { elapsed: Duration::from_millis(1500), peak_memory: Some(3 << 20) };
    let text = with_run(&holds(), Some(effort), |run| text::render(run, &TextStyle::default()));
    assert!(text.contains("time        1.500 s\nmemory      3.0 MiB\n"), "{text}");
    assert!(!shown(&holds()).contains("time  "));
}

#[test]
fn a_long_counterexample_is_shortened_in_the_middle_unless_asked() {
    let mut long = violated();
    if let Verdict::Violated(Trace::Counters(trace)) = &mut long.verdict {
        let idle = trace.steps[0].clone();
        trace.steps.splice(1..1, std::iter::repeat_n(idle, 300));
    }
    let text = shown(&long);
    assert!(text.contains("183 steps left out; --full-trace shows them"), "{text}");
    let style = TextStyle { full_trace: true, ..TextStyle::default() };
    let full = with_run(&long, None, |run| text::render(run, &style));
    assert!(full.lines().count() > 303);
}

#[test]
fn results_and_certificates_are_read_back_as_they_were_written() {
    for outcome in [holds(), violated()] {
        let result = with_run(&outcome, None, |run| json::render(run, Evidence::Included));
        let saved = json::parse(&result).expect("a fresh result");
        assert_eq!(saved.verdict, outcome.verdict);
        assert_eq!(saved.inputs[0].0, "mutex.spec");
        let certificate = with_run(&outcome, None, json::render_certificate).expect("decided");
        assert_eq!(json::parse(&certificate).expect("fresh").verdict, outcome.verdict);
    }
}

#[test]
fn results_without_evidence_or_of_another_schema_are_refused() {
    let bare = with_run(&holds(), None, |run| json::render(run, Evidence::LeftOut));
    assert!(matches!(json::parse(&bare), Err(SavedError::NoEvidence(_))));
    let other = r#"{"schema": "threadproof-result/1"}"#;
    assert!(matches!(json::parse(other), Err(SavedError::Schema(_))));
    assert!(matches!(json::parse("[1,2"), Err(SavedError::Malformed(_))));
}

#[test]
fn a_net_is_drawn_with_places_transitions_and_arcs() {
    let picture = dot::render(Problem::Counters(&mutex()));
    assert!(picture.contains(r#"p0 [shape=circle, label="idle\n1.."];"#), "{picture}");
    assert!(picture.contains("p0 -> t0;") && picture.contains("t0 -> p1;"), "{picture}");
}

#[test]
fn a_mistake_is_shown_at_its_place() {
    let text = "vars a b\nrules\n  a >= 1 -> c' = 1;\n".to_owned();
    let files = [SourceFile { name: "bad.spec".to_owned(), text }];
    let diagnostic = Diagnostic::error("SP004", "`c` is not declared", Span::new(0, 27, 28))
        .at("used here")
        .label(Span::new(0, 0, 8), "declared are these")
        .help("add `c` to `vars`");
    insta::assert_snapshot!(snippet::render(&files, &diagnostic, false), @r"
    [SP004] Error: `c` is not declared
       ╭─[ bad.spec:3:13 ]
       │
     1 │ vars a b
       │ ────┬───
       │     ╰───── declared are these
       │
     3 │   a >= 1 -> c' = 1;
       │             ┬
       │             ╰── used here
       │
       │ Help: add `c` to `vars`
    ───╯
    ");
}

#[test]
fn odd_spans_and_huge_lines_are_shown_in_a_window() {
    let long = "é".repeat(350_000);
    let files = [
        SourceFile { name: "long".to_owned(), text: format!("{long}x{long}\n") },
        SourceFile { name: "empty".to_owned(), text: String::new() },
    ];
    let spans = [
        Span::new(0, 700_000, 700_001),
        Span::new(0, 699_999, 3),
        Span::new(0, 1_400_002, 1_400_009),
        Span::new(0, u32::MAX as usize, u32::MAX as usize),
        Span::new(1, 0, 0),
        Span::new(1, 5, 9),
        Span::new(7, 0, 1),
    ];
    for span in spans {
        for other in spans {
            let diagnostic = Diagnostic::error("XX001", "odd", span).label(other, "other");
            let text = snippet::render(&files, &diagnostic, false);
            assert!(text.contains("odd") && text.len() < 4000, "{} bytes", text.len());
        }
    }
    let in_the_middle = Diagnostic::error("XX001", "odd", spans[0]);
    for colour in [false, true] {
        let text = snippet::render(&files, &in_the_middle, colour);
        assert!(text.contains("long:1:350001"), "{text}");
    }
}

#[test]
fn positions_count_lines_and_characters_from_one() {
    assert_eq!(snippet::position("ab\ncdé", 0), (1, 1));
    assert_eq!(snippet::position("ab\ncdé", 5), (2, 3));
    assert_eq!(snippet::position("ab\n", 99), (2, 1));
}
