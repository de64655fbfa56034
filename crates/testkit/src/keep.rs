//! Saves a failing random case as a file that the command reads, and says how to run it.

use std::path::{Path, PathBuf};

use frontend::{Language, Model};

use crate::random::System;
use crate::random::as_tts::as_tts;

/// A failing case as text.
#[derive(Clone, Copy, Debug)]
pub struct FailingCase<'a> {
    /// What it is called, without an extension.
    pub name: &'a str,
    /// The extension that its language has.
    pub extension: &'a str,
    /// How comments begin in that language.
    pub comment: &'a str,
    /// What is wrong.
    pub message: &'a str,
    /// Arguments of `threadproof check` beside the file.
    pub arguments: &'a str,
    /// The case itself.
    pub text: &'a str,
}

impl FailingCase<'_> {
    /// Saves the case in the folder that `THREADPROOF_KEEP` names, or else in one for
    /// temporary files; gives a sentence with its path and the command.
    pub fn keep(&self) -> String {
        self.keep_in(&folder())
    }

    fn keep_in(&self, folder: &Path) -> String {
        let path = folder.join(format!("{}.{}", self.name, self.extension));
        let written =
            std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, self.contents()));
        match written {
            Ok(()) => format!("saved: threadproof check {} {}", path.display(), self.arguments),
            Err(error) => format!("{} was not written: {error}", path.display()),
        }
    }

    /// The message as comments, then the case.
    fn contents(&self) -> String {
        let lines = self.message.lines().map(|line| format!("{} {line}\n", self.comment));
        format!("{}{}\n", lines.collect::<String>(), self.text.trim_end())
    }
}

/// Saves a failing net or thread program; gives a sentence with its path and the command.
/// What no language can say is saved as it is shown.
pub fn keep_system(name: &str, message: &str, system: &System) -> String {
    let text = match system {
        System::Counters(counters) => {
            let converted = frontend::convert(&Model::Counters(counters.clone()), Language::Spec);
            converted.ok().map(|converted| ("spec", converted.text))
        }
        System::Threads(program) => as_tts(program).map(|text| ("tts", text)),
    };
    let (extension, text) = text.unwrap_or_else(|| ("txt", format!("{system:#?}")));
    FailingCase { name, extension, comment: "#", message, arguments: "", text: &text }.keep()
}

fn folder() -> PathBuf {
    let temporary = || std::env::temp_dir().join("threadproof-failures");
    std::env::var_os("THREADPROOF_KEEP").map_or_else(temporary, PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::FailingCase;

    #[test]
    fn a_case_is_saved_with_its_message_and_the_sentence_names_it() {
        let folder = std::env::temp_dir().join(format!("threadproof-keep-{}", std::process::id()));
        let case = FailingCase {
            name: "seed-7",
            extension: "tts",
            comment: "#",
            message: "wrong\nvery wrong",
            arguments: "--engine cutoff",
            text: "1 1\n0|0\n",
        };
        let told = case.keep_in(&folder);
        let path = folder.join("seed-7.tts");
        assert_eq!(told, format!("saved: threadproof check {} --engine cutoff", path.display()));
        let saved = std::fs::read_to_string(&path).expect("it was just written");
        assert_eq!(saved, "# wrong\n# very wrong\n1 1\n0|0\n");
        std::fs::remove_dir_all(&folder).expect("it is there");
    }
}
