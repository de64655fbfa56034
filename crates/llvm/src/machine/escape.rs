//! Ownership of memory: an object that only one thread can reach is private, and
//! nobody else sees what is done to it. It becomes shared, with all it reaches, when
//! its address is written where others can read it.
//!
//! No shared object ever holds the address of a private one.

use super::object::Object;
use super::{Machine, MemoryModel};
use crate::value::{Base, Origin, Value};

impl Machine<'_> {
    /// Makes what `value` is relative to shared, with all it reaches; gives the
    /// value as it is now.
    pub fn publish(&mut self, value: Value) -> Value {
        let Origin::Private(number) = value.base.origin() else { return value };
        let moved = self.share(number);
        Value { base: renamed(value.base, &moved), ..value }
    }

    /// Makes shared whatever the bytes of a place reach.
    pub fn publish_contents(&mut self, origin: Origin, at: u32, len: u32) {
        let reached: Vec<Base> = self.object_at(origin).map_or(Vec::new(), |object| {
            let within =
                object.marks.iter().filter(|mark| mark.at < at + len && at < mark.at + mark.len);
            let kinds = within.map(|mark| mark.kind);
            kinds
                .filter_map(|kind| match kind {
                    super::MarkKind::Relative(base) => Some(base),
                    _ => None,
                })
                .collect()
        });
        let mut moved = Vec::new();
        for base in reached {
            if let Origin::Private(number) = renamed(base, &moved).origin() {
                moved.extend(self.share(number));
            }
        }
    }

    /// Moves a private object to the shared store, with all it reaches; tells the
    /// old and the new numbers.
    fn share(&mut self, number: u32) -> Vec<(u32, u32)> {
        let mut moved: Vec<(u32, u32)> = Vec::new();
        let mut waiting = vec![number];
        while let Some(number) = waiting.pop() {
            let taken = self.thread.objects.get_mut(number as usize).and_then(Option::take);
            let Some(object) = taken else { continue };
            waiting.extend(object.bases().filter_map(|base| match base.origin() {
                Origin::Private(number) => Some(number),
                _ => None,
            }));
            let shared = self.shared.add(object);
            moved.push((number, shared));
            if self.options.memory_model == MemoryModel::HappensBefore {
                self.published.push(shared);
            }
        }
        for &(_, shared) in &moved {
            let object = self.shared.objects[shared as usize].as_mut();
            rename_all(object.into_iter().flat_map(Object::bases_mut), &moved);
        }
        rename_all(self.thread.bases_mut(), &moved);
        moved
    }
}

fn rename_all<'a>(bases: impl Iterator<Item = &'a mut Base>, moved: &[(u32, u32)]) {
    bases.for_each(|base| *base = renamed(*base, moved));
}

fn renamed(base: Base, moved: &[(u32, u32)]) -> Base {
    let Origin::Private(number) = base.origin() else { return base };
    match moved.iter().find(|(private, _)| *private == number) {
        Some(&(_, shared)) => Base::new(Origin::Shared(shared)),
        None => base,
    }
}
