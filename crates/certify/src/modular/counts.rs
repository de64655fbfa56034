//! Decides how many threads can be in an exposed class after a step, of which it is known
//! before it whether there are none, one or more.

/// Stands for two threads and more.
pub(super) const MANY: u8 = 2;

/// The counts that can be after a step that `n_before` threads are seen in the class before,
/// and `n_after` after. Threads that are not seen stay where they are, unless the step may
/// move them.
pub(super) fn after(
    count: u8,
    n_before: usize,
    n_after: usize,
    may_move: bool,
) -> impl Iterator<Item = u8> + Clone {
    let numbers = match count {
        MANY => 2..=n_before + 4,
        count => usize::from(count)..=usize::from(count),
    };
    let mut is_possible = [false; MANY as usize + 1];
    let mut set = |unseen: usize| {
        is_possible[usize::from(abstracted((unseen + n_after) as u64))] = true;
    };
    match may_move {
        true => (0..=2).for_each(&mut set),
        false => numbers.filter_map(|number| number.checked_sub(n_before)).for_each(&mut set),
    }
    (0..=MANY).filter(move |&count| is_possible[usize::from(count)])
}

/// A number of threads as proofs count it.
pub(super) fn abstracted(number: u64) -> u8 {
    number.min(u64::from(MANY)) as u8
}

#[cfg(test)]
mod tests {
    use super::{MANY, after};

    fn check(count: u8, seen: (usize, usize), may_move: bool, expected: &[u8]) {
        let all: Vec<u8> = after(count, seen.0, seen.1, may_move).collect();
        assert_eq!(all, expected, "{count} {seen:?} {may_move}");
    }

    #[test]
    fn whoever_is_not_seen_stays() {
        check(0, (0, 1), false, &[1]);
        check(1, (1, 0), false, &[0]);
        check(1, (0, 1), false, &[MANY]);
        check(MANY, (1, 0), false, &[1, MANY]);
        check(MANY, (0, 0), false, &[MANY]);
        check(MANY, (3, 2), false, &[MANY]);
        check(MANY, (2, 0), false, &[0, 1, MANY]);
    }

    #[test]
    fn more_than_are_counted_cannot_be_seen() {
        check(0, (1, 1), false, &[]);
    }

    #[test]
    fn a_step_that_moves_others_may_move_all() {
        check(0, (0, 1), true, &[1, MANY]);
        check(MANY, (0, 0), true, &[0, 1, MANY]);
    }
}
