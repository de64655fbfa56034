//! Reads durations (`500ms`, `60s`, `2m`) and sizes (`300M`, `4G`) from arguments.

use std::time::Duration;

/// Longest duration taken: a hundred years, so that no sum with a clock overflows.
const MAX_SECONDS: f64 = 100.0 * 365.0 * 86400.0;

/// A duration with its unit: `ms`, `s`, `m` or `h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let seconds = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "" => return Err("say the unit: `500ms`, `60s`, `2m`".to_owned()),
        _ => return Err(format!("`{unit}` is not a unit of time; use ms, s, m or h")),
    } * parse(number)?;
    if seconds > MAX_SECONDS {
        return Err("longer than a hundred years".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// A size in bytes: a number with `K`, `M`, `G` or `T` (powers of 1024), or none.
pub fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let factor: f64 = match unit.trim_end_matches("iB").trim_end_matches('B') {
        "" => 1.0,
        "K" | "k" => 1024.0,
        "M" | "m" => 1024.0 * 1024.0,
        "G" | "g" => 1024.0 * 1024.0 * 1024.0,
        "T" | "t" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return Err(format!("`{unit}` is not a unit of size; use K, M, G or T")),
    };
    let bytes = parse(number)? * factor;
    if bytes > (1u64 << 53) as f64 {
        return Err("larger than any memory".to_owned());
    }
    Ok(bytes as u64)
}

fn split(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

fn parse(number: &str) -> Result<f64, String> {
    let parsed: f64 = number.parse().map_err(|_| format!("`{number}` is not a number"))?;
    if parsed.is_finite() { Ok(parsed) } else { Err(format!("`{number}` is out of range")) }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{duration, size};

    #[test]
    fn durations_need_a_unit() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("1.5h"), Ok(Duration::from_secs(5400)));
        assert!(duration("60").is_err() && duration("s").is_err() && duration("-1s").is_err());
        assert!(duration("9999999999999h").is_err() && duration("1y").is_err());
    }

    #[test]
    fn sizes_count_in_powers_of_1024() {
        assert_eq!(size("300M"), Ok(300 << 20));
        assert_eq!(size("4G"), Ok(4 << 30));
        assert_eq!(size("4GiB"), Ok(4 << 30));
        assert_eq!(size("12"), Ok(12));
        assert!(size("G").is_err() && size("4X").is_err() && size("9999999999T").is_err());
    }
}
