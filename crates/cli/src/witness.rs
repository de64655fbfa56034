//! `--witness`: decides in which format a violation is told to other verifiers, and
//! writes it, or says why there is nothing to write.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::bail;
use report::Run;
use report::witness::{self, NoWitness, WitnessFormat, WitnessTask};

use crate::args::CheckArgs;
use crate::{c_program, output};

/// Says at once what could not be written in the end.
///
/// # Errors
/// The name has another ending, or the input is no C text.
pub fn refuse_early(args: &CheckArgs) -> anyhow::Result<()> {
    let Some(path) = &args.witness else { return Ok(()) };
    format_of(path)?;
    for file in std::iter::once(&args.load.file).chain(&args.load.more) {
        if !c_program::is_source(file) {
            bail!(
                "--witness is for C programs (.c and .i): `{}` is none, and places in it mean \
                 nothing to other verifiers",
                file.display()
            );
        }
    }
    Ok(())
}

/// The witness of a run, ready to be written; `None` if none was asked for.
///
/// # Errors
/// The name has another ending.
pub fn prepare(
    args: &CheckArgs,
    run: &Run<'_>,
) -> anyhow::Result<Option<Result<String, NoWitness>>> {
    let Some(path) = &args.witness else { return Ok(None) };
    let task = WitnessTask {
        n_inputs: 1 + args.load.more.len(),
        is_32_bit: c_program::is_32_bit(&args.load, &args.load.file),
        creation_time: creation_time(args.no_timing),
    };
    Ok(Some(witness::render(run, &task, format_of(path)?)))
}

/// Writes the witness, or says why there is none.
///
/// # Errors
/// It cannot be written.
pub fn publish(args: &CheckArgs, witness: Result<String, NoWitness>) -> anyhow::Result<()> {
    let Some(path) = &args.witness else { return Ok(()) };
    match witness {
        Ok(text) => output::save(path, &text),
        Err(why) => {
            output::complain(&format!("note: `{}` was not written: {why}", path.display()));
            Ok(())
        }
    }
}

fn format_of(path: &Path) -> anyhow::Result<WitnessFormat> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("yml" | "yaml") => Ok(WitnessFormat::Yaml),
        Some("graphml") => Ok(WitnessFormat::GraphMl),
        _ => bail!(
            "`{}` does not say in which format the witness is: name it .yml (version 2.0) or \
             .graphml (version 1.0, which knows of threads)",
            path.display()
        ),
    }
}

/// The time now in ISO 8601, or the first second that clocks know.
fn creation_time(is_fixed: bool) -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    iso_8601(if is_fixed { 0 } else { since.as_secs() })
}

/// Seconds since 1970 as a date and a time. Years are counted from March on, so that
/// leap days come last, in eras of 400 years, which all have the same days.
fn iso_8601(seconds: u64) -> String {
    const DAYS_OF_ERA: u64 = 146_097;
    let (day, second) = (seconds / 86_400, seconds % 86_400);
    // From the first of March of the year 0 on.
    let day = day + 719_468;
    let (era, day) = (day / DAYS_OF_ERA, day % DAYS_OF_ERA);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::iso_8601;

    #[test]
    fn dates_are_right_around_leap_days() {
        for (seconds, date) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_200, "2024-03-01T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(iso_8601(seconds), date);
        }
    }
}
