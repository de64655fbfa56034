//! `convert`: writes a model in another language, or as a picture.

use std::path::{Path, PathBuf};

use anyhow::Context;
use frontend::{Converted, Language};

use crate::args::{AskedArgs, ConvertArgs, Destination};
use crate::exit::Exit;
use crate::{input, output};

/// Runs the verb.
pub fn run(args: &ConvertArgs) -> anyhow::Result<Exit> {
    let inputs = input::paths(&args.load, &args.asked);
    for path in outputs(args) {
        output::check_place_for(&path, &inputs)?;
    }
    let asked = AskedArgs { keeps_variables: true, ..args.asked.clone() };
    let sources = input::read(&args.load, &asked)?;
    let (Some(model), _) = sources.load_or_complain(true) else {
        return Ok(Exit::BadInput);
    };
    let language = match args.to {
        Destination::Spec => Language::Spec,
        Destination::Tts => Language::Tts,
        Destination::Pnml => Language::Pnml,
        Destination::Bp => Language::BooleanProgram,
        Destination::Dot => {
            write(args.output.as_deref(), &report::dot::render(model.problem()))?;
            return Ok(Exit::Holds);
        }
    };
    let converted = frontend::convert(&model, language)
        .with_context(|| format!("cannot convert `{}`", args.load.file.display()))?;
    write(args.output.as_deref(), &converted.text)?;
    write_property(args, &converted)?;
    for remark in &converted.remarks {
        output::complain(&format!("note: {remark}"));
    }
    for (flag, text) in [("--init", &converted.init), ("--target", &converted.target)] {
        if let Some(text) = text {
            output::complain(&format!("note: check it with {flag} '{text}'"));
        }
    }
    Ok(Exit::Holds)
}

/// The files that may be written.
fn outputs(args: &ConvertArgs) -> Vec<PathBuf> {
    let property = |path: &PathBuf| match args.to {
        Destination::Tts => Some(path.with_extension("prop")),
        Destination::Spec | Destination::Pnml | Destination::Dot | Destination::Bp => None,
    };
    let model = args.output.iter().cloned();
    model.chain(args.output.iter().filter_map(property)).collect()
}

/// The property goes beside the model, or to standard error with the model on
/// standard output.
fn write_property(args: &ConvertArgs, converted: &Converted) -> anyhow::Result<()> {
    let Some(property) = &converted.property else { return Ok(()) };
    match &args.output {
        Some(path) => output::save(&path.with_extension("prop"), property),
        None => {
            output::complain(&format!("note: check it with --target '{}'", property.trim()));
            Ok(())
        }
    }
}

fn write(path: Option<&Path>, text: &str) -> anyhow::Result<()> {
    match path {
        Some(path) => output::save(path, text),
        None => output::say(text),
    }
}
