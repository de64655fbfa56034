//! The report for people: the cutoff on the first line, then the numbers of threads as a
//! table and as a small curve, then the thread states that need the most threads.

use std::time::Duration;

use model::{CutoffEnd, ThreadState};

use super::Study;
use crate::layout::{clip, counted, pad, plain};
use crate::names::{local_name, shared_name};
use crate::text::{TextStyle, effort_facts, fact, reason_words};
use crate::thread_table;

/// Rows of the curve.
const CURVE_HEIGHT: usize = 8;
/// Thread states whose runs are shown unless all are asked for.
const MAX_RUNS: usize = 1;
/// Thread states that are listed, at most.
const MAX_LISTED: usize = 12;
/// Rows of the table that are shown at each end of a long one.
const ROWS_AT_EACH_END: usize = 20;

/// The whole report.
pub fn render(study: &Study<'_>, style: &TextStyle) -> String {
    let mut out = headline(study) + "\n";
    if style.verdict_only {
        return out;
    }
    out.push_str(&facts(study, style));
    out.push_str(&table(study));
    out.push_str(&curve(study, style.width));
    out.push_str(&latest(study, style));
    out
}

/// The answer as one sentence.
pub fn headline(study: &Study<'_>) -> String {
    let n_reached = study.cutoff.reached.len();
    match (study.cutoff(), &study.cutoff.end) {
        (Some(n), _) => format!(
            "CUTOFF {n}: with {} all {} are reached that any number of threads reaches",
            counted(n as usize, "thread"),
            counted(n_reached, "thread state"),
        ),
        (None, CutoffEnd::Open(reason)) => {
            let known = match study.cutoff.rounds.last() {
                Some(round) => format!(
                    "; {} reach {}",
                    counted(round.n_threads as usize, "thread"),
                    counted(n_reached, "thread state")
                ),
                None => String::new(),
            };
            format!("UNKNOWN: {}{known}", reason_words(reason))
        }
        (None, CutoffEnd::Found(_)) => "UNKNOWN: there is no round".to_owned(),
    }
}

fn facts(study: &Study<'_>, style: &TextStyle) -> String {
    let mut out = String::from("\n");
    if study.cutoff().is_some() {
        let n_runs = study.cutoff.reached.iter().filter(|state| state.run.is_some()).count();
        let replayed = match n_runs == study.cutoff.reached.len() {
            true => "a run to each of them was replayed".to_owned(),
            false => format!("runs to {n_runs} of them were replayed"),
        };
        let text = format!(
            "that there are no others was proved and the proof re-checked; {replayed}; that \
             fewer threads do not reach them is what the search says"
        );
        out.push_str(&fact("evidence", &text, style.width));
    }
    if let Some(effort) = study.effort {
        out.push_str(&effort_facts(effort, style.width));
    }
    for note in study.notes {
        out.push_str(&fact("note", &plain(note), style.width));
    }
    out
}

fn table(study: &Study<'_>) -> String {
    let mut out = String::from("\nthreads  reached      new  candidates      states      time\n");
    let growth = study.growth();
    for (idx, (round, new)) in growth.iter().enumerate() {
        if idx == ROWS_AT_EACH_END && growth.len() > 2 * ROWS_AT_EACH_END {
            out.push_str("      …\n");
        }
        if idx >= ROWS_AT_EACH_END && idx + ROWS_AT_EACH_END < growth.len() {
            continue;
        }
        let new = if *new == 0 { "·".to_owned() } else { new.to_string() };
        let states = if round.n_states == 0 { "·".to_owned() } else { round.n_states.to_string() };
        let time = study.times.get(idx).map_or_else(String::new, |time| seconds(*time));
        let remark = if study.is_plateau(idx) { "  plateau" } else { "" };
        let line = format!(
            "{:>7}  {:>7}  {new:>7}  {:>10}  {states:>10}  {time:>8}{remark}",
            round.n_threads, round.n_reached, round.n_candidates,
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

/// Thread states over threads, a column for each number.
fn curve(study: &Study<'_>, width: usize) -> String {
    let rounds = &study.cutoff.rounds;
    let most = rounds.last().map_or(0, |round| round.n_reached);
    if rounds.len() < 3 || most == 0 || rounds.len() + 10 > width {
        return String::new();
    }
    let step = (width.saturating_sub(12) / rounds.len()).clamp(1, 4);
    let mut out = String::from("\n");
    for row in (0..CURVE_HEIGHT).rev() {
        let label = match row {
            0 => "0".to_owned(),
            _ if row == CURVE_HEIGHT - 1 => most.to_string(),
            _ => String::new(),
        };
        let mut line = format!("{label:>8} │");
        for round in rounds {
            // Eighths of a row.
            let filled = round.n_reached * 8 * CURVE_HEIGHT as u64 / most;
            let here = filled.saturating_sub(8 * row as u64).min(8);
            let block = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'][here as usize];
            line.extend(std::iter::repeat_n(block, step));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    let first = rounds.first().map_or(0, |round| round.n_threads).to_string();
    let last = rounds.last().map_or(0, |round| round.n_threads).to_string();
    let room = (step * rounds.len()).saturating_sub(last.len());
    out.push_str(&format!("         └{}\n", "─".repeat(step * rounds.len())));
    out.push_str(&format!("          {}{last} threads\n", pad(&first, room)));
    out
}

/// The thread states that need the most threads, with a run to the first.
fn latest(study: &Study<'_>, style: &TextStyle) -> String {
    let latest = study.latest();
    let Some(most) = latest.first().map(|state| state.n_threads) else { return String::new() };
    let mut out = format!(
        "\nfirst reached with {}: {}\n",
        counted(most as usize, "thread"),
        counted(latest.len(), "thread state")
    );
    for state in latest.iter().take(MAX_LISTED) {
        out.push_str(&format!("  {}\n", clip(&name(study, state), style.width - 2)));
    }
    if latest.len() > MAX_LISTED {
        out.push_str(&format!("  … and {} more\n", latest.len() - MAX_LISTED));
    }
    let n_shown = if style.full_trace { latest.len() } else { MAX_RUNS };
    for state in latest.iter().take(n_shown) {
        if let Some(run) = &state.run {
            out.push_str(&format!("\nrun to {}\n", clip(&name(study, state), style.width - 7)));
            out.push_str(&thread_table::render_run(study.program, run, style));
        }
    }
    out
}

/// A thread state in words.
pub(crate) fn name(study: &Study<'_>, state: &ThreadState) -> String {
    let shared = shared_name(study.program, &state.shared);
    let local = local_name(study.program, &state.local);
    format!("({shared}, {local})")
}
