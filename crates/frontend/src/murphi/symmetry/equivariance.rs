//! Tests that permuting a state and stepping is stepping and permuting: the shapes
//! are right, and accepted loops do not tell elements apart.

use std::collections::BTreeSet;

use model::symmetry::{Placed, Scalarset, ScalarsetId, Shape};
use model::{Limits, Stepper, Successors, TransitionSystem};

use super::tests::{CONDITIONAL, GATHERING, OWN_ELEMENTS, OWN_SLOTS, model, with_rule, with_slots};
use crate::murphi::MurphiModel;

/// Where each element of each scalarset goes.
type Permutation = Vec<Vec<u32>>;

/// States to look at in each model.
const N_STATES: usize = 60;

fn bits_of(words: &[u64]) -> Vec<bool> {
    words.iter().flat_map(|word| (0..64).map(move |bit| word >> bit & 1 == 1)).collect()
}

fn words_of(bits: &[bool]) -> Vec<u64> {
    bits.chunks(64).map(number).collect()
}

fn number(bits: &[bool]) -> u64 {
    bits.iter().rev().fold(0, |number, bit| number << 1 | u64::from(*bit))
}

fn permuted(model: &MurphiModel, state: &[u64], permutation: &Permutation) -> Vec<u64> {
    let mut bits = bits_of(state);
    permute_parts(&model.symmetry().state, &mut bits, permutation);
    words_of(&bits)
}

fn permute_parts(parts: &[Placed], bits: &mut [bool], permutation: &Permutation) {
    for part in parts {
        permute(&part.shape, &mut bits[part.bit as usize..], permutation);
    }
}

fn image(permutation: &Permutation, id: ScalarsetId, first: u64, at: u64) -> Option<u64> {
    let moved = permutation[id.0 as usize].get(usize::try_from(at.checked_sub(first)?).ok()?)?;
    Some(first + u64::from(*moved))
}

fn permute(shape: &Shape, bits: &mut [bool], permutation: &Permutation) {
    match shape {
        Shape::Plain { .. } => {}
        Shape::Value { bits: width, segments } => {
            let code = number(&bits[..*width as usize]);
            let moved =
                segments.iter().find_map(|s| image(permutation, s.scalarset, s.first, code));
            let moved = moved.unwrap_or(code);
            (0..*width as usize).for_each(|bit| bits[bit] = moved >> bit & 1 == 1);
        }
        Shape::Record { parts } => permute_parts(parts, bits, permutation),
        Shape::Array { stride, n_elements, segments, element } => {
            let stride = *stride as usize;
            let before = bits[..stride * *n_elements as usize].to_vec();
            for (idx, old) in before.chunks(stride).enumerate() {
                let moved = segments
                    .iter()
                    .find_map(|s| image(permutation, s.scalarset, u64::from(s.first), idx as u64));
                let start = moved.unwrap_or(idx as u64) as usize * stride;
                bits[start..start + stride].copy_from_slice(old);
                permute(element, &mut bits[start..start + stride], permutation);
            }
        }
        Shape::Multiset { stride, n_slots, element } => {
            let n_bits = (stride * n_slots) as usize;
            let mut slots: Vec<Vec<bool>> =
                bits[..n_bits].chunks(*stride as usize).map(<[bool]>::to_vec).collect();
            slots.iter_mut().for_each(|slot| permute(element, slot, permutation));
            slots.sort_by_key(|slot| std::cmp::Reverse(number(slot)));
            bits[..n_bits].copy_from_slice(&slots.concat());
        }
    }
}

/// A rotation and an exchange: together they make all permutations.
fn generators(scalarsets: &[Scalarset]) -> Vec<Permutation> {
    let identity: Permutation =
        scalarsets.iter().map(|scalarset| (0..scalarset.n_elements).collect()).collect();
    let mut found = Vec::new();
    for idx in 0..scalarsets.len() {
        let (mut rotation, mut exchange) = (identity.clone(), identity.clone());
        rotation[idx].rotate_left(1);
        exchange[idx].swap(0, 1);
        found.extend([rotation, exchange]);
    }
    found
}

fn expand(stepper: &mut dyn Stepper, model: &MurphiModel, state: &[u64]) -> Vec<Vec<u64>> {
    let mut out = Successors::new(model.state_words());
    stepper.expand(state, &mut out).expect("no limit is set");
    (0..out.len()).map(|idx| out.state(idx).to_vec()).collect()
}

fn check(text: &str) {
    let model = model(text);
    assert!(model.symmetry().scalarsets.iter().all(Scalarset::is_permuted), "{text}");
    let permutations = generators(&model.symmetry().scalarsets);
    let mut stepper = model.stepper(&Limits::none());
    let mut start = Successors::new(model.state_words());
    stepper.initial(&mut start).expect("no limit is set");
    let mut states: Vec<Vec<u64>> = vec![start.state(0).to_vec()];
    let mut n_done = 0;
    while n_done < N_STATES && n_done < states.len() {
        let state = states[n_done].clone();
        n_done += 1;
        let next = expand(&mut *stepper, &model, &state);
        for permutation in &permutations {
            let here: BTreeSet<Vec<u64>> =
                next.iter().map(|state| permuted(&model, state, permutation)).collect();
            let there = expand(&mut *stepper, &model, &permuted(&model, &state, permutation));
            assert_eq!(here, there.into_iter().collect(), "{text} {:?}", model.describe(&state));
        }
        // A walk that turns often sees more kinds of states than a broad search.
        let turn = n_done * 7 % next.len().max(1);
        states.extend(next.into_iter().skip(turn).step_by(3));
    }
}

#[test]
fn accepted_loops_do_not_tell_elements_apart() {
    for body in OWN_ELEMENTS.iter().chain(GATHERING).chain(CONDITIONAL) {
        check(&with_rule("", body));
    }
}

#[test]
fn accepted_slots_do_not_tell_elements_apart() {
    for rules in OWN_SLOTS {
        check(&with_slots(rules));
    }
}

#[test]
fn nested_values_are_permuted_where_they_lie() {
    check(
        "type p : scalarset(3); q : scalarset(2); t : union {enum {none}, q, p};
           msg : record src : p; dst : t; end;
         var s : array [t] of record next : t; seen : array [p] of boolean; end;
             m : multiset [3] of msg;
         startstate clear s; end;
         ruleset i : p; j : q do
           rule s[i].next := j; end; rule s[j].next := i; s[j].seen[i] := true; end;
           rule !ismember(s[i].next, p) ==> s[none].next := i; end;
           rule multisetcount(k : m, true) < 3 ==> var x : msg;
             begin x.src := i; x.dst := j; multisetadd(x, m); end;
         end;
         choose k : m do rule s[m[k].src].next := m[k].dst; multisetremove(k, m); end; end;",
    );
}
