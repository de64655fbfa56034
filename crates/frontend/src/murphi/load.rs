//! From the text of a Murphi model to something that can be run.

use model::{Diagnostic, Formula, Span};

use super::resolve::{ReadOptions, Reader, read};
use super::{MurphiModel, simplify};
use crate::load::{Inputs, Texts};
use crate::ltl::{self, Atoms};
use crate::sink::Sink;

/// Reads the model and the formula, and complains to `sink`.
pub(crate) fn load(texts: &Texts<'_>, inputs: &Inputs<'_>, sink: &mut Sink) -> Option<MurphiModel> {
    let options = ReadOptions { strict: inputs.strict, constants: inputs.constants.to_vec() };
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
