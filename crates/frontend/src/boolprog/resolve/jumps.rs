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
    /// The instruction that has a label, and the block that it is in.
    labels: FxHashMap<&'a str, (usize, Block)>,
    open: Vec<Open<'a>>,
    /// Around the current statement, from outside to inside.
    around: Vec<Around>,
    /// The blocks `atomic { … }` around the current statement, from outside to inside.
    blocks: Vec<Block>,
    n_blocks: u32,
}

/// A block `atomic { … }`; 0: none. Jumps stay in their block, since one that leaves it
/// would stay in the section.
type Block = u32;

/// The block of labels that are outside of the procedure.
const NOWHERE: Block = Block::MAX;

/// A jump whose label may still come.
struct Open<'a> {
    at: usize,
    /// The position of the label in the instruction.
    position: usize,
    label: &'a Name,
    block: Block,
}

/// A loop, or a branch, around the current statement.
struct Around {
    /// Where a loop begins.
    head: Option<usize>,
    /// Jumps to behind it.
    leaving: Vec<usize>,
    block: Block,
}

impl<'a> Body<'_, 'a, '_> {
    /// The next instruction has this label.
    pub(super) fn define(&mut self, label: &'a Name) {
        let here = (self.instructions.len(), self.block());
        if self.jumps.labels.insert(&label.text, here).is_some() {
            let message = format!("the label `{}` is defined twice", label.text);
            self.resolver.error("BP006", message, label.span);
        }
    }

    pub(super) fn goto(&mut self, labels: &'a [Name], span: Span) -> Result<(), Trouble> {
        let at = self.push(Action::Goto(vec![usize::MAX; labels.len()]), span);
        let block = self.block();
        let open = labels.iter().enumerate();
        let open = open.map(|(position, label)| Open { at, position, label, block });
        self.jumps.open.extend(open);
        Ok(())
    }

    pub(super) fn start_thread(&mut self, label: &'a Name, span: Span) -> Result<(), Trouble> {
        let at = self.push(Action::StartThread(usize::MAX), span);
        // The new thread is in no section, wherever its creator is.
        self.jumps.open.push(Open { at, position: 0, label, block: 0 });
        Ok(())
    }

    /// The statements of `atomic { … }`.
    pub(super) fn atomic_block(&mut self, body: &'a [Stmt]) {
        self.jumps.n_blocks += 1;
        self.jumps.blocks.push(self.jumps.n_blocks);
        self.statements(body);
        self.jumps.blocks.pop();
    }

    /// The innermost block `atomic { … }`.
    fn block(&self) -> Block {
        self.jumps.blocks.last().copied().unwrap_or(0)
    }

    /// Refuses to leave or enter `atomic { … }` but at its ends.
    pub(super) fn stay_in(&mut self, block: Block, what: &str, span: Span) -> Result<(), Trouble> {
        if self.block() == block {
            return Ok(());
        }
        Err(self.crosses(what, span))
    }

    fn crosses(&mut self, what: &str, span: Span) -> Trouble {
        let message = format!("{what} crosses the border of `atomic {{ … }}`");
        let help = "say `atomic_begin` and `atomic_end`, where a section ends on several ways";
        self.resolver.sink.push(Diagnostic::error("BP015", message, span).help(help));
        Trouble::Reported
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
        let block = self.block();
        self.jumps.around.push(Around { head: None, leaving: Vec::new(), block });
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
        let block = self.block();
        self.jumps.around.push(Around { head: Some(head), leaving: Vec::new(), block });
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
        self.stay_in(self.jumps.around[idx].block, "`break`", span)?;
        let at = self.push(Action::Goto(Vec::new()), span);
        self.jumps.around[idx].leaving.push(at);
        Ok(())
    }

    pub(super) fn repeat(&mut self, span: Span) -> Result<(), Trouble> {
        let mut loops = self.jumps.around.iter().rev();
        let innermost = loops.find_map(|around| Some((around.head?, around.block)));
        let Some((head, block)) = innermost else {
            return Err(self.resolver.error("BP007", "`continue` is in no loop", span).into());
        };
        self.stay_in(block, "`continue`", span)?;
        self.push(Action::Goto(vec![head]), span);
        Ok(())
    }

    /// At the end of the procedure all labels are known.
    pub(super) fn settle_jumps(&mut self) {
        for Open { at, position, label, block } in std::mem::take(&mut self.jumps.open) {
            let to = match self.jumps.labels.get(label.text.as_str()) {
                Some(&(to, there)) if there == block || there == NOWHERE => to,
                Some(&(to, _)) => {
                    self.crosses("the jump", label.span);
                    to
                }
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
        self.jumps.labels.insert(&label.text, (at, NOWHERE));
        at
    }
}
