//! Calls and returns: inlined, or one step from the arguments to the results where there is
//! a summary.
//!
//! Either way other threads may step after the arguments are taken and before the results
//! are given, and what the caller enforces is asked of the first of these steps, what the
//! procedure enforces of the last.

use model::{Bit, BitExpr, FlowEdge, LocationId, StepError};

use super::action::{Here, begun_with};
use super::summary::Summary;
use super::{Builder, Key, plain};
use crate::boolprog::code::Place;
use crate::boolprog::stacks::has_broadcasts;

/// Activations of one procedure on top of each other that are followed.
const MAX_ACTIVATIONS: usize = 3;

impl<'a> Builder<'a> {
    pub(super) fn call(
        &mut self,
        here: &Here<'_>,
        callee: usize,
        args: &[BitExpr],
        targets: &[Place],
    ) {
        let procedure = &self.code.procedures[callee];
        let is_summary = self.summary(callee).is_some();
        let n_activations = self.frames.n_activations(here.key.frame, callee);
        if !is_summary && n_activations >= MAX_ACTIVATIONS {
            let because = match has_broadcasts(self.code) {
                true => ", where locals of other threads are assigned to (`l$ := e`)",
                false => "",
            };
            let why = format!(
                "`{}` calls itself: recursion is followed to {MAX_ACTIVATIONS} activations \
                 only{because}",
                procedure.name
            );
            self.edges.push(here.incomplete(why));
            return;
        }
        let site = (here.key.frame, here.key.instruction);
        let frame = self.frames.call(self.code, site, callee, targets);
        let base = self.frames.base(frame);
        let to = self.location(Key { frame, instruction: 0, is_summary, ..here.key });
        let mut edge = here.edge(Some(to));
        for (param, value) in (base..).zip(args) {
            edge.assigns.push((Bit::Local(param), here.expr(value)));
        }
        // Other locals begin as they are declared, which a summary has gone through.
        let others = if is_summary { 0..0 } else { procedure.n_params..procedure.locals.len() };
        for local in others {
            let value = begun_with(procedure.initial[local], &mut edge.n_choices);
            edge.assigns.push((Bit::Local(base + local as u32), value));
        }
        self.edges.push(edge);
    }

    /// The summary of a procedure, where calls are not inlined.
    fn summary(&self, callee: usize) -> Option<&'a Summary> {
        let is_wanted = self.summaries.for_all || self.summaries.recursive[callee];
        self.summaries.known[callee].as_ref().filter(|_| is_wanted)
    }

    /// The steps of a call with a summary that was given its arguments.
    pub(super) fn give_back_at_once(&mut self, id: LocationId, key: Key) {
        let callee = self.frames.procedure(key.frame);
        let (Some(summary), Some((frame, instruction, targets))) =
            (self.summary(callee), self.frames.back(key.frame))
        else {
            return;
        };
        let targets = targets.to_vec();
        let caller = &self.code.procedures[self.frames.procedure(frame)];
        let label = caller.instructions[instruction - 1].label;
        let base = self.frames.base(key.frame);
        let params = 0..self.code.procedures[callee].n_params as u32;
        let params = params.map(|idx| BitExpr::Before(Bit::Local(base + idx)));
        let given = |values: usize| all_equal(params.clone(), values as u32);
        let failing = summary.iter().enumerate().filter(|(_, effect)| effect.fails);
        let guard = failing.fold(BitExpr::FALSE, |any, (values, _)| any.or(given(values)));
        if guard != BitExpr::FALSE {
            let text = &self.code.labels[label as usize].text;
            let what = format!("an assertion in `{text}` fails");
            let violation = Some(StepError::assertion(what));
            self.edges.push(FlowEdge { guard, violation, ..plain(id, None, label) });
        }
        let mut relation = BitExpr::FALSE;
        for (values, effect) in summary.iter().enumerate() {
            let after = || targets.iter().map(|&bit| BitExpr::After(bit));
            let results = effect.results.iter().map(|&results| all_equal(after(), results));
            relation = relation.or(given(values).and(results.fold(BitExpr::FALSE, BitExpr::or)));
        }
        let to = self.location(Key { frame, instruction, is_summary: false, ..key });
        self.edges.push(FlowEdge {
            constraint: relation,
            assigns: targets.iter().copied().zip((0..).map(BitExpr::Choice)).collect(),
            n_choices: targets.len() as u32,
            ..plain(id, Some(to), label)
        });
    }

    pub(super) fn give_back(&mut self, here: &Here<'_>, values: &[BitExpr]) {
        let Some((frame, instruction, targets)) = self.frames.back(here.key.frame) else {
            self.edges.push(here.edge(None));
            return;
        };
        let results = targets.iter().zip(values);
        let assigns = results.map(|(&target, value)| (target, here.expr(value))).collect();
        let to = self.location(Key { frame, instruction, ..here.key });
        self.edges.push(FlowEdge { assigns, ..here.edge(Some(to)) });
    }
}

/// Do the expressions have the values that the bits say?
fn all_equal(exprs: impl Iterator<Item = BitExpr>, bits: u32) -> BitExpr {
    exprs.enumerate().fold(BitExpr::TRUE, |all, (idx, expr)| {
        let is_set = bits >> idx & 1 == 1;
        all.and(if is_set { expr } else { expr.negated() })
    })
}
