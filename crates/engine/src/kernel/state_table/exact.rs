//! Decides exactly whether a state was seen before, and numbers those that were not.
//!
//! An open-addressing index of 32-bit slots over an [`Arena`]. A slot holds a
//! state's number in its low bits and, in the bits that the size of the index
//! leaves free, a tag of its hash, so that few states are compared in vain. The
//! top bits of the hash choose the slot; the tag is taken from the bottom.
//!
//! Threads insert without locks: a state is written to the inserting thread's own
//! block of the arena, and becomes visible when its slot is set. Growing needs the
//! table alone; the old index is freed before the new one is allocated, and filled
//! from the arena.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use model::{Limits, StopReason};

use super::arena::{Arena, NotStored, StateId, Writer};
use super::hash::{hash, prefetch};
use super::room_for;
use super::zeroed::Zeroed;
use crate::kernel::crew::Crew;

/// Slots at the start; their pages are touched as they are used.
const LOG2_FIRST_SLOTS: u32 = 12;

/// Numbers are 32 bits wide, so more slots than this are of no use.
const LOG2_MAX_SLOTS: u32 = 32;

/// States per hundred slots before the table grows. Linear probing with tags
/// stays short up to here; measured, 90 is slower by a tenth.
const MAX_LOAD_PERCENT: u64 = 84;

/// States that are reinserted at a time, so that their slots are asked for early.
const REINSERT_BATCH: usize = 32;

/// States that a thread takes at a time to reinsert them.
const REINSERT_CHUNK: u64 = 1024;

/// States from which on several threads reinsert them: less than this is done before
/// another thread wakes up.
const STATES_WORTH_THREADS: u64 = 4 * REINSERT_CHUNK;

/// Exact storage of states, for several threads.
pub struct ExactTable {
    arena: Arc<Arena>,
    index: Index,
}

struct Index {
    slots: Zeroed<AtomicU32>,
    log2_slots: u32,
}

/// What an insertion found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// The state is new and has this number.
    New(StateId),
    /// The state has this number already.
    Known(StateId),
}

impl ExactTable {
    /// An empty table for states of `state_bits` bits; `None` without memory.
    pub fn new(state_bits: u32) -> Option<ExactTable> {
        let arena = Arc::new(Arena::new(state_bits)?);
        Some(ExactTable { arena, index: Index::new(LOG2_FIRST_SLOTS)? })
    }

    /// The states by number.
    pub fn arena(&self) -> &Arc<Arena> {
        &self.arena
    }

    /// A writer for one inserting thread. Keep it as long as the table is used:
    /// [`ExactTable::grow`] wants to see all writers.
    pub fn writer(&self) -> Writer {
        Writer::new(&self.arena)
    }

    /// Bytes of memory in use.
    pub fn memory(&self) -> u64 {
        self.arena.memory() + self.index.slots.len() as u64 * 4
    }

    /// Asks for the slot of a state with this hash.
    #[inline]
    pub fn prefetch_slot(&self, hash: u64) {
        prefetch(&raw const self.index.slots[self.index.home(hash)]);
    }

    /// Asks for the stored state that a state with this hash is likely equal to.
    #[inline]
    pub fn prefetch_state(&self, hash: u64) {
        let tag = self.index.tag(hash);
        let slot = self.index.slots[self.index.home(hash)].load(Ordering::Acquire);
        if slot != 0 && slot & !self.index.id_mask() == tag {
            self.arena.prefetch(slot & self.index.id_mask());
        }
    }

    /// Inserts the state `words`, whose [`hash`] is `hash`.
    ///
    /// # Errors
    /// The table must grow first, or there is no memory.
    #[inline]
    pub fn insert(
        &self,
        words: &[u64],
        hash: u64,
        writer: &mut Writer,
    ) -> Result<Inserted, NotStored> {
        assert!(writer.is_for(&self.arena), "a writer belongs to one table");
        let index = &self.index;
        let (tag, id_mask) = (index.tag(hash), index.id_mask());
        let mut at = index.home(hash);
        loop {
            let mut slot = index.slots[at].load(Ordering::Acquire);
            if slot == 0 {
                let id = writer.write(words, index.max_ids())?;
                let set = index.slots[at].compare_exchange(
                    0,
                    tag | id,
                    Ordering::Release,
                    Ordering::Acquire,
                );
                match set {
                    Ok(_) => {
                        writer.keep();
                        return Ok(Inserted::New(id));
                    }
                    Err(now) => slot = now,
                }
            }
            if slot & !id_mask == tag && self.arena.is_equal(slot & id_mask, words) {
                return Ok(Inserted::Known(slot & id_mask));
            }
            at = index.after(at);
        }
    }

    /// The number of the state `words`, whose [`hash`] is `hash`.
    #[inline]
    pub fn find(&self, words: &[u64], hash: u64) -> Option<StateId> {
        let index = &self.index;
        let (tag, id_mask) = (index.tag(hash), index.id_mask());
        let mut at = index.home(hash);
        loop {
            let slot = index.slots[at].load(Ordering::Acquire);
            if slot == 0 {
                return None;
            }
            if slot & !id_mask == tag && self.arena.is_equal(slot & id_mask, words) {
                return Some(slot & id_mask);
            }
            at = index.after(at);
        }
    }

    /// Doubles the index. `writers` are all that were ever made.
    ///
    /// # Errors
    /// There is no memory for it within `limits`, or numbers have run out. The
    /// table is then empty of slots but its arena is intact: for traces only.
    pub fn grow(
        &mut self,
        writers: &[&Writer],
        crew: &mut Crew,
        limits: &Limits,
    ) -> Result<(), StopReason> {
        let log2_slots = self.index.log2_slots + 1;
        if log2_slots > LOG2_MAX_SLOTS {
            return Err(StopReason::Incomplete { why: TOO_MANY.into() });
        }
        // The old index is gone before the new one is there.
        room_for(4 << (log2_slots - 1), limits)?;
        let unused: Vec<Range<u64>> = writers.iter().map(|writer| writer.unused()).collect();
        self.index = Index::new(0).ok_or(StopReason::MemoryLimit)?;
        self.index = Index::new(log2_slots).ok_or(StopReason::MemoryLimit)?;
        let cursor = AtomicU64::new(0);
        if self.arena.end() < STATES_WORTH_THREADS {
            self.reinsert_all(&cursor, &unused);
        } else {
            crew.together(&|_| self.reinsert_all(&cursor, &unused));
        }
        Ok(())
    }

    /// Reinserts chunks of states until none is left.
    fn reinsert_all(&self, cursor: &AtomicU64, unused: &[Range<u64>]) {
        let end = self.arena.end();
        let mut batch = Reinsertion {
            words: vec![0; self.arena.state_words()],
            pending: Vec::with_capacity(REINSERT_BATCH),
        };
        loop {
            let first = cursor.fetch_add(REINSERT_CHUNK, Ordering::Relaxed);
            if first >= end {
                return;
            }
            let mut at = first.max(1);
            let chunk_end = end.min(first + REINSERT_CHUNK);
            while at < chunk_end {
                if let Some(hole) = unused.iter().find(|hole| hole.contains(&at)) {
                    at = hole.end;
                    continue;
                }
                let hole_starts = unused.iter().map(|hole| hole.start).filter(|&start| start > at);
                let stop = hole_starts.fold(chunk_end, u64::min);
                self.reinsert(at..stop, &mut batch);
                at = stop;
            }
        }
    }

    fn reinsert(&self, ids: Range<u64>, batch: &mut Reinsertion) {
        for id in ids {
            let id = id as StateId;
            self.arena.read(id, &mut batch.words);
            let hashed = hash(&batch.words);
            self.prefetch_slot(hashed);
            batch.pending.push((hashed, id));
            if batch.pending.len() == REINSERT_BATCH {
                self.index.place_all(&mut batch.pending);
            }
        }
        self.index.place_all(&mut batch.pending);
    }
}

/// Working memory of a thread that refills the index.
struct Reinsertion {
    words: Vec<u64>,
    pending: Vec<(u64, StateId)>,
}

/// Why a table of full size does not grow.
const TOO_MANY: &str = "exact storage numbers states with 32 bits, and there are more; \
     hash compaction has room for them";

impl Index {
    fn new(log2_slots: u32) -> Option<Index> {
        Some(Index { slots: Zeroed::new(1usize.checked_shl(log2_slots)?)?, log2_slots })
    }

    /// Numbers below this fit into the index, by width and by load.
    #[inline]
    fn max_ids(&self) -> u64 {
        (1u64 << self.log2_slots) * MAX_LOAD_PERCENT / 100
    }

    #[inline]
    fn id_mask(&self) -> u32 {
        ((1u64 << self.log2_slots) - 1) as u32
    }

    /// The hash's lowest bits, in the place above a number's bits.
    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        (hash << self.log2_slots) as u32
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        // Never a shift by 64: an index in use has at least two slots.
        (hash >> (64 - self.log2_slots)) as usize
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        (at + 1) & (self.slots.len() - 1)
    }

    /// Sets slots for states that are not in the index; empties `pending`.
    fn place_all(&self, pending: &mut Vec<(u64, StateId)>) {
        for (hash, id) in pending.drain(..) {
            let slot = self.tag(hash) | id;
            let mut at = self.home(hash);
            let relaxed = Ordering::Relaxed;
            while self.slots[at].compare_exchange(0, slot, relaxed, relaxed).is_err() {
                at = self.after(at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use model::{Limits, MemoryLimit, StopReason};

    use super::{ExactTable, Inserted};
    use crate::kernel::crew::Crew;
    use crate::kernel::state_table::hash::hash;

    fn scattered(value: u64) -> [u64; 2] {
        [value.wrapping_mul(0x9e37_79b9_7f4a_7c15), value & 0xff_ffff]
    }

    #[test]
    fn states_keep_their_numbers_while_the_table_grows() {
        let mut table = ExactTable::new(88).expect("memory is there");
        let (mut writer, mut crew) = (table.writer(), Crew::new(2));
        for value in 0..300_000u64 {
            let words = scattered(value);
            let inserted = loop {
                match table.insert(&words, hash(&words), &mut writer) {
                    Ok(inserted) => break inserted,
                    Err(_) => {
                        table.grow(&[&writer], &mut crew, &Limits::none()).expect("no limit");
                    }
                }
            };
            assert_eq!(inserted, Inserted::New(value as u32 + 1));
        }
        for value in 0..300_000u64 {
            let words = scattered(value);
            let known = table.insert(&words, hash(&words), &mut writer);
            assert_eq!(known, Ok(Inserted::Known(value as u32 + 1)));
            assert_eq!(table.find(&words, hash(&words)), Some(value as u32 + 1));
        }
        assert_eq!(table.find(&scattered(300_000), hash(&scattered(300_000))), None);
    }

    #[test]
    fn threads_that_insert_the_same_states_store_each_once() {
        let mut table = ExactTable::new(88).expect("memory is there");
        for _ in 0..4 {
            table.grow(&[], &mut Crew::new(1), &Limits::none()).expect("no limit");
        }
        let table = &table;
        let n_new: usize = std::thread::scope(|scope| {
            let insert = |offset: u64| {
                let mut writer = table.writer();
                let values = (0..40_000u64).map(|i| (i * 7 + offset) % 40_000);
                values
                    .filter(|&value| {
                        let words = scattered(value);
                        let inserted = table.insert(&words, hash(&words), &mut writer);
                        matches!(inserted, Ok(Inserted::New(_)))
                    })
                    .count()
            };
            let threads: Vec<_> = (0..4u64).map(|i| scope.spawn(move || insert(i * 3))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
        });
        assert_eq!(n_new, 40_000);
    }

    #[test]
    fn growing_past_the_memory_limit_is_refused() {
        let mut table = ExactTable::new(64).expect("memory is there");
        let memory = MemoryLimit { bytes: 1000, gauge: || 900 };
        let limits = Limits { memory: Some(memory), ..Limits::none() };
        assert_eq!(table.grow(&[], &mut Crew::new(1), &limits), Err(StopReason::MemoryLimit));
    }
}
