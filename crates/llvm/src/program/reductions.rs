//! What searches may use to look at fewer states of a C program: what threads may still
//! touch (`future.rs`), and names of objects that do not matter (`canonical.rs`).

use std::sync::Arc;

use model::{HeapSymmetry, Independence, Store};

use super::CProgram;
use crate::canonical::{self, Numbering, ThreadNames};
use crate::machine::{Thread, decode_shared, decode_thread, encode_shared, encode_thread};

impl Independence for CProgram {
    fn visible_objects(&self, shared: &[u8], out: &mut Vec<u32>) {
        self.watched_objects(shared, out);
    }

    fn future_objects(&self, shared: &[u8], local: &[u8], out: &mut Vec<u32>) {
        self.with_scratch(|scratch| {
            decode_shared(shared, &mut scratch.shared);
            decode_thread(&self.code, local, &mut scratch.thread);
            self.mentions.future(&scratch.shared, &scratch.thread, out);
        });
    }
}

impl HeapSymmetry for CProgram {
    fn may_rename(&self, shared: &[u8]) -> bool {
        self.with_scratch(|scratch| {
            decode_shared(shared, &mut scratch.shared);
            canonical::may_rename(&self.code, &scratch.shared)
        })
    }

    fn canonicalize(&self, shared: &[u8], locals: &[&[u8]]) -> Option<(Store, Vec<Store>)> {
        self.with_scratch(|scratch| {
            let names = scratch.shared_names(shared);
            let threads: Vec<Arc<ThreadNames>> =
                locals.iter().map(|local| scratch.thread_names(&self.code, local)).collect();
            let numbering = Numbering::of(&self.code, &names, &threads);
            if numbering.changes_nothing() {
                return None;
            }
            decode_shared(shared, &mut scratch.shared);
            scratch.threads.resize_with(locals.len().max(scratch.threads.len()), Thread::default);
            let threads = &mut scratch.threads[..locals.len()];
            for (local, thread) in locals.iter().zip(threads.iter_mut()) {
                decode_thread(&self.code, local, thread);
            }
            let leaks = self.options.tracks_leaks;
            canonical::canonicalize(leaks, numbering, &names, &mut scratch.shared, threads);
            let bytes = &mut scratch.bytes[0];
            encode_shared(&scratch.shared, bytes);
            let shared = Store::new(bytes);
            let mut renamed = Vec::new();
            for thread in threads {
                encode_thread(&self.code, thread, bytes);
                renamed.push(Store::new(bytes));
            }
            Some((shared, renamed))
        })
    }
}
