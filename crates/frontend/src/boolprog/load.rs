//! Text to program: all stations one after the other.

use model::{Diagnostic, Span};

use super::code::Code;
use super::flow::Summaries;
use super::program::BooleanProgram;
use super::reduce::{Reductions, reduce};
use super::stacks::{self, Stacks};
use super::{flow, parse, resolve};
use crate::sink::Sink;
use crate::source::Source;

/// Reads a program; `None` only after an error.
pub(crate) fn load(
    source: Source<'_>,
    reductions: Reductions,
    sink: &mut Sink,
) -> Option<BooleanProgram> {
    let program = parse::parse(source, sink);
    if sink.n_errors() > 0 {
        return None;
    }
    let code = resolve::resolve(&program, source, sink)?;
    let starts = line_starts(source.text);
    let line = |span: Span| starts.partition_point(|&start| start <= span.start);
    let summaries = summaries(&code, reductions);
    let unreduced = flow::build(&code, &summaries, &line);
    let stacks = stacks::initial_shared(&unreduced.flow, &code)
        .and_then(|initial| Stacks::of(&code, &summaries, initial, &line));
    // Both meanings of the program have the same shared variables.
    let reductions = Reductions { unused: reductions.unused && stacks.is_none(), ..reductions };
    let built = reduce(unreduced, reductions);
    let may_fail = |edge: &model::FlowEdge| edge.violation.is_some() || edge.incomplete.is_some();
    if !built.flow.edges.iter().any(may_fail) {
        let message = "nothing can fail: no thread comes to an assertion that could be false";
        sink.push(Diagnostic::warning("BP014", message, source.span(0, 0)));
    }
    let program = BooleanProgram::new(program, built, code.labels, reductions);
    Some(program.with_stacks(stacks))
}

/// Summaries of the procedures that are not inlined.
fn summaries(code: &Code, reductions: Reductions) -> Summaries {
    let recursive = flow::summary::recursive(code);
    let for_all = reductions.summaries;
    let is_needed = for_all || recursive.contains(&true);
    let known = match is_needed {
        true => flow::summary::summarise(code),
        false => vec![None; code.procedures.len()],
    };
    Summaries { known, recursive, for_all }
}

/// Where the lines begin.
fn line_starts(text: &str) -> Vec<u32> {
    let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    std::iter::once(0).chain(newlines.map(|(pos, _)| pos as u32 + 1)).collect()
}
