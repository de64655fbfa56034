//! A Boolean program as threads run it: the `ThreadProgram` of its flow.
//!
//! A step takes one edge, and goes on as long as no other thread can notice (quiet
//! locations, and whole atomic sections) up to just before the next edge that others
//! notice. Nothing is enumerated before somebody asks.
//!
//! **Stuck.** A thread that gets stuck within an atomic section stops everybody, so such a
//! way leads to no step at all. One that gets stuck at a quiet location is stuck for ever:
//! it ends, so that what it did before is seen.
//! **Read first** `run.rs`.

mod choices;
mod listing;
mod quiet;
mod run;
mod take;

use std::sync::Arc;

use model::{
    BooleanFlow, BroadcastId, LabelId, LocationId, Narrator, PushdownProgram, Requirements, Span,
    StepEnd, StepLabel, Steps, Store, TargetShape, Template, ThreadProgram, Variant,
};

use super::ast;
use super::code::Label;
use super::flow::Built;
use super::reduce::{self, Reductions};
use super::stacks::{self, Stacks};
use quiet::Quiet;

/// Values at the start that are tried one by one: of the shared variables, and of the
/// locals of a thread.
pub(super) const MAX_FREE_BITS: usize = 14;

/// A Boolean program.
#[derive(Clone, Debug)]
pub struct BooleanProgram {
    parts: Arc<Parts>,
    quiet: Quiet,
    templates: Vec<Template>,
    /// Why it cannot be looked at value by value.
    unwieldy: Option<String>,
    fine: Option<Box<BooleanProgram>>,
    /// The same program with stacks, where recursion is cut off in this one.
    stacks: Option<Arc<Stacks>>,
}

/// The meaning of a program that was made smaller, with the same errors.
pub const REDUCED: Variant = Variant::named("reduced");

/// What coarse and fine steps have in common.
#[derive(Debug)]
struct Parts {
    /// As it was written.
    syntax: ast::Program,
    built: Built,
    labels: Vec<Label>,
    /// Per location, the locals that matter there.
    live: Vec<Vec<bool>>,
    variant: Variant,
}

impl BooleanProgram {
    pub(crate) fn new(
        syntax: ast::Program,
        built: Built,
        labels: Vec<Label>,
        reductions: Reductions,
    ) -> BooleanProgram {
        let live = reduce::liveness::live(&built.flow);
        let variant = if reductions == Reductions::NONE { Variant::AS_WRITTEN } else { REDUCED };
        let parts = Arc::new(Parts { syntax, built, labels, live, variant });
        let quiet = Quiet::of(&parts.built.flow, reductions);
        let mut program = BooleanProgram::stepping(&parts, quiet);
        if !program.quiet.is_never() {
            let never = Quiet::never(&parts.built.flow);
            program.fine = Some(Box::new(BooleanProgram::stepping(&parts, never)));
        }
        program
    }

    fn stepping(parts: &Arc<Parts>, quiet: Quiet) -> BooleanProgram {
        let mut program = BooleanProgram {
            parts: Arc::clone(parts),
            quiet,
            templates: Vec::new(),
            unwieldy: unwieldy(&parts.built.flow),
            fine: None,
            stacks: None,
        };
        let threads = &parts.built.flow.threads;
        program.templates = threads
            .iter()
            .map(|thread| Template {
                name: thread.name.clone(),
                initial: program.settled(thread.entry, &thread.locals),
                multiplicity: thread.multiplicity,
            })
            .collect();
        program
    }

    /// The same, beside what it is with stacks.
    pub(crate) fn with_stacks(self, stacks: Option<Stacks>) -> BooleanProgram {
        BooleanProgram { stacks: stacks.map(Arc::new), ..self }
    }

    /// What reads a local store to people: a whole stack, or a place in the graph?
    fn stacks_reading(&self, local: &[u8]) -> Option<&Stacks> {
        self.stacks.as_deref().filter(|_| stacks::is_stack(local))
    }

    /// The program as it was written.
    pub fn syntax(&self) -> &ast::Program {
        &self.parts.syntax
    }

    /// The graph that it steps through.
    pub fn graph(&self) -> &BooleanFlow {
        &self.parts.built.flow
    }

    /// The local stores that a thread with these values comes to before others notice.
    fn settled(&self, entry: LocationId, values: &[Option<bool>]) -> Vec<Store> {
        let flow = self.graph();
        let mut stores: Vec<Store> = all_values(values)
            .flat_map(|values| self.settle(flow.local_store(entry, &values)))
            .collect();
        stores.sort();
        stores.dedup();
        stores
    }

    /// The name of each local variable that matters in a local store, with its value.
    fn locals_of<'p>(&'p self, local: &'p [u8]) -> impl Iterator<Item = (String, bool)> + 'p {
        let built = &self.parts.built;
        let at = built.flow.location(local).map(|location| location.0 as usize);
        let n_locals = at.map_or(0, |_| built.flow.locals.len());
        (0..n_locals).filter_map(move |idx| {
            let at = at.filter(|&at| self.parts.live[at][idx])?;
            let value = built.flow.local_value(local, idx);
            let slot = built.slots[idx];
            let name = built.frames.name(built.names[at], slot);
            Some((name.unwrap_or_else(|| built.flow.locals[idx].name.clone()), value))
        })
    }
}

/// Why values cannot be tried one by one.
fn unwieldy(flow: &BooleanFlow) -> Option<String> {
    let n_free = |values: &[Option<bool>]| values.iter().filter(|value| value.is_none()).count();
    let shared: Vec<Option<bool>> = flow.shared.iter().map(|variable| variable.initial).collect();
    let n_locals = flow.threads.iter().map(|thread| n_free(&thread.locals)).max().unwrap_or(0);
    let n_bits = n_free(&shared).max(n_locals);
    (n_bits > MAX_FREE_BITS).then(|| {
        format!("{n_bits} variables begin with any value: too many to try all values one by one")
    })
}

/// All values where some are open; the first only, where too many are.
pub(super) fn all_values(values: &[Option<bool>]) -> impl Iterator<Item = Vec<bool>> {
    let free: Vec<usize> = (0..values.len()).filter(|&idx| values[idx].is_none()).collect();
    let fixed: Vec<bool> = values.iter().map(|value| value.unwrap_or(false)).collect();
    let n_values = if free.len() > MAX_FREE_BITS { 1 } else { 1_u32 << free.len() };
    (0..n_values).map(move |number| {
        let mut values = fixed.clone();
        // Beyond the digits of a number there are zeros.
        for (bit, &idx) in (0..).zip(&free) {
            values[idx] = number.checked_shr(bit).is_some_and(|rest| rest & 1 == 1);
        }
        values
    })
}

impl ThreadProgram for BooleanProgram {
    fn variant(&self) -> Variant {
        self.parts.variant.clone()
    }

    fn initial_shared(&self) -> Vec<Store> {
        let flow = self.graph();
        let values: Vec<Option<bool>> =
            flow.shared.iter().map(|variable| variable.initial).collect();
        all_values(&values).map(|values| flow.shared_store(&values, false)).collect()
    }

    fn templates(&self) -> &[Template] {
        &self.templates
    }

    fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
        if let Some(why) = &self.unwieldy {
            out.set_incomplete(why.clone());
        }
        self.run(shared, local, out);
    }

    fn steps_to(&self, shared: &[u8], local: &[u8], end: StepEnd<'_>, out: &mut Steps) {
        self.steps(shared, local, out);
        if self.quiet.is_never() {
            self.run_to(shared, local, end, out);
        }
    }

    fn passive(&self, broadcast: BroadcastId, local: &[u8], out: &mut Vec<Store>) {
        self.move_passively(broadcast, local, out);
    }

    fn flow(&self) -> Option<&BooleanFlow> {
        Some(self.graph())
    }

    fn pushdown(&self) -> Option<&dyn PushdownProgram> {
        let stacks = self.stacks.as_deref()?;
        Some(stacks)
    }

    fn fine(&self) -> Option<&dyn ThreadProgram> {
        let fine = self.fine.as_deref()?;
        Some(fine)
    }

    fn requirements(&self) -> &dyn Requirements {
        self
    }

    fn narrator(&self) -> &dyn Narrator {
        self
    }
}

impl Requirements for BooleanProgram {
    fn targets(&self) -> &[TargetShape] {
        &[]
    }

    fn target_shared(&self, _: usize, _: &[u8]) -> bool {
        false
    }

    fn target_local(&self, _: usize, _: usize, _: &[u8], _: &[u8]) -> bool {
        false
    }

    fn questions(&self) -> Vec<String> {
        vec!["no assertion fails".to_owned()]
    }
}

impl Narrator for BooleanProgram {
    fn position(&self, local: &[u8]) -> Option<Span> {
        if let Some(stacks) = self.stacks_reading(local) {
            return stacks.position(local);
        }
        let location = self.graph().location(local)?;
        self.graph().locations[location.0 as usize].span
    }

    fn label(&self, label: LabelId) -> StepLabel {
        match self.parts.labels.get(label.0 as usize) {
            Some(Label { text, span }) => StepLabel { text: text.clone(), span: Some(*span) },
            None => StepLabel { text: format!("statement {}", label.0), span: None },
        }
    }

    fn describe_shared(&self, shared: &[u8]) -> String {
        let flow = self.graph();
        let values = flow.shared.iter().enumerate();
        let values = values.map(|(idx, variable)| {
            format!("{}={}", variable.name, u8::from(flow.shared_value(shared, idx)))
        });
        let in_atomic = flow.shared_value(shared, flow.shared.len());
        let mut parts: Vec<String> = values.collect();
        parts.extend(in_atomic.then(|| "in an atomic section".to_owned()));
        if parts.is_empty() { "nothing".to_owned() } else { parts.join(" ") }
    }

    fn describe_change(&self, before: &[u8], after: &[u8]) -> Option<String> {
        let flow = self.graph();
        let changed =
            |idx: &usize| flow.shared_value(before, *idx) != flow.shared_value(after, *idx);
        let parts: Vec<String> = (0..flow.shared.len())
            .filter(changed)
            .map(|idx| {
                format!("{}={}", flow.shared[idx].name, u8::from(flow.shared_value(after, idx)))
            })
            .collect();
        Some(parts.join(" "))
    }

    fn describe_local(&self, local: &[u8]) -> String {
        if let Some(stacks) = self.stacks_reading(local) {
            return stacks.describe_local(local);
        }
        let flow = self.graph();
        let at = flow
            .location(local)
            .map_or("nowhere", |location| flow.locations[location.0 as usize].name.as_str());
        let values = self.locals_of(local);
        values
            .fold(at.to_owned(), |text, (name, value)| format!("{text} {name}={}", u8::from(value)))
    }
}
