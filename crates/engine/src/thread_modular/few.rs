//! What few threads really do: is an alarm real, and which local stores are threads never in
//! at the same time?
//!
//! An exact search of 1, 2, 3, … threads, breadth first and for a little counted work. An
//! error that it finds is real. What it sees of threads together is a guess at what more of
//! them do: it decides which facts are worth exposing, and nothing is concluded from it.

use std::rc::Rc;

use model::{
    BroadcastId, Multiplicity, PassiveMove, Steps, StopReason, Store, ThreadCount, ThreadProgram,
    ThreadStep, ThreadTrace, Variant, Violation,
};
use rustc_hash::FxHashSet;

use super::races::TouchedTable;
use crate::kernel::budget::{Budget, Pause};
use crate::kernel::step_table::{LocalId, NumberedStep, SharedId, StepTable};

/// States that are stored for all numbers of threads together.
const MAX_STATES: usize = 30_000;

/// The most threads, where any number is asked about.
const MAX_THREADS: u32 = 4;

/// Threads that are alive at the same time: a step that makes more of them is left out.
const MAX_ALIVE: usize = 8;

/// Threads of a template of which there are too many to look at all of them.
const FEW: u32 = 2;

/// Where each thread is; `None`: it has ended.
type Slots = Vec<Option<LocalId>>;

/// What few threads were seen to do.
#[derive(Default)]
pub struct Sightings {
    /// A run into an error.
    pub error: Option<Box<ThreadTrace>>,
    /// Local stores in which some thread was.
    pub alone: FxHashSet<LocalId>,
    /// Pairs of local stores in which two threads were at the same time, both ways.
    pub together: FxHashSet<(LocalId, LocalId)>,
}

impl Sightings {
    /// Were both seen, but never at the same time?
    pub fn exclude(&self, one: LocalId, other: LocalId) -> bool {
        self.alone.contains(&one)
            && self.alone.contains(&other)
            && !self.together.contains(&(one, other))
    }

    /// Were two threads never in these local stores at the same time, as far as was seen?
    pub fn never_saw_two_of(&self, locals: &[LocalId]) -> bool {
        let members: FxHashSet<LocalId> = locals.iter().copied().collect();
        !self.together.iter().any(|(one, other)| members.contains(one) && members.contains(other))
    }
}

/// A state, with how it was reached.
struct Node {
    shared: SharedId,
    slots: Rc<Slots>,
    /// The state before, who stepped, and the step's number in the table.
    from: Option<(u32, Option<usize>, u32)>,
}

/// Looks at what few of `threads` threads do.
///
/// # Errors
/// The budget is spent, or a limit is reached.
pub fn look<'p>(
    table: &mut StepTable<'p>,
    threads: ThreadCount,
    budget: &mut Budget<'_>,
) -> Result<Sightings, Pause> {
    let mut search = Search {
        program: table.program(),
        table,
        is_exact: true,
        nodes: Vec::new(),
        known: FxHashSet::default(),
        touched: TouchedTable::default(),
        sightings: Sightings::default(),
    };
    let n_fixed: u32 = search.fixed().iter().fold(0, |sum, (_, n)| sum.saturating_add(*n));
    let has_free = !search.free().is_empty();
    let numbers = match threads {
        ThreadCount::Exactly(n) if n as usize <= MAX_ALIVE => n..=n,
        ThreadCount::Any if n_fixed as usize <= MAX_ALIVE && !has_free => n_fixed..=n_fixed,
        ThreadCount::Any if n_fixed as usize <= MAX_ALIVE => n_fixed..=n_fixed + MAX_THREADS,
        _ => {
            // So many threads are not looked at. Fewer of them are worth a guess.
            search.is_exact = false;
            let n_few: u32 = search.fixed().iter().map(|(_, n)| n).sum();
            n_few..=n_few + if has_free { MAX_THREADS - 1 } else { 0 }
        }
    };
    for n_threads in numbers {
        search.nodes.clear();
        search.start(n_threads);
        if search.explore(budget)? || search.is_full() {
            break;
        }
    }
    Ok(search.sightings)
}

struct Search<'a, 'p> {
    program: &'p dyn ThreadProgram,
    table: &'a mut StepTable<'p>,
    /// Are these as many threads as are asked about? Otherwise errors do not count.
    is_exact: bool,
    nodes: Vec<Node>,
    /// Shared stores with the sorted local stores of those alive.
    known: FxHashSet<(SharedId, Vec<LocalId>)>,
    touched: TouchedTable,
    sightings: Sightings,
}

impl Search<'_, '_> {
    fn fixed(&self) -> Vec<(usize, u32)> {
        let templates = self.program.templates().iter().enumerate();
        let fixed = templates.filter_map(|(idx, template)| match template.multiplicity {
            Multiplicity::Exactly(n) if self.is_exact => Some((idx, n)),
            Multiplicity::Exactly(n) => Some((idx, n.min(FEW))),
            Multiplicity::Any => None,
        });
        fixed.collect()
    }

    fn free(&self) -> Vec<Store> {
        let free = self.program.templates().iter().filter(|t| t.multiplicity == Multiplicity::Any);
        free.flat_map(|template| template.initial.iter().cloned()).collect()
    }

    fn is_full(&self) -> bool {
        self.known.len() >= MAX_STATES
    }

    /// The states that so many threads start in.
    fn start(&mut self, n_threads: u32) {
        let mut choices: Vec<Vec<Store>> = Vec::new();
        for (template, n) in self.fixed() {
            let initial = &self.program.templates()[template].initial;
            choices.extend((0..n.min(MAX_ALIVE as u32 + 1)).map(|_| initial.clone()));
        }
        while choices.len() < n_threads as usize && choices.len() <= MAX_ALIVE {
            choices.push(self.free());
        }
        if choices.len() != n_threads as usize || choices.len() > MAX_ALIVE {
            return;
        }
        let mut starts: Vec<Slots> = vec![Vec::new()];
        for choice in choices {
            let locals: Vec<LocalId> =
                choice.iter().map(|store| self.table.local_id(store.bytes())).collect();
            starts = starts
                .iter()
                .flat_map(|slots| {
                    locals.iter().map(move |&local| [&slots[..], &[Some(local)]].concat())
                })
                .take(MAX_STATES)
                .collect();
        }
        for shared in self.program.initial_shared() {
            let shared = self.table.shared_id(shared.bytes());
            for slots in &starts {
                self.meet(shared, slots.clone(), None);
            }
        }
    }

    fn meet(&mut self, shared: SharedId, slots: Slots, from: Option<(u32, Option<usize>, u32)>) {
        let mut alive: Vec<LocalId> = slots.iter().flatten().copied().collect();
        alive.sort_unstable();
        if alive.len() > MAX_ALIVE
            || self.is_full()
            || self.known.contains(&(shared, alive.clone()))
        {
            return;
        }
        for (idx, &local) in alive.iter().enumerate() {
            self.sightings.alone.insert(local);
            for &other in &alive[idx + 1..] {
                self.sightings.together.insert((local, other));
                self.sightings.together.insert((other, local));
            }
        }
        self.known.insert((shared, alive));
        self.nodes.push(Node { shared, slots: Rc::new(slots), from });
    }

    /// Explores what follows; true if an error was found.
    fn explore(&mut self, budget: &mut Budget<'_>) -> Result<bool, Pause> {
        let mut next = 0;
        while next < self.nodes.len() {
            budget.spend(1, &[("states", self.nodes.len() as u64)])?;
            if self.expand(next as u32, budget)? {
                return Ok(true);
            }
            next += 1;
        }
        Ok(false)
    }

    fn expand(&mut self, number: u32, budget: &mut Budget<'_>) -> Result<bool, Pause> {
        let (shared, slots) = (self.nodes[number as usize].shared, self.slots(number));
        if self.is_exact
            && let Some(violation) = self.violation(shared, &slots)
        {
            self.sightings.error = self.retold(number, None, violation).ok();
            return Ok(self.sightings.error.is_some());
        }
        let mut last_asked: Vec<LocalId> = Vec::new();
        for actor in std::iter::once(None).chain((0..slots.len()).map(Some)) {
            let local = match actor.map(|slot| slots[slot]) {
                Some(None) => continue,
                Some(Some(local)) if last_asked.contains(&local) => continue,
                Some(local) => local,
                None => None,
            };
            last_asked.extend(local);
            let answer = self.table.ask(shared, local);
            if let Some(error) = self.table.errors(answer).first().filter(|_| self.is_exact) {
                let error = (actor, error.idx as usize);
                self.sightings.error = self.retold(number, Some(error), Violation::Deadlock).ok();
                if self.sightings.error.is_some() {
                    return Ok(true);
                }
            }
            for at in self.table.range(answer) {
                budget.spend(1, &[])?;
                self.step(number, actor, at);
            }
        }
        Ok(false)
    }

    fn slots(&self, number: u32) -> Rc<Slots> {
        Rc::clone(&self.nodes[number as usize].slots)
    }

    fn step(&mut self, number: u32, actor: Option<usize>, at: usize) {
        let step: NumberedStep = *self.table.step(at);
        let before = self.slots(number);
        let mut ways: Vec<Slots> = vec![Vec::new()];
        for (slot, &local) in before.iter().enumerate() {
            let becomes: Vec<Option<LocalId>> = match (step.broadcast, local) {
                _ if Some(slot) == actor => vec![step.after],
                (Some(broadcast), Some(local)) => {
                    self.table.passive(broadcast, local).iter().copied().map(Some).collect()
                }
                _ => vec![local],
            };
            ways = ways
                .iter()
                .flat_map(|way| becomes.iter().map(move |&to| [&way[..], &[to]].concat()))
                .collect();
        }
        let spawned: Vec<Option<LocalId>> =
            self.table.spawned(&step).iter().copied().map(Some).collect();
        for mut way in ways {
            way.extend(&spawned);
            self.meet(step.to, way, Some((number, actor, at as u32)));
        }
    }

    /// What is wrong with the state itself.
    fn violation(&mut self, shared: SharedId, slots: &Slots) -> Option<Violation> {
        if let Some(target) = self.target(shared, slots) {
            return Some(Violation::Target(target));
        }
        let forbids_races = self.program.requirements().forbids_races();
        (forbids_races && self.has_race(shared, slots)).then_some(Violation::Race)
    }

    fn has_race(&mut self, shared: SharedId, slots: &Slots) -> bool {
        let alive: Vec<LocalId> = slots.iter().flatten().copied().collect();
        let mut pairs =
            (1..alive.len()).flat_map(|right| (0..right).map(move |left| (left, right)));
        pairs.any(|(left, right)| {
            self.touched.is_race(self.table, shared, [alive[left], alive[right]])
        })
    }

    /// A target that the state fits.
    fn target(&self, shared: SharedId, slots: &Slots) -> Option<usize> {
        let requirements = self.program.requirements();
        let bytes = self.table.shared(shared).bytes();
        let locals: Vec<LocalId> = slots.iter().flatten().copied().collect();
        (0..requirements.targets().len()).find(|&target| {
            let shape = &requirements.targets()[target];
            let needed = shape.slots.iter().enumerate();
            let needed: Vec<usize> = needed
                .flat_map(|(slot, &n)| (0..n).map(move |_| slot).take(MAX_ALIVE + 1))
                .collect();
            let fits = |slot: usize, local: LocalId| {
                requirements.target_local(target, slot, bytes, self.table.local(local).bytes())
            };
            requirements.target_shared(target, bytes)
                && needed.len() <= locals.len()
                && fill(&needed, &locals, &mut vec![false; locals.len()], &fits)
        })
    }

    /// The run to a state, and an error step of it.
    fn retold(
        &self,
        last: u32,
        error: Option<(Option<usize>, usize)>,
        mut violation: Violation,
    ) -> Result<Box<ThreadTrace>, StopReason> {
        let mut path = vec![last];
        while let Some((before, ..)) = self.nodes[path[path.len() - 1] as usize].from {
            path.push(before);
        }
        path.reverse();
        let first = &self.nodes[path[0] as usize];
        let mut steps = Vec::new();
        for pair in path.windows(2) {
            let node = &self.nodes[pair[1] as usize];
            let (_, actor, at) = node.from.expect("it is not the first");
            let idx = self.table.step(at as usize).idx as usize;
            let (mut step, _) = self.asked_again(pair[0], actor, idx)?;
            let before = &self.nodes[pair[0] as usize].slots;
            step.passive = self.moved(before, &node.slots, actor);
            steps.push(step);
        }
        if let Some((actor, idx)) = error {
            let (step, broken) = self.asked_again(last, actor, idx)?;
            violation = broken.ok_or_else(mismatch)?;
            steps.push(step);
        }
        let locals: Vec<LocalId> = first.slots.iter().flatten().copied().collect();
        let threads: Vec<Store> = locals.iter().map(|&l| self.table.local(l).clone()).collect();
        Ok(Box::new(ThreadTrace {
            variant: Variant::AS_WRITTEN,
            shared: self.table.shared(first.shared).clone(),
            templates: self.templates(&threads)?,
            threads,
            bystanders: Vec::new(),
            steps,
            violation,
        }))
    }

    /// A step as the program tells it, and the error that it is.
    fn asked_again(
        &self,
        number: u32,
        actor: Option<usize>,
        idx: usize,
    ) -> Result<(ThreadStep, Option<Violation>), StopReason> {
        let node = &self.nodes[number as usize];
        let mut steps = Steps::new();
        let shared = self.table.shared(node.shared).bytes();
        match actor.and_then(|slot| node.slots[slot]) {
            Some(local) => self.program.steps(shared, self.table.local(local).bytes(), &mut steps),
            None => self.program.environment_steps(shared, &mut steps),
        }
        let step = steps.iter().nth(idx).ok_or_else(mismatch)?;
        let label = self.program.narrator().label(step.label());
        let told = ThreadStep {
            thread: actor.map(|slot| slot as u32),
            label: label.text,
            span: label.span,
            shared: Store::new(step.shared()),
            local: step.local().filter(|_| actor.is_some()).map(Store::new),
            spawned: step.spawned().map(Store::new).collect(),
            passive: step
                .broadcast()
                .map_or(Vec::new(), |b| self.first_moves(&node.slots, actor, b)),
        };
        Ok((told, step.violation().map(|error| Violation::Step(error.owned()))))
    }

    /// What a broadcast does to others, each going where the program says first: after an
    /// error, it does not matter where.
    fn first_moves(
        &self,
        slots: &Slots,
        actor: Option<usize>,
        broadcast: BroadcastId,
    ) -> Vec<PassiveMove> {
        let others = slots.iter().enumerate().filter(|(slot, _)| Some(*slot) != actor);
        let moved = others.filter_map(|(slot, local)| {
            let before = self.table.local((*local)?);
            let mut becomes = Vec::new();
            self.program.passive(broadcast, before.bytes(), &mut becomes);
            let local = becomes.into_iter().next().filter(|after| after != before)?;
            Some(PassiveMove { thread: slot as u32, local })
        });
        moved.collect()
    }

    fn moved(&self, before: &Slots, after: &Slots, actor: Option<usize>) -> Vec<PassiveMove> {
        let pairs = before.iter().zip(after).enumerate();
        let others = pairs.filter(|(slot, (from, to))| Some(*slot) != actor && from != to);
        let moved = others.filter_map(|(slot, (_, to))| {
            let local = self.table.local((*to)?).clone();
            Some(PassiveMove { thread: slot as u32, local })
        });
        moved.collect()
    }

    /// The template of each thread at the start: first come those with a fixed number.
    fn templates(&self, threads: &[Store]) -> Result<Vec<usize>, StopReason> {
        let fixed = self.fixed();
        let fixed = fixed.iter().flat_map(|&(idx, n)| (0..n).map(move |_| idx));
        let mut templates: Vec<usize> = fixed.collect();
        for store in threads.get(templates.len()..).unwrap_or_default() {
            let starts_there = |template: &model::Template| {
                template.multiplicity == Multiplicity::Any && template.initial.contains(store)
            };
            let found = self.program.templates().iter().position(starts_there);
            templates.push(found.ok_or_else(mismatch)?);
        }
        Ok(templates)
    }
}

/// Can distinct threads fill these slots?
fn fill(
    needed: &[usize],
    locals: &[LocalId],
    is_used: &mut Vec<bool>,
    fits: &dyn Fn(usize, LocalId) -> bool,
) -> bool {
    let Some((&slot, rest)) = needed.split_first() else { return true };
    for idx in 0..locals.len() {
        if !is_used[idx] && fits(slot, locals[idx]) {
            is_used[idx] = true;
            if fill(rest, locals, is_used, fits) {
                return true;
            }
            is_used[idx] = false;
        }
    }
    false
}

fn mismatch() -> StopReason {
    StopReason::Incomplete { why: "a run of few threads could not be retold".to_owned() }
}
