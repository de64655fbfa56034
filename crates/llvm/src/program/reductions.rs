//! What searches may use to look at fewer states of a C program: what threads may still
//! touch (`future.rs`), and names of objects that do not matter (`canonical.rs`).

use std::sync::Arc;

use model::{HeapSymmetry, Independence, Renaming, Store};

use super::{CProgram, Scratch};
use crate::canonical::{self, Numbering, ThreadNames};
use crate::memory::ThreadStore;

impl Independence for CProgram {
    fn visible_objects(&self, shared: &[u8], out: &mut Vec<u32>) {
        self.watched_objects(shared, out);
    }

    fn future_objects(&self, shared: &[u8], local: &[u8], out: &mut Vec<u32>) {
        self.with_scratch(|scratch| {
            scratch.shared.decode(shared);
            scratch.thread.decode(&self.code, local);
            self.mentions.future(&scratch.shared, &scratch.thread, out);
        });
    }
}

impl HeapSymmetry for CProgram {
    fn may_rename(&self, shared: &[u8]) -> bool {
        self.with_scratch(|scratch| {
            scratch.shared.decode(shared);
            canonical::may_rename(&self.code, &scratch.shared)
        })
    }

    fn canonicalize(
        &self,
        shared: &[u8],
        locals: &[&[u8]],
        renaming: Renaming,
    ) -> Option<(Store, Vec<Store>)> {
        self.with_scratch(|scratch| {
            let names = scratch.shared_names(&self.code, shared);
            let threads = self.names_of_all(scratch, locals);
            let numbering = Numbering::of(&self.code, &names, &threads, renaming);
            if numbering.changes_nothing() {
                return None;
            }
            Some(self.renumbered(scratch, numbering, (shared, locals)))
        })
    }

    fn rename_in_order(&self, shared: &[u8], locals: &[&[u8]]) -> (Store, Vec<Store>) {
        self.with_scratch(|scratch| {
            let names = scratch.shared_names(&self.code, shared);
            let threads = self.names_of_all(scratch, locals);
            let numbering = Numbering::in_order_of(&self.code, &names, &threads);
            self.renumbered(scratch, numbering, (shared, locals))
        })
    }
}

impl CProgram {
    fn names_of_all(&self, scratch: &mut Scratch, locals: &[&[u8]]) -> Vec<Arc<ThreadNames>> {
        locals.iter().map(|local| scratch.thread_names(self, local)).collect()
    }

    /// The stores with new names.
    fn renumbered(
        &self,
        scratch: &mut Scratch,
        numbering: Numbering,
        (shared, locals): (&[u8], &[&[u8]]),
    ) -> (Store, Vec<Store>) {
        let names = scratch.shared_names(&self.code, shared);
        scratch.shared.decode(shared);
        let n_threads = locals.len().max(scratch.threads.len());
        scratch.threads.resize_with(n_threads, ThreadStore::default);
        let threads = &mut scratch.threads[..locals.len()];
        for (local, thread) in locals.iter().zip(threads.iter_mut()) {
            thread.decode(&self.code, local);
        }
        let leaks = self.options.tracks_leaks;
        let stores = (&mut scratch.shared, threads);
        canonical::canonicalize(&self.code, numbering, &names, stores, leaks);
        let bytes = &mut scratch.bytes[0];
        scratch.shared.encode(bytes);
        let shared = Store::new(bytes);
        let mut renamed = Vec::new();
        for thread in &mut scratch.threads[..locals.len()] {
            thread.encode(&self.code, bytes);
            renamed.push(Store::new(bytes));
        }
        (shared, renamed)
    }
}
