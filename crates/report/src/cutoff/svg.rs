//! The curve of thread states over threads, as a picture: Fig. 1 of the paper for one
//! program.

use std::fmt::Write as _;

use super::Study;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 48.0;
/// Numbers along an axis, at most.
const MAX_TICKS: u64 = 8;

/// The picture; it contains nothing but numbers and our own words.
pub fn render(study: &Study<'_>) -> String {
    let rounds = &study.cutoff.rounds;
    let first = rounds.first().map_or(1, |round| round.n_threads);
    let last = rounds.last().map_or(first, |round| round.n_threads).max(first + 1);
    let most = rounds.last().map_or(1, |round| round.n_reached).max(1);
    let x =
        |n: f64| LEFT + (n - f64::from(first)) / f64::from(last - first) * (WIDTH - LEFT - RIGHT);
    let y = |n: u64| HEIGHT - BOTTOM - n as f64 / most as f64 * (HEIGHT - TOP - BOTTOM);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    for tick in ticks(most) {
        let at = y(tick);
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0,
        );
    }
    for tick in ticks(u64::from(last)).into_iter().filter(|tick| *tick >= u64::from(first)) {
        let at = x(tick as f64);
        let _ = writeln!(
            out,
            "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick}</text>",
            HEIGHT - BOTTOM + 20.0
        );
    }
    let points: Vec<String> = rounds
        .iter()
        .map(|round| format!("{:.1},{:.1}", x(f64::from(round.n_threads)), y(round.n_reached)))
        .collect();
    let _ = writeln!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"2\"/>",
        points.join(" ")
    );
    for (idx, round) in rounds.iter().enumerate() {
        let fill = if study.is_plateau(idx) { "white" } else { "#1f5fa8" };
        let _ = writeln!(
            out,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{fill}\" stroke=\"#1f5fa8\"/>",
            x(f64::from(round.n_threads)),
            y(round.n_reached)
        );
    }
    let title = match study.cutoff() {
        Some(n) => format!("thread states over threads; cutoff {n}"),
        None => "thread states over threads; no cutoff found".to_owned(),
    };
    let _ = writeln!(
        out,
        "<text x=\"{LEFT}\" y=\"24\" font-weight=\"bold\">{title}</text>\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">threads</text>\n</svg>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 10.0
    );
    out
}

/// Round numbers from 0 to `most`.
fn ticks(most: u64) -> Vec<u64> {
    let mut step = 1;
    for factor in [2, 5, 10].into_iter().cycle() {
        if most / step <= MAX_TICKS {
            break;
        }
        let power = 10u64.pow((step as f64).log10() as u32);
        step = power * if factor == 10 { 10 } else { factor };
    }
    (0..=most / step).map(|n| n * step).collect()
}

#[cfg(test)]
mod tests {
    use super::ticks;

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(5), [0, 1, 2, 3, 4, 5]);
        assert_eq!(ticks(844), [0, 200, 400, 600, 800]);
        assert!(ticks(u64::from(u32::MAX)).len() <= 9);
    }
}
