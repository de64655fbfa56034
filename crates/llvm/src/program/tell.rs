//! What reports ask of a program: what threads wait for, which operations made which
//! accesses, and where all of that stands in the source.

use model::{Access, LabelId, Lock, MadeAccess, Rule, Span, StepError, StepLabel};

use super::CProgram;
use crate::code::{Code, Op, Place, Src};
use crate::machine::{RacingTouch, Stop, Thread, decode_thread};
use crate::value::Origin;

impl CProgram {
    /// What a blocked thread waits for, as a clause, and the lock that it is.
    pub(super) fn wait_of(&self, shared: &[u8], local: &[u8]) -> Option<(String, Option<Lock>)> {
        self.with_machine(|machine, _| {
            machine.tape.reset();
            let mut reason = None;
            loop {
                machine.load(shared, local);
                if machine.shared.is_over {
                    return None;
                }
                match machine.run() {
                    Err(Stop::Blocked(why)) => reason = Some((why, machine.wanted)),
                    Ok(_) if machine.is_spurious => {
                        reason.get_or_insert_with(|| ("it waits to be woken up".into(), None));
                    }
                    _ => return None,
                }
                if !machine.tape.advance() {
                    return reason;
                }
            }
        })
    }

    /// A blocked thread, and the only one whose steps can unblock it.
    pub(super) fn needed_thread(&self, shared: &[u8], local: &[u8]) -> Option<(u32, u32)> {
        self.with_machine(|machine, _| {
            machine.tape.reset();
            machine.load(shared, local);
            if machine.shared.is_over {
                return None;
            }
            match machine.run() {
                // Waiting in several ways, it may be unblocked in several ways.
                Err(Stop::Blocked(_)) if !machine.tape.has_chosen() => {
                    machine.waits_for.map(|thread| (machine.thread.me, thread))
                }
                _ => None,
            }
        })
    }

    /// What a step is called.
    pub(super) fn step_label(&self, label: LabelId) -> StepLabel {
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

    /// A line of the source as a label.
    fn source_label(&self, place: &Place) -> Option<StepLabel> {
        let line = self.sources.line(place)?;
        let text = format!("{}: {}", place.line, line.trim_end_matches([';', '{', ' ']));
        Some(StepLabel { text, span: self.sources.span(place) })
    }

    /// What makes an access of a step of the thread.
    pub(super) fn label_of_access(
        &self,
        shared: &[u8],
        local: &[u8],
        access: Access,
    ) -> Option<StepLabel> {
        let origin = self.with_machine(|machine, _| {
            machine.tape.reset();
            loop {
                machine.load(shared, local);
                // Whatever comes of the step, what it touched is known.
                let _ = machine.run();
                let origin = machine.touched.origin_of(access);
                if origin.is_some() || !machine.tape.advance() {
                    return origin;
                }
            }
        });
        origin.map(|(function, pc)| self.step_label(self.label_at(function, pc)))
    }

    /// The accesses that race in a step which breaks a rule with this message.
    pub(super) fn racing_accesses(
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

    /// Where a thread goes on.
    pub(super) fn place_ahead(&self, local: &[u8]) -> Option<Span> {
        let mut thread = Thread::default();
        decode_thread(&self.code, local, &mut thread);
        let frame = thread.frames.last()?;
        let ops = &self.code.functions[frame.function as usize].body.as_ref()?.ops;
        // What a function begins with has no place: then its first line is meant.
        let n_ahead = if frame.pc == 0 { ops.len() } else { 1 };
        let ahead = ops.iter().skip(frame.pc as usize).take(n_ahead);
        let mut places = ahead.filter_map(|instr| self.code.places.get(instr.place as usize));
        self.sources.span(places.find(|place| place.line > 0)?)
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
