//! `check --dump-code`: prints what is run, without a search.

use anyhow::bail;
use frontend::Model;
use model::SourceFile;

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::input::Loaded;
use crate::{last_words, output};

/// Prints the code of a model that has some.
pub fn print(args: &CheckArgs, files: &[SourceFile], loaded: &Loaded) -> anyhow::Result<Exit> {
    let text = match loaded {
        Loaded::C(variants) => llvm::code::dump(variants.code(), files),
        Loaded::Text(Model::Boolean(program)) => program.listing(),
        Loaded::Text(_) => bail!(
            "--dump-code is for C programs and Boolean programs, and `{}` is neither",
            args.load.file.display()
        ),
    };
    last_words::claim_or_wait();
    output::say(&text)?;
    Ok(Exit::Holds)
}
