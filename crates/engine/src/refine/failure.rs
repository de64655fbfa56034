//! Retells a run that is not allowed in the stores of the two programs.

use model::{Interaction, NotAllowed, RefinementFailure, StopReason};

use super::incomplete;
use super::search::{Mismatch, RefinementSearch, SimulationPair, TakenStep};

impl RefinementSearch<'_> {
    /// The run to a finding, with what the specification allows at its end.
    pub(super) fn reconstruct(
        &mut self,
        finding: &Mismatch,
    ) -> Result<RefinementFailure, StopReason> {
        let (start, mut taken) = self.way_to(finding.node);
        taken.extend(finding.taken);
        let mut steps: Vec<Interaction> =
            taken.iter().map(|taken| self.interaction(taken)).collect();
        if let Some(taken) = finding.taken.filter(|taken| taken.moved.is_error) {
            let last = steps.last_mut().ok_or_else(|| lost("its last step"))?;
            self.end_in_error(last, finding.node.local, taken)?;
        }
        let (specification, allowed) = match finding.not_allowed {
            NotAllowed::Start => {
                let mut allowed = self.question.specification.initial_shared();
                allowed.sort_unstable();
                allowed.dedup();
                (Vec::new(), allowed)
            }
            _ => {
                let at = self.stands_for[finding.shared as usize];
                let settled = self.specification.settled(finding.node.set, at)?;
                (self.specification.stores(settled), self.specification.allowed(settled, at)?)
            }
        };
        Ok(RefinementFailure {
            shared: self.implementation.shared(start.shared).clone(),
            local: self.implementation.local(start.local).clone(),
            steps,
            not_allowed: finding.not_allowed.clone(),
            specification,
            allowed,
        })
    }

    /// Where the run to a node starts, and its steps.
    fn way_to(&self, node: SimulationPair) -> (SimulationPair, Vec<TakenStep>) {
        let mut taken = Vec::new();
        let mut node = node;
        while let Some((before, step)) = node.from {
            taken.push(step);
            node = self.nodes[before as usize];
        }
        taken.reverse();
        (node, taken)
    }

    fn interaction(&self, taken: &TakenStep) -> Interaction {
        let TakenStep { before, moved } = *taken;
        let label = self.question.implementation.narrator().label(moved.label);
        Interaction {
            before: self.implementation.shared(before).clone(),
            after: self.implementation.shared(moved.shared.unwrap_or(before)).clone(),
            local: moved.local.map(|local| self.implementation.local(local).clone()),
            label: label.text,
            span: label.span,
        }
    }

    /// Shows what an error leaves. That may be anything: nobody looks at it.
    fn end_in_error(
        &self,
        step: &mut Interaction,
        local: u32,
        TakenStep { before, moved }: TakenStep,
    ) -> Result<(), StopReason> {
        let end = self.implementation.error_end(local, before, moved.idx);
        let end = end.ok_or_else(|| lost("its error"))?;
        if self.implementation.shared_number(&end.shared).is_some() {
            step.after = end.shared;
        }
        step.local = end.local;
        Ok(())
    }
}

fn lost(what: &str) -> StopReason {
    incomplete(format!("a mistake of ours: a run cannot be reported without {what}"))
}
