//! Conversions keep the verdict: small random models are searched before and after
//! by brute force, up to a number of tokens or threads.

use std::collections::BTreeSet;

use frontend::{Inputs, Language, Model, convert, load};
use model::{
    BroadcastId, CounterSystem, CounterTransition, Multiplicity, Problem, SourceFile, StepRef,
    Steps, Store, ThreadProgram,
};
use proptest::prelude::*;

fn read(texts: [Option<String>; 4], language: Language) -> Model {
    let mut files = Vec::new();
    let indices = texts.map(|text| {
        text.map(|text| {
            files.push(SourceFile { name: "text".to_owned(), text });
            files.len() - 1
        })
    });
    let [_, property, init, target] = indices;
    let (model, diagnostics) =
        load(&Inputs { property, init, target, ..Inputs::of(&files, language) });
    model.unwrap_or_else(|| panic!("{diagnostics:#?} {files:#?}"))
}

fn converted(model: &Model, to: Language) -> Option<Model> {
    let text = convert(model, to).ok()?;
    Some(read([Some(text.text), text.property, text.init, text.target], to))
}

/// Is a target reachable when at most `cap` tokens exist at any time?
fn net_reaches(system: &CounterSystem, cap: u32) -> bool {
    let mut seen: BTreeSet<(u32, Vec<u32>)> = BTreeSet::new();
    let mut todo = Vec::new();
    for zone in &system.initial {
        let mut starts = vec![vec![0u32; system.counter_names.len()]];
        for &(id, bounds) in &zone.bounds {
            starts = starts
                .into_iter()
                .flat_map(|start| {
                    (bounds.min..=bounds.max.unwrap_or(cap).min(cap)).map(move |n| {
                        let mut start = start.clone();
                        start[id.idx()] = n;
                        start
                    })
                })
                .filter(|start| start.iter().sum::<u32>() <= cap)
                .collect();
        }
        todo.extend(starts.into_iter().map(|start| (zone.control.0, start)));
    }
    while let Some((control, counts)) = todo.pop() {
        if counts.iter().sum::<u32>() > cap || !seen.insert((control, counts.clone())) {
            continue;
        }
        let inside = |target: &model::Target| {
            target.zone.control.0 == control
                && target.zone.bounds.iter().all(|(id, b)| b.contains(counts[id.idx()]))
        };
        if system.targets.iter().any(inside) {
            return true;
        }
        for transition in system.transitions.iter().filter(|one| one.from.0 == control) {
            todo.extend(fire(transition, &counts).map(|counts| (transition.to.0, counts)));
        }
    }
    false
}

/// Moves have at most one destination here.
fn fire(transition: &CounterTransition, counts: &[u32]) -> Option<Vec<u32>> {
    if !transition.guard.iter().all(|(id, bounds)| bounds.contains(counts[id.idx()])) {
        return None;
    }
    let mut after: Vec<i64> = counts.iter().map(|&n| i64::from(n)).collect();
    for one in &transition.moves {
        after[one.from.idx()] -= i64::from(counts[one.from.idx()]);
        if let Some(to) = one.to.first() {
            after[to.idx()] += i64::from(counts[one.from.idx()]);
        }
    }
    for &(id, n) in &transition.delta {
        after[id.idx()] += n;
    }
    after.into_iter().map(|n| u32::try_from(n).ok()).collect()
}

type ThreadState = (Store, Vec<Store>);

/// Is a target reachable from `extra[i]` threads of the i-th template without a
/// fixed number, with at most `cap` threads at any time?
fn threads_reach(program: &dyn ThreadProgram, extra: &[u32], cap: usize) -> bool {
    let mut locals = Vec::new();
    let mut extra = extra.iter().copied();
    for template in program.templates() {
        let n = match template.multiplicity {
            Multiplicity::Exactly(n) => n,
            Multiplicity::Any => extra.next().unwrap_or(0),
        };
        locals.extend((0..n).map(|_| template.initial[0].clone()));
    }
    let mut seen = BTreeSet::new();
    let mut todo = vec![(program.initial_shared()[0].clone(), locals)];
    let mut steps = Steps::new();
    while let Some((shared, mut locals)) = todo.pop() {
        locals.sort();
        if locals.len() > cap || !seen.insert((shared.clone(), locals.clone())) {
            continue;
        }
        if is_target(program, &shared, &locals) {
            return true;
        }
        for (idx, local) in locals.iter().enumerate() {
            steps.clear();
            program.steps(shared.bytes(), local.bytes(), &mut steps);
            let mut others = locals.clone();
            others.remove(idx);
            steps.iter().for_each(|step| apply(program, step, &others, &mut todo));
        }
        steps.clear();
        program.environment_steps(shared.bytes(), &mut steps);
        steps.iter().for_each(|step| apply(program, step, &locals, &mut todo));
    }
    false
}

fn is_target(program: &dyn ThreadProgram, shared: &Store, locals: &[Store]) -> bool {
    program.requirements().targets().iter().enumerate().any(|(target, shape)| {
        program.requirements().target_shared(target, shared.bytes())
            && shape.slots.iter().enumerate().all(|(slot, &wanted)| {
                let fits = |local: &&Store| {
                    program.requirements().target_local(target, slot, shared.bytes(), local.bytes())
                };
                locals.iter().filter(fits).count() >= wanted as usize
            })
    })
}

fn apply(
    program: &dyn ThreadProgram,
    step: StepRef<'_>,
    others: &[Store],
    todo: &mut Vec<ThreadState>,
) {
    let mut variants = vec![Vec::new()];
    for other in others {
        let choices = choices(program, step.broadcast(), other);
        variants = variants
            .into_iter()
            .flat_map(|variant: Vec<Store>| {
                choices.iter().map(move |choice| {
                    let mut variant = variant.clone();
                    variant.push(choice.clone());
                    variant
                })
            })
            .collect();
    }
    for mut locals in variants {
        locals.extend(step.local().into_iter().chain(step.spawned()).map(Store::new));
        todo.push((Store::new(step.shared()), locals));
    }
}

fn choices(
    program: &dyn ThreadProgram,
    broadcast: Option<BroadcastId>,
    local: &Store,
) -> Vec<Store> {
    let mut choices = Vec::new();
    if let Some(broadcast) = broadcast {
        program.passive(broadcast, local.bytes(), &mut choices);
    }
    if choices.is_empty() {
        choices.push(local.clone());
    }
    choices
}

/// Nets with transfers whose guards and targets ask for many tokens only.
fn net() -> impl Strategy<Value = String> {
    const VARS: [&str; 3] = ["a", "b", "c"];
    let flow = proptest::collection::vec((0..3usize, any::<bool>(), -1..2i64), 3);
    let guard = (0..3usize, 0..3u32).prop_map(|(var, n)| format!("{} >= {n}", VARS[var]));
    let rule = (guard.clone(), flow, any::<bool>()).prop_map(|(guard, flow, plain)| {
        let to = |from: usize| if plain || flow[from].1 { from } else { flow[from].0 };
        let effects: Vec<String> = (0..3)
            .map(|idx| {
                let sources: Vec<&str> =
                    (0..3).filter(|&from| to(from) == idx).map(|from| VARS[from]).collect();
                let n = if sources.is_empty() { flow[idx].2.abs() } else { flow[idx].2 };
                let sign = if n < 0 { "-" } else { "+" };
                match sources.is_empty() {
                    true => format!("{}' = {n}", VARS[idx]),
                    false => format!("{}' = {} {sign} {}", VARS[idx], sources.join("+"), n.abs()),
                }
            })
            .collect();
        format!("{guard} -> {};", effects.join(", "))
    });
    let rules = proptest::collection::vec(rule, 1..4);
    let init = prop_oneof![
        Just("a = 1, b = 0, c = 0"),
        Just("a >= 1, b = 0, c = 0"),
        Just("a in [0,2], b = 1, c = 0")
    ];
    let target = proptest::collection::vec(guard, 1..3);
    let targets = proptest::collection::vec(target.prop_map(|all| all.join(", ")), 1..3);
    (rules, init, targets).prop_map(|(rules, init, targets)| {
        format!(
            "vars a b c\nrules {}\ninit {init}\ntarget {}",
            rules.join("\n"),
            targets.join("\n")
        )
    })
}

/// Thread transition systems in which each thread knows where a broadcast sends it.
fn threads() -> impl Strategy<Value = String> {
    let arrow = prop_oneof![3 => Just("->"), 1 => Just("+>"), 1 => Just("~>")];
    let passive = proptest::collection::btree_map(0..3u32, 0..3u32, 0..3);
    let line = (0..2u32, 0..3u32, arrow, 0..2u32, 0..3u32, passive).prop_map(
        |(s, l, arrow, s2, l2, mut passive)| {
            if arrow == "~>" {
                passive.remove(&l);
            }
            let pairs: String = passive.iter().map(|(a, b)| format!(" {a} ~> {b}")).collect();
            format!("{s} {l} {arrow} {s2} {l2}{pairs}\n")
        },
    );
    (proptest::collection::vec(line, 1..6), proptest::collection::vec(0..3u32, 0..4)).prop_map(
        |(lines, locals)| {
            let locals: Vec<String> = locals.iter().map(u32::to_string).collect();
            format!("2 3\n{}1|{}\n", lines.concat(), locals.join(","))
        },
    )
}

fn counters(model: &Model) -> &CounterSystem {
    match model.problem() {
        Problem::Counters(system) => system,
        _ => panic!("a net is not threads"),
    }
}

fn program(model: &Model) -> &dyn ThreadProgram {
    match model.problem() {
        Problem::Threads(program) => program,
        _ => panic!("threads are not a net"),
    }
}

/// The pool comes last of all templates: its local state is numbered after places.
fn any_threads_reach(model: &Model, n_tokens: u32, n_pool: u32) -> bool {
    let program = program(model);
    let n_any = program.templates().iter().filter(|t| t.multiplicity == Multiplicity::Any).count();
    (0..=if n_any > 1 { n_tokens } else { 0 }).any(|n| {
        let mut extra = vec![n; n_any];
        extra[n_any - 1] = n_pool;
        threads_reach(program, &extra, 64)
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_net_as_threads_keeps_its_verdict(text in net()) {
        let net = read([Some(text), None, None, None], Language::Spec);
        let threads = converted(&net, Language::Tts).expect("it asks for many tokens only");
        if net_reaches(counters(&net), 4) {
            prop_assert!(any_threads_reach(&threads, 3, 6));
        }
        if any_threads_reach(&threads, 2, 2) {
            prop_assert!(net_reaches(counters(&net), 8));
        }
    }

    #[test]
    fn a_plain_net_as_pnml_keeps_its_verdict(text in net()) {
        let net = read([Some(text), None, None, None], Language::Spec);
        if let Some(pnml) = converted(&net, Language::Pnml) {
            if net_reaches(counters(&net), 4) {
                prop_assert!(net_reaches(counters(&pnml), 8));
            }
            if net_reaches(counters(&pnml), 4) {
                prop_assert!(net_reaches(counters(&net), 8));
            }
            let spec = converted(&pnml, Language::Spec).expect("a plain net");
            for cap in 0..5 {
                prop_assert_eq!(
                    net_reaches(counters(&pnml), cap),
                    net_reaches(counters(&spec), cap)
                );
            }
        }
    }

    #[test]
    fn threads_as_a_net_keep_their_verdict(text in threads()) {
        let threads = read([Some(text), None, None, None], Language::Tts);
        let net = converted(&threads, Language::Spec).expect("broadcasts without choice");
        for cap in 0..5 {
            let by_threads =
                (0..=cap).any(|n| threads_reach(program(&threads), &[n], cap as usize));
            // One more token marks the shared state.
            prop_assert_eq!(by_threads, net_reaches(counters(&net), cap + 1));
        }
    }
}
