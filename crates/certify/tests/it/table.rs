//! A thread program given as a table, and its naive search with few threads.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    BroadcastId, Footprint, LabelId, Multiplicity, Narrator, Requirements, StepError, StepLabel,
    StepParts, Steps, Store, TargetShape, Template, ThreadProgram,
};

/// All stores are single bytes.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub shared: Vec<Store>,
    pub templates: Vec<Template>,
    pub rows: Vec<Row>,
    /// In a broadcast, a thread here may go there.
    pub passive: Vec<(u32, u8, u8)>,
    pub shapes: Vec<TargetShape>,
    /// For each target the shared stores, and for each slot the local stores.
    pub fits: Vec<(Vec<u8>, Vec<Vec<u8>>)>,
    /// Threads in these stores may have more steps than the rows say.
    pub unsure: Vec<u8>,
    /// There may be more steps of the environment than the rows say in these shared stores.
    pub unsure_environment: Vec<u8>,
    pub forbids_races: bool,
}

/// One step; `local` is `None` for steps of the environment.
#[derive(Clone, Debug, Default)]
pub struct Row {
    pub shared: u8,
    pub local: Option<u8>,
    pub to_shared: u8,
    pub to_local: Option<u8>,
    pub spawned: Vec<u8>,
    pub broadcast: Option<u32>,
    pub violation: Option<StepError>,
}

pub fn store(byte: u8) -> Store {
    Store::new(&[byte])
}

pub fn template(stores: &[u8], multiplicity: Multiplicity) -> Template {
    let initial = stores.iter().copied().map(store).collect();
    Template { name: "template".to_owned(), initial, multiplicity }
}

pub fn step(shared: u8, local: u8, to_shared: u8, to_local: u8) -> Row {
    Row { shared, local: Some(local), to_shared, to_local: Some(to_local), ..Row::default() }
}

impl Table {
    fn push(&self, shared: &[u8], local: Option<&[u8]>, out: &mut Steps) {
        for (idx, row) in (0..).zip(&self.rows) {
            if shared != [row.shared] || local.map(|local| local[0]) != row.local {
                continue;
            }
            let spawned: Vec<[u8; 1]> = row.spawned.iter().map(|byte| [*byte]).collect();
            let spawned: Vec<&[u8]> = spawned.iter().map(|byte| &byte[..]).collect();
            let to_local = row.to_local.map(|byte| [byte]);
            out.push(StepParts {
                shared: &[row.to_shared],
                local: to_local.as_ref().map(|byte| &byte[..]),
                spawned: &spawned,
                broadcast: row.broadcast.map(BroadcastId),
                footprint: Footprint::Everything,
                label: LabelId(idx),
                violation: row.violation.as_ref().map(StepError::borrowed),
            });
        }
    }
}

impl ThreadProgram for Table {
    fn initial_shared(&self) -> Vec<Store> {
        self.shared.clone()
    }

    fn templates(&self) -> &[Template] {
        &self.templates
    }

    fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
        self.push(shared, Some(local), out);
        if self.unsure.contains(&local[0]) {
            out.set_incomplete("not all steps are known");
        }
    }

    fn environment_steps(&self, shared: &[u8], out: &mut Steps) {
        self.push(shared, None, out);
        if self.unsure_environment.contains(&shared[0]) {
            out.set_incomplete("not all steps of the environment are known");
        }
    }

    fn passive(&self, broadcast: BroadcastId, local: &[u8], out: &mut Vec<Store>) {
        let rows = self.passive.iter().filter(|row| row.0 == broadcast.0 && local == [row.1]);
        out.extend(rows.map(|row| store(row.2)));
    }

    fn requirements(&self) -> &dyn Requirements {
        self
    }

    fn narrator(&self) -> &dyn Narrator {
        self
    }
}

impl Requirements for Table {
    fn forbids_races(&self) -> bool {
        self.forbids_races
    }

    fn targets(&self) -> &[TargetShape] {
        &self.shapes
    }

    fn target_shared(&self, target: usize, shared: &[u8]) -> bool {
        self.fits[target].0.contains(&shared[0])
    }

    fn target_local(&self, target: usize, slot: usize, _shared: &[u8], local: &[u8]) -> bool {
        self.fits[target].1[slot].contains(&local[0])
    }
}

impl Narrator for Table {
    fn label(&self, label: LabelId) -> StepLabel {
        StepLabel { text: format!("row {}", label.0), span: None }
    }

    fn describe_shared(&self, shared: &[u8]) -> String {
        shared[0].to_string()
    }

    fn describe_local(&self, local: &[u8]) -> String {
        local[0].to_string()
    }
}

/// The shared store, and the sorted local stores of all threads.
pub type Crowd = (u8, Vec<u8>);

/// All that is reachable from up to `n_any` threads per template of any number,
/// without more than `most` threads at once; and whether an error is reachable.
pub fn explore(table: &Table, n_any: u32, most: usize) -> (BTreeSet<Crowd>, bool) {
    let mut seen: BTreeSet<Crowd> = BTreeSet::new();
    let mut open: Vec<Crowd> = start(table, n_any);
    let mut fails = false;
    while let Some(crowd) = open.pop() {
        if crowd.1.len() > most || !seen.insert(crowd.clone()) {
            continue;
        }
        fails |= (0..table.shapes.len()).any(|target| fits(table, target, &crowd));
        for row in table.rows.iter().filter(|row| row.shared == crowd.0) {
            let mut others = crowd.1.clone();
            if let Some(local) = row.local {
                let Some(at) = others.iter().position(|byte| *byte == local) else { continue };
                others.remove(at);
            }
            fails |= row.violation.is_some();
            if row.violation.is_none() {
                open.extend(follow(table, row, &others));
            }
        }
    }
    (seen, fails)
}

fn start(table: &Table, n_any: u32) -> Vec<Crowd> {
    let mut crowds: BTreeSet<Vec<u8>> = BTreeSet::from([Vec::new()]);
    for template in &table.templates {
        let numbers = match template.multiplicity {
            Multiplicity::Exactly(n) => n..=n,
            Multiplicity::Any => 0..=n_any,
        };
        let mut longer = BTreeSet::new();
        for n in numbers {
            let mut some = crowds.clone();
            for _ in 0..n {
                let more = some.iter().flat_map(|crowd| {
                    let add = |store: &Store| {
                        let mut crowd = crowd.clone();
                        crowd.push(store.bytes()[0]);
                        crowd.sort_unstable();
                        crowd
                    };
                    template.initial.iter().map(add)
                });
                some = more.collect();
            }
            longer.extend(some);
        }
        crowds = longer;
    }
    let with = |shared: &Store| {
        let shared = shared.bytes()[0];
        crowds.iter().map(move |crowd| (shared, crowd.clone())).collect::<Vec<_>>()
    };
    table.shared.iter().flat_map(with).collect()
}

fn follow(table: &Table, row: &Row, others: &[u8]) -> Vec<Crowd> {
    let mut all: BTreeSet<Vec<u8>> = BTreeSet::from([Vec::new()]);
    for &byte in others {
        let mut options: Vec<u8> = Vec::new();
        if let Some(broadcast) = row.broadcast {
            let rows = table.passive.iter().filter(|p| p.0 == broadcast && p.1 == byte);
            options.extend(rows.map(|passive| passive.2));
        }
        if options.is_empty() {
            options.push(byte);
        }
        let longer = all.iter().flat_map(|crowd| {
            options.iter().map(|option| crowd.iter().copied().chain([*option]).collect())
        });
        all = longer.collect();
    }
    let finish = |mut crowd: Vec<u8>| {
        crowd.extend(row.to_local);
        crowd.extend(&row.spawned);
        crowd.sort_unstable();
        (row.to_shared, crowd)
    };
    all.into_iter().map(finish).collect()
}

/// Tries every assignment of threads to slots.
fn fits(table: &Table, target: usize, crowd: &Crowd) -> bool {
    let (shared, slots) = &table.fits[target];
    if !shared.contains(&crowd.0) {
        return false;
    }
    let mut left: BTreeSet<Vec<u8>> = BTreeSet::from([crowd.1.clone()]);
    for (slot, &n_threads) in table.shapes[target].slots.iter().enumerate() {
        for _ in 0..n_threads {
            let fewer = left.iter().flat_map(|crowd| {
                (0..crowd.len()).filter(|&at| slots[slot].contains(&crowd[at])).map(|at| {
                    let mut crowd = crowd.clone();
                    crowd.remove(at);
                    crowd
                })
            });
            left = fewer.collect();
        }
    }
    !left.is_empty()
}

/// How many threads are in each local store.
pub fn tally(crowd: &Crowd) -> BTreeMap<u8, u32> {
    let mut tally = BTreeMap::new();
    for &byte in &crowd.1 {
        *tally.entry(byte).or_default() += 1;
    }
    tally
}
