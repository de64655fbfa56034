//! Produces large zero-filled slices without touching their pages.
//!
//! Fresh zero pages cost nothing until they are used, so a table may be allocated
//! generously. The safe way (`vec![0; n]`) has no counterpart for atomic cells.
#![allow(unsafe_code)] // Allocation of zeroed memory as atomic cells.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64};

/// Types for which all bits zero is a value, and which own nothing.
///
/// # Safety
/// Exactly that.
pub(super) unsafe trait Zeroable {}

// SAFETY: an atomic cell has the representation of its value, and zero is one.
unsafe impl Zeroable for AtomicU32 {}
// SAFETY: as above.
unsafe impl Zeroable for AtomicU64 {}
// SAFETY: as above; all bits zero is the null pointer.
unsafe impl Zeroable for AtomicPtr<u8> {}

/// Bytes from which on large pages pay: two of them.
const WORTH_LARGE_PAGES: usize = 4 << 20;

/// A slice of zeros.
pub(super) struct Zeroed<T: Zeroable> {
    first: NonNull<T>,
    len: usize,
}

impl<T: Zeroable> Zeroed<T> {
    /// `len` zeros (at least one); `None` when there is no memory.
    pub(super) fn new(len: usize) -> Option<Zeroed<T>> {
        let layout = Layout::array::<T>(len).ok().filter(|layout| layout.size() > 0)?;
        // SAFETY: the layout has a size above zero.
        let first = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        if layout.size() >= WORTH_LARGE_PAGES {
            ask_for_large_pages(first.as_ptr(), layout.size());
        }
        Some(Zeroed { first: first.cast(), len })
    }
}

/// Asks the system for large pages: random access to a table misses the cache of
/// page addresses otherwise. Where it does not oblige, nothing is lost.
#[cfg(target_os = "linux")]
fn ask_for_large_pages(first: *mut u8, size: usize) {
    const PAGE: usize = 4096;
    let skipped = first.align_offset(PAGE).min(size);
    let whole = (size - skipped) & !(PAGE - 1);
    // SAFETY: the range lies within the allocation, and advice changes no contents.
    unsafe { libc::madvise(first.add(skipped).cast(), whole, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages(_first: *mut u8, _size: usize) {}

impl<T: Zeroable> Deref for Zeroed<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `new` allocated `len` elements, zero is a value of `T`, and all
        // access goes through this shared slice of cells.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }
}

impl<T: Zeroable> Drop for Zeroed<T> {
    fn drop(&mut self) {
        let layout = Layout::array::<T>(self.len).expect("the layout was valid in `new`");
        // SAFETY: allocated in `new` with this layout; `T` owns nothing.
        unsafe { dealloc(self.first.as_ptr().cast(), layout) }
    }
}

// SAFETY: it owns its elements like a box does.
unsafe impl<T: Zeroable + Send> Send for Zeroed<T> {}
// SAFETY: only shared references to elements are given out.
unsafe impl<T: Zeroable + Sync> Sync for Zeroed<T> {}
