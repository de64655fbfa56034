//! The exit codes. Scripts rely on them; each has a test.

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The property holds, proved and re-checked. Also: another verb did its work.
    Holds,
    /// The property is violated, by a run that was replayed or a search that was repeated.
    /// Also: `bench` found a wrong verdict.
    Violated,
    /// The input or the command line is wrong, or a file cannot be read.
    BadInput,
    /// Undecided: a limit was reached, or the question is outside of what the
    /// engines answer.
    Unknown,
    /// The property is proved under a presumption that the user did not ask for, so that
    /// the question itself is undecided.
    Presumed,
    /// A bug in threadproof: a panic, or an answer that its re-check refused.
    Bug,
    /// Stopped by Ctrl-C or a termination signal.
    Interrupted,
}

impl Exit {
    /// The code that the process ends with.
    pub fn code(self) -> u8 {
        match self {
            Exit::Holds => 0,
            Exit::Violated => 1,
            Exit::BadInput => 2,
            Exit::Unknown | Exit::Presumed => 3,
            Exit::Bug => 101,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> std::process::ExitCode {
        std::process::ExitCode::from(exit.code())
    }
}
