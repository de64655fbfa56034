//! Format 2.0: a sequence of waypoints that the run passes, the last of which is the
//! violation.
//!
//! The format knows nothing of threads, so waypoints stand in the order in which they are
//! passed, by whichever thread.

use super::Witness;
use super::path::{MoveKind, WitnessMove};
use crate::digest::sha256;
use crate::story::SourceRange;

/// A part of a document.
#[derive(Clone, Debug)]
enum Node {
    Text(String),
    Number(usize),
    List(Vec<Node>),
    /// With its members in order.
    Record(Vec<(String, Node)>),
}

/// The witness as YAML.
pub(super) fn render(witness: &Witness<'_>) -> String {
    let content = Node::List(content(witness));
    let entry = record(vec![
        ("entry_type", text("violation_sequence")),
        ("metadata", metadata(witness, &content)),
        ("content", content),
    ]);
    let mut out = String::new();
    write(&Node::List(vec![entry]), 0, &mut out);
    out
}

fn record(members: Vec<(&str, Node)>) -> Node {
    Node::Record(members.into_iter().map(|(key, node)| (key.to_owned(), node)).collect())
}

fn text(text: &str) -> Node {
    Node::Text(text.to_owned())
}

fn metadata(witness: &Witness<'_>, content: &Node) -> Node {
    let files = witness.inputs().map(|(name, _)| text(name)).collect();
    let hashes = witness.inputs().map(|(name, hash)| (name.to_owned(), Node::Text(hash)));
    record(vec![
        ("format_version", text("2.0")),
        ("uuid", Node::Text(uuid(witness, content))),
        ("creation_time", text(&witness.task.creation_time)),
        (
            "producer",
            record(vec![
                ("name", text("threadproof")),
                ("version", text(env!("CARGO_PKG_VERSION"))),
            ]),
        ),
        (
            "task",
            record(vec![
                ("input_files", Node::List(files)),
                ("input_file_hashes", Node::Record(hashes.collect())),
                ("specification", text(&witness.specification)),
                ("data_model", text(if witness.task.is_32_bit { "ILP32" } else { "LP64" })),
                ("language", text("C")),
            ]),
        ),
    ])
}

/// An identifier that depends on all that the witness says, and looks like a random one.
fn uuid(witness: &Witness<'_>, content: &Node) -> String {
    let hashes: String = witness.inputs().map(|(_, hash)| hash).collect();
    let mut said = String::new();
    write(content, 0, &mut said);
    let hex = sha256(&format!("{hashes}{}{said}", witness.task.creation_time));
    format!("{}-{}-4{}-a{}-{}", &hex[..8], &hex[8..12], &hex[12..15], &hex[15..18], &hex[18..30])
}

fn content(witness: &Witness<'_>) -> Vec<Node> {
    let known = witness.path.moves.iter().filter_map(|one| waypoint(witness, one));
    let target = location(witness, witness.path.target).map(|place| {
        vec![("type", text("target")), ("action", text("follow")), ("location", place)]
    });
    let segment = |waypoint| {
        record(vec![("segment", Node::List(vec![record(vec![("waypoint", waypoint)])]))])
    };
    known.chain(target).map(|members| segment(record(members))).collect()
}

fn waypoint(witness: &Witness<'_>, one: &WitnessMove) -> Option<Vec<(&'static str, Node)>> {
    let location = location(witness, one.closing?)?;
    let (kind, constraint) = match &one.kind {
        MoveKind::Call(_) => ("function_enter", None),
        MoveKind::Input { value, .. } => {
            let value = Node::Text(format!("\\result == {value}"));
            let format = text("acsl_expression");
            ("function_return", Some(record(vec![("value", value), ("format", format)])))
        }
        _ => return None,
    };
    let mut members = vec![("type", text(kind)), ("action", text("follow"))];
    members.extend(constraint.map(|constraint| ("constraint", constraint)));
    members.push(("location", location));
    Some(members)
}

/// A place in the program; `None` for other files.
fn location(witness: &Witness<'_>, place: SourceRange) -> Option<Node> {
    let file = witness.run.files.get(place.file as usize)?;
    let is_input = (place.file as usize) < witness.task.n_inputs;
    is_input.then(|| {
        record(vec![
            ("file_name", text(&file.name)),
            ("line", Node::Number(place.line)),
            ("column", Node::Number(place.column)),
        ])
    })
}

/// Writes a node in lines.
fn write(node: &Node, indent: usize, out: &mut String) {
    match node {
        Node::Text(text) => out.push_str(&format!("{}\n", quoted(text))),
        Node::Number(number) => out.push_str(&format!("{number}\n")),
        Node::List(items) => {
            for item in items {
                let mut inner = String::new();
                write(item, indent + 2, &mut inner);
                out.push_str(&format!("{:indent$}- {}", "", inner.trim_start()));
            }
        }
        Node::Record(members) => {
            for (key, member) in members {
                let is_plain = key.chars().all(|c| c.is_ascii_lowercase() || c == '_');
                let key = if is_plain { key.clone() } else { quoted(key) };
                out.push_str(&format!("{:indent$}{key}:", ""));
                let is_nested = matches!(member, Node::List(_) | Node::Record(_));
                out.push(if is_nested { '\n' } else { ' ' });
                write(member, indent + 2, out);
            }
        }
    }
}

/// A text in quotes, as JSON has it, which YAML reads alike.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::{Node, record, text, write};

    #[test]
    fn lists_and_records_are_told_by_their_indents() {
        let inner = record(vec![("d", Node::List(vec![text("\"#")])), ("e", Node::Number(2))]);
        let outer = vec![("a", Node::Number(1)), ("b c", Node::List(vec![text("x: y"), inner]))];
        let mut out = String::new();
        write(&Node::List(vec![record(outer)]), 0, &mut out);
        let expected =
            "- a: 1\n  \"b c\":\n    - \"x: y\"\n    - d:\n        - \"\\\"#\"\n      e: 2\n";
        assert_eq!(out, expected);
    }
}
