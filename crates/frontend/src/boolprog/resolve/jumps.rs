//! Labels, jumps, branches and loops of one procedure.

use model::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::Trouble;
use super::expr::Context;
use super::stmt::Body;
use crate::boolprog::ast::{Expr, Name, Stmt};
use crate::boolprog::code::Action;
use crate::suggest::did_you_mean;

/// What is known of labels and loops so far.
#[derive(Default)]
pub(super) struct Jumps<'a> {
    labels: FxHashMap<&'a str, usize>,
    /// Jumps whose labels may still come: the instruction, and the label with its position
    /// in it.
    open: Vec<(usize, usize, &'a Name)>,
    /// Around the current statement, from outside to inside.
    around: Vec<Around>,
}

/// A loop, or a branch, around the current statement.
struct Around {
    /// Where a loop begins.
    head: Option<usize>,
    /// Jumps to behind it.
    leaving: Vec<usize>,
}

impl<'a> Body<'_, 'a, '_> {
    /// The next instruction has this label.
    pub(super) fn define(&mut self, label: &'a Name) {
        let here = self.instructions.len();
        if self.jumps.labels.insert(&label.text, here).is_some() {
            let message = format!("the label `{}` is there twice", label.text);
            self.resolver.error("BP006", message, label.span);
        }
    }

    pub(super) fn goto(&mut self, labels: &'a [Name], span: Span) -> Result<(), Trouble> {
        let at = self.push(Action::Goto(vec![usize::MAX; labels.len()]), span);
        let open = labels.iter().enumerate().map(|(position, label)| (at, position, label));
        self.jumps.open.extend(open);
        Ok(())
    }

    pub(super) fn start_thread(&mut self, label: &'a Name, span: Span) -> Result<(), Trouble> {
        let at = self.push(Action::StartThread(usize::MAX), span);
        self.jumps.open.push((at, 0, label));
        Ok(())
    }

    pub(super) fn branch(
        &mut self,
        condition: &Expr,
        then: &'a [Stmt],
        otherwise: &'a [Stmt],
        span: Span,
    ) -> Result<(), Trouble> {
        let value = self.expr(condition, Context::Plain)?;
        let test = self.push(Action::Test(value, usize::MAX), condition.span);
        self.jumps.around.push(Around { head: None, leaving: Vec::new() });
        self.statements(then);
        let over = (!otherwise.is_empty()).then(|| self.push(Action::Goto(Vec::new()), span));
        self.aim(test, self.instructions.len());
        self.statements(otherwise);
        self.land(over);
        Ok(())
    }

    pub(super) fn repetition(&mut self, condition: &Expr, body: &'a [Stmt]) -> Result<(), Trouble> {
        let value = self.expr(condition, Context::Plain)?;
        let head = self.push(Action::Test(value, usize::MAX), condition.span);
        self.jumps.around.push(Around { head: Some(head), leaving: Vec::new() });
        self.statements(body);
        self.push(Action::Goto(vec![head]), condition.span);
        self.land(Some(head));
        Ok(())
    }

    /// What leaves the innermost loop or branch goes on here, and so does `also`.
    fn land(&mut self, also: Option<usize>) {
        let here = self.instructions.len();
        let around = self.jumps.around.pop();
        let leaving = around.into_iter().flat_map(|around| around.leaving);
        for at in leaving.chain(also).collect::<Vec<_>>() {
            self.aim(at, here);
        }
    }

    fn aim(&mut self, at: usize, to: usize) {
        match &mut self.instructions[at].action {
            Action::Goto(targets) => *targets = vec![to],
            Action::Test(_, otherwise) => *otherwise = to,
            _ => {}
        }
    }

    /// `break` leaves the innermost loop, or outside of loops the innermost branch.
    pub(super) fn leave(&mut self, span: Span) -> Result<(), Trouble> {
        let around = &self.jumps.around;
        let innermost = around.iter().rposition(|around| around.head.is_some());
        let Some(idx) = innermost.or(around.len().checked_sub(1)) else {
            let message = "`break` is in no loop and no branch";
            return Err(self.resolver.error("BP007", message, span).into());
        };
        let at = self.push(Action::Goto(Vec::new()), span);
        self.jumps.around[idx].leaving.push(at);
        Ok(())
    }

    pub(super) fn repeat(&mut self, span: Span) -> Result<(), Trouble> {
        let Some(head) = self.jumps.around.iter().rev().find_map(|around| around.head) else {
            return Err(self.resolver.error("BP007", "`continue` is in no loop", span).into());
        };
        self.push(Action::Goto(vec![head]), span);
        Ok(())
    }

    /// At the end of the procedure all labels are known.
    pub(super) fn settle_jumps(&mut self) {
        for (at, position, label) in std::mem::take(&mut self.jumps.open) {
            let to = match self.jumps.labels.get(label.text.as_str()) {
                Some(&to) => to,
                None => self.elsewhere(label),
            };
            match &mut self.instructions[at].action {
                Action::Goto(targets) => targets[position] = to,
                Action::StartThread(target) => *target = to,
                _ => {}
            }
        }
    }

    /// A label that the procedure does not have: the error, or a mistake.
    fn elsewhere(&mut self, label: &'a Name) -> usize {
        let errors = &self.resolver.program.error_labels;
        let action = if errors.iter().any(|error| error.text == label.text) {
            Action::Error(format!("the label `{}` is reached", label.text))
        } else {
            let message = format!("there is no label `{}` in this procedure", label.text);
            let mut diagnostic = Diagnostic::error("BP005", message.clone(), label.span);
            let mut known: Vec<&str> = self.jumps.labels.keys().copied().collect();
            known.sort_unstable();
            if let Some(help) = did_you_mean(&label.text, known.into_iter()) {
                diagnostic = diagnostic.help(help);
            }
            if let Trouble::Opaque(why) = self.resolver.unknown(diagnostic) {
                let warning = Diagnostic::warning("BP012", why, label.span);
                self.resolver.sink.push(warning.help("nothing is said about what happens there"));
            }
            Action::Opaque(message)
        };
        let at = self.push(action, label.span);
        self.jumps.labels.insert(&label.text, at);
        at
    }
}
