//! Writes Boolean programs of the size of those in the paper on cutoffs, each with a comment
//! that says what is known about it.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use testkit::random::driver::driver;

/// What to write, and where.
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder, which is made if it is not there
    folder: PathBuf,
    /// How many programs
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// The seed of the first; the others follow
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Writes the programs; the same arguments give the same files.
pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let mut n_safe = 0;
    for seed in arguments.seed..arguments.seed + arguments.count {
        let driver = driver(seed, None);
        let path = folder.join(format!("driver-{seed:04}.bp"));
        std::fs::write(&path, &driver.text).with_context(|| path.display().to_string())?;
        n_safe += u64::from(driver.fault.is_none());
    }
    println!("{} programs in {}, {n_safe} of them safe", arguments.count, folder.display());
    Ok(ExitCode::SUCCESS)
}
