//! Floating-point literals -> bits.

use crate::ir::FloatKind;

/// The bits of a literal in its own width, wider ones rounded to `double`'s; `None`
/// where the literal is not understood.
pub(super) fn bits(kind: FloatKind, text: &str) -> Option<u64> {
    match kind {
        FloatKind::Half => {
            let digits = text.strip_prefix("0xH").or_else(|| text.strip_prefix("0xR"))?;
            u16::from_str_radix(digits, 16).ok().map(u64::from)
        }
        FloatKind::Single => {
            let bits = double(text)?;
            Some(u64::from((f64::from_bits(bits) as f32).to_bits()))
        }
        FloatKind::Double => double(text),
        FloatKind::Extended => match text.strip_prefix("0xK") {
            Some(digits) => eighty_bits(digits),
            None => quadruple(text.strip_prefix("0xL")?),
        },
    }
}

/// The bits of a `double`, given as such or as a decimal number.
fn double(text: &str) -> Option<u64> {
    if let Some(digits) = text.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).ok();
    }
    let starts_well = text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+');
    let is_decimal = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    if !starts_well || !is_decimal {
        return None;
    }
    text.parse::<f64>().ok().map(f64::to_bits)
}

/// 80 bits of x86: sign, 15 bits of exponent, 64 of mantissa.
fn eighty_bits(digits: &str) -> Option<u64> {
    if digits.len() != 20 || !digits.is_ascii() {
        return None;
    }
    let head = u16::from_str_radix(&digits[..4], 16).ok()?;
    let mantissa = u64::from_str_radix(&digits[4..], 16).ok()?;
    let is_nan = mantissa << 1 != 0;
    Some(rounded(head, u128::from(mantissa), 63, is_nan))
}

/// 128 bits, the lower half first: sign, 15 bits of exponent, 112 of mantissa
/// without its leading one.
fn quadruple(digits: &str) -> Option<u64> {
    if digits.len() != 32 || !digits.is_ascii() {
        return None;
    }
    let low = u64::from_str_radix(&digits[..16], 16).ok()?;
    let high = u64::from_str_radix(&digits[16..], 16).ok()?;
    let head = (high >> 48) as u16;
    let fraction = u128::from(high & 0xffff_ffff_ffff) << 64 | u128::from(low);
    let leading = if head & 0x7fff == 0 { 0 } else { 1 << 112 };
    Some(rounded(head, leading | fraction, 112, fraction != 0))
}

/// The `double` nearest to a wider number, given as sign and exponent, mantissa, and
/// how many bits of the mantissa are a fraction.
fn rounded(head: u16, mantissa: u128, n_fraction: i32, is_nan: bool) -> u64 {
    let sign = u64::from(head >> 15) << 63;
    let exponent = i32::from(head & 0x7fff);
    if exponent == 0x7fff {
        let magnitude = if is_nan { f64::NAN } else { f64::INFINITY };
        return sign | magnitude.to_bits();
    }
    let mut magnitude = mantissa as f64;
    let mut power = exponent - 16383 - n_fraction;
    // In steps, so that no power on the way is out of range.
    while power != 0 && magnitude != 0.0 && magnitude.is_finite() {
        let step = power.clamp(-512, 512);
        magnitude *= f64::powi(2.0, step);
        power -= step;
    }
    sign | magnitude.to_bits()
}

#[cfg(test)]
mod tests {
    use super::bits;
    use crate::ir::FloatKind;

    #[test]
    fn literals_have_the_bits_of_their_kind() {
        assert_eq!(bits(FloatKind::Single, "1.000000e+00"), Some(0x3f80_0000));
        assert_eq!(bits(FloatKind::Single, "0x3FB99999A0000000"), Some(0x3dcc_cccd));
        assert_eq!(bits(FloatKind::Double, "-2.5"), Some((-2.5f64).to_bits()));
        assert_eq!(bits(FloatKind::Half, "0xH3C00"), Some(0x3c00));
        assert_eq!(bits(FloatKind::Double, "inf"), None);
    }

    #[test]
    fn extended_numbers_are_rounded_to_double() {
        let value = |text| bits(FloatKind::Extended, text).map(f64::from_bits);
        assert_eq!(value("0xK3FFF8000000000000000"), Some(1.0));
        assert_eq!(value("0xKC000C000000000000000"), Some(-3.0));
        assert_eq!(value("0xK7FFF8000000000000000"), Some(f64::INFINITY));
        assert_eq!(value("0xK00000000000000000000"), Some(0.0));
        assert_eq!(value("0xK00000000000000000001"), Some(0.0));
        assert_eq!(value("0xL0000000000000000BFFF000000000000"), Some(-1.0));
        let pi = value("0xL8469898CC51701B84000921FB54442D1");
        assert_eq!(pi, Some(std::f64::consts::PI));
    }
}
