//! Random texts of Boolean programs: small, with every construct of the dialect with
//! `begin` and `end`, or with braces and threads that `main` creates.
//!
//! A program is kept as lines within lines, so that a failing one can be made smaller.

mod expr;
mod statements;

use crate::rng::Rng;
use expr::Names;
use statements::Writer;

/// A program as lines within lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomText {
    /// Declarations of globals.
    pub globals: Vec<String>,
    /// Procedures, `main` last.
    pub procedures: Vec<RandomProcedure>,
    /// Is it in the dialect with braces, where one thread runs `main`?
    pub is_braced: bool,
}

/// A procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomProcedure {
    /// All before `begin`.
    pub head: String,
    /// Declarations and statements.
    pub body: Vec<Node>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its label.
    pub label: Option<String>,
    /// What it is.
    pub kind: NodeKind,
}

/// What a statement is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// One line.
    Line(String),
    /// Lines within lines: the first line, what is inside, and for a branch what is inside
    /// its other side.
    Around(Frame, Vec<Node>, Vec<Node>),
}

/// What is around statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A branch with this condition.
    If(String),
    /// A loop with this condition.
    While(String),
    /// An atomic section.
    Atomic,
    /// The same in braces, with nothing inside that jumps.
    Block,
}

/// A program for a seed, in one of the two dialects.
pub fn random(seed: u64) -> RandomText {
    in_style(seed, Style { is_braced: seed % 4 == 3, is_recursive: false })
}

/// A program for a seed whose procedures call themselves and each other, and touch what is
/// shared. Every other one is in the dialect with braces.
pub fn random_recursive(seed: u64) -> RandomText {
    in_style(seed, Style { is_braced: seed % 2 == 1, is_recursive: true })
}

/// A program for a seed that any number of threads run.
pub fn random_for_any_number(seed: u64) -> RandomText {
    in_style(seed, Style { is_braced: false, is_recursive: false })
}

/// What programs have in common.
#[derive(Clone, Copy, Debug)]
struct Style {
    is_braced: bool,
    is_recursive: bool,
}

/// What all procedures of a program have in common.
#[derive(Clone, Debug)]
struct Surroundings {
    globals: Vec<String>,
    /// Is the last global a lock with an owner?
    has_lock: bool,
    /// Is there a label outside of procedures that is an error?
    has_error: bool,
    is_braced: bool,
    is_recursive: bool,
}

fn in_style(seed: u64, Style { is_braced, is_recursive }: Style) -> RandomText {
    let mut rng = Rng::new(seed);
    let mut globals: Vec<String> = (0..rng.between(1, 3)).map(|idx| format!("g{idx}")).collect();
    let mut declarations: Vec<String> =
        globals.iter().map(|name| declaration(&mut rng, name)).collect();
    let has_lock = rng.chance(if is_recursive { 50 } else { 25 });
    if has_lock {
        declarations.push("lock m;".to_owned());
        globals.push("m".to_owned());
    }
    let has_error = rng.chance(20);
    if has_error {
        declarations.push("error: goto error;".to_owned());
    }
    let around = Surroundings { globals, has_lock, has_error, is_braced, is_recursive };
    let n_procedures = rng.below(if is_recursive { 2 } else { 3 }) as usize;
    let n_procedures = n_procedures + usize::from(is_recursive);
    let signatures: Vec<Signature> =
        (0..n_procedures).map(|idx| Signature::random(&mut rng, idx)).collect();
    let mut procedures = Vec::new();
    for (idx, signature) in signatures.iter().enumerate() {
        // Mostly later ones are called only, so that there is no recursion.
        let callable =
            if is_recursive || rng.chance(25) { &signatures[..] } else { &signatures[idx + 1..] };
        procedures.push(procedure(&mut rng, signature, callable, &around));
    }
    let main = Signature { name: "main".to_owned(), n_params: 0, n_results: 0 };
    procedures.push(procedure(&mut rng, &main, &signatures, &around));
    RandomText { globals: declarations, procedures, is_braced }
}

/// How a procedure is called.
#[derive(Clone, Debug)]
struct Signature {
    name: String,
    n_params: u32,
    n_results: u32,
}

impl Signature {
    fn random(rng: &mut Rng, idx: usize) -> Signature {
        // Now and then the name of a statement, which then is the procedure.
        let name = match idx {
            0 if rng.chance(8) => "unlock".to_owned(),
            _ => format!("f{idx}"),
        };
        Signature { name, n_params: rng.below(3), n_results: rng.below(3) }
    }

    fn head(&self) -> String {
        let results = match self.n_results {
            0 => "void".to_owned(),
            1 => "bool".to_owned(),
            n => format!("bool<{n}>"),
        };
        let params: Vec<String> = (0..self.n_params).map(|idx| format!("p{idx}")).collect();
        format!("{results} {}({})", self.name, params.join(", "))
    }
}

fn procedure(
    rng: &mut Rng,
    signature: &Signature,
    callable: &[Signature],
    around: &Surroundings,
) -> RandomProcedure {
    let is_main = signature.name == "main";
    let mut locals: Vec<String> = (0..signature.n_params).map(|idx| format!("p{idx}")).collect();
    let (mut body, mut later) = (Vec::new(), Vec::new());
    for idx in 0..rng.below(if is_main { 4 } else { 2 }) {
        let name = format!("l{idx}");
        // Now and then behind other statements, or with a value that is computed.
        let declarations = if rng.chance(15) { &mut later } else { &mut body };
        declarations.push(Node::line(match locals.last() {
            Some(known) if rng.chance(15) => format!("decl {name} := !{known};"),
            _ => declaration(rng, &name),
        }));
        locals.push(name);
    }
    // Some procedures touch nothing that threads share.
    let is_private = !is_main && !around.is_recursive && rng.chance(40);
    let globals = if is_private { Vec::new() } else { around.globals.clone() };
    let names = Names {
        globals,
        locals,
        has_lock: around.has_lock && !is_private,
        has_error: around.has_error,
        is_braced: around.is_braced,
        is_recursive: around.is_recursive,
        is_main,
    };
    let n_statements = if is_main { rng.between(4, 9) } else { rng.between(1, 4) };
    if rng.chance(10) {
        body.push(Node::line(names.enforcement(rng)));
    }
    let mut writer = Writer::new(rng, &names, callable, signature.n_results);
    let mut statements = writer.body(n_statements);
    if around.is_recursive {
        writer.add_recursion(&mut statements);
    }
    for declaration in later {
        let at = rng.below(statements.len() as u32 + 1) as usize;
        statements.insert(at, declaration);
    }
    body.extend(statements);
    RandomProcedure { head: signature.head(), body }
}

fn declaration(rng: &mut Rng, name: &str) -> String {
    match rng.below(8) {
        0 => format!("decl {name};"),
        1 => format!("decl {name} := *;"),
        2 | 3 => format!("decl {name} := 1;"),
        _ => format!("decl {name} := 0;"),
    }
}

impl Node {
    fn line(text: String) -> Node {
        Node { label: None, kind: NodeKind::Line(text) }
    }

    fn print(&self, indent: usize, is_braced: bool, out: &mut String) {
        let margin = "  ".repeat(indent);
        if let Some(label) = &self.label {
            out.push_str(&format!("{label}:\n"));
        }
        let NodeKind::Around(frame, inside, otherwise) = &self.kind else {
            let NodeKind::Line(text) = &self.kind else { return };
            out.push_str(&format!("{margin}{text}\n"));
            return;
        };
        let (first, last) = match frame {
            Frame::If(condition) if is_braced => (format!("if ({condition}) {{"), "}"),
            Frame::While(condition) if is_braced => (format!("while ({condition}) {{"), "}"),
            Frame::If(condition) => (format!("if {condition} then"), "fi;"),
            Frame::While(condition) => (format!("while {condition} do"), "od;"),
            Frame::Atomic => ("atomic_begin;".to_owned(), "atomic_end;"),
            Frame::Block => ("atomic {".to_owned(), "}"),
        };
        out.push_str(&format!("{margin}{first}\n"));
        inside.iter().for_each(|node| node.print(indent + 1, is_braced, out));
        if !otherwise.is_empty() {
            let word = if is_braced { "} else {" } else { "else" };
            out.push_str(&format!("{margin}{word}\n"));
            otherwise.iter().for_each(|node| node.print(indent + 1, is_braced, out));
        }
        out.push_str(&format!("{margin}{last}\n"));
    }
}

impl RandomText {
    /// The program as it is read.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for declaration in &self.globals {
            out.push_str(&format!("{declaration}\n"));
        }
        for procedure in &self.procedures {
            let (first, last) = if self.is_braced { ("{", "}") } else { ("begin", "end") };
            out.push_str(&format!("\n{} {first}\n", procedure.head));
            procedure.body.iter().for_each(|node| node.print(1, self.is_braced, &mut out));
            out.push_str(&format!("{last}\n"));
        }
        out
    }

    /// The program with declarations of locals that nothing uses, which mean nothing.
    pub fn with_unused(&self, seed: u64) -> RandomText {
        let mut rng = Rng::new(seed);
        let mut more = self.clone();
        for idx in 0..rng.between(1, 3) {
            let procedure = rng.below(more.procedures.len() as u32) as usize;
            let line = Node::line(declaration(&mut rng, &format!("u{idx}")));
            insert(&mut rng, &mut more.procedures[procedure].body, line);
        }
        more
    }

    /// Programs that are smaller in one respect; some of them are none any more.
    pub fn smaller(&self) -> Vec<RandomText> {
        let mut all = Vec::new();
        for idx in 0..self.procedures.len().saturating_sub(1) {
            let mut smaller = self.clone();
            smaller.procedures.remove(idx);
            all.push(smaller);
        }
        for idx in 0..self.globals.len() {
            let mut smaller = self.clone();
            smaller.globals.remove(idx);
            all.push(smaller);
        }
        for (idx, procedure) in self.procedures.iter().enumerate() {
            for body in smaller_bodies(&procedure.body) {
                let mut smaller = self.clone();
                smaller.procedures[idx].body = body;
                all.push(smaller);
            }
        }
        all
    }
}

/// Puts a line somewhere between statements, or within one.
fn insert(rng: &mut Rng, body: &mut Vec<Node>, line: Node) {
    let at = rng.below(body.len() as u32 + 1) as usize;
    match body.get_mut(at) {
        Some(Node { kind: NodeKind::Around(_, inside, _), .. }) if rng.chance(60) => {
            insert(rng, inside, line);
        }
        _ => body.insert(at, line),
    }
}

/// The lists with one statement less, or with one replaced by what is inside.
fn smaller_bodies(body: &[Node]) -> Vec<Vec<Node>> {
    let mut all = Vec::new();
    for (idx, node) in body.iter().enumerate() {
        let with = |nodes: &[Node]| [&body[..idx], nodes, &body[idx + 1..]].concat();
        all.push(with(&[]));
        if node.label.is_some() {
            all.push(with(&[Node { label: None, ..node.clone() }]));
        }
        let NodeKind::Around(frame, inside, otherwise) = &node.kind else { continue };
        all.push(with(inside));
        let around = |inside: &[Node], otherwise: &[Node]| {
            let kind = NodeKind::Around(frame.clone(), inside.to_vec(), otherwise.to_vec());
            Node { kind, ..node.clone() }
        };
        all.extend(smaller_bodies(inside).iter().map(|inside| with(&[around(inside, otherwise)])));
        let others = smaller_bodies(otherwise);
        all.extend(others.iter().map(|otherwise| with(&[around(inside, otherwise)])));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::random;

    #[test]
    fn every_program_can_be_read_and_made_smaller() {
        for seed in 0..200 {
            let program = random(seed);
            let file = model::SourceFile { name: "random.bp".into(), text: program.text() };
            let (_, diagnostics) = frontend::boolprog::syntax(&file);
            assert!(diagnostics.is_empty(), "{diagnostics:?}\n{}", file.text);
            let lengths = program.smaller().into_iter().map(|smaller| smaller.text().len());
            assert!(lengths.max() < Some(file.text.len()));
        }
    }
}
