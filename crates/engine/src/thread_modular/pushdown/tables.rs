//! Stores, worlds and views by number, and the steps of each top in each shared store.

use std::rc::Rc;

use model::{NewThread, PushdownProgram, PushdownStep, PushdownSteps, StackChange, Store};
use rustc_hash::FxHashMap;

use super::classes::{Counts, Members};

/// Values by number.
pub(super) struct Interned<T> {
    numbers: FxHashMap<T, u32>,
    values: Vec<T>,
}

impl<T> Default for Interned<T> {
    fn default() -> Interned<T> {
        Interned { numbers: FxHashMap::default(), values: Vec::new() }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Interned<T> {
    pub fn number(&mut self, value: T) -> u32 {
        if let Some(&known) = self.numbers.get(&value) {
            return known;
        }
        let number = self.values.len() as u32;
        self.values.push(value.clone());
        self.numbers.insert(value, number);
        number
    }

    pub fn get(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    pub fn values(&self) -> &[T] {
        &self.values
    }
}

/// A shared store with the counts of the exposed classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct World {
    pub shared: u32,
    pub counts: Counts,
}

/// The top of a stack with what the thread has taken, and where its atomic section began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct View {
    pub top: u32,
    pub took: Members,
    pub section: Option<(u32, Members)>,
}

/// What a step does to the stack, by numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    Top(u32),
    Call { top: u32, frame: u32 },
    Ended,
}

/// A new thread, by the number of its top.
#[derive(Clone, Copy, Debug)]
pub(super) enum New {
    Fresh(u32),
    Copied(u32),
}

/// A step by numbers; `step` is as the program gave it.
pub(super) struct Numbered {
    pub shared: u32,
    pub change: Change,
    pub spawned: Option<New>,
    pub step: PushdownStep,
}

/// The steps of a top in a shared store.
#[derive(Default)]
pub(super) struct Listed {
    pub steps: Vec<Numbered>,
    pub incomplete: Option<String>,
}

/// All stores that occurred, and the steps that were asked for.
pub(super) struct Stores<'p> {
    program: &'p dyn PushdownProgram,
    pub shared: Interned<Store>,
    pub tops: Interned<Store>,
    pub frames: Interned<Store>,
    /// The last part: the frame that is returned to, plus 2; 1 for none, 0 for other steps.
    known: FxHashMap<(u32, u32, u32), Rc<Listed>>,
    buffer: PushdownSteps,
}

impl<'p> Stores<'p> {
    pub fn new(program: &'p dyn PushdownProgram) -> Stores<'p> {
        Stores {
            program,
            shared: Interned::default(),
            tops: Interned::default(),
            frames: Interned::default(),
            known: FxHashMap::default(),
            buffer: PushdownSteps::default(),
        }
    }

    /// The steps that look at no frame.
    pub fn steps(&mut self, shared: u32, top: u32) -> Rc<Listed> {
        self.listed((shared, top, 0))
    }

    /// The returns to a caller, or out of the thread.
    pub fn returns(&mut self, shared: u32, top: u32, frame: Option<u32>) -> Rc<Listed> {
        self.listed((shared, top, frame.map_or(1, |frame| frame + 2)))
    }

    fn listed(&mut self, key: (u32, u32, u32)) -> Rc<Listed> {
        if let Some(known) = self.known.get(&key) {
            return Rc::clone(known);
        }
        let (shared, top) = (self.shared.get(key.0), self.tops.get(key.1));
        let buffer = &mut self.buffer;
        buffer.clear();
        match key.2 {
            0 => self.program.steps(shared.bytes(), top.bytes(), buffer),
            number => {
                let frame = number.checked_sub(2).map(|frame| self.frames.get(frame).bytes());
                self.program.returns(shared.bytes(), top.bytes(), frame, buffer);
            }
        }
        let incomplete = self.buffer.incomplete.take();
        let steps = std::mem::take(&mut self.buffer.steps);
        let steps = steps.into_iter().map(|step| self.numbered(step)).collect();
        let listed = Rc::new(Listed { steps, incomplete });
        self.known.insert(key, Rc::clone(&listed));
        listed
    }

    fn numbered(&mut self, step: PushdownStep) -> Numbered {
        let shared = self.shared.number(step.shared.clone());
        let change = match &step.end {
            StackChange::Top(top) => Change::Top(self.tops.number(top.clone())),
            StackChange::Call { top, frame } => Change::Call {
                top: self.tops.number(top.clone()),
                frame: self.frames.number(frame.clone()),
            },
            StackChange::Ended => Change::Ended,
        };
        let spawned = step.spawned.as_ref().map(|new| match new {
            NewThread::Fresh(top) => New::Fresh(self.tops.number(top.clone())),
            NewThread::Copied(top) => New::Copied(self.tops.number(top.clone())),
        });
        Numbered { shared, change, spawned, step }
    }
}
