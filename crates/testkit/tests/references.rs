//! The naive searches agree with each other: before they judge the engines, they
//! judge themselves.

use testkit::random::{System, system};
use testkit::reference::explicit::{Caps, with_few_threads, with_small_counts};
use testkit::reference::{ReferenceAnswer, backward, karp_miller, rules};

const N_SEEDS: u64 = 600;
const CAPS: Caps = Caps { states: 3_000, counts: 6, initial: 3 };
const MAX_ELEMENTS: usize = 2_000;
const MAX_NODES: usize = 20_000;

fn is_reachable(answer: ReferenceAnswer) -> Option<bool> {
    match answer {
        ReferenceAnswer::Reachable { .. } => Some(true),
        ReferenceAnswer::Unreachable => Some(false),
        ReferenceAnswer::NotWithin => None,
    }
}

fn few(system: &System) -> ReferenceAnswer {
    match system {
        System::Threads(program) => with_few_threads(program, CAPS),
        System::Counters(counters) => with_small_counts(counters, CAPS),
    }
}

fn flat(system: &System) -> Option<rules::Rules> {
    match system {
        System::Threads(program) => Some(rules::of_threads(program)),
        System::Counters(counters) => rules::of_counters(counters),
    }
}

#[test]
fn explicit_backward_and_karp_miller_agree_on_random_systems() {
    let (mut n_reachable, mut n_unreachable, mut n_found_explicitly) = (0, 0, 0);
    for seed in 0..N_SEEDS {
        let system = system(seed);
        let Some(rules) = flat(&system) else { continue };
        let exact = is_reachable(backward::search(&rules, MAX_ELEMENTS));
        let explicit = is_reachable(few(&system));
        let tree = karp_miller::search(&rules, MAX_NODES).and_then(is_reachable);
        for other in [explicit, tree].into_iter().flatten() {
            assert_eq!(exact.unwrap_or(other), other, "seed {seed}: {system:?}");
        }
        n_reachable += usize::from(exact == Some(true));
        n_unreachable += usize::from(exact == Some(false));
        n_found_explicitly += usize::from(explicit == Some(true));
    }
    let n_all = n_reachable + n_unreachable;
    assert!(n_reachable * 4 > n_all && n_unreachable * 4 > n_all, "{n_reachable} of {n_all}");
    // Small errors dominate, so few threads find nearly all of them.
    assert!(n_found_explicitly * 10 > n_reachable * 9, "{n_found_explicitly} of {n_reachable}");
}
