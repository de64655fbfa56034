//! What a proof by views of threads says of interference: for each kind of thread, what it
//! may do to the shared store, by the step that does it. In the words of thread-modular
//! checking, the inferred guarantee.

use std::collections::BTreeMap;

use model::{
    Certificate, ControlId, CounterId, Problem, Proof, SourceFile, Span, Steps, Store,
    ThreadProgram, ThreadRuns, ThreadViews, Vocabulary,
};

use crate::layout::{clip, counted};

/// Steps that are listed, and changes of the shared store of each.
const MAX_STEPS: usize = 40;
const MAX_CHANGES: usize = 6;

/// The guarantee of a proof, if it is one by views of threads.
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
    let (Proof::ThreadModular(views), Vocabulary::Threads { shared, local }) =
        (&certificate.proof, &certificate.vocabulary)
    else {
        return String::new();
    };
    let mut out = "\nguarantee: what threads may do to the shared store\n".to_owned();
    for (kind, locals) in members(views) {
        let lines = lines((program, files), (shared, local), &locals);
        out.push_str(&format!("  {}\n", kind_words(program, kind)));
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

/// One line for each step that changes the shared store: its place in the input, and the
/// changes.
fn lines(
    (program, files): (&dyn ThreadProgram, &[SourceFile]),
    (shared, local): (&[Store], &[Store]),
    members: &[(ControlId, CounterId)],
) -> Vec<String> {
    let narrator = program.narrator();
    let mut changes: BTreeMap<(usize, String), Vec<String>> = BTreeMap::new();
    let mut steps = Steps::new();
    for &(control, counter) in members {
        let (Some(before), Some(own)) = (shared.get(control.idx()), local.get(counter.idx()))
        else {
            continue;
        };
        steps.clear();
        program.steps(before.bytes(), own.bytes(), &mut steps);
        for step in steps.iter().filter(|step| step.shared() != before.bytes()) {
            let label = narrator.label(step.label());
            let change = narrator.describe_change(before.bytes(), step.shared());
            let change = change.unwrap_or_else(|| {
                let (from, to) = (before.bytes(), step.shared());
                format!("{} -> {}", narrator.describe_shared(from), narrator.describe_shared(to))
            });
            let start = label.span.and_then(|span| line_of(files, span)).unwrap_or(usize::MAX);
            let of_step = changes.entry((start, label.text)).or_default();
            if !of_step.contains(&change) {
                of_step.push(change);
            }
        }
    }
    let told = changes.into_iter().map(|((start, text), changes)| match start {
        usize::MAX => line(&text, &changes),
        start => format!("line {start}: {}", line(&text, &changes)),
    });
    told.collect()
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
