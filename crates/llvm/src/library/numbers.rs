//! Numbers and characters: `strtol` and its kin, `abs`, classes of characters, random
//! numbers.

use super::item::{Item, write_through};
use super::memory::End;
use super::{Effect, Entry, LibraryCall, clock, environment, never, pointers, strings, succeed};
use crate::machine::{Result, Rule, Stop};
use crate::value::{Value, mask, signed};

pub(super) static TABLE: &[Entry] = &[
    pointers("atoi", plain_number),
    pointers("atol", plain_number),
    pointers("atoll", plain_number),
    pointers("strtol", signed_number),
    pointers("__isoc23_strtol", signed_number),
    pointers("__isoc23_strtoll", signed_number),
    pointers("__isoc23_strtoul", unsigned_number),
    pointers("__isoc23_strtoull", unsigned_number),
    pointers("strtoll", signed_number),
    pointers("strtoul", unsigned_number),
    pointers("strtoull", unsigned_number),
    pointers("strtod", |c| decimal(c, true)),
    pointers("strtof", |c| decimal(c, true)),
    pointers("atof", |c| decimal(c, false)),
    pointers("abs", absolute),
    pointers("labs", absolute),
    pointers("llabs", absolute),
    never("rand", random),
    never("random", random),
    pointers("srand", succeed),
    pointers("srandom", succeed),
    pointers("isalpha", |c| class(c, |c| c.is_ascii_alphabetic())),
    pointers("isdigit", |c| class(c, |c| c.is_ascii_digit())),
    pointers("isalnum", |c| class(c, |c| c.is_ascii_alphanumeric())),
    pointers("isxdigit", |c| class(c, |c| c.is_ascii_hexdigit())),
    pointers("isspace", |c| class(c, is_space)),
    pointers("isblank", |c| class(c, |c| matches!(c, b' ' | b'\t'))),
    pointers("isupper", |c| class(c, |c| c.is_ascii_uppercase())),
    pointers("islower", |c| class(c, |c| c.is_ascii_lowercase())),
    pointers("ispunct", |c| class(c, |c| c.is_ascii_punctuation())),
    pointers("isprint", |c| class(c, |c| (b' '..=b'~').contains(&c))),
    pointers("isgraph", |c| class(c, |c| c.is_ascii_graphic())),
    pointers("iscntrl", |c| class(c, |c| c.is_ascii_control())),
    pointers("toupper", |c| converted(c, |c| c.to_ascii_uppercase())),
    pointers("tolower", |c| converted(c, |c| c.to_ascii_lowercase())),
];

const ERANGE: u64 = 34;

/// A number at the start of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parsed {
    /// Its digits; larger ones than 128 bits hold are as large as those.
    pub magnitude: u128,
    /// Does a minus stand before it?
    pub is_negative: bool,
    /// How many characters it took; 0 when there is none.
    pub len: usize,
}

pub(super) fn is_space(c: u8) -> bool {
    matches!(c, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r')
}

/// The number at the start of a text, in a base, or as C writes it for base 0.
pub(super) fn parse(text: &[u8], base: u64) -> Parsed {
    let mut at = text.iter().take_while(|&&byte| is_space(byte)).count();
    let sign = text.get(at).copied();
    at += usize::from(matches!(sign, Some(b'+' | b'-')));
    let rest = &text[at..];
    let is_digit = |byte: Option<&u8>, base| byte.is_some_and(|&b| digit(b, base).is_some());
    let has_prefix = matches!(rest, [b'0', b'x' | b'X', ..]) && is_digit(rest.get(2), 16);
    let (base, skipped) = match base {
        0 | 16 if has_prefix => (16, 2),
        0 if rest.first() == Some(&b'0') => (8, 0),
        0 => (10, 0),
        base => (base as u32, 0),
    };
    let digits = rest[skipped..].iter().map_while(|&byte| digit(byte, base));
    let n_digits = digits.clone().count();
    let magnitude = digits.fold(0u128, |number, digit| {
        number.saturating_mul(u128::from(base)).saturating_add(u128::from(digit))
    });
    let len = if n_digits == 0 { 0 } else { at + skipped + n_digits };
    Parsed { magnitude, is_negative: sign == Some(b'-'), len }
}

fn digit(byte: u8, base: u32) -> Option<u32> {
    char::from(byte).to_digit(36).filter(|&digit| digit < base)
}

fn plain_number(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let text = strings::argument(call, 0)?;
    let parsed = parse(&text, 10);
    let limit = 1u128 << call.result_width().clamp(1, 64).saturating_sub(1);
    if parsed.magnitude >= limit {
        return Err(Stop::refused("a number in a text is too large for its type"));
    }
    let number = parsed.magnitude as i64;
    call.done(if parsed.is_negative { -number } else { number })
}

/// Reads the number, and writes where it ends through the second argument.
fn number_with_end(call: &mut LibraryCall<'_, '_>) -> Result<Parsed> {
    let base = call.number_argument(2, "the base of a number")?;
    if base == 1 || base > 36 {
        return Err(Stop::refused(format!("numbers have no base {base}")));
    }
    let text = strings::argument(call, 0)?;
    let parsed = parse(&text, base);
    if !Item::is_null(call, 1) {
        let end = End { argument: 0, ahead: parsed.len as u64 }.pointer(call)?;
        write_through(call, 1, call.pointer_bytes(), end)?;
    }
    Ok(parsed)
}

fn signed_number(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let parsed = number_with_end(call)?;
    let limit = 1u128 << call.result_width().clamp(1, 64).saturating_sub(1);
    let most = limit - u128::from(!parsed.is_negative);
    if parsed.magnitude > most {
        environment::set_errno(call, Value::number(ERANGE))?;
    }
    let number = parsed.magnitude.min(most) as i64;
    call.done(if parsed.is_negative { number.wrapping_neg() } else { number })
}

fn unsigned_number(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let parsed = number_with_end(call)?;
    let most = mask(call.result_width().max(1));
    if parsed.magnitude > u128::from(most) {
        environment::set_errno(call, Value::number(ERANGE))?;
        return call.done(most as i64);
    }
    let number = parsed.magnitude as i64;
    call.done(if parsed.is_negative { number.wrapping_neg() } else { number })
}

/// The decimal float at the start of a text, and how many characters it took.
pub(super) fn parse_float(text: &[u8]) -> Result<(f64, usize)> {
    let start = text.iter().take_while(|&&byte| is_space(byte)).count();
    let mut at = start + usize::from(matches!(text.get(start), Some(b'+' | b'-')));
    let is_named = matches!(text.get(at), Some(b'i' | b'I' | b'n' | b'N'));
    if is_named || matches!(text[at..], [b'0', b'x' | b'X', ..]) {
        return Err(Stop::refused("a float that is not decimal is read from a text"));
    }
    let digits = |at: usize| text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut n_digits = digits(at);
    at += n_digits;
    if text.get(at) == Some(&b'.') {
        let n_behind = digits(at + 1);
        n_digits += n_behind;
        at += if n_digits > 0 { 1 + n_behind } else { 0 };
    }
    if n_digits == 0 {
        return Ok((0.0, 0));
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        let n_exponent = digits((at + 1 + sign).min(text.len()));
        at += if n_exponent > 0 { 1 + sign + n_exponent } else { 0 };
    }
    let number = std::str::from_utf8(&text[start..at]).ok().and_then(|text| text.parse().ok());
    Ok((number.unwrap_or(0.0), at))
}

/// A float at the start of a text; `has_end` if its end is wanted.
fn decimal(call: &mut LibraryCall<'_, '_>, has_end: bool) -> Result<Effect> {
    let text = strings::argument(call, 0)?;
    let (number, len) = parse_float(&text)?;
    if has_end && !Item::is_null(call, 1) {
        let end = End { argument: 0, ahead: len as u64 }.pointer(call)?;
        write_through(call, 1, call.pointer_bytes(), end)?;
    }
    let is_single = call.result_width() == 32;
    let single = || text_as_single(&text[..len], number);
    if number.is_infinite() || is_single && single().is_infinite() {
        environment::set_errno(call, Value::number(ERANGE))?;
    }
    let bits = if is_single { u64::from(single().to_bits()) } else { number.to_bits() };
    Ok(Effect::Done(Value::number(bits)))
}

/// A text as a float, rounded once.
fn text_as_single(text: &[u8], number: f64) -> f32 {
    let text = std::str::from_utf8(text).unwrap_or_default().trim();
    text.parse().unwrap_or(number as f32)
}

fn absolute(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let width = call.width(0);
    let number = signed(call.number_argument(0, "a number")?, width);
    if call.options().checks_overflow && number == signed(1 << (width - 1), width) {
        let message = format!("an absolute value overflows: {number}");
        return Err(Stop::error(Rule::Overflow, message));
    }
    call.done(number.wrapping_abs())
}

fn random(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    Ok(Effect::Done(clock::input(call, i32::MAX as u64)))
}

/// The argument as a character; `None` for the end of a file.
fn character(call: &mut LibraryCall<'_, '_>) -> Result<Option<u8>> {
    let number = signed(call.number_argument(0, "a character")?, call.width(0));
    match number {
        -1 => Ok(None),
        0..=255 => Ok(Some(number as u8)),
        _ => {
            let message = format!("{number} is used as a character, but it is none");
            Err(Stop::error(Rule::MemorySafety, message))
        }
    }
}

fn class(call: &mut LibraryCall<'_, '_>, is_in: fn(u8) -> bool) -> Result<Effect> {
    let truth = character(call)?.is_some_and(is_in);
    call.done(i64::from(truth))
}

fn converted(call: &mut LibraryCall<'_, '_>, convert: fn(u8) -> u8) -> Result<Effect> {
    match character(call)? {
        None => call.done(-1),
        Some(c) => call.done(i64::from(convert(c))),
    }
}

#[cfg(test)]
mod tests {
    use super::{Parsed, parse, parse_float};

    #[track_caller]
    fn check(text: &str, base: u64, number: i64, len: usize) {
        let magnitude = u128::from(number.unsigned_abs());
        let expected = Parsed { magnitude, is_negative: number < 0, len };
        assert_eq!(parse(text.as_bytes(), base), expected, "{text}");
    }

    #[test]
    fn floats_are_read_up_to_what_belongs_to_none() {
        let check = |text: &str, number: f64, len: usize| {
            assert_eq!(parse_float(text.as_bytes()), Ok((number, len)), "{text}");
        };
        check(" 2.5e1x", 25.0, 6);
        check("-.5", -0.5, 3);
        check("7.e", 7.0, 2);
        check("1e+", 1.0, 1);
        check(".", 0.0, 0);
        check("", 0.0, 0);
    }

    #[test]
    fn numbers_are_read_up_to_what_is_no_digit() {
        check("  42abc", 10, 42, 4);
        check("-17", 10, -17, 3);
        check("0x1fg", 0, 31, 4);
        check("0x", 16, 0, 1);
        check("0755", 0, 493, 4);
        check("zz", 36, 35 * 36 + 35, 2);
        check("none", 10, 0, 0);
        check("", 10, 0, 0);
    }
}
