//! Statements.

use crate::murphi::typed::{Expr, PutItem, Stmt, StmtKind};

use super::{Printer, text_of};

impl Printer<'_> {
    /// Statements, one below the other.
    pub(super) fn block(&mut self, statements: &[Stmt]) {
        self.depth += 1;
        statements.iter().for_each(|statement| self.statement(&statement.kind));
        self.depth -= 1;
    }

    fn statement(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::If(arms) => self.branches(arms),
            StmtKind::Switch { subject, arms, otherwise } => self.switch(subject, arms, otherwise),
            StmtKind::For { local, domain, body } => {
                let domain = self.domain(domain, self.scope.locals[local.0 as usize].ty);
                let bound = self.scope.bind(*local);
                self.line(&format!("for {bound}{domain} do"));
                self.block(body);
                self.scope.unbind(*local);
                self.line("endfor;");
            }
            StmtKind::While(condition, body) => {
                let condition = self.condition(condition);
                self.line(&format!("while {condition} do"));
                self.block(body);
                self.line("endwhile;");
            }
            StmtKind::Alias { local, target, body } => {
                let target = self.argument(target, self.scope.locals[local.0 as usize].ty);
                let bound = self.scope.bind(*local);
                self.line(&format!("alias {bound} : {target} do"));
                self.block(body);
                self.scope.unbind(*local);
                self.line("endalias;");
            }
            StmtKind::Put(items) => items.iter().for_each(|item| self.put(item)),
            _ => {
                let text = self.simple(kind);
                self.line(&format!("{text};"));
            }
        }
    }

    /// A statement on a line of its own.
    fn simple(&mut self, kind: &StmtKind) -> String {
        match kind {
            StmtKind::Assign(target, source) => {
                let place = self.place(target);
                format!("{place} := {}", self.argument(source, target.ty))
            }
            StmtKind::Call(function, arguments) => self.call(*function, arguments),
            StmtKind::Clear(place) => format!("clear {}", self.place(place)),
            StmtKind::Undefine(place) => format!("undefine {}", self.place(place)),
            StmtKind::Error(text) => format!("error \"{}\"", text_of(text)),
            StmtKind::Assert(condition, text) => {
                format!("assert {}{}", self.condition(condition), behind(text))
            }
            StmtKind::Assume(condition) => format!("assume {}", self.condition(condition)),
            StmtKind::Cover(condition, id) => {
                let name = &self.program.covers[id.0 as usize].name;
                format!("cover {}{}", self.condition(condition), behind(name))
            }
            StmtKind::Return(None) => "return".to_owned(),
            StmtKind::Return(Some(value)) => format!("return {}", self.expr(value, self.returns)),
            StmtKind::MultisetAdd(multiset, element) => {
                let ty = self.element_type(multiset.ty);
                let element = self.argument(element, ty);
                format!("multisetadd({element}, {})", self.place(multiset))
            }
            StmtKind::MultisetRemove(multiset, slot) => {
                let slot = self.expr(slot, None);
                format!("multisetremove({slot}, {})", self.place(multiset))
            }
            StmtKind::MultisetRemoveIf { local, multiset, condition } => {
                let multiset = self.place(multiset);
                let bound = self.scope.bind(*local);
                let condition = self.condition(condition);
                self.scope.unbind(*local);
                format!("multisetremovepred({bound} : {multiset}, {condition})")
            }
            _ => unreachable!("statements with parts have lines of their own"),
        }
    }

    fn branches(&mut self, arms: &[(Option<Expr>, Vec<Stmt>)]) {
        for (idx, (condition, body)) in arms.iter().enumerate() {
            match condition {
                Some(condition) => {
                    let condition = self.condition(condition);
                    let word = if idx == 0 { "if" } else { "elsif" };
                    self.line(&format!("{word} {condition} then"));
                }
                None => self.line("else"),
            }
            self.block(body);
        }
        self.line("endif;");
    }

    fn switch(&mut self, subject: &Expr, arms: &[(Vec<Expr>, Vec<Stmt>)], otherwise: &[Stmt]) {
        let of_cases = arms.iter().flat_map(|arm| &arm.0).find_map(|value| self.type_of(value));
        let ty = self.type_of(subject).or(of_cases);
        let subject = self.expr(subject, ty);
        self.line(&format!("switch {subject}"));
        for (values, body) in arms.iter().filter(|arm| !arm.0.is_empty()) {
            let values: Vec<String> = values.iter().map(|value| self.expr(value, ty)).collect();
            self.line(&format!("case {}:", values.join(", ")));
            self.block(body);
        }
        if !otherwise.is_empty() {
            self.line("else");
            self.block(otherwise);
        }
        self.line("endswitch;");
    }

    fn put(&mut self, item: &PutItem) {
        let text = match item {
            PutItem::Text(text) => format!("put \"{}\";", text_of(text)),
            PutItem::Value(value) => format!("put {};", self.expr(value, None)),
            PutItem::Place(place) => format!("put {};", self.place(place)),
        };
        self.line(&text);
    }
}

/// A text behind a condition, where there is one.
fn behind(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" \"{}\"", text_of(text)) }
}
