//! Two thread programs side by side: one thread of each, over the same shared stores.
//!
//! F1 || F2 in Beacon's rules (1) to (4). A step is one of either program; a run starts where
//! both may start. Whether equal bytes mean the same shared store to both programs, only the
//! caller can know.
//!
//! A local store is that of its program with one byte before it, which says whose it is. Targets
//! are those of both; slots are filled by threads of the program that the target is of. A
//! broadcast moves threads of its own program alone.
//!
//! Deliberately absent: footprints, since objects of the two programs need not be the same, and
//! all questions about deadlocks, races and runs without end; programs that ask them are refused.

use crate::narrator::{LabelId, Narrator, StepLabel};
use crate::requirements::{Requirements, TargetShape};
use crate::source::Span;
use crate::steps::{Footprint, StepParts, StepRef, Steps};
use crate::store::Store;
use crate::thread_program::{BroadcastId, Multiplicity, Template, ThreadProgram};

/// One thread of each of two programs.
#[derive(Clone)]
pub struct SideBySide<'a> {
    programs: [&'a dyn ThreadProgram; 2],
    /// What the programs are called in reports.
    names: [&'static str; 2],
    initial: Vec<Store>,
    templates: Vec<Template>,
    targets: Vec<TargetShape>,
}

/// Which of the two programs.
type Side = usize;

impl<'a> SideBySide<'a> {
    /// The two programs, which are called `names` in reports. Where a program has another
    /// number of threads, one is taken all the same.
    ///
    /// # Errors
    /// Why they cannot run like that, as a sentence without a full stop.
    pub fn new(
        programs: [&'a dyn ThreadProgram; 2],
        names: [&'static str; 2],
    ) -> Result<SideBySide<'a>, String> {
        for (program, name) in programs.iter().zip(names) {
            refuse_other_questions(*program, name)?;
        }
        let others = programs[1].initial_shared();
        let mut initial = programs[0].initial_shared();
        initial.retain(|store| others.contains(store));
        if initial.is_empty() {
            let [first, second] = names;
            return Err(format!(
                "there is no shared store that both {first} and {second} start in"
            ));
        }
        let mut side_by_side =
            SideBySide { programs, names, initial, templates: Vec::new(), targets: Vec::new() };
        for side in [0, 1] {
            let template = side_by_side.template(side)?;
            side_by_side.templates.push(template);
            let targets = programs[side].requirements().targets().iter();
            side_by_side.targets.extend(targets.map(|shape| renamed(shape, names[side])));
        }
        Ok(side_by_side)
    }

    fn template(&self, side: Side) -> Result<Template, String> {
        let name = self.names[side];
        match self.programs[side].templates() {
            [template] if !template.initial.is_empty() => Ok(Template {
                name: format!("{name}:{}", template.name),
                initial: template.initial.iter().map(|own| tagged(side, own.bytes())).collect(),
                multiplicity: Multiplicity::Exactly(1),
            }),
            [_] => Err(format!("the thread of {name} cannot start")),
            kinds => Err(format!("{name} has {} kinds of threads, not one", kinds.len())),
        }
    }

    /// The program that a local store is of, and the store as it has it.
    fn split<'s>(&self, local: &'s [u8]) -> Option<(Side, &'a dyn ThreadProgram, &'s [u8])> {
        let (&tag, own) = local.split_first()?;
        let side = Side::from(tag);
        self.programs.get(side).map(|program| (side, *program, own))
    }

    /// The program that a target is of, and the number that it has there.
    fn target(&self, target: usize) -> (Side, usize) {
        let n_first = self.programs[0].requirements().targets().len();
        if target < n_first { (0, target) } else { (1, target - n_first) }
    }

    /// Adds the steps of one of the programs.
    fn take(side: Side, steps: &Steps, out: &mut Steps) {
        if let Some(why) = steps.incomplete() {
            out.set_incomplete(why);
        }
        for step in steps.iter() {
            push(side, step, out);
        }
    }
}

impl ThreadProgram for SideBySide<'_> {
    fn initial_shared(&self) -> Vec<Store> {
        self.initial.clone()
    }

    fn templates(&self) -> &[Template] {
        &self.templates
    }

    fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
        let Some((side, program, own)) = self.split(local) else { return };
        let mut steps = Steps::new();
        program.steps(shared, own, &mut steps);
        SideBySide::take(side, &steps, out);
    }

    fn environment_steps(&self, shared: &[u8], out: &mut Steps) {
        for (side, program) in self.programs.iter().enumerate() {
            let mut steps = Steps::new();
            program.environment_steps(shared, &mut steps);
            SideBySide::take(side, &steps, out);
        }
    }

    fn passive(&self, broadcast: BroadcastId, local: &[u8], out: &mut Vec<Store>) {
        let Some((side, program, own)) = self.split(local) else { return };
        let (whose, number) = split_number(broadcast.0);
        if whose == side {
            let mut becomes = Vec::new();
            program.passive(BroadcastId(number), own, &mut becomes);
            out.extend(becomes.iter().map(|own| tagged(side, own.bytes())));
        }
    }

    fn is_over(&self, shared: &[u8]) -> bool {
        self.programs.iter().any(|program| program.is_over(shared))
    }

    fn requirements(&self) -> &dyn Requirements {
        self
    }

    fn narrator(&self) -> &dyn Narrator {
        self
    }
}

impl Requirements for SideBySide<'_> {
    fn targets(&self) -> &[TargetShape] {
        &self.targets
    }

    fn target_shared(&self, target: usize, shared: &[u8]) -> bool {
        let (side, own) = self.target(target);
        self.programs[side].requirements().target_shared(own, shared)
    }

    fn target_local(&self, target: usize, slot: usize, shared: &[u8], local: &[u8]) -> bool {
        let (whose, number) = self.target(target);
        self.split(local).is_some_and(|(side, program, own)| {
            side == whose && program.requirements().target_local(number, slot, shared, own)
        })
    }

    fn questions(&self) -> Vec<String> {
        let mut questions: Vec<String> = Vec::new();
        for program in self.programs {
            for question in program.requirements().questions() {
                if !questions.contains(&question) {
                    questions.push(question);
                }
            }
        }
        questions
    }
}

impl Narrator for SideBySide<'_> {
    fn position(&self, local: &[u8]) -> Option<Span> {
        let (_, program, own) = self.split(local)?;
        program.narrator().position(own)
    }

    fn label(&self, label: LabelId) -> StepLabel {
        let (side, number) = split_number(label.0);
        self.programs[side].narrator().label(LabelId(number))
    }

    fn describe_shared(&self, shared: &[u8]) -> String {
        self.programs[0].narrator().describe_shared(shared)
    }

    fn describe_change(&self, before: &[u8], after: &[u8]) -> Option<String> {
        self.programs[0].narrator().describe_change(before, after)
    }

    fn describe_local(&self, local: &[u8]) -> String {
        match self.split(local) {
            Some((side, program, own)) => {
                format!("{}:{}", self.names[side], program.narrator().describe_local(own))
            }
            None => "?".to_owned(),
        }
    }
}

/// Are targets and steps that are errors all that is asked?
fn refuse_other_questions(program: &dyn ThreadProgram, name: &str) -> Result<(), String> {
    let abstraction = program.matching_abstraction().map(|_| "an abstraction");
    match program.requirements().beyond_targets().or(abstraction) {
        Some(what) => Err(format!("{name} asks about {what}, which two programs do not")),
        None => Ok(()),
    }
}

/// A target that speaks of threads says whose.
fn renamed(shape: &TargetShape, program: &str) -> TargetShape {
    let name = match shape.slots.is_empty() {
        true => shape.name.clone(),
        false => format!("{program}:{}", shape.name),
    };
    TargetShape { name, slots: shape.slots.clone() }
}

fn push(side: Side, step: StepRef<'_>, out: &mut Steps) {
    let local = step.local().map(|own| tagged(side, own));
    let spawned: Vec<Store> = step.spawned().map(|own| tagged(side, own)).collect();
    let spawned: Vec<&[u8]> = spawned.iter().map(Store::bytes).collect();
    out.push(StepParts {
        shared: step.shared(),
        local: local.as_ref().map(Store::bytes),
        spawned: &spawned,
        broadcast: step.broadcast().map(|id| BroadcastId(joint_number(side, id.0))),
        footprint: Footprint::Everything,
        label: LabelId(joint_number(side, step.label().0)),
        violation: step.violation(),
    });
}

fn tagged(side: Side, own: &[u8]) -> Store {
    let tag = u8::try_from(side).expect("there are two programs");
    Store([&[tag], own].concat().into())
}

/// Numbers of labels and broadcasts: those of the two programs take turns.
fn joint_number(side: Side, own: u32) -> u32 {
    let number = own.checked_mul(2).expect("a program has less than 2^31 labels");
    number + u32::from(side == 1)
}

fn split_number(number: u32) -> (Side, u32) {
    ((number % 2) as Side, number / 2)
}

#[cfg(test)]
mod tests;
