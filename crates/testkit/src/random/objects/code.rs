//! What the threads of [`super::ObjectProgram`] do: one step for each instruction.

use model::{Access, Footprint, LabelId, StepErrorRef, StepParts, Steps};

use super::{ENDS, N_OBJECTS, N_VALUES, NURSERY, NURSERY_AT, OVER_AT, Part, access, at};
use crate::rng::Rng;

/// An instruction, and what its footprint says of it.
#[derive(Clone, Debug)]
pub(super) struct Instruction {
    pub(super) operation: Operation,
    /// Can its access not be half of a race?
    is_atomic: bool,
    /// Does it keep to itself what it touches?
    is_opaque: bool,
}

/// What an instruction does.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    /// Writes a value.
    Set { part: Part, value: u8 },
    /// Counts on.
    Add { part: Part },
    /// Reads into the register, which remembers the last two values.
    Load { part: Part },
    /// Waits for a value, or for nothing at all.
    Await { part: Part, value: u8, is_spurious: bool },
    /// Fails if there is a value.
    Assert { part: Part, value: u8 },
    /// Fails if the register remembers these.
    AssertSeen { values: u8 },
    /// Goes elsewhere if the last value in the register is this one.
    Jump { value: u8, to: u8 },
    /// Goes elsewhere or not.
    Choose { to: u8 },
    /// Creates a thread, as long as some may be created, and goes elsewhere.
    Create { kind: u8, to: u8 },
    /// Ends the thread.
    End,
    /// Ends the program.
    Exit,
}

/// What code is like.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// How many kinds of threads there are.
    pub(super) n_kinds: u32,
    /// How much of what a thread does is to its own object, in per cent.
    pub(super) own: u32,
    /// How many steps do not say what they touch, in per cent.
    pub(super) opaque: u32,
    /// May steps fail?
    pub(super) asserts: bool,
}

/// The code of one kind of thread.
pub(super) fn random(rng: &mut Rng, kind: u32, style: Style) -> Vec<Instruction> {
    let length = rng.between(3, 6);
    let mut code: Vec<Instruction> = (0..length)
        .map(|_| Instruction {
            operation: operation(rng, kind, length, style),
            is_atomic: rng.chance(60),
            is_opaque: rng.chance(style.opaque),
        })
        .collect();
    if style.asserts {
        let operation = seen(rng);
        code.push(Instruction { operation, is_atomic: true, is_opaque: false });
    }
    let operation = match rng.below(10) {
        0 | 1 => Operation::Jump { value: 0, to: rng.below(length) as u8 },
        2 => Operation::Exit,
        _ => Operation::End,
    };
    code.push(Instruction { operation, is_atomic: true, is_opaque: false });
    code.push(Instruction { operation: Operation::End, is_atomic: true, is_opaque: false });
    code
}

fn operation(rng: &mut Rng, kind: u32, length: u32, style: Style) -> Operation {
    let object = if rng.chance(style.own) { kind } else { rng.below(N_OBJECTS) };
    let part = (object, rng.below(2));
    let value = rng.below(N_VALUES) as u8;
    let to = rng.below(length) as u8;
    match rng.below(20) {
        0..=4 => Operation::Set { part, value },
        5 | 6 => Operation::Add { part },
        7..=10 => Operation::Load { part },
        11 | 12 => Operation::Await { part, value, is_spurious: rng.chance(30) },
        13 => Operation::Jump { value, to },
        14 => Operation::Choose { to },
        15 => Operation::Create { kind: rng.below(style.n_kinds) as u8, to },
        16 | 17 if style.asserts => Operation::Assert { part, value: value.max(1) },
        18 | 19 if style.asserts => seen(rng),
        _ => Operation::Set { part, value: 1 },
    }
}

/// Zero and one, one and zero, or one twice: what most programs write.
fn seen(rng: &mut Rng) -> Operation {
    let values = [1, N_VALUES, N_VALUES + 1][rng.below(3) as usize];
    Operation::AssertSeen { values: values as u8 }
}

impl Instruction {
    /// Where a thread may be after it, and where threads are that it creates.
    pub(super) fn next(&self, kind: u8, pc: u8) -> Vec<(u8, u8)> {
        match self.operation {
            Operation::End | Operation::Exit => Vec::new(),
            Operation::Jump { to, .. } | Operation::Choose { to } => {
                vec![(kind, to), (kind, pc + 1)]
            }
            Operation::Create { kind: created, to } => vec![(kind, to), (created, 0)],
            _ => vec![(kind, pc + 1)],
        }
    }

    /// What it may touch.
    pub(super) fn push_objects(&self, out: &mut Vec<u32>) {
        if self.is_opaque {
            out.extend(0..=NURSERY);
        }
        match self.operation {
            Operation::Set { part, .. }
            | Operation::Add { part }
            | Operation::Load { part }
            | Operation::Await { part, .. }
            | Operation::Assert { part, .. } => out.push(part.0),
            Operation::Create { .. } => out.push(NURSERY),
            Operation::End | Operation::Exit => out.push(ENDS),
            Operation::Jump { .. } | Operation::Choose { .. } | Operation::AssertSeen { .. } => {}
        }
    }
}

/// Where a step leads.
pub(super) struct Effect {
    shared: Vec<u8>,
    /// The place and the register; `None` when the thread has ended.
    local: Option<(u8, u8)>,
    created: Option<[u8; 3]>,
    touched: Option<Access>,
    violation: Option<StepErrorRef<'static>>,
    is_spurious: bool,
}

impl Effect {
    /// Pushes the steps of a thread that comes to an instruction.
    pub(super) fn push_all(
        instruction: &Instruction,
        (shared, local): (&[u8], &[u8]),
        label: LabelId,
        out: &mut Steps,
    ) {
        let mut effect = Effect {
            shared: shared.to_vec(),
            local: Some((local[1] + 1, local[2])),
            created: None,
            touched: None,
            violation: None,
            is_spurious: false,
        };
        if let Operation::Choose { to } = instruction.operation {
            effect.push(instruction, local, label, out);
            effect.local = Some((to, local[2]));
        }
        if effect.moves(&instruction.operation, local) || effect.accesses(instruction, out) {
            effect.push(instruction, local, label, out);
        }
    }

    /// Does what is about threads; false if the instruction is about a part of an object.
    fn moves(&mut self, operation: &Operation, local: &[u8]) -> bool {
        match *operation {
            Operation::Jump { value, to } => {
                let is_last = u32::from(local[2]) % N_VALUES == u32::from(value);
                let to = if is_last { to } else { local[1] + 1 };
                self.local = Some((to, local[2]));
            }
            Operation::AssertSeen { values } => {
                self.violation = (local[2] == values).then_some(super::failed());
            }
            Operation::Choose { .. } => {}
            Operation::Create { kind, to } => {
                self.touched = Some(access((NURSERY, 0), true, true));
                self.local = Some((to, local[2]));
                if self.shared[NURSERY_AT] > 0 {
                    self.shared[NURSERY_AT] -= 1;
                    self.created = Some([kind, 0, 0]);
                }
            }
            Operation::End | Operation::Exit => {
                self.touched = Some(access((ENDS, 0), true, true));
                self.local = None;
                self.shared[OVER_AT] = u8::from(matches!(operation, Operation::Exit));
            }
            _ => return false,
        }
        true
    }

    /// Does what is about a part of an object; false if the thread waits.
    fn accesses(&mut self, instruction: &Instruction, out: &mut Steps) -> bool {
        let (part, is_write) = match instruction.operation {
            Operation::Set { part, .. } | Operation::Add { part } => (part, true),
            Operation::Load { part }
            | Operation::Await { part, .. }
            | Operation::Assert { part, .. } => (part, false),
            _ => return true,
        };
        let touched = access(part, is_write, instruction.is_atomic);
        self.touched = Some(touched);
        let here = &mut self.shared[at(part)];
        match instruction.operation {
            Operation::Set { value, .. } => *here = value,
            Operation::Add { .. } => *here = (*here + 1) % N_VALUES as u8,
            Operation::Load { .. } => {
                let n = N_VALUES as u8;
                self.local = self.local.map(|(pc, old)| (pc, old % n * n + *here));
            }
            Operation::Await { value, is_spurious, .. } if *here != value => {
                out.touch_in_vain(&[touched]);
                self.is_spurious = is_spurious;
                return is_spurious;
            }
            Operation::Assert { value, .. } => {
                self.violation = (*here == value).then_some(super::failed());
            }
            _ => {}
        }
        true
    }

    fn push(&self, instruction: &Instruction, local: &[u8], label: LabelId, out: &mut Steps) {
        let footprint = match instruction.is_opaque {
            true => Footprint::Everything,
            false => Footprint::Known(self.touched.as_slice()),
        };
        let after = self.local.map(|(pc, register)| [local[0], pc, register]);
        let created: Vec<&[u8]> = self.created.iter().map(<[u8; 3]>::as_slice).collect();
        out.push(StepParts {
            shared: &self.shared,
            local: after.as_ref().map(<[u8; 3]>::as_slice),
            spawned: &created,
            broadcast: None,
            footprint,
            label,
            violation: self.violation,
        });
        if self.is_spurious {
            out.mark_spurious();
        }
        if self.local.is_some_and(|(pc, _)| pc <= local[1]) {
            out.mark_going_back();
        }
    }
}
