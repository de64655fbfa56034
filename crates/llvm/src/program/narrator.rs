//! A C program in the terms of its source: stores, steps, accesses, and where all of that
//! stands.

use model::{
    Access, LabelId, MadeAccess, Narrator, Rule, RunEvent, Span, StepError, StepLabel, ThreadTrace,
};

use super::CProgram;
use crate::code::{Code, Op, Place, Src};
use crate::describe;
use crate::machine::{Joins, RacingTouch, Stop};
use crate::memory::{SharedStore, ThreadStore};
use crate::value::Origin;

impl Narrator for CProgram {
    fn label(&self, label: LabelId) -> StepLabel {
        let Some((function, pc)) = self.op_of(label) else {
            let is_program = self.first_label.last().is_some_and(|&n| label.0 > n);
            let text = if is_program { "the program ends" } else { "the thread ends" };
            return StepLabel { text: text.into(), span: None };
        };
        let place = self.place_of(label);
        if let Some(label) = place.and_then(|place| self.source_label(place)) {
            return label;
        }
        let code = &self.code.functions[function];
        let op = code.body.as_ref().and_then(|body| body.ops.get(pc));
        let text = match pc {
            0 => format!("{} starts", code.name),
            _ => op.map_or_else(String::new, |instr| operation(&self.code, &instr.op)),
        };
        StepLabel { text, span: place.and_then(|place| self.sources.span(place)) }
    }

    fn creates_any_number(&self) -> bool {
        self.options.anonymous_joins() == Some(Joins::AnyTime)
    }

    fn describe_lock(&self, lock: u64) -> String {
        let (number, at) = (lock >> 32, lock & 0xffff_ffff);
        match self.code.globals.get(number as usize) {
            Some(variable) => {
                let (path, _) = describe::path_to(&variable.shape, at);
                format!("`{}{path}`", variable.name)
            }
            None => "a lock in allocated memory".to_owned(),
        }
    }

    fn access_label(&self, shared: &[u8], local: &[u8], access: Access) -> Option<StepLabel> {
        let origin = self.origin_of(shared, local, access);
        origin.map(|(function, pc)| self.label(self.label_at(function, pc)))
    }

    fn race_of_step(
        &self,
        shared: &[u8],
        local: &[u8],
        wanted: &StepError,
    ) -> Option<[MadeAccess; 2]> {
        if wanted.rule != Rule::Race {
            return None;
        }
        let race = self.with_machine(|machine, _| {
            machine.tape.reset();
            loop {
                machine.load(shared, local);
                match machine.run() {
                    Err(Stop::Error(error)) if error.told() == wanted.borrowed() => {
                        return error.race;
                    }
                    _ if !machine.tape.advance() => return None,
                    _ => {}
                }
            }
        });
        let made = |racing: &RacingTouch| {
            let place = self.code.places.get(racing.site as usize);
            let label = place.filter(|place| place.line > 0).and_then(|it| self.source_label(it));
            Some(MadeAccess { access: racing.touch, label: label? })
        };
        let [earlier, later] = &*race?;
        Some([made(earlier)?, made(later)?])
    }

    fn events(&self, trace: &ThreadTrace) -> Vec<Vec<RunEvent>> {
        self.run_events(trace)
    }

    fn position(&self, local: &[u8]) -> Option<Span> {
        let thread = ThreadStore::from_bytes(&self.code, local);
        let frame = thread.frames().last()?;
        let ops = &self.code.functions[frame.function as usize].body.as_ref()?.ops;
        // What a function begins with has no place: then its first line is meant.
        let n_ahead = if frame.pc == 0 { ops.len() } else { 1 };
        let ahead = ops.iter().skip(frame.pc as usize).take(n_ahead);
        let mut places = ahead.filter_map(|instr| self.code.places.get(instr.place as usize));
        self.sources.span(places.find(|place| place.line > 0)?)
    }

    fn describe_location(&self, shared: &[u8], access: Access) -> String {
        describe::location(&self.code, &SharedStore::from_bytes(shared), access)
    }

    fn describe_shared(&self, shared: &[u8]) -> String {
        describe::shared(&self.code, &SharedStore::from_bytes(shared))
    }

    fn describe_change(&self, before: &[u8], after: &[u8]) -> Option<String> {
        let (old, new) = (SharedStore::from_bytes(before), SharedStore::from_bytes(after));
        Some(describe::change(&self.code, &old, &new))
    }

    fn describe_local(&self, local: &[u8]) -> String {
        describe::thread(&self.code, None, &ThreadStore::from_bytes(&self.code, local))
    }

    fn describe_local_in(&self, shared: &[u8], local: &[u8]) -> String {
        let state = SharedStore::from_bytes(shared);
        let thread = ThreadStore::from_bytes(&self.code, local);
        describe::thread(&self.code, Some(&state), &thread)
    }
}

impl CProgram {
    /// The function and the operation by which the next step of a thread makes an access.
    pub(super) fn origin_of(
        &self,
        shared: &[u8],
        local: &[u8],
        access: Access,
    ) -> Option<(u32, u32)> {
        self.with_machine(|machine, _| {
            machine.tape.reset();
            loop {
                machine.load(shared, local);
                // Whatever comes of the step, what it touched is known.
                let _ = machine.run();
                let origin = machine.memory.footprint().origin_of(access);
                if origin.is_some() || !machine.tape.advance() {
                    return origin;
                }
            }
        })
    }

    /// A line of the source as a label.
    fn source_label(&self, place: &Place) -> Option<StepLabel> {
        let line = self.sources.line(place)?;
        let text = format!("{}: {}", place.line, line.trim_end_matches([';', '{', ' ']));
        Some(StepLabel { text, span: self.sources.span(place) })
    }
}

/// What an operation without a place in the source is called.
fn operation(code: &Code, op: &Op) -> String {
    match op {
        Op::Load { .. } => "reads memory".into(),
        Op::Store { .. } => "writes memory".into(),
        Op::ReadModifyWrite { .. } | Op::CompareExchange { .. } => "updates memory".into(),
        Op::Call(call) => match call.callee {
            Src::Value(value) => match value.base.origin() {
                Origin::Function(number) => {
                    format!("calls {}", code.functions[number as usize].name)
                }
                _ => "calls a function".into(),
            },
            Src::Reg(_) => "calls a function".into(),
        },
        _ => "runs".into(),
    }
}
