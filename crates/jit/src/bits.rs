//! Stretches of bits in memory that are too long, or too oddly placed, for a few
//! machine instructions.
//!
//! A place is an absolute bit address: eight times the byte address, plus a bit.
#![allow(unsafe_code, reason = "works on the memory that machine code works on")]

/// The low `n_bits` bits set; `n_bits` is at most 64.
pub(crate) fn low_bits(n_bits: u32) -> u64 {
    u64::MAX.checked_shr(64 - n_bits).unwrap_or(0)
}

/// The `width` bits at `at`; `width` is 1 to 64.
///
/// # Safety
/// The bits, and eight bytes from the first one on, are readable.
pub(crate) unsafe fn read(at: u64, width: u32) -> u64 {
    let (pointer, shift) = ((at >> 3) as *const u8, (at & 7) as u32);
    // SAFETY: the caller says that these eight bytes are readable.
    let low = unsafe { pointer.cast::<u64>().read_unaligned() } >> shift;
    if shift + width <= 64 {
        return low & low_bits(width);
    }
    // SAFETY: the last of the bits lie in this byte.
    let high = u64::from(unsafe { pointer.add(8).read() });
    (low | high << (64 - shift)) & low_bits(width)
}

/// Puts the low `width` bits of `value` to `at`; `width` is 1 to 64.
///
/// # Safety
/// The bits, and eight bytes from the first one on, are readable and writable.
pub(crate) unsafe fn write(at: u64, width: u32, value: u64) {
    let (pointer, shift) = ((at >> 3) as *mut u8, (at & 7) as u32);
    let (mask, value) = (low_bits(width), value & low_bits(width));
    // SAFETY: the caller says that these eight bytes are accessible.
    unsafe {
        let words = pointer.cast::<u64>();
        let kept = words.read_unaligned() & !(mask << shift);
        words.write_unaligned(kept | value << shift);
    }
    if shift + width > 64 {
        // SAFETY: the last of the bits lie in this byte.
        unsafe {
            let last = pointer.add(8);
            let kept = last.read() & !((mask >> (64 - shift)) as u8);
            last.write(kept | (value >> (64 - shift)) as u8);
        }
    }
}

/// Starts and widths of the pieces of at most 64 bits of `n_bits` bits.
fn pieces(n_bits: u64) -> impl DoubleEndedIterator<Item = (u64, u32)> {
    (0..n_bits.div_ceil(64)).map(move |idx| (idx * 64, (n_bits - idx * 64).min(64) as u32))
}

/// Copies `n_bits` bits.
///
/// # Safety
/// As for [`read`] and [`write`], for each piece.
pub(crate) unsafe extern "C" fn copy(to: u64, from: u64, n_bits: u64) {
    if (to | from) & 7 == 0 && n_bits >= 64 {
        let n_bytes = n_bits / 8;
        // SAFETY: whole bytes of both stretches, which may be the same.
        unsafe {
            std::ptr::copy((from >> 3) as *const u8, (to >> 3) as *mut u8, n_bytes as usize);
        }
        // SAFETY: the rest of the same stretches.
        return unsafe { copy_pieces(to + n_bytes * 8, from + n_bytes * 8, n_bits % 8) };
    }
    // SAFETY: the caller's promise.
    unsafe { copy_pieces(to, from, n_bits) }
}

/// Copies `n_bits` bits, piece by piece.
///
/// # Safety
/// As for [`copy`].
unsafe fn copy_pieces(to: u64, from: u64, n_bits: u64) {
    for (start, width) in pieces(n_bits) {
        // SAFETY: the caller's promise.
        unsafe { write(to + start, width, read(from + start, width)) };
    }
}

/// Makes `n_bits` bits zero.
///
/// # Safety
/// As for [`write`], for each piece.
pub(crate) unsafe extern "C" fn clear(at: u64, n_bits: u64) {
    for (start, width) in pieces(n_bits) {
        // SAFETY: the caller's promise.
        unsafe { write(at + start, width, 0) };
    }
}

/// Are `n_bits` bits equal?
///
/// # Safety
/// As for [`read`], for each piece.
pub(crate) unsafe extern "C" fn equal(left: u64, right: u64, n_bits: u64) -> u64 {
    u64::from(pieces(n_bits).all(|(start, width)| {
        // SAFETY: the caller's promise.
        unsafe { read(left + start, width) == read(right + start, width) }
    }))
}

/// Puts `n` fields of `stride` bits each into descending order, as unsigned numbers.
/// Fields whose highest bit is not set become zero first.
///
/// # Safety
/// As for [`read`] and [`write`], for each piece of each field.
pub(crate) unsafe extern "C" fn sort(at: u64, stride: u64, n: u64) {
    for field in (0..n).map(|idx| at + idx * stride) {
        let highest = field + stride.saturating_sub(1);
        // SAFETY: the byte that the last bit of the caller's field lies in.
        let byte = unsafe { ((highest >> 3) as *const u8).read() };
        if byte >> (highest & 7) & 1 == 0 {
            // SAFETY: the caller's promise.
            unsafe { clear(field, stride) };
        }
    }
    // By insertion: multisets are small and all but one or two fields in order.
    for end in 1..n {
        let mut field = at + end * stride;
        // SAFETY: the fields before and at `field` are among the caller's.
        while field > at && unsafe { swap_if_ascending(field - stride, field, stride) } {
            field -= stride;
        }
    }
}

/// Swaps two fields when the first is the smaller, and says whether it did.
///
/// # Safety
/// As for [`sort`].
unsafe fn swap_if_ascending(first: u64, second: u64, stride: u64) -> bool {
    let ascending = pieces(stride).rev().find_map(|(start, width)| {
        // SAFETY: the caller's promise.
        let (left, right) = unsafe { (read(first + start, width), read(second + start, width)) };
        (left != right).then_some(left < right)
    });
    if ascending != Some(true) {
        return false;
    }
    for (start, width) in pieces(stride) {
        // SAFETY: the caller's promise.
        unsafe {
            let (left, right) = (read(first + start, width), read(second + start, width));
            write(first + start, width, right);
            write(second + start, width, left);
        }
    }
    true
}

/// Makes `n` words zero.
///
/// # Safety
/// They are writable.
pub(crate) unsafe extern "C" fn clear_words(to: *mut u64, n: u64) {
    // SAFETY: the caller's promise.
    unsafe { std::ptr::write_bytes(to, 0, n as usize) };
}

/// Copies `n` words.
///
/// # Safety
/// They are readable and writable and do not overlap.
pub(crate) unsafe extern "C" fn copy_words(to: *mut u64, from: *const u64, n: u64) {
    // SAFETY: the caller's promise.
    unsafe { std::ptr::copy_nonoverlapping(from, to, n as usize) };
}
