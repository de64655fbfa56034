//! What one step does to all other threads, where threads have no names: it ends those that
//! were joined, or lets those go on that wait at a barrier.
//!
//! With names, a thread that is joined has ended before, and one that waits is found by its
//! object. Without them, a thread tells by its own store whether it is meant.

use model::BroadcastId;

use super::Machine;
use super::stop::{Result, Stop};
use crate::code::{Code, Op, Pc, Src};
use crate::library;
use crate::machine::Joins;
use crate::memory::ThreadStore;
use crate::value::{Origin, Value};

/// What a step does to all other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broadcast {
    /// All threads that were created by these loops, a number in `Code::fork_joins`, have ended
    /// and were joined.
    Joined(u32),
    /// Whoever waits at the barrier in this object, at this offset, goes on.
    Released(u32, u32),
}

const RELEASED: u32 = 1 << 31;
const OFFSET_BITS: u32 = 16;

/// The phase of a thread that waits at a barrier.
pub const WAITS: u8 = 1;
/// The phase of a thread that may go on behind a barrier.
pub const MAY_GO_ON: u8 = 2;

impl Broadcast {
    /// The number by which steps name it.
    pub fn id(self) -> BroadcastId {
        BroadcastId(match self {
            Broadcast::Joined(place) => place,
            Broadcast::Released(object, at) => RELEASED | object << OFFSET_BITS | at,
        })
    }

    /// From [`Broadcast::id`].
    pub fn of_id(BroadcastId(id): BroadcastId) -> Broadcast {
        match id & RELEASED {
            0 => Broadcast::Joined(id),
            _ => {
                let rest = id & !RELEASED;
                Broadcast::Released(rest >> OFFSET_BITS, rest & ((1 << OFFSET_BITS) - 1))
            }
        }
    }

    /// What a thread becomes that does not step itself; `None` if it stays as it is.
    pub fn changed(self, code: &Code, thread: &ThreadStore) -> Option<ThreadStore> {
        match self {
            Broadcast::Joined(place) => {
                (thread.created_at() == Some(place)).then(|| thread.ended())
            }
            Broadcast::Released(object, at) => {
                let barrier = Value::address(Origin::Shared(object), u64::from(at));
                waits_at(code, thread, barrier).then(|| thread.with_phase(MAY_GO_ON))
            }
        }
    }
}

/// Does a thread wait at a barrier?
fn waits_at(code: &Code, thread: &ThreadStore, barrier: Value) -> bool {
    let Some(frame) = thread.frames().last().filter(|frame| frame.phase == WAITS) else {
        return false;
    };
    let body = code.functions.get(frame.function as usize).and_then(|it| it.body.as_ref());
    let Some(Op::Call(call)) =
        body.and_then(|body| body.ops.get(frame.pc as usize)).map(|instr| &instr.op)
    else {
        return false;
    };
    let value = |src: Src| match src {
        Src::Reg(reg) => frame.registers.get(reg as usize).copied(),
        Src::Value(value) => Some(value),
    };
    let called = value(call.callee).and_then(Value::as_function);
    let builtin = called.and_then(|it| code.functions.get(it as usize)).and_then(|it| it.builtin);
    builtin.is_some_and(library::waits_at_barrier)
        && call.arguments.first().and_then(|&src| value(src)) == Some(barrier)
}

impl Machine<'_> {
    /// Notes that a branch leaves a loop that has joined all threads of a place, if it does.
    pub(super) fn leaves_joins(&mut self, to: Pc) -> bool {
        if self.code.fork_joins.is_empty()
            || self.options.anonymous_joins() != Some(Joins::AnyTime)
            || self.memory.is_in_section()
        {
            return false;
        }
        let (function, pc) = (self.memory.frame().function, self.memory.frame().pc);
        let mut loops = self.code.fork_joins.iter();
        let left = loops.position(|it| {
            it.is_relied_on && (it.function, it.head, it.exit) == (function, pc, to)
        });
        if let Some(left) = left {
            self.broadcast = Some(Broadcast::Joined(left as u32));
        }
        left.is_some()
    }

    /// Lets whoever waits at a barrier go on.
    ///
    /// # Errors
    /// It lies where nobody can name it in a number, or the step has done such a thing before.
    pub fn release(&mut self, barrier: Value) -> Result<()> {
        let Origin::Shared(object) = barrier.base.origin() else {
            // Nobody else can wait at it.
            return Ok(());
        };
        let is_named = object < RELEASED >> OFFSET_BITS && barrier.bits < 1 << OFFSET_BITS;
        if !is_named || self.broadcast.is_some() {
            return Err(Stop::refused("two barriers are passed at once, or one is too far away"));
        }
        self.broadcast = Some(Broadcast::Released(object, barrier.bits as u32));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Broadcast;

    #[test]
    fn broadcasts_come_back_from_their_numbers() {
        for broadcast in
            [Broadcast::Joined(7), Broadcast::Released(0, 0), Broadcast::Released(12, 40)]
        {
            assert_eq!(Broadcast::of_id(broadcast.id()), broadcast);
        }
    }
}
