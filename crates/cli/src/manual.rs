//! `completions` and `man`: what shells and `man` need to know, from the declared
//! arguments.

use anyhow::Context;
use clap::CommandFactory;

use crate::args::{Arguments, CompletionsArgs, ManArgs};
use crate::exit::Exit;
use crate::output;

const NAME: &str = "threadproof";

/// Prints completions for a shell.
pub fn completions(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), NAME, &mut script);
    output::say(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Holds)
}

/// Prints the manual page, or writes one page per verb.
pub fn man(args: &ManArgs) -> anyhow::Result<Exit> {
    let mut command = Arguments::command();
    command.build();
    let Some(dir) = &args.dir else {
        output::say(&page(command)?)?;
        return Ok(Exit::Holds);
    };
    std::fs::create_dir_all(dir).with_context(|| format!("cannot make `{}`", dir.display()))?;
    clap_mangen::generate_to(command, dir)
        .with_context(|| format!("cannot write to `{}`", dir.display()))?;
    Ok(Exit::Holds)
}

fn page(command: clap::Command) -> anyhow::Result<String> {
    let mut roff = Vec::new();
    clap_mangen::Man::new(command).render(&mut roff).context("cannot render the manual page")?;
    Ok(String::from_utf8_lossy(&roff).into_owned())
}
