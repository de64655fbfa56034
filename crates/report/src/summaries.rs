//! Explains a proof by summaries of calls: what a thread may do to the shared variables.

use model::{ExposedClass, GuaranteePair, Problem, PushdownProgram, Summaries, ThreadProgram};

use crate::layout::counted;

/// Changes that are listed; the rest is counted.
const MAX_CHANGES: usize = 12;

/// A sentence, and the guarantee line by line.
pub(crate) fn explain(problem: Problem<'_>, summaries: &Summaries) -> (String, Vec<String>) {
    let Problem::Threads(program) = problem else { return (sentence(summaries), Vec::new()) };
    let mut lines: Vec<String> = Vec::new();
    for pair in &summaries.guarantee {
        if let Some(line) = change(program, summaries, pair)
            && !lines.contains(&line)
        {
            lines.push(line);
        }
    }
    let n_more = lines.len().saturating_sub(MAX_CHANGES);
    lines.truncate(MAX_CHANGES);
    if n_more > 0 {
        lines.push(format!("… and {n_more} more"));
    }
    (sentence(summaries), lines)
}

fn sentence(summaries: &Summaries) -> String {
    let then = match summaries.guarantee.is_empty() {
        true => "no thread changes a shared variable.",
        false => "a thread may do this to the shared variables:",
    };
    format!(
        "{} of what a call can come to, whatever other threads do of what they may, leave no \
         error; {then}",
        counted(summaries.edges.len(), "summary").replace("summarys", "summaries")
    )
}

/// `x=0 y=1: y=0`, and who alone does so.
fn change(program: &dyn ThreadProgram, all: &Summaries, pair: &GuaranteePair) -> Option<String> {
    let store = |world: u32| {
        let world = all.worlds.get(world as usize)?;
        Some(all.shared.get(world.shared as usize)?.bytes())
    };
    let (before, after) = (store(pair.from)?, store(pair.to)?);
    if before == after {
        return None;
    }
    let narrator = program.narrator();
    let then =
        narrator.describe_change(before, after).unwrap_or_else(|| narrator.describe_shared(after));
    let who: Vec<String> = (all.exposed.iter().zip(&pair.members))
        .filter(|(_, is_member)| **is_member)
        .filter_map(|(class, _)| Some(class_words(program.pushdown()?, class)))
        .collect();
    let who = if who.is_empty() { String::new() } else { format!("   ({})", who.join(", ")) };
    Some(format!("{} -> {then}{who}", narrator.describe_shared(before)))
}

fn class_words(program: &dyn PushdownProgram, class: &ExposedClass) -> String {
    match *class {
        ExposedClass::Took { variable } => format!("took {}", program.variable_name(variable)),
        ExposedClass::Started { root } => format!("started with {}", program.root_name(root)),
        ExposedClass::At { location } => format!("at {}", program.location_name(location)),
    }
}
