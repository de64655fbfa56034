//! What the threads of a driver share: which protocols there are, and how many threads it
//! takes to see all that they do.

use super::Fault;

/// The shared variables of every driver, whatever they are used for.
const N_SHARED: usize = 9;

/// The protocols of a driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kit {
    /// Is there data with a lock?
    pub lock: bool,
    /// References that can be taken at one time, none to two.
    pub references: u32,
    /// Is there a stage that one thread at a time has?
    pub hand_over: bool,
}

/// What can be held by threads, so that a further one sees it: nothing, one thing, two.
const KITS: [&[(bool, u32, bool)]; 3] = [
    &[(false, 0, false)],
    &[(true, 0, false), (false, 1, false), (false, 0, true)],
    &[(true, 0, true), (true, 1, false), (false, 2, false), (false, 1, true)],
];

impl Kit {
    /// That of a seed: cutoffs 1, 2 and 3 in turn, with what the fault needs.
    pub(super) fn of(seed: u64, fault: Option<Fault>) -> Kit {
        let turn = (seed / 2) as usize;
        let kits = KITS[turn % KITS.len()];
        let (lock, references, hand_over) = kits[turn / KITS.len() % kits.len()];
        let kit = Kit { lock, references, hand_over };
        match fault {
            Some(Fault::ForgottenLock | Fault::ChangedMind) => Kit { lock: true, ..kit },
            Some(Fault::LateReference | Fault::LostUpdate) => {
                Kit { references: kit.references.max(1), ..kit }
            }
            Some(Fault::SecondStage | Fault::ThirdStage) => Kit { hand_over: true, ..kit },
            Some(Fault::Completion) | None => kit,
        }
    }

    /// So many threads reach every thread state, unless there is a fault: whoever holds
    /// something, and one that sees it.
    pub fn cutoff(self) -> u32 {
        1 + u32::from(self.lock) + self.references + u32::from(self.hand_over)
    }

    /// The shared variables of the protocols, with their values at the start.
    fn protocol_variables(self) -> Vec<(String, &'static str)> {
        let mut names = Vec::new();
        if self.lock {
            names.extend(["held", "data0", "data1"]);
        }
        if self.references > 0 {
            names.extend(["ref0", "ref1", "removed"]);
        }
        if self.hand_over {
            names.extend(["stage0", "stage1"]);
        }
        names.into_iter().map(|name| (name.to_owned(), "0")).collect()
    }

    /// Pairs of shared predicates that are never equal.
    pub(super) fn n_pairs(self) -> u32 {
        let n_left = N_SHARED - self.protocol_variables().len();
        (n_left - 1) as u32 * 3 / 8
    }

    /// Shared predicates that keep the value that they start with.
    pub(super) fn n_configs(self) -> u32 {
        let n_left = N_SHARED - self.protocol_variables().len();
        n_left as u32 - 2 * self.n_pairs()
    }

    /// The shared variables, with their values at the start.
    pub(super) fn shared(self) -> Vec<(String, &'static str)> {
        let mut all = self.protocol_variables();
        for pair in 0..self.n_pairs() {
            all.push((format!("up{pair}"), "1"));
            all.push((format!("down{pair}"), "0"));
        }
        all.extend((0..self.n_configs()).map(|idx| (format!("config{idx}"), "*")));
        all
    }

    /// The local variables that the protocols use, with their values at the start. But for
    /// `advanced` they are set before they are used.
    pub(super) fn locals(self) -> Vec<(&'static str, &'static str)> {
        let mut all = vec![("completed", ""), ("failed", ""), ("mode", "")];
        if self.lock {
            all.push(("needs_lock", ""));
        }
        if self.references > 0 {
            all.extend([("has_ref", ""), ("saw0", ""), ("saw1", "")]);
        }
        if self.hand_over {
            all.push(("advanced", " := 0"));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::{KITS, Kit, N_SHARED};

    #[test]
    fn every_kit_has_as_many_shared_variables_and_its_cutoff() {
        for (idx, kits) in KITS.iter().enumerate() {
            for &(lock, references, hand_over) in *kits {
                let kit = Kit { lock, references, hand_over };
                assert_eq!(kit.shared().len(), N_SHARED, "{kit:?}");
                assert_eq!(kit.cutoff(), idx as u32 + 1, "{kit:?}");
                assert!(kit.n_configs() > 0, "{kit:?}");
            }
        }
    }
}
