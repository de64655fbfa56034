//! Shows a run of a transition system: per step the rule with its parameters and
//! only what it changes, then the whole last state and what is wrong with it.

use model::{
    Deadlock, Ending, FaultPlace, Field, PropertyKind, SourceFile, StateProblem, StateTrace, Store,
    TransitionSystem,
};

use crate::layout::{clip, counted, pad, paragraph, plain};
use crate::snippet;
use crate::text::TextStyle;

/// Longer runs are shown by their first and last steps.
const MAX_STEPS: usize = 120;
/// Steps shown at the start of a run that is too long.
const FIRST_STEPS: usize = 40;
/// Steps shown at its end.
const LAST_STEPS: usize = 60;
/// Fields shown of a whole state; the rest is counted.
const MAX_FIELDS: usize = 400;

/// The run, with an empty line before it.
pub(crate) fn render(
    problem: &StateProblem<'_>,
    trace: &StateTrace,
    files: &[SourceFile],
    style: &TextStyle,
) -> String {
    let mut out = String::from("\n");
    let teller = StateTable { problem, trace, files, style };
    teller.start(&mut out);
    let n_steps = trace.steps.len();
    let is_long = n_steps > MAX_STEPS && !style.full_trace;
    let mut before = trace.start.as_ref().map(|start| teller.fields(&start.state));
    for (idx, step) in trace.steps.iter().enumerate() {
        let fields = teller.fields(&step.state);
        if is_long && idx == FIRST_STEPS {
            let n_hidden = n_steps - FIRST_STEPS - LAST_STEPS;
            out.push_str(&format!("  … {} (--full-trace shows them)\n", counted(n_hidden, "step")));
        }
        if !is_long || idx < FIRST_STEPS || idx >= n_steps - LAST_STEPS {
            teller.step(&mut out, idx, before.as_deref().unwrap_or(&[]), &fields);
        }
        before = Some(fields);
    }
    teller.end(&mut out, before.as_deref());
    out
}

/// One line per step, for programs.
pub(crate) fn step_lines(problem: &StateProblem<'_>, trace: &StateTrace) -> Vec<String> {
    let system = problem.system;
    let mut lines = Vec::new();
    let mut before = match &trace.start {
        Some(start) => {
            lines.push(plain(&system.choice_label(start.choice, true).with_parameters()));
            described(system, &start.state)
        }
        None => Vec::new(),
    };
    for step in &trace.steps {
        let after = described(system, &step.state);
        let name = plain(&system.choice_label(step.choice, false).with_parameters());
        let changes: Vec<String> = changes(&before, &after)
            .iter()
            .map(|change| format!("{} := {}", change.name, change.after))
            .collect();
        lines.push(format!("{name}: {}", changes.join(", ")));
        before = after;
    }
    lines
}

/// What is wrong at the end of the run, as a sentence without a full stop.
pub(crate) fn ending_words(problem: &StateProblem<'_>, ending: &Ending) -> String {
    let name = |idx: u32| {
        let property = problem.system.properties().get(idx as usize);
        property.map_or_else(|| format!("property {idx}"), |property| plain(&property.name))
    };
    match ending {
        Ending::Invariant(idx) => format!("invariant `{}` is false", name(*idx)),
        Ending::Fault { place, fault } => {
            format!("{}{}", plain(&fault.message), place_words(problem, *place))
        }
        Ending::Deadlock(Deadlock::Stuck) => "deadlock: no rule is enabled".to_owned(),
        Ending::Deadlock(_) => "deadlock: no step leads to another state".to_owned(),
        Ending::Stranded(idx) => {
            format!("from here on, `{}` can never become true", name(*idx))
        }
        Ending::Uncovered(idx) if is_statement(problem, *idx) => {
            format!("no evaluation reaches `{}`", name(*idx))
        }
        Ending::Uncovered(idx) => format!("no reachable state has `{}`", name(*idx)),
        Ending::Lasso { .. } => "a run that goes on for ever violates the formula".to_owned(),
    }
}

fn is_statement(problem: &StateProblem<'_>, idx: u32) -> bool {
    let property = problem.system.properties().get(idx as usize);
    property.is_some_and(|property| property.kind == PropertyKind::CoverStatement)
}

fn place_words(problem: &StateProblem<'_>, place: FaultPlace) -> String {
    let system = problem.system;
    let rule = |choice, initial| plain(&system.choice_label(choice, initial).with_parameters());
    match place {
        FaultPlace::Start(choice) => format!(", in start state `{}`", rule(choice, true)),
        FaultPlace::Step(choice) => format!(", in rule `{}`", rule(choice, false)),
        FaultPlace::Property(idx) => {
            let property = system.properties().get(idx as usize);
            let name = property.map_or_else(String::new, |property| plain(&property.name));
            format!(", in property `{name}`")
        }
        FaultPlace::Proposition => ", in a proposition of the formula".to_owned(),
    }
}

/// What a step does to a field.
struct FieldChange<'a> {
    name: &'a str,
    before: &'a str,
    after: &'a str,
}

/// The fields that differ. A field that is on one side alone (an element of a
/// multiset) has nothing on the other.
fn changes<'a>(before: &'a [Field], after: &'a [Field]) -> Vec<FieldChange<'a>> {
    let old = |name: &str, at: usize| {
        // Fields mostly keep their place.
        let near = before.get(at).filter(|field| field.name == name);
        near.or_else(|| before.iter().find(|field| field.name == name))
    };
    let mut found = Vec::new();
    for (idx, field) in after.iter().enumerate() {
        let before = old(&field.name, idx).map_or("", |field| field.value.as_str());
        if before != field.value {
            found.push(FieldChange { name: &field.name, before, after: &field.value });
        }
    }
    let gone = before.iter().filter(|field| !after.iter().any(|other| other.name == field.name));
    found.extend(gone.map(|field| FieldChange {
        name: &field.name,
        before: &field.value,
        after: "",
    }));
    found
}

/// The variables of a state; none if it is not one of this system.
pub(crate) fn described(system: &dyn TransitionSystem, state: &Store) -> Vec<Field> {
    let words = state.to_words().filter(|words| words.len() == system.state_words());
    words.map_or_else(Vec::new, |words| system.describe(&words))
}

struct StateTable<'a> {
    problem: &'a StateProblem<'a>,
    trace: &'a StateTrace,
    files: &'a [SourceFile],
    style: &'a TextStyle,
}

impl StateTable<'_> {
    fn fields(&self, state: &Store) -> Vec<Field> {
        described(self.problem.system, state)
    }

    fn start(&self, out: &mut String) {
        let Some(start) = &self.trace.start else { return };
        let label = self.problem.system.choice_label(start.choice, true);
        out.push_str(&format!("start  {}\n", plain(&label.with_parameters())));
        let fields = self.fields(&start.state);
        let defined = fields.iter().filter(|field| field.value != "undefined");
        self.listing(out, &defined.collect::<Vec<_>>());
    }

    fn step(&self, out: &mut String, idx: usize, before: &[Field], after: &[Field]) {
        if self.trace.ending == (Ending::Lasso { loop_start: idx }) {
            out.push_str("the loop, repeated for ever:\n");
        }
        let label = self.problem.system.choice_label(self.trace.steps[idx].choice, false);
        let number = pad(&(idx + 1).to_string(), 5);
        let name = plain(&label.with_parameters());
        out.push_str(&paragraph(&format!("{number}  "), 7, &name, self.style.width));
        let changes = changes(before, after);
        let width = changes.iter().map(|change| change.name.chars().count()).max().unwrap_or(0);
        for change in &changes {
            let name = pad(&plain(change.name), width);
            let line = match (change.before, change.after) {
                ("", after) => format!("{name}  is new: {}", plain(after)),
                (before, "") => format!("{name}  is gone: {}", plain(before)),
                (before, after) => format!("{name}  {} -> {}", plain(before), plain(after)),
            };
            out.push_str(&format!("         {line}\n"));
        }
        if changes.is_empty() {
            out.push_str("         (nothing changes)\n");
        }
    }

    fn end(&self, out: &mut String, last: Option<&[Field]>) {
        let n_steps = self.trace.steps.len();
        if self.trace.ending == (Ending::Lasso { loop_start: n_steps }) {
            out.push_str("the run ends here: its last state stays for ever\n");
        }
        let words = ending_words(self.problem, &self.trace.ending);
        out.push_str(&paragraph("error  ", 7, &words, self.style.width));
        if let Some(place) = self.place() {
            out.push_str(&format!("at     {}\n", clip(&place, self.style.width.max(20) - 7)));
        }
        if let Some(last) = last.filter(|_| n_steps > 0) {
            out.push_str("\nThe last state:\n");
            self.listing(out, &last.iter().collect::<Vec<_>>());
        }
    }

    /// Where in the input the error lies, with its line: `a.m:3:5: assert x = 1`.
    fn place(&self) -> Option<String> {
        let span = match &self.trace.ending {
            Ending::Fault { fault, .. } => fault.span,
            Ending::Invariant(idx) | Ending::Stranded(idx) | Ending::Uncovered(idx) => {
                self.problem.system.properties().get(*idx as usize)?.span
            }
            Ending::Deadlock(_) | Ending::Lasso { .. } => None,
        }?;
        let file = self.files.get(span.file as usize)?;
        let (line, column) = snippet::position(&file.text, span.start as usize);
        let text = file.text.lines().nth(line - 1).unwrap_or("").trim();
        Some(format!("{}:{line}:{column}: {}", plain(&file.name), plain(text)))
    }

    fn listing(&self, out: &mut String, fields: &[&Field]) {
        let shown = if self.style.full_trace { fields.len() } else { MAX_FIELDS };
        let width = fields.iter().map(|field| field.name.chars().count()).max().unwrap_or(0);
        for field in fields.iter().take(shown) {
            let name = pad(&plain(&field.name), width.min(60));
            out.push_str(&format!("         {name}  {}\n", plain(&field.value)));
        }
        if fields.len() > shown {
            out.push_str(&format!("         … and {} more\n", fields.len() - shown));
        }
    }
}
