//! Writes Boolean programs of the size of those in the paper on cutoffs, each with a comment
//! that says what is known about it: `boolean_programs FOLDER COUNT FIRST-SEED`. Called by
//! `cargo xtask boolean-programs`, which need not be built with all that the tests need.
#![allow(clippy::print_stdout, reason = "a development tool talks to its user")]

use std::path::PathBuf;
use std::process::ExitCode;

use testkit::random::driver::driver;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, count, seed] = arguments.as_slice() else { return ExitCode::from(2) };
    let (Ok(count), Ok(seed)) = (count.parse::<u64>(), seed.parse::<u64>()) else {
        return ExitCode::from(2);
    };
    match write(&PathBuf::from(folder), seed..seed.saturating_add(count)) {
        Ok(n_safe) => {
            println!("{count} programs in {folder}, {n_safe} of them safe");
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("{folder}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the programs of these seeds; the same seeds give the same files.
fn write(folder: &PathBuf, seeds: std::ops::Range<u64>) -> std::io::Result<u64> {
    std::fs::create_dir_all(folder)?;
    let mut n_safe = 0;
    for seed in seeds {
        let driver = driver(seed, None);
        std::fs::write(folder.join(format!("driver-{seed:04}.bp")), &driver.text)?;
        n_safe += u64::from(driver.fault.is_none());
    }
    Ok(n_safe)
}
