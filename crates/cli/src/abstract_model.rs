//! `abstract`: writes what is left of a Murphi model when all but a few elements are merged.

use anyhow::bail;
use frontend::Language;
use frontend::murphi::ReadOptions;
use frontend::murphi::family::{FamilyRequest, Keep, abstracted};
use model::Span;

use crate::args::AbstractArgs;
use crate::exit::Exit;
use crate::{input, output};

/// Runs the verb.
pub fn run(args: &AbstractArgs) -> anyhow::Result<Exit> {
    if let Some(path) = &args.output {
        output::check_place_for(path, std::slice::from_ref(&args.file))?;
    }
    let file = input::read_text(&args.file, args.max_input)?;
    let language = Language::detect(&file.name, &file.text);
    if language.is_some_and(|language| language != Language::Murphi) {
        bail!("`{}` is no Murphi model: only these have rules for any number", file.name);
    }
    input::refuse_constants_given_twice(&args.constants)?;
    let options = ReadOptions {
        strict: args.strict,
        constants: args.constants.clone(),
        ..ReadOptions::default()
    };
    let parameter = args.parameter.as_deref();
    let request = FamilyRequest { text: &file.text, file: 0, options: &options, parameter };
    let keep = Keep { n_elements: args.views, is_defined: args.defined };
    let origin = args.file.file_name().and_then(|name| name.to_str()).unwrap_or(&file.name);
    let made = abstracted(&request, keep);
    match made.and_then(|model| model.text(origin, Span::new(0, 0, 0))) {
        Ok(text) => {
            match &args.output {
                Some(path) => output::save(path, &text)?,
                None => output::say(&text)?,
            }
            Ok(Exit::Holds)
        }
        Err(diagnostics) => {
            input::show(&[file], &diagnostics);
            Ok(Exit::BadInput)
        }
    }
}
