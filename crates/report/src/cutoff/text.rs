//! The report for people: the cutoff on the first line, then the numbers of threads as a
//! table and as a small curve, then the thread states that need the most threads.

use std::collections::BTreeMap;
use std::time::Duration;

use model::{CutoffEnd, ThreadState};

use super::CutoffStudy;
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
pub fn render(study: &CutoffStudy<'_>, style: &TextStyle) -> String {
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

/// All but the first line and the curve, for a page that shows these larger.
pub(super) fn details(study: &CutoffStudy<'_>, style: &TextStyle) -> String {
    facts(study, style) + &table(study) + &latest(study, style)
}

/// The answer as one sentence.
pub fn headline(study: &CutoffStudy<'_>) -> String {
    let n_reached = study.cutoff.reached.len();
    match (study.cutoff(), &study.cutoff.end) {
        (Some(n), _) => found(n, n_reached),
        (None, CutoffEnd::Open(reason)) => {
            let known = match study.cutoff.rounds.last() {
                Some(round) => {
                    format!("; {} {}", reaches(round.n_threads), counted(n_reached, "thread state"))
                }
                None => String::new(),
            };
            format!("UNKNOWN: {}{known}", reason_words(reason))
        }
        (None, CutoffEnd::Found(_)) => "UNKNOWN: there is no round".to_owned(),
    }
}

fn found(n_threads: u32, n_reached: usize) -> String {
    let all = match n_reached {
        1 => "the only thread state".to_owned(),
        n_reached => format!("all {n_reached} thread states"),
    };
    let reaches = reaches(n_threads);
    format!("CUTOFF {n_threads}: {reaches} {all} that any number of threads reaches")
}

/// `1 thread reaches`, `2 threads reach`.
fn reaches(n_threads: u32) -> String {
    let verb = if n_threads == 1 { "reaches" } else { "reach" };
    format!("{} {verb}", counted(n_threads as usize, "thread"))
}

fn facts(study: &CutoffStudy<'_>, style: &TextStyle) -> String {
    let mut out = String::from("\n");
    if study.cutoff().is_some() {
        let reached = &study.cutoff.reached;
        let n_runs = reached.iter().filter(|state| state.run.is_some()).count();
        let mut text = evidence(n_runs, reached.len());
        if study.cutoff.rounds.len() > 1 {
            text.push_str("; that fewer threads do not reach all of them is what the search says");
        }
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

/// What stands behind a cutoff.
fn evidence(n_runs: usize, n_reached: usize) -> String {
    let replayed = match (n_runs, n_reached) {
        (1, 1) => "a run to it was replayed".to_owned(),
        _ if n_runs == n_reached => "a run to each of them was replayed".to_owned(),
        (1, _) => "a run to one of them was replayed".to_owned(),
        _ => format!("runs to {n_runs} of them were replayed"),
    };
    let others = if n_reached == 1 { "is no other" } else { "are no others" };
    format!("that there {others} was proved and the proof re-checked; {replayed}")
}

fn table(study: &CutoffStudy<'_>) -> String {
    let time = if study.times.is_empty() { "" } else { "      time" };
    let mut out = format!("\nthreads  reached      new  candidates      states{time}\n");
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
        let time = study.times.get(idx).map_or_else(String::new, |time| {
            let seconds = seconds(*time);
            format!("  {seconds:>8}")
        });
        let remark = if study.is_plateau(idx) { "  plateau" } else { "" };
        let line = format!(
            "{:>7}  {:>7}  {new:>7}  {:>10}  {states:>10}{time}{remark}",
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
fn curve(study: &CutoffStudy<'_>, width: usize) -> String {
    let rounds = &study.cutoff.rounds;
    let most = rounds.last().map_or(0, |round| round.n_reached);
    if rounds.len() < 3 || most == 0 || rounds.len() + 10 > width {
        return String::new();
    }
    let step = (width.saturating_sub(12) / rounds.len()).clamp(1, 4);
    let mut out = String::from("\nthread states\n");
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
fn latest(study: &CutoffStudy<'_>, style: &TextStyle) -> String {
    let latest = study.latest();
    let Some(most) = latest.first().map(|state| state.n_threads) else { return String::new() };
    let mut out = format!(
        "\nfirst reached with {}: {} (shared store | local store)\n",
        counted(most as usize, "thread"),
        counted(latest.len(), "thread state")
    );
    out.push_str(&listed(latest.iter().map(|state| name(study, state)), style.width));
    let n_shown = if style.full_trace { latest.len() } else { MAX_RUNS };
    for state in latest.iter().take(n_shown) {
        if let Some(run) = &state.run {
            let what = if state.is_shortest { "shortest run to" } else { "run to" };
            let name = clip(&name(study, state), style.width - what.len() - 1);
            out.push_str(&format!("\n{what} {name}\n"));
            out.push_str(&thread_table::render_run(study.program, run, style));
        }
    }
    out
}

/// Names, a line for each; how many have the same name is counted, since a name need not
/// say all that tells stores apart.
fn listed(names: impl Iterator<Item = String>, width: usize) -> String {
    let mut counts: Vec<(String, usize)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for name in names {
        let place = *places.entry(name.clone()).or_insert(counts.len());
        match counts.get_mut(place) {
            Some((_, n)) => *n += 1,
            None => counts.push((name, 1)),
        }
    }
    let mut out = String::new();
    for (name, n) in counts.iter().take(MAX_LISTED) {
        let times = if *n == 1 { String::new() } else { format!("  ({n} that look alike)") };
        out.push_str(&format!("  {}{times}\n", clip(name, width - 2 - times.len())));
    }
    let left_out = counts.iter().skip(MAX_LISTED).map(|(_, n)| n).sum::<usize>();
    if left_out > 0 {
        out.push_str(&format!("  … and {left_out} more\n"));
    }
    out
}

/// A thread state in words.
pub(crate) fn name(study: &CutoffStudy<'_>, state: &ThreadState) -> String {
    let shared = shared_name(study.program.narrator(), &state.shared);
    let local = local_name(study.program.narrator(), &state.local);
    format!("{shared} | {local}")
}

#[cfg(test)]
mod tests {
    use super::{evidence, found, listed, reaches};

    #[test]
    fn one_thread_reaches_and_two_reach() {
        assert_eq!(reaches(1), "1 thread reaches");
        assert_eq!(reaches(2), "2 threads reach");
        assert_eq!(
            found(1, 1),
            "CUTOFF 1: 1 thread reaches the only thread state that any number of threads reaches"
        );
        assert_eq!(
            found(4, 9),
            "CUTOFF 4: 4 threads reach all 9 thread states that any number of threads reaches"
        );
    }

    #[test]
    fn names_that_are_equal_are_counted() {
        let names = ["1 | 0", "2 | 0", "1 | 0"].map(str::to_owned);
        assert_eq!(listed(names.into_iter(), 80), "  1 | 0  (2 that look alike)\n  2 | 0\n");
        let many = (0..20).map(|n| format!("{n} | 0"));
        assert!(listed(many, 80).ends_with("  11 | 0\n  … and 8 more\n"));
    }

    #[test]
    fn evidence_of_one_thread_state_is_of_it_alone() {
        let proved = "was proved and the proof re-checked";
        let one = format!("that there is no other {proved}; a run to it was replayed");
        assert_eq!(evidence(1, 1), one);
        let all = format!("that there are no others {proved}; a run to each of them was replayed");
        assert_eq!(evidence(3, 3), all);
        assert!(evidence(1, 3).ends_with("; a run to one of them was replayed"));
        assert!(evidence(2, 3).ends_with("; runs to 2 of them were replayed"));
    }
}
