//! Produces the rows and columns of the state equation from a counter system.
//!
//! Control states and counters alike are *places*; in every configuration
//! exactly one control place holds a token. A row stands for a place whose
//! weight may be positive, a column for the effect of transitions on the rows.
//! What cannot matter is left out: places that are forced to weigh nothing,
//! columns that add nothing anywhere, duplicates and multiples.

use model::{ControlId, CounterId, CounterSystem, CounterTransition, InitialZone, Zone};

/// Sparse entries by row; sorted, no zeros.
pub(super) type Entries = Vec<(u32, i64)>;

/// The rows and columns.
pub(super) struct Effects {
    /// The row of each control state, then of each counter.
    row_of_place: Vec<Option<u32>>,
    /// The place of each row.
    places: Vec<RowMeaning>,
    n_controls: usize,
    /// What firing changes. Transfers are split into one column per destination.
    pub(super) columns: Vec<Entries>,
    /// For each initial zone the most it has on each row.
    pub(super) initial: Vec<Entries>,
    /// For each initial zone the rows that surely hold a token.
    pub(super) marked: Vec<Vec<u32>>,
}

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RowMeaning {
    Control(ControlId),
    Counter(CounterId),
}

impl Effects {
    pub(super) fn new(system: &CounterSystem) -> Effects {
        let n_controls = system.control_names.len();
        let n_places = n_controls + system.counter_names.len();
        let zones: Vec<&InitialZone> =
            system.initial.iter().filter(|zone| !is_empty(zone)).collect();
        let raw = raw_columns(system, n_controls);
        let weightless = weightless_places(&zones, &raw, (n_controls, n_places));

        let mut effects = Effects {
            row_of_place: vec![None; n_places],
            places: Vec::new(),
            n_controls,
            columns: Vec::new(),
            initial: Vec::new(),
            marked: Vec::new(),
        };
        for place_idx in (0..n_places).filter(|&idx| !weightless[idx]) {
            effects.row_of_place[place_idx] = Some(effects.places.len() as u32);
            effects.places.push(place_at(place_idx, n_controls));
        }
        effects.columns = raw.iter().filter_map(|column| effects.reduced(column)).collect();
        effects.columns.sort_unstable();
        effects.columns.dedup();
        effects.initial = zones.iter().map(|zone| effects.most(zone)).collect();
        effects.marked = zones.iter().map(|zone| effects.surely_marked(zone)).collect();
        effects
    }

    pub(super) fn n_rows(&self) -> usize {
        self.places.len()
    }

    pub(super) fn place(&self, row: usize) -> RowMeaning {
        self.places[row]
    }

    pub(super) fn control_row(&self, control: ControlId) -> Option<u32> {
        self.row_of_place[..self.n_controls].get(control.idx()).copied().flatten()
    }

    pub(super) fn counter_row(&self, counter: CounterId) -> Option<u32> {
        self.row_of_place.get(self.n_controls + counter.idx()).copied().flatten()
    }

    /// The least that a configuration in the zone has on each row.
    pub(super) fn demand(&self, zone: &Zone) -> Entries {
        let control = self.control_row(zone.control).map(|row| (row, 1));
        let counters = zone.bounds.iter().filter(|(_, bounds)| bounds.min > 0);
        let counters = counters.filter_map(|&(counter, bounds)| {
            Some((self.counter_row(counter)?, i64::from(bounds.min)))
        });
        control.into_iter().chain(counters).collect()
    }

    fn most(&self, zone: &InitialZone) -> Entries {
        let control = self.control_row(zone.control).map(|row| (row, 1));
        let counters = zone.bounds.iter().filter_map(|&(counter, bounds)| {
            let most = bounds.max.filter(|&max| max > 0)?;
            Some((self.counter_row(counter)?, i64::from(most)))
        });
        control.into_iter().chain(counters).collect()
    }

    fn surely_marked(&self, zone: &InitialZone) -> Vec<u32> {
        let counters = zone.bounds.iter().filter(|(_, bounds)| bounds.min > 0);
        let counters = counters.filter_map(|&(counter, _)| self.counter_row(counter));
        self.control_row(zone.control).into_iter().chain(counters).collect()
    }

    /// The column on the rows alone, divided by its greatest common divisor;
    /// `None` when no weighting could fail on it.
    fn reduced(&self, column: &[(usize, i64)]) -> Option<Entries> {
        let rows = column.iter().filter_map(|&(place_idx, change)| {
            self.row_of_place[place_idx].map(|row| (row, change))
        });
        let mut entries: Entries = rows.collect();
        if entries.iter().all(|&(_, change)| change < 0) {
            return None;
        }
        let divisor = entries.iter().fold(0, |acc, &(_, change)| gcd(acc, change.unsigned_abs()));
        if let Ok(divisor @ 2..) = i64::try_from(divisor) {
            entries.iter_mut().for_each(|(_, change)| *change /= divisor);
        }
        Some(entries)
    }
}

pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn is_empty(zone: &InitialZone) -> bool {
    zone.bounds.iter().any(|(_, bounds)| bounds.is_empty())
}

fn place_at(place_idx: usize, n_controls: usize) -> RowMeaning {
    match place_idx.checked_sub(n_controls) {
        None => RowMeaning::Control(ControlId(place_idx as u32)),
        Some(counter_idx) => RowMeaning::Counter(CounterId(counter_idx as u32)),
    }
}

/// All effects by place, controls first. A moved token may weigh no more where it
/// arrives than where it came from: that is a column of its own per destination,
/// fired any number of times, which over-approximates the transfer.
fn raw_columns(system: &CounterSystem, n_controls: usize) -> Vec<Vec<(usize, i64)>> {
    let mut columns = Vec::new();
    for transition in &system.transitions {
        columns.push(fired(transition, n_controls));
        for moved in &transition.moves {
            let from = n_controls + moved.from.idx();
            let elsewhere = moved.to.iter().filter(|&&to| to != moved.from);
            columns.extend(elsewhere.map(|to| {
                let mut column = vec![(from, -1), (n_controls + to.idx(), 1)];
                column.sort_unstable();
                column
            }));
        }
    }
    columns.sort_unstable();
    columns.dedup();
    columns
}

fn fired(transition: &CounterTransition, n_controls: usize) -> Vec<(usize, i64)> {
    let mut column = Vec::with_capacity(2 + transition.delta.len());
    if transition.from != transition.to {
        column.push((transition.from.idx(), -1));
        column.push((transition.to.idx(), 1));
        column.sort_unstable();
    }
    let delta = transition.delta.iter();
    column.extend(delta.map(|&(counter, change)| (n_controls + counter.idx(), change)));
    column
}

/// Places that no weighting can give a positive weight: those without an initial
/// bound, and those which a transition feeds while it takes only from such.
fn weightless_places(
    zones: &[&InitialZone],
    columns: &[Vec<(usize, i64)>],
    (n_controls, n_places): (usize, usize),
) -> Vec<bool> {
    let mut weightless = vec![false; n_places];
    for (counter, bounds) in zones.iter().flat_map(|zone| &zone.bounds) {
        weightless[n_controls + counter.idx()] |= bounds.max.is_none();
    }
    let mut open: Vec<&Vec<(usize, i64)>> = columns.iter().collect();
    loop {
        let n_open = open.len();
        open.retain(|column| {
            let takes_weight = column.iter().any(|&(idx, change)| change < 0 && !weightless[idx]);
            if !takes_weight {
                column.iter().for_each(|&(idx, _)| weightless[idx] = true);
            }
            takes_weight
        });
        if open.len() == n_open {
            return weightless;
        }
    }
}
