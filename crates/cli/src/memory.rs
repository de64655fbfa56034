//! Counts the memory in use, and ends the run before it takes more than allowed.
//!
//! Every allocation is counted with what the system's allocator adds to it. Each
//! thread gathers its changes and passes them on in batches, so that counting
//! costs a few instructions. A search sees the count through [`gauge`] and stops
//! by itself at the soft limit; an allocation that would pass the hard limit
//! prints the prepared message and ends the process.
//!
//! What a thread has not passed on when it ends (less than [`BATCH`]) stays
//! uncounted; `watch` samples the resident memory, which has no such gap.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use crate::last_words::{self, Ending};

/// Changes smaller than this stay with their thread.
const BATCH: i64 = 64 * 1024;

static LIVE: AtomicI64 = AtomicI64::new(0);
static RESIDENT: AtomicU64 = AtomicU64::new(0);
static HARD_LIMIT: AtomicI64 = AtomicI64::new(i64::MAX);

thread_local! {
    static PENDING: Cell<i64> = const { Cell::new(0) };
}

/// Bytes in use now: what is allocated, or what was resident when last sampled,
/// whichever is more.
pub fn gauge() -> u64 {
    let live = u64::try_from(LIVE.load(Ordering::Relaxed)).unwrap_or(0);
    live.max(RESIDENT.load(Ordering::Relaxed))
}

/// Takes a sample of the resident memory.
pub fn note_resident(bytes: u64) {
    RESIDENT.store(bytes, Ordering::Relaxed);
}

/// From now on, more than `bytes` ends the run.
pub fn set_hard_limit(bytes: u64) {
    HARD_LIMIT.store(i64::try_from(bytes).unwrap_or(i64::MAX), Ordering::Relaxed);
}

/// The system's allocator, counted.
pub struct CountingAllocator;

// SAFETY: every call is passed to `System` with its arguments unchanged, and its
// result is returned unchanged; counting allocates nothing and cannot unwind.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        charge(cost(layout.size()));
        // SAFETY: the caller's obligations are those of `System`.
        checked(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        charge(cost(layout.size()));
        // SAFETY: the caller's obligations are those of `System`.
        checked(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        charge(-cost(layout.size()));
        // SAFETY: the caller's obligations are those of `System`.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        charge(cost(new_size) - cost(layout.size()));
        // SAFETY: the caller's obligations are those of `System`.
        checked(unsafe { System.realloc(ptr, layout, new_size) })
    }
}

/// What an allocation takes: glibc adds a word and rounds up to 16 bytes, 32 at
/// least. Other allocators are close enough.
fn cost(size: usize) -> i64 {
    let size = i64::try_from(size).unwrap_or(i64::MAX / 2);
    ((size + 8 + 15) & !15).max(32)
}

#[inline]
fn charge(bytes: i64) {
    let passed_on = PENDING.try_with(|pending| {
        let sum = pending.get() + bytes;
        let is_small = sum.abs() < BATCH;
        pending.set(if is_small { sum } else { 0 });
        if is_small { 0 } else { sum }
    });
    // Without thread-local storage the thread is about to end: count at once.
    let passed_on = passed_on.unwrap_or(bytes);
    if passed_on != 0 {
        let live = LIVE.fetch_add(passed_on, Ordering::Relaxed) + passed_on;
        if passed_on > 0 && live > HARD_LIMIT.load(Ordering::Relaxed) {
            last_words::end(Ending::Memory);
        }
    }
}

/// Without memory from the system the run ends as at the limit.
fn checked(ptr: *mut u8) -> *mut u8 {
    if ptr.is_null() {
        last_words::end(Ending::Memory);
    }
    ptr
}
