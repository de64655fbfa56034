//! What can be wrong with a driver, and how many threads it takes to see it.

/// A mistake in one of the protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A way through a request does not set `completed`.
    Completion,
    /// The data is used without the lock.
    ForgottenLock,
    /// What decided to take the lock is decided again before the data is used.
    ChangedMind,
    /// A reference is taken some time after it was checked that nothing is removed.
    LateReference,
    /// The count of references is read and written in two steps.
    LostUpdate,
    /// Two threads can advance the stage.
    SecondStage,
    /// Three threads can advance the stage.
    ThirdStage,
}

const ALL: [Fault; 7] = [
    Fault::Completion,
    Fault::ForgottenLock,
    Fault::ThirdStage,
    Fault::LateReference,
    Fault::SecondStage,
    Fault::ChangedMind,
    Fault::LostUpdate,
];

impl Fault {
    /// Every other seed has one, all of them in turn.
    pub(super) fn of(seed: u64) -> Option<Fault> {
        (seed % 2 == 1).then(|| ALL[(seed / 2 % ALL.len() as u64) as usize])
    }

    /// The fewest threads with which an assertion fails.
    pub fn n_threads(self) -> u32 {
        match self {
            Fault::Completion => 1,
            Fault::ThirdStage => 3,
            _ => 2,
        }
    }

    /// Is it in all functions, since it takes several threads that do the same?
    pub(super) fn is_everywhere(self) -> bool {
        matches!(self, Fault::SecondStage | Fault::ThirdStage)
    }

    /// What is wrong, as a clause.
    pub(super) fn words(self) -> &'static str {
        match self {
            Fault::Completion => "a way through the request does not complete it",
            Fault::ForgottenLock => "the data is used without its lock",
            Fault::ChangedMind => {
                "whether the data is used is decided again after the lock was taken or not"
            }
            Fault::LateReference => {
                "a reference is taken some time after it was checked that nothing is removed"
            }
            Fault::LostUpdate => "the count of references is read and written in two steps",
            Fault::SecondStage => {
                "a thread advances the stage that another one has advanced, and each only once"
            }
            Fault::ThirdStage => {
                "a thread advances the stage that two others have advanced, and each only once"
            }
        }
    }
}
