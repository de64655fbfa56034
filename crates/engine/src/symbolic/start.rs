//! How threads start: the states that runs start in, and the views of them.

use std::collections::BTreeMap;

use model::{BooleanFlow, FlowThread, Multiplicity, StopReason, ThreadCount};

use super::diagram::{Set, Variable};
use super::world::{Family, World};

/// How many threads of each kind a run starts with.
#[derive(Clone, Debug)]
pub(super) struct Population {
    /// For each kind of thread with a fixed number, that number; `None` for the others.
    fixed: Vec<Option<u32>>,
    /// How many threads of the other kinds there are together; `None`: any number.
    free: Option<u32>,
}

/// What the places of threads are filled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Crowd {
    /// All threads that there are.
    Whole,
    /// Some of them.
    Part,
}

impl Population {
    /// The threads that a run of `threads` threads starts with; `None`: no run does.
    pub(super) fn new(flow: &BooleanFlow, threads: ThreadCount) -> Option<Population> {
        let fixed: Vec<Option<u32>> = (flow.threads.iter())
            .map(|kind| match kind.multiplicity {
                Multiplicity::Exactly(n) => Some(n),
                Multiplicity::Any => None,
            })
            .collect();
        let has_free = fixed.contains(&None);
        let n_fixed = fixed.iter().flatten().try_fold(0u32, |sum, &n| sum.checked_add(n))?;
        let free = match threads {
            ThreadCount::Any if has_free => None,
            ThreadCount::Any => Some(0),
            ThreadCount::Exactly(n) => Some(n.checked_sub(n_fixed)?),
            ThreadCount::AsGiven => return None,
        };
        (has_free || free == Some(0)).then_some(Population { fixed, free })
    }

    /// The number of threads of all runs, if they all start with the same.
    pub(super) fn size(&self) -> Option<u32> {
        self.free.map(|free| free.saturating_add(self.fewest_fixed()))
    }

    /// The number of threads that each run starts with at least.
    pub(super) fn fewest(&self) -> u32 {
        self.fewest_fixed().saturating_add(self.free.unwrap_or(0))
    }

    fn fewest_fixed(&self) -> u32 {
        self.fixed.iter().flatten().fold(0, |sum, &n| sum.saturating_add(n))
    }

    /// The states in which `n_threads` places are filled as runs start.
    pub(super) fn states(
        &self,
        world: &World<'_>,
        n_threads: usize,
        crowd: Crowd,
    ) -> Result<Family, StopReason> {
        let mut casts = Casts { population: self, world, n_threads, crowd, known: BTreeMap::new() };
        let shared = initial_shared(world)?;
        let mut family = world.nothing();
        let start = casts.everybody();
        for (role, left) in casts.roles(&start) {
            let rest = casts.places(1, &left)?;
            let rest = world.diagrams.and(&shared, &rest)?;
            let own = casts.locals(0, role)?;
            let states = world.diagrams.and(&rest, &own)?;
            let location = role
                .map_or(world.layout.absent(), |kind| world.flow.threads[kind].entry.0 as usize);
            family.add(&world.diagrams, location, &states)?;
        }
        Ok(family)
    }
}

fn initial_shared(world: &World<'_>) -> Result<Set, StopReason> {
    let known = world.flow.shared.iter().enumerate();
    let mut literals: Vec<(Variable, bool)> = known
        .filter_map(|(idx, variable)| Some((world.layout.shared(idx), variable.initial?)))
        .collect();
    literals.push((world.layout.atomic(), false));
    world.diagrams.cube(&literals)
}

/// Threads that still have no place: of each kind with a fixed number, and of the others.
type Waiting = (Vec<u32>, Option<u32>);

/// Fills places with threads in all ways.
struct Casts<'a> {
    population: &'a Population,
    world: &'a World<'a>,
    n_threads: usize,
    crowd: Crowd,
    known: BTreeMap<(usize, Waiting), Set>,
}

impl Casts<'_> {
    /// Nobody has a place yet. No more than the places are counted.
    fn everybody(&self) -> Waiting {
        let most = self.n_threads as u32 + 1;
        let fixed = self.population.fixed.iter().map(|n| n.unwrap_or(0).min(most)).collect();
        (fixed, self.population.free.map(|free| free.min(most)))
    }

    /// Who may take the next place (`None`: nobody), and who still waits then.
    fn roles(&self, waiting: &Waiting) -> Vec<(Option<usize>, Waiting)> {
        let mut roles = vec![(None, waiting.clone())];
        for (kind, fixed) in self.population.fixed.iter().enumerate() {
            let mut left = waiting.clone();
            let place = match fixed {
                Some(_) => Some(&mut left.0[kind]),
                None => left.1.as_mut(),
            };
            match place {
                Some(0) => continue,
                Some(n) => *n -= 1,
                None => {}
            }
            roles.push((Some(kind), left));
        }
        roles
    }

    /// The places from `place` on, filled.
    fn places(&mut self, place: usize, waiting: &Waiting) -> Result<Set, StopReason> {
        let diagrams = &self.world.diagrams;
        if place == self.n_threads {
            let nobody_waits = waiting.0.iter().all(|&n| n == 0) && waiting.1.unwrap_or(0) == 0;
            return Ok(match nobody_waits || self.crowd == Crowd::Part {
                true => diagrams.full(),
                false => diagrams.empty(),
            });
        }
        let key = (place, waiting.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let mut all = diagrams.empty();
        for (role, left) in self.roles(waiting) {
            let rest = self.places(place + 1, &left)?;
            let diagrams = &self.world.diagrams;
            let at = match role {
                Some(kind) => {
                    let entry = self.world.flow.threads[kind].entry.0 as usize;
                    self.world.layout.at(place, entry)
                }
                None => self.world.layout.at(place, self.world.layout.absent()),
            };
            let own = diagrams.and(&diagrams.cube(&at)?, &self.locals(place, role)?)?;
            all = diagrams.or(&all, &diagrams.and(&own, &rest)?)?;
        }
        self.known.insert(key, all.clone());
        Ok(all)
    }

    fn locals(&self, place: usize, role: Option<usize>) -> Result<Set, StopReason> {
        let layout = &self.world.layout;
        let literals: Vec<(Variable, bool)> = match role {
            None => layout.locals(place).iter().map(|&variable| (variable, false)).collect(),
            Some(kind) => known_locals(&self.world.flow.threads[kind])
                .map(|(idx, value)| (layout.local(place, idx), value))
                .collect(),
        };
        self.world.diagrams.cube(&literals)
    }
}

fn known_locals(kind: &FlowThread) -> impl Iterator<Item = (usize, bool)> + '_ {
    kind.locals.iter().enumerate().filter_map(|(idx, value)| Some((idx, (*value)?)))
}
