//! Decides whether distinct threads can fill all slots of a target: a matching.

use std::collections::VecDeque;

/// Can each slot get as many distinct threads as `slots` asks, where `fits(slot,
/// thread)` says which threads it takes?
///
/// Fills one place at a time; when all fitting threads are taken, looks for a
/// chain of threads that can move over to other slots.
pub(crate) fn can_be_filled(
    slots: &[u32],
    n_threads: usize,
    fits: impl Fn(usize, usize) -> bool,
) -> bool {
    let n_places: u64 = slots.iter().map(|n| u64::from(*n)).sum();
    if n_places > n_threads as u64 {
        return false;
    }
    let mut slot_of: Vec<Option<usize>> = vec![None; n_threads];
    let mut places = slots.iter().enumerate().flat_map(|(slot, &n)| (0..n).map(move |_| slot));
    places.all(|slot| fill_one(slot, slots.len(), &mut slot_of, &fits))
}

/// Gives `slot` one more thread, moving others over where needed.
fn fill_one(
    slot: usize,
    n_slots: usize,
    slot_of: &mut [Option<usize>],
    fits: impl Fn(usize, usize) -> bool,
) -> bool {
    // The thread through which the search entered each slot, and from which slot.
    let mut entered: Vec<Option<(usize, usize)>> = vec![None; n_slots];
    let mut open = VecDeque::from([slot]);
    while let Some(wanting) = open.pop_front() {
        for thread in (0..slot_of.len()).filter(|&thread| fits(wanting, thread)) {
            match slot_of[thread] {
                None => {
                    let (mut thread, mut wanting) = (thread, wanting);
                    loop {
                        slot_of[thread] = Some(wanting);
                        if wanting == slot {
                            return true;
                        }
                        (thread, wanting) = entered[wanting].expect("the search entered it");
                    }
                }
                Some(holder) if holder != slot && entered[holder].is_none() => {
                    entered[holder] = Some((thread, wanting));
                    open.push_back(holder);
                }
                Some(_) => {}
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::can_be_filled;

    #[test]
    fn a_thread_gives_way_to_one_that_fits_nowhere_else() {
        // Thread 0 fits both slots, thread 1 only the first.
        let fits = |slot: usize, thread: usize| thread == 0 || slot == 0;
        assert!(can_be_filled(&[1, 1], 2, fits));
        assert!(!can_be_filled(&[1, 2], 3, fits));
        assert!(!can_be_filled(&[1, 1], 1, fits));
        assert!(can_be_filled(&[], 0, fits));
    }

    #[test]
    fn the_answer_is_that_of_trying_all_assignments() {
        for code in 0u32..512 {
            let fits = |slot: usize, thread: usize| code >> (3 * slot + thread) & 1 == 1;
            for slots in [[1, 1, 1], [2, 1, 0], [0, 1, 2], [1, 0, 1]] {
                let all = (0..64usize).any(|choice| {
                    let slot_of = [choice % 4, choice / 4 % 4, choice / 16];
                    let good = |t: usize| slot_of[t] == 3 || fits(slot_of[t], t);
                    let n = |slot| slot_of.iter().filter(|s| **s == slot).count() as u32;
                    (0..3).all(good) && (0..3).all(|slot| n(slot) == slots[slot])
                });
                assert_eq!(can_be_filled(&slots, 3, fits), all, "{code} {slots:?}");
            }
        }
    }
}
