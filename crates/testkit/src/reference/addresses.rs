//! All that threads can note about addresses: every interleaving, and an allocator that
//! gives a new block every address at which no live one lies.
//!
//! With as many addresses as there are blocks, the blocks can lie in every order, and each of
//! them can lie where an earlier one lay or apart from all.

use std::collections::BTreeSet;

use crate::random::c::addresses::{Action, N_EACH, Rememberers, Source};

/// An address, from 1; 0 for none.
type Address = u8;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    /// By thread: how many actions it has done.
    done: Vec<usize>,
    /// By thread: the addresses of its blocks.
    blocks: Vec<[Address; N_EACH]>,
    /// By thread: the addresses that it remembers.
    numbers: Vec<[Address; N_EACH]>,
    /// The addresses of shared blocks.
    shared: [Address; N_EACH],
    told: [Address; N_EACH],
    notes: Vec<u64>,
}

/// The notes that there can be when all threads have ended.
pub fn outcomes(program: &Rememberers) -> BTreeSet<Vec<u64>> {
    let n_threads = program.threads.len();
    let first = State {
        done: vec![0; n_threads],
        blocks: vec![[0; N_EACH]; n_threads],
        numbers: vec![[0; N_EACH]; n_threads],
        shared: [0; N_EACH],
        told: [0; N_EACH],
        notes: vec![0; program.n_notes().max(1)],
    };
    let (mut seen, mut waiting) = (BTreeSet::from([first.clone()]), vec![first]);
    let mut outcomes = BTreeSet::new();
    while let Some(state) = waiting.pop() {
        let runs = |thread: &usize| state.done[*thread] < program.threads[*thread].len();
        let running: Vec<usize> = (0..n_threads).filter(runs).collect();
        if running.is_empty() {
            outcomes.insert(state.notes.clone());
        }
        for thread in running {
            for next in successors(program, &state, thread) {
                if seen.insert(next.clone()) {
                    waiting.push(next);
                }
            }
        }
    }
    outcomes
}

fn successors(program: &Rememberers, state: &State, thread: usize) -> Vec<State> {
    let action = program.threads[thread][state.done[thread]];
    let mut next = state.clone();
    next.done[thread] += 1;
    let note = note_of(program, thread, state.done[thread]);
    let (blocks, numbers) = (&mut next.blocks[thread], &mut next.numbers[thread]);
    let address = |source, blocks: &[Address], numbers: &[Address]| match source {
        Source::Number(o) => numbers[o],
        Source::Block(l) => blocks[l],
    };
    match action {
        Action::Make(l) if blocks[l] == 0 => return born(program, &next, (thread, l)),
        Action::Grow(l) if blocks[l] != 0 => {
            blocks[l] = 0;
            return born(program, &next, (thread, l));
        }
        Action::Make(_) | Action::Grow(_) => {}
        Action::Free(l) => blocks[l] = 0,
        Action::Swap(l, p) => std::mem::swap(&mut blocks[l], &mut next.shared[p]),
        Action::Remember(o, l) => numbers[o] = blocks[l],
        Action::Tell(o, a) => next.told[a] = numbers[o],
        Action::Hear(o, a) => numbers[o] = next.told[a],
        Action::Exchange(o, a, l) => {
            let is_equal = numbers[o] == next.told[a];
            next.notes[note] = u64::from(is_equal);
            match is_equal {
                true => next.told[a] = blocks[l],
                false => numbers[o] = next.told[a],
            }
        }
        Action::Equal(left, right) => {
            let is_equal = address(left, blocks, numbers) == address(right, blocks, numbers);
            next.notes[note] = u64::from(is_equal);
        }
        Action::Less(left, right) => {
            let is_less = address(left, blocks, numbers) < address(right, blocks, numbers);
            next.notes[note] = u64::from(is_less);
        }
    }
    vec![next]
}

/// The number of the note that an action makes.
fn note_of(program: &Rememberers, thread: usize, action: usize) -> usize {
    let before = program.threads[..thread].iter().flatten();
    let before = before.chain(&program.threads[thread][..action]);
    before.filter(|action| action.notes()).count()
}

/// A block at each address where no other one lies.
fn born(program: &Rememberers, state: &State, (thread, block): (usize, usize)) -> Vec<State> {
    let is_live = |address: &Address| {
        state.shared.contains(address) || state.blocks.iter().flatten().any(|it| it == address)
    };
    let free = (1..=program.n_blocks()).filter(|address| !is_live(address));
    let at = |address| {
        let mut next = state.clone();
        next.blocks[thread][block] = address;
        next
    };
    free.map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::outcomes;
    use crate::random::c::addresses::{Action, Rememberers, Source};

    #[test]
    fn an_old_address_comes_again_or_not() {
        let actions = vec![
            Action::Make(0),
            Action::Remember(0, 0),
            Action::Free(0),
            Action::Make(0),
            Action::Equal(Source::Number(0), Source::Block(0)),
            Action::Less(Source::Number(0), Source::Block(0)),
        ];
        let found = outcomes(&Rememberers { threads: vec![actions] });
        let expected = [vec![0, 0], vec![0, 1], vec![1, 0]];
        assert_eq!(found.into_iter().collect::<Vec<_>>(), expected);
    }
}
