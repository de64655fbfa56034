//! Case files: one model that states in its own comments what must come out.
//!
//! Keys stand in comments that begin with `#@` (`--@` in Murphi, `//@` in Boolean programs,
//! `<!--@ … -->` in XML):
//!
//! | key | meaning |
//! |---|---|
//! | `verdict` | `holds`, `violated "name"` or `unknown "reason"`; text is optional |
//! | `engine` | these engines must all answer so; without it `auto` must, and the others must not contradict |
//! | `args` | as on the command line: `--init`, `--target`, `--threads`, `--param`, `--const`, `--strict`, `--deadlock`, `--ltl`, `--fairness` |
//! | `trace` | `3 steps`, or `at most 3 steps` |
//! | `states` | states stored by each engine listed, in their order |
//! | `note` | what one of the remarks of each run must contain |
//! | `threads` | threads in the counterexample, or elements of which there may be any number: `2`, or `at most 2` |
//! | `rule` | the rule that the counterexample breaks |
//! | `cutoff` | the cutoff, and how many thread states each number of threads reaches: `3: 2 4 5` |
//! | `fixme` | why the verdict stated is not the one we want |

use std::path::{Path, PathBuf};

use frontend::{Language, Question};
use model::{Deadlock, Fairness, Rule, ThreadCount};

use crate::texts::Texts;

/// A parsed case file.
#[derive(Clone, Debug)]
pub struct Case {
    /// The model and what belongs to it.
    pub texts: Texts,
    /// What must come out.
    pub verdict: Expected,
    /// Engines that must all say so; empty: see the table above.
    pub engines: Vec<String>,
    /// The thread counts that are asked about.
    pub threads: ThreadCount,
    /// What counts as a deadlock, and who is fair.
    pub question: Question,
    /// States stored, one number for each engine.
    pub n_states: Vec<u64>,
    /// What one of the remarks must contain.
    pub note: Option<String>,
    /// Length of the counterexample.
    pub n_steps: Option<Size>,
    /// Threads in the counterexample.
    pub n_threads: Option<Size>,
    /// The rule that the counterexample breaks.
    pub rule: Option<Rule>,
    /// The cutoff, and the thread states that each number of threads reaches.
    pub cutoff: Option<(u32, Vec<u64>)>,
}

/// A verdict, with a text that its target's name or its reason must contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// No target is reachable.
    Holds,
    /// This target is.
    Violated(Option<String>),
    /// Undecided for this reason.
    Unknown(Option<String>),
}

/// An exact number, or a largest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Exactly.
    Exactly(usize),
    /// At most.
    AtMost(usize),
}

impl Size {
    /// Is `n` as it says?
    pub fn admits(self, n: usize) -> bool {
        match self {
            Size::Exactly(size) => n == size,
            Size::AtMost(size) => n <= size,
        }
    }

    pub(crate) fn parse(text: &str) -> Result<Size, String> {
        let (text, exact) = match text.strip_prefix("at most ") {
            Some(rest) => (rest, false),
            None => (text, true),
        };
        let number = text.trim_end_matches(" steps").trim_end_matches(" step");
        let size = number.parse().map_err(|_| format!("`{text}` is no number"))?;
        Ok(if exact { Size::Exactly(size) } else { Size::AtMost(size) })
    }
}

const EXTENSIONS: [&str; 5] = ["spec", "tts", "pnml", "m", "bp"];

/// All case files below `folder`, sorted, but for those in C. Folders named `rejected`
/// hold inputs that have no model; `frontend` tests them.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    files_ending(folder, &EXTENSIONS)
}

/// All files below `folder` with one of these extensions, sorted; folders named
/// `rejected` are left out.
pub fn files_ending(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            let is_model =
                path.extension().is_some_and(|e| extensions.iter().any(|known| e == *known));
            if path.is_dir() && !path.ends_with("rejected") {
                folders.push(path);
            } else if path.is_file() && is_model {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Reads a case file.
///
/// # Errors
/// What is wrong with its header: a missing verdict, an unknown key.
pub fn read(path: &Path) -> Result<Case, String> {
    let mut texts = Texts::read(path)?;
    let header = header(&texts);
    let beside = path.with_extension("prop");
    if texts.language == Language::Tts && beside.is_file() {
        let property = std::fs::read_to_string(&beside).map_err(|error| error.to_string())?;
        texts = texts.with_property(&property);
    }
    let threads = match texts.language {
        Language::Murphi => ThreadCount::AsGiven,
        _ => ThreadCount::Any,
    };
    let mut case = Case {
        texts,
        verdict: Expected::Holds,
        engines: Vec::new(),
        threads,
        question: Question::default(),
        n_states: Vec::new(),
        note: None,
        n_steps: None,
        n_threads: None,
        rule: None,
        cutoff: None,
    };
    let mut has_verdict = false;
    for (key, value) in header {
        has_verdict |= key == "verdict";
        case.set(&key, &value).map_err(|error| format!("`{key}`: {error}"))?;
    }
    if has_verdict { Ok(case) } else { Err("no `verdict` in the header".into()) }
}

fn header(texts: &Texts) -> Vec<(String, String)> {
    let lines = texts.files[0].text.lines().map(str::trim);
    let entries = lines.filter_map(|line| match texts.language {
        Language::Pnml => line.strip_prefix("<!--@")?.strip_suffix("-->"),
        Language::Spec | Language::Tts => line.strip_prefix("#@"),
        Language::Murphi => line.strip_prefix("--@"),
        Language::BooleanProgram => line.strip_prefix("//@"),
    });
    entries
        .map(|entry| entry.split_once(':').unwrap_or((entry, "")))
        .map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
        .collect()
}

impl Case {
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "verdict" => self.verdict = expected(value)?,
            "engine" => self.engines = value.split(',').map(|e| e.trim().to_owned()).collect(),
            "args" => self.set_arguments(value)?,
            "states" => self.n_states = numbers(value)?,
            "note" => self.note = Some(value.to_owned()),
            "trace" => self.n_steps = Some(Size::parse(value)?),
            "threads" => self.n_threads = Some(Size::parse(value)?),
            "rule" => self.rule = Some(rule(value)?),
            "cutoff" => {
                let (cutoff, reached) = value.split_once(':').ok_or("no thread states")?;
                let cutoff = cutoff.parse().map_err(|_| "the cutoff is no number")?;
                self.cutoff = Some((cutoff, numbers(&reached.trim().replace(' ', ", "))?));
            }
            "fixme" if value.is_empty() => return Err("says nothing".into()),
            "fixme" => {}
            _ => return Err("unknown key".into()),
        }
        Ok(())
    }

    fn set_arguments(&mut self, value: &str) -> Result<(), String> {
        let mut words = words(value).into_iter();
        while let Some(option) = words.next() {
            if option == "--strict" {
                self.texts = self.texts.clone().strictly();
                continue;
            }
            let argument = words.next().ok_or("an option has no value")?;
            self.set_argument(&option, &argument)?;
        }
        Ok(())
    }

    fn set_argument(&mut self, option: &str, argument: &str) -> Result<(), String> {
        let texts = self.texts.clone();
        match option {
            "--init" => self.texts = texts.with_init(argument),
            "--target" => self.texts = texts.with_target(argument),
            "--ltl" => self.texts = texts.with_formula(argument),
            "--const" => {
                let (name, value) = argument.split_once('=').ok_or("a constant has no value")?;
                let value = value.parse().map_err(|_| "the value of a constant is no number")?;
                self.texts = texts.with_constant(name, value);
            }
            "--threads" if argument == "any" => {
                self.threads = ThreadCount::Any;
                self.texts = texts.for_any_number();
            }
            "--param" => self.texts = texts.with_parameter(argument),
            "--threads" => {
                let n = argument.parse().map_err(|_| "no number of threads")?;
                self.threads = ThreadCount::Exactly(n);
            }
            "--deadlock" => self.question.deadlock = deadlock(argument)?,
            "--fairness" if argument == "weak" => self.question.fairness = Fairness::Weak,
            _ => return Err(format!("unknown option `{option} {argument}`")),
        }
        Ok(())
    }
}

fn deadlock(name: &str) -> Result<Deadlock, String> {
    match name {
        "off" => Ok(Deadlock::Off),
        "stuck" => Ok(Deadlock::Stuck),
        "stuttering" => Ok(Deadlock::Stuttering),
        _ => Err(format!("`{name}` is no notion of deadlock")),
    }
}

fn numbers(value: &str) -> Result<Vec<u64>, String> {
    let numbers = value.split(',').map(|n| n.trim().parse());
    numbers.collect::<Result<_, _>>().map_err(|_| "a list of numbers is expected".into())
}

/// The words of a line; what stands between single quotes is one of them.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (idx, part) in line.split('\'').enumerate() {
        match idx % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

pub(crate) fn expected(value: &str) -> Result<Expected, String> {
    let (kind, rest) = value.split_once(' ').unwrap_or((value, ""));
    let quoted = rest.trim().trim_matches('"');
    let text = (!quoted.is_empty()).then(|| quoted.to_owned());
    match kind {
        // What a proof presumes is read by the cases in C, which alone have that.
        "holds" => Ok(Expected::Holds),
        "violated" => Ok(Expected::Violated(text)),
        "unknown" => Ok(Expected::Unknown(text)),
        _ => Err(format!("`{kind}` is no verdict")),
    }
}

/// The rule with this name.
pub(crate) fn rule(name: &str) -> Result<Rule, String> {
    let found = Rule::ALL.into_iter().find(|rule| rule.name() == name);
    found.ok_or_else(|| format!("`{name}` is no rule"))
}

#[cfg(test)]
mod tests {
    use super::{Expected, Size, expected, words};

    #[test]
    fn quotes_keep_words_together() {
        assert_eq!(words("--ltl '[] <> (a)' --strict"), ["--ltl", "[] <> (a)", "--strict"]);
    }

    #[test]
    fn verdicts_have_optional_texts() {
        assert_eq!(expected("violated \"mutual exclusion\""), {
            Ok(Expected::Violated(Some("mutual exclusion".into())))
        });
        assert_eq!(expected("holds"), Ok(Expected::Holds));
        assert!(expected("true").is_err());
    }

    #[test]
    fn sizes_are_exact_or_largest() {
        assert_eq!(Size::parse("3 steps"), Ok(Size::Exactly(3)));
        assert_eq!(Size::parse("at most 12 steps"), Ok(Size::AtMost(12)));
        assert!(Size::AtMost(2).admits(1) && !Size::Exactly(2).admits(1));
    }
}
