//! What is asked of the states of threads: targets, deadlocks, races.

use model::{Property, PropertyKind, Requirements};

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
    /// All that is required of states.
    pub(super) fn of(requirements: &dyn Requirements) -> Vec<Asked> {
        let mut asked: Vec<Asked> = (0..requirements.targets().len()).map(Asked::Target).collect();
        if requirements.forbids_deadlock() {
            asked.push(Asked::Deadlock);
        }
        if requirements.forbids_races() {
            asked.push(Asked::Race);
        }
        asked
    }

    /// The invariant that it never is so.
    pub(super) fn property(self, requirements: &dyn Requirements) -> Property {
        let name = match self {
            Asked::Target(target) => requirements.targets()[target].name.clone(),
            Asked::Deadlock => "no deadlock".into(),
            Asked::Race => "no data race".into(),
        };
        Property { name, kind: PropertyKind::Invariant, span: None }
    }
}
