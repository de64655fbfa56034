//! Who holds an input: will anybody look at it again?

use super::Memory;
use super::encode::live;
use super::stores::Ending;
use crate::code::Reg;
use crate::value::{Base, Origin};

impl Memory<'_> {
    /// Is a symbol, with all that it is computed from, private and held by nothing but
    /// registers that the running operation reads, and that are dead behind it? `to` is the
    /// register that the operation writes.
    pub fn is_held_by_operands_only(&self, base: Base, to: Reg) -> bool {
        let mut family = vec![base];
        while let Some(view) = self.view(family[family.len() - 1]) {
            family.push(view.parent.base);
        }
        let is_private = |base: &Base| matches!(base.origin(), Origin::Private(_));
        family.iter().all(is_private) && !self.reaches_any(&family, to)
    }

    /// Does the thread reach one of these symbols, once the running operation is done?
    fn reaches_any(&self, symbols: &[Base], to: Reg) -> bool {
        let mut waiting = self.held_behind(to);
        let mut is_met = vec![false; self.thread.objects.n_numbers()];
        while let Some(base) = waiting.pop() {
            if symbols.contains(&base) {
                return true;
            }
            let Origin::Private(number) = base.origin() else { continue };
            if std::mem::replace(&mut is_met[number as usize], true) {
                continue;
            }
            let object = self.thread.objects.get(number);
            waiting.extend(object.into_iter().flat_map(|object| object.bases()));
        }
        false
    }

    /// What the thread holds outside of objects, once the running operation is done.
    fn held_behind(&self, to: Reg) -> Vec<Base> {
        let thread = &self.thread;
        let mut held: Vec<Base> = Vec::new();
        for (idx, frame) in thread.frames.iter().enumerate() {
            let is_top = idx + 1 == thread.frames.len();
            let body = self.code.functions[frame.function as usize].body.as_ref();
            let registers = match body {
                Some(body) if is_top => {
                    let next = body.ops.get(frame.pc as usize + 1).map_or(0, |next| next.live);
                    &body.live_sets[next as usize]
                }
                _ => live(self.code, frame, is_top),
            };
            let kept = registers.iter().filter(|&&reg| !is_top || reg != to);
            held.extend(kept.map(|&reg| frame.registers[reg as usize].base));
            held.extend(&frame.allocas);
        }
        let values = thread.thread_locals.iter().chain(&thread.specifics).chain(&thread.untold);
        held.extend(values.map(|value| value.base));
        held.extend(thread.buffered.iter().flat_map(|store| store.bases()));
        if let Some(Ending::Thread(value)) = thread.ending {
            held.push(value.base);
        }
        held
    }
}
