//! What actors beside a view may be, as far as their steps look at it.
//!
//! Of a state of any size, each choice of as many elements as a view has is a view. So each
//! choice among the elements of a view and the actors beside it must be a listed one. Of a
//! joint state only what the steps look at matters: for each such cell the values that are
//! possible are narrowed down, choice by choice.

use model::parameterized::{Cell, StepsBeside};
use rustc_hash::{FxHashMap, FxHashSet};

use super::placing::{Kind, Placings};
use super::reading::{ELEMENT, HIDDEN, REST, Reading, Value, Values};
use crate::rejection::Rejection;

/// Joint states of one view and one kind of steps, at the most.
const MAX_JOINT: usize = 1 << 20;

/// The companies of the actors of steps that look at the same cells.
pub(crate) struct Company<'a> {
    reading: &'a Reading,
    placings: &'a Placings,
    /// The cells that matter: those of elements and actors that the steps look at.
    read: Vec<usize>,
    actors: u32,
    choices: Vec<Choice>,
}

/// Elements of the view and actors that must be a view together.
struct Choice {
    /// The cells that an earlier choice has settled, by their places among those that matter:
    /// they are codes of actors that are in that one too.
    settled: Vec<usize>,
    /// What the cells that matter may be, by what the elements are and by what is settled, and
    /// the steps that may be taken then.
    known: FxHashMap<(Kind, Values), Vec<(Values, StepSet)>>,
}

/// Steps that look at the same, one bit each.
pub(crate) type StepSet = u64;

/// What a cell may still be: a code, or with [`NAMES`] a set of slots and maybe the rest.
type Possible = u64;

const NAMES: Possible = 1 << 62;
const OR_REST: Possible = 1 << 32;
const ANYTHING: Possible = u64::MAX;

/// The cells that steps look at, out of those of elements and actors. What a code is that belongs
/// to no actor, the view says.
pub(crate) fn cells_read(reading: &Reading, beside: &StepsBeside<'_>) -> Vec<usize> {
    let present = (1 << (reading.n_visible + beside.n_actors)) - 1;
    let is_read = |idx: &usize| {
        let (cell, owners) = (&reading.cells[*idx], reading.owners[*idx]);
        let is_open = owners & !reading.visible() != 0 || cell.first_code.is_some();
        is_open && owners & !present == 0 && looks_at(cell, beside.reads)
    };
    (0..reading.cells.len()).filter(is_read).collect()
}

impl<'a> Company<'a> {
    /// What actors may be, where `may_step` says which steps a state of them allows.
    pub(crate) fn new(
        reading: &'a Reading,
        (views, placings): (&[Values], &'a Placings),
        (n_actors, read): (u32, Vec<usize>),
        mut may_step: impl FnMut(&[u64]) -> Result<StepSet, Rejection>,
    ) -> Result<Company<'a>, Rejection> {
        let actors = ((1 << n_actors) - 1) << reading.n_visible;
        let mut company = Company { reading, placings, read, actors, choices: Vec::new() };
        let mut met = 0;
        for idx in 0..placings.all.len() {
            let choice = company.choice(views, idx, met, &mut may_step)?;
            met |= placings.all[idx].slots & actors;
            company.choices.push(choice);
        }
        Ok(company)
    }

    fn choice(
        &self,
        views: &[Values],
        idx: usize,
        met: u32,
        may_step: &mut impl FnMut(&[u64]) -> Result<StepSet, Rejection>,
    ) -> Result<Choice, Rejection> {
        let placing = &self.placings.all[idx];
        let is_settled = |place: &usize| {
            let cell = self.read[*place];
            let owners = self.reading.owners[cell];
            let is_code = self.reading.cells[cell].first_code.is_none();
            is_code && owners.count_ones() == 1 && owners & met & placing.slots != 0
        };
        let settled: Vec<usize> = (0..self.read.len()).filter(is_settled).collect();
        let mut choice = Choice { settled, known: FxHashMap::default() };
        let has_all_actors = self.actors & !placing.slots == 0;
        let mut seen: FxHashSet<(Kind, Values)> = FxHashSet::default();
        let mut values: Vec<Value> = Vec::with_capacity(self.read.len());
        for (view, kind) in views.iter().zip(&placing.kinds) {
            values.clear();
            values.extend(self.read.iter().map(|cell| placing.value(view, *cell)));
            let said = (*kind, Values::from(&values[..]));
            if seen.contains(&said) {
                continue;
            }
            let steps = match has_all_actors {
                true => may_step(&self.alone(view, idx))?,
                false => StepSet::MAX,
            };
            if steps != 0 {
                let key = choice.settled.iter().map(|place| values[*place]).collect();
                choice.known.entry((*kind, key)).or_default().push((said.1.clone(), steps));
            }
            seen.insert(said);
        }
        Ok(choice)
    }

    /// The state of a view that is placed so, alone.
    fn alone(&self, view: &Values, idx: usize) -> Vec<u64> {
        let placing = &self.placings.all[idx];
        let cells = 0..self.reading.cells.len();
        let values: Values = cells.map(|cell| placing.value(view, cell)).collect();
        self.reading.state(&values)
    }

    /// Calls `act` with the state of `view` and actors, for each that the views allow. `kinds`
    /// are those of its elements, for each placing.
    pub(crate) fn beside(
        &self,
        (view, kinds): (&Values, &[Option<Kind>]),
        mut act: impl FnMut(&[u64], StepSet) -> Result<(), Rejection>,
    ) -> Result<(), Rejection> {
        let mut open = Joint { possible: self.of_view(view), steps: vec![StepSet::MAX] };
        for (idx, kind) in kinds.iter().enumerate() {
            let Some(kind) = kind else { return Ok(()) };
            open = self.met(idx, *kind, &open)?;
            if open.steps.is_empty() {
                return Ok(());
            }
        }
        let mut joint: FxHashMap<Values, StepSet> = FxHashMap::default();
        for (idx, steps) in open.steps.iter().enumerate() {
            settle(open.possible(idx, self.read.len()), *steps, &mut joint)?;
        }
        let mut state = self.reading.state(view);
        for (values, steps) in joint {
            for (idx, value) in self.read.iter().zip(values.iter()) {
                self.reading.put(&mut state, *idx, *value);
            }
            act(&state, steps)?;
        }
        Ok(())
    }

    /// Joint states with one more choice among the views.
    fn met(&self, idx: usize, kind: Kind, open: &Joint) -> Result<Joint, Rejection> {
        let (choice, slots) = (&self.choices[idx], self.placings.all[idx].slots);
        let others = (self.reading.visible() | self.actors) & !slots;
        let mut next = Joint { possible: Vec::new(), steps: Vec::new() };
        for (idx, before) in open.steps.iter().enumerate() {
            let joint = open.possible(idx, self.read.len());
            let key = choice.settled.iter().map(|place| joint[*place]).collect();
            let known = choice.known.get(&(kind, key));
            for (said, steps) in known.map_or(&[][..], Vec::as_slice) {
                let steps = steps & before;
                if steps != 0 && narrowed(joint, said, others, &mut next.possible) {
                    next.steps.push(steps);
                }
            }
            if next.steps.len() > MAX_JOINT {
                return Err(Rejection::TooLarge { what: "actors beside a view" });
            }
        }
        Ok(next)
    }

    /// What a view says of the cells that matter. A value that names none of its elements may
    /// name an actor.
    fn of_view(&self, view: &Values) -> Vec<Possible> {
        self.read.iter().map(|idx| said_by(view[*idx], self.actors)).collect()
    }
}

/// Joint states one behind the other: what the cells that matter may be, and the steps that may
/// be taken then.
struct Joint {
    possible: Vec<Possible>,
    steps: Vec<StepSet>,
}

impl Joint {
    /// One of them, of `n_cells` cells.
    fn possible(&self, idx: usize, n_cells: usize) -> &[Possible] {
        &self.possible[idx * n_cells..][..n_cells]
    }
}

/// Adds to `out` what is possible by `joint` and by what is said, unless that is a contradiction.
fn narrowed(joint: &[Possible], said: &Values, others: u32, out: &mut Vec<Possible>) -> bool {
    let start = out.len();
    for (cell, value) in joint.iter().zip(said.iter()) {
        match both(*cell, said_by(*value, others)) {
            Some(possible) => out.push(possible),
            None => {
                out.truncate(start);
                return false;
            }
        }
    }
    true
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
fn settle(
    possible: &[Possible],
    steps: StepSet,
    all: &mut FxHashMap<Values, StepSet>,
) -> Result<(), Rejection> {
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
            code => {
                open.iter_mut().for_each(|values| values.push(code));
                continue;
            }
        };
        let longer = open.iter().flat_map(|so_far| {
            values.iter().map(|value| so_far.iter().copied().chain([*value]).collect())
        });
        open = longer.collect();
        if all.len() + open.len() > MAX_JOINT {
            return Err(Rejection::TooLarge { what: "actors beside a view" });
        }
    }
    for values in open {
        *all.entry(values.into_boxed_slice()).or_default() |= steps;
    }
    Ok(())
}

/// Does a step look at a cell?
pub(crate) fn looks_at(cell: &Cell, reads: &[u64]) -> bool {
    let mut bits = cell.bit..cell.bit + cell.bits;
    bits.any(|bit| reads[(bit / 64) as usize] >> (bit % 64) & 1 == 1)
}
