//! Stores states by number, in as many bytes as their bits need.
//!
//! Memory comes in chunks that never move. Numbers are given out in blocks, each
//! to one [`Writer`], so that several threads add states without waiting for each
//! other. Whoever wants another thread to read a state must publish its number
//! with release ordering, and the reader must take it with acquire ordering; the
//! tables of this module do so, and the end of a round of threads does as well.
#![allow(unsafe_code)] // States lie in raw memory that threads share by number.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::Range;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use super::hash::prefetch;
use super::zeroed::Zeroed;

#[cfg(not(target_endian = "little"))]
compile_error!("states are stored as the first bytes of their words: little-endian machines only");

/// Names a stored state; never zero.
pub type StateId = u32;

/// Numbers given out at a time.
const BLOCK: u64 = 1024;

/// Bytes of a chunk that we aim at: large enough that the directory of chunks
/// stays in the cache, small enough that a small model costs little.
const CHUNK_BYTES: usize = 1 << 20;

/// Numbers that exist.
const MAX_IDS: u64 = 1 << 32;

/// Why a state was not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotStored {
    /// The table must grow first.
    Full,
    /// The system gives no memory, so the search has to end.
    NoMemory,
}

/// States by number.
pub struct Arena {
    state_words: usize,
    state_bytes: usize,
    log2_chunk: u32,
    chunks: Zeroed<AtomicPtr<u8>>,
    next_block: AtomicU64,
}

/// Adds states to an arena, from one thread.
pub struct Writer {
    arena: Arc<Arena>,
    /// The next number of the current block.
    next: u64,
    /// The end of the current block.
    end: u64,
    /// Where numbers that are in no range yet begin.
    since: u64,
    ranges: Vec<Range<u64>>,
}

impl Arena {
    /// An empty arena for states of `state_bits` bits; `None` without memory.
    pub fn new(state_bits: u32) -> Option<Arena> {
        let state_bytes = (state_bits as usize).div_ceil(8);
        let fitting = (CHUNK_BYTES / state_bytes.max(1)).max(1).ilog2();
        let log2_chunk = fitting.clamp(BLOCK.ilog2(), 16);
        let chunks = Zeroed::new((MAX_IDS >> log2_chunk) as usize)?;
        Some(Arena {
            state_words: (state_bits as usize).div_ceil(64),
            state_bytes,
            log2_chunk,
            chunks,
            next_block: AtomicU64::new(0),
        })
    }

    /// The end of the numbers given out.
    pub fn end(&self) -> u64 {
        self.next_block.load(Ordering::Relaxed)
    }

    /// Words of a state.
    pub fn state_words(&self) -> usize {
        self.state_words
    }

    /// Bytes of a stored state.
    pub fn state_bytes(&self) -> usize {
        self.state_bytes
    }

    /// Bytes of the chunks in use.
    pub fn memory(&self) -> u64 {
        self.end() * self.state_bytes as u64
    }

    /// Copies state `id` to `words`.
    ///
    /// # Panics
    /// If no block with `id` was given out, or `words` has the wrong length.
    #[inline]
    pub fn read(&self, id: StateId, words: &mut [u64]) {
        assert_eq!(words.len(), self.state_words, "states of one arena have one length");
        let Some(last) = words.last_mut() else { return };
        *last = 0;
        let place = self.place(id);
        // SAFETY: the place has `state_bytes` bytes, no more than the words have;
        // nobody writes there, as states are published after they are written.
        unsafe { ptr::copy_nonoverlapping(place, words.as_mut_ptr().cast(), self.state_bytes) }
    }

    /// Is state `id` equal to `words`?
    #[inline]
    pub(super) fn is_equal(&self, id: StateId, words: &[u64]) -> bool {
        assert_eq!(words.len(), self.state_words, "states of one arena have one length");
        let (here, there) = (self.place(id), words.as_ptr().cast::<u8>());
        let n_bytes = self.state_bytes;
        if n_bytes < 8 {
            let mut stored = 0u64;
            // SAFETY: reads `n_bytes` bytes of the place, into eight.
            unsafe { ptr::copy_nonoverlapping(here, (&raw mut stored).cast(), n_bytes) };
            return words.first().is_none_or(|&word| word == stored);
        }
        let mut at = 0;
        while at + 8 < n_bytes {
            // SAFETY: at + 8 is within both: the words have `n_bytes` bytes at least.
            if unsafe { differ(here.add(at), there.add(at)) } {
                return false;
            }
            at += 8;
        }
        // SAFETY: the last eight bytes, which overlap those already compared.
        !unsafe { differ(here.add(n_bytes - 8), there.add(n_bytes - 8)) }
    }

    /// Asks for the memory of state `id`.
    #[inline]
    pub(super) fn prefetch(&self, id: StateId) {
        prefetch(self.place(id));
    }

    #[inline]
    fn place(&self, id: StateId) -> *mut u8 {
        let chunk = self.chunks[(id >> self.log2_chunk) as usize].load(Ordering::Acquire);
        assert!(!chunk.is_null(), "the number was given out");
        let within = (id & ((1 << self.log2_chunk) - 1)) as usize;
        // SAFETY: a chunk has room for 2^log2_chunk states.
        unsafe { chunk.add(within * self.state_bytes) }
    }

    /// Gives out a block that ends at or before `limit`. It has its memory before it
    /// is given out, so that every number below the end belongs to a writer.
    fn block(&self, limit: u64) -> Result<u64, NotStored> {
        let limit = limit.min(MAX_IDS);
        let mut first = self.end();
        loop {
            if first + BLOCK > limit {
                return Err(NotStored::Full);
            }
            self.provide((first >> self.log2_chunk) as usize)?;
            let relaxed = Ordering::Relaxed;
            match self.next_block.compare_exchange(first, first + BLOCK, relaxed, relaxed) {
                Ok(_) => return Ok(first),
                Err(now) => first = now,
            }
        }
    }

    fn provide(&self, chunk_idx: usize) -> Result<(), NotStored> {
        let chunk = &self.chunks[chunk_idx];
        if !chunk.load(Ordering::Acquire).is_null() {
            return Ok(());
        }
        let layout = self.chunk_layout();
        // SAFETY: the layout has a size above zero.
        let fresh = unsafe { alloc_zeroed(layout) };
        if fresh.is_null() {
            return Err(NotStored::NoMemory);
        }
        let (done, seen) = (Ordering::AcqRel, Ordering::Acquire);
        if chunk.compare_exchange(ptr::null_mut(), fresh, done, seen).is_err() {
            // SAFETY: allocated above, and another thread was first.
            unsafe { dealloc(fresh, layout) };
        }
        Ok(())
    }

    fn chunk_layout(&self) -> Layout {
        // A system without variables has one state, of no bytes.
        let size = self.state_bytes.max(1) << self.log2_chunk;
        Layout::from_size_align(size, 16).expect("2^29 bytes of a state by 2^10 states at most")
    }
}

/// Do the eight bytes at two places differ?
///
/// # Safety
/// Eight bytes can be read at both.
#[inline]
unsafe fn differ(here: *const u8, there: *const u8) -> bool {
    // SAFETY: as the caller promises; no alignment is assumed.
    unsafe { here.cast::<u64>().read_unaligned() != there.cast::<u64>().read_unaligned() }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let n_used = (self.end().div_ceil(1 << self.log2_chunk)) as usize;
        for chunk in &self.chunks[..n_used] {
            let chunk = chunk.load(Ordering::Relaxed);
            if !chunk.is_null() {
                // SAFETY: allocated in `provide` with this layout.
                unsafe { dealloc(chunk, self.chunk_layout()) };
            }
        }
    }
}

impl Writer {
    /// A writer that has no block yet.
    pub fn new(arena: &Arc<Arena>) -> Writer {
        Writer { arena: Arc::clone(arena), next: 0, end: 0, since: 0, ranges: Vec::new() }
    }

    /// Another writer for the same arena.
    pub fn another(&self) -> Writer {
        Writer::new(&self.arena)
    }

    /// Does it write to `arena`?
    #[inline]
    pub(super) fn is_for(&self, arena: &Arc<Arena>) -> bool {
        Arc::ptr_eq(&self.arena, arena)
    }

    /// Adds a state; publishing its number is up to the caller.
    ///
    /// # Errors
    /// A new block is needed and would end after `limit`, or there is no memory.
    pub fn push(&mut self, words: &[u64], limit: u64) -> Result<StateId, NotStored> {
        let id = self.write(words, limit)?;
        self.keep();
        Ok(id)
    }

    /// Writes a state to the next number, which is taken only by [`Writer::keep`].
    #[inline]
    pub(super) fn write(&mut self, words: &[u64], limit: u64) -> Result<StateId, NotStored> {
        if self.next == self.end {
            let first = self.arena.block(limit)?;
            if first != self.end {
                self.close();
            }
            // Number zero means an empty slot in tables.
            (self.next, self.end) = (first.max(1), first + BLOCK);
            if self.since == 0 {
                self.since = self.next;
            }
        }
        let id = self.next as StateId;
        let (place, n_bytes) = (self.arena.place(id), self.arena.state_bytes);
        assert_eq!(words.len(), self.arena.state_words, "states of one arena have one length");
        // SAFETY: the words have at least `n_bytes` bytes. The block belongs to this
        // writer and the number is not published, so nobody else reads or writes the
        // place.
        unsafe { ptr::copy_nonoverlapping(words.as_ptr().cast(), place, n_bytes) };
        Ok(id)
    }

    /// Takes the number of the last [`Writer::write`].
    #[inline]
    pub(super) fn keep(&mut self) {
        self.next += 1;
    }

    /// The numbers taken since the last call, as ranges.
    pub fn take_ranges(&mut self) -> Vec<Range<u64>> {
        self.close();
        self.since = self.next;
        std::mem::take(&mut self.ranges)
    }

    /// The numbers that were given out to this writer and are not taken yet.
    pub(super) fn unused(&self) -> Range<u64> {
        self.next..self.end
    }

    fn close(&mut self) {
        if self.since < self.next {
            self.ranges.push(self.since..self.next);
        }
        self.since = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Arena, NotStored, Writer};

    #[test]
    fn states_of_every_size_come_back_as_they_were_written() {
        for state_bits in [1u32, 7, 8, 31, 63, 64, 65, 104, 127, 128, 129, 1000] {
            let n_words = state_bits.div_ceil(64) as usize;
            let arena = Arc::new(Arena::new(state_bits).expect("memory is there"));
            let mut writer = Writer::new(&arena);
            let mask = u64::MAX >> ((64 - state_bits % 64) % 64);
            let make = |seed: u64| -> Vec<u64> {
                let mut words: Vec<u64> = (0..n_words as u64)
                    .map(|i| (seed + i).wrapping_mul(0x9e37_79b9_7f4a_7c15))
                    .collect();
                words[n_words - 1] &= mask;
                words
            };
            let mut read = vec![0; n_words];
            for seed in 0..3000 {
                let id = writer.push(&make(seed), u64::MAX).expect("no limit");
                assert_eq!(u64::from(id), seed + 1);
            }
            for seed in 0..3000 {
                let id = seed as u32 + 1;
                arena.read(id, &mut read);
                assert_eq!(read, make(seed));
                assert!(arena.is_equal(id, &make(seed)));
                let mut other = make(seed);
                other[n_words - 1] ^= 1 << ((state_bits - 1) % 64);
                assert!(!arena.is_equal(id, &other));
            }
        }
    }

    #[test]
    fn writers_get_disjoint_ranges_and_the_limit_holds() {
        let arena = Arc::new(Arena::new(64).expect("memory is there"));
        let (mut one, mut two) = (Writer::new(&arena), Writer::new(&arena));
        for value in 0..1500u64 {
            one.push(&[value], 4096).expect("below the limit");
            two.push(&[value], 4096).expect("below the limit");
        }
        assert_eq!(one.take_ranges(), [1..1024, 2048..2048 + 477]);
        assert_eq!(two.take_ranges(), [1024..2048, 3072..3072 + 476]);
        for value in 0..547u64 {
            one.push(&[value], 4096).expect("within the block");
        }
        assert_eq!(one.push(&[0], 4096), Err(NotStored::Full));
        assert_eq!(one.take_ranges(), vec![2525..3072; 1]);
        assert_eq!(one.take_ranges(), []);
    }

    #[test]
    fn a_block_without_memory_is_not_given_out() {
        // Half a tebibyte; where even that is granted, the block is a good one.
        let arena = Arena::new(u32::MAX).expect("memory is there");
        match arena.block(u64::MAX) {
            Ok(first) => assert_eq!((first, arena.end()), (0, 1024)),
            Err(why) => assert_eq!((why, arena.end()), (NotStored::NoMemory, 0)),
        }
    }
}
