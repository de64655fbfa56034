//! All interleavings of a small program, by depth-first search: what its runs end
//! with, where they get stuck, and what they do wrong.

use std::collections::BTreeSet;

use crate::code::Code;
use crate::machine::{Machine, Options, Ran, Stop, constant_objects};
use crate::memory::{Object, SharedStore, ThreadIdentity, ThreadStore};

/// What the runs of a program come to.
#[derive(Debug, Default)]
pub struct Explored {
    /// The first variable, where the program ended.
    pub endings: BTreeSet<u64>,
    /// What threads wait for where none can go on, sorted.
    pub deadlocks: BTreeSet<Vec<String>>,
    /// Broken rules.
    pub errors: BTreeSet<String>,
    /// Refusals.
    pub refusals: BTreeSet<String>,
    /// What single steps wrote.
    pub output: BTreeSet<String>,
    /// Was an input cut down to a few values?
    pub is_cut: bool,
    /// Was every state seen?
    pub is_whole: bool,
}

/// More threads than any program here has.
const MAX_THREADS: usize = 6;

/// More states than any program here has.
const MAX_STATES: usize = 20_000;

/// The stores of a state: the shared one, and one for each thread.
type State = (Vec<u8>, Vec<Vec<u8>>);

/// What a thread can do in a state.
#[derive(Default)]
struct Turn {
    /// It has a step that others can rely on.
    has_step: bool,
    /// It stops at an assumption.
    is_assumed: bool,
    /// What it waits for.
    waits: Option<String>,
}

struct Explorer<'p> {
    code: &'p Code,
    constants: Vec<Object>,
    options: &'p Options,
    explored: Explored,
    waiting: Vec<State>,
}

/// Explores the program in a module's text.
pub fn explore(text: &str, options: &Options) -> Explored {
    let module = crate::read(text).expect("the text is a module");
    let code = crate::code::lower(&module);
    let mut explorer = Explorer {
        code: &code,
        constants: constant_objects(&code),
        options,
        explored: Explored { is_whole: true, ..Explored::default() },
        waiting: vec![first_state(&code)],
    };
    let mut seen: BTreeSet<State> = BTreeSet::new();
    while let Some(state) = explorer.waiting.pop() {
        if seen.len() >= MAX_STATES || state.1.len() > MAX_THREADS {
            explorer.explored.is_whole = false;
        } else if seen.insert(state.clone()) {
            explorer.visit(&state);
        }
    }
    explorer.explored
}

fn first_state(code: &Code) -> State {
    let main = code.main.expect("there is a `main`");
    let thread = ThreadStore::new(code, ThreadIdentity::first(code), main, &[]);
    let mut bytes = (Vec::new(), vec![Vec::new()]);
    SharedStore::initial(code).encode(&mut bytes.0);
    thread.expect("`main` is defined").encode(code, &mut bytes.1[0]);
    bytes
}

impl Explorer<'_> {
    fn visit(&mut self, state: &State) {
        let shared = SharedStore::from_bytes(&state.0);
        if shared.is_over() || state.1.is_empty() {
            let object = shared.object(0).filter(|object| object.size() >= 4);
            let value = object.and_then(|object| object.read(0, 4, 32).ok());
            self.explored.endings.insert(value.map_or(0, |value| value.bits));
            return;
        }
        let turns: Vec<Turn> = (0..state.1.len()).map(|idx| self.turn(state, idx)).collect();
        let is_stuck = turns.iter().all(|turn| !turn.has_step);
        if is_stuck && turns.iter().all(|turn| !turn.is_assumed) {
            let mut waits: Vec<String> = turns.into_iter().filter_map(|turn| turn.waits).collect();
            waits.sort();
            self.explored.deadlocks.insert(waits);
        }
    }

    fn turn(&mut self, state: &State, idx: usize) -> Turn {
        let code = self.code;
        let constants = std::mem::take(&mut self.constants);
        let mut machine = Machine::new(code, &constants, self.options, Default::default());
        let mut turn = Turn::default();
        loop {
            machine.load(&state.0, &state.1[idx]);
            let result = machine.run();
            self.explored.is_cut |= machine.is_cut;
            match result {
                Ok(ran) => {
                    turn.has_step |= !machine.is_spurious;
                    self.step(&mut machine, state, idx, ran);
                }
                Err(Stop::Blocked(why)) => turn.waits = Some(why),
                Err(Stop::Assumed) => turn.is_assumed = true,
                Err(Stop::Error(error)) => {
                    turn.has_step = true;
                    self.explored.errors.insert(error.message);
                }
                Err(Stop::Refused(why)) => {
                    turn.has_step = true;
                    self.explored.refusals.insert(why);
                }
            }
            if !machine.tape.advance() {
                break;
            }
        }
        self.constants = constants;
        turn
    }

    fn step(&mut self, machine: &mut Machine<'_>, state: &State, idx: usize, ran: Ran) {
        let (mut shared, mut threads) = (Vec::new(), state.1.clone());
        machine.memory.encode_shared(&mut shared);
        match ran {
            Ran::Running => {
                machine.memory.encode_thread(&mut threads[idx]);
            }
            Ran::Ended => drop(threads.remove(idx)),
        }
        for mut thread in std::mem::take(&mut machine.spawned) {
            threads.push(self.encoded(&mut thread));
        }
        if !machine.output.is_empty() {
            self.explored.output.insert(machine.output.clone());
        }
        self.waiting.push((shared, threads));
    }

    fn encoded(&self, thread: &mut ThreadStore) -> Vec<u8> {
        let mut bytes = Vec::new();
        thread.encode(self.code, &mut bytes);
        bytes
    }
}
