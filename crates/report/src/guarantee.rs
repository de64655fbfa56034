//! What a proof thread by thread says of interference: for each kind of thread, what it
//! may do to the shared store, by the step that does it. In the words of thread-modular
//! checking, the inferred guarantee.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    Certificate, ControlId, CounterId, LabelId, Problem, Proof, PushdownStep, PushdownSteps,
    SourceFile, Span, StackChange, Steps, Store, Summaries, ThreadProgram, ThreadRuns, ThreadViews,
    Vocabulary,
};

use crate::layout::{clip, counted};

/// Steps that are listed, and changes of the shared store of each.
const MAX_STEPS: usize = 40;
const MAX_CHANGES: usize = 6;

/// Changes that no single step of a procedure makes.
const OTHER: &str = "as the result of a call, or as an atomic section";

/// The guarantee of a proof, if it is one by views of threads or by summaries of calls.
pub(crate) fn render(
    problem: Problem<'_>,
    certificate: &Certificate,
    files: &[SourceFile],
    width: usize,
) -> String {
    let (Problem::Threads(program) | Problem::ThreadRuns(ThreadRuns { program, .. })) = problem
    else {
        return String::new();
    };
    let all = match (&certificate.proof, &certificate.vocabulary) {
        (Proof::ThreadModular(views), Vocabulary::Threads { shared, local }) => members(views)
            .into_iter()
            .map(|(kind, locals)| {
                let deeds = deeds_of_views((program, files), (shared, local), &locals);
                (kind_words(program, kind), deeds)
            })
            .collect(),
        (Proof::Summaries(summaries), _) => deeds_of_summaries((program, files), summaries),
        _ => return String::new(),
    };
    let mut out = "\nguarantee: what threads may do to the shared store\n".to_owned();
    for (who, deeds) in all {
        let lines = deeds.lines();
        out.push_str(&format!("  {who}\n"));
        if lines.is_empty() {
            out.push_str("    nothing\n");
        }
        for line in lines.iter().take(MAX_STEPS) {
            out.push_str(&format!("    {}\n", clip(line, width.saturating_sub(4))));
        }
        if lines.len() > MAX_STEPS {
            out.push_str(&format!("    … and {} more\n", lines.len() - MAX_STEPS));
        }
    }
    out
}

fn kind_words(program: &dyn ThreadProgram, kind: Option<u32>) -> String {
    let template = kind.and_then(|kind| program.templates().get(kind as usize));
    match template {
        Some(template) => format!("a thread of `{}`", template.name),
        None => "a thread".to_owned(),
    }
}

/// By kind, the pairs of a shared store and a local one that views show.
fn members(views: &ThreadViews) -> BTreeMap<Option<u32>, Vec<(ControlId, CounterId)>> {
    let mut all: BTreeMap<Option<u32>, Vec<(ControlId, CounterId)>> = BTreeMap::new();
    for store in &views.stores {
        for member in store.views.iter().flatten() {
            all.entry(member.0).or_default().push((store.shared, member.1));
        }
    }
    for pairs in all.values_mut() {
        pairs.sort_unstable();
        pairs.dedup();
    }
    all
}

/// The changes of the shared store that each step makes, by its place in the input.
#[derive(Default)]
struct Deeds(BTreeMap<(usize, String), Vec<String>>);

impl Deeds {
    fn add(
        &mut self,
        (program, files): (&dyn ThreadProgram, &[SourceFile]),
        label: LabelId,
        (before, after): (&[u8], &[u8]),
    ) {
        let label = program.narrator().label(label);
        let start = label.span.and_then(|span| line_of(files, span)).unwrap_or(usize::MAX);
        self.add_change(program, (start, label.text), (before, after));
    }

    fn add_change(
        &mut self,
        program: &dyn ThreadProgram,
        step: (usize, String),
        (before, after): (&[u8], &[u8]),
    ) {
        if before == after {
            return;
        }
        let narrator = program.narrator();
        let change = narrator.describe_change(before, after).unwrap_or_else(|| {
            format!("{} -> {}", narrator.describe_shared(before), narrator.describe_shared(after))
        });
        let of_step = self.0.entry(step).or_default();
        if !of_step.contains(&change) {
            of_step.push(change);
        }
    }

    /// One line for each step.
    fn lines(&self) -> Vec<String> {
        let told = self.0.iter().map(|((start, text), changes)| match *start {
            usize::MAX => line(text, changes),
            start => format!("line {start}: {}", line(text, changes)),
        });
        told.collect()
    }
}

/// What threads do that views show in these pairs of stores.
fn deeds_of_views(
    (program, files): (&dyn ThreadProgram, &[SourceFile]),
    (shared, local): (&[Store], &[Store]),
    members: &[(ControlId, CounterId)],
) -> Deeds {
    let mut deeds = Deeds::default();
    let mut steps = Steps::new();
    for &(control, counter) in members {
        let (Some(before), Some(own)) = (shared.get(control.idx()), local.get(counter.idx()))
        else {
            continue;
        };
        steps.clear();
        program.steps(before.bytes(), own.bytes(), &mut steps);
        for step in steps.iter() {
            deeds.add((program, files), step.label(), (before.bytes(), step.shared()));
        }
    }
    deeds
}

/// What threads with stacks do, by the procedure that they started with. What others see is
/// the guarantee: an atomic section is one change of it, and which results a call returns to
/// shared variables is not said by the place of the return alone.
fn deeds_of_summaries(
    (program, files): (&dyn ThreadProgram, &[SourceFile]),
    summaries: &Summaries,
) -> Vec<(String, Deeds)> {
    let Some(stacks) = program.pushdown() else { return Vec::new() };
    let mut all: BTreeMap<String, Deeds> = BTreeMap::new();
    let mut told: BTreeSet<(&Store, Store)> = BTreeSet::new();
    let mut steps = PushdownSteps::default();
    for edge in &summaries.edges {
        let world = summaries.worlds.get(edge.world as usize);
        let before = world.and_then(|world| summaries.shared.get(world.shared as usize));
        let view = summaries.views.get(edge.view as usize);
        let top = view.and_then(|view| summaries.tops.get(view.top as usize));
        let (Some(before), Some(top)) = (before, top) else { continue };
        if stacks.is_atomic(top.bytes()) {
            continue;
        }
        let who =
            format!("a thread that started with {}", stacks.root_name(stacks.root(top.bytes())));
        let deeds = all.entry(who).or_default();
        steps.clear();
        stacks.steps(before.bytes(), top.bytes(), &mut steps);
        let is_alone = |step: &&PushdownStep| match &step.end {
            StackChange::Top(top) | StackChange::Call { top, .. } => !stacks.is_atomic(top.bytes()),
            StackChange::Ended => true,
        };
        let seen = steps.steps.iter().filter(|step| step.violation.is_none());
        for step in seen.filter(is_alone) {
            deeds.add((program, files), step.label, (before.bytes(), step.shared.bytes()));
            told.insert((before, step.shared.clone()));
        }
    }
    let store =
        |world: u32| summaries.shared.get(summaries.worlds.get(world as usize)?.shared as usize);
    let mut rest = Deeds::default();
    for pair in &summaries.guarantee {
        let (Some(before), Some(after)) = (store(pair.from), store(pair.to)) else { continue };
        if !told.contains(&(before, after.clone())) {
            rest.add_change(
                program,
                (usize::MAX, OTHER.to_owned()),
                (before.bytes(), after.bytes()),
            );
        }
    }
    if !rest.0.is_empty() {
        all.insert("a thread".to_owned(), rest);
    }
    all.into_iter().collect()
}

/// The line in which a span begins, counted from one.
fn line_of(files: &[SourceFile], span: Span) -> Option<usize> {
    let text = files.get(span.file as usize)?.text.as_bytes();
    let before = text.get(..span.start as usize)?;
    Some(1 + before.iter().filter(|&&byte| byte == b'\n').count())
}

fn line(text: &str, changes: &[String]) -> String {
    let shown = changes.iter().take(MAX_CHANGES).map(String::as_str).collect::<Vec<_>>().join("; ");
    let n_more = changes.len().saturating_sub(MAX_CHANGES);
    let more = (n_more > 0).then(|| format!("; and {}", counted(n_more, "other change")));
    format!("{text}: {shown}{}", more.unwrap_or_default())
}
