//! Texts with their numbers replaced by extreme ones.

use testkit::rng::Rng;

/// Around the widths of registers and of what tables can hold, and far beyond.
const EXTREMES: [&str; 26] = [
    "0",
    "1",
    "2",
    "7",
    "31",
    "33",
    "63",
    "64",
    "65",
    "129",
    "255",
    "65536",
    "1048577",
    "16777217",
    "268435457",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "1099511627776",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "-1",
];

/// Where the numbers of a text stand.
fn numbers(text: &str) -> Vec<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        match found.last_mut() {
            _ if !byte.is_ascii_digit() => {}
            Some(last) if last.end == at => last.end += 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}

/// Texts in which one number, or two, are extreme: each number `n_times` times.
pub fn mutants(text: &str, seed: u64, n_times: usize) -> Vec<String> {
    let mut rng = Rng::new(seed);
    let found = numbers(text);
    let mut mutants = Vec::new();
    for (idx, number) in found.iter().enumerate() {
        // All extremes in turn, beginning elsewhere for each number.
        for time in 0..n_times.min(EXTREMES.len()) {
            let extreme = EXTREMES[(idx * 11 + time * 5) % EXTREMES.len()];
            let mut places = vec![(number.clone(), extreme)];
            if rng.chance(25) {
                let other = found[rng.below(found.len() as u32) as usize].clone();
                let extreme = EXTREMES[rng.below(EXTREMES.len() as u32) as usize];
                places.push((other, extreme));
            }
            mutants.push(replaced(text, places));
        }
    }
    mutants
}

fn replaced(text: &str, mut places: Vec<(std::ops::Range<usize>, &str)>) -> String {
    places.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    places.dedup_by_key(|(place, _)| place.start);
    let mut text = text.to_owned();
    for (place, extreme) in places {
        text.replace_range(place, extreme);
    }
    text
}
