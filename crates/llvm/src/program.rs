//! A C program as a [`ThreadProgram`]: what the engines see of the machine.
//!
//! One thread runs `main` at the start; others are spawned. What a step refuses, and
//! errors that nobody asked about, make the steps incomplete: then nothing is proven,
//! though errors can still be found.

mod abstraction;
mod blocking;
mod crowd;
mod joins;
mod narrator;
mod observe;
mod reconstruction;
mod reductions;
mod remarks;
mod requirements;
mod run_step;
mod start;

pub use crowd::Varied;
pub use observe::Observer;

use std::mem::take;
use std::sync::{Arc, Mutex};

use model::{
    Blocking, BroadcastId, Footprint, HeapSymmetry, Independence, LabelId, MatchingAbstraction,
    Multiplicity, Narrator, Requirements, SourceFile, StepParts, Steps, Store, Template,
    ThreadProgram, Variant,
};
use rustc_hash::FxHashMap;

use crate::canonical::{SharedNames, ThreadNames};
use crate::code::{Code, Place};
use crate::future::Mentions;
use crate::machine::{Broadcast, Error, Machine, Options, Ran, Rule, Stop, constant_objects};
use crate::memory::{Ending, Object, SharedStore, ThreadIdentity, ThreadStore};
use crate::places::Sources;
use crate::variants::meaning;

/// What a C program is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Questions {
    /// Rules whose breaking is an error.
    pub rules: Vec<Rule>,
    /// Are data races errors?
    pub races: bool,
    /// Are deadlocks errors?
    pub deadlocks: bool,
    /// Rules whose breaking at a place of the code is known, and not reported.
    pub accepted: Vec<(Rule, u32)>,
}

impl Default for Questions {
    /// Everything but overflows.
    fn default() -> Questions {
        let rules = vec![
            Rule::Assertion,
            Rule::MemorySafety,
            Rule::InvalidFree,
            Rule::UninitialisedMemory,
            Rule::MutexMisuse,
            Rule::ThreadMisuse,
            Rule::InvalidCall,
            Rule::Division,
        ];
        Questions { rules, races: true, deadlocks: true, accepted: Vec::new() }
    }
}

/// A C program with its questions.
pub struct CProgram {
    code: Code,
    constants: Vec<Object>,
    options: Options,
    questions: Questions,
    sources: Sources,
    templates: Vec<Template>,
    initial: Store,
    /// Number of the first operation of each function, counted through all.
    first_label: Vec<u32>,
    mentions: Mentions,
    /// May no thread ever ask who it is?
    hides_identities: bool,
    observers: observe::Observers,
    abstraction: Option<abstraction::Abstraction>,
    remarks: remarks::Remarks,
    /// Working memory for steps, used again.
    scratch: Mutex<Vec<Scratch>>,
}

#[derive(Default)]
struct Scratch {
    shared: SharedStore,
    thread: ThreadStore,
    threads: Vec<ThreadStore>,
    bytes: [Vec<u8>; 2],
    /// The names that stores hold, by their bytes.
    shared_names: FxHashMap<Box<[u8]>, Arc<SharedNames>>,
    thread_names: FxHashMap<Box<[u8]>, Arc<ThreadNames>>,
}

/// Stores of which the names are kept, at most.
const MAX_NAMED: usize = 1 << 14;

impl Scratch {
    fn shared_names(&mut self, code: &Code, bytes: &[u8]) -> Arc<SharedNames> {
        if let Some(names) = self.shared_names.get(bytes) {
            return Arc::clone(names);
        }
        self.shared.decode(bytes);
        let names = Arc::new(SharedNames::of(code, &self.shared));
        keep(&mut self.shared_names, bytes, &names);
        names
    }

    fn thread_names(&mut self, program: &CProgram, bytes: &[u8]) -> Arc<ThreadNames> {
        if let Some(names) = self.thread_names.get(bytes) {
            return Arc::clone(names);
        }
        self.thread.decode(&program.code, bytes);
        let joins = program.joins_of(&self.thread, bytes);
        let names = Arc::new(ThreadNames::of(&program.code, &self.thread, joins));
        keep(&mut self.thread_names, bytes, &names);
        names
    }
}

fn keep<T>(names: &mut FxHashMap<Box<[u8]>, Arc<T>>, bytes: &[u8], new: &Arc<T>) {
    if names.len() >= MAX_NAMED {
        names.clear();
    }
    names.insert(bytes.into(), Arc::clone(new));
}

/// How a step ended.
struct StepEnd<'a> {
    label: LabelId,
    ran: Ran,
    error: Option<&'a Error>,
}

/// Why there is no program to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoProgram(pub String);

impl CProgram {
    /// The program with this code; `sources` are the files that places speak of.
    ///
    /// # Errors
    /// It has no `main`, or too much is global.
    pub fn new(
        code: Code,
        options: Options,
        questions: Questions,
        sources: &[SourceFile],
    ) -> Result<CProgram, NoProgram> {
        let main = code.main.ok_or_else(|| NoProgram("the program has no `main`".into()))?;
        start::refuse_large(&code, &options)?;
        let mut shared = start::first_shared(&code);
        shared.forget(&options.forgotten);
        let first = ThreadIdentity::first(&code);
        let arguments = start::main_arguments(&code, main, &mut shared);
        let mut thread = ThreadStore::new(&code, first, main, &arguments)
            .ok_or_else(|| NoProgram("`main` has no body".into()))?;
        let (mut shared_bytes, mut thread_bytes) = (Vec::new(), Vec::new());
        shared.encode(&mut shared_bytes);
        thread.encode(&code, &mut thread_bytes);
        let template = Template {
            name: "main".into(),
            initial: vec![Store::new(&thread_bytes)],
            multiplicity: Multiplicity::Exactly(1),
        };
        let mut first_label = Vec::new();
        let mut n_ops = 0;
        for function in &code.functions {
            first_label.push(n_ops);
            n_ops += function.body.as_ref().map_or(0, |body| body.ops.len() as u32);
        }
        first_label.push(n_ops);
        Ok(CProgram {
            hides_identities: joins::hides_identities(&code),
            constants: constant_objects(&code),
            mentions: Mentions::of(&code),
            observers: observe::Observers::default(),
            abstraction: None,
            remarks: remarks::Remarks::default(),
            sources: Sources::new(&code, sources),
            code,
            options,
            questions,
            templates: vec![template],
            initial: Store::new(&shared_bytes),
            first_label,
            scratch: Mutex::default(),
        })
    }

    /// The code that runs.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// How it runs.
    pub fn options(&self) -> &Options {
        &self.options
    }

    fn label_at(&self, function: u32, pc: u32) -> LabelId {
        LabelId(self.first_label[function as usize] + pc)
    }

    fn label_of(&self, thread: &ThreadStore) -> LabelId {
        match thread.frames().last() {
            Some(frame) => self.label_at(frame.function, frame.pc),
            None => {
                let n_ops = self.first_label.last().copied().unwrap_or(0);
                LabelId(n_ops + u32::from(thread.ending() == Some(Ending::Program)))
            }
        }
    }

    /// The function and the operation that a label names; `None` for the end of a
    /// thread or of the program.
    fn op_of(&self, label: LabelId) -> Option<(usize, usize)> {
        if label.0 >= *self.first_label.last()? {
            return None;
        }
        let function = self.first_label.partition_point(|&first| first <= label.0) - 1;
        Some((function, (label.0 - self.first_label[function]) as usize))
    }

    fn place_of(&self, label: LabelId) -> Option<&Place> {
        let (function, pc) = self.op_of(label)?;
        let instr = self.code.functions[function].body.as_ref()?.ops.get(pc)?;
        self.code.places.get(instr.place as usize).filter(|place| place.line > 0)
    }

    /// Runs `visit` with working memory.
    fn with_scratch<T>(&self, visit: impl FnOnce(&mut Scratch) -> T) -> T {
        let pooled = || self.scratch.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut scratch = pooled().pop().unwrap_or_default();
        let result = visit(&mut scratch);
        pooled().push(scratch);
        result
    }

    /// Runs `visit` on a machine with working memory.
    fn with_machine<T>(&self, visit: impl FnOnce(&mut Machine<'_>, &mut [Vec<u8>; 2]) -> T) -> T {
        self.with_scratch(|scratch| {
            let stores = (take(&mut scratch.shared), take(&mut scratch.thread));
            let mut machine = Machine::new(&self.code, &self.constants, &self.options, stores);
            let result = visit(&mut machine, &mut scratch.bytes);
            (scratch.shared, scratch.thread) = machine.memory.into_stores();
            result
        })
    }

    /// One way to run a step from these stores, pushed to `out`.
    fn one_way(
        &self,
        machine: &mut Machine<'_>,
        (shared, local): (&[u8], &[u8]),
        bytes: &mut [Vec<u8>; 2],
        out: &mut Steps,
    ) {
        let label = self.label_of(machine.memory.thread());
        match self.run_step(machine, shared, local) {
            Ok(ran) => {
                let label = self.label_of_step(machine, label);
                self.push(machine, bytes, StepEnd { label, ran, error: None }, out);
                if machine.is_spurious {
                    out.mark_spurious();
                }
                if machine.goes_back {
                    out.mark_going_back();
                }
            }
            Err(stop @ (Stop::Blocked(_) | Stop::Assumed)) => {
                out.touch_in_vain(machine.memory.footprint().accesses());
                out.end_way(stop == Stop::Assumed);
            }
            Err(Stop::Error(error)) if self.asks(error.rule) => {
                let label = self.label_of(machine.memory.thread());
                let end = StepEnd { label, ran: Ran::Running, error: Some(&error) };
                self.push(machine, bytes, end, out);
            }
            Err(Stop::Error(error)) => {
                let what = format!("a rule is broken that was not asked about: {}", error.message);
                self.push_unknown(machine, what, out);
            }
            Err(Stop::Refused(why)) => self.push_unknown(machine, why, out),
        }
        for &function in &machine.guessed {
            self.remarks.add_guess(&self.code.functions[function as usize].name);
        }
        if machine.assumes_no_signal {
            self.remarks.assume_no_signal();
        }
        if machine.is_cut {
            let why = "inputs were tried with some of their values only";
            out.set_incomplete(self.at_place(why.into(), label));
        }
    }

    /// A step of which only the beginning is known: that was reached, whatever comes next.
    fn push_unknown(&self, machine: &Machine<'_>, why: String, out: &mut Steps) {
        out.touch_in_vain(machine.memory.footprint().accesses());
        out.set_incomplete(self.at_place(why, self.label_of(machine.memory.thread())));
    }

    /// The label of a step that has run: of what it touched last, or of the assertion that
    /// ends the program, or of where it began.
    fn label_of_step(&self, machine: &Machine<'_>, first: LabelId) -> LabelId {
        let memory = &machine.memory;
        if memory.shared().is_over() && !memory.frames().is_empty() {
            return self.label_of(memory.thread());
        }
        let seen = memory.footprint().last_origin();
        seen.map_or(first, |(function, pc)| self.label_at(function, pc))
    }

    /// Is it accepted that a rule is broken by the operation with this label?
    fn accepts(&self, rule: Rule, label: LabelId) -> bool {
        let accepted = &self.questions.accepted;
        !accepted.is_empty()
            && self.op_of(label).is_some_and(|(function, pc)| {
                let body = self.code.functions[function].body.as_ref();
                let place = body.and_then(|body| body.ops.get(pc)).map(|instr| instr.place);
                place.is_some_and(|place| accepted.contains(&(rule, place)))
            })
    }

    fn asks(&self, rule: Rule) -> bool {
        match rule {
            Rule::Race => self.questions.races,
            _ => self.questions.rules.contains(&rule),
        }
    }

    fn at_place(&self, what: String, label: LabelId) -> String {
        match self.place_of(label) {
            Some(place) => format!("{what} ({}:{})", place.file, place.line),
            None => what,
        }
    }

    /// The stores after a step: the shared one and the thread's in `bytes`, and those of
    /// the threads that it created.
    fn encode_step(&self, machine: &mut Machine<'_>, bytes: &mut [Vec<u8>; 2]) -> Vec<Vec<u8>> {
        let [shared, local] = bytes;
        let leak = machine.memory.encode_thread(local);
        if let Some(site) = leak.filter(|_| self.options.tracks_leaks && !machine.exits) {
            machine.memory.note_leak(site);
        }
        let mut spawned: Vec<Vec<u8>> = Vec::new();
        for thread in take(&mut machine.spawned) {
            let mut bytes = Vec::new();
            machine.memory.encode_spawned(thread, &mut bytes);
            spawned.push(bytes);
        }
        machine.memory.encode_shared(shared);
        spawned
    }

    fn push(
        &self,
        machine: &mut Machine<'_>,
        bytes: &mut [Vec<u8>; 2],
        end: StepEnd<'_>,
        out: &mut Steps,
    ) {
        if machine.memory.shared().is_over() {
            machine.memory.access_everybody();
        }
        let spawned = self.encode_step(machine, bytes);
        let spawned: Vec<&[u8]> = spawned.iter().map(Vec::as_slice).collect();
        let [shared, local] = bytes;
        out.push(StepParts {
            shared,
            local: (end.ran == Ran::Running).then_some(local),
            spawned: &spawned,
            broadcast: machine.broadcast.map(Broadcast::id),
            footprint: Footprint::Known(machine.memory.footprint().accesses()),
            label: end.label,
            violation: end.error.map(Error::told),
        });
    }
}

impl ThreadProgram for CProgram {
    fn variant(&self) -> Variant {
        meaning(&self.options).0
    }

    fn initial_shared(&self) -> Vec<Store> {
        vec![self.initial.clone()]
    }

    fn templates(&self) -> &[Template] {
        &self.templates
    }

    fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
        self.with_machine(|machine, bytes| {
            machine.tape.reset();
            loop {
                machine.load(shared, local);
                if machine.memory.shared().is_over() {
                    return;
                }
                self.one_way(machine, (shared, local), bytes, out);
                if !machine.tape.advance() {
                    return;
                }
            }
        });
        self.note_blind_spots(shared, out);
    }

    fn has_object(&self, shared: &[u8], object: u32) -> bool {
        self.with_scratch(|scratch| {
            scratch.shared.decode(shared);
            scratch.shared.object(object).is_some()
        })
    }

    fn passive(&self, broadcast: BroadcastId, local: &[u8], out: &mut Vec<Store>) {
        self.with_scratch(|scratch| {
            scratch.thread.decode(&self.code, local);
            let changed = Broadcast::of_id(broadcast).changed(&self.code, &scratch.thread);
            if let Some(mut changed) = changed {
                changed.encode(&self.code, &mut scratch.bytes[0]);
                out.push(Store::new(&scratch.bytes[0]));
            }
        });
    }

    fn locks_held(&self, local: &[u8], out: &mut Vec<u64>) {
        if self.options.anonymous_joins().is_some() {
            self.with_scratch(|scratch| {
                scratch.thread.decode(&self.code, local);
                out.extend(scratch.thread.shared_locks_held());
            });
        }
    }

    fn is_over(&self, shared: &[u8]) -> bool {
        self.with_scratch(|scratch| {
            scratch.shared.decode(shared);
            scratch.shared.is_over()
        })
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
        Some(self)
    }

    fn heap_symmetry(&self) -> Option<&dyn HeapSymmetry> {
        Some(self)
    }

    fn matching_abstraction(&self) -> Option<&dyn MatchingAbstraction> {
        self.abstraction.as_ref().map(|_| self as &dyn MatchingAbstraction)
    }
}
