//! The same program with whole stacks as local stores: runs are told and replayed in it.
//!
//! There is no bound on the depth of stacks, so no engine can list its local stores unless
//! recursion ends; whoever searches it bounds the depth, and says so.

use model::{
    Footprint, LabelId, Narrator, NewThread, PushdownProgram, PushdownStep, PushdownSteps,
    Requirements, Span, StackChange, StepError, StepLabel, StepParts, Steps, Store, TargetShape,
    Template, ThreadProgram, Variant,
};

use super::Stacks;
use super::layout::{Frame, Top, bit, pack_stack, unpack_stack};
use crate::boolprog::code::Label;

/// What a program with stacks needs to be one of threads.
#[derive(Debug)]
pub(super) struct StackThreads {
    templates: Vec<Template>,
}

impl StackThreads {
    /// Threads that start with these tops and nothing below.
    pub fn new(templates: &[Template]) -> StackThreads {
        let whole = |template: &Template| Template {
            initial: template.initial.iter().map(|top| pack_stack(&[], top.bytes())).collect(),
            ..template.clone()
        };
        StackThreads { templates: templates.iter().map(whole).collect() }
    }
}

impl Stacks {
    /// Adds a step of a thread with these frames.
    fn add(&self, frames: &[&[u8]], step: &PushdownStep, is_return: bool, out: &mut Steps) {
        let below = &frames[..frames.len() - usize::from(is_return && !frames.is_empty())];
        let (local, top) = match &step.end {
            StackChange::Top(top) => (Some(pack_stack(below, top.bytes())), Some(top)),
            StackChange::Call { top, frame } => {
                let mut frames = frames.to_vec();
                frames.push(frame.bytes());
                (Some(pack_stack(&frames, top.bytes())), Some(top))
            }
            StackChange::Ended => (None, None),
        };
        let in_atomic = top.is_some_and(|top| self.is_atomic(top.bytes()));
        let shared = self.with_section(step.shared.bytes(), in_atomic);
        let spawned = step.spawned.as_ref().map(|new| match new {
            NewThread::Fresh(top) => pack_stack(&[], top.bytes()),
            NewThread::Copied(top) => pack_stack(frames, top.bytes()),
        });
        let spawned: Vec<&[u8]> = spawned.iter().map(Store::bytes).collect();
        out.push(StepParts {
            shared: &shared,
            local: local.as_ref().map(Store::bytes).filter(|_| step.violation.is_none()),
            spawned: &spawned,
            broadcast: None,
            footprint: Footprint::Everything,
            label: step.label,
            violation: step.violation.as_ref().map(StepError::borrowed),
        });
    }

    /// The bit after the variables: is some thread in an atomic section?
    fn section_bit(&self) -> usize {
        self.machine.code.shared.len()
    }

    fn with_section(&self, shared: &[u8], in_atomic: bool) -> Vec<u8> {
        let mut bytes = shared.to_vec();
        let (at, mask) = (self.section_bit() / 8, 1 << (self.section_bit() % 8));
        bytes[at] = if in_atomic { bytes[at] | mask } else { bytes[at] & !mask };
        bytes
    }

    fn top_of(&self, local: &[u8]) -> Option<(Vec<Frame>, Top)> {
        let (frames, top) = unpack_stack(local)?;
        let n_locals = |procedure| self.machine.n_locals(procedure);
        let frames: Option<Vec<Frame>> =
            frames.into_iter().map(|frame| Frame::unpack(frame, n_locals)).collect();
        Some((frames?, self.machine.unpack(top)?))
    }

    fn place(&self, procedure: usize, instruction: usize) -> &(String, Span) {
        &self.locations[self.first_locations[procedure] as usize + instruction]
    }
}

impl ThreadProgram for Stacks {
    fn variant(&self) -> Variant {
        Variant::named("with stacks")
    }

    fn initial_shared(&self) -> Vec<Store> {
        self.initial_shared.clone()
    }

    fn templates(&self) -> &[Template] {
        &self.threads.templates
    }

    fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
        let Some((frames, top)) = unpack_stack(local) else { return };
        // Somebody else is in an atomic section.
        if bit(shared, self.section_bit()) && !self.is_atomic(top) {
            return;
        }
        let mut found = PushdownSteps::default();
        PushdownProgram::steps(self, shared, top, &mut found);
        found.steps.iter().for_each(|step| self.add(&frames, step, false, out));
        let mut returns = PushdownSteps::default();
        self.returns(shared, top, frames.last().copied(), &mut returns);
        returns.steps.iter().for_each(|step| self.add(&frames, step, true, out));
        if let Some(why) = found.incomplete.or(returns.incomplete) {
            out.set_incomplete(why);
        }
    }

    fn requirements(&self) -> &dyn Requirements {
        self
    }

    fn narrator(&self) -> &dyn Narrator {
        self
    }
}

impl Requirements for Stacks {
    fn targets(&self) -> &[TargetShape] {
        &[]
    }

    fn target_shared(&self, _: usize, _: &[u8]) -> bool {
        false
    }

    fn target_local(&self, _: usize, _: usize, _: &[u8], _: &[u8]) -> bool {
        false
    }
}

impl Narrator for Stacks {
    fn label(&self, label: LabelId) -> StepLabel {
        match self.machine.code.labels.get(label.0 as usize) {
            Some(Label { text, span }) => StepLabel { text: text.clone(), span: Some(*span) },
            None => StepLabel { text: format!("statement {}", label.0), span: None },
        }
    }

    fn describe_shared(&self, shared: &[u8]) -> String {
        let variables = self.machine.code.shared.iter().enumerate();
        let values = variables
            .map(|(idx, variable)| format!("{}={}", variable.name, u8::from(bit(shared, idx))));
        values.collect::<Vec<_>>().join(" ")
    }

    /// Where the thread is with its values, and who called that: `f:7 p=1 < f:9 < main:20`.
    fn describe_local(&self, local: &[u8]) -> String {
        let Some((frames, top)) = self.top_of(local) else { return "nowhere".to_owned() };
        let (place, _) = self.place(top.procedure, top.instruction);
        let live = &self.machine.live[top.procedure][top.instruction];
        let names = &self.machine.code.procedures[top.procedure].locals;
        let locals = names.iter().zip(&top.locals).zip(live).filter(|(_, is_live)| **is_live);
        let locals = locals.map(|((name, value), _)| format!(" {name}={}", u8::from(*value)));
        let held = self.machine.code.owned.iter().zip(&top.held).filter(|(_, held)| **held);
        let held = held
            .map(|(&lock, _)| format!(" holds {}", self.machine.code.shared[lock as usize].name));
        let callers = frames
            .iter()
            .rev()
            .map(|frame| format!(" < {}", self.place(frame.procedure, frame.instruction).0));
        [place.clone()].into_iter().chain(locals).chain(held).chain(callers).collect()
    }

    fn position(&self, local: &[u8]) -> Option<Span> {
        let (_, top) = self.top_of(local)?;
        Some(self.place(top.procedure, top.instruction).1)
    }
}

#[cfg(test)]
mod tests {
    use model::{SourceFile, Steps, Store, ThreadProgram};

    use crate::{Inputs, Language, Model, load};

    /// Asks something of a program that calls itself.
    fn ask<T>(text: &str, question: impl FnOnce(&dyn ThreadProgram) -> T) -> T {
        let files = [SourceFile { name: "a.bp".to_owned(), text: text.to_owned() }];
        let (model, diagnostics) = load(&Inputs::of(&files, Language::BooleanProgram));
        let Some(Model::Boolean(program)) = model else { panic!("{diagnostics:#?}") };
        question(program.pushdown().expect("it calls itself").threads())
    }

    /// Where one thread can be after so many steps.
    fn reached(stacks: &dyn ThreadProgram, n_steps: usize) -> Vec<(Store, Store)> {
        let initial = &stacks.templates()[0].initial[0];
        let starts = stacks.initial_shared().into_iter();
        let mut at: Vec<(Store, Store)> = starts.map(|shared| (shared, initial.clone())).collect();
        for _ in 0..n_steps {
            at = at.iter().flat_map(|(shared, local)| ends(stacks, shared, local)).collect();
        }
        at
    }

    /// Where steps of a thread lead that does not end.
    fn ends(stacks: &dyn ThreadProgram, shared: &Store, local: &Store) -> Vec<(Store, Store)> {
        let mut steps = Steps::new();
        stacks.steps(shared.bytes(), local.bytes(), &mut steps);
        let ends = steps.iter();
        ends.filter_map(|step| Some((Store::new(step.shared()), Store::new(step.local()?))))
            .collect()
    }

    /// The local stores that one thread can come to, as they are told.
    fn told(text: &str, n_steps: usize) -> Vec<String> {
        ask(text, |stacks| {
            let locals = reached(stacks, n_steps).into_iter().map(|(_, local)| local);
            locals.map(|local| stacks.narrator().describe_local(local.bytes())).collect()
        })
    }

    #[test]
    fn frames_are_pushed_by_calls_and_popped_by_returns() {
        let text = "decl g := 0;\nbool f(p) begin\n  decl r;\n  if p then\n    r := f(!p);\n  \
                    fi;\n  g := !g;\n  return !p;\nend\nvoid main() begin\n  decl l := 1;\n  \
                    l := f(l);\n  g := l;\nend\n";
        assert_eq!(told(text, 1), ["f:4 p=1 < main:12"]);
        assert_eq!(told(text, 3), ["f:4 p=0 < f:5 < main:12"]);
        assert_eq!(told(text, 5), ["f:8 p=0 < f:5 < main:12"]);
        assert_eq!(told(text, 6), ["f:7 p=1 < main:12"]);
        assert_eq!(told(text, 8), ["main:13 l=0"]);
    }

    #[test]
    fn nobody_else_steps_while_a_thread_is_in_a_section() {
        let text = "decl g := 0;\nvoid f() begin\n  g := !g;\n  if * then call f(); fi;\nend\n\
                    void main() begin\n  atomic_begin;\n  g := !g;\n  g := !g;\n  \
                    atomic_end;\n  call f();\nend\n";
        let n_steps_of_another = |n_steps| {
            ask(text, |stacks| {
                let start = &stacks.templates()[0].initial[0];
                let at = reached(stacks, n_steps);
                at.iter().map(|(shared, _)| ends(stacks, shared, start).len()).sum::<usize>()
            })
        };
        assert_eq!([0, 1, 2, 3, 4].map(n_steps_of_another), [1, 0, 0, 0, 1]);
    }
}
