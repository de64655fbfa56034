//! A thread program for tests: stores are numbers, steps come from a function.

use std::sync::atomic::{AtomicUsize, Ordering};

use model::{
    BroadcastId, Footprint, LabelId, Multiplicity, Narrator, Requirements, StepErrorRef, StepLabel,
    StepParts, Steps, Store, TargetShape, Template, ThreadProgram,
};

/// One step of a script: to which stores.
#[derive(Clone, Debug, Default)]
pub struct Line {
    pub shared: u32,
    /// `None`: the thread ends.
    pub local: Option<u32>,
    pub spawned: Vec<u32>,
    pub is_broadcast: bool,
    pub is_error: bool,
}

/// What a thread in a local store can do, or the environment.
type Script = dyn Fn(u32, Option<u32>) -> Vec<Line> + Sync;

/// Any number of threads that start in local store 0 and shared store 0. A broadcast moves
/// those in local store 7 to 8 or 9. Not all is known of local store 13.
pub struct Scripted {
    script: Box<Script>,
    templates: Vec<Template>,
    n_asked: AtomicUsize,
}

pub fn store(number: u32) -> Store {
    Store::new(&number.to_le_bytes())
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().expect("a store of four bytes"))
}

impl Scripted {
    /// A program without targets.
    pub fn new(script: impl Fn(u32, Option<u32>) -> Vec<Line> + Sync + 'static) -> Scripted {
        let template = Template {
            name: "thread".to_owned(),
            initial: vec![store(0)],
            multiplicity: Multiplicity::Any,
        };
        Scripted {
            script: Box::new(script),
            templates: vec![template],
            n_asked: AtomicUsize::new(0),
        }
    }

    /// How often it was asked for steps.
    pub fn n_asked(&self) -> usize {
        self.n_asked.load(Ordering::Relaxed)
    }

    fn push_all(&self, shared: &[u8], local: Option<u32>, out: &mut Steps) {
        self.n_asked.fetch_add(1, Ordering::Relaxed);
        for (idx, line) in (self.script)(number(shared), local).into_iter().enumerate() {
            let spawned: Vec<Store> = line.spawned.iter().map(|&local| store(local)).collect();
            let spawned: Vec<&[u8]> = spawned.iter().map(Store::bytes).collect();
            let local = line.local.map(store);
            let error = StepErrorRef::assertion("the script fails");
            out.push(StepParts {
                shared: store(line.shared).bytes(),
                local: local.as_ref().map(Store::bytes),
                spawned: &spawned,
                broadcast: line.is_broadcast.then_some(BroadcastId(0)),
                footprint: Footprint::Everything,
                label: LabelId(idx as u32),
                violation: line.is_error.then_some(error),
            });
        }
        if local == Some(13) {
            out.set_incomplete("nobody knows what 13 does");
        }
    }
}

impl ThreadProgram for Scripted {
    fn initial_shared(&self) -> Vec<Store> {
        vec![store(0)]
    }

    fn templates(&self) -> &[Template] {
        &self.templates
    }

    fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
        self.push_all(shared, Some(number(local)), out);
    }

    fn environment_steps(&self, shared: &[u8], out: &mut Steps) {
        self.push_all(shared, None, out);
    }

    fn passive(&self, _broadcast: BroadcastId, local: &[u8], out: &mut Vec<Store>) {
        if number(local) == 7 {
            out.extend([store(9), store(8), store(9)]);
        }
    }

    fn requirements(&self) -> &dyn Requirements {
        self
    }

    fn narrator(&self) -> &dyn Narrator {
        self
    }
}

impl Requirements for Scripted {
    fn targets(&self) -> &[TargetShape] {
        &[]
    }

    fn target_shared(&self, _target: usize, _shared: &[u8]) -> bool {
        false
    }

    fn target_local(&self, _target: usize, _slot: usize, _shared: &[u8], _local: &[u8]) -> bool {
        false
    }
}

impl Narrator for Scripted {
    fn label(&self, label: LabelId) -> StepLabel {
        StepLabel { text: format!("line {}", label.0), span: None }
    }

    fn describe_shared(&self, shared: &[u8]) -> String {
        number(shared).to_string()
    }

    fn describe_local(&self, local: &[u8]) -> String {
        number(local).to_string()
    }
}
