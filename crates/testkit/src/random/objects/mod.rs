//! Random thread programs that say what their steps touch: what partial-order reductions
//! and supersteps work with.
//!
//! A few kinds of threads run short pieces of code over a few shared objects of two parts
//! each. Most of what a thread does is to an object of its own, so that there is something
//! to reduce. Threads wait, wake up for no reason, choose, loop, create others, end, and end
//! the program.

mod code;

use model::{
    Access, Blocking, Independence, LabelId, Multiplicity, Narrator, Requirements, StepErrorRef,
    StepLabel, Steps, Store, TargetShape, Template, ThreadProgram,
};

use crate::rng::Rng;
use code::{Effect, Instruction, Operation, Style};

/// Objects that code names; each has two parts.
const N_OBJECTS: u32 = 3;
/// The object that ends of threads touch; it is in every future.
const ENDS: u32 = N_OBJECTS;
/// The object that says how many threads may still be created.
const NURSERY: u32 = N_OBJECTS + 1;
/// Bytes of the shared store: the parts, the nursery, whether the program is over.
const NURSERY_AT: usize = 2 * N_OBJECTS as usize;
const OVER_AT: usize = NURSERY_AT + 1;
/// Values of parts and registers.
const N_VALUES: u32 = 3;
/// Threads that a run may create.
const MAX_CREATED: u8 = 2;

/// What is asked of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Does no step fail?
    Assertions,
    /// Do two parts never have two values at once?
    Shared,
    /// Is no thread at a place while a part has a value?
    Local,
    /// Is there no deadlock?
    Deadlocks,
    /// Is there no data race?
    Races,
}

/// All of them.
pub const QUESTIONS: [Question; 5] =
    [Question::Assertions, Question::Shared, Question::Local, Question::Deadlocks, Question::Races];

/// Some part of an object has a value.
type Condition = (Part, u8);
/// An object, and which of its parts.
type Part = (u32, u32);

/// A program; its threads say what they touch.
#[derive(Clone, Debug)]
pub struct ObjectProgram {
    /// What each kind of thread runs.
    kinds: Vec<Vec<Instruction>>,
    templates: Vec<Template>,
    question: Question,
    shapes: Vec<TargetShape>,
    propositions: Vec<TargetShape>,
    /// What targets and propositions look at.
    conditions: [Condition; 2],
    /// Does it say what threads may touch in the future?
    tells_future: bool,
}

/// The program of a seed.
pub fn random(rng: &mut Rng, question: Question) -> ObjectProgram {
    let n_kinds = rng.between(2, 3);
    let own = if rng.chance(50) { 75 } else { 30 };
    let opaque = if rng.chance(25) { 25 } else { 0 };
    let style = Style { n_kinds, own, opaque, asserts: question == Question::Assertions };
    let kinds = (0..n_kinds).map(|kind| code::random(rng, kind, style)).collect();
    let template = |kind: u32| Template {
        name: format!("kind {kind}"),
        initial: vec![Store::new(&[kind as u8, 0, 0])],
        multiplicity: Multiplicity::Exactly(1),
    };
    let mut conditions = || ((rng.below(N_OBJECTS), rng.below(2)), rng.between(1, 2) as u8);
    let conditions = [conditions(), conditions()];
    let conditions = if rng.chance(50) { conditions } else { [conditions[0]; 2] };
    let shape = |slots: &[u32]| TargetShape { name: "it".into(), slots: slots.to_vec() };
    ObjectProgram {
        kinds,
        templates: (0..n_kinds).map(template).collect(),
        question,
        shapes: match question {
            Question::Shared => vec![shape(&[])],
            Question::Local => vec![shape(&[1])],
            _ => Vec::new(),
        },
        propositions: Vec::new(),
        conditions,
        tells_future: !rng.chance(10),
    }
}

impl ObjectProgram {
    /// How many threads a run starts with.
    pub fn n_threads(&self) -> u32 {
        self.kinds.len() as u32
    }

    /// How many there are at once, at most.
    pub fn max_threads(&self) -> u32 {
        self.n_threads() + u32::from(MAX_CREATED)
    }

    /// The same with two propositions and nothing else to ask.
    pub fn with_propositions(mut self) -> ObjectProgram {
        self.shapes.clear();
        self.question = Question::Assertions;
        let shape = |name: &str| TargetShape { name: name.into(), slots: Vec::new() };
        self.propositions = vec![shape("p0"), shape("p1")];
        self
    }

    /// The same with any number of threads of each kind.
    pub fn with_any_number(mut self) -> ObjectProgram {
        for template in &mut self.templates {
            template.multiplicity = Multiplicity::Any;
        }
        self
    }

    fn holds(&self, condition: usize, shared: &[u8]) -> bool {
        let (part, value) = self.conditions[condition];
        shared[at(part)] == value
    }

    fn instruction(&self, local: &[u8]) -> &Instruction {
        &self.kinds[local[0] as usize][local[1] as usize]
    }

    /// The places that a thread may come to, by kind and number: its own, and those of
    /// threads that it creates.
    fn ahead(&self, local: &[u8]) -> Vec<(u8, u8)> {
        let mut met = vec![(local[0], local[1])];
        let mut idx = 0;
        while let Some(&(kind, pc)) = met.get(idx) {
            let next = self.kinds[kind as usize][pc as usize].next(kind, pc);
            for place in next {
                if !met.contains(&place) {
                    met.push(place);
                }
            }
            idx += 1;
        }
        met
    }

    fn is_blocked(&self, shared: &[u8], local: &[u8]) -> bool {
        match self.instruction(local).operation {
            Operation::Await { part, value, .. } => shared[at(part)] != value,
            _ => false,
        }
    }
}

/// Where a part stands in the shared store.
fn at((object, part): Part) -> usize {
    (2 * object + part) as usize
}

fn access((object, part): Part, is_write: bool, is_atomic: bool) -> Access {
    Access { object, at: part, len: 1, is_write, is_atomic }
}

impl ThreadProgram for ObjectProgram {
    fn initial_shared(&self) -> Vec<Store> {
        let mut shared = vec![0; OVER_AT + 1];
        shared[NURSERY_AT] = MAX_CREATED;
        vec![Store::new(&shared)]
    }

    fn templates(&self) -> &[Template] {
        &self.templates
    }

    fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
        if shared[OVER_AT] != 0 {
            return;
        }
        let place = u32::from(local[0]) << 8 | u32::from(local[1]);
        Effect::push_all(self.instruction(local), (shared, local), LabelId(place), out);
    }

    fn is_over(&self, shared: &[u8]) -> bool {
        shared[OVER_AT] != 0
    }

    fn requirements(&self) -> &dyn Requirements {
        self
    }

    fn narrator(&self) -> &dyn Narrator {
        self
    }

    fn blocking(&self) -> Option<&dyn Blocking> {
        Some(self)
    }

    fn independence(&self) -> Option<&dyn Independence> {
        if self.tells_future { Some(self) } else { None }
    }
}

impl Independence for ObjectProgram {
    fn future_objects(&self, _shared: &[u8], local: &[u8], out: &mut Vec<u32>) {
        out.push(ENDS);
        for (kind, pc) in self.ahead(local) {
            self.kinds[kind as usize][pc as usize].push_objects(out);
        }
        out.sort_unstable();
        out.dedup();
    }

    fn visible_objects(&self, _shared: &[u8], out: &mut Vec<u32>) {
        if !(self.shapes.is_empty() && self.propositions.is_empty()) {
            out.extend(self.conditions.map(|((object, _), _)| object));
        }
        out.sort_unstable();
        out.dedup();
    }
}

impl Blocking for ObjectProgram {
    fn blocked(&self, shared: &[u8], local: &[u8]) -> Option<String> {
        let is_blocked = shared[OVER_AT] == 0 && self.is_blocked(shared, local);
        is_blocked.then(|| "it waits".to_owned())
    }
}

impl Requirements for ObjectProgram {
    fn targets(&self) -> &[TargetShape] {
        &self.shapes
    }

    fn target_shared(&self, _target: usize, shared: &[u8]) -> bool {
        match self.question {
            Question::Local => self.holds(0, shared),
            _ => self.holds(0, shared) && self.holds(1, shared),
        }
    }

    fn target_local(&self, _target: usize, _slot: usize, _shared: &[u8], local: &[u8]) -> bool {
        local[0] == 0 && local[1] > 1
    }

    fn propositions(&self) -> &[TargetShape] {
        &self.propositions
    }

    fn proposition_shared(&self, proposition: usize, shared: &[u8]) -> bool {
        self.holds(proposition, shared)
    }

    fn forbids_deadlock(&self) -> bool {
        self.question == Question::Deadlocks
    }

    fn forbids_races(&self) -> bool {
        self.question == Question::Races
    }
}

impl Narrator for ObjectProgram {
    fn label(&self, label: LabelId) -> StepLabel {
        let text = format!("{}:{}", label.0 >> 8, label.0 & 0xff);
        StepLabel { text, span: None }
    }

    fn describe_shared(&self, shared: &[u8]) -> String {
        format!("{shared:?}")
    }

    fn describe_local(&self, local: &[u8]) -> String {
        format!("{local:?}")
    }
}

/// The error of a step.
fn failed() -> StepErrorRef<'static> {
    StepErrorRef::assertion("a part has the value")
}
