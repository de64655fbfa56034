//! Random statements of one procedure.

use super::expr::{Kind, Names};
use super::{Frame, Node, NodeKind, Signature};
use crate::rng::Rng;

/// Statements are at most this deep in each other.
const MAX_DEPTH: u32 = 2;

pub(super) struct Writer<'a> {
    rng: &'a mut Rng,
    names: &'a Names,
    callable: &'a [Signature],
    n_results: u32,
    /// Labels that jumps name; all of them are put somewhere in the end.
    n_labels: u32,
}

impl<'a> Writer<'a> {
    pub fn new(
        rng: &'a mut Rng,
        names: &'a Names,
        callable: &'a [Signature],
        n_results: u32,
    ) -> Writer<'a> {
        Writer { rng, names, callable, n_results, n_labels: 0 }
    }

    /// The statements of the procedure, with a `return` at the end where it has results.
    pub fn body(&mut self, n_statements: u32) -> Vec<Node> {
        let mut body = self.some(n_statements, 0);
        if self.names.is_main {
            body.push(Node::line(self.assertion()));
        }
        if self.n_results > 0 && self.rng.chance(90) {
            body.push(Node::line(self.give_back()));
        }
        for label in 0..self.n_labels {
            self.place(&mut body, format!("L{label}"));
        }
        body
    }

    fn some(&mut self, n: u32, depth: u32) -> Vec<Node> {
        let mut all = Vec::new();
        for _ in 0..n {
            match !self.names.globals.is_empty() && self.rng.chance(15) {
                true if self.names.is_recursive && self.names.has_lock && self.rng.chance(70) => {
                    all.push(Node::line("acquire(m);".to_owned()));
                    all.extend(self.disturbed(depth));
                    all.push(Node::line("release(m);".to_owned()));
                }
                true => all.extend(self.disturbed(depth)),
                false => all.push(self.statement(depth)),
            }
        }
        all
    }

    /// What was just seen or done to a global is asserted, which other threads may disturb.
    fn disturbed(&mut self, depth: u32) -> Vec<Node> {
        let globals = self.names.globals.len() - usize::from(self.names.has_lock);
        let global = &self.names.globals[self.rng.below(globals as u32) as usize];
        let value = self.rng.below(2);
        let callees: Vec<&Signature> =
            self.callable.iter().filter(|callee| callee.n_results == 1).collect();
        let first = match self.rng.below(4) {
            3 if !callees.is_empty() => {
                let callee = callees[self.rng.below(callees.len() as u32) as usize];
                let args = vec![global.as_str(); callee.n_params as usize];
                format!("{global} := {}({});", callee.name, args.join(", "))
            }
            0 => format!("assume({global} = {value});"),
            1 => format!("{global} := {value} constrain {global} != {value};"),
            _ => format!("{global} := {value};"),
        };
        let last = Node::line(format!("assert({global} = {value});"));
        let mut all = vec![Node::line(first)];
        if self.rng.chance(30) {
            all.push(self.statement(depth));
        }
        all.push(last);
        all
    }

    /// Calls something that is callable, in most procedures only if nobody says otherwise.
    pub fn add_recursion(&mut self, body: &mut Vec<Node>) {
        if self.callable.is_empty() {
            return;
        }
        let call = Node::line(self.call());
        let condition = self.names.expr(self.rng, Kind::Plain, 1);
        let condition = if self.rng.chance(60) { "*".to_owned() } else { condition };
        let node = match self.names.is_main {
            true => call,
            false => {
                let kind = NodeKind::Around(Frame::If(condition), vec![call], Vec::new());
                Node { label: None, kind }
            }
        };
        // Declarations stay first, and what gives results last.
        let at = self.rng.below(body.len().max(1) as u32) as usize;
        body.insert(at, node);
    }

    fn statement(&mut self, depth: u32) -> Node {
        let is_deep = depth >= MAX_DEPTH;
        let kind = match self.rng.below(20) {
            0..=2 if !is_deep => self.branch(depth),
            3 if !is_deep => {
                let condition = self.names.expr(self.rng, Kind::Plain, 1);
                NodeKind::Around(Frame::While(condition), self.inside(depth), Vec::new())
            }
            4 if !is_deep && self.rng.chance(30) => {
                let n = self.rng.between(1, 3);
                let lines = (0..n).map(|_| Node::line(self.plain_line())).collect();
                NodeKind::Around(Frame::Block, lines, Vec::new())
            }
            4 | 5 if !is_deep => NodeKind::Around(Frame::Atomic, self.inside(depth), Vec::new()),
            6..=10 => NodeKind::Line(self.assignment()),
            11 | 12 if !self.callable.is_empty() => NodeKind::Line(self.call()),
            13 => NodeKind::Line(self.assertion()),
            14 => {
                let condition = self.names.expr(self.rng, Kind::Plain, 1);
                NodeKind::Line(format!("assume({condition});"))
            }
            _ => NodeKind::Line(self.rarity()),
        };
        Node { label: None, kind }
    }

    /// A statement that goes on to the next.
    fn plain_line(&mut self) -> String {
        match self.rng.below(4) {
            0 => self.assertion(),
            1 if !self.callable.is_empty() => self.call(),
            _ => self.assignment(),
        }
    }

    fn inside(&mut self, depth: u32) -> Vec<Node> {
        let n = self.rng.between(1, 3);
        self.some(n, depth + 1)
    }

    fn branch(&mut self, depth: u32) -> NodeKind {
        let condition = self.names.expr(self.rng, Kind::Plain, 1);
        let then = self.inside(depth);
        let otherwise = if self.rng.chance(40) { self.inside(depth) } else { Vec::new() };
        NodeKind::Around(Frame::If(condition), then, otherwise)
    }

    fn assertion(&mut self) -> String {
        let condition = self.names.expr(self.rng, Kind::Plain, 2);
        format!("assert({condition});")
    }

    /// Distinct variables that can be assigned.
    fn targets(&mut self, n: usize) -> Vec<String> {
        let mut all = self.names.assignable();
        let mut targets = Vec::new();
        while targets.len() < n && !all.is_empty() {
            let idx = self.rng.below(all.len() as u32) as usize;
            targets.push(all.remove(idx).to_owned());
        }
        targets
    }

    fn assignment(&mut self) -> String {
        let n = if self.rng.chance(30) { 2 } else { 1 };
        let targets = self.targets(n);
        if targets.is_empty() {
            return "skip;".to_owned();
        }
        let values: Vec<String> =
            targets.iter().map(|_| self.names.expr(self.rng, Kind::Plain, 1)).collect();
        let constrain = match self.rng.chance(20) {
            true => format!(" constrain {}", self.names.expr(self.rng, Kind::Primed, 2)),
            false => String::new(),
        };
        format!("{} := {}{constrain};", targets.join(", "), values.join(", "))
    }

    fn call(&mut self) -> String {
        let callee = &self.callable[self.rng.below(self.callable.len() as u32) as usize];
        let args: Vec<String> =
            (0..callee.n_params).map(|_| self.names.expr(self.rng, Kind::Plain, 1)).collect();
        let call = format!("{}({});", callee.name, args.join(", "));
        let targets = self.targets(callee.n_results as usize);
        let is_fitting = targets.len() == callee.n_results as usize && !targets.is_empty();
        if is_fitting && self.rng.chance(85) {
            format!("{} := {call}", targets.join(", "))
        } else {
            call
        }
    }

    fn give_back(&mut self) -> String {
        let values: Vec<String> =
            (0..self.n_results).map(|_| self.names.expr(self.rng, Kind::Plain, 1)).collect();
        format!("return {};", values.join(", ")).replace("return ;", "return;")
    }

    fn label(&mut self) -> String {
        if self.n_labels == 0 || self.rng.chance(50) {
            self.n_labels += 1;
        }
        format!("L{}", self.rng.below(self.n_labels))
    }

    /// Statements that are not in every program.
    fn rarity(&mut self) -> String {
        match self.rng.below(16) {
            0 if self.names.has_error => "goto error;".to_owned(),
            0..=2 if self.names.is_braced => self.create_thread(),
            0..=2 => format!("goto {};", self.label()),
            3 => format!("goto {}, {};", self.label(), self.label()),
            4 => format!("start_thread goto {};", self.label()),
            5 => "end_thread;".to_owned(),
            6 => "atomic_begin;".to_owned(),
            7 => "atomic_end;".to_owned(),
            8 => self.give_back(),
            9 if !self.names.assignable().is_empty() => {
                format!("dead {};", self.targets(2).join(", "))
            }
            10 => format!("abortif {};", self.names.expr(self.rng, Kind::Plain, 1)),
            11 if self.rng.chance(30) => self.names.enforcement(self.rng),
            12 | 13 if self.names.has_lock => "acquire(m);".to_owned(),
            14 if self.names.has_lock => "release(m);".to_owned(),
            15 if self.can_broadcast() => self.broadcast(),
            15 if !self.names.assignable().is_empty() => {
                // `release` is the same, and no procedure has that name here.
                let word = ["lock", "release"][self.rng.below(2) as usize];
                format!("{word}({});", self.targets(1)[0])
            }
            _ => "skip;".to_owned(),
        }
    }

    /// Lets a new thread run a procedure, where there is one without parameters.
    fn create_thread(&mut self) -> String {
        let fitting: Vec<&Signature> =
            self.callable.iter().filter(|callee| callee.n_params == 0).collect();
        match fitting.is_empty() {
            true => format!("goto {};", self.label()),
            false => {
                let callee = fitting[self.rng.below(fitting.len() as u32) as usize];
                format!("create_thread(&{});", callee.name)
            }
        }
    }

    /// Do all other threads have the locals of this procedure?
    fn can_broadcast(&self) -> bool {
        self.names.is_main
            && !self.names.is_braced
            && !self.names.is_recursive
            && !self.names.locals.is_empty()
    }

    /// Assigns one or two locals of all other threads, and perhaps something else as well.
    fn broadcast(&mut self) -> String {
        let mut locals = self.names.locals.clone();
        let (mut targets, mut values) = (Vec::new(), Vec::new());
        for _ in 0..self.rng.between(1, 2).min(locals.len() as u32) {
            let idx = self.rng.below(locals.len() as u32) as usize;
            targets.push(format!("{}$", locals.remove(idx)));
            values.push(match self.rng.chance(30) {
                true => "*".to_owned(),
                false => self.names.expr(self.rng, Kind::Passive, 1),
            });
        }
        if self.rng.chance(40) {
            targets.extend(self.targets(1));
            values.push(self.names.expr(self.rng, Kind::Plain, 0));
        }
        let constrain = match self.rng.chance(20) {
            true => format!(" constrain {}", self.names.expr(self.rng, Kind::Primed, 1)),
            false => String::new(),
        };
        format!("{} := {}{constrain};", targets.join(", "), values.join(", "))
    }

    /// Puts a label before some statement.
    fn place(&mut self, body: &mut Vec<Node>, label: String) {
        if body.iter().all(|node| node.label.is_some()) {
            body.push(Node::line("skip;".to_owned()));
        }
        let idx = self.rng.below(body.len() as u32) as usize;
        let node = &mut body[idx];
        match (&mut node.kind, self.rng.chance(40)) {
            (NodeKind::Around(frame, inside, _), true) if *frame != Frame::Block => {
                self.place(inside, label);
            }
            _ if node.label.is_none() => node.label = Some(label),
            _ => self.place(body, label),
        }
    }
}
