//! What blocked threads of a C program wait for.

use model::{Blocking, Lock};

use super::CProgram;
use crate::library;
use crate::machine::Stop;

impl Blocking for CProgram {
    fn blocked(&self, shared: &[u8], local: &[u8]) -> Option<String> {
        self.wait_of(shared, local).map(|(why, _)| why)
    }

    fn waits_for(&self, shared: &[u8], local: &[u8]) -> Option<(u32, u32)> {
        self.with_machine(|machine, _| {
            machine.tape.reset();
            machine.load(shared, local);
            if machine.memory.shared().is_over() {
                return None;
            }
            match machine.run() {
                // Waiting in several ways, it may be unblocked in several ways.
                Err(Stop::Blocked(_)) if !machine.tape.has_chosen() => {
                    let me = machine.memory.me();
                    machine.waits_for.map(|other| (me.number(), other.number()))
                }
                _ => None,
            }
        })
    }

    fn identity(&self, local: &[u8]) -> Option<u32> {
        self.with_scratch(|scratch| {
            scratch.thread.decode(&self.code, local);
            Some(scratch.thread.identity().number())
        })
    }

    fn wanted_lock(&self, shared: &[u8], local: &[u8]) -> Option<Lock> {
        self.wait_of(shared, local)?.1
    }

    fn n_holds(&self, shared: &[u8], lock: Lock) -> u32 {
        self.with_scratch(|scratch| {
            scratch.shared.decode(shared);
            library::n_holds(&self.code, &scratch.shared, lock)
        })
    }
}

impl CProgram {
    /// What a blocked thread waits for, as a clause, and the lock that it is.
    fn wait_of(&self, shared: &[u8], local: &[u8]) -> Option<(String, Option<Lock>)> {
        self.with_machine(|machine, _| {
            machine.tape.reset();
            let mut reason = None;
            loop {
                machine.load(shared, local);
                if machine.memory.shared().is_over() {
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
}
