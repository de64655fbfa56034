//! What actors beside a view may be, as far as their step looks at it.
//!
//! Of a state of any size, each choice of as many elements as a view has is a view. So each
//! choice among the elements of a view and the actors beside it must be a listed one. Of a
//! joint state only what the step looks at matters: for each such cell the values that are
//! possible are narrowed down, choice by choice.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use model::parameterized::{Cell, StepsBeside};
use rustc_hash::FxHasher;

use super::ViewSet;
use super::reading::{ELEMENT, HIDDEN, REST, Reading, Value, Values, ways};
use crate::rejection::Rejection;

/// Joint states of one view and one kind of steps, at the most.
const MAX_JOINT: usize = 1 << 20;

type Map<K, V> = HashMap<K, V, BuildHasherDefault<FxHasher>>;
type Set<K> = HashSet<K, BuildHasherDefault<FxHasher>>;

/// The companies of the actors of one kind of steps.
pub(crate) struct Company<'a> {
    reading: &'a Reading,
    /// The cells that matter: those of elements and actors that the step looks at.
    read: Vec<usize>,
    actors: u32,
    choices: Vec<Choice>,
}

/// Elements of the view and actors that must be a view together.
struct Choice {
    slots: u32,
    elements: u32,
    /// What the cells that matter may be, by what the elements are.
    known: Map<Values, Set<Values>>,
}

/// What a cell may still be: a code, or with [`NAMES`] a set of slots and maybe the rest.
type Possible = u64;

const NAMES: Possible = 1 << 62;
const OR_REST: Possible = 1 << 32;
const ANYTHING: Possible = u64::MAX;

impl<'a> Company<'a> {
    pub(crate) fn new(
        reading: &'a Reading,
        views: &ViewSet,
        beside: &StepsBeside<'_>,
    ) -> Result<Company<'a>, Rejection> {
        if reading.n_visible + beside.n_actors > reading.n_slots {
            return Err(Rejection::malformed("there are more actors than slots"));
        }
        let actors = ((1 << beside.n_actors) - 1) << reading.n_visible;
        let all = reading.visible() | actors;
        let is_read = |idx: &usize| {
            reading.owners[*idx] & !all == 0 && looks_at(&reading.cells[*idx], beside.reads)
        };
        let read = (0..reading.cells.len()).filter(is_read).collect();
        let mut company = Company { reading, read, actors, choices: Vec::new() };
        for slots in ways(reading.n_visible, all) {
            let set = slots.iter().fold(0, |set, slot| set | 1 << slot);
            if slots.is_sorted() && set & actors != 0 {
                let choice = company.choice(&slots, set, views);
                company.choices.push(choice);
            }
        }
        Ok(company)
    }

    fn choice(&self, slots: &[u32], set: u32, views: &ViewSet) -> Choice {
        let elements = set & self.reading.visible();
        let mut known: Map<Values, Set<Values>> = Map::default();
        let moves = self.reading.moves(slots);
        // All orders of each view are in the set: one way to place it is enough.
        for view in views {
            let placed = self.reading.moved(view, &moves);
            let key = self.reading.seen(&placed, elements);
            let looked_at = self.read.iter().map(|idx| placed[*idx]).collect();
            known.entry(key).or_default().insert(looked_at);
        }
        Choice { slots: set, elements, known }
    }

    /// Calls `act` with the state of `view` and actors, for each that the views allow.
    pub(crate) fn beside(
        &self,
        view: &Values,
        mut act: impl FnMut(&[u64]) -> Result<(), Rejection>,
    ) -> Result<(), Rejection> {
        let mut open: Vec<Vec<Possible>> = vec![self.of_view(view)];
        for choice in &self.choices {
            let key = self.reading.seen(view, choice.elements);
            let Some(known) = choice.known.get(&key) else { return Ok(()) };
            let others = (self.reading.visible() | self.actors) & !choice.slots;
            let narrowed = |joint: &Vec<Possible>, said: &Values| {
                let cells = joint.iter().zip(said.iter());
                cells.map(|(cell, value)| both(*cell, said_by(*value, others))).collect()
            };
            let mut next = Set::default();
            for joint in &open {
                next.extend(known.iter().filter_map(|said| narrowed(joint, said)));
                if next.len() > MAX_JOINT {
                    return Err(Rejection::TooLarge { what: "actors beside a view" });
                }
            }
            open = next.into_iter().collect();
        }
        let mut joint = Set::default();
        for possible in &open {
            settle(possible, &mut joint)?;
        }
        let mut state = self.reading.state(view);
        for values in joint {
            for (idx, value) in self.read.iter().zip(values.iter()) {
                self.reading.put(&mut state, *idx, *value);
            }
            act(&state)?;
        }
        Ok(())
    }

    /// What a view says of the cells that matter. A value that names none of its elements may
    /// name an actor.
    fn of_view(&self, view: &Values) -> Vec<Possible> {
        self.read.iter().map(|idx| said_by(view[*idx], self.actors)).collect()
    }
}

/// What a value says of a cell to those who see all slots. `others` are those that it was not
/// seen from.
fn said_by(value: Value, others: u32) -> Possible {
    match value {
        HIDDEN => ANYTHING,
        REST => NAMES | OR_REST | u64::from(others),
        _ if value & ELEMENT != 0 => NAMES | 1 << (value & !ELEMENT),
        code => code,
    }
}

/// What is possible by both; `None` where they contradict each other.
fn both(one: Possible, other: Possible) -> Option<Possible> {
    match (one, other) {
        (ANYTHING, known) | (known, ANYTHING) => Some(known),
        _ if one & NAMES != 0 && other & NAMES != 0 => {
            let common = one & other;
            (common != NAMES).then_some(common)
        }
        _ => (one == other).then_some(one),
    }
}

/// Adds all choices of possible values.
fn settle(possible: &[Possible], all: &mut Set<Values>) -> Result<(), Rejection> {
    let mut open: Vec<Vec<Value>> = vec![Vec::with_capacity(possible.len())];
    for cell in possible {
        let values: Vec<Value> = match *cell {
            ANYTHING => {
                let why = "nothing is known of what a step looks at";
                return Err(Rejection::malformed(why));
            }
            cell if cell & NAMES != 0 => {
                let named = (0..32).filter(|slot| cell >> slot & 1 == 1).map(|slot| ELEMENT | slot);
                named.chain((cell & OR_REST != 0).then_some(REST)).collect()
            }
            code => vec![code],
        };
        if let [value] = values[..] {
            open.iter_mut().for_each(|values| values.push(value));
            continue;
        }
        let longer = open.iter().flat_map(|so_far| {
            values.iter().map(|value| so_far.iter().copied().chain([*value]).collect())
        });
        open = longer.collect();
        if all.len() + open.len() > MAX_JOINT {
            return Err(Rejection::TooLarge { what: "actors beside a view" });
        }
    }
    all.extend(open.into_iter().map(Vec::into_boxed_slice));
    Ok(())
}

/// Does a step look at a cell?
fn looks_at(cell: &Cell, reads: &[u64]) -> bool {
    let mut bits = cell.bit..cell.bit + cell.bits;
    bits.any(|bit| reads[(bit / 64) as usize] >> (bit % 64) & 1 == 1)
}
