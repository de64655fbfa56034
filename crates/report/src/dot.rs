//! Pictures of a model in Graphviz' language.
//!
//! A counter system is drawn as a net: places as circles with their initial
//! tokens, transitions as boxes, transfers dashed. A thread program is drawn as
//! the graph of its thread states, explored from the initial ones up to a cap.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;

use model::{
    Bounds, CounterId, CounterSystem, CounterTransition, Narrator, Problem, Steps, Store,
    ThreadProgram,
};

use crate::layout::plain;
use crate::names::{Names, bounds_text, local_name, shared_name};

/// Thread states drawn at most: larger pictures cannot be read, and laying them
/// out takes Graphviz hours.
pub const MAX_THREAD_STATES: usize = 2000;
/// Combinations of a shared and a local store that wait to be looked at.
const MAX_QUEUE: usize = 1_000_000;

/// The picture of a problem.
pub fn render(problem: Problem<'_>) -> String {
    match problem {
        Problem::Counters(system) => net(system),
        Problem::Threads(program) => thread_states(program),
        Problem::ThreadRuns(runs) => thread_states(runs.program),
        // Reachable states are too many to draw, and rules have no shape.
        Problem::States(_) | Problem::Parameterized(_) => String::from("digraph model {\n}\n"),
    }
}

fn net(system: &CounterSystem) -> String {
    let mut out = String::from("digraph net {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n");
    let names = Names::of_system(system);
    for (idx, _) in system.counter_names.iter().enumerate() {
        let counter = CounterId(idx as u32);
        let tokens = initial_tokens(system, counter);
        let label = format!("{}{tokens}", names.counter(counter));
        line(&mut out, &format!("p{idx} [shape=circle, label={}];", quoted(&label)));
    }
    if system.control_names.len() > 1 {
        for (idx, name) in system.control_names.iter().enumerate() {
            let label = quoted(&plain(name));
            line(&mut out, &format!("c{idx} [shape=doublecircle, label={label}];"));
        }
    }
    for (idx, transition) in system.transitions.iter().enumerate() {
        draw_transition(&mut out, system, idx, transition);
    }
    for target in &system.targets {
        line(&mut out, &format!("// never: {}", names.zone(&target.zone)));
    }
    out.push_str("}\n");
    out
}

fn initial_tokens(system: &CounterSystem, counter: CounterId) -> String {
    let mut words: Vec<String> = Vec::new();
    for zone in &system.initial {
        let bounds = zone.bounds.iter().find(|(id, _)| *id == counter).map(|(_, bounds)| *bounds);
        let text = match bounds {
            None | Some(Bounds { min: 0, max: Some(0) }) => continue,
            Some(Bounds { min, max: None }) => format!("{min}.."),
            Some(Bounds { min, max: Some(max) }) if min == max => min.to_string(),
            Some(Bounds { min, max: Some(max) }) => format!("{min}..{max}"),
        };
        words.push(text);
    }
    words.dedup();
    if words.is_empty() { String::new() } else { format!("\n{}", words.join(" or ")) }
}

fn draw_transition(
    out: &mut String,
    system: &CounterSystem,
    idx: usize,
    transition: &CounterTransition,
) {
    let names = Names::of_system(system);
    let tests: Vec<String> = transition
        .guard
        .iter()
        .filter(|(_, bounds)| bounds.max.is_some())
        .map(|(counter, bounds)| bounds_text(&names.counter(*counter), *bounds))
        .collect();
    let mut label = plain(&transition.name);
    for test in tests {
        let _ = write!(label, "\n[{test}]");
    }
    line(out, &format!("t{idx} [shape=box, label={}];", quoted(&label)));
    if system.control_names.len() > 1 {
        line(out, &format!("c{} -> t{idx} [color=gray];", transition.from.0));
        line(out, &format!("t{idx} -> c{} [color=gray];", transition.to.0));
    }
    for (counter, taken, given) in arcs(transition) {
        if taken > 0 {
            line(out, &format!("p{} -> t{idx}{};", counter.0, weight(taken)));
        }
        if given > 0 {
            line(out, &format!("t{idx} -> p{}{};", counter.0, weight(given)));
        }
    }
    for moved in &transition.moves {
        line(out, &format!("p{} -> t{idx} [style=dashed];", moved.from.0));
        for to in &moved.to {
            line(out, &format!("t{idx} -> p{} [style=dashed];", to.0));
        }
    }
}

/// What a transition takes from and gives to each counter, as a net shows it.
fn arcs(transition: &CounterTransition) -> Vec<(CounterId, i64, i64)> {
    let mut arcs: BTreeMap<CounterId, (i64, i64)> = BTreeMap::new();
    for (counter, bounds) in &transition.guard {
        arcs.entry(*counter).or_default().0 = i64::from(bounds.min);
    }
    for (counter, delta) in &transition.delta {
        let is_moved = transition.moves.iter().any(|moved| moved.from == *counter);
        let entry = arcs.entry(*counter).or_default();
        let taken = if is_moved { 0 } else { entry.0.max(delta.saturating_neg()) };
        entry.0 = entry.0.max(taken);
        entry.1 = *delta;
    }
    arcs.into_iter()
        .map(|(counter, (taken, delta))| {
            let is_moved = transition.moves.iter().any(|moved| moved.from == counter);
            let kept = if is_moved { 0 } else { taken };
            (counter, taken, kept.saturating_add(delta).max(0))
        })
        .collect()
}

fn weight(n: i64) -> String {
    if n == 1 { String::new() } else { format!(" [label=\"{n}\"]") }
}

/// What has been seen of a thread program. Every shared store seen is combined
/// with every local store seen: more than is reachable, and all that other
/// threads can bring about.
#[derive(Default)]
struct Explored {
    shared: Vec<Store>,
    local: Vec<Store>,
    queue: VecDeque<(usize, usize)>,
    /// Numbers of the drawn thread states.
    drawn: BTreeMap<(usize, usize), usize>,
    is_cut: bool,
}

impl Explored {
    fn see_shared(&mut self, store: &[u8]) -> usize {
        if let Some(idx) = self.shared.iter().position(|seen| seen.bytes() == store) {
            return idx;
        }
        self.shared.push(Store::new(store));
        let idx = self.shared.len() - 1;
        (0..self.local.len()).for_each(|local| self.enqueue(idx, local));
        idx
    }

    fn see_local(&mut self, store: &[u8]) -> usize {
        if let Some(idx) = self.local.iter().position(|seen| seen.bytes() == store) {
            return idx;
        }
        self.local.push(Store::new(store));
        let idx = self.local.len() - 1;
        (0..self.shared.len()).for_each(|shared| self.enqueue(shared, idx));
        idx
    }

    fn enqueue(&mut self, shared: usize, local: usize) {
        if self.queue.len() < MAX_QUEUE {
            self.queue.push_back((shared, local))
        } else {
            self.is_cut = true
        }
    }

    /// The number of a drawn state; `None` when the picture is full.
    fn draw(&mut self, state: (usize, usize)) -> Option<usize> {
        let next = self.drawn.len();
        if next >= MAX_THREAD_STATES && !self.drawn.contains_key(&state) {
            self.is_cut = true;
            return None;
        }
        Some(*self.drawn.entry(state).or_insert(next))
    }
}

fn thread_states(program: &dyn ThreadProgram) -> String {
    let mut out = String::from("digraph threads {\n  node [fontname=\"sans-serif\", shape=box];\n");
    let mut explored = Explored::default();
    for shared in program.initial_shared() {
        let shared = explored.see_shared(shared.bytes());
        for initial in program.templates().iter().flat_map(|template| &template.initial) {
            let local = explored.see_local(initial.bytes());
            explored.draw((shared, local));
        }
    }
    let n_initial = explored.drawn.len();
    let mut edges = String::new();
    let mut steps = Steps::new();
    while let Some(state) = explored.queue.pop_front() {
        if explored.drawn.len() >= MAX_THREAD_STATES {
            explored.is_cut = true;
            break;
        }
        steps.clear();
        let (shared, local) = (&explored.shared[state.0], &explored.local[state.1]);
        program.steps(shared.bytes(), local.bytes(), &mut steps);
        draw_steps(program.narrator(), &steps, state, &mut explored, &mut edges);
    }
    let mut states: Vec<_> =
        explored.drawn.iter().map(|(state, number)| (*number, *state)).collect();
    states.sort_unstable();
    for (number, (shared, local)) in states {
        let shared = shared_name(program.narrator(), &explored.shared[shared]);
        let label =
            format!("{shared} | {}", local_name(program.narrator(), &explored.local[local]));
        let bold = if number < n_initial { ", style=bold" } else { "" };
        line(&mut out, &format!("s{number} [label={}{bold}];", quoted(&label)));
    }
    out.push_str(&edges);
    if explored.is_cut {
        line(&mut out, &format!("// cut at {MAX_THREAD_STATES} thread states"));
    }
    out.push_str("}\n");
    out
}

/// The edges of one thread state: solid for the thread itself, dashed for the
/// threads it starts.
fn draw_steps(
    narrator: &dyn Narrator,
    steps: &Steps,
    state: (usize, usize),
    explored: &mut Explored,
    edges: &mut String,
) {
    for step in steps.iter() {
        let shared = explored.see_shared(step.shared());
        let label = quoted(&plain(&narrator.label(step.label()).text));
        let Some(from) = explored.draw(state) else { return };
        if let Some(local) = step.local() {
            let local = explored.see_local(local);
            if let Some(to) = explored.draw((shared, local)) {
                line(edges, &format!("s{from} -> s{to} [label={label}];"));
            }
        }
        for local in step.spawned() {
            let local = explored.see_local(local);
            if let Some(to) = explored.draw((shared, local)) {
                line(edges, &format!("s{from} -> s{to} [style=dashed, label=\"starts\"];"));
            }
        }
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str("  ");
    out.push_str(text);
    out.push('\n');
}

fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}
