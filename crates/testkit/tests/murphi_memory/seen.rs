//! What one thread sees of a state, computed from the names and values that a report shows and
//! from nothing else: variables that belong to nobody, its own, and the nodes that it comes to by
//! their names. All that the tool's normal form does is done here again, by text.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use model::Field;

/// The types of threads and nodes, by name.
#[derive(Clone, Debug)]
pub struct Kinds {
    /// The type of threads.
    pub thread: String,
    /// The type of nodes.
    pub node: String,
}

/// What lies where, which is the same in all states of a model.
pub struct Layout {
    kinds: Kinds,
    parts: Vec<Part>,
    /// The threads there are.
    pub threads: BTreeSet<String>,
}

/// A simple value of a state.
struct Part {
    /// Its name, without names of threads and nodes.
    family: String,
    threads: BTreeSet<String>,
    node: Option<String>,
}

/// Its number among the parts.
type PartIdx = usize;

impl Layout {
    /// The layout of states that are described like this one.
    ///
    /// # Panics
    /// A part belongs to two nodes, of which the tool refuses models.
    pub fn of(state: &[Field], kinds: &Kinds) -> Layout {
        let mut threads = BTreeSet::new();
        let parts = state.iter().map(|field| {
            let mut part = Part { family: String::new(), threads: BTreeSet::new(), node: None };
            for word in field.name.split_inclusive(['[', ']']) {
                let name = word.trim_end_matches(']');
                if is_one(name, &kinds.thread) {
                    part.threads.insert(name.to_owned());
                    part.family.push_str("a thread]");
                } else if is_one(name, &kinds.node) {
                    assert!(part.node.is_none(), "{} belongs to two nodes", field.name);
                    part.node = Some(name.to_owned());
                    part.family.push_str("a node]");
                } else {
                    part.family.push_str(word);
                }
            }
            threads.extend(part.threads.iter().cloned());
            part
        });
        let parts = parts.collect();
        Layout { kinds: kinds.clone(), parts, threads }
    }

    /// What a thread sees of a state. Texts are equal where two threads see the same but for the
    /// names of nodes and of other threads.
    pub fn seen(&self, state: &[Field], thread: &str) -> String {
        let mut look =
            Look { layout: self, state, thread, text: String::new(), names: Names::new() };
        let mut nobodys: Vec<PartIdx> = Vec::new();
        let mut own: Vec<PartIdx> = Vec::new();
        let mut of_nodes: BTreeMap<&str, Vec<PartIdx>> = BTreeMap::new();
        for (idx, part) in self.parts.iter().enumerate() {
            if part.family.starts_with("doubt of ") || part.threads.iter().any(|one| one != thread)
            {
                continue;
            }
            match &part.node {
                Some(node) => of_nodes.entry(node).or_default().push(idx),
                None if part.threads.is_empty() => nobodys.push(idx),
                None => own.push(idx),
            }
        }
        look.all(nobodys);
        look.all(own);
        while let Some(node) = look.names.open.pop_front() {
            look.text.push_str("| ");
            let parts = of_nodes.get(node.as_str()).cloned();
            look.all(parts.unwrap_or_default());
        }
        look.text
    }
}

/// Names that nodes get in the order in which they are met.
struct Names {
    given: BTreeMap<String, usize>,
    /// Nodes that were met and not looked at.
    open: VecDeque<String>,
}

impl Names {
    fn new() -> Names {
        Names { given: BTreeMap::new(), open: VecDeque::new() }
    }

    fn of(&mut self, node: &str) -> usize {
        if let Some(known) = self.given.get(node) {
            return *known;
        }
        let number = self.given.len();
        self.given.insert(node.to_owned(), number);
        self.open.push_back(node.to_owned());
        number
    }
}

struct Look<'a> {
    layout: &'a Layout,
    state: &'a [Field],
    thread: &'a str,
    text: String,
    names: Names,
}

impl Look<'_> {
    /// Writes down some parts, in the order of their names.
    fn all(&mut self, mut parts: Vec<PartIdx>) {
        parts.sort_by_key(|idx| &self.layout.parts[*idx].family);
        for idx in parts {
            let value = &self.state[idx].value;
            self.text.push_str(&self.layout.parts[idx].family);
            self.text.push('=');
            if is_one(value, &self.layout.kinds.node) {
                let number = self.names.of(value);
                self.text.push_str(&format!("node {number}"));
            } else if value == self.thread {
                self.text.push_str("itself");
            } else if is_one(value, &self.layout.kinds.thread) {
                self.text.push_str("another");
            } else {
                self.text.push_str(value);
            }
            self.text.push_str("; ");
        }
    }
}

/// Is this the name of an element of a scalarset?
fn is_one(name: &str, ty: &str) -> bool {
    let number = name.strip_prefix(ty).and_then(|rest| rest.strip_prefix('_'));
    number.is_some_and(|number| number.parse::<u32>().is_ok())
}
