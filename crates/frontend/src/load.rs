//! The way in: which language a text is in, and the model it describes.

use model::{
    CounterSystem, Deadlock, Diagnostic, Fairness, Plan, Problem, SourceFile, Span, Stage,
    StateProblem, ThreadCount, ThreadProgram, ThreadRuns,
};

use crate::boolprog::{self, BooleanProgram, Reductions};
use crate::murphi::MurphiModel;
use crate::murphi::family::MurphiFamily;
use crate::sink::Sink;
use crate::source::Source;
use crate::tts::TtsProgram;
use crate::{murphi, pnml, spec, tts};

/// The input languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Petri nets with transfers, as MIST reads them.
    Spec,
    /// Thread transition systems, as BFC reads them.
    Tts,
    /// Place/transition nets in XML (ISO/IEC 15909-2).
    Pnml,
    /// Murphi models.
    Murphi,
    /// Boolean programs, as SatAbs and CUBA write them.
    BooleanProgram,
}

impl Language {
    /// The language of a file: by the extension of its name, then by its content.
    pub fn detect(name: &str, text: &str) -> Option<Language> {
        let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        match extension.as_deref() {
            Some("spec") => Some(Language::Spec),
            Some("tts") => Some(Language::Tts),
            Some("pnml") => Some(Language::Pnml),
            Some("m") => Some(Language::Murphi),
            Some("bp") => Some(Language::BooleanProgram),
            _ => Language::detect_content(text),
        }
    }

    /// The extension of files in this language, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Language::Spec => "spec",
            Language::Tts => "tts",
            Language::Pnml => "pnml",
            Language::Murphi => "m",
            Language::BooleanProgram => "bp",
        }
    }

    fn detect_content(text: &str) -> Option<Language> {
        let text = text.trim_start_matches('\u{feff}');
        let line = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or("").trim())
            .find(|line| !line.is_empty())?;
        let mut words = line.split_whitespace();
        if line.starts_with('<') {
            Some(Language::Pnml)
        } else if line.split_whitespace().next() == Some("vars") {
            Some(Language::Spec)
        } else if words.all(|word| word.bytes().all(|byte| byte.is_ascii_digit())) {
            Some(Language::Tts)
        } else {
            None
        }
    }
}

/// A model with its property, behind the seam that fits it.
#[derive(Clone, Debug)]
pub enum Model {
    /// Threads that run a program.
    Threads(Box<TtsProgram>),
    /// A net.
    Counters(CounterSystem),
    /// Rules over states.
    States(Box<MurphiModel>),
    /// Threads that run a Boolean program.
    Boolean(Box<BooleanProgram>),
    /// Rules over states with any number of interchangeable elements.
    Family(Box<MurphiFamily>),
}

/// What is asked of a model of states beside its own properties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// What counts as a deadlock.
    pub deadlock: Deadlock,
    /// Who is fair.
    pub fairness: Fairness,
}

impl Model {
    /// The question that the model poses, as engines take it.
    pub fn problem(&self) -> Problem<'_> {
        self.problem_asking(Question::default())
    }

    /// The question that the model poses, with these details.
    pub fn problem_asking(&self, question: Question) -> Problem<'_> {
        match self {
            Model::Threads(program) => match program.formula() {
                Some(formula) => Problem::ThreadRuns(ThreadRuns {
                    program: program.as_ref(),
                    formula,
                    fairness: question.fairness,
                }),
                None => Problem::Threads(program.as_ref()),
            },
            Model::Boolean(program) => Problem::Threads(program.as_ref()),
            Model::Counters(system) => Problem::Counters(system),
            Model::Family(family) => Problem::Parameterized(&family.abstractions[0]),
            Model::States(model) => Problem::States(StateProblem {
                system: model.as_ref(),
                deadlock: question.deadlock,
                formula: model.formula(),
                fairness: question.fairness,
            }),
        }
    }
}

impl Model {
    /// The plan for the question, which has one stage: these languages have one meaning.
    pub fn plan(&self, question: Question, threads: ThreadCount) -> Plan<'_> {
        let semantics = match self {
            Model::Threads(_) => "the thread system, transition by transition",
            Model::Counters(_) => "the net, transition by transition",
            Model::States(_) => "the model, rule by rule",
            Model::Family(family) => return family.plan(),
            Model::Boolean(program) => match program.variant().is_as_written() {
                true => "the Boolean program, statement by statement",
                false => "the Boolean program, with the same errors and fewer, larger steps",
            },
        };
        // Its constants say how many there are.
        let threads = if let Model::States(_) = self { ThreadCount::AsGiven } else { threads };
        Plan::new(vec![Stage::exact(semantics, self.problem_asking(question), threads)])
    }
}

/// What a run reads. Options are files as well, so that diagnostics can point
/// into their text.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// The texts; the first is the model, the others are named by index below.
    pub files: &'a [SourceFile],
    /// The language of the first.
    pub language: Language,
    /// The `.prop` file.
    pub property: Option<usize>,
    /// The text of `--init`.
    pub init: Option<usize>,
    /// The text of `--target`. It replaces the property of the file.
    pub target: Option<usize>,
    /// The text of `--ltl`. It replaces the properties of the file.
    pub formula: Option<usize>,
    /// Is only the standard dialect of Murphi to be read?
    pub strict: bool,
    /// Are Murphi conditions replaced that have one value for all defined values?
    pub simplify: bool,
    /// Values of constants instead of those in a Murphi model.
    pub constants: &'a [(String, i64)],
    /// Is a model without any property refused?
    pub needs_property: bool,
    /// How Boolean programs are made smaller.
    pub reductions: Reductions,
    /// Is a Murphi model asked about any number of elements, and of which type?
    pub any_number: Option<AnyNumber<'a>>,
}

/// A question about any number of elements of a type.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnyNumber<'a> {
    /// The type; the tool's choice where it is not said.
    pub parameter: Option<&'a str>,
}

impl<'a> Inputs<'a> {
    /// The first of `files` is a model in `language`; nothing else is said.
    pub fn of(files: &'a [SourceFile], language: Language) -> Inputs<'a> {
        Inputs {
            files,
            language,
            property: None,
            init: None,
            target: None,
            formula: None,
            strict: false,
            simplify: false,
            constants: &[],
            needs_property: true,
            reductions: Reductions::ALL,
            any_number: None,
        }
    }
}

/// Reads a model. There is none exactly when some diagnostic is an error.
pub fn load(inputs: &Inputs<'_>) -> (Option<Model>, Vec<Diagnostic>) {
    let mut sink = Sink::default();
    let model = read(inputs, &mut sink);
    let diagnostics = sink.finish();
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    (model.filter(|_| !failed), diagnostics)
}

fn read(inputs: &Inputs<'_>, sink: &mut Sink) -> Option<Model> {
    let texts = Texts {
        model: open(inputs, Some(0), sink)?,
        // The option is nearer to the user's mind than the file beside the model.
        target: open(inputs, inputs.target.or(inputs.property), sink),
        init: open(inputs, inputs.init, sink),
        formula: open(inputs, inputs.formula, sink),
        needs_property: inputs.needs_property,
    };
    match inputs.language {
        Language::Spec => spec::load(&texts, sink).map(Model::Counters),
        Language::Tts => tts::load(&texts, sink).map(|program| Model::Threads(Box::new(program))),
        Language::Pnml => pnml::load(&texts, sink).map(Model::Counters),
        Language::Murphi if inputs.any_number.is_some() => {
            let family = murphi::load::load_family(&texts, inputs, sink);
            family.map(|family| Model::Family(Box::new(family)))
        }
        Language::Murphi => {
            let model = murphi::load::load(&texts, inputs, sink);
            model.map(|model| Model::States(Box::new(model)))
        }
        Language::BooleanProgram => {
            let program = boolprog::load(texts.model, inputs.reductions, sink);
            program.map(|program| Model::Boolean(Box::new(program)))
        }
    }
}

/// The opened texts of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texts<'a> {
    /// The model.
    pub model: Source<'a>,
    /// The property, when it is not in the model.
    pub target: Option<Source<'a>>,
    /// The initial states, when they are not in the model.
    pub init: Option<Source<'a>>,
    /// The formula that is asked instead of the property.
    pub formula: Option<Source<'a>>,
    /// Is a model without any property refused?
    pub needs_property: bool,
}

fn open<'a>(inputs: &Inputs<'a>, idx: Option<usize>, sink: &mut Sink) -> Option<Source<'a>> {
    let idx = idx?;
    let place = Span { file: u32::try_from(idx).unwrap_or(u32::MAX), start: 0, end: 0 };
    let Some(file) = inputs.files.get(idx) else {
        sink.push(Diagnostic::error("FE002", "there is no such input", place));
        return None;
    };
    // Spans are 32 bits wide.
    if u32::try_from(file.text.len()).is_err() {
        let message = format!("`{}` is larger than 4 GiB", file.name);
        sink.push(Diagnostic::error("FE002", message, place));
        return None;
    }
    Some(Source { file: place.file, text: &file.text })
}

#[cfg(test)]
mod tests {
    use model::SourceFile;

    use super::{Inputs, Language, load};

    #[test]
    fn the_extension_decides_and_the_content_helps_out() {
        assert_eq!(Language::detect("a.TTS", "vars x"), Some(Language::Tts));
        assert_eq!(Language::detect("a.txt", "# net\nvars x"), Some(Language::Spec));
        assert_eq!(Language::detect("a", "\u{feff}<?xml?>"), Some(Language::Pnml));
        assert_eq!(Language::detect("a", "#c\r\n2 3\r\n"), Some(Language::Tts));
        assert_eq!(Language::detect("a", "int main() {}"), None);
        assert_eq!(Language::detect("a", ""), None);
    }

    #[test]
    fn a_missing_input_is_an_error_and_not_a_panic() {
        let inputs = Inputs { target: Some(7), ..Inputs::of(&[], Language::Spec) };
        let (model, diagnostics) = load(&inputs);
        assert!(model.is_none());
        assert_eq!(diagnostics[0].code, "FE002");
    }

    #[test]
    fn a_model_without_a_property_is_read_where_none_is_needed() {
        for (language, text, code) in [
            (Language::Tts, "2 1\n0 0 -> 1 0\n", "TT006"),
            (Language::Spec, "vars p\nrules\ninit p >= 1\n", "SP004"),
            (Language::Spec, "vars p\nrules\ninit p >= 1\ntarget\n", "SP004"),
            (Language::Pnml, "<pnml><net id='n'><place id='p'/></net></pnml>", "PN011"),
        ] {
            let files = [SourceFile { name: "model".to_owned(), text: text.to_owned() }];
            let (model, diagnostics) = load(&Inputs::of(&files, language));
            assert!(model.is_none());
            assert_eq!(diagnostics[0].code, code, "{text}");
            let inputs = Inputs { needs_property: false, ..Inputs::of(&files, language) };
            let (model, diagnostics) = load(&inputs);
            assert!(model.is_some(), "{text}: {diagnostics:?}");
        }
    }
}
