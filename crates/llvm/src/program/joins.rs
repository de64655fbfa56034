//! Which threads the first thread joins one after the other before it does anything else.
//!
//! That is tried out: it runs alone, in a store of nothing but threads that have ended, for as
//! long as each step joins one of them or touches nothing that is shared. A join counts if
//! the thread would be blocked there while the other one runs (a try or a wait with a timeout
//! would not), and if it makes no difference what the other one returned.
//!
//! **Sound** for [`crate::canonical`]: the answer depends on the thread's own store alone, so
//! it is the same in all states with it. Steps that need more than threads end the trial: what
//! is not there has no bytes.

use super::CProgram;
use crate::code::Code;
use crate::machine::{Machine, Ran, Stop};
use crate::memory::{SharedStore, ThreadIdentity, ThreadStore};
use crate::value::{Base, Origin, Value};

/// Functions with which a thread may get at its own handle.
const ASK_FOR_SELF: [&str; 2] = ["pthread_self", "thrd_current"];

/// Steps of a trial for each thread that there is.
const STEPS_PER_THREAD: u32 = 4;

/// Two results of threads, to see whether somebody looks.
const RESULTS: [Value; 2] = [Value::ZERO, Value::number(1)];

/// What a thread does alone among threads that have ended.
#[derive(Debug, Default, PartialEq, Eq)]
struct Trial {
    joined: Vec<u32>,
    /// Its own store after each join.
    after: Vec<Vec<u8>>,
}

/// May no thread ever ask who it is?
pub(super) fn hides_identities(code: &Code) -> bool {
    let mut names = code.functions.iter().map(|function| function.name.as_str());
    names.all(|name| !ASK_FOR_SELF.contains(&name))
}

impl CProgram {
    /// The threads that a thread joins before it does anything else, in order; those of the
    /// first thread alone are looked for.
    pub(super) fn joins_of(&self, thread: &ThreadStore, local: &[u8]) -> Vec<u32> {
        let first = ThreadIdentity::first(&self.code);
        // What has begun knows of objects that the trial does not have.
        let is_at_rest =
            thread.n_buffered() == 0 && thread.frames().iter().all(|frame| frame.phase == 0);
        if !self.hides_identities || thread.identity() != first || !is_at_rest {
            return Vec::new();
        }
        let shared = |base: Base| match base.origin() {
            Origin::Shared(number) => Some(number),
            _ => None,
        };
        let named = thread.bases().filter_map(shared).max();
        let n_numbers = named.map_or(0, |number| number + 1);
        if n_numbers <= first.number() + 2 {
            return Vec::new();
        }
        let [one, two] = RESULTS.map(|result| self.try_joins(local, n_numbers, result));
        let is_same = |idx: &usize| {
            (one.joined.get(*idx), one.after.get(*idx))
                == (two.joined.get(*idx), two.after.get(*idx))
        };
        let n_same = (0..one.joined.len()).take_while(is_same).count();
        one.joined[..n_same].to_vec()
    }

    fn try_joins(&self, local: &[u8], n_numbers: u32, result: Value) -> Trial {
        let first = ThreadIdentity::first(&self.code);
        let threads = |running| {
            let mut bytes = Vec::new();
            let shared = SharedStore::of_ended_threads(first, n_numbers, (running, result));
            shared.encode(&mut bytes);
            bytes
        };
        let mut trial = Trial::default();
        let (mut shared, mut local) = (threads(None), local.to_vec());
        self.with_machine(|machine, _| {
            for _ in 0..n_numbers * STEPS_PER_THREAD {
                machine.tape.reset();
                machine.load(&shared, &local);
                if !matches!(machine.run(), Ok(Ran::Running)) || !is_plain(machine) {
                    break;
                }
                match touched_thread(machine) {
                    Touched::Nothing => {}
                    Touched::Joined(thread) => {
                        let mut after = Vec::new();
                        machine.memory.encode_thread(&mut after);
                        machine.memory.encode_shared(&mut shared);
                        if !waits(machine, &threads(Some(thread)), &local) {
                            break;
                        }
                        local.clone_from(&after);
                        trial.joined.push(thread.number());
                        trial.after.push(after);
                        continue;
                    }
                    Touched::More => break,
                }
                machine.memory.encode_thread(&mut local);
            }
        });
        trial
    }
}

/// What a step touched of the shared store.
enum Touched {
    Nothing,
    /// A thread's object, which says now that it was joined.
    Joined(ThreadIdentity),
    More,
}

/// Was it the only way to go on, with no thread made?
fn is_plain(machine: &Machine<'_>) -> bool {
    let is_alone = machine.spawned.is_empty() && !machine.is_cut;
    is_alone && !machine.tape.has_chosen() && !machine.is_spurious
}

fn touched_thread(machine: &Machine<'_>) -> Touched {
    let accesses = machine.memory.footprint().accesses();
    let Some(first) = accesses.first() else { return Touched::Nothing };
    let thread = ThreadIdentity::of_object(first.object);
    let is_one = accesses.iter().all(|access| access.object == first.object);
    let is_other = thread != machine.memory.me();
    match is_one && is_other && machine.memory.shared().was_joined(thread) {
        true => Touched::Joined(thread),
        false => Touched::More,
    }
}

/// Is the thread blocked in `shared`, at once or after what nobody sees?
fn waits(machine: &mut Machine<'_>, shared: &[u8], local: &[u8]) -> bool {
    machine.tape.reset();
    machine.load(shared, local);
    match machine.run() {
        Err(Stop::Blocked(_)) => !machine.tape.has_chosen(),
        Ok(Ran::Running) if is_plain(machine) && machine.memory.footprint().is_empty() => {
            let mut local = Vec::new();
            machine.memory.encode_thread(&mut local);
            machine.load(shared, &local);
            matches!(machine.run(), Err(Stop::Blocked(_))) && !machine.tape.has_chosen()
        }
        _ => false,
    }
}
