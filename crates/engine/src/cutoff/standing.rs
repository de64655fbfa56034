//! Who may step in a state, and whether anything would be new there, by looking at bits
//! instead of rows.
//!
//! A state has a bit for each local store that somebody is in; each shared store has the
//! bits of those who can step there, and of those that nobody asked about yet. Only the
//! local stores with small numbers have bits of their own: the last bit is for all
//! others, which are always looked at.

use super::states::{count_of, local_of};
use super::table::{ENDED, Local, MAX_LOCALS, Shared};

/// A bit for each local store; the first is for the environment.
pub type Bits = u128;

/// The last bit: all local stores without a bit of their own.
const OTHERS: u32 = Bits::BITS - 1;

/// The bit of a local store.
#[inline]
pub fn bit(local: Local) -> Bits {
    1 << local.min(OTHERS)
}

/// Who is there in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The bits of all threads in the row, and of the environment.
    pub bits: Bits,
    /// How many threads the row has.
    pub n_there: u32,
}

impl Standing {
    /// That of a row.
    pub fn of(row: &[u32]) -> Standing {
        let mut standing = Standing { bits: bit(ENDED), n_there: 0 };
        for &entry in row[1..].iter().filter(|&&entry| local_of(entry) < MAX_LOCALS) {
            standing.bits |= bit(local_of(entry));
            standing.n_there += count_of(entry);
        }
        standing
    }

    /// That after a thread of the entry `from` is gone and one in `to` is there.
    #[inline]
    pub fn after(self, from: Option<u32>, to: Option<Local>) -> Standing {
        let Standing { mut bits, mut n_there } = self;
        if let Some(entry) = from {
            n_there -= 1;
            // Somebody else may have the last bit.
            if count_of(entry) == 1 && local_of(entry) < OTHERS {
                bits &= !bit(local_of(entry));
            }
        }
        if let Some(to) = to {
            n_there += 1;
            bits |= bit(to);
        }
        Standing { bits, n_there }
    }
}

/// What is known of a shared store.
#[derive(Clone, Copy, Debug)]
pub struct Here {
    /// Those who can step.
    pub active: Bits,
    /// Those that nobody asked about.
    pub unknown: Bits,
}

impl Here {
    const NOTHING: Here = Here { active: 1 << OTHERS, unknown: Bits::MAX };

    /// Those who are to be looked at.
    #[inline]
    pub fn open(self) -> Bits {
        self.active | self.unknown
    }
}

/// What is known of all shared stores.
#[derive(Default)]
pub struct Heres {
    by_shared: Vec<Here>,
}

impl Heres {
    /// What is known of one.
    #[inline]
    pub fn at(&self, shared: Shared) -> Here {
        self.by_shared.get(shared as usize).copied().unwrap_or(Here::NOTHING)
    }

    /// `local` was asked about: can it step?
    pub fn learn(&mut self, shared: Shared, local: Local, is_active: bool) {
        let shared = shared as usize;
        if self.by_shared.len() <= shared {
            self.by_shared.resize(shared + 1, Here::NOTHING);
        }
        if local < OTHERS {
            let here = &mut self.by_shared[shared];
            here.unknown &= !bit(local);
            here.active |= if is_active { bit(local) } else { 0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::states::entry;
    use super::{Heres, Standing, bit};

    #[test]
    fn bits_follow_a_step() {
        let row = [0, entry(3, 2), entry(5, 1), entry(200, 1), entry(300, 1)];
        let standing = Standing::of(&row);
        assert_eq!(standing.n_there, 5);
        let moved = [
            (1, 4, vec![0, entry(3, 1), entry(4, 1), entry(5, 1), entry(200, 1), entry(300, 1)]),
            (2, 3, vec![0, entry(3, 3), entry(200, 1), entry(300, 1)]),
            (3, 7, vec![0, entry(3, 2), entry(5, 1), entry(7, 1), entry(300, 1)]),
        ];
        for (from, to, after) in moved {
            assert_eq!(standing.after(Some(row[from]), Some(to)), Standing::of(&after));
        }
    }

    #[test]
    fn local_stores_without_a_bit_of_their_own_are_always_looked_at() {
        let mut heres = Heres::default();
        for local in [4, 1000] {
            heres.learn(2, local, false);
        }
        assert_eq!(heres.at(2).open() & (bit(4) | bit(1000)), bit(1000));
        assert_eq!(heres.at(7).unknown & bit(4), bit(4));
    }
}
