//! Random pairs of thread programs: an implementation, and a specification that is often made
//! from it by merging local stores, adding detours and steps, and sometimes leaving one out.

use model::{Multiplicity, SharedCorrespondence, Store, TargetShape, Template};

use super::program::{RandomProgram, TableStep};
use crate::rng::Rng;

/// Two programs with what belongs to a question about them.
#[derive(Clone, Debug)]
pub struct RandomPair {
    /// What is asked about.
    pub implementation: RandomProgram,
    /// What it is held against.
    pub specification: RandomProgram,
    /// All shared stores.
    pub shared: SharedCorrespondence,
    /// Targets of threads, each with the one that it is matched by.
    pub targets: Vec<(usize, usize)>,
}

/// The sizes of a program.
#[derive(Clone, Copy)]
struct Size {
    n_shared: u32,
    n_local: u32,
}

/// A random pair.
pub fn pair(rng: &mut Rng) -> RandomPair {
    let n_shared = rng.between(2, 3);
    pair_over(rng, n_shared, None)
}

/// Two random pairs over the same shared stores, which stand for the same ones.
pub fn two_pairs(rng: &mut Rng) -> [RandomPair; 2] {
    let n_shared = rng.between(2, 3);
    let is_coarse = n_shared == 3 && rng.chance(15);
    let mut pairs = [0, 1].map(|_| pair_over(rng, n_shared, Some(is_coarse)));
    if rng.chance(20) {
        // Then they start together in one more store, or in another one.
        let stores = if rng.chance(50) { vec![0, 1] } else { vec![1] };
        for pair in &mut pairs {
            pair.implementation.initial_shared.clone_from(&stores);
            pair.specification.initial_shared.clone_from(&stores);
        }
    }
    pairs
}

/// A random pair over this many shared stores. `is_coarse`: does the specification not tell
/// some of them apart? By chance if nothing is said.
fn pair_over(rng: &mut Rng, n_shared: u32, is_coarse: Option<bool>) -> RandomPair {
    let size = Size { n_shared, n_local: rng.between(2, 4) };
    let n_steps = rng.between(2, 7);
    let implementation = program(rng, size, n_steps);
    let mut specification = match rng.below(5) {
        0 => {
            let n_steps = rng.between(6, 16);
            let mut free = program(rng, size, n_steps);
            free.shapes.clone_from(&implementation.shapes);
            free.fits = implementation.shapes.iter().map(|shape| fit(rng, size, shape)).collect();
            free
        }
        kind => abstraction(rng, size, &implementation, kind == 1),
    };
    let is_coarse = is_coarse.unwrap_or_else(|| n_shared == 3 && rng.chance(15));
    let stores =
        (0..n_shared).map(|shared| (shared, if is_coarse { shared.min(1) } else { shared }));
    let store = |number: u32| Store::new(&[number as u8]);
    let pairs = stores.map(|(own, other)| (store(own), store(other))).collect();
    let slotted =
        (0..implementation.shapes.len()).filter(|&i| !implementation.shapes[i].slots.is_empty());
    let mut targets: Vec<(usize, usize)> = slotted.map(|target| (target, target)).collect();
    if rng.chance(20) {
        // Then errors of the implementation need not be errors of the specification.
        targets.clear();
        specification.fits.iter_mut().for_each(|(shared, _)| shared.clear());
    }
    RandomPair { implementation, specification, shared: SharedCorrespondence { pairs }, targets }
}

fn program(rng: &mut Rng, size: Size, n_steps: u32) -> RandomProgram {
    let steps = (0..n_steps).map(|_| step(rng, size)).collect();
    let mut initial_shared = vec![0];
    initial_shared.extend(rng.chance(10).then_some(1));
    let mut initial = vec![Store::new(&[0])];
    initial.extend(rng.chance(15).then(|| Store::new(&[1])));
    let template = Template { name: "thread".into(), initial, multiplicity: Multiplicity::Any };
    let n_targets = rng.below(3);
    let shapes: Vec<TargetShape> = (0..n_targets).map(|idx| shape(rng, idx)).collect();
    let fits = shapes.iter().map(|shape| fit(rng, size, shape)).collect();
    RandomProgram {
        initial_shared,
        templates: vec![template],
        steps,
        broadcasts: Vec::new(),
        shapes,
        fits,
    }
}

fn step(rng: &mut Rng, size: Size) -> TableStep {
    TableStep {
        shared: rng.below(size.n_shared) as u8,
        local: Some(rng.below(size.n_local) as u8),
        to_shared: rng.below(size.n_shared) as u8,
        to_local: (!rng.chance(10)).then(|| rng.below(size.n_local) as u8),
        spawned: Vec::new(),
        broadcast: None,
        is_violation: rng.chance(8),
    }
}

fn shape(rng: &mut Rng, idx: u32) -> TargetShape {
    let n_slots = rng.below(3);
    let slots = (0..n_slots).map(|_| rng.between(1, 2)).collect();
    TargetShape { name: format!("target {idx}"), slots }
}

fn fit(rng: &mut Rng, size: Size, shape: &TargetShape) -> (Vec<u8>, Vec<Vec<u8>>) {
    let last = (size.n_shared - 1) as u8;
    let locals = shape.slots.iter().map(|_| vec![rng.below(size.n_local) as u8]).collect();
    (vec![last], locals)
}

/// A specification that allows what the implementation does, unless a step is left out.
fn abstraction(
    rng: &mut Rng,
    size: Size,
    implementation: &RandomProgram,
    leaves_one_out: bool,
) -> RandomProgram {
    let merged: Vec<u8> = (0..size.n_local as u8)
        .map(|local| if rng.chance(60) { local } else { rng.below(size.n_local) as u8 })
        .collect();
    let mut program = implementation.clone();
    for template in &mut program.templates {
        for store in &mut template.initial {
            *store = Store::new(&[merged[store.bytes()[0] as usize]]);
        }
    }
    for (_, slots) in &mut program.fits {
        for local in slots.iter_mut().flatten() {
            *local = merged[*local as usize];
        }
    }
    program.steps.clear();
    for (idx, own) in (0..).zip(&implementation.steps) {
        let image = |local: Option<u8>| local.map(|local| merged[local as usize]);
        let step =
            TableStep { local: image(own.local), to_local: image(own.to_local), ..own.clone() };
        detour(rng, size.n_local as u8 + idx, step, &mut program.steps);
    }
    if leaves_one_out && !program.steps.is_empty() {
        program.steps.remove(rng.below(program.steps.len() as u32) as usize);
    }
    let n_more = rng.below(4);
    program.steps.extend((0..n_more).map(|_| step(rng, size)).filter(|step| !step.is_violation));
    program
}

/// Adds a step, sometimes by way of a local store of its own.
fn detour(rng: &mut Rng, between: u8, step: TableStep, out: &mut Vec<TableStep>) {
    match rng.below(5) {
        0 => {
            let first = TableStep {
                to_shared: step.shared,
                to_local: Some(between),
                is_violation: false,
                ..step.clone()
            };
            out.push(first);
            out.push(TableStep { local: Some(between), ..step });
        }
        1 if !step.is_violation => {
            let last = TableStep { shared: step.to_shared, local: Some(between), ..step.clone() };
            out.push(TableStep { to_local: Some(between), ..step });
            out.push(last);
        }
        _ => out.push(step),
    }
}
