//! The views that runs start with.

use super::exposed::{Classes, Counts};
use super::kinds::Kinds;
use super::views::{MemberId, Origin, Threads, Views};
use crate::kernel::step_table::{LocalId, StepTable};

/// Adds the views of all starts.
pub fn add_all(table: &mut StepTable<'_>, kinds: &Kinds, classes: &mut Classes, views: &mut Views) {
    // For each group the members that its threads may be, and how many there are.
    let mut crowd: Vec<(Vec<MemberId>, u32)> = Vec::new();
    for group in &kinds.groups {
        let locals = group.initial.iter().map(|store| table.local_id(store.bytes()));
        let locals: Vec<LocalId> = locals.collect();
        let members = locals.iter().map(|&local| views.member_id(group.kind, local)).collect();
        crowd.push((members, group.n_threads.unwrap_or(u32::MAX)));
    }
    classes.learn(table);
    let counts = first_counts(table, kinds, classes);
    let mut choices = Vec::new();
    choose(&crowd, views.level(), &mut Vec::new(), &mut choices);
    for shared in table.program().initial_shared() {
        let shared = table.shared_id(shared.bytes());
        for &counts in &counts {
            let place = views.place_id(shared, counts);
            for choice in &choices {
                let locals = views.locals(choice.iter().copied());
                if classes.admit(counts, &locals) {
                    views.add(place, Threads::new(choice), Origin::Start);
                }
            }
        }
    }
}

/// How many threads may be in each class at the start: a class counts all threads of a group
/// that start nowhere else, and may count all that may start there.
fn first_counts(table: &mut StepTable<'_>, kinds: &Kinds, classes: &Classes) -> Vec<Counts> {
    let mut bounds = vec![(0u64, 0u64); classes.len()];
    for group in &kinds.groups {
        let locals = group.initial.iter().map(|store| table.local_id(store.bytes()));
        let masks: Vec<u32> = locals.map(|local| classes.of(local)).collect();
        let all = masks.iter().fold(u32::MAX, |all, mask| all & mask);
        let any = masks.iter().fold(0, |any, mask| any | mask);
        for (class, (least, most)) in bounds.iter_mut().enumerate() {
            if any >> class & 1 == 1 {
                *most += group.n_threads.map_or(u64::from(u32::MAX), u64::from);
            }
            if any >> class & 1 == 1 && all >> class & 1 == 1 {
                *least += group.n_threads.map_or(0, u64::from);
            }
        }
    }
    classes.between(|class| bounds[class])
}

/// Extends a choice by threads of these groups in every way, up to `level` threads.
fn choose(
    crowd: &[(Vec<MemberId>, u32)],
    level: usize,
    chosen: &mut Vec<MemberId>,
    out: &mut Vec<Vec<MemberId>>,
) {
    out.push(chosen.clone());
    if chosen.len() == level {
        return;
    }
    for (idx, (members, n_left)) in crowd.iter().enumerate() {
        if *n_left == 0 {
            continue;
        }
        for (first, &member) in members.iter().enumerate() {
            // Threads of a group are chosen in the order of its members.
            let mut rest = vec![(members[first..].to_vec(), n_left - 1)];
            rest.extend(crowd[idx + 1..].iter().cloned());
            chosen.push(member);
            choose(&rest, level, chosen, out);
            chosen.pop();
        }
    }
}
