//! What is asked of the states of threads: targets, deadlocks, races.

use model::{Property, PropertyKind, ThreadProgram};

/// One question about a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Does it fit this target of the program?
    Target(usize),
    /// Can nobody step who need not, while somebody is blocked?
    Deadlock,
    /// Can two threads access one location, not both atomically, one writing it?
    Race,
}

impl Asked {
    /// All that the program asks.
    pub(super) fn of(program: &dyn ThreadProgram) -> Vec<Asked> {
        let mut asked: Vec<Asked> = (0..program.targets().len()).map(Asked::Target).collect();
        if program.forbids_deadlock() {
            asked.push(Asked::Deadlock);
        }
        if program.forbids_races() {
            asked.push(Asked::Race);
        }
        asked
    }

    /// The invariant that it never is so.
    pub(super) fn property(self, program: &dyn ThreadProgram) -> Property {
        let name = match self {
            Asked::Target(target) => program.targets()[target].name.clone(),
            Asked::Deadlock => "no deadlock".into(),
            Asked::Race => "no data race".into(),
        };
        Property { name, kind: PropertyKind::Invariant, span: None }
    }
}
