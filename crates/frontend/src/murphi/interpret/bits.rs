//! Reading and writing stretches of bits in vectors of words.

use std::cmp::Ordering;

/// Bits per word.
const WORD: usize = 64;

/// The `n_bits` bits from `bit` on, at most 64, as an unsigned number.
pub(in crate::murphi) fn read(words: &[u64], bit: usize, n_bits: u32) -> u64 {
    if n_bits == 0 {
        return 0;
    }
    let (word, shift) = (bit / WORD, bit % WORD);
    let mut value = words[word] >> shift;
    if shift + n_bits as usize > WORD {
        value |= words[word + 1] << (WORD - shift);
    }
    value & mask(n_bits)
}

/// Sets the `n_bits` bits from `bit` on, at most 64, to the low bits of `value`.
pub(super) fn write(words: &mut [u64], bit: usize, n_bits: u32, value: u64) {
    if n_bits == 0 {
        return;
    }
    let (word, shift) = (bit / WORD, bit % WORD);
    let value = value & mask(n_bits);
    words[word] = words[word] & !(mask(n_bits) << shift) | value << shift;
    let in_first = WORD - shift;
    if n_bits as usize > in_first {
        let rest = mask(n_bits - in_first as u32);
        words[word + 1] = words[word + 1] & !rest | value >> in_first;
    }
}

/// Is this bit set?
pub(in crate::murphi) fn is_set(words: &[u64], bit: usize) -> bool {
    read(words, bit, 1) == 1
}

/// Sets `n_bits` bits from `bit` on to zero.
pub(super) fn clear(words: &mut [u64], bit: usize, n_bits: u32) {
    for (offset, width) in chunks(n_bits) {
        write(words, bit + offset, width, 0);
    }
}

/// Compares two stretches of `n_bits` bits as unsigned numbers.
pub(super) fn compare(words: &[u64], left: usize, right: usize, n_bits: u32) -> Ordering {
    let digits = chunks(n_bits).map(|(offset, width)| {
        read(words, left + offset, width).cmp(&read(words, right + offset, width))
    });
    // The highest digit that differs decides, and comes last.
    digits.fold(Ordering::Equal, |below, digit| digit.then(below))
}

/// A stretch of `n_bits` bits as an unsigned number, highest word first.
pub(super) fn number(words: &[u64], bit: usize, n_bits: u32) -> Vec<u64> {
    let mut digits: Vec<u64> =
        chunks(n_bits).map(|(offset, width)| read(words, bit + offset, width)).collect();
    digits.reverse();
    digits
}

/// Writes what [`number`] reads.
pub(super) fn set_number(words: &mut [u64], bit: usize, n_bits: u32, number: &[u64]) {
    for ((offset, width), digit) in chunks(n_bits).zip(number.iter().rev()) {
        write(words, bit + offset, width, *digit);
    }
}

/// Divides `n_bits` bits into stretches of at most 64: their first bits and widths.
pub(super) fn chunks(n_bits: u32) -> impl Iterator<Item = (usize, u32)> {
    (0..n_bits).step_by(WORD).map(move |start| (start as usize, (n_bits - start).min(WORD as u32)))
}

fn mask(n_bits: u32) -> u64 {
    u64::MAX >> (WORD as u32 - n_bits)
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::{clear, compare, number, read, set_number, write};

    #[test]
    fn what_is_written_across_words_is_read_back() {
        for bit in [0, 1, 37, 63, 64, 65] {
            for n_bits in [1, 7, 33, 63, 64] {
                let mut words = [u64::MAX; 3];
                write(&mut words, bit, n_bits, 0x5A5A_5A5A_5A5A_5A5A);
                let kept = 0x5A5A_5A5A_5A5A_5A5A & (u64::MAX >> (64 - n_bits));
                assert_eq!(read(&words, bit, n_bits), kept);
                let n_zeros: u32 = words.iter().map(|word| word.count_zeros()).sum();
                assert_eq!(n_zeros, n_bits - kept.count_ones());
            }
        }
    }

    #[test]
    fn long_stretches_are_compared_from_the_top() {
        let mut words = [0; 6];
        write(&mut words, 3, 64, u64::MAX);
        write(&mut words, 103 + 70, 1, 1);
        assert_eq!(compare(&words, 3, 103, 100), Ordering::Less);
        let (low, high) = (number(&words, 3, 100), number(&words, 103, 100));
        assert!(low < high);
        set_number(&mut words, 3, 100, &high);
        set_number(&mut words, 103, 100, &low);
        assert_eq!(compare(&words, 3, 103, 100), Ordering::Greater);
        clear(&mut words, 3, 200);
        assert_eq!(words, [0; 6]);
    }
}
