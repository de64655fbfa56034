//! From one language to another, with the verdict kept.
//!
//! Threads become a net by taking shared and local states as places; a net becomes
//! threads by taking its tokens as threads. What a language cannot say is refused
//! with the reason; nothing is approximated.
//!
//! **Source** for nets as threads: the equivalence of local/global finite state
//! machines and Petri nets in Beacon's paper, and the Petri net input of ECUT.

pub(crate) mod boolean;
pub(crate) mod names;
mod net;
mod threads;

use model::CounterSystem;

use crate::load::{Language, Model};
use crate::{boolprog, pnml, spec, tts};

/// A model in another language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Converted {
    /// The model.
    pub text: String,
    /// The text of the `.prop` file, for a thread transition system.
    pub property: Option<String>,
    /// What to give as `--init`.
    pub init: Option<String>,
    /// What to give as `--target`.
    pub target: Option<String>,
    /// What a reader of the result should know, one sentence each.
    pub remarks: Vec<String>,
}

/// Why a model cannot be written in a language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct ConvertError {
    reason: String,
}

impl ConvertError {
    pub(crate) fn new(reason: impl Into<String>) -> ConvertError {
        ConvertError { reason: reason.into() }
    }
}

/// Writes a model in the language `to`; in its own language, this is a
/// pretty-printer.
pub fn convert(model: &Model, to: Language) -> Result<Converted, ConvertError> {
    match (model, to) {
        (Model::States(_) | Model::Family(_), _) => Err(ConvertError::new(
            "a Murphi model has rules over states, which neither nets nor thread systems express",
        )),
        (Model::Boolean(program), Language::BooleanProgram) => {
            let text = boolprog::print(program.syntax());
            Ok(Converted { text, ..Converted::default() })
        }
        (_, Language::BooleanProgram) => {
            Err(ConvertError::new("only Boolean programs are written as Boolean programs"))
        }
        (_, Language::Murphi) => Err(ConvertError::new("nothing is written as a Murphi model")),
        (Model::Threads(program), Language::Tts) => Ok(write_tts(&program.system, Vec::new())),
        (Model::Threads(program), _) => net_of_threads(&program.system, to),
        (Model::Boolean(program), _) => {
            let (system, remarks) = boolean::threads_of_program(program)?;
            if to == Language::Tts {
                return Ok(write_tts(&system, remarks));
            }
            let mut converted = net_of_threads(&system, to)?;
            converted.remarks.extend(remarks);
            Ok(converted)
        }
        (Model::Counters(system), Language::Tts) => {
            let (system, remarks) = threads::threads_of_counters(system)?;
            Ok(write_tts(&system, remarks))
        }
        (Model::Counters(system), _) => write_net(&net::flatten(system), to),
    }
}

fn net_of_threads(system: &tts::System, to: Language) -> Result<Converted, ConvertError> {
    let mut converted = write_net(&net::flatten(&net::counters_of_threads(system)?), to)?;
    let places = "place s3 is shared state 3, place l7 counts the threads in local state 7";
    converted.remarks.insert(0, places.to_owned());
    Ok(converted)
}

fn write_net(system: &CounterSystem, to: Language) -> Result<Converted, ConvertError> {
    if to == Language::Pnml {
        return pnml::print(system);
    }
    let (text, remarks) = spec::print(system)?;
    Ok(Converted { text, remarks, ..Converted::default() })
}

fn write_tts(system: &tts::System, remarks: Vec<String>) -> Converted {
    let patterns: Vec<String> =
        system.patterns.iter().map(|pattern| tts::print_pattern(pattern) + "\n").collect();
    Converted {
        text: tts::print(system),
        property: Some(patterns.concat()),
        init: Some(tts::print_initial(&system.initial)),
        target: None,
        remarks,
    }
}
