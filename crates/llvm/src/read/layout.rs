//! `target datalayout` -> sizes and alignments.

use crate::ir::TargetLayout;

/// Reads a data layout; `None` where it cannot be followed. What is not named has
/// the value that the language reference gives it.
pub(super) fn parse(text: &str) -> Option<TargetLayout> {
    let mut layout =
        TargetLayout { i64_align: 4, is_little_endian: false, ..TargetLayout::default() };
    for part in text.split('-') {
        let mut fields = part.split(':');
        let key = fields.next()?;
        match key {
            "e" => layout.is_little_endian = true,
            "E" => layout.is_little_endian = false,
            "p" | "p0" => layout.pointer_bytes = bytes(fields.next()?)?,
            "i64" => layout.i64_align = bytes(fields.next()?)?,
            "f64" => layout.f64_align = bytes(fields.next()?)?,
            "f80" => layout.extended_bytes = if fields.next()? == "32" { 12 } else { 16 },
            _ => {}
        }
    }
    Some(layout)
}

/// A whole number of bytes, a power of two up to 64, from bits.
fn bytes(bits: &str) -> Option<u32> {
    let bits: u32 = bits.parse().ok()?;
    let bytes = bits / 8;
    let is_sane = bits.is_multiple_of(8) && bytes.is_power_of_two() && bytes <= 64;
    is_sane.then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn thirty_two_bit_x86_aligns_wide_numbers_to_four() {
        let layout = parse("e-m:e-p:32:32-p270:32:32-f64:32:64-f80:32-n8:16:32-S128");
        let layout = layout.expect("clang writes it");
        assert_eq!((layout.pointer_bytes, layout.i64_align, layout.f64_align), (4, 4, 4));
        assert_eq!(layout.extended_bytes, 12);
        assert!(layout.is_little_endian);
    }

    #[test]
    fn sixty_four_bit_x86_aligns_wide_numbers_to_eight() {
        let layout = parse("e-m:e-p270:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128");
        let layout = layout.expect("clang writes it");
        assert_eq!((layout.pointer_bytes, layout.i64_align, layout.f64_align), (8, 8, 8));
        assert_eq!(layout.extended_bytes, 16);
    }
}
