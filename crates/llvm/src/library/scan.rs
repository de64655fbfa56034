//! Formats of `scanf` and its kin, and what `sscanf` finds in a text.

use super::input::put;
use super::numbers::{is_space, parse, parse_float};
use super::{Effect, Entry, LibraryCall, pointers, strings};
use crate::machine::{Result, Stop};
use crate::value::{Value, mask};

pub(super) static TABLE: &[Entry] = &[
    pointers("sscanf", scan),
    pointers("__isoc99_sscanf", scan),
    pointers("__isoc23_sscanf", scan),
];

/// A part of a format.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Directive {
    /// Any space, or none.
    Space,
    /// This character.
    Literal(u8),
    /// Something that is read.
    Conversion(Wanted),
}

/// What stands in a format between `%` and its letter, and the letter.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    /// Is what is read not stored?
    pub is_dropped: bool,
    /// How many characters at most; 0 for any number.
    pub width: u64,
    /// Letters that say how large the result is.
    pub size: Vec<u8>,
    /// The letter.
    pub letter: u8,
}

impl Wanted {
    /// Bytes of the number that is wanted.
    pub fn bytes(&self, pointer_bytes: u32) -> u32 {
        match self.size.as_slice() {
            b"hh" => 1,
            b"h" => 2,
            b"" => 4,
            b"l" | b"z" | b"t" => pointer_bytes,
            _ => 8,
        }
    }

    fn limit<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        match self.width {
            0 => text,
            width => &text[..text.len().min(width as usize)],
        }
    }
}

/// The parts of a format.
pub(super) fn directives(format: &[u8]) -> Vec<Directive> {
    let mut rest = format.iter().copied().peekable();
    let mut all = Vec::new();
    while let Some(byte) = rest.next() {
        if is_space(byte) {
            all.push(Directive::Space);
            continue;
        }
        if byte != b'%' || rest.next_if_eq(&b'%').is_some() {
            all.push(Directive::Literal(byte));
            continue;
        }
        let is_dropped = rest.next_if_eq(&b'*').is_some();
        let mut wanted = Wanted { is_dropped, ..Wanted::default() };
        while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
            wanted.width = (wanted.width * 10 + u64::from(digit - b'0')).min(1 << 20);
        }
        while let Some(letter) = rest.next_if(|byte| b"hlLqjzt".contains(byte)) {
            wanted.size.push(letter);
        }
        wanted.letter = rest.next().unwrap_or(0);
        all.push(Directive::Conversion(wanted));
    }
    all
}

/// What comes of a conversion.
enum Found {
    /// These bytes are stored, with so many characters used up.
    Value(Value, u32, usize),
    /// This text is stored; with a zero behind it if so.
    Text(Vec<u8>, bool),
    /// Nothing that fits.
    Nothing,
}

/// How far a text was read.
struct Reading<'t> {
    text: &'t [u8],
    at: usize,
}

impl Reading<'_> {
    fn skip_spaces(&mut self) {
        self.at += self.text[self.at..].iter().take_while(|&&byte| is_space(byte)).count();
    }
}

/// Reads a text as a format says.
fn scan(call: &mut LibraryCall<'_, '_>) -> Result<Effect> {
    let text = strings::argument(call, 0)?;
    let format = strings::argument(call, 1)?;
    let mut reading = Reading { text: &text, at: 0 };
    let (mut n_read, mut argument) = (0, 2);
    for directive in directives(&format) {
        match directive {
            Directive::Space => reading.skip_spaces(),
            Directive::Literal(byte) if text.get(reading.at) == Some(&byte) => reading.at += 1,
            Directive::Literal(_) => break,
            Directive::Conversion(wanted) => {
                if !b"cn".contains(&wanted.letter) {
                    reading.skip_spaces();
                }
                if wanted.letter != b'n' && reading.at == text.len() {
                    return call.done(if n_read == 0 { -1 } else { n_read });
                }
                let found = find(call, &reading, &wanted)?;
                let Some(()) = store(call, (found, &wanted), argument, &mut reading)? else {
                    break;
                };
                argument += usize::from(!wanted.is_dropped);
                n_read += i64::from(!wanted.is_dropped && wanted.letter != b'n');
            }
        }
    }
    call.done(n_read)
}

fn find(call: &LibraryCall<'_, '_>, reading: &Reading<'_>, wanted: &Wanted) -> Result<Found> {
    let rest = wanted.limit(&reading.text[reading.at..]);
    let bytes = wanted.bytes(call.pointer_bytes());
    let base = match wanted.letter {
        b'd' | b'u' => Some(10),
        b'i' => Some(0),
        b'x' | b'X' => Some(16),
        b'o' => Some(8),
        _ => None,
    };
    if let Some(base) = base {
        let parsed = parse(rest, base);
        let number = parsed.magnitude as u64;
        let number = if parsed.is_negative { number.wrapping_neg() } else { number };
        let value = Value::number(number & mask(bytes * 8));
        return Ok(match parsed.len {
            0 => Found::Nothing,
            len => Found::Value(value, bytes, len),
        });
    }
    Ok(match wanted.letter {
        b'n' => Found::Value(Value::number(reading.at as u64), bytes, 0),
        b'c' => {
            let n = wanted.width.max(1) as usize;
            if rest.len() < n { Found::Nothing } else { Found::Text(rest[..n].to_vec(), false) }
        }
        b's' => {
            let end = rest.iter().position(|&byte| is_space(byte)).unwrap_or(rest.len());
            Found::Text(rest[..end].to_vec(), true)
        }
        b'f' | b'e' | b'g' if !wanted.size.contains(&b'L') => {
            let (number, len) = parse_float(rest)?;
            let is_double = wanted.size.contains(&b'l');
            let bits =
                if is_double { number.to_bits() } else { u64::from((number as f32).to_bits()) };
            match len {
                0 => Found::Nothing,
                len => Found::Value(Value::number(bits), if is_double { 8 } else { 4 }, len),
            }
        }
        letter => {
            let letter = char::from(letter);
            return Err(Stop::refused(format!("the conversion `%{letter}` of an input")));
        }
    })
}

/// Stores what was found, unless it is nothing.
fn store(
    call: &mut LibraryCall<'_, '_>,
    (found, wanted): (Found, &Wanted),
    argument: usize,
    reading: &mut Reading<'_>,
) -> Result<Option<()>> {
    match found {
        Found::Nothing => return Ok(None),
        Found::Value(value, bytes, len) => {
            reading.at += len;
            if !wanted.is_dropped {
                put(call, argument, (0, bytes), value)?;
            }
        }
        Found::Text(text, has_end) => {
            reading.at += text.len();
            let zero = has_end.then_some(&0);
            for (at, &byte) in text.iter().chain(zero).enumerate().filter(|_| !wanted.is_dropped) {
                put(call, argument, (at as u64, 1), Value::number(byte.into()))?;
            }
        }
    }
    Ok(Some(()))
}

#[cfg(test)]
mod tests {
    use super::{Directive, directives};

    #[test]
    fn the_parts_of_a_format_are_told_apart() {
        let all = directives(b"%d: %7s%*c%%%lf");
        let shown: String = all
            .iter()
            .map(|directive| match directive {
                Directive::Space => ' ',
                Directive::Literal(byte) => char::from(*byte),
                Directive::Conversion(wanted) => char::from(wanted.letter),
            })
            .collect();
        assert_eq!(shown, "d: sc%f");
        let Directive::Conversion(text) = &all[3] else { panic!("it reads a text") };
        assert_eq!((text.width, text.is_dropped), (7, false));
    }
}
