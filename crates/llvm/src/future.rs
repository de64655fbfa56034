//! The shared objects that a thread may still access: what ample sets need to know about the
//! other threads' future dependencies.
//!
//! A thread gets at an object through its registers and private memory, through the global
//! variables that its functions mention, through what is reachable from these, or through
//! another thread that has the address. So an object that a thread cannot reach now, and that
//! no other thread hands to it, is not accessed by it. Any thread may call library functions
//! on any other thread, so thread objects are in every future.
//!
//! **Over-approximates**, hence sound for ample sets: functions count as a whole with
//! everything they mention, whichever path they take, and reads count as writes.
//! **Source** Dwyer, Hatcliff, Robby and Ranganath, "Exploiting Object Escape and Locking
//! Information in Partial-Order Reductions for Concurrent Object-Oriented Programs", FMSD
//! 2004: objects reachable from one thread alone make its steps independent. We differ:
//! reachability is computed per state from the current heap, not by a static analysis, and
//! locks are not taken into account.

use crate::code::{Code, Src, registers};
use crate::memory::{SharedStore, ThreadStore};
use crate::value::{Base, Origin};

/// Which variables and functions each function names, itself or by those it calls.
pub struct Mentions {
    /// By function.
    functions: Vec<Mentioned>,
    /// By constant.
    constants: Vec<Mentioned>,
}

#[derive(Clone, Default)]
struct Mentioned {
    globals: Vec<u32>,
    functions: Vec<u32>,
    constants: Vec<u32>,
}

impl Mentioned {
    fn add(&mut self, base: Base) {
        match base.origin() {
            Origin::Shared(number) => self.globals.push(number),
            Origin::Function(number) => self.functions.push(number),
            Origin::Constant(number) => self.constants.push(number),
            _ => {}
        }
    }

    fn tidy(&mut self) {
        for list in [&mut self.globals, &mut self.functions, &mut self.constants] {
            list.sort_unstable();
            list.dedup();
        }
    }
}

impl Mentions {
    /// Reads the whole program once.
    pub fn of(code: &Code) -> Mentions {
        let functions = code.functions.iter().map(|function| {
            let mut mentioned = Mentioned::default();
            for instr in function.body.iter().flat_map(|body| &body.ops) {
                registers::for_each_source(&instr.op, |src| {
                    if let Src::Value(value) = src {
                        mentioned.add(value.base);
                    }
                });
            }
            mentioned.tidy();
            mentioned
        });
        let constants = code.constants.iter().map(|variable| {
            let mut mentioned = Mentioned::default();
            variable.contents.iter().for_each(|(_, _, value)| mentioned.add(value.base));
            mentioned.tidy();
            mentioned
        });
        Mentions { functions: functions.collect(), constants: constants.collect() }
    }

    /// The shared objects that a function may look at when it is called without
    /// arguments, as long as nobody writes one of them.
    pub fn within_reach(&self, shared: &SharedStore, function: u32, out: &mut Vec<u32>) {
        let mut search = Search::new(self, shared);
        search.meet(Base::new(Origin::Function(function)));
        search.finish(shared, out);
    }

    /// The functions that a function names, itself or by those it names.
    pub fn functions_of(&self, function: u32) -> Vec<u32> {
        let mut search = Search::new(self, &SharedStore::default());
        search.meet(Base::new(Origin::Function(function)));
        let met = (0u32..).zip(&search.is_function_met).filter(|(_, is_met)| **is_met);
        met.map(|(number, _)| number).collect()
    }

    /// The shared objects that a thread may touch, now or later, as long as nobody
    /// hands it more; ascending.
    pub fn future(&self, shared: &SharedStore, thread: &ThreadStore, out: &mut Vec<u32>) {
        let mut search = Search::new(self, shared);
        shared.threads().for_each(|thread| search.meet_object(thread.number()));
        for frame in thread.frames() {
            search.meet(Base::new(Origin::Function(frame.function)));
        }
        thread.bases().for_each(|base| search.meet(base));
        shared.hooks().for_each(|base| search.meet(base));
        search.finish(shared, out);
    }
}

struct Search<'a> {
    mentions: &'a Mentions,
    is_met: Vec<bool>,
    is_function_met: Vec<bool>,
    is_constant_met: Vec<bool>,
    /// Objects that were met and not looked into yet.
    waiting: Vec<u32>,
}

impl<'a> Search<'a> {
    fn new(mentions: &'a Mentions, shared: &SharedStore) -> Search<'a> {
        Search {
            mentions,
            is_met: vec![false; shared.objects().n_numbers()],
            is_function_met: vec![false; mentions.functions.len()],
            is_constant_met: vec![false; mentions.constants.len()],
            waiting: Vec::new(),
        }
    }

    /// Looks into all that was met, and pushes it to `out`, ascending.
    fn finish(mut self, shared: &SharedStore, out: &mut Vec<u32>) {
        while let Some(number) = self.waiting.pop() {
            if let Some(object) = shared.object(number) {
                object.bases().for_each(|base| self.meet(base));
            }
        }
        let met = (0u32..).zip(&self.is_met).filter(|(_, is_met)| **is_met);
        out.extend(met.map(|(number, _)| number));
    }

    fn meet_object(&mut self, number: u32) {
        if let Some(is_met @ false) = self.is_met.get_mut(number as usize) {
            *is_met = true;
            self.waiting.push(number);
        }
    }

    fn meet(&mut self, base: Base) {
        let mut names = vec![base];
        while let Some(base) = names.pop() {
            let mentioned = match base.origin() {
                Origin::Shared(number) => {
                    self.meet_object(number);
                    continue;
                }
                Origin::Function(number) => match self.is_function_met.get_mut(number as usize) {
                    Some(is_met @ false) => {
                        *is_met = true;
                        &self.mentions.functions[number as usize]
                    }
                    _ => continue,
                },
                Origin::Constant(number) => match self.is_constant_met.get_mut(number as usize) {
                    Some(is_met @ false) => {
                        *is_met = true;
                        &self.mentions.constants[number as usize]
                    }
                    _ => continue,
                },
                _ => continue,
            };
            for &number in &mentioned.globals {
                self.meet_object(number);
            }
            let functions = mentioned.functions.iter().map(|&n| Base::new(Origin::Function(n)));
            let constants = mentioned.constants.iter().map(|&n| Base::new(Origin::Constant(n)));
            names.extend(functions.chain(constants));
        }
    }
}
