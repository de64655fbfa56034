//! Reads the files that a run needs, within the size limit, and makes a model of
//! them.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use frontend::{AnyNumber, Inputs, Language, Model, Question, Reductions};
use llvm::CVariants;
use model::{Diagnostic, Plan, Problem, SourceFile, StageId, ThreadCount, Verdict};

use crate::args::{AskedArgs, LanguageName, LoadArgs, ModelLanguage, ReductionName};
use crate::{c_program, output};

/// Diagnostics shown; after this many the rest is counted.
const MAX_DIAGNOSTICS: usize = 20;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// The texts of a run, and which is which.
pub struct Sources {
    /// All texts, the model first.
    pub files: Vec<SourceFile>,
    /// Remarks about choices made for the user.
    pub notes: Vec<String>,
    language: Language,
    property: Option<usize>,
    init: Option<usize>,
    target: Option<usize>,
    formula: Option<usize>,
    strict: bool,
    simplify: bool,
    constants: Vec<(String, i64)>,
    needs_property: bool,
    reductions: Reductions,
    any_number: bool,
    parameter: Option<String>,
}

/// What a run is about.
pub struct Input {
    /// All texts, the model first.
    pub files: Vec<SourceFile>,
    /// Remarks about choices made for the user.
    pub notes: Vec<String>,
    /// The model; `None` when it was refused.
    pub loaded: Option<Loaded>,
    /// What was wrong with it.
    pub diagnostics: Vec<Diagnostic>,
}

/// A model of any language.
pub enum Loaded {
    /// Described by a text of ours.
    Text(Model),
    /// A C program.
    C(Box<CVariants>),
}

impl Loaded {
    /// What is searched for the question, and what the answers imply. Of C programs,
    /// random runs are tried as well where they are wanted.
    pub fn plan(&self, question: Question, threads: ThreadCount, random_runs: bool) -> Plan<'_> {
        match self {
            Loaded::Text(model) => model.plan(question, threads),
            Loaded::C(variants) => variants.plan(question.fairness, random_runs),
        }
    }

    /// What a verdict rests on after the searches that were made, one sentence each.
    pub fn remarks(&self, verdict: &Verdict) -> Vec<String> {
        match self {
            Loaded::Text(_) => Vec::new(),
            Loaded::C(variants) => variants.remarks(verdict),
        }
    }

    /// The question that is asked first.
    pub fn problem(&self, question: Question) -> Problem<'_> {
        self.plan(question, ThreadCount::Any, false).stage(StageId(0)).problem
    }
}

/// Reads all that the arguments name and makes a model of it; shows on standard
/// error what is wrong.
pub fn load(args: &LoadArgs, asked: &AskedArgs, with_warnings: bool) -> anyhow::Result<Input> {
    if c_program::is_c(&args.file) {
        return c_program::load(args, asked);
    }
    let sources = read(args, asked)?;
    let (model, diagnostics) = sources.load_or_complain(with_warnings);
    let loaded = model.map(Loaded::Text);
    Ok(Input { files: sources.files, notes: sources.notes, loaded, diagnostics })
}

/// The files that the arguments name, with the property that may lie beside the model:
/// nothing is to be written over them.
pub fn paths(args: &LoadArgs, asked: &AskedArgs) -> Vec<PathBuf> {
    let named = std::iter::once(&args.file).chain(&args.more).chain(&asked.property);
    let mut paths: Vec<PathBuf> = named.chain(&args.c.model).cloned().collect();
    let is_tts = args.language == Some(LanguageName::Tts)
        || args.file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tts"));
    paths.extend(is_tts.then(|| args.file.with_extension("prop")));
    paths
}

/// Do the arguments name a Boolean program, by its name or by what they say?
pub fn is_boolean_program(args: &LoadArgs) -> bool {
    args.language == Some(LanguageName::Bp)
        || args.file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bp"))
}

/// Reads all that the arguments name.
pub fn read(args: &LoadArgs, asked: &AskedArgs) -> anyhow::Result<Sources> {
    let model = read_text(&args.file, args.max_input)?;
    let language = match args.language {
        Some(name) => Some(named(name)),
        None => Language::detect(&model.name, &model.text),
    };
    let Some(language) = language else {
        bail!(
            "cannot tell the language of `{}`; say `--language spec`, `tts`, `pnml`, `murphi` or `bp` \
             (C programs are told by their names: .c, .i, .ll, .bc)",
            model.name
        );
    };
    refuse_options_of_other_languages(args, asked, language)?;
    refuse_constants_given_twice(&asked.constants)?;
    let mut sources = Sources {
        files: vec![model],
        notes: Vec::new(),
        language,
        property: None,
        init: None,
        target: None,
        formula: None,
        strict: asked.strict,
        simplify: asked.simplify,
        constants: asked.constants.clone(),
        needs_property: asked.needs_property,
        reductions: reductions(asked),
        any_number: asked.any_number,
        parameter: asked.parameter.clone(),
    };
    if let Some(path) = sources.property_file(args, asked) {
        let file = read_text(&path, args.max_input)?;
        sources.property = Some(sources.push(file));
    }
    sources.init = args.init.as_ref().map(|text| sources.push(option("--init", text)));
    sources.target = args.target.as_ref().map(|text| sources.push(option("--target", text)));
    sources.formula = asked.ltl.as_ref().map(|text| sources.push(option("--ltl", text)));
    Ok(sources)
}

/// How Boolean programs are made smaller.
fn reductions(asked: &AskedArgs) -> Reductions {
    let all = match asked.c.reduction {
        ReductionName::None => Reductions::NONE,
        _ => Reductions::ALL,
    };
    Reductions {
        unused: all.unused && !asked.keeps_variables,
        constants: all.constants && !asked.any_environment,
        ..all
    }
}

impl Sources {
    /// Makes a model of the texts.
    pub fn load(&self) -> (Option<Model>, Vec<Diagnostic>) {
        frontend::load(&Inputs {
            files: &self.files,
            language: self.language,
            property: self.property,
            init: self.init,
            target: self.target,
            formula: self.formula,
            strict: self.strict,
            simplify: self.simplify,
            constants: &self.constants,
            needs_property: self.needs_property,
            reductions: self.reductions,
            any_number: self
                .any_number
                .then_some(AnyNumber { parameter: self.parameter.as_deref() }),
        })
    }

    /// Makes a model of the texts and shows on standard error what is wrong.
    pub fn load_or_complain(&self, with_warnings: bool) -> (Option<Model>, Vec<Diagnostic>) {
        let (model, diagnostics) = self.load();
        let shown: Vec<Diagnostic> =
            diagnostics.iter().filter(|d| with_warnings || d.is_error()).cloned().collect();
        show(&self.files, &shown);
        (model, diagnostics)
    }

    fn push(&mut self, file: SourceFile) -> usize {
        self.files.push(file);
        self.files.len() - 1
    }

    /// The property file: the one named, or for a .tts without a property of its
    /// own the one beside it.
    fn property_file(&mut self, args: &LoadArgs, asked: &AskedArgs) -> Option<PathBuf> {
        if let Some(path) = asked.property.as_ref().or(args.more.first()) {
            return Some(path.clone());
        }
        let is_needed = asked.needs_property
            && self.language == Language::Tts
            && args.target.is_none()
            && !has_property(&self.files[0].text);
        let beside = args.file.with_extension("prop");
        if !is_needed || !beside.is_file() {
            return None;
        }
        self.notes
            .push(format!("the property is that of `{}`, beside the model", beside.display()));
        Some(beside)
    }
}

/// Shows what is wrong on standard error.
pub fn show(files: &[SourceFile], diagnostics: &[Diagnostic]) {
    let colour = output::colour_on_stderr();
    for diagnostic in diagnostics.iter().take(MAX_DIAGNOSTICS) {
        let text = report::snippet::render(files, diagnostic, colour);
        output::complain(text.trim_end_matches('\n'));
    }
    if diagnostics.len() > MAX_DIAGNOSTICS {
        output::complain(&format!("… and {} more", diagnostics.len() - MAX_DIAGNOSTICS));
    }
}

/// An option that would be ignored is a mistake of the user, or of ours.
fn refuse_options_of_other_languages(
    args: &LoadArgs,
    asked: &AskedArgs,
    language: Language,
) -> anyhow::Result<()> {
    args.given.refuse_strangers(ModelLanguage::Text(language))?;
    let n_properties = args.more.len() + usize::from(asked.property.is_some());
    if n_properties > 1 {
        bail!("{n_properties} property files are given, and one is the most");
    }
    let takes_property = !matches!(language, Language::Murphi | Language::BooleanProgram);
    if n_properties > 0 && !takes_property {
        bail!("a property file is not for .{} files: it would be ignored", language.extension());
    }
    Ok(())
}

/// Whichever of two values were taken, the user may have meant the other.
pub fn refuse_constants_given_twice(constants: &[(String, i64)]) -> anyhow::Result<()> {
    for (idx, (name, _)) in constants.iter().enumerate() {
        if constants[..idx].iter().any(|(earlier, _)| earlier == name) {
            bail!("--const gives `{name}` twice");
        }
    }
    Ok(())
}

/// Only a property line has a bar in a .tts text.
fn has_property(text: &str) -> bool {
    text.lines().any(|line| line.split('#').next().is_some_and(|line| line.contains('|')))
}

fn option(name: &str, text: &str) -> SourceFile {
    SourceFile { name: name.to_owned(), text: text.to_owned() }
}

fn named(name: LanguageName) -> Language {
    match name {
        LanguageName::Spec => Language::Spec,
        LanguageName::Tts => Language::Tts,
        LanguageName::Pnml => Language::Pnml,
        LanguageName::Murphi => Language::Murphi,
        LanguageName::Bp => Language::BooleanProgram,
    }
}

/// Reads a text file of at most `max` bytes; a larger one is refused before it is
/// read.
pub fn read_text(path: &Path, max: u64) -> anyhow::Result<SourceFile> {
    let name = path.display().to_string();
    if path.as_os_str() == "-" {
        let text = read_bounded(std::io::stdin().lock(), "standard input", max)?;
        return Ok(SourceFile { name: "standard input".to_owned(), text });
    }
    let file = File::open(path).with_context(|| format!("cannot read `{name}`"))?;
    let metadata = file.metadata().with_context(|| format!("cannot read `{name}`"))?;
    if metadata.is_dir() {
        bail!("`{name}` is a directory, not a file");
    }
    if metadata.is_file() && metadata.len() > max {
        bail!(too_large(&name, max));
    }
    let text = read_bounded(file, &name, max)?;
    Ok(SourceFile { name, text })
}

fn read_bounded(reader: impl Read, name: &str, max: u64) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    reader
        .take(max.saturating_add(1))
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read `{name}`"))?;
    if bytes.len() as u64 > max {
        bail!(too_large(name, max));
    }
    decode(bytes, name)
}

/// UTF-8; otherwise Latin-1, as old files have it in comments, unless there are
/// bytes that no text has.
fn decode(bytes: Vec<u8>, name: &str) -> anyhow::Result<String> {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return Ok(without_mark(text)),
        Err(error) => error.into_bytes(),
    };
    match bytes.iter().position(|&byte| !is_latin1_text(byte)) {
        None => Ok(bytes.iter().map(|&byte| char::from(byte)).collect()),
        Some(at) => bail!(
            "`{name}` is not a text file: it is not UTF-8, and byte {at} (0x{:02x}) is no \
             Latin-1 text either",
            bytes[at]
        ),
    }
}

/// A byte order mark is no part of the text: columns are counted after it.
fn without_mark(mut text: String) -> String {
    if text.starts_with(BYTE_ORDER_MARK) {
        text.drain(..BYTE_ORDER_MARK.len_utf8());
    }
    text
}

fn is_latin1_text(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | b' '..=b'~' | 0xa0..=0xff)
}

fn too_large(name: &str, max: u64) -> String {
    format!(
        "`{name}` is larger than {}; raise the limit with --max-input if that is intended",
        report::text::size_words(max)
    )
}
