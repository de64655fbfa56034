//! Counts what a thread has allocated, so that a test can say how much reading took.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static LIVE: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

/// A thread that has more than this is stopped at once: the machine has other work.
const HARD_LIMIT: i64 = 2 << 30;

/// The most bytes that `work` had at a time, beyond what the thread had before.
pub fn peak_of<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = LIVE.get();
    PEAK.set(before);
    let result = work();
    (result, u64::try_from(PEAK.get() - before).unwrap_or(0))
}

/// The system's allocator, counted per thread.
pub struct Counting;

// SAFETY: every call is passed to `System` with its arguments unchanged, and its result is
// returned unchanged; counting allocates nothing and does not unwind.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller's obligations are those of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller's obligations are those of `System`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: the caller's obligations are those of `System`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as i64 - layout.size() as i64);
        // SAFETY: the caller's obligations are those of `System`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// A thread that is ending has no counters any more, and nobody asks for them.
fn count(change: i64) {
    let counted = LIVE.try_with(|live| {
        live.set(live.get() + change);
        live.get()
    });
    let Ok(now) = counted else { return };
    let _ = PEAK.try_with(|peak| peak.set(peak.get().max(now)));
    if now > HARD_LIMIT {
        super::complain_and_abort(now);
    }
}
