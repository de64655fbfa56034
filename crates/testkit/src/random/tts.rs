//! Random thread transition systems as `.tts` text with property and initial
//! states, so that the front end is on the tested path.

use std::fmt::Write;

use crate::rng::Rng;

/// Text and what belongs to it.
#[derive(Clone, Debug)]
pub struct TtsText {
    /// The `.tts` file.
    pub text: String,
    /// The content of a `.prop` file.
    pub property: String,
    /// The initial states.
    pub init: String,
}

/// A random `.tts` with spawns, broadcasts and stand-alone transfers.
pub fn random(rng: &mut Rng) -> TtsText {
    let n_shared = rng.between(1, 3);
    let n_local = rng.between(2, 4);
    let mut text = format!("{n_shared} {n_local}\n");
    let n_lines = rng.between(3, 9);
    for _ in 0..n_lines {
        let line = transition(rng, n_shared, n_local);
        let _ = writeln!(text, "{line}");
    }
    let n_threads = rng.between(1, 2);
    let threads: Vec<String> =
        (0..n_threads).map(|_| rng.between(1, n_local - 1).to_string()).collect();
    let property = format!("{}|{}", rng.below(n_shared), threads.join(","));
    let init = match rng.below(4) {
        0 => "0|0".to_owned(),
        1 => format!("0|{}/0", n_local - 1),
        _ => "0/0".to_owned(),
    };
    TtsText { text, property, init }
}

fn transition(rng: &mut Rng, n_shared: u32, n_local: u32) -> String {
    let (shared, local) = (rng.below(n_shared), rng.below(n_local));
    let (to_shared, to_local) = (rng.below(n_shared), rng.below(n_local));
    match rng.below(10) {
        0 => format!("{shared} {local} +> {to_shared} {to_local}"),
        1 => format!("{shared} {local} ~> {to_shared} {to_local}"),
        2 | 3 => {
            let mut line = format!("{shared} {local} -> {to_shared} {to_local}");
            let n_passive = rng.between(1, 3);
            for _ in 0..n_passive {
                let _ = write!(line, " {} ~> {}", rng.below(n_local), rng.below(n_local));
            }
            line
        }
        _ => format!("{shared} {local} -> {to_shared} {to_local}"),
    }
}
