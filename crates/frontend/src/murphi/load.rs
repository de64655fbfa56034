//! From the text of a Murphi model to something that can be run.

use model::{Diagnostic, Formula, Span};

use super::family::{self, FamilyRequest, MurphiFamily};
use super::resolve::{ReadOptions, Reader, read};
use super::{MurphiModel, simplify};
use crate::load::{Inputs, Texts};
use crate::ltl::{self, Atoms};
use crate::sink::Sink;

/// Reads the model and the formula, and complains to `sink`.
pub(crate) fn load(texts: &Texts<'_>, inputs: &Inputs<'_>, sink: &mut Sink) -> Option<MurphiModel> {
    let options = read_options(inputs);
    let (reader, diagnostics) = read(texts.model.text, texts.model.file, &options);
    for diagnostic in diagnostics {
        sink.push(diagnostic);
    }
    let mut conditions = Conditions { reader: reader?, texts: Vec::new() };
    let formula = match texts.formula {
        Some(source) => Some(ltl::load(source, &mut conditions, sink)?),
        None => None,
    };
    let mut program = conditions.reader.program;
    if inputs.simplify {
        simplify::simplify(&mut program);
    }
    match MurphiModel::new(program) {
        Ok(mut model) => {
            if let Some(formula) = formula {
                model.set_formula(formula);
            }
            Some(model)
        }
        Err(diagnostic) => {
            sink.push(diagnostic);
            None
        }
    }
}

/// The numbers of elements for which a model is made.
const N_INSTANCES: u32 = 5;

/// Reads the model as one of any number of elements, and complains to `sink`.
pub(crate) fn load_family(
    texts: &Texts<'_>,
    inputs: &Inputs<'_>,
    sink: &mut Sink,
) -> Option<MurphiFamily> {
    let (text, file) = (texts.model.text, texts.model.file);
    if let Some(formula) = texts.formula {
        let message = "formulas are not asked for any number";
        sink.push(Diagnostic::error("MU023", message, Span::new(formula.file, 0, 0)));
        return None;
    }
    let options = read_options(inputs);
    let parameter = inputs.any_number.unwrap_or_default().parameter;
    let request = FamilyRequest { text, file, options: &options, parameter };
    match family::find(&request, N_INSTANCES) {
        Ok(family) => Some(family),
        Err(diagnostics) => {
            diagnostics.into_iter().for_each(|diagnostic| sink.push(diagnostic));
            None
        }
    }
}

/// How the inputs want a model to be read.
fn read_options(inputs: &Inputs<'_>) -> ReadOptions {
    ReadOptions {
        strict: inputs.strict,
        constants: inputs.constants.to_vec(),
        ..ReadOptions::default()
    }
}

/// Propositions over a Murphi model: its boolean expressions.
struct Conditions {
    reader: Reader,
    texts: Vec<String>,
}

impl Atoms for Conditions {
    fn is_atom(&self, text: &str) -> bool {
        self.reader.is_expression(text)
    }

    fn atom(&mut self, text: &str, span: Span) -> Result<Formula, Diagnostic> {
        if let Some(known) = self.texts.iter().position(|other| other == text) {
            return Ok(Formula::Proposition(known as u32));
        }
        let proposition = self.reader.add_proposition(text, span)?;
        self.texts.push(text.to_owned());
        Ok(Formula::Proposition(proposition))
    }

    fn propositions(&self) -> Vec<String> {
        self.texts.clone()
    }
}
