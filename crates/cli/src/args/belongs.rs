//! Decides whether the options that were given mean anything for the language of the model.
//!
//! An option that would be ignored is a mistake of the user: it is refused, with what it is
//! for. The table names options as clap does, by the fields of their structs; those that it
//! lacks are for every language, which a test checks one by one.

use anyhow::bail;
use clap::ArgMatches;
use clap::parser::ValueSource;
use frontend::Language;

use super::DeadlockName;

/// What a model is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelLanguage {
    /// A C program, as text or compiled.
    C,
    /// A language of ours.
    Text(Language),
}

const C: ModelLanguage = ModelLanguage::C;
const MURPHI: ModelLanguage = ModelLanguage::Text(Language::Murphi);
const BOOLEAN: ModelLanguage = ModelLanguage::Text(Language::BooleanProgram);
const TTS: ModelLanguage = ModelLanguage::Text(Language::Tts);
const SPEC: ModelLanguage = ModelLanguage::Text(Language::Spec);
const PNML: ModelLanguage = ModelLanguage::Text(Language::Pnml);

/// Thread systems and nets: their initial and error states can be given on the command line.
const STATES_BY_NAME: &[ModelLanguage] = &[TTS, SPEC, PNML];
/// Everything that has threads or rules: nets are counted, never listed.
const LISTED: &[ModelLanguage] = &[C, MURPHI, BOOLEAN, TTS];

/// Options by their names in clap, and the languages that they are for.
const BELONGS: &[(&str, &[ModelLanguage])] = &[
    ("init", STATES_BY_NAME),
    ("target", STATES_BY_NAME),
    ("language", &[MURPHI, BOOLEAN, TTS, SPEC, PNML]),
    ("clang", &[C]),
    ("optimisation", &[C]),
    ("m32", &[C]),
    ("m64", &[C]),
    ("include", &[C]),
    ("define", &[C]),
    ("model", &[C]),
    ("model_replaces", &[C]),
    ("externs", &[C]),
    ("volatile", &[C]),
    ("malloc_fails", &[C]),
    ("no_spurious", &[C]),
    ("rwlock", &[C]),
    ("nondet", &[C]),
    ("clang_args", &[C]),
    ("property", &[C, TTS, SPEC, PNML]),
    ("constants", &[MURPHI]),
    ("parameter", &[MURPHI]),
    ("strict", &[MURPHI]),
    ("simplify", &[MURPHI]),
    ("ltl", &[C, MURPHI, TTS]),
    ("fairness", &[C, MURPHI, TTS]),
    ("deadlock", &[MURPHI]),
    ("memory_model", &[C]),
    ("no_delays", &[C]),
    ("accept", &[C]),
    ("ub", &[C]),
    ("invariant", &[C]),
    ("abstraction", &[C]),
    ("reduction", &[C, BOOLEAN]),
    ("order", LISTED),
    ("storage", LISTED),
    ("bitstate_size", LISTED),
    ("no_symmetry", &[C, MURPHI]),
    ("max_states", LISTED),
    ("no_walks", &[C]),
    ("every_failure", &[MURPHI]),
    ("bound", LISTED),
    ("switches", &[C, BOOLEAN, TTS]),
    ("interpret", &[MURPHI]),
    ("witness", &[C]),
    ("dump_code", &[C, BOOLEAN]),
    ("no_refine", &[C, BOOLEAN, TTS]),
];

/// Options that only an explicit search of states takes notice of.
const EXPLICIT_SEARCH: &[&str] = &["order", "storage", "bitstate_size", "max_states"];

/// Options of searches of a fixed number of elements, and of questions about one.
const OF_A_FIXED_NUMBER: &[&str] =
    &["deadlock", "order", "storage", "bitstate_size", "bound", "no_symmetry", "every_failure"];

/// The options that the user gave, by their names in clap.
#[derive(Clone, Debug, Default)]
pub struct Given(Vec<GivenOption>);

#[derive(Clone, Debug)]
struct GivenOption {
    id: String,
    /// As the user writes it.
    flag: String,
}

impl Given {
    /// What stands on the command line of a verb.
    pub fn of(verb: &clap::Command, matches: &ArgMatches) -> Given {
        let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let options = verb.get_arguments().filter(|argument| is_given(argument.get_id().as_str()));
        Given(options.map(GivenOption::of).collect())
    }

    /// Refuses options that are for other languages.
    ///
    /// # Errors
    /// There is one: it is told what it is for.
    pub fn refuse_strangers(&self, source: ModelLanguage) -> anyhow::Result<()> {
        for GivenOption { id, flag } in &self.0 {
            let entry = BELONGS.iter().find(|(name, _)| name == id);
            if let Some((_, sources)) = entry
                && !sources.contains(&source)
            {
                bail!(
                    "{flag} is for {}, and would be ignored for {}",
                    words(sources),
                    source.words()
                );
            }
        }
        Ok(())
    }

    /// Refuses options of searches that list states, where another engine answers.
    ///
    /// # Errors
    /// There is one.
    pub fn refuse_explicit_search(&self, engine: &str) -> anyhow::Result<()> {
        match self.0.iter().find(|option| EXPLICIT_SEARCH.contains(&option.id.as_str())) {
            Some(GivenOption { flag, .. }) => bail!(
                "{flag} is for --engine explicit (of thread systems with --threads N), and would be \
                 ignored by {engine}"
            ),
            None => Ok(()),
        }
    }

    /// Refuses options that mean nothing for any number of elements of a Murphi model, where
    /// nobody looks for deadlocks.
    ///
    /// # Errors
    /// There is one.
    pub fn refuse_fixed_number(&self, deadlock: DeadlockName) -> anyhow::Result<()> {
        let is_refused = |option: &&GivenOption| {
            let says_so = option.id == "deadlock" && deadlock == DeadlockName::Off;
            OF_A_FIXED_NUMBER.contains(&option.id.as_str()) && !says_so
        };
        match self.0.iter().find(is_refused) {
            Some(GivenOption { flag, .. }) => bail!(
                "{flag} is for a fixed number of elements, and would be ignored for any number: \
                 leave out --threads any"
            ),
            None => Ok(()),
        }
    }
}

impl GivenOption {
    fn of(argument: &clap::Arg) -> GivenOption {
        let flag = match (argument.get_long(), argument.get_short()) {
            (Some(long), _) => format!("--{long}"),
            (None, Some(short)) => format!("-{short}"),
            (None, None) => "what stands behind `--`".to_owned(),
        };
        GivenOption { id: argument.get_id().to_string(), flag }
    }
}

impl ModelLanguage {
    fn words(self) -> &'static str {
        match self {
            ModelLanguage::C => "C programs",
            ModelLanguage::Text(Language::Murphi) => "Murphi models",
            ModelLanguage::Text(Language::BooleanProgram) => "Boolean programs",
            ModelLanguage::Text(Language::Tts) => "thread transition systems (.tts)",
            ModelLanguage::Text(Language::Spec) => "nets (.spec)",
            ModelLanguage::Text(Language::Pnml) => "nets (.pnml)",
        }
    }
}

fn words(sources: &[ModelLanguage]) -> String {
    let words: Vec<&str> = sources.iter().map(|source| source.words()).collect();
    match &words[..] {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        _ => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::{BELONGS, EXPLICIT_SEARCH, OF_A_FIXED_NUMBER};
    use crate::args::Arguments;

    /// Options that mean the same for every language.
    const FOR_ALL: &[&str] = &[
        "file",
        "more",
        "max_input",
        "threads",
        "engine",
        "time",
        "memory",
        "jobs",
        "format",
        "certificate",
        "html",
        "explain",
        "full_trace",
        "quiet",
        "no_timing",
        "no_evidence",
    ];

    #[test]
    fn each_option_of_check_is_in_the_table_or_for_all_languages() {
        let command = Arguments::command();
        let check = command.find_subcommand("check").expect("the verb exists");
        for argument in check.get_arguments().filter(|argument| argument.get_id() != "help") {
            let id = argument.get_id().as_str();
            let is_listed = BELONGS.iter().any(|(name, _)| *name == id);
            assert!(is_listed != FOR_ALL.contains(&id), "`{id}` must be in one of the two lists");
        }
    }

    #[test]
    fn each_name_in_the_tables_is_an_option_of_check() {
        let command = Arguments::command();
        let check = command.find_subcommand("check").expect("the verb exists");
        let exists = |id: &str| check.get_arguments().any(|argument| argument.get_id() == id);
        let of_searches = EXPLICIT_SEARCH.iter().chain(OF_A_FIXED_NUMBER).copied();
        let names = BELONGS.iter().map(|(name, _)| *name).chain(of_searches);
        names.for_each(|name| assert!(exists(name), "`{name}` is no option"));
    }
}
