//! The curve of thread states over threads, as a picture: Fig. 1 of the paper for one
//! program.

use std::fmt::Write as _;

use model::Round;

use super::CutoffStudy;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 48.0;
/// Numbers along an axis, at most.
const MAX_TICKS: u64 = 8;
/// More points than this would hide the line.
const MAX_POINTS: usize = 100;

/// Where numbers lie on the picture.
struct Scale {
    first: u32,
    last: u32,
    most: u64,
}

impl Scale {
    fn x(&self, n_threads: u64) -> f64 {
        let part = (n_threads as f64 - f64::from(self.first)) / f64::from(self.last - self.first);
        LEFT + part * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, n_reached: u64) -> f64 {
        HEIGHT - BOTTOM - n_reached as f64 / self.most as f64 * (HEIGHT - TOP - BOTTOM)
    }
}

/// The picture; it contains nothing but numbers and our own words.
pub fn render(study: &CutoffStudy<'_>) -> String {
    let rounds = &study.cutoff.rounds;
    let first = rounds.first().map_or(1, |round| round.n_threads);
    let last = rounds.last().map_or(first, |round| round.n_threads).max(first + 1);
    let most = rounds.last().map_or(1, |round| round.n_reached).max(1);
    let scale = Scale { first, last, most };
    let title = match study.cutoff() {
        Some(n) => format!("thread states over threads; cutoff {n}"),
        None => "thread states over threads; no cutoff found".to_owned(),
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n{}{}\
         <text x=\"{LEFT}\" y=\"24\" font-weight=\"bold\">{title}</text>\n{}\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">threads</text>\n</svg>\n",
        axes(&scale),
        curve(study, &scale),
        legend(study),
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 10.0
    )
}

fn axes(scale: &Scale) -> String {
    let mut out = String::new();
    for tick in ticks(scale.most) {
        let at = scale.y(tick);
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0,
        );
    }
    let first = u64::from(scale.first);
    for tick in ticks(u64::from(scale.last)).into_iter().filter(|tick| *tick >= first) {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick}</text>",
            scale.x(tick),
            HEIGHT - BOTTOM + 20.0
        );
    }
    out
}

fn curve(study: &CutoffStudy<'_>, scale: &Scale) -> String {
    let place = |round: &Round| (scale.x(u64::from(round.n_threads)), scale.y(round.n_reached));
    let rounds = &study.cutoff.rounds;
    let has_points = rounds.len() <= MAX_POINTS;
    let points: Vec<String> =
        rounds.iter().map(place).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let mut out = format!(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"2\"/>\n",
        points.join(" ")
    );
    if let Some(last) = rounds.last() {
        let (x, y) = place(last);
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            y - 9.0,
            last.n_reached
        );
    }
    for (idx, (x, y)) in rounds.iter().map(place).enumerate().filter(|_| has_points) {
        let fill = if study.is_plateau(idx) { "white" } else { "#1f5fa8" };
        let _ = writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{fill}\" stroke=\"#1f5fa8\"/>"
        );
    }
    out
}

/// What hollow points are, where there are any.
fn legend(study: &CutoffStudy<'_>) -> String {
    let n_rounds = study.cutoff.rounds.len();
    if n_rounds > MAX_POINTS || !(0..n_rounds).any(|idx| study.is_plateau(idx)) {
        return String::new();
    }
    let (x, y) = (WIDTH - RIGHT, HEIGHT - BOTTOM - 12.0);
    format!(
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\" fill=\"#555\">○ plateau: nothing new, but \
         more threads reach more</text>\n"
    )
}

/// Round numbers from 0 to `most`.
fn ticks(most: u64) -> Vec<u64> {
    let mut step = 1;
    for factor in [2, 5, 10].into_iter().cycle() {
        if most / step <= MAX_TICKS {
            break;
        }
        // 1, 2, 5, 10, 20, 50, …
        step = if factor == 5 { step / 2 * 5 } else { step * 2 };
    }
    (0..=most / step).map(|n| n * step).collect()
}

#[cfg(test)]
mod tests {
    use super::ticks;

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(5), [0, 1, 2, 3, 4, 5]);
        assert_eq!(ticks(1900), [0, 500, 1000, 1500]);
        assert_eq!(ticks(12), [0, 2, 4, 6, 8, 10, 12]);
        assert!(ticks(u64::from(u32::MAX)).len() <= 9);
    }
}
