//! Reads and writes bit fields of packed states, and mixes hash values.
//!
//! Every slice has one more word than the fields reach, so that a field that ends
//! in the last word is read like any other.

/// The low `width` bits.
pub(super) fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The field at `bit`.
#[inline(always)]
pub(super) fn get(words: &[u64], bit: u32, mask: u64) -> u64 {
    let (word, shift) = ((bit >> 6) as usize, bit & 63);
    let pair = &words[word..word + 2];
    ((pair[0] >> shift) | ((pair[1] << 1) << (63 - shift))) & mask
}

/// Adds a field whose bits are zero so far.
#[inline(always)]
pub(super) fn put(words: &mut [u64], bit: u32, value: u64) {
    let (word, shift) = ((bit >> 6) as usize, bit & 63);
    let pair = &mut words[word..word + 2];
    pair[0] |= value << shift;
    pair[1] |= (value >> 1) >> (63 - shift);
}

/// Makes the field at `bit` zero.
pub(super) fn clear(words: &mut [u64], bit: u32, mask: u64) {
    let (word, shift) = ((bit >> 6) as usize, bit & 63);
    words[word] &= !(mask << shift);
    words[word + 1] &= !((mask >> 1) >> (63 - shift));
}

/// A number that looks random.
#[inline(always)]
pub(super) fn mix(value: u64) -> u64 {
    // The multiplier is 2^64 divided by the golden ratio; the summand keeps zero
    // from being mixed to zero.
    let sum = value.wrapping_add(0x6A09_E667_F3BC_C909);
    let product = u128::from(sum) * 0x9E37_79B9_7F4A_7C15;
    (product as u64) ^ ((product >> 64) as u64)
}

/// An odd number that looks random, for products that tell apart the summands of
/// a hash value.
#[inline(always)]
pub(super) fn odd(number: u32) -> u64 {
    0xD1B5_4A32_D192_ED03u64.wrapping_mul(2 * u64::from(number) + 1)
}
