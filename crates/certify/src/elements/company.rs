//! What actors beside a view may be, as far as their step looks at it.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use model::parameterized::{Cell, StepsBeside};
use rustc_hash::FxHasher;

use super::ViewSet;
use super::reading::{Reading, Value, Values, ways};
use crate::rejection::Rejection;

/// Joint states of one view and one kind of steps, at the most.
const MAX_JOINT: usize = 1 << 20;

type Map<K, V> = HashMap<K, V, BuildHasherDefault<FxHasher>>;
type Set<K> = HashSet<K, BuildHasherDefault<FxHasher>>;

/// The companies of the actors of one kind of steps.
pub(crate) struct Company<'a> {
    reading: &'a Reading,
    /// For each cell, whether the step looks at it.
    is_read: Vec<bool>,
    actors: Vec<u32>,
    /// For each choice of elements and actors, what it may be.
    choices: Vec<Choice>,
}

/// Elements of the view and actors that must be a view together.
struct Choice {
    slots: Vec<u32>,
    elements: Vec<u32>,
    /// What all of them may be, by what the elements are.
    known: Map<Values, Set<Values>>,
}

/// A joint state under construction: what each cell may still be.
#[derive(Clone)]
struct Joint {
    cells: Vec<Open>,
}

/// What a cell may be.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Open {
    /// Nothing is known.
    Anything,
    /// This code.
    Code(u64),
    /// An element of these slots, or without a slot.
    Element { slots: u32, rest: bool },
}

impl<'a> Company<'a> {
    pub(crate) fn new(
        reading: &'a Reading,
        views: &ViewSet,
        beside: &StepsBeside<'_>,
    ) -> Result<Company<'a>, Rejection> {
        let first = reading.n_visible;
        let actors: Vec<u32> = (first..first + beside.n_actors).collect();
        if first + beside.n_actors > reading.n_slots {
            return Err(Rejection::malformed("there are more actors than slots"));
        }
        let is_read = reading.cells.iter().map(|cell| reads(cell, beside.reads)).collect();
        let mut company = Company { reading, is_read, actors, choices: Vec::new() };
        let all: Vec<u32> = (0..first + beside.n_actors).collect();
        let mut sets = ways(first as usize, &all);
        sets.retain(|set| set.is_sorted() && set.iter().any(|slot| *slot >= first));
        for slots in sets {
            let choice = company.choice(slots, views);
            company.choices.push(choice);
        }
        Ok(company)
    }

    fn choice(&self, slots: Vec<u32>, views: &ViewSet) -> Choice {
        let elements: Vec<u32> = slots.iter().copied().filter(|s| *s < self.reading.n_visible).collect();
        let mut known: Map<Values, Set<Values>> = Map::default();
        // All orders of each view are in the set: one way to place it is enough.
        let moves = self.reading.moves(&slots);
        for view in views {
            let placed = self.reading.moved(view, &moves);
            let key = self.reading.seen(&placed, &elements);
            known.entry(key).or_default().insert(self.looked_at(&placed));
        }
        Choice { slots, elements, known }
    }

    /// The values that the step looks at.
    fn looked_at(&self, values: &[Value]) -> Values {
        let look = |(value, is_read): (&Value, &bool)| if *is_read { *value } else { Value::Hidden };
        values.iter().zip(&self.is_read).map(look).collect()
    }

    /// All joint states of `view` and actors that the views allow.
    pub(crate) fn beside(&self, view: &Values) -> Result<Vec<Values>, Rejection> {
        let start = self.of_view(view);
        let mut open = vec![start];
        for choice in &self.choices {
            let key = self.reading.seen(view, &choice.elements);
            let Some(known) = choice.known.get(&key) else { return Ok(Vec::new()) };
            let mut next = Vec::new();
            for joint in &open {
                next.extend(known.iter().filter_map(|values| self.narrowed(joint, values, &choice.slots)));
                if next.len() > MAX_JOINT {
                    return Err(Rejection::TooLarge { what: "actors beside a view" });
                }
            }
            open = next;
        }
        let mut all = Set::default();
        for joint in open {
            self.settle(&joint, view, &mut all)?;
        }
        Ok(all.into_iter().collect())
    }

    /// What a view says: of values that name none of its elements, that they name an actor or
    /// another one.
    fn of_view(&self, view: &Values) -> Joint {
        let actors = self.actors.iter().fold(0, |set, slot| set | 1 << slot);
        let open = |(value, is_read): (&Value, &bool)| match value {
            Value::Hidden => Open::Anything,
            Value::Code(code) => Open::Code(*code),
            Value::Element(slot) => Open::Element { slots: 1 << slot, rest: false },
            Value::Rest => {
                Open::Element { slots: if *is_read { actors } else { 0 }, rest: true }
            }
        };
        Joint { cells: view.iter().zip(&self.is_read).map(open).collect() }
    }

    /// The joint state with what `values` say of `slots`, unless that is a contradiction.
    fn narrowed(&self, joint: &Joint, values: &Values, slots: &[u32]) -> Option<Joint> {
        let mut narrowed = joint.clone();
        for (cell, value) in narrowed.cells.iter_mut().zip(values) {
            let said = match value {
                Value::Hidden => continue,
                Value::Code(code) => Open::Code(*code),
                Value::Element(slot) => Open::Element { slots: 1 << slot, rest: false },
                Value::Rest => Open::Element { slots: self.others(slots), rest: true },
            };
            *cell = both(cell, &said)?;
        }
        Some(narrowed)
    }

    /// The elements and actors that are not among `slots`.
    fn others(&self, slots: &[u32]) -> u32 {
        let all = (0..self.reading.n_visible).chain(self.actors.iter().copied());
        all.filter(|slot| !slots.contains(slot)).fold(0, |set, slot| set | 1 << slot)
    }

    /// All states that are left.
    fn settle(&self, joint: &Joint, view: &Values, all: &mut Set<Values>) -> Result<(), Rejection> {
        let mut open: Vec<Values> = vec![Vec::with_capacity(joint.cells.len())];
        for (idx, cell) in joint.cells.iter().enumerate() {
            let values = match cell {
                Open::Anything if self.is_read[idx] && self.is_present(idx) => {
                    return Err(Rejection::malformed("nothing is known of what a step looks at"));
                }
                Open::Anything => vec![view[idx]],
                Open::Code(code) => vec![Value::Code(*code)],
                Open::Element { slots, rest } => {
                    let named = (0..u32::BITS).filter(|slot| slots >> slot & 1 == 1);
                    named.map(Value::Element).chain(rest.then_some(Value::Rest)).collect()
                }
            };
            let longer = open.iter().flat_map(|values_so_far| {
                values.iter().map(|value| {
                    let mut longer = values_so_far.clone();
                    longer.push(*value);
                    longer
                })
            });
            open = longer.collect();
            if all.len() + open.len() > MAX_JOINT {
                return Err(Rejection::TooLarge { what: "actors beside a view" });
            }
        }
        all.extend(open);
        Ok(())
    }

    /// Does the cell belong to elements of the view and actors alone?
    fn is_present(&self, idx: usize) -> bool {
        let n_present = self.reading.n_visible + self.actors.len() as u32;
        self.reading.cells[idx].slots.iter().all(|slot| *slot < n_present)
    }
}

/// What is left if a cell is what two say of it; `None` where they contradict each other.
fn both(one: &Open, other: &Open) -> Option<Open> {
    match (one, other) {
        (Open::Anything, known) | (known, Open::Anything) => Some(known.clone()),
        (Open::Code(one), Open::Code(other)) => (one == other).then_some(Open::Code(*one)),
        (Open::Element { slots, rest }, Open::Element { slots: others, rest: other_rest }) => {
            let (slots, rest) = (slots & others, *rest && *other_rest);
            (slots != 0 || rest).then_some(Open::Element { slots, rest })
        }
        _ => None,
    }
}

/// Does a step look at a cell?
fn reads(cell: &Cell, reads: &[u64]) -> bool {
    let mut bits = cell.bit..cell.bit + cell.bits;
    bits.any(|bit| reads[(bit / 64) as usize] >> (bit % 64) & 1 == 1)
}
