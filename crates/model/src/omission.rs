//! What a search left out: with any of these nothing is proven, however far it went.
//!
//! Whoever computes successors says what it leaves out ([`crate::Successors::omit`]), searches
//! collect it, and no verdict is `Holds` where something was collected
//! ([`Omissions::none_or_stop`]). What an assumption of the model leaves out is no omission:
//! there is no such run.

use serde::{Deserialize, Serialize};

use crate::verdict::StopReason;

/// Runs or states that a search left out. In the order in which reports name them: what
/// nobody can do anything about first, then what the user asked for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Omission {
    /// Steps that create threads for which a state has no room.
    Threads {
        /// So many threads a state has room for.
        room: u32,
    },
    /// Steps that the program has and does not know.
    UnknownSteps {
        /// Why it does not, as a sentence without a full stop.
        why: String,
    },
    /// Runs with more pre-emptive context switches.
    ContextSwitches {
        /// So many there are in the runs that were searched.
        bound: u32,
        /// Are they counted between supersteps?
        between_supersteps: bool,
    },
    /// Of states that the user's abstraction takes for equal, all but the first.
    Abstraction {
        /// Its name.
        name: String,
    },
    /// Runs with more steps.
    Depth {
        /// So many there are in the runs that were searched.
        bound: u64,
    },
    /// States that lossy storage took for others.
    LossyStorage {
        /// How many are expected to be missed: `1.2e-7`.
        expected: String,
    },
}

impl Omission {
    /// What was covered and what was not, as a sentence without a full stop.
    pub fn words(&self) -> String {
        match self {
            Omission::Threads { room } => {
                let plural = if *room == 1 { "" } else { "s" };
                format!("more than {room} thread{plural} would exist at once")
            }
            Omission::UnknownSteps { why } => why.clone(),
            Omission::ContextSwitches { bound, between_supersteps } => {
                let plural = if *bound == 1 { "" } else { "es" };
                let place = if *between_supersteps { " between supersteps" } else { "" };
                format!(
                    "holds for up to {bound} pre-emptive context switch{plural}{place}; runs with \
                     more were not searched"
                )
            }
            Omission::Abstraction { name } => format!(
                "holds under the abstraction `{name}`: of the states that it takes for equal, one \
                 was searched"
            ),
            Omission::Depth { bound } => {
                let plural = if *bound == 1 { "" } else { "s" };
                format!("holds for up to {bound} step{plural}; longer runs were not searched")
            }
            Omission::LossyStorage { expected } => format!(
                "no error was found, but the storage is lossy: {expected} states are expected to \
                 be missed"
            ),
        }
    }

    fn is_of_same_kind(&self, other: &Omission) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// What a search left out: one omission of each kind, the smallest, in their order. Empty
/// means that nothing was left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Omissions(Vec<Omission>);

impl Omissions {
    /// Was nothing left out?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What was left out, one of each kind.
    pub fn iter(&self) -> std::slice::Iter<'_, Omission> {
        self.0.iter()
    }

    /// Adds what was left out. Costs nothing where the same was added before.
    pub fn add(&mut self, omission: &Omission) {
        match self.0.iter_mut().find(|known| known.is_of_same_kind(omission)) {
            // The smallest, so that it does not depend on the order of the search.
            Some(known) if omission < known => *known = omission.clone(),
            Some(_) => {}
            None => {
                let at = self.0.partition_point(|known| known < omission);
                self.0.insert(at, omission.clone());
            }
        }
    }

    /// Adds all that another search left out.
    pub fn absorb(&mut self, other: &Omissions) {
        other.iter().for_each(|omission| self.add(omission));
    }

    /// Must a search stop here before it says that something holds?
    ///
    /// # Errors
    /// Something was left out.
    pub fn none_or_stop(self) -> Result<(), StopReason> {
        match self.is_empty() {
            true => Ok(()),
            false => Err(StopReason::UnderApproximated { omitted: self }),
        }
    }
}

impl From<Omission> for Omissions {
    fn from(omission: Omission) -> Omissions {
        Omissions(vec![omission])
    }
}

impl<'a> IntoIterator for &'a Omissions {
    type Item = &'a Omission;
    type IntoIter = std::slice::Iter<'a, Omission>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::{Omission, Omissions};
    use crate::verdict::StopReason;

    #[test]
    fn one_of_each_kind_is_kept_whatever_the_order() {
        let unknown = |why: &str| Omission::UnknownSteps { why: why.to_owned() };
        let all = [
            Omission::Depth { bound: 3 },
            unknown("b"),
            unknown("a"),
            Omission::Threads { room: 2 },
        ];
        let mut forwards = Omissions::default();
        all.iter().for_each(|omission| forwards.add(omission));
        let mut backwards = Omissions::default();
        all.iter().rev().for_each(|omission| backwards.add(omission));
        assert_eq!(forwards, backwards);
        let kept: Vec<Omission> = forwards.iter().cloned().collect();
        assert_eq!(kept, [all[3].clone(), all[2].clone(), all[0].clone()]);
        let stopped = forwards.clone().none_or_stop();
        assert_eq!(stopped, Err(StopReason::UnderApproximated { omitted: forwards }));
        assert_eq!(Omissions::default().none_or_stop(), Ok(()));
    }
}
