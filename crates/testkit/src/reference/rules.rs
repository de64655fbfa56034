//! Flattens any problem into rules over plain vectors, for the naive searches.
//!
//! A rule takes tokens, moves whole counters, and gives tokens. Thread programs
//! become rules by asking for the steps of every pair of stores, so this is for
//! programs with few stores.

use model::{CounterSystem, Multiplicity, Steps, Store, ThreadProgram, Zone};

/// A flat system with its question.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Number of counters.
    pub n_counters: usize,
    /// The rules.
    pub rules: Vec<Rule>,
    /// Where runs start.
    pub initial: Vec<Start>,
    /// The minimal elements of what must not be reachable.
    pub targets: Vec<Vector>,
}

/// A control state and a number for each counter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vector {
    /// The control state.
    pub control: usize,
    /// A number for each counter.
    pub counts: Vec<u32>,
}

/// Initial vectors: a control state, and for each counter a smallest and a
/// largest number.
#[derive(Clone, Debug)]
pub struct Start {
    /// The control state.
    pub control: usize,
    /// The smallest numbers.
    pub min: Vec<u32>,
    /// The largest numbers; `None` is no limit.
    pub max: Vec<Option<u32>>,
}

/// Enabled at or above `guard` and `take`; subtracts `take`, then empties each
/// moved counter into its destinations, then adds `delta`.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Control state before.
    pub from: usize,
    /// Control state after.
    pub to: usize,
    /// What must be there.
    pub guard: Vec<u32>,
    /// What is taken before the moves.
    pub take: Vec<u32>,
    /// Emptied counters with the destinations of their tokens.
    pub moves: Vec<(usize, Vec<usize>)>,
    /// What is added after the moves.
    pub delta: Vec<i64>,
}

/// The rules of a counter system; `None` when it has upper bounds in guards or
/// targets, for which upward-closed sets do not suffice.
pub fn of_counters(system: &CounterSystem) -> Option<Rules> {
    let n_counters = system.counter_names.len();
    let plain_targets = system.targets.iter().all(|target| target.zone.is_upward_closed());
    if !plain_targets || system.transitions.iter().any(|t| t.has_upper_bounds()) {
        return None;
    }
    let rules = system.transitions.iter().map(|transition| {
        let mut rule = Rule {
            from: transition.from.idx(),
            to: transition.to.idx(),
            guard: vec![0; n_counters],
            take: vec![0; n_counters],
            moves: Vec::new(),
            delta: vec![0; n_counters],
        };
        for (counter, bounds) in &transition.guard {
            rule.guard[counter.idx()] = bounds.min;
        }
        for (counter, change) in &transition.delta {
            rule.delta[counter.idx()] = *change;
        }
        let moves = transition.moves.iter();
        rule.moves = moves
            .map(|m| (m.from.idx(), m.to.iter().map(|counter| counter.idx()).collect()))
            .collect();
        rule
    });
    let initial = system.initial.iter().map(|zone| {
        let mut start = Start::zero(zone.control.idx(), n_counters);
        for (counter, bounds) in &zone.bounds {
            start.min[counter.idx()] = bounds.min;
            start.max[counter.idx()] = bounds.max;
        }
        start
    });
    Some(Rules {
        n_counters,
        rules: rules.collect(),
        initial: initial.collect(),
        targets: system.targets.iter().map(|t| minimal_element(&t.zone, n_counters)).collect(),
    })
}

fn minimal_element(zone: &Zone, n_counters: usize) -> Vector {
    let mut counts = vec![0; n_counters];
    for (counter, bounds) in &zone.bounds {
        counts[counter.idx()] = bounds.min;
    }
    Vector { control: zone.control.idx(), counts }
}

impl Start {
    fn zero(control: usize, n_counters: usize) -> Start {
        Start { control, min: vec![0; n_counters], max: vec![Some(0); n_counters] }
    }
}

/// The rules of a thread program, for any number of threads.
pub fn of_threads(program: &dyn ThreadProgram) -> Rules {
    let stores = Stores::discover(program);
    let mut rules = Rules { n_counters: stores.local.len(), ..Rules::default() };
    // Steps that are errors lead to a control state of their own.
    let error = stores.shared.len();
    let mut steps = Steps::new();
    for shared in &stores.shared {
        for local in &stores.local {
            steps.clear();
            program.steps(shared.bytes(), local.bytes(), &mut steps);
            rules.add_steps(program, &stores, (shared, Some(local)), &steps);
        }
        steps.clear();
        program.environment_steps(shared.bytes(), &mut steps);
        rules.add_steps(program, &stores, (shared, None), &steps);
    }
    rules.targets = targets(program, &stores);
    rules.targets.push(Vector { control: error, counts: vec![0; rules.n_counters] });
    rules.initial = starts(program, &stores);
    rules
}

/// Every store that occurs in any step of any pair of stores found so far: more
/// than is reachable, and finite when the front end's stores are.
struct Stores {
    shared: Vec<Store>,
    local: Vec<Store>,
}

impl Stores {
    fn discover(program: &dyn ThreadProgram) -> Stores {
        let mut shared = program.initial_shared();
        let mut local: Vec<Store> = Vec::new();
        for template in program.templates() {
            local.extend(template.initial.iter().cloned());
        }
        dedup(&mut shared);
        dedup(&mut local);
        loop {
            let before = (shared.len(), local.len());
            Stores::extend(program, &mut shared, &mut local);
            dedup(&mut shared);
            dedup(&mut local);
            if before == (shared.len(), local.len()) {
                return Stores { shared, local };
            }
        }
    }

    fn extend(program: &dyn ThreadProgram, shared: &mut Vec<Store>, local: &mut Vec<Store>) {
        let mut steps = Steps::new();
        for from in shared.clone() {
            for thread in local.iter() {
                program.steps(from.bytes(), thread.bytes(), &mut steps);
            }
            program.environment_steps(from.bytes(), &mut steps);
        }
        let mut passive = Vec::new();
        for step in steps.iter() {
            shared.push(Store::new(step.shared()));
            if let Some(broadcast) = step.broadcast() {
                for thread in local.iter() {
                    program.passive(broadcast, thread.bytes(), &mut passive);
                }
            }
        }
        for step in steps.iter() {
            local.extend(step.local().map(Store::new));
            local.extend(step.spawned().map(Store::new));
        }
        local.append(&mut passive);
    }

    fn shared_idx(&self, store: &[u8]) -> usize {
        let found = self.shared.binary_search_by(|known| known.bytes().cmp(store));
        found.expect("discovery saw every store of every step")
    }

    fn local_idx(&self, store: &[u8]) -> usize {
        let found = self.local.binary_search_by(|known| known.bytes().cmp(store));
        found.expect("discovery saw every store of every step")
    }
}

fn dedup(stores: &mut Vec<Store>) {
    stores.sort();
    stores.dedup();
}

impl Rules {
    fn add_steps(
        &mut self,
        program: &dyn ThreadProgram,
        stores: &Stores,
        (shared, local): (&Store, Option<&Store>),
        steps: &Steps,
    ) {
        for step in steps.iter() {
            let mut rule = Rule {
                from: stores.shared_idx(shared.bytes()),
                to: stores.shared_idx(step.shared()),
                guard: vec![0; self.n_counters],
                take: vec![0; self.n_counters],
                moves: Vec::new(),
                delta: vec![0; self.n_counters],
            };
            if let Some(local) = local {
                rule.take[stores.local_idx(local.bytes())] = 1;
            }
            if step.violation().is_some() {
                rule.to = stores.shared.len();
            }
            for store in step.local().into_iter().chain(step.spawned()) {
                rule.delta[stores.local_idx(store)] += 1;
            }
            if let Some(broadcast) = step.broadcast() {
                rule.moves = moves(stores, |thread, out| program.passive(broadcast, thread, out));
            }
            self.rules.push(rule);
        }
    }
}

fn moves(stores: &Stores, passive: impl Fn(&[u8], &mut Vec<Store>)) -> Vec<(usize, Vec<usize>)> {
    let mut moves = Vec::new();
    for (idx, local) in stores.local.iter().enumerate() {
        let mut becomes = Vec::new();
        passive(local.bytes(), &mut becomes);
        if !becomes.is_empty() {
            moves.push((idx, becomes.iter().map(|to| stores.local_idx(to.bytes())).collect()));
        }
    }
    moves
}

fn targets(program: &dyn ThreadProgram, stores: &Stores) -> Vec<Vector> {
    let mut targets = Vec::new();
    for (target, shape) in program.requirements().targets().iter().enumerate() {
        for (control, shared) in stores.shared.iter().enumerate() {
            if !program.requirements().target_shared(target, shared.bytes()) {
                continue;
            }
            let mut partial = vec![vec![0; stores.local.len()]];
            for (slot, &n_threads) in shape.slots.iter().enumerate() {
                let fits: Vec<usize> = (0..stores.local.len())
                    .filter(|&idx| {
                        let local = stores.local[idx].bytes();
                        program.requirements().target_local(target, slot, shared.bytes(), local)
                    })
                    .collect();
                for _ in 0..n_threads {
                    partial = with_one_more(&partial, &fits);
                }
            }
            targets.extend(partial.into_iter().map(|counts| Vector { control, counts }));
        }
    }
    targets
}

fn with_one_more(partial: &[Vec<u32>], fits: &[usize]) -> Vec<Vec<u32>> {
    let mut extended = Vec::new();
    for counts in partial {
        for &idx in fits {
            let mut more = counts.clone();
            more[idx] += 1;
            extended.push(more);
        }
    }
    extended.sort();
    extended.dedup();
    extended
}

/// One start for each shared store and each way in which the fixed threads
/// choose their initial locals.
fn starts(program: &dyn ThreadProgram, stores: &Stores) -> Vec<Start> {
    let mut fixed = vec![vec![0; stores.local.len()]];
    let mut unlimited = vec![false; stores.local.len()];
    for template in program.templates() {
        let initial: Vec<usize> =
            template.initial.iter().map(|store| stores.local_idx(store.bytes())).collect();
        match template.multiplicity {
            Multiplicity::Exactly(n) => {
                for _ in 0..n {
                    fixed = with_one_more(&fixed, &initial);
                }
            }
            Multiplicity::Any => initial.iter().for_each(|&idx| unlimited[idx] = true),
        }
    }
    let mut starts = Vec::new();
    for shared in program.initial_shared() {
        for counts in &fixed {
            let mut start = Start::zero(stores.shared_idx(shared.bytes()), stores.local.len());
            start.min.clone_from(counts);
            start.max = (counts.iter().zip(&unlimited))
                .map(|(&count, &any)| if any { None } else { Some(count) })
                .collect();
            starts.push(start);
        }
    }
    starts
}
