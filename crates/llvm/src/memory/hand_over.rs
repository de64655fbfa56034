//! Memory that moves with its thread: what a new thread is given and nobody else can reach
//! is its own from the start.
//!
//! A creator often fills a block and passes its address on. Where threads have no names,
//! shared objects are never collected, so that a block for each thread would make the shared
//! store grow without end.
//!
//! **Sound**: after the call, the creator has no way to the block, since its registers that
//! could name it are dead; so the new thread alone can reach it, and that is what private
//! means (`escape.rs`). Where the creator may reach a part of it, all of it is published.

use std::collections::BTreeSet;

use super::Memory;
use super::encode::live;
use super::object::{Kind, Object};
use super::stores::ThreadStore;
use crate::value::{Base, Origin, Value};

impl Memory<'_> {
    /// Moves what an argument leads to into the store of a new thread; gives the argument as
    /// that thread sees it. `None` if the creator, which is at the call, may still reach some
    /// of it; `others` are what the call is given besides.
    pub fn hand_over(
        &mut self,
        argument: Value,
        others: &[Value],
        thread: &mut ThreadStore,
    ) -> Option<Value> {
        let Origin::Private(first) = argument.base.origin() else { return None };
        let is_simple = self.has_anonymous_threads()
            && !self.code.watch.compares
            && self.thread.objects.get(first)?.kind == Kind::Heap;
        if !is_simple {
            return None;
        }
        let given = self.reached([argument.base].into_iter());
        let kept = self.reached(self.roots_after_call(others).into_iter());
        let is_memory = |number: &u32| {
            let object = self.thread.objects.get(*number);
            object.is_some_and(|object| matches!(object.kind, Kind::Heap | Kind::Symbol))
        };
        if !given.is_disjoint(&kept) || !given.iter().all(is_memory) {
            return None;
        }
        let mut moved: Vec<(u32, u32)> = Vec::new();
        for &number in &given {
            let object = self.thread.objects.take(number)?;
            moved.push((number, thread.objects.add(object)));
        }
        let renamed = |base: Base| match base.origin() {
            Origin::Private(number) => moved
                .iter()
                .find(|(old, _)| *old == number)
                .map_or(base, |&(_, new)| Base::new(Origin::Private(new))),
            _ => base,
        };
        for &(_, new) in &moved {
            let object = thread.objects.get_mut(new);
            let bases = object.into_iter().flat_map(Object::bases_mut);
            bases.for_each(|base| *base = renamed(*base));
        }
        Some(Value { base: renamed(argument.base), ..argument })
    }

    /// Everything that the thread can still name once the library function that it calls has
    /// returned.
    fn roots_after_call(&self, others: &[Value]) -> Vec<Base> {
        let mut roots: Vec<Base> = others.iter().map(|value| value.base).collect();
        let n_frames = self.thread.frames.len();
        let mut without_registers = self.thread.clone();
        for (idx, frame) in without_registers.frames.iter_mut().enumerate() {
            let is_top = idx + 1 == n_frames;
            if is_top {
                // Behind the call, as if it were done.
                frame.pc += 1;
                frame.phase = 0;
            }
            let live = live(self.code, frame, is_top);
            roots.extend(live.iter().map(|&reg| frame.registers[reg as usize].base));
            frame.registers.clear();
        }
        roots.extend(without_registers.roots());
        roots
    }

    /// The private objects that these lead to.
    fn reached(&self, roots: impl Iterator<Item = Base>) -> BTreeSet<u32> {
        let private = |base: Base| match base.origin() {
            Origin::Private(number) => Some(number),
            _ => None,
        };
        let mut waiting: Vec<u32> = roots.filter_map(private).collect();
        let mut reached = BTreeSet::new();
        while let Some(number) = waiting.pop() {
            if reached.insert(number)
                && let Some(object) = self.thread.objects.get(number)
            {
                waiting.extend(object.bases().filter_map(private));
            }
        }
        reached
    }
}
