//! Format 1.0: a path of nodes, with what the run does at its edges.
//!
//! Lines are given for the first file of the program: the format has one only.

use super::Witness;
use super::path::{MoveKind, WitnessMove};
use crate::story::SourceRange;

/// What may stand at edges and nodes: names, kinds and owners.
const KEYS: &[(&str, &str, &str)] = &[
    ("witness-type", "string", "graph"),
    ("sourcecodelang", "string", "graph"),
    ("producer", "string", "graph"),
    ("specification", "string", "graph"),
    ("programfile", "string", "graph"),
    ("programhash", "string", "graph"),
    ("architecture", "string", "graph"),
    ("creationtime", "string", "graph"),
    ("entry", "boolean", "node"),
    ("violation", "boolean", "node"),
    ("startline", "int", "edge"),
    ("threadId", "string", "edge"),
    ("createThread", "string", "edge"),
    ("enterFunction", "string", "edge"),
    ("returnFromFunction", "string", "edge"),
    ("assumption", "string", "edge"),
    ("assumption.resultfunction", "string", "edge"),
];

/// The thread and the function that a program begins with.
const FIRST: (usize, &str) = (0, "main");

/// The witness as GraphML.
pub(super) fn render(witness: &Witness<'_>) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
    );
    for (name, kind, owner) in KEYS {
        let default = if *kind == "boolean" { "<default>false</default>" } else { "" };
        out.push_str(&format!(
            "  <key id=\"{name}\" attr.name=\"{name}\" attr.type=\"{kind}\" for=\"{owner}\">\
             {default}</key>\n"
        ));
    }
    out.push_str("  <graph edgedefault=\"directed\">\n");
    for (key, value) in task(witness) {
        out.push_str(&annotation(4, key, &value));
    }
    let edges = edges(witness);
    for idx in 0..=edges.len() {
        let marks = [("entry", idx == 0), ("violation", idx == edges.len())];
        let marks: String = marks
            .iter()
            .filter(|(_, is_so)| *is_so)
            .map(|(key, _)| annotation(6, key, "true"))
            .collect();
        out.push_str(&match marks.is_empty() {
            true => format!("    <node id=\"N{idx}\"/>\n"),
            false => format!("    <node id=\"N{idx}\">\n{marks}    </node>\n"),
        });
    }
    for (idx, edge) in edges.iter().enumerate() {
        let (source, target) = (idx, idx + 1);
        out.push_str(&format!("    <edge source=\"N{source}\" target=\"N{target}\">\n"));
        out.extend(edge.iter().map(|(key, value)| annotation(6, key, value)));
        out.push_str("    </edge>\n");
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}

fn task(witness: &Witness<'_>) -> Vec<(&'static str, String)> {
    let (file, hash) = witness.inputs().next().unwrap_or_default();
    vec![
        ("witness-type", "violation_witness".to_owned()),
        ("sourcecodelang", "C".to_owned()),
        ("producer", concat!("threadproof ", env!("CARGO_PKG_VERSION")).to_owned()),
        ("specification", witness.specification.clone()),
        ("programfile", file.to_owned()),
        ("programhash", hash),
        ("architecture", if witness.task.is_32_bit { "32bit" } else { "64bit" }.to_owned()),
        ("creationtime", witness.task.creation_time.clone()),
    ]
}

type Edge = Vec<(&'static str, String)>;

fn edges(witness: &Witness<'_>) -> Vec<Edge> {
    let (thread, function) = FIRST;
    let begin = vec![("createThread", thread.to_string()), ("enterFunction", function.to_owned())];
    let mut edges = vec![begin];
    // A function whose entry was not written may not be left.
    let mut stacks: Vec<(usize, String)> = vec![(thread, function.to_owned())];
    for one in &witness.path.moves {
        match &one.kind {
            MoveKind::Begin(name) | MoveKind::Call(name) => {
                stacks.push((one.thread, name.clone()));
            }
            MoveKind::Return(name) => {
                let top = stacks.iter().rposition(|(thread, _)| *thread == one.thread);
                match top {
                    Some(idx) if stacks[idx].1 == *name => stacks.remove(idx),
                    _ => continue,
                };
            }
            // It would say nothing but that the thread does something.
            MoveKind::Access if line_of(one.place).is_none() => continue,
            MoveKind::Access | MoveKind::Start(_) | MoveKind::Input { .. } => {}
        }
        edges.push(edge(one));
    }
    let last = edges.last().and_then(|edge| edge.iter().find(|(key, _)| *key == "startline"));
    let line = witness.path.target.line.to_string();
    if line_of(Some(witness.path.target)).is_some() && last.map(|(_, line)| line) != Some(&line) {
        edges.push(vec![("startline", line), ("threadId", witness.path.thread.to_string())]);
    }
    edges
}

fn edge(one: &WitnessMove) -> Edge {
    let mut edge: Edge = Vec::new();
    edge.extend(line_of(one.place).map(|line| ("startline", line)));
    edge.push(("threadId", one.thread.to_string()));
    match &one.kind {
        MoveKind::Begin(name) | MoveKind::Call(name) => edge.push(("enterFunction", name.clone())),
        MoveKind::Return(name) => edge.push(("returnFromFunction", name.clone())),
        MoveKind::Access => {}
        MoveKind::Start(new) => edge.push(("createThread", new.to_string())),
        MoveKind::Input { function, value } => {
            edge.push(("assumption", format!("\\result == {value};")));
            edge.push(("assumption.resultfunction", function.clone()));
        }
    }
    edge
}

/// The line of a place in the first file.
fn line_of(place: Option<SourceRange>) -> Option<String> {
    place.filter(|place| place.file == 0).map(|place| place.line.to_string())
}

fn annotation(indent: usize, key: &str, value: &str) -> String {
    format!("{:indent$}<data key=\"{key}\">{}</data>\n", "", escaped(value))
}

/// Text that is no markup. What XML cannot say at all becomes a replacement character.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
