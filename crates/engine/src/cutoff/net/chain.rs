//! Decides which moves of single threads make up one firing of a transition.
//!
//! A firing takes tokens and puts tokens; a token that a guard asks for and that
//! stays is taken and put back. A move takes a thread from a place (or from outside)
//! and puts it on a place (or outside), so as many moves are needed as tokens are
//! taken or put, whichever is more. **The one rule**: nothing is put on a place before
//! everything was taken from it. Otherwise a chain could take the very token that it
//! put, and fire with too few tokens. Of the last token that is taken from a place,
//! the move may put one on it: a guard `p >= 1` is one move from `p` to `p`, a guard
//! `p >= 2` needs three moves.
//!
//! **Transfers and resets** happen between two halves of a chain, by a broadcast. The
//! guard speaks of the tokens before them, the change of those after them, so what is
//! done to a place in which half depends on whether a transfer empties or fills it.

use model::{CounterId, CounterTransition};

/// The local store of threads that are no token.
pub(super) const OUTSIDE: u32 = 0;

/// The local store of tokens on a place.
pub(super) fn local_of(place: CounterId) -> u32 {
    place.0 + 1
}

/// One step of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hop {
    /// The local store of its thread before and after; `None`: no thread steps.
    pub thread: Option<(u32, u32)>,
    /// Do the transition's transfers and resets happen with it?
    pub is_broadcast: bool,
}

impl Hop {
    /// A thread moves.
    pub fn of_thread(from: u32, to: u32) -> Hop {
        Hop { thread: Some((from, to)), is_broadcast: false }
    }

    /// The environment moves.
    pub const ENVIRONMENT: Hop = Hop { thread: None, is_broadcast: false };
}

/// The chain of one firing; empty if it takes and puts nothing. `None` when it has
/// more than `max_moves` moves.
pub(super) fn chain(transition: &CounterTransition, max_moves: usize) -> Option<Vec<Hop>> {
    let (before, after) = halves(transition);
    if before.n_tokens().saturating_add(after.n_tokens()) > max_moves as u64 {
        return None;
    }
    let mut hops = before.moves();
    if transition.moves.is_empty() {
        return Some(hops);
    }
    let is_emptied = |local: u32| transition.moves.iter().any(|m| local_of(m.from) == local);
    let mut rest = after.moves();
    let first_puts = rest.first().and_then(|hop| hop.thread).filter(|(from, _)| *from == OUTSIDE);
    // The broadcast does not move the thread that steps: a thread that is no token
    // halfway may be the one that the second half starts with, and a thread may
    // carry the broadcast if it ends up where nothing is moved from.
    match hops.last_mut() {
        Some(Hop { thread: Some((_, to)), is_broadcast }) if !is_emptied(*to) => {
            *is_broadcast = true;
            if let (OUTSIDE, Some((_, place))) = (*to, first_puts) {
                *to = place;
                rest.remove(0);
            }
        }
        _ if first_puts.is_some() => rest[0].is_broadcast = true,
        _ => hops.push(Hop { is_broadcast: true, ..Hop::ENVIRONMENT }),
    }
    hops.append(&mut rest);
    Some(hops)
}

/// What is taken from and put on places, in one half of a firing.
#[derive(Default)]
struct Half {
    takes: Vec<(u32, u64)>,
    puts: Vec<(u32, u64)>,
}

/// What happens before the transfers and what happens after them.
fn halves(transition: &CounterTransition) -> (Half, Half) {
    let (mut before, mut after) = (Half::default(), Half::default());
    let mut places: Vec<CounterId> = transition.guard.iter().map(|entry| entry.0).collect();
    places.extend(transition.delta.iter().map(|entry| entry.0));
    places.sort_unstable();
    places.dedup();
    for place in places {
        let asked = transition.guard.iter().find(|entry| entry.0 == place);
        let asked = asked.map_or(0, |(_, bounds)| u64::from(bounds.min));
        let change = transition.delta.iter().find(|entry| entry.0 == place);
        let change = change.map_or(0, |(_, change)| *change);
        let (lost, won) = match change {
            ..0 => (change.unsigned_abs(), 0),
            _ => (0, change.unsigned_abs()),
        };
        let is_emptied = transition.moves.iter().any(|m| m.from == place);
        let is_filled = transition.moves.iter().any(|m| m.to.contains(&place));
        let local = local_of(place);
        // What is lost may be a token that a transfer brought, unless the guard
        // makes sure that there were enough before.
        if is_emptied || (is_filled && asked < lost) {
            before.add(local, asked, asked);
            after.add(local, lost, won);
        } else {
            let taken = asked.max(lost);
            before.add(local, taken, (taken - lost).saturating_add(won));
        }
    }
    (before, after)
}

impl Half {
    fn add(&mut self, local: u32, n_taken: u64, n_put: u64) {
        self.takes.extend((n_taken > 0).then_some((local, n_taken)));
        self.puts.extend((n_put > 0).then_some((local, n_put)));
    }

    fn n_tokens(&self) -> u64 {
        let counts = self.takes.iter().chain(&self.puts).map(|entry| entry.1);
        counts.fold(0, u64::saturating_add)
    }

    /// As few moves as the order of taking allows: places on which something is put
    /// as well come first, those with the fewest tokens to take before the others,
    /// so that what is put on them is open to as many takes as possible. What is open
    /// at one move stays open, so taking the first of it is as good as any other. The
    /// other places come in the order of their numbers, so that chains are alike.
    fn moves(&self) -> Vec<Hop> {
        let n_put_on = |local: u32| {
            let found = self.puts.iter().find(|entry| entry.0 == local);
            found.map_or(0, |entry| entry.1 as usize)
        };
        let mut takes = self.takes.clone();
        takes.sort_by_key(|&(local, n)| match n_put_on(local) {
            0 => (true, 0, local),
            _ => (false, n, local),
        });
        let is_taken = |local: u32| takes.iter().any(|entry| entry.0 == local);
        // The next to be put is the last.
        let mut open: Vec<u32> = Vec::new();
        for &(local, n) in self.puts.iter().rev().filter(|entry| !is_taken(entry.0)) {
            open.extend(std::iter::repeat_n(local, n as usize));
        }
        let mut hops = Vec::new();
        for &(local, n) in &takes {
            for n_left in (0..n).rev() {
                if n_left == 0 {
                    open.extend(std::iter::repeat_n(local, n_put_on(local)));
                }
                hops.push(Hop::of_thread(local, open.pop().unwrap_or(OUTSIDE)));
            }
        }
        hops.extend(open.iter().rev().map(|&local| Hop::of_thread(OUTSIDE, local)));
        hops
    }
}

#[cfg(test)]
mod tests {
    use model::{Bounds, ControlId, CounterId, CounterTransition, Move};

    use super::{Hop, chain};

    fn transition(guard: &[(u32, u32)], delta: &[(u32, i64)]) -> CounterTransition {
        let at_least = |&(place, n): &(u32, u32)| (CounterId(place), Bounds::at_least(n));
        CounterTransition {
            name: "t".to_owned(),
            span: None,
            from: ControlId(0),
            to: ControlId(0),
            guard: guard.iter().map(at_least).collect(),
            moves: Vec::new(),
            delta: delta.iter().map(|&(place, change)| (CounterId(place), change)).collect(),
        }
    }

    /// Places are named by their number, `-1` is outside; broadcasts have a `true`.
    fn check(transition: &CounterTransition, expected: &[(i64, i64, bool)]) {
        let expected: Vec<Hop> = expected
            .iter()
            .map(|&(from, to, is_broadcast)| Hop {
                thread: Some(((from + 1) as u32, (to + 1) as u32)),
                is_broadcast,
            })
            .collect();
        assert_eq!(chain(transition, 100), Some(expected));
    }

    #[test]
    fn as_many_moves_as_tokens_are_taken_or_put() {
        check(&transition(&[], &[(0, -1), (1, 1)]), &[(0, 1, false)]);
        check(&transition(&[], &[(0, -1), (1, -1), (2, 1)]), &[(0, 2, false), (1, -1, false)]);
        check(&transition(&[], &[(0, -1), (1, 1), (2, 1)]), &[(0, 1, false), (-1, 2, false)]);
        check(&transition(&[], &[]), &[]);
    }

    #[test]
    fn a_token_that_stays_is_taken_before_it_is_put_back() {
        check(&transition(&[(0, 1)], &[]), &[(0, 0, false)]);
        check(&transition(&[(0, 2)], &[]), &[(0, -1, false), (0, 0, false), (-1, 0, false)]);
        // One of the threads taken from 0 becomes the new token on 1.
        check(&transition(&[(0, 2)], &[(1, 1)]), &[(0, 1, false), (0, 0, false), (-1, 0, false)]);
        check(
            &transition(&[(0, 2)], &[(0, -1), (1, -1)]),
            &[(0, -1, false), (0, 0, false), (1, -1, false)],
        );
        check(
            &transition(&[(0, 2), (1, 1)], &[(1, -1)]),
            &[(0, -1, false), (0, 0, false), (1, 0, false)],
        );
    }

    #[test]
    fn transfers_happen_with_a_move_where_they_can() {
        let transfer = |from: u32, to: &[u32]| Move {
            from: CounterId(from),
            to: to.iter().map(|&place| CounterId(place)).collect(),
        };
        let mut t = transition(&[(0, 1)], &[(0, -1), (1, 1)]);
        t.moves = vec![transfer(1, &[2])];
        check(&t, &[(0, 1, true)]);
        // A token that the transfer brings may be the one that is lost.
        let mut t = transition(&[], &[(2, -1)]);
        t.moves = vec![transfer(1, &[2])];
        let hops = chain(&t, 100).expect("short");
        assert_eq!(
            hops,
            [
                Hop { is_broadcast: true, ..Hop::ENVIRONMENT },
                Hop { thread: Some((3, 0)), is_broadcast: false },
            ]
        );
        // The guard speaks of the tokens before.
        let mut t = transition(&[(1, 1)], &[(1, 1)]);
        t.moves = vec![transfer(1, &[])];
        check(&t, &[(1, 1, false), (-1, 1, true)]);
    }

    #[test]
    fn a_chain_that_is_too_long_is_not_made() {
        assert_eq!(chain(&transition(&[(0, u32::MAX)], &[(1, i64::MIN)]), 100), None);
    }
}
