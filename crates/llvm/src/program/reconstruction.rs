//! Follows a run in the source: which functions were called and left, what was touched
//! where, and with which inputs the run goes as it is told.
//!
//! Inputs that nobody has looked at are ranges in a trace, and only the end of a run says
//! what is left of them. So each gets a number while the run is gone through once more;
//! without these numbers, the states are those of the trace.

use std::collections::BTreeMap;

use model::{RunEvent, RunEventKind, ThreadStep, ThreadTrace};

use super::CProgram;
use crate::machine::{Act, InputValue, Log, Logged, Machine, Ran, Stop};
use crate::memory::{Object, SharedStore, ThreadStore};
use crate::value::{mask, signed};

/// A state of the run in which inputs have numbers.
struct Replay {
    shared: Vec<u8>,
    locals: Vec<Option<Vec<u8>>>,
    last_symbol: u32,
    /// What is left of each input, by its number.
    ranges: BTreeMap<u32, (u64, u64)>,
}

/// What came of a step.
struct Came {
    shared: Vec<u8>,
    local: Option<Vec<u8>>,
    spawned: Vec<Vec<u8>>,
    log: Log,
    ranges: Vec<(u32, (u64, u64))>,
}

impl CProgram {
    /// What each step of a run does, one after the other.
    pub(super) fn run_events(&self, trace: &ThreadTrace) -> Vec<Vec<RunEvent>> {
        let mut replay = Replay {
            shared: trace.shared.bytes().to_vec(),
            locals: trace.threads.iter().map(|local| Some(local.bytes().to_vec())).collect(),
            last_symbol: 0,
            ranges: BTreeMap::new(),
        };
        let mut all: Vec<Vec<Logged>> = Vec::new();
        for step in &trace.steps {
            let came = self.same_way(&replay, step);
            all.push(came.as_ref().map_or_else(Vec::new, |came| came.log.entries.clone()));
            replay.take(step, came);
        }
        let event = |logged: Logged| self.event(logged, &replay.ranges);
        all.into_iter().map(|log| log.into_iter().filter_map(event).collect()).collect()
    }

    /// The way to run a step that comes to what the trace says.
    fn same_way(&self, replay: &Replay, step: &ThreadStep) -> Option<Came> {
        let thread = step.thread? as usize;
        let local = replay.locals.get(thread)?.as_ref()?;
        self.with_machine(|machine, _| {
            machine.tape.reset();
            loop {
                machine.load(&replay.shared, local);
                let log = Log { last_symbol: replay.last_symbol, ..Log::default() };
                machine.log = Some(Box::new(log));
                let came = self.came_of(machine, &replay.shared, local);
                machine.log = None;
                if let Some(came) = came.filter(|came| self.is_same(came, step)) {
                    return Some(came);
                }
                if !machine.tape.advance() {
                    return None;
                }
            }
        })
    }

    fn came_of(&self, machine: &mut Machine<'_>, shared: &[u8], local: &[u8]) -> Option<Came> {
        let ran = match self.run_step(machine, shared, local) {
            Ok(ran) => ran,
            Err(Stop::Error(_)) => Ran::Running,
            Err(_) => return None,
        };
        let log = machine.log.take().map_or_else(Log::default, |log| *log);
        let threads = std::iter::once(machine.memory.thread()).chain(&machine.spawned);
        let own = threads.flat_map(|thread| thread.objects().iter());
        let objects = machine.memory.shared().objects().iter().chain(own);
        let ranges = objects.filter_map(|(_, object)| range_of(object)).collect();
        let mut bytes = [Vec::new(), Vec::new()];
        let spawned = self.encode_step(machine, &mut bytes);
        let [shared, local] = bytes;
        let local = (ran == Ran::Running).then_some(local);
        Some(Came { shared, local, spawned, log, ranges })
    }

    fn is_same(&self, came: &Came, step: &ThreadStep) -> bool {
        let local = came.local.as_ref().map(|local| self.plain_local(local));
        self.plain_shared(&came.shared) == step.shared.bytes()
            && local.as_deref() == step.local.as_ref().map(model::Store::bytes)
    }

    fn plain_shared(&self, bytes: &[u8]) -> Vec<u8> {
        let (mut shared, mut plain) = (SharedStore::from_bytes(bytes), Vec::new());
        shared.forget_input_numbers();
        shared.encode(&mut plain);
        plain
    }

    fn plain_local(&self, bytes: &[u8]) -> Vec<u8> {
        let (mut thread, mut plain) = (ThreadStore::from_bytes(&self.code, bytes), Vec::new());
        thread.forget_input_numbers();
        thread.encode(&self.code, &mut plain);
        plain
    }

    fn event(&self, logged: Logged, ranges: &BTreeMap<u32, (u64, u64)>) -> Option<RunEvent> {
        let name = |function: u32| self.code.functions[function as usize].name.clone();
        let place = self.code.places.get(logged.place as usize).filter(|place| place.line > 0);
        let span = place.and_then(|place| self.sources.span(place));
        let kind = match logged.act {
            Act::Call(function) => RunEventKind::Call(name(function)),
            Act::Return(function) => RunEventKind::Return(name(function)),
            Act::Access => RunEventKind::Access,
            Act::Start(function) => RunEventKind::Start(name(function)),
            Act::Input { function, width, value } => {
                let bits = match value {
                    InputValue::Number(bits) => bits,
                    InputValue::Symbol(number) => least(*ranges.get(&number)?),
                };
                let function = name(function);
                RunEventKind::Input { value: shown(&function, bits, width), function }
            }
        };
        Some(RunEvent { kind, span })
    }
}

impl Replay {
    fn take(&mut self, step: &ThreadStep, came: Option<Came>) {
        let local = step.thread.and_then(|thread| self.locals.get_mut(thread as usize));
        let Some(came) = came else {
            // Its inputs have lost their numbers, and their values are not told.
            self.shared = step.shared.bytes().to_vec();
            if let Some(local) = local {
                *local = step.local.as_ref().map(|local| local.bytes().to_vec());
            }
            let spawned = step.spawned.iter().map(|local| Some(local.bytes().to_vec()));
            self.locals.extend(spawned);
            return;
        };
        self.shared = came.shared;
        if let Some(local) = local {
            *local = came.local;
        }
        self.locals.extend(came.spawned.into_iter().map(Some));
        self.last_symbol = came.log.last_symbol;
        self.ranges.extend(came.ranges);
        for number in &came.log.forgotten {
            self.ranges.remove(number);
        }
    }
}

/// The number of an input, and what is left of it.
fn range_of(object: &Object) -> Option<(u32, (u64, u64))> {
    let number = object.input_number().filter(|&number| number != 0)?;
    Some((number, object.range()?))
}

/// The value of a range that is told: all of them go the same way.
fn least((first, last): (u64, u64)) -> u64 {
    if first <= last { first } else { last }
}

/// An input as C has it, by the type that the function's name says.
fn shown(function: &str, bits: u64, width: u32) -> String {
    const UNSIGNED: [&str; 5] = ["_u", "size_t", "bool", "Bool", "pointer"];
    let is_unsigned = UNSIGNED.iter().any(|mark| function.contains(mark));
    match is_unsigned || width == 0 {
        true => (bits & mask(width.clamp(1, 64))).to_string(),
        false => signed(bits, width.min(64)).to_string(),
    }
}
