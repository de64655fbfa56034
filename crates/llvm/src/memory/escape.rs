//! Ownership of memory: an object that only one thread can reach is private, and nobody
//! else sees what is done to it. It becomes shared, with all it reaches, when its address
//! is written where others can read it: it escapes.
//!
//! **Invariant** No shared object ever holds the address of a private one.
//! **Sound for** leaving accesses to private objects out of footprints: what no other
//! thread can name, no other thread can observe. This is decided by reachability in each
//! state, and is therefore exact where a static escape analysis must over-approximate.
//! **Source** Dwyer, Hatcliff, Robby and Ranganath, *Exploiting object escape and locking
//! information in partial-order reductions*, Formal Methods in System Design 25, 2004, use
//! the same notion of thread-local objects. We differ: escaped objects move to another
//! store, so that two threads' private heaps never make shared stores differ.

use super::Memory;
use super::access::Location;
use super::history::Deed;
use super::object::Object;
use crate::value::{Base, Origin, Value};

/// Private objects that became shared: old and new numbers.
type Moved = Vec<(u32, u32)>;

impl Memory<'_> {
    /// Makes what `value` is relative to shared, with all it reaches; gives the
    /// value as it is now.
    pub fn publish(&mut self, value: Value) -> Value {
        let Origin::Private(number) = value.base.origin() else { return value };
        let moved = self.share(number);
        Value { base: renamed(value.base, &moved), ..value }
    }

    /// Makes shared whatever the bytes of a location reach; gives the object that they are
    /// in now.
    pub(super) fn publish_contents(&mut self, location: Location) -> Origin {
        let Location { origin, at, len } = location;
        let reached: Vec<Base> = self.object(origin).map_or(Vec::new(), |object| {
            let within =
                object.marks.iter().filter(|mark| mark.at < at + len && at < mark.at + mark.len);
            within.filter_map(|mark| mark.kind.base()).collect()
        });
        let mut moved = Vec::new();
        for base in reached {
            if self.forgets_input(base) {
                continue;
            }
            if let Origin::Private(number) = renamed(base, &moved).origin() {
                moved.extend(self.share(number));
            }
        }
        match origin {
            Origin::Private(_) => renamed(Base::new(origin), &moved).origin(),
            _ => origin,
        }
    }

    /// Moves a private object to the shared store, with all it reaches.
    pub(super) fn share(&mut self, number: u32) -> Moved {
        let mut moved: Moved = Vec::new();
        let mut waiting = vec![number];
        while let Some(number) = waiting.pop() {
            let Some(mut object) = self.thread.objects.take(number) else { continue };
            self.forget_inputs(&mut object);
            waiting.extend(object.bases().filter_map(|base| match base.origin() {
                Origin::Private(number) => Some(number),
                _ => None,
            }));
            let shared = self.shared.objects.add(object);
            moved.push((number, shared));
            self.note(Deed::Publish(number, shared));
        }
        for &(_, shared) in &moved {
            let object = self.shared.objects.get_mut(shared);
            rename_all(object.into_iter().flat_map(Object::bases_mut), &moved);
        }
        rename_all(self.thread.bases_mut(), &moved);
        self.share_facts(|base| renamed(base, &moved));
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
