//! Writes statements with their places, in the style of the tool that makes such programs.

use super::kit::Kit;
use crate::rng::Rng;

/// Predicates about the whole of a thread; the others are about one call of a function, and
/// have any value when it begins.
const N_KEPT: u32 = 3;

const WIDTH: usize = 88;

pub(super) struct Writer<'a> {
    pub rng: &'a mut Rng,
    pub kit: Kit,
    n_predicates: u32,
    lines: String,
    n_statements: u32,
    n_labels: u32,
    source_line: u32,
    function: String,
}

impl<'a> Writer<'a> {
    pub fn new(rng: &'a mut Rng, kit: Kit, n_predicates: u32) -> Writer<'a> {
        Writer {
            rng,
            kit,
            n_predicates: n_predicates.max(2),
            lines: String::new(),
            n_statements: 0,
            n_labels: 0,
            source_line: 0,
            function: String::new(),
        }
    }

    /// Declarations and the choice of a function.
    pub fn start(&mut self, functions: &[&str]) {
        for (name, value) in self.kit.shared() {
            self.lines.push_str(&format!("decl {name} := {value};\n"));
        }
        self.lines.push_str("\nvoid main() begin\n");
        for (name, value) in self.kit.locals() {
            self.lines.push_str(&format!("  decl {name}{value};\n"));
        }
        for idx in 0..self.n_predicates {
            self.lines.push_str(&format!("  decl b{idx};\n"));
        }
        self.lines.push_str("\ndispatch:\n");
        let entries: Vec<String> =
            functions.iter().map(|function| format!("enter_{function}")).collect();
        self.line(&format!("goto {};", entries.join(", ")));
    }

    pub fn enter(&mut self, function: &str) {
        self.function = function.to_owned();
        self.source_line = self.rng.between(20, 900);
        self.lines.push_str(&format!("\nenter_{function}:\n"));
        self.line("skip; // location only");
        let own: Vec<String> = (N_KEPT..self.n_predicates).map(|idx| format!("b{idx}")).collect();
        if !own.is_empty() {
            let values = vec!["*"; own.len()].join(", ");
            self.line(&format!("{} := {values};", own.join(", ")));
        }
    }

    pub fn leave(&mut self) {
        self.line("goto dispatch;");
    }

    pub fn finish(mut self) -> String {
        self.lines.push_str("end\n");
        self.lines
    }

    pub fn n_statements(&self) -> u32 {
        self.n_statements
    }

    /// A statement at a place of its own.
    pub fn line(&mut self, statement: &str) {
        if self.rng.chance(20) && !self.function.is_empty() {
            self.source_line += self.rng.between(1, 4);
            self.lines.push_str(&format!(
                "    // file driver.c line {} function {}\n",
                self.source_line, self.function
            ));
        }
        self.lines.push_str(&format!("PC{}: {statement}\n", self.n_statements));
        self.n_statements += 1;
    }

    /// Statements one after the other, separated by newlines.
    pub fn all(&mut self, statements: &str) {
        statements.lines().map(str::trim).filter(|line| !line.is_empty()).for_each(
            |line| match line.strip_suffix(':') {
                Some(label) => self.label(label),
                None => self.line(line),
            },
        );
    }

    pub fn label(&mut self, label: &str) {
        self.lines.push_str(&format!("{label}:\n"));
    }

    /// A label that is not used yet.
    pub fn fresh(&mut self) -> String {
        self.n_labels += 1;
        format!("l{}", self.n_labels)
    }

    /// One of the predicates.
    pub fn predicate(&mut self) -> String {
        format!("b{}", self.rng.below(self.n_predicates))
    }

    /// Two different ones.
    pub fn two_predicates(&mut self) -> (String, String) {
        let first = self.rng.below(self.n_predicates);
        let second = (first + 1 + self.rng.below(self.n_predicates - 1)) % self.n_predicates;
        (format!("b{first}"), format!("b{second}"))
    }

    /// A shared predicate that never changes.
    pub fn config(&mut self) -> String {
        format!("config{}", self.rng.below(self.kit.n_configs()))
    }

    /// Two shared predicates that are never equal, if there are any.
    pub fn pair(&mut self) -> Option<(String, String)> {
        let n_pairs = self.kit.n_pairs();
        (n_pairs > 0).then(|| {
            let pair = self.rng.below(n_pairs);
            (format!("up{pair}"), format!("down{pair}"))
        })
    }

    /// Statements that change nothing.
    pub fn skips(&mut self, at_most: u32) {
        for _ in 0..self.rng.between(1, at_most) {
            self.line("skip; // no predicates changed");
        }
    }
}

/// A text as comment lines.
pub(super) fn comment(text: &str) -> String {
    let mut lines = String::new();
    let mut line = "//".to_owned();
    for word in text.split_whitespace() {
        if line.len() + 1 + word.len() > WIDTH {
            lines.push_str(&format!("{line}\n"));
            line = "//".to_owned();
        }
        line.push_str(&format!(" {word}"));
    }
    lines + &line + "\n"
}
