//! The live line on a terminal: what the search is doing, how fast, how long.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use model::{Progress, ProgressSink};

use crate::memory;

/// Time between two updates; faster ones cannot be read.
const INTERVAL: Duration = Duration::from_millis(100);

/// A run that is over sooner shows no line: it would only flicker.
const DELAY: Duration = Duration::from_millis(300);

/// A line on standard error.
pub struct LiveLine {
    bar: ProgressBar,
    last: Mutex<Seen>,
}

struct Seen {
    at: Instant,
    first_figure: u64,
}

impl LiveLine {
    /// A line, if standard error is a terminal and the user wants one.
    pub fn new(is_wanted: bool) -> LiveLine {
        let is_shown = is_wanted && std::io::stderr().is_terminal();
        let target =
            if is_shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
            bar.set_style(style);
        }
        LiveLine { bar, last: Mutex::new(Seen { at: Instant::now(), first_figure: 0 }) }
    }

    /// Shows a plain sentence.
    pub fn tell(&self, text: String) {
        if self.bar.elapsed() < DELAY {
            return;
        }
        self.bar.set_message(text);
        self.bar.tick();
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl ProgressSink for LiveLine {
    fn phase(&self, phase: &str) {
        self.tell(phase.to_owned());
    }

    fn report(&self, progress: &Progress<'_>) {
        if self.bar.is_hidden() {
            return;
        }
        // Another thread that is just showing its figures is as good as this one.
        let Ok(mut last) = self.last.try_lock() else { return };
        let waited = last.at.elapsed();
        if waited < INTERVAL {
            return;
        }
        let first_figure = progress.figures.first().map_or(0, |(_, figure)| *figure);
        let gained = first_figure.saturating_sub(last.first_figure);
        let rate = gained as f64 / waited.as_secs_f64();
        let figures: Vec<String> =
            progress.figures.iter().map(|(name, figure)| format!("{name} {figure}")).collect();
        *last = Seen { at: Instant::now(), first_figure };
        drop(last);
        let ahead = progress.n_ahead.filter(|_| rate >= 1.0).map_or_else(String::new, |n_ahead| {
            format!(
                ", roughly {} left",
                HumanDuration(Duration::from_secs_f64(n_ahead as f64 / rate))
            )
        });
        self.tell(format!(
            "{}: {} ({rate:.0}/s, {}{ahead})",
            progress.engine,
            figures.join(", "),
            report::text::size_words(memory::gauge())
        ));
    }
}
