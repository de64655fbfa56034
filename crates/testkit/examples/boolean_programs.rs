//! Writes Boolean programs of the size of those in the paper on cutoffs, each with a comment
//! that says what is known about it, and a list of their verdicts for `threadproof bench`:
//! `boolean_programs FOLDER COUNT FIRST-SEED`. Called by `cargo xtask boolean-programs`,
//! which need not be built with all that the tests need.
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
    let mut expected = "file,property_file,init,expected,note\n".to_owned();
    for seed in seeds {
        let driver = driver(seed, None);
        let name = format!("driver-{seed:04}.bp");
        std::fs::write(folder.join(&name), &driver.text)?;
        n_safe += u64::from(driver.fault.is_none());
        expected.push_str(&match driver.fault {
            None => format!("{name},,,safe,cutoff at most {}\n", driver.kit.cutoff()),
            Some(fault) => format!("{name},,,unsafe,threads: {}\n", fault.n_threads()),
        });
    }
    std::fs::write(folder.join("expected.csv"), expected)?;
    Ok(n_safe)
}
