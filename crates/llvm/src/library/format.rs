//! Texts that `printf` and its kin make. What is not known is shown as `?`, and an
//! address by what it is the address of.

use super::item::ahead;
use super::{LibraryCall, strings};
use crate::machine::{Result, Stop};
use crate::memory::AccessMode;
use crate::value::{Base, Value, mask, signed};

/// A text that was made.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    /// Its characters.
    pub bytes: Vec<u8>,
    /// Does it depend on what is not known?
    pub is_vague: bool,
}

/// A conversion: what stands between `%` and its letter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Conversion {
    is_left: bool,
    has_plus: bool,
    has_space: bool,
    is_alternate: bool,
    has_zeros: bool,
    width: usize,
    precision: Option<usize>,
    /// Bits of a number, if letters say so: `hh`, `h`, `l`, `ll`.
    size: Vec<u8>,
}

/// No field is wider in a message.
const MAX_WIDTH: u64 = 4096;

/// Makes the text of a format and the arguments that follow it.
pub(super) fn format(
    call: &mut LibraryCall<'_, '_>,
    format: &[u8],
    arguments: &mut Following,
) -> Result<Text> {
    let mut text = Text::default();
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            text.bytes.push(byte);
            continue;
        }
        let conversion = conversion(call, arguments, &mut rest)?;
        match rest.next() {
            None => break,
            Some(b'%') => text.bytes.push(b'%'),
            Some(b'm') => {
                text.is_vague = true;
                text.bytes.extend(b"error");
            }
            Some(letter) => {
                let bits = conversion.wanted(letter, call.pointer_bytes());
                let (value, width) = arguments.take(call, bits)?;
                let shown = conversion.shown(call, letter, (value, width))?;
                text.is_vague |= shown.is_none();
                let shown = shown.unwrap_or_else(|| vague(call, value));
                text.bytes.extend(conversion.padded(shown));
            }
        }
    }
    Ok(text)
}

/// The arguments that a format speaks of.
pub(super) enum Following {
    /// Those of the call, from here on.
    Given(usize),
    /// Those that lie in memory from this address on: what a `va_list` names.
    Listed(Value),
}

impl Following {
    /// The next one, which should have so many bits, and how many it has.
    fn take(&mut self, call: &mut LibraryCall<'_, '_>, bits: u32) -> Result<(Value, u32)> {
        match self {
            Following::Given(next) => {
                let taken = (call.argument(*next)?, call.width(*next));
                *next += 1;
                Ok(taken)
            }
            Following::Listed(at) => {
                let bytes = bits / 8;
                let location = call.locate(*at, bytes.into(), AccessMode::PLAIN_READ)?;
                let value = call.read_at(location, bits)?;
                let slot = call.pointer_bytes();
                *at = ahead(call, *at, bytes.next_multiple_of(slot).into());
                Ok((value, bits))
            }
        }
    }
}

/// What stands for a value that is no number.
fn vague(call: &LibraryCall<'_, '_>, value: Value) -> Vec<u8> {
    let origin = value.base.origin();
    if value.base == Base::NUMBER || call.object(origin).is_none() {
        return b"?".to_vec();
    }
    let name = call.name_of(origin);
    match name.strip_prefix('`').and_then(|name| name.strip_suffix('`')) {
        Some(name) => format!("&{name}").into_bytes(),
        None => b"?".to_vec(),
    }
}

type Rest<I> = std::iter::Peekable<I>;

/// Reads a conversion, which may take arguments for its width and precision.
fn conversion(
    call: &mut LibraryCall<'_, '_>,
    arguments: &mut Following,
    rest: &mut Rest<impl Iterator<Item = u8>>,
) -> Result<Conversion> {
    let mut conversion = Conversion::default();
    while let Some(flag) = rest.next_if(|byte| b"-+ #0".contains(byte)) {
        match flag {
            b'-' => conversion.is_left = true,
            b'+' => conversion.has_plus = true,
            b' ' => conversion.has_space = true,
            b'#' => conversion.is_alternate = true,
            _ => conversion.has_zeros = true,
        }
    }
    let width = count(call, arguments, rest)?;
    conversion.is_left |= width < 0;
    conversion.width = width.unsigned_abs() as usize;
    if rest.next_if_eq(&b'.').is_some() {
        let precision = count(call, arguments, rest)?;
        conversion.precision = usize::try_from(precision).ok();
    }
    while let Some(letter) = rest.next_if(|byte| b"hlLqjzt".contains(byte)) {
        conversion.size.push(letter);
    }
    Ok(conversion)
}

/// A number in the format, or an argument for `*`.
fn count(
    call: &mut LibraryCall<'_, '_>,
    arguments: &mut Following,
    rest: &mut Rest<impl Iterator<Item = u8>>,
) -> Result<i64> {
    let mut number = 0u64;
    if rest.next_if_eq(&b'*').is_some() {
        let (value, width) = arguments.take(call, 32)?;
        let value = call.number(value, width, "the width of a field")?;
        let wanted = signed(value, width);
        return Ok(wanted.clamp(-(MAX_WIDTH as i64), MAX_WIDTH as i64));
    }
    while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
        number = (number * 10 + u64::from(digit - b'0')).min(MAX_WIDTH);
    }
    Ok(number as i64)
}

impl Conversion {
    /// Bits of the argument that a letter speaks of.
    fn wanted(&self, letter: u8, pointer_bytes: u32) -> u32 {
        match letter {
            b's' | b'p' | b'n' => pointer_bytes * 8,
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => 64,
            _ => self.bits(pointer_bytes, 64).max(32),
        }
    }

    /// An argument as text; `None` where that is not known.
    fn shown(
        &self,
        call: &mut LibraryCall<'_, '_>,
        letter: u8,
        (value, width): (Value, u32),
    ) -> Result<Option<Vec<u8>>> {
        let is_long = self.size.contains(&b'L');
        Ok(match letter {
            b's' => self.string(call, value)?,
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' => {
                let bits = self.bits(call.pointer_bytes(), width);
                value.as_number().map(|number| self.number(letter, number, bits))
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' if width == 64 && !is_long => {
                value.as_number().map(|bits| self.float(letter, f64::from_bits(bits)))
            }
            b'p' | b'a' | b'A' => None,
            _ => {
                let letter = char::from(letter);
                return Err(Stop::refused(format!("the conversion `%{letter}` of a text")));
            }
        })
    }

    /// Bits of the number that is meant, in an argument of `width` bits.
    fn bits(&self, pointer_bytes: u32, width: u32) -> u32 {
        let bits = match self.size.as_slice() {
            b"hh" => 8,
            b"h" => 16,
            b"" => 32,
            b"l" | b"z" | b"t" => pointer_bytes * 8,
            _ => 64,
        };
        bits.min(width.max(1))
    }

    fn number(&self, letter: u8, number: u64, bits: u32) -> Vec<u8> {
        let number = number & mask(bits);
        let (sign, mut digits) = match letter {
            b'c' => return vec![number as u8],
            b'd' | b'i' => {
                let number = signed(number, bits);
                (self.sign(number < 0), number.unsigned_abs().to_string())
            }
            b'u' => ("", number.to_string()),
            b'o' => ("", format!("{number:o}")),
            b'x' => {
                (if self.is_alternate && number != 0 { "0x" } else { "" }, format!("{number:x}"))
            }
            _ => (if self.is_alternate && number != 0 { "0X" } else { "" }, format!("{number:X}")),
        };
        if self.precision == Some(0) && number == 0 {
            digits.clear();
        }
        if letter == b'o' && self.is_alternate && !digits.starts_with('0') {
            digits.insert(0, '0');
        }
        let fills = self.has_zeros && !self.is_left && self.precision.is_none();
        let wanted = match self.precision {
            Some(precision) => precision,
            None if fills => self.width.saturating_sub(sign.len()),
            None => 0,
        };
        let zeros = "0".repeat(wanted.saturating_sub(digits.len()));
        format!("{sign}{zeros}{digits}").into_bytes()
    }

    fn sign(&self, is_negative: bool) -> &'static str {
        match (is_negative, self.has_plus, self.has_space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    fn float(&self, letter: u8, number: f64) -> Vec<u8> {
        let sign = self.sign(number.is_sign_negative());
        let (number, precision) = (number.abs(), self.precision.unwrap_or(6));
        let digits = if number.is_nan() {
            "nan".into()
        } else if number.is_infinite() {
            "inf".into()
        } else {
            match letter.to_ascii_lowercase() {
                b'f' => format!("{number:.precision$}"),
                b'e' => scientific(number, precision),
                _ => self.shortest(number, precision.max(1)),
            }
        };
        let fills = self.has_zeros && !self.is_left && number.is_finite();
        let wanted = if fills { self.width.saturating_sub(sign.len()) } else { 0 };
        let zeros = "0".repeat(wanted.saturating_sub(digits.len()));
        let shown = format!("{sign}{zeros}{digits}");
        let is_upper = letter.is_ascii_uppercase();
        if is_upper { shown.to_ascii_uppercase().into_bytes() } else { shown.into_bytes() }
    }

    /// As `%g`: so many digits, in the shorter form, without zeros at the end.
    fn shortest(&self, number: f64, precision: usize) -> String {
        let rounded = scientific(number, precision - 1);
        let exponent = rounded.rsplit_once('e').and_then(|(_, exponent)| exponent.parse().ok());
        let exponent: i64 = exponent.unwrap_or(0);
        let is_plain = exponent >= -4 && exponent < precision as i64;
        let trim = |digits: &str| match digits.contains('.') && !self.is_alternate {
            true => digits.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => digits.to_owned(),
        };
        if is_plain {
            let after = (precision as i64 - 1 - exponent) as usize;
            return trim(&format!("{number:.after$}"));
        }
        let (digits, exponent) = rounded.split_once('e').unwrap_or((&rounded, "+00"));
        format!("{}e{exponent}", trim(digits))
    }

    fn string(&self, call: &mut LibraryCall<'_, '_>, pointer: Value) -> Result<Option<Vec<u8>>> {
        if pointer == Value::ZERO {
            return Ok(Some(b"(null)".to_vec()));
        }
        let max = self.precision.map_or(u64::MAX, |max| max as u64);
        strings::read(call, pointer, max).map(Some)
    }

    /// Filled up with spaces to the width.
    fn padded(&self, shown: Vec<u8>) -> Vec<u8> {
        let spaces = vec![b' '; self.width.saturating_sub(shown.len())];
        if self.is_left { [shown, spaces].concat() } else { [spaces, shown].concat() }
    }
}

/// As `%e`: one digit before the point, and an exponent of two digits at least.
fn scientific(number: f64, precision: usize) -> String {
    let shown = format!("{number:.precision$e}");
    let (digits, exponent) = shown.split_once('e').unwrap_or((&shown, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}

#[cfg(test)]
mod tests {
    use super::Conversion;

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).expect("it is text")
    }

    #[test]
    fn numbers_are_shown_as_c_shows_them() {
        let plain = Conversion::default();
        assert_eq!(text(plain.number(b'd', 0xffff_ffff, 32)), "-1");
        assert_eq!(text(plain.number(b'u', 0xffff_ffff, 32)), "4294967295");
        assert_eq!(text(plain.number(b'x', 255, 32)), "ff");
        let padded = Conversion { width: 5, has_zeros: true, ..Conversion::default() };
        assert_eq!(text(padded.number(b'd', mask_of(-42), 32)), "-0042");
        let precise = Conversion { width: 6, precision: Some(3), ..Conversion::default() };
        assert_eq!(text(precise.padded(precise.number(b'd', 7, 32))), "   007");
    }

    #[test]
    fn floats_are_shown_as_c_shows_them() {
        let plain = Conversion::default();
        assert_eq!(text(plain.float(b'f', 1.5)), "1.500000");
        assert_eq!(text(plain.float(b'e', 12345.678)), "1.234568e+04");
        assert_eq!(text(plain.float(b'g', 0.0001)), "0.0001");
        assert_eq!(text(plain.float(b'g', 1e10)), "1e+10");
        assert_eq!(text(plain.float(b'g', 100.0)), "100");
        let short = Conversion { precision: Some(2), ..Conversion::default() };
        assert_eq!(text(short.float(b'f', -2.345)), "-2.35");
    }

    fn mask_of(number: i32) -> u64 {
        u64::from(number as u32)
    }
}
